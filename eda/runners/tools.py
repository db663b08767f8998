"""A runner that has tools called. Whoever records or journals it keeps their results, so none is called again."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from eda.panels.tools import Tool
from eda.runners.protocol import OnText, Prompt, Reply, Runner, Usage, Wrapper, within
from eda.runners.recorded import RecordedRunner, ReplayThenLive
from eda.words import ENGLISH


class ToolResult(NamedTuple):
    """What came of a call."""

    text: str = ""
    error: str = ""
    """Why there is no result."""
    seconds: float = 0.0
    cost: float = 0.0
    """US dollars, where the tool tells."""
    source: str = ""
    """The place that it was found at, by which it is cited; empty for the name of the tool."""


class ToolBox(Protocol):
    """Tools that can be called."""

    tools: tuple[Tool, ...]

    async def call(self, name: str, arguments: Mapping[str, Any], who: str = "") -> ToolResult:
        """Call one of them for a member. Whatever goes wrong is told in the result."""
        ...


class ToolsRunner(Wrapper):
    """Calls a tool where a prompt is for one, and asks `inner` for all else."""

    def __init__(self, inner: Runner, box: ToolBox) -> None:
        self.inner = inner
        self.box = box

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return the inner runner's reply, or what a tool gives: its text, and as data how long it took, or an error.

        `prompt.own` has the tool's name and its arguments as JSON; `prompt.attempt` counts the calls of a turn.
        """
        if prompt.purpose != "tool":
            return await self.inner.run(prompt, on_text)
        result = await self._called(prompt)
        data = {"error": result.error, "seconds": round(result.seconds, 3)}
        data |= {"source": result.source} if result.source else {}
        return Reply(result.text, data, Usage(cost=result.cost))

    async def _called(self, prompt: Prompt) -> ToolResult:
        name, _, given = prompt.own.partition(" ")
        tool = next((tool for tool in self.box.tools if tool.name == name), None)
        if tool is None:
            return ToolResult(error=ENGLISH.say("prompt-no-tool", names=[each.name for each in self.box.tools]))
        if prompt.attempt > tool.most:
            return ToolResult(error=ENGLISH.say("prompt-tool-often", most=str(tool.most)))
        try:
            arguments = json.loads(given)
        except ValueError as error:
            return ToolResult(error=ENGLISH.say("prompt-tool-no-json", why=str(error)))
        if not isinstance(arguments, dict):
            return ToolResult(error='the arguments are no object, such as {"query": "words"}')
        return await self.box.call(tool.name, arguments, prompt.agent)


def with_tools(runner: Runner, box: ToolBox) -> Runner:
    """Return the runner with tools; a recording, which has their results, is asked for them first."""
    if isinstance(runner, ReplayThenLive):
        runner.inner = ToolsRunner(runner.inner, box)
    return runner if isinstance(runner, RecordedRunner | ReplayThenLive) else ToolsRunner(runner, box)


def tools_of(runner: Runner | None) -> tuple[Tool, ...]:
    """Return the tools of a runner, or of one that it records or replays."""
    return next((each.box.tools for each in within(runner) if isinstance(each, ToolsRunner)), ())


def has_results(runner: Runner | None) -> bool:
    """Return whether a prompt for a tool is answered: by tools, or by a recording."""
    return any(isinstance(each, ToolsRunner | RecordedRunner | ReplayThenLive) for each in within(runner))
