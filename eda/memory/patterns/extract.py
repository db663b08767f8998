"""Findings: what a message proposes, decides, supports or opposes. Evidence for a kind adds up in log-odds.

Each pattern counts by its confidence, each cue by its weight. A written form (`RESOLVED:`, `+1`) and a pattern that is
sure stand by themselves. A finding counts from the threshold of its kind on. `weights.toml` holds weights and
thresholds, fitted by benchmarks/fit.py. A cue weighs its weight anywhere plus its weight in the register. Beside the
cues of `Scene` there are `~name` for a match of that pattern, `says-kind` for a match of any pattern of that kind, and
`any`, which every message has. No cue depends on the topic.
"""

from __future__ import annotations

import functools
import math
import re
import tomllib
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eda.memory.patterns import Hit, Kind, PatternPack
from eda.memory.patterns.language import Language
from eda.memory.patterns.pack import OPTION_SIGN
from eda.text import MAX_CHARS, Read, clean, lower, mask_quotes, names

_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?")
_FIGURE = re.compile(r"\d")
SHORT = 40  # Words up to which single words are cues; in longer messages nearly every one occurs.
_LENGTHS = ((1, "words-1"), (3, "words-3"), (7, "words-7"), (15, "words-15"), (40, "words-40"), (90, "words-90"))
_PACES = ((9.0, "talk-terse"), (20.0, "talk-brief"), (45.0, "talk-mid"))
PROSE = 20.0  # Words a message above which talk is prose.
KEPT = 8  # Messages that are remembered.


@dataclass(slots=True)
class RecentMessage:
    """What is remembered of a recent message."""

    number: int
    who: str
    asks: bool
    proposes: bool = False
    options: tuple[str, ...] = ()  # The options that it named.
    offers: tuple[str, ...] = ()  # The options that it put to the others.


@dataclass(slots=True)
class Scene:
    """The recent course of a conversation, bounded."""

    recent: deque[RecentMessage] = field(default_factory=lambda: deque(maxlen=KEPT))
    pace: float = 0.0  # Running mean of words a message.
    count: int = 0
    convener: str = ""  # Who spoke first.

    def cues(
        self,
        plain: str,
        who: str,
        number: int,
        *,
        language: Language,
        open_by: list[str],
        first_turn: bool,
        has_options: bool,
        options: tuple[str, ...],
        only_options: bool,
        holds: tuple[str, ...],
    ) -> list[str]:
        """Return the cues of a message that is not remembered yet; `open_by` are proposers of open proposals."""
        low = plain.lower()
        size = plain.count(" ") + 1 if plain else 0
        pace = self.paced(size)
        cues = ["any"]
        cues.append(next((name for limit, name in _LENGTHS if size <= limit), "words-many"))
        cues.append(next((name for limit, name in _PACES if pace <= limit), "talk-long"))
        if size <= SHORT:
            cues += _word_cues(low, language)
        cues += _form_cues(plain)
        cues += self._turn_cues(who, number)
        if not open_by:
            cues.append("none-open")
        elif any(name != who and names(low, name) for name in open_by):
            cues.append("names-proposer")
        if who == self.convener or language.is_chair(who):
            cues.append("chair")
        if first_turn:
            cues.append("first-turn")
        if has_options:
            cues += self._option_cues(options, holds, size, only_options=only_options)
        return cues

    def paced(self, size: int) -> float:
        """Return the running mean of words a message after a message of `size` words."""
        return self.pace + (size - self.pace) / min(self.count + 1, 20)

    @property
    def reach(self) -> float:
        """Messages over which a reaction is taken to answer the newest message."""
        return 10.0 if self.pace > PROSE else 6.0

    def register(self, size: int, *, has_options: bool) -> str:
        """Return the kind of talk with a message of `size` words: one of `extract.REGISTERS`."""
        if self.paced(size) > PROSE:
            return "prose"
        return "choice" if has_options else "terse"

    def _turn_cues(self, who: str, number: int) -> list[str]:
        """Return what the turns before say: who had the last one, and how far back the last proposal is."""
        if not self.recent:
            return ["opens"]
        cues: list[str] = []
        if self.recent[-1].who == who:
            cues.append("goes-on")
        elif self.recent[-1].asks:
            cues.append("was-asked")
        proposal = next((message for message in reversed(self.recent) if message.proposes), None)
        if proposal is not None:
            gap = number - proposal.number
            by = "own" if proposal.who == who else "other"
            cues.append(f"{by}-proposal-{gap if gap < 4 else 'past'}")
        return cues

    def _option_cues(
        self, options: tuple[str, ...], holds: tuple[str, ...], size: int, *, only_options: bool
    ) -> list[str]:
        """Return what the options say that a message names."""
        if not options:
            return ["option-none"]
        cues = ["option-one" if len(options) == 1 else "option-more"]
        if only_options:
            cues.append("option-only")
        if size < 12:
            cues.append("option-short")
        cues.append("option-held" if options == holds else "option-new")
        last = next((message.options for message in reversed(self.recent) if message.options), None)
        if last is not None:
            cues.append("option-echo" if last == options else "option-other")
        return cues

    def remember(self, message: RecentMessage, size: int) -> None:
        """Add a message of `size` words to those that surround the next one."""
        self.pace = self.paced(size)
        self.count += 1
        self.convener = self.convener or message.who
        self.recent.append(message)


