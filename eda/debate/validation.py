"""Checks what a debate is given before its first fact, and each change of its settings while it runs.

The one rule: what is wrong with a setting is said here, for the constructor, a resume, `eda steer`, `/set` and the
command line alike, and what is refused leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from eda.debate.floor.stop import reached_limit
from eda.debate.state import DebateState
from eda.errors import UnknownNameError, UsageError
from eda.memory import ConversationMemory
from eda.panels.agenda import Agenda, load_agenda, panel_agenda
from eda.panels.library import Panel
from eda.panels.persona import Persona
from eda.panels.registry import FLOORS, PHASES, RULES, STOPS, SUMMARISERS, Parts
from eda.panels.settings import Settings
from eda.runners.protocol import Runner
from eda.runners.shipped import make_runner
from eda.session import Session
from eda.voting import given, rule_known

MOST_OPTIONS = 20


def agenda_of(agenda: Agenda | str | None, panel: Panel | None) -> Agenda:
    """Return the agenda asked for; else that of the panel's file; else the default one.

    Raises:
        UnknownNameError: no format of that name.
        AgendaError: a file that is none.
    """
    if isinstance(agenda, Agenda):
        return agenda
    named = agenda or (panel.format if panel else None)
    return load_agenda(named) if named else panel_agenda()


def panel_settings(panel: Panel | None) -> Settings:
    """Return the settings that a panel's file gives, with defaults for the rest."""
    given = {"floor": panel.floor, "max_messages": panel.max_messages} if panel else {}
    return Settings.model_validate({key: value for key, value in given.items() if value is not None})


def with_bids(settings: Settings, prompts: Collection[str]) -> Settings:
    """Return the settings of a new debate, with `bids` decided where it was left open.

    All are asked together, unless the user replaces the text `bid` alone, which asks one member.

    Raises:
        UsageError: the user's own text for bids would never be used.
    """
    own = {"bid", "bids"} & set(prompts)
    bids = settings.bids or ("each" if own == {"bid"} else "together")
    used, other = ("bid", "bids") if bids == "each" else ("bids", "bid")
    if own == {other}:
        how = "one by one" if bids == "each" else "together"
        raise UsageError(
            f"prompt {other}.md would never be used: bids are asked for {how}",
            hint=f"Replace {used}.md, or ask with --bids {'together' if bids == 'each' else 'each'}.",
        )
    return settings.model_copy(update={"bids": bids})


def checked_question(question: str) -> str:
    """Return the question on one line.

    Raises:
        UsageError: it is empty.
    """
    cleaned = " ".join(question.split())
    if not cleaned:
        raise UsageError("the question is empty", hint='Ask one: eda debate "Should we ...?"')
    return cleaned


def checked_options(options: Sequence[str]) -> tuple[str, ...]:
    """Return the options, each on one line.

    Raises:
        UsageError: one is empty or given twice, there is only one, or they are one text.
    """
    if isinstance(options, str):
        raise UsageError(f"the options are one text: {options!r}", hint='Give a list: options=["Yes", "No"].')
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


_GIVE_ONE = "Pass one: Debate.resume(session, runner), or eda resume ID --runner SPEC."


def session_runner(spec: str, hint: str = _GIVE_ONE) -> Runner:
    """Return the runner that a session was run with.

    Raises:
        UsageError: it was one of the user's own, which only the user can make; `hint` says how to pass one.
    """
    try:
        return make_runner(spec)
    except UnknownNameError:
        raise UsageError(f"the session was run with a runner of its own ({spec})", hint=hint) from None


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


def checked_agenda(agenda: Agenda, question: str, options: Sequence[str]) -> Agenda:
    """Return the agenda, checked against the question and the options.

    Raises:
        UsageError: its polls would have nothing to ask, or its two sides not two choices.
    """
    choices = given(question, options)
    ask = "Give two with --option, or ask a question that is answered by yes or no."
    if rule_known(agenda.rule).needs_polls and len(choices) != 2:
        raise UsageError(f"format {agenda.name!r} needs exactly two options, here are {len(choices)}", hint=ask)
    if not agenda.has_ballot and not choices:
        raise UsageError(f"format {agenda.name!r} polls the panel on options, and there is none", hint=ask)
    return agenda


