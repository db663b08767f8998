"""What a simulated persona thinks. The one rule: opinions are read from the prompt; nothing is kept between calls.

The first opinion comes from the seed and from the words that a persona shares with an option. Later opinions are the
strength of its last `[POSITION]`, moved towards the last speakers by one step of bounded confidence.
"""

import hashlib
import re
import tomllib
from _random import Random  # gives the same numbers as that of `random`, which is seeded twice
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from math import fsum
from pathlib import Path
from typing import NamedTuple

from eda.runners.protocol import Prompt
from eda.text import regex


@lru_cache(maxsize=1)
def english() -> dict[str, tuple[str, ...]]:
    """Return the sentences and words of `english.toml`; a text in it becomes a list of its words."""
    table = tomllib.loads((Path(__file__).parent / "english.toml").read_text(encoding="utf-8"))
    return {key: tuple(value.split() if isinstance(value, str) else value) for key, value in table.items()}


def seed_of(*parts: object) -> int:
    """Return a number that the same parts give on every machine."""
    return int.from_bytes(hashlib.sha256(repr(parts).encode("utf-8", "replace")).digest()[:8], "big")


@lru_cache(maxsize=8192)
def drawn(*parts: Hashable) -> float:
    """Return a number from 0 to below 1 that the same parts give on every machine."""
    return Random(seed_of(*parts)).random()


@lru_cache(maxsize=512)
def stems(text: str) -> frozenset[str]:
    """Return crude stems of the content words."""
    words = re.findall(r"[^\W\d_]{3,}", text.casefold())
    return frozenset(re.sub(r"(ing|ed|es|s|ly)$", "", word)[:7] for word in words if word not in english()["stops"])


@lru_cache(maxsize=256)
def action(question: str) -> str:
    """Return the action that "should we ...?" asks about; empty for a question of another form."""
    clause = re.search(r"(?i)\b(?:should|shall|must|do) we (?:(?:need|have) to )?(?!do\b)([^?;:,()–—]+)", question)
    return re.split(r"(?i)\s+or\b", clause[1])[0].strip() if clause else ""


GRADES = (
    ("firmly for", 0.9),
    ("clearly for", 0.74),
    ("in favour of", 0.58),
    ("leaning towards", 0.42),
    ("slightly for", 0.26),
    ("torn between", 0.1),
)
"""How strongly an option is held, in words that read back as a number in [-1, 1]."""

_YES_NO = regex(r"(?i)\W*(should|shall|must|can|could|do|does|is|are|will|would|may|ought|has|have)\b")
_HEARD = 4  # Speakers that count in one step: only the last few, so that recent messages move the panel.
_REJECTED = 0.0  # The opinion of an option that somebody who holds another one is assumed to have.
_ARGUED = 0.74  # The strength of an assigned side.
_TORN = GRADES[-1][0]


@lru_cache(maxsize=4096)
def words_for(strength: float) -> str:
    """Return the words of the grade nearest to a strength."""
    return min(GRADES, key=lambda grade: abs(grade[1] - strength))[0]


@lru_cache(maxsize=1024)
def label_of(content: str) -> str:
    """Return a proposal's action without its conditions, short enough to be named in a position."""
    words = re.split(r"[,;:.](?:\s|$)", content.replace("“", "").replace("”", "").strip())[0].split()
    short = words[:10]
    while len(words) > len(short) > 2 and short[-1].casefold() in english()["stops"]:  # "... against a launch on a"
        short.pop()
    return " ".join(short)


def deed(prompt: Prompt, label: str) -> str:
    """Return what an option asks for, as a proposal begins."""
    if label.casefold() not in {"yes", "no"}:
        return label.strip().rstrip(".;,")
    act = action(prompt.question)
    if not act:
        return f"Say {label.casefold()}"
    return act[0].upper() + act[1:] if label.casefold() == "yes" else f"Do not {act}"


def labels(prompt: Prompt) -> tuple[str, ...]:
    """Return what a persona can be for: the options, else yes and no, else the proposals on the table."""
    if prompt.options:
        return prompt.options
    if _YES_NO.match(prompt.question):
        return ("yes", "no")
    return tuple(dict.fromkeys(label_of(proposal.content) for proposal in prompt.proposals))


@lru_cache(maxsize=1024)
def read_position(text: str, known: tuple[str, ...]) -> Mapping[str, float]:
    """Return the options that a position names, with their strength; empty where it names none."""
    low = text.casefold()
    grade = next((value for words, value in GRADES if low.startswith(words)), 0.5)
    quoted = [part.casefold() for part in re.findall(r"“([^”]*)”", text)]
    named = [label for label in known if label.casefold() in quoted]
    if not named:
        # In a ballot a proposal stands in full; where several begin alike, the first is meant.
        named = list(
            {short: label for label in reversed(known) if (short := label_of(label).casefold()) in quoted}.values()
        )
    if not named:
        stated = low.split(", because ")[0]
        named = [label for label in known if re.search(rf"(?<!\w){re.escape(label.casefold())}(?!\w)", stated)]
        # Other wordings that name several options are read as holding none.
        named = named if len(named) == 1 or low.startswith(_TORN) else []
    return dict.fromkeys(named, grade)


class Stance(NamedTuple):
    """A persona's opinion of each option, and who has moved it since its last position."""

    opinions: dict[str, float]
    held: str | None
    """The option it is for; None where there is nothing to be for."""
    second: str | None
    torn: bool
    mover: str | None = None
    """Who moved it most; None if it moved by less than a grade."""

    @property
    def strength(self) -> float:
        """The strength of the held option, in [-1, 1]; 0 where there is none."""
        return 0.0 if self.held is None else self.opinions[self.held]

    @property
    def sides(self) -> frozenset[str | None]:
        """The held option, or both where it is torn."""
        return frozenset({self.held, self.second} if self.torn else {self.held})

    @property
    def grade(self) -> str:
        """The strength in words."""
        return _TORN if self.torn else words_for(self.strength)


