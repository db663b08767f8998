"""Figures about the layout of `eda/`: entries, import floors, circles, lines, complexity, files to touch: `make house`.

`tests/test_house.py` checks the same imports with the same `House`.
"""

from __future__ import annotations

import argparse
import ast
import statistics
import subprocess
import tarfile
import tempfile
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from io import BytesIO
from pathlib import Path

from results import told
from roles import parameters, uses

__all__ = ["House", "circles", "floors"]

PACKAGE = Path(__file__).parent.parent / "eda"
BEFORE = "971ad89"
"""The last commit before the package was laid out in rooms."""
UNLISTED = {"__init__.py", "__main__.py", "py.typed", "__pycache__"}
MOST_COMPLEX = 20
SHIPPED = {
    "a floor policy": ("round-robin", "random", "moderated", "simultaneous"),
    "a decision rule": ("approval", "borda", "copeland", "instant-runoff", "schulze"),
    "a stop condition": ("circle", "consensus", "silence"),
    "a phase kind": ("blind", "poll", "ballot"),
    "an event": ("BaselineTaken", "MemoryCorrected", "NoteTaken", "ReportWritten"),
}
"""Shipped ones of each kind. The files that name one are those that a further one would have to be named in."""
OTHER_USES = {
    "a stop condition": {"why", "key", "keys", "verb", "fill.name"},
    "a phase kind": {"purpose", "basis", "key", "counted", "tag", "role", "fill.name", "halves.name", "_RENAMED"},
}
"""What else a string may be that reads like a shipped part: see `roles.uses`."""
AIMS = {
    "entries at the top of `eda/`": "<= 16",
    "import floors of packages": "<= 12",
    "import floors of modules": "",
    "circles of packages": "0",
    "circles inside packages": "0",
    "lines of `eda/**.py`": "<= 28,500",
    "files": "<= 170",
    "median lines of a file": "100 to 150",
    "longest file, in lines": "<= 400",
    "functions": "",
    "mean cyclomatic complexity": "<= 3.7",
    "functions over 20": "only the minutes'",
    "files that name a floor policy": "1",
    "files that name a decision rule": "1",
    "files that name a stop condition": "1",
    "files that name a phase kind": "2",
    "files that name an event": "3",
}
_BRANCHES = (
    ast.If,
    ast.IfExp,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.ExceptHandler,
    ast.Assert,
    ast.match_case,
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class House:
    """The modules of a package: their syntax trees, their lines and what each imports."""

    def __init__(self, package: Path) -> None:
        self.package = package
        self.paths = {_module(path.relative_to(package)): path for path in sorted(package.rglob("*.py"))}

    @cached_property
    def texts(self) -> dict[str, str]:
        return {module: path.read_text(encoding="utf-8") for module, path in self.paths.items()}

    @cached_property
    def trees(self) -> dict[str, ast.Module]:
        return {module: ast.parse(text) for module, text in self.texts.items()}

    @cached_property
    def lines(self) -> dict[str, int]:
        return {module: len(text.splitlines()) for module, text in self.texts.items()}

    @property
    def entries(self) -> set[str]:
        """What lies at the top of the package, without what each package has."""
        return {entry.name for entry in self.package.iterdir()} - UNLISTED

    @property
    def packages(self) -> list[str]:
        """Each package by its dotted name; `""` is the whole."""
        inner = {_module((path.parent / "__init__.py").relative_to(self.package)) for path in self.paths.values()}
        return sorted(inner - {"__init__"} | {""})

    @cached_property
    def imports(self) -> dict[str, set[str]]:
        """The other modules that each module imports, inside functions too."""
        return {module: self._imported(tree) - {module} for module, tree in self.trees.items()}

    def rooms(self, within: str) -> dict[str, set[str]]:
        """The files and packages directly inside the package `within`, and which of the others each imports."""
        lead = f"{within}." if within else ""
        rooms: dict[str, set[str]] = {}
        for module, imports in self.imports.items():
            if module == within or not module.startswith(lead) or module in ("__init__", "__main__"):
                continue
            room = module.removeprefix(lead).partition(".")[0]
            others = {name.removeprefix(lead).partition(".")[0] for name in imports if name.startswith(lead)}
            rooms.setdefault(room, set()).update(others - {room})
        return rooms

    def naming(self, name: str, other_uses: Collection[str] = ()) -> dict[str, list[int]]:
        """The lines of each module whose code has `name` as a class, or a string that is nothing but `name`.

        A string that the code shows to be one of `other_uses` is left out.
        """
        lines = {module: sorted({*self._lines(tree, name, other_uses)}) for module, tree in self.trees.items()}
        return {module: numbers for module, numbers in lines.items() if numbers}

    def _lines(self, tree: ast.Module, name: str, other_uses: Collection[str]) -> Iterator[int]:
        for line, roles in uses(tree, name, self._parameters):
            if not roles.intersection(other_uses):
                yield line
        if name[:1].isupper():
            named = (ast.Name, ast.ClassDef, ast.alias)
            yield from (node.lineno for node in ast.walk(tree) if isinstance(node, named) and _name(node) == name)

    @cached_property
    def _parameters(self) -> dict[str, list[list[str]]]:
        return parameters(self.trees.values())

    def _imported(self, tree: ast.Module) -> set[str]:
        names: set[str] = set()
        for node in _running(tree):
            if isinstance(node, ast.ImportFrom) and node.module and f"{node.module}.".startswith("eda."):
                module = node.module.removeprefix("eda").removeprefix(".")
                whole = {f"{module}.{alias.name}".removeprefix(".") for alias in node.names} - {"__version__"}
                names |= {name if name in self.paths else module or "__init__" for name in whole}
            elif isinstance(node, ast.Import):
                names |= {alias.name.removeprefix("eda.") for alias in node.names if alias.name.startswith("eda.")}
        return names


def circles(rooms: Mapping[str, set[str]]) -> list[list[str]]:
    """Each group of rooms that import one another, by however many steps."""
    reach = {room: _reached(rooms, room) for room in rooms}
    groups = {frozenset(other for other in reach[room] if room in reach.get(other, ())) for room in rooms}
    return sorted(sorted(group) for group in groups if group)


def floors(rooms: Mapping[str, set[str]]) -> int:
    """The number of rooms on the longest way down, where a circle counts as one room."""
    group = {room: frozenset({room}) for room in rooms}
    group.update({room: frozenset(circle) for circle in circles(rooms) for room in circle})
    heights: dict[frozenset[str], int] = {}

    def height(start: str) -> int:
        whole = group[start]
        if whole not in heights:
            below = {other for room in whole for other in rooms[room] if other in rooms and group[other] != whole}
            heights[whole] = 1 + max((height(other) for other in below), default=0)
        return heights[whole]

    return max(height(room) for room in rooms)


def _module(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _running(tree: ast.AST) -> Iterator[ast.AST]:
    """All statements but those under `if TYPE_CHECKING:`, which no running program imports."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if not (isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            yield node
            for part in ("body", "orelse", "finalbody", "handlers", "cases"):
                inside = getattr(node, part, ())  # of a lambda it is an expression, which imports nothing
                waiting.extend(inside if isinstance(inside, list) else ())


def _reached(rooms: Mapping[str, set[str]], start: str) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        new = rooms.get(waiting.pop(), set()) - reached
        reached |= new
        waiting.extend(new)
    return reached


def _name(node: ast.Name | ast.ClassDef | ast.alias) -> str:
    return node.id if isinstance(node, ast.Name) else node.name


def _complexity(function: ast.AST) -> int:
    """McCabe's number: 1 and each branch. A function inside is counted by itself."""
    number = 1
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, _FUNCTIONS):
            continue
        number += isinstance(node, _BRANCHES)
        if isinstance(node, ast.BoolOp):
            number += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            number += 1 + len(node.ifs)
        waiting.extend(ast.iter_child_nodes(node))
    return number


def figures(house: House) -> dict[str, str]:
    """The figures by their names in the table."""
    top = house.rooms("")
    modules = {module: imports - {"__init__"} for module, imports in house.imports.items() if module != "__init__"}
    inside = [circle for package in house.packages if package for circle in circles(house.rooms(package))]
    nodes = (node for tree in house.trees.values() for node in ast.walk(tree))
    complexity = [_complexity(node) for node in nodes if isinstance(node, _FUNCTIONS)]
    lines = list(house.lines.values())
    return {
        "entries at the top of `eda/`": str(len(house.entries)),
        "import floors of packages": str(floors(top)),
        "import floors of modules": str(floors(modules)),
        "circles of packages": str(len(circles(top))),
        "circles inside packages": str(len(inside)),
        "lines of `eda/**.py`": f"{sum(lines):,}",
        "files": str(len(lines)),
        "median lines of a file": f"{statistics.median(lines):.0f}",
        "longest file, in lines": str(max(lines)),
        "functions": f"{len(complexity):,}",
        "mean cyclomatic complexity": f"{statistics.mean(complexity):.2f}",
        "functions over 20": str(sum(number > MOST_COMPLEX for number in complexity)),
        **{f"files that name {kind}": _range(house, kind) for kind in SHIPPED},
    }


def _range(house: House, kind: str) -> str:
    counts = sorted(len(house.naming(name, OTHER_USES.get(kind, ()))) for name in SHIPPED[kind])
    return f"{counts[0]} to {counts[-1]}" if counts[0] != counts[-1] else str(counts[0])


def places(house: House) -> str:
    """Return where each shipped part is named, a line a part."""
    rows = []
    for kind, names in SHIPPED.items():
        for name in names:
            files = house.naming(name, OTHER_USES.get(kind, ())).items()
            rows.append(f"{kind} {name}: " + "; ".join(f"{file} {', '.join(map(str, at))}" for file, at in files))
    return "\n".join(rows)


def at_commit(commit: str) -> dict[str, str]:
    """The figures of the package as it was at a commit."""
    archive = ["git", "archive", commit, "eda"]
    packed = subprocess.run(archive, capture_output=True, check=True, cwd=PACKAGE.parent).stdout  # noqa: S603 - git
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=BytesIO(packed)) as files:
        files.extractall(folder, filter="data")
        return figures(House(Path(folder) / "eda"))


