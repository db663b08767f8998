"""Two browsers and a terminal at one table, through to the verdict."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from looked_at import vote_for
from playwright.async_api import Page
from started import PLAIN, Terminal, on_terminal
from windows import Opened

from eda import Session

ASKED = """() => document.querySelector("#vote") ? "vote"
  : document.querySelector("#words").placeholder.startsWith("You have the floor") ? "speak"
  : [...document.querySelectorAll("#error, #offline")].some((e) => e.textContent.startsWith("The table has closed"))
  ? "closed" : null"""
TALK = """() => [...document.querySelectorAll("#messages article")].map((each) => [
  each.id, each.querySelector("header > b").textContent,
  each.querySelector(".said")?.textContent ?? ""])"""


async def asked(page: Page) -> str:
    """Wait until the page asks for something, or is closed; return what."""
    return str(await (await page.wait_for_function(ASKED, timeout=60_000)).json_value())


async def answer(page: Page, what: str, text: str, choice: str) -> None:
    """Vote for one text, or say something."""
    if what == "vote":
        await vote_for(page, choice)
    else:
        await page.locator("#words").fill(text)
        await page.locator("#seat .main").click()
        await page.wait_for_function('() => !document.querySelector("#words").placeholder.startsWith("You have")')


async def sits(page: Page, text: str, choice: str) -> None:
    """Answer whatever is asked until the table closes."""
    while (what := await asked(page)) != "closed":
        await answer(page, what, text, choice)


def typed(terminal: Terminal) -> None:
    """Answer at the terminal whatever is asked, until the debate is over."""
    asks = re.compile(
        r"(your vote\?|Adopt something beside it\?|Enter is yes|you have the floor)[^\n]*"
        r"|your (opening|word)[^\n]*; nobody[^\n]*|Enter closes the table"
    )
    while not (shown := terminal.wait_until(asks)).startswith("Enter closes"):
        vote = "A\r" if shown.startswith("your vote") else "I say this at the terminal.\r"
        terminal.type("\r" if shown.startswith(("Adopt", "Enter is yes")) else vote)


@pytest.mark.long
async def test_two_browsers_and_a_terminal_see_the_same_table(opened: Opened, tmp_path: Path) -> None:
    people = ("--human", "Ana", "--invite", "Ben", "--invite", "Cleo", "--human-time", "60")
    given = ("Open on Sundays?", "--option", "Yes, do", "--option", "No, wait", "--runner", "simulated")
    more = ("--max-messages", "16", "--session", "table", "--sessions", str(tmp_path))
    with on_terminal(tmp_path, "debate", *given, *people, *more, script=PLAIN, width=110) as terminal:
        await asyncio.to_thread(terminal.wait_for, "your first vote, in private")
        links = re.findall(r"http://\S+/join/\S+", terminal.shown)
        ben, cleo = [await opened(link) for link in links]
        for page in (ben, cleo):
            await page.locator("#sit").click()
            await page.wait_for_url("**/s/table")
        assert await asked(cleo) == "vote"
        before = await cleo.inner_text("main, body")
        await answer(ben, await asked(ben), "", "o1")
        await cleo.get_by_text("Waiting for Ana and Cleo to vote.").wait_for()
        after = await cleo.inner_text("main, body")
        new = [line for line in after.splitlines() if line not in before and not line.endswith(" left")]  # a clock runs
        assert new == ["Waiting for Ana and Cleo to vote."]
        terminal.type("B\r")
        async with asyncio.TaskGroup() as table:
            table.create_task(sits(ben, "Ben asks who pays for it.", "o2"))
            table.create_task(sits(cleo, "[SUPPORT o1] Cleo wants the money.", "o1"))
            await asyncio.to_thread(typed, terminal)
            read = await ben.request.get(ben.url + "/report")  # as long as somebody reads, the pages are there
            assert "Who stands where" in await read.text()
            said = cleo.locator(".said-back button, #said-back button")
            assert [await each.is_visible() for each in await said.all()] == [False] * await said.count() != []
            terminal.type("\r")
        assert terminal.end() == 0
        talks = [await page.evaluate(TALK) for page in (ben, cleo)]
        assert talks[0] == talks[1]
        with Session.read("table", tmp_path) as session:
            facts = [*session.events()]
        said = [(f"m{fact.number}", fact.who) for fact in facts if fact.type == "message_posted"]
        assert [(number, who) for number, who, _ in talks[0]] == said
        assert {"Ana", "Ben", "Cleo"} <= {who for _, who in said}
        votes = {
            fact.ballot.agent: fact.ballot.choice for fact in facts if fact.type == "ballot_cast" and not fact.first
        }
        assert (votes["Ben"], votes["Cleo"]) == ("No, wait", "Yes, do")
        squeezed = re.sub(r"[\s│]+", "", terminal.shown)
        for number, _, text in talks[0]:
            assert re.sub(r"\s+", "", text)[:40] in squeezed, number
        verdict = next(fact for fact in facts if fact.type == "verdict_reached")
        for page in (ben, cleo):
            assert verdict.text.rstrip(".") in await page.locator("#verdict").inner_text()
        assert re.sub(r"\s+", "", verdict.text) in squeezed
