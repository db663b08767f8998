"""The decisions that recorded talk states. One holds unless somebody denies it at once, and stands once."""

from __future__ import annotations

from eda.events.records import Reaction, StatusChange
from eda.memory.minutes.decisions import DENIED, SAME, TOUCHED, claim, let_go, new_decision, restates, revises
from eda.memory.minutes.items import DENIALS, Act, DecisionItem, ProposalItem
from eda.memory.minutes.proposals import close, reopen
from eda.memory.minutes.state import State, Talk
from eda.memory.patterns import Language
from eda.text import likeness, names, normalise, overlap, sentences, words
from eda.transcripts.votes import accept, formalise

RELATED = 0.25  # Likeness from which a decision that says that it replaces something replaces this one.
AT_ONCE = 2  # Messages for which an objection answers the decision just stated.
TAGS = frozenset(["tag-decision", "tag-consensus"])  # Tags that people type freely. In long turns they only claim.


def decide(state: State, talk: Talk, act: Act) -> None:
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
    if act.pattern in TAGS and talk.register == "prose":
        claim(state, act, talk.topic or "")
        return
    proposal = touched[-1] if touched else None
    item = new_decision(act, "decided", talk.topic or act.text, proposal, "words")
    if proposal is not None and state.language.as_put.match(act.text):  # `RESOLVED`, `accepted as proposed`
        item.change(text=proposal.text)
    state.place_decision(item)
    settle(state, item, talk.text, touched)


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
    return who != item.by and 0 < number - item.last <= DENIED


def _proposals(state: State, act: Act, bag: frozenset[str]) -> list[ProposalItem]:
    """Return the open proposals that a decision is about, the most likely one last."""
    earlier = [item for item in state.newest_open() if item.message < state.number and len(item.words) > 1]
    scored = [(overlap(item.words, bag), item.message, item) for item in earlier if item.written or not act.written]
    last = state.proposal(state.last_proposal)
    if act.written:
        if scored and (last is None or not last.written):
            last = scored[-1][2]
        if last is not None and last.status == "active" and not any(row[0] >= SAME for row in scored):
            return [last] if state.language.as_put.match(act.text) or _may_accept(last, bag) else []
    scored.sort(key=lambda row: row[:2])
    best = [row[2] for row in scored if row[0] >= TOUCHED]
    return best[-1:] if act.written else best


def _may_accept(proposal: ProposalItem, bag: frozenset[str]) -> bool:
    """Return whether a resolution in other words may accept a proposal: it is supported, or shares words with it."""
    support = len(proposal.backers("support"))
    return len(proposal.backers("oppose")) <= support and (support > 0 or bool(proposal.words & bag))


def _restated(state: State, act: Act, touched: list[ProposalItem]) -> bool:
    if touched and _turns_down(state.language, act.text):
        return False
    about = [proposal.id for proposal in touched]
    for item in reversed(state.newest_decisions()):
        if act.written and any(p.status == "active" and p.id != item.proposal and p.standing for p in touched):
            return False  # a proposal just voted on is decided now, however alike an earlier resolution is
        if state.language.replaces.search(act.quote.text) or not restates(state.language, item, act.text, about):
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
    state.agents[item.by].contribute(item.contribution)
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
        several = old.proposal and item.proposal and old.proposal != item.proposal
        related = not several or likeness(words(old.topic), words(item.topic)) >= RELATED
        if other or replaced or (related and revises(state.language, old.text, item.text)):
            old.status, old.superseded_by, item.supersedes = "superseded", item.id, old.id
            if other and item.source != "minutes":
                for name in state.agents:
                    let_go(state, name, before)
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
