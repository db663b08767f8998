"""What `analyze` shows: a bar while it reads, and a short report a conversation."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from eda.patterns import CheckRow, PatternPack
from eda.view.text import clean, count, listed, one_line

__all__ = ["check_lines", "pattern_lines", "reading_bar", "report_lines"]


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


def report_lines(report: Mapping[str, Any], explain: Callable[[str], str] | None = None) -> list[str]:
    """The report of one conversation; with what each item rests on where `explain` says it."""
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
        lines += _reasons(decision["id"], explain)
    for proposal in report["proposals"]:
        sides = [f"{r['agent']} {r['reaction']}s" for r in proposal["reactions"] if r["reaction"] != "neutral"]
        by = f"; {listed(sides)}" if sides else ""
        said = f"{one_line(proposal['proposer'])}, {one_line(proposal['message_id'])}{by}"
        lines.append(f"  proposal {proposal['status']}: {one_line(proposal['content'])} ({said})")
        lines += _reasons(proposal["id"], explain)
    for name, agent in report["agents"].items():
        if agent["last_position"]:
            lines.append(f"  {one_line(name)} last stood for: {one_line(agent['last_position'])}")
    return lines


def check_lines(rows: Sequence[CheckRow]) -> list[str]:
    """What each example and counter-example of a pack came to, then how many did as they should."""
    lines = []
    for row in rows:
        verdict = "ok   " if row.ok else "WRONG"
        wanted = "finds" if row.wanted else "leaves alone"
        by = f"matched by {listed(row.by)}" if row.by else "matched by none"
        lines.append(f"{verdict} {one_line(row.pattern)} {wanted} “{one_line(row.example)}” ({by})")
    wrong = sum(not row.ok for row in rows)
    done = count(len(rows), "line")
    lines.append(f"{done} checked, {wrong} wrong" if wrong else f"{done} checked, all as they should be")
    return lines


def pattern_lines(pack: PatternPack) -> list[str]:
    """One line a pattern: kind, name, confidence, an example."""
    return [
        f"{pattern.kind:<10} {one_line(pattern.name):<24} {pattern.confidence:.2f}"
        + (f"  “{one_line(pattern.examples[0])}”" if pattern.examples else "")
        for pattern in pack.patterns
    ]


def _reasons(item: str, explain: Callable[[str], str] | None) -> list[str]:
    return [f"    {clean(line)}" for line in explain(item).splitlines()] if explain else []
