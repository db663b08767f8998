"""`eda tally`."""

from __future__ import annotations

from pathlib import Path

import click

from eda.cli.common import TEXT, Whole, json_option, print_json, sessions_option
from eda.errors import UnknownNameError

__all__ = ["tally"]


@click.command()
@click.argument("session_id", metavar="ID")
@click.option("--rule", "rules", type=TEXT, multiple=True, metavar="NAME", help="Only this rule; repeat. Else all.")
@click.option("--judge", type=TEXT, metavar="MEMBER", help="Who decides under the rule `judge`.")
@click.option("--seed", type=Whole(0), metavar="N", help="Of the lots that break ties; else that of the session.")
@sessions_option
@json_option
def tally(
    *, session_id: str, rules: tuple[str, ...], judge: str | None, seed: int | None, folder: Path | None, as_json: bool
) -> None:
    """Count the last ballots of session ID again, under any decision rule or all of them.

    Where the format has no ballot, its last poll is counted, and `shift` compares it with the first.
    Says who wins under each, by how much, how many ballots would have to be others for another option to win, and
    where the rules disagree. In a pipe a row is a line with tabs: `rule`, its name, winner, figures, margin, ballots
    to change; then kind and text of what is to be said beside it.
    """
    from eda.recount import votes_of
    from eda.replay import progress_of
    from eda.session import Session
    from eda.verdict import counted_members
    from eda.view.tally import print_tally, tally_data
    from eda.voting import RULES, compare, rule_named

    named = [rule_named(rule).name for rule in (rules or RULES)]
    with Session.read(session_id, folder) as session:
        progress, started = progress_of(session), session.started()
        votes = votes_of(session, progress)
    voters = [ballot.agent for ballot in votes.ballots]
    if judge is not None and judge.casefold() not in map(str.casefold, voters):
        raise UnknownNameError("voter", judge, voters)
    seed = started.seed if seed is None else seed
    judge = judge or progress.settings.judge
    found = compare(votes.ballots, votes.choices, seed, rules=named, judge=judge, before=votes.before)
    members, quorum = counted_members(progress, votes.ballots), progress.settings.quorum
    data = {
        "session": started.session,
        "seed": seed,
        "counted": "poll" if votes.polled else "ballots",
        **tally_data(found, votes.ballots, votes.choices, members=members, quorum=quorum),
    }
    if as_json:
        print_json(data)
        return
    from eda.view.style import console_for

    print_tally(data, console_for())
