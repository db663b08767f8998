"""How a simulated persona talks. The one rule: a turn is one line of thought, made of plain sentences.

A turn answers a colleague, brings one consideration, draws a conclusion, and may ask. A sentence is a frame from the
data files, filled from the persona's file, the question, the options, the context files and the colleagues' words.
Frames, phrases and facts that were used least often come first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from eda.events.records import Line
from eda.runners.protocol import Prompt
from eda.runners.simulated.stance import Stance, read_position
from eda.runners.simulated.words import (
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

_LEAST, _MOST = 50, 106
_SLOT = re.compile(r"\{(\w+)\}")
_START = re.compile(r"(?:^|(?<=[.?!] ))(?!m\d|[\w-]+\.[a-z]{1,5}\b)[a-z]")
"""The beginning of a sentence, which gets a capital; not a message's number or a file's name."""
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
"""The phrases of a persona whose file names no values, fears or evidence."""


def _chosen(frame: str, question: str, *, contracts: bool) -> str:
    """Return the frame with one of its choices; the question decides which."""
    text = frame
    if "[" in text:
        rng = chance("choice", frame, question)
        text = _CHOICE.sub(lambda found: (choices := found[1].split("|"))[int(rng.random() * len(choices))], text)
    return _LONG.sub(lambda found: _CONTRACTED[found[0]], text) if contracts else text


@lru_cache(maxsize=2048)
def _frames(
    source: str, role: str, seed: int, question: str, *, contracts: bool
) -> tuple[tuple[str, frozenset[str], str], ...]:
    """Return the frames of a role in this debate's order, each with its slots and its longest piece without one."""
    mixed = shuffled(data(source)[role], "frames", seed, question, role)
    chosen = [_chosen(frame, question, contracts=contracts) for frame in mixed]
    pieces = [_SLOT.split(frame) for frame in chosen]
    return tuple(
        (frame, frozenset(each[1::2]), max(each[::2], key=len).casefold().strip(" .,:;?"))
        for frame, each in zip(chosen, pieces, strict=True)
    )


@lru_cache(maxsize=8)
def _all(lines: tuple[Line, ...]) -> str:
    """Return all messages in lower case; members who are asked side by side share the result."""
    return "\n".join(line.text for line in lines).casefold()


class Voice:
    """Makes the sentences of one turn from the frames and phrases that were used least so far."""

    def __init__(self, prompt: Prompt, stance: Stance) -> None:
        self.prompt, self.stance = prompt, stance
        self.seat = prompt.members.index(prompt.agent) if prompt.agent in prompt.members else 0
        self.size = max(1, len(prompt.members))
        self.round = prompt.last // self.size
        # Members who are asked at the same time use different frames.
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
        """Choose the message that this turn answers, and the point in it that was taken up least."""
        self.line, self.their, self.yours = line, "that", ""
        if line is None:
            return
        theirs = read_position(self.prompt.positions.get(line.who, ""), tuple(self.stance.opinions))
        if len(theirs) == 1:
            self.yours = self.noun(next(iter(theirs)))
        named = {self.noun(label).casefold() for label in self.stance.opinions}
        numbers = (figure(quoted) for quoted in re.findall(r"“([^”]+)”", line.text))
        points = [each for each in (*concerns(line.text), *numbers) if each and each.casefold() not in named]
        # Each point is mentioned once by its author; more mentions mean that others have taken it up.
        points += [
            f"that line from {doc}" for doc, _ in facts(self.prompt.documents) if doc in line.text and "“" in line.text
        ][:1]
        case = f"the case for {self.yours}" if self.yours else "that"
        self.their = min(points, key=lambda each: self._all.count(each.casefold()), default=case)
        self._used.append(self.their)

    def say(self, role: str, source: str = "speech") -> str:
        """Return the filled frame of a role that was used least; empty where no frame can be filled."""
        prompt, slots = self.prompt, self._slots()
        known = {*_PHRASES, *(name for name, text in slots.items() if text)}
        frames = _frames(source, role, prompt.seed, prompt.question, contracts=self._contracts)
        fit = [each for each in frames if each[1] <= known]
        if not fit:
            return ""
        start = 2 * self.place % len(fit)
        frame = min((*fit[start:], *fit[:start]), key=self._worn)[0]
        self._used.append(frame)
        return self._filled(frame, slots)

    def _worn(self, frame: tuple[str, frozenset[str], str]) -> int:
        """Return how worn a frame is: uses by others count double; phrases unrelated to the cited fact are worn."""
        text, slots, piece = frame
        uses = 2 * self._all.count(piece) - self._own.count(piece) + 19 * self._used.count(text)
        return uses + 3 * (self._apart and bool(slots & {"value", "fear"}))

    def cite(self) -> str:
        """Return a sentence that cites a fact nobody has cited; empty where this seat has none left."""
        known_facts = facts(self.prompt.documents)
        fresh = [each for each in known_facts if each[1].casefold() not in self._all]
        mine = [each for each in known_facts[self.seat :: self.size] if each in fresh] or fresh * (self.turn > 1)
        if not mine:
            return ""
        persona = self.prompt.persona
        known = stems(" ".join((*persona.values, *persona.fears, *persona.moved_by))) if persona else frozenset()
        self.cited = max(mine, key=lambda each: len(stems(each[1]) & known))
        sentence = self.say("fact")
        self._apart = not stems(self.cited[1]) & known
        return sentence

    def open(self) -> str:
        """Return one of the persona's own openers with a clause after it."""
        openers = self.prompt.persona.openers if self.prompt.persona else ()
        fresh = [opener for opener in openers if opener.casefold() not in self._own]
        clause = self.say("after_opener")
        # A persona uses only a few of its openers in a debate.
        if not fresh or self.turn > 2:
            return clause
        opener = shuffled(tuple(fresh), "openers", self.prompt.agent, self.prompt.question, self.prompt.seed)[0].strip()
        own = opener[-1] not in ".!?" and not re.match(r"I\b", clause)
        return f"{opener} {clause[0].lower() + clause[1:] if own else clause}"

    def noun(self, label: str) -> str:
        """Return an option as a noun phrase."""
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
        # A fact is quoted as it stands: it is filled in last, so that nothing in it is replaced.
        parts = {**slots, "fact": "{fact}"}
        text = _SLOT.sub(lambda found: self._phrase(found[1]) if found[1] in _PHRASES else parts[found[1]], text)
        if frame[-1] in ".?!”":
            text = _START.sub(lambda found: found[0].upper(), text)
        return text.replace("{fact}", slots["fact"])

    def _slots(self) -> dict[str, str]:
        """Return the values of all slots except the persona's phrases; empty where there is none."""
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
    """Return a turn with one sentence for each step of the plan; spare sentences before its end if it is too short."""
    turn: list[str] = []
    spare = [("weigh",), ("start",) if plan[-1] == ("test",) else ("test",), ("after_opener",)]
    for number, roles in enumerate((*plan[:-1], *spare, plan[-1])):
        words = len(" ".join(turn).split())
        if words >= _LEAST - 10 and len(plan) - 1 <= number < len(plan) + 2:
            continue
        for role in roles:
            text = _role(voice, role)
            if text and text not in turn and words + len(text.split()) <= _MOST:
                turn.append(text)
                break
    return " ".join(turn)


