"""Teams and Otter text: a line with a name and a time, and below it what was said until the next such line."""

from collections.abc import Iterator, Mapping

from eda.text import regex
from eda.transcripts.kind import Reading, Row, TranscriptKind

_HEAD = regex(r"(?P<name>[^\W\d_][^\n\t]{0,78}?)(?P<gap>[ \u00a0]{2,40}| ?\t+)(?:(\d{1,2}):)?(\d{1,3}):(\d\d)[ \t]*")
_OF_OTTER = "  "
_REMARK = regex(r".{1,80} (?:started|stopped) transcription|Transcribed by https?://otter\.ai.*")


def _gap(head: str) -> str:
    """Return what stands between name and time in the first such line; empty without one."""
    return next((match["gap"] for match in map(_HEAD.fullmatch, head.split("\n")) if match), "")


def rows(reading: Reading) -> Iterator[Row]:
    """Yield the messages; their texts keep their lines."""
    messages: list[tuple[int, str, int, list[str]]] = []
    for number, line in enumerate(reading.text.split("\n"), 1):
        head = _HEAD.fullmatch(line)
        if head is not None:
            hours, minutes, seconds = (int(each or 0) for each in head.groups()[2:])
            messages.append((number, head["name"], hours * 3600 + minutes * 60 + seconds, []))
        elif _REMARK.fullmatch(line.strip()) or (not messages and line.strip()):
            reading.left_out["line of the export itself"] += 1
        elif messages:
            messages[-1][-1].append(line)
    for where, who, since, body in messages:
        yield from reading.row(where, who, "\n".join(body).strip(), t=since)


KINDS: Mapping[str, TranscriptKind] = {
    "teams": TranscriptKind("text of Microsoft Teams", lambda head: _gap(head) not in ("", _OF_OTTER), rows),
    "otter": TranscriptKind("text of Otter", lambda head: _gap(head) == _OF_OTTER, rows),
}
