"""The cells of a study: a task, a combination of levels, an arm and a seed, under a name made of all that is in it."""

import hashlib
import inspect
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import eda
from eda.debate.prepared import Prepared, prepared
from eda.debate.validation import by_seat
from eda.errors import EdaError, StudyError, UsageError
from eda.memory.patterns import default_pack
from eda.panels.allowed import is_allowed, is_path_allowed
from eda.panels.documents.read import is_url
from eda.panels.files import shipped, unknown_key
from eda.panels.persona import Persona
from eda.panels.request import MODELS, DebateRequest
from eda.panels.settings import OFFERED, Settings, setting_of
from eda.report.forecast import named_models
from eda.runners.models import asks_models
from eda.runners.protocol import Runner
from eda.runners.shipped import make_runner
from eda.study.file import Arm, StudyFile, digest
from eda.study.people import PEOPLE, Group, groups_in
from eda.study.player import SimulatedPlayer
from eda.study.tasks import tasks_named
from eda.study.tasks.base import Task
from eda.study.tasks.loaders import load_tasks

_APART = ("none", "self", "other-task")  # Exchanges in which no member hears another.
PLAYER = "player"
"""The runner that plays tasks by a stated model: see `eda.study.player`."""
# Keys that are no settings, as a request has them.
_OWN = (
    *("panel", "personas", "personas_dir", "runner", "format", "context", "prompts", "names", "stances"),
    *MODELS,
)


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
                "patterns": default_pack().fingerprint,
                "arm": self.arm.model_dump(mode="json", exclude={"changes"}),
            }
        )

    def make_runner(self, task: Task, seed: int, arm: str) -> Runner:
        """Return a new runner for one cell in the arm of that name.

        Raises:
            EdaError: as `eda.runners.shipped.make_runner`.
        """
        return (
            SimulatedPlayer(task, seed, arm=arm, **self.player) if self.runner == PLAYER else make_runner(self.runner)
        )


PLAYED = tuple(name for name in inspect.signature(SimulatedPlayer).parameters if name not in ("task", "seed", "arm"))
"""The names of the parameters of the simulated player."""


def setup_of(study: StudyFile, levels: Mapping[str, str], arm: str) -> Setup:
    """Return the setup of a combination of levels in one arm.

    Raises:
        StudyError: a key or a value that no debate takes; the message names the file, the line and the key.
    """
    spec = study.arms[arm]
    crossed = [("factors", of, study.changes(of)[level]) for of, level in levels.items() if of != "seats"]
    layers = [("fixed", "", study.fixed), *crossed, ("arms", arm, spec.changes)]  # a later one wins
    given = {
        key.replace("-", "_"): (value, table, of or key) for table, of, own in layers for key, value in own.items()
    }
    plain, places = dict[str, Any](), dict[str, tuple[str, str]]()
    for key, (value, table, own) in given.items():
        chosen = (key, value) if key in (*_OWN, *PLAYED) else setting_of(key, value)
        if chosen is None:
            known = sorted({*_OWN, *OFFERED, *Settings.model_fields, *PLAYED})
            raise study.fault(*unknown_key(key, known, f"a debate, in [{table}]"), table, own)
        plain[chosen[0]], places[chosen[0]] = chosen[1], (table, own)
    try:
        return _made(study, plain, spec)
    except EdaError as error:
        raise study.fault(str(error), error.hint, *places.get(error.about, (None, ""))) from None


def _made(study: StudyFile, given: dict[str, Any], arm: Arm) -> Setup:
    player = {key: given.pop(key) for key in PLAYED if key in given}
    if arm.exchange in _APART:  # who hears nobody bids for no floor: turns go in order, or as in the talk it follows
        given |= {"hears": "self" if arm.exchange == "self" else "none", "floor": "round-robin"}
    runner = given.pop("runner", PLAYER if study.tasks.name else "simulated")
    if runner != PLAYER:
        if player:
            raise StudyError(
                f"'{next(iter(player))}' is a parameter of the simulated player, and the runner is {runner!r}",
                hint=f'Leave it out, or write runner = "{PLAYER}".',
            )
        if not asks_models(runner):
            make_runner(runner)
    elif any(key in given for key in MODELS):
        raise StudyError(f"the runner {PLAYER!r} has no models to choose", hint='Write runner = "anthropic".')
    request = DebateRequest.of({**given, "runner": "simulated" if runner == PLAYER else runner, "question": "?"})
    _check_read(request.context, study.folder)
    made = prepared(request, study.folder)
    by_seat(made.request.stances, made.members, made.members)
    members = len(made.members)
    if study.orders > members:
        raise StudyError(
            f"'seats' asks for {study.orders} orders of {members} members",
            hint=f"Each order begins with another member, so there are {members}.",
        )
    if (arm.members or 0) > members:
        raise StudyError(f"an arm asks for {arm.members} of {members} members", hint="Seat more personas.")
    spec = PEOPLE if arm.votes else named_models(made.runner) if asks_models(made.runner) else runner
    return Setup(made, arm, spec, player)


