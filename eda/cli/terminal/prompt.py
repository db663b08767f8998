"""The line that a person types below a running debate, edited by prompt_toolkit, which owns the screen's last lines."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from prompt_toolkit import ANSI, PromptSession
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout.dimension import Dimension, to_dimension
from prompt_toolkit.output import create_output
from prompt_toolkit.output.vt100 import Vt100_Output

from eda.cli.terminal.human_seat import TerminalSeat

# What stands before the line: while a question is open, and else.
_ASKED, _FREE = "\x1b[1;33m> \x1b[0m", "\x1b[2m> \x1b[0m"
# Seconds between two drawings of what stands above the line.
_REFRESH = 0.2
# Lines of what is typed that are shown; a longer text scrolls.
_LINES = 8
# Lines of the list of completions.
_MENU = 4


class PromptLine:
    """Passes finished lines to a seat. Alt-Enter begins a new line, Tab completes names, ids and commands."""

    def __init__(self, seat: TerminalSeat) -> None:
        self._seat = seat
        # Returns the lines above the typed one, with their colours.
        self.above: Callable[[], str] = str
        keys = KeyBindings()
        keys.add("c-c", eager=True)(lambda _: signal.raise_signal(signal.SIGINT))
        keys.add("escape", "enter")(lambda event: event.current_buffer.insert_text("\n"))
        keys.add("c-d", filter=Condition(lambda: not self.text))(lambda _: seat.left())
        keys.add(Keys.Any, eager=True, filter=Condition(lambda: seat.over))(lambda _: None)
        output = create_output()
        if isinstance(output, Vt100_Output):
            output.enable_cpr = False  # a late answer of the terminal would be typed into the shell
        self._session = PromptSession[str](
            lambda: ANSI(self.above() + ("" if seat.over else _ASKED if seat.asked else _FREE)),
            completer=WordCompleter(seat.words, ignore_case=True, WORD=True),
            complete_while_typing=False,
            enable_suspend=True,
            erase_when_done=True,
            key_bindings=keys,
            output=output,
            refresh_interval=_REFRESH,
            reserve_space_for_menu=_MENU,
        )
        self._session.default_buffer.accept_handler = self._take
        typed = self._session.layout.current_window
        own = typed.height
        typed.height = lambda: Dimension(min=to_dimension(own).min, max=_LINES)

    @property
    def text(self) -> str:
        """The line that was typed and not sent."""
        return self._session.default_buffer.text

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Edit lines while the body runs."""
        editing = asyncio.ensure_future(self._edit())
        try:
            yield
        finally:
            editing.cancel()
            await asyncio.gather(editing, return_exceptions=True)

    async def _edit(self) -> None:
        try:
            await self._session.prompt_async(handle_sigint=False, set_exception_handler=False)
        except EOFError:  # the terminal was closed
            self._seat.left()

    def _take(self, line: Buffer) -> bool:
        """Pass a line on; return False, so that it makes room for the next one."""
        self._seat.line(line.text)
        return False
