"""A study of simulated debates, from its file to its last cell: `make study`.

Two floors, with talk and asked again without it, on tasks of a jury: each debate has 30 messages and two ballots, and
is a session on the disk. A process for each of two processors. Memory is the peak of the process that gives the cells
out, and of the largest worker.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import tempfile
import time
from pathlib import Path

from results import told

from eda.study import Study
from eda.study.cells import plan_of

DEBATES = 1000
MESSAGES = 30
WORKERS = 2
FILE = """
name = "speed"
tasks = "jury"
seeds = {seeds}
[fixed]
personas = ["sceptic", "historian", "economist", "pragmatic-engineer", "ethicist"]
runner = "player"
conformity = 0.3
noise = 0.1
max_messages = {messages}
[factors]
floor = ["round-robin", "bidding"]
[arms]
talk = {{}}
reask = {{}}
"""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--debates", type=int, default=DEBATES, help="a multiple of 4")
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "speed.toml"
        file.write_text(FILE.format(seeds=args.debates // 4, messages=MESSAGES), encoding="utf-8")
        os.environ["XDG_DATA_HOME"] = folder  # a benchmark is none of the user's studies
        study = Study.load(file)
        began = time.perf_counter()
        cells = len(plan_of(study).cells)
        outcome = asyncio.run(study.run(engine="process", workers=WORKERS))
        taken = time.perf_counter() - began
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        size = sum(path.stat().st_size for path in study.out().rglob("*.jsonl"))
        began = time.process_time()
        messages = study.frames()["messages"].num_rows
        tables = time.process_time() - began
    if outcome.status.counts["ended"] != cells or messages != cells * MESSAGES:
        raise SystemExit("a debate has not had its messages")
    processor = sum(each.ru_utime + each.ru_stime for each in used)
    parent, worker = (each.ru_maxrss / 1024 for each in used)
    text = (
        "| debates | messages each | run, s | processor, s | debates a second | a processor second | parent, peak MB "
        "| worker, peak MB | logs, MB | tables, processor s | load |\n|---|---|---|---|---|---|---|---|---|---|---|\n"
        f"| {cells:,} | {MESSAGES} | {taken:.0f} | {processor:.0f} | {cells / taken:.1f} | {cells / processor:.1f} "
        f"| {parent:.0f} | {worker:.0f} | {size / 1e6:.0f} | {tables:.0f} | {os.getloadavg()[1]:.1f} |"
    )
    told("study", "make study", text, write=args.write)


if __name__ == "__main__":
    main()
