"""The parts of a memory. Each is a fold of its own; together they are the state that a snapshot holds.

`PendingSummaries` keeps the items of a full range until its summary is written. They are fixed when the range is full,
so a session that is cut and resumed asks its model for the very same summary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile

from eda.events import (
    ActsRead,
    AnnouncedEvent,
    CallMade,
    Event,
    LineAnswered,
    MemberChanged,
    MessagePosted,
    SummaryWritten,
)
from eda.events.acts import Act
from eda.events.model_minutes import OpenQuestion, RangeMinutes
from eda.events.records import MemoryStats, Note, Proposal, Summary
from eda.memory.context.acts import ActsHeard, unread_words
from eda.memory.context.salience import Salience
from eda.memory.context.sections import TITLE, Context, Recent, Section, TokenEstimate, in_parts
from eda.memory.evidence import EvidenceLooked
from eda.memory.minutes import positions
from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.model_fold import untrue
from eda.memory.minutes.model_minutes import MinutesAnswer, checked, known_lines, one_wording
from eda.memory.notes import Notes
from eda.memory.polls import Polls
from eda.memory.recall.recall import Messages
from eda.memory.repetition import Repetition, Stagnation
from eda.memory.sentences.record import Record, index
from eda.memory.side_talk import SideTalk
from eda.memory.summaries.due import LAG, Due, SummaryTiles
from eda.memory.summaries.extractive import answered_by, open_questions
from eda.memory.summaries.summary_input import SummaryInput, denied_line, items_of
from eda.memory.table import REASON, Table, in_quotes
from eda.panels.settings import Settings
from eda.text import bare, quoted
from eda.words import ENGLISH, Words

_NEWEST = 40  # Newest decisions and proposals that are searched for those of a range.
_CANDIDATES = 60  # Newest items of each kind that the table may list.
_OPEN = 12  # Newest open proposals that are searched.


@dataclass(slots=True)
class PendingSummaries:
    """The items of each range that is full and has no summary yet."""

    every: int = Settings.model_fields["summary_every"].default  # Messages that the next summary covers.
    _ranges: dict[tuple[int, int], SummaryInput] = field(default_factory=dict)  # By first and last message.

    def fix_full(self, parts: Parts) -> None:
        """Fix the items of the ranges that are full now."""
        for due in parts.summaries.full_ranges(self.every, parts.recent.count):
            if (due.first, due.last) not in self._ranges:
                self.fix(due, parts)

    def summary_written(self, parts: Parts) -> None:
        """Forget the items of ranges that are covered now, and fix those of a fold and of ranges that are due."""
        self._ranges = {key: pending for key, pending in self._ranges.items() if key[1] > parts.summaries.covered}
        fold = parts.summaries.due_fold()
        if fold is not None:
            self.fix(fold, parts)
        self.fix_full(parts)

    def input_of(self, due: Due, parts: Parts) -> SummaryInput:
        """Return the input of a summary that is due."""
        pending = self._ranges.get((due.first, due.last)) or self.fix(due, parts)
        if due.level > 1:
            within = (s for s in parts.summaries.standing if due.first <= s.first and s.last <= due.last)
            return replace(pending, sources=tuple(within))
        lines = parts.recent.lines(due.first, due.last)
        return replace(
            pending,
            items=(*pending.items, *open_questions(lines, (), pending.language)),
            lines=lines,
            texts=parts.recent.texts(due.first, due.last),
            after=parts.recent.lines(due.last + 1, due.last + LAG - 1),
        )

    def fix(self, due: Due, parts: Parts) -> SummaryInput:
        """Fix the items of a range, and the table, as they are now."""
        minutes = parts.minutes
        decisions, still = minutes.newest_decisions(_NEWEST), minutes.newest_open(_OPEN)
        proposals = _newest(minutes, still)
        items = tuple(items_of(due, decisions, proposals, still))
        pending = SummaryInput(due, items, language=minutes.state.language)
        if due.level == 1:
            pending = replace(
                pending,
                minutes="\n".join([*known_lines(proposals, decisions, due.first, due.last), *_asked(parts)])
                or "(nothing)",
                shown=in_parts(  # and what stands before it in the prompts of that moment
                    *(parts.base or ()),
                    Section("transcript", TITLE, parts.recent.texts(parts.recent.first, due.last), 0),
                ),
            )
        self._ranges[due.first, due.last] = pending
        return pending


def _asked(parts: Parts) -> Iterator[str]:
    """Yield the open questions for the minute-taker, who may find an answer to one, or a source."""
    for each in (*parts.minutes.questions, *parts.closed):  # who reads both says whether one message answers the other
        kind = "without a source, of" if each.unsourced else "open question of"
        at = ", ".join(f"m{number}" for number in parts.named(each.message))
        note = f" (closed with m{each.answered})" if each.answered else f" (named in {at})" * bool(at)
        yield f"- {kind} {quoted(each.who)} in m{each.message}: {quoted(each.text)}{note}"


def _newest(minutes: Minutes, still: tuple[Proposal, ...]) -> tuple[Proposal, ...]:
    """Return the newest proposals and the newest ones `still` open."""
    both = (*minutes.newest_proposals(_NEWEST), *still)
    return tuple(sorted({proposal.id: proposal for proposal in both}.values(), key=lambda one: one.message))


@dataclass(slots=True)
class Parts:
    """Everything that a memory keeps of a conversation."""

    minutes: Minutes  # Proposals, decisions, reactions, positions.
    messages: Messages  # Every message, for recall.
    recent: Recent = field(default_factory=Recent)  # The last messages, in full.
    acts: ActsHeard = field(default_factory=ActsHeard)  # What each message does.
    summaries: SummaryTiles = field(default_factory=SummaryTiles)  # The summaries that stand.
    pending: PendingSummaries = field(default_factory=PendingSummaries)  # what unwritten summaries must not lose
    notes: Notes = field(default_factory=Notes)
    salience: Salience = field(default_factory=Salience)  # The weightiest moments.
    tokens: TokenEstimate = field(default_factory=TokenEstimate)
    evidence: EvidenceLooked = field(default_factory=EvidenceLooked)  # What members looked up.
    side_talk: SideTalk = field(default_factory=SideTalk)  # Talks with single members.
    repetition: Repetition = field(default_factory=Repetition)  # The last statements, with which a reply is compared.
    stagnation: Stagnation = field(default_factory=Stagnation)  # Whether the debate as a whole moves on.
    polls: Polls = field(default_factory=Polls)  # Where members stood in each poll and ballot.
    members: dict[str, str] = field(default_factory=dict)  # who sits on the panel, and its role; none in a transcript
    voted: bool = True  # whether the format votes on what members propose
    seq: int = 0  # The last fact folded in.
    full_budget: int = Settings.model_fields["full_budget"].default
    brief_budget: int = Settings.model_fields["brief_budget"].default
    moderator: tuple[str, int] = ("", 0)  # Its last announcement of a stagnation, and the message before that.
    # Summaries and notes as they stood when the transcript last began anew; messages since have their acts below.
    base: tuple[Section, Section] | None = None
    sealed: list[MessagePosted] = field(default_factory=list)  # Messages that nobody has heard yet.
    # Facts that `catch_up` takes in before anybody reads: each with its derived events and acts.
    waiting: list[tuple[Event, list[AnnouncedEvent], tuple[Act, ...]]] = field(
        init=False, default_factory=list, compare=False
    )
    follow: Callable[[Event], None] = field(init=False, compare=False)  # What is told of a fact once all parts hold it.
    # True where only minutes and summaries will be read: nothing is kept for prompts and searches.
    minutes_only: bool = field(init=False, default=False, compare=False)

    def hear(self, message: MessagePosted, beside: Iterable[Act] = ()) -> list[AnnouncedEvent]:
        """Book a message, and what stands `beside` its moves; return the derived events. The rest waits for `catch_up`.

        Raises:
            ValueError: its number is not the next one.
        """
        derived, acts = self._book(message, beside)
        self.waiting.append((message, derived, acts))
        if self.minutes_only or message.number >= self.recent.covered + self.pending.every:
            self.catch_up()  # a range may be full, whose items are fixed as they are now
        return derived

    def catch_up(self) -> None:
        """Update what is kept for prompts, searches and summaries with the facts that wait."""
        waiting, self.waiting = self.waiting, []
        for event, derived, acts in waiting:
            if isinstance(event, MessagePosted):
                self.sealed.append(event) if event.sealed else self._keep(event, derived, acts)
                self.follow(event)
            elif not isinstance(event, CallMade):
                self.polls.fold(event)
            elif self.tokens.learn(event):
                self.follow(event)

    def _book(self, message: MessagePosted, beside: Iterable[Act] = ()) -> tuple[list[AnnouncedEvent], tuple[Act, ...]]:
        """Book what a message does; return the derived events, and the acts that stand below it."""
        state = self.minutes.state
        if message.number != state.number + 1:
            raise ValueError(f"message {message.number} after message {state.number}: each counts on by one")
        events = self.minutes.hear(message)
        if self.minutes_only:
            return events, ()
        unresolved = [*takewhile(lambda each: each.message == message.number, reversed(state.unresolved))]
        acts = (*self.acts.hear(message, events, unresolved[::-1], state), *self.evidence.hear(message, beside))
        return ([ActsRead(message=message.number, who=message.who, acts=acts), *events] if acts else events), acts

    def _keep(self, message: MessagePosted, derived: list[AnnouncedEvent], acts: tuple[Act, ...]) -> None:
        """Keep a message for prompts, searches and summaries."""
        self.recent.add(message, acts)
        if not self.minutes_only:
            self.messages.add(message)
            for move in message.moves:
                if move.kind == "note" and move.text:
                    self.notes.add(
                        Note(message.number, message.who, move.text, move.importance or 500, move.topic, at=message.at)
                    )
            self.salience.hear(message, derived)
            self.repetition.hear(message)
            self.stagnation.hear(message)
            self.polls.hear(message)
            self.pending.fix_full(self)
        message.unread()

    def answer(self, event: LineAnswered) -> list[AnnouncedEvent]:
        """Have a line do what its author says it does, in other words than its own when asked; return the events."""
        if event.answer == "no" and not (in_full := self.minutes.in_full(event)):
            return []
        event = event.model_copy(update={"moves": in_full}) if event.answer == "no" else event
        known = {id(each): each for each in self.minutes.unresolved}  # which stand in the order of messages
        line = bare(self.messages.message(event.message).text)
        asked = event.answer == "asked" or any(move.terms or bare(move.text) not in line for move in event.moves)
        events = self.minutes.answer(event, asked=asked)
        unresolved = [each for each in self.minutes.unresolved if id(each) not in known]
        acts = self.acts.answer(event, events, unresolved, self.minutes.state, asked=asked)
        self.catch_up()
        self.recent.tell(event.message, (*self.acts.of(event.message), *self.evidence.below(event.message)))
        return [ActsRead(message=event.message, who=event.who, acts=acts), *events] if acts else events

    def open_sealed(self) -> list[AnnouncedEvent]:
        """Hear the sealed messages, which were written blind at the same time; return the derived events."""
        waiting, self.sealed = self.sealed, []
        self.minutes.open_sealed(message.number for message in waiting)
        derived = list[AnnouncedEvent]()
        for message in waiting:
            found, acts = self._book(message)
            self._keep(message, found, acts)
            derived += found
        return derived

    def newest_table(self, told_from: int = 0) -> Table:
        """Return the newest and the open items of the table; message `told_from` is the first that stands beside it."""
        motions, dropped = self.minutes.newest_motions(_CANDIDATES)
        held = self.minutes.positions
        return Table(
            motions,
            self.minutes.newest_decisions(_CANDIDATES),
            tuple(each for each in self.unanswered if not (each.unsourced and each.answered)),
            dropped,
            self.recent.count,
            len(self.members),
            max(0, len(self.minutes.state.open) - _CANDIDATES),
            held,
            positions.moved_on(self.minutes.state, held),
            self.minutes.state.balloted,
            self.voted,
            {who: self.minutes.newer(who) for who in self.minutes.state.agents},
            told_from,
        )

    @property
    def unanswered(self) -> tuple[OpenQuestion, ...]:
        """The questions of the minutes that are not settled; last those that the minutes closed."""
        known = (*self.minutes.questions, *self.closed)
        still = [each for each in known if each.unsourced or not self.settled(each.message, each.text)]
        both = [replace(each, named=self.named(each.message)) for each in still]
        return tuple(sorted(both, key=lambda each: bool(each.answered)))

    def named(self, number: int) -> tuple[int, ...]:
        """Return the later messages of others that name message `number`; of one that is put to a member its own."""
        asker, asked = self.messages.line(number).who, self.messages.message(number).to
        naming = (line for line in self.messages.naming(number) if line.who != asker)
        return tuple(line.number for line in naming if asked in (None, "", line.who))

    @property
    def closed(self) -> list[OpenQuestion]:
        """The questions that the minutes closed, each with its answer; 0 if denied, or where who asked reopened it."""
        rows = self.minutes.state.answered
        denied = self.acts.denied(self.recent.count) if rows else {}
        calls_open, naming = self.minutes.state.language.called_open.search, self.messages.naming

        def stands(each: OpenQuestion, at: int) -> bool:
            again = (line for line in naming(each.message) if line.who == each.who and line.number > at)
            return at not in denied and not any(calls_open(line.text) for line in again)

        return [replace(each, answered=at * stands(each, at)) for each, at in rows]

    def answer_to(self, number: int, question: str) -> int:
        """Return the message that answers a question of message `number`, by the minutes or by who was asked; or 0."""
        asked, rows = self.messages.message(number).to, (each for each in self.closed if each.message == number)
        closed = next((each.answered for each in rows if one_wording(each.text, question)), None)
        later = self.messages.recall.next_of(asked, number)
        own = later.number if later and answered_by(later, self.messages.line(number), question) else 0
        if closed is not None:  # who was asked and answers stands before another whom the minutes name
            return own if closed and own and self.messages.line(closed).who != asked else closed
        return own if own > self.minutes.state.minuted else 0  # a model that read both says whether one answers

    def settled(self, number: int, question: str) -> bool:
        """Return whether who was asked answers a question of message `number`, or who asked names the answer later."""
        if not (at := self.answer_to(number, question)):
            return False
        asked, asker = self.messages.message(number).to, self.messages.line(number).who
        again = (line for line in self.messages.naming(at) if line.who == asker)
        own, by = self.messages.line(number), self.messages.line(at)
        return (by.who == asked and answered_by(by, own, question)) or any(line.number > at for line in again)

    def record(self, last: int) -> Record:
        """Return the record up to message `last`, without votes: a summary is of what was said."""
        state = self.minutes.state
        authors = {number: who for number, who in self.polls.authors.items() if number <= last}
        known = (*(text for motion in state.motions for text in motion.versions), *state.records)
        decided = any(
            each.status in ("decided", "superseded") and min(each.messages, default=0) <= last
            for each in self.minutes.decisions
        )
        return index(
            {who: who for who in (*self.members, *authors.values())},
            authors,
            {text.id: text for text in known if text.message <= last},
            {number: self.acts.of(number) for number in authors},
            decided=decided,
            roles=self.members,
        )

    def seat(self, event: MemberChanged) -> None:
        """Note who came or left; who is muted still sits."""
        if event.change in ("removed", "replaced"):
            self.members.pop(event.who, None)
        if event.change in ("added", "replaced") and event.persona is not None:
            self.members[event.persona.title] = event.persona.role

    def add_summary(self, event: SummaryWritten) -> list[AnnouncedEvent]:
        """Add a written summary; return the events of its minutes. Ignores one that would leave a gap or an overlap."""
        if not self.summaries.add(
            Summary(event.first, event.last, event.text, event.level, event.by, event.open, event.quotes, event.at)
        ):
            return []
        if self.minutes_only:
            self.recent.first = event.last + 1
        self.recent.cover(event.last)
        events = self.minutes.take(event)
        self.pending.summary_written(self)
        return events

    def marked(self, summary: Summary | SummaryWritten, words: Words = ENGLISH) -> str:
        """Return the lines of a summary, each with who denied its message, or that it was taken back or left open."""
        denied, lines = self.acts.denied(self.recent.count), summary.text.splitlines()
        for line, number in enumerate(summary.quotes[: len(lines)]):
            claims = [
                q.text for each in self.minutes.state.decisions.values() for q in each.quotes if q.message == number
            ]
            told = (
                words.say(
                    "table-denies",
                    who=self.messages.message(at).who,
                    at=f"m{at}",
                    of=f"m{number}",
                    what=[in_quotes(each, REASON, words) for each in claims],
                    why=why and in_quotes(why, REASON, words),
                )
                for at, why in denied.get(number, {}).items()
                if line == denied_line(summary, number, self.messages.message(number).who, why, claims)
            )
            backs = (why for act in self.acts.of(number) for why in act.unread_because if why.kind == "taken back")
            lines[line] += "".join(f" ({each})" for each in (*told, *(unread_words([why], words) for why in backs)))
            if number in self.messages.offered and not self.acts.of(number):
                lines[line] += f" {words.say('act-uncounted', why='')}"
        return "\n".join(lines)

    def minuted(self, due: Due, answer: MinutesAnswer) -> tuple[RangeMinutes, int]:
        """Return the part of a model's minutes of a range that passes the checks, and how many entries are not so."""
        lines, minutes = self.recent.lines(due.first, due.last), self.minutes
        known = _newest(minutes, minutes.newest_open(_OPEN)), minutes.newest_decisions(_NEWEST)
        closed = [self.messages.line(each.message) for each in self.closed]
        debate, said, state = minutes.state.genre.kind == "debate", self.messages.message, minutes.state
        found = checked(answer, lines, *known, state.language, debate=debate, closed=closed, reactions=state.reactions)
        rows = (each for each in found.unsourced if self.evidence.lacks(each, said, self.acts.of(each.message)))
        spoken = "\n\n".join(said(each.number).text for each in (*closed, *lines))
        return replace(found, unsourced=tuple(rows)), untrue(minutes.state, answer, found.decisions, spoken)

    def stats(self, context: Context) -> MemoryStats:
        """Return the counts of a memory, and the size of each section of `context`."""
        covered, first = self.summaries.covered, self.recent.first_kept
        return MemoryStats(
            summary_count=self.summaries.written,
            decision_count=len(self.minutes.decisions),
            proposal_count=len(self.minutes.active),
            agent_count=len(self.minutes.agents),
            total_messages=self.recent.count,
            note_count=len(self.notes),
            summarised=covered,
            verbatim=self.recent.count - max(covered, first - 1),
            uncovered=max(0, first - 1 - covered),
            recallable=len(self.messages),
            tokens={section.name: section.tokens for section in context.sections},
            token_ratio=self.tokens.ratio,
            token_error=self.tokens.error,
        )
