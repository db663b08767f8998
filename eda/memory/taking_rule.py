"""The minutes rule on what patterns found, and on nothing else; an item that is not there any more is never guessed."""

from __future__ import annotations

from eda.events import DecisionFound, ProposalMade
from eda.memory.items import DecisionItem, ProposalItem
from eda.memory.motions import reopen
from eda.memory.rulings import OWN, let_go
from eda.memory.state import Found, State
from eda.memory.taking import own_words
from eda.patterns import lower, normalise
from eda.records import MinutedStatus, Ruled

__all__ = ["confirm_found", "deny_found", "find", "take_off_the_table", "undo"]


def find(state: State, ruled: Ruled) -> ProposalItem | DecisionItem | None:
    """The item of that id, where it still rests on those words; else what is said of it is unresolved."""
    item = state.proposals.get(ruled.id) or state.decisions.get(ruled.id)
    if item is not None and _plain(own_words(item.record)) == _plain(ruled.quote):
        return item
    if ruled not in state.unresolved:
        state.unresolved.append(ruled)
    return None


def _plain(text: str) -> str:
    return " ".join(lower(normalise(text)).split())


def _rule(state: State, ruled: Ruled, minuted: MinutedStatus) -> ProposalItem | DecisionItem | None:
    """Notes what the minutes say of an item that a pattern found; gives it where they say it for the first time."""
    item = find(state, ruled)
    if item is None or item.source != "pattern" or item.minuted:
        return None
    item.ruled(minuted, ruled.why)
    return item


def confirm_found(state: State, ruled: Ruled, found: Found) -> None:
    """A confirmed item stays, where what patterns found may be forgotten."""
    _announce(_rule(state, ruled, "confirmed"), found)


def deny_found(state: State, ruled: Ruled, found: Found) -> None:
    """A denied item stays, out of all that is shown; what followed from it alone is undone."""
    item = _rule(state, ruled, "denied")
    _announce(item, found)
    if isinstance(item, ProposalItem):
        take_off_the_table(state, item, f"the minutes deny {item.id}", found)
    elif item is not None:
        undo(state, item, f"the minutes deny {item.id}", found)


def _announce(item: ProposalItem | DecisionItem | None, found: Found) -> None:
    if isinstance(item, ProposalItem):
        found.append(ProposalMade(proposal=item.record))
    elif item is not None:
        found.append(DecisionFound(decision=item.record))


def take_off_the_table(state: State, item: ProposalItem, why: str, found: Found) -> None:
    """A proposal is none: what it amended is open again."""
    state.open.pop(item.id, None)
    if state.last_proposal == item.id:
        state.last_proposal = next(reversed(state.open), None)
    if item.proposer in state.agents:
        state.agents[item.proposer].take_back(f"proposed: {item.content}")
    old = state.proposal(item.amends)
    if old is not None and old.amended_by == item.id:
        old.link(amended_by=None)
        if old.status == "modified" and old.changes[-1].messages == (item.message,):
            reopen(state, old, (item.message,), why, found)


def undo(state: State, item: DecisionItem, why: str, found: Found) -> None:
    """What it settled is open again, and what it replaced holds again; an amendment that it carried stays as it is."""
    if item.id in state.recent:
        state.recent.remove(item.id)
    if item.by in state.agents:
        state.agents[item.by].take_back(f"decided: {item.outcome}")
    if item.status != "decided":
        return
    old = state.decisions.get(item.supersedes or "")
    if old is not None and old.superseded_by == item.id:
        old.status, old.superseded_by = "decided", None
        _announce(old, found)
    chosen = state.options.mentioned(item.outcome)
    for name, agent in state.agents.items():
        moved = len(chosen) == 1 and agent.holds == chosen and agent.since == item.made
        if moved and all(position.message != item.made for position in agent.positions[-OWN:]):
            let_go(state, name, chosen)
    proposal = state.proposal(item.proposal)
    if proposal is None or proposal.status not in ("accepted", "rejected") or proposal.minuted == "denied":
        return
    others = any(other.proposal == proposal.id and other.status == "decided" for other in state.newest_decisions())
    if not others and item.made in proposal.changes[-1].messages:
        reopen(state, proposal, (item.made,), why, found)