_NOTHING = Stance({}, None, None, torn=False)  # The stance where there is nothing to be for.


@lru_cache(maxsize=4096)
def _first(seed: int, agent: str, question: str, values: tuple[str, ...], fears: tuple[str, ...], label: str) -> float:
    """Return a member's first opinion of an option: by chance, and by the words that both share."""
    name = label.casefold() if label.casefold() in ("yes", "no") else label  # a ballot writes Yes
    opinion = drawn("stance", seed, agent, question, name) * 1.8 - 0.9
    for way, phrases in ((0.3, values), (-0.3, fears)):
        opinion += way * min(2, sum(bool(stems(phrase) & stems(name)) for phrase in phrases))
    return max(-0.9, min(0.9, opinion))


def _own(prompt: Prompt, known: tuple[str, ...]) -> dict[str, float]:
    proposed = {label_of(each.content) for each in prompt.proposals if each.proposer == prompt.agent}
    tastes = (prompt.persona.values, prompt.persona.fears) if prompt.persona else ((), ())
    who = prompt.seed, prompt.agent, prompt.question, *tastes
    opinions = {label: 0.7 if label in proposed else _first(*who, label) for label in known}
    position = read_position(prompt.positions.get(prompt.agent, ""), known)
    if position:
        top = max(position.values())
        opinions = {label: position.get(label, min(value, top - 0.2)) for label, value in opinions.items()}
    return opinions


def _heard(prompt: Prompt, known: tuple[str, ...]) -> dict[str, dict[str, float]]:
    """Return the declared opinions of members who spoke since the agent last did, newest first.

    In a debate with sides these are the sides of the last speakers.
    """
    views: dict[str, dict[str, float]] = {}
    for line in reversed(prompt.lines):
        own = line.who == prompt.agent
        if (own and not prompt.side) or len(views) == _HEARD:
            break
        if own:
            continue
        argued = {_argued(prompt, line.who, known): _ARGUED} if prompt.side else None
        position = argued or read_position(prompt.positions.get(line.who, ""), known)
        if position and line.who not in views:
            views[line.who] = {label: position.get(label, _REJECTED) for label in known}
    return views


def _argued(prompt: Prompt, who: str, known: tuple[str, ...]) -> str:
    """Return the side of a member in a debate with sides, which members take in turn."""
    return known[prompt.members.index(who) % len(known) if who in prompt.members else 0]


def sided(prompt: Prompt) -> Stance:
    """Return the stance of an agent that argues its assigned side."""
    known = labels(prompt)
    if not known:
        return _NOTHING
    side = _argued(prompt, prompt.agent, known)
    second = next((label for label in known if label != side), None)
    return Stance({label: _ARGUED if label == side else _REJECTED for label in known}, side, second, torn=False)


def between(value: float, among: Sequence[float]) -> float:
    """Return a mean without its rounding error: it stays within the range of its parts."""
    return min(max(value, min(among)), max(among))


def held_back(heard: float, first: float, stubbornness: float) -> float:
    """Return what one agent thinks after `heard`: a step of Friedkin and Johnsen's model."""
    return between((1 - stubbornness) * heard + stubbornness * first, (heard, first))


def within_bound(own: float, opinions: Sequence[float], bound: float) -> float:
    """Return what one of the agents thinks next: a step of Hegselmann and Krause's model."""
    near = [other for other in opinions if abs(other - own) <= bound]
    return between(fsum(near) / len(near), near)


def stance_of(prompt: Prompt, *, moving: bool = True) -> Stance:
    """Return the agent's stance as of its last position, or (`moving`) after hearing who has spoken since."""
    known = labels(prompt)
    if not known:
        return _NOTHING
    stubborn = prompt.persona.stubbornness if prompt.persona else 0.5
    own = _own(prompt, known)
    heard = _heard(prompt, known) if moving and (prompt.side or prompt.agent in prompt.positions) else {}
    was = _ranked(own)
    if not heard:
        return was
    bound, views = 0.4 + 1.2 * (1 - stubborn), heard.values()
    opinions = {
        label: held_back(within_bound(mine, [mine, *(view[label] for view in views)], bound), mine, 0.6 * stubborn)
        for label, mine in own.items()
    }
    now = _ranked(opinions)
    if (was.grade, was.sides) == (now.grade, now.sides):
        return now
    first, opinions = now.held or "", now.opinions
    # The mover is the speaker who pulled hardest in the direction of the change.
    way = opinions[first] - own[first]
    mover = max(heard, key=lambda who: ((heard[who][first] - own[first]) * (1 if way >= 0 else -1), who))
    if (heard[mover][first] - own[first]) * way <= 0:
        mover = next(iter(heard))
    return now._replace(mover=mover)


def _ranked(opinions: Mapping[str, float]) -> Stance:
    """Return the stance that opinions of one or more options make."""
    ranked = sorted(opinions, key=lambda label: (-opinions[label], label))
    first, second = ranked[0], ranked[1] if len(ranked) > 1 else None
    torn = second is not None and opinions[first] - opinions[second] < 0.08
    # A persona that is for no option is weakly for the one it minds least: a panel has to choose.
    return Stance({**opinions, first: max(opinions[first], 0.2)}, first, second, torn)
