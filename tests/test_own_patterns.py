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
from eda import ConversationMemory, MessageBus
from eda.cli import cli
from eda.events.records import MoveKind
from eda.memory.patterns import PatternPack, default_pack

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


def test_a_transcript_is_read_with_own_patterns(pack: Path, transcript: Path) -> None:
    """A house with words of its own must be able to teach them."""
    _, plain, _ = run("import", "--minutes", str(transcript), "--json")
    assert json.loads(plain)["decisions"] == []
    _, found, _ = run("import", "--minutes", str(transcript), "--json", "--patterns", str(pack))
    decision = json.loads(found)["decisions"][0]
    assert (decision["message_ids"], decision["outcome"]) == (["1"], "the blue door.")


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
def test_a_pack_that_cannot_be_used_is_refused_with_its_place(
    pack: Path, transcript: Path, change: tuple[str, str], words: str
) -> None:
    """A typing mistake in a pattern must not become a debate in which nothing is found."""
    pack.write_text(PACK.replace(*change), "utf-8")
    code, out, err = run("import", "--minutes", str(transcript), "--patterns", str(pack))
    assert code == 2
    assert out == ""
    assert str(pack) in err
    assert words in err
    assert "Traceback" not in err


def test_own_patterns_are_for_minutes_that_are_printed(pack: Path, transcript: Path) -> None:
    """A session would later be read without them."""
    code, _, err = run("import", str(transcript), "--patterns", str(pack))
    assert code == 2
    assert "--minutes" in err


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
    pack = PatternPack.from_toml(GERMAN)
    for pattern in pack.patterns:
        assert all(pattern.name in {hit.pattern for hit in pack.find(each)} for each in pattern.examples)
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps({"speaker": "Ana", "text": "Beschlossen: Wir beginnen im Mai."}), "utf-8")
    report = json.loads(run("import", "--minutes", str(path), "--json", "--patterns", str(GERMAN))[1])
    assert [each["outcome"] for each in report["decisions"]] == ["Wir beginnen im Mai."]


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
    "author said whose",  # the same
    "lose against nothing unoffered assent",  # the same
    "claimed disputed contradicted",  # what becomes of a claim
    "open heard unvoted",  # groups of the table
    "stands now decided claimed",  # the same
    "title text by",  # columns of the table
    "py toml ftl",  # suffixes of files
    "md txt pdf docx xlsx csv html json eml mbox https",  # the same, of documents that members cite
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
