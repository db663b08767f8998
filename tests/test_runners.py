"""Scripted and recorded runners: a script is kept to, and a replay is what was recorded or says where not."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from in_turn import each_other

from eda.cli import cli
from eda.errors import InputError, RunnerError, RunnerUnavailableError, SessionError
from eda.runners.protocol import Prompt, Reply, Runner, Usage
from eda.runners.recorded import RecordedRunner, RecordingRunner
from eda.runners.scripted import ScriptedRunner
from eda.runners.shipped import make_runner
from eda.runners.simulated.stance import GRADES, action, read_position, words_for
from eda.session import Session

SPEAK = Prompt(purpose="speak", agent="Ana", last=3, system="Rules.", shared=("Question?",), own="Speak.")


def ask(runner: Runner, prompt: Prompt = SPEAK, on_text=None) -> Reply:
    return asyncio.run(runner.run(prompt, on_text))


@pytest.fixture
def recording(tmp_path):
    """A file with a turn, a bid and a summary."""
    path = tmp_path / "calls.jsonl"
    spoken = Reply("One two.\n[POSITION] For “A”.", None, Usage(10, 5, cost=None), "model-x")
    runner = RecordingRunner(ScriptedRunner(lambda prompt: spoken), path)
    for prompt in (SPEAK, replace(SPEAK, purpose="bid"), replace(SPEAK, purpose="summarise", agent="")):
        ask(runner, prompt)
    return path


def test_a_function_scripts_every_turn():
    """A test could not say what a persona answers."""
    pieces: list[str] = []
    reply = ask(ScriptedRunner(lambda prompt: f"{prompt.agent} after m{prompt.last}"), on_text=pieces.append)
    assert reply.text == "Ana after m3" == "".join(pieces)


def test_lists_are_served_in_order_and_end_with_an_error():
    """A script that is too short would hang or repeat itself unseen."""
    runner = ScriptedRunner({"Ana": ["one", Reply("two", model="m")]})
    assert [ask(runner).text, ask(runner).text] == ["one", "two"]
    with pytest.raises(RunnerError, match="no speak left for 'Ana'"):
        ask(runner)
    with pytest.raises(RunnerError, match="'Ben'"):
        ask(runner, replace(SPEAK, agent="Ben"))


def test_a_scripted_error_is_raised():
    """A failing call could not be tested."""
    with pytest.raises(RunnerError, match="overloaded"):
        ask(ScriptedRunner({"Ana": [RunnerError("overloaded")]}))


def test_bids_and_ballots_have_sensible_defaults():
    """Each test of the engine would have to script them."""
    runner = ScriptedRunner({})
    bid, ballot = replace(SPEAK, purpose="bid"), replace(SPEAK, purpose="ballot", options=("A", "B"))
    assert ask(runner, bid).data == {"wants": True, "urgency": 0.5, "reason": ""}
    assert ask(runner, ballot).data == {"choice": "A", "reason": ""}
    assert ask(runner, replace(ballot, options=())).data == {"choice": None, "reason": ""}
    own = ScriptedRunner({}, bids=lambda prompt: {"wants": False}, ballots=lambda prompt: {"choice": "B"})
    assert (ask(own, bid).data, ask(own, ballot).data) == ({"wants": False}, {"choice": "B"})
    assert (runner.deterministic, runner.summarises) == (True, False)
    assert ScriptedRunner({}, summarises=True).summarises


def test_a_replay_gives_the_recorded_replies(recording):
    """A debate that cost money could not be shown again for nothing."""
    replay = RecordedRunner(recording)
    pieces: list[str] = []
    reply = ask(replay, on_text=pieces.append)
    assert reply == Reply("One two.\n[POSITION] For “A”.", None, Usage(10, 5, cost=None), "model-x")
    assert "".join(pieces) == reply.text
    assert len(pieces) == 5
    assert ask(replay, replace(SPEAK, purpose="bid")).data == {"wants": True, "urgency": 0.5, "reason": ""}
    assert replay.differences == []
    assert (replay.deterministic, replay.summarises) == (True, True)


def test_a_line_holds_what_a_reader_needs(recording):
    """The file could not be read by anything else."""
    row = json.loads(recording.read_text().splitlines()[0])
    assert row["key"] == ["speak", "Ana", 1]
    assert row["prompt"] == "Rules.\n\nQuestion?\n\nSpeak."
    assert set(row) == {
        "key",
        "last",
        "attempt",
        "digest",
        "prompt",
        "runner",
        "text",
        "data",
        "usage",
        "model",
        "latency",
    }


def test_a_call_that_was_not_recorded_is_named(recording):
    """The debate would end without a word, and the user would not know which call is missing, nor what to do."""
    with pytest.raises(RunnerUnavailableError, match="no speak call of Ben after m7, number 2") as caught:
        ask(RecordedRunner(recording), replace(SPEAK, agent="Ben", last=7, nth=2))
    assert "record" in caught.value.hint


def test_a_recording_is_found_from_anywhere(recording, tmp_path, monkeypatch):
    """A session replayed from a relative path could only be resumed from the folder in which it was started."""
    monkeypatch.chdir(recording.parent)
    spec = RecordedRunner(recording.name).spec
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert ask(make_runner(spec)).text.startswith("One two.")


def test_a_changed_prompt_is_reported_once_with_its_difference(recording):
    """A replay would pass for the recorded debate after the prompts were edited."""
    replay = RecordedRunner(recording)
    ask(replay)
    assert not replay.differences
    changed = replace(SPEAK, own="Speak up.")
    ask(replay, changed)
    ask(replay, replace(changed, purpose="bid"))
    (told,) = map(str, replay.differences)
    assert "-Speak." in told
    assert "+Speak up." in told
    assert "speak call of Ana after m3" in told


def test_a_broken_line_is_named(recording):
    """A damaged recording would be replayed with a hole in it."""
    lines = recording.read_text().splitlines()
    for bad in ("{not json", "[1, 2]", json.dumps({"key": ["speak", "Ana", 3, 1]})):
        recording.write_text("\n".join([lines[0], bad, lines[1]]) + "\n")
        with pytest.raises(InputError, match=r"calls\.jsonl, line 2"):
            RecordedRunner(recording)


def test_a_missing_or_empty_file_is_an_error(tmp_path):
    """`recorded:typo` would start a debate in which nobody answers."""
    with pytest.raises(InputError, match="there is no such file"):
        RecordedRunner(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(InputError, match="no recorded call"):
        RecordedRunner(tmp_path / "empty.jsonl")


def test_a_torn_last_line_is_dropped_and_recording_goes_on(recording):
    """A killed session's recording would be lost, or its next call glued to the torn one."""
    whole = recording.read_bytes()
    recording.write_bytes(whole[:-20])
    assert not RecordedRunner(recording).summarises
    ask(RecordingRunner(ScriptedRunner({}), recording), replace(SPEAK, purpose="bid", last=9))
    assert [json.loads(line)["key"][0] for line in recording.read_text().splitlines()] == ["speak", "bid", "bid"]


