"""Words for what happens in a debate: how it stands, why it ended, a call that waits, what was looked up."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from eda.debate.course import How
from eda.debate.state import DebateState
from eda.debate.verdict import kind_of
from eda.events import (
    CallDelayed,
    CallMade,
    EvidenceFound,
    FloorGranted,
    MemoryCorrected,
    MessagePosted,
    Parent,
    SessionPaused,
    SessionStarted,
    TermsNamed,
    TurnPassed,
)
from eda.memory.minutes.proposals import slug
from eda.panels.agenda import Agenda
from eda.panels.registry import STOPS
from eda.panels.settings import Settings
from eda.report.formatting import one_line, pointed
from eda.words import ENGLISH, Words

_LONGEST_TALK = 10_000_000_000  # Seconds from the start that are shown as a time.


def ended_phrase(reason: str, *, voted: bool = False, words: Words = ENGLISH) -> str:
    """Return why a debate or a phase ended, in words; of one that came to its verdict what ended its discussion."""
    condition = STOPS.called(reason)
    phrase = reason if condition is None else condition.phrase
    return words.say("debate-ended", why=reason, phrase=phrase, voted=voted and condition is not None)


def asked_phrase(started: SessionStarted, settings: Settings, words: Words = ENGLISH) -> str:
    """Return what a question asks for: `one answer`; empty of a transcript."""
    return (
        words.say("verdict-kind", kind=kind, texts=started.agenda.votes_on_proposals and not settings.fixed_options)
        if (kind := kind_of(started, settings))
        else ""
    )


def mark_phrase(marks: Sequence[How], words: Words = ENGLISH) -> str:
    """Return what stands before a verdict whose panel was no model that was asked, and no person: `(simulated) `."""
    told = ", ".join(words.say("report-mark", how=how) for how in marks)
    return f"({told}) " if told else ""


def parent_phrase(parent: Parent | None, words: Words = ENGLISH) -> str:
    """Return where a session comes from: `billing at m12 (persona:sceptic=economist)`; empty if it was not forked."""
    if parent is None:
        return ""
    return words.say(
        "debate-parent",
        session=parent.session,
        at="" if parent.at is None else f"m{parent.at}",
        changed=parent.changed,
    )


def state_phrase(state: DebateState, words: Words = ENGLISH) -> str:
    """Return how a session stands, and why: `ended (a verdict was reached)`, `paused by Ana`, `unfinished`."""
    pause = state.paused if state.ended is None else None
    why = ended_phrase(state.why_stopped or "", voted=state.verdict is not None, words=words)
    return words.say("debate-state", state=state.state, by=pause.by if pause else "", why=why)


def paused_phrase(pause: SessionPaused, words: Words = ENGLISH) -> str:
    """Return why a debate waits: `paused by Ana`, `paused: stopped`."""
    return words.say("debate-paused", by=pause.by, reason=pause.reason, error=pause.error)


def passed_phrase(event: TurnPassed, words: Words = ENGLISH) -> str:
    """Return how a turn was passed: `passes: nothing new`, `said again what m3 says; the turn is passed`."""
    return words.say(
        "debate-passed",
        why=slug(event.why),
        at=f"m{event.repeats}",
        seconds=event.seconds or 0,
        fault=event.fault,
    )


def terms_phrase(event: TermsNamed, words: Words = ENGLISH) -> str:
    """Return what would bring a member in: `Ada would take p1.0 with a change: add a way back`."""
    return words.say(
        "debate-terms",
        who=one_line(event.who),
        takes=slug(event.takes or ("silent" if event.silent else "unread")),
        unread=one_line(event.unread),
        on=event.on,
        change=one_line(event.change),
    )


def corrected_phrase(event: MemoryCorrected, words: Words = ENGLISH) -> str:
    """Return what became of an item that a person corrected: `p1.0 corrected by Ada: Wait a year`."""
    how = "struck" if not event.text else "beside" if event.version else "corrected"
    return words.say(
        "debate-corrected", item=event.item, how=how, by=event.by, text=event.text or event.was, version=event.version
    )


def granted_phrase(event: FloorGranted, words: Words = ENGLISH) -> str:
    """Return why a member has the floor: `urgency 0.80: the cost was left out`, `asked by Ada`."""
    return words.say(
        "debate-granted",
        why=slug(event.why),
        by=event.by,
        urgency=pointed(f"{event.urgency or 0:.2f}", words),
        turns=event.turns,
        reason=event.reason,
    )


def phase_phrase(name: str, words: Words = ENGLISH) -> str:
    """Return the name of a phase; of a shipped format in the reader's language."""
    return words.say("debate-phase", phase=name)


def purpose_phrase(purpose: str, words: Words) -> str:
    """Return what a call is for: `speak`, `ballot`."""
    return words.say("debate-purpose", purpose=purpose)


def skipped_phrase(phases: Sequence[str], words: Words) -> str:
    """Return that phases were left out: `without closing, since half or more of the messages are discussion`."""
    return words.say("debate-skipped", phases=[phase_phrase(each, words) for each in phases])


def skipped_phases(agenda: Agenda, before: str, now: str) -> list[str]:
    """Return the closing words between two phases, which were left out."""
    later = agenda.later(before) if before else ()
    between = later[: next((at for at, phase in enumerate(later) if phase.name == now), 0)]
    return [phase.name for phase in between if agenda.stages[phase.name] == "closing"]


def delay_phrase(delay: CallDelayed, words: Words = ENGLISH) -> str:
    """Return `again in 8 s: Overloaded (529) (Ada, speak, attempt 1)`; without a time where another model is asked."""
    return words.say(
        "debate-delayed",
        seconds=delay.seconds,
        why=delay.reason,
        who=delay.agent,
        purpose=purpose_phrase(delay.purpose, words),
        nth=str(delay.attempt),
    )


def looked_phrase(kind: str, who: str, what: Sequence[str], words: Words) -> str:
    """Return what a member looked at and nobody cites (`unused`), or what its program was refused (`refused`)."""
    return words.say("report-looked", kind, who=who, what=what)


def live_phrase(call: CallMade, words: Words) -> str:
    """Return where a replay goes live, and why: `from the speak call of Ruth after m12 on, as ...`."""
    return words.say(
        "debate-live",
        purpose=purpose_phrase(call.purpose, words),
        who=call.agent,
        at=f"m{call.last}",
        why=call.live or "",
    )


def of_source(message: MessagePosted) -> list[str]:
    """Return the id and the time that an imported message has in its source; of each an empty text where it has none.

    The time is that of a clock, as the source gives it, or the time since the start: `1:02:09`.
    """
    since = timedelta(seconds=int(message.t)) if message.t is not None and abs(message.t) < _LONGEST_TALK else ""
    return [one_line(message.ref or ""), message.sent.isoformat(" ", "minutes") if message.sent else str(since)]


def evidence_phrase(event: EvidenceFound, words: Words) -> str:
    """Return who looked up what, and where it was found: `Ada looks up "the fee": e1 report.pdf p. 7`."""
    passages = [f"{each.id} {each.source}" for each in event.found]
    if event.tool:
        data: dict[str, Any] = {"tool": event.tool, "arguments": event.arguments, "error": event.error or ""}
        return words.say("debate-called", who=event.who, passages=passages, seconds=event.seconds, **data)
    return words.say("debate-looked-up", who=event.who, words=event.words, passages=passages)
