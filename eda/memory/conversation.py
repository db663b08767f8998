"""`ConversationMemory`: a fold over the facts of a log. Attach it to a bus, or pass it events with `fold`.

The log has the whole transcript; memory reads old messages there, through `fact`. It keeps items, summaries, an index
of words and the recent messages, so a fact costs the same at message 100,000 as at message 100.
"""

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import orjson

from eda import events
from eda.errors import InputError, SessionError, UnknownNameError, UsageError
from eda.memory.context.sections import Context, Section, in_force
from eda.memory.context_builder import ContextBuilder
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.minutes import Items, Minutes
from eda.memory.minutes.state import Genre, State
from eda.memory.parts import Parts
from eda.memory.patterns import PatternPack, default_pack
from eda.memory.recall.recall import Fact, Messages
from eda.memory.shown import memory_card, memory_line
from eda.memory.snapshot import dump, fingerprint, load
from eda.memory.sources import misquotes
from eda.panels.files import UserFile
from eda.panels.registry import SUMMARISERS
from eda.runners.protocol import Runner
from eda.session.store import replace_file
from eda.words import ENGLISH, Words

if TYPE_CHECKING:
    from eda.bus import MessageBus

_LARGEST = 2_000_000_000  # Bytes of a saved memory that is read.
_PROPOSALS_SHOWN = 12
_MODERATOR_HEARD = 8  # Messages for which the moderator's last announcement is shown.


