"""Claude Code, Codex and any agent of the Agent Client Protocol as runners: how each is started, and what it prints.

Deadlines, breaker and recordings are as for every model.
"""

import asyncio
import json
import shlex
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

from eda.errors import RunnerError, RunnerUnavailableError, UsageError
from eda.panels.installer import to_install
from eda.runners.agents.client import AgentClient, Child, Login, limit_reached, said
from eda.runners.answer_text import MESSAGES_COUNTS, StreamedAnswer, counted, readable
from eda.runners.model_runner import ModelRunner
from eda.runners.models import ModelSpec, Provider, look_up
from eda.runners.protocol import Prompt
from eda.runners.server import CALL_TIMEOUT, OK, TRIES, PassingError, Sleep, StatusError, error_line
from eda.text import regex, shorten
from eda.words import ENGLISH

# Its tools, the user's and the folder's settings and hooks, servers of tools, and the record of the call.
_OFF = (
    *("--tools=", "--setting-sources=", "--strict-mcp-config", "--no-session-persistence"),
    *("--disable-slash-commands", "--thinking", "disabled"),
)
# Errors of the account, with the status that stands for each.
_ACCOUNT = {"authentication_failed": 401, "billing_error": 402}


class ClaudeCode(AgentClient):
    """Asks Claude Code."""

    name = "claude-code"
    install = f"Install it from https://claude.com/claude-code, or: {to_install('claude-code')}."
    access = "Start `claude`, and log in with /login."
    last = ("result",)
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

    def take(self, answer: StreamedAnswer, event: Any) -> str:
        """Add one event to the answer; return the text that it added."""
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
    counted(answer, event.get("usage"), MESSAGES_COUNTS)
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


# Its tools: read only, it would still run commands.
_FEATURES = (
    *("shell_tool", "unified_exec", "view_image", "goals", "apps", "plugins", "skill_search", "image_generation"),
    *("multi_agent", "tool_suggest", "browser_use", "computer_use", "hooks", "sleep_tool", "shell_snapshot"),
)
_CODEX_OFF = (
    *(word for each in _FEATURES for word in ("--disable", each)),
    *("-c", 'web_search="disabled"', "-c", "include_environment_context=false"),
    *("-c", "include_permissions_instructions=false", "-c", "skills.bundled.enabled=false"),
    *("-c", "project_doc_max_bytes=0"),
)
_CODEX_COUNTS = {
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cached_input_tokens",
    "cache_write_tokens": "cache_write_input_tokens",
}
_STATUS = regex(r"status:? (\d{3})\b")  # How its errors name the status that its server answered; they are not typed.
_CODEX_LIMIT = regex(r"usage limit", "I")


class Codex(AgentClient):
    """Asks Codex."""

    name = "codex"
    install = "Install it: npm install -g @openai/codex."
    access = "Log in: codex login."
    last = ("turn.completed", "turn.failed")

    subscription = False
    """Whether a subscription pays, once `login` was asked."""

    def command(self, program: str, request: Mapping[str, Any], folder: Path) -> Sequence[str]:
        """Return the command, with all of its own switched off that can be; the house rules are its instructions."""
        rules, schema = folder / "rules.md", folder / "schema.json"
        rules.write_text(request["system"] or "-", "utf-8")
        schema.write_text(json.dumps(request["schema"]), "utf-8")
        model = ("-m", request["model"]) if request["model"] else ()
        form = ("--output-schema", str(schema)) if request["schema"] else ()
        where = ("--json", "--ephemeral", "--ignore-user-config", "-s", "read-only", "--skip-git-repo-check")
        instructions = ("-c", f"model_instructions_file={json.dumps(str(rules))}")
        return (program, "exec", *where, *_CODEX_OFF, *instructions, *model, *form, "-")

    def take(self, answer: StreamedAnswer, event: Any) -> str:
        """Add one event to the answer; return the text that it added."""
        match event:
            case {"type": "item.completed", "item": {"type": "agent_message", "text": str(text)}}:
                answer.begun = True
                return answer.add(f"\n\n{text}" if answer.text else text)
            case {"type": "turn.completed", "usage": dict(usage)}:
                counted(answer, usage, _CODEX_COUNTS)
                given, cached = usage.get("input_tokens"), answer.counts.get("cache_read_tokens", 0)
                answer.count("input_tokens", given - cached if isinstance(given, int) else None)
                answer.cost = 0.0 if self.subscription else None
                answer.stop = "end_turn"
            case {"type": "turn.failed", "error": {"message": str(words)}}:
                status = _STATUS.search(words)
                if _CODEX_LIMIT.search(words):
                    raise limit_reached(self.name, None, words)
                raise StatusError(words, status=int(status[1]) if status else OK, headers={})
        return answer.add("")

    async def login(self) -> Login:
        """Return who `codex login status` says is logged in."""
        there, text = await asyncio.to_thread(said, self.program(), "login", "status")
        words = text.strip().rpartition("\n")[2]
        self.subscription = there and "API key" not in words
        return Login(there, words, subscription=self.subscription)


_ABLE = {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False}
# What takes the tools and settings of the agent for Claude away; others may ignore it.
_ACP_OFF = {"disableBuiltInTools": True, "claudeCode": {"options": {"settingSources": [], "tools": []}}}
_NO_LOGIN, _NO_METHOD = -32000, -32601  # Codes of errors: nobody is logged in; nothing of that name can be called.
_ACP_COUNTS = {
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
        meta = {"systemPrompt": request["system"] or "-", **_ACP_OFF}
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
        """Add one event to the answer; return the text that it added."""
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
                counted(answer, told.get("usage"), _ACP_COUNTS)
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
        place = Provider(
            name=agent.name,
            label=agent.name,
            url="",
            keys=(),
            access=agent.access,
            models=ENGLISH.say("agent-models"),
            later=ENGLISH.say("agent-later"),
            address=agent.install,
        )
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
            raise RunnerUnavailableError(
                ENGLISH.say("agent-no-login", name=self.agent.name, words=login.words),
                hint=self.agent.access,
                refused=True,
            )
        self._asked = True

    def _unconnected(self, error: Exception) -> NoReturn:
        raise PassingError(error_line(error, ()), vain=True) from error
