"""The report of a study: one HTML file that needs nothing else, and a notebook that reads the Parquet tables."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from eda.report.forms import pages
from eda.study import words
from eda.study.effects import Pair
from eda.study.file import named
from eda.study.freeze import FROZEN, manifest_of
from eda.study.measures import MEASURES
from eda.study.statistics import cluster_means
from eda.study.status import CELLS, State
from eda.study.study import Results
from eda.text import grouped
from eda.words import ENGLISH

_PAGES = Path(__file__).parent
# Of the figure, beside its axis, and of the highest pile of dots, in units of the drawing.
_WIDTH, _MARGIN, _TALL = 400, 16, 110
_DOT = 9.0  # The width of a dot, where there is room.
_THIN = 2.0  # Below this width dots are drawn as one bar.


def figure(row: Mapping[str, Any], pairs: Sequence[Pair], links: Mapping[str, str] | None = None) -> str:
    """Return the figure of an effect: a dot for the mean difference of each cluster, and below the estimate.

    Args:
        row: Of the effect, as `eda.study.effects.effects` gives it.
        pairs: Its pairs.
        links: Where the dot of each cluster leads; None for nowhere.
    """
    clusters = [pair.cluster for pair in pairs]
    means = dict(zip(dict.fromkeys(clusters), cluster_means([p.difference for p in pairs], clusters), strict=True))
    smallest = row["smallest"] or 0.0
    ends = {end: row[end] for end in ("low", "estimate", "high")} if means else {}
    reach: float = max(
        [*map(abs, (*means.values(), *(ends[end] for end in ends if end != "estimate"))), smallest, 0.05]
    )

    def across(value: float) -> float:
        return _WIDTH / 2 + value / (1.06 * reach) * (_WIDTH / 2 - _MARGIN)

    bins = {name: round((across(value) - _WIDTH / 2) / _DOT) for name, value in means.items()}
    piles, height = Counter(bins.values()), Counter[int]()
    step = min(_DOT, _TALL / max([1, *piles.values()]))
    dots = []
    for name, value in sorted(means.items(), key=lambda item: item[1]):
        height[bins[name]] += 1
        x, y = _WIDTH / 2 + bins[name] * _DOT, step * (height[bins[name]] - 0.5) + 3
        dots.append({"x": x, "y": y, "href": (links or {}).get(name), "title": f"{name}: {words.signed(value)}"})
    drawing = (
        pages(_PAGES)
        .get_template("figure.svg.j2")
        .render(
            width=_WIDTH,
            margin=_MARGIN,
            label=f"{words.asked(row)}: {words.estimate(row) if means else 'no pairs'}",
            ground=step * max([1, *piles.values()]) + 8,
            shade=[across(-smallest), across(smallest)] if smallest else [],
            bars=[(_WIDTH / 2 + (place - 0.4) * _DOT, step * number) for place, number in piles.items()],
            dot=_DOT,
            radius=step / 2 - 0.6,
            dots=dots if step >= _THIN else [],
            ends=[across(value) for value in ends.values()],
            marks=[(across(value), words.signed(value)) for value in (-reach, 0, reach)] if means else [],
        )
    )
    return str(drawing)


def write_notebook(found: Results) -> list[Path]:
    """Write the tables as Parquet and the notebook that reads them into the study's folder, and return the files."""
    target, text = found.out / "report.ipynb", (_PAGES / "notebook.json").read_text(encoding="utf-8")
    target.write_text(text.replace("STUDY", found.plan.study.name), encoding="utf-8")
    return [target, *found.write_tables("parquet")]


# The parts of the page, by the ids of their headings.
_PARTS = ("found", "flow", "rates", "claims", "deviations", "pairs", "sessions", "file")
_NOT_DONE: Mapping[State, str] = {"unfinished": "cut or paused", "running": "running", "absent": "not begun"}


def page(found: Results, folder: Path) -> str:
    """Return the report as HTML.

    Args:
        found: What the study came to.
        folder: In which the page will lie; links to sessions are relative to it.

    Raises:
        EdaError: as `Results.effects`.
    """
    plan, states, arms = found.plan, found.status.cells, [*found.plan.study.arms]
    cells = sorted(plan.cells.values(), key=lambda cell: arms.index(cell.arm))
    groups = grouped(((cell.arm, named(cell.crossed)), cell) for cell in cells)
    return (
        pages(_PAGES)
        .get_template("report.html.j2")
        .render(
            say=ENGLISH.say,
            words=words,
            named=named,
            parts=_PARTS,
            found=found,
            cells=plan.cells,
            states=states,
            not_done=_NOT_DONE,
            measures=MEASURES,
            manifest=manifest_of(found.out) or {},
            frozen=(found.out / FROZEN).read_text(encoding="utf-8"),
            effects=[*map(_effect, range(len(found.effects)), found.effects, found.pairs)],
            count={
                arm: Counter(states[cell.id].state for cell in plan.cells.values() if cell.arm == arm) for arm in arms
            },
            rates=_rates(found, arms),
            groups=groups,
            places={place: f"g{number}" for number, place in enumerate([*groups, *arms])},
            base=Path(os.path.relpath(found.out / CELLS, folder)).as_posix(),
            folder=f"{Path(os.path.relpath(found.out, plan.study.folder)).as_posix()}/{CELLS}/ID",
        )
    )


def _effect(number: int, row: Mapping[str, Any], pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return an effect with its pairs, its figure, whose dots lead to these, and how many cells it is of."""
    places = {pair.cluster: f"#p{number}-{place}" for place, pair in reversed([*enumerate(pairs)])}
    used = {cell for pair in pairs for side in pair.cells for cell in side}
    return {"row": row, "pairs": pairs, "figure": figure(row, pairs, places) if pairs else "", "used": len(used)}


def _rates(found: Results, arms: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Return the rates by measure: of each arm, and below it of each combination of levels."""
    factors = [*dict.fromkeys(factor for cell in found.plan.cells.values() for factor in cell.crossed)]
    rows = (*found.rates(()), *(found.rates(factors) if factors else ()))
    return grouped((row["measure"], row) for row in sorted(rows, key=lambda row: arms.index(row["arm"])))
