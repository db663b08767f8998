"""How far a study has come: of a cell that has ended by what the ledger noted then, of every other one by its log."""

import shutil
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self, TextIO

from eda.debate.state import DebateState
from eda.errors import EdaError
from eda.events import TurnFailed
from eda.report.formatting import span
from eda.session import Session
from eda.session.names import LOG_FILE
from eda.session.places import is_locked
from eda.study.cells import Cell, Plan
from eda.study.ledger import Entry, end_of, entries, lines_of, note, standing
from eda.text import grouped
from eda.words import ENGLISH

State = Literal["absent", "unfinished", "running", "ended", "excluded", "failed"]
CELLS = "cells"
"""The folder, in that of a study, of the sessions."""
RETRIED = "retried"
"""The folder of sessions that ended by errors and were run again: what they took counts."""
ROWS_FILE = "rows.json"
"""The rows of a cell that has ended, beside its log."""


class CellState(NamedTuple):
    """How far one cell has come, and what it took."""

    id: str
    state: State = "absent"
    reason: str = ""
    """Why it ended, was paused or failed."""
    hint: str = ""
    calls: int = 0
    failed_turns: int = 0
    tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    """US dollars, of calls whose price is known."""
    unpriced_calls: int = 0
    seconds: float = 0.0

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""
        return self.state == "ended"


_OVER = ("ended", "excluded", "failed")
_NOTED = CellState._fields[1:]


@dataclass(slots=True)
class Status:
    """How far a study has come."""

    cells: dict[str, CellState]
    spent: tuple[float, int]
    """Dollars and tokens of all cells, those that were run again included."""
    paused: str = ""
    """Why a run began no more cells, where some are left; empty where all were."""
    hint: str = ""

    @property
    def todo(self) -> list[str]:
        """The cells that a run has to begin or to go on with."""
        return [cell_id for cell_id, cell in self.cells.items() if cell.state not in _OVER]

    def put(self, state: CellState) -> None:
        """Note how far a cell has come now."""
        before, (usd, tokens) = self.cells[state.id], self.spent
        self.spent = usd + state.cost - before.cost, tokens + state.tokens - before.tokens
        self.cells[state.id] = state

    def __str__(self) -> str:
        """Return a line: how far the study has come, and what it took."""
        usd, tokens = self.spent
        unpriced = sum(cell.unpriced_calls for cell in self.cells.values())
        cost = [f"${usd:,.2f}"] if usd or not unpriced else []
        cost += [ENGLISH.say("study-unpriced", calls=unpriced)] if unpriced else []
        states = [f"{number:,} {state}" for state, number in self.counts.items() if number and state != "ended"]
        failed = [f"{self.failed_turns:,} turns failed"] if self.failed_turns else []
        done = ENGLISH.say("study-done", ended=self.counts["ended"], cells=len(self.cells))
        return f"{', '.join([done, *states])}; {', '.join([*cost, f'{tokens:,} tokens', *failed])}"

    def __repr__(self) -> str:
        return f"<Status: {self}{'; paused: ' + self.paused if self.paused else ''}>"

    @property
    def counts(self) -> dict[str, int]:
        """The number of cells in each state."""
        states = [cell.state for cell in self.cells.values()]
        return {state: states.count(state) for state in State.__args__}  # type: ignore[attr-defined]  # of a Literal

    @property
    def failures(self) -> list[CellState]:
        """The cells that failed."""
        return [cell for cell in self.cells.values() if cell.state == "failed"]

    def reasons(self, state: State) -> dict[str, list[str]]:
        """Return the cells in a state, by the reason: such as the groups of people that are `excluded`."""
        return grouped((cell.reason, cell.id) for cell in self.cells.values() if cell.state == state)

    @property
    def waiting(self) -> list[CellState]:
        """The controls that cannot be begun, because the talk that they follow failed."""
        return [cell for cell in self.cells.values() if cell.state == "absent" and cell.reason]

    @property
    def failed_turns(self) -> int:
        """Turns that brought nothing because a call failed, in all cells."""
        return sum(cell.failed_turns for cell in self.cells.values())

    def data(self) -> dict[str, Any]:
        """Return the status as JSON has it."""
        cost, tokens = self.spent
        return {
            "cells": len(self.cells),
            **self.counts,
            "calls": sum(cell.calls for cell in self.cells.values()),
            "failed_turns": self.failed_turns,
            "cost": cost,
            "unpriced_calls": sum(cell.unpriced_calls for cell in self.cells.values()),
            "tokens": tokens,
            "failures": [{"cell": cell.id, "reason": cell.reason, "hint": cell.hint} for cell in self.failures],
            "waiting": [{"cell": cell.id, "reason": cell.reason} for cell in self.waiting],
        }


def status_of(plan: Plan, out: Path) -> Status:
    """Return how far the cells in a folder have come."""
    cells = states_of(plan.cells.values(), out)
    again = [state_of(folder, folder.name) for folder in sorted((out / RETRIED).glob("*")) if folder.is_dir()]
    took = [(cell.cost, cell.tokens) for cell in (*cells.values(), *again)]
    return Status(cells, (sum(usd for usd, _ in took), sum(tokens for _, tokens in took)))


def states_of(cells: Iterable[Cell], out: Path) -> dict[str, CellState]:
    """Return how far each cell in a folder has come, by id; a control whose talk failed says so."""
    needs, ends = {cell.id: cell.needs for cell in cells}, standing(entries(out))
    begun = {folder.name for folder in (out / CELLS).glob("*")} | ends.keys()
    states = {each: _now(out, each, ends.get(each)) if each in begun else CellState(each) for each in needs}
    for cell_id, needed in needs.items():
        failed = [each for each in needed if each in states and states[each].state == "failed"]
        if failed and states[cell_id].state == "absent":
            states[cell_id] = states[cell_id]._replace(reason=ENGLISH.say("study-talk-failed", cell=failed[0]))
    return states


