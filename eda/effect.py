"""Did talking help? What the panel held before it talked, beside what it came to. No call is made for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from eda.events import Ballot, BaselineTaken, VerdictReached
from eda.memory import ConversationMemory
from eda.memory.judge import ahead
from eda.memory.polls import OpeningBasis, direction, held_on
from eda.progress import Progress
from eda.records import StanceChange
from eda.spent import Spent
from eda.verdict import last_votes, rule_of
from eda.voting import ballot_choices, counts_of, rule_named, verdict
from eda.voting.outcome import has_voted

__all__ = ["Helped", "Share", "gini", "helped"]


@dataclass(frozen=True, slots=True)
class Share:
    """How much a member said."""

    who: str
    messages: int
    words: int
    share: float
    """Of all words, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Helped:
    """What the talk changed, and what it took."""

    basis: OpeningBasis
    several: bool
    """Whether no opening could count as a vote: the choices are the panel's own, and each could be for any of them."""
    members: int
    opening: Mapping[str, str | None]
    """Where each stood then, as far as it is known; None: it held none of the choices."""
    closing: Mapping[str, str | None]
    """Where each stood when it was last asked in private, as far as it is known; None: it held none of the choices."""
    known: int
    """Members of whom it is known where they stood before the talk, or how they voted: some put several level."""
    rule: str
    """By which openings and last stances were counted: majority, where single stances do not feed the rule."""
    before: str | None
    """What the rule makes of the openings; None where nothing would have won, or too few are known."""
    before_by_lot: bool
    """Whether a lot alone made it that: several were level."""
    before_note: str
    """Why nothing would have won."""
    after: str | None
    """What that rule makes of the last stances: the outcome, where it is the rule that decided; None: nothing won."""
    outcome: str | None
    """What the panel came to; None where nothing won."""
    same_rule: bool
    """Whether it is the rule that decided."""
    changed: bool | None
    """Whether the talk changed the outcome; None where that is not known: too few openings or votes, or level ones."""
    voted: int
    """Members who said what they want when asked last."""
    compared: int
    """Members of whom both stances are known, that before the talk and the last one."""
    moved: tuple[StanceChange, ...]
    """Those of them who stand elsewhere: from their first stance to their last, with what came before the last step."""
    shares: tuple[Share, ...]
    """The most words first."""
    gini: float
    """Of the words, 0 (all said as much) to 1 - 1/n (one said everything)."""
    apart: tuple[str, ...]
    """Who, of those asked last, does not hold the outcome; where nothing won, what most hold: all, where most hold
    nothing in common."""
    asked: int
    calls: int
    tokens: int
    cost: float
    """US dollars, of the calls whose price is known."""
    unpriced_calls: int
    baseline: BaselineTaken | None = None
    """The same question without a debate, where it was asked for."""
    baseline_due: bool = False
    """Whether it was asked for, and is not there."""
    for_baseline: Spent = field(default_factory=Spent)
    """What its calls took, in all rounds, those that came to nothing too: beside the figures of the debate."""

    @property
    def left(self) -> float | None:
        """Disagreement left: the share of those asked last who stand apart."""
        return len(self.apart) / self.asked if self.asked else None


def helped(progress: Progress, memory: ConversationMemory) -> Helped | None:
    """What the talk changed in a debate that has a verdict; None in one that has none."""
    reached = progress.verdict
    if reached is None:
        return None
    choices = tuple(reached.tally)
    basis, opening = memory.opening_stances(choices)
    several = counts_of(reached.rule) in ("approvals", "scores") and not set(choices) & set(_given(progress))
    if several:
        opening = {}
    opening = {who: choice for who, choice in opening.items() if who in progress.members}
    first = [ballot for who, ballot in memory.parts.polls.first_ballots.items() if who in progress.members]
    first = first if basis == "ballot" else _as_ballots(opening)
    then = _counted(progress, memory, first, choices)
    same = then.rule == reached.rule
    now = reached.outcome if same else _counted(progress, memory, _as_ballots(memory.last_stances), choices).outcome
    last = last_votes(progress)
    voted = sum(map(has_voted, last))
    quorum = progress.settings.quorum
    quorate = len(first) > quorum * len(progress.members) and voted > quorum * len(last)
    compared = {who: now for who, now in memory.last_stances.items() if who in opening}
    shares = _shares(progress, memory)
    return Helped(
        basis=basis if first else "none",
        several=several,
        members=len(progress.members),
        opening=opening,
        closing=memory.last_stances,
        known=len(first),
        rule=then.rule,
        before=then.outcome,
        before_by_lot=bool(then.tie),
        before_note=then.note,
        after=now,
        outcome=reached.outcome,
        same_rule=same,
        changed=then.outcome != now if quorate and not then.tie else None,
        voted=voted,
        compared=len(compared),
        moved=tuple(_moved(memory, opening, who, now) for who, now in compared.items() if now != opening[who]),
        shares=shares,
        gini=gini([share.words for share in shares]),
        apart=_apart(last, reached),
        asked=len(last),
        calls=progress.spent.calls,
        tokens=progress.spent.tokens,
        cost=progress.spent.cost,
        unpriced_calls=progress.spent.unpriced_calls,
        baseline=progress.baseline,
        baseline_due=progress.baseline_due,
        for_baseline=progress.by_purpose.get("baseline", Spent()),
    )


