"""`eda mcp`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from eda.cli import options
from eda.cli.common import note, of_extra
from eda.cli.kinds import NUMBER, Whole
from eda.cli.process import interruptible
from eda.cli.setting_options import import_from_here
from eda.errors import UsageError

_PORT = 8765


@click.command()
@click.option("--http", is_flag=True, help="Answer over HTTP on 127.0.0.1, instead of standard input and output.")
@click.option("--port", type=Whole(0, 65_535), help=f"Port for --http; 0 takes any. Default: {_PORT}.")
@click.option("--runner", metavar="SPEC", help="Who answers, for all clients; see `eda debate --help`.")
@options.model_options
@click.option("--budget", type=NUMBER, metavar="USD", help="The most of a debate, whatever a client asks for.")
@options.sessions_option
@options.personas_option
def mcp(
    *,
    http: bool,
    port: int | None,
    runner: str | None,
    models: dict[str, Any],
    budget: float | None,
    folder: Path | None,
    personas_dir: Path | None,
) -> None:
    """Offer the panel as a tool to other programs, such as an editor, by the Model Context Protocol.

    Tools: debate, resume, ask, recall, report, sessions. Clients choose questions, members and limits, and no runner,
    file or address. It needs the extra `mcp`; docs/mcp.md has what to write into an editor's settings.
    """
    if port is not None and not http:
        raise UsageError("--port is for --http", hint="Add --http, or leave --port out.")
    server_module = of_extra("eda.serve.mcp_server", "mcp")
    from eda.panels.library import Library
    from eda.runners.shipped import default_spec, make_runner, with_models
    from eda.serve.panel_tools import PanelTools
    from eda.session import sessions_folder

    if runner is not None and ":" in runner:
        import_from_here()
    spec = with_models(runner, models)
    make_runner(spec or default_spec())  # an unknown runner is reported now, not to a client
    server = server_module.PanelServer(PanelTools(sessions_folder(folder), spec, Library(personas_dir), budget))
    interruptible()
    if http:
        server.serve_http(_PORT if port is None else port, lambda address: note(f"listening: {address}"))
    else:
        server.serve_stdio()
