"""Tools of other programs, called by the Model Context Protocol (the extra `mcp`)."""

import asyncio
import logging
import os
import shutil
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent, Tool as Described
from pydantic import ValidationError

from eda.errors import EdaError, UsageError
from eda.panels.tools import Tool, ToolServer, read_servers
from eda.report.formatting import clean
from eda.runners.tools import ToolResult
from eda.serve import relay
from eda.text import shorten
from eda.words import ENGLISH

_LINE = 200  # Characters of a tool's description that members are shown.
_MOST = 8_000_000  # Bytes of a message of a server, whatever of it is shown.
_UNSEEN = logging.NullHandler()  # Without a handler Python prints what the SDK logs: tracebacks of what is no protocol.


class _Bounded(httpx2.AsyncHTTPTransport):
    """Reads answers that are no streams of events, which the SDK bounds itself, up to a bound."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Return the answer, whole."""
        answer = await super().handle_async_request(request)
        if answer.headers.get("content-type", "").startswith("text/event-stream"):
            return answer
        raw = bytearray()
        async for piece in answer.aiter_raw():
            raw += piece
            if len(raw) > _MOST or "content-encoding" in answer.headers:
                await answer.aclose()
                raise httpx2.ReadError("its answer is too long", request=request)
        return httpx2.Response(answer.status_code, headers=answer.headers, content=bytes(raw), request=request)


@asynccontextmanager
async def _over_http(url: str, seconds: float) -> AsyncIterator[Any]:
    plain = {"accept-encoding": "identity"}
    async with (
        httpx2.AsyncClient(transport=_Bounded(), timeout=seconds, headers=plain) as web,
        streamable_http_client(url, http_client=web) as streams,
    ):
        yield streams


@contextmanager
def opened(path: Path) -> "Iterator[ServerTools]":
    """Connect to the servers of a file, as a context; each is asked for what it has.

    Raises:
        InputError: the file cannot be used.
        UsageError: a server cannot be reached, lacks a tool that is allowed, or has one of another's name.
    """
    servers = read_servers(path)
    logging.getLogger("mcp.client").addHandler(_UNSEEN)
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
                    f"the tool server '{name}' cannot be reached: {box.why(name, _first(error))}",
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
        # The client, the server and its name, by the name of a tool.
        self._of: dict[str, tuple[Client, ToolServer, str]] = {}
        # What a server wrote last that is no message of the protocol, by its name.
        self._odd: dict[str, str] = {}

    def add(self, name: str, server: ToolServer, stack: ExitStack) -> None:
        """Connect to a server until the stack is closed. Raises the errors of `opened`, and those of the SDK."""
        env = {key: value for key in server.env if (value := os.environ.get(key)) is not None}
        command = [str(Path(relay.__file__)), str(_MOST), server.command or "", *server.args]
        if server.command and shutil.which(server.command) is None:
            raise UsageError(f"the tool server '{name}' cannot be reached: no program {server.command}")
        program = StdioServerParameters(command=sys.executable, args=["-I", *command], env=env)
        silent = stack.enter_context(Path(os.devnull).open("w"))  # noqa: SIM115 - else its log covers the screen
        late = server.timeout + 1
        transport = _over_http(server.url, late) if server.url else stdio_client(program, silent)

        async def hear(message: object) -> None:
            if isinstance(message, Exception):
                line = message.errors()[0]["input"] if isinstance(message, ValidationError) else message
                self._odd[name] = ENGLISH.say("prompt-tool-odd", line=shorten(clean(str(line)), _LINE // 2))

        # Without callbacks it has neither elicitation nor sampling: a server that asks for anything is refused.
        # Its own limit is later than that of `call`, which says in plain words that it has passed.
        client = Client(transport, read_timeout_seconds=late, message_handler=hear)
        stack.enter_context(self._portal.wrap_async_context_manager(client))
        there = {tool.name: tool for tool in self._portal.call(client.list_tools).tools}
        for each in server.allow:
            if each not in there:
                raise UsageError(
                    f"the tool server '{name}' has no tool '{each}'", hint=f"It has {', '.join(there) or 'none'}."
                )
            if each in self._of:
                raise UsageError(f"two servers have the tool '{each}'", hint="Allow it for one of them.")
            self._of[each] = client, server, name
            self.tools += (_tool(there[each], server),)

    def why(self, server: str, failure: str) -> str:
        """Return why a server failed, with what it wrote that is no message."""
        return "; ".join(filter(None, (shorten(failure, _LINE), self._odd.get(server))))

    async def call(self, name: str, arguments: Mapping[str, Any], who: str = "") -> ToolResult:  # noqa: ARG002 - for all
        """Call a tool of `tools`. Whatever goes wrong is told in the result."""
        client, server, called = self._of[name]
        began = time.perf_counter()
        calling = self._portal.start_task_soon(client.call_tool, name, dict(arguments))
        try:
            async with asyncio.timeout(server.timeout):
                given = await asyncio.wrap_future(calling)
        except TimeoutError:
            late = ENGLISH.say("prompt-tool-late", seconds=f"{server.timeout:g}")
            return ToolResult(error=self.why(called, late), seconds=time.perf_counter() - began)
        except Exception as failure:  # noqa: BLE001 - whatever a server does, the debate goes on
            return ToolResult(error=self.why(called, _first(failure)), seconds=time.perf_counter() - began)
        return _result(given, server.bytes, time.perf_counter() - began)


def _result(given: CallToolResult, most: int, seconds: float) -> ToolResult:
    """Return what a tool gave as text of at most so many bytes, without what would act on a terminal."""
    parts = [each.text if isinstance(each, TextContent) else f"({each.type} left out)" for each in given.content]
    text = clean("\n".join(parts)).strip()
    raw = text.encode("utf-8", "replace")
    if len(raw) > most:
        text = raw[:most].decode("utf-8", "ignore") + "\n" + ENGLISH.say("prompt-tool-cut", bytes=len(raw) - most)
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
