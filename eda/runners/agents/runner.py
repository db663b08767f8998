"""Programs that are logged in on this machine as runners: deadlines, breaker, recordings as for every model."""

from __future__ import annotations

import asyncio
from typing import NoReturn

from eda.errors import RunnerUnavailableError
from eda.runners.agents.acp import Acp
from eda.runners.agents.claude_code import ClaudeCode
from eda.runners.agents.client import AgentClient
from eda.runners.agents.codex import Codex
from eda.runners.model_runner import ModelRunner
from eda.runners.models import ModelSpec
from eda.runners.protocol import Prompt
from eda.runners.server import CALL_TIMEOUT, TRIES, PassingError, Sleep
from eda.runners.server_errors import Place, error_line
from eda.words import ENGLISH


class AgentRunner(ModelRunner):
    """Asks a program by its spec: `claude-code[:SPEAK[+CHEAP]]`, `codex[:SPEAK[+CHEAP]]` or `acp:COMMAND`.

    Raises:
        UsageError: the spec is malformed, or the command of an agent cannot be read.
    """

    def __init__(
        self,
        spec: str,
        *,
        attempts: int = TRIES,
        timeout: float = CALL_TIMEOUT,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        given = ModelSpec.parse(spec)
        kinds: dict[str, type[AgentClient]] = {"claude-code": ClaudeCode, "codex": Codex}
        agent = kinds[given.name]() if given.name in kinds else Acp(given.speak)
        place = Place(agent.name, agent.access, ENGLISH.say("agent-later"), ENGLISH.say("agent-models"), agent.install)
        super().__init__(
            given, place, agent, address=agent.name, key="", attempts=attempts, timeout=timeout, sleep=sleep
        )
        self.agent = agent
        self._asked = False

    async def prepare(self, prompt: Prompt | None = None) -> None:  # noqa: ARG002 - of the base
        """Ask Codex once who is logged in: without anybody it would try for long."""
        if self._asked or not isinstance(self.agent, Codex) or not self.agent.program():
            return
        login = await self.agent.login()
        if not login.there:
            message = ENGLISH.say("agent-no-login", name=self.agent.name, words=login.words)
            raise RunnerUnavailableError(message, hint=self.agent.access, refused=True)
        self._asked = True

    def _unconnected(self, error: Exception) -> NoReturn:
        raise PassingError(error_line(error, ()), vain=True) from error
