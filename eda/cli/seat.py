"""The seat of whoever sits at the terminal: what they are asked is shown, what they type goes where it belongs.

A line answers what was asked; where nothing was, it is said after the turn. The end of the input is the person leaving.
"""

from __future__ import annotations

import asyncio
import os
import string
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from rich.text import Text

from eda.cli.commands import Commands
from eda.cli.keys import LineEditor
from eda.debate import Debate
from eda.errors import EdaError
from eda.protocols import Prompt
from eda.runners.human import HumanRunner, persona_of
from eda.view.text import one_line

__all__ = ["TerminalSeat"]

_PROMPT = "> "


class TerminalSeat:
    """One person's seat. `editor` is None where their terminal, or a pipe, hands over whole lines."""

    def __init__(self, name: str, seconds: float | None = None) -> None:
        """Sit down; `seconds` is how long an answer may take, None for as long as it takes."""
        self.name = name
        self.runner = HumanRunner(self.ask, seconds=seconds)
        self.editor: LineEditor | None = None
        self.show: Callable[[str], None] = print
        """Prints a line for the person."""
        self.changed: Callable[[], None] = lambda: None
        """Called where what is being typed has changed."""
        self._seconds = seconds
        self._debate: Debate | None = None
        self._commands: Commands | None = None
        self._title = name
        self._asked: Prompt | None = None
        self._answer: asyncio.Future[str] | None = None
        self._vote = ""
        """Given before the ballot."""
        self._gone = False

    def sit(self, debate: Debate) -> None:
        """Take the seat that has this person's name."""
        self._debate = debate
        wanted = persona_of(self.name).name
        self._title = next((m.title for m in debate.members if m.person and m.name == wanted), self.name)
        self._commands = Commands(debate, self._title, self.show, self.vote)
        debate.inbox.refused = self.show

    async def ask(self, prompt: Prompt) -> str:
        """What the person answers; empty where they pass."""
        if self._vote and prompt.purpose == "ballot":
            kept, self._vote = self._vote, ""
            if self._gone:
                self._leave()
            return kept
        if self._gone:
            return ""
        for line in self._question(prompt):
            self.show(line)
        self._asked, self._answer = prompt, asyncio.get_running_loop().create_future()
        try:
            return await self._answer
        except asyncio.CancelledError:
            self.show("your time is up, or the debate has stopped; what you typed is still there")
            raise
        finally:
            self._asked = self._answer = None
            self.changed()

    def line(self, text: str) -> None:
        """Take a line that was typed."""
        try:
            if text.startswith("/") and not text.startswith("//"):
                assert self._commands is not None
                if text.split(maxsplit=1)[0] == "/next":
                    self._reply("")  # whoever wants to move on has nothing to add
                self._commands.run(text.strip())
                return
            text = text.removeprefix("/") if text.startswith("//") else text
            if not self._reply(text) and text.strip() and self._debate is not None:
                self._debate.say(text, self._title)
        except EdaError as error:
            self.show(f"{error}. {error.hint}".strip())

    def vote(self, text: str) -> None:
        """Answer a ballot or poll, or keep the vote until there is one."""
        if self._asked is not None and self._asked.purpose in ("ballot", "poll"):
            self._reply(text)
        elif len(text) == 1:
            self.show("the choices have their letters when the ballot comes; vote in words, or wait for it")
        else:
            self._vote = text
            self.show(f"kept for the ballot: {text}")

    def left(self) -> None:
        """The input is at its end."""
        self._gone = True
        self._reply("")
        if not self._vote:
            self._leave()

    @property
    def unsent(self) -> str:
        """What was typed and not sent."""
        return self.editor.text.strip() if self.editor is not None else ""

    def below(self, width: int) -> Text | None:
        """The line that is being typed, for the bottom of the screen."""
        if self.editor is None or self._gone:
            return None
        before, under, after = self.editor.shown(width - len(_PROMPT))
        style = "bold yellow" if self._asked is not None else "dim"
        return Text.assemble((_PROMPT, style), before, (under, "reverse"), after, no_wrap=True)

    def read(self, data: bytes) -> None:
        """Take what was read from a terminal that hands over each key."""
        assert self.editor is not None
        for line in self.editor.feed(data):
            if line is None:
                self.left()
            else:
                self.line(line)
        self.changed()

    def _reply(self, text: str) -> bool:
        if self._answer is None or self._answer.done():
            return False
        self._answer.set_result(text)
        return True

    def _leave(self) -> None:
        if self._debate is not None and self._debate.progress.ended is None:
            with suppress(EdaError):
                self._debate.mute(self._title, self._title)

    def _question(self, prompt: Prompt) -> Iterator[str]:
        time = f" within {self._seconds:g} s" if self._seconds is not None else ""
        seat = "" if self._title == self.name else f"as {self._title}: "  # among anonymous members
        match prompt.purpose:
            case "ballot" | "poll":
                what = "your vote" if prompt.purpose == "ballot" else "in private: where do you stand"
                yield f"{seat}{what}?{time}"
                for letter, choice in zip(string.ascii_uppercase, prompt.options, strict=False):
                    yield f"  {letter}. {one_line(choice)}"
                many = ", or several in order (B > A)" if prompt.purpose == "ballot" else ""
                yield f"a letter{many}; Enter abstains"
                if prompt.attempt % 2 == 0:
                    yield "that was none of the choices; once more"
            case _ if prompt.stage == "opening":
                what = "your opening" if prompt.phase == "opening" else f"your word ({prompt.phase})"
                yield f"{seat}{what}{time}; nobody hears it before all are done. Enter passes"
            case _:
                yield f"{seat}you have the floor{time} ({prompt.phase}). Enter passes"


