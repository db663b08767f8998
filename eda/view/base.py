"""What every view of a debate starts from: who sits, and about what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from eda.events import SessionStarted, SettingChanged
from eda.personas import Persona
from eda.reading import Reading
from eda.settings import Settings
from eda.view.phrases import setting_phrases
from eda.view.text import one_line

__all__ = ["SettingsHeld", "Sitting", "modelled"]


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a debate is about and who takes part."""

    session: str
    question: str
    members: tuple[Persona, ...]
    """In seat order."""
    options: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    """Names of the texts that the panel must have read."""
    runner: str = ""
    seed: int = 0
    resumed_at: int | None = None
    """The last message before it was taken up again; None at a start."""
    anonymous: bool = False
    """Nobody is told before the end who the members are."""
    sides: Mapping[str, str] = field(default_factory=dict)
    """What each argues, by title; empty where all speak for themselves."""
    settings: Settings = field(default_factory=Settings)
    """Those that hold where it is taken up; what is said of a change is said against them."""
    in_part: tuple[str, ...] = ()
    """Those of the texts that are too long to be shown whole."""

    @classmethod
    def again(
        cls,
        started: SessionStarted,
        messages: int,
        members: tuple[Persona, ...] = (),
        settings: Settings | None = None,
        seats: Mapping[str, int] | None = None,
    ) -> Sitting:
        """A session that is taken up after `messages` messages, by those who sit now, as things are set now."""
        return cls(
            sides={title: started.agenda.side(seat) for title, seat in (seats or {}).items()},
            session=started.session,
            question=started.question,
            members=members or started.members,
            options=started.options,
            documents=tuple(document.name for document in started.documents),
            in_part=Reading(started.documents).in_part,
            runner=started.runner,
            anonymous=started.agenda.anonymous,
            seed=started.seed,
            resumed_at=messages,
            settings=settings or started.settings,
        )

    @property
    def seats(self) -> str:
        """`Ada (product manager), Ben (lawyer)`."""
        roles = (self.role(member) for member in self.members)
        return ", ".join(
            one_line(member.title) + (f" ({role})" if role else "")
            for member, role in zip(self.members, roles, strict=True)
        )

    def role(self, member: Persona) -> str:
        """What a member stands for, and the side that it argues; no role where that would tell who it is."""
        role = "" if self.anonymous else one_line(member.role)
        side = one_line(self.sides.get(member.title, ""))
        return ", ".join(filter(None, (role, side and f"argues {side}")))


class SettingsHeld:
    """The settings that hold, as facts go by: a fact tells all of them, a reader wants those that have changed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def changes(self, event: SessionStarted | SettingChanged) -> list[str]:
        """What the fact has changed, a line each; nothing where it is the first."""
        before, self._settings = self._settings, event.settings
        return setting_phrases(before, event.settings) if isinstance(event, SettingChanged) else []


def modelled(members: Iterable[Persona]) -> dict[str, str]:
    """Members whose file asks for a model, and which; `inherit` asks for none."""
    return {m.title: m.model for m in members if m.model and m.model != "inherit"}
