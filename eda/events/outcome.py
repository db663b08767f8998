"""The records of a vote that was counted: what won, what each text has, who is against it, and what each ballot says.

They hold ids, numbers, kinds and people's own words; sentences are made where they are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from eda.events.records import Cited, Stance

DoubtKind = Literal[
    "refuses",
    "refused at first",
    "opposed",
    "beside in prose",
    "none but lists",
    "unknown",
    "denied",
    "on a condition",
    "another sense",
    "two texts",
    "several texts",
    "no vote",
    "twice",
    "no list",
    "not in words",
    "words",
    "abstains and votes",
    "no truth value",
    "not first",
    "first and vote",
    "blocked and approved",
    "choice left out",
    "no choice",
    "several choices",
    "no scores",
    "scores unreadable",
    "score out of range",
    "no order",
    "other words",
    "two votes",
    "question",
    "scores unsaid",
]
"""From `abstains and votes` on an answer is no ballot. `words` is of older sessions, which have a sentence."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What speaks against a ballot, or against a name in one; its voter was asked about it once, and it stands."""

    kind: DoubtKind
    texts: tuple[str, ...] = ()
    """The texts it is about: by their ids, or by their words where they have none."""
    field: str = ""
    """The field of the answer; empty for prose."""
    words: str = ""
    """What the voter wrote there; in older sessions the whole doubt."""
    at: int = 0
    """The message in which the voter opposed the text; 0 of other kinds."""


Result = str | tuple[str, ...] | None
"""What a vote came to: words, those of each item of a list, or None."""
Otherwise = Literal["", "none", "abstained", "unreadable", "missing"]
"""What a ballot does that accepts no text: it accepts none of them, it abstains, or nobody could read it."""
UndoubtedTo = Literal["", "no wording", "no verdict"]
FlipsTo = Literal["", "another winner", "no verdict"]
WhyNone = Literal[
    "nothing to vote on",
    "nobody voted",
    "no quorum",
    "none first",
    "none above the rest",
    "the judge wants none",
    "the judge chose nothing",
    "all blocked",
    "all firsts blocked",
    "refused more than wanted",
    "no side gained",
    "nothing adopted",
    "no approvals",
    "no scores",
    "no judge",
    "no ballot of the judge",
    "not two polls",
    "nobody was asked for blocks",
    "more than ballots needed",
    "not installed",
    "in words",
]
"""Why no choice won, for another reason than a missing majority. `none above the rest`: it came out first, and each
ballot puts it above what it leaves out. From `no approvals` on the rule does not work on these ballots."""


@dataclass(frozen=True, slots=True)
class Undecided:
    """Why nothing won."""

    why: WhyNone
    votes: int = 0
    """Who voted, or accept none of the texts, of so many."""
    of: int = 0
    who: str = ""
    """The judge."""
    rule: str = ""
    """The rule that does not work on these ballots."""
    words: str = ""
    """The words of a rule of a user, or of an older session: the only data there is."""


@dataclass(frozen=True, slots=True)
class Lot:
    """A lot that sent an option out of a round."""

    round: int
    level: tuple[str, ...]
    out: str


@dataclass(frozen=True, slots=True)
class Tie:
    """How lots decided. Options go by the same names as in the tally that it stands beside."""

    tied: tuple[str, ...] = ()
    """All options that could have won under some order of the lots."""
    won: str = ""
    seed: int = 0
    """Of the lots."""
    lots: tuple[Lot, ...] = ()
    """Those of the rounds on the way."""
    words: str = ""
    """The sentence of an older session: the only data there is."""

    def renamed(self, names: Mapping[str, str]) -> Tie:
        """Return the same with other names of the options; what has none keeps its own."""
        lots = (
            Lot(lot.round, tuple(names.get(each, each) for each in lot.level), names.get(lot.out, lot.out))
            for lot in self.lots
        )
        tied = tuple(names.get(each, each) for each in self.tied)
        return replace(self, tied=tied, won=names.get(self.won, self.won), lots=tuple(lots))


