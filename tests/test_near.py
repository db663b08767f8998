"""The tests that are run for a change are those that lie near to it."""

from __future__ import annotations

import pytest
from near import TESTS, UNTIL, distances, graph, imports_of, module_of, nearest


@pytest.fixture(scope="module")
def near() -> dict[str, set[str]]:
    """What imports what, read by the first test that needs it: each process imports this file."""
    return graph()


def test_the_test_of_a_file_comes_first(near: dict[str, set[str]]) -> None:
    """Who waits two minutes for the one test that matters runs none."""
    first = {
        "eda/memory/recall/index.py": "test_recall",
        "eda/memory/repetition.py": "test_repetition",
        "eda/voting/rules.py": "test_voting_rules",
        "tests/test_floor.py": "test_floor",
    }
    assert {changed: nearest(near, [changed])[0] for changed in first} == first


def test_a_helper_and_data_lead_to_the_tests_that_use_them(near: dict[str, set[str]]) -> None:
    """A change of what a prompt says would be tested by nothing."""
    users = {path.stem for path in TESTS.glob("test_*.py") if "\nfrom told import" in path.read_text("utf-8")}
    assert users <= {*nearest(near, ["tests/told.py"])}
    assert {"test_prompt_slots", "test_lookups"} <= {*nearest(near, ["eda/debate/prompts/speak.md"])[:12]}
    assert nearest(near, ["README.md"]) == []


def test_an_import_counts_wherever_it_stands(near: dict[str, set[str]]) -> None:
    """A test that imports inside a function, or a name of the package, would be left out."""
    code = "from eda import Settings\nimport told\ndef test_x():\n    from eda.memory.recall import index"
    assert {"panels.settings", "told", "memory.recall.index"} <= imports_of(code, {"told"})
    assert distances({"a": {"b"}, "b": {"c"}, "d": {"a"}}, ["c"]) == {"c": 0, "b": 1, "a": 2, "d": 3}
    assert module_of("eda/words/en/table.ftl", near) == {"words", "words.catalogue", "words.languages"} - {"words"}


def test_no_test_begins_when_the_time_is_over(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """One file of slow tests took the two minutes six times over."""
    ours = pytestconfig.pluginmanager.get_plugin(str(TESTS / "conftest.py"))  # that of tests/browser has its name, too
    ours.pytest_runtest_setup()
    monkeypatch.setenv(UNTIL, "1")
    with pytest.raises(pytest.skip.Exception):
        ours.pytest_runtest_setup()
