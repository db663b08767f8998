"""`eda tally`: the same ballots under several rules, where these disagree, and who abstains or blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from eda.cli.common import print_json
from eda.cli.options import TEXT, Whole, json_option, repeatable, sessions_option
from eda.cli.terminal.style import console_for, print_rows, print_tabbed
from eda.debate.replay import progress_of
from eda.debate.verdict import counted_members, votes_of
from eda.errors import UnknownNameError
from eda.events import Ballot
from eda.report.formatting import count, listed, one_line
from eda.report.phrases import renamed
from eda.session import Session
from eda.voting import Comparison, Tally, compare, rule_known, rule_named
from eda.voting.counts import blockers, has_voted


@click.command()
@click.argument("session_id", metavar="ID")
@repeatable("--rule", "rules", "NAME", "Count under this rule only.", default="all rules")
@click.option("--judge", type=TEXT, metavar="MEMBER", help="The member who decides under the rule `judge`.")
@click.option("--seed", type=Whole(0), help="Seed of the lots that break ties. Default: the session's.")
@sessions_option
@json_option
def tally(
    *, session_id: str, rules: tuple[str, ...], judge: str | None, seed: int | None, folder: Path | None, as_json: bool
) -> None:
    """Count the last ballots of session ID again, under any decision rule or all of them.

    Prints, for each rule, the winner, the margin and how many ballots would have to change for another winner, and
    where the rules disagree. If the format has no ballot, the last poll is counted; `shift` compares it with the first
    poll. In a pipe each row is a line with tabs: `rule`, name, winner, figures, margin, ballots to change. Further
    lines have a kind and a text.
    """
    for rule in rules:
        rule_named(rule)
    with Session.read(session_id, folder) as session:
        progress, started = progress_of(session), session.started()
        votes = votes_of(session, progress)
    voters = [ballot.agent for ballot in votes.ballots]
    if judge is not None and judge.casefold() not in map(str.casefold, voters):
        raise UnknownNameError("voter", judge, voters)
    seed = started.seed if seed is None else seed
    judge = judge or progress.settings.judge
    counts = compare(votes.ballots, votes.choices, seed, rules=rules or None, judge=judge, before=votes.before)
    members, quorum = counted_members(progress, votes.ballots), progress.settings.quorum
    data = {
        "session": started.session,
        "seed": seed,
        "counted": "poll" if votes.polled else "ballots",
        **tally_data(counts, votes.ballots, votes.choices, members=members, quorum=quorum),
    }
    if as_json:
        print_json(data)
        return

    print_tally(data, console_for())


_COLUMNS = ("rule", "winner", "figures", "margin", "to change")
_SHORT = 14
"""Longest option, in characters, that is printed in the table; longer ones get a letter."""


def tally_data(
    comparison: Comparison, ballots: Sequence[Ballot], choices: Sequence[str], *, members: Sequence[str], quorum: float
) -> dict[str, Any]:
    """Return everything that is printed, as data."""
    voted = [ballot.agent for ballot in ballots if has_voted(ballot)]
    invalid = [ballot.agent for ballot in ballots if ballot.invalid]
    return {
        "choices": list(choices),
        "members": list(members),
        "voted": voted,
        "abstained": [ballot.agent for ballot in ballots if not (ballot.invalid or has_voted(ballot))],
        "invalid": invalid,
        "blocked": blockers(ballots, choices),
        "quorum": quorum,
        "quorate": len(voted) > quorum * len(members),
        "rules": [_row(tally) for tally in comparison.tallies],
        "winners": [{"winner": winner, "rules": list(rules)} for winner, rules in comparison.winners.items()],
        "condorcet": comparison.condorcet,
        "cycle": [asdict(duel) for duel in comparison.cycle],
    }


def print_tally(data: Mapping[str, Any], console: Console) -> None:
    """Print a table on a terminal, with letters for long options; in a pipe lines with tabs."""
    choices = [one_line(choice) for choice in data["choices"]]
    short = not console.is_terminal or all(len(choice) <= _SHORT for choice in choices)
    names = dict(zip(data["choices"], choices if short else map(_letter, range(len(choices))), strict=True))
    rows = [_cells(row, names) for row in data["rules"]]
    if not console.is_terminal:
        print_tabbed(console, [("rule", *cells) for cells in rows])
        print_tabbed(console, _lines(data, names))
        return
    for choice, name in () if short else names.items():
        console.print(Text.assemble((f"{name}  ", "bold"), one_line(choice)))
    print_rows(console, _COLUMNS, rows, {"margin"}, close=True)
    for kind, text in _lines(data, names):
        console.print(Text.assemble((f"{kind}: ", "bold"), one_line(text)))


def _letter(place: int) -> str:
    return chr(ord("A") + place % 26) * (place // 26 + 1)


def _row(tally: Tally) -> dict[str, Any]:
    outcome = tally.outcome
    return {
        "rule": tally.rule,
        "line": rule_known(tally.rule).line,
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
        yield "counted", "the last poll, because this format has no ballot"
    yield from _turnout(data)
    for choice, who in data["blocked"].items():
        yield "blocked", f"{names[choice]}, by {listed(who)}"


def _turnout(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    voted, members = len(data["voted"]), len(data["members"])
    reached = "reached" if data["quorate"] else "not reached"
    yield "quorum", f"{voted} of {count(members, 'member')} voted; more than {data['quorum']:.0%} are needed: {reached}"
    for kind, words in (("abstained", ""), ("invalid", ": counted as abstained")):
        if data[kind]:
            yield kind, f"{listed(data[kind])}{words}"


def _agreement(winners: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the winners with the rules that name them, and whether the rules disagree."""
    groups = [
        f"{'no winner' if group['winner'] is None else names[group['winner']]} under {listed(group['rules'])}"
        for group in winners
    ]
    if sum(len(group["rules"]) for group in winners) > 1:
        several = sum(group["winner"] is not None for group in winners) > 1
        yield "disagree" if several else "agree", "; ".join(groups)
