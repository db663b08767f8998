"""Long tables of cases: `make test` takes some of them in turn, `make test-long` the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

__all__ = ["each_other", "in_turn"]


def each_other(cases: Iterable[Any], first: int = 0, of: int = 2) -> list[Any]:
    """Return the cases, of which `make test` takes one of so many, and `make test-long` the others.

    The other half is taken where `first` is 1.
    """
    return [_case(case if isinstance(case, tuple) else (case,), nth % of == first) for nth, case in enumerate(cases)]


def in_turn(rows: Sequence[Any], columns: Sequence[Any], of: int = 2) -> list[Any]:
    """Return each pair, of which `make test` takes one of so many, and `make test-long` the others.

    Those of `make test` meet each column, and each row where `of` is no more than the columns.
    """
    return [
        _case((row, column), (nth + place) % of == 0)
        for nth, row in enumerate(rows)
        for place, column in enumerate(columns)
    ]


def _case(given: tuple[Any, ...], short: bool) -> Any:
    return pytest.param(*given, marks=() if short else pytest.mark.long)
