"""Reads the free talk of a recorded conversation: of what patterns find in it, what counts as an act."""

from __future__ import annotations

from eda.events import MessagePosted
from eda.memory.minutes.free_talk import NEAR, FreeTalk
from eda.memory.minutes.items import STANCES
from eda.memory.patterns.extract import Finding
from eda.text import lower, names


class RecordedTalk(FreeTalk):
    """Reads recorded talk, in which what is stated as decided holds: nobody need deny the claim of another."""

    tags_claim = False
    denials = frozenset()
    sure = 0.0
    outright = 0.9

    def _undeclared(
        self, findings: list[Finding], claiming: list[Finding], denying: list[Finding], register: str
    ) -> list[Finding]:
        """Return what a message without moves withdraws, answers and proposes; what it decides may be proposed."""
        return super()._undeclared(findings, claiming[:0], denying, register)

    def _least_cue(self, register: str) -> float:
        """Return the least confidence of a turn of speech that proposes; in long turns none is asked for."""
        return 0.0 if register == "prose" else super()._least_cue(register)

    def _surest(self, findings: list[Finding], least: float, *, cue: bool = False) -> list[Finding]:
        """Return all written findings, else the surest turn of speech, unless proposals are voted on in writing."""
        spoken = self.state.genre.spoken
        return super()._surest([f for f in findings if spoken or f.written], least, cue=cue)

    def _more(self, findings: list[Finding], surest: Finding) -> list[Finding]:  # noqa: ARG002
        """Return nothing: a turn makes one proposal."""
        return []

    def _reactions(self, findings: list[Finding]) -> list[Finding]:
        """Return the written vote, else the surest reaction."""
        reactions = super()._reactions(findings)
        return [max(reactions, key=lambda finding: finding.confidence)] if reactions else []

    def _firm(self, message: MessagePosted, finding: Finding) -> bool:
        """Return whether a finding is sure enough where moves are declared; a stance says whose text it is about."""
        if not super()._firm(message, finding) or finding.kind not in STANCES:
            return super()._firm(message, finding)
        low, near = message.read.low, lower(finding.sentence)
        others = (item for item in self.state.newest_open(NEAR) if item.by != message.who)
        return any(names(near, item.by) or item.id in low for item in others)

    def _only_claims(self, finding: Finding) -> bool:  # noqa: ARG002
        """Return False: who says that all agree supports what was said."""
        return False
