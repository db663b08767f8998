"""`eda serve`."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from eda.cli.common import note
from eda.cli.kinds import TEXT, Whole
from eda.cli.options import session_options
from eda.errors import UsageError


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
@click.option("--runner", metavar="SPEC", help="Who is asked in debates begun on a page. Default: as `eda debate`.")
@session_options
def serve(*, port: int, host: str, runner: str | None, folder: Path | None, as_json: bool) -> None:
    """Serve the sessions as pages: read them, follow them live, begin debates and take part.

    Ctrl-C stops the server and pauses the debates that it runs; `eda resume` goes on with them.
    """
    try:
        import uvicorn

        from eda.serve.app import make_app
        from eda.serve.listening import LOOPBACK, address, bound, config, names_of
    except ImportError as error:
        raise UsageError(f"{error.name} is not installed", hint="pip install 'eda-panel[serve]'") from error
    from eda.cli.common import json_text
    from eda.panels.request import DEFAULT_PANEL
    from eda.runners.shipped import default_spec, make_runner
    from eda.serve.host import Host
    from eda.session import sessions_folder

    spec = runner or default_spec()
    make_runner(spec)  # its errors are told before anything is served
    token = "" if host in LOOPBACK else secrets.token_urlsafe(24)
    listening = bound(host, port)
    url = f"{address(host, listening)}/" + (f"?token={token}" if token else "")
    app = make_app(Host(sessions_folder(folder), spec, DEFAULT_PANEL), names=names_of(host), token=token)
    click.echo(json_text({"url": url}, pretty=False) if as_json else f"open {url}")
    note("Ctrl-C stops the server")
    uvicorn.Server(config(app)).run(sockets=[listening])
