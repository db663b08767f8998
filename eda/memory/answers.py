"""A reaction is bound to the proposal that it answers; what answers no proposal answers a message, or nothing."""

from __future__ import annotations

from dataclasses import replace

from eda.events import MessagePosted, ReactionSeen
from eda.memory.extract import SIGNS, Finding
from eda.memory.items import ProposalItem
from eda.memory.link import Candidate, Link, best_link
from eda.memory.motions import VOTED_ON, formalise, put
from eda.memory.rulings import DENIALS, denies, hear_answer
from eda.memory.state import Found, State, Vote
from eda.memory.wording import clean
from eda.records import Quote, Reaction, Source, Stance

__all__ = ["STANCES", "answer", "count_bare", "react"]

STANCES: tuple[Stance, ...] = ("support", "oppose", "neutral")
VOTING = 35
"""Messages without a vote after which a vote is over."""
VOTING_ON = 5
"""The same, where nothing says that what is voted on is a proposal."""
LINKED = 0.3
"""Score from which a reaction is bound to a proposal."""
JUST_NOW = 3
"""Messages within which terse talk answers a proposal."""
CLEAR = 0.4
"""Confidence of a proposal from which terse talk answers it."""
BARE = 12
"""Characters of a message that is nothing but a vote."""
BARE_VOTE = "1"
"""What some type for `+1`."""
HEARD_VOTES = 6
"""Messages within which votes belong together."""
CLAIMED = 4
"""Messages within which assent answers a claim."""
VOTERS = 2
"""Voters in a row whose votes make a proposal of what they vote on."""


def answer(
    state: State,
    message: MessagePosted,
    findings: list[Finding],
    bag: frozenset[str],
    register: str,
    found: Found,
) -> None:
    """The reactions that patterns found in a message: a written vote, or what the talk says.

    In terse talk most of what sounds like assent is none: there it takes a cue word, and a proposal just made.
    """
    stances = [finding for finding in findings if finding.kind in STANCES]
    if not stances:
        return
    votes = [finding for finding in stances if finding.written]
    if votes:
        _vote(state, message, votes[0], bag, found)
        return
    best = max(stances, key=lambda finding: finding.confidence)
    stance: Stance = best.kind  # type: ignore[assignment]  # one of STANCES, see above
    if register == "terse" and best.pattern == SIGNS:
        return
    quote = Quote(message.number, best.start, best.end, best.sentence)
    if best.pattern in DENIALS:
        denied = next((d for d in reversed(state.newest_decisions()) if denies(message.number, message.who, d)), None)
        if denied is not None:
            react(state, message, stance, None, denied.last, quote, "pattern", best.pattern, None, found)
            return
    link = None if state.formal else _link(state, message, bag, register)
    target = state.proposal(link.candidate.id) if link else None
    claim = _claimed_since(state, message, target) if link is not None and link.how == "recency" else None
    if claim is not None:
        react(state, message, stance, None, claim, quote, "pattern", best.pattern, link, found)
        return
    if link is not None and target is not None:
        turned = stance == "support" and _opposed_just_now(state, message, target, link)
        to, said = (None, message.number - 1) if turned else (target, target.message)
        react(state, message, stance, to, said, quote, "pattern", best.pattern, link, found)
        return
    plain = _answered(state, message, bag)
    number = plain.candidate.message if plain else message.reply_to
    react(state, message, stance, None, number, quote, "pattern", best.pattern, plain, found)


def count_bare(state: State, message: MessagePosted, found: Found) -> None:
    """A `1` among the votes on a titled proposal is a `+1`; anywhere else it is a number."""
    if len(message.talk) > len(BARE_VOTE) + 1 or message.talk.rstrip(" .!") != BARE_VOTE or not state.imported:
        return
    target = _on_the_table(state, message)
    if target is None or not target.written or not target.standing or target.pattern == VOTED_ON:
        return
    quote = Quote(message.number, 0, len(message.talk), message.talk)
    link = Link(Candidate(target.id, target.message, target.proposer, "", frozenset()), "recency", 0.8)
    react(state, message, "support", target, target.message, quote, "pattern", SIGNS, link, found)


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
    found: Found,
) -> Reaction:
    """Note a reaction; one to a proposal replaces the agent's earlier one."""
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
    found.append(ReactionSeen(reaction=reaction))
    hear_answer(state, reaction, found)
    return reaction


def _link(state: State, message: MessagePosted, bag: frozenset[str], register: str) -> Link | None:
    candidates = [
        Candidate(item.id, item.message, item.proposer, item.content, item.words)
        for item in state.newest_open()
        if register != "terse"
        or item.message == message.reply_to
        or (message.number - item.message <= JUST_NOW and item.confidence >= CLEAR)
    ]
    link = best_link(
        message.talk,
        bag,
        message.who,
        candidates,
        reply_to=message.reply_to,
        to=message.to,
        number=message.number,
        reach=state.scene.reach,
    )
    return link if link is not None and link.score >= LINKED else None


