"""The acts of a message for a screen: what it puts on the table or takes off it, who stands where, and why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from eda.events.records import Move, MoveKind
from eda.report.formatting import one_line

_STANCE = re.compile(
    r"""(supports|opposes|is undecided on) ([^\s:,]+)(, on a condition(?: \(("[^"]*")\))?)?(?=: |\Z)"""
)
_UNSAID = ("position, read", "notes: ")  # Beginnings of acts that change nothing on the table.
_TEXTS = ("proposes ", "amends ", "joins ", "claims", "decides")  # Acts whose words stay whole below prose.
_LOST = re.compile(r"(\[[^]]*\]) (.+)( \(not counted\))")
_LINE = 90
"""Characters of a line that several short acts share."""
_VERBS: dict[MoveKind, str] = {
    "propose": "proposes",
    "amend": "amends",
    "support": "supports",
    "oppose": "opposes",
    "neutral": "is undecided on",
    "withdraw": "withdraws",
    "position": "position",
    "deny": "denies",
    "note": "notes",
}


def in_words(moves: Iterable[Move]) -> str:
    """Return moves as they were written, a line each: the text of a message that has no other."""
    lines = (f"{_VERBS[move.kind]} {move.target or ''}".strip() + f": {move.text}" * bool(move.text) for move in moves)
    return "\n".join(dict.fromkeys(map(one_line, lines)))


def in_brief(acts: Iterable[str], said: str = "", *, alone: bool = False) -> list[str]:
    """Return the acts that change the table, with the reasons that the text of the message does not have itself.

    Short ones share a line: `supports p3.0, p4.0 (on a condition) · opposes p2.0: it costs too much`. `said` is the
    text of the message, `alone` that it is its moves in words.
    """
    lines = set(said.split("\n")) if alone else set[str]()
    text, stances, whole = one_line(said).casefold(), dict[str, list[str]](), list[str]()
    for act in (act for act in acts if act not in lines and not act.startswith(_UNSAID)):
        stance = _STANCE.match(act)
        head, words = (stance[0], act[stance.end() + 2 :]) if stance else (act.partition(": ")[::2])
        if lost := _LOST.match(act):
            whole.append(_LOST.sub(r"\1\3", act) if _has(text, lost[2]) else act)
            continue
        again = _has(text, words) and (alone or not act.startswith(_TEXTS))
        if head == "position" and (again or _has(text, words.partition(", because ")[0])):
            continue
        if (again or not words) and stance:
            clause = f" (on a condition{f': {stance[4]}' * bool(stance[4])})" if stance[3] else ""
            stances.setdefault(stance[1], []).append(stance[2] + clause)
        else:
            whole.append(head if again else act)
    return _joined([*whole, *(f"{verb} {', '.join(dict.fromkeys(texts))}" for verb, texts in stances.items())])


def _has(text: str, words: str) -> bool:
    """Return whether a text in small letters has these words."""
    return bool(words) and words.casefold().rstrip(" .") in text


def _joined(acts: Sequence[str]) -> list[str]:
    """Return the acts on as few lines as have room for them whole, in order."""
    lines: list[str] = []
    for act in acts:
        if lines and len(lines[-1]) + len(act) + 3 <= _LINE:
            lines[-1] += f" · {act}"
        else:
            lines.append(act)
    return lines
