"""How a simulated persona talks. The one rule: a turn is one line of thought, made of plain sentences.

It answers a colleague, brings one consideration, says what follows, and may ask. A sentence is a frame from the data
files, filled from the persona's file, the question, the options, the context files and the colleagues' words; frames,
phrases and facts that were heard least often come first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from eda.protocols import Line, Prompt
from eda.runners.stance import Stance, read_position
from eda.runners.words import (
    action,
    chance,
    concerns,
    data,
    drawn,
    facts,
    figure,
    lexicon,
    noun_of,
    shuffled,
    stems,
    subject,
)

__all__ = ["Voice", "closing", "discussion", "opening", "question_to"]

_LEAST, _MOST = 50, 106
_SLOT = re.compile(r"\{(\w+)\}")
_START = re.compile(r"(?:^|(?<=[.?!] ))(?!m\d|[\w-]+\.[a-z]{1,5}\b)[a-z]")
"""Where a capital stands: not in a message's number or a file's name."""
_CHOICE = re.compile(r"\[([^\]]*)\]")
_CONTRACTED = {
    "I am": "I'm",
    "I would": "I'd",
    "I will": "I'll",
    "cannot": "can't",
    "do not": "don't",
    "does not": "doesn't",
    "should not": "shouldn't",
    "Let us": "Let's",
    "let us": "let's",
    "That is": "That's",
}
_LONG = re.compile(rf"\b(?:{'|'.join(_CONTRACTED)})\b(?= \w)")
_PHRASES = {"value": "values", "fear": "fears", "proof": "moved_by"}
_PLAIN = {
    "value": ("work that can be checked", "plain reasons", "results that last"),
    "fear": ("a step that cannot be undone", "work that nobody looks after", "a surprise for those affected"),
    "proof": ("a small trial", "figures from a comparable case", "a word from those affected"),
}
"""For a persona whose file names no values, no fears, no evidence."""


@lru_cache(maxsize=128)
def _introductions(instruction: str) -> tuple[str, ...]:
    """Sentences of a persona's body that it can say of itself: "You trace ..." becomes "I trace ..."."""
    found = []
    for sentence in re.split(r"(?<=[.!?])\s+", " ".join(instruction.split())):
        words = re.findall(r"[\w'’]+", sentence.casefold())
        if not 5 <= len(words) <= 28 or words[0] != "you" or sentence[-1] != "." or words.count("you") > 1:
            continue
        if not set(words) & {*lexicon("body_skip"), "your", "yours", "yourself"}:
            text = re.sub(r"^You (are|were)\b", lambda each: {"are": "I am", "were": "I was"}[each[1]], sentence)
            found.append(re.sub(r"^You\b", "I", text))
    return tuple(found)


def _chosen(frame: str, question: str, *, contracts: bool) -> str:
    """The frame with one of its choices, which the question decides."""
    text = frame
    if "[" in text:
        rng = chance("choice", frame, question)
        text = _CHOICE.sub(lambda found: (choices := found[1].split("|"))[int(rng.random() * len(choices))], text)
    return _LONG.sub(lambda found: _CONTRACTED[found[0]], text) if contracts else text


@lru_cache(maxsize=2048)
def _frames(
    source: str, role: str, seed: int, question: str, *, contracts: bool
) -> tuple[tuple[str, frozenset[str], str], ...]:
    """The frames of a role in the order of this debate, each with its slots and the longest piece without one."""
    mixed = shuffled(data(source)[role], "frames", seed, question, role)
    chosen = [_chosen(frame, question, contracts=contracts) for frame in mixed]
    pieces = [_SLOT.split(frame) for frame in chosen]
    return tuple(
        (frame, frozenset(each[1::2]), max(each[::2], key=len).casefold().strip(" .,:;?"))
        for frame, each in zip(chosen, pieces, strict=True)
    )


@lru_cache(maxsize=8)
def _all(lines: tuple[Line, ...]) -> str:
    """What was said, in lower case: the members who are asked side by side have heard the same."""
    return "\n".join(line.text for line in lines).casefold()


