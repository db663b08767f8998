"""Claude Code, as `claude --print` with JSON events: the program on the PATH, else the one of the extra."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from eda.errors import RunnerError
from eda.panels.installer import to_install
from eda.runners.agents.child import Child, said
from eda.runners.agents.client import AgentClient, Login, limit_reached, until
from eda.runners.answer_text import StreamedAnswer, counted
from eda.runners.models import look_up
from eda.runners.server_errors import OK, StatusError

_OFF = (
    *("--tools=", "--setting-sources=", "--strict-mcp-config", "--no-session-persistence"),
    *("--disable-slash-commands", "--thinking", "disabled"),
)
"""Its tools, the user's and the folder's settings and hooks, servers of tools, and the record of the call."""
_COUNTS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
}
_ACCOUNT = {"authentication_failed": 401, "billing_error": 402}
"""Errors of the account, with the status that stands for each."""


class ClaudeCode(AgentClient):
    """Asks Claude Code."""

    name = "claude-code"
    install = f"Install it from https://claude.com/claude-code, or: {to_install('claude-code')}."
    access = "Start `claude`, and log in with /login."
    env: Mapping[str, str] = {
        "CLAUDE_CODE_MAX_RETRIES": "0",  # EDA retries
        "CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK": "1",  # else a stream that is cut is asked twice
        "CLAUDE_CODE_ATTRIBUTION_HEADER": "0",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }

    def program(self) -> str:
        """Return the program on the PATH, else that of the extra, which is not imported."""
        extra = find_spec("claude_agent_sdk")
        bundled = [Path(each) / "_bundled" / "claude" for each in (extra and extra.submodule_search_locations) or ()]
        return shutil.which("claude") or next((str(path) for path in bundled if path.exists()), "")

    def command(self, program: str, request: Mapping[str, Any], folder: Path) -> Sequence[str]:  # noqa: ARG002
        """Return the command, with all of its own switched off that can be."""
        streams = ("--output-format", "stream-json", "--verbose", "--include-partial-messages")
        model = ("--model", request["model"]) if request["model"] else ()
        schema = ("--json-schema", json.dumps(request["schema"])) if request["schema"] else ()
        return (program, "--print", *streams, *_OFF, *model, *schema, "--system-prompt", request["system"])

    def talk(self, child: Child, request: Mapping[str, Any], folder: Path) -> AsyncIterator[Any]:  # noqa: ARG002
        """Give it the question, and read up to its result."""
        child.send(request["text"], last=True)
        return until(child, "result")

    def take(self, answer: StreamedAnswer, event: Any) -> str:
        """Add one event to the answer."""
        match event:
            case {"type": "stream_event", "event": {"delta": {"text": str(text)}}}:
                answer.begun = True
                return answer.add(text)
            case {"type": "stream_event", "event": {"message": {"model": str(model)}}}:
                answer.answers_as(model)
                answer.begun = True
            case {"type": "system", "subtype": "init", "apiKeySource": source}:
                answer.cost = 0.0 if source == "none" else None  # "none": a subscription pays
            case {"type": "rate_limit_event", "rate_limit_info": {"status": "rejected", **info}}:
                if not info.get("isUsingOverage"):
                    resets = info.get("resetsAt")
                    raise limit_reached(self.name, resets if isinstance(resets, int) else None)
            case {"type": "assistant", "error": str(kind), "message": message} if kind in _ACCOUNT:
                raise StatusError(_words(message), status=_ACCOUNT[kind], headers={})
            case {"type": "result"}:
                _take_result(answer, event)
        return answer.add("")

    async def login(self) -> Login:
        """Return who `claude auth status` says is logged in."""
        there, text = await asyncio.to_thread(said, self.program(), "auth", "status")
        try:
            told = json.loads(text)
            who = [str(told[key]) for key in ("email", "authMethod", "subscriptionType") if told.get(key)]
        except (ValueError, AttributeError):
            return Login(there, text)
        return Login(there, ", ".join(who), subscription=there and told.get("authMethod") != "api_key")


def _take_result(answer: StreamedAnswer, event: Mapping[str, Any]) -> None:
    """Take in the end of a call.

    Raises:
        StatusError: the model's server failed.
        RunnerError: the program gave up.
    """
    counted(answer, event.get("usage"), _COUNTS)
    denied = event.get("permission_denials")
    rows = (each for each in (denied if isinstance(denied, list) else ()) if isinstance(each, dict))
    answer.refused += [str(each.get("tool_name")) for each in rows]
    words, structured, kind = event.get("result"), event.get("structured_output"), str(event.get("subtype"))
    if kind.startswith("error_"):
        raise RunnerError(f"Claude Code gave up: {kind}")
    if event.get("is_error"):
        status = event.get("api_error_status")
        raise StatusError(str(words), status=status if isinstance(status, int) else OK, headers={})
    if structured is not None:
        answer.text = json.dumps(structured, ensure_ascii=False)
    elif isinstance(words, str):
        answer.text = words  # what was streamed may stand there twice
    answer.stop = "end_turn" if structured is not None else str(event.get("stop_reason") or "end_turn")
    cost, known = event.get("total_cost_usd"), look_up(answer.model).price is not None
    if answer.cost is None and known and isinstance(cost, int | float):  # that of an unknown model is made up
        answer.cost = float(cost)


def _words(message: Any) -> str:
    content = message.get("content") if isinstance(message, dict) else None
    parts = content if isinstance(content, list) else ()
    return " ".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))
