"""Makes a debate that is asked for by names ready: looks every name up, reads every file, checks every setting.

What is wrong with a name is said here, for the command, a study, a page, a client of MCP and a script alike: the error
tells what it is, and what to do; its `about` tells of which field of the request.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from eda.debate.debate import Debate
from eda.debate.floor.policies import FOR_GUESTS
from eda.debate.person import member_called
from eda.debate.prompts.texts import read_prompts
from eda.debate.validation import agenda_of, checked_question, panel_settings
from eda.errors import EdaError, UsageError
from eda.panels.agenda import Agenda
from eda.panels.alternatives import alternatives_in
from eda.panels.documents.document import Document
from eda.panels.documents.read import document_of, is_url, read_documents, with_unique_names
from eda.panels.files import CONTROLS
from eda.panels.panel import Library, Panel, check_seats
from eda.panels.persona import Persona
from eda.panels.request import DEFAULT_PANEL, DebateRequest
from eda.panels.settings import FROM_FILE, Settings, limit
from eda.runners.models import ModelSpec, asks_models
from eda.runners.protocol import Runner
from eda.runners.shipped import default_spec, make_runner, with_models
from eda.session import Session
from eda.words import fault


@dataclass(frozen=True, slots=True)
class Prepared:
    """A debate that can begin."""

    request: DebateRequest
    panel_library: Library
    panel: Panel | None  # None where personas were named one by one.
    members: tuple[Persona, ...]
    agenda: Agenda
    settings: Settings
    documents: tuple[Document, ...]
    prompts: Mapping[str, str]
    runner: str  # The spec of who answers, with the models chosen for it.

    def debate(self, runner: Runner | None = None, session: Session | None = None, **parts: Any) -> Debate:
        """Return the debate; without a session it stays in memory. `parts` are objects, as of `Debate`.

        Raises:
            EdaError: it cannot be so.
        """
        return Debate(
            self.request.question,
            self.panel or self.members,
            runner or make_runner(self.runner),
            options=self.request.options,
            documents=self.documents,
            facts=self.request.facts,
            stances=self.request.stances,
            settings=self.settings,
            seed=self.request.seed,
            session=session,
            library=self.panel_library,
            prompts=self.prompts,
            agenda=self.agenda,
            human=self.request.human,
            **parts,
        )

    @property
    def offered(self) -> tuple[str, ...]:
        """The alternatives that stand in the question, where no options are given and one answer is wanted."""
        one = (self.settings.answer or self.agenda.answer) != "list" and self.agenda.choices != "proposals"
        return alternatives_in(self.request.question) if one and not self.request.options else ()

    def limited(self, to: Mapping[str, float | None]) -> "Prepared":
        """Return it with other limits, by what they limit: `messages`, `seconds`."""
        return replace(self, settings=self.settings.model_copy(update={limit(of): most for of, most in to.items()}))


def prepared(
    request: DebateRequest,
    base: Path | None = Path(),
    *,
    library: Library | None = None,
    left_out: list[str] | None = None,
) -> Prepared:
    """Return what the request names.

    Args:
        request: What is asked for.
        base: The folder to which the paths in it are relative; None where a path is no name.
        library: Where personas and panels are looked up; None for EDA's, and those in the folders of the request.
        left_out: Gets a line for each file of a folder that is no document; without it, such a file is an error.

    Raises:
        EdaError: a name is unknown, a file cannot be read, or a setting cannot be as it is chosen.
    """
    library, panel, members = _seated(request, base, library)
    base = base or Path()
    with _about("format"):
        file = request.format.endswith(".toml")
        agenda = agenda_of(str(base / request.format) if file else request.format or None, panel)
    agenda = agenda.model_copy(update={"anonymous": True}) if request.names == "hidden" else agenda
    chosen = {"floor": FOR_GUESTS} if request.invite else {}
    chosen |= {name: value for name, value in request.settings.items() if value not in (None, "", (), [])}
    agenda = agenda.with_floor(chosen["floor"]) if "floor" in chosen else agenda
    settings = Settings.of_data({**panel_settings(panel).model_dump(), **chosen}, FROM_FILE)
    with _about("context"):
        documents = with_unique_names(_documents(request, base, left_out))
    with _about("prompts"):
        prompts = read_prompts(base / request.prompts) if request.prompts else {}
    question = checked_question(request.question)
    with _about("runner"):
        runner = with_models(request.runner, request.models) or default_spec()
    if request.seats:
        with _about("seats"):
            library = _with_own_models(library, members, request.seats, runner)
            members = tuple(library.personas[member.name] for member in members)
    return Prepared(
        request=request.model_copy(update={"question": question}),
        panel_library=library,
        panel=panel,
        members=members,
        agenda=agenda,
        settings=settings,
        documents=documents,
        prompts=prompts,
        runner=runner,
    )


@contextmanager
def _about(field: str) -> Iterator[None]:
    """Have errors tell of which field of the request they are."""
    try:
        yield
    except EdaError as error:
        error.about = error.about or field
        raise


def _seated(
    request: DebateRequest, base: Path | None, library: Library | None
) -> tuple[Library, Panel | None, tuple[Persona, ...]]:
    if request.panel and request.personas:
        raise fault("error-panel-and-personas")
    with _about("personas_dir"):
        folders = [each and (base or Path()) / each for each in (request.personas_dir, request.panels_dir)]
        library = library or Library(folders[0], panels=folders[1])

    def file(name: str, ending: str) -> str:
        return str(base / name) if base is not None and name.endswith(ending) else name

    if not request.personas:
        with _about("panel"):
            panel = library.panel(file(request.panel or DEFAULT_PANEL, ".toml"), files=base is not None)
            return library, panel, library.members(panel)
    with _about("personas"):
        named = (library.persona(file(name, ".md"), files=base is not None) for name in request.personas)
        members = check_seats([*named])
        return _changed(library, members), None, members


def _documents(request: DebateRequest, base: Path, left_out: list[str] | None) -> Iterator[Document]:
    yield from (document_of(given.name, given.data) for given in request.documents)
    for named in request.context:
        yield from read_documents(named if is_url(named) else base / named, left_out)
    if text := CONTROLS.sub("", request.text).strip():
        yield Document("context", text)


def _changed(library: Library, members: Sequence[Persona]) -> Library:
    """Return a library of its own in which these personas stand under their names."""
    own = copy(library)
    own.personas = {**library.personas, **{member.name: member for member in members}}
    return own


def _with_own_models(library: Library, members: Sequence[Persona], seats: Sequence[str], runner: str) -> Library:
    """Return a library whose personas ask for the models that `NAME=SPEC` gives them.

    Raises:
        UsageError: no model is given, a spec is malformed, or the debate's runner asks no models.
        UnknownNameError: nobody of that name is seated.
    """
    if runner.startswith("simulated"):
        hint = "Name the one for summaries, the report and all other members: --runner PROVIDER:MODEL."
        raise UsageError("--seat needs a debate that is run by a model, and `simulated` is none", hint=hint)
    changed = []
    for each in seats:
        name, _, spec = (part.strip() for part in each.partition("="))
        if not spec:
            raise UsageError(f"--seat {each!r} names no model", hint="Write it as --seat Maya=openrouter:VENDOR/MODEL.")
        member = member_called(members, name)
        if asks_models(spec):
            parsed = ModelSpec.parse(spec)
            if not parsed.speak:
                raise UsageError(f"--seat {each!r} names no model", hint=f"Write it as --seat {name}={spec}:MODEL.")
            spec = str(parsed)
        changed.append(member.model_copy(update={"model": spec}))
    return _changed(library, changed)
