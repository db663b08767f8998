"""How a decision came about, as data, and in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt
from rich.console import Console
from told import CHOICES, MOVE, TALK, WAIT, Told

from eda.cli import cli
from eda.cli.terminal.transcript import page_of as paper, print_minutes, print_part
from eda.debate.replay import memory_of, progress_of
from eda.debate.verdict import verdict_of
from eda.events import (
    NONE,
    Ballot,
    BallotCast,
    BallotText,
    Cited,
    LineAnswered,
    MemoryCorrected,
    MessagePosted,
    PhaseStarted,
    ReportWritten,
    SessionEnded,
    TermsNamed,
    VerdictReached,
)
from eda.events.records import Move
from eda.memory.sentences.judges import fact_words
from eda.panels.settings import Settings, Takes
from eda.report.forms import report_html, report_markdown
from eda.report.gather import messages_of, report_of
from eda.report.model import Report
from eda.report.outcome import ChoiceRow, SideEnd, Stood, Text
from eda.report.quotes import Quotes
from eda.report.sections import ballot_lines, cited_line, page_of, stated, story_words
from eda.report.stances import stances
from eda.report.story import StoryStep, _named, replaced_by
from eda.report.story_words import brief_line, story_lines
from eda.report.verdict_words import replaces, vote_lines
from eda.report.write import Held, checked, held_of
from eda.session import Session
from eda.words import ENGLISH, Words

GIVEN = tuple(BallotText(id=key, motion=key, text=text) for key, text in zip(("o1", "o2"), CHOICES, strict=True))
SESSIONS = Path(__file__).parents[1] / "sessions"


def example(language: str = "en") -> Report:
    with Session.read("example", SESSIONS) as session:
        return report_of(session, progress_of(session), memory_of(session), language)


@pytest.fixture(scope="module")
def report() -> Report:
    return example()


def test_the_steps_are_the_votes_and_the_texts_that_led_to_the_outcome(report: Report) -> None:
    """Who was not there could not say how four of five came to a text that nobody had brought."""
    told = [(step.kind, step.by, step.text, step.of) for step in report.story]
    assert told == [
        ("first", "", "", ()),
        ("text", "Lucien", "p8.0", ("p2.0", "p3.0")),
        ("text", "Ruth", "p10.0", ("p8.0",)),
        ("withdrawn", "Maya", "p2.0", ()),
        ("withdrawn", "Keiko", "p3.0", ()),
        ("text", "Lucien", "p14.0", ("p10.0",)),
        ("vote", "", "", ()),
    ]
    assert [len(text.voters) for text in report.story[-1].votes] == [4, 1]


def test_one_line_below_the_answer_says_how_it_came_to_this(report: Report) -> None:
    """A phone's first screen said what, who and why, and nothing of the way there."""
    assert report.rest[-1] == "No result at first; 4 put another answer first in the end."
    assert example("de").rest[-1].endswith("; 4 setzten zuletzt eine andere Antwort an die erste Stelle.")


def test_a_step_tells_what_was_said_against_the_text_that_it_changes(report: Report) -> None:
    """The turning point was missing: what the talk changed was not known."""
    sides = [(step.text, each) for step in report.story for each in step.against]
    changed = [(each.who, each.of, each.message) for _, each in sides if each.who == "Viktor"]
    assert all(each.of == text or (text == "" and each.of in ("o1", "o2")) for text, each in sides)
    stood = [("Viktor", "p8.0", 9), ("Viktor", "p10.0", 13), ("Viktor", "p3.0", 9), ("Viktor", "p14.0", 19)]
    assert changed == stood, "the last stands, and a condition for a wording that went into the text decided"


def test_each_changed_vote_names_its_message_and_whose_it_is(report: Report) -> None:
    """That the one who is against it turned another, the story of this debate, could not be read."""
    named = {each.who: (each.message, each.by, each.against) for step in report.story for each in step.names}
    assert named == {
        "Lucien": (7, "Keiko", False),
        "Maya": (10, "Ruth", False),
        "Keiko": (9, "Viktor", True),
        "Ruth": (14, "Lucien", False),
    }


def test_a_table_says_where_it_leaves_out_messages(report: Report) -> None:
    """A text that rests on fifteen messages stood as one that rests on five."""
    (row,) = (row for row in report.counted.rows if row.id == "p14.0")
    assert len(row.behind) > 5
    assert row.decisive == (7, 9, 10, 14), "its own, and those that voters name; no objection"
    more = ENGLISH.say("report-rests", messages="m7, m9, m10, m14", more=len({*row.behind} - {*row.decisive}))
    assert f"| {more} |" in report_markdown(report)


def words_of(text: str) -> list[str]:
    return re.findall(r"[\w'’%.-]*\w[\w'’%.-]*", text.casefold())


def test_what_a_text_answers_is_told_before_it(report: Report) -> None:
    """The objections that a text met stood below it, as if they had come after it."""
    lines = [line for head, lines in story_words(report) for line in (head, *lines)]
    at = {key: next(nth for nth, line in enumerate(lines) if key in line) for key in ("(m9)", "(m13)", "m14")}
    assert sorted(at.values()) == [*at.values()]


@pytest.mark.parametrize("language", ["en", "de"])
def test_texts_that_a_ballot_ranks_as_equal_are_both_first(language: str) -> None:
    """A ballot for two texts was shown as no vote."""
    words, told = Words(language), Told(settings=Settings(language=language))
    told.tell(PhaseStarted(phase="ballot"))
    for who, ranking in (("Ada", (MOVE,)), ("Ben", ((MOVE, WAIT),)), ("Cleo", (WAIT, MOVE))):
        ballot = Ballot(agent=who, choice=None, ranking=ranking, approved=(MOVE, WAIT))
        told.tell(BallotCast(ballot=ballot, choices=CHOICES, texts=GIVEN))
    told.tell(verdict_of(told.progress, told.memory), SessionEnded(reason="messages"))
    report = report_of(told.session, told.progress, told.memory, language)
    columns, legend = stances(told.session.events(), told.memory, report.texts, words)
    marks = {who: [(mark.label, mark.kind) for mark in each] for who, each in columns[-1].marks.items()}
    assert marks == {"Ada": [("o1", "vote")], "Ben": [("o1", "vote"), ("o2", "vote")], "Cleo": [("o2", "vote")]}
    assert {*legend} == {"o1", "o2"}
    assert [told.memory.parts.polls.voted(who) for who in ("Ada", "Ben", "Eve")] == [(MOVE,), (MOVE, WAIT), ()]
    assert [voter.tied for voter in report.ballots] == [(), ((MOVE, WAIT),), ()]
    lines = {voter.who: line for voter, line in ballot_lines(report)}
    equal = words.say("votes-ballot-rank", count=2, texts=[""]).strip()
    assert [who for who in lines if equal in lines[who]] == ["Ben"]
    stood = StringIO()
    print_minutes(Console(file=stood, width=2000), told.session.started(), told.progress, told.memory, [])
    assert words.say("show-last-ballot", count=2, vote=["o1", "o2"]) in stood.getvalue()
    assert {row.choice: row.equal for row in report.counted.rows} == {MOVE: ("Ben",), WAIT: ("Ben",)}
    equal = words.say("votes-equal", who=["Ben"], count=1)
    assert equal in report_markdown(report)
    assert sum(equal in line.plain for line in vote_lines(report.counted, words)) == 2


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_position_that_its_member_left_is_not_shown_as_held(language: str) -> None:
    """Who had opposed an option and put another text was shown as for the option."""
    talk = (*TALK[:5], ("Ben", "I move.\n\n[OPPOSE o2] it costs July\n[PROPOSE] Move it in two stages."))
    told = Told(talk=talk, settings=Settings(language=language))
    stood = StringIO()
    print_minutes(Console(file=stood, width=2000), told.session.started(), told.progress, told.memory, [])
    last = {who: state.positions[-1].text for who, state in told.memory.agents.items()}
    (line,) = (line for line in stood.getvalue().splitlines() if last["Ben"] in line and "m6" in line)
    (put,) = (text.id for text in told.memory.proposals)
    rest = {"left": ["m6"], "put": [f"{put} (m6)"], "backs": [], "back": []}
    held = Words(language).say("show-position", text=last["Ben"], gone=False, declared=True, at="m2", **rest)
    assert held in line
    assert [words in held for words in ("m2", put)] == [True, True]


def test_who_abstained_first_and_voted_then_counts_as_changed_wherever_that_is_told() -> None:
    """A line told of four changed votes, and the account below it of three."""
    told = Told(talk=())
    for who, choice in (("Ada", MOVE), ("Ben", None)):
        told.tell(BallotCast(ballot=Ballot(agent=who, choice=choice), choices=CHOICES, first=True))
    told.say(TALK)
    told.tell(PhaseStarted(phase="ballot"))
    for who, at in (("Ada", 2), ("Ben", 5)):
        told.tell(BallotCast(ballot=Ballot(agent=who, choice=WAIT, moved_by=at), choices=CHOICES))
    told.tell(verdict_of(told.progress, told.memory), SessionEnded(reason="messages"))
    report = report_of(told.session, told.progress, told.memory)
    assert {each.who for each in (*report.helped.new, *report.helped.differs)} == {"Ada", "Ben"}
    assert {each.who for step in report.story for each in step.names if each.changed} == {"Ada", "Ben"}


RENT, BUY = "Rent all fifteen instruments", "Buy all fifteen instruments"


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ((RENT, BUY), (RENT, BUY)),
        ((f"{RENT}, {'and then ' * 5}play", BUY), (f"{RENT}, and then and then and then…", BUY)),
        (
            (f"{RENT} {'or so ' * 7}in May", f"{RENT} {'or so ' * 7}in June", f"{BUY} {'or so ' * 7}in May"),
            (f"{RENT} {'or so ' * 7}in May", f"{RENT}… or so or so or so or so in June", f"{BUY} {'or so ' * 4}or so…"),
        ),
    ],
    ids=["short", "cut", "with an end that another has too"],
)
def test_an_option_is_named_by_what_no_other_one_has(options: Sequence[str], names: Sequence[str]) -> None:
    """ "… fifteen instruments" stood for one option, and "Buy all fifteen instruments" for the other."""
    texts = [Text(f"o{at}", each) for at, each in enumerate(options, 1)]
    texts.append(Text("p3.0", f"{RENT} for two years, with half of it credited.", title="Rent", by="Suna"))
    first = StoryStep("first", won=tuple(options), votes=tuple(texts[:-1]))
    ((head, (votes,)),) = story_lines([first], texts, ENGLISH)
    for told in (re.findall("“(.+?)”", head), re.findall("“(.+?)”", votes)):
        assert told == [*names]


