"""A report in each of its forms: Markdown, JSON, and one HTML file."""

from __future__ import annotations

from dataclasses import dataclass

from eda.memory import ConversationMemory
from eda.report.html import report_html
from eda.report.markdown import report_data, report_markdown
from eda.report.model import Report
from eda.session import Session


@dataclass(frozen=True, slots=True)
class Written:
    """A report, and why no model wrote its prose."""

    report: Report
    markdown: str
    failed: str = ""
    """Why no model wrote the prose; empty where one did, or none was asked."""
    page: str = ""
    """The same as one HTML file."""


def save_report(session: Session, report: Report, memory: ConversationMemory, failed: str = "") -> Written:
    """Write a report into the folder of its session, in each of its forms, and return it.

    Raises:
        SessionError: the session is open for reading only, or the disk refused.
    """
    written = in_each_form(session, report, memory, failed)
    session.write_report(written.markdown, report_data(report), written.page)
    return written


def in_each_form(session: Session, report: Report, memory: ConversationMemory, failed: str = "") -> Written:
    """Return a report as Markdown and as a page."""
    return Written(report, report_markdown(report), failed, report_html(report, session, memory))
