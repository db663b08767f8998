"""`eda analyze`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eda.cli import interruptible
from eda.cli.common import FILE, TEXT, json_option, json_text, note, patterns_option
from eda.view.text import fitted

if TYPE_CHECKING:
    from eda.patterns import PatternPack

__all__ = ["analyze"]


@click.command()
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--option", "options", type=TEXT, multiple=True, help="A choice on the table; else the first row's `options`."
)
@click.option("--skip-bad", is_flag=True, help="Go on past rows that cannot be read, and count them.")
@click.option("--explain", is_flag=True, help="Say of each item which words and pattern it rests on, and why.")
@patterns_option
@json_option
def analyze(
    *,
    files: tuple[Path, ...],
    options: tuple[str, ...],
    skip_bad: bool,
    explain: bool,
    patterns: PatternPack | None,
    as_json: bool,
) -> None:
    """Find decisions, proposals and positions in recorded transcripts, with no model.

    FILE (`-`: standard input) holds a JSON object a line, with `speaker` and `text`; optional are `id`, `conv`, `t`,
    `topic`, `reply_to`, `question` and, on a conversation's first row, `options`. With --json, an object a conversation
    is printed, one a line.
    """
    from eda.transcripts import analyze as feed
    from eda.transcripts import conversation_report, read_transcripts
    from eda.view.reading import reading_bar, report_lines

    read = [(path, read_transcripts(path, skip_bad=skip_bad)) for path in files]
    interruptible()
    total = sum(len(rows) for _, found in read for rows in found.conversations.values())
    shown: list[str] = []  # below a bar on the same terminal nothing can be written
    say = shown.append if sys.stdout.isatty() else click.echo
    with reading_bar(total) as advance:
        for _, found in read:
            for conv, rows in found.conversations.items():
                memory = feed(rows, options=options, patterns=patterns, on_message=advance)
                report = conversation_report(conv, rows, memory)
                if as_json:
                    say(json_text(report, pretty=False))
                else:
                    for line in report_lines(report, memory.explain if explain else None):
                        say(fitted(line, sys.stdout))
    for line in shown:
        click.echo(line)
    for path, found in read:
        if found.skipped:
            note(f"skipped {found.skipped} bad rows of {path}; the first: {found.first_skipped}")
