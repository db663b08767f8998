"""`ConversationMemory`: a fold over the facts of a log. Attach it to a bus, or pass it events with `fold`.

The log has the whole transcript; memory reads old messages there, through `fact`. It keeps items, summaries, an index
of words and the recent messages, so a fact costs the same at message 100,000 as at message 100.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from eda import events
from eda.bus import MessageBus
from eda.errors import InputError, SessionError, UsageError
from eda.events.records import Note
from eda.memory.context_builder import ContextBuilder
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.state import ARGUED, DEBATE, TRANSCRIPT
from eda.memory.parts import Parts
from eda.memory.patterns import PatternPack, default_pack
from eda.memory.recall.recall import Fact, Messages
from eda.memory.snapshot import dump, fingerprint, load
from eda.memory.summariser import Summariser
from eda.memory.view import MemoryView
from eda.panels.files import UserFile
from eda.panels.registry import SUMMARISERS
from eda.runners.protocol import Runner
from eda.session.store import replace_file

_LARGEST = 2_000_000_000  # Bytes of a saved memory that is read.


class ConversationMemory(MemoryView):
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
        self.seq = 0  # The last fact folded in.
        self.full_budget, self.brief_budget = 8000, 600
        self._parts = Parts(Minutes(self.patterns), Messages(fact, self.patterns))
        self._contexts = ContextBuilder(self._parts)
        self._moderator = ("", 0)  # The moderator's last announcement of a stagnation, and the message before it.
        self._sealed: list[events.MessagePosted] = []
        self._runner = runner
        if every is not None:
            self.every = every

    @property
    def every(self) -> int:
        """Messages that the next summary covers, at least 2; can be set at any time."""
        return self._parts.pending.every

    @every.setter
    def every(self, every: int) -> None:
        if every < 2:
            raise UsageError(f"a summary of every {every} messages says no less than they do", hint="Take 2 or more.")
        pending = self._parts.pending
        if every != pending.every:
            pending.every = every
            pending.fix_full(self._parts)  # now, so that a debate that is cut and resumed fixes the same items

    def attach(self, bus: MessageBus) -> ConversationMemory:
        """Fold the facts of `bus`, write a summary each `every` messages, and announce new items; return self.

        The bus then reads the moves of each message, and announces a `ProposalMade`, `DecisionFound` or `ReactionSeen`
        for each item in it. The facts already in its log are folded first. A summary stands when `bus.say` returns;
        one that a runner writes stands when the runner has answered, see `bus.drain`.

        Raises:
            UsageError: the bus has a memory already.
        """

        def read(text: str) -> dict[str, Any]:
            return read_reply(text, language=self.patterns.language)._asdict()

        bus.attach(self.fold, read, after=self.seq, messages=self.message_count)
        if self._runner is None:
            extractive = Summariser(self, bus.publish)
            bus.subscribe(events.MessagePosted, lambda _: extractive.extract_due(), name="summaries")
            return self
        by_model = Summariser(self, bus.publish, ask=SUMMARISERS.get("model").by_hand(bus, self, self._runner))

        async def write(_: events.MessagePosted) -> None:
            while await by_model.finish():
                pass

        bus.subscribe(events.MessagePosted, write, name="summaries")
        return self

    def fold(self, event: events.Event) -> list[events.AnnouncedEvent]:
        """Fold one fact; return the derived events. Sealed messages count from the next phase on."""
        if isinstance(event, _CHANGES_CONTEXT):
            self._contexts.forget()
        self.seq = event.seq
        self._parts.polls.fold(event)
        derived = self._fold(event)
        self._parts.side_talk.hear(event, derived)
        return derived

    def _fold(self, event: events.Event) -> list[events.AnnouncedEvent]:  # noqa: C901, PLR0912 - a case for each kind of fact
        match event:
            case events.MessagePosted(sealed=True):
                self._sealed.append(event)
            case events.MessagePosted():
                return self._parts.hear(event)
            case events.PhaseStarted():
                self._parts.stagnation.begin_again()
                waiting, self._sealed = self._sealed, []
                self._parts.minutes.open_sealed(message.number for message in waiting)
                return [derived for message in waiting for derived in self._parts.hear(message)]
            case events.SummaryWritten():
                return self._parts.add_summary(event)
            case events.VerdictReached():
                return self._parts.minutes.rule(event)
            case events.MemoryCorrected():
                return self._parts.minutes.correct(event, self._parts.notes)
            case events.NoteTaken():
                note = Note(
                    event.after, event.who, event.text, event.importance, event.topic, event.private, at=event.at
                )
                self._parts.notes.add(note)
            case events.ModeratorSpoke(why="circle"):
                self._moderator = (event.text, self.message_count)
                self._parts.stagnation.told()
            case events.MemberChanged():
                self._parts.seat(event)
            case events.CallMade():
                if self._parts.tokens.learn(event):
                    self._contexts.forget()
            case events.SettingChanged():
                self._budgets(event)
            case events.SessionStarted():
                self._begin(event)
        return []

    def save(self, path: str | Path) -> None:
        """Write the memory, with all messages, to a JSON file, as a whole; SessionError where that cannot be."""
        state = self.to_json()
        state["parts"]["messages"] = dump(self._parts.messages.whole())
        try:
            replace_file(Path(path), orjson.dumps({"rules": fingerprint(self.patterns), "memory": state}))
        except OSError as error:
            hint = "Check that it is a place that you may write."
            raise SessionError(f"{path}: cannot be written ({error.strerror or error})", hint=hint) from error

    @classmethod
    def load(cls, path: str | Path, patterns: PatternPack | None = None) -> ConversationMemory:
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
            warnings.warn(f"{path} was saved by other rules; what they found stays as it was", stacklevel=2)
        return memory

    def index(self) -> bytes:
        """Return the index that `recall` searches, to be saved beside the log."""
        return self._parts.messages.recall.dump()

    def to_json(self) -> dict[str, Any]:
        """Return the state in plain JSON types, without the index and without messages that `fact` can read."""
        return {
            "seq": self.seq,
            "full_budget": self.full_budget,
            "brief_budget": self.brief_budget,
            "moderator": list(self._moderator),
            "sealed": [message.model_dump(mode="json") for message in self._sealed],
            "parts": dump(self._parts),
        }

    @classmethod
    def from_json(
        cls,
        data: Mapping[str, Any],
        patterns: PatternPack | None = None,
        *,
        fact: Fact | None = None,
        index: bytes | None = None,
    ) -> ConversationMemory:
        """Return the memory that `to_json` wrote; later facts can be folded into it. Fields that it lacks are empty.

        Patterns and `fact` are as for a new memory. What `index` returned is built anew from the messages where it is
        None, or of another memory.

        Raises:
            ValueError: `to_json` did not write it, or its messages are in a log and there is no `fact`.
        """
        if "seq" not in data or "parts" not in data:
            raise ValueError("this is no memory of this version: it is not what `to_json` gave")
        memory = cls(patterns, fact=fact)
        memory.seq = data["seq"]
        memory.full_budget = data["full_budget"]
        memory.brief_budget = data["brief_budget"]
        memory._parts = load(Parts, data["parts"], pack=memory.patterns, fact=fact)
        memory._parts.messages.take_index(index)
        memory._contexts = ContextBuilder(memory._parts)
        memory._moderator = tuple(data["moderator"])
        memory._sealed = [events.MessagePosted.model_validate(message) for message in data["sealed"]]
        return memory

    def _begin(self, event: events.SessionStarted) -> None:
        self._budgets(event)
        self._parts.voted = event.agenda.votes_on_proposals
        self._parts.members = dict.fromkeys(member.title for member in event.members)
        self._parts.minutes = Minutes(
            self.patterns,
            options=event.options,
            genre=TRANSCRIPT if event.kind == "transcript" else ARGUED if event.agenda.sides else DEBATE,
        )

    def _budgets(self, event: events.SessionStarted | events.SettingChanged) -> None:
        self.every = event.settings.summary_every
        self.full_budget = event.settings.full_budget
        self.brief_budget = event.settings.brief_budget


_CHANGES_CONTEXT = (
    events.SessionStarted,
    events.MessagePosted,
    events.PhaseStarted,
    events.SummaryWritten,
    events.VerdictReached,
    events.NoteTaken,
    events.MemberChanged,
    events.MemoryCorrected,
    events.ModeratorSpoke,
    events.SettingChanged,
)
