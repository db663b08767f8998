"""Sessions that were recorded replay as they were; and no key is in anything that is kept or shown."""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from answering import answered
from click.testing import CliRunner, Result
from fake_anthropic import Fail, FakeAnthropic, Say
from recordings.make import HERE, MEMBERS, NAMES, debate, facts
from started import PLAIN, on_terminal

from eda import Debate, MessagePosted, Prompt, Reply, ScriptedRunner, Session, Settings, Usage, progress_of
from eda.cli import cli
from eda.errors import InputError, RunnerError, RunnerUnavailableError, SessionError
from eda.events import CallMade
from eda.panels.persona import Persona
from eda.runners.protocol import OnText, Runner
from eda.runners.recorded import RecordedRunner, RecordingRunner
from eda.runners.shipped import make_runner
from eda.runners.simulated.runner import SimulatedRunner

ANEW = (
    "The prompts, or what the engine asks, changed since tests/recordings was made. "
    "If that was meant, make them anew: python tests/recordings/make.py"
)


def replayed(name: str, folder: Path, members: tuple[Persona, ...] = MEMBERS) -> tuple[list[str], list[str], str]:
    """The facts of a replay, the differences that it reported, and what stopped it."""
    stopped = ""
    with Session.create(name, folder) as session:
        of = debate(name, f"recorded:{HERE / f'{name}.jsonl'}", session, members)
        try:
            of.run_sync()
        except RunnerError as error:
            stopped = str(error)
        assert isinstance(of.runner, RecordedRunner)
        return facts(session), [str(one) for one in of.runner.differences], stopped


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_session_replays_line_for_line(name, tmp_path):
    """Without it a session that was paid for once cannot be shown again, nor a change of the engine be judged by it."""
    lines, differences, stopped = replayed(name, tmp_path)
    if differences or stopped:
        pytest.fail("\n\n".join([*differences, stopped, ANEW]))
    kept = (HERE / f"{name}.log.jsonl").read_text().splitlines()
    for number, (line, expected) in enumerate(zip(lines, kept, strict=False), 1):
        assert line == expected, f"line {number} of the log. {ANEW}"
    assert len(lines) == len(kept), ANEW


@pytest.mark.parametrize("wait", [40])
def test_what_is_asked_beside_the_talk_replays_line_for_line_however_slow_it_was(wait, tmp_path):
    """Without it a summary that failed stands elsewhere in the replay's log."""

    class Slow:
        """Fails at each summary, after some turns of the loop."""

        summarises = True

        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            for _ in range(wait * (prompt.purpose == "summarise") + 20 - min(20, prompt.nth)):
                await asyncio.sleep(0)
            if prompt.purpose == "summarise":
                error = RunnerError("overloaded")
                error.usage, error.model = Usage(input_tokens=7), "m"
                raise error
            if prompt.purpose in ("bid", "ballot"):
                return Reply("", {"wants": True} if prompt.purpose == "bid" else {"choice": "Go"}, Usage(5, 5), "m")
            return Reply(f"Words {prompt.last} of {prompt.agent}.", None, Usage(5, 5), "m")

    def run(runner: Any, name: str) -> list[str]:
        settings = Settings(max_messages=14, summary_every=3, bids="each")
        with Session.create(name, tmp_path) as session:
            of = Debate("Go?", MEMBERS, runner, options=("Go", "Wait"), settings=settings, session=session)
            of.run_sync()
            return facts(session)[1:]

    kept = run(RecordingRunner(Slow(), tmp_path / "calls.jsonl"), "first")
    assert run(RecordedRunner(tmp_path / "calls.jsonl"), "again") == kept


