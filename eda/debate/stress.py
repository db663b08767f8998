"""What a verdict hinges on: the last vote, taken again with one thing changed, beside votes with nothing changed.

Members are asked as they were at the vote, in the same words but for one sentence of the moderator. Each vote is a fact
of the session, so a run that was cut goes on where it stopped. Nothing of it counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from eda.debate.asking import side_by_side
from eda.debate.hinges import CONTROLS, Compared, Share, compared, first_runs, wanted
from eda.debate.listener import AgentListener
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.replay import publisher, read_back
from eda.debate.revote import at_the_vote, voted
from eda.debate.seating import RunnerPerSeat
from eda.debate.state import DebateState
from eda.debate.validation import session_runner
from eda.debate.verdict import last_vote, rule_of, verdict_of
from eda.errors import UsageError
from eda.events import BallotCast, CallMade, Changed, VerdictReached, VoteTried
from eda.memory import ConversationMemory
from eda.runners.protocol import OnText, Prompt, Reply, Runner
from eda.runners.server import under
from eda.runners.shipped import close_runner, given_runner
from eda.session import Session
from eda.text import quoted
from eda.voting import compare, counts_of, tally

Only = Literal["", "premises", "terms", "orders"]
_KINDS: dict[Only, tuple[Changed, ...]] = {
    "": ("premise", "terms", "order"), "premises": ("premise",), "terms": ("terms",), "orders": ("order",),
}  # fmt: skip
_TOLD = {
    "nothing": "Nothing has changed.",
    "order": "Nothing has changed.",
    "premise": "Treat this as not known, wherever it was said, and count on it no more: {what}",
    "terms": "Suppose that this is settled: {what}",
}


@dataclass(frozen=True, slots=True)
class Arm:
    """One thing that is changed."""

    changed: Changed
    what: str = ""
    where: tuple[int, ...] = ()
    """The messages that have it."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one change."""

    arm: Arm
    share: Share
    """Votes with another outcome than the verdict."""
    beside: Compared | None = None
    """What that share differs by from that of votes in which nothing was changed; None without any."""
    became: tuple[str, ...] = ()
    """The most frequent other outcome, as ids of motions."""

    @property
    def hinges(self) -> bool:
        """Whether the verdict hinges on it, corrected for all that was tried."""
        return self.beside is not None and self.beside.finding == "hinges"


@dataclass(frozen=True, slots=True)
class Free:
    """What the ballots tell without a call."""

    kind: Literal["rule", "without", "ballots", "unread"]
    what: str
    """The rule; who is left out; how many ballots would have to change; what unreadable ballots could make of it."""
    outcome: tuple[str, ...] = ()
    changes: bool = False


@dataclass(frozen=True, slots=True)
class Stress:
    """What a verdict hinges on, as far as it was tried."""

    control: Share
    """Votes with another outcome among those in which nothing was changed."""
    arms: tuple[Trial, ...]
    free: tuple[Free, ...]
    left: tuple[Arm, ...]
    """What was not tried, or not to the end."""
    cost: float | None
    calls: int


def arms_of(memory: ConversationMemory, progress: DebateState, premises: Iterable[str], only: Only = "") -> list[Arm]:
    """Return what could matter: the premises given, what messages behind the verdict cite or take for granted, wishes.

    Wishes are what members named, when they were asked, as what would bring them in.
    """
    reached = progress.verdict
    behind = {*reached.evidence} if reached else set[int]()
    arms = [Arm("premise", text, tuple(hit.message_id for hit in memory.recall(text, 3))) for text in premises]
    arms += [Arm("premise", each.text, (each.message,)) for each in memory.questions if each.unsourced]
    arms += [
        Arm("premise", f"{each.source}: {each.text}", each.messages)
        for each in memory.parts.evidence.used
        if behind & {*each.messages}
    ]
    arms += [Arm("terms", each.change, (each.after,)) for each in progress.terms if each.change]
    arms += [Arm("order")] if reached and len(reached.offered) > 1 else []
    return [arm for arm in dict.fromkeys(arms) if arm.changed in _KINDS[only]]


