"""What a user lets files name: code, programs and addresses. What data name beside them is neither run nor asked."""

import os
from pathlib import Path
from urllib.parse import urlsplit

ALLOWED = "EDA_ALLOW"
"""The variable that holds what is allowed, a line each: the programs that a command starts know it, too."""
PROGRAMS = ("claude-code", "codex", "acp")
"""Runners that start a program of this machine."""


def program_of(spec: str) -> str:
    """Return the program that a runner's spec starts, as it is allowed: `codex`, `acp:COMMAND`; empty for none."""
    name = spec.strip().partition(":")[0].partition(",")[0]
    return "" if name not in PROGRAMS else spec.strip() if name == "acp" else name


def allow(what: str | Path) -> None:
    """Let data name a file of Python, a program or an address; for this process and those it starts."""
    plain = str(what)
    new = program_of(plain) or (plain if "://" in plain else str(Path(what).absolute()))
    os.environ[ALLOWED] = "\n".join(dict.fromkeys((*_lines(), new)))


def allowed_file(name: str) -> Path | None:
    """Return the file of Python of that name which the user allowed; the folder that data name does not count."""
    named = (path for path in map(Path, _lines()) if path.name == Path(name).name)
    return next(filter(Path.is_absolute, named), None)


def is_allowed(url: str) -> bool:
    """Return whether the user allowed the server of an address."""
    return any(_server(line) == _server(url) for line in _lines() if "://" in line)


def is_path_allowed(path: Path) -> bool:
    """Return whether the user allowed this file or folder, given without links."""
    return path in (Path(line).resolve() for line in _lines() if "://" not in line)


def is_program_allowed(spec: str) -> bool:
    """Return whether the user allowed the program that a runner's spec starts."""
    return program_of(spec) in _lines()


def _lines() -> list[str]:
    return [line for line in os.environ.get(ALLOWED, "").splitlines() if line]


def _server(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.casefold()
