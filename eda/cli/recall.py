"""`eda recall`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eda.cli.common import TEXT, Whole, json_option, note, print_json, sessions_option
from eda.errors import EdaError, UsageError

if TYPE_CHECKING:
    from eda.records import Recalled

__all__ = ["recall"]


@click.command()
@click.argument("words", metavar="[ID] QUERY...", nargs=-1, required=True, type=TEXT)
@click.option("-k", "--limit", "limit", type=Whole(), default=10, show_default=True, help="Messages to show.")
@click.option("--speaker", type=TEXT, metavar="NAME", help="Only what this speaker said.")
@click.option("--since", type=Whole(), metavar="N", help="Only from message N on.")
@click.option("--until", type=Whole(), metavar="N", help="Only up to message N.")
@click.option("--topic", type=TEXT, metavar="TOPIC", help="Only under this topic of an imported transcript.")
@click.option("--all", "everywhere", is_flag=True, help="Search all sessions of the folder; leave ID out.")
@sessions_option
@json_option
def recall(
    *,
    words: tuple[str, ...],
    limit: int,
    speaker: str | None,
    since: int | None,
    until: int | None,
    topic: str | None,
    everywhere: bool,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Find what was said about QUERY in session ID: the best match first, each with its message number.

    Every message is searched, whatever its age. The words need not be in order, and their endings do not matter.
    """
    from eda.memory.embeddings import broken

    filters = {"speaker": speaker, "since": since, "until": until, "topic": topic}
    found: list[tuple[str, Recalled]] = []
    if everywhere:
        found = _in_all(" ".join(words), limit, filters, folder)
    else:
        if len(words) == 1:
            raise UsageError(
                "what is to be found?",
                hint=f'eda recall {words[0]} "the date of the contract", or: eda recall --all ...',
            )
        found = [(words[0], item) for item in _in_one(words[0], " ".join(words[1:]), limit, filters, folder)]
    if reason := broken():
        note(reason)
    rows = [_row(session, item) for session, item in found]
    if as_json:
        print_json({"query": " ".join(words if everywhere else words[1:]), "found": rows})
        return
    if not rows:
        note("nothing was found; try other words")
    from eda.view.recalled import print_recalled
    from eda.view.style import console_for

    print_recalled(found, console_for(), named=everywhere)


def _row(session: str, item: Recalled) -> dict[str, Any]:
    return {
        "session": session,
        "message_id": item.message_id,
        "who": item.who,
        "text": item.text,
        "score": round(item.score, 4),
    }


def _in_one(name: str, query: str, limit: int, filters: dict[str, Any], folder: Path | None) -> tuple[Recalled, ...]:
    from eda.replay import memory_of
    from eda.session import Session

    with Session.read(name, folder) as session:
        session.started()
        return memory_of(session).recall(query, limit, **filters)


def _in_all(query: str, limit: int, filters: dict[str, Any], folder: Path | None) -> list[tuple[str, Recalled]]:
    from eda.memory.wording import words
    from eda.session import session_names, sessions_folder

    where = sessions_folder(folder)
    found: list[tuple[str, Recalled]] = []
    for name in session_names(where):
        try:
            found += [(name, item) for item in _in_one(name, query, limit, filters, where)]
        except UsageError:
            raise
        except EdaError as error:
            note(f"{name} is left out: {error}")
    asked = words(query)
    # Scores of two sessions do not compare: a word may be rare in one and common in the other. Words in common do.
    return sorted(found, key=lambda pair: (-len(words(pair[1].text) & asked), -pair[1].score))[:limit]
