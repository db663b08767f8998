"""Parts of the user's own: a floor, a rule, a stop condition, a phase kind, a runner, a summariser.

Each kind has one contract, which its shipped parts and a plug-in keep.
"""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import own_parts
import pytest
from click.testing import CliRunner
from in_turn import in_one
from own_parts import Enough, FirstWords, Pairs, Shy, Terse, Veto

from eda import Debate, Prompt, ScriptedRunner, Session, Settings
from eda.cli import cli
from eda.debate.floor.policies import Floor
from eda.debate.floor.stop import Stop
from eda.debate.replay import progress_of
from eda.debate.state import DebateState
from eda.debate.summaries import Writer
from eda.errors import UnknownNameError, UsageError
from eda.events import Ballot, Bid, FloorGranted, MessagePosted
from eda.memory import ConversationMemory
from eda.panels.agenda import Agenda, Phase, PhaseKind
from eda.panels.registry import FLOORS, PHASES, RULES, RUNNERS, STOPS, SUMMARISERS, Registry
from eda.report.phrases import ended_phrase, granted_phrase
from eda.runners.answers import ScoredAnswer
from eda.runners.shipped import make_runner, named_runner
from eda.runners.simulated.runner import SimulatedRunner
from eda.voting import Counted, Rule

GUIDE = (Path(__file__).parent.parent / "docs" / "extending.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
NAMES = ["Maya", "Ruth", "Tomas", "Amara"]
PANEL = ["sceptic", "historian", "pragmatic-engineer"]
QUESTION = "Should we move billing?"
OPTIONS = ["Now", "Later"]


OWN: Mapping[Registry, type] = {
    FLOORS: Shy,
    RULES: Veto,
    STOPS: Enough,
    PHASES: Pairs,
    RUNNERS: Terse,
    SUMMARISERS: FirstWords,
}


def debate(**given: Any) -> Debate:
    given = {"panel": PANEL, "options": OPTIONS, "settings": Settings(max_messages=12)} | given
    return Debate(QUESTION, **given)


def parts(registry: Registry) -> list[Any]:
    """The shipped parts of a kind, and the plug-in."""
    own = registry.checked(OWN[registry])
    return [pytest.param(part, id=name) for name, part in {**registry.shipped, "own": own}.items()]


# --- one contract a kind


@pytest.mark.parametrize("floor", parts(FLOORS))
def test_a_floor_grants_to_an_eligible_member_and_changes_nothing(floor: Floor) -> None:
    """A floor granted to a stranger would hang the debate; one that keeps something would differ after a resume."""
    state = DebateState(members=list(NAMES))
    bids = [Bid(agent=name, wants=True, urgency=0.5) for name in NAMES]
    for number in range(1, 9):
        before = repr(state)
        members = floor.eligible(NAMES, state)
        granted = floor.first(members, state) or floor.grant(members, state, bids)
        assert granted is not None
        assert granted.agent in members
        assert granted == (floor.first(members, state) or floor.grant(members, state, bids))
        assert repr(state) == before
        assert granted_phrase(granted)
        state.fold(granted)
        state.fold(MessagePosted(number=number, who=granted.agent, text="..."))


@pytest.mark.parametrize("rule", parts(RULES))
def test_a_rule_names_an_option_or_none_with_a_figure_for_each(rule: Rule) -> None:
    """The report shows a figure for each option, and a tie must not depend on who counts."""
    ballots = [
        Ballot(agent=name, choice=first, ranking=(first, second), approved=(first,), scores={first: 9.0, second: 2.0})
        for name, first, second in zip(NAMES, "AAAB", "BBBA", strict=True)
    ]
    outcome = rule.count(ballots, ("A", "B"))
    assert isinstance(outcome, Counted)
    assert outcome == rule.count(ballots, ("A", "B"))
    if rule.ways is not None:
        assert outcome.winner in ("A", None)
        assert set(outcome.figures) == {"A", "B"}
    assert rule.count([], ("A", "B")).winner in ("A", "B", None)
    assert rule.line.endswith(".")


@pytest.mark.parametrize("condition", parts(STOPS))
def test_a_stop_condition_has_a_reason_in_words_and_a_limit_that_is_a_setting(condition: Stop) -> None:
    """A resume could not say which limit to raise, and a screen would show a bare word."""
    state, memory = DebateState(), ConversationMemory()
    state.fold(debate().started)
    before = repr(state)
    assert condition.check(state, memory) is False
    assert repr(state) == before
    assert condition.reason
    assert len(condition.phrase.split()) > 1
    assert condition.line.endswith(".")
    assert not condition.limit or condition.limit in Settings.model_fields
    assert bool(condition.limit) == bool(condition.option)


@pytest.mark.parametrize("name", [*PHASES.shipped, "own"])
def test_a_phase_kind_moves_on_by_itself_and_says_what_it_waits_for(name: str) -> None:
    """A phase that never ends would spend the whole budget."""
    kind: PhaseKind = PHASES.shipped[name] if name in PHASES.shipped else PHASES.checked(Pairs)
    assert kind.line
    assert kind.waiting
    held = Pairs if name == "own" else name
    own = [] if name in ("ballot", "verdict") else [Phase(name="own", kind=held)]
    talk = [] if kind.speaks else [Phase(name="talk", kind="round")]
    before = (*own, *talk) if name == "first-ballot" else (*talk, *own)
    phases = (*before, Phase(name="vote", kind="ballot"), Phase(name="end", kind="verdict"))
    agenda = Agenda(name="own", title="Own", description="For a test.", promise="A verdict.", phases=phases)
    result = debate(agenda=agenda).run_sync()
    assert result.reason in ("done", "messages", "silence")
    assert result.verdict is not None
    assert result.messages >= len(PANEL)


@in_one("name", [*RUNNERS.shipped, "own"])
def test_a_runner_is_made_from_its_spec_and_says_which_it_was(name: str) -> None:
    """A resume would ask another model than the session was run with."""
    calls = Path(__file__).parent / "recordings" / "local.jsonl"
    named = {"local": "local:http://127.0.0.1:9", "recorded": f"recorded:{calls}", "own": "own_parts:Terse"}
    spec = {**named, "acp": "acp:true"}.get(name, name)
    spec = f"{spec}:model" if name in ("openai", "openrouter", "gemini", "mistral") else spec
    with pytest.MonkeyPatch.context() as patch:
        for key in ("ANTHROPIC", "OPENAI", "OPENROUTER", "GEMINI", "MISTRAL"):
            patch.setenv(f"{key}_API_KEY", "none-is-called")
        runner = make_runner(named_runner(spec))
        assert runner is not make_runner(spec)
    assert str(getattr(runner, "spec", "")).startswith(name if name != "own" else spec)


@pytest.mark.parametrize("writer", parts(SUMMARISERS))
def test_a_summariser_says_what_it_does_and_its_summaries_stand_in_memory(writer: Writer) -> None:
    """Members would be shown no summary of what left their window."""
    assert writer.line.endswith(".")
    held = debate(summariser=writer, settings=Settings(max_messages=16, summary_every=4))
    held.run_sync()
    assert held.memory.summaries
    assert all(summary.text for summary in held.memory.summaries)


# --- by hand, by name, from a package


def test_objects_are_passed_to_a_debate() -> None:
    """Whoever tries a floor of their own would have to fork the engine."""
    held = debate(floor=Shy(), rule=Veto(), stop=[Enough(5)], summariser=FirstWords())
    result = held.run_sync()
    assert result.verdict is not None
    assert result.verdict.rule == "veto"
    assert result.reason == "enough"
    grants = [fact for fact in held.session.events() if isinstance(fact, FloorGranted)]
    assert "said least" in {grant.reason for grant in grants}


@pytest.mark.parametrize("kind", ["floor", "rule", "stop", "summariser"])
def test_what_is_no_such_part_is_refused_before_the_first_fact(kind: str) -> None:
    """A debate would fail in its first turn, with a traceback."""
    wrong: object = [object()] if kind == "stop" else object()
    with pytest.raises(UsageError, match="is no "):
        debate(**{kind: wrong})
    misspelt: object = ["messagse"] if kind == "stop" else {"floor": "biding", "rule": "bordo"}.get(kind, "modle")
    with pytest.raises(UnknownNameError) as caught:
        debate(**{kind: misspelt})
    assert "Did you mean" in caught.value.hint


def test_a_floor_that_grants_nothing_ends_the_talk() -> None:
    """A debate would ask for the next speaker for ever."""

    class Nobody:
        def grant(self, *_: object) -> None:
            return None

    assert debate(floor=Nobody()).run_sync().reason == "silence"


def test_a_rule_that_counts_scores_is_given_scores() -> None:
    """It would count nothing, and the first option would win every vote."""

    class Total:
        """The highest sum of scores."""

        name = "total"
        counts = "scores"

        def count(self, ballots: Sequence[Ballot], options: Sequence[str], /) -> str:
            return max(options, key=lambda option: sum(ballot.scores.get(option, 0) for ballot in ballots))

    def ballot(prompt: Prompt) -> dict[str, Any]:
        assert prompt.answer is ScoredAnswer
        scores = [{"choice": one, "score": 9 if one == OPTIONS[-1] else 1} for one in OPTIONS]
        return {"choice": OPTIONS[-1], "scores": scores}

    runner = ScriptedRunner(lambda prompt: f"My point {prompt.last}.", ballots=ballot)
    result = debate(rule=Total(), runner=runner).run_sync()
    assert result.verdict is not None
    assert result.verdict.outcome == OPTIONS[-1]


def test_a_rule_that_names_no_option_is_refused() -> None:
    """A verdict for something that nobody could vote for would stand in the log."""

    class Wild:
        name = "wild"

        def count(self, *_: object) -> str:
            return "Neither"

    with pytest.raises(UsageError, match="none of the options"):
        debate(rule=Wild()).run_sync()


def interrupted(session: Session, **given: Any) -> None:
    """Run a debate with these parts, and stop it after two messages."""
    held = debate(session=session, **given)

    @held.on(MessagePosted)
    def stop(message: MessagePosted) -> None:
        if message.number >= 2:
            held.stop()

    held.run_sync()


def test_a_session_is_resumed_with_its_own_stop_condition() -> None:
    """A stop reason that the engine does not ship ended a debate, and the resume failed with a KeyError."""
    session = Session.in_memory()
    assert debate(session=session, stop=[Enough()]).run_sync().reason == "enough"
    assert progress_of(session).settings.stop == ("own_parts:Enough",)
    assert ended_phrase("enough") == "enough was said"
    assert ended_phrase("never seen") == "never seen"
    result = Debate.resume(session, max_messages=24).run_sync()
    assert result.reason == "enough"
    assert result.verdict is not None


def test_a_condition_with_a_limit_keeps_an_ended_debate_from_going_on_until_that_is_raised() -> None:
    """The resume would end at once, and nobody would be told why."""

    class Half(Enough):
        """Half of the messages are enough."""

        reason, limit = "half", "max_messages"

        def check(self, state: DebateState, _: ConversationMemory, /) -> bool:
            return state.messages >= state.settings.max_messages // 2

    session, half = Session.in_memory(), [Half()]
    assert debate(session=session, stop=half).run_sync().reason == "half"
    with pytest.raises(UsageError, match="limit of half"):
        Debate.resume(session, stop=half, max_messages=13)
    assert Debate.resume(session, stop=half, max_messages=24).run_sync().reason == "half"


def test_an_object_that_its_class_does_not_make_again_has_to_be_passed_again() -> None:
    """The resume would go on by another bound than the debate began with, and nobody would know."""
    session = Session.in_memory()
    interrupted(session, stop=[Enough(5)])
    with pytest.raises(UsageError, match=r"stop condition .*Enough") as caught:
        Debate.resume(session)
    assert "stop=[...]" in caught.value.hint
    assert Debate.resume(session, stop=[Enough(5)]).run_sync().reason == "enough"


@pytest.mark.parametrize("floor", [Shy, Shy()])
def test_a_session_finds_its_floor_again(floor: object) -> None:
    """A plain resume would have to be given again what the session was run with."""
    session = Session.in_memory()
    interrupted(session, floor=floor, runner=SimulatedRunner())
    resumed = Debate.resume(session)
    resumed.run_sync()
    whole = debate(floor=Shy())
    whole.run_sync()
    said = [
        [fact.text for fact in each.session.events() if isinstance(fact, MessagePosted)] for each in (resumed, whole)
    ]
    assert said[0] == said[1]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with a part of each kind, installed as pip does."""
    shutil.copy(own_parts.__file__, tmp_path / "packaged_parts.py")
    info = tmp_path / "packaged_parts-1.0.dist-info"
    info.mkdir()
    lines = [f"[{registry.group}]\nown = packaged_parts:{part.__name__}\n" for registry, part in OWN.items()]
    (info / "entry_points.txt").write_text("\n".join([*lines, "[console_scripts]\nother = other:main\n"]), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.mark.parametrize("registry", OWN, ids=lambda registry: registry.group)
def test_an_installed_package_brings_a_part(registry: Registry, installed: Path) -> None:
    """Whoever shares a floor would have to tell each user which class to name."""
    assert registry.names()[-1] == "own"
    assert registry.lines()["own"].endswith(".")
    assert registry.get("own") is not None
    assert installed


def test_the_command_line_takes_the_parts_of_a_package_and_of_the_folder(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parts of one's own would be for programs alone."""
    monkeypatch.chdir(installed)
    (installed / "mine.py").write_text("from packaged_parts import Shy, Enough, Terse\n", "utf-8")
    args = ["debate", QUESTION, "--option", "Now", "--option", "Later", "--session", "one", "--sessions", "s"]
    done = CliRunner().invoke(cli, [*args, "--floor", "own", "--rule", "own", "--stop", "mine:Enough"])
    assert done.exit_code == 0, done.output
    with Session.read("one", Path("s")) as session:
        assert progress_of(session).ended == "enough"
    resumed = CliRunner().invoke(cli, ["resume", "one", "--sessions", "s", "--max-messages", "30", "--json"])
    assert resumed.exit_code == 0, resumed.output
    for command in (["list", "floors"], ["debate", "--help-all"]):
        shown = CliRunner().invoke(cli, command).output
        assert "own" in shown
        assert "round-robin" in shown
    wrong = CliRunner().invoke(cli, [*args, "--floor", "mine:Nothing"])
    assert (wrong.exit_code, "cannot be imported" in wrong.stderr) == (2, True)
    misspelt = CliRunner().invoke(cli, [*args, "--stop", "silnce"])
    assert (misspelt.exit_code, "silence" in misspelt.stderr) == (2, True)


_IN_PAIRS = """name = "pairs"
title = "In pairs"
description = "For a test."
promise = "A verdict."
phase = [
  {name = "pairs", kind = "lying_here.py:Pairs"},
  {name = "vote", kind = "ballot"},
  {name = "end", kind = "verdict"},
]
"""


def test_a_class_of_the_folder_answers_sums_up_and_is_a_phase_again_on_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A runner that says what it is called would not be found again, and a format would have to be a package."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each not in ("", str(tmp_path))])
    code = "from own_parts import *\nclass Named(Terse):\n    spec = 'named'\n    summarises = False\n"
    (tmp_path / "lying_here.py").write_text(code, "utf-8")
    (tmp_path / "pairs.toml").write_text(_IN_PAIRS, "utf-8")
    parts = [
        "--runner",
        "./lying_here.py:Named",
        "--summariser",
        "./lying_here.py:FirstWords",
        "--format",
        "pairs.toml",
    ]
    done = CliRunner().invoke(cli, ["debate", QUESTION, *parts, "--session", "one", "--sessions", "s", "--json"])
    assert done.exit_code == 0, done.output
    started = Session.open("one", tmp_path / "s").started()
    assert (started.runner, started.settings.summariser) == ("lying_here.py:Named", "lying_here.py:FirstWords")
    again = ["resume", "one", "--sessions", "s", "--max-messages", "40", "--json"]
    monkeypatch.setenv("EDA_ALLOW", "")
    monkeypatch.setattr(RUNNERS, "_loaded", {})
    refused = CliRunner().invoke(cli, again)
    assert (refused.exit_code, "--allow ./lying_here.py" in refused.output) == (2, True)
    resumed = CliRunner().invoke(cli, [*again, "--allow", "lying_here.py"])
    assert resumed.exit_code == 0, resumed.output


def test_reading_a_session_imports_no_module_that_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever opens a session of somebody else would run that person's code."""
    monkeypatch.chdir(tmp_path)
    with Session.create("one", tmp_path / "s") as session:
        phases = [Phase(name="own", kind=Pairs), Phase(name="vote", kind="ballot"), Phase(name="end", kind="verdict")]
        agenda = Agenda(name="own", title="Own", description="For a test.", promise="A verdict.", phases=phases)
        debate(session=session, agenda=agenda, rule=Veto(), stop=[Enough()]).run_sync()
        log = session.folder / "events.jsonl" if session.folder else Path()
    names = [path for path in (tmp_path / "s" / "one").iterdir() if path.suffix == ".jsonl"]
    for path in names or [log]:
        path.write_text(path.read_text("utf-8").replace("own_parts:", "evil_parts:"), "utf-8")
    (tmp_path / "evil_parts.py").write_text("raise SystemExit('imported')", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for command in ("show", "report", "tally"):
        done = CliRunner().invoke(cli, [command, "one", "--sessions", "s"])
        assert "imported" not in done.output
    assert "evil_parts" not in sys.modules


def test_looking_for_installed_parts_costs_next_to_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each `--help` would wait for the packages of the whole environment to be read."""
    for number in range(60):
        info = tmp_path / f"package_{number}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Name: package\n" * 200, "utf-8")
        (info / "entry_points.txt").write_text(f"[console_scripts]\ncommand{number} = package:main\n", "utf-8")
    times = []
    for turn in range(5):
        monkeypatch.syspath_prepend(tmp_path / ".." / tmp_path.name / ("." * (turn > 0)) / ("./" * turn))
        monkeypatch.setattr(sys, "path", [sys.path[0]])
        begun = time.perf_counter()
        FLOORS.known("no such floor")
        times.append(time.perf_counter() - begun)
    assert min(times) < 0.005


def test_a_shipped_name_is_found_without_a_look_at_installed_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every debate would pay for a search that only a plug-in needs."""

    def looked(_: str) -> Mapping[str, str]:
        raise AssertionError("looked for installed parts")

    monkeypatch.setattr("eda.panels.registry._entry_points", looked)
    assert debate(floor="random", rule="borda", stop=["time"]).run_sync().verdict is not None


# --- the guide


def test_the_guide_shows_each_kind_in_a_few_lines() -> None:
    """A reader would look for the contract in the source."""
    assert len(BLOCKS) == len((*OWN, "a sentence"))
    assert all(len(block.splitlines()) < 20 for block in BLOCKS)
    assert all(registry.group in GUIDE for registry in OWN)


@pytest.mark.parametrize("code", BLOCKS, ids=re.findall(r"^## (A .*):", GUIDE, re.MULTILINE))
def test_a_block_of_the_guide_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever copies it would begin with a traceback."""
    exec(code, {"__name__": "__main__"})  # noqa: S102 - the guide's own
    assert capsys.readouterr().out.strip()


def test_a_runner_answers_in_a_debate_by_its_class() -> None:
    """A runner named by its class would be refused where the same object is taken."""
    assert debate(runner="own_parts:Terse").run_sync().runner == "own_parts:Terse"
