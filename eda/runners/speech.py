"""How a simulated persona talks. The one rule: frames are walked without repeat, in an order that the question decides.

A sentence is a frame from the data files, filled from the persona's file, the question, the options, the context files
and the colleagues' words. Seats take different frames and facts, so that two personas, or two questions, share little.
"""

from __future__ import annotations

import re
from functools import lru_cache

from eda.protocols import Line, Prompt
from eda.runners.stance import Stance, read_position
from eda.runners.words import action, chance, data, facts, noun_of, points, shuffled, topics

__all__ = ["Voice", "plain_sentences"]

_LEAST, _MOST = 62, 112
_SLOT = re.compile(r"\{(\w+)\}")
_START = re.compile(r"(?:^|(?<=[.?!] ))(?!m\d|[\w-]+\.[a-z]{1,5}\b)[a-z]")
"""Where a capital stands: not in a message's number or a file's name."""
_SPIN = re.compile(r"\[([^\]]*)\]")
_NEVER = ("work that can be checked", "plain reasons", "results that last")
"""For a persona whose file names no values, no fears, no evidence."""
_BACK = {
    "value": ["my {m} plea", "my theme ({m})", "my {m} cause", "my refrain ({m})"],
    "fear": ["my {m} nightmare", "that {m} trap", "my old worry ({m})", "the {m} scenario"],
    "proof": ["my {m} test", "my condition ({m})", "that {m} evidence", "my {m} request"],
}


@lru_cache(maxsize=128)
def plain_sentences(instruction: str) -> tuple[str, ...]:
    """Sentences of a persona's body that it can say itself: "You trace ..." becomes "I trace ..."."""
    skip = set(data("lexicon")["body_skip"])
    found = []
    for sentence in re.split(r"(?<=[.!?])\s+", " ".join(instruction.split())):
        words = re.findall(r"[\w'’]+", sentence.casefold())
        if not 5 <= len(words) <= 28 or words[0] in skip or "#" in sentence or sentence[-1] not in ".!":
            continue
        if words[0] != "you" and {"you", "your", "yourself", "yourselves"} & set(words):
            continue
        text = sentence
        for old, new in (("are", "am"), ("were", "was")):
            text = re.sub(rf"\b([Yy])ou {old}\b", f"I {new}", text)
        text = re.sub(r"\b[Yy]ou(?=[.,;:!]| (?:and|or|more|to)\b)", "me", text)
        text = re.sub(r"\b[Yy]ou\b", "I", text)
        text = re.sub(r"\byours\b", "mine", text)
        text = re.sub(r"\byour\b", "my", re.sub(r"\byourself\b", "myself", text))
        found.append(text)
    return tuple(found)


