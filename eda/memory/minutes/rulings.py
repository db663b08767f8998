"""Rulings on items: a person strikes or rewords one, or takes back what a line of theirs did.

An item is known by its id and its words. A ruling on an item that has other words by now, or is gone, changes nothing
and is kept as unresolved: it is never bound to another item. The log keeps what an item was.
"""

from dataclasses import replace
from itertools import count

from eda.errors import UnknownNameError, UsageError
from eda.events import MemoryCorrected, MessagePosted, StatusChange
from eda.memory.minutes.decisions import let_go
from eda.memory.minutes.items import OWN, DecisionItem, ProposalItem, ReadAct, acts_of_moves
from eda.memory.minutes.proposals import put, reopen
from eda.memory.minutes.state import State
from eda.memory.notes import Notes
from eda.text import bare


def undo_message(state: State, message: MessagePosted) -> None:
    """Undo what the moves of a message do: its reactions, the texts that it puts, its withdrawals of texts."""
    number = message.number
    for act in acts_of_moves(message, message.moves)[:1]:
        for item in (*state.given.values(), *state.proposals.values()):
            stands = item.standing.get(message.who)
            if stands is not None and stands.message == number:
                _undo_reaction(state, item, act)
            if item.by == message.who and item.message == number and item.status == "active":
                undo(state, item)
                item.move(StatusChange("withdrawn", (number,)))
                state.announce(item)
            elif item.status == "withdrawn" and item.by == message.who and number in item.changes[-1].messages:
                reopen(state, item, (number,), "")


def _undo_reaction(state: State, item: ProposalItem, act: ReadAct) -> None:
    """Undo the reaction of an agent to a text: the one before it stands again."""
    stands = item.standing[act.agent]
    earlier = [each for each in item.history if each.agent == act.agent and not each.undone][-1:]
    take_back(state, item, act)
    item.standing.update((each.agent, each) for each in earlier)
    item.change(history=[each for each in item.history if each not in earlier])
    state.reactions.remove(stands)


def take_back(state: State, item: ProposalItem, act: ReadAct, why: str = "") -> None:
    """Take back where an agent stands on a text."""
    stands = item.standing.pop(act.agent)
    item.change()
    state.announce(replace(stands, message=act.message, quote=act.quote, why=why, undone=True))


def undo(state: State, item: ProposalItem | DecisionItem) -> None:
    """Undo what followed from an item alone."""
    if isinstance(item, ProposalItem):
        state.open.pop(item.id, None)
        if state.last_proposal == item.id:
            state.last_proposal = next(reversed(state.open), None)
        old = state.proposal(item.amends)
        if old is not None and old.amended_by == item.id:
            old.change(amended_by=None)
            if old.status == "modified" and old.changes[-1].messages == (item.message,):
                reopen(state, old, (item.message,), "undone", item.id)
    else:
        _undo_decision(state, item)


def _undo_decision(state: State, item: DecisionItem) -> None:
    """Undo a decision: its proposal is open again, and the decision that it superseded holds again."""
    if item.id in state.recent:
        state.recent.remove(item.id)
    if item.status != "decided":
        return
    old = state.decisions.get(item.supersedes or "")
    if old is not None and old.superseded_by == item.id:
        old.status, old.superseded_by = "decided", None
        state.announce(old)
    chosen = state.options.mentioned(item.text)
    for name, agent in state.agents.items():
        if (
            len(chosen) == 1
            and (agent.holds, agent.since) == (chosen, item.made)
            and all(position.message != item.made for position in agent.positions[-OWN:])
        ):
            let_go(state, name, chosen)
    proposal = state.proposal(item.proposal)
    if proposal is None or proposal.status not in ("accepted", "rejected"):
        return
    others = any(other.proposal == proposal.id and other.status == "decided" for other in state.newest_decisions())
    if not others and (item.source == "procedure" or item.made in proposal.changes[-1].messages):
        reopen(state, proposal, (item.made,), "undone", item.id)


def text_of(state: State, notes: Notes, item: str) -> str:
    """Return the present words of the proposal, decision or note of that id; UsageError where it was struck."""
    known = state.item(item)
    if known is not None and known.status == "struck":
        raise UsageError(f"{item} was struck already, by {known.corrected}")
    words = known or notes.get(item)
    if words is None:
        raise UnknownNameError("item", item, (*state.proposals, *state.decisions, *notes.ids))
    return words.text


def version_of(state: State, item: str, after: int) -> str:
    """Return the id of the text that a correction of an item is; empty where no ballot adopted the item's words.

    Adopted words stay as they were voted for, and nobody else's words are put in their author's mouth.
    """
    adopted = _adopted(state, item)
    return next(key for n in count() if state.proposal(key := f"p{after}.{n}") is None) if adopted else ""


def _adopted(state: State, item: str) -> ProposalItem | None:
    """Return the text of an id, or of the decision of an id, if a ballot adopted it."""
    known = state.item(item)
    text = state.proposal(known.proposal if isinstance(known, DecisionItem) else item)
    decided = (each for each in state.decisions.values() if each.source == "procedure" and each.status == "decided")
    return text if text and any(each.proposal == text.id for each in decided) else None


def correct(state: State, notes: Notes, event: MemoryCorrected) -> None:
    """Strike or reword the item that the fact names, if it still has the same words; put another version of it."""
    item = state.item(event.item)
    if item is not None and event.version and bare(item.text) == bare(event.was):
        old, same = _adopted(state, event.item), state.same_text(event.text)
        if same is not None:
            state.join(event.version, same.id)
            reopen(state, same, (event.after,), "supported again", event.by)
        elif old is not None:
            item = ProposalItem(id=event.version, message=event.after, by=event.by, text=event.text, source="procedure")
            item.change(amends=old.id, written=True)
            put(state, item)
    elif item is not None and bare(item.text) == bare(event.was):
        if event.text:
            item.change(text=event.text)
        else:
            undo(state, item)
            if isinstance(item, ProposalItem):
                item.move(StatusChange("struck", (event.after,) if event.after else ()))
            else:
                item.change(status="struck")
        item.change(corrected=event.by)
        state.announce(item)
    elif (note := notes.get(event.item)) is not None and bare(note.text) == bare(event.was):
        notes.correct(note, event.text, event.by)
