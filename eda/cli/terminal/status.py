"""The lines below a running debate: who is doing what, what is being written, what is on the table, the cost."""

from __future__ import annotations

import time
from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.padding import Padding
from rich.rule import Rule
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from eda.cli.terminal.style import INDENT, MEASURE, Colours, last_lines
from eda.debate.state import DebateState
from eda.events import (
    AnnouncedEvent,
    CallDelayed,
    Event,
    MessagePosted,
    MessageWritten,
    PhaseStarted,
    TextStreamed,
    TurnFailed,
    TurnPassed,
)
from eda.events.records import Proposal
from eda.memory import ConversationMemory
from eda.memory.table import standing
from eda.report.formatting import count, listed, money, one_line, shorten, span, tokens
from eda.report.phrases import delay_phrase
from eda.text import differs_at
from eda.words import ENGLISH

_BESIDE = 5
"""Columns of the first line that the spinner and the margins take."""
_SITTING_DOWN = "the panel takes its seats"
"""Shown before the first phase."""
_SHORTEST = 2.0
"""Seconds that a wait is shown at least: a call to another model at once could not be read."""
_WIDE = 72
"""Columns from which there is room for the table."""
_ROWS = 6
"""Texts of the table that are shown, those with most supporters; the others are named."""


class StatusArea:
    """Draws these lines as they are now; what is on the table only where the console is wide and has colours."""

    def __init__(self, seats: Colours, progress: DebateState, memory: ConversationMemory) -> None:
        self._seats = seats
        self._progress = progress
        self._memory = memory
        self._writing = ""
        """What the holder of the floor has written so far."""
        self._written: set[str] = set()
        """Who has written, of those who write side by side."""
        self._open: list[tuple[Proposal, list[str], list[str], list[str]]] = []
        """Each open text with who is for it, for it on a condition, and against it."""
        self._waits: tuple[float, str] = (0.0, "")
        """Until when a call waits, and the words for it."""
        self._spinner = Spinner("dots", style="dim")
        self.went_on_for(progress.spent.seconds)
        self._read_table()

    def went_on_for(self, seconds: float) -> None:
        """Have the clock say that the debate has run for so long."""
        self._began = time.monotonic() - seconds

    def handle(self, event: Event) -> None:
        """Follow who writes what, what is on the table, and which call waits."""
        match event:
            case MessageWritten():
                self._written.add(event.message.who)
            case PhaseStarted():
                self._writing = ""
                self._written.clear()
                self._read_table()
            case MessagePosted() | TurnFailed() | TurnPassed():
                self._writing = ""
                self._written.clear()
            case TextStreamed():
                self._writing += event.text
            case CallDelayed():
                self._writing = ""  # the reply will be written from the start
                seconds = max(event.seconds, _SHORTEST)
                self._waits = (time.monotonic() + seconds, delay_phrase(event))
            case AnnouncedEvent():
                self._read_table()
            case _:
                pass

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines as they are now."""
        yield Text()
        width = min(options.max_width - INDENT - 1, MEASURE)
        at_it = self.at_it()
        at_it.truncate(options.max_width - _BESIDE, overflow="ellipsis")
        self._spinner.update(text=at_it)
        yield Padding(self._spinner, (0, 0, 0, 2))
        if self._progress.grant and self._writing:
            for line in last_lines(self._writing, console, width):
                yield Padding(line, (0, 0, 0, INDENT))
        if options.max_width >= _WIDE and not console.no_color:
            yield from self._table(min(options.max_width - 1, MEASURE + INDENT), max(2, console.height // 6))
        yield Text(self._status(options.max_width - 2), style="dim")

    def at_it(self) -> Text:
        """Return who is doing what."""
        progress = self._progress
        grant, at = progress.grant, progress.at
        if progress.paused is not None:
            waits = progress.paused.reason == "person"  # else the program is ending
            return Text("paused; /resume goes on" if waits else "stopping", style="yellow")
        until, phrase = self._waits
        if time.monotonic() < until:
            return Text(f"waiting: {phrase}", style="yellow")
        if grant:
            state = "is writing" if self._writing else "has the floor"
            return Text.assemble(self._seats.name(grant.agent), (f" {state}", "dim"))
        if progress.ended is not None:
            return Text("the report is written", style="dim")
        waiting = at.does.waiting if at else _SITTING_DOWN
        still = [who for who in progress.members if who not in self._written and who not in progress.muted]
        if still and (self._written or (at and at.does.sealed)):
            waiting += f"; still writing: {listed(still)}"
        return Text(waiting, style="dim")

    def _read_table(self) -> None:
        """Note what is on the table, most supporters first, the newest of equals."""
        table = self._memory.parts.newest_table()
        rows = []
        for text in (text for motion in table.motions if motion.taken_up for text in motion.versions):
            if text.status == "active":
                backs, if_so, against = (
                    [who for who, _ in standing(text, stance)] for stance in ("support", "conditional", "oppose")
                )
                backs += [who for who in table.positions.get(text.id, ()) if who not in (*backs, *if_so, *against)]
                rows.append((text, backs, if_so, against))
        self._open = sorted(rows, key=lambda row: (-len(row[1]), -len(row[2]), -row[0].message))

    def _table(self, width: int, most: int) -> Iterator[RenderableType]:
        rows = self._open if self._progress.verdict is None else []
        if not rows:
            return
        shown, rest = rows[: min(most, _ROWS)], rows[min(most, _ROWS) :]
        title = ENGLISH.say("screen-table", rest=len(rest), ids=[row[0].id for row in rest])
        yield Constrain(Rule(Text(shorten(title, width - 10), style="dim"), align="left", style="bright_black"), width)
        half, texts = width // 2, [one_line(row[0].content) for row in self._open]
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column(no_wrap=True, overflow="ellipsis", max_width=half)
        grid.add_column(no_wrap=True, overflow="ellipsis", max_width=half - 10)
        for text, *stands in shown:
            words = one_line(text.content)
            begins = differs_at(words, half, texts)  # else texts that begin alike look the same
            cut = Text("… " * bool(begins) + words[begins:])
            grid.add_row(Text(text.id, style="dim"), cut, self._stands(stands, half - 10))
        yield grid

    def _stands(self, stands: list[list[str]], room: int) -> Text:
        """Return who is for a text and against it; without room for all names some are counted, those against last."""
        named = [*zip(("for ", "for, if ...: ", "against "), stands, strict=True)]
        for counted in range(len(named) + 1):
            parts = [
                Text.assemble((word, "dim"), self._seats.names(who) if at >= counted else str(len(who)))
                for at, (word, who) in enumerate(named)
                if who
            ]
            line = Text(" · ").join(parts) if parts else Text("nobody has said yet", style="dim")
            if line.cell_len <= room:
                break
        return line

    def _status(self, width: int) -> str:
        """Return the phase if there is room for it, the messages that are left, usage and limits."""
        progress, spent, most = self._progress, self._progress.spent, self._progress.settings.limits
        left = f"{max(0, most.messages - progress.messages)} of {count(most.messages, 'message')} left"
        counts = f"{left} · {tokens(spent.tokens, most.tokens)}"
        counts += f" · {money(spent.cost, spent.unpriced_calls, most.cost)}"
        counts += f" · {span(time.monotonic() - self._began, most.seconds)}"
        whole = f"{one_line(progress.phase).replace('-', ' ') or 'start'} · {counts}"
        return whole if len(whole) <= width else shorten(counts, width)
