"""Checks what a debate is given before its first fact: what is refused here leaves nothing behind."""

from __future__ import annotations

import itertools
import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy

from eda.agenda import Agenda, load_agenda, panel_agenda
from eda.errors import UnknownNameError, UsageError
from eda.events import MemberChanged
from eda.panels import Library, Panel
from eda.personas import Persona
from eda.progress import Progress
from eda.protocols import Runner
from eda.runners.human import persona_of
from eda.runners.names import make_runner
from eda.settings import Settings
from eda.voting import ballot_choices, counts_of

__all__ = [
    "FEWEST_MEMBERS",
    "again",
    "agenda_of",
    "anonymous",
    "by_title",
    "checked_agenda",
    "checked_options",
    "checked_question",
    "chosen",
    "come_and_gone",
    "fitting",
    "in_its_seat",
    "panel_settings",
    "people_of",
    "seated",
]

FEWEST_MEMBERS = 2
MOST_OPTIONS = 20


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


def agenda_of(asked: Agenda | str | None, panel: Panel | None) -> Agenda:
    """The agenda asked for; else that of the panel's file; else the usual one.

    Raises:
        UnknownNameError: no format of that name.
        AgendaError: a file that is none.
    """
    if isinstance(asked, Agenda):
        return asked
    named = asked or (panel.format if panel else None)
    return load_agenda(named) if named else panel_agenda()


def panel_settings(panel: Panel | None) -> Settings:
    """The settings that a panel's file gives; the defaults for the rest."""
    given = {"floor": panel.floor, "max_messages": panel.max_messages} if panel else {}
    return Settings.model_validate({key: value for key, value in given.items() if value is not None})


def chosen(settings: Settings) -> Settings:
    """The settings of a new debate: where it was left open how bids are asked for, all together."""
    return settings if settings.bids else settings.model_copy(update={"bids": "together"})


def checked_question(question: str) -> str:
    """The question on one line.

    Raises:
        UsageError: it is empty.
    """
    cleaned = " ".join(question.split())
    if not cleaned:
        raise UsageError("the question is empty", hint='Ask one: eda debate "Should we ...?"')
    return cleaned


def checked_options(options: Sequence[str]) -> tuple[str, ...]:
    """The options, each on one line.

    Raises:
        UsageError: one is empty or given twice, or there is only one.
    """
    cleaned = tuple(" ".join(option.split()) for option in options)
    if any(not option for option in cleaned):
        raise UsageError("an option is empty")
    folded = [option.casefold() for option in cleaned]
    if len(set(folded)) < len(folded):
        raise UsageError("an option is given twice")
    if len(cleaned) > MOST_OPTIONS:
        raise UsageError(f"{len(cleaned)} options are too many to weigh", hint=f"Give at most {MOST_OPTIONS}.")
    if len(cleaned) == 1:
        raise UsageError("one option is no choice", hint="Give at least two, or none.")
    return cleaned


def again(spec: str) -> Runner:
    """The runner that a session was run with.

    Raises:
        UsageError: it was one of the user's own, which only they can make.
    """
    try:
        return make_runner(spec)
    except UnknownNameError:
        raise UsageError(
            f"the session was run with a runner of its own ({spec})",
            hint="Pass one: Debate.resume(session, runner), or eda resume ID --runner SPEC.",
        ) from None


def checked_agenda(agenda: Agenda, question: str, options: Sequence[str]) -> Agenda:
    """The agenda, once it is sure that it can come to what it promises.

    Raises:
        UsageError: its polls would have nothing to ask, or its two sides not two choices.
    """
    kinds = [phase.kind for phase in agenda]
    choices = ballot_choices(question, options, ())
    ask = "Give two with --option, or ask a question that is answered by yes or no."
    if agenda.rule == "shift" and len(choices) != 2:
        raise UsageError(f"format {agenda.name!r} needs exactly two options, here are {len(choices)}", hint=ask)
    if "ballot" not in kinds and not choices:
        raise UsageError(f"format {agenda.name!r} polls the panel on options, and there is none", hint=ask)
    return agenda


