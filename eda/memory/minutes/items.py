"""The items of the minutes, which change in place while readers get frozen records, and the acts that change them.

An act is what a message does, whoever read it. Each reader turns its own source into acts; the ledger applies them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, Literal

from eda.events import MessagePosted, records
from eda.text import bare, clean, words

# The statuses of a decision that a member claims and no procedure made.
CLAIM_STATUSES: tuple[records.DecisionStatus, ...] = ("claimed", "disputed", "contradicted")
MAX_POSITIONS = 200  # Most positions kept of one agent; the oldest are dropped first.
OWN = 6  # Newest positions of an agent that are searched for an earlier one.
MAX_RESTATED = 20  # Most restatements kept of an item.


@cache
def _taken(kind: Any, *given: str) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """Return the names of the fields of a record that are not given, and what takes the values of an item for them."""
    names = tuple(each.name for each in fields(kind) if each.name not in given)
    return names, attrgetter(*names)


def _values(kind: Any, item: Any, **values: object) -> dict[str, Any]:
    """Return the values of a record of an item: its fields of the same names, lists and keys of mappings as tuples."""
    names, taken = _taken(kind, *values)
    pairs = zip(names, taken(item), strict=True)
    return values | {name: tuple(each) if type(each) in (list, dict) else each for name, each in pairs}


@dataclass(slots=True, kw_only=True)
class _Item:
    """What a proposal and a decision have in common."""

    id: str
    by: str  # Its author; empty for what the question gives and the procedure decides.
    text: str  # Its wording.
    source: records.Source
    pattern: str = ""
    confidence: float = 1.0
    written: bool = False
    corrected: str = ""
    at: datetime | None = None
    words: frozenset[str] = field(init=False)
    plain: str = field(init=False)

    def __post_init__(self) -> None:
        self.words, self.plain = words(self.text), bare(self.text)

    def change(self, **values: object) -> None:
        """Change fields of the item."""
        for name, value in values.items():
            setattr(self, name, value)
        if "text" in values:
            self.__post_init__()


@dataclass(slots=True, kw_only=True)
class ProposalItem(_Item):
    """A proposal that may still change."""

    changed: ClassVar[int] = 0  # How often any item was made or changed: what is made of items stands until then.

    message: int
    title: str = ""  # As given; empty if its first words are its title.
    titled: bool = False
    quote: records.Quote | None = None
    amends: str | None = None
    joins: tuple[str, ...] = ()
    amended_by: str | None = None
    status: records.ProposalStatus = "active"
    standing: dict[str, records.Reaction] = field(default_factory=dict)
    history: list[records.Reaction] = field(default_factory=list)
    changes: list[records.StatusChange] = field(default_factory=list)
    restated: list[records.Quote] = field(default_factory=list)
    _record: records.Proposal | None = field(init=False, default=None, compare=False)

    def __post_init__(self) -> None:
        _Item.__post_init__(self)
        self._renew()

    def _renew(self) -> None:
        """Note that the record is to be made anew."""
        self._record = None
        ProposalItem.changed += 1

    def change(self, **values: object) -> None:
        """Change fields of the item."""
        _Item.change(self, **values)
        self._renew()

    def react(self, reaction: records.Reaction) -> None:
        """Add a reaction. Of two of one agent the earlier one moves to the history."""
        if (other := self.standing.get(reaction.agent)) is not None:
            self.history.append(min(other, reaction, key=lambda each: each.message))
        if other is None or reaction.message >= other.message:
            self.standing[reaction.agent] = reaction
        self._renew()

    def ended(self, agent: str, number: int) -> str:
        """Return the side of an agent that its message ends, by taking it back or the other one; empty for none."""
        now, old = self.standing.get(agent), [each for each in self.history if each.agent == agent][-1:]
        turned = now is not None and now.message == number and [now.reaction] != [each.reaction for each in old]
        return next((each.reaction for each in old if (each.message == number if each.undone else turned)), "")

    def move(self, change: records.StatusChange) -> None:
        """Change the status, citing the messages that caused it; a struck proposal stays struck."""
        if self.status not in (change.status, "struck"):
            self.change(status=change.status, changes=[*self.changes, change])

    def restate(self, quote: records.Quote) -> None:
        """Note that the proposal was made again."""
        self.change(restated=[*self.restated, quote][:MAX_RESTATED])

    def backers(self, stance: str) -> list[str]:
        """Return the agents whose stance is `stance`; a support with a condition is none."""
        return [each.agent for each in self.standing.values() if each.reaction == stance and not each.conditional]

    @property
    def record(self) -> records.Proposal:
        """The item as a frozen record."""
        if self._record is None:
            title = self.title or " ".join(self.text.split()[: records.TITLE])
            own = {
                "proposer": self.by,
                "content": self.text,
                "reactions": tuple(self.standing.values()),
                "title": title,
            }
            self._record = records.Proposal(**_values(records.Proposal, self, **own))
        return self._record


@dataclass(slots=True, kw_only=True)
class DecisionItem(_Item):
    """A decision, or the claim of one."""

    topic: str
    status: records.DecisionStatus
    messages: list[int] = field(default_factory=list)
    quotes: list[records.Quote] = field(default_factory=list)
    supporters: dict[str, int] = field(default_factory=dict)  # in order of support, with the message of each
    opposers: dict[str, int] = field(default_factory=dict)  # who opposes or denies it, with the message of each
    supersedes: str | None = None
    superseded_by: str | None = None
    proposal: str | None = None
    votes: int = 0  # Votes cast in the ballot that decided it.
    unworded: bool = False  # A motion won, and no wording of it was accepted.

    @property
    def made(self) -> int:
        """The number of the first message that stated it; 0 without messages."""
        return self.messages[0] if self.messages else 0

    @property
    def last(self) -> int:
        """The number of the last message that stated it; 0 without messages."""
        return self.messages[-1] if self.messages else 0

    def restate(self, quote: records.Quote) -> None:
        """Add a restatement; of many the first and the newest are kept."""
        self.messages.append(quote.message)
        self.quotes.append(quote)
        del self.messages[1:-MAX_RESTATED], self.quotes[1:-MAX_RESTATED]

    def takes_side(self, reaction: records.Reaction) -> None:
        """Move the reacting agent to the side of its reaction, since that message; a condition takes no side."""
        sides = {"support": self.supporters, "oppose": self.opposers}
        side = sides.pop(reaction.reaction, None)
        if side is not None and not reaction.conditional:
            (other,) = sides.values()
            other.pop(reaction.agent, None)
            side.setdefault(reaction.agent, reaction.message)

    @property
    def record(self) -> records.Decision:
        """The item as a frozen record."""
        opposers = self.opposers if self.status in ("disputed", "contradicted", "adopted") else {}
        return records.Decision(
            **_values(
                records.Decision,
                self,
                outcome=self.text,
                denied_by=(*opposers,),
                denied_in=(*opposers.values(),),
            )
        )


def told_of(item: ProposalItem | DecisionItem) -> str:
    """Return an item as the contribution of its author."""
    return f"{'proposed' if isinstance(item, ProposalItem) else 'decided'}: {item.text}"


@dataclass(slots=True)
class AgentItem:
    """The state of one agent."""

    agent: str
    message_count: int = 0
    word_count: int = 0
    positions: list[records.Position] = field(default_factory=list)
    holds: tuple[str, ...] = ()
    since: int | None = None  # The message since which the agent holds these options.

    @property
    def last(self) -> records.Position | None:
        """Its last position; None where it voiced none, or took it back."""
        return self.positions[-1] if self.positions and not self.positions[-1].left else None

    def record(self, contributions: tuple[str, ...]) -> records.AgentState:
        """Return the item as a frozen record, with its proposals and decisions in words."""
        last = self.last.text if self.last else ""
        return records.AgentState(
            **_values(records.AgentState, self, last_position=last, key_contributions=contributions)
        )


ReadKind = Literal[
    "propose", "amend", "support", "oppose", "neutral", "withdraw", "position", "claim", "deny", "question", "note"
]
STANCES = ("support", "oppose", "neutral")
_STANCE_OF: dict[ReadKind, records.Stance] = {"oppose": "oppose", "deny": "oppose", "neutral": "neutral"}
LONGEST = 1000  # Characters kept of a declared text, which members vote on as a whole.


@dataclass(frozen=True, slots=True)
class ReadAct:
    """One thing that a message does, as it is read, before the ledger says whether it counts."""

    kind: ReadKind
    message: int
    agent: str
    text: str  # The wording of what is proposed, claimed or held; the reason of a reaction, a withdrawal or a denial.
    target: str  # What it is about, as written; empty if the source has no such field.
    source: records.Source
    quote: records.Quote  # The words that express it.
    place: str  # Where in the message it stands: `.0` for the first move, `@140` for an offset. Ids of items end in it.
    confidence: float = 1.0
    pattern: str = ""
    title: str = ""  # The title that a text is given.
    condition: str = ""  # On which a support stands by the words beside it.
    of: records.TakenBack = ""  # What of its author's a withdrawal takes back, where that is no word of the text.
    terms: Literal["", "if", "none"] = ""  # Of a support: as its move has it.
    written: bool = True  # True for a form that people type on purpose, False for a turn of speech.

    @property
    def stance(self) -> records.Stance:
        """What it means for the item that it is about: a denial opposes it, and a text put again supports it."""
        return _STANCE_OF.get(self.kind, "support")

    def reaction(self, to: str | None, answered: int | None, link: str, score: float) -> records.Reaction:
        """Return the reaction that it is, linked to a proposal or message."""
        why = self.text if self.source == "declared" and self.kind in STANCES else ""
        return records.Reaction(
            *(self.message, self.agent, self.stance, to, answered, self.quote, self.source, self.pattern, score, link),
            why=why,
            met=self.of == "condition",
        )


def acts_of_moves(message: MessagePosted, moves: Iterable[records.Move]) -> list[ReadAct]:
    """Return declared moves of a message as acts, in order."""
    return [
        ReadAct(
            kind=move.kind,
            message=message.number,
            agent=message.who,
            text=clean(move.text, LONGEST) if move.kind in ("propose", "amend") else move.text,
            target=move.target or "",
            source="declared",
            quote=records.Quote(message.number, message.moves_at or 0, len(message.text), move.text),
            place=f".{order}",
            title=move.title,
            of=move.of,
            terms=move.terms,
        )
        for order, move in enumerate(moves)
    ]
