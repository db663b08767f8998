"""The parts that a debate is put together from, by name: shipped with EDA, of an installed package, or code.

One `Registry` for each kind of part. The file of a kind holds its shipped parts (`SHIPPED`, by name) and the function
`checked`, which refuses what is no such part and fills in what it leaves out. Both are imported when a name is looked
up, and installed packages are searched only for a name that is not shipped.
"""

import sys
from collections.abc import Mapping
from functools import cache, cached_property
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from eda.errors import UnknownNameError, UsageError
from eda.panels.allowed import allow, allowed_file

T = TypeVar("T")
# Ends the name of an object that was made with arguments: the class alone does not make it again.
_CONFIGURED = "(...)"


class Registry:
    """The parts of one kind, by name."""

    def __init__(self, kind: str, group: str, module: str, *, passed: str = "", made_once: bool = True) -> None:
        """Name the kind in messages, the group of its entry points, and the module of the shipped parts.

        A class is called without arguments when it is looked up (`made_once`), else `checked` is given the class.
        `passed` is how an object is passed to `Debate` and to `Debate.resume`; empty for `kind=...`.
        """
        self.kind = kind
        self._passed = passed or f"{kind}=..."
        self.group = group
        self._module = module
        self._made_once = made_once
        # Parts of users and of installed packages, by name, once they were looked up.
        self._loaded: dict[str, Any] = {}
        # The same by what verdicts and ends of debates call them: the name of a rule, the reason of a condition.
        self._words: dict[str, Any] = {}

    @cached_property
    def shipped(self) -> Mapping[str, Any]:
        """The parts that come with EDA, in the order in which they are listed."""
        parts: Mapping[str, Any] = import_module(self._module).SHIPPED
        return parts

    def names(self) -> list[str]:
        """Return the names of all parts, those of installed packages last."""
        return list(dict.fromkeys((*self.shipped, *_entry_points(self.group))))

    def lines(self) -> dict[str, str]:
        """Return what each part does, in a line, by name; an installed one that cannot be loaded says so."""
        lines = {}
        for name in self.names():
            try:
                lines[name] = line_of(self.get(name))
            except UsageError as error:
                lines[name] = str(error)
        return lines

    def canonical(self, name: str) -> str:
        """Return the name as it is registered, however it was typed: `Round Robin` is `round-robin`.

        Raises:
            UsageError: there is no such part, or it cannot be imported.
        """
        if ":" in name:
            return self.load(name)
        plain = "-".join(name.casefold().split())
        self.get(plain)
        return plain

    def load(self, name: str) -> str:
        """Import `./file.py:Class` or `package.module:Class`, which the user named; return the name that data keep.

        Raises:
            UsageError: it cannot be imported, cannot be made without arguments, or is no such part.
        """
        file, _, attribute = name.partition(":")
        plain = name
        if file.endswith(".py"):
            allow(file)
            plain = f"{Path(file).name}:{attribute}"
        if self.known(plain) is None:
            self._keep(plain, self._imported(plain, plain))
        return plain

    def get(self, name: str) -> Any:
        """Return the part of that name; of code that data name, only where the user named or allowed it.

        Raises:
            UnknownNameError: there is none; the hint names the nearest.
            UsageError: it is code that nobody allowed; it cannot be made without arguments, or is no such part.
        """
        if (part := self.known(name)) is not None:
            return part
        file, colon, _ = name.partition(":")
        if not colon:
            raise UnknownNameError(self.kind, name, self.names())
        if not (name.endswith(_CONFIGURED) or (file.endswith(".py") and allowed_file(file))):
            raise UsageError(
                f"the {self.kind} {name!r} is code, which is not run because a file names it",
                hint=f"If you trust it, name it yourself: --allow ./{Path(file).name}, or by the part's option.",
            )
        return self._keep(name, self._imported(name, name))

    def known(self, name: str) -> Any | None:
        """Return the part of that name where that needs no import of a user's module, else None.

        A saved session may name any module, and whoever reads the session must not run it.
        """
        if name in self.shipped:
            return self.shipped[name]
        if name not in self._loaded and ":" not in name and name in (points := _entry_points(self.group)):
            self._keep(name, self._imported(name, points[name]))
        return self._loaded.get(name)

    def use(self, part: object) -> str:
        """Return the name of a part that is passed as an object, and find the object by that name from now on.

        Raises:
            UsageError: it is no such part.
        """
        for name, shipped in self.shipped.items():
            if part is shipped:
                return name
        complete = self.checked(part)
        own = part if isinstance(part, type) else type(part)
        name = f"{own.__module__}:{own.__qualname__}"
        if part is not own and not _is_plain(part, own):
            name += _CONFIGURED
        self._keep(name, complete)
        return name

    def called(self, word: str) -> Any | None:
        """Return the part that verdicts and ends of debates call so, where it is known here; imports nothing."""
        return self._words.get(word) or self.known(word)

    def _keep(self, name: str, part: Any) -> Any:
        for word in (getattr(part, "name", name), getattr(part, "reason", name)):
            self._words[word] = part
        if not name.endswith(_CONFIGURED):  # another object of that class may have been made with other arguments
            self._loaded[name] = part
        return part

    def checked(self, part: object, name: str = "") -> Any:
        """Return the part with the defaults for what it leaves out; a class is called first.

        Raises:
            UsageError: it cannot be made without arguments, or is no such part.
        """
        what = name or getattr(part, "__name__", type(part).__name__)
        if isinstance(part, type) and self._made_once:
            try:
                part = part()
            except TypeError as error:
                raise UsageError(
                    f"the {self.kind} {what!r} cannot be made without arguments: {error}",
                    hint="Pass it as an object, in Python: see docs/extending.md.",
                ) from None
        complete: Any = import_module(self._module).checked(part)
        if complete is None:
            raise UsageError(f"{what!r} is no {self.kind}", hint="See docs/extending.md for what one has to have.")
        return complete

    def _imported(self, name: str, target: str) -> Any:
        module, _, attribute = target.removesuffix(_CONFIGURED).partition(":")
        try:
            if attribute != target.partition(":")[2]:
                raise ImportError("it was made with arguments")  # noqa: TRY301 - one message for all that keeps it away
            part: Any = _of_file(module) if module.endswith(".py") else import_module(module)
            for step in attribute.split("."):
                part = getattr(part, step)
        except (ImportError, AttributeError, ValueError, OSError) as error:
            raise UsageError(
                f"the {self.kind} {name!r} cannot be imported: {error}",
                hint=f"Name its file, ./FILE.py:CLASS, or pass an object, in Python: Debate(..., {self._passed}), "
                "and the same to Debate.resume.",
            ) from None
        return self.checked(part, name)


