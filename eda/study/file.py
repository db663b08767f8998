"""The file of a study, in TOML: tasks, seeds, factors, arms, hypotheses. Everything that is wrong with it is said here.

What a key of `[fixed]` means to a debate is known to `eda.study.cells`; the file is checked against it before a cell is
made.
"""

import hashlib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, Self

import orjson
from pydantic import Field, ValidationError, field_validator

from eda.errors import EdaError, StudyError, nearest
from eda.panels.files import UserFile, complaint, key_line, unknown_key
from eda.panels.registry import RULES
from eda.panels.settings import Frozen
from eda.study.measures import MEASURES
from eda.study.people import Votes
from eda.study.player import Confederates
from eda.study.tasks.loaders import FILES, MOST, PARQUET, Columns
from eda.text import regex
from eda.words import ENGLISH

Match = Literal["calls", "output_tokens"]
Exchange = Literal["all", "none", "self", "other-task", "choices", "empty"]
LIKE: Mapping[str, Mapping[str, Any]] = {
    "talk": {},
    "reask": {"exchange": "none"},
    "reflect": {"exchange": "self"},
    "unrelated": {"exchange": "other-task"},
    "choices": {"exchange": "choices"},
    "empty": {"exchange": "empty"},
    "confederates": {"confederates": {}},
    "anonymous": {"names": "hidden"},
    "named": {"names": "shown"},
    "single": {"members": 1, "match": "calls"},
    "oracle": {"facts": "all", "members": 1},
}
"""What an arm of that name is where the file says nothing else of it."""


class Arm(Frozen):
    """One way of treating a task: with talk, or as a control."""

    exchange: Exchange = "all"
    """Whom a member hears: everybody, nobody, itself, or a panel that talked about another task; or everybody's choices
    alone, or their choices with words that give no reason."""
    members: int | None = Field(default=None, ge=1)
    """The first so many of the panel; 1 is a single member, which answers and does not debate."""
    match: Match | None = None
    """What a single member answers until it has taken as much of as the talk of the same task, seed and levels; the
    most frequent answer counts. None: it answers once."""
    facts: Literal["own", "all"] = "own"
    """`all`: each member is given what any member of the task knows."""
    confederates: Confederates | None = Field(default=None, exclude_if=lambda script: script is None)
    """Seats that a script plays."""
    votes: Votes | None = Field(default=None, exclude_if=lambda votes: votes is None)
    """Where the votes of people stand, whose groups are its cells; None: a panel."""
    changes: dict[str, Any] = Field(default_factory=dict)
    """Keys of `[fixed]` that differ in this arm."""

    @property
    def single(self) -> bool:
        """Whether one member answers alone."""
        return self.members == 1

    @property
    def talks(self) -> bool:
        """Whether members hear each other."""
        return self.exchange == "all" and not (self.single or self.confederates or self.votes)

    @property
    def follows(self) -> bool:
        """Whether it takes as much as talk took: as many turns of each member, or answers to the same amount."""
        return self.match is not None if self.single else not (self.talks or self.votes)


class Budget(Frozen):
    """The most that all cells together may take; None is no limit."""

    usd: float | None = Field(default=None, gt=0)
    tokens: int | None = Field(default=None, gt=0)
    """In and out."""

    @property
    def limits(self) -> dict[str, float]:
        """The limits that there are, by name."""
        return self.model_dump(exclude_none=True)


class Tasks(Frozen):
    """Where the tasks come from: a generator by its name, or a file of tasks."""

    name: str = ""
    file: str = ""
    """A path relative to the study's file."""
    columns: Columns | None = Field(default=None, exclude_if=lambda columns: columns is None)
    """Of a file of multiple choice whose layout is no known one."""
    count: int | None = Field(default=None, ge=1)
    """How many. None: all of a file; of a generator, a new task for each seed."""
    seed: int = 0
    """Of a generator that makes `count` tasks."""


