"""Replaces the names of persons in the facts of a session, everywhere; what is left is the same debate.

A name gives way to `MemberA`, `MemberB` ..., or `PersonA` for somebody who sits on no panel. Texts change their length,
so every offset into a message, and every id that is made from one (`p12@140`), moves with it.
"""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from string import ascii_uppercase
from typing import Any, Literal, get_origin

from pydantic import BaseModel

from eda.errors import UsageError
from eda.events import (
    Event,
    MemberChanged,
    MessagePosted,
    SessionStarted,
)
from eda.events.model_minutes import Minuted
from eda.text import words as content_words

_TECHNICAL = frozenset({"model", "runner", "patterns", "kind", "stance", "change", "purpose", "rule", "phase", "unit"})
"""Fields whose texts are no words of anybody."""
_NOBODY = frozenset({"", "you", "Moderator"})
_ID = r"[a-z]\d{1,9}@\d{1,9}"
_SHORT = 2
"""Letters of a name that is replaced only as it is written, since it may be a word too."""


class Redaction:
    """The pseudonyms of a session, and the facts with them in place of the names."""

    def __init__(self, events: Iterable[Event], *, members: bool = True, names: Sequence[str] = ()) -> None:
        """Find the persons.

        Args:
            events: The facts of the session.
            members: Replace the names of the members, and of persons who took notes, asked or corrected.
            names: Names of others, as they are written.

        Raises:
            UsageError: a name is empty.
        """
        if not all(name.strip() for name in names):
            raise UsageError("a name to replace is empty", hint='Write --name "Jane Doe".')
        titles, people, words = _persons(events)
        seats, others = (titles, people) if members else ([], [])
        self.pseudonyms = _pseudonyms(seats, [*others, *names], words)
        """The pseudonym of each name."""
        self._of = {name.casefold(): pseudonym for name, pseudonym in _forms(self.pseudonyms)}
        exact = [name for name in self.pseudonyms if len(name) <= _SHORT or not content_words(name)]
        for name, pseudonym in _forms(self.pseudonyms):
            for part in name.split():  # alone, unless the talk has it as a word: the Security of "Security Engineer"
                if len(part) > _SHORT and content_words(part) and part.casefold() not in words:
                    self._of.setdefault(part.casefold(), pseudonym)
        self._search = _pattern(self._of, exact)
        self._talks: dict[int, str] = {}
        """The talk of each message so far in which a name stands."""

    def of(self, event: Event) -> Event:
        """Return the fact without the names. Facts are given in order."""
        if isinstance(event, MessagePosted):
            if self._search.search(event.talk):
                self._talks[event.number] = event.talk
            spans = tuple((self._moved(event.text, start), self._moved(event.text, end)) for start, end in event.cut)
            at = None if event.moves_at is None else self._moved(event.text, event.moves_at)
            event = event.model_copy(update={"cut": spans, "moves_at": at})
        changed: Event = self._mapped(event)
        return changed

    def text(self, text: str) -> str:
        """Return a text without the names."""
        return self._search.sub(self._instead, text)

    def left(self, facts: Iterable[Event]) -> dict[str, list[str]]:
        """Return the names that still begin longer words in messages, such as `Mayas`, with those messages."""
        messages = [fact for fact in facts if isinstance(fact, MessagePosted)]
        begun = {
            name: re.compile(rf"(?<!\w){re.escape(name)}", re.IGNORECASE)
            for name in self.pseudonyms
            if len(name) > _SHORT
        }
        left = {name: [f"m{one.number}" for one in messages if find.search(one.text)] for name, find in begun.items()}
        return {name: numbers for name, numbers in left.items() if numbers}

    def _instead(self, match: re.Match[str]) -> str:
        pseudonym = self._of.get(match[0].casefold())
        if pseudonym is not None:
            return pseudonym
        item, _, offset = match[0].partition("@")
        return f"{item}@{self._moved(self._talks.get(int(item[1:]), ''), int(offset))}"

    def _moved(self, text: str, offset: int) -> int:
        """Return where a place of a text is once its names are replaced."""
        matches = (match for match in self._search.finditer(text, 0) if match.end() <= offset)
        return offset + sum(len(self._instead(match)) - len(match[0]) for match in matches)

    def _mapped(self, value: Any) -> Any:
        """Return a value in which each text, the keys of tables too, is without the names."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list | tuple):
            return type(value)([self._mapped(item) for item in value])
        if isinstance(value, dict):
            return {self._mapped(key): self._mapped(item) for key, item in value.items()}
        if isinstance(value, BaseModel):
            fields = type(value).model_fields
            words = {name for name, field in fields.items() if get_origin(field.annotation) is not Literal}
            return value.model_copy(update=self._fields(words, value))
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            changed = self._fields({field.name for field in dataclasses.fields(value)}, value)
            if isinstance(value, Minuted):
                changed["start"] = self._moved(self._talks.get(value.message, ""), value.start)
            return dataclasses.replace(value, **changed)
        return value

    def _fields(self, names: Iterable[str], value: Any) -> dict[str, Any]:
        return {name: self._mapped(getattr(value, name)) for name in names if name not in _TECHNICAL}


def _persons(events: Iterable[Event]) -> tuple[list[str], list[str], set[str]]:
    """Return the titles of the members, the names of others who did something, and the words of all messages."""
    titles: list[str] = []
    people: list[str] = []
    words: set[str] = set()
    for event in events:
        match event:
            case SessionStarted():
                titles += [member.title for member in event.members]
            case MemberChanged(persona=persona) if persona is not None:
                titles.append(persona.title)
            case MessagePosted():
                words.update(re.findall(r"\w+", event.text))
            case _:
                pass
        people += [getattr(event, name) for name in event.people]
    return titles, [name for name in people if name not in _NOBODY and name not in titles], words


def _pseudonyms(seats: Sequence[str], others: Sequence[str], words: set[str]) -> dict[str, str]:
    """Return a pseudonym for each name, none of which is a word of the talk."""
    pseudonyms: dict[str, str] = {}
    for kind, group in (("Member", seats), ("Person", others)):
        free = (name for name in _letters(kind) if name not in words)
        for name in dict.fromkeys(one.strip() for one in group):
            if name not in pseudonyms:
                pseudonyms[name] = next(free)
    return pseudonyms


def _letters(kind: str) -> Iterator[str]:
    for number in count():
        yield kind + (ascii_uppercase[number // 26 - 1] if number >= 26 else "") + ascii_uppercase[number % 26]


def _forms(pseudonyms: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each name with its pseudonym, in both forms that Unicode has for an accent."""
    for name, pseudonym in pseudonyms.items():
        for form in ("NFC", "NFD"):
            yield unicodedata.normalize(form, name), pseudonym


def _pattern(names: Iterable[str], exact: Sequence[str]) -> re.Pattern[str]:
    """Return what finds names and ids as whole words, the longest name first; `exact` ones only as they are written."""
    folded = {name.casefold() for name in exact}
    either = [(len(name), f"(?i:{re.escape(name)})") for name in names if name not in folded]
    written = [(len(name), re.escape(name)) for name in exact]
    longest_first = [part for _, part in sorted((*either, *written), reverse=True)]
    return re.compile(rf"(?<!\w)(?:{'|'.join((*longest_first, _ID))})(?!\w)")
