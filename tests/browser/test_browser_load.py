"""The live page under load: long sessions, many viewers, readers who scroll, leave, or never read."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from looked_at import ENDED, in_view, numbers
from playwright.async_api import Page, expect
from served import BEARER, post, serving
from told import TALK, Told
from windows import Opened

from eda import Debate, Session, Settings
from eda.debate.replay import read_back
from eda.serve.shown import table_of
from eda.session.fork import upto

HERE = Path(__file__).parent
VIEWERS = 50
MANY = [(who, f"{text.partition(chr(10))[0]} Number {n}, as in m{n + 1}.") for n in range(100) for who, text in TALK]
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    with serving(folder, runner="unhurried:Unhurried", path=HERE) as address:
        yield address.rstrip("/")


def begun(url: str, question: str, **more: Any) -> str:
    """A debate with a person, which waits for its first ballot."""
    wanted = {"question": question, "options": "Yes, do\nNo, wait", "max_messages": 8, "human": "Noor", **more}
    return str(post(url, "/new", wanted).json()["session"])


async def watched(url: str, name: str, ready: asyncio.Event) -> list[dict[str, Any]]:
    """All that one viewer is told up to the end, and it votes where it is asked to."""
    told = []
    async with (
        httpx2.AsyncClient(timeout=120, headers=BEARER) as client,
        client.stream("GET", f"{url}/s/{name}/events") as answer,
    ):
        async for line in answer.aiter_lines():
            if line.startswith("data: "):
                told.append(json.loads(line.removeprefix("data: ")))
                if told[-1]["kind"] == "question":
                    ready.set()
                if told[-1].get("state") == "ended":
                    break
    return told


async def voting(url: str, name: str) -> None:
    """Noor's part: wherever a vote is asked for, it is cast; whatever else is asked is passed."""
    async with (
        httpx2.AsyncClient(timeout=120, headers=BEARER) as client,
        client.stream("GET", f"{url}/s/{name}/events") as answer,
    ):
        async for line in answer.aiter_lines():
            said = json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else {}
            if said.get("purpose"):
                vote = {"do": "answer", "text": "o2 > o1" if said["purpose"] in ("ballot", "poll") else ""}
                assert (await asyncio.to_thread(post, url, f"/s/{name}/do", vote)).status_code == 200
            if said.get("state") == "ended":
                return


async def test_fifty_viewers_hear_everything_once_and_one_never_reads(url: str, folder: Path) -> None:
    """A tab that a laptop put to sleep must not hold up the panel, nor the others."""
    name = begun(url, "Fifty look on?")
    ready = [asyncio.Event() for _ in range(VIEWERS)]
    viewers = [asyncio.create_task(watched(url, name, each)) for each in ready]
    at = urlsplit(url)
    with socket.create_connection((at.hostname, at.port)) as asleep:
        asleep.sendall(f"GET /s/{name}/events HTTP/1.1\r\nHost: {at.netloc}\r\n\r\n".encode())
        await asyncio.gather(*(each.wait() for each in ready))
        await voting(url, name)
        heard = await asyncio.wait_for(asyncio.gather(*viewers), 60)
    first = heard[0]
    with Session.read(name, folder) as session:
        posted = {event.number: event for event in session.events() if event.type == "message_posted"}
    for each in heard:
        assert [said["kind"] for said in each].count("all") == 1
        assert _facts(each) == _facts(first)
    seqs = [said["seq"] for said in first if "seq" in said and said["kind"] != "all"]
    assert seqs == sorted(set(seqs))
    assert [said["number"] for said in first if said["kind"] == "message"] == list(posted)
    # What was streamed is what was said, to the letter; sealed openings are not streamed.
    for who in {event.who for event in posted.values()} - {"Noor"}:
        written = "".join(said["text"] for said in first if said["kind"] == "text" and said["who"] == who)
        spoken = " ".join(event.talk for event in posted.values() if event.who == who and not event.sealed)
        assert written.replace("<img", " <img").split() == spoken.split()


