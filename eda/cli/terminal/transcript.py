"""Prints a stored session: members, transcript, decisions, proposals, positions, open questions, verdict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from eda.cli.terminal.entries import STANCE_MARKS, Context, Entry, corrected_by, decision_phrase, reaction_reason
from eda.cli.terminal.printers import Page
from eda.cli.terminal.style import INDENT, Colours
from eda.cli.terminal.verdict import outcome_phrase, verdict_lines, verdict_parts, votes_phrase
from eda.debate.state import DebateState
from eda.events import (
    AnnouncedEvent,
    BidsTaken,
    Event,
    FloorGranted,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SideMessagePosted,
    VerdictReached,
)
from eda.events.records import Decision, Proposal
from eda.panels.persona import Persona
from eda.report.effect import helped, helped_lines, took
from eda.report.formatting import count, listed, messages, money, one_line, span, tokens
from eda.report.phrases import ended_phrase

if TYPE_CHECKING:
    from eda.memory import ConversationMemory

__all__ = ["print_minutes", "print_side"]

_ONLY_LIVE = (BidsTaken, FloorGranted, SessionPaused, SessionResumed, SessionEnded, VerdictReached, AnnouncedEvent)
"""Events shown while a debate runs; the printed session leaves them out, or has them in sections of their own."""
_STATE_STYLES = {
    "accepted": "green",
    "rejected": "red",
    "modified": "yellow",
    "withdrawn": "dim",
    "active": "bold",
    "struck": "dim",
}


def print_minutes(
    console: Console,
    started: SessionStarted,
    progress: DebateState,
    memory: ConversationMemory,
    events: Iterable[Event],
    *,
    running: bool = False,
) -> None:
    """Print a whole session, in a pipe a line a paragraph. `running`: another process is working on it."""
    page = Page(console, Colours(member.title for member in started.members))
    _front(page, started, progress, running=running)
    _aside(page, memory, progress)
    comments = _events(page, started, events)
    if memory.decisions:
        page.heading("Decisions")
        for decision in memory.decisions:
            _decision(page, decision)
    if memory.proposals:
        page.heading("Proposals")
        for proposal in memory.proposals:
            _proposal(page, proposal)
    if comments:
        page.heading("Comments, unasked")
        for comment in comments:
            page.entry(comment)
    _people(page, memory)
    _open(page, memory, progress)
    if progress.verdict is not None:
        page.heading("Verdict")
        _verdict(page, progress.verdict)
        helps = helped(progress, memory)
        page.line(Text())
        for line in helped_lines(helps) if helps else ():
            page.item(Text(line, style="dim"))


def print_side(console: Console, started: SessionStarted, events: Iterable[Event]) -> None:
    """Print what was said aside from the panel: questions to single members, and unasked comments."""
    page, context = Page(console, Colours(member.title for member in started.members)), Context(started.settings)
    for event in events:
        if isinstance(event, SideMessagePosted):
            for entry in context.entries(event):
                page.entry(entry)


def _events(page: Page, started: SessionStarted, events: Iterable[Event]) -> list[Entry]:
    """Print what the panel did; return the comments made beside it."""
    context, comments = Context(started.settings), list[Entry]()
    page.heading("Transcript")
    for event in events:
        if isinstance(event, SideMessagePosted):
            comments += context.entries(event) if event.auto else []
        elif not isinstance(event, _ONLY_LIVE):
            for entry in context.entries(event):
                page.entry(entry)
    return comments


def _verdict(page: Page, verdict: VerdictReached) -> None:
    """Print the verdict, with bars on a terminal."""
    if page.wraps:
        for part in verdict_parts(verdict, page.seats, page.console.width - INDENT):
            page.item(part)
    else:
        for line in verdict_lines(verdict):
            page.item(Text(line))


def _front(page: Page, started: SessionStarted, progress: DebateState, *, running: bool) -> None:
    title = one_line(started.question) or f"Transcript {one_line(started.session)}"
    page.line(Text(title, style="bold"))
    spent = progress.spent
    ended = progress.ended or progress.paused
    state = ("running" if running else progress.state) + (f" ({ended_phrase(ended)})" if ended else "")
    day = f"{progress.first_at:%Y-%m-%d %H:%M} UTC" if progress.first_at else "not begun"
    facts = [one_line(started.session), state, count(progress.messages, "message"), day]
    if started.kind == "debate":
        facts += [took(spent, progress.by_purpose.get("baseline")), span(spent.seconds)]
        facts += [one_line(started.runner), f"seed {started.seed}"]
    page.line(Text(" · ".join(facts), style="dim"))
    if progress.verdict is not None:
        verdict = progress.verdict
        page.fact("verdict", Text.assemble((outcome_phrase(verdict), "bold"), f" ({votes_phrase(verdict)})"))
    for option in started.options:
        page.fact("option", Text(one_line(option)))
    if started.documents:
        page.fact("read", Text(listed(document.name for document in started.documents)))
    if started.panel:
        page.fact("panel", Text(one_line(started.panel)))
    for seat, member in enumerate(started.members):
        who = _who(started, progress, member, seat)
        page.fact("sat", Text.assemble(page.seats.name(member.title), who))


def _who(started: SessionStarted, progress: DebateState, member: Persona, seat: int) -> str:
    """Return a member's role and side; for anonymous members also the name, and all but the side only at the end."""
    argued = started.agenda.side(progress.seats.get(member.title, seat))
    side = f", argued {one_line(argued)}" if argued else ""
    if not started.agenda.anonymous:
        return f", {one_line(member.role)}{side}"
    return f", who was {one_line(member.name)}, {one_line(member.role)}{side}" if progress.ended is not None else side


