"""What is written stays with its owner: closed modes, no key on the disk, and copies without names."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from fake_anthropic import Fail, FakeAnthropic, Say

from eda import Debate
from eda.bus import MessageBus
from eda.cli import cli
from eda.debate.replay import memory_of, progress_of
from eda.events import BallotCast, MessagePosted, NoteTaken, SessionStarted
from eda.session import Session
from eda.session.redaction import Redaction

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes of this kind")


def eda(*args: object):
    return CliRunner().invoke(cli, [str(arg) for arg in args], catch_exceptions=False)


def debate(folder: Path, *args: str, name: str = "one") -> Path:
    done = eda("debate", "Ship it?", "--session", name, "--sessions", folder, "--max-messages", 8, "--quiet", *args)
    assert done.exit_code == 0, done.output
    return folder / name


def modes(folder: Path) -> set[str]:
    return {oct(stat.S_IMODE(path.stat().st_mode)) for path in folder.iterdir()}


@POSIX
def test_a_session_is_its_owners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a shared machine everybody could read what a board discussed."""
    umask = os.umask(0)
    try:
        folder = debate(tmp_path, "--record")
        assert {path.name for path in folder.iterdir()} >= {"events.jsonl", "calls.jsonl", "memory.json", "report.md"}
        assert (oct(stat.S_IMODE(folder.stat().st_mode)), modes(folder)) == ("0o700", {"0o600"})
        monkeypatch.setenv("EDA_UMASK", "027")
        folder = debate(tmp_path, "--record", name="two")
        assert (oct(stat.S_IMODE(folder.stat().st_mode)), modes(folder)) == ("0o750", {"0o640"})
    finally:
        os.umask(umask)
    monkeypatch.setenv("EDA_UMASK", "u=rwx")
    done = eda("debate", "Ship it?", "--sessions", tmp_path)
    assert done.exit_code == 2
    assert "EDA_UMASK is 'u=rwx'" in done.stderr


@POSIX
async def test_the_control_socket_is_its_owners(tmp_path: Path) -> None:
    """Another user could steer a running debate."""
    from eda.debate.control.socket import control_socket

    with Session.create("one", tmp_path) as session:
        running = Debate("Ship it?", "architecture-review", "simulated", session=session)
        async with control_socket(running):
            assert stat.S_IMODE((tmp_path / "one" / ".door").stat().st_mode) == 0o600


KEY = "sk-ant-not-a-key-4711"


