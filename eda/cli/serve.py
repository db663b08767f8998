"""`eda serve`."""

from __future__ import annotations

import secrets
import socket
from pathlib import Path

import click

from eda.cli.common import note
from eda.cli.options import session_options
from eda.errors import UsageError

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_PATIENCE = 5
"""Seconds that open pages have to close."""


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 takes a free one.")
@click.option(
    "--host",
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
    except ImportError as error:
        raise UsageError(f"{error.name} is not installed", hint="pip install 'eda-panel[serve]'") from error
    from eda.cli.common import json_text
    from eda.cli.debate import DEFAULT_PANEL
    from eda.runners.shipped import default_spec, make_runner
    from eda.serve.host import Host
    from eda.session import sessions_folder

    spec = runner or default_spec()
    make_runner(spec)  # its errors are told before anything is served
    token = "" if host in _LOOPBACK else secrets.token_urlsafe(24)
    listening = _bound(host, port)
    port = listening.getsockname()[1]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/" + (f"?token={token}" if token else "")
    app = make_app(Host(sessions_folder(folder), spec, DEFAULT_PANEL), names=frozenset({*_LOOPBACK, host}), token=token)
    click.echo(json_text({"url": address}, pretty=False) if as_json else f"open {address}")
    note("Ctrl-C stops the server")
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=_PATIENCE, server_header=False)
    uvicorn.Server(config).run(sockets=[listening])


def _bound(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Raises:
        UsageError: the port is taken, or there is no such address.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        why = error.strerror or str(error)
        raise UsageError(
            f"cannot listen at {host}, port {port}: {why}", hint="Name another: --port 0 takes a free one."
        ) from error
    return listening
