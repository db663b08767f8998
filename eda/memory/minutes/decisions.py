"""Decisions that a recorded transcript states, and claims that something was decided.

A decision of a transcript holds unless somebody denies it at once, and stands once. In a debate only a ballot decides,
so nothing follows from a claim. A claim is supported by its author alone. Whoever denies it, or its author by taking it
back, makes it disputed; a ballot that decides something else contradicts it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from eda.events.records import Decision, DecisionStatus, Reaction
from eda.memory.minutes.items import CLAIM_STATUSES, DENIALS, OWN, TAKES_BACK, Act, DecisionItem, ProposalItem, plain
from eda.memory.minutes.proposals import accept, close, formalise, reopen
from eda.memory.minutes.resolve import Resolved, message_named, resolve
from eda.memory.minutes.state import State, Talk
from eda.memory.patterns import Language
from eda.text import likeness, lower, names, normalise, overlap, sentences, words

SAME = 0.6  # Likeness from which a decision or claim restates an earlier one.
DENIED = 4  # Messages for which a denial in free talk may answer a decision or claim.
_MESSAGE = re.compile(r"\bm(\d{1,9})\b")
_TOKEN = re.compile(r"[\w']+")


def new_decision(
    act: Act, status: DecisionStatus, topic: str, proposal: ProposalItem | None, link: str
) -> DecisionItem:
    """Return the decision that an act states, not in the minutes yet."""
    item = DecisionItem(
        id=f"d{act.message}{act.place}",
        by=act.agent,
        topic=proposal.text if proposal else topic,
        text=act.text,
        status=status,
        source=act.source,
        pattern=act.pattern,
        confidence=act.confidence,
        messages=[act.message],
        quotes=[act.quote],
        supporters={act.agent: act.message},
        proposal=proposal.id if proposal else None,
        link=link if proposal else "",
        written=act.written,
    )
    if proposal is not None and status == "decided":
        for reaction in proposal.standing.values():  # the author of the decision supports it in any case
            if reaction.agent != item.by:
                item.takes_side(reaction)
    return item


def claim(state: State, act: Act, topic: str, about: ProposalItem | None = None) -> None:
    """Record a claim, or that its author repeats one; `about` is its proposal where its source names one."""
    for item in reversed(state.newest_decisions()):
        own = item.by == act.agent and item.status in CLAIM_STATUSES
        if own and restates(state.language, item, act.text):
            if item.last != act.message:
                item.restate(act.quote)
                state.announce(item)
            return
    resolved = Resolved((about,), "id") if about is not None else resolve(state, act)
    proposal = resolved.items[0] if len(resolved.items) == 1 and resolved.items[0].id not in state.given else None
    item = new_decision(act, "claimed", topic or act.text, proposal, resolved.how)
    state.place_decision(item)
    state.announce(item)


def claims_denied(state: State, act: Act) -> list[DecisionItem]:
    """Return the claims that an act denies or takes back.

    A declared denial names a message or a claim, or somebody who has one. Denial in free talk answers the claims of the
    last message that has any, of the member that it names if it names one; else the agent's own last claim.
    """
    if act.source == "declared" and act.target.strip():
        return _named([item for item in state.decisions.values() if item.status in CLAIM_STATUSES], act)
    claims = [item for item in state.newest_decisions() if item.status in CLAIM_STATUSES]
    if act.pattern == TAKES_BACK:
        return _taken_back(claims, act)
    return _answered(state, claims, act) or [item for item in claims if item.by == act.agent][-1:]


def messages_in(text: str) -> set[int]:
    """Return the numbers of the messages that a text names: `in m7`."""
    return {int(number) for number in _MESSAGE.findall(text)}


def _named(claims: list[DecisionItem], act: Act) -> list[DecisionItem]:
    """Return the claims that a declared denial names: by an id or a message, else by their author."""
    target = act.target.strip(" #[]()\"'.,").lower()
    exact = [item for item in claims if item.id == target or message_named(target) in item.messages]
    return exact or [item for item in claims if names(target, item.by)]


def _answered(state: State, claims: list[DecisionItem], act: Act) -> list[DecisionItem]:
    """Return the claims of others that a denial in free talk answers."""
    others = [item for item in claims if item.by != act.agent and state.could_hear(act.message, item.last)]
    numbers = messages_in(act.quote.text)
    numbered = [item for item in others if not numbers.isdisjoint(item.messages)]
    if numbered or len(others) == 1:
        return numbered or others
    others = [item for item in others if act.message - item.last <= DENIED]
    low = lower(normalise(act.quote.text))
    others = [item for item in others if names(low, item.by)] or others
    return [item for item in others if item.last == others[-1].last]


def _taken_back(claims: list[DecisionItem], act: Act) -> list[DecisionItem]:
    """Return the agent's own earlier claim that an act takes back: that of the message it names, else the last one."""
    earlier = [item for item in claims if item.by == act.agent and item.made < act.message]
    named = messages_in(act.quote.text)
    return [item for item in earlier if not named.isdisjoint(item.messages)] if named else earlier[-1:]


