"""Words for what happens in a debate: how it stands, why it ended, a call that waits, what was looked up."""

from __future__ import annotations

from datetime import timedelta

from eda.debate.state import DebateState
from eda.events import CallDelayed, CallMade, EvidenceFound, MessagePosted, SessionPaused, TurnPassed
from eda.panels.agenda import Agenda
from eda.panels.registry import STOPS
from eda.report.formatting import one_line

_ENDINGS = {
    "person": "a person ended the talk",
    "verdict": "a verdict was reached",
    "lap": "once more",
    "talk": "somebody spoke, so all vote again",
    "errors": "too many turns failed",
}
"""Ends that are no stop condition, or none any more; a stop condition has its own phrase."""
_LONGEST_TALK = 10_000_000_000  # Seconds from the start that are shown as a time.


def ended_phrase(reason: str, *, voted: bool = False) -> str:
    """Return why a debate or a phase ended, in words; of one that came to its verdict what ended its discussion."""
    condition = STOPS.called(reason)
    phrase = one_line(condition.phrase) if condition is not None else _ENDINGS.get(reason, one_line(reason))
    return f"{phrase}; then the panel voted" if voted and condition else phrase


def state_phrase(state: DebateState) -> str:
    """Return how a session stands, and why: `ended (a verdict was reached)`, `paused by Ana`, `unfinished`."""
    if state.ended is None and state.paused is not None and state.paused.by:
        return f"paused by {one_line(state.paused.by)}"
    why = ended_phrase(state.why_stopped or "", voted=state.verdict is not None)
    return f"{state.state} ({why})" if why else state.state


def paused_phrase(pause: SessionPaused) -> str:
    """Return why a debate waits: `Paused by Ana`, `paused: stopped`."""
    return f"Paused by {one_line(pause.by)}" if pause.by else f"paused: {one_line(pause.why)}"


def passed_phrase(event: TurnPassed) -> str:
    """Return how a turn was passed: `passes: nothing new`, `said again what m3 says; the turn is passed`."""
    match event.why:
        case "repeated":
            return f"said again what m{event.repeats} says; the turn is passed"
        case "passed":
            return "passes"
        case "silent":
            return f"passes: no word within {event.seconds:g} s"
        case why:
            return f"passes: {one_line(event.fault) or why}"


def skipped_phrase(agenda: Agenda, before: str, now: str) -> str:
    """Return why the closing words between two phases were left out; empty where none were."""
    later = agenda.later(before) if before else ()
    between = later[: next((at for at, phase in enumerate(later) if phase.name == now), 0)]
    skipped = [one_line(phase.name) for phase in between if agenda.stage(phase.name) == "closing"]
    why = "left out, since at least half of the messages are kept for the discussion"
    return f"{', '.join(skipped)} {why}" if skipped else ""


def delay_phrase(delay: CallDelayed) -> str:
    """Return `again in 8 s: Overloaded (529) (Ada, speak, attempt 1)`; without a time where another model is asked."""
    when = f"again in {delay.seconds:.0f} s: " if delay.seconds else ""
    call = f"{one_line(delay.agent) or 'the engine'}, {one_line(delay.purpose)}, attempt {delay.attempt}"
    return f"{when}{one_line(delay.reason)} ({call})"


def live_phrase(call: CallMade) -> str:
    """Return where a replay goes live, and why: `from the speak call of Ruth after m12 on, as ...`."""
    who = one_line(call.agent) or "the engine"
    return f"from the {one_line(call.purpose)} call of {who} after m{call.last} on, as {one_line(call.live)}"


def of_source(message: MessagePosted) -> list[str]:
    """Return the id and the time that an imported message has in its source; of each an empty text where it has none.

    The time is that of a clock, as the source gives it, or the time since the start: `1:02:09`.
    """
    since = timedelta(seconds=int(message.t)) if message.t is not None and abs(message.t) < _LONGEST_TALK else ""
    time = message.sent.isoformat(" ", "minutes") if message.sent else str(since)
    return [one_line(message.ref or ""), time]


def evidence_phrase(event: EvidenceFound) -> str:
    """Return who looked up what, and where it was found: `Ada looks up "the fee": e1 report.pdf p. 7`."""
    found = ", ".join(f"{one_line(each.id)} {one_line(each.source)}" for each in event.found) or "nothing found"
    if event.tool:
        what = f"{one_line(event.arguments)}: {one_line(event.error) or found}"
        return f"{one_line(event.who)} calls {one_line(event.tool)} {what} ({event.seconds:.1f} s)"
    return f'{one_line(event.who)} looks up "{one_line(event.words)}": {found}'
