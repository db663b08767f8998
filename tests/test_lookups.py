"""What a member looks up before it speaks: shown to it, a fact for all, cited and checked, and paid for once."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import random
import signal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from eda import (
    AgentListener,
    ConversationMemory,
    Debate,
    Document,
    EvidenceFound,
    Library,
    MessageBus,
    MessagePosted,
    Prompt,
    Reply,
    ScriptedRunner,
    Session,
    Settings,
    TurnPassed,
    Usage,
    read_documents,
)
from eda.cli import cli
from eda.debate.prompts.lookups import MOST, may_be_lookup, words_of
from eda.debate.speech import ShownText
from eda.events import CallMade, Event, Evidence, SessionPaused, SessionResumed
from eda.runners.protocol import OnText
from eda.runners.recorded import RecordedRunner, RecordingRunner
from eda.session.journal import Journal

QUESTION = "Should we sign the contract with the new supplier?"
FEE = "The supplier may raise the rental fee of pallets by 9 % a year."
PANEL = [Library().persona(name) for name in ("sceptic", "historian", "fact-checker")]
WHO = PANEL[2].title
FLAT = Settings(max_messages=9, floor="round-robin", first_vote=False)


def contract() -> Document:
    """A PDF of 400 pages, one of which says something."""
    draw = random.Random(5)
    words = ["".join(draw.choices("bcdfgaeiou", k=6)) for _ in range(900)]
    pages = [" ".join(draw.choices(words, k=60)) + "." for _ in range(400)]
    pages[136] = FEE
    return Document("contract.pdf", "\n".join(pages), "page", tuple((n, str(n)) for n in range(1, 401)))


CONTRACT = contract()


def said(prompt: Prompt) -> str:
    """Another sentence at each call."""
    draw = random.Random(f"{prompt.agent}{prompt.nth}")
    return " ".join("".join(draw.choices("bcdfgaeiou", k=7)) for _ in range(9)) + "."


def answer(prompt: Prompt) -> str:
    """Look the fee up at each turn of the fact-checker, and cite it."""
    if prompt.purpose == "ballot":
        return '{"choice": "Yes", "reason": "so"}'
    if prompt.purpose != "speak":
        return "{}"
    if prompt.agent != WHO:
        return said(prompt)
    if prompt.attempt == 1:
        return "Let me check.\n[LOOKUP rental fee of pallets]"
    found = prompt.own.rpartition("You looked up")[2].partition(", contract.pdf p. 137:")[0].rsplit(None, 1)[-1]
    return f'{said(prompt)} "The supplier may raise the rental fee of pallets" ({found}).'


class Counted:
    """Answers for money, and writes down each call."""

    spec = "counted"
    summarises = False

    def __init__(self, asked: Path) -> None:
        self._asked = asked

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        with self._asked.open("a") as file:
            file.write(f"{prompt.key}\n")
        return Reply(answer(prompt), None, Usage(900, 90, cost=0.01), "a-model")


def begun(runner: object, session: Session | None = None, **more: Any) -> Debate:
    return Debate(QUESTION, PANEL, runner, documents=(CONTRACT,), settings=FLAT, session=session, **more)


def of(debate: Debate, kind: type) -> list[Any]:
    return [event for event in debate.session.events() if isinstance(event, kind)]


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a session in which a member looks things up."""
    folder = tmp_path_factory.mktemp("held")
    with Session.create("s", folder) as session:
        runner = RecordingRunner(Counted(folder / "asked.txt"), folder / "calls.jsonl")
        asyncio.run(begun(runner, session).run())
    return folder


def facts(folder: Path, name: str = "s") -> list[Event]:
    with Session.read(name, folder) as session:
        return [event for event in session.events() if not isinstance(event, SessionPaused | SessionResumed)]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("[LOOKUP rental fee]", "rental fee"),
        ("**[Lookup: rental fee]**", "rental fee"),
        ("> [LOOK UP] rental fee", "rental fee"),
        ("I must check this first.\n\n[LOOKUP rental fee]\n[LOOKUP ferries]", "rental fee"),
        ("[LOOKUP]", ""),
        ("The fee is high, and [LOOKUP fee] is what I would do.", ""),
        (
            "We should wait until the harbour has said what a crane costs in winter, and then decide.\n[LOOKUP crane]",
            "",
        ),
        ("[PROPOSE] Look up the fee.", ""),
    ],
)
def test_a_lookup_is_told_from_a_speech(reply: str, words: str) -> None:
    """A speech would be swallowed, or a tag be posted as one."""
    assert words_of(reply) == words


