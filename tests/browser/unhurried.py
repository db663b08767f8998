"""A simulated panel that writes as slowly as a model does, so that a page can be watched."""

from __future__ import annotations

import asyncio
import os
import re

from eda.runners.protocol import OnText, Prompt, Reply
from eda.runners.simulated.runner import SimulatedRunner


class Unhurried(SimulatedRunner):
    """Writes a word, waits, and writes the next; each message has markup."""

    pause = float(os.environ.get("EDA_TEST_PAUSE", "0.004"))
    """Seconds between two words."""

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        reply = await super().run(prompt)
        if prompt.purpose != "speak":
            return reply
        text = f"<img src=x onerror=alert(1)> {reply.text}"
        for piece in re.findall(r"\s*\S+", text) if on_text else ():
            on_text(piece)
            await asyncio.sleep(self.pause)
        return Reply(text, reply.data, reply.usage, reply.model)
