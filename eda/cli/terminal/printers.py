"""The two printers of entries: `Page` with rich, for a live debate and `eda show`; `PlainView` in lines, for a pipe.

What every screen needs to know of a debate is its `Sitting`. In which order they show what happens side by side,
`Order` says.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.text import Text

from eda.cli.common import say
from eda.cli.terminal.entries import Context
from eda.cli.terminal.entry import SEAT, SEAT_PLAIN, Entry, Pieces
from eda.cli.terminal.style import INDENT, MEASURE, Colours, line, marked, prose, under
from eda.cli.terminal.verdict import count_page, labelled
from eda.debate.prompts.documents import Reading
from eda.events import (
    ActsRead,
    BidsTaken,
    DecisionFound,
    Event,
    FloorGranted,
    MessagePosted,
    MessageWritten,
    PhaseStarted,
    ProposalMade,
    ReactionSeen,
    SessionEnded,
    SessionPaused,
    SessionStarted,
    SummaryWritten,
)
from eda.panels.persona import Persona
from eda.panels.settings import Settings
from eda.report.formatting import clean, one_line, role_of
from eda.report.phrases import asked_phrase, parent_phrase
from eda.report.verdict_words import Line
from eda.words import Words


class Sitting:
    """What a debate is about and who takes part."""

    def __init__(
        self,
        started: SessionStarted,
        *,
        members: tuple[Persona, ...] = (),
        settings: Settings | None = None,
        seats: Mapping[str, int] | None = None,
        runner: str = "",
        resumed_at: int | None = None,
        verbose: bool = False,
    ) -> None:
        """Describe a session that `started` so; the others are given where they are not the first ones.

        Args:
            started: The first fact of the session.
            members: Who sits now, in seat order.
            settings: Those at the resume; later changes are shown relative to these.
            seats: The seat of each member, by title.
            runner: Who answers, in words.
            resumed_at: The last message before a resume; None for a new debate.
            verbose: Screens also show the bids, why each has the floor, and the summaries.
        """
        first = {member.title: seat for seat, member in enumerate(started.members)}
        self.started = started
        self.members = members or started.members
        self.settings = settings or started.settings
        self.runner = runner or started.runner
        self.resumed_at = resumed_at
        self.verbose = verbose
        self._sides = {title: started.agenda.side(seat) for title, seat in (seats or first).items()}

    @property
    def asks_for(self) -> str:
        """What the question asks for, in words; empty of a transcript."""
        return asked_phrase(self.started, self.settings, self.settings.words)

    @property
    def reading(self) -> Reading:
        """What the panel has to read."""
        return Reading(self.started.documents)

    @property
    def people(self) -> frozenset[str]:
        """The titles of the people at the table."""
        return frozenset(member.title for member in self.members if member.person)

    @property
    def seats(self) -> str:
        """The members with their roles: `Ada (product manager), Ben (lawyer)`."""
        roles = [(one_line(member.title), self.role(member)) for member in self.members]
        return ", ".join(f"{title} ({role})" if role else title for title, role in roles)

    def role(self, member: Persona) -> str:
        """Return a member's role and the side it argues; no role if the members are anonymous."""
        role = "" if self.started.agenda.anonymous else role_of(member.role, self.settings.words)
        side = one_line(self._sides.get(member.title, ""))
        return ", ".join(filter(None, (role, self.settings.words.say("screen-argues", side=side) if side else "")))


Told = Callable[[], Mapping[str, Sequence[Line]]]  # Returns the page that tells a decision, part by part.


