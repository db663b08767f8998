"""What a file sets instead of an option: which one wins, what is refused, and what a stranger's file cannot do."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result

from eda.cli import cli
from eda.cli.configuration import KEYS, read_configuration, user_file, variable
from eda.panels.settings import SETTINGS, setting_of
from eda.runners.models import look_up
from eda.session import Session

Eda = Callable[..., Result]
SHORT = ("--max-messages", "10", "--session", "one")
PERSONA = "---\nname: {0}\ndescription: Builds.\n---\nYou build things.\n"
PANEL = 'name = "ours"\ntitle = "Ours"\ndescription = "Two of us."\nmembers = ["sceptic", "mine"]\n'


@pytest.fixture
def eda(eda: Eda, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Eda:
    """The program in a project's folder, with a folder of settings of its own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("EDA_SESSIONS")
    monkeypatch.delenv("EDA_RUNNER")
    (tmp_path / "home" / "eda").mkdir(parents=True)
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return eda


def own(text: str) -> None:
    user_file().write_text(text)


def project(text: str) -> None:
    Path("eda.toml").write_text(text)


def settings(eda: Eda) -> dict[str, dict[str, Any]]:
    return {row["key"]: row for row in json.loads(eda("config", "--json").stdout)["settings"]}


def test_the_nearest_setting_wins(eda: Eda, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody sets a thing and gets another, and nothing says why."""
    assert settings(eda)["runner"]["source"] == "default"
    own('runner = "simulated:fixed"\nbudget = 2\n\n[models]\ncheap = "haiku"\n')
    project('# ours\nrunner = "simulated:fixed"\n')
    shown = settings(eda)
    assert (shown["runner"]["value"], shown["runner"]["place"]) == ("simulated:fixed", "eda.toml, line 2")
    assert (shown["budget"]["value"], shown["budget"]["source"]) == (2.0, "user")
    assert shown["models.cheap"]["place"].endswith("config.toml, line 5")
    eda("debate", "Is it so?", "--quiet", *SHORT)
    with Session.read("one") as session:
        assert session.started().runner == "simulated:fixed"
        assert session.started().settings.max_cost == 2
    monkeypatch.setenv(variable("runner"), "simulated")
    assert settings(eda)["runner"]["place"] == "EDA_RUNNER"
    eda("debate", "Is it so?", "--max-messages", "10", "--session", "two", "--budget", "3", "-q")
    with Session.read("two") as session:
        assert session.started().runner == "simulated"
        assert session.started().settings.max_cost == 3


def test_every_key_is_a_parameter_of_the_commands_that_have_it() -> None:
    """A key that no command reads would be set in vain."""
    for name, key in KEYS.items():
        given = {each for command in key.commands.split() for each in _parameters(command)}
        assert key.param in given or name == "sessions", name
        assert key.usual or name in ("runner", "sessions")  # which depend on the machine


def _parameters(command: str) -> set[str | None]:
    found: click.Command | None = cli
    for step in command.split("/"):
        assert isinstance(found, click.Group)
        found = found.get_command(click.Context(cli), step)
    assert found is not None
    return {param.name for param in found.params}


def test_folders_are_those_beside_the_file(eda: Eda) -> None:
    """`sessions = "debates"` in a user's file would mean another folder in each place."""
    project('sessions = "debates"\npersonas = "people"\npanels = "groups"\n')
    for path, text in (("people/mine.md", PERSONA.format("mine")), ("groups/ours.toml", PANEL)):
        Path(path).parent.mkdir()
        Path(path).write_text(text)
    eda("debate", "Is it so?", "--panel", "ours", "--runner", "simulated", "--quiet", *SHORT)
    assert Path("debates/one/events.jsonl").is_file()
    assert "one\t" in eda("sessions").stdout
    assert "ours\n" in eda("list", "panels").stdout
    assert (
        "eda show two\n"
        in eda("debate", "So?", "--session", "two", "--runner", "simulated", "--max-messages", "10").stdout
    )
    assert "one\t" not in eda("sessions", "--sessions", "nosuch").stdout


def test_quiet_by_default_gives_way(eda: Eda, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a default that excludes --json no script would run."""
    monkeypatch.setenv("EDA_RUNNER", "simulated")
    own('verbosity = "quiet"')
    assert eda("debate", "Is it so?", *SHORT).stdout.startswith(("verdict: ", "No verdict"))
    assert json.loads(eda("debate", "Is it so?", "--json", "--max-messages", "10").stdout)["session"] == "is-it-so"
    assert "--quiet" in eda("debate", "Is it so?", "--json", "--quiet", code=2).stderr
    assert eda("show", "one").stdout.startswith("Is it so?"), "what is shown is there to be read"
    brief = eda("show", "one").stdout
    project('verbosity = "verbose"')
    assert brief != eda("show", "one").stdout == eda("show", "one", "--verbose").stdout
    assert eda("show", "one", "--quiet").stdout.splitlines()[-1] == "session: one"


def test_models_are_those_of_the_configured_runner(eda: Eda, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--runner simulated` would be refused, and another server asked for a model that it does not have."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none-is-called")
    own('[models]\nspeak = "opus"\ncheap = "haiku"\n')

    def models(*args: str) -> str:
        checks = json.loads(eda("doctor", "--json", *args).stdout)["checks"]
        return next(str(check["value"]) for check in checks if check["name"] == "runner")

    assert models() == "anthropic:claude-opus-5-5+claude-haiku-5-5"
    assert models("--runner", "anthropic:sonnet") == "anthropic:claude-sonnet-5-5+claude-haiku-5-5"
    assert models("--speak-model", "haiku") == "anthropic:claude-haiku-5-5+claude-haiku-5-5"
    assert models("--runner", "local:http://127.0.0.1:9") == "local:http://127.0.0.1:9"
    eda("debate", "Is it so?", "--runner", "simulated", "--quiet", *SHORT)


def test_prices_of_ones_own_are_used_and_end_with_the_command(eda: Eda, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that the table lacks has no cost, and no budget holds it."""
    own('[[model]]\nid = "ours-7b"\nprice = { input = 1, output = 2, cache_read = 0.5 }\n[[model]]\nid = "haiku"\n')
    found = read_configuration().models
    assert [model.id for model in found] == ["ours-7b", "claude-haiku-5-5"]
    assert found[1] == look_up("haiku")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none-is-called")
    checks = json.loads(eda("doctor", "--json", "--runner", "anthropic:ours-7b").stdout)["checks"]
    rows = next(check["value"] for check in checks if check["name"] == "models")
    assert {row["model"]: row["price"] for row in rows}["ours-7b"] == {"input": 1, "output": 2, "cache_read": 0.5}
    assert look_up("ours-7b").price is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('\nruner = "simulated"', "line 2: 'runer' is no key of the configuration; did you mean 'runner'?"),
        ('[models]\nspeek = "opus"', "line 2: 'models.speek' is no key of the configuration; did you mean 'models.sp"),
        ('budget = "2"', "line 1: 'budget' should be a number"),
        ("budget-tokens = 1.5", "line 1: 'budget-tokens' should be a number"),
        ("budget = true", "line 1: 'budget' should be a number"),
        ("runner = 3", "line 1: 'runner' should be text in quotes"),
        ("not-own = 1", "line 1: 'not-own' should be true or false"),
        ('rule = "bordo"', "line 1: 'rule': unknown rule 'bordo'"),
        ('floor = "evil:Class"', "line 1: 'floor': unknown floor 'evil:Class'"),
        ("budget = -1", "line 1: 'budget': -1 is not a number over 0"),
        ('verbosity = "loud"', "line 1: 'verbosity': 'loud' is not one of"),
        ("runner = ", "line 1: is no valid TOML"),
        ('anthropic_api_key = "abc"', "line 1: 'anthropic_api_key' holds a key or password"),
        ('[models]\ncheap = "sk-ant-api03-abcdef"', "line 2: 'models.cheap' holds a key"),
        ("model = 3", "line 1: 'model' is no list of models"),
        ("[[model]]\nprice = 3", "line 1: a model has no 'id'"),
        (
            '[[model]]\nid = "a"\n[[model]]\nid = "b"\nprise = 3',
            "line 3: 'prise' is no key of a model; did you mean 'pri",
        ),
        ('[[model]]\nid = "a"\nprice = { input = -1, output = 2, cache_read = 0 }', "line 1: 'price.input'"),
    ],
)
def test_a_setting_that_is_none_is_named_with_its_line(text: str, why: str, eda: Eda) -> None:
    """A typing error would be a setting that silently does nothing."""
    own(text)
    said = eda("sessions", code=2).stderr
    assert why in said
    assert "sk-ant" not in said
    assert "usage" in eda("--help").stdout.lower()


