"""Resolves what an act is about: by id, title, quotation, a member's name, then by words. It never guesses.

An id that exists is that item, open or closed. A name stands for the open motion of that member, a description for the
one text that it fits clearly. Anything else is unresolved, with the reason.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from eda.events import Unread, UnreadKind
from eda.memory.minutes.items import ProposalItem, ReadAct
from eda.memory.minutes.state import State
from eda.text import bare, lower, names, overlap, plain_low, regex, words
from eda.voting.mentions import NamedText, mentions

_CANDIDATES = 60  # Newest open texts that a name, a quotation or a description may stand for.
FITS = 0.5  # Share of the words of a description that a text must have.
LISTED = 12  # Most texts that a reason lists.
WHOLE = 0.6  # Share of the words of a text beyond which a part of it is all of it.
BARE = 8  # Words of a reason up to which it may say which text is meant.
_ID = regex(
    r"(?<![\w.@#])(?P<mark>#?)\s?(?P<letter>[pmo]?)#?0*(?P<number>\d{1,9})(?:(?P<sign>[.@])0*(?P<place>\d{1,9}))?(?![\w@])",
    "I",
)


class Resolved(NamedTuple):
    """The items that an act is about, or the reason why there is none."""

    items: tuple[ProposalItem, ...] = ()
    how: str = ""  # `id`, `quotation`, `name`, `words` or `authorship`.
    score: float = 1.0
    why: tuple[Unread, ...] = ()  # Why nothing, or not all that was named, is resolved; empty if all is.


def resolve(state: State, act: ReadAct) -> Resolved:
    """Return the items that an act is about."""
    text = act.target.strip() or (act.text if act.text.count(" ") < BARE else "")
    if (by_id := _by_id(state, act, text)) is not None:
        return by_id
    candidates, low = [item for item in open_texts(state) if _may_be(state, act, item)], plain_low(text)
    people = [name for name in state.agents if name != act.agent and names(low, name)]
    people = people or _in_genitive(state, act, candidates)
    if (named := _by_name(state, act, text, candidates, people)) is not None:
        return named
    if act.target.strip():
        near = [item.id for item in candidates if item.words & words(text)]
        return _unread("no such text", words=act.target.strip(), ids=near * (len(near) <= LISTED))
    if act.kind == "withdraw" and candidates:
        return _one(state, candidates, "authorship", 1.0, who=[act.agent])
    return _unread("names nothing")


def _unread(kind: UnreadKind, *, words: str = "", who: Sequence[str] = (), ids: Sequence[str] = ()) -> Resolved:
    return Resolved(why=(Unread(kind, words, tuple(who), tuple(ids)),))


def open_texts(state: State) -> tuple[ProposalItem, ...]:
    """Return what a name, a quotation or a description may stand for: the options, and the newest open texts."""
    return (*state.given.values(), *state.newest_open(_CANDIDATES))


def knows(state: State, act: ReadAct, item: ProposalItem) -> bool:
    """Return whether an act may be about a text: its agent wrote that, or could have heard of it."""
    return item.by == act.agent or state.could_hear(act.message, item.message)


def names_own(act: ReadAct) -> bool:
    """True if a declared move may name texts of its own message only, by the ids that they are about to get."""
    if act.kind == "position":
        return True
    named = list(_ID.finditer(act.target)) if act.source == "declared" else []
    return bool(named) and all(each["letter"].lower() == "p" and int(each["number"]) == act.message for each in named)


def text_of_id(state: State, words: str) -> tuple[ProposalItem | None, Unread | None]:
    """Return the text that words stand for which are nothing but the id of a proposal; or what is wrong with the id."""
    match = _ID.fullmatch(words.strip(" .,;:!?\"'()[]*`"))
    if match is None or match["letter"].lower() != "p":
        return None, None
    named = _of_id(state, match)
    return (named[0], None) if len(named) == 1 else (None, _dead(state, match))


def text_or_option(state: State, key: str) -> ProposalItem | None:
    """Return the option or the text that an id stands for; None where there is none."""
    return state.given.get(key) or text_of_id(state, key)[0]


def text_spoken_of(state: State, act: ReadAct) -> ProposalItem | None:
    """Return the text that a position is no more than a name for: "the text above", "Ruth's joined text"."""
    low = plain_low(act.text)
    if state.language.text_above.fullmatch(low):
        own = _texts_of(state, act.message)
        return own[0] if len(own) == 1 else None
    if state.language.text_of_member.fullmatch(low) is None:
        return None
    items = resolve(state, replace(act, kind="neutral", target=act.text, text="")).items
    return items[0] if len(items) == 1 else None


def is_called(item: ProposalItem, text: str) -> bool:
    """Return whether words are the title of a text, or the whole of one without a title."""
    return bare(item.title or item.text) == bare(text)


def closed_called(state: State, act: ReadAct, title: str) -> ProposalItem | None:
    """Return the text of this exact title that its author withdrew or replaced, where it is one motion alone.

    None where a text that stands has it.
    """
    if any(is_called(item, title) for item in open_texts(state)):
        return None
    named = [
        item
        for item in state.proposals.values()
        if item.status in ("modified", "withdrawn") and is_called(item, title) and knows(state, act, item)
    ]
    return named[-1] if len({state.root(item) for item in named}) == 1 else None


def _dead(state: State, match: re.Match[str]) -> Unread:
    """Return that an id does not exist, with the ids that its message made."""
    number = int(match["number"])
    texts = _texts_of(state, number)
    made, now = tuple(item.id for item in texts), tuple(item.amended_by or "" for item in texts)
    return Unread("no such id", match.group().strip(), ids=made, now=now, message=number)


def _may_be(state: State, act: ReadAct, item: ProposalItem) -> bool:
    """True if an act without an id may be about an item: its agent could have heard of it, and it is of its side."""
    if not knows(state, act, item):
        return False
    return item.by == act.agent if act.kind == "withdraw" else act.source == "declared" or item.by != act.agent


def _by_id(state: State, act: ReadAct, text: str) -> Resolved | None:
    """Return what the ids in a text stand for; None if it has none."""
    items: dict[str, ProposalItem] = {}
    faults: list[Unread] = []
    for match in _ID.finditer(text):
        alone = match.group() == text.strip(" .,;:!?\"'()[]")
        if not (alone or match["letter"] or match["mark"] or (match["sign"] and _of_id(state, match))):
            continue  # a figure
        if meant := _without_letter(state, match):
            faults.append(Unread("no letter", match.group().strip(), ids=meant))
            continue
        named = _of_id(state, match)
        if len(named) > 1:
            named = _described(words(f"{act.target} {act.text}"), named) or named
        written = match.group().strip()
        if len(named) != 1:
            faults.append(Unread("several", written) if named else _dead(state, match))
        elif knows(state, act, named[0]):
            items[named[0].id] = named[0]
        else:
            faults.append(Unread("not heard yet", written))
    return Resolved(tuple(items.values()), "id", why=tuple(faults)) if items or faults else None


def _without_letter(state: State, match: re.Match[str]) -> tuple[str, ...]:
    """Return the texts that an id may mean which has no letter; none where it has one, or can mean one text only."""
    options = [key for key in (f"o{int(match['number'])}",) if key in state.given]
    clear = match["letter"] or match["sign"] or not (options or match.group().strip(" #").startswith("0"))
    return () if clear else (*options, *(item.id for item in _texts_of(state, int(match["number"]))))


def _of_id(state: State, match: re.Match[str]) -> list[ProposalItem]:
    """Return the item of an id; for the number of a message its declared texts, without any those found in it."""
    number, letter, sign = int(match["number"]), match["letter"].lower(), match["sign"]
    if letter == "o":
        option = state.given.get(f"o{number}")
        return [option] if option and not sign else []
    exact = state.proposal(f"p{number}{sign}{int(match['place'])}") if sign else None
    texts = [exact] if exact else _texts_of(state, number)
    if not sign:
        return [item for item in texts if item.source == "declared"] or texts
    if exact is None and sign == "." and not int(match["place"]) and len(texts) == 1:
        exact = texts[0]  # `p5.0` is the one text of m5, though its first move be a position
    return [exact] if exact is not None else []


def _texts_of(state: State, number: int) -> list[ProposalItem]:
    """Return the proposals of a message, and those that a text of it joined."""
    known = (state.proposal(key) for key in state.by_message.get(number, ()))
    return list({item.id: item for item in known if item is not None}.values())


def _by_name(
    state: State, act: ReadAct, text: str, candidates: Sequence[ProposalItem], people: Sequence[str]
) -> Resolved | None:
    """Return what a title, a quotation, a name or words in a text stand for; None if it has none."""
    if titled := _by_title(state, act, text, candidates):
        return titled
    bags = [words(text), words(act.text)]
    if people:
        return _of_people(state, text, candidates, people, bags)
    whole = bags[0] | bags[1]
    described = _described(bags[0], candidates) or _described(whole, candidates)
    # Words that are no name of it describe a text only by more than one.
    fitting = [
        item
        for item in described
        if (len(bags[0]) > 1 and bags[0] <= item.words if _names(act) else overlap(item.words, whole) >= FITS)
    ]
    return _one(state, fitting, "words", 0.7) if fitting else None


def _by_title(state: State, act: ReadAct, text: str, candidates: Sequence[ProposalItem]) -> Resolved | None:
    """Return what a title, a label or a quotation in a text stands for; None if it has none."""
    if gone := closed_called(state, act, act.target):
        return Resolved((gone,), "quotation")
    options = state.options.mentioned(act.target, exactly=_names(act)) if state.given else ()
    if len(options) == 1 and not _says_more(state, act, options[0]):
        return Resolved(tuple(item for item in state.given.values() if item.text in options), "name")
    texts = tuple(NamedText(item.id, item.text, item.record.title) for item in candidates)
    named_in = text if _names(act) else f"{text}\n{act.text}"
    exact = [
        each
        for each in mentions(named_in, texts)
        if each.how != "id" and not _says_more(state, act, named_in[each.start : each.end])
    ]
    if not exact:
        return None
    named = frozenset.intersection(*(frozenset(each.ids) for each in exact))
    listed = list(dict.fromkeys(key for each in exact for key in each.ids))
    return _one(state, [item for item in candidates if item.id in named], "quotation", 0.95, listed)


def _names(act: ReadAct) -> bool:
    """Return whether an act is a declared move with a target: its reason may name what it is not about."""
    return act.source == "declared" and act.kind != "claim" and bool(act.target.strip())


def _says_more(state: State, act: ReadAct, name: str) -> bool:
    """Return whether a declared target has a name of one word in it and more words, which may mean another text."""
    own, vague = words(name), (*state.agents, *state.language.id_nouns, *state.language.which_text)
    more = words(act.target) - own - words(" ".join(vague))
    return _names(act) and len(own) == 1 < len(name) and own <= words(act.target) and bool(more)


def _of_people(
    state: State, text: str, candidates: Sequence[ProposalItem], people: Sequence[str], bags: Sequence[frozenset[str]]
) -> Resolved:
    """Return the text of somebody named; `bags` are the words of what is said of it, in order."""
    theirs = [item for item in candidates if item.by in people]
    if not theirs:
        return _unread("no open text", who=people)
    vague = words(" ".join((*people, *state.language.id_nouns, *state.language.which_text)))
    shares = [len(item.words & (bags[0] - vague)) / max(1, len(item.words)) for item in candidates]
    if state.language.part_of_text.search(lower(text)) and 0 < max(shares, default=0) <= WHOLE:
        return _unread("part", ids=[item.id for item in candidates if item.words & (bags[0] - vague)][-LISTED:])
    described = next(filter(None, (_described(bag - vague, theirs) for bag in bags)), theirs)
    return _one(state, described, "name", 1.0, who=people)


def _in_genitive(state: State, act: ReadAct, candidates: Sequence[ProposalItem]) -> list[str]:
    """Return the member whose name with the "s" of German begins a target: "Ilses Vorschlag", or words of its text."""
    called, _, said = act.target.strip().partition(" ")
    more = words(said) - words(" ".join((*state.language.id_nouns, *state.language.which_text)))
    return [
        *dict.fromkeys(
            item.by
            for item in candidates
            if item.by and called == f"{item.by.split()[0]}s" and said and more <= item.words
        )
    ]


def _described(given: frozenset[str], texts: Sequence[ProposalItem]) -> list[ProposalItem]:
    """Return the texts that share most of the words given, if no other text shares one that these do not."""
    shared = [item.words & given for item in texts]
    most = max(shared, key=len, default=frozenset())
    clear = bool(most) and all(each <= most for each in shared)
    return [item for item, own in zip(texts, shared, strict=True) if clear and own == most]


def _one(
    state: State,
    items: Sequence[ProposalItem],
    how: str,
    score: float,
    listed: Sequence[str] = (),
    who: Sequence[str] = (),
) -> Resolved:
    """Return the newest of some texts if all are versions of one motion."""
    if len({state.root(item) for item in items}) == 1:
        return Resolved((items[-1],), how, score)
    ids = listed or [item.id for item in items]
    return _unread("several open texts" if who else "any of", who=who, ids=ids[-LISTED:])
