"""Stored minutes are folded from their own quotes: the messages are not at hand any more.

They add, confirm and deny; they replace no item, overrule no declared move, and bind nothing to another item than the
one that they were taken of.
"""

from __future__ import annotations

from itertools import islice

from eda.events import DecisionFound, ProposalMade, ReactionSeen
from eda.memory.items import MAX_RESTATED, DecisionItem, ProposalItem
from eda.memory.motions import SAME as SAME_PROPOSAL
from eda.memory.rulings import SAME as SAME_DECISION
from eda.memory.rulings import confirm, settle
from eda.memory.state import Found, State
from eda.memory.taking import one_wording
from eda.memory.taking_rule import confirm_found, deny_found, find
from eda.memory.verdicts import revises
from eda.memory.wording import clean, likeness, words
from eda.records import Minuted, OpenQuestion, Quote, RangeMinutes, Reaction, Ruled, Stance

__all__ = ["CONFIDENCE", "take"]

CONFIDENCE = 0.8
"""Of what the minutes have and no pattern found."""
QUESTIONS = 20
"""Open questions that are kept: the newest."""
LOOKED_AT = 24
"""Newest items among which one that is said again is looked for."""
FEWEST_WORDS = 3
"""Content words below which a proposal is not taken for another, said again."""


def take(state: State, minutes: RangeMinutes, found: Found) -> None:
    """Fold the minutes of a range; what an unknown author said is left out."""
    for ruled in minutes.confirmed:
        confirm_found(state, ruled, found)
    for ruled in minutes.denied:
        deny_found(state, ruled, found)
    listed: dict[str, str] = {}
    for said in _known(state, minutes.proposals):
        listed[f"p{said.message}@{said.start}"] = _propose(state, said, found)
    for said in _known(state, minutes.reactions):
        if said.stance is not None:
            _react(state, said, said.stance, listed, found)
    for said in _known(state, minutes.decisions):
        _decide(state, said, _target(state, said, listed), found)
    asked = {OpenQuestion(said.message, said.who, said.text) for said in _known(state, minutes.questions)}
    state.questions = sorted(asked.union(state.questions), key=lambda q: (q.message, q.text, q.who))[-QUESTIONS:]


def _known(state: State, said: tuple[Minuted, ...]) -> list[Minuted]:
    return sorted((item for item in said if item.who in state.agents), key=lambda item: (item.message, item.start))


def _quote(said: Minuted) -> Quote:
    return Quote(said.message, said.start, said.start + len(said.quote), said.quote)


def _propose(state: State, said: Minuted, found: Found) -> str:
    """Add a proposal, or join it to the one that it says again; gives the id that it has now."""
    key = f"p{said.message}@{said.start}"
    same = state.proposals.get(key) or _proposed_before(state, said)
    if same is not None:
        _restate(state, same, said, found)
        return same.id
    item = ProposalItem(
        id=key,
        message=said.message,
        proposer=said.who,
        content=clean(said.text) or clean(said.quote) or said.quote,
        quote=_quote(said),
        source="minutes",
        pattern="",
        confidence=CONFIDENCE,
    )
    state.place_proposal(item)
    state.last_proposal = state.last_proposal or item.id
    state.agents[item.proposer].contribute(f"proposed: {item.content}")
    found.append(ProposalMade(proposal=item.record))
    return item.id


def _proposed_before(state: State, said: Minuted) -> ProposalItem | None:
    bag = words(said.text)
    newest = islice(reversed(state.proposals.values()), LOOKED_AT)
    for item in {item.id: item for item in (*newest, *reversed(state.newest_open()))}.values():
        if item.minuted == "denied":
            continue
        if item.message == said.message and one_wording(item.content, said.text):
            return item
        over = item.status in ("rejected", "withdrawn")
        if not over and len(bag) >= FEWEST_WORDS and likeness(item.words, bag) >= SAME_PROPOSAL:
            return item
    return None


def _restate(state: State, item: ProposalItem, said: Minuted, found: Found) -> None:
    """It was said already: in the same message by a pattern, or in another message."""
    if item.message == said.message:
        if item.source == "pattern" and not item.minuted:
            item.ruled("confirmed", "the minutes have it too")
            found.append(ProposalMade(proposal=item.record))
        return
    if all(quote.message != said.message for quote in item.restated) and len(item.restated) < MAX_RESTATED:
        item.restate(_quote(said))
        found.append(ProposalMade(proposal=item.record))
    if said.who != item.proposer and said.who not in item.standing:
        _answer(state, _reaction(said, "support", item, "restated"), item, found)


def _react(state: State, said: Minuted, stance: Stance, listed: dict[str, str], found: Found) -> None:
    item = _target(state, said, listed)
    if item is None and said.to is not None:
        return
    _answer(state, _reaction(said, stance, item, "id" if item else ""), item, found)


