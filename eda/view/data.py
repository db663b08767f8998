"""A session as plain JSON types. What a screen shows is here too, under the names that the records have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from eda.effect import helped
from eda.events import Event, MessagePosted, SessionStarted, SideMessagePosted
from eda.progress import Progress
from eda.spent import Spent
from eda.verdict import rule_of
from eda.view.helped import helped_data
from eda.view.votes import none_phrase

if TYPE_CHECKING:
    from eda.memory import ConversationMemory

__all__ = [
    "debate_data",
    "run_row",
    "session_data",
    "session_row",
    "side_data",
]


def _fact_data(fact: Event) -> dict[str, Any]:
    """A fact without its place in the log."""
    return fact.model_dump(mode="json", exclude={"seq", "at", "type"})


def _memory_data(memory: ConversationMemory) -> dict[str, Any]:
    """Everything that memory found."""
    return {
        "decisions": [asdict(decision) for decision in memory.decisions],
        "proposals": [asdict(proposal) for proposal in memory.proposals],
        "agents": {name: asdict(state) for name, state in memory.agents.items()},
        "summaries": [asdict(summary) for summary in memory.summaries],
        "notes": [asdict(note) for note in memory.notes],
        "questions": [asdict(question) for question in memory.questions],
        "consensus": asdict(memory.consensus()),
        "stance_changes": [asdict(change) for change in memory.stance_changes],
        "stats": asdict(memory.stats()),
    }


def debate_data(
    started: SessionStarted, progress: Progress, memory: ConversationMemory, *, running: bool = False
) -> dict[str, Any]:
    """A debate and what came of it; no transcript. `running`: whether another process is at it."""
    return {
        "session": started.session,
        "question": started.question,
        "options": list(started.options),
        "panel": started.panel,
        "members": _seated(started, progress),
        "documents": [document.name for document in started.documents],
        **_made_by(started),
        "seed": started.seed,
        "settings": progress.settings.model_dump(mode="json"),
        "state": "running" if running else progress.state,
        "reason": progress.ended or progress.paused,
        "phase": progress.phase,
        "round": progress.round,
        "messages": progress.messages,
        "spent": _spent(progress.spent),
        "spent_aside": _spent(progress.aside),
        "verdict": _fact_data(progress.verdict) if progress.verdict else None,
        "helped": helped_data(helped(progress, memory)),
        **_memory_data(memory),
        **_asked(progress, memory),
    }


def _made_by(started: SessionStarted) -> dict[str, Any]:
    """What tells debates of one kind from those of another."""
    return {
        "format": started.agenda.name,
        "runner": started.runner,
        "patterns": started.patterns,
        "prompts": sorted(started.prompts),
    }


def _asked(progress: Progress, memory: ConversationMemory) -> dict[str, Any]:
    """What members said in private: in all polls, in a vote before anybody had spoken, and in the last vote."""
    first, last = memory.parts.polls.first_ballots.values(), [cast.ballot for cast in progress.ballots]
    return {
        "polls": [_fact_data(stance) for _, asked in sorted(progress.polls.items()) for stance in asked],
        "first_ballots": [ballot.model_dump(mode="json") for ballot in first],
        "ballots": [ballot.model_dump(mode="json") for ballot in last],
    }


def session_data(
    started: SessionStarted,
    progress: Progress,
    memory: ConversationMemory,
    events: Iterable[Event],
    *,
    running: bool = False,
) -> dict[str, Any]:
    """All of a session, the transcript included, and what was said beside it."""
    said = [event for event in events if isinstance(event, MessagePosted | SideMessagePosted)]
    transcript = [_message(message) for message in said if isinstance(message, MessagePosted)]
    side = side_data(said)
    return {**debate_data(started, progress, memory, running=running), "transcript": transcript, "side": side}


def side_data(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Talks with single members, and comments that nobody asked for (`auto`)."""
    side = (event for event in events if isinstance(event, SideMessagePosted))
    return [event.model_dump(mode="json", exclude={"seq", "type"}) for event in side]


def session_row(started: SessionStarted, progress: Progress, *, running: bool = False) -> dict[str, Any]:
    """A session in a list. `running`: whether another process is at it."""
    return {
        "session": started.session,
        "kind": started.kind,
        "question": started.question,
        "panel": started.panel or ", ".join(member.title for member in started.members),
        "messages": progress.messages,
        "state": "running" if running else progress.state,
        "reason": progress.ended or progress.paused,
        "outcome": progress.verdict.outcome if progress.verdict else None,
        "runner": started.runner,
        "started": progress.first_at.isoformat() if progress.first_at else None,
        "last": progress.last_at.isoformat() if progress.last_at else None,
    }


def run_row(seed: int, progress: Progress, memory: ConversationMemory, session: str) -> dict[str, Any]:
    """One debate of a repeated one."""
    verdict, helps = progress.verdict, helped(progress, memory)
    return {
        "seed": seed,
        "session": session,
        **(_made_by(progress.started) if progress.started else {}),
        "rule": rule_of(progress),
        "outcome": verdict.outcome if verdict else None,
        "none_because": none_phrase(verdict) if verdict and verdict.outcome is None else "",
        "votes": {choice: len(voters) for choice, voters in verdict.tally.items()} if verdict else {},
        "abstained": list(verdict.abstained) if verdict else [],
        "messages": progress.messages,
        "changed_minds": sorted(change.who for change in helps.moved) if helps else [],
        "reason": progress.ended or progress.paused,
        "tokens": progress.spent.tokens,
        "cost": progress.spent.cost,
        "unpriced_calls": progress.spent.unpriced_calls,
        "helped": helped_data(helps),
        "stance_changes": [asdict(change) for change in memory.stance_changes],
        **_asked(progress, memory),
    }


def _seated(started: SessionStarted, progress: Progress) -> list[dict[str, Any]]:
    """Who sits now, in seat order."""
    members = progress.panel or started.members
    return [
        {"name": m.name, "title": m.title, "role": m.role, "muted": m.title in progress.muted, "person": m.person}
        for m in members
    ]


def _spent(spent: Spent) -> dict[str, Any]:
    return {**asdict(spent), "tokens": spent.tokens}


def _message(message: MessagePosted) -> dict[str, Any]:
    return {
        "number": message.number,
        "who": message.who,
        "text": message.talk,
        "moves": [asdict(move) for move in message.moves],
        "to": message.to,
        "reply_to": message.reply_to,
        "sealed": message.sealed,
        "ref": message.ref,
        "at": message.at.isoformat() if message.at else None,
    }
