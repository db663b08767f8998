"""The records of memory. Each is frozen: a change makes a new record, so a caller cannot alter memory.

Message numbers are 1, 2, 3, as people and agents see them. Offsets count characters of a message's text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Stance = Literal["support", "oppose", "neutral"]
ProposalStatus = Literal[
    "active",
    "accepted",
    "rejected",
    "modified",
    "withdrawn",
    "struck",
    "superseded",
    "merged",
    "not chosen",
    "not adopted",
]
"""A ballot settles what it offered: the winning text is `accepted`, other texts of its motion are `superseded`, texts
that it had joined `merged`; another answer is `not chosen`, another item of a list `not adopted`."""
DecisionStatus = Literal["claimed", "disputed", "contradicted", "adopted", "decided", "superseded", "struck"]
Source = Literal["declared", "pattern", "minutes", "procedure"]
Direction = Literal["towards", "away", "aside"]
TITLE = 6  # Words of a title, at most.
MoveKind = Literal["propose", "amend", "support", "oppose", "neutral", "withdraw", "position", "deny", "note"]
TakenBack = Literal["", "text", "support", "opposition", "condition"]


@dataclass(frozen=True, slots=True)
class Move:
    """One declared move of a speaker: `[SUPPORT p12.0] because ...`."""

    kind: MoveKind
    text: str = ""
    """The text after the bracket: the wording of a proposal, a reason, or a position."""
    target: str | None = None
    """The id in the bracket, as written (`p12.0`); None if there is none."""
    importance: int | None = None
    """Importance of a note, 1 to 1000."""
    topic: str = ""
    """Topic of a note, such as `pricing` in `[NOTE 700 pricing]`."""
    title: str = ""
    """Title that a proposal or another wording is given: `[PROPOSE Short title] text`."""
    of: TakenBack = ""
    """What of its author's a withdrawal takes back, where a line in plain words says so; empty where `target` does."""
    terms: Literal["", "if", "none"] = ""
    """Of a support whose author was asked: `if` where `text` is its condition, `none` where there is none."""


@dataclass(frozen=True, slots=True)
class Quote:
    """The words on which an item is based, with their message and offsets."""

    message: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Reaction:
    """One agent's reaction to a proposal or to a statement."""

    message: int
    agent: str
    reaction: Stance
    to: str | None = None
    """Id of the proposal; None for a reaction to a statement."""
    answered: int | None = None
    """Number of the message that it answers; None if that is unknown."""
    quote: Quote | None = None
    source: Source = "pattern"
    pattern: str = ""
    score: float = 1.0  # confidence of the link, 0 to 1
    link: str = ""
    """The evidence for the link: `id`, `reply`, `quotation`, `name`, `words` or `recency`."""
    why: str = ""
    """The reason, in the agent's words; empty if it gave none."""
    conditional: bool = False
    """True for a support that its reason makes depend on something ("if ..."). Nobody judges the condition."""
    condition: str = ""
    """The clause of the reason that states the condition, word for word."""
    doubt: bool = False
    """Of a conditional support: True where its reason may state a condition, or not."""
    met: bool = False
    """True of a support whose agent takes its condition back with it, or says that it is met."""
    undone: bool = False
    """True where its agent says in `message` that an earlier one stands no more, or was read wrongly."""
    asked: int = 0  # The last message before its agent declared it when it was asked what `message` declares; else 0.


_Reopened = Literal["again", "supported again", "undone", "disputed"]
_Closed = Literal["taken into", "replaced", "another wording", "amended", "put again", "reworded", "not beside"]
ChangeKind = Literal["", _Reopened, _Closed, "stated", "turned down", "opposed"]
"""Why a status changed; empty where the status says it. `undone`: what closed it is none."""


