"""The runners that a person can name. The one rule: only the runner that is named is imported."""

from __future__ import annotations

import os

from eda.errors import UnknownNameError, UsageError
from eda.protocols import Reply, Runner
from eda.runners.spec import ModelSpec

__all__ = ["checked_reply", "default_spec", "given_runner", "let_go", "make_runner"]

_NAMES = ("anthropic", "local", "recorded", "simulated")


def default_spec() -> str:
    """`anthropic` where a key for it is set, else `simulated`."""
    return "anthropic" if os.environ.get("ANTHROPIC_API_KEY", "").strip() else "simulated"


async def let_go(runner: Runner) -> None:
    """Close the connections of a runner, or of the one that it records, where it has some."""
    close = getattr(getattr(runner, "inner", runner), "close", None)
    if close is not None:
        await close()


def given_runner(given: Runner | str) -> Runner:
    """A runner of the user's own as it is, or the one that a name stands for: see `make_runner`.

    Raises:
        UsageError: it is no runner, but a function or a class.
    """
    if isinstance(given, str):
        return make_runner(given)
    if isinstance(given, type) or not isinstance(given, Runner):
        what = getattr(given, "__name__", type(given).__name__)
        raise UsageError(
            f"{what} is no runner",
            hint="One is an object with `async def run(self, prompt, on_text=None) -> Reply`; "
            "of a function, ScriptedRunner(function) makes one.",
        )
    return given


def checked_reply(reply: object) -> Reply:
    """What a runner answered.

    Raises:
        UsageError: it is no `Reply`.
    """
    if not isinstance(reply, Reply):
        raise UsageError(f"a runner answered with {type(reply).__name__}", hint='Have it return Reply("...").')
    return reply


def make_runner(spec: str) -> Runner:
    """The runner that `simulated`, `recorded:FILE`, or a line such as `ModelSpec` reads, stands for.

    Raises:
        UnknownNameError: there is none of that name.
        UsageError: it is not given what it needs.
        RunnerUnavailableError: it lacks a key.
    """
    head, _, rest = spec.strip().partition(":")
    name = head.partition(",")[0]
    if name not in _NAMES:
        raise UnknownNameError("runner", name, _NAMES)
    if name == "recorded" and not rest:
        raise UsageError("the runner 'recorded' needs a file", hint="Write it as recorded:FILE.")
    if name == "simulated" and spec.strip() != name:
        raise UsageError(
            f"the runner 'simulated' takes nothing after it, but {spec!r} was given", hint="Write simulated."
        )
    if name == "recorded":
        from eda.runners.recorded import RecordedRunner  # noqa: PLC0415 - only the named runner is imported

        return RecordedRunner(rest)
    if name == "anthropic":
        from eda.runners.anthropic import AnthropicRunner  # noqa: PLC0415 - only the named runner is imported

        given = ModelSpec.parse(spec)
        return AnthropicRunner(given.speak, cheap_model=given.cheap, fallback_model=given.fallback)
    if name == "local":
        from eda.runners.local import LocalRunner  # noqa: PLC0415 - only the named runner is imported

        given = ModelSpec.parse(spec)
        return LocalRunner(
            given.url,
            given.speak,
            cheap_model=given.cheap,
            fallback_model=given.fallback,
            temperature=given.temperature,
            top_p=given.top_p,
        )
    from eda.runners.simulated import SimulatedRunner  # noqa: PLC0415 - only the named runner is imported

    return SimulatedRunner()
