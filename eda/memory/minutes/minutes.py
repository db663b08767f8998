"""`Minutes`: the proposals, reactions, positions and decisions of a conversation, as a fold over messages.

Each message is compared with a bounded number of recent and open items, whatever the length of the conversation.
Consensus is reached where everybody who voiced a stance holds the same. A claim of it does not count.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, takewhile
from typing import TypeVar

from eda.events import (
    AgentState,
    AnnouncedEvent,
    Consensus,
    Decision,
    LineAnswered,
    MemoryCorrected,
    MessagePosted,
    Motion,
    Move,
    OpenQuestion,
    Proposal,
    Reaction,
    SummaryWritten,
    Unread,
    Unresolved,
    VerdictReached,
)
from eda.memory.minutes import model_fold, positions, verdict
from eda.memory.minutes.consensus import consensus
from eda.memory.minutes.items import CLAIM_STATUSES, AgentItem, DecisionItem, ProposalItem, acts_of_moves
from eda.memory.minutes.ledger import Ledger
from eda.memory.minutes.options import Options
from eda.memory.minutes.rulings import correct, undo_message
from eda.memory.minutes.state import Genre, State
from eda.memory.notes import Notes
from eda.panels.registry import TALKS
from eda.text import shorten, unbroken
from eda.words import Words

BEGINS = 60  # Characters of a text that stand beside its id.
_SUPPORTED = 50  # Newest open texts that are searched for a support that may have a condition.


class Items(ABC):
    """The items of a conversation, read-only: those of its minutes, and of a memory that has minutes."""

    @property
    @abstractmethod
    def state(self) -> State:
        """The state that holds them."""

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions and claims, oldest first."""
        return tuple(item.record for item in self.state.decisions.values())

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """All proposals, oldest first."""
        return self.state.records

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
        done = self.state.contributions()
        return {name: item.record(tuple(done.get(name, ()))) for name, item in self.state.agents.items()}

    @property
    def questions(self) -> tuple[OpenQuestion, ...]:
        """The newest questions that the minutes list as open, oldest first."""
        return tuple(self.state.questions)

    @property
    def unresolved(self) -> tuple[Unresolved, ...]:
        """The moves and reactions that name nothing that exists, or more than one thing, oldest first."""
        return tuple(self.state.unresolved)

    @property
    def claims(self) -> tuple[Decision, ...]:
        """The claims that something was decided, oldest first; none struck."""
        return tuple(item.record for item in self.state.decisions.values() if item.status in CLAIM_STATUSES)

    @property
    def motions(self) -> tuple[Motion, ...]:
        """The motions, roots oldest first: the options given with the question, then the proposals."""
        return self.state.motions

    @property
    def positions(self) -> dict[str, dict[str, str]]:
        """By the id of a text, whose last declared position it is, with its words where they say more than the text."""
        return positions.held(self.state)

    def last_position(self, agent: str) -> str:
        """Return the last position of `agent`; empty where it voiced none."""
        item = self.state.agents.get(agent)
        return item.last.text if item is not None and item.last else ""

    def newer(self, agent: str) -> tuple[str, str]:
        """Return what `agent` put first in a ballot after its last position, and which texts it has put since both.

        That is `o1`, empty where it is the position, and `p7.0 (m7), p9.0 (m9)`. A text of another motion says no more
        once its author has backed a text of the motion that it holds, and nothing where it comes from a text of its
        author that stood beside that position already.
        """
        state, gone = self.state, ("modified", "withdrawn", "struck")
        held = state.agents[agent].last if agent in state.agents else None
        if held is None:
            return "", ""
        at, on = held.message, getattr(positions.text_held(state, held), "id", "")
        voted = state.voted.get(agent, []) if at <= state.voted_at else []
        since = takewhile(
            lambda each: each.message > max(at, state.voted_at * bool(voted)), reversed(state.proposals.values())
        )
        own = [each for each in since if (each.source, each.by) == ("declared", agent) and each.status not in gone]
        motion = [each for each in state.proposals.values() if own and positions.one_motion(state, each.id, on)]
        backed = max((each.standing[agent].message for each in motion if agent in each.backers("support")), default=0)
        fresh = [e for e in own if e.message > backed and not positions.had_put(state, agent, e.id, at)]
        put = (f"{each.id} (m{each.message})" for each in reversed(own) if each in motion or each in fresh)
        return ", ".join(voted if voted != [on] else ()), ", ".join(put)

    def backed(self, agent: str, words: Words) -> list[str]:
        """Return the open texts of others that an agent supports since its last position and ballot: `p7.0 (m9)`."""
        state, last = self.state, self.state.agents[agent].positions[-1]
        since, on = max(last.message, state.voted_at * (agent in state.voted)), positions.text_held(state, last)
        stands = sorted(
            (each.message, text.id, "doubt" if each.doubt else "yes" if each.conditional else "no")
            for text in (*state.given.values(), *state.proposals.values())
            if text.by != agent and text.status in ("active", "accepted") and (each := text.standing.get(agent))
            if each.reaction == "support" and each.message > since
            if each.conditional or text is not on
        )
        return [f"{words.say('show-support', text=key, terms=terms)} (m{at})" for at, key, terms in stands]

    def unclear_supports(self, agent: str) -> list[Reaction]:
        """Return supports of the newest open texts that may depend on a condition, each with the words that may be one.

        It is in doubt by its own words, or minutes quote others as a condition, beside it or one that stands in full.
        """
        stands = (
            replace(each, to=text.id)
            for text in (*self.state.given.values(), *self.state.newest_open(_SUPPORTED))
            if (each := text.standing.get(agent))
        )
        supports = (e for e in stands if e.reaction == "support" and (e.doubt or not e.conditional))
        return [replace(each, condition=clause) for each in supports for clause in self._clauses(each)]

    def _clauses(self, support: Reaction) -> list[str]:
        """Return the words that may be the condition of a support: its doubt's own, and others that minutes quote."""
        beside = (each for each in self.state.conditions if each.message == support.message)
        quoted = [each.quote for each in beside if each.to in (None, support.to)]
        said = any(each in support.condition or support.condition in each for each in quoted)
        return quoted if said or not support.doubt else [support.condition, *quoted]

    def in_words(self, position: str) -> str:
        """Return a position; of one that is the id of a text, the id and how that text begins."""
        text = self.state.proposal(position)
        key = f"{position} (withdrawn)" if text and text.status == "withdrawn" else position
        return f"{key}: {shorten(unbroken(text.text), BEGINS)}" if text else position


