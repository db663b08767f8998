"""A transcript as a session, minutes by a model, and talk that nobody marked."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from stated import points

from eda import Session, analyze
from eda.cli import cli
from eda.debate.result import run_now
from eda.errors import RunnerUnavailableError
from eda.events import CallMade, SummaryWritten
from eda.runners.protocol import OnText, Prompt, Reply, Usage
from eda.transcripts.analysis import minutes_report, take_minutes
from eda.transcripts.kind import Row
from eda.transcripts.read import read_transcripts

FILES = Path(__file__).parent / "transcripts"
Eda = Callable[..., Result]


@pytest.fixture
def eda(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Eda:
    monkeypatch.setenv("EDA_SESSIONS", str(tmp_path / "sessions"))

    def run(*args: object, code: int = 0) -> Result:
        result = CliRunner().invoke(cli, [str(each) for each in args])
        assert result.exit_code == code, result.output
        return result

    return run


class Clerk:
    """Takes minutes: a proposal that m6 makes, and one with words that nobody said."""

    spec = "test_import_transcripts:Clerk"

    def __init__(self) -> None:
        self.asked: list[Prompt] = []

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        self.asked.append(prompt)
        said = [
            {"message": line.number, "quote": "a shelf in the hall", "text": "Put a shelf in the hall"}
            for line in prompt.lines
            if "a shelf in the hall" in line.text
        ]
        false = {"message": 1, "quote": "words that nobody said", "text": "Nothing"}
        found = re.findall(r"by a pattern, m(\d+) by [^:]*: (.*)", prompt.own)
        right = [{"message": int(number), "quote": words} for number, words in found]
        answer = {"summary": points(prompt), "proposals": [*said, false, *right]}
        return Reply(text=json.dumps(answer), model="clerk-1", usage=Usage(input_tokens=10, output_tokens=5, cost=0.01))


class Absent:
    """Answers one call, then no more."""

    def __init__(self) -> None:
        self._clerk = Clerk()

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        if self._clerk.asked:
            raise RunnerUnavailableError("nobody answers", hint="Wait.")
        return await self._clerk.run(prompt, on_text)


def talk(messages: int) -> list[Row]:
    return [Row(id=f"call:{n}", speaker="AB"[n % 2], text=f"We looked at point {n}.") for n in range(1, messages + 1)]


def test_an_imported_conversation_is_a_session_with_the_ids_of_its_source(eda: Eda, tmp_path: Path) -> None:
    """Whoever finds a sentence wants to find it in the recording too."""
    assert "imported teams: 6 messages" in eda("import", FILES / "teams.vtt").stdout
    own = "6a1f0e52-1c1b-4a0e-9b57-2f0d6c0b1a11/22-0"
    assert f"m2 {own}" in eda("recall", "teams", "lab").stdout
    assert f"m2 Ben Okafor  {own} · 0:00:09" in eda("show", "teams").stdout
    shown = json.loads(eda("show", "teams", "--json").stdout)
    assert [(row["ref"], row["t"]) for row in shown["transcript"]][1] == (own, 9.0)
    assert f"(Ben Okafor, m2 {own}; Cleo opposes)" in eda("report", "teams").stdout
    analyzed = json.loads(eda("import", "--minutes", FILES / "teams.vtt", "--json").stdout)
    reported = json.loads(eda("report", "teams", "--json").stdout)
    assert "minutes have no page" in eda("report", "teams", "--html", code=2).stderr
    assert {**reported, "conv": ""} == {**analyzed, "conv": ""}
    slack = shutil.make_archive(str(tmp_path / "export"), "zip", FILES / "slack")
    assert "2024-03-05" in eda("import", slack, "--question", "When?").stdout + eda("show", "general").stdout
    assert eda("show", "general").stdout.startswith("When?")


def test_a_persona_can_be_asked_about_a_transcript_and_no_speaker_of_it(eda: Eda) -> None:
    """A model that speaks for a real person would put words into their mouth."""
    eda("import", FILES / "teams.vtt")
    assert "I am simulated" in eda("ask", "teams", "sceptic", "What now?", "--runner", "simulated").stdout
    refused = eda("ask", "teams", "Cleo", "What now?", code=2)
    assert "whose speakers cannot be asked" in refused.stderr
    refused = eda("resume", "teams", code=2)
    assert "no panel can go on with it" in refused.stderr
    assert "eda report teams" in refused.stderr


def test_each_conversation_of_a_file_becomes_a_session(eda: Eda) -> None:
    """Two discussions in one session would answer each other."""
    refused = eda("import", FILES / "mallm.json", "--session", "one", code=2).stderr
    assert "2 conversations" in refused
    assert "--conv" in refused
    assert "Did you mean ex-7" in eda("import", FILES / "mallm.json", "--conv", "ex7", code=2).stderr
    eda("import", FILES / "mallm.json", "--session", "one", "--conv", "ex-8")
    assert [row["session"] for row in json.loads(eda("import", FILES / "mallm.json", "--json").stdout)["sessions"]] == [
        "ex-7",
        "ex-8",
    ]
    assert "Answer the question. Shall we move?" in eda("show", "ex-7").stdout
    assert "exists already" in eda("import", FILES / "teams.vtt", "--session", "one", code=2).stderr


def test_an_export_of_a_session_is_still_imported(eda: Eda, tmp_path: Path) -> None:
    """Both are files that one imports; the manifest tells them apart."""
    eda("import", FILES / "zoom.vtt")
    eda("export", "zoom", "--to", tmp_path / "zoom.eda")
    eda("import", tmp_path / "zoom.eda", "--session", "again")
    assert "RESOLVED: move in June" in eda("show", "again").stdout
    (tmp_path / "broken.zip").write_bytes((tmp_path / "zoom.eda").read_bytes()[:200])
    assert "damaged ZIP file" in eda("import", tmp_path / "broken.zip", code=2).stderr


def test_talk_that_nobody_marked_is_listed_apart_with_its_confidence() -> None:
    """A suggestion in passing is no item of the minutes."""
    rows = [
        Row(speaker="Ana", text="I suggest we go with Redis."),
        Row(speaker="Ben", text="Sounds good to me."),
        Row(speaker="Ana", text="OK, so we've decided: we go with Redis."),
        Row(speaker="Cleo", text="Great."),
    ]
    spoken = minutes_report("cache", rows, analyze(rows))
    assert (spoken["proposals"], spoken["decisions"], spoken["consensus"]) == ([], [], False)
    assert [(each["kind"], each["number"], each["text"]) for each in spoken["passages"]] == [
        ("proposal", 1, "I suggest we go with Redis."),
        ("decision", 3, "OK, so we've decided: we go with Redis."),
    ]
    assert all(0.5 < each["confidence"] < 1 for each in spoken["passages"])
    assert not any(agent["key_contributions"] for agent in spoken["agents"].values())
    marked = [
        Row(speaker="Ana", text="Proposal: go with Redis"),
        *rows[1:2],
        Row(speaker="Ana", text="RESOLVED: Redis"),
    ]
    minuted = minutes_report("cache", marked, analyze(marked))
    assert [each["content"] for each in minuted["proposals"]] == ["go with Redis"]
    assert [each["outcome"] for each in minuted["decisions"]] == ["Redis"]
    assert minuted["passages"] == []


def test_a_model_takes_minutes_of_all_messages_and_only_what_it_can_quote_counts() -> None:
    """Minutes that invent a proposal are worse than none; the last messages count as much as the first."""
    for count, ranges in ((1, [(1, 1)]), (13, [(1, 13)]), (30, [(1, 12), (13, 24), (25, 30)])):
        rows = [*talk(count - 1), Row(id="end", speaker="A", text="There is room for a shelf in the hall.")]
        clerk, session = Clerk(), Session.in_memory()
        memory = run_now(lambda: take_minutes(rows, clerk, session=session), "await")  # noqa: B023 - run at once
        written = [fact for fact in session.events() if isinstance(fact, SummaryWritten)]
        assert [(fact.first, fact.last) for fact in written] == ranges
        assert {prompt.purpose for prompt in clerk.asked} == {"summarise"}
        report = minutes_report("x", rows, memory)
        assert [(each["content"], each["message_id"]) for each in report["proposals"]] == [
            ("Put a shelf in the hall", "end")
        ]
        calls = [fact for fact in session.events() if isinstance(fact, CallMade)]
        assert len(calls) == len(clerk.asked) >= len(ranges)


def test_what_the_model_lists_too_is_in_the_minutes_and_says_what_it_took(
    eda: Eda, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person pays for it, and sees for what."""
    monkeypatch.chdir(Path(__file__).parent)
    without = json.loads(eda("import", "--minutes", FILES / "teams.vtt", "--json").stdout)
    assert [each["number"] for each in without["passages"]] == [6]
    done = eda("import", "--minutes", FILES / "teams.vtt", "--json", "--runner", Clerk.spec)
    assert json.loads(done.stdout)["passages"] == []
    assert [each["number"] for each in json.loads(done.stdout)["proposals"]] == [2, 6]
    assert "minutes by clerk-1: 1 call, 15 tokens, $0.01" in done.stderr
    eda("import", FILES / "teams.vtt", "--runner", Clerk.spec)
    assert json.loads(eda("report", "teams", "--json").stdout)["proposals"] == json.loads(done.stdout)["proposals"]
    assert "takes no minutes" in eda("import", "--minutes", FILES / "teams.vtt", "--runner", "simulated", code=2).stderr


def test_an_import_whose_model_goes_away_leaves_nothing(
    eda: Eda, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a session would be taken for the whole meeting."""
    monkeypatch.chdir(Path(__file__).parent)
    path = tmp_path / "long.jsonl"
    path.write_text("".join(f"{row.model_dump_json()}\n" for row in talk(40)), "utf-8")
    assert "nobody answers" in eda("import", path, "--runner", "test_import_transcripts:Absent", code=1).stderr
    assert list((tmp_path / "sessions").iterdir()) == []


def test_rows_of_every_kind_can_be_analyzed_in_python() -> None:
    """What the command does, a notebook can do."""
    rows = read_transcripts(FILES / "otter.txt").conversations["otter"]
    assert analyze(rows).proposals[0].content == "move ten percent to the lab."
