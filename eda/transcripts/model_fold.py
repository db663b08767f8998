"""Folds a model's minutes of recorded talk: a decision that they have holds, and a reaction counts."""

from __future__ import annotations

import re
from bisect import insort
from itertools import takewhile

from eda.events.acts import Unread
from eda.events.model_minutes import Minuted, RangeMinutes, Ruled
from eda.events.records import MinutedStatus, Reaction
from eda.memory.minutes.decisions import new_decision
from eda.memory.minutes.items import Act, DecisionItem, ProposalItem
from eda.memory.minutes.model_fold import CONFIDENCE, ModelFold, act_of, decided_before, state_again, target_of
from eda.memory.minutes.resolve import Resolved, resolve, text_of_id
from eda.memory.minutes.rulings import find, undo
from eda.memory.minutes.state import State
from eda.transcripts.decisions import settle

_ID = re.compile(r"(?<!\w)[po]\d+(?:[.@]\d+)?")


class RecordedFold(ModelFold):
    """Folds minutes of recorded talk, in which a decision that the minutes have holds."""

    def take(self, minutes: RangeMinutes) -> None:
        """Fold the minutes of a range, first what they say of the items that patterns found."""
        for ruled in minutes.confirmed:
            _judge_found(self.state, ruled, "confirmed")
        for ruled in minutes.denied:
            _judge_found(self.state, ruled, "denied")
        super().take(minutes)

    def _put_up(self, entry: Minuted) -> bool:  # noqa: ARG002
        """Return False: what the minutes have stands beside what a member marked."""
        return False

    def _restate(self, item: ProposalItem, act: Act) -> None:
        """Confirm an item that a pattern found in the same message; take what another says again as support."""
        super()._restate(item, act)
        if item.message == act.message:
            _judge(self.state, item, "confirmed")
        elif act.agent != item.by and act.agent not in item.standing:
            _answer(self.state, act, item, "restated")

    def _react(self, entry: Minuted) -> None:
        """Add a reaction to the text that it names; one whose words name no text, or several, is kept as unresolved."""
        if entry.stance is None:
            return
        state, act = self.state, act_of(entry.stance, entry, entry.to or "")
        if entry.to is None:
            _answer(state, act, None, "")
            return
        if not entry.about and text_of_id(state, entry.to)[1]:
            return  # the member named no such id: the slip is the model's
        named = Resolved((item,), "id") if (item := target_of(state, entry)) else _named(state, act, entry)
        if named.why:
            state.leave(act, *named.why)
            return
        item = named.items[0]
        own = item.by == entry.who and entry.stance == "support"  # as its author does anyway
        if not own and state.could_hear(entry.message, item.message) and not _declared_otherwise(state, entry, item):
            _answer(state, act, item, named.how)

    def _decide(self, entry: Minuted, proposal: ProposalItem | None) -> None:
        """Add or join a decision."""
        state, act = self.state, act_of("claim", entry)
        same = decided_before(state, act, entry, proposal)
        if same is not None and same.made == act.message:
            _judge(state, same, "confirmed")
            return
        if same is not None:
            state_again(state, same, act)
            return
        item = new_decision(act, "decided", act.text, proposal)
        state.place_decision(item)
        settle(state, item, entry.quote, [proposal] if proposal and proposal.status == "active" else [])


def _named(state: State, act: Act, entry: Minuted) -> Resolved:
    """Return the one text that the minutes name by a message or by words, or why it is none."""
    if entry.about:
        return Resolved(why=(Unread("other words", entry.to or ""),))
    named = resolve(state, act)
    texts = [text for text in named.items if text.minuted != "denied"]
    if len(texts) == 1:
        return named
    named_in_vain = Unread("several" if texts else "no text that stands", entry.to or "")
    return Resolved(why=named.why or (named_in_vain,))


def _declared_otherwise(state: State, entry: Minuted, item: ProposalItem) -> bool:
    """Return whether the member has declared where it stands on a text, amends it there, or names another text."""
    standing = item.standing.get(entry.who)
    declared = standing is not None and standing.source == "declared" and standing.message <= entry.message
    amends = any(
        text is not None and item.id in (text.amends, *text.joins)
        for text in (state.proposal(key) for key in state.by_message.get(entry.message, ()))
    )
    named = _ID.findall(entry.quote.lower())
    return declared or amends or (bool(named) and not any(item.id in (key, f"{key}.0") for key in named))


def _answer(state: State, act: Act, item: ProposalItem | None, link: str) -> None:
    """Add a reaction, unless its message has the same one already or declares another one."""
    to = (item.id, item.message, link, CONFIDENCE) if item else (None, None, "", 0.0)
    reaction = act.reaction(*to)
    known = [(at, other) for at, other in _reactions_in(state, reaction.message) if other.agent == reaction.agent]
    alike = [(at, other) for at, other in known if other.reaction == reaction.reaction]
    if item is None and alike:
        return
    settled = [other for _, other in known if other.source in ("declared", "minutes")]
    if any(other.to == reaction.to for other in (*settled, *(other for _, other in alike))):
        return
    unbound = next((at for at, other in alike if other.to is None and other.source == "pattern"), None)
    if unbound is not None:
        del state.reactions[unbound]
    insort(state.reactions, reaction, key=lambda each: each.message)
    state.announce(reaction)
    if item is not None:
        item.react(reaction)
        _side_with_decision(state, item, reaction)


def _side_with_decision(state: State, item: ProposalItem, reaction: Reaction) -> None:
    """Count a reaction to a proposal for or against the decision that it led to, unless a procedure made that."""
    decision = next((d for d in reversed(state.newest_decisions()) if d.proposal == reaction.to), None)
    decided = decision is not None and decision.status == "decided" and decision.source != "procedure"
    if decision is not None and decided and item.standing[reaction.agent] is reaction:
        decision.takes_side(reaction)


def _reactions_in(state: State, number: int) -> list[tuple[int, Reaction]]:
    """Return the reactions of a message with their places. The cost grows with the number of later reactions."""
    newest = ((place, state.reactions[place]) for place in range(len(state.reactions) - 1, -1, -1))
    late = takewhile(lambda row: row[1].message >= number, newest)
    return [row for row in late if row[1].message == number]


def _judge(state: State, item: ProposalItem | DecisionItem, minuted: MinutedStatus) -> bool:
    """Note the first judgement of the minutes on an item that a pattern found; return False if it is none."""
    if item.source != "pattern" or item.minuted:
        return False
    item.change(minuted=minuted)
    state.announce(item)
    return True


def _judge_found(state: State, ruled: Ruled, minuted: MinutedStatus) -> None:
    """Confirm an item, or deny it: then it is kept but not shown, and what followed from it alone is undone."""
    item = find(state, ruled)
    if item is not None and _judge(state, item, minuted) and minuted == "denied":
        undo(state, item)
