"""A proposal is put, reworded, amended, accepted, rejected or withdrawn; each step cites what caused it."""

from __future__ import annotations

from dataclasses import replace

from eda.events import MessagePosted, ProposalMade
from eda.memory.extract import Finding
from eda.memory.items import ProposalItem
from eda.memory.state import Found, State
from eda.memory.wording import clean, likeness, overlap, words
from eda.records import Move, ProposalStatus, Quote

__all__ = [
    "VOTED_ON",
    "accept",
    "close",
    "declare",
    "forget_spoken",
    "formalise",
    "propose",
    "put",
    "resolve",
    "withdraw",
]

VOTED_ON = "voted-on"
"""The name that stands for a pattern where votes made a proposal of what was said before them."""
ALIKE = 0.4
"""Likeness from which a new written proposal rewords the one before it."""
REWORDED = 5
"""Earlier wordings of a proposal that are settled with it."""
SAME = 0.8
"""Likeness from which a proposal is the same, said again."""


def put(state: State, item: ProposalItem, found: Found) -> None:
    """Put a proposal on the table."""
    state.proposals[item.id] = item
    state.open[item.id] = None
    state.last_proposal = item.id
    state.agents[item.proposer].contribute(f"proposed: {item.content}")
    found.append(ProposalMade(proposal=item.record))


def close(
    state: State, item: ProposalItem, status: ProposalStatus, messages: tuple[int, ...], why: str, found: Found
) -> None:
    """Give a proposal its new status; a closed one is no candidate for reactions any more."""
    if item.status == status:
        return
    item.move(status, messages, why)
    state.open.pop(item.id, None)
    found.append(ProposalMade(proposal=item.record))


def accept(state: State, item: ProposalItem, messages: tuple[int, ...], why: str, found: Found) -> None:
    """A proposal holds; what it amended is modified by it only now."""
    close(state, item, "accepted", messages, why, found)
    for _ in range(REWORDED):
        old = state.proposal(item.amends)
        if old is None or old.status not in ("active", "modified"):
            return
        if likeness(old.words, item.words) >= SAME and old.written and item.source == "pattern":
            close(state, old, "accepted", messages, f"put again as {item.id}, which was accepted", found)
        elif old.status == "active":
            close(state, old, "modified", messages, f"its amendment {item.id} was accepted", found)
        item = old


def declare(
    state: State, message: MessagePosted, order: int, move: Move, amends: ProposalItem | None, found: Found
) -> None:
    """A proposal, or an amendment, that was declared as a move."""
    item = ProposalItem(
        id=f"p{message.number}.{order}",
        message=message.number,
        proposer=message.who,
        content=clean(move.text) or clean(message.talk) or move.kind,
        quote=Quote(message.number, message.moves_at or 0, len(message.text), move.text),
        source="declared",
        pattern="",
        confidence=1.0,
        written=True,
        amends=amends.id if amends else None,
    )
    if amends is not None:
        amends.link(amended_by=item.id)
    put(state, item, found)


def propose(state: State, message: MessagePosted, findings: list[Finding], found: Found) -> None:
    """The proposals that patterns found in a message: each written one, or the surest turn of speech."""
    made = [finding for finding in findings if finding.kind == "proposal"]
    written = [finding for finding in made if finding.written]
    if not written and state.formal:
        return
    for finding in written or [max(made, key=lambda finding: finding.confidence)]:
        item = ProposalItem(
            id=f"p{message.number}@{finding.start}",
            message=message.number,
            proposer=message.who,
            content=finding.topic,
            quote=Quote(message.number, finding.start, finding.end, finding.sentence),
            source="pattern",
            pattern=finding.pattern,
            confidence=finding.confidence,
            written=finding.written,
        )
        if finding.written:
            _after_another(state, item, found)
        elif _said_again(state, item, found):
            continue
        put(state, item, found)


def _after_another(state: State, item: ProposalItem, found: Found) -> None:
    """A written proposal that rewords the open one before it replaces it."""
    last = state.proposal(state.last_proposal)
    if last is None or not last.written:
        return
    formalise(state)
    if last.status != "active":
        return
    if likeness(last.words, item.words) >= ALIKE:
        item.amends = last.id
        last.link(amended_by=item.id)
        close(state, last, "modified", (item.message,), "reworded by a later proposal", found)
    elif len(last.backers("oppose")) > len(last.backers("support")):
        against = tuple(reaction.message for reaction in last.standing.values() if reaction.reaction == "oppose")
        close(state, last, "rejected", (*against, item.message), "opposed, and another was put instead", found)


def _said_again(state: State, item: ProposalItem, found: Found) -> bool:
    if len(item.words) < 3:
        return False
    for old in state.newest_open():
        if old.proposer == item.proposer and likeness(old.words, item.words) >= SAME and item.quote is not None:
            old.restate(item.quote)
            found.append(ProposalMade(proposal=old.record))
            return True
    return False


def withdraw(state: State, message: MessagePosted, bag: frozenset[str], found: Found) -> None:
    """The speaker takes back a proposal of their own: the one that shares most words, else the newest."""
    own = [item for item in state.newest_open() if item.proposer == message.who]
    if own:
        best = max(own, key=lambda item: (len(item.words & bag) > 1, item.message))
        close(state, best, "withdrawn", (message.number,), "withdrawn by its proposer", found)


def resolve(state: State, message: MessagePosted, move: Move) -> ProposalItem | None:
    """The proposal that a move names; else the nearest: by words shared with its text, then the newest of another."""
    if move.target:
        for key in (move.target, move.target.lower(), "p" + move.target.lstrip("pP#")):
            if key in state.proposals:
                return state.proposals[key]
    candidates = state.newest_open()
    if move.kind == "withdraw":
        candidates = [item for item in candidates if item.proposer == message.who]
    elif move.kind != "amend":
        candidates = [item for item in candidates if item.proposer != message.who]
    bag = words(move.text)
    best = max(candidates, key=lambda item: overlap(item.words, bag), default=None)
    if best is not None and overlap(best.words, bag) >= 0.3 and len(best.words & bag) >= 2:
        return best
    return candidates[-1] if candidates else None


def formalise(state: State, *, titled: bool = True) -> None:
    """In this transcript proposals are put in writing and voted on: only those count from here on, and before."""
    if state.imported and not (state.formal and (state.titled or not titled)):
        state.formal = True
        state.titled = state.titled or titled
        forget_spoken(state)


def forget_spoken(state: State) -> None:
    """Where moves are declared, or proposals put in writing, what turns of speech seemed to propose before goes."""
    gone = {key for key, item in state.proposals.items() if item.source == "pattern" and not item.written}
    if state.titled:
        gone |= {key for key, item in state.proposals.items() if item.pattern == VOTED_ON}
    if state.declares:
        gone |= {key for key, item in state.proposals.items() if item.source == "pattern"}
        state.reactions[:] = [reaction for reaction in state.reactions if reaction.source != "pattern"]
    for key in gone:
        del state.proposals[key]
        state.open.pop(key, None)
    if state.last_proposal in gone:
        state.last_proposal = next(reversed(state.open), None)
    state.reactions[:] = [replace(r, to=None) if r.to in gone else r for r in state.reactions]
    for decision in state.decisions.values():
        if decision.proposal in gone:
            decision.proposal = None
    if state.formal:
        for key in [key for key, item in state.decisions.items() if not item.written]:
            del state.decisions[key]
        state.recent[:] = [key for key in state.recent if key in state.decisions]