class Hypothesis(Frozen):
    """A contrast that was fixed before the first call. All else is exploratory."""

    measure: str
    contrast: tuple[str, ...]
    """Two arms, or two levels as `factor=level`: the effect is the first minus the second. Of four sides it is the
    effect of the first two minus that of the last two."""
    pair: tuple[Literal["task", "seed"], ...] = ("task", "seed")
    alpha: float = Field(default=0.05, gt=0, lt=1)
    smallest: float | None = Field(default=None, gt=0)
    """The smallest effect that matters; gives the test of equivalence."""

    @field_validator("contrast")
    @classmethod
    def _sides(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        if len(given) not in (2, 4):
            raise ValueError("has two sides, or four")
        return given


class StudyFile(Frozen):
    """A study as its file says it."""

    path: Path
    text: str = Field(repr=False)
    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    tasks: Tasks
    seeds: tuple[int, ...] = Field(min_length=1)
    budget: Budget = Budget()
    fixed: dict[str, Any] = Field(default_factory=dict)
    factors: dict[str, Any] = Field(default_factory=dict)
    arms: dict[str, Arm] = Field(min_length=1)
    hypotheses: tuple[Hypothesis, ...] = ()

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the study of a file.

        Raises:
            StudyError: the file cannot be read or used; the message names file, line and key.
        """
        file = UserFile(Path(path), StudyError)
        text = file.text()
        table = {key.replace("-", "_"): value for key, value in file.table(text).items()}
        for key in table:
            if key not in _KEYS:
                raise file.fault(*unknown_key(key, _KEYS, "a study"), key_line(text, None, key))
        try:
            arms = _arms(file, text, table.get("arms", ["talk"]))
            if all("votes" in arm for arm in arms.values()):  # people have had their tasks
                table = {"tasks": {}, "seeds": 1, **table}
            study = cls.model_validate({**table, "path": file.path, "text": text, "arms": arms})
        except ValidationError as error:
            loc, reason, hint = _plain(error)
            key = str(loc[0]) if loc else ""
            inner = loc[1] if len(loc) > 1 and isinstance(loc[1], str) else None
            line = key_line(text, key, inner) if inner else key_line(text, None, key)
            raise file.fault(reason, hint, line) from None
        study._check()  # noqa: SLF001 - its own class
        return study

    @field_validator("tasks", mode="before")
    @classmethod
    def _tasks(cls, given: object) -> object:
        if not isinstance(given, str):
            return given
        return {"file": given} if given.endswith(FILES) or "/" in given else {"name": given}

    @field_validator("seeds", mode="before")
    @classmethod
    def _seeds(cls, given: object) -> object:
        if isinstance(given, bool) or (isinstance(given, int) and given < 1):
            raise ValueError("is a number of seeds from 1, or a list of seeds")
        return tuple(range(given)) if isinstance(given, int) else given

    @field_validator("hypotheses", "seeds")
    @classmethod
    def _once(cls, given: tuple[object, ...]) -> tuple[object, ...]:
        if len(set(map(repr, given))) < len(given):
            raise ValueError("holds one of them twice")
        return given

    def levels(self) -> list[dict[str, str]]:
        """Return each combination of levels, by factor, without the order of seats, which goes with the seed."""
        crossed = {factor: [*self.changes(factor)] for factor in self.factors if factor != "seats"}
        return [dict(zip(crossed, each, strict=True)) for each in itertools.product(*crossed.values())]

    def changes(self, factor: str) -> dict[str, dict[str, Any]]:
        """Return what each level of a factor changes in `[fixed]`, by its label."""
        given = self.factors[factor]
        if isinstance(given, dict):
            return {name: dict(each) for name, each in given.items()}
        return {label(each): {factor: each} for each in given}

    @property
    def orders(self) -> int:
        """The number of orders of speaking; 1 is the panel's own."""
        seats = self.factors.get("seats")
        return int(seats["permute"]) if seats else 1

    @property
    def parts(self) -> dict[str, str]:
        """Digests of the parts of the file that may not change after the first call, by their names."""
        own = self.model_dump(mode="json")
        tasks = own["tasks"]
        if self.tasks.file:
            file = UserFile(self.folder / self.tasks.file, StudyError)
            tasks = [tasks, file.raw(MOST).hex() if file.path.suffix == PARQUET else file.text(MOST)]
        parts = {"tasks": tasks, **{key: own[key] for key in ("fixed", "arms", "hypotheses")}}
        if files := [self.folder / file for arm in self.arms.values() if arm.votes for file in arm.votes.files]:
            parts["votes"] = [UserFile(file, StudyError).text(MOST) for file in files]
        return {key: digest(value) for key, value in parts.items()}

    @property
    def folder(self) -> Path:
        """The folder of the file, to which its paths are relative."""
        return self.path.parent

    def out(self, given: Path | None = None) -> Path:
        """Return the folder of the cells: `given`, else one of the study's name beside its file."""
        return given if given is not None else self.folder / self.name

    def fault(self, reason: str, hint: str = "", table: str | None = None, key: str = "") -> EdaError:
        """Return an error about this file, with the line of a key where there is one."""
        return UserFile(self.path, StudyError).fault(reason, hint, key_line(self.text, table, key) if key else None)

    def __repr__(self) -> str:
        return ENGLISH.say("study-brief", name=self.name, seeds=len(self.seeds), arms=[*self.arms])

    def unpaired(self, contrast: Sequence[str], pair: Sequence[str]) -> str:
        """Return why no two cells of a contrast can ever be a pair, as of two orders of speaking; else empty."""
        orders = {dict(terms_of(side)).get("seats") for side in contrast}
        one_each = bool(self.tasks.name) and self.tasks.count is None
        if len(orders) < 2 or None in orders or not ("seed" in pair or one_each):
            return ""
        return ENGLISH.say("study-two-orders", shared="seed" if "seed" in pair else "task")

    def _check(self) -> None:
        if not (self.tasks.name or self.tasks.file or all(arm.votes for arm in self.arms.values())):
            raise self.fault("names no tasks", 'Write tasks = "hidden-profile", or the path of a JSONL file.')
        for factor, given in self.factors.items():
            self._check_factor(factor, given)
        for number, hypothesis in enumerate(self.hypotheses, 1):
            if hypothesis.measure not in MEASURES:
                raise self._unknown("measure", hypothesis.measure, MEASURES, number)
            for first, second in zip(hypothesis.contrast[::2], hypothesis.contrast[1::2], strict=True):
                if first == second:
                    raise self._fault_at(
                        f"item {number} of 'hypotheses' compares '{first}' with itself",
                        "Name two arms, or two levels.",
                        "contrast",
                        first,
                    )
            for side in hypothesis.contrast:
                for factor, level in terms_of(side):
                    self._check_term(factor, level, number)
            if reason := self.unpaired(hypothesis.contrast, hypothesis.pair):
                raise self._fault_at(
                    f"item {number} of 'hypotheses' {reason}", ORDERS_PAIR, "contrast", *hypothesis.contrast
                )

    def _check_factor(self, factor: str, given: object) -> None:
        if factor == "seats":
            number = given.get("permute") if isinstance(given, dict) and len(given) == 1 else None
            if not isinstance(number, int) or isinstance(number, bool) or number < 1:
                raise self.fault("'seats' is no {permute = NUMBER}", "Write seats = {permute = 4}.", "factors", factor)
            return
        if isinstance(given, dict) and given and all(isinstance(each, dict) for each in given.values()):
            return
        if not isinstance(given, list) or not given:
            raise self.fault(
                f"factor '{factor}' is no list of levels",
                f'Write {factor} = ["one", "other"], or a table of settings for each level.',
                "factors",
                factor,
            )
        if len({label(each) for each in given}) < len(given):
            raise self.fault(f"factor '{factor}' has a level twice", "Give each once.", "factors", factor)

    def _check_term(self, factor: str, level: str, number: int) -> None:
        """Refuse one part of a side of a contrast that names neither an arm nor a level."""
        seats = {"seats": [str(order) for order in range(self.orders)]} if self.orders > 1 else {}
        crossed = {name: [*self.changes(name)] for name in self.factors if name != "seats"}
        factors = {"rule": [*RULES.names()], **crossed, **seats}  # rules that are no factor count the same ballots
        known = [*self.arms] if factor == "arm" else factors.get(factor)
        if known is None:
            raise self._unknown("factor", factor, factors, number)
        if level not in known:
            raise self._unknown("arm" if factor == "arm" else f"level of '{factor}'", level, known, number)

    def _unknown(self, kind: str, name: str, known: Iterable[str], number: int) -> EdaError:
        close = nearest(name, known)
        near = close[0] if close else ""
        fault = ENGLISH.say("study-unknown", number=str(number), name=name, kind=kind, close=near)
        word = "measure" if kind == "measure" else "contrast"
        return self._fault_at(fault, f"There is {', '.join(sorted(known)) or 'none'}.", word, name)

    def _fault_at(self, reason: str, hint: str, *words: str) -> EdaError:
        """Return an error about the first line of this file that has all these words."""
        lines = enumerate(self.text.split("\n"), 1)
        line = next((number for number, text in lines if all(word in text for word in words)), None)
        return UserFile(self.path, StudyError).fault(reason, hint, line)


ORDERS_PAIR = 'Write pair = ["task"], and tasks that all seeds share: a file, or {name = "jury", count = 10}.'
"""What to do where two orders of speaking cannot be paired."""
# A comma before an arm or a level; not one within a list.
_NEXT_TERM = regex(r"\s*,\s*(?=[A-Za-z_][\w-]*\s*(?:[=,]|$))")
_KEYS = [key for key in StudyFile.model_fields if key not in ("path", "text")]


def label(level: object) -> str:
    """Return how a level is named in ids, tables and contrasts."""
    return level if isinstance(level, str) else orjson.dumps(level).decode()


def named(levels: Mapping[str, str]) -> str:
    """Return how a combination of levels is named; empty where nothing is varied."""
    return ", ".join(f"{factor}={level}" for factor, level in sorted(levels.items()))


def terms_of(side: str) -> list[tuple[str, str]]:
    """Return the parts of one side of a contrast: `talk, floor=bidding` is an arm (factor `arm`) and a level.

    A level that is a list may be written as in the file: `hears=[[1, 0], [1, 1]]`.
    """
    found = []
    for part in _NEXT_TERM.split(side.strip()):
        factor, equals, level = part.partition("=")
        if level.startswith("["):
            with suppress(orjson.JSONDecodeError):
                level = label(orjson.loads(level))
        found.append((factor, level) if equals else ("arm", factor))
    return found


def digest(value: object) -> str:
    """Return the SHA-256 of a value's JSON, with sorted keys."""
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)).hexdigest()


