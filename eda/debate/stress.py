"""What a verdict hinges on: members vote once more with one thing changed, beside votes with nothing changed.

The last vote alone is taken again, with one sentence of the moderator; or the debate is held again, as a fork in a
folder of its own. Each run is a fact of the session, so what was cut short goes on where it stopped. Nothing of it
counts. Run n of each arm has the same seed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any
from zlib import crc32

from eda.debate.arms import Arm, Only, Wanted, arms_of, outcome_of
from eda.debate.asking import side_by_side
from eda.debate.control.forks import begun_as
from eda.debate.debate import Debate
from eda.debate.hinges import (
    CONTROLS,
    Free,
    Stress,
    changes_of,
    first_of,
    first_runs,
    free_answers,
    stress_of,
    tried_of,
    wanted,
)
from eda.debate.listener import AgentListener
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.recount import at_the_vote, voted
from eda.debate.replay import progress_of, publisher, read_back
from eda.debate.state import DebateState
from eda.debate.validation import answering
from eda.debate.verdict import verdict_of
from eda.events import Again, BallotCast, CallMade, VerdictReached, VoteTried
from eda.memory import ConversationMemory
from eda.runners.protocol import OnText, Prompt, Reply, Runner
from eda.session import Session
from eda.session.fork import fork, upto
from eda.session.names import LOG_FILE
from eda.text import quoted
from eda.voting.choices import given
from eda.words import fault

FOLDER = "stress"  # Of the debates held again, in the folder of their session.
_AT_ONCE = 4
# Numbers of calls that one vote has for itself: a recording of all of them finds each by its number.
_APART = 10


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be tried, and what that takes at least and at most."""

    arms: tuple[Arm, ...]
    left: tuple[Arm, ...]  # What cannot be tried.
    free: tuple[Free, ...]
    runs: tuple[int, int]
    calls: tuple[int, int]
    cost: tuple[float, float] | None  # US dollars; None where calls are not priced.

    def data(self) -> dict[str, Any]:
        """Return the plan in plain JSON types."""
        own = {"arms": [arm.data() for arm in self.arms], "not_tried": [arm.data() for arm in self.left]}
        return own | {"free": [*map(asdict, self.free)], "runs": self.runs, "calls": self.calls, "cost": self.cost}


def planned(
    session: Session, progress: DebateState, memory: ConversationMemory, chosen: Wanted, runs: int = 10
) -> Plan:
    """Return the plan of a session: a vote takes what its own took, and a debate what it took from there on.

    Raises:
        UsageError: no verdict by ballots stands, or all who voted are persons.
    """
    check(session, progress)
    arms = arms_of(session, progress, memory, chosen)
    own = [arm.at for arm in arms if not arm.why]
    took = {at: _takes(session, progress, at) for at in {*own}}
    each = [took[at] for at in (*own, *(at for at in took for _ in range(CONTROLS)))]
    calls, costs = sum(number for number, _ in each), [cost for _, cost in each]
    cost, least = sum(known or 0.0 for known in costs), first_runs(runs)
    return Plan(
        tuple(arm for arm in arms if not arm.why),
        tuple(arm for arm in arms if arm.why),
        free_answers(progress, memory),
        (least * len(each), runs * len(each)),
        (least * calls, runs * calls),
        None if None in costs else (least * cost, runs * cost),
    )


def _takes(session: Session, progress: DebateState, at: int | None) -> tuple[int, float | None]:
    if at is not None:
        calls, cost = _spent(progress, progress_of(upto(session, at)) if at else DebateState())
    else:
        ballots = [fact.cost for fact in session.events() if isinstance(fact, CallMade) and fact.purpose == "ballot"]
        calls = sum(not progress.is_person(cast.ballot.agent) for cast in progress.ballots)
        known = [each for each in ballots if each is not None]
        cost = sum(known) / len(known) * calls if known and len(known) == len(ballots) else None
    # The calls of a replay cost nothing, and these will.
    return calls, None if session.started().runner.startswith("recorded") and not cost else cost


def _spent(progress: DebateState, before: DebateState) -> tuple[int, float | None]:
    """Return the calls of a session after what it is a copy of, and US dollars; None where a price is not known."""
    now, then = ((each.spent, each.aside) for each in (progress, before))
    calls, cost, unpriced = (
        sum(getattr(each, name) for each in now) - sum(getattr(each, name) for each in then)
        for name in ("calls", "cost", "unpriced_calls")
    )
    return calls, None if unpriced else cost


