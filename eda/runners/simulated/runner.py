"""The simulated runner. The one rule: a reply is a pure function of its prompt, the same on every machine.

It is no language model and says so. It serves tests and dry runs, and is a null model: personas speak from their own
files about the question in short plain sentences of `english.toml`, and change their minds by a published rule. A turn
answers a colleague, brings one consideration and draws a conclusion; its moves follow.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import exp
from typing import Any

import orjson

from eda.events import NONE, Proposal
from eda.runners.answers import BeliefsAnswer
from eda.runners.protocol import OnText, Prompt, Reply, Usage, bids_of
from eda.runners.simulated.stance import Stance, deed, drawn, english, label_of, labels, read_position, sided, stance_of
from eda.text import regex
from eda.words import ENGLISH

PATIENCE = 3
"""Rounds of talk after which members bid less and less."""
_SLOT = regex(r"\{(\w+)\}")
# The most reactions of a turn, and words of a proposal that is amended: an amendment repeats its whole wording.
_REACTIONS, _AMENDABLE = 2, 20
_HALF_HEARTED = 0.3  # The opinion below which a support has a condition.


class Voice:
    """Makes the sentences of one turn."""

    def __init__(self, prompt: Prompt, stance: Stance) -> None:
        self.prompt, self.stance = prompt, stance
        self.seat = prompt.members.index(prompt.agent) if prompt.agent in prompt.members else 0
        self.round = prompt.last // max(1, len(prompt.members))
        # Members who are asked at the same time say different things.
        self.place = prompt.last + self.seat * (prompt.stage in ("opening", "closing") or prompt.purpose == "bid")
        others = [line for line in prompt.lines if line.who != prompt.agent]
        self.line = next(reversed([line for line in others[-6:] if line.who == stance.mover] or others), None)
        theirs = read_position(prompt.positions.get(self.line.who, ""), tuple(stance.opinions)) if self.line else {}
        self.against = bool(theirs) and stance.held not in theirs
        """Whether whoever is answered holds something else."""
        self._said = int(drawn("words", prompt.seed, prompt.agent, prompt.question) * 60) + self.round

    def say(self, role: str, base: str = "") -> str:
        """Return a sentence of a role, filled; empty where none can be filled. `base`: what is proposed."""
        stance, line, sentences = self.stance, self.line, english()
        opt, alt = _named(stance.held), _named(stance.second)
        stand = opt and f"{stance.grade} {opt}" + (f" and {alt}" if stance.torn else "")
        slots = {"opt": opt, "alt": alt, "stand": stand, "base": base}
        slots |= {"who": line.who, "m": f"m{line.number}"} if line else {"who": "", "m": ""}
        for slot, field in (("value", "values"), ("fear", "fears"), ("proof", "moved_by")):
            own: tuple[str, ...] = getattr(self.prompt.persona, field, ()) or sentences[field]
            slots[slot] = own[self._said % len(own)]
        self._said += 1
        fit = [sentence for sentence in sentences[role] if all(slots[name] for name in _SLOT.findall(sentence))]
        text = fit[(self._said + self.place) % len(fit)].format_map(slots) if fit else ""
        return text[0].upper() + text[1:] if text and text[-1] in ".?" and text[0] != "m" else text

    def talk(self) -> str:
        """Return the words of a turn."""
        discusses, mover = self.prompt.stage == "discussion", self.stance.mover
        reply = "moved" if mover else "object" if self.against else "agree"
        stand = "torn" if self.stance.torn and not mover else "stay" if discusses else "lean"
        words = " ".join(filter(None, map(self.say, ([reply] if discusses else []) + ["weigh", stand, "test"])))
        openers = getattr(self.prompt.persona, "openers", ())
        return f"{openers[self.seat % len(openers)]} {words}" if openers and words.startswith("I ") else words

    def moves(self, offer: str) -> list[str]:
        """Return the move lines of a turn; `offer` is the proposal that it makes, empty for none."""
        prompt, stance = self.prompt, self.stance
        if stance.held is None and offer:  # an own proposal is the first thing that can be held
            stance = Stance({label_of(offer): 0.6}, label_of(offer), None, torn=False)
        moves = [f"[PROPOSE] {offer}"] if offer else []
        reactions = filter(None, map(self._move_on, prompt.proposals if prompt.stage != "opening" else ()))
        moves += [*reactions][:_REACTIONS]
        news = prompt.stage != "discussion" or stance.mover or prompt.agent not in prompt.positions
        if stance.held and not prompt.side and news:
            sides = [stance.held, *([stance.second or ""] if stance.torn else [])]
            names = " and ".join(side if side.casefold() in {"yes", "no"} else f"“{side}”" for side in sides)
            moves.append(f"[POSITION] {stance.grade.capitalize()} {names}, {self.say('position')}.")
        return moves

    def offer(self) -> str:
        """Return a proposal that says what no proposal on the table says; empty where the speaker makes none."""
        prompt, held = self.prompt, self.stance.held or ""
        if any(proposal.proposer == prompt.agent for proposal in prompt.proposals):
            return ""
        lively = drawn("offer", prompt.seed, prompt.agent, prompt.question, prompt.phase, self.round)
        if prompt.noun == "finding":
            return self.say("finding") if prompt.stage == "opening" or lively < talkativeness(prompt) / 4 else ""
        wants = prompt.noun in ("idea", "text") or (
            not self.stance.torn and lively <= 0.25 + talkativeness(prompt) * 0.6
        )
        named = not prompt.noun and (prompt.options or held.casefold() in {"yes", "no"})
        ways = english()["ways"]
        base = deed(prompt, held) if named else ways[(prompt.seed + self.seat) % len(ways)]
        new = all(base.casefold() not in proposal.content.casefold() for proposal in prompt.proposals)
        return self.say("propose", base) if wants and new else ""

    def _move_on(self, proposal: Proposal) -> str:
        """Return the move on one proposal; empty for none."""
        prompt, opinion = self.prompt, opinion_of(self.prompt, self.stance, proposal.content)
        kind = "support" if opinion >= 0.12 else "oppose" if opinion <= -0.08 else "neutral"
        own = proposal.proposer == prompt.agent
        before = next((each.reaction for each in proposal.reactions if each.agent == prompt.agent), None)
        if not own and before is not None and (before == kind or not self.stance.mover):
            return ""
        likes = bool(proposal.backers("oppose")) if own else kind == "neutral" and opinion > 0
        if likes and self._amends(proposal):
            return f"[AMEND {proposal.id}] {self.say('amend', proposal.content.rstrip('.'))}"
        why = "condition" if kind == "support" and opinion < _HALF_HEARTED else kind
        tag = "UNDECIDED" if kind == "neutral" else kind.upper()
        return "" if own else f"[{tag} {proposal.id}] {self.say(why)}"

    def _amends(self, proposal: Proposal) -> bool:
        """Return whether a text is reworded: its own that met opposition, another's that it half likes; once."""
        prompt = self.prompt
        amended = any(each.proposer == prompt.agent and each.amends for each in prompt.proposals)
        short = proposal.amends is None and len(proposal.content.split()) <= _AMENDABLE
        return short and not amended and prompt.stage == "discussion" and prompt.noun != "finding"


