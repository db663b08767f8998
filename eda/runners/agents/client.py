"""What all programs have in common that answer prompts: the request, a folder of its own, and who is logged in."""

from __future__ import annotations

import shutil
from abc import abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from eda.errors import RunnerUnavailableError
from eda.runners.agents.child import Child, ProgramError, started
from eda.runners.api_client import ApiClient, Tell
from eda.runners.models import Model
from eda.runners.protocol import Prompt
from eda.runners.request_parts import strict, with_form
from eda.runners.server import ModelAwayError
from eda.words import ENGLISH


@dataclass(frozen=True, slots=True)
class Login:
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
    env: Mapping[str, str] = {}
    """Variables that it is given beside those of the user."""

    def program(self) -> str:
        """Return the path of the program; empty where there is none."""
        return shutil.which(self.name) or ""

    @abstractmethod
    def talk(self, child: Child, request: Mapping[str, Any], folder: Path) -> AsyncIterator[Any]:
        """Put the question to the program; yield its events up to the last one of its answer."""

    @abstractmethod
    def command(self, program: str, request: Mapping[str, Any], folder: Path) -> Sequence[str]:
        """Return the command that starts the program for one call."""

    def request(self, prompt: Prompt, model: Model, *, speaks: bool) -> dict[str, Any]:  # noqa: ARG002 - of the base
        """Return the question: the model (empty for the program's own), the house rules, the text, and the schema."""
        schema = None if prompt.answer is None else prompt.answer.model_json_schema()
        own = prompt.own if schema is None else with_form(prompt, schema)
        return {
            "model": "" if model.id == self.name else model.id,
            "system": prompt.system,
            "text": "\n\n".join(part for part in (*prompt.shared, *prompt.held, own) if part),
            "schema": None if prompt.answer is None else prompt.strict or strict(prompt.answer),
        }

    def hello(self, model: Model) -> dict[str, Any]:
        """Return the shortest question."""
        return self.request(Prompt(purpose="poll", own="Hi."), model, speaks=False)

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


async def until(child: Child, *last: str) -> AsyncIterator[dict[str, Any]]:
    """Yield the events of a program up to the first whose type is one of `last`."""
    async for event in child.events():
        yield event
        if event.get("type") in last:
            return


def limit_reached(name: str, resets: float | None, words: str = "") -> ModelAwayError:
    """Return the error for a subscription that is used up until a time, in seconds since 1970, or as `words` say."""
    message = ENGLISH.say("agent-limit", name=name, words=words)
    if resets is not None:
        at = f"{datetime.fromtimestamp(resets, UTC):%Y-%m-%d %H:%M} UTC"
        message = ENGLISH.say("agent-limit-until", name=name, at=at)
    return ModelAwayError(message, hint=ENGLISH.say("agent-limit-hint"))
