"""The ledger: applies acts, from whichever reader. It alone decides what an act is about and what follows from it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from eda.events.records import Quote
from eda.memory.minutes import proposals
from eda.memory.minutes.decisions import claim, claims_denied, decide, denied_by, dispute, take_side
from eda.memory.minutes.items import DENIALS, DISOWNS, MISREAD, Act, ProposalItem
from eda.memory.minutes.links import Link, link_to_message, link_to_proposal
from eda.memory.minutes.resolve import Resolved, names_own, resolve
from eda.memory.minutes.rulings import disown, undo_reactions
from eda.memory.minutes.state import State, Talk
from eda.text import likeness, names, words

ALIKE = 0.4  # Likeness from which a written proposal is a rewording of the one before it.
SEARCHED = 400  # Characters of a message that are searched for a rejection.
BARE_VOTE = "bare-vote"  # Stands for the pattern of a message that is only `1`.
_LED_IN = re.compile(r"^[^:]{0,60}:\s+(?=\S)")


@dataclass(slots=True)
class Ledger:
    """Applies the acts of one message to the minutes."""

    state: State
    talk: Talk

    def apply(self, act: Act) -> None:  # noqa: C901 - a case for each kind of act
        """Apply one act. Positions, questions and notes change no item here."""
        if act.source == "declared" and act.kind not in ("position", "note"):
            proposals.hear_first_move(self.state)
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

    def _deny(self, act: Act) -> None:
        """Undo what an agent was read to say, or to put, or dispute the claims that it denies."""
        if act.pattern == MISREAD:
            undo_reactions(self.state, act)
            return
        claims = [] if act.pattern == DISOWNS else claims_denied(self.state, act)
        if not (disown(self.state, act) or dispute(self.state, claims, act)) and act.source == "declared":
            self.state.leave(act, f"{act.target.strip() or 'it'} names no claim of a decision")

    def count_bare_vote(self) -> None:
        """Count a message that is only `1`, if a titled proposal is being voted on in a transcript."""
        target = proposals.takes_bare_vote(self.state, self.talk)
        if target is not None:
            talk = self.talk
            quote = Quote(talk.number, 0, len(talk.text), talk.text)
            vote = Act("support", talk.number, talk.who, "", "", "pattern", quote, "@0", pattern=BARE_VOTE)
            self._record(vote, target, "recency", 0.8)

    def reject_spoken(self) -> bool:
        """Reject another's little supported proposal that a message of a transcript calls rejected, if there is one."""
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
            self.state.leave(act, "it has no text")
            return
        item = proposals.new_item(act)
        same = self.state.same_text(act.text)
        olds = about.items if about else ()
        if same is not None and self._joins(act, same):
            item = same
        else:
            amended = [old.id for old in (*olds, *((same,) if same else ()))]
            item.amends, item.joins = amended[0] if amended else None, tuple(amended[1:])
            item.lineage = about.how if about and olds else "quotation" if same else ""
            self._link(item)
            proposals.put(self.state, item)
        for old in olds:  # a part that comes from another motion can still be wanted by itself
            of_first = self.state.root(old) == self.state.root(olds[0])
            if of_first and old.by == act.agent and old.status == "active" and old.id != item.id:
                proposals.close(self.state, old, "modified", (act.message,), proposals.replaced_by(item))

    def _joins(self, act: Act, same: ProposalItem) -> bool:
        """Join a text to the same one: its author says it again, another supports it while it stands."""
        if same.by == act.agent:
            self._say_again(same, act)
        elif same.status in ("active", "accepted", *proposals.SETTLED):
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
            proposals.reopen(self.state, item, (act.message,), proposals.AGAIN)

    def _supported_again(self, act: Act, item: ProposalItem) -> None:
        """Open a text again that a ballot passed over, where a member declares support for it."""
        if item.status in proposals.SETTLED and act.stance == "support" and act.source == "declared":
            proposals.reopen(self.state, item, (act.message,), f"supported again by {act.agent}")

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
            self.state.leave(act, about.why + ("" if about.items else "; your text stands as a new proposal"))
        self._propose(act, about)

    def _propose_in_talk(self, act: Act) -> None:
        """Put a proposal of free talk, unless it says again what its author proposed."""
        state = self.state
        item = proposals.new_item(act)
        same = None if state.genre.recorded else state.same_text(act.text)
        # In a debate a second same text is support, or its author says it again.
        if not act.text or (same is not None and same.status == "active" and self._joins(act, same)):
            return
        if state.language.amends.match(act.quote.text) and self._amends_in_talk(item, act):
            self._link(item)
        elif act.written:
            self._after_another(item)
        elif self._said_before(item, act):
            return
        proposals.put(state, item)

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
        proposals.formalise(state)
        if last.status != "active":
            return
        if likeness(last.words, item.words) >= ALIKE:
            item.amends, item.lineage = last.id, "words"
            last.change(amended_by=item.id)
            proposals.close(state, last, "modified", (item.message,), "reworded by a later proposal")
        elif len(last.backers("oppose")) > len(last.backers("support")):
            self._reject(last, item.message, "opposed, and another was put instead")

    def _reject(self, item: ProposalItem, number: int, why: str) -> None:
        """Close a proposal as rejected by those who oppose it and by message `number`."""
        against = (reaction.message for reaction in item.standing.values() if reaction.reaction == "oppose")
        proposals.close(self.state, item, "rejected", (*against, number), why)

    def _said_before(self, item: ProposalItem, act: Act) -> bool:
        if len(item.words) < 3:
            return False
        for old in self.state.newest_open():
            if old.by == item.by and likeness(old.words, item.words) >= proposals.SAME:
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
        if not state.genre.recorded and self._means_claim(act, about):
            claims = [claim for claim in claims_denied(state, act) if claim.by == act.agent]
            if dispute(state, claims, act):
                return
        for item in about.items:
            if item.by == act.agent:
                proposals.close(state, item, "withdrawn", (act.message,), "withdrawn by its proposer")
            else:
                self.state.leave(act, f"only {item.by or 'nobody'} can withdraw {item.id}")
        if about.why and (act.source == "declared" or about.named):
            self.state.leave(act, about.why)

    def _means_claim(self, act: Act, about: Resolved) -> bool:
        """True if a withdrawal names no text, and its agent claimed something after the texts that it could mean."""
        if act.target.strip() or (about.items and about.how != "authorship"):
            return not about.items
        claims = [item.last for item in self.state.newest_decisions() if item.by == act.agent]
        texts = [item.message for item in self.state.newest_open() if item.by == act.agent]
        return bool(claims) and max(claims) > max(texts, default=0)

    # ------------------------------------------------------------ reactions

    def _react(self, act: Act) -> None:
        if act.source != "declared" and self.state.genre.recorded:
            self._react_nearby(act)
            return
        declared = act.source == "declared"
        about = resolve(self.state, act, reply_to=self.talk.reply_to, size=0 if declared else self.talk.size)
        for item in about.items:
            stands = item.standing.get(act.agent)
            if declared or stands is None or (stands.source, stands.message) != ("declared", act.message):
                self._supported_again(act, item)
                self._record(act, item, about.how, about.score)
        # An author supports its texts anyway, whichever its message puts.
        means_own = act.kind == "support" and names_own(act) and act.message in self.state.by_message
        if about.why and (declared or about.named) and not means_own:
            self.state.leave(act, about.why)
        elif not about.items and not self.state.genre.firm:
            self._remark(act)

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
        target = proposals.proposal_voted_on(state, talk)
        if target is not None:
            self._record(act, target, "recency", 0.9)
            if target.written and target.pattern != proposals.VOTED_ON and talk.who != target.by:
                proposals.formalise(state)
            return
        self._remark(act)
        if len(talk.text) <= proposals.BARE and not state.genre.titled:
            proposals.call_a_vote(state, state.reactions[-1])

    def _record(
        self, act: Act, item: ProposalItem | None, link: str, score: float, answered: int | None = None
    ) -> None:
        """Record a reaction. One to a proposal replaces the agent's earlier one."""
        reaction = act.reaction(item.id if item else None, item.message or None if item else answered, link, score)
        condition = self.state.language.conditional.search(act.quote.text) if act.kind == "support" else None
        if condition:
            reaction = replace(reaction, conditional=True, condition=condition[0].strip())
        self.state.reactions.append(reaction)
        if item is not None:
            item.react(reaction)
        self.state.announce(reaction)
        take_side(self.state, reaction)
