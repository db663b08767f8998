"""A real browser: one Chromium for all tests of a process, and for each page what it complained of."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright
from windows import Opened

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The browser lives in one loop, and so do the tests that use it."""
    for item in items:
        if isinstance(item, pytest.Function) and "chrome" in item.fixturenames:
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chrome() -> AsyncIterator[Browser]:
    """The installed browser; where there is none, its tests are skipped."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"no browser to test in: none of {', '.join(BROWSERS)} is installed")
    async with async_playwright() as player:
        browser = await player.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def opened(chrome: Browser) -> AsyncIterator[Opened]:
    """Opens pages; afterwards no script of theirs has failed, and no markup of a model's has run."""
    pages = Opened(chrome)
    yield pages
    await pages.close()
    assert pages.complaints == []


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, which `make test-browser` installs."""
    script = Path(os.environ.get("AXE", ""))
    if not script.is_file():
        pytest.skip("axe-core is not installed: `make test-browser` does that where npm is")
    return script.read_text("utf-8")
