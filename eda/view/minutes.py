"""A session as minutes: who sat, what was said, what was proposed, who stood where, what came of it, what is open."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console, RenderableType
from rich.text import Text

from eda.effect import helped
from eda.events import (
    BallotCast,
    Event,
    MemberChanged,
    MemoryCorrected,
    MessagePosted,
    ModeratorSpoke,
    PhaseStarted,
    SessionStarted,
    SettingChanged,
    SideMessagePosted,
    StanceTaken,
    SummaryWritten,
    TurnFailed,
    TurnPassed,
    VerdictReached,
)
from eda.personas import Persona
from eda.progress import Progress
from eda.records import Decision, Proposal
from eda.view.base import SettingsHeld
from eda.view.helped import helped_lines, took
from eda.view.phrases import (
    STANCE_MARKS,
    corrected_by,
    correction_phrase,
    decision_phrase,
    ended_phrase,
    failed_phrase,
    member_phrase,
    passed_phrase,
    phase_phrases,
    reaction_reason,
    side_phrase,
)
from eda.view.plain import verdict_lines
from eda.view.style import Colours, hanging, line, marked, prose, under, verdict_parts
from eda.view.text import count, listed, messages, money, one_line, span, tokens
from eda.view.votes import outcome_phrase, stance_phrase, told_by_the_vote, vote_phrase, votes_phrase

if TYPE_CHECKING:
    from eda.memory import ConversationMemory

__all__ = ["print_minutes", "print_side"]

_INDENT = 5
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
    progress: Progress,
    memory: ConversationMemory,
    events: Iterable[Event],
    *,
    running: bool = False,
) -> None:
    """Print the whole of a session; in a pipe, a line a paragraph. `running`: whether another process is at it."""
    page = _Page(console, Colours(member.title for member in started.members))
    _front(page, started, progress, running=running)
    _aside(page, memory, progress)
    comments = _transcript(page, SettingsHeld(started.settings), events)
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
            _side(page, comment)
    _people(page, memory)
    _open(page, memory, progress)
    if progress.verdict is not None:
        page.heading("Verdict")
        page.verdict(progress.verdict)
        helps = helped(progress, memory)
        page.line(Text())
        for said in helped_lines(helps) if helps else ():
            page.item(Text(said, style="dim"))


def print_side(console: Console, started: SessionStarted, events: Iterable[Event]) -> None:
    """Print what was said beside the panel: talks with single members, and comments that nobody asked for."""
    page = _Page(console, Colours(member.title for member in started.members))
    for event in events:
        if isinstance(event, SideMessagePosted):
            _side(page, event)


class _Page:
    """Where minutes are printed: wrapped on a terminal, a line a paragraph elsewhere."""

    def __init__(self, console: Console, seats: Colours) -> None:
        self.seats = seats
        self.width = console.width
        self._console = console
        self._wraps = console.is_terminal

    def heading(self, title: str) -> None:
        """A section begins."""
        self.line(Text())
        self.line(Text(title, style="bold underline" if self._wraps else ""))

    def line(self, text: Text) -> None:
        """At the margin."""
        line(self._console, text)

    def item(self, part: RenderableType, indent: int = _INDENT) -> None:
        """Indented."""
        if not isinstance(part, Text):
            self._console.print(hanging(part, indent, self.width))
        elif part:
            under(self._console, part, indent)
        else:
            self.line(part)

    def mark(self, mark: Text, text: Text, indent: int = _INDENT) -> None:
        """A mark, and text that wraps beside it."""
        if self._wraps:
            self.item(marked(mark, text), indent)
        else:
            self.item(Text.assemble(mark, " ", text), indent)

    def fact(self, name: str, text: Text) -> None:
        """Under its name, at the margin."""
        self.mark(Text(f"{name:<7}", "dim"), text, 0)

    def verdict(self, verdict: VerdictReached) -> None:
        """The verdict, with bars on a terminal."""
        if self._wraps:
            for part in verdict_parts(verdict, self.seats, self.width - _INDENT):
                self.item(part)
        else:
            for said in verdict_lines(verdict):
                self.item(Text(said))


def _front(page: _Page, started: SessionStarted, progress: Progress, *, running: bool) -> None:
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


def _who(started: SessionStarted, progress: Progress, member: Persona, seat: int) -> str:
    """Its role and side; of one that is anonymous its name, too, but nothing before the end."""
    argued = started.agenda.side(progress.seats.get(member.title, seat))
    side = f", argued {one_line(argued)}" if argued else ""
    if not started.agenda.anonymous:
        return f", {one_line(member.role)}{side}"
    return f", who was {one_line(member.name)}, {one_line(member.role)}{side}" if progress.ended is not None else side


def _aside(page: _Page, memory: ConversationMemory, progress: Progress) -> None:
    if memory.side.last:
        spent = progress.aside
        took = f", {tokens(spent.tokens)}, {money(spent.cost, spent.unpriced_calls)}" if spent.calls else ""
        said = f"{count(memory.side.last, 'side message')}{took}; --side prints them"
        page.fact("beside", Text(said))


def _side(page: _Page, said: SideMessagePosted) -> None:
    page.line(Text())
    page.line(Text.assemble((f"{f's{said.number}':>4} ", "dim"), (f"{side_phrase(said)}, after m{said.after}", "dim")))
    page.item(prose(said.text))


def _transcript(  # noqa: C901, PLR0912 - a case each
    page: _Page, settings: SettingsHeld, events: Iterable[Event]
) -> list[SideMessagePosted]:
    """Prints what the panel did; gives the comments that were made beside it."""
    comments: list[SideMessagePosted] = []
    page.heading("Transcript")
    for event in events:
        match event:
            case MessagePosted():
                number = one_line(event.ref or "") or f"m{event.number}"
                to = f"  to {one_line(event.to)}" if event.to else ""
                page.line(Text())
                page.line(Text.assemble((f"{number:>4} ", "dim"), page.seats.name(event.who), (to, "dim")))
                page.item(prose(event.talk))
            case PhaseStarted():
                page.line(Text())
                page.line(Text(f"— {' · '.join((one_line(event.phase), *phase_phrases(event)))}", style="dim"))
            case ModeratorSpoke():
                page.item(Text.assemble(("moderator  ", "dim"), prose(event.text, "italic")))
            case SummaryWritten():
                page.item(Text(f"≡ m{event.first} to m{event.last} summed up, {one_line(event.by)}", style="dim"))
            case StanceTaken():
                page.item(Text.assemble(("poll  ", "dim"), stance_phrase(event)))
            case BallotCast(ballot=ballot):
                page.item(Text(vote_phrase(ballot)))
            case TurnFailed() if not told_by_the_vote(event):
                page.item(Text(f"✗ {failed_phrase(event)}", style="red"))
            case MemberChanged():
                page.item(Text(f"· {member_phrase(event)}", style="dim"))
            case SettingChanged():
                for phrase in settings.changes(event):
                    page.item(Text(f"· {phrase}", style="dim"))
            case MemoryCorrected():
                page.item(Text(f"✎ {correction_phrase(event)}", style="dim"))
            case TurnPassed():
                page.item(Text(f"– {passed_phrase(event)}", style="dim"))
            case SideMessagePosted(auto=True):
                comments.append(event)
            case _:
                pass
    return comments


_DENIED = " (denied by the minutes)"


def _decision(page: _Page, decision: Decision) -> None:
    state = "" if decision.status == "decided" else f" ({decision.status})"
    state = _DENIED if decision.minuted == "denied" else state
    what = Text.assemble((f"{decision.id}{state}  ", "dim"), (decision_phrase(decision), "bold"))
    page.mark(Text("✓", style="green"), what)
    about = [messages(decision.messages)]
    if decision.supporters:
        about.append(f"supported by {listed(decision.supporters)}")
    if decision.superseded_by:
        about.append(f"superseded by {decision.superseded_by}")
    page.item(Text("; ".join(about), style="dim"), _INDENT + 2)


def _proposal(page: _Page, proposal: Proposal) -> None:
    style = _STATE_STYLES[proposal.status]
    denied = _DENIED if proposal.minuted == "denied" else ""
    status = (proposal.status + denied, style)
    what = Text.assemble((f"{proposal.id}  ", "dim"), status, "  ", one_line(proposal.content))
    what.append(corrected_by(proposal.corrected, proposal.status))
    page.mark(Text("⚑", style="yellow"), what)
    whence = f"by {one_line(proposal.proposer)} in m{proposal.message}"
    whence += f", amends {proposal.amends}" if proposal.amends else ""
    whence += f", amended by {proposal.amended_by}" if proposal.amended_by else ""
    page.item(Text(whence, style="dim"), _INDENT + 2)
    for change in proposal.changes:
        why = f": {one_line(change.why)}" if change.why else ""
        at = "after" if change.status == "struck" else "by"
        page.item(Text(f"{change.status} {at} {messages(change.messages)}{why}", style="dim"), _INDENT + 2)
    for stance, word in (("support", "for"), ("oppose", "against"), ("neutral", "neutral")):
        for reaction in proposal.reactions:
            if reaction.reaction == stance:
                reason = reaction_reason(reaction)
                who = page.seats.name(reaction.agent, bold=False)
                at = f" m{reaction.message}" + (f"  {reason}" if reason else "")
                said = Text.assemble((f"{word} ", "dim"), who, (at, "dim"))
                page.mark(Text(STANCE_MARKS[stance], style="dim"), said, _INDENT + 2)


def _people(page: _Page, memory: ConversationMemory) -> None:
    positions = [(name, state) for name, state in memory.agents.items() if state.last_position]
    if positions:
        page.heading("Positions")
        for name, state in positions:
            at = f" m{state.positions[-1].message}" if state.positions else ""
            page.item(Text.assemble(page.seats.name(name), (f"{at}  ", "dim"), one_line(state.last_position)))
        agreed = memory.consensus()
        if agreed:
            held = f"all who took a stance hold since m{agreed.since}: {one_line(agreed.on)}"
            page.item(Text(held, style="dim"))
    if memory.notes:
        page.heading("Notes")
        for note in memory.notes:
            said = one_line(note.text) + corrected_by(note.corrected)
            page.item(Text.assemble((f"{note.id} m{note.message} {one_line(note.who)}  ", "dim"), said))


def _open(page: _Page, memory: ConversationMemory, progress: Progress) -> None:
    still = [f"{proposal.id}: {one_line(proposal.content)}" for proposal in memory.active]
    unconfirmed = (d for d in memory.decisions if d.status == "claimed" and d.minuted != "denied")
    claimed = [f"{d.id}: claimed, not confirmed: {decision_phrase(d)}" for d in unconfirmed]
    asked = [f"asked by {one_line(q.who)} in m{q.message}: {one_line(q.text)}" for q in memory.questions]
    undecided = progress.state == "ended" and (progress.verdict is None or progress.verdict.outcome is None)
    lines = [*still, *claimed, *asked, *(["the question itself"] if undecided else [])]
    if not lines:
        return
    page.heading("What is open")
    for said in lines:
        page.item(Text(said))
