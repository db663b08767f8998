"""Notes: nothing that was flagged is lost, nothing is kept twice, and what is private stays with its owner."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import given, strategies as st

from eda import Debate, MessagePosted, Session, Settings
from eda.debate.control.changes import Noted
from eda.debate.control.socket import changed_session
from eda.debate.replay import memory_of, progress_of
from eda.debate.state import DebateState
from eda.errors import UsageError
from eda.events import NoteTaken
from eda.events.records import Move, Note
from eda.memory import ConversationMemory
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.notes import Notes
from eda.memory.snapshot import dump, load

Eda = Callable[..., Result]
PANEL = ["sceptic", "historian", "pragmatic-engineer"]


@pytest.fixture
def eda(eda: Eda, tmp_path: Path) -> Eda:
    with Session.create("one", tmp_path / "sessions") as session:
        Debate("Move it?", PANEL, options=("Yes", "No"), settings=Settings(max_messages=7), session=session).run_sync()
    return eda


def noted(*notes: Note) -> Notes:
    kept = Notes()
    for note in notes:
        kept.add(note)
    return kept


def test_nearly_the_same_note_is_one_note_and_the_higher_importance_wins() -> None:
    """Five wordings of one worry push four other notes out of the prompt."""
    notes = noted(
        Note(3, "Ann", "The bank contract ends in March.", 400),
        Note(9, "Bob", "Bank contract ends March", 800),
        Note(12, "Cem", "Contract with the bank ends in March", 100),
    )
    assert notes.all() == (Note(3, "Ann", "The bank contract ends in March.", 800),)


def test_a_longer_wording_of_a_higher_importance_replaces_the_first() -> None:
    """The detail that made it important must not be lost in the joining, nor put into the first one's mouth."""
    longer = "The bank contract ends in March and renews for three years"
    notes = noted(Note(3, "Ann", "The bank contract ends in March.", 400), Note(9, "Bob", longer, 800, "bank"))
    assert notes.all() == (Note(9, "Bob", longer, 800, "bank"),)


@pytest.mark.parametrize(
    "other",
    [
        Note(9, "Bob", "The bank contract ends in March.", 500, "legal"),
        Note(9, "Ann", "The bank contract ends in March.", 500, "money", private=True),
        Note(9, "Bob", "The test suite takes four hours.", 500, "money"),
    ],
    ids=["topic", "private", "words"],
)
def test_what_differs_in_topic_privacy_or_words_stays_apart(other: Note) -> None:
    """A private note that joined a shared one would be shown to the panel."""
    notes = noted(Note(3, "Ann", "The bank contract ends in March.", 400, "money"), other)
    assert len(notes.all(private=True)) == 2


def test_notes_are_found_by_importance_topic_and_question() -> None:
    """Notes that nobody can find again are lost."""
    notes = noted(
        Note(1, "Ann", "The bank contract ends in March.", 400, "Contracts"),
        Note(2, "Bob", "The test suite takes four hours.", 900),
        Note(3, "Cem", "Rollback of the ledger was never rehearsed.", 400, "risk"),
        Note(4, "you", "Ann bluffs about the contract with her bank.", 990, private=True),
    )
    assert [note.message for note in notes.all()] == [2, 1, 3]
    assert [note.message for note in notes.all(private=True)] == [4, 2, 1, 3]
    assert [note.message for note in notes.all() if note.topic == "Contracts"] == [1]
    assert [note.message for note in notes.about("When does the contract with the bank end?")] == [1]
    assert [note.message for note in notes.about("risk")] == [3]
    assert notes.about("What is for lunch?") == ()


def test_notes_in_another_script_are_kept_apart_and_found() -> None:
    """A Russian note is a note."""
    notes = noted(
        Note(1, "Анна", "договор кончается"), Note(2, "Анна", "тесты идут долго"), Note(3, "Олег", "договор кончается")
    )
    assert [note.message for note in notes.all()] == [1, 2]
    assert [note.message for note in notes.about("договор")] == [1]


def test_hundreds_of_notes_are_all_kept_and_still_joined() -> None:
    """A session of a year must not slow down with what was flagged, nor forget it."""
    notes = Notes()
    for number in range(400):
        notes.add(
            Note(
                number,
                "Ann",
                f"Invoice {number}x of batch {number % 97}y was late by {number}z hours",
                1 + number % 1000,
            )
        )
    assert len(notes) == 400
    notes.add(Note(1, "Bob", "Invoice 377x of batch 86y was late by 377z hours", 1000))
    assert len(notes) == 400
    assert notes.about("invoice 377x", 1)[0].importance == 1000


