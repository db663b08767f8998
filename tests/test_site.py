"""The documentation site (`make docs`): its pages, the reference from the code, and the check of what was built."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest
import yaml

import eda

ROOT = Path(__file__).parent.parent


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import build as module

    return module


def test_each_page_is_in_the_navigation_and_each_link_in_the_site(build: ModuleType, tmp_path: Path) -> None:
    """A page that the navigation leaves out is found by nobody; a link into the repository is broken in the site."""
    build.write(tmp_path)
    pages = {str(path.relative_to(tmp_path / "pages")) for path in (tmp_path / "pages").rglob("*.md")}
    nav = yaml.safe_load((tmp_path / "mkdocs.yml").read_text("utf-8"))["nav"]
    named = re.findall(r"[\w/-]+\.md", str(nav))
    assert sorted(named) == sorted(pages)
    for page in pages:
        text = (tmp_path / "pages" / page).read_text("utf-8")
        for _, target, _ in build.LINK.findall(re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)):
            assert (tmp_path / "pages" / page).parent.joinpath(target).exists(), (page, target)
    commands = (tmp_path / "pages" / "reference-commands.md").read_text("utf-8")
    assert {"## eda debate", "## eda study run", "| `--budget USD` |"} <= set(
        re.findall(r"## .*|\| `.*?` \|", commands)
    )
    names = (tmp_path / "pages" / "reference-python.md").read_text("utf-8")
    assert {f"## {name}" for name in eda.__all__ if name[0] != "_"} <= set(names.splitlines())
    assert not re.search(r" at 0x\w+", names), "an address differs at each run"
    part = {part.split("\n", 1)[0]: part for part in names.split("\n## ")}
    assert "- `question`: " in part["Debate"]
    assert "- `every`: " in part["ConversationMemory"]
    assert {"class Runner(Protocol)", "async run(prompt: Prompt, on_text: OnText | None = None) -> Reply"} <= set(
        part["Runner"].splitlines()
    )
    assert "    quorum: float = 0.5,  # 0 or more, less than 1\n" in part["Settings"]
    for name in eda.Settings.model_fields:
        assert f"\n- `{name}`: " in part["Settings"], name
    assert "- `confidence`: 0 to 1." in part["Ballot"]
    assert "- `seq`: " not in part["PhaseStarted"], "what each event has is told once"


def test_what_is_wrong_with_a_built_site_is_named(build: ModuleType, tmp_path: Path) -> None:
    """A reader's browser would ask a stranger's server; a link would lead to nothing."""
    (tmp_path / "a.html").write_text('<head></head><a id="here" href="b.html#there">b</a><a href="#here">a</a>')
    (tmp_path / "b.html").write_text('<head></head><p id="there"></p><a href="https://example.org">out</a>')
    build.check(tmp_path)
    assert "script-src 'self'" in (tmp_path / "a.html").read_text()
    (tmp_path / "b.html").write_text('<script src="//cdn.example.org/x.js"></script><a href="c.html">c</a>')
    (tmp_path / "x.css").write_text("@import url('https://fonts.example.org/f.css'); a { background: url(y.png) }")
    with pytest.raises(SystemExit) as ended:
        build.check(tmp_path)
    for part in ("b.html loads //cdn", "c.html leads nowhere", "b.html#there leads nowhere", "x.css loads"):
        assert part in str(ended.value)


def test_a_link_to_a_file_that_the_site_lacks_stops_it(build: ModuleType) -> None:
    """It would be found by a reader."""
    with pytest.raises(SystemExit, match=r"docs/tutorial\.md: the site has no page for \.\./pyproject\.toml"):
        build.moved("docs/tutorial.md", "[x](../pyproject.toml)")
