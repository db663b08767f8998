"""Puts texts on the table, closes and reopens them. Each step cites the messages that caused it."""

from __future__ import annotations

from eda.events.records import Proposal, ProposalStatus
from eda.memory.minutes.items import Act, ProposalItem
from eda.memory.minutes.state import State
from eda.text import third_person

SETTLED: tuple[ProposalStatus, ...] = ("superseded", "merged", "not chosen", "not adopted")
"""The statuses of texts that a ballot passed over. Who declares support for one, or puts it again, opens it again."""
AGAIN = "proposed again word for word"  # Why a text that its author had closed is open again.
NOT_BESIDE = "not adopted beside the answer"
_TAKEN = "taken into"
CLOSED_CLAIMS = {"adopted": "claimed, later adopted by vote", "contradicted": "claimed, a ballot said otherwise"}
_ENDS = {"withdrawn": "withdrawn", "rejected": "turned down", "accepted": "adopted"}
SAME = 0.8  # Likeness from which a proposal restates an earlier one.


def new_item(act: Act) -> ProposalItem:
    """Return the proposal that an act puts, not on the table yet."""
    return ProposalItem(
        id=f"p{act.message}{act.place}",
        message=act.message,
        by=act.agent,
        text=act.text,
        quote=act.quote,
        source=act.source,
        pattern=act.pattern,
        confidence=act.confidence,
        written=act.written,
    )


def put(state: State, item: ProposalItem) -> None:
    """Put a proposal on the table."""
    item.at = state.times.get(item.message)
    state.proposals[item.id] = item
    state.index(item)
    state.open[item.id] = None
    state.last_proposal = item.id
    state.agents[item.by].contribute(item.contribution)
    state.announce(item)


def close(state: State, item: ProposalItem, status: ProposalStatus, messages: tuple[int, ...], why: str) -> None:
    """Give a text a closing status. Only a ballot closes an option given with the question."""
    if item.status == status:
        return
    item.move(status, messages, why)
    state.open.pop(item.id, None)
    if item.id not in state.given:
        state.announce(item)


def reopen(state: State, item: ProposalItem, messages: tuple[int, ...], why: str) -> None:
    """Open a text again whose closing was undone, unless the minutes deny it."""
    item.move("active", messages, why)
    if item.id in state.given:
        return
    if item.minuted != "denied" and item.status == "active":
        state.open[item.id] = None
    state.announce(item)


def why_closed(text: Proposal | ProposalItem) -> str:
    """Return what became of a text that is open no more: `adopted`, `replaced by p9.1`, `not chosen`."""
    why = text.changes[-1].why if text.changes else ""
    if text.minuted == "denied" and text.status != "withdrawn":
        return f"denied by {third_person(text.corrected) if text.corrected else 'the minutes'}"
    if text.status == "struck":
        return f"struck by {third_person(text.corrected)}"
    if why == NOT_BESIDE or (text.status in ("modified", "merged") and why.startswith(_TAKEN)):
        return why
    if text.status == "modified":
        return f"replaced by {text.amended_by}" if text.amended_by else "replaced"
    return _ENDS.get(text.status, text.status)


def replaced_by(item: ProposalItem) -> str:
    """Return why an older text is closed once its author has put `item`, by its words or in a text that joins it."""
    return f"{_TAKEN if item.joins else 'replaced by'} {item.id}"
