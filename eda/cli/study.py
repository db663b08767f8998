"""`eda study`: runs a study from its file, and says how far it has come and what it found."""

import asyncio
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from eda.cli.common import FILE, FOLDER, TEXT, Whole, done, note, print_data, print_json, say, together
from eda.cli.options import allow_option, json_option, repeatable
from eda.cli.process import interruptible
from eda.cli.terminal.style import console_for, print_rows
from eda.errors import EdaError, StudyError
from eda.study import Study, words
from eda.study.effects import rates
from eda.study.file import Hypothesis
from eda.study.freeze import ALLOWED, audit, exported, manifest_of, noted
from eda.study.ledger import entries, head_of_freeze
from eda.study.measures import MEASURES, measure_named
from eda.study.page import page, write_notebook
from eda.study.people import write_study
from eda.study.status import Progress, Status
from eda.study.study import Results

# Cells that are named of those that failed for one reason.
_SHOWN = 10

_out = click.option("--out", type=FOLDER, help="Folder of the cells. Default: one of the study's name beside FILE.")
_study_options = together(click.argument("file", metavar="FILE", type=FILE), _out, json_option)
_effect = together(
    click.option("--measure", type=TEXT, metavar="NAME", help="Of an exploratory effect; see `eda study measures`."),
    click.option(
        "--contrast", type=TEXT, nargs=2, metavar="A B", help="Two arms of it, or two levels as factor=level."
    ),
)


