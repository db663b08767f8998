"""Beside cue words, what surrounds a message speaks for a reading of it: length, mood, who spoke before about what.

A sign is a name. `weights.py` says how much each counts, by kind. All of it is general: no sign knows a topic.
"""

from __future__ import annotations

import functools
import re
from collections import deque
from dataclasses import dataclass, field

from eda.memory.link import names

__all__ = ["Heard", "Scene", "is_chair"]

_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?")
_LIST = re.compile(r"^[ \t]*(?:\d{1,2}[.)]|[-*])[ \t]+\S", re.MULTILINE)
_FIGURE = re.compile(r"\d")
_CHAIR = re.compile(
    r"\b(?:moderator|chair\w*|facilitator|host|convener|lead|president|scribe|secretary)\b", re.IGNORECASE
)
_LONE_WORDS = (
    "a about actually again agree agreed all already also and another any anyone anything are as ask at "
    "bad be because been before being better both but by can can't cause choose come could couldn't did "
    "didn't different do does doesn't don't done dont each easier either else enough even every everyone "
    "everything exactly fact feel few final find first for from get give go going gonna good got great "
    "guess had has have haven't hello hey hi him how however i i'd i'll i'm i've if in instead into is "
    "isn't it it'd it'll it's its just keep kind know last least less let let's lets like little look lot "
    "make makes many matter may maybe me mean might more most much must my need needed needs never new "
    "next no nope not now of off oh ok okay on once one only or other our out over part perhaps pick "
    "please point possible probably problem propose put question rather really reason right sad same say "
    "says see seems shall should shouldn't show since so some somehow something sorry sort sounds start "
    "still stuff suggest sure take than that that'd that's thats the their them then there there's these "
    "they they're thing things think this those though thought to together too true try two uh um unless "
    "until up us use very wait wanna want was wasn't way we we'd we'll we're we've well were what what's "
    "when where which while who why will wish with without won't work works would wouldn't wrong yeah yep "
    "yes yet you you'd you'll you're your"
)
_LONE = {word: f"has-{word}" for word in _LONE_WORDS.split()}
SHORT = 40
"""Words up to which single words are signs; in longer messages nearly every one occurs."""
_LENGTHS = ((1, "words-1"), (3, "words-3"), (7, "words-7"), (15, "words-15"), (40, "words-40"), (90, "words-90"))
_REGISTERS = ((9.0, "talk-terse"), (20.0, "talk-brief"), (45.0, "talk-mid"))
PROSE = 20.0
"""Words a message above which talk is prose."""
KEPT = 8
"""Messages that are remembered."""


@functools.lru_cache(maxsize=256)
def is_chair(who: str) -> bool:
    """Whether a name is that of an office that leads a talk and takes no side by itself."""
    return bool(_CHAIR.search(who))


@dataclass(slots=True)
class Heard:
    """What is remembered of a recent message."""

    number: int
    who: str
    asks: bool
    proposes: bool = False
    options: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    """The options that it put to the others."""


@dataclass(slots=True)
class Scene:
    """The recent course of a conversation, bounded."""

    recent: deque[Heard] = field(default_factory=lambda: deque(maxlen=KEPT))
    pace: float = 0.0
    """Running mean of words a message."""
    count: int = 0
    convener: str = ""
    """Who spoke first."""

    def signs(  # noqa: C901, PLR0912 - one branch a sign
        self,
        plain: str,
        who: str,
        number: int,
        *,
        open_by: list[str],
        first_turn: bool,
        has_options: bool,
        options: tuple[str, ...],
        only_options: bool,
        held: tuple[str, ...],
    ) -> list[str]:
        """The signs of a message that is being heard.

        Args:
            plain: its normalised text.
            who: its speaker.
            number: its number.
            open_by: proposers of the newest open proposals.
            first_turn: whether the speaker had not spoken before.
            has_options: whether the debate has options.
            options: those that it names.
            only_options: whether it says hardly anything else.
            held: what the speaker held before.
        """
        low = plain.lower()
        size = plain.count(" ") + 1 if plain else 0
        found = ["any"]
        found.append(next((name for limit, name in _LENGTHS if size <= limit), "words-many"))
        pace = self.paced(size)
        found.append(next((name for limit, name in _REGISTERS if pace <= limit), "talk-long"))
        if size <= SHORT:
            tokens = _TOKEN.findall(low)
            found.extend(_LONE[word] for word in _LONE.keys() & set(tokens))
            if tokens:
                found.append(f"begins-{tokens[0]}" if tokens[0] in _LONE else "begins-otherwise")
        tail = plain.rstrip(" \"')*_")
        if tail.endswith("?"):
            found.append("asks")
        elif "?" in plain:
            found.append("asks-within")
        if tail and tail[-1] == ",":
            found.append("breaks-off")
        elif tail and tail[-1].isalnum():
            found.append("no-stop")
        if plain[:1].islower():
            found.append("small-start")
        if "\n" in plain and _LIST.search(plain):
            found.append("list")
        if _FIGURE.search(plain):
            found.append("figures")
        if '"' in plain:
            found.append("quotes")
        self._before(found, who, number)
        if not open_by:
            found.append("none-open")
        elif any(name != who and names(low, name) for name in open_by):
            found.append("names-proposer")
        if who == self.convener or is_chair(who):
            found.append("chair")
        if first_turn:
            found.append("first-turn")
        if has_options:
            self._of_options(found, options, only_options, held, size)
        return found

    def paced(self, size: int) -> float:
        """The running mean of words a message, with a message of `size` words counted in."""
        return self.pace + (size - self.pace) / min(self.count + 1, 20)

    @property
    def reach(self) -> float:
        """Messages over which a reaction is taken to answer what was said last."""
        return 10.0 if self.pace > PROSE else 6.0

    def register(self, size: int, *, has_options: bool) -> str:
        """What kind of talk this is: one of `weights.REGISTERS`."""
        if self.paced(size) > PROSE:
            return "prose"
        return "choice" if has_options else "terse"

    def _before(self, found: list[str], who: str, number: int) -> None:
        last = self.recent[-1] if self.recent else None
        if last is None:
            found.append("opens")
            return
        if last.who == who:
            found.append("goes-on")
        elif last.asks:
            found.append("was-asked")
        for heard in reversed(self.recent):
            if heard.proposes:
                gap = number - heard.number
                by = "own" if heard.who == who else "other"
                found.append(f"{by}-proposal-{gap if gap < 4 else 'past'}")
                break

    def _of_options(
        self, found: list[str], options: tuple[str, ...], only_options: bool, held: tuple[str, ...], size: int
    ) -> None:
        if not options:
            found.append("option-none")
            return
        found.append("option-one" if len(options) == 1 else "option-more")
        if only_options:
            found.append("option-only")
        if size < 12:
            found.append("option-short")
        found.append("option-held" if options == held else "option-new")
        for heard in reversed(self.recent):
            if heard.options:
                found.append("option-echo" if heard.options == options else "option-other")
                break

    def pass_on(self, heard: Heard, size: int) -> None:
        """The message was heard: it is now what came before."""
        self.pace = self.paced(size)
        self.count += 1
        self.convener = self.convener or heard.who
        self.recent.append(heard)
