"""Holds a debate again with one thing altered, and with nothing, and says whether its answer hinges on that.

Each run is a fork in a folder of its own: one that was cut short goes on, one that ended is read. Run n of each arm and
of the control have the same seed. Arms that begin at the same message share a control.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

from eda.debate.control.forks import begun_as
from eda.debate.debate import Debate
from eda.debate.hinges import CONTROLS, Share, compared, first_runs, wanted
from eda.debate.replay import progress_of
from eda.debate.validation import session_runner
from eda.errors import UsageError
from eda.runners.protocol import Runner
from eda.runners.shipped import close_runner, make_runner
from eda.session import Session
from eda.session.fork import Change, fork, upto
from eda.session.names import LOG_FILE
from eda.study.altered import Alteration, answer_of, check_comparable
from eda.study.file import digest
from eda.study.run import side_by_side
from eda.study.status import CellState, session_state, state_of

FOLDER = "stress"
"""Of the runs, in the folder of their session."""
_AT_ONCE = 4

Run = tuple[Alteration | None, int, int]
"""What is altered (None: nothing), the last message that is kept, and the number of the run."""


@dataclass(slots=True)
class Experiment:
    """The runs of a session's alterations, how far they have come, and what came of them."""

    session: Session
    """Open for reading."""
    arms: Sequence[Alteration]
    runs: int = 20
    """Of each arm, where the plan goes on with it."""
    runner: Runner | None = None
    """Who answers; None for the runner of the session."""
    folder: Path | None = None
    """None for one in the folder of the session."""
    usd: float | None = None
    tokens: int | None = None
    """No run is begun that would take more than these, if it takes as much as the largest so far."""
    told: Callable[[int, int], object] | None = None
    """Called with the number of runs that are done, and of those planned so far."""
    paused: bool = False
    """Whether the budget had no room for another run."""
    _states: dict[str, tuple[Mapping[str, float], tuple[str, ...] | None]] = field(default_factory=dict)
    _given: dict[int, CellState] = field(default_factory=dict)

    async def run(self) -> dict[str, Any]:
        """Run what the plan wants and is not there; return the table in plain JSON types: see `table`.

        Raises:
            UsageError: an answer could not be compared, or nobody may be asked: see `session_runner`.
            RunnerUnavailableError: nobody answers; the next run goes on.
        """
        self.check()
        if self.runner is None:  # refused before anything is made
            await close_runner(session_runner(self.session))
        while todo := [run for run in self.planned() if self._name(*run) not in self._states]:
            self._tell()
            waiting = iter(todo)
            await side_by_side(partial(self._work, waiting), min(_AT_ONCE, len(todo)))
            if self.paused:
                break
        return self.table()

    def check(self) -> None:
        """Refuse what cannot be compared, or asks somebody whom the user did not name. Starts nothing.

        Raises:
            UsageError: that is so.
        """
        if progress_of(self.session).verdict is None:
            raise UsageError(f"session {self.session.name} has no verdict", hint="Stress one that came to its vote.")
        for arm in self.arms:
            check_comparable(self.session, arm)

    def planned(self) -> list[Run]:
        """Return the runs that the plan wants by what is known so far, in order: one of each arm, then the next."""
        found: list[Run] = []
        for at in sorted({arm.at for arm in self.arms}):
            arms = [arm for arm in self.arms if arm.at == at]
            control = self._changed(None, at)
            wants = [wanted(control, self._changed(arm, at), self.runs) for arm in arms]
            found += [(None, at, number) for number in range(CONTROLS * max(wants))]
            found += [(arm, at, number) for arm, most in zip(arms, wants, strict=True) for number in range(most)]
        return sorted(found, key=lambda run: (run[2] // (1 if run[0] else CONTROLS), run[1]))

    def forecast(self) -> dict[str, Any]:
        """Return runs, calls, tokens and dollars at least and at most, if each run takes what the session took."""
        whole = session_state(self.session, "")
        least, most = first_runs(self.runs), self.runs
        places = [
            *(arm.at for arm in self.arms),
            *(at for at in {arm.at for arm in self.arms} for _ in range(CONTROLS)),
        ]
        took = [self._took(whole, at) for at in places]
        return {
            "runs": [len(places) * least, len(places) * most],
            **{name: [times * sum(each[name] for each in took) for times in (least, most)] for name in _COUNTED},
            "priced": not whole.unpriced_calls,
        }

    def table(self) -> dict[str, Any]:
        """Return what the runs came to: `control`, `arms` and `paused`.

        The control is that of the runs from the start, else of the earliest message; each arm says its own.
        """
        controls = {at: _share(self._changed(None, at)) for at in sorted({arm.at for arm in self.arms})}
        was, rows = answer_of(self.session), []
        for arm in self.arms:
            share, control = _share(self._changed(arm, arm.at)), controls[arm.at]
            row = {"what": arm.what, "kind": arm.kind, "places": [*arm.places], "at": arm.at, **share._asdict()}
            row["control"] = control._asdict()
            if share.of and control.of:
                found = compared(control, share, len(self.arms))
                row |= {"estimate": found.estimate, "low": found.low, "high": found.high, "finding": found.finding}
                others = {name: each for name, each in self._answers(arm, arm.at).items() if each != was}
                became = Counter(others.values()).most_common(1)[0][0] if others else ()
                read = next(iter(others), self._name(arm, arm.at, 0))
                row |= {"hinges": found.finding == "hinges", "became": [*became], "read": read}
            rows.append(row)
        first = next(iter(controls.values()), Share(0, 0))
        return {"control": first._asdict(), "arms": rows, "paused": self.paused}

    async def _work(self, waiting: Iterator[Run]) -> None:
        for run in waiting:
            if not self._room():
                self.paused = True
                return
            await self._run(*run)
            self._tell()

    def _tell(self) -> None:
        if self.told is not None:
            self.told(len(self._states), len(self.planned()))

    async def _run(self, arm: Alteration | None, at: int, number: int) -> None:
        """Run one debate to its end, or read it where it has ended."""
        name = self._name(arm, at, number)
        log = self._where / name / LOG_FILE
        if not (log.exists() and log.stat().st_size):
            fork(self.session, at, name, self._where, change=_change(arm, number)).close()
        if not state_of(log.parent, name).done:
            with Session.open(log.parent) as session:
                own = self.runner is None or (arm is not None and arm.kind == "model")
                runner = self._runner(arm) if own else self.runner
                try:
                    await Debate.resume(session, runner).run(show=False)
                finally:
                    if own and runner is not None:
                        await close_runner(runner)
        with Session.read(log.parent) as session:
            state = session_state(session, name)
            answer = answer_of(session) if state.done else None
        self._states[name] = self._took(state, at), answer

    def _runner(self, arm: Alteration | None) -> Runner:
        """Return who answers: of another model, that which the user named."""
        return make_runner(arm.what) if arm is not None and arm.kind == "model" else session_runner(self.session)

    def _answers(self, arm: Alteration | None, at: int) -> dict[str, tuple[str, ...]]:
        """Return by its name the answer of each run without a gap; those that failed say nothing."""
        names = (self._name(arm, at, number) for number in range(CONTROLS * self.runs))
        done = takewhile(self._states.__contains__, names)
        return {name: answer for name in done if (answer := self._states[name][1]) is not None}

    def _changed(self, arm: Alteration | None, at: int) -> list[bool]:
        was = answer_of(self.session)
        return [answer != was for answer in self._answers(arm, at).values()]

    def _room(self) -> bool:
        """Return whether another run fits into the budget, beside those under way."""
        whole = session_state(self.session, "")
        for limit, name in ((self.usd, "cost"), (self.tokens, "tokens")):
            took = [each[name] for each, _ in self._states.values()]
            if limit is not None and sum(took) + _AT_ONCE * max([getattr(whole, name), *took]) > limit:
                return False
        return True

    def _took(self, state: CellState, at: int) -> Mapping[str, float]:
        """Return what a session took after the message up to which it is a copy."""
        if at not in self._given:
            self._given[at] = session_state(upto(self.session, at), "") if at else CellState("")
        return {name: max(0, getattr(state, name) - getattr(self._given[at], name)) for name in _COUNTED}

    @property
    def _where(self) -> Path:
        where = self.folder or (self.session.folder and self.session.folder / FOLDER)
        if not where:
            raise UsageError("a session in memory has no folder for its runs", hint="Give one: folder=PATH.")
        return where

    @staticmethod
    def _name(arm: Alteration | None, at: int, number: int) -> str:
        return f"{digest([arm.kind, arm.what])[:12] if arm else 'unaltered'}-m{at}-{number}"


_COUNTED = ("calls", "tokens", "cost")


def _change(arm: Alteration | None, number: int) -> Change:
    """Return the change of a run: its seed, and what is altered."""

    def change(past: Session) -> tuple[Session, str]:
        first = past.started()
        past = begun_as(past, first.model_copy(update={"seed": first.seed + number}))
        return (arm.change(past), f"{arm.kind}:{arm.what}") if arm else (past, "")

    return change


def _share(changed: Sequence[bool]) -> Share:
    return Share(sum(changed), len(changed))
