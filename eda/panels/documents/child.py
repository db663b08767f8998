"""Reads what a stranger made in a process of its own, with bounds on time, memory and output.

A file that takes too much, or crashes its reader, ends nothing else. Windows has the limit on time alone.
"""

import json
import os
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TypeVar

from pydantic import TypeAdapter
from pydantic_core import to_json

from eda.errors import EdaError, InputError
from eda.panels.allowed import ALLOWED
from eda.panels.files import UserFile

MEMORY = 300_000_000
"""Bytes of addresses, of which a reader without a file takes a third."""
OUTPUT = 50_000_000
_SECONDS = 12.0
_BEGIN = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from eda.panels.documents.child import main; main()"
T = TypeVar("T")


def read_apart(module: str, file: UserFile, given: Any, raw: bytes, kind: TypeAdapter[T], *, grows: bool = True) -> T:
    """Return what `answer(file, given, raw)` of a module of EDA returns in a process of its own.

    Args:
        module: Its `answer` raises an EdaError for a file that cannot be read.
        file: Makes the errors about it.
        given: What else `answer` is told, as JSON.
        raw: The bytes of the file.
        kind: Of what it returns.
        grows: A longer file may take more of all: eight bytes of memory a byte, a second a megabyte.

    Raises:
        EdaError: of the class of the file: it cannot be read.
    """
    more = len(raw) if grows else 0
    told, seconds = [str(file.path), file.what, given], _SECONDS + more / 1e6
    try:
        answered = in_child(module, told, raw, (seconds, MEMORY + 8 * more, OUTPUT + 2 * more))
    except TimeoutError:
        raise file.wrong("error-slow", seconds=round(seconds)) from None
    except ChildProcessError:
        raise file.wrong("error-broken") from None
    if answered.startswith(_ERROR):
        what, hint, told = json.loads(answered[len(_ERROR) :])
        error = file.error(what, hint=hint)
        error.told = told and tuple(told)
        raise error
    return kind.validate_json(answered)


def in_child(module: str, given: Any, raw: bytes, limits: tuple[float, int, int]) -> bytes:
    """Return the answer of a module, as JSON, from a process of its own; the limits are seconds, memory and output.

    The process has no variables of the environment, so no keys, but the list of what may be imported.

    Raises:
        TimeoutError: it takes too long.
        ChildProcessError: it takes too much memory, writes too much, or crashes.
    """
    command = [sys.executable, "-P", "-X", "utf8", "-c", _BEGIN, *map(json.dumps, (sys.path, given, limits)), module]
    own = {name: os.environ[name] for name in ("SYSTEMROOT", "TMPDIR", ALLOWED) if name in os.environ}
    with TemporaryFile() as answered:
        try:
            done = subprocess.run(  # noqa: S603 - this interpreter, with a module of this package
                command, input=raw, stdout=answered, stderr=subprocess.DEVNULL, timeout=limits[0], env=own, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise TimeoutError from error
        if done.returncode:
            raise ChildProcessError(done.returncode)
        answered.seek(0)
        return answered.read(limits[2] + 1)


def main() -> None:
    """Answer in the child."""
    (path, what, given), (seconds, memory, output) = map(json.loads, sys.argv[2:4])
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on Windows

        limits = {"RLIMIT_AS": memory, "RLIMIT_CPU": int(seconds) + 1, "RLIMIT_FSIZE": output, "RLIMIT_CORE": 0}
        for name, most in limits.items():
            resource.setrlimit(getattr(resource, name), (most, most))
    file = UserFile(Path(path), InputError, what=what)
    try:
        told = to_json(import_module(sys.argv[4]).answer(file, given, sys.stdin.buffer.read()), exclude_none=True)
    except EdaError as error:
        told = _ERROR + to_json([str(error), error.hint, error.told])
    sys.stdout.buffer.write(told)


_ERROR = b"error"  # Begins an answer that says why there is none: no JSON begins so.
