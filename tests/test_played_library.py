"""What was misread or told wrongly of a debate that was played carefully: each test has the words of it."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO
from types import SimpleNamespace
from typing import cast

import pytest
from played_library import OPTIONS, PLAYED, TALK, TEXTS, ballots, library, report
from rich.console import Console
from told import Told, persona

from eda.cli.tally import print_tally, tally_data
from eda.cli.terminal.transcript import print_minutes
from eda.debate.addressing import Addressing
from eda.debate.driver import Driver
from eda.debate.phases import _gathers
from eda.debate.prompts.slots import asked_in, opened_with
from eda.events import MessagePosted, PhaseStarted, SummaryWritten
from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.state import TRANSCRIPT, Genre, State
from eda.panels.settings import Settings
from eda.report.forms import report_markdown
from eda.report.sections import ballot_lines, page_of
from eda.voting import Account, compare
from eda.voting.choices import slate

FACTS = (
    "Second, a tool takes 12 minutes at the desk.",
    "A tool takes 12 minutes at the desk and a book takes 1.",
    "So I begin with books and media.",
    "I stand with books and media.",
    "Lend where the door is open.",
    "The trial takes a year.",
    "Third, the law takes no account of tools.",
)


def heard(*said: str, genre: Genre = TRANSCRIPT) -> Minutes:
    minutes = Minutes(State())
    minutes.begin(OPTIONS, genre)
    for number, text in enumerate(said, 1):
        minutes.hear(MessagePosted(number=number, who="Gerard", text=text))
    return minutes


@pytest.mark.parametrize("genre", [Genre("debate"), TRANSCRIPT], ids=["debate", "transcript"])
@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_that_names_an_option_is_no_proposal(fact: str, genre: Genre) -> None:
    assert heard(fact, genre=genre).proposals == ()


def test_words_of_will_propose_though_options_are_given() -> None:
    (put,) = heard("I propose the trial, and a deposit of 20 for each tool.").proposals
    assert put.content.startswith("I propose the trial")


def test_no_fact_of_the_played_debate_is_on_its_table() -> None:
    assert {text.id for text in library().memory.proposals} == {"p3.1", "p5.0", "p9.0", "p10.1", "p11.0"}


def shown(told: Told, *, verbose: bool = False) -> str:
    """What `eda show` prints of it in a pipe, or `eda show -v`."""
    out = StringIO()
    of = told.session.started(), told.progress, told.memory, told.session.events()
    print_minutes(Console(file=out, width=2000), *of, verbose=verbose)
    return out.getvalue()


@pytest.mark.parametrize(
    ("number", "first", "all_of_them"), [(6, "Leila", "Sunniva, Leila, Gerard"), (8, "Rosa", "Rosa")]
)
def test_the_first_who_is_asked_is_addressed_and_show_names_all(number: int, first: str, all_of_them: str) -> None:
    """A question to Leila and Gerard was shown as Gerard's, and Leila had the floor for it."""
    who, text = TALK[number - 1]
    names = Addressing([title for title, _ in PLAYED["members"]])
    assert names.find(text, who) == first
    assert ", ".join(names.called(text, who)) == all_of_them
    assert f"m{number} {who}  to {all_of_them}\n" in shown(library())


def test_show_names_whom_a_message_speaks_to_though_it_asks_nobody() -> None:
    """Four messages that spoke to two or three members showed no addressee."""
    text = shown(library())
    assert "m11 Sunniva  to Leila, Gerard, Rosa\n" in text
    assert "m13 Rosa  to Minh, Sunniva\n" in text
    assert "m1 Leila\n" in text, "openings are written blind"


def test_show_has_how_a_summary_begins() -> None:
    told = Told()
    told.tell(SummaryWritten(first=1, last=10, text="Ada wants it out. " * 60, by="bridge"))
    (line,) = (line for line in shown(told, verbose=True).splitlines() if "summed up" in line)
    assert "m1 to m10 summed up, bridge: Ada wants it out. Ada" in line
    assert 400 < len(line) < 560


def tallied() -> str:
    """What `eda show --tally` prints of its ballots in a pipe."""
    out, cast = StringIO(), ballots("last")
    account = Account(cast, texts=TEXTS)
    counts = compare(account, 0, blocks_asked=False)
    data = tally_data(counts, account, members=[who for who, _ in PLAYED["members"]], quorum=0.5)
    print_tally(data, Console(file=out, width=3000))
    return out.getvalue()


def test_a_tally_says_what_became_of_a_text_that_was_joined_and_which_text_is_the_root() -> None:
    """ "p10.1 (another text of p11.0)", "o3 (another text of p11.0)": the one is a part of it, the other the option."""
    text = tallied()
    assert "text\tp10.1 (a wording of o3, taken into p11.0), accepted as the answer by nobody" in text
    assert "text\tp9.0 (a wording of o3, taken into p11.0), accepted as the answer by Leila" in text
    assert "text\to3 (of which p11.0 and p9.0 are other wordings), accepted as the answer by Minh" in text


def test_a_tally_says_where_a_lot_or_a_tie_with_none_decided() -> None:
    """Borda gave `none` as many points as the winner, and nothing said why that one won; nor who went by lot."""
    text = tallied()
    assert "o2 7.5, p3.1 4.5; the winner is level with `none`, which loses ties\t0\t1" in text
    assert "approval, borda (level with `none`), instant-runoff" in text
    assert "instant-runoff\tround 3: o2 and o1 were level, and the lot sent o1 out" in text