class Page:
    """Prints paragraphs on a console: wrapped on a terminal, a line each in a pipe."""

    def __init__(self, console: Console, seats: Colours, *, ruled: bool = False) -> None:
        """Print on `console`; `ruled` draws a line at each phase."""
        self.console = console
        self.seats = seats
        self.wraps = console.is_terminal
        self._ruled = ruled
        # A phase was the last that was printed.
        self._headed = False

    @property
    def width(self) -> int:
        """The columns of a paragraph at the margin; the width of a terminal can change."""
        return min(self.console.width, MEASURE + INDENT)

    def entry(self, entry: Entry) -> None:
        """Print an entry, but for what is no line of a terminal, and the verdict, laid out by the screen it is on."""
        if entry.layout in ("pipe", "verdict"):
            return
        words, mark = self._styled(entry.words), self._styled((entry.mark,))
        headed, self._headed = self._headed, entry.layout == "phase" and self._ruled
        match entry.layout:
            case "message":
                if not headed:
                    self.line(Text())
                mark.pad_left(max(0, INDENT - 1 - mark.cell_len))
                self.mark(mark, words, 0)
                self.item(prose(entry.body))
            case "phase":
                self.line(Text())
                if self._ruled:
                    self.console.print(Rule(words, align="left", style="bright_black"), width=self.width)
                else:
                    self.line(Text(f"— {words.plain}", style="dim"))
            case "vote":
                mark.pad_right(max(0, self.seats.widest - mark.cell_len) * self.wraps)
                self.mark(mark, words)
            case _ if mark:
                self.mark(mark, words)
            case _:
                self.item(words)

    def _styled(self, words: Pieces) -> Text:
        text = Text()
        for part, style in words:
            if style in (SEAT, SEAT_PLAIN):
                text.append_text(self.seats.name(part, bold=style == SEAT))
            else:
                text.append(part, style)
        return text

    def heading(self, title: str) -> None:
        """Begin a section."""
        self.line(Text())
        self.line(Text(title, style="bold underline" if self.wraps else ""))

    def line(self, text: Text) -> None:
        """Print a paragraph at the margin."""
        line(self.console, text)

    def item(self, part: RenderableType, indent: int = INDENT) -> None:
        """Print a paragraph, indented."""
        if part:
            under(self.console, part, indent)
        else:
            self.line(Text())

    def mark(self, mark: Text, text: Text, indent: int = INDENT) -> None:
        """Print a mark, and text that wraps beside it."""
        self.item(marked(mark, text) if self.wraps else Text.assemble(mark, " ", text), indent)

    def fact(self, name: str, text: Text) -> None:
        """Print a fact at the margin, beside its name."""
        self.mark(Text(f"{name:<7}", "dim"), text, 0)

    def decision(self, parts: Mapping[str, Sequence[Line]], words: Words) -> None:
        """Print the page that tells a decision: each part below its title."""
        for name, lines in parts.items():
            self.heading(words.say("report-title", name))
            for each in lines:
                label = words.say("verdict-label", kind=each.kind, of="") if each.kind != name else ""
                style = "bold" if each is lines[0] and name == "verdict" else "dim" if each.below else ""
                who = [self.seats.name(each.who), *[f" {each.does}"] * bool(each.does), ": " * bool(each.text)]
                text = Text.assemble(*(who if each.who else ()), (each.text, style))
                indent = INDENT + 3 * each.below
                self.mark(Text(label, style="dim"), text, indent) if label else self.item(text, indent)


# Events between two speeches.
_BETWEEN = (BidsTaken, FloorGranted, PhaseStarted, SessionPaused, SessionEnded)


