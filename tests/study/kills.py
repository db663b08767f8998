"""Kills a study ten times, and compares its tables with those of one that nobody stopped.

Run it as `make test-study`. The study goes on by the same command. Every table has to be the same, byte for byte, as
CSV and as Parquet.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path

from killed import killed, size_of, tables_of
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
    """Print what became of the tables; return 1 where one differs."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "killed.toml"
        file.write_text(FILE)
        whole = Path(folder) / "whole"
        began = time.monotonic()
        _run(file, whole)
        tables, size = tables_of(file, whole), size_of(whole)
        cells = len(list((whole / "cells").iterdir()))
        print(f"nobody stopped it: {cells} cells, {len(tables)} tables, {time.monotonic() - began:.0f} s")
        began, out = time.monotonic(), Path(folder) / "cut"
        command = ("study", "run", str(file), "--out", str(out), "--workers", "2")
        kills = killed(command, out, [size * number // (KILLS + 2) for number in range(1, KILLS + 1)])
        _run(file, out)
        same = tables_of(file, out) == tables
        taken = f"{time.monotonic() - began:.0f} s"
        print(f"killed {kills} times; tables the same byte for byte: {same}; {taken}")
        print(f"sha256 of all tables: {sha256(b''.join(tables.values())).hexdigest()[:12]}")
    return not same or kills < KILLS


def _run(file: Path, out: Path) -> None:
    subprocess.run([sys.executable, "-c", PLAIN, "study", "run", str(file), "--out", str(out)], check=True)


if __name__ == "__main__":
    sys.exit(main())