def free_answers(progress: DebateState, memory: ConversationMemory) -> tuple[Free, ...]:
    """Return what each rule, each ballot left out and each unreadable ballot would make of the outcome."""
    reached, account = progress.verdict, last_vote(progress)
    if reached is None:
        return ()
    was, casts = outcome_of(reached), progress.ballots
    asked, judge = counts_of(rule_of(progress)) == "blocks", progress.settings.judge
    rows = [
        Free("rule", each.rule, won, won != was)
        for each in compare(account, progress.seed, judge=judge, blocks_asked=asked).tallies
        if not each.missing
        for won in [_motions(each.winner, account.texts)]
    ]
    for cast in casts:
        progress.ballots = [each for each in casts if each is not cast]
        won = outcome_of(verdict_of(progress, memory))
        rows.append(Free("without", cast.ballot.agent, won, won != was))
    progress.ballots = casts
    changes = tally(rule_of(progress), account, progress.seed, judge=judge or "").changes
    rows += [] if changes is None else [Free("ballots", str(changes))]
    return (*rows, *(Free("unread", each, (each,), changes=True) for each in reached.open_to))


def outcome_of(reached: VerdictReached) -> tuple[str, ...]:
    """Return the motions that won or were adopted, by id: another wording of the same one is no other outcome."""
    if isinstance(reached.outcome, tuple):
        return tuple(sorted(each.motion or each.id for each in reached.adopted))
    return (reached.motion or reached.outcome,) if reached.outcome else ()


def _motions(winner: str | tuple[str, ...] | None, texts: Sequence[object]) -> tuple[str, ...]:
    motions = {getattr(text, "id", ""): getattr(text, "motion", "") for text in texts}
    won = (winner,) if isinstance(winner, str) else winner or ()
    return tuple(sorted(motions.get(each, each) for each in won if each != "none"))


class _Told:
    """A runner that is told one sentence before the ballot."""

    summarises = False

    def __init__(self, runner: Runner, words: str) -> None:
        self._runner, self._words = runner, words

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        runner = self._runner.of(prompt.agent) if isinstance(self._runner, RunnerPerSeat) else self._runner
        own = f"{self._words}\n\n{prompt.own}"
        return await runner.run(replace(prompt, own=own), on_text)


async def stress(
    session: Session,
    runner: Runner | str | None = None,
    *,
    premises: Iterable[str] = (),
    only: Only = "",
    runs: int = 10,
    budget: float | None = None,
    tell: Callable[[VoteTried], None] = lambda _: None,
) -> Stress:
    """Take the last vote of a session again, `runs` times for each thing that could matter and `runs` times unchanged.

    Each has some of its votes first; the rest only where enough of these changed: `eda.debate.hinges` has the plan.

    Args:
        session: open for writing, with a verdict by ballots.
        runner: None for the one that the session was run with.
        premises: of the user's own, beside those found.
        only: one kind of change.
        runs: votes with each change, from 4; twice as many with nothing changed.
        budget: US dollars after which no further vote is taken.
        tell: called with each vote that was taken.

    Raises:
        UsageError: no verdict by ballots stands, or all who voted are persons.
        RunnerUnavailableError: no call will succeed; what was tried is kept.
    """
    session.log.append((), durable=False)  # refused where it is open for reading only, before a call is paid for
    progress, memory = read_back(session)
    arms = [Arm("nothing"), *arms_of(memory, progress, premises, only)]
    if progress.verdict is None or not progress.ballots:
        raise UsageError(f"session {session.typed} has no verdict by ballots", hint=f"eda show {session.typed}")
    if all(progress.is_person(cast.ballot.agent) for cast in progress.ballots):
        raise UsageError("only persons have voted, and they are not asked again")
    publish, then = publisher(session, progress, memory), at_the_vote(session, progress)
    chosen = session_runner(session) if runner is None else given_runner(runner)
    try:
        with under(lambda: progress.settings):
            for arm, run in _schedule(progress, arms, runs):
                spent = tried_of(progress)
                if budget is not None and spent and _cost(spent) * (len(spent) + 1) / len(spent) > budget:
                    break
                fact = await _once(then, chosen, arm, run, progress.verdict.seq)
                publish(fact)
                tell(fact)
    finally:
        if chosen is not runner:
            await close_runner(chosen)
    return stress_of(progress, memory, arms[1:])


