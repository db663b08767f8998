"""A proposal is put, reworded, amended, accepted, rejected or withdrawn; each step cites what caused it."""

from __future__ import annotations

import re
from dataclasses import replace

from eda.events import MessagePosted, ProposalMade
from eda.memory.extract import SIGNS, Finding
from eda.memory.items import ProposalItem
from eda.memory.link import names
from eda.memory.state import Found, State
from eda.memory.wording import clean, likeness, overlap, words
from eda.records import Move, ProposalStatus, Quote

__all__ = [
    "VOTED_ON",
    "accept",
    "amended",
    "close",
    "declare",
    "firm",
    "forget_spoken",
    "formalise",
    "propose",
    "put",
    "reject_spoken",
    "reopen",
    "resolve",
    "withdraw",
]

VOTED_ON = "voted-on"
"""The name that stands for a pattern where votes made a proposal of what was said before them."""
AMENDED = "amended"
"""The name that stands for a pattern where a title says that a proposal amends another."""
ALIKE = 0.4
"""Likeness from which a new written proposal rewords the one before it."""
REWORDED = 5
"""Earlier wordings of a proposal that are settled with it."""
SAME = 0.8
"""Likeness from which a proposal is the same, said again."""
FIRM = 0.9
"""Confidence of a turn of speech that proposes something where moves are declared."""
OUTRIGHT = 0.7
"""Confidence of its pattern, all that surrounds it left aside, there and where sides were given."""
SPOKEN = 0.5
"""Confidence of a spoken proposal that stays once moves are declared, where somebody answered it."""
ASSURED = 0.8
"""The same, once proposals are put in writing and voted on, where two supported it."""
CUED = 0.65
"""Confidence of a turn of speech that reacts to somebody by name where moves are declared."""
NEAR = 4
"""Open proposals that such a message may point at."""
MOVES = 6
"""Moves of a message among which its first proposal is looked for."""
SAID = 400
"""Characters of a message in which a rejection is looked for."""
_ID = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]?#?0*(\d+)(?:([.@])(\d+))?(?![A-Za-z0-9])")
_FIRST = re.compile(r"\b(?:I|we|my|our|let's|I'd|I'll|I'm)\b", re.IGNORECASE)
_REJECTED = re.compile(
    r"\b(?:the|this|that|his|her|their|\w+'s) (?:proposal|motion|idea|plan|suggestion)"
    r"(?: (?!not\b|isn't\b|if\b)\w+){0,6}? (?:is|was|has been) "
    r"(?:therefore |thus |hereby |now )?(?:rejected|declined|voted down|turned down|defeated)\b|"
    r"\b(?:let's|let us|we should) drop (?:that|the|this) (?:idea|proposal|plan|motion|suggestion)\b",
    re.IGNORECASE,
)
_REJECTING = ("rejected", "decl", " down", "defeated", "drop")
"""One of them stands in whatever `_REJECTED` finds: most messages need not be searched for it."""
_UNSURE = re.compile(r"\b(?:if|whether|unless|when|before|last|suppose|not|once|in case)\b", re.IGNORECASE)
_AMENDS = re.compile(
    r"^\W*(?:(?:amended|revised|modified|updated) (?:proposal|motion)\b|(?:i|we) (?:(?:'d|would) like to |want to )?"
    r"(?:propose|suggest|move) (?:to amend|amending|an amendment|that we amend)\b|(?:i|we) (?:hereby )?amend\b)",
    re.IGNORECASE,
)
_AMENDED = re.compile(
    r"[^\w\n]*(?:amended|revised|modified|updated) (?:proposal|motion)\W{0,3}:\W*(\w[^\n]*)", re.IGNORECASE
)
_LED_IN = re.compile(r"^[^:]{0,60}:\s+(?=\S)")


def put(state: State, item: ProposalItem, found: Found) -> None:
    """Put a proposal on the table."""
    state.proposals[item.id] = item
    state.open[item.id] = None
    state.last_proposal = item.id
    state.agents[item.proposer].contribute(f"proposed: {item.content}")
    found.append(ProposalMade(proposal=item.record))


