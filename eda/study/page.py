"""The report of a study: one HTML file that needs nothing else, and a notebook that reads the Parquet tables."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from eda.report.markdown import pages
from eda.study import words
from eda.study.cells import Cell
from eda.study.effects import Pair
from eda.study.file import named
from eda.study.freeze import FROZEN, manifest_of
from eda.study.measures import measure_named
from eda.study.status import CELLS, State
from eda.study.study import Results
from eda.study.words import asked, estimate, signed
from eda.words import ENGLISH

_PAGES = Path(__file__).parent
_WIDTH, _MARGIN, _TALL = 400, 16, 110
"""Of the figure, beside its axis, and of the highest pile of dots, in units of the drawing."""
_DOT = 9.0
"""The width of a dot, where there is room."""
_THIN = 2.0
"""Below this width dots are drawn as one bar."""


def clusters_of(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    """Return the pairs of each cluster."""
    found: dict[str, list[Pair]] = {}
    for pair in pairs:
        found.setdefault(pair.cluster, []).append(pair)
    return found


def figure(row: Mapping[str, Any], pairs: Sequence[Pair], links: Mapping[str, str] | None = None) -> str:
    """Return the figure of an effect: a dot for the mean difference of each cluster, and below the estimate.

    Args:
        row: Of the effect, as `eda.study.effects.effects` gives it.
        pairs: Its pairs.
        links: Where the dot of each cluster leads; None for nowhere.
    """
    means = {name: sum(pair.difference for pair in of) / len(of) for name, of in clusters_of(pairs).items()}
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
        dots.append({"x": x, "y": y, "href": (links or {}).get(name), "title": f"{name}: {signed(value)}"})
    drawing = (
        pages(_PAGES)
        .get_template("figure.svg.j2")
        .render(
            width=_WIDTH,
            margin=_MARGIN,
            label=f"{asked(row)}: {estimate(row) if means else 'no pairs'}",
            ground=step * max([1, *piles.values()]) + 8,
            shade=[across(-smallest), across(smallest)] if smallest else [],
            bars=[(_WIDTH / 2 + (place - 0.4) * _DOT, step * number) for place, number in piles.items()],
            dot=_DOT,
            radius=step / 2 - 0.6,
            dots=dots if step >= _THIN else [],
            ends=[across(value) for value in ends.values()],
            marks=[(across(value), signed(value)) for value in (-reach, 0, reach)] if means else [],
        )
    )
    return str(drawing)


NOTEBOOK = "report.ipynb"
_TEXTS = {
    "read": "The tables lie in `tables/`, beside this notebook; `docs/study-tables.md` says what each column is."
    " Nothing here calls a model.",
    "effects": "Each effect is the first side minus the second, over pairs; the interval is clustered by task. Nothing"
    " but these hypotheses was frozen before the first call.",
    "figures": "A dot is the mean difference of one cluster; below, the effect with its interval. With matplotlib the"
    " figures are drawn for a paper, without it as in `report.html`.",
    "rates": "Rates by arm.",
    "query": "Any other question: the tables are read in place.",
}
_CODE = {
    "read": """
import json
from pathlib import Path

import pyarrow.parquet as parquet
from IPython.display import HTML

from eda.study import words
from eda.study.effects import effects, pairs, rates
from eda.study.page import clusters_of, figure
from eda.study.file import Hypothesis
from eda.study.tables import Frames

tables = Frames({path.stem: parquet.read_table(path) for path in sorted(Path("tables").glob("*.parquet"))})
manifest = json.loads(tables["cells"].schema.metadata[b"manifest"])
frozen = [Hypothesis(**each) for each in manifest["hypotheses"]]
""",
    "effects": """
found = effects(tables, frozen)
for row in found:
    print(words.claims(row))
    print(f"  {words.tests(row)}")
""",
    "figures": """
try:
    import matplotlib.pyplot as plt
except ImportError:
    plt = None

def drawn(row, points):
    means = [sum(pair.difference for pair in of) / len(of) for of in clusters_of(points).values()]
    _, axes = plt.subplots(figsize=(5, 2.2), layout="constrained")
    axes.hist(means, bins=41, color="0.6")
    axes.errorbar(row["estimate"], -1, xerr=[[row["estimate"] - row["low"]], [row["high"] - row["estimate"]]], fmt="ks")
    axes.axvline(0, color="k", linestyle=":")
    axes.set(title=words.asked(row), xlabel="difference", ylabel="clusters")

