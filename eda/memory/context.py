"""What memory puts in front of an agent: sections of whole lines, each with what was left out of it and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from eda.memory.tokens import rough_tokens
from eda.patterns import sentences
from eda.prompts import quoted
from eda.protocols import Line
from eda.records import Decision, Note, Proposal, Recalled, Summary

__all__ = [
    "NO_ROOM",
    "Context",
    "Section",
    "by_interest",
    "chosen",
    "decision_line",
    "note_line",
    "proposal_line",
    "recalled_line",
    "section_head",
    "shortened",
    "summary_text",
    "total",
]

NO_ROOM = "no room in the budget"


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a context."""

    name: str
    """summaries, transcript, moderator, decisions, proposals, moments, recalled, notes or position."""
    title: str
    lines: tuple[str, ...]
    """Empty where nothing of it fitted."""
    tokens: int
    left_out: int = 0
    """Items that were not shown."""
    why: str = ""
    """Why they were not."""

    @property
    def text(self) -> str:
        """Title and lines."""
        return f"## {self.title}\n" + "\n".join(self.lines)


@dataclass(frozen=True, slots=True)
class Context:
    """Sections in the order in which they are shown."""

    sections: tuple[Section, ...]
    """Those with something in them."""
    lines: tuple[Line, ...] = ()
    """The messages of the transcript section."""
    tokens: int = 0
    """Of all sections, estimated as the provider counts."""
    budget: int = 0
    dropped: tuple[Section, ...] = ()
    """Those of which nothing fitted."""

    @property
    def text(self) -> str:
        """All sections."""
        return "\n\n".join(section.text for section in self.sections)

    def section(self, name: str) -> Section | None:
        """The section of that name, where there is one."""
        return next((section for section in self.sections if section.name == name), None)


@lru_cache(maxsize=128)
def chosen(name: str, title: str, lines: tuple[str, ...], room: int, order: tuple[int, ...] | None = None) -> Section:
    """As many lines as `room` rough tokens hold, title included, shown in the order given.

    Taken from the last line backwards, or by `order` (places in `lines`, the most wanted first). A line that does not
    fit is skipped; where none fits, the most wanted is shown to the last sentence that does.
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
    kept = tuple(lines[place] for place in sorted(taken))
    left = len(lines) - len(kept)
    if not kept and lines:
        kept = _first_sentences(lines[wanted[0]] if len(wanted) else "", room - head)
        used = head + sum(rough_tokens(len(line) + 1) for line in kept)
    return Section(name, title, kept, used if kept else 0, left, NO_ROOM if left else "")


def section_head(title: str) -> int:
    """Rough tokens of a section's title and of the gap before it."""
    return rough_tokens(len(title) + 6)


def _first_sentences(line: str, room: int) -> tuple[str, ...]:
    short = shortened(line, room - 1)
    return (short,) if short else ()


def shortened(text: str, room: int) -> str:
    """The whole sentences at the beginning of `text` that fit into `room` rough tokens; a mark where more follows."""
    if rough_tokens(len(text)) <= room:
        return text
    most = room * 4 - len(_MORE)
    end = max((end for _, end in sentences(text[: max(0, most) + _AHEAD]) if end <= most), default=0)
    return text[:end] + _MORE if end else ""


_MORE = " [...]"
_AHEAD = 500
"""Characters looked at beyond the room: the sentence that is cut there ends later."""


def decision_line(decision: Decision) -> str:
    """A decision in one line, its own words last: nothing that they say can pass for what stands beside them."""
    claim = "claimed, not confirmed" if decision.status == "claimed" else ""
    by = f"by {_names(decision.supporters)}" if decision.supporters else ""
    beside = ", ".join(part for part in (by, claim, _corrected(decision)) if part)
    said = quoted(_headed(decision.topic, decision.outcome))
    return f"- {decision.id}{f' [{beside}]' if beside else ''}: {said}"


def _corrected(item: Decision | Proposal | Note) -> str:
    return f"corrected by {quoted(item.corrected)}" if item.corrected else ""


def _headed(topic: str, outcome: str) -> str:
    return outcome if not topic or topic in outcome else f"{topic}: {outcome}"


def proposal_line(proposal: Proposal) -> str:
    """A proposal with who stands where, in one line, its own words last."""
    stands = "; ".join(
        f"{label}: {_names(agents)}"
        for label, agents in (
            ("for", proposal.backers("support")),
            ("against", proposal.backers("oppose")),
            ("neutral", proposal.backers("neutral")),
        )
        if agents
    )
    beside = "; ".join(part for part in (stands, _corrected(proposal)) if part)
    return f"- {proposal.id} {quoted(proposal.proposer)}{f' [{beside}]' if beside else ''}: {quoted(proposal.content)}"


def note_line(note: Note) -> str:
    """A note in one line."""
    about = f" on {quoted(note.topic)}" if note.topic else ""
    beside = f" [{_corrected(note)}]" if note.corrected else ""
    return f"- [{note.importance}] {quoted(note.who)} (m{note.message}){about}{beside}: {quoted(note.text)}"


def recalled_line(item: Recalled) -> str:
    """A passage from earlier, as the transcript would show it."""
    return f"[m{item.message_id}] {quoted(item.who)}: {quoted(item.text)}"


def _names(agents: Iterable[str]) -> str:
    return ", ".join(map(quoted, agents))


@lru_cache(maxsize=128)
def summary_text(summary: Summary) -> str:
    """A summary with its range."""
    return f"Messages {summary.first} to {summary.last}: {quoted(summary.text)}"


def total(sections: Iterable[Section]) -> int:
    """Rough tokens of the sections."""
    return sum(section.tokens for section in sections)


def by_interest(lines: Sequence[str], interest: Sequence[float]) -> tuple[int, ...]:
    """Places in `lines`, the most interesting first; of equals the newest."""
    return tuple(sorted(range(len(lines) - 1, -1, -1), key=interest.__getitem__, reverse=True))
