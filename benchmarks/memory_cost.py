"""What memory costs at 100,000 messages, everything on: `python benchmarks/memory_cost.py [--messages N]`.

One bus with its log on disk, one memory, summaries by extraction; 80-word messages of a Zipf vocabulary, with moves.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

from results import told

from eda import ConversationMemory, MessagePosted, Session
from eda.debate.replay import memory_of, publisher, save_memory
from eda.debate.state import DebateState
from eda.events import SessionStarted
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.summariser import Summariser

MEMBERS = ("Maya", "Ruth", "Tomas", "Ines", "Jonas")
EDGE = 1_000
WORDS = 80


class Talk:
    """Messages of a vocabulary in which word k is said 1/k as often as the first."""

    def __init__(self) -> None:
        draw = random.Random(7)
        letters = "abcdefghijklmnoprstuvw"
        self.words = ["".join(draw.choices(letters, k=draw.randint(3, 9))) for _ in range(30_000)]
        self.draw = random.Random(8)
        self.weights = [1 / (place + 10) for place in range(len(self.words))]
        self.cumulative = [sum(self.weights[:1])]
        for weight in self.weights[1:]:
            self.cumulative.append(self.cumulative[-1] + weight)

    def message(self, number: int) -> MessagePosted:
        said = self.draw.choices(self.words, cum_weights=self.cumulative, k=WORDS)
        text = ". ".join(" ".join(said[at : at + 16]).capitalize() for at in range(0, WORDS, 16)) + "."
        if number % 9 == 0:
            text += f"\n\n[PROPOSE] we {said[0]} the {said[1]} and {said[2]} by {said[3]}"
        elif number % 9 == 4:
            text += f"\n\n[SUPPORT p{number - 4}.0] because of the {said[4]}\n[POSITION] for the {said[5]}"
        elif number % 9 == 6:
            text += f"\n\n[NOTE {number % 1000 + 1}] the {said[6]} {said[7]} {said[8]} matters to {said[9]}"
        return MessagePosted(number=number, who=MEMBERS[number % 5], text=text, **read_reply(text)._asdict())


def post(session: Session, messages: int, *, watch: bool) -> dict[str, float]:
    """Post them all; times of the first and last thousand, of contexts at the end, and of reopening."""
    talk = Talk()
    memory = ConversationMemory(fact=session.fact)
    progress = DebateState()
    publish = publisher(session, progress, memory)
    publish(SessionStarted(session=session.name, question="What shall we do?"))
    summariser = Summariser(memory.parts, publish)
    made = (talk.message(number) for number in range(1, messages + 1))
    spans: list[float] = []
    text = 0
    if watch:
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
    for message in made:
        text += len(message.text)
        began = time.perf_counter()
        publish(message)
        summariser.extract_due()
        spans.append(time.perf_counter() - began)
    figures = {
        "first": statistics.mean(spans[10 : EDGE + 10]) * 1e6,
        "last": statistics.mean(spans[-EDGE:]) * 1e6,
    }
    if watch:
        gc.collect()
        figures["python_bytes"] = (tracemalloc.get_traced_memory()[0] - before) / messages
        return figures
    fresh, cached, asked = [], [], []
    for number in range(messages + 1, messages + 101):
        publish(talk.message(number))
        summariser.extract_due()
        began = time.perf_counter()
        memory.full_context("Maya")
        fresh.append(time.perf_counter() - began)
        began = time.perf_counter()
        memory.full_context("Maya")
        cached.append(time.perf_counter() - began)
        question = " ".join(talk.draw.choices(talk.words[50:5000], k=6))
        began = time.perf_counter()
        memory.full_context("Maya", about=f"What was said about {question}?")
        asked.append(time.perf_counter() - began)
    figures |= {
        "context_ms": statistics.median(fresh) * 1e3,
        "context_p95_ms": sorted(fresh)[94] * 1e3,
        "cached_ms": statistics.median(cached) * 1e3,
        "question_ms": statistics.median(asked) * 1e3,
    }
    began = time.perf_counter()
    save_memory(session, progress, memory)
    figures["save_s"] = time.perf_counter() - began
    return figures


def reopened(name: str, folder: Path) -> dict[str, float]:
    began = time.perf_counter()
    with Session.read(name, folder) as session:
        opened = time.perf_counter() - began
        memory = memory_of(session)
        took = time.perf_counter() - began
        began = time.perf_counter()
        memory.full_context("Maya")
        return {"log_s": opened, "reopen_s": took, "first_context_ms": (time.perf_counter() - began) * 1e3}


def run(messages: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        with Session.create("cost", Path(folder)) as session:
            figures = post(session, messages, watch=False)
        figures |= reopened("cost", Path(folder))
    with tempfile.TemporaryDirectory() as folder, Session.create("weight", Path(folder)) as session:
        figures |= {k: v for k, v in post(session, messages, watch=True).items() if k.endswith("bytes")}
    return figures


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--one", action="store_true")
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    args = parser.parse_args()
    if args.one:
        print(json.dumps(run(args.messages)))
        return
    results = []
    for _ in range(args.runs):
        command = [sys.executable, __file__, "--one", "--messages", str(args.messages)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - this file
        results.append(json.loads(done.stdout))
    mid = {key: statistics.median(result[key] for result in results) for key in results[0]}
    lines = [
        f"{args.messages:,} messages of {WORDS} words on disk, medians of {args.runs} runs.",
        "",
        "| what | measured | aim |",
        "|---|---|---|",
        f"| a message posted, first {EDGE:,} | {mid['first']:,.0f} us | |",
        f"| a message posted, last {EDGE:,} | {mid['last']:,.0f} us | |",
        f"| last over first | {mid['last'] / mid['first']:.2f} | 1.2 |",
        f"| memory a message, with the index | {mid['python_bytes']:,.0f} bytes | 1,000 beyond its text |",
        f"| full context after a new message, median | {mid['context_ms']:.2f} ms | 5 |",
        f"| the same, 95th of 100 | {mid['context_p95_ms']:.2f} ms | 5 |",
        f"| full context where nothing has changed | {mid['cached_ms']:.4f} ms | 0.1 |",
        f"| full context about a question, median | {mid['question_ms']:.2f} ms | 5 |",
        f"| opening the log (every line's checksum) | {mid['log_s']:.2f} s | |",
        f"| opening the log and its memory | {mid['reopen_s']:.2f} s | 5 |",
        f"| the first context after that | {mid['first_context_ms']:.1f} ms | |",
        f"| writing `memory.json` and the index | {mid['save_s']:.2f} s | |",
    ]
    told("memory-cost", "python benchmarks/memory_cost.py --write", "\n".join(lines), write=args.write)


if __name__ == "__main__":
    main()
