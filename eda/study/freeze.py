"""What was fixed before the first call: the file, its hash, the versions; and what departs from it or was changed."""

import hashlib
import os
import platform
from collections.abc import Iterable, Iterator
from datetime import datetime
from importlib.metadata import version
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson
from filelock import FileLock

import eda
from eda.errors import EdaError, StudyError
from eda.panels.files import UserFile, own_mode
from eda.runners.models import model_table
from eda.session.chain import check
from eda.session.names import LOG_FILE
from eda.session.store import replace_file
from eda.study.cells import Plan, behaviour, plan_of
from eda.study.file import StudyFile, digest, label, named
from eda.study.ledger import (
    LEDGER,
    Entry,
    check_ledger,
    entries,
    head_of_freeze,
    lines_of,
    note,
    now,
    others,
    remember,
    standing,
)
from eda.study.status import CELLS
from eda.study.tables import cells_in, keep_cells
from eda.text import grouped
from eda.words import ENGLISH

MANIFEST = "manifest.json"
FROZEN = "frozen.toml"
_LIBRARIES = ("pydantic", "anthropic", "scipy", "duckdb", "pyarrow")


# What of a manifest never changes.
_FIXED = ("study", "sha256", "frozen", "parts", "hypotheses", "eda", "behaviour", "prompts")


