"""What was said, from the first message on: where each message stands in the log, and the index that finds it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from typing import Any

from eda.events import Event, MessagePosted, stored_event
from eda.memory.recall import Recall
from eda.protocols import Line

__all__ = ["Fact", "Said"]

Fact = Callable[[int], Event]
"""Gives the fact of a `seq`, from the log."""


class Said:
    """Keeps no text where there is a log to read it from."""

    def __init__(self, fact: Fact | None = None) -> None:
        self._fact = fact
        self._kept: dict[int, MessagePosted] = {}
        self._places = array("Q")
        """The `seq` of each message."""
        self.recall = Recall(self.line)

    def add(self, message: MessagePosted) -> None:
        """Take the next message in; it can be found from now on. ValueError where its number is not the next one."""
        if message.number != len(self._places) + 1:
            raise ValueError(f"message {message.number} after message {len(self._places)}: each counts on by one")
        self._places.append(message.seq)
        if self._fact is None:
            self._kept[message.number] = message
        self.recall.add(message)

    def line(self, number: int) -> Line:
        """A message of any age."""
        message = self._message(number)
        return Line(number, message.who, message.talk)

    def to_json(self) -> dict[str, Any]:
        """Everything but the index, which `recall.dump()` gives."""
        kept = [message.model_dump(mode="json") for message in self._kept.values()]
        return {"places": self._places.tolist(), "kept": kept}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], fact: Fact | None, index: bytes | None) -> Said:
        """The same again; an index that is missing, damaged or another's is made anew from the messages.

        Raises:
            ValueError: the messages are in a log, and there is no `fact` that reads it.
        """
        if fact is None and len(data["kept"]) < len(data["places"]):
            raise ValueError("this memory left its messages in a log: give `fact`, such as `session.fact`")
        said = cls(fact)
        said._places = array("Q", data["places"])
        for each in data["kept"]:
            message = stored_event.validate_python(each)
            assert isinstance(message, MessagePosted)
            said._kept[message.number] = message
        said.recall = said._indexed(index)
        return said

    def _indexed(self, index: bytes | None) -> Recall:
        try:
            loaded = Recall.load(index, self.line) if index is not None else None
        except ValueError:
            loaded = None
        if loaded is not None and loaded.count == len(self._places):
            return loaded
        recall = Recall(self.line)
        for number in range(1, len(self._places) + 1):
            recall.add(self._message(number))
        return recall

    def _message(self, number: int) -> MessagePosted:
        message = self._kept[number] if self._fact is None else self._fact(self._places[number - 1])
        if not isinstance(message, MessagePosted):
            raise ValueError(f"fact {message.seq} is no message: these places are another log's")  # noqa: TRY004 - data
        return message
