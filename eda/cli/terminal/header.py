"""What every screen of a debate needs to know: the members, the question, the settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from eda.events import SessionStarted
from eda.panels.persona import Persona
from eda.panels.settings import Settings
from eda.report.formatting import one_line, role_of
from eda.words import Words

if TYPE_CHECKING:
    from eda.debate.prompts.documents import Reading


class Sitting:
    """What a debate is about and who takes part."""

    def __init__(
        self,
        started: SessionStarted,
        *,
        members: tuple[Persona, ...] = (),
        settings: Settings | None = None,
        seats: Mapping[str, int] | None = None,
        runner: str = "",
        resumed_at: int | None = None,
        verbose: bool = False,
    ) -> None:
        """Describe a session that `started` so; the others are given where they are not the first ones.

        Args:
            started: The first fact of the session.
            members: Who sits now, in seat order.
            settings: Those at the resume; later changes are shown relative to these.
            seats: The seat of each member, by title.
            runner: Who answers, in words.
            resumed_at: The last message before a resume; None for a new debate.
            verbose: Screens also show the bids, why each has the floor, and the summaries.
        """
        first = {member.title: seat for seat, member in enumerate(started.members)}
        self.started = started
        self.members = members or started.members
        self.settings = settings or started.settings
        self.runner = runner or started.runner
        self.resumed_at = resumed_at
        self.verbose = verbose
        self._sides = {title: started.agenda.side(seat) for title, seat in (seats or first).items()}

    @property
    def asks_for(self) -> str:
        """What the question asks for, in words; empty of a transcript."""
        from eda.report.phrases import asked_phrase

        return asked_phrase(self.started, self.settings, Words(self.settings.language))

    @property
    def reading(self) -> Reading:
        """What the panel has to read."""
        from eda.debate.prompts.documents import Reading  # what reads documents takes as long to load as memory

        return Reading(self.started.documents)

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
        words = Words(self.settings.language)
        role = "" if self.started.agenda.anonymous else role_of(member.role, words)
        side = one_line(self._sides.get(member.title, ""))
        return ", ".join(filter(None, (role, words.say("screen-argues", side=side) if side else "")))


def modelled(members: Iterable[Persona]) -> dict[str, str]:
    """Return the members whose file names a model, with that model; `inherit` names none."""
    return {m.title: m.model for m in members if m.model and m.model != "inherit"}
