"""Builds a debate from the options of `eda debate`. Everything is checked before the first file is written."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from eda.cli.common import decided, note, print_json
from eda.cli.cost import forecast_data, print_forecast
from eda.cli.options import with_models
from eda.cli.process import STOPPED, interruptible
from eda.cli.running import advice, connected, finish, invited, recorded_in, run, seat_of
from eda.cli.terminal.header import Sitting
from eda.cli.terminal.style import columns, console_for, print_tabbed
from eda.debate.debate import Debate
from eda.debate.floor.policies import FOR_GUESTS
from eda.debate.floor.turns import without_room
from eda.debate.prompts.texts import read_prompts
from eda.debate.validation import agenda_of, check_use, checked_question, panel_settings
from eda.errors import UnknownNameError, UsageError
from eda.memory.patterns import PatternPack
from eda.panels.agenda import Agenda
from eda.panels.documents.document import Document
from eda.panels.documents.read import read_documents, with_unique_names
from eda.panels.library import Library, Panel
from eda.panels.persona import Persona
from eda.panels.settings import Settings
from eda.report.forecast import forecast, named_models
from eda.report.formatting import listed, money, one_line, shorten
from eda.report.json_data import run_row
from eda.runners.models import ModelSpec, asks_models
from eda.runners.protocol import Runner
from eda.runners.recorded import RecordedRunner
from eda.runners.shipped import default_spec, make_runner
from eda.runners.tools import ToolBox, with_tools
from eda.session import Session, as_typed, check_free, free_name, sessions_folder

_AS_GIVEN = (
    *("options", "seed", "name", "record", "patterns", "human", "human_time", "invite", "invite_at", "verbose"),
    *("pace", "debug", "otel", "tools"),
)
"""Options of `eda debate` that an order takes over as they are."""
_LISTED = 10
"""Files left out of folders that are named."""


@dataclass(frozen=True, slots=True)
class Order:
    """The debate that the user asked for."""

    question: str
    seats: Panel | tuple[Persona, ...]
    options: tuple[str, ...]
    documents: tuple[Document, ...]
    settings: Settings
    people: Library
    runner: str | None
    """The value of --runner; None if it was not given."""
    seed: int
    name: str | None
    folder: Path
    record: bool
    patterns: PatternPack | None
    prompts: Mapping[str, str]
    agenda: Agenda
    human: str | None = None
    human_time: float | None = None
    verbose: bool = False
    invite: tuple[str, ...] = ()
    invite_at: str = ""
    pace: str | None = None
    debug: Path | None = None
    otel: bool = False
    tools: Path | None = None
    """The file of the servers whose tools members may call."""
    box: ToolBox | None = None
    """Those tools, once they are connected."""

    @classmethod
    def read(cls, question: str, panel: str, names: tuple[str, ...], given: Mapping[str, Any]) -> Order:
        """Read the options; look up every name and read every file.

        Raises:
            EdaError: a name is unknown, or a file cannot be read.
        """
        if given["invite"] and not given["floor"]:
            given = {**given, "floor": FOR_GUESTS}
        library = Library(given["personas_dir"], panels=given["panels_dir"])
        people = [library.persona(name, files=True) for name in names]
        library.personas = {**library.personas, **{one.name: one for one in people}}
        named_panel = None if people else library.panel(panel, files=True)
        if given["own_models"]:
            _give_models(library, people or library.members(named_panel or panel), given)
        seats = named_panel or tuple(library.personas[one.name] for one in people)
        own = {key: value for key, value in given.items() if key in Settings.model_fields and value not in (None, ())}
        named = seats if isinstance(seats, Panel) else None
        usual = panel_settings(named)
        agenda = agenda_of(given["agenda"], named)
        settings = Settings.model_validate(usual.model_dump() | own)
        check_use(settings, settings.rule or agenda.rule, own.keys(), as_options=True)
        return cls(
            question=checked_question(question),
            seats=seats,
            documents=_documents(given["files"]),
            settings=settings,
            people=library,
            runner=with_models(given["runner"], given["models"]),
            folder=sessions_folder(given["folder"]),
            prompts=read_prompts(given["prompts"]) if given["prompts"] else {},
            agenda=agenda.with_floor(given["floor"]) if given["floor"] else agenda,
            **{name: given[name] for name in _AS_GIVEN},
        )

    @property
    def spec(self) -> str:
        """The runner to use."""
        return self.runner if self.runner is not None else default_spec()

    def debate(
        self,
        session: Session | None = None,
        runner: Runner | None = None,
        seats: Mapping[str, Runner] | None = None,
    ) -> Debate:
        """Return the debate; without a session it stays in memory."""
        folder = session.folder if session is not None and self.record else None
        runner = runner or make_runner(self.spec)
        return Debate(
            self.question,
            self.seats,
            recorded_in(folder, runner if self.box is None else with_tools(runner, self.box)),
            options=self.options,
            documents=self.documents,
            settings=self.settings,
            seed=self.seed,
            session=session,
            patterns=self.patterns,
            library=self.people,
            prompts=self.prompts,
            agenda=self.agenda,
            human=self.human,
            seats=seats,
        )

    def sitting(self, debate: Debate) -> Sitting:
        """Return what the screens show about the debate."""
        runner = debate.runner.about if isinstance(debate.runner, RecordedRunner) else self.spec
        return replace(Sitting.of(debate.started), runner=runner, verbose=self.verbose)

    def room(self, debate: Debate) -> str:
        """Return a note on openings and closing words for which the message limit has no room; empty if it has."""
        return without_room(self.agenda, self.settings.limits.messages, len(debate.members))

    def named(self) -> str:
        """Return a free session name, from --session or from the question.

        Raises:
            SessionNameError, SessionExistsError: the name is invalid or taken.
        """
        name = self.name if self.name is not None else free_name(self.question, self.folder)
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
        spec = named_models(self.spec)
        timeless = replace(self, settings=self.settings.model_copy(update={"max_seconds": None}))
        data = {"runner": spec, **forecast_data(forecast(lambda runner: timeless.debate(runner=runner), spec))}
        if as_json:
            print_json(data)
        else:
            print_forecast(data, console_for())
        return 0

    def carry_out(self, *, as_json: bool, quiet: bool) -> int:
        """Run, show and save the debate; return the exit code."""
        with connected(self.tools) as box:
            order = replace(self, box=box)
            guests = invited(order.invite, order.human_time, order.invite_at)
            seat, seats = seat_of(order.human, order.human_time, guests)
            order.debate(seats=seats)  # errors are found before anything is written
            name = order.named()
            interruptible()
            with Session.create(name, order.folder) as session:
                debate = order.debate(session, seats=seats)
                sitting = order.sitting(debate)
                advice(order.runner, order.spec, sitting, order.room(debate))
                if guests is not None:
                    guests.sit(debate)
                result = run(
                    debate,
                    sitting,
                    silent=as_json or quiet,
                    seat=seat,
                    guests=guests,
                    pace=order.pace,
                    debug=order.debug,
                    otel=order.otel,
                )
                return finish(debate, result, sitting, as_json=as_json, quiet=quiet)


def _documents(named: Iterable[str]) -> tuple[Document, ...]:
    """Return the documents that a user named; say what was left out of folders, and what of a file was not read."""
    left_out: list[str] = []
    documents = with_unique_names(each for what in named for each in read_documents(what, left_out))
    for line in left_out[:_LISTED]:
        note(f"left out: {line}")
    if len(left_out) > _LISTED:
        note(f"left out: {len(left_out) - _LISTED} more files")
    for document in documents:
        if document.remark:
            note(f"note: {document.name}: {document.remark}")
    return documents


def repeat(order: Order, times: int, *, as_json: bool) -> int:
    """Run the debate with several seeds, a session and a row each; return the exit code."""
    with connected(order.tools) as box:
        return _repeat(replace(order, box=box), times, as_json=as_json)


def _repeat(order: Order, times: int, *, as_json: bool) -> int:
    order.debate()  # errors are found before anything is written
    rows: list[dict[str, Any]] = []
    stopped = False
    seeds = range(order.seed, order.seed + times)
    names = [f"s{seed}" for seed in seeds]
    order = order.together(names)
    interruptible()
    for seed, name in zip(seeds, names, strict=True):
        with Session.create(name, order.folder) as session:
            seeded = replace(order, seed=seed)
            debate = seeded.debate(session)
            sitting = seeded.sitting(debate)
            if not rows:
                advice(order.runner, order.spec, sitting, order.room(debate))
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
        note(f"saved: eda sessions --sessions {shlex.quote(str(order.folder))}")
    if stopped and rows:
        note(f"stopped; go on with: eda resume {as_typed(order.folder / rows[-1]['session'])}")
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
        what = f"the panel's outcome without talk: single answers {singles}, members asked again {asked}"
        summary += f"\n{what}, of {len(taken)}"
    if not console.is_terminal:
        print_tabbed(console, cells)
        console.out(summary, highlight=False)
        return
    table = columns(
        ["seed", "outcome", "votes", "messages", "votes that differ", "cost", "session"], {"seed", "messages", "cost"}
    )
    for row in cells:
        shown = [shorten(cell, 60) if place == 1 else cell for place, cell in enumerate(row)]
        styles = ["dim", "bold", "", "", "", "dim", ""]
        table.add_row(*(Text(cell, style=style) for cell, style in zip(shown, styles, strict=True)))
    console.print(table)
    console.print(Text(summary))


def _run_cells(row: dict[str, Any]) -> list[str]:
    votes = " : ".join(str(number) for number in sorted(row["votes"].values(), reverse=True))
    outcome = one_line(decided(row["outcome"]) or f"no verdict ({row['none_because'] or row['reason']})")
    differs = listed(row["differs"]) or "–"
    cost = money(row["cost"], row["unpriced_calls"])
    return [str(row["seed"]), outcome, votes, str(row["messages"]), differs, cost, one_line(row["session"])]


def _give_models(library: Library, members: Sequence[Persona], given: Mapping[str, Any]) -> None:
    """Have personas of the library ask for the models that `--seat NAME=SPEC` gives them.

    Raises:
        UsageError: no model is given, a spec is malformed, or the debate's runner asks no models.
        UnknownNameError: nobody of that name is seated.
    """
    if (with_models(given["runner"], given["models"]) or default_spec()).startswith("simulated"):
        hint = "Name the one for summaries, the report and all other members: --runner PROVIDER:MODEL."
        raise UsageError("--seat needs a debate that is run by a model, and `simulated` is none", hint=hint)
    for each in given["own_models"]:
        name, _, spec = (part.strip() for part in each.partition("="))
        if not spec:
            raise UsageError(f"--seat {each!r} names no model", hint="Write it as --seat Maya=openrouter:VENDOR/MODEL.")
        member = next((member for member in members if name.casefold() in member.called), None)
        if member is None:
            raise UnknownNameError("member", name, [member.title for member in members])
        if asks_models(spec):
            given_spec = ModelSpec.parse(spec)
            if not given_spec.speak:
                raise UsageError(f"--seat {each!r} names no model", hint=f"Write it as --seat {name}={spec}:MODEL.")
            spec = str(given_spec)
        library.personas = {**library.personas, member.name: member.model_copy(update={"model": spec})}
