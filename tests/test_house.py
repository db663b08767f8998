"""The plan of the house holds: imports go down only, files stay small, names are exact."""

from __future__ import annotations

import ast
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

import eda
from eda import events

PACKAGE = Path(eda.__file__).parent
FLOORS = {
    "errors": 0,
    "escapes": 0,
    "records": 1,
    "personas": 1,
    "panels": 1,
    "addressing": 1,
    "agenda": 1,
    "events": 1,
    "settings": 1,
    "protocols": 1,
    "patterns": 2,
    "prompts": 2,
    "opinion": 2,
    "memory": 3,
    "runners": 3,
    "bus": 4,
    "session": 4,
    "progress": 4,
    "briefing": 5,
    "calls": 5,
    "bids": 5,
    "listener": 5,
    "floor": 5,
    "told": 5,
    "summing": 5,
    "shapes": 5,
    "moderator": 5,
    "verdict": 5,
    "stop": 5,
    "spending": 5,
    "script": 0,
    "spent": 4,
    "voting": 5,
    "documents": 5,
    "inbox": 6,
    "steered": 6,
    "steering": 6,
    "seats": 6,
    "introductions": 5,
    "reading": 5,
    "occasion": 5,
    "person": 5,
    "setup": 5,
    "members": 5,
    "changing": 5,
    "replay": 6,
    "recount": 6,
    "effect": 6,
    "baseline": 6,
    "report": 6,
    "forecast": 6,
    "walk": 6,
    "debate": 6,
    "door": 6,
    "transcripts": 6,
    "aside": 6,
    "view": 7,
    "cli": 8,
    "__main__": 9,
    "__init__": 9,
}
MOST_LINES = 400


def _rooms() -> list[tuple[Path, str]]:
    files = sorted(PACKAGE.rglob("*.py"))
    return [(path, path.relative_to(PACKAGE).parts[0].removesuffix(".py")) for path in files]


def _imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("eda."):
            names.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            names |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("eda.")}
    return names


@pytest.mark.parametrize(("path", "room"), _rooms(), ids=str)
def test_a_room_imports_from_its_own_floor_or_below(path: Path, room: str) -> None:
    """Without this a change in a view could break the memory, and nobody could say what depends on what."""
    upward = {name for name in _imported(path) if FLOORS[name] > FLOORS[room]}
    assert not upward, f"{path.name} on floor {FLOORS[room]} imports {upward}"


def test_no_two_rooms_import_each_other() -> None:
    """A circle means that two rooms are one, or that one concept lives in two places."""
    edges: dict[str, set[str]] = {}
    for path, room in _rooms():
        if room != "__init__":
            edges.setdefault(room, set()).update(_imported(path) - {room})
    circles = [(a, b) for a, targets in edges.items() for b in targets if a < b and a in edges.get(b, set())]
    assert not circles


@pytest.mark.parametrize("path", [path for path, _ in _rooms()], ids=lambda path: path.name)
def test_no_file_grows_over_its_bound(path: Path) -> None:
    """A file of a thousand lines hides what a reader looks for."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_options_are_made_by_any_click_that_is_allowed() -> None:
    """Where another program keeps click below 8.4, whose types take no parameter, no command would start."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path, room in _rooms() if room == "cli"]
    kinds = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assert not [kind.name for kind in kinds for base in kind.bases if isinstance(base, ast.Subscript)]


def test_every_kind_of_fact_has_a_name_of_its_own() -> None:
    """Two kinds of one name would be read as one another."""
    assert set(events.STORED_TYPES) < set(events.EVENT_TYPES)
    names = [kind.model_fields["type"].default for kind in events.EVENT_TYPES]
    assert len(set(names)) == len(names)


def test_every_exported_name_can_be_imported() -> None:
    """`from eda import X` for each X that the package names; and it names all that type checkers see."""
    for name in eda.__all__:
        assert getattr(eda, name) is not None
    tree = ast.parse(Path(eda.__file__).read_text(encoding="utf-8"))
    typed = {alias.asname for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert typed - {"TYPE_CHECKING", "Any", None} == set(eda.__all__) - {"__version__"}
    with pytest.raises(AttributeError):
        _ = eda.Debatte


def test_importing_the_package_imports_nothing_heavy() -> None:
    """`eda --help` must answer at once: the SDK alone takes a second to import."""
    code = (
        "import sys, eda; print([m for m in ('anthropic', 'pydantic', 'rich', 'yaml', 'orjson') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_engine_never_imports_the_sdk_before_a_live_call() -> None:
    """Somebody without a key, or without the time, runs, reads and resumes debates without it."""
    code = (
        "import sys, eda\n"
        "[getattr(eda, name) for name in eda.__all__]\n"
        "eda.Debate('Is it so?', ['sceptic', 'historian']).run_sync()\n"
        "print('anthropic' in sys.modules, 'rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False False"


def test_a_test_cannot_reach_the_network() -> None:
    """A test that calls a real API costs money and fails on a train."""
    with pytest.raises(AssertionError, match="looks up"):
        socket.create_connection(("example.org", 80), timeout=1)
    with socket.socket() as plain, pytest.raises(AssertionError, match="connects"):
        plain.connect(("192.0.2.1", 80))


def test_no_example_of_a_law_has_a_time_limit() -> None:
    """Without it a busy machine fails a test, once in a hundred runs, and a day goes by in search of the reason."""
    assert settings().deadline is None
