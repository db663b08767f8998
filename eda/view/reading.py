"""What `analyze` shows: a bar while it reads, and a short report a conversation."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from eda.view.text import count, listed, one_line

__all__ = ["reading_bar", "report_lines"]


@contextmanager
def reading_bar(total: int) -> Iterator[Callable[[object], None]]:
    """A progress bar on the error stream, where that is a terminal; gives what is to be called for each message."""
    if not sys.stderr.isatty():
        yield lambda _message: None
        return
    from rich.console import Console  # noqa: PLC0415 - a pipe needs none of it
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=total)
        yield lambda _message: bar.advance(task)


def report_lines(report: Mapping[str, Any]) -> list[str]:
    """The report of one conversation."""
    head = [
        count(report["messages"], "message"),
        count(len(report["agents"]), "speaker"),
        count(len(report["decisions"]), "decision"),
        count(len(report["proposals"]), "proposal"),
    ]
    lines = [f"{one_line(report['conv'])}: {', '.join(head)}" + ("; consensus" if report["consensus"] else "")]
    for decision in report["decisions"]:
        by = f", supported by {listed(decision['supporters'])}" if decision["supporters"] else ""
        said = f"{listed(decision['message_ids'])}{by}"
        lines.append(f"  decision {decision['status']}: {one_line(decision['outcome'])} ({said})")
    for proposal in report["proposals"]:
        sides = [f"{r['agent']} {r['reaction']}s" for r in proposal["reactions"] if r["reaction"] != "neutral"]
        by = f"; {listed(sides)}" if sides else ""
        said = f"{one_line(proposal['proposer'])}, {one_line(proposal['message_id'])}{by}"
        lines.append(f"  proposal {proposal['status']}: {one_line(proposal['content'])} ({said})")
    for name, agent in report["agents"].items():
        if agent["last_position"]:
            lines.append(f"  {one_line(name)} last stood for: {one_line(agent['last_position'])}")
    return lines
