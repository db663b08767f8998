"""The parts of a report. Every quote in it is from the log, and names its message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain

from eda.events.records import Cited, Decision
from eda.memory.evidence import UsedEvidence
from eda.report.effect import Helped, Result


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
    before: tuple[str, ...] | None = None
    """Who held it in the first poll; None where no poll was taken before the last message."""
    sure: float | None = None
    """The median confidence, 0 to 1, of those who put it first; None where that was not asked, or is not counted."""
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Where another text of the motion was accepted too: by the id of each, who put it first, in a list who accepts it.
    """


@dataclass(frozen=True, slots=True)
class Counted:
    """The tally."""

    rule: str
    line: str
    """What the rule does."""
    outcome: Result
    won: Text | None
    """The text decided; None in a list, where nothing won, and where no wording was accepted."""
    motion: str
    """Id of the motion that won."""
    option: Text | None
    """What was given with the question, where the text decided is another wording of it."""
    accepted: tuple[str, ...]
    """Who accepts the text decided; where that is not known, who put it first."""
    doubted: str
    """Who accepts it against the words of its reason, and what that decides, in words; mostly empty."""
    known: bool
    """False in sessions before schema 5 and in polls, which do not say who accepts what."""
    none: tuple[str, ...]
    """Who accepts none of the texts."""
    adopted: tuple[Text, ...]
    """What was adopted beside the answer; of a list all that was adopted."""
    rival: Text | None
    """A text that more ballots prefer to the one decided, one against one."""
    note: str
    """Why nothing won; empty where something did, or where no choice has what the rule asks for."""
    rows: tuple[ChoiceRow, ...]
    """Best first."""
    asked: int
    cast: int
    """Votes, those for none of the texts included."""
    abstained: tuple[str, ...]
    invalid: tuple[str, ...]
    doubts: tuple[tuple[str, str], ...]
    """Whose ballot is in doubt, and what speaks against it."""
    margin: float | None
    flips: int | None
    """The fewest ballots whose change gives another outcome; None where that is not known."""
    exact: bool
    """Whether `flips` is exact; else it is a lower bound."""
    flips_to: str
    """What that change gives: `another winner` or `no verdict`; empty where it is not known."""
    tie: str
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
    gave: str = ""
    """What it gave the outcome, where more than first choices are counted: `scored it 2 of 10`."""
    sure: float | None = None
    """0 to 1, as stated on the ballot."""


@dataclass(frozen=True, slots=True)
class Stood:
    """Where a member stands on the text decided, as it declared."""

    who: str
    stance: str
    """`for`, `for, if`, `against` or `undecided`."""
    reason: str
    """In its words; empty if it gave none."""
    message: int
    condition: str = ""
    """Of a support with a condition: the clause of the reason that states it."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What would change the mind of a member, in its own words."""

    who: str
    text: str
    message: int = 0
    """0 where it said so in a poll or on its ballot."""
    holds: str = ""
    """What it chose in that poll; empty where it chose nothing, or said so elsewhere."""
    polled: bool = False
    """True if it was asked for it, in a poll."""
    agrees: bool = False
    """True if it was said in the talk by a member who is with the outcome."""


@dataclass(frozen=True, slots=True)
class Voter:
    """A ballot."""

    who: str
    accepts: tuple[str, ...]
    """The words of each text, the first choice first."""
    otherwise: str
    """What a ballot says that accepts nothing: `accepts none of the texts`, `abstained`, `gave no usable ballot`."""
    also: tuple[str, ...]
    """What it adopts beside the answer."""
    blocks: tuple[str, ...]
    reason: str
    moved_by: int | None
    scored: float | None = None
    """What it gives the text decided, 0 to 10; None where the rule counts no scores."""
    part: tuple[str, ...] = ()
    """Of `also`, what is a part of the text decided, where the ballot accepts that."""
    sure: float | None = None
    """0 to 1, as stated on the ballot."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A member."""

    title: str
    role: str
    name: str
    """The persona's name: in an anonymous debate only this identifies it."""
    side: str = ""
    person: bool = False
    """Whether a human has this seat."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A person's correction of an item of memory."""

    item: str
    was: str
    text: str
    """The corrected text; empty where the item was struck."""
    by: str


@dataclass(frozen=True, slots=True)
class Run:
    """How the debate was run."""

    agenda: str
    panel: str
    floor: str
    runner: str
    parent: str
    """The session and message that it was forked from, and what was changed; empty for none."""
    models: tuple[str, ...]
    seed: int
    rounds: int
    messages: int
    reason: str
    """What ended it."""
    votes_again: int
    """How often the panel voted again, because a member spoke during the vote."""
    unrepeated: tuple[tuple[str, str], ...]
    """Who gave no ballot in the last of these votes, with the text that it had put first in the one before."""
    during_votes: int
    """Messages that were posted during a vote."""
    skipped: str
    """Which closing words were left out, and why; empty where none were."""
    began: datetime | None
    seconds: float
    seats: tuple[Seat, ...]
    anonymous: bool
    documents: tuple[str, ...]
    """Names of the context files; `(in part)` stands after one that was too long to be shown whole."""
    own_prompts: tuple[str, ...]
    corrected: tuple[Corrected, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report."""

    session: str
    question: str
    options: tuple[str, ...]
    noun: str
    sentences: Mapping[str, tuple[str, ...]]
    """What code makes of the count and the ledger, by what it tells: `decided`, `votes`, `beside`, `rival`, `talk`,
    `against`, `least`."""
    compared: str
    """What differs between the first ballot and the last; empty where they cannot be compared."""
    lineage: tuple[str, ...]
    """What each text decided was made of."""
    stood: tuple[Stood, ...]
    """Who declared what on the text decided."""
    promised: tuple[Cited, ...]
    """Sentences in which members say what they will do by when."""
    texts: tuple[Text, ...]
    """All options and proposals, by whose ids the words of others name them."""
    counted: Counted
    reasons: tuple[Cited, ...]
    """Why voters wanted the outcome. Where nothing won, or sides were assigned, the text of each names the choice."""
    ballots: tuple[Voter, ...]
    dissent: tuple[Dissent, ...]
    told_dissent: tuple[Cited, ...]
    """The dissent as a model summarises it, shown beside the members' own ballots."""
    reserved: tuple[Cited, ...]
    """What a model tells as the dissent of members who accept all that was decided."""
    decisions: tuple[Decision, ...]
    open: tuple[Cited, ...]
    """Questions to which the minutes have no answer, and what members claimed to be decided and nobody voted on."""
    noted: tuple[Cited, ...]
    """What members noted to be remembered."""
    risks: tuple[Cited, ...]
    minds: tuple[Condition, ...]
    helped: Helped
    run: Run
    evidence: tuple[UsedEvidence, ...] = ()
    """What members looked up and cite."""
    table: tuple[str, ...] = ()
    """The table at the end, line by line: what was proposed and who stood where on it, what was claimed."""
    dropped: tuple[Cited, ...] = ()
    """Citations of a model that the log does not hold."""
    prose: str = ""
    """A model's words on the verdict; nothing in it decides anything."""
    unproved: tuple[str, ...] = ()
    """Sentences of the model that the record does not bear out, and that were left out with what they rest on."""
    lacking: tuple[str, ...] = ()
    """What the record lacks of each, in that order; empty for one that a member denied."""
    by: str = ""
    """The model that wrote the prose; empty where it is drawn from memory alone."""

    @property
    def verdict(self) -> tuple[str, ...]:
        """All sentences on the verdict, the text decided first."""
        return tuple(chain.from_iterable(self.sentences.values()))