def test_nothing_is_told_twice(report: Report) -> None:
    """A third of the words of a report were printed again."""
    shown = CliRunner().invoke(cli, ["show", "example", "--sessions", str(SESSIONS)]).stdout
    for text in (report_markdown(report), shown):
        words = words_of(text)
        runs = [tuple(words[at : at + 12]) for at in range(len(words) - 11)]
        assert 1 - len(set(runs)) / len(runs) < 0.08
    told = re.sub(r"(?s)\n## What it hinges on\n.*?(?=\n## )", "", report_markdown(report))
    assert len(words_of(told)) <= 1300, "but for the experiments, which few reports have"


def test_the_page_can_be_read_in_a_minute(report: Report) -> None:
    """Who has one minute got 345 words down to the end of the text, and then the rest."""
    page = page_of(report)
    assert len(words_of(" ".join(line.plain for line in page["verdict"]))) <= 260
    lines = [line.plain for name, lines in page.items() if name != "hinges" for line in lines]  # few have experiments
    assert len(words_of(" ".join(lines))) <= 575


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_story_is_worded_in_each_language(language: str) -> None:
    """A German report would tell how it came about in English."""
    report = example(language)
    lines = [line for head, lines in story_words(report) for line in (head, *lines)]
    assert len(lines) > len(report.story)
    puts = [step for step in report.story if step.kind == "text"]
    assert [any(line.endswith(f"({step.text}) (m{step.message}).") for line in lines) for step in puts] == [True] * 3
    if language == "de":
        ours = " ".join(re.sub("„.*?“", "", line) for line in lines)
        assert not re.search(r"\b(?:the|was|against|names|changed)\b", ours)


def test_a_decision_that_replaces_an_earlier_one_says_so() -> None:
    """Who reads the second verdict alone acts on both."""
    before, now = (VerdictReached(rule="majority", outcome=text, tally={text: ("Ada",)}) for text in ("Go", "Wait"))
    assert replaced_by(now, [before]) == ("Go",)
    assert replaced_by(now, [now]) == replaced_by(now, []) == ()
    assert "Go" in next(replaces([Text("o1", "Go")], ENGLISH))


def test_who_states_how_sure_it_is_alone_is_told_as_one_of_them() -> None:
    """ "80 % sure" rested on one of three voters, and said so nowhere."""
    told = Told().votes()
    told.tell(PhaseStarted(phase="ballot"))
    for who, sure in (("Ada", 0.8), ("Ben", None), ("Cleo", None)):
        told.tell(BallotCast(ballot=Ballot(agent=who, choice=MOVE, confidence=sure), choices=CHOICES))
    told.tell(verdict_of(told.progress, told.memory))
    report = report_of(told.session, told.progress, told.memory)
    (row,) = (row for row in report.counted.rows if row.choice == MOVE)
    assert (row.sure, row.stated, len(row.voters)) == (0.8, 1, 3)
    assert any("1 of 3 who put it first" in line.text for line in page_of(report)["sure"])


def test_how_sure_its_voters_are_counts_those_of_other_wordings_by_that_name() -> None:
    """ "of 3 who put it first" was said of two who had put another wording first."""
    row = ChoiceRow("Go", "p1.0", 3, ("Ada", "Ben", "Cleo"), sure=0.8, stated=1, texts={"p2.0": ("Ben", "Cleo")})
    assert "1 of 3 who put it or another wording first" in ENGLISH.say("report-stated", **stated(row))
    assert "or another" not in ENGLISH.say("report-stated", **stated(replace(row, texts={})))


def test_who_names_no_message_is_given_no_reason_for_its_vote() -> None:
    """Who switched for the cap was told to have had supported the minibus: its first support on the way."""
    with Session.read("example", SESSIONS) as session:
        progress = progress_of(session)
        for moved in (True, False):
            if not moved:
                progress.ballots = [
                    cast.model_copy(update={"ballot": cast.ballot.model_copy(update={"moved_by": None})})
                    for cast in progress.ballots
                ]
            told = report_of(session, progress, memory_of(session))
            named = [each.message > 0 for step in told.story for each in step.names]
            assert named == [moved] * 4
            switched = [line for line in story_words(told)[-1][1] if "switched" in line]
            assert ["naming no message" not in line for line in switched] == named


TESTED = "Move it this quarter with the suite that covers month end."
GIVES_WAY = (
    ("Ada", f"I want it out.\n[PROPOSE Move now] {MOVE} at once."),
    ("Ben", "I look at the tests."),
    ("Cleo", "I look at the code."),
    ("Dan", "I look at the money."),
    ("Eve", "I look at the invoices."),
    ("Ben", "Not so.\n[OPPOSE p1.0] nobody would trust the comparison"),
    ("Ada", f"Ben is right.\n[AMEND p1.0 Move with tests] {TESTED}"),
    ("Eve", "Not so.\n[OPPOSE p7.0] a wrong invoice costs us more"),
    ("Ben", "Now it holds.\n[SUPPORT p7.0] the suite covers it"),
    ("Cleo", "Well.\n[SUPPORT p7.0] if Oskar stays until May"),
    ("Dan", "Yes.\n[SUPPORT p7.0] it keeps July"),
    ("Cleo", "He stays.\n[SUPPORT p7.0]"),
    ("Eve", "I was rash.\n[WITHDRAW my opposition to p7.0] the invoices are checked twice"),
)


def gave_way(language: str = "en", talk: Sequence[tuple[str, str]] = GIVES_WAY) -> Report:
    told = voted(talk)
    return report_of(told.session, told.progress, told.memory, language)


def voted(talk: Sequence[tuple[str, str]], told: Told | None = None, moved_by: int | None = None) -> Told:
    told = told or Told(talk=talk)
    offered = (*CHOICES, TESTED)
    told.tell(PhaseStarted(phase="ballot"))
    key = next(each.id for each in told.memory.proposals if each.content == TESTED)
    texts = (*GIVEN, BallotText(id=key, motion="p1.0", text=TESTED, title="Move with tests", by="Ada"))
    for who in ("Ada", "Ben", "Cleo", "Dan", "Eve"):
        ballot = Ballot(agent=who, choice=TESTED, ranking=(TESTED,), approved=(TESTED,), moved_by=moved_by)
        told.tell(BallotCast(ballot=ballot, choices=offered, texts=texts))
    return told.tell(verdict_of(told.progress, told.memory))


def test_words_of_an_answer_about_a_message_are_no_words_of_the_message() -> None:
    """ "the Sunday boat is in it" (m8) stood under the verdict: Lou gave it when asked what m8 declares."""
    told = Told(talk=GIVES_WAY)
    at = max(message.number for message in messages_of(told.session) if message.who == "Eve")
    move = Move("support", "lunch is in it", "p7.0")
    told.tell(LineAnswered(who="Eve", message=at, answer="asked", moves=(move,)))
    report = report_of((told := voted(GIVES_WAY, told)).session, told.progress, told.memory)
    assert {each.who: each.quote for each in report.backing}["Eve"] == ""
    assert next(text for text in told.memory.proposals if text.id == "p7.0").backers("support")[-1] == "Eve"


@pytest.mark.parametrize(("language", "asked"), [("en", "; declared when asked"), ("de", "; auf Nachfrage erklärt")])
def test_no_message_is_told_to_have_words_of_a_later_answer(language: str, asked: str) -> None:
    """ "I support o1 in full (m4)" stood in an account: Ed typed it later, of how m4 was read.

    So did a condition in a verdict, and a text, which were declared when their authors were asked.
    """
    told, full = Told(talk=GIVES_WAY), Move("support", "in full", "o2")
    for move in (full, Move("withdraw", "", "o2", of="support")):
        told.tell(LineAnswered(who="Dan", message=4, answer="yes", moves=(move,)))
    moves = Move("support", "if Oskar trains us", "p7.0"), Move("propose", "Oskar trains two of us.", title="Training")
    told.tell(LineAnswered(who="Eve", message=13, answer="asked", moves=moves))
    report = report_of((told := voted(GIVES_WAY, told)).session, told.progress, told.memory, language)
    lines = [line for head, below in story_words(report) for line in (head, *below)]
    assert [f"(m4{asked}; " in line for line in lines if "in full" in line] == [True]
    assert [f"(m13{asked})" in line for line in lines if "Training" in line] == [True]
    assert [f"(m13{asked})" in line for line in report.rest if "if Oskar trains us" in line] == [True]
    assert not Quotes(messages_of(told.session), told.memory.acts).find(13, "if Oskar trains us")


def test_a_condition_that_ends_when_its_member_is_asked_about_its_message_has_that_end() -> None:
    """ "until I want them to" (m8) was read as a condition, and stood as one after its author had said otherwise."""
    told = Told(talk=[*GIVES_WAY, ("Dan", "So.\n[SUPPORT p7.0] if Oskar trains us")])
    lift = Move("withdraw", "I meant none", "p7.0", of="condition")
    told.tell(LineAnswered(who="Dan", message=14, answer="asked", moves=(lift,)))
    report = report_of((told := voted(GIVES_WAY, told)).session, told.progress, told.memory)
    lines = [line for head, below in story_words(report) for line in (head, *below)]
    assert ["I meant none" in line for line in lines if "if Oskar trains us" in line] == [True]


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_a_member_declares_when_it_is_asked_has_the_message_that_it_is_about(language: str) -> None:
    """ "Bruno opposed p6.0 (m5)" stood before the message that put p6.0: he said so after m9, about m5.

    A condition of m4 was dated "when asked after m8" alone, and a text's withdrawal in m6 stood before it.
    """
    told = Told(talk=GIVES_WAY)
    moves = ("Dan", 4, Move("oppose", "it is dear", "p7.0")), ("Eve", 5, Move("support", "it is safe", "o2"))
    again = ("Eve", 5, Move("withdraw", "the bank is not", "o2", of="support"))
    for who, at, move in (*moves, again):
        told.tell(LineAnswered(who=who, message=at, answer="asked", moves=(move,)))
    report = report_of((told := voted(GIVES_WAY, told)).session, told.progress, told.memory, language)
    lines = [line for head, below in story_words(report) for line in (head, *below)]
    (put,) = (at for at, line in enumerate(lines) if line.startswith("Ada ") and "(m7)" in line)
    dan, eve = (next(at for at, line in enumerate(lines) if words in line) for words in ("it is dear", "it is safe"))
    assert put < dan
    after = {"en": "(declared when asked after m13; ", "de": "(auf Nachfrage erklärt, nach m13; "}[language]
    back = {
        "en": "(m5; declared when asked; taken back in m5, declared when asked: ",
        "de": "(m5; auf Nachfrage erklärt; auf Nachfrage zu m5 zurückgenommen: ",
    }[language]
    assert after in lines[dan]
    assert back in lines[eve]


