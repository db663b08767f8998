"""The order of phases. Data, not code: what each phase asks for is read by `Debate`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["PANEL", "Phase", "phase_after"]


@dataclass(frozen=True, slots=True)
class Phase:
    """One part of a debate."""

    name: str
    kind: Literal["blind", "open", "round", "ballot", "verdict"]
    """`blind`: all are asked side by side and see nobody else's answer. `open`: the floor policy decides until
    something stops it. `round`: each once, in seat order. `ballot`: each votes. `verdict`: the votes are counted."""


PANEL: tuple[Phase, ...] = (
    Phase("opening", "blind"),
    Phase("discussion", "open"),
    Phase("closing", "round"),
    Phase("ballot", "ballot"),
    Phase("verdict", "verdict"),
)


def phase_after(name: str, agenda: tuple[Phase, ...] = PANEL) -> Phase | None:
    """The phase that follows `name`; the first one for an empty name; None after the last."""
    if not name:
        return agenda[0]
    names = [phase.name for phase in agenda]
    place = names.index(name) + 1
    return agenda[place] if place < len(agenda) else None
