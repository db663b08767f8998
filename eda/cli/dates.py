"""Reads dates as people write them, in the time of this computer: `2026-11-20`, `yesterday`, `3 days ago`."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import click

UNDERSTOOD = (
    "2026-11-20, 2026-11-20T14:30, today, yesterday, this week, last week, this month, last month, "
    "2 hours ago, 3 days ago, 2 weeks ago"
)
_AGO = re.compile(r"(\d{1,4}) (hour|day|week)s? ago")


class Span(NamedTuple):
    """When a day, a week, a month or a minute begins and ends; both have a time zone."""

    begin: datetime
    end: datetime


def span_of(text: str, now: datetime) -> Span | None:
    """Return the span that a text names, None if it names none; `now` is a local time without a zone."""
    words = " ".join(text.lower().split())
    day, minute = timedelta(days=1), timedelta(minutes=1)
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    monday, first = today - today.weekday() * day, today.replace(day=1)
    named = {
        "today": (today, today + day),
        "yesterday": (today - day, today),
        "this week": (monday, monday + 7 * day),
        "last week": (monday - 7 * day, monday),
        "this month": (first, today + day),
        "last month": ((first - day).replace(day=1), first),
    }
    if words in named:
        begin, end = named[words]
    elif (ago := _AGO.fullmatch(words)) and ago[2] == "hour":
        begin, end = now - int(ago[1]) * timedelta(hours=1), now
    elif ago:
        begin = today - int(ago[1]) * (day if ago[2] == "day" else 7 * day)
        end = begin + day
    else:
        try:
            begin = datetime.fromisoformat(text.strip())
            end = begin + (day if len(text.strip()) == len("2026-11-20") else minute)
        except (ValueError, OverflowError):
            return None
    try:
        return Span(begin.astimezone(), end.astimezone())
    except (ValueError, OverflowError):  # before the first year, or after the last
        return None


class DateType(click.types.StringParamType):
    """A date in words or figures, as a `Span`; with `numbers`, the number of a message is an `int`."""

    name = "date"

    def __init__(self, *, numbers: bool = False) -> None:
        self._numbers = numbers

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the span or number, or fail with a usage error that lists what is understood."""
        if self._numbers and re.fullmatch("m?0*[1-9][0-9]{0,8}", value):
            return int(value.removeprefix("m"))
        span = span_of(value, datetime.now())  # noqa: DTZ005 - people mean their own time
        if span is None:
            what = "is no message and no date" if self._numbers else "is no date"
            messages = "m12, " if self._numbers else ""
            self.fail(f"{value!r} {what}; understood are {messages}{UNDERSTOOD}.", param, ctx)
        return span
