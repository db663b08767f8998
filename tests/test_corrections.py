"""A person's hand in memory: struck or reworded, kept in the log, and never on the wrong item."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner
from folded import debated, posted, recorded

from eda import Debate, Session, Settings
from eda.cli import cli
from eda.debate.control.changes import Corrected, steer
from eda.debate.replay import memory_of, progress_of, read_back, save_memory
from eda.errors import UnknownNameError, UsageError
from eda.events import MemoryCorrected, PhaseStarted
from eda.memory import ConversationMemory
from eda.voting import slate

TALK = (
    ("Maya", "We should act.\n[PROPOSE] Freeze hiring in March"),
    ("Tomas", "I would rather not.\n[PROPOSE] Hire two engineers\n[NOTE 700] The bank contract ends in March."),
    ("Petra", "Yes to that.\n[SUPPORT p2.0]"),
)


def corrects(memory: ConversationMemory, item: str, was: str, text: str = "", by: str = "Ada") -> None:
    memory.fold(MemoryCorrected(seq=memory.seq + 1, item=item, was=was, text=text, by=by, after=3))


def test_a_reworded_proposal_reads_so_everywhere_and_says_by_whom() -> None:
    """A panel that goes on arguing about a misheard sentence wastes the rest of the debate."""
    memory = debated(*TALK)
    corrects(memory, "p1.0", "Freeze hiring in March", "Freeze hiring in May")
    found = next(each for each in memory.proposals if each.id == "p1.0")
    assert (found.content, found.corrected, found.status) == ("Freeze hiring in May", "Ada", "active")
    section = memory.full_context("Petra").section("table")
    assert section is not None
    assert '[corrected by Ada]: "Freeze hiring in May"' in section.text
    assert "Freeze hiring in March" not in section.text
    assert "Freeze hiring in May" in [text.text for text in slate("What now?", (), memory.motions).texts]
    assert memory.agents["Maya"].key_contributions == ("proposed: Freeze hiring in May",)


def test_a_struck_proposal_is_in_no_context_and_on_no_ballot() -> None:
    """What a person says was never proposed must not win the vote."""
    memory = debated(*TALK)
    corrects(memory, "p2.0", "Hire two engineers")
    found = next(each for each in memory.proposals if each.id == "p2.0")
    assert (found.status, found.corrected) == ("struck", "Ada")
    section = memory.full_context("Petra").section("table")
    assert section is not None
    assert "Hire two engineers" not in section.text
    assert "Closed: p2.0 struck by Ada" in section.text
    assert "Hire two engineers" not in [text.text for text in slate("What now?", (), memory.motions).texts]
    assert memory.agents["Tomas"].key_contributions == ()
    memory.fold(posted(4, "Maya", "I am for it.\n[SUPPORT p2.0]"))
    assert next(each for each in memory.proposals if each.id == "p2.0").status == "struck"


def test_striking_an_amendment_puts_the_proposal_back() -> None:
    """The amendment was none, so what it replaced stands again."""
    memory = debated(TALK[0], ("Tomas", "Better so.\n[AMEND p1.0] Freeze hiring until June"))
    corrects(memory, "p2.0", "Freeze hiring until June")
    first = next(each for each in memory.proposals if each.id == "p1.0")
    assert (first.status, first.amended_by) == ("active", None)
    assert [each.id for each in memory.active] == ["p1.0"]


def decided() -> tuple[ConversationMemory, str]:
    memory = recorded(
        ("Maya", "I propose that we freeze hiring in March."),
        ("Tomas", "We have decided to freeze hiring in March."),
        ("Petra", "I agree with the decision to freeze hiring in March."),
    )
    return memory, memory.decisions[-1].id


def test_a_struck_decision_is_none_and_opens_what_it_settled() -> None:
    """A decision that nobody made, kept in front of everybody, ends a debate that has not begun."""
    memory, key = decided()
    corrects(memory, key, memory.decisions[-1].outcome)
    assert memory.decisions[-1].status == "struck"
    assert key not in memory.table().text
    assert all(proposal.status != "accepted" for proposal in memory.proposals)


def test_a_reworded_decision_is_shown_as_it_should_read() -> None:
    """The figure in a decision is what people act on."""
    memory, key = decided()
    corrects(memory, key, memory.decisions[-1].outcome, "freeze hiring in May", "Bea")
    section = memory.full_context().section("table")
    assert section is not None
    assert "freeze hiring in May" in section.text
    assert "corrected by Bea]" in section.text


def test_a_note_is_corrected_and_struck_by_its_id() -> None:
    """A wrong date with importance 700 is shown with every prompt."""
    memory = debated(*TALK)
    (note,) = memory.notes
    assert note.id == "n1"
    corrects(memory, "n1", note.text, "The bank contract ends in May.")
    assert [(each.text, each.corrected) for each in memory.notes] == [("The bank contract ends in May.", "Ada")]
    assert memory.parts.notes.about("When does the contract end in May?")
    corrects(memory, "n1", "The bank contract ends in May.")
    assert memory.notes == ()
    assert memory.parts.notes.about("When does the bank contract end?") == ()
    memory.fold(posted(4, "Maya", "Once more.\n[NOTE 300] Rent is due on Friday"))
    assert [each.id for each in memory.notes] == ["n2"]


@pytest.mark.parametrize("item", ["p1.0", "p9@17", "d4.0", "n1", "nonsense"])
def test_a_correction_of_what_is_not_there_any_more_changes_nothing(item: str) -> None:
    """Better patterns number found items otherwise; a correction must not hit the one that took the number."""
    memory = debated(*TALK)
    before = (memory.proposals, memory.decisions, memory.notes)
    corrects(memory, item, "Something that nobody said")
    assert (memory.proposals, memory.decisions, memory.notes) == before


def test_corrections_survive_the_export_and_hearing_on() -> None:
    """Whoever resumes next week must find the correction, not the error."""
    memory = debated(*TALK)
    corrects(memory, "p1.0", "Freeze hiring in March", "Freeze hiring in May")
    corrects(memory, "p2.0", "Hire two engineers")
    corrects(memory, "n1", "The bank contract ends in March.")
    again = ConversationMemory.from_json(memory.to_json())
    assert again.to_json() == memory.to_json()
    assert again.proposals == memory.proposals
    assert again.notes == ()
    for each in (memory, again):
        each.fold(PhaseStarted(seq=9, phase="closing"))
        each.fold(posted(4, "Maya", "So be it.\n[SUPPORT p1.0] [SUPPORT p2.0]"))
    assert again.to_json() == memory.to_json()


def test_an_export_of_an_older_program_is_read() -> None:
    """A session of last month opens, with nothing corrected in it."""
    memory = debated(*TALK)
    data = memory.to_json()
    state = data["minutes"]["state"]
    for row in (*state["proposals"].values(), *state.get("decisions", {}).values(), *data["notes"]["notes"]):
        assert row.keys().isdisjoint(["corrected", "struck"])
    again = ConversationMemory.from_json(data)
    assert again.proposals == memory.proposals
    assert [note.id for note in again.notes] == ["n1"]


@pytest.fixture(scope="module")
def held(folder: Path) -> Path:
    """The folder of a session, which is held once and copied for each test."""
    with Session.create("one", folder) as made:
        Debate("What should we do next?", session=made, settings=Settings(max_messages=14, answer="list")).run_sync()
    return folder / "one"


@pytest.fixture
def session(held: Path, tmp_path: Path) -> str:
    copytree(held, tmp_path / "one")
    return "one"


def test_a_saved_session_is_corrected_and_keeps_what_it_was(session: str, tmp_path: Path) -> None:
    """The log must be able to say who changed what, and from what."""
    with Session.open(session, tmp_path) as opened:
        first = memory_of(opened).proposals[0]
        steer(opened, [Corrected(first.id, "Do  nothing\nat all", "Ada")])
        fact = list(opened.events())[-1]
        assert isinstance(fact, MemoryCorrected)
        assert (fact.was, fact.text, fact.by) == (first.content, "Do nothing at all", "Ada")
        exported = memory_of(opened).to_json()
        (tmp_path / session / "memory.json").unlink()
        assert memory_of(opened).to_json() == exported
        assert memory_of(opened).proposals[0].content == "Do nothing at all"
        assert progress_of(opened).state == "ended"
        save_memory(opened, *read_back(opened))
        with pytest.raises(UsageError, match="reads so already"):
            steer(opened, [Corrected(first.id, "Do nothing at all", "Ada")])
        with pytest.raises(UnknownNameError, match="unknown item 'p99"):
            steer(opened, [Corrected("p99.0", "x", "Ada")])


def test_the_command(session: str, tmp_path: Path) -> None:
    """Whoever reads the minutes and finds an error fixes it where they are."""

    def eda(*args: str) -> tuple[int, str]:
        done = CliRunner().invoke(cli, [*args, "--sessions", str(tmp_path)], prog_name="eda")
        return done.exit_code, done.output

    with Session.read(session, tmp_path) as opened:
        memory = memory_of(opened)
        adopted = {each.proposal for each in memory.decisions}
        key = next(each.id for each in memory.proposals if each.id not in adopted)
    assert eda("edit", session, key, "Do nothing", "--as", "Ada")[0] == 0
    shown = eda("show", session)[1]
    assert f"{key} corrected by Ada: Do nothing" in shown
    assert eda("edit", session, key, "--strike")[0] == 0
    assert f"{key} struck by the person at the table" in eda("show", session)[1]
    code, output = eda("edit", session, "p77.0", "x")
    assert code == 2
    assert "unknown item 'p77.0'" in output
    assert "hint: " in output
    assert eda("edit", session, key)[0] == 2
    assert eda("edit", session, key, "x", "--strike")[0] == 2


def test_adopted_words_stay_and_a_correction_stands_beside_them(session: str, tmp_path: Path) -> None:
    """Five people voted for one text, and the minutes say that they adopted another."""
    with Session.open(session, tmp_path) as opened:
        memory, progress = memory_of(opened), progress_of(opened)
        assert progress.verdict is not None
        before = [(each.id, each.status, each.outcome) for each in memory.decisions]
        first = next(each for each in memory.decisions if each.status == "decided" and each.proposal)
        old = next(each for each in memory.proposals if each.id == first.proposal)
        for item, text in ((first.id, "Wait for the spring"), (old.id, "Wait for the autumn")):
            steer(opened, [Corrected(item, text, "Ada")])
        memory = memory_of(opened)
        assert [(each.id, each.status, each.outcome) for each in memory.decisions] == before
        assert next(each for each in memory.proposals if each.id == old.id).content == old.content
        new = {each.content: each for each in memory.proposals if each.proposer == "Ada"}
        assert [(each.amends, each.status) for each in new.values()] == [(old.id, "active")] * 2
        (motion,) = (each for each in memory.motions if old.id in [text.id for text in each.versions])
        assert not {"Ada"} & {who for text in motion.versions for who in text.backers("support")}
        assert "Ada" not in memory.agents
        ids = [each.id for each in new.values()]
        assert set(ids) <= {each.id for each in slate("?", (), memory.motions).texts}
        Debate.resume(opened, settings={"max_messages": 20}).run_sync()
        memory, again = memory_of(opened), progress_of(opened).verdict
        assert again is not None
        assert set(ids) <= {each.id for each in again.offered}
        assert again.outcome != progress.verdict.outcome or again.accepted != progress.verdict.accepted
        assert next(each for each in memory.decisions if each.id == first.id).status == "superseded"
        for decision in (each for each in memory.decisions if each.status == "decided" and each.proposal):
            assert set(decision.supporters) == set(again.accepted[decision.proposal or ""])
    shown = CliRunner().invoke(cli, ["show", session, "--sessions", str(tmp_path)], prog_name="eda").output
    assert shown.count("verdict then: ") == 1


def test_a_correction_that_reads_as_another_text_joins_it(session: str, tmp_path: Path) -> None:
    """Two texts with the same words on one ballot would split its votes."""
    with Session.open(session, tmp_path) as opened:
        memory = memory_of(opened)
        decided = [each.proposal for each in memory.decisions if each.status == "decided" and each.proposal]
        other = next(each for each in memory.proposals if each.id not in decided and each.status != "struck")
        steer(opened, [Corrected(decided[0] or "", other.content.upper(), "Ada")])
        after = memory_of(opened)
        assert len(after.proposals) == len(memory.proposals)
        assert next(each for each in after.proposals if each.id == other.id).status == "active"
