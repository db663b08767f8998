"""The parts of a report. Every quote in it is from the log, and names its message."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from eda.events.records import Cited, Decision
from eda.report.effect import Helped


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A choice and its votes."""

    choice: str
    figure: float
    """What the rule counts: votes, approvals, a mean score, duels won."""
    voters: tuple[str, ...]
    """Who put it first; where approvals are counted, who approves it."""
    blocked: tuple[str, ...] = ()
    behind: tuple[int, ...] = ()
    """Of a proposal: the messages that made it and that support it."""
    before: tuple[str, ...] | None = None
    """Who held it in the first poll; None where no poll was taken before the last message."""
    sure: float | None = None
    """The median confidence, 0 to 1, of those who put it first; None where that was not asked, or is not counted."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The tally."""

    rule: str
    line: str
    """What the rule does."""
    outcome: str | None
    note: str
    """Why nothing won; empty where something did, or where no choice has what the rule asks for."""
    rows: tuple[ChoiceRow, ...]
    """Best first."""
    asked: int
    abstained: tuple[str, ...]
    invalid: tuple[str, ...]
    margin: float | None
    changes: int | None
    """The fewest ballots whose change lets another choice win; None where no change does."""
    exact: bool
    """Whether `changes` is exact; else it is a lower bound."""
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


@dataclass(frozen=True, slots=True)
class Condition:
    """What would change a member's mind."""

    who: str
    text: str
    """Empty where it did not say."""
    message: int | None
    """The number of the message; None where it said so in private, or not at all."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A member."""

    title: str
    role: str
    name: str
    """The persona's name: in an anonymous debate only this identifies it."""
    side: str = ""


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
    floor: str
    runner: str
    models: tuple[str, ...]
    seed: int
    rounds: int
    messages: int
    reason: str
    """What ended it."""
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
    verdict: tuple[str, ...]
    """Sentences."""
    counted: Counted
    reasons: tuple[Cited, ...]
    """Why voters wanted the outcome. Where nothing won, or sides were assigned, the text of each names the choice."""
    dissent: tuple[Dissent, ...]
    told_dissent: tuple[Cited, ...]
    """The dissent as a model summarises it, shown beside the members' own ballots."""
    decisions: tuple[Decision, ...]
    open: tuple[Cited, ...]
    """Questions that nobody answered, and what members claimed to be decided."""
    risks: tuple[Cited, ...]
    minds: tuple[Condition, ...]
    helped: Helped
    run: Run
    table: tuple[str, ...] = ()
    """The table at the end, line by line: what was proposed and who stood where on it, what was claimed."""
    dropped: tuple[Cited, ...] = ()
    """Citations of a model that the log does not hold."""
    by: str = ""
    """The model that wrote the prose; empty where it is drawn from memory alone."""
