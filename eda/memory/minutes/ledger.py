"""The ledger: applies acts, from whichever reader. It alone decides what an act is about and what follows from it.

`Ledger` is that of a debate; `eda.transcripts.ledger` has that of recorded talk.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from eda.events.acts import Unread
from eda.events.records import Reaction, StatusChange
from eda.memory.minutes import proposals
from eda.memory.minutes.decisions import claim, claims_denied, dispute, side_with, speaks_of
from eda.memory.minutes.items import CLAIM_STATUSES, DISOWNS, Act, ProposalItem
from eda.memory.minutes.resolve import Resolved, names_own, resolve
from eda.memory.minutes.rulings import disown, take_back
from eda.memory.minutes.state import Candidate, State, Talk
from eda.memory.patterns.conditions import read_condition
from eda.text import likeness, lower, names, overlap, words

QUOTED = 50  # Characters of a text whose repetition quotes it.
SHORTEST = 12  # Characters below which a repetition quotes nothing.
ANSWERED = 6  # Newest messages that a reaction to no proposal may answer.
_RANK = {"reply": 3, "quotation": 2, "name": 1, "words": 0, "recency": 0}  # Signs that point rank above suggestion.


@dataclass(frozen=True, slots=True)
class Link:
    """A candidate, the sign of the link, and its score."""

    candidate: Candidate
    how: str
    score: float


def best_link(state: State, talk: Talk, candidates: Sequence[Candidate]) -> Link | None:
    """Return the best link to one of the candidates, of equals the newest; they are given oldest first."""
    low = talk.text.lower()
    best: Link | None = None
    for candidate in reversed(candidates):
        link = _score(low, talk, candidate, state.scene.reach)
        if link is not None and (best is None or (_RANK[link.how], link.score) > (_RANK[best.how], best.score)):
            best = link
    return best


def _score(low: str, talk: Talk, candidate: Candidate, reach: float) -> Link | None:
    """Return a message's link to a candidate, if there is a sign; for own words only a reply or quotation is one."""
    if talk.reply_to is not None and talk.reply_to == candidate.message:
        return Link(candidate, "reply", 1.0)
    quoted = candidate.text[:QUOTED].lower()
    if len(quoted) >= SHORTEST and quoted in low:
        return Link(candidate, "quotation", 0.95)
    if candidate.who == talk.who:
        return None
    shared = overlap(talk.bag, candidate.words) if len(talk.bag) >= 2 else 0.0
    age = max(0, talk.number - candidate.message - 1)
    # An answer to an older message is not about what was said since.
    later = talk.reply_to is not None and candidate.message > talk.reply_to
    near = 0.0 if later else max(0.0, 0.3 * (1 - age / reach))
    if names(low, candidate.who) or (talk.to is not None and talk.to == candidate.who):
        return Link(candidate, "name", round(0.6 + 0.2 * shared + 0.3 * near, 3))
    if shared >= 0.25:
        return Link(candidate, "words", round(0.3 + 0.4 * shared + near, 3))
    return Link(candidate, "recency", round(0.2 + near, 3)) if near else None


_LED_IN = re.compile(r"^[^:]{0,60}:\s+(?=\S)")