def test_the_later_of_two_calls_with_one_key_counts(recording):
    """After a resume the replay would give the reply of the turn that was thrown away."""
    ask(RecordingRunner(ScriptedRunner({"Ana": ["again"]}), recording))
    assert ask(RecordedRunner(recording)).text == "again"


def test_a_full_disk_is_said_and_leaves_no_half_line(recording, monkeypatch):
    """The recording would end in a half call, with a traceback."""
    before = recording.read_bytes()
    write = os.write

    def full(handle: int, data) -> int:
        if len(data) > 40:
            return write(handle, data[:40])
        raise OSError(errno.ENOSPC, "No space left on device")

    short = ScriptedRunner({"Ana": ["x"]})
    monkeypatch.setattr(os, "write", lambda handle, data: full(handle, data[:60]))
    with pytest.raises(SessionError, match="No space left on device") as caught:
        ask(RecordingRunner(short, recording))
    assert "resume" in caught.value.hint
    monkeypatch.undo()
    assert recording.read_bytes() == before


def test_odd_text_survives(tmp_path):
    """A model's lone surrogate would stop the debate or change under way."""
    path = tmp_path / "calls.jsonl"
    for text in ("é – “quoted”\u2028", "broken \ud800 pair"):
        ask(RecordingRunner(ScriptedRunner({"Ana": [text]}), path))
        assert ask(RecordedRunner(path)).text == text


