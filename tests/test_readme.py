"""The README's code runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = re.findall(r"^\$ eda (\w+)", README, re.MULTILINE)


@pytest.mark.parametrize("code", BLOCKS, ids=[block.split("\n")[0] for block in BLOCKS])
def test_a_block_runs_and_prints_something(code: str, tmp_path: Path) -> None:
    """Whoever copies the first lines of a README and sees a traceback closes the page."""
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_an_own_pattern_finds_what_it_was_made_for(tmp_path: Path) -> None:
    """The block on own patterns must show a decision that the default pack would not have found."""
    code = next(block for block in BLOCKS if "make-it-so" in block)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert "we keep the echo" in done.stdout


@pytest.mark.parametrize("command", sorted(set(COMMANDS)))
def test_every_command_shown_exists(command: str) -> None:
    """A command that was renamed must be renamed here."""
    done = subprocess.run([sys.executable, "-m", "eda", command, "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_excerpt_is_what_the_example_session_shows() -> None:
    """A transcript that was touched up would promise what the program does not do."""
    verdict, talk = re.findall(r"```text\n(.*?)```", README, re.DOTALL)[:2]
    command = [sys.executable, "-m", "eda", "show", "example", "--sessions", str(ROOT / "sessions")]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    parts = [" ".join(part.split()) for part in f"{verdict}...{talk}".split("...") if part.strip()]
    assert len(parts) >= 3
    for part in parts:
        assert part in " ".join(shown.split())