@pytest.mark.parametrize("first", ["[SUPPORT p7.0] cheaper than hire after ten races", "[SUPPORT p7.0]"])
def test_a_condition_that_is_declared_when_asked_has_the_message_of_its_support(first: str) -> None:
    """A doubt about m10, or a support beside words in the minutes, was settled after m13, and was dated so."""
    talk = [(who, f"Well.\n{first}") if who == "Cleo" and "p7.0" in text else (who, text) for who, text in GIVES_WAY]
    talk[11] = ("Cleo", "I have said what I think.")
    told = Told(talk=talk)
    condition = Move("support", "Oskar stays until May", "p7.0", terms="if")
    told.tell(LineAnswered(who="Cleo", message=12, answer="asked", moves=(condition,)))
    report = report_of((told := voted(talk, told)).session, told.progress, told.memory)
    lines = [line for head, below in story_words(report) for line in (head, *below)]
    (cleo,) = (line for line in lines if line.startswith("Cleo "))
    assert (
        cleo
        == "Cleo set a condition for it: “Oskar stays until May” (m10; declared when asked; accepts it on the ballot)."
    )
    assert [one.of for step in report.story if step.text == "p7.0" for one in step.against] == ["p7.0"] * 4


def test_a_text_that_a_message_puts_was_not_declared_when_asked_as_its_author_was_asked_for_its_position() -> None:
    """ "Walter proposed p5.0 (declared when asked about m5)": m5 had the proposal, and his position came later."""
    told = Told(talk=GIVES_WAY)
    told.tell(LineAnswered(who="Ada", message=7, answer="asked", moves=(Move("position", "p7.0"),)))
    report = report_of((told := voted(GIVES_WAY, told)).session, told.progress, told.memory)
    lines = [line for head, below in story_words(report) for line in (head, *below)]
    (put,) = (line for line in lines if line.startswith("Ada ") and "(m7" in line)
    assert "when asked" not in put


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("[SUPPORT o2] July is safe", ": “July is safe” (m8; holds “Move with tests” since m9)"),
        ("[WITHDRAW my support of o1] it is late", "(m6; taken back in m8: “it is late”)"),
        ("[OPPOSE o1] it is late", "(m6; against it since m8: “it is late”)"),
        ("[OPPOSE p7.0] it is late", "opposed it: “it is late” (m8; for it since m9)"),
    ],
)
def test_a_side_that_a_member_left_is_told_with_where_it_went(said: str, told: str) -> None:
    """Tobias's support of o1, which he took back, and Ben's move from o2 to p4.0 stood nowhere in the account."""
    talk = (*GIVES_WAY[:5], ("Dan", "So.\n[SUPPORT o1] we are ready"), GIVES_WAY[6], ("Dan", f"So.\n{said}"))
    report = gave_way(talk=(*talk, ("Dan", "So.\n[SUPPORT p7.0]\n[POSITION] p7.0")))
    lines = [line for head, below in story_words(report) for line in (head, *below)]
    assert [line for line in lines if line.startswith("Dan ") and told in line] != [], lines


def test_a_reason_on_a_ballot_that_the_record_does_not_bear_out_is_no_reason_of_the_verdict() -> None:
    """ "Bruno agreed in m5 that pupils need two evenings" was the first reason of a verdict: m5 was against them."""
    told, reason = Told(talk=GIVES_WAY), "Ben agreed in m6 that the comparison will be trusted."
    told.tell(PhaseStarted(phase="ballot"))
    texts = (*GIVEN, BallotText(id="p7.0", motion="p1.0", text=TESTED, title="Move with tests", by="Ada"))
    for who, choice in zip(("Ada", "Ben", "Cleo", "Dan", "Eve"), (*(TESTED,) * 4, WAIT), strict=True):
        ballot = Ballot(agent=who, choice=choice, reason=reason if who in ("Ada", "Eve") else "It keeps July.")
        told.tell(BallotCast(ballot=ballot, choices=(*CHOICES, TESTED), texts=texts))
    told.tell(verdict_of(told.progress, told.memory), SessionEnded(reason="messages"))
    report = report_of(told.session, told.progress, told.memory)
    backing = {each.who: each.quote for each in report.backing}
    assert (backing["Ada"], backing["Ben"]) == ("", "It keeps July.")
    assert [each.reason for each in report.dissent] == [""]
    beside = ENGLISH.say("votes-ballot-beside", told="m6 says: “nobody would trust the comparison”")
    assert [voter.who for voter, line in ballot_lines(report) if beside in line] == ["Ada", "Eve"]
    shown = StringIO()
    started, page = told.session.started(), paper(Console(file=shown, width=400), told.session.started())
    print_part(page, started, told.progress, told.memory, told.session.events())
    assert shown.getvalue().count(beside) == 2


@pytest.mark.parametrize(
    ("declared", "on_ballot", "told"),
    [
        ("Oskar must stay until May, or I am out", "", ""),
        ("Oskar must stay until May, or I am out", "The suite is green.", "The suite is green."),
        ("if Oskar stays until May", "If Oskar stays until May, I am in.", ""),
        ("the suite is green, if Oskar stays until May", "", "the suite is green, if Oskar stays until May"),
    ],
)
def test_a_condition_with_what_follows_where_it_is_not_met_is_no_reason(
    declared: str, on_ballot: str, told: str
) -> None:
    """ "For: Gus: the hives must stand by the gate or I am out" stood below that very condition of his."""
    talk = [
        (who, text.replace("if Oskar stays until May", declared))
        for who, text in GIVES_WAY
        if (who, text) != ("Cleo", "He stays.\n[SUPPORT p7.0]")
    ]
    here = Told(talk=talk)
    here.tell(PhaseStarted(phase="ballot"))
    texts = (*GIVEN, BallotText(id="p7.0", motion="p1.0", text=TESTED, title="Move with tests", by="Ada"))
    for who in ("Ada", "Ben", "Cleo", "Dan", "Eve"):
        ballot = Ballot(agent=who, choice=TESTED, reason=on_ballot * (who == "Cleo"))
        here.tell(BallotCast(ballot=ballot, choices=(*CHOICES, TESTED), texts=texts))
    here.tell(verdict_of(here.progress, here.memory))
    report = report_of(here.session, here.progress, here.memory)
    assert [each.who for each in report.stood if each.conditional] == ["Cleo"]
    assert {each.who: each.quote for each in report.backing}["Cleo"] == told


def test_who_was_for_a_text_that_was_withdrawn_or_replaced_stands_beside_who_was_against_it() -> None:
    """The account of a text that its author withdrew had who opposed it alone, as if nobody had been for it."""
    talk = [
        *GIVES_WAY[:6],
        ("Dan", "So.\n[SUPPORT p1.0] it is quick\n[PROPOSE Rent] We rent the old mill."),
        ("Eve", "No.\n[OPPOSE p7.1] it is damp"),
        ("Cleo", "Yes.\n[SUPPORT p7.1] it is near"),
        ("Dan", "So be it.\n[WITHDRAW p7.1] it is damp"),
        ("Ada", f"Ben is right.\n[AMEND p1.0 Move with tests] {TESTED}"),
    ]
    told = [(each.who, each.stance, each.of) for step in gave_way(talk=talk).story for each in step.against]
    assert {*told} >= {("Eve", "oppose", "p7.1"), ("Cleo", "support", "p7.1")}
    assert {*told} >= {("Ben", "oppose", "p1.0"), ("Dan", "support", "p1.0")}
    assert len({*told}) == len(told)


def test_a_message_of_moves_alone_is_shown_once_as_it_was_read() -> None:
    """ "Ist für o1: ..." stood above "ist für o1, unter einer Bedingung: ...", one message as two acts."""
    told = Told(talk=(*GIVES_WAY, ("Dan", "[SUPPORT p7.0] if it keeps July"), ("Ben", "[SUPPORT p7.0] it is covered")))
    started = told.session.started()
    for verbose in (True, False):
        shown = StringIO()
        page = paper(Console(file=shown, width=400), started)
        print_part(page, started, told.progress, told.memory, told.session.events(), verbose=verbose)
        lines = [" ".join(line.split()) for line in shown.getvalue().splitlines()]
        assert [line for line in lines if "keeps July" in line][-1] == "supports p7.0, on a condition: if it keeps July"
        assert sum("if it keeps July" in line for line in lines) == 1
        assert [line for line in lines if "is covered" in line] == ["supports p7.0: it is covered"]


def test_nobody_is_against_an_outcome_where_nothing_was_decided() -> None:
    """ "Naming Bruno's m9; Bruno is against", of a vote without a majority in which both put the same text first."""
    told = Told(talk=GIVES_WAY)
    told.tell(PhaseStarted(phase="ballot"))
    texts = (*GIVEN, BallotText(id="p7.0", motion="p1.0", text=TESTED, title="Move with tests", by="Ada"))
    for who, choice in zip(("Ada", "Ben", "Cleo", "Dan", "Eve"), (TESTED, TESTED, *CHOICES[:2], NONE), strict=True):
        ballot = Ballot(agent=who, choice=choice, moved_by=9 if who == "Ada" else None)
        told.tell(BallotCast(ballot=ballot, choices=(*CHOICES, TESTED), texts=texts))
    told.tell(verdict_of(told.progress, told.memory))
    report = report_of(told.session, told.progress, told.memory)
    assert report.counted.won is None
    assert [(each.who, each.by, each.against) for each in report.story[-1].names] == [("Ada", "Ben", False)]


@pytest.mark.parametrize("decided", [True, False])
def test_who_opposes_what_led_at_first_or_in_a_last_vote_that_decided_nothing_is_told(*, decided: bool) -> None:
    """The account went from "o1 led first" to o2, or to no result, without the objections that decided it."""
    told = Told(talk=())
    told.tell(PhaseStarted(phase="first-ballot"))
    for who, choice in zip(("Ada", "Ben", "Cleo", "Dan", "Eve"), (*(MOVE,) * 3, *(WAIT,) * 2), strict=True):
        told.tell(BallotCast(ballot=Ballot(agent=who, choice=choice), choices=CHOICES, texts=GIVEN, first=True))
    told.say([(who, "I listen.") for who in ("Ada", "Ben", "Cleo", "Dan", "Eve")])
    told.say([("Eve", "No.\n[OPPOSE o1] a wrong invoice costs us more"), ("Ada", "No.\n[OPPOSE o2] July is lost")])
    told.tell(PhaseStarted(phase="ballot"))
    last = (MOVE, *(WAIT,) * 4) if decided else (MOVE, MOVE, WAIT, WAIT, NONE)
    for who, choice in zip(("Ada", "Ben", "Cleo", "Dan", "Eve"), last, strict=True):
        told.tell(BallotCast(ballot=Ballot(agent=who, choice=choice), choices=CHOICES, texts=GIVEN))
    told.tell(verdict_of(told.progress, told.memory))
    story = report_of(told.session, told.progress, told.memory).story
    against = sorted((each.message, each.who, each.of) for step in story for each in step.against)
    assert against == [(6, "Eve", "o1"), (7, "Ada", "o2")]


def ends_of(story: Iterable[StoryStep]) -> list[tuple[Stood, SideEnd]]:
    return [(each, end) for step in story for each in step.against for end in each.ends]


