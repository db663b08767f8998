"""Messages a second of the whole engine, at growing lengths: `make bench`.

Five agents in round robin, a scripted runner that answers at once, everything on: memory, patterns, prompts, log. Each
length is run in a process of its own; the figures are medians. Ratios carry from machine to machine, absolutes do not.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from extract_speed import table as extraction
from pyee.asyncio import AsyncIOEventEmitter
from results import write_section

from eda import Debate, MessagePosted, ScriptedRunner, Session, Settings

LENGTHS = (200, 1_000, 4_000, 20_000)
EDGE = 200
STATEMENTS = """\
The batch window is what worries me, because the run takes five hours and twenty minutes of the six we have. I would
look at the two failures of last year before anything else: both came from another team's migration. That argues for a
boundary, though not yet for a service of its own.
---
I propose that we measure the flaky tests for two weeks and publish what we find, with an owner for each of them. Nobody
can plan on a suite that fails one time in six for no reason. The cost is one engineer, and the gain is that every later
estimate becomes believable to the people who must pay for it.
---
I agree with the point about the window, and I would add the contracts: three customers have a date in writing. What I
cannot see is who writes the code when one of the two who know it leaves in March. Until somebody answers that, each
plan on the table is a wish with a number beside it.
---
I am not convinced that a split makes the invoices safer. Running both side by side for four weeks means comparing
eighteen thousand invoices by hand or writing a tool that nobody has estimated. My position is that the tests come
first, and that we look at the boundary again in the summer.
""".replace("\n", " ").split(" --- ")
NEW_WORDS = 24
"""Of about 60 in a message: who says nothing new is passed over."""


def _talk(count: int) -> list[str]:
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefghijklmnoprstu", k=draw.randint(4, 9))) for _ in range(20_000)]
    talk = []
    for place in range(count):
        said = STATEMENTS[place % len(STATEMENTS)].split()[:36]
        new = draw.choices(words, k=NEW_WORDS)
        third = NEW_WORDS // 3
        parts = (*new[:third], *said[:18], *new[third : 2 * third], *said[18:], *new[2 * third :])
        talk.append(" ".join(parts) + ".")
    return talk


TALK = _talk(20_000)


def run(messages: int, *, on_disk: bool) -> dict[str, float]:
    """One debate of `messages` messages: seconds of the whole, of its first and of its last `EDGE` messages."""
    with tempfile.TemporaryDirectory() as folder:
        session = Session.create("bench", Path(folder)) if on_disk else Session.in_memory("bench")
        debate = Debate(
            "Should we move the billing service out of the monolith?",
            "architecture-review",
            ScriptedRunner(lambda prompt: TALK[prompt.last % len(TALK)]),
            settings=Settings(max_messages=messages, floor="round-robin"),
            session=session,
        )
        stamps: list[float] = []
        debate.bus.subscribe(MessagePosted, lambda _: stamps.append(time.perf_counter()), name="stopwatch")
        asyncio.run(debate.run())
        session.close()
    spans = [later - earlier for earlier, later in itertools.pairwise(stamps)]
    edge = min(EDGE, len(spans) // 2)
    return {
        "rate": len(spans) / (stamps[-1] - stamps[0]),
        "flat": statistics.mean(spans[-edge:]) / statistics.mean(spans[5 : 5 + edge]),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def bare(messages: int) -> float:
    """Messages a second of no engine at all: five coroutines in turn, a list, an emitter with five handlers."""

    async def loop() -> float:
        emitter, history = AsyncIOEventEmitter(), []
        for _ in range(5):
            emitter.add_listener("message", lambda message: message["who"])

        async def answer(place: int) -> str:
            return TALK[place % len(TALK)]

        began = time.perf_counter()
        for place in range(messages):
            history.append({"number": place, "who": "ABCDE"[place % 5], "text": await answer(place)})
            emitter.emit("message", history[-1])
        return messages / (time.perf_counter() - began)

    return asyncio.run(loop())


def measured(messages: int, runs: int, *, on_disk: bool) -> dict[str, float]:
    """Medians over `runs` processes."""
    results = []
    for _ in range(runs):
        command = [sys.executable, __file__, "--one", str(messages), *(["--disk"] if on_disk else [])]
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - this file
        results.append(json.loads(done.stdout))
    return {key: statistics.median(result[key] for result in results) for key in results[0]}


def main() -> None:
    """Print the table, or one run as JSON for the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--one", type=int)
    parser.add_argument("--disk", action="store_true")
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    args = parser.parse_args()
    if args.one:
        print(json.dumps(run(args.one, on_disk=args.disk)))
        return
    baseline = statistics.median(bare(LENGTHS[-1]) for _ in range(args.runs))
    lines = [
        f"Baseline, a bare loop over an emitter without memory, log or prompts: {baseline:,.0f} messages/s.",
        "",
        "| log | messages | messages/s | of the baseline | last 200 / first 200 | peak MB |",
        "|---|---|---|---|---|---|",
    ]
    for on_disk in (False, True):
        for messages in LENGTHS:
            row = measured(messages, args.runs, on_disk=on_disk)
            log = "file, fdatasync a message" if on_disk else "in memory"
            share, flat, peak = row["rate"] / baseline, row["flat"], row["peak_mb"]
            lines.append(f"| {log} | {messages:,} | {row['rate']:,.0f} | {share:.1%} | {flat:.2f} | {peak:.0f} |")
    lines += ["", extraction()]
    print("\n".join(lines))
    if args.write:
        write_section("bench", "make bench", "\n".join(lines))


if __name__ == "__main__":
    main()
