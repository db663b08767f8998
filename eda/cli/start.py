"""Builds a debate from the options of `eda debate`. Everything is checked before the first file is written."""

import shlex
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from eda.cli.common import agrees, note, print_data, say
from eda.cli.cost import forecast_data, print_forecast
from eda.cli.process import interruptible
from eda.cli.running import advice, connected, invited, run, runner_of, seat_of
from eda.cli.terminal.printers import Sitting
from eda.cli.terminal.style import console_for
from eda.debate.floor.stop import without_room
from eda.debate.prepared import Prepared, prepared
from eda.panels.request import DebateRequest
from eda.panels.settings import SETTINGS
from eda.report.forecast import foreseen, named_models
from eda.runners.recorded import RecordedRunner
from eda.session import Session
from eda.session.names import free_name, sessions_folder

# Options that a request has, too.
_AS_GIVEN = (
    *("options", "seed", "human", "invite", "human_time", "runner", "models", "personas_dir", "panels_dir", "seats"),
    *("format", "context"),
)
# Files left out of folders that are named.
_LISTED = 10


def ready(what: Mapping[str, Any], given: Mapping[str, Any]) -> Prepared:
    """Return the debate that the options ask for; look up every name and read every file.

    Raises:
        EdaError: a name is unknown, or a file cannot be read.
    """
    request = DebateRequest(
        **what,
        **{name: given[name] for name in _AS_GIVEN},
        settings={name: given[name] for name in SETTINGS},
        prompts=str(given["prompts"] or ""),
    )
    left_out: list[str] = []
    made = _with_offered(prepared(request, left_out=left_out))
    for line in left_out[:_LISTED]:
        note(line, "left-out")
    if len(left_out) > _LISTED:
        note(say("running-files-left-out", number=len(left_out) - _LISTED))
    for document in made.documents:
        if document.remark:
            note(f"{document.name}: {document.remark}", "remark")
    return made


def foretell(made: Prepared, *, as_json: bool) -> None:
    """Print a forecast of the cost, without a call."""
    data = {"runner": named_models(made.runner), **forecast_data(foreseen(made))}
    print_data(data, lambda: print_forecast(data, console_for()), as_json=as_json)


def carry_out(made: Prepared, given: Mapping[str, Any]) -> int:
    """Run, show and save the debate; return the exit code."""
    request, folder = made.request, sessions_folder(given["folder"])
    with connected(given["tools"], given["workspace"], made.members) as box:
        guests = invited(request.invite, request.human_time, given["invite_at"])
        seat, seats = seat_of(request.human, request.human_time, guests)
        made.debate(seats=seats)  # errors are found before anything is written
        name = free_name(request.question, folder) if given["name"] is None else given["name"]
        interruptible()
        with Session.create(name, folder) as session:
            runner = runner_of(session, made.runner, "", box, record=given["record"])
            debate = made.debate(runner, session, seats=seats)
            words = debate.started.settings.words
            about = runner.about(words) if isinstance(runner, RecordedRunner) else made.runner
            sitting = Sitting(debate.started, runner=about, verbose=given["verbose"])
            room = without_room(made.agenda, made.settings.limits.messages, len(debate.members), words=words)
            advice(made.runner, sitting, room)
            return run(
                debate,
                sitting,
                as_json=given["as_json"],
                quiet=given["quiet"],
                seat=seat,
                guests=guests,
                otel=given["otel"],
            )


def _with_offered(made: Prepared) -> Prepared:
    """Return the debate, with the alternatives in its question as options if the person at the terminal wants them."""
    offered = made.offered if made.runner.partition(":")[0] != "recorded" else ()
    if offered and sys.stdin.isatty() and sys.stderr.isatty():
        if agrees(say("running-alternatives", options=offered), default=True):
            return replace(made, request=made.request.model_copy(update={"options": offered}))
    elif offered:
        note(say("running-as-options", options=" ".join(f"--option {shlex.quote(each)}" for each in offered)))
    return made
