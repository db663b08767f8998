"""Sessions: a folder each, whose log is the truth and whose other files can be made again from it."""

from eda.session.log import JsonlLog, MemoryLog
from eda.session.names import DOOR_FILE, as_typed, free_name, session_names, sessions_folder
from eda.session.store import Session, check_free

__all__ = [
    "DOOR_FILE",
    "JsonlLog",
    "MemoryLog",
    "Session",
    "as_typed",
    "check_free",
    "free_name",
    "session_names",
    "sessions_folder",
]
