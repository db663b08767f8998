"""What every screen of a debate needs to know: the members, the question, the settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from eda.events import Parent, SessionStarted
from eda.panels.persona import Persona
from eda.panels.settings import Settings
from eda.report.formatting import one_line
from eda.words import Words


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a debate is about and who takes part."""

    session: str
    question: str
    members: tuple[Persona, ...]
    """In seat order."""
    options: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    """Names of the documents that the members are given, with what of them is not shown or not read."""
    runner: str = ""
    seed: int = 0
    resumed_at: int | None = None
    """The last message before a resume; None for a new debate."""
    anonymous: bool = False
    """The members stay anonymous until the end."""
    sides: Mapping[str, str] = field(default_factory=dict)
    """The side that each member argues, by title; empty in a format without sides."""
    settings: Settings = field(default_factory=Settings)
    """Settings at the start or at the resume; later changes are shown relative to these."""
    verbose: bool = False
    """Screens also show the bids, why each has the floor, and the summaries."""
    parent: Parent | None = None
    """The session and message that this one was forked from, and what was changed; None if it was not."""
    in_part: tuple[str, ...] = ()
    """Names of the documents that are too long for the prompts."""
    asks_for: str = ""
    """What the question asks for, in words; empty of a transcript."""

    @classmethod
    def of(
        cls,
        started: SessionStarted,
        resumed_at: int | None = None,
        members: tuple[Persona, ...] = (),
        settings: Settings | None = None,
        seats: Mapping[str, int] | None = None,
    ) -> Sitting:
        """Return the sitting of a session, with its present members and settings where those are not the first ones."""
        from eda.debate.prompts.documents import Reading  # what reads documents takes as long to load as memory
        from eda.report.phrases import asked_phrase

        reading, now = Reading(started.documents), settings or started.settings
        first = {member.title: seat for seat, member in enumerate(started.members)}
        return cls(
            sides={title: started.agenda.side(seat) for title, seat in (seats or first).items()},
            session=started.session,
            parent=started.parent,
            question=started.question,
            members=members or started.members,
            options=started.options,
            asks_for=asked_phrase(started, now, Words(now.language)),
            documents=reading.named,
            in_part=reading.in_part,
            runner=started.runner,
            anonymous=started.agenda.anonymous,
            seed=started.seed,
            resumed_at=resumed_at,
            settings=now,
        )

    @property
    def people(self) -> frozenset[str]:
        """The titles of the people at the table."""
        return frozenset(member.title for member in self.members if member.person)

    @property
    def seats(self) -> str:
        """The members with their roles: `Ada (product manager), Ben (lawyer)`."""
        roles = [(one_line(member.title), self.role(member)) for member in self.members]
        return ", ".join(f"{title} ({role})" if role else title for title, role in roles)

    def role(self, member: Persona) -> str:
        """Return a member's role and the side it argues; no role if the members are anonymous."""
        role = "" if self.anonymous else one_line(member.role)
        side = one_line(self.sides.get(member.title, ""))
        argues = Words(self.settings.language).say("screen-argues", side=side) if side else ""
        return ", ".join(filter(None, (role, argues)))


def modelled(members: Iterable[Persona]) -> dict[str, str]:
    """Return the members whose file names a model, with that model; `inherit` names none."""
    return {m.title: m.model for m in members if m.model and m.model != "inherit"}
