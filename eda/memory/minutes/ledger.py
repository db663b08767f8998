"""The ledger: applies acts, from whichever reader. It alone decides what an act is about and what follows from it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import cast

from eda.events.records import MoveKind, Quote, Unresolved
from eda.memory.minutes.acts import DENIALS, Act
from eda.memory.minutes.claims import claim, claims_denied, dispute
from eda.memory.minutes.decisions import decide, denied_by, take_side
from eda.memory.minutes.items import ProposalItem
from eda.memory.minutes.links import Link, link_to_message, link_to_proposal, proposal_voted_on
from eda.memory.minutes.proposals import (
    AGAIN,
    SAME,
    SETTLED,
    VOTED_ON,
    close,
    formalise,
    hear_first_move,
    new_item,
    put,
    reopen,
)
from eda.memory.minutes.resolve import Resolved, names_own, resolve
from eda.memory.minutes.state import State, Talk
from eda.memory.minutes.votes import BARE, call_a_vote, takes_bare_vote
from eda.text import likeness, names, words

ALIKE = 0.4
"""Likeness from which a written proposal is a rewording of the one before it."""
SEARCHED = 400
"""Characters of a message that are searched for a rejection."""
BARE_VOTE = "bare-vote"
"""Stands for the pattern of a message that is only `1`."""
MOST_UNRESOLVED = 200
"""Most acts kept that could not be resolved: the newest."""
_LED_IN = re.compile(r"^[^:]{0,60}:\s+(?=\S)")


@dataclass(slots=True)
class Ledger:
    """Applies the acts of one message to the minutes."""

    state: State
    talk: Talk

    def apply(self, act: Act) -> None:  # noqa: C901 - a case for each kind of act
        """Apply one act. Positions, questions and notes change no item here."""
        if act.source == "declared" and act.kind not in ("position", "note"):
            hear_first_move(self.state)
        match act.kind:
            case "propose" if act.source == "declared":
                self._propose(act)
            case "propose":
                self._propose_in_talk(act)
            case "amend":
                self._amend(act)
            case "support" | "oppose" | "neutral":
                self._react(act)
            case "withdraw":
                self._withdraw(act)
            case "claim" if self.state.genre.recorded:
                decide(self.state, self.talk, act)
            case "claim":
                claim(self.state, act, self.talk.topic or "")
            case "deny" if self.state.genre.recorded and act.source != "declared":
                self._react(act)
            case "deny":
                self._deny(act)
            case _:
                pass

    def count_bare_vote(self) -> None:
        """Count a message that is only `1`, if a titled proposal is being voted on in a transcript."""
        target = takes_bare_vote(self.state, self.talk)
        if target is not None:
            talk = self.talk
            quote = Quote(talk.number, 0, len(talk.text), talk.text)
            vote = Act("support", talk.number, talk.who, "", "", "pattern", quote, "@0", pattern=BARE_VOTE)
            self._record(vote, target, "recency", 0.8)

    def reject_spoken(self) -> bool:
        """Reject the proposal that a message of a transcript calls rejected or dropped; return whether there is one.

        The proposal is another agent's, and has fewer supporters than opponents.
        """
        state, talk = self.state, self.talk
        low = talk.text.lower()
        if not state.genre.recorded or not any(word in low for word in state.language.rejected_needs):
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
                self._reject(item, talk.number, "said to be rejected, and not supported")
                return True
        return False

    # ------------------------------------------------------------ proposals

    def _propose(self, act: Act, about: Resolved | None = None) -> None:
        """Put a declared text. One that stands already is joined; one that its author closed is open again."""
        if not act.text:
            self.leave(act, "it has no text")
            return
        item = new_item(act)
        same = self.state.same_text(act.text)
        olds = about.items if about else ()
        if same is not None and self._joins(act, same):
            item = same
        else:
            amended = [old.id for old in (*olds, *((same,) if same else ()))]
            item.amends, item.joins = amended[0] if amended else None, tuple(amended[1:])
            item.lineage = about.how if about and olds else "quotation" if same else ""
            self._link(item)
            put(self.state, item)
        for old in olds:
            if old.by == act.agent and old.status == "active" and old.id != item.id:
                close(self.state, old, "modified", (act.message,), f"replaced by {item.id}")

    def _joins(self, act: Act, same: ProposalItem) -> bool:
        """Join a text to the same one: its author says it again, another supports it while it stands."""
        if same.by == act.agent:
            self._say_again(same, act)
        elif same.status in ("active", "accepted", *SETTLED):
            self._supported_again(act, same)
            self._record(act, same, "quotation", 1.0)
        else:
            return False
        self.state.join(f"p{act.message}{act.place}", same.id)
        return True

    def _say_again(self, item: ProposalItem, act: Act) -> None:
        item.restate(act.quote)
        if item.status in ("active", "accepted"):
            self.state.announce(item)
        else:
            reopen(self.state, item, (act.message,), AGAIN)

    def _supported_again(self, act: Act, item: ProposalItem) -> None:
        """Open a text again that a ballot passed over, where a member declares support for it."""
        if item.status in SETTLED and act.stance == "support" and act.source == "declared":
            reopen(self.state, item, (act.message,), f"supported again by {act.agent}")

    def _link(self, item: ProposalItem) -> None:
        """Note on the texts that an item amends that it does."""
        for key in (item.amends, *item.joins):
            old = self.state.proposal(key)
            if old is not None:
                old.change(amended_by=item.id)

    def _amend(self, act: Act) -> None:
        """Put another version of the texts that an act names. An amendment of nothing is a proposal without lineage."""
        about = resolve(self.state, act)
        if about.why and act.text and not names_own(act):
            self.leave(act, about.why + ("" if about.items else "; your text stands as a new proposal"))
        self._propose(act, about)

    def _propose_in_talk(self, act: Act) -> None:
        """Put a proposal of free talk, unless it says again what its author proposed."""
        state = self.state
        item = new_item(act)
        if not act.text or self._stands_already(act):
            return
        if state.language.amends.match(act.quote.text) and self._amends_in_talk(item, act):
            self._link(item)
        elif act.written:
            self._after_another(item)
        elif self._said_before(item, act):
            return
        put(state, item)

    def _stands_already(self, act: Act) -> bool:
        """True if the text stands already: in a debate a second one is support, or its author says it again."""
        same = None if self.state.genre.recorded else self.state.same_text(act.text)
        return same is not None and same.status == "active" and self._joins(act, same)

    def _amends_in_talk(self, item: ProposalItem, act: Act) -> bool:
        """Find what a spoken amendment amends: in a transcript the open text that shares most words, or the newest."""
        state = self.state
        if state.genre.recorded:
            candidates = state.newest_open()
            old = max(candidates, key=lambda each: (len(each.words & item.words), each.message), default=None)
            how = "words"
        else:
            about = resolve(state, act)
            old, how = about.items[0] if len(about.items) == 1 else None, about.how
        if old is None:
            return False
        bare = _LED_IN.sub("", item.text)
        if words(bare):
            item.change(text=bare)
        item.amends, item.lineage = old.id, how
        return True

    def _after_another(self, item: ProposalItem) -> None:
        """Close the written proposal of a transcript before a new one, as reworded if alike, as rejected if opposed."""
        state = self.state
        last = state.proposal(state.last_proposal)
        if last is None or not last.written or not state.genre.recorded:
            return
        formalise(state)
        if last.status != "active":
            return
        if likeness(last.words, item.words) >= ALIKE:
            item.amends, item.lineage = last.id, "words"
            last.change(amended_by=item.id)
            close(state, last, "modified", (item.message,), "reworded by a later proposal")
        elif len(last.backers("oppose")) > len(last.backers("support")):
            self._reject(last, item.message, "opposed, and another was put instead")

    def _reject(self, item: ProposalItem, number: int, why: str) -> None:
        """Close a proposal as rejected by those who oppose it and by message `number`."""
        against = (reaction.message for reaction in item.standing.values() if reaction.reaction == "oppose")
        close(self.state, item, "rejected", (*against, number), why)

    def _said_before(self, item: ProposalItem, act: Act) -> bool:
        if len(item.words) < 3:
            return False
        for old in self.state.newest_open():
            if old.by == item.by and likeness(old.words, item.words) >= SAME:
                self._say_again(old, act)
                return True
        return False

    def _withdraw(self, act: Act) -> None:
        """Withdraw a text, or take back a claim. Only its author can."""
        state = self.state
        if act.source != "declared" and state.genre.recorded:
            own = [item for item in state.newest_open() if item.by == act.agent]
            best = max(own, key=lambda item: (len(item.words & self.talk.bag) > 1, item.message), default=None)
            about = Resolved((best,), "words") if best is not None else Resolved(named=False)
        else:
            about = resolve(state, act)
        if not state.genre.recorded and self._means_claim(act, about) and self._take_back(act):
            return
        for item in about.items:
            if item.by == act.agent:
                close(state, item, "withdrawn", (act.message,), "withdrawn by its proposer")
            else:
                self.leave(act, f"only {item.by or 'nobody'} can withdraw {item.id}")
        if about.why and (act.source == "declared" or about.named):
            self.leave(act, about.why)

    def _means_claim(self, act: Act, about: Resolved) -> bool:
        """True if a withdrawal names no text, and its agent claimed something after the texts that it could mean."""
        if act.target.strip() or (about.items and about.how != "authorship"):
            return not about.items
        claims = [item.last for item in self.state.newest_decisions() if item.by == act.agent]
        texts = [item.message for item in self.state.newest_open() if item.by == act.agent]
        return bool(claims) and max(claims) > max(texts, default=0)

    def _take_back(self, act: Act) -> bool:
        """Take back the agent's claims that an act names, or its newest; False if it has none."""
        return dispute(self.state, [item for item in claims_denied(self.state, act) if item.by == act.agent], act)

    def _deny(self, act: Act) -> None:
        if not dispute(self.state, claims_denied(self.state, act), act) and act.source == "declared":
            self.leave(act, f"{act.target.strip() or 'it'} names no claim of a decision")

    # ------------------------------------------------------------ reactions

    def _react(self, act: Act) -> None:
        if act.source != "declared" and self.state.genre.recorded:
            self._react_nearby(act)
            return
        declared = act.source == "declared"
        about = resolve(self.state, act, reply_to=self.talk.reply_to, size=0 if declared else self.talk.size)
        for item in about.items:
            self._supported_again(act, item)
            self._record(act, item, about.how, about.score)
        if about.why and (declared or about.named) and not self._means_own(act):
            self.leave(act, about.why)
        elif not about.items and not self.state.genre.firm:
            self._remark(act)

    def _means_own(self, act: Act) -> bool:
        """True if an act supports a text that its own message puts, whichever: an author supports its texts anyway."""
        return act.kind == "support" and names_own(act) and act.message in self.state.by_message

    def _react_nearby(self, act: Act) -> None:
        """Bind a reaction of a transcript to what is near: what is voted on, an open proposal, or a recent message."""
        state, talk = self.state, self.talk
        if act.written:
            self._vote(act)
            return
        if act.pattern in DENIALS:
            denied = next((d for d in reversed(state.newest_decisions()) if denied_by(d, talk.number, talk.who)), None)
            if denied is not None:
                self._record(act, None, "", 0.0, denied.last)
                return
        link = link_to_proposal(state, talk) if state.genre.spoken else None
        target = state.proposal(link.candidate.id) if link else None
        if link is None or target is None:
            self._remark(act)
        elif act.kind == "support" and self._opposed_just_now(target, link):
            self._record(act, None, link.how, link.score, talk.number - 1)
        else:
            self._record(act, target, link.how, link.score)

    def _remark(self, act: Act) -> None:
        """Record a reaction to a statement, or to nothing that can be told."""
        link = link_to_message(self.state, self.talk)
        answered = link.candidate.message if link else self.talk.reply_to
        self._record(act, None, link.how if link else "", link.score if link else 0.0, answered)

    def _opposed_just_now(self, target: ProposalItem, link: Link) -> bool:
        """True if the message before opposed the proposal: an agreement right after that agrees with the opponent."""
        last = self.state.reactions[-1] if self.state.reactions else None
        if last is None or link.how not in ("words", "recency"):
            return False
        here = last.message == self.talk.number - 1 and last.to == target.id and last.reaction == "oppose"
        return here and last.agent not in (self.talk.who, target.by)

    def _vote(self, act: Act) -> None:
        """Count a written vote of a transcript."""
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

    def _record(
        self, act: Act, item: ProposalItem | None, link: str, score: float, answered: int | None = None
    ) -> None:
        """Record a reaction. One to a proposal replaces the agent's earlier one."""
        reaction = act.reaction(item.id if item else None, item.message or None if item else answered, link, score)
        if act.kind == "support" and self.state.language.conditional.search(act.quote.text):
            reaction = replace(reaction, conditional=True)
        self.state.reactions.append(reaction)
        if item is not None:
            item.react(reaction)
        self.state.announce(reaction)
        take_side(self.state, reaction)

    def leave(self, act: Act, why: str) -> None:
        """Leave an act unresolved: it counts for nobody, and its agent is told why."""
        text = act.text if act.source == "declared" else act.quote.text
        kind = cast("MoveKind", act.kind)
        self.state.unresolved.append(Unresolved(act.message, act.agent, kind, act.target, text, why))
        del self.state.unresolved[:-MOST_UNRESOLVED]
