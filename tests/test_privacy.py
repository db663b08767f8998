"""What is written stays with its owner: closed modes, no key on the disk, and copies without names."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from fake_anthropic import Fail, FakeAnthropic, Say
from in_turn import in_one

from eda import Debate
from eda.bus import MessageBus
from eda.cli import cli
from eda.debate.replay import memory_of, progress_of
from eda.events import BallotCast, MessagePosted, NoteTaken, SessionStarted
from eda.session import Session
from eda.session.redaction import Redaction, left_in

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
        folder = debate(tmp_path / "made", "--record")
        assert modes(tmp_path) == {"0o700"}  # the names of sessions are of their questions
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


SPELLED = (
    "Jane  Doe", "jane, not doe", "JANE DOE", "jane_doe", "jane-doe", "JaneDoe", "janedoe", "@jdoe", "janed", "J. Doe",
    "J.R. Doe", "Jane R. Doe", "Jane D.", "Doe, Jane", "Doe, J.", "J. D.", "Doe's", "Does", "Jane\u2019s",
    "jane.doe@acme.example",
    "JDoe@acme.example", "info@doe.example", "Jane\nDoe", "**Jane** Doe", "Jane\u200b Doe", "Ja\u0301ne Do\u00e9",
)  # fmt: skip


@in_one("spelled", SPELLED)
def test_one_person_has_one_name_however_it_is_spelled(spelled: str) -> None:
    """What a copy leaves of `jane_doe` or of an address tells who she is as her name does."""
    (text,) = redacted(f"I asked {spelled}: yes.", names=("Jane Doe",))
    left = text.replace("PersonB", "").replace("I asked ", "").replace(": yes.", "")
    assert "PersonB" in text
    assert not re.search("jane|doe|[jd]\\.|@.|r\\.", left, re.IGNORECASE), text


REPLACED = {
    "Jürgen Müller-Hartmann": (
        "J. M.-H.", "J.M.-H.", "J. M-H.", "J.M.-H", "J.M.H.", "J. M. H.", "J-M-H", "J.  M.-H.", "J.\nM.-H.",
        "J. M.\u2011H.", "J. M.\u00ad-H.", "J. M.-H.\u2019s", "M.-H., Jürgen", "M-H, Jürgen", "H-M, Jürgen", "M-H, J.",
        "Jürgen M.-H.", "Jürgen M-H", "Jürgen M. H.", "J. M.-Hartmann", "J. Müller-H.", "Müller-H., J.", "J. Hartmann",
        "Hartmann, Jürgen", "Müller-Hartmann, J.", "Müller-Hartmann's", "Müller", "Hartmann", "Müller\u2011Hartmann",
        "Mül\u00adler-Hart\u00admann", "Jürgen Müller-\nHartmann", "Jürgen  Müller - Hartmann",
        "Jurgen Muller-Hartmann", "JUERGEN MUELLER-HARTMANN", "jürgen müller-hartmann",
        "j.mueller-hartmann@acme.example", "@jmueller_hartmann", "juergen_mueller_hartmann",
    ),
    "Anne-Sophie Weiß-Löwe": (
        "A.-S. W.-L.", "A.S.W.L.", "A. S. W.-L.", "A.-S.W.-L.", "A.-S.\nW.-L.", "A.\u2011S. W.\u2011L.",
        "A.-S. W.-L.'s", "W.-L., A.-S.", "W.-L., Anne", "W-L, Anne-Sophie", "Anne W.-L.", "Anne-S. W.-L.",
        "Anne-Sophie W-L", "Anne\u2011Sophie W\u2011L", "A.-S. Weiß", "A.-S. Weiß-L.", "Weiss-Loewe, A.-S.",
        "Weis-Lowe", "ANNE-SOPHIE WEISS-LÖWE", "Weiss-Loewe", "Wei\u00adß-Lö\u00adwe",
        "as.weiss-loewe@acme.example", "anne_sophie_weiss_loewe",
    ),
}  # fmt: skip
LISTED = {
    "Jürgen Müller-Hartmann": (
        "JMH", "J M H", "J M-H", "JM-H", "jmh", "JMHs", "M-H", "M.-H", "M.H", "MH", "M\u2011H", "J.–M.–H", "j. m.-h",
        "m.-h", "J/M-H", "H.-M", "@jmh", "@j_m_h", "j_m_h", "jm-h@acme.example", "JuergenMH",
    ),
    "Anne-Sophie Weiß-Löwe": (
        "ASWL", "AS W-L", "A-S W-L", "AWL", "A. W.-L", "W-L", "A-S", "aswl", "a.-s. w.-l", "A_S_W_L", "W\u2011L",
        "a.w-l@acme.example",
    ),
}  # fmt: skip
WORDS = (
    "We saw all of it, as the law was.", "J", "Plan J. M", "Vitamin A, S, W, L", "options M, H and J", "J and M. H",
    "an A, as we saw", "As well as I", "all swallow walls", "m or h",
)  # fmt: skip


@in_one(("name", "spelled"), REPLACED.items())
def test_a_double_name_is_replaced_however_it_is_spelled(name: str, spelled: Sequence[str]) -> None:
    """`J. M.-H.` and `M-H, Jürgen` tell who it was as the whole name does."""
    for text in redacted(*(f"I asked {each}: yes." for each in spelled), names=(name,)):
        assert re.fullmatch(r"I asked @?PersonB(?:['’]s|\s)?: yes\.", text), text


@pytest.mark.parametrize("name", LISTED)
def test_initials_that_may_be_another_word_are_listed(name: str) -> None:
    """`M-H` may be something else, so a person decides; whoever is not told sends it away."""
    texts = tuple(f"I asked {spelled}: yes." for spelled in LISTED[name])
    redaction = Redaction(facts_of(*texts), names=(name,))
    facts = [redaction.of(fact) for fact in facts_of(*texts)]
    assert tuple(fact.text for fact in facts[1:]) == texts
    left = left_in(facts, {}, redaction.persons)
    for line, each in enumerate(LISTED[name], 2):
        assert f"events.jsonl:{line}" in left[each.removesuffix("s")], each


@pytest.mark.parametrize("name", LISTED)
def test_words_and_single_letters_are_no_initials(name: str) -> None:
    """A copy in which options and words have become persons says nothing any more."""
    redaction = Redaction(facts_of(*WORDS), names=(name,))
    facts = [redaction.of(fact) for fact in facts_of(*WORDS)]
    assert tuple(fact.text for fact in facts[1:]) == WORDS
    assert {*left_in(facts, {}, redaction.persons)} <= {"J. M", "M. H", "Vitamin A"}


@pytest.mark.parametrize(
    ("name", "text", "copy"),
    [
        ("Jürgen Müller", "Mueller or J. MÜLLER or jmueller", "PersonB or PersonB or PersonB"),
        ("Ana María López", "Ana Maria, amlopez", "PersonB, PersonB"),
        ("Sean O'Brien", "O\u2019Brien or OBrien", "PersonB or PersonB"),
        ("王小明", "昨天王小明说", "昨天PersonB说"),
        ("Мария Иванова", "мария, ИВАНОВА и М. Иванова", "PersonB, PersonB и PersonB"),
        ("Γιώργος Παπάς", "ο Γιώργος, ο Παπας", "ο PersonB, ο PersonB"),
        ("Jane Doe=Janie=JD", "Janie is JD", "PersonB is PersonB"),
    ],
)
def test_names_of_all_kinds_are_found(name: str, text: str, copy: str) -> None:
    """Umlauts are written as two letters, accents are left out, and some scripts have no spaces."""
    assert redacted(text, names=(name,)) == [copy]


def test_who_shares_a_name_is_not_taken_for_the_other() -> None:
    """`Doe agrees` would say that Jane did, though it may have been John."""
    names = ("Jane Doe", "John Doe")
    assert redacted("Jane Doe, then John Doe. Doe agrees", names=names) == ["PersonB, then PersonC. NameA agrees"]


def test_what_may_still_tell_somebody_is_listed() -> None:
    """Whoever sends the copy away must know that `Janie` and somebody's address still stand in it."""
    text = "Janie, Tomasz and JD wrote to a@b.example, @kim, +49 30 1234567. Ask Dr. Young. We agree."
    redaction = Redaction(facts_of(text), names=("Jane Doe",))
    facts = [redaction.of(fact) for fact in facts_of(text)]
    left = left_in(facts, {"report.md": "by Janie"}, redaction.persons)
    assert {*left} >= {"Janie", "Tomasz", "JD", "a@b.example", "@kim", "+49 30 1234567", "Dr. Young"}
    assert left["Janie"] == ["events.jsonl:2", "report.md"]
    assert not {"We", "PersonA", "agree"} & {*left}