def check_settings(
    settings: Settings,
    agenda: Agenda,
    members: Sequence[Persona],
    sit: Sequence[Persona],
    chosen: Collection[str] | None = None,
) -> Settings:
    """Return the settings with the judge by the title of its seat.

    Args:
        settings: As they would hold.
        agenda: What the debate follows.
        members: The panel.
        sit: The same members, under the titles of their seats.
        chosen: The names of the settings that somebody has just chosen; None for those that are not the defaults.

    Raises:
        UsageError: a rule that counts what the agenda asks nobody for, a judge that is missing, polls to end talk where
            no phase is open, or a setting that would change nothing.
        UnknownNameError: a judge that does not sit.
    """
    if settings.consensus is not None and not any(phase.does.open for phase in agenda):
        raise UsageError(
            f"format {agenda.name!r} has no open discussion that a consensus could end", hint="Leave --consensus out."
        )
    name = settings.rule or agenda.rule
    rule = rule_known(name)
    if settings.rule and rule.needs_polls and not agenda.compares_polls:
        raise UsageError(
            f"the rule {name} compares a poll before with one after, and format {agenda.name!r} does not take both",
            hint="Use it with --format oxford, or name another rule.",
        )
    if rule.needs_ballot and not agenda.has_ballot:
        raise UsageError(
            f"format {agenda.name!r} polls the panel, and a poll gives the rule {name} nothing to count",
            hint="Name a rule that counts first choices, such as plurality.",
        )
    if chosen is None:
        polls = any(phase.does.polls for phase in agenda)
        # Settings that one program uses with several formats may say how often to poll: a format has polls of its own.
        chosen = settings.model_dump(exclude_defaults=True, exclude={"poll_every"} if polls else None)
    check_use(settings, name, chosen)
    return _with_judge(settings, members, sit) if settings.judge else settings


def _with_judge(settings: Settings, members: Sequence[Persona], sit: Sequence[Persona]) -> Settings:
    wanted = settings.judge.casefold()
    for member, seat in zip(members, sit, strict=True):
        if wanted in member.called | seat.called:
            return settings.model_copy(update={"judge": seat.title})
    raise UnknownNameError("judge", settings.judge, [member.title for member in members])


def check_use(settings: Settings, rule: str, chosen: Collection[str], *, as_options: bool = False) -> None:
    """Refuse a setting that would change nothing: it was meant otherwise.

    Args:
        settings: As they would hold.
        rule: What decides.
        chosen: The names of the settings that somebody has just chosen.
        as_options: Whether they were chosen by options of the command line, so that the message names those.

    Raises:
        UsageError: a judge where another rule decides, none where the rule judge does, or how often to poll for a
            consensus that is not asked for.
    """
    judge, poll_every, consensus = (
        ("--judge", "--poll-every", "--consensus")
        if as_options
        else ("judge", "poll_every", "a consensus that ends the talk")
    )
    needs_judge = rule_known(rule).needs_judge
    if needs_judge and not settings.judge:
        raise UsageError(
            "the rule judge needs a judge", hint="Name a member who decides, too: --judge MEMBER, or judge=MEMBER."
        )
    if settings.judge and not needs_judge and "judge" in chosen:
        raise UsageError(
            f"{judge} is for the rule judge, and here {rule} decides",
            hint="Choose that rule, too: --rule judge, or rule=judge.",
        )
    if "poll_every" in chosen and settings.consensus is None:
        raise UsageError(
            f"{poll_every} is for {consensus}",
            hint="Give a share that ends the talk, too: --consensus 0.8, or consensus=0.8.",
        )


_NEEDED = {
    "int": "a whole number",
    "float": "a number",
    "finite": "a number",
    "bool": "yes or no",
    "string": "a name",
    "literal": "{expected}",
    "greater_than": "more than {gt}",
    "greater_than_equal": "{ge} or more",
    "less_than": "less than {lt}",
    "less_than_equal": "{le} or less",
}
"""What a setting has to be, by how the kind of a fault is called, or begins."""


def typed_setting(text: str) -> tuple[str, str | None]:
    """Return the name and the value of a setting typed as `KEY=VALUE`; `none` takes a limit away.

    Raises:
        UsageError: it is not of that form.
    """
    key, _, value = (part.strip() for part in text.partition("="))
    if not (key and value):
        raise UsageError(f"{text!r} is not of the form KEY=VALUE", hint="Such as max_messages=40.")
    return key, None if value.casefold() == "none" else value


