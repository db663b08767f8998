"""Finds the sentences of earlier messages that say most about what was just asked, with those beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from eda.events.records import Line, Recalled
from eda.memory.recall.index import split, worth
from eda.memory.recall.recall import Recall
from eda.text import normalise, sentences

_READ = 4_000  # Characters read of a message; of a longer one its beginning and its end.
_QUESTIONS, _WORDS = 3, 4  # Questions looked up, the newest; and the least words of one.
_OLDER = 0.5  # Factor on a question for each message after it.
_OPENING, _OPENINGS = 200, 0.3  # Characters of each message looked up beside questions, and the factor on the result.
_POOL = 20  # Messages whose sentences are compared, for each text looked up.
_BEST, _FADES = 12, 0.5  # Most sentences found, and the least share of the best score.
_BESIDE = 0.5  # Factor on a word of the sentence before or after.
_ASKS = 0.2  # Factor on a sentence that asks too: it answers nothing.
_SHOWN = 240  # Characters of a sentence with those beside it.
_GAP = " [...]"


def discussed(lines: Sequence[Line]) -> list[tuple[float, str]]:
    """Return what the last messages ask, the newest first, and how they begin, each with its weight, at most 1."""
    aged = [(_OLDER**age, part) for age, line in enumerate(reversed(lines)) for part in reversed(_parts(line.text))]
    asked = [(weight, part.text) for weight, part in aged if part.asks and len(part.words) >= _WORDS]
    return [*asked[:_QUESTIONS], (_OPENINGS, "\n".join(line.text[:_OPENING] for line in lines))]


def excerpts(recall: Recall, asked: Iterable[tuple[float, str]], until: int) -> list[Recalled]:
    """Return what messages up to `until` say about texts, each given with its weight; one result a message."""
    best: dict[tuple[int, int], float] = {}
    hits: dict[int, Recalled] = {}
    stems: dict[int, list[set[int]]] = {}
    for weight, text in asked:
        weights = recall.weights(text)
        for hit in recall.search(text, _POOL, until=until) if weights else ():
            if hits.setdefault(number := hit.message_id, hit) is hit:
                stems[number] = [recall.stems(part.words) for part in _parts(hit.text)]
            for place, score in enumerate(_scores(hit, stems[number], weights)):
                best[number, place] = max(best.get((number, place), 0.0), weight * score)
    ranked = sorted(best, key=lambda key: (-best[key], key))[:_BEST]
    places: dict[int, list[int]] = {}
    for number, place in ranked:
        if best[number, place] > _FADES * best[ranked[0]]:
            places.setdefault(number, []).append(place)
    return [
        Recalled(number, hits[number].who, _shown(hits[number].text, each), best[number, each[0]])
        for number, each in places.items()
    ]


class _Sentence(NamedTuple):
    text: str
    words: tuple[str, ...]
    asks: bool


@lru_cache(maxsize=256)
def _parts(text: str) -> tuple[_Sentence, ...]:
    read = text if len(text) <= _READ else f"{text[: _READ // 2]}\n{text[-_READ // 2 :]}"
    plain = normalise(read)
    return tuple(
        _Sentence(
            read[start:end], tuple(split(read[start:end].lower())), plain[start:end].rstrip("\"')]*_").endswith("?")
        )
        for start, end in sentences(plain)
    )


def _scores(hit: Recalled, stems: Sequence[set[int]], weights: dict[int, float]) -> list[float]:
    """Return the score of each sentence; that of a message of one sentence is its own, which knows its neighbours."""
    parts = _parts(hit.text)
    own = [weights.keys() & each for each in stems]
    scores: list[float] = []
    for place, part in enumerate(parts):
        near = set().union(*own[max(0, place - 1) : place + 2]) - own[place] if own[place] else ()
        score = sum(weights[stem] for stem in own[place]) + _BESIDE * sum(weights[stem] for stem in near)
        score = score * worth(len(part.words)) if len(parts) > 1 else hit.score
        scores.append(score * (_ASKS if part.asks else 1.0))
    return scores


def _shown(text: str, places: Iterable[int]) -> str:
    """Return sentences of a text with those beside them, in order, with marks where others are left out."""
    parts, shown = _parts(text), set[int]()
    for place in places:
        room = _SHOWN - len(parts[place].text)
        shown.add(place)
        for beside in (place + 1, place - 1):
            if 0 <= beside < len(parts) and len(parts[beside].text) <= room:
                room -= len(parts[beside].text)
                shown.add(beside)
    said = [(" " if not place or place - 1 in shown else f"{_GAP} ") + parts[place].text for place in sorted(shown)]
    return ("".join(said) + ("" if len(parts) - 1 in shown else _GAP)).strip()
