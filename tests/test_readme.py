"""The README's code runs as it stands."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import get_args

import pytest
from click import Context, Group
from click.testing import CliRunner

from eda.cli.program import cli
from eda.events.records import MoveKind

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
MINUTES = (ROOT / "docs" / "minutes.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README + MINUTES, re.DOTALL)
COMMAND_LINE = README.partition("## On the command line")[2].partition("```console\n")[2].partition("```")[0]
COMMANDS = COMMAND_LINE.replace("\\\n", "").replace("$ eda ", "").splitlines()


@pytest.mark.parametrize("code", BLOCKS, ids=[block.split("\n")[0] for block in BLOCKS])
def test_a_block_runs_and_prints_something(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever copies the first lines of a README and sees a traceback closes the page."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EDA_SESSIONS", raising=False)
    exec(code, {"__name__": "__main__"})  # noqa: S102 - the README's own
    printed = capsys.readouterr().out
    assert printed.strip()
    if "make-it-so" in code:  # what the default pack would not have found
        assert "we keep the echo" in printed


def test_every_command_runs_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first command that a reader copies would end in an error, or in a file that is not there."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    for name in ("ANTHROPIC_API_KEY", "EDA_SESSIONS"):
        monkeypatch.delenv(name, raising=False)
    for line in COMMANDS:
        done = CliRunner().invoke(cli, shlex.split(line, comments=True))
        assert done.exit_code == 0, f"{line}\n{done.output}"


def test_every_command_has_json() -> None:
    """A program that reads what EDA says would have to take a table apart; the README promises that it need not."""
    context = Context(cli)
    found = [cli.get_command(context, name) for name in cli.list_commands(context)]
    commands = [one for each in found for one in (each.commands.values() if isinstance(each, Group) else [each])]
    assert len(commands) > len(found)
    for command in commands:
        assert command.name == "mcp" or "as_json" in {param.name for param in command.params}, command.name


def test_the_excerpt_is_what_the_example_session_shows() -> None:
    """A transcript that was touched up would promise what the program does not do."""
    verdict, talk = re.findall(r"```text\n(.*?)```", README, re.DOTALL)[:2]
    shown = CliRunner().invoke(cli, ["show", "example", "--sessions", str(ROOT / "sessions")], prog_name="eda").stdout
    parts = [" ".join(part.split()) for part in f"{verdict}...{talk}".split("...") if part.strip()]
    assert len(parts) >= 3
    for part in parts:
        assert part in " ".join(shown.split())


def test_the_price_of_a_typical_debate_is_what_the_forecast_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody would set a budget by a figure that is another debate's."""
    section = README.partition("## Use a real model")[2]
    command = shlex.split(section.partition("$ eda debate")[2].partition("\n")[0])
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none-is-called")
    done = CliRunner().invoke(cli, ["debate", *command, "--dry-run", "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    said = re.search(r"(\d+) messages of a panel of five take about \$(\S+): \$(\S+) where .*?, \$(\S+) where", section)
    assert said
    assert int(said[1]) == next(row["calls"] for row in told["rows"] if row["purpose"] == "speak")
    costs = [told["totals"][case]["cost"] for case in ("usual", "least", "most")]
    assert [float(each) for each in said.groups()[1:]] == pytest.approx(costs, rel=0.1)


def test_the_page_on_minutes_tells_every_move() -> None:
    """A move that no page tells is made by members and understood by no reader."""
    told = set(re.findall(r"`\[([A-Z]+)", MINUTES.partition("| move |")[2].partition("\n\n")[0]))
    assert {kind.upper() for kind in get_args(MoveKind)} <= told
