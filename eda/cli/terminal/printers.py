"""The two printers of entries: `Page` with rich, for a live debate and `eda show`; `PlainView` in lines, for a pipe.

Of a running debate both show each sealed message once its seal is broken, with its acts below it: see `Unsealing`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.text import Text

from eda.cli.terminal.entries import SEAT, SEAT_PLAIN, Context, Entry, Words
from eda.cli.terminal.header import Sitting
from eda.cli.terminal.style import INDENT, MEASURE, Colours, hanging, line, marked, prose, under
from eda.cli.terminal.verdict import verdict_lines
from eda.events import (
    ActsRead,
    DecisionFound,
    Event,
    MessagePosted,
    PhaseStarted,
    ProposalMade,
    ReactionSeen,
    SessionEnded,
    SessionPaused,
)
from eda.report.formatting import clean, one_line, shorten


class Page:
    """Prints paragraphs on a console: wrapped on a terminal, a line each in a pipe."""

    def __init__(self, console: Console, seats: Colours, *, ruled: bool = False, names: int = 0) -> None:
        """Print on `console`; `ruled` draws a line at each phase, `names` is the width of the names of voters."""
        self.console = console
        self.seats = seats
        self.wraps = console.is_terminal
        self._ruled = ruled
        self._names = names

    @property
    def width(self) -> int:
        """The columns of a paragraph at the margin; the width of a terminal can change."""
        return min(self.console.width, MEASURE + INDENT)

    def entry(self, entry: Entry) -> None:
        """Print an entry; one without words is not shown. The verdict is laid out by the screen it stands on."""
        if not entry.words:
            return
        words, mark = self._styled(entry.words), self._styled((entry.mark,))
        match entry.layout:
            case "message":
                self.line(Text())
                mark.pad_left(max(0, INDENT - 1 - mark.cell_len))
                self._beside(mark, words)
                self.item(prose(entry.body))
            case "phase":
                self.line(Text())
                if self._ruled:
                    self.console.print(Rule(words, align="left", style="bright_black"), width=self.width)
                else:
                    self.line(Text(f"— {words.plain}", style="dim"))
            case "vote":
                mark.pad_right(max(0, self._names - mark.cell_len))
                self.mark(mark, words)
            case "floor":
                self.line(Text())
                self.mark(mark, words)
                self._cut(entry.below)
            case _ if mark:
                self.mark(mark, words)
            case _:
                self.item(words)

    def _styled(self, words: Words) -> Text:
        text = Text()
        for part, style in words:
            if style in (SEAT, SEAT_PLAIN):
                text.append_text(self.seats.name(part, bold=style == SEAT))
            else:
                text.append(part, style)
        return text

    def _beside(self, mark: Text, text: Text) -> None:
        """Print a mark at the margin, and text that wraps beside it."""
        if self.wraps:
            self.console.print(marked(mark, text), width=self.width)
        else:
            self.line(Text.assemble(mark, " ", text))

    def _cut(self, lines: tuple[str, ...]) -> None:
        """Print lines under a mark, each cut where it does not fit."""
        indent = INDENT + 2
        for text in lines:
            self.item(Text(shorten(text, min(self.console.width - indent - 1, MEASURE)), style="dim"), indent)

    def heading(self, title: str) -> None:
        """Begin a section."""
        self.line(Text())
        self.line(Text(title, style="bold underline" if self.wraps else ""))

    def line(self, text: Text) -> None:
        """Print a paragraph at the margin."""
        line(self.console, text)

    def item(self, part: RenderableType, indent: int = INDENT) -> None:
        """Print a paragraph, indented."""
        if not isinstance(part, Text):
            self.console.print(hanging(part, indent, self.console.width))
        elif part:
            under(self.console, part, indent)
        else:
            self.line(part)

    def mark(self, mark: Text, text: Text, indent: int = INDENT) -> None:
        """Print a mark, and text that wraps beside it."""
        if self.wraps:
            self.item(marked(mark, text), indent)
        else:
            self.item(Text.assemble(mark, " ", text), indent)

    def fact(self, name: str, text: Text) -> None:
        """Print a fact at the margin, beside its name."""
        self.mark(Text(f"{name:<7}", "dim"), text, 0)


class Unsealing:
    """Keeps sealed messages back until the next phase begins, when their acts are read, and puts these below them."""

    def __init__(self) -> None:
        self._messages: list[MessagePosted] = []
        self._phase: list[Event] = []

    def after(self, event: Event) -> list[Event]:
        """Return what can be shown now that `event` has come, in the order in which it is shown."""
        match event:
            case MessagePosted(sealed=True):
                self._messages.append(event)
                return []
            case PhaseStarted() if self._messages:
                self._phase.append(event)
                return []
            case ActsRead():
                return [*self._released(event.message), event]
            case SessionPaused() | SessionEnded():
                return [*self.rest(), event]
            case DecisionFound() | ProposalMade() | ReactionSeen():
                return [event]
            case _:
                return [*self.rest(), event] if self._phase else [event]

    def rest(self) -> list[Event]:
        """Return what was kept back, and keep nothing."""
        messages, phase = self._messages, self._phase
        self._messages, self._phase = [], []
        return [*messages, *phase]

    def _released(self, number: int) -> list[Event]:
        """Return the messages that were kept back, up to that number."""
        released = [message for message in self._messages if message.number <= number]
        self._messages = self._messages[len(released) :]
        return [*released]


class PlainView:
    """Writes the lines of each event of a running debate."""

    def __init__(self, write: Callable[[str], None], sitting: Sitting) -> None:
        self._write = write
        roles = {member.title: sitting.role(member) for member in sitting.members}
        self._context = Context(sitting.settings, roles=roles, talk_only=sitting.talk_only)
        self._unsealing = Unsealing()
        for text in _opening_lines(sitting):
            write(text)

    def handle(self, event: Event) -> None:
        """Write the lines of one event; none for a kind that no screen shows."""
        for each in self._unsealing.after(event):
            for entry in self._context.entries(each):
                for text in plain_lines(entry):
                    self._write(text)


def plain_lines(entry: Entry) -> Iterator[str]:
    """Yield an entry's lines in a pipe."""
    if entry.verdict is not None:
        yield from verdict_lines(entry.verdict)
    elif entry.line is not None:
        yield entry.line
    elif entry.body:
        paragraphs = (one_line(part) for part in clean(entry.body).split("\n"))
        yield from (f"{entry.tag}: {paragraph}" for paragraph in paragraphs if paragraph)
    elif entry.layout == "message":
        yield f"{entry.tag}: (moves alone)"
    else:
        yield f"{entry.tag}: {entry.text}"


def _opening_lines(sitting: Sitting) -> list[str]:
    """Return what is debated and by whom."""
    lines = [f"session: {one_line(sitting.session)}", f"question: {one_line(sitting.question)}"]
    lines += [f"from: {one_line(sitting.parent)}"] if sitting.parent else []
    lines += [f"option: {one_line(option)}" for option in sitting.options]
    lines += [f"context: {one_line(name)}" for name in sitting.documents]
    lines += [f"panel: {sitting.seats}", f"runner: {one_line(sitting.runner)}, seed {sitting.seed}"]
    if sitting.resumed_at is not None:
        lines.append(f"resumed: after m{sitting.resumed_at}")
    return lines
