"""Puts, rewords, amends, accepts, rejects and withdraws proposals. Each step cites the messages that caused it."""

from __future__ import annotations

import re
from dataclasses import replace

from eda.events import MessagePosted, ProposalMade
from eda.events.records import Move, ProposalStatus, Quote
from eda.memory.minutes.items import ProposalItem
from eda.memory.minutes.state import Events, State
from eda.memory.patterns.extract import Finding
from eda.text import clean, likeness, names, overlap, words

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
"""Stands for the pattern of a proposal that was made of the message before several votes."""
AMENDED = "amended"
"""Stands for the pattern of a proposal whose title says that it amends another."""
ALIKE = 0.4
"""Likeness from which a written proposal is a rewording of the one before it."""
REWORDED = 5
"""Most earlier wordings of a proposal that are closed when it is accepted."""
SAME = 0.8
"""Likeness from which a proposal restates an earlier one."""
FIRM = 0.9
"""Where moves are declared: least confidence of a turn of speech that proposes something."""
OUTRIGHT = 0.7
"""Least confidence by the pattern alone, without cues, where moves are declared or sides were given."""
SPOKEN = 0.5
"""Least confidence of an answered spoken proposal that stays once moves are declared."""
ASSURED = 0.8
"""The same for one that two support, once proposals are put in writing and voted on."""
CUED = 0.65
"""Where moves are declared: least confidence of a turn of speech that reacts to somebody by name."""
NEAR = 4
"""Newest open proposals that such a message may name."""
MOVES = 6
"""Moves of a message that are searched for its first proposal."""
SAID = 400
"""Characters of a message that are searched for a rejection."""
_ID = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]?#?0*(\d+)(?:([.@])(\d+))?(?![A-Za-z0-9])")
_LED_IN = re.compile(r"^[^:]{0,60}:\s+(?=\S)")


def put(state: State, item: ProposalItem, events: Events) -> None:
    """Put a proposal on the table."""
    item.at = state.times.get(item.message)
    state.proposals[item.id] = item
    state.open[item.id] = None
    state.last_proposal = item.id
    state.agents[item.proposer].contribute(f"proposed: {item.content}")
    events.append(ProposalMade(proposal=item.record))


def close(
    state: State, item: ProposalItem, status: ProposalStatus, messages: tuple[int, ...], why: str, events: Events
) -> None:
    """Give a proposal a closing status. No later reaction is bound to it."""
    if item.status == status:
        return
    item.move(status, messages, why)
    state.open.pop(item.id, None)
    events.append(ProposalMade(proposal=item.record))


def reopen(state: State, item: ProposalItem, messages: tuple[int, ...], why: str, events: Events) -> None:
    """Open a proposal again whose closing was undone, unless the minutes deny the proposal."""
    item.move("active", messages, why)
    if item.minuted != "denied" and item.status == "active":
        state.open[item.id] = None
    events.append(ProposalMade(proposal=item.record))


def accept(state: State, item: ProposalItem, messages: tuple[int, ...], why: str, events: Events) -> None:
    """Accept a proposal. The proposals that it amends are closed with it."""
    close(state, item, "accepted", messages, why, events)
    for _ in range(REWORDED):
        old = state.proposal(item.amends)
        if old is None or old.status not in ("active", "modified"):
            return
        if likeness(old.words, item.words) >= SAME and old.written and item.source == "pattern":
            close(state, old, "accepted", messages, f"put again as {item.id}, which was accepted", events)
        elif old.status == "active":
            close(state, old, "modified", messages, f"its amendment {item.id} was accepted", events)
        item = old


def declare(
    state: State, message: MessagePosted, order: int, move: Move, amends: ProposalItem | None, events: Events
) -> None:
    """Put a proposal or an amendment that was declared as a move."""
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
    put(state, item, events)


