"""The ledger of a study: what became of it, entry by entry, each chained to the one before as the facts of a log are.

The folder's own ledger is published with it. The user's ledger, with what EDA keeps for this user, knows the folders in
which studies were run, and how each of their ledgers ended.
"""

import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from eda.panels.files import own_mode
from eda.session.chain import Checked, check, facts_of, link, links
from eda.session.log import disk_errors, sync
from eda.session.names import user_data
from eda.session.places import lock_folder
from eda.text import regex

LEDGER = "ledger.jsonl"
KNOWN = "studies.jsonl"
"""The user's ledger: a line for each time that a study was begun, run or exported."""
_HEAD = regex(rb'"chain":"([0-9a-f]{64})","crc":"[0-9a-f]{8}"\}\n\Z')
_HEAD_ROOM = 120
_WAIT = 60.0  # Seconds that a command waits for another one that writes an entry.
Entry = dict[str, Any]


def now() -> str:
    """Return the time as it is noted."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def note(out: Path, kind: str, **what: object) -> str:
    """Add an entry to the ledger of a folder, and return its hash.

    Raises:
        SessionError: it cannot be written; SessionBusyError: another command has it for long.
    """
    path = out / LEDGER
    with disk_errors(path, "written"), lock_folder(out, _WAIT), path.open("a+b") as file:
        file.seek(max(0, file.tell() - _HEAD_ROOM))
        found = _HEAD.search(file.read())
        if found is None:  # the first entry, or one that was cut short while it was written is taken away
            file.truncate(sum(map(len, _whole(path))))
        head = found[1].decode() if found else end_of(_whole(path))[1]
        body = orjson.dumps({"at": now(), "kind": kind, **what})[:-1]
        head = link(head, body)
        body += b',"chain":"%b"' % head.encode()
        file.write(b'%b,"crc":"%08x"}\n' % (body, zlib.crc32(body)))
        file.flush()
        sync(file.fileno())
    return head


def _whole(path: Path) -> list[bytes]:
    """Return the entries of a ledger as they stand, without one that was cut short."""
    return [line for line in lines_of(path) if line.endswith(b"\n")]


def end_of(lines: list[bytes]) -> tuple[int, str]:
    """Return how many lines these are, and the hash of the last of them; empty where there is none."""
    return len(lines), [("", ""), *links(lines)][-1][1]


def lines_of(path: Path) -> list[bytes]:
    """Return the lines of a file; none where it is not there."""
    try:
        return path.read_bytes().splitlines(keepends=True)
    except OSError:
        return []


def entries(out: Path) -> list[Entry]:
    """Return the entries of a folder's ledger that can be read."""
    with suppress(ValueError, AttributeError):
        return facts_of(lines_of(out / LEDGER))
    return []


def entries_after(out: Path, at: int) -> tuple[list[Entry], int]:
    """Return what any command has noted in a folder's ledger after so many bytes, and how many there are now."""
    with (out / LEDGER).open("rb") as file:
        file.seek(at)
        whole = file.read().rpartition(b"\n")[0]
    return facts_of(whole.splitlines()), at + len(whole) + bool(whole)


def standing(found: Iterable[Entry]) -> dict[str, Entry]:
    """Return the end of each cell that the entries have, and that was not taken back."""
    last: dict[str, Entry] = {}
    for entry in found:
        if entry["kind"] == "cell":
            last[entry["cell"]] = entry
        elif entry["kind"] in ("retried", "deleted"):
            last.pop(entry["cell"], None)
    return last


def remember(out: Path, study: str, parts: Mapping[str, str]) -> None:
    """Note in the user's ledger that a study has this folder, and how the folder's ledger ends."""
    facts, head = end_of(_whole(out / LEDGER))
    ended = sum(entry["state"] == "ended" for entry in standing(entries(out)).values())
    row = {"at": now(), "folder": str(out.resolve()), "study": study, "parts": dict(parts), "ended": ended}
    with suppress(OSError, RuntimeError):  # who has no home has no ledger of their own
        folder = user_data()
        folder.mkdir(own_mode(0o777), parents=True, exist_ok=True)
        with (folder / KNOWN).open("ab") as file:
            file.write(orjson.dumps({**row, "facts": facts, "head": head}) + b"\n")


def _remembered() -> dict[str, list[Entry]]:
    """Return what the user's ledger has of each folder, in order."""
    rows: dict[str, list[Entry]] = {}
    with suppress(OSError, RuntimeError):
        for line in lines_of(user_data() / KNOWN):
            with suppress(orjson.JSONDecodeError, KeyError, TypeError):
                row = orjson.loads(line)
                rows.setdefault(row["folder"], []).append(row)
    return rows


def others(out: Path, study: str, parts: Mapping[str, str]) -> list[Entry]:
    """Return what the user's ledger has of other folders of a study: of its name, or of its tasks and arms."""
    same, here = {key: parts.get(key) for key in ("tasks", "fixed", "arms")}, str(out.resolve())
    rows = [found[-1] for folder, found in _remembered().items() if folder != here]
    return [row for row in rows if row["study"] == study or {key: row["parts"].get(key) for key in same} == same]


def check_ledger(out: Path) -> Checked:
    """Return whether the ledger of a folder is whole, and has all that this user's ledger knows of it."""
    lines = lines_of(out / LEDGER)
    checked = check(lines)
    for row in _remembered().get(str(out.resolve()), ()):
        if checked.state == "whole":
            checked = check(lines[: row["facts"]], row["facts"], row["head"])
    return checked


def head_of_freeze(out: Path) -> str:
    """Return the digest to deposit: the hash of the first entry; empty where there is none."""
    return end_of(lines_of(out / LEDGER)[:1])[1]
