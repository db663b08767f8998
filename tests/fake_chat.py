"""Servers of the Chat Completions API on loopback, over real HTTP: each answers field by field as its kind does.

A test scripts what comes next, as for `FakeAnthropic`: `Say` and `Fail` mean the same.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from fake_anthropic import Fail, FakeAnthropic, Say
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from eda.runners.chat_completions.runner import ChatRunner
from eda.runners.models import ModelSpec

__all__ = ["ERRORS", "KINDS", "FakeChat", "FakeServer", "as_messages", "local_runner"]

KINDS = ("openai", "openrouter", "vllm", "ollama")
_FINISH = {"end_turn": "stop", "max_tokens": "length", "refusal": "content_filter", "tool_use": "tool_calls"}

ERRORS: dict[str, dict[str, tuple[int, Any]]] = {
    "wrong key": {
        "openai": (
            401,
            {
                "error": {
                    "message": "Incorrect API key provided: sk-not-a****4711.",
                    "type": "invalid_request_error",
                    "param": None,
                    "code": "invalid_api_key",
                }
            },
        ),
        "openrouter": (401, {"error": {"message": "No auth credentials found", "code": 401}}),
        "vllm": (401, {"error": "Unauthorized"}),
        "ollama": (401, {"error": "unauthorized"}),
        "gemini": (
            400,
            [
                {
                    "error": {
                        "code": 400,
                        "message": "API key not valid. Please pass a valid API key.",
                        "status": "INVALID_ARGUMENT",
                    }
                }
            ],
        ),
        "llamacpp": (401, {"error": {"code": 401, "message": "Invalid API Key", "type": "authentication_error"}}),
        "mistral": (401, {"detail": "Unauthorized"}),
    },
    "wrong model": {
        "openai": (
            404,
            {
                "error": {
                    "message": "The model `m` does not exist or you do not have access to it.",
                    "type": "invalid_request_error",
                    "param": None,
                    "code": "model_not_found",
                }
            },
        ),
        "openrouter": (400, {"error": {"message": "m is not a valid model ID", "code": 400}, "user_id": "user_1"}),
        "vllm": (
            404,
            {
                "error": {
                    "message": "The model `m` does not exist.",
                    "type": "NotFoundError",
                    "param": "model",
                    "code": 404,
                }
            },
        ),
        "ollama": (
            404,
            {
                "error": {
                    "message": 'model "m" not found, try pulling it first',
                    "type": "not_found_error",
                    "param": None,
                    "code": None,
                }
            },
        ),
        "mistral": (
            400,
            {"object": "error", "message": "Invalid model: m", "type": "invalid_model", "param": None, "code": "1500"},
        ),
    },
    "no credit": {
        "openai": (
            429,
            {
                "error": {
                    "message": "You exceeded your current quota, please check your plan and billing details.",
                    "type": "insufficient_quota",
                    "param": None,
                    "code": "insufficient_quota",
                }
            },
        ),
        "openrouter": (
            402,
            {"error": {"message": "Insufficient credits. Add more using https://openrouter.ai/credits", "code": 402}},
        ),
    },
    "no such address": {
        "openai": (
            404,
            {
                "error": {
                    "message": "Invalid URL (POST /chat/completions)",
                    "type": "invalid_request_error",
                    "param": None,
                    "code": None,
                }
            },
        ),
        "vllm": (404, {"detail": "Not Found"}),
        "ollama": (404, "404 page not found"),
        "nginx": (404, "<html><head><title>404 Not Found</title></head></html>"),
        "lmstudio": (200, {"error": "Unexpected endpoint or method. (POST /chat/completions)"}),
    },
    "too long": {
        "openai": (
            400,
            {
                "error": {
                    "message": "This model's maximum context length is 128000 tokens, and you sent 130000.",
                    "type": "invalid_request_error",
                    "param": "messages",
                    "code": "context_length_exceeded",
                }
            },
        ),
        "llamacpp": (
            400,
            {
                "error": {
                    "code": 400,
                    "message": "the request exceeds the available context size, try increasing it",
                    "type": "exceed_context_size_error",
                    "n_prompt_tokens": 9000,
                    "n_ctx": 4096,
                }
            },
        ),
    },
    "no schema": {
        "openai": (
            400,
            {
                "error": {
                    "message": "Invalid parameter: 'response_format' of type 'json_schema' is not supported.",
                    "type": "invalid_request_error",
                    "param": None,
                    "code": None,
                }
            },
        ),
        "openrouter": (
            404,
            {"error": {"message": "No endpoints found that can handle the requested parameters.", "code": 404}},
        ),
        "mistral": (
            422,
            {
                "detail": [
                    {
                        "type": "extra_forbidden",
                        "loc": ["body", "response_format"],
                        "msg": "Extra inputs are not permitted",
                    }
                ]
            },
        ),
    },
}
"""What servers send, by what is wrong and by kind: status and body."""


class FakeChat(FakeAnthropic):
    """A server of one kind. `with FakeChat("vllm") as fake:` starts and stops it; a spec has `fake.base`."""

    def __init__(self, kind: str = "openai") -> None:
        super().__init__()
        self.kind = kind
        self.base = f"{self.url}/v1"
        self.raw: bytes | None = None
        """Sent as the whole stream, where set."""

    def _asked_at(self) -> list[Route]:
        return [Route("/v1/chat/completions", self._completions, methods=["POST"])]

    def _kept(self, body: dict[str, Any]) -> dict[str, Any]:
        """What `requests` keeps of a request."""
        return body

    def error(self, what: str, kind: str = "") -> None:
        """Answer every call with one of `ERRORS`."""
        status, body = ERRORS[what][kind or self.kind]
        self.answer = lambda _: Fail(status, message=json.dumps(body) if not isinstance(body, str) else body)

    async def _completions(self, request: Request) -> Response:
        body = json.loads(await request.body())
        self.requests.append(self._kept(body))
        self.headers.append(dict(request.headers))
        if self.raw is not None:
            return Response(self.raw, media_type="text/event-stream")
        said = as_messages(body)
        step = self.script.popleft() if self.script else self.answer(said) if self.answer else Say()
        if isinstance(step, Fail):
            text = step.message if step.message[:1] in "{[<4" else json.dumps({"error": {"message": step.message}})
            kind = "application/json" if text[:1] in "{[" else "text/html"
            return Response(text, step.status, dict(step.headers), media_type=kind)
        return StreamingResponse(self._chunks(body, step), media_type="text/event-stream", headers=dict(step.headers))

    async def _chunks(self, body: dict[str, Any], step: Say) -> AsyncIterator[str]:
        chunk = partial(self._chunk, body)
        if self.kind == "openrouter":
            yield ": OPENROUTER PROCESSING\n\n"
        if self.kind in ("openai", "vllm"):
            yield chunk({"role": "assistant", "content": ""})
        if step.thinking:
            yield chunk(
                {"role": "assistant", "content": None if self.kind == "vllm" else "", "reasoning": step.thinking}
            )
        for start in range(0, len(step.text), self.piece):
            yield chunk({"content": step.text[start : start + self.piece]})
        if step.then != "end":
            async for last in self._broken(body, step.then):
                yield last
            return
        finish = _FINISH.get(step.stop or "", step.stop)
        yield chunk({} if self.kind != "ollama" else {"role": "assistant", "content": ""}, finish)
        if step.usage is not None and body.get("stream_options", {}).get("include_usage"):
            empty = {"role": "assistant", "content": ""} if self.kind == "openrouter" else None
            yield chunk(empty, usage=self._usage(step))
        yield "data: [DONE]\n\n"

    async def _broken(self, body: dict[str, Any], then: str) -> AsyncIterator[str]:
        """What follows the text of a reply that has no end."""
        if then == "drop":
            await asyncio.sleep(0.02)  # let the pieces arrive before the connection breaks
            raise ConnectionAbortedError
        if then in ("stall", "pings"):
            try:
                while then == "pings":
                    yield ": OPENROUTER PROCESSING\n\n"
                    await asyncio.sleep(0.02)
                await asyncio.Event().wait()  # starlette cancels it when the client goes away
            finally:
                self.hung_up.set()
        if then != "cut":
            error = {"code": 502, "message": "as scripted", "type": then}
            yield self._chunk(body, {"content": ""}, "error", error=error)

    def _chunk(self, body: dict[str, Any], delta: dict[str, Any] | None, finish: str | None = None, **more: Any) -> str:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        own = {
            "openai": {"usage": None},
            "openrouter": {"provider": "Somebody"},
            "ollama": {"system_fingerprint": "fp_ollama"},
        }
        if self.kind == "openrouter":
            choice["native_finish_reason"] = finish
        whole = {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": self.model or body["model"],
            "choices": [] if delta is None else [choice],
            **own.get(self.kind, {}),
            **more,
        }
        return f"data: {json.dumps(whole)}\n\n"

    def _usage(self, step: Say) -> dict[str, Any]:
        told = step.usage or {}
        read, write = told.get("cache_read_input_tokens", 0), told.get("cache_creation_input_tokens", 0)
        prompt, completion = told["input_tokens"] + read + write, told["output_tokens"]
        usage: dict[str, Any] = {"prompt_tokens": prompt, "completion_tokens": completion}
        usage["total_tokens"] = prompt + completion
        if self.kind == "openai":
            usage["prompt_tokens_details"] = {"cached_tokens": read, "audio_tokens": 0}
            usage["completion_tokens_details"] = {"reasoning_tokens": 0, "accepted_prediction_tokens": 0}
        elif self.kind == "openrouter":
            usage["prompt_tokens_details"] = {"cached_tokens": read, "cache_write_tokens": write, "audio_tokens": 0}
            usage |= {"cost": 0.00014, "is_byok": False, "cost_details": {"upstream_inference_cost": None}}
        elif self.kind == "vllm":
            usage["prompt_tokens_details"] = {"cached_tokens": read} if read else None
        return usage


class FakeServer(FakeChat):
    """A server of both APIs, which keeps each request as one of the Messages API."""

    def __init__(self) -> None:
        super().__init__("llamacpp")

    def _asked_at(self) -> list[Route]:
        return [*super()._asked_at(), *FakeAnthropic._asked_at(self)]

    def _kept(self, body: dict[str, Any]) -> dict[str, Any]:
        return as_messages(body)


def local_runner(url: str, model: str = "", *, cheap: str = "", fallback: str = "", **given: Any) -> ChatRunner:
    """Return the runner of `local:URL#MODEL`."""
    return ChatRunner(ModelSpec("local", url=url, speak=model, cheap=cheap, fallback=fallback).checked(), **given)


def as_messages(body: dict[str, Any]) -> dict[str, Any]:
    """Return a request as it would be sent to the Messages API, for what answers one."""
    texts = {turn["role"]: turn["content"] for turn in body["messages"]}
    parts = {role: [{"type": "text", "text": text}] if isinstance(text, str) else text for role, text in texts.items()}
    said = {**body, "system": parts.get("system", []), "messages": [{"role": "user", "content": parts["user"]}]}
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
    return {**said, "output_config": {"format": {"type": "json_schema", "schema": schema}}} if schema else said
