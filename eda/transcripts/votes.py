"""The written votes of recorded talk. A vote, as `+1`, is on a proposal or on the last thing said."""

from __future__ import annotations

from dataclasses import replace

from eda.events.records import Quote, Reaction, StatusChange
from eda.memory.minutes.items import Act, DecisionItem, ProposalItem
from eda.memory.minutes.proposals import SAME, close, new_item, put
from eda.memory.minutes.state import State, Talk
from eda.text import clean, likeness

VOTED_ON = "voted-on"  # Stands for the pattern of a proposal that was made of the message before several votes.
REWORDED = 5  # Most earlier wordings of a proposal that are closed when it is accepted.
SPOKEN = 0.5  # Least confidence of an answered spoken proposal that stays once moves are declared.
ASSURED = 0.8  # The same for one that two support, once proposals are voted on in writing.
JUST_NOW = 3  # Messages within which terse talk answers a proposal.
BARE = 12  # Characters of a message that is nothing but a vote.
HEARD_VOTES = 6  # Messages within which votes on one thing fall.
VOTING = 35  # Messages without a vote after which a vote is over.
VOTING_ON = 5  # The same, where nothing says that what is voted on is a proposal.
VOTERS = 2  # Voters, with nothing put to the vote, from which the message before their votes counts as a proposal.


def accept(state: State, item: ProposalItem, messages: tuple[int, ...]) -> None:
    """Accept a proposal of the talk, and close the texts that it amends."""
    close(state, item, StatusChange("accepted", messages, "stated"))
    for _ in range(REWORDED):
        old = state.proposal(item.amends)
        if old is None or old.status not in ("active", "modified"):
            return
        if likeness(old.words, item.words) >= SAME and old.written and item.source == "pattern":
            close(state, old, StatusChange("accepted", messages, "put again", item.id))
        elif old.status == "active":
            close(state, old, StatusChange("modified", messages, "amended", item.id))
        item = old


def formalise(state: State, *, titled: bool = True) -> None:
    """Note that this talk votes on written proposals: from here on, and before, only those count."""
    genre = replace(state.genre, spoken=False, titled=state.genre.titled or titled)
    if genre != state.genre:
        state.genre = genre
        forget_spoken(state)


def _answered(state: State, item: ProposalItem) -> bool:
    """True if somebody answered or amended a spoken proposal; in a transcript with votes, if two support it."""
    if item.amended_by is not None:
        return True
    others = [reaction for reaction in item.standing.values() if reaction.agent != item.by]
    if state.genre.firm:
        return bool(others) and item.confidence >= SPOKEN
    support = [reaction for reaction in others if reaction.reaction == "support"]
    return len(support) >= 2 and len(support) == len(others) and item.confidence >= ASSURED


def forget_spoken(state: State) -> None:
    """Drop the proposals of turns of speech that nobody answered, and what was decided on them."""
    decided = {decision.proposal for decision in state.decisions.values() if len(decision.supporters) > 1}
    gone = {
        key
        for key, item in state.proposals.items()
        if (_only_found(item) and key not in decided and not _answered(state, item))
        or (state.genre.titled and item.pattern == VOTED_ON)
    }
    for key in gone:
        del state.proposals[key]
        state.open.pop(key, None)
    if state.last_proposal in gone:
        state.last_proposal = next(reversed(state.open), None)
    state.reactions[:] = [replace(r, to=None) if r.to in gone else r for r in state.reactions]
    _forget_decisions_on(state, gone)


def _forget_decisions_on(state: State, gone: set[str]) -> None:
    """Unbind the decisions on proposals that are gone; where votes are in writing, drop what one agent only said."""
    for decision in state.decisions.values():
        decision.proposal = None if decision.proposal in gone else decision.proposal
    if not state.genre.spoken:
        spoken = [key for key, item in state.decisions.items() if _only_found(item) and len(item.supporters) <= 1]
        for key in spoken:
            del state.decisions[key]
        state.recent[:] = [key for key in state.recent if key in state.decisions]


def _only_found(item: ProposalItem | DecisionItem) -> bool:
    """True if a pattern found the item in a turn of speech, and neither the minutes nor a person vouch for it."""
    return item.source == "pattern" and not (item.written or item.minuted == "confirmed" or item.corrected)


def call_a_vote(state: State, vote: Reaction) -> None:
    """Make a proposal of the message before several votes that had nothing to vote on, and bind the votes to it."""
    state.votes.append(vote)
    votes = [each for each in state.votes if each.message > state.number - HEARD_VOTES]
    if len({each.agent for each in votes}) < VOTERS:
        return
    first = votes[0].message
    ballots = {each.message for each in state.votes}
    earlier = [c for c in state.heard if c.message < first and c.message not in ballots and len(c.words) >= 2]
    if not earlier or first - earlier[-1].message > 4:
        return
    subject = earlier[-1]
    text = clean(subject.text)
    quote = Quote(subject.message, 0, len(subject.text), text)
    item = new_item(Act("propose", subject.message, subject.who, text, "", "pattern", quote, "@0", 0.9, VOTED_ON))
    if item.id in state.proposals:
        return
    formalise(state, titled=False)
    put(state, item)
    for each in votes:
        reaction = replace(each, to=item.id, answered=item.message, link="recency", score=0.8)
        item.react(reaction)
        at = next(k for k in range(len(state.reactions) - 1, -1, -1) if state.reactions[k] == each)
        state.reactions[at] = reaction
    state.votes.clear()


def proposal_voted_on(state: State, talk: Talk) -> ProposalItem | None:
    """Return the proposal that a written vote is on: one that is open and was not left behind since."""
    answered = next((item for item in state.newest_open() if item.message == talk.reply_to), None)
    last = state.proposal(state.last_proposal)
    if answered is not None or last is None:
        return answered
    if last.status != "active" or (talk.reply_to is not None and last.message > talk.reply_to):
        return None
    last = _in_writing(state, talk, last)
    gap = talk.number - _last_vote(last)
    if not last.written and last.pattern != VOTED_ON:
        return last if state.genre.spoken and talk.number - last.message <= JUST_NOW else None
    if last.pattern == VOTED_ON and (gap > VOTING_ON or (gap > 1 and talk.who in last.standing)):
        return None
    return last if gap <= VOTING else None


def _in_writing(state: State, talk: Talk, last: ProposalItem) -> ProposalItem:
    """Return the last proposal put in writing, from which a turn of speech takes no vote away; else the last one."""
    written = [item for item in state.newest_open() if item.written and item.pattern != VOTED_ON]
    lasting = written and not last.written and talk.number - _last_vote(written[-1]) <= VOTING
    return written[-1] if lasting else last


def _last_vote(item: ProposalItem) -> int:
    """Return the message of the newest vote on a proposal; its own message before the first vote."""
    return max((reaction.message for reaction in item.standing.values()), default=item.message)
