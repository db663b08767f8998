"""Teams and Otter text: a line with a name and a time, and below it what was said until the next such line.

Older exports of Teams have a line with two times, a line with the name, and the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from eda.transcripts.kind import Reading, Row, TranscriptKind

_HEAD = re.compile(
    r"(?P<name>[^\W\d_][^\n\t]{0,78}?)(?P<gap>[ \u00a0]{2,40}| ?\t+)(?:(\d{1,2}):)?(\d{1,3}):(\d\d)()[ \t]*"
)
_TIMES = re.compile(r"(\d{1,3}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,3}))?[ \t]*-->[ \t]*\d[\d:.]*[ \t]*")
_OF_OTTER = "  "
_REMARK = re.compile(r".{1,80} (?:started|stopped) transcription|Transcribed by https?://otter\.ai.*")


def _gap(head: str) -> str:
    """Return what stands between name and time in the first such line; empty without one."""
    return next((match["gap"] for match in map(_HEAD.fullmatch, head.split("\n")) if match), "")


def _is_older_teams(head: str) -> bool:
    """True if the first line is two times with an arrow, without milliseconds after a comma."""
    return _TIMES.fullmatch(head.lstrip().partition("\n")[0]) is not None


def rows(reading: Reading) -> Iterator[Row]:
    """Yield the messages; their texts keep their lines."""
    lines, older = reading.text.split("\n"), _is_older_teams(reading.text[:1000])
    where, who, since, body = 0, "", 0.0, list[str]()
    at = 0
    while at < len(lines):
        line = lines[at]
        head = (_TIMES if older else _HEAD).fullmatch(line)
        at += 1
        if head is None:
            if _REMARK.fullmatch(line.strip()) or (not where and line.strip()):
                reading.left_out["line of the export itself"] += 1
            elif where:
                body.append(line)
            continue
        if where:
            yield from reading.row(where, who, "\n".join(body).strip(), t=since)
        where, body = at, []
        hours, minutes, seconds, part = head.groups()[:4] if older else head.groups()[-4:]
        since = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds + (part or "").ljust(3, "0")) / 1000
        who = head["name"] if not older else lines[at] if at < len(lines) else ""
        at += older
    if where:
        yield from reading.row(where, who, "\n".join(body).strip(), t=since)


KINDS: Mapping[str, TranscriptKind] = {
    "teams": TranscriptKind(
        "text of Microsoft Teams",
        lambda head: _is_older_teams(head) or _gap(head) not in ("", _OF_OTTER),
        rows,
    ),
    "otter": TranscriptKind("text of Otter", lambda head: not _is_older_teams(head) and _gap(head) == _OF_OTTER, rows),
}
