"""Finds the sentences of earlier messages that say most about what was just asked, with those beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import fsum

from eda.events.records import Line, Recalled
from eda.memory.recall.index import split, worth
from eda.memory.recall.recall import Recall, Sentences
from eda.text import normalise, sentences

_LONGEST = 4_000  # Characters read of a message; of a longer one its beginning and its end.
_QUESTIONS, _WORDS = 3, 4  # Questions looked up, the newest; and the least words of one.
_OLDER = 0.5  # Factor on a question for each message after it.
_OPENING, _OPENINGS = 200, 0.3  # Characters of each message looked up beside questions, and the factor on the result.
_POOL = 30  # Messages whose sentences are compared, for each text looked up.
_BEST, _FADES = 12, 0.5  # Most sentences found, and the least share of the best score.
_BESIDE = 0.5  # Factor on a word of the sentence before or after.
_ASKS = 0.2  # Factor on a sentence that asks too: it answers nothing.
_KEPT = 1500  # Messages whose sentences are kept as they were read.
_GAP = " [...]"


def discussed(lines: Sequence[Line]) -> list[tuple[float, str]]:
    """Return what the last messages ask, the newest first, and how they begin, each with its weight, at most 1."""
    aged = [(_OLDER**age, *part) for age, line in enumerate(reversed(lines)) for part in reversed(_parts(line.text))]
    questions = [(weight, text) for weight, text, words, asks in aged if asks and len(words) >= _WORDS]
    return [*questions[:_QUESTIONS], (_OPENINGS, "\n".join(line.text[:_OPENING] for line in lines))]


def excerpts(recall: Recall, asked: Iterable[tuple[float, str]], until: int) -> list[Recalled]:
    """Return what messages up to `until` say about texts, each given with its weight; one result a message."""
    best: dict[tuple[int, int], float] = {}  # scores of sentences, by message and place
    for weight, text in asked:
        query = recall.asked(text)
        weights = recall.weights(query[1])
        for whole, number in recall.ranked(query, _POOL, 1, until, fused=False) if weights else ():
            for place, score in _scores(whole, _read(recall, number), weights):
                if weight * score > best.get((number, place), -1.0):
                    best[number, place] = weight * score
    ranked = sorted(best, key=lambda key: (-best[key], *key))[:_BEST]
    places: dict[int, list[int]] = {}
    for key in ranked:
        if best[key] > _FADES * best[ranked[0]]:
            places.setdefault(key[0], []).append(key[1])
    lines = ((recall.line(number), each) for number, each in places.items())
    return [Recalled(n.number, n.who, _shown(n.text, each), best[n.number, each[0]]) for n, each in lines]


def _read(recall: Recall, number: int) -> Sentences:
    if number in recall.sentences:
        return recall.sentences[number]
    parts = [(recall.said.stems(words), words, asks) for _, words, asks in _parts(recall.line(number).text)]
    read = [(frozenset(stems), len(words), asks) for stems, words, asks in parts]
    if all(len(stems) == len(words) for stems, words, _ in parts):  # else the index may have the others later
        if len(recall.sentences) == _KEPT:
            recall.sentences.clear()
        recall.sentences[number] = read
    return read


@lru_cache(maxsize=256)
def _parts(text: str) -> tuple[tuple[str, tuple[str, ...], bool], ...]:
    """Return the sentences of a text, each with its words in lower case and whether it asks."""
    text = text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]}\n{text[-_LONGEST // 2 :]}"
    plain = normalise(text)
    parts = [(text[start:end], plain[start:end].rstrip("\"')]*_")) for start, end in sentences(plain)]
    return tuple((part, tuple(split(part.lower())), bare.endswith("?")) for part, bare in parts)


def _scores(whole: float, parts: Sentences, weights: Mapping[int, float]) -> Iterator[tuple[int, float]]:
    """Yield the place and the score of each sentence that has a word asked for.

    That of a message of one sentence is its own, which knows its neighbours.
    """
    if len(parts) == 1:
        yield 0, (_ASKS if parts[0][2] else 1.0) * whole
        return
    asked_for = weights.keys()
    own = [stems & asked_for for stems, _, _ in parts]
    for place, (_, size, asks) in enumerate(parts):
        if own[place]:
            near = own[place].union(*own[max(0, place - 1) : place + 2]) - own[place]
            score = fsum([weights[stem] for stem in own[place]]) + _BESIDE * fsum([weights[stem] for stem in near])
            yield place, (_ASKS if asks else 1.0) * (score * worth(size))


def _shown(text: str, places: Iterable[int]) -> str:
    """Return sentences of a text with those beside them, in order, with marks where others are left out."""
    parts = _parts(text)
    near = {beside for place in places for beside in range(place - 1, place + 2)} & {*range(len(parts))}
    words = [(" " if not place or place - 1 in near else f"{_GAP} ") + parts[place][0] for place in sorted(near)]
    return ("".join(words) + ("" if len(parts) - 1 in near else _GAP)).strip()