def fitting(settings: Settings, agenda: Agenda, members: Sequence[Persona], sit: Sequence[Persona]) -> Settings:
    """The settings, once it is sure that the agenda can follow them; the judge by the title that it sits under.

    `sit` are the same members as `members`, under the titles of their seats.

    Raises:
        UsageError: a rule that counts what the agenda asks nobody for, a judge that is missing, or talk to be ended by
            polls where no phase is open.
        UnknownNameError: a judge that does not sit.
    """
    kinds = [phase.kind for phase in agenda]
    if settings.consensus is not None and "open" not in kinds:
        raise UsageError(
            f"format {agenda.name!r} has no open discussion that a consensus could end", hint="Leave --consensus out."
        )
    rule = settings.rule or agenda.rule
    if settings.rule == "shift" and ("ballot" in kinds or kinds.count("poll") < 2):
        raise UsageError(
            f"the rule shift compares a poll before with one after, and format {agenda.name!r} does not take both",
            hint="Use it with --format oxford, or name another rule.",
        )
    if "ballot" not in kinds and counts_of(rule) in ("approvals", "scores", "blocks"):
        raise UsageError(
            f"format {agenda.name!r} polls the panel, and a poll gives the rule {rule} nothing to count",
            hint="Name a rule that counts first choices, such as plurality.",
        )
    if rule == "judge" and not settings.judge:
        raise UsageError("the rule judge needs a judge", hint="Name a member who decides: --judge MEMBER.")
    if not settings.judge:
        return settings
    wanted = settings.judge.casefold()
    for member, seat in zip(members, sit, strict=True):
        if wanted in (member.title.casefold(), seat.title.casefold(), member.name.casefold()):
            return settings.model_copy(update={"judge": seat.title})
    raise UnknownNameError("judge", settings.judge, [member.title for member in members])


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
        known = any(name.casefold() in (member.title.casefold(), member.name) for member in members)
        if getattr(runner, "person", False):
            names += [name] if name not in names else []
        elif not known:
            raise UnknownNameError("member", name, [member.title for member in members])
    people = tuple(map(persona_of, names))
    for person in people:
        if any({person.title.casefold(), person.name} & {other.title.casefold(), other.name} for other in members):
            raise UsageError(f"{person.title!r} sits on the panel already", hint="Take part under another name.")
    return people


def by_title(members: Iterable[Persona], seats: Mapping[str, Runner]) -> dict[str, Runner]:
    """The runners of single seats, by the title that the member sits under; a person is known by name."""
    found: dict[str, Runner] = {}
    for member in members:
        for name, runner in seats.items():
            person = persona_of(name).name if member.person else ""
            if name.casefold() in (member.title.casefold(), member.name) or (person and person == member.name):
                found[member.title] = runner
    return found


def come_and_gone(progress: Progress, human: str | None, seats: Mapping[str, Runner]) -> tuple[MemberChanged, ...]:
    """Who comes to a session that is taken up again, and whose seat stays empty: no person, no turn.

    Raises:
        UsageError: a name that is none, or that of a member.
    """
    sitting = [persona for persona in progress.personas.values() if persona.person]
    agents = [persona for persona in progress.personas.values() if not persona.person]
    here = {person.name: person for person in people_of(agents, human, seats)}
    facts = []
    for persona in sitting:
        back = here.pop(persona.name, None) is not None
        if back == (persona.title in progress.muted):
            facts.append(MemberChanged(who=persona.title, change="unmuted" if back else "muted", by=persona.title))
    ahead = deepcopy(progress)
    for person in here.values():
        persona = in_its_seat(person, ahead)
        facts.append(MemberChanged(who=persona.title, change="added", persona=persona, by=persona.title))
        ahead.fold(facts[-1])
    return tuple(facts)
