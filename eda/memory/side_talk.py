"""Talk beside the debate: exchanges with single members, unasked comments, and the comments that are due.

None of it enters the transcript, a tally, recall, or a prompt of another member. What is due follows from the facts
alone, so a session that is cut between an event and its comment still gets the comment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import accumulate

from eda import events
from eda.events.messages import talk_of
from eda.events.records import SideLine
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.patterns import Language
from eda.panels.persona import CommentsOn
from eda.text import normalise, sentences, unbroken

MOST_WORDS = 60  # Longest comment.
_KEPT = 20  # Exchanges kept of each talk, and comments kept of each member.


@dataclass(frozen=True, slots=True)
class DueComment:
    """A comment that a member has not made yet."""

    who: str
    kind: CommentsOn
    on: str  # The id of the item, or `verdict`.
    text: str  # The words of the item, with its author; empty for a verdict without a winner.
    after: int  # The last message when the item was found.


@dataclass(slots=True)
class SideTalk:
    """A fold over side messages and over the events that members comment on."""

    last: int = 0  # The number of the last side message.
    _talks: dict[tuple[str, str], list[SideLine]] = field(default_factory=dict)
    _comments: dict[str, list[SideLine]] = field(default_factory=dict)
    _wanting: dict[str, tuple[CommentsOn, ...]] = field(default_factory=dict)  # on what each member comments
    _muted: set[str] = field(default_factory=set)
    _met: dict[str, None] = field(default_factory=dict)  # items with a comment made or due: a change is no new event
    _due: list[DueComment] = field(default_factory=list)
    _posted: int = 0

    @property
    def due(self) -> DueComment | None:
        """The comment to make next, if one is due."""
        return self._due[0] if self._due else None

    def exchanges(self, member: str, who: str, most: int) -> tuple[SideLine, ...]:
        """Return at most `most` exchanges of `who` with `member`, the latest, question before answer, oldest first."""
        return tuple(self._talks.get(_pair(member, who), [])[-2 * most :]) if most else ()

    def comments(self, member: str, most: int) -> tuple[SideLine, ...]:
        """Return at most `most` unasked comments of `member`, the latest, oldest first."""
        return tuple(self._comments.get(member, [])[-most:]) if most else ()

    def hear(self, event: events.Event, derived: Iterable[events.AnnouncedEvent] = ()) -> None:
        """Update with a fact and the events derived from it."""
        match event:
            case events.SideMessagePosted():
                self._keep(event)
            case events.TurnFailed(purpose="comment", who=who):
                first = next((due for due in self._due if due.who == who), None)
                self._drop(lambda due: due is first)
            case events.MessagePosted(number=number):
                self._posted = number
                # A comment on anything before the previous message has missed its turn boundary.
                self._drop(lambda due: due.after < number - 1)
            case events.SessionStarted(members=members):
                self._wanting = {each.title: each.comments_on for each in members}
            case events.MemberChanged():
                self._seat(event)
            case events.VerdictReached(outcome=outcome):
                self._add("verdict", "verdict", "; ".join(outcome) if isinstance(outcome, tuple) else outcome or "")
        for each in derived:
            self._consider(each)

    def _seat(self, event: events.MemberChanged) -> None:
        """Drop the due comments of a member who was muted, removed or replaced, and update who comments on what."""
        (self._muted.add if event.change == "muted" else self._muted.discard)(event.who)
        if event.change in ("muted", "removed", "replaced"):
            self._drop(lambda due: due.who == event.who)
        if event.change in ("removed", "replaced"):
            self._wanting.pop(event.who, None)
        if event.persona:
            self._wanting[event.persona.title] = event.persona.comments_on

    def _keep(self, event: events.SideMessagePosted) -> None:
        self.last = event.number
        line = SideLine(event.number, event.who, event.to, event.text, event.auto)
        if event.auto:
            lines, most = self._comments.setdefault(event.who, []), _KEPT
            self._drop(lambda due: (due.who, due.on) == (event.who, event.on))
        else:
            lines, most = self._talks.setdefault(_pair(event.who, event.to), []), 2 * _KEPT
        lines.append(line)
        del lines[:-most]

    def _drop(self, gone: Callable[[DueComment], bool]) -> None:
        self._due = [due for due in self._due if not gone(due)]

    def _consider(self, event: events.AnnouncedEvent) -> None:
        match event:
            case events.ProposalMade(proposal=proposal) if proposal.status == "active":
                text = f"{proposal.proposer} proposes: {proposal.content}"
                self._add("proposal", proposal.id, text, {proposal.proposer})
            case events.DecisionFound(decision=decision) if decision.status == "decided":
                # The decision by vote is the verdict: whoever comments on the verdict does not comment twice.
                told = {who for who, kinds in self._wanting.items() if "verdict" in kinds}
                told = told if decision.source == "procedure" else set()
                self._add("decision", decision.id, decision.outcome, told)

    def _add(self, kind: CommentsOn, on: str, text: str, without: Iterable[str] = ()) -> None:
        silent = {*without, *self._muted}
        wanting = [title for title, kinds in self._wanting.items() if kind in kinds and title not in silent]
        if not wanting or on in self._met:
            return
        if kind != "verdict":  # each round of votes has one
            self._met[on] = None
        self._due.extend(DueComment(title, kind, on, text, self._posted) for title in wanting)


def without_moves(text: str, language: Language | None = None) -> str:
    """Return a reply without its move lines: side talk makes no moves."""
    return talk_of(text, read_reply(text, language=language).cut)


def remark(text: str, language: Language | None = None) -> str:
    """Return a reply as a comment: one paragraph of whole sentences, at most `MOST_WORDS` words."""
    line = unbroken(without_moves(text, language))
    parts = [line[start:end] for start, end in sentences(normalise(line))]
    fitting = sum(words <= MOST_WORDS for words in accumulate(len(part.split()) for part in parts))
    return " ".join(parts[:fitting]) or " ".join(line.split()[:MOST_WORDS])


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
