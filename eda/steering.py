"""What can be changed of a session: who sits and may speak, the settings, what memory holds.

Each change is data, so it can be asked for from another process; `fact` makes the fact of it, or says why it cannot be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Literal

from eda.bus import MessageBus
from eda.changing import changed_settings
from eda.errors import UsageError
from eda.events import Event, MemberChanged, MemoryCorrected, NoteTaken, SettingChanged
from eda.members import FEWEST_MEMBERS, in_its_seat
from eda.memory import ConversationMemory
from eda.memory.notes import note_taken
from eda.person import member_called
from eda.personas import Persona
from eda.progress import Progress
from eda.replay import memory_of, progress_of, save_memory
from eda.session import Session

__all__ = [
    "Added",
    "Change",
    "Changed",
    "Corrected",
    "Muted",
    "Noted",
    "Removed",
    "Replaced",
    "Unmuted",
    "made",
    "steer",
]

_LONGEST = 2000
"""Characters of a corrected text."""


@dataclass(frozen=True)
class Muted:
    """A member is asked for no turn and no bid any more; it hears the others, and is polled and votes."""

    name: str
    by: str = ""
    kind: Literal["muted"] = "muted"

    def fact(self, progress: Progress, _: ConversationMemory) -> Event:
        """The fact, made of what those before it add up to.

        Raises:
            UsageError: it cannot be; the message says why. So for every change.
        """
        who = _title(progress, self.name)
        leaves = progress.personas[who].person and self.by == who and who in progress.voters
        if who in progress.muted and not leaves:
            raise UsageError(f"{who} is muted already")
        _somebody_left(progress, who, "muted")
        return MemberChanged(who=who, change="muted", by=self.by)


@dataclass(frozen=True)
class Unmuted:
    """A member that was muted may speak again."""

    name: str
    by: str = ""
    kind: Literal["unmuted"] = "unmuted"

    def fact(self, progress: Progress, _: ConversationMemory) -> Event:
        """See `Muted.fact`."""
        who = _title(progress, self.name)
        if who not in progress.muted:
            raise UsageError(f"{who} is not muted")
        return MemberChanged(who=who, change="unmuted", by=self.by)


@dataclass(frozen=True)
class Added:
    """Somebody takes a seat after the last one."""

    persona: Persona
    by: str = ""
    kind: Literal["added"] = "added"

    def fact(self, progress: Progress, _: ConversationMemory) -> Event:
        """See `Muted.fact`."""
        _seat_free(progress.personas.values(), self.persona)
        sits = in_its_seat(self.persona, progress)
        return MemberChanged(who=sits.title, change="added", persona=sits, by=self.by)


@dataclass(frozen=True)
class Replaced:
    """Somebody takes the seat of a member, who leaves."""

    name: str
    persona: Persona
    by: str = ""
    kind: Literal["replaced"] = "replaced"

    def fact(self, progress: Progress, _: ConversationMemory) -> Event:
        """See `Muted.fact`."""
        who = _title(progress, self.name)
        _not_the_judge(progress, who)
        if progress.personas[who] == self.persona:
            raise UsageError(f"{who} has that seat already", hint="Choose another persona: eda personas")
        _seat_free((other for title, other in progress.personas.items() if title != who), self.persona)
        return MemberChanged(who=who, change="replaced", persona=in_its_seat(self.persona, progress), by=self.by)


@dataclass(frozen=True)
class Removed:
    """A member leaves; what it said stays."""

    name: str
    by: str = ""
    kind: Literal["removed"] = "removed"

    def fact(self, progress: Progress, _: ConversationMemory) -> Event:
        """See `Muted.fact`."""
        who = _title(progress, self.name)
        _not_the_judge(progress, who)
        if len(progress.members) <= FEWEST_MEMBERS:
            raise UsageError("a panel needs at least two members", hint="Replace the member, or mute it.")
        _somebody_left(progress, who, "removed")
        return MemberChanged(who=who, change="removed", by=self.by)


@dataclass(frozen=True)
class Changed:
    """Some settings hold from here on, by their names in `Settings`."""

    settings: Mapping[str, object]
    kind: Literal["changed"] = "changed"

    def fact(self, progress: Progress, _: ConversationMemory) -> Event:
        """See `Muted.fact`."""
        settings = changed_settings(progress, self.settings)
        if settings == progress.settings:
            raise UsageError("the settings are so already")
        return SettingChanged(settings=settings)


@dataclass(frozen=True)
class Corrected:
    """A proposal, decision or note, by its id, reads otherwise; it is struck by an empty text."""

    item: str
    text: str
    by: str
    kind: Literal["corrected"] = "corrected"

    def fact(self, progress: Progress, memory: ConversationMemory) -> Event:
        """See `Muted.fact`."""
        was = memory.text_of(self.item)
        now, who = " ".join(self.text.split()), " ".join(self.by.split())
        if len(now) > _LONGEST or len(who) > _LONGEST // 10:
            raise UsageError(f"a correction has at most {_LONGEST:,} characters", hint="Say it shorter.")
        if now == was:
            raise UsageError(f"{self.item} reads so already")
        return MemoryCorrected(item=self.item, was=was, text=now, by=who or "you", after=progress.messages)


@dataclass(frozen=True)
class Noted:
    """Somebody beside the panel takes a note; see `note_taken`."""

    text: str
    who: str = "you"
    importance: int = 500
    topic: str = ""
    private: bool = False
    kind: Literal["noted"] = "noted"

    def fact(self, progress: Progress, _: ConversationMemory) -> Event:
        """See `Muted.fact`."""
        begun = progress.started.members if progress.started else ()
        return note_taken(
            self.text,
            self.who,
            members={*progress.members, *(member.title for member in begun)},
            importance=self.importance,
            topic=self.topic,
            private=self.private,
            after=progress.messages,
        )


Change = Muted | Unmuted | Added | Replaced | Removed | Changed | Corrected | Noted


def steer(session: Session, changes: Iterable[Change]) -> tuple[Event, ...]:
    """Publish changes to a saved session, all as one group or none; gives the facts as stored.

    Args:
        session: One open for writing.
        changes: Each is checked against what those before it add up to.

    Raises:
        UsageError: one of them cannot be; nothing was changed.
    """
    progress, memory = progress_of(session), memory_of(session)
    facts = made(progress, memory, changes)
    if session.started().kind != "debate" and not all(isinstance(fact, MemoryCorrected | NoteTaken) for fact in facts):
        raise UsageError(f"session {session.name!r} is a recorded transcript: nobody sits there")
    stored = MessageBus(session.log, memory.fold).publish(*facts)
    save_memory(session, memory)
    return stored


def made(progress: Progress, memory: ConversationMemory, changes: Iterable[Change]) -> list[Event]:
    """The facts of several changes, each made of what those before it add up to; nothing is published.

    Raises:
        UsageError: one of them cannot be.
    """
    ahead = deepcopy(progress)
    facts: list[Event] = []
    for change in changes:
        facts.append(change.fact(ahead, memory))
        ahead.fold(facts[-1])
    return facts


def _title(progress: Progress, name: str) -> str:
    return member_called(progress.personas.values(), name).title


def _seat_free(others: Iterable[Persona], persona: Persona) -> None:
    if any(persona.called & other.called for other in others):
        raise UsageError(f"{persona.title} sits on the panel already", hint="Choose another persona: eda personas")


def _somebody_left(progress: Progress, who: str, what: str) -> None:
    talking = [title for title in progress.active if title != who and not progress.personas[title].person]
    if not talking:
        raise UsageError(f"nobody would be left to speak if {who} were {what}")


def _not_the_judge(progress: Progress, who: str) -> None:
    if progress.settings.judge == who:
        raise UsageError(f"{who} is the judge and cannot leave", hint="Name another judge first: --set judge=NAME")
