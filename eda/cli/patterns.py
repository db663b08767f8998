"""`eda patterns`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from eda.cli.common import print_json, say
from eda.cli.kinds import FILE
from eda.cli.options import json_option
from eda.memory.patterns import CheckRow, PatternPack, default_pack
from eda.report.formatting import fitted, listed, one_line


@click.group(no_args_is_help=False)
def patterns() -> None:
    """List or check the patterns that find proposals, decisions and reactions in free text."""


@patterns.command()
@click.argument("file", type=FILE, required=False)
@json_option
@click.pass_context
def check(ctx: click.Context, /, *, file: Path | None, as_json: bool) -> None:
    """Check patterns against their own examples.

    Runs every example and counter-example in FILE, or in the patterns of EDA, and prints which patterns matched. The
    exit code is 1 if a pattern missed an example or matched a counter-example.
    """
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
        for line in _check_lines(rows):
            click.echo(fitted(line, sys.stdout))
    ctx.exit(1 if wrong else 0)


@patterns.command("list")
@click.argument("file", type=FILE, required=False)
@json_option
def list_all(*, file: Path | None, as_json: bool) -> None:
    """List patterns: kind, name, confidence, an example.

    Lists the patterns in FILE, or those of EDA.
    """
    pack = PatternPack.from_toml(file) if file else default_pack()
    if as_json:
        print_json([asdict(pattern) for pattern in pack.patterns])
        return
    for pattern in pack.patterns:
        example = f"  “{one_line(pattern.examples[0])}”" if pattern.examples else ""
        line = f"{pattern.kind:<10} {one_line(pattern.name):<24} {pattern.confidence:.2f}{example}"
        click.echo(fitted(line, sys.stdout))


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
