"""Facts about votes: polls, ballots, the verdict, and the baseline and report that follow a verdict."""

from collections import Counter
from collections.abc import Container, Iterable
from math import fsum
from typing import Final, Literal

from pydantic import Field

from eda.events.base import Event, RecordFact
from eda.events.outcome import Doubt, FlipsTo, Tie, Undecided, UndoubtedTo
from eda.events.records import Cited
from eda.panels.settings import Frozen
from eda.text import regex, shorten

__all__ = [
    "HALF",
    "NONE",
    "Adopted",
    "AnswerKind",
    "Ballot",
    "BallotCast",
    "BallotText",
    "BaselineTaken",
    "MemberAnswer",
    "Rank",
    "ReportWritten",
    "SingleAnswer",
    "StanceTaken",
    "VerdictReached",
    "flat",
    "ranks_of",
]

NONE: Final = "none"
"""The choice of a ballot that accepts none of the texts. It counts for the quorum; an abstention does not."""
HALF: Final = 5
"""The middle of the scores, 0 to 10: who gives a text more accepts it, and who gives the winner less dissents."""
AnswerKind = Literal["one", "list"]
"""What a question wants: one answer, with texts adopted beside it, or a list in which each motion stands for itself."""


class StanceTaken(Event, type="stance_taken"):
    """A member answered a poll in private. No context shows the answer; polls are counted from these facts."""

    who: str
    poll: int
    """Number of the poll, from 1."""
    choices: tuple[str, ...] = ()
    choice: str | None = None
    """One of the choices; None if the member holds none of them."""
    score: float | None = Field(default=None, ge=-1, le=1)
    """From -1 (against) to 1 (for); only where the poll is about a single proposal."""
    confidence: float | None = Field(default=None, ge=0, le=1)
    change_mind: str = ""
    """What would change the member's mind, in one sentence."""
    moved_by: int | None = None
    """Number of the message that moved the member to another choice than in its poll before, by its own word; None
    where it names none, or was not asked."""
    after: int = 0
    """Number of the last message that the member had heard."""
    invalid: bool = False
    """True if no answer could be read, or none came; see `missing`."""
    missing: bool = Field(default=False, exclude_if=lambda missing: not missing)
    """True if no answer came."""
    raw: tuple[str, ...] = Field(default=(), exclude_if=lambda tries: not tries)
    """The member's own words, those of each try, cut at a length that no honest answer has."""
    beliefs: dict[str, float] = Field(default={}, exclude_if=lambda beliefs: not beliefs)
    """The probability that the member gives each of the choices, in their order; they add up to 1. Empty where it was
    asked for its choice."""
    survey: bool = Field(default=False, exclude_if=lambda survey: not survey)
    """True for an answer to `Settings.poll`, which nothing in the debate depends on."""


class BallotText(Frozen):
    """One text that a ballot offers."""

    id: str
    """`o1` of an option, `p9.1` of a proposal, `yes` or `no`."""
    motion: str
    """Id of the root text of its motion."""
    text: str
    """Its whole words, by which the fields of a ballot name it."""
    into: str = ""
    """Id of the open text that joins it with others; empty where none does."""
    parts: tuple[str, ...] = ()
    """Ids of the texts that it, or a text that it amends, has joined. Empty in older sessions, which have `into`."""
    root: str = ""
    """Id of the root that it would have, had no text joined this with its motion; empty where it is the same."""
    title: str = ""
    by: str = ""
    lettered: bool = Field(default=False, exclude=True)  # whether its voter sees its letter; no fact has it

    @property
    def alternative(self) -> bool:
        """Whether it was given with the question, or rewords that: it can be the answer, and stands beside no other."""
        return regex(r"o\d+|yes|no").fullmatch(self.root or self.motion) is not None

    def takes_in(self, part: "BallotText") -> bool:
        """Return whether another text is a part of this one."""
        return part.id in self.parts or part.into == self.id


Rank = str | tuple[str, ...]
"""A text, or several that are tied."""


def ranks_of(ranks: Iterable[Rank], kept: Container[str] | None = None) -> tuple[Rank, ...]:
    """Return ranks with each text once, where it first stands; of `kept`, only those. A tie of one is a text."""
    seen, left = set[str](), list[Rank]()
    for rank in ranks:
        new = (each for each in flat([rank]) if each not in seen and (kept is None or each in kept))
        tied = tuple(dict.fromkeys(new))
        seen |= {*tied}
        if tied:
            left.append(tied if len(tied) > 1 else tied[0])
    return tuple(left)