def _check_read(files: Iterable[str], folder: Path) -> None:
    """Refuse a document that is not in the study's folder, unless the user allowed it: a stranger may have named it."""
    for each in files:
        path = (folder / each).resolve()
        if not (is_allowed(each) if is_url(each) else path.is_relative_to(folder.resolve()) or is_path_allowed(path)):
            raise StudyError(
                f"{each} is not read because a file names it: it is not in the study's folder",
                hint=f"If you trust the study, name it yourself: --allow {each}",
            )


# What a debate depends on; commands, reports and studies are read from its log later.
_BEHAVES = ("panels", "events", "bus", "session", "runners", "memory", "voting", "debate", "text.py")
_READ = (".py", ".md", ".toml", ".json")
_ID = 16


@dataclass(frozen=True, slots=True)
class Cell:
    """One session of a study."""

    id: str
    """The name of its session: the same wherever it is run, and another one for anything else."""
    task: Task
    levels: dict[str, str]
    """The level of each factor."""
    arm: str
    seed: int
    needs: tuple[str, ...] = ()
    """The cells that have to be run before: the talk of the same task, levels and seed, which a control takes as much
    as, and then that of another task, whose text it reads."""
    scripted: int = 0
    """How many seats, from the last one, a script plays."""

    @property
    def crossed(self) -> dict[str, str]:
        """The levels without the order of speaking, which goes with the seed and needs no setup of its own."""
        return {factor: level for factor, level in self.levels.items() if factor != "seats"}


@dataclass(frozen=True, slots=True)
class Plan:
    """The cells of a study, and what the engine needs to run one."""

    study: StudyFile
    cells: dict[str, Cell]
    """By id, seed by seed, so that a study that is cut short is balanced."""
    setups: dict[str, Setup]
    """By the id of the cell."""
    groups: Mapping[str, Group] = field(default_factory=dict)
    """The groups of people, by the id of their cell: it is written, and nobody is asked."""


def plan_of(study: StudyFile) -> Plan:
    """Return the cells of a study with their setups.

    Raises:
        StudyError: the file asks for something that does not exist; the message names it.
    """
    panels = [name for name, arm in study.arms.items() if arm.votes is None]
    setups = {(key(levels), arm): setup_of(study, levels, arm) for levels in study.levels() for arm in panels}
    cells, made, groups = _people(study)
    # Private facts are divided among four where no arm has a panel.
    seats = min((len(setup.seats) for setup in setups.values() if not setup.arm.single), default=4)
    by_seed = _tasks(study, seats) if panels else {}
    talk = _talk(study)
    for (_, arm), setup in setups.items():
        _check_tasks(study, arm, setup, by_seed[study.seeds[0]])
    in_order = sorted(panels, key=lambda arm: study.arms[arm].follows)  # talk comes before what follows it
    for seed, levels, arm in itertools.product(study.seeds, study.levels(), in_order):
        setup = setups[key(levels), arm]
        for place, task in enumerate(by_seed[seed]):
            like = [(task, seed)] if talk and setup.arm.follows else []
            if setup.arm.exchange == "other-task":
                like.append(_next(study, by_seed, seed, place))
            needed = tuple(_id(study, of, levels, talk, at, setups[key(levels), talk]) for of, at in like)
            cell_id = _id(study, task, levels, arm, seed, setup, needed)
            scripted = script.seats if (script := setup.arm.confederates) else 0
            cells[cell_id] = Cell(cell_id, task, _with_order(study, levels, seed), arm, seed, needed, scripted)
            made[cell_id] = setup
    return Plan(study, cells, made, groups)


def _people(study: StudyFile) -> tuple[dict[str, Cell], dict[str, Setup], dict[str, Group]]:
    """Return the cells of people, with their setups and groups; the seed of one numbers the groups of its task."""
    cells, setups, found = dict[str, Cell](), dict[str, Setup](), dict[str, Group]()
    for arm, votes in ((name, arm.votes) for name, arm in study.arms.items() if arm.votes):
        number, setup = Counter[str](), setup_of(study, {}, arm)
        for name, group in groups_in(votes, study.folder).items():
            cell_id = digest({"arm": arm, "name": name, "group": group})[:_ID]
            cells[cell_id] = Cell(cell_id, group.task, group.levels, arm, number[group.task.id])
            setups[cell_id], found[cell_id] = setup, group
            number[group.task.id] += 1
    return cells, setups, found