def test_a_variable_that_cannot_be_used_is_named(eda: Eda, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody would look for the fault of a command in the profile of a shell."""
    monkeypatch.setenv("EDA_BUDGET", "much")
    assert "EDA_BUDGET: 'much' is not a number over 0" in eda("sessions", code=2).stderr


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *(
            (f'runner = "{runner}"', "a project's file may not name the runner")
            for runner in (
                "evil:Class",
                "evil",
                "simulated :Class",
                "local:https://example.org",
                "local:http://localhost.example.org",
                "local:http://2130706433",
                "openai:https://example.org/v1#gpt-5",
                "vllm:http://10.0.0.1:8000/v1#m",
                "local:http://10.0.0.1,fallback=x",
                "recorded:calls.jsonl,then=evil:Class",
            )
        ),
        ('runner = "local:http://localhost@example.org"', "'runner': the URL of a server holds a name"),
        ('floor = "evil:Class"', "'floor': unknown floor"),
        ('stop = "evil:Class"', "'stop': unknown stop"),
        ('sessions = "../elsewhere"', "'sessions' lies outside the project's folder"),
        ('personas = "/etc"', "'personas' lies outside the project's folder"),
        ('panels = "~/panels"', "'panels' lies outside the project's folder"),
        ('personas = "link"', "'personas' lies outside the project's folder"),
        ('[[model]]\nid = "claude-opus-5-5"\nprice = 0', "a project's file sets no prices"),
    ],
)
def test_a_file_that_came_with_a_repository_reaches_nothing(text: str, why: str, eda: Eda, tmp_path: Path) -> None:
    """`git clone`, `cd`, `eda debate`: and a stranger has the key, or the machine."""
    Path("evil.py").write_text("from pathlib import Path\nPath('ran').touch()\nclass Class: ...\n")
    Path("link").symlink_to(tmp_path / "home")
    project(text)
    assert why in eda("debate", "Is it so?", code=2).stderr
    assert not Path("ran").exists()


@pytest.mark.parametrize(
    "runner", ["simulated:fixed", "local:http://127.0.0.1:9#m", "ollama:qwen3:4b", "openai:http://[::1]:9/v1#m"]
)
def test_a_projects_file_may_name_this_machine(runner: str, eda: Eda) -> None:
    """A team's server on each one's machine is what such a file is for."""
    project(f'runner = "{runner}"')
    assert settings(eda)["runner"]["value"] == runner


def test_a_project_lowers_a_budget_and_never_raises_it(eda: Eda) -> None:
    """Who wrote the project does not pay."""
    own("budget = 2\nbudget-tokens = 1000\nmax-messages = 12\nquorum = 0.5")
    project("budget = 500\nbudget-tokens = 10\nbudget-time = 60\nmax-messages = 400\nquorum = 0.9")
    shown = settings(eda)
    assert [shown[f"budget{end}"]["value"] for end in ("", "-tokens", "-time")] == [2.0, 10, 60.0]
    assert (shown["max-messages"]["value"], shown["quorum"]["value"]) == (12, 0.9), "a quorum is no limit"


def test_a_file_sets_what_an_option_turns_off(eda: Eda, monkeypatch: pytest.MonkeyPatch) -> None:
    """`not-own = true` would let members vote for their own texts, or be taken for a text."""
    own('not-own = true\nno-first-vote = true\nrule = "Borda"\nsummary-every = 5')
    monkeypatch.setenv("EDA_FIXED_OPTIONS", "yes")
    monkeypatch.setenv("EDA_RUNNER", "simulated")
    eda("debate", "Is it so?", "--option", "Yes", "--option", "No", "--quiet", *SHORT)
    with Session.read("one") as session:
        now = session.started().settings
    assert (now.own_proposals, now.first_vote, now.fixed_options, now.rule) == (False, False, True, "borda")
    assert now.summary_every == 5


def test_every_option_that_turns_something_off_does() -> None:
    """`--no-terms` turned on what it says that it turns off."""
    offered = {each.key: each.name for each in SETTINGS.values() if each.key.startswith(("no-", "not-"))}
    assert {"no-terms", "no-first-vote", "not-own"} <= offered.keys()
    command = cli.get_command(click.Context(cli), "debate")
    assert command is not None
    given = command.make_context("debate", ["Is it so?", *(f"--{key}" for key in offered)]).params
    assert {given[name] for name in offered.values()} == {False}
    assert {setting_of(key, "yes") for key in offered} == {(name, False) for name in offered.values()}


@pytest.mark.parametrize("key", ["personas", "panels"])
def test_a_projects_panel_names_no_code(key: str, eda: Eda, monkeypatch: pytest.MonkeyPatch) -> None:
    """A floor of a panel is imported when the panel is read, and all panels of a folder are."""
    monkeypatch.syspath_prepend(".")
    Path("evil_floor.py").write_text("from pathlib import Path\nPath('ran').touch()\nclass Class: ...\n")
    folder = Path("people/panels" if key == "personas" else "people")
    folder.mkdir(parents=True)
    (folder / "ours.toml").write_text(PANEL + '[defaults]\nfloor = "evil_floor:Class"\n')
    project(f'{key} = "people"')
    said = eda("debate", "Is it so?", code=2).stderr
    assert "ours.toml, line 6: 'floor' is none that is shipped" in said
    assert not Path("ran").exists()


def test_a_projects_runner_lets_no_module_of_its_folder_in(eda: Eda) -> None:
    """A colon in a runner made the working folder one that modules are imported from: `numpy.py` would have run."""
    project('runner = "local:http://127.0.0.1:9"')
    assert "is empty" in eda("debate", " ", code=2).stderr
    assert str(Path.cwd()) not in sys.path


def test_a_variable_of_any_setting_counts_alone(eda: Eda, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that was set in the environment was left out where no file and no other variable was set."""
    monkeypatch.setenv("EDA_RULE", "nonsense")
    assert "EDA_RULE: unknown rule 'nonsense'" in eda("sessions", code=2).stderr


def test_the_language_that_is_set_is_that_of_the_lists(eda: Eda, monkeypatch: pytest.MonkeyPatch) -> None:
    """`EDA_LANGUAGE=de eda` opened a list in English: only the debates were German."""
    kept: list[str] = []
    monkeypatch.setattr("eda.serve.host.Host.__init__", lambda _, *given: kept.append(given[-1].language) or 1 / 0)
    monkeypatch.setenv("EDA_LANGUAGE", "de")
    with pytest.raises(ZeroDivisionError):
        eda("serve", "--runner", "simulated")
    assert "keine Entscheidungen" in eda("decisions").stderr
    monkeypatch.delenv("EDA_LANGUAGE")
    assert "no decisions" in eda("decisions").stderr
    assert kept == ["de"]
