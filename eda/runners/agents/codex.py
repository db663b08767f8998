"""Codex, as `codex exec --json`."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from eda.runners.agents.child import Child, said
from eda.runners.agents.client import AgentClient, Login, limit_reached, until
from eda.runners.answer_text import StreamedAnswer, counted
from eda.runners.server_errors import OK, StatusError

_FEATURES = (
    *("shell_tool", "unified_exec", "view_image", "goals", "apps", "plugins", "skill_search", "image_generation"),
    *("multi_agent", "tool_suggest", "browser_use", "computer_use", "hooks", "sleep_tool", "shell_snapshot"),
)
"""Its tools: read only, it would still run commands."""
_OFF = (
    *(word for each in _FEATURES for word in ("--disable", each)),
    *("-c", 'web_search="disabled"', "-c", "include_environment_context=false"),
    *("-c", "include_permissions_instructions=false", "-c", "skills.bundled.enabled=false"),
    *("-c", "project_doc_max_bytes=0"),
)
_COUNTS = {
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cached_input_tokens",
    "cache_write_tokens": "cache_write_input_tokens",
}
_STATUS = re.compile(r"status:? (\d{3})\b")
"""How its errors name the status that its server answered; they are not typed."""
_LIMIT = re.compile(r"usage limit", re.IGNORECASE)


class Codex(AgentClient):
    """Asks Codex."""

    name = "codex"
    install = "Install it: npm install -g @openai/codex."
    access = "Log in: codex login."

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
        return (program, "exec", *where, *_OFF, *instructions, *model, *form, "-")

    def talk(self, child: Child, request: Mapping[str, Any], folder: Path) -> AsyncIterator[Any]:  # noqa: ARG002
        """Give it the question, and read up to the end of its turn."""
        child.send(request["text"], last=True)
        return until(child, "turn.completed", "turn.failed")

    def take(self, answer: StreamedAnswer, event: Any) -> str:
        """Add one event to the answer."""
        match event:
            case {"type": "item.completed", "item": {"type": "agent_message", "text": str(text)}}:
                answer.begun = True
                return answer.add(f"\n\n{text}" if answer.text else text)
            case {"type": "turn.completed", "usage": dict(usage)}:
                counted(answer, usage, _COUNTS)
                given, cached = usage.get("input_tokens"), answer.counts.get("cache_read_tokens", 0)
                answer.count("input_tokens", given - cached if isinstance(given, int) else None)
                answer.cost = 0.0 if self.subscription else None
                answer.stop = "end_turn"
            case {"type": "turn.failed", "error": {"message": str(words)}}:
                status = _STATUS.search(words)
                if _LIMIT.search(words):
                    raise limit_reached(self.name, None, words)
                raise StatusError(words, status=int(status[1]) if status else OK, headers={})
        return answer.add("")

    async def login(self) -> Login:
        """Return who `codex login status` says is logged in."""
        there, text = await asyncio.to_thread(said, self.program(), "login", "status")
        words = text.strip().rpartition("\n")[2]
        self.subscription = there and "API key" not in words
        return Login(there, words, subscription=self.subscription)
