"""Finds JSON in a model's text and reads it as it was meant: trailing commas, comments, any quotes, a missing end."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import json_repair

Piece = tuple[int, int, Any]
"""Where an object or a list begins and ends in a text, and its value."""

_TRIED = 50
"""Most brackets of a text that are tried as the beginning of a value."""
_DEEPEST, _LONGEST = 30, 20_000
"""Brackets within one another, and characters, of a value that is repaired; JSON without a fault may be longer."""
_BEGINS = re.compile(r"[{\[]")
_DECODER = json.JSONDecoder(strict=False)
_TOKEN = re.compile(
    r"""(?P<string>(?:["“„](?:\\.|[^\\])*?["”“]|(?<=[\s:,{\[])['‘](?:\\.|[^\\])*?['’])
          (?=\s*(?:\Z|[}\]:]|//|/\*|\#|\n\s*["'“}\]]|"\w+"\s*:
                 |,\s*(?:\Z|["'“„‘{\[}\]\d/\#-]|[^\W\d]\w*\s*:|\w+\s*[,}\]]))))  # else the mark belongs to the string
      |(?P<cut>["“„]|(?<=[\s:,{\[])['‘])
      |(?P<comment>//[^\n]*|/\*.*?\*/|(?<![^\s,])\#[^\n]*)
      |(?P<nothing>:(?=\s*[,}\]]))
      |(?P<null>\b(?:NaN|undefined)\b)
      |(?P<words>(?<=[:,\[\s])\d[\d.]*\s*(?![eE][-+]?\d)[^\W\d_][^,:\[\]{}"\n]*|<[^,:\[\]{}"\n]*)
      |(?P<mark>[{}\[\],:])""",
    re.DOTALL | re.VERBOSE,
)
_ESCAPE = re.compile(r"(\\[\"\\/bfnrtu])|\\?(.)", re.DOTALL)


def pieces_of(text: str) -> Iterator[Piece]:
    """Yield the outermost objects and lists of a text, in order. What a cut answer holds in full is kept."""
    at = 0
    for _ in range(_TRIED):
        begin = _BEGINS.search(text, at)
        if begin is None:
            return
        at = begin.start()
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            try:
                value, end = _repaired(text, at)
            except (ValueError, RecursionError):
                at += 1
                continue
        yield at, end, value
        at = end


def _repaired(text: str, at: int) -> tuple[Any, int]:
    """Return the value that begins at an offset, and where it ends; raises ValueError where none stands there.

    The library completes a value that breaks off, and ends words after a figure: it is given what is whole, in quotes.
    """
    inside, before, parts, whole, last = "", "", [""], 0, at
    for token in _TOKEN.finditer(text, at, at + _LONGEST):
        kind, mark = token.lastgroup, token[0]
        if kind == "nothing" or len(inside) > _DEEPEST:
            raise ValueError("no value, or too deep")
        if kind == "cut":
            break
        written = {"comment": " ", "null": "null", "words": json.dumps(mark.strip()), "mark": mark}
        parts += [text[last : token.start()], written.get(str(kind)) or _quoted(mark)]
        last = token.end()
        if mark in "{[":
            inside += mark
        elif mark in "}]":
            inside, whole = inside[:-1], len(parts)
        elif mark == "," or (kind == "string" and (before == ":" or inside[-1] == "[")):
            whole = len(parts) - (mark == ",")
        before = before if kind == "comment" else mark
        if not inside:
            break
    if inside and len(text) > at + _LONGEST:
        raise ValueError("too long")
    value = json_repair.loads("".join(parts[:whole]), skip_json_loads=True)
    if type(value) is not {"{": dict, "[": list}[text[at]]:
        raise ValueError("no value")
    return value, len(text) if inside else last


def _quoted(string: str) -> str:
    """Return a string of any marks in those of JSON."""
    inner = _ESCAPE.sub(lambda each: each[1] or {'"': '\\"', "\\": "\\\\"}.get(each[2], each[2]), string[1:-1])
    return f'"{inner}"'
