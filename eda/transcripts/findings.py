"""Findings: what a message proposes, decides, supports or opposes. Evidence for a kind adds up in log-odds.

Each pattern counts by its confidence, each cue by its weight. A written form (`RESOLVED:`, `+1`) and a pattern that is
sure stand by themselves. A finding counts from the threshold of its kind on. `weights.toml` holds weights and
thresholds, fitted by benchmarks/fit.py. A cue weighs its weight anywhere plus its weight in the register. Beside the
cues of `cues.py` there are `~name` for a match of that pattern, `says-kind` for one of any pattern of that kind, and
`any`, which every message has. No cue depends on the topic.
"""

import functools
import math
import tomllib
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from eda.memory.patterns import Hit, Kind, PatternPack
from eda.memory.patterns.pack import OPTION_SIGN
from eda.text import MAX_CHARS, Read, clean, grouped, lower, mask_quotes, regex

BASE = 0.1  # Confidence of a kind without any evidence: what a pattern's confidence is measured against.
MAX_TEXT = 20_000  # Characters of a message that are searched.
REGISTERS = ("terse", "choice", "prose")  # Short turns; short turns about given options; long turns.
POOLED: tuple[Kind, ...] = ("decision", "proposal", "support", "oppose", "neutral")  # whose evidence adds up
ALONE = 0.5  # Confidence from which a pattern of the other kinds counts.
HEADING = "heading"  # The pattern of a heading over a decision; it holds for a heading with something below it.
_HEADED = regex(r"^[ \t]*#{1,6}[ \t]")
SURE = 0.7  # Confidence from which a pattern needs no other evidence.


_Table = dict[tuple[str, str], dict[str, float]]


@functools.cache
def weights() -> tuple[_Table, dict[tuple[str, str], float], dict[str, dict[str, tuple[float, ...]]]]:
    """Return the weights of cues and the thresholds, by kind and register; and by register those for all kinds."""
    table = tomllib.loads(Path(__file__).with_name("weights.toml").read_text(encoding="utf8"))
    cues: _Table = {}
    thresholds: dict[tuple[str, str], float] = {}
    for kind, parts in table.items():
        for register in REGISTERS:
            merged = cues[kind, register] = dict(parts.get("anywhere", {}))
            for cue, weight in parts.get(register, {}).items():
                merged[cue] = merged.get(cue, 0.0) + weight
            thresholds[kind, register] = parts["threshold"][register]
    pooled = {register: [cues.get((kind, register), {}) for kind in POOLED] for register in REGISTERS}
    by_cue = {
        register: {cue: tuple(each.get(cue, 0.0) for each in own) for cue in chain.from_iterable(own)}
        for register, own in pooled.items()
    }
    return cues, thresholds, by_cue


class Finding(NamedTuple):
    """Something that a message says, by patterns."""

    kind: Kind
    pattern: str
    start: int  # Of the sentence in the message.
    end: int
    topic: str  # What it is about: the text after the cue, to the end of its sentence.
    sentence: str  # The whole sentence, cleaned.
    confidence: float  # Of the pattern and all cues together, 0 to 1.
    written: bool
    cue: float = 0.0  # Of the pattern alone; 0 where none matched.


class SearchedText(NamedTuple):
    """The beginning of a message, analysed and searched."""

    read: Read
    hits: list[Hit]


def log_odds(confidence: float) -> float:
    """Return what a confidence adds to the log-odds of a kind without any evidence."""
    bounded = min(0.995, max(0.005, confidence))
    return math.log(bounded / (1 - bounded)) - math.log(BASE / (1 - BASE))


def search_text(text: Read, pack: PatternPack, options: Sequence[tuple[int, int]] = ()) -> SearchedText:
    """Return what the patterns of a pack find in a message; `options` is where it names options of the debate."""
    read = text.begin(MAX_TEXT)
    hits = pack.find_in(read.own_low, read.sentences)
    if options:
        signed = read.plain
        for start, end in options:
            signed = signed[:start] + OPTION_SIGN * (end - start) + signed[end:]
        hits += pack.find_options(mask_quotes(lower(signed)), read.sentences)
    for hit in [hit for hit in hits if hit.pattern == HEADING]:
        line = read.plain[read.plain.rfind("\n", 0, hit.start) + 1 : hit.end]
        if not _HEADED.match(line) or read.sentences[-1] == hit.sentence:
            hits.remove(hit)
    return SearchedText(read, hits)


def weigh(searched: SearchedText, cues: Sequence[str] = (), register: str = "terse") -> list[Finding]:
    """Return what a message says: of each kind one finding at most, but every written form."""
    if not searched.hits:
        return []
    by_kind = grouped((hit.kind, hit) for hit in searched.hits)
    by_cue = weights()[2][register]
    rows = [by_cue[cue] for cue in (*cues, *[f"says-{kind}" for kind in by_kind]) if cue in by_cue]
    totals = [sum(column) for column in zip(*rows, strict=True)] or [0.0] * len(POOLED)
    findings: list[Finding] = []
    for kind, total in zip(POOLED, totals, strict=True):
        if hits := by_kind.pop(kind, []):
            findings += _of_kind(searched, kind, hits, total, register if cues else "")
    for hits in by_kind.values():
        surest = max(hits, key=lambda hit: hit.confidence)
        if surest.confidence >= ALONE:
            findings.append(_finding(searched, surest, surest.confidence))
    findings.sort(key=lambda finding: finding.start)
    return findings


def _of_kind(searched: SearchedText, kind: Kind, hits: Sequence[Hit], total: float, register: str) -> list[Finding]:
    """Return the findings of a kind: its written forms, or else one, where it reaches its threshold.

    Without a `register` the surest pattern counts.
    """
    written = [hit for hit in hits if hit.written]
    if written:
        return [_finding(searched, hit, hit.confidence) for hit in written]
    surest = max(hits, key=lambda hit: hit.confidence)
    confidence, threshold = surest.confidence, 0.5
    of_cues, thresholds, _ = weights()
    if (own := of_cues.get((kind, register))) is not None:
        for name, known in {hit.pattern: hit.confidence for hit in hits}.items():
            weight = own.get("~" + name)
            total += log_odds(known) if weight is None else weight
        confidence, threshold = 1 / (1 + math.exp(-total)), thresholds[kind, register]
    if surest.confidence >= SURE:
        confidence = max(confidence, surest.confidence)
    elif confidence < threshold:
        return []
    return [_finding(searched, surest, confidence)]


def _finding(searched: SearchedText, hit: Hit, confidence: float) -> Finding:
    text, spans = searched.read.text, searched.read.sentences
    start, end = hit.sentence
    if hit.written:
        newline = text.find("\n", start)
        end = max(end, len(text.rstrip()) if newline < 0 else newline)
    elif text[start:end].rstrip(" *_").endswith(":"):
        end = max([end, *(last for first, last in spans if first >= end and last - start <= MAX_CHARS)])
    elif hit.pattern == HEADING:
        start, end = next(span for span in spans if span[0] >= end)
    sentence = topic = clean(text[start:end])
    named = [hit.groups[name] for name in ("outcome", "topic") if name in hit.groups]
    if named:
        topic = clean(text[slice(*named[0])])
    elif hit.written and hit.kind in ("decision", "proposal"):
        topic = clean(text[hit.end : end])
    topic, total = topic if len(topic) > 2 else sentence, round(confidence, 3)
    return Finding(hit.kind, hit.pattern, start, end, topic, sentence, total, hit.written, hit.confidence)
