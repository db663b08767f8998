"""A message is read once. What speaks for a kind adds up in log-odds: each pattern's confidence, each sign's weight.

A written form (`RESOLVED:`, `+1`) and a pattern that is sure stand by themselves. A finding counts from its kind's
threshold on.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eda.memory.weights import REGISTERS, THRESHOLDS, WEIGHTS
from eda.memory.wording import MAX_CHARS, clean
from eda.patterns import Hit, Kind, PatternPack, lower, mask_quotes, normalise, sentences

__all__ = ["BASE", "MAX_TEXT", "POOLED", "SIGNS", "Finding", "Reading", "log_odds", "read", "weigh"]

BASE = 0.1
"""Confidence of a kind of which nothing speaks: what a pattern's confidence is measured against."""
MAX_TEXT = 20_000
"""Characters of a message that are read."""
POOLED: tuple[Kind, ...] = ("decision", "proposal", "support", "oppose", "neutral")
"""Kinds whose signs add up; of the others the surest pattern speaks alone."""
SIGNS = "signs"
"""The name that stands for a pattern where none matched and all that surrounds a message spoke for it."""
ALONE = 0.5
"""Confidence from which a pattern of the other kinds counts."""
UNSAID = 0.5
"""Confidence from which a message decides something without a word that says so."""
HEADING = "heading"
"""The pattern of a heading over a decision; it holds for a heading with something below it."""
_HEADED = re.compile(r"^[ \t]*#{1,6}[ \t]")
FEW = 3
"""Sentences below which a message that reports something does nothing else."""
_DISOWNED = re.compile(
    r"\b(?:said|says|(?:critics|opponents|supporters|some|many|others|people|they|he|she)(?: have| has)?"
    r"(?: long| often)? (?:argued?|argues|claim(?:s|ed)?|say|think|thinks|believe|believes)"
    r"|should(?:n't)? have \w{2,}(?:ed|en|ne)|"
    r"please (?:agree|comment))\b"
)
"""What is reported or comes too late is nobody's offer."""
SURE = 0.7
"""Confidence from which a pattern needs no company."""


_BY_SIGN = {
    register: {
        sign: tuple(WEIGHTS.get((kind, register), {}).get(sign, 0.0) for kind in POOLED)
        for sign in {sign for kind in POOLED for sign in WEIGHTS.get((kind, register), {})}
    }
    for register in REGISTERS
}
"""What a sign counts for each of the kinds, so that a message's signs are looked up once."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a message says, by patterns."""

    kind: Kind
    pattern: str
    start: int
    """Of the sentence in the message."""
    end: int
    topic: str
    """What it is about: what follows the cue, to the end of its sentence."""
    sentence: str
    """The whole sentence, cleaned."""
    confidence: float
    """Of the pattern and all that surrounds it, 0 to 1."""
    written: bool
    cue: float = 0.0
    """Of the pattern alone; 0 where none matched."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A message's text, split and searched."""

    text: str
    plain: str
    spans: list[tuple[int, int]]
    hits: list[Hit]


def log_odds(confidence: float) -> float:
    """What a confidence adds to the odds, against that of a kind of which nothing speaks."""
    bounded = min(0.995, max(0.005, confidence))
    return math.log(bounded / (1 - bounded)) - math.log(BASE / (1 - BASE))


def read(text: str, pack: PatternPack) -> Reading:
    """Split a message and search it."""
    text = text[:MAX_TEXT]
    plain = normalise(text)
    spans = sentences(plain)
    low = lower(plain)
    hits = pack.find_in(mask_quotes(low), spans)
    if any(hit.pattern == HEADING for hit in hits):
        hits = [hit for hit in hits if hit.pattern != HEADING or _heads(plain, hit, spans)]
    return Reading(text, plain, spans, hits)


def _heads(plain: str, hit: Hit, spans: list[tuple[int, int]]) -> bool:
    line = plain.rfind("\n", 0, hit.start) + 1
    return bool(_HEADED.match(plain[line : hit.end])) and spans[-1] != hit.sentence


def weigh(reading: Reading, signs: Sequence[str] = (), register: str = "terse") -> list[Finding]:  # noqa: C901 - one ladder a kind
    """What a message says: of each kind at most one finding, but every written form.

    Args:
        reading: the message, read.
        signs: what `Scene.signs` says of it.
        register: the kind of talk, one of `REGISTERS`.
    """
    by_kind: dict[Kind, list[Hit]] = {}
    for hit in reading.hits:
        by_kind.setdefault(hit.kind, []).append(hit)
    company = [*signs, *[f"says-{kind}" for kind in by_kind]]
    findings: list[Finding] = []
    by_sign = _BY_SIGN[register]
    totals = [sum(column) for column in zip(*[by_sign[sign] for sign in company if sign in by_sign], strict=True)]
    for kind, total in zip(POOLED, totals or [0.0] * len(POOLED), strict=True):
        hits = by_kind.pop(kind, [])
        written = [hit for hit in hits if hit.written]
        if written:
            findings.extend(_finding(reading, hit, hit.confidence) for hit in written)
            continue
        weights = WEIGHTS.get((kind, register))
        best = max(hits, key=lambda hit: hit.confidence, default=None)
        if weights is None or not signs:
            confidence = best.confidence if best else 0.0
            threshold = 0.5
        else:
            confidence = _pooled(hits, total, weights)
            threshold = THRESHOLDS[kind, register]
        if best is not None and best.confidence >= SURE:
            confidence = max(confidence, best.confidence)
        elif confidence < threshold:
            continue
        if best is None:
            if not reading.spans or (kind == "decision" and confidence < UNSAID):
                continue
            if kind == "proposal" and len(reading.spans) < FEW and _DISOWNED.search(lower(reading.plain)):
                continue
            start, end = max(reading.spans, key=lambda span: span[1] - span[0])
            best = Hit(SIGNS, kind, start, start, 0.0, (start, end))
        findings.append(_finding(reading, best, confidence))
    for hits in by_kind.values():
        surest = max(hits, key=lambda hit: hit.confidence)
        if surest.confidence >= ALONE:
            findings.append(_finding(reading, surest, surest.confidence))
    findings.sort(key=lambda finding: finding.start)
    return findings


def _pooled(hits: Sequence[Hit], score: float, weights: Mapping[str, float]) -> float:
    for name, confidence in {hit.pattern: hit.confidence for hit in hits}.items():
        weight = weights.get("~" + name)
        score += log_odds(confidence) if weight is None else weight
    return 1 / (1 + math.exp(-score))


def _finding(reading: Reading, hit: Hit, confidence: float) -> Finding:
    text = reading.text
    start, end = hit.sentence
    if hit.written:
        newline = text.find("\n", start)
        end = max(end, len(text.rstrip()) if newline < 0 else newline)
    elif text[start:end].rstrip(" *_").endswith(":"):
        end = max([end, *(last for first, last in reading.spans if first >= end and last - start <= MAX_CHARS)])
    elif hit.pattern == HEADING:
        start, end = next(span for span in reading.spans if span[0] >= end)
    sentence = topic = clean(text[start:end])
    named = [hit.groups[name] for name in ("outcome", "topic") if name in hit.groups]
    if named:
        topic = clean(text[slice(*named[0])])
    elif hit.written and hit.kind in ("decision", "proposal"):
        topic = clean(text[hit.end : end])
    return Finding(
        hit.kind,
        hit.pattern,
        start,
        end,
        topic if len(topic) > 2 else sentence,
        sentence,
        round(confidence, 3),
        hit.written,
        hit.confidence,
    )