def _facts(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What is the same for all: the state also counts who looks on, and a question is for one of them."""
    return [said for said in told if said["kind"] not in ("status", "question")]


async def test_a_browser_that_leaves_in_mid_stream_harms_nobody(opened: Opened, url: str) -> None:
    name = begun(url, "One leaves?")
    stays, leaves = await opened(f"{url}/s/{name}"), await opened(f"{url}/s/{name}")
    vote = asyncio.create_task(voting(url, name))
    await expect(leaves.locator("#writing .said").first).not_to_be_empty()
    await leaves.context.close()
    await vote
    await expect(stays.locator("#status")).to_contain_text(ENDED)
    shown = await numbers(stays)
    assert shown == list(range(1, len(shown) + 1))


async def test_streaming_moves_nothing_and_is_read_out_once(opened: Opened, url: str) -> None:
    """Layout shifts are those that Chromium itself counts; a screen reader speaks what is added to the log."""
    name = begun(url, "Does it jump?")
    page = await opened(f"{url}/s/{name}")
    assert await page.locator("#messages").get_attribute("role") == "log"
    await page.evaluate(
        """() => {
          window.shift = 0; window.shifted = []; window.added = [];
          new PerformanceObserver((list) => {
            for (const { value, sources } of list.getEntries()) {
              window.shift += value;
              window.shifted.push([value, ...sources.map(({ node }) => node?.id || node?.className || node?.nodeName)]);
            }
          }).observe({ type: "layout-shift", buffered: false });
          new MutationObserver((changes) => {
            for (const { addedNodes } of changes) window.added.push(...[...addedNodes].map((node) => node.id));
          }).observe(document.getElementById("messages"), { childList: true });
        }"""
    )
    vote = asyncio.create_task(voting(url, name))
    await expect(page.locator("#writing .said").first).not_to_be_empty()
    await page.evaluate("window.shift = 0, window.shifted = []")  # what a person was asked took room, and left it
    await page.locator("#m6").wait_for(state="attached")
    moved, by = await page.evaluate("[window.shift, JSON.stringify(window.shifted)]")
    await vote
    await expect(page.locator("#status")).to_contain_text(ENDED)
    shown = [f"m{number}" for number in await numbers(page)]
    assert await page.evaluate("window.added.filter((id) => /^m\\d+$/.test(id))") == shown
    assert moved < 0.01, by
    assert await page.locator("#writing").get_attribute("aria-hidden") == "true"


async def test_a_reader_who_scrolled_up_is_not_moved(opened: Opened, url: str, folder: Path) -> None:
    """Fifty messages arrive: what was being read stays where it is, and a button says how many there are."""
    with Session.create("scrolled", folder) as session:
        told = Told(session, MANY[:40])
        page = await opened(f"{url}/s/scrolled")
        await page.locator("#m40").wait_for()
        await page.evaluate("document.getElementById('m10').scrollIntoView()")
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        where = "document.getElementById('m10').getBoundingClientRect().top"
        before = await page.evaluate(where)
        told.say(MANY[40:90])
        await page.locator("#m90").wait_for(state="attached")
        await expect(page.locator("#news")).to_contain_text("50 new messages")
        assert await page.evaluate(where) == before
        await page.locator("#news").click()
        await page.locator("#m90").wait_for()
        assert await in_view(page, "#m90")
        assert await page.locator("#news").is_hidden()


async def test_a_thousand_messages_open_at_once_and_keep_their_anchors(opened: Opened, url: str, folder: Path) -> None:
    """A citation in a mail leads into the middle of a long session."""
    with Session.create("long", folder) as session:
        Told(session, MANY).votes()
    first = await opened(f"{url}/s/long")
    await first.locator("#m1000").wait_for(timeout=60_000)  # the server has read it back once
    page = await opened(f"{url}/s/long#m500")
    await page.locator("#m500").wait_for()
    took = await page.evaluate("performance.now()")
    assert took < 15_000  # `benchmarks/page.py` measures it on a machine that does nothing else
    assert await numbers(page) == list(range(1, 1001))
    await page.wait_for_function(
        "() => { const top = document.getElementById('m500').getBoundingClientRect().top;"
        " return top > 0 && top < innerHeight; }"
    )
    for number in (3, 997, 250):
        await page.evaluate("(number) => { location.hash = `m${number}`; }", number)
        await page.wait_for_function(
            "(id) => { const box = document.getElementById(id).getBoundingClientRect();"
            " return box.bottom > 0 && box.top < innerHeight; }",
            arg=f"m{number}",
        )


async def test_a_huge_message_stays_within_the_page(opened: Opened, url: str, folder: Path) -> None:
    """200 kB, half of it one word."""
    huge = ("word " * 20_000) + "w" * 100_000
    with Session.create("huge", folder) as session:
        told = Told(session, TALK)
        page = await opened(f"{url}/s/huge", "phone")
        await page.locator("#m10").wait_for()
        told.say([("Ada", huge)])
        await page.locator("#m11").wait_for(state="attached")
        said = await page.locator("#m11 .said").text_content()
        assert said is not None
        assert said.strip() == huge.strip()
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert await page.evaluate(
            "document.getElementById('talk').scrollWidth <= document.getElementById('talk').clientWidth"
        )


async def test_the_table_at_m12_is_the_fold_of_its_log(opened: Opened, url: str, folder: Path) -> None:
    with Session.create("folded", folder) as session:
        Told(session, MANY[:20]).votes()
    page = await opened(f"{url}/s/folded")
    await page.locator("#m20").wait_for()
    await page.locator("#slider").focus()
    while await page.locator("#slider").input_value() != "7":
        await page.keyboard.press("ArrowLeft")
    await expect(page.locator("#banner")).to_contain_text("m7")
    with Session.read("folded", folder) as session:
        table = table_of(*read_back(upto(session, 7)))
    for card in table["cards"]:
        for text in card["texts"]:
            await expect(page.locator("#table")).to_contain_text(text["text"])
    await expect(page.locator("#table .card")).to_have_count(len(table["cards"]))


async def test_a_page_stays_open_over_a_resume(opened: Opened, url: str, folder: Path) -> None:
    """The debate ended; somebody goes on with it at a terminal."""
    question, options = "Go on later?", ("Yes", "No")
    with Session.create("resumed", folder) as session:
        settings = Settings(max_messages=6)
        await Debate(
            question, "product-decision", "simulated", options=options, session=session, settings=settings
        ).run()
    page: Page = await opened(f"{url}/s/resumed")
    await expect(page.locator("#status")).to_contain_text(ENDED)
    before = await numbers(page)
    with Session.open("resumed", folder) as session:
        await Debate.resume(session, max_messages=12).run()
    await page.locator(f"#m{len(before) + 2}").wait_for()
    await expect(page.locator("#status")).to_contain_text(ENDED)
    with Session.read("resumed", folder) as session:
        posted = [event.number for event in session.events() if event.type == "message_posted"]
    assert len(posted) > len(before)
    await page.locator(f"#m{posted[-1]}").wait_for()
    assert await numbers(page) == posted
