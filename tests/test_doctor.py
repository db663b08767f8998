"""`eda doctor`: what it finds, what it never prints, and when it says that something is broken."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from fake_anthropic import Fail, Say

from eda.cli import cli
from eda.runners.models import model_table

KEY = "sk-ant-not-a-key-but-long-enough-4711"


@pytest.fixture
def eda(tmp_path, monkeypatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EDA_LOCAL_KEY", raising=False)
    monkeypatch.delenv("EDA_RUNNER")
    return lambda *args: CliRunner().invoke(cli, ["doctor", *args], prog_name="eda", catch_exceptions=False)


@pytest.fixture
def keyed(eda, fake, monkeypatch) -> Callable[..., Result]:
    """The program with a key, at the fake."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
    return eda


def found(done: Result) -> dict[str, Any]:
    return {check["name"]: check for check in json.loads(done.stdout)["checks"]}


def test_without_a_key_one_thing_is_not_ready(eda):
    """A newcomer read that all is well, and their first debate said that no model answers."""
    done = eda()
    assert done.exit_code == 1, done.output
    assert "ANTHROPIC_API_KEY: not set" in done.stdout
    assert "NOT READY runner: no model answers here" in done.stdout
    assert done.stdout.endswith("not ready: runner\n")
    assert "eda doctor" not in done.stdout, "a hint that names itself leads nowhere"
    assert not Path("sessions").exists()


def test_it_lists_versions_and_extras(eda):
    """Without it a report of a fault lacks what one asks for first."""
    checks = found(eda("--json"))
    for package in ("anthropic", "click", "pydantic", "rich"):
        assert checks[package]["value"] == metadata.version(package)
    assert checks["extra dev"]["value"] == "installed"
    assert checks["python"]["ok"]


def test_a_missing_package_is_broken(eda, monkeypatch):
    """Without it a half-finished installation is found out in the middle of a debate."""
    real = metadata.version

    def version(name: str) -> str:
        if name in ("rich", "mypy"):
            raise metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(metadata, "version", version)
    done = eda("--json")
    assert done.exit_code == 1
    checks = found(done)
    assert (checks["rich"]["ok"], checks["rich"]["hint"]) == (False, "Install rich.")
    assert checks["extra dev"] == {"name": "extra dev", "value": "lacks mypy", "ok": True, "hint": ""}


def test_it_runs_where_eda_is_not_installed(eda, monkeypatch):
    """Without it a checkout gets a traceback."""

    def requires(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", requires)
    assert "not ready: runner" in eda().stdout


@pytest.mark.parametrize("how", [(), ("--json",), ("--live",), ("--live", "--json")])
@pytest.mark.parametrize("trouble", [Say("H"), Fail(401, "authentication_error", f"bad key {KEY}")])
def test_no_key_is_ever_printed(keyed, fake, monkeypatch, how, trouble):
    """Without it a key stands in every report of a fault."""
    monkeypatch.setenv("EDA_LOCAL_KEY", "short-key")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url.replace("//", "//me:pass-of-mine@"))
    fake.play(trouble)
    shown = keyed(*how).output
    assert KEY not in shown
    assert "ends with 4711" in shown
    assert "ends with -key" not in shown
    assert "short-key" not in shown
    assert "pass-of-mine" not in shown


