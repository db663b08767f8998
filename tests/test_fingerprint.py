"""Saved memory is never read by rules that did not make it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import eda
from eda import Debate, ScriptedRunner, Session, Settings
from eda.debate.replay import memory_of
from eda.memory.snapshot import code_version

PACKAGE = Path(eda.__file__).parent
READ = """
import sys, eda
from eda import Session
from eda.debate import replay
with Session.read("s", sys.argv[1]) as session:
    print(bool(replay._saved(session)), replay.memory_of(session).notes[0].text.isupper(), eda.__file__)
"""


def copied(tmp_path: Path) -> Path:
    tree = tmp_path / "tree" / "eda"
    shutil.copytree(PACKAGE, tree)  # with what was compiled of it
    return tree


def read_with(tree: Path, sessions: Path) -> list[str]:
    env = {**os.environ, "PYTHONPATH": str(tree.parent)}
    done = subprocess.run(
        [sys.executable, "-c", READ, str(sessions)], capture_output=True, text=True, check=True, env=env, cwd=sessions
    )
    taken, upper, package = done.stdout.split()
    assert Path(package).parent == tree
    return [taken, upper]


def test_a_rule_that_changes_rebuilds_saved_memory_by_itself(tmp_path: Path) -> None:
    """After an upgrade a session would be served from rules that are gone, until somebody deletes `memory.json`."""
    runner = ScriptedRunner(lambda prompt: f"{prompt.agent} speaks.\n[NOTE] ask the bank about {prompt.last}")
    with Session.create("s", tmp_path) as session:
        Debate(
            "Ship it?", ["sceptic", "historian"], runner, seed=1, settings=Settings(max_messages=6), session=session
        ).run_sync()
        assert memory_of(session).notes[0].text.startswith("ask")
    tree = copied(tmp_path)
    assert read_with(tree, tmp_path) == ["True", "False"], "the same code elsewhere reads the same file"
    rule = tree / "memory" / "parts.py"
    source = rule.read_text("utf-8")
    old = "Note(message.number, message.who, move.text,"
    assert old in source
    rule.write_text(source.replace(old, old.replace("move.text", "move.text.upper()")), "utf-8")
    assert read_with(tree, tmp_path) == ["False", "True"]


def test_each_source_belongs_to_the_fingerprint(tmp_path: Path) -> None:
    """Weights that are fitted anew, or a fact that is read otherwise, change what memory holds of an old log."""
    tree = copied(tmp_path)
    before = code_version(tree)
    assert before == code_version(PACKAGE), "the same code elsewhere"
    for path in (
        "text.py",
        "voting/choices.py",
        "runners/repair.py",
        "events/records.py",
        "transcripts/weights.toml",
        "words/en/act.ftl",
    ):
        assert after_a_change(tree, path) != before


def after_a_change(tree: Path, path: str) -> str:
    source = (tree / path).read_bytes()
    (tree / path).write_bytes(source + b"# changed\n")
    code_version.cache_clear()
    version = code_version(tree)
    (tree / path).write_bytes(source)
    code_version.cache_clear()
    return version


def test_without_source_the_version_of_the_package_stands_for_the_code(tmp_path: Path) -> None:
    """An installation of compiled files alone must neither fail nor trust what an older release saved."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "parts.pyc").write_bytes(b"compiled")
    assert code_version(tmp_path) == eda.__version__
