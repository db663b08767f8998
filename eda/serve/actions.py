"""What somebody at a page does from outside of the talk: forks a session, steers it, asks what a debate would cost."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field
from starlette.concurrency import run_in_threadpool

from eda.debate.control.changes import Added, Change, Changed, Muted, Unmuted
from eda.debate.control.socket import changed_session
from eda.errors import UsageError
from eda.events.messages import UsageTotals
from eda.panels.frozen import Frozen
from eda.panels.library import Library
from eda.panels.request import DebateRequest
from eda.report.forecast import forecast, named_models
from eda.report.formatting import money, tokens
from eda.runners.models import asks_models
from eda.serve.host import Host
from eda.session import Session
from eda.session.fork import fork
from eda.words import ENGLISH

_Names = Annotated[tuple[str, ...], Field(max_length=200)]


class Forked(Frozen):
    """A fork that somebody asks for."""

    at: Annotated[int, Field(ge=1)] | None = None
    """The last message that both have; None for all."""
    name: Annotated[str, Field(max_length=100)] = ""
    """Empty for a free one."""


class Steered(Frozen):
    """What somebody changes of a session."""

    mute: _Names = ()
    unmute: _Names = ()
    add: str = ""
    """The name of a persona; empty for none."""
    settings: Mapping[str, float | str | None] = Field(default_factory=dict)
    """By their names; None, or nothing, takes a limit away."""

    def changes(self) -> list[Change]:
        """Return the changes in the order in which they are made.

        Raises:
            UsageError: there is none, or no such persona.
        """
        given = {name: None if value == "" else value for name, value in self.settings.items()}
        added: list[Change] = [Added(Library().persona(self.add), "you")] if self.add else []
        heard: list[Change] = [*(Unmuted(name, "you") for name in self.unmute), *(Muted(n, "you") for n in self.mute)]
        changes = [*added, *heard, *([Changed(given)] if given else [])]
        if not changes:
            raise UsageError("nothing was changed", hint="Change something, or close the dialog.")
        return changes


def forked(name: str, folder: Path, wanted: Forked) -> str:
    """Make a fork of a session and return its name; see `eda.session.fork.fork` for the errors."""
    with Session.read(name, folder) as session, fork(session, wanted.at, wanted.name or None, folder) as new:
        return new.name


async def steer(host: Host, name: str, wanted: Steered) -> str:
    """Make all of the changes or none, and return when they hold.

    Raises:
        EdaError: one of them is not possible.
    """
    changes, here = wanted.changes(), host.runs(name)
    if here is not None:
        here.debate.inbox.change(changes)
        return "done as soon as this turn is over"
    _, running = await run_in_threadpool(changed_session, name, host.folder, changes, lambda _: None)
    return "done" if running else "done; it holds once the debate goes on"


def cost_of(host: Host, wanted: DebateRequest) -> str:
    """Return in words what a debate would cost, from three runs of it without a call to a model.

    Raises:
        EdaError: the debate cannot be as it is asked for.
    """
    ready = host.prepared(wanted.model_copy(update={"human": None})).untimed()
    if not asks_models(ready.runner):
        ready.debate()
        return "nothing: no model is asked"
    foretold = forecast(ready.debate, named_models(ready.runner))
    least, usual, most = map(_price, foretold.totals)
    cut = "yes" if foretold.ended[1] in ("money", "tokens") else "no"
    return ENGLISH.say("cost-estimate", usual=usual, least=least, most=most, cut=cut)


def _price(spent: UsageTotals) -> str:
    unknown = spent.unpriced_calls == spent.calls
    return tokens(spent.tokens) if unknown else money(spent.cost, spent.unpriced_calls)
