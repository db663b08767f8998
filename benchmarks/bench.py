"""What a message costs the whole engine, at growing lengths, beside peers in the same run: `make bench`.

Five agents in round robin, a scripted runner, everything on: memory, patterns, prompts, log. The runner reads each
prompt, as one that asks a model does; a row has debates whose prompts nobody reads. The first figures have replies as
after a wait for a model (`talk.py`), the others replies at once, which no model gives. Each run is a process of its
own, after a short one that reads and compiles what a process needs once, in turn with the runs of the peers
(`peers.py`), which do nothing of that; figures are medians. Ratios carry from machine to machine, absolutes do not.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from extract_speed import table as extraction
from peers import PEERS
from pyee.asyncio import AsyncIOEventEmitter
from results import told
from talk import say

from eda import Debate, MessagePosted, Prompt, Reply, ScriptedRunner, Session, Settings
from eda.runners.simulated.runner import SimulatedRunner

LENGTHS = (200, 1_000, 2_000)
FIRST = 12
"""Messages of the debate before."""
EDGE = 200
SIMULATED, OF = 20, 30
"""Simulated debates, and their messages."""
HERE = Path(__file__).parent
PEERS_PYTHON = HERE.parent / ".venv-peers" / "bin" / "python"
EDA, UNREAD, ON_DISK = "EDA, in memory", "EDA, prompts not read", "EDA, a file synced at each message"
BARE = "a bare loop over an emitter"
TALKING = "simulated debates"
_WAITS = ", after a wait"


def run(messages: int, of: str) -> dict[str, float]:
    """One debate of `messages` messages: seconds a message, and how much dearer the last `EDGE` are than the first."""

    def answer(prompt: Prompt) -> str:
        if of != UNREAD and not prompt.text:
            raise SystemExit("a prompt is empty")
        return say(prompt.last)

    with tempfile.TemporaryDirectory() as folder:
        session = Session.create("bench", Path(folder)) if of == ON_DISK else Session.in_memory("bench")
        debate = Debate(
            "Should we move the billing service out of the monolith?",
            "architecture-review",
            ScriptedRunner(answer),
            settings=Settings(max_messages=messages, floor="round-robin"),
            session=session,
        )
        stamps: list[tuple[float, float]] = []
        debate.bus.subscribe(
            MessagePosted,
            lambda _: stamps.append((time.perf_counter(), time.process_time() - say.waited)),
            name="stopwatch",
        )
        asyncio.run(debate.run())
        session.close()
    spans = [after[1] - before[1] for before, after in itertools.pairwise(stamps)]
    edge = min(EDGE, len(spans) // 2)
    wall, processor = (stamps[-1][place] - stamps[0][place] for place in (0, 1))
    return {
        "wall": wall / len(spans),
        "processor": processor / len(spans),
        "flat": statistics.mean(spans[-edge:]) / statistics.mean(spans[5 : 5 + edge]),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def bare(messages: int) -> dict[str, float]:
    """The same of no engine at all: five coroutines in turn, a list, an emitter with five handlers."""

    async def loop() -> None:
        emitter, history = AsyncIOEventEmitter(), []
        for _ in range(5):
            emitter.add_listener("message", lambda message: message["who"])

        async def answer(place: int) -> str:
            return say(place)

        for place in range(messages):
            history.append({"number": place, "who": "ABCDE"[place % 5], "text": await answer(place)})
            emitter.emit("message", history[-1])

    began, busy = time.perf_counter(), time.process_time()
    asyncio.run(loop())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    wall, processor = time.perf_counter() - began, time.process_time() - busy
    return {"wall": wall / messages, "processor": processor / messages, "peak_mb": peak}


def simulated() -> dict[str, float]:
    """Simulated debates a processor second, and the share of the runner that writes their words."""

    class Watched(SimulatedRunner):
        seconds = 0.0

        async def run(self, prompt: Prompt, on_text: object = None) -> Reply:  # noqa: ARG002 - the protocol's shape
            began = time.process_time()
            reply = await super().run(prompt)
            Watched.seconds += time.process_time() - began
            return reply

    def debate(seed: int) -> None:
        question = "Should we move the billing service out of the monolith?"
        Debate(question, "product-decision", Watched(), settings=Settings(max_messages=OF), seed=seed).run_sync()

    debate(SIMULATED)
    Watched.seconds, began = 0.0, time.process_time()
    for seed in range(SIMULATED):
        debate(seed)
    seconds = time.process_time() - began
    return {"rate": SIMULATED / seconds, "share": Watched.seconds / seconds}


def _once(command: Sequence[str]) -> dict[str, float]:
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=HERE)  # noqa: S603 - these files
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _commands(messages: int, *, peers: bool) -> dict[str, list[str]]:
    ours = {
        name: [sys.executable, __file__, "--of", name, "--one", str(messages)] for name in (EDA, UNREAD, ON_DISK, BARE)
    }
    theirs = {name: [str(PEERS_PYTHON), "peers.py", name, str(messages)] for name in PEERS if peers}
    waiting = {f"{name}{_WAITS}": [*command, "--waits"] for name, command in {EDA: ours[EDA], **theirs}.items()}
    return ours | theirs | waiting


def _median(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    return {key: statistics.median(row[key] for row in rows) if key != "version" else rows[0][key] for key in rows[0]}


def table(lengths: Sequence[int], runs: int, *, peers: bool) -> list[str]:
    """Return the table of messages."""
    lines = [
        "| messages | of | processor, µs a message | of AG2's | at once, µs | of AG2's | wall | last / first | MB |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for messages in lengths:
        commands = _commands(messages, peers=peers)
        rows: dict[str, list[dict[str, float]]] = {name: [] for name in commands}
        for _ in range(runs):
            for name, command in commands.items():
                rows[name].append(_once(command))
        medians = {name: _median(found) for name, found in rows.items()}
        for name, row in medians.items():
            if name.endswith(_WAITS):
                continue
            named = f"{name} {row['version']}" if "version" in row else name
            flat = f"{row['flat']:.2f}" if "flat" in row else ""
            cells = [f"{messages:,}", named]
            for of in (f"{name}{_WAITS}", name):
                cells.append(f"{medians[of]['processor'] * 1e6:,.0f}" if of in medians else "")
                peer = medians.get("AG2" + of.removeprefix(name))
                cells.append(f"{medians[of]['processor'] / peer['processor']:.1f}" if peer and of in medians else "")
            cells += [f"{row['wall'] * 1e6:,.0f}", flat, f"{row['peak_mb']:.0f}"]
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def main() -> None:
    """Print the table, or one run as JSON for the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--lengths", type=int, nargs="+", default=LENGTHS, metavar="MESSAGES")
    parser.add_argument("--one", type=int, metavar="MESSAGES", help="one run, as JSON")
    parser.add_argument("--of", default=EDA, choices=(EDA, UNREAD, ON_DISK, BARE, TALKING), help="with --one")
    parser.add_argument("--waits", action="store_true", help="with --one: replies come as after a wait for a model")
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    args = parser.parse_args()
    if args.one:
        one = {BARE: lambda: bare(args.one), TALKING: simulated}
        if args.of not in one:
            run(FIRST, EDA)
            if args.waits:
                say.waits()
            one[args.of] = lambda: run(args.one, args.of)
        print(json.dumps(one[args.of]()))
        return
    peers = PEERS_PYTHON.exists()
    talk = _median([_once([sys.executable, __file__, "--of", TALKING, "--one", "30"]) for _ in range(args.runs)])
    share = f"{talk['share']:.0%} of that is the simulated runner's, the rest the engine's"
    lines = [
        *table(args.lengths, args.runs, peers=peers),
        "",
        *([] if peers else ["The peers could not be installed on this machine.", ""]),
        f"Simulated debates of {OF} messages: {talk['rate']:.1f} a processor second (aim: 20); {share}.",
        "",
        extraction(),
    ]
    told("bench", "make bench", "\n".join(lines), write=args.write)


if __name__ == "__main__":
    main()
