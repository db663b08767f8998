"""The record that sentences are held against: authors, texts, acts and votes of a debate, indexed once."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, get_args

from eda.events import NONE, Act, BallotCast, Event, MessagePosted, Proposal, RecordFact, StanceTaken, VerdictReached
from eda.text import bare, grouped

Deed = Literal["put", "support", "oppose", "neutral", "withdraw"]
DEEDS: Mapping[str, Deed] = {
    **dict.fromkeys(("propose", "propose again", "reopen", "amend", "join"), "put"),
    **dict.fromkeys(("support", "lift"), "support"),
    "oppose": "oppose",
    "neutral": "neutral",
    "withdraw": "withdraw",
    "take back": "neutral",
}


Judged = tuple[bool | None, RecordFact]
UNKNOWN: Judged = (None, RecordFact("no such"))
# The deeds that bear a stance out.
AGREES: Mapping[str, tuple[Deed, ...]] = {
    "support": ("support", "put"),
    "oppose": ("oppose",),
    "neutral": ("neutral",),
}
AGAINST: Mapping[str, tuple[Deed, ...]] = {
    "support": ("oppose", "neutral"),
    "oppose": ("support", "put"),
    "neutral": ("support", "oppose", "put"),
    "": get_args(Deed),  # of who took no side, and said nothing
}

_FEWEST, _MOST = 3, 14  # Words of a text that a sentence can name by them.


@dataclass(frozen=True, slots=True)
class Done:
    """What a member did to a text in a message."""

    who: str
    deed: Deed
    text: str
    message: int
    conditional: bool = False


def deed_fact(done: Done) -> RecordFact:
    """Return what somebody did as a fact of the record."""
    if not done.message:
        return RecordFact("ballot", (done.who,), done.text, deed="block" if done.deed == "oppose" else "")
    return RecordFact("deed", (done.who,), done.text, done.message, done.deed + "-if" * done.conditional)


def mover(text: Proposal) -> RecordFact:
    """Return whose a text is as a fact of the record."""
    return RecordFact("mover", (text.proposer,), text.id, text.message)


@dataclass(frozen=True, slots=True)
class Marked:
    """What one ballot says; texts by their ids."""

    valid: bool
    first: str = ""  # `none` where it accepts none of them; empty for an abstention.
    accepts: tuple[str, ...] = ()  # As the answer, or beside it.
    blocks: tuple[str, ...] = ()
    moved_by: int | None = None
    scores: bool = False

    @property
    def abstains(self) -> bool:
        """Whether it could be read, and says nothing of any text."""
        return self.valid and not (self.first or self.accepts or self.blocks or self.scores)


@dataclass(slots=True)
class Vote:
    """A ballot or poll of the panel."""

    after: int  # The last message before it.
    key: tuple[object, ...]
    offered: frozenset[str] = frozenset()
    ballots: dict[str, Marked] = field(default_factory=dict)
    won: tuple[str, ...] | None = None  # What its verdict decided; None where it has none.

    def takers(self, text: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return who puts a text first, and who accepts it."""
        firsts = frozenset(who for who, each in self.ballots.items() if each.first == text)
        return firsts, firsts | {who for who, each in self.ballots.items() if text in each.accepts}

    def refusers(self, text: str) -> frozenset[str]:
        """Return who put or blocked something, and does not accept a text."""
        told = {who for who, each in self.ballots.items() if each.valid and (each.first or each.blocks)}
        return frozenset(told - self.takers(text)[1])


@dataclass(frozen=True, slots=True)
class Record:
    """What a sentence about a debate may be held against."""

    names: Mapping[str, str]  # The member of each name, role or title.
    authors: Mapping[int, str]
    texts: Mapping[str, Proposal]
    done: Mapping[str, tuple[Done, ...]]  # What was done to each text, by its id, in order; putting it is the first.
    votes: tuple[Vote, ...] = ()
    # The ids of texts by their words and titles, bare; a title of several texts is left out.
    words: Mapping[str, str] = field(default_factory=dict)

    decided: bool = False  # Whether something counts as decided in the talk itself, as in recorded minutes.

    @property
    def members(self) -> tuple[str, ...]:
        """All who have a seat or spoke, each once."""
        return tuple(dict.fromkeys(self.names.values()))

    @property
    def named(self) -> dict[str, str]:
        """The ids of the texts that are short enough to be named by their words, by these."""
        texts = ((words, key) for key, text in self.texts.items() for words in (text.content, text.title))
        named = {words: key for words, key in texts if self.words.get(bare(words)) == key}
        return {
            words: named[words]
            for words in sorted(named, key=len, reverse=True)
            if _FEWEST <= len(words.split()) <= _MOST
        }

    def deeds(self, who: str, text: str) -> list[Done]:
        """Return what a member did to a text: in messages, in order, and then on ballots, with 0 as the message."""
        marks = [vote.ballots[who] for vote in self.votes if who in vote.ballots]
        acts = [done for done in self.done.get(text, ()) if done.who == who]
        taken = (Done(who, "support", text, 0) for mark in marks if text in (mark.first, *mark.accepts))
        return [*acts, *taken, *(Done(who, "oppose", text, 0) for mark in marks if text in mark.blocks)]

    @property
    def last(self) -> Vote | None:
        """The last vote, if it decided or was to decide."""
        return self.votes[-1] if self.votes and self.votes[-1].won is not None else None

    @property
    def won(self) -> tuple[str, ...]:
        """What the last vote decided."""
        return (self.last.won if self.last else None) or ()


