"""A loss of power, simulated below the log: what was written and not synced is kept, lost or torn, in any order.

`make test-faults` runs it. One debate is recorded write by write; then the power fails after a random one of them. Of
each file what was synced is there; the length, and each sector of 512 bytes, is that of any moment since; a name that
was made or removed since its folder was synced may be as before. A case holds where no fact is lost that the bus had
announced as durable, no reply that was paid for, and where the debate, resumed, is the uninterrupted one.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from faulty import outcome

from eda import CallMade, Debate, Event, Session, Settings
from eda.errors import EdaError
from eda.session import journal, log, store

SECTOR = 512
KEPT = ("events.jsonl", "journal.jsonl")
"""The files that nothing else can be made of."""
PANEL = ("sceptic", "historian", "finance-director")
Step = tuple[Any, ...]
Row = tuple[str, int, list[str]]


class Recorder:
    """Notes what is done to the files of a folder, in order, in place of the functions of the system."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.steps: list[Step] = []
        self.real = {name: getattr(os, name) for name in ("open", "write", "ftruncate", "fsync", "fdatasync")}
        self.unlink = Path.unlink

    def name_of(self, descriptor: int) -> str | None:
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        if path == self.folder:
            return "."
        return path.name if self.ours(path) else None

    def ours(self, path: Path) -> bool:
        return path.parent == self.folder and path.name in KEPT

    def note(self, kind: str, name: str | None, *more: Any) -> None:
        if name is not None:
            self.steps.append((kind, name, *more))

    def open(self, path: Any, *args: Any, **more: Any) -> int:
        new = self.ours(Path(path)) and not Path(path).exists()
        descriptor: int = self.real["open"](path, *args, **more)
        self.note("made", Path(path).name if new else None)
        return descriptor

    def write(self, descriptor: int, data: Any) -> int:
        name = self.name_of(descriptor)
        at, done = os.fstat(descriptor).st_size if name else 0, self.real["write"](descriptor, data)
        self.note("write", name, at, bytes(data[:done]))
        return int(done)

    def ftruncate(self, descriptor: int, size: int) -> None:
        self.real["ftruncate"](descriptor, size)
        self.note("cut", self.name_of(descriptor), size)

    def sync(self, descriptor: int) -> None:
        self.note("sync", self.name_of(descriptor))

    def remove(self, path: Path, missing_ok: bool = False) -> None:
        there = path.exists()
        self.unlink(path, missing_ok=missing_ok)
        self.note("gone", path.name if there and self.ours(path) else None)


@contextmanager
def recorded(folder: Path) -> Iterator[list[Step]]:
    """Record what is done to the files of a folder, in order, while the context is open."""
    recorder, patch = Recorder(folder), pytest.MonkeyPatch()
    for name in ("open", "write", "ftruncate"):
        patch.setattr(os, name, getattr(recorder, name))
    for where, name in ((os, "fsync"), (os, "fdatasync"), (log, "sync"), (journal, "sync"), (store, "sync")):
        patch.setattr(where, name, recorder.sync)
    patch.setattr(Path, "unlink", lambda path, missing_ok=False: recorder.remove(path, missing_ok))
    try:
        yield recorder.steps
    finally:
        patch.undo()


def debated(session: Session, steps: list[Step] | None = None) -> None:
    """Hold the debate, or go on with it; what is durable once it is announced, and each reply, is noted in `steps`."""
    if session.log.last_seq:
        debate = Debate.resume(session)
    else:
        chosen = Settings(max_messages=13, summary_every=4)
        debate = Debate("Shall we go?", PANEL, options=("Go", "Wait"), settings=chosen, seed=5, session=session)
    if steps is not None:
        debate.on(Event)(lambda fact: steps.append(("told", fact.seq)) if fact.stored and fact.durable else None)
        add = session.journal.add

        async def added(row: Any) -> None:
            await add(row)
            steps.append(("paid", (row["purpose"], row["agent"], row["nth"])))

        session.journal.add = added  # type: ignore[method-assign]
    debate.run_sync()


