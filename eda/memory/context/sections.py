"""The sections of a context: whole lines; and what they take of its tokens."""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from eda.events import Act, ActKind, CallMade, Line, MessagePosted, Summary
from eda.memory.context.acts import indented
from eda.text import quoted, rough_tokens, sentences


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a context."""

    name: str  # summaries, transcript, moderator, table, moments, recalled, notes or position.
    title: str
    lines: tuple[str, ...]  # Empty where nothing fitted.
    tokens: int

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
    if not shown and lines:
        begun = shortened(lines[wanted[0]] if len(wanted) else "", room - head - 1)
        shown = (begun,) if begun else ()
        used = head + sum(rough_tokens(len(line) + 1) for line in shown)
    return Section(name, title, shown, used if shown else 0)


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


def summary_text(summary: Summary, text: str = "") -> str:
    """Return a summary with its range; `text` is shown in place of its own."""
    return f"Messages {summary.first} to {summary.last}: {quoted(text or summary.text)}"


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
        return max(_STEP, round(self._counted / self._estimated / _STEP) * _STEP) if self.calls else 1.0

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


TITLE = "Recent messages"  # Of the transcript.
WINDOW = 15  # Messages with which a transcript begins anew, at most, where summaries cover all that is older.
LEAST = 5  # Those with which it begins where the budget allows.


def render_line(line: Line) -> str:
    """Return a message as quoted data. Its later lines are indented, so none can pass for another speaker's."""
    return f"[m{line.number}] {quoted(line.who)}: {quoted(line.text)}"


_STATED: tuple[ActKind, ...] = ("support", "oppose", "neutral", "withdraw")  # Of a text each stands once.


def in_force(acts: Sequence[Act]) -> list[Act]:
    """Return the acts of a message, of what its author stated anew the last alone.

    A condition that it states when asked stands beside the reason that it gave at first.
    """
    last = {(act.kind, act.on): act for act in acts if act.counted and act.kind in _STATED}
    reasons = {(act.kind, act.on): act.why for act in reversed(acts) if act.counted and act.why}
    kept = (act for act in acts if act is last.get((act.kind, act.on), act))
    return [replace(a, why=reasons.get((a.kind, a.on), a.why)) if a.asked and a.condition else a for a in kept]


@dataclass(slots=True)
class Kept:
    """A message as a prompt shows it."""

    line: Line
    acts: tuple[Act, ...] = ()  # What the message does, as the engine read it.
    begins: int = 0  # Rough tokens of all messages before it.
    text: str = field(init=False)
    tokens: int = field(init=False)  # Rough tokens, the line end included.

    def __post_init__(self) -> None:
        self.text = "\n".join((render_line(self.line), *indented(in_force(self.acts))))
        self.tokens = rough_tokens(len(self.text) + 1)


@dataclass(slots=True)
class Recent:
    """A queue of the last messages. One that a summary covers is dropped when the transcript begins after it."""

    count: int = 0  # Messages heard so far.
    covered: int = 0  # The last message that a summary covers.
    first: int = 1  # The first message of the transcript.
    _kept: deque[Kept] = field(default_factory=deque)
    _tokens: int = 0  # Rough tokens of all messages heard.

    def add(self, message: MessagePosted, acts: tuple[Act, ...] = ()) -> None:
        """Add the next message, with its acts in words."""
        newest = Kept(message.shown, acts, self._tokens)
        self._kept.append(newest)
        self._tokens += newest.tokens
        self.count = message.number
        self._drop_covered()

    def tell(self, number: int, acts: tuple[Act, ...]) -> None:
        """Show these acts below a message, if it is kept; a transcript that begins behind it counts them as well."""
        if self.first_kept <= number <= self.count:
            old = self._kept[number - self.first_kept]
            self._kept[number - self.first_kept] = new = replace(old, acts=acts)
            self._tokens += new.tokens - old.tokens

    def cover(self, last: int) -> None:
        """Note that summaries cover everything up to message `last`."""
        self.covered = max(self.covered, last)
        self._drop_covered()

    @property
    def first_kept(self) -> int:
        """The number of the first message kept in full; one more than the last message where none is."""
        return self._kept[0].line.number if self._kept else self.count + 1

    def lines(self, first: int, last: int) -> tuple[Line, ...]:
        """Return the kept messages from `first` to `last`."""
        return tuple(entry.line for entry in self._kept if first <= entry.line.number <= last)

    def texts(self, first: int, last: int) -> tuple[str, ...]:
        """Return the same messages, rendered."""
        return tuple(entry.text for entry in self._kept if first <= entry.line.number <= last)

    def last(self, messages: int) -> tuple[Line, ...]:
        """Return the last messages, oldest first."""
        return tuple(entry.line for entry in islice(self._kept, max(0, len(self._kept) - messages), None))

    def newest(self) -> Kept | None:
        """Return the last message; None before the first."""
        return self._kept[-1] if self._kept else None

    def usual_tokens(self) -> int:
        """Return the mean rough tokens of the kept messages; at least 1."""
        return max(1, (self._tokens - self._kept[0].begins if self._kept else 0) // max(1, len(self._kept)))

    def uncovered_tokens(self) -> int:
        """Return the rough tokens of the messages that no summary covers."""
        return self._tokens_from(self.covered + 1)

    def shown(self, room: int) -> tuple[Kept, ...]:
        """Return the transcript, oldest first; one that begins later, as `begin` would, where it does not fit."""
        begins = (self.first if self.tokens_shown <= room else self._start(room, room)) - self.first_kept
        return tuple(islice(self._kept, max(0, begins), None))

    @property
    def tokens_shown(self) -> int:
        """The rough tokens of the transcript."""
        return self._tokens_from(self.first)

    def _tokens_from(self, number: int) -> int:
        place = max(0, number - self.first_kept)
        return self._tokens - self._kept[place].begins if place < len(self._kept) else 0

    def begin(self, room: int, usual: int) -> None:
        """Have the transcript begin anew, within `room` rough tokens.

        It has all messages that no summary covers, half of `room` where they do not fit, so that it never moves message
        by message. Before them stand, up to `WINDOW` in all, those that fit into `usual` tokens, and at least `LEAST`.
        """
        self.first = self._start(room, usual)
        self._drop_covered()

    def _start(self, room: int, usual: int) -> int:
        room, first = room if self.uncovered_tokens() <= room else room // 2, self.count + 1
        for taken, entry in enumerate(reversed(self._kept), 1):
            tokens, number = self._tokens - entry.begins, entry.line.number
            wanted = number > self.covered or taken <= LEAST or (taken <= WINDOW and tokens <= usual)
            if tokens > room or not (wanted or entry.line.text.rstrip().endswith("?")):
                break
            first = number
            if not wanted:  # the question before the first message: an answer alone says little
                break
        return first

    def _drop_covered(self) -> None:
        first = min(self.first, self.covered + 1)
        while self._kept and self._kept[0].line.number < first:
            self._kept.popleft()