def index(
    names: Mapping[str, str],
    authors: Mapping[int, str],
    texts: Mapping[str, Proposal],
    acts: Mapping[int, Iterable[Act]],
    votes: Iterable[Vote] = (),
    *,
    decided: bool = False,
    roles: Mapping[str, str] = MappingProxyType({}),
) -> Record:
    """Return the record of what messages did, with the votes; `roles` are those of members, by title.

    A sentence may name a member by a role of several words that it alone has: "the product manager".
    """
    names = {**_by_roles(roles, {*names.values()}), **names}
    done: dict[str, list[Done]] = {}
    for number, of_message in acts.items():
        for act in of_message:
            deed, target = DEEDS.get(act.kind), act.on
            target = act.id or act.on if deed == "put" else target
            if act.kind == "position" and (act.id or act.text) in texts:
                deed, target = "support", act.id or act.text
            if deed and target and act.counted:
                done.setdefault(target, []).append(Done(authors[number], deed, target, number, act.conditional))
    return Record(
        names, authors, texts, {key: (*each,) for key, each in done.items()}, tuple(votes), _titles(texts), decided
    )


def _by_roles(roles: Mapping[str, str], members: Collection[str]) -> dict[str, str]:
    """Return members by the roles of several words that they alone have, also by the first part of such a role."""
    called = Counter(role for role in roles.values() if " " in role)  # "the neighbour" may be anybody's
    known = {who: role.removeprefix("a ") for who, role in roles.items() if called[role] == 1 and who in members}
    short = [(who, each) for who, role in known.items() for each in (role, role.partition(" and ")[0]) if " " in each]
    return {f"{article} {role}": who for who, role in short for article in ("the", "The")}


def _titles(texts: Mapping[str, Proposal]) -> dict[str, str]:
    """Return the id of each text by its title and its words, where no other text has these."""
    named = ((key, {bare(text.content), bare(text.title)} - {""}) for key, text in texts.items())
    titled = grouped((title, key) for key, titles in named for title in titles)
    return {title: ids[0] for title, ids in titled.items() if len(ids) == 1}


def votes_of(events: Iterable[Event], texts: Mapping[str, Proposal]) -> list[Vote]:
    """Return the votes that were taken, in order, each with what its verdict decided."""
    votes, last = list[Vote](), 0
    by_words = {text.content: key for key, text in texts.items()}
    for event in events:
        match event:
            case MessagePosted():
                last = event.number
            case BallotCast(ballot=ballot):
                ids = by_words | {text.text: text.id for text in event.texts} | {NONE: NONE}
                accepts, blocks = (
                    tuple(ids.get(each, "") for each in way)
                    for way in ((*ballot.accepted, *ballot.also), ballot.blocked)
                )
                first = "" if ballot.invalid else ids.get(ballot.first_choice or "", "")
                marked = Marked(not ballot.invalid, first, accepts, blocks, ballot.moved_by, bool(ballot.scores))
                offered = frozenset(ids.get(each, "") for each in event.choices)
                _vote(votes, last, ("ballot", event.first), offered).ballots[ballot.agent] = marked
            case StanceTaken(survey=False):
                first = by_words.get(event.choice or "", "")
                marked = Marked(not event.invalid, first, (first,) if first else (), (), event.moved_by)
                offered = frozenset(by_words.get(each, "") for each in event.choices)
                _vote(votes, last, ("poll", event.poll), offered).ballots[event.who] = marked
            case VerdictReached() if votes:
                won = (event.version, *(each.id for each in event.adopted)) if event.offered else event.won
                votes[-1].won = tuple(by_words.get(each, each) for each in won if each)
    return votes


def _vote(votes: list[Vote], last: int, key: tuple[object, ...], offered: frozenset[str]) -> Vote:
    if not votes or (votes[-1].after, votes[-1].key) != (last, key) or votes[-1].won is not None:
        votes.append(Vote(last, key, offered))
    return votes[-1]
