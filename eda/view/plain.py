"""A debate as plain lines, one a paragraph, each beginning with what it is: for pipes, files and grep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eda.events import (
    BallotCast,
    BidsTaken,
    CallDelayed,
    DecisionFound,
    Event,
    FloorGranted,
    MemberChanged,
    MemoryCorrected,
    MessagePosted,
    ModeratorSpoke,
    PhaseStarted,
    ProposalMade,
    ReactionSeen,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SettingChanged,
    SideMessagePosted,
    StanceTaken,
    SummaryWritten,
    TurnFailed,
    TurnPassed,
    VerdictReached,
)
from eda.view.base import SettingsHeld, Sitting
from eda.view.phrases import (
    bid_phrase,
    correction_phrase,
    decision_phrase,
    delay_phrase,
    ended_phrase,
    member_phrase,
    passed_phrase,
    proposal_phrase,
    reaction_phrase,
    side_phrase,
)
from eda.view.text import clean, listed, messages, one_line
from eda.view.votes import (
    block_lines,
    choice_phrase,
    dissent_phrase,
    figure_phrase,
    is_ranked,
    outcome_phrase,
    rests_on,
    shift_phrase,
    stance_phrase,
    tie_phrase,
    told_by_the_vote,
    vote_phrase,
    votes_phrase,
)

__all__ = ["PlainView", "verdict_lines"]


def _opening_lines(sitting: Sitting) -> list[str]:
    """What is debated, and by whom."""
    lines = [f"session: {one_line(sitting.session)}", f"question: {one_line(sitting.question)}"]
    lines += [f"option: {one_line(option)}" for option in sitting.options]
    lines += [f"context: {one_line(name)}" for name in sitting.documents]
    lines += [f"panel: {sitting.seats}", f"runner: {one_line(sitting.runner)}, seed {sitting.seed}"]
    if sitting.resumed_at is not None:
        lines.append(f"resumed: after m{sitting.resumed_at}")
    return lines


def verdict_lines(verdict: VerdictReached) -> list[str]:
    """The outcome, every choice with its voters, who did not agree and why, and what it rests on."""
    lines = [f"verdict: {outcome_phrase(verdict)} ({votes_phrase(verdict)})"]
    lines += _ranked(verdict) if is_ranked(verdict) else _voters(verdict)
    if verdict.tie:
        lines.append(f"tie: {tie_phrase(verdict)}")
    lines += [f"blocked: {choice}, by {who}" for choice, who in block_lines(verdict)]
    for ballot in verdict.dissent:
        said = dissent_phrase(verdict, ballot)
        lines.append(f"dissent: {one_line(ballot.agent)}, {said}" + _because(one_line(ballot.reason)))
    if verdict.evidence and not is_ranked(verdict):
        lines.append(f"evidence: {messages(verdict.evidence)}")
    return lines


def _ranked(verdict: VerdictReached) -> list[str]:
    return [
        f"ranked: {place}. {choice_phrase(choice)}, {figure_phrase(verdict, choice)}"
        + _because(rests_on(verdict, choice))
        for place, choice in enumerate(verdict.order, 1)
    ]


def _voters(verdict: VerdictReached) -> list[str]:
    lines = []
    for choice, voters in verdict.tally.items():
        moved = shift_phrase(verdict, choice)
        said = f"votes: {len(voters)} for {choice_phrase(choice)}" + (f", {moved}" if moved else "")
        lines.append(said + _because(listed(voters)))
    return lines


class PlainView:
    """Writes a line for each thing that happens."""

    def __init__(self, write: Callable[[str], None], sitting: Sitting) -> None:
        self._write = write
        self._settings = SettingsHeld(sitting.settings)
        for line in _opening_lines(sitting):
            write(line)

    def handle(self, event: Event) -> None:
        """Show one event."""
        if isinstance(event, SessionStarted | SettingChanged):
            for phrase in self._settings.changes(event):
                self._write(f"setting: {phrase}")
        lines = _LINES.get(type(event))
        for line in lines(event) if lines else ():
            self._write(line)


def _message(event: MessagePosted) -> list[str]:
    to = f" to {one_line(event.to)}" if event.to else ""
    paragraphs = [one_line(part) for part in clean(event.talk).split("\n")]
    return [f"m{event.number} {one_line(event.who)}{to}: {part}" for part in paragraphs if part]


def _bids(event: BidsTaken) -> list[str]:
    if event.cut:  # they are told with those that are still to come
        return []
    wanting = sorted((bid for bid in event.bids if bid.wants), key=lambda bid: -bid.urgency)
    passing = [bid.agent for bid in event.bids if not bid.wants]
    parts = [", ".join(map(bid_phrase, wanting)) or "nobody asks for the floor"]
    if wanting and passing:
        parts.append(f"passing: {listed(passing)}")
    return ["bids: " + "; ".join(parts)]


def _failed(event: TurnFailed) -> list[str]:
    if told_by_the_vote(event):
        return []
    return [f"failed: {one_line(event.who) or 'the engine'}, {one_line(event.purpose)}: {one_line(event.error)}"]


def _reaction(event: ReactionSeen) -> list[str]:
    seen = event.reaction
    return [f"reaction: m{seen.message} {reaction_phrase(seen)}"] if seen.to else []


def _phase(event: PhaseStarted) -> list[str]:
    again = f", round {event.round}" if event.round > 1 else ""
    lap = f", lap {event.lap}" if event.lap > 1 else ""
    return [f"phase: {one_line(event.phase)}{again}{lap}{_why(event.why)}"]


def _because(reason: str) -> str:
    return f" ({reason})" if reason else ""


def _why(why: str) -> str:
    return f" ({ended_phrase(why)})" if why and why not in ("done", "lap") else ""


_LINES: dict[type[Event], Callable[[Any], list[str]]] = {
    BallotCast: lambda e: [f"vote: {vote_phrase(e.ballot)}"],
    BidsTaken: _bids,
    CallDelayed: lambda e: [f"waiting: {delay_phrase(e)}"],
    DecisionFound: lambda e: [
        f"decision: {one_line(e.decision.id)} {e.decision.status}: {decision_phrase(e.decision)}"
    ],
    FloorGranted: lambda e: [f"floor: {one_line(e.agent)}, {one_line(e.reason)}"],
    MemberChanged: lambda e: [f"table: {member_phrase(e)}"],
    MemoryCorrected: lambda e: [f"correction: {correction_phrase(e)}"],
    MessagePosted: _message,
    ModeratorSpoke: lambda e: [f"moderator: {one_line(e.text)}"],
    PhaseStarted: _phase,
    ProposalMade: lambda e: [f"proposal: {one_line(e.proposal.id)} {proposal_phrase(e.proposal)}"],
    ReactionSeen: _reaction,
    SessionPaused: lambda e: [f"paused: {one_line(e.reason)}"],
    SessionResumed: lambda _: ["the debate goes on"],
    SessionEnded: lambda e: [f"ended: {ended_phrase(e.reason)}"],
    StanceTaken: lambda e: [f"poll: {stance_phrase(e)}"],
    SideMessagePosted: lambda e: [f"{side_phrase(e)}: {one_line(e.text)}"],
    SummaryWritten: lambda e: [f"summary: m{e.first} to m{e.last}: {one_line(e.text)}"],
    TurnFailed: _failed,
    TurnPassed: lambda e: [f"passed: {passed_phrase(e)}"],
    VerdictReached: verdict_lines,
}
"""What is written for an event; nothing for any other."""
