"""`ConversationMemory`: a fold over the facts. It knows no bus and calls no model; feed it events and read it.

The whole transcript is the log's: memory reads a message of long ago there, through `fact`. It keeps items, summaries,
an index of words and the recent messages, so a fact costs the same at message 100,000 as at message 100.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from eda.errors import UnknownNameError, UsageError
from eda.events import (
    AnnouncedEvent,
    CallMade,
    Event,
    MemoryCorrected,
    MessagePosted,
    ModeratorSpoke,
    NoteTaken,
    PhaseStarted,
    SessionStarted,
    SettingChanged,
    SummaryWritten,
    VerdictReached,
    stored_event,
)
from eda.memory.circles import Circles
from eda.memory.context import Context
from eda.memory.minutes import Minutes
from eda.memory.parts import Parts
from eda.memory.polls import OpeningBasis
from eda.memory.repeats import Repeats
from eda.memory.said import Fact, Said
from eda.memory.serving import Serving
from eda.memory.side import Side
from eda.memory.statistics import statistics
from eda.memory.tokens import TokenEstimate
from eda.patterns import PatternPack, default_pack
from eda.records import (
    AgentState,
    Consensus,
    Decision,
    MemoryStats,
    Note,
    OpenQuestion,
    Proposal,
    Reaction,
    Recalled,
    Stance,
    StanceChange,
    Summary,
)

__all__ = ["ConversationMemory"]

_PROPOSALS_SHOWN = 12
_MODERATOR_HEARD = 8
"""Messages for which the moderator's last word is shown."""


