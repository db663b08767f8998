"""A debate in which a person takes part at a page of this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from served import TOKEN

from eda.panels.request import DebateRequest
from eda.serve.app import make_app
from eda.serve.guests import alongside, bound, names_of
from eda.serve.host import Host

OPTIONS = "Gate in week six\nTrial without write access\nMove now\nWait a quarter"


@asynccontextmanager
async def table(folder: Path, **given: object) -> AsyncIterator[tuple[Host, str]]:
    """A debate in which Ana takes part; yields its host and the address of its page."""
    listening = bound("127.0.0.1", 0)
    host = Host(folder, "simulated", "product-decision")
    async with alongside(make_app(host, names=names_of("127.0.0.1"), token=TOKEN), listening):
        wanted = {"options": OPTIONS, "max_messages": 30, "human": "Ana", **given}
        name = host.start(host.prepared(DebateRequest.of({"question": "What about billing?", **wanted})))
        await host.begun(name)
        yield host, f"http://127.0.0.1:{listening.getsockname()[1]}/s/{name}"
