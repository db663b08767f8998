"""`eda context`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eda.cli.common import TEXT, json_option, patterns_option, print_json, sessions_option
from eda.view.text import clean, fitted

if TYPE_CHECKING:
    from eda.patterns import PatternPack

__all__ = ["context"]


@click.command()
@click.argument("session_id", metavar="ID")
@click.option("--agent", type=TEXT, metavar="NAME", help="The whole prompt this member would be given next.")
@click.option("--brief", is_flag=True, help="What is given where a member is asked whether it wants to speak.")
@click.option("--about", type=TEXT, metavar="QUESTION", help="What memory holds on a question. Without --agent.")
@click.option("--explain", is_flag=True, help="Of --agent: each part, its tokens, what was left out and why.")
@patterns_option
@sessions_option
@json_option
def context(
    *,
    session_id: str,
    agent: str | None,
    brief: bool,
    about: str | None,
    explain: bool,
    patterns: PatternPack | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Print exactly what an agent of session ID would be given.

    Without --agent: what memory puts before everybody.
    """
    from eda.replay import explained_prompt, memory_of, speaker_prompt
    from eda.session import Session

    _check(agent, brief=brief, about=about, explain=explain)
    with Session.read(session_id, folder) as session:
        name = session.name
        if explain and agent is not None:
            from eda.view.explained import explained_json, print_explained
            from eda.view.style import console_for

            made = explained_prompt(session, agent, patterns=patterns)
            if as_json:
                print_json(explained_json(made))
            else:
                print_explained(made, console_for())
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
        raise click.UsageError("--explain needs --agent: whose prompt?")
    if about is not None and (agent is not None or brief):
        raise click.UsageError("--about goes without --agent and --brief")
    if explain and brief:
        raise click.UsageError("--explain goes without --brief")
