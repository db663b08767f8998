"""Positions in recorded talk: what each speaker stands for, by what it says of options and by whom it agrees with."""

from eda.events import MessagePosted, Reaction
from eda.memory.minutes.options import MARKS, OPTION, OTHER, Options
from eda.memory.minutes.polarity import affirmed
from eda.memory.minutes.positions import take
from eda.memory.minutes.state import State
from eda.text import clean, mask_quotes, normalise, sentences
from eda.transcripts.findings import Finding

FOLLOWED = 5  # Messages within which a plain yes takes over another speaker's position.
FAR = 8  # Messages within which an agreement in more words does so.
_VAGUE = frozenset(["words", "recency"])  # Kinds of links too weak for a long assent to change a position.
_PLAIN_YES = frozenset(
    (
        *("short-yes", "you-are-right", "praise", "great-idea", "lets-do-it", "do-it-then"),
        *("sees-the-point", "thought-so-too"),
    )
)
_STATES = ("position", "proposal", "decision")


def take_stance(
    state: State, message: MessagePosted, findings: list[Finding], named: tuple[str, ...], register: str
) -> tuple[str, ...]:
    """Record the position that a message states; return the options that it puts to the others."""
    stated = [finding for finding in findings if finding.kind in _STATES]
    if not state.options.options:
        voiced = [finding for finding in stated if finding.kind == "position"]
        if voiced:
            take(state, message, max(voiced, key=lambda finding: finding.confidence).sentence, (), "pattern")
        return ()
    if state.options.cards:
        return _take_cards(state, message, findings, stated)
    options = () if state.language.is_chair(message.who) else affirmed(state.options, message.talk)
    agent = state.agents[message.who]
    if options:
        talk, spans = message.talk, sentences(normalise(message.talk))
        own = (talk[start:end] for start, end in spans if affirmed(state.options, talk[start:end]) == options)
        take(state, message, clean(next(own, talk)), options, "pattern")  # the first sentence that affirms them alone
    elif agent.holds and gives_up(state.options, message.talk, agent.holds):
        agent.holds, agent.since = (), None
    return options or (named if register != "choice" or message.talk.rstrip().endswith("?") else ())


def _take_cards(
    state: State, message: MessagePosted, findings: list[Finding], stated: list[Finding]
) -> tuple[str, ...]:
    """Record which of several cards a message chooses, or leaves; return those that it puts to the others.

    `stated` are the findings of a position, proposal or decision.
    """
    language = state.language
    agent = state.agents[message.who]
    plain = normalise(message.talk)
    offers: tuple[str, ...] = ()
    if language.undecided.search(plain) or language.supposes.search(plain):
        return ()
    plain = _in_force(state, plain)
    if language.rejects.search(plain):
        turned_down = {option for each in state.options.mark(plain)[1].values() for option in each.options}
        left = tuple(option for option in agent.holds if option not in turned_down)
        chosen = left if left != agent.holds else ()
    else:
        sure = bool(stated) or any(finding.kind == "support" for finding in findings)
        chosen, offers = _named_cards(state, message, plain, stated=bool(stated), sure=sure)
    if chosen:
        take(state, message, stated[0].sentence if stated and offers else clean(message.talk), chosen, "pattern")
    return offers