def table(now: dict[str, str], before: dict[str, str] | None, commit: str) -> str:
    """The figures as Markdown, those of the older commit beside them."""
    heads = ["figure", *([f"at {commit}"] if before else []), "now", "aim"]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for name, figure in now.items():
        cells = [name, *([before[name]] if before else []), figure, AIMS[name]]
        lines.append(f"| {' | '.join(cells)} |")
    counted = "; ".join(f"{kind}: {', '.join(f'`{name}`' for name in names)}" for kind, names in SHIPPED.items())
    shared = (
        "A string is not counted where the code shows that it is something else, by what it is compared with, given to "
        "or kept in (`roles.py`): `poll` and `ballot` are also purposes of calls, names of prompts' texts and what a "
        "comparison rests on, `circle` and `silence` occasions of the moderator, `consensus` is also a setting and a "
        "field of JSON. `python benchmarks/house.py --places` lists what is counted."
    )
    named = f"Least and most files that name a shipped one. {counted[0].upper()}{counted[1:]}. {shared}"
    return "\n".join([*lines, "", named])


def main() -> None:
    """Print the table; with `--write`, put it into RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rev", help="an older commit, to be shown beside the files as they are")
    parser.add_argument("--write", action="store_true", help=f"write the table, beside {BEFORE}, into RESULTS.md")
    parser.add_argument("--places", action="store_true", help="list the lines that name a shipped part")
    args = parser.parse_args()
    if args.places:
        print(places(House(PACKAGE)))
        return
    commit = args.rev or (BEFORE if args.write else "")
    try:
        before = at_commit(commit) if commit else None
    except subprocess.CalledProcessError as error:
        parser.error(f"git has no commit {commit}: {error.stderr.decode().strip()}")
    text = table(figures(House(PACKAGE)), before, commit)
    told("house", "make house", text, write=args.write)


if __name__ == "__main__":
    main()
