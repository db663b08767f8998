"""What a report holds. Every quote in it is from the log, and names its message."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from eda.effect import Helped
from eda.records import Cited, Decision

__all__ = ["Corrected", "Counted", "Dissent", "Mind", "Report", "Row", "Run", "Seat"]


@dataclass(frozen=True, slots=True)
class Row:
    """A choice, and how it fared."""

    choice: str
    figure: float
    """Under the rule: votes, approvals, a mean score, duels won."""
    voters: tuple[str, ...]
    """Who put it first; where approvals are counted, who approves it."""
    blocked: tuple[str, ...] = ()
    behind: tuple[int, ...] = ()
    """The messages that made it and that speak for it, where it is a proposal."""
    before: tuple[str, ...] | None = None
    """Who held it in the first poll; None where there was none before the last word."""
    sure: float | None = None
    """How sure those are who put it first, 0 to 1, the median; None where that was not asked, or is not counted."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The tally."""

    rule: str
    line: str
    """What the rule does."""
    outcome: str | None
    note: str
    """Why nothing won; empty where something did, or where no choice has what the rule asks for."""
    rows: tuple[Row, ...]
    """Best first."""
    asked: int
    abstained: tuple[str, ...]
    invalid: tuple[str, ...]
    margin: float | None
    changes: int | None
    """How many ballots would have to be others for another choice to win; None where no change does that."""
    exact: bool
    """Otherwise `changes` is a lower bound."""
    tie: str
    quorum: float


@dataclass(frozen=True, slots=True)
class Dissent:
    """Who did not agree, in its own words."""

    who: str
    choice: str
    reason: str
    """As written on the ballot."""
    said: tuple[Cited, ...]
    blocked: tuple[str, ...] = ()
    """What it cannot live with: the outcome; where nothing won, any choice."""
    gave: str = ""
    """What it gave the outcome, where more than first choices are counted: `scored it 2 of 10`."""


@dataclass(frozen=True, slots=True)
class Mind:
    """What would change a member's mind."""

    who: str
    text: str
    """Empty where it said so nowhere."""
    message: int | None
    """Where it said so; None where it was asked in private, or did not say."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A member."""

    title: str
    role: str
    name: str
    """Of the persona: in an anonymous debate only this tells who it was."""
    side: str = ""


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a person changed of what memory held."""

    item: str
    was: str
    text: str
    """How it reads since; empty where it was struck."""
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
    """Everything that stands in a report."""

    session: str
    question: str
    options: tuple[str, ...]
    noun: str
    verdict: tuple[str, ...]
    """Sentences."""
    counted: Counted
    reasons: tuple[Cited, ...]
    """Those without a text are words of who voted for the outcome; where nothing won, and where each had a side to
    argue, the text names the choice."""
    dissent: tuple[Dissent, ...]
    told_dissent: tuple[Cited, ...]
    """As a model tells it; then the members' own ballots stand beside it."""
    decisions: tuple[Decision, ...]
    open: tuple[Cited, ...]
    """Questions that nobody answered, and what was proposed and neither taken nor turned down."""
    risks: tuple[Cited, ...]
    minds: tuple[Mind, ...]
    helped: Helped
    run: Run
    dropped: tuple[Cited, ...] = ()
    """What a model cited and the log does not hold."""
    by: str = ""
    """The model that wrote the prose; empty where it is drawn from memory alone."""
