"""Edits a line that is typed key by key: bytes go in, finished lines come out. It uses no terminal itself.

The screen shows the line in its status area, so that output never runs into it.
"""

from __future__ import annotations

import codecs
import re
import unicodedata

from rich.cells import cell_len

_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;?]*[@-~]|O[A-Za-z]|[^\[O])")
_TEXT = re.compile(r"[^\x00-\x1f\x7f]+")
_PASTED, _PASTE_OVER = "\x1b[200~", "\x1b[201~"
_MOST_KEPT = 100
"""Earlier lines that the arrow keys can recall."""
_MARKS = 4
"""Characters in one column at most: a letter and its accents."""
_NAMED = {
    "\x1b[D": "left", "\x1bOD": "left", "\x02": "left", "\x1b[C": "right", "\x1bOC": "right", "\x06": "right",
    "\x1b[H": "home", "\x1bOH": "home", "\x1b[1~": "home", "\x01": "home",
    "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end", "\x05": "end",
    "\x1b[A": "older", "\x1bOA": "older", "\x10": "older", "\x1b[B": "newer", "\x1bOB": "newer", "\x0e": "newer",
    "\x7f": "rub", "\x08": "rub", "\x1b[3~": "delete", "\x15": "clear", "\x0b": "cut", "\x17": "word",
}  # fmt: skip
"""What the keys do, as in a shell."""


class LineEditor:
    """The line typed so far, with its cursor and history."""

    def __init__(self) -> None:
        self.text = ""
        self._at = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._unread = ""
        self._pasting = False
        self._older: list[str] = []
        self._place = 0
        self._unfinished = ""
        """The line that was being typed when an earlier one was recalled."""

    def feed(self, data: bytes) -> list[str | None]:
        """Process keys; return the lines they finish, and None where they close the input (Ctrl-D).

        Text that a terminal marks as pasted becomes one line.
        """
        keys = self._unread + self._decoder.decode(data)
        self._unread = ""
        done: list[str | None] = []
        while keys:
            key = self._next(keys)
            if not key:
                self._unread = keys
                break
            keys = keys[len(key) :]
            if key in (_PASTED, _PASTE_OVER):
                self._pasting = key == _PASTED
            elif key in "\r\n":
                if self._pasting:
                    self._insert("\n")
                else:
                    done.append(self._finish())
                    keys = keys.lstrip("\n") if key == "\r" else keys
            elif key == "\x04" and not self.text:
                done.append(None)
            else:
                self._press("delete" if key == "\x04" else _NAMED.get(key, ""), key)
        return done

    def shown(self, width: int) -> tuple[str, str, str]:
        """Return the text before, under and after the cursor that fits into `width` columns."""
        room = max(1, width - 2)
        near = _MARKS * room  # measuring all of a long text takes seconds
        before = _one_line(self.text[max(0, self._at - near) : self._at])
        after = _one_line(self.text[self._at : self._at + near])
        while before and cell_len(before) > room:
            before = before[1:]
        rest = room - cell_len(before)
        while after[1:] and cell_len(after[1:]) > rest:
            after = after[:-1]
        return before, after[:1] or " ", after[1:]

    def _next(self, keys: str) -> str:
        """Return the first key, or the text up to the next special key; empty if it is incomplete."""
        match = _SEQUENCE.match(keys) or _TEXT.match(keys)
        return match[0] if match else keys[0].strip("\x1b")

    def _press(self, what: str, key: str) -> None:
        goes = {"left": max(0, self._at - 1), "right": self._at + 1, "home": 0, "end": len(self.text)}
        match what:
            case "left" | "right" | "home" | "end":
                self._at = min(len(self.text), goes[what])
            case "older" | "newer":
                self._look_back(-1 if what == "older" else 1)
            case "rub" if self._at:
                self._cut(self._at - 1, self._at)
            case "delete":
                self._cut(self._at, self._at + 1)
            case "clear":
                self._cut(0, self._at)
            case "cut":
                self._cut(self._at, len(self.text))
            case "word":
                self._cut(len(re.sub(r"\S+\s*\Z", "", self.text[: self._at])), self._at)
            case _ if key == "\t" or _TEXT.fullmatch(key):
                seen = (letter for letter in key if not unicodedata.category(letter).startswith("C"))
                self._insert(" " if key == "\t" else "".join(seen))

    def _insert(self, text: str) -> None:
        self.text = self.text[: self._at] + text + self.text[self._at :]
        self._at += len(text)

    def _cut(self, start: int, end: int) -> None:
        self.text = self.text[:start] + self.text[end:]
        self._at = start

    def _look_back(self, step: int) -> None:
        if self._place == len(self._older):
            self._unfinished = self.text
        self._place = min(len(self._older), max(0, self._place + step))
        self.text = self._older[self._place] if self._place < len(self._older) else self._unfinished
        self._at = len(self.text)

    def _finish(self) -> str:
        text, self.text, self._at = self.text, "", 0
        if text:
            self._older = [*self._older, text][-_MOST_KEPT:]
        self._place = len(self._older)
        return text


def _one_line(text: str) -> str:
    return text.replace("\n", "⏎")
