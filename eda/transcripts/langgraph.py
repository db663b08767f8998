"""LangGraph: a checkpoint or a state with `messages`, or what `messages_to_dict` returns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from eda.transcripts.kind import Reading, Row, TranscriptKind, moment

_MESSAGE = re.compile(r'"type"\s*:\s*"(?:human|ai|system)"|"(?:Human|AI)Message(?:Chunk)?"')
_CLASS = re.compile(r"(Human|AI|System|Tool|Function)Message(?:Chunk)?")


def claims(head: str) -> bool:
    """True if it has the values of channels, or a message of LangChain."""
    return '"channel_values"' in head or _MESSAGE.search(head) is not None


def rows(reading: Reading) -> Iterator[Row]:
    """Yield what people and models say; of a history of checkpoints the newest is read."""
    value = reading.json()
    if isinstance(value, list) and value and all(isinstance(each, dict) and _inside(each) for each in value):
        reading.left_out["older checkpoint"] += len(value) - 1
        value = max(value, key=lambda each: str(each.get("ts") or each.get("created_at") or ""))
    messages = _inside(value) if isinstance(value, dict) else value
    if not isinstance(messages, list):
        raise reading.file.fault("has no list of messages", "Write it with `messages_to_dict(state['messages'])`.")
    for number, message in enumerate(messages, 1):
        kind, data = _read(message)
        if kind is None:
            reading.skip(f"message {number}", "is no message of LangChain")
        else:
            name, sent = data.get("name"), moment(data.get("created_at"))
            yield from reading.said(kind, name, data.get("content"), data.get("id"), sent=sent)


def _inside(value: dict[str, Any]) -> Any:
    """Return the messages of a checkpoint, of a state, or of an object that holds either; None without any."""
    for key in ("checkpoint", "channel_values", "values", "messages"):
        inner = value.get(key) if isinstance(value, dict) else None
        value = value if inner is None else inner
    return value if isinstance(value, list) else None


def _read(message: Any) -> tuple[str | None, dict[str, Any]]:
    """Return the type of a message, such as `human`, and its fields."""
    if not isinstance(message, dict):
        return None, {}
    names, fields = message.get("id"), message.get("kwargs")
    if isinstance(names, list) and names and isinstance(fields, dict):
        match = _CLASS.fullmatch(str(names[-1]))
        return match and match[1].lower(), fields
    data = message.get("data", message)
    kind = message.get("type")
    if not isinstance(kind, str) or not isinstance(data, dict):
        return None, {}
    return kind.removesuffix("MessageChunk").lower(), data


KINDS: Mapping[str, TranscriptKind] = {
    "langgraph": TranscriptKind("a checkpoint or messages of LangGraph", claims, rows)
}
