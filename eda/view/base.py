"""What every view of a debate starts from: who sits, and about what."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from eda.events import SessionStarted
from eda.personas import Persona
from eda.view.text import one_line

__all__ = ["Sitting", "modelled"]


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a debate is about and who takes part."""

    session: str
    question: str
    members: tuple[Persona, ...]
    """In seat order."""
    options: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    """Names of the texts that the panel must have read."""
    runner: str = ""
    seed: int = 0
    resumed_at: int | None = None
    """The last message before it was taken up again; None at a start."""

    @classmethod
    def again(cls, started: SessionStarted, messages: int) -> Sitting:
        """A session that is taken up after `messages` messages."""
        return cls(
            session=started.session,
            question=started.question,
            members=started.members,
            options=started.options,
            documents=tuple(document.name for document in started.documents),
            runner=started.runner,
            seed=started.seed,
            resumed_at=messages,
        )

    @property
    def seats(self) -> str:
        """`Ada (product manager), Ben (lawyer)`."""
        return ", ".join(f"{one_line(m.title)} ({one_line(m.role)})" for m in self.members)


def modelled(members: Iterable[Persona]) -> dict[str, str]:
    """Members whose file asks for a model, and which; `inherit` asks for none."""
    return {m.title: m.model for m in members if m.model and m.model != "inherit"}
