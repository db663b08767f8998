"""The same ballots under many rules: a row for each, then where they disagree, and who did not vote or blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from eda.events import Ballot
from eda.view.style import columns
from eda.view.text import count, listed, one_line
from eda.view.votes import renamed
from eda.voting import RULES, Comparison, Tally
from eda.voting.outcome import has_voted

__all__ = ["print_tally", "tally_data"]

_COLUMNS = ("rule", "winner", "figures", "margin", "to change")
_SHORT = 14
"""Characters up to which an option stands in a table itself, and not by a letter."""


def tally_data(
    found: Comparison, ballots: Sequence[Ballot], choices: Sequence[str], *, members: Sequence[str], quorum: float
) -> dict[str, Any]:
    """Everything that is shown."""
    voted = [ballot.agent for ballot in ballots if has_voted(ballot)]
    valid = [ballot for ballot in ballots if not ballot.invalid]
    blocked = {choice: [ballot.agent for ballot in valid if choice in ballot.blocked] for choice in choices}
    return {
        "choices": list(choices),
        "members": list(members),
        "voted": voted,
        "abstained": [ballot.agent for ballot in valid if not has_voted(ballot)],
        "invalid": [ballot.agent for ballot in ballots if ballot.invalid],
        "blocked": {choice: who for choice, who in blocked.items() if who},
        "quorum": quorum,
        "quorate": len(voted) > quorum * len(members),
        "rules": [_row(tally) for tally in found.tallies],
        "winners": [{"winner": winner, "rules": list(rules)} for winner, rules in found.winners.items()],
        "condorcet": found.condorcet,
        "cycle": [
            {"winner": duel.winner, "loser": duel.loser, "votes": duel.votes, "against": duel.against}
            for duel in found.cycle
        ],
    }


def print_tally(data: Mapping[str, Any], console: Console) -> None:
    """A table on a terminal, options by their letters where they are long; in a pipe lines with tabs."""
    choices = [one_line(choice) for choice in data["choices"]]
    short = not console.is_terminal or all(len(choice) <= _SHORT for choice in choices)
    names = dict(zip(data["choices"], choices if short else map(_letter, range(len(choices))), strict=True))
    rows = [_cells(row, names) for row in data["rules"]]
    if not console.is_terminal:
        console.file.writelines("\t".join(("rule", *map(one_line, cells))) + "\n" for cells in rows)
        console.file.writelines(f"{kind}\t{one_line(text)}\n" for kind, text in _lines(data, names))
        return
    for choice, name in () if short else names.items():
        console.print(Text.assemble((f"{name}  ", "bold"), one_line(choice)))
    table = columns(_COLUMNS, {"margin"}, close=True)
    for cells in rows:
        table.add_row(*(Text(one_line(cell)) for cell in cells))
    console.print(table)
    for kind, text in _lines(data, names):
        console.print(Text.assemble((f"{kind}: ", "bold"), one_line(text)))


def _letter(place: int) -> str:
    return chr(ord("A") + place % 26) * (place // 26 + 1)


def _row(tally: Tally) -> dict[str, Any]:
    outcome = tally.outcome
    return {
        "rule": tally.rule,
        "line": RULES[tally.rule].line,
        "missing": tally.missing,
        "winner": outcome.winner,
        "figures": dict(outcome.figures),
        "order": list(outcome.order),
        "rounds": [dict(votes) for votes in outcome.rounds],
        "margin": tally.margin,
        "changes": tally.changes,
        "changes_exact": tally.exact,
        "tied": list(outcome.tied),
        "tie": tally.tie,
        "note": outcome.note,
    }


def _cells(row: Mapping[str, Any], names: Mapping[str, str]) -> tuple[str, ...]:
    if row["missing"]:
        return row["rule"], f"not on these ballots: {row['missing']}", "", "", ""
    figures = ", ".join(f"{names[choice]} {row['figures'][choice]:.4g}" for choice in row["order"] or row["figures"])
    changes = "none would do" if row["changes"] is None else str(row["changes"])
    return (
        row["rule"],
        "none" if row["winner"] is None else names[row["winner"]],
        figures,
        "" if row["margin"] is None else f"{row['margin']:.4g}",
        changes if row["changes_exact"] else f"at least {changes}",
    )


def _lines(data: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield from _agreement(data["winners"], names)
    if data["condorcet"] is not None and len(data["choices"]) > 1:
        yield "duels", f"{names[data['condorcet']]} beats every other option, two by two"
    if data["cycle"]:
        duels = (f"{names[d['winner']]} beats {names[d['loser']]} {d['votes']}-{d['against']}" for d in data["cycle"])
        yield "cycle", f"{', '.join(duels)}: a cycle"
    for row in data["rules"]:
        if row["tie"] or (row["note"] and row["winner"] is None):
            yield row["rule"], renamed(row["tie"] or row["note"], names)
    if data.get("counted") == "poll":
        yield "counted", "the last poll, for this format has no ballot"
    voted, members = len(data["voted"]), len(data["members"])
    reached = "reached" if data["quorate"] else "not reached"
    yield "quorum", f"{voted} of {count(members, 'member')} voted; more than {data['quorum']:.0%} are needed: {reached}"
    if data["abstained"]:
        yield "abstained", listed(data["abstained"])
    if data["invalid"]:
        yield "invalid", f"{listed(data['invalid'])}: counted as abstained"
    for choice, who in data["blocked"].items():
        yield "blocked", f"{names[choice]}, by {listed(who)}"


def _agreement(winners: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Which winner the rules name that could be used; where they are many, that they disagree."""
    groups = [
        f"{'no winner' if group['winner'] is None else names[group['winner']]} under {listed(group['rules'])}"
        for group in winners
    ]
    if sum(len(group["rules"]) for group in winners) > 1:
        several = sum(group["winner"] is not None for group in winners) > 1
        yield "disagree" if several else "agree", "; ".join(groups)
