"""The words of a prompt are made when a runner reads them, and are those of the moment of the call."""

from __future__ import annotations

import asyncio
from copy import copy, deepcopy
from dataclasses import fields, replace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from eda import Debate, MessagePosted, Prompt, Reply, ScriptedRunner, Settings, ask
from eda.panels.agenda import load_agenda
from eda.runners.protocol import Late, Unmade

PANEL = ("sceptic", "historian", "pragmatic-engineer")
MOVES = (
    "[PROPOSE] Move the invoices to a service of {n} people",
    "[SUPPORT {p}] it keeps the window",
    "[AMEND {p}] Move the invoices in {n} steps",
    "[OPPOSE {p}] nobody has estimated it",
    "[NOTE 500 window] The batch takes {n} hours",
    "[POSITION] Wait for {n} weeks",
)


def spoken(prompt: Prompt) -> str:
    """A speech that moves the table, by facts that take no reading of the words."""
    n, open_ids = prompt.last, [each.id for each in prompt.proposals]
    move = (
        MOVES[(n * 7 + prompt.seed + prompt.nth) % len(MOVES)].format(n=n, p=open_ids[n % len(open_ids)])
        if open_ids
        else ""
    )
    words = " ".join(f"reason{n}x{k} of {prompt.agent}" for k in range(9))
    return f"The batch window of case {n} decides it for me: {words}.\n\n{move or MOVES[0].format(n=n)}"


def all_of(prompt: Prompt) -> dict[str, object]:
    return {"text": prompt.text, **{field.name: getattr(prompt, field.name) for field in fields(prompt)}}


class Reading:
    """Speaks from a script. It reads the prompts whose number is in `at_once` as they come, the others at the end."""

    deterministic = True
    summarises = False

    def __init__(self, at_once: frozenset[int] | None) -> None:
        self.at_once, self.asked = at_once, list[tuple[Prompt, dict[str, object]]]()
        self.script = ScriptedRunner(spoken)

    async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
        place, read = len(self.asked), dict[str, object]()
        self.asked.append((prompt, read))
        if self.at_once is None or place in self.at_once:
            read.update(all_of(prompt))
        for _ in range(place % 3):  # others that are asked side by side come first
            await asyncio.sleep(0)
        return await self.script.run(prompt)

    def read(self) -> list[dict[str, object]]:
        return [read or all_of(prompt) for prompt, read in self.asked]


def played(runner: Reading, agenda: str, floor: str, seed: int, **more: object) -> list[dict[str, object]]:
    given = Settings(**{"max_messages": 14, "full_budget": 1500, "summary_every": 5, **more})
    debate = Debate(
        "Should we move billing?",
        PANEL,
        runner,
        agenda=load_agenda(agenda).with_floor(floor),
        settings=given,
        seed=seed,
    )
    debate.run_sync()
    return runner.read()


@settings(
    max_examples=8, deadline=None, phases=[Phase.explicit, Phase.generate], suppress_health_check=[HealthCheck.too_slow]
)
@given(
    at_once=st.frozensets(st.integers(0, 60)),
    agenda=st.sampled_from(["panel", "brainstorm", "delphi", "oxford"]),
    floor=st.sampled_from(["bidding", "round-robin", "moderated"]),
    seed=st.integers(0, 5),
    bids=st.sampled_from(["together", "each", "list"]),
)
def test_a_prompt_read_late_is_the_prompt_of_its_call(
    at_once: frozenset[int], agenda: str, floor: str, seed: int, bids: str
) -> None:
    whole = played(Reading(None), agenda, floor, seed, bids=bids)
    late = played(Reading(at_once), agenda, floor, seed, bids=bids)
    assert [each["text"] for each in late] == [each["text"] for each in whole]
    assert late == whole
    assert len({each["text"] for each in whole}) == len(whole) > 14


