"""Panels, and the library of all personas and panels.

The one rule: a later folder overrides an earlier one. A name that is unknown, or that two members of a panel share, is
an error that lists the names.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import Field, ValidationError

from eda.errors import EdaError, PersonaError, UnknownNameError
from eda.panels.files import UserFile, complaint, files_in, key_line, shipped, unknown_key
from eda.panels.persona import Label, Name, Persona, Prose, load_persona
from eda.panels.settings import FROM_FILE, FloorName, Frozen
from eda.words import ENGLISH, fault

_PANEL_KEYS = ("name", "title", "description", "members", "defaults")
_NO_PERSONAS = {"readme.md", "claude.md", "agents.md", "changelog.md", "contributing.md", "license.md"}
_CHOSEN = ("floor", "max_messages")
_DEFAULT_KEYS = ("format", *_CHOSEN)


class Panel(Frozen):
    """Who sits together, and how they debate by default."""

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

    @property
    def chosen(self) -> Mapping[str, Any]:
        """The settings that its file chooses, by name."""
        return {name: value for name, value in self.model_dump().items() if name in _CHOSEN and value is not None}


def load_panel(path: Path) -> Panel:
    """Return the panel of a file.

    Raises:
        PersonaError: the file cannot be read; the message names file, line and reason.
    """
    file = UserFile(Path(path), PersonaError)
    text = file.text()
    table = file.table(text)
    defaults = table.pop("defaults", {})
    if not isinstance(defaults, dict):
        raise file.fault("'defaults' is no table", "Write it as a line '[defaults]'.", key_line(text, None, "defaults"))
    for keys, known, where, within in (
        (table, _PANEL_KEYS, "a panel", None),
        (defaults, _DEFAULT_KEYS, "'[defaults]'", "defaults"),
    ):
        for key in keys:
            if key not in known:
                raise file.fault(*unknown_key(key, known, where), key_line(text, within, key))
    try:
        return Panel.model_validate(table | defaults, context=FROM_FILE)
    except ValidationError as error:
        loc, reason, hint = complaint(error)
        key = str(loc[0]) if loc else ""
        line = key_line(text, "defaults" if key in _DEFAULT_KEYS else None, key) or 1
        raise file.fault(reason, hint, line) from error


def check_seats(personas: Sequence[Persona]) -> tuple[Persona, ...]:
    """Return the same personas, checked for distinct names and titles.

    Raises:
        PersonaError: two share a name or a title; the message names both.
        UsageError: one sits twice.
    """
    seated: dict[str, Persona] = {}
    for persona in personas:
        for label in persona.called:
            if persona in seated.values():
                raise fault("error-sits-twice", name=persona.title)
            if label in seated:
                one, two = (f"'{p.name}' ({p.title})" for p in (seated[label], persona))
                raise PersonaError(
                    f"{one} and {two} sit on one panel and cannot be told apart",
                    hint="Take one of them off the panel, or change a title.",
                )
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
    """All personas and panels: the shipped ones, overridden by those of the given folders in turn.

    Args:
        *folders: the user's own, each with persona files and perhaps a folder `panels`; None is skipped.
        panels: a folder with panels alone, which come last.
        strict: raise the first broken file; where False, read the rest and keep the faults in `errors`.

    Raises:
        PersonaError: a file cannot be read, or a folder does not exist.
    """

    def __init__(self, *folders: Path | None, panels: Path | None = None, strict: bool = True) -> None:
        personas: dict[str, Persona] = {}
        named: dict[str, Panel] = {}
        errors: list[EdaError] = []
        own = (Path(folder) for folder in folders if folder is not None)
        agents = (each / ".claude" / "agents" for each in own)
        for folder in (shipped("personas"), *(a if a.is_dir() else a.parents[1] for a in agents)):
            more, grouped, faults = _collected(folder, _state(folder))
            errors.extend(faults)
            _overlay(personas, more)
            _overlay(named, grouped)
        if panels is not None:
            _overlay(named, collect(files_in(panels, "*.toml", PersonaError, "panels"), load_panel, errors))
        if strict and errors:
            raise errors[0]
        self.personas: Mapping[str, Persona] = personas
        """By name; those of later folders come later."""
        self.panels: Mapping[str, Panel] = named
        """By name; those of later folders come later."""
        self.errors = tuple(errors)
        """A fault for each file that could not be read; empty where `strict`."""

    def persona(self, name: str, *, files: bool = False) -> Persona:
        """Return the persona of that name or title, in any case; with `files` also of a path that ends in `.md`.

        Raises:
            UnknownNameError: there is none; the hint gives the nearest names.
            PersonaError: the file cannot be read.
        """
        return load_persona(Path(name)) if files and name.endswith(".md") else _find(self.personas, name, "persona")

    def panel(self, name: str, *, files: bool = False) -> Panel:
        """Return the panel of that name or title, in any case; with `files` also of a path that ends in `.toml`.

        Raises:
            UnknownNameError: there is none; the hint gives the nearest names.
            PersonaError: the file cannot be read.
        """
        return load_panel(Path(name)) if files and name.endswith(".toml") else _find(self.panels, name, "panel")

    def members(self, panel: Panel | str) -> tuple[Persona, ...]:
        """Return the personas of a panel in seat order.

        Raises:
            UnknownNameError: the panel, or one of its members, does not exist.
            PersonaError: two members cannot be told apart.
        """
        seated = self.panel(panel) if isinstance(panel, str) else panel
        kind = ENGLISH.say("file-on-panel", panel=repr(seated.name))
        return check_seats([_find(self.personas, member, kind) for member in seated.members])


def collect(paths: Iterable[Path], load: Callable[[Path], _Item], errors: list[EdaError]) -> dict[str, _Item]:
    """Return what each path holds, by name; the error of each that cannot be loaded goes to `errors`."""
    items: dict[str, _Item] = {}
    source: dict[str, Path] = {}
    for path in paths:
        try:
            item = load(path)
        except PersonaError as error:
            errors.append(error)
            continue
        if item.name in items:
            reason = ENGLISH.say("file-name-taken", name=item.name, path=str(source[item.name]))
            errors.append(UserFile(path, PersonaError).fault(reason, "Rename one of the two."))
            continue
        items[item.name], source[item.name] = item, path
    return items


def _persona_files(folder: Path) -> Iterable[Path]:
    for path in files_in(folder, "**/*.md", PersonaError, "persona files"):
        inside = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in inside.parts)
        of_a_session = (path.parent / "events.jsonl").exists()
        if inside.name.lower() not in _NO_PERSONAS and not hidden and not of_a_session:
            yield path


def _state(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Return a value that changes when a file of the folder does."""
    paths = (*folder.rglob("*.md"), *(folder / "panels").glob("*.toml"))
    files = sorted((str(path), path.stat()) for path in paths if path.is_file())
    return tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in files)


@lru_cache(maxsize=16)
def _collected(folder: Path, _: object) -> tuple[dict[str, Persona], dict[str, Panel], tuple[EdaError, ...]]:
    """Return a folder's personas and panels; cached while no file changes, since a study makes thousands of debates."""
    faults: list[EdaError] = []
    personas = collect(_persona_files(folder), load_persona, faults)
    grouped = folder / "panels"
    paths = files_in(grouped, "*.toml", PersonaError, "panels") if grouped.is_dir() else ()
    return personas, collect(paths, load_panel, faults), tuple(faults)


def _overlay(below: dict[str, _Item], above: Mapping[str, _Item]) -> None:
    for name, item in above.items():
        below.pop(name, None)
        below[name] = item
