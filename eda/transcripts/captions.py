"""Captions: WebVTT, SubRip and Zoom's, whose cues become messages.

Consecutive cues of one speaker are one message, joined by a space, while the pause between them is `GAP` at most. Cues
without a speaker are joined only until a sentence ends, since nobody knows who goes on.
"""

import html
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from eda.text import regex
from eda.transcripts.kind import UNKNOWN, Reading, Row, TranscriptKind

GAP = 2.0  # Seconds.
_LONGEST = 10_000  # Characters of a message to which no cue is joined any more.
_TIME = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})"
_TIMES = regex(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s.*)?")
_VOICE = regex(r"<v(?:\.[^\s<>]*)?(?:[ \t]+([^<>]*))?>(.*?)(?:</v>|(?=<v[.\s>])|\Z)", "S")
_TAG = regex(r"</?(?:[cbiuv]|ruby|rt|lang|font)(?:[.\s][^<>]*)?>|<\d[\d:.]*>|\{\\[^{}]*\}", "I")
_NAMED = regex(r"\s*([^\W\d_][^:<>\n]{0,58}):[ \t]+(\S.*)", "S")
_FIRST_LINE = regex(r"-->[^\n]*\n([^\n]*)")
_SUBRIP = regex(r"\s*\d+\s*\n\s*\d{1,4}:\d\d:\d\d,\d{1,3}\s*-->")
_ASIDE = ("NOTE", "STYLE", "REGION", "WEBVTT")
_BLOCK = regex(r"(?:[^\n]+(?:\n|\Z))+")
_ENDED = regex(r"[.?!…][\"')\]»”]*$")


class _Cue(NamedTuple):
    line: int
    begin: float
    end: float
    text: str
    speaker: str = UNKNOWN
    id: str | None = None


def rows(reading: Reading) -> Iterator[Row]:
    """Yield the messages of captions; a speaker is the voice of a cue, or the name before a colon."""
    named = _names_speakers(reading.text)
    messages: list[_Cue] = []
    for cue in (each for whole in _cues(reading) for each in _voices(whole, named=named)):
        if messages and _goes_on(last := messages[-1], cue):
            messages[-1] = last._replace(end=max(last.end, cue.end), text=f"{last.text} {cue.text}")
        else:
            messages.append(cue)
    for each in messages:
        yield from reading.row(each.line, each.speaker, each.text, t=each.begin, id=each.id)


def _names_speakers(text: str) -> bool:
    """True if at least half of the cues begin with a name and a colon, and none has a voice."""
    cues = [_NAMED.fullmatch(match[1]) is not None for match in _FIRST_LINE.finditer(text)]
    return "<v" not in text and bool(cues) and 2 * sum(cues) >= len(cues)


def _goes_on(last: _Cue, cue: _Cue) -> bool:
    same = cue.speaker == last.speaker and cue.begin - last.end <= GAP and len(last.text) < _LONGEST
    return same and (cue.speaker != UNKNOWN or not _ENDED.search(last.text))


def _cues(reading: Reading) -> Iterator[_Cue]:
    """Yield the cues with their words, tags and all, and count the blocks that are none."""
    first, seen = 1, 0
    for block in _BLOCK.finditer(reading.text):
        first, seen = first + reading.text.count("\n", seen, block.start()), block.start()
        lines = [line for line in block[0].split("\n") if line.strip()]
        if not lines or (lines[0].startswith(_ASIDE) and "-->" not in block[0]):
            continue
        if lines[0].startswith("WEBVTT"):
            del lines[0]
        at = next((place for place, line in enumerate(lines[:2]) if "-->" in line), None)
        times = None if at is None else _TIMES.fullmatch(lines[at])
        if at is None or times is None:
            reading.skip(first, "is no cue with its times")
        elif not lines[at + 1 :]:
            reading.skip(first + at, "is a cue without text")
        else:
            begin, end = _seconds(*times.groups()[:4]), _seconds(*times.groups()[4:])
            own = lines[0].strip() if at else None
            yield _Cue(first, begin, max(begin, end), " ".join(map(str.strip, lines[at + 1 :])), id=own)


def _voices(cue: _Cue, *, named: bool) -> Iterator[_Cue]:
    """Yield what each voice of a cue says, and what nobody's voice says; the id stays with the first."""
    pieces, end = list[tuple[str, str]](), 0
    for match in _VOICE.finditer(cue.text):
        pieces += [(UNKNOWN, cue.text[end : match.start()]), (_plain(match[1] or "") or UNKNOWN, match[2])]
        end = match.end()
    pieces.append((UNKNOWN, cue.text[end:]))
    for who, words in pieces:
        speaker, text = who, _plain(words)
        if named and (name := _NAMED.fullmatch(text)):
            speaker, text = name[1].strip(), name[2]
        if text:
            yield cue._replace(speaker=speaker, text=text)
            cue = cue._replace(id=None)


def _plain(text: str) -> str:
    return html.unescape(_TAG.sub("", text)).strip()


def _seconds(hours: str | None, minutes: str, seconds: str, part: str) -> float:
    return ((int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)) * 1000 + int(part.ljust(3, "0"))) / 1000


KINDS: Mapping[str, TranscriptKind] = {
    "vtt": TranscriptKind(
        "WebVTT, with voices (Teams) or without",
        lambda head: head.startswith("WEBVTT") and not _names_speakers(head),
        rows,
    ),
    "zoom": TranscriptKind(
        "WebVTT whose cues begin with a name and a colon",
        lambda head: head.startswith("WEBVTT") and _names_speakers(head),
        rows,
    ),
    "srt": TranscriptKind("SubRip captions", _SUBRIP.match, rows),
}
