"""The report as a reader opens it: on a phone, at a desk, without a network."""

from __future__ import annotations

from pathlib import Path

import pytest
from looked_at import HOSTILE, NAME, dead_links, hostile, in_view, report_page, too_wide
from windows import Opened

from eda import Session


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The shipped example's report, as a file that somebody was sent."""
    file: Path = tmp_path_factory.mktemp("report") / "report.html"
    with Session.read("example") as session:
        file.write_text(report_page(session), "utf-8")
    return file.as_uri()


@pytest.mark.parametrize("size", ["phone", "desk"])
async def test_a_report_fits_its_window_and_each_link_leads_somewhere(opened: Opened, example: str, size: str) -> None:
    page = await opened(example, size)
    assert await too_wide(page) == []
    assert await dead_links(page) == []
    assert opened.asked == [example]
    assert await in_view(page, "#verdict")


async def test_a_link_opens_the_fold_that_it_leads_into(opened: Opened, example: str) -> None:
    """A citation that scrolls to a closed fold shows nothing."""
    page = await opened(example, "phone")
    await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = false")
    folded = await page.evaluate(
        """() => {
          const links = [...document.querySelectorAll('a[href^="#"]')].filter((each) => !each.closest("details"));
          const led = links.find((each) => document.getElementById(each.hash.slice(1))?.closest("details"));
          const inside = document.querySelector("details > :not(summary)");
          return led?.hash ?? `#${inside.id ||= "inside"}`;  // a link from elsewhere may lead into any fold
        }"""
    )
    assert not await in_view(page, folded)
    await page.evaluate("(hash) => { location.hash = hash; }", folded)
    await page.wait_for_function("(hash) => document.querySelector(hash).closest('details').open", arg=folded)
    assert await in_view(page, folded)


async def test_markup_in_names_and_messages_is_text(opened: Opened, tmp_path: Path) -> None:
    """The report is opened from a mail, with the rights of a file."""
    file = tmp_path / "report.html"
    file.write_text(report_page(hostile().session), "utf-8")
    page = await opened(file.as_uri(), "phone")
    assert await page.locator("img").count() == 0
    assert await page.locator("script").count() == 1  # its own
    words = await page.locator("body").inner_text()
    assert NAME in words
    assert words.count(HOSTILE) >= 10
    assert opened.asked == [file.as_uri()]
    assert await too_wide(page) == []
