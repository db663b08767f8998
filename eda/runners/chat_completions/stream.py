"""Reads what a server of the Chat Completions API sends: the chunks of an answer, and errors in every dress."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from eda.runners.answer_text import StreamedAnswer
from eda.runners.server_errors import OK, StatusError

if TYPE_CHECKING:
    from httpx2 import Response

_LONGEST_LINE = 4_000_000
"""Bytes. A longer line is none that a model wrote."""
_STOPS = {
    "stop": "end_turn",
    "eos": "end_turn",
    "length": "max_tokens",
    "model_length": "model_context_window_exceeded",
    "content_filter": "refusal",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "error": None,
}
"""Reasons to finish, in the words of the Messages API; with an error the answer is broken."""


async def events_of(response: Response) -> AsyncGenerator[Any]:
    """Yield the chunks of a reply; None for a comment, which shows that the server is at work.

    Raises:
        JSONDecodeError, UnicodeDecodeError: what came is none.
    """
    if response.headers.get("content-type", "").startswith("application/json"):
        yield json.loads(await response.aread())  # it does not stream
        return
    data: list[bytes] = []
    async with aclosing(_lines(response)) as lines:
        async for line in lines:
            if line.startswith(b"data:"):
                data.append(line[len(b"data:") :].strip())
            elif not line and data:
                whole, data = b"\n".join(data), []
                if whole == b"[DONE]":
                    return
                yield json.loads(whole)
            elif line.startswith(b":"):
                yield None
    if data and data != [b"[DONE]"]:
        yield json.loads(b"\n".join(data))


async def _lines(response: Response) -> AsyncGenerator[bytes]:
    """Yield lines as they end. They end at a line feed only: words may hold what else separates lines."""
    rest = b""
    async with aclosing(response.aiter_bytes()) as pieces:
        async for piece in pieces:
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                yield line.rstrip(b"\r")
            if len(rest) > _LONGEST_LINE:
                raise UnicodeDecodeError("utf-8", rest[:1], 0, 1, "a line without end")
    if rest:
        yield rest


def taken(answer: StreamedAnswer, chunk: Any, cost: str) -> str:
    """Add a chunk to an answer; return the piece of text that it brought. `cost` is the field with the cost.

    Raises:
        StatusError: the chunk is an error.
    """
    if not isinstance(chunk, dict):
        return ""
    if chunk.get("error"):
        raise refusal_of(OK, {}, json.dumps(chunk).encode())
    answer.begun = True
    if not answer.model:
        answer.answers_as(chunk.get("model"))
    _count(answer, chunk.get("usage"), cost)
    choices = chunk.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        return answer.add("")
    delta = choice.get("delta") or choice.get("message")
    delta = delta if isinstance(delta, dict) else {}
    finish = choice.get("finish_reason")
    if isinstance(finish, str) and finish:
        answer.stop = _STOPS.get(finish, finish)
    if isinstance(delta.get("refusal"), str) and delta["refusal"].strip():
        answer.stop = "refusal"
    thought = _text(delta.get("reasoning")) or _text(delta.get("reasoning_content"))
    return answer.add(_text(delta.get("content")), thought)


def _text(content: Any) -> str:
    """The text of a content, or of the parts of one that are text and no thinking."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _count(answer: StreamedAnswer, usage: Any, cost: str) -> None:
    """Count tokens: those of the prompt include cached ones, and those of the reply may lack what was thought."""
    if not isinstance(usage, dict):
        return
    prompt, completion, total = (_number(usage, f"{name}_tokens") for name in ("prompt", "completion", "total"))
    details = usage.get("prompt_tokens_details")
    details = details if isinstance(details, dict) else {}
    read = min(_number(details, "cached_tokens") or _number(usage, "prompt_cache_hit_tokens"), prompt)
    write = min(_number(details, "cache_write_tokens"), prompt - read)
    if not (prompt or completion):
        return
    answer.count("input_tokens", prompt - read - write)
    answer.count("output_tokens", max(completion, total - prompt))
    answer.count("cache_read_tokens", read)
    answer.count("cache_write_tokens", write)
    dollars = usage.get(cost) if cost else None
    if isinstance(dollars, int | float) and not isinstance(dollars, bool) and 0 <= dollars < float("inf"):
        answer.cost = float(dollars)


def _number(row: Mapping[str, Any], name: str) -> int:
    value = row.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def refusal_of(status: int, headers: Mapping[str, str], body: bytes) -> StatusError:
    """Return the error that a server sends with a status, or in a chunk of an answer (status `OK`).

    Servers write `{"error": {"message", "type", "code"}}`, the same in a list, `{"error": "words"}`, `{"message"}`,
    `{"detail": "words"}` or a list of `{"loc", "msg"}`, and a code may be a status of its own.
    """
    text = body.decode("utf-8", "replace").strip()
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        page = text.startswith("<") or not text
        words = "not found" if page and status == 404 else "a page came, and no JSON" if page else text
        return StatusError(words, status=status, headers=headers)
    row = row[0] if isinstance(row, list) and row else row
    row = row if isinstance(row, dict) else {"message": text}
    error = row.get("error", row)
    error = error if isinstance(error, dict) else {"message": str(error)}
    code = error.get("code")
    status = code if status == OK and isinstance(code, int) and 400 <= code <= 599 else status
    kind = error.get("type") or error.get("status") or ""
    return StatusError(_words(error) or text, status=status, kind=str(kind), code=str(code or ""), headers=headers)


def _words(error: Mapping[str, Any]) -> str:
    """What an error says, with what the provider behind a router says; each fault of a request checked by fields."""
    words = error.get("message") or error.get("detail") or error.get("msg") or ""
    if isinstance(words, list):
        faults = [each if isinstance(each, dict) else {"msg": each} for each in words]
        words = "; ".join(f"{'.'.join(map(str, each.get('loc') or ()))}: {each.get('msg', '')}" for each in faults)
    metadata = error.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, dict) else None
    return f"{words}: {raw}" if isinstance(raw, str) and raw.strip() else str(words)
