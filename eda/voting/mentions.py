"""Finds which texts a piece of writing names: by id, letter, title, whole words, quotation, author, or words of theirs.

The one place that answers "which text is meant". It never guesses: a mention that may be of several texts has all their
ids, and one that has the form of an id and is of no text has none.

`vote_words.toml` holds the phrases of votes, by role and in each language: what orders texts, ties, accepts or refuses
them, and what may stand beside them.
"""

import string
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from eda.events import BallotText
from eda.text import grouped, lower, normalise, regex

_TOKEN = regex(
    r"[a-z]{1,3}\d+(?:[.@]\d+)*(?!\w)|\d+(?:\.\d+)?(?![^\W\d_])|can(?=not\b)|[^\W_]+?(?=n't\b)|n't\b|"
    r"(?:do|does|did|is|are|wo|ca|would|could|should)(?=nt\b)|[^\W_]+|\n|[^\w\s']|_"
)
_WHOLE = {"n't": "not", "nt": "not", "ca": "can", "wo": "will", "sha": "shall"}
# Letters in squares and circles, which are symbols to Unicode.
_SQUARED = {first + at: chr(ord("a") + at) for first in (0x1F130, 0x1F150, 0x1F170, 0x1F1E6) for at in range(26)}


class Token(NamedTuple):
    """A word, a number, a mark or a line end; apostrophes and blanks only part them."""

    word: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether it is a word or a number."""
        return self.word[0].isalnum()


class Phrase(NamedTuple):
    """Words of votes at a place of a text."""

    size: int
    roles: frozenset[str]


def folded(text: str) -> str:
    """Return a text in lower case, with plain marks and without accents, of the same length."""
    low = lower(normalise(text))
    return low if low.isascii() else "".join([char if char.isascii() else _plain(char) for char in low])


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    base = _SQUARED.get(ord(char)) or unicodedata.normalize("NFKD", char)[0]
    return " " if unicodedata.category(base) in ("Mn", "Cf") else base.lower()[:1]


@lru_cache(maxsize=8)  # a sentence is cut for each question about it
def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the words and marks of a text; `don't` is `do` and `not`, and `ß` is `ss`."""
    return tuple(
        [Token(_WHOLE.get(each[0], each[0].replace("ß", "ss")), *each.span()) for each in _TOKEN.finditer(folded(text))]
    )


