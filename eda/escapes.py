"""Codes that steer a terminal. The one rule: no text of a model, a person or a file needs them."""

from __future__ import annotations

import re

__all__ = ["unended", "without_escapes"]

_ESCAPES = re.compile(
    "\x1b\\[[0-?]*[ -/]*[@-~]"  # colours, cursor, screen
    "|\x9b[0-?]*[ -/]*[@-~]"
    # titles, links, clipboard
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f\n]*(?:\x07|\x9c|\x1b\\\\)"
    "|\x1b[ -/]*[0-~]"
)
_UNENDED = re.compile(
    "(?:\x1b(?:\\[[0-?]*[ -/]*|[\\]PX^_][^\x07\x1b\x90\x98\x9c-\x9f\n]{0,500}\x1b?|[ -/]*)|\x9b[0-?]*[ -/]*"
    "|[\x90\x98\x9d-\x9f][^\x07\x1b\x90\x98\x9c-\x9f\n]{0,500}\x1b?|\r|[\ud800-\udbff])\\Z"
)
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
"""All but tabs and what ends a line."""


def without_escapes(text: str) -> str:
    """`text` without escape codes and control characters; a return alone, which would write over a line, ends one."""
    ended = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("", _ESCAPES.sub("", ended))


def unended(text: str) -> str:
    """What ends a text that goes on, where it may be the beginning of a code, a line end or a character; else empty."""
    found = _UNENDED.search(text)
    return found[0] if found else ""