def opinion_of(prompt: Prompt, stance: Stance, content: str) -> float:
    """Return the speaker's opinion of a proposal: that of the option it names, and a taste for its wording."""
    low = content.casefold()
    named = [stance.opinions[label] for label in stance.opinions if deed(prompt, label).casefold() in low]
    taste = drawn("taste", prompt.seed, prompt.agent, prompt.question, content) * 0.6 - 0.25
    return (named[0] if named else 0.1) + taste


def talkativeness(prompt: Prompt) -> float:
    """Return how much a member talks, from 0 to 1."""
    return prompt.persona.talkativeness if prompt.persona else 0.5


def _named(label: str | None) -> str:
    """Return an option as it stands in a sentence; empty for None."""
    if label is None:
        return ""
    return f"a {label.casefold()}" if label.casefold() in {"yes", "no"} else f"“{label.strip().rstrip('.')}”"


_BIDS_ABOVE = 0.38  # The urge above which a member wants the floor.
_SURE = 2.0  # The log odds of an option for which a member is wholly, against one that it is indifferent to.
# The opinion of a text below which it is blocked.
_BLOCKS = -0.6
_WEAK = 0.2  # The strength of a member that is for nothing, and takes what it minds least.
_REFUSES, _ABSTAINS = 0.1, 0.5  # The share of weak members that accept nothing, and of torn ones that abstain.


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
            prompt = replace(prompt, positions=others)
        answer = _ballot(prompt, self.fixed) if prompt.purpose == "ballot" else _ANSWERS[prompt.purpose](prompt)
        data = None if isinstance(answer, str) else answer
        text = answer if isinstance(answer, str) else orjson.dumps(answer).decode()
        if on_text is not None:
            for piece in re.findall(r"\s*\S+", text):
                on_text(piece)
        return Reply(text, data, Usage(len(prompt.text) // 4, len(text) // 4), "simulated")


def _speak(prompt: Prompt) -> str:
    voice = Voice(prompt, sided(prompt) if prompt.side else stance_of(prompt))
    talk = voice.talk()
    moves = voice.moves("" if prompt.stage == "closing" or prompt.side else voice.offer())
    return "\n\n".join(filter(None, (talk, "\n".join(moves))))


def _bid(prompt: Prompt) -> Mapping[str, Any]:
    last = prompt.lines[-1] if prompt.lines else None
    if last is not None and last.who == prompt.agent:
        return {"wants": False, "urgency": 0.0, "reason": "just had the floor"}
    voice = Voice(prompt, stance_of(prompt))
    # How much it wants the floor: by temper, chance, silence, and what it has to answer.
    spoken = [line.who for line in reversed(prompt.lines)]
    silent = spoken.index(prompt.agent) if prompt.agent in spoken else len(spoken)
    # Without a message somebody has to begin.
    named = not prompt.lines or re.search(rf"(?<!\w){re.escape(prompt.agent)}(?!\w)", prompt.lines[-1].text) is not None
    fresh = any(
        proposal.proposer != prompt.agent and all(reaction.agent != prompt.agent for reaction in proposal.reactions)
        for proposal in prompt.proposals
    )
    chance = drawn("bid", prompt.seed, prompt.agent, prompt.last, prompt.question)
    urge = 0.35 * talkativeness(prompt) + 0.25 * chance + 0.12 * voice.against + 0.06 * min(silent, 5) + 0.08 * fresh
    urge += 0.15 * (voice.stance.mover is not None) + 0.35 * named
    urge -= 0.14 * max(0.0, prompt.last / max(1, len(prompt.members)) - PATIENCE)
    if urge <= _BIDS_ABOVE:
        return {"wants": False, "urgency": 0.0, "reason": voice.say("bid_pass")}
    reason = voice.say("bid_object" if voice.against else "bid_open")
    return {"wants": True, "urgency": round(max(0.0, min(1.0, urge)), 3), "reason": reason}


def _ballot(prompt: Prompt, fixed: bool) -> Mapping[str, Any]:
    """Return the fields of a ballot, which name texts by id where the prompt gives ids, else by their words.

    `fixed` accepts only what was given, so that the last ballot is the first one.
    """
    given = _given(prompt)
    own = () if fixed else prompt.proposals  # whoever has proposed a text is for it
    stance = stance_of(replace(prompt, options=given, proposals=own), moving=False)
    voice = Voice(prompt, stance)
    if stance.held is None:
        return {"choice": None, "reason": "there is nothing to choose from"}
    if why := _unwilling(prompt, stance, given):
        return {"choice": NONE if why == "none" else None, "ranking": [], "reason": voice.say(why)}
    ids = {text.text: text.id for text in prompt.texts}
    opinions = {ids.get(text, text): opinion for text, opinion in _opinions(prompt, stance, given, fixed).items()}
    held = ids.get(stance.held, stance.held)
    ordered = sorted(opinions, key=lambda text: -opinions[text])
    accepted = [text for text in ordered if opinions[text] > 0 or text == held]
    return {
        "choice": accepted[0],
        "ranking": accepted,
        "approved": accepted,
        "blocked": [text for text in ordered if text not in accepted and opinions[text] < _BLOCKS],
        "scores": {text: round(5 + 5 * opinions[text], 1) for text in ordered},
        "moved_by": None if fixed else _moved_by(prompt, stance, given),
        "confidence": _confidence(stance),
        "reason": voice.say("ballot"),
    }


def _given(prompt: Prompt) -> tuple[str, ...]:
    """Return the options that no member proposed; all where there is none."""
    proposed = {each.content for each in prompt.proposals} | {each.text for each in prompt.texts if each.id[:1] == "p"}
    return tuple(text for text in prompt.options if text not in proposed) or prompt.options


def _unwilling(prompt: Prompt, stance: Stance, given: tuple[str, ...]) -> str:
    """Return what is said, `abstain` or `none`, by a voter who takes no text; empty where it votes for one."""
    luck = drawn("vote", prompt.seed, prompt.agent, prompt.question)
    torn = stance.torn or len(read_position(prompt.positions.get(prompt.agent, ""), given)) > 1
    if prompt.noun:
        return ""
    if torn and luck < _ABSTAINS:
        return "abstain"
    return "none" if stance.strength <= _WEAK and luck < _REFUSES else ""


def _opinions(prompt: Prompt, stance: Stance, given: tuple[str, ...], fixed: bool) -> dict[str, float]:
    """Return the opinion of each text; none but a wording of the held one is better than that."""
    opinions = {text: stance.opinions[text] for text in given}
    own = {each.content for each in prompt.proposals if each.proposer == prompt.agent}
    for text in prompt.options:
        if text not in opinions:
            most = 1.0 if deed(prompt, stance.held or "").casefold() in text.casefold() else stance.strength - 0.01
            opinion = opinion_of(prompt, stance, text) + 0.3 * (text in own)
            opinions[text] = -1.0 if fixed else max(-1.0, min(most, opinion))
    return opinions


def _moved_by(prompt: Prompt, stance: Stance, given: tuple[str, ...]) -> str | None:
    """Return the last message of somebody who holds what the voter has come to hold; None where it began with that."""
    if stance.held == stance_of(replace(prompt, options=given, positions={}), moving=False).held:
        return None
    known = labels(replace(prompt, options=given))
    holding = {who for who, text in prompt.positions.items() if stance.held in read_position(text, known)}
    heard = [line.number for line in prompt.lines if line.who in holding - {prompt.agent}]
    return f"m{max(heard)}" if heard else None


def _confidence(stance: Stance) -> float:
    return round(min(1.0, 0.3 + abs(stance.strength) * 0.7), 2)


def _poll(prompt: Prompt) -> Mapping[str, Any]:
    stance = stance_of(prompt, moving=bool(prompt.side))
    if prompt.answer is BeliefsAnswer:
        odds = {option: exp(_SURE * opinion) for option, opinion in stance.opinions.items() if option in prompt.options}
        ids = {text.text: text.id for text in prompt.texts}
        return {"beliefs": {ids[option]: round(odd / sum(odds.values()), 6) for option, odd in odds.items()}}
    change = Voice(prompt, stance).say("change")
    return {"choice": None if stance.torn else stance.held, "confidence": _confidence(stance), "change_mind": change}


_ANSWERS: Mapping[str, Callable[[Prompt], str | Mapping[str, Any]]] = {
    "speak": _speak,
    "bid": lambda prompt: bids_of(prompt, _bid),
    "poll": _poll,
    "ask": lambda prompt: ENGLISH.say("simulated-asked", position=prompt.positions.get(prompt.agent, "").rstrip(".")),
    "moderate": lambda prompt: {
        "agent": min(
            prompt.members, key=lambda who: max((one.number for one in prompt.lines if one.who == who), default=0)
        ),
        "why": "was silent longest",
    },
    "terms": lambda _: {"takes": "not at all", "change": ""},
    "report": lambda _: {"reasons": [], "dissent": [], "risks": [], "open": []},
    "baseline": lambda _: "The simulated runner has no answer of its own. Ask a language model.",
    "declare": lambda _: {"acts": []},
    "summarise": lambda prompt: (
        "\n".join(f"- {line.who} (m{line.number}): {line.text.split('. ')[0]}" for line in prompt.lines)
        or "Without a language model there is no summary of this range."
    ),
}
