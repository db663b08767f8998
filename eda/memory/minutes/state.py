"""The state of the minutes between two messages. The fold of a message reads the newest items only."""

from bisect import insort
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, TypeVar, cast

from eda.events import (
    AnnouncedEvent,
    DecisionFound,
    Minuted,
    Motion,
    MoveKind,
    OpenQuestion,
    Proposal,
    ProposalMade,
    Reaction,
    ReactionSeen,
    Unread,
    Unresolved,
)
from eda.memory.minutes.items import CLAIM_STATUSES, AgentItem, DecisionItem, ProposalItem, ReadAct, told_of
from eda.memory.minutes.motions import Grouped, motions_of, table_rows
from eda.memory.minutes.options import Options
from eda.memory.patterns import Language, PatternPack, default_pack
from eda.memory.snapshot import Given
from eda.text import bare


@dataclass(frozen=True, slots=True)
class Genre:
    """What counts in one kind of talk. It may change as the talk shows its form."""

    kind: str = "transcript"  # By whose rules it is minuted: see `minutes.ledger_of`.
    own: bool = True  # Speakers say what they think themselves. Otherwise they argue a side that they were given.
    firm: bool = False  # Moves were declared in recorded talk, so that free talk counts only where it is sure.
    spoken: bool = True  # Turns of speech propose and decide. Where proposals are voted on in writing, they do not.
    near: bool = False  # Who names nothing answers what was said last: so in a recording, and never by hand.
    titled: bool = False  # Proposals have a title (`PROPOSED:`). A text without one is no proposal.


BY_HAND = Genre()  # Talk on a bus without a debate: what is said counts as well.
TRANSCRIPT = Genre(near=True)  # Recorded talk.


