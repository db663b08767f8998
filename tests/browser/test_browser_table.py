"""The table as those see it who sit at it: sealed openings, every wording, what one has sent, and the end."""

from __future__ import annotations

from pathlib import Path

import pytest
from looked_at import hostile, vote_for
from playwright.async_api import Page, expect
from served import TOKEN, serving
from told import CHOICES, Told
from windows import Opened

from eda import Session
from eda.debate.verdict import verdict_of
from eda.events import Ballot, BallotCast, PhaseStarted, SessionEnded
from eda.panels.request import DebateRequest
from eda.serve.app import make_app
from eda.serve.guests import alongside, bound, names_of
from eda.serve.host import Host


async def says(page: Page, text: str) -> None:
    await page.locator("#words").fill(text)
    await page.get_by_role("button", name="Say it").click()


async def test_what_people_write_is_seen_and_every_wording_can_be_supported(  # noqa: PLR0915 - one table
    opened: Opened, tmp_path: Path
) -> None:
    """One wrote moves alone in the sealed phase; another's wording stands beside the one that most support."""
    listening = bound("127.0.0.1", 0)
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    host = Host(tmp_path, "simulated", "product-decision")
    app = make_app(host, names=names_of("127.0.0.1"), token=TOKEN)
    async with alongside(app, listening):
        given = {"options": "Yes, do\nNo, wait", "max_messages": 30, "human": "Ana", "invite": "Ben", "human_time": 90}
        name = host.start(host.prepared(DebateRequest.of({"question": "Open on Sundays?", **given})))
        await host.begun(name)
        ana = await opened(f"{url}/s/{name}")
        ben = await opened(
            url.replace("127.0.0.1", "localhost") + host.people(name)[0]["link"], "phone", extra_http_headers={}
        )
        await ben.locator("#sit").click()
        await expect(ben.locator("#vote")).to_contain_text("You vote again at the end")
        await expect(ben.locator("#vote .clock")).to_contain_text("left")
        await vote_for(ben, "o2", "o1")
        await expect(ben.locator(".kept")).to_contain_text("You accept: No, wait; then Yes, do.")
        await vote_for(ana, "o1")
        await ana.wait_for_function('() => document.querySelector("#words").placeholder.startsWith("Your opening")')
        await says(ana, "[OPPOSE o2] because the hall is cold on Mondays.")
        await expect(ana.locator(".mine")).to_contain_text("Kept until all have written")
        await ana.get_by_role("button", name="Pause").click()
        await ben.get_by_role("tab", name="Talk").click()
        assert not await ben.locator("#messages article").count()
        await ben.get_by_role("button", name="Propose").click()
        await ben.locator("#sheet .text textarea").fill("Open on Sundays for a month.")
        await ben.locator("#sheet .main").click()
        await ben.get_by_role("button", name="Say it").click()
        own = ana.locator("#messages article", has_text="because the hall is cold on Mondays")
        await expect(ben.locator("#status")).to_contain_text("Paused by Ana")
        await expect(own).to_contain_text("[OPPOSE o2] because")
        await ana.get_by_role("button", name="Resume").click()
        await expect(own).to_contain_text("opposes No, wait: because")
        await ana.get_by_role("button", name="Pause").click()
        await expect(ana.locator(".mine")).to_have_count(0)
        floor = '() => document.querySelector("#words").placeholder.startsWith("You have")'
        asked = (
            f'{floor} || document.querySelector("#messages").textContent.match(/Paused by Ana.*goes on.*Paused by Ana/)'
        )
        await ana.wait_for_function(asked)
        if await ana.evaluate(floor):
            await ana.get_by_role("button", name="Pass").click()  # she passes, and then the debate waits
        await ben.get_by_role("tab", name="On the table").click()
        order = "(all) => all.map((each) => each.id)"
        before = await ben.locator(".version").evaluate_all(order)
        await ben.locator("[id='p1.0']").get_by_role("button", name="Change this text").click()
        await ben.locator("#sheet .text textarea").press("End")
        await ben.locator("#sheet .text textarea").press_sequentially(" Then count who came.")
        await expect(ben.locator("#sheet ins")).to_have_text(["Then ", "count ", "who ", "came."])
        await ben.locator("#sheet .main").click()
        card = ana.locator(".card", has=ana.locator("[id='p1.0']"))
        new = card.locator(".version", has=ana.locator("ins", has_text="Then count who came"))
        await expect(new).to_contain_text("1 of 7 for")  # five support p1.0, which stands beside it
        own = ben.locator(".version", has=ben.locator("ins", has_text="Then count who came"))
        await expect(own.locator(".acts button", has_text="Take back")).to_have_count(1)
        await expect(new.locator(".acts button", has_text="Take back")).to_have_count(0)
        await new.get_by_role("button", name="Support").click()
        await ana.locator("#sheet .why textarea").fill("it can be checked.")
        await ana.locator("#sheet .main").click()
        await expect(new).to_contain_text("2 of 7 for")
        after = await ana.locator(".version").evaluate_all(order)
        assert [each for each in after if each in before] == before
        await ben.locator("#words").fill("Half a thought")
        await ben.reload()
        await expect(ben.locator("#words")).to_have_value("Half a thought")
        await app.state.end()
        await expect(ana.locator("#error")).to_contain_text("The table has closed.")
        await expect(ana.locator("#cards button")).to_have_count(0)
        await ana.locator("#talk").press("[")
        await expect(ana.locator("#error")).to_have_text("The table has closed.")


