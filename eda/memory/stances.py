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
_VAGUE = frozenset(["words", "recency"])
"""Links from which assent at length moves nobody who stands for something already."""
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
    r"(?:go(?:ing)? (?:with|for)|pick|choose|select|turn|flip|check|do|test|with) (?:all|every)(?: of)?(?: the)? "
    r"(?:cards?|options?|[2-9])|"
    r"all (?:of them|two|three|four|five|[2-9])|them all|all(?: of)?(?: the)?(?: \w+)?(?= (?:but|except)\b))\b",
    re.IGNORECASE,
)
_BUT = re.compile(r"\W*(?:\w+\W+){0,4}?(?:but|except|other than|apart from)\b", re.IGNORECASE)
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
    r"(?:it's|its|it is|i think|i say|be|then|so) (?:just|only)|(?:just|only) (?:the )?\w{1,3}(?=\W*$)|^(?:just|only)|"
    r"(?:just|only) (?:need|have to|flip|turn|check|test|pick)\w*|the only (?:card|one|option)|i (?:would |'d )?say we|"
    r"still (?:think|say)|switch\w*|\w+ it is(?=\W*$)|"
    r"(?:think|say|believe|guess)(?: that)? (?:it's|its|it is)(?: the)? \w{1,3}(?=\W*$)|"
    r"(?:check|test|need) (?:only|just|over only))\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"(?<=[.!?;])\s+|\n|, (?=(?:i|we|my|so|and i|then)\b)|"
    r",? (?<!all )(?<!everything )(?<!anything )(?<!nothing )(?<!cards )(?<!ones )"
    r"\b(?:but|however|although|though)\b ?",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:originally|initially|at first|before|earlier|previously|first (?:thought|said|picked|chose|thinking))\b",
    re.IGNORECASE,
)
_ASKS = re.compile(r"(?:so |and |but |ok(?:ay)?,? )*(?:what about|what if|how about|why)\b", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:said|says|wrote|writes|argued|claimed|asked|told \w+)\b\W{0,3}\"[^\"]*\"|"
    r"\b(?!(?:I|We|Who|You|It|That|This)\b)[A-Z]\w+ (?:wants|wanted|prefers|preferred|likes|chose|chooses|picked|picks|"
    r"is for|favou?rs|suggested|suggests|proposes|proposed|votes for|voted for)\b[^,.;!?\n]*?"
    r"(?=[,.;!?\n]| but\b| while\b| and I\b|$)"
)
"""What others want, or are quoted with."""
_YIELDS = re.compile(
    r"(?<!not )(?<!n't )(?:\b(?:convinced|persuaded|sold) me\b|\bwon me over\b|\bchanged my mind\b)", re.IGNORECASE
)
_BARE_OK = re.compile(r"\W*(?:ok|okay|k|kk|alright|fine|right|sure|i see)\W*$", re.IGNORECASE)
_OFFERS = re.compile(r"\b(?:let's|lets|shall|how about|propos\w+|suggest\w*|should|could we|join)\b", re.IGNORECASE)
_WHOLE_IF = re.compile(r"\W*(?:if|suppose|imagine)\b[^,;]*$", re.IGNORECASE)
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
    if register == "prose" and not state.options.single:
        _take_at_length(state, message, stated)
        return named
    plain = _in_force(state, _own(normalise(text)))
    if not state.options.single and _WHOLE_IF.match(plain):
        return ()
    named = state.options.mentioned(plain) if named else named
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
    asks = plain.rstrip().endswith("?") or bool(_ASKS.match(plain))
    kinds = {finding.kind for finding in findings}
    sure = bool(stated) or "support" in kinds
    short = state.options.only(text, named) or bool(_CHOOSES.search(plain))
    if reason and not sure:
        return ()
    if len(named) == 1 and len(agent.holds) > 1 and (_ASKS.match(plain) or (asks and reason)):
        return ()
    if asks and not stated:
        # asked about one of those that one holds is no proposal to hold that one alone
        return () if len(named) == 1 and not short and len(agent.holds) > 1 else named
    if not sure and not short and not _MINE.search(plain):
        return ()
    if len(named) == 1 and agent.holds and named != agent.holds:
        part = set(named) < set(agent.holds) and not _CHOOSES.search(plain) and not _ONLY.search(plain)
        if part or not short:
            return ()
    held = named
    if _ADDS.search(plain) and agent.holds and len(named) == 1 and not _ONLY.search(plain):
        held = tuple(option for option in state.options.options if option in agent.holds or option in named)
    _take(state, message, stated[0].sentence if stated else clean(text), held, "pattern")
    return held


def _own(text: str) -> str:
    """A text without what it says of others, or quotes of them."""
    return _OTHERS.sub("", text)


def _in_force(state: State, plain: str) -> str:
    """A text without the clauses that turn options down, or tell of the past, where others name some too."""
    clauses = [clause for clause in _CLAUSE.split(plain) if clause]
    if len(clauses) < 2 or _ALL.search(plain):
        return plain
    naming = [clause for clause in clauses if state.options.mentioned(clause)]
    kept = [clause for clause in naming if not (_REJECTS.search(clause) or _PAST.search(clause))]
    return ". ".join(kept or naming) or plain


