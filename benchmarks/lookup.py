"""Whether a lookup puts the evidence in front of a member: `lookup.py CORPORA_DIR [--write]`.

CORPORA_DIR holds `X.messages.jsonl` and `X.recall.jsonl`: questions, and the ids of the messages that answer each. Each
question is looked up as a member would, with three passages.
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from corpora import Row, load
from results import told

from eda.debate.prompts.lookups import PASSAGES, messages_about
from eda.events import MessagePosted
from eda.memory import ConversationMemory


def remembered(rows: list[Row]) -> ConversationMemory:
    """A memory that holds the messages for recall alone."""
    memory = ConversationMemory()
    for number, row in enumerate(rows, 1):
        message = MessagePosted(seq=number, number=number, who=row["speaker"], text=row["text"])
        memory.parts.messages.add(message)
    return memory


def quality(folder: Path) -> Iterator[str]:
    yield "| questions | evidence in front of the member | of all its messages | characters shown | a lookup, ms |"
    yield "|---|---|---|---|---|"
    asked = hits = 0
    for path in sorted(folder.glob("*.recall.jsonl")):
        name = path.name.removesuffix(".recall.jsonl")
        questions = load(path)
        rows: dict[str, list[Row]] = {question["conv"]: [] for question in questions}
        for row in load(folder / f"{name}.messages.jsonl"):
            if row["conv"] in rows:
                rows[row["conv"]].append(row)
        memories = {conv: remembered(said) for conv, said in rows.items()}
        shares, sizes, took = [], [], []
        for question in questions:
            said, began = rows[question["conv"]], time.perf_counter()
            found = messages_about(question["query"], memories[question["conv"]], len(said), lambda _: True)
            took.append(time.perf_counter() - began)
            shown = {said[number - 1]["id"] for place, _ in found for number in _numbers(place)}
            shares.append(len(shown & set(question["gold"])) / len(question["gold"]))
            sizes.append(sum(len(text) for _, text in found))
        hit = sum(share > 0 for share in shares)
        asked, hits = asked + len(questions), hits + hit
        figures = f"{statistics.mean(shares):.3f} | {statistics.mean(sizes):,.0f} | {statistics.median(took) * 1e3:.0f}"
        yield f"| {name} ({len(questions)}) | {hit / len(questions):.3f} | {figures} |"
    yield f"\n{hits / asked:.3f} of all {asked} questions have evidence among {PASSAGES} passages (aim: 0.80)."


def _numbers(place: str) -> range:
    first, *last = map(int, re.findall(r"\d+", place))
    return range(first, (last or [first])[-1] + 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    asked = parser.parse_args()
    body = "\n".join(quality(asked.corpora))
    told("lookup", "python benchmarks/lookup.py CORPORA --write", body, write=asked.write)


if __name__ == "__main__":
    main()
