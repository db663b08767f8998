"""Checks what a debate is given before its first fact.

The one rule: what is wrong with a setting is said here, for the constructor, a resume, `eda steer` and the
command line alike. `setting_changes` has what a running debate refuses besides.
"""

import itertools
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, NoReturn, TypeVar

from pydantic import ValidationError

from eda.errors import UnknownNameError, UsageError
from eda.events import NONE, BallotText
from eda.panels.agenda import Agenda, load_agenda
from eda.panels.panel import Panel
from eda.panels.persona import Persona
from eda.panels.registry import FLOORS, PHASES, RULES, STOPS, SUMMARISERS, Parts
from eda.panels.settings import Settings
from eda.runners.models import asks_models
from eda.runners.protocol import Runner, closing, innermost
from eda.runners.server import call_settings, set_within
from eda.runners.shipped import given_runner, make_runner, named_runner
from eda.session import Session
from eda.voting import given, rule_known, same_words
from eda.words import fault, refuse_if

MOST_OPTIONS = 20
_BALLOT_WORDS = frozenset((NONE, "abstain", "null"))


def agenda_of(agenda: Agenda | str | None, panel: Panel | None) -> Agenda:
    """Return the agenda asked for; else that of the panel's file; else the default one.

    Raises:
        UnknownNameError: no format of that name.
        AgendaError: a file that is none.
    """
    return agenda if isinstance(agenda, Agenda) else load_agenda(agenda or (panel and panel.format) or "panel")


def panel_settings(panel: Panel | None) -> Settings:
    """Return the settings that a panel's file gives, with defaults for the rest."""
    return Settings.model_validate(panel.chosen if panel else {})


def as_recorded(settings: Settings, runner: Runner, prompts: Collection[str]) -> Settings:
    """Return the settings; a replay takes a first ballot, and asks for bids and terms, as the recorded debate did.

    All are asked together for a `list` of bids, unless the user replaces the text `bid` alone, which asks one member.
    """
    known: dict[str, Any] = {} if getattr(runner, "first_vote", True) else {"first_vote": False}
    # Terms are asked of minds, and of others that say they have an answer. A log that says nothing asks nobody.
    answers = getattr(runner, "terms", not getattr(innermost(runner), "deterministic", False))
    known["terms"] = (answers if settings.terms is None else settings.terms) or None
    alone = "bid" in prompts and "bids" not in prompts
    known["bids"] = settings.bids or getattr(runner, "bids", None) or ("each" if alone else "list")
    return settings.model_copy(update=known)


def day_told(runner: Runner) -> str:
    """Return the date that the members of a new debate are told: today's, a recording's, or none without a model."""
    today = "" if getattr(innermost(runner), "deterministic", False) else f"{datetime.now(UTC):%Y-%m-%d}"
    day: str | None = getattr(runner, "day", None)
    return today if day is None else day


def checked_question(question: str) -> str:
    """Return the question on one line.

    Raises:
        UsageError: it is empty.
    """
    cleaned = " ".join(question.split())
    if not cleaned:
        raise fault("error-question-empty")
    return cleaned


def checked_options(options: Sequence[str]) -> tuple[str, ...]:
    """Return the options, each on one line.

    Raises:
        UsageError: one is empty, given twice or a word of the ballot, there is only one, or they are one text.
    """
    if isinstance(options, str):
        raise fault("error-options-text", options=options)
    cleaned = tuple(" ".join(option.split()) for option in options)
    words = [option for option in cleaned if option.casefold().strip(" .!\"'") in _BALLOT_WORDS]
    twice = [two for one, two in itertools.combinations(cleaned, 2) if same_words(one, two)]
    refuse_if(
        {
            "error-option-empty": not all(cleaned),
            "error-option-word": words,
            "error-option-twice": twice,
            "error-options-many": len(cleaned) > MOST_OPTIONS,
            "error-option-alone": len(cleaned) == 1,
        },
        word="".join(words[:1]),
        option="".join(twice[:1]),
        count=len(cleaned),
        most=MOST_OPTIONS,
    )
    return cleaned


