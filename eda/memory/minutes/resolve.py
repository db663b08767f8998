"""Resolves what an act is about: by id, by quotation, by a member's name, then by words. It never guesses.

An id that exists is that item, open or closed. A name stands for the open motion of that member, a description for the
one text that it fits clearly. Anything else is unresolved, and the reason is put in words for the member.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eda.memory.minutes.acts import Act
from eda.memory.minutes.items import ProposalItem, plain
from eda.memory.minutes.state import State
from eda.text import lower, names, normalise, overlap, shorten, words

__all__ = ["Resolved", "message_named", "resolve"]

CANDIDATES = 60
"""Newest open texts that a name, a quotation or a description may stand for."""
LISTED = 12
"""Most ids that a reason lists."""
QUOTED = 50
"""Characters of a text whose repetition quotes it."""
SHORTEST = 12
"""Characters below which a repetition quotes nothing."""
FITS = 0.5
"""Share of the words of a description that a text must have."""
BARE = 8
"""Words of a message up to which it is nothing but an answer to the message before it."""
_ID = re.compile(
    r"(?<![\w.@#])(?P<mark>#?)\s?(?P<letter>[pmo]?)#?0*(?P<number>\d{1,9})(?:(?P<sign>[.@])0*(?P<place>\d{1,9}))?(?![\w@])",
    re.IGNORECASE,
)
_MESSAGE = re.compile(r"\W*(?:m|message )\s?#?0*(\d{1,9})\W*", re.IGNORECASE)
_QUOTATION = re.compile(r'"([^"]{12,})"')


@dataclass(frozen=True, slots=True)
class Resolved:
    """The items that an act is about, or the reason why there is none."""

    items: tuple[ProposalItem, ...] = ()
    how: str = ""
    """`id`, `reply`, `quotation`, `name`, `words` or `recency`."""
    score: float = 1.0
    why: str = ""
    """Why nothing, or not all that was named, is resolved; empty if all is."""
    named: bool = True
    """False if the act names, quotes or describes nothing at all."""


def resolve(state: State, act: Act, *, reply_to: int | None = None, size: int = 0) -> Resolved:
    """Return the items that an act is about.

    Args:
        state: The minutes before the act.
        act: The act. A withdrawal is about a text of its agent, a reaction in free talk about one of somebody else.
        reply_to: The message that its message answers.
        size: Words of its message, by which a bare answer is told; 0 for a declared move.
    """
    declared = act.source == "declared"
    brief = act.text if act.text.count(" ") < BARE else ""
    text = (act.target.strip() or brief) if declared else act.quote.text
    by_id = _by_id(state, act, text, whole=declared)
    if by_id is not None:
        return by_id
    candidates = [item for item in (*state.given.values(), *state.newest_open(CANDIDATES)) if _may_be(state, act, item)]
    if not declared and reply_to is not None:
        answered = [item for item in candidates if item.message == reply_to]
        if len(answered) == 1:
            return Resolved((answered[0],), "reply")
    quoting = [item for item in candidates if _quotes(f"{text}\n{act.text if declared else ''}", item)]
    if quoting:
        return _one(quoting, "quotation", 0.95)
    bag = words(f"{act.target} {act.text}" if declared else text)
    by_name = _by_name(state, act, lower(normalise(text)), bag, candidates)
    if by_name is not None:
        return by_name
    fitting = _fitting(words(act.target), candidates, fewest=1) or _fitting(bag, candidates)
    if fitting:
        return _one(fitting, "words", 0.7)
    if act.kind == "withdraw" and candidates and not act.target.strip():
        return _of_one_motion(state, candidates, f"{act.agent} has several open texts")
    last = [item for item in candidates if item.message == act.message - 1]
    if not declared and 0 < size <= BARE and len(last) == 1:
        return Resolved((last[0],), "recency", 0.6)
    if act.target.strip():
        return Resolved(why=f"“{shorten(act.target.strip(), 60)}” names no text; {_on_the_table(state, act)}")
    return Resolved(why=f"it names no text; {_on_the_table(state, act)}", named=False)


def message_named(target: str) -> int | None:
    """Return the number of the message that a target names (`m20`); None if it names none."""
    match = _MESSAGE.fullmatch(target)
    return int(match[1]) if match else None


def _may_be(state: State, act: Act, item: ProposalItem) -> bool:
    """True if an act without an id may be about an item: its agent could have heard of it, and it is of the right side."""
    if not state.could_hear(act.message, item.message) and item.proposer != act.agent:
        return False
    if act.kind == "withdraw":
        return item.proposer == act.agent
    return act.source == "declared" or act.kind == "amend" or item.proposer != act.agent


def _by_id(state: State, act: Act, text: str, *, whole: bool) -> Resolved | None:
    """Return what the ids in a text stand for; None if it has none."""
    items: dict[str, ProposalItem] = {}
    faults: list[str] = []
    for match in _ID.finditer(text):
        alone = whole and match.group() == text.strip(" .,;:!?\"'()[]")
        if not (match["letter"] or match["mark"] or match["sign"] or alone):
            continue
        if not whole and (match["letter"] or "m").lower() == "m":
            continue  # free talk cites messages and figures
        named = _of_id(state, match)
        if not named and not match["letter"] and not alone and not match["mark"]:
            continue  # a figure
        named = [item for item in named if item.proposer == act.agent or state.could_hear(act.message, item.message)]
        if len(named) > 1:
            named = _fitting(words(act.text), named)
        if len(named) == 1:
            items[named[0].id] = named[0]
        else:
            faults.append(f"{match.group().strip()} {'could be any of several' if named else 'does not exist'}")
    if not items and not faults:
        return None
    why = f"{' and '.join(faults)}; {_on_the_table(state, act)}" if faults else ""
    return Resolved(tuple(items.values()), "id", why=why)


def _of_id(state: State, match: re.Match[str]) -> list[ProposalItem]:
    """Return the item of an id; for the number of a message its declared texts, or else those found in it."""
    number, letter = int(match["number"]), match["letter"].lower()
    if letter == "o":
        option = state.given.get(f"o{number}")
        return [option] if option and not match["sign"] else []
    texts = [state.proposals[key] for key in state.by_message.get(number, ()) if key in state.proposals]
    if match["sign"]:
        exact = [item for item in texts if item.id == f"p{number}{match['sign']}{int(match['place'])}"]
        if exact or match["sign"] == ".":
            return exact
        others = [item for item in texts if item.source != "declared"]
        return others if len(others) == 1 else []  # offsets move when patterns change
    return [item for item in texts if item.source == "declared"] or texts


def _quotes(text: str, item: ProposalItem) -> bool:
    """True if a text repeats the beginning of an item, or quotes a part of it."""
    if len(item.plain) >= SHORTEST and item.plain[:QUOTED] in plain(text):
        return True
    return any(plain(quotation) in item.plain for quotation in _QUOTATION.findall(normalise(text)))


def _by_name(
    state: State, act: Act, low: str, bag: frozenset[str], candidates: Sequence[ProposalItem]
) -> Resolved | None:
    """Return what the name of a member or option in a text stands for; None if it names none."""
    if act.source == "declared" and state.given:
        options = state.options.mentioned(act.target)
        if len(options) == 1:
            return Resolved(tuple(item for item in state.given.values() if item.content in options), "name")
    people = [name for name in state.agents if name != act.agent and names(low, name)]
    if not people:
        return None
    theirs = [item for item in candidates if item.proposer in people]
    if not theirs:
        why = f"{' and '.join(people)} has no open text; {_on_the_table(state, act)}"
        return Resolved(why=why, named=act.source == "declared")
    fitting = _fitting(bag.difference(*map(words, people)), theirs) if len(theirs) > 1 else []
    if len(fitting) == 1:
        return Resolved((fitting[0],), "name")
    if len(people) > 1:
        why = f"{' and '.join(people)} have texts; {_on_the_table(state, act)}"
        return Resolved(why=why, named=act.source == "declared")
    return _of_one_motion(state, theirs, f"{people[0]} has several open texts")


def _of_one_motion(state: State, items: Sequence[ProposalItem], several: str) -> Resolved:
    """Return the newest of some texts if all are versions of one motion."""
    if len({state.root(item) for item in items}) == 1:
        return Resolved((items[-1],), "name")
    return Resolved(why=f"{several}: {', '.join(item.id for item in items[-LISTED:])}")


def _fitting(bag: frozenset[str], candidates: Iterable[ProposalItem], *, fewest: int = 2) -> list[ProposalItem]:
    """Return the one text that a description fits clearly; all that it fits equally; or none."""
    scored = [(len(item.words & bag), item) for item in candidates]
    most = max((count for count, _ in scored), default=0)
    best = [
        item
        for count, item in scored
        if count == most >= min(fewest, len(item.words)) > 0 and overlap(item.words, bag) >= FITS
    ]
    second = max((count for count, item in scored if item not in best), default=0)
    return best if 2 * second <= most or len(best) > 1 else []


def _one(items: Sequence[ProposalItem], how: str, score: float) -> Resolved:
    if len(items) == 1:
        return Resolved((items[0],), how, score)
    return Resolved(why=f"it could be any of {', '.join(item.id for item in items[:LISTED])}")


def _on_the_table(state: State, act: Act) -> str:
    """Return the ids that exist for the agent of an act, in words."""
    open_ids = [item.id for item in state.newest_open(LISTED) if state.could_hear(act.message, item.message)]
    ids = [*state.given, *open_ids]
    return f"on the table {'is' if len(ids) == 1 else 'are'} {', '.join(ids)}" if ids else "the table is empty"
