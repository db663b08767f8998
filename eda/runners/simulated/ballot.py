"""How a simulated member votes: by its stance on what was given, and by its taste among the other texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from eda.events.votes import NONE
from eda.runners.protocol import Prompt
from eda.runners.simulated.moves import opinion_of
from eda.runners.simulated.speech import Voice
from eda.runners.simulated.stance import Stance, deed, labels, read_position, stance_of
from eda.runners.simulated.words import drawn

_BLOCKS, _BESIDE = -0.6, 0.3
"""The opinions of a text below which it is blocked, and from which it is wanted beside the answer."""
_WEAK = 0.2
"""The strength of a member that is for nothing, and takes what it minds least."""
_REFUSES, _ABSTAINS = 0.1, 0.5
"""The share of weak members that accept nothing, and of torn ones that abstain."""


def ballot(prompt: Prompt, voice_of: Callable[[Stance], Voice], *, fixed: bool) -> Mapping[str, Any]:
    """Return the fields of a ballot, which name texts by id where the prompt gives ids, else by their words.

    `voice_of` puts a stance into words. `fixed` accepts only what was given, so that the last ballot is the first one.
    """
    proposed = {each.content for each in prompt.proposals} | {each.text for each in prompt.texts if each.id[:1] == "p"}
    given = tuple(text for text in prompt.options if text not in proposed) or prompt.options
    own = () if fixed else prompt.proposals  # whoever has proposed a text is for it
    stance = stance_of(prompt.but(options=given, proposals=own), moving=False)
    voice = voice_of(stance)
    if stance.held is None:
        return {"choice": None, "reason": "there is nothing to choose from"}
    if why := _unwilling(prompt, stance, given):
        return {"choice": NONE if why == "none" else None, "ranking": [], "reason": voice.say(why)}
    opinions = _opinions(prompt, stance, given)
    opinions |= dict.fromkeys(set(prompt.options) - set(given), -1.0) if fixed else {}
    mover = None if fixed else _moved_by(prompt, stance, given)
    return {
        **_votes(prompt, stance, given, opinions),
        "moved_by": f"m{mover}" if mover else None,
        "confidence": round(min(1.0, 0.3 + abs(stance.strength) * 0.7), 2),
        "reason": voice.say("ballot"),
    }


def _unwilling(prompt: Prompt, stance: Stance, given: tuple[str, ...]) -> str:
    """Return what is said, `abstain` or `none`, by a voter who takes no text; empty where it votes for one."""
    luck = drawn("vote", prompt.seed, prompt.agent, prompt.question)
    torn = stance.torn or len(read_position(prompt.positions.get(prompt.agent, ""), given)) > 1
    if prompt.noun:
        return ""
    if torn and luck < _ABSTAINS:
        return "abstain"
    return "none" if stance.strength <= _WEAK and luck < _REFUSES else ""


def _votes(prompt: Prompt, stance: Stance, given: tuple[str, ...], opinions: Mapping[str, float]) -> dict[str, Any]:
    """Return the fields that name texts, by what the voter thinks of each."""
    ids = {text.text: text.id for text in prompt.texts}
    ordered = sorted(opinions, key=lambda text: -opinions[text])
    accepted = [text for text in ordered if opinions[text] > 0 or text == stance.held]
    beside = [text for text in opinions if text not in given and opinions[text] >= _BESIDE and text != accepted[0]]
    named = {text: ids.get(text, text) for text in opinions}
    ranking = [named[text] for text in accepted]
    return {
        "choice": ranking[0],
        "ranking": ranking,
        "approved": ranking,
        "also": [named[text] for text in beside],
        "blocked": [named[text] for text in ordered if text not in accepted and opinions[text] < _BLOCKS],
        "scores": {named[text]: round(5 + 5 * opinions[text], 1) for text in ordered},
    }


def _opinions(prompt: Prompt, stance: Stance, given: tuple[str, ...]) -> dict[str, float]:
    """Return the opinion of each text; none but a wording of the held one is better than that."""
    opinions = {text: stance.opinions[text] for text in given}
    own = {each.content for each in prompt.proposals if each.proposer == prompt.agent}
    for text in prompt.options:
        if text not in opinions:
            most = 1.0 if deed(prompt, stance.held or "").casefold() in text.casefold() else stance.strength - 0.01
            opinions[text] = max(-1.0, min(most, opinion_of(prompt, stance, text) + 0.3 * (text in own)))
    return opinions


def _moved_by(prompt: Prompt, stance: Stance, given: tuple[str, ...]) -> int | None:
    """Return the last message of somebody who holds what the voter has come to hold; None where it began with that."""
    if stance.held == stance_of(prompt.but(options=given, positions={}), moving=False).held:
        return None
    known = labels(prompt.but(options=given))
    holding = {who for who, text in prompt.positions.items() if stance.held in read_position(text, known)}
    heard = [line.number for line in prompt.lines if line.who in holding - {prompt.agent}]
    return max(heard, default=None)
