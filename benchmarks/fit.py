"""Fits `eda/transcripts/weights.toml` on annotated corpora.

`python benchmarks/fit.py CORPORA_DIR [--write]`. Needs numpy.

Logistic regression, one model a kind, each cue once for all talk and once for its register (so that a register with
few examples borrows from the others), shrunk to what each pattern's author believes. Prints F1 with conversations left
out (seven folds of whole ones) beside the figure on what it was fitted to. Small weights are dropped: what
ships is a table one can read.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from corpora import corpora
from predict import listen

from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.state import TRANSCRIPT, State
from eda.memory.patterns import default_pack
from eda.transcripts import findings, ledger
from eda.transcripts.findings import REGISTERS, Finding, SearchedText, log_odds

WEIGHTS = Path(findings.__file__).with_name("weights.toml")
STRENGTH = {"decision": 0.15, "proposal": 0.07, "support": 0.15, "oppose": 0.15}
"""How far the examples of a kind may move its weights; more for the kinds with few examples of their own."""
BELIEF = 0.6
"""How much of a pattern's own confidence is believed before anything is seen."""
SMALL = 0.12
FOLDS = 7
MIN_COUNT = 6
GRID = [k / 100 for k in range(8, 62, 2)]
FLOORS = {"decision": 0.8, "proposal": 0.48, "support": 0.65, "oppose": 0.4}
"""Precision, with the conversation left out, below which no threshold is taken if there is another."""
UNSEEN = {"decision": 0.75, "proposal": 0.6, "support": 0.5, "oppose": 0.5}
"""Threshold of a kind in a register of which there are hardly any examples."""

Example = dict[str, Any]


Seen = tuple[SearchedText, Sequence[str], str]


def watched(rows: Sequence[dict[str, Any]], minutes: Minutes) -> list[Seen]:
    """Return what the minutes of a talk looked at in each message: hits, cues and register."""
    seen: list[Seen] = []

    def weigh(searched: SearchedText, cues: Sequence[str], register: str) -> list[Finding]:
        seen.append((searched, cues, register))
        return findings.weigh(searched, cues, register)

    with patch.object(ledger, "weigh", weigh):
        listen(rows, minutes)
    return seen


def examples(folder: Path) -> list[Example]:
    pack = default_pack()
    out: list[Example] = []
    for corpus in corpora(folder):
        kinds = label_kinds(corpus.gold.values())
        if not kinds:
            continue
        for conv, rows in corpus.conversations.items():
            seen = watched(rows, Minutes(State(pack=pack)).begin(corpus.options.get(conv, ()), TRANSCRIPT))
            for (searched, cues, register), row in zip(seen, rows, strict=True):
                hits: dict[str, set[str]] = defaultdict(set)
                written = set()
                for hit in searched.hits:
                    hits[hit.kind].add(hit.pattern)
                    if hit.written:
                        written.add(hit.kind)
                out.append(
                    {
                        "corpus": corpus.name,
                        "conv": conv,
                        "cues": [*cues, *(f"says-{kind}" for kind in hits)],
                        "hits": hits,
                        "written": written,
                        "register": register,
                        "gold": labels(corpus.gold[row["id"]]),
                        "kinds": kinds,
                    }
                )
    return out


def label_kinds(rows: Iterable[dict[str, Any]]) -> set[str]:
    """The kinds a corpus labels message by message, so that a message without the label is a true negative."""
    rows = list(rows)
    kinds = set()
    if any("votes" in row for row in rows):
        return kinds
    if any(row.get("reaction") and row.get("to") for row in rows):
        return kinds  # only votes are labelled there, not talk
    if any(row.get("proposal") for row in rows):
        kinds.add("proposal")
    spoken = any("da" in row for row in rows)  # links from a summary: humans agree at F1 0.10
    if any(row.get("decision") for row in rows) and not spoken:
        kinds.add("decision")
    if not spoken:
        found = {labels(row)["stance"] for row in rows} - {None}
        kinds |= found & {"support", "oppose"}
        if any(row.get("reactions") for row in rows):
            kinds.add("neutral")
    return kinds


def labels(row: dict[str, Any]) -> dict[str, Any]:
    stances = {r["type"] for r in row.get("reactions") or () if r.get("to_proposal")}
    if row.get("reaction"):
        stances.add(row["reaction"])
    return {
        "proposal": bool(row.get("proposal")),
        "decision": bool(row.get("decision")),
        "support": "support" in stances,
        "oppose": "oppose" in stances,
        "neutral": "neutral" in stances,
        "stance": next(iter(stances), None),
    }


class Matrix:
    def __init__(self, rows: Sequence[Sequence[int]], width: int) -> None:
        self.index = np.fromiter((column for row in rows for column in row), dtype=np.int64)
        self.row = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        self.shape = (len(rows), width)

    def dot(self, weights: Any) -> Any:
        return np.bincount(self.row, weights[self.index], self.shape[0])

    def back(self, values: Any) -> Any:
        return np.bincount(self.index, values[self.row], self.shape[1])


def fit(matrix: Matrix, gold: Any, weight: Any, free: Any, prior: Any, strength: float) -> Any:
    """Weighted ridge logistic regression by Adam, shrunk to `prior`; `free` columns (the bias) are not shrunk."""
    theta = prior.copy()
    first, second = np.zeros_like(theta), np.zeros_like(theta)
    shrink = np.where(free, 1e-4, 1.0) / strength
    for step in range(1, 401):
        p = 1 / (1 + np.exp(-matrix.dot(theta)))
        gradient = (matrix.back(weight * (p - gold)) + shrink * (theta - prior)) / len(gold)
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        rate = 0.05 if step < 250 else 0.01
        theta -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-9)
    return theta


