"""Many debates at once in one process: `make many`.

Each debate has 10 messages, bids and ballots. Its runner answers each call after an awaited timer of 50 ms, with
replies that were made before: a loopback HTTP server costs more processor time than the engine does, so `throughput.py`
measures that by itself. The ideal is the time of the calls that must follow one another in one debate. The lag is how
late the event loop comes to a timer that is due every 5 ms; each timer that a blocked loop misses counts with its own
lateness. "One after the other" is the time of as many debates of which each begins when the one before has ended, with
calls that answer at once: the work of the engine, and what it waits for the disk.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from results import told
from talk import TALK

from eda import Debate, Prompt, Reply, Session, Settings
from eda.cli.program import collect_seldom

SIZES = (1, 20, 200)
MESSAGES = 10
LATENCY = 0.05
"""Seconds of a call."""
TICK = 0.005
BOUND, LAG_BOUND, ALONE_BOUND = 2.0, 40, 1.3


class Timed:
    """Answers after the latency, and counts how many of its calls had to follow one another."""

    summarises = True
    deterministic = False

    def __init__(self, place: int, latency: float) -> None:
        self.place, self.latency = place, latency
        self.calls = self.in_a_row = 0

    async def run(self, prompt: Prompt, on_text: object = None) -> Reply:  # noqa: ARG002 - the protocol's shape
        """New words, a bid or a vote."""
        mine, self.calls = self.in_a_row + 1, self.calls + 1
        await asyncio.sleep(self.latency)
        self.in_a_row = max(self.in_a_row, mine)
        if prompt.purpose == "bid":
            bids = [{"agent": one.agent, **_bid(one)} for one in prompt.each]
            return Reply("", data={"bids": bids} if bids else _bid(prompt))
        if prompt.answer is not None and prompt.options:
            return Reply("", data={"choice": prompt.options[prompt.last % 2], "reason": ""})
        return Reply(TALK[(self.place * 97 + self.calls) % len(TALK)])


def _bid(prompt: Prompt) -> dict[str, object]:
    return {"wants": True, "urgency": sum(map(ord, f"{prompt.agent}{prompt.last}")) % 100 / 100, "reason": ""}


async def _tell_lag(lags: list[float]) -> None:
    due = time.perf_counter() + TICK
    while True:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        now = time.perf_counter()
        while due <= now:
            lags.append(now - due)
            due += TICK


async def run(count: int, folder: Path | None, latency: float = LATENCY) -> dict[str, float]:
    """Run `count` debates at once, on the disk where a folder is given; return seconds."""
    lags: list[float] = []
    ticking = asyncio.create_task(_tell_lag(lags))
    await asyncio.sleep(0)
    began, busy = time.perf_counter(), time.process_time()
    runners, debates = [Timed(place, latency) for place in range(count)], []
    for place, runner in enumerate(runners):
        name = f"s{place}"
        debate = Debate(
            f"Should team {place} move its service out of the monolith?",
            "product-decision",
            runner,
            options=("Move it now", "Wait a quarter"),
            settings=Settings(max_messages=MESSAGES),
            session=Session.create(name, folder) if folder else Session.in_memory(name),
            seed=place,
        )
        debates.append(asyncio.create_task(debate.run()))
        await asyncio.sleep(0)  # as a program does that takes its debates from a queue
    results = await asyncio.gather(*debates)
    measured, processor = time.perf_counter() - began, time.process_time() - busy
    ticking.cancel()
    with suppress(asyncio.CancelledError):
        await ticking
    if any(result.messages != MESSAGES for result in results):
        raise SystemExit("a debate has not had its messages")
    tail = statistics.quantiles(lags, n=100)
    ideal = max(runner.in_a_row for runner in runners) * latency
    return {
        "ideal": ideal,
        "measured": measured,
        "ratio": measured / ideal if ideal else 0.0,
        "processor": processor,
        "each": processor / count,
        "p50": tail[49],
        "p99": tail[98],
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def one(count: int, *, on_disk: bool) -> dict[str, float]:
    """Run them once, as `eda serve` and `eda study` do: after what a process reads and compiles once."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(1, None))
        collect_seldom()  # as every command does that runs debates
        return asyncio.run(run(count, Path(folder) if on_disk else None))


def alone(count: int, *, on_disk: bool) -> dict[str, float]:
    """Run them one after the other, with calls that answer at once."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(1, None))
        collect_seldom()

        async def each() -> list[dict[str, float]]:
            return [await run(1, Path(folder) / str(place) if on_disk else None, 0.0) for place in range(count)]

        rows = asyncio.run(each())
    return {name: sum(row[name] for row in rows) for name in ("processor", "measured")}


def _done(command: list[str]) -> dict[str, float]:
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - this file
    row: dict[str, float] = json.loads(done.stdout)
    return row


def _held(value: float, bound: float, places: int = 2) -> str:
    return f"{value:.{places}f}" + ("" if value <= bound else " (missed)")


def main() -> None:
    """Print the table: medians of several processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--one", type=int, metavar="DEBATES", help="one run as JSON, in this process")
    parser.add_argument("--disk", action="store_true", help="with --one: sessions on the disk")
    parser.add_argument("--alone", action="store_true", help="with --one: one after the other")
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    args = parser.parse_args()
    if args.one:
        print(json.dumps((alone if args.alone else one)(args.one, on_disk=args.disk)))
        return
    head = (
        "| sessions | debates | ideal, s | measured, s | ratio (bound 2) | one after the other, s | ratio (bound 1.3) "
        "| processor, s | a debate, ms | lag p50, ms | p99, ms (bound 40) | peak MB |"
    )
    lines = [head, "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    for on_disk in (False, True):
        for count in SIZES:
            command = [sys.executable, __file__, "--one", str(count), *(["--disk"] if on_disk else [])]
            pairs = [(_done(command), _done([*command, "--alone"])) for _ in range(args.runs)]
            row = {key: statistics.median(each[key] for each, _ in pairs) for key in pairs[0][0]}
            in_turn = statistics.median(each["measured"] for _, each in pairs)
            beside = statistics.median(each["measured"] / after["measured"] for each, after in pairs)
            cells = [f"{'on the disk' if on_disk else 'in memory'}", f"{count}", f"{row['ideal']:.2f}"]
            cells += [f"{row['measured']:.2f}", _held(row["ratio"], BOUND)]
            cells += [f"{in_turn:.2f}", _held(beside, ALONE_BOUND) if count == SIZES[-1] else ""]
            cells += [f"{row['processor']:.2f}", f"{row['each'] * 1000:.1f}", f"{row['p50'] * 1000:.0f}"]
            cells += [_held(row["p99"] * 1000, LAG_BOUND, 0), f"{row['peak_mb']:.0f}"]
            lines.append(f"| {' | '.join(cells)} |")
    told("many", "make many", "\n".join(lines), write=args.write)


if __name__ == "__main__":
    main()
