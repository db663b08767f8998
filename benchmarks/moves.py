"""Traces the way of a message from the reply to memory: files of `eda/` entered, calls, moves between files.

`house.py` runs it on the package as it is and on an older one: `python benchmarks/moves.py FOLDER`, where `FOLDER`
holds `eda/`. The panel is simulated and says twelve messages. A message's way begins when the runner has replied, and
ends when the bus announces the message, which memory holds by then. Openings are replied to side by side and announced
together: the way of the first of them is counted, and the others have none of their own.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import mean
from types import FrameType
from typing import Any

MESSAGES = 12


def main() -> None:
    """Print the means over the messages of a debate, as JSON."""
    root = Path(sys.argv[1]).resolve()
    sys.path.insert(0, str(root))
    import eda  # noqa: PLC0415 - the package that the argument names
    from eda.runners.simulated.runner import SimulatedRunner  # noqa: PLC0415 - the same

    trace = Trace(str(root / "eda"))

    class Traced(SimulatedRunner):
        async def run(self, prompt: Any, on_text: Any = None) -> Any:
            reply = await super().run(prompt, on_text)
            if prompt.purpose == "speak":
                trace.begin()
            return reply

    settings = eda.Settings(max_messages=MESSAGES)
    for _ in range(2):  # the first one makes what is made once a process, such as expressions and lists of phrases
        trace.ways.clear()
        debate = eda.Debate("Should a team test first?", "product-decision", Traced(), settings=settings)
        debate.bus.subscribe(eda.MessagePosted, lambda _: trace.end())
        debate.run_sync()
    files, calls, moves = (mean(each) for each in zip(*trace.ways, strict=True))
    print(json.dumps({"messages": len(trace.ways), "files": files, "calls": calls, "moves": moves}))


class Trace:
    """Counts between `begin` and `end`: files of a package that are entered, calls, and calls of another file."""

    def __init__(self, package: str) -> None:
        self._package = package
        self.ways: list[tuple[int, int, int]] = []
        """Files, calls and moves of each message."""
        self._files: set[str] = set()
        self._calls = self._moves = 0
        self._began = False

    def begin(self) -> None:
        """Count from here on."""
        self._files, self._calls, self._moves, self._began = set(), 0, 0, True
        sys.setprofile(self._seen)

    def end(self) -> None:
        """Stop, and keep the figures of a way that has begun."""
        sys.setprofile(None)
        if self._began:
            self.ways.append((len(self._files), self._calls, self._moves))
        self._began = False

    def _seen(self, frame: FrameType, kind: str, _: object) -> None:
        file = frame.f_code.co_filename
        if kind != "call" or not file.startswith(self._package):
            return
        self._calls += 1
        self._files.add(file)
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(self._package):
            caller = caller.f_back
        self._moves += caller is not None and caller.f_code.co_filename != file


if __name__ == "__main__":
    main()