def left(steps: list[Step], draw: random.Random) -> dict[str, bytes]:
    """Return what each file holds after these steps and a loss of power."""
    held: dict[str, list[bytes]] = {}  # as the last sync left it, and after each step since
    names: set[str] = set()  # as the folder has them for sure
    changed: set[str] = set()
    for kind, name, *given in steps:
        if kind == "made":
            held[name] = [b""]
        elif kind == "write":
            held[name].append(held[name][-1][: given[0]] + given[1])
        elif kind == "cut":
            held[name].append(held[name][-1][: given[0]])
        elif (kind, name) == ("sync", "."):
            names, changed = names ^ changed, set()
        elif kind == "sync":
            del held[name][:-1]
        changed ^= {name} if kind in ("made", "gone") else set()
    there = names ^ {name for name in changed if draw.random() < 0.5}
    return {name: _torn(held[name], draw) for name in there}


def _torn(versions: list[bytes], draw: random.Random) -> bytes:
    """Return a file whose length, and each sector, is that of some version; what a sector lacks reads as zeros."""
    size = len(draw.choice(versions))
    sectors = (draw.choice(versions)[at : at + SECTOR].ljust(SECTOR, b"\0") for at in range(0, size, SECTOR))
    return b"".join(sectors)[:size]


def fault(folder: Path, steps: list[Step], expected: Any, known: dict[tuple[int, bytes], str]) -> str:
    """Return what did not hold of a session after a loss of power; an empty text where all did."""
    told = max((seq for kind, seq, *_ in steps if kind == "told"), default=0)
    paid = {name for kind, name, *_ in steps if kind == "paid"}
    try:
        begun = (folder / KEPT[0]).exists() and (folder / KEPT[0]).stat().st_size
        with Session.open(folder) if begun else Session.create(folder.name, folder.parent) as session:
            if session.log.last_seq < told:
                return f"{told} facts were announced, {session.log.last_seq} are there"
            facts = list(session.events())
            made = {(fact.purpose, fact.agent, fact.nth) for fact in facts if isinstance(fact, CallMade)}
            if lost := paid - made - session.journal.waiting.keys():
                return f"replies are lost: {sorted(lost)[:3]}"
            state = len(facts), repr(sorted(session.journal.waiting)).encode()
            if state not in known:
                if not any(fact.type == "session_ended" for fact in facts):
                    debated(session)
                known[state] = "" if outcome(session) == expected else "what was resumed is another debate"
            return known[state]
    except EdaError as error:
        return str(error)


def losses(folder: Path, cases: int) -> Row:
    """Cut the power so many times, each after a random step of one debate."""
    whole = folder / "whole"
    with recorded(whole) as steps, Session.create("whole", folder) as session:
        debated(session, steps)
        expected = outcome(session)
    draw, wrong, known = random.Random(4), list[str](), dict[tuple[int, bytes], str]()
    for case in range(cases):
        upto = steps[: draw.randrange(len(steps) + 1)]
        broken = folder / f"power-{case}"
        broken.mkdir()
        for name, content in left(upto, draw).items():
            (broken / name).write_bytes(content)
        wrong.append(fault(broken, upto, expected, known))
        shutil.rmtree(broken, ignore_errors=True)
    return "the power fails: unsynced writes are kept, lost or torn in any order", cases, wrong


def main(cases: int) -> int:
    """Print the row of the table; return 1 where a case did not hold."""
    with tempfile.TemporaryDirectory() as folder:
        what, tried, wrong = losses(Path(folder).resolve(), cases)
    reasons = [reason for reason in wrong if reason]
    print(f"| {what} | {tried:,} | {tried - len(reasons):,} |")
    print("\n".join(reasons[:40]))
    return bool(reasons)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 3_000))
