"""Slack: an export, as a ZIP file, or the JSON of one channel. Each channel is a conversation."""

import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from html import unescape
from io import BytesIO
from typing import Any

import orjson

from eda.text import regex
from eda.transcripts.kind import Reading, Row, TranscriptKind, moment, own_id
from eda.words import ENGLISH

MOST = 200_000_000  # Bytes of all files of an export.
ZIP = b"PK\x03\x04"
_MESSAGE = regex(r'"ts"\s*:\s*"\d{9,11}\.\d+"')
_TALK = (None, "bot_message", "thread_broadcast", "me_message", "file_share")
_MARK = regex(r"<([@#!])?([^<>|\n]+)(?:\|([^<>\n]*))?>")
_DAY = regex(r"(?:[^/]+/)?(?P<channel>[^/]+)/\d{4}-\d\d-\d\d\.json")


def rows(reading: Reading) -> Iterator[Row]:
    """Yield the messages of each channel in the order of their times."""
    if not reading.raw.startswith(ZIP):
        yield from _channel(reading, None, {"": reading.file.json(reading.text)}, {})
        return
    channels: dict[str, dict[str, Any]] = {}
    people: dict[str, str] = {}
    for name, value in _unpacked(reading):
        if match := _DAY.fullmatch(name):
            channels.setdefault(match["channel"], {})[f"{name}, "] = value
        elif name.endswith("users.json") and isinstance(value, list):
            known = (each for each in value if isinstance(each, dict))
            people |= {str(each.get("id")): _called(each.get("profile"), each) for each in known}
    if not channels:
        raise reading.file.fault(
            "is no export of Slack: it has no CHANNEL/YYYY-MM-DD.json",
            "Give the ZIP file that Slack wrote; save a Word document as text.",
        )
    for channel, days in channels.items():
        yield from _channel(reading, channel, days, people)


def _unpacked(reading: Reading) -> Iterator[tuple[str, Any]]:
    """Yield the name and the value of each JSON file of an export, by name."""
    try:
        with zipfile.ZipFile(BytesIO(reading.raw)) as packed:
            names = sorted(name for name in packed.namelist() if name.endswith(".json"))
            reading.file.check_unpacked(map(packed.getinfo, names), MOST, "Pack fewer channels.")
            for name in names:
                try:
                    yield name, orjson.loads(packed.read(name))
                except orjson.JSONDecodeError as error:
                    reading.skip(name, ENGLISH.say("transcripts-no-json", why=str(error)))
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise reading.file.fault(f"is a damaged ZIP file: {error}", "Download the export again.") from None


def _channel(
    reading: Reading, channel: str | None, days: Mapping[str, Any], people: Mapping[str, str]
) -> Iterator[Row]:
    talk = []
    for name, value in days.items():
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
    "slack": TranscriptKind(
        "an export of Slack (ZIP), or a channel's JSON",
        lambda head: _MESSAGE.search(head) is not None and '"type"' in head,
        rows,
    )
}
