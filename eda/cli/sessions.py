"""`eda sessions` lists the sessions of a folder, `eda decisions` what they decided and what became of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from eda.cli.common import TEXT, changed, decided, done, note, print_json, say, speak, spoken
from eda.cli.options import person_option, session_options
from eda.cli.terminal.style import columns, console_for, print_tabbed
from eda.errors import UsageError
from eda.report.formatting import clean, money, one_line
from eda.report.overview import decisions as decided_on, due_since, followed_up, forked_from, overview
from eda.session.names import ARCHIVE, session_names, sessions_folder
from eda.text import regex

UNDERSTOOD = (
    "2026-11-20, 2026-11-20T14:30, today, yesterday, this week, last week, this month, last month, "
    "2 hours ago, 3 days ago, 2 weeks ago"
)
_AGO = regex(r"(?:(\d{1,4}) (hour|day|week)s? ago|in (\d{1,4}) (day|week)s?)")


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
    following = (first + 32 * day).replace(day=1)
    named = {
        "today": (today, today + day),
        "yesterday": (today - day, today),
        "tomorrow": (today + day, today + 2 * day),
        "this week": (monday, monday + 7 * day),
        "last week": (monday - 7 * day, monday),
        "next week": (monday + 7 * day, monday + 14 * day),
        "this month": (first, today + day),
        "last month": ((first - day).replace(day=1), first),
        "next month": (following, (following + 32 * day).replace(day=1)),
    }
    if words in named:
        begin, end = named[words]
    elif (ago := _AGO.fullmatch(words)) and ago[2] == "hour":
        begin, end = now - int(ago[1]) * timedelta(hours=1), now
    elif ago:
        days = (int(ago[3]) if ago[3] else -int(ago[1])) * (day if "day" in (ago[2], ago[4]) else 7 * day)
        begin, end = today + days, today + days + day
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

    def __init__(self, understood: str = UNDERSTOOD, *, numbers: bool = False) -> None:
        self._understood, self._numbers = understood, numbers

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the span or number, or fail with a usage error that lists what is understood."""
        if self._numbers and regex("m?0*[1-9][0-9]{0,8}").fullmatch(value):
            return int(value.removeprefix("m"))
        span = span_of(value, datetime.now())  # noqa: DTZ005 - people mean their own time
        if span is None:
            raise click.BadParameter(f"{value!r} is not understood; these are: {self._understood}.", ctx, param)
        return span


def outcome_text(row: Mapping[str, Any]) -> str:
    """Return what a session came to, in words: the answer, a list's items, `no verdict`, or nothing so far."""
    return "none" if row.get("verdict") and row["outcome"] is None else decided(row.get("outcome"))


