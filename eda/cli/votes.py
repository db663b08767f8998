"""The options that say what decides."""

from __future__ import annotations

from typing import Any, TypeVar, get_args

import click

from eda.cli.common import TEXT, Whole
from eda.settings import RuleName

__all__ = ["VOTE_SETTINGS", "vote_options"]

F = TypeVar("F")
VOTE_SETTINGS = ("rule", "quorum", "judge", "own_proposals", "consensus", "poll_every")
_SHARE = click.FloatRange(0, 1)
_OPTIONS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (
        "--rule",
        "rule",
        {
            "type": click.Choice(get_args(RuleName)),
            "metavar": "NAME",
            "help": f"What decides; else the format's own. {', '.join(get_args(RuleName))}.",
        },
    ),
    (
        "--quorum",
        "quorum",
        {
            "type": click.FloatRange(0, 1, max_open=True),
            "metavar": "SHARE",
            "help": "A vote counts where more than this share voted; else 0.5.",
        },
    ),
    ("--judge", "judge", {"type": TEXT, "metavar": "MEMBER", "help": "Whose choice decides; with --rule judge."}),
    (
        "--not-own",
        "own_proposals",
        {"is_flag": True, "flag_value": False, "default": None, "help": "Nobody votes for a proposal of its own."},
    ),
    (
        "--consensus",
        "consensus",
        {
            "type": click.FloatRange(0.5, 1, min_open=True),
            "metavar": "SHARE",
            "help": "End the talk once private polls show this share agreed.",
        },
    ),
    ("--poll-every", "poll_every", {"type": Whole(), "metavar": "N", "help": "Messages between such polls; else 6."}),
)


def vote_options(command: F) -> F:
    """`--rule`, `--quorum`, `--judge`, `--not-own`, `--consensus`, `--poll-every`: each a setting."""
    for option, name, how in reversed(_OPTIONS):
        command = click.option(option, name, **how)(command)  # type: ignore[type-var]
    return command
