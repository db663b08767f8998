"""Texts on the command line, and those that are usually one of some names: shells complete them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from eda.errors import EdaError
from eda.panels.registry import RULES
from eda.report.formatting import clean

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from eda.panels.library import Library


class Text(click.types.StringParamType):
    """Text, cleaned of control characters; bytes that are not UTF-8 become U+FFFD."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002 - click's shape
        """Return the text."""
        return clean(str(value))


class Named(Text):
    """Text that is usually one of some names, which shells complete."""

    def __init__(self, names: Callable[[click.Context], Iterable[str]]) -> None:
        self._names = names

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002 - click's shape
        """Return the names that begin so; none where they cannot be read."""
        from click.shell_completion import CompletionItem

        with suppress(EdaError, OSError):
            return [CompletionItem(name) for name in self._names(ctx) if name.startswith(incomplete)]
        return []


def _sessions(ctx: click.Context) -> Iterable[str]:
    from eda.session.names import session_names, sessions_folder

    return session_names(sessions_folder(ctx.params.get("folder")))


def _library(ctx: click.Context) -> Library:
    from eda.panels.library import Library

    return Library(ctx.params.get("personas_dir"), strict=False)


def _formats(_: click.Context) -> Iterable[str]:
    from eda.panels.agenda import agenda_names

    return agenda_names()


SESSION = Named(_sessions)
PERSONA = Named(lambda ctx: _library(ctx).personas)
PANEL = Named(lambda ctx: _library(ctx).panels)
PERSONA_OR_PANEL = Named(lambda ctx: [*(library := _library(ctx)).personas, *library.panels])
FORMAT = Named(_formats)
RULE = Named(lambda _: RULES.names())
