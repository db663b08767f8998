"""Claims that something was decided. In a debate only a ballot decides, so nothing follows from a claim.

A claim is supported by its author alone. Whoever denies it, or its author by taking it
back, makes it disputed; a ballot that decides something else contradicts it.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from eda.events import Decision, DecisionStatus, MessagePosted, Quote
from eda.memory.minutes.items import CLAIM_STATUSES, OWN, DecisionItem, ProposalItem, ReadAct
from eda.memory.minutes.names import unsigned
from eda.memory.minutes.options import stems
from eda.memory.minutes.positions import lineage
from eda.memory.minutes.proposals import SAME as SAME_TEXT
from eda.memory.minutes.remark_words import IDS
from eda.memory.minutes.resolve import resolve
from eda.memory.minutes.state import State
from eda.memory.patterns import Language
from eda.text import bare, clean, likeness, lower, names, plain_low, regex, words

SAME = 0.6  # Likeness from which a decision or claim restates an earlier one.
DENIED = 4  # Messages for which a denial that names nothing may answer a decision or claim.
_MESSAGE = regex(r"\b(?:m|message )\s?#?0*(\d{1,9})\b", "I")
_TOKEN = regex(r"[\w']+")


def new_decision(act: ReadAct, status: DecisionStatus, topic: str, proposal: ProposalItem | None) -> DecisionItem:
    """Return the decision that an act states, not in the minutes yet."""
    item = DecisionItem(
        id=f"d{act.message}{act.place}",
        by=act.agent,
        topic=proposal.text if proposal else topic,
        text=act.text,
        status=status,
        source=act.source,
        pattern=act.pattern,
        confidence=act.confidence,
        messages=[act.message],
        quotes=[act.quote],
        supporters={act.agent: act.message},
        proposal=proposal.id if proposal else None,
        written=act.written,
    )
    if proposal is not None and status == "decided":
        for reaction in proposal.standing.values():  # the author of the decision supports it in any case
            if reaction.agent != item.by:
                item.takes_side(reaction)
    return item


def claim(state: State, act: ReadAct, topic: str, about: ProposalItem | None = None) -> None:
    """Record a claim, or that its author repeats one; `about` is its proposal where its source names one."""
    for item in reversed(state.newest_decisions()):
        if item.by == act.agent and item.status in CLAIM_STATUSES and restates(state.language, item, act.text):
            if item.last != act.message:
                item.restate(act.quote)
                state.announce(item)
            return
    item = new_decision(act, "claimed", topic or act.text, about or claimed_text(state, act))
    state.place_decision(item)
    state.announce(item)


def claimed_text(state: State, act: ReadAct, about: ProposalItem | None = None) -> ProposalItem | None:
    """Return the one text that a claim names by its id or title, or says in nearly all its words; else None.

    Of a claim that a model's minutes bind to a text, `about`, that text alone is looked at. A text that its author put
    later, or had closed by then, is none.
    """
    named, said = resolve(state, replace(act, target=act.text)), f" {bare(act.text)} "
    ids = IDS.findall(lower(act.text))  # "as Lou said in m3" names no text of m3
    titled = [each for each in state.proposals.values() if each.titled and f" {bare(each.title)} " in said]
    titled = [each for each in titled if _stood(state, each, act.message)]
    whole = [each for each in titled if " " in bare(each.title)] * (not ids)
    items = (about,) if about else whole if len(whole) == 1 else named.items
    if len(items) != 1 or (text := items[0]).id in state.given or not _stood(state, text, act.message):
        return None
    by_id = bool(ids) and named.how == "id" and text in named.items
    return text if text in titled or by_id or likeness(text.words, words(act.text)) >= SAME_TEXT else None


def _stood(state: State, text: ProposalItem, at: int) -> bool:
    """Return whether a text was open, and its author heard, when message `at` was said."""
    past = [
        each.status
        for each in text.changes
        if each.status in ("active", "modified", "withdrawn")
        and max(each.messages, default=at) < at + (each.status == "withdrawn")  # by the claim's message, too
    ]
    return (text.message == at or state.could_hear(at, text.message)) and past[-1:] in ([], ["active"])


def claims_in_tags(language: Language, message: MessagePosted) -> list[ReadAct]:
    """Return the claims of the lines that begin with a tag for one: `[CONSENSUS] We ship in May`."""
    plain, acts = message.read.own, list[ReadAct]()
    starts = [0, *(end.end() for end in regex("\n").finditer(plain))]
    for match in filter(None, (language.consensus_claim.match(plain, start) for start in starts)):
        said, at = unsigned(message.talk[slice(*match.span(1))], message.who, language), match.start(1)
        text = clean(said)
        if words(text) and not text.endswith("?"):
            quote = Quote(message.number, at, at + len(said), text)
            acts.append(ReadAct("claim", message.number, message.who, text, "", "declared", quote, f"@{at}"))
    return acts


def claims_denied(state: State, act: ReadAct) -> list[DecisionItem]:
    """Return the claims that an act denies or takes back.

    It names a message or a claim, or somebody who has one. A denial that names none answers the claims of the last
    message that has any, of the member that its reason names if it names one; else the agent's own last claim.
    """
    if act.target.strip():
        return _named([item for item in state.decisions.values() if item.status in CLAIM_STATUSES], act)
    claims = [item for item in state.newest_decisions() if item.status in CLAIM_STATUSES]
    return _answered(state, claims, act) or [item for item in claims if item.by == act.agent][-1:]


def messages_named(target: str) -> list[int]:
    """Return the messages that a target is nothing but a name for: `m9`."""
    words = target.strip(" #[]()\"'.,").lower()
    return [int(number) for number in _MESSAGE.findall(words)] if _MESSAGE.fullmatch(words) else []


def _named(claims: list[DecisionItem], act: ReadAct) -> list[DecisionItem]:
    """Return the claims that a declared denial names: by an id or a message, else by their author."""
    target = act.target.strip(" #[]()\"'.,").lower()
    numbers = messages_named(target)
    exact = [item for item in claims if item.id == target or not {*numbers}.isdisjoint(item.messages)]
    return exact or [item for item in claims if names(target, item.by)]


def _answered(state: State, claims: list[DecisionItem], act: ReadAct) -> list[DecisionItem]:
    """Return the claims of others that a denial which names none answers."""
    others = [item for item in claims if item.by != act.agent and state.could_hear(act.message, item.last)]
    numbers = {int(number) for number in _MESSAGE.findall(act.quote.text)}
    numbered = [item for item in others if not numbers.isdisjoint(item.messages)]
    if numbered or len(others) == 1:
        return numbered or others
    others = [item for item in others if act.message - item.last <= DENIED]
    low = plain_low(act.quote.text)
    others = [item for item in others if names(low, item.by)] or others
    return [item for item in others if item.last == others[-1].last]


def dispute(state: State, claims: list[DecisionItem], act: ReadAct) -> bool:
    """Note that somebody denies some claims, or that their author takes them back; return False without any."""
    for item in claims:
        item.opposers.setdefault(act.agent, act.message)
        if item.status == "claimed":
            item.status = "disputed"
        state.announce(item)
    return bool(claims)


def close_claims(state: State, decided: Sequence[DecisionItem], offered: frozenset[str]) -> None:
    """Close the standing claims on which a ballot decided.

    Those are: what it adopted, what names another of its choices, and a bare "we all agree" where not all did. What
    names a text or an option of which a text adopted was made, or which it has in it, is not refuted.
    """
    ruled = {word for ballot in decided for word in (ballot.proposal, ballot.text) if word}
    offered -= ruled | _made_of(state, decided, offered)
    for item in (each for each in state.newest_decisions() if each.status in ("claimed", "disputed")):
        about = {item.proposal} if item.proposal else _option_of(state, item.text)
        won = not ruled.isdisjoint(about)
        if won and item.opposers and not item.proposal:
            continue  # it may name more than the option: who denied it denies that
        of_all = _claims_all(state.language, item, decided)
        if won and not of_all:
            item.status = "adopted"
        elif not (ruled if won else offered).isdisjoint(about) or (of_all and all_agree(state.language, item)):
            item.status = "contradicted"
        else:
            continue
        state.announce(item)


def _made_of(state: State, decided: Sequence[DecisionItem], offered: Collection[str]) -> set[str]:
    """Return the ids and words of texts that those adopted were made of, or have in them."""
    texts = (state.proposal(key) for said in decided for key in lineage(state, said.proposal or ""))
    return {word for text in texts if text for word in (text.id, text.text)} | {
        each for each in offered if any(f" {bare(each)} " in f" {bare(said.text)} " for said in decided)
    }


def _option_of(state: State, claimed: str) -> set[str]:
    """Return the one option that a claim names by its text, id or label, or of which it has each word.

    Some words of an option name none: a coach that "takes the stands" is not "Take the train".
    """
    exact, options = (state.options.mentioned(claimed, exactly=only) for only in (True, False))
    return {each for each in options if len(options) == 1 and (each in exact or stems(each) <= stems(claimed))}


def _claims_all(language: Language, item: DecisionItem, decided: Sequence[DecisionItem]) -> bool:
    """True if a claim that its author stands by says that all agree, where not all voted for what it is on."""
    ballot = next((each for each in decided if each.proposal and each.proposal == item.proposal), decided[0])
    return (
        len(ballot.supporters) < ballot.votes
        and item.by not in item.opposers
        and language.claims_agreement.search(item.text) is not None
    )


def all_agree(language: Language, claim: DecisionItem | Decision) -> bool:
    """True if a claim of no text says that all agree, and no word on what."""
    text = claim.text if isinstance(claim, DecisionItem) else claim.outcome
    rest, found = language.claims_agreement.subn(" ", text)
    return bool(found) and claim.proposal is None and not words(rest)


def restates(language: Language, item: DecisionItem, text: str, about: Collection[str] = ()) -> bool:
    """True if a decision or claim in some words, about proposals if it names some, says again what an item says."""
    bag = words(text)
    same = (len(bag) > 1 and likeness(item.words, bag) >= SAME) or item.plain == bare(text)
    return (
        (same or (item.status == "decided" and item.proposal in about))
        and item.status != "superseded"
        and not revises(language, item.text, text)
    )


def revises(language: Language, old: str, new: str) -> bool:
    """Return whether two outcomes differ only in a day or in the thing chosen, so that both cannot hold."""
    left, right = _TOKEN.findall(old), _TOKEN.findall(new)
    places = [at for at, pair in enumerate(zip(left, right, strict=False)) if pair[0].lower() != pair[1].lower()]
    if len(left) != len(right) or len(places) != 1:
        return False
    (place,) = places
    gone, come = left[place], right[place]
    if language.dates.fullmatch(gone) and language.dates.fullmatch(come):
        return True
    same = words(" ".join(left[:place] + left[place + 1 :]))
    return (
        gone[:1].isupper()
        and come[:1].isupper()
        and len(same) >= 2
        and bool(language.takes.search(" ".join(left[:place])))
    )


def let_go(state: State, name: str, option: tuple[str, ...]) -> None:
    """Note that an agent no longer holds an option. The agent's own last other position counts again."""
    agent = state.agents[name]
    if option and agent.holds == option:
        own = [position for position in agent.positions[-OWN:] if position.options and position.options != option]
        agent.holds, agent.since = (own[-1].options, own[-1].message) if own else ((), None)
