"""Shared parts of the screens: consoles, colours by seat, hanging paragraphs, tables. Foreign text enters as `Text`."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from eda.cli.common import say
from eda.report.formatting import clean, one_line

INDENT = 5  # Columns before the text of a message, and before most other lines.
MEASURE = 96  # Maximum width of a paragraph, in columns; longer lines are hard to read.
# Lines shown of a text that is being written.
_TAIL = 6
# Characters, more than `_TAIL` lines hold.
_LATEST = 4096

# Mid-tones, readable on black and on white.
_COLOURS = [f"color({number})" for number in (32, 166, 35, 133, 136, 37, 168, 99, 70, 131)]

# Columns of the text before a tab, so that several such lines are aligned.
_NAMES = 21


class Colours:
    """A colour for each member by seat, so that a resumed debate keeps its colours."""

    def __init__(self, titles: Iterable[str]) -> None:
        self._colours = {one_line(title): _COLOURS[seat % len(_COLOURS)] for seat, title in enumerate(titles)}
        # The columns of the longest name.
        self.widest = max((Text(title).cell_len for title in self._colours), default=0)

    def colour(self, title: str) -> str:
        """Return the member's colour; the default colour for anybody else."""
        return self._colours.get(one_line(title), "default")

    def name(self, title: str, *, bold: bool = True) -> Text:
        """Return the member's name in its colour."""
        return Text(one_line(title), style=f"bold {self.colour(title)}" if bold else self.colour(title))

    def names(self, titles: Iterable[str]) -> Text:
        """Return several names, joined by commas."""
        return Text(", ").join(self.name(title, bold=False) for title in titles)


def console_for() -> Console:
    """Return a console for the output: with colours on a terminal, without in a pipe or under NO_COLOR."""
    terminal = Console(file=sys.stdout).is_terminal  # which a console works out anew for each line
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False, force_terminal=terminal)


@contextmanager
def paged(*, long: bool) -> Iterator[Console]:
    """Yield a console, whose output PAGER (default: `less`) shows where it is `long` and goes to a terminal."""
    console, command = console_for(), shlex.split(os.environ.get("PAGER", "less"))
    if not (long and console.is_terminal and command and shutil.which(command[0])):
        yield console
        return
    with console.capture() as captured:
        yield console
    env = {"LESS": "-FRX", **os.environ}  # as git has it: colours, and no waiting where all fits on the screen
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the pager's
    try:
        subprocess.run(command, input=captured.get().encode("utf-8", "replace"), env=env, check=False)  # noqa: S603 - the user's own
    finally:
        signal.signal(signal.SIGINT, before)


def prose(text: str, style: str = "") -> Text:
    """Return text of a model or a user, cleaned, with its line ends."""
    return Text(clean(text).strip(), style=style)


def last_lines(text: str, console: Console, width: int) -> list[Text]:
    """Return the last lines of a text that is being written; the text far above them is not laid out."""
    # In steps, so that the lines do not move with each word.
    return prose(text[max(0, len(text) // _LATEST - 1) * _LATEST :]).wrap(console, width)[-_TAIL:]


def line(console: Console, text: Text) -> None:
    """Print a paragraph at the margin; in a pipe as one line."""
    if console.is_terminal:
        console.print(text)
    else:
        _write(console, text.plain)


def _write(console: Console, plain: str) -> None:
    """Print a line without colour or wrapping, which would be slow for a long session."""
    console.file.write(f"{plain.expandtabs()}\n")


def under(console: Console, text: RenderableType, indent: int) -> None:
    """Print an indented paragraph, no wider than `MEASURE`; in a pipe, the lines of a text as they are."""
    if console.is_terminal or not isinstance(text, Text):
        console.print(Padding(text, (0, max(1, console.width - indent - MEASURE), 0, indent), expand=False))
        return
    for part in text.plain.split("\n"):
        _write(console, " " * indent + part if part else part)


def marked(mark: str | Text, text: Text) -> Table:
    """Return a mark, and text that wraps beside it."""
    row = Table.grid(padding=(0, 1))
    row.add_row(mark, text)
    return row


def columns(titles: Iterable[str], figures: Container[str], *, close: bool = False) -> Table:
    """Return an empty table with a head. Figures are aligned right; `close` leaves one blank between columns."""
    table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False, show_edge=False, collapse_padding=close)
    for title in titles:
        table.add_column(title, justify="right" if title in figures else "left")
    return table


def private_line(text: str) -> Table:
    """Return a line for the person at the terminal only; text after a tab wraps in a column of its own."""
    name, _, what = text.rpartition("\t")
    row = Table.grid(padding=(0, 2))
    row.add_column(no_wrap=True)
    row.add_column(no_wrap=bool(name), min_width=_NAMES if name else None)
    row.add_row(Text(say("screen-label", "to-you"), style="italic dim"), *map(prose, filter(None, (name, what))))
    return row


def print_rows(
    console: Console,
    titles: Iterable[str],
    rows: Iterable[Sequence[str]],
    figures: Container[str] = (),
    *,
    close: bool = False,
) -> None:
    """Print a table on a terminal; in a pipe a line a row, with tabs between its cells."""
    if not console.is_terminal:
        print_tabbed(console, rows)
        return
    table = columns(titles, figures, close=close)
    for row in rows:
        table.add_row(*(Text(one_line(cell)) for cell in row))
    console.print(table)


def print_tabbed(console: Console, rows: Iterable[Sequence[str]]) -> None:
    """Print a line a row, with tabs between its cells."""
    console.file.writelines("\t".join(map(one_line, row)) + "\n" for row in rows)