T = TypeVar("T")
OPEN = 12  # Newest open proposals that a message may answer.
HEARD = 12  # Newest messages that a remark may answer.
KEPT = 8  # Messages of recorded talk that are remembered.
_GROUPED = 500  # Motions that are kept at least.
TIMES = 240  # Messages whose time is kept: a model's minutes go back no further.
MOST_UNRESOLVED = 200  # Most acts kept that could not be resolved: the newest.
MAX_CONTRIBUTIONS = 12  # Most items of one agent that its record tells.
CLAIMS = 6  # Newest decisions that may still be confirmed, contested or restated.


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposal, or a message without one (`id` None), that a reaction may answer."""

    id: str | None
    message: int
    who: str
    text: str
    words: frozenset[str]


@dataclass(slots=True)
class RecentMessage:
    """What is remembered of a recent message of recorded talk."""

    number: int
    who: str
    asks: bool
    proposes: bool = False
    options: tuple[str, ...] = ()  # The options that it named.
    offers: tuple[str, ...] = ()  # The options that it put to the others.


@dataclass(slots=True)
class Scene:
    """The recent course of recorded talk, bounded."""

    recent: deque[RecentMessage] = field(default_factory=lambda: deque(maxlen=KEPT))
    pace: float = 0.0  # Running mean of words a message.
    count: int = 0
    convener: str = ""  # Who spoke first.


@dataclass(slots=True)
class State:
    """The items so far, and the recent course of the conversation."""

    options: Options = field(default_factory=Options)
    genre: Genre = BY_HAND
    number: int = 0
    given: dict[str, ProposalItem] = field(default_factory=dict)  # the options given with the question: `o1`, `o2`, ...
    proposals: dict[str, ProposalItem] = field(default_factory=dict)
    joined: dict[str, str] = field(default_factory=dict)  # ids of texts that stood already: the item that each joined
    sealed: dict[int, int] = field(default_factory=dict)  # messages written blind: the first written at the same time
    asked: dict[int, int] = field(
        default_factory=dict
    )  # messages whose author was asked later: the last one heard then
    balloted: dict[str, tuple[int, int, int]] = field(default_factory=dict)  # accepted, wanted beside, of votes
    voted: dict[str, list[str]] = field(default_factory=dict)  # what each member put first on it, by ids
    voted_at: int = 0  # the last message before it
    decisions: dict[str, DecisionItem] = field(default_factory=dict)
    reactions: list[Reaction] = field(default_factory=list)
    agents: dict[str, AgentItem] = field(default_factory=dict)
    open: dict[str, None] = field(default_factory=dict)  # Ids of the open proposals, oldest first.
    recent: list[str] = field(default_factory=list)  # Ids of the newest decisions, oldest first.
    heard: deque[Candidate] = field(default_factory=lambda: deque(maxlen=HEARD))
    votes: deque[Reaction] = field(default_factory=lambda: deque(maxlen=HEARD))  # written votes, linked to no proposal
    last_proposal: str | None = None
    last_speaker: str | None = None
    scene: Scene = field(default_factory=Scene)
    times: dict[int, datetime] = field(default_factory=dict)  # When each of the last messages was posted.
    pack: Given[PatternPack] = field(default_factory=default_pack)
    minuted: int = 0  # The last message covered by a model's minutes.
    questions: list[OpenQuestion] = field(default_factory=list)
    answered: list[tuple[OpenQuestion, int]] = field(default_factory=list)  # what minutes closed, and in which message
    conditions: list[Minuted] = field(default_factory=list)  # what minutes read as one beside a support in full
    unresolved: list[Unresolved] = field(default_factory=list)
    denials: list[ReadAct] = field(default_factory=list)  # of messages that claim nothing so far
    by_message: dict[int, list[str]] = field(init=False, default_factory=dict, compare=False)  # ids of its proposals
    texts: dict[str, str] = field(init=False, default_factory=dict, compare=False)  # the newest id, by plain words
    grouped: Grouped = field(init=False, default_factory=dict, compare=False)  # motions as last asked for
    _made: dict[str, tuple[object, Any]] = field(init=False, default_factory=dict, compare=False)
    _announced: list[AnnouncedEvent] = field(init=False, default_factory=list, compare=False)

    def __post_init__(self) -> None:
        for item in (*self.given.values(), *self.proposals.values()):
            self.index(item)
        for key, into in self.joined.items():
            self.join(key, into)

    def leave(self, act: ReadAct, *why: Unread, stands: bool = False) -> None:
        """Leave an act unresolved: it counts for nobody, and is kept with the reasons."""
        text = act.text if act.source == "declared" else act.quote.text
        on = f"my {act.of} on {act.target}" if act.kind == "withdraw" and act.of else act.target  # as a tag has it
        lost = Unresolved(act.message, act.agent, cast("MoveKind", act.kind), on, text, why, act.source, stands)
        insort(self.unresolved, lost, key=lambda each: each.message)
        del self.unresolved[:-MOST_UNRESOLVED]

    def announce(self, item: ProposalItem | DecisionItem | Reaction) -> None:
        """Note that an item is new or changed."""
        match item:
            case ProposalItem():
                self._announced.append(ProposalMade(proposal=item.record))
            case DecisionItem():
                self._announced.append(DecisionFound(decision=item.record))
            case _:
                self._announced.append(ReactionSeen(reaction=item))

    def announced(self) -> list[AnnouncedEvent]:
        """Return the new and changed items since the last call as events, in order."""
        events, self._announced = self._announced, []
        return events

    def once(self, name: str, make: Callable[[], T]) -> T:
        """Return what `make` makes of the proposals, anew once one is made, changed, closed or taken off."""
        version = ProposalItem.changed, len(self.proposals), len(self.open)
        if name not in self._made or self._made[name][0] != version:
            self._made[name] = version, make()
        made: T = self._made[name][1]
        return made

    @property
    def records(self) -> tuple[Proposal, ...]:
        """All proposals as records, oldest first."""
        return self.once("records", lambda: tuple([item.record for item in self.proposals.values()]))

    @property
    def motions(self) -> tuple[Motion, ...]:
        """The motions, roots oldest first: the options given with the question, then the proposals."""
        return self.once("motions", lambda: self.motions_among(self.records))

    @property
    def rows(self) -> Mapping[str, Mapping[str, Any]]:
        """The open texts by id, as `read_remark` takes them."""
        return self.once("rows", lambda: {row["id"]: row for row in table_rows(self.motions)})

    @property
    def taken_up(self) -> int:
        """The number of motions that have a live text and that somebody took up."""
        return self.once("taken up", lambda: sum(each.live is not None and each.taken_up for each in self.motions))

    def motions_among(self, proposals: Iterable[Proposal]) -> tuple[Motion, ...]:
        """Return the motions of the given options and of some proposals."""
        if len(self.grouped) > max(_GROUPED, 2 * len(self.proposals)):
            self.grouped.clear()
        return motions_of([item.record for item in self.given.values()], proposals, self.grouped)

    @property
    def language(self) -> Language:
        """The words that the code looks for beside the patterns."""
        return self.pack.language

    def begin(self, number: int, at: datetime | None) -> None:
        """Begin with message `number`, posted at `at`."""
        self.number = number
        if at is not None:
            self.times[number] = at
        self.times.pop(number - TIMES, None)

    def contributions(self) -> dict[str, list[str]]:
        """Return what each author has proposed and decided, the newest, in words; not what was struck."""
        decided = (item for item in self.decisions.values() if item.status in ("decided", "superseded"))
        items: list[ProposalItem | DecisionItem] = [*self.proposals.values(), *decided]
        done: dict[str, list[str]] = {}
        for item in items:
            if item.status != "struck":
                done[item.by] = [*done.get(item.by, []), told_of(item)][-MAX_CONTRIBUTIONS:]
        return done

    def newest_open(self, limit: int = OPEN) -> list[ProposalItem]:
        """Return the newest open proposals, oldest first."""
        return [self.proposals[key] for key in reversed(list(islice(reversed(self.open), limit)))]

    def newest_decisions(self) -> list[DecisionItem]:
        """Return the newest decisions and claims, oldest first."""
        return [self.decisions[key] for key in self.recent]

    def place_proposal(self, item: ProposalItem) -> None:
        """Insert an open proposal in the order of messages."""
        item.at = self.times.get(item.message)
        self.index(item)
        last = next(reversed(self.proposals.values()), item)
        self.proposals[item.id], self.open[item.id] = item, None
        if item.message < last.message:
            self.proposals = dict(sorted(self.proposals.items(), key=lambda row: row[1].message))
            self.open = dict.fromkeys(sorted(self.open, key=lambda key: self.proposals[key].message))

    def place_decision(self, item: DecisionItem) -> None:
        """Insert a decision in the order of messages; one that no message made keeps its own time."""
        item.at = item.at or self.times.get(item.made)
        last = next(reversed(self.decisions.values()), item)
        self.decisions[item.id] = item
        if item.made < last.made:
            self.decisions = dict(sorted(self.decisions.items(), key=lambda row: row[1].made))
        self.recent = sorted((*self.recent, item.id), key=lambda key: self.decisions[key].made)[-CLAIMS:]

    def proposal(self, key: str | None) -> ProposalItem | None:
        """Return the proposal or given option of that id, if there is one; of a text that joined one, that one."""
        if not key:
            return None
        return self.proposals.get(key) or self.given.get(key) or self.proposals.get(self.joined.get(key, ""))

    def ended(self, agent: str, number: int) -> set[str]:
        """Return the sides on any text that a message of an agent ends."""
        return {text.ended(agent, number) for text in (self.given | self.proposals).values()}

    def item(self, key: str) -> ProposalItem | DecisionItem | None:
        """Return the proposal or decision of that id, if there is one; of a message the one claim in it."""
        claims = [d for d in self.decisions.values() if d.status in CLAIM_STATUSES and key == f"m{d.made}"]
        return self.proposals.get(key) or self.decisions.get(key) or (claims[0] if len(claims) == 1 else None)

    def join(self, key: str, into: str) -> None:
        """Note that the text that would have had an id is one that stands already."""
        self.joined[key] = into
        self.by_message.setdefault(int(key[1:].replace("@", ".").split(".")[0]), []).append(key)

    def index(self, item: ProposalItem) -> None:
        """Make an item known by its message and its text."""
        if item.id not in self.given:
            self.by_message.setdefault(item.message, []).append(item.id)
        self.texts[item.plain] = item.id

    def same_text(self, item_text: str) -> ProposalItem | None:
        """Return the newest item with the same text, but for case, spaces and punctuation."""
        item = self.proposal(self.texts.get(bare(item_text)))
        return item if item is not None and item.plain == bare(item_text) else None

    def could_hear(self, message: int, earlier: int) -> bool:
        """True if the author of a message could have heard an earlier one by then, or when it was asked later."""
        return earlier <= self.asked.get(message, 0) or self.heard_then(message, earlier)

    def heard_then(self, message: int, earlier: int) -> bool:
        """True if the words of a message could answer an earlier one: they were not written blind beside it."""
        return earlier < message and (earlier not in self.sealed or self.sealed[earlier] != self.sealed.get(message))

    def root(self, item: ProposalItem) -> str:
        """Return the id of the oldest text from which an item descends by amendments."""
        above = {item.id}
        while (earlier := self.proposal(item.amends)) is not None and earlier.id not in above:
            item = earlier
            above.add(item.id)
        return item.id
