"""Counts the votes of a recorded conversation: `+1` and the like, on a proposal or on the last thing said."""

from __future__ import annotations

from dataclasses import replace

from eda.events.records import Quote, Reaction
from eda.memory.minutes.acts import Act
from eda.memory.minutes.items import ProposalItem
from eda.memory.minutes.proposals import VOTED_ON, formalise, new_item, put
from eda.memory.minutes.resolve import JUST_NOW
from eda.memory.minutes.state import State, Talk
from eda.text import clean

BARE = 12  # Characters of a message that is nothing but a vote.
BARE_VOTE = "1"  # A message that some people post in place of `+1`.
HEARD_VOTES = 6  # Messages within which votes on one thing fall.
VOTING = 35  # Messages without a vote after which a vote is over.
VOTING_ON = 5  # The same, where nothing says that what is voted on is a proposal.
VOTERS = 2  # Voters, with nothing put to the vote, from which the message before their votes counts as a proposal.


def takes_bare_vote(state: State, talk: Talk) -> ProposalItem | None:
    """Return the titled proposal for which a message that is only `1` votes; None if it is no vote."""
    if len(talk.text) > len(BARE_VOTE) + 1 or talk.text.rstrip(" .!") != BARE_VOTE or not state.genre.recorded:
        return None
    target = proposal_voted_on(state, talk)
    voted = target is not None and target.written and target.standing and target.pattern != VOTED_ON
    return target if voted else None


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
