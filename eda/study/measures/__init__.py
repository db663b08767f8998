"""The measures of a study: each has a definition, a source and a fold over rows, so that it applies to old runs."""

from collections.abc import Mapping

from eda.errors import UnknownNameError
from eda.study.measures import outcomes, panel, polarisation
from eda.study.measures.base import Measure

__all__ = ["MEASURES", "Measure", "measure_named"]

_FILES = (outcomes, panel, polarisation)
MEASURES: Mapping[str, Measure] = {measure.name: measure for file in _FILES for measure in file.MEASURES}
"""Every measure, by its name."""


def measure_named(name: str) -> Measure:
    """Return the measure of that name.

    Raises:
        UnknownNameError: there is none; the hint names the nearest.
    """
    if name not in MEASURES:
        raise UnknownNameError("measure", name, MEASURES)
    return MEASURES[name]
