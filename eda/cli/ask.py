"""`eda ask`."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eda.cli import interruptible
from eda.cli.common import TEXT, json_option, note, patterns_option, print_json, sessions_option
from eda.cli.models import model_options, with_models
from eda.errors import RunnerError, RunnerUnavailableError, UsageError
from eda.view.text import clean, fitted, one_line

if TYPE_CHECKING:
    from eda.aside import SideReply
    from eda.patterns import PatternPack
    from eda.protocols import OnText, Prompt
    from eda.session import Session

__all__ = ["ask"]

_STDIN = "-"


@click.command()
@click.argument("session_id", metavar="ID")
@click.argument("persona", type=TEXT, metavar="MEMBER")
@click.argument("question", type=TEXT, required=False)
@click.option("--as", "who", type=TEXT, default="you", show_default=True, metavar="NAME", help="Who asks.")
@click.option("--runner", metavar="SPEC", help="Another runner than the session's own.")
@model_options
@patterns_option
@sessions_option
@json_option
def ask(
    *,
    session_id: str,
    persona: str,
    question: str | None,
    who: str,
    runner: str | None,
    models: dict[str, Any],
    patterns: PatternPack | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Ask one member of session ID, aside from the panel: MEMBER, by title or name.

    The member remembers the session, and your last exchanges with it. The panel hears nothing of it, and state, tally
    and verdict stay as they are; a session that has ended can be asked too. One that was recorded goes on being
    recorded. QUESTION `-` is read from standard input; without QUESTION, on a terminal, you talk until an empty line.
    `eda show ID --side` prints what was said.
    """
    asked = _Asked(session_id, persona, who, runner, models, patterns, folder)
    interruptible()
    if question is None:
        if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
            hint = f'eda ask {session_id} {shlex.quote(persona)} "Why ...?", or `-` for one from standard input.'
            raise UsageError("there is no question", hint=hint)
        asked.talk()
        return
    if question == _STDIN:
        question = clean(sys.stdin.buffer.read().decode("utf-8", "replace"))
    reply = asked.answer(question, silent=as_json)
    if as_json:
        print_json(_data(session_id, reply))


@dataclass(frozen=True, slots=True)
class _Asked:
    """Who asks whom, where; the session is locked for the time of one answer, so that it can be resumed meanwhile."""

    session_id: str
    persona: str
    who: str
    runner: str | None
    models: dict[str, Any]
    patterns: PatternPack | None
    folder: Path | None

    def talk(self) -> None:
        """Question after question, until an empty line or the end of the input."""
        from eda.aside import member_named
        from eda.cli.program import say_error
        from eda.replay import progress_of
        from eda.session import Session

        with Session.read(self.session_id, self.folder) as session:
            member = member_named(session.started(), progress_of(session), self.persona)
        note(f"you speak with {one_line(member.title)}, {one_line(member.role)}; an empty line ends the talk")
        for question in self._typed():
            try:
                self.answer(question)
            except RunnerUnavailableError:
                raise
            except RunnerError as error:
                say_error(str(error), error.hint)

    def _typed(self) -> Iterator[str]:
        while True:
            try:
                question = clean(input(f"{one_line(self.who)}> ")).strip()
            except EOFError:
                click.echo()
                return
            if not question:
                return
            yield question

    def answer(self, question: str, *, silent: bool = False) -> SideReply:
        """Ask, and show the answer as it is written; in a pipe once it is whole."""
        from eda.aside import member_named
        from eda.replay import progress_of
        from eda.runners.waiting import on_wait
        from eda.session import Session
        from eda.view.style import console_for
        from eda.view.writing import Writing

        with Session.open(self.session_id, self.folder) as session:
            if session.repaired:
                note(f"note: {session.repaired}")
            on_wait.set(_tell_wait)
            title = member_named(session.started(), progress_of(session), self.persona).title
            with Writing(console_for(), "" if silent else title) as writing:
                reply = asyncio.run(self._replied(session, question, None if silent else writing.add))
        if not silent:
            click.echo(fitted(clean(reply.text), sys.stdout, 0))
        return reply

    async def _replied(self, session: Session, question: str, on_text: OnText | None) -> SideReply:
        from eda.aside import ask, own_runner
        from eda.cli.running import recorded_in
        from eda.runners.names import let_go, make_runner
        from eda.runners.recorded import CALLS_FILE

        own = session.started().runner
        named = with_models(self.runner, self.models, own)
        kept = session.folder if session.folder and (session.folder / CALLS_FILE).exists() else None
        runner = recorded_in(kept, make_runner(named) if named else own_runner(own))
        try:
            return await ask(
                session, self.persona, question, runner, who=self.who, patterns=self.patterns, on_text=on_text
            )
        finally:
            await let_go(runner)
            for difference in getattr(runner, "differences", ()):
                note(f"warning: {difference}")


def _tell_wait(prompt: Prompt, seconds: float, reason: str, attempt: int) -> None:
    from eda.runners.waiting import delayed
    from eda.view.phrases import delay_phrase

    note(f"waiting: {delay_phrase(delayed(prompt, seconds, reason, attempt))}")


def _data(session: str, reply: SideReply) -> dict[str, object]:
    usage = reply.usage
    return {
        "session": session,
        "member": reply.member,
        "who": reply.who,
        "question": reply.question,
        "answer": reply.text,
        "number": reply.number,
        "model": reply.model,
        "tokens": usage.tokens,
        "cost": usage.cost,
    }
