"""Messages in JSON, as the APIs of models have them, and AutoGen, LangGraph and MALLM."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from eda.text import regex
from eda.transcripts.kind import Reading, Row, TranscriptKind, moment, own_id
from eda.words import ENGLISH

_SIGN = regex(
    r'"role"\s*:\s*"(?:user|assistant|system|developer|tool)"|"type"\s*:\s*"(?:human|ai|system)"'
    r'|"(?:Human|AI)Message(?:Chunk)?"|"(?:message_thread|agent_states|channel_values|exampleId|globalMemory)"'
)
# The keys of lists of messages; what AutoGen shows a model again stands in `llm_context`.
_LISTS = ("messages", "message_thread", "globalMemory")
# Roles and types of messages that somebody says, without `Message` at the end.
_TALK = ("", "human", "user", "ai", "assistant", "text", "multimodal", "stop", "handoff", "structured")
_TEXTS = ("text", "input_text", "output_text")


def rows(reading: Reading) -> Iterator[Row]:
    """Yield the messages of each list in the file; of several lists each is a conversation."""
    value = _value(reading)
    talks = list(_talks(value)) or ([({}, value)] if isinstance(value, list) else [])
    if not talks:
        raise reading.file.fault("has no list of messages", 'A chat is [{"role": "user", "content": "..."}, ...].')
    for number, (holder, messages) in enumerate(talks, 1):
        given = holder.get("input")
        asked = (holder.get("instruction") or "", *(given if isinstance(given, list) else ()))
        conv = own_id(holder.get("exampleId")) or (str(number) if len(talks) > 1 else None)
        more = {"conv": conv, "question": " ".join(" ".join(map(str, asked)).split())}
        agents = {(str(each.get("persona")), str(each.get("agent_id"))) for each in messages if isinstance(each, dict)}
        seats = Counter(persona for persona, _ in agents)
        for place, message in enumerate(messages, 1):
            where = f"list {number}, message {place}" if len(talks) > 1 else f"message {place}"
            if isinstance(message, dict):
                yield from _message(reading, where, message, seats, more)
            else:
                reading.skip(where, "is no object")


def _value(reading: Reading) -> Any:
    """Return the JSON value of the file, or the list of those on its lines."""
    lines = reading.text.split("\n")
    if len(lines) == 1 or not all(regex(r"\{.*\}\s*$").match(line) for line in lines[:2] if line):
        return reading.file.json(reading.text)
    values = []
    for number, line in enumerate(lines, 1):
        try:
            values += [orjson.loads(line)] if line.strip() else []
        except orjson.JSONDecodeError as error:
            reading.skip(number, ENGLISH.say("transcripts-no-json", why=error.msg))
    return values


def _talks(value: Any) -> Iterator[tuple[Mapping[str, Any], list[Any]]]:
    """Yield each list of messages within a value, with the object that holds it."""
    for each in value if isinstance(value, list) else [value]:
        for key, inner in each.items() if isinstance(each, dict) else ():
            if key in _LISTS and isinstance(inner, list):
                yield each, inner
            elif isinstance(inner, dict) and key != "llm_context":
                yield from _talks(inner)


def _message(
    reading: Reading, where: str, message: dict[str, Any], seats: Mapping[str, int], more: Mapping[str, Any]
) -> Iterator[Row]:
    """Yield what a person or a model says; instructions, tools and what has no text are left out and counted."""
    inner = next((part for key in ("kwargs", "data") if isinstance(part := message.get(key), dict)), message)
    names = message.get("id")
    role = message.get("role") or (names[-1] if isinstance(names, list) and names else message.get("type")) or ""
    if regex(r"message(chunk)?$").sub("", str(role).lower()) not in _TALK:
        reading.left_out[f"{role} message"] += 1
        return
    persona, agent = inner.get("persona"), inner.get("agent_id")
    if seats.get(str(persona), 0) > 1:
        persona = f"{persona or ''} ({agent})"
    who = inner.get("name") or inner.get("source") or persona or agent or role
    text = _content(reading, inner.get("content", inner.get("message")))
    if role and not text.strip():
        reading.left_out[ENGLISH.say("transcripts-message-without-text", role=str(role))] += 1
        return
    own, sent = own_id(inner.get("id", inner.get("message_id"))), moment(inner.get("created_at"))
    yield from reading.row(where, who, text, id=own, sent=sent, **more)


def _content(reading: Reading, content: object) -> str:
    """Return a message's text, or the texts among its parts, an empty line between; other parts are counted."""
    texts = []
    for part in content if isinstance(content, list) else [content or ""]:
        kind = part.get("type") if isinstance(part, dict) else "text"
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str) and kind in _TEXTS:
            texts.append(text)
        else:
            reading.left_out[ENGLISH.say("transcripts-part-without-text", kind=str(kind or "object"))] += 1
    return "\n\n".join(texts)


KINDS: Mapping[str, TranscriptKind] = {
    "chat": TranscriptKind("JSON of model APIs, AutoGen, LangGraph or MALLM", _SIGN.search, rows)
}