def test_who_opposed_or_set_a_condition_and_gave_that_up_is_told_with_how_it_ended() -> None:
    """A block and a met condition were left out, or stood in the account without an end."""
    story = gave_way().story
    against = [(one.who, one.of, one.message, end.kind, end.message, end.text) for one, end in ends_of(story)]
    assert against == [
        ("Ben", "p1.0", 6, "for", 9, "p7.0"),
        ("Eve", "p7.0", 8, "back", 13, "p7.0"),
        ("Cleo", "p7.0", 10, "for", 12, "p7.0"),
    ]
    assert [one.condition for one, _ in ends_of(story)] == ["", "", "if Oskar stays until May"]
    assert [(step.text, [one.who for one in step.against]) for step in story if step.against] == [
        ("p1.0", ["Ben"]),
        ("p7.0", ["Eve", "Ben", "Cleo", "Dan"]),
    ]


def test_all_who_gave_up_an_objection_and_a_text_that_nobody_decided_on_stand_in_the_account() -> None:
    """Of five who came round the first two were left out, and so was a text that lost the ballot."""
    panel = ("Ada", "Ben", "Cleo", "Dan", "Eve")
    talk = (
        *GIVES_WAY[:7],
        ("Eve", "So.\n[PROPOSE Fax] Send the bills by fax."),
        ("Ben", "Hm.\n[AMEND p8.0 Fax by night] Send the bills by fax at night."),
        *((who, f"No.\n[OPPOSE p7.0] {who} has no time") for who in panel[1:]),
        *((who, f"Yes.\n[WITHDRAW my opposition to p7.0] {who} has time now") for who in panel[1:]),
    )
    report = gave_way(talk=talk)
    gave_up = [one.who for one, end in ends_of(report.story) if (one.of, end.kind) == ("p7.0", "back")]
    assert gave_up == [*panel[1:]]
    put = [(step.by, step.text, step.of) for step in report.story if step.kind == "text"]
    assert put == [("Ada", "p1.0", ()), ("Ada", "p7.0", ("p1.0",)), ("Eve", "p8.0", ()), ("Ben", "p9.0", ("p8.0",))]


def test_an_account_has_what_was_amended_before_it_was_joined_and_each_condition_that_was_taken_back() -> None:
    """An account began with the text that joined two others, without their amendments, and a condition lifted."""
    parts = ("We saw the digits of boards.", "We hang them by a pole.", "We hang them by a pole that is locked away.")
    talk = (
        ("Ada", f"So.\n[PROPOSE] {parts[0]}"),
        ("Ben", f"So.\n[PROPOSE] {parts[1]}"),
        ("Cleo", "So.\n[SUPPORT o2] if the old digits stay"),
        ("Dan", f"So.\n[AMEND p2.0] {parts[2]}"),
        ("Ben", f"So.\n[AMEND p1.0 p4.0] {TESTED}"),
        ("Cleo", "So.\n[WITHDRAW my condition on o2] they stay\n[SUPPORT p5.0]\n[POSITION] p5.0"),
    )
    story = gave_way(talk=talk).story
    assert [step.text for step in story if step.kind == "text"] == ["p1.0", "p2.0", "p4.0", "p5.0"]
    assert [(one.who, one.of, one.message, end.kind, end.message) for one, end in ends_of(story)] == [
        ("Cleo", "o2", 3, "for", 6)
    ]


def test_an_account_of_more_than_ten_steps_leaves_no_text_unread() -> None:
    """Of a text withdrawn, or joined into another, a long debate's report had neither the words nor the end."""
    things = ("barn", "mill", "pond", "lane", "shed", "well", "oven", "gate", "loft", "yard")
    talk = [
        *GIVES_WAY[:7],
        *(("Dan", f"So.\n[PROPOSE] We rent the old {each} for the {each} keeper.") for each in things),
        *(("Dan", f"No.\n[WITHDRAW p{at}.0] it is too dear") for at in range(8, 18)),
    ]
    report = gave_way(talk=talk)
    assert len(report.story) == 11
    (head, _), told = story_words(report)[-1], report_markdown(report)
    assert head.endswith(f": {', '.join(report.story[-1].of)}.")
    assert 0 < len(report.story[-1].of) < len(things)
    assert [each for each in things if f"We rent the old {each} for the {each} keeper" not in told] == []
    assert {(each.id, each.became) for each in report.wordings} >= {(f"p{at}.0", "withdrawn") for at in range(8, 18)}


@pytest.mark.parametrize("language", ["en", "de"])
def test_who_would_not_take_a_text_at_all_is_told_beside_who_named_a_change(language: str) -> None:
    """Of two who were asked the account had one: that Eve would take it under no change stood nowhere."""
    told = Told(talk=GIVES_WAY)
    takes: list[tuple[str, Takes, str]] = [("Cleo", "with a change", "until June"), ("Eve", "not at all", "")]
    told.tell(*(TermsNamed(who=who, on="p1.0", takes=how, change=what, after=6) for who, how, what in takes))
    report = report_of((told := voted(GIVES_WAY, told)).session, told.progress, told.memory, language)
    lines = [line for head, below in story_words(report) for line in (head, *below)]
    (eve,) = (line for line in lines if "m6" in line and "Eve" in line)
    assert "until" not in eve
    assert eve.startswith({"en": "Asked after m6, Eve would not take ", "de": "Nach m6 gefragt, wollte Eve "}[language])
    assert language == "en" or eve.endswith(" den Text nicht annehmen.")


def test_an_objection_whose_member_accepts_the_text_decided_is_told_with_its_ballot() -> None:
    """A member's objections stood without an end, though the text that won took them up and its ballot accepts it."""
    talk = [("Ben", "I wait.") if at == 9 else each for at, each in enumerate(GIVES_WAY, 1)]
    for language, told in (
        ("en", "; accepts “Move with tests” (p7.0) on the ballot)."),
        ("de", " auf dem Stimmzettel an)."),
    ):
        report = gave_way(language, talk)
        ben = next(each for step in report.story for each in step.against if each.who == "Ben")
        assert (ben.of, ben.ends) == ("p1.0", (SideEnd("ballot", text="p7.0"),))
        lines = [line for head, below in story_words(report) for line in (head, *below)]
        assert [line.endswith(told) for line in lines if line.startswith("Ben ") and "comparison" in line] == [True], (
            lines
        )


def test_a_condition_that_is_in_doubt_is_told_as_doubted() -> None:
    """ "Cheaper than hire after ten races" stood in no account, and in one that began with it after it was settled."""
    talk = tuple(
        (who, text.replace("if Oskar stays until May", "cheaper than hire after ten races")) for who, text in GIVES_WAY
    )
    for language, told in (
        ("en", "Cleo supported it, perhaps on a condition"),
        ("de", "Cleo war vielleicht unter einer Bedingung für "),
    ):
        for settled in (False, True):
            said = talk if settled else [each for each in talk if each != ("Cleo", "He stays.\n[SUPPORT p7.0]")]
            lines = [line for _, lines in story_words(gave_way(language, said)) for line in lines]
            assert any(line.startswith(told) and "after ten races" in line for line in lines) is not settled
            assert any("Cleo" in line and "(m" in line for line in lines)


@pytest.mark.parametrize(
    ("kind", "quote", "told"),
    [
        ("reasons", "cheaper than hire after ten races", []),
        (
            "risks",
            "cheaper than hire after ten races",
            ["Cleo gave that up in m12"],
        ),
        ("reasons", "if Oskar stays until May", ["Cleo set no such condition any more in m12"]),
    ],
)
def test_what_was_perhaps_a_condition_is_its_author_s_reason_once_it_is_none(
    kind: str, quote: str, told: list[str]
) -> None:
    """A true reason was left out: "Dana set no such condition any more", who had never set one."""
    here = voted(tuple((who, text.replace("if Oskar stays until May", quote)) for who, text in GIVES_WAY))
    report = report_of(here.session, here.progress, here.memory)
    answer = {kind: [{"message": 10, "quote": quote}]}
    made = checked(answer, Quotes(messages_of(here.session), here.memory.acts), "m", held_of(report, here.memory))
    assert [fact_words(fact, ENGLISH) for (fact,) in made.contradicted] == told
    assert len(getattr(made, kind)) == (not told)


@pytest.mark.parametrize("states", [False, True])
def test_a_reason_of_which_a_part_alone_is_the_condition_stands(states: bool) -> None:
    """All of it was perhaps the condition until its author said which words are; it stayed no reason."""
    said = "a clear exit plan and you have me"
    talk = [
        (who, text.replace("if Oskar stays until May", said))
        for who, text in GIVES_WAY
        if text != "He stays.\n[SUPPORT p7.0]"
    ]
    here = Told(talk=talk)
    (act,) = (act for act in here.memory.acts(10) if act.kind == "support")
    assert act.doubt
    if states:
        move = Move("support", "if the exit plan is clear", "p7.0")
        here.tell(LineAnswered(who="Cleo", message=10, answer="asked", moves=(move,)))
    report = report_of((here := voted((), here)).session, here.progress, here.memory)
    answer = {"reasons": [{"message": 10, "quote": act.condition}]}
    made = checked(answer, Quotes(messages_of(here.session), here.memory.acts), "m", held_of(report, here.memory))
    assert len(made.reasons) == states


GONE, IDLE = ["given up"], ["no act"]


@pytest.mark.parametrize(
    ("kind", "message", "quote", "why"),
    [
        ("reasons", 11, "it keeps July", []),
        ("reasons", 8, "a wrong invoice costs us more", GONE),
        ("reasons", 10, "if Oskar stays until May", GONE),
        ("reasons", 2, "I look at the tests.", IDLE),
        ("reasons", 8, "Not so.", GONE),
        ("risks", 8, "a wrong invoice costs us more", GONE),
        ("open", 8, "a wrong invoice costs us more", ["no question"]),
        ("reasons", 13, "I was rash.", IDLE),
    ],
)
def test_what_an_author_gave_up_is_none_of_its_reasons_and_no_risk(
    kind: str, message: int, quote: str, why: list[str]
) -> None:
    """A report's model chose as a reason what its author had said while it was against the text."""
    told = voted(GIVES_WAY)
    report = report_of(told.session, told.progress, told.memory)
    answer = {kind: [{"message": message, "quote": quote}]}
    made = checked(answer, Quotes(messages_of(told.session), told.memory.acts), "m", held_of(report, told.memory))
    assert [fact.kind for (fact,) in made.contradicted] == why
    # Who supports the text without its condition has given up no support.
    assert [fact.deed for (fact,) in made.contradicted] == ["condition" * quote.startswith("if ")] * bool(why)
    assert len(getattr(made, kind)) == (not why)


def test_the_reason_of_a_support_stands_beside_what_its_message_takes_back() -> None:
    """ "The band gets its bass without waiting" was left out: its message took an opposition back, and supported."""
    turns = "Well.\n[WITHDRAW my opposition to p7.0] they are checked\n[SUPPORT p7.0] the clerks get their summer"
    told = voted((*GIVES_WAY[:-1], ("Eve", turns)))
    report = report_of(told.session, told.progress, told.memory)
    answer = {"reasons": [{"message": 13, "quote": "the clerks get their summer"}]}
    made = checked(answer, Quotes(messages_of(told.session), told.memory.acts), "m", held_of(report, told.memory))
    assert (len(made.reasons), made.contradicted) == (1, ())


