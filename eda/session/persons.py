"""Finds persons in texts, however they are written: in full, in part, by initials, as handles and as addresses."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, count, product
from pathlib import Path
from string import ascii_uppercase
from typing import Literal

from eda.panels.files import shipped
from eda.text import regex, words as content_words

ADDRESS = r"(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"
"""The pattern of an e-mail address."""
_MARK = "[\u0300-\u036f\u00ad]"  # An accent, or a soft hyphen: what a letter may carry unseen.
_BETWEEN = r"(?:[._]|[^\w,.;:!?()]{0,3})"
_START = r"(?<![^\W_])"
_END = rf"(?![^\W\d_]|{_MARK}|[\w.+%-]{{0,64}}@[\w-]{{1,63}}\.\w)"
_WORD = regex(rf"(?:[^\W\d_]{_MARK}*)+(?:['’](?:[^\W\d_]{_MARK}*)+)*")
_PROSE = regex(r"(?<![\w@.-])[^\W\d_]+(?![\w@-])")
_SHORT = 2  # Letters of a name that is found only as it is written, since it may be a word too.
_AS_TWO = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ß": "ss", "ø": "oe", "æ": "ae"}
_BASES = {"ß": "s", "ø": "o", "æ": "a", "đ": "d", "ł": "l", "ı": "i", "’": "'", "\u2010": "-"}
Words = tuple[str, ...]


@cache
def _base(letter: str) -> str:
    one = unicodedata.normalize("NFKD", letter)[0]
    base = _BASES.get(one.lower(), one)
    return base.upper() if one.isupper() else base


def plain(text: str) -> str:
    """Return the text without accents, of the same length."""
    return text if text.isascii() else "".join(map(_base, text))


@cache
def known_words() -> set[str]:
    """Return the words of the texts that come with EDA."""
    eda = Path(__file__).parents[1]
    texts = (
        shipped("personas").glob("*.md"),
        *map(eda.rglob, ("*.ftl", "*.md")),
        eda.glob("runners/simulated/*.[pt]*"),
    )
    return {plain(word).casefold() for path in chain(*texts) for word in _WORD.findall(path.read_text("utf-8"))}


class Person:
    """Somebody, with all names that are known."""

    def __init__(self, kind: Literal["Member", "Person"], *names: str) -> None:
        """Take the names in, as they are written; `kind` is that of the pseudonym."""
        self.kind, self.pseudonym = kind, ""
        self.names = [unicodedata.normalize("NFC", " ".join(name.split())) for name in names]
        self.words = [
            _words(form)
            for name in self.names
            for form in dict.fromkeys((name, "".join(_AS_TWO.get(letter, letter) for letter in name.lower())))
        ]

    @property
    def parts(self) -> set[str]:
        """The words that name the person by themselves, in lower case and without accents."""
        long = {part for words in self.words for part in words if len(part) > _SHORT}
        return {part for part in long if content_words(part) or not part.isascii()}


def persons_of(named: Iterable[Person], talk: str) -> list[Person]:
    """Return the persons, each once, with their pseudonyms, none of which is a word of the talk."""
    persons: list[Person] = []
    for new in named:
        same = [
            one for one in persons if any(_is_short(*sorted(pair, key=len)) for pair in product(new.words, one.words))
        ]
        if len(same) == 1:
            same[0].names += new.names
            same[0].words += new.words
        else:
            persons.append(new)
    free = {kind: free_names(kind, talk) for kind in ("Member", "Person")}
    for one in persons:
        one.pseudonym = next(free[one.kind])
    return persons


def free_names(kind: str, talk: str) -> Iterator[str]:
    """Yield `MemberA`, `MemberB` ..., without those that are words of the talk."""
    taken = set(re.findall(r"\w+", talk))
    for number in count():
        name = kind + (ascii_uppercase[number // 26 - 1] if number >= 26 else "") + ascii_uppercase[number % 26]
        if name not in taken:
            yield name


class Finder:
    """Finds persons in texts."""

    def __init__(self, persons: Sequence[Person], talk: str, more: str) -> None:
        """Prepare the search.

        Args:
            persons: Who is looked for.
            talk: What was said; a name that is also a usual word of it is found where it begins with a capital letter.
            more: The pattern of what else is found, in place of which no pseudonym stands.
        """
        lower = known_words() & {*_PROSE.findall(re.sub(ADDRESS, " ", plain(talk)))}
        full, alone = [list(_in_full(one)) for one in persons], [_alone(one, lower) for one in persons]
        self._of = [(one, re.compile("|".join(full[at] + alone[at]))) for at, one in enumerate(persons)]
        found = "|".join(chain(*full, *alone)) or "(?!)"
        self._names = re.compile(found)
        self._all = re.compile(f"{ADDRESS}|{found}|{more}")
        self._shared = free_names("Name", talk)
        self._known: dict[str, str] = {}

    def all_in(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield where each name, address or other thing stands, and the pseudonym, empty where it is of nobody."""
        for match in self._all.finditer(plain(text)):
            words = match[0]
            if words not in self._known:
                name = self._names.search(words.replace("@", " ")) if "@" in words else None
                self._known[words] = self._pseudonym(name[0] if name else words)
            pseudonym = self._known[words]
            yield match.start(), match.end(), pseudonym and pseudonym + "\n" * words.count("\n")

    def _pseudonym(self, name: str) -> str:
        """Return the pseudonym of who has this name; where several have it, that of the name."""
        of = [one for one, pattern in self._of if pattern.fullmatch(name)]
        of = [one for one in of if _words(name) in one.words] or of
        if len(of) < 2:
            return of[0].pseudonym if of else ""
        return self._known.setdefault(" ".join(one.pseudonym for one in of), next(self._shared))


