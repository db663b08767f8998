"""`eda show --prompt` and `--memory`."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click
from rich.console import Console
from rich.text import Text

from eda.cli.common import print_json, say
from eda.cli.terminal.style import console_for, print_rows
from eda.debate.prompt_preview import Explained, explained_prompt, speaker_prompt
from eda.debate.replay import memory_of
from eda.memory.patterns import PatternPack
from eda.report.formatting import clean, fitted
from eda.session import Session

_FIGURES = ("tokens", "shown", "left out")


def show_context(
    session: Session,
    *,
    agent: str | None,
    brief: bool,
    about: str | None,
    explain: bool,
    patterns: PatternPack | None,
    as_json: bool,
) -> None:
    """Print what a member would be given next; without an `agent`, what memory gives to every member."""
    if about is not None and (agent is not None or brief):
        raise click.UsageError("--about cannot be used with --prompt or --brief")
    if explain and brief:
        raise click.UsageError("--explain cannot be used with --brief")
    if explain and agent is not None:
        prompt = explained_prompt(session, agent, patterns=patterns)
        if as_json:
            data = {"budget": prompt.budget, "tokens": prompt.tokens, "estimated_from_calls": prompt.calls}
            sections = [asdict(part) for part in prompt.parts]
            print_json({"agent": prompt.agent, **data, "estimate_error": prompt.error, "sections": sections})
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
        print_json({"session": session.name, "agent": agent, "text": text})
    else:
        click.echo(fitted(clean(text), sys.stdout, 0))


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