def flat(ranks: Iterable[Rank]) -> tuple[str, ...]:
    """Return the texts of ranks, one after the other."""
    return tuple(each for rank in ranks for each in ((rank,) if isinstance(rank, str) else rank))


class Ballot(Frozen):
    """One vote. Its fields name texts by their words."""

    agent: str
    choice: str | None
    """The first choice; `none` where the voter accepts none of the texts; None for an abstention, for a ballot that
    only scores or blocks, and where several are tied as the best."""
    ranking: tuple[Rank, ...] = ()
    """The texts that the voter accepts, best first, each once; those that are tied in a list of their own."""
    also: tuple[str, ...] = ()
    """Texts to adopt beside the answer, whichever answer wins."""
    apart: tuple[tuple[str, ...], ...] = Field(default=(), exclude_if=lambda pairs: not pairs)
    """Pairs of texts of a list that cannot both stand, by the voter's word."""
    approved: tuple[str, ...] = ()
    """The texts that the voter accepts, in any order."""
    scores: dict[str, float] = {}
    """0 to 10 for each option."""
    blocked: tuple[str, ...] = ()
    """Options that the voter cannot live with."""
    withheld: tuple[str, ...] = ()
    """The voter's own proposals, where nobody votes on their own. The ballot says nothing about them."""
    moved_by: int | None = None
    """Number of the message that moved the voter, by its own word; None where it names none."""
    confidence: float | None = None
    """0 to 1."""
    reason: str = ""
    doubts: tuple[Doubt, ...] = ()
    """What of it could not be read, or speaks against it, after the voter was asked about that; it stands as it is."""
    invalid: bool = False
    """True if no answer could be read, or none came; see `missing`. It is no abstention, and counts for nothing."""
    missing: bool = Field(default=False, exclude_if=lambda missing: not missing)
    """True if no answer came."""
    raw: tuple[str, ...] = Field(default=(), exclude_if=lambda tries: not tries)
    """The voter's own words, those of each try, cut at a length that no honest answer has."""

    @property
    def firsts(self) -> tuple[str, ...]:
        """What it puts first, `none` too; several where it ranks them as equal, none where it ranks nothing."""
        return (self.choice,) if self.choice else flat(self.ranking[:1])

    @property
    def first_choice(self) -> str | None:
        """What it puts first, `none` too; None where it abstains, or names several as equal."""
        return self.firsts[0] if len(self.firsts) == 1 else None

    @property
    def came(self) -> Literal["voted", "unreadable", "missing"]:
        """Whether there is a ballot that could be read; an abstention is one."""
        return "missing" if self.missing else "unreadable" if self.invalid else "voted"

    @property
    def has_voted(self) -> bool:
        """Whether it names an option that it wants. One that only blocks is an abstention; its blocks count."""
        return not self.invalid and bool(self.choice or self.ranking or self.approved or self.scores)

    @property
    def ranked(self) -> tuple[str, ...]:
        """The texts that it ranks, best first, tied ones one after the other."""
        return tuple(text for text in (self.choice, *flat(self.ranking)) if text is not None and text != NONE)

    @property
    def accepted(self) -> tuple[str, ...]:
        """The texts that it accepts, ranked ones first; of one that only scores those above the middle."""
        if self.invalid or self.choice == NONE:
            return ()
        named = (*self.ranked, *self.approved) or tuple(text for text in self.scores if self.scores[text] > HALF)
        return tuple(dict.fromkeys(named))


class BallotCast(Event, type="ballot_cast"):
    """A member voted."""

    ballot: Ballot
    choices: tuple[str, ...]
    """The words of each text that the member could accept."""
    texts: tuple[BallotText, ...] = ()
    """The same texts with their ids and motions; empty before schema 5, where each choice stood for itself."""
    answer: AnswerKind = "one"
    first: bool = False
    """True for the private ballot before the first message, on what was given with the question."""
    again: bool = Field(default=False, exclude_if=lambda again: not again)
    """True for one that takes the place of the member's ballot in a count that is over: that one was lost."""