TEXTS = st.lists(
    st.sampled_from(["bank", "contract", "march", "ledger", "test", "suite", "hours", "risk"]), max_size=6
).map(" ".join)
NOTES = st.builds(
    Note,
    st.integers(0, 99),
    st.sampled_from("AB"),
    TEXTS,
    st.integers(1, 1000),
    st.sampled_from(["", "x", "y"]),
    st.booleans(),
)


@given(st.lists(NOTES, max_size=25), TEXTS)
def test_saved_and_loaded_notes_are_the_same_and_go_on_the_same(given_notes: list[Note], question: str) -> None:
    """A resume that orders or joins notes otherwise gives the panel another prompt."""
    half = len(given_notes) // 2
    notes = noted(*given_notes[:half])
    again = load(Notes, json.loads(json.dumps(dump(notes))))
    for note in given_notes[half:]:
        assert again.add(note) == notes.add(note)
    assert again.all(private=True) == notes.all(private=True)
    assert again.about(question) == notes.about(question)
    assert not any(note.private for note in (*notes.all(), *notes.about(question)))
    assert [note.importance for note in notes.all()] == sorted((n.importance for n in notes.all()), reverse=True)


@pytest.mark.parametrize(
    ("line", "importance", "topic"),
    [
        ("[NOTE 700 pricing] ask legal", 700, "pricing"),
        ("[NOTE pricing 700] ask legal", 700, "pricing"),
        ("[NOTE pricing] ask legal", 500, "pricing"),
        ("[NOTE 700] ask legal", 700, ""),
        ("[NOTE] ask legal", 500, ""),
        ("[NOTE: 9999 2027 budget] ask legal", 1000, "2027 budget"),
        ("[NOTE -3 data protection] ask legal", 1, "data protection"),
        ("[NOTE Q3] ask legal", 500, "Q3"),
    ],
)
def test_a_note_says_how_important_it_is_and_what_about(line: str, importance: int, topic: str) -> None:
    """Models leave out one or the other; the note must be kept either way."""
    assert read_reply(f"Talk.\n{line}").moves == (Move("note", "ask legal", None, importance, topic),)


def test_private_notes_enter_no_prompt_and_others_do() -> None:
    """What a person keeps for itself must never be read by the panel."""
    debate = Debate("Move it?", PANEL, options=("Yes", "No"), settings=Settings(max_messages=8))
    with pytest.raises(UsageError, match="not begun"):
        debate.note("too early")
    seen: list[str] = []

    @debate.on(MessagePosted)
    def take(message: MessagePosted) -> None:
        if message.number == 2:
            debate.note("The zebra clause is void.", importance=900, topic="law")
            debate.note("Walter hides the giraffe memo.", private=True)
            with pytest.raises(UsageError, match="sits on the panel"):
                debate.note("I speak for him.", who="ruth")
        seen.append(debate.memory.full_context("Ruth").text + debate.memory.brief_context().text)

    debate.run_sync()
    assert "zebra" in seen[-1]
    assert not any("giraffe" in text for text in seen)
    assert [note.text for note in debate.memory.notes if note.topic == "law"] == ["The zebra clause is void."]
    assert debate.memory.parts.notes.about("zebra")[0].who == "you"
    assert any("giraffe" in note.text for note in debate.memory.parts.notes.all(private=True))


def test_memory_with_notes_is_the_same_after_a_load() -> None:
    """Notes lost in a save were lost for good elsewhere."""
    memory = ConversationMemory()
    memory.fold(
        MessagePosted(seq=1, number=1, who="Ann", text="x", moves=(Move("note", "call the bank", None, 300, "bank"),))
    )
    memory.fold(NoteTaken(seq=2, who="you", text="watch the rollback", importance=900, after=1, private=True))
    again = ConversationMemory.from_json(json.loads(json.dumps(memory.to_json())))
    assert again.notes == memory.notes == (Note(1, "Ann", "call the bank", 300, "bank"),)
    assert again.parts.notes.all(private=True) == memory.parts.notes.all(private=True)