def close(
    state: State, item: ProposalItem, status: ProposalStatus, messages: tuple[int, ...], why: str, found: Found
) -> None:
    """Give a proposal its new status; a closed one is no candidate for reactions any more."""
    if item.status == status:
        return
    item.move(status, messages, why)
    state.open.pop(item.id, None)
    found.append(ProposalMade(proposal=item.record))


def reopen(state: State, item: ProposalItem, messages: tuple[int, ...], why: str, found: Found) -> None:
    """What closed a proposal does not hold: it is open again, unless the minutes deny it."""
    item.move("active", messages, why)
    if item.minuted != "denied" and item.status == "active":
        state.open[item.id] = None
    found.append(ProposalMade(proposal=item.record))


def accept(state: State, item: ProposalItem, messages: tuple[int, ...], why: str, found: Found) -> None:
    """A proposal holds; what it amended is modified by it only now."""
    close(state, item, "accepted", messages, why, found)
    for _ in range(REWORDED):
        old = state.proposal(item.amends)
        if old is None or old.status not in ("active", "modified"):
            return
        if likeness(old.words, item.words) >= SAME and old.written and item.source == "pattern":
            close(state, old, "accepted", messages, f"put again as {item.id}, which was accepted", found)
        elif old.status == "active":
            close(state, old, "modified", messages, f"its amendment {item.id} was accepted", found)
        item = old


def declare(
    state: State, message: MessagePosted, order: int, move: Move, amends: ProposalItem | None, found: Found
) -> None:
    """A proposal, or an amendment, that was declared as a move."""
    item = ProposalItem(
        id=f"p{message.number}.{order}",
        message=message.number,
        proposer=message.who,
        content=clean(move.text) or clean(message.talk) or move.kind,
        quote=Quote(message.number, message.moves_at or 0, len(message.text), move.text),
        source="declared",
        pattern="",
        confidence=1.0,
        written=True,
        amends=amends.id if amends else None,
    )
    if amends is not None:
        amends.link(amended_by=item.id)
    put(state, item, found)


def propose(state: State, message: MessagePosted, findings: list[Finding], found: Found) -> None:
    """The proposals that patterns found in a message: each written one, or the surest turn of speech."""
    back = {finding.start for finding in findings if finding.kind == "withdrawal"}
    made = [f for f in findings if f.kind == "proposal" and (f.written or f.start not in back)]
    if not made:
        return
    written = [finding for finding in made if finding.written]
    if not written and state.formal:
        return
    surest = max(made, key=lambda finding: finding.confidence)
    if not written and state.sided and surest.cue < OUTRIGHT:
        return  # who argues a side says at every turn what should be
    for finding in written or [surest]:
        if not finding.topic:
            continue  # a tag, and nothing after it
        item = ProposalItem(
            id=f"p{message.number}@{finding.start}",
            message=message.number,
            proposer=message.who,
            content=finding.topic,
            quote=Quote(message.number, finding.start, finding.end, finding.sentence),
            source="pattern",
            pattern=finding.pattern,
            confidence=finding.confidence,
            written=finding.written,
        )
        if _AMENDS.match(finding.sentence) and _amends(state, item):
            pass
        elif finding.written:
            _after_another(state, item, found)
        elif _said_again(state, item, found):
            continue
        put(state, item, found)


def amended(message: MessagePosted, findings: list[Finding]) -> list[Finding]:
    """`Amended proposal: ...` puts a proposal, whatever else is found."""
    match = _AMENDED.match(message.talk)
    if match is None or any(finding.kind == "proposal" and finding.written for finding in findings):
        return findings
    text, topic = clean(match[0]), clean(match[1])
    made = Finding("proposal", AMENDED, match.start(), match.end(), topic, text, 0.9, True)
    return [made, *(finding for finding in findings if finding.kind not in ("proposal", "withdrawal"))]


