"""`MemoryView`: the read-only side of memory: items, counts, search and contexts."""

from __future__ import annotations

from collections.abc import Mapping

from eda.errors import UnknownNameError, UsageError
from eda.events.model_minutes import OpenQuestion
from eda.events.records import (
    AgentState,
    Consensus,
    Decision,
    Line,
    MemoryStats,
    Motion,
    Note,
    Proposal,
    Reaction,
    Recalled,
    Stance,
    StanceChange,
    Summary,
    Unresolved,
)
from eda.memory.context.sections import Context, Section
from eda.memory.context_builder import ContextBuilder
from eda.memory.parts import Parts, statistics
from eda.memory.patterns import PatternPack

_PROPOSALS_SHOWN = 12
_MODERATOR_HEARD = 8
"""Messages for which the moderator's last announcement is shown."""


class MemoryView:
    """The read-only side of a `ConversationMemory`."""

    patterns: PatternPack
    full_budget: int
    """Tokens of `full_context`."""
    brief_budget: int
    """Tokens of `brief_context`."""
    _parts: Parts
    _contexts: ContextBuilder
    _moderator: tuple[str, int]

    def recent(self, messages: int) -> tuple[Line, ...]:
        """Return the last `messages` messages, oldest first."""
        last = self.message_count
        return tuple(map(self._parts.messages.line, range(max(1, last - messages + 1), last + 1)))

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
    def motions(self) -> tuple[Motion, ...]:
        """The motions on the table and off it, roots oldest first; the options given with the question come first."""
        return self._parts.minutes.motions

    @property
    def unresolved(self) -> tuple[Unresolved, ...]:
        """The moves and reactions that name nothing that exists, or more than one thing, oldest first."""
        return self._parts.minutes.unresolved

    @property
    def claims(self) -> tuple[Decision, ...]:
        """The claims that something was decided, oldest first: claimed, disputed or contradicted."""
        return self._parts.minutes.claims

    def acts(self, number: int) -> tuple[str, ...]:
        """Return what message `number` does, as it was read when it was posted, a line each."""
        return self._parts.acts.of(number)

    def table(self, budget: int | None = None) -> Section:
        """Return the table block: what is open, who stands where and why, what was decided, claimed or closed.

        Prompts, `eda show` and the report have the same text. Within `budget` tokens, items that have no room are named
        by their ids; where None, the whole table is returned.
        """
        return self._contexts.table(budget)

    def unread(self, agent: str) -> tuple[int, tuple[str, ...]]:
        """Return the number of an agent's last message and what of it could not be read; 0 and nothing if all was."""
        return self._parts.acts.unread(agent)

    @property
    def on_the_table(self) -> tuple[Proposal, ...]:
        """The newest open proposals, as many as an agent needs to tell apart, oldest first."""
        return self._parts.minutes.newest_open(_PROPOSALS_SHOWN)

    def last_position(self, agent: str) -> str:
        """Return the last position of `agent`; empty where it voiced none."""
        return self._parts.minutes.last_position(agent)

    @property
    def reactions(self) -> tuple[Reaction, ...]:
        """All reactions, oldest first. Some are bound to no proposal."""
        return self._parts.minutes.reactions

    @property
    def agents(self) -> Mapping[str, AgentState]:
        """The state of each agent, by name, in the order in which they first spoke."""
        return self._parts.minutes.agents

    @property
    def questions(self) -> tuple[OpenQuestion, ...]:
        """The newest questions that the minutes list as open, oldest first."""
        return self._parts.minutes.questions

    @property
    def summaries(self) -> tuple[Summary, ...]:
        """The standing summaries. In order they cover messages 1 to `covered`, each once."""
        return self._parts.summaries.standing

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes that are not private, the most important first."""
        return self._parts.notes.all()

    def notes_on(self, topic: str, *, private: bool = False) -> tuple[Note, ...]:
        """Return the notes of a topic, the most important first; with the private ones on request."""
        return self._parts.notes.topic(topic, private=private)

    def notes_about(self, question: str, k: int = 5, *, private: bool = False) -> tuple[Note, ...]:
        """Return up to `k` notes that share words with a question, the best first; with private ones on request."""
        return self._parts.notes.about(question, k, private=private)

    def private_notes(self) -> tuple[Note, ...]:
        """Return all notes with the private ones, the most important first: for their owner, never for a prompt."""
        return self._parts.notes.all(private=True)

    @property
    def message_count(self) -> int:
        """The number of messages, without sealed ones."""
        return self._parts.recent.count

    @property
    def covered(self) -> int:
        """The last message that a summary covers."""
        return self._parts.recent.covered

    @property
    def parts(self) -> Parts:
        """The parts of the memory that only the engine uses: tokens, side talk, repetition, stagnation, summaries."""
        return self._parts

    def consensus(self) -> Consensus:
        """Return whether all agree: by the last poll or ballot; before the first one, by the stances voiced."""
        polled = self._parts.polls.consensus()
        return self._parts.minutes.consensus() if polled is None else polled

    @property
    def stance_changes(self) -> tuple[StanceChange, ...]:
        """Every change of stance between polls or ballots, oldest first."""
        return tuple(self._parts.polls.changes)

    def stances(self, agent: str) -> dict[str, Stance]:
        """Return the stance of `agent` on each proposal that it reacted to, by the proposal's id."""
        standing = (proposal for proposal in self.proposals if proposal.minuted != "denied")
        return {p.id: r.reaction for p in standing for r in p.reactions if r.agent == agent}

    def text_of(self, item: str) -> str:
        """Return the present words of the proposal, decision or note of that id; see `rulings.text_of`."""
        return self._parts.minutes.text_of(item, self._parts.notes)

    def explain(self, item: str | Proposal | Decision) -> str:
        """Return why an item is in memory, in lines: source and pattern, words, exceptions checked, links.

        Raises:
            UnknownNameError: there is no such item.
        """
        return self._parts.minutes.explain(item if isinstance(item, str) else item.id)

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
        """Return the messages that say most about `query`, best first. A new message can be recalled at once.

        The search is by words; where the extra `embeddings` is installed, also by meaning.

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
        return self._parts.messages.recall.search(
            query, k, speaker=speaker, since=since, until=until, topic=topic, fused=True
        )

    def stats(self) -> MemoryStats:
        """Return the counts of items, how much of the history summaries cover, and the tokens of a full context."""
        return statistics(self._parts, self.full_context())

    def full_context(self, agent: str | None = None, budget: int | None = None, about: str | None = None) -> Context:
        """Return what `agent` is shown before it speaks, within `budget` tokens.

        Args:
            agent: The agent whose own position is shown too; None for the sections that all agents share.
            budget: Tokens; `full_budget` where None.
            about: A question to answer from the whole history; None for a turn, where the last messages matter.

        Raises:
            UsageError: an empty question.
        """
        if about is not None and not about.strip():
            raise UsageError("the question is empty", hint="Leave `about` out for what was said last.")
        text, after = self._moderator
        announced = text if self.message_count < after + _MODERATOR_HEARD else ""
        return self._contexts.full(agent, self.full_budget if budget is None else budget, about, announced)

    def brief_context(self, budget: int | None = None, *, moments: bool = True) -> Context:
        """Return the table, the newest summary and the weightiest moments in `budget` tokens; or the table alone."""
        return self._contexts.brief(self.brief_budget if budget is None else budget, moments=moments)
