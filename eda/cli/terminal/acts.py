"""The acts of a message for a screen: what it puts on the table or takes off it, who stands where, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eda.events.acts import Act, ActKind
from eda.events.records import Move
from eda.memory.context.acts import act_line, act_parts, condition_of
from eda.report.formatting import one_line
from eda.words import ENGLISH, Words

_TEXTS: tuple[ActKind, ...] = ("propose", "amend", "join", "claim", "decide")
"""Acts whose words stay whole below prose."""
_LINE = 90
"""Characters of a line that several short acts share."""


def in_words(moves: Iterable[Move], words: Words) -> str:
    """Return moves as they were written, a line each: the text of a message that has no other."""
    lines = (act_line(Act(move.kind, move.target or "", text=move.text), words) for move in moves)
    return "\n".join(dict.fromkeys(map(one_line, lines)))


def in_brief(acts: Iterable[Act], said: str = "", *, alone: bool = False, words: Words = ENGLISH) -> list[str]:
    """Return the acts that change the table, with the reasons that the text of the message does not have itself.

    Short ones share a line: `supports p3.0, p4.0 (on a condition) · opposes p2.0: it costs too much`. `said` is the
    text of the message, `alone` that it is its moves in words.
    """
    lines = set(said.split("\n")) if alone else set[str]()
    text, stances, whole = one_line(said).casefold(), dict[str, list[str]](), list[str]()
    for act in acts:
        line, (head, own, rest) = one_line(act_line(act, words)), act_parts(act, words)
        again = _has(text, own) and (alone or not act.counted or act.kind not in _TEXTS)
        if line in lines or act.kind == "note" or (act.kind == "position" and (again or not act.tagged)):
            continue
        if act.kind == "position" and _has(text, act.text.partition(",")[0]):
            continue
        if act.counted and act.kind in ("support", "oppose", "neutral") and not act.end and (again or not own):
            verb = act_parts(Act(act.kind), words)[0]
            stances.setdefault(verb.rstrip(), []).append(f"{act.on}{_clause(act, words)}")
        else:
            whole.append(one_line(f"{head}{rest}") if again else line)
    return _joined([*whole, *(f"{verb} {', '.join(dict.fromkeys(texts))}" for verb, texts in stances.items())])


def _clause(act: Act, words: Words) -> str:
    """Return ` (on a condition)`, with the clause where the reason does not begin with it."""
    stated = (act.condition or "") if condition_of(act) in ("clause", "doubt") else ""
    return f" ({words.say('act-if', doubt=act.doubt, clause=stated)})" if act.conditional else ""


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
