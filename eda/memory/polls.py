"""The stance of each member at each poll and ballot, and what preceded each change. What members say does not count.

Blind openings count as a poll before the first one: they are declared before a member has heard anybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from eda.events import AnnouncedEvent, Ballot, BallotCast, Event, MessagePosted, PhaseStarted, ProposalMade, StanceTaken
from eda.events.records import Consensus, Direction, StanceChange
from eda.memory.minutes.consensus import ahead
from eda.memory.minutes.options import Options
from eda.memory.patterns import PatternPack, default_pack

OpeningBasis = Literal["poll", "ballot", "opening", "none"]
"""The source of the first stances: a poll, a ballot, the blind openings, or none."""
_Basis = Literal["", "poll", "ballot"]


@dataclass(frozen=True, slots=True)
class _Opening:
    """The blind opening of a member."""

    message: int
    position: str
    proposals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Stance:
    """What a member answered to a poll or ballot."""

    choice: str | None
    """None where the member is for none of the choices."""
    since: int
    """The last message before the poll or ballot in which the member first made this choice."""
    known: bool = True
    """False where the answer is unusable, or names no single choice."""


@dataclass(slots=True)
class Polls:
    """A fold over stances, ballots and messages."""

    changes: list[StanceChange] = field(default_factory=list)
    first_ballots: dict[str, Ballot] = field(default_factory=dict)
    """Usable ballots of a vote before the first message, by voter."""
    _openings: dict[str, _Opening] = field(default_factory=dict)
    _first: dict[str, str | None] = field(default_factory=dict)
    """Stances of a poll before the first message."""
    _basis: _Basis = ""
    _poll: int = 0
    _before: dict[str, _Stance] = field(default_factory=dict)
    """The last known stance of each member before the latest poll or ballot; before the first one, its opening."""
    _latest: dict[str, _Stance] = field(default_factory=dict)
    """The stances at the latest poll or ballot."""
    _spoke: dict[str, int] = field(default_factory=dict)
    """The last message of each speaker."""
    pack: PatternPack = field(init=False, default_factory=default_pack)
    """Its language has the words that name a choice in an opening."""

    def fold(self, event: Event) -> None:
        """Update with a stance, a ballot or the start of a phase; other facts change nothing."""
        match event:
            case StanceTaken():
                self._begin("poll", event.poll, event.choices)
                if not event.after and not event.invalid:
                    self._first.setdefault(event.who, event.choice)
                self._take(event.who, _Stance(event.choice, event.after, not event.invalid), event.poll)
            case BallotCast(ballot=ballot):
                self._begin("ballot", 0, event.choices)
                last = max(self._spoke.values(), default=0)
                if not self._spoke and not ballot.invalid:
                    self.first_ballots.setdefault(ballot.agent, ballot)
                self._take(ballot.agent, _Stance(first_choice(ballot), last, _is_known(ballot)), None)
            case PhaseStarted():
                self._poll = -1  # a ballot in another phase is another ballot
            case _:
                pass

    def hear(self, message: MessagePosted, position: str, events: Iterable[AnnouncedEvent]) -> None:
        """Update with a message, the position of its speaker and the events derived from it."""
        self._spoke[message.who] = message.number
        if message.sealed and message.who not in self._openings:
            proposed = (each.proposal for each in events if isinstance(each, ProposalMade))
            own = tuple(proposal.content for proposal in proposed if proposal.message == message.number)
            self._openings[message.who] = _Opening(message.number, position, own)

    def opening(self, choices: Sequence[str]) -> tuple[OpeningBasis, dict[str, str | None]]:
        """Return the source of the first stances, and the stances that are known.

        The source is a poll before the first message; else a ballot before it; else the blind openings: the one choice
        that the declared position names, or the choice that the member proposed there itself.
        """
        if self._first:
            return "poll", dict(self._first)
        if self.first_ballots and self._spoke:
            return "ballot", {who: first_choice(each) for who, each in self.first_ballots.items() if _is_known(each)}
        if not self._openings:
            return "none", {}
        options = Options(tuple(choices), self.pack)
        stances = {who: _choice_of(opening, options) for who, opening in self._openings.items()}
        return "opening", {who: choice for who, choice in stances.items() if choice is not None}

    def consensus(self) -> Consensus | None:
        """Return whether all members of the latest poll or ballot chose the same; None before the first one."""
        if not self._latest:
            return None
        counts = Counter(
            stance.choice for stance in self._latest.values() if stance.known and stance.choice is not None
        )
        most = ahead(counts)
        holders = tuple(who for who, stance in self._latest.items() if most is not None and stance.choice == most)
        others = tuple(who for who in self._latest if who not in holders)
        reached = not others and len(holders) > 1
        since = max(self._latest[who].since for who in holders) if reached else None
        return Consensus(reached, self._basis, most or "", holders, others, since)

    def now(self) -> dict[str, str | None]:
        """Return the stances of the latest poll or ballot that are known."""
        return {who: stance.choice for who, stance in self._latest.items() if stance.known}

    def _begin(self, basis: _Basis, poll: int, choices: Sequence[str]) -> None:
        """At the first answer of another poll or ballot, make the latest stances the earlier ones."""
        if (basis, poll) == (self._basis, self._poll):
            return
        if self._basis:
            self._before |= {who: stance for who, stance in self._latest.items() if stance.known}
        else:
            self._before = {who: _Stance(choice, 0) for who, choice in self.opening(choices)[1].items()}
        self._basis, self._poll, self._latest = basis, poll, {}

    def _take(self, who: str, stance: _Stance, poll: int | None) -> None:
        before = self._before.get(who)
        if before is not None and stance.known and stance.choice == before.choice:
            stance = before
        self._latest[who] = stance
        if before is None or before is stance or not stance.known:
            return
        others = {name: number for name, number in self._spoke.items() if name != who}
        there = [name for name, theirs in self._before.items() if theirs.choice == stance.choice and name in others]
        speaker = max(others, key=lambda name: others[name], default="")
        self.changes.append(
            StanceChange(
                who=who,
                poll=poll,
                before=before.choice,
                after=stance.choice,
                message=others.get(speaker, 0),
                speaker=speaker,
                joined=max(there, key=lambda name: others[name], default="") if stance.choice is not None else "",
                direction=direction((each.choice for each in self._before.values()), before.choice, stance.choice),
            )
        )


def direction(choices: Iterable[str | None], before: str | None, after: str | None) -> Direction:
    """Return whether a change goes towards the most frequent earlier choice, away from it, or neither."""
    counts = Counter(choice for choice in choices if choice is not None)
    most = {choice for choice, count in counts.items() if count == max(counts.values())}
    if (before in most) == (after in most):
        return "aside"
    return "towards" if after in most else "away"


def first_choice(ballot: Ballot) -> str | None:
    """Return the first choice of a ballot; None where it abstains or ranks several equal."""
    return ballot.choice or next(iter(ballot.ranking), None)


def _is_known(ballot: Ballot) -> bool:
    """True if the ballot names one choice or abstains; False if it approves or scores several."""
    return not ballot.invalid and (first_choice(ballot) is not None or not (ballot.approved or ballot.scores))


def _choice_of(opening: _Opening, options: Options) -> str | None:
    own = [choice for choice in options.options if choice in opening.proposals]
    named = own or options.mentioned(opening.position, strictly=True)
    return named[0] if len(named) == 1 else None
