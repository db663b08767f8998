"""Windows of a browser, and what their pages ask for and complain of."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Browser, Page
from served import BEARER

SIZES = {"phone": (390, 844), "tablet": (768, 1024), "desk": (1280, 900)}


class Opened:
    """The pages of one test, and what they complained of."""

    def __init__(self, chrome: Browser) -> None:
        self._chrome = chrome
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self._contexts: list[Any] = []

    async def __call__(
        self, address: str = "about:blank", size: str = "desk", *, scheme: Any = "light", **options: Any
    ) -> Page:
        """Open an address in a browser window of its own, as the owner unless `extra_http_headers` says otherwise."""
        width, height = SIZES[size]
        context = await self._chrome.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            **{"extra_http_headers": BEARER, **options},
        )
        self._contexts.append(context)
        context.set_default_timeout(60_000)
        page = await context.new_page()
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("dialog", self._alarmed)
        page.on("console", self._heard)
        await page.goto(address)
        return page

    async def _alarmed(self, dialog: Any) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        await dialog.dismiss()

    def _heard(self, message: Any) -> None:
        # A stream that breaks and a refusal that the page shows are told on the console by the browser itself.
        if message.type == "error" and "Failed to load resource" not in message.text and "ERR_" not in message.text:
            self.complaints.append(f"console: {message.text}")

    async def close(self) -> None:
        for context in self._contexts:
            await context.close()
