"""What of a ballot is in doubt: it says two things, or something in it cannot be read. A kind, texts, and no words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

DoubtKind = Literal[
    "refuses",
    "refused at first",
    "opposed",
    "beside in prose",
    "none but lists",
    "unknown",
    "denied",
    "on a condition",
    "another sense",
    "two texts",
    "several texts",
    "no vote",
    "twice",
    "no list",
    "not in words",
    "words",
    "abstains and votes",
    "no truth value",
    "not first",
    "first and vote",
    "blocked and approved",
    "choice left out",
    "no choice",
    "several choices",
    "no scores",
    "scores unreadable",
    "score out of range",
    "no order",
    "other words",
    "two votes",
    "question",
    "scores unsaid",
]
"""From `abstains and votes` on an answer is no ballot. `words` is of older sessions, which have a sentence."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What speaks against a ballot, or against a name in one; its voter was asked about it once, and it stands."""

    kind: DoubtKind
    texts: tuple[str, ...] = ()
    """The texts it is about: by their ids, or by their words where they have none."""
    field: str = ""
    """The field of the answer; empty for prose."""
    words: str = ""
    """What the voter wrote there; in older sessions the whole doubt."""
    at: int = 0
    """The message in which the voter opposed the text; 0 of other kinds."""
