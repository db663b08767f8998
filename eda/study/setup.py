"""What the debates of a study are made of: reads the keys of `[fixed]`, which are those of `eda debate`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from eda.debate.prepared import Prepared, prepared
from eda.debate.validation import by_seat
from eda.errors import EdaError, StudyError
from eda.memory.patterns import default_pack
from eda.panels.files import unknown_key
from eda.panels.persona import Persona
from eda.panels.request import MODELS, DebateRequest
from eda.panels.settings import OFFERED, Settings, setting_of
from eda.report.forecast import named_models
from eda.runners.models import asks_models
from eda.runners.protocol import Runner
from eda.runners.shipped import make_runner
from eda.study.file import Arm, StudyFile, digest
from eda.study.player import SimulatedPlayer
from eda.study.tasks.base import Task

PLAYER = "player"
"""The runner that plays tasks by a stated model: see `eda.study.player`."""
_OWN = (
    *("panel", "personas", "personas_dir", "runner", "format", "context", "patterns", "prompts", "names", "stances"),
    *MODELS,
)
"""Keys that are no settings, as a request has them."""


@dataclass(frozen=True)
class Setup:
    """Everything about a debate but its task and seed; the same for all cells of one combination of levels and arm."""

    made: Prepared
    arm: Arm
    runner: str
    """A spec with the names of its models."""
    player: Mapping[str, Any]
    """Parameters of the simulated player, where that is the runner."""

    @property
    def seats(self) -> tuple[Persona, ...]:
        """The members of the arm, in their own order."""
        return self.made.members[: self.arm.members]

    @cached_property
    def digest(self) -> str:
        """Tells the setup from every other one, by all that a model is shown of it."""
        return digest(
            {
                "members": [member.model_dump(mode="json") for member in self.seats],
                "agenda": self.made.agenda.model_dump(mode="json"),
                "settings": self.made.settings.model_dump(mode="json"),
                "runner": self.runner,
                "player": dict(self.player),
                "documents": [[document.name, document.text] for document in self.made.documents],
                "prompts": dict(self.made.prompts),
                "stances": dict(self.made.request.stances),
                "patterns": (self.made.patterns or default_pack()).fingerprint,
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
        return _made(study, plain, spec)
    except EdaError as error:
        raise study.fault(str(error), error.hint, *places.get(error.about, (None, ""))) from None


def _made(study: StudyFile, given: dict[str, Any], arm: Arm) -> Setup:
    player = {key: given.pop(key) for key in player_parameters() if key in given}
    if arm.exchange != "all":  # who hears nobody bids for no floor: turns go in order, or as in the talk it follows
        given |= {"hears": "self" if arm.exchange == "self" else "none", "floor": "round-robin"}
    runner = given.pop("runner", PLAYER if study.tasks.name else "simulated")
    if runner != PLAYER:
        _check_runner(study, runner, player)
    elif any(key in given for key in MODELS):
        raise StudyError(f"the runner {PLAYER!r} has no models to choose", hint='Write runner = "anthropic".')
    usual = "simulated" if runner == PLAYER else runner
    made = prepared(DebateRequest.of({**given, "runner": usual, "question": "?"}), study.folder)
    by_seat(made.request.stances, made.members, made.members)
    _check_members(study, arm, len(made.members))
    spec = named_models(made.runner) if asks_models(made.runner) else runner
    return Setup(made, arm, spec, player)


def _check_members(study: StudyFile, arm: Arm, members: int) -> None:
    if study.orders > members:
        raise StudyError(
            f"'seats' asks for {study.orders} orders of {members} members",
            hint=f"Each order begins with another member, so there are {members}.",
        )
    if (arm.members or 0) > members:
        raise StudyError(f"an arm asks for {arm.members} of {members} members", hint="Seat more personas.")


def _check_runner(study: StudyFile, spec: str, player: Mapping[str, Any]) -> None:
    """Refuse a runner that there is not, and parameters of the simulated player for another one."""
    if player:
        raise StudyError(
            f"'{next(iter(player))}' is a parameter of the simulated player, and the runner is {spec!r}",
            hint=f'Leave it out, or write runner = "{PLAYER}".',
        )
    if not asks_models(spec):
        if ":" in spec:  # a `module:Class` may lie beside the study
            here = [str(study.folder.resolve()), str(Path.cwd())]
            sys.path.extend(each for each in here if each not in sys.path)
        make_runner(spec)
