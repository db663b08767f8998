"""The page of `examples/web_app.py`: what the program's own page does, a user's can."""

from __future__ import annotations

import asyncio

from own_site import own_site
from windows import Opened

from eda import Debate, Settings
from eda.runners.protocol import OnText, Prompt, Reply
from eda.runners.simulated.runner import SimulatedRunner

MARKUP = "<img src=x onerror=alert(1)>"
BEGUN = f"[...document.querySelectorAll('p')].some((part) => part.textContent.trim() === '{MARKUP}')"


SHOWN = f"[...document.querySelectorAll('main p')].map((part) => part.innerText.startsWith('{MARKUP}'))"
WHOLE = f"String({SHOWN}) === '{','.join(['false'] * 3 + ['true'] * 5 + ['false'])}'"


class Watched(SimulatedRunner):
    """Begins once somebody looks on, and goes on with a message once its beginning was seen."""

    def __init__(self) -> None:
        super().__init__()
        self.opened, self.seen = asyncio.Event(), asyncio.Event()

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        await self.opened.wait()
        reply = await super().run(prompt)
        if on_text is None or prompt.purpose != "speak":
            return reply
        on_text(f"{MARKUP}\n")
        await self.seen.wait()
        return Reply(f"{MARKUP}\n{reply.text}", reply.data, reply.usage, reply.model)


async def test_text_is_shown_while_it_is_written_and_never_as_markup(opened: Opened) -> None:
    """Who copies the example would serve a page that stands still, or one that runs what a model writes."""
    runner, who = Watched(), ["sceptic", "historian", "economist"]
    debate = Debate("Ship?", who, runner, options=["Yes", "No"], settings=Settings(max_messages=8))
    async with own_site(debate) as address:
        page = await opened(address)
        await page.wait_for_function("facts.readyState === EventSource.OPEN")  # what is told before is not told again
        runner.opened.set()
        await page.wait_for_function(BEGUN)
        runner.seen.set()
        await page.get_by_role("heading", name="Verdict").wait_for()
        await page.wait_for_function(WHOLE)  # what is drawn in steps is drawn
        texts = await page.locator("main p").all_inner_texts()
        assert await page.locator("img").count() == 0
        late = await opened(address)
        await late.get_by_role("heading", name="Verdict").wait_for()
        assert await late.locator("main p").all_inner_texts() == texts
