"""The ballot in a hand and by keyboard alone: one question at a time, ties kept, and read over before it is sent."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from looked_at import accept, too_wide
from playwright.async_api import Page, expect
from seated import table
from windows import Opened

from eda import Session
from eda.runners.protocol import Prompt


async def ranks(page: Page) -> list[list[str]]:
    """The ranks as they are shown."""
    return await page.evaluate(
        """() => [...document.querySelectorAll("#vote .ranks > li")].map((rank) =>
          [...rank.querySelectorAll(".ranked")].map((each) => each.dataset.id))"""
    )


async def cast_first(folder: Path, name: str) -> list[object]:
    """The ranks of Ana's ballots in the log."""
    with Session.read(name, folder) as session:
        return [
            fact.ballot.ranking
            for fact in session.events()
            if fact.type == "ballot_cast" and fact.ballot.agent == "Ana"
        ]


async def test_a_first_vote_by_thumb_is_counted_as_it_was_meant_and_can_be_changed(
    opened: Opened, tmp_path: Path
) -> None:
    async with table(tmp_path, invite="Ben") as (host, url):
        page = await opened(url, "phone", has_touch=True, is_mobile=True)
        await accept(page, "o1", "o2", "o4")
        await page.locator("#vote .main").tap()
        assert await too_wide(page) == []
        assert [len(rank) for rank in await ranks(page)] == [3], "nobody has said yet which is first"
        await page.locator("#vote .ranked[data-id=o4] .arrow").nth(1).tap()
        assert [sorted(rank) for rank in await ranks(page)] == [["o1", "o2"], ["o4"]]
        await page.locator("#vote .main").tap()
        read = page.locator("#vote .read-back")
        await expect(read).to_contain_text("equal; then Wait a quarter. You refuse: Move now.")
        await page.locator("#vote .main:enabled").tap()
        await expect(page.locator(".kept")).to_contain_text("You refuse: Move now.Still to vote: Ben.")
        await page.reload()
        await page.get_by_role("tab", name="On the table").tap()
        await expect(page.locator(".kept")).to_contain_text("You refuse: Move now.Still to vote: Ben.")
        await expect(page.locator("#cards, #seat")).to_have_count(2)
        assert not [each for each in ("#cards", "#seat .main") if await page.locator(each).is_visible()]
        await page.get_by_role("button", name="Change my vote").tap()
        await expect(page.locator("#vote input:checked")).to_have_count(3)  # as it was
        await page.locator("#vote input[value=o3]").check()
        await page.locator("#vote .main").tap()
        await page.locator("#vote .main").tap()
        await expect(read).not_to_contain_text("You refuse")
        await page.locator("#vote .main:enabled").tap()
        await page.locator("#vote").wait_for(state="detached")
        [here] = host.running.values()
        here.skip("")  # Ben does not come
        await page.wait_for_function('() => document.querySelector("#seat").classList.contains("asked")')
        await expect(page.locator(".kept")).to_contain_text("Your first vote is counted")
        await expect(page.get_by_role("button", name="Change my vote")).to_have_count(0)
        [cast] = await cast_first(tmp_path, here.session.name)
        assert [{*rank} if isinstance(rank, tuple) else rank for rank in cast] == [
            {"Gate in week six", "Trial without write access"},
            {"Wait a quarter", "Move now"},
        ]


@pytest.mark.long
async def test_texts_are_moved_by_keys_and_by_hand_and_each_move_is_told(opened: Opened, tmp_path: Path) -> None:
    async with table(tmp_path) as (_, url):
        page = await opened(url)
        await accept(page, "o1", "o2", "o3")
        await page.locator("#vote .main").click()
        told = page.locator("#vote [role=status]")
        await page.locator("#vote .ranked[data-id=o2] .arrow").first.focus()
        await page.keyboard.press("Alt+ArrowUp")
        assert (await ranks(page))[0] == ["o2"]
        await expect(told).to_have_text("Trial without write access, now at place 1")
        await page.keyboard.press("Alt+ArrowDown")
        await page.keyboard.press("Alt+ArrowDown")
        assert (await ranks(page))[-1] == ["o2"]
        await page.keyboard.press("=")
        await expect(told).to_contain_text("equal with")
        assert [len(rank) for rank in await ranks(page)] == [3]
        grip, on = (page.locator(f"#vote .ranked[data-id={each}]") for each in ("o3", "o1"))
        box, there = await grip.locator(".grip").bounding_box(), await on.bounding_box()
        assert box
        assert there
        await page.mouse.move(box["x"] + 10, box["y"] + 20)
        await page.mouse.down()
        await page.mouse.move(there["x"] + 100, there["y"] + 3, steps=4)
        await page.mouse.up()
        assert (await ranks(page))[0] == ["o3"]
        said = await page.locator("#vote").aria_snapshot()
        assert "Move up: Gate in week six" in said
        assert "o1" not in said