def _named_cards(
    state: State, message: MessagePosted, plain: str, *, stated: bool, sure: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the cards that a message chooses by naming them, and those that it puts to the others.

    `plain` is what of its text is in force. Patterns found a position, proposal or decision (`stated`), or one of these
    or support (`sure`).
    """
    language = state.language
    holds = state.agents[message.who].holds
    named = state.options.mentioned(plain) or _all_of_them(state, plain)
    short = state.options.only(message.talk, named) or bool(language.chooses.search(plain))
    one_of_several = len(named) == 1 and len(holds) > 1  # talk about one gives up none of the others
    wonders = bool(language.asks.match(plain))
    asks = wonders or plain.rstrip().endswith("?")
    if not named or (one_of_several and wonders):
        return (), ()
    if asks and not stated:
        return (), () if one_of_several and not short else named
    if not (sure or short or language.first_person.search(plain)):
        return (), ()
    options = _joined_with(state, plain, named, holds, short=short)
    return options, options


def _in_force(state: State, plain: str) -> str:
    """Return a text without reports, and without clauses that refuse options, tell of the past or give a reason."""
    language = state.language
    plain = language.others_want.sub("", plain)
    clauses = [clause for clause in language.clause_breaks.split(plain) if clause]
    if len(clauses) < 2 or language.all_options.search(plain):
        return plain
    naming = [clause for clause in clauses if state.options.mentioned(clause)]
    void = (language.rejects.search, language.past.search, language.reasons.match)
    in_force = [clause for clause in naming if not any(applies(clause) for applies in void)]
    return ". ".join(in_force or naming) or plain


def _joined_with(
    state: State, plain: str, named: tuple[str, ...], holds: tuple[str, ...], *, short: bool
) -> tuple[str, ...]:
    """Return the options that a speaker with some in hand holds after naming others; empty where nothing changes."""
    language = state.language
    alone = language.only.search(plain) is not None
    if len(named) == 1 and holds and named != holds:
        part = set(named) < set(holds) and not alone and not language.chooses.search(plain)
        if part or not short:
            return ()
    if language.adds.search(plain) and holds and len(named) == 1 and not alone:
        return tuple(option for option in state.options.options if option in holds or option in named)
    return named


def _all_of_them(state: State, plain: str) -> tuple[str, ...]:
    """Return all options but those that the text excepts; empty where it does not speak of all."""
    match = state.language.all_options.search(plain)
    if match is None or state.language.negations.search(plain):
        return ()
    but = state.language.all_but.match(plain, match.end())
    excepted = state.options.mentioned(plain[but.end() :]) if but else ()
    return tuple(option for option in state.options.options if option not in excepted)


def follow(state: State, message: MessagePosted, reaction: Reaction, named: tuple[str, ...], register: str) -> None:
    """Record that an agent who agrees with another, and names no option, now holds what the other holds."""
    if reaction.reaction != "support" or named or not state.options.options:
        return
    holds = state.agents[message.who].holds
    bare = not state.options.cards and state.language.bare_yes.match(message.talk)
    last = next((heard for heard in reversed(state.heard) if heard.who != message.who), None)
    asked = last is not None and (last.text.rstrip().endswith("?") or bool(state.language.offers.search(last.text)))
    if holds and bare and not asked:
        return
    if register == "choice" or state.options.cards:
        options = _assented(state, message, reaction, holds)
    else:
        options = _where_the_other_stands(state, reaction, strictly=register == "prose")
        if register == "prose" and (len(options) != 1 or (holds and reaction.link in _VAGUE)):
            return
    if options:
        take(state, message, reaction.quote.text if reaction.quote else clean(message.talk), options, "pattern")


def _assented(state: State, message: MessagePosted, reaction: Reaction, holds: tuple[str, ...]) -> tuple[str, ...]:
    """Return the options that a short yes takes over; who asked whether to hold them holds them too."""
    # A question does not assent, and a remark about all options is no plain yes.
    if message.talk.rstrip().endswith("?") or state.language.all_options.search(message.talk):
        return ()
    options = (
        _where_the_other_stands(state, reaction, strictly=False)
        if reaction.link in ("reply", "quotation")
        else _put_last(state, message, FOLLOWED if reaction.pattern in _PLAIN_YES else FAR)
    )
    if len(options) == 1 and set(options) < set(holds):
        return ()  # assent about one option gives up none of the others
    for heard in reversed(state.scene.recent):
        if heard.who != message.who and heard.asks and heard.offers == options:
            asker = state.agents[heard.who]
            if asker.holds != options and len(options) > 1 and (asker.since or 0) <= heard.number:
                asker.holds, asker.since = options, message.number
            break
    return options


def _where_the_other_stands(state: State, reaction: Reaction, *, strictly: bool) -> tuple[str, ...]:
    """Return the options that the answered proposal or message names; else those that its speaker holds."""
    options: tuple[str, ...] = ()
    proposal = state.proposal(reaction.to)
    other = None
    if proposal is not None:
        options = state.options.mentioned(proposal.text, strictly=strictly)
        other = proposal.by
    elif reaction.answered is not None:
        for heard in (each for each in state.heard if each.message == reaction.answered):
            options, other = state.options.mentioned(heard.text, strictly=strictly), heard.who
    return state.agents[other].holds if not options and other in state.agents and not strictly else options


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


def gives_up(options: Options, text: str, holds: tuple[str, ...]) -> bool:
    """Return whether a speaker who holds some options gives them up."""
    marked, mentions = options.mark(mask_quotes(options.unquoted(normalise(text))))
    marked = MARKS.sub(lambda mark: OPTION if set(mentions[mark[0]].options) & set(holds) else OTHER, marked)
    return options.pack.language.gives_up.search(marked) is not None
