"""`Wording`: the words of one option, and where some of them name it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from eda.memory.patterns import Language
from eda.text import words

FEW = 4
"""Most own words of an option of which one alone names it."""
_WORD = re.compile(r"\w+")
_NEAR = re.compile(r"(?:[^\w.;:!?\n]+\w+){0,4}[^\w.;:!?\n]+")
"""What may stand between two words that name an option: four other words at most, of the same clause."""
_NEXT = re.compile(r"[ :'-]{1,2}")
"""What may stand between a word that names an option and another word of that option."""


class Token(NamedTuple):
    """A word of a text."""

    stem: str
    figure: str
    """The stem where the word is a number: of its figure."""
    weak: bool
    """It does not name an option alone: the verb of an order, or a number."""
    content: bool
    """It is no word of grammar."""
    start: int
    end: int


def stem(word: str) -> str:
    """Return the part of a lower-case word by which words are compared."""
    return word[:6].removesuffix("s")[:5]


def stems(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text."""
    return frozenset(map(stem, words(text)))


def tokens_of(plain: str, language: Language) -> list[Token]:
    """Return the words of a normalised text."""
    figures = {word: figure for figure, word in language.number_words.items()}
    tokens: list[Token] = []
    before = ""
    for match in _WORD.finditer(plain):
        word = match[0].lower()
        orders = word in language.imperatives and before not in language.determiners
        tokens.append(
            Token(stem(word), figures.get(word, ""), orders or word in figures, bool(words(word)), *match.span())
        )
        before = word
    return tokens


@dataclass(frozen=True, slots=True)
class Wording:
    """The stems of the words of one option."""

    own: frozenset[str]
    """Those that no other option has."""
    every: frozenset[str]
    weak: bool
    """Each of its own words is the verb of an order, or a number."""

    def spans(self, plain: str, tokens: Sequence[Token], *, strictly: bool) -> list[tuple[int, int]]:
        """Return where enough of the option's own words stand near each other, with the words of it beside them.

        Args:
            plain: A normalised text.
            tokens: Its words, from `tokens_of`.
            strictly: One word of a longer option does not name it.
        """
        least = max(min(len(self.own), 2), (len(self.own) + 1) // 2) if strictly else 1 + (len(self.own) > FEW)
        runs: list[list[int]] = []
        for at, token in enumerate(tokens):
            if self.own.isdisjoint((token.stem, token.figure)):
                continue
            if runs and _NEAR.fullmatch(plain, tokens[runs[-1][-1]].end, token.start):
                runs[-1].append(at)
            else:
                runs.append([at])
        return [
            self._span(plain, tokens, run[0], run[-1])
            for run in runs
            if self._weight([tokens[at] for at in run]) >= least
        ]

    def _weight(self, run: Sequence[Token]) -> int:
        """Return how many of its own words name the option; weak ones count beside a strong one and a figure only."""
        strong = {token.stem for token in run if not token.weak}
        exact = strong and any(stem.isdigit() for stem in strong)
        return len({token.stem for token in run}) if self.weak or exact else len(strong)

    def is_loose(self, tokens: Iterable[Token]) -> bool:
        """Return whether content words that are not the option's are among some words."""
        return any(token.content and self.every.isdisjoint((token.stem, token.figure)) for token in tokens)

    def _span(self, plain: str, tokens: Sequence[Token], first: int, last: int) -> tuple[int, int]:
        """Return where a run of tokens begins and ends with the option's other words on both sides."""
        while last + 1 < len(tokens) and self._belongs(
            tokens[last + 1], plain[tokens[last].end : tokens[last + 1].start]
        ):
            last += 1
        while first and self._belongs(tokens[first - 1], plain[tokens[first - 1].end : tokens[first].start]):
            first -= 1
        while last > first and (tokens[last].weak or tokens[last].stem not in self.every):
            last -= 1
        return tokens[first].start, tokens[last].end

    def _belongs(self, token: Token, between: str) -> bool:
        """Return whether the next word is one of the option, or makes one compound with it."""
        return between == "-" or (token.stem in self.every and _NEXT.fullmatch(between) is not None)
