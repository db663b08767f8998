"""Records positions: what each agent stands for, by its own statements and by its agreements."""

from __future__ import annotations

from eda.events import MessagePosted
from eda.events.records import Position, Reaction, Source
from eda.memory.minutes.state import State
from eda.memory.patterns.extract import CUES_ALONE, Finding
from eda.text import clean, normalise, sentences

__all__ = ["declare_position", "follow", "take_stance"]

FOLLOWED = 5
"""Messages within which a plain yes takes over another speaker's position."""
TERSE = 6
"""Words of a sentence up to which an option that it names is the speaker's choice."""
OPENING = 200
"""Characters of a message that are searched for a short opening."""
FAR = 8
"""Messages within which an agreement in more words does so."""
_VAGUE = frozenset(["words", "recency"])
"""Kinds of links too weak for a long assent to change a position."""
_PLAIN_YES = frozenset(["short-yes", "you-are-right", "praise", CUES_ALONE])
_STATES = ("position", "proposal", "decision")


def declare_position(state: State, message: MessagePosted, text: str) -> None:
    """Record a position that was declared as a move."""
    _take(state, message, clean(text), state.options.mentioned(text), "declared")


def take_stance(  # noqa: C901, PLR0911, PLR0912 - a ladder: the first rung that holds decides
    state: State, message: MessagePosted, findings: list[Finding], named: tuple[str, ...], register: str
) -> tuple[str, ...]:
    """Record the position that a message states; return the options that it puts to the others."""
    stated = [finding for finding in findings if finding.kind in _STATES]
    text = message.talk
    if not state.options.options:
        voiced = [finding for finding in stated if finding.kind == "position"]
        if voiced:
            best = max(voiced, key=lambda finding: finding.confidence)
            _take(state, message, best.sentence, (), "pattern")
        return ()
    if register == "prose" and not state.options.single:
        _take_at_length(state, message, stated)
        return named
    plain = _in_force(state, _own(state, normalise(text)))
    if not state.options.single and state.language.hypothesis.match(plain):
        return ()
    named = state.options.mentioned(plain) if named else named
    agent = state.agents[message.who]
    if not named and state.language.defers.search(plain) and not state.language.negations.search(plain):
        others = _put_last(state, message, FAR) or _majority(state, message.who)
        if others:
            _take(state, message, clean(text), others, "pattern")
        return ()
    reason = state.language.reasons.search(plain)
    if named and reason is not None and reason.start() > 0:
        plain = plain[: reason.start()]
        named, reason = state.options.mentioned(plain), None
    named = named or _all_of_them(state, plain)
    if not named:
        return ()
    if state.language.rejects.search(plain):
        left = tuple(option for option in agent.holds if option not in named)
        if left and left != agent.holds:
            _take(state, message, clean(text), left, "pattern")
        return ()
    asks = plain.rstrip().endswith("?") or bool(state.language.asks.match(plain))
    kinds = {finding.kind for finding in findings}
    sure = bool(stated) or "support" in kinds
    short = state.options.only(text, named) or bool(state.language.chooses.search(plain))
    if reason and not sure:
        return ()
    if len(named) == 1 and len(agent.holds) > 1 and (state.language.asks.match(plain) or (asks and reason)):
        return ()
    if asks and not stated:
        # a question about one of several options held does not propose to hold that one alone
        return () if len(named) == 1 and not short and len(agent.holds) > 1 else named
    if not sure and not short and not state.language.first_person.search(plain):
        return ()
    if len(named) == 1 and agent.holds and named != agent.holds:
        part = (
            set(named) < set(agent.holds)
            and not state.language.chooses.search(plain)
            and not state.language.only.search(plain)
        )
        if part or not short:
            return ()
    options = named
    if state.language.adds.search(plain) and agent.holds and len(named) == 1 and not state.language.only.search(plain):
        options = tuple(option for option in state.options.options if option in agent.holds or option in named)
    _take(state, message, stated[0].sentence if stated else clean(text), options, "pattern")
    return options


def _own(state: State, text: str) -> str:
    """Return a text without reports and quotations of others."""
    return state.language.others_want.sub("", text)


def _in_force(state: State, plain: str) -> str:
    """Return a text without clauses that refuse options or tell of the past, if other clauses name options too."""
    clauses = [clause for clause in state.language.clause_breaks.split(plain) if clause]
    if len(clauses) < 2 or state.language.all_options.search(plain):
        return plain
    naming = [clause for clause in clauses if state.options.mentioned(clause)]
    in_force = [
        clause for clause in naming if not (state.language.rejects.search(clause) or state.language.past.search(clause))
    ]
    return ". ".join(in_force or naming) or plain


def _all_of_them(state: State, plain: str) -> tuple[str, ...]:
    """Return all options but those that the text excepts; empty where it does not speak of all."""
    match = state.language.all_options.search(plain)
    if match is None or state.language.negations.search(plain):
        return ()
    but = state.language.all_but.match(plain, match.end())
    excepted = state.options.mentioned(plain[but.end() :]) if but else ()
    return tuple(option for option in state.options.options if option not in excepted)


def _majority(state: State, who: str) -> tuple[str, ...]:
    """Return the options that most of the others hold."""
    counts: dict[tuple[str, ...], int] = {}
    for name, agent in state.agents.items():
        if name != who and agent.holds:
            counts[agent.holds] = counts.get(agent.holds, 0) + 1
    return max(counts, key=lambda options: counts[options]) if counts else ()