def test_a_recording_holds_what_a_bad_evening_brings():
    """Without it the replays prove no more than that a quiet debate can be replayed."""
    calls = {name: [json.loads(line) for line in (HERE / f"{name}.jsonl").read_text().splitlines()] for name in NAMES}
    claude = calls["claude"]
    assert {call["key"][0] for call in claude} == {"speak", "bid", "summarise", "ballot", "terms", "declare"}
    (failed,) = [call for call in claude if "error" in call]
    assert failed["usage"]["output_tokens"] == 20  # it was paid for all the same
    assert any(call["usage"]["input_tokens"] == 200 for call in claude)  # asked twice
    assert {call["model"] for call in calls["local"]} == {"tiny"}
    assert all((HERE / f"{name}.jsonl").stat().st_size < 300_000 for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_one_changed_word_of_a_persona_is_reported_where_it_first_counts(name, tmp_path):
    """Without it answers to old prompts pass for answers to new ones, and nobody can say which prompt changed."""
    old = MEMBERS[1]
    new = old.model_copy(update={"instruction": old.instruction.replace("old", "new")})
    _, differences, _ = replayed(name, tmp_path, (MEMBERS[0], new, MEMBERS[2]))
    (difference,) = differences
    assert difference.startswith("the prompt of the ballot call of Walter after m0, number 1 changed")
    assert "\n-You weigh what is old." in difference
    assert "\n+You weigh what is new." in difference


# What older versions have written

GOLDEN = HERE.parent / "golden"


# The file


SPEECH = Prompt(purpose="speak", agent="Ana", last=3, own="Speak.")


def recorded(path: Path, own: str) -> RecordedRunner:
    """The recording of one speech."""
    asyncio.run(RecordingRunner(ScriptedRunner({"Ana": ["Yes."]}), path).run(replace(SPEECH, own=own)))
    return RecordedRunner(path)


def test_a_line_that_a_kill_has_cut_is_passed_over_at_the_end_and_named_before_it(tmp_path):
    """The call was never answered, so no debate rests on it: a recording must not be lost with its last line."""
    path = tmp_path / "calls.jsonl"
    recorded(path, "Speak.")
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:-20])
    assert asyncio.run(RecordedRunner(path).run(SPEECH)).text == "Yes."
    recorded(path, "Speak on.")
    assert len(path.read_bytes().splitlines()) == 2
    path.write_bytes(whole[:-20] + b"\n" + whole)
    with pytest.raises(InputError, match="line 1"):
        RecordedRunner(path)


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("key", [["speak"], ["speak", "Ana", 1.5, 1], 3]),
        ("input_tokens", ["9", None, 1.5, -1]),
        ("cost", ["9", -1, []]),
    ],
)
def test_a_number_that_is_none_is_named_before_anything_runs(name, bad, tmp_path):
    """One slip of an editor would end a replay with a traceback, in the middle of a session."""
    path = tmp_path / "calls.jsonl"
    recorded(path, "Speak.")
    row = json.loads(path.read_text())
    for value in bad:
        changed = {"key": value} if name == "key" else {"usage": row["usage"] | {name: value}}
        path.write_text(json.dumps(row | changed) + "\n{}\n")
        with pytest.raises(InputError, match=r"calls\.jsonl, line 1: no recorded call"):
            RecordedRunner(path)


@pytest.mark.parametrize(
    ("old", "new", "seen"),
    [
        ("on " * 200 + "old ways", "on " * 200 + "new ways", ("on old ways\n+", "on new ways")),
        ("old ways" + " on" * 200, "new ways" + " on" * 200, ("old ways on", "\n+", "new ways on")),
        ("a\u200bb", "ab", ("a\\u200bb\n+", "ab")),
        ("a\u2028b", "a\nb", ("a\\u2028b\n+", "a\\nb")),
        ("go on", "go on ", ("go on\n+", "go on ")),
    ],
    ids=["at its end", "at its beginning", "unseen", "a line end", "a blank"],
)
def test_what_changed_is_seen_wherever_it_stands_in_a_line(old, new, seen, tmp_path):
    """The two lines of the diff would look the same, and nobody could say what changed."""
    replay = recorded(tmp_path / "calls.jsonl", old)
    asyncio.run(replay.run(replace(SPEECH, own=new)))
    diff = replay.differences[0].partition("\n")[2]
    assert [piece for piece in seen if piece not in diff] == [], diff
    assert max(map(len, diff.splitlines())) < 170


def test_where_a_replay_takes_another_way_is_said(tmp_path):
    """Without it nobody sees that it was the moderator's turn, or that the recording is simply over."""
    replay = recorded(tmp_path / "calls.jsonl", "Speak.")
    for last, said in ((3, "number 1; after m3 it holds speak of Ana"), (4, "number 1; its last call is after m3")):
        with pytest.raises(RunnerUnavailableError, match=said) as stopped:
            asyncio.run(replay.run(replace(SPEECH, purpose="moderate", agent="", last=last)))
        assert "what persons said or changed in it is not replayed" in stopped.value.hint


