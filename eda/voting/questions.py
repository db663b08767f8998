"""What a voter is asked about a ballot: each doubt in words that go into its next prompt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from eda.events.outcome import Doubt
from eda.text import shorten
from eda.words import ENGLISH, Words

_MOST_QUOTED = 60
"""Characters of a text that a question quotes."""
_MARKS = "\"'“”‘’«»()[]{}.,;:!?…*_`"


def question(
    doubts: Sequence[Doubt],
    choices: Sequence[str],
    ids: Mapping[str, str],
    ended: Mapping[str, str] | None = None,
    words: Words = ENGLISH,
) -> str:
    """Return what a voter is asked about its ballot; empty without doubts.

    A long choice is named by its id, or by its first words where `ids` has none. `ended`: what became of texts that are
    open no more, by their ids.
    """
    asked = [_Question(choices, ids).of(doubt, ended or {}, words) for doubt in dict.fromkeys(doubts)]
    unknown = next((place for place, doubt in enumerate(dict.fromkeys(doubts)) if doubt.kind == "unknown"), None)
    if unknown is not None and ids:
        open_ids = words.say("doubt-open", ids=[*ids], none=doubts[0].field != "also")
        asked[unknown] += f": {open_ids}"
    return "; ".join(asked)


def by_ids(doubts: Iterable[Doubt], ids: Mapping[str, str]) -> tuple[Doubt, ...]:
    """Return doubts, each once, with the ids of texts in place of their words."""
    keys = {words: key for key, words in ids.items()}
    named = (replace(each, texts=tuple(keys.get(text, text) for text in each.texts)) for each in doubts)
    return tuple(dict.fromkeys(named))


class _Question:
    """Words one doubt about texts."""

    def __init__(self, choices: Sequence[str], ids: Mapping[str, str]) -> None:
        self._ids, self._keys = ids, {words: key for key, words in ids.items()}
        lines = {(" ".join(each.split()).rstrip(_MARKS), each) for each in choices}
        self._long = sorted(
            (each for each in lines if len(each[0]) > _MOST_QUOTED), key=lambda each: (-len(each[0]), each)
        )

    def of(self, doubt: Doubt, ended: Mapping[str, str], words: Words) -> str:
        """Return a doubt in words."""
        texts = [*map(self._name, doubt.texts)]
        return words.say(
            "doubt-asked",
            kind=doubt.kind.replace(" ", "-"),
            texts=texts,
            one=next(iter(texts), ""),
            rest=texts[1:],
            count=len(texts),
            field=doubt.field,
            at=f"m{doubt.at}",
            ended=ended.get(doubt.words, ""),
            words=doubt.words or "it",
            told=self._quoted(doubt.words),
        )

    def _name(self, text: str) -> str:
        """Return a text in quotation marks, or its id."""
        line = " ".join(text.split())
        long = len(line.rstrip(_MARKS)) > _MOST_QUOTED
        return text if text in self._ids else self._keys.get(text) or _short(line) if long else f"'{line}'"

    def _quoted(self, answer: str) -> str:
        """Return the words of a voter in quotation marks: cut; a long choice in them by its id or first words."""
        line = " ".join(answer.split())
        whole = next((each for plain, each in self._long if line in (plain, " ".join(each.split()))), None)
        if whole is not None:
            return self._name(whole)
        if not any(plain in line for plain, _ in self._long):
            return f"'{shorten(line, _MOST_QUOTED)}'"
        for plain, each in self._long:
            line = line.replace(plain, self._keys.get(each) or shorten(plain, _MOST_QUOTED))
        return f"'{line}'"


def _short(line: str) -> str:
    return f"'{shorten(line.rstrip(_MARKS), _MOST_QUOTED)}'"
