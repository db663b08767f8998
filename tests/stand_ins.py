"""The programs that `tests/agents/fake.py` stands in for, where a debate looks for them."""

from __future__ import annotations

import os
import py_compile
import shlex
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest

__all__ = ["FAKE", "on_path"]

FAKE = Path(__file__).parent / "agents" / "fake.py"


def on_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put them on the PATH, in a folder that is made for them."""
    folder.mkdir()
    for name in ("claude", "codex", "acp"):
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -I -S {_compiled()} {name} "$@"\n')
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


@cache
def _compiled() -> str:
    """Return the program as bytes, once for all that begin: to compile it takes as long as to begin Python."""
    return py_compile.compile(str(FAKE), f"{tempfile.mkdtemp()}/fake.pyc", doraise=True) or ""