async def stress(
    session: Session,
    runner: Runner | str | None = None,
    *,
    premises: Sequence[str] = (),
    only: Only = "",
    again: bool = False,
    joint: bool = False,
    models: Sequence[str] = (),
    runs: int = 10,
    budget: float | None = None,
    tell: Callable[[VoteTried], object] = lambda _: None,
) -> Stress:
    """Have members vote again, `runs` times for each thing that could matter, and twice as often with nothing changed.

    Each has some of its runs first; the rest only where enough of these changed: `eda.debate.hinges` has the plan.

    Args:
        session: open for writing, with a verdict by ballots.
        runner: who answers; None for the one that the session was run with.
        premises: of the user's own, beside those found.
        only: one kind of change.
        again: whether debates are held again, not the last vote alone.
        joint: whether the premises given are also changed all at once.
        models: specs of runners that answer for all in a debate held again.
        runs: with each change, from 3.
        budget: US dollars; no run is begun that would take more, if it takes as much as the dearest so far.
        tell: called with each run.

    Raises:
        UsageError: no verdict by ballots stands, or all who voted are persons.
        RunnerUnavailableError: no call will succeed; what was tried is kept.
    """
    progress, memory = read_back(session)
    chosen = Wanted(tuple(premises), only, again, joint, tuple(models))
    reached = check(session, progress)
    arms = arms_of(session, progress, memory, chosen)
    async with answering(session, runner, lambda: progress.settings) as answers:
        work = _Work(session, progress, memory, reached, arms, answers, runs, budget, tell)
        await work.run()
    return replace(stress_of(progress, memory, arms), paused=work.paused)


def check(session: Session, progress: DebateState) -> VerdictReached:
    """Return the verdict of a session, by ballots of members who can be asked again.

    Raises:
        UsageError: there is none.
    """
    if progress.verdict is None or not progress.ballots:
        raise fault("error-no-ballots", session=session.typed)
    if all(progress.is_person(cast.ballot.agent) for cast in progress.ballots):
        raise fault("error-only-persons")
    return progress.verdict


class _Told:
    """A runner that is told one sentence before the ballot."""

    summarises = False

    def __init__(self, runner: Runner, words: str, seed: int, nth: int) -> None:
        self._runner, self._words, self._seed, self._nth = runner, words, seed, nth

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        own, seed, nth = f"{self._words}\n\n{prompt.own}", prompt.seed + self._seed, prompt.nth + self._nth
        return await self._runner.run(replace(prompt, own=own, seed=seed, nth=nth), on_text)


