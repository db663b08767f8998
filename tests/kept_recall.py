"""An index that keeps the messages it was given, as the log does for a session's index."""

from __future__ import annotations

from eda.events import MessagePosted
from eda.events.records import Line
from eda.memory.recall.recall import Recall


class KeptRecall(Recall):
    """Reads the messages from a dict instead of a log."""

    def __init__(self) -> None:
        self.kept: dict[int, Line] = {}
        super().__init__(self.kept.__getitem__)

    def add(self, message: MessagePosted) -> None:
        """Add the next message."""
        super().add(message)
        self.kept[message.number] = Line(message.number, message.who, message.talk)
