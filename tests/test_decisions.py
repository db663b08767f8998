"""What was decided is found by a question in plain words, and keeps an owner, a day to look again and an outcome."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from rich.console import Console

from eda.bus import MessageBus
from eda.cli.sessions import print_decisions
from eda.debate.control.changes import FollowedUp, steer
from eda.debate.replay import progress_of, read_back
from eda.errors import UsageError
from eda.events import (
    Ballot,
    BallotCast,
    BallotText,
    CallMade,
    DecisionFollowedUp,
    Event,
    Parent,
    SessionEnded,
    SessionStarted,
    VerdictReached,
)
from eda.panels.persona import Persona
from eda.panels.settings import Settings
from eda.report.forms import in_each_form
from eda.report.gather import report_of
from eda.report.overview import decisions, overview, ranked
from eda.serve.panel_tools import PanelTools
from eda.session import Session, schema

Eda = Callable[..., Result]
PANEL = tuple(
    Persona(name=name.lower(), title=name, description="Decides.", instruction="Decide.")
    for name in ("Ana", "Ben", "Cleo")
)
HOME = Path("sessions")
EXAMPLE = Path(__file__).parent.parent / "sessions" / "example"


def decided(
    name: str,
    question: str,
    answer: str,
    *,
    why: str = "It is cheap.",
    day: str = "2026-11-01",
    model: str = "m-1",
    language: str = "en",
    parent: Parent | None = None,
) -> None:
    """Store a debate in which Ana and Ben decided, against Cleo."""
    texts = (BallotText(id="o1", motion="o1", text=answer), BallotText(id="o2", motion="o2", text="Wait."))
    choices = (answer, "Wait.")
    cast = [Ballot(agent=who, choice=answer, approved=(answer,), reason=why) for who in ("Ana", "Ben")]
    cast.append(Ballot(agent="Cleo", choice="Wait.", approved=("Wait.",), reason="Not unless the lease ends first."))
    now = datetime.fromisoformat(day).replace(tzinfo=UTC)

    def clock() -> datetime:
        nonlocal now
        now += timedelta(seconds=1)
        return now

    with Session.create(name, HOME) as session:
        MessageBus(session.log, clock=clock).publish(
            SessionStarted(
                session=name, question=question, options=choices, members=PANEL, runner="anthropic", parent=parent,
                settings=Settings(language=language),
            ),
            *(CallMade(purpose="ballot", agent=each.title, model=model) for each in PANEL),
            *(BallotCast(ballot=each, choices=choices, texts=texts) for each in cast),
            VerdictReached(
                rule="majority", outcome=answer, motion="o1", version="o1", text=answer, offered=texts,
                accepted={"o1": ("Ana", "Ben"), "o2": ("Cleo",)}, dissent=(cast[2],),
                tally={answer: ("Ana", "Ben"), "Wait.": ("Cleo",)},
            ),
            SessionEnded(reason="done"),
        )  # fmt: skip


@pytest.fixture
def library(eda: Eda) -> Eda:
    decided("billing", "Should we move the billing service to the cloud?", "Move it in spring.", day="2026-09-02")
    decided("hiring", "Should we hire a second designer?", "Hire one.", day="2026-11-20")
    decided("docs", "Who maintains the documentation?", "The platform team.", why="Billing asks them anyway.")
    return eda


def found(eda: Eda, *args: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(eda("decisions", *args, "--json").stdout)["decisions"]
    return rows


def names(rows: list[dict[str, Any]]) -> list[str]:
    return [row["session"] for row in rows]


def fact(eda: Eda, *args: str) -> Mapping[str, Any]:
    data: Mapping[str, Any] = json.loads(eda("decisions", *args, "--json").stdout)
    return data


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What did we decide about billing?", "billing"),
        ("are we moving the bills into some cloud", "billing"),
        ("who is going to maintain the docs", "docs"),
        ("hired designers", "hiring"),
    ],
)
def test_a_question_in_plain_words_finds_its_decision_first(library: Eda, question: str, name: str) -> None:
    """Last month's decision was in no list, as its words are never those of the question."""
    assert names(found(library, *question.split()))[0] == name