@pytest.mark.long
async def test_words_survive_a_reload_and_a_verdict_its_server(opened: Opened, tmp_path: Path) -> None:
    """What is typed is kept until it is sent; the page of a debate that is over stays when its server goes."""
    with Session.create("over", tmp_path) as session:
        hostile(session)
    with serving(tmp_path) as address:
        page = await opened(f"{address}s/over")
        await page.locator("#noted").fill("Half a thought")
        await page.reload()
        await expect(page.locator("#noted")).to_have_value("Half a thought")
        await page.get_by_role("button", name="Note", exact=True).click()
        await expect(page.locator("#noted")).to_have_value("")
        await page.reload()
        await expect(page.locator("#verdict .verdict")).not_to_be_empty()
        await expect(page.locator("#noted")).to_have_value("")
    verdict = await page.locator("#verdict").inner_text()
    await page.locator("#report").click()
    await expect(page.locator("#error")).to_contain_text("It is report.html in the folder of the session over")
    assert await page.locator("#verdict").inner_text() == verdict


@pytest.mark.long
async def test_a_press_shows_what_a_test_takes_and_another_what_the_verdict_hinges_on(
    opened: Opened, tmp_path: Path
) -> None:
    """Whoever looks on sees it grow; the reader of a page has no terminal."""
    with Session.create("over", tmp_path) as session:
        Told(session).votes()
    with serving(tmp_path) as address:
        page, other = await opened(f"{address}s/over"), await opened(f"{address}s/over", "phone")
        await page.get_by_role("button", name="What it hinges on").click()
        await expect(page.locator("#plan b")).to_contain_text("calls")
        await page.locator("#trial [name=runs]").fill("2")
        await page.locator("#trial [name=again]").focus()
        await expect(page.locator("#trial .error")).to_contain_text("greater than or equal to 3")
        await expect(page.locator("#trial .main")).to_be_disabled()
        await page.locator("#trial [name=runs]").fill("3")
        await page.locator("#trial [name=premises]").fill("The window is six hours")
        await page.locator("#trial [name=again]").focus()
        await page.locator("#trial .main:enabled").click()
        await expect(page.locator("#trial")).to_be_hidden()
        await expect(page.locator("#offline")).to_contain_text("Done.")
        for each in (page, other):
            await expect(each.locator("#verdict details[open]")).to_contain_text("of 6 unchanged runs")


@pytest.mark.long
async def test_equal_firsts_stand_side_by_side(opened: Opened, tmp_path: Path) -> None:
    """Who puts two texts first as equal was shown with the last of them alone."""
    with Session.create("equal", tmp_path) as session, serving(tmp_path) as url:
        told = Told(session).tell(PhaseStarted(phase="ballot", why="messages"))
        for who in told.progress.members:
            ranking = (CHOICES,) if who == "Dan" else CHOICES
            cast = Ballot(agent=who, choice=None if who == "Dan" else CHOICES[0], ranking=ranking, approved=CHOICES)
            told.tell(BallotCast(ballot=cast, choices=CHOICES))
        told.tell(verdict_of(told.progress, told.memory), SessionEnded(reason="messages"))
        page = await opened(f"{url}s/equal")
        await page.get_by_text("Who put what first, and when").click()
        row = page.locator("#verdict tbody tr", has_text="Dan")
        await expect(row.locator("td")).to_have_text("o1 = o2")
        await expect(page.locator("#verdict tbody tr", has_text="Eve").locator("td")).to_have_text("o1")


@pytest.mark.long
async def test_a_long_ballot_that_cannot_be_read_is_folded(opened: Opened, tmp_path: Path) -> None:
    """A member that rambled filled the page with 6,480 characters; nobody found the other ballots below."""
    rambles = "I would rather think about this at length. " * 150
    with Session.create("rambling", tmp_path) as session, serving(tmp_path) as url:
        told = Told(session).tell(PhaseStarted(phase="ballot", why="messages"))
        for who in told.progress.members:
            cast = Ballot(agent=who, choice=CHOICES[0], ranking=CHOICES, reason="It is soon done.")
            if who == "Dan":
                cast = Ballot(agent=who, choice=None, invalid=True, raw=(rambles,))
            told.tell(BallotCast(ballot=cast, choices=CHOICES))
        told.tell(verdict_of(told.progress, told.memory), SessionEnded(reason="messages"))
        page = await opened(f"{url}s/rambling", "phone")
        await page.locator("#verdict summary", has_text="Ballots").click()
        row = page.locator("#verdict li", has_text="I would rather think")
        await expect(row.locator("summary")).to_be_visible()
        await expect(row.locator("q")).to_be_hidden()
        await row.locator("summary").click()
        await expect(row.locator("q")).to_have_text(rambles)
        await expect(page.locator("#verdict q", has_text="It is soon done.").first).to_be_visible()
