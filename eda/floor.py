"""Who speaks next. A policy is a function of what the facts say and keeps nothing, so a resume grants the same."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol

from eda.events import Bid, FloorGranted
from eda.progress import Progress
from eda.settings import FloorName

__all__ = [
    "FLOOR_LINES",
    "Bidding",
    "FloorPolicy",
    "Moderated",
    "RandomFloor",
    "RoundRobin",
    "floor_policy",
]


class FloorPolicy(Protocol):
    """Grants the floor to one member, or to nobody."""

    def eligible(self, members: Sequence[str], progress: Progress) -> list[str]:
        """The members who may have the floor now, in seat order."""
        ...

    def first(self, members: Sequence[str], progress: Progress) -> FloorGranted | None:
        """Who has the floor whatever anybody would answer, so that nobody is asked; None where there is nobody."""
        ...

    def grant(self, members: Sequence[str], progress: Progress, bids: Sequence[Bid]) -> FloorGranted | None:
        """The next speaker and why; None where nobody wants to speak."""
        ...


class RoundRobin:
    """Each in seat order, again and again: whoever had the floor longest ago in this phase, by seat among equals.

    So nobody waits for more turns than there are members.
    """

    def eligible(self, members: Sequence[str], progress: Progress) -> list[str]:  # noqa: ARG002 - the protocol's shape
        """Everybody."""
        return list(members)

    def first(self, members: Sequence[str], progress: Progress) -> FloorGranted | None:
        """The next seat."""
        return self.grant(members, progress)

    def grant(self, members: Sequence[str], progress: Progress, bids: Sequence[Bid] = ()) -> FloorGranted:  # noqa: ARG002 - the protocol's shape
        """The next seat."""
        return FloorGranted(agent=min(members, key=progress.floor_ago), reason="next in seat order")


class RandomFloor:
    """By lot, drawn from the session's seed; nobody twice in a row, unless nobody else may speak.

    With each turn a member draws when its next is due: within as many turns as the panel has members. Who is due first
    has the floor. So nobody who may speak waits for more than twice as many turns as there are members, less two: once
    it is due, each of the others can have one turn more.
    """

    def eligible(self, members: Sequence[str], progress: Progress) -> list[str]:
        """Everybody but the last speaker; that one, too, where nobody else is left."""
        return _unless_last(members, progress) or list(members)

    def first(self, members: Sequence[str], progress: Progress) -> FloorGranted | None:
        """Who is due first."""
        return self.grant(members, progress)

    def grant(self, members: Sequence[str], progress: Progress, bids: Sequence[Bid] = ()) -> FloorGranted:  # noqa: ARG002 - the protocol's shape
        """Who is due first."""
        begun = progress.messages - progress.said  # each phase has lots of its own

        def due(member: str) -> float:
            ago = progress.floor_ago(member)
            return ago + random.Random(f"{progress.seed}:{begun}:{member}:{ago}").random() * len(progress.members)

        return FloorGranted(agent=min(self.eligible(members, progress), key=due), reason="drawn by lot")


def _unless_last(members: Sequence[str], progress: Progress) -> list[str]:
    """Everybody but the last speaker."""
    last = progress.last
    return [member for member in members if last is None or member != last.who]


class Bidding:
    """The addressed member first, then the highest urgency, then who spoke longest ago. Nobody speaks twice in a row.

    Equal bids never go by seat, or one seat would take every turn. A bid that has stood for as many rounds as the panel
    has members comes before all others, the longest first. So a standing bid has the floor within twice as many rounds
    as there are members: it comes first after n rounds, and at most n - 1 others, each once, can have stood as long.
    """

    def eligible(self, members: Sequence[str], progress: Progress) -> list[str]:
        """Everybody but the last speaker."""
        return _unless_last(members, progress)

    def first(self, members: Sequence[str], progress: Progress) -> FloorGranted | None:  # noqa: ARG002 - the protocol's shape
        """Nobody: also who is addressed may have nothing to say."""
        return None

    def grant(self, members: Sequence[str], progress: Progress, bids: Sequence[Bid]) -> FloorGranted | None:
        """The winning bid."""
        wanting = [bid for bid in bids if bid.wants and bid.agent in members]
        if not wanting:
            return None
        stood = progress.bids_stood
        longest = max(wanting, key=lambda bid: (stood.get(bid.agent, 0), -progress.spoke_at.get(bid.agent, 0)))
        if (rounds := stood.get(longest.agent, 0)) >= max(1, len(progress.members)):
            return FloorGranted(agent=longest.agent, reason=f"its bid has stood for {rounds} rounds")
        last = progress.last
        for bid in wanting:
            if last is not None and last.to == bid.agent:
                return FloorGranted(agent=bid.agent, reason=f"addressed by {last.who}")
        best = min(wanting, key=lambda bid: (-bid.urgency, progress.spoke_at.get(bid.agent, 0)))
        because = f": {best.reason}" if best.reason else ""
        return FloorGranted(agent=best.agent, reason=f"urgency {best.urgency:.2f}{because}")


class Moderated:
    """The addressed member first, then whom the moderator names; where it names nobody, who waited longest.

    Nobody speaks twice in a row. Whoever has waited for twice as many turns as the panel has members comes before all
    others, the longest first. So nobody who may speak waits for three times as many turns as there are members.
    """

    def eligible(self, members: Sequence[str], progress: Progress) -> list[str]:
        """Everybody but the last speaker; that one, too, where nobody else is left."""
        return _unless_last(members, progress) or list(members)

    def first(self, members: Sequence[str], progress: Progress) -> FloorGranted | None:
        """Who has waited too long, else who is addressed."""
        longest = self._longest(members, progress)
        waited = progress.turns - progress.floor_ago(longest)
        if waited >= 2 * len(progress.members):
            return FloorGranted(agent=longest, reason=f"has waited for {waited} turns")
        last = progress.last
        if last is not None and last.to in members:
            return FloorGranted(agent=last.to, reason=f"addressed by {last.who}")
        return FloorGranted(agent=members[0], reason="nobody else may speak now") if len(members) == 1 else None

    def grant(self, members: Sequence[str], progress: Progress, bids: Sequence[Bid] = ()) -> FloorGranted:
        """The member named, given as its bid."""
        for bid in bids:
            if bid.agent in members:
                return FloorGranted(agent=bid.agent, reason=f"the moderator: {bid.reason or 'named'}")
        return FloorGranted(agent=self._longest(members, progress), reason="spoke longest ago")

    @staticmethod
    def _longest(members: Sequence[str], progress: Progress) -> str:
        return min(members, key=lambda member: (progress.floor_ago(member), progress.spoke_at.get(member, 0)))


_POLICIES: dict[FloorName, FloorPolicy] = {
    "bidding": Bidding(),
    "round-robin": RoundRobin(),
    "random": RandomFloor(),
    "moderated": Moderated(),
    "simultaneous": RoundRobin(),
}
"""`simultaneous` needs no policy of its own: all who may speak have the floor at once, in seat order."""

FLOOR_LINES: dict[FloorName, str] = {
    "bidding": "Each says how urgently it wants to speak, who is addressed comes first; a bid that stands has the floor"
    " within two rounds of bids a member.",
    "round-robin": "In seat order; nobody waits for more turns than there are members.",
    "random": "By lot, nobody twice in a row; nobody waits for more than two turns a member, less two.",
    "moderated": "Whom a moderator names, who is addressed comes first; nobody waits for three turns a member.",
    "simultaneous": "All write at once, unseen by each other; then all is shown.",
}
"""What each floor does and promises, in a line. Whom a person at the table addresses comes before all of it."""


def floor_policy(name: FloorName) -> FloorPolicy:
    """The policy of that name."""
    return _POLICIES[name]
