"""How a prompt came to be what it is: its sections, what each took, what was left out of each and why."""

from __future__ import annotations

from dataclasses import asdict

from rich.console import Console
from rich.text import Text

from eda.briefing import Part
from eda.replay import Explained
from eda.view.style import columns

__all__ = ["explained_json", "print_explained"]

_FIGURES = ("tokens", "shown", "left out")


def explained_json(made: Explained) -> dict[str, object]:
    """The same as plain JSON types."""
    return {
        "agent": made.agent,
        "budget": made.budget,
        "tokens": made.tokens,
        "estimated_from_calls": made.calls,
        "estimate_error": made.error,
        "sections": [asdict(part) for part in made.parts],
    }


def print_explained(made: Explained, console: Console) -> None:
    """A row a section, in the order in which a model reads them."""
    rows = [_cells(part) for part in made.parts]
    for line in (f"{made.tokens} tokens; what memory adds may take {made.budget}", _estimate(made)):
        console.print(Text(line))
    if not console.is_terminal:
        for row in rows:
            console.file.write("\t".join(row) + "\n")
        return
    table = columns(("section", *_FIGURES, "why"), _FIGURES)
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)


def _cells(part: Part) -> list[str]:
    return [part.name, str(part.tokens), str(part.shown), str(part.left_out or ""), part.why]


def _estimate(made: Explained) -> str:
    if made.error is None:
        return "estimated at four characters a token: no call has reported its tokens yet"
    return f"estimated from what {made.calls} calls reported, off by {made.error:.0%}"
