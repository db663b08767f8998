"""The acts of a message in brief: what it puts on the table or takes off it, and who stands where, without reasons."""

from __future__ import annotations

import re
from collections.abc import Iterable

from eda.report.formatting import shorten

_STANCE = re.compile(r"(supports|opposes|is undecided on) ([^\s:,]+)(, (?:on a|with a) condition)?")
_POSITION = re.compile(r"position: (?=[op]\d)(.*)")
_UNSAID = ("position", "notes: ")  # Beginnings of acts that change nothing on the table.
_WORDS = 40  # Characters of a position.


def in_brief(acts: Iterable[str]) -> list[str]:
    """Return the acts that change the table; stances and the position on one line, after the others.

    `supports p3.0, p4.0 (on a condition) · opposes p2.0 · position: o1`
    """
    whole, stances, position = list[str](), dict[str, list[str]](), list[str]()
    for act in acts:
        if (stance := _STANCE.match(act)) and "(not counted)" not in act:
            stances.setdefault(stance[1], []).append(stance[2] + (" (on a condition)" if stance[3] else ""))
        elif held := _POSITION.match(act):
            position = [f"position: {shorten(held[1], _WORDS)}"]
        elif not act.startswith(_UNSAID):
            whole.append(act)
    stands = [f"{verb} {', '.join(texts)}" for verb, texts in stances.items()]
    return [*whole, *filter(None, [" · ".join((*stands, *position))])]