def dispute(state: State, claims: list[DecisionItem], act: Act) -> bool:
    """Note that somebody denies some claims, or that their author takes them back; return False without any."""
    for item in claims:
        item.opposers.setdefault(act.agent, act.message)
        if item.status == "claimed":
            item.status = "disputed"
        state.announce(item)
    return bool(claims)


def close_claims(state: State, decided: Sequence[DecisionItem], offered: frozenset[str]) -> None:
    """Close the standing claims on which a ballot decided.

    Those are: what it adopted, what names another of its choices, and a bare "we all agree" where not all did.
    """
    chosen = state.options.mentioned(decided[0].text)
    adopted = {ballot.proposal: ballot for ballot in decided if ballot.proposal}
    split = len(decided[0].supporters) < decided[0].votes
    for item in state.newest_decisions():
        if item.status not in ("claimed", "disputed"):
            continue
        options = state.options.mentioned(item.text)
        one_option = len(options) == len(chosen) == 1
        text = state.proposal(item.proposal)
        voted_on = text is not None and not offered.isdisjoint((text.id, text.text))
        if item.proposal in adopted or (one_option and options == chosen):
            vote = adopted.get(item.proposal or "", decided[0])
            item.status, item.status_why = "adopted", f"{vote.id} decided it later"
        elif voted_on or one_option or (split and item.by not in item.opposers and all_agree(state.language, item)):
            item.status, item.status_why = "contradicted", f"{decided[0].id} decided otherwise"
        else:
            continue
        state.announce(item)


def all_agree(language: Language, claim: DecisionItem | Decision) -> bool:
    """True if a claim of no text says that all agree, and no word on what."""
    text = claim.text if isinstance(claim, DecisionItem) else claim.outcome
    rest, found = language.claims_agreement.subn(" ", text)
    return bool(found) and claim.proposal is None and not words(rest)


def restates(language: Language, item: DecisionItem, text: str, about: Collection[str] = ()) -> bool:
    """True if a decision or claim in some words, about proposals if it names some, says again what an item says."""
    bag = words(text)
    same = (len(bag) > 1 and likeness(item.words, bag) >= SAME) or item.plain == plain(text)
    decided = item.status == "decided" and item.proposal in about
    return (same or decided) and item.status != "superseded" and not revises(language, item.text, text)


def revises(language: Language, old: str, new: str) -> bool:
    """Return whether two outcomes differ only in a day or in the thing chosen, so that both cannot hold."""
    left, right = _TOKEN.findall(old), _TOKEN.findall(new)
    low_left, low_right = [t.lower() for t in left], [t.lower() for t in right]
    if low_left == low_right:
        return False
    start = 0
    while start < min(len(left), len(right)) and low_left[start] == low_right[start]:
        start += 1
    end = 0
    while end < min(len(left), len(right)) - start and low_left[-1 - end] == low_right[-1 - end]:
        end += 1
    gone, come = left[start : len(left) - end], right[start : len(right) - end]
    if len(gone) != 1 or len(come) != 1:
        return False
    if language.dates.fullmatch(gone[0]) and language.dates.fullmatch(come[0]):
        return True
    same = words(" ".join(left[:start] + left[len(left) - end :]))
    named = gone[0][:1].isupper() and come[0][:1].isupper()
    return named and len(same) >= 2 and bool(language.takes.search(" ".join(left[:start])))


