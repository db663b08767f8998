"""The records of a vote that was counted: what won, what each text has, who is against it, and what each ballot says.

They hold ids, numbers, kinds and people's own words; sentences are made where they are shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

__all__ = [
    "Doubt",
    "DoubtKind",
    "FlipsTo",
    "Lot",
    "Otherwise",
    "Result",
    "Tie",
    "Undecided",
    "UndoubtedTo",
    "Voter",
    "WhyNone",
]

DoubtKind = Literal[
    "refuses",
    "refused at first",
    "opposed",
    "beside in prose",
    "none but lists",
    "abstains beside",
    "answer beside",
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

    def renamed(self, names: Mapping[str, str]) -> "Tie":
        """Return the same with other names of the options; what has none keeps its own."""
        lots = (
            Lot(lot.round, tuple(names.get(each, each) for each in lot.level), names.get(lot.out, lot.out))
            for lot in self.lots
        )
        tied = tuple(names.get(each, each) for each in self.tied)
        return replace(self, tied=tied, won=names.get(self.won, self.won), lots=tuple(lots))


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
    tied: tuple[tuple[str, ...], ...] = ()
    """Of what it accepts, the texts that it ranks as equal."""
    beside: str = ""  # What the record has of its reason, in a reader's language.
