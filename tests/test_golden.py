"""A log that was written by an older version of the schema reads the same for ever.

If a test here fails, an old session would no longer open, or would open as something else. Do not write a golden file
anew: raise `SCHEMA_VERSION`, add an upcaster where fields changed their meaning, and a golden file. Only the file of a
version that no release has may be written anew: remove it, then `write(GOLDEN)`.
"""

from __future__ import annotations

import zlib
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from eda import Document, MessageBus, Session, Settings
from eda.debate.replay import memory_of, progress_of
from eda.events import (
    NONE,
    STORED_TYPES,
    Adopted,
    Ballot,
    BallotCast,
    BallotText,
    BaselineTaken,
    Bid,
    BidsTaken,
    CallMade,
    DecisionFollowedUp,
    Event,
    Evidence,
    EvidenceFound,
    FloorGranted,
    LineAnswered,
    LineOffered,
    LineRead,
    MemberChanged,
    MemoryCorrected,
    MessagePosted,
    ModeratorSpoke,
    NoteTaken,
    PhaseStarted,
    ReportWritten,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SettingChanged,
    SideMessagePosted,
    SingleAnswer,
    StanceTaken,
    SummaryWritten,
    TermsNamed,
    TurnFailed,
    TurnPassed,
    VerdictReached,
    VoteTried,
)
from eda.events.model_minutes import Minuted, RangeMinutes, Ruled
from eda.events.outcome import Doubt, Tie
from eda.events.records import Cited, Move
from eda.memory.minutes.declared_moves import read_reply
from eda.panels.persona import Persona
from eda.session.log import JsonlLog
from eda.session.schema import decode

ROOT = Path(__file__).parent.parent
SIXTH = Path(__file__).parent / "golden" / "v6.jsonl"
GOLDEN = Path(__file__).parent / "golden" / "v7.jsonl"
EXAMPLE = ROOT / "sessions" / "example"


def member(name: str, title: str) -> Persona:
    return Persona(
        name=name,
        title=title,
        role=f"speaks for {name}",
        description=f"When {name} matters.",
        instruction=f"You speak for {name}.",
        model="haiku",
        color="blue",
        values=("clarity",),
        fears=("haste",),
        moved_by=("numbers",),
        voice="Plain.",
        openers=("To begin with,",),
        stubbornness=0.25,
        talkativeness=0.75,
    )


def said(number: int, who: str, text: str, **fields: object) -> MessagePosted:
    at, moves = read_reply(text)[:2]  # logs before had no more of it
    return MessagePosted(number=number, who=who, text=text, moves_at=at, moves=moves, **fields)


GROUPS: tuple[tuple[Event, ...], ...] = (
    (
        SessionStarted(
            session="golden",
            question="Should the café move — or stay?",
            options=("Move", "Stay"),
            panel="two",
            members=(member("movers", "Ana"), member("stayers", "Béla")),
            documents=(Document("rent.md", "The rent is 900 € a month.\n“Too much”, says Béla."),),
            settings=Settings(max_messages=6, floor="bidding", summary_every=2, max_cost=1.5),
            seed=7,
            runner="simulated",
            patterns="0123456789ab",
        ),
    ),
    (PhaseStarted(phase="opening"),),
    (
        CallMade(purpose="speak", agent="Ana", model="m", input_tokens=900, output_tokens=40, cache_read_tokens=800,
                 cache_write_tokens=12, cost=0.00125),
        said(1, "Ana", "We pay too much.\n\n[PROPOSE] Move in June\n[POSITION] For Move", sealed=True),
    ),
    (TurnFailed(who="Béla", purpose="speak", error="the reply was empty"),),
    (PhaseStarted(phase="discussion", why="done"),),
    (
        CallMade(purpose="bid", agent="Béla", last=1, cost=None),
        BidsTaken(
            bids=(Bid(agent="Ana", wants=False), Bid(agent="Béla", wants=True, urgency=0.75, reason="the regulars"))
        ),
        FloorGranted(agent="Béla", reason="urgency 0.75: the regulars"),
    ),
    (said(2, "Béla", "Ana, who walks there? In m1 you do not say.\n\n[OPPOSE p1.0] nobody does\n[NOTE 800] Lease: May",
          to="Ana", reply_to=1),),
    (SummaryWritten(first=1, last=2, text="Ana proposes to move; Béla opposes.", by="m"),),
    (BidsTaken(bids=(Bid(agent="Ana", wants=False),)), ModeratorSpoke(text="Anything else?", to="Ana")),
    (SessionPaused(reason="stopped"),),
    (SessionResumed(), SettingChanged(settings=Settings(max_messages=8, summary_every=2))),
    (PhaseStarted(phase="ballot", why="silence"),),
    (BallotCast(ballot=Ballot(agent="Ana", choice="Move", reason="rent"), choices=("Move", "Stay")),),
    (BallotCast(ballot=Ballot(agent="Béla", choice=None, reason="torn"), choices=("Move", "Stay")),),
    (PhaseStarted(phase="verdict", why="done"),),
    (
        VerdictReached(rule="majority", outcome="Move", tally={"Move": ("Ana",), "Stay": ()}, abstained=("Béla",),
                       dissent=(Ballot(agent="Béla", choice="Stay", reason="habit"),), evidence=(1, 2)),
        SessionEnded(reason="silence"),
    ),
)  # fmt: skip

