"""Sessions: folders with a log, from which all other files can be made again."""

from eda.session.journal import Journal
from eda.session.log import JsonlLog, MemoryLog
from eda.session.names import SOCKET_FILE, as_typed, free_name, session_names, sessions_folder
from eda.session.store import Session, check_free

__all__ = [
    "SOCKET_FILE",
    "Journal",
    "JsonlLog",
    "MemoryLog",
    "Session",
    "as_typed",
    "check_free",
    "free_name",
    "session_names",
    "sessions_folder",
]
