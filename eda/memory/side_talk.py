"""Keeps the talks beside the debate, with single members."""

from dataclasses import dataclass, field

from eda.events import SideMessagePosted

_EXCHANGES = 20  # Exchanges kept of each talk aside.


@dataclass(slots=True)
class SideTalk:
    """The talks beside the debate. Nothing of them enters the transcript, a tally, recall, or another's prompt."""

    last: int = 0  # Number of the last side message.
    _talks: dict[tuple[str, ...], list[SideMessagePosted]] = field(default_factory=dict)  # by the two who talk

    def exchanges(self, member: str, who: str, most: int) -> tuple[SideMessagePosted, ...]:
        """Return at most `most` exchanges of `who` with `member`, the latest, question before answer, oldest first."""
        return tuple(self._talks.get(tuple(sorted((member, who))), [])[-2 * most :]) if most else ()

    def hear(self, event: SideMessagePosted) -> None:
        """Keep a side message."""
        self.last = event.number
        lines = self._talks.setdefault(tuple(sorted((event.who, event.to))), [])
        lines.append(event)
        del lines[: -2 * _EXCHANGES]
