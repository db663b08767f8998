"""Where the server listens, and by what names browsers may call it; a server beside a debate of the terminal."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import uvicorn
from starlette.types import ASGIApp

from eda.errors import UsageError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_ALL = ("0.0.0.0", "::")  # noqa: S104 - to tell that it is every address
_ELSEWHERE = ("192.0.2.1", 9)
"""An address for documentation: nothing is sent to it."""
_UNSEEN = logging.NullHandler()
"""Without a handler Python prints warnings: one for each message to a browser that has left."""
_PATIENCE = 5
"""Seconds that open pages have to close."""


def bound(host: str, port: int) -> socket.socket:
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
            f"cannot listen at {host}, port {port}: {why}", hint="Name another port; 0 takes a free one."
        ) from error
    return listening


def address(host: str, listening: socket.socket) -> str:
    """Return the address to open; where every address of the machine is listened at, the one that others can reach."""
    if host in _ALL:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(_ELSEWHERE)
            host = probe.getsockname()[0]
    return f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"


def names_of(host: str) -> frozenset[str]:
    """Return the names by which browsers may call a server that listens there; "*" is every address in figures."""
    return frozenset({*LOOPBACK, host, *(("*", socket.gethostname().lower()) if host in _ALL else ())})


def server(app: ASGIApp, kind: type[uvicorn.Server] = uvicorn.Server) -> uvicorn.Server:
    """Return what serves the application; what the libraries log goes to who asks for it, never to the terminal."""
    for library in ("asyncio", "uvicorn"):
        logging.getLogger(library).addHandler(_UNSEEN)
    return kind(
        uvicorn.Config(
            app, log_config=None, log_level="warning", timeout_graceful_shutdown=_PATIENCE, server_header=False
        )
    )


class _Beside(uvicorn.Server):
    """A server that leaves the signals to the program beside which it runs."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


@asynccontextmanager
async def alongside(app: ASGIApp, listening: socket.socket) -> AsyncIterator[None]:
    """Serve while the context is open, in the loop that runs."""
    beside = server(app, _Beside)
    serving = asyncio.create_task(beside.serve(sockets=[listening]), name="pages")
    try:
        yield
    finally:
        beside.should_exit = True
        await serving
