"""What the pages take in a real browser: `python benchmarks/page.py [--write]`.

It needs a Chromium and what the `dev` extra brings. Each figure stands beside a baseline of the same run: bare pages
and a server without viewers. Ratios carry from machine to machine, absolutes do not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import uvicorn
from long_sessions import kept
from playwright.async_api import Browser, async_playwright
from results import told
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from eda import Session
from eda.debate.replay import read_back
from eda.report.forms import report_html
from eda.report.gather import report_of

MESSAGES, VIEWERS, SPOKEN = 1_000, 50, 30
RUNS, OPENED, ANCHORS = 3, 5, 20
BOUND_TEXT, BOUND_OPEN, BOUND_ENGINE, BOUND_BYTES = 0.3, 1.0, 1.2, 2_000_000
HERE = Path(__file__).parent
PLAIN = "from eda.cli import main; main()"
# A stamp counts once the frame that shows it was drawn.
TEXT_SEEN = """
const seen = new Set(); window.late = [];
new MutationObserver((changes) => {
  for (const { target } of changes) for (const [, stamp] of target.textContent.matchAll(/at(\\d+\\.\\d{4})/g)) {
    if (seen.has(stamp)) continue;
    seen.add(stamp);
    const now = () => (performance.timeOrigin + performance.now()) / 1000;
    requestAnimationFrame(() => setTimeout(() => window.late.push(now() - stamp)));
  }
}).observe(document, { childList: true, characterData: true, subtree: true });
"""
LAST_SEEN = """
const look = () => document.getElementById("LAST") && document.readyState !== "loading"
  ? requestAnimationFrame(() => setTimeout(() => { window.took = performance.now() / 1000; }))
  : requestAnimationFrame(look);
look();
""".replace("LAST", f"m{MESSAGES}")
IN_VIEW = """
async (id) => {
  location.hash = id;
  for (let frame = 0; frame < 6; frame += 1) await new Promise(requestAnimationFrame);
  const { top, bottom } = document.getElementById(id).getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}
