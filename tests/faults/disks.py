"""Kills, cuts, flipped bytes and refusing disks, each many times over: `make test-faults`.

It prints a table for benchmarks/RESULTS.md, and ends with 1 where a case did not hold. A case holds where nothing that
was acknowledged is lost, and where the debate, resumed, has the speakers, texts and votes of the uninterrupted one.
A debate runs in a process of its own, forked from this one. Disk errors come from a library that gcc makes; without
gcc that row is left out.
"""

from __future__ import annotations

import ctypes
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from faulty import outcome

from eda import Debate, Event, Session, Settings
from eda.debate.replay import memory_of
from eda.errors import EdaError, LogDamagedError

KILLS, FLIPS, DAMAGES = 300, 1_200, 400
TAIL = 20_000
"""Bytes of the log's end, each of which it is cut before."""
PANEL = ("sceptic", "historian", "finance-director")
Row = tuple[str, int, list[str]]

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
static long left = -1, seen = 0;
void fault_at(long n) { left = n; seen = 0; }
long fault_seen(void) { return seen; }
static int refused(int fd) {
    struct stat s;
    if (left < 0 || fstat(fd, &s) || !S_ISREG(s.st_mode)) return 0;
    seen++;
    if (seen < left || left == 0) return 0;
    errno = EIO;
    return 1;
}
ssize_t write(int fd, const void *b, size_t n) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = dlsym(RTLD_NEXT, "write");
    return refused(fd) ? -1 : real(fd, b, n);
}
int fdatasync(int fd) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
    return refused(fd) ? -1 : real(fd);
}
int fsync(int fd) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fsync");
    return refused(fd) ? -1 : real(fd);
}
"""
"""Has each write and sync of a regular file fail from the n-th on; 0 only counts them."""


def run(session: Session, told: int | None = None) -> None:
    """Run the debate, or go on with it; each fact that the bus announced is acknowledged through the pipe `told`."""
    if session.log.last_seq:
        debate = Debate.resume(session)
    else:
        chosen = Settings(max_messages=13, summary_every=4)
        debate = Debate("Shall we go?", PANEL, options=("Go", "Wait"), settings=chosen, seed=5, session=session)
    if told is not None:
        debate.on(Event)(lambda event: event.stored and os.write(told, b"%d\n" % event.seq))
    debate.run_sync()


def apart(folder: Path, before: Callable[[], object] = lambda: None, kill_after: float | None = None) -> int:
    """Run the debate in a process of its own, which calls `before` first; return the last fact that it acknowledged."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        try:
            with Session.create(folder.name, folder.parent) as session:
                before()
                run(session, theirs)
        except EdaError:
            pass
        finally:
            os._exit(0)
    os.close(theirs)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(child, signal.SIGKILL)
    with os.fdopen(ours, "rb") as acknowledged:
        lines = acknowledged.read().splitlines()
    os.waitpid(child, 0)
    return int(lines[-1]) if lines else 0


def resumed(folder: Path, acknowledged: int, expected: Any) -> str:
    """Resume the session, or begin it where nothing was stored; return what did not hold, or an empty text."""
    try:
        begun = (folder / "events.jsonl").exists() and (folder / "events.jsonl").stat().st_size
        with Session.open(folder) if begun else Session.create(folder.name, folder.parent) as session:
            if session.log.last_seq < acknowledged:
                return f"{acknowledged} facts were acknowledged, {session.log.last_seq} are there"
            if not any(event.type == "session_ended" for event in session.events()):
                run(session)
            return "" if outcome(session) == expected else "what was resumed is another debate"
    except EdaError as error:
        return str(error)


def kills(folder: Path, expected: Any, lasts: float) -> Row:
    draw, wrong = random.Random(1), []
    for case in range(KILLS):
        session = folder / f"kill-{case}"
        wrong.append(resumed(session, apart(session, kill_after=draw.uniform(0, lasts)), expected))
    return f"kill -9 at a random moment of {lasts:.1f} s", KILLS, wrong


def cuts(folder: Path, whole: Path, expected: Any) -> Row:
    """Cut before each of the last bytes. What opening leaves is resumed once for each number of facts."""
    content = (whole / "events.jsonl").read_bytes()
    lines = content.splitlines(keepends=True)
    tried, wrong, known = range(max(0, len(content) - TAIL), len(content)), [], dict[int, str]()
    for size in tried:
        session = folder / "cut"
        shutil.rmtree(session, ignore_errors=True)
        session.mkdir()
        (session / "events.jsonl").write_bytes(content[:size])
        try:
            with Session.open(session) as opened:
                kept = opened.log.last_seq
        except EdaError as error:
            wrong.append(f"cut before byte {size}: {error}")
            continue
        if (session / "events.jsonl").read_bytes() != b"".join(lines[:kept]):
            wrong.append(f"cut before byte {size}: what is left is not a beginning of the log")
        elif kept not in known:
            known[kept] = resumed(session, 0, expected)
        wrong.append(known.get(kept, ""))
    return f"cut before each of the last {len(tried):,} bytes", len(tried), wrong


