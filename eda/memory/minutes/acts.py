"""Acts: what a message does, whoever read it. Each reader turns its own source into acts; the ledger applies them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, cast

from eda.events import MessagePosted
from eda.events.records import Quote, Reaction, Source, Stance
from eda.memory.patterns.extract import Finding
from eda.text import clean

ActKind = Literal[
    "propose", "amend", "support", "oppose", "neutral", "withdraw", "position", "claim", "deny", "question", "note"
]
STANCES = ("support", "oppose", "neutral")
TAKES_BACK = "takes-back-claim"
DENIALS = frozenset(["denies-agreement", TAKES_BACK])  # Patterns that deny that something was decided.
LONGEST = 1000  # Characters kept of a declared text, which members vote on as a whole.
_OF_KIND = {"decision": "claim", "proposal": "propose", "withdrawal": "withdraw"}
"""The acts that are called otherwise than the findings."""


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that a message does."""

    kind: ActKind
    message: int
    agent: str
    text: str  # The wording of what is proposed, claimed or held; the reason of a reaction, a withdrawal or a denial.
    target: str  # What it is about, as written; empty if the source has no such field.
    source: Source
    quote: Quote  # The words that express it.
    place: str  # Where in the message it stands: `.0` for the first move, `@140` for an offset. Ids of items end in it.
    confidence: float = 1.0
    pattern: str = ""
    cue: float = 1.0  # Confidence of the pattern alone, without its surroundings.
    written: bool = True  # True for a form that people type on purpose, False for a turn of speech.

    @property
    def stance(self) -> Stance:
        """What it means for the item that it is about: a denial opposes it, and a text put again supports it."""
        return cast("Stance", self.kind) if self.kind in STANCES else "oppose" if self.kind == "deny" else "support"

    def reaction(self, to: str | None, answered: int | None, link: str, score: float) -> Reaction:
        """Return the reaction that it is, linked to a proposal or message."""
        why = self.text if self.source == "declared" and self.kind in STANCES else ""
        return Reaction(
            self.message, self.agent, self.stance, to, answered, self.quote, self.source, self.pattern, score, link, why
        )


def acts_of_moves(message: MessagePosted) -> list[Act]:
    """Return the declared moves of a message as acts, in order."""
    return [
        Act(
            kind=move.kind,
            message=message.number,
            agent=message.who,
            text=clean(move.text, LONGEST) if move.kind in ("propose", "amend") else move.text,
            target=move.target or "",
            source="declared",
            quote=Quote(message.number, message.moves_at or 0, len(message.text), move.text),
            place=f".{order}",
        )
        for order, move in enumerate(message.moves)
    ]


def acts_of_findings(message: MessagePosted, findings: Iterable[Finding]) -> list[Act]:
    """Return what patterns found in the free text of a message as acts, in order."""
    return [
        Act(
            kind="deny" if finding.pattern in DENIALS else cast("ActKind", _OF_KIND.get(finding.kind, finding.kind)),
            message=message.number,
            agent=message.who,
            text=finding.topic,
            target="",
            source="pattern",
            quote=Quote(message.number, finding.start, finding.end, finding.sentence),
            place=f"@{finding.start}",
            confidence=finding.confidence,
            pattern=finding.pattern,
            cue=finding.cue,
            written=finding.written,
        )
        for finding in findings
    ]
