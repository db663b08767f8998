"""The messages of the speed tables, of about 60 words, 24 of them new. They need no package: peers say them too."""

from __future__ import annotations

import random
import time

__all__ = ["TALK", "say"]

STATEMENTS = """\
The batch window is what worries me, because the run takes five hours and twenty minutes of the six we have. I would
look at the two failures of last year before anything else: both came from another team's migration. That argues for a
boundary, though not yet for a service of its own.
---
I propose that we measure the flaky tests for two weeks and publish what we find, with an owner for each of them. Nobody
can plan on a suite that fails one time in six for no reason. The cost is one engineer, and the gain is that every later
estimate becomes believable to the people who must pay for it.
---
I agree with the point about the window, and I would add the contracts: three customers have a date in writing. What I
cannot see is who writes the code when one of the two who know it leaves in March. Until somebody answers that, each
plan on the table is a wish with a number beside it.
---
I am not convinced that a split makes the invoices safer. Running both side by side for four weeks means comparing
eighteen thousand invoices by hand or writing a tool that nobody has estimated. My position is that the tests come
first, and that we look at the boundary again in the summer.
""".replace("\n", " ").split(" --- ")
NEW_WORDS = 24
"""Who says nothing new is passed over."""


def _talk(count: int) -> list[str]:
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefghijklmnoprstu", k=draw.randint(4, 9))) for _ in range(20_000)]
    talk = []
    for place in range(count):
        said = STATEMENTS[place % len(STATEMENTS)].split()[:36]
        new = draw.choices(words, k=NEW_WORDS)
        third = NEW_WORDS // 3
        parts = (*new[:third], *said[:18], *new[third : 2 * third], *said[18:], *new[2 * third :])
        talk.append(" ".join(parts) + ".")
    return talk


TALK = _talk(20_000)


class _Say:
    """Returns the messages in turn: at once, or after what a wait for a model does to a processor's caches.

    A model takes seconds to answer, and by then other work has had the caches. A loop whose replies are there at once
    never meets that: one of some thousand lines stays in them whole. So where it `waits`, more is read before each
    message than caches hold, and `waited` has the processor's seconds of that.
    """

    def __init__(self) -> None:
        self.waited = 0.0
        self._elsewhere = b""

    def waits(self) -> None:
        self._elsewhere = b"\1" * _BEYOND_CACHES

    def __call__(self, place: int) -> str:
        if self._elsewhere:
            began = time.process_time()
            self._elsewhere.count(b"\0")
            self.waited += time.process_time() - began
        return TALK[place % len(TALK)]


_BEYOND_CACHES = 64 << 20  # bytes
say = _Say()
