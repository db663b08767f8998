"""The cells of a study: a task, a combination of levels, an arm and a seed, under a name made of all that is in it."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import eda
from eda.errors import UsageError
from eda.panels.files import shipped
from eda.study.file import StudyFile, digest
from eda.study.setup import PLAYER, Setup, setup_of
from eda.study.tasks import tasks_named
from eda.study.tasks.base import Task
from eda.study.tasks.loaders import load_tasks

_BEHAVES = ("panels", "events", "bus", "session", "runners", "memory", "voting", "debate", "text.py")
"""What a debate depends on; commands, reports and studies are read from its log later."""
_READ = (".py", ".md", ".toml", ".json")
_ID = 16
_SEATS = 4
"""The seats among which private facts are divided where no arm has a panel."""


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


def plan_of(study: StudyFile) -> Plan:
    """Return the cells of a study with their setups.

    Raises:
        StudyError: the file asks for something that does not exist; the message names it.
    """
    setups = {(key(levels), arm): setup_of(study, levels, arm) for levels in study.levels() for arm in study.arms}
    cells: dict[str, Cell] = {}
    made: dict[str, Setup] = {}
    seats = min((len(setup.seats) for setup in setups.values() if not setup.arm.single), default=_SEATS)
    by_seed = _tasks(study, seats)
    talk = _talk(study)
    for (_, arm), setup in setups.items():
        _check_tasks(study, arm, setup, by_seed[study.seeds[0]])
    in_order = sorted(study.arms, key=lambda arm: study.arms[arm].follows)  # talk comes before what follows it
    for seed, levels, arm in itertools.product(study.seeds, study.levels(), in_order):
        setup = setups[key(levels), arm]
        for place, task in enumerate(by_seed[seed]):
            like = [(task, seed)] if talk and setup.arm.follows else []
            if setup.arm.exchange == "other-task":
                like.append(_next(study, by_seed, seed, place))
            needed = tuple(_id(study, of, levels, talk, at, setups[key(levels), talk]) for of, at in like)
            cell_id = _id(study, task, levels, arm, seed, setup, needed)
            cells[cell_id] = Cell(cell_id, task, _with_order(study, levels, seed), arm, seed, needed)
            made[cell_id] = setup
    return Plan(study, cells, made)


def facts_of(cell: Cell, setup: Setup, members: int) -> list[tuple[str, ...]]:
    """Return what the member in each seat is told: the shared facts and its own; for an oracle all there are."""
    facts = cell.task.facts
    return [facts.all if setup.arm.facts == "all" else facts.known_to(seat) for seat in range(members)]


@cache
def behaviour() -> str:
    """Return a digest of the code and the texts that a debate depends on: another version's cells are others."""
    package = Path(eda.__file__).parent
    roots = [*(package / name for name in _BEHAVES), shipped("personas")]
    whole = hashlib.sha256()
    for file in (file for root in roots for file in sorted(_files(root))):  # personas lie elsewhere once installed
        whole.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return whole.hexdigest()[:_ID]


def prompt_digests() -> dict[str, str]:
    """Return a digest of each shipped prompt text, by its name."""
    folder = Path(eda.__file__).parent / "debate" / "prompts"
    return {file.stem: hashlib.sha256(file.read_bytes()).hexdigest()[:_ID] for file in sorted(folder.glob("*.md"))}


def key(levels: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Return levels as a value that a dict takes as a key."""
    return tuple(sorted(levels.items()))


def _files(root: Path) -> Iterable[Path]:
    return [root] if root.is_file() else (path for path in root.rglob("*") if path.suffix in _READ and path.is_file())


def _tasks(study: StudyFile, seats: int) -> dict[int, list[Task]]:
    """Return the tasks of each seed: those of the file, `count` generated ones, or a new one for each seed."""
    given = study.tasks
    if given.file:
        return dict.fromkeys(study.seeds, load_tasks(study.folder / given.file)[: given.count])
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
        except UsageError as error:
            raise study.fault(str(error), error.hint, "fixed", str(error).partition(" ")[0]) from None


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
    if study.orders == 1:
        return dict(levels)
    return {**levels, "seats": str(study.seeds.index(seed) % study.orders)}


def _id(
    study: StudyFile,
    task: Task,
    levels: dict[str, str],
    arm: str,
    seed: int,
    setup: Setup,
    needed: tuple[str, ...] = (),
) -> str:
    whole = {
        "task": asdict(task),
        "levels": _with_order(study, levels, seed),
        "arm": arm,
        "seed": seed,
        "setup": setup.digest,
        "needs": needed,
        "behaviour": behaviour(),
    }
    return digest(whole)[:_ID]
