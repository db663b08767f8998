"""The Messages API on loopback, over real HTTP. The one rule: it does what a test scripts, and keeps what it was sent.

Each request takes the next step of the script; with the script at its end, the reply is `Say()`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

__all__ = ["Fail", "FakeAnthropic", "Say", "Waits"]


@dataclass(frozen=True)
class Say:
    """A reply, whole or broken."""

    text: str = "It is so."
    thinking: str = ""
    """A thinking block before the text; empty for none."""
    stop: str | None = "end_turn"
    usage: Mapping[str, int] | None = field(default_factory=lambda: {"input_tokens": 100, "output_tokens": 20})
    """None: the server tells none, as some do."""
    then: str = "end"
    """What follows the text: `end`; `cut` (the stream ends early, cleanly); `drop` (the connection breaks); `stall`
    (nothing more comes until the client hangs up); `pings` (nothing else until then); `overloaded_error` or another
    type of error (an SSE error event)."""
    headers: Mapping[str, str] = field(default_factory=dict)
    tool: str = ""
    """The tool that is called with the text as its arguments; empty where the text is said."""


@dataclass(frozen=True)
class Fail:
    """An HTTP error."""

    status: int
    kind: str = "api_error"
    message: str = "no"
    headers: Mapping[str, str] = field(default_factory=dict)
    code: str = ""
    """`error.details.error_code`."""


class FakeAnthropic:
    """A server in a thread of its own. `with FakeAnthropic() as fake:` starts and stops it."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        # Each connection takes it over: else every reply waits 40 ms for the client's delayed acknowledgement.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        app = Starlette(routes=[*self._asked_at(), Route("/v1/models", self._models, methods=["GET"])])
        config = uvicorn.Config(app, log_config=None, lifespan="off", ws="none", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True)
        self.script: deque[Say | Fail] = deque()
        self.answer: Callable[[dict[str, Any]], Say | Fail] | None = None
        """Answers a request by what it says, where the script is at its end."""
        self.model = ""
        """The model that it says has answered; empty for the one that was asked."""
        self.models: list[str] | Fail | None = None
        """What `GET /v1/models` lists; None where the server does not have it."""
        self.requests: list[dict[str, Any]] = []
        """The body of each request."""
        self.headers: list[dict[str, str]] = []
        self.piece = 12
        """Characters of a streamed piece of text."""
        self.hung_up = threading.Event()
        """Set when a client goes away from a stalled reply."""

    def _asked_at(self) -> list[Route]:
        return [Route("/v1/messages", self._messages, methods=["POST"])]

    def __enter__(self) -> Self:
        # What uvicorn logs of a connection that a script broke is no news to the test.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL + 1)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.005)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=5)
        self._socket.close()

    def play(self, *steps: Say | Fail) -> None:
        """Forget what was, and script what comes."""
        self.script = deque(steps)
        self.answer = self.models = None
        self.requests.clear()
        self.headers.clear()
        self.hung_up.clear()

    async def _models(self, request: Request) -> Response:
        if self.models is None:
            return JSONResponse({"error": "not found"}, 404)
        self.headers.append(dict(request.headers))
        if isinstance(self.models, Fail):
            return _failed(self.models)
        return JSONResponse({"object": "list", "data": [{"id": name} for name in self.models]})

    async def _messages(self, request: Request) -> Response:
        body = json.loads(await request.body())
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        step = self.script.popleft() if self.script else self.answer(body) if self.answer else Say()
        if isinstance(step, Fail):
            return _failed(step)
        if not body.get("stream"):
            content = [{"type": "text", "text": step.text}]
            return JSONResponse(
                {
                    **_envelope({**body, "model": self.model or body["model"]}, step),
                    "content": content,
                    "stop_reason": step.stop,
                }
            )
        return StreamingResponse(self._stream(body, step), media_type="text/event-stream", headers=dict(step.headers))

    async def _stream(self, body: dict[str, Any], step: Say) -> AsyncIterator[str]:
        started = _envelope({**body, "model": self.model or body["model"]}, step)
        if step.usage is not None:
            started["usage"] = {**step.usage, "output_tokens": 1}
        yield _event("message_start", message=started)
        yield _event("ping")
        index = 0
        if step.thinking:
            yield _event(
                "content_block_start", index=0, content_block={"type": "thinking", "thinking": "", "signature": ""}
            )
            yield _event("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": step.thinking})
            yield _event("content_block_stop", index=0)
            index = 1
        block = {"type": "tool_use", "id": "toolu_1", "name": step.tool, "input": {}}
        block = block if step.tool else {"type": "text", "text": ""}
        kind, key = ("input_json_delta", "partial_json") if step.tool else ("text_delta", "text")
        yield _event("content_block_start", index=index, content_block=block)
        for start in range(0, len(step.text), self.piece):
            piece = {"type": kind, key: step.text[start : start + self.piece]}
            yield _event("content_block_delta", index=index, delta=piece)
        if step.then == "cut":
            return
        if step.then == "drop":
            await asyncio.sleep(0.02)  # let the pieces arrive before the connection breaks
            raise ConnectionAbortedError
        if step.then in ("stall", "pings"):
            try:
                while step.then == "pings":
                    yield _event("ping")
                    await asyncio.sleep(0.02)
                await asyncio.Event().wait()  # starlette cancels it when the client goes away
            finally:
                self.hung_up.set()
        if step.then != "end":
            yield _event("error", error={"type": step.then, "message": "as scripted"})
            return
        yield _event("content_block_stop", index=index)
        delta = {"stop_reason": step.stop, "stop_sequence": None}
        counted = {} if step.usage is None else {"usage": {"output_tokens": step.usage["output_tokens"]}}
        yield _event("message_delta", delta=delta, **counted)
        yield _event("message_stop")


class Waits(list[float]):
    """Keeps the seconds that it was asked to sleep, and sleeps none."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def _failed(step: Fail) -> Response:
    error: dict[str, Any] = {"type": step.kind, "message": step.message}
    if step.code:
        error["details"] = {"error_code": step.code}
    return JSONResponse({"type": "error", "error": error}, step.status, dict(step.headers))


def _envelope(body: dict[str, Any], step: Say) -> dict[str, Any]:
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "content": []}
    counted = {} if step.usage is None else {"usage": dict(step.usage)}
    return {**head, "stop_reason": None, "stop_sequence": None, **counted}


def _event(kind: str, **data: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n"
