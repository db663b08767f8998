"""From the options of `eda debate` to a debate. Everything is checked before the first file is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eda.cli.running import advice, finish, run
from eda.debate import Debate
from eda.documents import read_document
from eda.events import Settings
from eda.panels import Library, Panel
from eda.patterns import PatternPack
from eda.personas import Persona
from eda.protocols import Runner
from eda.records import Document
from eda.runners.names import default_spec, make_runner
from eda.session import Session, free_name, session_names, sessions_folder
from eda.view.base import Sitting

__all__ = ["Order"]

_SETTINGS = ("max_messages", "floor", "summary_every", "max_cost", "max_tokens", "max_seconds")


@dataclass(frozen=True, slots=True)
class Order:
    """A debate as the user asked for it."""

    question: str
    seats: Panel | tuple[Persona, ...]
    options: tuple[str, ...]
    documents: tuple[Document, ...]
    settings: Settings
    library: Library
    runner: str | None
    """As given; None where it was left open."""
    seed: int
    name: str | None
    folder: Path
    record: bool
    patterns: PatternPack | None

    @classmethod
    def read(cls, question: str, panel: str, names: tuple[str, ...], given: Mapping[str, Any]) -> Order:
        """Look everything up that is named.

        Raises:
            EdaError: a name that stands for nothing, or a file that cannot be read.
        """
        library = Library(given["personas_dir"])
        seats = tuple(map(library.persona, names)) or library.panel(panel)
        own = {key: given[key] for key in _SETTINGS if given[key] is not None}
        if isinstance(seats, Panel):
            default = {"floor": seats.floor, "max_messages": seats.max_messages}
            own = {key: value for key, value in default.items() if value is not None} | own
        return cls(
            question=question.strip(),
            seats=seats,
            options=given["options"],
            documents=tuple(read_document(path) for path in given["files"]),
            settings=Settings(**own),
            library=library,
            runner=given["runner"],
            seed=given["seed"],
            name=given["name"],
            folder=sessions_folder(given["folder"]),
            record=given["record"],
            patterns=given["patterns"],
        )

    @property
    def spec(self) -> str:
        """The runner to use."""
        return self.runner if self.runner is not None else default_spec()

    def debate(self, session: Session | None = None, seed: int | None = None) -> Debate:
        """The debate; in memory where no session is given."""
        runner: Runner | str = self.spec
        if self.record and session is not None and session.folder is not None:
            from eda.runners.recorded import RecordingRunner

            runner = RecordingRunner(make_runner(self.spec), session.folder / "calls.jsonl")
        return Debate(
            self.question,
            self.seats,
            runner,
            options=self.options,
            documents=self.documents,
            settings=self.settings,
            seed=self.seed if seed is None else seed,
            session=session,
            patterns=self.patterns,
            library=self.library,
        )

    def sitting(self, debate: Debate, seed: int | None = None) -> Sitting:
        """What the views show of it."""
        return Sitting(
            session=debate.session.name,
            question=self.question,
            members=debate.members,
            options=self.options,
            documents=tuple(document.name for document in self.documents),
            runner=self.spec,
            seed=self.seed if seed is None else seed,
        )

    def check(self) -> None:
        """Set the debate up in memory: what is wrong with it comes out before anything is on the disk."""
        self.debate()

    def new_session(self, ending: str = "") -> Session:
        """A session for it, named as asked or after the question."""
        if self.name is not None:
            return Session.create(self.name + ending, self.folder)
        base = stem = free_name(self.question, self.folder)
        taken = session_names(self.folder)
        number = 1
        while stem + ending in taken:
            number += 1
            stem = f"{base}-{number}"
        return Session.create(stem + ending, self.folder)

    def carry_out(self, *, as_json: bool, quiet: bool) -> int:
        """Run it, show it, save it; gives the exit code."""
        self.check()
        with self.new_session() as session:
            debate = self.debate(session)
            sitting = self.sitting(debate)
            advice(self.runner, self.spec, sitting)
            result = run(debate, sitting, silent=as_json or quiet)
            return finish(debate, result, sitting, as_json=as_json, quiet=quiet)
