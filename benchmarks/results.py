"""Writes a section of RESULTS.md: what was measured, at which commit, when, by which command."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path

__all__ = ["told", "write_section"]

RESULTS = Path(__file__).with_name("RESULTS.md")


def _commit() -> str:
    def git(*command: str) -> str:
        done = subprocess.run(["git", *command], capture_output=True, text=True, check=True, cwd=RESULTS.parent)  # noqa: S603, S607 - git
        return done.stdout.strip()

    changed = git("status", "--porcelain", "--", "../eda", "../personas")
    return git("rev-parse", "--short", "HEAD") + (", with changes not yet committed" if changed else "")


def write_section(name: str, command: str, body: str) -> None:
    """Put `body` between the marks of section `name`, under a line that says where it comes from."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    text = RESULTS.read_text(encoding="utf-8")
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    source = f"Measured {datetime.now(UTC):%Y-%m-%d} at commit {_commit()} by `{command}`."
    RESULTS.write_text(f"{before}{begin}\n{source}\n\n{body.strip()}\n{end}{after}", encoding="utf-8")


def told(name: str, command: str, body: str, *, write: bool) -> None:
    """Print what was measured; with `write` also put it into section `name`."""
    print(body)
    if write:
        write_section(name, command, body)
