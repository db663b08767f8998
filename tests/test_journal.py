"""A reply is safe as soon as it is there: a kill before its fact costs no call, in any purpose."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import json
from collections import Counter
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest
from fake_anthropic import FakeAnthropic, Say
from paid_debate import SETUPS, Counted, killed, live, whole

from eda import Debate, Prompt, Reply, RunnerError, ScriptedRunner, Session, Settings, Usage
from eda.debate.budget import JournaledRunner
from eda.debate.seating import RunnerPerSeat
from eda.debate.state import CallNames
from eda.errors import SessionError
from eda.events import CallMade, Event, SessionPaused, SessionResumed
from eda.session import journal as journal_file
from eda.session.journal import Journal

ROW = {"purpose": "speak", "agent": "Ruth", "nth": 1, "text": "Wörter \ud83d"}


def facts(folder: Path) -> list[dict[str, Any]]:
    """The log without what a pause may change."""
    with Session.read("s", folder) as session:
        return [
            event.model_dump(mode="json", exclude={"seq", "at"})
            for event in session.events()
            if not isinstance(event, SessionPaused | SessionResumed)
        ]


def asked(folder: Path) -> Counter[str]:
    return Counter((folder / "asked.txt").read_text().splitlines())


@pytest.fixture(scope="module")
def never_killed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folder of each debate that ran from its first fact to its report."""
    folders = {}
    for setup in SETUPS:
        folders[setup] = tmp_path_factory.mktemp(setup)
        asyncio.run(whole(folders[setup], setup, live(folders[setup])))
    return folders


@pytest.mark.parametrize(
    ("setup", "purpose", "nth"),
    [
        pytest.param("together", "speak", 2, marks=pytest.mark.long),
        pytest.param("together", "speak", 5, marks=pytest.mark.long),
        pytest.param("each", "bid", 2, marks=pytest.mark.long),
        pytest.param("together", "bid", 1, marks=pytest.mark.long),
        pytest.param("moderated", "moderate", 1, marks=pytest.mark.long),
        pytest.param("each", "poll", 3, marks=pytest.mark.long),
        ("each", "ballot", 1),
        pytest.param("together", "summarise", 2, marks=pytest.mark.long),
        pytest.param("together", "ask", 1, marks=pytest.mark.long),
        ("together", "report", 1),
    ],
)
def test_a_kill_between_reply_and_fact_costs_no_call(
    setup: str, purpose: str, nth: int, never_killed: dict[str, Path], tmp_path: Path
) -> None:
    """What was answered is paid for: without the journal it is lost, and asked for once more."""
    killed(tmp_path, setup, purpose, nth)
    journal = tmp_path / "s" / "journal.jsonl"
    kept = [json.loads(line) for line in journal.read_bytes().splitlines()]
    assert purpose in [row["purpose"] for row in kept]

    asyncio.run(whole(tmp_path, setup, live(tmp_path)))
    assert facts(tmp_path) == facts(never_killed[setup])
    calls = asked(tmp_path)
    assert set(calls) == set(asked(never_killed[setup]))
    assert {calls[str((row["purpose"], row["agent"], row["nth"]))] for row in kept} == {1}
    assert not journal.exists()


def test_no_request_is_sent_again_for_a_reply_that_had_come(tmp_path: Path, fake: FakeAnthropic) -> None:
    """The bill is made by the server, and counts what it was sent."""

    def answered(body: dict[str, Any]) -> Say:
        text = json.dumps(body)
        word = hashlib.sha256(text.encode()).hexdigest()
        said = f"{word[:9]} and {word[9:20]} stand against {word[20:33]} with {word[33:44]} in mind."
        return Say('{"choice": "Go", "reason": "so"}' if '"choice\\"' in text else said)

    fake.answer = answered
    (tmp_path / "plain").mkdir()
    asyncio.run(whole(tmp_path / "plain", "in turn", live(tmp_path, fake.url)))
    requests = len(fake.requests)
    fake.requests.clear()
    killed(tmp_path, "in turn", "speak", 5, fake.url)
    assert 0 < len(fake.requests) < requests
    asyncio.run(whole(tmp_path, "in turn", live(tmp_path, fake.url)))
    assert len(fake.requests) == requests
    assert facts(tmp_path) == facts(tmp_path / "plain")


async def test_a_line_that_is_cut_off_or_damaged_is_no_call(tmp_path: Path) -> None:
    """Half a reply would be posted as a whole one."""
    path = tmp_path / "journal.jsonl"
    journal = Journal(path)
    for nth in (1, 2, 3):
        await journal.add({**ROW, "nth": nth})
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1].replace(b"speak", b"spoke") + lines[2][:-9])
    again = Journal(path)
    assert list(again.waiting) == [("speak", "Ruth", 1)]
    assert again.waiting["speak", "Ruth", 1]["text"] == ROW["text"]
    await again.add({**ROW, "nth": 4})
    assert [name[2] for name in Journal(path).waiting] == [1, 4]


