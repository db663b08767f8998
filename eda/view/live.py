"""A debate on a terminal, as it happens: what is said scrolls by, who holds the floor and what it costs stays below."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

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
    SessionStarted,
    SettingChanged,
    SideMessagePosted,
    StanceTaken,
    SummaryWritten,
    TextStreamed,
    TurnFailed,
    TurnPassed,
    VerdictReached,
)
from eda.progress import Progress
from eda.view.base import SettingsHeld, Sitting
from eda.view.bottom import INDENT, Bottom
from eda.view.phrases import (
    STANCE_MARKS,
    STANCES,
    correction_phrase,
    decision_phrase,
    ended_phrase,
    failed_phrase,
    member_phrase,
    passed_phrase,
    phase_phrases,
    reaction_reason,
)
from eda.view.style import MEASURE, Colours, hanging, marked, prose, side_part, told, verdict_parts
from eda.view.text import listed, one_line, shorten
from eda.view.votes import ballot_phrase, stance_phrase, told_by_the_vote

__all__ = ["LiveView"]

_REASONS = 3
"""Unlucky bidders whose reasons are shown."""


class LiveView:
    """Shows a running debate; use it as a context."""

    def __init__(
        self,
        console: Console,
        sitting: Sitting,
        progress: Progress,
        below: Callable[[int], Text | None] = lambda _: None,
    ) -> None:
        """Show on `console`; `below` gives, for a width in columns, what stands last: a line that is being typed."""
        self._console = console
        self._sitting = sitting
        self._progress = progress
        self._settings = SettingsHeld(sitting.settings)
        self._seats = Colours(member.title for member in sitting.members)
        self._roles = {member.title: sitting.role(member) for member in sitting.members}
        self._longest = max((Text(title).cell_len for title in self._roles), default=0)
        self._bids: BidsTaken | None = None
        self._held: VerdictReached | None = None
        self._why = self._usual = ""
        """Why the floor was granted, where no bids say it, and why the turn before: what goes on is said once."""
        self.bottom = Bottom(self._seats, progress, below)
        self._live = Live(self.bottom, console=console, refresh_per_second=10, transient=True)
        self._shows: dict[type[Event], Callable[[Any], None]] = {
            BallotCast: self._ballot,
            BidsTaken: self._take_bids,
            CallDelayed: self.bottom.wait,
            DecisionFound: self._decision,
            FloorGranted: self._grant,
            MemberChanged: lambda event: self._dim(f"· {member_phrase(event)}"),
            MemoryCorrected: lambda event: self._dim(f"✎ {correction_phrase(event)}"),
            MessagePosted: self._message,
            ModeratorSpoke: self._moderator,
            PhaseStarted: self._phase,
            ProposalMade: self._proposal,
            ReactionSeen: self._reaction,
            SessionEnded: self._ended,
            SessionPaused: lambda event: self._dim(f"paused: {one_line(event.reason)}"),
            SessionStarted: self._set,
            SettingChanged: self._set,
            SideMessagePosted: self._side,
            StanceTaken: lambda event: self._dim(f"? {stance_phrase(event)}"),
            SummaryWritten: lambda e: self._dim(f"≡ m{e.first} to m{e.last} summed up, {one_line(e.by)}"),
            TextStreamed: self.bottom.stream,
            TurnFailed: self._failed,
            TurnPassed: self._passed,
            VerdictReached: self._hold,
        }

    def __enter__(self) -> Self:
        self._print(Text(), 0)
        self._console.print(self._header())
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._verdict()
        self._live.stop()

    def handle(self, event: Event) -> None:
        """Show one event; kinds without a place on the screen pass by."""
        show = self._shows.get(type(event))
        if show is not None:
            show(event)

    def show(self, text: str) -> None:
        """Print a line for whoever sits at the terminal, above what stays at the bottom."""
        self._print(told(text), INDENT)

    def refresh(self) -> None:
        """What stays at the bottom has changed."""
        self._live.refresh()

    def _header(self) -> Panel:
        about = self._sitting
        parts: list[RenderableType] = [Text(one_line(about.question), style="bold")]
        parts += [Padding(marked(Text("◦", "dim"), Text(one_line(option))), (0, 0, 0, 2)) for option in about.options]
        seats = Table.grid(padding=(0, 1))
        for member in about.members:
            dot = Text("●", style=self._seats.colour(member.title))
            seats.add_row(dot, self._seats.name(member.title), Text(f" {about.role(member)}", style="dim"))
        parts += [Text(), seats]
        if about.documents:
            parts += [Text(), Text(f"has read {listed(about.documents)}", style="dim")]
        title = "a panel debates" if about.resumed_at is None else f"the panel goes on after m{about.resumed_at}"
        return Panel(
            Group(*parts),
            title=Text(title, style="dim"),
            title_align="left",
            subtitle=Text(f"{one_line(about.runner)} · seed {about.seed} · {one_line(about.session)}", style="dim"),
            subtitle_align="right",
            border_style="bright_black",
            padding=(1, 2),
            width=min(self._console.width, MEASURE + INDENT),
        )

    def _phase(self, event: PhaseStarted) -> None:
        self.bottom.clear()
        beside = "".join(f" · {phrase}" for phrase in phase_phrases(event))
        title = Text.assemble((one_line(event.phase), "bold"), (beside, "dim"))
        self._print(Text(), 0)
        width = min(self._console.width, MEASURE + INDENT)
        self._console.print(Rule(title, align="left", style="bright_black"), width=width)

    def _message(self, event: MessagePosted) -> None:
        self.bottom.clear(event.who)
        number = Text(f"{f'm{event.number}':>{INDENT - 1}}", style="dim")
        aside = [self._roles.get(event.who, "")]
        if event.to:
            aside.append(f"to {one_line(event.to)}")
        if event.reply_to:
            aside.append(f"on m{event.reply_to}")
        aside.append(self._why)
        self._why = ""
        said = Text(f"  {' · '.join(part for part in aside if part)}", style="dim")
        self._print(Text(), 0)
        head = marked(number, Text.assemble(self._seats.name(event.who), said))
        self._console.print(head, width=min(self._console.width, MEASURE + INDENT))
        self._print(prose(event.talk), INDENT)

    def _take_bids(self, event: BidsTaken) -> None:
        if any(bid.wants for bid in event.bids):
            self._bids = None if event.cut else event
        elif not event.cut:
            self._dim("nobody asks for the floor")

    def _grant(self, event: FloorGranted) -> None:
        bids, self._bids = self._bids, None
        if bids is None:
            # Nobody was asked; the reason is the order of the house, and stands beside the name.
            at = self._progress.at
            why = one_line(event.reason) if at and at.kind == "open" else ""
            self._why, self._usual = "" if why == self._usual else why, why
            return
        self._why = ""
        self._print(Text(), 0)
        self._mark(Text("→", "dim"), Text(f"{one_line(event.agent)} has the floor · {one_line(event.reason)}", "dim"))
        rest = sorted((b for b in bids.bids if b.wants and b.agent != event.agent), key=lambda b: -b.urgency)
        for bid in rest[:_REASONS]:
            self._aside(f"{one_line(bid.agent)} asks too, {bid.urgency:.2f} · {one_line(bid.reason)}")
        others = [f"{one_line(bid.agent)} {bid.urgency:.2f}" for bid in rest[_REASONS:]]
        passing = [one_line(bid.agent) for bid in bids.bids if not bid.wants]
        if passing:
            others.append(f"passing: {', '.join(passing)}")
        if others:
            self._aside(" · ".join(others))

    def _proposal(self, event: ProposalMade) -> None:
        found = event.proposal
        if found.status != "active":
            self._mark(Text("⚑", "yellow"), Text(f"{one_line(found.id)} is {found.status}", style="dim"))
            return
        verb = f" amends {one_line(found.amends)}: " if found.amends else " proposes: "
        who = self._seats.name(found.proposer, bold=False)
        said = Text.assemble(f"{one_line(found.id)} ", who, (verb, "dim"), one_line(found.content))
        self._mark(Text("⚑", "yellow"), said)

    def _decision(self, event: DecisionFound) -> None:
        found = event.decision
        if found.source == "procedure":
            return  # the verdict says it
        state = f" ({found.status})" if found.status != "decided" else ""
        self._mark(Text("✓", "green"), Text(f"{one_line(found.id)} {decision_phrase(found)}").append(state, "dim"))

    def _reaction(self, event: ReactionSeen) -> None:
        seen = event.reaction
        if seen.to is None:
            return
        says = Text(f" {STANCES[seen.reaction]} ", style="dim")
        reason = reaction_reason(seen)
        why = Text(f": {reason}" if reason else "", style="dim")
        who = self._seats.name(seen.agent, bold=False)
        self._mark(Text(STANCE_MARKS[seen.reaction], "dim"), Text.assemble(who, says, one_line(seen.to), why))

    def _moderator(self, event: ModeratorSpoke) -> None:
        self._print(Text.assemble(("moderator", "italic"), "  ", prose(event.text, "italic")), INDENT)

    def _side(self, event: SideMessagePosted) -> None:
        if event.on == "verdict":
            self._verdict()
        self._print(side_part(event), INDENT)

    def _failed(self, event: TurnFailed) -> None:
        self.bottom.clear(event.who)
        if told_by_the_vote(event):
            return
        self._print(Text(f"✗ {failed_phrase(event)}", "red"), INDENT)

    def _passed(self, event: TurnPassed) -> None:
        self.bottom.clear(event.who)
        self._dim(f"– {passed_phrase(event)}")

    def _set(self, event: SessionStarted | SettingChanged) -> None:
        for phrase in self._settings.changes(event):
            self._dim(f"· {phrase}")

    def _ended(self, event: SessionEnded) -> None:
        self._dim(f"ended: {ended_phrase(event.reason)}")
        self._verdict()

    def _hold(self, event: VerdictReached) -> None:
        """What the verdict changes in memory is shown first, so that the verdict stands last."""
        self._held = event

    def _ballot(self, event: BallotCast) -> None:
        ballot = event.ballot
        said = Text(ballot_phrase(ballot), style="bold" if ballot.choice is not None else "dim")
        reason = Text(f" · {one_line(ballot.reason)}" if ballot.reason else "", style="dim")
        name = self._seats.name(ballot.agent)
        name.pad_right(max(0, self._longest - name.cell_len))
        self._mark(name, Text.assemble(said, reason))

    def _verdict(self) -> None:
        event, self._held = self._held, None
        if event is None:
            return
        width = min(self._console.width, MEASURE + INDENT)
        self._print(Text(), 0)
        parts = verdict_parts(event, self._seats, width - 6)
        self._console.print(
            Panel(
                Group(*parts),
                title=Text("Verdict", style="bold"),
                title_align="left",
                border_style="green" if event.outcome is not None else "yellow",
                padding=(1, 2),
                width=width,
            )
        )

    def _mark(self, mark: Text, text: Text) -> None:
        self._print(marked(mark, text), INDENT)

    def _dim(self, text: str) -> None:
        self._print(Text(text, style="dim"), INDENT)

    def _aside(self, text: str) -> None:
        """A line under a mark, cut where it does not fit."""
        indent = INDENT + 2
        width = min(self._console.width - indent - 1, MEASURE)
        self._print(Text(shorten(text, width), style="dim"), indent)

    def _print(self, part: RenderableType, indent: int) -> None:
        self._console.print(hanging(part, indent, self._console.width) if indent else part)