def test_what_is_shown_of_a_decision(library: Eda) -> None:
    """Who looks a decision up would open the report for who was against it, and what would change it."""
    (row,) = found(library, "designer")
    decision = row["decision"]
    assert (decision["titles"], decision["at"][:10]) == (["Hire one"], "2026-11-20")
    assert (decision["for"], decision["against"]) == (["Ana", "Ben"], ["Cleo"])
    shutil.copytree(EXAMPLE, HOME / "example")
    (mind,) = found(library, "dry", "run")[0]["decision"]["minds"]
    assert (mind["who"], mind["message"]) == ("Viktor", 19)
    line = library("decisions", "designer").stdout.rstrip("\n").split("\t")
    assert line[:6] == ["hiring", "2026-11-20", "Hire one", "Should we hire a second designer?", "Ana, Ben", "Cleo"]


def test_without_a_subject_all_are_listed_the_newest_first(library: Eda) -> None:
    """`eda decisions what did we decide?` would look for the word `decide`."""
    newest = ["hiring", "docs", "billing"]
    assert names(found(library)) == names(found(library, "what", "did", "we", "decide?")) == newest
    assert names(found(library, "--since", "2026-10-01")) == newest[:2]
    assert names(found(library, "--until", "2026-11-01")) == newest[1:]
    assert names(found(library, "billing", "--since", "2026-10-01")) == []
    assert "eda recall --all" in library("decisions", "submarine").stderr


def test_a_word_in_the_question_counts_more_than_one_in_a_reason(library: Eda) -> None:
    """A decision that mentions billing in passing would stand before the one on billing."""
    rows = [row for row in decisions(HOME) if row["session"] in ("billing", "docs")]
    assert names(ranked(rows, "billing"))[0] == "billing"


def test_a_fork_and_a_simulation_come_after_the_decision_itself(eda: Eda) -> None:
    """An experiment, or what no model took part in, would be taken for what was decided."""
    same = ("Should we sell the van?", "Sell it.")
    decided("van", *same)
    decided("van-fork", *same, day="2026-11-02", parent=Parent("van", 3))
    decided("van-play", *same, day="2026-11-03", model="simulated")
    rows = found(eda, "van")
    assert names(rows) == ["van", "van-play", "van-fork"]
    assert "(simulated)" in eda("decisions", "van").stdout
    eda("fork", "van", "--session", "copy")  # which has decided nothing yet
    assert "copy" not in names(found(eda))


def test_german_questions_find_german_decisions(eda: Eda) -> None:
    """`Was haben wir zu Rechnungen beschlossen?` shares no whole word with the decision."""
    decided("rechnung", "Wer prüft jede Rechnung?", "Das Team in Graz.", language="de")
    decided("lager", "Sollen wir ein Lager mieten?", "Ja, ab Mai.", language="de")
    assert names(found(eda, "Was haben wir zu Rechnungen beschlossen?")) == ["rechnung"]
    eda("decisions", "lager", "--owner", "Eva")
    assert names(found(eda, "worüber hat Eva entschieden"))[0] == "lager"


def test_an_owner_a_day_and_an_outcome_are_facts(library: Eda) -> None:
    """Who looks after it, and whether it held, stood in nobody's log."""
    library("decisions", "billing", "--owner", "Ana", "--revisit", "2026-11-16")
    (row,) = found(library, "billing", "cloud")
    assert row["decision"]["followed"]["owner"] == "Ana"
    library("decisions", "billing", "--outcome", "It did  not hold.", "--as", "Ben")
    with Session.read("billing", HOME) as session:
        kept = [each for each in session.events() if isinstance(each, DecisionFollowedUp)]
        report = report_of(session, *(state := read_back(session)))
        page = in_each_form(session, report, state[1])
    assert [(each.owner, each.outcome, each.by) for each in kept] == [
        ("Ana", "", "you"),
        ("Ana", "It did not hold.", "Ben"),
    ]
    for shown in (page.page, page.markdown, library("show", "billing").stdout, library("report", "billing").stdout):
        assert "It did not hold." in shown
        assert "16 November 2026" in shown
    assert json.loads(library("show", "billing", "--json").stdout)["followed"]["revisit"] == "2026-11-16"
    assert json.loads(library("report", "billing", "--json").stdout)["followed"]["by"] == "Ben"
    assert fact(library, "billing", "--owner", "", "--revisit", "")["outcome"] == "It did not hold."
    assert found(library, "billing", "cloud")[0]["decision"]["followed"]["owner"] == ""


