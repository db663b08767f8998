"""Twenty debates of thirty messages against aimock, which breaks connections and throttles: `make test-aimock`.

Every speech is handed out once, so a message that is posted twice, cut, or made up of two would be found. One speech in
nine is cut in mid-stream and must be in no log.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from eda import Debate, MessagePosted, Session, Settings
from eda.errors import RunnerUnavailableError
from eda.events import CallDelayed, CallMade, Event, TurnFailed
from eda.runners.messages_api.anthropic import AnthropicRunner

AIMOCK = os.environ.get("AIMOCK", "")
"""The program; set by `make test-aimock`."""
DEBATES, MESSAGES = 20, 30
PANEL, TITLES = (
    ["sceptic", "historian", "pragmatic-engineer", "finance-director"],
    ["Ruth", "Walter", "Maya", "Beatriz"],
)
SPEAKER, CHEAP = "claude-sonnet-5-5", "no-model-of-theirs"
"""Of a model that it does not know, the runner asks for JSON in the prompt, which aimock can tell apart."""
_SYLLABLES = (
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ha",
    "je",
    "ki",
    "lo",
    "mu",
    "na",
    "pe",
    "ri",
    "so",
    "tu",
    "va",
    "we",
    "zi",
)


def speeches(count: int) -> Iterator[str]:
    """Texts that share no phrase."""
    draw = random.Random(1)

    def word() -> str:
        return "".join(draw.choice(_SYLLABLES) for _ in range(4))

    for number in range(count):
        yield f"Speech {number}: {' '.join(word() for _ in range(9))}. And {' '.join(word() for _ in range(9))}."


def fixtures() -> dict[str, Any]:
    """Answers of the cheap model by the JSON that is asked for; speeches one after the other."""
    bids = [{"agent": title, "wants": True, "urgency": 0.5, "reason": "a point"} for title in TITLES]
    answers = {
        '"bids": {': {"bids": bids},
        '"wants": {': bids[0],
        '"choice": {': {"choice": "Go", "reason": "it is time"},
        '"summary": {': {"summary": "They spoke, each of a point of their own."},
    }
    told = [
        {"match": {"model": CHEAP, "userMessage": asked}, "response": {"content": json.dumps(answer)}}
        for asked, answer in answers.items()
    ]
    for number, speech in enumerate(speeches(3 * DEBATES * MESSAGES)):
        one = {"match": {"model": SPEAKER, "sequenceIndex": number}, "response": {"content": speech}}
        told.append({**one, "truncateAfterChunks": 5} if number % 9 == 0 else one)
    return {"fixtures": told}


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """Where aimock listens."""
    assert AIMOCK, "Run it with: make test-aimock"
    (tmp_path / "fixtures").mkdir()
    (tmp_path / "fixtures" / "panel.json").write_text(json.dumps(fixtures()))
    chaos = ["--chaos-disconnect", "0.3", "--chaos-ratelimit", "0.3", "--latency", "1", "--metrics", "--strict"]
    command = [AIMOCK, "-p", "0", "-f", str(tmp_path / "fixtures"), "--journal-max", "10", *chaos]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            line = next((line for line in process.stdout if "listening on" in line), "")
            assert line, "aimock did not start"
            yield line.rpartition(" ")[2].strip()
        finally:
            process.terminate()


def events(debate: Debate, kind: type[Event]) -> list[Any]:
    return [event for event in debate.session.events() if isinstance(event, kind)]


@pytest.mark.parametrize("attempts", [30, 7], ids=["as long as it takes", "as usual"])
def test_nothing_is_lost_in_a_storm(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], attempts: int
) -> None:
    """Without it a night of broken connections and limits costs messages, or doubles some.

    With the usual seven attempts a call in fifty is given up: that pauses the debate, which is then resumed.
    """
    whole = {speech for number, speech in enumerate(speeches(3 * DEBATES * MESSAGES)) if number % 9}
    troubles: Counter[str] = Counter()
    pauses: Counter[int] = Counter()
    began = time.monotonic()

    async def debate(number: int) -> Debate:
        async def no_time(seconds: float) -> None:
            await asyncio.sleep(0)

        runner = AnthropicRunner(
            api_key="sk-ant-not-a-key", base_url=url, cheap_model=CHEAP, attempts=attempts, sleep=no_time
        )
        with Session.create(f"storm-{number}", tmp_path) as session:
            settings = Settings(max_messages=MESSAGES)
            held = Debate("Go?", PANEL, runner, options=["Go", "Wait"], settings=settings, session=session, seed=number)
            held.on(CallDelayed)(lambda event: troubles.update([event.reason.partition(": ")[2]]))
            while held.progress.ended is None:
                try:
                    await held.run()
                except RunnerUnavailableError:
                    pauses.update([number])
                    held = Debate.resume(session, runner)
            await runner.close()
            return held

    async def all_of_them() -> list[Debate]:
        return await asyncio.gather(*(debate(number) for number in range(DEBATES)))

    debates = asyncio.run(all_of_them())
    took = time.monotonic() - began
    said: list[str] = []
    for number, held in enumerate(debates):
        with Session.read(f"storm-{number}", tmp_path) as session:
            facts = list(session.events())
        messages = [event for event in facts if isinstance(event, MessagePosted)]
        assert not [event for event in facts if isinstance(event, TurnFailed)]
        assert [message.number for message in messages] == list(range(1, len(messages) + 1))
        assert held.progress.ended == "messages"
        assert held.progress.verdict is not None
        assert held.progress.verdict.outcome == "Go"
        said += [message.text for message in messages]
    assert len(set(said)) == len(said)
    assert len(said) == DEBATES * MESSAGES
    assert attempts < 30 or not pauses
    assert set(said) <= whole
    with urllib.request.urlopen(f"{url}/metrics") as answer:  # noqa: S310 - loopback
        counted = [line for line in answer.read().decode().splitlines() if line.startswith("aimock_chaos_triggered")]
    calls = sum(len(events(held, CallMade)) for held in debates)
    with capsys.disabled():
        print(f"\n{len(debates)} debates, {len(said)} messages, {calls} calls in {took:.0f} s")
        print(f"{troubles.total()} attempts failed, {pauses.total()} pauses")
        print("\n".join(f"{count:6} {reason}" for reason, count in troubles.most_common()))
        print("\n".join(counted))