def _amends(state: State, item: ProposalItem) -> bool:
    """A proposal that says that it amends: the open one that it shares most words with, else the newest."""
    if not state.open:
        return False
    old = max(state.newest_open(), key=lambda other: (len(other.words & item.words), other.message))
    bare = _LED_IN.sub("", item.content)
    if len(words(bare)) > 0:
        item.content, item.words = bare, words(bare)
    item.amends = old.id
    old.link(amended_by=item.id)
    return True


def _after_another(state: State, item: ProposalItem, found: Found) -> None:
    """A written proposal that rewords the open one before it replaces it."""
    last = state.proposal(state.last_proposal)
    if last is None or not last.written:
        return
    formalise(state)
    if last.status != "active":
        return
    if likeness(last.words, item.words) >= ALIKE:
        item.amends = last.id
        last.link(amended_by=item.id)
        close(state, last, "modified", (item.message,), "reworded by a later proposal", found)
    elif len(last.backers("oppose")) > len(last.backers("support")):
        against = tuple(reaction.message for reaction in last.standing.values() if reaction.reaction == "oppose")
        close(state, last, "rejected", (*against, item.message), "opposed, and another was put instead", found)


def _said_again(state: State, item: ProposalItem, found: Found) -> bool:
    if len(item.words) < 3:
        return False
    for old in state.newest_open():
        if old.proposer == item.proposer and likeness(old.words, item.words) >= SAME and item.quote is not None:
            old.restate(item.quote)
            found.append(ProposalMade(proposal=old.record))
            return True
    return False


def withdraw(state: State, message: MessagePosted, bag: frozenset[str], found: Found) -> None:
    """The speaker takes back a proposal of their own: the one that shares most words, else the newest."""
    own = [item for item in state.newest_open() if item.proposer == message.who]
    if own:
        best = max(own, key=lambda item: (len(item.words & bag) > 1, item.message))
        close(state, best, "withdrawn", (message.number,), "withdrawn by its proposer", found)


def resolve(state: State, message: MessagePosted, move: Move) -> list[tuple[ProposalItem, bool]]:
    """The proposals that a move names, each with whether it names it; else the nearest to what it says.

    What names nothing and shares no word stays a remark, unless only one proposal is open.
    """
    named = _named(state, move.target or "", message.who if move.kind == "withdraw" else "")
    if named:
        return [(item, True) for item in named]
    candidates = state.newest_open()
    if move.kind == "withdraw":
        candidates = [item for item in candidates if item.proposer == message.who]
    elif move.kind != "amend":
        candidates = [item for item in candidates if item.proposer != message.who]
    if not candidates:
        return []
    bag = words(f"{move.text} {move.target or ''}")
    best = max(candidates, key=lambda item: overlap(item.words, bag))
    if overlap(best.words, bag) >= 0.3 and len(best.words & bag) >= 2:
        return [(best, False)]
    if move.target and _ID.search(move.target) and len(candidates) > 1:
        sharing = [item for item in candidates if item.words & bag]
        return [(sharing[-1], False)] if sharing else []
    return [(candidates[-1], False)]


def _named(state: State, target: str, owner: str) -> list[ProposalItem]:
    """What a target names: ids, however they are typed, or a proposer."""
    if target in state.proposals:
        return [state.proposals[target]]
    found: dict[str, ProposalItem] = {}
    for match in _ID.finditer(target):
        number, sign, order = int(match[1][:9]), match[2], match[3]
        if order is not None:
            item = state.proposals.get(f"p{number}{sign}{int(order[:9])}")
        else:
            item = _of_message(state, number)
        if item is not None:
            found[item.id] = item
    if not found and target:
        by = [item for item in state.newest_open() if names(target.lower(), item.proposer)]
        if by and (not owner or by[-1].proposer == owner):
            found[by[-1].id] = by[-1]
    return list(found.values())


def _of_message(state: State, number: int) -> ProposalItem | None:
    """The first proposal of a message: the one that is still open, where there is one."""
    first = next(
        (state.proposals[key] for key in (f"p{number}.{k}" for k in range(MOVES)) if key in state.proposals), None
    )
    return first or next((item for item in state.newest_open() if item.message == number), None)


