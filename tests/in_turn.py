"""Long tables of cases: `make test` takes some of them in turn, `make test-long` the others, or one test takes all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

__all__ = ["each_other", "in_one", "in_turn"]


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


def in_one(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Have one test try all cases of a table: a test of its own takes longer than a small case.

    It tells of each case that fails, as `parametrize`, whose arguments these are, would have it told.
    """

    def decorated(test: Callable[..., None]) -> Callable[[], None]:
        def every_case() -> None:
            failed = list[BaseException]()
            for nth, case in enumerate(cases):
                given = {names: case} if isinstance(names, str) else dict(zip(names, case, strict=True))
                try:
                    test(**given)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - the other cases are tried, too
                    error.add_note(f"case {nth}: {given}")
                    failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {nth + 1} cases", failed)

        every_case.__name__, every_case.__doc__, every_case.__module__ = test.__name__, test.__doc__, test.__module__
        return every_case

    return decorated


def _case(given: tuple[Any, ...], short: bool) -> Any:
    return pytest.param(*given, marks=() if short else pytest.mark.long)
