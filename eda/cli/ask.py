"""The commands that ask members of a session: ask, for a question aside, and vote, for ballots that were lost."""

import asyncio
import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import click

from eda.cli import options
from eda.cli.common import TEXT, done, note, print_json, say, spoken_of, standard_input, tell_ended, tell_wait
from eda.cli.process import interruptible
from eda.cli.running import runner_of
from eda.cli.terminal.style import console_for, prose
from eda.cli.terminal.verdict import answer_of, ballot_phrase
from eda.debate.ask import NAME_RUNNER, SideReply, ask as ask_aside, member_named
from eda.debate.control.socket import ask_running
from eda.debate.recount import Recount, vote_again
from eda.debate.replay import progress_of, read_back
from eda.debate.tries import says_yes
from eda.errors import UsageError
from eda.report.formatting import clean, fitted, one_line
from eda.runners.human import HumanRunner
from eda.runners.protocol import Prompt, close_runner
from eda.runners.server import on_wait
from eda.serve.ballot import how_read
from eda.session import Session
from eda.words import Words


@options.session_command
@click.argument("persona", type=TEXT, metavar="MEMBER")
@click.argument("question", type=TEXT)
@options.person_option("asks")
@options.runner_option("Runner to use instead of the session's.")
@options.session_options
def ask(
    *,
    session_id: str | Path,
    persona: str,
    question: str,
    who: str,
    runner: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Ask one member of session ID, aside from the panel: MEMBER, by title or name. Of a transcript: any persona.

    The member remembers the session, and your last exchanges with it. The panel does not see the exchange, and state,
    tally and verdict do not change. An ended session can be asked too. A recorded session is recorded further. With `-`
    QUESTION is read from standard input. A session that runs in another terminal goes on meanwhile. `eda show ID
    --side` prints the exchanges.
    """
    interruptible()
    question = standard_input() if question == "-" else question
    with spoken_of(Session.read(session_id, folder)) as session:
        title = member_named(session.started(), progress_of(session), persona).title
        console = console_for()
        shown = not as_json and console.is_terminal and not console.is_dumb_terminal
        with console.status(prose(say("live-thinking", who=title), "dim")) if shown else nullcontext():
            reply = ask_running(session, persona, question, runner, who=who)  # through the process that runs it
            if reply is None:
                reply = asyncio.run(_replied(session_id, folder, persona, question, runner, who))
        progress = progress_of(session)
    if as_json:
        same = {name: getattr(reply, name) for name in ("member", "who", "question", "number", "model")}
        spent = {"tokens": reply.usage.tokens, "cost": reply.usage.cost}
        print_json({"session": session.name, **same, "answer": reply.text, **spent})
    else:
        click.echo(fitted(clean(reply.text), sys.stdout, 0))
        tell_ended(session.name, progress)


async def _replied(
    session_id: str | Path, folder: Path | None, persona: str, question: str, named: str | None, who: str
) -> SideReply:
    """Return the answer of a member of a session that does not run; it is locked for that long."""
    with spoken_of(Session.open(session_id, folder)) as session:
        on_wait.set(tell_wait)
        runner = runner_of(session, named, NAME_RUNNER)
        try:
            return await ask_aside(session, persona, question, runner, who=who)
        finally:
            await close_runner(runner)
            for difference in getattr(runner, "differences", ()):
                note(difference, "warning")


@options.session_command
@click.option("--member", type=TEXT, default="", metavar="NAME", help="Only the ballot of this member.")
@click.option(
    "--ballot",
    type=TEXT,
    default="",
    metavar="TEXT",
    help='The right ballot of --member, from its owner: "p8.0, o2", or none, or abstain.',
)
@options.runner_option("Runner to use instead of the session's.")
@options.session_options
def vote(
    *,
    session_id: str | Path,
    member: str,
    ballot: str,
    runner: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Ask again for the ballots of session ID that could not be read or did not come, and count again.

    Members are asked as they were at the vote: with what stood then, and without the verdict. A person is asked at this
    terminal; in a pipe give theirs with --member and --ballot. The first verdict stays on record, and the new one is
    what stands. A ballot that was counted is not taken again.
    """
    if ballot and not member:
        raise UsageError("--ballot does not say whose it is", hint="Name its owner: --member NAME.")
    interruptible()
    with spoken_of(Session.open(session_id, folder)) as session:
        on_wait.set(tell_wait)
        person = HumanRunner(partial(_typed, session)) if sys.stdin.isatty() and not as_json else None
        again = vote_again(session, runner, member=member, ballot=ballot, person=person)
        recount, settings = asyncio.run(again), session.started().settings
        if as_json:
            print_json({"session": session.name, **{name: _data(part) for name, part in recount._asdict().items()}})
            return
        reported = session.folder is not None and any(session.folder.glob("report.*"))
        _show(recount, settings.words, session.typed, reported=reported)


def _data(part: Any) -> Any:
    return [_data(each) for each in part] if isinstance(part, tuple) else part.model_dump(mode="json")


def _show(recount: Recount, words: Words, session: str, *, reported: bool) -> None:

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
    done("\n".join(said), as_json=False)


async def _typed(session: Session, prompt: Prompt) -> str:
    """Return what a person types as a ballot, once it says yes to how that is read.

    Raises:
        UsageError: nothing is typed.
    """
    words, memory = session.started().settings.words, read_back(session)[1]
    click.echo(clean(words.say("vote-typed", who=prompt.agent, wrong=prompt.wrong)))
    for text in prompt.texts:
        click.echo(clean(f"  {text.id}  {one_line(text.text)}"))
    typed = await _line()
    while typed:
        try:
            click.echo(clean(words.say("seat-read", read=how_read(prompt, typed, memory, words))))
        except UsageError:  # it is asked about
            return typed
        if says_yes(answer := await _line() or "yes", prompt.texts):
            return typed
        typed = answer
    click.echo(clean(left := words.say("vote-left", who=prompt.agent)))
    raise UsageError(left)


async def _line() -> str:
    return str(await asyncio.to_thread(click.prompt, ">", default="", show_default=False, prompt_suffix=" ")).strip()