class Adopted(Frozen):
    """A motion that was adopted beside the answer, or as an item of a list."""

    motion: str
    """Id of its root."""
    id: str
    """Id of the text that was adopted; empty where the motion was, and no wording of it."""
    text: str
    """Whole words; those of the motion's root where no wording was accepted."""
    voters: tuple[str, ...]
    """Who accepted a text of it."""
    exact: tuple[str, ...] = ()
    """Who of them accepted the very text that was adopted; empty where none was, and in older sessions."""
    of: int
    """Votes cast, those for none included."""
    tie: Tie | None = Field(default=None, exclude_if=lambda tie: tie is None)
    """How lots decided between its wordings, by their ids; None where they did not, and in older sessions."""


class VerdictReached(Event, type="verdict_reached", context="begins anew"):
    """The panel's result, the rule that produced it, and who disagreed.

    Where motions had several texts, `tally`, `figures` and `order` have one entry a motion, under the words of the text
    that stands for it: the one decided, else the one that most ballots put first.
    """

    rule: str
    answer: AnswerKind = "one"
    outcome: str | tuple[str, ...] | None
    """The whole words of what won; of a list, of all that was adopted, best first; None if nothing was decided."""
    motion: str = ""
    """Id of the root of the motion that won; empty in a list, without a winner, and in sessions before schema 5."""
    version: str = ""
    """Id of the text that won; empty where the motion won and no wording of it was accepted."""
    text: str = ""
    """The words of that text; empty as `version` is."""
    adopted: tuple[Adopted, ...] = ()
    """What was adopted beside the answer; of a list all that was adopted, in the order of `outcome`."""
    apart: tuple[tuple[str, ...], ...] = Field(default=(), exclude_if=lambda pairs: not pairs)
    """Of a list: ids of two texts that were both adopted and, by the ballot of the third, cannot both stand."""
    offered: tuple[BallotText, ...] = ()
    """What the ballot offered; a verdict settles nothing else. Empty in sessions before schema 5 and of polls."""
    accepted: dict[str, tuple[str, ...]] = {}
    """By the id of each text that was offered, who accepted it."""
    firsts: dict[str, tuple[str, ...]] = {}
    """By the id of each text that was offered, who put it first; empty in older sessions."""
    also: dict[str, tuple[str, ...]] = {}
    """By the id of each other motion than the one that won, and of each text that was joined with the one that won in
    a text that lost, who adopts it beside the answer; without those of nobody."""
    doubted: tuple[str, ...] = ()
    """Who accepts the text that won with a reason that refuses it, also after being asked about that."""
    undoubted: str = ""
    """The id of another text that the rule gives without these acceptances; empty where there is none."""
    undoubted_to: UndoubtedTo = ""
    """What the rule gives without them where that is no text."""
    rival: str = ""
    """Id of a text that more ballots prefer to the one that won, one against one; empty if there is none."""
    note: Undecided | None = None
    """Why no choice won, for another reason than a missing majority: no quorum, no choices, `none` won."""
    tally: dict[str, tuple[str, ...]]
    """The voters of each choice; under `none` who accepted none of them."""
    abstained: tuple[str, ...] = ()
    """Who abstained; in older sessions also who gave no ballot that could be read."""
    unreadable: tuple[str, ...] = Field(default=(), exclude_if=lambda who: not who)
    """Whose ballots could not be read."""
    missing: tuple[str, ...] = Field(default=(), exclude_if=lambda who: not who)
    """Of whom no ballot came."""
    open_to: tuple[str, ...] = Field(default=(), exclude_if=lambda outcomes: not outcomes)
    """What unreadable and missing ballots could still make of the outcome: ids of what would win, or be adopted of a
    list, `no wording`, `no verdict`; see `eda.voting.open_to`. Empty where they change nothing."""
    dissent: tuple[Ballot, ...] = ()
    """The ballots for another choice than the outcome."""
    evidence: tuple[int, ...] = ()
    """Numbers of the messages that the outcome rests on, as in `behind`."""
    figures: dict[str, float] = {}
    """The figure of each option under the rule."""
    order: tuple[str, ...] = ()
    """All options, best first, if the rule ranks them."""
    margin: float | None = None
    """The lead of the outcome's figure over the next one; None if nothing won."""
    flips: int | None = None
    """The fewest ballots whose change would give another outcome, no winner too; None where that is not known."""
    flips_to: FlipsTo = ""
    """What that change gives; empty where it is not known."""
    tie: Tie | None = None
    """How a tie was broken; None where there was none."""
    wording_tie: Tie | None = Field(default=None, exclude_if=lambda tie: tie is None)
    """How lots decided between wordings of what won, by their ids; None where they did not, and in older sessions."""
    blocked: dict[str, tuple[str, ...]] = {}
    """For each blocked option, who cannot live with it."""
    behind: dict[str, tuple[int, ...]] = {}
    """For each text in the tally, the messages that made it and its sources, support it, or moved its voters."""
    before: dict[str, tuple[str, ...]] = {}
    """The holders of each option in the first poll, if a poll was taken before the vote that was counted."""
    quorum: float = 0.5
    """More than this share of the members (0 to 1) had to vote."""
    judge: str = ""
    """Who decided, if the rule is `judge`."""

    @property
    def ties(self) -> tuple[Tie, ...]:
        """How lots decided: between motions, between wordings of the one that won, and of each that was adopted."""
        return tuple(tie for tie in (self.tie, self.wording_tie, *(each.tie for each in self.adopted)) if tie)

    @property
    def won(self) -> tuple[str, ...]:
        """The whole words of what won; of a list, of all that was adopted; empty if nothing was decided."""
        return (self.outcome,) if isinstance(self.outcome, str) else self.outcome or ()

    def votes(self, choice: str) -> float:
        """Return the votes of a choice, in a list its voters: a ballot that ties several gives each an equal share."""
        places = Counter(who for voters in self.tally.values() for who in voters if self.answer == "one")
        return round(fsum(1 / max(1, places[who]) for who in self.tally.get(choice, ())), 9)

    @property
    def cast(self) -> int:
        """The number of votes cast, those for none included."""
        return len({who for several in (*self.tally.values(), *self.accepted.values()) for who in several})

    def __repr__(self) -> str:
        return f"<VerdictReached {self.in_brief()}>"

    def in_brief(self) -> str:
        """Return what was decided and by how many votes, on one line: `'Wait', 4 of 5 votes, majority`."""
        if self.outcome is None:
            return f"no verdict{f': {self.note.words or self.note.why}' if self.note else ''}, {self.rule}"
        if not isinstance(self.outcome, str):
            return f"{len(self.outcome)} adopted, {self.rule}"
        cast = len({*self.abstained, *self.unreadable, *self.missing}.union(*self.tally.values()))
        return f"{shorten(self.outcome, 60)!r}, {self.votes(self.outcome):g} of {cast} votes, {self.rule}"


