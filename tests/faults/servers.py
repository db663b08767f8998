"""Every fault of a server at every moment of a debate, by each kind of runner, in real time: `make test-faults`.

It prints a table for benchmarks/RESULTS.md, and ends with 1 where a cell did not hold. A cell holds where the debate
paused in time, and what came of it once the server was mended is what comes of it where nothing goes wrong.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from faulty import FAULTS, MOMENTS, SLOW, Faulty, calm, evening, resumed, run_into

from eda.runners.server import FEW_TRIES

KINDS = ("claude", "vllm")
DEADLINE = 5.0
"""Seconds without progress; five times as many in all."""
QUICK, SLACK = 120.0, 10.0
"""Seconds in which the debate is paused: where the server answers something or nobody listens; beside the deadlines."""
EVENING = "goes off and on three times in one evening"
AT_ONCE = 8
"""Debates that run side by side, so that none waits for the machine."""


async def cell(kind: str, fault: str, moment: str, folder: Path, expected: object) -> tuple[float, str]:
    """Return the seconds until the pause, and what did not hold; empty where all did."""
    name = f"{kind}-{fault}-{moment}".replace(" ", "-").lower()
    with Faulty(fault, MOMENTS[moment], kind) as server:
        began: list[float] = []

        def when(body: dict[str, object]) -> bool:
            hit = MOMENTS[moment](body)
            began.extend([time.monotonic()] if hit and not began else [])
            return hit

        server.when = when
        try:
            why = await run_into(server, name, folder, kind=kind, deadline=DEADLINE, sleep=asyncio.sleep)
            took = time.monotonic() - began[0] if began else 0.0
            if not why:
                return took, "it did not pause" if began else "the moment did not come"
            most = FEW_TRIES * DEADLINE * (5 if "words" in fault else 1) + SLACK if fault in SLOW else QUICK
            if took > most:
                return took, f"it paused after {took:.0f} s"
            same = await resumed(server, name, folder, kind=kind) == expected
        except AssertionError as error:
            return 0.0, f"a fact tells of the outage: {error}"
    return took, "" if same else "what was resumed is another debate"


async def matrix(folder: Path) -> tuple[Counter[tuple[str, str]], dict[str, float], list[str]]:
    """Return how many cells held by fault and moment, the longest time to the pause by fault, and what did not hold."""
    expected = {kind: await calm(folder, kind) for kind in KINDS}
    free = asyncio.Semaphore(AT_ONCE)
    held: Counter[tuple[str, str]] = Counter()
    longest: dict[str, float] = dict.fromkeys(FAULTS, 0.0)
    wrong: list[str] = []

    async def one(kind: str, fault: str, moment: str) -> None:
        async with free:
            took, why = await cell(kind, fault, moment, folder, expected[kind])
        longest[fault] = max(longest[fault], took)
        held[fault, moment] += not why
        wrong.extend([f"{kind}, {fault}, {moment}: {why}"] if why else [])
        print(f"{kind}, {fault}, {moment}: {took:.1f} s; {why or 'held'}", file=sys.stderr, flush=True)

    await asyncio.gather(*(one(kind, fault, moment) for kind in KINDS for fault in FAULTS for moment in MOMENTS))
    for kind in KINDS:
        same = await evening(folder, kind) == expected[kind]
        held[EVENING, ""] += same
        wrong.extend([] if same else [f"{kind}, {EVENING}: what was resumed is another debate"])
    return held, longest, wrong


def main() -> int:
    """Print the table; return 1 where a cell did not hold."""
    with tempfile.TemporaryDirectory() as folder:
        held, longest, wrong = asyncio.run(matrix(Path(folder)))
    tried = len(KINDS)
    print(f"| the server (tried and held, {' and '.join(KINDS)}) | {' | '.join(MOMENTS)} | paused within |")
    print(f"|---|{'---|' * len(MOMENTS)}---|")
    for fault in FAULTS:
        cells = " | ".join(f"{tried}, {held[fault, moment]}" for moment in MOMENTS)
        print(f"| {fault} | {cells} | {longest[fault]:.1f} s |")
    print(f"| {EVENING} | {tried}, {held[EVENING, '']} |{' |' * (len(MOMENTS) - 1)} |")
    print(f"\n{tried * (len(FAULTS) * len(MOMENTS) + 1)} tried, {held.total()} held; deadline {DEADLINE:g} s.")
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
