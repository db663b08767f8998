"""Many debates in one event loop: none holds up the others or a timer, and each is what it is alone."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest

from eda import Debate, Prompt, Reply, Session, Settings
from eda.debate.asking import my_turn


class Later:
    """Answers with new words, at once or after the other calls of the round have begun."""

    def __init__(self, place: int) -> None:
        self.place = place

    async def run(self, prompt: Prompt, on_text: Any = None) -> Reply:
        await asyncio.sleep(0)
        if prompt.purpose == "bid":
            return Reply(
                "", data={"bids": [{"agent": each.agent, "wants": True, "reason": ""} for each in prompt.each]}
            )
        if prompt.purpose == "ballot":
            return Reply("", data={"choice": prompt.options[self.place % 2], "reason": "so"})
        words = " ".join(f"w{self.place}x{prompt.last}x{ord(prompt.agent[:1] or '-')}x{each}" for each in range(30))
        return Reply(f"I propose that we count {words}.")


def debate(place: int, session: Session) -> Debate:
    return Debate(
        "Shall we go?",
        "product-decision",
        Later(place),
        options=("Go", "Wait"),
        settings=Settings(max_messages=8),
        session=session,
        seed=place,
    )


def facts(session: Session) -> list[dict[str, Any]]:
    return [event.model_dump(mode="json", exclude={"at", "session"}) for event in session.events()]


async def test_one_task_goes_on_in_each_round_of_the_loop() -> None:
    """Where all go on at once, a timer waits for two hundred debates."""
    rounds, seen = 0, []

    async def work() -> None:
        await my_turn()
        seen.append(rounds)

    tasks = [asyncio.create_task(work()) for _ in range(20)]
    tasks[7].cancel()
    while not all(task.done() for task in tasks):
        await asyncio.sleep(0)
        rounds += 1
    assert len(seen) == 19
    assert len(set(seen)) >= 18


def test_the_program_collects_garbage_seldom() -> None:
    """Each full collection would stop all debates for the size of the program, each of a large heap of young ones for
    the size of that heap."""
    told = "atexit.register(lambda: print(gc.isenabled(), *gc.get_threshold()))"
    code = f"import atexit, gc, sys; sys.argv = ['eda', 'list', 'rules']; {told}; from eda.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    enabled, *thresholds = done.stdout.splitlines()[-1].split()
    assert enabled == "True"
    young, middle, old = map(int, thresholds)
    assert young > 700
    assert young * middle <= 25_000
    assert young * middle * old >= 10_000_000


async def test_a_turn_that_is_cancelled_stops_nobody_else() -> None:
    """One debate that is stopped would stop them all."""
    tasks = [asyncio.create_task(my_turn()) for _ in range(5)]
    await asyncio.sleep(0)
    for task in tasks[1:4]:
        task.cancel()
    await asyncio.wait_for(tasks[4], 5)
    await asyncio.wait_for(my_turn(), 5)


@pytest.mark.long
@pytest.mark.parametrize("on_disk", [False, True])
async def test_a_debate_among_others_is_the_debate_that_it_is_alone(tmp_path: Path, on_disk: bool) -> None:
    """A result that hangs on what else the process does cannot be repeated."""

    def session(name: str) -> Session:
        return Session.create(name, tmp_path) if on_disk else Session.in_memory(name)

    together = [session(f"t{place}") for place in range(6)]
    await asyncio.gather(*(debate(place, each).run() for place, each in enumerate(together)))
    for place, each in enumerate(together):
        alone = session(f"a{place}")
        await debate(place, alone).run()
        assert facts(each) == facts(alone)
        each.close()
        alone.close()


def test_a_loop_that_has_ended_is_let_go() -> None:
    async def waiting() -> None:
        await asyncio.gather(my_turn(), my_turn(), my_turn())

    loop = asyncio.new_event_loop()
    loop.run_until_complete(waiting())
    loop.close()
    gone = weakref.ref(loop)
    del loop
    gc.collect()
    assert gone() is None
