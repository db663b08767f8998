"""The parts of a report. Every quote in it is from the log, and names its message."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from eda.debate.course import Players
from eda.debate.minds import Condition
from eda.events import Cited, Decision, DecisionFollowedUp, Parent, RecordFact, Voter
from eda.memory.evidence import UsedEvidence
from eda.report.effect import Helped
from eda.report.outcome import Dissent, Outcome, Stood, Text
from eda.report.story import StoryStep
from eda.report.wordings import Step

if TYPE_CHECKING:
    from eda.debate.hinges import Stress


@dataclass(frozen=True, slots=True)
class Seat:
    """A member."""

    title: str
    role: str
    name: str  # The persona's name: in an anonymous debate only this identifies it.
    side: str = ""
    person: bool = False  # Whether a human has this seat.


@dataclass(frozen=True, slots=True)
class Run:
    """How the debate was run."""

    agenda: str
    panel: str
    floor: tuple[str, ...]
    runners: tuple[str, ...]
    parent: Parent | None  # The session and message that it was forked from, and what was changed; empty for none.
    played: Players
    seed: int
    rounds: int
    messages: int
    reason: str  # What ended it.
    votes_again: int  # How often the panel voted again, because a member spoke during the vote.
    began: datetime | None
    seconds: float
    seats: tuple[Seat, ...]
    anonymous: bool
    # Names of the context files; `(in part)` stands after one that was too long to be shown whole.
    documents: tuple[str, ...]
    own_prompts: tuple[str, ...]
    corrected: tuple[Mapping[str, str], ...]  # `item`, `was`, `text`, `by` and `version` of each `MemoryCorrected`.
    facts: int  # Facts of the log when the report was made.
    head: str  # The hash of the last of them, which covers them all; empty of a session in memory.


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report."""

    session: str
    question: str
    language: str  # One of `eda.words.languages()`.
    options: tuple[str, ...]
    noun: str
    asked: str  # What the question asked for, in words.
    answer: str  # The answer in one line.
    rest: tuple[str, ...]  # Sentences on what to know of it.
    story: tuple[StoryStep, ...]  # How it came to this.
    # The main reason of each who accepts the text decided: `message` is 0 where it stands on the ballot.
    backing: tuple[Cited, ...]
    wordings: tuple[Step, ...]  # All texts but the one decided, each as what differs from the text that replaced it.
    stood: tuple[Stood, ...]  # Who declared what on the text decided, and on those adopted beside it.
    promised: tuple[Cited, ...]  # Sentences in which members say what they will do by when.
    texts: tuple[Text, ...]  # All options and proposals, by whose ids the words of others name them.
    counted: Outcome
    # Why voters wanted the outcome. Where nothing won, or sides were assigned, the text of each names the choice.
    reasons: tuple[Cited, ...]
    ballots: tuple[Voter, ...]
    dissent: tuple[Dissent, ...]
    told_dissent: tuple[Cited, ...]  # Words of dissenters that a model chose, shown beside the members' own ballots.
    decisions: tuple[Decision, ...]
    # Questions that the minutes do not answer, figures without a source, and claims that nobody voted on.
    open: tuple[Cited, ...]
    risks: tuple[Cited, ...]
    minds: tuple[Condition, ...]
    helped: Helped
    run: Run
    stress: "Stress | None" = None  # What votes that were taken again show; None where none was.
    followed: DecisionFollowedUp | None = None  # What people wrote down after the decision.
    evidence: tuple[UsedEvidence, ...] = ()  # What members looked up and cite.
    # Places that members looked at and nobody cites, by the member.
    unused: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # What the programs of members asked leave for, and were refused.
    refused: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dropped: tuple[Cited, ...] = ()  # Citations of a model that the log does not hold.
    unproved: tuple[str, ...] = ()  # What the model chose, and the record does not bear out as what it was called.
    contradicted: tuple[tuple[RecordFact, ...], ...] = ()  # Why, for each in that order; empty in older sessions.
    line: str = ""  # The answer in a line that the model offers.
    by: str = ""  # The model that chose what is quoted; empty where the report is drawn from memory alone.

    @property
    def verdict(self) -> tuple[str, ...]:
        """All sentences on the verdict, the answer first."""
        return (self.answer, *self.rest)