def _aside(page: Page, memory: ConversationMemory, progress: DebateState) -> None:
    if memory.side_talk.last:
        spent = progress.aside
        took = f", {tokens(spent.tokens)}, {money(spent.cost, spent.unpriced_calls)}" if spent.calls else ""
        side = f"{count(memory.side_talk.last, 'side message')}{took}; --side prints them"
        page.fact("beside", Text(side))


_DENIED = " (denied by the minutes)"


def _decision(page: Page, decision: Decision) -> None:
    state = "" if decision.status == "decided" else f" ({decision.status})"
    state = _DENIED if decision.minuted == "denied" else state
    what = Text.assemble((f"{decision.id}{state}  ", "dim"), (decision_phrase(decision), "bold"))
    page.mark(Text("✓", style="green"), what)
    about = [messages(decision.messages)]
    if decision.supporters:
        about.append(f"supported by {listed(decision.supporters)}")
    if decision.superseded_by:
        about.append(f"superseded by {decision.superseded_by}")
    page.item(Text("; ".join(about), style="dim"), INDENT + 2)


def _proposal(page: Page, proposal: Proposal) -> None:
    style = _STATE_STYLES[proposal.status]
    denied = _DENIED if proposal.minuted == "denied" else ""
    status = (proposal.status + denied, style)
    what = Text.assemble((f"{proposal.id}  ", "dim"), status, "  ", one_line(proposal.content))
    what.append(corrected_by(proposal.corrected, proposal.status))
    page.mark(Text("⚑", style="yellow"), what)
    whence = f"by {one_line(proposal.proposer)} in m{proposal.message}"
    whence += f", amends {proposal.amends}" if proposal.amends else ""
    whence += f", amended by {proposal.amended_by}" if proposal.amended_by else ""
    page.item(Text(whence, style="dim"), INDENT + 2)
    for change in proposal.changes:
        why = f": {one_line(change.why)}" if change.why else ""
        at = "after" if change.status == "struck" else "by"
        page.item(Text(f"{change.status} {at} {messages(change.messages)}{why}", style="dim"), INDENT + 2)
    for stance, word in (("support", "for"), ("oppose", "against"), ("neutral", "neutral")):
        for reaction in proposal.reactions:
            if reaction.reaction == stance:
                reason = reaction_reason(reaction)
                who = page.seats.name(reaction.agent, bold=False)
                at = f" m{reaction.message}" + (f"  {reason}" if reason else "")
                text = Text.assemble((f"{word} ", "dim"), who, (at, "dim"))
                page.mark(Text(STANCE_MARKS[stance], style="dim"), text, INDENT + 2)


def _people(page: Page, memory: ConversationMemory) -> None:
    positions = [(name, state) for name, state in memory.agents.items() if state.last_position]
    if positions:
        page.heading("Positions")
        for name, state in positions:
            at = f" m{state.positions[-1].message}" if state.positions else ""
            page.item(Text.assemble(page.seats.name(name), (f"{at}  ", "dim"), one_line(state.last_position)))
        agreed = memory.consensus()
        if agreed:
            consensus = f"since m{agreed.since} all who took a stance agree on: {one_line(agreed.on)}"
            page.item(Text(consensus, style="dim"))
    if memory.notes:
        page.heading("Notes")
        for note in memory.notes:
            text = one_line(note.text) + corrected_by(note.corrected)
            page.item(Text.assemble((f"{note.id} m{note.message} {one_line(note.who)}  ", "dim"), text))


def _open(page: Page, memory: ConversationMemory, progress: DebateState) -> None:
    proposals = [f"{proposal.id}: {one_line(proposal.content)}" for proposal in memory.active]
    unconfirmed = (d for d in memory.decisions if d.status == "claimed" and d.minuted != "denied")
    claimed = [f"{d.id}: claimed, not confirmed: {decision_phrase(d)}" for d in unconfirmed]
    questions = [f"asked by {one_line(q.who)} in m{q.message}: {one_line(q.text)}" for q in memory.questions]
    undecided = progress.state == "ended" and (progress.verdict is None or progress.verdict.outcome is None)
    lines = [*proposals, *claimed, *questions, *(["the question itself"] if undecided else [])]
    if not lines:
        return
    page.heading("What is open")
    for line in lines:
        page.item(Text(line))
