"""A running debate on a terminal: entries scroll by, who has the floor and what is on the table stays at the bottom."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.live import Live
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from eda.cli.terminal.entries import Context
from eda.cli.terminal.printers import Order, Page, Sitting, Told
from eda.cli.terminal.style import INDENT, MEASURE, Colours, last_lines, marked, private_line
from eda.cli.terminal.verdict import count_page
from eda.debate.state import DebateState
from eda.events import (
    AnnouncedEvent,
    CallDelayed,
    Event,
    MessagePosted,
    MessageWritten,
    PhaseStarted,
    Proposal,
    SessionEnded,
    SideMessagePosted,
    TextStreamed,
    TurnFailed,
    TurnPassed,
    VerdictReached,
)
from eda.memory import ConversationMemory
from eda.memory.table import only_positions, takers
from eda.report.formatting import money, one_line, shorten, span, tokens
from eda.report.phrases import delay_phrase, parent_phrase, phase_phrase
from eda.text import differs_at
from eda.words import Words

if TYPE_CHECKING:
    from eda.cli.terminal.prompt import PromptLine


# Columns of the first line that the spinner and the margins take.
_BESIDE = 5
# Seconds that a wait is shown at least: a call to another model at once could not be read.
_SHORTEST = 2.0
# Columns from which there is room for the table.
_WIDE = 72
# Texts of the table that are shown, those with most supporters; the others are named.
_ROWS = 6


class StatusArea:
    """Draws these lines as they are now; what is on the table only where the console is wide and has colours."""

    def __init__(self, seats: Colours, progress: DebateState, memory: ConversationMemory) -> None:
        self._seats = seats
        self._progress = progress
        self._memory = memory
        # What the holder of the floor has written so far.
        self._writing = ""
        # Who has written, of those who write side by side.
        self._written: set[str] = set()
        # Each open text with who is for it, for it on a condition, and against it.
        self._open: list[tuple[Proposal, list[str], list[str], list[str]]] = []
        # Who holds a text and is not counted for it, in words, by the id of the text.
        self._beside = dict[str, str]()
        # Until when a call waits, and the words for it.
        self._waits: tuple[float, str] = (0.0, "")
        # Returns whether those who vote have been asked; before that, what was said last is read.
        self.voting: Callable[[], bool] = lambda: True
        # Returns whether the report on an ended debate is written.
        self.reported: Callable[[], bool] = lambda: False
        self._spinner = Spinner("dots", style="dim")
        self._began = time.monotonic() - progress.spent.seconds
        self._read_table()

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
                self._waits = (
                    time.monotonic() + max(event.seconds, _SHORTEST),
                    delay_phrase(event, self._progress.settings.words),
                )
            case AnnouncedEvent():
                self._read_table()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines as they are now."""
        yield Text()
        width = min(options.max_width - INDENT - 1, MEASURE)
        at_it = self.at_it()
        at_it.truncate(options.max_width - _BESIDE, overflow="ellipsis")
        self._spinner.update(text=at_it)
        yield Padding(self._spinner, (0, 0, 0, 2))
        if self._progress.grant and self._writing:
            yield from (Padding(line, (0, 0, 0, INDENT)) for line in last_lines(self._writing, console, width))
        if options.max_width >= _WIDE and not console.no_color:
            yield from self._table(min(options.max_width - 1, MEASURE + INDENT), max(2, console.height // 6))
        yield Text(self._status(options.max_width - 2), style="dim")

    def at_it(self) -> Text:
        """Return who is doing what."""
        progress = self._progress
        grant, at, say = progress.grant, progress.at, self._progress.settings.words.say
        if progress.paused is not None:
            waits = progress.paused.reason == "person"  # else the program is ending
            return Text(say("live-now", "paused" if waits else "stopping"), style="yellow")
        until, phrase = self._waits
        if time.monotonic() < until:
            return Text(f"{say('screen-label', 'waiting')}: {phrase}", style="yellow")
        if grant:
            state = say("live-now", "writing" if self._writing else "floor")
            return Text.assemble(self._seats.name(grant.agent), (f" {state}", "dim"))
        if progress.ended is not None:
            return Text(say("live-now", "over" if self.reported() else "report"), style="dim")
        kind = "none" if at is None else "reading" if at.does.ballots and not self.voting() else at.kind
        waiting = say("live-phase", kind=kind, waiting=at.does.waiting if at else "")
        still = [who for who in progress.members if who not in self._written and who not in progress.muted]
        if still and (self._written or (at and at.does.sealed)):
            waiting += f"; {say('live-still', who=still)}"
        return Text(waiting, style="dim")

    def _read_table(self) -> None:
        """Note what is on the table, most supporters first, the newest of equals."""
        table = replace(self._memory.parts.newest_table(), words=self._progress.settings.words)
        rows, say = [], table.words.say
        texts = (text for motion in table.motions if motion.taken_up for text in motion.versions)
        for text in (text for text in texts if text.status == "active"):
            backs, if_so, against = (
                [who for who, _ in takers(text, stance, table)] for stance in ("support", "conditional", "oppose")
            )
            now = {each.agent: say("table-note", "in-doubt") for each in text.reactions if each.doubt}
            now |= {who: say("table-now", id=key) for who, key in table.moved_on.get(text.id, {}).items()}
            backs, if_so = ([f"{who} ({now[who]})" if who in now else who for who in side] for side in (backs, if_so))
            rows.append((text, backs, if_so, against))
            held = only_positions(text, table)[1]
            self._beside[text.id] = say("table-position-of", who=held) if held else ""
        self._open = sorted(rows, key=lambda row: (-len(row[1]), -len(row[2]), -row[0].message))

    def _table(self, width: int, most: int) -> Iterator[RenderableType]:
        rows = self._open if self._progress.verdict is None else []
        if not rows:
            return
        shown, rest = rows[: min(most, _ROWS)], rows[min(most, _ROWS) :]
        title = self._progress.settings.words.say("screen-table", rest=len(rest), ids=[row[0].id for row in rest])
        yield Constrain(Rule(Text(shorten(title, width - 10), style="dim"), align="left", style="bright_black"), width)
        half, texts = width // 2, [one_line(row[0].content) for row in self._open]
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column(no_wrap=True, overflow="ellipsis", max_width=half)
        grid.add_column(no_wrap=True, overflow="ellipsis", max_width=half - 10)
        for text, *stands in shown:
            words = one_line(text.title)
            if not text.titled:
                words = one_line(text.content)
                begins = differs_at(words, half, texts)  # else texts that begin alike look the same
                words = "… " * bool(begins) + words[begins:]
            grid.add_row(
                Text(text.id, style="dim"), Text(words), self._stands(stands, half - 10, self._beside[text.id])
            )
        yield grid

    def _stands(self, stands: list[list[str]], room: int, beside: str) -> Text:
        """Return who is for a text and against it; without room for all names some are counted, those against last."""
        say = self._progress.settings.words.say
        sides = (say("table-stance", stance=side) for side in ("support", "conditional", "oppose"))
        named = [*zip(sides, stands, strict=True)]
        for counted in range(len(named) + 1):
            parts = [
                Text.assemble((f"{word} ", "dim"), self._seats.names(who) if at >= counted else str(len(who)))
                for at, (word, who) in enumerate(named)
                if who
            ]
            line = Text(" · ").join(parts) if parts else Text(beside or say("live-now", "nobody"), style="dim")
            if line.cell_len <= room:
                break
        return line

    def _status(self, width: int) -> str:
        """Return the phase if there is room for it, the messages that are left, usage and limits."""
        progress, spent, most = self._progress, self._progress.spent, self._progress.settings.limits
        words, still = self._progress.settings.words, str(max(0, most.messages - progress.messages))
        counts = f"{words.say('figure-left', left=still, number=most.messages)}"
        counts += f" · {tokens(spent.tokens, most.tokens, words)}"
        counts += f" · {money(spent.cost, spent.unpriced_calls, most.cost, words=words)}"
        counts += f" · {span(time.monotonic() - self._began, most.seconds, words)}"
        phase = phase_phrase(progress.phase, words) if progress.phase else words.say("live-now", "start")
        whole = f"{one_line(phase)} · {counts}"
        return whole if len(whole) <= width else shorten(counts, width)


# Seconds between two drawings of the status area.
_DRAWN = 0.1


class LiveView:
    """Shows a running debate; use it as a context."""

    def __init__(
        self,
        console: Console,
        sitting: Sitting,
        progress: DebateState,
        memory: ConversationMemory,
        line: "PromptLine | None" = None,
        told: Told | None = None,
    ) -> None:
        """Show on `console`; `line` is what the person at this terminal types into, if one sits here.

        `told` returns the page that tells a decision, else the count alone is told.
        """
        self._console, self._told = console, told
        self._sitting = sitting
        roles = {member.title: sitting.role(member) for member in sitting.members}
        self._page = Page(console, Colours(member.title for member in sitting.members), ruled=True)
        self._context = Context(sitting.settings, roles, live=True, people=sitting.people, verbose=sitting.verbose)
        self._order = Order(sitting)
        # The verdict, printed after what it changes in memory.
        self._verdict: tuple[VerdictReached, Words] | None = None
        self.status = StatusArea(self._page.seats, progress, memory)
        self._live: Live | None = None
        self._ticks = False
        # When the status area was drawn last for the line below it, and how.
        self._above = (0.0, "")
        if line is not None:
            line.above = self._above_the_line
        else:  # drawn by the loop that prints: a thread that draws while it prints would draw over what is printed
            self._live = Live(self.status, console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> Self:
        self._console.print(Text())
        self._console.print(self._header())
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._print(self._order.rest())
        self._print_verdict()
        if self._live is not None:
            self._live.stop()

    def _above_the_line(self) -> str:
        """Return the status area as text with codes for its colours; one drawing of the line asks for it repeatedly."""
        if time.monotonic() - self._above[0] > _DRAWN / 2:
            with self._console.capture() as captured:
                self._console.print(self.status)
            self._above = time.monotonic(), captured.get()
        return self._above[1]

    def handle(self, event: Event) -> None:
        """Show one event."""
        self.status.handle(event)
        if not self._ticks:
            self._tick()
        if isinstance(event, SideMessagePosted) and event.on == "verdict":
            self._print_verdict()
        self._print(self._order.after(event))
        if isinstance(event, SessionEnded):
            self._print_verdict()

    def _tick(self) -> None:
        """Draw the status area, and again and again while the loop runs."""
        with suppress(RuntimeError):  # no loop is running
            asyncio.get_running_loop().call_later(_DRAWN, self._tick)
            self._ticks = True
        if self._live is not None and self._live.is_started:
            self._live.refresh()

    def _print(self, events: Iterable[Event]) -> None:
        for entry in (entry for event in events for entry in self._context.entries(event)):
            if entry.verdict is not None:
                self._verdict = entry.verdict, self._context.words
            self._page.entry(entry)

    def show(self, text: str) -> None:
        """Print a line for the person at the terminal, above the status area."""
        self._page.item(private_line(text))

    def _header(self) -> Panel:
        about, started = self._sitting, self._sitting.started
        words, documents = about.settings.words, about.reading.named
        parts: list[RenderableType] = [Text(one_line(started.question), style="bold")]
        parts += [Text(words.say("live-asks", asks=about.asks_for), style="dim")] if about.asks_for else []
        parts += [Padding(marked(Text("◦", "dim"), Text(one_line(option))), (0, 0, 0, 2)) for option in started.options]
        seats = Table.grid(padding=(0, 1))
        for member in about.members:
            dot = Text("●", style=self._page.seats.colour(member.title))
            seats.add_row(dot, self._page.seats.name(member.title), Text(f" {about.role(member)}", style="dim"))
        parts += [Text(), seats]
        if started.parent:
            parts += [Text(), Text(words.say("live-from", parent=parent_phrase(started.parent, words)), style="dim")]
        if documents:
            parts += [Text(), Text(words.say("live-read", documents=documents), style="dim")]
        title = words.say("show-title", message=about.resumed_at or 0)
        beneath = (one_line(about.runner), words.say("show-seed", seed=str(started.seed)), one_line(started.session))
        return Panel(
            Group(*parts),
            title=Text(title, style="dim"),
            title_align="left",
            subtitle=Text(" · ".join(beneath), style="dim"),
            subtitle_align="right",
            border_style="bright_black",
            padding=(0, 2),
            width=self._page.width,
        )

    def _print_verdict(self) -> None:
        verdict, self._verdict = self._verdict, None
        if verdict is not None:
            self._page.decision(self._told() if self._told else count_page(*verdict), verdict[1])
