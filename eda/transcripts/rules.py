"""The rules by which recorded talk is minuted, where `eda.memory` looks them up by the kind of a session."""

from __future__ import annotations

from collections.abc import Mapping

from eda.events.model_minutes import Minuted
from eda.memory.minutes.decisions import new_decision
from eda.memory.minutes.items import ProposalItem
from eda.memory.minutes.model_fold import ModelFold, act_of, decided_before, state_again
from eda.memory.minutes.rules import Rules
from eda.transcripts.decisions import settle
from eda.transcripts.free_talk import RecordedTalk
from eda.transcripts.ledger import RecordedLedger


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
