"""A study that is killed again and again, without a warning, and goes on by the same command."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import warm
from started import PATIENCE, PLAIN

__all__ = ["killed", "size_of", "tables_of"]


def size_of(out: Path) -> int:
    """Return the bytes of all logs of a study: how far it has come."""
    return sum(log.stat().st_size for log in out.glob("cells/*/events.jsonl"))


def killed(command: Sequence[str], out: Path, sizes: Sequence[int]) -> int:
    """Run a command until its logs have grown to each of these sizes, and kill it there; return how often that was.

    Its workers, which nobody kills, have to end by themselves.
    """
    kills = 0
    for size in sizes:
        with _begun(command) as run:
            if _grown(run, out, size):
                workers = psutil.Process(run.pid).children(recursive=True)
                run.kill()
                kills += 1
                assert not psutil.wait_procs(workers, PATIENCE)[1]
    return kills


def tables_of(file: Path, out: Path) -> dict[str, bytes]:
    """Return all tables of a study as CSV and as Parquet, as the program writes them."""
    for kind in ("csv", "parquet"):
        told = [sys.executable, "-c", PLAIN, "study", "table", str(file), "--out", str(out), "--format", kind]
        warm.run(told, parent=warm.PROGRAM, check=True, timeout=PATIENCE, stdout=subprocess.DEVNULL)
    return {path.name: path.read_bytes() for path in sorted((out / "tables").iterdir())}


def _begun(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Begin the program."""
    nowhere = subprocess.DEVNULL
    given = [sys.executable, "-c", PLAIN, *command]
    return warm.Popen(warm.PROGRAM, given, stdin=nowhere, stdout=nowhere, stderr=nowhere)


def _grown(run: subprocess.Popen[bytes], out: Path, size: int) -> bool:
    """Wait until the logs have that size; return False where the program ended before."""
    until = time.monotonic() + PATIENCE
    while size_of(out) < size:
        if run.poll() is not None:
            return False
        assert time.monotonic() < until, "the study does not go on"
        time.sleep(0.01)
    return True
