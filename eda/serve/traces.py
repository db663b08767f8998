"""Spans of a debate by the conventions of OpenTelemetry for generative models (the extra `otel`).

A span for the debate, for each phase, for each turn and for each call. Whatever a model was sent or said stays here.
"""

import logging
import os
import time
from asyncio import CancelledError
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Span, SpanKind, StatusCode, set_span_in_context

from eda import __version__
from eda.debate.asking import call_made, reply_of_failure
from eda.debate.budget import on_call
from eda.debate.debate import Debate
from eda.errors import RunnerError
from eda.events import (
    Event,
    FloorGranted,
    MessagePosted,
    PhaseStarted,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    TurnFailed,
    TurnPassed,
    UsageTotals,
)
from eda.runners.protocol import Prompt, Reply
from eda.runners.server import set_within
from eda.text import regex
from eda.words import ENGLISH

# Names of `gen_ai` are still in development, and change in this file alone.
_INVOKE_WORKFLOW = "invoke_workflow"
_INVOKE_AGENT = "invoke_agent"
_CHAT = "chat"
_EXECUTE_TOOL = "execute_tool"
_OPERATION = "gen_ai.operation.name"
_AGENT = "gen_ai.agent.name"
_CONVERSATION = "gen_ai.conversation.id"
_INPUT = "gen_ai.usage.input_tokens"
_OUTPUT = "gen_ai.usage.output_tokens"
# US dollars; the conventions have no name for it. Absent where the price is unknown. Input has all tokens.
_COST = "eda.cost_usd"

# How long a batch may take where OTEL_EXPORTER_OTLP_TIMEOUT does not say: the end of a debate waits for the last.
_SECONDS = 3.0
_TIMEOUTS = ("OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT")
_WHY = regex(r"(?:\[Errno -?\d+\]|code:) ([^\"')]+)")  # What the SDK says of a failure, in its log alone.
_LOGGER = "opentelemetry.exporter.otlp.proto.http.trace_exporter"


@contextmanager
def exported(debate: Debate, tell: Callable[[str], object]) -> Iterator[None]:
    """Send the spans of a debate that runs in this context to the endpoint that OTEL_EXPORTER_OTLP_ENDPOINT names.

    They are sent in batches from another thread. Where they cannot be, the debate goes on; `tell` is told at the end.
    """
    exporter = _Exporter()
    provider = TracerProvider(
        resource=Resource.create({"service.name": os.environ.get("OTEL_SERVICE_NAME", "eda")}), shutdown_on_exit=False
    )
    provider.add_span_processor(BatchSpanProcessor(exporter))
    try:
        with traced(debate, provider):
            yield
    finally:
        exporter.closing = True
        provider.shutdown()
        if exporter.lost:
            where, why = str(exporter.address), str(exporter.why)
            tell(ENGLISH.say("serving-spans-lost", number=exporter.lost, address=where, why=why))


@contextmanager
def traced(debate: Debate, provider: TracerProvider) -> Iterator[None]:
    """Make spans of a debate that runs in this context."""
    spans = _Spans(debate, provider)
    debate.bus.subscribe(Event, spans.handle, name="traces")
    try:
        with set_within(on_call, spans.called):
            yield
    finally:
        spans.close()