class Unanswered(ScriptedRunner):
    """Stops the debate that asks it, as a kill does: no answer comes."""

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Never answers."""
        raise RunnerUnavailableError("the key is refused")


def test_a_session_that_was_stopped_before_its_first_answer_goes_on_being_recorded(eda, tmp_path):
    """Without it a debate that was to be kept is paid for, and a resume keeps none of it, without a word."""
    with Session.create("one", tmp_path / "sessions") as session:
        runner = RecordingRunner(Unanswered({}), session.folder / "calls.jsonl")
        with pytest.raises(RunnerUnavailableError):
            Debate("Shall we go?", ("sceptic", "historian"), runner, session=session).run_sync()
    eda("resume", "one", "--runner", "simulated", "--max-messages", "4", "--quiet")
    assert RecordedRunner(tmp_path / "sessions" / "one" / "calls.jsonl").replays == "simulated"


def test_no_call_is_paid_for_that_cannot_be_kept(tmp_path):
    """Without it the first answer is bought and then thrown away, because its file cannot be written."""
    asked: list[Prompt] = []
    runner = RecordingRunner(ScriptedRunner(lambda prompt: asked.append(prompt) or "Yes."), tmp_path)
    with pytest.raises(SessionError, match="cannot be recorded"):
        asyncio.run(runner.run(SPEECH))
    assert asked == []


# Questions aside


@pytest.fixture
def eda(fake: FakeAnthropic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """The program, in a folder of its own, with a key, at the fake."""
    fake.answer = answered
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-not-a-key-4711")
    monkeypatch.delenv("EDA_RUNNER", raising=False)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
    return partial(_run, partial(CliRunner().invoke, cli, prog_name="eda", catch_exceptions=False))


def _run(program: Callable[..., Result], *args: str) -> Result:
    return program(args)


DEBATE = ("debate", "Shall we go?", "--persona", "sceptic", "--persona", "historian", "--max-messages", "4", "--quiet")


def test_a_recorded_session_goes_on_being_recorded_when_a_member_is_asked(eda):
    """Without it the one call that was asked by hand is the one that cannot be replayed."""
    calls = Path("sessions/one/calls.jsonl")
    eda(*DEBATE, "--session", "one", "--record")
    before = (Path("sessions/one/events.jsonl").read_bytes(), len(calls.read_text().splitlines()))
    answers = [json.loads(eda("ask", "one", "Ruth", question, "--json").stdout) for question in ("Why?", "Why not?")]
    rows = [json.loads(line) for line in calls.read_text().splitlines()]
    assert len(rows) == before[1] + 2
    assert [row["key"][:2] for row in rows[-2:]] == [["ask", "Ruth"]] * 2
    assert rows[-1]["key"] != rows[-2]["key"]
    Path("sessions/one/events.jsonl").write_bytes(before[0])
    spec = f"recorded:{calls.absolute()}"
    for question, answer in zip(("Why?", "Why not?"), answers, strict=True):
        again = eda("ask", "one", "Ruth", question, "--runner", spec, "--json")
        assert json.loads(again.stdout)["answer"] == answer["answer"]
        assert "changed" not in again.stderr


def test_a_session_that_is_not_recorded_stays_so_and_a_changed_question_is_said(eda):
    """Without it a question leaves a file that makes a resume believe that all was recorded; or gets an old answer."""
    eda(*DEBATE, "--session", "one")
    eda("ask", "one", "Ruth", "Why?")
    assert not Path("sessions/one/calls.jsonl").exists()
    eda(*DEBATE, "--session", "two", "--record")
    eda("ask", "two", "Ruth", "Why?")
    log = Path("sessions/two/events.jsonl")
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-3]))
    other = eda("ask", "two", "Ruth", "Who?", "--runner", "recorded:sessions/two/calls.jsonl", "--json")
    assert other.stderr.count("changed since it was recorded") == 1
    assert re.search(r"\n\+.*Who\?", other.stderr)


def test_a_session_is_recorded_from_a_resume_on(eda):
    """Without it whoever forgot `--record` cannot keep, and not replay, what is still to come."""
    eda(*DEBATE, "--session", "one")
    for name in ("two", "three"):
        eda("fork", "one", "--at", "m2", "--session", name)
    assert eda("resume", "two", "--record", "--quiet").exit_code == 0
    again = eda("resume", "three", "--runner", "recorded:sessions/two/calls.jsonl", "--quiet")
    assert again.exit_code == 0, again.stderr
    talks = [json.loads(eda("show", name, "--json").stdout)["transcript"] for name in ("two", "three")]
    texts = [[message["text"] for message in talk] for talk in talks]
    assert len(texts[0]) == 4
    assert texts[0] == texts[1]


@pytest.mark.parametrize(("how", "calls"), [("together", 9), ("list", 3), ("each", 36)])
def test_a_replay_asks_for_bids_as_the_recorded_debate_did(tmp_path, how, calls):
    """Without it a recording from before bids served several turns stops at the first one that it does not hold."""
    file, limits = tmp_path / "calls.jsonl", Settings(max_messages=14, first_vote=False)

    def played(runner: Runner, **chosen: str) -> tuple[list[str], int]:
        debate = Debate("Shall we go?", "product-decision", runner, settings=limits.model_copy(update=chosen), seed=2)
        debate.run_sync()
        bids = [event for event in debate.session.events() if isinstance(event, CallMade) and event.purpose == "bid"]
        return [message.text for message in debate.memory.recent(14)], len(bids)

    recorded = played(RecordingRunner(make_runner("simulated"), file), bids=how)
    assert recorded[1] == calls
    assert played(RecordedRunner(file)) == recorded


# Keys

SECRET = "sk-ant-0815-SECRET-key"  # noqa: S105 - it opens nothing


@pytest.mark.parametrize("runner", ["anthropic", "local"])
def test_no_key_is_in_anything_that_is_kept_or_shown(eda, fake, tmp_path, monkeypatch, capfd, runner):
    """Without it a session that is sent to a friend, or a screen that is shared, gives the account away."""
    guarded = fake.url.replace("//", "//me:SECRET-password@")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", guarded)
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    monkeypatch.delenv("EDA_RUNNER", raising=False)
    monkeypatch.setenv("EDA_LOCAL_KEY", SECRET)
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-team: SECRET-of-the-team")
    said = [(200, "")]  # a debate of which nothing is recorded leaves no session
    troubles = iter([*said, (429, "slow down"), (500, "x" * 280), (400, "nonsense"), *said, (413, "too large")])

    def echo(body: dict[str, Any]) -> Fail | Say:
        status, words = next(troubles, (401, "bad key") if len(fake.requests) > 8 else (200, ""))
        sent = f"{fake.headers[-1]['authorization']} {fake.headers[-1].get('x-team', '')}"
        message = f"{words}: {SECRET}\n{sent}"
        return answered(body) if status == 200 else Fail(status, message=message, headers={"x-echo": SECRET})

    fake.answer = echo
    spec = "anthropic" if runner == "anthropic" else f"local:{fake.url}#m"
    done = eda(*DEBATE[:-1], "--runner", spec, "--record", "--session", "one")
    assert done.exit_code == 1
    assert "eda resume one" in done.stderr
    assert "[key] B" in done.stderr
    shown = [done, eda("ask", "one", "Ruth", "Why?"), eda("doctor", "--runner", spec, "--live")]
    shown.append(eda("debate", "Q?", "--runner", f"local:{guarded}"))
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url.replace("//", "//me:SECRET/password@"))
    shown.append(eda("debate", "Q?", "--runner", "anthropic", "--session", "two"))
    assert all("SECRET" not in one.output + one.stderr for one in shown)
    assert "SECRET" not in "".join(capfd.readouterr())
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"events.jsonl", "calls.jsonl"} <= {path.name for path in kept}
    assert [path for path in kept if b"SECRET" in path.read_bytes()] == []


@pytest.mark.parametrize("proxy", ["foo://me:SECRET-word@h", "socks5://me:SECRET-word@h:1"])
@pytest.mark.parametrize("runner", ["anthropic", "local:http://127.0.0.1:9#m"])
def test_a_proxy_that_cannot_be_used_is_said_without_its_password(eda, monkeypatch, runner, proxy):
    """Without it whoever is behind a SOCKS proxy gets a traceback at the first call."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ALL_PROXY", proxy)
    monkeypatch.setitem(sys.modules, "socksio", None)
    done = eda(*DEBATE, "--runner", runner, "--session", "one")
    assert done.exit_code == 1
    assert "ALL_PROXY names cannot be used: it " in done.stderr
    assert "http://HOST:PORT" in done.stderr
    assert "SECRET" not in done.output + done.stderr


