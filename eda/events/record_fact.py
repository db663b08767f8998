"""The facts that sentences about a debate are held against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class RecordFact:
    """A fact of the record that a claim was held against."""

    kind: Literal[
        "author", "mover", "deed", "no deed", "origin", "ballot", "votes", "moved", "order", "outcome", "words",
        "quote", "unsaid", "dissent", "no such",
    ]  # fmt: skip
    who: tuple[str, ...] = ()
    text: str = ""
    message: int = 0
    deed: str = ""
    number: int = 0
    of: tuple[str, ...] = ()
