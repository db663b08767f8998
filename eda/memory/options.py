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
            return re.compile(rf"(?<![\w']){re.escape(option.strip())}(?![\w'])", re.IGNORECASE)
        return re.compile(rf"\b(?i:{'|'.join(forms)})(?!\w)")

    def only(self, text: str, named: tuple[str, ...]) -> bool:
        """Whether a text that names options says hardly anything else: up to three other words."""
        return len(_PLAIN_WORD.findall(text)) <= len(named) + 3

    def mentioned(self, text: str) -> tuple[str, ...]:
        """The options that a text names without turning them down, in the debate's order."""
        if not self.options:
            return ()
        plain = normalise(text)
        found = []
        bag: frozenset[str] | None = None
        for option, pattern, own in zip(self.options, self._patterns, self._own, strict=True):
            match = pattern.search(plain) if pattern else None
            if match:
                if not _NEGATED.search(plain[: match.start()]):
                    found.append(option)
                continue
            if self._single or not own:
                continue
            if bag is None:
                bag = words(plain)
            if len(own & bag) >= min(2, len(own)):
                found.append(option)
        return tuple(found)