# What is shown of a recording


def test_a_replay_outlives_other_words_in_a_prompt_and_prompts_that_were_left_out(tmp_path):
    """Else a recording that ships with the program is of no use after the first change of a prompt."""
    path = tmp_path / "calls.jsonl"
    recorded(path, "Speak.")
    row = json.loads(path.read_text())
    changed = replace(SPEECH, own="Speak up.", last=9)
    replay = RecordedRunner(path)
    assert asyncio.run(replay.run(changed)).text == "Yes."
    assert len(replay.differences) == 1
    path.write_text(json.dumps({name: value for name, value in row.items() if name not in ("prompt", "digest")}) + "\n")
    replay = RecordedRunner(path)
    assert asyncio.run(replay.run(changed)).text == "Yes."
    assert replay.differences == []


@pytest.mark.parametrize(
    ("spec", "about"),
    [
        ("anthropic:opus", "a recording of language models, replayed; no model is called"),
        ("local", "a recording of language models, replayed; no model is called"),
        ("simulated", "a recording of `simulated`, replayed"),
    ],
)
def test_a_replay_says_whose_words_it_shows(spec, about, eda, tmp_path):
    """Else a reader takes a replay for a debate that is going on, or rules for a language model."""
    path = tmp_path / "calls.jsonl"
    recorded(path, "Speak.")
    path.write_text(json.dumps(json.loads(path.read_text()) | {"runner": spec}) + "\n")
    shown = eda("debate", "Shall we go?", "--runner", f"recorded:{path}", "--session", "one")
    assert f"runner: {about}, seed 0\n" in shown.stdout


