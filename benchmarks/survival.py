"""What of the evidence for a question is in the context of an agent: `python benchmarks/survival.py CORPORA`.

Each conversation is read as a user's transcript is; each question is asked as `eda ask` asks it. The baselines fill the
same budget with the newest messages, and with what BM25 ranks first when each message is read with its neighbours.
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from corpora import Row, Scorers, load
from counting import counted, teach
from results import told

from eda.transcripts.analysis import analyze
from eda.transcripts.kind import Row as Message

BUDGETS = (1000, 2000)


def filled(rows: Iterable[Row], budget: int) -> str:
    """The rows in the order given, as many as fit."""
    lines, left = [], budget
    for row in rows:
        line = f"{row['speaker']}: {row['text']}"
        if (cost := counted(line)) <= left:
            lines.append(line)
            left -= cost
    return "\n".join(lines)


class Windows:
    """SQLite's BM25 over windows of three messages."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.base = sqlite3.connect(":memory:")
        self.base.execute("CREATE VIRTUAL TABLE said USING fts5(text, tokenize='porter unicode61')")
        for place in range(len(rows)):
            text = " ".join(row["text"] for row in rows[max(0, place - 1) : place + 2])
            self.base.execute("INSERT INTO said(rowid, text) VALUES (?, ?)", (place + 1, text))

    def ranked(self, query: str) -> list[Row]:
        """The rows, best first."""
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
        found = self.base.execute("SELECT rowid FROM said WHERE said MATCH ? ORDER BY rank LIMIT 200", (words,))
        return [self.rows[place - 1] for (place,) in found]


def survival(folder: Path, name: str) -> list[str]:
    """The rows of the table for one set of questions."""
    conversations: dict[str, list[Row]] = defaultdict(list)
    for row in load(folder / f"{name}.messages.jsonl"):
        conversations[row["conv"]].append(row)
    questions: dict[str, list[Row]] = defaultdict(list)
    for question in load(folder / f"{name}.recall.jsonl"):
        questions[question["conv"]].append(question)
    kept: dict[tuple[str, int], list[Row]] = defaultdict(list)
    most = 0.0
    for conv, asked in questions.items():
        rows = sorted(conversations[conv], key=lambda row: row["i"])
        memory = analyze([Message.model_validate(row) for row in rows])
        teach(memory)
        windows = Windows(rows)
        for question in asked:
            for budget in BUDGETS:
                context = memory.full_context(budget=budget, about=question["query"])
                most = max(most, context.tokens / budget)
                for method, text in (
                    ("last messages", filled(reversed(rows), budget)),
                    ("BM25, windows of three", filled(windows.ranked(question["query"]), budget)),
                    ("the context of an agent", context.text),
                ):
                    kept[method, budget].append({"qid": question["qid"], "context": text})
    scorers = Scorers(folder / "scorers")
    table: dict[str, list[str]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as scratch:
        for (method, budget), rows in kept.items():
            path = Path(scratch) / "kept.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
            gold = [str(folder / f"{name}.{kind}.jsonl") for kind in ("recall", "messages")]
            said = scorers.run("score_survival", [*gold, str(path), "--budget", str(budget)])
            table[method] += re.findall(r"evidence kept (\S+)", said)
    assert most <= 1
    return [f"| {name} | {method} | {' | '.join(figures)} |" for method, figures in table.items()]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    args = parser.parse_args()
    names = sorted(path.name.removesuffix(".recall.jsonl") for path in args.corpora.glob("*.recall.jsonl"))
    lines = [
        f"| questions | what fills the budget | {' | '.join(f'kept at {budget:,} tokens' for budget in BUDGETS)} |",
        "|---|---|---|---|",
    ]
    for name in names:
        lines += survival(args.corpora, name)
    told("survival", "python benchmarks/survival.py CORPORA --write", "\n".join(lines), write=args.write)


if __name__ == "__main__":
    main()
