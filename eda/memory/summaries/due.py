"""When a summary is due: of which messages, and when standing ones are folded into one."""

from dataclasses import dataclass

from eda.events import Summary

LAG = 6  # A summary stands this many messages after the last one of its range.

MOST = 10  # Summaries that stand at once; with so many, some are folded before another is added.
FOLDED = 4  # Summaries folded into one.
_SPARED = 3  # Newest summaries that are not folded.


@dataclass(frozen=True, slots=True)
class Due:
    """A range whose summary is due."""

    first: int
    last: int
    level: int = 1  # Above 1, summaries of the range are folded into one.


@dataclass(slots=True)
class SummaryTiles:
    """The summaries that stand, in order: together they cover messages 1 to `covered`, each once."""

    standing: tuple[Summary, ...] = ()  # in the order of their messages
    written: int = 0  # Summaries added so far, those folded since included.

    @property
    def covered(self) -> int:
        """The last message that a summary covers, so also the number of covered messages."""
        return self.standing[-1].last if self.standing else 0

    def add(self, summary: Summary) -> bool:
        """Add a summary that follows the last one, or covers exactly what some standing ones do; else return False."""
        starts = [place for place, one in enumerate(self.standing) if one.first == summary.first]
        ends = [place for place, one in enumerate(self.standing, 1) if one.last == summary.last]
        if summary.first == self.covered + 1 <= summary.last:
            starts = ends = [len(self.standing)]
        if not starts or not ends or starts[0] > ends[0]:
            return False
        self.standing = (*self.standing[: starts[0]], summary, *self.standing[ends[0] :])
        self.written += 1
        return True

    def due(self, every: int, count: int, *, ends: bool = False) -> Due | None:
        """Return the range of the next summary after message `count`, first a fold, which makes room; or None.

        Where the talk `ends`, what is left is a range, too.
        """
        rest = Due(self.covered + 1, count) if ends and count > self.covered else None
        return self.due_fold() or next(iter(self.full_ranges(every, count)), rest)

    def full_ranges(self, every: int, count: int) -> list[Due]:
        """Return the ranges of `every` messages after the covered ones that are full at message `count`, in order."""
        return [Due(first, first + every - 1) for first in range(self.covered + 1, count - every + 2, every)]

    def due_fold(self) -> Due | None:
        """Return the range of the summaries to fold next; None while fewer than `MOST` stand."""
        if len(self.standing) < MOST:
            return None
        runs = (self.standing[start : start + FOLDED] for start in range(len(self.standing) - _SPARED - FOLDED + 1))
        run = min(runs, key=lambda run: max(summary.level for summary in run))
        return Due(run[0].first, run[-1].last, max(summary.level for summary in run) + 1)
