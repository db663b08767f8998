"""Ballots, typed lines and reasons that are made by lot are read as they were made, or asked about."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from generated import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_made_by_lot_is_not_read_otherwise(kind: str) -> None:
    draw = random.Random(3)
    made = [KINDS[kind](draw) for _ in range(200)]
    count = Counter(outcome for outcome, _ in made)
    assert count["wrong"] <= 2, [raw for outcome, raw in made if outcome == "wrong"]
    assert count["right"] > 100
