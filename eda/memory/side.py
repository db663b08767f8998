"""What stands beside the debate: talks with single members, comments that nobody asked for, and those that are due.

None of it is in the transcript, in a tally, in recall, or in a prompt of anybody but the member who spoke. What is due
follows from the facts alone, so a session cut between an event and its comment still gets the comment.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, get_args

from pydantic import TypeAdapter

from eda.events import (
    AnnouncedEvent,
    DecisionFound,
    Event,
    MemberChanged,
    MessagePosted,
    ProposalMade,
    SessionStarted,
    SideMessagePosted,
    TurnFailed,
    VerdictReached,
)
from eda.memory.moves import parse_moves
from eda.patterns import normalise, sentences
from eda.personas import CommentsOn
from eda.records import SideLine

__all__ = ["DueComment", "Side", "remark", "without_moves"]

MOST_WORDS = 60
"""Of a comment."""
_KEPT = 20
"""Exchanges that are kept of each talk, and comments of each member."""


_KINDS: tuple[CommentsOn, ...] = get_args(CommentsOn)


@dataclass(frozen=True, slots=True)
class DueComment:
    """A comment that a member is still to make."""

    who: str
    kind: CommentsOn
    on: str
    """The id of the item, or `verdict`."""
    text: str
    """What the event says, with whose it is; empty for a verdict without a winner."""
    after: int
    """The last message when the event was found."""


_talks = TypeAdapter(list[list[SideLine]])
_due = TypeAdapter(list[DueComment])


class Side:
    """A fold over the side messages, and over what calls for a comment."""

    def __init__(self) -> None:
        self.last = 0
        """The number of the last side message."""
        self.turns = 0
        """Comments that were asked for, failed ones included."""
        self._talks: dict[tuple[str, str], deque[SideLine]] = {}
        self._comments: dict[str, deque[SideLine]] = {}
        self._wanting: dict[str, tuple[str, ...]] = {}
        """Who comments on what kind of event, in seat order."""
        self._muted: set[str] = set()
        self._met: dict[str, None] = {}
        """Ids of the items that were commented on or are due; a change of one is no new event."""
        self._due: deque[DueComment] = deque()
        self._posted = 0

    @property
    def due(self) -> DueComment | None:
        """The comment to make next; None where none is due."""
        return self._due[0] if self._due else None

    def exchanges(self, member: str, who: str, most: int) -> tuple[SideLine, ...]:
        """The last exchanges of `who` with `member`, at most `most`: question and answer, oldest first."""
        return _last(self._talks.get(_pair(member, who), deque()), 2 * most)

    def comments(self, member: str, most: int) -> tuple[SideLine, ...]:
        """The last comments of `member` that nobody asked for, at most `most`, oldest first."""
        return _last(self._comments.get(member, deque()), most)

    def hear(self, event: Event, found: Iterable[AnnouncedEvent] = ()) -> None:
        """Take one fact in, and what memory found in it."""
        match event:
            case SideMessagePosted():
                self._keep(event)
            case TurnFailed(purpose="comment", who=who):
                self.turns += 1
                self._due = deque(due for due in self._due if due is not self._first_of(who))
            case MessagePosted(number=number):
                self._posted = number
                # What was found up to the message before last has had its turn boundary.
                while self._due and self._due[0].after < number - 1:
                    self._due.popleft()
            case SessionStarted(members=members):
                self._wanting = {kind: tuple(m.title for m in members if kind in m.comments_on) for kind in _KINDS}
            case MemberChanged():
                self._seat(event)
            case VerdictReached(outcome=outcome):
                self._add("verdict", "verdict", outcome or "")
            case _:
                pass
        for each in found:
            self._meet(each)

    def to_json(self) -> dict[str, Any]:
        """Everything that `from_json` needs."""
        return {
            "last": self.last,
            "turns": self.turns,
            "posted": self._posted,
            "talks": [[asdict(line) for line in talk] for talk in self._talks.values()],
            "comments": [[asdict(line) for line in said] for said in self._comments.values()],
            "wanting": {kind: list(titles) for kind, titles in self._wanting.items()},
            "muted": sorted(self._muted),
            "met": list(self._met),
            "due": [asdict(due) for due in self._due],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Side:
        """The same again; facts can be folded into it."""
        side = cls()
        side.last, side.turns, side._posted = data["last"], data["turns"], data["posted"]
        for lines in _talks.validate_python(data["talks"]):
            side._talks[_pair(lines[0].who, lines[0].to)] = deque(lines, 2 * _KEPT)
        for lines in _talks.validate_python(data["comments"]):
            side._comments[lines[0].who] = deque(lines, _KEPT)
        side._wanting = {kind: tuple(titles) for kind, titles in data["wanting"].items()}
        side._muted = set(data.get("muted", ()))
        side._met = dict.fromkeys(data["met"])
        side._due = deque(_due.validate_python(data["due"]))
        return side

    def _seat(self, event: MemberChanged) -> None:
        """Who is muted, or gone, comments on nothing that happened before."""
        (self._muted.add if event.change == "muted" else self._muted.discard)(event.who)
        if event.change in ("muted", "removed", "replaced"):
            self._due = deque(due for due in self._due if due.who != event.who)
        for kind, titles in self._wanting.items():
            gone = event.who if event.change in ("removed", "replaced") else None
            new = event.persona.title if event.persona and kind in event.persona.comments_on else None
            kept = (new if title == gone else title for title in titles)
            self._wanting[kind] = tuple(title for title in dict.fromkeys((*kept, new)) if title)

    def _keep(self, event: SideMessagePosted) -> None:
        self.last = event.number
        line = SideLine(event.number, event.who, event.to, event.text, event.auto)
        if not event.auto:
            self._talks.setdefault(_pair(event.who, event.to), deque(maxlen=2 * _KEPT)).append(line)
            return
        self.turns += 1
        self._comments.setdefault(event.who, deque(maxlen=_KEPT)).append(line)
        self._due = deque(due for due in self._due if (due.who, due.on) != (event.who, event.on))

    def _first_of(self, who: str) -> DueComment | None:
        return next((due for due in self._due if due.who == who), None)

    def _meet(self, found: AnnouncedEvent) -> None:
        match found:
            case ProposalMade(proposal=proposal) if proposal.status == "active":
                text = f"{proposal.proposer} proposes: {proposal.content}"
                self._add("proposal", proposal.id, text, {proposal.proposer})
            case DecisionFound(decision=decision) if decision.status == "decided":
                # Who comments on the verdict has said it: the decision by vote is the same event.
                told = set(self._wanting.get("verdict", ())) if decision.source == "procedure" else set()
                self._add("decision", decision.id, decision.outcome, told)
            case _:
                pass

    def _add(self, kind: CommentsOn, on: str, text: str, without: Iterable[str] = ()) -> None:
        silent = {*without, *self._muted}
        wanting = [title for title in self._wanting.get(kind, ()) if title not in silent]
        if not wanting or on in self._met:
            return
        if kind != "verdict":  # each round has its own
            self._met[on] = None
        self._due.extend(DueComment(title, kind, on, text, self._posted) for title in wanting)


def without_moves(text: str) -> str:
    """A reply without the move lines at its end: aside from the panel nobody moves anything."""
    moves_at, _ = parse_moves(text)
    return (text if moves_at is None else text[:moves_at]).strip()


def remark(text: str) -> str:
    """A reply as a comment: one paragraph of whole sentences, at most `MOST_WORDS` words."""
    line = " ".join(without_moves(text).split())
    said: list[str] = []
    words = 0
    for start, end in sentences(normalise(line)):
        words += len(line[start:end].split())
        if words > MOST_WORDS:
            break
        said.append(line[start:end])
    return " ".join(said) or " ".join(line.split()[:MOST_WORDS])


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _last(lines: deque[SideLine], most: int) -> tuple[SideLine, ...]:
    return tuple(islice(lines, max(0, len(lines) - most), None))
