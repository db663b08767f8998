"""What programs that answer prompts have in common: a process for one call, whose end is certain, and the request."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
from abc import abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from eda.errors import RunnerUnavailableError
from eda.runners.answer_text import readable
from eda.runners.api_client import ApiClient, Tell, schema_of, with_form
from eda.runners.models import Model
from eda.runners.protocol import Prompt
from eda.runners.server import ModelAwayError
from eda.words import ENGLISH

_LINE, _ALL = 1 << 22, 1 << 24  # Bytes of a line, and of all lines, that a program may print.
_COMPLAINT = 2_000  # Bytes of its last complaint that are kept.
_PATIENCE = 15.0  # Seconds for a program that only says what it is.


class ProgramError(Exception):
    """A program cannot be started, has died, or prints what is no answer."""


class Child:
    """A program that runs."""

    def __init__(self, name: str, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._name, self._process = name, process
        self._in, self._out = process.stdin, process.stdout
        self.complaint = b""
        """The end of what it printed as errors."""

    def send(self, text: str, *, last: bool = False) -> None:
        """Give the program a text to read; `last` closes what it reads."""
        with suppress(OSError, RuntimeError):  # it has ended: its output tells
            self._in.write(text.encode())
            if last:
                self._in.close()

    async def events(self) -> AsyncIterator[dict[str, Any]]:
        """Yield each JSON object that the program prints; other lines are skipped.

        Raises:
            ProgramError: it prints too much, or ends.
        """
        size = 0
        while True:
            try:
                line = await self._out.readline()
            except ValueError as error:
                raise ProgramError(f"{self._name} prints a line without an end") from error
            size += len(line)
            if size > _ALL:
                raise ProgramError(f"{self._name} prints without an end")
            if not line:
                code = await self._process.wait()
                words = readable(self.complaint.decode("utf-8", "replace"))
                raise ProgramError(f"{self._name} ended without an answer (exit code {code}) {words}".strip())
            with suppress(ValueError, RecursionError):
                event = json.loads(line)
                if isinstance(event, dict):
                    yield event

    async def listen(self) -> None:
        """Keep the end of what it prints as errors, so that it never waits for a reader."""
        assert self._process.stderr is not None
        while piece := await self._process.stderr.read(1 << 16):
            self.complaint = (self.complaint + piece)[-_COMPLAINT:]

    async def end(self) -> None:
        """Kill the program, and the programs that it has started; it has ended then, also where this is cancelled."""
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._in.close()
        ended = asyncio.ensure_future(self._process.wait())
        while not ended.done():
            with suppress(asyncio.CancelledError):  # what is cancelled here is on its way out already
                await asyncio.shield(ended)


@asynccontextmanager
async def started(
    name: str, command: Sequence[str], folder: Path, env: Mapping[str, str] | None = None
) -> AsyncIterator[Child]:
    """Start a program in a folder; it is killed at the end of the context, whatever happens.

    Raises:
        ProgramError: it cannot be started.
    """
    pipe = asyncio.subprocess.PIPE
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=folder,
            env={**os.environ, **(env or {})},
            limit=_LINE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise ProgramError(f"{name} cannot be started: {error}") from error
    child = Child(name, process)
    listening = asyncio.create_task(child.listen())
    try:
        yield child
    finally:
        await child.end()
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)


def said(*command: str) -> tuple[bool, str]:
    """Return whether a program ended well, and what it printed; for one that only says what it is."""
    try:
        done = subprocess.run(  # noqa: S603 - the program of a runner that the user named, or a look-up of the doctor's
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return False, str(error)
    return done.returncode == 0, done.stdout.decode("utf-8", "replace").strip()


class Login(NamedTuple):
    """Who is logged in to a program."""

    there: bool
    words: str
    """What the program says of it."""
    subscription: bool = False
    """Whether calls are paid for by a subscription, and cost nothing more."""


class AgentClient(ApiClient):
    """Asks one program. Each call starts it anew, in an empty folder, so that it finds no file of anybody's."""

    name = ""
    """The name of the runner."""
    install = ""
    """What to do where the program is missing."""
    access = ""
    """What to do where nobody is logged in."""
    last: tuple[str, ...] = ()
    """Types of the events that end an answer."""
    env: Mapping[str, str] = {}
    """Variables that it is given beside those of the user."""

    def program(self) -> str:
        """Return the path of the program; empty where there is none."""
        return shutil.which(self.name) or ""

    async def talk(self, child: Child, request: Mapping[str, Any], folder: Path) -> AsyncIterator[Any]:  # noqa: ARG002
        """Put the question to the program; yield its events up to the first of a type in `last`."""
        child.send(request["text"], last=True)
        async for event in child.events():
            yield event
            if event.get("type") in self.last:
                return

    @abstractmethod
    def command(self, program: str, request: Mapping[str, Any], folder: Path) -> Sequence[str]:
        """Return the command that starts the program for one call."""

    def request(self, prompt: Prompt, model: Model, *, speaks: bool) -> dict[str, Any]:  # noqa: ARG002 - of the base
        """Return the question: the model (empty for the program's own), the house rules, the text, and the schema."""
        return {
            "model": "" if model.id == self.name else model.id,
            "system": prompt.system,
            "text": "\n\n".join(part for part in (*prompt.shared, *prompt.held, with_form(prompt)) if part),
            "schema": schema_of(prompt),
        }

    @asynccontextmanager
    async def events(
        self,
        request: Mapping[str, Any],
        tell: Tell,  # noqa: ARG002 - nothing is left out
    ) -> AsyncIterator[tuple[Mapping[str, str], AsyncIterator[Any]]]:
        """Start the program and give the events of its answer; it is killed at the end.

        Raises:
            RunnerUnavailableError: it is not installed.
            ProgramError: it cannot be started.
        """
        program = self.program()
        if not program:
            raise RunnerUnavailableError(ENGLISH.say("agent-missing", name=self.name), hint=self.install, refused=True)
        with TemporaryDirectory(prefix="eda-", ignore_cleanup_errors=True) as path:
            folder = Path(path)
            async with started(self.name, self.command(program, request, folder), folder, self.env) as child:
                yield {"content-type": "text/event-stream"}, self.talk(child, request, folder)

    def wire_errors(self) -> tuple[type[Exception], ...]:
        """Return what is raised where a program does not answer."""
        return (ProgramError, OSError)


def limit_reached(name: str, resets: float | None, words: str = "") -> ModelAwayError:
    """Return the error for a subscription that is used up until a time, in seconds since 1970, or as `words` say."""
    message = ENGLISH.say("agent-limit", name=name, words=words)
    if resets is not None:
        at = f"{datetime.fromtimestamp(resets, UTC):%Y-%m-%d %H:%M} UTC"
        message = ENGLISH.say("agent-limit-until", name=name, at=at)
    return ModelAwayError(message, hint=ENGLISH.say("agent-limit-hint"))
