"""Tools of other programs, called by the Model Context Protocol (the extra `mcp`)."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import CallToolResult, TextContent
from mcp.types import Tool as Described

from eda.errors import EdaError, UsageError
from eda.panels.tools import Tool, ToolServer, read_servers
from eda.report.formatting import clean
from eda.runners.tools import ToolResult
from eda.text import shorten
from eda.words import ENGLISH

_LINE = 200
"""Characters of a tool's description that members are shown."""


@contextmanager
def opened(path: Path) -> Iterator[ServerTools]:
    """Connect to the servers of a file, as a context; each is asked for what it has.

    Raises:
        InputError: the file cannot be used.
        UsageError: a server cannot be reached, lacks a tool that is allowed, or has one of another's name.
    """
    servers = read_servers(path)
    stack = ExitStack()
    try:
        # A loop of their own: a server that hangs or floods holds up no debate.
        box = ServerTools(stack.enter_context(start_blocking_portal()))
        for name, server in servers.items():
            try:
                box.add(name, server, stack)
            except EdaError:
                raise
            except Exception as error:
                raise UsageError(
                    f"the tool server '{name}' cannot be reached: {_first(error)}",
                    hint=f"Look at [{name}] in {path}.",
                ) from error
        yield box
    finally:
        stack.close()  # told of no error: the SDK would raise it in a group


class ServerTools:
    """The allowed tools of some servers."""

    def __init__(self, portal: BlockingPortal) -> None:
        self.tools: tuple[Tool, ...] = ()
        self._portal = portal
        self._of: dict[str, tuple[Client, ToolServer]] = {}

    def add(self, name: str, server: ToolServer, stack: ExitStack) -> None:
        """Connect to a server until the stack is closed. Raises the errors of `opened`, and those of the SDK."""
        env = {key: value for key in server.env if (value := os.environ.get(key)) is not None}
        program = StdioServerParameters(command=server.command or "", args=list(server.args), env=env)
        silent = stack.enter_context(Path(os.devnull).open("w"))  # noqa: SIM115 - else its log covers the screen
        # Without callbacks it has neither elicitation nor sampling: a server that asks for anything is refused.
        # Its own limit is later than that of `call`, which says in plain words that it has passed.
        client = Client(server.url or stdio_client(program, silent), read_timeout_seconds=server.timeout + 1)
        stack.enter_context(self._portal.wrap_async_context_manager(client))
        there = {tool.name: tool for tool in self._portal.call(client.list_tools).tools}
        for each in server.allow:
            if each not in there:
                hint = f"It has {', '.join(there) or 'none'}."
                raise UsageError(f"the tool server '{name}' has no tool '{each}'", hint=hint)
            if each in self._of:
                raise UsageError(f"two servers have the tool '{each}'", hint="Allow it for one of them.")
            self._of[each] = client, server
            self.tools += (_tool(there[each], server),)

    async def call(self, name: str, arguments: Mapping[str, Any], who: str = "") -> ToolResult:  # noqa: ARG002 - for all
        """Call a tool of `tools`. Whatever goes wrong is told in the result."""
        client, server = self._of[name]
        began = time.perf_counter()
        calling = self._portal.start_task_soon(client.call_tool, name, dict(arguments))
        try:
            async with asyncio.timeout(server.timeout):
                given = await asyncio.wrap_future(calling)
        except TimeoutError:
            error = ENGLISH.say("prompt-tool-late", seconds=f"{server.timeout:g}")
            return ToolResult(error=error, seconds=time.perf_counter() - began)
        except Exception as failure:  # noqa: BLE001 - whatever a server does, the debate goes on
            return ToolResult(error=shorten(_first(failure), _LINE), seconds=time.perf_counter() - began)
        return _result(given, server.bytes, time.perf_counter() - began)


def _result(given: CallToolResult, most: int, seconds: float) -> ToolResult:
    """Return what a tool gave as text of at most so many bytes, without what would act on a terminal."""
    parts = [each.text if isinstance(each, TextContent) else f"({each.type} left out)" for each in given.content]
    text = clean("\n".join(parts)).strip()
    raw = text.encode("utf-8", "replace")
    if len(raw) > most:
        cut = ENGLISH.say("prompt-tool-cut", bytes=len(raw) - most)
        text = f"{raw[:most].decode('utf-8', 'ignore')}\n{cut}"
    told = (given.meta or {}).get("cost")
    cost = float(told) if isinstance(told, int | float) and 0 <= told < float("inf") else 0.0
    error = (text or "it failed without a word") if given.is_error else ""
    return ToolResult("" if error else text, error, seconds, cost)


def _tool(described: Described, server: ToolServer) -> Tool:
    """Return a tool as members are told of it. What its server says is cut to a line."""
    schema = described.input_schema
    needed = schema.get("required", ())
    arguments = schema.get("properties", {})
    takes = [
        f"{key}{'' if key in needed else '?'}: {value.get('type', 'any') if isinstance(value, dict) else 'any'}"
        for key, value in arguments.items()
    ]
    does = " ".join(clean(described.description or "").split())
    return Tool(
        name=described.name,
        does=shorten(does, _LINE),
        takes=shorten(clean(", ".join(takes)), _LINE),
        most=server.most,
    )


def _first(error: BaseException) -> str:
    """Return the words of an error, or of the first one in a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return " ".join(str(error).split()) or type(error).__name__
