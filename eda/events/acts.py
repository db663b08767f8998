"""The acts of a message as the engine read them, and why one counts for nobody."""

from dataclasses import dataclass
from typing import Literal

from eda.events.records import MoveKind, ProposalStatus, Source

__all__ = ["Act", "ActKind", "End", "Unread", "UnreadKind", "Unresolved"]

ActKind = Literal[
    "propose",
    "propose again",
    "reopen",
    "amend",
    "join",
    "withdraw",
    "support",
    "oppose",
    "neutral",
    "take back",
    "lift",
    "claim",
    "decide",
    "retract",
    "deny",
    "deny claim",
    "position",
    "note",
    "cite",
    "misquote",
    "tag",
    "json",
    "others' lines",
    "answer",
]
"""`take back` is of a reaction, `lift` of the condition of a support, `retract` of one's own claim. `cite` and
`misquote` are of evidence.
`tag`, `json` and `others' lines` are what had the look of moves and is none; `answer` is what a member said when it was
asked what it declares, which is not read."""

UnreadKind = Literal[
    "names nothing",
    "not held",
    "no such text",
    "no such id",
    "no letter",
    "several",
    "any of",
    "not heard yet",
    "one of a sentence",
    "part",
    "no open text",
    "several open texts",
    "no text that stands",
    "other words",
    "no claim",
    "no side",
    "empty",
    "too many",
    "said otherwise",
    "not taken back",
    "no such tag",
    "no such member",
    "no tag",
    "cut off",
    "not its author",
    "another's name",
    "quotation",
    "taken back",
]


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a move counts for nobody."""

    kind: UnreadKind
    words: str = ""
    """What was named, as written."""
    who: tuple[str, ...] = ()
    """The members that are meant; nobody where a text of nobody is."""
    ids: tuple[str, ...] = ()
    """The texts that could be meant; of an id that does not exist those that its message made."""
    now: tuple[str, ...] = ()
    """For each of `ids` the text that has replaced it; empty where it stands."""
    message: int = 0
    """The message of an id that does not exist; of what was taken back the last one before that."""


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A move or reaction that names nothing that exists, or more than one thing. It counts for nobody."""

    message: int
    agent: str
    kind: MoveKind
    target: str
    """What the member, or the minutes, named, as written; empty if nothing was named."""
    text: str = ""
    """Its words, such as a reason."""
    why: tuple[Unread, ...] = ()
    """Why it is unresolved: a reason for each thing that it names in vain."""
    source: Source = "declared"
    stands: bool = False
    """True of an amendment of nothing, whose text stands as a new proposal."""


@dataclass(frozen=True, slots=True)
class End:
    """What became of a text that is open no more."""

    kind: ProposalStatus | Literal["taken into", "not beside"]
    """A status, or `taken into`, `not beside`."""
    by: str = ""
    """The text that it was replaced by or taken into; the person that struck it."""


@dataclass(frozen=True, slots=True)
class Act:
    """One act of a message: what it does to the table, or what of it counts for nobody."""

    kind: ActKind
    on: str = ""
    """Id of the text, claim or evidence that it is about; as written where it does not count."""
    id: str = ""
    """Id of the text that it puts; of a position the text that stands for the one in `on` now."""
    joins: tuple[str, ...] = ()
    """Ids of the other texts that the new text joins with `on`."""
    text: str = ""
    """The words of a text, position, claim or note; the source of evidence."""
    why: str = ""
    """The reason, in the author's words; of evidence what it says."""
    conditional: bool = False
    condition: str = ""
    """The clause of the reason that states the condition."""
    doubt: bool = False
    """Of a conditional support: True where its reason may state a condition, or not."""
    end: End | None = None
    """What had become of the text in `on`; of a text that is put what became of it since."""
    counted: bool = True
    unread_because: tuple[Unread, ...] = ()
    """Why it does not count; may be empty then, too."""
    tagged: bool = True
    """False where it was read out of words, not from a move."""
    who: tuple[str, ...] = ()
    """In whose names lines were written."""
    asked: bool = False  # True where its author declared it when it was asked, and not in its message.
    stands: bool = False
    """True of an amendment of nothing, whose text stands as a new proposal."""