@cache
def ledger_of(kind: str) -> type[Ledger]:
    """Return the ledger of a kind of talk: `debate`, or a name in `TALKS`, which says how free talk is read.

    In a debate free talk is not read: only declared moves and ballots book anything.
    """
    ledger: type[Ledger] = Ledger if kind == "debate" else TALKS.get(kind)
    return ledger


_Item = TypeVar("_Item", ProposalItem, DecisionItem)


def _newest_standing(items: dict[str, _Item], limit: int) -> list[_Item]:
    """Return the newest items that were not struck, oldest first."""
    return list(islice((item for item in reversed(items.values()) if item.status != "struck"), limit))[::-1]


@dataclass(slots=True)
class Minutes(Items):
    """Decisions, proposals, reactions and positions of one conversation."""

    state: State

    def begin(self, options: Sequence[str], genre: Genre) -> "Minutes":
        """Take down what the panel is to choose from, and what counts from here on; return self."""
        self.state.options, self.state.genre, self.state.given = Options(tuple(options), self.state.pack), genre, {}
        for number, option in enumerate(options, 1):
            item = ProposalItem(id=f"o{number}", by="", text=option, source="procedure", written=True, message=0)
            self.state.given[item.id] = item
            self.state.index(item)
        return self

    def newest_motions(self, limit: int) -> tuple[tuple[Motion, ...], tuple[Proposal, ...]]:
        """Return the motions of the newest proposals, open and closed, roots oldest first, at bounded cost.

        Beside them stand those of the newest proposals that were struck, oldest first.
        """

        def made() -> tuple[tuple[Motion, ...], tuple[Proposal, ...]]:
            texts = {text.id: text for text in (*self.newest_open(limit), *self.newest_proposals(limit))}
            motions = self.state.motions_among(sorted(texts.values(), key=lambda text: text.message))
            newest = reversed(list(islice(reversed(self.state.proposals.values()), limit)))
            return motions, tuple(item.record for item in newest if item.status == "struck")

        return self.state.once(f"newest {limit}", made)

    def newest_open(self, limit: int) -> tuple[Proposal, ...]:
        """Return the newest open proposals, oldest first, at bounded cost."""
        return tuple([item.record for item in self.state.newest_open(limit)])

    def newest_proposals(self, limit: int) -> tuple[Proposal, ...]:
        """Return the newest proposals, closed ones too, oldest first, at bounded cost; none struck."""
        return tuple(item.record for item in _newest_standing(self.state.proposals, limit))

    def newest_decisions(self, limit: int) -> tuple[Decision, ...]:
        """Return the newest decisions and claims, oldest first, at bounded cost; none struck."""
        return tuple(item.record for item in _newest_standing(self.state.decisions, limit))

    def consensus(self) -> Consensus:
        """Return whether everybody who voiced a stance holds the same."""
        return consensus(self.state)

    def hear(self, message: MessagePosted) -> list[AnnouncedEvent]:
        """Fold one message; return the new and changed items as events, in order."""
        state = self.state
        state.begin(message.number, message.at)
        agent = state.agents.setdefault(message.who, AgentItem(message.who))
        agent.message_count += 1
        agent.word_count += len(message.read.text.split())
        ledger_of(state.genre.kind)(state, message).hear()
        state.last_speaker = message.who
        return state.announced()

    def open_sealed(self, numbers: Iterable[int]) -> None:
        """Note which messages, heard next, were written blind at the same time."""
        together = list(numbers)
        self.state.sealed.update((number, together[0]) for number in together)

    def rule(self, event: VerdictReached) -> list[AnnouncedEvent]:
        """Add the decisions of a verdict, settle what its ballot offered, and return what is announced."""
        verdict.rule(self.state, event)
        return self.state.announced()

    def in_full(self, event: LineAnswered) -> tuple[Move, ...]:
        """Return what a no to a condition declares: a support in doubt stands in full, for the reason that it has."""
        why = {each.to: each.why for each in self.unclear_supports(event.who) if each.doubt}
        return tuple(
            replace(move, text=why[move.target], terms="none")
            for move in event.moves
            if move.terms == "if" and move.target in why
        )

    def answer(self, event: LineAnswered, *, asked: bool) -> list[AnnouncedEvent]:
        """Apply what a person says that a line of theirs does, or undo what it did; `asked` where in other words."""
        message = MessagePosted(number=event.message, who=event.who, text="", moves=event.moves)
        if event.answer == "taken back":
            undo_message(self.state, message)
        else:
            self.state.asked[event.message] = self.state.number  # its author has read all texts by now
            ledger_of(self.state.genre.kind)(self.state, message, self.state.number * asked).declare()
            for act in acts_of_moves(message, event.denied):
                self.state.leave(act, Unread("not taken back" if act.kind == "withdraw" else "said otherwise"))
            self.state.conditions = [each for each in self.state.conditions if each.who != event.who]
        return self.state.announced()

    def correct(self, event: MemoryCorrected, notes: Notes) -> list[AnnouncedEvent]:
        """Apply a person's correction of an item or note, and return what is announced."""
        correct(self.state, notes, event)
        return self.state.announced()

    def take(self, event: SummaryWritten) -> list[AnnouncedEvent]:
        """Fold a model's minutes of a range, once; return the new and changed items as events, in order."""
        if event.minutes is not None and event.first > self.state.minuted:
            self.state.minuted = event.last
            model_fold.take(self.state, event.minutes)
        return self.state.announced()
