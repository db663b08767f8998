"""Records reactions. Each is bound to the proposal that it answers; else to a message, or to nothing.

`links` finds what a reaction answers.
"""

from __future__ import annotations

from dataclasses import replace

from eda.events import MessagePosted, ReactionSeen
from eda.events.records import Quote, Reaction, Source, Stance
from eda.memory.minutes.decisions import DENIALS, denies, hear_answer
from eda.memory.minutes.items import ProposalItem
from eda.memory.minutes.links import Link, link_to_message, link_to_proposal, proposal_voted_on
from eda.memory.minutes.proposals import VOTED_ON, formalise, put
from eda.memory.minutes.state import Candidate, Events, State, Vote
from eda.memory.patterns.extract import Finding
from eda.text import clean

__all__ = ["STANCES", "answer", "count_bare", "react"]

STANCES: tuple[Stance, ...] = ("support", "oppose", "neutral")
BARE = 12
"""Characters of a message that is nothing but a vote."""
BARE_VOTE = "1"
"""A message that some people post in place of `+1`."""
BARE_PATTERN = "bare-one"
"""Stands for the pattern of such a vote."""
HEARD_VOTES = 6
"""Messages within which votes on one thing fall."""
CLAIMED = 4
"""Messages for which assent can answer a claim of a decision."""
VOTERS = 2
"""Voters, with nothing put to the vote, from which the message before their votes counts as a proposal."""


def answer(
    state: State,
    message: MessagePosted,
    findings: list[Finding],
    bag: frozenset[str],
    register: str,
    events: Events,
) -> None:
    """Record the reaction that patterns found in a message: a written vote, else the surest turn of speech."""
    stances = [finding for finding in findings if finding.kind in STANCES]
    if not stances:
        return
    votes = [finding for finding in stances if finding.written]
    if votes:
        _vote(state, message, votes[0], bag, events)
        return
    best = max(stances, key=lambda finding: finding.confidence)
    stance: Stance = best.kind  # type: ignore[assignment]  # one of STANCES, see above
    quote = Quote(message.number, best.start, best.end, best.sentence)
    if best.pattern in DENIALS:
        denied = next((d for d in reversed(state.newest_decisions()) if denies(message.number, message.who, d)), None)
        if denied is not None:
            react(state, message, stance, None, denied.last, quote, "pattern", best.pattern, None, events)
            return
    link = None if state.formal else link_to_proposal(state, message, bag, register)
    target = state.proposal(link.candidate.id) if link else None
    claim = _claimed_since(state, message, target) if link is not None and link.how == "recency" else None
    if claim is not None:
        react(state, message, stance, None, claim, quote, "pattern", best.pattern, link, events)
        return
    if link is not None and target is not None:
        turned = stance == "support" and _opposed_just_now(state, message, target, link)
        to, answered = (None, message.number - 1) if turned else (target, target.message)
        react(state, message, stance, to, answered, quote, "pattern", best.pattern, link, events)
        return
    plain = link_to_message(state, message, bag)
    number = plain.candidate.message if plain else message.reply_to
    react(state, message, stance, None, number, quote, "pattern", best.pattern, plain, events)


def count_bare(state: State, message: MessagePosted, events: Events) -> None:
    """Record a message that is only `1` as a `+1`, if a titled proposal is being voted on."""
    if len(message.talk) > len(BARE_VOTE) + 1 or message.talk.rstrip(" .!") != BARE_VOTE or not state.imported:
        return
    target = proposal_voted_on(state, message)
    if target is None or not target.written or not target.standing or target.pattern == VOTED_ON:
        return
    quote = Quote(message.number, 0, len(message.talk), message.talk)
    link = Link(Candidate(target.id, target.message, target.proposer, "", frozenset()), "recency", 0.8)
    react(state, message, "support", target, target.message, quote, "pattern", BARE_PATTERN, link, events)


