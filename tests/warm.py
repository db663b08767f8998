"""Programs that begin warm: forked from a process that has imported EDA, for tests that do not ask how it is imported.

To import takes most of the time of a program that a test runs. A fork of a parent that did it once does the same in a
hundredth of a second: it has its own arguments, folder, environment, streams and signals, and ends as Python ends.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import io
import json
import os
import signal
import socket
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

__all__ = ["PROGRAM", "READER", "Ending", "Parent", "Popen", "code_of", "debated", "run", "takes_terminal"]

_BEGIN = "from warm import Ending, code_of\nwith Ending():\n    exec(code_of(), globals())"
_READ_AT_START = ("PYTHON", "LC_", "LANG")
"""Variables that Python reads once, when it begins."""
_WIDTH = 10
"""Bytes of an id, and of how a program ended: it may have ended before anybody has read its id."""


class Parent:
    """A process that did some work beforehand, and forks itself for each program that is asked of it."""

    def __init__(self, work: str, *, flags: Sequence[str] = (), env: Mapping[str, str] | None = None) -> None:
        self._work = work
        self._flags = flags
        self._env = env
        self._asked: socket.socket | None = None
        self._lock = threading.Lock()
        self.variables: dict[str, str] = {}

    def ask(self, streams: Sequence[int], asked: Mapping[str, Any]) -> tuple[socket.socket, int]:
        """Begin a program on these streams; return the socket on which its end is told, and its id."""
        with self._lock:
            if self._asked is None:
                self._begin()
            ours, theirs = socket.socketpair()
            with theirs:
                socket.send_fds(self._asked, [b"."], [theirs.fileno(), *streams])
        ours.sendall(json.dumps(asked).encode())
        ours.shutdown(socket.SHUT_WR)
        return ours, int(ours.recv(_WIDTH))

    def suits(self, env: Mapping[str, str]) -> bool:
        """Return whether a program in that environment would begin as this process did."""
        with self._lock:
            if self._asked is None:
                self._begin()
        return self.variables == _read_at_start(env)

    def _begin(self) -> None:
        """Start it; it ends when this process does."""
        env = dict(os.environ if self._env is None else self._env)
        self.variables = _read_at_start(env)
        self._asked, theirs = socket.socketpair()
        script = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); {_BEGIN}"
        command = [sys.executable, *self._flags, "-c", script, str(theirs.fileno()), self._work]
        with theirs:
            process = subprocess.Popen(command, env=env, pass_fds=[theirs.fileno()])
        atexit.register(self._end, process)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        assert self._asked is not None
        self._asked.close()
        process.wait()


def _read_at_start(env: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value for name, value in env.items() if name.startswith(_READ_AT_START) and name != "PYTHONUNBUFFERED"
    }


class Ending:
    """Ends a program that has come to its end as Python does, but leaves the memory of the process to the system.

    Python looks at each object once more when it ends, which copies all pages that the process shares with its parent:
    most of what a short program takes. What fails, or is interrupted, ends by Python itself.
    """

    def __enter__(self) -> None:
        """There is nothing to do before the end."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        code = error.code or 0 if isinstance(error, SystemExit) else 0
        if kind not in (None, SystemExit) or not isinstance(code, int):
            return
        threading._shutdown()  # type: ignore[attr-defined] # waits for threads
        atexit._run_exitfuncs()
        gc.collect()  # what complains when it is collected is heard
        with suppress(Exception):  # a reader that has gone, or a stream that was closed: Python says so
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code & 0xFF)


def takes_terminal() -> None:
    """Make the standard input the terminal of this session of processes: what is typed there are its signals."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Popen(subprocess.Popen[bytes]):
    """A program of Python's `-c`, forked from a parent; a fresh process where it would begin otherwise than that."""

    def __init__(self, parent: Parent, command: Sequence[str], *, fresh: bool = False, **given: Any) -> None:
        env = os.environ if given.get("env") is None else given["env"]
        known = {"stdin", "stdout", "stderr", "env", "cwd", "bufsize", "start_new_session", "preexec_fn", "text"}
        before = given.get("preexec_fn")
        fresh = fresh or bool(given.keys() - known) or before not in (None, takes_terminal) or not parent.suits(env)
        self._parent = None if fresh else parent
        self._told: socket.socket | None = None
        super().__init__(command, **given)

    def _execute_child(self, args: Any, executable: Any, preexec_fn: Any, *more: Any) -> None:
        if self._parent is None:
            super()._execute_child(args, executable, preexec_fn, *more)
            return
        cwd, env, ends, session = more[2], more[3], more[7:13], more[18]
        asked = {
            "code": args[args.index("-c") + 1],
            "args": args[args.index("-c") + 2 :],
            "env": dict(os.environ if env is None else env),
            "cwd": os.fspath(cwd or Path.cwd()),
            "session": bool(session),
            "terminal": preexec_fn is takes_terminal,
        }
        streams = [own if given == -1 else given for own, given in enumerate((ends[0], ends[3], ends[5]))]
        try:
            self._told, self.pid = self._parent.ask(streams, asked)
        finally:
            self._close_pipe_fds(*ends)
        self._child_created = True

    def _internal_poll(self, *args: Any, **given: Any) -> int | None:
        if self._parent is None:
            return super()._internal_poll(*args, **given)
        with suppress(subprocess.TimeoutExpired):
            self._wait(0)
        return self.returncode

    def _wait(self, timeout: float | None) -> int:
        if self._parent is None:
            return super()._wait(timeout)
        if self.returncode is None and self._told is not None:
            self._told.settimeout(timeout)
            try:
                told = self._told.recv(_WIDTH)
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired(self.args, timeout or 0) from None
            self._told.close()
            self.returncode = os.waitstatus_to_exitcode(int(told))
        return self.returncode


