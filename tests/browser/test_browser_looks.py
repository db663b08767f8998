"""Every page, in every state, size and theme: what a reader cannot see, reach or hear is a fault."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from looked_at import dead_links, hostile, report_page, too_wide
from playwright.async_api import Page
from served import post, serving
from told import TALK, Told
from windows import SIZES, Opened

from eda import Session

HERE = Path(__file__).parent
STATES = ("list", "hostile list", "running", "past", "voting", "ended", "trial", "table", "report", "hostile report")
pytestmark = pytest.mark.long


@dataclass
class Served:
    """The addresses of a server with a session in each state."""

    url: str
    voting: str
    other: str
    """A server with sessions full of markup."""
    file: Path

    async def show(self, opened: Opened, state: str, size: str, scheme: str, **options: Any) -> Page:
        """Open a page and bring it into a state."""
        paths = {
            "list": f"{self.url}/",
            "hostile list": f"{self.other}/",
            "voting": f"{self.url}/s/{self.voting}",
            "ended": f"{self.other}/s/hostile",
            "trial": f"{self.other}/s/hostile",
            "report": f"{self.url}/s/example/report",
            "hostile report": self.file.as_uri(),
        }
        page = await opened(paths.get(state, f"{self.url}/s/running"), size, scheme=scheme, **options)
        if state in ("running", "past", "table"):
            await page.locator(f"#m{len(TALK)}").wait_for()
        if state == "past":
            await page.locator("#slider").focus()
            await page.keyboard.press("ArrowLeft")
            await page.locator("#banner").wait_for()
        if state == "table" and size == "phone":
            await page.get_by_role("tab", name="On the table").click()
        if state == "voting":
            if size == "phone":
                await page.get_by_role("tab", name="On the table").click()
            await page.locator("#vote").wait_for()
        if state == "ended":
            await page.locator("#verdict .verdict").wait_for()
        if state == "trial":
            if size == "phone":
                await page.locator("#menu").click()
            await page.locator("#try").click()
            await page.locator("#plan b").wait_for()
        if "list" in state:
            await page.locator("#begin").click()
        return page


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    here, other = tmp_path_factory.mktemp("here"), tmp_path_factory.mktemp("other")
    shutil.copytree(Path(__file__).parents[2] / "sessions" / "example", here / "example")
    file = other / "report.html"
    with Session.create("hostile", other) as session:
        hostile(session)
        file.write_text(report_page(session), "utf-8")
    with (
        Session.create("running", here) as session,
        serving(here, runner="unhurried:Unhurried", path=HERE) as url,
        serving(other) as elsewhere,
    ):
        Told(session, TALK)
        home = url.rstrip("/")
        wanted = {"question": "Open on Sundays?", "options": "Yes, do\nNo, wait", "max_messages": 8, "human": "Noor"}
        name = post(home, "/new", wanted).json()["session"]
        yield Served(home, name, elsewhere.rstrip("/"), file)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
async def test_a_page_fits_and_leads_somewhere(
    opened: Opened, served: Served, state: str, size: str, scheme: str
) -> None:
    page = await served.show(opened, state, size, scheme)
    assert await too_wide(page) == []
    assert await dead_links(page) == []
    assert await page.locator("img").count() == 0
    origin = await page.evaluate("location.protocol + '//' + location.host")
    assert [asked for asked in opened.asked if not asked.startswith((origin, "data:"))] == []
    heads = await page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((each) => +each.tagName[1])")
    assert heads.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(heads)), heads


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["phone", "desk"])
@pytest.mark.parametrize("state", STATES)
async def test_axe_finds_nothing(opened: Opened, served: Served, axe: str, state: str, size: str, scheme: str) -> None:
    page = await served.show(opened, state, size, scheme, bypass_csp=True)
    await page.evaluate(axe)
    found = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    told = [(each["id"], each["help"], [node["target"] for node in each["nodes"]][:4]) for each in found["violations"]]
    assert told == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
async def test_controls_stand_out_from_their_ground(opened: Opened, served: Served, state: str, scheme: str) -> None:
    """The edge of a field that nobody sees is no field."""
    page = await served.show(opened, state, "desk", scheme)
    faint = await page.evaluate(
        """() => {
          const part = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
          const light = (colour) => {
            const [r, g, b] = colour.match(/[\\d.]+/g).map(Number);
            return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
          };
          const ground = (each) => {
            const colour = each ? getComputedStyle(each).backgroundColor : "rgb(255, 255, 255)";
            return /, 0\\)$|transparent/.test(colour) ? ground(each.parentElement) : colour;
          };
          const contrast = (each) => {
            const { borderTopColor, borderTopWidth } = getComputedStyle(each);
            const [low, high] = [light(borderTopColor), light(ground(each.parentElement))].sort((a, b) => a - b);
            return borderTopWidth === "0px" ? 0 : (high + 0.05) / (low + 0.05);
          };
          const fields = document.querySelectorAll("input, textarea, select");
          return [...fields].filter((each) => each.checkVisibility() && each.offsetWidth > 2)
            .filter((each) => !["range", "checkbox", "radio"].includes(each.type))
            .map((each) => [each.name || each.id, Math.max(contrast(each), contrast(each.closest("form") ?? each))])
            .filter(([, ratio]) => ratio < 3);
        }"""
    )
    assert faint == []


@pytest.mark.parametrize("state", STATES)
async def test_a_thumb_hits_what_it_aims_at(opened: Opened, served: Served, state: str) -> None:
    """Links within a sentence are exempt, as everywhere."""
    page = await served.show(opened, state, "phone", "light", has_touch=True, is_mobile=True)
    small = await page.evaluate(
        """() => [...document.querySelectorAll("button, summary, select, textarea, input")]
          .filter((each) => each.checkVisibility() && each.offsetWidth > 2)
          .filter((each) => !["checkbox", "radio"].includes(each.type))
          .map((each) => [each.id || each.textContent.trim() || each.name, each.getBoundingClientRect().height])
          .filter(([, height]) => height < 43.5)"""
    )
    assert small == []


@pytest.mark.parametrize("state", ["running", "ended", "report"])
async def test_who_and_what_are_told_without_colour(opened: Opened, served: Served, state: str) -> None:
    """On a grey print, or to somebody who sees no red."""
    page = await served.show(opened, state, "desk", "light")
    badges = await page.evaluate(
        """() => [...document.querySelectorAll(".badge")].map((each) =>
          [each.querySelector("use")?.getAttribute("href") ?? "ring", each.textContent.trim()].join(" "))"""
    )
    assert badges
    assert all(len(badge.split()) == 2 for badge in badges), badges
    names = await page.evaluate(
        """() => [...document.querySelectorAll(".badge")].filter((each) => !each.closest(".who, [title], [aria-label]"))
          .map((each) => each.parentElement.textContent.trim()).filter((text) => text.length < 4)"""
    )
    assert names == []
    assert len(set(badges)) == len({badge.split()[1] for badge in badges})  # one mark a member
    states = await page.evaluate("[...document.querySelectorAll('.state')].map((each) => each.textContent.trim())")
    assert all(states)


@pytest.mark.parametrize("state", ["running", "past", "voting"])
async def test_nothing_moves_for_whom_movement_is_too_much(opened: Opened, served: Served, state: str) -> None:
    page = await served.show(opened, state, "desk", "light", reduced_motion="reduce")
    assert await page.evaluate("document.getAnimations().length") == 0


async def test_the_foot_has_one_height(opened: Opened, served: Served) -> None:
    """What one is about to press must not move when a vote begins or the past is looked at."""
    heights = {}
    for state in ("running", "past", "voting"):
        page = await served.show(opened, state, "desk", "light")
        heights[state] = await page.locator(".foot").evaluate("(foot) => foot.getBoundingClientRect().height")
    assert heights["running"] == heights["past"], heights


async def test_a_print_from_a_dark_page_is_white_and_whole(opened: Opened, served: Served, tmp_path: Path) -> None:
    """A PDF is what a meeting gets."""
    from pypdf import PdfReader

    page = await served.show(opened, "report", "phone", "dark")
    await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = false")
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    await page.emulate_media(media="print", color_scheme="dark")
    ground = await page.evaluate(
        "[document.documentElement, document.body].map((each) => getComputedStyle(each).backgroundColor)"
    )
    assert set(ground) <= {"rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"}
    ink = await page.evaluate("getComputedStyle(document.querySelector('.verdict')).color")
    assert max(map(int, ink.removeprefix("rgb(").rstrip(")").split(","))) < 60
    assert await page.evaluate("[...document.querySelectorAll('details')].every((fold) => fold.open)")
    verdict = await page.locator(".verdict").first.inner_text()
    plan = await page.locator(".plan blockquote").first.inner_text()
    file = tmp_path / "report.pdf"
    file.write_bytes(await page.pdf(print_background=True))
    first = "".join(normalize("NFKC", PdfReader(file).pages[0].extract_text()).split())  # without ligatures
    assert "".join(normalize("NFKC", verdict).split()) in first
    assert "".join(normalize("NFKC", plan).split()) in first
