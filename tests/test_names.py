"""Runners and models by name: what is known, and refused, before any call."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from eda.errors import RunnerUnavailableError, UnknownNameError, UsageError
from eda.panels.installer import to_install
from eda.panels.persona import Persona
from eda.runners import models, shipped
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.models import providers
from eda.runners.protocol import Prompt, Runner, Usage, spec_of
from eda.runners.shipped import default_spec, make_runner

KEY = "sk-ant-not-a-key-4711"


def persona(model: str | None) -> Persona:
    return Persona(name="ada", title="Ada", role="r", description="d", instruction="i", model=model)


def test_the_default_is_a_model_where_a_key_is_set(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    assert default_spec() == "anthropic"


@pytest.mark.parametrize("key", ["", "  "])
def test_without_a_key_nothing_pretends_to_be_a_model(monkeypatch, key):
    """A newcomer without a key got a verdict that a program had made up."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    monkeypatch.setattr(shipped, "providers", dict)
    with pytest.raises(UsageError, match="no model answers here") as caught:
        default_spec()
    assert "eda show example" in caught.value.hint


def test_without_a_key_the_hint_names_a_model_on_this_machine(monkeypatch):
    """Who runs a model of their own was told to buy a key."""

    class Models(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"data": [{"id": "small"}]}')

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Models) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        own = replace(providers()["ollama"], url=f"http://127.0.0.1:{server.server_port}/v1")
        monkeypatch.setattr(shipped, "providers", lambda: {"ollama": own})
        with pytest.raises(UsageError) as caught:
            default_spec()
        server.shutdown()
    assert "--runner ollama:small." in caught.value.hint


@pytest.mark.parametrize(
    ("prefix", "pip", "begins"),
    [
        ("pipx/venvs/eda-panel", None, "pipx install --force '"),
        ("uv/tools/eda-panel", None, "uv tool install '"),
        ("project/.venv", None, "uv pip install '"),
        ("project/.venv", "pip", "pip install '"),
    ],
)
def test_the_hint_for_an_extra_names_the_installer_of_this_environment(tmp_path, monkeypatch, prefix, pip, begins):
    """An environment that uv made has no pip, and the hint was a dead end."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / prefix))
    monkeypatch.setattr("eda.panels.installer.find_spec", {"pip": pip}.get)
    hint = to_install("study")
    assert hint.startswith(begins)
    assert hint.endswith("[study]'")


def test_a_misspelt_runner_gets_the_nearest_name():
    """Without it a slip of the finger ends in a guess or a traceback."""
    with pytest.raises(UnknownNameError, match="unknown runner 'antropic'") as caught:
        make_runner("antropic:opus")
    assert caught.value.hint == "Did you mean anthropic?"
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("spec", ["recorded", "recorded:", "anthropic:", "simulated:7"])
def test_half_a_spec_is_refused_with_what_to_write(monkeypatch, spec):
    """Without it a forgotten file or model is silently taken for something else."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    with pytest.raises(UsageError) as caught:
        make_runner(spec)
    assert "Write" in caught.value.hint


def test_the_simulated_runner_needs_nothing():
    """Without it the first run of the program fails."""
    assert isinstance(make_runner("simulated"), Runner)


def test_the_anthropic_runner_takes_a_model(monkeypatch):
    """Without it `--runner anthropic:opus` asks another model than the one named."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    assert spec_of(make_runner("anthropic:opus")).startswith("anthropic:claude-opus-5-5+")
    assert spec_of(make_runner("anthropic")).startswith("anthropic:claude-sonnet-5-5+")
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with pytest.raises(RunnerUnavailableError):
        make_runner("anthropic")


@pytest.mark.parametrize("key", ["", "  "])
def test_no_key_is_said_before_anything_starts(monkeypatch, key):
    """Without it a session is made and a panel seated before the user learns that no call can succeed."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    with pytest.raises(RunnerUnavailableError, match="needs an API key") as caught:
        AnthropicRunner()
    assert "--runner simulated" in caught.value.hint
    assert "ANTHROPIC_API_KEY" in caught.value.hint


@pytest.mark.parametrize("key", ["sk-ant-\u00e9", "sk-ant\n-x"])
def test_a_broken_key_is_refused_unseen(key):
    """Without it the HTTP client refuses the header in words that hold the key."""
    with pytest.raises(RunnerUnavailableError) as caught:
        AnthropicRunner(api_key=key)
    assert "sk-ant" not in str(caught.value) + caught.value.hint