def test_who_supports_a_text_on_the_way_gave_no_reason_up_before_its_objection_to_another_ended() -> None:
    """A true reason of a joined text was left out: its author opposed a part until it supported the next wording."""
    talk = (
        *GIVES_WAY[:2],
        ("Cleo", "[PROPOSE Two days] We take two days for it."),
        *GIVES_WAY[3:6],
        ("Ada", "[AMEND p1.0 p3.0 Move in two days] We move it in two days."),
        ("Ben", "Now it holds.\n[SUPPORT p7.0] two days are enough"),
        ("Ada", f"[AMEND p7.0 Move with tests] {TESTED}"),
        ("Ben", "Better still.\n[SUPPORT p9.0] the suite covers it"),
    )
    told = voted(talk)
    report = report_of(told.session, told.progress, told.memory)
    quotes, held = Quotes(messages_of(told.session), told.memory.acts), held_of(report, told.memory)
    for message, quote, why in ((8, "two days are enough", []), (6, "nobody would trust the comparison", GONE)):
        made = checked({"reasons": [{"message": message, "quote": quote}]}, quotes, "m", held)
        assert [fact.kind for (fact,) in made.contradicted] == why


def test_a_correction_of_adopted_words_stands_behind_the_vote_for_them() -> None:
    """ "3. Zoe reworded p12.0" stood before "5. Walter reworded the motion as p12.0" and "6. Ballot: p12.0"."""
    told, (version, text) = voted(GIVES_WAY), ("p13.0", f"{TESTED} By May.")
    told.tell(MemoryCorrected(item="p7.0", was=TESTED, text=text, by="Zoe", after=13, version=version))
    offered = tuple(BallotText(id=each, motion="p1.0", text=of) for each, of in (("p7.0", TESTED), (version, text)))
    told.tell(PhaseStarted(phase="ballot"))
    for who in ("Ada", "Ben", "Cleo", "Dan", "Eve"):
        ballot = Ballot(agent=who, choice=text, ranking=(text,), approved=(text,))
        told.tell(BallotCast(ballot=ballot, choices=(TESTED, text), texts=offered))
    told.tell(verdict_of(told.progress, told.memory))
    report = report_of(told.session, told.progress, told.memory)
    assert [step.text or step.kind for step in report.story][-3:] == ["vote", version, "vote"]


def test_dissent_and_reasons_are_held_against_what_their_authors_still_declare_where_nothing_was_decided() -> None:
    """Words of a message whose stance was withdrawn stood in a report without a winner."""
    talk = (
        *GIVES_WAY,
        ("Dan", "Who signs is open.\n[SUPPORT o2] nobody works at Easter\n[OPPOSE o1] the lift is broken again"),
        ("Dan", "Hm.\n[WITHDRAW my support of o2]"),
    )
    told = Told(talk=talk)
    told.tell(PhaseStarted(phase="ballot"))
    for who, choice in zip(("Ada", "Ben", "Cleo", "Dan", "Eve"), (*CHOICES, *CHOICES, NONE), strict=True):
        told.tell(BallotCast(ballot=Ballot(agent=who, choice=choice), choices=CHOICES, texts=GIVEN))
    told.tell(verdict_of(told.progress, told.memory))
    report = report_of(told.session, told.progress, told.memory)
    assert report.counted.reached.outcome is None
    for kind, message, quote, why in (
        ("reasons", 14, "nobody works at Easter", GONE),
        ("dissent", 14, "nobody works at Easter", GONE),
        ("dissent", 14, "the lift is broken again", []),
        ("reasons", 8, "a wrong invoice costs us more", GONE),
        ("dissent", 8, "a wrong invoice costs us more", GONE),
        ("reasons", 3, "I look at the code.", []),
        ("reasons", 11, "it keeps July", []),
    ):
        answer = {kind: [{"message": message, "quote": quote}]}
        made = checked(answer, Quotes(messages_of(told.session), told.memory.acts), "m", held_of(report, told.memory))
        assert [fact.kind for (fact,) in made.contradicted] == why, (kind, quote)


@pytest.mark.parametrize(("choice", "why"), [("We wait until the tests are through.", []), (NONE, GONE)])
def test_the_reason_for_a_text_is_dissent_where_its_author_votes_for_another_wording_of_it(
    choice: str, why: list[str]
) -> None:
    """Jonas gave his support of the barn up for a newer wording of it, voted for that, and had no dissent."""
    later = "We wait until the tests are through."
    waits = (
        ("Dan", f"Well.\n[SUPPORT o2] nobody works at Easter\n[AMEND o2 Wait] {later}"),
        ("Dan", "Hm.\n[WITHDRAW my support of o2] it comes second"),
    )
    told = Told(talk=(*GIVES_WAY, *waits))
    told.tell(PhaseStarted(phase="ballot"))
    offered = (
        *GIVEN,
        BallotText(id="p7.0", motion="p1.0", text=TESTED, by="Ada"),
        BallotText(id="p14.0", motion="o2", text=later, by="Dan"),
    )
    for who in ("Ada", "Ben", "Cleo", "Dan", "Eve"):
        ballot = Ballot(agent=who, choice=choice if who == "Dan" else TESTED)
        told.tell(BallotCast(ballot=ballot, choices=(*CHOICES, TESTED, later), texts=offered))
    told.tell(verdict_of(told.progress, told.memory))
    report = report_of(told.session, told.progress, told.memory)
    answer = {"dissent": [{"message": 14, "quote": "nobody works at Easter"}]}
    made = checked(answer, Quotes(messages_of(told.session), told.memory.acts), "m", held_of(report, told.memory))
    assert [fact.kind for (fact,) in made.contradicted] == why


def test_a_false_quotation_stands_last_and_whose_a_message_is_that_it_names_beside_it() -> None:
    """The only dissent of a report was "Tilly is against the gym", which she was for; another had taken m8 back."""
    told = voted((*GIVES_WAY, ("Dan", "As I said in m4, the money comes first.")))
    quotes = ("Ben is against it, he said so in m9.", "All agreed in m8.", "It holds.")
    places = zip((4, 4, 2), quotes, ("Dan", "Dan", "Ben"), strict=True)
    told.tell(ReportWritten(by="m", risks=tuple(Cited("", at, quote, who) for at, quote, who in places)))
    report = report_of(told.session, told.progress, told.memory)
    assert [(each.quote, each.text) for each in report.risks] == [
        (quotes[1], "m8 is by Eve. Dan comes back to m4 in m14"),
        (quotes[2], ""),
        (quotes[0], "By the record Ben supported p7.0 (m9). Dan comes back to m4 in m14"),
    ]


def test_a_reason_in_prose_stands_where_a_ballot_names_its_message() -> None:
    told = voted(GIVES_WAY, moved_by=4)
    report = report_of(told.session, told.progress, told.memory)
    held, quotes = held_of(report, told.memory), Quotes(messages_of(told.session), told.memory.acts)
    rows = [{"message": 4, "quote": "I look at the money."}, {"message": 5, "quote": "I look at the invoices."}]
    assert [each.message for each in checked({"reasons": rows}, quotes, "m", held).reasons] == [4]


def test_a_support_on_a_condition_stands_apart_with_its_condition_in_the_table_of_stances() -> None:
    """Cleo's "if Oskar stays" was shown as a position for the text, as if she had set no condition."""
    told = voted(GIVES_WAY)
    report = report_of(told.session, told.progress, told.memory)
    columns, _ = stances(told.session.events(), told.memory, report.texts)
    (talk,) = (column.marks["Cleo"] for column in columns if not column.private)
    assert [(mark.label, mark.kind, mark.title) for mark in talk] == [
        ("p7.0", "if", "if Oskar stays until May"),
        ("p7.0", "text", "p7.0"),
    ]
    page = report_html(report, told.session, told.memory).partition('id="stances"')[2]
    assert re.search(r'class="mark if"[^>]*><span>p7.0: if Oskar stays until May</span>', page)
    assert f'<span class="mark if"><span>…</span></span>{ENGLISH.say("table-stance", stance="conditional")}' in page


@pytest.mark.parametrize(
    ("between", "marks"),
    [
        ("Hm.", [("o2", "text"), ("p7.0", "if"), ("p7.0", "text")]),
        ("Hm.\n[SUPPORT o1]", [("o2", "text"), ("p7.0", "if"), ("o1", "text")]),
    ],
)
def test_a_condition_taken_back_is_a_mark_behind_that_condition(between: str, marks: list[tuple[str, str]]) -> None:
    """Nils took his condition back, held another text as position since m4, and was shown as for it on terms only."""
    lifts = "He stays.\n[WITHDRAW my condition on p7.0] he stays"
    told = voted(
        (*GIVES_WAY[:2], ("Cleo", "Code.\n[POSITION] o2"), *GIVES_WAY[3:-2], ("Cleo", between), ("Cleo", lifts))
    )
    report = report_of(told.session, told.progress, told.memory)
    columns, _ = stances(told.session.events(), told.memory, report.texts)
    (talk,) = (column.marks["Cleo"] for column in columns if not column.private)
    assert [(mark.label, mark.kind) for mark in talk] == marks


WANDERS = (
    *GIVES_WAY,
    ("Ben", "Wait and fix the test suite first costs the least. After all, o2 needs nobody."),
    ("Dan", "Who signs is open.\n[SUPPORT o2] nobody works at Easter\n[OPPOSE o1] the lift is broken again"),
    ("Ada", "Still, p7.0 costs less than o2 does."),
    ("Eve", "Well.\n[SUPPORT p1.0] unlike o2 it costs us no winter"),
    ("Cleo", "Two dates suit me. I am for p7.0, since the code gets a home."),
    ("Ben", "Hm.\n[WITHDRAW my support for p7.0]"),
    ("Dan", "The suite is an old friend of mine."),
    ("Eve", "Wait for o2, if you like. The clerks would be bored."),
    ("Dan", "p7.0 is quick.\nAs to o2, we know it. Nobody likes it.\nThe lift holds."),
    ("Eve", "The lift never came back.\n[OPPOSE o1] it is slow"),
    ("Cleo", "Unlike o2 it is short. Oskar stays until May.\n[SUPPORT p7.0] it keeps July"),
    ("Eve", "Nobody has tried what m7 says. Nobody has tried it.\n[OPPOSE o2] it is late"),
    ("Dan", "A frost in January costs us 1600 euros.\n[OPPOSE o1] it is slow\n[SUPPORT o2] it is late"),
)
OTHER, BACK = ["other text"], ["taken back"]


