"""By which rules talk is minuted: how acts are applied, how free talk is read, how a model's minutes are folded.

In a debate free talk is not read: only declared moves and ballots book anything.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from eda.memory.minutes.ledger import Ledger
from eda.memory.minutes.model_fold import ModelFold
from eda.panels.registry import TALKS


class Rules(NamedTuple):
    """What differs between kinds of talk; each part takes the `State` that it works on."""

    ledger: type[Ledger]
    fold: type[ModelFold]


@cache
def rules_of(kind: str) -> Rules:
    """Return the rules of a kind of talk: `debate`, or a name in `TALKS`."""
    rules: Rules = _SHIPPED.get(kind) or TALKS.get(kind)
    return rules


_SHIPPED = {"debate": Rules(Ledger, ModelFold)}
