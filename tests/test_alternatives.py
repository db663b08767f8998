"""What stands in a question as its alternatives is offered; what only has an "or" in it is left alone."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest
from click.testing import Result
from in_turn import in_one
from mcp.client import Client
from served import BEARER, serving
from started import PLAIN, on_terminal

from eda import Session
from eda.panels.alternatives import alternatives_in
from eda.serve.mcp_server import PanelServer
from eda.serve.panel_tools import PanelTools

HOUSE = "Should we buy a house or keep renting?"
FOUND = ("buy a house", "keep renting")

NAMED = {
    "Should we buy a house or keep renting?": ("buy a house", "keep renting"),
    "Should we buy a house, or keep renting?": ("buy a house", "keep renting"),
    "Should I take the job or stay where I am": ("take the job", "stay where I am"),
    "Our lease ends in May. Should we renew it, move or buy?": ("renew it", "move", "buy"),
    "Postgres, MySQL or SQLite?": ("Postgres", "MySQL", "SQLite"),
    "Postgres, MySQL, or SQLite?": ("Postgres", "MySQL", "SQLite"),
    "Should our club buy a boat or keep renting?": ("buy a boat", "keep renting"),
    "Should the city close its centre to cars, or charge for them?": ("close its centre to cars", "charge for them"),
    "Tea or coffee?": ("Tea", "coffee"),
    "Tea or coffee or water?": ("Tea", "coffee", "water"),
    "Which database should we use: Postgres, MySQL or SQLite?": ("Postgres", "MySQL", "SQLite"),
    "Where do we meet next year: Rome or Paris?": ("Rome", "Paris"),
    "Which is better, a van or two bicycles?": ("a van", "two bicycles"),
    "What do you prefer, tea or coffee?": ("tea", "coffee"),
    "Shall we either wait for spring or move now?": ("wait for spring", "move now"),
    "Is it better to buy or to rent?": ("buy", "rent"),
    "Would it be wiser to hire a lawyer or settle?": ("hire a lawyer", "settle"),
    "Do we ship in March or wait until June?": ("ship in March", "wait until June"),
    "Will we win or lose?": ("win", "lose"),
    "Sollen wir ein Haus kaufen oder weiter mieten?": ("ein Haus kaufen", "weiter mieten"),
    "Sollten wir lieber umziehen oder bleiben?": ("umziehen", "bleiben"),
    "Was ist besser, Bus oder Bahn?": ("Bus", "Bahn"),
    "Sollen wir Anna oder Ben einstellen?": ("Anna", "Ben einstellen"),
    "Should we give everyone a raise or a bonus?": ("give everyone a raise", "a bonus"),
    "Bahn, Bus oder Rad?": ("Bahn", "Bus", "Rad"),
}
NONE = (
    "How many chairs, more or less, do we need?",
    "Now or never?",
    "Should our team lead ship or wait?",
    "Should the new team ship or wait?",
    "Should we act now or never?",
    "Should we do it sooner or later?",
    "Should we close the shop or not?",
    "Should we hire one or two people?",
    "Should we hire a designer or two?",
    "Should we meet two or three times a year?",
    "Should we wait a week or so?",
    "Should we pay or else?",
    "Should we tell customers or anyone else about it?",
    "Can we go on without breaking or slowing the build?",
    "Should we go on without breaking or slowing the build?",
    "Do you have any questions or comments?",
    "Are there risks or costs that we forgot?",
    "What do we do when it rains, snows or hails?",
    "Who pays if the roof or the cellar leaks?",
    "Why do cats or dogs sleep so much?",
    "How should we handle refunds or returns?",
    "Is the lender or the buyer liable?",
    "Should the billing service stay or go?",
    "Should we paint the house red, white and blue or leave it?",
    "Should we buy a house, which is expensive, or keep renting?",
    "Should we, as a team, buy a house or keep renting?",
    "Should we buy or rent, given the budget?",
    "Should we call the field “yes or no”?",
    "Should we decide whether to buy or rent?",
    "Should we buy a house?",
    "Should we let people work from home one or two days a week?",
    "Should we launch on or before Friday?",
    "Should we do one thing or another?",
    "Should we be for or against it?",
    "Should we order?",
    "Write a poem or a story about cats.",
    "To be or not to be?",
    "Soll ich es tun oder nicht?",
    "Wie viele Stühle brauchen wir, mehr oder weniger?",
    "Jetzt oder nie?",
    "Sollen wir ein oder zwei Leute einstellen?",
    "Can we trust the vendor or the auditor?",
    "St. Gallen and/or Bern?",
    "",
)


@in_one("question", NAMED)
def test_alternatives_are_found_in_the_words_of_the_question(question: str) -> None:
    """Whoever names two ways wants one of them, and would otherwise get a list of both."""
    assert alternatives_in(question) == NAMED[question]


@in_one("question", NONE)
def test_an_or_that_joins_something_else_offers_nothing(question: str) -> None:
    """An offer that makes no sense is worse than none: nobody believes the next one."""
    assert alternatives_in(question) == ()


def asked(folder: Path, *more: str) -> list[str]:
    short = ("--runner", "simulated", "--max-messages", "8", "--session", "s", "--sessions", str(folder))
    return ["debate", HOUSE, *short, *more]


def options(folder: Path) -> tuple[str, ...]:
    with Session.read("s", folder) as session:
        return session.started().options


def test_a_pipe_is_told_the_very_arguments(tmp_path: Path, eda: Callable[..., Result]) -> None:
    """A script cannot be asked, and what it is told has to work as it stands."""
    told = eda(*asked(tmp_path / "one", "--quiet")).stderr
    line = next(line for line in told.splitlines() if "--option" in line)
    given = shlex.split(line[line.index("--option") :])
    assert given[1::2] == [*FOUND]
    assert options(tmp_path / "one") == ()
    again = eda(*asked(tmp_path / "two", "--quiet", *given)).stderr
    assert "--option" not in again
    assert options(tmp_path / "two") == FOUND
    assert "--option" not in eda(*asked(tmp_path / "three", "--quiet", "--answer", "list")).stderr


@pytest.mark.parametrize(("answer", "taken"), [("\r", FOUND), ("n\r", ()), ("j\r", FOUND), ("ja genau\r", FOUND)])
def test_a_person_at_a_terminal_is_asked(tmp_path: Path, answer: str, taken: tuple[str, ...]) -> None:
    """They are never taken unasked: the words may mean something else."""
    with on_terminal(tmp_path, *asked(tmp_path), script=PLAIN) as terminal:
        terminal.wait_for("buy a house; keep renting")
        terminal.wait_for("[Y/n]")
        terminal.type(answer)
        assert terminal.end() == 0
    assert options(tmp_path) == taken


def test_an_answer_that_is_neither_yes_nor_no_is_told_to_be_none(tmp_path: Path) -> None:
    """The question was asked again without a word."""
    with on_terminal(tmp_path, *asked(tmp_path), script=PLAIN) as terminal:
        terminal.wait_for("[Y/n]")
        terminal.type("perhaps\r")
        terminal.wait_for("Please answer yes or no.")
        terminal.type("n\r")
        assert terminal.end() == 0


def test_programs_and_pages_are_told(tmp_path: Path) -> None:
    """Whoever asks through another program cannot see what stands in a terminal."""

    async def warned(**more: object) -> str:
        async with Client(PanelServer(PanelTools(tmp_path, "simulated"))) as client:
            told = await client.call_tool("debate", {"question": HOUSE, "max_messages": 8, **more})
            return str(told.structured_content)

    assert "buy a house; keep renting" in asyncio.run(warned())
    assert "buy a house; keep renting" not in asyncio.run(warned(options=[*FOUND]))
    with serving(tmp_path) as url:
        found = httpx2.get(
            f"{url.rstrip('/')}/alternatives", params={"question": HOUSE}, headers=BEARER, timeout=60
        ).json()
    assert tuple(found) == FOUND
