"""The plan of the house holds: imports go down only, files stay small, names are exact."""

from __future__ import annotations

import ast
import importlib
import socket
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from house import MOST_COMPLEX, House, builds_sentences, circles, complexity, floors, house_of, statement_lines
from hypothesis import settings
from in_turn import in_one
from moves import Trace
from roles import parameters, uses

import eda
from eda import events, text

PACKAGE = Path(eda.__file__).parent
FLOORS = {
    "errors": 0,
    "text": 0,
    "words": 1,
    "panels": 2,
    "events": 3,
    "session": 4,
    "runners": 4,
    "bus": 5,
    "voting": 5,
    "memory": 6,
    "transcripts": 7,
    "debate": 8,
    "report": 9,
    "study": 10,
    "serve": 10,
    "cli": 11,
    "__init__": 12,
    "__main__": 12,
}
"""The floor of each package, from the ground up. `words` knows no package above it: messages are chosen by a key and
filled with data, so that whoever has a fact for a reader can say it, from the faults of a file up to a screen."""
MOST_ENTRIES = 16
MOST_LINES = 400
HOUSE = house_of(PACKAGE)


@pytest.mark.parametrize("package", sorted(entry.removesuffix(".py") for entry in HOUSE.entries))
def test_a_package_imports_from_packages_below_it(package: str) -> None:
    """Without this a change of a screen could break the memory, and nobody could say what depends on what."""
    level = {name for name in HOUSE.rooms("")[package] if FLOORS[name] >= FLOORS[package]}
    assert not level, f"{package} on floor {FLOORS[package]} imports {level}"


@in_one("package", HOUSE.packages)
def test_inside_a_package_imports_run_one_way(package: str) -> None:
    """A circle means that two rooms are one, or that one concept lives in two places.

    An import for a type, and one by a name in a string, ties as any other does.
    """
    assert not circles(HOUSE.rooms(package))


def test_an_import_in_a_string_or_for_a_type_counts_as_one(tmp_path: Path) -> None:
    """A circle of fifteen files once hid behind strings, and nobody saw it."""
    files = {
        "study/file.py": 'run = import_module("eda.study.run")',
        "study/run.py": "if TYPE_CHECKING:\n    from eda.study.file import Study",
        "study/__init__.py": 'HOMES = {"tables": "frames"}\nimport_module(f"eda.study.{HOMES[name]}")',
        "study/frames.py": 'import eda.study.run\nHELP = "see eda.study.file"',
        "study/names.py": 'KINDS = Registry("kind", "eda.study.file")',
    }
    for name, code in files.items():
        path = tmp_path / "eda" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code, encoding="utf-8")
    house = House(tmp_path / "eda")
    assert house.imports == {
        "study": {"study.frames"},
        "study.file": {"study.run"},
        "study.run": {"study.file"},
        "study.frames": {"study.run"},
        "study.names": set(),
    }
    assert circles(house.rooms("study")) == [["file", "run"]]


def test_a_circle_is_seen_and_counts_as_one_floor() -> None:
    """A check that overlooks a circle would pass any layout."""
    rooms = {"cli": {"engine"}, "engine": {"rules", "text"}, "rules": {"votes"}, "votes": {"engine"}, "text": set()}
    assert circles(rooms) == [["engine", "rules", "votes"]]
    assert floors(rooms) == len(("cli", "engine and rules and votes", "text"))


def test_lines_are_counted_without_prose_and_sentences_without_errors() -> None:
    """A figure that falls when docstrings are cut would praise code that nobody can read."""
    plain = "def add(a, b):\n    return a + b"
    assert statement_lines(f'"""Sums."""\n# all\n\n{plain}') == statement_lines(plain) == 2
    assert statement_lines(f'{plain[:14]}\n    """Return the sum."""\n\n    return (\n        a + b\n    )') == 2
    worded = ast.parse('note = f"{name} has left the table"')
    assert builds_sentences("cli.note", worded)
    assert not builds_sentences("words.lines", worded)
    assert not builds_sentences("cli.note", ast.parse('raise ValueError(f"{name} has left the table")\nf"{a}: {b} ms"'))


