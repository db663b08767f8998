"""A debate that is run to its end for the sake of how it decides."""

from __future__ import annotations

from collections.abc import Sequence

from eda import Debate, Runner
from eda.panels.settings import Settings

__all__ = ["decided"]


def decided(runner: Runner, panel: Sequence[str], options: Sequence[str], agenda: str, **settings: object) -> Debate:
    """What that panel and runner make of one and the same question."""
    debate = Debate(
        "What shall we do about the batch?",
        panel,
        runner,
        options=options,
        settings=Settings.model_validate(settings),
        seed=2,
        agenda=agenda,
    )
    debate.run_sync()
    return debate
