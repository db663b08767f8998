"""The decisions that recorded talk states, and its written votes.

A decision holds unless somebody denies it at once, and stands once. A vote, as `+1`, is on a proposal or on the last
thing said.
"""

from dataclasses import replace

from eda.events import Quote, Reaction, StatusChange
from eda.memory.minutes import decisions
from eda.memory.minutes.items import DecisionItem, ProposalItem, ReadAct
from eda.memory.minutes.proposals import SAME, close, new_item, put, reopen
from eda.memory.minutes.state import State
from eda.memory.patterns import Language
from eda.text import clean, likeness, names, normalise, overlap, sentences, words
from eda.transcripts.free_talk import DENIALS, Talk

RELATED = 0.25  # Likeness from which a decision that says that it replaces something replaces this one.
TOUCHED = 0.5  # Share of a text's words from which other words are about it.
AT_ONCE = 2  # Messages for which an objection answers the decision just stated.
TAGS = frozenset(["tag-decision", "tag-consensus"])  # Tags that people type freely. In long turns they only claim.


def decide(state: State, talk: Talk, act: ReadAct) -> None:
    """Record a decision that a message states."""
    if act.written and any(item.written for item in state.newest_open()):
        formalise(state)
    if not words(act.text):
        return
    text = act.text if act.written else talk.text
    touched = _proposals(state, act, words(text[:2000]))
    if _restated(state, act, touched):
        return
    if not touched and act.written and _turns_down(state.language, text):
        touched = [item for item in state.newest_open() if item.written or not state.genre.titled][-1:]
    proposal = touched[-1] if touched else None
    item = decisions.new_decision(act, "decided", talk.message.topic or act.text, proposal)
    if _only_claims(state.language, talk, item):
        decisions.claim(state, act, talk.message.topic or "")
        return
    if proposal is not None and state.language.as_put.match(act.text):  # `RESOLVED`, `accepted as proposed`
        item.change(text=proposal.text)
    state.place_decision(item)
    settle(state, item, talk.text, touched)


def _only_claims(language: Language, talk: Talk, item: DecisionItem) -> bool:
    """Return whether a decision is a tag in prose, or says that all agree, and neither on what nor "on that"."""
    bare = decisions.all_agree(language, item) and not language.it.search(item.text.lower())
    return bare or (item.pattern in TAGS and talk.register == "prose")


def answers(item: DecisionItem, reaction: Reaction) -> bool:
    """True if a reaction is to a decision: it answers it, denies it, or objects to it at once."""
    just_now = reaction.reaction == "oppose" and 0 < reaction.message - item.last <= AT_ONCE
    about = reaction.answered in item.messages or (item.proposal is not None and reaction.to == item.proposal)
    return about or just_now or denies(item, reaction)


def denies(item: DecisionItem, reaction: Reaction) -> bool:
    """True if a reaction denies a decision."""
    return denied_by(item, reaction.message, reaction.agent) and reaction.pattern in DENIALS


def denied_by(item: DecisionItem, number: int, who: str) -> bool:
    """True if a denial in message `number` by `who` is near enough to be about a decision."""
    return who != item.by and 0 < number - item.last <= decisions.DENIED


def _proposals(state: State, act: ReadAct, bag: frozenset[str]) -> list[ProposalItem]:
    """Return the open proposals that a decision is about, the most likely one last."""
    earlier = [item for item in state.newest_open() if item.message < state.number and len(item.words) > 1]
    scored = [(overlap(item.words, bag), item.message, item) for item in earlier if item.written or not act.written]
    last = state.proposal(state.last_proposal)
    if act.written:
        if scored and (last is None or not last.written):
            last = scored[-1][2]
        if last is not None and last.status == "active" and not any(row[0] >= decisions.SAME for row in scored):
            return [last] if state.language.as_put.match(act.text) or _may_be_meant(last, bag) else []
    scored.sort(key=lambda row: row[:2])
    best = [row[2] for row in scored if row[0] >= TOUCHED]
    return best[-1:] if act.written else best


def _may_be_meant(text: ProposalItem, bag: frozenset[str]) -> bool:
    """Return whether a resolution in other words may accept a text: it is supported, or shares words with it."""
    support, against = len(text.backers("support")), len(text.backers("oppose"))
    return against <= support and (support > 0 or bool(text.words & bag))


