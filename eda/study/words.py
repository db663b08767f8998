"""What a study found, in sentences: the same ones on a terminal, in the report and in the notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from eda.report.formatting import count
from eda.study.nulls import NULLS

Row = Mapping[str, Any]


def asked(row: Row) -> str:
    """Return what an effect compares."""
    return f"{row['measure']}, {' minus '.join(row['contrast'])}"


def estimate(row: Row, *, sign: bool = True) -> str:
    """Return an estimate with its interval; an effect is printed with its sign."""
    values = [signed(row[key]) if sign else f"{row[key]:.2f}" for key in ("estimate", "low", "high")]
    return f"{values[0]} [{values[1]}, {values[2]}]"


def finding(row: Row) -> str:
    """Return what the interval of an effect says, in the careful words of a report."""
    if row["estimate"] is None:
        return "no pairs yet"
    covers, p, smallest = row["low"] <= 0 <= row["high"], row["p_holm"], row["smallest"]
    if row["equivalent"] is not None and row["equivalent"] < row["alpha"]:
        small = f"smaller than {smallest:g} either way, so no effect that matters"
        return small if covers else f"differs from 0, and is {small}"
    if covers:
        return "covers 0: this study cannot tell"
    if p is not None and p >= row["alpha"]:
        return f"the interval leaves out 0, the test does not bear it out (p = {p:.2g}): this study cannot tell"
    return "differs"


def answer(row: Row) -> str:
    """Return the finding as a sentence."""
    what, (first, second) = row["measure"] + _mark(row), row["contrast"]
    said = finding(row)
    if row["estimate"] is None:
        return f"Nothing is known yet of {what}: no two cells can be compared."
    level = f"{100 * (1 - row['alpha']):g}\u00a0% interval {signed(row['low'])} to {signed(row['high'])}"
    if "cannot tell" in said:
        return f"This study cannot tell whether {what} differs between {first} and {second} ({level})."
    if said == "differs":
        more = "higher" if row["estimate"] > 0 else "lower"
        return f"With {first}, {what} is {more} than with {second}, by {abs(row['estimate']):.2f} ({level})."
    return f"{what}, {first} minus {second}: {said} ({level})."


def size(row: Row) -> str:
    """Return how much was compared, and the smallest effect that so much can show."""
    if row["estimate"] is None:
        return "No two cells that have a value of this measure share what pairs them"
    clusters = row["clusters"]
    of = f"{count(row['pairs'], 'pair')} in {count(clusters, 'cluster')}"
    if row["detectable"] is None:
        return f"{of}; all clusters have one mean, so what this size can show is not known"
    return f"{of}; this size shows an effect of {row['detectable']:.2f} or more in 8 of 10 such studies"


def tests(row: Row) -> str:
    """Return how interval and p were made; empty where there are no pairs."""
    if row["estimate"] is None:
        return ""
    level = f"{100 * (1 - row['alpha']):g}\u00a0% interval ({row['method']}, clustered by task)"
    p = f"p = {row['p']:.2g} by sign flips, {row['p_holm']:.2g} after Holm"
    if row["smallest"] is None:
        return f"{level}; {p}."
    same = "not defined" if row["equivalent"] is None else f"p = {row['equivalent']:.2g}"
    return f"{level}; {p}; equivalence within {row['smallest']:g}: {same}."


def claims(row: Row) -> str:
    """Return one line: what is compared, the effect, its size and what it says."""
    found = "" if row["estimate"] is None else f"{estimate(row)}, {size(row).partition(';')[0]}: "
    return f"{asked(row)}{_mark(row)}: {found}{finding(row)}"


def columns(row: Row) -> tuple[str, ...]:
    """Return the same as cells of a table, with the p of Holm's correction."""
    numbers = ("", "0", "") if row["estimate"] is None else (estimate(row), f"{row['pairs']:,}", f"{row['p_holm']:.2g}")
    return asked(row), *numbers, finding(row) + _mark(row)


def nulls(rows: Sequence[Row]) -> dict[str, str]:
    """Return, for each arm, whether its data beat the nulls, and with which model of influence.

    Args:
        rows: As `eda.study.nulls.nulls` returns them, the best of each arm first.
    """
    found = {}
    for arm in dict.fromkeys(row["arm"] for row in rows):
        of_arm = [row for row in rows if row["arm"] == arm]
        null = next(row for row in of_arm if row["model"] in NULLS)
        better = [row for row in of_arm if row["low"] > 0]
        if better:
            best = better[0]
            found[arm] = (
                f"“{best['model']}” ({best['line']}) predicts unseen answers better than every null, by"
                f" {best['gain']:.3f} [{best['low']:.3f}, {best['high']:.3f}] in log likelihood an answer."
            )
        else:
            found[arm] = (
                f"no model of influence predicts unseen answers better than the null “{null['model']}”"
                f" ({null['line']}): the answers alone do not show that members moved each other."
            )
    return found


def outlook(status: Mapping[str, Any], runners: Sequence[str]) -> list[str]:
    """Return what a reader has to bear in mind of this study.

    Args:
        status: As `Status.data` gives it.
        runners: What answered the prompts.
    """
    lines = []
    if left := status["cells"] - status["ended"]:
        lines.append(
            f"{left} of {count(status['cells'], 'cell')} have no result. This is a look at a study that is not done:"
            " intervals and p do not allow for several looks."
        )
    if played := [runner for runner in runners if runner in ("player", "simulated")]:
        lines.append(
            f"The runner “{played[0]}” is simulated: its cells test the instrument, and say nothing of models."
        )
    lines += [
        "An effect is of these tasks, personas and models, and of no others. Seeds of one task are more of that task.",
        "One cell says nothing of a cause: only the difference between arms or levels does, over all pairs.",
        "What was not frozen before the first call is exploratory: a new study has to confirm it.",
    ]
    return lines


def _mark(row: Row) -> str:
    return "" if row["frozen"] else " (exploratory)"


def signed(value: float) -> str:
    """Return a difference with its sign, to two places."""
    return f"{value:+.2f}".replace("-", "−") if round(value, 2) else "0"
