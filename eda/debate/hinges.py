"""Says what a verdict hinges on: its changes in runs with one thing changed, beside those with nothing changed.

The plan has two stages. Each arm first has `first_runs`; those that changed the answer more often than the control by
`NEAR` go on to all runs. An arm can only stop early for want of an effect, and is tested once, with all its runs, so
the plan cannot raise the rate of errors. Each interval is wide enough that all of them together hold the truth with
95 %, however many arms were tried (Šidák 1967).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import count, takewhile
from math import ceil, sqrt
from statistics import NormalDist
from typing import Any, Literal, NamedTuple, get_args

from eda.debate.arms import Arm, outcome_of
from eda.debate.state import DebateState
from eda.debate.verdict import counted_members, last_vote, rule_of, verdict_of
from eda.events import BallotCast, VoteTried, trials
from eda.memory import ConversationMemory
from eda.voting import compare, counts_of, tally

CONTROLS = 2
"""Unaltered runs for each run of an arm: all arms are compared with the same ones."""
NEAR = 0.2
"""Difference after the first stage from which an arm goes on; at the end, one that would not matter."""
_CONFIDENCE = 0.95

Changed = Sequence[bool]
"""By run whether it came to another answer than the session."""
Finding = Literal["hinges", "may", "unseen", "shown"]
"""`may`: its interval by itself leaves 0 out; `shown`: it changes the answer by less than `NEAR`, or not at all."""


class Share(NamedTuple):
    """How many runs came to another answer."""

    changed: int
    of: int


@dataclass(frozen=True, slots=True)
class Compared:
    """An arm beside the control."""

    estimate: float  # The arm's share of changed answers minus the control's.
    low: float
    high: float
    finding: Finding


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one change."""

    arm: Arm
    share: Share  # Runs with another outcome than the verdict.
    control: Share  # The same of runs from the same message on in which nothing was changed.
    beside: Compared | None  # What the shares differ by; None where one of them has no run.
    became: tuple[str, ...]  # The most frequent other outcome, as `VoteTried.outcome`.
    moved: Mapping[str, Share]
    """By member, in how many runs of the last vote its first choice was another than in the session."""
    swayed: tuple[str, ...]
    """Those of them who differ from the control, corrected for all members and all that was tried."""
    read: VoteTried  # The run that shows it best: the first with that outcome, else the first.

    @property
    def hinges(self) -> bool:
        """Whether the verdict hinges on it, corrected for all that was tried."""
        return self.beside is not None and self.beside.finding == "hinges"

    def data(self) -> dict[str, Any]:
        """Return the trial in plain JSON types."""
        return {
            **self.arm.data(),
            **self.share._asdict(),
            **(asdict(self.beside) if self.beside else {}),
            "hinges": self.hinges,
            "became": [*self.became],
            "control": self.control._asdict(),
            "moved": {who: share._asdict() for who, share in self.moved.items()},
            "read": {
                "run": self.read.run,
                "session": self.read.session,
                "ballots": [each.model_dump() for each in self.read.ballots],
            },
        }


@dataclass(frozen=True, slots=True)
class Free:
    """What the ballots tell without a call."""

    kind: Literal["rule", "without", "ballots", "quorum", "unread"]
    what: str
    """The rule; who is left out; how many ballots would have to change; how many could lack before there is no quorum;
    what unreadable ballots could make of it."""
    outcome: tuple[str, ...] = ()
    changes: bool = False


@dataclass(frozen=True, slots=True)
class Stress:
    """What a verdict hinges on, as far as it was tried."""

    control: Share
    """Runs with another outcome among all those in which nothing was changed."""
    arms: tuple[Trial, ...]
    free: tuple[Free, ...]
    left: tuple[Arm, ...]
    """What was not tried."""
    cost: float | None
    """US dollars; None where a price is not known."""
    calls: int
    paused: bool = False
    """Whether the budget had no room for another run."""

    def data(self) -> dict[str, Any]:
        """Return it in plain JSON types."""
        return {
            "control": self.control._asdict(),
            "arms": [each.data() for each in self.arms],
            "free": [asdict(each) for each in self.free],
            "not_tried": [each.data() for each in self.left],
            "calls": self.calls,
            "cost": self.cost,
            "paused": self.paused,
        }