SINCE_2: tuple[tuple[Event, ...], ...] = (
    (TurnPassed(who="Ana", why="repeated", repeats=1),),
    (
        NoteTaken(
            who="you", text="ask for the lease — in writing", importance=900, topic="lease", after=2, private=True
        ),
    ),
    (
        CallMade(purpose="ask", agent="Béla", last=2, model="m", input_tokens=700, output_tokens=30, characters=2900),
        SideMessagePosted(number=1, who="you", to="Béla", text="Why not?", after=2),
        SideMessagePosted(number=2, who="Béla", to="you", text="Habit.", after=2),
    ),
    (SideMessagePosted(number=3, who="Ana", to="", text="Noted.", after=2, auto=True, on="p1.0"),),
    (ModeratorSpoke(text="You go in circles.", why="circle"),),
    (
        SummaryWritten(
            first=1,
            last=2,
            level=2,
            text="Both said their piece.",
            by="m",
            style="conservative",
            minutes=RangeMinutes(
                proposals=(Minuted(1, "Move in June", "to move in June", who="Ana", start=3),),
                decisions=(Minuted(2, "nobody does", to="p1.0", who="Béla"),),
                reactions=(Minuted(2, "nobody does", stance="oppose", to="p1.0", who="Béla"),),
                questions=(Minuted(2, "who walks there?", "who walks there?", who="Béla"),),
                confirmed=(Ruled("p1@0", "We pay too much.", "it is one"),),
                denied=(Ruled("d2@0", "In m1 you do not say.", "a question"),),
            ),
        ),
    ),
)


SINCE_3: tuple[tuple[Event, ...], ...] = (
    (
        SettingChanged(settings=Settings(max_messages=9, bids="together", rule="score", quorum=0.6, consensus=0.8)),
        MemberChanged(who="Cleo", change="added", persona=member("guests", "Cleo"), by="you"),
        MemberChanged(who="Béla", change="muted", by="you"),
    ),
    (MemoryCorrected(item="p1.0", was="Move in June", text="Move in July", by="you", after=2),),
    (PhaseStarted(phase="discussion", round=2, lap=2, why="lap"),),
    (TurnFailed(who="", purpose="bid", error="the answer held no member's bid"),),
    (TurnPassed(who="Cleo", why="passed"),),
    (
        StanceTaken(
            who="Ana", poll=1, choices=("Move", "Stay"), choice="Move", confidence=0.75, change_mind="rent", after=2
        ),
        StanceTaken(who="Béla", poll=1, choices=("Move", "Stay"), after=2, invalid=True),
    ),
    (
        BallotCast(
            ballot=Ballot(
                agent="Cleo",
                choice="Stay",
                ranking=("Stay", "Move"),
                approved=("Stay",),
                scores={"Stay": 7.5, "Move": 2.0},
                blocked=("Move",),
                confidence=0.5,
                reason="the regulars",
            ),
            choices=("Move", "Stay"),
        ),
        BallotCast(
            ballot=Ballot(agent="Ana", choice=None, reason="no choice named", invalid=True), choices=("Move", "Stay")
        ),
    ),
    (
        VerdictReached(
            rule="score",
            outcome="Stay",
            tally={"Move": (), "Stay": ("Cleo",)},
            abstained=("Ana",),
            figures={"Stay": 7.5, "Move": 2.0},
            order=("Stay", "Move"),
            margin=5.5,
            tie=Tie(words="by lot"),
            blocked={"Move": ("Cleo",)},
            behind={"Move": (1,)},
            before={"Move": ("Ana",)},
            quorum=0.25,
        ),
    ),
    (
        BaselineTaken(
            choices=("Move", "Stay"), answers=(SingleAnswer(text="Stay.", choice="Stay"),), outcome="Stay", tokens=90
        ),
        ReportWritten(
            verdict="It stays.", reasons=(Cited("The regulars come.", 2, "who walks there?"),), by="m",
            dropped=(Cited("It is cheap.", 1, "it is cheap"),),
        ),
    ),
)  # fmt: skip


