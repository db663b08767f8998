"""Sessions: a folder each, whose log is the truth and whose other files can be made again from it."""

from eda.session.log import JsonlLog, MemoryLog
from eda.session.names import free_name, session_names, sessions_folder
from eda.session.store import Session

__all__ = ["JsonlLog", "MemoryLog", "Session", "free_name", "session_names", "sessions_folder"]