class Voice:
    """Makes one turn's sentences: the frames and phrases that are due at this place of the debate."""

    def __init__(self, prompt: Prompt, stance: Stance) -> None:
        self.prompt, self.stance = prompt, stance
        self.rng = chance(
            "speech", prompt.seed, prompt.purpose, prompt.agent, prompt.last, prompt.attempt, prompt.question
        )
        self.seat = prompt.members.index(prompt.agent) if prompt.agent in prompt.members else 0
        self.size = max(1, len(prompt.members))
        self.round = prompt.last // self.size
        self.place = self.seat if prompt.phase == "opening" else prompt.last + (prompt.phase == "closing") * self.seat
        self._own = [line for line in prompt.lines if line.who == prompt.agent]
        before = (prompt.lines[0].number - 1) // self.size if prompt.lines else 0
        self.turn = 0 if prompt.phase == "opening" else max(len(self._own) + before, 1)
        """Own turns so far; those that have left the window are taken as one a round."""
        self.line: Line | None = None
        self.point = ""
        self.peer: str | None = None
        self._used: dict[str, int] = {}
        self._bare = False
        self.cited: tuple[str, str] | None = None
        self._quoted = bool(self.place % 2)

    def aim(self, line: Line | None) -> bool:
        """Choose the colleague's message that this turn is about, and words of it; True where these are new."""
        self.line, self.point = line, ""
        if line is None:
            return False
        own = {
            word for text in (*self.prompt.options, *topics(self.prompt.question)) for word in text.casefold().split()
        }
        found = points(line.text, self.prompt.members)
        said = " ".join(each.text for each in self.prompt.lines)
        fresh = [point for point in found if not own & set(point.casefold().split())] or list(found)
        # What was picked up before is stale.
        new = [point for point in fresh if f"“{point}”" not in said]
        fresh = (new or fresh)[:4]
        self.point = fresh[self.place % len(fresh)] if fresh else ""
        return bool(new)

    def say(self, role: str, source: str = "speech") -> str:
        """The frame of a role that is due, filled; empty where none can be."""
        # A move is read without its talk, so it says its phrases in full.
        self._bare = source == "moves"
        frames = shuffled(data(source)[role], "frames", self.prompt.seed, self.prompt.question, role)
        start = self.place + self._step("frame " + role) * 7
        for number in range(len(frames)):
            text = self._filled(frames[(start + number) % len(frames)])
            if text:
                return text
        return ""

    def cite(self) -> str:
        """A sentence of a context file that no other seat cites; empty where this seat has none left."""
        found = facts(self.prompt.documents)
        mine = found[self.seat :: self.size] or ((found[self.seat % len(found)],) if found else ())
        number = self.turn
        if number >= len(mine):
            return ""
        self.cited = mine[number]
        return self.say("fact")

    def open(self) -> str:
        """One of the persona's own openers with a clause that follows from it."""
        openers = self.prompt.persona.openers if self.prompt.persona else ()
        clause = self.say("clause")
        # Three of a persona's openers a debate: the rest is for other questions.
        if not openers or self.turn > 2:
            return _sentence(clause)
        mixed = shuffled(openers, "openers", self.prompt.agent, self.prompt.question, self.prompt.seed)
        opener = mixed[self.turn % len(mixed)].strip()
        if opener[-1] in ".!?":
            return f"{opener} {_sentence(clause)}"
        return _sentence(f"{opener} {clause}")

    def body(self) -> str:
        """A sentence of the persona's own file."""
        if self.prompt.persona is None:
            return ""
        own = shuffled(plain_sentences(self.prompt.persona.instruction), "body", self.prompt.seed, self.prompt.question)
        return own[self.turn] if self.turn < max(1, len(own) // 4) else ""

    def noun(self, label: str) -> str:
        """An option as a noun, in turn quoted and not."""
        self._quoted = not self._quoted
        if self.prompt.options or label not in {"yes", "no"}:
            return noun_of(label, quoted=self._quoted)
        act = action(self.prompt.question)
        plain = noun_of(act, quoted=False) if label == "yes" and act else ""
        if label == "yes":
            return plain if self._quoted and plain and "“" not in plain else "a yes"
        return "a no" if self._quoted else "leaving things as they are"

    def _step(self, what: str) -> int:
        count = self._used.get(what, 0)
        self._used[what] = count + 1
        return count

    def _phrase(self, kind: str) -> str:
        persona = self.prompt.persona
        own = {"value": "values", "fear": "fears", "proof": "moved_by"}[kind]
        phrases: tuple[str, ...] = getattr(persona, own) if persona else ()
        # Some of a persona's phrases a question: the rest is for other questions.
        mixed = shuffled(phrases or _NEVER, kind, self.prompt.agent, self.prompt.question, self.prompt.seed)
        mixed = mixed[: max(1, len(mixed) // 2)]
        phrase = mixed[(self.turn + self._step(kind)) % len(mixed)]
        # What was said before is pointed at rather than said again.
        said = [line.number for line in self._own if phrase.casefold() in line.text.casefold()]
        if said and not self._bare and self.rng.random() < 0.3 * len(said) and not self._step("back"):
            return self._pick(_BACK[kind]).format(m=f"m{said[-1]}")
        return phrase

    def _filled(self, frame: str) -> str:
        if ("{stand}" in frame and not self.stance.held) or ("{point}" in frame and not self.point):
            return ""
        text = _SPIN.sub(lambda found: self._pick(found[1].split("|")), frame)
        if self.stance.torn and self.stance.held and self.stance.second:
            both = f"{self.noun(self.stance.held)} and {self.noun(self.stance.second)}"
            text = text.replace("{stand} {opt}", f"{self.stance.grade} {both}")
        missing = False

        def slot(found: re.Match[str]) -> str:
            nonlocal missing
            value = self._slot(found[1])
            missing |= not value
            return value

        text = _SLOT.sub(slot, text)
        return "" if missing else _sentence(text, end=frame[-1] in ".?!")

    def _pick(self, choices: list[str]) -> str:
        return choices[int(self.rng.random() * len(choices))]

    def _slot(self, name: str) -> str:
        if name in {"value", "fear", "proof"}:
            return self._phrase(name)
        if name == "np":
            found = topics(self.prompt.question)
            text = found[(self.place + self._step("np")) % len(found)]
            return text[0].lower() + text[1:] if text.split()[0] in {"The", "A", "An", "Our"} else text
        stance, line = self.stance, self.line
        if name in {"opt", "alt", "was"}:
            label = {"opt": stance.held, "alt": stance.second, "was": stance.before}[name]
            return self.noun(label) if label else ""
        if name in {"doc", "fact"}:
            return "" if self.cited is None else self.cited[name == "fact"]
        return {
            "stand": stance.grade,
            "who": line.who if line else "",
            "m": f"m{line.number}" if line else "",
            "point": self.point,
            "peer": self.peer or "",
        }.get(name, "")


def _sentence(text: str, *, end: bool = True) -> str:
    if not text:
        return ""
    text = re.sub(r"\s+([,.;:?!])", r"\1", re.sub(r" {2,}", " ", text.strip()))
    if not end:
        return text
    text = _START.sub(lambda found: found[0].upper(), text)
    return text if re.search(r"[.?!][”’)]?$", text) else text + "."


def _joined(sentences: list[str], breaks: tuple[int, ...]) -> str:
    parts: list[str] = []
    for number, text in enumerate(sentences):
        parts += ["\n\n" if number in breaks else " ", text] if number else [text]
    return "".join(parts)


def _gather(voice: Voice, plan: list[tuple[str, ...]], spare: tuple[str, ...]) -> list[str]:
    """Say the plan, then spare roles until the turn is long enough; what would make it too long is dropped."""
    said: list[str] = []
    words = 0
    for number, roles in enumerate((*plan, *((role,) for role in spare))):
        # A turn that is long enough goes straight to how it ends.
        if words >= _LEAST and number != len(plan) - 1:
            continue
        for role in roles:
            text = _role(voice, role)
            if text and words + len(text.split()) <= _MOST and text not in said:
                said.append(text)
                words += len(text.split())
                break
    return said


def _role(voice: Voice, role: str) -> str:
    if role in {"open", "body", "cite"}:
        return {"open": voice.open, "body": voice.body, "cite": voice.cite}[role]()
    if role == "lean":
        stance = voice.stance
        if stance.held is None:
            return ""
        return voice.say("lean_torn" if stance.torn else "lean_strong" if stance.strength >= 0.5 else "lean_mild")
    if role == "read" and voice.cited is None:
        return ""
    return voice.say(role, "speech" if role in data("speech") else "talkback")


_OPENINGS: tuple[tuple[tuple[str, ...], ...], ...] = (
    (("open",), ("cite", "lens"), ("read", "why"), ("lean",), ("test",)),
    (("lens",), ("body", "why"), ("open",), ("lean",), ("cite", "cost")),
    (("cite", "lens"), ("read", "cost"), ("open",), ("lean",), ("test", "why")),
    (("body", "lens"), ("open",), ("cite", "why"), ("lean",), ("cost",)),
)


def opening(voice: Voice, *, tables: bool) -> str:
    """A statement made without having heard anybody."""
    shapes = shuffled(_OPENINGS, "shape", voice.prompt.seed, voice.prompt.question)
    plan = [*shapes[voice.seat % len(shapes)], *([("table",)] if tables else [])]
    return _joined(_gather(voice, plan, ("why", "cost", "test")), (2 + voice.seat % 2,))


def discussion(voice: Voice, *, tables: bool) -> str:
    """An answer to a colleague: a change of mind, an answer, an objection or a second, and its ground."""
    stance, prompt, line = voice.stance, voice.prompt, voice.line
    first: tuple[str, ...] = ("lens",)
    if line is not None:
        if stance.mover:
            first = ("moved",) if stance.before else ("agree",)
        elif "?" in line.text and re.search(rf"\b{re.escape(prompt.agent)}\b[^.]*\?", line.text):
            first = ("answer",)
        else:
            theirs = read_position(prompt.positions.get(line.who, ""), tuple(stance.opinions))
            against = stance.held not in theirs if theirs else voice.rng.random() < 0.5
            first = ("object",) if against else ("agree",)
        first = (*first, "hold", "open")
    turn = voice.place % 4
    ground = (("cite", "why"), ("cite", "open"), ("open",), ("cite", "body"))[turn]
    then = (("read", "cost"), ("read", "why"), ("why", "clause"), ("read", "open"))[turn]
    stay = ("lean",) if stance.torn or stance.held is None else ("hold",) if not stance.mover else ("why",)
    end = ("table",) if tables else ("ask",) if voice.peer and voice.place % 3 else ("test",)
    return _joined(_gather(voice, [first, ground, then, stay, end], ("cost", "test", "why")), (2 + turn % 2,))


def closing(voice: Voice) -> str:
    """Where it stands at the end, in one paragraph."""
    plan: list[tuple[str, ...]] = [("close_hold", "lens"), ("close_why",), ("close_credit", "cost")]
    plan.append(("close_change",))
    if voice.seat % 2:
        plan = [plan[2], plan[0], plan[1], plan[3]]
    return _joined(_gather(voice, plan, ("why", "cost", "open")), ())
