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
import warm

TOKEN = "a-token-that-only-the-owner-has"  # noqa: S105 - of servers that live for a test
BEARER = {"Authorization": f"Bearer {TOKEN}"}
"""What the owner's programs send."""
_PLAIN = "from eda.cli import main; main()"


@contextmanager
def serving(
    folder: Path, *more: str, port: int = 0, runner: str = "simulated", path: Path | None = None, files: int = 0
) -> Iterator[str]:
    """Run the server; yield its address, without the token.

    `path` holds the module of a runner of the test's own; `files` are the most that it may open, 0 for the system's.
    """
    most = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files})); " * bool(files)
    command = [
        sys.executable,
        "-c",
        most + _PLAIN,
        "serve",
        "--port",
        str(port),
        "--json",
        "--sessions",
        str(folder),
        *more,
    ]
    where = {**os.environ, "EDA_TOKEN": TOKEN, **({"PYTHONPATH": str(path)} if path else {})}
    with (
        tempfile.TemporaryFile("w+") as told,
        warm.Popen(
            warm.PROGRAM, [*command, "--runner", runner], stdout=subprocess.PIPE, stderr=told, text=True, env=where
        ) as server,
    ):
        assert server.stdout is not None
        try:
            line = server.stdout.readline()
            told.seek(0)
            assert line, told.read()
            yield json.loads(line)["url"].partition("?")[0]
        finally:
            server.terminate()
            server.wait(30)
        told.seek(0)
        complaint = told.read()
        assert "Traceback" not in complaint, complaint


def get(url: str) -> httpx2.Response:
    """Ask for a page as its owner."""
    return httpx2.get(url, headers=BEARER, timeout=60)


def post(url: str, path: str, data: object, **headers: str) -> httpx2.Response:
    """Ask for a change as the server's own page does."""
    own = {"Origin": url, "Content-Type": "application/json", **BEARER, **headers}
    return httpx2.post(f"{url}{path}", content=json.dumps(data), headers=own, timeout=60)
