"""Sessions: folders with a log, from which all other files can be made again.

Names are imported when they are first used: a list of a thousand sessions reads no log.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eda.session.journal import Journal as Journal
    from eda.session.log import JsonlLog as JsonlLog
    from eda.session.log import MemoryLog as MemoryLog
    from eda.session.names import SOCKET_FILE as SOCKET_FILE
    from eda.session.names import as_typed as as_typed
    from eda.session.names import free_name as free_name
    from eda.session.names import session_names as session_names
    from eda.session.names import sessions_folder as sessions_folder
    from eda.session.places import check_free as check_free
    from eda.session.store import Session as Session

_HOMES = {
    "journal": ("Journal",),
    "log": ("JsonlLog", "MemoryLog"),
    "names": ("SOCKET_FILE", "as_typed", "free_name", "session_names", "sessions_folder"),
    "places": ("check_free",),
    "store": ("Session",),
}
"""The names of each module that the package has too."""


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"eda.session.{module}"), name)
    raise AttributeError(f"module 'eda.session' has no attribute {name!r}")
