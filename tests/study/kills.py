"""Kills a study ten times on every engine, and compares its tables with those of one that nobody stopped.

Run it as `make test-study`, or with the names of engines. Each study goes on by the same command. On the engine with
several processes a worker is killed, too. Every table has to be the same, byte for byte, as CSV and as Parquet.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path

from killed import kill_a_worker, killed, size_of, tables_of
from started import PLAIN

KILLS = 10
FILE = """
name = "killed"
tasks = "hidden-profile"
seeds = 8
[fixed]
personas = ["sceptic", "historian", "economist", "pragmatic-engineer"]
conformity = 0.3
noise = 0.1
max_messages = 12
poll = {every = "round", ask = "beliefs"}
[factors]
floor = ["round-robin", "bidding"]
seats = {permute = 4}
[arms]
talk = {}
reask = {}
unrelated = {}
single = {}
[[hypotheses]]
measure = "accuracy"
contrast = ["talk", "reask"]
"""


def main() -> int:
    """Print a row for each engine; return 1 where a table differs."""
    differs = False
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "killed.toml"
        file.write_text(FILE)
        whole = Path(folder) / "whole"
        began = time.monotonic()
        _run(file, whole)
        tables, size = tables_of(file, whole), size_of(whole)
        cells = len(list((whole / "cells").iterdir()))
        print(f"nobody stopped it: {cells} cells, {len(tables)} tables, {time.monotonic() - began:.0f} s")
        for engine in sys.argv[1:] or ("asyncio", "process"):
            began, out = time.monotonic(), Path(folder) / engine
            command = ("study", "run", str(file), "--out", str(out), "--engine", engine, "--workers", "2")
            kills = killed(command, out, [size * number // (KILLS + 2) for number in range(1, KILLS + 1)])
            code, workers = kill_a_worker(command, out, size * (KILLS + 1) // (KILLS + 2))
            found = tables_of(file, out)
            same = code == 0 and found == tables
            differs |= not same or kills < KILLS or workers < (engine != "asyncio")
            print(
                f"{engine}: killed {kills} times, and {workers} workers; tables the same byte for byte: {same};"
                f" {time.monotonic() - began:.0f} s"
            )
        print(f"sha256 of all tables: {sha256(b''.join(tables.values())).hexdigest()[:12]}")
    return differs


def _run(file: Path, out: Path) -> None:
    subprocess.run([sys.executable, "-c", PLAIN, "study", "run", str(file), "--out", str(out)], check=True)


if __name__ == "__main__":
    sys.exit(main())
