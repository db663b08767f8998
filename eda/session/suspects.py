"""Lists what of a copy without names may still tell who somebody is: a person looks at it before it is passed on."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from eda.events import Event
from eda.session.chain import leaves
from eda.session.names import LOG_FILE
from eda.session.persons import ADDRESS, Person, known_words, plain
from eda.session.places import PAGE_FILE, RECEIPT_FILE, REPORT_FILES

_PSEUDONYM = re.compile(r"(?:Member|Person|Name)[A-Z]{1,2}")
_NO_PSEUDONYM = r"(?!(?:Member|Person|Name)[A-Z]{1,2}\b)"
_TELLING = re.compile(
    rf"{ADDRESS}|(?<!\w)@{_NO_PSEUDONYM}[A-Za-z]\w+|"
    r"(?<![\w.:-])(?:\+|0(?=[1-9]))\d(?:[ ()/-]{0,2}\d){6,14}(?!\w)|"
    r"(?:/home/|/Users/|\\Users\\)[^/\\\s\"']+|"
    r"(?<!\w)(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Herrn?|Frau|Mme)\.? |[A-Z]\. ?)" + _NO_PSEUDONYM + r"[A-Z][a-z]\w+"
)
"""Addresses, handles, telephone numbers, folders of users, and a name behind a title or an initial."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_ENDING = re.compile(r"['’](?:s|ll|d|re|ve|m)\Z")
_PAGE = re.compile(r"<(style|script)\b.*?</\1>|<[^>]*>", re.DOTALL)
_READ = (*REPORT_FILES, PAGE_FILE, RECEIPT_FILE)
_STEM = 3
"""Letters by which the beginning of a name is known: `Jan` of `Janie`."""
_CAPITALS = 3
"""Letters of an abbreviation."""


def left_in(facts: Sequence[Event], files: Mapping[str, str], persons: Iterable[Person]) -> dict[str, list[str]]:
    """Return what is suspicious, and where it stands: files, of the log with the line.

    Args:
        facts: Of the copy.
        files: What else the copy holds, by the name of the file.
        persons: Who was replaced in it.
    """
    names = [words for one in persons for words in one.words if {*words} - known_words()]
    parts = {part for one in persons for part in one.parts}
    initials = {"".join(word[0] for word in words).upper() for words in names if len(words) > 1}
    log = {f"{LOG_FILE}:{line}": "\n".join(_texts(fact)) for line, fact in enumerate(facts, 1)}
    known = known_words().union(plain(word) for text in log.values() for word in _WORD.findall(text) if word.islower())
    left: dict[str, list[str]] = {}
    for place, text in (*log.items(), *files.items()):
        words = {match[0] for match in _WORD.finditer(text)}
        telling = [match[0] for match in _TELLING.finditer(text)]
        near = [word for word in words if word in initials or _is_near(plain(word).casefold(), parts)]
        unknown = _unknown_names(text, known) if place in log else []
        for each in dict.fromkeys((*telling, *sorted(near), *unknown)):
            left.setdefault(each, []).append(place)
    return left


def texts_of(folder: Path) -> dict[str, str]:
    """Return the name of a session's folder, and the texts of its report and its receipt, by the name of the file."""
    files = {path.name: path.read_text("utf-8") for path in folder.iterdir() if path.name in _READ}
    if page := files.get(PAGE_FILE):
        files[PAGE_FILE] = html.unescape(_PAGE.sub(" ", page))
    if receipt := files.get(RECEIPT_FILE):
        files[RECEIPT_FILE] = json.dumps(json.loads(receipt)["statement"], ensure_ascii=False)
    return {folder.name: folder.name, **files}


def _texts(fact: Event) -> Iterator[str]:
    written = fact.model_dump(mode="json", exclude={"at", "type", "patterns"})
    return (each for _, each in leaves(written) if isinstance(each, str))


def _is_near(word: str, parts: set[str]) -> bool:
    """Return whether a word is of a name, holds one or begins as one, and is none of EDA's own words."""
    rare = () if word in known_words() else parts - known_words()
    near = (part in word or (word[:_STEM] == part[:_STEM] and len(word) <= len(part) + _STEM) for part in rare)
    return word in parts or any(near)


def _unknown_names(text: str, known: set[str]) -> Iterator[str]:
    """Yield the words, or rows of words, with a capital letter that stand nowhere in small letters."""
    row: list[str] = []
    end = 0
    for match in (*_WORD.finditer(text), None):
        word = _ENDING.sub("", match[0]) if match else ""
        capital = word[:1].isupper() and not _PSEUDONYM.match(word)
        if row and not (match and capital and text[end : match.start()] == " "):
            if any(_may_be_name(each) and plain(each).casefold() not in known for each in row):
                yield " ".join(row)
            row = []
        if match and capital:
            row.append(word)
            end = match.end()


def _may_be_name(word: str) -> bool:
    return len(word) > (_CAPITALS if word.isupper() else 1)
