"""From the options of `eda debate` to a debate. Everything is checked before the first file is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from eda.agenda import Agenda
from eda.cli import interruptible
from eda.cli.common import print_json
from eda.cli.models import with_models
from eda.cli.running import advice, finish, recorded_in, run, seat_of
from eda.cli.votes import VOTE_SETTINGS, check_votes
from eda.debate import Debate
from eda.documents import read_document
from eda.panels import Library, Panel
from eda.patterns import PatternPack
from eda.personas import Persona
from eda.prompts import read_prompts
from eda.protocols import Runner
from eda.reading import Reading
from eda.records import Document
from eda.runners.names import default_spec, make_runner
from eda.session import Session, check_free, free_name, session_names, sessions_folder
from eda.settings import Settings
from eda.setup import agenda_of, panel_settings
from eda.view.base import Sitting

__all__ = ["Order"]

_SETTINGS = (
    *("max_messages", "floor", "bids", "summary_every", "summary_style", "max_cost", "max_tokens", "max_seconds"),
    "baseline",
    *VOTE_SETTINGS,
)


@dataclass(frozen=True, slots=True)
class Order:
    """A debate as the user asked for it."""

    question: str
    seats: Panel | tuple[Persona, ...]
    options: tuple[str, ...]
    documents: tuple[Document, ...]
    settings: Settings
    people: Library
    runner: str | None
    """As given; None where it was left open."""
    seed: int
    name: str | None
    folder: Path
    record: bool
    patterns: PatternPack | None
    prompts: Mapping[str, str]
    agenda: Agenda
    human: str | None = None
    human_time: float | None = None

    @classmethod
    def read(cls, question: str, panel: str, names: tuple[str, ...], given: Mapping[str, Any]) -> Order:
        """Look everything up that is named.

        Raises:
            EdaError: a name that stands for nothing, or a file that cannot be read.
        """
        library = Library(given["personas_dir"])
        seats = tuple(map(library.persona, names)) or library.panel(panel)
        own = {key: given[key] for key in _SETTINGS if given[key] is not None}
        named = seats if isinstance(seats, Panel) else None
        usual = panel_settings(named)
        agenda = agenda_of(given["agenda"], named)
        settings = Settings.model_validate(usual.model_dump() | own)
        check_votes(settings, agenda, given)
        return cls(
            question=question.strip(),
            seats=seats,
            options=given["options"],
            documents=told_apart(map(read_document, given["files"])),
            settings=settings,
            people=library,
            runner=with_models(given["runner"], given["models"]),
            seed=given["seed"],
            name=given["name"],
            folder=sessions_folder(given["folder"]),
            record=given["record"],
            patterns=given["patterns"],
            prompts=read_prompts(given["prompts"]) if given["prompts"] else {},
            agenda=agenda.with_floor(given["floor"]) if given["floor"] else agenda,
            human=given["human"],
            human_time=given["human_time"],
        )

    @property
    def spec(self) -> str:
        """The runner to use."""
        return self.runner if self.runner is not None else default_spec()

    def debate(
        self,
        session: Session | None = None,
        seed: int | None = None,
        runner: Runner | None = None,
        seats: Mapping[str, Runner] | None = None,
    ) -> Debate:
        """The debate; in memory where no session is given."""
        folder = session.folder if session is not None and self.record else None
        return Debate(
            self.question,
            self.seats,
            recorded_in(folder, runner or make_runner(self.spec)),
            options=self.options,
            documents=self.documents,
            settings=self.settings,
            seed=self.seed if seed is None else seed,
            session=session,
            patterns=self.patterns,
            library=self.people,
            prompts=self.prompts,
            agenda=self.agenda,
            human=self.human,
            seats=seats,
        )

    def sitting(self, debate: Debate, seed: int | None = None) -> Sitting:
        """What the views show of it."""
        return Sitting(
            session=debate.session.name,
            question=self.question,
            members=debate.members,
            options=self.options,
            documents=tuple(document.name for document in self.documents),
            in_part=Reading(self.documents).in_part,
            runner=self.spec,
            seed=self.seed if seed is None else seed,
            anonymous=self.agenda.anonymous,
            sides={member.title: self.agenda.side(seat) for seat, member in enumerate(debate.members)},
        )

    def check(self) -> None:
        """Set the debate up in memory: what is wrong with it comes out before anything is on the disk."""
        self.debate()

    def names(self, endings: Sequence[str] = ("",)) -> list[str]:
        """Names for its sessions, as asked or after the question, one an ending.

        Raises:
            SessionNameError, SessionExistsError: one is no plain name, or is taken.
        """
        base = stem = self.name if self.name is not None else free_name(self.question, self.folder)
        taken = {name.casefold() for name in session_names(self.folder)} if self.name is None else set()
        number = 1
        while any((stem + ending).casefold() in taken for ending in endings):
            number += 1
            stem = f"{base}-{number}"
        for ending in endings:
            check_free(stem + ending, self.folder)
        return [stem + ending for ending in endings]

    def foretell(self, *, as_json: bool) -> int:
        """Print what it would take, without a call; gives the exit code."""
        from eda.forecast import forecast, named_models
        from eda.view.cost import forecast_data, print_forecast
        from eda.view.style import console_for

        spec = named_models(self.spec)
        timeless = replace(self, settings=self.settings.model_copy(update={"max_seconds": None}))
        data = {"runner": spec, **forecast_data(forecast(lambda runner: timeless.debate(runner=runner), spec))}
        if as_json:
            print_json(data)
        else:
            print_forecast(data, console_for())
        return 0

    def carry_out(self, *, as_json: bool, quiet: bool) -> int:
        """Run it, show it, save it; gives the exit code."""
        self.check()
        (name,) = self.names()
        interruptible()
        with Session.create(name, self.folder) as session:
            seat, seats = seat_of(self.human, self.human_time)
            debate = self.debate(session, seats=seats)
            sitting = self.sitting(debate)
            advice(self.runner, self.spec, sitting)
            result = run(debate, sitting, silent=as_json or quiet, baseline=self.settings.baseline, seat=seat)
            return finish(debate, result, sitting, as_json=as_json, quiet=quiet)


def told_apart(documents: Iterable[Document]) -> tuple[Document, ...]:
    """The same, the second `plan.md` called `plan (2).md`: a panel that cites a file must say which."""
    named: dict[str, Document] = {}
    for document in documents:
        name, number = document.name, 1
        while name in named:
            number += 1
            path = Path(document.name)
            name = f"{path.stem} ({number}){path.suffix}"
        named[name] = replace(document, name=name)
    return tuple(named.values())