SINCE_4: tuple[tuple[Event, ...], ...] = (
    (
        CallMade(purpose="speak", agent="Ana", last=2, attempt=2, nth=3, model="m", input_tokens=9),
        TurnFailed(who="Ana", purpose="speak", error="overloaded", nth=4),
    ),
    (
        MessagePosted(
            number=3,
            who="Béla",
            text="No.\n\nAna: So we are agreed.\n\n[DENY m2] I never said so\n[CONFIDENCE] 0.8",
            moves_at=29,
            cut=((5, 27), (29, 54)),
            puppets=("Ana",),
            unknown_tags=("[CONFIDENCE]",),
            moves=(Move("deny", "I never said so", "m2"),),
        ),
    ),
)


TEXTS = (
    BallotText(id="o1", motion="o1", text="Move"),
    BallotText(id="p1.0", motion="o1", text="Move in June"),
    BallotText(id="o2", motion="o2", text="Stay"),
)
WORDS = tuple(text.text for text in TEXTS)
SINCE_5: tuple[tuple[Event, ...], ...] = (
    (
        SettingChanged(settings=Settings(max_messages=9, answer="one", fixed_options=True, first_vote=False)),
        BallotCast(
            ballot=Ballot(agent="Ana", choice="Stay", ranking=("Stay",), approved=("Stay",)),
            choices=("Move", "Stay"),
            texts=TEXTS[::2],
            first=True,
        ),
    ),
    (ModeratorSpoke(text="The ballot has no room for p3.0.", why="left out"),),
    (
        BallotCast(
            ballot=Ballot(
                agent="Ana",
                choice="Move in June",
                ranking=("Move in June", "Move"),
                approved=("Move in June", "Move"),
                also=("Stay",),
                moved_by=2,
            ),
            choices=WORDS,
            texts=TEXTS,
        ),
        BallotCast(ballot=Ballot(agent="Cleo", choice=NONE), choices=WORDS, texts=TEXTS, answer="list"),
    ),
    (
        VerdictReached(
            rule="majority",
            outcome="Move in June",
            motion="o1",
            version="p1.0",
            text="Move in June",
            adopted=(Adopted(motion="o2", id="o2", text="Stay", voters=("Ana",), of=1),),
            offered=TEXTS,
            accepted={"o1": ("Ana",), "p1.0": ("Ana",), "o2": ()},
            rival="o2",
            tally={"Move in June": ("Ana",), "Stay": (), NONE: ("Cleo",)},
            flips=1,
        ),
        VerdictReached(rule="approval", answer="list", outcome=("Move in June", "Stay"), tally={}),
        ReportWritten(verdict="It moves.", unproved=("All agreed.",), by="m"),
    ),
)


def of_version(version: int, *groups: tuple[Event, ...]) -> list[Event]:
    """What that version could say."""
    events = [event for group in groups for event in group]
    return [e.model_copy(update={"schema_version": version}) if isinstance(e, SessionStarted) else e for e in events]


SINCE_6: tuple[tuple[Event, ...], ...] = (
    (EvidenceFound(who="Ana", words="rent", found=(Evidence(id="e1", source="lease.pdf p. 7", text="Rent: 9."),)),),
    (EvidenceFound(who="Cleo", words="harbour"),),
)


SINCE_7: tuple[tuple[Event, ...], ...] = (
    (TermsNamed(who="Cleo", on="p1.0", takes="with a change", change="keep the till", after=2),),
    (
        BallotCast(
            ballot=Ballot(
                agent="Ana",
                choice="Stay",
                doubts=(
                    Doubt("refuses", ("o2",)),
                    Doubt("opposed", ("o2",), at=2),
                    Doubt("unknown", field="ranking", words="the harbour"),
                ),
            ),
            choices=WORDS,
            texts=TEXTS,
        ),
    ),
    (TurnPassed(who="Ana", why="silent", seconds=30), SessionPaused(reason="person", by="Cleo")),
    (TurnPassed(who="Ana", why="no speech", fault="the reply is JSON"),),
    (SessionPaused(reason="unavailable", error="the key is refused"),),
    (said(4, "Ana", "So.\n\n[PROPOSE Short trial] Move in June, and look again in July."),),
    (
        said(5, "Ana", "fine by me").model_copy(update={"line": LineRead("offered", (Move("support", "", "o1"),))}),
        LineOffered(who="Ana", message=5, moves=(Move("oppose", "", "o2"),)),
        LineAnswered(who="Ana", message=5, answer="yes", moves=(Move("support", "", "o1"),)),
    ),
    (
        DecisionFollowedUp(owner="Ana", revisit=date(2026, 9, 1), by="you"),
        DecisionFollowedUp(owner="Ana", revisit=date(2026, 9, 1), outcome="We moved.", by="Béla"),
    ),
    (VoteTried(changed="premise", what="It costs 900.", run=1, outcome=("o2",), verdict=30, calls=3, cost=0.02),),
)
ALL = (*GROUPS, *SINCE_2, *SINCE_3, *SINCE_4, *SINCE_5, *SINCE_6, *SINCE_7)


