"""A person's hand in memory: an item struck or reworded. The log keeps what it was; memory shows what holds.

An item is known by its id and its words. Where those words are not there any more, because better patterns found
something else, the correction changes nothing and stands as unresolved: it is never bound to another item.
"""

from __future__ import annotations

from eda.errors import UnknownNameError, UsageError
from eda.events import DecisionFound, MemoryCorrected, ProposalMade
from eda.memory.items import DecisionItem, ProposalItem
from eda.memory.notes import Notes
from eda.memory.state import Found, State
from eda.memory.taking_rule import take_off_the_table, undo
from eda.memory.wording import words
from eda.records import Ruled

__all__ = ["correct", "text_of"]


def text_of(state: State, notes: Notes, item: str) -> str:
    """The words of the proposal, decision or note of that id, as they stand.

    Raises:
        UnknownNameError: there is no such item.
        UsageError: it was struck.
    """
    held = state.proposals.get(item) or state.decisions.get(item)
    if held is not None and held.status == "struck":
        raise UsageError(f"{item} was struck already, by {held.corrected}")
    if held is not None:
        return held.content if isinstance(held, ProposalItem) else held.outcome
    note = notes.get(item)
    if note is None:
        raise UnknownNameError("item", item, (*state.proposals, *state.decisions, *notes.ids))
    return note.text


def correct(state: State, notes: Notes, event: MemoryCorrected, found: Found) -> None:
    """Strike or reword the item that the fact names, where it is still what it was."""
    item = state.proposals.get(event.item) or state.decisions.get(event.item)
    if isinstance(item, ProposalItem) and _same(item.content, event.was):
        _correct_proposal(state, item, event, found)
    elif isinstance(item, DecisionItem) and _same(item.outcome, event.was):
        _correct_decision(state, item, event, found)
    elif (note := notes.get(event.item)) is not None and _same(note.text, event.was):
        notes.correct(event.item, event.text, event.by)
    else:
        what = f"corrected by {event.by}: {event.text}" if event.text else f"struck by {event.by}"
        state.unresolved.append(Ruled(event.item, event.was, what))


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()) == " ".join(other.split())


def _correct_proposal(state: State, item: ProposalItem, event: MemoryCorrected, found: Found) -> None:
    agent = state.agents.get(item.proposer)
    if event.text:
        if agent is not None:
            agent.reword(f"proposed: {item.content}", f"proposed: {event.text}")
        item.reword(event.text, event.by)
    else:
        take_off_the_table(state, item, f"{event.by} struck {item.id}", found)
        item.strike(event.by, (event.after,) if event.after else ())
    found.append(ProposalMade(proposal=item.record))


def _correct_decision(state: State, item: DecisionItem, event: MemoryCorrected, found: Found) -> None:
    agent = state.agents.get(item.by)
    if event.text:
        if agent is not None:
            agent.reword(f"decided: {item.outcome}", f"decided: {event.text}")
        item.outcome, item.words, item.corrected = event.text, words(event.text), event.by
    else:
        undo(state, item, f"{event.by} struck {item.id}", found)
        item.status, item.corrected = "struck", event.by
    found.append(DecisionFound(decision=item.record))
