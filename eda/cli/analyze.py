"""`eda analyze`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from eda.cli.common import json_text
from eda.cli.kinds import FILE
from eda.cli.options import json_option
from eda.cli.process import interruptible
from eda.cli.transcripts import Minutes, reading_bar, tell_unread, transcript_options
from eda.memory.patterns import PatternPack
from eda.report.formatting import fitted
from eda.report.transcript import minutes_lines


@click.command()
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="FILE...")
@transcript_options
@click.option("--explain", is_flag=True, help="Print for each item the words and the pattern it rests on.")
@json_option
def analyze(
    *,
    files: tuple[Path, ...],
    kind: str | None,
    columns: Mapping[str, str],
    options: tuple[str, ...],
    skip_bad: bool,
    runner: str | None,
    explain: bool,
    patterns: PatternPack | None,
    as_json: bool,
) -> None:
    """Find decisions, proposals and positions in transcripts; without --runner no model is called.

    FILE (`-` for standard input) is of a kind that --as lists. Its first kilobytes say which. Minutes are what talk
    marks (`Proposal:`, `RESOLVED:`, `[PROPOSE]`), and what a model finds. Other passages that may hold a proposal or a
    decision are listed apart, each with a confidence from 0 to 1.

    In captions, consecutive cues of one speaker with at most 2 seconds between them are one message; without a speaker,
    cues are joined until a sentence ends.

    A jsonl file has `speaker` and `text` in each object. Optional fields are `id`, `conv`, `t`, `sent`, `topic`,
    `reply_to`, `question` and, in the first row of a conversation, `options`. With --json, each conversation is printed
    as an object on a line of its own.
    """
    from eda.transcripts import minutes_report, read_transcripts

    interruptible()
    shown: list[str] = []  # below a bar on the same terminal nothing can be written
    say = shown.append if sys.stdout.isatty() else click.echo
    with reading_bar() as bar, Minutes(runner) as minutes:
        read = [(path, read_transcripts(path, kind=kind, columns=columns, skip_bad=skip_bad)) for path in files]
        bar.begin(sum(len(rows) for _, transcript in read for rows in transcript.conversations.values()))
        for _, transcript in read:
            for conv, rows in transcript.conversations.items():
                memory = minutes.of(rows, options=options, patterns=patterns, on_message=bar.advance)
                report = minutes_report(conv, rows, memory)
                if as_json:
                    say(json_text(report, pretty=False))
                else:
                    for line in minutes_lines(report, memory.explain if explain else None):
                        say(fitted(line, sys.stdout))
    for line in shown:
        click.echo(line)
    for path, transcript in read:
        tell_unread(path, transcript)
    minutes.tell_spent()
