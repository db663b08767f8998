"""A server of models that fails on command, and a panel that must not notice: real sockets, nothing mocked.

It answers as `answering.answered` does, until its `when` holds for a request; from then on it has its fault, until it
is mended.
"""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from answering import PANEL, answered, asked_for, own_words
from fake_anthropic import Say, Waits
from fake_chat import as_messages

from eda import Debate, MessagePosted, Session, Settings
from eda.errors import RunnerUnavailableError
from eda.events import BallotCast, SessionPaused, TurnFailed, VerdictReached
from eda.runners.chat_completions.runner import ChatRunner
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.model_runner import ModelRunner
from eda.runners.protocol import close_runner
from eda.runners.recorded import RecordingRunner

__all__ = [
    "CHAT_FAULTS",
    "FAULTS",
    "MOMENTS",
    "SLOW",
    "Faulty",
    "calm",
    "debate",
    "evening",
    "outcome",
    "resumed",
    "run_into",
]

_STREAM, _HTML, _JSON = "text/event-stream", "text/html", "application/json"
_TOOL = {"type": "tool_use", "id": "t1", "name": "search", "input": {}}
_ERROR = json.dumps({"type": "error", "error": {"type": "api_error", "message": "as scripted"}})


def _sent(status: str, kind: str, body: str, *headers: str) -> bytes:
    head = [f"HTTP/1.1 {status}", f"content-type: {kind}", "connection: close", *headers]
    return "\r\n".join((*head, "", body)).encode()


