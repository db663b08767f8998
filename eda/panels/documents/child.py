"""Reads what a stranger made in a process of its own, with bounds on time, memory and output.

A file that takes too much, or crashes its reader, ends nothing else. Windows has the limit on time alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from tempfile import TemporaryFile
from typing import Any

_MEMORY = 300_000_000
"""Bytes of addresses, of which a reader without a file takes a third."""
_OUTPUT = 50_000_000
_BEGIN = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from eda.panels.documents.child import main; main()"


def in_child(module: str, given: Any, raw: bytes, seconds: float) -> Any:
    """Return what `answer(given, raw)` of a module of EDA returns in a process of its own; both are JSON.

    The process has no variables of the environment, so no keys.

    Raises:
        TimeoutError: it takes too long.
        ChildProcessError: it takes too much memory, writes too much, or crashes.
    """
    command = [sys.executable, "-P", "-X", "utf8", "-c", _BEGIN, json.dumps(sys.path), module, json.dumps(given)]
    own = {name: os.environ[name] for name in ("SYSTEMROOT", "TMPDIR") if name in os.environ}
    with TemporaryFile() as answered:
        try:
            done = subprocess.run(  # noqa: S603 - this interpreter, with a module of this package
                [*command, str(seconds)],
                input=raw,
                stdout=answered,
                stderr=subprocess.DEVNULL,
                timeout=seconds,
                env=own,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise TimeoutError from error
        if done.returncode:
            raise ChildProcessError(done.returncode)
        answered.seek(0)
        return json.loads(answered.read(_OUTPUT + 1))


def main() -> None:
    """Answer in the child."""
    module, given, seconds = sys.argv[2:]
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on Windows

        cpu = int(float(seconds)) + 1
        limits = {"RLIMIT_AS": _MEMORY, "RLIMIT_CPU": cpu, "RLIMIT_FSIZE": _OUTPUT, "RLIMIT_CORE": 0}
        for name, most in limits.items():
            resource.setrlimit(getattr(resource, name), (most, most))
    told = import_module(module).answer(json.loads(given), sys.stdin.buffer.read())
    sys.stdout.write(json.dumps(told))
