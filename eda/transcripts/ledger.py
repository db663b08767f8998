"""The rules of recorded talk: how it is read, how its acts are applied, how a model's minutes of it are folded.

What is stated as decided holds, and a remark may answer what was said just before.
"""

from __future__ import annotations

from collections.abc import Mapping

from eda.events import MessagePosted
from eda.events.model_minutes import Minuted
from eda.events.records import ChangeKind, Reaction, StatusChange
from eda.memory.minutes import proposals
from eda.memory.minutes.decisions import new_decision, side_with, speaks_of
from eda.memory.minutes.free_talk import NEAR, FreeTalk
from eda.memory.minutes.items import CLAIM_STATUSES, DENIALS, STANCES, Act, ProposalItem
from eda.memory.minutes.ledger import Ledger, Link, best_link
from eda.memory.minutes.model_fold import ModelFold, act_of, decided_before, state_again
from eda.memory.minutes.resolve import Resolved
from eda.memory.minutes.rules import Rules
from eda.memory.minutes.state import Candidate, State, Talk
from eda.memory.patterns.extract import Finding
from eda.text import likeness, lower, names
from eda.transcripts.decisions import (
    BARE,
    JUST_NOW,
    VOTED_ON,
    answers,
    call_a_vote,
    decide,
    denied_by,
    denies,
    forget_spoken,
    formalise,
    proposal_voted_on,
    settle,
    undo,
)

ALIKE = 0.4  # Likeness from which a written proposal is a rewording of the one before it.
LINKED = 0.3  # Score from which a reaction is bound to a proposal.
CLEAR = 0.4  # Confidence of a proposal from which terse talk answers it.


class RecordedLedger(Ledger):
    """Applies acts to the minutes of recorded talk."""

    __slots__ = ()
    near = True

    def _hear_move(self) -> None:
        """Note that moves are declared, and drop what was only spoken and nobody answered."""
        if not self.state.genre.firm:
            super()._hear_move()
            forget_spoken(self.state)

    def _claim(self, act: Act) -> None:
        """Record what a message states as decided."""
        decide(self.state, self.talk, act)

    def _deny(self, act: Act) -> None:
        """Take a denial in free talk as a reaction to what was said."""
        if act.source == "declared":
            super()._deny(act)
        else:
            self._react(act)

    def _propose_in_talk(self, act: Act) -> None:
        """Put a proposal of free talk, unless it says again what its author proposed."""
        item = proposals.new_item(act)
        if not act.text:
            return
        if not self._amends_in_talk(item, act):
            if act.written:
                self._after_another(item)
            elif self._said_before(item, act):
                return
        proposals.put(self.state, item)

    def _amended(self, item: ProposalItem, act: Act) -> tuple[ProposalItem | None, str]:  # noqa: ARG002
        """Return the open text that shares most words with an amendment, of equals the newest."""
        texts = self.state.newest_open()
        return max(texts, key=lambda each: (len(each.words & item.words), each.message), default=None), "words"

    def _after_another(self, item: ProposalItem) -> None:
        """Close the written proposal before a new one, as reworded if alike, as rejected if opposed."""
        state = self.state
        last = state.proposal(state.last_proposal)
        if last is None or not last.written:
            return
        formalise(state)
        if last.status != "active":
            return
        if likeness(last.words, item.words) >= ALIKE:
            item.amends, item.lineage = last.id, "words"
            last.change(amended_by=item.id)
            proposals.close(state, last, StatusChange("modified", (item.message,), "reworded", item.id))
        elif len(last.backers("oppose")) > len(last.backers("support")):
            self._reject(last, item.message, "opposed")

    def _reject(self, item: ProposalItem, number: int, why: ChangeKind) -> None:
        """Close a proposal as rejected by those who oppose it and by message `number`."""
        against = (reaction.message for reaction in item.standing.values() if reaction.reaction == "oppose")
        proposals.close(self.state, item, StatusChange("rejected", (*against, number), why))

    def _withdrawn(self, act: Act) -> Resolved:
        """Return the newest open text of who withdraws in free talk, or one that shares words with the message."""
        if act.source == "declared":
            return super()._withdrawn(act)
        own = [item for item in self.state.newest_open() if item.by == act.agent]
        best = max(own, key=lambda item: (len(item.words & self.talk.bag) > 1, item.message), default=None)
        return Resolved((best,), "words") if best is not None else Resolved(named=False)

    def _means_claim(self, act: Act, about: Resolved) -> bool:  # noqa: ARG002
        """Return False: what was decided is not withdrawn by one."""
        return False

    def _react(self, act: Act) -> None:
        """Bind a reaction in free talk to what is near: what is voted on, an open proposal, or a recent message."""
        state, talk = self.state, self.talk
        if act.source == "declared":
            super()._react(act)
            return
        if act.written:
            self._vote(act)
            return
        if act.pattern in DENIALS:
            denied = next((d for d in reversed(state.newest_decisions()) if denied_by(d, talk.number, talk.who)), None)
            if denied is not None:
                self._record(act, None, "", 0.0, denied.last)
                return
        link = _link_to_proposal(state, talk) if state.genre.spoken else None
        target = state.proposal(link.candidate.id) if link else None
        if link is None or target is None:
            self._remark(act)
        else:
            self._record(act, target, link.how, link.score)

    def _vote(self, act: Act) -> None:
        """Count a written vote."""
        state, talk = self.state, self.talk
        target = proposal_voted_on(state, talk)
        if target is not None:
            self._record(act, target, "recency", 0.9)
            if target.written and target.pattern != VOTED_ON and talk.who != target.by:
                formalise(state)
            return
        self._remark(act)
        if len(talk.text) <= BARE and not state.genre.titled:
            call_a_vote(state, state.reactions[-1])

    def _take_side(self, reaction: Reaction) -> None:
        """Count a reaction for or against the newest decision that it is about; a denial takes a spoken one back."""
        for item in reversed(self.state.newest_decisions()):
            if item.status in CLAIM_STATUSES or item.by == reaction.agent:
                continue
            if answers(item, reaction) or speaks_of(item, reaction):
                side_with(self.state, item, reaction)
                if denies(item, reaction) and item.status == "decided" and not item.written:
                    undo(self.state, item, reaction)
                return


def _link_to_proposal(state: State, talk: Talk) -> Link | None:
    """Return the link to the open proposal that a message answers; terse talk answers only a sure, recent one."""
    candidates = [
        Candidate(item.id, item.message, item.by, item.text, item.words)
        for item in state.newest_open()
        if talk.register != "terse"
        or item.message == talk.reply_to
        or (talk.number - item.message <= JUST_NOW and item.confidence >= CLEAR)
    ]
    link = best_link(state, talk, candidates)
    return link if link is not None and link.score >= LINKED else None


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


class RecordedFold(ModelFold):
    """Folds minutes of recorded talk, in which a decision that the minutes have holds."""

    def _put_up(self, entry: Minuted) -> bool:  # noqa: ARG002
        """Return False: what the minutes have stands beside what a member marked."""
        return False

    def _decide(self, entry: Minuted, proposal: ProposalItem | None) -> None:
        """Add or join a decision."""
        state, act = self.state, act_of("claim", entry)
        same = decided_before(state, act, entry, proposal)
        if same is not None:
            state_again(state, same, act)
            return
        item = new_decision(act, "decided", act.text, proposal, "id")
        state.place_decision(item)
        settle(state, item, entry.quote, [proposal] if proposal and proposal.status == "active" else [])


SHIPPED: Mapping[str, Rules] = {"transcript": Rules(RecordedTalk, RecordedLedger, RecordedFold)}
