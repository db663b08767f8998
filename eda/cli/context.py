"""`eda context`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from eda.cli.common import print_json, say
from eda.cli.kinds import TEXT
from eda.cli.options import patterns_option, session_argument, session_options
from eda.cli.show import at_option
from eda.cli.terminal.style import console_for, print_rows
from eda.debate.prompt_preview import Explained, explained_prompt, speaker_prompt
from eda.debate.replay import memory_of
from eda.memory.patterns import PatternPack
from eda.report.formatting import clean, fitted
from eda.session import Session
from eda.session.fork import upto

_FIGURES = ("tokens", "shown", "left out")


@click.command()
@session_argument
@click.option("--agent", type=TEXT, metavar="NAME", help="Print the whole prompt that this member would get next.")
@click.option("--brief", is_flag=True, help="Print the short form, which a member gets when it is asked for a bid.")
@click.option("--about", type=TEXT, metavar="QUESTION", help="Print what memory has on a question. Not with --agent.")
@at_option("Print what it would have been given after this message.")
@click.option(
    "--explain",
    is_flag=True,
    help="With --agent: list the sections of the prompt, their tokens, and what was left out and why.",
)
@patterns_option
@session_options
def context(
    *,
    session_id: str,
    agent: str | None,
    brief: bool,
    about: str | None,
    at: int | None,
    explain: bool,
    patterns: PatternPack | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Print exactly what a member of session ID would be given next, or was given after a message.

    Without --agent, print what memory gives to every member.
    """
    _check(agent, brief=brief, about=about, explain=explain)
    with Session.read(session_id, folder) as read:
        session = read if at is None else upto(read, at)
        name = session.name
        if explain and agent is not None:
            prompt = explained_prompt(session, agent, patterns=patterns)
            if as_json:
                print_json(
                    {
                        "agent": prompt.agent,
                        "budget": prompt.budget,
                        "tokens": prompt.tokens,
                        "estimated_from_calls": prompt.calls,
                        "estimate_error": prompt.error,
                        "sections": [asdict(part) for part in prompt.parts],
                    }
                )
            else:
                _print_explained(prompt, console_for())
            return
        if agent is not None:
            text = speaker_prompt(session, agent, brief=brief, patterns=patterns)
        else:
            session.started()
            memory = memory_of(session, patterns)
            text = (memory.brief_context() if brief else memory.full_context(about=about)).text
    if as_json:
        print_json({"session": name, "agent": agent, "text": text})
    else:
        click.echo(fitted(clean(text), sys.stdout, 0))


def _check(agent: str | None, *, brief: bool, about: str | None, explain: bool) -> None:
    if explain and agent is None:
        raise click.UsageError("--explain needs --agent: name the member.")
    if about is not None and (agent is not None or brief):
        raise click.UsageError("--about cannot be used with --agent or --brief")
    if explain and brief:
        raise click.UsageError("--explain cannot be used with --brief")


def _print_explained(explained: Explained, console: Console) -> None:
    """Print a row a section of a prompt, in the order in which a model reads them."""
    estimated = "estimated at four characters a token: no call has reported its tokens yet"
    if explained.error is not None:
        estimated = say("context-measured", calls=explained.calls, error=explained.error)
    for line in (say("context-tokens", tokens=explained.tokens, budget=explained.budget), estimated):
        console.print(Text(line))
    rows = [
        [part.name, str(part.tokens), str(part.shown), str(part.left_out or ""), part.why] for part in explained.parts
    ]
    print_rows(console, ("section", *_FIGURES, "why"), rows, _FIGURES)