@pytest.mark.long
async def test_none_and_an_empty_ballot_are_two_answers(opened: Opened, tmp_path: Path) -> None:
    async with table(tmp_path) as (_, url):
        page = await opened(url)
        await page.locator("#vote .main").click()
        read = page.locator("#vote .read-back")
        await expect(read).to_contain_text("You accept none of them. You refuse: ")
        await page.get_by_role("button", name="Change").click()
        await page.get_by_role("button", name="Abstain: leave it empty").click()
        await expect(read).to_have_text("You leave your ballot empty: you abstain.")


@pytest.mark.long
async def test_what_is_typed_beside_an_open_ballot_is_a_vote_or_a_message_once_somebody_says_so(
    opened: Opened, tmp_path: Path
) -> None:
    """A vote in words became a message to all, before the sealed openings."""
    async with table(tmp_path, invite="Ben") as (host, url):
        page = await opened(url)
        read = page.locator("#vote .read-back")
        await page.locator("#vote").wait_for()
        for line in ("the weather is fine", "gate in week six, then wait a quarter"):
            await page.locator("#words").fill(line)
            await page.locator("#seat .main").click()
            await expect(page.locator("#vote")).to_contain_text(line)
        await expect(read).to_contain_text("You refuse: ")
        [here] = host.running.values()
        assert not here.debate.inbox.waits("Ana")
        await page.get_by_role("button", name="No vote: send it as a message").click()
        await expect(page.locator("#writing .mine")).to_contain_text("gate in week six")
        await expect(page.locator("#words")).to_have_value("")
        assert here.debate.inbox.waits("Ana")
        await page.locator("#vote input").first.check()
        await page.locator("#words").fill("gate in week six, then wait a quarter")
        await page.locator("#seat .main").click()
        await page.locator("#vote .main:enabled").click()
        await expect(page.locator(".kept")).to_contain_text("You refuse: ")
        await expect(page.locator("#words")).to_have_value("")
        await page.get_by_role("button", name="Change my vote").click()
        await page.locator("#vote input").first.wait_for()
        await expect(page.locator("#vote input:checked")).to_have_count(0)  # what was sent was not what was chosen
        await page.locator("#words").fill("gate in week six, also wait a quarter")
        await page.locator("#seat .main").click()
        await page.locator("#vote .main:enabled").click()
        await page.locator(".kept").wait_for()
        await page.reload()
        await page.get_by_role("button", name="Change my vote").click()
        await page.locator("#vote .main").click()
        await expect(read).to_contain_text("You accept none of them.")
        await expect(read).not_to_contain_text("adopt too")


@pytest.mark.long
async def test_what_would_bring_somebody_in_is_asked_by_itself(opened: Opened, tmp_path: Path) -> None:
    """It looked like the floor: a form that somebody filled in meanwhile became the answer, and its move was lost."""
    async with table(tmp_path) as (host, url):
        page = await opened(url, "phone", has_touch=True, is_mobile=True)
        await page.locator("#vote").wait_for()
        [here] = host.running.values()
        seat = here.seat("Ana")
        assert seat
        asked = asyncio.create_task(seat.ask(Prompt(purpose="terms", agent="Ana", about="Wait a quarter.")))
        await expect(page.locator("#vote .read-back")).to_have_text("Wait a quarter.")
        send = page.get_by_role("button", name="Send my answer")
        await page.get_by_label("No change").check()
        await expect(send).to_be_enabled()
        await page.get_by_role("radio", name="with this change").check()
        await expect(send).to_be_disabled()
        await page.locator("#vote textarea").fill("Dana signs.")
        assert await too_wide(page) == []
        await send.tap()
        assert await asyncio.wait_for(asked, 30) == "3: Dana signs."
        await page.locator("#vote").wait_for(state="detached")
