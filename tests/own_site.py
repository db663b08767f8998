"""`examples/web_app.py`, served in the test's own process over a real socket."""

from __future__ import annotations

import asyncio
import runpy
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn

from eda import Debate

EXAMPLE = Path(__file__).parent.parent / "examples" / "web_app.py"


@asynccontextmanager
async def own_site(debate: Debate) -> AsyncIterator[str]:
    """Serve the debate, which begins at once; yield the address."""
    site = runpy.run_path(str(EXAMPLE))["app"](debate)
    server = uvicorn.Server(uvicorn.Config(site, port=0, log_config=None, ws="none", timeout_graceful_shutdown=2))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        assert not serving.done()
        await asyncio.sleep(0.005)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.should_exit = True
        await serving
