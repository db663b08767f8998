"""What a model wrote, made to fit: data that a schema takes, prose that ends with a sentence."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

from pydantic import BaseModel, ValidationError

from eda.escapes import without_escapes

__all__ = ["faults_of", "fit", "joined", "may_be_thinking", "readable", "whole_sentences", "without_thinking"]

_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]*_]*(?=\s|$)|[。！？][」』）”]*")
_LIST_NUMBER = re.compile(r"\s*(\d{1,3}|[a-z])\.")
_THINK, _THINK_END = ("<think>", "<thinking>"), ("</think>", "</thinking>")
_THOUGHT = re.compile(r"\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)


def fit(answer: type[BaseModel], text: str) -> tuple[dict[str, Any] | None, str]:
    """The answer that a text holds, or what is wrong with it."""
    start, end = text.find("{"), text.rfind("}")
    try:
        fitted = answer.model_validate_json(_tidied(text[start : end + 1] if 0 <= start < end else text))
    except ValidationError as error:
        return None, faults_of(error)
    return {name: _plain(value) for name, value in fitted.model_dump(mode="json").items()}, ""


def _plain(value: Any) -> Any:
    """The same data, its texts without escape codes."""
    if isinstance(value, str):
        return without_escapes(value)
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return {key: _plain(one) for key, one in value.items()} if isinstance(value, dict) else value


def _tidied(text: str) -> bytes:
    """The same JSON, as the standard wants it: models break lines within strings, and cut emoji in half."""
    with suppress(ValueError, RecursionError):  # what is no JSON at all is for the schema to say
        text = json.dumps(json.loads(text, strict=False), ensure_ascii=False)
    return text.encode("utf-8", "replace")


def faults_of(error: ValidationError, most: int = 5) -> str:
    """What is wrong with an answer, in words that can be sent back: its first `most` faults."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)[:most]
    return "; ".join(f"{'.'.join(map(str, one['loc'])) or 'the answer'}: {one['msg']}" for one in faults)


def joined(text: str) -> str:
    """The text with the halves of a character, which some servers send apart, made one; a lone half is U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def readable(text: str) -> str:
    """The text as it may be shown and kept; empty where nobody would see a character of it."""
    plain = without_escapes(joined(text)).strip()
    return plain if any(letter.isprintable() and not letter.isspace() for letter in plain) else ""


def whole_sentences(text: str) -> str:
    """The text up to the end of its last whole sentence; empty where there is none."""
    for match in reversed(list(_SENTENCE_END.finditer(text))):
        whole = text[: match.end()]
        if not _LIST_NUMBER.fullmatch(whole.rpartition("\n")[2]):
            return whole
    return ""


def without_thinking(text: str) -> str:
    """The text after a leading `<think>` block: a server that does not know a model's format passes it on as speech."""
    match = _THOUGHT.match(text)
    return text[match.end() :].strip() if match else text


def may_be_thinking(begun: str) -> bool:
    """Whether a text that is being written is still in a leading `<think>` block, or may be about to open one."""
    head = begun.lstrip()
    if not head.startswith(_THINK):
        return any(tag.startswith(head) for tag in _THINK)
    return not any(tag in head for tag in _THINK_END)