def _stream(model: str, block: dict[str, Any], stop: str) -> str:
    message = {"id": "1", "type": "message", "role": "assistant", "model": model, "content": []}
    usage = {"input_tokens": 100, "output_tokens": 20}
    events = (
        {"type": "message_start", "message": {**message, "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 20}},
        {"type": "message_stop"},
    )
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


FAULTS: dict[str, bytes | None] = {
    "refuses connections": None,
    "hangs up": None,
    "is silent": None,
    "drips a byte at a time": None,
    "drips words for ever": None,
    "answers 500": _sent("500 Broken", _JSON, _ERROR),
    "answers 503 in HTML": _sent("503 Away", _HTML, "<h1>Away</h1>"),
    "answers 429": _sent("429 Slow", _JSON, _ERROR, "retry-after: 0"),
    "answers 200 with HTML": _sent("200 OK", _HTML, "<h1>Welcome</h1>"),
    "answers an empty 200": _sent("200 OK", _STREAM, "", "content-length: 0"),
    "redirects": _sent("307 Moved", _HTML, "", "location: http://127.0.0.1:9/v1/messages", "content-length: 0"),
    "streams nonsense": _sent("200 OK", _STREAM, "event: message_start\ndata: {bad\n\n"),
    "calls a tool only": _sent("200 OK", _STREAM, _stream("m", _TOOL, "tool_use")),
    "refuses the key": _sent("401 No", _JSON, _ERROR.replace("api_error", "authentication_error")),
    "refuses all with 400": _sent("400 Bad", _JSON, _ERROR.replace("api_error", "invalid_request_error")),
    "refuses all with 413": _sent("413 Large", _JSON, _ERROR.replace("api_error", "request_too_large")),
    "answers blanks": _sent("200 OK", _STREAM, _stream("m", {"type": "text", "text": " \n"}, "end_turn")),
    "answers JSON without fields": _sent("200 OK", _STREAM, _stream("m", {"type": "text", "text": "{}"}, "end_turn")),
}
"""What is sent; None where the server does something else."""


def _chunks(delta: dict[str, Any], finish: str | None, **more: Any) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    usage = {"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}}
    rows = ({"model": "m", "choices": [choice], **more}, usage)
    return "".join(f"data: {json.dumps(row)}\n\n" for row in rows) + "data: [DONE]\n\n"


_CALL = {
    "tool_calls": [{"index": 0, "id": "t1", "type": "function", "function": {"name": "search", "arguments": "{}"}}]
}
_WRONG_KEY = json.dumps({"error": {"message": "Incorrect API key", "type": "error", "code": "invalid_api_key"}})
CHAT_FAULTS: dict[str, bytes | None] = {
    **FAULTS,
    "streams nonsense": _sent("200 OK", _STREAM, "data: {bad\n\n"),
    "calls a tool only": _sent("200 OK", _STREAM, _chunks(_CALL, "tool_calls")),
    "refuses the key": _sent("401 No", _JSON, _WRONG_KEY),
    "answers blanks": _sent("200 OK", _STREAM, _chunks({"content": " \n"}, "stop")),
    "answers JSON without fields": _sent("200 OK", _STREAM, _chunks({"content": "{}"}, "stop")),
    "ends without a reason": _sent("200 OK", _STREAM, _chunks({"content": "A half tho"}, None)),
    "errs within a 200": _sent(
        "200 OK", _STREAM, _chunks({"content": ""}, "error", error={"code": 502, "message": "x"})
    ),
}
"""The same of the Chat Completions API, and what only its servers do."""
SLOW = ("is silent", "drips a byte at a time", "drips words for ever")
"""Faults that only a deadline ends."""
_FORM = re.compile(r'\{"(bids|wants|choice|summary|agent)"')


def wanted(body: dict[str, Any]) -> set[str]:
    """The fields of the JSON that is asked for, by its schema or by the form that the prompt shows."""
    told = "".join(part["text"] for part in body.get("system", ()))
    form = _FORM.search(own_words(body)) or _FORM.search(told)
    return asked_for(body) or ({form[1]} if form else set())


MOMENTS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "start": lambda _: True,
    "mid-phase": lambda body: not wanted(body) and "m5]" in json.dumps(body),
    "ballot": lambda body: "choice" in wanted(body),
    "summary": lambda body: "summary" in wanted(body),
}


class Faulty:
    """`with Faulty("redirects", MOMENTS["ballot"]) as server:` ask `server.url`."""

    def __init__(
        self, fault: str = "", when: Callable[[dict[str, Any]], bool] = lambda _: False, kind: str = "claude"
    ) -> None:
        self.fault, self.when, self.kind = fault, when, kind
        self.broken = False
        self.asked = 0
        """Requests, of which `failed` met the fault."""
        self.failed = 0
        self._breaking = threading.Lock()
        self._ended = threading.Event()
        self._listening = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._port = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        self._listening.set()
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._listening.set()
        self._close()

    def mend(self, when: Callable[[dict[str, Any]], bool] = lambda _: False) -> None:
        """Answer again, until `when` holds."""
        self.when, self.broken = when, False
        if not self._listening.is_set():
            self._socket.listen()
            self._listening.set()

    def _close(self) -> None:
        with suppress(OSError):  # a thread that waits in `accept` is woken
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _serve(self) -> None:
        while not self._ended.is_set():
            self._listening.wait()
            with suppress(OSError):
                threading.Thread(target=self._answer, args=(self._socket.accept()[0],), daemon=True).start()

    def _answer(self, client: socket.socket) -> None:
        with client, suppress(OSError, ValueError):
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            body = _request(client)
            body = as_messages(body) if self.kind == "vllm" else body
            self.asked += 1
            self.broken = self.broken or self.when(body)
            if self.broken:
                self.failed += 1
                self._fail(client)
            else:
                schema = {"properties": dict.fromkeys(wanted(body))}
                say: Say = answered({**body, "output_config": {"format": {"schema": schema}}})
                stream = _stream(body["model"], {"type": "text", "text": say.text}, "end_turn")
                if self.kind == "vllm":
                    stream = _chunks({"content": say.text}, "stop")
                client.sendall(_sent("200 OK", _STREAM, stream))

    def _refuse(self) -> None:
        """Keep the port, and listen to nobody."""
        if not self._listening.is_set() or self._ended.is_set():
            return
        self._listening.clear()
        self._close()
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("127.0.0.1", self._port))

    def _fail(self, client: socket.socket) -> None:
        if self.fault == "refuses connections":
            with self._breaking:  # of several clients the first breaks it
                self._refuse()
        elif self.fault == "is silent":
            client.recv(1)
        elif self.fault == "drips a byte at a time":
            while client.send(b"H") and not self._ended.wait(0.02):
                pass
        elif self.fault == "drips words for ever":
            client.sendall(_sent("200 OK", _STREAM, ""))
            word: dict[str, Any] = {"choices": [{"index": 0, "delta": {"content": "and "}}]}
            if self.kind != "vllm":
                word = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "and "}}
            event = f"event: content_block_delta\ndata: {json.dumps(word)}\n\n".encode()
            while client.send(event) and not self._ended.wait(0.02):
                pass
        else:
            client.sendall((CHAT_FAULTS if self.kind == "vllm" else FAULTS)[self.fault] or b"")


