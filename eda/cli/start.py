"""Builds a debate from the options of `eda debate`. Everything is checked before the first file is written."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from eda.cli.common import decided, note, print_json, say
from eda.cli.cost import forecast_data, print_forecast
from eda.cli.process import STOPPED, interruptible
from eda.cli.running import advice, connected, finish, invited, recorded_in, run, seat_of
from eda.cli.terminal.header import Sitting
from eda.cli.terminal.style import console_for, print_rows
from eda.debate.debate import Debate
from eda.debate.floor.stop import without_room
from eda.debate.prepared import Prepared, prepared
from eda.panels.documents.document import Document
from eda.panels.request import DebateRequest
from eda.panels.settings import SETTINGS
from eda.report.forecast import forecast, named_models
from eda.report.formatting import listed, money, one_line
from eda.report.json_data import run_row
from eda.runners.protocol import Runner
from eda.runners.recorded import RecordedRunner
from eda.runners.shipped import make_runner
from eda.runners.tools import ToolBox, with_tools
from eda.session import Session, as_typed, check_free, free_name, sessions_folder
from eda.words import Words

_AS_GIVEN = (
    *("options", "seed", "human", "invite", "human_time", "runner", "models", "personas_dir", "panels_dir", "seats"),
    *("format", "context"),
)
"""Options that a request has, too."""
_OF_THE_RUN = ("name", "record", "invite_at", "verbose", "pace", "otel", "tools", "workspace")
_LISTED = 10
"""Files left out of folders that are named."""


@dataclass(frozen=True, slots=True)
class Order:
    """The debate that the user asked for, and how it is to be run."""

    made: Prepared
    asked: bool
    """Whether the user said who answers."""
    folder: Path
    name: str | None
    record: bool
    verbose: bool
    invite_at: str
    pace: str | None
    otel: bool
    tools: Path | None
    """The file of the servers whose tools members may call."""
    workspace: Mapping[str, Path] = field(default_factory=dict)
    """Folders whose files they may read, by the name of the member whose it is; empty for all."""
    box: ToolBox | None = None
    """Those tools, once they are connected."""

    @classmethod
    def read(cls, what: Mapping[str, Any], given: Mapping[str, Any]) -> Order:
        """Read the options; look up every name and read every file.

        Raises:
            EdaError: a name is unknown, or a file cannot be read.
        """
        request = DebateRequest(
            **what,
            **{name: given[name] for name in _AS_GIVEN},
            settings={name: given[name] for name in SETTINGS},
            patterns=tuple(map(str, given["patterns"])),
            prompts=str(given["prompts"] or ""),
        )
        left_out: list[str] = []
        made = _with_offered(prepared(request, left_out=left_out))
        _tell_of_documents(made.documents, left_out)
        own = {name: given[name] for name in _OF_THE_RUN}
        return cls(made, bool(request.runner or request.models), sessions_folder(given["folder"]), **own)

    def debate(
        self,
        session: Session | None = None,
        runner: Runner | None = None,
        seats: Mapping[str, Runner] | None = None,
    ) -> Debate:
        """Return the debate; without a session it stays in memory."""
        folder = session.folder if session is not None and self.record else None
        runner = runner or make_runner(self.made.runner)
        runner = recorded_in(folder, runner if self.box is None else with_tools(runner, self.box))
        return self.made.debate(runner, session, seats=seats)

    def sitting(self, debate: Debate) -> Sitting:
        """Return what the screens show about the debate."""
        words = Words(debate.started.settings.language)
        runner = debate.runner.about(words) if isinstance(debate.runner, RecordedRunner) else self.made.runner
        return replace(Sitting.of(debate.started), runner=runner, verbose=self.verbose)

    def room(self, debate: Debate) -> str:
        """Return a note on openings and closing words for which the message limit has no room; empty if it has."""
        words = Words(debate.started.settings.language)
        return without_room(self.made.agenda, self.made.settings.limits.messages, len(debate.members), words=words)

    def named(self) -> str:
        """Return a free session name, from --session or from the question.

        Raises:
            SessionNameError, SessionExistsError: the name is invalid or taken.
        """
        name = self.name if self.name is not None else free_name(self.made.request.question, self.folder)
        check_free(name, self.folder)
        return name

    def together(self, names: Sequence[str]) -> Order:
        """Return the order with a folder of its own, named as one session would be, in which these names are free.

        Raises:
            SessionNameError, SessionExistsError: a name is invalid or taken.
        """
        folder = self.folder / self.named()
        for name in names:
            check_free(name, folder)
        return replace(self, folder=folder)

    def foretell(self, *, as_json: bool) -> int:
        """Print a forecast of the cost, without a call; return the exit code."""
        spec = named_models(self.made.runner)
        timeless = replace(self, made=self.made.untimed())
        data = {"runner": spec, **forecast_data(forecast(lambda runner: timeless.debate(runner=runner), spec))}
        if as_json:
            print_json(data)
        else:
            print_forecast(data, console_for())
        return 0

    def carry_out(self, *, as_json: bool, quiet: bool) -> int:
        """Run, show and save the debate; return the exit code."""
        with connected(self.tools, self.workspace, self.made.members) as box:
            order, request = replace(self, box=box), self.made.request
            guests = invited(request.invite, request.human_time, order.invite_at)
            seat, seats = seat_of(request.human, request.human_time, guests)
            order.debate(seats=seats)  # errors are found before anything is written
            name = order.named()
            interruptible()
            with Session.create(name, order.folder) as session:
                debate = order.debate(session, seats=seats)
                sitting = order.sitting(debate)
                advice(order.made.runner, sitting, order.room(debate))
                if guests is not None:
                    guests.sit(debate)
                result = run(
                    debate,
                    sitting,
                    silent=as_json or quiet,
                    seat=seat,
                    guests=guests,
                    pace=order.pace,
                    otel=order.otel,
                )
                return finish(debate, result, sitting, as_json=as_json, quiet=quiet)


def _with_offered(made: Prepared) -> Prepared:
    """Return the debate, with the alternatives in its question as options if the person at the terminal wants them."""
    offered = made.offered if made.runner.partition(":")[0] != "recorded" else ()
    if offered and sys.stdin.isatty() and sys.stderr.isatty():
        if click.confirm(say("running-alternatives", options=offered), default=True, err=True):
            return replace(made, request=made.request.model_copy(update={"options": offered}))
    elif offered:
        note(say("running-as-options", options=" ".join(f"--option {shlex.quote(each)}" for each in offered)))
    return made


def _tell_of_documents(documents: Iterable[Document], left_out: Sequence[str]) -> None:
    """Say what was left out of folders, and what of a file was not read."""
    for line in left_out[:_LISTED]:
        note(f"left out: {line}")
    if len(left_out) > _LISTED:
        note(say("running-files-left-out", number=len(left_out) - _LISTED))
    for document in documents:
        if document.remark:
            note(f"note: {document.name}: {document.remark}")


def repeat(order: Order, times: int, *, as_json: bool) -> int:
    """Run the debate with several seeds, a session and a row each; return the exit code."""
    if order.box is None and (order.tools or order.workspace):
        with connected(order.tools, order.workspace, order.made.members) as box:
            return repeat(replace(order, box=box), times, as_json=as_json)
    order.debate()  # errors are found before anything is written
    rows: list[dict[str, Any]] = []
    stopped = False
    seed = order.made.request.seed
    seeds = range(seed, seed + times)
    names = [f"s{seed}" for seed in seeds]
    order = order.together(names)
    interruptible()
    for seed, name in zip(seeds, names, strict=True):
        with Session.create(name, order.folder) as session:
            request = order.made.request.model_copy(update={"seed": seed})
            seeded = replace(order, made=replace(order.made, request=request))
            debate = seeded.debate(session)
            sitting = seeded.sitting(debate)
            if not rows:
                advice(order.made.runner, sitting, order.room(debate))
            stopped = run(debate, sitting, silent=True, report=False, otel=order.otel) is None
            if stopped and debate.progress.started is None:
                break
            rows.append(run_row(seed, debate.progress, debate.memory, session.name))
            if sys.stderr.isatty():
                note(f"{len(rows)}/{times} {session.name}")
        if stopped:
            break
    if as_json:
        print_json({"sessions": str(order.folder), "runs": rows})
    else:
        print_runs(rows, console_for())
    if rows:
        note(say("running-repeated", folder=shlex.quote(str(order.folder))))
    if stopped and rows:
        note(say("running-repeat-stopped", typed=as_typed(order.folder / rows[-1]["session"])))
    return STOPPED if stopped else 0


def print_runs(rows: Sequence[dict[str, Any]], console: Console) -> None:
    """Print a row for each debate, and how often each outcome occurred."""
    cells = [_run_cells(row) for row in rows]
    outcomes = Counter(decided(row["outcome"]) or "no verdict" for row in rows).most_common()
    summary = "; ".join(f"{number} of {len(rows)}: {one_line(name)}" for name, number in outcomes)
    baselines = [(row["helped"]["baseline"], row["outcome"]) for row in rows if row["helped"]]
    if taken := [(alone, outcome) for alone, outcome in baselines if alone]:
        singles, asked = (
            sum(alone.get(key) == outcome is not None for alone, outcome in taken)
            for key in ("outcome", "reasked_outcome")
        )
        summary += f"\n{say('running-without-talk', singles=singles, asked=asked, of=len(taken))}"
    titles = ("seed", "outcome", "votes", "messages", "votes that differ", "cost", "session")
    print_rows(console, titles, cells, {"seed", "messages", "cost"})
    console.print(Text(summary), soft_wrap=not console.is_terminal)


def _run_cells(row: dict[str, Any]) -> list[str]:
    votes = " : ".join(str(number) for number in sorted(row["votes"].values(), reverse=True))
    outcome = one_line(decided(row["outcome"]) or f"no verdict ({row['none_because'] or row['reason']})")
    differs = listed(row["differs"]) or "–"
    cost = money(row["cost"], row["unpriced_calls"])
    return [str(row["seed"]), outcome, votes, str(row["messages"]), differs, cost, one_line(row["session"])]