def f1(gold: Any, found: Any, missed: int = 0) -> tuple[float, float, float]:
    """F1, precision and recall; `missed` items have no words of a pattern, and are not among `gold`."""
    right = int((gold & found).sum())
    precision, recall = right / max(1, int(found.sum())), right / max(1, int(gold.sum()) + missed)
    return 2 * precision * recall / max(1e-9, precision + recall), precision, recall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    data = examples(given.folder)
    tables = {kind: fit_kind(kind, data) for kind in FLOORS}
    if given.write:
        WEIGHTS.write_text(render(tables), encoding="utf8")


def fit_kind(kind: str, data: list[Example]) -> dict[str, Any]:
    sure = {pattern.name: pattern.confidence for pattern in default_pack().patterns}
    labelled = [row for row in data if kind in row["kinds"] and kind not in row["written"]]
    rows = [row for row in labelled if kind in row["hits"]]  # no item without the words of a pattern
    counts: dict[str, int] = defaultdict(int)
    names: list[list[str]] = []
    for row in rows:
        cues = {*row["cues"], *("~" + name for name in row["hits"].get(kind, ()))} - {f"says-{kind}"}
        names.append([*cues, *(f"{row['register']}/{cue}" for cue in cues)])
        for name in names[-1]:
            counts[name] += 1
    column = {name: k for k, name in enumerate(sorted(n for n, c in counts.items() if c >= MIN_COUNT))}
    free = np.array([name.split("/")[-1] == "any" for name in column])
    prior = np.array([BELIEF * log_odds(sure[name[1:]]) if name[0] == "~" else 0.0 for name in column])
    encoded = [[column[name] for name in row if name in column] for row in names]
    gold = np.array([row["gold"][kind] for row in rows])
    sizes: dict[str, int] = defaultdict(int)
    for row in rows:
        sizes[row["corpus"]] += 1
    # a small corpus counts more a message, yet less in all: about the square root of its size
    largest = max(sizes.values())
    weight = np.array([min(6.0, 1.5 * (largest / sizes[row["corpus"]]) ** 0.5) for row in rows])
    fold = folds(rows)
    held = np.zeros(len(rows))
    for k in range(FOLDS):
        train = np.flatnonzero(fold != k)
        theta = fit(
            Matrix([encoded[i] for i in train], len(column)), gold[train], weight[train], free, prior, STRENGTH[kind]
        )
        test = np.flatnonzero(fold == k)
        held[test] = 1 / (1 + np.exp(-Matrix([encoded[i] for i in test], len(column)).dot(theta)))
    theta = fit(Matrix(encoded, len(column)), gold, weight, free, prior, STRENGTH[kind])
    theta = np.where(np.abs(theta) >= SMALL, theta.round(2), 0.0)
    inside = 1 / (1 + np.exp(-Matrix(encoded, len(column)).dot(theta)))
    register = np.array([row["register"] for row in rows])
    corpus = np.array([row["corpus"] for row in rows])
    thresholds = {}
    lost = [row for row in labelled if kind not in row["hits"] and row["gold"][kind]]
    for name in REGISTERS:
        here = register == name
        missed = sum(row["register"] == name for row in lost)
        limit = (
            best_threshold(FLOORS[kind] + (0.1 if name == "prose" else 0.0), gold[here], held[here], missed)
            if gold[here].sum() >= 10
            else UNSEEN[kind]
        )
        thresholds[name] = max(limit, UNSEEN[kind]) if name == "terse" and kind != "proposal" else limit
    limit = np.array([thresholds[name] for name in register])
    for name in sorted(sizes):
        here = corpus == name
        missed = sum(row["corpus"] == name for row in lost)
        a = f1(gold[here], held[here] >= limit[here], missed)
        b = f1(gold[here], inside[here] >= limit[here], missed)
        print(f"{kind:9} {name:12} left out F1 {a[0]:.3f} (P {a[1]:.2f} R {a[2]:.2f})   fitted {b[0]:.3f}")
    print(f"{kind:9} thresholds {thresholds}, {int((theta != 0).sum())} weights")
    return {"threshold": thresholds, "weights": {name: float(theta[k]) for name, k in column.items() if theta[k]}}


def folds(rows: Sequence[Example]) -> Any:
    place: dict[str, int] = {}
    by_corpus: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        by_corpus[row["corpus"]].add(row["conv"])
    for convs in by_corpus.values():
        order = sorted(convs)
        random.Random(0).shuffle(order)
        place.update({conv: k % FOLDS for k, conv in enumerate(order)})
    return np.array([place[row["conv"]] for row in rows])


def best_threshold(floor: float, gold: Any, held: Any, missed: int) -> float:
    scored = [(f1(gold, held >= limit, missed), limit) for limit in GRID]
    good = [(score[0], limit) for score, limit in scored if score[1] >= floor]
    if not good:  # the surest of those that find nearly as much
        top = max(score[0] for score, _ in scored)
        return max((score[1], limit) for score, limit in scored if score[0] >= 0.85 * top)[1]
    top = max(good)[0]
    return min(limit for value, limit in good if value >= top - 0.01)


def render(tables: dict[str, dict[str, Any]]) -> str:
    lines = [
        "# Log-odds of cues, fitted by benchmarks/fit.py. `anywhere` holds in all talk; a register's table adds to it."
    ]
    for kind, table in tables.items():
        parts = ", ".join(f"{name} = {value}" for name, value in table["threshold"].items())
        lines += ["", f"[{kind}]", f"threshold = {{ {parts} }}"]
        for part in ("anywhere", *REGISTERS):
            lines += ["", f"[{kind}.{part}]"]
            for name, value in sorted(table["weights"].items()):
                home, _, cue = name.rpartition("/")
                if (home or "anywhere") == part:
                    lines.append(f'"{cue}" = {value}')
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
