"""How a prompt came to be what it is: its sections, what each took, what was left out of each and why."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from eda.replay import Explained

__all__ = ["explained_json", "print_explained"]


def explained_json(made: Explained) -> dict[str, object]:
    """The same as plain JSON types."""
    return {
        "agent": made.agent,
        "budget": made.budget,
        "tokens": made.tokens,
        "estimated_from_calls": made.calls,
        "estimate_error": made.error,
        "sections": [
            {"name": p.name, "tokens": p.tokens, "shown": p.shown, "left_out": p.left_out, "why": p.why}
            for p in made.parts
        ],
    }


def print_explained(made: Explained, console: Console) -> None:
    """A row a section, in the order in which a model reads them."""
    rows = [_cells(part.name, part.tokens, part.shown, part.left_out, part.why) for part in made.parts]
    for line in (f"{made.tokens} tokens; what memory adds may take {made.budget}", _estimate(made)):
        console.print(Text(line))
    if not console.is_terminal:
        for row in rows:
            console.file.write("\t".join(row) + "\n")
        return
    table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False, show_edge=False)
    for title in ("section", "tokens", "shown", "left out", "why"):
        table.add_column(title, justify="right" if title in ("tokens", "shown", "left out") else "left")
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)


def _cells(name: str, tokens: int, shown: int, left_out: int, why: str) -> list[str]:
    return [name, str(tokens), str(shown), str(left_out) if left_out else "", why]


def _estimate(made: Explained) -> str:
    if made.error is None:
        return "estimated at four characters a token: no call has reported its tokens yet"
    return f"estimated from what {made.calls} calls reported, off by {made.error:.0%}"
