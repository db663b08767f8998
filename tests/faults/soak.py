"""Debates one after the other for hours in one process: nothing may grow, and each must be whole: `make soak HOURS=24`.

Each debate is stopped once, resumed, verified, reported on, recalled from and deleted. Once in five minutes, and at the
end, a line tells of the debates so far, of what the process holds, and of how long a debate took of late. It ends with
1 where something failed or grew.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from careless_panel import CarelessRunner

from eda import Debate, MessagePosted, Session, Settings
from eda.debate.replay import read_back
from eda.panels.agenda import agenda_names
from eda.report.write import write_report
from eda.runners.simulated.runner import SimulatedRunner
from eda.session import folders
from eda.session.chain import check

EVERY = 300.0
"""Seconds between two lines."""
WARM = 0.2
"""Share of the time after which nothing may grow any more."""
GROWTH = 15
"""Megabytes that it may."""
PANELS = (("sceptic", "historian", "finance-director"), "product-decision", "public-policy")


def held() -> dict[str, int]:
    """Return the megabytes, open files and threads of this process."""
    gc.collect()
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return {"mb": resident >> 20, "files": len(os.listdir("/proc/self/fd")), "threads": threading.active_count()}  # noqa: PTH208


def debated(number: int, folder: Path) -> int:
    """Hold a debate in two runs, look at it in all ways, and delete it; return its messages."""
    name, formats = f"d{number}", agenda_names()
    runner = CarelessRunner() if number % 2 else SimulatedRunner()
    settings = Settings(max_messages=8 + number % 17, summary_every=6)
    with Session.create(name, folder) as session:
        debate = Debate(
            "Should we move the billing service?",
            PANELS[number % len(PANELS)],
            runner,
            agenda=formats[number % len(formats)],
            options=("Move it", "Wait"),
            settings=settings,
            seed=number,
            session=session,
        )
        debate.on(MessagePosted)(lambda said: debate.stop() if said.number == 4 else None)
        debate.run_sync()
    with Session.open(folder / name) as session:
        Debate.resume(session, runner).run_sync()
        asyncio.run(write_report(session))
        progress, memory = read_back(session)
        memory.recall("the risk of waiting")
        lines = (folder / name / "events.jsonl").read_bytes().splitlines(keepends=True)
        if check(lines).state != "whole" or progress.ended is None or progress.messages < 4:
            raise AssertionError(f"debate {number} is not whole")
    folders.delete(name, folder)
    return progress.messages


def rows(hours: float, folder: Path) -> Iterator[dict[str, float]]:
    """Yield what there is to tell, now and then and at the end."""
    began = told = time.monotonic()
    debates = messages = failed = of_late = 0
    while (now := time.monotonic()) - began < hours * 3600 or not debates:
        try:
            messages += debated(debates, folder)
        except Exception as error:  # noqa: BLE001 - it is told, and the next debate is held
            failed += 1
            print(f"debate {debates}: {error!r}", file=sys.stderr)
        debates, of_late = debates + 1, of_late + 1
        over = time.monotonic() - began >= hours * 3600
        if over or now - told >= min(EVERY, hours * 360):
            took = (time.monotonic() - told) / of_late
            row = {"hours": round((now - began) / 3600, 3), "debates": debates, "messages": messages, "failed": failed}
            yield {**row, "seconds": round(took, 3), **held()}
            told, of_late = now, 0


def main(hours: float) -> int:
    """Print a line now and then; return 1 where something failed or grew."""
    told = []
    with tempfile.TemporaryDirectory() as folder:
        for row in rows(hours, Path(folder)):
            print(json.dumps(row), flush=True)
            told.append(row)
    warm = next(row for row in told if row["hours"] >= WARM * told[-1]["hours"])
    last = told[-1]
    grew = {key: last[key] - warm[key] for key in ("mb", "files", "threads")}
    print(json.dumps({"grew": grew}))
    return bool(last["failed"] or grew["mb"] > GROWTH or grew["files"] > 0 or grew["threads"] > 0)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if sys.argv[1:] else 24.0))
