"""The answer of a model that takes minutes. A malformed item is left out and does not void the others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

MOST = 100
"""Most items read of each kind; a range has far fewer."""
TRIED = 50
"""Most braces of a text that are tried as the beginning of the answer."""
_NUMBER = re.compile(r"\W*m?\W*0*(\d{1,9})\W*", re.IGNORECASE)
_SUMMARY = re.compile(r'"summary"\s*:\s*("(?:[^"\\]|\\.)*")')
_SPEECH = re.compile(r"\[(?:propose|amend|support|oppose|neutral|withdraw|position)\b", re.IGNORECASE)
"""A move, as a speaker declares it."""
_FENCE = re.compile(r"```(?:json)?[ \t]*\n?\s*(?:```)?", re.IGNORECASE)


def _text(value: Any) -> Any:
    """Return a text that can be stored, with lone surrogates replaced."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _number(value: Any) -> Any:
    match = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    return int(match[1]) if match else value


def _id(value: Any) -> Any:
    return _text(value).strip(" \t\n`'\"[](){}<>*.,;:") if isinstance(value, str) else value


def _named(value: Any) -> Any:
    return f"m{value}" if isinstance(value, int) and not isinstance(value, bool) else (_id(value) or None)


def _lower(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_text)]
MessageNumber = Annotated[int, BeforeValidator(_number), Field(description="The number of the message: 12 for m12.")]
Words = Annotated[Text, Field(description="Words of that message, copied word for word.")]
ItemId = Annotated[str, BeforeValidator(_id)]
Target = Annotated[str | None, BeforeValidator(_named)]


class Said(BaseModel):
    """A proposal, or an open question."""

    message: MessageNumber
    quote: Words
    text: Text = Field(default="", description="It in one sentence.")


class Settled(BaseModel):
    """A decision."""

    message: MessageNumber
    quote: Words
    text: Text = Field(default="", description="What was decided, in one sentence.")
    proposal: Target = Field(default=None, description="The id of the proposal that it accepts, or null.")


class Reacted(BaseModel):
    """Somebody's answer to a proposal."""

    message: MessageNumber
    quote: Words
    stance: Annotated[Literal["support", "oppose", "neutral"], BeforeValidator(_lower)]
    to: Target = Field(default=None, description="The id of the proposal, or m12 for the one listed of message 12.")


class Denied(BaseModel):
    """An item that a pattern found wrongly."""

    id: ItemId
    why: Text = Field(default="", description="Why, in a few words.")


def _each(kind: type[BaseModel]) -> BeforeValidator:
    """Return a validator that keeps the valid items of a list."""

    def fitting(value: Any) -> list[BaseModel]:
        valid: list[BaseModel] = []
        for row in value[:MOST] if isinstance(value, list | tuple) else ():
            try:
                valid.append(kind.model_validate(row))
            except ValidationError:
                continue
        return valid

    return BeforeValidator(fitting)


def _ids(value: Any) -> list[str]:
    rows = value[:MOST] if isinstance(value, list | tuple) else ()
    return [_id(row) for row in rows if isinstance(row, str) and _id(row)]


class MinutesAnswer(BaseModel):
    """The summary of a range of messages, and its minutes."""

    summary: Text = Field(description="The summary that was asked for.")
    proposals: Annotated[list[Said], _each(Said)] = Field(default=[], description="What was proposed.")
    decisions: Annotated[list[Settled], _each(Settled)] = Field(default=[], description="What was decided.")
    reactions: Annotated[list[Reacted], _each(Reacted)] = Field(default=[], description="Who answered a proposal how.")
    questions: Annotated[list[Said], _each(Said)] = Field(default=[], description="What was asked and not answered.")
    confirmed: Annotated[list[str], BeforeValidator(_ids)] = Field(
        default=[], description="Ids of listed items, found by a pattern, that are right."
    )
    denied: Annotated[list[Denied], _each(Denied)] = Field(
        default=[], description="Listed items, found by a pattern, that are none."
    )


def read_answer(text: str, data: Mapping[str, Any] | None) -> tuple[str, MinutesAnswer | None]:
    """Return the summary and the answer that a reply holds; a reply without any is the summary itself.

    The summary is empty where the reply is half of an answer, or a speech in place of one.

    Args:
        text: the reply.
        data: the structured answer, where the runner has it apart from the text.
    """
    if data is not None:
        summary = data.get("summary")
        return _fitted(data, summary if isinstance(summary, str) else _outside(text))
    for start, end, value in _objects(text):
        if not MinutesAnswer.model_fields.keys().isdisjoint(value):
            summary = value.get("summary")
            around = f"{text[:start]}\n{text[end:]}"
            return _fitted(value, summary if isinstance(summary, str) else _FENCE.sub("", around))
    cut = _SUMMARY.search(text)
    if cut is not None:  # an answer that broke off, or is no JSON further on, still says this
        try:
            return _text(json.loads(cut[1], strict=False)).strip(), None
        except ValueError:
            pass
    plain = _text(text).strip()
    return "" if _FENCE.sub("", plain).startswith("{") or _SPEECH.search(plain) else plain, None


def _fitted(data: Mapping[str, Any], summary: str) -> tuple[str, MinutesAnswer]:
    answer = MinutesAnswer.model_validate({**data, "summary": summary.strip()})
    return answer.summary, answer


def _outside(text: str) -> str:
    """A text without the JSON object in it."""
    for start, end, _ in _objects(text):
        return _FENCE.sub("", f"{text[:start]}\n{text[end:]}")
    return text


def _objects(text: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """The JSON objects in a text, with where they begin and end."""
    decoder = json.JSONDecoder(strict=False)
    at = -1
    for _ in range(TRIED):
        at = text.find("{", at + 1)
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            continue
        yield at, end, value
        at = end - 1
