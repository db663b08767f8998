"""The names that shells complete: of sessions, personas, panels, formats and rules."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eda.cli.kinds import Named
from eda.panels.registry import RULES

if TYPE_CHECKING:
    from eda.panels.library import Library


def _given(ctx: click.Context, param: str, key: str) -> Path | None:
    """Return a folder that is given as an option, else the configured one, which no command applies here."""
    from eda.cli.configuration import read_configuration

    folder: Path | None = ctx.params.get(param) or read_configuration().value(key)
    return folder


def _sessions(ctx: click.Context) -> Iterable[str]:
    from eda.session.names import session_names, sessions_folder

    return session_names(sessions_folder(_given(ctx, "folder", "sessions")))


def _library(ctx: click.Context) -> Library:
    from eda.panels.library import Library

    panels = _given(ctx, "panels_dir", "panels")
    return Library(_given(ctx, "personas_dir", "personas"), panels=panels, strict=False)


def _formats(_: click.Context) -> Iterable[str]:
    from eda.panels.agenda import agenda_names

    return agenda_names()


SESSION = Named(_sessions)
PERSONA = Named(lambda ctx: _library(ctx).personas)
PANEL = Named(lambda ctx: _library(ctx).panels)
PERSONA_OR_PANEL = Named(lambda ctx: [*(library := _library(ctx)).personas, *library.panels])
FORMAT = Named(_formats)
RULE = Named(lambda _: RULES.names())