class ConversationMemory:
    """What was said, summed up, proposed, decided and noted, and by whom. Messages count 1, 2, 3, none left out."""

    def __init__(self, patterns: PatternPack | None = None, *, fact: Fact | None = None) -> None:
        """Begin with nothing heard.

        Args:
            patterns: What is looked for in free text; the default pack where None.
            fact: Gives the fact of a `seq`, from the log. Without it memory keeps the messages itself.
        """
        self.patterns = patterns or default_pack()
        """What is looked for in free text."""
        self.seq = 0
        """The last fact folded in."""
        self.full_budget, self.brief_budget = 8000, 600
        self._parts = Parts(Minutes(self.patterns), Said(fact))
        self._serving = Serving(self._parts)
        self._moderator = ("", 0)
        """The moderator's last word on a circle, and the message after which it was said."""
        self._sealed: list[MessagePosted] = []
        self._table: tuple[Proposal, ...] | None = None

    def fold(self, event: Event) -> list[AnnouncedEvent]:
        """Take one fact in; gives what was found in it. Sealed messages count from the next phase on."""
        if isinstance(event, _CHANGES_CONTEXT):
            self._serving.forget()
            self._table = None
        self.seq = event.seq
        self._parts.polls.fold(event)
        found = self._fold(event)
        self.side.hear(event, found)
        return found

    def _fold(self, event: Event) -> list[AnnouncedEvent]:  # noqa: C901 - a case for each kind of fact
        match event:
            case MessagePosted(sealed=True):
                self._sealed.append(event)
            case MessagePosted():
                return self._parts.hear(event)
            case PhaseStarted():
                self.circles.begin_again()
                waiting, self._sealed = self._sealed, []
                return [found for message in waiting for found in self._parts.hear(message)]
            case SummaryWritten():
                return self._parts.sum_up(event)
            case VerdictReached():
                return self._parts.minutes.rule(event)
            case MemoryCorrected():
                return self._parts.minutes.correct(event, self._parts.notes)
            case NoteTaken():
                note = Note(event.after, event.who, event.text, event.importance, event.topic, event.private)
                self._parts.notes.add(note)
            case ModeratorSpoke(why="circle"):
                self._moderator = (event.text, self.message_count)
                self.circles.told()
            case CallMade():
                self._learn(event)
            case SettingChanged():
                self._budgets(event)
            case SessionStarted():
                self._begin(event)
            case _:
                pass
        return []

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions, oldest first."""
        return self._parts.minutes.decisions

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """All proposals, oldest first."""
        return self._parts.minutes.proposals

    @property
    def active(self) -> tuple[Proposal, ...]:
        """The proposals that are still open, oldest first."""
        return tuple(self._parts.minutes.active)

    @property
    def on_the_table(self) -> tuple[Proposal, ...]:
        """The newest open proposals, as many as an agent needs to tell apart, oldest first."""
        if self._table is None:
            self._table = self._parts.minutes.newest_open(_PROPOSALS_SHOWN)
        return self._table

    def last_position(self, agent: str) -> str:
        """What `agent` last stood for; empty where it voiced nothing."""
        return self._parts.minutes.last_position(agent)

    @property
    def reactions(self) -> tuple[Reaction, ...]:
        """All reactions, those to no proposal included, oldest first."""
        return self._parts.minutes.reactions

    @property
    def agents(self) -> Mapping[str, AgentState]:
        """What is known of each agent, by name, in the order in which they first spoke."""
        return self._parts.minutes.agents

    @property
    def questions(self) -> tuple[OpenQuestion, ...]:
        """The newest questions that the minutes list as open, oldest first."""
        return self._parts.minutes.questions

    @property
    def summaries(self) -> tuple[Summary, ...]:
        """The summaries that stand: in order, they cover messages 1 to `covered`, each once."""
        return self._parts.tiles.standing

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was flagged, the most important first; no private notes."""
        return self._parts.notes.all()

    def notes_on(self, topic: str, *, private: bool = False) -> tuple[Note, ...]:
        """The notes of a topic, the most important first; private ones only where asked for."""
        return self._parts.notes.topic(topic, private=private)

    def notes_about(self, question: str, k: int = 5, *, private: bool = False) -> tuple[Note, ...]:
        """Up to `k` notes that share words with a question, the best first; private ones only where asked for."""
        return self._parts.notes.about(question, k, private=private)

    def private_notes(self) -> tuple[Note, ...]:
        """All notes with the private ones, the most important first. For their owner, never for a prompt."""
        return self._parts.notes.all(private=True)

    @property
    def tokens(self) -> TokenEstimate:
        """What a text comes to, as the provider counts."""
        return self._parts.tokens

    @property
    def side(self) -> Side:
        """Talks with single members, and comments that nobody asked for."""
        return self._parts.side

    @property
    def repeats(self) -> Repeats:
        """The last statements, with which a reply is compared."""
        return self._parts.repeats

    @property
    def circles(self) -> Circles:
        """Whether the debate as a whole moves on."""
        return self._parts.circles

    @property
    def message_count(self) -> int:
        """Messages heard, sealed ones left out."""
        return self._parts.recent.count

    @property
    def covered(self) -> int:
        """The last message that a summary covers."""
        return self._parts.recent.covered

    @property
    def parts(self) -> Parts:
        """What memory is made of, for those who write its summaries."""
        return self._parts

    def consensus(self) -> Consensus:
        """Whether all hold the same: by the last poll or ballot; where none was taken yet, all who voiced a stance."""
        asked = self._parts.polls.consensus()
        return self._parts.minutes.consensus() if asked is None else asked

    @property
    def stance_changes(self) -> tuple[StanceChange, ...]:
        """Every change of mind that a poll or ballot shows, oldest first."""
        return tuple(self._parts.polls.changes)

    @property
    def last_stances(self) -> dict[str, str | None]:
        """What each member held when it was last asked in private, as far as it is known."""
        return self._parts.polls.now()

    def opening_stances(self, choices: Sequence[str]) -> tuple[OpeningBasis, dict[str, str | None]]:
        """Which of `choices` each held before it had heard anybody, and how that is known: see `Polls.opening`."""
        return self._parts.polls.opening(choices)

    def stances(self, agent: str) -> dict[str, Stance]:
        """Where `agent` stands now on each proposal that it reacted to, by the proposal's id."""
        standing = (proposal for proposal in self.proposals if proposal.minuted != "denied")
        return {p.id: r.reaction for p in standing for r in p.reactions if r.agent == agent}

    def text_of(self, item: str) -> str:
        """The words of the proposal, decision or note of that id, as they stand; see `corrections.text_of`."""
        return self._parts.minutes.text_of(item, self._parts.notes)

    def explain(self, item: str | Proposal | Decision) -> str:
        """Which source and pattern made the item (or the item of that id), from which words, and why.

        Raises:
            UnknownNameError: there is no such item.
        """
        return str(self._parts.minutes.explain(item if isinstance(item, str) else item.id))

    def recall(
        self,
        query: str,
        k: int = 10,
        *,
        speaker: str | None = None,
        since: int | None = None,
        until: int | None = None,
        topic: str | None = None,
    ) -> tuple[Recalled, ...]:
        """The messages that say most about `query`, best first; a message is found the moment it was posted.

        By words; where the extra `embeddings` is installed, by meaning too.

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
        return self._parts.said.recall.search(
            query, k, speaker=speaker, since=since, until=until, topic=topic, fused=True
        )

    def stats(self) -> MemoryStats:
        """Counts of what is held, what of the history is covered by what, and what a full context is made of."""
        return statistics(self._parts, self.full_context())

    def full_context(self, agent: str | None = None, budget: int | None = None, about: str | None = None) -> Context:
        """Everything that `agent` is shown before it speaks, within `budget` tokens.

        Args:
            agent: Whose own position is shown too; None for what is the same for all.
            budget: Tokens; `full_budget` where None.
            about: A question that is to be answered from the whole history. None: what was said last is what matters.

        Raises:
            UsageError: an empty question.
        """
        if about is not None and not about.strip():
            raise UsageError("the question is empty", hint="Leave `about` out for what was said last.")
        said, after = self._moderator
        heard = said if self.message_count < after + _MODERATOR_HEARD else ""
        return self._serving.full(agent, self.full_budget if budget is None else budget, about, heard)

    def brief_context(self, budget: int | None = None, *, moments: bool = True) -> Context:
        """Decisions, active proposals, the newest summary and the weightiest moments, within `budget` tokens."""
        return self._serving.brief(self.brief_budget if budget is None else budget, moments=moments)

    def index(self) -> bytes:
        """The index that `recall` searches, to be kept beside the log."""
        return self._parts.said.recall.dump()

    def to_json(self) -> dict[str, Any]:
        """The whole state in plain JSON types, but for the index and, where there is a `fact`, what that reads."""
        return {
            "seq": self.seq,
            "full_budget": self.full_budget,
            "brief_budget": self.brief_budget,
            "moderator": list(self._moderator),
            "sealed": [message.model_dump(mode="json") for message in self._sealed],
            **self._parts.to_json(),
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
        """The same memory again; facts after `seq` can be folded into it. What an older one lacks is empty.

        Args:
            data: What `to_json` gave.
            patterns: As for a new memory.
            fact: As for a new memory.
            index: What `index` gave; made again from the messages where None, or where it is another's.

        Raises:
            ValueError: it is not what `to_json` gave, or its messages are in a log and there is no `fact`.
        """
        if "seq" not in data or "minutes" not in data:
            raise ValueError("this is no memory: it is not what `to_json` gave")
        memory = cls(patterns, fact=fact)
        memory.seq = data["seq"]
        memory.full_budget = data["full_budget"]
        memory.brief_budget = data["brief_budget"]
        memory._parts = Parts.from_json(data, memory.patterns, fact, index)
        memory._serving = Serving(memory._parts)
        text, after = data.get("moderator", ("", 0))
        memory._moderator = (text, after)
        sealed = map(stored_event.validate_python, data["sealed"])
        memory._sealed = [message for message in sealed if isinstance(message, MessagePosted)]
        return memory

    def _begin(self, event: SessionStarted) -> None:
        self._budgets(event)
        self._parts.ranges.every = event.settings.summary_every
        self._parts.minutes = Minutes(
            self.patterns,
            options=event.options,
            members=[member.title for member in event.members],
            imported=event.kind == "transcript",
            sided=bool(event.agenda.sides),
        )

    def _budgets(self, event: SessionStarted | SettingChanged) -> None:
        self.full_budget = event.settings.full_budget
        self.brief_budget = event.settings.brief_budget

    def _learn(self, call: CallMade) -> None:
        before = self.tokens.ratio
        self.tokens.learn(call)
        if self.tokens.ratio != before:
            self._serving.forget()


_CHANGES_CONTEXT = (
    SessionStarted,
    MessagePosted,
    PhaseStarted,
    SummaryWritten,
    VerdictReached,
    NoteTaken,
    MemoryCorrected,
    ModeratorSpoke,
    SettingChanged,
)
