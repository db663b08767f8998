"""Tests by several processes are all run, and what fails in any of them fails the run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    len(getattr(os, "sched_getaffinity", lambda _: ())(0)) < 2, reason="one processor runs them one after the other"
)

CONFTEST = """
import os, sys
sys.path.insert(0, {tests!r})
import beside
from beside import *
from pathlib import Path
beside._HERE = Path(__file__).parent
beside.os.sched_getaffinity = lambda _: {{0, 1}}
FIRST = os.getpid()
"""
MEETING = """
import os
from conftest import FIRST

def test_the_others_run_meanwhile():
    with open("meeting", {mode!r}):  # waits until another opens its other end
        pass

def test_of_a_process():
    if os.getpid() != FIRST:
        {what}

def test_after_it():
    pass
"""


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("assert FIRST == 0", ("3 passed", "assert FIRST == 0", "1 failed, 2 passed", "it ended with 1")),
        ("os._exit(0)", ("3 passed", "1 of 2 processes did not come to the end of their tests")),
    ],
)
def test_what_a_process_comes_to_is_what_the_run_comes_to(tmp_path: Path, what: str, told: tuple[str, ...]) -> None:
    """Else a test fails, or is never run, and nobody hears of it."""
    (tmp_path / "conftest.py").write_text(CONFTEST.format(tests=str(Path(__file__).parent)))
    for mode in "rw":
        (tmp_path / f"test_{mode}.py").write_text(MEETING.format(mode=mode, what=what))
    os.mkfifo(tmp_path / "meeting")
    command = [sys.executable, "-m", "pytest", "-q", "--beside", "-c", os.devnull, "--rootdir", "."]
    plain = [f"-pno:{each}" for each in ("xdist", "asyncio", "anyio", "hypothesispytest", "faulthandler")]
    done = subprocess.run(
        [*command, *plain, "."], check=False, cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1, done.stdout + done.stderr
    rest = done.stdout
    for each in told:
        assert each in rest, done.stdout
        rest = rest.replace(each, "", 1)
    failed = tmp_path / ".pytest_cache/v/cache/lastfailed"
    names = [name.partition("::")[2] for name in json.loads(failed.read_text())] if failed.exists() else []
    assert names == ["test_of_a_process"] * ("assert" in what)
