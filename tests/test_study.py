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
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Of one repeated debate."""
    monkeypatch.chdir(tmp_path)
    Path("own.toml").write_text(FORMAT)
    args = ["debate", "Which?", "--option", "A", "--option", "B", "--option", "C", "--format", "own.toml"]
    done = CliRunner().invoke(cli, [*args, "--repeat", "1", "--seed", "4", "--json"], catch_exceptions=False)
    return list(json.loads(done.stdout)["runs"])


def test_one_debate_is_a_row_too(rows: list[dict[str, Any]]) -> None:
    """A sweep over N would break where N is 1."""
    assert [row["seed"] for row in rows] == [4]


def test_a_row_says_what_was_run_and_where_all_stood(rows: list[dict[str, Any]]) -> None:
    """Rows of two formats, laid side by side, could not be told apart, nor first votes from last ones."""
    (row,) = rows
    assert (row["format"], row["rule"], row["runner"], row["prompts"]) == ("thrice", "majority", "simulated", [])
    assert [ballot["agent"] for ballot in row["first_ballots"]] == [ballot["agent"] for ballot in row["ballots"]]
    assert row["differs"] == sorted(each["who"] for each in row["helped"]["differs"])
    assert all(0 <= ballot["confidence"] <= 1 for ballot in (*row["ballots"], *row["polls"]))
    (folder,) = Path("sessions").glob(f"*/{row['session']}")
    shown = CliRunner().invoke(cli, ["show", str(folder), "--json"], catch_exceptions=False)
    session = json.loads(shown.stdout)
    assert {key: session[key] for key in ("format", "polls", "first_ballots", "ballots", "helped")} == {
        key: row[key] for key in ("format", "polls", "first_ballots", "ballots", "helped")
    }


def test_each_key_is_explained(rows: list[dict[str, Any]]) -> None:
    """Who reads a column has to guess its unit and its range."""
    (row,) = rows
    page = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
    explained = {key for line in page.splitlines() if line[:1] == "|" for key in re.findall(r"`(\w+)`", line)}
    helped = row["helped"]
    change = {"who", "poll", "before", "after", "message", "speaker", "joined", "direction"}
    differs = {"who", "before", "after", "before_id", "after_id", "moved_by"}
    parts = (row, helped, helped["shares"][0], row["polls"][0], row["ballots"][0])
    assert set().union(change, differs, *parts) <= explained
