"""A study of simulated debates, from its file to its last cell: `make study`.

Two floors, with talk and asked again without it, on tasks of a jury: each debate has 30 messages and two ballots, and
is a session on the disk. Two commands share the folder, one for each of two processors. Memory is the peak of the
larger one.

`study.py --table 2000 5000 10000` plans 100,000 small cells, runs so many of them, and says after each number how long
`eda study table` takes and how much memory.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from results import told

from eda.study import Study
from eda.study.cells import plan_of

DEBATES, MESSAGES = 1000, 30
PLANNED, SMALL = 100_000, 2
COMMANDS = 2
FILE = """
name = "speed"
tasks = "jury"
seeds = {seeds}
[fixed]
personas = {personas}
runner = "player"
conformity = 0.3
noise = 0.1
max_messages = {messages}
[factors]
floor = ["round-robin", "bidding"]
[arms]
talk = {{}}
reask = {{}}
[[hypotheses]]
measure = "accuracy"
contrast = ["talk", "reask"]
"""
FIVE = ["sceptic", "historian", "economist", "pragmatic-engineer", "ethicist"]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--debates", type=int, default=DEBATES, help="a multiple of 4")
    parser.add_argument("--table", type=int, nargs="+", metavar="CELLS", help="how many of 100,000 small cells are run")
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder  # a benchmark is none of the user's studies
        file = Path(folder) / "speed.toml"
        if args.table:
            _tables(file, args.table)
            return
        file.write_text(FILE.format(seeds=args.debates // 4, messages=MESSAGES, personas=FIVE), encoding="utf-8")
        study = Study.load(file)
        began = time.perf_counter()
        cells = len(plan_of(study).cells)
        _run(file)
        taken = time.perf_counter() - began
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        size = sum(path.stat().st_size for path in study.out().rglob("*.jsonl"))
        began = time.process_time()
        messages = study.frames()["messages"].num_rows
        tables = time.process_time() - began
        if study.status().counts["ended"] != cells or messages != cells * MESSAGES:
            raise SystemExit("a debate has not had its messages")
    processor = used.ru_utime + used.ru_stime
    text = (
        "| debates | messages each | run, s | processor, s | debates a second | a processor second | peak MB "
        "| logs, MB | tables, processor s | load |\n|---|---|---|---|---|---|---|---|---|---|\n"
        f"| {cells:,} | {MESSAGES} | {taken:.0f} | {processor:.0f} | {cells / taken:.1f} | {cells / processor:.1f} "
        f"| {used.ru_maxrss / 1024:.0f} | {size / 1e6:.0f} | {tables:.0f} | {os.getloadavg()[1]:.1f} |"
    )
    told("study", "make study", text, write=args.write)


def _run(file: Path) -> None:
    """Run the study by two commands, and what one left to the other by a third."""
    command = [sys.executable, "-m", "eda", "study", "run", str(file), "--json"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    for number in (COMMANDS, 1):
        for each in [subprocess.Popen(command, **quiet) for _ in range(number)]:  # noqa: S603 - ours
            each.wait()


def _tables(file: Path, numbers: Sequence[int]) -> None:
    """Print how long the commands take when so many cells are done, and the peak of their memory."""
    print("| planned | done | run, ms of processor a cell | table, s | peak MB | table --format parquet, s | peak MB |")
    print("|---|---|---|---|---|---|---|")
    text = FILE.format(seeds=PLANNED // 4, messages=SMALL, personas=FIVE[:2])
    done = 0
    for number in numbers:
        # A budget that has room for so many cells: each takes as many tokens as the first ones took.
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        file.write_text(text.replace("[fixed]", f"budget = {{tokens = {_tokens(file, number, text)}}}\n[fixed]"))
        _run(file)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        ended = json.loads(_timed(file, "status", "--json")[2])["ended"]
        processor = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
        row = [f"{PLANNED:,}", f"{ended:,}", f"{1000 * processor / max(1, ended - done):.0f}"]
        for more in ((), ("--format", "parquet")):
            taken, peak, _ = _timed(file, "table", *more)
            row += [f"{taken:.0f}", f"{peak:.0f}"]
        print(f"| {' | '.join(row)} |", flush=True)
        done = ended


def _tokens(file: Path, number: int, text: str) -> int:
    """Return how many tokens so many cells take, by a small study of the same cells."""
    small = file.with_name("small.toml")
    small.write_text(text.replace(f"seeds = {PLANNED // 4}", "seeds = 10").replace('"speed"', '"small"'))
    _run(small)
    found = json.loads(_timed(small, "status", "--json")[2])
    return round(found["tokens"] / found["cells"] * number)


def _timed(file: Path, *command: str) -> tuple[float, float, str]:
    """Return the seconds and the peak of memory, in MB, of a command, and what it printed."""
    began = time.perf_counter()
    code = (
        "import resource, sys; from eda.cli import main\n"
        "try: main()\n"
        "finally: print('peak', resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    name, *more = command
    run = subprocess.run(  # noqa: S603 - ours
        [sys.executable, "-c", code, "study", name, str(file), *more], capture_output=True, text=True, check=True
    )
    peak = re.search(r"peak (\d+)", run.stderr)
    return time.perf_counter() - began, int(peak[1]) / 1024 if peak else 0.0, run.stdout


if __name__ == "__main__":
    main()
