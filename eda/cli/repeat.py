"""`eda debate --repeat N`: the same debate with N seeds, a session and a row each."""

from __future__ import annotations

import sys
from typing import Any

from eda.cli import STOPPED, interruptible
from eda.cli.common import note, print_json
from eda.cli.running import advice, run
from eda.cli.start import Order
from eda.session import Session, as_typed
from eda.view.data import run_row

__all__ = ["repeat"]


def repeat(order: Order, times: int, *, as_json: bool) -> int:
    """Run them one after the other; gives the exit code."""
    order.check()
    rows: list[dict[str, Any]] = []
    stopped = False
    seeds = range(order.seed, order.seed + times)
    names = order.names([f"-s{seed}" for seed in seeds])
    interruptible()
    for seed, name in zip(seeds, names, strict=True):
        with Session.create(name, order.folder) as session:
            debate = order.debate(session, seed)
            sitting = order.sitting(debate, seed)
            if not rows:
                advice(order.runner, order.spec, sitting)
            stopped = run(debate, sitting, silent=True, report=False) is None
            if stopped and debate.progress.started is None:
                break
            rows.append(run_row(seed, debate.progress, debate.memory, session.name))
            if sys.stderr.isatty():
                note(f"{len(rows)}/{times} {session.name}")
        if stopped:
            break
    if as_json:
        print_json({"runs": rows})
    else:
        from eda.view.style import console_for
        from eda.view.tables import print_runs

        print_runs(rows, console_for())
    if stopped and rows:
        note(f"stopped; go on with: eda resume {as_typed(order.folder / rows[-1]['session'])}")
    return STOPPED if stopped else 0
