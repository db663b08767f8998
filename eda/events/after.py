"""Facts about a verdict, made after it: the same question without a debate, and the prose of the report."""

from __future__ import annotations

from typing import Literal

from eda.events.base import Event, Frozen
from eda.records import Cited

__all__ = ["BaselineTaken", "ReportWritten", "SingleAnswer"]


class SingleAnswer(Frozen):
    """What the speaker's model answers to the question alone."""

    text: str
    choice: str | None
    """What it takes; None where that could not be read."""


class BaselineTaken(Event):
    """The question was asked without a debate, as often as the debate's tokens paid for."""

    type: Literal["baseline_taken"] = "baseline_taken"
    choices: tuple[str, ...]
    answers: tuple[SingleAnswer, ...]
    outcome: str | None
    """The choice that most answers take; None where two are level, or none could be read."""
    tokens: int = 0
    """Of all answers, in and out."""


class ReportWritten(Event):
    """A model wrote the prose of the report. Each quote stands in the message that it names."""

    type: Literal["report_written"] = "report_written"
    verdict: str
    """A sentence or two: why it came out so, and what follows; empty where nothing of it could be kept."""
    reasons: tuple[Cited, ...] = ()
    dissent: tuple[Cited, ...] = ()
    risks: tuple[Cited, ...] = ()
    open: tuple[Cited, ...] = ()
    dropped: tuple[Cited, ...] = ()
    """What was left out, because its quote is not in the message that it names."""
    by: str = ""
    """The model."""
