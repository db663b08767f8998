"""How a simulated member talks and moves: short sentences of `english.toml`, filled from its file and the options.

A turn answers a colleague, brings one consideration, draws a conclusion, and asks; its moves follow.
"""

from __future__ import annotations

import re

from eda.events.records import Proposal
from eda.runners.protocol import Prompt
from eda.runners.simulated.stance import Stance, deed, drawn, english, label_of, read_position

PATIENCE = 3
"""Rounds of talk after which members ask nobody anything, and bid less and less."""
_SLOT = re.compile(r"\{(\w+)\}")
_REACTIONS, _AMENDABLE = 2, 20
"""The most reactions of a turn, and words of a proposal that is amended: an amendment repeats its whole wording."""
_HALF_HEARTED = 0.3
"""The opinion below which a support has a condition."""


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
        others = [line for line in prompt.lines if line.who != prompt.agent]
        movers = [line for line in others[-6:] if line.who == stance.mover]
        # Everybody thanks somebody else, so that the closings are no chorus.
        back = 1 + (2 + 3 * self.seat) % len(others) if others and prompt.stage == "closing" else 1
        self.line = (movers or others)[-1 if movers else -back] if others else None
        heard = {line.who: line.number for line in prompt.lines}
        peers = [who for who in prompt.members if who not in {prompt.agent, self.line and self.line.who}]
        # Whoever was silent longest. A debate that keeps asking never falls silent.
        asks = bool(peers) and self.round <= PATIENCE + 1
        self.peer = min(peers, key=lambda who: heard.get(who, 0)) if asks else None
        theirs = read_position(prompt.positions.get(self.line.who, ""), tuple(stance.opinions)) if self.line else {}
        self.against = bool(theirs) and stance.held not in theirs
        """Whether whoever is answered holds something else."""
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

    def talk(self) -> str:
        """Return the words of a turn."""
        stage, mover = self.prompt.stage, self.stance.mover
        stand = "torn" if self.stance.torn and not mover else "lean" if stage == "opening" else "stay"
        roles = ["weigh", stand, "test"]
        if stage == "closing":
            roles = ["close", "why", "credit" if self.line else "test"]
        elif stage == "discussion":
            reply = "moved" if mover else "object" if self.against else "agree"
            roles = [reply, "weigh", stand, "ask" if self.peer and self.place % 3 else "test"]
        words = " ".join(filter(None, map(self.say, roles)))
        openers = getattr(self.prompt.persona, "openers", ())
        begins = openers and not self.turn and words.startswith("I ")
        return f"{openers[self._luck % len(openers)]} {words}" if begins else words

    def moves(self, offer: str) -> list[str]:
        """Return the move lines of a turn; `offer` is the proposal that it makes, empty for none."""
        prompt, stance = self.prompt, self.stance
        if stance.held is None and offer:  # an own proposal is the first thing that can be held
            stance = Stance({label_of(offer): 0.6}, label_of(offer), None, torn=False)
        moves = [f"[PROPOSE] {offer}"] if offer else []
        moves += self._reactions() if prompt.stage != "opening" else []
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

    def _reactions(self) -> list[str]:
        """Return at most two moves on the proposals on the table."""
        prompt, moves = self.prompt, list[str]()
        amended = any(proposal.proposer == prompt.agent and proposal.amends for proposal in prompt.proposals)
        for proposal in prompt.proposals:
            move = self._move_on(proposal, amends=not amended) if len(moves) < _REACTIONS else ""
            moves += [move] if move else []
            amended |= move.startswith("[AMEND")
        return moves

    def _move_on(self, proposal: Proposal, *, amends: bool) -> str:
        """Return the move on one proposal; empty for none. `amends`: whether the speaker has amended none yet."""
        prompt, opinion = self.prompt, opinion_of(self.prompt, self.stance, proposal.content)
        kind = "support" if opinion >= 0.12 else "oppose" if opinion <= -0.08 else "neutral"
        own = proposal.proposer == prompt.agent
        if own and self.stance.before and opinion < 0 and prompt.options:
            return f"[WITHDRAW {proposal.id}] {self.say('withdraw')}"
        before = next((each.reaction for each in proposal.reactions if each.agent == prompt.agent), None)
        if not own and before is not None and (before == kind or not self.stance.mover):
            return ""
        # Its own is reworded that met opposition, another's that it half likes: once, and if it is short.
        improves = bool(proposal.backers("oppose")) if own else kind == "neutral" and opinion > 0
        short = proposal.amends is None and len(proposal.content.split()) <= _AMENDABLE
        if amends and improves and short and prompt.stage == "discussion" and prompt.noun != "finding":
            return f"[AMEND {proposal.id}] {self.say('amend', proposal.content.rstrip('.'))}"
        why = "condition" if kind == "support" and opinion < _HALF_HEARTED else kind
        tag = "UNDECIDED" if kind == "neutral" else kind.upper()
        return "" if own else f"[{tag} {proposal.id}] {self.say(why)}"


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
