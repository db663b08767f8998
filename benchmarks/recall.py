"""How much of what was said is found again, and what finding costs: `recall.py CORPORA_DIR [--write]`.

CORPORA_DIR holds `X.messages.jsonl` and `X.recall.jsonl` (query, ids of the messages that answer it) and `scorers/`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import re
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from corpora import Row, Scorers, load
from results import told

from eda.events import MessagePosted
from eda.events.records import Line
from eda.memory.recall.recall import Recall

Ranker = Callable[[str], list[int]]
"""Places in a conversation, from 0, best first."""


def last(rows: list[Row]) -> Ranker:
    return lambda _: list(range(len(rows) - 1, max(len(rows) - 16, -1), -1))


def fts(rows: list[Row], reach: int) -> Ranker:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE said USING fts5(text, tokenize='porter unicode61')")
    for place in range(len(rows)):
        text = " ".join(row["text"] for row in rows[max(place - reach, 0) : place + reach + 1])
        db.execute("INSERT INTO said(rowid, text) VALUES (?, ?)", (place, text))

    def ranked(query: str) -> list[int]:
        words = " OR ".join(f'"{word}"' for word in dict.fromkeys(re.findall(r"\w+", query.lower())))
        found = db.execute("SELECT rowid FROM said WHERE said MATCH ? ORDER BY rank LIMIT 10", (words,))
        return [place for (place,) in found]

    return ranked


def ours(rows: list[Row]) -> Ranker:
    recall = Recall(lambda number: Line(number, rows[number - 1]["speaker"], rows[number - 1]["text"]))
    for number, row in enumerate(rows, 1):
        recall.add(MessagePosted(number=number, who=row["speaker"], text=row["text"]))
    return lambda query: [found.message_id - 1 for found in recall.search(query, 10)]


RANKERS: dict[str, Callable[[list[Row]], Ranker]] = {
    "last 15": last,
    "FTS5": lambda rows: fts(rows, 0),
    "FTS5, window of three": lambda rows: fts(rows, 1),
    "recall": ours,
}


def quality(folder: Path) -> Iterator[str]:
    scorers = Scorers(folder / "scorers")
    yield "| questions | searched by | recall@10 | hit@10 |"
    yield "|---|---|---|---|"
    for path in sorted(folder.glob("*.recall.jsonl")):
        name = path.name.removesuffix(".recall.jsonl")
        questions = load(path)
        conversations: dict[str, list[Row]] = {question["conv"]: [] for question in questions}
        for row in load(folder / f"{name}.messages.jsonl"):
            if row["conv"] in conversations:
                conversations[row["conv"]].append(row)
        for label, ranker in RANKERS.items():
            made = {conv: ranker(rows) for conv, rows in conversations.items()}
            with tempfile.TemporaryDirectory() as scratch:
                answers = Path(scratch) / "ranked.jsonl"
                lines = (
                    {
                        "qid": q["qid"],
                        "ranked": [conversations[q["conv"]][at]["id"] for at in made[q["conv"]](q["query"])],
                    }
                    for q in questions
                )
                answers.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
                # Two lines: the names of the columns (after the count), and the figures of all questions.
                head, figures = scorers.run("score_recall", [str(path), str(answers), "--k", "10"]).splitlines()[:2]
            scores = dict(zip(head.split()[1:], figures.split()[2:], strict=True))
            yield f"| {name} ({len(questions)}) | {label} | {scores['recall@10']} | {scores['hit@10']} |"


def speed(lengths: tuple[int, ...] = (1_000, 10_000, 100_000)) -> Iterator[str]:
    chance = random.Random(1)
    letters = [a + b for a in "bcdfghlmnprst" for b in "aeiou"]
    words = ["".join(chance.choices(letters, k=2 + place % 3)) + str(place % 7) for place in range(50_000)]
    zipf = list(itertools.accumulate(1 / (place + 1) for place in range(len(words))))

    def said(size: int) -> str:
        return " ".join(chance.choices(words, cum_weights=zipf, k=size))

    yield "| messages of 60 words | add, µs | search of 6 words, ms | of 200 words, ms |"
    yield "|---|---|---|---|"
    recall, taken = Recall(_blank), []
    for number in range(1, lengths[-1] + 1):
        message = MessagePosted(number=number, who=f"P{number % 5}", text=said(60))
        taken.append(_timed(partial(recall.add, message)))
        if number in lengths:
            short, long = (_median([partial(recall.search, said(size)) for _ in range(200)]) for size in (6, 200))
            add = statistics.median(taken[-1000:])
            yield f"| {number:,} | {add * 1e6:.0f} | {short * 1e3:.2f} | {long * 1e3:.2f} |"


def _blank(number: int) -> Line:
    return Line(number, "", "")


def _median(works: list[Callable[[], object]]) -> float:
    return statistics.median(map(_timed, works))


def _timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--write", action="store_true", help="put the tables into RESULTS.md")
    asked = parser.parse_args()
    body = "\n".join([*quality(asked.corpora), "", *speed()])
    told("recall", "python benchmarks/recall.py CORPORA --write", body, write=asked.write)


if __name__ == "__main__":
    main()
