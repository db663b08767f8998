"""`frames`: the facts of a session as rows, to be read by pandas, polars or a loop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from eda.events import (
    NONE,
    BallotCast,
    CallMade,
    Event,
    MessagePosted,
    PhaseStarted,
    StanceTaken,
    VerdictReached,
    cards,
)

COLUMNS: Mapping[str, str] = {
    "messages": "session number at phase who to reply_to sealed topic text talk",
    "ballots": "session seq at agent first choice ranking also approved scores blocked moved_by confidence reason "
    "doubt invalid",
    "stances": "session asked poll at who after choice score beliefs confidence change_mind moved_by invalid",
    "calls": "session seq at purpose agent nth attempt last model input_tokens output_tokens cache_read_tokens "
    "cache_write_tokens cost characters",
}
"""The columns of each frame, in order."""


def frames(session: str, facts: Iterable[Event]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each frame, oldest first: `messages`, `ballots`, `stances` and `calls`.

    `stances` has each private answer of a member, ballots included: `asked` says when, `after` which message.

    Args:
        session: The session's name, which each row has.
        facts: Of one log, in order.
    """
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in COLUMNS}
    columns = {name: names.split() for name, names in COLUMNS.items()}
    phase, after, votes = "", 0, 1

    def add(frame: str, *of: object, **known: Any) -> None:
        """Add the values of the columns: what is known, else the field of the first object that has it."""
        known |= {"session": session}
        fields = {name: next((getattr(one, name) for one in of if hasattr(one, name)), None) for name in columns[frame]}
        found[frame].append({name: known.get(name, value) for name, value in fields.items()})

    for fact in facts:
        match fact:
            case PhaseStarted():
                phase = fact.phase
            case MessagePosted():
                after = fact.number
                add("messages", fact, phase=phase)
            case StanceTaken():
                add("stances", fact, asked=f"{'survey' if fact.survey else 'poll'} {fact.poll}")
            case BallotCast(ballot=ballot):
                number = votes - fact.again
                asked = "first ballot" if fact.first else f"ballot {number}" if number > 1 else "ballot"
                add("ballots", fact, ballot)
                add("stances", fact, ballot, asked=asked, who=ballot.agent, after=after)
            case VerdictReached():
                votes += 1
            case CallMade():
                add("calls", fact)
    return found


def stance_table(rows: Sequence[Mapping[str, Any]]) -> cards.Html:
    """Return the rows of `stances` as a table: a line for each member, a column for each time that it was asked."""
    times = [*dict.fromkeys(row["asked"] for row in rows)]
    held = {(row["who"], row["asked"]): _words(row) for row in rows}
    members = dict.fromkeys(row["who"] for row in rows)
    return cards.table(
        ["Member", *map(str.capitalize, times)],
        ([who, *(held.get((who, time), "") for time in times)] for who in members),
    )


def ballot_table(rows: Sequence[Mapping[str, Any]]) -> cards.Html:
    """Return the rows of `ballots`, without first ballots, as a table."""
    return cards.table(
        ("Voter", "First choice", "Also", "Moved by", "Because"),
        (
            (
                row["agent"],
                _words(row),
                "; ".join(row["also"]),
                f"m{row['moved_by']}" if row["moved_by"] else "",
                row["reason"],
            )
            for row in rows
            if not row["first"]
        ),
    )


def _words(row: Mapping[str, Any]) -> str:
    if row["invalid"] or row["choice"] is None:
        return "no usable answer" if row["invalid"] else "several, as equal" if row.get("ranking") else "no choice"
    return "none of these" if row["choice"] == NONE else str(row["choice"])
