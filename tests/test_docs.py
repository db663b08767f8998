"""Each block of README and of the pages of docs/ is executed: here, or by the test that `ELSEWHERE` names."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import paper
import pytest
from click import Context
from click.testing import CliRunner
from fluent.syntax import FluentParser
from fluent.syntax.ast import Message
from in_turn import in_one

from eda import ConversationMemory, MessageBus, PatternPack
from eda.cli.program import cli
from eda.panels.panel import load_panel
from eda.panels.persona import load_persona
from eda.panels.tools import read_servers
from eda.study.file import Tasks
from eda.study.tasks.loaders import load_tasks

ROOT = Path(__file__).parent.parent
PAGES = {path.stem: path.read_text("utf-8") for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]}
TALKS = ROOT / "tests" / "transcripts"

ELSEWHERE = {
    ("study-people", "console"): "test_study_people.py",
    ("study-people", "toml"): "test_study_people.py",
    ("extending", "python"): "test_extending.py",
    ("notebook", "python"): "test_notebook.py",
    ("study", "toml"): "test_study_report.py",
    ("study", "console"): "test_study_report.py",
    ("study", "python"): "test_study_report.py",
    ("study", "sh"): "test_study_report.py",
    ("transcripts", "python"): "test_transcript_kinds.py",
    ("tutorial", "text"): "test_readme.py",
}
"""The test that executes the blocks of a language of a page, where it needs more than this file has."""
NOT_RUN = {
    r"make demo|\. \.venv/bin/activate|pip install ": "it sets up an environment; `make test` begins with it",
    r"eda doctor --live": "it asks the provider; test_doctor.py runs it against a server of its own",
    r"eda serve": "it serves until it is stopped; test_serve.py runs it",
    r"eda mcp": "it serves until its client leaves; test_mcp.py runs it",
    r".*https://example\.org": "it reads a page of the web; test_documents.py has a server of its own",
    r"export ": "the key is yours",
}
"""Why a command is not run, by how it begins."""
ASKS = re.compile(r"(anthropic|openai|openrouter|gemini|mistral|ollama|vllm|local|claude-code|codex|acp)\b")


class Block(NamedTuple):
    """A fenced block of a page."""

    page: str
    language: str
    text: str


BLOCKS = [
    Block(page, language, "\n".join(line.removeprefix(indent) for line in text.splitlines()) + "\n")
    for page, whole in PAGES.items()
    for indent, language, text in re.findall(r"^( *)```(\w+)\n(.*?)^\1```$", whole, re.DOTALL | re.MULTILINE)
]
HERE = [block for block in BLOCKS if (block.page, block.language) not in ELSEWHERE]
SHELL = ("console", "sh")


def lines(block: Block) -> list[str]:
    """Return the commands of a block, one a line; those of a transcript stand behind a `$`."""
    told = re.sub(r"\s*\\\n\s*", " ", block.text).splitlines()
    told = [line[2:] for line in told if line.startswith("$ ")] if block.language == "console" else told
    return [part.strip() for line in told for part in re.split(r" && ", line) if part.strip()]


def reason(line: str) -> str | None:
    """Return why a command is not run."""
    return next((why for pattern, why in NOT_RUN.items() if re.match(pattern, line)), None)


def shell_pages() -> list[str]:
    return sorted({block.page for block in HERE if block.language in SHELL})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with what the pages speak of, and without the keys of whoever runs the tests."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    (tmp_path / "contract.pdf").write_bytes(
        paper.pdf(["The contract ends in May.", "A pallet costs 14 euros a month."])
    )
    (tmp_path / "costs.csv").write_text("item,euros\npallet,14\n")
    (tmp_path / "material").symlink_to(ROOT / "docs" / "examples")
    shutil.copy(TALKS / "zoom.vtt", tmp_path / "meeting.vtt")
    shutil.copy(TALKS / "table.csv", tmp_path / "talk.csv")
    shutil.make_archive("slack-export", "zip", TALKS / "slack")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "plan.md").write_text("# Plan\n\nBegin in May.\n")
    shutil.copy(ROOT / "eda" / "panels" / "agendas" / "panel.toml", tmp_path / "our-review.toml")
    (tmp_path / "my-prompts").mkdir()
    shutil.copy(ROOT / "eda" / "debate" / "prompts" / "house.md", tmp_path / "my-prompts")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("ANTHROPIC_API_KEY", "EDA_SESSIONS", "OPENROUTER_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def _held_again(page: str) -> Any:
    """Votes and debates that are held again take seconds; `tests/test_stress.py` holds some too."""
    return pytest.mark.long if page == "stress" else ()


PAGES = [pytest.param(page, marks=_held_again(page)) for page in shell_pages()]


@pytest.mark.parametrize("page", PAGES)
def test_each_command_of_a_page_runs_in_their_order(page: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first command that a reader copies would end in an error, or in a file that is not there."""
    for line in [line for block in HERE if block.page == page and block.language in SHELL for line in lines(block)]:
        if reason(line):
            continue
        before, _, command = line.rpartition(" | ")
        words = shlex.split(command, comments=True)
        assert words[0] == "eda", line
        keys = {}
        if "--human" in words:  # who would type
            at = words.index("--human")
            words[at : at + 2] = []
        if words[1] != "debate" or "--record" in words:  # what is recorded is replayed by a later command
            words = [word.replace("anthropic", "simulated") for word in words]
        elif ASKS.search(command):  # all of it but the calls
            words.append("--dry-run")
            keys = dict.fromkeys(("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY"), "none")
        if "--dry-run" in words and "--runner" not in words:
            words += ["--runner", "anthropic"]
        if "--dry-run" in words or (words[1] == "debate" and not {"--session", "--max-messages"} & set(words)):
            words += ["--max-messages", "2"]  # no later command reads it
        done = CliRunner().invoke(cli, words[1:], prog_name="eda", env=keys, input="some text\n" if before else None)
        assert done.exit_code == 0, f"{line}\n{done.output}"