def test_the_sdk_is_not_imported_before_a_call():
    """Without it every start of the program takes a second longer."""
    code = (
        "import sys; from eda.runners.messages_api.anthropic import AnthropicRunner\n"
        "AnthropicRunner('opus', api_key='k')\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('anthropic', 'httpx2')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_table_is_sound():
    """Without it two models could share a short name, and a price be missing where one is shown."""
    table = models.model_table()
    names = [name for model in table.model for name in (model.id, *model.aliases)]
    assert len(names) == len(set(names))
    assert all(model.price is not None for model in table.model)
    assert {"haiku", "sonnet", "opus"} <= set(names)
    assert table.checked.year >= 2026


def test_a_dated_id_has_its_model_s_price_and_an_unknown_one_has_none():
    """Without it a pinned model, or one that came out yesterday, seems to cost nothing."""
    used = Usage(input_tokens=1_000_000, output_tokens=0)
    dated = models.look_up("claude-opus-5-5-20260901")
    assert dated.id == "claude-opus-5-5-20260901"
    assert dated.priced(used).cost == 4
    assert models.look_up("claude-next").priced(used).cost is None


def test_a_long_prompt_has_its_own_price():
    """Without it a debate with large context files costs five times what was shown."""
    haiku = models.look_up("haiku")
    assert haiku.priced(Usage(input_tokens=50_000, cache_read_tokens=50_000)).cost == pytest.approx(0.0055)
    long = haiku.priced(Usage(input_tokens=50_000, cache_read_tokens=50_001, output_tokens=1000))
    assert long.cost == pytest.approx(0.03000005, rel=1e-4)


@pytest.mark.parametrize(
    ("purpose", "wish", "expected"),
    [
        ("speak", None, "claude-opus-5-5"),
        ("speak", "inherit", "claude-opus-5-5"),
        ("speak", "Haiku", "claude-haiku-5-5"),
        ("ask", "sonnet", "claude-sonnet-5-5"),
        ("report", "claude-fable-5-1", "claude-fable-5-1"),
        ("bid", "opus", "claude-haiku-5-5"),
        ("summarise", None, "claude-haiku-5-5"),
        ("poll", None, "claude-haiku-5-5"),
        ("ballot", None, "claude-haiku-5-5"),
        ("moderate", None, "claude-haiku-5-5"),
    ],
)
async def test_each_purpose_goes_to_its_model(fake, purpose, wish, expected):
    """Without it bids are paid at the speaker's price, or a persona's own model is not obeyed."""
    fake.play()
    runner = AnthropicRunner("opus", api_key=KEY, base_url=fake.url)
    reply = await runner.run(Prompt(purpose=purpose, own="x", persona=persona(wish)))
    await runner.close()
    assert fake.requests[0]["model"] == reply.model == expected


@pytest.mark.parametrize(
    ("model", "thinking", "output"),
    [
        ("haiku", {"type": "disabled"}, {"effort": "low"}),
        ("sonnet", {"type": "between_tools"}, {"effort": "low"}),
        ("opus", None, {"effort": "low"}),
        ("claude-unheard-of", None, None),
    ],
)
async def test_a_cheap_call_thinks_as_little_as_its_model_can(fake, model, thinking, output):
    """Without it a bid is refused with a 400, or its thinking costs more than the speech that it asks for."""
    fake.play()
    runner = AnthropicRunner(cheap_model=model, api_key=KEY, base_url=fake.url)
    reply = await runner.run(Prompt(purpose="moderate", own="x"))
    await runner.close()
    (sent,) = fake.requests
    assert sent.get("thinking") == thinking
    assert sent.get("output_config") == output
    assert (sent["max_tokens"] > 4000) == (thinking is None)
    assert (reply.usage.cost is None) == (output is None)


async def test_the_base_url_of_the_environment_is_used(fake, monkeypatch):
    """Without it a user behind a gateway cannot use the runner."""
    fake.play()
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", f" {KEY}\n")
    runner = AnthropicRunner()
    await runner.run(Prompt(purpose="ask", own="x"))
    await runner.close()
    assert fake.headers[0]["authorization"] == f"Bearer {KEY}"
