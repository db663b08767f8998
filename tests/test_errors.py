"""Errors travel: to a worker process and back, and to whoever reads them."""

from __future__ import annotations

import pickle

from in_turn import in_one

from eda import errors
from eda.errors import BudgetError, EdaError, RunnerError, UnknownNameError

ERRORS = [
    UnknownNameError("persona", "rut", ["ruth", "maya"]),
    BudgetError("tokens"),
    RunnerError("the call failed", hint="Try again."),
    *(kind("it went wrong", hint="Mend it.") for kind in EdaError.__subclasses__()),
]


@in_one("error", ERRORS)
def test_an_error_survives_pickling(error: EdaError) -> None:
    """A worker process could not say what was wrong: its pool would hang or name another error."""
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert type(again) is type(error)
    assert (str(again), again.hint, again.exit_code) == (str(error), error.hint, error.exit_code)
    assert again.__dict__ == error.__dict__


def test_every_error_is_in_the_tree_that_is_drawn() -> None:
    """The docstring is where a reader learns which exit code an error has."""
    kinds = [name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, EdaError)]
    assert len(kinds) > 5
    assert [name for name in kinds if name not in (errors.__doc__ or "")] == []
