"""What a study found, in sentences: the same ones on a terminal, in the report and in the notebook."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from eda.study.file import named
from eda.words import ENGLISH

Row = Mapping[str, Any]
FORMS = {"osf": "study-osf", "aspredicted": "study-aspredicted"}
"""The headings of each registry that asks what a study is before it is run."""
_SHOWN = 10  # Cells that are named of those that one sentence is about.
Finding = Literal["none", "equivalent", "small", "covers", "untested", "differs"]
"""What the interval of an effect says; `untested` where it leaves out 0 and the test does not."""


def sides(row: Row) -> list[str]:
    """Return the two sides of an effect; each of two effects that are compared has two of its own."""
    named = row["contrast"]
    return [" minus ".join(part) for part in (named[: len(named) // 2], named[len(named) // 2 :])]


def asked(row: Row) -> str:
    """Return what an effect compares."""
    two = sides(row) if len(row["contrast"]) < 3 else [f"({each})" for each in sides(row)]
    return f"{row['measure']}, {' minus '.join(two)}"


def estimate(row: Row, *, sign: bool = True) -> str:
    """Return an estimate with its interval; an effect is printed with its sign."""
    values = [signed(row[key]) if sign else f"{row[key]:.2f}" for key in ("estimate", "low", "high")]
    return f"{values[0]} [{values[1]}, {values[2]}]"


def rate(row: Row) -> tuple[str, ...]:
    """Return a rate as cells of a table: in the first number each task counts once, in the second each case."""
    counts = (f"{row[key]:,}" for key in ("cells", "clusters"))
    return row["arm"], named(row["levels"]), estimate(row, sign=False), f"{row['pooled']:.2f}", *counts


def found(row: Row) -> Finding:
    """Return what the interval of an effect says."""
    if row["estimate"] is None:
        return "none"
    covers = row["low"] <= 0 <= row["high"]
    if row["equivalent"] is not None and row["equivalent"] < row["alpha"]:
        return "equivalent" if covers else "small"
    if covers:
        return "covers"
    return "untested" if row["p_holm"] is not None and row["p_holm"] >= row["alpha"] else "differs"


def finding(row: Row) -> str:
    """Return what the interval of an effect says, in the careful words of a report."""
    return ENGLISH.say("study-finding", finding=found(row), smallest=f"{row['smallest'] or 0:g}", p=_p(row["p_holm"]))


def answer(row: Row) -> str:
    """Return the finding as a sentence."""
    kind, (first, second) = found(row), sides(row)
    what = row["measure"] + _mark(row)
    if kind == "none":
        return ENGLISH.say("study-answer", sort=kind, what=what)
    more = "higher" if row["estimate"] > 0 else "lower"
    sort = {"covers": "unknown", "untested": "unknown", "differs": more}.get(kind, "small")
    return ENGLISH.say(
        "study-answer",
        sort=sort,
        what=what,
        first=first,
        second=second,
        of="effects" if len(row["contrast"]) > 2 else "sides",
        level=_level(row),
        low=signed(row["low"]),
        high=signed(row["high"]),
        by=f"{abs(row['estimate']):.2f}",
        finding=finding(row),
    )


def compared(row: Row) -> str:
    """Return how many pairs and clusters were compared."""
    pooled = "same" if row["pairs"] == row["clusters"] else signed(row["pooled"])
    return ENGLISH.say("study-compared", pairs=row["pairs"], clusters=row["clusters"], pooled=pooled)


def size(row: Row) -> str:
    """Return how much was compared, and the smallest effect that so much can show."""
    if row["estimate"] is None:
        return ENGLISH.say("study-size", detectable="unpaired")
    detectable = "none" if row["detectable"] is None else f"{row['detectable']:.2f}"
    said = ENGLISH.say("study-size", detectable=detectable, compared=compared(row))
    if row["if_failed"] is None:
        return said
    low, high = map(signed, row["if_failed"])
    return f"{said}; {ENGLISH.say('study-if-failed', low=low, high=high)}"


def tests(row: Row) -> str:
    """Return how interval and p were made; empty where there are no pairs."""
    if row["estimate"] is None:
        return ""
    return ENGLISH.say(
        "study-tests",
        level=_level(row),
        method=row["method"],
        p=_p(row["p"]),
        holm=_p(row["p_holm"]),
        frozen="yes" if row["frozen"] else "no",
        equivalent="unasked" if row["smallest"] is None else _p(row["equivalent"]),
        smallest=f"{row['smallest'] or 0:g}",
    )


def claims(row: Row) -> str:
    """Return one line: what is compared, the effect, its size and what it says."""
    effect = "" if row["estimate"] is None else f"{estimate(row)}, {compared(row)}: "
    model = dict(zip(("estimate", "low", "high"), row["mixed"] or (), strict=False))
    beside = f"; {ENGLISH.say('study-mixed', estimate=estimate(model))}" if model else ""
    return f"{asked(row)}{_mark(row)}: {effect}{finding(row)}{beside}"


def outlook(status: Mapping[str, Any], runners: Sequence[str]) -> list[str]:
    """Return what a reader has to bear in mind of this study.

    Args:
        status: As `Status.data` gives it.
        runners: What answered the prompts.
    """
    lines = []
    if left := status["cells"] - status["ended"] - status["excluded"]:
        lines.append(ENGLISH.say("study-unfinished", left=left, cells=status["cells"]))
    if played := [runner for runner in runners if runner in ("player", "simulated")]:
        lines.append(ENGLISH.say("study-simulated", runner=played[0]))
    return [*lines, *map(ENGLISH.say, ("study-of-these", "study-no-cause", "study-exploratory"))]


def deviation(row: Row) -> str:
    """Return what departs from the freeze of a study as a sentence, with its time where that is known."""
    cells = row.get("cells", ())
    named = ", ".join(cells[:_SHOWN]) + (", ..." if len(cells) > _SHOWN else "")
    given = {key: row[key] for key in row.keys() - {"cells", "at", "parts"}}
    said = ENGLISH.say("study-deviation", **given, cells=len(cells), named=named, parts=[*row.get("parts", ())])
    return f"{row['at']}: {said}" if row.get("at") else said


def deposit(data: Row, form: str) -> str:
    """Return what a registry asks of a study before it is run, as a text to paste.

    Args:
        data: The plan, with `digest` and the manifest as `frozen`.
        form: One of `FORMS`.
    """
    frozen = data["frozen"]
    given: dict[str, Any] = {
        "hypotheses": [*map(asked, frozen["hypotheses"])],
        "arms": [row["arm"] for row in data["arms"]],
        "least": [f"{each['smallest']:g}" for each in frozen["hypotheses"] if each["smallest"]],
        "factors": [*data["levels"]],
        "runners": frozen["runners"],
        "sha": frozen["sha256"],
        **{key: data[key] for key in ("study", "digest", "cells", "done", "tasks", "seeds")},
    }
    topics = ENGLISH.labels(FORMS[form]).items()
    return "\n\n".join(f"{head}\n{ENGLISH.say('study-deposit', topic=topic, **given)}" for topic, head in topics)


def _level(row: Row) -> str:
    return f"{100 * (1 - row['alpha']):g}"


def _p(value: float | None) -> str:
    return "none" if value is None else f"{value:.2g}"


def _mark(row: Row) -> str:
    return "" if row["frozen"] else " (exploratory)"


def signed(value: float) -> str:
    """Return a difference with its sign, to two places."""
    return f"{value:+.2f}".replace("-", "−") if round(value, 2) else "0"
