"""What a search found: a message each on a terminal, a line each with tabs between the fields in a pipe."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from eda.records import Recalled
from eda.view.text import clean, one_line

__all__ = ["print_recalled"]


def print_recalled(found: Sequence[tuple[str, Recalled]], console: Console, *, named: bool) -> None:
    """The messages, best first; `named`: each with its session."""
    for session, item in found:
        where = [one_line(session)] if named else []
        if not console.is_terminal:
            line = "\t".join([*where, f"m{item.message_id}", one_line(item.who), one_line(item.text)])
            console.file.write(f"{line}\n")
            continue
        head = Text.assemble(
            *((f"{name}  ", "dim") for name in where),
            (f"m{item.message_id}  ", "dim"),
            (one_line(item.who), "bold"),
        )
        console.print(head)
        console.print(Padding(Text(clean(item.text)), (0, 0, 1, 2)))
