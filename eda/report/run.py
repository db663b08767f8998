"""How a debate was run, from its facts: who sat, which models spoke, what was left out, and what was corrected."""

from __future__ import annotations

from collections.abc import Sequence

from eda.debate.prompts.documents import Reading
from eda.debate.state import DebateState
from eda.events import (
    BallotCast,
    Event,
    MemberChanged,
    MemoryCorrected,
    MessagePosted,
    PhaseStarted,
    SessionStarted,
)
from eda.panels.agenda import Agenda
from eda.panels.persona import Persona
from eda.report.model import Corrected, Run, Seat
from eda.session import Session

READ = (BallotCast, MemberChanged, MemoryCorrected, MessagePosted, PhaseStarted)
"""What tells how a debate was run."""


def _members(facts: Sequence[Event], started: SessionStarted) -> dict[str, Persona]:
    """Return everybody who has sat on the panel, by title."""
    came = (event.persona for event in facts if isinstance(event, MemberChanged))
    return {member.title: member for member in (*started.members, *came) if member is not None}


def run_of(facts: Sequence[Event], session: Session, progress: DebateState) -> Run:
    """Return how a debate was run; `facts` are those of it of the kinds `READ`."""
    started = session.started()
    agenda, members = started.agenda, _members(facts, started)
    places = {title: place for place, title in enumerate(members)} | progress.seats
    return Run(
        agenda=agenda.title,
        panel=started.panel,
        floor=_floors(agenda, progress),
        runners=tuple(progress.runners),
        parent=started.parent,
        played=progress.players,
        seed=started.seed,
        rounds=progress.round,
        messages=progress.messages,
        reason=progress.why_stopped or "",
        votes_again=sum(isinstance(event, PhaseStarted) and event.why == "talk" for event in facts),
        began=progress.first_at,
        seconds=progress.spent.seconds,
        seats=tuple(
            Seat(member.title, member.role, member.name, agenda.side(places[member.title]), member.person)
            for member in members.values()
        ),
        anonymous=agenda.anonymous,
        documents=Reading(started.documents).named,
        own_prompts=tuple(started.prompts),
        corrected=tuple(
            Corrected(event.item, event.was, event.text, event.by, event.version)
            for event in facts
            if isinstance(event, MemoryCorrected)
        ),
        facts=session.log.last_seq,
        head=session.head(),
    )


def _floors(agenda: Agenda, progress: DebateState) -> tuple[str, ...]:
    """Return the floors of the phases of talk."""
    own = (progress.settings.floor if progress.floor_set else phase.floor for phase in agenda if phase.does.open)
    return tuple(dict.fromkeys(floor or progress.settings.floor for floor in own))
