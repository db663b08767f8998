"""What `eda serve` keeps of debates that have ended: the memory of its process before and after 150 of them.

`make test-faults` runs it. Each debate is begun at the page's address, a page looks on until it has ended, and its
report and its table are opened. A row has the megabytes before the first debate, after a tenth of them, and after the
last.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
from served import BEARER, get, post, serving

GREW = 15
"""Megabytes that the process may grow once the first debates have loaded what all need."""
_WATCHED = 6
"""Debates that run at once, which is more than the server keeps of those that have ended."""


def of_parent(pid: int) -> Iterator[int]:
    """Yield the processes that this one has started."""
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has ended
            continue
        if parent == pid:
            yield int(status.parent.name)


def resident(pid: int) -> float:
    """Return the megabytes that a process holds in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


@contextmanager
def watched(folder: Path) -> Iterator[tuple[str, int]]:
    """Run the server; yield its address and its process."""
    before = {*of_parent(os.getpid())}
    with serving(folder) as url:
        (pid,) = {*of_parent(os.getpid())} - before
        yield url.rstrip("/"), pid


def seen_to_end(url: str, name: str) -> int:
    """Look on as a page does until a debate has ended, and at what it decided; return how many lines came."""
    lines = 0
    with httpx2.stream("GET", f"{url}/s/{name}/events", headers=BEARER, timeout=120) as answer:
        for line in answer.iter_lines():
            lines += line.startswith("data: ")
            if line.startswith("data: ") and json.loads(line.removeprefix("data: ")).get("state") == "ended":
                break
    for page in ("", "/report", "/at/3"):
        assert get(f"{url}/s/{name}{page}").status_code == 200
    return lines


def held(debates: int, messages: int, folder: Path) -> list[float]:
    """Return what the server holds before the first debate, after a tenth of them, and after the last."""
    with watched(folder) as (url, pid):
        get(f"{url}/")
        told = [resident(pid)]
        waiting: list[str] = []
        for number in range(debates):
            asked = {"question": f"Shall we take road {number}?", "options": "Yes\nNo", "max_messages": messages}
            waiting.append(post(url, "/new", asked).json()["session"])
            if len(waiting) == _WATCHED or number in (debates // 10, debates - 1):
                for name in waiting:
                    assert seen_to_end(url, name)
                waiting.clear()
            if number in (debates // 10, debates - 1):
                told.append(resident(pid))
    return told


def main(debates: int, messages: int = 20) -> int:
    """Print the row of the table; return 1 where the process grew by more than it may."""
    with tempfile.TemporaryDirectory() as folder:
        first, warm, last = held(debates, messages, Path(folder))
    print(f"| {debates} debates of {messages} messages, ended in one server | {first:.1f} MB | {warm:.1f} MB after"
          f" {debates // 10 + 1} | {last:.1f} MB | +{last - first:.1f} MB | +{last - warm:.1f} MB |")  # fmt: skip
    return last - warm > GREW


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:] or ["150"])))