@dataclass(slots=True)
class Ledger:
    """Applies acts to the minutes of a debate, in which only a ballot decides and a remark names what it answers."""

    near: ClassVar[bool] = False  # Whether a remark may answer what stands near it or sounds like it.

    state: State
    talk: Talk  # The free talk of the message whose acts are applied.

    def apply(self, act: Act) -> None:
        """Apply one act. Positions, questions and notes change no item here."""
        if act.source == "declared" and act.kind not in ("position", "note", "claim"):
            self._hear_move()
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
            case "claim":
                self._claim(act)
            case "deny":
                self._deny(act)

    def _hear_move(self) -> None:
        """Note that moves are declared."""
        self.state.genre = self.state.genre.with_moves()

    def _claim(self, act: Act) -> None:
        """Record that somebody says that something was decided."""
        claim(self.state, act, self.talk.topic or "")

    def _deny(self, act: Act) -> None:
        """Undo what an agent was read to put, or dispute the claims that it denies."""
        claims = [] if act.pattern == DISOWNS else claims_denied(self.state, act)
        if not (disown(self.state, act) or dispute(self.state, claims, act)) and act.source == "declared":
            self.state.leave(act, Unread("no claim", act.target.strip()))

    # ------------------------------------------------------------ proposals

    def _propose(self, act: Act, about: Resolved | None = None) -> None:
        """Put a declared text. One that stands already is joined; one that its author closed is open again."""
        if not act.text:
            self.state.leave(act, Unread("empty"))
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
            if olds and not item.titled:
                item.title, item.titled = olds[0].record.title, olds[0].titled
            self._link(item)
            proposals.put(self.state, item)
        for old in olds:  # a part that comes from another motion can still be wanted by itself
            of_first = self.state.root(old) == self.state.root(olds[0])
            if of_first and old.by == act.agent and old.status == "active" and old.id != item.id:
                change = StatusChange("modified", (act.message,), "taken into" if item.joins else "replaced", item.id)
                proposals.close(self.state, old, change)

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
            proposals.reopen(self.state, item, (act.message,), "again")

    def _supported_again(self, act: Act, item: ProposalItem) -> None:
        """Open a text again that a ballot passed over, where a member declares support for it."""
        if item.status in proposals.SETTLED and act.stance == "support" and act.source == "declared":
            proposals.reopen(self.state, item, (act.message,), "supported again", act.agent)

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
            self.state.leave(act, *about.why, stands=not about.items)
        self._propose(act, about)

    def _propose_in_talk(self, act: Act) -> None:
        """Put a proposal of free talk; a second same text is support, or its author says it again."""
        item = proposals.new_item(act)
        same = self.state.same_text(act.text)
        if not act.text or (same is not None and same.status == "active" and self._joins(act, same)):
            return
        if not self._amends_in_talk(item, act) and not act.written and self._said_before(item, act):
            return
        proposals.put(self.state, item)

    def _amends_in_talk(self, item: ProposalItem, act: Act) -> bool:
        """Link a proposal to the text that its words say it amends; return False where they say of none."""
        if not self.state.language.amends.match(act.quote.text):
            return False
        old, how = self._amended(item, act)
        if old is None:
            return False
        bare = _LED_IN.sub("", item.text)
        if words(bare):
            item.change(text=bare)
        item.amends, item.lineage = old.id, how
        self._link(item)
        return True

    def _amended(self, item: ProposalItem, act: Act) -> tuple[ProposalItem | None, str]:  # noqa: ARG002 - of recorded talk
        """Return the text that an amendment in free talk amends, and how that is known."""
        about = resolve(self.state, act)
        return (about.items[0] if len(about.items) == 1 else None), about.how

    def _said_before(self, item: ProposalItem, act: Act) -> bool:
        if len(item.words) < 3:
            return False
        for old in self.state.newest_open():
            if old.by == item.by and likeness(old.words, item.words) >= proposals.SAME:
                self._say_again(old, act)
                return True
        return False

    def _withdraw(self, act: Act) -> None:
        """Withdraw a text, a claim, or where one stands on a text. Only its author can."""
        if act.source == "declared" and self._takes_side_back(act):
            return
        about = self._withdrawn(act)
        if self._means_claim(act, about):
            claims = [claim for claim in claims_denied(self.state, act) if claim.by == act.agent]
            if dispute(self.state, claims, act):
                return
        for item in about.items:
            if item.by == act.agent:
                change = StatusChange("withdrawn", (act.message,))
                proposals.close(self.state, item, change)
            else:
                self.state.leave(act, Unread("not its author", who=(item.by,) if item.by else (), ids=(item.id,)))
        if about.why and (act.source == "declared" or about.named):
            self.state.leave(act, *about.why)

    def _takes_side_back(self, act: Act) -> bool:
        """Take back the agent's own condition, opposition or support; return False if the act names none of these."""
        about = resolve(self.state, replace(act, kind="neutral"))
        whole = all(item.by != act.agent for item in about.items)
        named = self.state.language.side_taken_back.search(lower(f"{act.target} {act.text}" if whole else act.target))
        if named is None:
            return False
        stances = (
            (item, item.standing.get(act.agent)) for item in (*self.state.given.values(), *self.state.newest_open())
        )
        held = [
            item
            for item, each in stances
            if each and ("condition" if each.conditional else each.reaction) == named.lastgroup
        ]
        meant = [item for item in about.items or held if item in held]
        if not meant or (not about.items and len(held) > 1):
            self.state.leave(act, *(about.why or [Unread("names nothing")]))
        elif named.lastgroup == "condition":
            for item in meant:
                self._record(replace(act, kind="support"), item, about.how, about.score)
        else:
            for item in meant:
                take_back(self.state, item, act)
        return True

    def _withdrawn(self, act: Act) -> Resolved:
        """Return the texts that a withdrawal is about."""
        return resolve(self.state, act)

    def _means_claim(self, act: Act, about: Resolved) -> bool:
        """True if a withdrawal names no text, and its agent claimed something after the texts that it could mean."""
        if act.target.strip() or (about.items and about.how != "authorship"):
            return not about.items
        claims = [item.last for item in self.state.newest_decisions() if item.by == act.agent]
        texts = [item.message for item in self.state.newest_open() if item.by == act.agent]
        return bool(claims) and max(claims) > max(texts, default=0)

    # ------------------------------------------------------------ reactions

    def _react(self, act: Act) -> None:
        declared = act.source == "declared"
        about = resolve(self.state, act, reply_to=self.talk.reply_to)
        for item in about.items:
            stands = item.standing.get(act.agent)
            if declared or stands is None or (stands.source, stands.message) != ("declared", act.message):
                self._supported_again(act, item)
                self._record(act, item, about.how, about.score)
        # An author supports its texts anyway, whichever its message puts.
        means_own = act.kind == "support" and names_own(act) and act.message in self.state.by_message
        if about.why and (declared or about.named) and not means_own:
            self.state.leave(act, *about.why)
        elif not about.items and not self.state.genre.firm:
            self._remark(act)

    def _remark(self, act: Act) -> None:
        """Record a reaction to a statement, or to nothing that can be told."""
        newest = list(self.state.heard)[-ANSWERED:]
        heard = [each for each in newest if self.state.could_hear(self.talk.number, each.message)]
        link = best_link(self.state, self.talk, heard)
        if link and link.how in ("words", "recency") and not self.near:
            link = None
        answered = link.candidate.message if link else self.talk.reply_to
        self._record(act, None, link.how if link else "", link.score if link else 0.0, answered)

    def _record(
        self, act: Act, item: ProposalItem | None, link: str, score: float, answered: int | None = None
    ) -> None:
        """Record a reaction. One to a proposal replaces the agent's earlier one."""
        reaction = act.reaction(item.id if item else None, item.message or None if item else answered, link, score)
        read = read_condition(act.quote.text, "support") if act.kind == "support" else None
        if read and read.conditional is not False and (read.conditional or act.source == "declared"):
            doubt = read.conditional is None
            reaction = replace(reaction, conditional=True, condition=read.condition, doubt=doubt)
        self.state.reactions.append(reaction)
        if item is not None:
            item.react(reaction)
        self.state.announce(reaction)
        self._take_side(reaction)

    def _take_side(self, reaction: Reaction) -> None:
        """Count a reaction for or against the newest decision of a ballot that it is about, where it speaks of it."""
        for item in reversed(self.state.newest_decisions()):
            own = item.status in CLAIM_STATUSES or item.by == reaction.agent
            if not own and speaks_of(item, reaction):
                side_with(self.state, item, reaction)
                return