def propose(state: State, message: MessagePosted, findings: list[Finding], events: Events) -> None:
    """Put the proposals that patterns found in a message: all written ones, else the surest turn of speech."""
    back = {finding.start for finding in findings if finding.kind == "withdrawal"}
    proposing = [f for f in findings if f.kind == "proposal" and (f.written or f.start not in back)]
    if not proposing:
        return
    written = [finding for finding in proposing if finding.written]
    if not written and state.formal:
        return
    surest = max(proposing, key=lambda finding: finding.confidence)
    if not written and state.sided and surest.cue < OUTRIGHT:
        return  # a speaker with a given side says what should be done at every turn
    for finding in written or [surest]:
        if not finding.topic:
            continue  # a tag without text
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
        if state.language.amends.match(finding.sentence) and _amends(state, item):
            pass
        elif finding.written:
            _after_another(state, item, events)
        elif _said_again(state, item, events):
            continue
        put(state, item, events)


def amended(state: State, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
    """Return the findings, with a proposal in place of others where the message is titled `Amended proposal:`."""
    match = state.language.amended_title.match(message.talk)
    if match is None or any(finding.kind == "proposal" and finding.written for finding in findings):
        return findings
    text, topic = clean(match[0]), clean(match[1])
    amendment = Finding("proposal", AMENDED, match.start(), match.end(), topic, text, 0.9, True)
    return [amendment, *(finding for finding in findings if finding.kind not in ("proposal", "withdrawal"))]


def _amends(state: State, item: ProposalItem) -> bool:
    """Link an amendment to the open proposal that shares most words, else to the newest; False if none is open."""
    if not state.open:
        return False
    old = max(state.newest_open(), key=lambda other: (len(other.words & item.words), other.message))
    bare = _LED_IN.sub("", item.content)
    if len(words(bare)) > 0:
        item.content, item.words = bare, words(bare)
    item.amends = old.id
    old.link(amended_by=item.id)
    return True


def _after_another(state: State, item: ProposalItem, events: Events) -> None:
    """Close the written proposal before a new one: as reworded if they are alike, as rejected if most opposed it."""
    last = state.proposal(state.last_proposal)
    if last is None or not last.written:
        return
    formalise(state)
    if last.status != "active":
        return
    if likeness(last.words, item.words) >= ALIKE:
        item.amends = last.id
        last.link(amended_by=item.id)
        close(state, last, "modified", (item.message,), "reworded by a later proposal", events)
    elif len(last.backers("oppose")) > len(last.backers("support")):
        against = tuple(reaction.message for reaction in last.standing.values() if reaction.reaction == "oppose")
        close(state, last, "rejected", (*against, item.message), "opposed, and another was put instead", events)


def _said_again(state: State, item: ProposalItem, events: Events) -> bool:
    if len(item.words) < 3:
        return False
    for old in state.newest_open():
        if old.proposer == item.proposer and likeness(old.words, item.words) >= SAME and item.quote is not None:
            old.restate(item.quote)
            events.append(ProposalMade(proposal=old.record))
            return True
    return False


def withdraw(state: State, message: MessagePosted, bag: frozenset[str], events: Events) -> None:
    """Withdraw an open proposal of the speaker: the newest that shares two words with the message, else the newest."""
    own = [item for item in state.newest_open() if item.proposer == message.who]
    if own:
        best = max(own, key=lambda item: (len(item.words & bag) > 1, item.message))
        close(state, best, "withdrawn", (message.number,), "withdrawn by its proposer", events)


def resolve(state: State, message: MessagePosted, move: Move) -> list[tuple[ProposalItem, bool]]:
    """Return the proposals that a move is about, each with True if the move names it.

    Without a name it is the open proposal with the most shared words, else the newest. A move that names an unknown id
    and shares no word is about none, unless only one proposal is open.
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
    """Return the proposals that a target names: by ids, however they are typed, or by a proposer."""
    if target in state.proposals:
        return [state.proposals[target]]
    matches: dict[str, ProposalItem] = {}
    for match in _ID.finditer(target):
        number, sign, order = int(match[1][:9]), match[2], match[3]
        if order is not None:
            item = state.proposals.get(f"p{number}{sign}{int(order[:9])}")
        else:
            item = _of_message(state, number)
        if item is not None:
            matches[item.id] = item
    if not matches and target:
        by = [item for item in state.newest_open() if names(target.lower(), item.proposer)]
        if by and (not owner or by[-1].proposer == owner):
            matches[by[-1].id] = by[-1]
    return list(matches.values())


def _of_message(state: State, number: int) -> ProposalItem | None:
    """Return the first declared proposal of a message; else its first open one."""
    first = next(
        (state.proposals[key] for key in (f"p{number}.{k}" for k in range(MOVES)) if key in state.proposals), None
    )
    return first or next((item for item in state.newest_open() if item.message == number), None)


def firm(state: State, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
    """Return the sure findings of a message without moves, in a debate where moves are declared.

    Those are proposals in the first person, and reactions to somebody by name.
    """
    low = message.talk.lower()
    others = [item for item in state.newest_open(NEAR) if item.proposer != message.who]
    sure_findings: list[Finding] = []
    for finding in findings:
        if finding.kind == "proposal":
            outright = finding.cue >= OUTRIGHT and finding.confidence >= FIRM
            sure = finding.written or (outright and state.language.proposing_person.search(finding.sentence))
        else:
            near = finding.sentence.lower()
            pointed = any(names(near, item.proposer) or item.id in low for item in others)
            cued = finding.confidence >= CUED
            sure = finding.kind not in ("support", "oppose", "neutral") or (pointed and cued)
        if sure:
            sure_findings.append(finding)
    return sure_findings


def reject_spoken(state: State, message: MessagePosted, bag: frozenset[str], events: Events) -> bool:
    """Reject the proposal that a message calls rejected or dropped; return False where there is none.

    The proposal is another agent's, and has fewer supporters than opponents.
    """
    low = message.talk.lower()
    match = (
        state.language.rejected.search(message.talk[:SAID])
        if any(word in low for word in state.language.rejected_needs)
        else None
    )
    if match is None or message.talk.rstrip().endswith("?"):
        return False
    before = message.talk[: match.start()]
    if state.language.unsure.search(before[max(before.rfind("."), before.rfind("\n")) + 1 :]):
        return False
    for item in sorted(
        state.newest_open(), key=lambda i: (names(low, i.proposer), len(i.words & bag), i.message), reverse=True
    ):
        support = [name for name in item.backers("support") if name != item.proposer]
        against = [reaction.message for reaction in item.standing.values() if reaction.reaction == "oppose"]
        if item.proposer == message.who or len(support) >= max(1, len(against)):
            continue
        close(state, item, "rejected", (*against, message.number), "said to be rejected, and not supported", events)
        return True
    return False


def formalise(state: State, *, titled: bool = True) -> None:
    """Note that this transcript votes on written proposals: from here on, and before, only those count."""
    if state.imported and not (state.formal and (state.titled or not titled)):
        state.formal = True
        state.titled = state.titled or titled
        forget_spoken(state)


def _taken_up(state: State, item: ProposalItem) -> bool:
    """True if somebody answered or amended a spoken proposal; in a transcript with votes, if two support it."""
    if item.amended_by is not None:
        return True
    cued = [r for r in item.standing.values() if r.agent != item.proposer]
    if state.declares:
        return bool(cued) and item.confidence >= SPOKEN
    support = [reaction for reaction in cued if reaction.reaction == "support"]
    return len(support) >= 2 and len(support) == len(cued) and item.confidence >= ASSURED


def forget_spoken(state: State) -> None:
    """Drop the proposals of turns of speech, once moves are declared or proposals put in writing."""
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
            if not (item.written or len(item.supporters) > 1 or item.source != "pattern" or ruled):
                del state.decisions[key]
        state.recent[:] = [key for key in state.recent if key in state.decisions]
