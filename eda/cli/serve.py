"""The commands that serve others: serve, for pages, and mcp, for programs."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import click

from eda.cli import options
from eda.cli.common import json_text, note, of_extra
from eda.cli.kinds import NUMBER, TEXT, Whole
from eda.cli.options import session_options
from eda.cli.process import interruptible
from eda.errors import UsageError
from eda.panels.panel import Library
from eda.panels.request import DEFAULT_PANEL
from eda.runners.shipped import default_spec, make_runner, with_models
from eda.session import sessions_folder


@click.command()
@click.option("--port", type=Whole(0, 65535), default=8765, show_default=True, help="0 takes a free one.")
@click.option(
    "--host",
    type=TEXT,
    metavar="HOST",
    default="127.0.0.1",
    show_default=True,
    help="Another address than this machine's own needs the token that is printed.",
)
@options.runner_option("Who is asked in debates begun on a page. Default: as `eda debate`.")
@session_options
def serve(*, port: int, host: str, runner: str | None, folder: Path | None, as_json: bool) -> None:
    """Serve the sessions as pages: read them, follow them live, begin debates and take part.

    Ctrl-C stops the server and pauses the debates that it runs; `eda resume` goes on with them.
    """
    pages, hosts, sockets = (of_extra(f"eda.serve.{name}", "serve") for name in ("app", "host", "guests"))

    spec = runner or default_spec()
    make_runner(spec)  # its errors are told before anything is served
    token = "" if host in sockets.LOOPBACK else secrets.token_urlsafe(24)
    listening = sockets.bound(host, port)
    url = f"{sockets.address(host, listening)}/" + (f"?token={token}" if token else "")
    own = hosts.Host(sessions_folder(folder), spec, DEFAULT_PANEL)
    app = pages.make_app(own, names=sockets.names_of(host), token=token)
    click.echo(json_text({"url": url}, pretty=False) if as_json else f"open {url}")
    note("Ctrl-C stops the server")
    sockets.server(app).run(sockets=[listening])


_PORT = 8765


@click.command()
@click.option("--http", is_flag=True, help="Answer over HTTP on 127.0.0.1, instead of standard input and output.")
@click.option("--port", type=Whole(0, 65_535), help=f"Port for --http; 0 takes any. Default: {_PORT}.")
@options.runner_option("Who answers, for all clients; see `eda debate --help`.")
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
    from eda.serve.panel_tools import PanelTools

    spec = with_models(runner, models)
    make_runner(spec or default_spec())  # an unknown runner is reported now, not to a client
    server = server_module.PanelServer(PanelTools(sessions_folder(folder), spec, Library(personas_dir), budget))
    interruptible()
    if http:
        server.serve_http(_PORT if port is None else port, lambda address: note(f"listening: {address}"))
    else:
        server.run("stdio")
