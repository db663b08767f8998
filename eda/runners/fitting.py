"""What a model wrote, made to fit: data that a schema takes, prose that ends with a sentence."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

from pydantic import BaseModel, ValidationError

from eda.escapes import without_escapes

__all__ = [
    "faults_of",
    "fit",
    "joined",
    "may_be_json",
    "may_be_name",
    "may_be_thinking",
    "readable",
    "whole_sentences",
    "without_json",
    "without_name",
    "without_thinking",
]

_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]*_]*(?=\s|$)|[。！？][」』）”]*")
_LIST_NUMBER = re.compile(r"\s*(\d{1,3}|[a-z])\.")
_THINK = ("<think>", "<thinking>")
_THOUGHT = re.compile(r"(?:\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z))+", re.DOTALL | re.IGNORECASE)
_THOUGHTS = re.compile(r"(?:\s*<think(?:ing)?>.*?</think(?:ing)?>)*", re.DOTALL | re.IGNORECASE)
_NUMBER = r"(?:\[?m\d+\]?:?\s+)?"
_JSON_FENCE = re.compile(r"\s*```json\s*\n(.*?)\n\s*```(.*)", re.DOTALL)
_SPEECH = ("speech", "text", "message", "content", "response", "statement", "turn")
"""Under what name models put their speech where they answer in JSON unasked."""
_BEFORE_NAME = re.compile(rf"[\s#]*[*_]*{_NUMBER}")
_AFTER_NAME = re.compile(r"(?:\s*\([^()\n]{0,60}\)?)?[*_]*\s*(?::[*_]*\s*)?")


def fit(answer: type[BaseModel], text: str) -> tuple[dict[str, Any] | None, str]:
    """The answer that a text holds, or what is wrong with it. Of an object that is one list, the list will do."""
    start, end = text.find("{"), text.rfind("}")
    listed = text[text.find("[") : text.rfind("]") + 1]
    if len(answer.model_fields) == 1 and len(listed) > end + 1 - start:
        with suppress(ValidationError):
            return _fitted(answer, f'{{"{next(iter(answer.model_fields))}": {listed}}}'), ""
    try:
        return _fitted(answer, text[start : end + 1] if 0 <= start < end else text), ""
    except ValidationError as error:
        return None, faults_of(error)


def _fitted(answer: type[BaseModel], text: str) -> dict[str, Any]:
    fitted = answer.model_validate_json(_tidied(text))
    return {name: _plain(value) for name, value in fitted.model_dump(mode="json").items()}


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
    """The text after leading `<think>` blocks: a server that does not know a model's format passes them on."""
    match = _THOUGHT.match(text)
    return text[match.end() :].strip() if match else text


def may_be_json(begun: str) -> bool:
    """Whether a text that is being written may be a JSON object, by its first character or fence."""
    head = begun.lstrip()
    return head.startswith(("{", "```json")) or "```json".startswith(head)


def without_json(text: str) -> str:
    """The speech in a JSON object, its moves below it, where a model wraps its reply in one; else the text itself."""
    fenced = _JSON_FENCE.fullmatch(text)
    bare = (fenced[1] if fenced else text).strip()
    try:
        held, end = json.JSONDecoder(strict=False).raw_decode(bare)
    except (ValueError, RecursionError):
        return text
    said = next((held[key] for key in _SPEECH if isinstance(held.get(key), str)), "") if isinstance(held, dict) else ""
    if not said.strip():
        return text
    moves = held.get("moves")
    lines = [line for line in moves if isinstance(line, str)] if isinstance(moves, list) else []
    rest = bare[end:] + (fenced[2] if fenced else "")
    return "\n\n".join(part.strip() for part in (said, "\n".join(lines), rest) if part.strip())


def without_name(text: str, name: str) -> str:
    """The text after the speaker's own name: models that read a transcript go on in its form."""
    who = rf"{_NUMBER}{re.escape(name)}(?:\s*\([^()\n]{{1,60}}\))?"
    match = re.match(rf"[\s#]*(?P<bold>[*_]*){who}(?:(?P=bold)\s*:|:(?P=bold))\s+", text, re.IGNORECASE)
    return text[match.end() :] if match else text


def may_be_name(begun: str, name: str) -> bool:
    """Whether of a text that is being written it is not yet known where it begins after the speaker's own name."""
    head = _BEFORE_NAME.sub("", begun, count=1).lower()
    if len(head) < len(name):
        return name.lower().startswith(head) or re.fullmatch(r"\[?m\d*\]?:?", head) is not None
    return head.startswith(name.lower()) and _AFTER_NAME.fullmatch(head, len(name)) is not None


def may_be_thinking(begun: str) -> bool:
    """Whether a text that is being written is still in a leading `<think>` block, or may be about to open one."""
    head = _THOUGHTS.sub("", begun, count=1).lstrip().lower()
    return head.startswith(_THINK) or any(tag.startswith(head) for tag in _THINK)