shown = [(row, pairs(tables, each)) for row, each in zip(found, frozen) if row["estimate"] is not None]
if plt is not None:
    for row, points in shown:
        drawn(row, points)
None if plt else HTML("".join(figure(row, points) for row, points in shown))
""",
    "rates": """
for row in rates(tables, dict.fromkeys(each.measure for each in frozen), factors=()):
    print(f"{row['measure']}, {row['arm']}: {words.estimate(row, sign=False)}, {row['cells']} cells")
""",
    "query": """
import duckdb

print(duckdb.sql("select arm, status, count(*) as cells from 'tables/cells.parquet' group by all order by all"))
""",
}


def write_notebook(found: Results) -> list[Path]:
    """Write the tables as Parquet and the notebook that reads them into the study's folder, and return the files."""
    target = found.out / NOTEBOOK
    cells = [_cell("markdown", "title", f"# {found.plan.study.name}\n\n{ENGLISH.say('study-notebook')}")]
    for at, code in _CODE.items():
        cells += [_cell("markdown", f"{at}-text", _TEXTS[at]), _cell("code", at, code.strip())]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    target.write_bytes(orjson.dumps(notebook, option=orjson.OPT_INDENT_2))
    return [target, *found.write_tables("parquet")]


def _cell(kind: str, name: str, text: str) -> dict[str, Any]:
    more: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"id": name, "cell_type": kind, "metadata": {}, "source": text, **more}


_PARTS = ("found", "flow", "rates", "claims", "deviations", "pairs", "sessions", "file")
"""The parts of the page, by the ids of their headings."""
_NOT_DONE: Mapping[State, str] = {"unfinished": "cut or paused", "running": "running", "absent": "not begun"}


def page(found: Results, folder: Path) -> str:
    """Return the report as HTML.

    Args:
        found: What the study came to.
        folder: In which the page will lie; links to sessions are relative to it.

    Raises:
        EdaError: as `Results.effects`.
    """
    return str(pages(_PAGES).get_template("report.html.j2").render(_Page(found, folder).data()))