async def test_a_replay_is_streamed_at_the_pace_that_is_set(tmp_path):
    """Else a demonstration is over before its first sentence can be read."""
    path, words = tmp_path / "calls.jsonl", "One two three four."
    await RecordingRunner(ScriptedRunner({"Ana": [words]}), path).run(SPEECH)
    replay, pieces = RecordedRunner(path), list[str]()
    replay.pace = 400.0
    clock = asyncio.get_running_loop().time
    began = clock()
    await replay.run(SPEECH, pieces.append)
    assert clock() - began >= 0.9 * len(words) / 400
    assert "".join(pieces) == words


def stand_in(root: Path) -> list[str]:
    """A project with a recording of the simulated panel; what `eda debate` was given for it."""
    given = ["Shall we go?", "--option", "Go", "--option", "Wait", "--max-messages", "12"]
    (root / "docs" / "examples").mkdir(parents=True)
    (root / "docs" / "tutorial.md").write_text("# A\n\n<!-- example -->\n<!-- end of the example -->\n\n## B\n")
    done = CliRunner().invoke(cli, ["debate", *given, "--runner", "simulated", "--record", "--session", "s", "-q"])
    assert done.exit_code == 0, done.output
    Path("sessions/s/calls.jsonl").rename(root / "docs" / "examples" / "panel-recording.jsonl")
    return given


