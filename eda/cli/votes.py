"""The options that say what decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from eda.cli.common import TEXT, Whole
from eda.errors import UsageError
from eda.settings import RuleName, Settings

if TYPE_CHECKING:
    from eda.agenda import Agenda

__all__ = ["VOTE_SETTINGS", "check_votes", "vote_options"]

F = TypeVar("F", bound=Callable[..., Any])
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
        command = click.option(option, name, **how)(command)
    return command


def check_votes(settings: Settings, agenda: Agenda, given: Mapping[str, Any]) -> None:
    """Refuse options that would change nothing.

    Raises:
        UsageError: a judge where another rule decides, or how often to poll for a consensus that is not asked for.
    """
    rule = settings.rule or agenda.rule
    if settings.judge and rule != "judge":
        raise UsageError(f"--judge is for the rule judge, and here {rule} decides", hint="Add --rule judge.")
    if given["poll_every"] is not None and settings.consensus is None:
        raise UsageError("--poll-every is for --consensus", hint="Give a share that ends the talk: --consensus 0.8.")
