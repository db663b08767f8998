"""Checks what a debate is given before its first fact: what is refused here leaves nothing behind."""

from __future__ import annotations

from collections.abc import Sequence

from eda.agenda import Agenda, load_agenda, panel_agenda
from eda.errors import UnknownNameError, UsageError
from eda.panels import Panel
from eda.personas import Persona
from eda.protocols import Runner
from eda.runners.names import make_runner
from eda.settings import Settings
from eda.voting import ballot_choices, counts_of

__all__ = [
    "agenda_of",
    "checked_agenda",
    "checked_options",
    "checked_question",
    "fitting",
    "panel_settings",
    "session_runner",
    "with_bids",
]

MOST_OPTIONS = 20


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


def with_bids(settings: Settings) -> Settings:
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


def session_runner(spec: str) -> Runner:
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
        if wanted in member.called | seat.called:
            return settings.model_copy(update={"judge": seat.title})
    raise UnknownNameError("judge", settings.judge, [member.title for member in members])