@dataclass(slots=True)
class _Work:
    """The runs that the plan wants, and what they take."""

    session: Session
    progress: DebateState
    memory: ConversationMemory
    verdict: VerdictReached  # The one that stands.
    arms: Sequence[Arm]
    runner: Runner
    runs: int
    budget: float | None
    tell: Callable[[VoteTried], object]
    paused: bool = False
    under_way: int = 0
    then: PromptBuilder = field(init=False)
    publish: Callable[..., Any] = field(init=False)

    def __post_init__(self) -> None:
        self.then = at_the_vote(self.session, self.progress)
        self.publish = publisher(self.session, self.progress, self.memory)

    async def run(self) -> None:
        """Run what the plan wants by what is known so far, until it wants no more or the budget has no room."""
        while not self.paused and (todo := self.todo()):
            waiting = iter(todo)
            await side_by_side(self._worker(waiting) for _ in todo[:_AT_ONCE])

    def todo(self) -> list[tuple[Arm, int]]:
        """Return the runs that lack, in order: one of each arm and its controls, then the next."""
        tried, planned = tried_of(self.progress), list[tuple[Arm, int]]()
        was, there = outcome_of(self.verdict), {(fact.changed, fact.what, fact.kept, fact.run) for fact in tried}
        for control in (Arm("nothing", at=at) for at in dict.fromkeys(arm.at for arm in self.arms if not arm.why)):
            arms = [arm for arm in self.arms if arm.at == control.at and not arm.why]
            unchanged = changes_of(tried, control, was)
            wants = [wanted(unchanged, changes_of(tried, arm, was), self.runs) for arm in arms]
            for arm, most in [(control, CONTROLS * max(wants)), *zip(arms, wants, strict=True)]:
                planned += [(arm, number) for number in range(1, most + 1)]
        planned = [(arm, number) for arm, number in planned if (*arm.key, number) not in there]
        return sorted(planned, key=lambda run: (run[1] - 1) // (CONTROLS if run[0].kind == "nothing" else 1))

    async def _worker(self, waiting: Iterator[tuple[Arm, int]]) -> None:
        for arm, number in waiting:
            if self.paused or not self._room(arm):
                self.paused = True
                return
            self.under_way += 1
            try:
                found = await (self._vote if arm.at is None else self._debate)(arm, number)
            finally:
                self.under_way -= 1
            if found is None:
                self.paused = True
                return
            fact = VoteTried(
                changed=arm.kind, what=arm.what, kept=arm.at, places=arm.places, run=number, verdict=self.verdict.seq,
                **found,
            )  # fmt: skip
            self.publish(fact)
            self.tell(fact)

    def _room(self, arm: Arm) -> bool:
        """Return whether another run fits into the budget, beside those under way."""
        if self.budget is None:
            return True
        took = [fact.cost or 0.0 for fact in tried_of(self.progress)]
        most = max([_takes(self.session, self.progress, arm.at)[1] or 0.0, *took])
        return sum(took) + (self.under_way + 1) * most <= self.budget

    async def _vote(self, arm: Arm, number: int) -> dict[str, Any]:
        """Take the last vote once more; return what came of it."""
        state, builder = self.then.state, self.then
        if arm.kind == "order":
            started = builder.started.model_copy(update={"seed": builder.started.seed + 7919 * number})
            builder = PromptBuilder(started, builder.memory, state)
        texts = [quoted(text) for text in arm.parts or (arm.what,)]
        words = state.settings.words.say("stress-told", kind=arm.kind, what=texts)
        keys = [("nothing", "", None), *(each.key for each in self.arms)]
        nth = _APART * (number + CONTROLS * self.runs * keys.index(arm.key))
        told, casts = _Told(self.runner, builder.fill("stress", told=words), number, nth), state.ballots
        agents = [cast for cast in casts if not state.is_person(cast.ballot.agent)]
        listeners = (AgentListener(state.personas[cast.ballot.agent], told, prompts=builder) for cast in agents)
        turns = await side_by_side(voted(each, builder, cast) for each, cast in zip(listeners, agents, strict=True))
        facts = [fact for turn in turns for fact in turn.facts]
        new = {fact.ballot.agent: fact for fact in facts if isinstance(fact, BallotCast)}
        costs = [fact.cost for fact in facts if isinstance(fact, CallMade)]
        ballots = [new.get(cast.ballot.agent, cast) for cast in casts]
        reached = verdict_of(replace(state, ballots=ballots), self.then.memory)
        return {
            "outcome": outcome_of(reached),
            "calls": len(costs),
            "cost": None if None in costs else sum(each or 0.0 for each in costs),
            "ballots": tuple(
                Again(who=who, choice=first_of(fact), reason=fact.ballot.reason) for who, fact in new.items()
            ),
        }

    async def _debate(self, arm: Arm, number: int) -> dict[str, Any] | None:
        """Hold the debate once more, or read one that has ended; return what came of it, None where it is paused."""
        at = arm.at or 0
        name, where = f"{arm.kind}-{crc32(arm.what.encode()):08x}-m{at}-{number}", self.session.own_folder / FOLDER
        if not (where / name / LOG_FILE).exists():
            fork(self.session, at, name, where, change=lambda past: _changed(past, arm, number)).close()
        with Session.open(where / name) as run:
            if progress_of(run).ended is None:
                await Debate.resume(run, arm.what if arm.kind == "model" else self.runner).run(show=False)
            now = progress_of(run)
            calls, cost = _spent(now, progress_of(upto(self.session, at)) if at else DebateState())
        if now.ended is None:
            return None
        outcome = None if now.ended == "errors" else self._same(now, at)
        return {"outcome": outcome, "calls": calls, "cost": cost, "session": name}

    def _same(self, now: DebateState, at: int) -> tuple[str, ...]:
        """Return what a debate held again came to, by the ids of this one; what only it has by its words."""
        if now.verdict is None or now.started is None:
            return ()
        begun = self.session.started()
        here = {text.text: text.motion for text in given(begun.question, begun.options)}
        ids = {text.motion: here[text.text] for text in given(now.started.question, now.started.options)}
        ids |= {each.id: each.id for each in self.memory.motions if 0 < each.versions[0].message <= at}
        words = {text.motion: text.text for text in now.verdict.offered}
        return tuple(sorted(ids.get(each) or words.get(each, each) for each in outcome_of(now.verdict)))


def _changed(past: Session, arm: Arm, number: int) -> tuple[Session, str]:
    """Return a copy with what is changed, and with the seed of the run."""
    first = past.started()
    past = arm.change(begun_as(past, first.model_copy(update={"seed": first.seed + number})))
    return past, f"{arm.kind}:{arm.what}" if arm.kind != "nothing" else ""
