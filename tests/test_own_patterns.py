"""Patterns of one's own, from a file: checked, used, refused with their place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from eda.cli import cli

PACK = """
[[pattern]]
kind = "decision"
name = "gavel"
regex = "^gavel falls on (?P<outcome>.+)"
confidence = 0.95
written = true
examples = ["Gavel falls on the blue door."]
counter_examples = ["The gavel fell off the table."]
"""


def run(*args: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, [str(arg) for arg in args], prog_name="eda")
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(PACK, "utf-8")
    return path


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps({"speaker": "Ana", "text": "Gavel falls on the blue door."}), "utf-8")
    return path


def test_the_patterns_that_come_with_the_program_do_what_they_say() -> None:
    """An example that its pattern does not find is a promise that is not kept."""
    code, out, _ = run("patterns", "check")
    assert code == 0
    assert "all as they should be" in out
    assert "WRONG" not in out


def test_an_own_pack_is_checked_line_by_line(pack: Path) -> None:
    """Whoever writes a pattern sees which of their sentences it finds before a debate depends on it."""
    code, out, _ = run("patterns", "check", str(pack))
    assert code == 0
    assert "ok    gavel finds “Gavel falls on the blue door.” (matched by gavel)" in out
    assert "ok    gavel leaves alone “The gavel fell off the table.” (matched by none)" in out


def test_a_pattern_that_breaks_its_promise_fails_the_check(pack: Path) -> None:
    """A check that always passes is none."""
    pack.write_text(PACK.replace("The gavel fell off the table.", "Gavel falls on nobody."), "utf-8")
    code, out, _ = run("patterns", "check", str(pack))
    assert code == 1
    assert "WRONG gavel leaves alone “Gavel falls on nobody.”" in out
    code, out, _ = run("patterns", "check", str(pack), "--json")
    assert [row["matched"] for row in json.loads(out)] == [True, True]


def test_a_transcript_is_read_with_own_patterns_and_explained(pack: Path, transcript: Path) -> None:
    """A house with words of its own must be able to teach them."""
    _, plain, _ = run("analyze", str(transcript), "--json")
    assert json.loads(plain)["decisions"] == []
    _, found, _ = run("analyze", str(transcript), "--json", "--patterns", str(pack))
    decision = json.loads(found)["decisions"][0]
    assert (decision["message_ids"], decision["outcome"]) == (["1"], "the blue door.")
    _, explained, _ = run("analyze", str(transcript), "--explain", "--patterns", str(pack))
    assert "found by pattern gavel, confidence 0.95" in explained
    assert "“Gavel falls on the blue door.”" in explained


def test_the_list_names_every_pattern(pack: Path) -> None:
    """Whoever wonders what is looked for can read it."""
    _, out, _ = run("patterns", "list", str(pack))
    assert out.split() == ["decision", "gavel", "0.95", "“Gavel", "falls", "on", "the", "blue", "door.”"]
    _, everything, _ = run("patterns", "list")
    assert {line.split()[0] for line in everything.splitlines()} >= {"decision", "proposal", "support", "oppose"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('"^gavel', '"(?=gavel)'), "gavel"),
        (('"^gavel falls on (?P<outcome>.+)"', '"(unclosed"'), "unclosed"),
        (("confidence", "confidance"), "confidence"),
        (('"decision"', '"decree"'), "decree"),
        (("0.95", "2"), "0 to 1"),
        (("regex", "#"), "regex"),
        (("[[pattern]]", "[[pattern"), "TOML"),
    ],
)
def test_a_pack_that_cannot_be_used_is_refused_with_its_place(pack: Path, change: tuple[str, str], words: str) -> None:
    """A typing mistake in a pattern must not become a debate in which nothing is found."""
    pack.write_text(PACK.replace(*change), "utf-8")
    code, out, err = run("patterns", "check", str(pack))
    assert code == 2
    assert out == ""
    assert str(pack) in err
    assert words in err
    assert "Traceback" not in err


def test_a_debate_keeps_the_fingerprint_of_its_patterns(pack: Path, tmp_path: Path) -> None:
    """A figure from an old session can only be compared where it is known what was looked for."""
    fingerprints = []
    for name, more in (("plain", []), ("own", ["--patterns", str(pack)])):
        common = ["--persona", "sceptic", "--persona", "historian", "--sessions", str(tmp_path), "--max-messages", "4"]
        assert run("debate", "Is it so?", *common, "--session", name, "--quiet", *more)[0] == 0
        first = (tmp_path / name / "events.jsonl").read_bytes().splitlines()[0]
        fingerprints.append(json.loads(first)["patterns"])
        assert run("show", name, "--sessions", str(tmp_path), *more)[0] == 0
    assert fingerprints[0] != fingerprints[1]