def facts_of(cell: Cell, setup: Setup, members: int) -> list[tuple[str, ...]]:
    """Return what the member in each seat is told: the shared facts and its own; for an oracle all there are."""
    facts = cell.task.facts
    return [facts.all if setup.arm.facts == "all" else facts.known_to(seat) for seat in range(members)]


@cache
def behaviour() -> str:
    """Return a digest of the code and the texts that a debate depends on: another version's cells are others."""
    roots = [*(Path(eda.__file__).parent / name for name in _BEHAVES), shipped("personas")]
    whole = hashlib.sha256()
    files = (file for root in roots for file in ([root] if root.is_file() else sorted(root.rglob("*"))))
    for file in (file for file in files if file.suffix in _READ and file.is_file()):  # personas may lie elsewhere
        whole.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return whole.hexdigest()[:_ID]


def key(levels: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Return levels as a value that a dict takes as a key."""
    return tuple(sorted(levels.items()))


def _tasks(study: StudyFile, seats: int) -> dict[int, list[Task]]:
    """Return the tasks of each seed: those of the file, `count` generated ones, or a new one for each seed."""
    given = study.tasks
    if given.file:
        return dict.fromkeys(study.seeds, load_tasks(study.folder / given.file, given.columns)[: given.count])
    try:
        if given.count is not None:
            return dict.fromkeys(study.seeds, tasks_named(given.name, given.count, given.seed, seats))
        return {seed: tasks_named(given.name, 1, seed, seats) for seed in study.seeds}
    except UsageError as error:
        raise study.fault(f"'tasks': {error}", error.hint, None, "tasks") from None


def _check_tasks(study: StudyFile, arm: str, setup: Setup, tasks: Iterable[Task]) -> None:
    """Refuse tasks that an arm can do nothing with, and parameters of the simulated player that are none."""
    for task in tasks:
        if setup.arm.single and not task.options:
            raise study.fault(
                f"task {task.id!r} gives no options, so the answers of arm {arm!r} cannot be counted",
                "Give each task options, or leave the arm out.",
                "arms",
                arm,
            )
        try:
            if setup.runner == PLAYER:
                setup.make_runner(task, 0, arm)
            if setup.arm.confederates:
                setup.arm.confederates.held(task)
        except UsageError as error:
            raise study.fault(str(error), error.hint, "fixed", error.about) from None


def _talk(study: StudyFile) -> str:
    """Return the arm whose cells others follow: the first one with talk; empty where none has to.

    Raises:
        StudyError: there is none, and an arm cannot do without.
    """
    talk = next((name for name, arm in study.arms.items() if arm.talks), "")
    if not talk and any((arm.single and arm.follows) or arm.exchange == "other-task" for arm in study.arms.values()):
        raise study.fault("an arm is matched with talk, and no arm talks", "Add talk = {} to [arms].", None, "arms")
    return talk


def _next(study: StudyFile, by_seed: dict[int, list[Task]], seed: int, place: int) -> tuple[Task, int]:
    """Return the task after that one, and its seed: the next of the same seed, else that of the next seed.

    Raises:
        StudyError: there is no other task.
    """
    task, seeds = by_seed[seed][place], study.seeds
    following = seeds[(seeds.index(seed) + 1) % len(seeds)]
    for other, at in (by_seed[seed][(place + 1) % len(by_seed[seed])], seed), (by_seed[following][place], following):
        if other.id != task.id:
            return other, at
    raise study.fault("an arm hears of another task, and there is one task", "Ask for two or more.", None, "arms")


def _with_order(study: StudyFile, levels: dict[str, str], seed: int) -> dict[str, str]:
    return dict(levels) if study.orders == 1 else {**levels, "seats": str(study.seeds.index(seed) % study.orders)}


def _id(
    study: StudyFile,
    task: Task,
    levels: dict[str, str],
    arm: str,
    seed: int,
    setup: Setup,
    needed: tuple[str, ...] = (),
) -> str:
    return digest(
        {
            "task": task,
            "levels": _with_order(study, levels, seed),
            "arm": arm,
            "seed": seed,
            "setup": setup.digest,
            "needs": needed,
            "behaviour": behaviour(),
        }
    )[:_ID]
