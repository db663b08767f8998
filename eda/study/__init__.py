"""Studies: a file says what is varied, a cell of it is a session, and every table is a fold over sessions."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eda.study.study import Study as Study

__all__ = ["Study"]


def __getattr__(name: str) -> Any:
    if name != "Study":
        raise AttributeError(f"module 'eda.study' has no attribute {name!r}")
    return import_module("eda.study.study").Study
