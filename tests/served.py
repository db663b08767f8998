"""`eda serve` as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PLAIN = "from eda.cli import main; main()"


@contextmanager
def serving(
    folder: Path, *more: str, port: int = 0, runner: str = "simulated", path: Path | None = None
) -> Iterator[str]:
    """Run the server; yield its address. `path` holds the module of a runner of the test's own."""
    command = [sys.executable, "-c", _PLAIN, "serve", "--port", str(port), "--json", "--sessions", str(folder), *more]
    where = {**os.environ, **({"PYTHONPATH": str(path)} if path else {})}
    with subprocess.Popen([*command, "--runner", runner], stdout=subprocess.PIPE, text=True, env=where) as server:
        assert server.stdout is not None
        try:
            yield json.loads(server.stdout.readline())["url"]
        finally:
            server.terminate()
            server.wait(30)