def test_a_member_is_shown_what_it_looks_up_and_cites_it(held: Path) -> None:
    """The page must reach the member, the log and everybody who hears it cited."""
    events = facts(held)
    found = [event for event in events if isinstance(event, EvidenceFound)]
    assert found[0].who == WHO
    assert found[0].words == "rental fee of pallets"
    assert (found[0].found[0].id, found[0].found[0].source) == ("e13", "contract.pdf p. 137")
    rows = [json.loads(line) for line in (held / "calls.jsonl").read_text().splitlines()]
    speeches = [row for row in rows if row["key"][0] == "speak"]
    asked_again = next(row for row in speeches if row["key"][1] == WHO and row["attempt"] == 2)
    assert f"e13, contract.pdf p. 137:\n    {FEE}\n" in asked_again["prompt"]
    assert "To look something up first" in asked_again["prompt"]
    cited = next(event for event in events if isinstance(event, MessagePosted) and event.who == WHO)
    assert "LOOKUP" not in cited.text
    others = [row["prompt"] for row in speeches if row["key"][1] != WHO and row["last"] >= cited.number]
    assert f'  cites e13, contract.pdf p. 137: "{FEE}' in others[-1]
    assert "does not say" not in others[-1]


def test_readers_see_the_evidence(held: Path) -> None:
    """A claim whose page only the member saw proves nothing to a reader."""
    told = {}
    for command in (["show", "-v"], ["report"], ["show", "--json"]):
        done = CliRunner().invoke(cli, [command[0], "s", *command[1:], "--sessions", str(held)])
        assert done.exit_code == 0, done.output
        told[" ".join(command)] = done.stdout
    assert f'{WHO} looks up "rental fee of pallets": e13 contract.pdf p. 137' in told["show -v"]
    assert "cites e13, contract.pdf p. 137" in told["show -v"]
    assert "## Evidence that members looked up" in told["report"]
    assert f"**e13**, contract.pdf p. 137: “{FEE}" in told["report"]
    page = (held / "s" / "report.html").read_text(encoding="utf-8")
    assert f"<b>e13</b>, contract.pdf p. 137: <q>{FEE}" in page
    assert "(in part: 400 pages, looked up as needed)" in told["report"]
    assert json.loads(told["show --json"])["evidence"][0]["source"] == "contract.pdf p. 137"


def test_a_replay_finds_every_reply_and_makes_the_same_facts(held: Path) -> None:
    """A recording with a lookup in it could not be shown."""
    runner = RecordedRunner(held / "calls.jsonl")
    replay = begun(runner)
    replay.run_sync()
    assert runner.differences == []
    assert of(replay, EvidenceFound)
    assert [event.model_dump(exclude={"seq", "at"}) for event in of(replay, EvidenceFound | MessagePosted)] == [
        event.model_dump(exclude={"seq", "at"})
        for event in facts(held)
        if isinstance(event, EvidenceFound | MessagePosted)
    ]


def test_a_kill_between_a_lookup_and_the_speech_costs_no_call(held: Path, tmp_path: Path) -> None:
    """What was looked up would be paid for twice."""
    process = multiprocessing.get_context("fork").Process(target=_die, args=(tmp_path,))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert "[LOOKUP" in (tmp_path / "s" / "journal.jsonl").read_text()
    assert not any(isinstance(event, EvidenceFound) for event in facts(tmp_path))
    with Session.open("s", tmp_path) as session:
        asyncio.run(Debate.resume(session, Counted(tmp_path / "asked.txt")).run())
    asked = (tmp_path / "asked.txt").read_text().splitlines()
    assert len(asked) == len(set(asked))
    before, after = (
        [event.model_dump(exclude={"seq", "at"}) for event in facts(folder) if not isinstance(event, CallMade)]
        for folder in (held, tmp_path)
    )
    assert after == before


