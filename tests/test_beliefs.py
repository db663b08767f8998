"""Polls along the way: when they are taken, what they ask, how beliefs are read, and that nothing depends on them."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from fake_anthropic import FakeAnthropic
from fake_panel import FakePanel
from in_turn import in_one

from eda import Debate, MessagePosted, Prompt, Reply
from eda.debate.tries import read_beliefs
from eda.errors import RunnerError, RunnerUnavailableError, UsageError
from eda.events import BallotText, CallMade, StanceTaken, VerdictReached
from eda.panels.settings import Poll, Settings
from eda.runners.answers import BeliefsAnswer, PollAnswer
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.protocol import OnText
from eda.runners.simulated.runner import SimulatedRunner

PANEL = ["sceptic", "historian", "pragmatic-engineer"]
SHOWN = tuple(BallotText(id=f"o{n}", motion=f"o{n}", text=text) for n, text in enumerate(("Go", "Wait", "Ask"), 1))


class Kept(SimulatedRunner):
    """Keeps the polls that it was asked; after `until` of them they fail."""

    def __init__(self, until: int = 10**9, error: type[Exception] = RunnerUnavailableError) -> None:
        self.prompts: list[Prompt] = []
        self._until, self._error = until, error

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        if prompt.purpose == "poll":
            if len(self.prompts) >= self._until:
                raise self._error("gone")
            assert prompt.text
            self.prompts.append(prompt)
        return await super().run(prompt, on_text)


def made(runner: Kept, **settings: Any) -> Debate:
    given = Settings(**{"max_messages": 12, "floor": "round-robin", **settings})
    return Debate("Which way?", PANEL, runner, options=("Go", "Wait"), settings=given, seed=3)


def held(runner: Kept, **settings: Any) -> Debate:
    debate = made(runner, **settings)
    debate.run_sync()
    return debate


def surveys(debate: Debate) -> list[StanceTaken]:
    return [event for event in debate.session.events() if isinstance(event, StanceTaken) and event.survey]


@pytest.mark.parametrize(("every", "after"), [("round", [0, 3, 6, 9]), (5, [0, 5]), (100, [0])])
def test_they_are_taken_before_along_the_way_and_after(every: Any, after: list[int]) -> None:
    """A trajectory needs its first and its last point; none is taken among words that are written side by side."""
    debate = held(Kept(), poll=Poll(every=every))
    taken = surveys(debate)
    after = [*after, debate.progress.messages]
    assert after[-1] > 10
    assert sorted({stance.after for stance in taken}) == after
    assert [stance.poll for stance in taken] == [n for n in range(1, len(after) + 1) for _ in PANEL]
    for stance in taken:
        assert set(stance.beliefs) == {"Go", "Wait"}
        assert sum(stance.beliefs.values()) == pytest.approx(1)
        assert stance.choice == max(stance.beliefs, key=stance.beliefs.__getitem__)


@pytest.mark.parametrize("ask", ["beliefs", "choice"])
def test_the_words_are_the_same_each_time(ask: Any) -> None:
    """Another wording before than after measures the wording."""
    runner = Kept()
    held(runner, poll=Poll(ask=ask))
    assert {prompt.answer for prompt in runner.prompts} == {BeliefsAnswer if ask == "beliefs" else PollAnswer}
    assert len({(prompt.agent, prompt.task) for prompt in runner.prompts}) == len(PANEL)
    assert not any("In the last poll" in prompt.text for prompt in runner.prompts)


def test_nothing_in_the_debate_depends_on_them() -> None:
    """An instrument that moves what it measures is none: the same messages, stop and verdict with and without."""
    both = held(Kept(), poll=Poll(every=1), consensus=1.0, poll_every=2), held(Kept(), consensus=1.0, poll_every=2)
    texts = [[e.text for e in debate.session.events() if isinstance(e, MessagePosted)] for debate in both]
    assert texts[0] == texts[1]
    ends = [next(e for e in debate.session.events() if isinstance(e, VerdictReached)) for debate in both]
    assert ends[0].model_dump(exclude={"seq", "at"}) == ends[1].model_dump(exclude={"seq", "at"})
    polled = [[[(stance.who, stance.choice) for stance in poll] for poll in debate.progress.polled] for debate in both]
    assert polled[0] == polled[1] != []
    # A stance keeps the number of its poll, and those along the way have numbers of their own.
    changes = [[(c.who, c.before, c.after) for c in debate.memory.stance_changes] for debate in both]
    assert changes[0] == changes[1]


def test_one_that_a_pause_cut_goes_on_with_those_who_are_left() -> None:
    """Nobody is asked twice, and nobody is left out."""
    whole, debate = held(Kept(), poll=Poll()), made(Kept(until=4), poll=Poll())
    with pytest.raises(RunnerUnavailableError):
        debate.run_sync()
    assert len(surveys(debate)) == 4
    again = Debate.resume(debate.session, Kept())
    again.run_sync()
    rows = [sorted((s.who, s.poll, s.after, str(s.beliefs)) for s in surveys(each)) for each in (whole, again)]
    assert rows[0] == rows[1]


def test_a_poll_that_fails_is_kept_as_such_and_stops_nothing() -> None:
    """A hole in a trajectory must be seen."""
    debate = held(Kept(until=0, error=RunnerError), poll=Poll())
    assert debate.progress.messages == held(Kept()).progress.messages
    assert {(stance.invalid, stance.choice) for stance in surveys(debate)} == {(True, None)}


@in_one(
    ("answer", "beliefs", "wrong"),
    [
        (
            {"beliefs": [{"choice": "o1", "probability": 0.6}, {"choice": "Wait", "probability": 0.4}]},
            (0.6, 0.4, 0),
            "",
        ),
        ({"beliefs": {"o1": "60 %", "O2": "40%"}}, (0.6, 0.4, 0), ""),
        ({"beliefs": {"o1": 90, "o2": 5, "o3": 5}}, (0.9, 0.05, 0.05), ""),
        ({"beliefs": {"o1": 2, "o2": 2}}, (0.5, 0.5, 0), "add up to 4"),
        ({"beliefs": {"o1": -0.2, "o2": 0.4}}, None, "is none"),
        ({"beliefs": {"o1": float("inf"), "o2": 0.4}}, None, "is none"),
        ({"beliefs": {"o1": 0, "o2": 0}}, None, "gives no choice a probability"),
        ({"beliefs": {"o9": 1}}, None, "no choice"),
        ({"beliefs": [{"choice": "o1", "probability": 1}, {"choice": "Go", "probability": 0}]}, None, "twice"),
        ({"beliefs": [{"choice": "o1"}]}, None, "missing or is none"),
        ({"choice": "o1"}, None, "missing or is none"),
        ("I cannot say.", None, "gives no choice a probability"),
    ],
)
def test_beliefs_are_read_and_never_guessed(answer: Any, beliefs: tuple[float, ...] | None, wrong: str) -> None:
    """What a member did not say is no probability."""
    fields, fault = read_beliefs(Reply(answer if isinstance(answer, str) else json.dumps(answer)), SHOWN)
    assert wrong in fault if wrong else not fault
    assert (fields and tuple(fields["beliefs"].values())) == (beliefs and pytest.approx(beliefs))
    if beliefs == (0.5, 0.5, 0):
        assert fields is not None
        assert fields["choice"] is None


@pytest.mark.parametrize("poll", [{"every": 0}, {"every": "day"}, {"ask": "x"}, {"evry": 3}])
def test_settings_that_make_no_sense_are_refused(poll: dict[str, Any]) -> None:
    """A study must not run with an instrument that was meant otherwise."""
    with pytest.raises(ValueError, match="poll"):
        Settings.model_validate({"poll": poll})


def test_what_is_asked_may_stand_alone() -> None:
    """`eda steer ID --set poll=beliefs` and a line of a study are short."""
    assert Settings.model_validate({"poll": "beliefs"}).poll == Poll(every="round", ask="beliefs")


def test_a_poll_needs_options() -> None:
    """There is nothing to give a probability to."""
    with pytest.raises(UsageError, match="asks about the given options"):
        Debate("How should we?", PANEL, settings=Settings(poll=Poll()))


class Spy:
    """Keeps the digest of each prompt that it passes on."""

    def __init__(self, runner: AnthropicRunner) -> None:
        self.spec, self._runner = runner.spec, runner
        self.sent: set[tuple[Any, str]] = set()

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        self.sent.add((prompt.key, hashlib.sha256(prompt.text.encode()).hexdigest()))
        return await self._runner.run(prompt, on_text)


async def test_a_call_names_its_prompt_and_the_model_that_answered(fake: FakeAnthropic) -> None:
    """A server that answers with another model than was asked is found in the log."""
    fake.answer, fake.model = FakePanel(seed=5), "another-model-20260101"
    runner = AnthropicRunner(api_key="none", base_url=fake.url)
    spy = Spy(runner)
    debate = Debate("Which way?", PANEL, spy, options=("Go", "Wait"), settings=Settings(max_messages=5), seed=1)
    await debate.run()
    await runner.close()
    calls = [event for event in debate.session.events() if isinstance(event, CallMade)]
    assert calls
    assert {(call.key, call.prompt_sha) for call in calls} <= spy.sent
    assert {call.model_answered for call in calls} == {"another-model-20260101"}
    assert "another-model-20260101" not in {call.model for call in calls}
