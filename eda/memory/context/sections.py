"""The sections of a context: whole lines, the number of those left out, and why; and what they take of its tokens."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from eda.events import CallMade
from eda.events.records import Line, Summary
from eda.text import quoted, rough_tokens, sentences

NO_ROOM = "no room in the budget"


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a context."""

    name: str  # summaries, transcript, moderator, table, moments, recalled, notes or position.
    title: str
    lines: tuple[str, ...]  # Empty where nothing fitted.
    tokens: int
    left_out: int = 0  # Items not shown.
    why: str = ""  # Why they are not shown.

    @property
    def text(self) -> str:
        """Title and lines."""
        return f"## {self.title}\n" + "\n".join(self.lines)


@dataclass(frozen=True, slots=True)
class Context:
    """Sections in the order in which they are shown."""

    sections: tuple[Section, ...]  # The sections with at least one line.
    lines: tuple[Line, ...] = ()  # The messages of the transcript section.
    tokens: int = 0  # Tokens of all sections, corrected to the provider's count.
    dropped: tuple[Section, ...] = ()  # The sections of which nothing fitted.

    @property
    def text(self) -> str:
        """The text of all sections."""
        return "\n\n".join(section.text for section in self.sections)

    def section(self, name: str) -> Section | None:
        """Return the section of that name; None where there is none."""
        return next((section for section in self.sections if section.name == name), None)


def in_parts(*sections: Section | None) -> tuple[str, ...]:
    """Return sections as parts of a prompt: summaries and messages one by one, since others follow; the rest whole."""
    parts: list[str] = []
    for section in sections:
        if section is not None and section.lines:
            one_by_one = section.name in ("summaries", "transcript")
            first, *further = section.lines
            parts += (f"## {section.title}\n{first}", *further) if one_by_one else (section.text,)
    return tuple(parts)


@lru_cache(maxsize=128)
def chosen(name: str, title: str, lines: tuple[str, ...], room: int, order: tuple[int, ...] | None = None) -> Section:
    """Return a section with as many lines as fit into `room` rough tokens, title included, in the order given.

    Lines are chosen from the last one backwards, or by `order` (places in `lines`, the most wanted first). A line that
    does not fit is skipped. Where none fits, the section has the first sentences of the most wanted line.
    """
    wanted = range(len(lines) - 1, -1, -1) if order is None else order
    used = head = section_head(title)
    taken: list[int] = []
    costs = [rough_tokens(len(line) + 1) for line in lines]
    for place in wanted:
        cost = costs[place]
        if used + cost <= room:
            used += cost
            taken.append(place)
    shown = tuple(lines[place] for place in sorted(taken))
    left = len(lines) - len(shown)
    if not shown and lines:
        begun = shortened(lines[wanted[0]] if len(wanted) else "", room - head - 1)
        shown = (begun,) if begun else ()
        used = head + sum(rough_tokens(len(line) + 1) for line in shown)
    return Section(name, title, shown, used if shown else 0, left, NO_ROOM if left else "")


def section_head(title: str) -> int:
    """Return the rough tokens of a section's title and of the gap before it."""
    return rough_tokens(len(title) + 6)


def shortened(text: str, room: int) -> str:
    """Return the first whole sentences of `text` that fit into `room` rough tokens, with a mark where more follows."""
    if rough_tokens(len(text)) <= room:
        return text
    most = room * 4 - len(_MORE)
    end = max((end for _, end in sentences(text[: max(0, most) + _AHEAD]) if end <= most), default=0)
    return text[:end] + _MORE if end else ""


_MORE = " [...]"
_AHEAD = 500  # Characters read beyond the room, to see where the last sentence ends.


def summary_text(summary: Summary) -> str:
    """Return a summary with its range."""
    return f"Messages {summary.first} to {summary.last}: {quoted(summary.text)}"


_FORGETS = 0.85  # Weight of a call relative to the next one: another model or language is learned within ten calls.
_FAR = 4
_STEP = 0.02  # The correction moves in steps, so that not every call changes every budget and prompt.


@dataclass(slots=True)
class TokenEstimate:
    """A fold over `CallMade`: counted tokens over estimated ones, the newest calls weighing most."""

    calls: int = 0  # Calls learned from.
    _counted: float = 0.0
    _estimated: float = 0.0
    _missed: float = 0.0
    _weight: float = 0.0

    def learn(self, call: CallMade) -> bool:
        """Learn from a counted call, but not from a question asked aside; return whether the ratio has changed."""
        counted = call.prompt_tokens
        if not call.characters or not counted or call.purpose == "ask":
            return False
        rough, before = rough_tokens(call.characters), self.ratio
        # No tokenizer is that far off: such a server counts only uncached tokens, or counts wrongly.
        counted = min(max(counted, rough // _FAR), rough * _FAR)
        self._missed = self._missed * _FORGETS + abs(rough * before - counted) / counted
        self._weight = self._weight * _FORGETS + 1
        self._counted = self._counted * _FORGETS + counted
        self._estimated = self._estimated * _FORGETS + rough
        self.calls += 1
        return self.ratio != before

    @property
    def ratio(self) -> float:
        """Counted tokens per estimated token; 1 before the first call."""
        if not self.calls:
            return 1.0
        return max(_STEP, round(self._counted / self._estimated / _STEP) * _STEP)

    @property
    def error(self) -> float | None:
        """The mean error of the latest calls as a share of the counted tokens (0.05: 5 %); None before the first."""
        return self._missed / self._weight if self._weight else None

    def of(self, text: str) -> int:
        """Return the tokens of a text."""
        return self.corrected(rough_tokens(len(text)))

    def corrected(self, rough: int) -> int:
        """Return the corrected value of a rough estimate, rounded up."""
        return math.ceil(rough * self.ratio - 1e-9)

    def affordable(self, budget: int) -> int:
        """Return the rough tokens that fit into a budget of counted ones."""
        return int(budget / self.ratio)