def _die(folder: Path) -> None:
    add = Journal.add

    async def add_and_die(self: Journal, row: Any) -> None:
        await add(self, row)
        if "[LOOKUP" in row["text"]:
            os.kill(os.getpid(), signal.SIGKILL)

    Journal.add = add_and_die  # type: ignore[method-assign]
    with Session.create("s", folder) as session:
        asyncio.run(begun(Counted(folder / "asked.txt"), session).run())


async def test_a_third_lookup_is_no_turn() -> None:
    """A member that only looks things up would never end its turn."""
    asked: list[Prompt] = []

    def again(prompt: Prompt) -> str:
        asked.append(prompt)
        return "[LOOKUP fee of pallets]" if (prompt.purpose, prompt.agent) == ("speak", WHO) else answer(prompt)

    debate = begun(ScriptedRunner(again))
    await debate.run()
    passed = next(event for event in of(debate, TurnPassed) if event.who == WHO)
    assert "you have looked something up 2 times in this turn" in passed.fault
    first = [prompt for prompt in asked if (prompt.purpose, prompt.agent) == ("speak", WHO)][: MOST + 2]
    assert [prompt.attempt for prompt in first] == [1, 2, 3, 4]
    assert "Or look up one more thing first." in first[1].own
    assert "Or look up one more thing first." not in first[2].own.rpartition("You looked up")[2]
    found = of(debate, EvidenceFound)
    assert len(found) > MOST
    assert {event.found for event in found} == {found[0].found}, "a passage keeps its id"


async def test_members_who_write_at_the_same_time_number_their_evidence_apart() -> None:
    """`e1` of one would be read as `e1` of the other."""

    def both(prompt: Prompt) -> str:
        looks = prompt.purpose == "speak" and prompt.stage == "opening" and prompt.attempt == 1
        return "[LOOKUP fee of pallets]" if looks else said(prompt) if prompt.purpose == "speak" else answer(prompt)

    debate = begun(ScriptedRunner(both))
    await debate.run()
    found = of(debate, EvidenceFound)
    assert [event.who for event in found] == [persona.title for persona in PANEL]
    ids = [each.id for event in found for each in event.found]
    assert len(ids) == len(set(ids))


async def test_only_who_has_something_to_look_up_is_told_of_it() -> None:
    """A call for nothing costs as much as one for something."""
    asked: list[Prompt] = []

    def note(prompt: Prompt) -> str:
        asked.append(prompt)
        return said(prompt) if prompt.purpose == "speak" else answer(prompt)

    short = Document("memo.md", FEE)
    await Debate(QUESTION, PANEL, ScriptedRunner(note), documents=(short,), settings=FLAT).run()
    assert not any("[LOOKUP words]" in prompt.own for prompt in asked)
    assert FEE in "".join(asked[0].shared)


async def test_earlier_messages_and_notes_are_looked_up() -> None:
    """What left the window would be lost to who needs it."""
    prompts: list[Prompt] = []

    def answered(prompt: Prompt) -> str:
        prompts.append(prompt)
        return "[LOOKUP crane harbour]" if prompt.attempt == 1 else "The crane carries 40 tons, as e1 says."

    bus = MessageBus()
    ConversationMemory().attach(bus)
    listener = AgentListener(PANEL[0], ScriptedRunner(answered)).join(bus)
    await bus.say("Ana", "The crane of the harbour carries 40 tons.\n[NOTE 900 crane] The crane rests in winter.")
    for number in range(90):
        await bus.say("Ben" if number % 2 else "Ana", f"{said(Prompt(purpose='speak', nth=number))} " * 4)
    await listener.speak()
    found = next(event for event in bus.facts() if isinstance(event, EvidenceFound))
    assert found.found[0].source.startswith("m1")
    assert "The crane of the harbour carries 40 tons." in found.found[0].text
    assert "note n1" in [each.source for each in found.found]
    assert prompts[0].lines[0].number > 1


