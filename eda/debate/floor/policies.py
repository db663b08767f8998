"""Who speaks next. A policy is a function of the state of the debate and keeps nothing, so a resume grants the same."""

import random
from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from eda.debate.addressing import addressing_of
from eda.debate.state import DebateState
from eda.events import Bid, FloorGranted
from eda.panels.registry import FLOORS, completed


class FloorPolicy(Protocol):
    """What a floor policy must have. It may have all else that `Floor` has."""

    @abstractmethod
    def grant(self, members: Sequence[str], state: DebateState, bids: Sequence[Bid] = (), /) -> FloorGranted | None:
        """Return the next speaker and why, or None where nobody is to speak."""
        ...


class Floor(FloorPolicy):
    """A floor policy with the defaults of all that it may leave out."""

    line = ""
    """What it does and promises, in a line."""
    asks: Literal["bids", "moderator", "nobody"] = "nobody"
    """Who is asked before `grant`, which is given the answers as bids: each member for its bid, the moderator, nobody.
    """
    together = False
    """Whether all who are eligible speak at once, unseen by each other; `grant` is then not called."""
    in_order = False
    """Whether a person has a turn like any other member; else only a person who has typed something has."""

    def eligible(self, members: Sequence[str], state: DebateState, /) -> list[str]:  # noqa: ARG002 - the protocol's shape
        """Return the members who may have the floor now, in seat order: here all."""
        return list(members)

    def first(self, members: Sequence[str], state: DebateState, /) -> FloorGranted | None:  # noqa: ARG002 - the protocol's shape
        """Return who has the floor whatever anybody would answer, so that nobody is asked: here nobody."""
        return None


class RoundRobin(Floor):
    """Each in seat order, again and again: whoever had the floor longest ago in this phase, by seat among equals.

    So nobody waits for more turns than there are members.
    """

    line = "In seat order; nobody waits for more turns than there are members."
    in_order = True

    def grant(self, members: Sequence[str], state: DebateState, bids: Sequence[Bid] = (), /) -> FloorGranted:  # noqa: ARG002 - the protocol's shape
        """Return the grant to the next seat."""
        return FloorGranted(agent=min(members, key=state.floor_ago), why="in turn")


class RandomFloor(Floor):
    """By lot, drawn from the session's seed; nobody twice in a row, unless nobody else may speak.

    With each turn a member draws when its next is due: within as many turns as the panel has members. Who is due first
    has the floor. So nobody who may speak waits for more than twice as many turns as there are members, less two: once
    it is due, each of the others can have one turn more.
    """

    line = "By lot, nobody twice in a row; nobody waits for more than two turns a member, less two."

    def eligible(self, members: Sequence[str], state: DebateState, /) -> list[str]:
        """Return everybody but the last speaker; that one, too, where nobody else is left."""
        return _unless_last(members, state) or list(members)

    def grant(self, members: Sequence[str], state: DebateState, bids: Sequence[Bid] = (), /) -> FloorGranted:  # noqa: ARG002 - the protocol's shape
        """Return the grant to who is due first."""
        begun = state.messages - state.said  # each phase has lots of its own

        def due(member: str) -> float:
            ago = state.floor_ago(member)
            return ago + random.Random(f"{state.seed}:{begun}:{member}:{ago}").random() * len(state.members)

        return FloorGranted(agent=min(self.eligible(members, state), key=due), why="lot")


def _unless_last(members: Sequence[str], state: DebateState, /) -> list[str]:
    return [member for member in members if state.last is None or member != state.last.who]


def _asked_by_last(state: DebateState, among: Sequence[str]) -> FloorGranted | None:
    """Return the grant to who of `among` is asked a question in the last message; of several, who is silent longest."""
    last = state.last
    if last is None or last.to is None:
        return None
    addressing, said = addressing_of(*(state.personas or among)), last.spoken
    questioned = [who for who in among if addressing.asks(said, who)]
    first = min(questioned, key=lambda who: state.spoke_at.get(who, 0), default="")
    return FloorGranted(agent=first, why="asked", by=last.who) if first else None