def _take_at_length(  # noqa: C901 - a ladder: the first rung that holds decides
    state: State, message: MessagePosted, stated: list[Finding]
) -> None:
    """Record the position of a long turn: a short opening (`Reject.`, `C for now.`), or a sentence that states it."""
    plain = normalise(message.talk)
    if not state.language.is_chair(message.who):
        for start, end in sentences(plain[:OPENING]):
            first = message.talk[start:end]
            clause = first if first.count(" ") < TERSE else first.partition(",")[0]
            if clause.count(" ") >= TERSE or first.rstrip().endswith("?"):
                break
            options = (
                ()
                if state.language.hypothesis.match(clause)
                else state.options.mentioned(_own(state, normalise(clause)))
            )
            if len(options) == 1:
                _take(state, message, clean(first), options, "pattern")
                return
        if state.language.yields.search(plain[:OPENING]):
            options = state.options.mentioned(_own(state, plain[:OPENING]), strictly=True)
            if len(options) == 1:
                _take(state, message, clean(message.talk), options, "pattern")
                return
    for finding in sorted(stated, key=lambda finding: (finding.kind != "position", -finding.confidence)):
        # a proposed detail changes no stance: an agent with a stance must name the option in full
        brief = bool(state.language.first_person.search(finding.sentence)) or finding.sentence.count(" ") < TERSE
        own = finding.kind == "position" or (brief and not state.agents[message.who].holds)
        options = state.options.mentioned(_own(state, normalise(finding.sentence)), strictly=not own)
        if state.language.is_chair(message.who) and finding.kind != "position":
            continue
        if finding.kind == "position" or options:
            _take(state, message, finding.sentence, options, "pattern")
            if options:
                return


def follow(state: State, message: MessagePosted, reaction: Reaction, named: tuple[str, ...], register: str) -> None:
    """Record that an agent who agrees with another, and names no option, now holds what the other holds."""
    if reaction.reaction != "support" or named or not state.options.options:
        return
    holds = state.agents[message.who].holds
    if (
        holds
        and not state.options.single
        and state.language.bare_yes.match(message.talk)
        and not _was_asked(state, message.who)
    ):
        return
    if register == "choice" or state.options.single:
        # a question does not assent, and a remark about all options is no plain yes
        if message.talk.rstrip().endswith("?") or state.language.all_options.search(message.talk):
            return
        if reaction.link in ("reply", "quotation"):
            options = _where_the_other_stands(state, reaction, strictly=False)
        else:
            options = _put_last(state, message, FOLLOWED if reaction.pattern in _PLAIN_YES else FAR)
        if len(options) == 1 and set(options) < set(holds):
            return  # assent about one option gives up none of the others
        _tell_asker(state, message, options)
    else:
        options = _where_the_other_stands(state, reaction, strictly=register == "prose")
        if register == "prose" and (len(options) != 1 or (holds and reaction.link in _VAGUE)):
            return
    if options:
        _take(state, message, reaction.quote.text if reaction.quote else clean(message.talk), options, "pattern")


def _was_asked(state: State, who: str) -> bool:
    """Return whether the last message of another speaker asks or proposes something."""
    last = next((heard for heard in reversed(state.heard) if heard.who != who), None)
    return last is not None and (last.text.rstrip().endswith("?") or bool(state.language.offers.search(last.text)))


def _where_the_other_stands(state: State, reaction: Reaction, *, strictly: bool) -> tuple[str, ...]:
    """Return the options that the answered proposal or message names; else those that its speaker holds."""
    options: tuple[str, ...] = ()
    proposal = state.proposal(reaction.to)
    other = None
    if proposal is not None:
        options = state.options.mentioned(proposal.content, strictly=strictly)
        other = proposal.proposer
    elif reaction.answered is not None:
        for heard in reversed(state.heard):
            if heard.message == reaction.answered:
                options, other = state.options.mentioned(heard.text, strictly=strictly), heard.who
    return state.agents[other].holds if not options and other in state.agents and not strictly else options


def _tell_asker(state: State, message: MessagePosted, options: tuple[str, ...]) -> None:
    """Record that a speaker who asked whether to hold some options, and got a yes, holds them."""
    for heard in reversed(state.scene.recent):
        if heard.who != message.who and heard.asks and heard.offers == options:
            asker = state.agents[heard.who]
            if asker.holds != options and len(options) > 1 and (asker.since or 0) <= heard.number:
                asker.holds, asker.since = options, message.number
            return


def _put_last(state: State, message: MessagePosted, reach: int) -> tuple[str, ...]:
    """Return the options that another speaker last put to the others or chose, within `reach` messages."""
    for heard in reversed(state.scene.recent):
        if heard.who == message.who or message.number - heard.number > reach:
            continue
        taken = state.agents[heard.who].positions[-1:]
        if heard.offers:
            return heard.offers
        if taken and taken[0].message == heard.number and taken[0].options:
            return taken[0].options
    return ()


def _take(state: State, message: MessagePosted, text: str, options: tuple[str, ...], source: Source) -> None:
    if state.sided:
        return
    agent = state.agents[message.who]
    agent.take(Position(message.number, message.who, text, options, state.last_speaker, source))
    if options and options != agent.holds:
        agent.holds, agent.since = options, message.number
