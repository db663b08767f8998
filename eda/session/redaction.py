"""Replaces the names of persons in the facts of a session, everywhere; what is left is the same debate.

A name gives way to `MemberA`, `MemberB` ..., or `PersonA` for somebody who sits on no panel, or `NameA` where several
persons have it. Texts change their length, so every offset into a message, and every id that is made from one
(`p12@140`), moves with it. What of a copy may still tell who somebody is, `left_in` lists for a person.
"""

import dataclasses
import html
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Literal, get_origin

from pydantic import BaseModel

from eda.errors import UsageError
from eda.events import Event, MemberChanged, MessagePosted, Minuted, SessionStarted
from eda.panels.panel import Library
from eda.panels.persona import Persona
from eda.session.chain import leaves
from eda.session.names import LOG_FILE, slug
from eda.session.persons import ADDRESS, Finder, Person, known_words, persons_of, plain
from eda.session.places import PAGE_FILE, RECEIPT_FILE, REPORT_FILES
from eda.text import regex

# Fields whose texts are no words of anybody.
_TECHNICAL = frozenset(
    {"model", "runner", "patterns", "kind", "stance", "purpose", "rule", "phase", "unit"}
    | {"eda", "prompt_sha", "head"}
)
_NOBODY = frozenset({"", "you", "Moderator"})
_ID = r"(?<!\w)[a-z]\d{1,9}@\d{1,9}(?!\w)"