@lru_cache(maxsize=1024)  # each ballot of a debate names the same texts, titles and members
def words_of(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text."""
    return tuple(token.word for token in tokens_of(text) if token.is_word)


@lru_cache(maxsize=1)
def _tables() -> list[dict[str, Any]]:
    """Return the phrases of each language by their roles."""
    return [*tomllib.loads(Path(__file__).with_name("vote_words.toml").read_text(encoding="utf-8")).values()]


class Phrases:
    """The phrases of tables, each a list for a role, cut into words and marks; they are found by their first word."""

    def __init__(self, tables: Iterable[Mapping[str, Iterable[str]]], cut: Callable[[str], Iterable[Token]]) -> None:
        rows = ((role, phrase) for table in tables for role, listed in table.items() for phrase in listed)
        roles_of_words = grouped((tuple([token.word for token in cut(phrase)]), role) for role, phrase in rows)
        self.roles = {words: frozenset(roles) for words, roles in roles_of_words.items()}
        self._sizes = grouped(sorted({(words[0], len(words)) for words in self.roles}, reverse=True))

    def beginning(self, words: Sequence[str], at: int = 0) -> Iterator[Phrase]:
        """Yield the phrases that begin at a place of a list of words and marks, the longest first."""
        for size in self._sizes.get(words[at], ()) if words else ():
            own = tuple(words[at : at + size])
            if own in self.roles:
                yield Phrase(len(own), self.roles[own])


@lru_cache(maxsize=1)
def _phrases() -> Phrases:
    return Phrases(_tables(), tokens_of)


def phrase_at(words: Sequence[str], at: int) -> Phrase | None:
    """Return the longest phrase that begins at a place of a list of words and marks; None if none does."""
    return next(_phrases().beginning(words, at), None)


def roles_of(*words: str) -> frozenset[str]:
    """Return the roles of one word or of a phrase; empty of what says nothing in a vote."""
    return _phrases().roles.get(words, frozenset())


How = Literal["id", "letter", "title", "text", "quotation", "author", "words"]
_ID = regex(r"[po]\d+(?:[.@]\d+)*")
_QUOTATION = regex(r'"([^"\n]{12,500})"')
_ARTICLES = frozenset("aeiouy")  # Letters that are words of some language.
_JOINS = frozenset({"order", "and", "tied"})
_ENDING = regex(r"(?<=\w{3})(?:ing|ed|es|s|e)$")
_STOPS = frozenset('.,;:!?\n()[]{}>=<|/"*')
_MOST_WORDS = 4000  # Words of a writing that are compared with those of the texts one by one.


# A letter with which a text labels itself: "B) A box", "Plan B: a box", "Plan B".
_LABEL = regex(r"\W*(?:\w+ )?([A-Z])(?:[).:\]]|\W*$)")


class NamedText(NamedTuple):
    """A text as a voter or a member sees it; what is not shown of it is empty."""

    id: str
    text: str
    title: str = ""
    letter: str = ""  # behind a "?" where it is not shown: then it names none
    by: str = ""


class Mention(NamedTuple):
    """A place that names a text."""

    start: int
    end: int
    how: How
    ids: tuple[str, ...]
    """The text; several where it may be any of them, none where it has the form of an id and no text has that."""

    @property
    def one(self) -> str:
        """The id of the text that is meant; empty where that is not clear."""
        return self.ids[0] if len(self.ids) == 1 else ""


def texts_of(rows: Iterable[NamedText | Mapping[str, Any]]) -> tuple[NamedText, ...]:
    """Return texts that are given as records with an `id`, a `text` and maybe a `title`, a `letter` and `by`."""
    return tuple(
        row if isinstance(row, NamedText) else NamedText(*(str(row.get(name) or "") for name in NamedText._fields))
        for row in rows
    )


def lettered(choices: Sequence[str], ids: Mapping[str, str] | None = None) -> tuple[NamedText, ...]:
    """Return texts as shown, lettered unless one is a letter; one without an id has its words as its id."""
    keys = {words: key for key, words in (ids or {}).items()}
    return _with_letters([NamedText(keys.get(words, words), words) for words in choices])


def offered(texts: Sequence[BallotText]) -> tuple[NamedText, ...]:
    """Return the texts of a ballot, in the order shown, lettered unless one is a letter."""
    named = _with_letters([NamedText(each.id, each.text, each.title, by=each.by) for each in texts])
    return tuple(
        each._replace(letter="?" * (not of.lettered) + each.letter) for each, of in zip(named, texts, strict=True)
    )


def _with_letters(texts: Sequence[NamedText]) -> tuple[NamedText, ...]:
    letters = {} if any(len(each.text) == 1 for each in texts) else dict(enumerate(string.ascii_uppercase))
    return tuple(each._replace(letter=letters.get(at, "")) for at, each in enumerate(texts))


def mentions(
    raw: str, texts: Iterable[NamedText | Mapping[str, Any]], *, by_words: bool = False
) -> tuple[Mention, ...]:
    """Return the places of `raw` that name texts, in order, the longest names first; none overlaps another.

    `by_words`: also words of a text, at least one of which no other title has: "the rota" for "A weekly rota".
    """
    index, tokens = _index(texts_of(texts)), tokens_of(raw)
    named = _by_name(raw, tokens, index)
    return tuple(sorted([*named, *_by_words(tokens, named, index)])) if by_words else tuple(named)


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return a word without the ending that most languages change, and without what doubles before it: "cancelling"."""
    bare = _ENDING.sub("", word)
    return bare[:-1] if bare != word and bare[-1:] == bare[-2:-1] else bare


def _letters_in(texts: Sequence[NamedText]) -> dict[str, set[str]]:
    """Return the texts that each letter names, shown beside them or their own label; none for one that is not shown."""
    pairs = [
        (mark.lower(), one.id)
        for one in texts
        for mark in (one.letter, *(own[1] for own in map(_LABEL.match, (one.title, one.text)) if own))
    ]
    return {mark.strip("?"): {key for other, key in pairs if other == mark.strip("?")} for mark, _ in pairs}


class _Index:
    """The names of texts and the words in them."""

    def __init__(self, texts: Sequence[NamedText]) -> None:
        self.names: dict[str, dict[tuple[str, ...], dict[How, set[str]]]] = {}
        self.letters = _letters_in(texts)
        self.wholes = {each.id: " ".join(words_of(f"{each.title}\n{each.text}")) for each in texts}
        self.titles, self.bodies = dict[str, set[str]](), dict[str, set[str]]()
        short, titles = Counter(each.id.partition(".")[0] for each in texts), Counter(each.title for each in texts)
        for each in texts:
            alias = each.id.partition(".")[0] if _ID.fullmatch(each.id) else ""
            self._name("id", each.id, each.id)
            self._name("id", alias if short[alias] == 1 else "", each.id)
            self._name("title", each.title, each.id)
            self._name("text", each.text, each.id)
            self._name("author", each.by, each.id)
            self._name("author", f"{each.by}s" if len(each.by) > 2 else "", each.id)
            self._name("author", next((part for part in each.by.split()[:1] if len(part) > 2), ""), each.id)
            title = each.title if titles[each.title] == 1 else self.wholes[each.id]
            for kind, words in ((self.titles, title), (self.bodies, self.wholes[each.id])):
                for word in words_of(words):
                    kind.setdefault(stem(word), set()).add(each.id)
        for first, names in self.names.items():
            self.names[first] = dict(sorted(names.items(), key=lambda item: -len(item[0])))
        said = Counter(word for whole in self.wholes.values() for word in whole.split())
        glue = {frozenset(table["glue"]): sum(said.get(word, 0) for word in table["glue"]) for table in _tables()}
        self.spoken = frozenset().union(*(words for words, count in glue.items() if count == max(glue.values())))
        """The small words of the language that the texts have most of."""

    def roles(self, word: str) -> frozenset[str]:
        """Return the roles of a word; none of a small word of another language that a title has: a club's van."""
        roles = roles_of(word)
        return roles if ("glue" not in roles or word in self.spoken or stem(word) not in self.titles) else frozenset()

    def _name(self, how: How, name: str, key: str) -> None:
        if words := words_of(name):
            self.names.setdefault(words[0], {}).setdefault(words, {}).setdefault(how, set()).add(key)


_index = lru_cache(maxsize=64)(_Index)


def _by_name(raw: str, tokens: Sequence[Token], index: _Index) -> list[Mention]:
    """Return what is named by id, letter, title, whole words, quotation or author."""
    found: list[Mention] = []
    words = [token.word for token in tokens if token.is_word]
    places = [at for at, token in enumerate(tokens) if token.is_word]
    quotations = {each.start(): each for each in _QUOTATION.finditer(folded(raw))}
    ends, at = -1, 0
    while at < len(places):
        token = tokens[places[at]]
        size, mention = _longest(raw, tokens, words, places, at, index)
        quotation = quotations.get(token.start - 1)
        if quotation is not None and (mention is None or mention.end < quotation.end() - 1):
            part = " ".join(words_of(quotation[1]))
            ids = tuple(key for key, whole in index.wholes.items() if f" {part} " in f" {whole} ")
            if ids:
                mention = Mention(quotation.start(1), quotation.end(1), "quotation", ids)
        if mention is not None and mention.start >= ends:
            found.append(mention)
            ends = mention.end
            while at < len(places) and tokens[places[at]].start < ends:
                at += 1
        else:
            at += max(1, size)
    return found


def _longest(
    raw: str, tokens: Sequence[Token], words: Sequence[str], places: Sequence[int], at: int, index: _Index
) -> tuple[int, Mention | None]:
    """Return the longest name that begins at a word, with the number of its words."""
    token = tokens[places[at]]
    for name, kinds in index.names.get(token.word, {}).items():
        if tuple(words[at : at + len(name)]) != name:
            continue
        end = tokens[places[at + len(name) - 1]].end
        if "text" not in kinds and "\n" in raw[token.start : end]:
            continue
        letter = index.letters.get(token.word, set()) if len(name) == 1 else set[str]()
        ids = tuple(key for key in index.wholes if any(key in each for each in (*kinds.values(), letter)))
        how = next(each for each in ("id", "title", "text", "author") if each in kinds)
        return len(name), Mention(token.start, end, how, ids)
    if token.word in index.letters and _is_letter(raw, tokens, places[at]):
        return 1, Mention(token.start, token.end, "letter", tuple(sorted(index.letters[token.word])))
    return (1, Mention(token.start, token.end, "id", ())) if _ID.fullmatch(token.word) else (1, None)


def _is_letter(raw: str, tokens: Sequence[Token], at: int) -> bool:
    """Return whether one letter stands for a text: no part of `I'll` or `d'abord`, and no article."""
    token = tokens[at]
    if raw[max(0, token.start - 1) : token.start] in {"'", "’"} or raw[token.end : token.end + 1] in {"'", "’"}:
        return raw[token.start - 1 : token.end + 1].count("'") == 2
    if token.word not in _ARTICLES or (raw[token.start].isupper() and token.word not in "ai"):
        return True
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if after is None or not after.is_word or after.word.isdigit():
        return True
    phrase = phrase_at([each.word for each in tokens[at + 1 : at + 7]], 0)
    capital = token.word == "a" and raw[token.start].isupper()
    if phrase is None:
        return capital and after.end - after.start == 1 and raw[after.start].isupper()
    return capital or (bool(phrase.roles & _JOINS) and not _is_in_phrase(tokens, at))


def _is_in_phrase(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a letter is a word of a longer phrase: "as a backup", "e se no"."""
    words = [each.word for each in tokens[max(0, at - 1) : at + 6]]
    return any(own is not None and own.size > 2 for own in (phrase_at(words, begin) for begin in range(len(words[:2]))))


def _by_words(tokens: Sequence[Token], named: Sequence[Mention], index: _Index) -> list[Mention]:
    """Return what is named by words: runs of words that one text has, with one of its title that no other title has."""
    found: list[Mention] = []
    taken = iter((*named, None))
    ahead = next(taken)
    run: list[tuple[Token, frozenset[str]]] = []
    for token in tokens[:_MOST_WORDS]:
        while ahead is not None and token.start >= ahead.end:
            ahead = next(taken)
        inside = ahead is not None and token.start >= ahead.start
        ids = None if inside or token.word in _STOPS else _having(token, index)
        if ids is None:
            found += _meant(run, index)
            run = []
        elif ids and run and not _common(run, ids) and not any("number" in roles_of(each.word) for each, _ in run):
            found += _meant(run, index)
            run = [(token, ids)]
        else:
            run.append((token, ids))
    return [*found, *_meant(run, index)]


def _having(token: Token, index: _Index) -> frozenset[str] | None:
    """Return the texts that have a word; empty of a word that distinguishes none, None of a word that no text has."""
    if "glue" in index.roles(token.word):
        return frozenset()
    ids = index.bodies.get(stem(token.word))
    return None if ids is None else frozenset(ids)


def _common(run: Sequence[tuple[Token, frozenset[str]]], ids: frozenset[str]) -> frozenset[str]:
    for _, each in run:
        ids = ids & each if each else ids
    return ids


def _meant(run: list[tuple[Token, frozenset[str]]], index: _Index) -> list[Mention]:
    """Return the text that a run of words fits; all of them where it fits several, nothing without a title's word."""
    words, run = run, [each for each in run if each[1]]
    titled = [index.titles.get(stem(token.word), set()) for token, _ in run]
    telling = [each for each, (token, _) in zip(titled, run, strict=True) if not index.roles(token.word)]
    if not any(telling):
        return []
    ids = _common(run, run[0][1])
    own = [each for each in telling if len(each) == 1 and each <= ids]
    meant = ids if len(ids) == 1 and (own or _is_spelt(words, ids, index)) else ids | frozenset().union(*titled)
    return [Mention(run[0][0].start, run[-1][0].end, "words", tuple(key for key in index.wholes if key in meant))]


def _is_spelt(run: Sequence[tuple[Token, frozenset[str]]], ids: frozenset[str], index: _Index) -> bool:
    """Return whether words with a small one in front are word by word a part of one text: "every second Sunday"."""
    words, places = [token.word for token, _ in run], [at for at, (_, having) in enumerate(run) if having]
    parts = [f" {' '.join(words[at : places[-1] + 1])} " for at in range(places[0])] * (len(places) > 1)
    return any([key for key, whole in index.wholes.items() if part in f" {whole} "] == [*ids] for part in parts)
