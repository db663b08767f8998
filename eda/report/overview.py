"""What a list says of a session: its row, which is stored beside its log.

So a list of a thousand sessions reads no log. The record names the size and the time of the log that it was made from;
where they differ, it is made anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from eda.errors import EdaError
from eda.session.names import LOG_FILE, OVERVIEW_FILE, SOCKET_FILE, check_plain
from eda.words import ENGLISH, Words

if TYPE_CHECKING:
    from eda.debate.state import DebateState
    from eda.events import SessionStarted

_VERSION = 8  # Of the row: one more with each change of it.


def overview(folder: Path) -> dict[str, Any]:
    """Return the row of a session; for one that cannot be read, its name and the reason."""
    try:
        made_from = _log_of(folder)
        with suppress(OSError):  # reading it tells
            check_plain(folder)
        row = _stored(folder, made_from) or _made(folder, made_from)
    except EdaError as error:
        return {"session": folder.name, "error": str(error)}
    running = row["state"] == "unfinished" and (folder / SOCKET_FILE).exists() and _running(folder)
    return {**row, "session": folder.name} | ({"state": "running"} if running else {})


def forked_from(row: Mapping[str, Any], words: Words = ENGLISH) -> str:
    """Return where the session of a row comes from, and what was changed; empty where it was not forked."""
    if not row.get("from"):
        return ""
    from eda.events import Parent  # noqa: PLC0415 - most rows need none of it
    from eda.report.phrases import parent_phrase  # noqa: PLC0415 - as above

    return parent_phrase(Parent(**row["from"]), words)


def _log_of(folder: Path) -> list[int]:
    """Return what tells the log from an earlier one; nothing where it cannot be looked at."""
    with suppress(OSError):
        stat = (folder / LOG_FILE).stat()
        return [_VERSION, stat.st_size, stat.st_mtime_ns]
    return []


def _stored(folder: Path, made_from: list[int]) -> dict[str, Any] | None:
    with suppress(OSError, orjson.JSONDecodeError, KeyError, TypeError):
        record = orjson.loads((folder / OVERVIEW_FILE).read_bytes())
        if record["made_from"] == made_from and isinstance(record["row"], dict):
            return dict(record["row"])
    return None


def _made(folder: Path, made_from: list[int]) -> dict[str, Any]:
    """Return the row of a session's log, and store it where the folder can be written."""
    from eda.debate.replay import memory_of, progress_of  # noqa: PLC0415 - a list of known sessions needs none of it
    from eda.report.gather import report_of  # noqa: PLC0415 - as above
    from eda.report.json_data import decision_of, minuted_data  # noqa: PLC0415 - as above
    from eda.session.store import Session, replace_file  # noqa: PLC0415 - as above

    with Session.read(folder) as session:
        row = session_row(session.started(), progress := progress_of(session))
        if progress.verdict is not None:
            row["decision"] = decision_of(report_of(session, progress, memory_of(session)), progress.verdict)
        elif row["kind"] == "transcript":
            row["decision"] = minuted_data(progress, memory_of(session))
    with suppress(OSError, EdaError):
        replace_file(folder / OVERVIEW_FILE, orjson.dumps({"made_from": made_from, "row": row}))
    return row


def _running(folder: Path) -> bool:
    from eda.debate.control.socket import is_running  # noqa: PLC0415 - as above
    from eda.session.store import Session  # noqa: PLC0415 - as above

    with Session.read(folder) as session:
        return is_running(session)


def session_row(started: SessionStarted, progress: DebateState) -> dict[str, Any]:
    """Return the row of a session, as `--json` prints it."""
    verdict, spent = progress.verdict, progress.spent
    return {
        "session": started.session,
        "kind": started.kind,
        "question": started.question,
        "language": progress.settings.language,
        "panel": started.panel or ", ".join(member.title for member in started.members),
        "members": list(progress.members),
        "messages": progress.messages,
        "state": progress.state,
        "reason": progress.why_stopped,
        "verdict": verdict is not None,
        "outcome": verdict.outcome if verdict else None,
        "margin": verdict.margin if verdict else None,
        "cost": spent.cost,
        "unpriced_calls": spent.unpriced_calls,
        "from": started.parent and asdict(started.parent),
        "runner": started.runner,
        "marks": list(progress.players.marks),
        "started": progress.first_at.isoformat() if progress.first_at else None,
        "last": progress.last_at.isoformat() if progress.last_at else None,
    }