def first_runs(runs: int) -> int:
    """Return how many runs an arm has in the first stage of a plan with so many in all."""
    return min(runs, max(4, ceil(0.3 * runs)))


def wanted(control: Changed, arm: Changed, runs: int) -> int:
    """Return how many runs an arm is to have in all, by the results of the first stage alone.

    Later results do not count, so a plan that is taken up again after a stop goes on as it would have gone on.
    """
    first = first_runs(runs)
    unaltered = control[: CONTROLS * first]
    if len(arm) < first or len(unaltered) < CONTROLS * first:
        return first
    return runs if sum(arm[:first]) / first - sum(unaltered) / len(unaltered) >= NEAR - 1e-9 else first


def compared(control: Share, arm: Share, tried: int) -> Compared:
    """Return the difference of the shares with Newcombe's interval (1998, method 10), corrected for the number tried.

    Args:
        control: The unaltered runs, one at least.
        arm: The altered runs, one at least.
        tried: The number of arms that are compared with that control.
    """
    estimate, low, high = _difference(control, arm, tried)
    alone = _difference(control, arm, 1)[1]
    finding: Finding = "hinges" if low > 0 else "may" if alone > 0 else "shown" if high < NEAR else "unseen"
    return Compared(round(estimate, 6), round(low, 6), round(high, 6), finding)


def interval(share: Share, tried: int = 1) -> tuple[float, float]:
    """Return Wilson's interval of a share, corrected for the number of shares; 0 to 1 where nothing was run."""
    if not share.of:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + _CONFIDENCE ** (1 / tried)) / 2)
    rate, weight = share.changed / share.of, z * z / share.of
    middle, reach = rate + weight / 2, sqrt(weight * (rate * (1 - rate) + weight / 4))
    return max(0.0, (middle - reach) / (1 + weight)), min(1.0, (middle + reach) / (1 + weight))


def _difference(control: Share, arm: Share, tried: int) -> tuple[float, float, float]:
    (low, high), (least, most) = interval(control, tried), interval(arm, tried)
    here, there = arm.changed / arm.of, control.changed / control.of
    down, up = sqrt((here - least) ** 2 + (high - there) ** 2), sqrt((most - here) ** 2 + (there - low) ** 2)
    return here - there, here - there - down, here - there + up


def free_answers(progress: DebateState, memory: ConversationMemory) -> tuple[Free, ...]:
    """Return what each rule, each ballot left out and each unreadable ballot would make of the outcome."""
    reached, account = progress.verdict, last_vote(progress)
    assert reached is not None
    was, casts, quorum = outcome_of(reached), progress.ballots, progress.settings.quorum
    asked, judge = counts_of(rule_of(progress)) == "blocks", progress.settings.judge
    motions = {text.id: text.motion for text in account.texts}
    rows = []
    for each in compare(account, progress.seed, judge=judge, blocks_asked=asked).tallies:
        won = (each.winner,) if isinstance(each.winner, str) else each.winner or ()
        ids = tuple(sorted(motions.get(name, name) for name in won if name != "none"))
        rows += [] if each.missing else [Free("rule", each.rule, ids, ids != was)]
    for cast in casts:
        others = replace(progress, ballots=[each for each in casts if each is not cast])
        left = outcome_of(verdict_of(others, memory))
        rows.append(Free("without", cast.ballot.agent, left, left != was))
    changes = tally(rule_of(progress), account, progress.seed, judge=judge or "").changes
    rows += [] if changes is None else [Free("ballots", str(changes))]
    spare = len(account.who("voted")) - int(quorum * len(counted_members(progress, account))) - 1
    rows += [Free("quorum", str(spare))] if spare >= 0 else []
    return (*rows, *(Free("unread", each, (each,), changes=True) for each in reached.open_to))


