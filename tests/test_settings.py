"""A setting is declared once, in `Settings`: every place that offers settings has it without a further line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from in_turn import in_one

from eda import Debate, DebateRequest, OnText, Prompt, Reply, Settings, ask, prepared
from eda.errors import UnknownNameError, UsageError
from eda.panels.settings import OFFERED, SETTINGS, limit, setting_of
from eda.runners.server import most_quiet

DECLARED = '''
import asyncio, json, os, sys
from pathlib import Path
from typing import Annotated

from pydantic import Field

import eda.panels.settings as declared


class Settings(declared.Settings):
    slowness: Annotated[int, declared.Flag("How slowly they speak.", "--slow", group="Limits")] = Field(default=3, ge=2)


declared.Settings = Settings
field = Settings.model_fields["slowness"]
flag = next(each for each in field.metadata if isinstance(each, declared.Flag))
new = declared.SETTINGS["slowness"] = declared.OFFERED["slow"] = declared.Setting("slowness", flag, field)
declared.LIMITS.append(new)

from click.testing import CliRunner

from eda.cli import cli
from eda.serve.app import make_app
from eda.serve.host import Host
from eda.serve.mcp_server import PanelServer
from eda.serve.panel_tools import PanelTools
from eda.session import Session
from eda.study.file import StudyFile
from eda.study.cells import setup_of
from starlette.testclient import TestClient


def eda(*args):
    return CliRunner().invoke(cli, [*args], catch_exceptions=False).output


seen = {"debate": eda("debate", "--help-all"), "resume": eda("resume", "--help-all")}
seen["bounds"] = eda("debate", "Is it?", "--slow", "1")
Path("eda.toml").write_text("slow = 7")
seen["config"] = eda("config", "--json")
eda("debate", "Is it?", "--session", "one", "--max-messages", "6", "--quiet")
with Session.read("one") as session:
    seen["session"] = session.started().settings.slowness
Path("s.toml").write_text("""name = "s"
tasks = "jury"
seeds = 1
[fixed]
slow = 5
""")
study = StudyFile.load("s.toml")
seen["study"] = setup_of(study, study.levels()[0], "talk").made.settings.slowness
tools = asyncio.run(PanelServer(PanelTools(Path("sessions"), "simulated")).list_tools())
seen["tools"] = {each.name: each.input_schema["properties"].get("slow") for each in tools}
app = make_app(Host(Path("sessions"), "simulated", "product-decision"), names=frozenset({"testserver"}), token="t" * 20)
with TestClient(app, headers={"Authorization": "Bearer " + "t" * 20}) as client:
    seen["form"] = client.get("/").text
    seen["dialog"] = client.get("/s/one").text
print(json.dumps(seen))
'''


def test_a_new_setting_is_in_every_place_that_offers_settings(tmp_path: Path) -> None:
    """A setting that the form or a study lacks would be found missing by a user, a release later."""
    done = subprocess.run(
        [sys.executable, "-c", DECLARED], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert not done.returncode, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    assert "How slowly they speak." in seen["debate"]
    assert "--slow" in seen["resume"]
    assert "at least 2" in seen["bounds"]
    rows = {row["key"]: row for row in json.loads(seen["config"])["settings"]}
    assert (rows["slow"]["value"], rows["slow"]["default"], rows["slow"]["variable"]) == (7, "3", "EDA_SLOW")
    assert (seen["session"], seen["study"]) == (7, 5)
    assert seen["tools"]["debate"]["description"] == "How slowly they speak."
    assert seen["tools"]["debate"] == seen["tools"]["resume"]
    assert 'name="slow" type="number" min="2"' in seen["form"]
    assert 'name="slowness" type="number" min="2"' in seen["dialog"]


def test_a_setting_is_called_by_its_name_or_by_its_option() -> None:
    """What works as an option would be no key of a file, or mean the opposite there."""
    assert setting_of("budget", 2) == setting_of("max_cost", 2) == (limit("cost"), 2)
    assert setting_of("not-own", value=True) == setting_of("own_proposals", value=False) == ("own_proposals", False)
    assert setting_of("no_first_vote", "yes") == ("first_vote", False)
    assert setting_of("stop", "done") == ("stop", ["done"])
    assert setting_of("colour", "red") is None
    assert {each.name for each in OFFERED.values()} == SETTINGS.keys()


def test_each_setting_that_has_a_choice_says_what_it_does() -> None:
    """An option without help is one that nobody uses."""
    for setting in SETTINGS.values():
        assert setting.flag.help.endswith("."), setting.name
        assert setting.flag.limits in ("", "messages", "seconds", "tokens", "cost")


@in_one(
    ("given", "about", "what"),
    [
        ({"question": " "}, "", "the question is empty"),
        ({"panel": "nobody"}, "panel", "unknown panel 'nobody'"),
        ({"personas": ["nobody", "sceptic"]}, "personas", "unknown persona 'nobody'"),
        ({"format": "nothing"}, "format", "unknown format 'nothing'"),
        ({"max_messages": "many"}, "max_messages", "'max_messages' should be a whole number"),
        ({"rule": "bordo"}, "rule", "'rule' should be"),
        ({"context": "no-such.md"}, "context", "no-such.md"),
        ({"speak_model": "opus", "runner": "simulated"}, "runner", "has no models to choose"),
        ({"seats": "sceptic=opus", "runner": "simulated"}, "seats", "--seat needs a debate"),
        ({"colour": "red"}, "colour", "'colour'"),
    ],
)
def test_what_is_wrong_with_a_request_is_said_with_its_field(given: dict[str, object], about: str, what: str) -> None:
    """A study shows the line of a key, and a form its field: both need to know which one it is."""
    with pytest.raises(Exception, match=what) as caught:
        prepared(DebateRequest.of({"question": "Is it?", **given}))
    assert caught.value.about == about


@pytest.mark.parametrize(
    "given",
    [
        {"runner": "evil:Class"},
        {"context": ["/etc/passwd"]},
        {"prompts": "/etc"},
        {"personas_dir": "/etc"},
        {"speak_model": "opus"},
        {"seats": ["sceptic=local:http://example.org"]},
    ],
)
def test_who_asks_a_server_names_no_file_address_or_code(given: dict[str, object]) -> None:
    """A page or a client would have the machine read a file, or call a stranger's server."""
    with pytest.raises(UsageError, match="for who runs the server"):
        DebateRequest.of({"question": "Is it?", **given}).by_names_alone()