def freeze(plan: Plan, out: Path) -> dict[str, Any]:
    """Freeze the study in its folder, or check it against what was frozen there; return the manifest.

    The ledger notes the first, and each deviation. Other folders of the study that this user's ledger knows are named.

    Raises:
        StudyError: what may not change has changed since, or another version of EDA began the study; nothing was
            written.
        SessionError: the folder cannot be written.
    """
    out.mkdir(own_mode(0o777), parents=True, exist_ok=True)
    with FileLock(out / "freeze.lock"):  # two commands that begin at once freeze it once
        first = manifest_of(out) is None
        late = not first and not (out / LEDGER).exists()
        known = manifest_of(out) or _first(plan)
        changes = deviations(plan, out, known)
        if first or late:
            if first:
                replace_file(out / FROZEN, plan.study.text.encode())
            elsewhere = [Path(row["folder"]).name for row in others(out, plan.study.name, known["parts"])]
            kept = {"digest": digest_of(known), "sha256": known["sha256"], "parts": known["parts"]}
            note(out, "frozen", **kept, folder=out.resolve().name, others=elsewhere, late=late)
        for change in changes:
            note(out, "deviated", **change)
        if changes:
            study = plan.study
            known |= {"seeds": list(study.seeds), "levels": study.levels(), "budget": study.budget.limits}
        keep_cells(out, plan.cells.values())
        replace_file(out / MANIFEST, orjson.dumps(known, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
        remember(out, known["study"], known["parts"])
    return known


def exported(out: Path, files: Iterable[Path]) -> None:
    """Note which files were made of a study, and the other folders that are known by then."""
    manifest = manifest_of(out) or {}
    digests = {
        Path(os.path.relpath(file, out)).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files
    }
    elsewhere = [Path(row["folder"]).name for row in others(out, manifest["study"], manifest["parts"])]
    note(out, "exported", files=digests, others=elsewhere)
    remember(out, manifest["study"], manifest["parts"])


def digest_of(manifest: dict[str, Any]) -> str:
    """Return the digest of what of a manifest never changes."""
    return digest({key: manifest.get(key) for key in _FIXED})


def manifest_of(out: Path) -> dict[str, Any] | None:
    """Return the manifest of a folder; None where no study was begun there.

    Raises:
        StudyError: it is damaged.
    """
    path = out / MANIFEST
    if not path.exists():
        return None
    file = UserFile(path, StudyError, hint="Name another folder: --out DIR.")
    manifest = file.json(file.text())
    if not isinstance(manifest, dict) or "parts" not in manifest:
        raise file.fault("is no manifest of a study")
    return manifest


def plan_to_read(study: StudyFile, out: Path) -> Plan:
    """Return the plan of a study that was begun in a folder, for whoever reads its sessions.

    Of a study that another version of EDA began the cells are those that its folder names; none can be run.

    Raises:
        StudyError: nothing was begun there, or something differs from the frozen file that may not.
    """
    known = manifest_of(out)
    if known is None:
        raise StudyError(f"{out}: no study was begun there", hint=f"Begin it: eda study run {study.path}.")
    if known["behaviour"] != behaviour():
        if study.text.encode() != (out / FROZEN).read_bytes() and study.parts != known["parts"]:
            raise _changed(study, out, f"is not the file that was frozen on {known['frozen'][:10]}")
        return Plan(study, {cell.id: cell for cell in cells_in(out)}, {})
    plan = plan_of(study)
    deviations(plan, out, known)
    return plan


def provenance_of(out: Path) -> dict[str, str]:
    """Return the manifest as metadata of a table: without what depends on when and where the study was run."""
    manifest = manifest_of(out) or {}
    kept = {name: value for name, value in manifest.items() if name not in ("frozen", "deviations")}
    return {"manifest": orjson.dumps(kept).decode()}


def _first(plan: Plan) -> dict[str, Any]:
    study = plan.study
    return {
        "study": study.name,
        "sha256": hashlib.sha256(study.text.encode()).hexdigest(),
        "frozen": now(),
        "parts": study.parts,
        "setups": _setups(plan),
        "seeds": list(study.seeds),
        "levels": study.levels(),
        "budget": plan.study.budget.limits,
        "hypotheses": [each.model_dump(mode="json") for each in study.hypotheses],
        "runners": sorted({setup.runner for setup in plan.setups.values()}),
        "eda": eda.__version__,
        "behaviour": behaviour(),
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in _LIBRARIES if find_spec(name)},
        "prices": model_table().checked.isoformat(),
    }


def deviations(plan: Plan, out: Path, known: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what differs from the frozen file and may, each with its `code`.

    Raises:
        StudyError: something differs that may not.
    """
    _check_same(plan, out, known)
    levels, seeds = plan.study.levels(), plan.study.seeds
    known["setups"] = {**known["setups"], **_setups(plan)}
    added: list[dict[str, Any]] = [
        {"code": "level-added", "level": named(each)} for each in levels if each not in known["levels"]
    ]
    if more := {*seeds} - {*known["seeds"]}:
        added.append({"code": "seeds-added", "seeds": len(more)})
    if known["budget"] != (limits := plan.study.budget.limits):
        added.append({"code": "budget", "before": label(known["budget"]), "after": label(limits)})
    return added


def _check_same(plan: Plan, out: Path, known: dict[str, Any]) -> None:
    """Refuse what differs from the frozen file and may not."""
    study = plan.study
    if known["study"] != study.name:
        raise _changed(study, out, f"holds the study {known['study']!r}, and this is {study.name!r}")
    if known["behaviour"] != behaviour():
        began = f"EDA {known['eda']} ({known['behaviour']})"
        raise StudyError(
            f"{out}: the study was begun with {began}, and this is EDA {eda.__version__} ({behaviour()})",
            hint="Go on with that version, or begin anew: --out DIR. This one can still make tables and report.",
        )
    if changed := [part for part, found in study.parts.items() if known["parts"].get(part) != found]:
        what = " and ".join(f"'{part}'" for part in changed)
        raise _changed(study, out, f"{what} changed after the study was frozen on {known['frozen'][:10]}")
    if any(known["setups"].get(name, digest) != digest for name, digest in _setups(plan).items()):
        raise _changed(study, out, "a persona, prompt, pattern or context file was changed after the study was frozen")
    lost = [named(each) or "none" for each in known["levels"] if each not in study.levels()]
    less = [*{*known["seeds"]} - {*study.seeds}]
    for kind, gone in (("levels", lost), ("seeds", less)):
        if gone:
            raise _changed(study, out, f"{kind} were taken out after the study was frozen: {gone[0]}", "Give it back")


def _changed(study: StudyFile, out: Path, what: str, back: str = "") -> EdaError:
    hint = ENGLISH.say("study-go-back", back=back, file=str(out / FROZEN))
    return UserFile(study.path, StudyError).fault(what, hint)


def _setups(plan: Plan) -> dict[str, str]:
    """Return the digest of each setup, by its levels and arm."""
    return {named({**cell.crossed, "arm": cell.arm}): plan.setups[cell.id].digest for cell in plan.cells.values()}


ALLOWED = ("seeds-added", "level-added", "budget", "noted", "retried")
"""Codes of what a study may do openly; every other one speaks against its freeze."""


def audit(out: Path, deposited: str = "") -> list[dict[str, Any]]:
    """Return what a reader has to know of the study in a folder, each with its `code`; the logs are hashed again.

    Args:
        out: The folder; in it a study was begun.
        deposited: The digest that was deposited before the run.

    Raises:
        StudyError: the manifest is damaged.
    """
    manifest, found = manifest_of(out) or {}, entries(out)
    rows = [{"code": "noted", **each} for each in manifest.get("deviations", ())]
    rows += [*_frozen(out, manifest, found, deposited), *noted(found), *_cells(out, found), *_exports(out, found)]
    elsewhere = others(out, manifest.get("study", ""), manifest.get("parts", {}))
    return rows + [
        {"code": "folder", "at": row["at"], "folder": row["folder"], "ended": row["ended"]} for row in elsewhere
    ]


def noted(found: list[Entry]) -> Iterator[dict[str, Any]]:
    """Yield what the entries of a ledger themselves tell: levels and seeds added, cells deleted or run again."""
    deviated = (entry for entry in found if entry["kind"] == "deviated")
    yield from ({key: value for key, value in entry.items() if key != "kind"} for entry in deviated)
    together = grouped((entry["kind"], entry) for entry in found if entry["kind"] in ("deleted", "retried"))
    for kind, each in together.items():
        yield {"code": kind, "at": each[0]["at"], "cells": list(dict.fromkeys(entry["cell"] for entry in each))}


def _frozen(out: Path, manifest: dict[str, Any], found: list[Entry], deposited: str) -> Iterator[dict[str, Any]]:
    """Yield what speaks against the ledger, the manifest and the frozen file themselves."""
    freezes = [entry for entry in found if entry["kind"] == "frozen"]
    if (checked := check_ledger(out)).state != "whole":
        yield {"code": "ledger", "state": checked.state, "line": checked.at}
    if not freezes or freezes[0].get("late"):
        yield {"code": "unledgered", "at": freezes[0]["at"] if freezes else manifest.get("frozen", "")}
    for before, after in pairwise(freezes):
        parts = [part for part, digest in after["parts"].items() if before["parts"].get(part) != digest]
        if parts or before["sha256"] != after["sha256"]:
            yield {"code": "frozen-again", "at": after["at"], "parts": parts}
    text = hashlib.sha256((out / FROZEN).read_bytes()).hexdigest() if (out / FROZEN).exists() else ""
    if text != manifest.get("sha256") or (freezes and freezes[-1]["digest"] != digest_of(manifest)):
        yield {"code": "manifest"}
    if deposited and deposited != head_of_freeze(out):
        yield {"code": "deposit"}


def _cells(out: Path, found: list[Entry]) -> Iterator[dict[str, Any]]:
    """Yield the cells that are gone or other than at their end, that nobody noted, or that were begun before."""
    cells: dict[str, list[str]] = {"gone": [], "changed": [], "unnoted": [], "older": []}
    ends = standing(found)
    first = next((entry["at"] for entry in found if entry["kind"] == "frozen"), "")
    here = {path.parent.name for path in (out / CELLS).glob(f"*/{LOG_FILE}")}
    for name in sorted(here | {name for name, end in ends.items() if end["facts"]}):
        lines = lines_of(out / CELLS / name / LOG_FILE)
        if fault := _fault(lines, ends.get(name)):
            cells[fault].append(name)
        if lines and first and datetime.fromisoformat(orjson.loads(lines[0])["at"]) < datetime.fromisoformat(first):
            cells["older"].append(name)
    if cells["unnoted"]:  # a command that is at work may have noted them since
        cells["unnoted"] = sorted({*cells["unnoted"]} - standing(entries(out)).keys())
    yield from ({"code": code, "cells": names} for code, names in cells.items() if names)


def _fault(lines: list[bytes], end: Entry | None) -> str:
    """Return what is wrong with the log of a cell whose end was noted so, or was not; empty where nothing is."""
    if not end:
        return "unnoted" if lines and b'"type":"session_ended"' in lines[-1] else ""
    if not lines:
        return "gone"
    return "changed" if end["facts"] and check(lines, end["facts"], end["head"]).state != "whole" else ""


def _exports(out: Path, found: list[Entry]) -> Iterator[dict[str, Any]]:
    """Yield the exported files that are other than they were written."""
    last = {name: digest for entry in found if entry["kind"] == "exported" for name, digest in entry["files"].items()}
    for name, was in last.items():
        if (out / name).is_file() and hashlib.sha256((out / name).read_bytes()).hexdigest() != was:
            yield {"code": "export", "file": name}