def test_a_failed_call_fails_again(tmp_path):
    """A replay would stop where one turn had failed, though the debate went on."""
    path = tmp_path / "calls.jsonl"
    with pytest.raises(RunnerError, match="overloaded"):
        ask(RecordingRunner(ScriptedRunner({"Ana": [RunnerError("overloaded")]}), path))
    with pytest.raises(RunnerError, match="overloaded") as caught:
        ask(RecordedRunner(path))
    assert not isinstance(caught.value, RunnerUnavailableError)


def test_a_call_that_could_not_be_made_is_not_recorded(tmp_path):
    """A session paused without credit would never get past that call in a replay."""
    path = tmp_path / "calls.jsonl"
    with pytest.raises(RunnerUnavailableError):
        ask(RecordingRunner(ScriptedRunner({"Ana": [RunnerUnavailableError("no credit")]}), path))
    assert path.read_bytes() == b""


def test_what_the_inner_runner_is_shows_through(tmp_path):
    """A recorded live debate would be summed up, or timed, as another one."""

    class Live:
        async def run(self, prompt, on_text=None):
            return Reply("x")

    live = RecordingRunner(Live(), tmp_path / "a")
    assert (live.deterministic, getattr(live, "summarises", True)) == (
        True,
        True,
    )  # summaries stand where a replay has them
    scripted = RecordingRunner(ScriptedRunner({}, summarises=True), tmp_path / "b")
    assert (scripted.deterministic, scripted.summarises) == (True, True)
    assert isinstance(live, Runner)


