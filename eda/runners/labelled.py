"""Reads an answer out of lines of `field: value`, or of tags, as small models write it in place of JSON."""

from collections.abc import Callable, Iterable, Iterator

from eda.text import regex

_LINE = regex(r"[\s>*_#-]*([^\W\d][\w ]{0,30}?)[*_`]*\s*[:=][\s*_`\"']*(.*?)[\s*_`\"',]*")
# The end of a field on a line, and the name of the next one.
_NEXT = regex(r"[.;,]\s+([A-Z][\w ]{0,30}?)(?=[*_`]*\s*:\s)")
_FENCE = regex(r"\s*(?:```\w*|---)?\s*")
_OPENS = regex(r"<([a-z_]{1,40})>", "I")

Field = Callable[[str], str]
"""Returns the name of the field that a label stands for; empty for none."""


def labelled(text: str, field: Field) -> dict[str, str] | None:
    """Return the fields of an answer in tags, or in lines that hold nothing else; None where one has two values."""
    return _each_once((field(name), value) for name, value in _tagged(text)) or _lines(text, field)


def _tagged(text: str) -> Iterator[tuple[str, str]]:
    """Yield what stands between tags, with their names; a name that is never closed is looked for once."""
    at, open_ever = 0, set[str]()
    while opens := _OPENS.search(text, at):
        name, at = opens[1].lower(), opens.end()
        closes = None if name in open_ever else regex(f"</{name}>", "I").search(text, at)
        if closes is None:
            open_ever.add(name)
        else:
            yield name, text[at : closes.start()].strip()
            at = closes.end()


def _lines(text: str, field: Field) -> dict[str, str] | None:
    """Return the fields of an answer that holds nothing else, a line each or in a run, as `Choice: p1. Also: p2`."""
    lines = [part for line in text.splitlines() if not _FENCE.fullmatch(line) for part in _run(line, field)]
    pairs = [(field(match[1]), match[2]) for match in map(_LINE.fullmatch, lines) if match]
    return _each_once(pairs) if len(pairs) == len(lines) and all(name for name, _ in pairs) else None


def _run(line: str, field: Field) -> list[str]:
    """Return the parts of a line that each begin with the name of a field; the line itself where only one does."""
    begins = [match for match in _NEXT.finditer(line) if field(match[1])]
    ends = [match.start() for match in begins] + [len(line)]
    starts = [0] + [match.start(1) for match in begins]
    return [line[start:end] for start, end in zip(starts, ends, strict=True)]


def _each_once(pairs: Iterable[tuple[str, str]]) -> dict[str, str] | None:
    fields: dict[str, str] = {}
    for name, value in pairs:
        if name and fields.setdefault(name, value) != value:
            return None
    return fields or None
