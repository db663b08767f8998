"""`eda study fork`: what would have been otherwise, had one thing been changed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eda.cli.common import note, print_json, say
from eda.cli.kinds import FILE, FOLDER, TEXT, Whole
from eda.cli.options import json_option, repeatable
from eda.cli.process import interruptible
from eda.cli.show import at_option

if TYPE_CHECKING:
    from collections.abc import Mapping


@click.command()
@click.argument("file", metavar="FILE", type=FILE)
@click.option("--out", type=FOLDER, help="Folder of the study. Default: one of its name beside FILE.")
@at_option("The last message that both branches have.")
@repeatable("--change", "changes", "WHAT:VALUE", "What one of the two branches has otherwise.")
@click.option(
    "--times", type=Whole(1, 10_000), default=20, show_default=True, help="How often both go on, in each cell."
)
@click.option("--arm", type=TEXT, default="", metavar="NAME", help="An arm with talk. Default: the first one.")
@click.option("--cell", type=TEXT, default="", metavar="ID", help="This cell alone.")
@repeatable("--measure", "measures", "NAME", "What is compared.", default="what the hypotheses measure")
@click.option("--retry", is_flag=True, help="Run the branches that failed once more, too.")
@json_option
@click.pass_context
def fork(ctx: click.Context, /, *, file: Path, as_json: bool, **given: Any) -> None:
    """Go back to a message of each debate, change one thing, and have both branches go on.

    What was said up to there is kept, at no call. The effect is the changed branch minus the unchanged one, which draw
    alike. WHAT is persona, fact, model, runner, rule, setting or option:

    \b
      --change persona:sceptic=visionary      another persona takes the sceptic's seat, with what the seat was told
      --change fact:sceptic="It leaks"        the sceptic is told one more fact; all: every fact of the task
      --change model:speak=opus               also model:cheap=... and model:fallback=...
      --change runner:local:URL               somebody else answers
      --change rule:borda                     without --at the recorded ballots are counted anew, at no call
      --change setting:max-messages=40        any setting of `eda show ID --json`
      --change option:"Wait a year"           one more option

    The same command goes on where the last one was stopped; more --times add to it. `eda study report` shows what came
    of it, as exploratory.
    """  # noqa: D301 - click leaves the lines after this mark as they are
    from eda.study import Study

    study = Study.load(file)
    interruptible()
    found = asyncio.run(study.fork(change=given.pop("changes"), **given))
    if as_json:
        print_json(found)
    else:
        _show(found)
    failures = found["status"]["failures"] if found["status"] else []
    if found["paused"]:
        note(f"paused: {found['paused']}")
    for row in failures:
        note(say("study-branch-failed", cell=row["cell"], reason=row["reason"]))
    ctx.exit(1 if found["paused"] or failures else 0)


def _show(found: Mapping[str, Any]) -> None:
    from eda.study.fork import words

    status = found["status"]
    for line in words(found):
        click.echo(line)
    if status:
        usd, tokens = found["took"]
        note(say("study-branches", ended=status["ended"], cells=status["cells"], usd=f"{usd:,.2f}", tokens=tokens))
    else:
        note("the recorded ballots were counted anew; no call was made")
    if found["left_out"]:
        note(say("study-too-short", cells=found["left_out"], at=str(found["at"])))