def test_a_new_verdict_has_no_owner_yet(library: Eda) -> None:
    """What came of the first decision would stand beside the second."""
    with Session.open("billing", HOME) as session:
        steer(session, [FollowedUp(owner="Ana", outcome="It held.")])
        assert progress_of(session).followed is not None
        verdict = next(each for each in session.events() if isinstance(each, VerdictReached))
        MessageBus(session.log).publish(verdict.model_copy(update={"seq": 0, "at": None}))
        assert progress_of(session).followed is None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (FollowedUp(revisit="next year"), "revisit"),
        (FollowedUp(owner="x" * 121), "owner"),
        (FollowedUp(outcome="x" * 2001), "outcome"),
    ],
)
def test_what_cannot_be_kept_is_refused(library: Eda, change: FollowedUp, reason: str) -> None:
    """A log would take a day that no calendar has."""
    with Session.open("billing", HOME) as session, pytest.raises(UsageError, match=reason):
        steer(session, [change])


def test_nobody_owns_what_was_not_decided(eda: Eda) -> None:
    """A simulated panel's verdict would get an owner, as if somebody had decided."""
    decided("play", "Should we sell the van?", "Sell it.", model="simulated")
    assert "no model took part" in eda("decisions", "play", "--owner", "Ana", code=2).stderr
    eda("debate", "Now?", "--runner", "simulated", "--max-messages", "4", "--quiet", "--session", "open", "--seed", "2")
    with Session.read("open", HOME) as session:
        assert progress_of(session).verdict is not None
    eda("decisions", "open", "--owner", "Ana", code=2)
    assert "name one session" in eda("decisions", "--owner", "Ana", code=2).stderr
    assert "unknown session 'none'" in eda("decisions", "none", "--owner", "Ana", code=2).stderr


def test_a_decision_that_is_due_says_so(library: Eda) -> None:
    """A date that nobody is reminded of is as good as none."""

    def shown() -> str:
        told = StringIO()
        print_decisions(decisions(HOME, "billing cloud"), Console(width=100, force_terminal=True, file=told))
        return told.getvalue()

    library("decisions", "billing", "--revisit", "2026-01-05")
    assert "due since" in shown()
    library("decisions", "billing", "--outcome", "It held.")
    assert "due since" not in shown()
    assert "against 1: Cleo" in shown()


def test_the_row_is_made_once_for_each_log(library: Eda, monkeypatch: pytest.MonkeyPatch) -> None:
    """200 sessions would be read at each question."""
    decisions(HOME)
    with monkeypatch.context() as patch:
        patch.setattr(Session, "read", lambda *_: pytest.fail("a log was read again"))
        assert len(decisions(HOME)) == 3
    library("decisions", "docs", "--owner", "Ana")
    assert overview(HOME / "docs")["decision"]["followed"]["owner"] == "Ana"


def test_what_a_recorded_meeting_decided_is_found_too(library: Eda) -> None:
    """The minutes of a meeting were searched by nobody who asked what was decided."""
    meeting = Path(__file__).parent.parent / "docs" / "examples" / "meeting.jsonl"
    library("import", str(meeting), "--session", "meeting")
    row = found(library, "when", "do", "we", "ship", "the", "export?")[0]
    assert (row["session"], row["decision"]["titles"]) == ("meeting", ["ship the billing export in May"])
    assert row["decision"]["for"] == ["Ana", "Ben"]
    library("decisions", "meeting", "--owner", "Ana", code=2)


def test_a_client_asks_what_was_decided(library: Eda) -> None:
    """An editor's agent would read every report to find it."""
    rows = PanelTools(HOME).sessions("what did we decide on billing?")["sessions"]
    assert rows[0]["session"] == "billing"


@pytest.mark.parametrize(("command", "times"), [("show", 1), ("report", 4)])
def test_the_log_of_a_decision_is_read_once_to_show_it_and_folded_once_to_report_it(
    library: Eda, monkeypatch: pytest.MonkeyPatch, command: str, times: int
) -> None:
    """To decode a long log takes a while, and nothing has changed in between."""
    read, decode = Counter[bytes](), schema.decode

    def counted(line: bytes) -> Event:
        read[line] += 1
        return decode(line)

    (HOME / "billing" / "memory.json").unlink(missing_ok=True)
    monkeypatch.setattr(schema, "decode", counted)
    library(command, "billing")
    _, *facts = read.values()  # the first says whose log it is
    assert set(facts) == {times}
