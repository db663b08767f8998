"""A session-wide guard: no test reaches anything but this machine, and none can find a key."""

from __future__ import annotations

import gc
import importlib
import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from click.testing import Result
    from fake_chat import FakeServer

# What takes long to import is imported where it is used: a process that hands out tests to others runs none.
gc.disable()  # what is imported and collected is no garbage: see `pytest_collection_finish`

_LOOPBACK = {"127.0.0.1", "::1", "localhost", "0.0.0.0", ""}  # noqa: S104 - compared, not bound
_KEYS = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_PROFILE",
    "ANTHROPIC_CUSTOM_HEADERS",
    "EDA_LOCAL_KEY",
)

if sys.platform == "win32":
    # A program on a terminal of its own, which is sent signals, is one of Unix only.
    collect_ignore = [
        path.name for path in Path(__file__).parent.glob("test_*.py") if "from started" in path.read_text()
    ]


def _tries_properties() -> None:
    """Choose the examples of properties.

    A machine that does other work too is slow now and then, and no fault of the code. The same code has the same
    examples at each run; `make test-random` looks for others.
    """
    from hypothesis import HealthCheck, settings
    from hypothesis.internal.conjecture import providers

    settings.register_profile(
        "unhurried", max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.register_profile("random", settings.get_profile("unhurried"), max_examples=400, derandomize=False)
    settings.load_profile(os.environ.get("EXAMPLES", "unhurried"))
    if settings.get_current_profile_name() == "unhurried":
        # Numbers and words of all modules that are imported by then would be examples, too: others where another test
        # came first, and seconds to read. `make test-random` has them.
        providers._get_local_constants = lambda: providers._local_constants


def _tells_what_is_shown(config: pytest.Config) -> None:
    """Have this process of several send only what a short display shows: one report of a test that passed, not three.

    The others, and word of its beginning, took half a millisecond of each test. Who asks for more is told everything.
    """
    option = config.option
    if config.get_verbosity() >= 0 or option.durations is not None or option.xmlpath is not None:
        return
    for plugin in config.pluginmanager.get_plugins():
        if type(plugin).__name__ == "WorkerInteractor":
            send = plugin.sendevent

            def send_shown(name: str, send: Callable[..., None] = send, **data: Any) -> None:
                report = data["data"] if name == "testreport" else {"when": "call"}
                if name != "logstart" and (report["when"] == "call" or report["outcome"] != "passed"):
                    send(name, **data)

            plugin.sendevent = send_shown


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Each process of several compiles files of its own first, and then reads what the others compiled."""
    here, worker = Path(__file__).parent, os.environ.get("PYTEST_XDIST_WORKER", "")
    if session.config.option.dist != "no" and not worker:
        return
    _tries_properties()
    if worker:
        _tells_what_is_shown(session.config)
    if not worker or [Path(name).resolve() for name in session.config.args] != [here]:
        return
    files = sorted(here.glob("test_*.py"))
    first = len(files) * int(worker.removeprefix("gw")) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for path in [*files[first:], *files[:first]]:
        with suppress(Exception, pytest.skip.Exception):  # pytest imports it again, and says what is wrong
            importlib.import_module(path.stem)


def pytest_runtest_setup() -> None:
    """`make test-near` ends in time, however long a file of tests takes: what is left waits for `make test`."""
    if time.time() > float(os.environ.get("EDA_TESTS_UNTIL", "inf")):
        pytest.skip("no time was left: make test runs it")


def pytest_collection_finish() -> None:
    """Collected tests stay to the end: the garbage collector need not look at them again and again, nor often."""
    gc.freeze()  # with what little garbage there is: to look for it takes half a second
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


class OutsideNetworkError(AssertionError):
    """A test tried to reach the network beyond loopback."""


def _host(address: Any) -> str:
    return str(address[0]) if isinstance(address, tuple) else ""


@contextmanager
def no_outside_network() -> Iterator[None]:
    """Refuse every connection and every name look-up that is not for this machine."""
    patch = pytest.MonkeyPatch()
    connect, connect_ex, look_up = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and _host(address) not in _LOOPBACK:
            raise OutsideNetworkError(f"a test connects to {address!r}")
        return connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        if self.family != socket.AF_UNIX and _host(address) not in _LOOPBACK:
            raise OutsideNetworkError(f"a test connects to {address!r}")
        return connect_ex(self, address)

    def guarded_look_up(host: Any, *args: Any, **kwargs: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name is not None and name not in _LOOPBACK:
            raise OutsideNetworkError(f"a test looks up {name!r}")
        return look_up(host, *args, **kwargs)

    patch.setattr(socket.socket, "connect", guarded_connect)
    patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    patch.setattr(socket, "getaddrinfo", guarded_look_up)
    for name in _KEYS:
        patch.delenv(name, raising=False)
    patch.setenv("EDA_SESSIONS", "sessions")
    patch.setenv("EDA_RUNNER", "simulated")  # without a model nobody plays, unless it is asked for
    patch.setenv("PYTHONDONTWRITEBYTECODE", "")  # a program that a test starts need not compile all of EDA again
    yield
    patch.undo()


@contextmanager
def signals_are_heard() -> Iterator[None]:
    """A script's background jobs ignore Ctrl-C, and under `nohup` a hang-up; what a test starts would inherit that."""
    waking = {signal.SIGINT: signal.default_int_handler}
    if sys.platform != "win32":
        waking[signal.SIGHUP] = signal.SIG_DFL
    ignored = [each for each in waking if signal.getsignal(each) == signal.SIG_IGN]
    for each in ignored:
        signal.signal(each, waking[each])
    yield
    for each in ignored:
        signal.signal(each, signal.SIG_IGN)


@contextmanager
def no_certificates(folder: str) -> Iterator[None]:
    """Reading the machine's certificates takes each new client a fortieth of a second, and loopback needs none."""
    patch = pytest.MonkeyPatch()
    patch.delenv("SSL_CERT_FILE", raising=False)
    patch.setenv("SSL_CERT_DIR", folder)
    yield
    patch.undo()


@contextmanager
def no_waiting_for_the_disk() -> Iterator[None]:
    """No test's machine loses power, and a log is synced at each fact: half of the time of some tests."""
    from eda.session import journal, log, store
    from eda.study import ledger

    patch = pytest.MonkeyPatch()
    for module in (log, journal, store, ledger):  # each has the name for itself
        patch.setattr(module, "sync", lambda descriptor: None)
    patch.setattr(os, "fsync", lambda descriptor: None)
    yield
    patch.undo()


@contextmanager
def readers_begin_warm() -> Iterator[None]:
    """A file is read by a process of its own, whose imports take most of its time: see `fresh_readers`."""
    if sys.platform == "win32":
        yield
        return
    import warm

    from eda.panels.documents import child

    patch = pytest.MonkeyPatch()
    patch.setattr(child, "subprocess", SimpleNamespace(**{**vars(subprocess), "run": warm.run}))
    yield
    patch.undo()


@pytest.fixture
def fresh_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file is read by a Python that has just begun, with what it may take of memory and time."""
    from eda.panels.documents import child

    monkeypatch.setattr(child, "subprocess", subprocess)


@contextmanager
def no_busy_thread() -> Iterator[None]:
    """A thread that a test left, and that never waits, takes half of the time of all tests that come after it."""
    yield
    worked = time.process_time()
    time.sleep(0.1)
    assert time.process_time() - worked < 0.05, f"a thread is busy after the last test: {threading.enumerate()}"


_TESTS = itertools.count()


@pytest.fixture(scope="session", autouse=True)
def no_profile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A folder for settings that holds none; what is made before the first test is kept there, too.

    All that holds for the whole session is one fixture: pytest looks up each anew for each of ten thousand tests.
    """
    folder = str(tmp_path_factory.mktemp("config"))
    os.environ["XDG_DATA_HOME"] = folder
    with (
        no_outside_network(),
        signals_are_heard(),
        no_certificates(folder),
        no_waiting_for_the_disk(),
        readers_begin_warm(),
        no_busy_thread(),
    ):
        yield folder


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch, no_profile: str):
    """No key, no profile on disk, no sessions folder of the person who runs the tests, nothing that a test left."""
    for name in _KEYS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("EDA_SESSIONS", "sessions")  # in the folder of the test, not the library
    monkeypatch.setenv("XDG_CONFIG_HOME", no_profile)
    monkeypatch.setenv("XDG_DATA_HOME", f"{no_profile}/{next(_TESTS)}")
    monkeypatch.setenv("EDA_ALLOW", "")
    assert "ANTHROPIC_API_KEY" not in os.environ


@pytest.fixture
def eda(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """The program in a folder of its own; it ends with `code`, and what it could not do it says in words."""
    from click.testing import CliRunner

    from eda.cli.program import cli

    monkeypatch.chdir(tmp_path)

    def run(*args: str, code: int | None = 0, **more: Any) -> Result:
        result = CliRunner().invoke(cli, args, prog_name="eda", **more)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert code in (None, result.exit_code), result.output
        assert "Traceback" not in result.output
        return result

    return run


@pytest.fixture(scope="session")
def server() -> Iterator[FakeServer]:
    from fake_chat import FakeServer

    with FakeServer() as fake:
        yield fake


@pytest.fixture
def fake(server: FakeServer) -> Iterator[FakeServer]:
    """A server of both APIs on loopback, with nothing scripted.

    Garbage waits until the test is over: collected in the server's thread, a stream of the client could be closed there
    while the client's own loop closes it, which Python reports as a generator that is already executing. What the test
    has made is young, as nothing was collected while it ran: older objects need no look.
    """
    server.play()
    gc.disable()
    yield server
    gc.enable()
    gc.collect(1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the sessions of one file of tests."""
    return tmp_path_factory.mktemp("sessions")