async def test_the_journal_is_there_only_while_a_fact_is_missing(tmp_path: Path) -> None:
    """A file that only grows would hold each reply twice, and a reader would take it for the log."""
    path = tmp_path / "journal.jsonl"
    journal = Journal(path)
    journal.close()
    for nth in (1, 2):
        await journal.add({**ROW, "nth": nth})
    journal.settle("speak", "Ruth", 1)
    journal.close()
    assert list(Journal(path).waiting) == [("speak", "Ruth", 1), ("speak", "Ruth", 2)]
    journal.settle("speak", "Ruth", 2)
    journal.close()
    assert not path.exists()


async def test_replies_that_come_together_are_kept_while_the_event_loop_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that takes its time would hold up every other debate of the process."""
    slow, waiting, syncs = Flag(), journal_file.sync, list[int]()

    def sync(descriptor: int) -> None:
        assert slow.wait(10)
        syncs.append(descriptor)
        waiting(descriptor)

    monkeypatch.setattr(journal_file, "sync", sync)
    path = tmp_path / "journal.jsonl"
    journal = Journal(path)
    written = [asyncio.ensure_future(journal.add({**ROW, "nth": nth})) for nth in range(1, 6)]
    await asyncio.sleep(0)
    assert not any(each.done() for each in written)
    slow.set()  # by the loop, which nothing holds up
    await asyncio.gather(*written)
    assert sorted(name[2] for name in Journal(path).waiting) == [1, 2, 3, 4, 5]
    assert len(syncs) <= 2  # what came while one wrote is written at once


async def test_each_of_the_replies_that_a_disk_refuses_together_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that took the other's line for written would be lost."""
    waiting, refused = journal_file.sync, list[int]()

    def sync(descriptor: int) -> None:
        refused.append(descriptor)
        if len(refused) < 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        waiting(descriptor)

    monkeypatch.setattr(journal_file, "sync", sync)
    journal = Journal(tmp_path / "journal.jsonl")
    results = await asyncio.gather(*(journal.add({**ROW, "nth": nth}) for nth in range(1, 6)), return_exceptions=True)
    kept = [nth for nth, result in enumerate(results, 1) if result is None]
    assert len(kept) == 3
    assert all(isinstance(each, SessionError) for each in results if each is not None)
    assert sorted(name[2] for name in Journal(tmp_path / "journal.jsonl").waiting) == kept
    assert sorted(name[2] for name in journal.waiting) == kept


def test_a_full_disk_ends_the_debate_with_an_error_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A debate that goes on without its journal would lose the next reply without a word."""

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with Session.create("s", tmp_path) as session:
        monkeypatch.setattr(journal_file, "sync", full)
        debate = Debate(
            "Shall we go?",
            ["sceptic", "historian"],
            Counted(tmp_path / "asked.txt"),
            options=("Go", "Wait"),
            session=session,
        )
        with pytest.raises(SessionError, match=r"journal\.jsonl: cannot be written .No space left") as caught:
            debate.run_sync()
        assert "eda resume" in caught.value.hint
        assert not (tmp_path / "s" / "journal.jsonl").stat().st_size


SO = Reply("So.", usage=Usage(100, 10), model="m")


class Once:
    """Answers or fails, and counts."""

    def __init__(self, reply: Reply | Exception = SO) -> None:
        self.reply, self.calls = reply, 0

    async def run(self, prompt: Prompt, on_text: Any = None) -> Reply:
        self.calls += 1
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply


def journaled(runner: Any, journal: Journal, published: list[Event], *known: CallMade) -> JournaledRunner:
    names = CallNames()
    for call in known:
        names.fold(call)
    return JournaledRunner(runner, journal, names, lambda *new: published.extend(new))


async def test_a_changed_prompt_does_not_take_a_stale_reply_and_the_bill_has_both(tmp_path: Path) -> None:
    """An answer to another question would be put into the member's mouth; thrown away, it would stand on no bill."""
    published: list[Event] = []
    await journaled(Once(), Journal(tmp_path / "j"), published).run(Prompt(purpose="ask", agent="Ruth", own="Why?"))
    anew, journal = Once(), Journal(tmp_path / "j")
    await journaled(anew, journal, published).run(Prompt(purpose="ask", agent="Ruth", own="Who?"))
    assert anew.calls == 1
    (unused,) = published
    assert isinstance(unused, CallMade)
    assert (unused.agent, unused.nth, unused.input_tokens, unused.characters) == ("Ruth", 0, 100, 4)
    assert list(journal.waiting) == [("ask", "Ruth", 1)]