def _claimed_since(state: State, message: MessagePosted, target: ProposalItem | None) -> int | None:
    """The message of a claim that stands, and that was made after a proposal that it is not about."""
    if state.imported or target is None:
        return None
    for item in reversed(state.newest_decisions()):
        if item.status == "claimed" and item.by != message.who and message.number - item.last <= CLAIMED:
            return item.last if item.last > target.message and item.proposal != target.id else None
    return None


def _opposed_just_now(state: State, message: MessagePosted, target: ProposalItem, link: Link) -> bool:
    """Whether the message before turned a proposal down: who agrees right after that, agrees with that."""
    last = state.reactions[-1] if state.reactions else None
    if last is None or link.how not in ("words", "recency"):
        return False
    here = last.message == message.number - 1 and last.to == target.id and last.reaction == "oppose"
    return here and last.agent not in (message.who, target.proposer)


def _answered(state: State, message: MessagePosted, bag: frozenset[str]) -> Link | None:
    return best_link(
        message.talk,
        bag,
        message.who,
        list(state.heard)[-6:],
        reply_to=message.reply_to,
        to=message.to,
        number=message.number,
        reach=state.scene.reach,
    )


def _vote(state: State, message: MessagePosted, finding: Finding, bag: frozenset[str], found: Found) -> None:
    quote = Quote(message.number, finding.start, finding.end, finding.sentence)
    target = _on_the_table(state, message)
    stance: Stance = finding.kind  # type: ignore[assignment]  # one of STANCES
    claim = _claimed_since(state, message, target)
    if claim is not None:
        react(state, message, stance, None, claim, quote, "pattern", finding.pattern, None, found)
        return
    if target is not None:
        link = Link(Candidate(target.id, target.message, target.proposer, "", frozenset()), "recency", 0.9)
        react(state, message, stance, target, target.message, quote, "pattern", finding.pattern, link, found)
        if target.written and target.pattern != VOTED_ON and message.who != target.proposer:
            formalise(state)
        return
    plain = _answered(state, message, bag)
    number = plain.candidate.message if plain else message.reply_to
    reaction = react(state, message, stance, None, number, quote, "pattern", finding.pattern, plain, found)
    if len(message.talk) <= BARE and not state.titled:
        state.votes.append(Vote(message.number, message.who, reaction))
        _call_a_vote(state, found)


def _on_the_table(state: State, message: MessagePosted) -> ProposalItem | None:
    """The written proposal that is being voted on: open, and not yet left behind."""
    if message.reply_to is not None:
        for item in state.newest_open():
            if item.message == message.reply_to:
                return item
    last = state.proposal(state.last_proposal)
    if last is None or last.status != "active":
        return None
    if message.reply_to is not None and last.message > message.reply_to:
        return None
    if state.imported and not last.written:
        # a turn of speech since then takes no vote away from what was put in writing
        written = [item for item in state.newest_open() if item.written and item.pattern != VOTED_ON]
        if written and message.number - _voted(written[-1]) <= VOTING:
            last = written[-1]
    gap = message.number - _voted(last)
    if not last.written and last.pattern != VOTED_ON:
        return last if not state.formal and message.number - last.message <= JUST_NOW else None
    if last.pattern == VOTED_ON and (gap > VOTING_ON or (gap > 1 and message.who in last.standing)):
        return None
    return last if gap <= VOTING else None


def _voted(item: ProposalItem) -> int:
    """The message of the newest vote on a proposal, or its own."""
    return max((reaction.message for reaction in item.standing.values()), default=item.message)


def _call_a_vote(state: State, found: Found) -> None:
    """Several votes in a row with nothing to vote on: what was said just before them was a proposal."""
    votes = [vote for vote in state.votes if vote.message > state.number - HEARD_VOTES]
    if len({vote.agent for vote in votes}) < VOTERS:
        return
    first = votes[0].message
    ballots = {vote.message for vote in state.votes}
    asked = [c for c in state.heard if c.message < first and c.message not in ballots and len(c.words) >= 2]
    if not asked or first - asked[-1].message > 4:
        return
    subject = asked[-1]
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
    put(state, item, found)
    for vote in votes:
        reaction = replace(vote.reaction, to=item.id, answered=item.message, link="recency", score=0.8)
        item.react(reaction)
        at = next(k for k in range(len(state.reactions) - 1, -1, -1) if state.reactions[k] == vote.reaction)
        state.reactions[at] = reaction
    state.votes.clear()