@dataclass(frozen=True, slots=True)
class Text:
    """A text with its id and its author."""

    id: str
    """Empty for a choice of a session before schema 5."""
    text: str
    by: str = ""
    """Empty for what was given with the question."""
    voters: tuple[str, ...] = ()
    """Of a text that was adopted: who accepted it, or another text of its motion."""
    exact: tuple[str, ...] = ()
    """Who of them accepted the very text; empty where that is not known."""
    part: bool = False
    """Whether the text decided joins it."""
    title: str = ""
    """As an author gave it; empty where none did."""


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A motion and its votes, under the words of the text that stands for it."""

    choice: str
    """`none` for the votes that accept none of the texts."""
    id: str
    figure: float
    """What the rule counts: votes, approvals, a mean score, duels won."""
    voters: tuple[str, ...]
    """Who put it first; where approvals are counted, who approves it."""
    accepted: int | None = None
    """How many accept the text; None where that is not known."""
    also: tuple[str, ...] = ()
    """Who adopts a text of it beside the answer."""
    blocked: tuple[str, ...] = ()
    behind: tuple[int, ...] = ()
    """The messages that made it or joined into it, that support it, and that its voters name as what moved them."""
    decisive: tuple[int, ...] = ()
    """Of these five at most: its own, those named, and the objections that it answered."""
    before: tuple[str, ...] | None = None
    """Who held it in the first poll; None where no poll was taken before the last message."""
    sure: float | None = None
    """The median confidence, 0 to 1, of those who put it first; None where that was not asked, or is not counted."""
    stated: int = 0
    """How many of them stated it."""
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Where another text of the motion was accepted too: by the id of each, who put it first, in a list who accepts it.
    """


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a vote came to, with all that was counted."""

    rule: str
    judge: str
    """Who decides; empty under a rule that needs nobody."""
    outcome: Result
    won: Text | None
    """The text decided; None in a list, where nothing won, and where no wording was accepted."""
    motion: str
    """Id of the motion that won."""
    option: Text | None
    """What was given with the question, where the text decided is another wording of it."""
    accepted: tuple[str, ...]
    """Who accepts the text decided; where that is not known, who put it first."""
    doubted: tuple[str, ...]
    """Who of them has a reason that refuses it."""
    undoubted: str
    """The id of another text that it gives without these; empty where there is none."""
    undoubted_to: UndoubtedTo
    """What it gives without these where that is no text."""
    known: bool
    """False in sessions before schema 5 and in polls, which do not say who accepts what."""
    none: tuple[str, ...]
    """Who accepts none of the texts."""
    adopted: tuple[Text, ...]
    """What was adopted beside the answer; of a list all that was adopted."""
    rival: Text | None
    """A text that more ballots prefer to the one decided, one against one."""
    note: Undecided | None
    """Why nothing won; None where something did, or where no choice has what the rule asks for."""
    rows: tuple[ChoiceRow, ...]
    """Best first."""
    asked: int
    cast: int
    """Votes, those for none of the texts included."""
    abstained: tuple[str, ...]
    unreadable: tuple[str, ...]
    """Whose ballots could not be read."""
    missing: tuple[str, ...]
    """Of whom no ballot came."""
    open_to: tuple[str, ...]
    """What these ballots could make of the outcome; see `VerdictReached.open_to`."""
    apart: tuple[tuple[str, ...], ...]
    """See `VerdictReached.apart`."""
    doubts: tuple[tuple[str, tuple[Doubt, ...]], ...]
    """Whose ballot is in doubt, and what speaks against it."""
    flips: int | None
    """The fewest ballots whose change gives another outcome; None where that is not known."""
    flips_to: FlipsTo
    """What that change gives; empty where it is not known."""
    tie: Tie | None
    quorum: float


@dataclass(frozen=True, slots=True)
class Dissent:
    """A voter who did not agree, in its own words."""

    who: str
    choice: str
    reason: str
    """As written on the ballot."""
    said: tuple[Cited, ...]
    blocked: tuple[str, ...] = ()
    """What it blocks: the outcome; where nothing won, any choice."""
    score: float | None = None
    """What it gives the text decided, 0 to 10; None where the rule counts no scores."""
    sure: float | None = None
    """0 to 1, as stated on the ballot."""
    deed: Literal["", "none", "scored", "unapproved", "approves"] = ""
    """What its ballot does beside putting `choice` first: it accepts none of the texts, gives `score`, does not approve
    the outcome, or approves `approves` and puts none first. Empty beside a block."""
    approves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stood:
    """Where a member stands on the text decided, as it declared."""

    who: str
    stance: Stance
    reason: str
    """In its words; empty if it gave none."""
    message: int
    conditional: bool = False
    """Of a support."""
    condition: str = ""
    """The clause of the reason that states the condition."""
    doubt: bool = False
    """Of a conditional support: True where its reason may state a condition, or not."""
    of_older: str = ""
    """Id of the text that it was declared on, where that is one from which the text decided comes, or that it joins."""
    joined: bool = False
    """Of an older text: whether the text decided joins it."""


@dataclass(frozen=True, slots=True)
class Voter:
    """A ballot."""

    who: str
    accepts: tuple[str, ...]
    """The words of each text, the first choice first."""
    otherwise: Otherwise
    also: tuple[str, ...]
    """What it adopts beside the answer."""
    blocks: tuple[str, ...]
    reason: str
    """Its reason; of a ballot that could not be read all of its words, as they were written last."""
    moved_by: int | None
    scored: float | None = None
    """What it gives the text decided, 0 to 10; None where the rule counts no scores."""
    part: tuple[str, ...] = ()
    """Of `also`, what is a part of the text decided, where the ballot accepts that."""
    sure: float | None = None
    """0 to 1, as stated on the ballot."""