def test_the_example_is_made_from_its_recording_in_one_go(tmp_path, monkeypatch):
    """Else session, report and excerpt are made by hand, and tell of different debates."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(HERE.parent.parent / "docs" / "examples"))
    make = importlib.import_module("make")
    recording = tmp_path / "docs" / "examples" / "panel-recording.jsonl"
    given = stand_in(tmp_path)
    for _ in range(2):  # a second time, over what is there
        make.main("panel", given, tmp_path)
    assert "prompt" not in recording.read_text()
    example = tmp_path / "sessions" / "example"
    assert {path.name for path in example.iterdir()} == {
        "events.jsonl",
        "report.md",
        "report.json",
        "report.html",
    }
    assert str(tmp_path) not in (example / "events.jsonl").read_text()
    page = (tmp_path / "docs" / "tutorial.md").read_text()
    with Session.read("example", tmp_path / "sessions") as session:
        said = next(fact for fact in session.events() if isinstance(fact, MessagePosted) and fact.reply_to)
    assert said.talk.split(". ")[0] in " ".join(page.split())
    assert page.startswith("# A\n\n<!-- example: written by `make example` -->\n`eda show example` prints")
    assert page.endswith("<!-- end of the example -->\n\n## B\n")
    assert "Verdict\n     " in page
    (tmp_path / "docs" / "examples" / "other-recording.jsonl").write_bytes(recording.read_bytes())
    make.main("other", given, tmp_path)
    assert (tmp_path / "docs" / "examples" / "other-report.md").read_text().startswith("# Shall we go?")


def test_make_demo_replays_the_shipped_recording_to_a_verdict_without_a_warning(tmp_path, monkeypatch):
    """The first command of the README would end in the middle of a debate."""
    makefile = (HERE.parent.parent / "Makefile").read_text()
    given = shlex.split(re.search(r"(?ms)^PANEL := (.*?[^\\])$", makefile)[1].replace("\\\n", ""))
    monkeypatch.chdir(HERE.parent.parent)
    runner = ("--runner", "recorded:docs/examples/panel-recording.jsonl")
    done = CliRunner().invoke(cli, ["debate", *given, *runner, "--sessions", str(tmp_path)], prog_name="eda")
    assert done.exit_code == 0, done.stderr
    assert "runner: a recording of " in done.stdout
    assert "\nverdict: " in done.stdout
    assert "warning" not in done.stderr


@pytest.mark.parametrize("hurry", ["\r", "\x03"])
def test_a_replay_on_a_terminal_can_be_hurried_or_stopped(eda, tmp_path, hurry):
    """Whoever has seen enough would have to wait for minutes, or kill the program and lose the session."""
    eda(*DEBATE, "--runner", "simulated", "--session", "one", "--record")
    path = Path("sessions/one/calls.jsonl")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    slow = next(row for row in rows if row["key"] == ["speak", "Walter", 1])
    slow["text"] += " And so it goes on, as it went on before." * 1500  # three minutes, at the pace of reading
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    given = (*DEBATE[:-1], "--runner", f"recorded:{path}", "--session", "two")
    with on_terminal(tmp_path, *given, script=PLAIN) as terminal:
        terminal.wait_for("Enter shows the rest at once; Ctrl-C stops")
        terminal.wait_for("all write side by side")  # then there is a session to go on with
        terminal.type(hurry)
        code = terminal.end()
    assert "panel debates" in terminal.shown
    if hurry == "\x03":
        assert code != 0
        assert "go on with: eda resume two" in " ".join(terminal.shown.split())
        eda("resume", "two", "--quiet")
    else:
        assert code == 0
    with Session.read("two", tmp_path / "sessions") as session:
        assert progress_of(session).state == "ended"


def test_members_are_told_the_day_of_the_debate_and_a_replay_tells_the_same(tmp_path):
    """A model takes the year of its training for this one; a replay next week would ask other prompts than it has."""

    class Live(SimulatedRunner):
        deterministic = False
        day: str | None = None

        def __init__(self) -> None:
            super().__init__()
            self.told: set[str] = set()

        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            self.told |= {line for line in prompt.text.splitlines() if line.startswith("Today is ")}
            return await super().run(prompt, on_text)

    def held(runner: Runner) -> Debate:
        made = Debate("Is it so?", ["sceptic", "historian"], runner, settings=Settings(max_messages=4))
        made.run_sync()
        return made

    live, then = Live(), Live()
    today = held(live).session.started().day
    assert live.told == {f"Today is {today}."}
    assert len(today) == len("2026-01-05")
    then.day = "2026-01-05"
    calls = tmp_path / "calls.jsonl"
    recording = held(RecordingRunner(then, calls))
    assert (recording.session.started().day, then.told) == ("2026-01-05", {"Today is 2026-01-05."})
    replay = RecordedRunner(calls)
    assert held(replay).session.started().day == "2026-01-05"
    assert replay.differences == []
    assert held(SimulatedRunner()).session.started().day == ""
