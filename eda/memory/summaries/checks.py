"""Checks of a summary: what must be in it, and what must not.

It must tell of each confirmed decision, open declared proposal and open question of its range. What a model leaves out
in its second draft too is added as a list, and what its messages do not say is taken out: no fact depends on the care
of a model. Its length is asked for, and cut where it is far too long; a summary is not refused for it.
"""

from __future__ import annotations

from collections.abc import Iterable

from eda.events.records import Line, Summary
from eda.memory.summaries.grounds import groundless, without_groundless
from eda.memory.summaries.summary_input import Item, SummaryInput, figures, length, mentions, parts, shortened
from eda.panels.settings import SummaryStyle
from eda.text import unbroken

CONCISE = 160  # Words that a concise summary is asked to have.
CONSERVATIVE = 600
"""Words that a conservative summary is asked to have; fewer where its source has fewer, but at least `CONCISE`."""
LEEWAY = 100  # Words beyond those from which a summary is cut.
_UNRESOLVED = "[UNRESOLVED]"
_ASKED_KEPT = 4  # Newest open questions that a fold must keep.


def asked_words(summary_input: SummaryInput, style: SummaryStyle) -> int:
    """Return the number of words that the summary is asked to have at most."""
    if style == "concise":
        return CONCISE
    texts = [line.text for line in summary_input.lines] + [source.text for source in summary_input.sources]
    return max(CONCISE, min(CONSERVATIVE, sum(map(length, texts))))


def complaints(text: str, summary_input: SummaryInput, style: SummaryStyle) -> tuple[str, ...]:
    """Return the faults of a summary, a line each."""
    lacking = (f"It lacks: {line}" for line in _missing(text, summary_input, style))
    return (*groundless(text, summary_input), *lacking)


def mended(text: str, summary_input: SummaryInput, style: SummaryStyle) -> str:
    """Return the summary without what its messages do not say, cut to its length, and a list of what it lacks.

    The list has at most as many words again. Returns an empty text where nothing of the summary is left.
    """
    words = asked_words(summary_input, style) + LEEWAY
    text = shortened(without_groundless(text, summary_input), words)
    lacking = _missing(text, summary_input, style)
    if not lacking or not text:
        return text
    listed: list[str] = []
    for line in lacking:
        words -= length(line)
        if words < 0:
            break
        listed.append(f"\n- {line}")
    left = len(lacking) - len(listed)
    return f"{text}\nAlso:{''.join(listed)}" + (f"\n- and {left} more that are not told here." if left else "")


def _missing(text: str, summary_input: SummaryInput, style: SummaryStyle) -> list[str]:
    lost = [item.line for item in summary_input.required if not mentions(text, item)]
    lost += [
        line
        for line in unresolved(summary_input.sources)
        if line not in text and not mentions(text, Item("question", 0, "", line))
    ]
    if style == "conservative":
        known = "\n".join((text, *lost))
        lost += _lost_figures(known, summary_input.lines)
        known = "\n".join((text, *lost))
        lost += _lost_names(known, summary_input.lines)
    return lost


def unresolved(sources: Iterable[Summary]) -> list[str]:
    """Return the last open questions in summaries, oldest first."""
    lines = (line.removeprefix("- ").strip() for source in sources for line in source.text.splitlines())
    return list(dict.fromkeys(line for line in lines if _UNRESOLVED in line))[-_ASKED_KEPT:]


def _lost_figures(text: str, lines: Iterable[Line]) -> list[str]:
    known, lost = figures(text), []
    for line in lines:
        for part in parts(line.text):
            new = figures(part) - known
            if new:
                known |= new
                lost.append(part_line(line, part))
    return lost


def _lost_names(text: str, lines: Iterable[Line]) -> list[str]:
    first_words = {line.who: parts(line.text)[:1] for line in reversed(list(lines))}
    named = text.casefold()
    silent = {who for who in first_words if not any(name in named for name in _names(who, first_words))}
    return [
        part_line(line, first_words[line.who][0] if first_words[line.who] else "(nothing that can be told)")
        for line in {line.who: line for line in reversed(list(lines))}.values()
        if line.who in silent
    ]


def _names(who: str, all_names: Iterable[str]) -> list[str]:
    """Return the names of a speaker: the whole one, and its first word where no other name begins with it."""
    first = who.partition(" ")[0]
    alone = sum(other.partition(" ")[0] == first for other in all_names) == 1
    return [who.casefold(), *([first.casefold()] if alone and len(first) > 2 and first.lower() != "the" else [])]


def part_line(line: Line, part: str) -> str:
    """Return a part of a message as a summary tells it."""
    return f"{line.who} (m{line.number}): {unbroken(part)}"
