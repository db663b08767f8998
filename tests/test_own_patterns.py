"""Patterns of one's own, from a file: checked, used, refused with their place."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

import eda
from eda import ConversationMemory, MessageBus, MessagePosted
from eda.cli import cli
from eda.debate import replay
from eda.events.records import MoveKind
from eda.memory.patterns import PatternPack, default_pack
from eda.session import Session

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
    code, out, _ = run("list", "patterns", "--check")
    assert code == 0
    assert "all as they should be" in out
    assert "WRONG" not in out


def test_an_own_pack_is_checked_line_by_line(pack: Path) -> None:
    """Whoever writes a pattern sees which of their sentences it finds before a debate depends on it."""
    code, out, _ = run("list", "patterns", str(pack), "--check")
    assert code == 0
    assert "ok    gavel finds “Gavel falls on the blue door.” (matched by gavel)" in out
    assert "ok    gavel leaves alone “The gavel fell off the table.” (matched by none)" in out


def test_a_pattern_that_breaks_its_promise_fails_the_check(pack: Path) -> None:
    """A check that always passes is none."""
    pack.write_text(PACK.replace("The gavel fell off the table.", "Gavel falls on nobody."), "utf-8")
    code, out, _ = run("list", "patterns", str(pack), "--check")
    assert code == 1
    assert "WRONG gavel leaves alone “Gavel falls on nobody.”" in out
    code, out, _ = run("list", "patterns", str(pack), "--check", "--json")
    assert [row["matched"] for row in json.loads(out)] == [True, True]


def test_a_transcript_is_read_with_own_patterns(pack: Path, transcript: Path) -> None:
    """A house with words of its own must be able to teach them."""
    _, plain, _ = run("import", "--minutes", str(transcript), "--json")
    assert json.loads(plain)["decisions"] == []
    _, found, _ = run("import", "--minutes", str(transcript), "--json", "--patterns", str(pack))
    decision = json.loads(found)["decisions"][0]
    assert (decision["message_ids"], decision["outcome"]) == (["1"], "the blue door.")


def test_the_list_names_every_pattern(pack: Path) -> None:
    """Whoever wonders what is looked for can read it."""
    _, out, _ = run("list", "patterns", str(pack))
    assert out.split() == ["decision", "gavel", "0.95", "“Gavel", "falls", "on", "the", "blue", "door.”"]
    _, everything, _ = run("list", "patterns")
    assert {line.split()[0] for line in everything.splitlines()} >= {"decision", "proposal", "support", "oppose"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('"^gavel', '"(?=gavel)'), "gavel"),
        (('"^gavel falls on (?P<outcome>.+)"', '"(unclosed"'), "unclosed"),
        (("confidence", "confidance"), "confidence"),
        (('"decision"', '"decree"'), "decree"),
        (("0.95", "2"), "less than or equal to 1, not 2"),
        (("regex", "#"), "regex"),
        (("[[pattern]]", "[[pattern"), "TOML"),
    ],
)
def test_a_pack_that_cannot_be_used_is_refused_with_its_place(pack: Path, change: tuple[str, str], words: str) -> None:
    """A typing mistake in a pattern must not become a debate in which nothing is found."""
    pack.write_text(PACK.replace(*change), "utf-8")
    code, out, err = run("list", "patterns", str(pack), "--check")
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


GERMAN = Path(__file__).parents[1] / "docs/examples/patterns-german.toml"


async def test_a_pack_reads_talk_in_another_language() -> None:
    """Whoever meets in German would have to change the program, or speak English."""
    pytest.importorskip("re2")
    memory = ConversationMemory(default_pack().extended(PatternPack.from_toml(GERMAN)))
    bus = MessageBus()
    memory.attach(bus)
    await bus.say("Emil", "Ich schlage vor, dass wir im Juni beginnen.")
    await bus.say("Anna", "Beschlossen: Wir beginnen im Mai.")
    assert [(each.id, each.content) for each in memory.proposals] == [("p1@0", "wir im Juni beginnen.")]
    assert [(each.outcome, each.status) for each in memory.decisions] == [("Wir beginnen im Mai.", "decided")]


def test_the_german_pack_does_what_it_says(tmp_path: Path) -> None:
    """An example that fails would teach a mistake; and a recorded meeting has no ballot, so its resolution decides."""
    assert run("list", "patterns", str(GERMAN), "--check")[0] == 0
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps({"speaker": "Ana", "text": "Beschlossen: Wir beginnen im Mai."}), "utf-8")
    report = json.loads(run("import", "--minutes", str(path), "--json", "--patterns", str(GERMAN))[1])
    assert [each["outcome"] for each in report["decisions"]] == ["Wir beginnen im Mai."]


AYE = '[[pattern]]\nkind = "support"\nname = "aye"\nregex = "%s"\n'


def own_pack(tmp_path: Path, text: str) -> PatternPack:
    pytest.importorskip("re2")
    path = tmp_path / "words.toml"
    path.write_text(text, "utf-8")
    return PatternPack.from_toml(path)


def test_one_other_word_makes_saved_memory_anew(tmp_path: Path) -> None:
    """A session would be served from words that the pack no longer has."""
    ayes = default_pack().extended(own_pack(tmp_path, AYE % "aye"))
    other = default_pack().extended(own_pack(tmp_path, AYE % "hear, hear"))
    with Session.create("s", tmp_path) as session:
        progress, memory = replay.read_back(session, ayes)
        replay.publisher(session, progress, memory)(MessagePosted(number=1, who="Ann", text="A word."))
        replay.save_memory(session, progress, memory)
        saved = replay._saved(session)
        assert replay._memory(saved, session, ayes).seq == 1
        assert replay._memory(saved, session, other).seq == 0
        assert replay.memory_of(session, other).message_count == 1


def words_in_code(tree: ast.Module) -> list[str]:
    """Return the expressions and word lists of a module that hold three words or more, but for names of the engine."""
    patterns = {pattern.name for pattern in default_pack().patterns}
    lists: list[str] = []
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Assign) else None
        items = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
        listed = node in tree.body and all(isinstance(item, ast.Constant) for item in items)
        holder: ast.AST | None = value if items and listed else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            regex = getattr(node.func.value, "id", "") == "re"
            holder = node if regex else node.func.value if node.func.attr == "split" else None
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("frozenset", "set"):
            holder = node
        values = (each.value for each in ast.walk(holder) if isinstance(each, ast.Constant)) if holder else ()
        text = " ".join(value for value in values if isinstance(value, str) and value not in patterns)
        words = re.findall(r"[a-z]{2,}", re.sub(r"\\.|\?P<\w+>|\[[^\]]*\]", " ", text).lower())
        if len(set(words) - {*get_args(MoveKind)}) > 2:
            lists.append(" ".join(words))
    return lists


NAMES = {
    "terse choice prose",  # registers of talk
    "decide unanimous pledge",  # kinds of claims
    "claimed disputed contradicted",  # what becomes of a claim
    "open heard unvoted",  # groups of the table
    "stands now decided claimed",  # the same
    "py toml ftl",  # suffixes of files
}
"""Lists in code whose words are the engine's own: it writes them, and looks for none of them in talk."""


def test_the_words_of_the_talk_are_data_of_the_pack() -> None:
    """A list of English words in code is one that no pack can replace."""
    folder = Path(eda.__file__).parent / "memory"
    modules = {str(path.relative_to(folder)): path.read_text("utf-8") for path in folder.rglob("[a-z]*.py")}
    lists = {name: {*words_in_code(ast.parse(text))} - NAMES for name, text in modules.items()}
    assert {name: words for name, words in lists.items() if words} == {}
    assert words_in_code(ast.parse(r"""x = re.compile(r"\b(?:yes|no|maybe)\b")""")) != []
    assert words_in_code(ast.parse("""x = frozenset("yes no maybe".split())""")) != []