@cache
def wandered(moved_by: int | None) -> tuple[Quotes, Held]:
    """Return what a report of that talk is held against, where one message moved all who vote."""
    told = Told(talk=WANDERS)
    support = (Move("support", WANDERS[17][1], "p7.0"),)
    told.tell(LineAnswered(who="Cleo", message=18, answer="yes", moves=support))
    told.tell(LineAnswered(who="Cleo", message=18, answer="taken back", moves=support))
    told = voted((), told, moved_by)
    report = report_of(told.session, told.progress, told.memory)
    held = held_of(report, told.memory)._replace(refusers=("Dan",))
    return Quotes(messages_of(told.session), told.memory.acts), held


@pytest.mark.parametrize(
    ("kind", "message", "quote", "why"),
    [
        ("reasons", 14, "After all, o2 needs nobody.", OTHER),
        ("reasons", 14, "Wait and fix the test suite first costs the least.", OTHER),
        ("risks", 14, "After all, o2 needs nobody.", OTHER),
        ("open", 14, "After all, o2 needs nobody.", ["no question"]),
        ("open", 15, "Who signs is open.", []),
        ("reasons", 15, "nobody works at Easter", OTHER),
        ("risks", 15, "nobody works at Easter", OTHER),
        ("dissent", 15, "nobody works at Easter", []),
        ("dissent", 15, "the lift is broken again", OTHER),
        ("risks", 15, "the lift is broken again", OTHER),
        ("reasons", 16, "Still, p7.0 costs less than o2 does.", []),
        ("reasons", 17, "unlike o2 it costs us no winter", []),
        ("reasons", 18, "I am for p7.0, since the code gets a home.", BACK),
        ("risks", 18, "I am for p7.0, since the code gets a home.", BACK),
        ("reasons", 18, "Two dates suit me.", IDLE),
        ("reasons", 9, "the suite covers it", GONE),
        ("reasons", 11, "it keeps July", []),
        ("reasons", 20, "The suite is an old friend of mine.", IDLE),
        ("risks", 20, "The suite is an old friend of mine.", []),
        ("reasons", 21, "The clerks would be bored.", OTHER),
        ("risks", 21, "The clerks would be bored.", []),
        ("risks", 22, "Nobody likes it.", []),
        ("reasons", 22, "The lift holds.", []),
        ("reasons", 23, "The lift never came back.", []),
        ("risks", 23, "The lift never came back.", []),
        ("reasons", 24, "Oskar stays until May.", []),
        ("risks", 25, "Nobody has tried what m7 says.", []),
        ("risks", 25, "Nobody has tried it.", []),
        ("risks", 26, "A frost in January costs us 1600 euros.", []),
    ],
)
def test_what_is_about_another_text_or_was_taken_back_is_no_reason_of_the_text_decided(
    kind: str, message: int, quote: str, why: list[str]
) -> None:
    """ "Nell: I support Share the school hall", taken back since, stood among the reasons for another text.

    So did "The clerks would be bored", of a message on another text alone. The last four messages are what moved.
    """
    answer = {kind: [{"message": message, "quote": quote}]}
    quotes, held = wandered(message if message > 20 else None)
    made = checked(answer, quotes, "m", held)
    assert [fact.kind for (fact,) in made.contradicted] == why
    assert len(getattr(made, kind)) == (not why)
    words = [fact_words(fact, each) for (fact,) in made.contradicted for each in (ENGLISH, Words("de"))]
    assert [w for w in words if not ("m" in w or "o2" in w or "o1" in w)] == []


@pytest.mark.parametrize(
    ("message", "quote", "told"),
    [
        (20, "The suite is an old friend of mine.", ""),
        (23, "The lift never came back.", "In a message on “{o1}” (o1): "),
        (24, "Oskar stays until May.", ""),
    ],
)
def test_a_risk_of_a_message_on_other_texts_alone_stands_with_these(message: int, quote: str, told: str) -> None:
    """Deep water at dusk, the gravest risk of the late lake that won, was left out: its message put the early one.

    Of a roof that lost nobody shall think that it was decided, either: the message is named with its text.
    """
    each = voted((), Told(talk=WANDERS), message)
    each.tell(ReportWritten(by="m", risks=(Cited("", message, quote, WANDERS[message - 1][0]),)))
    report = report_of(each.session, each.progress, each.memory)
    texts = {text.id: text.text for text in report.texts}
    line = cited_line(report.risks[0], ENGLISH, "risks").plain
    assert line == f"{told.format_map(texts)}{WANDERS[message - 1][0]}: “{quote}” (m{message})"


@pytest.mark.parametrize(
    "quote",
    [
        "I no longer support o2; p7.0 has what I need.",
        "Ada, your m7 has moved me, and I take back my support of o2.",
        "the suite of p7.0 covers it",
    ],
)
def test_a_reason_stands_that_takes_back_another_text_in_the_same_sentence(quote: str) -> None:
    """ "I no longer support the supper; I support p5.0" was left out as about the supper.

    So was why a side on an option was taken back, "the fence of p5.0 keeps them out", where p5.0 was decided.
    """
    why = quote if quote.startswith("the") else ""
    said = quote * (not why)
    talk = ("Dan", "Hm.\n[SUPPORT o2]"), ("Dan", f"{said or 'So.'}\n[WITHDRAW my support of o2] {why}\n[SUPPORT p7.0]")
    told = voted((*GIVES_WAY, *talk))
    held = held_of(report_of(told.session, told.progress, told.memory), told.memory)
    answer = {"reasons": [{"message": 15, "quote": quote}]}
    made = checked(answer, Quotes(messages_of(told.session), told.memory.acts), "m", held)
    assert ([*made.contradicted], len(made.reasons)) == ([], 1)


def test_a_risk_of_a_wording_that_was_not_decided_is_none_of_the_one_decided() -> None:
    """ "The cold frame has no offer", why a member was undecided on a later wording, was a risk of the earlier."""
    later = (
        ("Dan", f"So.\n[AMEND p7.0 With a stand-in] {TESTED}, with a stand-in for Oskar."),
        ("Eve", "Hm. The lift may fail us.\n[UNDECIDED p14.0] nobody knows what a stand-in costs"),
        ("Ben", "Hm.\n[SUPPORT p7.0] no stand-in is needed, and the lift is slow"),
    )
    told = voted((*GIVES_WAY, *later))
    held = held_of(report_of(told.session, told.progress, told.memory), told.memory)
    risks = ((15, "nobody knows what a stand-in costs"), (15, "The lift may fail us."), (16, later[2][1][21:]))
    answer = {"risks": [{"message": at, "quote": quote} for at, quote in risks]}
    made = checked(answer, Quotes(messages_of(told.session), told.memory.acts), "m", held)
    assert [(fact.kind, fact.text) for (fact,) in made.contradicted] == [("other text", "p14.0")]
    assert [each.message for each in made.risks] == [15, 16]


def test_an_open_question_has_where_who_asked_it_comes_back_to_it() -> None:
    """ "In m10 you answer my question of m3", by who asked, stood nowhere beside the question."""
    told = voted((*GIVES_WAY, ("Dan", "Who pays for it?"), ("Dan", "Ben, in m9 you answered my question of m14.")))
    told.tell(ReportWritten(by="m", open=(Cited("", 14, "Who pays for it?", "Dan"),)))
    assert "Dan comes back to m14 in m15" in [
        each.text for each in report_of(told.session, told.progress, told.memory).open
    ]


@pytest.mark.parametrize(
    ("language", "ends"),
    [
        (
            "en",
            (
                "for “Move with tests” (p7.0) since m9: “the suite covers it”)",
                "(m8; taken back in m13: “the invoices are checked twice”)",
                "(m10; for it without a condition since m12)",
            ),
        ),
        (
            "de",
            (
                "seit m9 für „Move with tests“ (p7.0): „the suite covers it“)",
                "(m8; in m13 zurückgenommen: „the invoices are checked twice“)",
                "(m10; seit m12 ohne Bedingung für den Text)",
            ),
        ),
    ],
)
def test_how_an_objection_ended_is_worded_in_each_language(language: str, ends: tuple[str, ...]) -> None:
    told = "\n".join(line for head, lines in story_words(gave_way(language)) for line in (head, *lines))
    assert all(each in told for each in ends)


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "for “p7.0” without a condition since m13)."), ("de", "seit m13 ohne Bedingung für „p7.0“).")],
)
def test_support_without_the_condition_set_before_is_told_as_that(language: str, told: str) -> None:
    """ "Hedda set a condition: if the rent is written (m6; for p8.0 since m13)" left open whether it still held."""
    set_before = Stood("Cleo", "support", "", 6, True, "if it is cheap", of="p1.0", ends=(SideEnd("for", 13, "p7.0"),))
    for stood, without in ((set_before, True), (replace(set_before, conditional=False), False)):
        ((line, _), _) = story_lines([StoryStep("vote", against=(stood,))], (), Words(language))
        assert line.endswith(told) is without, line


def test_a_condition_that_was_given_up_is_no_reason_of_the_support_that_followed() -> None:
    """ "for Kit: as long as somebody books the taxi" stood in a verdict after the taxi was booked."""
    assert [(each.reason, each.condition) for each in gave_way().stood if each.who == "Cleo"] == [("", "")]


BUS, TAXI, TAXIS = "We hire the bus", "We book a taxi for the late ones", "We book two taxis for the late ones"
ON_TERMS = (
    *((who, "I listen.") for who in ("Ada", "Ben", "Cleo", "Dan", "Eve")),
    ("Ada", f"So.\n[PROPOSE Bus] {BUS}"),
    ("Ben", "So.\n[SUPPORT p6.0] if it runs on Sunday"),
    ("Cleo", f"Also.\n[PROPOSE Taxi] {TAXI}"),
    ("Dan", "Hm.\n[SUPPORT p8.0] provided that the club pays half\n[SUPPORT p6.0] it is cheap"),
    ("Eve", "No.\n[OPPOSE p8.0] it costs too much"),
    ("Ada", "No.\n[OPPOSE p8.0] nobody will use it"),
    ("Eve", "So.\n[SUPPORT p6.0] if lunch is free"),
    ("Eve", "So.\n[WITHDRAW my condition on p6.0] lunch is free now"),
    ("Ada", "So.\n[WITHDRAW my opposition to p8.0] two have asked for it"),
)


def on_terms(language: str = "en", talk: Sequence[tuple[str, str]] = ON_TERMS, *, both: bool = False) -> Report:
    told = Told(talk=talk, options=())
    told.tell(PhaseStarted(phase="ballot"))
    last, beside = [text for text in told.memory.proposals if text.status == "active"]
    texts = tuple(
        BallotText(id=text.id, motion=text.id, text=text.content, title=text.title) for text in (last, beside)
    )
    for who in ("Ada", "Ben", "Cleo", "Dan", "Eve"):
        takes = [last.content] if who == "Eve" or not both else [last.content, beside.content]
        also = () if who == "Eve" or both else (beside.content,)
        moved = 1 if who == "Cleo" else None
        ballot = Ballot(agent=who, choice=takes[0], ranking=(*takes,), approved=(*takes,), also=also, moved_by=moved)
        words = tuple(text.text for text in texts)
        told.tell(BallotCast(ballot=ballot, choices=words, texts=texts, answer="list" if both else "one"))
    told.tell(verdict_of(told.progress, told.memory))
    return report_of(told.session, told.progress, told.memory, language)


