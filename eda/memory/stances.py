"""Who stands for what: what somebody states, and what somebody agrees with, never what nobody heard them say."""

from __future__ import annotations

import re

from eda.events import MessagePosted
from eda.memory.extract import SIGNS, Finding
from eda.memory.signs import is_chair
from eda.memory.state import State
from eda.memory.wording import clean
from eda.patterns import normalise, sentences
from eda.records import Position, Reaction, Source

__all__ = ["declare_position", "follow", "take_stance"]

FOLLOWED = 5
"""Messages within which a plain yes follows what somebody else stood for."""
TERSE = 6
"""Words of a sentence up to which what it names is what it is for."""
OPENING = 200
"""Characters in which a short opening is looked for."""
FAR = 8
"""The same, of an agreement that says what it is."""
_PLAIN_YES = frozenset(["short-yes", "you-are-right", "praise", SIGNS])
_STATES = ("position", "proposal", "decision")
_REASONS = re.compile(
    r"\b(?:if|because|cause|whether|unless|why|suppose|would (?:be|have|not)|doesn't|does not|could have)\b",
    re.IGNORECASE,
)
_ADDS = re.compile(r"\b(?:also|too|as well|add|plus|another|and (?:the|then)|along with|in addition)\b", re.IGNORECASE)
_ONLY = re.compile(r"\b(?:only|just|simply|nothing but|solely)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|no|never|n't|don't|doesn't|dont|isn't|won't|if|whether|why)\b|n't\b", re.IGNORECASE)
_ALL = re.compile(
    r"\b(?:(?:pick|choose|select|check|take|do|test|chose|picked|selected|need|want|try) "
    r"(?:them all|all|every(?:thing| one)?|everything|all of (?:them|the \w+))|"
    r"all (?:of them|four|but|except)|them all)\b",
    re.IGNORECASE,
)
_BUT = re.compile(r"\W*(?:\w+\W+){0,2}?(?:but|except|other than|apart from)\b", re.IGNORECASE)
_REJECTS = re.compile(
    r"\b(?:not needed|irrelevant|(?:does|do)(?:n't| not|nt) (?:really )?(?:matter|need|help|tell|prove)|no need|"
    r"(?:not|un)\W?necessary|useless|won't (?:prove|tell|help)|wouldn't (?:prove|tell|help)|pointless|meaningless|"
    r"no point|rule out|drop|leave out|forget)\b",
    re.IGNORECASE,
)
_DEFERS = re.compile(
    r"\b(?:defer to|go(?:ing)? with (?:the (?:group|majority|others|rest|flow)|you (?:all|guys|both)|everyone|"
    r"what everyone)|"
    r"side with the (?:majority|others)|whatever (?:you|everyone|the group)|same as (?:you|everyone|the others)|"
    r"(?:changed|revised|switched|updated) (?:my|mine|it) (?:answer|solution|choice|vote|selection|"
    r"to (?:that|match))|(?:chose|picked|selected|have|had|did|got|went with) (?:the )?same|"
    r"same (?:answer|choice|ones?|solution))\b",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    r"\b(?:choos\w+|chose\w*|pick\w*|select\w*|vot(?:e|ing)|(?:my|the|our|final) (?:answer|solution|choice|decision)|"
    r"go(?:ing)? (?:with|for)|stick\w*|submit\w*|went with|settle|"
    r"(?:it's|its|it is|i think|i say|be|then|so) (?:just|only)|just (?:the )?\w{1,3}$|only (?:the )?\w{1,3}$|"
    r"still (?:think|say)|(?:check|test|need) (?:only|just|over only))\b",
    re.IGNORECASE,
)
_MINE = re.compile(r"\b(?:i|i'm|i'd|i'll|i've|my|me|mine|we|let's|lets)\b", re.IGNORECASE)


def declare_position(state: State, message: MessagePosted, text: str) -> None:
    """A position that was declared as a move."""
    _take(state, message, clean(text), state.options.mentioned(text), "declared")


