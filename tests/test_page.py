"""The report as one HTML file: whole, safe, and linked."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner
from told import CHOICES, MOVE, QUESTION, TALK, Told, persona

from eda import ConversationMemory, Event, Session
from eda.cli import cli
from eda.debate.minds import main_clause
from eda.debate.replay import read_back
from eda.events import CallMade, ReportWritten
from eda.events.base import RecordFact
from eda.events.records import Cited
from eda.memory.shown import motion_table
from eda.report.forms import report_html
from eda.report.gather import report_of
from eda.report.sections import panel_words, sure_lines
from eda.report.stances import stances
from eda.report.wordings import descent
from eda.serve.shown import table_of

HOSTILE = "<img src=x onerror=alert(1)> & \"quotes\" <script>alert('m1')</script> javascript:alert(1)"


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.tags: dict[str, int] = {}
        self.words = ""
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if tag in ("a", "use") else []
        self.loads += [value or "" for name, value in attrs if name in ("src", "srcset", "data", "action", "poster")]
        assert not [name for name in given if name.startswith("on") or name == "style"], (tag, attrs)
        self._inside = tag

    def handle_data(self, data: str) -> None:
        self.words += data if self._inside not in ("style", "script") else ""


def page_of(told: Told) -> str:
    return report_html(report_of(told.session, told.progress, told.memory), told.session, told.memory)


class Shipped(NamedTuple):
    text: str
    report: Any
    memory: ConversationMemory
    events: list[Event]


@pytest.fixture(scope="module")
def shipped() -> Shipped:
    """The example that comes with the program, and its page."""
    with Session.read("example") as session:
        progress, memory = read_back(session)
        report = report_of(session, progress, memory)
        return Shipped(report_html(report, session, memory), report, memory, list(session.events()))


def test_every_claim_is_one_click_from_its_message(shipped: Shipped) -> None:
    """A link that leads nowhere makes a reader doubt the rest."""
    text, report = shipped.text, shipped.report
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert all(link.startswith("#") for link in page.links)
    assert {f"m{number}" for number in range(1, report.run.messages + 1)} <= set(page.ids)
    assert report.counted.won.id in page.ids


def test_the_decision_stands_whole_and_who_accepts_it(shipped: Shipped) -> None:
    """Whoever was not there acts on this paragraph."""
    text, report = shipped.text, shipped.report
    words = " ".join(Page(text).words.split())
    assert " ".join(report.counted.won.text.split()) in words
    head = words.index(report.answer)
    places = [
        head,
        *(words.index(main_clause(each.quote, 14).strip("…")) for each in report.backing),
        words.index(report.counted.won.text),
    ]
    assert places == sorted(places)
    assert words.index("Against:") < words.rindex("The vote")
    for each in (*report.reasons, *report.promised, *report.open):
        assert " ".join(each.quote.split()) in words
    for voter in report.ballots:
        assert voter.reason in words


def test_it_asks_nothing_of_the_network(shipped: Shipped) -> None:
    """A report is passed on: what it loads would tell somebody who reads it, and break offline."""
    text, page = shipped.text, Page(shipped.text)
    assert not page.loads
    assert not re.search(r"https?://(?!www\.w3\.org)|@import|url\(", text)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    assert "default-src &#39;none&#39;" in policy[1] or "default-src 'none'" in policy[1]
    for tag in ("style", "script"):
        inside = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert inside is not None
        assert f"sha256-{b64encode(sha256(inside[1].encode()).digest()).decode()}" in policy[1]


def test_text_of_models_and_people_is_never_markup() -> None:
    """A name, a question or a message could otherwise run in the browser of whoever opens the report."""
    ada = persona("Ada", HOSTILE).model_copy(update={"title": "Ada <img src=x>"})
    members = (ada, *(persona(title, HOSTILE) for title in ("Ben", "Cleo", "Dan", "Eve")))
    told = Told(
        question=f"{QUESTION} {HOSTILE}",
        members=members,
        talk=[(ada.title if who == "Ada" else who, f"{text}\n\n{HOSTILE}") for who, text in TALK],
    )
    told.votes(Ben=MOVE, **{ada.title: None})
    clean, hostile = Page(page_of(Told().votes())), Page(page_of(told))
    assert hostile.tags.keys() == clean.tags.keys()
    assert hostile.tags["script"] == 1
    assert "img" not in hostile.tags
    assert hostile.words.count("<img src=x onerror=alert(1)>") > len(TALK)


def test_a_thousand_messages_would_stay_under_two_megabytes() -> None:
    """It is sent by mail; a page grows by its messages, and a quarter of a thousand shows by how much."""
    told = Told(talk=[(who, f"{text.partition('//')[0]} Number {n}." * 2) for n in range(25) for who, text in TALK])
    text = page_of(told.votes())
    assert text.count("<article ") == 25 * len(TALK)
    assert len(text.encode()) < 500_000


def test_marks_follow_a_member_from_the_first_ballot_to_the_last(shipped: Shipped) -> None:
    """Who moved, and where it said so, is the first question of a reader."""
    report, memory = shipped.report, shipped.memory
    columns, legend = stances(shipped.events, memory, report.texts)
    assert [(column.head, column.private) for column in columns] == [
        ("Before the talk", True),
        ("In the talk", False),
        ("The vote", True),
    ]
    lucien = [[(mark.label, mark.kind) for mark in column.marks["Lucien"]] for column in columns]
    assert lucien == [[("o1", "first")], [("o1", "text"), ("p8.0", "text"), ("p14.0", "text")], [("p14.0", "vote")]]
    assert [mark.label for mark in columns[0].marks["Ruth"]] == ["none"]
    assert legend["o1"] == report.options[0]


def test_a_declared_support_is_where_its_member_stands(tmp_path: Path) -> None:
    """A person that had declared its support twice had an empty cell, and no place among the positions."""
    openings = [(who, "I listen.") for who in ("Ada", "Ben", "Cleo", "Dan", "Eve")]
    said = [("Ben", "I know.\n\n[PROPOSE] We wait for the tests."), ("Ada", "Fine.\n\n[SUPPORT p6.0] it keeps July")]
    with Session.create("one", tmp_path) as session:
        told = Told(session, talk=[*openings, *said]).votes()
        report = report_of(told.session, told.progress, told.memory)
        columns, _ = stances(session.events(), told.memory, report.texts)
    (spoken,) = (column for column in columns if not column.private)
    assert [(mark.label, mark.kind, mark.message) for mark in spoken.marks["Ada"]] == [("p6.0", "text", 7)]
    shown = CliRunner().invoke(cli, ["show", "one", "--sessions", str(tmp_path)]).stdout
    assert "p6.0 (declared in m7)" in shown.partition("Positions")[2]


def test_what_is_open_shows_its_words_beside_what_became_of_it() -> None:
    """ "Answered in m9" stood without the question, whose words were folded elsewhere."""
    told = Told().votes()
    report = report_of(told.session, told.progress, told.memory)
    answered = replace(report, open=(Cited("Answered in m9", 6, "Who owns month end while both run?", "Ben"),))
    (section,) = re.findall(r'(?s)<section id="open".*?</section>', report_html(answered, told.session, told.memory))
    assert "<q>Who owns month end while both run?</q>" in section.partition("<details>")[0]


def test_a_wording_shows_what_it_changed(shipped: Shipped) -> None:
    """What was given up on the way is what a colleague asks for."""
    memory = shipped.memory
    steps = descent(memory, "p14.0")
    assert [step.id for step in steps] == ["p2.0", "p3.0", "p8.0", "p10.0", "p14.0"]
    last = steps[-1]
    assert (last.became, last.note) == ("decided", "rewords p10.0")
    kept = "".join(words for words, how in last.parts if how != "out")
    assert " ".join(kept.split()) == next(t.content for t in memory.proposals if t.id == "p14.0")
    before = "".join(words for words, how in last.parts if how != "in")
    assert " ".join(before.split()) == next(t.content for t in memory.proposals if t.id == "p10.0")


def test_no_verdict_is_said_first() -> None:
    """Half of the panel abstained: whoever acts must know."""
    told = Told().votes(Ada=None, Ben=None, Cleo=None, Dan=None)
    words = " ".join(Page(page_of(told)).words.split())
    assert words.index("No verdict") < words.rindex("The vote")
    assert "Abstained" in words
    assert all(choice in words for choice in CHOICES)


def test_the_command_writes_the_page_where_it_says(tmp_path: Path) -> None:
    """A page that cannot be found is none."""
    with Session.create("one", tmp_path) as session:
        Told(session).votes()
    done = CliRunner().invoke(cli, ["report", "one", "--html", "--sessions", str(tmp_path)])
    assert done.exit_code == 0
    assert done.stderr == f"written: {tmp_path / 'one' / 'report.html'}\n"
    assert not done.stdout


def test_an_open_question_opens_to_what_its_author_said_around_it(shipped: Shipped) -> None:
    """ "What stays open is a name." tells nothing to whoever was not there."""
    asked = re.search(r'(?s)<section id="open".*?</section>', shipped.text)
    assert asked
    folds = re.findall(r"(?s)<details><summary><q>([^<]*)</q>.*?</summary><p[^>]*>(.*?)</p></details>", asked[0])
    around = dict(folds)["What stays open is a name."]
    assert "has no name in it, and somebody should fill it in before week six" in around
    assert "What stays open" not in around
    assert len(folds) == 1, "and what asks nothing, and calls nothing open, is none"


def test_a_stranger_reads_who_sat_there_and_what_the_figures_are_worth(shipped: Shipped) -> None:
    """Five votes of one model look like five people, and a replay like a debate that cost nothing."""
    words = " ".join(Page(shipped.text).words.split())
    assert "5 personas, one model, " in words
    assert "One model plays all members: their votes are not independent." in words
    assert "4 votes · 78% sure" in words
    assert "replayed from a recording: no time or cost of its own" in words
    assert "$0.00" not in words
    assert re.search(r'<div class="plan[^>]*id="p14\.0"', shipped.text), "the link beside `the text below` leads to it"


def test_people_at_the_table_are_named_and_no_model_is_theirs() -> None:
    """A persona that is taken for a colleague would be asked what it meant."""
    ada = persona("Ada", "engineer").model_copy(update={"person": True})
    told = Told(members=(ada, *(persona(title, "seat") for title in ("Ben", "Cleo", "Dan", "Eve")))).votes()
    report = report_of(told.session, told.progress, told.memory)
    assert [*panel_words(report)] == ["4 personas, one model", "1 person: Ada"]
    assert next(sure_lines(report)) == "One model plays the other members: their votes are not independent."
    told.tell(CallMade(purpose="ballot", agent="Ben", model="haiku"))
    report = report_of(told.session, told.progress, told.memory)
    assert next(panel_words(report)) == "4 personas, 2 models"
    assert not any("One model" in line for line in sure_lines(report))


@pytest.mark.parametrize(
    ("quotes", "told"), [(1, "1 quotation that the model chose is left out"), (0, "The answer in")]
)
def test_an_answer_that_says_too_much_is_counted_as_no_quotation(quotes: int, told: str) -> None:
    """ "3 quotations are left out" counted two, and the answer in one line that the model offered."""
    facts = (("a quotation", RecordFact("unsaid")), ("An answer.", RecordFact("beyond")))[1 - quotes :]
    written = ReportWritten(unproved=tuple(text for text, _ in facts), contradicted=tuple((fact,) for _, fact in facts))
    whole = Told().votes()
    whole.tell(written)
    footer = page_of(whole).partition("<footer>")[2]
    assert told in footer
    assert "The answer in one line that the model offered is left out" in footer
    assert "2 quotations" not in footer


def test_the_table_of_stances_shows_a_position_and_the_other_text_that_its_message_supports() -> None:
    """Who held one answer and backed a measure beside it stood in the table for the first alone."""
    put = ("Ada", "[PROPOSE] Move it, with the tests first."), ("Ben", "[POSITION] o1\n[SUPPORT p6.0] it can be undone")
    told = Told(talk=(*TALK[:5], *put)).votes()
    columns, _ = stances(told.session.events(), told.memory, report_of(told.session, told.progress, told.memory).texts)
    marks = [mark.label for column in columns for mark in column.marks.get("Ben", ()) if mark.message == 7]
    assert marks == ["o1", "p6.0"]


def test_the_table_of_stances_has_a_word_of_its_own_for_a_support_that_may_have_a_condition() -> None:
    """A support in doubt had the mark of a condition, and the words of one in the legend."""
    put = ("Ada", "[PROPOSE] Move it, with the tests first."), ("Ben", "[SUPPORT p6.0] I hope the suite is there")
    told = Told(talk=(*TALK[:5], *put)).votes()
    (doubtful,) = (each for each in told.memory.motions[-1].live.reactions if each.agent == "Ben")
    assert doubtful.doubt
    (card,) = (each for each in table_of(told.progress, told.memory)["cards"] if each["id"] == "p6.0")
    (stands,) = (text["stands"] for text in card["texts"])
    assert stands["conditional"] == [{"who": "Ben", "why": "perhaps on a condition, I hope the suite is there"}]
    assert "Ben (in doubt)" in motion_table(told.memory.parts.minutes)
    report = report_of(told.session, told.progress, told.memory)
    columns, _ = stances(told.session.events(), told.memory, report.texts)
    assert [m.kind for column in columns for m in column.marks.get("Ben", ()) if m.message == 7] == ["perhaps"]
    page = report_html(report, told.session, told.memory)
    assert re.search(r'<a class="mark perhaps" [^>]*title="perhaps: [^>]*><span>p6.0, perhaps: ', page)
    assert re.search(r'<li><span class="mark perhaps"><span>…</span></span>for, perhaps on a condition</li>', page)
    assert 'class="mark if"' not in page


def test_the_table_of_stances_has_no_mark_for_a_condition_that_is_taken_off() -> None:
    """A row ended on p5.0, as if its member went back: it had taken its condition off there, and declared p7.0."""
    put = ("Ada", "[PROPOSE] Move it, with the tests first."), ("Ben", "[SUPPORT p6.0] if the suite is there")
    lifted, elsewhere = "[WITHDRAW my condition on p6.0] it is there", [("o1", "text")]
    for before, lifts, ends in (
        ("", f"{lifted}\n[POSITION] o1", elsewhere),
        ("\n[POSITION] p6.0", lifted, [("p6.0", "text")]),
    ):
        talk = (*TALK[:5], put[0], ("Ben", put[1][1] + before), ("Ben", lifts))
        told = Told(talk=talk).votes()
        texts = report_of(told.session, told.progress, told.memory).texts
        columns, _ = stances(told.session.events(), told.memory, texts)
        marks = [(m.label, m.kind) for column in columns for m in column.marks.get("Ben", ()) if m.message > 6]
        assert marks[marks.index(("p6.0", "if")) :] == [("p6.0", "if"), *ends], marks
        (told_back,) = (m.title for column in columns for m in column.marks["Ben"] if m.kind == "if")
        assert told_back == "if the suite is there (taken back in m8)"
