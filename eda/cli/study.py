"""`eda study`: runs a study from its file, and says how far it has come and what it found."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import click

from eda.cli import interruptible
from eda.cli.common import note, print_json
from eda.cli.options import FILE, FOLDER, TEXT, Whole, json_option
from eda.cli.study_fork import fork
from eda.errors import StudyError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eda.study.cells import Plan
    from eda.study.status import Status

_ENGINES = ("asyncio", "process", "dask")
_SHOWN = 10
"""Failures that are named one by one."""

_file = click.argument("file", metavar="FILE", type=FILE)
_out = click.option("--out", type=FOLDER, help="Folder of the cells. Default: one of the study's name beside FILE.")


@click.group()
def study() -> None:
    """Run a study: factors x levels x seeds x tasks x arms, each cell a session, each table a fold over sessions.

    FILE is a TOML file; docs/study.md leads through one. The same `run` again goes on where the last one stopped.
    """


@study.command()
@_file
@_out
@click.option("--engine", type=click.Choice(_ENGINES), default="asyncio", show_default=True, help="Where cells run.")
@click.option("--workers", type=Whole(1, 10_000), help="Cells side by side. Default: 8, or one for each processor.")
@click.option(
    "--scheduler", type=TEXT, default="", metavar="ADDRESS", help="Of a Dask scheduler. Default: a local one."
)
@click.option("--retry", is_flag=True, help="Run the cells that failed once more, too.")
@json_option
@click.pass_context
def run(ctx: click.Context, /, *, file: Path, out: Path | None, as_json: bool, **given: Any) -> None:
    """Run every cell that is not done. The first run freezes the file."""
    from eda.study.file import Study
    from eda.study.run import run as run_study

    if given["scheduler"] and given["engine"] != "dask":
        raise StudyError("--scheduler is for --engine dask", hint="Add --engine dask.")
    loaded = Study.load(file)
    interruptible()
    with _Line() as line:
        outcome = asyncio.run(run_study(loaded, out, told=line.show, **given))
    if as_json:
        print_json(outcome.status.data() | {"paused": outcome.paused})
    else:
        click.echo(_summary(outcome.status))
        _tell_failures(outcome.status)
    if outcome.paused:
        note(f"paused: {outcome.paused}")
        note(outcome.hint or "The same command goes on.")
    ctx.exit(1 if outcome.paused or outcome.status.failures else 0)


@study.command()
@_file
@_out
@json_option
def plan(*, file: Path, out: Path | None, as_json: bool) -> None:
    """Print cells, calls, dollars, and the smallest effect that this size can show. No call is made."""
    from eda.study.cells import plan_of
    from eda.study.file import Study
    from eda.study.plan import plan_data

    loaded = Study.load(file)
    data = plan_data(plan_of(loaded), loaded.out(out))
    if as_json:
        print_json(data)
        return
    click.echo(
        f"{data['study']}: {data['cells']} cells ({data['done']} done), {data['tasks']} tasks, {data['seeds']} seeds"
    )
    for row in data["arms"]:
        cost = f"about {_usd(row['cost'])}, {_usd(row['most'])} where replies are long"
        click.echo(f"  {row['arm']}: {row['cells']} cells, {row['calls']:,} calls, {row['tokens']:,} tokens, {cost}")
    click.echo(f"  in all {data['calls']:,} calls, {data['tokens']:,} tokens, {_usd(data['cost'])}; no call was made")
    for row in data["hypotheses"]:
        effect = f"{row['smallest_effect']:.2f}, in 8 of 10 such studies, at worst"
        click.echo(f"  {row['measure']}, {' less '.join(row['contrast'])}: this size shows an effect of {effect}")
        if not row["enough"]:
            note(f"{row['measure']}: the smallest effect that matters is {row['wanted']:g}; add tasks or seeds")


@study.command()
@_file
@_out
@json_option
def status(*, file: Path, out: Path | None, as_json: bool) -> None:
    """Print how many cells are done, what failed and why, and what it took so far."""
    from eda.study.cells import plan_of
    from eda.study.file import Study
    from eda.study.freeze import manifest_of
    from eda.study.status import status_of

    loaded = Study.load(file)
    where = loaded.out(out)
    found, frozen = status_of(plan_of(loaded), where), manifest_of(where)
    if as_json:
        print_json(
            found.data() | {"frozen": frozen and frozen["frozen"], "deviations": frozen and frozen["deviations"]}
        )
        return
    click.echo(_summary(found))
    click.echo(f"frozen {frozen['frozen']}" if frozen else "not begun: nothing is frozen yet")
    for each in frozen["deviations"] if frozen else ():
        click.echo(f"deviation, {each['at']}: {each['what']}")
    _tell_failures(found)


@study.command()
@_file
@_out
@click.option("--format", "kind", type=click.Choice(["csv", "parquet", "json"]), help="Write all tables as files.")
@click.option("--measure", type=TEXT, metavar="NAME", help="An exploratory effect; needs --contrast.")
@click.option("--contrast", type=TEXT, nargs=2, metavar="A B", help="Two arms, or two levels as factor=level.")
@json_option
def table(*, file: Path, out: Path | None, as_json: bool, **given: Any) -> None:
    """Print the effects of the frozen hypotheses, or write the tables of all cells into the folder `tables`."""
    from eda.study.results import results, write_tables

    if bool(given["measure"]) != bool(given["contrast"]):
        raise StudyError("--measure and --contrast go together", hint="Write --measure accuracy --contrast talk reask.")
    if given["kind"]:
        for path in write_tables(*_begun(file, out), given["kind"]):
            click.echo(path)
        return
    found = results(*_begun(file, out), (given["measure"], given["contrast"]) if given["measure"] else None)
    if as_json:
        print_json(found)
        return
    for row in found["effects"]:
        click.echo(effect_line(row))
    for each in found["deviations"]:
        click.echo(f"deviation, {each['at']}: {each['what']}")
    if not found["effects"]:
        note("the file freezes no hypothesis; ask for one: --measure NAME --contrast A B")


@study.command()
@_file
@_out
@click.option("--file", "target", type=FILE, help="Where the page goes. Default: report.html in the study's folder.")
def report(*, file: Path, out: Path | None, target: Path | None) -> None:
    """Write the report: one HTML file with the flow of cells, each effect with its interval, and what deviates."""
    from eda.study.page import page
    from eda.study.results import results

    plan, where = _begun(file, out)
    path = target or where / "report.html"
    path.write_text(page(plan, where, results(plan, where)), encoding="utf-8")
    click.echo(path)


study.add_command(fork)


@study.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@json_option
@click.pass_context
def reproduce(ctx: click.Context, /, *, names: tuple[str, ...], as_json: bool) -> None:
    """Prove the instrument on panels whose truth is planted: offline, with no model. Each NAME takes a minute or two.

    fixed-minds: no rule reports a change where nobody moves. null-noise: where members change at random, the effect's
    interval covers 0. planted-influence: a planted conformity of 0.3 is found. Exit code 1 if one is not as expected.
    """
    from eda.errors import UnknownNameError
    from eda.study.proofs import NAMES, prove

    for name in names:
        if name not in NAMES:
            raise UnknownNameError("proof", name, NAMES)
    rows = []
    for name in names or NAMES:
        rows.append(row := prove(name))
        if not as_json:
            verdict = "ok" if row["ok"] else "NOT as expected"
            found = f"planted {row['planted']:g}, found {row['found']:.3f}"
            click.echo(f"{name}: {verdict}; {row['covered']} of {row['studies']}; {found}; {row['what']}")
    if as_json:
        print_json(rows)
    ctx.exit(0 if all(row["ok"] for row in rows) else 1)


def _begun(file: Path, out: Path | None) -> tuple[Plan, Path]:
    """Return the plan of a study and its folder, once it is as it was frozen."""
    from eda.study.cells import plan_of
    from eda.study.file import Study
    from eda.study.freeze import deviations, manifest_of

    loaded = Study.load(file)
    where, made = loaded.out(out), plan_of(loaded)
    frozen = manifest_of(where)
    if frozen is None:
        raise StudyError(f"{where}: no study was begun there", hint=f"Begin it: eda study run {file}.")
    deviations(made, where, frozen)
    return made, where


def effect_line(row: Mapping[str, Any]) -> str:
    """Return an effect in a line: what is compared, by how much it differs, with its interval."""
    first, second = row["contrast"]
    what = f"{row['measure']}, {first} less {second}" + ("" if row["frozen"] else " (exploratory)")
    if row["estimate"] is None:
        return f"{what}: no pairs yet"
    p = "" if row["p_holm"] is None else f", p = {row['p_holm']:.3g} (Holm)"
    return f"{what}: {row['estimate']:+.3f} [{row['low']:+.3f}, {row['high']:+.3f}], {row['pairs']} pairs{p}"


def _summary(found: Status) -> str:
    """Return a line: how far the study has come."""
    usd, tokens = found.spent
    states = ", ".join(f"{number} {state}" for state, number in found.counts.items() if number and state != "ended")
    unpriced = sum(cell.unpriced_calls for cell in found.cells.values())
    cost = _usd(usd) + (f" and {unpriced} calls of unknown price" if unpriced else "")
    failed = f", {found.failed_turns} turns failed" if found.failed_turns else ""
    done = f"{found.counts['ended']} of {len(found.cells)} cells done"
    return f"{done}{', ' + states if states else ''}; {cost}, {tokens:,} tokens{failed}"


def _tell_failures(found: Status) -> None:
    for cell in found.failures[:_SHOWN]:
        note(f"cell {cell.id} failed: {cell.reason}" + (f" ({cell.hint})" if cell.hint else ""))
    if more := len(found.failures) - _SHOWN:
        note(f"and {more} more") if more > 0 else None
    if found.failures:
        note("run them once more: eda study run --retry")


def _usd(dollars: float | None) -> str:
    return "an unknown price" if dollars is None else f"${dollars:,.2f}"


class _Line:
    """A live line on the terminal's error stream: cells done, failures, money, time left."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._began = time.monotonic()
        self._first: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def show(self, found: Status) -> None:
        """Show the status; on a terminal only."""
        done = found.counts["ended"]
        self._first = done if self._first is None else self._first
        if not self._live:
            return
        here, passed = done - self._first, time.monotonic() - self._began
        left = len(found.cells) - done
        more = f", {_span(passed / here * left)} left" if here and left else ""
        sys.stderr.write(f"\r\x1b[K{_summary(found)}{more}")
        sys.stderr.flush()


def _span(seconds: float) -> str:
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"
