"""Where members stood when they were asked in private, and what came before each change of mind. Words do not count.

The blind openings are the poll before the first one: what a member declared before it had heard anybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from eda.events import AnnouncedEvent, Ballot, BallotCast, Event, MessagePosted, PhaseStarted, ProposalMade, StanceTaken
from eda.memory.judge import ahead
from eda.memory.options import Options
from eda.records import Consensus, Direction, StanceChange

__all__ = ["OpeningBasis", "Polls", "direction", "held_on"]

OpeningBasis = Literal["poll", "ballot", "opening", "none"]
"""How it is known where members stood at first: by a poll or a ballot, by their blind openings, or not."""
_Basis = Literal["", "poll", "ballot"]


@dataclass(frozen=True, slots=True)
class _Opening:
    """What a member said before it had heard anybody."""

    message: int
    position: str
    proposals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Held:
    """What a member said in private."""

    choice: str | None
    """None where it holds none of the choices."""
    since: int
    """The message since which it holds it."""
    known: bool = True
    """False where no usable answer came, or one that names no single choice."""


class Polls:
    """A fold over stances, ballots, and who spoke when."""

    def __init__(self) -> None:
        self.changes: list[StanceChange] = []
        self._openings: dict[str, _Opening] = {}
        self._first: dict[str, str | None] = {}
        """The stances of a poll that was taken before anybody spoke."""
        self.first_ballots: dict[str, Ballot] = {}
        """Usable ballots of a vote that was held before anybody spoke, by who cast them."""
        self._basis: _Basis = ""
        self._poll = 0
        self._before: dict[str, _Held] = {}
        """What each was last known to hold before that poll or ballot; before the first one, in its opening."""
        self._held: dict[str, _Held] = {}
        """At the last one."""
        self._spoke: dict[str, int] = {}
        """The last message of each who has spoken."""

    def fold(self, event: Event) -> None:
        """Take a poll's stance, a ballot, or the begin of a phase in; other facts are nothing to it."""
        match event:
            case StanceTaken():
                self._begin("poll", event.poll, event.choices)
                if not event.after and not event.invalid:
                    self._first.setdefault(event.who, event.choice)
                self._take(event.who, _Held(event.choice, event.after, not event.invalid), event.poll)
            case BallotCast(ballot=ballot):
                self._begin("ballot", 0, event.choices)
                if not self._spoke and not ballot.invalid:
                    self.first_ballots.setdefault(ballot.agent, ballot)
                self._take(ballot.agent, _Held(held_on(ballot), self._last, _is_known(ballot)), None)
            case PhaseStarted():
                self._poll = -1  # a ballot in another phase is another ballot
            case _:
                pass

    def hear(self, message: MessagePosted, position: str, found: Iterable[AnnouncedEvent]) -> None:
        """A message was heard; `position` is what its speaker last stood for, `found` what was found in it."""
        self._spoke[message.who] = message.number
        if message.sealed and message.who not in self._openings:
            made = (each.proposal for each in found if isinstance(each, ProposalMade))
            own = tuple(proposal.content for proposal in made if proposal.message == message.number)
            self._openings[message.who] = _Opening(message.number, position, own)

    def opening(self, choices: Sequence[str]) -> tuple[OpeningBasis, dict[str, str | None]]:
        """Where members stood before they heard anybody, as far as it is known, and how it is known.

        By a poll before the talk; else by a ballot before it; else by the blind openings: the one choice that the
        declared position names, or the choice that the member proposed there itself.
        """
        if self._first:
            return "poll", dict(self._first)
        if self.first_ballots and self._spoke:
            return "ballot", {who: held_on(each) for who, each in self.first_ballots.items() if _is_known(each)}
        if not self._openings:
            return "none", {}
        options = Options(choices)
        found = {who: _choice_of(opening, options) for who, opening in self._openings.items()}
        return "opening", {who: choice for who, choice in found.items() if choice is not None}

    def consensus(self) -> Consensus | None:
        """Whether all who were asked last hold the same; None where nobody was asked in private yet."""
        if not self._held:
            return None
        counts = Counter(held.choice for held in self._held.values() if held.known and held.choice is not None)
        most = ahead(counts)
        holders = tuple(who for who, held in self._held.items() if most is not None and held.choice == most)
        others = tuple(who for who in self._held if who not in holders)
        reached = not others and len(holders) > 1
        since = max(self._held[who].since for who in holders) if reached else None
        return Consensus(reached, self._basis, most or "", holders, others, since)

    def now(self) -> dict[str, str | None]:
        """What each held when it was last asked, as far as it is known."""
        return {who: held.choice for who, held in self._held.items() if held.known}

    def to_json(self) -> dict[str, Any]:
        """Everything that `from_json` needs."""
        return {
            "changes": [asdict(change) for change in self.changes],
            "openings": {who: asdict(opening) for who, opening in self._openings.items()},
            "first": self._first,
            "first_ballots": {who: ballot.model_dump(mode="json") for who, ballot in self.first_ballots.items()},
            "basis": self._basis,
            "poll": self._poll,
            "before": {who: asdict(held) for who, held in self._before.items()},
            "held": {who: asdict(held) for who, held in self._held.items()},
            "spoke": self._spoke,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Polls:
        """The same again; facts can be folded into it."""
        polls = cls()
        polls.changes = [StanceChange(**row) for row in data["changes"]]
        polls._openings = {
            who: _Opening(**{**row, "proposals": tuple(row["proposals"])}) for who, row in data["openings"].items()
        }
        polls._first = dict(data["first"])
        polls.first_ballots = {who: Ballot.model_validate(row) for who, row in data["first_ballots"].items()}
        polls._before = {who: _Held(**row) for who, row in data["before"].items()}
        polls._basis, polls._poll = data["basis"], data["poll"]
        polls._held = {who: _Held(**row) for who, row in data["held"].items()}
        polls._spoke = dict(data["spoke"])
        return polls

    @property
    def _last(self) -> int:
        return max(self._spoke.values(), default=0)

    def _begin(self, basis: _Basis, poll: int, choices: Sequence[str]) -> None:
        """Where this is the first answer of another poll, what was held until now is what was held before."""
        if (basis, poll) == (self._basis, self._poll):
            return
        if self._basis:
            self._before |= {who: held for who, held in self._held.items() if held.known}
        else:
            self._before = {who: _Held(choice, 0) for who, choice in self.opening(choices)[1].items()}
        self._basis, self._poll, self._held = basis, poll, {}

    def _take(self, who: str, held: _Held, poll: int | None) -> None:
        before = self._before.get(who)
        if before is not None and held.known and held.choice == before.choice:
            held = before
        self._held[who] = held
        if before is None or before is held or not held.known:
            return
        others = {name: number for name, number in self._spoke.items() if name != who}
        there = [name for name, theirs in self._before.items() if theirs.choice == held.choice and name in others]
        speaker = max(others, key=lambda name: others[name], default="")
        self.changes.append(
            StanceChange(
                who=who,
                poll=poll,
                before=before.choice,
                after=held.choice,
                message=others.get(speaker, 0),
                speaker=speaker,
                joined=max(there, key=lambda name: others[name], default="") if held.choice is not None else "",
                direction=direction((each.choice for each in self._before.values()), before.choice, held.choice),
            )
        )


def direction(held: Iterable[str | None], before: str | None, after: str | None) -> Direction:
    """Which way a change goes, seen from what most held before it: to it, from it, or neither."""
    counts = Counter(choice for choice in held if choice is not None)
    most = {choice for choice, count in counts.items() if count == max(counts.values())}
    if (before in most) == (after in most):
        return "aside"
    return "towards" if after in most else "away"


def held_on(ballot: Ballot) -> str | None:
    """What a ballot is for before all else; None where it abstains, or puts several level."""
    return ballot.choice or next(iter(ballot.ranking), None)


def _is_known(ballot: Ballot) -> bool:
    """Whether it says what its voter holds: an abstention does, several choices of one rank do not."""
    return not ballot.invalid and (held_on(ballot) is not None or not (ballot.approved or ballot.scores))


def _choice_of(opening: _Opening, options: Options) -> str | None:
    own = [choice for choice in options.options if choice in opening.proposals]
    named = own or options.mentioned(opening.position, strictly=True)
    return named[0] if len(named) == 1 else None
