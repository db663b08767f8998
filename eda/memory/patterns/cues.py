"""`Scene`: what surrounds a message gives cues: its length and form, who spoke before, and about what.

A cue is a name. `weights.toml` says how much each counts, by kind. No cue depends on the topic.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field

from eda.memory.patterns.language import Language
from eda.text import names

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
