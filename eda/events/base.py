"""What all facts share: frozen, in the past tense, forbidding fields they do not know."""

from __future__ import annotations

from pydantic import AwareDatetime, BaseModel, ConfigDict

__all__ = ["Event", "Frozen"]


class Frozen(BaseModel):
    """A value of a fact."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Event(Frozen):
    """What all facts share."""

    seq: int = 0
    """Place in the log, from 1; 0 until the bus has stamped it."""
    at: AwareDatetime | None = None
    """UTC; None until the bus has stamped it."""
