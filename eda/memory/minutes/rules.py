"""By which rules talk is minuted: how its free talk is read, how acts are applied, how a model's minutes are folded.

In a debate free talk is not read: only declared moves and ballots book anything.
"""

from __future__ import annotations

from typing import NamedTuple

from eda.memory.minutes.free_talk import FreeTalk
from eda.memory.minutes.ledger import Ledger
from eda.memory.minutes.model_fold import DebateFold, ModelFold
from eda.panels.registry import TALKS


class Rules(NamedTuple):
    """What differs between kinds of talk; each part takes the `State` that it works on."""

    reader: type[FreeTalk] | None  # None where only declared moves count.
    ledger: type[Ledger]
    fold: type[ModelFold]


def rules_of(kind: str) -> Rules:
    """Return the rules of a kind of talk: `debate`, `by hand`, or a name in `TALKS`."""
    rules: Rules = _SHIPPED.get(kind) or TALKS.get(kind)
    return rules


_SHIPPED = {"debate": Rules(None, Ledger, DebateFold), "by hand": Rules(FreeTalk, Ledger, ModelFold)}
