"""Tests of what a verdict hinges on, planned, begun and stopped at a page. What was tried is kept in the session."""

import asyncio
from typing import Annotated, Any, Literal

from pydantic import Field
from starlette.concurrency import run_in_threadpool

from eda.debate.arms import Wanted
from eda.debate.replay import read_back
from eda.debate.stress import planned, stress
from eda.errors import EdaError
from eda.panels.settings import Frozen
from eda.report.stress_words import plan_words
from eda.runners.models import asks_models
from eda.serve.host import Host
from eda.session import Session
from eda.words import fault


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
    if wanted.do == "start" and running is not None and not running.done():
        raise fault("error-test-runs")
    plan = await run_in_threadpool(_plan, host, name, wanted)
    if wanted.do == "start":
        host.trials[name] = asyncio.create_task(_run(host, name, wanted), name=f"test of {name}")
    return plan


def _plan(host: Host, name: str, wanted: Tested) -> dict[str, Any]:
    with Session.read(name, host.folder) as session:
        progress, memory = read_back(session)
        words, spec = progress.settings.words, _asked(host, session) or session.started().runner
        plan = planned(session, progress, memory, Wanted(wanted.premises, again=wanted.again), wanted.runs)
        asked = words.say("stress-asked", runner=spec, real=asks_models(spec))
        return plan_words(plan, progress, words) | {"asked": asked}


def _asked(host: Host, session: Session) -> str | None:
    """Return who answers in place of a recording: the server's runner; None where the session's own does."""
    spec = session.started().runner
    if not spec.startswith("recorded:") or ",then=" in spec:
        return None
    if not asks_models(host.runner):
        raise fault("error-test-recorded")
    return host.runner


async def _run(host: Host, name: str, wanted: Tested) -> str:
    """Run a test; return why it stopped before its end, empty where it came to its end."""
    own, words = wanted.model_dump(exclude={"do"}), host.spoken
    try:
        with Session.open(name, host.folder) as session:
            words = session.started().settings.words
            return words.say("stress-paused") if (await stress(session, _asked(host, session), **own)).paused else ""
    except EdaError as error:
        return ". ".join(filter(None, words.error(error)))
