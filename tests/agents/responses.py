"""The Responses API on loopback, as `codex` asks it: it answers by what the test gives, and keeps what it was sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Answer = Callable[[dict[str, Any]], str | int]
"""Returns the text of a reply, or the status of an error."""


class Responses:
    """A server in a thread of its own. `with Responses(answer) as there:` starts and stops it."""

    def __init__(self, answer: Answer) -> None:
        self.requests: list[dict[str, Any]] = []
        self.answer = answer
        there = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None: ...

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                there.requests.append(body)
                given = there.answer(body)
                self.send_response(given if isinstance(given, int) else 200)
                self.send_header("content-type", "application/json" if isinstance(given, int) else "text/event-stream")
                self.end_headers()
                if isinstance(given, int):
                    self.wfile.write(b'{"error": {"message": "no", "type": "some_error"}}')
                    return
                part = {"type": "output_text", "text": given}
                item = {"type": "message", "role": "assistant", "id": "msg_1", "content": [part]}
                usage = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
                for kind, more in (
                    ("response.created", {"response": {"id": "r1"}}),
                    ("response.output_item.done", {"item": item}),
                    ("response.completed", {"response": {"id": "r1", "usage": usage}}),
                ):
                    self.wfile.write(f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n".encode())

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
