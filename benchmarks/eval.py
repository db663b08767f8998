"""Scores what memory understands of annotated talk: `python benchmarks/eval.py CORPORA_DIR [--only NAME] [--write]`.

Where CORPORA_DIR has a folder `live`, replies of models are scored too: see `live.py`. Where it has one `forms`, so are
ballots, remarks, conditions and sentences, by the scorer that lies there.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from corpora import Corpus, Row, Scorers, corpora
from known import KNOWN
from live import measure as measure_live
from predict import Predictions, predict
from results import told, write_section

NUMBERS = re.compile(r"P (\d\.\d+) +R (\d\.\d+) +F1 (\d\.\d+)")
MARKERS = (re.compile(r"^\s*PROPOSAL\s*:\s*", re.IGNORECASE), re.compile(r"^\s*RESOLVED\s*:\s*", re.IGNORECASE))


class Table:
    """Rows of corpus, measure, precision, recall, and F1 or another share."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str, str, str]] = []

    def f1(self, corpus: str, measure: str, text: str, label: str) -> None:
        line = next((line for line in text.splitlines() if line.strip().startswith(label)), "")
        match = NUMBERS.search(line)
        self.rows.append((corpus, measure, *(match.groups() if match else ("-", "-", "-"))))

    def share(self, corpus: str, measure: str, value: str) -> None:
        self.rows.append((corpus, measure, "", "", value))

    def markdown(self) -> str:
        lines = [
            "| corpus | measure | P | R | F1 or share | seed | plain rules | aim |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for corpus, measure, *figures in self.rows:
            lines.append(f"| {' | '.join((corpus, measure, *figures, *KNOWN.get((corpus, measure), ('', '', ''))))} |")
        return "\n".join(lines)


def share_of(text: str, label: str) -> str:
    line = next((line for line in text.splitlines() if line.strip().startswith(label)), "")
    numbers = re.findall(r"\d\.\d+", line)
    return numbers[0] if numbers else "-"


def write_rows(path: Path, rows: Iterable[Any]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf8")
    return str(path)


def run(corpus: Corpus, change: Callable[[Row], Row] | None = None) -> Predictions:
    out = Predictions()
    for conv, rows in corpus.conversations.items():
        predict([change(row) for row in rows] if change else rows, corpus.options.get(conv, ()), out)
    return out


def strip_markers(row: Row) -> Row:
    text = row["text"]
    for marker in MARKERS:
        text = marker.sub("", text)
    return {**row, "text": text}


def declare(corpus: Corpus) -> Callable[[Row], Row]:
    """Writes the gold proposals and reactions as move lines at the end of each message."""
    texts = {row["pid"]: row["text"] for row in map(json.loads, corpus.file("proposals").read_text().splitlines())}
    numbers = {row["id"]: k for rows in corpus.conversations.values() for k, row in enumerate(rows, 1)}
    orders = {key: len(row.get("reactions") or ()) for key, row in corpus.gold.items() if key in texts}

    def change(row: Row) -> Row:
        reactions = corpus.gold[row["id"]].get("reactions") or ()
        lines = [f"[{r['type'].upper()} p{numbers[r['to']]}.{orders[r['to']]}]" for r in reactions]
        if row["id"] in texts:
            lines.append(f"[PROPOSE] {texts[row['id']]}")
        return {**row, "text": row["text"] + "\n\n" + "\n".join(lines)} if lines else row

    return change


def score(corpus: Corpus, scorers: Scorers, table: Table, work: Path) -> None:
    found = run(corpus)
    name, gold = corpus.name, str(corpus.file("gold"))
    rows = list(corpus.gold.values())
    labels = write_rows(work / "labels", found.labels)
    for label in ("proposal", "decision", "support", "oppose"):
        reacts = label in ("support", "oppose") and any(row.get("reaction") or row.get("reactions") for row in rows)
        if any(row.get(label) for row in rows) or reacts:
            text = scorers.run("score_labels", [gold, labels, "--label", label])
            table.f1(name, f"{label} (labels)", text, f"{label} exact")
    shown = set(found.shown)
    if shown and any(row.get("decision") for row in rows):
        right = sum(bool(corpus.gold[key].get("decision")) for key in shown)
        table.share(name, "precision of shown decisions", f"{right / len(shown):.3f} ({right}/{len(shown)})")
    if any(row.get("to") or any(r.get("to_proposal") for r in row.get("reactions") or ()) for row in rows):
        linked = write_rows(work / "linked", [row for row in found.reactions if row["proposal"]])
        table.f1(name, "linked reaction", scorers.run("score_reactions", [gold, linked]), "linked reaction")
    finals(corpus, scorers, table, found, work)
    if not corpus.has("proposals"):
        return
    lifecycle(corpus, scorers, table, name, found, work)
    if any(MARKERS[0].match(row["text"]) for talk in corpus.conversations.values() for row in talk):
        lifecycle(corpus, scorers, table, f"{name}, markers stripped", run(corpus, strip_markers), work)
    if corpus.has("holds"):
        lifecycle(corpus, scorers, table, f"{name}, declared moves", run(corpus, declare(corpus)), work)


def lifecycle(corpus: Corpus, scorers: Scorers, table: Table, name: str, found: Predictions, work: Path) -> None:
    text = scorers.run("score_lifecycle", [str(corpus.file("proposals")), write_rows(work / "rows", found.proposals)])
    table.f1(name, "proposal found", text, "proposal found")
    table.share(name, "status macro-F1", share_of(text.replace("macro-F1", ""), "status  "))
    table.f1(name, "votes", text, "votes")
    table.share(name, "whole tally right", share_of(text, "whole tally"))


def finals(corpus: Corpus, scorers: Scorers, table: Table, found: Predictions, work: Path) -> None:
    if corpus.has("positions"):
        joined = [{**row, "final": {who: "".join(held) for who, held in row["final"].items()}} for row in found.finals]
        text = scorers.run("score_positions", [str(corpus.file("positions")), write_rows(work / "rows", joined)])
        table.share(corpus.name, "final position exact", share_of(text, "final position"))
        changed = re.search(r"changed minds only \S+ = (\S+)", text)
        table.share(corpus.name, "final position of those who changed", changed[1] if changed else "-")
        accuracy = re.search(r"accuracy (\d\.\d+)", text)
        table.share(corpus.name, "consensus accuracy", accuracy[1] if accuracy else "-")
    if corpus.has("holds"):
        text = scorers.run("score_holds", [str(corpus.file("holds")), write_rows(work / "rows", found.finals)])
        table.share(corpus.name, "held options exact", share_of(text, "held options"))
        table.share(corpus.name, "consensus accuracy", share_of(text, "consensus accuracy"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    live = given.folder / "live"
    if live.is_dir() and given.only in live.name:
        text, _ = asyncio.run(measure_live(live))
        print(text, end="\n\n")
        if given.write:
            write_section("live", "make eval CORPORA=DIR", text)
    forms = given.folder / "forms"
    if forms.is_dir() and given.only in forms.name:
        scorer = [sys.executable, forms / "score_forms.py", forms]
        done = subprocess.run(scorer, capture_output=True, text=True, check=True)  # noqa: S603 - it comes with the corpora
        text = "\n".join(f"- {line}" for line in done.stdout.splitlines())
        told("forms", "make eval CORPORA=DIR", text, write=given.write)
    if given.only in (live.name, forms.name):
        return
    table = Table()
    with tempfile.TemporaryDirectory() as work:
        for corpus in corpora(given.folder):
            if given.only in corpus.name:
                score(corpus, Scorers(given.folder / "scorers"), table, Path(work))
    told("eval", "make eval CORPORA=DIR", table.markdown(), write=given.write)


if __name__ == "__main__":
    main()
