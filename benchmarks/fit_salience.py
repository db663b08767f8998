"""Fits `eda/memory/context/salience.toml`: `python benchmarks/fit_salience.py CORPORA_DIR [--write]`. Needs numpy.

Ridge logistic regression on the messages that annotators linked to decisions (gold `dec`), each counting less where a
decision has many. Prints the decisions kept with whole series of meetings (same people, one project) left out, and
with single meetings left out, beside the figure on what it was fitted to.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from brief import BUDGETS, best_ids, kept_by_ids, linked, listen
from corpora import Corpus, corpora

import eda.memory.context.salience
from eda.memory.context.salience import WEIGHTS, Salience

TABLE = Path(eda.memory.context.salience.__file__).with_name("salience.toml")
STRENGTH = 100.0
"""Of the ridge, on signs scaled to a deviation of 1."""
SMALL = 0.055
"""A weight below it is left out."""
BELIEF = {"declared": 2.0, "decision": 3.0, "supported": 0.3}
"""What a sign counts where the meetings say nothing of it."""


class Watched(Salience):
    """Remembers which signs each message had."""

    def __init__(self, keep: int = 10**6) -> None:
        super().__init__(keep)
        self.signs: dict[int, dict[str, float]] = defaultdict(lambda: defaultdict(float))

    def _add(self, item: Any, sign: str, amount: float = 1.0) -> None:
        self.signs[item.number][sign] += amount
        super()._add(item, sign, amount)

    def all_signs(self, number: int) -> dict[str, float]:
        place, sign = self._place(number)
        return {**self.signs[number], "place": place, sign: 1.0}


def fit(x: Any, gold: Any, weight: Any, prior: Any) -> Any:
    """Newton's method; the first column is the bias and not shrunk."""
    theta = prior.copy()
    shrink = np.full(x.shape[1], STRENGTH)
    shrink[0] = 1e-6
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(x @ theta, -30, 30)))
        gradient = x.T @ (weight * (p - gold)) + shrink * (theta - prior)
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + np.diag(shrink)
        theta -= np.linalg.solve(hessian, gradient)
    return theta


def table_of(corpus: Corpus, convs: list[str], heard: dict[str, Watched], names: list[str]) -> dict[str, float]:
    rows, gold, weight = [], [], []
    for conv in convs:
        value: dict[int, float] = {}
        numbers = {row["id"]: number for number, row in enumerate(corpus.conversations[conv], 1)}
        for ids in linked(corpus, conv).values():
            for key in ids:
                value[numbers[key]] = max(value.get(numbers[key], 0.0), len(ids) ** -0.5)
        for number in numbers.values():
            signs = heard[conv].all_signs(number)
            rows.append([signs.get(name, 0.0) for name in names])
            gold.append(float(number in value))
            weight.append(value.get(number, 1.0))
    x = np.array(rows)
    scale = x.std(0)
    scale[scale == 0] = 1.0
    prior = np.array([BELIEF.get(name, 0.0) for name in names]) * scale
    prior[0] = -5.0
    theta = fit(x / scale, np.array(gold), np.array(weight), prior) / scale
    return {name: value for name, value in zip(names, theta.round(2).tolist(), strict=True) if abs(value) >= SMALL}


def kept(corpus: Corpus, convs: list[str], weights: dict[str, float]) -> list[tuple[int, int]]:
    before = dict(WEIGHTS)
    use(weights)
    counts = [kept_by_ids(corpus, {conv: best_ids(corpus, conv) for conv in convs}, budget) for budget in BUDGETS]
    use(before)
    return counts


def use(weights: dict[str, float]) -> None:
    """The engine weighs with these from here on."""
    assert isinstance(WEIGHTS, dict)
    WEIGHTS.clear()
    WEIGHTS.update(weights)


def left_out(corpus: Corpus, heard: dict[str, Watched], names: list[str], group: dict[str, str]) -> list[float]:
    total = np.zeros((len(BUDGETS), 2))
    for held in sorted(set(group.values())):
        weights = table_of(corpus, [conv for conv in group if group[conv] != held], heard, names)
        total += np.array(kept(corpus, [conv for conv in group if group[conv] == held], weights))
    return [round(float(value), 3) for value in total[:, 0] / total[:, 1]]


def write(weights: dict[str, float]) -> None:
    text = TABLE.read_text(encoding="utf8")
    cue = re.compile(r"(\[cues\.(\w+)\]\nwords = [^\n]*\nweight = )\S+")
    text = cue.sub(lambda match: f"{match[1]}{weights.get(f'has-{match[2]}', 0.0)}", text)
    signs = [f'"{name}" = {value}' for name, value in sorted(weights.items()) if not name.startswith("has-")]
    TABLE.write_text(text.partition("[signs]")[0] + "[signs]\n" + "\n".join(signs) + "\n", encoding="utf8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    corpus = next(
        corpus
        for corpus in corpora(given.folder)
        if any(row.get("dec") and "da" in row for row in corpus.gold.values())
    )
    convs = sorted(corpus.conversations)
    heard = {}
    for conv in convs:
        heard[conv] = Watched()
        listen(corpus, conv, heard[conv])
    found = {sign for watched in heard.values() for number in list(watched.signs) for sign in watched.all_signs(number)}
    names = ["any", *sorted((found | BELIEF.keys()) - {"any"})]
    weights = table_of(corpus, convs, heard, names)
    for name, value in sorted(weights.items(), key=lambda pair: -abs(pair[1])):
        print(f"{name:16} {value:6.2f}")
    print(f"{len(names)} signs; decisions kept at {BUDGETS} tokens")
    print("series left out  ", left_out(corpus, heard, names, {conv: conv[:6] for conv in convs}))
    print("meeting left out ", left_out(corpus, heard, names, {conv: conv for conv in convs}))
    print("fitted           ", [round(a / b, 3) for a, b in kept(corpus, convs, weights)])
    if given.write:
        write(weights)


if __name__ == "__main__":
    main()
