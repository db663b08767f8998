"""The tests that are run for a change are those that lie near to it."""

from __future__ import annotations

import pytest
from near import TESTS, distances, graph, imports_of, module_of, nearest

GRAPH = graph()


@pytest.mark.parametrize(
    ("changed", "first"),
    [
        ("eda/memory/recall/index.py", "test_recall"),
        ("eda/memory/repetition.py", "test_repetition"),
        ("eda/voting/rules.py", "test_voting_rules"),
        ("tests/test_floor.py", "test_floor"),
    ],
)
def test_the_test_of_a_file_comes_first(changed: str, first: str) -> None:
    """Who waits two minutes for the one test that matters runs none."""
    assert nearest(GRAPH, [changed])[0] == first


def test_a_helper_and_data_lead_to_the_tests_that_use_them() -> None:
    """A change of what a prompt says would be tested by nothing."""
    users = {path.stem for path in TESTS.glob("test_*.py") if "\nfrom told import" in path.read_text("utf-8")}
    assert users <= {*nearest(GRAPH, ["tests/told.py"])}
    assert {"test_prompt_slots", "test_lookups"} <= {*nearest(GRAPH, ["eda/debate/prompts/speak.md"])[:12]}
    assert nearest(GRAPH, ["README.md"]) == []


def test_an_import_counts_wherever_it_stands() -> None:
    """A test that imports inside a function, or a name of the package, would be left out."""
    code = "from eda import Settings\nimport told\ndef test_x():\n    from eda.memory.recall import index"
    assert {"panels.settings", "told", "memory.recall.index"} <= imports_of(code, {"told"})
    assert distances({"a": {"b"}, "b": {"c"}, "d": {"a"}}, ["c"]) == {"c": 0, "b": 1, "a": 2, "d": 3}
    assert module_of("eda/words/en/table.ftl", GRAPH) == {"words", "words.catalogue", "words.languages"} - {"words"}
