"""People's votes before and after they talked, as their authors published them: the figures of this instrument."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from eda.study import Study
from eda.study.effects import rates
from proofs.base import Check, Row, row_of

DELIDATA, CROWD, TRUTH = "delidata-groups.tsv", "crowd-deliberations.csv", "crowd-truth.csv"
"""The files, as their authors name them; the project has no copy."""
WHERE = "DeliData (Karadzhov et al. 2023), Crowd Deliberation (Schaekermann et al. 2018)"
_SEATS = (1, 2, 3)
_DELIDATA = {
    "group": "room",
    "before": "onboarding_types",
    "after": "game_types",
    "answer": "CORRECT",
}
_CROWD = {
    "group": "DELIBERATION_ID",
    "task": "DATA_ID",
    "member": [f"MEMBER_{seat}_NAME" for seat in _SEATS],
    "before": [f"MEMBER_{seat}_ORIGINAL_LABEL" for seat in _SEATS],
    "after": [f"MEMBER_{seat}_RECONSIDERED_LABEL" for seat in _SEATS],
    "truth": "GROUND_TRUTH_LABEL",
    "levels": {"dataset": "DATASET"},
}
_EXACT, _ROUNDED = 0.0005, 0.005
"""Tolerances of figures that are given to three places and to two."""


def people(size: float = 1.0, folder: Path | None = None) -> Row:  # noqa: ARG001 - every proof is asked so
    """Return whether the published figures come out of the files in a folder; without the files it is skipped."""
    what = f"published figures of {WHERE}"
    if folder is None or not all((folder / name).is_file() for name in (DELIDATA, CROWD, TRUTH)):
        why = f"skipped, as --people names no folder with {DELIDATA}, {CROWD} and {TRUTH}"
        return {**row_of("people", what, [Check("nothing", 0, 0)]), "covered": 0, "studies": 0, "skipped": why}
    return row_of("people", what, [*_delidata(folder), *_crowd(folder)])


def _delidata(folder: Path) -> list[Check]:
    found = {row["measure"]: row for row in _rates({"file": str((folder / DELIDATA).resolve()), **_DELIDATA})}
    alone, after, gain = (found[f"members_{name}"] for name in ("right_first", "right_last", "gain"))
    return [
        Check("DeliData: members right alone", 0.104, alone["pooled"], _EXACT),
        Check("DeliData: members right after talk", 0.337, after["pooled"], _EXACT),
        Check("DeliData: right alone, groups' mean", 0.108, alone["estimate"], _EXACT),
        Check("DeliData: right after talk, groups' mean", 0.328, after["estimate"], _EXACT),
        Check("DeliData: groups' mean difference", 0.220, gain["estimate"], _EXACT),
        Check("DeliData: its lower end", 0.190, gain["low"], _ROUNDED),
        Check("DeliData: its upper end", 0.253, gain["high"], _ROUNDED),
        Check("DeliData: ended right, none right alone", 0.438, found["right_from_none"]["estimate"], _EXACT),
    ]


def _crowd(folder: Path) -> list[Check]:
    lookup = {"file": str((folder / TRUTH).resolve()), "on": "DATA_ID"}
    rows = _rates({"file": str((folder / CROWD).resolve()), **_CROWD, "lookup": lookup})
    found = {(row["measure"], row["levels"]["dataset"].split("-")[1]): row for row in rows}
    checks = []
    for task, groups, conformity in (("sarcasm", 117, 0.77), ("relation", 122, 0.72)):
        unanimous = found["consensus", task]
        agreed = unanimous["pooled"] * unanimous["cells"]
        checks += [
            Check(f"Crowd Deliberation, {task}: groups whose members all voted twice", groups, unanimous["cells"]),
            Check(f"Crowd Deliberation, {task}: unanimous after talk", 79, round(agreed, 6)),
            Check(
                f"Crowd Deliberation, {task}: conformity", conformity, found["conformity", task]["estimate"], _ROUNDED
            ),
        ]
    return checks


_MEASURES = ("members_right_first", "members_right_last", "members_gain", "right_from_none", "consensus", "conformity")


def _rates(votes: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the measures of the groups that a study of these votes has."""
    with TemporaryDirectory() as place:
        tables = ", ".join(f"{key} = {_toml(value)}" for key, value in votes.items())
        file = Path(place) / "people.toml"
        file.write_text(f'name = "people"\n[arms]\npeople = {{votes = {{{tables}}}}}\n', encoding="utf-8")
        study = Study.load(file)
        os.environ["XDG_DATA_HOME"] = place  # a proof is none of the user's studies
        asyncio.run(study.run())
        return rates(study.frames(), _MEASURES)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {_toml(each)}' for key, each in value.items())}}}"
    return orjson.dumps(value).decode()
