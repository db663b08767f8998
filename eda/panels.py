"""Panels, and the library of all that can be seated.

The one rule: a later folder wins, and a name that stands for nothing, or for two at one table, is an error
that says which names there are.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eda.errors import PersonaError, UnknownNameError
from eda.personas import (
    Label,
    Name,
    Persona,
    Prose,
    broken,
    collect,
    collect_folder,
    complaint,
    read_text,
    unknown_key,
)
from eda.settings import FloorName

__all__ = ["Library", "Panel", "check_seats", "load_panel", "shipped_folder"]

_PANEL_KEYS = ("name", "title", "description", "members", "defaults")
_DEFAULT_KEYS = ("floor", "format", "max_messages")


class Panel(BaseModel):
    """Who sits together, and how they debate unless the user says otherwise."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    """Lowercase words joined by hyphens."""
    title: Label
    """How the panel is shown, one line."""
    description: Prose
    """Which questions it is for."""
    members: tuple[Annotated[str, Field(min_length=1)], ...] = Field(min_length=2)
    """Names or titles of personas, in seat order; two at least."""
    format: Annotated[str, Field(min_length=1)] | None = None
    """The agenda; None leaves it to the debate."""
    floor: FloorName | None = None
    """Who speaks next; None leaves it to the debate."""
    max_messages: Annotated[int, Field(strict=True, ge=1)] | None = None
    """Messages after which the panel stops; None leaves it to the debate."""


def _toml_line(text: str, table: str | None, key: str) -> int | None:
    """The line on which `key` is set: what stands above it parses, and does not hold it yet."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not re.match(rf"\s*\[?\s*[\"']?{re.escape(key)}[\"']?\s*[\].=]", line):
            continue
        try:
            above = tomllib.loads("\n".join(lines[:number]))
            upto = above if table is None else above.get(table)
        except tomllib.TOMLDecodeError:
            continue  # Inside a longer value, so not a key.
        if isinstance(upto, dict) and key not in upto:
            return number + 1
    return None if table is None else _toml_line(text, None, table)


def load_panel(path: Path) -> Panel:
    """Read one panel.

    Raises:
        PersonaError: the file cannot be read; the message names file, line and reason.
    """
    path = Path(path)
    text = read_text(path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at line (\d+)", str(error))
        line = int(found[1]) if found else text.rstrip("\n").count("\n") + 1
        reason = "is no valid TOML: " + re.sub(r"\s*\(at .*\)$", "", str(error))
        raise broken(path, line, reason, "Texts stand in quotes, lists in [ ].") from error
    except RecursionError as error:
        raise broken(path, None, "nests too deep", "A panel needs no nesting.") from error
    defaults = table.pop("defaults", {})
    if not isinstance(defaults, dict):
        line_of = _toml_line(text, None, "defaults")
        raise broken(path, line_of, "'defaults' is no table", "Write it as a line '[defaults]'.")
    for keys, known, where, within in (
        (table, _PANEL_KEYS, "a panel", None),
        (defaults, _DEFAULT_KEYS, "'[defaults]'", "defaults"),
    ):
        for key in keys:
            if key not in known:
                raise broken(path, _toml_line(text, within, key), *unknown_key(key, known, where))
    try:
        return Panel.model_validate(table | defaults)
    except ValidationError as error:
        loc, reason, hint = complaint(error)
        key = str(loc[0]) if loc else ""
        where_line = _toml_line(text, "defaults" if key in _DEFAULT_KEYS else None, key) or 1
        raise broken(path, where_line, reason, hint) from error


def shipped_folder() -> Path:
    """The personas that come with EDA: beside the source in a checkout, in the package when installed."""
    # An editable install has no copy in the package, and an old wheel may have left a stale one.
    root = Path(__file__).resolve().parent.parent
    if (root / "pyproject.toml").is_file() and (root / "personas").is_dir():
        return root / "personas"
    return Path(str(files("eda") / "personas"))


def check_seats(personas: Sequence[Persona]) -> tuple[Persona, ...]:
    """The same personas, once it is sure that each can be told from the others.

    Raises:
        PersonaError: two share a name or a title; the message names both.
    """
    seated: dict[str, Persona] = {}
    for persona in personas:
        for label in persona.called:
            if label in seated:
                one, two = (f"'{p.name}' ({p.title})" for p in (seated[label], persona))
                reason = f"{one} and {two} sit on one panel and cannot be told apart"
                raise PersonaError(reason, hint="Take one of them off the panel, or change a title.")
        seated |= dict.fromkeys(persona.called, persona)
    return tuple(personas)


_Item = TypeVar("_Item", Persona, Panel)


def _find(items: Mapping[str, _Item], wanted: str, kind: str) -> _Item:
    plain = " ".join(wanted.casefold().split())
    by_name = items.get(re.sub(r"[ _]", "-", plain))
    if by_name is not None:
        return by_name
    # Later folders come last, and win for titles as they do for names.
    for item in reversed(list(items.values())):
        if item.title.casefold() == plain:
            return item
    raise UnknownNameError(kind, wanted, items, (item.title for item in items.values()))


class Library:
    """Every persona and panel at hand: the shipped ones, then those of the folders given; later ones win.

    Args:
        *folders: the user's own, each with persona files and perhaps a folder `panels`; None is skipped.
        strict: raise the first broken file; where False, read the rest and keep the faults in `errors`.

    Raises:
        PersonaError: a file cannot be read, or a folder does not exist.
    """

    def __init__(self, *folders: Path | None, strict: bool = True) -> None:
        self.personas: Mapping[str, Persona]
        """By name; those of later folders come later."""
        self.panels: Mapping[str, Panel]
        """By name; those of later folders come later."""
        self.errors: tuple[PersonaError, ...]
        """A fault for each file that could not be read; empty where `strict`."""
        personas: dict[str, Persona] = {}
        panels: dict[str, Panel] = {}
        errors: list[PersonaError] = []
        for folder in (shipped_folder(), *(Path(f) for f in folders if f is not None)):
            found, grouped, broken_files = _collected(folder, _state(folder))
            errors.extend(broken_files)
            _overlay(personas, found)
            _overlay(panels, grouped)
            if strict and errors:
                raise errors[0]
        self.personas, self.panels, self.errors = personas, panels, tuple(errors)

    def persona(self, name: str) -> Persona:
        """The persona of that name or title, whatever the case.

        Raises:
            UnknownNameError: there is none; the hint gives the nearest names.
        """
        return _find(self.personas, name, "persona")

    def panel(self, name: str) -> Panel:
        """The panel of that name or title, whatever the case.

        Raises:
            UnknownNameError: there is none; the hint gives the nearest names.
        """
        return _find(self.panels, name, "panel")

    def members(self, panel: Panel | str) -> tuple[Persona, ...]:
        """The personas of a panel in seat order.

        Raises:
            UnknownNameError: the panel, or one of its members, does not exist.
            PersonaError: two members cannot be told apart.
        """
        seated = self.panel(panel) if isinstance(panel, str) else panel
        kind = f"persona on panel {seated.name!r}:"
        return check_seats([_find(self.personas, member, kind) for member in seated.members])


def _state(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """What changes when a file of the folder does."""
    paths = (*folder.rglob("*.md"), *(folder / "panels").glob("*.toml"))
    files = sorted((str(path), path.stat()) for path in paths if path.is_file())
    return tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in files)


@lru_cache(maxsize=16)
def _collected(folder: Path, _: object) -> tuple[dict[str, Persona], dict[str, Panel], tuple[PersonaError, ...]]:
    """A folder's personas and panels, read once as long as no file changes: a sweep makes thousands of debates."""
    personas, errors = collect_folder(folder)
    faults = [*errors]
    panels = collect((folder / "panels").glob("*.toml"), load_panel, faults)
    return personas, panels, tuple(faults)


def _overlay(below: dict[str, _Item], above: Mapping[str, _Item]) -> None:
    for name, item in above.items():
        below.pop(name, None)
        below[name] = item