def test_a_question_aside_keeps_the_words_of_its_moment_while_the_debate_goes_on() -> None:
    """The answer takes four messages; its prompt is read before them, or after them."""

    class Slow(Reading):
        going: asyncio.Event

        async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
            reply = await super().run(prompt, on_text)
            await self.going.wait()
            self.read()
            return reply

    async def aside(runner: Slow) -> dict[str, object]:
        debate = Debate(
            "Should we move billing?", PANEL, ScriptedRunner(spoken), settings=Settings(max_messages=12), seed=1
        )
        runner.going = asyncio.Event()
        asked: list[asyncio.Task[object]] = []

        def count(message: MessagePosted) -> None:
            if message.number == 5:
                asked.append(asyncio.ensure_future(ask(debate, PANEL[0], "Why do you say so?", runner)))
            if message.number == 9:
                runner.going.set()

        debate.bus.subscribe(MessagePosted, count)
        await debate.run()
        await asked[0]
        return runner.read()[0]

    whole, late = asyncio.run(aside(Slow(None))), asyncio.run(aside(Slow(frozenset())))
    assert late == whole
    assert late["last"] < 9


def test_a_runner_that_reads_no_words_has_none_made() -> None:
    unread: list[tuple[str, bool]] = []

    def speech(prompt: Prompt) -> str:
        if prompt.attempt == 1:  # a second prompt has the words of the first, with a remark
            unread.append((prompt.purpose, "lines" in empty_slots(prompt)))
        return spoken(prompt)

    Debate("Should we move billing?", PANEL, ScriptedRunner(speech), settings=Settings(max_messages=8)).run_sync()
    assert [purpose for purpose, _ in unread].count("speak") >= 8
    assert all(still for _, still in unread)


def empty_slots(prompt: Prompt) -> set[str]:
    empty = set()
    for name in prompt.__slots__:
        try:
            object.__getattribute__(prompt, name)
        except AttributeError:
            empty.add(name)
    return empty


def late_prompt(made: list[str]) -> tuple[Prompt, Late]:
    def make() -> tuple[object, ...]:
        made.append("words")
        return ("A question.",), "Speak."

    late = Late(("shared", "own"), make)
    return Prompt(purpose="bid", asked=()).but(late, agent="Ada"), late


@pytest.mark.parametrize(
    "read",
    [
        lambda p: p.text,
        lambda p: p.own,
        repr,
        copy,
        deepcopy,
        lambda p: replace(p, nth=2),
        lambda p: p == Prompt(purpose="bid"),
    ],
)
def test_words_are_made_once_and_by_any_reading(read) -> None:
    made: list[str] = []
    prompt, _ = late_prompt(made)
    other = prompt.but(nth=2)
    assert (prompt.agent, other.agent, other.nth, made) == ("Ada", "Ada", 2, [])
    read(prompt)
    read(prompt)
    assert made == ["words"]
    assert (prompt.text, other.text, made) == ("A question.\n\nSpeak.", "A question.\n\nSpeak.", ["words"])
    assert prompt.once_more("Shorter.").text == "A question.\n\nSpeak.\n\nShorter."


def test_words_that_somebody_may_still_read_are_made_before_the_state_changes() -> None:
    made: list[str] = []
    unmade = Unmade()
    prompt, late = late_prompt(made)
    unmade.add(late)
    assert len(deepcopy(unmade)) == 0
    unmade.make()
    unmade.make()
    assert (made, len(unmade), prompt.own) == (["words"], 0, "Speak.")
    dropped, late = late_prompt(made)
    unmade.add(late)
    del dropped, late
    unmade.make()
    assert made == ["words"]


def test_a_field_that_no_prompt_has_is_an_error() -> None:
    with pytest.raises(AttributeError, match="'Prompt' object has no attribute 'words'"):
        _ = Prompt(purpose="bid").words
    with pytest.raises(AttributeError, match="'Prompt' object has no attribute 'words'"):
        _ = late_prompt([])[0].words
