"""`Options`: which options a text names, by their text, label or own words, and does not refuse."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from eda.memory.patterns import PatternPack, default_pack
from eda.memory.snapshot import Given
from eda.text import normalise, words

__all__ = ["Options"]

_SINGLE = re.compile(r"^[A-Za-z0-9]$")
_PLAIN_WORD = re.compile(r"\w+")
_JOINED = re.compile(r"(?<![\w'])[a-z0-9]{2,6}(?![\w'])", re.IGNORECASE)
FEW = 4
"""Most own words of an option of which one alone names it."""


def _any_of(phrases: Sequence[str]) -> str:
    return "|".join(map(re.escape, phrases))


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s")[:5] for word in words(text))


@dataclass(slots=True)
class Options:
    """The options of one debate, with an expression that finds each."""

    options: tuple[str, ...] = ()
    pack: Given[PatternPack] = field(default_factory=default_pack)
    """Its language has the words that name or refuse an option."""
    single: bool = field(init=False)
    """True where each option is one letter or figure, as on cards."""
    _patterns: list[re.Pattern[str]] = field(init=False)
    _own: list[frozenset[str]] = field(init=False)
    """The words of each option that no other has."""

    def __post_init__(self) -> None:
        self.single = bool(self.options) and all(_SINGLE.match(option.strip()) for option in self.options)
        self._patterns = [self._pattern(normalise(option)) for option in self.options]
        bags = [_stems(normalise(option)) for option in self.options]
        self._own = [bag.difference(*bags[:number], *bags[number + 1 :]) for number, bag in enumerate(bags)]

    def _pattern(self, option: str) -> re.Pattern[str]:
        """Return an expression for the ways to name an option."""
        language = self.pack.language
        forms = [re.escape(option.strip())]
        label = language.option_label.match(option)
        if label:
            forms.append(f"(?:{_any_of(language.option_words)}) {re.escape(label[1])}")
            if len(label[1]) == 1 and label[1].isupper():
                word = label[1].lower() in language.letter_words
                article = f"(?![\\w'])(?:{self._no_article})" if word else ""
                return re.compile(rf"\b(?:(?i:{'|'.join(forms)})|{label[1]}{article})(?![\w'])(?!\. ?[a-z])")
            forms.append(re.escape(option[label.end() :].strip()))
        if self.single:
            return self._single_pattern(option.strip())
        return re.compile(rf"\b(?i:{'|'.join(forms)})(?!\w)")

    def _single_pattern(self, letter: str) -> re.Pattern[str]:
        """Return an expression for the ways to name an option of one letter or figure."""
        language = self.pack.language
        small = letter.lower()
        if small in language.letter_words:
            near = r"(?:and|&|,|or|\+|\d)"
            article = self._no_article
            return re.compile(
                rf"(?<![\w']){letter.upper()}(?![\w']){article}|(?<![\w']){small}(?= ?{near}\b| ?[,&]|\W*$)|"
                rf"(?<=and ){small}(?![\w']){article}"
            )
        word = language.number_words.get(letter)
        form = f"(?:{letter}|{re.escape(word)})" if word else re.escape(letter)
        counted = before = ""
        if letter.isdigit():
            counts = f"[ -]?(?:(?:{_any_of(language.counted_qualities)}) )?(?:{_any_of(language.counted)})\\b"
            counted = f"(?:(?<=and .)|(?<=and the .)|(?!{counts}))"
            before = "".join(f"(?<!{re.escape(phrase)} )" for phrase in language.before_figure)
        return re.compile(rf"(?<![\w'.]){before}{form}(?![\w'%])(?!\.\d){counted}", re.IGNORECASE)

    @property
    def _no_article(self) -> str:
        """Expression that fails before a word which an article may stand before."""
        return f"(?! (?!{_any_of(self.pack.language.after_letter)})[a-z])"

    def only(self, text: str, named: tuple[str, ...]) -> bool:
        """Return whether a text that names options has at most three other words."""
        return len(_PLAIN_WORD.findall(text)) <= len(named) + 3

    def mentioned(self, text: str, *, strictly: bool = False) -> tuple[str, ...]:
        """Return the options that a text names without turning them down, in the debate's order.

        Args:
            text: The text.
            strictly: One word of a longer option does not name it.
        """
        if not self.options:
            return ()
        language = self.pack.language
        plain = normalise(text)
        named = self._joined(plain) if self.single else []
        bag: frozenset[str] | None = None
        for option, pattern, own in zip(self.options, self._patterns, self._own, strict=True):
            match = pattern.search(plain)
            if match:
                before = plain[: match.start()]
                turned_down = language.option_negated.search(before) or language.option_dropped.match(
                    plain, match.end()
                )
                turned_down = turned_down or (None if self.single else language.option_outdone.search(before))
                if option not in named and not turned_down:
                    named.append(option)
                continue
            if self.single or not own or (strictly and len(own) < 2):
                continue
            if bag is None:
                bag = _stems(plain)
            if language.drops_options.search(plain):
                continue
            enough = (len(own) + 1) // 2 if strictly else 2
            if len(own & bag) >= (max(min(len(own), 2), enough) if strictly or len(own) > FEW else 1):
                named.append(option)
        return tuple(option for option in self.options if option in named)

    def _joined(self, plain: str) -> list[str]:
        """Return options written together, as in `A7`: a token of option letters with a figure, or in capitals."""
        singles = {option.strip().lower(): option for option in self.options}
        for match in _JOINED.finditer(plain):
            token = match.group().lower()
            listed = len(set(token)) == len(token) and all(char in singles for char in token)
            if listed and (any(char.isdigit() for char in token) or match.group().isupper()):
                return [singles[char] for char in token]
        return []
