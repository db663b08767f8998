"""The runner that needs no model. The one rule: a reply is a pure function of its prompt, the same on every machine.

It is no language model and does not pass for one. It shows how a debate runs, serves tests and dry runs, and is a null
model: personas speak from their own files about the question at hand, and change their minds by a published rule.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import orjson

from eda.protocols import Line, OnText, Prompt, Reply, Usage
from eda.runners.speech import Voice, closing, discussion, opening, question_to
from eda.runners.stance import Stance, deed, label_of, labels, read_position, sided, stance_of
from eda.runners.words import chance, data, drawn, shuffled, stems

__all__ = ["SimulatedRunner"]

_PATIENCE = 3.0
"""Rounds of talk after which bids begin to fade."""
_REACTIONS = 2
"""At most, a turn."""
_BLOCKS = -0.6
"""The opinion of an option below which it is blocked."""
_AMENDABLE = 22
"""Words of a proposal: an amendment gives its whole new wording, and has to be read in one go."""


class SimulatedRunner:
    """Answers every purpose offline, at no cost, without state."""

    spec = "simulated"
    deterministic = True
    summarises = False

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Answer one prompt; `on_text` gets the text word by word."""
        text, data = _ANSWERS[prompt.purpose](prompt)
        if on_text is not None:
            for piece in re.findall(r"\s*\S+", text):
                on_text(piece)
        usage = Usage(len(prompt.text) // 4, len(text) // 4)
        return Reply(text, data, usage, "simulated")


Answer = tuple[str, Mapping[str, Any] | None]


def _structured(data: Mapping[str, Any]) -> Answer:
    return orjson.dumps(data).decode(), data


def _whom(prompt: Prompt, stance: Stance) -> Line | None:
    """The message to answer: of whoever changed the speaker's mind, else the last one, at times the one before."""
    others = [line for line in prompt.lines[-6:] if line.who != prompt.agent]
    if stance.mover:
        others = [line for line in others if line.who == stance.mover] or others
    if not others:
        return None
    asked = [line for line in others[-2:] if _named(prompt.agent, line.text)]
    if asked and not stance.mover:
        return asked[-1]
    return others[-2] if len(others) > 1 and prompt.last % 5 == 3 else others[-1]


def _named(title: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(title)}(?!\w)", text) is not None


def _voice(prompt: Prompt, stance: Stance) -> Voice:
    voice = Voice(prompt, stance)
    line = _whom(prompt, stance)
    if prompt.stage == "closing":
        # Everybody thanks somebody else, so that the closings are no chorus.
        others = [each for each in prompt.lines if each.who != prompt.agent]
        line = others[-1 - (2 + 3 * voice.seat) % len(others)] if others else None
    voice.aim(line)
    heard = {each.who: each.number for each in prompt.lines}
    peers = sorted(
        (who for who in prompt.members if who not in {prompt.agent, line and line.who}),
        key=lambda who: heard.get(who, 0),
    )
    if peers and voice.round <= _PATIENCE + 1:
        # Whoever was silent longest. A debate that keeps asking never falls silent.
        voice.peer = peers[0]
    return voice


def _speak(prompt: Prompt) -> Answer:
    stance = sided(prompt) if prompt.side else stance_of(prompt)
    voice = _voice(prompt, stance)
    offer = "" if prompt.stage == "closing" or prompt.side else _offer(prompt, stance, voice)
    if prompt.stage == "opening":
        text = opening(voice, tables=bool(offer))
    elif prompt.stage == "closing":
        text = closing(voice)
    else:
        text = discussion(voice, tables=bool(offer))
    if stance.held is None and offer:
        # An own proposal is the first thing that can be held.
        label = label_of(offer)
        stance = Stance({label: 0.6}, label, None, torn=False)
    moves = [f"[PROPOSE] {offer}"] if offer else []
    if prompt.stage != "opening":
        moves += _reactions(prompt, stance, voice)
    if (
        stance.held
        and not prompt.side
        and (prompt.stage != "discussion" or stance.mover or prompt.agent not in prompt.positions)
    ):
        moves.append(f"[POSITION] {_position(stance, voice)}")
    return "\n\n".join(part for part in (text, "\n".join(moves)) if part), None


def _position(stance: Stance, voice: Voice) -> str:
    sides = [stance.held or "", *([stance.second or ""] if stance.torn else [])]
    held = " and ".join(side if side.casefold() in {"yes", "no"} else f"“{side}”" for side in sides)
    return f"{stance.grade.capitalize()} {held}, {voice.say('position', 'moves')}."


def _on(prompt: Prompt, stance: Stance, content: str) -> float:
    """What the speaker thinks of a proposal: of the option it names, with a taste for its wording."""
    low = content.casefold()
    named = [stance.opinions[label] for label in stance.opinions if deed(prompt, label).casefold() in low]
    taste = drawn("taste", prompt.seed, prompt.agent, prompt.question, content) * 0.6 - 0.25
    if prompt.persona is not None:
        about = stems(content)
        taste += 0.2 * any(stems(value) & about for value in prompt.persona.values)
        taste -= 0.2 * any(stems(fear) & about for fear in prompt.persona.fears)
    return (named[0] if named else 0.1) + taste


def _offer(prompt: Prompt, stance: Stance, voice: Voice) -> str:
    """A proposal where it adds something: nothing on the table says the same, and few stand there."""
    if any(proposal.proposer == prompt.agent for proposal in prompt.proposals):
        return ""
    lively = chance("offer", prompt.seed, prompt.agent, prompt.question, prompt.phase, voice.round).random()
    bold = prompt.persona.talkativeness if prompt.persona else 0.5
    if prompt.noun == "finding":
        return voice.say("finding", "moves") if prompt.stage == "opening" or lively < bold / 4 else ""
    if (prompt.options or (stance.held or "").casefold() in {"yes", "no"}) and not prompt.noun:
        if stance.held is None or stance.torn or lively > 0.25 + bold * 0.6:
            return ""
        base = deed(prompt, stance.held)
    else:
        full = prompt.stage == "discussion" and len(prompt.proposals) >= 2
        if prompt.noun != "idea" and (full or lively > 0.35 + bold * 0.5):
            return ""
        ways = shuffled(data("moves")["open"], prompt.seed, prompt.question)
        base = ways[voice.seat % len(ways)]
    if any(base.casefold() in proposal.content.casefold() for proposal in prompt.proposals):
        return ""
    return voice.say("propose", "moves").replace("%base%", base)


def _kind(opinion: float) -> str:
    return "support" if opinion >= 0.12 else "oppose" if opinion <= -0.08 else "neutral"


def _reactions(prompt: Prompt, stance: Stance, voice: Voice) -> list[str]:
    moves: list[str] = []
    amended = any(proposal.proposer == prompt.agent and proposal.amends for proposal in prompt.proposals)
    for proposal in prompt.proposals:
        opinion = _on(prompt, stance, proposal.content)
        if proposal.proposer == prompt.agent:
            if stance.before and opinion < 0 and prompt.options:
                moves.append(f"[WITHDRAW {proposal.id}] {voice.say('withdraw', 'moves')}")
            continue
        mine = next((each.reaction for each in proposal.reactions if each.agent == prompt.agent), None)
        kind = _kind(opinion)
        if len(moves) >= _REACTIONS or mine == kind or (mine is not None and not stance.mover):
            continue
        if (
            kind == "neutral"
            and not amended
            and proposal.amends is None
            and prompt.stage == "discussion"
            and prompt.noun != "finding"
            and opinion > 0
            and len(proposal.content.split()) <= _AMENDABLE
        ):
            amended = True
            wording = voice.say("amend", "moves").replace("%terms%", proposal.content.rstrip("."))
            moves.append(f"[AMEND {proposal.id}] {wording}.")
            continue
        moves.append(f"[{kind.upper()} {proposal.id}] {voice.say(kind, 'moves')}")
    if voice.round >= 1 and voice.prompt.stage == "discussion" and voice.place % 4 == 1 and voice.cited:
        name, fact = voice.cited
        moves.append(f"[NOTE {600 + 50 * (voice.place % 5)}] {name}: {fact}")
    return moves


def _bids(prompt: Prompt) -> Answer:
    if not prompt.asked:
        return _structured(_bid(prompt))
    return _structured({"bids": [{"agent": one.agent, **_bid(one)} for one in prompt.each]})


def _bid(prompt: Prompt) -> Mapping[str, Any]:
    stance = stance_of(prompt)
    voice = _voice(prompt, stance)
    last = prompt.lines[-1] if prompt.lines else None
    talk = prompt.persona.talkativeness if prompt.persona else 0.5
    named = last is not None and last.who != prompt.agent and _named(prompt.agent, last.text)
    theirs = read_position(prompt.positions.get(last.who, ""), tuple(stance.opinions)) if last else {}
    against = bool(theirs) and stance.held not in theirs
    silent = next((n for n, line in enumerate(reversed(prompt.lines)) if line.who == prompt.agent), len(prompt.lines))
    fresh = next(
        (
            p
            for p in prompt.proposals
            if p.proposer != prompt.agent and all(r.agent != prompt.agent for r in p.reactions)
        ),
        None,
    )
    mood = chance("bid", prompt.seed, prompt.agent, prompt.last, prompt.question).random()
    want = 0.35 * talk + 0.25 * mood + 0.12 * against + 0.06 * min(silent, 5) + 0.08 * (fresh is not None)
    want += 0.15 * (stance.mover is not None) + 0.35 * (named or last is None)  # somebody has to begin
    want -= 0.14 * max(0.0, prompt.last / voice.size - _PATIENCE)
    just = last is not None and last.who == prompt.agent
    wants = want > 0.38 and not just
    if just:
        reason = "just had the floor"
    elif not wants:
        reason = voice.say("bid_pass", "moves")
    elif last is not None and question_to(prompt.agent, last.text):
        voice.aim(last)
        reason = voice.say("bid_addressed", "moves")
    else:
        role = "bid_object" if against else "bid_agree" if theirs else "bid_open"
        voice.aim(last)
        reason = voice.say(role, "moves") or voice.say("bid_open", "moves")
    return {"wants": wants, "urgency": round(max(0.0, min(1.0, want)), 3) if wants else 0.0, "reason": reason}


def _ballot(prompt: Prompt) -> Answer:
    stance = stance_of(prompt, moving=False)
    voice = _voice(prompt, stance)
    if stance.held is None:
        return _structured({"choice": None, "reason": "there is nothing to choose from"})
    # A near tie is a choice; only somebody whose last word was a tie abstains.
    torn = stance.torn or len(read_position(prompt.positions.get(prompt.agent, ""), prompt.options)) > 1
    if torn and not prompt.noun:
        return _structured({"choice": None, "reason": voice.say("abstain", "moves")})
    opinions = {option: stance.opinions.get(option, 0.0) for option in prompt.options}
    ranking = sorted(opinions, key=lambda option: (option != stance.held, -opinions[option]))
    return _structured(
        {
            "choice": stance.held,
            "ranking": ranking,
            "approved": [option for option in ranking if opinions[option] > 0 or option == stance.held],
            "blocked": [option for option in ranking[1:] if opinions[option] < _BLOCKS],
            "scores": {option: round(5 + 5 * opinions[option], 1) for option in ranking},
            "confidence": round(min(1.0, 0.3 + abs(stance.strength) * 0.7), 2),
            "reason": voice.say("ballot", "moves"),
        }
    )


def _poll(prompt: Prompt) -> Answer:
    stance = stance_of(prompt, moving=bool(prompt.side))
    voice = _voice(prompt, stance)
    return _structured(
        {
            "choice": None if stance.torn else stance.held,
            "confidence": round(min(1.0, 0.3 + abs(stance.strength) * 0.7), 2),
            "change_mind": voice.say("change", "moves"),
        }
    )


def _ask(prompt: Prompt) -> Answer:
    """What the session holds of the member: where it stands, and its sentence that shares most with the question."""
    about = stems(prompt.about)
    said = [
        (len(stems(sentence) & about), line.number, sentence)
        for line in prompt.lines
        if line.who == prompt.agent
        for sentence in re.split(r"(?<=[.!?])\s+", line.text.strip())
    ]
    shared, number, sentence = max(said, default=(0, 0, ""))
    own = prompt.positions.get(prompt.agent, "").rstrip(".")
    parts = (
        "I am simulated: I cannot weigh your question, only repeat what I have said on the panel.",
        f"Where I stand: {own}." if own else "I have taken no position yet.",
        f"Nearest to your question, in m{number}: “{sentence}”" if shared else "Of what you ask I have not spoken.",
    )
    return " ".join(parts), None


def _comment(prompt: Prompt) -> Answer:
    stance = stance_of(prompt, moving=False)
    kind = _kind(_on(prompt, stance, prompt.about)) if prompt.about else "neutral"
    head = {"support": "I am for this", "oppose": "I am against this", "neutral": "I am undecided here"}[kind]
    return f"{head}: {_voice(prompt, stance).say(kind, 'moves')}.", None


def _moderate(prompt: Prompt) -> Answer:
    """Of those who hold something else than the last speaker, or of all, whoever was silent longest."""
    heard = {line.who: line.number for line in prompt.lines}
    known = labels(prompt)
    held = {who: set(read_position(text, known)) for who, text in prompt.positions.items()}
    last = prompt.lines[-1].who if prompt.lines else ""
    theirs = held.get(last, set())
    against = [who for who in prompt.members if theirs and held.get(who) and not held[who] & theirs]
    named = min(against or prompt.members, key=lambda who: heard.get(who, 0))
    return _structured({"agent": named, "why": f"holds another view than {last}" if against else "was silent longest"})


def _report(prompt: Prompt) -> Answer:
    held = "; ".join(f"{who}: {text}" for who, text in prompt.positions.items()) or "nobody has taken a position"
    return f"Without a language model this is a list of what was declared. After m{prompt.last}: {held}", None


def _baseline(prompt: Prompt) -> Answer:
    del prompt
    return "The simulated runner has no answer of its own. Ask a language model.", None


def _summarise(prompt: Prompt) -> Answer:
    said = "\n".join(f"- {line.who} (m{line.number}): {line.text.split('. ')[0]}" for line in prompt.lines)
    return said or "Without a language model there is no summary of this range.", None


_ANSWERS = {
    "speak": _speak,
    "bid": _bids,
    "ballot": _ballot,
    "poll": _poll,
    "ask": _ask,
    "comment": _comment,
    "moderate": _moderate,
    "report": _report,
    "baseline": _baseline,
    "summarise": _summarise,
}
