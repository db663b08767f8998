"""Figures about `eda/`: lines, sentences, the way of a message, circles, complexity, files to touch: `make house`.

`tests/test_house.py` checks the same imports with the same `House`.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Collection, Iterator, Mapping
from functools import cache, cached_property
from io import BytesIO
from pathlib import Path

from results import told
from roles import parameters, uses

__all__ = ["House", "builds_sentences", "circles", "floors", "house_of", "statement_lines"]

PACKAGE = Path(__file__).parent.parent / "eda"
BEFORE = "1c0814c"
"""The last commit at which facts were sentences that other code took apart."""
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
SETTINGS = ("max_messages", "max_cost", "call_timeout", "summary_every", "poll_every")
"""Settings whose name should stand in the file that declares them, and hardly anywhere else."""
AIMS = {
    "statement lines of `eda/`": "<= 38,000",
    "modules that build sentences": "<= 40",
    "files for one message, reply to memory": "<= 25",
    "moves between files for it": "<= 150",
    **{f"files that name `{setting}`": "<= 4" for setting in SETTINGS},
    "circles": "0",
    "mean cyclomatic complexity": "<= 4.2",
    "lines a function, median and mean": "15 to 25",
    "functions over 20": "0",
    "files": "",
    "longest file, in lines": "<= 400",
    "entries at the top of `eda/`": "<= 16",
    "import floors of packages": "<= 12",
    "files that name a floor policy": "1",
    "files that name a decision rule": "1",
    "files that name a stop condition": "1",
    "files that name a phase kind": "2",
    "files that name an event": "3",
}
_WORDED = ("words.", "debate.prompts.")
"""Packages that are there to hold sentences."""
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
        """The other modules that each module imports, inside functions and for types too."""
        return {module: self._imported(module) - {module} for module in self.paths}

    def rooms(self, within: str) -> dict[str, set[str]]:
        """The files and packages directly inside the package `within`, and which of the others each imports.

        The package's own file is the room `__init__`.
        """
        lead = f"{within}." if within else ""

        def room_of(module: str) -> str:
            return "__init__" if module == within else module.removeprefix(lead).partition(".")[0]

        rooms: dict[str, set[str]] = {}
        for module, imports in self.imports.items():
            if module == within or module.startswith(lead):
                others = {room_of(name) for name in imports if name == within or name.startswith(lead)}
                rooms.setdefault(room_of(module), set()).update(others - {room_of(module)})
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

    def _imported(self, module: str) -> set[str]:
        """Return the modules that a module imports, also for its types, or by their names in strings.

        A string counts if it is the dotted path of a module, or ends one that an f-string of the file begins.
        """
        names: set[str] = set()
        text, tree = self.texts[module], self.trees[module]
        strings = _strings(tree) if '"eda.' in text or "'eda." in text else set[str]()
        begun = [text for text in strings if text.startswith("eda.") and text.endswith(".")]
        for node in statements(tree):
            if isinstance(node, ast.ImportFrom) and node.module and f"{node.module}.".startswith("eda."):
                of = node.module.removeprefix("eda").removeprefix(".")
                whole = {f"{of}.{alias.name}".removeprefix(".") for alias in node.names} - {"__version__"}
                names |= {name if name in self.paths else of or "__init__" for name in whole}
            elif isinstance(node, ast.Import):
                names |= {alias.name.removeprefix("eda.") for alias in node.names if alias.name.startswith("eda.")}
        dotted = {text for text in strings if text.startswith("eda.")} | {a + b for a in begun for b in strings}
        return names | {text.removeprefix("eda.") for text in dotted} & self.paths.keys()


@cache
def house_of(package: Path) -> House:
    """Return the house of a package that does not change meanwhile: a process parses it once."""
    return House(package)


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


def statements(tree: ast.Module) -> list[ast.AST]:
    """Return the statements of a module, those inside others too; to walk all of its nodes takes ten times as long."""
    nodes: list[ast.AST] = [tree]
    for node in nodes:
        for name in ("body", "handlers", "orelse", "finalbody", "cases"):
            nodes.extend(getattr(node, name, ()))
    return nodes


def _strings(tree: ast.Module) -> set[str]:
    """Return the strings of a module but those given to a `Registry`.

    A registry has no need of the parts that it names: it imports a shipped one, like one of an installed package, when
    a user names it.
    """
    strings: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings.add(node.value)
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Registry"):
            waiting.extend(ast.iter_child_nodes(node))
    return strings


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


def complexity(function: ast.AST) -> int:
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
    functions = [node for tree in house.trees.values() for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)]
    branches = [complexity(node) for node in functions]
    lines = [(node.end_lineno or node.lineno) - node.lineno + 1 for node in functions]
    files, moves = _way_of_a_message(house.package.parent)
    return {
        "statement lines of `eda/`": f"{sum(map(statement_lines, house.texts.values())):,}",
        "modules that build sentences": str(sum(map(builds_sentences, house.trees, house.trees.values()))),
        "files for one message, reply to memory": f"{files:.0f}",
        "moves between files for it": f"{moves:.0f}",
        **{f"files that name `{setting}`": str(_naming(house, setting)) for setting in SETTINGS},
        "circles": str(sum(len(circles(house.rooms(package))) for package in house.packages)),
        "mean cyclomatic complexity": f"{statistics.mean(branches):.2f}",
        "lines a function, median and mean": f"{statistics.median(lines):.0f}; {statistics.mean(lines):.1f}",
        "functions over 20": str(sum(number > MOST_COMPLEX for number in branches)),
        "files": str(len(house.paths)),
        "longest file, in lines": str(max(house.lines.values())),
        "entries at the top of `eda/`": str(len(house.entries)),
        "import floors of packages": str(floors(house.rooms(""))),
        **{f"files that name {kind}": _range(house, kind) for kind in SHIPPED},
    }


def statement_lines(text: str) -> int:
    """Return the lines of a module as `ast.unparse` writes it, without docstrings and comments."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, *_FUNCTIONS)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return len(ast.unparse(tree).splitlines())


def builds_sentences(module: str, tree: ast.Module) -> bool:
    """Return whether a module has an f-string of three words or more, outside an error that it raises."""
    if f"{module}.".startswith(_WORDED):
        return False
    raised = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.Raise) for inner in ast.walk(node)}
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) and id(node) not in raised)
    fixed = (" ".join(part.value for part in text.values if isinstance(part, ast.Constant)) for text in texts)
    return any(len(re.findall("[a-z]{2,}", text)) >= 3 for text in fixed)


def _naming(house: House, setting: str) -> int:
    """Return how many files have the name of a setting, as Python writes it or as an option."""
    name = re.compile(rf"\b{setting.replace('_', '[_-]')}\b")
    return sum(bool(name.search(text)) for text in house.texts.values())


def _way_of_a_message(root: Path) -> tuple[float, float]:
    """Return the files and the moves between files of one message, from the reply to memory; see `moves.py`."""
    script = Path(__file__).with_name("moves.py")
    done = subprocess.run([sys.executable, script, root], capture_output=True, check=True)  # noqa: S603 - its own script
    way = json.loads(done.stdout)
    return way["files"], way["moves"]


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
    archive = ["git", "archive", commit, "eda", "personas", "pyproject.toml"]
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
        parser.error(f"{commit} cannot be measured: {error.stderr.decode().strip()}")
    text = table(figures(House(PACKAGE)), before, commit)
    told("house", "make house", text, write=args.write)


if __name__ == "__main__":
    main()
