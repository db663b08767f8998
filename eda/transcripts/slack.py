"""Slack: an export, as a folder or a ZIP file, or the JSON of one channel. Each channel is a conversation."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

import orjson

from eda.errors import InputError
from eda.panels.files import UserFile
from eda.transcripts.kind import Reading, Row, TranscriptKind, moment, own_id
from eda.words import ENGLISH

MOST = 200_000_000  # Bytes of all files of an export.
_MESSAGE = re.compile(r'"ts"\s*:\s*"\d{9,11}\.\d+"')
_TALK = (None, "bot_message", "thread_broadcast", "me_message", "file_share")
_MARK = re.compile(r"<([@#!])?([^<>|\n]+)(?:\|([^<>\n]*))?>")
_DAY = re.compile(r"(?:[^/]+/)?(?P<channel>[^/]+)/\d{4}-\d\d-\d\d\.json")


def claims(head: str) -> bool:
    """True if a message has the time that Slack uses as its id."""
    return _MESSAGE.search(head) is not None and '"type"' in head


def rows(reading: Reading) -> Iterator[Row]:
    """Yield the messages of each channel in the order of their times."""
    path = reading.file.path
    if path.is_dir():
        found = [each for shape in ("*.json", "*/*.json") for each in sorted(path.glob(shape)) if each.is_file()]
        files = {each.relative_to(path).as_posix(): partial(_text, each) for each in found}
        yield from _export(reading, files, sum(each.stat().st_size for each in found))
    elif reading.stream is None or not reading.is_zip:
        beside = (each / "users.json" for each in path.absolute().parents[:2])
        people = next((_text(each) for each in beside if each.is_file()), "[]")
        yield from _channel(reading, None, [("", reading.json())], _names_of(people))
    else:
        try:
            with zipfile.ZipFile(reading.stream) as packed:
                entries = [each for each in packed.infolist() if each.filename.endswith(".json")]
                reading.file.check_unpacked(entries, MOST, "Give the folder of fewer channels.")
                packed_files = {each.filename: partial(packed.read, each) for each in entries}
                yield from _export(reading, packed_files, sum(each.file_size for each in entries))
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
            raise reading.file.fault(f"is a damaged ZIP file: {error}", "Download the export again.") from None


def _text(path: Path) -> str:
    return UserFile(path, InputError, what="transcript").text(MOST)


def _export(reading: Reading, files: Mapping[str, Callable[[], str | bytes]], size: int) -> Iterator[Row]:
    if size > MOST:
        raise reading.file.fault(f"holds more than {MOST // 1_000_000} MB", "Give the folder of fewer channels.")
    channels: dict[str, list[tuple[str, Any]]] = {}
    for name, read in files.items():
        if match := _DAY.fullmatch(name):
            try:
                channels.setdefault(match["channel"], []).append((f"{name}, ", orjson.loads(read())))
            except (orjson.JSONDecodeError, InputError) as error:
                reading.skip(name, ENGLISH.say("transcripts-no-json", why=str(error)))
    if not channels:
        what = "is a folder, and no file or export of Slack" if not reading.is_zip else "is no export of Slack"
        raise reading.file.fault(
            f"{what}: it has no CHANNEL/YYYY-MM-DD.json", "Name such a folder; save a Word document as text."
        )
    people = _names_of(next((read() for name, read in files.items() if name.endswith("users.json")), "[]"))
    for channel, days in channels.items():
        yield from _channel(reading, channel, days, people)


def _channel(
    reading: Reading, channel: str | None, days: list[tuple[str, Any]], people: Mapping[str, str]
) -> Iterator[Row]:
    talk = []
    for name, value in days:
        messages = value.get("messages") if isinstance(value, dict) else value
        for number, message in enumerate(messages if isinstance(messages, list) else [messages], 1):
            sent = moment(message.get("ts")) if isinstance(message, dict) else None
            if sent is None:
                reading.skip(f"{name}message {number}", "is no message with a time `ts`")
            elif message.get("subtype") not in _TALK:
                reading.left_out[f"{message['subtype']} of Slack"] += 1
            elif not message.get("text"):
                reading.left_out["message without text"] += 1
            else:
                talk.append((sent, f"{name}message {number}", message))
    for sent, where, message in sorted(talk, key=lambda row: row[0]):
        ts, thread, user = message["ts"], message.get("thread_ts"), str(message.get("user"))
        text = _written(str(message["text"]), people)
        who = people.get(user) or _called(message.get("user_profile"), message.get("bot_profile"), message) or user
        more = {"id": ts, "reply_to": None if thread == ts else own_id(thread), "conv": channel, "sent": sent}
        yield from reading.row(where, who, text, **more)


def _called(*profiles: object) -> str:
    """Return the first name in the profiles, the displayed one before others; empty without one."""
    keys = ("display_name", "real_name", "username", "name")
    names = (each.get(key) for each in profiles if isinstance(each, dict) for key in keys)
    return next((name for name in names if isinstance(name, str) and name.strip()), "")


def _names_of(users: str | bytes) -> dict[str, str]:
    """Return the names of users by id; none where the list cannot be read."""
    try:
        value = orjson.loads(users)
    except orjson.JSONDecodeError:
        return {}
    known = [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
    return {str(each.get("id")): _called(each.get("profile"), each) for each in known}


def _written(text: str, names: Mapping[str, str]) -> str:
    """Return a text as people read it: `@Ana`, `#general`, the address of a link after its words."""

    def read(mark: re.Match[str]) -> str:
        sign, target, label = mark.groups()
        if sign in ("@", "#"):
            return sign + (names.get(target) or label or target)
        if sign == "!":
            return f"@{(label or target).lstrip('@')}"
        return target if label in (None, target) else f"{label} ({target})"

    return unescape(_MARK.sub(read, text))


KINDS: Mapping[str, TranscriptKind] = {
    "slack": TranscriptKind("an export of Slack (folder or ZIP), or a channel's JSON", claims, rows)
}
