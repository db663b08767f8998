"""Lines that begin with a name, or sign with one's own: whose words they are, or whom they speak to."""

import functools
import re
from collections.abc import Callable
from typing import NamedTuple

from eda.memory.minutes.move_words import LONGEST_FRAME
from eda.memory.minutes.remark_words import may_take_side
from eda.memory.patterns import Language
from eda.text import bare, lower, normalise, plain_low, regex

_BEFORE = r"[\s#*_]*+(?:\[?(?P<number>m\d++)\]?[\s:.-]*+)?[\s*_\[]*+"
_AFTER = r"[*_\]]*+(?:\s*(?:\((?P<beside>[^()\n]{0,60})\)|[,-](?P<role>[^:\n]{1,60}))[*_\]]*+)?\s*:[*_]*+\s*+"
_ENDS = regex(r"(?:(?<=[.!])\s|(?P<mark>[,–—/-]\s|\s\())\s*")  # What may part a text from a signature.
_SIGNATURE = 9  # Words of "Best wishes to you all, Tomas Berg" at most.


class NameLine(NamedTuple):
    """A line that begins with a name and a colon."""

    name: str
    own: bool  # Its words are the speaker's, who speaks to that member, or quotes it; else they are put in its mouth.
    begins: int  # Where the words after the name begin.


def _is_written(match: re.Match[str], line: str, *, speaks_to: bool) -> bool:
    """True for `[m12] Ruth: ...`, `Ruth (sceptic): ...` and `Ruth, sceptic: ...`, as a transcript has them.

    `Ruth (m12): ...` and a list speak of her; with her role between commas a line may speak to her.
    """
    beside = match["role"] or match["beside"] or "0"
    role_beside = not any(map(str.isdigit, beside)) and not line.lstrip().startswith("* ")
    return match["number"] is not None or (role_beside and (match["role"] is None or not speaks_to))


