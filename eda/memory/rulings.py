"""A decision is made once, and not by one agent's word alone.

In a debate that is a claim until others assent; in a transcript what is stated as decided holds unless somebody
denies it at once.
"""

from __future__ import annotations

import re

from eda.events import DecisionFound, MessagePosted, VerdictReached
from eda.memory.extract import Finding
from eda.memory.items import DecisionItem, ProposalItem
from eda.memory.link import names
from eda.memory.motions import accept, close, formalise, reopen
from eda.memory.signs import is_chair
from eda.memory.state import CLAIMS, Found, State
from eda.memory.verdicts import accepts_as_put, revises, turns_down
from eda.memory.wording import clean, likeness, overlap, words
from eda.patterns import normalise, sentences
from eda.records import Quote, Reaction

__all__ = [
    "DENIALS",
    "OWN",
    "SAME",
    "confirm",
    "decide",
    "denies",
    "hear_answer",
    "let_go",
    "rule",
    "settle",
    "tagged",
]

SURE = 0.6
"""Confidence under which a turn of speech in a debate is no decision: there the procedure asks who decides what."""
SAME = 0.6
"""Likeness from which two decisions are one."""
TOUCHED = 0.5
"""Share of a proposal's words in a decision from which the decision is about it."""
RELATED = 0.25
"""Likeness from which a decision that says so replaces another."""
AT_ONCE = 2
"""Messages within which an objection is to the decision just stated."""
DENIED = 4
"""Messages within which a denial undoes what was stated as decided."""
_REPLACES = re.compile(
    r"\b(?:instead|replac\w+|no longer|revers\w+|overturn\w*|supersed\w+|rather than|this time|"
    r"chang\w+ (?:it|that|our)|not (?:the|\w+) (?:as|any more|anymore)|after all|scrap\w*|drop\w*)\b",
    re.IGNORECASE,
)
DENIALS = frozenset(["denies-agreement"])
"""Patterns that say of a decision that there is none."""
_CLAIM = re.compile(r"\W*\[consensus\]\W*(\w[^\n]*)", re.IGNORECASE)
_ALONE = re.compile(r"\W*(?:SO )?RESOLVED\W*$")
CLAIM = 0.5
"""Confidence of a claim of consensus."""
OWN = 6
"""Positions of an agent, the newest, that are looked back on."""
_BEHIND = re.compile(
    r"\b(?:(?:is|are) (?:all )?(?:behind|for|in favou?r|with|up|agreed|on board|nodding)|agree|"
    r"support (?:it|this|that))\b"
)
TAGS = frozenset(["tag-decision", "tag-consensus"])
"""Patterns of tags that people type as they please; in talk at length they are a claim."""


def decide(state: State, message: MessagePosted, findings: list[Finding], register: str, found: Found) -> None:
    """The decisions that a message states or claims: each written one, or the surest turn of speech."""
    made = [finding for finding in findings if finding.kind == "decision"]
    written = [finding for finding in made if finding.written]
    if not written and state.formal:
        return
    for finding in written or [max(made, key=lambda finding: finding.confidence)]:
        if finding.written and any(item.written for item in state.newest_open()):
            formalise(state)
        if len(words(finding.topic)) < 1:
            continue
        text = finding.topic if finding.written else message.talk
        claimed = not state.imported or (finding.pattern in TAGS and register == "prose")
        if not state.imported and not finding.written and finding.confidence < SURE:
            continue
        touched = _proposals(state, finding, words(text[:2000]))
        quote = Quote(message.number, finding.start, finding.end, finding.sentence)
        if _restated(state, finding, message, quote, touched, found):
            continue
        if not touched and finding.written and turns_down(text):
            touched = [item for item in state.newest_open() if item.written or not state.titled][-1:]
        proposal = touched[-1] if touched else None
        item = DecisionItem(
            id=f"d{message.number}@{finding.start}",
            by=message.who,
            topic=proposal.content if proposal else (message.topic or finding.topic),
            outcome=proposal.content if proposal and accepts_as_put(finding.topic) else finding.topic,
            status="claimed" if claimed else "decided",
            source="pattern",
            pattern=finding.pattern,
            confidence=finding.confidence,
            messages=[message.number],
            quotes=[quote],
            supporters={message.who: message.number},
            proposal=proposal.id if proposal else None,
            written=finding.written,
        )
        if proposal is not None:
            item.takes_sides_of(proposal)
        _keep(state, item)
        if item.status == "decided":
            settle(state, item, message.talk, touched, found)
        else:
            found.append(DecisionFound(decision=item.record))
            confirm(state, item, found)  # what others said for the proposal before counts


