"""Makes the pictures of the pages in docs/images from sessions/example: `make screens`, with a Chromium on the path.

The live page shows that debate as it goes on after its fourteenth message, while a member writes the next.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from playwright.async_api import Browser, Page, async_playwright

from eda import Debate, Session
from eda.runners.protocol import OnText, Prompt, Reply
from eda.runners.simulated.runner import SimulatedRunner

HOME = Path(__file__).resolve().parents[2]
IMAGES = HOME / "docs" / "images"
RUNNING = 14
"""The last message of the debate that runs."""
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 780}
PIXELS = """
async (shot) => {
  const image = new Image();
  image.src = `data:image/png;base64,${shot}`;
  await image.decode();
  const { width, height } = image, pen = new OffscreenCanvas(width, height).getContext("2d");
  pen.drawImage(image, 0, 0);
  const bytes = pen.getImageData(0, 0, width, height).data;
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return [width, height, btoa(text)];
}
"""
TOKEN = "that-of-the-pictures-alone"  # noqa: S105 - of a server that lives for them
PLAIN = "from eda.cli import main; main()"


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Run `eda serve`; yield its address."""
    command = [sys.executable, "-c", PLAIN, "serve", "--port", "0", "--json", "--sessions", str(folder)]
    with subprocess.Popen(  # noqa: S603 - this one
        [*command, "--runner", "simulated"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "EDA_TOKEN": TOKEN},
    ) as server:
        try:
            yield json.loads(server.stdout.readline() if server.stdout else "")["url"].partition("?")[0].rstrip("/")
        finally:
            server.terminate()
            server.wait(30)


def copied(folder: Path, name: str, *, last: int = 0) -> None:
    """Copy the example into a folder; with `last`, only up to that message."""
    lines = (HOME / "sessions" / "example" / "events.jsonl").read_text("utf-8").splitlines(keepends=True)
    kept = next((at for at, line in enumerate(lines, 1) if json.loads(line).get("number") == last), len(lines))
    (folder / name).mkdir()
    (folder / name / "events.jsonl").write_text("".join(lines[:kept]), "utf-8")


class Writing(SimulatedRunner):
    """Bids, and then writes for ever."""

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return a bid; a message never."""
        if prompt.purpose == "speak":
            await asyncio.Event().wait()
        return await super().run(prompt, on_text)


async def picture(browser: Browser, name: str, address: str, *, phone: bool = False, **options: Any) -> None:
    """Write one picture."""
    own = {"Authorization": f"Bearer {TOKEN}"}
    size = PHONE if phone else WIDE
    context = await browser.new_context(viewport=size, reduced_motion="reduce", extra_http_headers=own, **options)
    page: Page = await context.new_page()
    await page.goto(address)
    if "/s/" in address and not address.endswith("report"):
        await page.locator("#messages article").last.wait_for(state="attached")
        await page.wait_for_timeout(500)  # it scrolls to its end
    shot = b64encode(await page.screenshot()).decode()
    await context.close()
    blank = await browser.new_page()
    width, height, pixels = await blank.evaluate(PIXELS, shot)
    await blank.close()
    (IMAGES / f"{name}.png").write_bytes(indexed(width, height, b64decode(pixels)))


def indexed(width: int, height: int, pixels: bytes) -> bytes:
    """Return a PNG of at most 256 colours, the frequent ones exact, and each near one of them: a third of the bytes."""
    seen, place, count = np.unique(np.frombuffer(pixels, "<u4") & 0xFFFFFF, return_inverse=True, return_counts=True)
    colours = np.stack([seen & 255, seen >> 8 & 255, seen >> 16], 1).astype(np.int32)
    for apart in range(6, 768, 6):
        palette = colours[:0]
        for colour in colours[np.argsort(-count)]:
            if not len(palette) or np.abs(palette - colour).sum(1).min() > apart:
                palette = np.vstack([palette, colour])
        if len(palette) <= 256:
            break
    nearest = np.array([np.abs(palette - colour).sum(1).argmin() for colour in colours], np.uint8)
    rows = np.hstack([np.zeros((height, 1), np.uint8), nearest[place].reshape(height, width)])
    parts = {
        b"IHDR": struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0),
        b"PLTE": palette.astype(np.uint8).tobytes(),
        b"IDAT": zlib.compress(rows.tobytes(), 9),
        b"IEND": b"",
    }
    made = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts.items()
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(made)


async def main() -> None:
    """Write them all."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        raise SystemExit("make screens needs a Chromium on the path")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        copied(folder, "billing-decided")
        copied(folder, "billing", last=RUNNING)
        with Session.open("billing", folder) as session, serving(folder) as url:
            running = asyncio.create_task(Debate.resume(session, Writing()).run())
            async with async_playwright() as player:
                browser = await player.chromium.launch(executable_path=found, args=["--no-sandbox"])
                for name, address in (("report", f"{url}/s/billing-decided/report"), ("live", f"{url}/s/billing")):
                    await picture(browser, name, address)
                    await picture(browser, f"{name}-dark", address, color_scheme="dark")
                    await picture(browser, f"{name}-phone", address, phone=True)
                await picture(browser, "list", f"{url}/")
                await browser.close()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(main())
