"""`frames`: the facts of a session as rows, to be read by pandas, polars or a loop."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
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
from eda.words import Words

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


def stance_table(rows: Sequence[Mapping[str, Any]], words: Words) -> cards.Html:
    """Return the rows of `stances` as a table: a line for each member, a column for each time that it was asked."""
    times = [*dict.fromkeys(row["asked"] for row in rows)]
    held = {(row["who"], row["asked"]): _told(row, words) for row in rows}
    members = dict.fromkeys(row["who"] for row in rows)
    heads = (words.say("notebook-asked", kind=time.split()[0], number=time.partition(" ")[2]) for time in times)
    return cards.table(
        [words.say("notebook-head", "member"), *heads],
        ([who, *(held.get((who, time), "") for time in times)] for who in members),
    )


def ballot_table(rows: Sequence[Mapping[str, Any]], words: Words) -> cards.Html:
    """Return the rows of `ballots`, without first ballots, as a table."""
    head = words.labels("notebook-head")
    return cards.table(
        [head[name] for name in ("voter", "choice", "also", "moved", "because")],
        (
            (
                row["agent"],
                _told(row, words),
                "; ".join(row["also"]),
                f"m{row['moved_by']}" if row["moved_by"] else "",
                row["reason"],
            )
            for row in rows
            if not row["first"]
        ),
    )


def _told(row: Mapping[str, Any], words: Words) -> str:
    head = words.labels("notebook-head")
    if row["invalid"] or row["choice"] is None:
        return head["no-answer" if row["invalid"] else "equal" if row.get("ranking") else "no-choice"]
    return head["none"] if row["choice"] == NONE else str(row["choice"])


def verdict_card(verdict: VerdictReached, words: Words) -> str:
    """Return a verdict, its votes, what was adopted beside it, and who is against it."""
    head = words.labels("notebook-head")
    counted = [
        (head["none-won"] if choice == NONE else choice, f"{verdict.votes(choice):g}", ", ".join(voters))
        for choice, voters in sorted(verdict.tally.items(), key=lambda item: -len(item[1]))
    ]
    lost = {"abstained": verdict.abstained, "unreadable": verdict.unreadable, "missing": verdict.missing}
    counted += [(head[kind], str(len(who)), ", ".join(who)) for kind, who in lost.items() if who]
    beside = [(each.text, ", ".join(each.voters)) for each in verdict.adopted] if verdict.answer == "one" else []
    against = [(one.agent, " = ".join(one.firsts) or head["no-vote"], one.reason) for one in verdict.dissent]
    none = asdict(verdict.note) if verdict.note else {}
    why = none and words.say("count-undecided", **none | {"why": none["why"].replace(" ", "-")})
    return cards.card(
        "; ".join(verdict.won) or head["no-verdict"],
        cards.line(words.say("notebook-rule", rule=verdict.rule.replace("/", "-")), why or ""),
        cards.table((head["text"], head["votes"], head["by"]), counted),
        cards.table((head["beside"], head["by"]), beside),
        cards.table((head["other" if verdict.won else "voter"], head["choice"], head["because"]), against),
    )