def tagged(state: State, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
    """In a debate `[CONSENSUS] ...` claims something, however little that is worth; `RESOLVED` alone takes the last."""
    alone = _ALONE.match(message.talk)
    if alone is not None and any(item.written for item in state.newest_open()):
        return [
            Finding("decision", "resolved", 0, alone.end(), message.talk.strip(), message.talk.strip(), CLAIM, True)
        ]
    match = None if state.imported else _CLAIM.match(message.talk)
    if match is None or any(finding.kind == "decision" for finding in findings):
        return findings
    text = clean(match[1])
    if len(words(text)) < 1 or text.endswith("?"):
        return findings
    claim = Finding("decision", "tag-consensus", match.start(1), match.end(1), text, text, CLAIM, True)
    return [claim, *(finding for finding in findings if finding.kind not in ("support", "proposal"))]


def rule(state: State, event: VerdictReached, found: Found) -> None:
    """The procedure decided: a decision, and the proposal that it accepts."""
    if event.outcome is None:
        return
    bag = words(event.outcome)
    chosen = state.proposal(event.outcome)
    if chosen is None:
        standing = [item for item in state.proposals.values() if item.status != "struck"]
        worded = [item for item in standing if item.content == event.outcome]
        alike = worded or [item for item in standing if likeness(item.words, bag) >= SAME]
        chosen = alike[-1] if alike else None
    evidence = tuple(event.evidence) or ((state.number,) if state.number else ())
    count = sum(1 for key in state.recent if key.startswith(f"v{state.number}."))
    item = DecisionItem(
        id=f"v{state.number}.{count}",
        by="",
        topic=event.rule,
        outcome=chosen.content if chosen and event.outcome == chosen.id else event.outcome,
        status="decided",
        source="procedure",
        pattern="",
        confidence=1.0,
        messages=list(evidence),
        supporters=dict.fromkeys(event.tally.get(event.outcome, ()), state.number),
        opposers={ballot.agent: state.number for ballot in event.dissent},
        proposal=chosen.id if chosen else None,
        written=True,
    )
    _keep(state, item)
    settle(state, item, event.outcome, [chosen] if chosen else [], found)


def hear_answer(state: State, reaction: Reaction, found: Found) -> None:
    """Others' reactions confirm a decision, or do not."""
    for item in reversed(state.newest_decisions()):
        late = reaction.to is None and reaction.reaction != "neutral" and _late(item, reaction)
        if (item.source == "procedure" and not late) or reaction.agent == item.by:
            continue
        just_now = reaction.reaction == "oppose" and 0 < reaction.message - item.last <= AT_ONCE
        denied = reaction.pattern in DENIALS and denies(reaction.message, reaction.agent, item)
        about = reaction.answered in item.messages or (item.proposal is not None and reaction.to == item.proposal)
        claim = reaction.to is None and reaction.link in ("recency", "") and item.source == "pattern"
        claim = claim and (item.status == "claimed" or reaction.reaction == "support")
        claim = claim and 0 < reaction.message - item.last <= DENIED
        if not (about or denied or just_now or late or (claim and not state.imported)):
            continue
        item.takes_side(reaction)
        if reaction.reaction == "support":
            confirm(state, item, found)
        elif reaction.reaction == "oppose":
            let_go(state, reaction.agent, state.options.mentioned(item.outcome))
            if denied and item.status == "decided" and not item.written:
                _undo(state, item, reaction, found)
        return


def denies(number: int, who: str, item: DecisionItem) -> bool:
    """Whether a denial in message `number` by `who` is near enough to be about a decision."""
    return who != item.by and 0 < number - item.last <= DENIED


def _late(item: DecisionItem, reaction: Reaction) -> bool:
    """Whether a remark that answers no open proposal is about what was decided: it shares its words."""
    if item.status != "decided" or reaction.quote is None:
        return False
    if reaction.reaction == "support" and reaction.agent not in item.opposers:
        return False
    bag = words(reaction.quote.text)
    return len(bag & item.words) >= 2 and overlap(bag, item.words) >= TOUCHED


def _keep(state: State, item: DecisionItem) -> None:
    state.decisions[item.id] = item
    state.recent.append(item.id)
    del state.recent[:-CLAIMS]


def _proposals(state: State, finding: Finding, bag: frozenset[str]) -> list[ProposalItem]:
    """The open proposals that a decision is about, the one it is most about last."""
    scored = [(overlap(item.words, bag), item.message, item) for item in state.newest_open()]
    scored = [row for row in scored if row[1] < state.number and len(row[2].words) > 1]
    last = state.proposal(state.last_proposal)
    if finding.written:
        written = [row for row in scored if row[2].written]
        scored = written if written or state.imported else scored
        if last is None or (written and not last.written):
            last = written[-1][2] if written else last
        if last is not None and last.status == "active" and not any(r[0] >= SAME for r in scored):
            if accepts_as_put(finding.topic) or (state.imported and _may_stand(last, bag)):
                return [last]
            if state.imported:
                return []
    scored.sort(key=lambda row: row[:2])
    best = [row[2] for row in scored if row[0] >= TOUCHED]
    return best[-1:] if finding.written else best


def _may_stand(last: ProposalItem, bag: frozenset[str]) -> bool:
    """Whether a resolution in other words may accept the proposal before it: not against the votes, nor the words."""
    support = len(last.backers("support"))
    if len(last.backers("oppose")) > support:
        return False
    return support > 0 or bool(last.words & bag)


def _restated(
    state: State,
    finding: Finding,
    message: MessagePosted,
    quote: Quote,
    touched: list[ProposalItem],
    found: Found,
) -> bool:
    bag = words(finding.topic)
    if touched and turns_down(finding.topic):
        return False
    for item in reversed(state.newest_decisions()):
        same = len(bag) >= 2 and likeness(item.words, bag) >= SAME
        if finding.written and any(p.status == "active" and p.id != item.proposal and p.standing for p in touched):
            return False  # what was just voted on is decided now, however alike an earlier resolution is
        if item.status == "superseded" or not (
            same or (item.status == "decided" and any(item.proposal == p.id for p in touched))
        ):
            continue
        if _REPLACES.search(finding.sentence) or revises(item.outcome, finding.topic):
            continue
        item.restate(quote)
        item.supporters.setdefault(message.who, message.number)
        item.opposers.pop(message.who, None)
        confirm(state, item, found)
        found.append(DecisionFound(decision=item.record))
        return True
    return False


def settle(state: State, item: DecisionItem, text: str, touched: list[ProposalItem], found: Found) -> None:
    """A decision holds: it replaces what it contradicts and accepts what it is about."""
    chosen = state.options.mentioned(item.outcome)
    _replace(state, item, text, chosen, found)
    if len(chosen) == 1 and item.source != "minutes":
        _hold(state, item, chosen, touched, text)
    if item.by:
        state.agents[item.by].contribute(f"decided: {item.outcome}")
    found.append(DecisionFound(decision=item.record))
    why = "decided by the procedure" if item.source == "procedure" else "stated as decided"
    for proposal in touched:
        if turns_down(item.outcome, proposal.content):
            close(state, proposal, "rejected", tuple(item.messages), "turned down by a decision", found)
        else:
            accept(state, proposal, tuple(item.messages), why, found)


def _replace(state: State, item: DecisionItem, text: str, chosen: tuple[str, ...], found: Found) -> None:
    for old in state.newest_decisions():
        if old.id == item.id or old.status != "decided":
            continue
        if item.source == "minutes" and old.made >= item.made:
            continue  # minutes are read after what was said since
        before = state.options.mentioned(old.outcome)
        other = len(chosen) == 1 and len(before) == 1 and chosen != before
        replaced = likeness(old.words, item.words) >= RELATED and bool(_REPLACES.search(text))
        if other or replaced or (_one_subject(old, item) and revises(old.outcome, item.outcome)):
            old.status, old.superseded_by, item.supersedes = "superseded", item.id, old.id
            if other and item.source != "minutes":
                for name in state.agents:
                    let_go(state, name, before)
            found.append(DecisionFound(decision=old.record))


def _one_subject(old: DecisionItem, new: DecisionItem) -> bool:
    """Whether two decisions may be about the same: unless two proposals say that they are not."""
    if not (old.proposal and new.proposal) or old.proposal == new.proposal:
        return True
    return likeness(words(old.topic), words(new.topic)) >= RELATED


def let_go(state: State, name: str, option: tuple[str, ...]) -> None:
    """Somebody holds an option no longer: what they themselves stood for last counts again."""
    agent = state.agents[name]
    if option and agent.holds == option:
        own = [position for position in agent.positions[-OWN:] if position.options and position.options != option]
        agent.holds, agent.since = (own[-1].options, own[-1].message) if own else ((), None)


def _hold(state: State, item: DecisionItem, chosen: tuple[str, ...], touched: list[ProposalItem], text: str) -> None:
    """Who stood behind what a decision is made of, or is named as behind it, now holds the option that it names."""
    behind = {*item.supporters, *(proposal.proposer for proposal in touched)}
    for start, end in sentences(normalise(text)):
        sentence = text[start:end].lower()
        if _BEHIND.search(sentence):
            behind.update(name for name in state.agents if names(sentence, name))
    for proposal in touched:
        behind.update(proposal.backers("support"))
    for name in behind - set(item.opposers):
        agent = state.agents.get(name)
        if agent is not None and not is_chair(name) and agent.holds != chosen:
            agent.holds, agent.since = chosen, item.made


def confirm(state: State, item: DecisionItem, found: Found) -> None:
    """Enough others assent: at least half of those who spoke, and nobody against."""
    if item.status != "claimed" or item.opposers:
        return
    others = [name for name in state.agents if name != item.by]
    assent = [name for name in item.supporters if name != item.by]
    if not assent or 2 * len(assent) < len(others):
        return
    item.status = "decided"
    proposal = state.proposal(item.proposal)
    settle(state, item, "", [proposal] if proposal is not None and proposal.status == "active" else [], found)


def _undo(state: State, item: DecisionItem, reaction: Reaction, found: Found) -> None:
    item.status = "claimed"
    found.append(DecisionFound(decision=item.record))
    proposal = state.proposal(item.proposal)
    if proposal is not None and proposal.status == "accepted":
        reopen(state, proposal, (reaction.message,), "the decision was denied", found)