def code_of() -> Any:
    """Do the work and wait, as the parent; return the code of a program in the process that is forked for it."""
    with socket.socket(fileno=int(sys.argv[1])) as asked:
        exec(sys.argv[2], {})  # noqa: S102 - it is written below
        del sys.path[0]
        assert threading.active_count() == 1, "only a process of one thread can be forked"
        gc.collect()
        gc.freeze()
        return _forked(asked)


def _forked(control: socket.socket) -> Any:
    """Fork at each request, and tell of each end, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    running: dict[int, socket.socket] = {}

    def reap(*_: Any) -> None:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                with running.pop(ended[0]) as told, suppress(OSError):
                    told.sendall(b"%*d" % (_WIDTH, ended[1]))

    signal.signal(signal.SIGCHLD, reap)
    while True:
        _, (first, *streams), _, _ = received if (received := socket.recv_fds(control, 1, 4))[1] else sys.exit()
        told = socket.socket(fileno=first)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        if not (process := os.fork()):
            break
        running[process] = told
        told.sendall(b"%*d" % (_WIDTH, process))
        for each in streams:
            os.close(each)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    for each in running.values():
        each.close()
    with told, told.makefile("rb") as request:
        return _begun(json.loads(request.read()), streams)


def _begun(asked: Mapping[str, Any], streams: Sequence[int]) -> Any:
    """Make this process the program that was asked for; return its code."""
    if asked["session"]:
        os.setsid()
    for own, given in enumerate(streams):
        os.dup2(given, own)
        os.close(given)
    if asked["terminal"]:
        takes_terminal()
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["env"])
    time.tzset()
    sys.argv = ["-c", *asked["args"]]
    unbuffered = bool(os.environ.get("PYTHONUNBUFFERED"))
    sys.stdin = sys.__stdin__ = _stream(sys.stdin, "rb", unbuffered)
    sys.stdout = sys.__stdout__ = _stream(sys.stdout, "wb", unbuffered)
    sys.stderr = sys.__stderr__ = _stream(sys.stderr, "wb", unbuffered)
    return compile(asked["code"], "<string>", "exec")


def _stream(like: io.TextIOWrapper, mode: str, unbuffered: bool) -> io.TextIOWrapper:
    """Return a standard stream as Python makes it."""
    number = like.fileno()
    at_once = unbuffered and mode == "wb"
    binary: Any = open(number, mode, buffering=0 if at_once else -1, closefd=False)  # noqa: SIM115 - it stays open
    (binary if at_once else binary.raw).name = like.name
    lines = not unbuffered and mode == "wb" and (number == 2 or os.isatty(number))
    made = io.TextIOWrapper(binary, like.encoding, like.errors, "\n", line_buffering=lines, write_through=unbuffered)
    made.mode = mode[0]
    return made


def debated() -> None:
    """Hold a debate and show it: what that imports, reads and compiles is there for all programs."""
    from click.testing import CliRunner

    from eda.cli.program import cli

    with TemporaryDirectory() as folder:
        where = ("--session", "one", "--sessions", folder)
        debate = ("debate", "Ship it?", "--option", "Yes", "--option", "No", "--max-messages", "6", "--quiet", *where)
        for args in (debate, ("show", "one", "--sessions", folder), ("sessions", folder), ("study", "--help")):
            done = CliRunner().invoke(cli, args, prog_name="eda", env={"EDA_RUNNER": "simulated"})
            assert not done.exit_code, done.output


def read() -> None:
    """Read a transcript and documents: what the first imports, compiles and looks for is there for the others."""
    from paper import pdf, word

    from eda.errors import InputError
    from eda.panels.documents import read as documents
    from eda.panels.files import UserFile
    from eda.transcripts import read as transcripts

    def named(name: str) -> UserFile:
        return UserFile(Path(name), InputError)

    rows = b'{"speaker": "Ada", "text": "I agree."}'
    transcripts.answer(named("a.jsonl"), {"kind": None, "columns": {}, "skip_bad": False}, rows)
    page = b"<html><body><h1>Costs</h1><p>A ferry takes 12.</p></body></html>"
    for name, raw in (("a.pdf", pdf([["A ferry"]])), ("a.docx", word([(0, "A ferry")])), ("a.html", page)):
        documents.answer(named(name), [name, Path(name).suffix], raw)


PROGRAM = Parent("from warm import debated; debated()")
READER = Parent(
    f"import sys; sys.path[:] = {sys.path!r}\nfrom warm import read; read()",
    flags=("-P", "-X", "utf8"),
    env={},
)


def run(
    command: Sequence[str],
    *,
    parent: Parent = READER,
    input: bytes | None = None,  # noqa: A002 - as `subprocess.run` has it
    timeout: float,
    check: bool = False,
    **given: Any,
) -> subprocess.CompletedProcess[bytes]:
    """What `subprocess.run` does, by a program that begins warm."""
    if input is not None:
        given["stdin"] = subprocess.PIPE
    with Popen(parent, command, **given) as process:
        try:
            out, errors = process.communicate(input, timeout=timeout)
        finally:
            process.kill()
    done = subprocess.CompletedProcess(command, process.returncode, out, errors)
    if check:
        done.check_returncode()
    return done
