"""Dilemmas: no answer is true, but one who has an opinion gives it to every wording of the same dilemma.

Each item comes in four wordings: plain, mirrored (the question asks for the other deed, and the options change places),
paraphrased, and both. An answer that follows the wording is framing or agreement, not opinion.
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import NamedTuple

from eda.study.tasks.base import Beliefs, Task, drawn_from, shares

WORDINGS = ("", "mirrored", "paraphrased", "mirrored-paraphrased")
"""The wordings of an item, in the order in which they are made."""


class _Dilemma(NamedTuple):
    """A scene in two wordings, and two deeds of which exactly one is done."""

    scene: str
    otherwise: str
    deeds: tuple[str, str]


_DILEMMAS = (
    _Dilemma(
        "A clinic has one dose left for two patients: one is {age} and was first, the other is {young} and sicker.",
        "Two patients need the last dose of a clinic. One of them, {age} years old, came first; the other, {young} "
        "years old, is in a worse state.",
        ("give the dose to whoever came first", "give the dose to whoever is sicker"),
    ),
    _Dilemma(
        "A town can save {many} old trees or build flats for {some} families on the same ground.",
        "On one piece of ground stand {many} old trees; flats for {some} families would fit there as well.",
        ("keep the trees", "build the flats"),
    ),
    _Dilemma(
        "An editor learns from a private letter that a minister lied {some} years ago; to print it would expose the "
        "writer.",
        "A private letter shows an editor that a minister told a lie {some} years back. Whoever wrote it would be "
        "known if it were printed.",
        ("print what the letter says", "protect the writer of the letter"),
    ),
    _Dilemma(
        "A firm with {many} workers can keep all of them at lower pay, or {some} fewer at full pay.",
        "Either every one of the {many} workers of a firm earns less, or {some} of them must go and the others earn as "
        "before.",
        ("lower the pay of all", "let some go and pay the others in full"),
    ),
    _Dilemma(
        "A school can spend a gift on {some} gifted pupils or on the {many} who are behind.",
        "There are {some} gifted pupils in a school and {many} who are behind, and a gift is enough for one group.",
        ("spend the gift on the gifted pupils", "spend the gift on the pupils who are behind"),
    ),
    _Dilemma(
        "A researcher finds an error in a paper that {many} others cite; to correct it would end the work of {some} "
        "students.",
        "An error stands in a paper with {many} citations. Were its author to correct it, {some} students would lose "
        "their work.",
        ("correct the paper now", "wait until the students are done"),
    ),
)


def make(rng: Random, name: str, seats: int) -> Task:  # noqa: ARG001 - all members are told the same
    """Return a dilemma in the wording that the name has after its `~`; without one, in the plain wording."""
    dilemma = drawn_from(rng, _DILEMMAS)
    spread = {"age": (55, 85), "young": (20, 50), "many": (40, 400), "some": (2, 20)}
    drawn = {name: low + int(rng.random() * (high - low)) for name, (low, high) in spread.items()}
    wording = name.partition("~")[2]
    scene = (dilemma.otherwise if "paraphrased" in wording else dilemma.scene).format(**drawn)
    one, other = reversed(dilemma.deeds) if "mirrored" in wording else dilemma.deeds
    asks = f"Would it be right to {one}, rather than to {other}?"
    if "paraphrased" in wording:
        asks = f"Which is right: to {one}, or to {other}?"
    return Task(name, f"{scene} {asks}", (one, other), kind="dilemmas")


def believes(task: Task, known: Collection[str]) -> Beliefs:  # noqa: ARG001 - no fact decides
    """Return equal belief in both deeds: no answer is true."""
    return shares(dict.fromkeys(task.options, 1.0))
