"""Runs the laws, then the tests nearest to what was changed, for as long as there is time: `make test-near`.

A test is as near to a file as the imports that lead from the one to the other are few. Of those that are as near, a
test of its name comes first, then who imports little. `make test` runs everything.
"""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
import time
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

from house import house_of, statements  # noqa: E402 - found by the line above

import eda  # noqa: E402

LAWS = ("test_house.py", "test_words.py")
AT_ONCE = 16
"""Files of a batch. Whether there is time for a further one is asked after each."""
UNTIL = "EDA_TESTS_UNTIL"
"""The environment variable with the second from which on no test begins: see `conftest.py`."""


def changed(since: str) -> list[str]:
    """Return the files that differ from a commit, and those that git does not know yet."""

    def git(*command: str) -> list[str]:
        done = subprocess.run(["git", *command], capture_output=True, text=True, check=True, cwd=ROOT)
        return done.stdout.splitlines()

    return [*git("diff", "--name-only", since), *git("ls-files", "--others", "--exclude-standard")]


def imports_of(code: str, helpers: Collection[str]) -> set[str]:
    """Return what a test imports: modules of the package, by their names in it, and `helpers` of the tests."""
    names: set[str] = set()
    for node in statements(ast.parse(code)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "eda":
            names.update(eda._HOMES.get(alias.name, f"eda.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name.removeprefix("eda.") for name in names if name in helpers or name.startswith("eda.")}


def graph() -> dict[str, set[str]]:
    """Return what each module of the package, helper and test imports."""
    paths = {path.stem: path for path in TESTS.glob("*.py")}
    tests = {name: imports_of(path.read_text(encoding="utf-8"), paths) for name, path in paths.items()}
    return {**house_of(ROOT / "eda").imports, **tests}


def module_of(name: str, known: Collection[str]) -> set[str]:
    """Return the modules that a changed file stands for: its own, or those beside data that it holds."""
    path = Path(name)
    if path.parts[0] not in ("eda", "tests"):
        return set()
    inside = Path(*path.parts[1:])
    own = ".".join(inside.with_suffix("").parts).removesuffix(".__init__")
    if path.suffix == ".py" and own in known:
        return {own}
    for folder in inside.parents:
        beside = {each for each in known if each.rpartition(".")[0] == ".".join(folder.parts)}
        if beside and folder != Path():
            return beside
    return set()


def distances(imports: Mapping[str, Collection[str]], modules: Iterable[str]) -> dict[str, int]:
    """Return how many imports lead from each module or test to the nearest of `modules`."""
    importers: dict[str, set[str]] = {}
    for who, what in imports.items():
        for each in what:
            importers.setdefault(each, set()).add(who)
    found = dict.fromkeys(modules, 0)
    waiting = list(found)
    for each in waiting:
        for who in importers.get(each, ()):
            if who not in found:
                found[who] = found[each] + 1
                waiting.append(who)
    return found


def nearest(imports: Mapping[str, Collection[str]], names: Iterable[str]) -> list[str]:
    """Return the tests that a change of files reaches, the nearest first."""
    modules = {module for name in names for module in module_of(name, imports)}
    words = {word for module in modules for word in module.rpartition(".")[2].split("_")}
    found = distances(imports, modules)
    tests = [name for name in found if name.startswith("test_")]
    return sorted(tests, key=lambda name: (found[name], words.isdisjoint(name.split("_")), len(imports[name]), name))


def main() -> int:
    """Run them; return the code of the first batch that failed, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--since", default="HEAD", help="the commit with which the files are compared")
    parser.add_argument("--seconds", type=float, default=90, help="no test begins after so many")
    parser.add_argument("--list", action="store_true", help="print the tests, the nearest first")
    args = parser.parse_args()
    tests = [f"{name}.py" for name in nearest(graph(), changed(args.since)) if f"{name}.py" not in LAWS]
    if args.list:
        print("\n".join(tests))
        return 0
    until = time.time() + args.seconds
    waiting = [*LAWS, *tests]
    while waiting and time.time() < until - args.seconds / 5:  # to collect a batch takes some seconds
        batch, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
        command = [sys.executable, "-m", "pytest", "-q", "-rs", "-n", "auto", "--dist", "loadfile"]
        command += ["--no-loadscope-reorder", *(str(TESTS / name) for name in batch)]  # the nearest first
        if code := subprocess.run(command, cwd=ROOT, check=False, env={**os.environ, UNTIL: str(until)}).returncode:
            return code
    done = len(LAWS) + len(tests) - len(waiting)
    late = ", but for the tests for which there was no time" * (time.time() > until)
    print(f"{done} files of tests passed{late}; {len(waiting)} that are further away wait for make test.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
