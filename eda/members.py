"""Who takes a seat at a debate: as named, under which title, and with which runner of its own."""

from __future__ import annotations

import itertools
import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy

from eda.errors import UnknownNameError, UsageError
from eda.events import MemberChanged
from eda.panels import Library, Panel
from eda.personas import Persona
from eda.progress import Progress
from eda.protocols import Runner
from eda.runners.human import persona_of
from eda.runners.names import given_runner

__all__ = [
    "FEWEST_MEMBERS",
    "anonymous",
    "by_title",
    "come_and_gone",
    "in_its_seat",
    "is_seat_of",
    "people_of",
    "seated",
]

FEWEST_MEMBERS = 2


def seated(panel: str | Panel | Sequence[str | Persona], library: Library) -> tuple[Panel | None, tuple[Persona, ...]]:
    """The panel, where one was named, and who sits, in seat order.

    Raises:
        UnknownNameError: no panel or persona of that name.
        UsageError: fewer than two members, or one twice.
    """
    if isinstance(panel, str):
        panel = library.panel(panel)
    if isinstance(panel, Panel):
        return panel, library.members(panel)
    members = tuple(library.persona(who) if isinstance(who, str) else who for who in panel)
    if len(members) < FEWEST_MEMBERS:
        raise UsageError("a panel needs at least two members", hint="Name another persona: eda personas")
    titles = [member.title for member in members]
    twice = sorted({title for title in titles if titles.count(title) > 1})
    if twice:
        raise UsageError(f"{', '.join(twice)} would sit twice", hint="Name each persona once.")
    return None, members


def anonymous(members: Sequence[Persona]) -> tuple[Persona, ...]:
    """The same personas under titles that tell nobody who they are; their names still do, for the report.

    What their files say by name, of themselves or of each other, is said by those titles, too.
    """
    titles = {member.title: title for member, title in zip(members, _nobodies(), strict=False)}
    return tuple(_retitled(member, titles) for member in members)


def in_its_seat(persona: Persona, progress: Progress) -> Persona:
    """The same persona as it takes a seat later on: among anonymous members under a title that nobody has had."""
    if not progress.agenda.anonymous:
        return persona
    polled = {stance.who for stances in progress.polls.values() for stance in stances}
    had = {*progress.personas, *progress.spoke_at, *polled}
    return _retitled(persona, {persona.title: next(title for title in _nobodies() if title not in had)})


def _nobodies() -> Iterator[str]:
    for place in itertools.count():
        yield f"Panelist {string.ascii_uppercase[place % 26]}{place // 26 or ''}"


def _retitled(member: Persona, titles: Mapping[str, str]) -> Persona:
    """The member under another title; what it says of anybody by name, it says by these titles."""
    named = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, sorted(titles, key=len, reverse=True)))})(?!\w)")

    def unnamed(text: str) -> str:
        return named.sub(lambda found: titles[found[1]], text)

    return member.model_copy(
        update={
            "title": titles[member.title],
            **{field: unnamed(getattr(member, field)) for field in ("role", "description", "instruction", "voice")},
            **{
                field: tuple(map(unnamed, getattr(member, field)))
                for field in ("values", "fears", "moved_by", "openers")
            },
        }
    )


def people_of(members: Sequence[Persona], human: str | None, seats: Mapping[str, Runner]) -> tuple[Persona, ...]:
    """The persons who sit beside the panel: `human`, and whoever `seats` gives a runner that asks a person.

    Raises:
        UsageError: a name that is none, or that of a member.
        UnknownNameError: a runner for nobody who sits there.
    """
    names = [human] if human is not None else []
    for name, runner in seats.items():
        known = any(name.casefold() in member.called for member in members)
        if getattr(runner, "person", False):
            names += [name] if name not in names else []
        elif not known:
            raise UnknownNameError("member", name, [member.title for member in members])
    people = tuple(map(persona_of, names))
    for person in people:
        if any(person.called & other.called for other in members):
            raise UsageError(f"{person.title!r} sits on the panel already", hint="Take part under another name.")
    return people


def by_title(members: Iterable[Persona], seats: Mapping[str, Runner]) -> dict[str, Runner]:
    """The runners of single seats, by the title that the member sits under; a person is known by name.

    Raises:
        UsageError: one is no runner.
    """
    found: dict[str, Runner] = {}
    own = {name: given_runner(runner) for name, runner in seats.items()}
    for member in members:
        for name, runner in own.items():
            if name.casefold() in member.called or (member.person and is_seat_of(name, member)):
                found[member.title] = runner
    return found


def is_seat_of(name: str, person: Persona) -> bool:
    """Whether a person's seat is that of whoever gives this name: their own, or among anonymous members its title."""
    return name.casefold() in person.called or persona_of(name).name == person.name


def come_and_gone(progress: Progress, human: str | None, seats: Mapping[str, Runner]) -> tuple[MemberChanged, ...]:
    """Who comes to a session that is taken up again, and whose seat stays empty: no person, no turn.

    Raises:
        UsageError: a name that is none, or that of a member.
    """
    sitting = [persona for persona in progress.personas.values() if persona.person]
    agents = [persona for persona in progress.personas.values() if not persona.person]
    here = people_of(agents, human, seats)
    facts = []
    for persona in sitting:
        back = any(is_seat_of(person.title, persona) for person in here)
        here = tuple(person for person in here if not is_seat_of(person.title, persona))
        if back == (persona.title not in progress.voters):
            facts.append(MemberChanged(who=persona.title, change="unmuted" if back else "muted", by=persona.title))
    ahead = deepcopy(progress)
    for person in here:
        persona = in_its_seat(person, ahead)
        facts.append(MemberChanged(who=persona.title, change="added", persona=persona, by=persona.title))
        ahead.fold(facts[-1])
    return tuple(facts)