def test_the_key_is_never_written(tmp_path: Path, fake: FakeAnthropic, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session that is sent to a colleague would pay for the colleague's debates."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
    fake.play(*[Say("I hold that we ship it.")] * 6, Fail(400, "invalid_request_error", f"bad key {KEY}"))
    args = ("debate", "Ship it?", "--runner", "anthropic", "--record", "--session", "one", "--sessions", tmp_path)
    eda(*args, "--max-messages", "4", "--option", "Yes", "--option", "No")
    written = [path for path in (tmp_path / "one").iterdir() if path.is_file()]
    assert {"events.jsonl", "calls.jsonl"} <= {path.name for path in written}
    assert not [path.name for path in written if KEY.encode() in path.read_bytes()]


# Names


def test_a_copy_without_names_is_the_same_debate(tmp_path: Path) -> None:
    """A debate that teaches something could not be shown to anybody outside."""
    debate(tmp_path, "--option", "Go", "--option", "Wait")
    eda("edit", "one", "--note", "Ask Jane Doe and RUTH about it", "--as", "Anna", "--sessions", tmp_path)
    done = eda("redact", "one", "--names", "--name", "Jane Doe", "--to", "copy", "--sessions", tmp_path)
    assert done.exit_code == 0, done.output
    with Session.read("one", tmp_path) as old, Session.read("copy", tmp_path) as new:
        members = [member.title for member in old.started().members]
        (note,) = (event for event in new.events() if isinstance(event, NoteTaken))
        before, after = memory_of(old), memory_of(new)
        verdicts = progress_of(old).verdict, progress_of(new).verdict
        facts = [event.type for event in old.events()] == [event.type for event in new.events()]
    assert facts
    assert "Anna" not in note.who
    assert "Jane" not in note.text
    for path in (tmp_path / "copy").iterdir():
        if path.suffix in (".md", ".json", ".jsonl"):
            content = path.read_text("utf-8")
            assert not [name for name in (*members, "Jane", "Anna") if f"{name} " in content or f'"{name}"' in content]
    pseudonyms = {f"Member{'ABCDEFG'[place]}" for place in range(len(members))}
    assert {proposal.proposer for proposal in after.proposals} <= pseudonyms
    assert [item.id for item in after.proposals] == [item.id for item in before.proposals]
    assert [len(item.reactions) for item in after.proposals] == [len(item.reactions) for item in before.proposals]
    assert [len(voters) for voters in verdicts[0].tally.values()] == [
        len(voters) for voters in verdicts[1].tally.values()
    ]


def facts_of(*texts: str, who: str = "Jo") -> list:
    with Session.in_memory() as session:
        bus = MessageBus(session.log)
        bus.publish(SessionStarted(session="x", kind="transcript"))
        for number, text in enumerate(texts, 1):
            bus.publish(MessagePosted(number=number, who=who, text=text))
        return list(session.events())


def redacted(*texts: str, names: tuple[str, ...], who: str = "Jo") -> list[str]:
    facts = facts_of(*texts, who=who)
    redaction = Redaction(facts, names=names)
    return [redaction.of(fact).text for fact in facts[1:]]


def test_a_name_is_replaced_in_any_case_but_not_within_a_word() -> None:
    """`truth` would become `tMemberA`, and `JANE` would be read."""
    assert redacted("The truth, Ruth: RUTH's", names=("Ruth",)) == ["The truth, PersonB: PersonB's"]
    assert redacted("Ask Jo. A jo is a sweetheart.", names=()) == ["Ask PersonA. A jo is a sweetheart."]
    assert redacted("Will will go", names=("Will",)) == ["PersonB will go"]
    assert redacted("Ask José", names=("Jose\u0301",)) == ["Ask PersonB"]


def test_a_part_of_a_name_is_replaced_unless_it_is_a_word() -> None:
    """`Chen agrees` would tell who it was; `PersonB is at risk` for `security is at risk` would say nothing."""
    texts = ("Chen agrees: security is at risk", "Security Engineer, you are right")
    assert redacted(*texts, names=("Mei Chen", "Security Engineer")) == [
        "PersonB agrees: security is at risk",
        "PersonC, you are right",
    ]


def test_an_id_made_of_an_offset_moves_with_the_text() -> None:
    """A ballot for `p1@9` would be one for nothing."""
    assert redacted("Jonathan, I propose we go", "[SUPPORT p1@10] yes", names=("Jonathan",))[1] == "[SUPPORT p1@9] yes"


def test_the_spans_that_others_do_not_see_move_with_the_text(tmp_path: Path) -> None:
    """Half of a move line would stand in the transcript."""
    debate(tmp_path)
    with Session.read("one", tmp_path) as session:
        facts = list(session.events())
    redaction = Redaction(facts)
    for fact in facts:
        new = redaction.of(fact)
        if isinstance(new, MessagePosted):
            assert new.talk == redaction.text(fact.talk)
        if isinstance(new, BallotCast):
            assert new.ballot.agent.startswith("Member")


def test_what_is_left_of_a_name_is_told(tmp_path: Path) -> None:
    """Whoever sends the copy away must know that `Mayas` still stands in it."""
    debate(tmp_path)
    eda("edit", "one", "--note", "x", "--sessions", tmp_path)
    facts = facts_of("The Ruths agree")
    redaction = Redaction(facts, names=("Ruth",))
    assert redaction.left([redaction.of(fact) for fact in facts]) == {"Ruth": ["m1"]}


def test_a_redaction_says_what_it_wants(tmp_path: Path) -> None:
    """A copy with all names in it would be taken for one without."""
    debate(tmp_path)
    for args, reason in (
        (("one",), "say what to replace"),
        (("one", "--name", " "), "a name to replace is empty"),
        (("onne", "--names"), "unknown session 'onne'"),
        (("one", "--names", "--to", "one"), "exists already"),
    ):
        done = eda("redact", *args, "--sessions", tmp_path)
        assert (done.exit_code, reason in done.stderr) == (2, True), done.output
