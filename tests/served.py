"""`eda serve` as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

_PLAIN = "from eda.cli import main; main()"


@contextmanager
def serving(
    folder: Path, *more: str, port: int = 0, runner: str = "simulated", path: Path | None = None
) -> Iterator[str]:
    """Run the server; yield its address. `path` holds the module of a runner of the test's own."""
    command = [sys.executable, "-c", _PLAIN, "serve", "--port", str(port), "--json", "--sessions", str(folder), *more]
    where = {**os.environ, **({"PYTHONPATH": str(path)} if path else {})}
    with (
        tempfile.TemporaryFile("w+") as told,
        subprocess.Popen(
            [*command, "--runner", runner], stdout=subprocess.PIPE, stderr=told, text=True, env=where
        ) as server,
    ):
        assert server.stdout is not None
        try:
            line = server.stdout.readline()
            told.seek(0)
            assert line, told.read()
            yield json.loads(line)["url"]
        finally:
            server.terminate()
            server.wait(30)
        told.seek(0)
        complaint = told.read()
        assert "Traceback" not in complaint, complaint


def post(url: str, path: str, data: object, **headers: str) -> httpx2.Response:
    """Ask for a change as the server's own page does."""
    own = {"Origin": url, "Content-Type": "application/json", **headers}
    return httpx2.post(f"{url}{path}", content=json.dumps(data), headers=own, timeout=60)