def _role(voice: Voice, role: str) -> str:
    if role in {"open", "cite"}:
        return voice.open() if role == "open" else voice.cite()
    if role in {"lean", "stay"} and voice.stance.torn:
        return voice.say("lean_torn")
    if role == "read" and voice.cited is None:
        return ""
    return voice.say(role)


_OPENINGS: tuple[tuple[tuple[str, ...], ...], ...] = (
    (("start",), ("cite", "open"), ("read", "weigh"), ("lean", "weigh")),
    (("start",), ("open",), ("cite", "weigh"), ("read", "weigh"), ("lean", "start")),
    (("open",), ("weigh",), ("cite", "start"), ("read", "weigh"), ("lean", "start")),
    (("cite", "start"), ("read", "start"), ("open",), ("lean", "weigh")),
)


def opening(voice: Voice, *, tables: bool) -> str:
    """Return an opening statement, made before anybody was heard."""
    shapes = shuffled(_OPENINGS, "shape", voice.prompt.seed, voice.prompt.question)
    return _turn(voice, [*shapes[voice.seat % len(shapes)], ("table",) if tables else ("test",)])


def question_to(agent: str, text: str) -> str:
    """Return the question in which a text names an agent; empty where there is none."""
    question = re.search(rf"(?:^|[.?!] )([^.?!]*\b{re.escape(agent)}\b[^.?!]*)\?", text)
    return question[1] if question else ""


def _reply(voice: Voice) -> str:
    """Return the role of the first sentence, by what the speaker thinks of the message that it answers."""
    stance, line = voice.stance, voice.line
    if line is None:
        return "start"
    if stance.mover:
        return "moved" if stance.before else "swayed"
    question = question_to(voice.prompt.agent, line.text)
    if question:
        if re.search(r"convinc|missing|tell that|see whether", question):
            return "answer_proof"
        return "answer_fear" if re.search(r"worr|wrong|fail|risk", question) else "answer_value"
    theirs = read_position(voice.prompt.positions.get(line.who, ""), tuple(stance.opinions))
    return "object" if theirs and stance.held not in theirs else "agree"


def discussion(voice: Voice, *, tables: bool) -> str:
    """Return a turn of the discussion: an answer to a colleague, its ground, and a conclusion."""
    ground = (("cite", "weigh"), ("open",))[voice.place % 2]
    then = ("lean", "start") if voice.stance.torn and not voice.stance.mover else ("stay", "weigh")
    end = ("table",) if tables else ("ask",) if voice.peer and voice.place % 3 else ("test",)
    return _turn(voice, [(_reply(voice), "start"), ground, ("read", "weigh"), then, end])


def closing(voice: Voice) -> str:
    """Return a closing statement."""
    plan: list[tuple[str, ...]] = [("close_credit",), ("close_hold", "start"), ("close_why",), ("close_test",)]
    return _turn(voice, [plan[1], plan[2], plan[0], plan[3]] if voice.seat % 2 else plan)
