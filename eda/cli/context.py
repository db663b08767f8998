"""`eda context`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from eda.cli.common import TEXT, patterns_option, sessions_option
from eda.view.text import clean

if TYPE_CHECKING:
    from eda.patterns import PatternPack

__all__ = ["context"]


@click.command()
@click.argument("session_id", metavar="ID")
@click.option("--agent", type=TEXT, metavar="NAME", help="The whole prompt this member would be given next.")
@click.option("--brief", is_flag=True, help="What is given where a member is asked whether it wants to speak.")
@patterns_option
@sessions_option
def context(
    *, session_id: str, agent: str | None, brief: bool, patterns: PatternPack | None, folder: Path | None
) -> None:
    """Print exactly what an agent of session ID would be given.

    Without --agent: what memory puts before everybody.
    """
    from eda.replay import memory_of, speaker_prompt
    from eda.session import Session

    with Session.read(session_id, folder) as session:
        if agent is not None:
            text = speaker_prompt(session, agent, brief=brief, patterns=patterns)
        else:
            memory = memory_of(session, patterns)
            text = (memory.brief_context() if brief else memory.full_context()).text
    click.echo(clean(text))
