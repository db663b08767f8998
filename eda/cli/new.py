"""`eda new`: a persona or a panel, written as a file to edit."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click
import orjson
import yaml

from eda.cli.common import done, note, say
from eda.cli.kinds import TEXT
from eda.cli.options import json_option, panels_option, personas_option, runner_option
from eda.debate import casting
from eda.errors import EdaError, UsageError
from eda.events import CallMade
from eda.panels.panel import Library, load_panel
from eda.panels.persona import Persona, load_persona
from eda.report.formatting import money, one_line, shorten
from eda.runners.protocol import Runner
from eda.runners.shipped import close_runner, make_runner
from eda.session.names import slug

T = TypeVar("T")
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_TRADE_ENDS = re.compile(r"[,;:.(]|\s(?:who|whom|whose|that|which|with|without|of|from|in|at|on|for)\b", re.IGNORECASE)
_WHAT = {
    "values": "what it looks for: 3 to 6 noun phrases",
    "fears": "what it looks out for",
    "moved_by": "evidence that changes its mind",
    "openers": "how its sentences begin, in the simulated panel",
    "stubbornness": "0 follows at once, 1 never changes its mind",
    "talkativeness": "0 speaks only when asked, 1 bids for every turn",
}


def _name(_ctx: click.Context, _param: click.Parameter, name: str | None) -> str | None:
    if name is not None and not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", name):
        raise click.BadParameter(f"{name!r} is not made of lowercase letters, digits and hyphens.")
    return name


_name_option = click.option(
    "--name", type=TEXT, callback=_name, help="Its name, and that of its file. Default: made from the words."
)
_runner_option = runner_option("Have a model write it: anthropic[:MODEL] or local:URL. Without it no call is made.")


@click.group()
def new() -> None:
    """Write a persona or a panel as a file to edit. Nothing is overwritten."""


@new.command(short_help="Write a persona from a description.")
@click.argument("description", type=TEXT)
@_name_option
@_runner_option
@personas_option
@json_option
def persona(
    *, description: str, name: str | None, runner: str | None, personas_dir: Path | None, as_json: bool
) -> None:
    """Write a persona from DESCRIPTION: "a hospital pharmacist who has seen three recalls".

    With --runner a model writes it; without, the file is a template to fill in. It goes into --personas-dir, else into
    the folder `personas`.
    """
    description = one_line(description)
    trade = _TRADE_ENDS.split(_ARTICLE.sub("", description))[0].strip()
    if not trade:
        raise UsageError("the description says nobody", hint='Describe one: eda new persona "a hospital pharmacist".')
    name = name or _made_of(trade)
    if name in Library(personas_dir if personas_dir and personas_dir.is_dir() else None, strict=False).personas:
        raise UsageError(f"there is a persona {name!r} already", hint="Give this one another name: --name NAME.")
    path = _free((personas_dir or Path("personas")) / f"{name}.md")
    calls: tuple[CallMade, ...] = ()
    if runner is None:
        made = casting.template_persona(name, trade, description)
    else:
        made, calls = _by_model(runner, lambda model: casting.written_persona(name, description, model))
    _write(path, _persona_text(made), load_persona)
    _tell(path, calls, runner, f"eda debate ... --persona {shlex.quote(str(path))}", as_json=as_json)


@new.command(short_help="Pick a panel for a question.")
@click.option("--question", type=TEXT, required=True, help="What the panel will debate.")
@_name_option
@_runner_option
@personas_option
@panels_option
@json_option
def panel(
    *,
    question: str,
    name: str | None,
    runner: str | None,
    personas_dir: Path | None,
    panels_dir: Path | None,
    as_json: bool,
) -> None:
    """Pick five personas that disagree usefully on a question, each with a reason, and write them as a panel.

    With --runner a model picks; without, the words of the question do. It goes into --panels-dir, else into the folder
    `panels`.
    """
    question = one_line(question)
    library = Library(personas_dir)
    if not question:
        raise UsageError("the question is empty", hint='Give one: --question "Should we ...?"')
    name = name or _made_of(question)
    path = _free((panels_dir or Path("panels")) / f"{name}.toml")
    calls: tuple[CallMade, ...] = ()
    if runner is None:
        made = casting.picked_by_words(question, library.personas)
    else:
        made, calls = _by_model(runner, lambda model: casting.picked_panel(question, library.personas, model))
    members = "".join(f"    # {one_line(seat.why)}\n    {_quoted(seat.name)},\n" for seat in made.members)
    heads = {
        "name": name,
        "title": one_line(made.title or shorten(question, 80))[:120],
        "description": one_line(made.description),
    }
    head = "".join(f"{key} = {_quoted(text)}\n" for key, text in heads.items())
    _write(path, f"{head}members = [\n{members}]\n", lambda written: library.members(load_panel(written)))
    for seat in made.members if not as_json else ():
        note(f"{seat.name}: {one_line(seat.why)}")
    more = f" --personas-dir {shlex.quote(str(personas_dir))}" if personas_dir else ""
    command = f"eda debate {shlex.quote(question)} --panel {shlex.quote(str(path))}{more}"
    why = [{"name": seat.name, "why": one_line(seat.why)} for seat in made.members]
    _tell(path, calls, runner, command, as_json=as_json, members=why)


def _made_of(text: str) -> str:
    name = slug(text)
    if name == slug(""):
        raise UsageError(f"no name of a file can be made of {text!r}", hint="Give one: --name NAME.")
    return name


def _quoted(text: str) -> str:
    """Return a text as TOML writes it, which on one line is as JSON does."""
    return orjson.dumps(text).decode()


def _by_model(spec: str, ask: Callable[[Runner], Awaitable[T]]) -> T:
    if spec.startswith("simulated"):
        raise UsageError(
            "`simulated` is no language model, and writes nobody", hint="Leave out --runner: no model is needed."
        )
    runner = make_runner(spec)

    async def asked() -> T:
        try:
            return await ask(runner)
        finally:
            await close_runner(runner)

    return asyncio.run(asked())


def _persona_text(made: Persona) -> str:
    """Return the file of a persona, with a remark on what each of its keys is for."""
    ours = made.model_dump(mode="json", include={"title", "role", "voice", *_WHAT})
    fields = {"name": made.name, "description": made.description, "eda": ours}
    head = yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=10_000)
    for key, what in _WHAT.items():
        head = re.sub(rf"(?m)^  {key}:.*$", rf"\g<0> # {what}", head, count=1)
    return f"---\n{head}---\n{made.instruction.strip()}\n"


def _free(path: Path) -> Path:
    if path.exists():  # said before a model is paid for
        raise UsageError(f"{path}: there is such a file already", hint="Give another name: --name NAME.")
    return path


def _write(path: Path, text: str, check: Callable[[Path], object]) -> None:
    """Write a new file, and take it away again where it cannot be read as what it should be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(text)
    try:
        check(path)
    except EdaError:
        path.unlink()
        raise


def _tell(
    path: Path, calls: Iterable[CallMade], runner: str | None, command: str, *, as_json: bool, **data: Any
) -> None:
    costs = [call.cost for call in calls]
    if runner is not None and not as_json:
        note(f"cost: {money(sum(cost or 0 for cost in costs), costs.count(None))}")
    done(
        f"{say('sessions-written', path=str(path))}\n{say('sessions-edit-it', command=command)}",
        as_json=as_json,
        path=str(path),
        costs=costs,
        **data,
    )