class _Page:
    """What the parts of a report share."""

    def __init__(self, found: Results, folder: Path) -> None:
        self._found = found
        self._plan = found.plan
        self._cells = found.status.cells
        self._base = Path(os.path.relpath(found.out / CELLS, folder)).as_posix()
        groups: dict[tuple[str, str], list[Cell]] = {}
        for cell in found.plan.cells.values():
            groups.setdefault((cell.arm, named(cell.crossed)), []).append(cell)
        arms = [*found.plan.study.arms]
        self._groups = dict(sorted(groups.items(), key=lambda item: arms.index(item[0][0])))
        self._places = {group: f"g{number}" for number, group in enumerate(self._groups)}
        self._arms = {arm: f"arm{number}" for number, arm in enumerate(arms)}

    def data(self) -> dict[str, Any]:
        """Return what the template shows."""
        manifest = manifest_of(self._found.out) or {}
        folder = Path(os.path.relpath(self._found.out, self._plan.study.folder)).as_posix()
        return {
            "say": ENGLISH.say,
            "parts": _PARTS,
            "name": self._plan.study.name,
            "status": str(self._found.status),
            "manifest": manifest,
            "frozen": (self._found.out / FROZEN).read_text(encoding="utf-8"),
            "effects": [self._effect(number, row) for number, row in enumerate(self._found.effects)],
            "flow": self._flow(),
            "rates": self._rates(),
            "outlook": words.outlook(self._found.status.data(), manifest["runners"]),
            "deviations": [*map(words.deviation, self._found.deviations)],
            "groups": [*self._sessions()],
            "folder": f"{folder}/{CELLS}/ID",
        }

    def _effect(self, number: int, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return what was asked and found of one effect, its figure and its pairs."""
        (first, second), measure, pairs = words.sides(row), measure_named(row["measure"]), self._found.pairs[number]
        places = {pair.cluster: place for place, pair in reversed([*enumerate(pairs)])}
        links = {name: f"#p{number}-{places[name]}" for name in clusters_of(pairs)}
        question = {"measure": measure.name, "definition": measure.definition, "first": first, "second": second}
        question["of"] = "effects" if len(row["contrast"]) > 2 else "sides"
        return {
            "answer": words.answer(row),
            "asked": words.asked(row),
            "question": ENGLISH.say("study-question", **question, frozen="yes" if row["frozen"] else "no"),
            "estimate": words.estimate(row) if pairs else "",
            "finding": words.finding(row),
            "size": words.size(row),
            "tests": words.tests(row),
            "figure": figure(row, pairs, links) if pairs else "",
            "caption": ENGLISH.say("study-caption", smallest=f"{row['smallest'] or 0:g}"),
            "heads": ["cluster", "seed", first, second, "difference"],
            "pairs": [self._pair(pair, f"p{number}-{place}") for place, pair in enumerate(pairs)],
        }

    def _pair(self, pair: Pair, place: str) -> list[object]:
        """Return the cells of a pair's row, each value with links to what it comes from."""
        seeds = ", ".join(dict.fromkeys(str(self._plan.cells[cell].seed) for cell in pair.cells[0]))
        sides = zip((pair.first, pair.second), pair.cells, strict=True)
        values = [{"text": f"{value:.3g}", "links": [f"#c{each}" for each in ids]} for value, ids in sides]
        return [{"id": place, "text": pair.cluster}, seeds, *values, words.signed(pair.difference)]

    def _flow(self) -> dict[str, Any]:
        """Return the flow of cells: planned, run, failed and why, and those that each comparison is of."""
        states = Counter(cell.state for cell in self._cells.values())
        compared = []
        for row, pairs in zip(self._found.effects, self._found.pairs, strict=True):
            used = len({cell for pair in pairs for side in pair.cells for cell in side})
            given = {"used": used, "pairs": len(pairs), "left": states["ended"] - used, "unpaired": row["unpaired"]}
            compared.append(ENGLISH.say("study-flow-compared", **given, what=words.asked(row)))
        rows = []
        for arm, place in self._arms.items():
            of = Counter(self._cells[cell.id].state for cell in self._plan.cells.values() if cell.arm == arm)
            left = sum(of[state] for state in _NOT_DONE)
            rows.append([{"text": arm, "links": [f"#{place}"]}, sum(of.values()), of["ended"], of["failed"], left])
        return {
            "planned": len(self._cells),
            "ended": states["ended"],
            "failed": [
                (ENGLISH.say("study-flow-failed", cells=len(of), reason=each), of)
                for each, of in self._found.status.reasons("failed").items()
            ],
            "excluded": [
                (ENGLISH.say("study-left-out", number=len(of), reason=each), of)
                for each, of in self._found.status.reasons("excluded").items()
            ],
            "lost": [f"{states[state]} {word}" for state, word in _NOT_DONE.items() if states[state]],
            "compared": compared,
            "arms": rows,
        }

    def _rates(self) -> list[tuple[str, list[list[object]]]]:
        """Return the rates: of each arm, and below it of each combination of levels."""
        factors = [*dict.fromkeys(factor for cell in self._plan.cells.values() for factor in cell.crossed)]
        tables: dict[str, list[list[Any]]] = {}
        for row in (*self._found.rates(()), *(self._found.rates(factors) if factors else ())):
            levels = named(row["levels"])
            place = self._places.get((row["arm"], levels)) if levels else self._arms.get(row["arm"])
            number = words.estimate(row, sign=False)
            linked = {"text": number, "links": [f"#{place}"]} if place else number
            tables.setdefault(row["measure"], []).append(
                [row["arm"] or "all", linked, f"{row['pooled']:.2f}", row["cells"], levels]
            )
        order = [*self._arms]
        for rows in tables.values():
            rows.sort(key=lambda row: (order.index(row[0]) if row[0] in order else -1, row[-1] != ""))
        return [(name, [[*more, levels or "all"] for *more, levels in rows]) for name, rows in tables.items()]

    def _sessions(self) -> Iterator[dict[str, Any]]:
        """Yield every cell with a link to its log, by arm and levels."""
        before = ""
        for (arm, levels), cells in self._groups.items():
            rows = []
            for cell in cells:
                state, log = self._cells[cell.id], f"{self._base}/{cell.id}/events.jsonl"
                how = state.state + (f": {state.reason}" if state.reason and state.state != "ended" else "")
                link = {"text": cell.id, "anchor": f"c{cell.id}", "links": [log]}
                rows.append([link, cell.task.id, cell.seed, cell.levels.get("seats", ""), how])
            places = {"arm_place": self._arms[arm], "place": self._places[arm, levels]}
            yield {"arm": arm, "levels": levels, "first": arm != before, "rows": rows, **places}
            before = arm
