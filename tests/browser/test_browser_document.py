"""The documents at the table: a citation opens its passage, which a person reads, searches and quotes."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest
from looked_at import too_wide, vote_for
from playwright.async_api import expect
from seated import table
from windows import Opened

CONTRACT = (
    "# Contract\n\nNotice is three months.\nThe batch runs on the first of the month.\nA breach ends it <b>at once</b>."
)


@pytest.mark.parametrize(("size", "scheme"), [("phone", "light"), ("desk", "dark")])
async def test_a_citation_opens_the_document_and_a_passage_goes_into_a_message(
    opened: Opened, axe: str, tmp_path: Path, size: str, scheme: str
) -> None:
    given = [{"name": "contract.md", "data": b64encode(CONTRACT.encode()).decode()}]
    async with table(tmp_path, documents=given) as (_, url):
        page = await opened(url, size, scheme=scheme, bypass_csp=True)
        await vote_for(page, "o1")
        await page.wait_for_function('() => document.querySelector("#seat.asked")')
        if size == "phone":
            await page.get_by_role("tab", name="Talk").click()
        await page.locator("#words").fill("I read \u201cThe batch runs on the first\u201d otherwise.")
        await page.locator("#seat .main").click()
        cite = page.locator("#messages a.cite").first
        await cite.click()
        sheet = page.locator("#document")
        await expect(sheet.locator(".chosen .words")).to_have_text("The batch runs on the first of the month.")
        await expect(sheet.locator(".chosen")).to_be_in_viewport()
        await expect(sheet.locator(".chosen .acts")).to_contain_text("Cited in m")
        assert await too_wide(page) == []
        await page.evaluate(axe)
        found = await page.evaluate("axe.run('#document', { resultTypes: ['violations'] })")
        assert [(each["id"], each["help"], each["nodes"][0]["target"]) for each in found["violations"]] == []
        await sheet.get_by_role("searchbox").fill("BREACH")
        await expect(sheet.locator("[role=status]")).to_have_text("1 of 1")
        await expect(sheet.locator("mark")).to_have_text("breach")
        await expect(sheet.locator(".chosen .words")).to_have_text("A breach ends it <b>at once</b>.")
        await page.keyboard.press("Escape")
        await expect(sheet).to_be_hidden()
        assert await page.evaluate("document.activeElement.matches('a.cite')")
        await cite.click()
        await sheet.get_by_role("button", name="l. 3").click()
        await sheet.get_by_role("button", name="Quote").click()
        await expect(page.locator("#pending")).to_contain_text("\u201cNotice is three months.\u201d (contract.md l. 3)")
        await page.locator("#words").fill("That is long.")
        await page.locator("#seat .main").click()
        mine = page.locator("#messages article", has_text="That is long.")
        await expect(mine.locator("a.cite").first).to_contain_text("Notice is three months.")
