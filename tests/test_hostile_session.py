"""What somebody sent is data: nothing that it names is run, asked or read unless this user names it as well."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner
from in_turn import in_turn

from eda.cli.program import cli
from eda.debate.validation import session_runner
from eda.errors import UsageError
from eda.events import Event
from eda.panels.registry import FLOORS, PHASES, RULES, RUNNERS, STOPS, SUMMARISERS
from eda.session import Session

_EVIL = "from pathlib import Path\nPath('ran').write_text('yes')\nclass Part:\n    pass\n"
_CODE = [
    "evil_part:Part",
    "evil_part.py:Part",
    "./evil_part.py:Part",
    "evil_part:Part(...)",
    "http.server:test",
    "os:system",
]
_PROGRAMS = ["acp:touch ran", "recorded:x,then=acp:touch ran", "claude-code:m", "codex"]
_DEBATE = ["debate", "Now?", "--option", "Yes", "--option", "No", "--runner", "simulated", "--sessions", "s", "--json"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each not in ("", str(tmp_path))])
    (tmp_path / "evil_part.py").write_text(_EVIL, "utf-8")
    return tmp_path


@pytest.fixture
def canary() -> Iterator[socket.socket]:
    """A port of this machine, at an address that is not its loopback's name to anybody who reads it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server


def eda(*args: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, args)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@cache
def held() -> tuple[Event, ...]:
    """Return the facts of the debate that somebody else holds."""
    with TemporaryDirectory() as folder:
        code, said = eda(*_DEBATE, "--sessions", folder, "--session", "one", "--max-messages", "8")
        assert code == 0, said
        with Session.read("one", Path(folder)) as session:
            return tuple(session.events())


def made(runner: str = "simulated") -> Path:
    """Return the log of a session that somebody else made, and that names this runner in its first fact."""
    first, *others = held()
    facts = [first.model_copy(update={"runner": runner}), *others]
    with Session.of_facts("one", facts, Path("s"), ours=False) as session:
        assert session.folder is not None
        return session.folder


def went_quiet(canary: socket.socket) -> bool:
    """Return whether nobody has connected and no code has run."""
    with pytest.raises(BlockingIOError):
        canary.accept()
    return not Path("ran").exists()


