"""A program that is forked from a warm parent finds what a fresh one finds, and ends as that ends."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from started import Terminal, ran

TELL = """
import gc, json, os, signal, sys, threading
def stream(each):
    return [getattr(each, name) for name in
            ("name", "mode", "encoding", "errors", "line_buffering", "write_through", "newlines")] + [
            type(each.buffer).__name__, each.isatty(), each.fileno()]
handlers = {str(each): str(signal.getsignal(each)).partition(" at 0x")[0] for each in signal.valid_signals()}
told = dict(
    argv=sys.argv, path=sys.path[0], folder=os.getcwd(), environment=dict(os.environ), flags=str(sys.flags),
    streams=[stream(each) for each in (sys.stdin, sys.stdout, sys.stderr)],
    originals=[sys.__stdin__ is sys.stdin, sys.__stdout__ is sys.stdout, sys.__stderr__ is sys.stderr],
    signals=handlers, blocked=sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
    alone=[os.getpgrp() == os.getpid(), os.getsid(0) == os.getpid(), threading.active_count()],
    open=sorted(os.listdir("/dev/fd"))[:8], name=__name__, file=globals().get("__file__"),
    collects=[gc.isenabled(), gc.get_threshold()], written=sys.dont_write_bytecode,
)
"""
TOLD = TELL + "print(json.dumps(told, default=str)); print('bad', file=sys.stderr)"


def compared(*args: str, script: str, **given: Any) -> tuple[Any, Any]:
    """The code and streams of a warm and of a fresh program."""
    both = ran(*args, script=script, **given), ran(*args, script=script, fresh=True, **given)
    return tuple((done.returncode, done.stdout, done.stderr) for done in both)


@pytest.mark.parametrize("more", [{}, {"TZ": "Asia/Tokyo", "COLUMNS": "40"}, {"PYTHONUNBUFFERED": ""}])
def test_a_warm_program_finds_what_a_fresh_one_finds(tmp_path: Path, more: dict[str, str]) -> None:
    warm, fresh = compared("a", "ü b", script=TOLD, cwd=tmp_path, env_more=more)
    assert json.loads(warm[1]) == json.loads(fresh[1])
    assert warm == fresh


@pytest.mark.parametrize(
    "script",
    [
        "import sys; sys.exit(3)",
        "import sys; sys.exit('no')",
        "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
        "import os, signal; os.kill(os.getpid(), signal.SIGINT); signal.pause()",
        "import atexit; print('a', end=''); atexit.register(print, 'b')",
        "1 / 0",
        "import threading; threading.Timer(0.1, print, ['late']).start(); print('first')",
        "class Last:\n    def __del__(self): print('gone')\nlast = Last()\nlast.itself = last\ndel last",
        "import os, sys; print('lost'); os.close(1)",
        "import sys; sys.exit(256 + 7)",
        "import time; from datetime import datetime; print(datetime.fromtimestamp(0))",
    ],
)
def test_a_warm_program_ends_as_a_fresh_one_ends(script: str) -> None:
    warm, fresh = compared(script=script)
    assert warm[:2] == fresh[:2]
    assert warm[2].splitlines()[-1:] == fresh[2].splitlines()[-1:]


def test_a_warm_program_has_the_terminal_of_its_own_that_a_fresh_one_has(tmp_path: Path) -> None:
    told = []
    for fresh in (False, True):
        out = tmp_path / str(fresh)
        script = (
            TELL + "\nopen(sys.argv[1], 'w').write(json.dumps(told, default=str)); print('ready'); sys.stdin.read()"
        )
        terminal = Terminal(tmp_path, str(out), script=script, fresh=fresh)
        try:
            terminal.wait_for("ready")
            told.append({**json.loads(out.read_text()), "argv": None})
            terminal.type("\x03")
            assert terminal.end() == -signal.SIGINT
        finally:
            terminal.close()
    assert told[0] == told[1]