def _words(name: str) -> Words:
    own = name.partition("@")[0] if re.fullmatch(ADDRESS, name) else name
    return tuple(word.casefold() for word in _WORD.findall(plain(own)))


def _is_short(few: Words, many: Words) -> bool:
    """Return whether the first name is a shorter form of the second: `Doe`, `J. Doe` or `jdoe` of `Jane Doe`."""
    if len(few) == 1 and len(many) > 1:
        first, last = many[0], many[-1]
        if few[0] in {first + last, last + first, first[0] + last, first + last[0], last + first[0], "".join(many)}:
            return True
    rest = iter(many)
    fits = all(any(word in (other, other[0]) for other in rest) for word in few)
    return fits and any(len(word) > 1 for word in few)


def _in_full(one: Person) -> Iterator[str]:
    """Yield the patterns of the names of several words, in any order, with initials, and as handles."""
    for words in (words for words in one.words if len(words) > 1):
        if not one.parts & {*words}:
            yield _whole(words[0], _BETWEEN.join(map(_any_case, words)))
            continue
        begins = "".join(word[0] for word in words)
        alike = {word for other in one.words if "".join(each[0] for each in other) == begins for word in other}
        name = f"(?:{'|'.join(map(_any_case, sorted(alike, key=lambda word: (-len(word), word))))})"
        initial = rf"(?:[{begins.upper()}](?:\.? ?[A-Z](?=\.))?(?:\.\s?)?[ _-]?|(?i:[{begins}])[._-]?)"
        last = rf"(?:,? ?|-)[{begins.upper()}]\.|[ ._-]?[{begins.upper()}]{_END}|[._-]?(?i:[{begins}]){_END}"
        after = rf"(?:{_BETWEEN}(?:[A-Z]\.? )?{name}|{last})"
        several = (
            f"{initial}{{1,3}}{name}(?:{after}){{0,6}}",
            f"{name}(?:{after}){{1,6}}",
            f"{_any_case(words[-1])}, {name}(?:{after}){{0,6}}",
            rf"[{begins.upper()}]\.?-[{begins.upper()}]\.?, {name}(?:{after}){{0,6}}",
        )
        yield from (_whole(words[0], each) for each in several)
        yield from _initials(begins.upper())


def _initials(letters: str) -> list[str]:
    """Return the patterns of all initials of a name, its last part first, too; two need dots: `A-B` is a test."""
    gap, dot = (
        (rf"\.{_MARK}* {{0,2}}-?", r"\.")
        if len(letters) == 2
        else (rf"(?:\.|(?={_MARK}*-)){_MARK}*\s{{0,2}}-?", r"\.?")
    )
    return [
        _START + rf"{dot},\s?".join(gap.join(part) for part in (letters[at:], letters[:at]) if part) + dot + _END
        for at in range(len(letters))
    ]


def _alone(one: Person, lower: set[str]) -> list[str]:
    """Return the patterns of names of one word, and of the parts of others."""
    short = [name for name in one.names if len(_words(name)) < 2 and not one.parts & {*_words(name)}]
    given = {name for name in one.names if name.islower() and one.kind == "Person"}
    patterns = [_whole(word, _any_case(word, capital=word in lower - given)) for word in one.parts]
    return patterns + [_whole(name, re.escape(plain(name))) for name in short]


def _whole(word: str, pattern: str) -> str:
    """Return the pattern of a word that is no part of another, unless its script has no spaces and no cases."""
    return pattern if unicodedata.category(word[0]) == "Lo" else rf"{_START}{pattern}(?i:s)?{_END}"


def _any_case(word: str, *, capital: bool = False) -> str:
    """Return the pattern of a word with any accents; a letter with an umlaut may stand for two."""
    plainly = re.sub("(?<=[aou])e(?=[a-z])", "e?", word)
    letters = [f"{one}{_MARK}*" if one.isalpha() else one if one == "?" else _BETWEEN for one in plainly]
    if not capital:
        return f"(?i:{''.join(letters)})"
    return f"{letters[0].upper() if word[0].isascii() else letters[0]}(?i:{''.join(letters[1:])})"
