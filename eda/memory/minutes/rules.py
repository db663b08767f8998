"""By which rules talk is minuted: how its free talk is read, how acts are applied, how a model's minutes are folded."""

from __future__ import annotations

from typing import NamedTuple

from eda.memory.minutes.free_talk import FreeTalk
from eda.memory.minutes.ledger import Ledger
from eda.memory.minutes.model_fold import ModelFold
from eda.panels.registry import TALKS


class Rules(NamedTuple):
    """What differs between kinds of talk; each part takes the `State` that it works on."""

    reader: type[FreeTalk]
    ledger: type[Ledger]
    fold: type[ModelFold]


def rules_of(kind: str) -> Rules:
    """Return the rules of a kind of talk: `debate`, or a name in `TALKS`."""
    rules: Rules = Rules(FreeTalk, Ledger, ModelFold) if kind == "debate" else TALKS.get(kind)
    return rules
