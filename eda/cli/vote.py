"""`eda vote`: asks again for ballots that were lost, or takes one from its owner, and counts again."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eda.cli import options
from eda.cli.common import note, print_json, tell_wait
from eda.cli.kinds import TEXT
from eda.cli.process import interruptible
from eda.errors import UsageError
from eda.memory.patterns import PatternPack
from eda.report.formatting import clean, fitted, one_line
from eda.runners.shipped import with_models
from eda.session import Session
from eda.words import ENGLISH, Words

if TYPE_CHECKING:
    from eda.debate.revote import Recount
    from eda.runners.protocol import Prompt


@click.command()
@options.session_argument
@click.option("--member", type=TEXT, default="", metavar="NAME", help="Only the ballot of this member.")
@click.option(
    "--ballot",
    type=TEXT,
    default="",
    metavar="TEXT",
    help='The right ballot of --member, from its owner: "p8.0, o2", or none, or abstain.',
)
@click.option("--runner", metavar="SPEC", help="Runner to use instead of the session's.")
@options.model_options
@options.patterns_option
@options.session_options
def vote(
    *,
    session_id: str,
    member: str,
    ballot: str,
    runner: str | None,
    models: dict[str, Any],
    patterns: PatternPack | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Ask again for the ballots of session ID that could not be read or did not come, and count again.

    Members are asked as they were at the vote: with what stood then, and without the verdict. A person is asked at this
    terminal; in a pipe give theirs with --member and --ballot. The first verdict stays on record, and the new one is
    what stands. A ballot that was counted is not taken again.
    """
    from eda.debate.revote import vote_again
    from eda.runners.human import HumanRunner
    from eda.runners.server import on_wait

    if ballot and not member:
        raise UsageError("--ballot does not say whose it is", hint="Name its owner: --member NAME.")
    interruptible()
    with Session.open(session_id, folder) as session:
        if session.repaired:
            note(f"note: {session.repaired}")
        on_wait.set(tell_wait)
        named = with_models(runner, models, session.started().runner)
        person = HumanRunner(_typed) if sys.stdin.isatty() and not as_json else None
        again = vote_again(session, named, member=member, ballot=ballot, person=person, patterns=patterns)
        recount, settings = asyncio.run(again), session.started().settings
        if as_json:
            print_json({"session": session.name, **{name: _data(part) for name, part in recount._asdict().items()}})
            return
        reported = session.folder is not None and any(session.folder.glob("report.*"))
        _show(recount, Words(settings.language), session.typed, reported=reported)


def _data(part: Any) -> Any:
    return [_data(each) for each in part] if isinstance(part, tuple) else part.model_dump(mode="json")


def _show(recount: Recount, words: Words, session: str, *, reported: bool) -> None:
    from eda.cli.terminal.verdict import answer_of, ballot_phrase

    said = [
        words.say("vote-ballot", who=one_line(cast.ballot.agent), told=ballot_phrase(cast, words=words))
        for cast in recount.ballots
    ]
    before, now = (answer_of(each, words) for each in (recount.before, recount.verdict))
    if recount.verdict is recount.before:
        said.append(words.say("vote-same", verdict=now))
    else:
        said += [words.say("vote-before", verdict=before), words.say("vote-now", verdict=now)]
        said.append(words.say("vote-stands", session=session, report=reported))
    for line in said:
        click.echo(fitted(clean(line), sys.stdout))


async def _typed(prompt: Prompt) -> str:
    """Return what a person types as a ballot."""
    click.echo(clean(ENGLISH.say("vote-typed", who=prompt.agent, wrong=prompt.wrong)))
    for text in prompt.texts:
        click.echo(clean(f"  {text.id}  {one_line(text.text)}"))
    return await asyncio.to_thread(click.prompt, ">", default="", show_default=False, prompt_suffix=" ")
