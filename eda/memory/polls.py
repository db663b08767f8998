"""The stance of each member at each poll and ballot, and what it says moved it. What members say aloud does not count.

Two answers are the same where they name the same motion, in whatever words: an option and its amendment are one.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from eda.events import (
    NONE,
    Ballot,
    BallotCast,
    Consensus,
    Direction,
    Event,
    MessagePosted,
    PhaseStarted,
    StanceChange,
    StanceTaken,
)
from eda.memory.minutes.consensus import ahead

_Basis = Literal["", "poll", "first", "ballot"]


@dataclass(frozen=True, slots=True)
class _Stance:
    """What a member answered to a poll or ballot."""

    choice: str | None  # None where the member is for none of the choices.
    since: int  # The last message before the poll or ballot in which the member first made this choice.
    known: bool = True  # False where the answer is unusable, or names no single choice.
    accepts: tuple[str, ...] = ()  # The texts that a ballot accepts.
    firsts: tuple[str, ...] = ()  # Those that it puts first; of one without a rank all that it accepts.


@dataclass(slots=True)
class Polls:
    """A fold over stances, ballots and messages."""

    changes: list[StanceChange] = field(default_factory=list)
    motions: dict[str, str] = field(default_factory=dict)  # the motion of each text that a ballot has offered
    _basis: _Basis = ""
    _poll: int = 0
    _before: dict[str, _Stance] = field(default_factory=dict)  # the last known ones before the latest poll or ballot
    _latest: dict[str, _Stance] = field(default_factory=dict)  # The stances at the latest poll or ballot.
    _spoke: dict[str, int] = field(default_factory=dict)  # The last message of each speaker.
    authors: dict[int, str] = field(default_factory=dict)  # Who wrote each message.

    def fold(self, event: Event) -> None:
        """Update with a stance, a ballot or the start of a phase; other facts change nothing."""
        match event:
            case StanceTaken(survey=False):
                self._begin("poll", event.poll)
                self._take(event.who, _Stance(event.choice, event.after, not event.invalid), event)
            case BallotCast(ballot=ballot):
                self._begin("first" if event.first else "ballot", 0)
                self.motions.update((text.text, text.motion) for text in event.texts)
                last = max(self._spoke.values(), default=0)
                choice, accepted = ballot.first_choice, ballot.accepted
                several = choice is None and (ballot.approved or ballot.scores)  # it names several
                stance = _Stance(choice, last, not (ballot.invalid or several), accepted, ballot.firsts or accepted)
                self._take(ballot.agent, stance, ballot)
            case PhaseStarted():
                self._poll = -1  # a ballot in another phase is another ballot

    def hear(self, message: MessagePosted) -> None:
        """Update with a message that all have heard."""
        self._spoke[message.who] = message.number
        self.authors[message.number] = message.who

    def motion(self, choice: str) -> str:
        """Return the id of the motion that a choice is a text of; the choice itself where no ballot said so."""
        return self.motions.get(choice, choice)

    def _motion(self, stance: _Stance) -> str | None:
        return None if stance.choice is None else self.motion(stance.choice)

    def voted(self, who: str) -> tuple[str, ...]:
        """Return the words of what a member puts first in the last ballot, or `none`; several where they are equal."""
        return self._latest[who].firsts if self._basis == "ballot" and who in self._latest else ()

    def consensus(self, decided: Iterable[str] = ()) -> Consensus | None:
        """Return whether the latest poll or ballot is for one text; None before it, or where it came first of all.

        The text is of the motion that most put first: one `decided` that all accept, else the one that most put first;
        who refuses it does not hold it.
        """
        if not self._latest or self._basis == "first":
            return None
        known = {who: stance for who, stance in self._latest.items() if stance.known}
        named = {who: stance for who, stance in known.items() if stance.choice not in (None, NONE)}
        most = ahead(Counter(map(self._motion, named.values())))
        on = self._text(most, [*named.values()], decided)
        holders = tuple(
            who for who, each in named.items() if self._motion(each) == most and on in (each.accepts or (on,))
        )
        reached = len(self._latest) == len(holders) > 1
        since = max(self._latest[who].since for who in holders) if reached else None
        return Consensus(reached, self._basis, on, holders, tuple(who for who in known if who not in holders), since)

    def _text(self, motion: str | None, stances: Sequence[_Stance], decided: Iterable[str]) -> str:
        """Return the text decided of a motion where all of some stances accept it, else the one that most put first."""
        taken = (text for text in decided if self.motion(text) == motion)
        words = Counter(each.choice for each in stances if self._motion(each) == motion).most_common(1)
        most = (words[0][0] if motion and words else "") or ""
        return next((text for text in taken if all(text in each.accepts for each in stances)), most)

    def _begin(self, basis: _Basis, poll: int) -> None:
        """At the first answer of another poll or ballot, make the latest stances the earlier ones."""
        if (basis, poll) == (self._basis, self._poll):
            return
        self._before |= {who: stance for who, stance in self._latest.items() if stance.known}
        self._basis, self._poll, self._latest = basis, poll, {}

    def _take(self, who: str, stance: _Stance, at: StanceTaken | Ballot) -> None:
        before = self._before.get(who)
        stays = before is not None and stance.known and self._motion(stance) == self._motion(before)
        if before is not None and stays:
            stance = replace(stance, since=before.since)
        self._latest[who] = stance
        if before is None or stays or not stance.known:
            return
        others = {name: number for name, number in self._spoke.items() if name != who}
        own, old = self._motion(stance), self._motion(before)
        there = [name for name, theirs in self._before.items() if self._motion(theirs) == own and name in others]
        joined = max(there, key=others.__getitem__, default="") if stance.choice is not None else ""
        way = direction(map(self._motion, self._before.values()), old, own)
        message = at.moved_by or 0
        poll, speaker = at.poll if isinstance(at, StanceTaken) else None, self.authors.get(message, "")
        self.changes.append(StanceChange(who, poll, before.choice, stance.choice, message, speaker, joined, way))


def direction(choices: Iterable[str | None], before: str | None, after: str | None) -> Direction:
    """Return whether a change goes towards the most frequent earlier choice, away from it, or neither."""
    counts = Counter(choice for choice in choices if choice is not None)
    most = {choice for choice, count in counts.items() if count == max(counts.values())}
    ways: tuple[Direction, ...] = ("away", "aside", "towards")
    return ways[1 + (after in most) - (before in most)]
