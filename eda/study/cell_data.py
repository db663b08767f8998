"""The rows of one cell together, and what most measures read of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from eda.study.rows import (
    BallotRow,
    CallRow,
    CellRow,
    CodeRow,
    FactRow,
    MemberRow,
    MessageRow,
    OutcomeRow,
    StanceRow,
    Vote,
)

Choices = Mapping[str, str | None]
"""The choice of each member, by title in seat order; None for a member that holds none of the options."""


@dataclass(frozen=True)
class CellData:
    """All rows of one cell."""

    cell: CellRow
    members: Sequence[MemberRow] = ()
    stances: Sequence[StanceRow] = ()
    messages: Sequence[MessageRow] = ()
    ballots: Sequence[BallotRow] = ()
    outcomes: Sequence[OutcomeRow] = ()
    calls: Sequence[CallRow] = ()
    facts: Sequence[FactRow] = ()
    codes: Sequence[CodeRow] = ()
    rule: str = ""
    """The rule whose outcome counts; empty for the rule of the session."""

    def under(self, rule: str) -> Self:
        """Return the same cell, its ballots counted under another rule."""
        return replace(self, rule=rule)

    @cached_property
    def asks(self) -> list[dict[str, StanceRow]]:
        """The usable answers of each ask, by member in seat order, of one instrument: the one asked most often.

        Answers to a ballot and to a poll are not compared: another form of the question may bring another answer.
        """
        by_kind: dict[str, dict[int, dict[str, StanceRow]]] = {"ballot": {}, "poll": {}, "survey": {}}
        for row in sorted(self.stances, key=lambda row: row.seat):
            asks = by_kind[row.instrument].setdefault(row.ask, {})
            if not row.invalid:
                asks[row.member] = row
        asked = max(by_kind.values(), key=len)
        return [asked[ask] for ask in sorted(asked)]

    @cached_property
    def trajectory(self) -> list[Choices]:
        """The choices at each ask."""
        return [{who: row.choice for who, row in ask.items()} for ask in self.asks]

    @cached_property
    def steps(self) -> list[tuple[Choices, Choices]]:
        """Each two asks in a row."""
        return list(zip(self.trajectory, self.trajectory[1:], strict=False))

    @cached_property
    def last(self) -> Choices:
        """The choices of the last ask; empty where nobody was asked."""
        return self.trajectory[-1] if self.trajectory else {}

    def outcome(self, vote: Vote) -> OutcomeRow | None:
        """Return the outcome of a vote under the rule that counts; None where there was no such vote."""
        rows = (row for row in self.outcomes if row.vote == vote)
        return next(
            (row for row in rows if vote == "single" or (row.rule == self.rule if self.rule else row.own)), None
        )
