"""What memory found in a recorded conversation, as plain JSON types with the ids of the source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eda.events import MessagePosted
from eda.events.records import Decision, Proposal, Reaction
from eda.memory import ConversationMemory
from eda.memory.minutes.items import DecisionItem, ProposalItem
from eda.session import Session
from eda.transcripts.kind import Row


def conversation_report(conv: str, rows: Sequence[Row], memory: ConversationMemory) -> dict[str, Any]:
    """Return what memory found in a conversation as a JSON object, with the transcript's own message ids."""
    homes = {proposal.id: proposal.message for proposal in memory.proposals}

    def own(number: int | None) -> str | None:
        return (rows[number - 1].id or str(number)) if number else None

    def reaction(item: Reaction) -> dict[str, Any]:
        return {"message_id": own(item.message), "agent": item.agent, "reaction": item.reaction}

    return {
        "conv": conv,
        "messages": len(rows),
        "decisions": [
            {
                "id": d.id,
                "message_ids": [own(number) for number in d.messages],
                "numbers": list(d.messages),
                "topic": d.topic,
                "outcome": d.outcome,
                "supporters": list(d.supporters),
                "status": d.status,
            }
            for d in memory.decisions
        ],
        "proposals": [
            {
                "id": p.id,
                "message_id": own(p.message),
                "number": p.message,
                "proposer": p.proposer,
                "content": p.content,
                "status": p.status,
                "reactions": [reaction(item) for item in p.reactions],
            }
            for p in memory.proposals
        ],
        "reactions": [
            {**reaction(item), "to": own(homes.get(item.to or "", item.answered))} for item in memory.reactions
        ],
        "agents": {
            name: {
                "last_position": state.last_position,
                "key_contributions": list(state.key_contributions),
                "message_count": state.message_count,
                "holds": list(state.holds),
            }
            for name, state in memory.agents.items()
        },
        "consensus": memory.consensus().reached,
        "summaries": [
            {"first": own(s.first), "last": own(s.last), "level": s.level, "text": s.text} for s in memory.summaries
        ],
    }


def minutes_report(conv: str, rows: Sequence[Row], memory: ConversationMemory) -> dict[str, Any]:
    """Return `conversation_report` with what talk marks as minutes, or a model confirmed; the rest is in `passages`.

    A passage may hold a proposal or a decision: a pattern found it in talk that nobody marked, with its `confidence`.
    """
    report, state = conversation_report(conv, rows, memory), memory.parts.minutes.state
    items: dict[str, ProposalItem | DecisionItem] = {**state.proposals, **state.decisions}
    loose = {key: item for key, item in items.items() if not _is_marked(item)}
    stated = {item.contribution for item in loose.values()}
    agents = {
        name: {**agent, "key_contributions": [each for each in agent["key_contributions"] if each not in stated]}
        for name, agent in report["agents"].items()
    }
    agreed, texts = memory.consensus(), {item.text for item in loose.values()}
    found: list[Proposal | Decision] = [*memory.proposals, *memory.decisions]
    passages = [_passage(item, rows) for item in found if item.id in loose and item.minuted != "denied"]
    about = zip(memory.reactions, report["reactions"], strict=True)
    return {
        **report,
        **{kind: [item for item in report[kind] if item["id"] not in loose] for kind in ("decisions", "proposals")},
        "reactions": [data for reaction, data in about if reaction.to not in loose],
        "agents": agents,
        "consensus": agreed.reached and not (agreed.basis == "proposal" and agreed.on in texts),
        "passages": sorted(passages, key=lambda passage: passage["number"]),
    }


def stored_rows(session: Session) -> list[Row]:
    """Return the messages of a session as the rows of a transcript."""
    facts = (fact for fact in session.events() if isinstance(fact, MessagePosted))
    return [Row(speaker=fact.who, text=fact.text, id=fact.ref) for fact in facts]


def _is_marked(item: ProposalItem | DecisionItem) -> bool:
    return item.source != "pattern" or item.written or item.minuted == "confirmed"


def _passage(item: Proposal | Decision, rows: Sequence[Row]) -> dict[str, Any]:
    number, quote = (item.message, item.quote) if isinstance(item, Proposal) else (item.messages[0], item.quotes[0])
    row = rows[number - 1]
    return {
        "kind": "proposal" if isinstance(item, Proposal) else "decision",
        "id": item.id,
        "message_id": row.id or str(number),
        "number": number,
        "speaker": row.speaker,
        "text": quote.text if quote else "",
        "confidence": item.confidence,
    }