def take_stance(  # noqa: C901, PLR0911, PLR0912 - a ladder: the first rung that holds decides
    state: State, message: MessagePosted, findings: list[Finding], named: tuple[str, ...], register: str
) -> tuple[str, ...]:
    """What a message says that its speaker stands for; gives the options that it puts to the others."""
    stated = [finding for finding in findings if finding.kind in _STATES]
    text = message.talk
    if not state.options.options:
        said = [finding for finding in stated if finding.kind == "position"]
        if said:
            best = max(said, key=lambda finding: finding.confidence)
            _take(state, message, best.sentence, (), "pattern")
        return ()
    if register == "prose":
        _take_at_length(state, message, stated)
        return named
    plain = normalise(text)
    agent = state.agents[message.who]
    if not named and _DEFERS.search(plain) and not _NOT.search(plain):
        others = _put_last(state, message, FAR) or _majority(state, message.who)
        if others:
            _take(state, message, clean(text), others, "pattern")
        return ()
    reason = _REASONS.search(plain)
    if named and reason is not None and reason.start() > 0:
        plain = plain[: reason.start()]
        named, reason = state.options.mentioned(plain), None
    named = named or _all_of_them(state, plain)
    if not named:
        return ()
    if _REJECTS.search(plain):
        left = tuple(option for option in agent.holds if option not in named)
        if left and left != agent.holds:
            _take(state, message, clean(text), left, "pattern")
        return ()
    asks = plain.rstrip().endswith("?")
    kinds = {finding.kind for finding in findings}
    sure = bool(stated) or "support" in kinds
    short = state.options.only(text, named) or bool(_CHOOSES.search(plain))
    if reason and not sure:
        return ()
    if asks and not stated:
        return named
    if not sure and not short and not _MINE.search(plain):
        return ()
    if len(named) == 1 and agent.holds and named != agent.holds and not short:
        return ()
    held = named
    if _ADDS.search(plain) and agent.holds and len(named) == 1 and not _ONLY.search(plain):
        held = tuple(option for option in state.options.options if option in agent.holds or option in named)
    _take(state, message, stated[0].sentence if stated else clean(text), held, "pattern")
    return held


def _all_of_them(state: State, plain: str) -> tuple[str, ...]:
    """All options, or all but those that the text excepts."""
    match = _ALL.search(plain)
    if match is None or _NOT.search(plain):
        return ()
    excepted = state.options.mentioned(plain[match.end() :]) if _BUT.match(plain, match.end()) else ()
    return tuple(option for option in state.options.options if option not in excepted)


def _majority(state: State, who: str) -> tuple[str, ...]:
    """What most of the others hold."""
    counts: dict[tuple[str, ...], int] = {}
    for name, agent in state.agents.items():
        if name != who and agent.holds:
            counts[agent.holds] = counts.get(agent.holds, 0) + 1
    return max(counts, key=lambda held: counts[held]) if counts else ()


def _take_at_length(state: State, message: MessagePosted, stated: list[Finding]) -> None:
    """In long turns a stance is a short opening (`Reject.`, `C for now.`), or a sentence that states one."""
    plain = normalise(message.talk)
    spans = sentences(plain[:OPENING])
    if spans and not is_chair(message.who):
        first = message.talk[slice(*spans[0])]
        held = state.options.mentioned(first) if first.count(" ") < TERSE and not first.rstrip().endswith("?") else ()
        if len(held) == 1:
            _take(state, message, clean(first), held, "pattern")
            return
    for finding in sorted(stated, key=lambda finding: (finding.kind != "position", -finding.confidence)):
        # a detail that somebody proposes changes no stance they have: there the option must be named in full
        brief = bool(_MINE.search(finding.sentence)) or finding.sentence.count(" ") < TERSE
        own = finding.kind == "position" or (brief and not state.agents[message.who].holds)
        held = state.options.mentioned(finding.sentence, strictly=not own)
        if is_chair(message.who) and finding.kind != "position":
            continue
        if finding.kind == "position" or held:
            _take(state, message, finding.sentence, held, "pattern")
            if held:
                return


def follow(state: State, message: MessagePosted, reaction: Reaction, named: tuple[str, ...], register: str) -> None:
    """Who agrees with somebody's statement, and names no option, stands where the other stands."""
    if reaction.reaction != "support" or named or not state.options.options:
        return
    held: tuple[str, ...] = ()
    if register == "choice" and reaction.link not in ("reply", "quotation", "name"):
        held = _put_last(state, message, FOLLOWED if reaction.pattern in _PLAIN_YES else FAR)
    else:
        proposal = state.proposal(reaction.to)
        other = None
        if proposal is not None:
            held = state.options.mentioned(proposal.content, strictly=register == "prose")
            other = proposal.proposer
        elif reaction.answered is not None:
            for heard in reversed(state.heard):
                if heard.message == reaction.answered:
                    held, other = state.options.mentioned(heard.text, strictly=register == "prose"), heard.who
        if not held and other in state.agents and register != "prose":
            held = state.agents[other].holds
    if register == "prose" and len(held) != 1:
        return
    if held:
        _take(state, message, reaction.quote.text if reaction.quote else clean(message.talk), held, "pattern")


def _put_last(state: State, message: MessagePosted, reach: int) -> tuple[str, ...]:
    """The options that another speaker put to the others last, within `reach` messages."""
    for heard in reversed(state.scene.recent):
        if heard.who != message.who and heard.offers and message.number - heard.number <= reach:
            return heard.offers
    return ()


def _take(state: State, message: MessagePosted, text: str, held: tuple[str, ...], source: Source) -> None:
    agent = state.agents[message.who]
    agent.take(Position(message.number, message.who, text, held, state.last_speaker, source))
    if held and held != agent.holds:
        agent.holds, agent.since = held, message.number
