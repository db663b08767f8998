"""The report of a study as a notebook: it makes the effects and figures of the page from the Parquet tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from eda.study.results import Results
from eda.words import ENGLISH

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

from eda.study import words
from eda.study.effects import effects, pairs, rates
from eda.study.figures import Svg, clusters_of, figure
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
None if plt else Svg("".join(figure(row, points) for row, points in shown))
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
    target.write_bytes(orjson.dumps(_notebook(found.plan.study.name), option=orjson.OPT_INDENT_2))
    return [target, *found.write_tables("parquet")]


def _notebook(name: str) -> dict[str, Any]:
    """Return the notebook as JSON has it, in format 4.5."""
    cells = [_cell("markdown", "title", f"# {name}\n\n{ENGLISH.say('study-notebook')}")]
    for at, code in _CODE.items():
        cells += [_cell("markdown", f"{at}-text", _TEXTS[at]), _cell("code", at, code.strip())]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}


def _cell(kind: str, name: str, text: str) -> dict[str, Any]:
    more: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"id": name, "cell_type": kind, "metadata": {}, "source": text, **more}
