"""`eda list`: what can be named in a command, a format or a file of settings."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

import click
from rich.text import Text

from eda.cli.common import print_json, say
from eda.cli.formats import show_formats
from eda.cli.kinds import Named
from eda.cli.names import FORMAT, PERSONA_OR_PANEL
from eda.cli.options import json_option, panels_option, personas_option
from eda.cli.personas import show_people
from eda.cli.terminal.style import console_for, line, under
from eda.memory.patterns import CheckRow, PatternPack, default_pack
from eda.panels.agenda import agenda_names
from eda.panels.library import Library
from eda.panels.registry import FLOORS, PHASES, RULES, RUNNERS, STOPS, SUMMARISERS, TRANSCRIPTS, Registry
from eda.report.formatting import fitted, listed, one_line
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
_KINDS = ("formats", "personas", "panels", *_REGISTRIES, "models", "patterns")


def _names(ctx: click.Context) -> Iterable[str]:
    kinds = {"formats": FORMAT, "personas": PERSONA_OR_PANEL, "panels": PERSONA_OR_PANEL}
    named = kinds.get(ctx.params.get("kind", ""))
    return named.names(ctx) if named else ()


@click.command("list")
@click.argument("kind", type=click.Choice(_KINDS), required=False, metavar="[KIND]")
@click.argument("name", type=Named(_names), required=False)
@click.option("--check", is_flag=True, help="Check patterns against their own examples; exit 1 if one is wrong.")
@personas_option
@panels_option
@json_option
@click.pass_context
def list_(
    ctx: click.Context,
    /,
    *,
    kind: str | None,
    name: str | None,
    check: bool,
    personas_dir: Path | None,
    panels_dir: Path | None,
    as_json: bool,
) -> None:
    """List what can be named, or what is of one KIND, or show the one of it that is called NAME.

    KIND is formats, personas, panels, rules, floors, stops, phases, summarisers, runners, transcripts, models or
    patterns. NAME can be the file of a format, a persona, a panel, or of patterns of your own.
    """
    if check and kind != "patterns":
        raise click.UsageError("--check needs the kind `patterns`")
    if name and kind not in ("formats", "personas", "panels", "patterns"):
        raise click.UsageError(f"{kind} have a line each, and no more to show")
    if kind == "formats":
        show_formats(name, as_json=as_json)
    elif kind in ("personas", "panels"):
        show_people(kind, name, Library(personas_dir, panels=panels_dir, strict=False), as_json=as_json)
    elif kind == "patterns":
        pack = PatternPack.from_toml(Path(name)) if name else default_pack()
        ctx.exit(_check(pack, as_json=as_json) if check else _show_patterns(pack, as_json=as_json))
    elif kind == "models":
        models = {model.id: model.model_dump(mode="json", exclude={"id"}) for model in model_table().model}
        _print_lines(models, dict.fromkeys(models, ""), as_json=as_json)
    elif kind is not None:
        lines = _REGISTRIES[kind].lines()
        _print_lines(lines, lines, as_json=as_json)
    else:
        library = Library(personas_dir, panels=panels_dir, strict=False)
        every = {"formats": list(agenda_names()), "personas": list(library.personas), "panels": list(library.panels)}
        every |= {each: list(registry.names()) for each, registry in _REGISTRIES.items()}
        every["models"] = [model.id for model in model_table().model]
        every["patterns"] = [pattern.name for pattern in default_pack().patterns]
        _print_lines(every, {each: ", ".join(names) for each, names in every.items()}, as_json=as_json)


def _print_lines(data: object, lines: dict[str, str], *, as_json: bool) -> None:
    """Print each name with its line below it."""
    if as_json:
        print_json(data)
        return
    console = console_for()
    for name, told in lines.items():
        line(console, Text(one_line(name), style="bold"))
        if told:
            under(console, Text(one_line(told)), 2)


def _show_patterns(pack: PatternPack, *, as_json: bool) -> int:
    """Print the kind, the name, the confidence and an example of each pattern."""
    if as_json:
        print_json([asdict(pattern) for pattern in pack.patterns])
        return 0
    for pattern in pack.patterns:
        example = f"  “{one_line(pattern.examples[0])}”" if pattern.examples else ""
        told = f"{pattern.kind:<10} {one_line(pattern.name):<24} {pattern.confidence:.2f}{example}"
        click.echo(fitted(told, sys.stdout))
    return 0


def _check(pack: PatternPack, *, as_json: bool) -> int:
    """Run each example and counter-example, print what matched, and return the exit code."""
    rows = pack.check()
    if as_json:
        print_json(
            [
                {"pattern": r.pattern, "line": r.example, "wanted": r.wanted, "matched": r.matched, "by": list(r.by)}
                for r in rows
            ]
        )
    else:
        for told in _check_lines(rows):
            click.echo(fitted(told, sys.stdout))
    return 0 if all(row.ok for row in rows) else 1


def _check_lines(rows: Sequence[CheckRow]) -> list[str]:
    """Return the result of each example and counter-example, then how many are wrong."""
    lines = []
    for row in rows:
        verdict = "ok   " if row.ok else "WRONG"
        wanted = "finds" if row.wanted else "leaves alone"
        by = f"matched by {listed(row.by)}" if row.by else "matched by none"
        lines.append(f"{verdict} {one_line(row.pattern)} {wanted} “{one_line(row.example)}” ({by})")
    wrong = sum(not row.ok for row in rows)
    lines.append(say("sessions-patterns-checked", lines=len(rows), wrong=wrong))
    return lines
