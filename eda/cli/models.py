"""`--speak-model` and its like: options that change which models a runner asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from eda.errors import UsageError

__all__ = ["model_options", "with_models"]

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: tuple[tuple[str, str, str, type, str], ...] = (
    ("--speak-model", "speak", "MODEL", str, "Who speaks: an id, or haiku, sonnet, opus."),
    ("--cheap-model", "cheap", "MODEL", str, "For bids, ballots and summaries; `inherit`: the speaker's."),
    ("--fallback-model", "fallback", "MODEL", str, "Asked where a call to another model has failed."),
    ("--temperature", "temperature", "T", float, "From 0 to 2; for --runner local:URL only."),
    ("--top-p", "top_p", "P", float, "Over 0, up to 1; for --runner local:URL only."),
)


def model_options(command: F) -> F:
    """The options; the command is given `models`, a dict of those that were used."""

    def keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
        models = ctx.params.setdefault("models", {})
        if value is not None:
            models[str(param.name).removeprefix("model_")] = value

    for option, name, what, kind, text in reversed(_OPTIONS):
        command = click.option(
            option, f"model_{name}", type=kind, metavar=what, help=text, expose_value=False, callback=keep
        )(command)
    return command


def with_models(runner: str | None, models: Mapping[str, Any], own: str = "") -> str | None:
    """The runner as it was named, its models changed as asked; None where neither was given.

    `own` is the one to change where none was named: a session's, else the usual one.

    Raises:
        UsageError: it asks no model, or does not take what was given.
    """
    if not models:
        return runner
    from eda.runners.names import default_spec, make_runner
    from eda.runners.spec import ModelSpec, asks_models

    spec = runner or own or default_spec()
    if not asks_models(spec):
        make_runner(spec)  # a runner that is none is the first thing to say
        raise UsageError(
            f"the runner {spec!r} asks no model that could be chosen",
            hint="Pass --runner anthropic (it needs ANTHROPIC_API_KEY) or --runner local:URL.",
        )
    return str(ModelSpec.parse(spec).changed(**models))