_PSEUDONYM = regex(r"(?:Member|Person|Name)[A-Z]{1,2}")
_NO_PSEUDONYM = r"(?!(?:Member|Person|Name)[A-Z]{1,2}\b)"
# Addresses, handles, telephone numbers, folders of users, and a name behind a title or an initial.
_TELLING = regex(
    rf"{ADDRESS}|(?<!\w)@{_NO_PSEUDONYM}[A-Za-z]\w+|"
    r"(?<![\w.:-])(?:\+|0(?=[1-9]))\d(?:[ ()/-]{0,2}\d){6,14}(?!\w)|"
    r"(?:/home/|/Users/|\\Users\\)[^/\\\s\"']+|"
    r"(?<!\w)(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Herrn?|Frau|Mme)\.? |[A-Z]\. ?)" + _NO_PSEUDONYM + r"[A-Z][a-z]\w+"
)
_WORD = regex(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_ENDING = regex(r"['’](?:s|ll|d|re|ve|m)\Z")
_PAGE = regex(r"<(style|script)\b.*?</\1>|<[^>]*>", "S")
_READ = (*REPORT_FILES, PAGE_FILE, RECEIPT_FILE)
_GAP = r"(?:_|[^\w,;:!?()'’]{0,3})"  # What stands between initials.
_STEM = 3  # Letters by which the beginning of a name is known: `Jan` of `Janie`.
_CAPITALS = 3  # Letters of an abbreviation.


class Redaction:
    """The pseudonyms of a session, and the facts with them in place of the names."""

    def __init__(self, events: Iterable[Event], *, members: bool = True, names: Sequence[str] = ()) -> None:
        """Find the persons.

        Args:
            events: The facts of the session.
            members: Replace the names of the members, and of persons who took notes, asked or corrected.
            names: Names of others, as they are written; several of one person with `=` between them.

        Raises:
            UsageError: a name is empty.
        """
        given = [name.split("=") for name in names]
        if not all(each.strip() for each in chain(*given)):
            raise UsageError("a name to replace is empty", hint='Write --name "Jane Doe".')
        seats, others, talk = _persons(events)
        named = [*seats, *others] if members else []
        self.persons = persons_of((*named, *(Person("Person", *each) for each in given)), talk)
        """All who are replaced."""
        self._finder = Finder(self.persons, talk, _ID)
        self._talks: dict[int, str] = {}  # The talk of each message so far in which a name stands.

    def of(self, event: Event, session: str = "") -> Event:
        """Return the fact without the names, of a session of this name. Facts are given in order."""
        if isinstance(event, MessagePosted):
            if any(self._finder.all_in(event.talk)):
                self._talks[event.number] = event.talk
            spans = tuple((self._moved(event.text, start), self._moved(event.text, end)) for start, end in event.cut)
            at = None if event.moves_at is None else self._moved(event.text, event.moves_at)
            event = event.model_copy(update={"cut": spans, "moves_at": at})
        changed: Event = self._mapped(event)
        if session and isinstance(changed, SessionStarted):
            changed = changed.model_copy(update={"session": session})
        return changed

    def text(self, text: str) -> str:
        """Return a text without the names."""
        pieces, at = [], 0
        for start, end, instead in self._all_in(text):
            pieces += [text[at:start], instead]
            at = end
        return "".join((*pieces, text[at:]))

    def _all_in(self, text: str) -> Iterable[tuple[int, int, str]]:
        """Yield where something is replaced, and by what."""
        for start, end, pseudonym in self._finder.all_in(text):
            instead, (item, _, offset) = pseudonym or text[start:end], text[start:end].partition("@")
            if not pseudonym and offset.isdecimal():
                instead = f"{item}@{self._moved(self._talks.get(int(item[1:]), ''), int(offset))}"
            yield start, end, instead

    def _moved(self, text: str, offset: int) -> int:
        """Return where a place of a text is once its names are replaced."""
        spans = self._all_in(text)
        return offset + sum(len(instead) - (end - start) for start, end, instead in spans if end <= offset)

    def _mapped(self, value: Any) -> Any:
        """Return a value in which each text, the keys of tables too, is without the names."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list | tuple):
            return type(value)([self._mapped(item) for item in value])
        if isinstance(value, dict):
            return {self._mapped(key): self._mapped(item) for key, item in value.items()}
        if isinstance(value, BaseModel):
            fields = type(value).model_fields.items()
            words = {name for name, field in fields if get_origin(field.annotation) is not Literal}
            words -= {name for name, field in fields if any(hasattr(each, "pattern") for each in field.metadata)}
            changed = self._fields(words, value)
            if isinstance(value, Persona) and changed["title"] != value.title:
                changed["name"] = slug(changed["title"])
            return value.model_copy(update=changed)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            changed = self._fields({field.name for field in dataclasses.fields(value)}, value)
            if isinstance(value, Minuted):
                changed["start"] = self._moved(self._talks.get(value.message, ""), value.start)
            return dataclasses.replace(value, **changed)
        return value

    def _fields(self, names: Iterable[str], value: Any) -> dict[str, Any]:
        return {name: self._mapped(getattr(value, name)) for name in names if name not in _TECHNICAL}


def _persons(events: Iterable[Event]) -> tuple[list[Person], list[Person], str]:
    """Return the members, others who did something, and the words of all messages and documents."""
    seats: list[Persona] = []
    people: list[str] = []
    talk: list[str] = []
    for event in events:
        match event:
            case SessionStarted():
                seats += event.members
                talk += [event.question, *(document.text for document in event.documents)]
            case MemberChanged(persona=persona) if persona is not None:
                seats.append(persona)
            case MessagePosted():
                talk.append(event.text)
        people += [getattr(event, name) for name in event.people]
    ours = {(each.name, each.title) for each in Library().personas.values()}  # whose names are what they do
    names = [[each.title] if (each.name, each.title) in ours else [each.title, each.name] for each in seats]
    members = [Person("Member", *each) for each in names]
    titles = {each.title for each in seats}
    others = [Person("Person", name) for name in dict.fromkeys(people) if name not in _NOBODY and name not in titles]
    return members, others, "\n".join(talk)


def left_in(facts: Sequence[Event], files: Mapping[str, str], persons: Iterable[Person]) -> dict[str, list[str]]:
    """Return what is suspicious, and where it stands: files, of the log with the line.

    Args:
        facts: Of the copy.
        files: What else the copy holds, by the name of the file.
        persons: Who was replaced in it.
    """
    initials = {
        "".join(word[0] for word in words).upper()
        for words in chain.from_iterable(one.words for one in persons)
        if len(words) > 1 and {*words} - known_words()
    }
    parts = {part for one in persons for part in one.parts}
    log = texts_in(facts)
    known = known_words().union(plain(word) for text in log.values() for word in _WORD.findall(text) if word.islower())
    left: dict[str, list[str]] = {}
    for place, text in (*log.items(), *files.items()):
        telling = [match[0] for match in _TELLING.finditer(text)]
        near = {word for word in {*_WORD.findall(text)} if _is_near(plain(word).casefold(), parts)}
        unknown = _unknown_names(text, known) if place in log else []
        for each in dict.fromkeys((*telling, *sorted(near.union(_initials_in(text, initials))), *unknown)):
            left.setdefault(each, []).append(place)
    return left


def texts_in(facts: Sequence[Event]) -> dict[str, str]:
    """Return the texts of each fact by its place in the log."""
    written = (fact.model_dump(mode="json", exclude={"at", "type", "patterns"}) for fact in facts)
    texts = ((each for _, each in leaves(fact) if isinstance(each, str)) for fact in written)
    return {f"{LOG_FILE}:{line}": "\n".join(each) for line, each in enumerate(texts, 1)}


def texts_of(folder: Path) -> dict[str, str]:
    """Return the name of a session's folder, and the texts of its report and its receipt, by the name of the file."""
    files = {path.name: path.read_text("utf-8") for path in folder.iterdir() if path.name in _READ}
    if page := files.get(PAGE_FILE):
        files[PAGE_FILE] = html.unescape(_PAGE.sub(" ", page))
    if receipt := files.get(RECEIPT_FILE):
        files[RECEIPT_FILE] = json.dumps(json.loads(receipt)["statement"], ensure_ascii=False)
    return {folder.name: folder.name, **files}


def _is_near(word: str, parts: set[str]) -> bool:
    """Return whether a word is of a name, holds one or begins as one, and is none of EDA's own words."""
    rare = () if word in known_words() else parts - known_words()
    near = (part in word or (word[:_STEM] == part[:_STEM] and len(word) <= len(part) + _STEM) for part in rare)
    return word in parts or any(near)


def _initials_in(text: str, names: Iterable[str]) -> Iterator[str]:
    """Yield what may be initials of a name, however joined: both, or two of more in any order; no usual word."""
    for own in names:
        run = _GAP.join(own) if len(own) == 2 else f"[{own}](?:{_GAP}[{own}]){{1,{len(own) - 1}}}"
        for match in regex(rf"(?<![^\W_])(?:{run}|{run.lower()})(?=(?:(?<=[A-Z])s)?(?![^\W\d_]))").finditer(
            plain(text)
        ):
            letters = "".join(filter(str.isalpha, match[0])).upper()
            word = match[0].islower() and match[0].isalpha() and (letters != own or match[0] in known_words())
            if not word and all(letters.count(letter) <= own.count(letter) for letter in letters):
                yield " ".join(text[slice(*match.span())].split())


def _unknown_names(text: str, known: set[str]) -> Iterator[str]:
    """Yield the words, or rows of words, with a capital letter that stand nowhere in small letters."""
    row: list[str] = []
    end = 0
    for match in (*_WORD.finditer(text), None):
        word = _ENDING.sub("", match[0]) if match else ""
        capital = word[:1].isupper() and not _PSEUDONYM.match(word)
        if row and not (match and capital and text[end : match.start()] == " "):
            if any(
                len(each) > (_CAPITALS if each.isupper() else 1) and plain(each).casefold() not in known for each in row
            ):
                yield " ".join(row)
            row = []
        if match and capital:
            row.append(word)
            end = match.end()
