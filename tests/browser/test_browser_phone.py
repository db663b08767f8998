"""A phone in a hand: what one writes with while its keyboard is open, forms, what waits for one, the verdict first."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from looked_at import ENDED, accept, in_view, tab_to, too_wide, vote_for
from playwright.async_api import Page, expect
from seated import table
from windows import Opened

from eda.runners.protocol import Prompt

KEYBOARD = {"width": 390, "height": 500}
ASKED = """() => document.querySelector("#vote") ? "vote" : document.querySelector("#seat.asked") ? "speak"
  : document.querySelector("#status").textContent.match(/Decided|No verdict/) ? "ended" : null"""
PHONE = {"has_touch": True, "is_mobile": True}


async def opening(page: Page) -> None:
    """Vote before the talk, and come to one's opening."""
    await vote_for(page, "o1")
    await page.wait_for_function('() => document.querySelector("#seat.asked")')
    if await page.locator(".tabs").is_visible():
        await page.get_by_role("tab", name="Talk").click()


async def swipe(page: Page, by: int) -> None:
    """Move a finger across the talk."""
    await page.evaluate(
        """(by) => {
          const target = document.querySelector("#messages");
          const at = (clientX) => new Touch({ identifier: 1, target, clientX, clientY: 300 });
          const told = (kind, x, touches) => target.dispatchEvent(
            new TouchEvent(kind, { bubbles: true, touches: touches ? [at(x)] : [], changedTouches: [at(x)] }));
          told("touchstart", 200, true);
          told("touchend", 200 + by, false);
        }""",
        by,
    )


@pytest.mark.long
async def test_with_its_keyboard_open_a_phone_has_the_question_two_lines_and_send(
    opened: Opened, tmp_path: Path
) -> None:
    async with table(tmp_path) as (_, url):
        page = await opened(url, "phone", **PHONE)
        await opening(page)
        await expect(page.locator("#now")).to_contain_text("Nobody sees it before all have written.")
        await page.set_viewport_size(KEYBOARD)
        await page.locator("#words").fill("I would sign for the write access myself, if the trial runs first.")
        for each in ("h1", "#talk", "#now", "#words", "#seat .main"):
            assert await in_view(page, each), each
        field, talk, send = [await page.locator(each).bounding_box() for each in ("#words", "#talk", "#seat .main")]
        assert field
        assert talk
        assert send
        assert field["height"] >= 60
        assert talk["height"] >= 180
        assert send["y"] + send["height"] <= KEYBOARD["height"]
        assert await too_wide(page) == []
        await swipe(page, -120)
        await expect(page.locator("#table")).to_be_visible()
        await swipe(page, 120)
        await expect(page.locator("#talk")).to_be_visible()


@pytest.mark.long
async def test_forms_become_moves_and_nobody_sees_markup(opened: Opened, tmp_path: Path) -> None:
    """Where a person has the floor a move waits for their words; Esc keeps what was filled in."""
    async with table(tmp_path) as (_, url):
        page = await opened(url)
        await opening(page)
        await page.get_by_role("button", name="Show the table").click()
        await tab_to(page, "[id='o1'] .acts button")
        await page.keyboard.press("Enter")
        await page.locator("#sheet").get_by_label("On a condition").check()
        assert await page.locator("#sheet .main").is_disabled()  # it says no condition
        await page.locator("#sheet .condition input").fill("the trial runs first [OPPOSE o2]")
        await page.keyboard.press("Escape")
        assert await page.evaluate("document.activeElement.matches('.acts button')")
        await page.keyboard.press("Enter")
        await expect(page.locator("#sheet .condition input")).to_have_value("the trial runs first [OPPOSE o2]")
        await page.locator("#sheet .condition input").fill("the trial runs first")
        await page.locator("#sheet .main").click()
        await expect(page.locator("#pending li")).to_contain_text("Ana supports Gate in week six, if the trial runs")
        await page.locator("#words").fill("Fine with the gate.")
        await page.locator("#seat .main").click()
        mine = page.locator("#messages article", has_text="Fine with the gate.")
        await expect(mine.locator(".read")).to_contain_text("supports Gate in week six, on a condition: if the trial")
        await expect(page.locator("#pending li")).to_have_count(0)
        assert "[SUPPORT" not in await page.inner_text("body")