class _Exporter(SpanExporter):
    """Sends spans over HTTP, and counts those that could not be sent."""

    def __init__(self) -> None:
        self._inner = OTLPSpanExporter(timeout=None if any(map(os.environ.get, _TIMEOUTS)) else _SECONDS)
        self.address: str = self._inner._endpoint  # noqa: SLF001 - nothing public has it
        self.lost, self.why, self.closing = 0, "it does not answer in time", False
        self._log = logging.getLogger(_LOGGER)
        self._log.propagate = False  # else each batch that fails would be printed over the screen
        self._log.addFilter(self._hear)

    def _hear(self, record: logging.LogRecord) -> bool:
        if told := _WHY.search(record.getMessage()):
            self.why = told[1].strip()
        return False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send spans; at the end of a debate none after some that failed."""
        result = SpanExportResult.FAILURE if self.closing and self.lost else self._inner.export(spans)
        self.lost += len(spans) if result is SpanExportResult.FAILURE else 0
        return result

    def shutdown(self) -> None:
        """Close the connection."""
        self._inner.shutdown()  # type: ignore[no-untyped-call] # the SDK's
        self._log.removeFilter(self._hear)


class _Spans:
    """Makes spans of facts and calls. Times are nanoseconds since 1970."""

    def __init__(self, debate: Debate, provider: TracerProvider) -> None:
        self._debate = debate
        self._tracer = provider.get_tracer("eda", __version__)
        # The turns that are open, by member.
        self._turns: dict[str, Span] = {}
        self._root: Span | None = None
        self._phase: Span | None = None
        self._phase_began = 0
        self._spent = UsageTotals()
        self._last = 0

    def called(self, prompt: Prompt, answer: Reply | RunnerError | CancelledError, began: int) -> None:
        """Make the span of a call that has just ended, in the turn of its member or in its phase."""
        if self._root is None or (prompt.persona is not None and prompt.persona.person):
            return
        reply = answer if isinstance(answer, Reply) else reply_of_failure(answer) or Reply("")
        call = call_made(prompt, reply)
        self._spent.add(call)
        within = self._phase if began >= self._phase_began else self._root  # a summary may have begun in an older one
        parent = self._turn(prompt.agent, began) if prompt.purpose in ("speak", "tool") else within
        error = "" if answer is reply else str(answer) or type(answer).__name__
        if prompt.purpose == "tool":
            tool = prompt.own.partition(" ")[0]
            attributes = {_OPERATION: _EXECUTE_TOOL, "gen_ai.tool.name": tool, _COST: call.cost}
            span = self._start(f"{_EXECUTE_TOOL} {tool}", parent, began, attributes)
            error = error or (reply.data or {}).get("error", "")
        else:
            provider = self._debate.started.runner.partition(":")[0]
            known = {
                _AGENT: call.agent,
                "gen_ai.request.model": call.model,
                "gen_ai.response.model": call.model_answered,
            }
            attributes = {
                _OPERATION: _CHAT,
                "gen_ai.provider.name": provider,
                _CONVERSATION: self._debate.session.name,
                "eda.purpose": call.purpose,
                _INPUT: call.prompt_tokens,
                _OUTPUT: call.output_tokens,
                "gen_ai.usage.cache_read.input_tokens": call.cache_read_tokens,
                "gen_ai.usage.cache_creation.input_tokens": call.cache_write_tokens,
                **{key: value for key, value in known.items() if value},
                **({} if call.cost is None else {_COST: call.cost}),
            }
            span = self._start(f"{_CHAT} {call.model or provider}", parent, began, attributes, SpanKind.CLIENT)
        if error:
            _fail(span, error)
        span.end(time.time_ns())

    def handle(self, event: Event) -> None:
        """Begin and end the spans that a fact begins and ends."""
        if event.at is None:
            return
        self._last = round(event.at.timestamp() * 1_000_000) * 1000
        match event:
            case SessionStarted() | SessionResumed():
                started = self._debate.started
                attributes = {
                    _OPERATION: _INVOKE_WORKFLOW,
                    "gen_ai.workflow.name": started.agenda.name,
                    _CONVERSATION: self._debate.session.name,
                    "eda.runner": started.runner,
                }
                self._root = self._start(f"{_INVOKE_WORKFLOW} {started.agenda.name}", None, self._last, attributes)
            case PhaseStarted():
                self._end_phase()
                figures = {"eda.phase": event.phase, "eda.round": event.round, "eda.lap": event.lap}
                self._phase = self._start(f"phase {event.phase}", self._root, self._last, figures)
                self._phase_began = self._last
            case SessionPaused():
                self._end_root(event.why, paused=True)
            case SessionEnded():
                self._end_root(event.reason, paused=False)
            case FloorGranted() if self._root is not None:
                self._turn(event.agent, self._last)
            case MessagePosted() | TurnPassed() | TurnFailed(purpose="speak") if self._root is not None:
                turn = self._turn(event.who, self._last)
                if isinstance(event, MessagePosted):
                    turn.set_attribute("eda.message", event.number)
                if isinstance(event, TurnFailed):
                    _fail(turn, event.error)
                self._turns.pop(event.who).end(self._last)

    def close(self) -> None:
        """End what is open: the process is stopped, or the log refused a fact."""
        self._end_root("stopped", paused=True)

    def _turn(self, who: str, began: int) -> Span:
        """Return the turn of a member that is open; else open one."""
        if who not in self._turns:
            attributes = {_OPERATION: _INVOKE_AGENT, _AGENT: who}
            self._turns[who] = self._start(f"{_INVOKE_AGENT} {who}", self._phase or self._root, began, attributes)
        return self._turns[who]

    def _end_phase(self, error: str = "") -> None:
        """End the phase, and the turns that brought nothing."""
        for turn in self._turns.values():
            if error:
                _fail(turn, error)
            turn.end(self._last)
        self._turns.clear()
        if self._phase is not None:
            self._phase.end(self._last)
        self._phase = None

    def _end_root(self, reason: str, *, paused: bool) -> None:
        error = reason if paused and reason != "stopped" else ""
        self._end_phase(error)
        if self._root is None:
            return
        spent, verdict = self._spent, self._debate.progress.verdict
        self._root.set_attributes(
            {
                "eda.reason": reason,
                "eda.messages": self._debate.progress.messages,
                "eda.decided": verdict is not None and verdict.outcome is not None,
                _INPUT: spent.input_tokens,
                _OUTPUT: spent.output_tokens,
                _COST: spent.cost,
            }
        )
        if error:
            _fail(self._root, error)
        self._root.end(self._last)
        self._root = None

    def _start(
        self,
        title: str,
        parent: Span | None,
        began: int,
        attributes: dict[str, Any],
        kind: SpanKind = SpanKind.INTERNAL,
    ) -> Span:
        context = Context() if parent is None else set_span_in_context(parent, Context())
        return self._tracer.start_span(title, context, kind, attributes, start_time=began)


def _fail(span: Span, error: str) -> None:
    span.set_status(StatusCode.ERROR, error)
    span.set_attribute("error.type", "_OTHER")
