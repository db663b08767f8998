"""The runners that a person can name. The one rule: only the runner that is named is imported."""

from __future__ import annotations

import os

from eda.errors import UnknownNameError, UsageError
from eda.protocols import Runner
from eda.runners.spec import ModelSpec

__all__ = ["default_spec", "let_go", "make_runner"]

_NAMES = ("anthropic", "local", "recorded", "simulated")


def default_spec() -> str:
    """`anthropic` where a key for it is set, else `simulated`."""
    return "anthropic" if os.environ.get("ANTHROPIC_API_KEY", "").strip() else "simulated"


async def let_go(runner: Runner) -> None:
    """Close the connections of a runner, or of the one that it records, where it has some."""
    close = getattr(getattr(runner, "inner", runner), "close", None)
    if close is not None:
        await close()


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
