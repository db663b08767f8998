"""Folds a model's minutes of recorded talk: a decision that they have holds."""

from __future__ import annotations

from eda.events.model_minutes import Minuted, RangeMinutes, Ruled
from eda.events.records import MinutedStatus
from eda.memory.minutes.decisions import new_decision
from eda.memory.minutes.items import Act, DecisionItem, ProposalItem
from eda.memory.minutes.model_fold import ModelFold, act_of, decided_before, state_again
from eda.memory.minutes.rulings import find, undo
from eda.memory.minutes.state import State
from eda.transcripts.decisions import settle


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
        """Confirm an item that a pattern found in the same message."""
        super()._restate(item, act)
        if item.message == act.message:
            _judge(self.state, item, "confirmed")

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