def test_a_citation_is_checked(tmp_path: Path) -> None:
    """A member could put words into a document."""
    memory = ConversationMemory()
    memory.fold(EvidenceFound(who="Ana", words="fee", found=(Evidence(id="e1", source="a.pdf p. 7", text=FEE),)))
    texts = (
        'Mind e1: "raise the *rental* fee of pallets" is what it says.',
        'It says "the fee of pallets is fixed for good" (e1).',
        "As e1 and e4 say.",
        "Nobody cites model3.e1x or file.e1.",
    )
    for number, text in enumerate(texts, 1):
        memory.fold(MessagePosted(number=number, who="Ana", text=text))
    shown = [each.partition("\n")[2].split("\n  ") for each in memory.parts.recent.texts(1, 4)]
    assert shown[0] == [f'  cites e1, a.pdf p. 7: "{FEE}"']
    assert shown[1] == ["  cites e1, a.pdf p. 7", 'e1 does not say "the fee of pallets is fixed for good"']
    assert shown[2] == ["  cites e1, a.pdf p. 7", "cites e4, which nobody has found"]
    assert shown[3] == [""]
    memory.save(tmp_path / "memory.json")
    loaded = ConversationMemory.load(tmp_path / "memory.json")
    assert loaded.parts.evidence == memory.parts.evidence
    assert loaded.parts.evidence.used[0].messages == (1, 2, 3)


def test_nothing_of_a_lookup_is_streamed() -> None:
    """A reader would see half a tag, and then another message."""
    for text, streamed in (
        ("[LOOKUP the fee of all pallets there are]", ""),
        ("[L", ""),
        ("[Let] us go.", "[Let] us go."),
    ):
        shown: list[str] = []
        view = ShownText(shown.append)
        for letter in f"{text}\n":
            view(letter)
        assert "".join(shown).strip() == streamed
    assert may_be_lookup("**[look")
    assert not may_be_lookup("")


@pytest.fixture
def skills(tmp_path: Path) -> Path:
    """A folder of skills in the common format, one with a file beside it."""
    for name, head in (("deploy", "---\nname: deploy\ndescription: How this team\n  deploys.\n---\n"), ("plain", "")):
        (tmp_path / "skills" / name).mkdir(parents=True)
        (tmp_path / "skills" / name / "SKILL.md").write_text(f"{head}# {name}\n\nNever deploy {name} on a Friday.\n")
    (tmp_path / "skills" / "deploy" / "references").mkdir()
    (tmp_path / "skills" / "deploy" / "references" / "hosts.md").write_text("The host of the shop is shop-3.\n")
    return tmp_path / "skills"


def test_a_skill_is_knowledge_that_a_member_looks_up(skills: Path) -> None:
    """Shown whole, ten skills would fill each prompt; left out, nobody would know of them."""
    documents = read_documents(skills)
    assert {each.name: each.about for each in documents} == {
        "deploy/SKILL.md": "How this team deploys.",
        "deploy/references/hosts.md": "How this team deploys.",
        "plain/SKILL.md": "",
    }
    (one,) = read_documents(skills / "deploy" / "SKILL.md")
    assert (one.name, one.about) == ("deploy/SKILL.md", "How this team deploys.")

    def reply(prompt: Prompt) -> str:
        if prompt.agent == "Ruth" and prompt.nth == 1:
            return "[LOOKUP host of the shop]"
        return f"As {prompt.agent} has it at m{prompt.last}."

    prompts: list[str] = []
    runner = ScriptedRunner(lambda prompt: prompts.append(prompt.text) or reply(prompt))
    two = Settings(max_messages=2)
    debate = Debate("Shall we?", ["sceptic", "historian"], runner, documents=documents, settings=two)
    debate.run_sync()
    assert "How this team deploys." in prompts[0]
    assert "Never deploy plain on a Friday." in prompts[0]
    assert "Never deploy deploy on a Friday." not in prompts[0]
    facts = [fact for fact in debate.session.events() if isinstance(fact, EvidenceFound)]
    assert any(each.source == "deploy/references/hosts.md l. 1" for each in facts[0].found)


def test_the_agents_of_a_project_are_personas(tmp_path: Path) -> None:
    """The README of a project is no persona, and its agents stand in a hidden folder."""
    (tmp_path / ".claude" / "agents").mkdir(parents=True)
    (tmp_path / "README.md").write_text("# A project\n")
    agent = "---\nname: security-reviewer\ndescription: Reviews code for holes.\ntools: Read\n---\nYou review.\n"
    (tmp_path / ".claude" / "agents" / "security-reviewer.md").write_text(agent)
    assert Library(tmp_path).persona("Security reviewer").instruction == "You review."
