"""Who speaks next. A policy is a function of what the facts say and keeps nothing, so a resume grants the same."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Protocol

from eda.events import Bid, FloorGranted
from eda.progress import Progress
from eda.settings import FloorName

__all__ = ["Addressing", "Bidding", "FloorPolicy", "RandomFloor", "RoundRobin", "floor_policy"]


class FloorPolicy(Protocol):
    """Grants the floor to one member, or to nobody."""

    takes_bids: bool
    """Whether the members are to be asked first who wants to speak."""

    def eligible(self, members: Sequence[str], progress: Progress) -> list[str]:
        """The members who may bid, in seat order."""
        ...

    def grant(self, members: Sequence[str], progress: Progress, bids: Sequence[Bid]) -> FloorGranted | None:
        """The next speaker and why; None where nobody wants to speak."""
        ...


class RoundRobin:
    """Each in seat order, again and again."""

    takes_bids = False

    def eligible(self, members: Sequence[str], progress: Progress) -> list[str]:  # noqa: ARG002 - the protocol's shape
        """Everybody."""
        return list(members)

    def grant(self, members: Sequence[str], progress: Progress, bids: Sequence[Bid] = ()) -> FloorGranted:  # noqa: ARG002 - the protocol's shape
        """The next seat."""
        return FloorGranted(agent=members[progress.turns % len(members)], reason="next in seat order")


class RandomFloor:
    """One by lot, drawn from the session's seed; nobody twice in a row."""

    takes_bids = False

    def eligible(self, members: Sequence[str], progress: Progress) -> list[str]:
        """Everybody but the last speaker."""
        last = progress.last.who if progress.last else None
        return [member for member in members if member != last] or list(members)

    def grant(self, members: Sequence[str], progress: Progress, bids: Sequence[Bid] = ()) -> FloorGranted:  # noqa: ARG002 - the protocol's shape
        """One of those eligible."""
        seed = progress.started.seed if progress.started else 0
        lot = random.Random(f"{seed}:{progress.messages}:{progress.turns}")
        return FloorGranted(agent=lot.choice(self.eligible(members, progress)), reason="drawn by lot")


class Bidding:
    """The addressed member first, then the highest urgency, then who spoke longest ago.

    Nobody speaks twice in a row unless addressed. Equal bids never go by seat, or one seat would take every turn.
    """

    takes_bids = True

    def eligible(self, members: Sequence[str], progress: Progress) -> list[str]:
        """Everybody but the last speaker, who may answer only when addressed."""
        last = progress.last
        if last is None:
            return list(members)
        return [member for member in members if member == last.to or member != last.who]

    def grant(self, members: Sequence[str], progress: Progress, bids: Sequence[Bid]) -> FloorGranted | None:
        """The winning bid."""
        wanting = [bid for bid in bids if bid.wants and bid.agent in members]
        if not wanting:
            return None
        last = progress.last
        for bid in wanting:
            if last is not None and last.to == bid.agent:
                return FloorGranted(agent=bid.agent, reason=f"addressed by {last.who}")
        best = min(wanting, key=lambda bid: (-bid.urgency, progress.spoke_at.get(bid.agent, 0)))
        because = f": {best.reason}" if best.reason else ""
        return FloorGranted(agent=best.agent, reason=f"urgency {best.urgency:.2f}{because}")


def floor_policy(name: FloorName) -> FloorPolicy:
    """The policy of that name."""
    policies: dict[FloorName, FloorPolicy] = {
        "bidding": Bidding(),
        "round-robin": RoundRobin(),
        "random": RandomFloor(),
    }
    return policies[name]


class Addressing:
    """Finds whom a message addresses: `@Name`, a sentence that begins `Name, ...`, or one that ends `..., Name?`."""

    def __init__(self, names: Sequence[str]) -> None:
        self._by_lower = {name.lower(): name for name in names}
        alternatives = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        self._pattern = re.compile(
            rf"@({alternatives})\b|(?:^|(?<=[.!?\n])[ \t]*)({alternatives})[,:](?=\s)|,\s*({alternatives})\?",
            re.IGNORECASE | re.MULTILINE,
        )

    def find(self, text: str, speaker: str) -> str | None:
        """The last member whom `text` addresses, never the speaker; None where it addresses nobody."""
        lowered = text.lower()
        if not any(name in lowered for name in self._by_lower):
            return None
        addressed = None
        for match in self._pattern.finditer(text):
            name = self._by_lower[next(group for group in match.groups() if group).lower()]
            if name != speaker:
                addressed = name
        return addressed

    @staticmethod
    def answered(text: str, number: int) -> int | None:
        """The first earlier message that `text` names (`m12`); None where it names none."""
        for match in _MESSAGE_ID.finditer(text):
            begins = match.start() == 0 or not text[match.start() - 1].isalnum()
            if begins and 0 < (named := int(match[1])) < number:
                return named
        return None


_MESSAGE_ID = re.compile(r"m([0-9]{1,9})\b")
"""Begins with a letter and no word boundary, so that the engine can skip from `m` to `m`."""