class _InOrder(click.Group):
    """Lists its commands in the order in which a study needs them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's shape
        return list(self.commands)


@click.group(cls=_InOrder)
def study() -> None:
    """Run a study: many debates that differ in what FILE varies, and controls without talk to compare them with.

    FILE is TOML; docs/study.md leads through one in ten minutes. Each cell (task x levels x arm x seed) is a session.
    """


@study.command(short_help="Print what a study will take, and what it can show.")
@click.option("--pilot", type=FOLDER, help="Folder of an earlier study: how likely its effects are found.")
@allow_option
@_study_options
def plan(*, file: Path, out: Path | None, pilot: Path | None, as_json: bool) -> None:
    """Print cells, calls, dollars, and the smallest effect that this size can show. No call is made."""
    data = Study.load(file).planned(out, pilot)
    if as_json:
        print_json(data)
        return
    _say(say("study-planned", **{key: data[key] for key in ("study", "cells", "done", "tasks", "seeds")}))
    rows = [
        [row["arm"], *(f"{row[key]:,}" for key in _PLANNED[1:4]), _usd(row["cost"]), _usd(row["most"])]
        for row in (*data["arms"], {"arm": "in all", **data})
    ]
    print_rows(console_for(), _PLANNED, rows, _PLANNED[1:])
    for row in data["hypotheses"]:
        least = row["smallest_effect"]
        _say(say("study-shows", what=words.asked(row), least="none" if least is None else f"{least:.2f}"))
        if row["pilot"]:
            share = f"{100 * row['pilot']['found']:.0f}"
            _say(say("study-pilot", what=words.asked(row), effect=f"{row['pilot']['effect']:+.2f}", share=share))
        if not row["enough"]:
            note(say("study-too-small", measure=row["measure"], wanted=row["wanted"]))
    for each in data["deviations"]:
        _say(say("study-deviates", what=words.deviation(each)))
    for limit, most in data["budget"].items():
        if (data["cost" if limit == "usd" else limit] or 0) > most:
            note(say("study-over-budget", most=most, limit=limit))


_RATES = ("arm", "levels", "each task once", "each case once", "cells", "tasks")
_PLANNED = ("arm", "cells", "calls", "tokens", "cost", "where replies are long")


@study.command(short_help="Run every cell that is not done.")
@click.option("--workers", type=Whole(1, 10_000), default=8, show_default=True, help="Cells side by side.")
@allow_option
@click.option("--retry", is_flag=True, help="Also run the cells that failed.")
@_study_options
@click.pass_context
def run(ctx: click.Context, /, *, file: Path, out: Path | None, as_json: bool, **given: Any) -> None:
    """Run every cell that is not done: the same command goes on where it was stopped.

    The first run freezes FILE: what is changed later is refused, or listed as a deviation.
    """
    study = Study.load(file)
    interruptible()
    try:
        with Progress(sys.stderr) as line:
            found = asyncio.run(study.run(out, told=line.show, **given))
    except KeyboardInterrupt:
        note("what is done is kept; the same command goes on")
        raise
    if as_json:
        print_json(found.data() | {"paused": found.paused})
    else:
        _say(str(found))
        _tell_failures(found, _again(file, out))
    if found.paused:
        note(f"paused: {found.paused}")
        note(found.hint or "The same command goes on.")
    elif not as_json:
        note(say("study-next", again=_again(file, out)))
    ctx.exit(1 if found.paused or found.failures else 0)


@study.command("import", short_help="Read people's votes before and after they talked.")
@click.argument("file", metavar="FILE", type=FILE)
@_out
@repeatable("--votes", "votes", "KEY=NAME", "What a column of the table holds, as `votes` has it in a study's file.")
@json_option
def import_(*, file: Path, out: Path | None, votes: tuple[str, ...], as_json: bool) -> None:
    """Read people's votes before and after they talked from FILE, a table: each group becomes a session.

    KEY is group, before, after, member, task, truth, levels.FACTOR, or what docs/study.md lists. Give before, after and
    member once for each member, or once where a row is of a member or has a table of counts. The study's file is
    written into this folder; `eda study table` and `eda study report` take it. FILE may be such a file, too.
    """
    path = file if file.suffix == ".toml" else write_study(file, votes)
    try:
        study = Study.load(path)
        study.planned(out)  # reads the votes
    except EdaError:
        if path != file and not Path(path.stem).exists():
            path.unlink()  # else it would stand in the way of the same command without the mistake
        raise
    if not all(arm.votes for arm in study.arms.values()):
        raise StudyError(f"{path}: panels would be run, too", hint=f"Run all arms: eda study run {path}.")
    found = asyncio.run(study.run(out))
    if as_json:
        left_out = {reason: len(cells) for reason, cells in found.reasons("excluded").items()}
        print_json({"file": str(path), "groups": len(found.cells), "read": found.counts["ended"], "left_out": left_out})
        return
    _say(say("study-read", ended=found.counts["ended"], cells=len(found.cells)))
    _tell_failures(found, _again(path, out))
    note(say("study-next", again=_again(path, out)))


@study.command(short_help="Print how far a study has come, and what failed.")
@_study_options
def status(*, file: Path, out: Path | None, as_json: bool) -> None:
    """Print how many cells are done, what failed and why, and what it took so far."""
    study = Study.load(file)
    found, frozen = study.status(out), manifest_of(study.out(out))
    changes = [*noted(entries(study.out(out)))]
    if as_json:
        print_json(found.data() | {"frozen": frozen and frozen["frozen"], "deviations": changes})
        return
    _say(str(found))
    _say(f"frozen {frozen['frozen']}" if frozen else "not begun: nothing is frozen yet")
    for each in changes:
        _say(words.deviation(each))
    _tell_failures(found, _again(file, out))


@study.command(short_help="Print the effects, or write all tables.")
@click.option("--format", "kind", type=click.Choice(["csv", "parquet", "json"]), help="Write the tables of all cells.")
@_effect
@click.option("--mixed", is_flag=True, help="Also print each effect by a mixed model, in which clusters differ.")
@_study_options
def table(*, file: Path, out: Path | None, as_json: bool, kind: str | None, **given: Any) -> None:
    """Print the effects of the frozen hypotheses, or write the tables of all cells into the folder `tables`.

    --measure without --contrast prints that measure in each arm and combination of levels.
    """
    if kind and given["measure"]:
        raise StudyError("--format writes every table, --measure prints an effect", hint="Leave one of them out.")
    if given["measure"] and not (given["contrast"] or kind):
        shares = rates(Study.load(file).results(out).tables, [given["measure"]])
        cells = map(words.rate, shares)
        print_data(shares, lambda: print_rows(console_for(), _RATES, cells, _RATES[2:]), as_json=as_json)
        return
    found = _results(file, out, **given)
    if kind:
        _tell_files(found.write_tables(kind), as_json=as_json)
        return
    if as_json:
        print_json(found.data())
        return
    for row in found.effects:
        _say(words.claims(row))
    for each in found.deviations:
        _say(words.deviation(each))
    if not found.effects:
        note("FILE freezes no hypothesis; ask for an effect: --measure NAME --contrast A B")
    if left := len(found.status.todo) + len(found.status.failures):
        note(say("study-unfinished", left=left, cells=len(found.plan.cells)))


@study.command(short_help="Write the report: HTML, and a notebook.")
@click.option("--file", "target", type=FILE, help="Where the page goes. Default: report.html in the study's folder.")
@click.option("--notebook", is_flag=True, help="Also write report.ipynb, and the Parquet tables that it reads.")
@_effect
@_study_options
def report(*, file: Path, out: Path | None, target: Path | None, notebook: bool, as_json: bool, **given: Any) -> None:
    """Write the report: one HTML file with each effect, its figure, the flow of cells, and links to the sessions."""
    found = _results(file, out, **given)
    target = target or found.out / "report.html"
    target.write_text(page(found, target.parent), encoding="utf-8")
    files = [target, *(write_notebook(found) if notebook else ())]
    exported(found.out, files)
    _tell_files(files, as_json=as_json)


@study.command("freeze", short_help="Freeze FILE before its first call, and print the digest to deposit.")
@allow_option
@click.option("--export", "form", type=click.Choice([*words.FORMS, "json"]), help="Print a form to deposit.")
@_study_options
def freeze_(*, file: Path, out: Path | None, form: str | None, as_json: bool) -> None:
    """Freeze FILE before its first call, and print the digest to deposit with somebody else. No call is made.

    Whoever has the digest knows later that the study is the one that was frozen: `eda study verify FILE --digest HEX`.
    """
    study = Study.load(file)
    digest = study.freeze(out)
    data = study.planned(out) | {"digest": digest, "frozen": manifest_of(study.out(out)), "file": study.text}
    text = words.deposit(data, form) if form and form in words.FORMS else digest
    done(text, as_json=as_json or form == "json", **data)


@study.command("verify", short_help="Check that a study is as it was frozen and noted.")
@click.option("--digest", type=TEXT, default="", metavar="HEX", help="The digest that was deposited before the run.")
@_study_options
def verify_(*, file: Path, out: Path | None, digest: str, as_json: bool) -> None:
    """Check that FILE and its study are what was frozen, and that nothing was changed, deleted or drawn anew.

    The logs are hashed again. It names the other folders of the study that this user's ledger knows. Exit code 1 where
    anything speaks against it.
    """
    study = Study.load(file)
    frozen = manifest_of(where := study.out(out))
    if frozen is None and not entries(where):
        raise StudyError(f"{where}: no study was begun there", hint=f"Begin it: eda study run {file}.")
    parts = [part for part, now in study.parts.items() if frozen and frozen["parts"].get(part) != now]
    found = [{"code": "file", "parts": parts}][: len(parts)] + audit(where, digest)
    holds, head = all(row["code"] in ALLOWED for row in found), head_of_freeze(where)
    verdict = say("study-verified", holds="yes" if holds else "no", digest=head)
    done("\n".join([verdict, *map(words.deviation, found)]), as_json=as_json, holds=holds, digest=head, found=found)
    if not holds:
        raise click.exceptions.Exit(1)


@study.command(short_help="List the measures that there are.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@json_option
def measures(*, names: tuple[str, ...], as_json: bool) -> None:
    """List the measures, or those of each NAME, with what they are and who defined them."""
    found = [measure_named(name) for name in names or MEASURES]
    data = [{key: getattr(each, key) for key in ("name", "definition", "citation")} for each in found]
    rows = [(each.name, each.definition, *((each.citation,) if names else ())) for each in found]
    heads = ("measure", "definition", "source")[: len(rows[0])]
    print_data(data, lambda: print_rows(console_for(), heads, rows), as_json=as_json)


def _results(
    file: Path, out: Path | None, measure: str | None, contrast: tuple[str, str] | None, *, mixed: bool = False
) -> Results:
    """Return what a study came to, once it is as it was frozen, with the effect that was asked for."""
    if bool(measure) != bool(contrast):
        raise StudyError("--measure and --contrast go together", hint="Write --measure accuracy --contrast talk reask.")
    asked = Hypothesis(measure=measure, contrast=contrast) if measure and contrast else None
    return Study.load(file).results(out, asked, mixed=mixed)


def _tell_files(paths: Iterable[Path], *, as_json: bool) -> None:
    """Print the files that were written."""
    names = [str(path) for path in paths]
    done("\n".join(names), as_json=as_json, files=names)


def _tell_failures(found: Status, again: str) -> None:
    """Print why groups are left out, why cells failed, and how to run them again."""
    for reason, cells in found.reasons("excluded").items():
        note(say("study-left-out", number=len(cells), reason=reason))
    reasons = found.reasons("failed")
    for reason, cells in reasons.items():
        more = f" and {len(cells) - _SHOWN} more" if len(cells) > _SHOWN else ""
        note(f"{len(cells)} failed: {reason} ({', '.join(cells[:_SHOWN])}{more})")
    if found.waiting:
        note(say("study-waiting", controls=len(found.waiting)))
    if reasons:
        note(say("study-retry", again=again))


def _say(text: str) -> None:
    """Print a text, folded where a terminal would cut a word."""
    done(text, as_json=False)


def _again(file: Path, out: Path | None) -> str:
    """Return the arguments that name a study."""
    return f"{file}" if out is None else f"{file} --out {out}"


def _usd(dollars: float | None) -> str:
    return "not priced" if dollars is None else f"${dollars:,.2f}"
