"""`Minutes`: what was proposed, agreed, opposed and decided, as a fold over messages.

It looks at a bounded number of recent and open items a message, whatever the length of the conversation.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from eda.events import AnnouncedEvent, MemoryCorrected, MessagePosted, ProposalMade, SummaryWritten, VerdictReached
from eda.memory import motions, rulings, stances
from eda.memory.answers import STANCES, answer, count_bare, react
from eda.memory.codec import dump_state, load_state
from eda.memory.corrections import correct, text_of
from eda.memory.extract import Reading, read, weigh
from eda.memory.items import AgentItem, DecisionItem, ProposalItem
from eda.memory.judge import consensus
from eda.memory.link import Candidate, Link
from eda.memory.notes import Notes
from eda.memory.options import Options
from eda.memory.reasons import Explanation, explain
from eda.memory.signs import Heard
from eda.memory.state import Found, State
from eda.memory.taking_fold import take
from eda.memory.wording import words
from eda.patterns import PatternPack
from eda.records import AgentState, Consensus, Decision, OpenQuestion, Proposal, Quote, Reaction, Ruled

__all__ = ["Minutes"]

NEAR = 4
"""Open proposals whose proposers a message may name."""
READ = 2000
"""Characters of a message whose words are compared with others."""
KEPT = 400
"""Characters of a message that are kept while it may be answered."""


def _stands(item: ProposalItem | DecisionItem) -> bool:
    return item.minuted != "denied" and item.status != "struck"


class Minutes:
    """Decisions, proposals, reactions and positions of one conversation."""

    def __init__(
        self,
        pack: PatternPack,
        *,
        options: Sequence[str] = (),
        members: Sequence[str] = (),
        imported: bool = False,
        sided: bool = False,
    ) -> None:
        """Begin with nothing heard.

        Args:
            pack: what is looked for in free text.
            options: the debate's options.
            members: who takes part, where that is known beforehand.
            imported: a recorded transcript, in which what is stated as decided holds.
            sided: a debate in which each argues a side that it was given, whatever it thinks itself.
        """
        self.pack = pack
        self._state = State(Options(options), tuple(members), imported, sided)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions and claims, oldest first."""
        return tuple(item.record for item in self._state.decisions.values())

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """All proposals, oldest first."""
        return tuple(item.record for item in self._state.proposals.values())

    @property
    def active(self) -> tuple[Proposal, ...]:
        """The proposals that are still open, oldest first."""
        return tuple(self._state.proposals[key].record for key in self._state.open)

    @property
    def reactions(self) -> tuple[Reaction, ...]:
        """All reactions, oldest first."""
        return tuple(self._state.reactions)

    @property
    def agents(self) -> dict[str, AgentState]:
        """What is known of each agent, by name, in the order in which they first spoke."""
        return {name: item.record for name, item in self._state.agents.items()}

    @property
    def questions(self) -> tuple[OpenQuestion, ...]:
        """The newest questions that the minutes list as open, oldest first."""
        return tuple(self._state.questions)

    @property
    def unresolved(self) -> tuple[Ruled, ...]:
        """What minutes or people say of items that are not found any more, or are others now: it changed nothing."""
        return tuple(self._state.unresolved)

    def newest_open(self, limit: int) -> tuple[Proposal, ...]:
        """The newest open proposals, oldest first; costs the same however many there are."""
        return tuple([item.record for item in self._state.newest_open(limit)])

    def newest_proposals(self, limit: int) -> tuple[Proposal, ...]:
        """The newest proposals that stand, closed ones too, oldest first; costs the same however many there are."""
        standing = (item for item in reversed(self._state.proposals.values()) if _stands(item))
        return tuple(item.record for item in reversed(list(islice(standing, limit))))

    def newest_decisions(self, limit: int) -> tuple[Decision, ...]:
        """The newest decisions and claims that stand, oldest first; costs the same however many there are."""
        standing = (item for item in reversed(self._state.decisions.values()) if _stands(item))
        newest = list(islice(standing, limit))
        return tuple(item.record for item in reversed(newest))

    def last_position(self, agent: str) -> str:
        """What `agent` last stood for; empty where it voiced nothing."""
        item = self._state.agents.get(agent)
        return item.positions[-1].text if item is not None and item.positions else ""

    def consensus(self) -> Consensus:
        """Whether everybody who voiced a stance now holds the same."""
        return consensus(self._state)

    def explain(self, item_id: str) -> Explanation:
        """Why an item is there: source, pattern, span, exceptions looked at, links with their scores.

        Raises:
            UnknownNameError: no such item.
        """
        return explain(item_id, self._state.proposals, self._state.decisions, self.pack)

    def to_json(self) -> dict[str, Any]:
        """The complete state as plain JSON types."""
        return dump_state(self._state)

    @classmethod
    def from_json(cls, data: dict[str, Any], pack: PatternPack) -> Minutes:
        """The state as it was when `to_json` was called: hearing on gives what an uninterrupted run gives."""
        minutes = cls(pack)
        minutes._state = load_state(data)
        return minutes

    def hear(self, message: MessagePosted) -> list[AnnouncedEvent]:  # noqa: C901, PLR0912 - each step, in order
        """Take one message in; gives what is new or changed, in order."""
        state = self._state
        found: Found = []
        state.number = message.number
        agent = state.agents.setdefault(message.who, AgentItem(message.who))
        agent.message_count += 1
        talk = message.talk
        agent.word_count += len(talk.split())
        size = talk.count(" ") + 1
        if message.moves:
            self._take_moves(message, found)
        named = state.options.mentioned(talk)
        reading, signs, register = self._look(message, named)
        findings = motions.amended(message, rulings.tagged(state, message, weigh(reading, signs, register)))
        if any(finding.written for finding in findings):
            findings = [finding for finding in findings if finding.written or finding.kind == "position"]
        kinds = {finding.kind for finding in findings}
        bag = words(talk[:READ])
        before = len(state.reactions)
        declared = {move.kind for move in message.moves}
        if declared - {"position", "note"}:
            if declared.isdisjoint(("propose", "amend")):
                written = [finding for finding in findings if finding.kind == "proposal" and finding.written]
                motions.propose(state, message, written, found)
        else:
            if state.declares:
                findings = motions.firm(state, message, findings)
                kinds = {finding.kind for finding in findings}
            if "withdrawal" in kinds:
                motions.withdraw(state, message, bag, found)
            if motions.reject_spoken(state, message, bag, found):
                kinds -= {"proposal"}
            if kinds.intersection(STANCES):
                answer(state, message, findings, bag, register, found)
            else:
                count_bare(state, message, found)
            if "proposal" in kinds:
                motions.propose(state, message, findings, found)
        if "decision" in kinds:
            rulings.decide(state, message, findings, register, found)
        offers: tuple[str, ...] = ()
        if not any(move.kind == "position" for move in message.moves):
            offers = stances.take_stance(state, message, findings, named, register)
        for reaction in state.reactions[before:]:
            stances.follow(state, message, reaction, named, register)
        state.heard.append(Candidate(None, message.number, message.who, talk[:KEPT], bag))
        state.last_speaker = message.who
        proposes = any(isinstance(event, ProposalMade) and event.proposal.message == message.number for event in found)
        asks = talk.rstrip().endswith("?")
        state.scene.pass_on(Heard(message.number, message.who, asks, proposes, named, offers), size)
        return found

    def rule(self, event: VerdictReached) -> list[AnnouncedEvent]:
        """The procedure decided: the decision, and the proposal that it accepts."""
        found: Found = []
        rulings.rule(self._state, event, found)
        return found

    def correct(self, event: MemoryCorrected, notes: Notes) -> list[AnnouncedEvent]:
        """A person struck or reworded an item, or a note."""
        found: Found = []
        correct(self._state, notes, event, found)
        return found

    def text_of(self, item: str, notes: Notes) -> str:
        """The words of an item, or note, as they stand; see `corrections.text_of`."""
        return text_of(self._state, notes, item)

    def take(self, event: SummaryWritten) -> list[AnnouncedEvent]:
        """Take the minutes of a range in, once; gives what is new or changed, in order."""
        found: Found = []
        if event.minutes is not None and event.first > self._state.minuted:
            self._state.minuted = event.last
            take(self._state, event.minutes, found)
        return found

    def _look(self, message: MessagePosted, named: tuple[str, ...]) -> tuple[Reading, list[str], str]:
        """What a message's text holds, what surrounds it, and the register of the talk."""
        state = self._state
        talk = message.talk
        agent = state.agents[message.who]
        reading = read(talk, self.pack)
        signs = state.scene.signs(
            reading.plain,
            message.who,
            message.number,
            open_by=[item.proposer for item in state.newest_open(NEAR)],
            first_turn=agent.message_count == 1,
            has_options=bool(state.options.options),
            options=named,
            only_options=bool(named) and state.options.only(talk, named),
            held=agent.holds,
        )
        return reading, signs, state.scene.register(talk.count(" ") + 1, has_options=bool(state.options.options))

    def _take_moves(self, message: MessagePosted, found: Found) -> None:  # noqa: C901 - one branch a kind of move
        state = self._state
        for order, move in enumerate(message.moves):
            if move.kind in ("position", "note"):
                if move.kind == "position":
                    stances.declare_position(state, message, move.text)
                continue
            if not state.declares:
                state.declares = True
                motions.forget_spoken(state)
            if move.kind == "propose":
                motions.declare(state, message, order, move, None, found)
                continue
            targets = motions.resolve(state, message, move)
            target = targets[0][0] if targets else None
            if move.kind == "amend":
                motions.declare(state, message, order, move, target, found)
            elif move.kind == "withdraw":
                if target is not None and target.proposer == message.who:
                    motions.close(state, target, "withdrawn", (message.number,), "withdrawn by its proposer", found)
            elif move.kind in STANCES:
                quote = Quote(message.number, message.moves_at or 0, len(message.text), move.text)
                for item, exact in targets:
                    candidate = Candidate(item.id, item.message, item.proposer, "", frozenset())
                    link = Link(candidate, "id" if exact else "words", 1.0 if exact else 0.5)
                    react(state, message, move.kind, item, item.message, quote, "declared", "", link, found)
                if not targets:
                    react(state, message, move.kind, None, None, quote, "declared", "", None, found)