def checked_facts(
    facts: Mapping[str, Sequence[str]], members: Sequence[Persona], sit: Sequence[Persona]
) -> dict[str, tuple[str, ...]]:
    """Return what single members are told, by the titles of their seats, each fact on one line.

    Raises:
        UsageError: a fact is empty or no text, or one member is named twice.
        UnknownNameError: a name that no member has.
    """
    told: dict[str, tuple[str, ...]] = {}
    for name, given_facts in by_seat(facts, members, sit).items():
        lines = (given_facts,) if isinstance(given_facts, str) else tuple(given_facts)
        if not all(isinstance(line, str) and line.strip() for line in lines):
            raise UsageError(f"a fact of {name} is empty or no text", hint='Give texts: facts={"Maya": ("...",)}.')
        told[name] = tuple(" ".join(line.split()) for line in lines)
    return {name: lines for name, lines in told.items() if lines}


def checked_stances(
    stances: Mapping[str, str],
    members: Sequence[Persona],
    sit: Sequence[Persona],
    question: str,
    options: Sequence[str],
) -> dict[str, str]:
    """Return the option that single members open for, by the titles of their seats, in the words of the option.

    Raises:
        UsageError: one member is named twice.
        UnknownNameError: a name that no member has, or a stance that is no given option.
    """
    choices = [text.text for text in given(question, options)]
    opened: dict[str, str] = {}
    for name, stance in by_seat(stances, members, sit).items():
        known = [choice for choice in choices if same_words(choice, stance)]
        if not known:
            raise UnknownNameError("option to open for", stance, choices)
        opened[name] = known[0]
    return opened


T = TypeVar("T")


def by_seat(
    named: Mapping[str, T], members: Sequence[Persona], sit: Sequence[Persona], who: str = "member"
) -> dict[str, T]:
    """Return what members are given by the titles of their seats; `who` is what the error calls one."""
    seated: dict[str, T] = {}
    for name, value in named.items():
        seat = next(
            (here.title for own, here in zip(members, sit, strict=True) if name.casefold() in own.called | here.called),
            None,
        )
        if seat is None:
            raise UnknownNameError(who, name, [member.title for member in members])
        if seat in seated:
            raise UsageError(f"{name} is named twice", hint="Name each member once, by title or by name.")
        seated[seat] = value
    return seated


def session_runner(session: Session, hint: str = "") -> Runner:
    """Return the runner that a session was run with.

    Raises:
        UsageError: it had none, or one that only the user can make; or the session is somebody else's, and would send
            its words to a model. `hint` says how to pass a runner.
    """
    spec = session.started().runner
    hint = hint or f"Name one: eda resume {session.typed} --runner SPEC; in Python Debate.resume(session, runner)."
    if not spec:
        raise fault("error-runner-none", hint=hint)
    if spec.partition(":")[0] != "simulated" and not session.ours:
        raise fault("error-session-other", session=session.name, spec=spec, typed=session.typed, hint=hint)
    try:
        return make_runner(named_runner(spec) if asks_models(spec) else spec)
    except UnknownNameError:
        raise fault("error-runner-own", spec=spec, hint=hint) from None


@asynccontextmanager
async def answering(
    session: Session, runner: Runner | str | None, settings: Callable[[], Settings]
) -> AsyncIterator[Runner]:
    """Yield who answers under these settings: a runner, or the session's own for None; one made here is closed."""
    chosen = session_runner(session) if runner is None else given_runner(runner)
    async with closing(chosen if chosen is not runner else None):
        with set_within(call_settings, settings):
            yield chosen


def refuse_transcript(session: Session) -> NoReturn:
    """Raise UsageError: somebody wants to go on with a recorded conversation, or with a talk by hand."""
    name = session.name
    if session.begun is None:
        hint = f"Seat one: eda resume {session.typed} --panel NAME."
        raise UsageError(f"session {name!r} is a talk by hand: no panel sits in it", hint=hint)
    raise UsageError(
        f"session {name!r} is a recorded transcript: no panel can go on with it",
        hint=f"Read it: eda report {name}. Search it: eda recall {name} WORDS. Ask a persona: eda ask {name} NAME.",
    )


