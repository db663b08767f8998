"""Makes the runners that a user can name, importing only the one that is named."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import orjson

from eda.errors import RunnerError, RunnerUnavailableError, UsageError, nearest
from eda.panels.allowed import PROGRAMS, allow, is_allowed, is_program_allowed, program_of
from eda.panels.registry import RUNNERS, line_of
from eda.runners.model_runner import ModelRunner
from eda.runners.models import LOCAL_HINT, ModelSpec, Provider, asks_models, on_loopback, providers
from eda.runners.protocol import Runner, innermost
from eda.words import fault

Maker = Callable[[str], Runner]
"""Makes a runner from its spec."""


def keyed_spec() -> str:
    """Return `anthropic` if a key for it is set, else an empty text."""
    return "anthropic" if os.environ.get("ANTHROPIC_API_KEY", "").strip() else ""


def default_spec() -> str:
    """Return `anthropic` if a key for it is set: nothing pretends to be a model.

    Raises:
        UsageError: none is. The hint names what else could answer here.
    """
    if spec := keyed_spec():
        return spec
    keyed = next((f"{each.name}:MODEL" for each in providers().values() if not each.own and each.key[1]), "")
    raise fault("error-no-model", keyed=keyed, local=_on_this_machine())


_LOGGED_IN = {"claude-code": "claude", "codex": "codex"}


def _on_this_machine() -> str:
    """Return the runner of a server of models that answers on this machine, or of a program; empty without one."""
    # Clients of HTTP take long to import, and only a command without a key and a runner looks here.
    from http.client import HTTPException  # noqa: PLC0415
    from shutil import which  # noqa: PLC0415
    from urllib.request import urlopen  # noqa: PLC0415

    for each in (each for each in providers().values() if each.own and each.url):
        try:
            with urlopen(f"{each.url}/models", timeout=0.5) as answer:  # noqa: S310 - an address of EDA's own table
                names = [row["id"] for row in orjson.loads(answer.read(1 << 20))["data"] if isinstance(row["id"], str)]
        except (OSError, HTTPException, ValueError, LookupError, TypeError):
            continue
        if names:
            return f"{each.name}:{names[0]}"
    return next((name for name, program in _LOGGED_IN.items() if which(program)), "")


async def prepare(runner: Runner) -> RunnerUnavailableError | None:
    """Have a runner ask its server what it needs to know before the first call; return why it is unavailable, if so.

    Raises:
        RunnerUnavailableError: the server refuses, now and later.
    """
    ready = getattr(runner, "prepare", None)
    try:
        if ready is not None:
            await ready()
    except RunnerUnavailableError as error:
        if error.refused:
            raise
        return error
    except RunnerError:  # the first call says what is wrong
        pass
    return None


def with_models(runner: str | None, models: Mapping[str, Any], own: str = "") -> str | None:
    """Return the runner with the models chosen for it; as it is where none are.

    Without a named runner the models of `own` (a session's runner) are changed, else those of the default one.

    Raises:
        UsageError: the runner uses no model, or does not accept one of them.
    """
    if not models:
        return runner
    spec = runner or own or default_spec()
    if not asks_models(spec):
        make_runner(spec)  # an unknown runner is reported first
        raise UsageError(
            f"the runner {spec!r} has no models to choose",
            hint=f"Pass --runner anthropic or PROVIDER:MODEL, PROVIDER being one of {', '.join(providers())}.",
        )
    return str(ModelSpec.parse(spec).changed(**models))


def given_runner(given: Runner | str) -> Runner:
    """Return a runner of the user's own unchanged, or make the one that a name stands for: see `make_runner`.

    Raises:
        UsageError: it is not a runner, but a function or a class.
    """
    if isinstance(given, str):
        return make_runner(named_runner(given))
    if isinstance(given, type) or not isinstance(given, Runner):
        what = getattr(given, "__name__", type(given).__name__)
        raise UsageError(
            f"{what} is no runner",
            hint="One is an object with `async def run(self, prompt, on_text=None) -> Reply`; "
            "of a function, ScriptedRunner(function) makes one.",
        )
    asked = innermost(given)
    if isinstance(asked, ModelRunner):
        asked.make = make_runner
    return given


def named_runner(spec: str) -> str:
    """Let the runner that a user names run its code or program, and ask its server; return the spec that data keep.

    Raises:
        UsageError: it is malformed, or its code cannot be imported.
    """
    first, then, live = spec.strip().partition(",then=")
    if then:
        return f"{first},then={named_runner(live)}"
    name = first.partition(":")[0].partition(",")[0]
    if program := program_of(first):
        allow(program)
    elif asks_models(first):
        if url := ModelSpec.parse(first).url:
            allow(url)
    elif "//" in first.partition(":")[2][:2]:
        raise UsageError("an address alone is no runner", hint=LOCAL_HINT)
    elif ":" in first and name not in SHIPPED and not nearest(name, SHIPPED):
        return RUNNERS.load(first)
    return first


def make_runner(spec: str) -> Runner:
    """Return the runner that a spec names: a shipped one with what follows its name, an installed one, or code.

    Raises:
        UnknownNameError: there is none of that name.
        UsageError: it is not given what it needs, or cannot be imported.
        RunnerUnavailableError: it lacks a key.
    """
    spec = spec.strip()
    name = spec.partition(":")[0].partition(",")[0]
    if name in SHIPPED:
        return given_runner(SHIPPED[name](spec))
    if ":" in spec and not nearest(name, SHIPPED):
        name = spec
    runner: Runner = RUNNERS.get(name)(name)
    own: str = getattr(runner, "spec", "")
    if RUNNERS.known(own.partition(":")[0]) is None:  # by its own name no resume would find it again
        with suppress(AttributeError):  # else a resume says that it has to be passed again
            runner.spec = name  # type: ignore[attr-defined]  # what a session keeps
    return runner


def model_of(spec: str | None, lacks: str) -> Runner | None:
    """Return the runner of a spec, which has to be a model; None without one.

    Raises:
        EdaError: there is no such runner, it needs a key, or it is no model; `lacks` says what that cannot do.
    """
    runner = make_runner(spec) if spec else None
    if runner is not None and not is_model(runner):
        raise UsageError(f"the runner {spec!r} {lacks}", hint="Leave out --runner, or name a model.")
    return runner


def is_model(runner: Runner) -> bool:
    """Return whether a runner is a language model, which can write prose."""
    return bool(getattr(runner, "summarises", True))


def _simulated(spec: str) -> Runner:
    """Personas that answer by rules, for nothing: simulated[:fixed]."""
    if spec not in ("simulated", "simulated:fixed"):
        raise UsageError(
            f"the runner 'simulated' takes only ':fixed' after it, but {spec!r} was given",
            hint="Write simulated or simulated:fixed.",
        )
    from eda.runners.simulated.runner import SimulatedRunner  # noqa: PLC0415 - only the named runner is imported

    return SimulatedRunner(fixed=spec.endswith(":fixed"))


def _anthropic(spec: str) -> Runner:
    """Models of Anthropic: anthropic[:SPEAK[+CHEAP]]."""
    from eda.runners.messages_api.anthropic import AnthropicRunner  # noqa: PLC0415 - only the named runner is imported

    given = ModelSpec.parse(spec)
    return AnthropicRunner(given.speak, cheap_model=given.cheap, fallback_model=given.fallback)


def _provider(provider: Provider) -> Maker:
    """Return what makes runners of a provider."""

    def make(spec: str) -> Runner:
        from eda.runners.chat_completions.runner import ChatRunner  # noqa: PLC0415 - only the named runner is imported

        given = ModelSpec.parse(spec)
        if not (on_loopback(given) or is_allowed(given.url)):
            raise UsageError(
                f"the server {given.url} is not asked because a file names it",
                hint=f"If you trust it, name it yourself: --runner {given.name}:{given.url}, or --allow {given.url}.",
            )
        return ChatRunner(spec)

    where = "URL[#SPEAK[+CHEAP]]" if not provider.url else f"{'[URL#]' * provider.own}SPEAK[+CHEAP]"
    make.__doc__ = f"Models of {provider.label}: {provider.name}:{where}."
    return make


def _agent(spec: str) -> Runner:
    """A program that is logged in on this machine: claude-code[:MODEL], codex[:MODEL], or acp:COMMAND."""
    if not is_program_allowed(spec):
        raise UsageError(
            f"the program of {spec!r} is not started because a file names it",
            hint=f"If you trust it, name it yourself: --runner {spec!r}, or --allow {program_of(spec)!r}.",
        )
    from eda.runners.agents.programs import AgentRunner  # noqa: PLC0415 - only the named runner is imported

    return AgentRunner(spec)


def _recorded(spec: str) -> Runner:
    """The recorded calls of an earlier debate: recorded:FILE[,then=RUNNER]."""
    file, then, live = spec.partition(":")[2].partition(",then=")
    if not file or bool(then) != bool(live):
        raise UsageError(
            "the runner 'recorded' needs a file, and after `then=` a runner",
            hint="Write it as recorded:FILE, or recorded:FILE,then=anthropic to go on where the recording ends.",
        )
    from eda.runners.recorded import RecordedRunner, ReplayThenLive  # noqa: PLC0415 - only the named runner is imported

    recorded = RecordedRunner(file)
    return ReplayThenLive(recorded, make_runner(live)) if live else recorded


SHIPPED: Mapping[str, Maker] = {
    "anthropic": _anthropic,
    "recorded": _recorded,
    "simulated": _simulated,
    **{name: _provider(each) for name, each in providers().items()},
    **dict.fromkeys(PROGRAMS, _agent),
}
"""By the name that a spec begins with."""


def checked(part: object) -> Maker | None:
    """Return what makes a user's runner: from a class, a function that returns one, or one that is there already."""
    make: object = part
    if not isinstance(part, type) and isinstance(part, Runner):
        make = lambda: part  # noqa: E731 - a value, as the others
    if not callable(make):
        return None

    def maker(_: str) -> Runner:
        return given_runner(make())

    maker.__doc__ = line_of(part)
    return maker