def react(
    state: State,
    message: MessagePosted,
    stance: Stance,
    target: ProposalItem | None,
    answered: int | None,
    quote: Quote,
    source: Source,
    pattern: str,
    link: Link | None,
    events: Events,
) -> Reaction:
    """Record a reaction. One to a proposal replaces the agent's earlier one."""
    reaction = Reaction(
        message=message.number,
        agent=message.who,
        reaction=stance,
        to=target.id if target else None,
        answered=answered,
        quote=quote,
        source=source,
        pattern=pattern,
        score=link.score if link else 0.0,
        link=link.how if link else "",
    )
    state.reactions.append(reaction)
    if target is not None:
        target.react(reaction)
    events.append(ReactionSeen(reaction=reaction))
    hear_answer(state, reaction, events)
    return reaction


def _claimed_since(state: State, message: MessagePosted, target: ProposalItem | None) -> int | None:
    """Return the message of a recent claim of another agent that is newer than `target` and not about it."""
    if state.imported or target is None:
        return None
    for item in reversed(state.newest_decisions()):
        if item.status == "claimed" and item.by != message.who and message.number - item.last <= CLAIMED:
            return item.last if item.last > target.message and item.proposal != target.id else None
    return None


def _opposed_just_now(state: State, message: MessagePosted, target: ProposalItem, link: Link) -> bool:
    """True if the message before opposed the proposal: an agreement right after that agrees with the opponent."""
    last = state.reactions[-1] if state.reactions else None
    if last is None or link.how not in ("words", "recency"):
        return False
    here = last.message == message.number - 1 and last.to == target.id and last.reaction == "oppose"
    return here and last.agent not in (message.who, target.proposer)


def _vote(state: State, message: MessagePosted, finding: Finding, bag: frozenset[str], events: Events) -> None:
    quote = Quote(message.number, finding.start, finding.end, finding.sentence)
    target = proposal_voted_on(state, message)
    stance: Stance = finding.kind  # type: ignore[assignment]  # one of STANCES
    claim = _claimed_since(state, message, target)
    if claim is not None:
        react(state, message, stance, None, claim, quote, "pattern", finding.pattern, None, events)
        return
    if target is not None:
        link = Link(Candidate(target.id, target.message, target.proposer, "", frozenset()), "recency", 0.9)
        react(state, message, stance, target, target.message, quote, "pattern", finding.pattern, link, events)
        if target.written and target.pattern != VOTED_ON and message.who != target.proposer:
            formalise(state)
        return
    plain = link_to_message(state, message, bag)
    number = plain.candidate.message if plain else message.reply_to
    reaction = react(state, message, stance, None, number, quote, "pattern", finding.pattern, plain, events)
    if len(message.talk) <= BARE and not state.titled:
        state.votes.append(Vote(message.number, message.who, reaction))
        _call_a_vote(state, events)


def _call_a_vote(state: State, events: Events) -> None:
    """Make a proposal of the message before several votes that had nothing to vote on, and bind the votes to it."""
    votes = [vote for vote in state.votes if vote.message > state.number - HEARD_VOTES]
    if len({vote.agent for vote in votes}) < VOTERS:
        return
    first = votes[0].message
    ballots = {vote.message for vote in state.votes}
    earlier = [c for c in state.heard if c.message < first and c.message not in ballots and len(c.words) >= 2]
    if not earlier or first - earlier[-1].message > 4:
        return
    subject = earlier[-1]
    item = ProposalItem(
        id=f"p{subject.message}@0",
        message=subject.message,
        proposer=subject.who,
        content=clean(subject.text),
        quote=Quote(subject.message, 0, len(subject.text), clean(subject.text)),
        source="pattern",
        pattern=VOTED_ON,
        confidence=0.9,
        written=True,
    )
    if item.id in state.proposals:
        return
    formalise(state, titled=False)
    put(state, item, events)
    for vote in votes:
        reaction = replace(vote.reaction, to=item.id, answered=item.message, link="recency", score=0.8)
        item.react(reaction)
        at = next(k for k in range(len(state.reactions) - 1, -1, -1) if state.reactions[k] == vote.reaction)
        state.reactions[at] = reaction
    state.votes.clear()
