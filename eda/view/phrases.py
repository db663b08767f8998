"""How an item of memory is said in a line. The same words on a screen, in a pipe and in the minutes."""

from __future__ import annotations

from eda.events import (
    Bid,
    CallDelayed,
    MemberChanged,
    MemoryCorrected,
    PhaseStarted,
    SideMessagePosted,
    TurnFailed,
    TurnPassed,
)
from eda.records import Decision, Proposal, Reaction
from eda.settings import Settings
from eda.view.text import one_line

__all__ = [
    "STANCES",
    "STANCE_MARKS",
    "bid_phrase",
    "corrected_by",
    "correction_phrase",
    "decision_phrase",
    "delay_phrase",
    "ended_phrase",
    "failed_phrase",
    "member_phrase",
    "passed_phrase",
    "phase_phrases",
    "proposal_phrase",
    "reaction_phrase",
    "reaction_reason",
    "setting_phrases",
    "side_phrase",
]

STANCE_MARKS = {"support": "+", "oppose": "−", "neutral": "·"}
"""Shown before a reaction."""

STANCES = {"support": "supports", "oppose": "opposes", "neutral": "is neutral on"}
"""What an agent does, for each stance."""
_ENGINE = "the engine"
"""Who was asked where no member was."""
_ENDINGS = {
    "messages": "the message limit was reached",
    "silence": "nobody asked for the floor any more",
    "circle": "the debate went in circles",
    "consensus": "the panel agrees",
    "errors": "too many turns failed",
    "person": "a person ended the talk",
    "time": "the time is up",
    "tokens": "the token budget is used up",
    "money": "the money budget is used up",
    "done": "the agenda is done",
    "verdict": "a verdict was reached",
    "lap": "once more",
}


def proposal_phrase(proposal: Proposal) -> str:
    """`Ada amends p3.0: ...`; of one whose state has changed, `accepted: ...`."""
    if proposal.minuted == "denied":
        return f"denied by the minutes: {one_line(proposal.content)}"
    said = one_line(proposal.content) + corrected_by(proposal.corrected, proposal.status)
    if proposal.status != "active":
        return f"{proposal.status}: {said}"
    verb = f"amends {one_line(proposal.amends)}" if proposal.amends else "proposes"
    return f"{one_line(proposal.proposer)} {verb}: {said}"


def decision_phrase(decision: Decision) -> str:
    """The outcome, and the topic where it says more."""
    outcome, topic = one_line(decision.outcome), one_line(decision.topic)
    said = f"{topic}: {outcome}" if topic and topic.casefold() not in outcome.casefold() else outcome
    return said + corrected_by(decision.corrected, decision.status)


def corrected_by(who: str, status: str = "") -> str:
    """` (corrected by Ada)`, or struck, as the status says; empty where nobody did."""
    return f" ({'struck' if status == 'struck' else 'corrected'} by {one_line(who)})" if who else ""


def correction_phrase(event: MemoryCorrected) -> str:
    """What a person struck or reworded."""
    what, text = ("corrected", event.text) if event.text else ("struck", event.was)
    return f"{event.item} {what} by {one_line(event.by)}: {one_line(text)}"


def member_phrase(event: MemberChanged) -> str:
    """Who came, went, or may not speak for now."""
    who, persona = one_line(event.who), event.persona
    if persona is not None and persona.person and event.change == "added":
        return f"{who} takes a seat"
    said = {
        "muted": f"{who} has left the table" if event.by == event.who else f"{who} is muted",
        "unmuted": f"{who} is back at the table" if event.by == event.who else f"{who} may speak again",
        "added": f"{who} joins the panel",
        "replaced": f"{one_line(persona.title if persona else '')} takes the seat of {who}",
        "removed": f"{who} leaves the panel",
    }[event.change]
    return said + (f" (by {one_line(event.by)})" if event.by not in ("", event.who) else "")


def setting_phrases(before: Settings, now: Settings) -> list[str]:
    """`max_messages: 14, now 20`, for each setting that has changed."""
    were, are = before.model_dump(), now.model_dump()
    return [
        f"{key}: {_setting(were.get(key))}, now {_setting(are.get(key))}"
        for key in Settings.model_fields
        if were.get(key) != are.get(key)
    ]


def _setting(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None or value == "" else one_line(str(value))


def delay_phrase(delay: CallDelayed) -> str:
    """`again in 8 s: Overloaded (529) (Ada, speak, attempt 1)`; where another model is asked at once, which and why."""
    when = f"again in {delay.seconds:.0f} s: " if delay.seconds else ""
    asked = f"{one_line(delay.agent) or _ENGINE}, {one_line(delay.purpose)}, attempt {delay.attempt}"
    return f"{when}{one_line(delay.reason)} ({asked})"


def reaction_reason(reaction: Reaction) -> str:
    """The words that the reaction rests on; empty where memory kept none."""
    return one_line(reaction.quote.text) if reaction.quote else ""


def reaction_phrase(reaction: Reaction) -> str:
    """`Ben opposes p3.0: ...`."""
    reason = reaction_reason(reaction)
    says = f"{one_line(reaction.agent)} {STANCES[reaction.reaction]} {one_line(reaction.to or '')}"
    return says + (f": {reason}" if reason else "")


def phase_phrases(event: PhaseStarted) -> list[str]:
    """What is said beside a phase's name: `round 2`, `lap 3`, and what ended the one before, where that tells."""
    again = [f"round {event.round}"] if event.round > 1 else []
    again += [f"lap {event.lap}"] if event.lap > 1 else []
    return again if event.why in ("", "done", "lap") else [*again, ended_phrase(event.why)]


def side_phrase(said: SideMessagePosted) -> str:
    """Who speaks beside the panel, and in what way: `aside: Ada to you`, `comment, unasked: Ada on p3.0`."""
    if not said.auto:
        return f"aside: {one_line(said.who)} to {one_line(said.to)}"
    return f"comment, unasked: {one_line(said.who)} on {'the verdict' if said.on == 'verdict' else one_line(said.on)}"


def bid_phrase(bid: Bid) -> str:
    """`Ada 0.80 (reason)`."""
    reason = one_line(bid.reason)
    return f"{one_line(bid.agent)} {bid.urgency:.2f}" + (f" ({reason})" if reason else "")


def passed_phrase(passed: TurnPassed) -> str:
    """Whose turn was passed, and why."""
    if not passed.repeats:
        why = "" if passed.why == "passed" else f": {one_line(passed.why)}"
        return f"{one_line(passed.who)} passes{why}"
    return f"{one_line(passed.who)} said again what m{passed.repeats} says; the turn is passed"


def failed_phrase(failed: TurnFailed) -> str:
    """`Ada (speak): overloaded`."""
    return f"{one_line(failed.who) or _ENGINE} ({one_line(failed.purpose)}): {one_line(failed.error)}"


def ended_phrase(reason: str) -> str:
    """Why it is over, in words."""
    return _ENDINGS.get(reason, one_line(reason))