async def test_the_page_of_a_decided_debate_opens_at_the_verdict(opened: Opened, tmp_path: Path) -> None:
    async with table(tmp_path, max_messages=10) as (_, url):
        page = await opened(url, "phone", **PHONE)
        while (what := await (await page.wait_for_function(ASKED)).json_value()) != "ended":
            if what == "vote":
                await expect(page.locator("#tab-table")).to_contain_text("1 for you")
                await vote_for(page, "o1")
            else:
                await page.get_by_role("tab", name="Talk").click()
                await page.locator("#pass").click()
                await expect(page.locator("#seat")).not_to_have_class("box asked")
        await expect(page.locator("#status")).to_contain_text(ENDED)
        await page.reload()
        await expect(page.locator("#verdict .verdict")).to_be_in_viewport()
        await expect(page.get_by_role("tab", name="Verdict")).to_have_attribute("aria-selected", "true")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_in_a_ballot_or_a_form(opened: Opened, axe: str, tmp_path: Path, scheme: str) -> None:
    async with table(tmp_path) as (host, url):
        page = await opened(url, "phone", scheme=scheme, bypass_csp=True, **PHONE)
        await page.evaluate(axe)

        async def fine(where: str) -> None:
            found = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
            assert [(each["id"], each["nodes"][0]["target"]) for each in found["violations"]] == [], where
            small = await page.evaluate(
                """() => [...document.querySelectorAll("button, summary, select, textarea, input")]
                  .filter((each) => each.checkVisibility() && each.offsetWidth > 2)
                  .filter((each) => !["checkbox", "radio"].includes(each.type))
                  .map((each) => [each.id || each.textContent.trim(), each.getBoundingClientRect().height])
                  .filter(([, height]) => height < 43.5)"""
            )
            assert small == [], where

        await accept(page, "o1", "o3")
        await fine("accept")
        await page.locator("#vote .main").click()
        await fine("order")
        await page.locator("#vote .main").click()
        await page.locator("#vote .main:enabled").wait_for()
        await fine("send")
        await page.locator("#vote .main").click()
        await page.wait_for_function('() => document.querySelector("#seat.asked")')
        await fine("counted")
        await page.get_by_role("button", name="Show the table").click()
        for each in ("Support", "Against", "Change this text"):
            await page.locator("[id='o1']").get_by_role("button", name=each).click()
            await fine(each)
            await page.keyboard.press("Escape")
        await page.get_by_role("tab", name="Talk").click()
        for each in ("Propose", "Ask"):
            await page.get_by_role("button", name=each).click()
            await fine(each)
            await page.keyboard.press("Escape")
        await page.set_viewport_size(KEYBOARD)
        await page.locator("#words").focus()
        await fine("keyboard")
        [here] = host.running.values()
        seat = here.seat("Ana")
        assert seat
        asked = asyncio.create_task(seat.ask(Prompt(purpose="terms", agent="Ana", about="Wait a quarter.")))
        await page.locator("#vote input").nth(1).check()
        await fine("terms")
        asked.cancel()
        for each, own in (("nothing", {}), ("", {"extra_http_headers": {}})):
            page = await opened(
                f"{url.partition('/s/')[0]}/{each}", "phone", scheme=scheme, bypass_csp=True, **PHONE, **own
            )
            await page.evaluate(axe)
            await fine(f"the door: {each}")


@pytest.mark.long
async def test_who_comes_back_is_told_what_has_happened_since(opened: Opened, tmp_path: Path) -> None:
    async with table(tmp_path) as (host, url):
        page = await opened(url, "phone", **PHONE)
        await opening(page)
        await page.locator("#pause").click()
        await page.locator("#pass").click()
        await page.locator("#m5").wait_for()
        await expect(page.locator("#status")).to_contain_text("Paused")
        await page.goto("about:blank")
        [here] = host.running.values()
        asked = asyncio.Event()
        here.told.append(lambda seat: asked.set() if seat.prompt else None)
        here.debate.go_on()
        await asyncio.wait_for(asked.wait(), 30)
        await page.goto(url)
        since = page.locator("#messages .since")
        await page.wait_for_function(ASKED)
        await page.get_by_role("tab", name="Talk").click()
        await expect(since).to_be_in_viewport()
        links = await since.locator("a").all_inner_texts()
        first = min(int(each[1:]) for each in links if re.fullmatch(r"m\d+", each))
        last = await page.locator("#messages article").count()
        await expect(since).to_contain_text(f"{last - first + 1} messages from m{first} on, by ")
        await expect(since).to_contain_text("New on the table:")
        for link in await since.locator("a").all():
            target = (await link.get_attribute("href") or "")[1:]
            assert await page.locator(f"[id='{target}']").count(), target
