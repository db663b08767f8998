"""Wall clock of a debate beside the calls that must follow one another: `python benchmarks/wall_clock.py`.

A model that takes its time, and nothing else: what is over the critical path is the engine's own. On that path are one
opening (all are written side by side), a round of bids and a speech a turn, the closing words, and after the last
message the ballots beside the last summary. Other summaries are written while the debate goes on. The session is on
the disk, as a user's is.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from results import told

from eda import Debate, Prompt, Reply, Session, Settings
from eda.events import BidsTaken, MessagePosted, PhaseStarted

RUNS = 5
LATENCY: Mapping[str, float] = {"speak": 0.3, "bid": 0.06, "ballot": 0.06, "summarise": 0.4}
"""Seconds of a call, by its purpose."""
BOUND = 1.05
PANELS = (("product-decision", 24), ("architecture-review", 36))
WORDS = 150


class Slow:
    """Answers with new words after the latency of the purpose."""

    summarises = True
    deterministic = False

    def __init__(self) -> None:
        draw = random.Random(1)
        self.words = ["".join(draw.choices("abcdefghijklmnoprstu", k=draw.randint(3, 7))) for _ in range(60_000)]

    async def run(self, prompt: Prompt, on_text: object = None) -> Reply:  # noqa: ARG002 - the protocol's shape
        """Some sentences, or what the purpose asks for."""
        await asyncio.sleep(LATENCY[prompt.purpose])
        draw = random.Random(f"{prompt.agent} {prompt.last} {prompt.attempt}")
        if prompt.purpose == "bid":
            bids = [{"agent": one.agent, **_bid(draw)} for one in prompt.each]
            return Reply("", data={"bids": bids} if bids else _bid(draw))
        if prompt.purpose == "ballot":
            return Reply("", data={"choice": prompt.options[0], "reason": ""})
        sentences = [" ".join(draw.choices(self.words, k=15)).capitalize() + "." for _ in range(WORDS // 15)]
        return Reply(" ".join(sentences))


def _bid(draw: random.Random) -> dict[str, object]:
    return {"wants": True, "urgency": round(draw.random(), 3), "reason": ""}


def critical(debate: Debate) -> float:
    """Seconds of the calls of this debate that had to follow one another."""
    seconds, phase, messages = 0.0, "", 0
    for event in debate.session.events():
        if isinstance(event, PhaseStarted):
            phase = event.phase
            seconds += LATENCY["speak"] if phase == "opening" else 0.0
        elif isinstance(event, BidsTaken):
            seconds += LATENCY["bid"]
        elif isinstance(event, MessagePosted):
            messages += 1
            seconds += LATENCY["speak"] if phase != "opening" else 0.0
    last = LATENCY["summarise"] if messages % debate.progress.settings.summary_every == 0 else 0.0
    return seconds + max(LATENCY["ballot"], last)


async def measured(panel: str, messages: int, bids: str, folder: Path) -> tuple[float, float, float]:
    """Seconds that one debate took, those of its critical path, and those in which it kept a processor busy."""
    runner = Slow()
    with Session.create("s", folder) as session:
        debate = Debate(
            "Should we move the billing service out of the monolith?",
            panel,
            runner,
            options=("move it", "leave it"),
            settings=Settings(max_messages=messages, bids=bids),
            session=session,
        )
        began, busy = time.perf_counter(), time.process_time()
        await debate.run()
        return time.perf_counter() - began, critical(debate), time.process_time() - busy


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    args = parser.parse_args()
    lines = [
        "| panel | messages | bids | critical path, s | measured, s | ratio (bound 1.05) | processor, s |",
        "|---|---|---|---|---|---|---|",
    ]
    for panel, messages in PANELS:
        for bids in ("each", "together"):
            runs = []
            for _ in range(RUNS):
                with tempfile.TemporaryDirectory() as folder:
                    runs.append(asyncio.run(measured(panel, messages, bids, Path(folder))))
            seconds, path, busy = (statistics.median(column) for column in zip(*runs, strict=True))
            ratio = f"{seconds / path:.3f}" + ("" if seconds / path <= BOUND else " (missed)")
            lines.append(f"| {panel} | {messages} | {bids} | {path:.2f} | {seconds:.2f} | {ratio} | {busy:.2f} |")
    told("wall-clock", "python benchmarks/wall_clock.py --write", "\n".join(lines), write=args.write)


if __name__ == "__main__":
    main()