def _reaction(said: Minuted, stance: Stance, item: ProposalItem | None, link: str) -> Reaction:
    return Reaction(
        message=said.message,
        agent=said.who,
        reaction=stance,
        to=item.id if item else None,
        answered=item.message if item else None,
        quote=_quote(said),
        source="minutes",
        score=CONFIDENCE if item else 0.0,
        link=link,
    )


def _answer(state: State, reaction: Reaction, item: ProposalItem | None, found: Found) -> None:
    """Note a reaction, unless it is held, or the message declares another."""
    held = [(at, other) for at, other in _said_in(state, reaction.message) if other.agent == reaction.agent]
    alike = [(at, other) for at, other in held if other.reaction == reaction.reaction]
    if item is None and alike:
        return
    if any(other.to == reaction.to and _settled(other, reaction) for _, other in held):
        return
    unbound = next((at for at, other in alike if other.to is None and other.source == "pattern"), None)
    if unbound is not None:
        del state.reactions[unbound]
    state.place_reaction(reaction)
    found.append(ReactionSeen(reaction=reaction))
    if item is None:
        return
    standing = item.standing.get(reaction.agent)
    if standing is not None and standing.message > reaction.message:
        item.recall(reaction)
        return
    item.react(reaction)
    _side(state, reaction, found)


def _settled(other: Reaction, reaction: Reaction) -> bool:
    """Whether what the message is known to say of a proposal says this too, or was declared."""
    return other.reaction == reaction.reaction or other.source in ("declared", "minutes")


def _said_in(state: State, number: int) -> list[tuple[int, Reaction]]:
    """The reactions of a message, with their places: as costly as what came after it."""
    held: list[tuple[int, Reaction]] = []
    for place in range(len(state.reactions) - 1, -1, -1):
        if state.reactions[place].message < number:
            break
        if state.reactions[place].message == number:
            held.append((place, state.reactions[place]))
    return held


def _side(state: State, reaction: Reaction, found: Found) -> None:
    """Who reacts to a proposal takes a side in what was decided of it."""
    for item in reversed(state.newest_decisions()):
        if item.proposal != reaction.to or item.source == "procedure" or item.by == reaction.agent:
            continue
        item.takes_side(reaction)
        if reaction.reaction == "support":
            confirm(state, item, found)
        return


def _decide(state: State, said: Minuted, proposal: ProposalItem | None, found: Found) -> None:
    """Add a decision, or join it to the one that it states again; in a debate it is a claim until others assent."""
    key = f"d{said.message}@{said.start}"
    same = state.decisions.get(key) or _decided_before(state, said, proposal)
    if same is not None:
        _state_again(state, same, said, found)
        return
    decided = state.imported or (proposal is not None and proposal.status == "accepted")
    item = DecisionItem(
        id=key,
        by=said.who,
        topic=proposal.content if proposal else clean(said.text),
        outcome=clean(said.text) or clean(said.quote) or said.quote,
        status="decided" if decided else "claimed",
        source="minutes",
        pattern="",
        confidence=CONFIDENCE,
        messages=[said.message],
        quotes=[_quote(said)],
        supporters={said.who: said.message},
        proposal=proposal.id if proposal else None,
    )
    if proposal is not None:
        item.takes_sides_of(proposal)
    state.place_decision(item)
    if decided:
        settle(state, item, said.quote, [proposal] if proposal and proposal.status == "active" else [], found)
        return
    found.append(DecisionFound(decision=item.record))
    confirm(state, item, found)


def _decided_before(state: State, said: Minuted, proposal: ProposalItem | None) -> DecisionItem | None:
    bag = words(said.text)
    for item in islice(reversed(state.decisions.values()), LOOKED_AT):
        if item.minuted == "denied" or item.status == "superseded":
            continue
        if item.made == said.message and one_wording(item.outcome, said.text):
            return item
        alike = len(bag) > 1 and likeness(item.words, bag) >= SAME_DECISION and not revises(item.outcome, said.text)
        if alike or (proposal is not None and item.status == "decided" and item.proposal == proposal.id):
            return item
    return None


def _state_again(state: State, item: DecisionItem, said: Minuted, found: Found) -> None:
    if item.made == said.message:
        if item.source == "pattern" and not item.minuted:
            item.ruled("confirmed", "the minutes have it too")
            found.append(DecisionFound(decision=item.record))
        return
    if item.source == "procedure" or said.message in item.messages:
        return
    if said.message > item.last:
        item.restate(_quote(said))
    if said.who not in item.opposers:
        item.supporters.setdefault(said.who, said.message)
    found.append(DecisionFound(decision=item.record))
    confirm(state, item, found)


def _target(state: State, said: Minuted, listed: dict[str, str]) -> ProposalItem | None:
    """The proposal that a reaction answers or a decision accepts, where it is still the one that it was."""
    if said.to is None:
        return None
    item = state.proposal(listed.get(said.to))
    found = item or find(state, Ruled(said.to, said.about, f"m{said.message} is about it"))
    return found if isinstance(found, ProposalItem) and found.minuted != "denied" else None
