"""What the chain of a log and its receipt cost: their share of the processor time of a debate.

`make test-faults` runs it. Debates of the simulated panel, in which no model takes time: of a debate that asks one, the
share is smaller still. The time within the functions that hash is the thread's own, so what else runs on the machine
counts little, and measuring it counts as hashing. The receipt is written once, after the debate.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from eda import Debate, Session, Settings
from eda.report.verify import seal
from eda.report.write import write_report
from eda.session import log, schema

MOST = 0.02
"""Share of a debate's processor time that the chain may take."""


@contextmanager
def timed() -> Iterator[list[float]]:
    """Note the seconds of each call that makes a hash of the chain, or reads the one that comes before."""
    took, patch = list[float](), pytest.MonkeyPatch()

    def around(function: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*args: Any) -> Any:
            began = time.thread_time()
            try:
                return function(*args)
            finally:
                took.append(time.thread_time() - began)

        return noted

    patch.setattr(schema, "link", around(schema.link))
    patch.setattr(log.JsonlLog, "head", around(log.JsonlLog.head))
    try:
        yield took
    finally:
        patch.undo()


async def shares(number: int, messages: int, folder: Path) -> tuple[float, float, float]:
    """Hold a debate; return its processor time, the share of the chain in it, and that of its receipt beside it."""
    settings = Settings(max_messages=messages)
    with Session.create(f"d{number}", folder) as session, timed() as took:
        debate = Debate(
            "Shall we go?", "product-decision", options=("Go", "Wait"), settings=settings, seed=number, session=session
        )
        began = time.process_time()
        await debate.run()
        await write_report(session)
        whole, chained = time.process_time() - began, sum(took)
        began = time.process_time()
        seal(session)
        sealed = time.process_time() - began
    return whole, chained / whole, sealed / whole


async def medians(debates: int, messages: int) -> tuple[float, ...]:
    """Return the medians of so many debates, of which the first is not counted; see `shares`."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [await shares(number, messages, Path(folder)) for number in range(debates + 1)]
    return tuple(map(statistics.median, zip(*rows[1:], strict=True)))


def main(debates: int = 20, messages: int = 60) -> int:
    """Print the row of the table; return 1 where the chain takes more than it may."""
    whole, chained, sealed = asyncio.run(medians(debates, messages))
    print(f"| chain, and receipt, of a debate of {messages} messages, median of {debates} | {whole:.2f} s |"
          f" {chained:.2%} | {sealed:.2%} |")  # fmt: skip
    return chained > MOST


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