def test_offline_runners_import_no_model_library():
    """The first run would wait a second for a library that it never uses."""
    code = (
        "import sys, eda.runners.simulated, eda.runners.scripted, eda.runners.recorded;"
        "print([name for name in ('anthropic', 'rich', 'httpx2') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_action_is_what_would_be_done():
    """A proposal would begin with a word that is no verb."""
    assert action("Should we run the test suite every night, or not?") == "run the test suite every night"
    assert action("Do we need to rewrite the e-mails?") == "rewrite the e-mails"
    assert action("Should it be closed?") == ""


@pytest.mark.parametrize("words", [words for words, _ in GRADES])
def test_grades_read_back(words):
    """A mind would jump each time that it is read from its own position."""
    strength = dict(GRADES)[words]
    assert words_for(strength) == words
    assert read_position(f"{words.capitalize()} “Keep it”, for now.", ("Keep it", "Sell it")) == {"Keep it": strength}


# Recordings, from the command line

QUESTION = "Should we move the billing service out of the monolith this quarter?"
OPTIONS = ("--option", "Move it", "--option", "Wait a quarter")


@pytest.fixture
def eda(tmp_path, monkeypatch):
    """The program, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def run(*args, code=0):
        result = CliRunner().invoke(cli, args, prog_name="eda", catch_exceptions=False)
        assert result.exit_code == code, result.output
        return result

    return run


def debated(eda, name, *more):
    return eda("debate", QUESTION, *OPTIONS, "--max-messages", "9", "--session", name, *more)


def test_a_recorded_debate_can_be_replayed_and_resumed(eda) -> None:
    """Calls that were paid for once are not paid for again; and recording must not cost the resume."""
    first = debated(eda, "one", "--record", "--quiet").stdout
    second = debated(eda, "two", "--runner", "recorded:sessions/one/calls.jsonl", "--quiet").stdout
    assert first.splitlines()[:-1] == second.splitlines()[:-1]
    eda("resume", "one", "--max-messages", "14", "--quiet")


def told(name):
    """What was said and done, without what tells one run from another."""
    own = {"session_started", "session_paused", "session_resumed"}
    with Session.read(name) as session:
        return [e.model_dump(mode="json", exclude={"seq", "at"}) for e in session.events() if e.type not in own]


def test_a_resumed_session_goes_on_being_recorded(eda) -> None:
    """A recording that ends where the debate was first stopped cannot show how it ended."""
    debated(eda, "one", "--record", "--quiet")
    whole = told("one")
    log = Path("sessions/one/events.jsonl")
    lines = log.read_bytes().splitlines(keepends=True)
    cut = next(place for place, line in enumerate(lines) if b'"number":8' in line)
    log.write_bytes(b"".join(lines[: cut + 1]))
    calls = Path("sessions/one/calls.jsonl")
    kept = [row for row in calls.read_text().splitlines(keepends=True) if json.loads(row)["last"] < 8]
    calls.write_text("".join(kept))
    eda("resume", "one", "--quiet")
    eda("debate", QUESTION, *OPTIONS, "--max-messages", "9", "--session", "two", "--runner", f"recorded:{calls}")
    assert told("one") == told("two") == whole


def test_a_replay_that_lacks_a_call_pauses(eda, tmp_path: Path) -> None:
    """It ended with "0 messages, nobody voted" and exit code 0, as if a panel had debated."""
    debated(eda, "one", "--record", "--quiet")
    args = ("--runner", "recorded:sessions/one/calls.jsonl", "--panel", "red-team", "--session", "two", "--json")
    stopped = eda("debate", QUESTION, *args, code=1)
    assert stopped.stdout == ""
    assert "calls.jsonl holds no " in stopped.stderr
    assert "--runner SPEC" in stopped.stderr
    assert "go on with: eda resume two" in stopped.stderr
    (tmp_path / "elsewhere").mkdir()
    os.chdir(tmp_path / "elsewhere")
    assert "holds no " in eda("resume", "two", "--sessions", "../sessions", code=1).stderr
    eda("resume", "two", "--sessions", "../sessions", "--runner", "simulated", "--quiet")


@pytest.mark.parametrize(
    ("how", "most", "code"),
    each_other([("--quiet", "9", 0), ("--json", "9", 0), ("--json", "16", 1), ("--quiet", "16", 1)]),
)
def test_a_changed_prompt_is_said_once(eda, how: str, most: str, code: int) -> None:
    """A script would take the answers to the old question for answers to the new one."""
    debated(eda, "one", "--record", "--quiet")
    args = (*OPTIONS, "--max-messages", most, "--runner", "recorded:sessions/one/calls.jsonl", how)
    replay = eda("debate", "Should we move the billing service at all?", *args, code=code)
    assert replay.stderr.count("changed since it was recorded") == 1
    assert re.search(r"\n\+\s*(Question: )?Should we move the billing service at all\?", replay.stderr)


def test_a_budget_that_cannot_be_kept_is_said(eda) -> None:
    """`--budget 1` with a model of unknown price stops nothing; who set it sleeps well all the same."""
    debated(eda, "one", "--record", "--quiet")
    calls = Path("sessions/one/calls.jsonl")
    calls.write_text(calls.read_text().replace('"cost": 0.0', '"cost": null'))
    replay = ("--runner", f"recorded:{calls}", "--max-messages", "9", "--quiet")
    done = eda("debate", QUESTION, *OPTIONS, *replay, "--budget", "1")
    assert done.stderr.count("is unknown: --budget cannot be kept") == 1
    assert "unknown" not in eda("debate", QUESTION, *OPTIONS, *replay).stderr