def changed_settings(progress: DebateState, changes: Mapping[str, object]) -> Settings:
    """Return the settings with these changes, by their names in `Settings`.

    Raises:
        UnknownNameError: a setting that is none, or a judge that does not sit.
        UsageError: a value that it cannot have, or cannot have any more; one that would change nothing.
    """
    unknown = next((name for name in changes if name not in Settings.model_fields), None)
    if unknown is not None:
        raise UnknownNameError("setting", unknown, Settings.model_fields)
    none = {"judge": ""} if changes.get("judge", "") is None else {}
    if changes.get("bids", "") is None:
        raise UsageError("bids cannot be none", hint="It has to be 'each' or 'together'.")
    try:
        settings = Settings.model_validate(progress.settings.model_dump() | dict(changes) | none)
    except ValidationError as error:
        raise _refused(error.errors(include_url=False)[0]) from None
    if {"floor", "rule", "stop", "summariser"} & changes.keys():
        checked_parts(progress.parts, settings, progress.agenda)
    _check_spent(progress, settings, changes)
    _check_late(progress, settings)
    if {"rule", "judge", "consensus", "poll_every"} & changes.keys():
        settings = check_settings(settings, progress.agenda, progress.panel, progress.panel, changes.keys())
    return settings


def extended_settings(
    session: Session, progress: DebateState, memory: ConversationMemory, changes: Mapping[str, object]
) -> Settings:
    """Return the settings that a session is resumed with.

    Raises:
        UnknownNameError: a setting that is none.
        UsageError: a value that it cannot have, the session has ended and no limit is raised, or one is reached
            already.
    """
    name = session.name
    higher = f"eda resume {session.typed} --max-messages {progress.messages + 12}"
    if progress.ended is not None and not changes and not progress.extended:
        raise UsageError(
            f"session {name!r} has ended ({progress.ended})", hint=f"Read it: eda show {session.typed}. Go on: {higher}"
        )
    settings = changed_settings(progress, changes)
    reached = reached_limit(replace(progress, settings=settings), memory) if progress.ended is not None else None
    if reached is not None:
        option = reached.option or "..."
        raise UsageError(
            f"session {name!r} has reached its limit of {reached.reason}",
            hint=f"Raise {reached.limit} above the limit it had: eda resume {session.typed} {option} ...",
        )
    return settings


def _refused(fault: ErrorDetails) -> UsageError:
    name, given = ".".join(map(str, fault["loc"])), fault["input"]
    kind = fault["type"]
    needed = _NEEDED.get(kind) or _NEEDED.get(kind.partition("_")[0], fault["msg"])
    shown = "none" if given is None else repr(str(given))
    return UsageError(f"{name} cannot be {shown}", hint=f"It has to be {needed.format_map(fault.get('ctx', {}))}.")


def _check_spent(progress: DebateState, settings: Settings, changes: Mapping[str, object]) -> None:
    """Refuse a limit that is reached already: it would end the talk at once."""
    spent = progress.spent
    taken: dict[str, tuple[float, str]] = {
        "max_messages": (progress.messages, f"has {progress.messages:,} messages"),
        "max_tokens": (spent.tokens, f"has taken {spent.tokens:,} tokens"),
        "max_cost": (spent.cost, f"has cost ${spent.cost:.4f}"),
        "max_seconds": (spent.seconds, f"has taken {spent.seconds:.1f} s"),
    }
    for name in taken.keys() & changes.keys():
        limit = getattr(settings, name)
        if limit is not None and taken[name][0] >= limit:
            more = f", such as {progress.messages + 12}" if name == "max_messages" else ""
            raise UsageError(
                f"{name} cannot be {limit:,}: the debate {taken[name][1]} already", hint=f"Give more than that{more}."
            )


def _check_late(progress: DebateState, settings: Settings) -> None:
    """Refuse a change of a setting by which summaries were written or ballots cast already."""
    if progress.settings.summariser != settings.summariser:
        raise UsageError(
            "summariser cannot be changed: the summaries that stand were made by it", hint="Begin a new session."
        )
    if not progress.ballots or progress.ended is not None:
        return
    for name in ("rule", "own_proposals"):
        if getattr(progress.settings, name) != getattr(settings, name):
            cast = f"{len(progress.ballots)} of {len(progress.voters)} ballots are cast"
            raise UsageError(
                f"{name} cannot be changed now: {cast}, and were asked for by it",
                hint="Let the vote end; `eda tally` then counts the same ballots by any rule.",
            )