def test_a_copy_of_a_panel_of_ones_own_can_be_read(tmp_path: Path) -> None:
    """A persona's name is no free text: a copy with a pseudonym in it could not be opened."""
    own = tmp_path / "own"
    own.mkdir()
    (own / "jane-doe.md").write_text("---\nname: jane-doe\ndescription: Jane Doe, finance.\n---\nYou are Jane Doe.\n")
    (own / "max.md").write_text("---\nname: max\ndescription: An engineer.\n---\nYou are Max Zyx: max@zyx.example.\n")
    (own / "panels").mkdir()
    (own / "panels" / "two.toml").write_text(
        'name = "two"\ntitle = "Two"\ndescription = "x"\nmembers = ["jane-doe", "max"]'
    )
    given = tmp_path / "jane_doe.md"
    given.write_text("jane.doe@acme.example asked Maximilian.")
    folder = tmp_path / "sessions"
    members = ("--panel", "two", "--personas-dir", own, "--context", given)
    debate(folder, *members, name="jane-doe-leaves")
    done = eda("redact", "jane-doe-leaves", "--names", "--sessions", folder, "--json")
    left = json.loads(done.stdout)["left"]
    assert done.exit_code == 1
    assert {"Zyx", "Maximilian"} <= {*left}
    with Session.read("redacted", folder) as copy:
        assert [each.name for each in copy.started().members] == ["membera", "memberb"]
        assert copy.started().documents[0].name == "MemberA.md"
    for path in (each for each in (folder / "redacted").iterdir() if each.name != "memory.json"):  # which is packed
        assert not re.search("jane|doe(?!s)|zyx.example", path.read_text("utf-8"), re.IGNORECASE), path
    assert eda("verify", "redacted", "--sessions", folder).exit_code == 0
    done = eda("redact", "jane-doe-leaves", "--names", "--checked", "--sessions", folder)
    assert done.exit_code == 0


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


