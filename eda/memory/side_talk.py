"""Talk beside the debate: exchanges with single members.

None of it enters the transcript, a tally, recall, or a prompt of another member.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from eda.events import Event, SideMessagePosted

_KEPT = 20  # Exchanges kept of each talk.


@dataclass(slots=True)
class SideTalk:
    """A fold over side messages."""

    last: int = 0
    """Number of the last one."""
    _talks: dict[tuple[str, str], list[SideMessagePosted]] = field(default_factory=dict)

    def exchanges(self, member: str, who: str, most: int) -> tuple[SideMessagePosted, ...]:
        """Return at most `most` exchanges of `who` with `member`, the latest, question before answer, oldest first."""
        return tuple(self._talks.get(_pair(member, who), [])[-2 * most :]) if most else ()

    def hear(self, event: Event) -> None:
        """Keep a side message."""
        if isinstance(event, SideMessagePosted):
            self.last = event.number
            lines = self._talks.setdefault(_pair(event.who, event.to), [])
            lines.append(event)
            del lines[: -2 * _KEPT]


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
