"""`eda analyze`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click

from eda.cli import interruptible
from eda.cli.common import json_text, note
from eda.cli.options import FILE, TEXT, json_option, patterns_option
from eda.memory.patterns import PatternPack
from eda.report.formatting import clean, count, fitted, listed, one_line
from eda.text import MAX_MESSAGE


@click.command()
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--option", "options", type=TEXT, multiple=True, help="An option to vote on. Default: the first row's `options`."
)
@click.option("--skip-bad", is_flag=True, help="Skip and count rows that cannot be read.")
@click.option("--explain", is_flag=True, help="Print for each item the words and the pattern it rests on.")
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
    """Find decisions, proposals and positions in transcripts, without a model.

    FILE (`-` for standard input) has one JSON object on each line, with `speaker` and `text`. Optional fields are `id`,
    `conv`, `t`, `topic`, `reply_to`, `question` and, in the first row of a conversation, `options`. With --json, each
    conversation is printed as an object on a line of its own.
    """
    from eda.debate.transcripts import analyze as feed
    from eda.debate.transcripts import conversation_report, read_transcripts

    interruptible()
    shown: list[str] = []  # below a bar on the same terminal nothing can be written
    say = shown.append if sys.stdout.isatty() else click.echo
    with _reading_bar() as bar:
        read = [(path, read_transcripts(path, skip_bad=skip_bad)) for path in files]
        bar.begin(sum(len(rows) for _, transcript in read for rows in transcript.conversations.values()))
        for _, transcript in read:
            for conv, rows in transcript.conversations.items():
                memory = feed(rows, options=options, patterns=patterns, minutes_only=True, on_message=bar.advance)
                report = conversation_report(conv, rows, memory)
                if as_json:
                    say(json_text(report, pretty=False))
                else:
                    for line in _report_lines(report, memory.explain if explain else None):
                        say(fitted(line, sys.stdout))
    for line in shown:
        click.echo(line)
    for path, transcript in read:
        if transcript.skipped:
            note(f"skipped {transcript.skipped} bad rows of {path}; the first: {transcript.first_skipped}")
        if transcript.too_long:
            note(f"cut {count(transcript.too_long, 'message')} of {path} at {MAX_MESSAGE:,} characters")


class _Bar(NamedTuple):
    begin: Callable[[int], object]
    """To be called with the number of messages, once it is known."""
    advance: Callable[[object], object]
    """To be called with each message."""


@contextmanager
def _reading_bar() -> Iterator[_Bar]:
    """Show a progress bar if the error stream is a terminal."""
    if not sys.stderr.isatty():
        yield _Bar(lambda _total: None, lambda _message: None)
        return
    from rich.console import Console  # a pipe needs none of it
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)
        yield _Bar(lambda total: bar.update(task, total=total), lambda _message: bar.advance(task))


def _report_lines(report: Mapping[str, Any], explain: Callable[[str], str] | None = None) -> list[str]:
    """Return the report on one conversation; with `explain`, also what each item rests on."""
    head = [
        count(report["messages"], "message"),
        count(len(report["agents"]), "speaker"),
        count(len(report["decisions"]), "decision"),
        count(len(report["proposals"]), "proposal"),
    ]
    lines = [f"{one_line(report['conv'])}: {', '.join(head)}" + ("; consensus" if report["consensus"] else "")]
    for decision in report["decisions"]:
        by = f", supported by {listed(decision['supporters'])}" if decision["supporters"] else ""
        about = f"{listed(decision['message_ids'])}{by}"
        lines.append(f"  decision {decision['status']}: {one_line(decision['outcome'])} ({about})")
        lines += _reasons(decision["id"], explain)
    for proposal in report["proposals"]:
        sides = [f"{r['agent']} {r['reaction']}s" for r in proposal["reactions"] if r["reaction"] != "neutral"]
        by = f"; {listed(sides)}" if sides else ""
        about = f"{one_line(proposal['proposer'])}, {one_line(proposal['message_id'])}{by}"
        lines.append(f"  proposal {proposal['status']}: {one_line(proposal['content'])} ({about})")
        lines += _reasons(proposal["id"], explain)
    for name, agent in report["agents"].items():
        if agent["last_position"]:
            lines.append(f"  {one_line(name)} last stood for: {one_line(agent['last_position'])}")
    return lines


def _reasons(item: str, explain: Callable[[str], str] | None) -> list[str]:
    return [f"    {clean(line)}" for line in explain(item).splitlines()] if explain else []
