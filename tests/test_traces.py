"""`--otel`: a debate as spans, in memory and over real HTTP."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from stalling import Stalling

from eda import Debate, Reply, ScriptedRunner, Session, Settings, Usage
from eda.cli.program import cli
from eda.errors import RunnerError, RunnerUnavailableError
from eda.events import SessionEnded, VerdictReached
from eda.panels.tools import Tool
from eda.runners.protocol import Prompt
from eda.runners.tools import ToolResult, ToolsRunner
from eda.serve.traces import traced

PANEL = ["sceptic", "historian"]
ROUTINE = Settings(max_messages=6, bids="each")


def spans_of(runner: Any, settings: Settings = ROUTINE, error: type[Exception] | None = None) -> list[ReadableSpan]:
    """The spans of a debate, in the order in which they ended."""
    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    debate = Debate("Should we?", PANEL, runner, options=["Now", "Later"], settings=settings)
    with traced(debate, provider):
        if error is None:
            debate.run_sync()
        else:
            with pytest.raises(error):
                debate.run_sync()
    provider.shutdown()
    assert debate.bus.failures == ()
    return list(kept.get_finished_spans())


def named(spans: list[ReadableSpan], begins: str) -> list[ReadableSpan]:
    return [span for span in spans if span.name.startswith(begins)]


def words(prompt: Prompt) -> Reply:
    usage = Usage(10, 5, cache_read_tokens=100, cache_write_tokens=20, cost=0.01)
    return Reply(f"I am {prompt.agent}, after m{prompt.last}.", usage=usage, model="m-1", answered="m-1-2026")


def test_a_debate_is_a_span_of_phases_of_turns_of_calls() -> None:
    """Whoever looks for the slow or the dear call has to see whose it was, and in which phase."""
    spans = spans_of(ScriptedRunner(words, declares=False))
    by_id = {span.context.span_id: span for span in spans}
    parents = {span.name: by_id[span.parent.span_id].name if span.parent else "" for span in spans}
    (root,) = named(spans, "invoke_workflow")
    turns, calls = named(spans, "invoke_agent"), named(spans, "chat m-1")
    assert (parents[root.name], parents["phase discussion"]) == ("", "invoke_workflow panel")
    assert len({span.context.trace_id for span in spans}) == 1
    assert [turn.attributes["eda.message"] for turn in turns] == [1, 2, 3, 4, 5, 6]
    assert {by_id[turn.parent.span_id].name.split()[0] for turn in turns} == {"phase"}
    assert [by_id[call.parent.span_id].name for call in calls] == [turn.name for turn in turns]
    votes = [span for span in named(spans, "chat") if span.attributes["eda.purpose"] == "ballot"]
    assert {by_id[vote.parent.span_id].name for vote in votes} >= {"phase ballot"}
    call = dict(calls[0].attributes)
    assert calls[0].kind is SpanKind.CLIENT
    assert call == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "ScriptedRunner",
        "gen_ai.conversation.id": "memory",
        "gen_ai.agent.name": "Ruth",
        "gen_ai.request.model": "m-1",
        "gen_ai.response.model": "m-1-2026",
        "gen_ai.usage.input_tokens": 130,
        "gen_ai.usage.output_tokens": 5,
        "gen_ai.usage.cache_read.input_tokens": 100,
        "gen_ai.usage.cache_creation.input_tokens": 20,
        "eda.purpose": "speak",
        "eda.cost_usd": 0.01,
    }
    assert (root.attributes["gen_ai.usage.input_tokens"], root.attributes["eda.messages"]) == (6 * 130, 6)
    assert root.attributes["eda.cost_usd"] == pytest.approx(0.06)
    assert root.attributes["eda.decided"] is True
    assert not [text for span in spans for text in span.attributes.values() if "Should we?" in str(text)]


def test_every_span_lies_within_its_parent_and_a_call_takes_its_time() -> None:
    """A waterfall whose bars stand at wrong places sends the reader to the wrong call."""

    class Late:
        declares = terms = summarises = False

        async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
            if prompt.purpose == "speak":
                await asyncio.sleep(0.01 * len(prompt.agent))
            return await quick.run(prompt)

    quick = ScriptedRunner(words)
    spans = spans_of(Late())
    by_id = {span.context.span_id: span for span in spans}
    for span in spans:
        assert span.start_time <= span.end_time
        if span.parent:
            around = by_id[span.parent.span_id]
            assert around.start_time - 1_000_000 <= span.start_time, (span.name, around.name)
            assert span.end_time <= around.end_time + 1_000_000, (span.name, around.name)
    took = [call.end_time - call.start_time for call in named(spans, "chat m-1")]
    assert all(each >= 40_000_000 for each in took)


def test_what_failed_is_an_error_with_its_words() -> None:
    """A trace in which all is green hides why a member is silent."""

    def fails(prompt: Prompt) -> Reply | Exception:
        return RunnerError("the model refused") if prompt.key == ("speak", "Ruth", 2) else words(prompt)

    spans = spans_of(ScriptedRunner(fails))
    failed = [span for span in spans if span.status.status_code is StatusCode.ERROR]
    assert Counter(span.name.split()[0] for span in failed).keys() == {"chat", "invoke_agent"}
    assert {span.attributes["gen_ai.agent.name"] for span in failed} == {"Ruth"}
    assert {span.status.description for span in failed} == {"the model refused"}


def test_a_tool_is_a_span_of_the_turn_that_had_it_called() -> None:
    class Box:
        tools = (Tool(name="price"), Tool(name="away"))

        async def call(self, name: str, arguments: object, who: str = "") -> ToolResult:
            return ToolResult("12", cost=0.5) if name == "price" else ToolResult(error="it is away")

    def calls(prompt: Prompt) -> Reply:
        asked = {("Ruth", 1): "[CALL price]", ("Ruth", 2): "[CALL away]"}.get((prompt.agent, prompt.nth))
        return Reply(asked, model="m-1") if asked else words(prompt)

    spans = spans_of(ToolsRunner(ScriptedRunner(calls, declares=False), Box()))
    price, away = named(spans, "execute_tool")
    (turn,) = [span for span in named(spans, "invoke_agent") if span.context.span_id == price.parent.span_id]
    assert (turn.name, away.parent.span_id) == ("invoke_agent Ruth", turn.context.span_id)
    assert (price.attributes["gen_ai.tool.name"], price.attributes["eda.cost_usd"]) == ("price", 0.5)
    assert (away.status.status_code, away.status.description) == (StatusCode.ERROR, "it is away")
    assert named(spans, "invoke_workflow")[0].attributes["eda.cost_usd"] == pytest.approx(0.56)


def test_a_paused_debate_is_an_error_of_the_whole() -> None:
    def goes(prompt: Prompt) -> Reply | Exception:
        return RunnerUnavailableError("no credit is left") if prompt.last == 3 else words(prompt)

    spans = spans_of(ScriptedRunner(goes), error=RunnerUnavailableError)
    (root,) = named(spans, "invoke_workflow")
    assert (root.status.status_code, root.status.description) == (StatusCode.ERROR, "no credit is left")
    *went_well, last = named(spans, "invoke_agent")
    assert [turn.status.status_code for turn in went_well] == [StatusCode.UNSET] * 3
    assert (last.status.status_code, last.status.description) == (StatusCode.ERROR, "no credit is left")


async def test_a_debate_that_is_stopped_in_a_turn_ends_its_spans() -> None:
    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    debate = Debate("Should we?", PANEL, Stalling(), settings=Settings(max_messages=8, floor="round-robin"))
    debate.bus.on("floor_granted", lambda grant: debate.progress.messages >= 3 and debate.stop())
    with traced(debate, provider):
        await debate.run()
    (root,) = named(list(kept.get_finished_spans()), "invoke_workflow")
    assert (root.attributes["eda.reason"], root.status.status_code) == ("stopped", StatusCode.UNSET)


@contextmanager
def collector(status: int = 200) -> Iterator[tuple[str, list[ExportTraceServiceRequest]]]:
    """The address of a collector on loopback, and what it was sent."""
    got: list[ExportTraceServiceRequest] = []

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            assert self.path == "/v1/traces"
            got.append(ExportTraceServiceRequest.FromString(body))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", got
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def debated(folder: Path, *more: str) -> Any:
    asked = ["debate", "Should we?", "--runner", "simulated", "--max-messages", "6", "--sessions", str(folder), "-q"]
    return CliRunner().invoke(cli, [*asked, "--otel", *more])


def test_spans_reach_a_collector_over_http(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with collector() as (address, got):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        done = debated(tmp_path)
    assert done.exit_code == 0, done.output
    assert "spans" not in done.output
    resources = [each for request in got for each in request.resource_spans]
    spans = [span for each in resources for scope in each.scope_spans for span in scope.spans]
    service = {pair.key: pair.value.string_value for pair in resources[0].resource.attributes}
    assert service["service.name"] == "eda"
    assert Counter(span.name.split()[0] for span in spans)["invoke_agent"] == 6
    assert len({span.trace_id for span in spans}) == 1


@pytest.mark.parametrize("away", ["nobody", "refuses"])
def test_an_endpoint_that_is_away_is_told_once_and_costs_no_debate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, away: str
) -> None:
    """A collector on its knees is no reason to lose a debate that was paid for."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "60")  # it tells its reason each time that it will try again
    monkeypatch.setattr("opentelemetry.exporter.otlp.common.http._OTLPHTTPClient._compute_backoff", lambda *_: 0.01)
    with collector(400) as (address, _):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address if away == "refuses" else "http://127.0.0.1:9")
        done = debated(tmp_path)
    assert done.exit_code == 0, done.output
    (line,) = [line for line in done.output.splitlines() if "spans" in line]
    assert line.startswith("warning: ")
    assert ("400" if away == "refuses" else "Connection refused") in line
    with Session.read("should-we", tmp_path) as session:
        facts = [*session.events()]
    assert isinstance(facts[-1], SessionEnded)
    assert any(isinstance(fact, VerdictReached) for fact in facts)
