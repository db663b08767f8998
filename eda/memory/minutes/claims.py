"""Claims that something was decided. In a debate only a ballot decides, so nothing follows from a claim.

A claim is supported by its author alone. Whoever denies it, or its author by taking it back, makes it disputed; a
ballot that decides something else contradicts it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from eda.events.records import DecisionStatus
from eda.memory.minutes.acts import TAKES_BACK, Act
from eda.memory.minutes.items import DecisionItem, ProposalItem, plain
from eda.memory.minutes.resolve import Resolved, message_named, resolve
from eda.memory.minutes.state import State
from eda.memory.patterns import Language
from eda.text import likeness, lower, names, normalise, words

CLAIM_STATUSES: tuple[DecisionStatus, ...] = ("claimed", "disputed", "contradicted")
"""The statuses of a decision that a member claims and no procedure made."""
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
        item.takes_sides_of(proposal)
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
        return _named(state, act.target.strip(" #[]()\"'.,").lower())
    claims = [item for item in state.newest_decisions() if item.status in CLAIM_STATUSES]
    if act.pattern == TAKES_BACK:
        return _taken_back(claims, act)
    others = [item for item in claims if item.by != act.agent and state.could_hear(act.message, item.last)]
    others = [item for item in others if act.message - item.last <= DENIED]
    low = lower(normalise(act.quote.text))
    others = [item for item in others if names(low, item.by)] or others
    newest = [item for item in others if item.last == others[-1].last]
    return newest or [item for item in claims if item.by == act.agent][-1:]


def _taken_back(claims: list[DecisionItem], act: Act) -> list[DecisionItem]:
    """Return the agent's own earlier claim that an act takes back: that of the message it names, else the last one."""
    earlier = [item for item in claims if item.by == act.agent and item.made < act.message]
    named = {int(number) for number in _MESSAGE.findall(act.quote.text)}
    return [item for item in earlier if not named.isdisjoint(item.messages)] if named else earlier[-1:]


def _named(state: State, target: str) -> list[DecisionItem]:
    """Return the claims that a target in lower case names."""
    claims = [item for item in state.decisions.values() if item.status in CLAIM_STATUSES]
    number = message_named(target)
    return [item for item in claims if item.id == target or number in item.messages] or [
        item for item in claims if names(target, item.by)
    ]


def dispute(state: State, claims: list[DecisionItem], act: Act) -> bool:
    """Note that somebody denies some claims, or that their author takes them back; return False without any."""
    for item in claims:
        item.opposers.setdefault(act.agent, act.message)
        if item.status == "claimed":
            item.status = "disputed"
        state.announce(item)
    return bool(claims)


def contradict(state: State, decided: Sequence[DecisionItem], offered: frozenset[str]) -> None:
    """Mark the standing claims that name another of the choices offered than those that a ballot decided."""
    chosen = state.options.mentioned(decided[0].text)
    adopted = [ballot.proposal for ballot in decided]
    for item in state.newest_decisions():
        if item.status not in ("claimed", "disputed"):
            continue
        options = state.options.mentioned(item.text)
        other_option = len(options) == len(chosen) == 1 and options != chosen
        text = state.proposal(item.proposal)
        voted_on = text is not None and not offered.isdisjoint((text.id, text.text))
        if other_option or (voted_on and item.proposal not in adopted):
            item.status, item.status_why = "contradicted", f"{decided[0].id} decided otherwise"
            state.announce(item)


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
