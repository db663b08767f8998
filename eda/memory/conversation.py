"""`ConversationMemory`: a fold over the facts. It knows no bus and calls no model; feed it events and read it.

The whole transcript is the log's. Memory keeps items, summaries and the recent messages, so a fact costs the same at
message 100,000 as at message 100.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter

from eda.events import (
    AnnouncedEvent,
    Event,
    MessagePosted,
    PhaseStarted,
    SessionStarted,
    SummaryWritten,
    VerdictReached,
    stored_event,
)
from eda.memory.context import Context, Section, decision_line, fit, note_line, proposal_line, summary_text
from eda.memory.minutes import Minutes
from eda.memory.summaries import extractive_summary
from eda.memory.transcript import Recent, estimate_tokens
from eda.patterns import PatternPack, default_pack
from eda.prompts import quoted
from eda.records import AgentState, Consensus, Decision, MemoryStats, Note, Proposal, Reaction, Stance, Summary

__all__ = ["ConversationMemory"]

_SUMMARIES_SHOWN = 8
_DECISIONS_SHOWN = 20
_PROPOSALS_SHOWN = 12
_NOTES_SHOWN = 10

_summaries = TypeAdapter(list[Summary])
_notes = TypeAdapter(list[Note])


class ConversationMemory:
    """What was summarised, proposed, decided and by whom."""

    def __init__(self, patterns: PatternPack | None = None) -> None:
        self.patterns = patterns or default_pack()
        """What is looked for in free text."""
        self.seq = 0
        """The last fact folded in."""
        self.full_budget = 8000
        self.brief_budget = 600
        self._minutes = Minutes(self.patterns)
        self._recent = Recent()
        self._summaries: list[Summary] = []
        self._told: deque[str] = deque(maxlen=_SUMMARIES_SHOWN)
        self._notes: list[Note] = []
        self._sealed: list[MessagePosted] = []
        self._contexts: dict[tuple[str | None, int], Context] = {}
        """What was built since the last fact that could change it."""
        self._table: tuple[Proposal, ...] | None = None
        self._rendered: dict[str, tuple[Proposal, str]] = {}
        """The lines of the proposals shown last, by id."""

    def fold(self, event: Event) -> list[AnnouncedEvent]:
        """Take one fact in; gives what was found in it. Sealed messages count from the next phase on."""
        self.seq = event.seq
        if isinstance(event, _CHANGES_CONTEXT):
            self._contexts.clear()
            self._table = None
        match event:
            case MessagePosted(sealed=True):
                self._sealed.append(event)
                return []
            case MessagePosted():
                return self._hear(event)
            case PhaseStarted():
                waiting, self._sealed = self._sealed, []
                return [found for message in waiting for found in self._hear(message)]
            case SummaryWritten():
                self._summed_up(Summary(event.first, event.last, event.text, event.level, event.by))
            case VerdictReached():
                return self._minutes.rule(event)
            case SessionStarted():
                self._begin(event)
            case _:
                pass
        return []

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions, oldest first."""
        return self._minutes.decisions

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """All proposals, oldest first."""
        return self._minutes.proposals

    @property
    def active(self) -> tuple[Proposal, ...]:
        """The proposals that are still open, oldest first."""
        return tuple(self._minutes.active)

    @property
    def on_the_table(self) -> tuple[Proposal, ...]:
        """The newest open proposals, as many as an agent is shown, oldest first."""
        if self._table is None:
            self._table = self._minutes.newest_open(_PROPOSALS_SHOWN)
        return self._table

    def last_position(self, agent: str) -> str:
        """What `agent` last stood for; empty where it voiced nothing."""
        return self._minutes.last_position(agent)

    @property
    def reactions(self) -> tuple[Reaction, ...]:
        """All reactions, those to no proposal included, oldest first."""
        return self._minutes.reactions

    @property
    def agents(self) -> Mapping[str, AgentState]:
        """What is known of each agent, by name, in the order in which they first spoke."""
        return self._minutes.agents

    @property
    def summaries(self) -> tuple[Summary, ...]:
        """All summaries; their ranges follow one another."""
        return tuple(self._summaries)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was flagged, the most important first."""
        return tuple(sorted(self._notes, key=lambda note: (-note.importance, note.message)))

    @property
    def message_count(self) -> int:
        """Messages heard, sealed ones left out."""
        return self._recent.count

    @property
    def covered(self) -> int:
        """The last message that a summary covers."""
        return self._recent.covered

    def consensus(self) -> Consensus:
        """Whether everybody who voiced a stance now holds the same."""
        return self._minutes.consensus()

    def stances(self, agent: str) -> dict[str, Stance]:
        """Where `agent` stands now on each proposal that it reacted to, by the proposal's id."""
        return {p.id: r.reaction for p in self.proposals for r in p.reactions if r.agent == agent}

    def explain(self, item: str | Proposal | Decision) -> str:
        """Which source and pattern made the item (or the item of that id), from which words, and why.

        Raises:
            UnknownNameError: there is no such item.
        """
        return str(self._minutes.explain(item if isinstance(item, str) else item.id))

    def stats(self) -> MemoryStats:
        """Counts of what is held."""
        return MemoryStats(
            summary_count=len(self._summaries),
            decision_count=len(self.decisions),
            proposal_count=len(self.active),
            agent_count=len(self.agents),
            total_messages=self.message_count,
        )

    def full_context(self, agent: str | None = None, budget: int | None = None) -> Context:
        """Summaries, recent transcript, decisions, active proposals, notes and `agent`'s own position.

        Within `budget` tokens: items first, then the newest messages, then summaries, newest first.
        """
        budget = self.full_budget if budget is None else budget
        known = self._contexts.get((agent, budget))
        if known is None:
            known = self._contexts[agent, budget] = self._full(agent, budget)
        return known

    def _full(self, agent: str | None, budget: int) -> Context:
        items = self._items(agent, budget)
        left = budget - sum(section.tokens for section in items)
        title = "Recent messages"
        lines, texts, used = self._recent.newest(left - estimate_tokens(title) - 1)
        shown: list[Section] = []
        if texts:
            shown.append(Section("transcript", title, texts, used + estimate_tokens(title) + 1))
            left -= shown[0].tokens
        summaries = fit("summaries", "Earlier, in summary", tuple(self._told), left)
        return Context((*((summaries,) if summaries else ()), *shown, *items), lines)

    def brief_context(self, budget: int | None = None) -> Context:
        """Decisions, active proposals and the newest summary, within `budget` tokens."""
        budget = self.brief_budget if budget is None else budget
        known = self._contexts.get(("", -budget))
        if known is None:
            known = self._contexts["", -budget] = self._brief(budget)
        return known

    def _brief(self, budget: int) -> Context:
        items = [s for s in self._items(None, budget) if s.name in ("decisions", "proposals")]
        left = budget - sum(section.tokens for section in items)
        summary = fit("summaries", "Earlier, in summary", tuple(self._told)[-1:], left)
        return Context((*items, *((summary,) if summary else ())))

    def extract(self, first: int, last: int) -> str:
        """An extractive summary of a range that is still kept in full."""
        decisions = self._minutes.newest_decisions(_DECISIONS_SHOWN)
        return extractive_summary(
            self._recent.lines(first, last),
            [proposal for proposal in self.on_the_table if first <= proposal.message <= last],
            [decision for decision in decisions if first <= decision.messages[0] <= last],
        )

    def recent_text(self, first: int, last: int) -> tuple[str, ...]:
        """The kept messages of a range, rendered."""
        return self._recent.texts(first, last)

    def to_json(self) -> dict[str, Any]:
        """The whole state, in plain JSON types."""
        return {
            "seq": self.seq,
            "full_budget": self.full_budget,
            "brief_budget": self.brief_budget,
            "minutes": self._minutes.to_json(),
            "recent": self._recent.to_json(),
            "summaries": [asdict(summary) for summary in self._summaries],
            "notes": [asdict(note) for note in self._notes],
            "sealed": [message.model_dump(mode="json") for message in self._sealed],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], patterns: PatternPack | None = None) -> ConversationMemory:
        """The same memory again; facts after `seq` can be folded into it."""
        memory = cls(patterns)
        memory.seq = data["seq"]
        memory.full_budget = data["full_budget"]
        memory.brief_budget = data["brief_budget"]
        memory._minutes = Minutes.from_json(data["minutes"], memory.patterns)
        memory._recent = Recent.from_json(data["recent"])
        for summary in _summaries.validate_python(data["summaries"]):
            memory._summed_up(summary)
        memory._notes = _notes.validate_python(data["notes"])
        sealed = (stored_event.validate_python(message) for message in data["sealed"])
        memory._sealed = [message for message in sealed if isinstance(message, MessagePosted)]
        return memory

    def _begin(self, event: SessionStarted) -> None:
        self.full_budget = event.settings.full_budget
        self.brief_budget = event.settings.brief_budget
        self._minutes = Minutes(
            self.patterns,
            options=event.options,
            members=[member.title for member in event.members],
            imported=event.kind == "transcript",
        )

    def _summed_up(self, summary: Summary) -> None:
        self._summaries.append(summary)
        self._told.append(summary_text(summary))
        self._recent.cover(summary.last)

    def _hear(self, message: MessagePosted) -> list[AnnouncedEvent]:
        self._recent.add(message)
        for move in message.moves:
            if move.kind == "note" and move.text:
                self._notes.append(Note(message.number, message.who, move.text, move.importance or 500))
        return self._minutes.hear(message)

    def _items(self, agent: str | None, budget: int) -> list[Section]:
        half = budget // 2
        own = self.last_position(agent) if agent else ""
        notes = tuple(note_line(note) for note in reversed(self.notes[:_NOTES_SHOWN])) if self._notes else ()
        decisions, proposals = self._item_lines()
        wanted = (
            ("decisions", "Decisions", decisions),
            ("proposals", "Proposals on the table", proposals),
            ("notes", "Notes", notes),
            ("position", "Your last position", (quoted(own),) if own else ()),
        )
        sections: list[Section] = []
        for name, title, lines in wanted:
            section = fit(name, title, lines, half) if lines else None
            if section:
                sections.append(section)
                half -= section.tokens
        return sections

    def _item_lines(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The lines of the newest decisions and open proposals; one that has not changed is not written again."""
        newest = self._minutes.newest_decisions(_DECISIONS_SHOWN)
        decisions = tuple(decision_line(decision) for decision in newest if decision.status != "superseded")
        known = self._rendered
        shown: dict[str, tuple[Proposal, str]] = {}
        for proposal in self.on_the_table:
            last = known.get(proposal.id)
            shown[proposal.id] = last if last and last[0] is proposal else (proposal, proposal_line(proposal))
        self._rendered = shown
        return decisions, tuple(line for _, line in shown.values())


_CHANGES_CONTEXT = (SessionStarted, MessagePosted, PhaseStarted, SummaryWritten, VerdictReached)