def _request(client: socket.socket) -> dict[str, Any]:
    data = b""
    while b"\r\n\r\n" not in data:
        data += _more(client)
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
    while len(body) < length:
        body += _more(client)
    return json.loads(body)


def _more(client: socket.socket) -> bytes:
    if not (data := client.recv(1 << 16)):  # to ask again and again would keep a processor busy to the end
        raise ConnectionResetError("a client left in the middle of its request")
    return data


def runner_of(server: Faulty, kind: str, deadline: float, sleep: Any) -> ModelRunner:
    """A runner that asks the server, with a deadline in seconds."""
    given = {"timeout": deadline, "sleep": sleep}
    if kind == "vllm":
        return ChatRunner(f"vllm:{server.url}/v1#m", **given)
    return AnthropicRunner("m", cheap_model="m", api_key="sk-ant-not-a-key-4711", base_url=server.url, **given)


def debate(runner: Any, session: Session | None = None) -> Debate:
    """A debate with openings, a discussion, three summaries and a ballot."""
    chosen = Settings(max_messages=8, summary_every=4, first_vote=False)
    return Debate("Shall we go?", PANEL, runner, options=("Go", "Wait"), settings=chosen, session=session)


def outcome(session: Session) -> tuple[list[tuple[int, str, str]], dict[str, Any], Any]:
    """Who said what, who voted for what and why, and what was decided."""
    facts = list(session.events())
    said = [(fact.number, fact.who, fact.text) for fact in facts if isinstance(fact, MessagePosted)]
    votes = {fact.ballot.agent: fact.ballot for fact in facts if isinstance(fact, BallotCast)}
    decided = next((fact.outcome for fact in facts if isinstance(fact, VerdictReached)), None)
    return said, votes, decided


async def calm(folder: Path, kind: str = "claude") -> Any:
    """What comes of the debate where nothing goes wrong."""
    with Faulty(kind=kind) as server, Session.create(f"calm-{kind}", folder) as session:
        runner = RecordingRunner(runner_of(server, kind, 30, Waits()), folder / f"calm-{kind}.jsonl")
        await debate(runner, session).run()
        await close_runner(runner)
        return outcome(session)


async def run_into(
    server: Faulty, name: str, folder: Path, *, kind: str = "claude", deadline: float = 0.3, sleep: Any = None
) -> str:
    """Begin or resume the debate; return why it paused, or an empty text where it came to its end.

    It checks that no fact tells of the outage but the pause.
    """
    runner = RecordingRunner(runner_of(server, kind, deadline, sleep or Waits()), folder / f"{name}.jsonl")
    begun = (folder / name).exists()
    with Session.open(name, folder) if begun else Session.create(name, folder) as session:
        why = ""
        try:
            await (Debate.resume(session, runner) if begun else debate(runner, session)).run()
        except RunnerUnavailableError as error:
            why = str(error) if error.hint else ""
        finally:
            await close_runner(runner)
        facts = list(session.events())
        assert [fact for fact in facts if isinstance(fact, TurnFailed)] == []
        assert [fact for fact in facts if isinstance(fact, BallotCast) and fact.ballot.invalid] == []
        if why:
            assert isinstance(facts[-1], SessionPaused)
            assert (facts[-1].reason, facts[-1].error) == ("unavailable", why)
        return why


async def resumed(server: Faulty, name: str, folder: Path, *, kind: str = "claude") -> Any:
    """Mend the server, resume, and return what came of the debate."""
    server.mend()
    assert not await run_into(server, name, folder, kind=kind, deadline=30)
    with Session.read(name, folder) as session:
        return outcome(session)


async def evening(folder: Path, kind: str = "claude") -> Any:
    """What comes of the debate where the server goes off three times, each time resumed too early once."""
    name = f"evening-{kind}"
    with Faulty("refuses connections", lambda _: server.asked > 3, kind) as server:
        for pause in range(1, 4):
            for _ in ("as it goes off", "resumed too early"):
                assert "is not there" in await run_into(server, name, folder, kind=kind, deadline=30)
            server.mend(lambda _, after=server.asked + 5 * pause: server.asked > after)
        return await resumed(server, name, folder, kind=kind)