@dataclass(frozen=True, slots=True)
class StatusChange:
    """A change of a proposal's status, with the messages that caused it."""

    status: ProposalStatus
    messages: tuple[int, ...]
    why: ChangeKind = ""
    of: str = ""
    """Id of the text or decision that it comes from, or the member that supports it again."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal that a member or person made."""

    id: str
    """`p12.0` if it was declared (message, order), `p12@140` if a pattern found it (message, offset)."""
    message: int
    proposer: str
    content: str
    status: ProposalStatus = "active"
    reactions: tuple[Reaction, ...] = ()
    """The current reaction of each agent, in the order of their first reactions."""
    history: tuple[Reaction, ...] = ()
    """Reactions that the same agent later replaced or took back, oldest first; one taken back twice, then `undone`."""
    changes: tuple[StatusChange, ...] = ()
    amends: str | None = None
    """Id of the proposal that this one amends."""
    amended_by: str | None = None
    """Id of the proposal that amends this one."""
    joins: tuple[str, ...] = ()
    """Ids of the other proposals whose motions this text makes one with the motion of `amends`."""
    restated: tuple[Quote, ...] = ()
    """Later places that repeat the proposal."""
    quote: Quote | None = None
    source: Source = "pattern"
    pattern: str = ""
    confidence: float = 1.0
    corrected: str = ""
    """The person who struck or reworded it; empty if nobody did."""
    title: str = ""
    """Up to six words: as its author gave it, else its first ones."""
    titled: bool = False
    """True if its author gave the title, to it or to the wording that it replaces; else it is its first words."""
    at: datetime | None = field(default=None, compare=False, repr=False)
    """When its message was posted (of a summary or note: when it was made); None where the log does not say."""

    def backers(self, stance: Stance) -> tuple[str, ...]:
        """Return the agents whose current reaction is `stance`; a support with a condition is none."""
        return tuple(r.agent for r in self.reactions if r.reaction == stance and not r.conditional)


@dataclass(frozen=True, slots=True)
class Motion:
    """What the table holds and a ballot can decide: a root text and its versions."""

    id: str
    """Id of the root: `o1` for an option given with the question, else that of a proposal."""
    versions: tuple[Proposal, ...]
    """All texts, closed ones too, the root first. An option is a text of nobody, with `message` 0 and `proposer` ""."""
    live: Proposal | None
    """The open version with most supporters, author included, the newest of equals; else the accepted one; or None."""
    taken_up: bool = True
    """False if a pattern or model minutes found its only text and no member has named it by id yet."""


def own_roots(versions: Iterable[Proposal]) -> dict[str, str]:
    """Return by id the root that each text of a motion would have, had no text joined this with other motions.

    A text that joins some stays with what was given with the question, else with what it names first.
    """
    roots, given = dict[str, str](), set[str]()
    for each in versions:
        earlier = [roots[key] for key in (each.amends, *each.joins) if key in roots]
        roots[each.id] = next((key for key in earlier if key in given), next(iter(earlier), each.id))
        given |= {each.id} if not each.message else set()
    return roots


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision, or the claim that something was decided."""

    id: str
    """`d12.0` or `d12@140`, in the form of proposal ids."""
    messages: tuple[int, ...]
    """Numbers of the messages that state it; the first is where it was made."""
    topic: str
    outcome: str
    supporters: tuple[str, ...] = ()
    status: DecisionStatus = "decided"
    """A member's claim is `claimed`; `disputed` once somebody denies it or its author takes it back; `adopted`
    or `contradicted` once a ballot decides it or otherwise. Only the procedure decides in a debate."""
    denied_by: tuple[str, ...] = ()
    """The members who deny a claim; its author among them if it took the claim back."""
    denied_in: tuple[int, ...] = ()
    """The messages in which they do, in that order."""
    supersedes: str | None = None
    superseded_by: str | None = None
    proposal: str | None = None
    """Id of the text that it accepts, if any; of an option given with the question too, where a ballot decided."""
    votes: int = 0
    """Votes cast in the ballot that decided it, those for none included; 0 where none did. `supporters` accepted it."""
    unworded: bool = False
    """True of a motion that won a ballot in which no wording of it was accepted."""
    quotes: tuple[Quote, ...] = ()
    """One quote for each of `messages`."""
    source: Source = "pattern"
    pattern: str = ""
    confidence: float = 1.0
    corrected: str = ""
    """The person who struck or reworded it; empty if nobody did."""

    at: datetime | None = field(default=None, compare=False, repr=False)

    @property
    def denials(self) -> list[tuple[str, int]]:
        """Who of the others denies it, each with the message."""
        return [each for each in zip(self.denied_by, self.denied_in, strict=False) if each[0] not in self.supporters]


@dataclass(frozen=True, slots=True)
class Position:
    """An agent's position at one message."""

    message: int
    agent: str
    text: str
    options: tuple[str, ...] = ()
    """The debate's options that it supports; empty if it names none."""
    after: str | None = None
    """The previous speaker."""
    source: Source = "pattern"
    left: int = 0
    """The message in which it was taken back."""


