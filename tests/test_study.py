"""What a study reads: rows that say what was run, where all stood before and after, and a page that explains each."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from eda.cli import cli

ROOT = Path(__file__).parent.parent
FORMAT = """
name = "thrice"
title = "Thrice"
description = "Who votes, talks and votes again."
promise = "Two votes."

[[phase]]
name = "first"
kind = "first-ballot"

[[phase]]
name = "talk"
kind = "round"

[[phase]]
name = "poll"
kind = "poll"

[[phase]]
name = "last"
kind = "ballot"

[[phase]]
name = "verdict"
kind = "verdict"
"""


@pytest.fixture
def row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Of one debate."""
    monkeypatch.chdir(tmp_path)
    Path("own.toml").write_text(FORMAT)
    args = ["debate", "Which?", "--option", "A", "--option", "B", "--option", "C", "--format", "own.toml"]
    done = CliRunner().invoke(cli, [*args, "--seed", "4", "--json"], catch_exceptions=False)
    return dict(json.loads(done.stdout))


def test_a_row_says_what_was_run_and_where_all_stood(row: dict[str, Any]) -> None:
    """Rows of two formats, laid side by side, could not be told apart, nor first votes from last ones."""
    assert (row["seed"], row["format"], row["runner"], row["prompts"]) == (4, "thrice", "simulated", [])
    assert row["verdict"]["rule"] == "majority"
    assert [ballot["agent"] for ballot in row["first_ballots"]] == [ballot["agent"] for ballot in row["ballots"]]
    assert all(0 <= ballot["confidence"] <= 1 for ballot in (*row["ballots"], *row["polls"]))
    shown = CliRunner().invoke(cli, ["show", row["session"], "--json"], catch_exceptions=False)
    session = json.loads(shown.stdout)
    assert session == {**session, **{key: row[key] for key in row.keys() - {"failures"}}}


def test_each_key_is_explained(row: dict[str, Any]) -> None:
    """Who reads a column has to guess its unit and its range."""
    page = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
    explained = {key for line in page.splitlines() if line[:1] == "|" for key in re.findall(r"`(\w+)`", line)}
    helped = row["helped"]
    change = {"who", "poll", "before", "after", "message", "speaker", "joined", "direction"}
    differs = {"who", "before", "after", "before_id", "after_id", "moved_by"}
    run = {"session", "seed", "format", "settings", "runner", "state", "reason", "messages", "verdict", "played_by"}
    parts = (run & row.keys(), helped, helped["shares"][0], row["polls"][0], row["ballots"][0])
    assert set().union(change, differs, *parts) <= explained