def flips(folder: Path, whole: Path) -> Row:
    """A flipped bit is named, and nothing is changed; at the very end it may count as an unfinished write."""
    content, draw, wrong = (whole / "events.jsonl").read_bytes(), random.Random(2), []
    lines = content.splitlines(keepends=True)
    session = folder / "flip"
    session.mkdir()
    for _ in range(FLIPS):
        place = draw.randrange(len(content))
        flipped = bytearray(content)
        flipped[place] ^= 1 << draw.randrange(8)
        (session / "events.jsonl").write_bytes(flipped)
        try:
            with Session.open(session) as opened:
                kept = opened.log.last_seq
            same = (session / "events.jsonl").read_bytes() == b"".join(lines[:kept]) and place >= len(
                b"".join(lines[:kept])
            )
            wrong.append("" if same else f"byte {place} was flipped, and nobody noticed")
        except LogDamagedError as error:
            named = f"line {content[:place].count(10) + 1}:" in str(error)
            untouched = (session / "events.jsonl").read_bytes() == flipped
            wrong.append("" if named and untouched else f"byte {place}: {error}")
        except EdaError as error:  # the number of the schema itself
            wrong.append("" if (session / "events.jsonl").read_bytes() == flipped else f"byte {place}: {error}")
    return "a flipped bit of the log", FLIPS, wrong


def damages(folder: Path, whole: Path) -> Row:
    """Whatever is in the saved memory, memory and what it finds are those of the log."""
    with Session.read(whole) as session:
        memory = memory_of(session)
        expected = memory.to_json(), memory.recall("the risk of waiting")
    draw, wrong = random.Random(3), []
    for case in range(DAMAGES):
        session = folder / f"damage-{case}"
        shutil.copytree(whole, session)
        path = session / "memory.json"
        content = bytearray(path.read_bytes())
        place = draw.randrange(len(content))
        if case % 2:
            content[place] ^= 1 << draw.randrange(8)
        else:
            del content[place:]
        path.write_bytes(content)
        with Session.read(session) as opened:
            memory = memory_of(opened)
            same = (memory.to_json(), memory.recall("the risk of waiting")) == expected
        wrong.append("" if same else f"{path.name}, byte {place}: memory is not that of the log")
        shutil.rmtree(session)
    return "memory.json flipped or cut", DAMAGES, wrong


def full_disks(folder: Path, whole: Path, expected: Any) -> Row:
    """No file may grow beyond a size: each line of the log once does not fit at all, once by half."""
    lines, size, sizes = (whole / "events.jsonl").read_bytes().splitlines(keepends=True), 0, []
    for line in lines:
        sizes += [size, size + len(line) // 2]
        size += len(line)
    hard, wrong = resource.getrlimit(resource.RLIMIT_FSIZE)[1], []
    for most in sizes:
        session = folder / f"full-{most}"
        told = apart(session, lambda most=most: resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard)))
        wrong.append(resumed(session, told, expected))
    return "the disk is full (ENOSPC) at each line", len(sizes), wrong


def broken_disks(folder: Path, expected: Any) -> Row:
    """Each write and sync fails from the n-th on, for every n."""
    shim = ctypes.CDLL(None)
    ours, theirs = os.pipe()

    def counted(session: Path) -> int:
        if os.fork() == 0:
            with Session.create(session.name, session.parent) as opened:
                shim.fault_at(0)
                run(opened)
            os.write(theirs, b"%d" % shim.fault_seen())
            os._exit(0)
        os.wait()
        return int(os.read(ours, 99))

    calls, wrong = counted(folder / "eio"), []
    for n in range(1, calls + 1):
        session = folder / f"eio-{n}"
        wrong.append(resumed(session, apart(session, lambda n=n: shim.fault_at(n)), expected))
    return "the disk fails (EIO) at each write and sync", calls, wrong


def rows(folder: Path) -> Iterator[Row]:
    """Yield what was tried, how often, and a text for each case: empty where it held."""
    began = time.monotonic()
    apart(folder / "whole")
    lasts = time.monotonic() - began
    with Session.read(folder / "whole") as session:
        expected = outcome(session)
    yield kills(folder, expected, lasts)
    yield cuts(folder, folder / "whole", expected)
    yield flips(folder, folder / "whole")
    yield damages(folder, folder / "whole")
    yield full_disks(folder, folder / "whole", expected)
    if "LD_PRELOAD" in os.environ:
        yield broken_disks(folder, expected)


def with_shim(folder: Path) -> None:
    """Begin this program anew with the library that refuses writes, where gcc can make it."""
    if "LD_PRELOAD" in os.environ or shutil.which("gcc") is None:
        return
    library = folder / "shim.so"
    made = subprocess.run(
        ["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(library), "-ldl"], input=SHIM, text=True, check=False
    )
    if made.returncode == 0:
        done = subprocess.run([sys.executable, __file__], env={**os.environ, "LD_PRELOAD": str(library)}, check=False)
        sys.exit(done.returncode)


def main() -> int:
    """Print the table; return 1 where a case did not hold."""
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        with_shim(Path(folder))
        print("| what happens | tried | held |\n|---|---|---|")
        for what, tried, wrong in rows(Path(folder)):
            reasons = [reason for reason in wrong if reason]
            print(f"| {what} | {tried:,} | {tried - len(reasons):,} |", flush=True)
            missed += [f"{what}: {reason}" for reason in reasons]
        if "LD_PRELOAD" not in os.environ:
            print("\nThere is no gcc: errors of the disk (EIO) were left out.")
    print("\n".join(missed[:40]))
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
