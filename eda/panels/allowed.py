"""What a user lets files name: code and addresses. A session, study, panel or persona runs and reaches nothing else."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

ALLOWED = "EDA_ALLOW"
"""The variable that holds what is allowed, a line each: the programs that a command starts know it, too."""


def allow(what: str | Path) -> None:
    """Let a file of Python be run, or an address be asked, where data name it; for this process and those it starts."""
    known, new = _lines(), str(what if "://" in str(what) else Path(what).absolute())
    os.environ[ALLOWED] = "\n".join(dict.fromkeys((*known, new)))


def allowed_file(name: str) -> Path | None:
    """Return the file of Python of that name which the user allowed; the folder that data name does not count."""
    return next((path for line in _lines() if (path := Path(line)).name == Path(name).name), None)


def is_allowed(url: str) -> bool:
    """Return whether the user allowed the server of an address."""
    return any(_server(line) == _server(url) for line in _lines() if "://" in line)


def _lines() -> list[str]:
    return [line for line in os.environ.get(ALLOWED, "").splitlines() if line]


def _server(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.casefold()
