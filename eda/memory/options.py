"""Which of the debate's options a text names, and how it stands to them. An option is found by its whole text, by its label,
or by words that no other option has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from eda.memory.wording import words
from eda.patterns import normalise

__all__ = ["Options"]

_LABEL = re.compile(r"^\s*(?:option\s+)?([A-Za-z0-9]{1,2})\s*[:.)–—-]\s+(?=\S)")
_SINGLE = re.compile(r"^[A-Za-z0-9]$")
_PLAIN_WORD = re.compile(r"\w+")
_WORDLIKE = frozenset("ai")
"""Letters that are words too: in small letters they name an option only beside another."""
_ARTICLE = (
    r"(?! (?!and|or|is|are|cards?|options?|only|with|would|because|as|then|too|also|has|needs?|must|should|could|can|was|will|"
    r"if|to|for|on|in|it|but|again|plus|not|alone|does|i |we )[a-z])"
)
"""Not before a word that an article may stand before."""
_JOINED = re.compile(r"(?<![\w'])[a-z0-9]{2,6}(?![\w'])", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|no|never|without|drop(?:ping|ped)?|against|except|but|instead of|rather than|\w+n't)\W+(?:\w+\W+){0,2}$")


class Options:
    """The options of one debate, ready to be looked for."""

    def __init__(self, options: Sequence[str]) -> None:
        self.options = tuple(options)
        self._single = bool(options) and all(_SINGLE.match(option.strip()) for option in options)
        self._patterns: list[re.Pattern[str] | None] = []
        bags = [words(normalise(option)) for option in options]
        self._own: list[frozenset[str]] = []
        for number, option in enumerate(options):
            others = frozenset().union(*(bag for k, bag in enumerate(bags) if k != number))
            self._own.append(bags[number] - others)
            self._patterns.append(self._pattern(normalise(option)))

    def _pattern(self, option: str) -> re.Pattern[str] | None:
        forms = [re.escape(option.strip())]
        label = _LABEL.match(option)
        if label:
            forms.append(rf"(?:option|plan|choice|alternative|variant) {re.escape(label[1])}")
            if len(label[1]) == 1 and label[1].isupper():
                return re.compile(rf"\b(?:(?i:{'|'.join(forms)})|{label[1]})(?![\w'])(?!\. ?[a-z])")
            forms.append(re.escape(option[label.end() :].strip()))
        if self._single:
            letter = option.strip()
            if letter.lower() in _WORDLIKE:
                small = letter.lower()
                near = rf"(?:and|&|,|or|\+|\d)"
                return re.compile(
                    rf"(?<![\w']){letter.upper()}(?![\w']){_ARTICLE}|(?<![\w']){small}(?= ?{near}\b| ?[,&]|\W*$)|(?<=and ){small}(?![\w'])"
                )
            return re.compile(rf"(?<![\w']){re.escape(letter)}(?![\w'])", re.IGNORECASE)
        return re.compile(rf"\b(?i:{'|'.join(forms)})(?!\w)")

    def only(self, text: str, named: tuple[str, ...]) -> bool:
        """Whether a text that names options says hardly anything else: up to three other words."""
        return len(_PLAIN_WORD.findall(text)) <= len(named) + 3

    def mentioned(self, text: str) -> tuple[str, ...]:
        """The options that a text names without turning them down, in the debate's order."""
        if not self.options:
            return ()
        plain = normalise(text)
        found = self._joined(plain) if self._single else []
        bag: frozenset[str] | None = None
        for option, pattern, own in zip(self.options, self._patterns, self._own, strict=True):
            match = pattern.search(plain) if pattern else None
            if match:
                if option not in found and not _NEGATED.search(plain[: match.start()]):
                    found.append(option)
                continue
            if self._single or not own:
                continue
            if bag is None:
                bag = words(plain)
            if len(own & bag) >= min(2, len(own)):
                found.append(option)
        return tuple(option for option in self.options if option in found)

    def _joined(self, plain: str) -> list[str]:
        """Options that are written together, as `A7`: a token of nothing but option letters, one of them a figure."""
        singles = {option.strip().lower(): option for option in self.options}
        for match in _JOINED.finditer(plain):
            token = match.group().lower()
            if len(set(token)) == len(token) and all(char in singles for char in token):
                if any(char.isdigit() for char in token) or match.group().isupper():
                    return [singles[char] for char in token]
        return []
