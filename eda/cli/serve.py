"""The commands that serve others: serve, for pages, and mcp, for programs."""

import os
import re
import secrets
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from eda.cli import options
from eda.cli.common import FILE, NUMBER, TEXT, Whole, json_text, note, of_extra, say, spoken
from eda.cli.process import has_screen, interruptible
from eda.errors import UsageError
from eda.panels.panel import Library
from eda.panels.request import DEFAULT_PANEL
from eda.runners.shipped import keyed_spec, make_runner, with_models
from eda.session.names import sessions_folder
from eda.session.store import replace_file


def _tls(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command that serves, with the options of a certificate."""
    key = click.option("--tls-key", type=FILE, help="Its key. Default: in the same file.")
    return click.option("--tls-cert", type=FILE, help="Serve over HTTPS with this certificate (PEM).")(key(command))


@click.command()
@click.option("--port", type=Whole(0, 65535), default=8765, show_default=True, help="0 takes a free one.")
@click.option(
    "--host",
    type=TEXT,
    metavar="HOST",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen at; 0.0.0.0 is every one of this machine.",
)
@_tls
@click.option(
    "--word",
    metavar="COMMAND",
    help="Run this when somebody is asked who has no page open. It gets EDA_WHO, EDA_ASKS (speak or vote), EDA_SESSION "
    "and EDA_LINK in its environment.",
)
@options.runner_option("Who is asked in debates begun on a page. Default: as `eda debate`.")
@options.personas_option
@options.panels_option
@options.session_options
def serve(
    *,
    port: int,
    host: str,
    tls_cert: Path | None,
    tls_key: Path | None,
    word: str | None,
    runner: str | None,
    personas_dir: Path | None,
    panels_dir: Path | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Serve the sessions as pages: read them, follow them live, begin debates and take part.

    Whoever has the token in the address that is printed owns the sessions. It is another one each time, or that in
    EDA_TOKEN. Ctrl-C stops the server and pauses the debates that it runs; `eda resume` goes on with them.
    """
    from eda.serve import app as pages, guests as sockets, host as hosts
    from eda.serve.people import Word

    if spec := runner or keyed_spec():
        make_runner(spec)  # its errors are told before anything is served
    token = _token()
    gives = Word(word) if word else None
    own = hosts.Host(sessions_folder(folder), spec, DEFAULT_PANEL, gives, spoken())
    own.roster = Library(personas_dir, panels=panels_dir)
    serving = sockets.server(pages.make_app(own, names=sockets.names_of(host), token=token), cert=tls_cert, key=tls_key)
    listening = sockets.bound(host, port)
    here = sockets.address(host, listening, "https" if tls_cert else "http")
    if gives is not None:
        gives.address = here
    url = f"{here}/?token={token}"
    click.echo(json_text({"url": url}, pretty=False) if as_json else say("serving-open", url=url))
    note(say("serving-stop"))
    with TemporaryDirectory() as private:
        if not as_json and sys.stdout.isatty() and has_screen():
            page = Path(private) / "open.html"  # an address in the arguments of a program is seen by every user
            replace_file(page, f'<meta http-equiv="refresh" content="0;url={url}">'.encode())
            webbrowser.open(page.as_uri())
        serving.run(sockets=[listening])


def _token() -> str:
    """Return the token in EDA_TOKEN, else a new one."""
    token = os.environ.get("EDA_TOKEN") or secrets.token_urlsafe(24)
    if not re.fullmatch(r"[\w-]{16,200}", token):
        raise UsageError("EDA_TOKEN is no token", hint="Give it 16 letters or more, or unset it.")
    return token


_LOOPBACK, _PORT = "127.0.0.1", 8765


@click.command()
@click.option("--http", is_flag=True, help="Answer over HTTP on 127.0.0.1, instead of standard input and output.")
@click.option("--port", type=Whole(0, 65_535), help="Port for --http; 0 takes any. Default: 8765.")
@_tls
@options.runner_option("Who answers, for all clients; see `eda debate --help`.")
@options.model_options
@click.option("--budget", type=NUMBER, metavar="USD", help="The most of a debate, whatever a client asks for.")
@options.sessions_option
@options.personas_option
def mcp(
    *,
    http: bool,
    port: int | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    runner: str | None,
    models: dict[str, Any],
    budget: float | None,
    folder: Path | None,
    personas_dir: Path | None,
) -> None:
    """Offer the panel as a tool to other programs, such as an editor, by the Model Context Protocol.

    Tools: debate, resume, ask, recall, report, sessions. Clients choose questions, members and limits, and no runner,
    file or address. Over HTTP they show the token in the address that is printed: another one each time, or that in
    EDA_TOKEN. It needs the extra `mcp`; docs/mcp.md has what to write into an editor's settings.
    """
    for option, given in (("--port", port), ("--tls-cert", tls_cert), ("--tls-key", tls_key)):
        if given is not None and not http:
            raise UsageError(f"{option} is for --http", hint=f"Add --http, or leave {option} out.")
    server_module = of_extra("eda.serve.mcp_server", "mcp")
    from eda.serve import guests as sockets
    from eda.serve.panel_tools import PanelTools

    if spec := with_models(runner, models):
        make_runner(spec)  # an unknown runner is reported now, not to a client
    server = server_module.PanelServer(PanelTools(sessions_folder(folder), spec, Library(personas_dir), budget))
    interruptible()
    if http:
        token = _token()
        web = server.http_server(token, cert=tls_cert, key=tls_key)
        with sockets.bound(_LOOPBACK, _PORT if port is None else port) as listening:
            here = sockets.address(_LOOPBACK, listening, "https" if tls_cert else "http")
            note(f"listening: {here}/mcp?token={token}")
            web.run(sockets=[listening])
    else:
        server.run("stdio")