"""


TOKEN = "a-token-that-only-the-owner-has"  # noqa: S105 - of servers that live for a measurement
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@contextmanager
def serving(folder: Path, *, paced: bool = False) -> Iterator[str]:
    """Run `eda serve`; yield its address."""
    command = [sys.executable, "-c", PLAIN, "serve", "--port", "0", "--json", "--sessions", str(folder), "--runner"]
    env = {
        **os.environ,
        "EDA_TOKEN": TOKEN,
        "PYTHONPATH": str(HERE),
        "PACED_GO": str(folder / "go"),
        "PACED_TO": str(folder / "told"),
    }
    whom = "paced:Paced" if paced else "simulated"
    with subprocess.Popen(  # noqa: S603 - this one
        [*command, whom], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env
    ) as server:
        assert server.stdout is not None  # a pipe was asked for
        try:
            yield json.loads(server.stdout.readline())["url"].partition("/?")[0]
        finally:
            server.terminate()
            server.wait(60)


async def viewer(url: str, name: str, ready: asyncio.Event) -> int:
    """Read all events of a session to its end; return how many messages there were."""
    at, messages = urlsplit(url), 0
    reader, writer = await asyncio.open_connection(at.hostname, at.port, limit=1 << 22)
    writer.write(
        f"GET /s/{name}/events HTTP/1.1\r\nHost: {at.netloc}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()
    )
    while line := await reader.readline():
        messages += line.startswith(b'data: {"kind": "message"')
        if line.startswith(b'data: {"kind": "question"'):
            ready.set()
        if line.startswith(b'data: {"kind": "status"') and b'"state": "ended"' in line:
            break
    writer.close()
    return messages


async def watched(viewers: int, browser: Browser | None = None) -> dict[str, Any]:
    """Run a debate under the eyes of so many, and of a browser; return what the engine took and how late text was."""
    with tempfile.TemporaryDirectory() as place:
        folder, late = Path(place), []
        with serving(folder, paced=True) as url:
            wanted = {"question": "Move billing?", "options": "Move\nWait", "max_messages": SPOKEN}
            own = {"Origin": url, "Content-Type": "application/json", **BEARER}
            async with httpx2.AsyncClient() as client:
                answer = await client.post(f"{url}/new", content=json.dumps(wanted), headers=own)
            name = answer.json()["session"]
            ready = [asyncio.Event() for _ in range(viewers)]
            looking = [asyncio.create_task(viewer(url, name, each)) for each in ready]
            await asyncio.gather(*(each.wait() for each in ready))
            page = await browser.new_page(extra_http_headers=BEARER) if browser else None
            if page:
                await page.add_init_script(TEXT_SEEN)
                await page.goto(f"{url}/s/{name}")
                await page.locator("#status", has_text="messages").wait_for()
            (folder / "go").touch()
            with Session.read(name, folder) as session:
                async for _ in session.follow():
                    pass
            counts = set(await asyncio.gather(*looking))
            if len(counts) > 1:
                raise SystemExit(f"viewers got different numbers of messages: {counts}")
            if page:
                await page.locator("#status", has_text=re.compile("Decided|No verdict")).wait_for()
                late = await page.evaluate("window.late")
                await page.close()
        return {**json.loads((folder / "told").read_text()), "late": late}


async def bare_text(browser: Browser) -> list[float]:
    """How late words are on a bare page, of a bare server on the same libraries: what no page can undercut."""

    async def words() -> AsyncIterator[dict[str, str]]:
        await asyncio.sleep(0.5)
        for _ in range(SPOKEN):
            yield {"data": f"at{time.time():.4f} "}
            await asyncio.sleep(0.2)
        yield {"data": "end"}

    async def page_of(_: Request) -> Response:
        listen = 'new EventSource("/events").onmessage = (said) => { document.body.append(said.data); };'
        return HTMLResponse(f"<!doctype html><body><script>{listen}</script>")

    async def events(_: Request) -> Response:
        return EventSourceResponse(words())

    app = Starlette(routes=[Route("/", page_of), Route("/events", events)])
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
    listening = socket.create_server(("127.0.0.1", 0))
    serve = asyncio.create_task(server.serve([listening]))
    port = listening.getsockname()[1]
    page = await browser.new_page(extra_http_headers=BEARER)
    await page.add_init_script(TEXT_SEEN)
    await page.goto(f"http://127.0.0.1:{port}/")
    await page.wait_for_function("() => document.body.textContent.endsWith('end')")
    late = await page.evaluate("window.late")
    await page.close()
    server.should_exit = True
    await serve
    return late


async def opening(browser: Browser, address: str) -> float:
    """Return the seconds from the click until the last message is there and drawn."""
    page = await browser.new_page(extra_http_headers=BEARER)
    await page.add_init_script(LAST_SEEN)
    await page.goto(address, timeout=120_000)
    await page.wait_for_function("() => window.took", timeout=120_000)
    took = await page.evaluate("window.took")
    await page.close()
    return float(took)


async def anchors(browser: Browser, address: str) -> int:
    """Return how many of the links into a session lead to where their message is not."""
    page = await browser.new_page(extra_http_headers=BEARER)
    await page.goto(f"{address}#m{MESSAGES // 2}")
    await page.locator(f"#m{MESSAGES}").wait_for(state="attached", timeout=60_000)
    places = [MESSAGES // 2, *((number * 367) % MESSAGES + 1 for number in range(ANCHORS - 1))]
    dropped = sum([not await page.evaluate(IN_VIEW, f"m{number}") for number in places])
    await page.close()
    return dropped


def cell(value: float, bound: float, unit: str = "{:.2f}") -> str:
    """Return a figure, marked where it misses its bound."""
    return unit.format(value) + ("" if value <= bound else " (missed)")


def row(*cells: object) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(map(str, cells))} |"


async def measured(folder: Path) -> list[str]:
    """Return the lines of the section."""
    with Session.read("debate", folder) as session:
        progress, memory = read_back(session)
        began = time.process_time()
        report = report_html(report_of(session, progress, memory), session, memory)
        rendered = time.process_time() - began
    file = folder / "report.html"
    file.write_text(report, "utf-8")
    size, logged = file.stat().st_size, (folder / "debate" / "events.jsonl").stat().st_size
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        raise SystemExit("page.py needs a Chromium on the path")
    async with async_playwright() as player:
        browser = await player.chromium.launch(executable_path=found, args=["--no-sandbox"])
        bare, seen, alone, many = await bare_text(browser), [], [], []
        for _ in range(RUNS):
            alone.append(await watched(0))
            many.append(await watched(VIEWERS))
        seen = [(await watched(viewers, browser))["late"] for viewers in (0, VIEWERS)]
        cold, warm, still, dropped = [], [], [], 0
        for _ in range(RUNS):
            with serving(folder) as url:
                cold.append(await opening(browser, f"{url}/s/debate"))
                warm += [await opening(browser, f"{url}/s/debate") for _ in range(OPENED)]
                dropped = max(dropped, await anchors(browser, f"{url}/s/debate"))
            still.append(await opening(browser, file.as_uri()))
        lost = await anchors(browser, file.as_uri())
        await browser.close()
    lines = [
        row("first text of a message on screen, s", "messages", "median", "slowest (bound 0.3)", "of the bare page's"),
        "|---|---|---|---|---|",
    ]
    for what, late in zip(
        ("a bare page", "live page", f"live page, {VIEWERS} viewers beside"), (bare, *seen), strict=True
    ):
        ratio = statistics.median(late) / statistics.median(bare)
        lines.append(
            row(
                what, len(late), f"{statistics.median(late):.3f}", cell(max(late), BOUND_TEXT, "{:.3f}"), f"{ratio:.1f}"
            )
        )
    lines += [
        "",
        row(f"{MESSAGES:,} messages", "opened in, s (bound 1)", "of the report's", f"anchors dropped, of {ANCHORS}"),
        "|---|---|---|---|",
    ]
    base = statistics.median(still)
    for what, took, drop in (("live page, read before", warm, dropped), ("live page, first read of its log", cold, "")):
        middle = statistics.median(took)
        lines.append(row(what, cell(middle, BOUND_OPEN), f"{middle / base:.1f}", drop))
    lines.append(
        row(f"report.html, {size / 1e6:.2f} MB" + ("" if size <= BOUND_BYTES else " (missed)"), f"{base:.2f}", 1, lost)
    )
    lines += [
        "",
        row(f"a message of {VIEWERS} viewers' debate", "without", "with", "ratio (bound 1.2)"),
        "|---|---|---|---|",
    ]
    for what, key, bound in (
        ("engine, ms", "engine", BOUND_ENGINE),
        ("wall clock, ms", "wall", BOUND_ENGINE),
        ("processor of the server, ms", "processor", None),
    ):
        without, beside = (statistics.median(each[key] for each in runs) for runs in (alone, many))
        ratio = f"{beside / without:.2f}" if bound is None else cell(beside / without, bound)
        lines.append(row(what, f"{without * 1000:.1f}", f"{beside * 1000:.1f}", ratio))
    lines += ["", f"The report was rendered in {rendered:.1f} s; it is {size / logged:.2f} times as large as the log."]
    return lines


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="where the session is kept, or made if it is not there")
    parser.add_argument("--write", action="store_true", help="write the tables into RESULTS.md")
    args = parser.parse_args()
    with kept(args.folder, MESSAGES) as folder:
        body = "\n".join(asyncio.run(measured(folder)))
    told("page", "python benchmarks/page.py --write", body, write=args.write)


if __name__ == "__main__":
    main()
