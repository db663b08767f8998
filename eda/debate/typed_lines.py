"""The lines that persons typed in a debate, and what they answered to how each was read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from eda.errors import UsageError
from eda.events import Event, LineAnswered, LineOffered, LineRead, MessagePosted
from eda.events.records import Move

UNDECLARED = 3
"""Messages of a member in a row that declare nothing, after which it is asked what it holds; at first one is enough."""
_KEPT = 200
"""Lines that can still be answered."""


@dataclass(slots=True)
class _Line:
    who: str
    moves: tuple[Move, ...]
    """What it does, or would do."""
    state: Literal["offered", "counted", "over"]


@dataclass
class TypedLines:
    """The lines that persons have typed, as a fold."""

    lines: dict[int, _Line] = field(default_factory=dict)
    """By the number of their messages: those that were counted or offered."""
    last_lines: dict[str, int] = field(default_factory=dict)
    """The message of each person's last line."""
    unread: list[int] = field(default_factory=list)
    """The messages whose line names a text or takes a side and was not read: a model may be asked what it states."""

    undeclared: dict[str, int] = field(default_factory=dict)
    """The messages of each since the last that declared something, or since it was asked; `UNDECLARED` of a member that
    has declared nothing yet and was never asked."""

    def fold_lines(self, event: Event) -> None:
        """Take one fact in."""
        if isinstance(event, MessagePosted):
            self._posted_by(event)
        match event:
            case MessagePosted(line=LineRead(how="counted")):
                self.lines[event.number] = _Line(event.who, event.moves, "counted")
            case MessagePosted(line=LineRead(how="offered", moves=moves)):
                self.lines[event.number] = _Line(event.who, moves, "offered")
            case MessagePosted(sealed=False, line=LineRead(why=why, ids=ids)) if why or ids:
                self.unread.append(event.number)
            case LineOffered():
                self.unread = [number for number in self.unread if number != event.message]
                if event.moves:
                    self.lines[event.message] = _Line(event.who, event.moves, "offered")
            case LineAnswered(answer="asked"):
                self.undeclared[event.who] = 0
            case LineAnswered() if line := self.lines.get(event.message):
                line.state = "counted" if event.answer == "yes" else "over"
            case _:
                return
        for number in [*self.lines][:-_KEPT]:
            del self.lines[number]

    def _posted_by(self, event: MessagePosted) -> None:
        if event.line is not None:
            self.last_lines[event.who] = event.number
        declares = any(move.kind != "note" for move in event.moves)
        self.undeclared[event.who] = 0 if declares else self.undeclared.get(event.who, UNDECLARED - 1) + 1

    def answer_to_line(self, who: str, answer: Literal["yes", "no", "taken back"], message: int = 0) -> LineAnswered:
        """Return the fact of an answer to a line of `who`; 0 stands for the last that can be answered so.

        Raises:
            UsageError: no such line waits for that answer, or it is another person's.
        """
        needs = "counted" if answer == "taken back" else "offered"
        own = [number for number, line in self.lines.items() if (line.who, line.state) == (who, needs)]
        number = message or next(reversed(own), 0)
        if number not in own:
            if number in self.lines and self.lines[number].who != who:
                raise UsageError(f"m{number} is another person's line", hint="Only who typed it can answer.")
            what = "counted that can be taken back" if needs == "counted" else "offered that waits for a yes or no"
            raise UsageError(f"nothing of yours was {what}")
        return LineAnswered(who=who, message=number, answer=answer, moves=self.lines[number].moves)

    def waits_for(self, who: str) -> int:
        """Return the message of the last line of `who` where its reading waits for a yes or no; else 0."""
        number = self.last_lines.get(who, 0)
        line = self.lines.get(number)
        return number if line is not None and line.state == "offered" else 0
