"""What can be changed of a session, each as a fact: who sits and may speak, the settings, what memory holds.

Each function makes the fact, or says why it cannot be; `steer` publishes facts to a saved session, all or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy

from eda.bus import MessageBus
from eda.changing import changed_settings
from eda.errors import UsageError
from eda.events import Event, MemberChanged, MemoryCorrected, SettingChanged
from eda.members import FEWEST_MEMBERS, in_its_seat
from eda.memory import ConversationMemory
from eda.person import member_called
from eda.personas import Persona
from eda.progress import Progress
from eda.replay import memory_of, progress_of, save_memory
from eda.session import Session

__all__ = ["Change", "added", "changed", "corrected", "muted", "removed", "replaced", "steer", "unmuted"]

Change = Callable[[Progress, ConversationMemory], Event]
"""Makes a fact of what the facts before it add up to.

Raises:
    UsageError: it cannot be; the message says why.
"""

_LONGEST = 2000
"""Characters of a corrected text."""


def muted(name: str, by: str = "") -> Change:
    """A member is asked for no turn and no bid any more; it hears the others, and is polled and votes."""

    def make(progress: Progress, _: ConversationMemory) -> Event:
        who = _title(progress, name)
        if who in progress.muted:
            raise UsageError(f"{who} is muted already")
        _somebody_left(progress, who, "muted")
        return MemberChanged(who=who, change="muted", by=by)

    return make


def unmuted(name: str, by: str = "") -> Change:
    """A member that was muted may speak again."""

    def make(progress: Progress, _: ConversationMemory) -> Event:
        who = _title(progress, name)
        if who not in progress.muted:
            raise UsageError(f"{who} is not muted")
        return MemberChanged(who=who, change="unmuted", by=by)

    return make


def added(persona: Persona, by: str = "") -> Change:
    """Somebody takes a seat after the last one."""

    def make(progress: Progress, _: ConversationMemory) -> Event:
        _seat_free(progress.personas.values(), persona)
        seated = in_its_seat(persona, progress)
        return MemberChanged(who=seated.title, change="added", persona=seated, by=by)

    return make


def replaced(name: str, persona: Persona, by: str = "") -> Change:
    """Somebody takes the seat of a member, who leaves."""

    def make(progress: Progress, _: ConversationMemory) -> Event:
        who = _title(progress, name)
        _not_the_judge(progress, who)
        if progress.personas[who] == persona:
            raise UsageError(f"{who} has that seat already", hint="Choose another persona: eda personas")
        _seat_free((other for title, other in progress.personas.items() if title != who), persona)
        return MemberChanged(who=who, change="replaced", persona=in_its_seat(persona, progress), by=by)

    return make


def removed(name: str, by: str = "") -> Change:
    """A member leaves; what it said stays."""

    def make(progress: Progress, _: ConversationMemory) -> Event:
        who = _title(progress, name)
        _not_the_judge(progress, who)
        if len(progress.members) <= FEWEST_MEMBERS:
            raise UsageError("a panel needs at least two members", hint="Replace the member, or mute it.")
        _somebody_left(progress, who, "removed")
        return MemberChanged(who=who, change="removed", by=by)

    return make


def changed(changes: Mapping[str, object]) -> Change:
    """Some settings hold from here on."""

    def make(progress: Progress, _: ConversationMemory) -> Event:
        settings = changed_settings(progress, changes)
        if settings == progress.settings:
            raise UsageError("the settings are so already")
        return SettingChanged(settings=settings)

    return make


def corrected(item: str, text: str, by: str) -> Change:
    """A proposal, decision or note is struck (an empty text), or reads otherwise."""

    def make(progress: Progress, memory: ConversationMemory) -> Event:
        was = memory.text_of(item)
        now, who = " ".join(text.split()), " ".join(by.split())
        if len(now) > _LONGEST or len(who) > _LONGEST // 10:
            raise UsageError(f"a correction has at most {_LONGEST:,} characters", hint="Say it shorter.")
        if now == was:
            raise UsageError(f"{item} reads so already")
        return MemoryCorrected(item=item, was=was, text=now, by=who or "you", after=progress.messages)

    return make


def steer(session: Session, changes: Iterable[Change]) -> tuple[Event, ...]:
    """Publish changes to a saved session, all as one group or none; gives the facts.

    Args:
        session: One open for writing.
        changes: Each is checked against what those before it add up to.

    Raises:
        UsageError: one of them cannot be; nothing was changed.
    """
    progress, memory = progress_of(session), memory_of(session)
    facts = made(progress, memory, changes)
    if session.started().kind != "debate" and not all(isinstance(fact, MemoryCorrected) for fact in facts):
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
        facts.append(change(ahead, memory))
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
