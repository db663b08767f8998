"""The runners that a person can name. The one rule: only the runner that is named is imported."""

from __future__ import annotations

import os

from eda.errors import UnknownNameError, UsageError
from eda.protocols import Runner

__all__ = ["RUNNER_NAMES", "default_spec", "make_runner"]

RUNNER_NAMES = ("anthropic", "recorded", "simulated")


def default_spec() -> str:
    """`anthropic` where a key for it is set, else `simulated`."""
    return "anthropic" if os.environ.get("ANTHROPIC_API_KEY", "").strip() else "simulated"


def make_runner(spec: str) -> Runner:
    """The runner that `simulated`, `anthropic[:MODEL]` or `recorded:FILE` stands for."""
    name, colon, rest = spec.strip().partition(":")
    if name not in RUNNER_NAMES:
        raise UnknownNameError("runner", name, RUNNER_NAMES)
    if name == "recorded" and not rest:
        raise UsageError("the runner 'recorded' needs a file", hint="Write it as recorded:FILE.")
    if name == "anthropic" and colon and not rest:
        raise UsageError(f"the runner {spec!r} names no model", hint="Write anthropic, or anthropic:MODEL.")
    if name == "simulated" and colon:
        raise UsageError(
            f"the runner 'simulated' takes nothing after it, but {spec!r} was given", hint="Write simulated."
        )
    if name == "recorded":
        from eda.runners.recorded import RecordedRunner  # noqa: PLC0415 - only the named runner is imported

        return RecordedRunner(rest)
    if name == "anthropic":
        from eda.runners.anthropic import AnthropicRunner  # noqa: PLC0415 - only the named runner is imported

        return AnthropicRunner(rest or None)
    from eda.runners.simulated import SimulatedRunner  # noqa: PLC0415 - only the named runner is imported

    return SimulatedRunner()