def first_of(cast: BallotCast) -> str | None:
    """Return the id of the text that a ballot puts first; `none`, or None, as `Ballot.first_choice`."""
    first = cast.ballot.first_choice
    return next((text.id for text in cast.texts if text.text == first), first)


def tried_of(progress: DebateState) -> list[VoteTried]:
    """Return the votes that were tried of the verdict that stands."""
    verdict = progress.verdict.seq if progress.verdict else 0
    return [fact for fact in progress.tried if fact.verdict == verdict]


def stress_of(progress: DebateState, memory: ConversationMemory, arms: Sequence[Arm] = ()) -> Stress:
    """Return what the runs show; `arms` is all that was to be tried."""
    tried, kinds = tried_of(progress), get_args(trials.Changed)
    found = dict.fromkeys(
        Arm(fact.changed, fact.what, fact.places, fact.kept) for fact in tried if fact.changed != "nothing"
    )
    # Runs side by side end in any order.
    known = sorted(found, key=lambda arm: (kinds.index(arm.kind), arm.places, arm.what))
    keys = [arm.key for arm in known]
    unchanged = [fact for fact in tried if fact.changed == "nothing" and fact.outcome is not None]
    was = outcome_of(progress.verdict) if progress.verdict else ()
    return Stress(
        Share(sum(fact.outcome != was for fact in unchanged), len(unchanged)),
        tuple(_trial(tried, arm, progress, len(known)) for arm in known),
        free_answers(progress, memory),
        tuple(arm for arm in arms if arm.key not in keys),
        None if any(fact.cost is None for fact in tried) else sum(fact.cost or 0.0 for fact in tried),
        sum(fact.calls for fact in tried),
    )


def _trial(tried: Sequence[VoteTried], arm: Arm, progress: DebateState, arms: int) -> Trial:
    was = outcome_of(progress.verdict) if progress.verdict else ()
    share, control = (
        Share(sum(changes), len(changes))
        for changes in (changes_of(tried, each, was) for each in (arm, Arm("nothing", at=arm.at)))
    )
    own = sorted(_runs(tried, arm), key=lambda fact: fact.run)
    others = Counter(fact.outcome for fact in own if fact.outcome is not None and fact.outcome != was)
    became = others.most_common(1)[0][0] if others else ()
    read = next((fact for fact in own if others and fact.outcome == became), own[0])
    beside = compared(control, share, arms) if control.of and share.of else None
    votes = {cast.ballot.agent: first_of(cast) for cast in progress.ballots}
    moved, usual = (_moved(_runs(tried, each), votes) for each in (arm, Arm("nothing", at=arm.at)))
    both = [who for who in moved if who in usual]
    swayed = (who for who in both if compared(usual[who], moved[who], arms * len(both)).finding == "hinges")
    return Trial(arm, share, control, beside, became, moved, tuple(swayed), read)


def _moved(runs: Sequence[VoteTried], votes: Mapping[str, str | None]) -> dict[str, Share]:
    """Return by member in how many runs its first choice was another than in `votes`."""
    again = [ballot for fact in runs for ballot in fact.ballots]
    moved = Counter(ballot.who for ballot in again if ballot.choice != votes.get(ballot.who))
    return {who: Share(moved[who], of) for who, of in Counter(ballot.who for ballot in again).items()}


def changes_of(tried: Sequence[VoteTried], arm: Arm, was: tuple[str, ...]) -> list[bool]:
    """Return by run whether it came to another outcome, up to the first that lacks; one that failed says nothing."""
    runs = {fact.run: fact.outcome for fact in _runs(tried, arm)}
    return [runs[number] != was for number in takewhile(runs.__contains__, count(1)) if runs[number] is not None]


def _runs(tried: Sequence[VoteTried], arm: Arm) -> list[VoteTried]:
    return [fact for fact in tried if (fact.changed, fact.what, fact.kept) == arm.key]