@cache
def _of_file(name: str) -> ModuleType:
    """Return the module in an allowed file; its folder is not searched for others.

    Raises:
        ImportError: nobody allowed it, or it is no Python.
    """
    file = allowed_file(name)
    spec = file and spec_from_file_location(file.stem, file)
    if not spec or spec.loader is None:
        raise ImportError(f"no file {name}")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def line_of(part: object) -> str:
    """Return what a part does, in a line: its `line`, else the first line of its docstring."""
    return str(getattr(part, "line", "") or (getattr(part, "__doc__", "") or "").strip().split("\n")[0])


def completed(part: object, kind: type[T], *needs: str) -> T | None:
    """Return a user's part as a `kind`, with the defaults of that class; None if it lacks one of `needs`."""
    if isinstance(part, kind):
        return part
    if not all(getattr(part, name, None) for name in needs):
        return None
    whole: T = type(kind.__name__, (kind,), dict.fromkeys(needs))()
    for name in dir(kind):
        if hasattr(part, name) and not (name.startswith("_") or isinstance(getattr(kind, name), property)):
            setattr(whole, name, getattr(part, name))
    setattr(whole, "line", line_of(part))  # noqa: B010 - each kind has a line, which the type does not say
    return whole


class Parts:
    """The parts of one debate: the objects passed to it by the names that its session keeps, else the registry's."""

    def __init__(self) -> None:
        self._own: dict[tuple[str, str], Any] = {}

    def name(self, registry: Registry, part: object) -> str:
        """Return the name of a part that was passed to the debate, by name or as an object; keep the object.

        Raises:
            UsageError: it is no such part, or there is none of that name.
        """
        if isinstance(part, str):
            return registry.canonical(part)
        name = registry.use(part)
        self._own[registry.kind, name] = registry.checked(part)
        return name

    def get(self, registry: Registry, name: str) -> Any:
        """Return the part of that name.

        Raises:
            UsageError: it has to be passed as an object, and was not.
        """
        own = self._own.get((registry.kind, name))
        return registry.get(name) if own is None else own

    def __deepcopy__(self, _: object) -> "Parts":
        """Return the parts themselves: a copy of a debate's state is judged by the same parts."""
        return self


def _is_plain(part: object, own: type) -> bool:
    """Return whether the class makes an equal object when called without arguments."""
    try:
        return bool(vars(own()) == vars(part))
    except TypeError:
        return False


def _entry_points(group: str) -> Mapping[str, str]:
    """Return the entry points of installed packages in one group: `module:attribute` by name."""
    return _installed(group, tuple(sys.path))


@cache
def _installed(group: str, _path: tuple[str, ...]) -> Mapping[str, str]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - only a name that is not shipped needs it

    return {point.name: point.value.partition("[")[0].strip() for point in entry_points(group=group)}


FLOORS = Registry("floor", "eda.floors", "eda.debate.floor.policies")
RULES = Registry("rule", "eda.rules", "eda.voting.rules")
STOPS = Registry("stop condition", "eda.stops", "eda.debate.floor.stop", passed="stop=[...]")
PHASES = Registry("phase kind", "eda.phases", "eda.debate.phases", passed="agenda=Agenda(...)")
RUNNERS = Registry("runner", "eda.runners", "eda.runners.shipped", made_once=False)
SUMMARISERS = Registry("summariser", "eda.summarisers", "eda.debate.summaries")
TRANSCRIPTS = Registry("transcript kind", "eda.transcripts", "eda.transcripts.read")
TALKS = Registry("kind of talk", "eda.talks", "eda.transcripts.ledger")