@pytest.mark.parametrize("both", [False, True])
def test_who_objects_to_a_text_and_wants_it_beside_the_answer_does_not_accept_it_as_one(both: bool) -> None:
    """ "Maya set a condition for it (accepts it on the ballot)" stood of who refused it as the answer."""
    report = on_terms(both=both)
    ends = {(each.who, each.of): [end.kind for end in each.ends] for step in report.story for each in step.against}
    assert ends["Dan", "p8.0"] == ["ballot" if both else "beside"]
    assert ends["Ben", "p6.0"] == ["ballot"]


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize(
    ("language", "sentences", "ends"),
    [
        (
            "en",
            (
                "Ben supported {0}p6.0{1} on a condition: “if it runs on Sunday” (m7).",
                "Dan supported “Taxi” (p8.0) on a condition: “provided that the club pays half” (m9).",
                "Eve spoke against “Taxi” (p8.0): “it costs too much” (m10).",
            ),
            (
                "; for it without a condition since m13: “lunch is free now”).",
                "; taken back in m14: “two have asked for it”).",
            ),
        ),
        (
            "de",
            (
                "Dan war nur unter einem Vorbehalt für „Taxi“ (p8.0)",
                "Eve sprach gegen „Taxi“ (p8.0): „it costs too much“ (m10).",
            ),
            (
                "; seit m13 ohne Bedingung für den Text: „lunch is free now“).",
                "; in m14 zurückgenommen: „two have asked for it“).",
            ),
        ),
    ],
)
def test_what_was_declared_on_each_text_adopted_stands_beside_the_verdict_or_in_the_account(
    language: str, sentences: tuple[str, ...], ends: tuple[str, ...], *, both: bool
) -> None:
    """Conditions on a measure adopted beside, or in a list, and opposition to it stood in neither."""
    report = on_terms(language, both=both)
    told = "\n".join(report.verdict)
    named = ("“Bus” (", ")") if both else ("", "")
    assert [each.format(*named) in told for each in sentences] == [True] * len(sentences), told
    lines = "\n".join(line for head, below in story_words(report) for line in (head, *below))
    assert [each in lines for each in ends] == [True] * len(ends), lines
    assert {each.of for each in report.stood} == ({"p6.0", "p8.0"} if both else {"", "p8.0"})


def test_what_moved_an_author_to_the_answer_is_nothing_on_which_its_text_beside_rests() -> None:
    """ "Rests on m11 and 4 more" counted m6, which had moved the author of p11.0 to o2, and is not about p11.0."""
    behind = {row.id: row.behind for row in on_terms().counted.rows}
    assert (1 in behind["p6.0"], behind["p8.0"]) == (True, (8, 9))


def test_who_wants_not_all_that_stands_beside_the_answer_agrees_with_the_outcome() -> None:
    """Of who agrees nothing of the talk is told that would change its mind; with a list who leaves one out does not."""
    talk = (*ON_TERMS, ("Eve", "I would change my mind the day a train stops here."))
    assert on_terms(talk=talk).minds == ()
    assert [(each.who, each.message) for each in on_terms(talk=talk, both=True).minds] == [("Eve", 15)]


def test_who_opposed_an_older_wording_of_a_side_measure_is_not_told_to_accept_the_answer_for_it() -> None:
    """ "Eve opposed Taxi (accepts Bus on the ballot)": she accepts no wording of it."""
    talk = (*ON_TERMS[:10], ("Cleo", f"So.\n[AMEND p8.0 Taxis] {TAXIS}"))
    (against,) = [each for step in on_terms(talk=talk).story for each in step.against if each.who == "Eve"]
    assert (against.of, against.ends) == ("p8.0", ())


COVERS = "the suite covers it now"
BACK_8 = f"[WITHDRAW my opposition to p1.0] {COVERS}"
TERMS_6 = (*GIVES_WAY[:5], ("Ben", "So.\n[SUPPORT p1.0] if the suite covers month end"), GIVES_WAY[6])
MET_8 = f"[WITHDRAW my condition on p1.0] {COVERS}"
OWN, WIDER = "three months compare more", "[SUPPORT p7.0] three months compare more"
MOVES = (("Ben", "So.\n[UNDECIDED p7.0] who reads it?"), ("Ben", "So.\n[OPPOSE p7.0] nobody reads it"))


@pytest.mark.parametrize(
    ("talk", "ends"),
    [
        ((("Ben", f"So.\n{BACK_8}\n[SUPPORT p7.0]"),), [("back", 8, "p1.0", COVERS), ("for", 8, "p7.0", "")]),
        (
            (("Ben", f"So.\n{BACK_8}"), ("Ben", f"So.\n{WIDER}")),
            [("back", 8, "p1.0", COVERS), ("for", 9, "p7.0", OWN)],
        ),
        ((("Ben", f"So.\n{BACK_8}\n{WIDER}"),), [("back", 8, "p1.0", COVERS), ("for", 8, "p7.0", OWN)]),
        (
            (("Ben", f"So.\n{BACK_8}\n[SUPPORT p7.0] if Oskar stays"), ("Ben", f"So.\n{WIDER}")),
            [("back", 8, "p1.0", COVERS), ("for", 9, "p7.0", OWN)],
        ),
        ((("Ben", f"So.\n{WIDER}"), ("Ben", f"So.\n{BACK_8}")), [("for", 8, "p7.0", OWN), ("back", 9, "p1.0", COVERS)]),
        ((("Ben", f"So.\n{BACK_8}"), ("Ben", "No.\n[OPPOSE p1.0] it is late")), [("ballot", 0, "p7.0", "")]),
        ((MOVES[0],), [("undecided", 8, "p7.0", "who reads it?"), ("ballot", 0, "p7.0", "")]),
        ((("Ben", f"So.\n{WIDER}"), *MOVES, ("Ben", "So.\n[SUPPORT p7.0]")), [("for", 11, "p7.0", "")]),
    ],
)
def test_each_end_of_an_objection_stands_with_its_own_message_and_words(
    talk: tuple[tuple[str, str], ...], ends: list[tuple[str, int, str, str]]
) -> None:
    """The reason of a withdrawal in m8 stood under a support of m12; who is undecided since stood as opposed."""
    told = gave_way(talk=(*GIVES_WAY[:7], *talk)).story
    (ben, *_) = [each for step in told for each in step.against if each.who == "Ben" and each.of == "p1.0"]
    assert [(end.kind, end.message, end.text, end.why) for end in ben.ends] == ends


@pytest.mark.parametrize("together", [True, False])
def test_the_end_of_a_condition_stands_with_its_own_message_and_words(*, together: bool) -> None:
    """ "For p7.0 since m10" had the reason for which the condition on p5.0 was taken back; so did m11 that of m8."""
    talk = [("Ben", f"So.\n{MET_8}\n{WIDER}")] if together else [("Ben", f"So.\n{MET_8}"), ("Ben", f"So.\n{WIDER}")]
    report = gave_way(talk=(*TERMS_6, *talk))
    ends = [end for one, end in ends_of(report.story) if one.who == "Ben"]
    last = 8 if together else 9
    assert ends == [SideEnd("back", 8, "p1.0", COVERS), SideEnd("for", last, "p7.0", OWN)]
    lines = [line for head, below in story_words(report) for line in (head, *below)]
    told = f"(m6; taken back in m8: “{COVERS}”; for “Move with tests” (p7.0)"
    assert any(f"{told} without a condition since m{last}: “{OWN}”)." in line for line in lines), lines


def test_the_lines_below_the_tenth_step_of_an_account_stand_in_its_list() -> None:
    """They had three columns, and "10. " takes four: the list ended there, and began anew."""
    report = gave_way()
    text = report_markdown(replace(report, story=(*report.story,) * 4)).partition("## How it came to this")[2]
    told = MarkdownIt().parse(text.partition("\n## ")[0])
    (whole,) = (each for each in told if each.type == "ordered_list_open")
    steps = sum((each.type, each.level) == ("list_item_open", whole.level + 1) for each in told)
    assert steps > 10
    assert {each.level for each in told if each.type == "bullet_list_open"} == {whole.level + 2}


def test_who_accepts_a_text_that_nobody_puts_first_is_named_in_the_table_of_the_vote() -> None:
    """ "Accept it 1" stood beside an empty "By whom"."""
    told = Told(talk=())
    told.tell(PhaseStarted(phase="ballot"))
    for who in ("Ada", "Ben", "Cleo"):
        takes = (MOVE, WAIT) if who == "Ben" else (MOVE,)
        ballot = Ballot(agent=who, choice=MOVE, ranking=takes, approved=takes)
        told.tell(BallotCast(ballot=ballot, choices=CHOICES, texts=GIVEN))
    told.tell(verdict_of(told.progress, told.memory))
    rows = report_markdown(report_of(told.session, told.progress, told.memory)).splitlines()
    cells = {row.split("|")[1].strip(" *"): [each.strip() for each in row.split("|")] for row in rows if row[:1] == "|"}
    (kept,) = (row for name, row in cells.items() if name.startswith(WAIT[:20]))
    (moved,) = (row for name, row in cells.items() if name.startswith(MOVE[:20]))
    assert ("1: Ben" in kept, "3" in moved) == (True, True), cells


def test_a_condition_alone_is_no_reason_for_a_text() -> None:
    """ "if Oskar stays until May" stood as why Cleo is for it, and could be chosen as a reason by a report's model."""
    told = voted(GIVES_WAY[:-2])
    report = report_of(told.session, told.progress, told.memory)
    assert {each.who: each.quote for each in report.backing}["Cleo"] == ""
    assert any(line.startswith("Cleo supported it on a condition: “if Oskar stays") for line in report.verdict)
    answer = {"reasons": [{"message": 10, "quote": "if Oskar stays until May"}]}
    made = checked(answer, Quotes(messages_of(told.session), told.memory.acts), "m", held_of(report, told.memory))
    assert [(fact.kind, fact.deed, fact.text) for (fact,) in made.contradicted] == [("deed", "support-if", "p7.0")]


def test_a_condition_that_may_go_on_for_a_newer_wording_stands_beside_the_verdict() -> None:
    """A bare support of the newer text has no reason of its own, and its condition was told nowhere."""
    talk = [*GIVES_WAY[:6], GIVES_WAY[6], ("Ben", "So.\n[SUPPORT p7.0]")]
    talk[5] = ("Ben", "So.\n[SUPPORT p1.0] if the suite covers month end")
    assert (
        "Ben supported it, perhaps on a condition: “if the suite covers month end” (m8)." in gave_way(talk=talk).verdict
    )


