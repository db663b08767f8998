"""What a page is asked in the browser, and sessions that try it."""

from __future__ import annotations

import re

from playwright.async_api import Page
from told import MOVE, QUESTION, TALK, Told, persona

from eda import Session
from eda.debate.replay import read_back
from eda.report.forms import report_html
from eda.report.gather import report_of

ENDED = re.compile("Decided|No verdict")
"""What the page of a debate that is over says of its state."""
HOSTILE = "<img src=x onerror=alert(1)> & \"quotes\" <script>alert('m1')</script> javascript:alert(1)"
NAME = "Ada <img src=x onerror=alert(2)>"


def report_page(session: Session) -> str:
    """The report of a session, as `eda report --html` writes it."""
    progress, memory = read_back(session)
    return report_html(report_of(session, progress, memory), session, memory)


def hostile(session: Session | None = None) -> Told:
    """A debate with markup in its question, in a name, a role, and each message."""
    members = (
        persona("Ada", HOSTILE).model_copy(update={"title": NAME}),
        *(persona(title, HOSTILE) for title in ("Ben", "Cleo", "Dan", "Eve")),
    )
    talk = [(NAME if who == "Ada" else who, f"{text}\n\n{HOSTILE}") for who, text in TALK]
    told = Told(session, talk, question=f"{QUESTION} {HOSTILE}", members=members)
    cast: dict[str, str | None] = {"Ben": MOVE, NAME: None}
    return told.votes(**cast)


async def too_wide(page: Page) -> list[str]:
    """What stands out of the page to the right, or makes it scroll sideways."""
    return await page.evaluate(
        """() => {
          const width = document.documentElement.scrollWidth, wide = width > innerWidth ? [`page ${width}`] : [];
          for (const each of document.querySelectorAll("body *")) {
            const { width, right } = each.getBoundingClientRect();
            const apart = each.closest(".scroll, pre, table, [hidden], .skip, svg");
            if (width && right > innerWidth + 1 && !apart) wide.push(`${each.tagName}.${each.className} ${right}`);
          }
          return wide;
        }"""
    )


async def dead_links(page: Page) -> list[str]:
    """The links that lead to nothing in the page; in a live one a text that is off the table leads to its message."""
    return await page.evaluate(
        r"""() => {
          const there = (id) => document.getElementById(id);
          const message = (id) => there("messages") && there(id.replace(/^p(\d+)[.@]\d+$/, "m$1"));
          return [...document.querySelectorAll('a[href^="#"]')].map((each) => decodeURIComponent(each.hash.slice(1)))
            .filter((id) => id && !there(id) && !message(id));
        }"""
    )


async def in_view(page: Page, selector: str) -> bool:
    """Whether something is shown, within the window."""
    return await page.evaluate(
        """(selector) => {
          const each = document.querySelector(selector), box = each?.getBoundingClientRect();
          return Boolean(box && each.checkVisibility() && box.bottom > 0 && box.top < innerHeight);
        }""",
        selector,
    )


async def tab_to(page: Page, selector: str) -> None:
    """Go to something with the keyboard alone; its focus can be seen."""
    for _ in range(80):
        await page.keyboard.press("Tab")
        if await page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
            break
    else:
        raise AssertionError(f"Tab never comes to {selector}")
    assert await page.evaluate(
        """() => {
          const { outlineStyle, boxShadow } = getComputedStyle(document.activeElement);
          return outlineStyle !== "none" || boxShadow !== "none";
        }"""
    ), f"{selector} has the focus, and does not show it"


async def accept(page: Page, *texts: str) -> None:
    """Accept texts on a ballot, or hold one in a poll."""
    await page.locator("#vote input").first.wait_for()
    for each in texts:
        box = page.locator(f'#vote input[value="{each}"]')
        if not await box.is_visible():  # a wording, folded below its text
            await page.locator("#vote details", has=box).first.locator("summary").first.click()
        await box.check()


async def vote_for(page: Page, *texts: str) -> None:
    """Vote for texts, the first one first, and the next ones after it; what is read is sent."""
    await accept(page, *texts)
    await page.locator("#vote .main").click()
    while not await page.locator("#vote .read-back").count():
        if await page.locator("#vote .ranks").count():
            for each in reversed(texts):
                while not await page.locator(
                    f"#vote .ranks li:first-child .ranked:only-child[data-id='{each}']"
                ).count():
                    await page.locator(f"#vote .ranked[data-id='{each}'] .arrow").first.click()
        await page.locator("#vote .main").click()
    await page.locator("#vote .main:enabled").click()
    await page.locator("#vote").wait_for(state="detached")


async def numbers(page: Page) -> list[int]:
    """The numbers of the messages that are shown, from top to bottom."""
    return await page.evaluate("[...document.querySelectorAll('#messages article')].map((each) => +each.id.slice(1))")