class SingleAnswer(Frozen):
    """One answer of the speakers' model to the question alone."""

    text: str
    choice: str | None
    """The choice that the answer takes; None if it could not be read."""


class MemberAnswer(SingleAnswer):
    """What a member answered that was asked alone and heard nobody."""

    who: str


class BaselineTaken(Event, type="baseline_taken", beside=True):
    """The question was answered without a debate: the control of a study, or what older sessions asked for."""

    choices: tuple[str, ...]
    answers: tuple[SingleAnswer, ...]
    outcome: str | None
    """The choice of most answers; None if two choices are level or no answer could be read."""
    tokens: int = 0
    """Tokens of all answers, in and out."""
    reasked: tuple[MemberAnswer, ...] = Field(default=(), exclude_if=lambda answers: not answers)
    """The members asked alone, and then asked again: two answers of each, unless a call failed."""
    reasked_outcome: str | None = Field(default=None, exclude_if=lambda outcome: outcome is None)
    """The choice of most of their last answers; None as for `outcome`, and where they were not asked."""


class ReportWritten(Event, type="report_written", beside=True):
    """A model chose what the report quotes. Each quote was checked against the message it cites."""

    verdict: str = Field(default="", exclude_if=lambda words: not words)
    """In older sessions: sentences of the model on the verdict, which nobody could check; no report shows them."""
    line: str = Field(default="", exclude_if=lambda line: not line)
    """The answer in at most twelve words, with no name or figure that the texts decided lack; empty without one."""
    unproved: tuple[str, ...] = ()
    """Quotations that were left out: of who is no dissenter, and of a claim that a member denied."""
    contradicted: tuple[tuple[RecordFact, ...], ...] = Field(default=(), exclude_if=lambda facts: not facts)
    """Why, for each in that order; empty in older sessions."""
    lacking: tuple[str, ...] = Field(default=(), exclude_if=lambda words: not words)
    """In older sessions: what the record lacks of each, in that order."""
    reasons: tuple[Cited, ...] = ()
    dissent: tuple[Cited, ...] = ()
    risks: tuple[Cited, ...] = ()
    open: tuple[Cited, ...] = ()
    dropped: tuple[Cited, ...] = ()
    """Quotations that were left out because the cited message does not contain them."""
    by: str = ""
    """The model."""
