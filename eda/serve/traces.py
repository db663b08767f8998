"""Spans of a debate by the conventions of OpenTelemetry for generative models (the extra `otel`).

A span for the debate, for each phase, for each turn and for each call. Whatever a model was sent or said stays here.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Span, SpanKind, StatusCode, set_span_in_context

from eda import __version__
from eda.debate.budget import on_call
from eda.debate.debate import Debate
from eda.events import (
    CallMade,
    Event,
    EvidenceFound,
    FloorGranted,
    MessagePosted,
    PhaseStarted,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    TurnFailed,
    TurnPassed,
)
from eda.events.messages import UsageTotals
from eda.runners.protocol import CallKey
from eda.serve import conventions as name
from eda.words import ENGLISH

_SECONDS = 3.0
"""How long a batch may take where OTEL_EXPORTER_OTLP_TIMEOUT does not say: the end of a debate waits for the last."""
_TIMEOUTS = ("OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT")
_WHY = re.compile(r"(?:\[Errno -?\d+\]|code:) ([^\"')]+)")
"""What the SDK says of a failure, in its log alone."""
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
    token = on_call.set(lambda prompt, _reply, began: spans.called(prompt.key, began, time.time_ns()))
    debate.bus.subscribe(Event, spans.handle, name="traces")
    try:
        yield
    finally:
        on_call.reset(token)
        spans.close()


class _Exporter(SpanExporter):
    """Sends spans over HTTP, and counts those that could not be sent."""

    def __init__(self) -> None:
        given = any(map(os.environ.get, _TIMEOUTS))
        self._inner = OTLPSpanExporter(timeout=None if given else _SECONDS)
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


@dataclass(slots=True)
class _Turn:
    """What a member has done since its turn began."""

    began: int | None = None
    calls: list[CallMade] = field(default_factory=list)
    tools: dict[CallKey, EvidenceFound] = field(default_factory=dict)
    """What calls of tools brought."""


class _Spans:
    """Makes spans of facts. Times are nanoseconds since 1970."""

    def __init__(self, debate: Debate, provider: TracerProvider) -> None:
        self._debate = debate
        self._tracer = provider.get_tracer("eda", __version__)
        self._times: dict[CallKey, tuple[int, int]] = {}
        """When the last call of each key began and ended."""
        self._turns: dict[str, _Turn] = {}
        self._root: Span | None = None
        self._phase: Span | None = None
        self._spent = UsageTotals()
        self._last = 0

    def called(self, key: CallKey, began: int, ended: int) -> None:
        """Take down when a call was made; its fact follows."""
        self._times[key] = began, ended

    def handle(self, event: Event) -> None:
        """Make the spans that a fact begins and ends."""
        if event.at is None:
            return
        self._last = round(event.at.timestamp() * 1_000_000) * 1000
        match event:
            case SessionStarted() | SessionResumed():
                self._begin()
            case PhaseStarted():
                self._end_phase()
                figures = {name.PHASE: event.phase, name.ROUND: event.round, name.LAP: event.lap}
                self._phase = self._start(f"phase {event.phase}", self._root, self._last, figures)
            case SessionPaused():
                self._end_root(event.why, paused=True)
            case SessionEnded():
                self._end_root(event.reason, paused=False)
            case _ if self._root is not None:
                self._in_turn(event)

    def _in_turn(self, event: Event) -> None:
        match event:
            case FloorGranted():
                self._turns[event.agent] = _Turn(self._last)
            case CallMade(purpose="speak" | "tool"):
                self._turns.setdefault(event.agent, _Turn()).calls.append(event)
            case EvidenceFound() if event.tool and event.who in self._turns:
                turn = self._turns[event.who]
                turn.tools.update({call.key: event for call in turn.calls[-1:] if call.purpose == "tool"})
            case CallMade():
                self._call(event, self._phase)
            case MessagePosted() | TurnPassed():
                self._end_turn(event.who, {name.MESSAGE: event.number} if isinstance(event, MessagePosted) else {})
            case TurnFailed():
                self._failed(event)

    def close(self) -> None:
        """End what is open: the process is stopped, or the log refused a fact."""
        if self._root is not None:
            self._end_root("stopped", paused=True)

    def _begin(self) -> None:
        started = self._debate.started
        self._root = self._start(
            f"{name.INVOKE_WORKFLOW} {started.agenda.name}",
            None,
            self._last,
            {
                name.OPERATION: name.INVOKE_WORKFLOW,
                name.WORKFLOW: started.agenda.name,
                name.CONVERSATION: self._debate.session.name,
                name.RUNNER: started.runner,
            },
        )

    def _end_phase(self) -> None:
        """End the phase, after the calls of turns that came to nothing."""
        for turn in self._turns.values():
            for call in turn.calls:
                self._call(call, self._phase)
        self._turns.clear()
        if self._phase is not None:
            self._phase.end(self._last)
        self._phase = None

    def _end_root(self, reason: str, *, paused: bool) -> None:
        self._end_phase()
        if self._root is None:
            return
        spent, verdict = self._spent, self._debate.progress.verdict
        self._root.set_attributes(
            {
                name.REASON: reason,
                name.MESSAGES: self._debate.progress.messages,
                name.DECIDED: verdict is not None and verdict.outcome is not None,
                name.INPUT: spent.input_tokens,
                name.OUTPUT: spent.output_tokens,
                name.COST: spent.cost,
            }
        )
        if paused and reason != "stopped":
            _fail(self._root, reason)
        self._root.end(self._last)
        self._root = None

    def _end_turn(self, who: str, more: dict[str, Any], error: str = "", key: CallKey | None = None) -> None:
        turn = self._turns.pop(who, _Turn())
        known = [self._times[call.key][0] for call in turn.calls if call.key in self._times]
        began = min([*known, *([turn.began] if turn.began is not None else [])], default=self._last)
        attributes = {name.OPERATION: name.INVOKE_AGENT, name.AGENT: who, **more}
        span = self._start(f"{name.INVOKE_AGENT} {who}", self._phase or self._root, began, attributes)
        for call in turn.calls:
            tool = turn.tools.get(call.key)
            self._call(call, span) if tool is None else self._tool(call, tool, span)
        if error:
            self._failed_call(key, error, span)
            _fail(span, error)
        span.end(self._last)

    def _failed(self, event: TurnFailed) -> None:
        key = (event.purpose, event.who, event.nth) if event.nth else None
        if event.purpose == "speak":
            self._end_turn(event.who, {}, event.error, key)
        else:
            self._failed_call(key, event.error, self._phase)

    def _failed_call(self, key: CallKey | None, error: str, parent: Span | None) -> None:
        """Make the span of a call that took nothing, which no fact of a call tells."""
        if key is not None:
            span = self._call(CallMade(purpose=key[0], agent=key[1], nth=key[2]), parent, count=False)
            _fail(span, error)
            span.end(self._times.pop(key, (0, self._last))[1])

    def _tool(self, call: CallMade, brought: EvidenceFound, parent: Span) -> None:
        """Make the span of a tool's call."""
        began, ended = self._times.pop(call.key, (self._last, self._last))
        self._spent.add(call)
        attributes = {name.OPERATION: name.EXECUTE_TOOL, name.TOOL: brought.tool, name.COST: brought.cost}
        span = self._start(f"{name.EXECUTE_TOOL} {brought.tool}", parent, began, attributes)
        if brought.error:
            _fail(span, brought.error)
        span.end(ended)

    def _call(self, call: CallMade, parent: Span | None, *, count: bool = True) -> Span:
        """Make the span of a call; return it, ended where it is counted."""
        began, ended = self._times.get(call.key, (self._last, self._last))
        provider = self._debate.started.runner.partition(":")[0]
        attributes = {
            name.OPERATION: name.CHAT,
            name.PROVIDER: provider,
            name.CONVERSATION: self._debate.session.name,
            name.PURPOSE: call.purpose,
        }
        known = {name.AGENT: call.agent, name.MODEL: call.model, name.ANSWERED: call.model_answered}
        attributes |= {key: value for key, value in known.items() if value}
        span = self._start(
            f"{name.CHAT} {call.model or provider}", parent or self._root, began, attributes, SpanKind.CLIENT
        )
        if not count:
            return span
        self._times.pop(call.key, None)
        self._spent.add(call)
        span.set_attributes(
            {
                name.INPUT: call.input_tokens + call.cache_read_tokens + call.cache_write_tokens,
                name.OUTPUT: call.output_tokens,
                name.CACHE_READ: call.cache_read_tokens,
                name.CACHE_WRITE: call.cache_write_tokens,
                **({} if call.cost is None else {name.COST: call.cost}),
            }
        )
        span.end(ended)
        return span

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
    span.set_attribute(name.ERROR, "_OTHER")
