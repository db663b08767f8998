"""`eda patterns`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from eda.cli.common import FILE, json_option, print_json
from eda.view.text import fitted

__all__ = ["patterns"]


@click.group()
def patterns() -> None:
    """Look at the patterns that find proposals, decisions and reactions in free text, and check your own."""


@patterns.command()
@click.argument("file", type=FILE, required=False)
@json_option
@click.pass_context
def check(ctx: click.Context, /, *, file: Path | None, as_json: bool) -> None:
    """Try patterns on their own examples.

    Runs every example and counter-example of FILE, or of the patterns that come with EDA, and says of each which
    patterns matched it. Exit code 1 where one did not do what its author says.
    """
    from eda.patterns import PatternPack, default_pack
    from eda.view.reading import check_lines

    rows = (PatternPack.from_toml(file) if file else default_pack()).check()
    wrong = [row for row in rows if not row.ok]
    if as_json:
        print_json(
            [
                {"pattern": r.pattern, "line": r.example, "wanted": r.wanted, "matched": r.matched, "by": list(r.by)}
                for r in rows
            ]
        )
    else:
        for line in check_lines(rows):
            click.echo(fitted(line, sys.stdout))
    ctx.exit(1 if wrong else 0)


@patterns.command("list")
@click.argument("file", type=FILE, required=False)
@json_option
def list_all(*, file: Path | None, as_json: bool) -> None:
    """List patterns: kind, name, confidence, an example.

    Those of FILE, or those that come with EDA.
    """
    from eda.patterns import PatternPack, default_pack
    from eda.view.reading import pattern_lines

    pack = PatternPack.from_toml(file) if file else default_pack()
    if as_json:
        print_json([asdict(pattern) for pattern in pack.patterns])
        return
    for line in pattern_lines(pack):
        click.echo(fitted(line, sys.stdout))
