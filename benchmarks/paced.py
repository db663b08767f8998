"""A simulated panel that writes fifty words a second and tells how long the engine took: what `page.py` serves."""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from pathlib import Path

from eda.runners.protocol import OnText, Prompt, Reply
from eda.runners.simulated.runner import SimulatedRunner

WORD = 0.02
"""Seconds between two words."""


class Paced(SimulatedRunner):
    """Begins each streamed message with the time; waits for the file `PACED_GO` before it answers the first call.

    The engine's time is that in which no call was under way, and that in which the engine took a word. It stands in
    `PACED_TO`, with the processor time of the whole process since the first answer, once a message was written.
    """

    def __init__(self) -> None:
        super().__init__()
        self._under_way, self._spoke, self._engine, self._idle = 0, 0, 0.0, 0.0
        self._begun = self._processor = 0.0

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """The simulated reply, word by word."""
        if not self._begun:
            await asyncio.to_thread(_until, Path(os.environ["PACED_GO"]))
            self._idle = self._idle or time.perf_counter()
            self._begun, self._processor = self._begun or time.perf_counter(), self._processor or time.process_time()
        if not self._under_way:
            self._engine += time.perf_counter() - self._idle
        self._under_way += 1
        reply = await super().run(prompt)
        if prompt.purpose == "speak":
            self._spoke += 1
            for piece in (f"at{time.time():.4f}", *re.findall(r"\s*\S+", f" {reply.text}")):
                began = time.perf_counter()
                if on_text is not None:
                    on_text(piece)
                self._engine += time.perf_counter() - began
                await asyncio.sleep(WORD)
            self._tell()
        self._under_way -= 1
        self._idle = time.perf_counter()
        return reply

    def _tell(self) -> None:
        told = {
            "engine": self._engine / self._spoke,
            "processor": (time.process_time() - self._processor) / self._spoke,
            "wall": (time.perf_counter() - self._begun) / self._spoke,
        }
        Path(os.environ["PACED_TO"]).write_text(json.dumps(told))


def _until(file: Path) -> None:
    while not file.exists():
        time.sleep(0.02)
