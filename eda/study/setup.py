"""What the debates of a study are made of: reads the keys of `[fixed]`, which are those of `eda debate`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from eda.debate.prompts.texts import read_prompts
from eda.debate.validation import agenda_of, by_seat, check_use, panel_settings
from eda.errors import EdaError, StudyError
from eda.memory.patterns import PatternPack, default_pack
from eda.panels.agenda import Agenda
from eda.panels.documents.document import Document
from eda.panels.documents.read import read_documents, with_unique_names
from eda.panels.documents.web import is_url
from eda.panels.files import complaint, unknown_key
from eda.panels.library import Library, Panel, check_seats
from eda.panels.persona import Persona
from eda.panels.settings import FROM_FILE, OFFERED, Settings, setting_of
from eda.report.forecast import named_models
from eda.runners.models import ModelSpec, asks_models
from eda.runners.protocol import Runner
from eda.runners.shipped import make_runner
from eda.study.arms import Arm
from eda.study.file import StudyFile, digest
from eda.study.player import SimulatedPlayer
from eda.study.tasks.base import Task

PLAYER = "player"
"""The runner that plays tasks by a stated model: see `eda.study.player`."""
_MODELS = ("speak_model", "cheap_model", "fallback_model", "temperature", "top_p")
_LISTS = ("context", "patterns", "personas")
_OWN = (
    "panel",
    "personas",
    "personas_dir",
    "runner",
    "format",
    "context",
    "patterns",
    "prompts",
    "names",
    "stances",
    *_MODELS,
)
_NAMES = ("shown", "hidden")
_HEARS = {"none": "none", "self": "self", "other-task": "none"}
"""What `hears` is in the settings of a control, by its exchange. Whoever hears nobody does not bid for the floor: turns
go in order, or as they went in the talk that the control follows."""


@dataclass(frozen=True)
class Setup:
    """Everything about a debate but its task and seed; the same for all cells of one combination of levels and arm."""

    seats: tuple[Persona, ...]
    panel: Panel | None
    library: Library
    agenda: Agenda
    settings: Settings
    runner: str
    """A spec with the names of its models."""
    player: Mapping[str, Any]
    """Parameters of the simulated player, where that is the runner."""
    documents: tuple[Document, ...]
    prompts: Mapping[str, str]
    patterns: PatternPack | None
    stances: Mapping[str, str]
    """The option that single members open for, by name."""
    arm: Arm

    @cached_property
    def digest(self) -> str:
        """Tells the setup from every other one, by all that a model is shown of it."""
        return digest(
            {
                "members": [member.model_dump(mode="json") for member in self.seats],
                "agenda": self.agenda.model_dump(mode="json"),
                "settings": self.settings.model_dump(mode="json"),
                "runner": self.runner,
                "player": dict(self.player),
                "documents": [[document.name, document.text] for document in self.documents],
                "prompts": dict(self.prompts),
                "stances": dict(self.stances),
                "patterns": (self.patterns or default_pack()).fingerprint,
                "arm": self.arm.model_dump(mode="json", exclude={"changes"}),
            }
        )

    def seated(self, order: int) -> tuple[Persona, ...]:
        """Return the members in an order of speaking: each order begins with another member, as a Latin square does."""
        place = order % len(self.seats)
        return (*self.seats[place:], *self.seats[:place])

    def make_runner(self, task: Task, seed: int, arm: str) -> Runner:
        """Return a new runner for one cell in the arm of that name.

        Raises:
            EdaError: as `eda.runners.shipped.make_runner`.
        """
        if self.runner == PLAYER:
            return SimulatedPlayer(task, seed, arm=arm, **self.player)
        return make_runner(self.runner)


@cache
def player_parameters() -> tuple[str, ...]:
    """Return the names of the parameters of the simulated player."""
    own = ("task", "seed", "arm", "branch")
    return tuple(name for name in inspect.signature(SimulatedPlayer).parameters if name not in own)


def setup_of(study: StudyFile, levels: Mapping[str, str], arm: str) -> Setup:
    """Return the setup of a combination of levels in one arm.

    Raises:
        StudyError: a key or a value that no debate takes; the message names the file, the line and the key.
    """
    given = {key.replace("-", "_"): (value, "fixed", key) for key, value in study.fixed.items()}
    for factor, level in levels.items():
        changes = study.changes(factor)[level] if factor != "seats" else {}
        given |= {key.replace("-", "_"): (value, "factors", factor) for key, value in changes.items()}
    spec = study.arms[arm]
    given |= {key.replace("-", "_"): (value, "arms", arm) for key, value in spec.changes.items()}
    plain, places = dict[str, Any](), dict[str, tuple[str, str]]()
    for key, (value, table, own) in given.items():
        chosen = (key, value) if key in (*_OWN, *player_parameters()) else setting_of(key, value)
        if chosen is None:
            known = sorted({*_OWN, *OFFERED, *Settings.model_fields, *player_parameters()} - {"baseline"})
            raise study.fault(*unknown_key(key, known, f"a debate, in [{table}]"), table, own)
        plain[chosen[0]], places[chosen[0]] = chosen[1], (table, own)
    try:
        return _made(study, dict(plain), spec)
    except ValidationError as error:
        loc, reason, hint = complaint(error)
        raise study.fault(reason, hint, *places.get(str(loc[0]) if loc else "", (None, ""))) from None
    except EdaError as error:
        named = (
            key
            for key, value in plain.items()
            if any(repr(each) in str(error) for each in (value if isinstance(value, list) else [value]))
        )
        key = next(named, "")
        raise study.fault(str(error), error.hint, *places.get(key, (None, ""))) from None


def _made(study: StudyFile, given: dict[str, Any], arm: Arm) -> Setup:
    own = {key: given.pop(key) for key in (*_OWN, *player_parameters()) if key in given}
    for key in _LISTS:
        own[key] = (own[key],) if isinstance(own.get(key), str) else tuple(own.get(key, ()))
    library = Library(study.folder / str(own["personas_dir"]) if "personas_dir" in own else None)
    panel = None if own["personas"] else library.panel(str(own.get("panel", "product-decision")))
    seats = check_seats([*map(library.persona, own["personas"])]) if panel is None else library.members(panel)
    by_seat(own.get("stances", {}), seats, seats)
    if arm.exchange != "all":
        given |= {"hears": _HEARS[arm.exchange], "floor": "round-robin"}
    usual = panel_settings(panel).model_dump()
    settings = Settings.model_validate(usual | given, context=FROM_FILE)
    agenda = _agenda(study, own, panel)
    agenda = agenda.with_floor(given["floor"]) if "floor" in given else agenda
    check_use(settings, settings.rule or agenda.rule, given.keys(), as_options=True)
    _check_members(study, arm, len(seats))
    return Setup(
        seats=seats[: arm.members],
        panel=panel if arm.members is None else None,
        library=library,
        agenda=agenda,
        settings=settings,
        runner=_runner(study, own),
        player={key: own[key] for key in player_parameters() if key in own},
        documents=with_unique_names(
            each
            for named in own["context"]
            for each in read_documents(named if is_url(named) else study.folder / named)
        ),
        prompts=read_prompts(study.folder / own["prompts"]) if "prompts" in own else {},
        patterns=_patterns(study, own["patterns"]),
        stances=own.get("stances", {}),
        arm=arm,
    )


def _agenda(study: StudyFile, own: Mapping[str, Any], panel: Panel | None) -> Agenda:
    given = own.get("format")
    agenda = agenda_of(str(study.folder / given) if given and given.endswith(".toml") else given, panel)
    if (names := own.get("names", "shown")) not in _NAMES:
        raise StudyError(f"'names' is {names!r}", hint=f"Write {' or '.join(_NAMES)}.")
    return agenda.model_copy(update={"anonymous": True}) if names == "hidden" else agenda


def _check_members(study: StudyFile, arm: Arm, members: int) -> None:
    if study.orders > members:
        raise StudyError(
            f"'seats' asks for {study.orders} orders of {members} members",
            hint=f"Each order begins with another member, so there are {members}.",
        )
    if (arm.members or 0) > members:
        raise StudyError(f"an arm asks for {arm.members} of {members} members", hint="Seat more personas.")


def _runner(study: StudyFile, own: Mapping[str, Any]) -> str:
    """Return the spec of the runner with the names of all its models."""
    models = {key.removesuffix("_model"): own[key] for key in _MODELS if key in own}
    spec = str(own.get("runner", PLAYER if study.tasks.name else "simulated"))
    if spec != PLAYER and (unused := [key for key in player_parameters() if key in own]):
        raise StudyError(
            f"'{unused[0]}' is a parameter of the simulated player, and the runner is {spec!r}",
            hint=f'Leave it out, or write runner = "{PLAYER}".',
        )
    if not asks_models(spec):
        if models:
            raise StudyError(f"the runner {spec!r} has no models to choose", hint='Write runner = "anthropic".')
        if ":" in spec:  # a `module:Class` may lie beside the study
            here = [str(study.folder.resolve()), str(Path.cwd())]
            sys.path.extend(each for each in here if each not in sys.path)
        if spec != PLAYER:
            make_runner(spec)
        return spec
    return named_models(str(ModelSpec.parse(spec).changed(**models)))


def _patterns(study: StudyFile, files: tuple[str, ...]) -> PatternPack | None:
    if not files:
        return None
    pack = default_pack()
    for file in files:
        pack = pack.extended(PatternPack.from_toml(study.folder / file))
    return pack
