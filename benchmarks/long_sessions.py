"""What long sessions cost: `python benchmarks/long_sessions.py [--write]`.

A debate of 10,000 messages by a panel that never settles, resumed; and a log of 100,000 messages, shown in a pipe and
on a terminal.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import pty
import re
import statistics
import subprocess
import sys
import tempfile
import tty
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memory_cost import Talk, post
from results import told

from eda import Debate, Session, Settings
from eda.runners.protocol import OnText, Prompt, Reply
from eda.runners.simulated.runner import SimulatedRunner
from eda.session import log

DEBATED = 10_000
SHOWN = 100_000
QUESTION, OPTIONS = "Should we move the billing service?", ("Move it", "Wait a quarter")


def english() -> list[str]:
    """Words of the project's own texts, the most frequent first: a name of random letters takes more room."""
    home = Path(__file__).parents[1]
    paths = (path for pattern in ("*.md", "docs/*.md", "personas/*.md") for path in sorted(home.glob(pattern)))
    texts = [path.read_text("utf-8") for path in paths]
    return [word for word, _ in Counter(re.findall("[a-z]{2,}", " ".join(texts).lower())).most_common()]


class Talkers(SimulatedRunner):
    """The simulated panel, but each message has new words and moves, so that no discussion ends by itself."""

    def __init__(self) -> None:
        super().__init__()
        self._talk, self._numbers = Talk(), itertools.count(1)
        words = english()
        self._talk.words = [words[place % len(words)] for place in range(len(self._talk.words))]
        self._proposed = ""

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return eighty new words and the moves of a real message; all else is the simulated panel's."""
        if prompt.purpose != "speak":
            return await super().run(prompt, on_text)
        number = prompt.last + 1
        text = self._talk.message(9 * next(self._numbers) + 1).text
        words = self._talk.draw.choices(self._talk.words, cum_weights=self._talk.cumulative, k=30)
        if number % 6 == 1:
            text += f"\n\n[PROPOSE] We {' '.join(words[:14])}."
            self._proposed = f"p{number}.0"
        elif number % 6 in (2, 3, 5):
            kind = "OPPOSE" if number % 6 == 5 else "SUPPORT"
            text += f"\n\n[{kind} {self._proposed}] because {' '.join(words[14:22])}"
        if number % 9 == 6:
            text += f"\n[NOTE {number % 1000 + 1}] {' '.join(words[22:30])}"
        return Reply(f"{text}\n[POSITION] For the {' '.join(words[:8])}")


@contextmanager
def kept(folder: Path | None, messages: int) -> Iterator[Path]:
    """Yield the folder, or one for now, with a session `debate` of so many messages, which is made if it is not there.

    Nothing waits for the disk: what is measured comes after the writing.
    """
    with tempfile.TemporaryDirectory() as made:
        log.sync = lambda _: None
        folder = folder or Path(made)
        if not (folder / "debate").exists():
            debate(folder, messages)
        yield folder


def debate(folder: Path, messages: int) -> None:
    """Run a debate of so many messages."""
    with Session.create("debate", folder) as session:
        settings = Settings(max_messages=messages, floor="round-robin")
        panel = "product-decision"
        asyncio.run(Debate(QUESTION, panel, Talkers(), options=OPTIONS, settings=settings, session=session).run())


def transcript(folder: Path, messages: int) -> None:
    """Write a log of so many messages through the session's own publisher, and its memory."""
    with Session.create("transcript", folder) as session:
        post(session, messages, watch=False)


RESUME = """
import sys, time
from pathlib import Path
from eda import Debate, Session
with Session.open(Path(sys.argv[1])) as session:
    Debate.resume(session, "simulated", max_messages=int(sys.argv[2]))
print(time.process_time())
"""


def resumed(session: Path, messages: int) -> float:
    """Return the processor seconds of a new process until its debate can go on."""
    command = [sys.executable, "-c", RESUME, str(session), str(messages)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)  # noqa: S603 - this one


def shown(session: Path, *, terminal: bool) -> tuple[float, float, int]:
    """Return the processor seconds of `eda show` until its first text and in all, and the bytes that it printed."""
    ours, theirs = pty.openpty() if terminal else os.pipe()
    if terminal:
        tty.setraw(theirs)
    command = [sys.executable, "-m", "eda", "show", session.name, "--sessions", str(session.parent)]
    env = {**os.environ, "PAGER": "cat", "TERM": "xterm-256color"}
    with subprocess.Popen(command, stdout=theirs, env=env) as process:  # noqa: S603 - this one
        os.close(theirs)
        size = len(os.read(ours, 1 << 16))
        ticks = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        first = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
        with suppress(OSError):  # the end of a terminal
            while piece := os.read(ours, 1 << 16):
                size += len(piece)
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
    os.close(ours)
    return first, used.ru_utime + used.ru_stime, size


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="where the two sessions are kept, or made if they are not there")
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    args = parser.parse_args()
    with kept(args.folder, DEBATED) as folder:
        if not (folder / "transcript").exists():
            transcript(folder, SHOWN)
        again = statistics.median(resumed(folder / "debate", DEBATED + 6) for _ in range(5))
        size = (folder / "debate" / "memory.json").stat().st_size
        lines = [
            f"A debate of {DEBATED:,} messages and a log of {SHOWN:,}, 80 words each; processor time of a new process.",
            "",
            "| what | measured | aim |",
            "|---|---|---|",
            f"| a debate of {DEBATED:,} messages is ready to go on | {again:.2f} s | 2 |",
            f"| its `memory.json` | {size / 1e6:.2f} MB | 2 |",
        ]
        for terminal, where in ((True, "on a terminal, through a pager"), (False, "in a pipe, all messages")):
            first, last, printed = shown(folder / "transcript", terminal=terminal)
            lines.append(f"| `eda show` of {SHOWN:,} {where}: first text | {first:.2f} s | |")
            lines.append(f"| the same: end; printed | {last:.2f} s; {printed / 1e6:.1f} MB | |")
    told("long-sessions", "python benchmarks/long_sessions.py --write", "\n".join(lines), write=args.write)


if __name__ == "__main__":
    main()