@pytest.mark.parametrize(
    "wrong",
    [{"text": " "}, {"who": ""}, {"who": "x" * 200}, {"importance": 0}, {"importance": 1001}, {"topic": "t" * 200}],
)
def test_a_note_that_is_none_is_refused(wrong: dict[str, object]) -> None:
    """A log must hold no fact that cannot be read back."""
    with pytest.raises(UsageError):
        Noted(**{"text": "watch it", **wrong}).fact(DebateState(), ConversationMemory())  # type: ignore[arg-type]


def test_notes_are_taken_and_listed_from_the_terminal(eda: Eda, tmp_path: Path) -> None:
    """Whoever reads a session next week finds what was flagged, best first, and nothing else of it has changed."""
    with Session.read("one", tmp_path / "sessions") as session:
        before = [event for event in session.events() if not isinstance(event, NoteTaken)]
    eda("edit", "one", "--note", "Ask the bank about March", "--importance", "990", "--topic", "bank", "--as", "Kim")
    eda("edit", "one", "--note", "Ask the bank about March", "--importance", "20")
    eda("edit", "one", "--note", "Walter dodges", "--private")
    listed = eda("show", "one", "--notes").stdout.splitlines()
    assert listed[0] == "990\tm7\tKim\tbank\t\tAsk the bank about March"
    assert [line for line in listed if line.endswith("\tprivate\tWalter dodges")]
    assert "Walter dodges" not in eda("show", "--prompt", "Ruth", "one").stdout
    assert "Walter dodges" not in eda("show", "one", "--json").stdout
    with Session.read("one", tmp_path / "sessions") as session:
        assert [event for event in session.events() if not isinstance(event, NoteTaken)] == before
        assert memory_of(session).notes[0].importance == 990


def test_a_note_and_a_question_after_the_end_say_why_the_session_ended(eda: Eda) -> None:
    """Else its author believes that the panel still hears it."""
    for line in (("edit", "one", "--note", "Too late"), ("ask", "one", "Ruth", "Why?")):
        assert "then the panel voted): " in eda(*line).stderr, line
    assert not eda("ask", "one", "Ruth", "Why?", "--json").stderr


def test_nobody_takes_notes_in_the_name_of_who_was_seated_later(eda: Eda) -> None:
    """The panel would read a stranger's words as those of its new member."""
    eda("steer", "one", "--add", "economist")
    with Session.read("one", Path("sessions")) as session:
        newcomer = progress_of(session).members[-1]
    refused = eda("edit", "one", "--note", "x", "--as", newcomer, code=2)
    assert "sits on the panel" in refused.output


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("nope", "--note", "x"), 2, "unknown session"),
        (("one", "--note", ""), 2, "the note is empty"),
        (("one", "--note", "x", "--importance", "1001"), 2, "too large"),
        (("one", "--note", "x", "--as", "RUTH"), 2, "sits on the panel"),
        (("one", "n1", "--note", "y"), 2, "cannot be used together"),
        (("one", "--importance", "5"), 2, "say what to edit"),
    ],
)
def test_a_mistake_is_said_and_nothing_is_kept(eda: Eda, args: tuple[str, ...], code: int, says: str) -> None:
    """An error that does not say what to do leaves a person guessing."""
    assert says in eda("edit", *args, code=code).output


def test_a_note_waits_for_a_process_that_takes_none_and_is_never_refused(
    eda: Eda, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two writers of one log would tear it; and a thought that was refused is not typed again."""
    monkeypatch.setattr("eda.debate.control.socket._LOCK_SECONDS", 0.05)
    told: list[str] = []
    change = Noted("Mind the auditors.", "Ada")
    with ThreadPoolExecutor() as beside:
        with Session.open("one", tmp_path / "sessions") as writing:
            waiting = threading.Event()
            tell = lambda text: (told.append(text), waiting.set())  # noqa: E731 - two things in one call
            taken = beside.submit(changed_session, "one", tmp_path / "sessions", [change], tell)
            assert waiting.wait(60)
            assert not taken.done()
            assert writing.log.last_seq
        (fact,), running = taken.result(60)
    assert told == ["another process is writing one: this is done once it has finished; Ctrl-C gives it up"]
    assert (fact.type, running) == ("note_taken", False)
    assert "Mind the auditors." in eda("show", "one", "--notes").output