class ConversationMemory(Items):
    """The messages, summaries, proposals, decisions and notes of a conversation, with messages numbered from 1."""

    def __init__(
        self,
        patterns: PatternPack | None = None,
        *,
        every: int | None = None,
        runner: Runner | None = None,
        fact: Fact | None = None,
    ) -> None:
        """Begin with no message.

        Args:
            patterns: What to look for in free text; the default pack where None.
            every: Messages that a summary covers, at least 2; 12 where None. A `SessionStarted` sets it anew.
            runner: Writes the summaries once the memory is attached to a bus; None to pick sentences of the messages.
            fact: Returns the fact of a `seq` from the log. Without it memory keeps the messages itself.

        Raises:
            UsageError: `every` is below 2.
        """
        self.patterns = patterns or default_pack()  # The patterns to look for in free text.
        self._parts = Parts(Minutes(State(pack=self.patterns)), Messages(fact))
        self._builder, self._runner = ContextBuilder(self._parts), runner
        if every is not None:
            self.every = every

    def __repr__(self) -> str:
        return f"<ConversationMemory {memory_line(self, self.message_count, self.summaries)}>"

    def _repr_html_(self) -> str:
        return memory_card(self, self.message_count, self.summaries)

    @property
    def parts(self) -> Parts:
        """The state, as of the last fact; used by the engine alone."""
        if self._parts.waiting:
            self._parts.catch_up()
        return self._parts

    @property
    def _contexts(self) -> ContextBuilder:
        self._parts.catch_up()
        return self._builder

    @property
    def every(self) -> int:
        """Messages that the next summary covers, at least 2; can be set at any time."""
        return self.parts.pending.every

    @every.setter
    def every(self, every: int) -> None:
        if every < 2:
            raise UsageError(f"a summary of every {every} messages says no less than they do", hint="Take 2 or more.")
        pending = self.parts.pending
        if every != pending.every:
            pending.every = every
            pending.fix_full(self.parts)  # now, so that a debate that is cut and resumed fixes the same items

    def attach(self, bus: "MessageBus") -> Self:
        """Fold the facts of `bus`, write a summary each `every` messages, and announce new items; return self.

        The bus then reads the moves of each message, and announces a `ProposalMade`, `DecisionFound` or `ReactionSeen`
        for each item in it. The facts already in its log are folded first. A summary stands when `bus.say` returns;
        one that a runner writes stands when the runner has answered, see `bus.drain`.

        Raises:
            UsageError: the bus has a memory already.
        """
        from eda.memory.summariser import Summariser  # noqa: PLC0415 - a memory that is only read writes no summary

        def read(text: str) -> dict[str, Any]:
            return read_reply(text, language=self.patterns.language)._asdict()

        bus.attach(self.fold, read, after=self.seq, messages=self.message_count)
        ask = SUMMARISERS.get("model").by_hand(bus, self, self._runner) if self._runner else None
        summariser = Summariser(self.parts, bus.publish, ask=ask)

        async def write(_: events.MessagePosted) -> None:
            while await summariser.finish():
                pass

        bus.subscribe(events.MessagePosted, write if ask else lambda _: summariser.extract_due(), name="summaries")
        return self

    def fold(self, event: events.Event) -> list[events.AnnouncedEvent]:
        """Fold one fact; return the derived events. Sealed messages count from the next phase on.

        What a message does is booked at once; what is kept of it for prompts and searches, when somebody reads it.
        """
        self._parts.seq = event.seq
        if isinstance(event, events.MessagePosted) and not event.sealed:
            return self._parts.hear(event, misquotes(lambda: self.parts, event))
        if isinstance(event, (events.MessagePosted, events.CallMade, events.StanceTaken, events.BallotCast)):
            self._parts.waiting.append((event, [], ()))
            return []
        derived = self._fold(event)
        if event.context != "stays":
            self._builder.keep_up(event)
        return derived

    def _fold(self, event: events.Event) -> list[events.AnnouncedEvent]:  # noqa: C901 - a case for each kind of fact
        parts = self.parts
        match event:
            case events.SideMessagePosted():
                parts.side_talk.hear(event)
            case events.PhaseStarted():
                parts.polls.fold(event)
                parts.stagnation.begin_again()
                return parts.open_sealed()
            case events.SummaryWritten():
                return parts.add_summary(event)
            case events.VerdictReached():
                return parts.minutes.rule(event)
            case events.MemoryCorrected():
                return parts.minutes.correct(event, parts.notes)
            case events.LineAnswered():
                return parts.answer(event)
            case events.NoteTaken():
                about = event.importance, event.topic, event.private
                parts.notes.add(events.records.Note(event.after, event.who, event.text, *about, at=event.at))
            case events.ModeratorSpoke(why="circle"):
                parts.moderator = (event.text, self.message_count)
                parts.stagnation.told()
            case events.MemberChanged():
                parts.seat(event)
            case events.EvidenceFound():
                parts.evidence.add(event)
            case events.SettingChanged():
                self._budgets(event)
            case events.SessionStarted():
                self._begin(event)
        return []

    def save(self, path: str | Path) -> None:
        """Write the memory, with all messages, to a JSON file, as a whole; SessionError where that cannot be."""
        state = self.to_json()
        state["messages"] = dump(self.parts.messages.whole())
        try:
            replace_file(Path(path), orjson.dumps({"rules": fingerprint(self.patterns), "memory": state}))
        except OSError as error:
            hint = "Check that it is a place that you may write."
            raise SessionError(f"{path}: cannot be written ({error.strerror or error})", hint=hint) from error

    @classmethod
    def load(cls, path: str | Path, patterns: PatternPack | None = None) -> Self:
        """Return the memory that `save` wrote.

        Items that other rules or patterns found stay as they are; a `UserWarning` says so.

        Raises:
            InputError: the file cannot be read, or is not what `save` of this version wrote.
        """
        file = UserFile(Path(path), InputError, what="memory")
        try:
            saved = file.json(file.text(_LARGEST))
            memory = cls.from_json(saved["memory"], patterns)
        except (ValueError, KeyError, TypeError) as error:
            raise file.fault("is not a memory that this version saved", "Make it again from its messages.") from error
        if saved.get("rules") != fingerprint(memory.patterns):
            warnings.warn(ENGLISH.say("recall-other-rules", path=str(path)), stacklevel=2)
        return memory

    def to_json(self) -> dict[str, Any]:
        """Return the state in plain JSON types, without messages that `fact` can read."""
        state: dict[str, Any] = dump(self.parts)
        return state

    @classmethod
    def from_json(
        cls,
        data: Mapping[str, Any],
        patterns: PatternPack | None = None,
        *,
        fact: Fact | None = None,
    ) -> Self:
        """Return the memory that `to_json` wrote; later facts can be folded into it. Fields that it lacks are empty.

        Patterns and `fact` are as for a new memory.

        Raises:
            ValueError: `to_json` did not write it, or its messages are in a log and there is no `fact`.
        """
        if "minutes" not in data:
            raise ValueError("this is no memory of this version: it is not what `to_json` gave")
        memory = cls(patterns, fact=fact)
        memory._parts = load(
            Parts, data, pack=memory.patterns, language=memory.patterns.language, record=None, fact=fact
        )
        memory._builder = ContextBuilder(memory._parts)
        return memory

    def _begin(self, event: events.SessionStarted) -> None:
        self._budgets(event)
        self.parts.voted = event.agenda.votes_on_proposals
        self.parts.members = {member.title: member.role for member in event.members}
        self.parts.evidence.begin(event.documents)
        genre = Genre(event.kind, own=not event.agenda.sides, near=event.kind == "transcript")
        self.parts.minutes.begin(event.options, genre)

    def _budgets(self, event: events.SessionStarted | events.SettingChanged) -> None:
        self.every = event.settings.summary_every
        self.parts.full_budget, self.parts.brief_budget = event.settings.full_budget, event.settings.brief_budget

    @property
    def seq(self) -> int:
        """The `seq` of the last fact folded in; 0 before the first."""
        return self.parts.seq

    @property
    def state(self) -> State:
        """The state that holds the items."""
        return self.parts.minutes.state

    def recent(self, messages: int) -> tuple[events.records.Line, ...]:
        """Return the last `messages` messages, oldest first."""
        last = self.message_count
        return tuple(map(self.parts.messages.line, range(max(1, last - messages + 1), last + 1)))

    def acts(self, number: int) -> tuple[events.Act, ...]:
        """Return what message `number` does, as it was read when it was posted."""
        return self.parts.acts.of(number)

    def below(self, number: int) -> tuple[events.Act, ...]:
        """Return what readers see below message `number`: its acts, and evidence that it cites."""
        return (*in_force(self.acts(number)), *self.parts.evidence.below(number))

    def table(
        self,
        budget: int | None = None,
        told_from: int = 0,
        below: frozenset[str] = frozenset(),
        words: Words = ENGLISH,
    ) -> Section:
        """Return the table block, as prompts, `eda show` and the report have it; within `budget` tokens, if given.

        What stands beside it from message `told_from` on, or whole `below` it (ids), is not told again.
        """
        return self._contexts.table(budget, told_from, below, words)

    def unread(self, agent: str) -> tuple[int, tuple[events.Act, ...]]:
        """Return the number of an agent's last message and what of it could not be read; 0 and nothing if all was."""
        return self.parts.acts.unread(agent)

    @property
    def on_the_table(self) -> tuple[events.records.Proposal, ...]:
        """The newest open proposals, as many as an agent needs to tell apart, oldest first."""
        return self.parts.minutes.newest_open(_PROPOSALS_SHOWN)

    @property
    def summaries(self) -> tuple[events.records.Summary, ...]:
        """The standing summaries. In order they cover messages 1 to `covered`, each once."""
        return self.parts.summaries.standing

    @property
    def notes(self) -> tuple[events.records.Note, ...]:
        """The notes that are not private, the most important first."""
        return self.parts.notes.all()

    @property
    def message_count(self) -> int:
        """The number of messages, without sealed ones."""
        return self.parts.recent.count

    @property
    def covered(self) -> int:
        """The last message that a summary covers."""
        return self.parts.recent.covered

    def consensus(self) -> events.records.Consensus:
        """Return whether all agree: by the last poll or ballot; before the first one, by the stances voiced."""
        state = self.parts.minutes.state
        texts = (*state.given.values(), *state.proposals.values())
        polled = self.parts.polls.consensus([each.text for each in texts if each.status == "accepted"])
        return self.parts.minutes.consensus() if polled is None else polled

    @property
    def stance_changes(self) -> tuple[events.records.StanceChange, ...]:
        """Every change of stance between polls or ballots, oldest first."""
        return tuple(self.parts.polls.changes)

    def recall(
        self,
        query: str,
        k: int = 10,
        *,
        speaker: str | None = None,
        since: int | None = None,
        until: int | None = None,
        topic: str | None = None,
    ) -> tuple[events.records.Recalled, ...]:
        """Return the messages that say most about `query`, best first. A new message can be recalled at once.

        Args:
            query: Words, in any order and form; or a question.
            k: How many messages at most.
            speaker: Only what this speaker said.
            since: Only from this message number on.
            until: Only up to this message number.
            topic: Only under this topic of an imported transcript.

        Raises:
            UsageError: an empty query, or a range that holds nothing.
            UnknownNameError: nobody of the speaker's name has said anything.
        """
        if speaker is not None and speaker.strip().casefold() not in {name.casefold() for name in self.agents}:
            raise UnknownNameError("speaker", speaker, list(self.agents))
        return self.parts.messages.recall.search(query, k, speaker=speaker, since=since, until=until, topic=topic)

    def stats(self) -> events.records.MemoryStats:
        """Return the counts of items, how much of the history summaries cover, and the tokens of a full context."""
        return self.parts.stats(self.full_context())

    def full_context(
        self, agent: str | None = None, budget: int | None = None, about: str | None = None, *, growing: bool = False
    ) -> Context:
        """Return what `agent` is shown before it speaks, within `budget` tokens.

        Args:
            agent: The agent whose own position is shown too; None for the sections that all agents share.
            budget: Tokens; `full_budget` where None.
            about: A question to answer from the whole history; None for a turn, where the last messages matter.
            growing: True for summaries, table and notes as they stood when the transcript began anew, so that what a
                prompt begins with only grows; what messages have changed since stands below them.

        Raises:
            UsageError: an empty question.
        """
        _check(about)
        text, after = self.parts.moderator
        announced = text if self.message_count < after + _MODERATOR_HEARD else ""
        room = self.parts.full_budget if budget is None else budget
        return self._contexts.full(agent, room, about, announced, growing=growing)

    def brief_context(self, agent: str | None = None, budget: int | None = None, about: str | None = None) -> Context:
        """Return the table, the newest summary and the weightiest moments; the arguments are those of `full_context`.

        With `about`, moments are the messages that answer it; UsageError where it is empty.
        """
        _check(about)
        return self._contexts.brief(agent, self.parts.brief_budget if budget is None else budget, about)


def _check(about: str | None) -> None:
    if about is not None and not about.strip():
        raise UsageError("the question is empty", hint="Leave `about` out for what was said last.")