@pytest.mark.parametrize(
    ("spec", "door"),
    in_turn(
        [*_CODE, *_PROGRAMS, "recorded:x,then=evil_part:Part", "local:{url}", "openai:{url}#m"],
        ["resume", "ask", "report", "vote", "fork"],
        3,
    ),
)
def test_a_session_that_somebody_sent_runs_and_asks_nothing(
    folder: Path, canary: socket.socket, spec: str, door: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    made(spec.format(url=f"http://127.0.0.1:{canary.getsockname()[1]}"))
    doors = {
        "resume": ["resume", "one", "--max-messages", "12"],
        "ask": ["ask", "one", "economist", "Why?"],
        "report": ["report", "one", "--language", "en"],
        "vote": ["vote", "one"],
        "fork": ["resume", "one", "--max-messages", "12"],
    }
    if door == "fork":
        with Session.read("one", Path("s")) as session:
            from eda.session.fork import fork

            fork(session, None, "two", Path("s")).close()
        doors["fork"][1] = "two"
    code, said = eda(*doors[door], "--sessions", "s")
    assert door == "report" or code != 0, said
    assert went_quiet(canary)
    assert str(folder) not in sys.path


@pytest.mark.parametrize("spec", _CODE)
@pytest.mark.parametrize("registry", [FLOORS, RULES, STOPS, SUMMARISERS, PHASES, RUNNERS], ids=lambda each: each.kind)
def test_a_part_that_a_file_names_is_refused(folder: Path, registry: object, spec: str) -> None:
    with pytest.raises(UsageError):
        registry.get(spec)  # type: ignore[attr-defined]
    assert not (folder / "ran").exists()


_STUDY = 'name = "s"\ntasks = "t.jsonl"\n[fixed]\n'
_FORMAT = """name = "f"
title = "F"
description = "D."
promise = "P."
phase = [{name = "a", kind = "evil_part.py:Part"}]
"""
_PERSONA = "---\nname: p\ntitle: P\nmodel: openai:http://192.0.2.1:9#m\n---\nYou are P.\n"
_AGENT = "---\nname: p\ntitle: P\nmodel: acp:touch ran\n---\nYou are P.\n"
_FAR = 'runner = "openai:http://192.0.2.1:9#m"\n'
_P = ["--runner", "ollama:m", "--persona", "p.md", "--persona", "economist"]
_SENT = {
    "a study's code": ("study.toml", _STUDY + 'runner = "evil_part.py:Part"\n', ["study", "run", "study.toml"]),
    "a study's module": ("study.toml", _STUDY + 'runner = "evil_part:Part"\n', ["study", "plan", "study.toml"]),
    "a study's server": ("study.toml", _STUDY + _FAR, ["study", "run", "study.toml"]),
    "a study's floor": ("study.toml", _STUDY + 'floor = "evil_part:Part"\n', ["study", "plan", "study.toml"]),
    "a project's code": ("eda.toml", 'runner = "evil_part.py:Part"\n', ["list"]),
    "a project's server": ("eda.toml", _FAR, ["list"]),
    "a format's phase": ("f.toml", _FORMAT, [*_DEBATE, "--format", "f.toml"]),
    "a persona's server": ("p.md", _PERSONA, [*_DEBATE, *_P]),
    "a persona's program": ("p.md", _AGENT, [*_DEBATE, *_P]),
    "a study's program": ("study.toml", _STUDY + 'runner = "acp:touch ran"\n', ["study", "run", "study.toml"]),
    "a project's program": ("eda.toml", 'runner = "acp:touch ran"\n', ["list"]),
    "a project's agent": ("eda.toml", 'runner = "claude-code"\n', ["list"]),
}
"""What a repository brings: a file, its text, and the command that reads it."""


@pytest.mark.parametrize(("name", "text", "args"), _SENT.values(), ids=_SENT)
def test_a_file_that_somebody_sent_runs_and_asks_nothing(
    folder: Path, canary: socket.socket, name: str, text: str, args: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    (folder / "t.jsonl").write_text(
        json.dumps({"question": "Is it?", "options": ["Yes", "No"], "answer": "Yes"}) + "\n"
    )
    (folder / name).write_text(text, "utf-8")
    code, said = eda(*args)
    assert code != 0, said
    assert went_quiet(canary)


@pytest.mark.parametrize("way", ["absolute", "out", "link", "page"])
def test_a_study_reads_documents_of_its_own_folder_alone(
    folder: Path, canary: socket.socket, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a stranger's study named, such as a key, was read, stored in each log, and sent to the model."""
    monkeypatch.setenv("EDA_ALLOW", "")
    (folder / "key").write_text("a key of somebody")
    place = folder / "sent"
    place.mkdir()
    (place / "link.md").symlink_to(folder / "key")
    page = f"http://127.0.0.1:{canary.getsockname()[1]}/"
    named = {"absolute": f"{folder}/key", "out": "../key", "link": "link.md", "page": page}[way]
    (place / "t.jsonl").write_text(json.dumps({"question": "Is it?", "options": ["Yes", "No"], "answer": "Yes"}) + "\n")
    fixed = f'[fixed]\nrunner = "simulated"\nmax-messages = 4\ncontext = "{named}"\n'
    (place / "study.toml").write_text('name = "s"\ntasks = "t.jsonl"\nseeds = [1]\n' + fixed)
    code, said = eda("study", "run", "sent/study.toml")
    assert (code, "--allow" in said) == (2, True)
    assert went_quiet(canary)
    assert not [path for path in place.rglob("*.jsonl") if "somebody" in path.read_text()]
    if way != "page":
        assert eda("study", "run", "sent/study.toml", "--allow", "key")[0] == 0


def test_who_trusts_a_session_goes_on_with_it(folder: Path) -> None:
    place = made("recorded:none.jsonl")
    code, said = eda("resume", "one", "--max-messages", "12", "--sessions", "s")
    assert (code, "--trust" in said) == (2, True)
    eda("resume", "one", "--max-messages", "12", "--trust", "--sessions", "s")
    with Session.read(place) as session:
        assert session.ours
    shutil.copytree(place, folder / "s" / "copy")
    with Session.read("copy", folder / "s") as copy, pytest.raises(UsageError, match="not made here"):
        session_runner(copy)


def test_a_named_file_is_run_and_its_neighbours_are_not(folder: Path) -> None:
    (folder / "mine.py").write_text(
        "from eda.runners.simulated.runner import SimulatedRunner as S\nclass Mine(S):\n    spec = ''\n"
    )
    code, said = eda(
        *_DEBATE[:6], "--runner", "./mine.py:Mine", *_DEBATE[8:], "--max-messages", "6", "--session", "own"
    )
    assert code == 0, said
    with Session.read("own", Path("s")) as session:
        assert session.started().runner == "mine.py:Mine"
    assert str(folder) not in sys.path


def test_a_module_of_the_working_folder_is_never_imported(folder: Path) -> None:
    """`python -m` would take `click.py` of a cloned repository for the library."""
    (folder / "click.py").write_text(_EVIL, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "eda", "list", "formats"], cwd=folder, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not (folder / "ran").exists()
