"""`Result`, which `Debate.run` returns, and `run_now`, which runs async work for a script."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from eda.debate.shown import took
from eda.errors import UsageError
from eda.events import SubscriberFailed, VerdictReached, cards
from eda.events.messages import UsageTotals
from eda.session import Session
from eda.session.frames import ballot_table, stance_table
from eda.words import ENGLISH

T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """The outcome of a run."""

    session: str
    question: str
    reason: str
    """What ended the discussion: the reason of a stop condition, or `person`; else why it was paused: `person`,
    `stopped`, or an error."""
    verdict: VerdictReached | None
    """None where the debate was stopped before its verdict."""
    messages: int
    spent: UsageTotals
    failures: tuple[SubscriberFailed, ...]
    """Subscribers that raised or fell behind."""
    runner: str
    kept: Session = field(compare=False)
    """The session itself, which can be read after it was closed."""

    def frames(self) -> dict[str, list[dict[str, Any]]]:
        """Return what happened as rows: see `Debate.frames`."""
        return self.kept.frames()

    def __repr__(self) -> str:
        decided = self.verdict.in_brief() if self.verdict else "no vote"
        facts = {"messages": str(self.messages), "reason": self.reason, "session": repr(self.session)}
        return ENGLISH.say("notebook-result", decided=decided, **facts)

    def _repr_html_(self) -> str:
        rows = self.frames()
        return cards.card(
            self.question,
            cards.line(
                f"{self.messages} messages", f"ended: {self.reason}", *took(self.spent), f"session {self.session}"
            ),
            self.verdict._repr_html_() if self.verdict else cards.line("It was stopped before a vote."),
            stance_table(rows["stances"]),
            cards.fold("Ballots", [ballot_table(rows["ballots"])]),
        )


def run_now(work: Callable[[], Coroutine[Any, Any, T]], instead: str) -> T:
    """Return the result of the work, done in a new event loop.

    Raises:
        UsageError: an event loop runs already; the hint names what to write `instead`.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    raise UsageError("an event loop runs here already, as in a notebook", hint=f"Write there: {instead}")