def _arms(file: UserFile, text: str, given: list[str] | dict[str, Any]) -> dict[str, Any]:
    """Return the arms as given, a list of known names or tables, with the keys that are no arm's own as changes."""
    arms: dict[str, Any] = {}
    for name, own in ({each: {} for each in given} if isinstance(given, list) else given).items():
        line = key_line(text, "arms", name) or key_line(text, None, "arms")
        if not isinstance(own, dict):
            raise file.fault(f"arm '{name}' is no table", f"Write {name} = {{}}.", line)
        if not own and name not in LIKE:
            close = nearest(name, LIKE)
            fault = ENGLISH.say("study-arm-unknown", name=name, close=close[0] if close else "")
            raise file.fault(fault, f"Known: {', '.join(LIKE)}; or say what it is.", line)
        spec = own or LIKE[name]
        plain = {key: value for key, value in spec.items() if key in Arm.model_fields and key != "changes"}
        arms[name] = {**plain, "changes": {key: value for key, value in spec.items() if key not in plain}}
    return arms


def _plain(error: ValidationError) -> tuple[tuple[int | str, ...], str, str]:
    """Return where the first fault is, what it is, and what to do."""
    first = error.errors()[0]
    loc = tuple(first["loc"])
    dotted = ".".join(str(part + 1 if isinstance(part, int) else part) for part in loc)
    if first["type"] == "value_error":
        return loc, f"'{dotted}' {first['ctx']['error']}", ""
    if first["type"] == "extra_forbidden":
        return loc, ENGLISH.say("study-key", name=dotted), "docs/study.md lists the keys."
    return complaint(error) if len(loc) < 2 else (loc, f"'{dotted}': {first['msg'].removeprefix('Input ')}", "")