LOOKS = """
from eda import Reply, ScriptedRunner

class Looks(ScriptedRunner):
    def __init__(self):
        super().__init__(lambda prompt: Reply('{"telling": ["the lighthouse", "MemberA of Mars", "nobody said so"]}'))
        self.summarises = True
"""


def test_a_model_may_look_at_a_copy_and_what_it_finds_is_listed_and_changes_nothing(tmp_path: Path) -> None:
    """No list of ours knows that there is one lighthouse: a reader may, and a person says what is to be done."""
    debate(tmp_path, "--option", "Go", "--option", "Wait")
    eda("edit", "one", "--note", "Ask whoever keeps the lighthouse", "--sessions", tmp_path)
    (tmp_path / "looks.py").write_text(LOOKS)
    args = ("redact", "one", "--names", "--sessions", tmp_path, "--runner", f"{tmp_path}/looks.py:Looks")
    done = eda(*args, "--to", "copy", "--json")
    assert done.exit_code == 1, done.output
    with Session.read("copy", tmp_path) as copy:
        (note,) = (event for event in copy.events() if isinstance(event, NoteTaken))
    left = json.loads(done.stdout)["left"]
    assert left["the lighthouse"] == [f"events.jsonl:{note.seq}"]
    assert {"MemberA of Mars", "nobody said so"}.isdisjoint(left)  # what stands nowhere is nobody's name
    assert note.text == "Ask whoever keeps the lighthouse"
    refused = eda("redact", "one", "--names", "--sessions", tmp_path, "--runner", "simulated", "--to", "other")
    assert (refused.exit_code, (tmp_path / "other").exists()) == (2, False)


def test_a_look_that_fails_is_told(tmp_path: Path, fake: FakeAnthropic, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that nobody has looked at would be passed on as one that was."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
    debate(tmp_path, "--option", "Go", "--option", "Wait", "--runner", "simulated")
    fake.play(Say("I would rather not."), Say("No."))
    done = eda("redact", "one", "--names", "--sessions", tmp_path, "--runner", "anthropic", "--checked")
    assert done.exit_code == 1
    assert "error: " in done.stderr