def own_parts(
    parts: Parts, floor: object | None, rule: object | None, stop: Sequence[object], summariser: object | None
) -> dict[str, Any]:
    """Return the settings that name the parts passed to a debate; those that are objects are kept in `parts`."""
    single = {"floor": (FLOORS, floor), "rule": (RULES, rule), "summariser": (SUMMARISERS, summariser)}
    own: dict[str, Any] = {
        key: parts.name(registry, part) for key, (registry, part) in single.items() if part is not None
    }
    if stop:
        own["stop"] = tuple(parts.name(STOPS, each) for each in stop)
    return own


def checked_parts(parts: Parts, settings: Settings, agenda: Agenda) -> Agenda:
    """Return the agenda, once every floor, rule, stop condition and phase kind that it and the settings name is there.

    Raises:
        UnknownNameError: no such part.
        UsageError: one that cannot be imported, or an agenda that its phase kinds make no sense of.
    """
    for phase in agenda:
        PHASES.get(phase.kind)
        if phase.floor is not None:
            parts.get(FLOORS, phase.floor)
    parts.get(FLOORS, settings.floor)
    parts.get(RULES, settings.rule or agenda.rule)
    for name in settings.stop:
        parts.get(STOPS, name)
    if settings.summariser:
        parts.get(SUMMARISERS, settings.summariser)
    try:
        return Agenda.model_validate(agenda.model_dump())
    except ValidationError as error:
        raise UsageError(f"format {agenda.name!r}: {error.errors()[0]['ctx']['error']}") from None


def checked_agenda(agenda: Agenda, question: str, options: Sequence[str], settings: Settings) -> Agenda:
    """Return the agenda, checked against the question and the options; without a first ballot where none is taken.

    None is taken where nothing was given with the question, or where only what the panel proposes is voted on and no
    option was given.

    Raises:
        UsageError: its polls would have nothing to ask, its two sides not two choices, or the options that are to be
            the only ones are none.
    """
    choices = given(question, options)
    if settings.fixed_options:
        check_fixed(agenda, choices)
    refuse_if(
        {
            "error-poll-nothing": settings.poll is not None and not choices,
            "error-two-options": rule_known(agenda.rule).counts == "polls" and len(choices) != 2,
            "error-poll-none": not agenda.has_ballot and not choices,
        },
        format=agenda.name,
        count=len(choices),
    )
    comparable = options if agenda.choices == "proposals" else choices
    return agenda if comparable and settings.first_vote else agenda.without_first_ballot


def check_fixed(agenda: Agenda, choices: Sequence[BallotText]) -> None:
    """Refuse to fix the options where there are none, or where they are not voted on.

    Raises:
        UsageError: that is so.
    """
    if not choices:
        raise fault("error-fixed-none")
    if agenda.choices == "proposals" or not agenda.has_ballot:
        raise fault("error-fixed-ballot", format=agenda.name)


def check_settings(
    settings: Settings,
    agenda: Agenda,
    members: Sequence[Persona],
    sit: Sequence[Persona],
) -> Settings:
    """Return the settings with the judge by the title of its seat; `sit` are the members under theirs.

    Raises:
        UsageError: a rule that counts what the agenda asks nobody for, a judge that is missing, polls to end talk where
            no phase is open, or an answer where nobody is asked for a ballot.
        UnknownNameError: a judge that does not sit.
    """
    if settings.consensus is not None and not any(phase.does.open for phase in agenda):
        raise fault("error-consensus-none", format=agenda.name)
    name = settings.rule or agenda.rule
    rule = rule_known(name)
    refuse_if(
        {
            "error-judge-missing": rule.counts == "judge" and not settings.judge,
            "error-rule-polls": settings.rule and rule.counts == "polls" and not agenda.compares_polls,
            "error-rule-ballot": rule.needs_ballot and not agenda.has_ballot,
        },
        rule=name,
        format=agenda.name,
    )
    if settings.answer and not agenda.has_ballot:
        raise fault("error-answer-none", format=agenda.name)
    judges = by_seat({settings.judge: ""} if settings.judge else {}, members, sit, "judge")
    return settings.model_copy(update={"judge": "".join(judges)})