async def test_a_call_whose_fact_is_in_the_log_is_dropped_from_the_journal(tmp_path: Path) -> None:
    """A process that was killed between log and journal would have the call billed twice."""
    prompt = Prompt(purpose="speak", agent="Ruth", own="Why?")
    await journaled(Once(), Journal(tmp_path / "j"), []).run(prompt)
    journal = Journal(tmp_path / "j")
    journaled(Once(), journal, [], CallMade(purpose="speak", agent="Ruth", nth=1))
    assert not journal.waiting


async def test_a_call_that_failed_and_took_something_fails_again_for_nothing(tmp_path: Path) -> None:
    """A refusal that was paid for would be paid for again, and the resumed debate would be another one."""
    refusal = RunnerError("it refused")
    refusal.usage, refusal.model = Usage(100, 1), "m"
    prompt = Prompt(purpose="speak", agent="Ruth")
    for runner in (Once(refusal), Once()):
        with pytest.raises(RunnerError, match="it refused") as caught:
            await journaled(runner, Journal(tmp_path / "j"), []).run(prompt)
        assert (caught.value.usage, caught.value.model) == (Usage(100, 1), "m")
    assert runner.calls == 0


async def test_a_reply_from_the_journal_is_shown_as_it_would_have_been(tmp_path: Path) -> None:
    """The screen would stay empty while a member speaks."""
    prompt, shown = Prompt(purpose="speak", agent="Ruth"), []
    for _ in range(2):
        reply = await journaled(Once(), Journal(tmp_path / "j"), []).run(prompt, shown.append)
    assert (reply, shown) == (SO, ["So."])


async def test_replies_that_cost_nothing_to_have_again_are_not_kept(tmp_path: Path) -> None:
    """A simulated debate would wait for the disk at each call."""
    await journaled(ScriptedRunner(lambda _: "So."), Journal(tmp_path / "j"), []).run(Prompt(purpose="speak"))
    assert not (tmp_path / "j").exists()


async def test_a_seat_is_kept_by_its_own_runner_and_budgets_see_which_one_is_asked(tmp_path: Path) -> None:
    """A paid seat at a simulated table would lose its replies; a replay would be priced as if it were free."""
    recorded = Once()
    recorded.spec, recorded.replays = "recorded:calls", "anthropic:claude"
    for runner, kept in ((RunnerPerSeat(ScriptedRunner(lambda _: "So."), {"Ruth": recorded}), 1), (recorded, 2)):
        journal = Journal(tmp_path / str(kept))
        wrapped = journaled(runner, journal, [])
        for agent in ("Ruth", "Maya"):
            await wrapped.run(Prompt(purpose="speak", agent=agent))
        assert len(journal.waiting) == kept
    assert (wrapped.spec, wrapped.replays) == ("recorded:calls", "anthropic:claude")


def test_what_nobody_used_is_on_the_bill_of_the_debate(tmp_path: Path) -> None:
    """A question aside that was answered in a process that was killed is paid for, asked again or not."""
    with Session.create("s", tmp_path) as session:
        debate = Debate("Shall we go?", ["sceptic", "historian"], Counted(tmp_path / "a"), session=session)
        asyncio.run(journaled(Once(), session.journal, []).run(Prompt(purpose="ask", agent="Ruth", own="Why?")))
        debate.run_sync()
        (unused,) = (each for each in session.events() if isinstance(each, CallMade) and each.purpose == "ask")
        assert (unused.nth, unused.input_tokens) == (0, 100)
        assert not session.journal.waiting


def test_an_interrupted_debate_uses_after_the_pause_what_it_had_been_answered(tmp_path: Path) -> None:
    """A stop in the middle of a round would throw the replies of the others away, though they are paid for."""
    waiting: list[str] = []

    class Stopped(Counted):
        async def run(self, prompt: Prompt, on_text: Any = None) -> Reply:
            if prompt.purpose == "speak" and prompt.last and prompt.agent == "Walter":
                waiting.append(prompt.agent)
                while not session.journal.waiting:  # noqa: ASYNC110 - until the other one has answered
                    await asyncio.sleep(0)
                debate.stop()
                await asyncio.Event().wait()
            return await super().run(prompt, on_text)

    settings = Settings(max_messages=7, floor="simultaneous")
    with Session.create("s", tmp_path) as session:
        debate = Debate(
            "Shall we go?",
            ["sceptic", "historian"],
            Stopped(tmp_path / "asked.txt"),
            options=("Go", "Wait"),
            settings=settings,
            session=session,
        )
        debate.run_sync()
        assert waiting
        assert [name[:2] for name in session.journal.waiting] == [("speak", "Ruth")]
    with Session.open("s", tmp_path) as session:
        Debate.resume(session, Counted(tmp_path / "asked.txt")).run_sync()
        calls = [each for each in session.events() if isinstance(each, CallMade)]
    assert set(asked(tmp_path).values()) == {1}
    assert len(calls) == sum(asked(tmp_path).values())
    assert not (tmp_path / "s" / "journal.jsonl").exists()