@pytest.mark.parametrize(
    "given", [{"floor": "evil:Class"}, {"stop": ["evil:Class"]}, {"rule": "evil:Class"}, {"format": "evil.toml"}]
)
def test_who_asks_a_server_names_no_part_that_is_code(given: dict[str, object]) -> None:
    """`module:Class` is imported when it is looked up."""
    with pytest.raises(UnknownNameError):
        DebateRequest.of({"question": "Is it?", **given}).by_names_alone()


def test_a_script_asks_for_a_debate_as_a_command_does() -> None:
    """What works as a line of a shell would need another program in Python."""
    wanted = DebateRequest.of(
        {"question": "Is it?", "panel": "red-team", "options": "Yes\nNo", "not-own": True, "max-messages": 6, "seed": 3}
        | {"runner": "simulated"}
    )
    debate = prepared(wanted).debate()
    started = debate.started
    assert (started.panel, started.options, started.seed) == ("red-team", ("Yes", "No"), 3)
    assert (started.settings.own_proposals, started.settings.max_messages) == (False, 6)


async def test_an_answer_aside_keeps_the_deadline_of_the_debate() -> None:
    """A script that asks a member would wait two minutes where the debate gives a call seven seconds."""
    kept: list[float] = []

    class Slow:
        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            kept.append(most_quiet(120))
            return Reply("Because of the price.")

    debate = Debate("Is it?", "red-team", settings=Settings(max_messages=4, call_timeout=7))
    await debate.run()
    await ask(debate.session, debate.members[0].title, "Why?", Slow())
    assert (kept, most_quiet(120)) == ([7], 120), "what follows has its own"