def firm(state: State, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
    """Where moves are declared, what a message without any still says: in the first person, or of somebody by name."""
    low = message.talk.lower()
    others = [item for item in state.newest_open(NEAR) if item.proposer != message.who]
    kept: list[Finding] = []
    for finding in findings:
        if finding.kind == "proposal":
            outright = finding.cue >= OUTRIGHT and finding.confidence >= FIRM
            sure = finding.written or (outright and _FIRST.search(finding.sentence))
        else:
            near = finding.sentence.lower()
            pointed = any(names(near, item.proposer) or item.id in low for item in others)
            cued = finding.pattern != SIGNS and finding.confidence >= CUED
            sure = finding.kind not in ("support", "oppose", "neutral") or (pointed and cued)
        if sure:
            kept.append(finding)
    return kept


def reject_spoken(state: State, message: MessagePosted, bag: frozenset[str], found: Found) -> bool:
    """What somebody says of another's proposal, that it is rejected or dropped, holds where nobody supports it."""
    low = message.talk.lower()
    match = _REJECTED.search(message.talk[:SAID]) if any(word in low for word in _REJECTING) else None
    if match is None or message.talk.rstrip().endswith("?"):
        return False
    before = message.talk[: match.start()]
    if _UNSURE.search(before[max(before.rfind("."), before.rfind("\n")) + 1 :]):
        return False
    for item in sorted(
        state.newest_open(), key=lambda i: (names(low, i.proposer), len(i.words & bag), i.message), reverse=True
    ):
        support = [name for name in item.backers("support") if name != item.proposer]
        against = [reaction.message for reaction in item.standing.values() if reaction.reaction == "oppose"]
        if item.proposer == message.who or len(support) >= max(1, len(against)):
            continue
        close(state, item, "rejected", (*against, message.number), "said to be rejected, and not supported", found)
        return True
    return False


def formalise(state: State, *, titled: bool = True) -> None:
    """In this transcript proposals are put in writing and voted on: only those count from here on, and before."""
    if state.imported and not (state.formal and (state.titled or not titled)):
        state.formal = True
        state.titled = state.titled or titled
        forget_spoken(state)


def _taken_up(state: State, item: ProposalItem) -> bool:
    """Whether somebody answered, or amends, what was spoken; in a transcript with votes it takes two who are for it."""
    if item.amended_by is not None:
        return True
    cued = [r for r in item.standing.values() if r.agent != item.proposer and r.pattern != SIGNS]
    if state.declares:
        return bool(cued) and item.confidence >= SPOKEN
    support = [reaction for reaction in cued if reaction.reaction == "support"]
    return len(support) >= 2 and len(support) == len(cued) and item.confidence >= ASSURED


def forget_spoken(state: State) -> None:
    """Where moves are declared, or proposals put in writing, what turns of speech seemed to propose before goes."""
    decided = {decision.proposal for decision in state.decisions.values() if len(decision.supporters) > 1}
    gone = {
        key
        for key, item in state.proposals.items()
        if item.source == "pattern"
        and not (item.written or item.minuted == "confirmed" or item.corrected)
        and not (key in decided or _taken_up(state, item))
    }
    if state.titled:
        gone |= {key for key, item in state.proposals.items() if item.pattern == VOTED_ON}
    for key in gone:
        del state.proposals[key]
        state.open.pop(key, None)
    if state.last_proposal in gone:
        state.last_proposal = next(reversed(state.open), None)
    state.reactions[:] = [replace(r, to=None) if r.to in gone else r for r in state.reactions]
    for decision in state.decisions.values():
        if decision.proposal in gone:
            decision.proposal = None
    if state.formal:
        for key, item in list(state.decisions.items()):
            ruled = item.minuted == "confirmed" or bool(item.corrected)
            kept = item.written or len(item.supporters) > 1 or item.source != "pattern" or ruled
            if not kept:
                del state.decisions[key]
        state.recent[:] = [key for key in state.recent if key in state.decisions]