def write(path: Path) -> list[Event]:
    """All groups, stamped a second apart."""
    now = datetime(2026, 1, 2, 3, 4, 5, 678900, UTC)

    def clock() -> datetime:
        nonlocal now
        now += timedelta(seconds=1)
        return now

    log = JsonlLog(path)
    bus = MessageBus(log, clock=clock)
    stamped = [event for group in ALL for event in bus.publish(*group)]
    log.close()
    return stamped


def test_the_golden_log_holds_every_kind_of_fact() -> None:
    """A kind that no golden file holds may change unseen."""
    assert {type(event) for group in ALL for event in group} == set(STORED_TYPES)


def test_the_same_facts_are_still_written_byte_for_byte(tmp_path: Path) -> None:
    """A log of today must be readable by a program of a year ago that knows the same version."""
    write(tmp_path / "events.jsonl")
    assert (tmp_path / "events.jsonl").read_bytes() == GOLDEN.read_bytes()


def test_the_golden_log_still_reads_as_the_same_facts(tmp_path: Path) -> None:
    """Last year's session must open as what it was."""
    written = write(tmp_path / "events.jsonl")
    log = JsonlLog(GOLDEN, readonly=True)
    assert list(log.read()) == written
    log.close()


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (SIXTH, of_version(6, *GROUPS, *SINCE_2, *SINCE_3, *SINCE_4, *SINCE_5, *SINCE_6)),
    ],
    ids=["6"],
)
def test_a_log_of_an_older_version_reads_as_the_facts_that_were_written(path: Path, expected: list[Event]) -> None:
    """A session of an older program, whose facts had fewer fields, must open as what it was, never be refused."""
    log = JsonlLog(path, readonly=True)
    unstamped = [event.model_copy(update={"seq": 0, "at": None}) for event in log.read()]
    log.close()
    assert unstamped == expected


def older(fact: str) -> Event:
    """A fact that a log of schema 6 has in a form of its own."""
    body = f'{{"seq":1,"at":"2026-01-02T03:04:05Z",{fact}'.encode()
    return decode(b'%b,"crc":"%08x"}' % (body, zlib.crc32(body)))


def test_what_an_older_log_says_in_words_stays_in_words() -> None:
    """A ballot in doubt would end the reading of a session of last month, or lose its doubt."""
    ballot = '{"agent":"Ana","choice":"Stay","doubt":"the reason refuses o2"}'
    words = (Doubt("words", words="the reason refuses o2"),)
    cast = older(f'"type":"ballot_cast","ballot":{ballot},"choices":["Move","Stay"]')
    reached = older(f'"type":"verdict_reached","rule":"majority","outcome":"Move","tally":{{}},"dissent":[{ballot}]')
    assert isinstance(cast, BallotCast)
    assert isinstance(reached, VerdictReached)
    assert (cast.ballot.doubts, reached.dissent[0].doubts) == (words, words)
    paused = older('"type":"session_paused","reason":"paused by Ana"')
    assert paused == SessionPaused(seq=1, at=paused.at, reason="person", by="Ana")
    failed = older('"type":"session_paused","reason":"the key is refused"')
    assert failed == SessionPaused(seq=1, at=failed.at, reason="words", error="the key is refused")
    passed = older('"type":"turn_passed","who":"Ana","why":"no word within 30 s"')
    assert passed == TurnPassed(seq=1, at=passed.at, who="Ana", why="words", fault="no word within 30 s")


def test_the_example_session_can_be_read_and_shows_a_verdict() -> None:
    """The session that comes with the program is the first that a reader opens."""
    with Session.read("example", EXAMPLE.parent) as session:
        progress = progress_of(session)
        memory = memory_of(session)
    assert progress.state == "ended"
    assert progress.verdict is not None
    assert memory.proposals
    assert memory.summaries
    assert memory.message_count == progress.messages
