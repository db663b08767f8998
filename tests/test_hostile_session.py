"""A session that somebody sent runs no code: what it names is imported only where the command line names it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from eda.cli.program import cli
from eda.debate.validation import session_runner
from eda.errors import UsageError

_EVIL = "from pathlib import Path\nPath('ran').write_text('yes')\nclass Part:\n    pass\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each not in ("", str(tmp_path))])
    (tmp_path / "evil_part.py").write_text(_EVIL, "utf-8")
    return tmp_path


def test_a_resume_does_not_search_the_folder(folder: Path) -> None:
    """A cloned repository would run its code as soon as somebody went on with its session."""
    args = ["debate", "Now?", "--option", "Yes", "--option", "No", "--runner", "simulated", "--session", "one"]
    done = CliRunner().invoke(cli, [*args, "--sessions", "s", "--max-messages", "8", "--json"])
    assert done.exit_code == 0, done.output
    CliRunner().invoke(cli, ["resume", "one", "--sessions", "s", "--max-messages", "12", "--json"])
    assert str(folder) not in sys.path


@pytest.mark.parametrize("spec", ["http.server:test", "evil_part:Part", "evil_part:Part(...)", "os:system"])
def test_a_runner_that_only_a_log_names_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch, spec: str) -> None:
    """Pages, MCP, `ask` and `revote` make the runner from the log in the same place."""
    monkeypatch.syspath_prepend(folder)
    with pytest.raises(UsageError):
        session_runner(spec)
    assert not (folder / "ran").exists()
