"""`eda show --cost`: every call is counted, by member, purpose and model; an unknown price is never 0."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from aside import ask_now
from click.testing import CliRunner
from hypothesis import given, strategies as st
from rich.console import Console

from eda import Debate, Reply, Session, Usage
from eda.cli.cost import cost_data, print_cost
from eda.cli.program import cli
from eda.events import CallMade
from eda.panels.settings import Settings
from eda.report.formatting import money

COUNTS = ("calls", "input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")
calls = st.builds(
    CallMade,
    purpose=st.sampled_from(["speak", "bid", "ask", "summarise"]),
    agent=st.sampled_from(["Ada", "Bo", ""]),
    model=st.sampled_from(["one", "two", ""]),
    input_tokens=st.integers(0, 9999),
    cache_read_tokens=st.integers(0, 9999),
    cache_write_tokens=st.integers(0, 9999),
    output_tokens=st.integers(0, 9999),
    cost=st.none() | st.floats(0, 2),
)


class Priced:
    """A runner each of whose purposes takes something else."""

    deterministic = True
    summarises = True

    async def run(self, prompt, on_text=None):
        del on_text
        cost = None if prompt.purpose == "ask" else 0.25
        usage = Usage(input_tokens=10, output_tokens=5, cache_read_tokens=80, cache_write_tokens=10, cost=cost)
        match prompt.purpose:
            case "bid":
                return Reply("", {"wants": True}, usage, "small")
            case "ballot":
                return Reply("", {"choice": prompt.options[0]}, usage, "small")
            case "summarise":
                return Reply("They spoke of it.", None, usage, "small")
            case _:
                return Reply(f"I have thought about it {prompt.last} times.", None, usage, "large")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sessions: one that was debated and asked aside."""
    made = tmp_path_factory.mktemp("sessions")
    settings = Settings(max_messages=8, summary_every=4)
    with Session.create("one", made) as session:
        Debate("Should we go?", ["sceptic", "historian"], Priced(), session=session, settings=settings).run_sync()
        ask_now(session, "sceptic", "Why?", Priced())
    return made


def seen(folder: Path) -> list[CallMade]:
    with Session.read("one", folder) as session:
        return [event for event in session.events() if isinstance(event, CallMade)]


def run(*args: str) -> str:
    done = CliRunner().invoke(cli, args)
    assert done.exit_code == 0, done.output
    return done.stdout


@given(st.lists(calls, max_size=20))
def test_each_way_to_group_adds_up_to_the_total(made: list[CallMade]) -> None:
    """Without it a call falls between two rows, and nobody finds where the money went."""
    data = cost_data(made)
    assert data["total"]["calls"] == len(made)
    assert data["total"]["unpriced_calls"] == sum(call.cost is None for call in made)
    for group in ("by_agent", "by_purpose", "by_model"):
        for count in COUNTS:
            assert sum(row[count] for row in data[group]) == data["total"][count]
        assert sum(row["known_cost"] for row in data[group]) == pytest.approx(data["total"]["known_cost"])
        if data["total"]["tokens"]:
            assert sum(row["share_of_tokens"] for row in data[group]) == pytest.approx(1)


@given(st.lists(calls, max_size=20))
def test_an_unknown_price_is_unknown_in_every_row(made: list[CallMade]) -> None:
    """Without it a call to a model without a price is shown as free."""
    data = cost_data(made)
    for row in (data["total"], *data["by_agent"], *data["by_purpose"], *data["by_model"]):
        assert (row["cost"] is None) == bool(row["unpriced_calls"])
        cost = money(row["known_cost"], row["unpriced_calls"])
        assert bool(re.search("unknown|not priced", cost)) == bool(row["unpriced_calls"])


def test_every_purpose_of_a_session_is_counted(folder: Path) -> None:
    """Without it bids, summaries and questions aside are paid for and listed nowhere."""
    data = json.loads(run("show", "--cost", "one", "--sessions", str(folder), "--json"))
    made = seen(folder)
    assert {row["name"] for row in data["by_purpose"]} == {"speak", "bid", "ballot", "summarise", "ask", "declare"}
    assert data["total"]["calls"] == len(made)
    assert data["total"]["cache_hit_rate"] == pytest.approx(0.8)
    assert data["total"]["cost"] is None
    assert data["total"]["known_cost"] == pytest.approx(0.25 * (len(made) - 1))
    assert data["session"] == "one"


def test_show_tells_the_same_total(folder: Path) -> None:
    """Without it two commands give two prices of one debate."""
    cost = json.loads(run("show", "--cost", "one", "--sessions", str(folder), "--json"))["total"]
    shown = json.loads(run("show", "one", "--sessions", str(folder), "--json"))
    parts = (shown["spent"], shown["spent_aside"])
    assert sum(part["calls"] for part in parts) == cost["calls"]
    assert sum(part["cost"] for part in parts) == pytest.approx(cost["known_cost"])
    assert sum(part["cache_read_tokens"] for part in parts) == cost["cache_read_tokens"]


def test_a_pipe_gets_a_row_a_line_with_tabs(folder: Path) -> None:
    """Without it a script has to pick figures out of a drawn table."""
    rows = [line.split("\t") for line in run("show", "--cost", "one", "--sessions", str(folder)).splitlines()]
    assert {len(row) for row in rows} == {9}
    assert rows[-1][:3] == ["total", "", str(len(seen(folder)))]
    asked = next(row for row in rows if row[:2] == ["purpose", "ask"])
    assert asked[-1] == "not priced"
    assert rows[-1][-1].endswith("1 call of unknown price")


def test_a_terminal_gets_tables_and_the_share_of_the_cache(folder: Path) -> None:
    """Without it a person reads tabs, and does not see whether the cache was hit."""
    screen = io.StringIO()
    print_cost(cost_data(seen(folder)), Console(file=screen, width=120, force_terminal=True, color_system=None))
    text = screen.getvalue()
    assert "80% of the input read from the cache" in text
    assert text.count("written") == 3
