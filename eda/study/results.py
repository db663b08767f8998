"""What a study found: effects of the frozen hypotheses and of what somebody asks later, and the tables as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from eda.study.branches import forks_of
from eda.study.cells import Plan
from eda.study.effects import Contrast, effects, rates
from eda.study.freeze import manifest_of
from eda.study.status import status_of
from eda.study.tables import Tables, tables, to_csv, to_records, write_parquet

FOLDER = "tables"


def results(plan: Plan, out: Path, extra: tuple[str, tuple[str, str]] | None = None) -> dict[str, Any]:
    """Return the effects, the rates of each arm, the status and the deviations, as JSON has them.

    Args:
        plan: Of the study.
        out: Its folder.
        extra: A measure and a contrast that were not frozen; it is marked as exploratory.

    Raises:
        UnknownNameError: there is no such measure, arm, factor or level.
        UsageError: the extra `study` is not installed.
    """
    made, manifest = tables_of(plan, out), manifest_of(out) or {}
    frozen = plan.study.hypotheses
    found = [{**row, "frozen": True} for row in effects(made, frozen)]
    if extra is not None:
        found += [{**row, "frozen": False} for row in effects(made, [Contrast(*extra)])]
    measures = dict.fromkeys(row["measure"] for row in found)
    return {
        "study": plan.study.name,
        "effects": found,
        "rates": rates(made, measures),
        "status": status_of(plan, out).data(),
        "forks": forks_of(plan, out),
        "deviations": manifest.get("deviations", []),
    }


def tables_of(plan: Plan, out: Path) -> Tables:
    """Return the tables of all cells, in Arrow, by name."""
    return tables(out, plan.cells.values())


def write_tables(plan: Plan, out: Path, kind: str) -> list[Path]:
    """Write every table into the folder `tables` as `csv`, `parquet` or `json`, and return the files."""
    made, folder = tables_of(plan, out), out / FOLDER
    if kind == "parquet":
        return write_parquet(made, folder, {"manifest": orjson.dumps(manifest_of(out)).decode()})
    folder.mkdir(exist_ok=True)
    paths = []
    for name, table in made.items():
        paths.append(folder / f"{name}.{kind}")
        text = to_csv(table) if kind == "csv" else orjson.dumps(to_records(table)).decode()
        paths[-1].write_text(text, encoding="utf-8")
    return paths
