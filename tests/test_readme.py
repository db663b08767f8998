"""README and the pages of docs/: what they say is so, and their links lead somewhere."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import get_args

import pytest
from click import Context, Group
from click.testing import CliRunner
from in_turn import in_one

from eda.cli.program import cli
from eda.events.records import MoveKind

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}
MINUTES = PAGES["minutes"]
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)(?:#([^)\s]*))?\)")


def test_every_command_has_json() -> None:
    """A program that reads what EDA says would have to take a table apart; a page promises that it need not."""
    context = Context(cli)
    found = [cli.get_command(context, name) for name in cli.list_commands(context)]
    commands = [one for each in found for one in (each.commands.values() if isinstance(each, Group) else [each])]
    assert len(commands) > len(found)
    for command in commands:
        assert command.name == "mcp" or "as_json" in {param.name for param in command.params}, command.name


def test_the_excerpt_is_what_the_example_session_shows() -> None:
    """A transcript that was touched up would promise what the program does not do."""
    verdict, talk = re.findall(r"```text\n(.*?)```", PAGES["tutorial"], re.DOTALL)[:2]
    shown = CliRunner().invoke(cli, ["show", "example", "--sessions", str(ROOT / "sessions")], prog_name="eda").stdout
    parts = [" ".join(part.split()) for part in f"{verdict}...{talk}".split("...") if part.strip()]
    assert len(parts) >= 3
    for part in parts:
        assert part in " ".join(shown.split())


def test_the_price_of_a_typical_debate_is_what_the_forecast_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody would set a budget by a figure that is another debate's."""
    section = PAGES["cost"]
    command = shlex.split(section.partition("$ eda debate")[2].partition("\n")[0])
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none-is-called")
    monkeypatch.delenv("EDA_RUNNER")
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


def test_the_readme_is_read_in_three_minutes() -> None:
    """Three readers at once need three pages."""
    assert len(re.sub(r"```.*?```|\]\([^)]*\)", " ", README, flags=re.DOTALL).split()) <= 700


@in_one("page", ["README", *PAGES])
def test_links_lead_somewhere(page: str) -> None:
    """Who follows a link to a page that was renamed looks no further."""
    text, folder = (README, ROOT) if page == "README" else (PAGES[page], ROOT / "docs")
    for path, part in LINK.findall(text):
        assert (folder / path).exists(), path
        if part and path.endswith(".md"):
            heads = re.findall(r"^#+ (.*)$", (folder / path).read_text("utf-8"), re.MULTILINE)
            assert part in {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}, part


def test_every_page_can_be_found_from_the_readme() -> None:
    """A page that nothing links to is read by nobody."""
    seen, left = set[str](), ["README"]
    while left:
        page = left.pop()
        text = README if page == "README" else PAGES[page]
        pages = {Path(path).stem for path, _ in LINK.findall(text) if Path(path).stem in PAGES and path.endswith(".md")}
        left += sorted(pages - seen)
        seen |= pages
    assert seen == set(PAGES)