def test_a_call_into_another_file_is_a_move() -> None:
    """The way of a message is judged by this figure."""
    trace = Trace(str(PACKAGE))
    trace.begin()
    text.one_line(" two   words ")
    trace.end()
    (files, calls, moves) = trace.ways[0]
    assert (files, moves) == (1, 0)
    assert calls > 1


def test_the_top_of_the_package_is_small_enough_to_be_read_at_a_glance() -> None:
    """A newcomer opens the right folder by its name, or not at all."""
    assert len(HOUSE.entries) <= MOST_ENTRIES
    assert {entry.removesuffix(".py") for entry in HOUSE.entries} <= FLOORS.keys()


def test_no_file_grows_over_its_bound() -> None:
    """A file of a thousand lines hides what a reader looks for."""
    assert {name: count for name, count in HOUSE.lines.items() if count > MOST_LINES} == {}


def test_no_function_has_more_branches_than_a_reader_holds() -> None:
    """Its cases are data, or parts with names: else nobody says what it does."""
    functions = {
        f"{module}:{node.lineno}": complexity(node)
        for module, tree in HOUSE.trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {place: number for place, number in functions.items() if number > MOST_COMPLEX} == {}


def test_a_word_counts_as_a_part_unless_the_code_says_what_else_it_is() -> None:
    """A figure that leaves out too much would praise a house in which a part is named everywhere."""
    code = """
def ask(purpose, text): ...
ANSWERS = {"poll": 1}
ANSWERS[prompt.purpose]
if prompt.purpose in ("bid", "poll"): ask("poll", "poll")
SHIPPED = {"poll": Poll()}
kinds = find("poll")
"""
    tree = ast.parse(code)
    assert sorted((line, *sorted(roles)) for line, roles in uses(tree, "poll", parameters([tree]))) == [
        (3, "purpose"),
        (5, "ask.purpose", "purpose"),
        (5, "ask.text", "text"),
        (5, "purpose"),
        (6, "SHIPPED"),
        (7,),
    ]


def test_options_are_made_by_any_click_that_is_allowed() -> None:
    """Where another program keeps click below 8.4, whose types take no parameter, no command would start."""
    trees = [tree for module, tree in HOUSE.trees.items() if module.startswith("cli")]
    kinds = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assert not [kind.name for kind in kinds for base in kind.bases if isinstance(base, ast.Subscript)]


def test_every_kind_of_fact_has_a_name_of_its_own() -> None:
    """Two kinds of one name would be read as one another."""
    assert set(events.STORED_TYPES) < set(events.EVENT_TYPES)
    names = [kind.model_fields["type"].default for kind in events.EVENT_TYPES]
    assert len(set(names)) == len(names)
    assert [kind for kind in events.EVENT_TYPES if getattr(events, kind.__name__, None) is not kind] == []


def test_every_exported_name_can_be_imported() -> None:
    """`from eda import X` for each X that the package names; and it names all that type checkers see."""
    for name in eda.__all__:
        assert getattr(eda, name) is not None
    tree = ast.parse(Path(eda.__file__).read_text(encoding="utf-8"))
    typed = {alias.asname for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert typed - {"TYPE_CHECKING", "Any", None} == set(eda.__all__) - {"__version__"}
    with pytest.raises(AttributeError):
        _ = eda.Debatte


@pytest.mark.parametrize(
    ("old", "name"),
    [
        ("eda.session", "Session"),
        ("eda.memory", "ConversationMemory"),
        ("eda.events", "MessagePosted"),
        ("eda.runners.human", "HumanRunner"),
        ("eda.runners.scripted", "ScriptedRunner"),
    ],
)
def test_an_import_path_that_the_documentation_named_still_works(old: str, name: str) -> None:
    """A study written last month would fail on its first line."""
    assert getattr(importlib.import_module(old), name)


def test_importing_the_package_imports_nothing_heavy() -> None:
    """`eda --help` must answer at once: the SDK alone takes a second to import."""
    code = (
        "import sys, eda; print([m for m in ('anthropic', 'pydantic', 'rich', 'yaml', 'orjson') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_importing_a_debate_compiles_no_expression_and_looks_for_no_server() -> None:
    """A program that only names `Debate` would wait for what it may never use."""
    code = (
        "import re, sys, tomllib, pydantic\ncompiled = []\ncompile = re.compile\n"
        "re.compile = lambda pattern, flags=0: [compiled.append(pattern), compile(pattern, flags)][1]\n"
        "from eda import Debate\nunused = 'http.client', 'sqlite3', 'html', 'tempfile', 'eda.cli'\n"
        "print([name for name in unused if name in sys.modules])\n"
        "import eda.text\nprint(eda.text._SPACE.pattern in compiled, eda.text._SPACE.sub(' ', 'a  b'))\n"
        "print(eda.text._SPACE.pattern in compiled)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:3] == ["[]", "False a b", "True"]


def test_the_engine_never_imports_the_sdk_before_a_live_call() -> None:
    """Somebody without a key, or without the time, runs, reads and resumes debates without it."""
    code = (
        "import sys, eda\n"
        "[getattr(eda, name) for name in eda.__all__]\n"
        "eda.Debate('Is it so?', ['sceptic', 'historian']).run_sync()\n"
        "print(any(name in sys.modules for name in ('anthropic', 'rich', 'IPython')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_test_cannot_reach_the_network() -> None:
    """A test that calls a real API costs money and fails on a train."""
    with pytest.raises(AssertionError, match="looks up"):
        socket.create_connection(("example.org", 80), timeout=1)
    with socket.socket() as plain, pytest.raises(AssertionError, match="connects"):
        plain.connect(("192.0.2.1", 80))


@cache
def _tests() -> tuple[list[tuple[str, set[str]]], set[str]]:
    """Each function of the tests with the names that it calls, where `assert` stands for the statement; and all names.

    One walk finds both: the trees have a million nodes.
    """
    functions: list[tuple[str, set[str]]] = []
    used: set[str] = set()
    waiting: list[tuple[ast.AST, tuple[set[str], ...]]] = [
        (ast.parse(path.read_text(encoding="utf-8")), ()) for path in Path(__file__).parent.rglob("*.py")
    ]
    while waiting:
        node, around = waiting.pop()
        called = ""
        match node:
            case ast.Name(id=name):
                used.add(name)
                continue
            case ast.Constant():
                continue
            case ast.Assert():
                called = "assert"
            case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)):
                pass
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                functions.append((name, set()))
                around = (*around, functions[-1][1])
        if called:
            for calls in around:
                calls.add(called)
        waiting.extend((child, around) for child in _children(node))
    return functions, used


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for value in vars(node).values():
        if isinstance(value, list):
            yield from (each for each in value if isinstance(each, ast.AST))
        elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
            yield value


def test_every_test_asserts_something() -> None:
    """A test that only runs would pass whatever the code gives back."""
    functions, _ = _tests()
    assert len(functions) > 3000
    checks = {"assert", "raises", "fail"}
    while more := {name for name, calls in functions if calls & checks} - checks:
        checks |= more
    assert [name for name, calls in functions if name.startswith("test_") and not calls & checks] == []


def test_every_exported_name_is_used_by_a_test() -> None:
    """A public name that no test uses could be broken in any release."""
    _, used = _tests()
    assert set(eda.__all__) - used == {"__version__"}


def test_no_example_of_a_law_has_a_time_limit() -> None:
    """Without it a busy machine fails a test, once in a hundred runs, and a day goes by in search of the reason."""
    assert settings().deadline is None
