"""Seats the members of a debate: by name, under a title, with the shared runner or one of their own."""

import asyncio
import itertools
import re
import string
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy

from eda.bus import MessageBus
from eda.debate.addressing import addressing_of
from eda.debate.asking import side_by_side
from eda.debate.listener import AgentListener
from eda.debate.person import HumanListener
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.state import DebateState
from eda.errors import UnknownNameError
from eda.events import MemberChanged
from eda.panels.hearing import check_hearing
from eda.panels.panel import Library, Panel, check_seats
from eda.panels.persona import Persona
from eda.runners.human import HumanRunner, persona_of
from eda.runners.model_runner import ModelRunner
from eda.runners.models import names_runner
from eda.runners.protocol import OnText, Prompt, Reply, Runner, innermost, spec_of
from eda.runners.shipped import given_runner
from eda.words import fault, refuse_if

FEWEST_MEMBERS = 2


def seated(panel: str | Panel | Sequence[str | Persona], library: Library) -> tuple[Panel | None, tuple[Persona, ...]]:
    """Return the panel, where one was named, and its members in seat order.

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
        raise fault("error-panel-small")
    return None, check_seats(members)


def anonymous(members: Sequence[Persona]) -> tuple[Persona, ...]:
    """Return the personas under anonymous titles; their names stay, for the report.

    Texts of their files that name a member use the new title, too.

    Raises:
        UsageError: a person has the name of such a title.
    """
    titles = {member.title: title for member, title in zip(members, _nobodies(), strict=False)}
    same = next((member.title for member in members if member.title in titles.values()), None)
    if same is not None:
        raise fault("error-name-of-format", name=same)
    return tuple(_retitled(member, titles) for member in members)


def in_its_seat(persona: Persona, progress: DebateState) -> Persona:
    """Return the persona as it takes a seat later: among anonymous members under a title that nobody has had."""
    if not progress.agenda.anonymous:
        return persona
    polled = {stance.who for stances in progress.polls.values() for stance in stances}
    had = {*progress.personas, *progress.spoke_at, *polled}
    return _retitled(persona, {persona.title: next(title for title in _nobodies() if title not in had)})


def _nobodies() -> Iterator[str]:
    for place in itertools.count():
        yield f"Panelist {string.ascii_uppercase[place % 26]}{place // 26 or ''}"


def _retitled(member: Persona, titles: Mapping[str, str]) -> Persona:
    """Return the member under its new title, with all members in its texts named by their new titles."""
    named = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, sorted(titles, key=len, reverse=True)))})(?!\w)")

    def unnamed(text: str) -> str:
        return named.sub(lambda name: titles[name[1]], text)

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
    """Return the persons who sit beside the panel: `human`, and each whose runner in `seats` asks a person.

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
    for place, person in enumerate(people):
        sits, two = (any(person.called & other.called for other in others) for others in (members, people[:place]))
        refuse_if({"error-name-sits": sits, "error-name-two": two}, name=person.title)
    return people


def by_title(members: Iterable[Persona], seats: Mapping[str, Runner]) -> dict[str, Runner]:
    """Return the runners of single seats by the title of the seat; a person is found by name.

    Raises:
        UsageError: one is no runner.
    """
    runners: dict[str, Runner] = {}
    own = {name: given_runner(runner) for name, runner in seats.items()}
    for member in members:
        for name, runner in own.items():
            if name.casefold() in member.called or (member.person and is_seat_of(name, member)):
                runners[member.title] = runner
    return runners


def is_seat_of(name: str, person: Persona) -> bool:
    """Return whether the seat belongs to the person of that name, or, among anonymous members, of that title."""
    return name.casefold() in person.called or persona_of(name).name == person.name


def come_and_gone(progress: DebateState, human: str | None, seats: Mapping[str, Runner]) -> tuple[MemberChanged, ...]:
    """Return who joins a resumed session, returns to it or leaves a seat empty.

    Raises:
        UsageError: a name that is none, or that of a member.
    """
    sitting = [persona for persona in progress.personas.values() if persona.person]
    here = people_of([persona for persona in progress.personas.values() if not persona.person], human, seats)
    check_hearing(progress.hears, len(progress.started.members if progress.started else ()), len(here))
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


class RunnerPerSeat:
    """Asks the runner of the member's own seat; one runner for all other members and the engine."""

    def __init__(self, runner: Runner, seats: Mapping[str, Runner]) -> None:
        """`seats` gives members, by title, a runner of their own. Seats added to it later count too."""
        self._runner, self._seats = runner, seats
        self.spec: str = spec_of(runner)

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return the reply of that seat's runner; tools are those of the shared one."""
        return await self.of("" if prompt.purpose == "tool" else prompt.agent).run(prompt, on_text)

    def of(self, agent: str) -> Runner:
        """Return the runner that is asked for a member; for an empty name the engine's."""
        return self._seats.get(agent, self._runner)


def per_seat(runner: Runner, seats: Mapping[str, Runner], members: Iterable[Persona]) -> Runner:
    """Return the runner of all members, once the runners that personas name by `model: RUNNER:MODEL` can be made.

    Raises:
        UsageError: one is malformed, or names no model.
        RunnerUnavailableError: one lacks a key.
    """
    asked = innermost(runner)
    if isinstance(asked, ModelRunner):
        for member in members:
            if names_runner(member.model or "") and member.title not in seats:
                asked.other((member.model or "").strip())
    return RunnerPerSeat(runner, seats) if seats else runner


class Seating(dict[str, AgentListener]):
    """The listener of each member who sits now, by title."""

    def __init__(
        self,
        bus: MessageBus,
        briefing: PromptBuilder,
        runner: Runner,
        people: Mapping[str, Runner],
        listener: type[AgentListener],
    ) -> None:
        """Seat the panel of the debate, each member as a `listener`; persons as `HumanListener`.

        `people` are the runners of persons, by title. A person who has none passes each turn.
        """
        super().__init__()
        self._bus, self._briefing, self._listener = bus, briefing, listener
        self._runner, self._people = runner, people
        for persona in briefing.state.panel or briefing.started.members:
            self._seat(persona)
        self._introduce()
        bus.subscribe(MemberChanged, self._changed, name="seats")

    @property
    def people(self) -> list[HumanListener]:
        """The persons who sit."""
        return [listener for listener in self.values() if isinstance(listener, HumanListener)]

    async def settle(self, titles: Container[str]) -> bool:
        """Have persons answer what was offered of their lines, one question at a time; return whether any was asked."""
        return any(await side_by_side(each.settle() for each in self.people if each.title in titles))

    def _changed(self, event: MemberChanged) -> None:
        if event.change in ("replaced", "removed"):
            self.pop(event.who).leave()
        if event.persona is not None:
            self._seat(event.persona)
        self._introduce()

    def _seat(self, persona: Persona) -> None:
        kind, runner = self._listener, self._runner
        if persona.person:
            kind, runner = HumanListener, self._people.get(persona.title) or HumanRunner(lambda _: asyncio.sleep(0, ""))
        self[persona.title] = kind(persona, runner, prompts=self._briefing).join(self._bus)

    def _introduce(self) -> None:
        """Tell each listener by what names the others are addressed."""
        addressing = addressing_of(*self)
        for listener in self.values():
            listener.addressing = addressing
