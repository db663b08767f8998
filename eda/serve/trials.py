"""Tests of what a verdict hinges on, planned, begun and stopped at a page. What was tried is kept in the session."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from pydantic import Field
from starlette.concurrency import run_in_threadpool

from eda.debate.arms import Wanted
from eda.debate.replay import read_back
from eda.debate.stress import planned, stress
from eda.debate.validation import session_runner
from eda.errors import EdaError
from eda.panels.frozen import Frozen
from eda.report.stress_words import plan_words
from eda.runners.models import asks_models
from eda.runners.protocol import Runner
from eda.runners.shipped import close_runner, make_runner
from eda.serve.host import Host
from eda.session import Session
from eda.words import Words, fault


class Tested(Frozen):
    """A test that the owner asks for."""

    do: Literal["plan", "start", "stop"] = "plan"
    premises: Annotated[tuple[str, ...], Field(max_length=20)] = ()
    """What might not hold, in the owner's words."""
    runs: Annotated[int, Field(ge=3, le=50)] = 10
    again: bool = False
    """Whether the debate itself is held again."""
    budget: Annotated[float, Field(gt=0)] | None = None
    """US dollars; None for no limit."""


async def tested(host: Host, name: str, wanted: Tested) -> dict[str, Any]:
    """Return the plan of a test in words, and start it if that is wanted; or stop the one that runs, and return `{}`.

    Raises:
        EdaError: there is no verdict by ballots, nobody can answer again, or a test of it runs already.
    """
    running = host.trials.get(name)
    if wanted.do == "stop":
        if running is not None:
            running.cancel()
        return {}
    plan, runner = await run_in_threadpool(_plan, host, name, wanted)
    if wanted.do == "plan":
        await close_runner(runner)
    elif running is not None and not running.done():
        raise fault("error-test-runs")
    else:
        host.trials[name] = asyncio.create_task(_run(host, name, wanted, runner), name=f"test of {name}")
    return plan


def _plan(host: Host, name: str, wanted: Tested) -> tuple[dict[str, Any], Runner]:
    """Return the plan, and who answers: the session's runner, or that of the server where a recording has answered."""
    with Session.read(name, host.folder) as session:
        progress, memory = read_back(session)
        words, spec = Words(progress.settings.language), session.started().runner
        plan = planned(session, progress, memory, Wanted(wanted.premises, again=wanted.again), wanted.runs)
        if spec.startswith("recorded:") and ",then=" not in spec:
            spec = host.runner
            if not asks_models(spec):
                raise fault("error-test-recorded")
            runner = make_runner(spec)
        else:
            runner = session_runner(session, f"Name one in the terminal: eda stress {name} --runner SPEC.")
        asked = words.say("stress-asked", runner=spec, real=asks_models(spec))
        return plan_words(plan, progress, words) | {"asked": asked}, runner


async def _run(host: Host, name: str, wanted: Tested, runner: Runner) -> str:
    """Run a test; return why it stopped before its end, empty where it came to its end."""
    own, words = wanted.model_dump(exclude={"do"}), host.spoken
    try:
        with Session.open(name, host.folder) as session:
            words = Words(session.started().settings.language)
            return words.say("stress-paused") if (await stress(session, runner, **own)).paused else ""
    except EdaError as error:
        return ". ".join(words.error(error)).removesuffix(". ")
    finally:
        await close_runner(runner)