TOUCHED = 0.5  # Share of a proposal's words from which a decision with these words is about it.
RELATED = 0.25  # Likeness from which a decision that says that it replaces something replaces this one.
AT_ONCE = 2  # Messages for which an objection answers the decision just stated.
TAGS = frozenset(["tag-decision", "tag-consensus"])  # Tags that people type freely. In long turns they only claim.


def decide(state: State, talk: Talk, act: Act) -> None:
    """Record a decision that a message of a transcript states."""
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


def take_side(state: State, reaction: Reaction) -> None:
    """Count a reaction for or against the newest decision that it is about. Nothing counts for a claim."""
    for item in reversed(state.newest_decisions()):
        late = reaction.to is None and reaction.reaction != "neutral" and _late(item, reaction)
        if item.status in CLAIM_STATUSES or (item.source == "procedure" and not late) or reaction.agent == item.by:
            continue
        age = reaction.message - item.last
        just_now = reaction.reaction == "oppose" and 0 < age <= AT_ONCE
        denied = denied_by(item, reaction.message, reaction.agent) and reaction.pattern in DENIALS
        about = reaction.answered in item.messages or (item.proposal is not None and reaction.to == item.proposal)
        if not (about or denied or just_now or late):
            continue
        item.takes_side(reaction)
        if reaction.reaction == "oppose":
            let_go(state, reaction.agent, state.options.mentioned(item.text))
            if denied and item.status == "decided" and not item.written:
                _undo(state, item, reaction)
        return


def denied_by(item: DecisionItem, number: int, who: str) -> bool:
    """True if a denial in message `number` by `who` is near enough to be about a decision."""
    return who != item.by and 0 < number - item.last <= DENIED


def _late(item: DecisionItem, reaction: Reaction) -> bool:
    """True if a remark that answers no open proposal shares enough words with a decision to be about it."""
    if item.status != "decided" or reaction.quote is None:
        return False
    if reaction.reaction == "support" and reaction.agent not in item.opposers:
        return False
    bag = words(reaction.quote.text)
    return len(bag & item.words) >= 2 and overlap(bag, item.words) >= TOUCHED


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
            close(state, proposal, "rejected", tuple(item.messages), "turned down by a decision")
        else:
            accept(state, proposal, tuple(item.messages), "stated as decided")


def _replace(state: State, item: DecisionItem, text: str, chosen: tuple[str, ...]) -> None:
    for old in state.newest_decisions():
        if old.id == item.id or old.status != "decided":
            continue
        if item.source == "minutes" and old.made >= item.made:
            continue  # later messages were read before these minutes
        before = state.options.mentioned(old.text)
        other = len(chosen) == 1 and len(before) == 1 and chosen != before
        replaced = likeness(old.words, item.words) >= RELATED and bool(state.language.replaces.search(text))
        if other or replaced or (_one_subject(old, item) and revises(state.language, old.text, item.text)):
            old.status, old.superseded_by, item.supersedes = "superseded", item.id, old.id
            if other and item.source != "minutes":
                for name in state.agents:
                    let_go(state, name, before)
            state.announce(old)


def _one_subject(old: DecisionItem, new: DecisionItem) -> bool:
    """True if two decisions may be about one subject; decisions about two proposals need like topics."""
    if not (old.proposal and new.proposal) or old.proposal == new.proposal:
        return True
    return likeness(words(old.topic), words(new.topic)) >= RELATED


def let_go(state: State, name: str, option: tuple[str, ...]) -> None:
    """Note that an agent no longer holds an option. The agent's own last other position counts again."""
    agent = state.agents[name]
    if option and agent.holds == option:
        own = [position for position in agent.positions[-OWN:] if position.options and position.options != option]
        agent.holds, agent.since = (own[-1].options, own[-1].message) if own else ((), None)


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


def _undo(state: State, item: DecisionItem, reaction: Reaction) -> None:
    item.status, item.status_why = "claimed", f"denied by {reaction.agent} in m{reaction.message}"
    state.announce(item)
    proposal = state.proposal(item.proposal)
    if proposal is not None and proposal.status == "accepted":
        reopen(state, proposal, (reaction.message,), "the decision was denied")


def _turns_down(language: Language, text: str, proposal: str = "") -> bool:
    """Return whether a resolution rejects a proposal. A proposal to reject something does not reject itself."""
    return bool(language.turned_down.search(text)) and not language.turned_down.search(proposal)
