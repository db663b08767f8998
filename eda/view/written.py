"""Writes the report into a session's folder: `report.md` to read, `report.json` for programs."""

from __future__ import annotations

from dataclasses import dataclass

from eda.memory import ConversationMemory
from eda.progress import Progress
from eda.protocols import Runner
from eda.replay import memory_of, progress_of, publisher
from eda.report import Report, report_of, write_prose
from eda.session import Session
from eda.view.report import report_data, report_markdown

__all__ = ["Written", "is_model", "write_report"]


@dataclass(frozen=True, slots=True)
class Written:
    """A report, and what became of asking a model for its prose."""

    report: Report
    markdown: str
    failed: str = ""
    """Why there is no prose of a model; empty where there is, or none was asked for."""


async def write_report(
    session: Session,
    runner: Runner | None = None,
    *,
    progress: Progress | None = None,
    memory: ConversationMemory | None = None,
) -> Written:
    """Write the report on a session that has a verdict.

    Args:
        session: Open for writing.
        runner: Is asked for the prose, once; None, or one that is no language model, for what memory holds, and what a
            model wrote before.
        progress: Of the session, where it is at hand.
        memory: As well.

    Raises:
        UsageError: there is no verdict.
        SessionError: the session is open for reading only, or the disk refused a fact.
    """
    progress, memory = progress or progress_of(session), memory or memory_of(session)
    report, failed = report_of(session, progress, memory), ""
    if runner is not None and is_model(runner):
        publish = publisher(session, progress, memory)
        failed = await write_prose(session, progress, memory, report, runner, publish)
        report = report_of(session, progress, memory)
    markdown = report_markdown(report)
    session.write_report(markdown, report_data(report))
    return Written(report, markdown, failed)


def is_model(runner: Runner) -> bool:
    """Whether a runner can put a debate in words of its own."""
    return bool(getattr(runner, "summarises", True))
