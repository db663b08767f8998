"""The fact that a member said what would bring it in for the leading text."""

from __future__ import annotations

from typing import Literal

from eda.events.base import Event
from eda.panels.settings import Takes

__all__ = ["TermsNamed"]


class TermsNamed(Event):
    """A member that is not for the leading text said what would bring it in. It binds nobody; all are told."""

    type: Literal["terms_named"] = "terms_named"
    who: str
    on: str
    """Id of the leading text."""
    takes: Takes | None
    """Whether it would take the text; None where no answer could be read."""
    change: str = ""
    """The least change that would bring the member in."""
    after: int = 0
    """Number of the last message that the member had heard."""
