"""Counts the votes of a recorded conversation: `+1` and the like, on a proposal or on the last thing said."""

from __future__ import annotations

from dataclasses import replace

from eda.events.records import Quote, Reaction
from eda.memory.minutes.acts import Act
from eda.memory.minutes.items import ProposalItem
from eda.memory.minutes.links import proposal_voted_on
from eda.memory.minutes.proposals import VOTED_ON, formalise, new_item, put
from eda.memory.minutes.state import State, Talk
from eda.text import clean

BARE = 12
"""Characters of a message that is nothing but a vote."""
BARE_VOTE = "1"
"""A message that some people post in place of `+1`."""
HEARD_VOTES = 6
"""Messages within which votes on one thing fall."""
VOTERS = 2
"""Voters, with nothing put to the vote, from which the message before their votes counts as a proposal."""


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
