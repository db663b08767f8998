"""JSON lines: a row on each line."""

from collections.abc import Iterator, Mapping

from pydantic import ValidationError

from eda.text import regex
from eda.transcripts.kind import Reading, Row, TranscriptKind, fault_of
from eda.words import ENGLISH

_A_ROW = 'A row is a JSON object, such as {"speaker": "Maya", "text": "..."}.'
_ROW = regex(r'\s*\{.*"speaker"\s*:')


def rows(reading: Reading) -> Iterator[Row]:
    """Yield the row of each line; a bad one, or one with the id of another, is an error unless these are skipped."""
    seen: set[tuple[str, str]] = set()
    usable = False
    for number, line in enumerate(reading.raw.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = Row.model_validate_json(line.removeprefix(b"\xef\xbb\xbf"))
        except ValidationError as error:
            fault = fault_of(error)
        else:
            conv = row.conv or reading.file.path.stem
            twice = (conv, row.id) in seen
            fault = ENGLISH.say("transcripts-id-twice", id=repr(row.id), talk=repr(conv)) if twice else ""
        if not fault:
            usable = True
            if row.id is not None:
                seen.add((conv, row.id))
            yield row
        elif reading.skip_bad:
            reading.skip(number, fault)
        else:
            raise reading.file.fault(fault, f"{_A_ROW} Correct the row, or skip bad rows with --skip-bad.", number)
    if not usable:
        raise reading.file.fault("has no usable row", _A_ROW)


KINDS: Mapping[str, TranscriptKind] = {
    "jsonl": TranscriptKind("a JSON object with `speaker` and `text` on each line", _ROW.match, rows)
}