@dataclass(frozen=True, slots=True)
class AgentState:
    """The state of one agent."""

    agent: str
    message_count: int = 0
    word_count: int = 0
    """Words of its messages, without move lines."""
    last_position: str = ""
    positions: tuple[Position, ...] = ()
    """Positions, oldest first."""
    holds: tuple[str, ...] = ()
    """The options that it supports now."""
    key_contributions: tuple[str, ...] = ()
    """Its proposals, decisions and strongest statements, one line each, limited in number."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of messages `first` to `last`, both included."""

    first: int
    last: int
    text: str
    level: int = 1
    by: str = "extractive"
    """The model that wrote it, or `extractive`."""
    open: tuple[int, ...] = ()
    """Which of its lines, from 0, are open questions."""
    quotes: tuple[int, ...] = ()
    """For each of its lines the message whose words it tells, 0 for none; empty where no line does."""
    at: datetime | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Note:
    """A note of a member or a person."""

    message: int
    who: str
    text: str
    importance: int = 500
    """1 to 1000."""
    topic: str = ""
    private: bool = False
    """True for a person's own note, which no prompt and no member's view shows."""
    id: str = field(default="", compare=False)
    """`n1`, `n2`, ... in the order of the notes."""
    corrected: str = ""
    """The person who struck or reworded it; empty if nobody did."""
    struck: bool = False
    """True if no list and no context shows it any more."""

    at: datetime | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Recalled:
    """One message that a search found."""

    message_id: int
    who: str
    text: str
    score: float
    """Higher is better. Scores of different searches cannot be compared."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A sentence of a report, and the panel's words that support it."""

    text: str
    """Empty if the quote is enough."""
    message: int
    """Number of the message; 0 if the quote is from a ballot."""
    quote: str
    who: str = ""
    """Author of the quote."""


@dataclass(frozen=True, slots=True)
class Consensus:
    """Whether all who expressed a stance now hold the same one."""

    reached: bool
    basis: str
    """The basis of the judgement: `ballot`, `poll`, `options`, `proposal` or `none`."""
    on: str = ""
    """The option of most holders, or the accepted proposal's content; empty if options are level."""
    holders: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """Those with another stance; for a poll or ballot, also those with none, not those without a usable answer."""
    since: int | None = None
    """Number of the message since which the consensus holds."""

    def __bool__(self) -> bool:
        return self.reached


@dataclass(frozen=True, slots=True)
class StanceChange:
    """A change between two private answers of a member."""

    who: str
    poll: int | None
    """Number of the poll that shows the change; None for a ballot."""
    before: str | None
    """Its choice in the previous poll or ballot; None if it had none."""
    after: str | None
    message: int
    """Number of the message that the member names as what moved it; 0 if it names none."""
    speaker: str
    """Author of that message; empty if there was none."""
    joined: str
    """The last speaker among those who already held the new choice; empty if nobody held it."""
    direction: Direction
    """Relative to the choice of most members before; `aside` is between two level choices or two others."""


@dataclass(frozen=True, slots=True)
class MemoryStats:
    """Counts of the items in memory and of the messages they cover."""

    summary_count: int
    """All summaries that were written, also those that were later folded into others."""
    decision_count: int
    proposal_count: int
    """Active proposals."""
    agent_count: int
    total_messages: int
    note_count: int = 0
    summarised: int = 0
    """Messages covered by the current summaries."""
    verbatim: int = 0
    """Later messages, kept in full."""
    uncovered: int = 0  # messages in neither group: always 0
    recallable: int = 0
    """Messages that a search covers."""
    tokens: Mapping[str, int] = field(default_factory=dict)
    """Tokens of each section of the full context."""
    token_ratio: float = 1.0
    """The provider's token count divided by an estimate of one token for four characters."""
    token_error: float | None = None
    """Relative error of the last estimates; None before the first call."""


@dataclass(frozen=True, slots=True)
class Line:
    """One message as the panel sees it, without move lines."""

    number: int
    who: str
    text: str
    holds: str = ""
    """The position that it declares, as written; of several the last."""
