"""The answer of a model that takes minutes. A malformed item is left out and does not void the others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from eda.runners.loose_json import pieces_of

MOST = 100  # Most items read of each kind; a range has far fewer.
_NUMBER = re.compile(r"\W*m?\W*0*(\d{1,9})\W*", re.IGNORECASE)
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


class Answered(BaseModel):
    """The answer to a question that stood open."""

    message: MessageNumber
    quote: Words
    to: Target = Field(description="m12 for the question of message 12.")
    text: Text = Field(default="", description="That question, where several of one message stand open.")


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
    answered: Annotated[list[Answered], _each(Answered)] = Field(
        default=[], description="Open questions that a message answers."
    )
    confirmed: Annotated[list[str], BeforeValidator(_ids)] = Field(
        default=[], description="Ids of listed items, found by a pattern, that are right."
    )
    denied: Annotated[list[Denied], _each(Denied)] = Field(
        default=[], description="Listed items, found by a pattern, that are none."
    )


def read_answer(text: str, data: Mapping[str, Any] | None) -> tuple[str, MinutesAnswer | None]:
    """Return the summary and the answer that a reply holds; a reply without any is the summary itself.

    Of an answer that breaks off, what it holds in full counts. The summary is empty where that is nothing, and where
    the reply is a speech in place of an answer.

    Args:
        text: the reply.
        data: the structured answer, where the runner has it apart from the text.
    """
    objects = [
        (start, end, each)
        for start, end, value in pieces_of(text)
        for each in (value if isinstance(value, list) else [value])
        if isinstance(each, dict) and (data is not None or not MinutesAnswer.model_fields.keys().isdisjoint(each))
    ]
    if data is None and not objects:
        plain = _text(text).strip()
        return "" if _FENCE.sub("", plain).startswith("{") or _SPEECH.search(plain) else plain, None
    start, end, fields = objects[0] if objects else (0, 0, {})
    fields = fields if data is None else dict(data)
    summary = fields.get("summary")
    if not isinstance(summary, str):
        summary = _FENCE.sub("", f"{text[:start]}\n{text[end:]}") if objects else text
    answer = MinutesAnswer.model_validate({**fields, "summary": summary.strip()})
    return answer.summary, answer if answer != MinutesAnswer(summary="") else None
