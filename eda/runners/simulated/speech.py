"""How a simulated persona talks: short sentences of `english.toml`, filled from its file, the options and documents.

A turn answers a colleague, brings one consideration, draws a conclusion, and asks.
"""

from __future__ import annotations

import re

from eda.events.records import Line
from eda.runners.protocol import Prompt
from eda.runners.simulated.stance import Stance, read_position
from eda.runners.simulated.words import drawn, english, facts

_SLOT = re.compile(r"\{(\w+)\}")


class Voice:
    """Makes the sentences of one turn."""

    def __init__(self, prompt: Prompt, stance: Stance) -> None:
        self.prompt, self.stance = prompt, stance
        self.seat = prompt.members.index(prompt.agent) if prompt.agent in prompt.members else 0
        self.size = max(1, len(prompt.members))
        self.round = prompt.last // self.size
        self.turn = sum(line.who == prompt.agent for line in prompt.lines)
        # Members who are asked at the same time say different things.
        self.place = prompt.last + self.seat * (prompt.stage in ("opening", "closing") or prompt.purpose == "bid")
        self.line: Line | None = None
        self.peer: str | None = None
        self.cited: tuple[str, str] | None = None
        self._luck = int(drawn("words", prompt.seed, prompt.agent, prompt.question) * 60)
        self._said = 0

    def say(self, role: str, base: str = "") -> str:
        """Return a sentence of a role, filled; empty where none can be filled. `base`: what is proposed."""
        stance, line, sentences = self.stance, self.line, english()
        opt, alt = _named(stance.held), _named(stance.second)
        slots = {
            "opt": opt,
            "alt": alt,
            "stand": opt and f"{stance.grade} {opt}" + (f" and {alt}" if stance.torn else ""),
            "peer": self.peer,
            "base": base,
            "doc": self.cited and self.cited[0],
            "fact": self.cited and self.cited[1],
            "who": line and line.who,
            "m": line and f"m{line.number}",
        }
        for slot, field in (("value", "values"), ("fear", "fears"), ("proof", "moved_by")):
            own: tuple[str, ...] = getattr(self.prompt.persona, field, ()) or sentences[field]
            slots[slot] = own[(self._luck + self.turn + self._said) % len(own)]
        fit = [sentence for sentence in sentences[role] if all(slots[name] for name in _SLOT.findall(sentence))]
        if not fit:
            return ""
        self._said += 1
        text = fit[(self._luck + self.place) % len(fit)].format_map(slots)
        return text[0].upper() + text[1:] if text[-1] in ".?" and text[0] != "m" else text

    def begin(self) -> str:
        """Return a consideration; the first of a debate has an opener of the persona's before it."""
        text, openers = self.say("weigh"), getattr(self.prompt.persona, "openers", ())
        opens = openers and not self.turn and text.startswith("I ")
        return f"{openers[self._luck % len(openers)]} {text}" if opens else text

    def cite(self) -> str:
        """Return a sentence that cites a fact nobody has cited; empty where this seat has none left."""
        heard = "\n".join(line.text for line in self.prompt.lines)
        fresh = [fact for fact in facts(self.prompt.documents)[self.seat :: self.size] if fact[1] not in heard]
        self.cited = next(iter(fresh), None)
        return self.say("fact") if self.cited else ""


def _named(label: str | None) -> str:
    """Return an option as it stands in a sentence; empty for None."""
    if label is None:
        return ""
    return f"a {label.casefold()}" if label.casefold() in {"yes", "no"} else f"“{label.strip().rstrip('.')}”"


def turn(voice: Voice) -> str:
    """Return the talk of a turn."""
    torn = voice.stance.torn and not voice.stance.mover
    ground = voice.cite() if voice.place % 2 else ""
    match voice.prompt.stage:
        case "opening":
            parts = [voice.begin(), ground, voice.say("torn" if torn else "lean"), voice.say("test")]
        case "closing":
            parts = [voice.say("close") or voice.begin(), voice.say("why"), voice.say("credit") or voice.say("test")]
        case _:
            parts = [_reply(voice), ground or voice.say("weigh"), voice.say("torn" if torn else "stay")]
            parts.append(voice.say("ask" if voice.peer and voice.place % 3 else "test"))
    return " ".join(filter(None, parts))


def question_to(agent: str, text: str) -> bool:
    """Return whether a text asks an agent something by name."""
    asks = agent in text and "?" in text
    return asks and re.search(rf"(?:^|[.?!] )[^.?!]*\b{re.escape(agent)}\b[^.?!]*\?", text) is not None


def _reply(voice: Voice) -> str:
    """Return the first sentence, by what the speaker thinks of the message that it answers."""
    stance, line = voice.stance, voice.line
    if line is None:
        return voice.begin()
    if stance.mover:
        return voice.say("moved")
    if question_to(voice.prompt.agent, line.text):
        return voice.say("answer")
    theirs = read_position(voice.prompt.positions.get(line.who, ""), tuple(stance.opinions))
    return voice.say("object" if theirs and stance.held not in theirs else "agree")
