"""What memory puts in front of an agent: sections in a fixed order, each whole lines, all within a budget of tokens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from eda.memory.transcript import estimate_tokens
from eda.prompts import quoted
from eda.protocols import Line
from eda.records import Decision, Note, Proposal, Summary

__all__ = ["Context", "Section", "decision_line", "fit", "note_line", "proposal_line", "summary_text"]


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a context."""

    name: str
    """summaries, transcript, decisions, proposals, notes or position."""
    title: str
    lines: tuple[str, ...]
    tokens: int
    left_out: int = 0
    """Items that did not fit."""

    @property
    def text(self) -> str:
        """Title and lines."""
        return f"## {self.title}\n" + "\n".join(self.lines)


@dataclass(frozen=True, slots=True)
class Context:
    """Sections with something in them, in the order in which they are shown."""

    sections: tuple[Section, ...]
    lines: tuple[Line, ...] = ()
    """The messages of the transcript section."""

    @property
    def text(self) -> str:
        """All sections."""
        return "\n\n".join(section.text for section in self.sections)

    @property
    def tokens(self) -> int:
        """Of all sections, estimated."""
        return sum(section.tokens for section in self.sections)

    def section(self, name: str) -> Section | None:
        """The section of that name, where there is one."""
        return next((section for section in self.sections if section.name == name), None)


@lru_cache(maxsize=64)
def fit(name: str, title: str, lines: tuple[str, ...], budget: int) -> Section | None:
    """As many of the last lines as fit into `budget` tokens, title included; None where not even one does."""
    used = estimate_tokens(title) + 1
    start = len(lines)
    while start:
        cost = estimate_tokens(lines[start - 1]) + 1
        if used + cost > budget:
            break
        used += cost
        start -= 1
    return Section(name, title, lines[start:], used, start) if start < len(lines) else None


def decision_line(decision: Decision) -> str:
    """A decision in one line."""
    claim = "claimed, not confirmed: " if decision.status == "claimed" else ""
    by = f" (by {', '.join(decision.supporters)})" if decision.supporters else ""
    return f"- {decision.id} {claim}{quoted(_headed(decision.topic, decision.outcome))}{by}"


def _headed(topic: str, outcome: str) -> str:
    return outcome if not topic or topic in outcome else f"{topic}: {outcome}"


def proposal_line(proposal: Proposal) -> str:
    """A proposal with who stands where, in one line."""
    stands = "; ".join(
        f"{label}: {', '.join(agents)}"
        for label, agents in (
            ("for", proposal.backers("support")),
            ("against", proposal.backers("oppose")),
            ("neutral", proposal.backers("neutral")),
        )
        if agents
    )
    return f"- {proposal.id} {proposal.proposer}: {quoted(proposal.content)}" + (f" [{stands}]" if stands else "")


def note_line(note: Note) -> str:
    """A note in one line."""
    return f"- [{note.importance}] {note.who} (m{note.message}): {quoted(note.text)}"


def summary_text(summary: Summary) -> str:
    """A summary with its range."""
    return f"Messages {summary.first} to {summary.last}: {quoted(summary.text)}"
