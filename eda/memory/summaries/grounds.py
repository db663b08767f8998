"""Finds what a sentence says that its sources have nowhere: numbers and names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from eda.memory.patterns import Language
from eda.memory.summaries.summary_input import figures
from eda.text import NUMBER_WORDS, normalise

_NOUNS = 0.15  # Share of capitalised words within sentences from which a language capitalises its nouns.
_STEM = 5
_CAPITALISED = re.compile(r"(?<=[\w,;)/(] )\(?([A-Z][^\W\d_]{2,})(?!\w*:)|\b([a-z]+[A-Z]\w*)")
_WITHIN = re.compile(r"(?<=[\w,;)] )([^\W\d_])[^\W\d_]{2,}")
_NUMBER = "|".join(NUMBER_WORDS)
_COUNT = re.compile(rf"\b(?!(?:zero|one)\b)({_NUMBER})(?:-({_NUMBER}))? (?!(?:{_NUMBER})\b)([^\W\d_]+)")


class Grounds:
    """The words, numbers and names that sentences may use.

    Args:
        sources: all that a sentence may rest on.
        counted: figures that it may name as well, such as numbers of votes.
        language: the words by which names and counts are told.
    """

    def __init__(self, sources: Iterable[str], counted: Iterable[int], language: Language) -> None:
        everything = normalise("\n".join(sources))
        words = set(re.findall(r"[^\W\d_]+", everything.casefold()))
        self._language = language
        self._stems = {word[:_STEM] for word in words}
        stated = figures(everything)
        thousands = {f"{int(figure) / 1000:g}" for figure in stated if figure.isdecimal() and int(figure) >= 1000}
        spelled = {str(figure) for figure, word in enumerate(language.spelled_figures) if word in words}
        spelled |= {f"{figure:g}" for word, figure in NUMBER_WORDS.items() if word in words}
        self._figures = stated | thousands | spelled | {*map(str, counted)}
        within = _WITHIN.findall(everything)
        self._names_stand_out = sum(map(str.isupper, within)) < _NOUNS * max(1, len(within))

    def numbers(self, sentence: str) -> list[str]:
        """Return the numbers that no source has; those in words only before a word that one has: `twelve minutes`."""
        return [*sorted(figures(sentence) - self._figures), *self._strange_counts(sentence)]

    def names(self, sentence: str) -> list[str]:
        """Return the names that no source has; none in a language that writes its nouns large."""
        if not self._names_stand_out:
            return []
        found = [first or second for first, second in _CAPITALISED.findall(sentence)]
        headings = self._language.summary_headings
        begins = self._language.told_of_one.match(sentence)
        if begins and begins[1].casefold() not in self._language.no_names:
            found.insert(0, begins[1])
        return [w for w in found if w.casefold()[:_STEM] not in self._stems and w.casefold() not in headings]

    def _strange_counts(self, sentence: str) -> list[str]:
        return [
            f"{match[1]}-{match[2]}" if match[2] else match[1]
            for match in _COUNT.finditer(sentence.casefold())
            if match[3][:_STEM] in self._stems and not self._language.of_the_talk.match(match[3])
            if not {f"{NUMBER_WORDS[word]:g}" for word in match.group(1, 2) if word} <= self._figures
            if f"{sum(NUMBER_WORDS[word] for word in match.group(1, 2) if word):g}" not in self._figures
        ]
