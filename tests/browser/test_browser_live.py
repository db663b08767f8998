"""The live page as people use it: a debate that is written while they look, at a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from looked_at import ENDED, HOSTILE, NAME, hostile, numbers, tab_to
from playwright.async_api import Page, expect
from seated import table
from served import serving
from told import TALK, Told
from windows import Opened

from eda import Session

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    with Session.create("hostile", folder) as session:
        hostile(session)
    with serving(folder, runner="unhurried:Unhurried", path=HERE) as address:
        yield address.rstrip("/")


async def vote(page: Page) -> None:
    """Accept the second text, with the keyboard alone."""
    boxes = page.locator("#vote .offered > li > label input")
    await boxes.nth(1).wait_for()
    assert not await page.locator("#vote input:checked").count()  # nothing preselected
    await tab_to(page, "#vote .offered > li:nth-child(2) > label input")
    await page.keyboard.press("Space")
    while not await page.locator("#vote .read-back").count():
        await tab_to(page, "#vote .main")
        await page.keyboard.press("Enter")
    await expect(page.locator("#vote .read-back")).to_contain_text("You accept: ")
    assert await page.evaluate("document.activeElement.matches('.read-back')")  # a screen reader reads it at once
    await tab_to(page, "#vote .main:enabled")
    await page.keyboard.press("Enter")
    await page.locator("#vote").wait_for(state="detached")


async def test_what_is_wrong_in_the_form_is_told_at_its_field(opened: Opened, url: str) -> None:
    """It stood a screen and a half below the field, which nothing marked, and spoke of a line to add."""
    page = await opened(url, "phone")
    if not await page.locator("#new").is_visible():
        await page.locator("#begin").click()
    await page.locator("#new .main").click()
    question = page.locator("#new [name=question]")
    await expect(question).to_be_focused()
    await expect(question).to_have_attribute("aria-invalid", "true")
    told = page.locator("#new label:has([name=question]) .error")
    await expect(told).to_be_in_viewport()
    await expect(told).not_to_contain_text("line")
    await question.fill("Open on Sundays?")
    await page.locator("#new [name=max_messages]").fill("0")
    await page.locator("#new .main").click()
    await expect(page.locator("#new label:has([name=max_messages]) .error")).to_be_in_viewport()
    await expect(page.locator("#new [aria-invalid]")).to_have_attribute("name", "max_messages")


async def test_a_debate_begins_streams_and_ends_under_the_eyes_of_two(opened: Opened, url: str) -> None:
    """One takes part with the keyboard alone; the other looks on."""
    page = await opened(url)
    if not await page.locator("#new").is_visible():
        await page.locator("#begin").click()
    await page.locator("#new [name=question]").fill("Open on Sundays? <script>alert(3)</script>")
    await page.locator("#new [name=options]").fill("Yes, do\nNo, wait")
    await page.locator("#new [name=max_messages]").fill("8")
    await page.locator("#new [name=human]").fill("Noor")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/s/*")
    other = await opened(page.url, "phone")
    await vote(page)

    await page.locator("#pass").click()  # people open first; what others have written is sealed till then
    await page.locator("#m1").wait_for()
    await expect(page.locator("#writing .said").first).not_to_be_empty()  # its message is no fact yet
    await expect(page.locator("#m1 .said")).to_contain_text("<img src=x onerror=alert(1)>")
    await tab_to(page, "#pause")
    await page.keyboard.press("Enter")
    for each in (page, other):
        await expect(each.locator("#status")).to_contain_text("Paused")
    await expect(page.locator("#pause")).to_have_text("Resume")
    await page.keyboard.press("Enter")
    await expect(page.locator("#pause")).to_have_text("Pause")

    await page.locator("#m4").wait_for()
    await page.locator("#table .card").first.wait_for(state="attached")  # a vote hides it
    await vote(page)
    await expect(page.locator("#status")).to_contain_text(ENDED)
    shown = await numbers(page)
    assert shown == list(range(1, len(shown) + 1))
    await expect(other.locator("#status")).to_contain_text(ENDED)
    assert await numbers(other) == shown
    assert await page.locator("img").count() == await other.locator("img").count() == 0


@pytest.mark.long
async def test_looking_back_changes_one_window_alone(opened: Opened, url: str) -> None:
    """The table as it stood after m3, with the keyboard, and back."""
    page, other = await opened(f"{url}/s/hostile"), await opened(f"{url}/s/hostile")
    for each in (page, other):
        await each.locator(f"#m{len(TALK)}").wait_for()
    now = await page.locator("#table").inner_text()
    assert NAME in await page.locator("body").inner_text()
    assert HOSTILE in await page.locator("#m3").inner_text()
    assert await page.locator("img").count() == 0
    await tab_to(page, "#slider")
    await page.keyboard.press("Home")
    while await page.locator("#slider").input_value() != "3":
        await page.keyboard.press("ArrowRight")
    await expect(page.locator("#banner")).to_have_text("You are looking at the table as it stood after m3.")
    await expect(page.locator("#table")).not_to_have_text(now)
    assert await other.locator("#table").inner_text() == now
    assert not await other.locator("#banner").is_visible()
    await tab_to(page, "#back")
    await page.keyboard.press("Enter")
    await expect(page.locator("#banner")).to_be_hidden()
    assert await page.locator("#table").inner_text() == now


@pytest.mark.long
async def test_a_lost_connection_is_caught_up_without_doubles(opened: Opened, tmp_path: Path) -> None:
    """The server is restarted while somebody else's debate goes on."""
    with Session.create("told", tmp_path) as session:
        debate = Told(session, TALK[:6])
        with serving(tmp_path) as address:
            page = await opened(f"{address}s/told")
            await page.locator("#m6").wait_for()
            draft = page.locator("#noted")
            await draft.fill("Half a thought")
        await expect(page.locator("body")).to_contain_text("last m6")
        debate.say(TALK[6:])
        with serving(tmp_path, port=int(address.rstrip("/").rpartition(":")[2])):
            await page.locator("#m10").wait_for()
            assert await numbers(page) == list(range(1, 11))
            assert await draft.input_value() == "Half a thought"
            await expect(page.locator("body")).not_to_contain_text("last m6")


@pytest.mark.long
async def test_what_can_be_answered_stays_below_each_line(opened: Opened, tmp_path: Path) -> None:
    """After the next line the earlier one could no longer be taken back at the page, though it could be."""
    async with table(tmp_path) as (_, address):
        page = await opened(address)
        await vote(page)
        for line in ("I support o1", "I am against o2"):
            await page.locator("#pass:visible").wait_for()
            await page.locator("#words").fill(line)
            await page.locator("#seat .main").click()
            await page.locator("#messages article", has_text=line).locator("+ .note button").wait_for()
        first = page.locator("#messages article", has_text="I support o1").locator("+ .note")
        await expect(first).to_contain_text("Counted: you support")
        await expect(page.locator("#messages .note button")).to_have_count(2)
