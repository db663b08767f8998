"""Chats in JSON as the APIs of models have them: messages with `role` and `content`, and perhaps `name`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from eda.transcripts.kind import Reading, Row, TranscriptKind
from eda.words import ENGLISH

_ROLE = re.compile(r'"role"\s*:\s*"(?:user|assistant|system|developer|tool)"')


def claims(head: str) -> bool:
    """True if a message has a role and a content."""
    return _ROLE.search(head) is not None and '"content"' in head


def rows(reading: Reading) -> Iterator[Row]:
    """Yield the messages of a list, of an object with `messages`, or of a conversation a line."""
    try:
        value = orjson.loads(reading.text)
    except orjson.JSONDecodeError:
        lines = reading.text.split("\n")
        if not all(line.startswith("{") for line in lines[:2]):
            value = reading.json()  # which says what is wrong
        else:
            yield from _of_lines(reading, lines)
            return
    yield from _talk(reading, value)


def _of_lines(reading: Reading, lines: list[str]) -> Iterator[Row]:
    """Yield the messages of a file with a message, or a conversation, on each line."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            reading.skip(number, ENGLISH.say("transcripts-no-json", why=error.msg))
            continue
        if isinstance(value, dict) and "messages" in value:
            yield from _talk(reading, value, conv=str(number))
        else:
            yield from _message(reading, f"line {number}", value)


def _talk(reading: Reading, value: Any, conv: str | None = None) -> Iterator[Row]:
    messages = value.get("messages") if isinstance(value, dict) else value
    if not isinstance(messages, list):
        raise reading.file.fault("has no list of messages", 'A chat is [{"role": "user", "content": "..."}, ...].')
    for number, message in enumerate(messages, 1):
        yield from _message(reading, f"message {number}", message, conv)


def _message(reading: Reading, where: str, message: Any, conv: str | None = None) -> Iterator[Row]:
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        reading.skip(where, "is no message with a role")
        return
    yield from reading.said(message["role"], message.get("name"), message.get("content"), message.get("id"), conv=conv)


KINDS: Mapping[str, TranscriptKind] = {
    "chat": TranscriptKind("JSON with `role` and `content`, as the APIs of models have it", claims, rows)
}
