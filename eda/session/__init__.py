"""Sessions: folders with a log, from which all other files can be made again."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eda.session.store import Session as Session


def __getattr__(name: str) -> Any:
    """Import `Session` when it is first used: a list of a thousand sessions reads no log."""
    if name != "Session":
        raise AttributeError(f"module 'eda.session' has no attribute {name!r}")
    return import_module("eda.session.store").Session
