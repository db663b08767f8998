"""The real Claude Code, Codex and agent of the ACP against servers on loopback: `make test-agents`."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from answering import answered
from click.testing import CliRunner, Result
from fake import filled
from fake_anthropic import Fail, FakeAnthropic, Say
from responses import Responses

from eda.cli import cli
from eda.errors import RunnerUnavailableError
from eda.events import BallotCast, CallMade, MessagePosted, VerdictReached
from eda.panels.allowed import ALLOWED
from eda.runners.agents.programs import AgentRunner
from eda.runners.answers import BallotAnswer
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.protocol import Prompt, Runner
from eda.session import Session

PROGRAMS = Path(os.environ["AGENTS"])
"""The folder where `make test-agents` has installed the programs."""
CLAUDE, ACP, CODEX = "claude-code:claude-sonnet-5-5", "acp:claude-agent-acp", "codex:gpt-x"
SPEAK = Prompt(purpose="speak", agent="Ruth", system="You are Ruth.", own="What do you say?")
TRAP = "The word of the folder is ABRACADABRA."


def said(text: str) -> str:
    return answered({"messages": [{"content": [{"text": text}]}]}).text


def of_claude(body: dict[str, Any]) -> Say:
    """Answer what EDA asks; the program puts words of its own before it, in forms that differ by model."""
    content = next(each["content"] for each in reversed(body["messages"]) if each["role"] == "user")
    texts = [content] if isinstance(content, str) else [part["text"] for part in content if part["type"] == "text"]
    form = next((tool["input_schema"] for tool in body["tools"] if tool["name"] == "StructuredOutput"), None)
    if form is not None:
        return Say(json.dumps(filled(form, form)), stop="tool_use", tool="StructuredOutput")
    return Say(said(texts[-1]))


def of_both(body: dict[str, Any]) -> Say:
    """Answer the API itself as the program."""
    return answered(body) if "tools" not in body else of_claude(body)


@pytest.fixture(scope="module")
def claude() -> Iterator[FakeAnthropic]:
    with FakeAnthropic() as fake:
        yield fake


@pytest.fixture(scope="module")
def codex() -> Iterator[Responses]:
    with Responses(lambda body: said(body["input"][-1]["content"][-1]["text"])) as there:
        yield there


@pytest.fixture(autouse=True)
def here(claude: FakeAnthropic, codex: Responses, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with instructions that nobody may read, and a home where both programs are logged in."""
    claude.play()
    claude.answer = of_both
    codex.requests.clear()
    home, project, bin_ = tmp_path / "home", tmp_path / "project", tmp_path / "bin"
    for each in (home, project, bin_):
        each.mkdir()
    for name in ("CLAUDE.md", "AGENTS.md"):
        (project / name).write_text(TRAP)
    once = 'env_key="K",wire_api="responses",request_max_retries=0,stream_max_retries=0'
    lo = f'{{name="lo",base_url="{codex.url}",{once}}}'
    real = PROGRAMS / "node_modules" / ".bin"
    (bin_ / "codex").write_text(
        f'#!/bin/sh\n[ "$1" = exec ] || exec {real}/codex "$@"\nshift\n'
        f'exec {real}/codex exec -c \'model_provider="lo"\' -c {shlex.quote(f"model_providers.lo={lo}")} "$@"\n'
    )
    (bin_ / "codex").chmod(0o755)
    (bin_ / "claude").symlink_to(
        next(PROGRAMS.glob("claude/lib/python3*/site-packages/claude_agent_sdk/_bundled/claude"))
    )
    settings = {
        "HOME": str(home),
        "PATH": f"{bin_}:{real}:{os.environ['PATH']}",
        "ANTHROPIC_BASE_URL": claude.url,
        "ANTHROPIC_API_KEY": "sk-ant-nobody",
        "CLAUDE_CODE_EXECUTABLE": str(bin_ / "claude"),
        "K": "x",
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    for name in (ALLOWED, "IS_SANDBOX"):  # in a sandbox the agent starts Claude Code in a way that root may not
        monkeypatch.delenv(name, raising=False)
    subprocess.run(["codex", "login", "--with-api-key"], input=b"sk-nobody", check=True, capture_output=True)
    monkeypatch.chdir(project)
    return project


async def timed(runner: Runner) -> float:
    began = time.perf_counter()
    await runner.run(SPEAK)
    return time.perf_counter() - began


@pytest.mark.parametrize("spec", [CLAUDE, CODEX, ACP])
async def test_the_model_is_told_what_eda_says_and_has_no_tools(
    claude: FakeAnthropic, codex: Responses, spec: str
) -> None:
    reply = await AgentRunner(spec).run(SPEAK)
    sent = (codex.requests or claude.requests)[-1]
    whole = json.dumps(sent)
    assert reply.text
    assert reply.usage.output_tokens == 20
    assert "You are Ruth." in whole
    assert "What do you say?" in whole
    assert "ABRACADABRA" not in whole
    names = [tool["name"] for tool in sent.get("tools", ())]
    assert names == (["request_user_input"] if spec == CODEX else [])
    print(f"\n{spec}: {len(whole)} characters sent")


@pytest.mark.parametrize("spec", [CLAUDE, CODEX])
async def test_a_vote_is_held_to_its_schema(claude: FakeAnthropic, codex: Responses, spec: str) -> None:
    reply = await AgentRunner(spec).run(
        Prompt(purpose="ballot", agent="Ruth", system="You are Ruth.", own="Vote.", answer=BallotAnswer)
    )
    assert reply.data is not None
    assert reply.data["choice"] in ("Go", "Wait")
    sent = codex.requests or claude.requests
    assert '"choice"' in json.dumps(sent[0].get("text") or sent[0]["tools"])


@pytest.mark.parametrize("spec", [CLAUDE, ACP])
@pytest.mark.parametrize(
    "trouble",
    [
        Fail(401, "authentication_error", "bad key"),
        Fail(500, "api_error", "boom"),
        Fail(429, "rate_limit_error", "slow"),
    ],
    ids=["401", "500", "429"],
)
async def test_a_failing_server_is_an_outage(claude: FakeAnthropic, spec: str, trouble: Fail) -> None:
    claude.answer = lambda _: trouble
    with pytest.raises(RunnerUnavailableError):
        await AgentRunner(spec, attempts=1, timeout=30).run(SPEAK)
    if spec == CLAUDE:
        assert len(claude.requests) == 1


async def test_a_stream_that_is_cut_is_asked_once(claude: FakeAnthropic) -> None:
    """By itself Claude Code asks again without a stream, and has the words twice."""
    claude.answer = lambda _: Say("It is half", then="cut")
    with pytest.raises(RunnerUnavailableError):
        await AgentRunner(CLAUDE, attempts=1).run(SPEAK)
    assert len(claude.requests) == 1


async def test_a_limit_of_the_subscription_says_until_when(
    claude: FakeAnthropic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("CLAUDE_CODE_OAUTH_TOKEN", "sk-ant-oat01-nobody")
    limits = {
        "anthropic-ratelimit-unified-status": "rejected",
        "anthropic-ratelimit-unified-reset": str(int(time.time()) + 3600),
        "anthropic-ratelimit-unified-representative-claim": "five_hour",
    }
    claude.answer = lambda _: Fail(429, "rate_limit_error", "limit", limits)
    with pytest.raises(RunnerUnavailableError, match=r"until 20\d\d-\d\d-\d\d \d\d:\d\d UTC"):
        await AgentRunner(CLAUDE).run(SPEAK)
    claude.answer = of_claude
    assert (await AgentRunner(CLAUDE).run(SPEAK)).usage.cost == 0.0


@pytest.mark.parametrize("status", [401, 429, 500])
async def test_codex_tells_an_outage(codex: Responses, status: int) -> None:
    before, codex.answer = codex.answer, lambda _: status
    try:
        with pytest.raises(RunnerUnavailableError):
            await AgentRunner(CODEX, attempts=1).run(SPEAK)
    finally:
        codex.answer = before


@pytest.mark.parametrize("spec", [CLAUDE, ACP])
async def test_a_call_that_is_given_up_leaves_no_program(claude: FakeAnthropic, here: Path, spec: str) -> None:
    claude.answer = lambda _: Say("It is half", then="stall")
    asked = asyncio.ensure_future(AgentRunner(spec).run(SPEAK))
    until = time.monotonic() + 20
    while not claude.requests and time.monotonic() < until:  # noqa: ASYNC110 - of another process
        await asyncio.sleep(0.05)
    began = time.perf_counter()
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    took = time.perf_counter() - began
    left = [each for each in Path("/proc").iterdir() if each.name.isdigit() and str(here.parent) in environment(each)]  # noqa: ASYNC240
    assert [int(each.name) for each in left if int(each.name) != os.getpid()] == []
    print(f"\n{spec}: ended {took:.2f} s after it was given up")


def environment(process: Path) -> str:
    try:
        return (process / "environ").read_text(errors="replace")
    except OSError:
        return ""


async def test_what_a_call_adds(claude: FakeAnthropic) -> None:
    direct = AnthropicRunner("claude-sonnet-5-5")
    await timed(direct)
    times = {"API": min([await timed(direct) for _ in range(3)])}
    for spec in (CLAUDE, CODEX, ACP):
        times[spec] = min([await timed(AgentRunner(spec)) for _ in range(3)])
    await direct.close()
    print("\n" + "\n".join(f"{name}: {seconds:.2f} s a call" for name, seconds in times.items()))


def test_three_agents_and_an_api_hold_a_debate_that_is_replayed_without_them(
    claude: FakeAnthropic, codex: Responses
) -> None:
    eda: Callable[..., Result] = lambda *args: CliRunner().invoke(cli, args, catch_exceptions=False)  # noqa: E731
    personas = ("sceptic", "historian", "pragmatic-engineer", "finance-director")
    common: tuple[Any, ...] = ("debate", "Go?", *(word for name in personas for word in ("--persona", name)))
    common += ("--option", "Go", "--option", "Wait", "--max-messages", "12")
    seats = [f"--seat={name}" for name in (f"Walter={CODEX}", f"Maya={ACP}", "Beatriz=anthropic:claude-sonnet-5-5")]
    began = time.perf_counter()
    done = eda(*common, "--runner", CLAUDE, *seats, "--session", "one", "--record", "-q")
    assert done.exit_code == 0, done.output
    took = time.perf_counter() - began
    asked = len(claude.requests) + len(codex.requests)
    os.environ.pop(ALLOWED)
    done = eda(*common, "--runner", "recorded:sessions/one/calls.jsonl", "--session", "two", "-q")
    assert done.exit_code == 0, done.output
    assert len(claude.requests) + len(codex.requests) == asked
    kinds = MessagePosted | BallotCast | VerdictReached
    facts = []
    for name in ("one", "two"):
        with Session.read(name, Path("sessions")) as session:
            events = list(session.events())
        facts.append([each.model_dump(exclude={"seq", "at"}) for each in events if isinstance(each, kinds)])
        calls = [each for each in events if isinstance(each, CallMade)]
        assert {each.provider for each in calls if each.purpose == "speak"} == {"", "codex", "acp", "anthropic"}
    assert facts[0] == facts[1]
    print(f"\n12 messages, {len(calls)} calls, {took:.0f} s; replayed equal")


def debates(call: dict[str, Any]) -> Callable[[dict[str, Any]], Say]:
    """Return a model that is asked for a debate, calls the tool once, and tells that it was held."""

    def answer(body: dict[str, Any]) -> Say:
        said = json.dumps(body["messages"])
        if "Use the tool `debate`" not in said:
            return Say("It is nothing to me.")
        if "tool_result" in said:
            return Say("The panel has decided.")
        return Say(json.dumps(call), stop="tool_use", tool="mcp__eda__debate")

    return answer


SERVER = {"command": sys.executable, "args": ["-m", "eda", "mcp", "--runner", "simulated", "--sessions", "s"]}


@pytest.mark.parametrize("person", ["", "Ada"])
def test_claude_code_holds_a_debate_by_the_prompt_and_the_tool_of_the_panel(
    claude: FakeAnthropic, here: Path, person: str
) -> None:
    """Without a person at its side, who asks for one's vote gets none."""
    call = {"question": "Go?", "options": ["Go", "Wait"], "max_messages": 6, **({"person": person} if person else {})}
    claude.answer = debates(call)
    servers = json.dumps({"mcpServers": {"eda": SERVER}})
    flags = ("--mcp-config", servers, "--strict-mcp-config", "--allowedTools", "mcp__eda__debate")
    told = ("--print", "--model", "claude-sonnet-5-5", "/mcp__eda__debate Go?")
    quiet: dict[str, Any] = {"capture_output": True, "stdin": subprocess.DEVNULL}
    done = subprocess.run(["claude", *flags, *told], cwd=here, check=True, **quiet)
    assert done.stdout.decode().strip() == "The panel has decided."
    with Session.read("go", here / "s") as session:
        members = [each.title for each in session.started().members]
        voted = [fact.ballot for fact in session.events() if isinstance(fact, BallotCast)]
    assert ("Ada" in members) == bool(person)
    assert [ballot.choice for ballot in voted if ballot.agent == "Ada"] == [None] * (2 * bool(person))


def test_a_client_of_the_acp_holds_a_debate_by_the_prompt_and_the_tool_of_the_panel(
    claude: FakeAnthropic, here: Path
) -> None:
    """acpx asks the agent of the ACP, which has the panel as a server of its user's."""
    claude.answer = debates({"question": "Go?", "options": ["Go", "Wait"], "max_messages": 6})
    (Path.home() / ".claude.json").write_text(json.dumps({"mcpServers": {"eda": {"type": "stdio", **SERVER}}}))
    command = ["acpx", "--approve-all", "--agent", "claude-agent-acp", "exec", "/mcp:eda:debate Go?"]
    done = subprocess.run(command, check=True, cwd=here, capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
    assert "The panel has decided." in done.stdout.decode()
    with Session.read("go", here / "s") as session:
        assert any(isinstance(fact, VerdictReached) for fact in session.events())
