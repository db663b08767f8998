"""Facts of what members were asked beside the discussion: what would bring them in, and a vote once more."""

from typing import Literal

from pydantic import Field

from eda.events.base import Event
from eda.panels.settings import Frozen, Takes

__all__ = ["Again", "Changed", "TermsNamed", "VoteTried"]

Changed = Literal["nothing", "premise", "joint", "terms", "order", "member", "model"]
"""What was otherwise: nothing, a premise or several that were not known, what was settled as a member wished, an order,
a member that took no part, or who answered for all."""


class Again(Frozen):
    """What came first on a ballot that was cast anew, and why."""

    who: str
    choice: str | None
    """Id of the text; `none` where it accepts none of them, None for an abstention and for what could not be read."""
    reason: str = ""


class VoteTried(Event, type="vote_tried", beside=True):
    """Members voted once more, with one thing changed or nothing, and the ballots were counted."""

    changed: Changed
    what: str = ""
    """The premise, or the wish, in its own words; `ballots`, `seats` or `options`; a title; the spec of a runner."""
    run: int
    """From 1, of each change."""
    outcome: tuple[str, ...] | None = ()
    """Ids of the motions that won or were adopted, the words of one that only this run has; none where nothing did, and
    None where the debate failed."""
    verdict: int
    """Number of the fact whose vote was taken again."""
    calls: int = 0
    cost: float | None = None
    """US dollars; None where a price is not known."""
    kept: int | None = None
    """The last message that was kept of a debate held again; None where the last vote alone was taken again."""
    places: tuple[str, ...] = ()
    """Where what was changed stands: `briefing.md l. 18`, `m4`."""
    session: str = ""
    """Name of the debate held again, in the folder `stress` of the session."""
    ballots: tuple[Again, ...] = ()
    """Those that were cast anew when the last vote alone was taken again."""


class TermsNamed(Event, type="terms_named"):
    """A member that is not for the leading text said what would bring it in. It binds nobody; all are told."""

    who: str
    on: str
    """Id of the leading text."""
    takes: Takes | None
    """Whether it would take the text; None where no answer could be read, or a person gave none."""
    silent: bool = Field(default=False, exclude_if=lambda silent: not silent)  # whether a person said nothing
    change: str = ""
    """The least change that would bring the member in."""
    unread: str = Field(default="", exclude_if=lambda words: not words)
    """The words of a person that said none of the three: they count for nobody, and are shown as theirs."""
    after: int = 0
    """Number of the last message that the member had heard."""
