"""Who stands for what: what somebody states, and what somebody agrees with, never what nobody heard them say."""

from __future__ import annotations

import re

from eda.events import MessagePosted
from eda.memory.extract import Finding
from eda.memory.state import State
from eda.memory.wording import clean
from eda.patterns import normalise
from eda.records import Position, Reaction, Source

__all__ = ["declare_position", "follow", "take_stance"]

_STATES = ("position", "proposal", "decision")
_REASONS = re.compile(r"\b(?:if|because|cause|whether|unless|why|suppose|would (?:be|have|not)|doesn't|does not|could have)\b", re.IGNORECASE)
_ADDS = re.compile(r"\b(?:also|too|as well|add|plus|another|and (?:the|then)|along with|in addition)\b", re.IGNORECASE)
_MINE = re.compile(r"\b(?:i|i'm|i'd|i'll|i've|my|me|mine|we|let's|lets)\b", re.IGNORECASE)


def declare_position(state: State, message: MessagePosted, text: str) -> None:
    """A position that was declared as a move."""
    _take(state, message, clean(text), state.options.mentioned(text), "declared")


def take_stance(
    state: State, message: MessagePosted, findings: list[Finding], named: tuple[str, ...], register: str
) -> None:
    """What a message says that its speaker stands for."""
    stated = [finding for finding in findings if finding.kind in _STATES]
    text = message.talk
    if not state.options.options:
        said = [finding for finding in stated if finding.kind == "position"]
        if said:
            best = max(said, key=lambda finding: finding.confidence)
            _take(state, message, best.sentence, (), "pattern")
        return
    if register == "prose":
        _take_at_length(state, message, stated)
        return
    if not named:
        return
    plain = normalise(text)
    asks = plain.rstrip().endswith("?")
    reasons = bool(_REASONS.search(plain))
    sure = bool(stated) or any(finding.kind == "support" for finding in findings)
    if asks and not stated or reasons and not sure:
        return
    if not sure and not state.options.only(text, named) and not _MINE.search(plain):
        return
    agent = state.agents[message.who]
    held = named
    if _ADDS.search(plain) and agent.holds and len(named) == 1:
        held = tuple(option for option in state.options.options if option in agent.holds or option in named)
    _take(state, message, stated[0].sentence if stated else clean(text), held, "pattern")


def _take_at_length(state: State, message: MessagePosted, stated: list[Finding]) -> None:
    for finding in sorted(stated, key=lambda finding: (finding.kind != "position", -finding.confidence)):
        held = state.options.mentioned(finding.sentence)
        if finding.kind == "position" or held:
            _take(state, message, finding.sentence, held, "pattern")
            if held:
                return


def follow(state: State, message: MessagePosted, reaction: Reaction, named: tuple[str, ...]) -> None:
    """Who agrees with somebody's statement, and names no option, stands where the other stands."""
    if reaction.reaction != "support" or named or not state.options.options:
        return
    other = None
    proposal = state.proposal(reaction.to)
    held: tuple[str, ...] = ()
    if proposal is not None:
        held = state.options.mentioned(proposal.content)
        other = proposal.proposer
    elif reaction.answered is not None:
        for heard in reversed(state.heard):
            if heard.message == reaction.answered:
                held, other = state.options.mentioned(heard.text), heard.who
    if not held and other in state.agents:
        held = state.agents[other].holds
    if held:
        _take(state, message, reaction.quote.text if reaction.quote else clean(message.talk), held, "pattern")


def _take(state: State, message: MessagePosted, text: str, held: tuple[str, ...], source: Source) -> None:
    agent = state.agents[message.who]
    agent.take(Position(message.number, message.who, text, held, state.last_speaker, source))
    if held and held != agent.holds:
        agent.holds, agent.since = held, message.number
