"""What a fork has otherwise than the session it comes from: its setup, its members, its settings, or one message.

Each function returns a `Change` for `eda.session.fork.fork`, which is made in memory before anything is written.
"""

from collections.abc import Sequence

from eda.bus import MessageBus
from eda.debate import validation
from eda.debate.control.changes import Change, Changed, Seat, steer, typed_settings
from eda.debate.listener import AgentListener
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.replay import memory_of, progress_of
from eda.debate.seating import Seating
from eda.errors import UnknownNameError, UsageError
from eda.events import MessagePosted, PhaseStarted, SessionStarted
from eda.panels.panel import Library
from eda.runners.models import asks_models
from eda.runners.scripted import ScriptedRunner
from eda.runners.shipped import make_runner, with_models
from eda.session import Session
from eda.session.fork import Change as Fork
from eda.voting.choices import same_words

# What can be changed, and how it is written.
_FORMS = {
    "persona": "persona:MEMBER=PERSONA",
    "option": 'option:"TEXT"',
    "setting": "setting:NAME=VALUE",
    "model": "model:speak=MODEL",
    "runner": "runner:SPEC",
    "rule": "rule:NAME",
}
_MODELS = ("speak", "cheap", "fallback")


def changed(texts: Sequence[str], library: Library | None = None) -> Fork:
    """Return the change that the texts ask for, such as `persona:sceptic=economist` or `setting:quorum=0.6`.

    A member's seat, with what only it was told, goes to another persona; one more option stands beside those given with
    the question; a setting or the decision rule is another; the session's runner asks another model, or is another one.

    Raises:
        UnknownNameError: nothing of that kind can be changed.
        UsageError: one is not of its form; `fork` raises it for what the session cannot have.
    """
    given = [_parsed(text) for text in texts]
    of = {kind: [value for each, value in given if each == kind] for kind in _FORMS}
    members, models = ([_pair(kind, value) for value in of[kind]] for kind in ("persona", "model"))
    settings = typed_settings([*of["setting"], *(f"rule={rule}" for rule in of["rule"])])

    def change(past: Session) -> tuple[Session, str]:
        people = library or Library()
        past = _with_options(past, of["option"]) if of["option"] else past
        past = _with_runner(past, of["runner"], dict(models)) if models or of["runner"] else past
        later: list[Change] = [Seat("replaced", who, people.persona(persona)) for who, persona in members]
        later += [Changed(settings)] if settings else []
        if later:
            steer(past, later)
        return past, "; ".join(f"{kind}:{value}" for kind, value in given)

    return change


def reworded(text: str) -> Fork:
    """Return the change that rewords the last message; its moves, and whom it addresses, are read anew.

    Raises:
        UsageError: the text is empty; `fork` raises it where the message reads so already, or is a transcript's.
    """
    if not text.strip():
        raise UsageError("the text is empty", hint="Give the words of the message; nothing was made.")

    def change(past: Session) -> tuple[Session, str]:
        if past.started().kind != "debate":
            raise UsageError(f"session {past.name!r} is a recorded transcript", hint="Change its file, and read it.")
        facts = [*past.events()]
        at, last = next((at, each) for at, each in [*enumerate(facts)][::-1] if isinstance(each, MessagePosted))
        # Behind the last of sealed openings stands that they were read; what was answered on the old words goes.
        before, after = facts[:at], [each for each in facts[at + 1 :] if isinstance(each, PhaseStarted)]
        if text.strip() == last.text.strip():
            raise UsageError(f"m{last.number} reads so already", hint="Change its words; nothing was made.")
        told = Session.in_memory(past.name, before)
        briefing = PromptBuilder(told.started(), memory_of(told), progress_of(told))
        seats = Seating(MessageBus(told.log), briefing, ScriptedRunner({}), {}, AgentListener)
        message = seats[last.who].message(last.number, text.strip(), sealed=last.sealed)
        now = message.model_copy(update={"seq": last.seq, "at": last.at})
        return Session.in_memory(past.name, [*before, now, *after]), f"m{last.number} reworded"

    return change


def _parsed(text: str) -> tuple[str, str]:
    kind, colon, value = (part.strip() for part in text.partition(":"))
    if kind not in _FORMS:
        raise UnknownNameError("change", kind, _FORMS)
    value = " ".join(value.strip("\"'").split())
    if not (colon and value):
        raise UsageError(f"the change {text!r} says nothing of {kind}", hint=f"Write it as {_FORMS[kind]}.")
    return kind, value


def _pair(kind: str, value: str) -> tuple[str, str]:
    name, _, new = (part.strip(" \"'") for part in value.partition("="))
    if not (name and new):
        raise UsageError(f"the change {kind}:{value} lacks a name or a value", hint=f"Write it as {_FORMS[kind]}.")
    if kind == "model" and name not in _MODELS:
        raise UnknownNameError("model to change", name, _MODELS)
    return name, new


def _with_options(past: Session, more: Sequence[str]) -> Session:
    started, progress = past.started(), progress_of(past)
    if progress.ballots and progress.ended is None:
        raise UsageError("an option cannot be added now: ballots are cast", hint="Fork at an earlier message: --at.")
    for proposal in memory_of(past).proposals:
        if any(same_words(proposal.content, text) for text in more):
            raise UsageError(f"{proposal.id} says so already: {proposal.content!r}", hint="Fork before it: --at.")
    options = validation.checked_options((*started.options, *more))
    validation.checked_agenda(started.agenda, started.question, options, progress.settings)
    return begun_as(past, started.model_copy(update={"options": options}))


def _with_runner(past: Session, runners: Sequence[str], models: dict[str, str]) -> Session:
    started = past.started()
    runner = runners[-1] if runners else started.runner
    if runners:
        make_runner(runner)
    if models and not asks_models(runner):
        raise UsageError(
            f"the runner {runner!r} of session {past.name!r} has no models to choose",
            hint="Fork without model:, and go on with another runner: runner:SPEC, or eda resume NEW --runner SPEC.",
        )
    runner = with_models(runner, models) or ""
    if runner == started.runner:
        raise UsageError(f"session {past.name!r} asks {runner} already", hint="Choose another one.")
    return begun_as(past, started.model_copy(update={"runner": runner}))


def begun_as(past: Session, started: SessionStarted) -> Session:
    """Return the session in memory with another first fact."""
    return Session.in_memory(past.name, [started, *past.events(1)])
