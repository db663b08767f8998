"""Rich's part of the house: colours by seat, hanging paragraphs, the verdict. Foreign text enters only as `Text`."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from eda.events import SideMessagePosted, VerdictReached
from eda.view.phrases import side_phrase
from eda.view.text import clean, messages, one_line
from eda.view.votes import (
    block_lines,
    choice_phrase,
    dissent_phrase,
    figure_phrase,
    is_ranked,
    outcome_phrase,
    rests_on,
    shift_phrase,
    tie_phrase,
    votes_phrase,
)

__all__ = [
    "MEASURE",
    "Colours",
    "columns",
    "console_for",
    "hanging",
    "last_lines",
    "line",
    "marked",
    "prose",
    "side_part",
    "told",
    "under",
    "verdict_parts",
]

MEASURE = 96
"""The longest line of prose, in columns: wider ones are hard to read."""
_TAIL = 6
"""Lines of a text being written that are shown."""
_LATEST = 4096
"""Characters: more than so many lines take."""

_COLOURS = (
    "color(32)",
    "color(166)",
    "color(35)",
    "color(133)",
    "color(136)",
    "color(37)",
    "color(168)",
    "color(99)",
    "color(70)",
    "color(131)",
)
"""Mid-tones that can be read on black and on white."""

_BAR = 24
_NAMES = 21
"""Columns of what stands before a tab, so that several such lines stand one below the other."""


class Colours:
    """A colour for each member, by seat, so that a resume paints the panel as before."""

    def __init__(self, titles: Iterable[str]) -> None:
        self._colours = {title: _COLOURS[seat % len(_COLOURS)] for seat, title in enumerate(titles)}

    def colour(self, title: str) -> str:
        """The member's colour; plain for anybody else."""
        return self._colours.get(title, "default")

    def name(self, title: str, *, bold: bool = True) -> Text:
        """The member's name in its colour."""
        return Text(one_line(title), style=f"bold {self.colour(title)}" if bold else self.colour(title))

    def names(self, titles: Iterable[str]) -> Text:
        """Several, joined by commas."""
        return Text(", ").join(self.name(title, bold=False) for title in titles)


def console_for() -> Console:
    """A console for the output: colours on a terminal, none in a pipe or under NO_COLOR."""
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False)


def prose(text: str, style: str = "") -> Text:
    """Foreign text, cleaned, line ends kept."""
    return Text(clean(text).strip(), style=style)


def last_lines(text: str, console: Console, width: int) -> list[Text]:
    """The end of a text that is still being written, as prose; what stands far above it is not looked at."""
    start = max(0, len(text) // _LATEST - 1) * _LATEST  # in steps, so that the lines do not move with each word
    return prose(text[start:]).wrap(console, width)[-_TAIL:]


def hanging(text: RenderableType, indent: int, width: int) -> Padding:
    """A paragraph under its heading, no wider than `MEASURE`."""
    return Padding(text, (0, max(1, width - indent - MEASURE), 0, indent), expand=False)


def line(console: Console, text: Text) -> None:
    """A paragraph at the margin; in a pipe one line, however long."""
    if console.is_terminal:
        console.print(text)
    else:
        _write(console, text.plain)


def _write(console: Console, plain: str) -> None:
    """A line without colour or width: to lay out each of a long session takes longer than to read it."""
    console.file.write(f"{plain.expandtabs()}\n")
    console.file.flush()


def under(console: Console, text: Text, indent: int) -> None:
    """A paragraph below its heading, `indent` columns in; in a pipe a line for each of the text."""
    if console.is_terminal:
        console.print(hanging(text, indent, console.width))
        return
    for part in text.plain.split("\n"):
        _write(console, " " * indent + part if part else part)


def marked(mark: str | Text, text: Text) -> Table:
    """A mark, and text that wraps beside it."""
    row = Table.grid(padding=(0, 1))
    row.add_row(mark, text)
    return row


def columns(titles: Iterable[str], figures: Container[str], *, close: bool = False) -> Table:
    """An empty table with a head; figures stand at the right, and `close` leaves one blank between columns, not two."""
    table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False, show_edge=False, collapse_padding=close)
    for title in titles:
        table.add_column(title, justify="right" if title in figures else "left")
    return table


