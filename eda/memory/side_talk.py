"""Talk beside the debate: exchanges with single members.

None of it enters the transcript, a tally, recall, or a prompt of another member.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from eda import events
from eda.events.messages import talk_of
from eda.events.records import SideLine
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.patterns import Language

_KEPT = 20  # Exchanges kept of each talk.


@dataclass(slots=True)
class SideTalk:
    """A fold over side messages."""

    last: int = 0
    """Number of the last one."""
    _talks: dict[tuple[str, str], list[SideLine]] = field(default_factory=dict)

    def exchanges(self, member: str, who: str, most: int) -> tuple[SideLine, ...]:
        """Return at most `most` exchanges of `who` with `member`, the latest, question before answer, oldest first."""
        return tuple(self._talks.get(_pair(member, who), [])[-2 * most :]) if most else ()

    def hear(self, event: events.Event) -> None:
        """Keep a side message."""
        if isinstance(event, events.SideMessagePosted):
            self.last = event.number
            lines = self._talks.setdefault(_pair(event.who, event.to), [])
            lines.append(SideLine(event.number, event.who, event.to, event.text))
            del lines[: -2 * _KEPT]


def without_moves(text: str, language: Language | None = None) -> str:
    """Return a reply without its move lines: side talk makes no moves."""
    return talk_of(text, read_reply(text, language=language).cut)


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