class NameLines:
    """Reads the lines of `who` that begin with the name of a member, with its own, or with that of a moderator.

    `members` are the titles of members, each with its role.
    """

    def __init__(self, who: str, members: tuple[tuple[str, str], ...], language: Language) -> None:
        roles = dict(members)
        others = sorted({*roles, *language.seatless_roles} - {who}, key=len, reverse=True) if members else []
        self.who, self._language = who, language
        self._names = {name.casefold(): name for name in (who, *others) if name}
        alternatives = "|".join(re.escape(name) for name in (who, *others) if name)
        self._line = re.compile(rf"{_BEFORE}(?P<name>{alternatives}){_AFTER}", re.IGNORECASE) if alternatives else None
        self._own_name = re.compile(rf"\b{re.escape(who)}\b", re.IGNORECASE) if who else None
        self._roles = {name: f" {bare(role)} " for name, role in roles.items()}
        self._others = frozenset(word for name in others for word in bare(name).split())
        self._sign_offs = frozenset(map(bare, language.sign_offs))
        called = {bare(who), bare(who).split(" ")[0]} if members and who else set[str]()
        self._last = tuple(f" {name}" for name in called)
        self._signed = frozenset(f"{before} {name}".strip() for before in ("", *self._sign_offs) for name in called)

    def may_sign(self, text: str) -> bool:
        """True if a text has the first word of the speaker's name or role: without it no line of it is a signature."""
        low = plain_low(text)
        return any(
            words[0] in low for words in (bare(self.who).split(), self._roles.get(self.who, "").split()) if words
        )

    def read(self, line: str, *, first: bool, makes_moves: Callable[[str], bool]) -> NameLine | None:
        """Return what the name at the beginning of a line says about it; None if it begins with no name.

        Whoever writes for another does it like a transcript, lets it speak of the writer or make moves, writes a
        dialogue, or speaks to nobody. A reply that begins with a name (`first`) may speak to that member from the
        start; later a line does so with "you", a question or an imperative.
        """
        plain = normalise(line)
        match = self._line.match(plain) if self._line else None
        if match is None or not (match["name"][0].isupper() and self._fits(match)):
            return None
        name, begins = self._names[match["name"].casefold()], match.end()
        words = lower(plain[begins:])
        if name == self.who or words[:1] in ('"', "'", ">"):
            return NameLine(name, own=True, begins=begins)
        says_i, says_you = (
            each.search(words) for each in (self._language.speaks_as_itself, self._language.speaks_to_another)
        )
        speaks_to = says_you is not None and (says_i is None or says_i.start() < says_you.start())
        told = (name in self._language.seatless_roles and not speaks_to) or (
            _is_written(match, plain, speaks_to=speaks_to) or makes_moves(line[begins:])
        )
        if told or (self._own_name is not None and self._own_name.search(words)):
            return NameLine(name, own=False, begins=begins)
        asks = self._language.asks_another.search(words) is not None or line.lstrip().startswith("* ")
        return NameLine(name, own=speaks_to or asks or first, begins=begins)

    def _fits(self, match: re.Match[str]) -> bool:
        """True if a name has its member's role beside it or none; "Ruth, we agree: ..." speaks to Ruth."""
        if match["role"] is None:
            return True
        known, told = self._roles.get(self._names[match["name"].casefold()], ""), f"{bare(match['role'])} "
        without_article = [(each, each.partition(" ")[2]) for each in (known.lstrip(), told)]
        return any(role.startswith(words) for role in without_article[0] for words in without_article[1] if words)

    def signs(self, line: str) -> bool:
        """True if a line holds nothing but the speaker's own name or role: "Tomas (tenant)", "Best to all, Tomas"."""
        if len(line) > LONGEST_FRAME:
            return False
        whole, role = bare(line), self._roles.get(self.who, " ").rstrip()
        words = bare(re.sub(r"\([^()]{0,60}\)", "", line)) if "(" in line else whole
        words = words if words in self._signed else words.removesuffix(role)
        opens, _, name = line.rpartition(",")  # "A hug to you all, Tomas", but no list of names
        near = (
            words.count(" ") < _SIGNATURE and f" {bare(name)}" in self._last and not re.search(r"[,\[\d]|[.!?] ", opens)
        )
        near = near and self._others.isdisjoint(bare(opens).split()) and not may_take_side(opens)
        return words in self._signed or whole == role.lstrip() != "" or self.closes(line) or near

    def without_signature(self, text: str) -> str:
        """Return a text without its author's signature at its end: "(Best, Oona)", ". Thanks all, Oona"."""
        ends = _ENDS.finditer(text, max(0, len(text) - LONGEST_FRAME))
        signed = (text[: at.start()] for at in ends if self.closes(text[at.end() :], named=not at["mark"]))
        return next(signed, text).rstrip()

    def closes(self, words: str, *, named: bool = True) -> bool:
        """True if words behind a text are the speaker's courtesy and name; a name alone where it is `named`."""
        opens, _, name = words.rstrip(" .!)").rpartition("," if "," in words else " ")
        courteous = bare(opens) in self._sign_offs or self._language.is_courtesy(opens)
        return (courteous and f" {bare(name)}" in self._last) or (named and bare(words) in self._signed)

    def member(self, called: re.Match[str] | None) -> str:
        """Return the one other member of the name in a match, or of a name with that part; empty where none is."""
        wanted = bare(called["name"]) if called else ""
        names = {title: bare(title) for title in self._roles if title != self.who}
        whom = [title for title, name in names.items() if name == wanted]
        whom = whom or [title for title, name in names.items() if wanted in name.split()]
        return whom[0] if len(whom) == 1 else ""

    def signs_off(self, line: str) -> bool:
        """True if a line holds nothing but words before a signature."""
        return bool(self._signed) and len(line) <= LONGEST_FRAME and bare(line) in self._sign_offs


# Returns the reader of the lines of a member; the same one each time.
name_lines = functools.lru_cache(maxsize=64)(NameLines)


def unsigned(text: str, who: str, language: Language) -> str:
    """Return what `who` says without a signature at its end; nothing where it is one, with more than a name."""
    names = name_lines(who, ((who, ""),), language)
    return "" if names.closes(text, named=False) else names.without_signature(text)


def without_name(text: str, name: str) -> str:
    """Return the text after the speaker's own name: models that read a transcript imitate its form."""
    who = rf"(?:\[?m\d+\]?:?\s+)?{re.escape(name)}(?:\s*\([^()\n]{{1,60}}\))?"
    match = re.match(rf"[\s#]*(?P<bold>[*_]*){who}(?:(?P=bold)\s*:|:(?P=bold))\s+", text, re.IGNORECASE)
    return text[match.end() :] if match else text
