"""A runner that says what the simulated one says, and never answers a message after the third."""

from __future__ import annotations

import asyncio

from eda.runners.protocol import OnText, Prompt, Reply
from eda.runners.simulated.runner import SimulatedRunner


class Stalling:
    """Waits for ever once three messages were posted."""

    spec = "stalling:Stalling"

    def __init__(self) -> None:
        self._inner = SimulatedRunner()

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        if prompt.purpose == "speak" and prompt.last >= 3:
            await asyncio.Event().wait()
        return await self._inner.run(prompt, on_text)
