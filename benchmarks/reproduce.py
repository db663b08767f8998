"""Proves the instrument of studies: panels whose truth is planted, and figures that were published, are found again.

`reproduce.py [NAME]... [--json] [--long] [--people FOLDER]`, as `make reproduce` calls it, needs no network and no
model. Each proof takes up to a minute on two processors; all of them take ten at most. Exit code 1 if one is not as
expected.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from proofs import NAMES, PLANTED, prove


def main(given: Sequence[str] | None = None) -> int:
    """Print what came of the proofs that are named, or of all; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--json", action="store_true", help="Print what came of them as JSON.")
    parser.add_argument("--people", type=Path, metavar="FOLDER", help="Of the files that the proof `people` reads.")
    parser.add_argument("--long", action="store_true", help="2,000 studies in place of 200: .92 is told from .95.")
    asked = parser.parse_args(given)
    if unknown := [name for name in asked.names if name not in NAMES]:
        parser.error(f"no proof {unknown[0]!r}; known: {', '.join(NAMES)}")
    rows = []
    for name in asked.names or NAMES:
        rows.append(row := prove(name, 10.0 if asked.long and name in PLANTED else 1.0, asked.people))
        if not asked.json and "skipped" in row:
            print(f"{name}: {row['skipped']}", flush=True)
        elif not asked.json:
            verdict = "ok" if row["ok"] else "NOT as expected"
            found = f"{'expected' if 'checks' in row else 'planted'} {row['planted']:g}, found {row['found']:.3f}"
            print(f"{name}: {verdict}; {row['covered']} of {row['studies']}; {found}; {row['what']}", flush=True)
            for check in (each for each in row.get("checks", ()) if not each["ok"]):
                print(f"  {check['what']}: {check['expected']:g} +- {check['tolerance']:g}, found {check['found']:.4g}")
    if asked.json:
        print(json.dumps(rows))
    return 0 if all(row["ok"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
