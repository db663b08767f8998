"""`Minutes`: the proposals, reactions, positions and decisions of a conversation, as a fold over messages.

Each message is compared with a bounded number of recent and open items, whatever the length of the conversation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from eda.events import AnnouncedEvent, MemoryCorrected, MessagePosted, ProposalMade, SummaryWritten, VerdictReached
from eda.events.acts import Unread
from eda.events.records import Consensus, Decision, Motion, Position, Proposal
from eda.memory.minutes import positions, verdict
from eda.memory.minutes.free_talk import NEAR, declares
from eda.memory.minutes.items import AgentItem, DecisionItem, ProposalItem, acts_of_moves
from eda.memory.minutes.options import Options
from eda.memory.minutes.reading import Items, consensus
from eda.memory.minutes.resolve import names_own
from eda.memory.minutes.rules import Rules, rules_of
from eda.memory.minutes.rulings import correct
from eda.memory.minutes.state import BEFORE, DEBATE, Candidate, Genre, State, Talk, Version
from eda.memory.notes import Notes
from eda.memory.patterns import PatternPack
from eda.memory.patterns.extract import RecentMessage, SearchedText, search_text, weigh
from eda.memory.snapshot import Given

_Item = TypeVar("_Item", ProposalItem, DecisionItem)
READ = 2000  # Characters of a message that are compared with others.
KEPT = 400  # Characters kept of a message while others may answer it.


def _given(number: int, option: str) -> ProposalItem:
    return ProposalItem(id=f"o{number}", by="", text=option, source="procedure", written=True, message=0)


def _stands(item: ProposalItem | DecisionItem) -> bool:
    return item.minuted != "denied" and item.status != "struck"


def _newest_standing(items: dict[str, _Item], limit: int) -> list[_Item]:
    """Return the newest items that were neither struck nor denied, oldest first."""
    return list(islice(filter(_stands, reversed(items.values())), limit))[::-1]


@dataclass(init=False, slots=True)
class Minutes(Items):
    """Decisions, proposals, reactions and positions of one conversation."""

    pack: Given[PatternPack]
    state: State
    _rules: Rules = field(init=False, compare=False)
    _newest: tuple[Version, int, tuple[tuple[Motion, ...], tuple[Proposal, ...]]] = field(init=False, compare=False)

    def __init__(
        self, pack: PatternPack, *, options: Sequence[str] = (), genre: Genre = DEBATE, state: State | None = None
    ) -> None:
        """Begin with nothing heard, or with the `state` of saved minutes, in place of options and genre."""
        self.pack = pack
        given = {item.id: item for item in map(_given, range(1, len(options) + 1), options)}
        self._newest = BEFORE, 0, ((), ())
        self.state = state or State(Options(tuple(options), pack), genre, given=given, pack=pack)
        self._rules = rules_of(self.state.genre.kind)

    @property
    def _items(self) -> State:
        return self.state

    @property
    def positions(self) -> dict[str, dict[str, str]]:
        """By the id of a text, whose last declared position it is, with its words where they say more than the text."""
        return positions.held(self.state)

    def position_in_prose(self, message: MessagePosted) -> Position | None:
        """Return the position that was read out of the prose of a message, or None."""
        last = self.state.agents[message.who].positions[-1:]
        return last[0] if last and last[0].message == message.number and last[0].source == "pattern" else None

    def newest_motions(self, limit: int) -> tuple[tuple[Motion, ...], tuple[Proposal, ...]]:
        """Return the motions of the newest proposals, open and closed, roots oldest first, at bounded cost.

        Beside them stand those of the newest proposals that were struck, or denied by the minutes, oldest first.
        """
        if self._newest[:2] != (self.state.version, limit):
            texts = {text.id: text for text in (*self.newest_open(limit), *self.newest_proposals(limit))}
            motions = self.state.motions_among(sorted(texts.values(), key=lambda text: text.message))
            newest = reversed(list(islice(reversed(self.state.proposals.values()), limit)))
            dropped = tuple(item.record for item in newest if not _stands(item))
            self._newest = self.state.version, limit, (motions, dropped)
        return self._newest[2]

    def newest_open(self, limit: int) -> tuple[Proposal, ...]:
        """Return the newest open proposals, oldest first, at bounded cost."""
        return tuple([item.record for item in self.state.newest_open(limit)])

    def newest_proposals(self, limit: int) -> tuple[Proposal, ...]:
        """Return the newest proposals, closed ones too, oldest first, at bounded cost; none denied or struck."""
        return tuple(item.record for item in _newest_standing(self.state.proposals, limit))

    def newest_decisions(self, limit: int) -> tuple[Decision, ...]:
        """Return the newest decisions and claims, oldest first, at bounded cost; none denied or struck."""
        return tuple(item.record for item in _newest_standing(self.state.decisions, limit))

    def consensus(self) -> Consensus:
        """Return whether everybody who voiced a stance holds the same."""
        return consensus(self.state)

    def hear(self, message: MessagePosted) -> list[AnnouncedEvent]:
        """Fold one message; return the new and changed items as events, in order."""
        state = self.state
        text = message.read.text
        state.begin(message.number, message.at)
        agent = state.agents.setdefault(message.who, AgentItem(message.who))
        agent.message_count += 1
        agent.word_count += len(text.split())
        named = state.options.mentioned(text)
        register = state.scene.register(text.count(" ") + 1, has_options=bool(state.options.options))
        bag = message.read.begin(READ).words
        to = message.to, message.reply_to, message.topic
        talk = Talk(message.number, message.who, text, bag, register, *to, declares(message))
        ledger = self._rules.ledger(state, talk)
        moves = acts_of_moves(message, message.moves)
        for act in sorted(moves, key=names_own):  # a text comes first that another move of its message names
            if act.kind == "position" and (why := positions.declare_position(state, message, act)):
                state.leave(act, why)
            ledger.apply(act)
        for act in acts_of_moves(message, message.unclaimed):
            state.leave(act, Unread("another's name" if message.puppets else "quotation", who=message.puppets))
        searched, cues = self._look(message, named)
        reader = self._rules.reader(state)
        findings = reader.expressed(message, weigh(searched, cues, register))
        before = len(state.reactions)
        ledger.hear_talk(reader.acts(message, findings, register))
        offers: tuple[str, ...] = ()
        if all(move.kind in ("propose", "note") for move in message.moves):  # other moves say where one stands
            offers = positions.take_stance(state, message, findings, named, register)
            for reaction in state.reactions[before:]:
                positions.follow(state, message, reaction, named, register)
        state.heard.append(Candidate(None, message.number, message.who, text[:KEPT], bag))
        state.last_speaker = message.who
        events = state.announced()
        new = (event.proposal.message for event in events if isinstance(event, ProposalMade))
        proposes, asks = message.number in new, text.rstrip().endswith("?")
        state.scene.remember(RecentMessage(message.number, message.who, asks, proposes, named, offers), talk.size)
        return events

    def open_sealed(self, numbers: Iterable[int]) -> None:
        """Note which messages, heard next, were written blind at the same time."""
        together = list(numbers)
        self.state.sealed.update((number, together[0]) for number in together)

    def rule(self, event: VerdictReached) -> list[AnnouncedEvent]:
        """Add the decisions of a verdict, and settle what its ballot offered."""
        verdict.rule(self.state, event)
        return self.state.announced()

    def correct(self, event: MemoryCorrected, notes: Notes) -> list[AnnouncedEvent]:
        """Apply a person's correction of an item or note."""
        correct(self.state, notes, event)
        return self.state.announced()

    def take(self, event: SummaryWritten) -> list[AnnouncedEvent]:
        """Fold a model's minutes of a range, once; return the new and changed items as events, in order."""
        if event.minutes is not None and event.first > self.state.minuted:
            self.state.minuted = event.last
            self._rules.fold(self.state).take(event.minutes)
        return self.state.announced()

    def _look(self, message: MessagePosted, named: tuple[str, ...]) -> tuple[SearchedText, list[str]]:
        """Return a message's text after the search for patterns, and its cues where one matched."""
        state = self.state
        agent = state.agents[message.who]
        searched = search_text(message.read, self.pack, state.options.spans(message.talk) if named else ())
        if not searched.hits:
            return searched, []
        cues = state.scene.cues(
            searched.read.plain,
            message.who,
            message.number,
            language=state.language,
            open_by=[item.by for item in state.newest_open(NEAR)],
            first_turn=agent.message_count == 1,
            has_options=bool(state.options.options),
            options=named,
            only_options=bool(named) and state.options.only(message.talk, named),
            holds=agent.holds,
        )
        return searched, cues