def told(text: str) -> Table:
    """What whoever sits at the terminal is told, and nobody else; what stands behind a tab wraps under itself."""
    name, _, what = text.rpartition("\t")
    row = Table.grid(padding=(0, 2))
    row.add_column(no_wrap=True)
    row.add_column(no_wrap=bool(name), min_width=_NAMES if name else None)
    row.add_row(Text("to you", style="italic dim"), *map(prose, filter(None, (name, what))))
    return row


def side_part(said: SideMessagePosted) -> Table:
    """A word beside the panel, marked as such."""
    return marked(Text("✎", "dim"), Text.assemble((f"{side_phrase(said)}: ", "dim italic"), prose(said.text)))


def verdict_parts(verdict: VerdictReached, seats: Colours, width: int) -> list[RenderableType]:
    """The outcome, the votes as bars, dissent in the dissenters' words, what it rests on."""
    won = verdict.outcome is not None
    parts: list[RenderableType] = [
        Text(outcome_phrase(verdict), style="bold" if won else "bold yellow"),
        Text(votes_phrase(verdict), style="dim"),
    ]
    if is_ranked(verdict):
        parts += [Text(), *_ranking(verdict)]
    elif verdict.tally:
        parts += [Text(), *_tally(verdict, seats, width)]
    if verdict.tie:
        parts += [Text(), Text(tie_phrase(verdict), style="dim")]
    if blocks := [Text.assemble(choice, (f"  by {who}", "dim")) for choice, who in block_lines(verdict)]:
        parts += [Text(), Text("Blocked", style="bold"), *blocks]
    if verdict.dissent:
        parts += [Text(), Text("Dissent", style="bold")]
        for ballot in verdict.dissent:
            said = dissent_phrase(verdict, ballot)
            said = f"votes {said}" if said.startswith("for ") else said
            parts.append(Text.assemble(seats.name(ballot.agent), (f" {said}", "dim")))
            if ballot.reason:
                parts.append(Padding(Text(f"“{one_line(ballot.reason)}”"), (0, 0, 0, 2)))
    if verdict.evidence and not is_ranked(verdict):
        parts += [Text(), Text(f"Rests on {messages(verdict.evidence)}", style="dim")]
    return parts


def _ranking(verdict: VerdictReached) -> Sequence[RenderableType]:
    rows = []
    for place, choice in enumerate(verdict.order, 1):
        behind = rests_on(verdict, choice)
        figures = figure_phrase(verdict, choice) + (f", {behind}" if behind else "")
        style = "bold" if choice == verdict.outcome else ""
        said = Text.assemble((choice_phrase(choice), style), (f" · {figures}", "dim"))
        rows.append(marked(Text(f"{place}.", "dim"), said))
    return rows


def _tally(verdict: VerdictReached, seats: Colours, width: int) -> Sequence[RenderableType]:
    ordered = sorted(verdict.tally.items(), key=lambda row: -len(row[1]))
    most = max(1, *(len(voters) for _, voters in ordered))
    scale = min(_BAR, max(8, width // 5))
    rows: list[tuple[Text, Text]] = []
    for choice, voters in ordered:
        style = "bold" if choice == verdict.outcome else ""
        bar = "█" * round(len(voters) / most * scale)
        votes = Text.assemble((bar, "green" if choice == verdict.outcome else "bright_black"), f" {len(voters)}  ")
        votes.append_text(seats.names(voters))
        if moved := shift_phrase(verdict, choice):
            votes.append(f"  {moved}", "dim")
        rows.append((Text(one_line(choice), style=style), votes))
    if width >= 70 and all(len(choice.plain) <= 28 for choice, _ in rows):
        table = Table.grid(padding=(0, 2))
        for row in rows:
            table.add_row(*row)
        return [table]
    return [Group(choice, Padding(votes, (0, 0, 0, 2))) for choice, votes in rows]
