"""`eda recall`: finds what was said, in a session or in all of them."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from eda.cli.common import TEXT, Whole, note, print_json, say, spoken_of
from eda.cli.options import place_of, session_options
from eda.cli.sessions import UNDERSTOOD, DateType, Span
from eda.cli.terminal.style import console_for, print_tabbed
from eda.debate.replay import memory_of
from eda.errors import EdaError, UsageError
from eda.events import MessagePosted, Recalled
from eda.report.formatting import clean, one_line
from eda.session import Session
from eda.session.fork import between
from eda.session.names import session_names, sessions_folder
from eda.text import words


class Found(NamedTuple):
    """A message that a search found, and its session."""

    session: str
    item: Recalled
    posted: MessagePosted | None = None  # The message, where it is imported.


_WHEN = DateType(f"m12, {UNDERSTOOD}", numbers=True)


@click.command()
@click.argument("words", metavar="[ID] QUERY...", nargs=-1, required=True, type=TEXT)
@click.option("-k", "--limit", "limit", type=Whole(), default=10, show_default=True, help="Number of messages to show.")
@click.option("--speaker", type=TEXT, metavar="NAME", help="Only messages of this speaker.")
@click.option("--since", type=_WHEN, metavar="WHEN", help="Only this message (m12), or this date, and later.")
@click.option("--until", type=_WHEN, metavar="WHEN", help=f"Only this and earlier. Dates: {UNDERSTOOD}.")
@click.option("--topic", type=TEXT, metavar="TOPIC", help="Only messages on this topic of an imported transcript.")
@click.option("--all", "everywhere", is_flag=True, help="Search all sessions in the folder; leave out ID.")
@session_options
def recall(
    *,
    words: tuple[str, ...],
    limit: int,
    everywhere: bool,
    folder: Path | None,
    as_json: bool,
    **filters: Any,
) -> None:
    """Find messages about QUERY in session ID, best match first.

    All messages are searched, old ones too. The order and the endings of the words do not matter.
    """
    if len(words) == 1 and not everywhere:
        raise UsageError(
            "there are no words to search for",
            hint=f'eda recall {words[0]} "the date of the contract", or: eda recall --all ...',
        )
    name, query = ("", " ".join(words)) if everywhere else (words[0], " ".join(words[1:]))
    of = (query, limit, filters, folder)
    matches = _in_all(*of) if everywhere else _in_one(name, *of)
    rows = [
        {
            "session": session,
            **asdict(item),
            "score": round(item.score, 4),
            **({} if fact is None else {"source_id": fact.ref, "t": fact.t, "sent": fact.sent}),
        }
        for session, item, fact in matches
    ]
    if as_json:
        print_json({"query": query, "found": rows})
        return
    if not rows:
        where = sessions_folder(folder)
        note(say("sessions-no-message", session=name, names=len(session_names(where)), where=str(where)))

    print_recalled(matches, console_for(), named=everywhere)


def _in_one(name: str, query: str, limit: int, filters: dict[str, Any], folder: Path | None) -> list[Found]:
    with spoken_of(Session.read(place_of(name), folder)) as session:
        imported = session.started().kind == "transcript"
        if (span := _numbers(session, filters["since"], filters["until"])) is None:
            return []
        items = memory_of(session).recall(query, limit, **{**filters, "since": span[0], "until": span[1]})
        return [Found(session.name, item, _posted(session, item.message_id) if imported else None) for item in items]


def _posted(session: Session, number: int) -> MessagePosted | None:
    facts = between(session, number, number)
    return next((fact for fact in facts if isinstance(fact, MessagePosted) and fact.number == number), None)


def _numbers(session: Session, since: int | Span | None, until: int | Span | None) -> tuple[Any, Any] | None:
    """Return the first and the last message to search; None where no message was posted in that time.

    Raises:
        UsageError: the second date is before the first.
    """
    if not (isinstance(since, Span) or isinstance(until, Span)):
        return since, until
    if isinstance(since, Span) and isinstance(until, Span) and since.begin >= until.end:
        raise UsageError("--until is before --since", hint="Swap the two.")
    numbers = [
        event.number
        for event in session.events()
        if isinstance(event, MessagePosted) and _is_within(event, since, until)
    ]
    return (numbers[0], numbers[-1]) if numbers else None


def _is_within(message: MessagePosted, since: int | Span | None, until: int | Span | None) -> bool:
    when = message.sent.astimezone() if message.sent else message.at  # by its source, or by EDA
    if when is None:
        return False
    after = when >= since.begin if isinstance(since, Span) else message.number >= (since or 1)
    return after and (when < until.end if isinstance(until, Span) else until is None or message.number <= until)


def _in_all(query: str, limit: int, filters: dict[str, Any], folder: Path | None) -> list[Found]:
    where = sessions_folder(folder)
    matches: list[Found] = []
    for name in session_names(where):
        try:
            matches += _in_one(name, query, limit, filters, where)
        except UsageError:
            raise
        except EdaError as error:
            note(say("sessions-left-out", name=name, error=str(error)))
    query_words = words(query)
    # Scores of two sessions do not compare: a word may be rare in one and common in the other. Words in common do.
    return sorted(matches, key=lambda one: (-len(words(one.item.text) & query_words), -one.item.score))[:limit]


def print_recalled(matches: Sequence[Found], console: Console, *, named: bool) -> None:
    """Print messages, best match first; with `named`, each with its session."""
    for session, item, posted in matches:
        where = [one_line(session)] if named else []
        number = f"m{item.message_id}" + (f" {one_line(posted.ref)}" if posted and posted.ref else "")
        if not console.is_terminal:
            print_tabbed(console, [[*where, number, item.who, item.text]])
            continue
        head = Text.assemble(*((f"{each}  ", "dim") for each in (*where, number)), (one_line(item.who), "bold"))
        console.print(head)
        console.print(Padding(Text(clean(item.text)), (0, 0, 1, 2)))