def test_the_ballot_lists_a_joined_text_as_taken_into_the_new_one() -> None:
    motions = library().memory.motions
    open_again = [
        replace(each, versions=tuple(replace(text, status="active") for text in each.versions)) for each in motions
    ]
    offered = slate(PLAYED["question"], OPTIONS, open_again).texts
    assert {text.id: text.into for text in offered if text.into} == {"p9.0": "p11.0", "p10.1": "p11.0"}


def test_each_opponent_has_the_reason_and_the_verdict_says_what_one_vote_would_change() -> None:
    """The condition that would bring Gerard in stood nowhere in the verdict: "also Gerard"."""
    page = page_of(report())
    against = {line.who: line.text for line in page["verdict"] if line.kind == "against"}
    assert against["Gerard"].startswith("“I would sign")
    assert "1 changed vote would have made no verdict." in [line.text for line in page["sure"]]


def test_a_condition_stands_once_and_says_where_it_was_said() -> None:
    """Four lines had one condition, one of them "(asked in private)" though nobody had asked."""
    text = report_markdown(report())
    assert text.count("I would sign p11.0 if the insurer's letter came before the signature under the grant") == 1
    assert "- Against: **Gerard**: “I would sign p11.0" in text
    assert "Would persuade" not in text


def test_who_keeps_the_motion_and_changes_the_wording_is_told_apart() -> None:
    helps = report().helped
    assert {*helps.stayed} - {each.who for each in helps.reworded} == {"Gerard", "Rosa"}
    assert ("Minh", "o3", "p11.0", 11) in [(e.who, e.before_id, e.after_id, e.moved_by) for e in helps.reworded]


def test_what_is_wanted_beside_the_answer_is_a_wish_and_a_part_of_it_is_named() -> None:
    """ "Leila adopts p10.1 beside it": one voter adopts nothing, and p10.1 is a part of what was decided."""
    text = shown(library(), verbose=True)
    assert "Would also adopt p3.1, p10.1 (part of p11.0)." in text
    assert any("(part of p11.0)" in told for _, told in ballot_lines(report()))
    assert re.search(r"votes 3 for “[^”]{20,70}” \(p11.0\)", text)
    assert "1 for “Lend tools from the main branch” (o1) (Rosa)" in text, "each text stands in quotation marks"


def test_a_position_that_is_an_id_has_the_first_words_of_its_text() -> None:
    """ "## Your last position - "o1"" told a member nothing."""
    memory = library().memory
    assert '- "o1: Lend tools from the main branch"' in memory.full_context("Rosa").text
    assert opened_with("Leila", library().progress, memory).count("Keep to books and media") == 1, "one choice, once"


def test_who_was_asked_is_told_by_whom_and_where() -> None:
    told = Told(talk=TALK[:6], members=tuple(persona(title, role) for title, role in PLAYED["members"]))
    told.progress.last = MessagePosted(number=6, who="Rosa", text=TALK[5][1], to="Leila")
    told.tell(PhaseStarted(phase="discussion", why="done"))

    def asked() -> set[str]:
        return {
            who for who, _ in PLAYED["members"] if "Rosa asks you in m6." in asked_in(who, told.progress, told.memory)
        }

    assert asked() == {"Leila", "Gerard"}
    told.tell(MessagePosted(number=7, who="Minh", text="I bake."))
    assert asked() == {"Leila", "Gerard"}, "a question stands until who was asked has spoken"
    told.tell(MessagePosted(number=8, who="Leila", text="Rosa, I would lend them."))
    assert asked() == {"Gerard"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "Leila, you split the loan in two. I fear for the books. Are both kept in one room? I am against it.",
            "Minh speaks to you in m7, and asks something.",
        ),
        ("Leila, you split the loan. Gerard, so do you. Are both kept in one room?", ""),
        ("Leila, you split the loan in two. I am against it.", ""),
        ('Leila, you are right. The offer says "are both kept in one room?" at its end.', ""),
        ("Leila, are both kept in one room? I fear for the books.", "Minh asks you in m7."),
        # "I had not agreed to any such thing" counted for nothing: nothing had said how to deny it.
        ("So all four of us agree on the loan.", "Minh says in m7 that all agree: [DENY m7] if not so."),
        ("So the two of us disagree on the loan.", ""),
    ],
)
def test_a_question_apart_from_the_name_is_told_to_whom_alone_its_message_addresses(text: str, told: str) -> None:
    """It was told to nobody once another member had spoken."""
    talk = (*TALK[:5], ("Leila", "I bake."), ("Minh", text), ("Rosa", "So be it."))
    debate = Told(talk=talk, members=tuple(persona(title, role) for title, role in PLAYED["members"]))
    assert asked_in("Leila", debate.progress, debate.memory) == told


@pytest.mark.parametrize(
    ("last", "asked"), [(("Sunniva", "Both have a point."), True), (TALK[10], False)], ids=["apart", "joined in m11"]
)
def test_the_moderator_asks_for_one_text_only_where_none_joins_the_others(last: tuple[str, str], asked: bool) -> None:
    """It asked to join texts right after m11 had joined them."""
    members = tuple(persona(title, role) for title, role in PLAYED["members"])
    fields = {"options": OPTIONS, "members": members, "settings": Settings(max_messages=14)}
    told = Told(talk=(*TALK[:10], last), question=PLAYED["question"], **fields)
    assert _gathers(cast("Driver", SimpleNamespace(state=told.progress, memory=told.memory))) is asked
