"""The parts of a memory: each a fold of its own over what it is given, each saved and restored by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from eda.events import AnnouncedEvent, MessagePosted, SummaryWritten
from eda.memory.circles import Circles
from eda.memory.minutes import Minutes
from eda.memory.notes import Notes
from eda.memory.polls import Polls
from eda.memory.ranges import Ranges
from eda.memory.repeats import Repeats
from eda.memory.said import Fact, Said
from eda.memory.salience import Salience
from eda.memory.side import Side
from eda.memory.tiles import Tiles
from eda.memory.tokens import TokenEstimate
from eda.memory.transcript import Recent
from eda.patterns import PatternPack
from eda.records import Note, Summary

__all__ = ["Parts"]


@dataclass(slots=True)
class Parts:
    """What memory is made of."""

    minutes: Minutes
    """Proposals, decisions, reactions, positions."""
    said: Said
    """Every message, for recall."""
    recent: Recent = field(default_factory=Recent)
    """The last messages, in full."""
    tiles: Tiles = field(default_factory=Tiles)
    """The summaries that stand."""
    ranges: Ranges = field(default_factory=Ranges)
    """What is noted for the summaries that are not written yet."""
    notes: Notes = field(default_factory=Notes)
    salience: Salience = field(default_factory=Salience)
    """The weightiest moments."""
    tokens: TokenEstimate = field(default_factory=TokenEstimate)
    side: Side = field(default_factory=Side)
    """Talks with single members, and comments that nobody asked for."""
    repeats: Repeats = field(default_factory=Repeats)
    """The last statements, with which a reply is compared."""
    circles: Circles = field(default_factory=Circles)
    """Whether the debate as a whole moves on."""
    polls: Polls = field(default_factory=Polls)
    """Where members stood when they were asked in private."""

    def hear(self, message: MessagePosted) -> list[AnnouncedEvent]:
        """A message is in everybody's ears; gives what was found in it."""
        self.said.add(message)
        self.recent.add(message)
        for move in message.moves:
            if move.kind == "note" and move.text:
                self.notes.add(Note(message.number, message.who, move.text, move.importance or 500, move.topic))
        found = self.minutes.hear(message)
        self.salience.hear(message, found)
        self.repeats.hear(message)
        self.circles.hear(message, found)
        self.polls.hear(message, self.minutes.last_position(message.who), found)
        self.ranges.heard(message.number, self.tiles, self.minutes)
        return found

    def sum_up(self, event: SummaryWritten) -> list[AnnouncedEvent]:
        """A summary was written; gives what its minutes say. One that does not fit those that stand is passed by."""
        if not self.tiles.add(Summary(event.first, event.last, event.text, event.level, event.by)):
            return []
        self.recent.cover(event.last)
        found = self.minutes.take(event)
        self.ranges.summed_up(self.tiles, self.minutes)
        return found

    def to_json(self) -> dict[str, Any]:
        """The state of each part but for the index of what was said, in plain JSON types."""
        return {
            "minutes": self.minutes.to_json(),
            "said": self.said.to_json(),
            "recent": self.recent.to_json(),
            "summaries": self.tiles.to_json(),
            "ranges": self.ranges.to_json(),
            "notes": self.notes.to_json(),
            "salience": self.salience.to_json(),
            "tokens": self.tokens.to_json(),
            "side": self.side.to_json(),
            "repeats": self.repeats.to_json(),
            "circles": self.circles.to_json(),
            "polls": self.polls.to_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], patterns: PatternPack, fact: Fact | None, index: bytes | None) -> Parts:
        """The same again. A part that a state of an older program lacks begins empty."""
        parts = cls(Minutes.from_json(data["minutes"], patterns), Said(fact), Recent.from_json(data["recent"]))
        parts.tiles = Tiles.from_json(data["summaries"])
        if "ranges" in data:
            parts.ranges = Ranges.from_json(data["ranges"])
        parts.notes = Notes.from_json(data["notes"])
        if "said" in data:
            parts.said = Said.from_json(data["said"], fact, index)
            parts.salience = Salience.from_json(data["salience"])
            parts.tokens = TokenEstimate.from_json(data["tokens"])
            parts.side = Side.from_json(data["side"])
            parts.repeats = Repeats.from_json(data["repeats"])
            parts.circles = Circles.from_json(data["circles"])
        if "polls" in data:
            parts.polls = Polls.from_json(data["polls"])
        return parts
