"""A pattern is data: what it finds, what it must not find, how sure it is, and sentences that prove it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

__all__ = ["KINDS", "Hit", "Kind", "Pattern", "Scope"]

Kind = Literal["decision", "proposal", "support", "oppose", "neutral", "position", "question", "withdrawal"]
KINDS: tuple[Kind, ...] = get_args(Kind)

Scope = Literal["sentence", "opening", "message"]


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to say something. Matched against normalised text, upper and lower case alike."""

    kind: Kind
    name: str
    regex: str
    """`^` is the start of a sentence. Named groups `topic` and `outcome` say where these stand."""
    unless: tuple[str, ...] = ()
    """Regular expressions of which none may match the sentence. `before:` looks only at what stands before the match in
    its sentence, `after:` only at what stands behind it."""
    confidence: float = 0.8
    """0 to 1: how often it is right where it matches."""
    examples: tuple[str, ...] = ()
    counter_examples: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    """Lower-case words or phrases of which the sentence must hold one, for speed; `^word`: among its first words; `^+`
    (any sign or figure): at its start. Empty: tried on every sentence."""
    scope: Scope = "sentence"
    """`sentence`: every sentence; `opening`: a message's first one; `message`: a message of one sentence."""
    written: bool = False
    """A form that is typed on purpose (`RESOLVED:`, `+1`), not a turn of speech."""


class Hit(NamedTuple):
    """A pattern matched."""

    pattern: str
    kind: Kind
    start: int
    """Offsets into the text that was searched."""
    end: int
    confidence: float
    sentence: tuple[int, int]
    """Start and end of the sentence."""
    written: bool = False
    groups: Mapping[str, tuple[int, int]] = MappingProxyType({})
    """Where named groups stand in the text."""
