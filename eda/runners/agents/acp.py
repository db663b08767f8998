"""Any agent that speaks the Agent Client Protocol: JSON-RPC over its input and output."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from eda.errors import UsageError
from eda.runners.agents.child import Child
from eda.runners.agents.client import AgentClient
from eda.runners.answer_text import StreamedAnswer, counted, readable
from eda.runners.server_errors import OK, StatusError
from eda.text import shorten

_ABLE = {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False}
_OFF = {"disableBuiltInTools": True, "claudeCode": {"options": {"settingSources": [], "tools": []}}}
"""What takes the tools and settings of the agent for Claude away; others may ignore it."""
_NO_LOGIN, _NO_METHOD = -32000, -32601
"""Codes of errors: nobody is logged in; nothing of that name can be called."""
_COUNTS = {
    "input_tokens": "inputTokens",
    "output_tokens": "outputTokens",
    "cache_read_tokens": "cachedReadTokens",
    "cache_write_tokens": "cachedWriteTokens",
}
_TITLE = 120


class Acp(AgentClient):
    """Asks the agent that a command starts."""

    access = "Log in with the agent's own program."

    def __init__(self, command: str) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise UsageError(f"the command of the agent cannot be read: {error}") from error
        if not self._words:
            raise UsageError("the runner 'acp' names no command", hint="Write it as acp:COMMAND.")
        self.name = command
        self.install = f"Is {self._words[0]} on the PATH?"

    def program(self) -> str:
        """Return the program that the command starts."""
        return shutil.which(self._words[0]) or ""

    def command(self, program: str, request: Mapping[str, Any], folder: Path) -> Sequence[str]:  # noqa: ARG002
        """Return the command as it was given."""
        return (program, *self._words[1:])

    async def talk(self, child: Child, request: Mapping[str, Any], folder: Path) -> AsyncIterator[Any]:
        """Open a session and put the question there; refuse whatever the agent asks for."""
        meta = {"systemPrompt": request["system"] or "-", **_OFF}
        text = "\n\n".join(filter(None, (request["system"], request["text"])))  # few agents know a system prompt
        _write(child, {"id": 1, "method": "initialize", "params": {"protocolVersion": 1, "clientCapabilities": _ABLE}})
        session = ""
        async for event in child.events():
            match event:
                case {"method": "session/request_permission", "id": number, "params": dict(asked)}:
                    yield {"refused": _title(asked)}
                    _write(child, {"id": number, "result": {"outcome": _refusal(asked)}})
                case {"method": str(), "id": number}:
                    _write(child, {"id": number, "error": {"code": _NO_METHOD, "message": "not available"}})
                case {"method": "session/update", "params": {"sessionId": of, "update": update}} if of == session:
                    yield update
                case {"id": 1, "result": dict()}:
                    _write(
                        child,
                        {
                            "id": 2,
                            "method": "session/new",
                            "params": {"cwd": str(folder), "mcpServers": [], "_meta": meta},
                        },
                    )
                case {"id": 2, "result": {"sessionId": str(opened)}}:
                    session = opened
                    asks = {"sessionId": session, "prompt": [{"type": "text", "text": text}]}
                    _write(child, {"id": 3, "method": "session/prompt", "params": asks})
                case {"id": 3, "result": _} | {"id": 1 | 2 | 3, "error": _}:
                    yield event
                    return

    def take(self, answer: StreamedAnswer, event: Any) -> str:
        """Add one event to the answer."""
        match event:
            case {"refused": str(what)}:
                answer.refused.append(what)
            case {"sessionUpdate": "agent_message_chunk", "content": {"text": str(text)}}:
                answer.begun = True
                return answer.add(text)
            case {"sessionUpdate": "usage_update", "cost": {"amount": int() | float() as amount, "currency": "USD"}}:
                answer.cost = float(amount)
            case {"error": {"code": code, **error}}:
                words = f"{error.get('message', '')} {error.get('data') or ''}".strip()
                raise StatusError(words, status=401 if code == _NO_LOGIN else OK, headers={})
            case {"id": 3, "result": {"stopReason": str(stop), **told}}:
                counted(answer, told.get("usage"), _COUNTS)
                answer.stop = stop
        return answer.add("")


def _write(child: Child, message: Mapping[str, Any]) -> None:
    child.send(json.dumps({"jsonrpc": "2.0", **message}) + "\n")


def _refusal(asked: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the refusal that a request for permission offers; the end of the turn where it offers none."""
    options = asked.get("options")
    rows = [each for each in options if isinstance(each, dict)] if isinstance(options, list) else []
    kinds = {str(each.get("kind")): str(each.get("optionId")) for each in rows}
    no = kinds.get("reject_once") or kinds.get("reject_always")
    return {"outcome": "selected", "optionId": no} if no else {"outcome": "cancelled"}


def _title(asked: Mapping[str, Any]) -> str:
    call = asked.get("toolCall")
    title = call.get("title") if isinstance(call, dict) else None
    return shorten(" ".join(readable(str(title or "a tool")).split()), _TITLE)
