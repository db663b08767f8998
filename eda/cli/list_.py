"""`eda list`: what can be named in a command, a format or a file of settings."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from eda.cli.common import TEXT, note, print_json, say
from eda.cli.options import json_option, panels_option, personas_option
from eda.cli.terminal.style import console_for, line, prose, under
from eda.errors import UnknownNameError
from eda.panels.agenda import agenda_file, agenda_names, load_agenda
from eda.panels.panel import Library, Panel
from eda.panels.persona import Persona, modelled
from eda.panels.registry import FLOORS, PHASES, RULES, RUNNERS, STOPS, SUMMARISERS, TRANSCRIPTS, Registry
from eda.report.formatting import clean, listed, one_line
from eda.runners.models import model_table

_REGISTRIES: dict[str, Registry] = {
    "rules": RULES,
    "floors": FLOORS,
    "stops": STOPS,
    "phases": PHASES,
    "summarisers": SUMMARISERS,
    "runners": RUNNERS,
    "transcripts": TRANSCRIPTS,
}
_KINDS = ("formats", "personas", "panels", *_REGISTRIES, "models")


@click.command("list")
@click.argument("kind", type=click.Choice(_KINDS), required=False, metavar="[KIND]")
@click.argument("name", type=TEXT, required=False)
@personas_option
@panels_option
@json_option
def list_(
    *,
    kind: str | None,
    name: str | None,
    personas_dir: Path | None,
    panels_dir: Path | None,
    as_json: bool,
) -> None:
    """List what can be named, or what is of one KIND, or show the one of it that is called NAME.

    KIND is formats, personas, panels, rules, floors, stops, phases, summarisers, runners, transcripts or
    models. NAME can be the file of a format, a persona or a panel.
    """
    if name and kind not in ("formats", "personas", "panels"):
        raise click.UsageError(f"{kind} have a line each, and no more to show")
    library = Library(personas_dir, panels=panels_dir, strict=False)
    if kind == "formats":
        _show_formats(name, as_json=as_json)
    elif kind in ("personas", "panels"):
        _show_people(kind, name, library, as_json=as_json)
    elif kind == "models":
        models = {model.id: model.model_dump(mode="json", exclude={"id"}) for model in model_table().model}
        _print_lines(models, dict.fromkeys(models, ""), as_json=as_json)
    elif kind is not None:
        lines = _REGISTRIES[kind].lines()
        _print_lines(lines, lines, as_json=as_json)
    else:
        every = {
            "formats": list(agenda_names()),
            "personas": list(library.personas),
            "panels": list(library.panels),
            **{each: list(registry.names()) for each, registry in _REGISTRIES.items()},
            "models": [model.id for model in model_table().model],
        }
        _print_lines(every, {each: ", ".join(names) for each, names in every.items()}, as_json=as_json)


def _print_lines(data: object, lines: dict[str, str], *, as_json: bool) -> None:
    """Print each name with its line below it."""
    if as_json:
        print_json(data)
        return
    for name, told in lines.items():
        _block(console_for(), Text(one_line(name), style="bold"), one_line(told), indent=2)


def _block(console: Console, head: Text, *below: str | Text, indent: int = 3) -> None:
    """Print a head, and what stands below it, but for what is empty."""
    line(console, head)
    for text in below:
        if text:
            under(console, Text(text) if isinstance(text, str) else text, indent)


def _show_formats(name: str | None, *, as_json: bool) -> None:
    """Print the debate formats, or one: its name, or the path of its file."""
    agendas = [load_agenda(known) for known in ([name] if name else agenda_names())]
    console = console_for()
    if as_json:
        data = [agenda.model_dump(mode="json") for agenda in agendas]
        print_json(data[0] if name else data)
    elif name:
        _print_keys(console, agendas[0].model_dump(mode="json", exclude_defaults=True))
        line(console, Text("\n" + say("formats-file", path=agenda_file(name)), style="dim"))
    else:
        for agenda in agendas:
            phases = Text(" > ".join(phase.name for phase in agenda), style="dim")
            promise = say("formats-promise", promise=one_line(agenda.promise))
            _block(console, Text(agenda.name, style="bold"), one_line(agenda.description), promise, phases)


def _print_keys(console: Console, given: Mapping[str, Any], indent: int = 0) -> None:
    """Print what a format, a persona or a panel sets, by the keys of its file; of a floor or rule also its line."""
    for key, value in given.items():
        several = value if isinstance(value, list) else ()
        told = _LINED[key].lines().get(value, "") if key in _LINED else ""
        alone = "" if several else clean(f"{value}: {told}" if told else str(value)).strip()
        under(console, Text.assemble((key.replace("_", " "), "bold"), "  ", alone), indent)
        for each in several:
            if isinstance(each, dict):
                _print_keys(console, each, indent + 4)
            else:
                under(console, prose(f"· {each}"), indent + 2)


_LINED: Mapping[str, Registry] = {"floor": FLOORS, "rule": RULES}


def _show_people(kind: str, name: str | None, library: Library, *, as_json: bool) -> None:
    """Print the `personas` or the `panels`, or the persona or panel that is called `name`."""
    entry = _named(library, name) if name is not None else None
    shown = [entry] if entry else [*(library.personas if kind == "personas" else library.panels).values()]
    if as_json:
        data = [each.model_dump(mode="json") for each in shown]
        print_json(data[0] if entry else data)
    elif entry is not None:
        keys = entry.model_dump(mode="json", exclude_defaults=True)  # what its file sets
        if isinstance(entry, Panel):
            keys["members"] = [f"{_head(each).plain}: {each.description}" for each in library.members(entry)]
        _print_keys(console_for(), keys)
    else:
        for each in shown:
            names = listed(each.members) if isinstance(each, Panel) else ""
            _block(console_for(), _head(each), prose(each.description), Text(names, "dim"), indent=4)
    asking = modelled(each for each in shown if isinstance(each, Persona))
    if asking and not as_json:
        note(say("formats-personas-models", asking=tuple(asking)))
    for error in library.errors:
        note(f"broken: {error}" + (f" ({error.hint})" if error.hint else ""))


def _named(library: Library, name: str) -> Persona | Panel:
    for find in (library.persona, library.panel):
        try:
            return find(name, files=True)
        except UnknownNameError:
            continue
    raise UnknownNameError("persona or panel", name, {*library.personas, *library.panels})


def _head(entry: Persona | Panel) -> Text:
    if isinstance(entry, Panel):
        return Text(entry.name, "bold")
    return Text.assemble((entry.name, "bold"), f"  {one_line(entry.title)}", (f", {one_line(entry.role)}", "dim"))