@contextmanager
def listening(seat: TerminalSeat) -> Iterator[None]:
    """Read the standard input into a seat, for as long as a debate runs in this loop."""
    loop = asyncio.get_running_loop()
    stream = sys.stdin
    if stream is None or stream.closed:
        seat.left()
        yield
        return
    number = stream.fileno()
    lines = _Lines(seat)

    def take() -> None:
        try:
            data = os.read(number, 65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            loop.remove_reader(number)
            lines.end()
        elif seat.editor is not None:
            seat.read(data)
        else:
            lines.feed(data)

    try:
        loop.add_reader(number, take)
    except (PermissionError, OSError):  # a file is always ready, and no loop waits for it
        lines.feed(stream.buffer.read())
        lines.end()
        yield
        return
    try:
        yield
    finally:
        loop.remove_reader(number)


class _Lines:
    """Whole lines of a pipe, or of a terminal that edits them itself."""

    def __init__(self, seat: TerminalSeat) -> None:
        self._seat = seat
        self._rest = b""

    def feed(self, data: bytes) -> None:
        """Take a piece of the input."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._seat.line(line.decode("utf-8", "replace").rstrip("\r"))

    def end(self) -> None:
        """The input is at its end; a last line without an end counts."""
        if self._rest:
            self.feed(b"\n")
        self._seat.left()


@contextmanager
def keys(seat: TerminalSeat) -> Iterator[None]:
    """Have the terminal hand over each key, unechoed, and give it back as it was; Ctrl-C stays what it is."""
    try:
        import termios
    except ImportError:  # no such terminals there: it hands over lines
        yield
        return
    number = sys.stdin.fileno()
    before: list[Any] = termios.tcgetattr(number)
    plain = [*before]
    plain[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(number, termios.TCSADRAIN, plain)
    seat.editor = LineEditor()
    sys.stdout.write("\x1b[?2004h")  # text that is pasted comes marked
    sys.stdout.flush()
    try:
        yield
    finally:
        sys.stdout.write("\x1b[?2004l")
        sys.stdout.flush()
        termios.tcsetattr(number, termios.TCSADRAIN, before)