def gini(amounts: Sequence[float]) -> float:
    """How unequal amounts are: half their mean difference over their mean (C. Gini, 1912); 0 where there is nothing."""
    total = sum(amounts)
    if not total:
        return 0.0
    differences = sum(abs(one - other) for one in amounts for other in amounts)
    return differences / (2 * len(amounts) * total)


def _as_ballots(held: Mapping[str, str | None]) -> list[Ballot]:
    """Stances as votes, for rules that take approvals too."""
    return [
        Ballot(agent=who, choice=choice, ranking=(choice,) if choice else (), approved=(choice,) if choice else ())
        for who, choice in held.items()
    ]


def _counted(
    progress: Progress, memory: ConversationMemory, ballots: Sequence[Ballot], choices: Sequence[str]
) -> VerdictReached:
    """What the rule makes of such votes; by majority where it needs more than one choice of each."""
    settings, decided = progress.settings, rule_of(progress)
    return verdict(
        ballots,
        choices,
        decided if not rule_named(decided).missing(ballots, settings.judge) else "majority",
        quorum=settings.quorum,
        seed=progress.seed,
        members=progress.members,
        agents=memory.agents,
        judge=settings.judge,
    )


def _moved(memory: ConversationMemory, opening: Mapping[str, str | None], who: str, now: str | None) -> StanceChange:
    way = direction(opening.values(), opening[who], now)
    own = [change for change in memory.stance_changes if change.who == who]
    if not own:  # what there was to choose from was another at each step
        return StanceChange(who, None, opening[who], now, 0, "", "", way)
    return replace(own[-1], before=opening[who], after=now, direction=way)


def _shares(progress: Progress, memory: ConversationMemory) -> tuple[Share, ...]:
    agents = memory.agents
    words = {who: agents[who].word_count if who in agents else 0 for who in dict.fromkeys((*progress.members, *agents))}
    total = sum(words.values()) or 1
    shares = (
        Share(who, agents[who].message_count if who in agents else 0, count, count / total)
        for who, count in words.items()
    )
    return tuple(sorted(shares, key=lambda share: -share.words))


def _given(progress: Progress) -> tuple[str, ...]:
    """What could be chosen before anybody spoke."""
    started = progress.started
    return ballot_choices(started.question, started.options, (), keep_discussing=False) if started else ()


def _apart(last: Sequence[Ballot], reached: VerdictReached) -> tuple[str, ...]:
    """Who does not put first what won, or did not approve it, or gave another choice a higher score."""
    on = reached.outcome if reached.outcome is not None else _held_by_most(last)
    last = [ballot for ballot in last if on not in ballot.withheld]
    match counts_of(reached.rule):
        case "approvals":
            return tuple(ballot.agent for ballot in last if on not in ballot.approved)
        case "scores":
            tops = {ballot.agent: max(ballot.scores.values(), default=0.0) for ballot in last}
            return tuple(b.agent for b in last if b.invalid or on not in b.scores or b.scores[on] < tops[b.agent])
        case _:
            return tuple(b.agent for b in last if b.invalid or held_on(b) != on)


def _held_by_most(last: Sequence[Ballot]) -> str:
    """Empty where nobody holds anything, or two are level."""
    counts = Counter(held for ballot in last if not ballot.invalid and (held := held_on(ballot)) is not None)
    return ahead(counts) or ""
