"""People who are invited to a debate that runs in a terminal: it serves their pages as long as it runs."""

import asyncio
import errno
import logging
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from eda.debate.debate import Debate
from eda.errors import UsageError
from eda.runners.human import Ask
from eda.runners.protocol import Runner
from eda.serve.app import make_app
from eda.serve.host import Host, Running
from eda.serve.people import WebSeat, guests_of

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_ALL = ("0.0.0.0", "::")  # noqa: S104 - to tell that it is every address
_ELSEWHERE = ("192.0.2.1", 9)  # An address for documentation: nothing is sent to it.
# Without a handler Python prints warnings: one for each message to a browser that has left.
_UNSEEN = logging.NullHandler()
_PATIENCE = 5  # Seconds that open pages have to close, and that a connection has to send the head of its next request.
# Connections that one address may hold, and all together; and those that may be closing. A process may often open 1,024
# files.
_OF_ONE, _IN_ALL, _LEAVING = 100, 400, 20


class Door(socket.socket):
    """A socket that listens. Where too many connections are open, the oldest is closed of those that ask nothing."""

    served: ClassVar[dict[Any, "Bounded"]] = {}
    """The connections that have begun to speak, by whose address and port they are."""

    def __init__(self, family: socket.AddressFamily) -> None:
        super().__init__(family, socket.SOCK_STREAM)
        self._open: dict[Any, socket.socket] = {}
        self._leaving: list[socket.socket] = []

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection and whose it is."""
        self._open = {whose: each for whose, each in self._open.items() if each.fileno() >= 0}
        self._leaving = [each for each in self._leaving if each.fileno() >= 0]
        if len(self._leaving) >= _LEAVING:
            raise BlockingIOError  # the loop closes those first, and comes again
        connection, place = super().accept()
        near = [whose for whose in self._open if whose[0] == place[0]]
        crowd = near if len(near) >= _OF_ONE else [*self._open] if len(self._open) >= _IN_ALL else []
        if crowd:
            first = min(crowd, key=lambda whose: (one := self.served.get(whose[:2])) is not None and one.answers)
            self._leaving.append(self._open.pop(first))
            if first[:2] in self.served:
                self.served[first[:2]].transport.abort()
            else:  # it has not even agreed on a key
                with suppress(OSError):
                    self._leaving[-1].shutdown(socket.SHUT_RDWR)
        self._open[place] = connection
        return connection, place


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Raises:
        UsageError: the port is taken, or there is no such address.
    """
    listening = Door(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        why, elsewhere = error.strerror or str(error), error.errno in (errno.EADDRINUSE, errno.EACCES)
        hint = (
            "port; 0 takes a free one" if elsewhere else "address: 127.0.0.1 is this machine, 0.0.0.0 each of its own"
        )
        raise UsageError(f"cannot listen at {host}, port {port}: {why}", hint=f"Name another {hint}.") from error
    return listening


def address(host: str, listening: socket.socket, scheme: str = "http") -> str:
    """Return the address to open; where every address of the machine is listened at, the one that others can reach."""
    if host in _ALL:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(_ELSEWHERE)
            host = probe.getsockname()[0]
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"


def names_of(host: str) -> frozenset[str]:
    """Return the names by which browsers may call a server that listens there; "*" is every address in figures."""
    return frozenset({*LOOPBACK, host, *(("*", socket.gethostname().lower()) if host in _ALL else ())})


class Bounded(H11Protocol):
    """A connection that is closed where the head of its next request does not come in time."""

    _timer: asyncio.TimerHandle

    @property
    def answers(self) -> bool:
        """Whether a request is being answered to somebody who takes the answer."""
        return self.cycle is not None and not (self.cycle.response_complete or self.flow.write_paused)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn does
        """Wait for the first request."""
        super().connection_made(transport)
        Door.served[self.client] = self
        self._timer = self.loop.call_later(_PATIENCE, self._late)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._timer.cancel()
        Door.served.pop(self.client, None)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._timer.cancel()
        self._timer = self.loop.call_later(_PATIENCE, self._late)
        super().on_response_complete()

    def _late(self) -> None:
        if not (self.answers or self.flow.write_paused):
            self.transport.abort()


def server(
    app: ASGIApp, kind: type[uvicorn.Server] = uvicorn.Server, cert: Path | None = None, key: Path | None = None
) -> uvicorn.Server:
    """Return what serves the application; what the libraries log goes to who asks for it, never to the terminal.

    Raises:
        UsageError: the certificate cannot be used.
    """
    for library in ("asyncio", "uvicorn"):
        logging.getLogger(library).addHandler(_UNSEEN)
    config = uvicorn.Config(
        app,
        http=Bounded,
        loop="asyncio",  # another one takes connections without `Door`
        log_config=None,
        log_level="warning",
        timeout_graceful_shutdown=_PATIENCE,
        server_header=False,
        ssl_certfile=cert,
        ssl_keyfile=key,
    )
    try:
        config.load()
    except OSError as error:
        raise UsageError(f"the certificate {cert} cannot be used: {error}", hint="It is a PEM file.") from error
    return kind(config)


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


class Guests:
    """Those who were invited to a debate, each with a link."""

    def __init__(self, names: Sequence[str], seconds: float | None, at: str, tell: Callable[[str], object]) -> None:
        """Listen at a host, with or without `:PORT`; `tell` is told each link, `seconds` are as for `guests_of`.

        Raises:
            UsageError: there is no such place, or its port is taken.
        """
        try:
            place = urlsplit(f"//{at}")
            self._at, port = place.hostname or "", place.port or 0
        except ValueError:
            self._at, port = "", 0
        if not self._at:
            raise UsageError(f"{at!r} is no place to listen at", hint="Write HOST or HOST:PORT, as 0.0.0.0:8765.")
        self._seats = guests_of(names, seconds)
        self._listening = bound(self._at, port)
        self._tell = tell
        self._at_terminal: list[WebSeat] = []
        self._running: Running | None = None
        self._waiting = ""
        self._here: set[str] = set()
        self._gone = asyncio.Event()
        self.reading = False
        """Whether they read how the debate ended; its report is written."""
        # Prints a line at the terminal.
        self.show = tell

    @property
    def seats(self) -> Mapping[str, Runner]:
        """What asks each of them, by name."""
        return {seat.name: seat.runner for seat in self._seats}

    def at_terminal(self, name: str, ask: Ask, seconds: float | None) -> Runner:
        """Return what asks the person at the terminal, so that the pages show when that person is waited for."""
        host = WebSeat(name, seconds, elsewhere=ask)
        self._at_terminal = [host]
        return host.runner

    def sit(self, debate: Debate) -> None:
        """Invite them to a debate in which they have seats."""
        session = debate.session
        assert session.folder is not None
        self._running = Running(debate, session, [*self._at_terminal, *self._seats])
        self._running.told.append(self._heard)
        self._host = Host(Path(session.folder).parent, debate.started.runner, "")
        self._host.running[session.name] = self._running
        here = address(self._at, self._listening)
        for seat in self._seats:
            link = f"{here}/join/{self._host.invite(session.name, seat.name, keep=True)}"
            self._tell(self._running.words.say("seat-invitation", name=seat.name, link=link))

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        """Serve their pages while the context is open; at its end they are told all that there is."""
        assert self._running is not None
        self._running.task = asyncio.current_task()
        # Nobody has this token: whoever began the debate is at the terminal.
        app = make_app(self._host, names=names_of(self._at), token=secrets.token_urlsafe())
        async with alongside(app, self._listening):
            try:
                yield
            finally:
                await app.state.end()
                self._running.task = None  # it is this one, for which the server must not wait

    async def read_on(self, closed: asyncio.Event) -> None:
        """Keep the pages open for those who read there how it ended, until all have left or the table is `closed`."""
        assert self._running is not None
        reading = [seat.name for seat in self._seats if seat.pages]
        if not reading:
            return
        self.show(self._running.words.say("seat-still-reading", names=reading))
        self._gone.clear()
        self.reading = True
        ends = [asyncio.ensure_future(event.wait()) for event in (self._gone, closed)]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in ends:
                each.cancel()

    def _heard(self, seat: WebSeat) -> None:
        if not any(each.pages for each in self._seats):
            self._gone.set()
        if self._running is not None and seat.pages and seat.name not in self._here:
            self._here.add(seat.name)
            self.show(self._running.words.say("seat-is-here", name=seat.name))
        asyncio.get_running_loop().call_soon(self._tell_waiting)  # once all are asked who are asked together

    def _tell_waiting(self) -> None:
        waiting = self._running.waiting if self._running is not None else ""
        if waiting and waiting != self._waiting:
            self.show(waiting)
        self._waiting = waiting