class Voice:
    """Makes one turn's sentences: the frames and phrases that are due at this place of the debate."""

    def __init__(self, prompt: Prompt, stance: Stance) -> None:
        self.prompt, self.stance = prompt, stance
        self.seat = prompt.members.index(prompt.agent) if prompt.agent in prompt.members else 0
        self.size = max(1, len(prompt.members))
        self.round = prompt.last // self.size
        # Whoever is asked at the same time as the others says it otherwise.
        apart = prompt.stage in ("opening", "closing") or prompt.purpose == "bid"
        self.place = (prompt.stage != "opening") * prompt.last + apart * self.seat
        own = [line.text for line in prompt.lines if line.who == prompt.agent]
        self.turn = len(own)
        self._own = "\n".join(own).casefold()
        self._all = _all(prompt.lines)
        self.line: Line | None = None
        self.their = self.yours = ""
        self.peer: str | None = None
        self._used: list[str] = []
        self.cited: tuple[str, str] | None = None
        self._apart = False
        self._contracts = drawn("contracts", prompt.agent) < 0.5

    def aim(self, line: Line | None) -> None:
        """Choose the colleague's message that this turn is about, and the point in it that was taken up least."""
        self.line, self.their, self.yours = line, "that", ""
        if line is None:
            return
        theirs = read_position(self.prompt.positions.get(line.who, ""), tuple(self.stance.opinions))
        if len(theirs) == 1:
            self.yours = self.noun(next(iter(theirs)))
        named = {self.noun(label).casefold() for label in self.stance.opinions}
        numbers = (figure(quoted) for quoted in re.findall(r"“([^”]+)”", line.text))
        found = [each for each in (*concerns(line.text), *numbers) if each and each.casefold() not in named]
        # One mention is its own; what was taken up before is stale.
        found += [
            f"that line from {doc}" for doc, _ in facts(self.prompt.documents) if doc in line.text and "“" in line.text
        ][:1]
        case = f"the case for {self.yours}" if self.yours else "that"
        self.their = min(found, key=lambda each: self._all.count(each.casefold()), default=case)
        self._used.append(self.their)

    def say(self, role: str, source: str = "speech") -> str:
        """The frame of a role that is due, filled; empty where none can be."""
        prompt, slots = self.prompt, self._slots()
        known = {*_PHRASES, *(name for name, text in slots.items() if text)}
        frames = _frames(source, role, prompt.seed, prompt.question, contracts=self._contracts)
        fit = [each for each in frames if each[1] <= known]
        if not fit:
            return ""
        start = 2 * self.place % len(fit)
        frame = min((*fit[start:], *fit[:start]), key=self._heard)[0]
        self._used.append(frame)
        return self._filled(frame, slots)

    def _heard(self, frame: tuple[str, frozenset[str], str]) -> int:
        """How stale a frame is, of others more than of oneself; a fact beside a strange phrase comes late, too."""
        text, slots, piece = frame
        heard = 2 * self._all.count(piece) - self._own.count(piece) + 19 * self._used.count(text)
        return heard + 3 * (self._apart and bool(slots & {"value", "fear"}))

    def cite(self) -> str:
        """A sentence of a context file that nobody has cited; empty where this seat has none left."""
        found = facts(self.prompt.documents)
        fresh = [each for each in found if each[1].casefold() not in self._all]
        mine = [each for each in found[self.seat :: self.size] if each in fresh] or fresh * (self.turn > 1)
        if not mine:
            return ""
        persona = self.prompt.persona
        known = stems(" ".join((*persona.values, *persona.fears, *persona.moved_by))) if persona else frozenset()
        self.cited = max(mine, key=lambda each: len(stems(each[1]) & known))
        said = self.say("fact")
        self._apart = not stems(self.cited[1]) & known
        return said

    def open(self) -> str:
        """One of the persona's own openers with a clause that follows from it."""
        openers = self.prompt.persona.openers if self.prompt.persona else ()
        fresh = [opener for opener in openers if opener.casefold() not in self._own]
        clause = self.say("after_opener")
        # A few of a persona's openers a debate: the rest is for other questions.
        if not fresh or self.turn > 2:
            return clause
        opener = shuffled(tuple(fresh), "openers", self.prompt.agent, self.prompt.question, self.prompt.seed)[0].strip()
        own = opener[-1] not in ".!?" and not re.match(r"I\b", clause)
        return f"{opener} {clause[0].lower() + clause[1:] if own else clause}"

    def body(self) -> str:
        """What the persona's own file says of it."""
        own = _introductions(self.prompt.persona.instruction) if self.prompt.persona else ()
        mixed = shuffled(own, "body", self.prompt.seed, self.prompt.question)
        return next((said for said in mixed if said.casefold() not in self._own), "")

    def noun(self, label: str) -> str:
        """An option as a noun."""
        if label.casefold() not in {"yes", "no"}:
            short = noun_of(label)
            alike = sum(noun_of(other) == short for other in self.stance.opinions)
            return short if alike < 2 else f"“{label}”"
        act = action(self.prompt.question)
        if label.casefold() == "yes":
            return (
                (noun_of(act) if act.split()[0].casefold() in lexicon("verbs") else subject(self.prompt.question))
                if act
                else "a yes"
            )
        if not act:
            return "a no"
        kept = act.split()[0].casefold() in lexicon("keeping")
        return f"not {subject(self.prompt.question)}" if kept else "the status quo"

    def _phrase(self, kind: str) -> str:
        persona = self.prompt.persona
        own: tuple[str, ...] = (getattr(persona, _PHRASES[kind]) if persona else ()) or _PLAIN[kind]
        mixed = shuffled(own, kind, self.prompt.agent, self.prompt.question, self.prompt.seed)
        first = mixed[: max(2, len(own) // 2)]
        about = stems(self.cited[1]) if self.cited else frozenset()
        phrase = min(
            mixed,
            key=lambda each: (
                self._used.count(each),
                each not in first,
                self._own.count(each.casefold()) - bool(stems(each) & about),
                self._all.count(each.casefold()),
            ),
        )
        self._used.append(phrase)
        return phrase

    def _filled(self, frame: str, slots: Mapping[str, str]) -> str:
        text = frame
        if self.stance.torn and self.stance.held and self.stance.second:
            both = f"{self.stance.grade} {self.noun(self.stance.held)} and {self.noun(self.stance.second)}"
            text = text.replace("{stand} {opt}", both)
        # A fact is quoted as it stands: put in last, it is not looked into.
        parts = {**slots, "fact": "{fact}"}
        text = _SLOT.sub(lambda found: self._phrase(found[1]) if found[1] in _PHRASES else parts[found[1]], text)
        if frame[-1] in ".?!”":
            text = _START.sub(lambda found: found[0].upper(), text)
        return text.replace("{fact}", slots["fact"])

    def _slots(self) -> dict[str, str]:
        """What stands for each slot but the persona's phrases; empty where there is nothing."""
        stance, line = self.stance, self.line
        was = stance.before if stance.before != stance.held else None
        doc, fact = self.cited or ("", "")
        return {
            "topic": subject(self.prompt.question),
            "opt": self.noun(stance.held) if stance.held else "",
            "alt": self.noun(stance.second) if stance.second else "",
            "was": self.noun(was) if was else "",
            "stand": stance.grade if stance.held else "",
            "doc": doc,
            "fact": fact,
            "num": figure(fact),
            "who": line.who if line else "",
            "m": f"m{line.number}" if line else "",
            "their": self.their,
            "yours": self.yours,
            "peer": self.peer or "",
        }


def _turn(voice: Voice, plan: list[tuple[str, ...]]) -> str:
    """The plan, one role of each step; spare roles before its end where it is too short."""
    said: list[str] = []
    spare = [("weigh",), ("start",) if plan[-1] == ("test",) else ("test",), ("after_opener",)]
    for number, roles in enumerate((*plan[:-1], *spare, plan[-1])):
        words = len(" ".join(said).split())
        if words >= _LEAST - 10 and len(plan) - 1 <= number < len(plan) + 2:
            continue
        for role in roles:
            text = _role(voice, role)
            if text and text not in said and words + len(text.split()) <= _MOST:
                said.append(text)
                break
    return " ".join(said)


def _role(voice: Voice, role: str) -> str:
    if role in {"open", "body", "cite"}:
        return {"open": voice.open, "body": voice.body, "cite": voice.cite}[role]()
    if role in {"lean", "stay"} and voice.stance.torn:
        return voice.say("lean_torn")
    if role == "read" and voice.cited is None:
        return ""
    return voice.say(role)


_OPENINGS: tuple[tuple[tuple[str, ...], ...], ...] = (
    (("start",), ("cite", "open"), ("read", "weigh"), ("lean", "weigh")),
    (("body", "start"), ("open",), ("cite", "weigh"), ("read", "weigh"), ("lean", "start")),
    (("open",), ("weigh",), ("cite", "start"), ("read", "weigh"), ("lean", "start")),
    (("cite", "body", "start"), ("read", "start"), ("open",), ("lean", "weigh")),
)


def opening(voice: Voice, *, tables: bool) -> str:
    """A statement made without having heard anybody."""
    shapes = shuffled(_OPENINGS, "shape", voice.prompt.seed, voice.prompt.question)
    return _turn(voice, [*shapes[voice.seat % len(shapes)], ("table",) if tables else ("test",)])


def question_to(agent: str, text: str) -> str:
    """The question in which a text names an agent; empty where there is none."""
    found = re.search(rf"(?:^|[.?!] )([^.?!]*\b{re.escape(agent)}\b[^.?!]*)\?", text)
    return found[1] if found else ""


def _reply(voice: Voice) -> str:
    """How the turn begins: with what its speaker makes of the message it answers."""
    stance, line = voice.stance, voice.line
    if line is None:
        return "start"
    if stance.mover:
        return "moved" if stance.before else "swayed"
    asked = question_to(voice.prompt.agent, line.text)
    if asked:
        if re.search(r"convinc|missing|tell that|see whether", asked):
            return "answer_proof"
        return "answer_fear" if re.search(r"worr|wrong|fail|risk", asked) else "answer_value"
    theirs = read_position(voice.prompt.positions.get(line.who, ""), tuple(stance.opinions))
    return "object" if theirs and stance.held not in theirs else "agree"


def discussion(voice: Voice, *, tables: bool) -> str:
    """An answer to a colleague, its ground, and what follows from it."""
    ground = (("cite", "weigh"), ("open",))[voice.place % 2]
    then = ("lean", "start") if voice.stance.torn and not voice.stance.mover else ("stay", "weigh")
    end = ("table",) if tables else ("ask",) if voice.peer and voice.place % 3 else ("test",)
    return _turn(voice, [(_reply(voice), "start"), ground, ("read", "weigh"), then, end])


def closing(voice: Voice) -> str:
    """Where it stands at the end."""
    plan: list[tuple[str, ...]] = [("close_credit",), ("close_hold", "start"), ("close_why",), ("close_test",)]
    return _turn(voice, [plan[1], plan[2], plan[0], plan[3]] if voice.seat % 2 else plan)
