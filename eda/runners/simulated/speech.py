"""How a simulated persona talks: a turn is a few short sentences from the frames of `english.toml`.

A turn answers a colleague, brings one consideration, draws a conclusion, and may ask. The seed, the seat and the number
of messages choose the frames; the persona's file, the options, the context files and the colleagues' names fill them.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from eda.events.records import Line
from eda.runners.protocol import Prompt
from eda.runners.simulated.stance import Stance, read_position
from eda.runners.simulated.words import data, facts, shuffled

_SLOT = re.compile(r"\{(\w+)\}")
_OWN = {"value": "values", "fear": "fears", "proof": "moved_by"}
"""The slots that a persona's file fills, with its field."""


class Voice:
    """Makes the sentences of one turn."""

    def __init__(self, prompt: Prompt, stance: Stance) -> None:
        self.prompt, self.stance = prompt, stance
        self.seat = prompt.members.index(prompt.agent) if prompt.agent in prompt.members else 0
        self.size = max(1, len(prompt.members))
        self.round = prompt.last // self.size
        # Members who are asked at the same time use different frames.
        apart = prompt.stage in ("opening", "closing") or prompt.purpose == "bid"
        self.place = (prompt.stage != "opening") * prompt.last + apart * self.seat
        self.turn = sum(line.who == prompt.agent for line in prompt.lines)
        self.line: Line | None = None
        self.peer: str | None = None
        self.cited: tuple[str, str] | None = None
        self._uses: Counter[str] = Counter()
        opt, alt = _named(stance.held), _named(stance.second)
        was = _named(stance.before if stance.before != stance.held else None)
        stand = opt and f"{stance.grade} {opt}" + (f" and {alt}" if stance.torn else "")
        self._slots = {"opt": opt, "alt": alt, "was": was, "stand": stand}

    def say(self, role: str, base: str = "") -> str:
        """Return the next frame of a role, filled; empty where no frame can be filled. `base`: what is proposed."""
        slots = self._slots
        slots["peer"], slots["base"] = self.peer or "", base
        slots["doc"], slots["fact"] = self.cited or ("", "")
        slots["who"], slots["m"] = (self.line.who, f"m{self.line.number}") if self.line else ("", "")
        filled = frozenset([name for name, text in slots.items() if text])
        frames = _frames(role, filled, self.prompt.seed, self.prompt.question)
        if not frames:
            return ""
        parts, begins = frames[(self.place + self._uses[role]) % len(frames)]
        self._uses[role] += 1
        words = list(parts)
        for place in range(1, len(words), 2):
            name = words[place]
            words[place] = self._phrase(name) if name in _OWN else slots[name]
        text = "".join(words)
        return text[0].upper() + text[1:] if begins else text

    def start(self) -> str:
        """Return a sentence that begins a thought; the first of a debate has an opener of the persona's before it."""
        text, openers = self.say("start"), getattr(self.prompt.persona, "openers", ())
        if self.turn or not openers or not text.startswith("I "):
            return text
        return f"{shuffled(openers, self.prompt.agent, self.prompt.question, self.prompt.seed)[0]} {text}"

    def cite(self) -> str:
        """Return a sentence that cites a fact nobody has cited; empty where this seat has none left."""
        heard = "\n".join(line.text for line in self.prompt.lines)
        fresh = [fact for fact in facts(self.prompt.documents)[self.seat :: self.size] if fact[1] not in heard]
        self.cited = next(iter(fresh), None)
        return self.say("fact") if self.cited else ""

    def _phrase(self, kind: str) -> str:
        own: tuple[str, ...] = getattr(self.prompt.persona, _OWN[kind], ()) or data("english")[_OWN[kind]]
        mixed: tuple[str, ...] = shuffled(own, kind, self.prompt.agent, self.prompt.question, self.prompt.seed)
        self._uses[kind] += 1
        return mixed[(self.turn + self._uses[kind]) % len(mixed)]


@lru_cache(maxsize=4096)
def _frames(role: str, filled: frozenset[str], seed: int, question: str) -> list[tuple[list[str], bool]]:
    """Return the frames of a role that can be filled, in the order of the debate; the persona's phrases always can.

    A frame is its words and, in every other place, the name of a slot; and whether it begins with a capital.
    """
    mixed = shuffled(data("english")[role], seed, question)
    fit = [frame for frame in mixed if {*_SLOT.findall(frame)} - _OWN.keys() <= filled]
    return [(_SLOT.split(each), each[-1] in ".?”" and not each.startswith(("{doc}", "{m}"))) for each in fit]


def _named(label: str | None) -> str:
    """Return an option as it stands in a sentence; empty for None."""
    if label is None:
        return ""
    return f"a {label.casefold()}" if label.casefold() in {"yes", "no"} else f"“{label.strip().rstrip('.')}”"


def turn(voice: Voice) -> str:
    """Return the talk of a turn: one sentence for each step of its stage, the first that can be filled."""
    torn = voice.stance.torn and not voice.stance.mover
    ends = "ask" if voice.peer and voice.place % 3 else "test"
    plans: dict[str, tuple[tuple[str, ...], ...]] = {
        "opening": (("start",), ("cite", "weigh"), ("torn",) if torn else ("lean", "weigh"), ("test",)),
        "closing": (("close", "start"), ("why",), ("credit", "test")),
    }
    ground = ("cite", "weigh") if voice.place % 2 else ("weigh", "start")
    talk = ((_reply(voice), "start"), ground, ("torn",) if torn else ("stay", "weigh"), (ends,))
    own = {"start": voice.start, "cite": voice.cite}
    sentences = [
        next(filter(None, (own[role]() if role in own else voice.say(role) for role in roles)), "")
        for roles in plans.get(voice.prompt.stage, talk)
    ]
    return " ".join(dict.fromkeys(filter(None, sentences)))


def question_to(agent: str, text: str) -> bool:
    """Return whether a text asks an agent something by name."""
    asks = agent in text and "?" in text
    return asks and re.search(rf"(?:^|[.?!] )[^.?!]*\b{re.escape(agent)}\b[^.?!]*\?", text) is not None


def _reply(voice: Voice) -> str:
    """Return the role of the first sentence, by what the speaker thinks of the message that it answers."""
    stance, line = voice.stance, voice.line
    if line is None:
        return "start"
    if stance.mover:
        return "moved" if stance.before else "swayed"
    if question_to(voice.prompt.agent, line.text):
        return "answer"
    theirs = read_position(voice.prompt.positions.get(line.who, ""), tuple(stance.opinions))
    return "object" if theirs and stance.held not in theirs else "agree"
