"""`Minutes`: the proposals, reactions, positions and decisions of a conversation, as a fold over messages.

Each message is compared with a bounded number of recent and open items, whatever the length of the conversation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from eda.errors import UnknownNameError
from eda.events import AnnouncedEvent, MemoryCorrected, MessagePosted, ProposalMade, SummaryWritten, VerdictReached
from eda.events.model_minutes import OpenQuestion, Ruled
from eda.events.records import AgentState, Consensus, Decision, Proposal, Quote, Reaction
from eda.memory.minutes import decisions, positions, proposals
from eda.memory.minutes.consensus import consensus
from eda.memory.minutes.items import AgentItem, DecisionItem, ProposalItem
from eda.memory.minutes.links import Link
from eda.memory.minutes.model_fold import take
from eda.memory.minutes.options import Options
from eda.memory.minutes.reactions import STANCES, answer, count_bare, react
from eda.memory.minutes.rulings import correct, text_of
from eda.memory.minutes.state import Candidate, Events, State
from eda.memory.notes import Notes
from eda.memory.patterns import PatternPack
from eda.memory.patterns.cues import RecentMessage
from eda.memory.patterns.extract import SearchedText, search_text, weigh
from eda.memory.snapshot import Given
from eda.text import words

__all__ = ["Minutes"]

NEAR = 4
"""Newest open proposals whose proposers a message may name."""
READ = 2000
"""Characters of a message that are compared with others."""
KEPT = 400
"""Characters kept of a message while others may answer it."""


def _stands(item: ProposalItem | DecisionItem) -> bool:
    return item.minuted != "denied" and item.status != "struck"


@dataclass(init=False, slots=True)
class Minutes:
    """Decisions, proposals, reactions and positions of one conversation."""

    pack: Given[PatternPack]
    state: State

    def __init__(
        self,
        pack: PatternPack,
        *,
        options: Sequence[str] = (),
        members: Sequence[str] = (),
        imported: bool = False,
        sided: bool = False,
        state: State | None = None,
    ) -> None:
        """Begin with nothing heard.

        Args:
            pack: what is looked for in free text.
            options: the debate's options.
            members: who takes part, where that is known beforehand.
            imported: a recorded transcript, in which what is stated as decided holds.
            sided: a debate in which each argues a side that it was given, whatever it thinks itself.
            state: what was known when the minutes were saved, in place of the four above.
        """
        self.pack = pack
        self.state = state or State(Options(tuple(options), pack), tuple(members), imported, sided, pack=pack)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions and claims, oldest first."""
        return tuple(item.record for item in self.state.decisions.values())

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """All proposals, oldest first."""
        return tuple(item.record for item in self.state.proposals.values())

    @property
    def active(self) -> tuple[Proposal, ...]:
        """The proposals that are still open, oldest first."""
        return tuple(self.state.proposals[key].record for key in self.state.open)

    @property
    def reactions(self) -> tuple[Reaction, ...]:
        """All reactions, oldest first."""
        return tuple(self.state.reactions)

    @property
    def agents(self) -> dict[str, AgentState]:
        """The state of each agent, by name, in the order in which they first spoke."""
        return {name: item.record for name, item in self.state.agents.items()}

    @property
    def questions(self) -> tuple[OpenQuestion, ...]:
        """The newest questions that the minutes list as open, oldest first."""
        return tuple(self.state.questions)

    @property
    def unresolved(self) -> tuple[Ruled, ...]:
        """Rulings of minutes or people on items that are gone or have other words by now: they changed nothing."""
        return tuple(self.state.unresolved)

    def newest_open(self, limit: int) -> tuple[Proposal, ...]:
        """Return the newest open proposals, oldest first, at bounded cost."""
        return tuple([item.record for item in self.state.newest_open(limit)])

    def newest_proposals(self, limit: int) -> tuple[Proposal, ...]:
        """Return the newest proposals, closed ones too, oldest first, at bounded cost; none denied or struck."""
        standing = (item for item in reversed(self.state.proposals.values()) if _stands(item))
        return tuple(item.record for item in reversed(list(islice(standing, limit))))

    def newest_decisions(self, limit: int) -> tuple[Decision, ...]:
        """Return the newest decisions and claims, oldest first, at bounded cost; none denied or struck."""
        standing = (item for item in reversed(self.state.decisions.values()) if _stands(item))
        newest = list(islice(standing, limit))
        return tuple(item.record for item in reversed(newest))

    def last_position(self, agent: str) -> str:
        """Return the last position of `agent`; empty where it voiced none."""
        item = self.state.agents.get(agent)
        return item.positions[-1].text if item is not None and item.positions else ""

    def consensus(self) -> Consensus:
        """Return whether everybody who voiced a stance holds the same."""
        return consensus(self.state)

    def explain(self, item_id: str) -> str:
        """Return why an item is in memory, in lines: source, pattern, quotes, exceptions checked, links with scores.

        Raises:
            UnknownNameError: no such item.
        """
        proposal, decision = self.state.proposals.get(item_id), self.state.decisions.get(item_id)
        item: ProposalItem | DecisionItem
        if proposal is not None:
            item = proposal
            quote, quotes = proposal.quote, (*((proposal.quote,) if proposal.quote else ()), *proposal.restated)
            reactions = (*proposal.history, *proposal.standing.values())
            links = [
                f"m{r.message} {r.agent}: {r.reaction}, linked by {r.link or 'nothing'} ({r.score:.2f})"
                for r in reactions
            ]
            history = [f"{c.status}: {c.why} ({', '.join(f'm{m}' for m in c.messages)})" for c in proposal.changes]
        elif decision is not None:
            item = decision
            quote, quotes = next(iter(decision.quotes), None), tuple(decision.quotes)
            links = [f"m{number} {name}: for" for name, number in decision.supporters.items()]
            links += [f"m{number} {name}: against" for name, number in decision.opposers.items()]
            history = [decision.status + (f", accepts {decision.proposal}" if decision.proposal else "")]
        else:
            raise UnknownNameError("item", item_id, (*self.state.proposals, *self.state.decisions))
        source = f"pattern {item.pattern}" if item.pattern else item.source
        lines = [f"{item_id}: found by {source}, confidence {item.confidence:.2f}"]
        lines += [f"  m{each.message} [{each.start}:{each.end}] “{each.text}”" for each in quotes]
        exceptions = self.pack.looked_at(quote.text, item.pattern) if quote is not None and item.pattern else []
        lines += [f"  exception {'holds' if applies else 'does not hold'}: {text}" for text, applies in exceptions]
        lines += [f"  {line}" for line in (*links, *history)]
        if item.minuted:
            lines.append(f"  {item.minuted} by the minutes" + (f": {item.minuted_why}" if item.minuted_why else ""))
        return "\n".join(lines)

    def hear(self, message: MessagePosted) -> list[AnnouncedEvent]:  # noqa: C901, PLR0912 - each step, in order
        """Fold one message; return the new and changed items as events, in order."""
        state = self.state
        events: Events = []
        state.begin(message.number, message.at)
        agent = state.agents.setdefault(message.who, AgentItem(message.who))
        agent.message_count += 1
        talk = message.talk
        agent.word_count += len(talk.split())
        size = talk.count(" ") + 1
        if message.moves:
            self._take_moves(message, events)
        named = state.options.mentioned(talk)
        searched, cues, register = self._look(message, named)
        findings = proposals.amended(state, message, decisions.tagged(state, message, weigh(searched, cues, register)))
        if any(finding.written for finding in findings):
            findings = [finding for finding in findings if finding.written or finding.kind == "position"]
        kinds = {finding.kind for finding in findings}
        bag = words(talk[:READ])
        before = len(state.reactions)
        declared = {move.kind for move in message.moves}
        if declared - {"position", "note"}:
            if declared.isdisjoint(("propose", "amend")):
                written = [finding for finding in findings if finding.kind == "proposal" and finding.written]
                proposals.propose(state, message, written, events)
        else:
            if state.declares:
                findings = proposals.firm(state, message, findings)
                kinds = {finding.kind for finding in findings}
            if "withdrawal" in kinds:
                proposals.withdraw(state, message, bag, events)
            if proposals.reject_spoken(state, message, bag, events):
                kinds -= {"proposal"}
            if kinds.intersection(STANCES):
                answer(state, message, findings, bag, register, events)
            else:
                count_bare(state, message, events)
            if "proposal" in kinds:
                proposals.propose(state, message, findings, events)
        if "decision" in kinds:
            decisions.decide(state, message, findings, register, events)
        offers: tuple[str, ...] = ()
        if not any(move.kind == "position" for move in message.moves):
            offers = positions.take_stance(state, message, findings, named, register)
        for reaction in state.reactions[before:]:
            positions.follow(state, message, reaction, named, register)
        state.heard.append(Candidate(None, message.number, message.who, talk[:KEPT], bag))
        state.last_speaker = message.who
        proposes = any(isinstance(event, ProposalMade) and event.proposal.message == message.number for event in events)
        asks = talk.rstrip().endswith("?")
        state.scene.remember(RecentMessage(message.number, message.who, asks, proposes, named, offers), size)
        return events

    def rule(self, event: VerdictReached) -> list[AnnouncedEvent]:
        """Add the decision of a verdict, and accept its proposal."""
        events: Events = []
        decisions.rule(self.state, event, events)
        return events

    def correct(self, event: MemoryCorrected, notes: Notes) -> list[AnnouncedEvent]:
        """Apply a person's correction of an item or note."""
        events: Events = []
        correct(self.state, notes, event, events)
        return events

    def text_of(self, item: str, notes: Notes) -> str:
        """Return the present words of an item or note; see `rulings.text_of`."""
        return text_of(self.state, notes, item)

    def take(self, event: SummaryWritten) -> list[AnnouncedEvent]:
        """Fold a model's minutes of a range, once; return the new and changed items as events, in order."""
        events: Events = []
        if event.minutes is not None and event.first > self.state.minuted:
            self.state.minuted = event.last
            take(self.state, event.minutes, events)
        return events

    def _look(self, message: MessagePosted, named: tuple[str, ...]) -> tuple[SearchedText, list[str], str]:
        """Return a message's text after the search for patterns, its cues, and the register of the talk."""
        state = self.state
        talk = message.talk
        agent = state.agents[message.who]
        searched = search_text(talk, self.pack, state.options.spans(talk) if named else ())
        cues = state.scene.cues(
            searched.plain,
            message.who,
            message.number,
            language=state.language,
            open_by=[item.proposer for item in state.newest_open(NEAR)],
            first_turn=agent.message_count == 1,
            has_options=bool(state.options.options),
            options=named,
            only_options=bool(named) and state.options.only(talk, named),
            holds=agent.holds,
        )
        return searched, cues, state.scene.register(talk.count(" ") + 1, has_options=bool(state.options.options))

    def _take_moves(self, message: MessagePosted, events: Events) -> None:  # noqa: C901 - one branch a kind of move
        state = self.state
        for order, move in enumerate(message.moves):
            if move.kind in ("position", "note"):
                if move.kind == "position":
                    positions.declare_position(state, message, move.text)
                continue
            if not state.declares:
                state.declares = True
                proposals.forget_spoken(state)
            if move.kind == "propose":
                proposals.declare(state, message, order, move, None, events)
                continue
            targets = proposals.resolve(state, message, move)
            target = targets[0][0] if targets else None
            if move.kind == "amend":
                proposals.declare(state, message, order, move, target, events)
            elif move.kind == "withdraw":
                if target is not None and target.proposer == message.who:
                    proposals.close(state, target, "withdrawn", (message.number,), "withdrawn by its proposer", events)
            elif move.kind in STANCES:
                quote = Quote(message.number, message.moves_at or 0, len(message.text), move.text)
                for item, exact in targets:
                    candidate = Candidate(item.id, item.message, item.proposer, "", frozenset())
                    link = Link(candidate, "id" if exact else "words", 1.0 if exact else 0.5)
                    react(state, message, move.kind, item, item.message, quote, "declared", "", link, events)
                if not targets:
                    react(state, message, move.kind, None, None, quote, "declared", "", None, events)