def test_each_reason_not_to_run_a_command_is_needed() -> None:
    """A reason that no command has any more would hide the next command that begins so."""
    every = [line for block in HERE if block.language in SHELL for line in lines(block)]
    for pattern in NOT_RUN:
        assert any(re.match(pattern, line) for line in every), pattern


@in_one(("page", "language"), sorted(ELSEWHERE))
def test_the_test_that_is_named_reads_the_page(page: str, language: str) -> None:
    """A block would be executed by nobody, and a table would say that somebody does."""
    assert any((block.page, block.language) == (page, language) for block in BLOCKS)
    text = (ROOT / "tests" / ELSEWHERE[page, language]).read_text("utf-8")
    assert f'"{page}.md"' in text or f'PAGES["{page}"]' in text


def test_each_kind_of_block_is_executed() -> None:
    """A block in a language that no test knows is as good as untested."""
    assert {(block.page, block.language) for block in HERE if block.language not in {*SHELL, "python"}} == set(READ)


def configured(text: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(Path.cwd()))
    monkeypatch.delenv("EDA_RUNNER")
    Path("eda").mkdir()
    Path("eda/config.toml").write_text(text)
    done = CliRunner().invoke(cli, ["config", "--json"])
    return done.exit_code == 0 and "anthropic:sonnet" in done.stdout


def seated(text: str, _: pytest.MonkeyPatch) -> bool:
    Path("hospital-pharmacist.md").write_text(text)
    return load_persona(Path("hospital-pharmacist.md")).title == "Ines"


def seats(text: str, _: pytest.MonkeyPatch) -> bool:
    Path("board.toml").write_text(text)
    return load_panel(Path("board.toml")).members[0] == "hospital-pharmacist"


def served(text: str, _: pytest.MonkeyPatch) -> bool:
    args = json.loads(text)["mcpServers"]["eda"]["args"]
    return cli.get_command(Context(cli), args[0]).make_context("mcp", args[1:]).params["budget"] == 1


def allowed(text: str, _: pytest.MonkeyPatch) -> bool:
    Path("tools.toml").write_text(text)
    return read_servers(Path("tools.toml"))["shop"].allow == ("lookup_price",)


def registered(text: str, _: pytest.MonkeyPatch) -> bool:
    return "eda.floors" in tomllib.loads(text)["project"]["entry-points"]


def german(text: str, _: pytest.MonkeyPatch) -> bool:
    pack = PatternPack.from_toml(ROOT / "docs" / "examples" / "patterns-german.toml")

    async def talk() -> ConversationMemory:
        bus = MessageBus()
        memory = ConversationMemory(patterns=pack).attach(bus)
        for number, line in enumerate(text.splitlines(), 1):
            await bus.say(f"Member {number}", re.sub(r" {3,}.*$", "", line))
        return memory

    memory = asyncio.run(talk())
    return (memory.proposals[0].content, len(memory.decisions)) == ("wir im Mai beginnen.", 1)


def worded(text: str, _: pytest.MonkeyPatch) -> bool:
    return not [each for each in FluentParser().parse(text).body if not isinstance(each, Message)]


def examined(text: str, _: pytest.MonkeyPatch) -> bool:
    Path("exam.csv").write_text("stem,a,b,c,key,number\nWhat is 2 + 2?,3,4,5,B,x1\n")
    tasks = Tasks(**tomllib.loads(text)["tasks"])
    return [(task.id, task.answer) for task in load_tasks(tasks.file, tasks.columns)] == [("x1", "4")]


READ: dict[tuple[str, str], Callable[[str, pytest.MonkeyPatch], bool]] = {
    ("configuration", "toml"): configured,
    ("extending", "ftl"): worded,
    ("extending", "toml"): registered,
    ("mcp", "json"): served,
    ("minutes", "text"): german,
    ("personas", "markdown"): seated,
    ("personas", "toml"): seats,
    ("tasks", "toml"): examined,
    ("tools", "toml"): allowed,
}
"""What reads a file that a page shows, and says whether it is what the page says."""


@pytest.mark.parametrize(
    "block", [pytest.param(each, id=each.page) for each in HERE if (each.page, each.language) in READ]
)
def test_a_file_that_a_page_shows_is_read(block: Block, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody would copy a file that the program refuses."""
    assert READ[block.page, block.language](block.text, monkeypatch)


@pytest.mark.parametrize(
    "block",
    [
        pytest.param(each, id=f"{each.page}: {each.text.splitlines()[0]}", marks=_held_again(each.page))
        for each in HERE
        if each.language == "python"
    ],
)
def test_a_block_of_python_runs(block: Block, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever copies the first lines of a page and sees a traceback closes the page."""
    exec(block.text, {"__name__": "__main__"})  # noqa: S102 - the pages' own
    printed = capsys.readouterr().out
    assert printed.strip() or "print(" not in block.text
    if "make-it-so" in block.text:  # what the default pack would not have found
        assert "we keep the echo" in printed