def _word_cues(low: str, language: Language) -> list[str]:
    """Return the cue words of a text in lower case, and whether it begins with one."""
    tokens = _TOKEN.findall(low)
    if not tokens:
        return []
    cues = [f"has-{word}" for word in language.cue_words.intersection(tokens)]
    cues.append(f"begins-{tokens[0]}" if tokens[0] in language.cue_words else "begins-otherwise")
    return cues


def _form_cues(plain: str) -> list[str]:
    """Return what the punctuation of a text says."""
    cues: list[str] = []
    tail = plain.rstrip(" \"')*_")
    if tail.endswith("?"):
        cues.append("asks")
    elif "?" in plain:
        cues.append("asks-within")
    if tail and tail[-1].isalnum():
        cues.append("no-stop")
    if plain[:1].islower():
        cues.append("small-start")
    if _FIGURE.search(plain):
        cues.append("figures")
    if '"' in plain:
        cues.append("quotes")
    return cues


BASE = 0.1  # Confidence of a kind without any evidence: what a pattern's confidence is measured against.
MAX_TEXT = 20_000  # Characters of a message that are searched.
REGISTERS = ("terse", "choice", "prose")  # Short turns; short turns about given options; long turns.
POOLED: tuple[Kind, ...] = ("decision", "proposal", "support", "oppose", "neutral")  # whose evidence adds up
ALONE = 0.5  # Confidence from which a pattern of the other kinds counts.
ONE_MORE = "one-more-proposal"  # The pattern of a sentence that says that it proposes one thing more than another.
HEADING = "heading"  # The pattern of a heading over a decision; it holds for a heading with something below it.
_HEADED = re.compile(r"^[ \t]*#{1,6}[ \t]")
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
    by_cue = {
        register: {
            cue: tuple(cues.get((kind, register), {}).get(cue, 0.0) for kind in POOLED)
            for cue in {cue for kind in POOLED for cue in cues.get((kind, register), {})}
        }
        for register in REGISTERS
    }
    return cues, thresholds, by_cue


@dataclass(frozen=True, slots=True)
class Finding:
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


@dataclass(frozen=True, slots=True)
class SearchedText:
    """The beginning of a message, analysed and searched."""

    read: Read
    hits: list[Hit]


def log_odds(confidence: float) -> float:
    """Return what a confidence adds to the log-odds of a kind without any evidence."""
    bounded = min(0.995, max(0.005, confidence))
    return math.log(bounded / (1 - bounded)) - math.log(BASE / (1 - BASE))


def search_text(text: Read, pack: PatternPack, options: Sequence[tuple[int, int]] = ()) -> SearchedText:
    """Search a message for the patterns of a pack; `options` is where it names options of the debate."""
    read = text.begin(MAX_TEXT)
    hits = pack.find_in(read.own_low, read.sentences)
    if options:
        signed = read.plain
        for start, end in options:
            signed = signed[:start] + OPTION_SIGN * (end - start) + signed[end:]
        hits += pack.find_options(mask_quotes(lower(signed)), read.sentences)
    if any(hit.pattern == HEADING for hit in hits):
        hits = [hit for hit in hits if hit.pattern != HEADING or _is_heading(read, hit)]
    return SearchedText(read, hits)


def _is_heading(read: Read, hit: Hit) -> bool:
    line = read.plain.rfind("\n", 0, hit.start) + 1
    return bool(_HEADED.match(read.plain[line : hit.end])) and read.sentences[-1] != hit.sentence


def weigh(searched: SearchedText, cues: Sequence[str] = (), register: str = "terse") -> list[Finding]:
    """Return what a message says: of each kind one finding at most, but every written form and each proposal more."""
    if not searched.hits:
        return []
    by_kind: dict[Kind, list[Hit]] = {}
    for hit in searched.hits:
        by_kind.setdefault(hit.kind, []).append(hit)
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
    """Return the findings of a kind: its written forms, or else one, and each proposal more."""
    written = [hit for hit in hits if hit.written]
    if written:
        return [_finding(searched, hit, hit.confidence) for hit in written]
    finding = _pooled_finding(searched, kind, hits, total, register)
    if finding is None:
        return []
    more = (hit for hit in hits if hit.pattern == ONE_MORE and hit.sentence[0] != finding.start)
    return [finding, *(_finding(searched, hit, hit.confidence) for hit in more)]


def _pooled_finding(
    searched: SearchedText, kind: Kind, hits: Sequence[Hit], total: float, register: str
) -> Finding | None:
    """Return the finding of a kind, or None below its threshold; without a `register` the surest pattern counts."""
    surest = max(hits, key=lambda hit: hit.confidence)
    confidence, threshold = surest.confidence, 0.5
    of_cues, thresholds, _ = weights()
    if (own := of_cues.get((kind, register))) is not None:
        confidence, threshold = _pooled(hits, total, own), thresholds[kind, register]
    if surest.confidence >= SURE:
        confidence = max(confidence, surest.confidence)
    elif confidence < threshold:
        return None
    return _finding(searched, surest, confidence)


def _pooled(hits: Sequence[Hit], score: float, own: Mapping[str, float]) -> float:
    """Return the confidence of a kind: the score of its cues and the patterns that matched."""
    for name, confidence in {hit.pattern: hit.confidence for hit in hits}.items():
        weight = own.get("~" + name)
        score += log_odds(confidence) if weight is None else weight
    return 1 / (1 + math.exp(-score))


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