def _now(out: Path, cell_id: str, entry: Entry | None) -> CellState:
    """Return how far a cell has come: as its entry has it, as long as its log is as long as it was then."""
    log, size = out / CELLS / cell_id / LOG_FILE, 0
    with suppress(OSError):
        size = log.stat().st_size
    if entry and entry["size"] == size and ("calls" in entry or not size):
        return noted(entry)
    found = state_of(log.parent, cell_id) if size else CellState(cell_id)
    return found._replace(state="running") if found.state == "unfinished" and is_locked(log.parent) else found


def state_of(folder: Path, cell_id: str) -> CellState:
    """Return how far the session in a folder has come; one that cannot be read has failed, and says why."""
    try:
        with Session.read(folder) as session:
            return session_state(session, cell_id)
    except EdaError as error:
        return CellState(cell_id, "failed", str(error), error.hint)


def session_state(session: Session, cell_id: str) -> CellState:
    """Return how far a session has come.

    Raises:
        LogDamagedError, SessionError: its log cannot be read.
    """
    progress, failed = DebateState(), 0
    for event in session.events():
        progress.fold(event)
        failed += isinstance(event, TurnFailed)
    if progress.started is None:
        return CellState(cell_id)
    spent, aside = progress.spent, progress.aside
    ended = progress.ended is not None
    nobody = ended and failed > 0 and not progress.messages and progress.verdict is None and not aside.calls
    state: State = "failed" if progress.ended == "errors" or nobody else "ended" if ended else "unfinished"
    return CellState(
        cell_id,
        state,
        progress.why_stopped or "",
        "Run it again: eda study run --retry." if state == "failed" else "",
        spent.calls + aside.calls,
        failed,
        spent.tokens + aside.tokens,
        spent.output_tokens + aside.output_tokens,
        spent.cost + aside.cost,
        spent.unpriced_calls + aside.unpriced_calls,
        spent.seconds,
    )


def noted(entry: Entry) -> CellState:
    """Return how far a cell had come when its end was noted."""
    return CellState(entry["cell"], **{name: entry[name] for name in _NOTED if name in entry})


def failure(out: Path, cell_id: str, error: BaseException) -> CellState:
    """Return the state of a cell that an error ended, so that it is not run again unasked."""
    reason = str(error) if isinstance(error, EdaError) else f"{type(error).__name__}: {error}"
    return _now(out, cell_id, None)._replace(state="failed", reason=reason, hint=getattr(error, "hint", ""))


def note_cell(out: Path, cell: CellState) -> None:
    """Note how a cell ended and what it took, with the hashes of its log and of its rows."""
    if cell.state in _OVER:
        folder = out / CELLS / cell.id
        lines, rows = lines_of(folder / LOG_FILE), b"".join(lines_of(folder / ROWS_FILE))
        (facts, head), size = end_of(lines), sum(map(len, lines))
        told = {"facts": facts, "size": size, "head": head, "rows": sha256(rows).hexdigest()}
        note(out, "cell", cell=cell.id, **told, **{name: getattr(cell, name) for name in _NOTED})


def settle(plan: Plan, out: Path) -> Status:
    """Return how far the study has come; note each end that no command has noted, and each noted one that is gone."""
    known = standing(entries(out))  # before the logs are looked at: other commands may end cells meanwhile
    status, now = status_of(plan, out), standing(entries(out))
    for name, cell in status.cells.items():
        was, log, over = known.get(name), out / CELLS / name / LOG_FILE, cell.state in _OVER
        if was and not (over and was["size"] == (log.stat().st_size if log.exists() else 0)):
            note(out, "deleted", cell=name)
            now.pop(name, None)
        if over and name not in now:
            note_cell(out, cell)
    return status


def forget_failures(plan: Plan, out: Path) -> None:
    """Have all cells that failed be run again; of one that ended by errors what it took still counts."""
    for cell in status_of(plan, out).failures:
        folder = out / CELLS / cell.id
        if folder.is_dir() and state_of(folder, cell.id).state == "failed":
            (out / RETRIED).mkdir(exist_ok=True)
            folder.rename(out / RETRIED / f"{cell.id}-{1 + len([*(out / RETRIED).glob(f'{cell.id}-*')])}")
        note(out, "retried", cell=cell.id)


_PAUSE = 0.5  # Seconds between two lines: who runs 10,000 cells need not see each, and to count all takes a while.


class Progress:
    """A live line with the cells done, what failed, the money, and the time left; nothing where nobody looks on.

    Args:
        stream: Where it is written; None for the output of a notebook, if this is one.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stdout
        self._live = stream.isatty() if stream is not None else "ipykernel" in sys.modules
        self._began, self._next = time.monotonic(), 0.0
        self._first: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._write("")

    def show(self, found: Status) -> None:
        """Show the status."""
        now = time.monotonic()
        if not self._live or now < self._next:
            return
        done = found.counts["ended"]
        self._first = done if self._first is None else self._first
        self._next = now + _PAUSE
        here, left = done - self._first, len(found.cells) - done
        more = f", {span((now - self._began) / here * left)} left" if here and left else ""
        self._write(f"{found}{more}")

    def _write(self, line: str) -> None:
        # Blanks over what stood there: a notebook knows no code that clears a line. A longer line would wrap, and stay.
        width = shutil.get_terminal_size().columns - 1
        self._stream.write(f"\r{line[:width]:{width}}\r")
        self._stream.flush()