def _words(key: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda row: one_line(row.get(key) or "")


# The columns in order: the cell of a session that can be read, and the columns of a terminal from which it is shown.
#
# On a terminal the date is the day where the terminal stands. `played`: what is no model and no person.
_COLUMNS: Mapping[str, tuple[Callable[[Mapping[str, Any]], str], int]] = {
    "session": (_words("session"), 0),
    "question": (lambda row: one_line(row["question"] or f"({row['kind']})"), 0),
    "state": (_words("state"), 0),
    "verdict": (
        lambda row: (
            "; ".join(map(one_line, (row.get("decision") or {}).get("titles") or ())) or one_line(outcome_text(row))
        ),
        80,
    ),
    "margin": (lambda row: "" if row.get("margin") is None else f"{row['margin']:g}", 130),
    "members": (lambda row: ", ".join(map(one_line, row.get("members", ()))), 160),
    "messages": (lambda row: str(row["messages"]), 100),
    "cost": (
        lambda row: money(row.get("cost", 0), row.get("unpriced_calls", 0), marks=row.get("marks", ()), words=spoken()),
        110,
    ),
    "from": (lambda row: forked_from(row, spoken()), 0),
    "date": (lambda row: (row.get("last") or "")[:16].replace("T", " "), 0),
    "played": (lambda row: ", ".join(say("report-mark", how=how) for how in row.get("marks", ())), 0),
}
# Columns of a terminal that are left out where they are empty.
_SELDOM = ("played", "from")
_FIGURES = {"messages", "margin", "cost", "date"}
_STYLES = {"session": "bold", "members": "dim", "played": "yellow", "from": "dim", "date": "dim"}
_STATES = {"ended": "green", "paused": "yellow", "unfinished": "yellow", "running": "cyan", "unreadable": "red"}


_DATE = DateType()
_DAY = DateType("2027-02-20, tomorrow, next week, next month, in 10 days, in 2 weeks")


@click.command()
@click.argument("words", nargs=-1, metavar="[WORD]...")
@click.option("--state", type=click.Choice(list(_STATES)), help="Only sessions in this state.")
@click.option(
    "--since", type=_DATE, metavar="DATE", help="Only sessions that went on at this date or later, such as yesterday."
)
@click.option("--until", type=_DATE, metavar="DATE", help="Only sessions that went on at this date or earlier.")
@click.option("--archived", is_flag=True, help="List those that were put away with `eda archive`.")
@click.option(
    "--audit", is_flag=True, help="List who signed in at `eda serve`, came, left, began or went on; and deletions."
)
@session_options
def sessions(
    *, words: tuple[str, ...], archived: bool, audit: bool, folder: Path | None, as_json: bool, **only: Any
) -> None:
    """List the saved sessions, or those that have each WORD in their name, question, verdict or members.

    A session that cannot be read is listed with the reason. `eda resume` continues a paused or unfinished session.
    `running`: another process is working on it.
    """
    where = sessions_folder(folder) / ARCHIVE if archived else sessions_folder(folder)
    if audit:
        from eda.session.folders import acts_in

        acts = [act for act in acts_in(where) if {*words} <= {*act.values()}]
        if as_json:
            print_json({"acts": acts})
        elif acts:
            print_tabbed(console_for(), [[*act.values()] for act in acts])
        else:
            click.echo(say("sessions-no-acts", where=str(where)))
        return
    names = session_names(where)
    rows = [row for name in names if _wanted(row := overview(where / name), words, **only)]
    rows.sort(key=lambda row: row.get("last") or "", reverse=True)
    _speak_of(rows)
    if as_json:
        print_json({"sessions": rows})
    elif rows:
        print_sessions(rows, console_for())
    else:
        click.echo(say("sessions-none-like" if names else "sessions-none", names=len(names), where=str(where)))


def _speak_of(rows: Sequence[Mapping[str, Any]]) -> None:
    """Have the heads of a list be in the language of its sessions; in the program's where they have several."""
    languages = {row["language"] for row in rows if "error" not in row}
    if len(languages) == 1:
        speak(languages.pop())


def _wanted(
    row: Mapping[str, Any], words: Sequence[str], *, state: str | None, since: Span | None, until: Span | None
) -> bool:
    text = " ".join(
        (row["session"], row.get("question", ""), row.get("panel", ""), *row.get("members", ()), outcome_text(row))
    ).casefold()
    return (
        all(word.casefold() in text for word in words)
        and state in (None, row.get("state", "unreadable"))
        and _in_time(row.get("last"), since, until)
    )


def _in_time(text: str | None, since: Span | None, until: Span | None) -> bool:
    """Return whether a time in ISO form is not before one span begins, and not after another one."""
    at = datetime.fromisoformat(text) if text else None
    after = since is None or (at is not None and since.begin <= at)
    return after and (until is None or (at is not None and at < until.end))


def print_sessions(rows: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print a table on a terminal, with why sessions are unreadable below it; in a pipe, lines with tabs."""
    cells = [_cells(row) for row in rows]
    if not console.is_terminal:
        print_tabbed(console, [list(row.values()) for row in cells])
        return
    names = [
        name
        for name, (_, width) in _COLUMNS.items()
        if console.width >= width and (name not in _SELDOM or any(row[name] for row in cells))
    ]
    table = columns(
        [say("sessions-column", name) for name in names], {say("sessions-column", name) for name in _FIGURES}
    )
    table.columns[0].no_wrap = "verdict" in names  # on a terminal without room for it a session's name is broken
    table.columns[0].overflow = "fold"
    for row, data in zip(cells, rows, strict=True):
        styles = {**_STYLES, "state": _STATES[row["state"]]}
        row |= {
            "question": row["question"] * ("error" not in data),
            "state": say("debate-state", state=row["state"], by="", why=""),
            "verdict": say("diff-none", "outcome") if row["verdict"] == "none" else row["verdict"],
            "date": datetime.fromisoformat(data["last"]).astimezone().date().isoformat() if data.get("last") else "",
        }
        texts = {name: Text(row[name], style=styles.get(name, "")) for name in names}
        for name in {"question", "verdict", "members"} & texts.keys():
            texts[name].no_wrap, texts[name].overflow = True, "ellipsis"
        table.add_row(*texts.values())
    console.print(
        table,
        *(Text(one_line(f"{row['session']}: {row['error']}"), "red") for row in rows if "error" in row),
        sep="\n",
    )


def _cells(row: Mapping[str, Any]) -> dict[str, str]:
    if "error" not in row:
        return {name: cell(row) for name, (cell, _) in _COLUMNS.items()}
    known = {"session": one_line(row["session"]), "question": one_line(row["error"]), "state": "unreadable"}
    return {name: known.get(name, "") for name in _COLUMNS}


@click.command()
@click.argument("words", nargs=-1, type=TEXT, metavar="[WORD]...")
@click.option("--since", type=_DATE, metavar="DATE", help="Only what was decided at this date or later.")
@click.option("--until", type=_DATE, metavar="DATE", help="Only what was decided at this date or earlier.")
@click.option("--owner", metavar="NAME", help="Write down who owns decision ID.")
@click.option(
    "--revisit",
    callback=lambda ctx, param, given: given and _DAY.convert(given, param, ctx).begin.date().isoformat(),
    metavar="DATE",
    help="Write down when to look at it again: 2027-02-20, next month.",
)
@click.option("--outcome", metavar="TEXT", help="Write down what came of it.")
@person_option("writes that down")
@session_options
def decisions(
    *,
    words: tuple[str, ...],
    since: Span | None,
    until: Span | None,
    owner: str | None,
    revisit: str | None,
    outcome: str | None,
    who: str,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Print what was decided in all sessions; with WORDs, such as a question, what fits them, best first.

    \b
      eda decisions what did we decide about billing --since "last month"
      eda decisions ID --owner Ana --revisit 2027-02-20    who looks after it, and when
      eda decisions ID --outcome "It did not hold."        what came of it

    An empty value takes an owner, a date or an outcome away. `eda report ID` has all reasons; `eda recall --all` finds
    what was said.
    """  # noqa: D301 - click leaves the lines after this mark as they are
    from eda.debate.control.changes import FollowedUp

    if {owner, revisit, outcome} != {None}:
        if len(words) != 1:
            raise UsageError("name one session", hint="eda decisions ID --owner NAME; `eda decisions` lists them.")
        (fact,), _ = changed(words[0], folder, [FollowedUp(owner, revisit, outcome, who)])
        done(say("decisions-noted", session=words[0]), as_json=as_json, **fact.model_dump(mode="json", exclude={"at"}))
        return
    where, query = sessions_folder(folder), " ".join(words)
    rows = [row for row in decided_on(where, query) if _in_time(row["decision"]["at"], since, until)]
    _speak_of(rows)
    if as_json:
        print_json({"decisions": rows})
    elif rows:
        print_decisions(rows, console_for())
    else:
        note(say("decisions-none", where=str(where), query=query))


def print_decisions(rows: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print decisions: in a pipe a line each, on a terminal also the answer, the votes and what would change it."""
    from eda.report.phrases import mark_phrase

    for row in rows:
        decision, after = row["decision"], row["decision"]["followed"] or {}
        title = "; ".join(decision["titles"]) or say("decisions-none-won")
        title, day = mark_phrase(row["marks"], spoken()) + one_line(title), decision["at"][:10]
        if console.is_terminal:
            console.print(Text.assemble((f"{day}  ", "dim"), (title, "bold")))
            console.print(Padding(Text("\n".join(map(clean, _told(row)))), (0, 0, 1, 12)))
        else:
            sides = (", ".join(decision[side]) for side in ("for", "against"))
            told = (after.get(name) or "" for name in ("owner", "revisit", "outcome"))
            print_tabbed(console, [[row["session"], day, title, row["question"], *sides, *told]])


def _told(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield what stands below the title of a decision."""
    from eda.report.sections import followed_lines, hinges_on

    decision = row["decision"]
    yield f"{row['session']} · {_COLUMNS['question'][0](row)}"
    yield from (text for text in decision["texts"] if text.rstrip(".") not in decision["titles"])
    for side, stance in (("for", "support"), ("against", "oppose")):
        if who := decision[side]:
            yield say("decisions-votes", stance=stance, count=len(who), who=who)
    yield from (say("decisions-minds", who=each["who"], text=each["text"]) for each in decision["minds"][:2])
    yield from hinges_on(decision, spoken())
    if row["from"]:
        yield say("decisions-experiment", parent=forked_from(row, spoken()))
    yield from followed_lines(followed_up(row), spoken())
    if day := due_since(row, datetime.now().astimezone().date()):
        yield say("decisions-due", day=day)