class Bidding(Floor):
    """Whom the last speaker names, then who was asked a question, then the highest urgency, then who spoke longest ago.

    Nobody speaks twice in a row. Bids are asked for where nobody is named, after the moderator spoke to all, and once a
    member has not had the floor, and was not asked for a bid, for twice as many turns as there are members. Where the
    settings ask for a `list`, a round of bids serves as many turns as half of the panel has members: who comes next in
    it has the floor, and nobody is asked in between, unless a message asks somebody a question or a person has
    something to say. Blind openings name by most.
    Equal bids never go by seat, or one seat would take every turn. A bid that has stood for as many rounds as the panel
    has members, or whose member has waited for twice as many turns, comes before all others, the longest first.
    """

    line = (
        "Who speaks names who is next, else each says how urgently it wants to speak; a bid that stands has the floor"
        " within two rounds of bids a member."
    )
    asks = "bids"

    def eligible(self, members: Sequence[str], state: DebateState, /) -> list[str]:
        """Return everybody but the last speaker."""
        return _unless_last(members, state)

    def first(self, members: Sequence[str], state: DebateState, /) -> FloorGranted | None:
        """Return the grant to whom the last speaker names, or to the next bid of the last round while that serves."""
        waiting = [bid for bid in state.bids_left if bid.agent in members]
        if any(map(state.is_person, members)):
            return None
        if late := _longest_waiting(waiting, state):
            return late
        if any(state.turns - max(state.floor_ago(who), state.bids_at) >= _patience(state) for who in members):
            return None
        if named := _named(members, state):
            return named
        question, wanting = _asked_by_last(state, members), [bid.agent for bid in waiting]
        anew = question is not None and question.agent not in wanting
        return None if anew or state.settings.bids != "list" else self.grant(members, state, waiting)

    def grant(self, members: Sequence[str], state: DebateState, bids: Sequence[Bid] = (), /) -> FloorGranted | None:
        """Return the grant to the winning bid."""
        wanting = [bid for bid in bids if bid.wants and bid.agent in members]
        if not wanting:
            return None
        stood = state.bids_stood
        longest = max(wanting, key=lambda bid: (stood.get(bid.agent, 0), -state.spoke_at.get(bid.agent, 0)))
        if (rounds := stood.get(longest.agent, 0)) >= max(1, len(state.members)):
            return FloorGranted(agent=longest.agent, why="stood", turns=rounds)
        if first := _longest_waiting(wanting, state) or _asked_by_last(state, [bid.agent for bid in wanting]):
            return first
        best = min(wanting, key=lambda bid: (-bid.urgency, state.spoke_at.get(bid.agent, 0)))
        return FloorGranted(agent=best.agent, why="bid", urgency=best.urgency, reason=best.reason)


def _patience(state: DebateState) -> int:
    """Return the turns after which a member is asked, or comes first."""
    return 2 * max(1, len(state.members))


def _longest_waiting(bids: Sequence[Bid], state: DebateState) -> FloorGranted | None:
    """Return the grant to who has waited longest of those who bid, where that is two turns a member."""
    first = min((bid.agent for bid in bids), key=state.floor_ago, default="")
    waited = state.turns - state.floor_ago(first)
    return FloorGranted(agent=first, why="waited", turns=waited) if first and waited >= _patience(state) else None


def _named(members: Sequence[str], state: DebateState) -> FloorGranted | None:
    """Return the grant to whom the last message names, or most openings, by lot among equals."""
    votes = Counter(whom for whom in state.named.values() if whom in members)
    lots = {whom: random.Random(f"{state.seed}:{whom}").random() for whom in votes}
    whom = max(votes, key=lambda each: (votes[each], lots[each]), default="")
    by = next(iter(state.named), "") if len(state.named) == 1 else ""
    return FloorGranted(agent=whom, why="next", by=by) if whom else None


class Moderated(Floor):
    """Who was asked a question first, then whom the moderator names; where it names nobody, who waited longest.

    Nobody speaks twice in a row. Whoever has waited for twice as many turns as the panel has members comes before all
    others, the longest first. So nobody who may speak waits for three times as many turns as there are members.
    """

    line = "Whom a moderator names, who was asked comes first; nobody waits for three turns a member."
    asks = "moderator"

    eligible = RandomFloor.eligible

    def first(self, members: Sequence[str], state: DebateState, /) -> FloorGranted | None:
        """Return the grant to who has waited too long, else to who was asked a question."""
        longest = _longest(members, state)
        waited = state.turns - state.floor_ago(longest)
        if waited >= 2 * len(state.members):
            return FloorGranted(agent=longest, why="waited", turns=waited)
        if answer := _asked_by_last(state, members):
            return answer
        return FloorGranted(agent=members[0], why="alone") if len(members) == 1 else None

    def grant(self, members: Sequence[str], state: DebateState, bids: Sequence[Bid] = (), /) -> FloorGranted:
        """Return the grant to the member whom the moderator named, given as its bid; else to who waited longest."""
        for bid in bids:
            if bid.agent in members:
                return FloorGranted(agent=bid.agent, why="named", reason=bid.reason)
        return FloorGranted(agent=_longest(members, state), why="longest")


def _longest(members: Sequence[str], state: DebateState) -> str:
    """Return who of these has not had the floor for longest."""
    return min(members, key=lambda member: (state.floor_ago(member), state.spoke_at.get(member, 0)))


class Simultaneous(RoundRobin):
    """All who may speak have the floor at once; what they say is shown in seat order."""

    line = "All write at once, unseen by each other; then all is shown."
    together = True
    in_order = False


FOR_GUESTS = "round-robin"
"""The floor where people are invited, unless another is named: each of them has turns, however fast the others are."""
SHIPPED: Mapping[str, Floor] = {
    "bidding": Bidding(),
    "round-robin": RoundRobin(),
    "random": RandomFloor(),
    "moderated": Moderated(),
    "simultaneous": Simultaneous(),
}
"""By name. Whom a person at the table addresses comes before what any of them grants."""


def checked(part: object) -> Floor | None:
    """Return the policy with the defaults of `Floor` for what it leaves out, or None where it grants nothing."""
    return completed(part, Floor, "grant")  # type: ignore[type-abstract]  # it makes a subclass


def floor_of(state: DebateState) -> Floor:
    """Return the floor policy of the phase that the debate is in."""
    policy: Floor = state.parts.get(FLOORS, state.floor)
    return policy