@pytest.mark.parametrize("url", ["http://me:SECRET/SECRET@host/v", "http://me:S@SECRET@host/v", "me:SECRET@host/v"])
@pytest.mark.parametrize("rest", ["", "?key=SECRET", "?key=SEC@SECRET", "#SECRET"])
def test_no_password_of_an_address_is_ever_printed(eda, monkeypatch, url, rest):
    """Without it a password that holds an `@`, or a URL that lacks its `http://`, stands in a report of a fault."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", url + rest)
    shown = eda().output
    assert "SECRET" not in shown
    assert "ANTHROPIC_BASE_URL: set\n" in shown


@pytest.mark.parametrize(
    "spec", ["local:http://ann:pass-4711@h:1#m", "local:http://h:1/?key=4711", "local:ann:4711@h:1", f"anthropic:{KEY}"]
)
@pytest.mark.parametrize("how", [[], ["--json"]])
def test_no_key_in_a_runner_that_cannot_be_used_is_printed(keyed, spec, how):
    """What is broken is what gets pasted into a report of a fault."""
    done = keyed("--runner", spec, *how)
    assert done.exit_code == 1
    assert "runner" in done.output
    assert "4711" not in done.output.replace("ends with 4711", "")


def test_models_have_their_prices_and_the_tables_date(keyed):
    """Without it nobody knows what a debate will cost, or how old the price is."""
    done = keyed("--cheap-model", "opus", "--speak-model", "claude-next-9")
    assert "model: claude-next-9 for speak, report, baseline, ask: price unknown" in done.stdout
    cheap = "bid, moderate, summarise, poll, ballot, read, terms, declare"
    assert f"model: claude-opus-5-5 for {cheap}: $4 in, $20 out" in done.stdout
    assert str(model_table().checked) in done.stdout


def test_live_makes_one_short_call(keyed, fake):
    """Without it a key is found dead at the first turn of a debate."""
    usage = {"input_tokens": 8, "output_tokens": 1}
    fake.play(Say("H", stop="max_tokens", usage=usage), Say("H", stop="max_tokens", usage=usage))
    done = keyed("--live", "--json")
    assert done.exit_code == 0, done.output
    (sent,) = fake.requests
    assert (sent["model"], len(str(sent["messages"])) < 200) == ("claude-haiku-5-5", True)
    live = found(done)["live"]["value"]
    assert live["cost"] == pytest.approx((8 * 0.1 + 1 * 0.5) / 1e6)
    assert live["seconds"] > 0
    assert "cost $0.0000013" in keyed("--live").stdout


@pytest.mark.parametrize("trouble", [Fail(401, "authentication_error"), Fail(529, "overloaded_error"), Fail(404)])
def test_a_live_call_that_fails_is_broken_after_one_try(keyed, fake, trouble):
    """Without it a check that is run before a demonstration says that all is well."""
    fake.play(trouble)
    done = keyed("--live")
    assert done.exit_code == 1
    assert "NOT READY live" in done.stdout
    assert re.search(r"hint: .*ANTHROPIC_", done.stdout)  # the address is one of the user's own
    assert len(fake.requests) == 1


def test_live_with_nobody_to_ask_is_broken(eda):
    """Without it `--live` without a key says that a model answers."""
    done = eda("--live")
    assert done.exit_code == 1
    assert "ANTHROPIC_API_KEY" in done.stdout


def test_a_runner_that_lacks_its_key_is_broken(eda):
    """Without it one finds out at the debate."""
    assert eda("--runner", "anthropic").exit_code == 1
    assert eda("--runner", "simulated").exit_code == 0


def test_a_local_server_is_tried_out(eda, fake):
    """Without it nobody knows whether the server, the address or the model is at fault."""
    fake.models = ["tiny"]
    done = eda("--live", "--runner", f"local:{fake.url}")
    assert done.exit_code == 0, done.output
    assert "tiny answered in" in done.stdout
    assert "model: tiny for speak, bid" in done.stdout
    assert re.search(r"answered in .* s, no cost$", done.stdout, re.MULTILINE)
    assert f"runner: local:{fake.url}#tiny" in done.stdout
    assert "prices" not in done.stdout
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    gone = eda("--live", "--runner", f"local:http://127.0.0.1:{port}")
    assert gone.exit_code == 1
    assert "is not there" in gone.stdout


def test_sessions_that_cannot_be_kept_are_broken(eda, tmp_path):
    """Without it a debate is paid for, or refused, with nowhere to keep it."""
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    done = eda("--sessions", str(tmp_path / "file"))
    assert done.exit_code == 1
    assert "NOT READY sessions" in done.stdout
    assert "will be created" in eda("--sessions", str(tmp_path / "a" / "b")).stdout
    assert not (tmp_path / "a").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
