"""The ledger of recorded talk: what is stated as decided holds, and a remark may answer what was said just before."""

from __future__ import annotations

import re

from eda.events.records import ChangeKind, Quote, Reaction, StatusChange
from eda.memory.minutes import proposals
from eda.memory.minutes.decisions import side_with, speaks_of
from eda.memory.minutes.items import CLAIM_STATUSES, DENIALS, STANCES, Act, ProposalItem
from eda.memory.minutes.ledger import Ledger
from eda.memory.minutes.links import Link, best_link
from eda.memory.minutes.resolve import Resolved
from eda.memory.minutes.state import Candidate, State, Talk
from eda.text import likeness, names
from eda.transcripts import votes
from eda.transcripts.decisions import answers, decide, denied_by, denies, undo

ALIKE = 0.4  # Likeness from which a written proposal is a rewording of the one before it.
SEARCHED = 400  # Characters of a message that are searched for a rejection.
BARE_VOTE = "bare-vote"  # Stands for the pattern of a message that is only `1`.
_ONE = re.compile(r"1[ .!]?")
LINKED = 0.3  # Score from which a reaction is bound to a proposal.
CLEAR = 0.4  # Confidence of a proposal from which terse talk answers it.


class RecordedLedger(Ledger):
    """Applies acts to the minutes of recorded talk."""

    __slots__ = ()
    near = True

    def hear_talk(self, acts: list[Act]) -> None:
        """Apply the acts of free talk; a message may also reject what was only spoken, or be nothing but a vote."""
        for act in acts:
            if act.kind == "withdraw":
                self.apply(act)
        rejects = not self.talk.declares and self._reject_spoken()
        if not any(act.kind in STANCES for act in acts):
            self._count_bare_vote()
        left = (act for act in acts if act.kind != "withdraw" and not (rejects and act.kind == "propose"))
        super().hear_talk([*left])

    def _hear_move(self) -> None:
        """Note that moves are declared, and drop what was only spoken and nobody answered."""
        if not self.state.genre.firm:
            super()._hear_move()
            votes.forget_spoken(self.state)

    def _claim(self, act: Act) -> None:
        """Record what a message states as decided."""
        decide(self.state, self.talk, act)

    def _deny(self, act: Act) -> None:
        """Take a denial in free talk as a reaction to what was said."""
        if act.source == "declared":
            super()._deny(act)
        else:
            self._react(act)

    def _count_bare_vote(self) -> None:
        """Count a message that is only `1`, as some people post in place of `+1`, on a titled proposal with votes."""
        talk = self.talk
        target = votes.proposal_voted_on(self.state, talk) if _ONE.fullmatch(talk.text) else None
        if target is not None and target.written and target.standing and target.pattern != votes.VOTED_ON:
            quote = Quote(talk.number, 0, len(talk.text), talk.text)
            vote = Act("support", talk.number, talk.who, "", "", "pattern", quote, "@0", pattern=BARE_VOTE)
            self._record(vote, target, "recency", 0.8)

    def _reject_spoken(self) -> bool:
        """Reject another's little supported proposal that a message calls rejected, if there is one."""
        state, talk = self.state, self.talk
        low = talk.text.lower()
        if not any(word in low for word in state.language.rejected_needs):
            return False
        match = state.language.rejected.search(talk.text[:SEARCHED])
        if match is None or talk.text.rstrip().endswith("?"):
            return False
        before = talk.text[: match.start()]
        if state.language.unsure.search(before[max(before.rfind("."), before.rfind("\n")) + 1 :]):
            return False
        for item in sorted(
            state.newest_open(),
            key=lambda each: (names(low, each.by), len(each.words & talk.bag), each.message),
            reverse=True,
        ):
            support = [name for name in item.backers("support") if name != item.by]
            if item.by != talk.who and len(support) < max(1, len(item.backers("oppose"))):
                self._reject(item, talk.number, "stated")
                return True
        return False

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
        votes.formalise(state)
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
        elif act.kind == "support" and self._opposed_just_now(target, link):
            self._record(act, None, link.how, link.score, talk.number - 1)
        else:
            self._record(act, target, link.how, link.score)

    def _opposed_just_now(self, target: ProposalItem, link: Link) -> bool:
        """True if the message before opposed the proposal: an agreement right after that agrees with the opponent."""
        last = self.state.reactions[-1] if self.state.reactions else None
        if last is None or link.how not in ("words", "recency"):
            return False
        here = last.message == self.talk.number - 1 and last.to == target.id and last.reaction == "oppose"
        return here and last.agent not in (self.talk.who, target.by)

    def _vote(self, act: Act) -> None:
        """Count a written vote."""
        state, talk = self.state, self.talk
        target = votes.proposal_voted_on(state, talk)
        if target is not None:
            self._record(act, target, "recency", 0.9)
            if target.written and target.pattern != votes.VOTED_ON and talk.who != target.by:
                votes.formalise(state)
            return
        self._remark(act)
        if len(talk.text) <= votes.BARE and not state.genre.titled:
            votes.call_a_vote(state, state.reactions[-1])

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
        or (talk.number - item.message <= votes.JUST_NOW and item.confidence >= CLEAR)
    ]
    link = best_link(state, talk, candidates)
    return link if link is not None and link.score >= LINKED else None
