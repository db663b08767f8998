"""What a referee has to know of a study: what departs from its freeze, and what is not as it was noted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from eda.session.chain import check
from eda.session.names import LOG_FILE
from eda.study.freeze import FROZEN, digest_of, manifest_of
from eda.study.ledger import Entry, check_ledger, entries, head_of_freeze, lines_of, others, standing
from eda.study.status import CELLS

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
    for row in others(out, manifest.get("study", ""), manifest.get("parts", {})):
        rows.append({"code": "folder", "at": row["at"], "folder": row["folder"], "ended": row["ended"]})
    return rows


def noted(found: list[Entry]) -> Iterator[dict[str, Any]]:
    """Yield what the entries of a ledger themselves tell: levels and seeds added, cells deleted or run again."""
    together: dict[str, list[Entry]] = {}
    for entry in found:
        if entry["kind"] == "deviated":
            yield {key: value for key, value in entry.items() if key != "kind"}
        elif entry["kind"] in ("deleted", "retried"):
            together.setdefault(entry["kind"], []).append(entry)
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
    text = sha256((out / FROZEN).read_bytes()).hexdigest() if (out / FROZEN).exists() else ""
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
        lines, end = lines_of(out / CELLS / name / LOG_FILE), ends.get(name)
        if end and not lines:
            cells["gone"].append(name)
        elif end and end["facts"] and check(lines, end["facts"], end["head"]).state != "whole":
            cells["changed"].append(name)
        elif not end and lines and b'"type":"session_ended"' in lines[-1]:
            cells["unnoted"].append(name)
        if lines and first and _begun(lines[0]) < datetime.fromisoformat(first):
            cells["older"].append(name)
    yield from ({"code": code, "cells": names} for code, names in cells.items() if names)


def _begun(line: bytes) -> datetime:
    return datetime.fromisoformat(json.loads(line)["at"])


def _exports(out: Path, found: list[Entry]) -> Iterator[dict[str, Any]]:
    """Yield the exported files that are other than they were written."""
    last = {name: digest for entry in found if entry["kind"] == "exported" for name, digest in entry["files"].items()}
    for name, digest in last.items():
        if (out / name).is_file() and sha256((out / name).read_bytes()).hexdigest() != digest:
            yield {"code": "export", "file": name}