def _all_of_them(state: State, plain: str) -> tuple[str, ...]:
    """All options, or all but those that the text excepts."""
    match = _ALL.search(plain)
    if match is None or _NOT.search(plain):
        return ()
    but = _BUT.match(plain, match.end())
    excepted = state.options.mentioned(plain[but.end() :]) if but else ()
    return tuple(option for option in state.options.options if option not in excepted)


def _majority(state: State, who: str) -> tuple[str, ...]:
    """What most of the others hold."""
    counts: dict[tuple[str, ...], int] = {}
    for name, agent in state.agents.items():
        if name != who and agent.holds:
            counts[agent.holds] = counts.get(agent.holds, 0) + 1
    return max(counts, key=lambda held: counts[held]) if counts else ()


def _take_at_length(  # noqa: C901 - a ladder: the first rung that holds decides
    state: State, message: MessagePosted, stated: list[Finding]
) -> None:
    """In long turns a stance is a short opening (`Reject.`, `C for now.`), or a sentence that states one."""
    plain = normalise(message.talk)
    if not is_chair(message.who):
        for start, end in sentences(plain[:OPENING]):
            first = message.talk[start:end]
            clause = first if first.count(" ") < TERSE else first.partition(",")[0]
            if clause.count(" ") >= TERSE or first.rstrip().endswith("?"):
                break
            held = () if _WHOLE_IF.match(clause) else state.options.mentioned(_own(normalise(clause)))
            if len(held) == 1:
                _take(state, message, clean(first), held, "pattern")
                return
        if _YIELDS.search(plain[:OPENING]):
            held = state.options.mentioned(_own(plain[:OPENING]), strictly=True)
            if len(held) == 1:
                _take(state, message, clean(message.talk), held, "pattern")
                return
    for finding in sorted(stated, key=lambda finding: (finding.kind != "position", -finding.confidence)):
        # a detail that somebody proposes changes no stance they have: there the option must be named in full
        brief = bool(_MINE.search(finding.sentence)) or finding.sentence.count(" ") < TERSE
        own = finding.kind == "position" or (brief and not state.agents[message.who].holds)
        held = state.options.mentioned(_own(normalise(finding.sentence)), strictly=not own)
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
    holds = state.agents[message.who].holds
    if holds and not state.options.single and _BARE_OK.match(message.talk) and not _was_asked(state, message.who):
        return
    if register == "choice" or state.options.single:
        # a question assents to nothing, and what is said of all of them is no plain yes
        if message.talk.rstrip().endswith("?") or _ALL.search(message.talk):
            return
        if reaction.link in ("reply", "quotation"):
            held = _where_the_other_stands(state, reaction, strictly=False)
        else:
            held = _put_last(state, message, FOLLOWED if reaction.pattern in _PLAIN_YES else FAR)
        if len(held) == 1 and set(held) < set(holds):
            return  # assent to what was said of one of them gives up none of the others
        _tell_asker(state, message, held)
    else:
        held = _where_the_other_stands(state, reaction, strictly=register == "prose")
        if register == "prose" and (len(held) != 1 or (holds and reaction.link in _VAGUE)):
            return
    if held:
        _take(state, message, reaction.quote.text if reaction.quote else clean(message.talk), held, "pattern")


def _was_asked(state: State, who: str) -> bool:
    """Whether the last that another said asks or proposes something."""
    last = next((heard for heard in reversed(state.heard) if heard.who != who), None)
    return last is not None and (last.text.rstrip().endswith("?") or bool(_OFFERS.search(last.text)))


def _where_the_other_stands(state: State, reaction: Reaction, *, strictly: bool) -> tuple[str, ...]:
    """The options that the proposal, or the message, that was answered names; else those that its speaker holds."""
    held: tuple[str, ...] = ()
    proposal = state.proposal(reaction.to)
    other = None
    if proposal is not None:
        held = state.options.mentioned(proposal.content, strictly=strictly)
        other = proposal.proposer
    elif reaction.answered is not None:
        for heard in reversed(state.heard):
            if heard.message == reaction.answered:
                held, other = state.options.mentioned(heard.text, strictly=strictly), heard.who
    return state.agents[other].holds if not held and other in state.agents and not strictly else held


def _tell_asker(state: State, message: MessagePosted, held: tuple[str, ...]) -> None:
    """Who asked whether to hold certain options, and was told yes, holds them too."""
    for heard in reversed(state.scene.recent):
        if heard.who != message.who and heard.asks and heard.offers == held:
            asker = state.agents[heard.who]
            if asker.holds != held and len(held) > 1 and (asker.since or 0) <= heard.number:
                asker.holds, asker.since = held, message.number
            return


def _put_last(state: State, message: MessagePosted, reach: int) -> tuple[str, ...]:
    """The options that another speaker put to the others, or took up, last, within `reach` messages."""
    for heard in reversed(state.scene.recent):
        if heard.who == message.who or message.number - heard.number > reach:
            continue
        taken = state.agents[heard.who].positions[-1:]
        if heard.offers:
            return heard.offers
        if taken and taken[0].message == heard.number and taken[0].options:
            return taken[0].options
    return ()


def _take(state: State, message: MessagePosted, text: str, held: tuple[str, ...], source: Source) -> None:
    if state.sided:
        return
    agent = state.agents[message.who]
    agent.take(Position(message.number, message.who, text, held, state.last_speaker, source))
    if held and held != agent.holds:
        agent.holds, agent.since = held, message.number
