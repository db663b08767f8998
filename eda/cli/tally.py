"""`eda tally`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from eda.cli.common import TEXT, Whole, json_option, print_json, sessions_option
from eda.errors import EdaError, UnknownNameError

if TYPE_CHECKING:
    from eda.events import BallotCast
    from eda.progress import Progress
    from eda.session import Session

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
    from eda.replay import progress_of
    from eda.session import Session, as_typed
    from eda.verdict import ballots_of, counted_members
    from eda.view.tally import print_tally, tally_data
    from eda.voting import RULES, compare, rule_named

    named = [rule_named(rule).name for rule in (rules or RULES)]
    with Session.read(session_id, folder) as session:
        cast = _last_ballots(session)
        progress, started = progress_of(session), session.started()
    polls = [] if _votes(progress) else [stances for _, stances in sorted(progress.polls.items())]
    if not cast and not polls:
        typed = as_typed(session.folder) if session.folder else session.name
        raise EdaError(
            f"session {started.session} has no ballots",
            hint=f"Nobody was asked for a vote yet. Go on with it: eda resume {typed}"
            if started.kind == "debate" and progress.ended is None
            else "Only a debate that came to its vote has some.",
        )
    used = started.seed if seed is None else seed
    ballots = [event.ballot for event in cast] if cast else ballots_of(polls[-1])
    choices = (cast or polls[-1])[0].choices
    voters = {ballot.agent.casefold() for ballot in ballots}
    if judge is not None and judge.casefold() not in voters:
        raise UnknownNameError("voter", judge, [ballot.agent for ballot in ballots])
    before = ballots_of(polls[0]) if not cast and len(polls) > 1 else ()
    judge = judge or progress.settings.judge
    found = compare(ballots, choices, used, rules=named, judge=judge, before=before)
    members = counted_members(progress, ballots)
    data = {
        "session": started.session,
        "seed": used,
        "counted": "ballots" if cast else "poll",
        **tally_data(found, ballots, choices, members=members, quorum=progress.settings.quorum),
    }
    if as_json:
        print_json(data)
        return
    from eda.view.style import console_for

    print_tally(data, console_for())


def _votes(progress: Progress) -> bool:
    """Whether its format has a ballot; else its polls are what is counted."""
    return any(phase.kind == "ballot" for phase in progress.agenda)


def _last_ballots(session: Session) -> list[BallotCast]:
    """Those of the last phase in which somebody voted."""
    from eda.events import BallotCast, PhaseStarted

    cast: list[BallotCast] = []
    over = False
    for event in session.events():
        if isinstance(event, PhaseStarted):
            over = True
        elif isinstance(event, BallotCast):
            cast = [event] if over else [*cast, event]
            over = False
    return cast