def _restated(state: State, act: ReadAct, touched: list[ProposalItem]) -> bool:
    if touched and _turns_down(state.language, act.text):
        return False
    about = [proposal.id for proposal in touched]
    for item in reversed(state.newest_decisions()):
        if act.written and any(p.status == "active" and p.id != item.proposal and p.standing for p in touched):
            return False  # a proposal just voted on is decided now, however alike an earlier resolution is
        if state.language.replaces.search(act.quote.text) or not decisions.restates(
            state.language, item, act.text, about
        ):
            continue
        item.restate(act.quote)
        item.supporters.setdefault(act.agent, act.message)
        item.opposers.pop(act.agent, None)
        state.announce(item)
        return True
    return False


def settle(state: State, item: DecisionItem, text: str, touched: list[ProposalItem]) -> None:
    """Put a decision in force: it supersedes those that it contradicts and accepts its proposals."""
    chosen = state.options.mentioned(item.text)
    _replace(state, item, text, chosen)
    if len(chosen) == 1 and item.source != "minutes":
        _hold(state, item, chosen, touched, text)
    state.announce(item)
    for proposal in touched:
        if _turns_down(state.language, item.text, proposal.text):
            close(state, proposal, StatusChange("rejected", tuple(item.messages), "turned down", item.id))
        else:
            accept(state, proposal, tuple(item.messages))


def _replace(state: State, item: DecisionItem, text: str, chosen: tuple[str, ...]) -> None:
    for old in state.newest_decisions():
        if old.id == item.id or old.status != "decided":
            continue
        if item.source == "minutes" and old.made >= item.made:
            continue  # later messages were read before these minutes
        before = state.options.mentioned(old.text)
        other = len(chosen) == 1 and len(before) == 1 and chosen != before
        replaced = likeness(old.words, item.words) >= RELATED and bool(state.language.replaces.search(text))
        if other or replaced or decisions.revises(state.language, old.text, item.text):
            old.status, old.superseded_by, item.supersedes = "superseded", item.id, old.id
            if other and item.source != "minutes":
                for name in state.agents:
                    decisions.let_go(state, name, before)
            state.announce(old)


def _hold(state: State, item: DecisionItem, chosen: tuple[str, ...], touched: list[ProposalItem], text: str) -> None:
    """Note that its supporters, and those whom the text names as behind it, hold the option that a decision names."""
    behind = {*item.supporters, *(proposal.by for proposal in touched)}
    for start, end in sentences(normalise(text)):
        sentence = text[start:end].lower()
        if state.language.behind.search(sentence):
            behind.update(name for name in state.agents if names(sentence, name))
    for proposal in touched:
        behind.update(proposal.backers("support"))
    for name in behind - set(item.opposers):
        agent = state.agents.get(name)
        if agent is not None and not state.language.is_chair(name) and agent.holds != chosen:
            agent.holds, agent.since = chosen, item.made


def undo(state: State, item: DecisionItem, reaction: Reaction) -> None:
    """Take back a decision that somebody denies: it is a claim."""
    item.status = "claimed"
    state.announce(item)
    proposal = state.proposal(item.proposal)
    if proposal is not None and proposal.status == "accepted":
        reopen(state, proposal, (reaction.message,), "disputed", item.id)


def _turns_down(language: Language, text: str, proposal: str = "") -> bool:
    """Return whether a resolution rejects a proposal. A proposal to reject something does not reject itself."""
    return bool(language.turned_down.search(text)) and not language.turned_down.search(proposal)


VOTED_ON = "voted-on"  # Stands for the pattern of a proposal that was made of the message before several votes.
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
    old = state.proposal(item.amends)
    if old is None or old.status not in ("active", "modified"):
        return
    if likeness(old.words, item.words) >= SAME and old.written and item.source == "pattern":
        close(state, old, StatusChange("accepted", messages, "put again", item.id))
    elif old.status == "active":
        close(state, old, StatusChange("modified", messages, "amended", item.id))


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
    return item.source == "pattern" and not (item.written or item.corrected)


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
    item = new_item(ReadAct("propose", subject.message, subject.who, text, "", "pattern", quote, "@0", 0.9, VOTED_ON))
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
    answered = next((item for item in state.newest_open() if item.message == talk.message.reply_to), None)
    last = state.proposal(state.last_proposal)
    if answered is not None or last is None:
        return answered
    if last.status != "active" or (talk.message.reply_to is not None and last.message > talk.message.reply_to):
        return None
    gap = talk.message.number - max((reaction.message for reaction in last.standing.values()), default=last.message)
    if not last.written and last.pattern != VOTED_ON:
        return last if state.genre.spoken and talk.message.number - last.message <= JUST_NOW else None
    if last.pattern == VOTED_ON and (gap > VOTING_ON or (gap > 1 and talk.message.who in last.standing)):
        return None
    return last if gap <= VOTING else None
