"""The simulated runner. The one rule: a reply is a pure function of its prompt, the same on every machine.

It is no language model and says so. It serves tests and dry runs, and is a null model: personas speak from their own
files about the question in short plain sentences, and change their minds by a published rule.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from math import exp
from typing import Any

import orjson

from eda.events.records import Line
from eda.runners.answers import BeliefsAnswer
from eda.runners.protocol import OnText, Prompt, Reply, Usage
from eda.runners.simulated.ballot import ballot
from eda.runners.simulated.moves import kind_of, moves_of, offered, opinion_of, talkativeness
from eda.runners.simulated.speech import Voice, question_to, turn
from eda.runners.simulated.stance import Stance, labels, read_position, sided, stance_of
from eda.runners.simulated.words import drawn
from eda.words import ENGLISH

_PATIENCE = 3.0
"""Rounds of talk after which members bid less and less."""
_BIDS_ABOVE = 0.38
"""The urge above which a member wants the floor."""
_SURE = 2.0
"""The log odds of an option for which a member is wholly, against one that it is indifferent to."""
_SILENT = 0.1
"""The share of closings that a member whom nobody has moved passes."""


class SimulatedRunner:
    """Answers every kind of prompt offline, at no cost, without state.

    With `fixed` no member ever moves, and its last ballot is its first: a panel on which talk has no effect.
    """

    spec = "simulated"
    deterministic = True
    summarises = declares = False
    fixed = False

    def __init__(self, *, fixed: bool = False) -> None:
        self.fixed = fixed
        self.spec += ":fixed" * fixed

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return the answer to one prompt; `on_text` gets the text word by word."""
        if self.fixed:
            # A member that has declared nothing stands where its file and the seed have put it.
            others = {who: text for who, text in prompt.positions.items() if who != prompt.agent}
            prompt = prompt.but(positions=others)
        text, data = _ballot(prompt, self.fixed) if prompt.purpose == "ballot" else _ANSWERS[prompt.purpose](prompt)
        if on_text is not None:
            for piece in re.findall(r"\s*\S+", text):
                on_text(piece)
        usage = Usage(prompt.characters // 4, len(text) // 4)
        return Reply(text, data, usage, "simulated")


Answer = tuple[str, Mapping[str, Any] | None]


def _structured(data: Mapping[str, Any]) -> Answer:
    return orjson.dumps(data).decode(), data


def _whom(prompt: Prompt, stance: Stance, seat: int) -> Line | None:
    """Return the message to answer: of whoever changed the speaker's mind, or has named it, else one of the last."""
    others = [line for line in prompt.lines if line.who != prompt.agent]
    if not others or prompt.stage == "closing":
        # Everybody thanks somebody else, so that the closings are no chorus.
        return others[-1 - (2 + 3 * seat) % len(others)] if others else None
    movers = [line for line in others[-6:] if line.who == stance.mover]
    naming = [line for line in others[-2:] if _named(prompt.agent, line.text)]
    return (movers or naming or (others[-2:][:1] if prompt.last % 5 == 3 else others))[-1]


def _named(title: str, text: str) -> bool:
    return title in text and _alone(title).search(text) is not None


@lru_cache(maxsize=256)
def _alone(title: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(title)}(?!\w)")


def _voice(prompt: Prompt, stance: Stance) -> Voice:
    voice = Voice(prompt, stance)
    voice.line = _whom(prompt, stance, voice.seat)
    heard = {line.who: line.number for line in prompt.lines}
    peers = [who for who in prompt.members if who not in {prompt.agent, voice.line and voice.line.who}]
    if peers and voice.round <= _PATIENCE + 1:
        # Whoever was silent longest. A debate that keeps asking never falls silent.
        voice.peer = min(peers, key=lambda who: heard.get(who, 0))
    return voice


def _speak(prompt: Prompt) -> Answer:
    stance = sided(prompt) if prompt.side else stance_of(prompt)
    voice = _voice(prompt, stance)
    closing = prompt.stage == "closing"
    if closing and voice.turn and not (prompt.side or stance.mover):
        luck = drawn("pass", prompt.seed, prompt.agent, prompt.question, prompt.last)
        if luck < _SILENT:
            return "[PASS]", None
    talk = turn(voice)
    offer = "" if closing or prompt.side else offered(prompt, stance, voice)
    moves = moves_of(prompt, stance, voice, offer)
    return "\n\n".join(part for part in (talk, "\n".join(moves)) if part), None


def _bids(prompt: Prompt) -> Answer:
    if not prompt.asked:
        return _structured(_bid(prompt))
    return _structured({"bids": [{"agent": one.agent, **_bid(one)} for one in prompt.each]})


def _bid(prompt: Prompt) -> Mapping[str, Any]:
    last = prompt.lines[-1] if prompt.lines else None
    if last is not None and last.who == prompt.agent:
        return {"wants": False, "urgency": 0.0, "reason": "just had the floor"}
    stance = stance_of(prompt)
    voice = _voice(prompt, stance)
    theirs = read_position(prompt.positions.get(last.who, ""), tuple(stance.opinions)) if last else {}
    against = bool(theirs) and stance.held not in theirs
    urge = _urge(prompt, stance, voice, against=against)
    if urge <= _BIDS_ABOVE:
        return {"wants": False, "urgency": 0.0, "reason": voice.say("bid_pass")}
    voice.line = last
    asked = last is not None and question_to(prompt.agent, last.text)
    reason = voice.say("bid_answer" if asked else "bid_object" if against else "bid_open")
    return {"wants": True, "urgency": round(max(0.0, min(1.0, urge)), 3), "reason": reason}


def _urge(prompt: Prompt, stance: Stance, voice: Voice, *, against: bool) -> float:
    """Return how much a member wants the floor: by temper, chance, silence, and what it has to answer."""
    named = not prompt.lines or _named(prompt.agent, prompt.lines[-1].text)  # without a message somebody has to begin
    silent = next((n for n, line in enumerate(reversed(prompt.lines)) if line.who == prompt.agent), len(prompt.lines))
    fresh = any(
        proposal.proposer != prompt.agent and all(reaction.agent != prompt.agent for reaction in proposal.reactions)
        for proposal in prompt.proposals
    )
    mood = drawn("bid", prompt.seed, prompt.agent, prompt.last, prompt.question)
    urge = 0.35 * talkativeness(prompt) + 0.25 * mood + 0.12 * against + 0.06 * min(silent, 5) + 0.08 * fresh
    urge += 0.15 * (stance.mover is not None) + 0.35 * named
    return urge - 0.14 * max(0.0, prompt.last / voice.size - _PATIENCE)


def _ballot(prompt: Prompt, fixed: bool) -> Answer:
    return _structured(ballot(prompt, lambda stance: _voice(prompt, stance), fixed=fixed))


def _poll(prompt: Prompt) -> Answer:
    stance = stance_of(prompt, moving=bool(prompt.side))
    if prompt.answer is BeliefsAnswer:
        odds = {option: exp(_SURE * opinion) for option, opinion in stance.opinions.items() if option in prompt.options}
        ids = {text.text: text.id for text in prompt.texts}
        return _structured(
            {"beliefs": {ids[option]: round(odd / sum(odds.values()), 6) for option, odd in odds.items()}}
        )
    voice = _voice(prompt, stance)
    return _structured(
        {
            "choice": None if stance.torn else stance.held,
            "confidence": round(min(1.0, 0.3 + abs(stance.strength) * 0.7), 2),
            "change_mind": voice.say("change"),
        }
    )


def _ask(prompt: Prompt) -> Answer:
    position = prompt.positions.get(prompt.agent, "").rstrip(".")
    return ENGLISH.say("simulated-asked", position=position), None


def _comment(prompt: Prompt) -> Answer:
    stance = stance_of(prompt, moving=False)
    kind = kind_of(opinion_of(prompt, stance, prompt.about)) if prompt.about else "neutral"
    head = {"support": "I am for this", "oppose": "I am against this", "neutral": "I am undecided here"}[kind]
    return f"{head}: {_voice(prompt, stance).say(kind)}.", None


def _moderate(prompt: Prompt) -> Answer:
    """Name whoever was silent longest, first among those who disagree with the last speaker."""
    heard = {line.who: line.number for line in prompt.lines}
    known = labels(prompt)
    holds = {who: set(read_position(text, known)) for who, text in prompt.positions.items()}
    last = prompt.lines[-1].who if prompt.lines else ""
    theirs = holds.get(last, set())
    against = [who for who in prompt.members if theirs and holds.get(who) and not holds[who] & theirs]
    named = min(against or prompt.members, key=lambda who: heard.get(who, 0))
    why = ENGLISH.say("simulated-other-view", who=last) if against else "was silent longest"
    return _structured({"agent": named, "why": why})


def _report(prompt: Prompt) -> Answer:
    positions = [f"{who}: {text}" for who, text in prompt.positions.items()]
    return ENGLISH.say("simulated-report", positions=positions, last=str(prompt.last)), None


def _baseline(_: Prompt) -> Answer:
    return "The simulated runner has no answer of its own. Ask a language model.", None


def _summarise(prompt: Prompt) -> Answer:
    summary = "\n".join(f"- {line.who} (m{line.number}): {line.text.split('. ')[0]}" for line in prompt.lines)
    return summary or "Without a language model there is no summary of this range.", None


def _declare(_: Prompt) -> Answer:
    return "", {"acts": []}


_ANSWERS = {
    "speak": _speak,
    "bid": _bids,
    "poll": _poll,
    "ask": _ask,
    "comment": _comment,
    "moderate": _moderate,
    "terms": lambda _: _structured({"takes": "not at all", "change": ""}),
    "report": _report,
    "baseline": _baseline,
    "declare": _declare,
    "summarise": _summarise,
}