def _schedule(progress: DebateState, arms: Sequence[Arm], runs: int) -> Iterator[tuple[Arm, int]]:
    """Yield what to try next: some votes of each, then the rest where an effect may be."""
    control, *others = arms

    def missing(arm: Arm, until: int) -> Iterator[tuple[Arm, int]]:
        return ((arm, number) for number in range(len(_changes(progress, arm)) + 1, until + 1))

    first = first_runs(runs)
    for number in range(1, first + 1):
        yield from missing(control, CONTROLS * number)
        for arm in others:
            yield from missing(arm, number)
    unaltered = _changes(progress, control)
    near = [arm for arm in others if wanted(unaltered, _changes(progress, arm), runs) == runs]
    yield from missing(control, CONTROLS * runs if near else 0)
    for arm in near:
        yield from missing(arm, runs)


async def _once(then: PromptBuilder, runner: Runner, arm: Arm, run: int, verdict: int) -> VoteTried:
    """Take the vote once more; return what came of it."""
    state, builder = then.state, then
    if arm.changed == "order":
        started = then.started.model_copy(update={"seed": then.started.seed + 7919 * run})
        builder = PromptBuilder(started, then.memory, state)
    words = then.fill("stress", told=_TOLD[arm.changed].format(what=quoted(arm.what)))
    casts, told = state.ballots, _Told(runner, words)
    agents = [cast for cast in casts if not state.is_person(cast.ballot.agent)]
    listeners = (AgentListener(state.personas[cast.ballot.agent], told, prompts=builder) for cast in agents)
    turns = await side_by_side(voted(each, builder, cast) for each, cast in zip(listeners, agents, strict=True))
    facts = [fact for turn in turns for fact in turn.facts]
    new = {fact.ballot.agent: fact for fact in facts if isinstance(fact, BallotCast)}
    calls = [fact for fact in facts if isinstance(fact, CallMade)]
    state.ballots = [new.get(cast.ballot.agent, cast) for cast in casts]
    won = outcome_of(verdict_of(state, then.memory))
    state.ballots = casts
    costs = [call.cost for call in calls]
    cost = None if None in costs else sum(each or 0.0 for each in costs)
    return VoteTried(
        changed=arm.changed, what=arm.what, run=run, outcome=won, verdict=verdict, calls=len(calls), cost=cost
    )


def tried_of(progress: DebateState) -> list[VoteTried]:
    """Return the votes that were tried of the verdict that stands."""
    verdict = progress.verdict.seq if progress.verdict else 0
    return [fact for fact in progress.tried if fact.verdict == verdict]


def _cost(tried: Iterable[VoteTried]) -> float:
    return sum(fact.cost or 0.0 for fact in tried)


def _changes(progress: DebateState, arm: Arm) -> list[bool]:
    """Return by run whether a vote came to another outcome than the verdict."""
    was = outcome_of(progress.verdict) if progress.verdict else ()
    return [outcome != was for outcome in _outcomes(progress, arm)]


def _outcomes(progress: DebateState, arm: Arm) -> list[tuple[str, ...]]:
    return [fact.outcome for fact in tried_of(progress) if (fact.changed, fact.what) == (arm.changed, arm.what)]


def stress_of(progress: DebateState, memory: ConversationMemory, arms: Sequence[Arm] | None = None) -> Stress:
    """Return what the votes that were tried show; `arms` is all that was to be tried."""
    tried = tried_of(progress)
    known = dict.fromkeys(Arm(fact.changed, fact.what) for fact in tried if fact.changed != "nothing")
    arms = [*known] if arms is None else arms
    control = _share(progress, Arm("nothing"))
    made = [arm for arm in arms if _outcomes(progress, arm)]
    return Stress(
        control,
        tuple(_trial(progress, arm, control, len(made)) for arm in made),
        free_answers(progress, memory),
        tuple(arm for arm in arms if arm not in made),
        None if any(fact.cost is None for fact in tried) else _cost(tried),
        sum(fact.calls for fact in tried),
    )


def _share(progress: DebateState, arm: Arm) -> Share:
    changes = _changes(progress, arm)
    return Share(sum(changes), len(changes))


def _trial(progress: DebateState, arm: Arm, control: Share, tried: int) -> Trial:
    share, was = _share(progress, arm), outcome_of(progress.verdict) if progress.verdict else ()
    others = Counter(outcome for outcome in _outcomes(progress, arm) if outcome != was)
    became = others.most_common(1)[0][0] if others else ()
    return Trial(arm, share, compared(control, share, tried) if control.of else None, became)
