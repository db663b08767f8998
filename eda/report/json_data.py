"""A session as plain JSON types, under the names of the records: everything that a screen shows, and more."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from eda.debate.state import DebateState
from eda.debate.verdict import kind_of
from eda.events import Event, MessagePosted, Motion, SessionStarted, SideMessagePosted, UsageTotals, VerdictReached
from eda.memory import ConversationMemory
from eda.report.effect import helped
from eda.report.formatting import one_line
from eda.report.model import Report
from eda.report.outcome import Text
from eda.report.vote_words import title_of


def _fact_data(fact: Event | None) -> dict[str, Any] | None:
    """Return a fact without its place in the log; None for none."""
    return None if fact is None else fact.model_dump(mode="json", exclude={"seq", "at", "type"})


def _motion(motion: Motion) -> dict[str, Any]:
    """Return a motion with the ids of its texts; the texts are those of `proposals` and `options`."""
    return {
        "id": motion.id,
        "title": motion.versions[0].title,
        "versions": [version.id for version in motion.versions],
        "live": motion.live.id if motion.live else None,
        "taken_up": motion.taken_up,
    }


def debate_data(
    started: SessionStarted, progress: DebateState, memory: ConversationMemory, *, running: bool = False
) -> dict[str, Any]:
    """Return a debate and its result, without the transcript. `running`: whether another process runs it."""
    return {
        "session": started.session,
        "from": started.parent and asdict(started.parent),
        "question": started.question,
        "options": list(started.options),
        "asks_for": kind_of(started, progress.settings),
        "played_by": progress.players.by,
        "panel": started.panel,
        "members": _seated(started, progress),
        "documents": [document.name for document in started.documents],
        "format": started.agenda.name,
        "runner": started.runner,
        "patterns": started.patterns,
        "prompts": sorted(started.prompts),
        "seed": started.seed,
        "settings": progress.settings.model_dump(mode="json"),
        "state": "running" if running else progress.state,
        "reason": progress.why_stopped,
        "phase": progress.phase,
        "round": progress.round,
        "messages": progress.messages,
        "spent": _spent(progress.spent),
        "spent_aside": _spent(progress.aside),
        "verdict": _fact_data(progress.verdict),
        "followed": _fact_data(progress.followed),
        "helped": asdict(helps) if (helps := helped(progress, memory)) else None,
        "decisions": [asdict(decision) for decision in memory.decisions],
        "proposals": [asdict(proposal) for proposal in memory.proposals],
        "motions": [_motion(motion) for motion in memory.motions],
        "unresolved": [asdict(each) for each in memory.unresolved],
        "agents": {name: asdict(state) for name, state in memory.agents.items()},
        "summaries": [asdict(summary) for summary in memory.summaries],
        "notes": [asdict(note) for note in memory.notes],
        "evidence": [asdict(used) for used in memory.parts.evidence.used],
        "unused": memory.parts.evidence.unused,
        "questions": [asdict(question) for question in memory.questions],
        "consensus": asdict(memory.consensus()),
        "stance_changes": [asdict(change) for change in memory.stance_changes],
        "stats": asdict(memory.stats()),
        "polls": [_fact_data(stance) for _, poll in sorted(progress.polls.items()) for stance in poll],
        "first_ballots": [cast.ballot.model_dump(mode="json") for cast in progress.first_ballots],
        "ballots": [cast.ballot.model_dump(mode="json") for cast in progress.ballots],
    }


def session_data(
    started: SessionStarted,
    progress: DebateState,
    memory: ConversationMemory,
    events: Iterable[Event],
    *,
    running: bool = False,
) -> dict[str, Any]:
    """Return a whole session with its transcript and its side talk."""
    facts = [fact for fact in events if isinstance(fact, MessagePosted | SideMessagePosted)]
    messages = (fact for fact in facts if isinstance(fact, MessagePosted))
    transcript = [  # of an act what says something, and whether it counts
        {
            **_message(message),
            "acts": [
                {key: value for key, value in asdict(act).items() if value or key == "counted"}
                for act in memory.acts(message.number)
            ],
        }
        for message in messages
    ]
    debate = debate_data(started, progress, memory, running=running)
    return {**debate, "transcript": transcript, "side": side_data(facts)}


def side_data(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Return the talks with single members."""
    side = (event for event in events if isinstance(event, SideMessagePosted))
    return [event.model_dump(mode="json", exclude={"seq", "type"}) for event in side]


def decision_of(report: Report, verdict: VerdictReached) -> dict[str, Any]:
    """Return what a list says of a decision, in plain JSON types; without `titles` where nothing was decided."""
    counted, followed = report.counted, report.followed
    texts = [*counted.decided]
    if not texts and isinstance(counted.reached.outcome, str):  # the motion won, and no wording of it
        texts = [Text(counted.reached.motion, counted.reached.outcome)]
    reasons = (*(each.quote for each in report.backing), *(each.reason for each in report.dissent))
    return {
        "at": verdict.at.isoformat() if verdict.at else "",
        "titles": [title_of(text) for text in texts],
        "texts": [one_line(text.text) for text in texts],
        "for": list(counted.accepted),
        "against": [each.who for each in report.dissent if texts],  # who blocks one text of several is against that
        "reasons": list(filter(None, reasons)),
        "minds": [{"who": each.who, "text": each.text, "message": each.message} for each in report.minds],
        "hinges": [each.arm.data() for each in report.stress.arms if each.hinges] if report.stress else [],
        "followed": _fact_data(followed),
    }


def minuted_data(progress: DebateState, memory: ConversationMemory) -> dict[str, Any] | None:
    """Return the same as `decision_of` for what a recorded talk states as decided; None where it states nothing."""
    stand = [each for each in memory.decisions if each.status == "decided" and not each.superseded_by]
    at = (progress.last and progress.last.sent) or progress.last_at
    if not stand or at is None:
        return None
    return {
        "at": at.astimezone().isoformat(),
        "titles": [title_of(Text(each.id, each.outcome)) for each in stand],
        "texts": [one_line(each.outcome) for each in stand],
        "for": list(stand[0].supporters) if len(stand) == 1 else [],
        **dict.fromkeys(("against", "reasons", "minds", "hinges"), ()),
        "followed": None,
    }


def _seated(started: SessionStarted, progress: DebateState) -> list[dict[str, Any]]:
    """Return the members who sit now, in seat order."""
    return [
        {"name": m.name, "title": m.title, "role": m.role, "muted": m.title in progress.muted, "person": m.person}
        for m in progress.panel or started.members
    ]


def _spent(spent: UsageTotals) -> dict[str, Any]:
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
        "t": message.t,
        "sent": message.sent.isoformat() if message.sent else None,
        "at": message.at.isoformat() if message.at else None,
    }