class Order:
    """The order in which a screen shows events.

    Messages that are written side by side are shown as each is written, in seat order; sealed ones have their acts
    below them all, since these are read when the seal is broken. Where a person sits at the table, sealed messages and
    their acts are kept back until then. A summary waits for the end of the speech in which it comes.
    """

    def __init__(self, sitting: Sitting) -> None:
        self._blind = bool(sitting.people)
        # The number of the last message that was shown.
        self._shown = sitting.resumed_at or 0
        # Messages that are written, by number, and wait for those before them.
        self._written: dict[int, MessagePosted] = {}
        self._held: list[MessagePosted] = []
        # Messages are sealed: the next phase waits for their acts.
        self._sealed = False
        # The next phase, and summaries.
        self._waiting: list[Event] = []

    def after(self, event: Event) -> Iterator[Event]:
        """Yield what can be shown now that `event` has come, in the order in which it is shown."""
        phase_waits = any(isinstance(each, PhaseStarted) for each in self._waiting)
        match event:
            case ActsRead():
                held, self._held = self._held, [each for each in self._held if each.number > event.message]
                yield from (each for each in held if each.number <= event.message)
                yield event
            case DecisionFound() | ProposalMade() | ReactionSeen():
                yield event
            case PhaseStarted() if self._sealed:
                self._sealed = False
                self._waiting.append(event)
            case SummaryWritten():
                self._waiting.append(event)
            case MessagePosted() | MessageWritten():
                if phase_waits:
                    yield from self.rest()
                yield from self._messages(event)
            case _:
                if phase_waits or isinstance(event, _BETWEEN):
                    yield from self.rest()
                yield event

    def rest(self) -> list[Event]:
        """Return what was kept back, and keep nothing."""
        held, waiting = self._held, self._waiting
        self._held, self._waiting, self._sealed = [], [], False
        return [*held, *waiting]

    def _messages(self, event: MessagePosted | MessageWritten) -> Iterator[MessagePosted]:
        """Yield the messages that can be shown now, each once."""
        if isinstance(event, MessageWritten):
            self._written[event.message.number] = event.message
            while not self._blind and (ready := self._written.pop(self._shown + 1, None)):
                self._shown += 1
                yield ready
            return
        self._written.clear()  # where somebody passed, the others have other numbers now
        self._sealed = self._sealed or event.sealed
        if self._blind and event.sealed:
            self._held.append(event)
        elif event.number > self._shown:
            self._shown = event.number
            yield event


class PlainView:
    """Writes the lines of each event of a running debate."""

    def __init__(self, write: Callable[[str], None], sitting: Sitting, told: Told | None = None) -> None:
        """Write lines; `told` returns the page that tells a decision, else the count alone is told."""
        self._write, self._told = write, told
        roles = {member.title: sitting.role(member) for member in sitting.members}
        self._context = Context(sitting.settings, roles=roles, people=sitting.people, verbose=sitting.verbose)
        self._order = Order(sitting)
        for text in _opening_lines(sitting):
            write(text)

    def handle(self, event: Event) -> None:
        """Write the lines of one event; none for a kind that no screen shows."""
        for each in self._order.after(event):
            for entry in self._context.entries(each):
                for text in plain_lines(entry, self._context.words, self._told):
                    self._write(text)

    def show(self, text: str) -> None:
        """Write a line for the person at the terminal."""
        self._write(f"{say('screen-label', 'to-you')}: {text.expandtabs(20)}")


def plain_lines(entry: Entry, words: Words, told: Told | None = None) -> Iterator[str]:
    """Yield an entry's lines in a pipe; a verdict as `told`."""
    if entry.verdict is not None:
        page = told() if told else count_page(entry.verdict, words)
        yield from labelled((line for lines in page.values() for line in lines), words)
    elif entry.body:
        first, *others = filter(None, map(one_line, clean(entry.body).split("\n")))
        yield f"{entry.tag}: {first}"
        yield from (f"  {paragraph}" for paragraph in others)  # no line of a message begins where an act can
    else:
        yield one_line(f"{entry.tag}: {entry.text}" if entry.tag else entry.text)


def _opening_lines(sitting: Sitting) -> list[str]:
    """Return what is debated and by whom."""
    words, started = sitting.settings.words, sitting.started
    label = partial(words.say, "screen-label")
    lines = [f"{label('session')}: {one_line(started.session)}", f"{label('question')}: {one_line(started.question)}"]
    lines += [words.say("screen-asks-for", asks=sitting.asks_for)] if sitting.asks_for else []
    lines += [f"{label('from')}: {parent_phrase(started.parent, words)}"] if started.parent else []
    lines += [f"{label('option')}: {one_line(option)}" for option in started.options]
    lines += [f"{label('context')}: {one_line(name)}" for name in sitting.reading.named]
    runner = words.say("figure-seed", runner=sitting.runner, seed=str(started.seed))
    lines += [f"{label('panel')}: {sitting.seats}", f"{label('runner')}: {runner}"]
    if sitting.resumed_at is not None:
        lines.append(words.say("screen-resumed", at=f"m{sitting.resumed_at}"))
    return lines