def test_who_had_no_first_vote_is_not_told_to_have_switched() -> None:
    """A person who abstained at first, and voted in the end, "switched"."""
    helps = example().helped
    first = helps.new[0]
    new = replace(helps, new=(replace(first, before=None), *helps.new[1:]))
    (line,) = brief_line(example().story, new, example().texts, ENGLISH)
    assert f"no single choice at first: {first.who}" in line
    assert ENGLISH.say("story-names", who="Kit", changed="new", by="Ben", at="m8", own=False, against=False).startswith(
        "Kit, with no single choice at first"
    )


@pytest.mark.parametrize("answer", [True, False])
def test_who_puts_a_newer_wording_of_its_first_text_first_has_not_switched(answer: bool) -> None:
    """ "Ben switched, naming m8" stood of who ranked his own amendment first, and other texts behind it otherwise."""
    differs = replace(example().helped.new[0], who="Ben", answer=answer)
    helps = replace(example().helped, differs=(differs,), new=(), reworded=())
    spoken = {8: MessagePosted(number=8, who="Ann", text="So.")}
    (named,) = _named([Ballot(agent="Ben", choice=MOVE, moved_by=8)], helps, (), spoken, ())
    assert (named.who, named.changed) == ("Ben", answer)


def test_what_claims_that_all_agree_is_no_reason_in_the_verdict() -> None:
    """ "the tour is safe, and everybody agrees" stood in a verdict; nobody had asked everybody.

    So did "As Ben said in m4", of a message of Dan's, and a courtesy.
    """
    thanks = ("Eve", "[SUPPORT p7.0] kind regards to all of you")
    talk = (*GIVES_WAY[:-2], ("Dan", "Yes.\n[SUPPORT p7.0] it keeps July, and everybody agrees"), thanks)
    told = Told(talk=talk)
    texts = (*GIVEN, BallotText(id="p7.0", motion="p1.0", text=TESTED, by="Ada"))
    told.tell(PhaseStarted(phase="ballot"))
    said = ("Dan", "We all agree."), ("Ben", "the suite covers it"), ("Ada", "As Ben said in m4, yes."), ("Eve", "")
    for who, reason in said:
        ballot = Ballot(agent=who, choice=TESTED, ranking=(TESTED,), approved=(TESTED,), reason=reason)
        told.tell(BallotCast(ballot=ballot, choices=(*CHOICES, TESTED), texts=texts))
    told.tell(verdict_of(told.progress, told.memory))
    backing = {each.who: each.quote for each in report_of(told.session, told.progress, told.memory).backing}
    assert "all agree" not in backing["Dan"]
    assert "everybody agrees" not in backing["Dan"]
    assert (backing["Ben"], backing["Ada"], backing["Eve"]) == ("the suite covers it", "", "")


@pytest.mark.parametrize(
    ("reason", "moved_by", "told"),
    [
        ("Ben said that it costs 20 euros.", 5, False),
        ("Ben said that it costs 20 euros.", 9, True),
        ("Ada wrote the suite in.", None, True),
    ],
)
def test_a_reason_in_the_verdict_is_not_what_its_ballot_says_of_others(
    reason: str, moved_by: int | None, *, told: bool
) -> None:
    """ "Ben cannot drive at night, and Nils agreed that the coach costs 20 euros" stood there; Nils had not."""
    of = Told(talk=GIVES_WAY)
    of.tell(PhaseStarted(phase="ballot"))
    texts = (*GIVEN, BallotText(id="p7.0", motion="p1.0", text=TESTED, by="Ada"))
    for who in ("Cleo", "Dan", "Eve"):
        ballot = Ballot(agent=who, choice=TESTED, ranking=(TESTED,), reason=reason * (who == "Cleo"), moved_by=moved_by)
        of.tell(BallotCast(ballot=ballot, choices=(*CHOICES, TESTED), texts=texts))
    of.tell(verdict_of(of.progress, of.memory))
    backing = {each.who: each.quote for each in report_of(of.session, of.progress, of.memory).backing}
    assert backing["Cleo"] == reason * told


def test_the_mark_of_a_false_word_is_no_act_of_its_author() -> None:
    """ "1 act recorded, 1 not counted" stood above a support, and below it "not so in m7"."""
    false = ("Dan", "As Eve said in m7, the code is old.\n[SUPPORT p7.0] it keeps July")
    told = voted((*GIVES_WAY, false))
    page = report_html(report_of(told.session, told.progress, told.memory), told.session, told.memory)
    assert "not so in m7" in page.replace('<a href="#m7">m7</a>', "m7")
    assert "not counted" not in page


def test_the_reason_on_a_ballot_is_one_for_what_it_puts_first() -> None:
    """Why somebody preferred the other text was told as a reason for the one that won."""
    told = Told(talk=(*GIVES_WAY[:-2], ("Eve", f"So.\n[AMEND p7.0 With a stand-in] {TESTED}, with a deputy.")))
    texts = (*GIVEN, BallotText(id="p7.0", motion="p1.0", text=TESTED, by="Ada"))
    told.tell(PhaseStarted(phase="ballot"))
    reasons = {"Dan": "it is late", "Ben": "the stand-in", "Ada": "a stand-in", "Eve": "", "Cleo": ""}
    for who, reason in reasons.items():
        ranking = (WAIT, TESTED) if who == "Dan" else (TESTED, WAIT)
        ballot = Ballot(agent=who, choice=ranking[0], ranking=ranking, approved=ranking, reason=reason)
        told.tell(BallotCast(ballot=ballot, choices=(*CHOICES, TESTED), texts=texts))
    told.tell(verdict_of(told.progress, told.memory))
    report = report_of(told.session, told.progress, told.memory)
    backing = {each.who: each.quote for each in report.backing}
    assert (backing["Dan"], backing["Ada"]) == ("it keeps July", "a stand-in")
    assert backing["Ben"] == "the suite covers it", "of what was not decided the ballot has the title"
    assert any(line.startswith("Dan puts ") and line.endswith("first: “it is late” (ballot).") for line in report.rest)


def test_no_changed_vote_is_said_of_first_choices_alone() -> None:
    """ "no vote changed" stood where two ballots accepted other texts than at first."""
    helps = replace(example().helped, new=(), differs=())
    (line,) = brief_line(example().story, helps, example().texts, ENGLISH)
    assert line.endswith("nobody put another answer first in the end.")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Ada put another answer first in the end."),
        ("de", "Ada setzte zuletzt eine andere Antwort an die erste Stelle."),
    ],
)
def test_votes_are_told_as_what_is_counted_of_them(language: str, told: str) -> None:
    """ "3 votes changed" counted a vote that only ranked more, and one that accepts nothing, as another answer."""
    story = Told(talk=(), settings=Settings(rule="borda"))
    last = {"Ada": (WAIT, MOVE), "Ben": (MOVE, WAIT), "Cleo": (), "Dan": (MOVE,)}
    for first, given in ((True, dict.fromkeys(last, (MOVE,))), (False, last)):
        for who, ranking in given.items():
            choice = next(iter(ranking), NONE)
            ballot = Ballot(agent=who, choice=choice, ranking=ranking, approved=ranking)
            story.tell(BallotCast(ballot=ballot, choices=CHOICES, texts=GIVEN, first=first))
        if first:
            story.say(TALK)
            story.tell(PhaseStarted(phase="ballot"))
    story.tell(verdict_of(story.progress, story.memory), SessionEnded(reason="messages"))
    report = report_of(story.session, story.progress, story.memory, language)
    assert [each.who for each in report.helped.differs] == ["Ada", "Ben", "Cleo"]
    (line,) = brief_line(report.story, report.helped, report.texts, Words(language))
    assert line.endswith(f"; {told}")


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_an_author_states_anew_stands_once_below_its_message(language: str) -> None:
    """ "supports p7.0, perhaps on a condition" stayed above "supports p7.0, on a condition": two acts, as it seemed.

    So did "[WITHDRAW p8.0] (not counted)" beside the withdrawal that counts.
    """
    fax = ("Eve", "So.\n[PROPOSE Fax] Send the bills by fax.")
    said = ("Eve", "Well.\n[SUPPORT p7.0] cheaper than hire after ten races")
    told = Told(talk=[*GIVES_WAY[:7], fax, said], settings=Settings(language=language))
    told.say([("Dan", "I see.\n[POSITION] the suite, at once")])
    condition = Move("support", "Oskar stays until May", "p7.0", terms="if")
    back, moves = (Move("withdraw", "it is late", "p8.0"),), (condition, Move("position", "the suite and Oskar"))
    told.tell(LineAnswered(who="Eve", message=9, answer="asked", moves=moves, denied=back))
    assert [act.counted for act in told.memory.below(9) if act.kind == "withdraw"] == [False]
    told.tell(LineAnswered(who="Eve", message=9, answer="asked", moves=back))
    assert [act.counted for act in told.memory.below(9) if act.kind == "withdraw"] == [True]
    sides = [(act.kind, act.on, act.doubt, act.condition, act.why) for act in told.memory.below(9) if act.on == "p7.0"]
    reason = "cheaper than hire after ten races"
    assert sides == [("support", "p7.0", False, "Oskar stays until May", reason)]
    prompt = told.memory.full_context("Ada", 4000).text
    assert "perhaps on a condition" not in prompt
    assert f'supports p7.0, on a condition ("Oskar stays until May"): {reason} (declared when asked)' in prompt
    shown = StringIO()
    page = paper(Console(file=shown, width=400), told.session.started())
    print_part(page, told.session.started(), told.progress, told.memory, told.session.events())
    lines = [" ".join(line.split()) for line in shown.getvalue().splitlines()]
    positions = [line for line in lines if line.startswith(("position: ", "Standpunkt: "))]
    assert [line.partition(": ")[2].partition(" (")[0] for line in positions] == [
        "the suite and Oskar",
        "the suite, at once",
    ]


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_condition_on_the_text_decided_is_an_open_matter_until_it_is_taken_back(language: str) -> None:
    """Dan's key to the hall stood in the verdict alone, as if somebody had it."""
    for talk, left in ((GIVES_WAY, False), ([each for each in GIVES_WAY if "He stays" not in each[1]], True)):
        open_ = [each for each in gave_way(language, talk).open if each.quote == "if Oskar stays until May"]
        assert bool(open_) is left
        told = {"en": "A condition for what was decided", "de": "Eine Bedingung für das Beschlossene"}[language]
        assert all((each.who, each.message, each.text.startswith(told)) == ("Cleo", 10, True) for each in open_)


def test_what_a_question_says_before_it_asks_is_held_against_the_record() -> None:
    """ "Ben, in m6 you said that forty came; who counted them?" stood under the open questions unmarked."""
    asks = "Ben, in m6 you said that nobody would trust the new invoices of Oskar; who told you?"
    told = voted((*GIVES_WAY, ("Dan", f"One thing. {asks}")))
    told.tell(ReportWritten(open=(Cited("", 14, asks, "Dan"),)))
    report = report_of(told.session, told.progress, told.memory)
    assert ["m6" in each.text for each in report.open if each.quote == asks] == [True]
