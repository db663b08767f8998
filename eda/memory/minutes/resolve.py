"""Resolves what an act is about: by id, by quotation, by a member's name, then by words. It never guesses.

An id that exists is that item, open or closed. A name stands for the open motion of that member, a description for the
one text that it fits clearly. Anything else is unresolved, and the reason is put in words for the member.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from eda.events.acts import Unread, UnreadKind
from eda.memory.minutes.items import STANCES, Act, ProposalItem
from eda.memory.minutes.state import LISTED, State
from eda.memory.patterns import Language
from eda.text import bare, lower, names, normalise, overlap, words

CANDIDATES = 60  # Newest open texts that a name, a quotation or a description may stand for.
QUOTED = 50  # Characters of a text whose repetition quotes it.
SHORTEST = 12  # Characters below which a repetition quotes nothing.
WHOLE = 0.6  # Share of the words of a text beyond which a part of it is all of it.
FITS = 0.5  # Share of the words of a description that a text must have.
DESCRIBED = 4  # Most words after a member's name that tell in free talk which text of it is meant.
BARE = 8  # Words of a reason up to which it may say which text is meant.
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
    how: str = ""  # `id`, `reply`, `quotation`, `name`, `words` or `authorship`.
    score: float = 1.0
    why: tuple[Unread, ...] = ()  # Why nothing, or not all that was named, is resolved; empty if all is.
    named: bool = True  # False if the act names, quotes or describes nothing at all.


@dataclass(frozen=True, slots=True)
class _Search:
    """An act, the text that says what it is about, and the texts that it may be about without an id."""

    state: State
    act: Act
    declared: bool
    text: str
    candidates: Sequence[ProposalItem]
    bag: frozenset[str]
    reply_to: int | None


def resolve(state: State, act: Act, *, reply_to: int | None = None) -> Resolved:
    """Return the items that an act is about; its message answers `reply_to`."""
    declared = act.source == "declared" or (act.source == "minutes" and bool(act.target))
    brief = act.text if act.text.count(" ") < BARE else ""
    text = (act.target.strip() or brief) if declared else act.quote.text
    texts = (*state.given.values(), *state.newest_open(CANDIDATES))
    candidates = [item for item in texts if _may_be(state, act, item)]
    bag = words(f"{act.target} {act.text}" if declared else text)
    search = _Search(state, act, declared, text, candidates, bag, reply_to)
    for step in (
        _by_id,
        _by_reply,
        _by_quotation,
        _by_joining,
        _by_part,
        _by_name,
        _by_words,
        _by_authorship,
    ):
        resolved = step(search)
        if resolved is not None:
            return resolved
    if act.target.strip():
        return _unread("no such text", words=act.target.strip())
    return _unread("names nothing", named=False)


def _unread(
    kind: UnreadKind, *, named: bool = True, words: str = "", who: Sequence[str] = (), ids: Sequence[str] = ()
) -> Resolved:
    return Resolved(why=(Unread(kind, words, tuple(who), tuple(ids)),), named=named)


def names_own(act: Act) -> bool:
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


def _dead(state: State, match: re.Match[str]) -> Unread:
    """Return that an id does not exist, with the ids that its message made."""
    number = int(match["number"])
    texts = _texts_of(state, number)
    made, now = tuple(item.id for item in texts), tuple(item.amended_by or "" for item in texts)
    return Unread("no such id", match.group().strip(), ids=made, now=now, message=number)


def message_named(target: str) -> int | None:
    """Return the number of the message that a target names (`m20`); None if it names none."""
    match = _MESSAGE.fullmatch(target)
    return int(match[1]) if match else None


def _may_be(state: State, act: Act, item: ProposalItem) -> bool:
    """True if an act without an id may be about an item: its agent could have heard of it, and it is of its side."""
    if not state.could_hear(act.message, item.message) and item.by != act.agent:
        return False
    if act.kind == "withdraw":
        return item.by == act.agent
    return act.source == "declared" or act.kind == "amend" or item.by != act.agent


def _by_id(search: _Search) -> Resolved | None:
    """Return what the ids in the text stand for; None if it has none."""
    state, act = search.state, search.act
    items: dict[str, ProposalItem] = {}
    faults: list[Unread] = []
    matches = [match for match in _ID.finditer(search.text) if _is_id(search, match)]
    if len(matches) > 1 and act.source == "pattern" and act.kind in STANCES:
        return _unread("one of a sentence")
    for match in matches:
        if search.declared and (meant := _without_letter(state, match)):
            faults.append(Unread("no letter", match.group().strip(), ids=meant))
            continue
        named = _of_id(state, match, found=act.source == "minutes")
        if len(named) > 1:
            named = _fitting(words(f"{act.target} {act.text}"), named) or named
        written = match.group().strip()
        if len(named) != 1:
            faults.append(Unread("several", written) if named else _dead(state, match))
        elif named[0].by == act.agent or state.could_hear(act.message, named[0].message):
            items[named[0].id] = named[0]
        else:
            faults.append(Unread("not heard yet", written))
    if not items and not faults:
        return None
    return Resolved(tuple(items.values()), "id", why=tuple(faults))


def _any_of(listed: Iterable[str]) -> str:
    return "|".join(re.escape(lower(word)) for word in listed)


def _without_letter(state: State, match: re.Match[str]) -> tuple[str, ...]:
    """Return the texts that an id may mean which has no letter; none where it has one, or can mean one text only."""
    options = [key for key in (f"o{int(match['number'])}",) if key in state.given]
    clear = match["letter"] or match["sign"] or not (options or match.group().strip(" #").startswith("0"))
    return () if clear else (*options, *(item.id for item in _texts_of(state, int(match["number"]))))


def _is_id(search: _Search, match: re.Match[str]) -> bool:
    """True if a match is meant as an id. In free talk, which cites figures, only a full one is."""
    letter, exists = match["letter"].lower(), bool(_of_id(search.state, match))
    if not search.declared:
        return (letter == "p" and (exists or bool(match["sign"]))) or (letter == "o" and exists)
    alone = match.group() == search.text.strip(" .,;:!?\"'()[]")
    return alone or bool(letter or match["mark"]) or (exists and bool(match["sign"]))


def _of_id(state: State, match: re.Match[str], *, found: bool = False) -> list[ProposalItem]:
    """Return the item of an id; for the number of a message its declared texts, and those `found` in it if wanted.

    Where it has no declared ones, those found in it are meant anyway.
    """
    number, letter = int(match["number"]), match["letter"].lower()
    if letter == "o":
        option = state.given.get(f"o{number}")
        return [option] if option and not match["sign"] else []
    place = int(match["place"]) if match["sign"] else 0
    if match["sign"]:
        exact = state.proposal(f"p{number}{match['sign']}{place}")
        if exact is not None or (match["sign"] == "." and place):
            return [exact] if exact is not None else []
    texts = _texts_of(state, number)
    if match["sign"] == "@":  # offsets move when patterns change
        texts = [item for item in texts if item.source != "declared"]
    if match["sign"]:  # `p5.0` is the one text of m5, though its first move be a position
        return texts if len(texts) == 1 else []
    return ([] if found else [item for item in texts if item.source == "declared"]) or texts


def _texts_of(state: State, number: int) -> list[ProposalItem]:
    """Return the proposals of a message, and those that a text of it joined."""
    known = (state.proposal(key) for key in state.by_message.get(number, ()))
    return list({item.id: item for item in known if item is not None}.values())


def _by_reply(search: _Search) -> Resolved | None:
    people = _people(search)
    answered = [item for item in search.candidates if item.message == search.reply_to]
    answered = [item for item in answered if not people or item.by in people]
    return Resolved((answered[0],), "reply") if not search.declared and len(answered) == 1 else None


def _by_quotation(search: _Search) -> Resolved | None:
    """Return what the text repeats from its beginning, or quotes a part of."""
    text = f"{search.text}\n{search.act.text}" if search.declared else search.text
    whole, parts = bare(text), [bare(quotation) for quotation in _QUOTATION.findall(normalise(text))]
    quoting = [
        item
        for item in search.candidates
        if (len(item.plain) >= SHORTEST and item.plain[:QUOTED] in whole) or any(part in item.plain for part in parts)
    ]
    return _one(quoting, "quotation", 0.95) if quoting else None


def _by_joining(search: _Search) -> Resolved | None:
    item = joined_text(search.state, search.act, search.text) if search.declared else None
    return Resolved((item,), "name") if item else None


def _by_part(search: _Search) -> Resolved | None:
    """Leave open what speaks of an idea in a text that has more: `the idea of Walter with the fourteen days`."""
    text, language = search.text, search.state.language
    if not search.declared or not language.part_of_text.search(lower(normalise(text))):
        return None
    given = words_given(text, _people(search), language, whole=True)
    having = [item for item in search.candidates if item.words & given]
    if not having or any(len(item.words & given) > WHOLE * len(item.words) for item in having):
        return None
    return _unread("part", ids=[item.id for item in having[-LISTED:]])


def _only_text_of(state: State, act: Act, name: str) -> ProposalItem | None:
    own = [item for item in state.newest_open(CANDIDATES) if item.by == name and _may_be(state, act, item)]
    return own[0] if len(own) == 1 else None


def joined_text(state: State, act: Act, text: str) -> ProposalItem | None:
    """Return the one open text that joins others, of the member named if one is, where a brief text speaks of that.

    "The text above" is the one that its own message puts.
    """
    low = lower(normalise(text))
    if state.language.text_above.fullmatch(low):
        own = _texts_of(state, act.message)
        return own[0] if len(own) == 1 else None
    people = [name for name in state.agents if names(low, name)]
    if len(people) == 1 and state.language.text_of_member.fullmatch(low):
        return _only_text_of(state, act, people[0])
    if not state.language.joined_text.search(low) or text.count(" ") >= BARE:
        return None
    texts = (item for item in state.newest_open(CANDIDATES) if item.joins and item.by in (people or (item.by,)))
    joined = [item for item in texts if item.message == act.message or _may_be(state, act, item)]
    return joined[0] if len(joined) == 1 else None


def _by_name(search: _Search) -> Resolved | None:
    """Return what the name of a member or option in the text stands for; None if it names none."""
    state, act = search.state, search.act
    if search.declared and state.given:
        options = state.options.mentioned(act.target)
        if len(options) == 1:
            return Resolved(tuple(item for item in state.given.values() if item.text in options), "name")
    people = _people(search)
    if not people:
        return None
    theirs = [item for item in search.candidates if item.by in people]
    described = texts_described(words_given(search.text, people, state.language, whole=search.declared), theirs)
    if described and len({state.root(item) for item in described}) == 1:
        return Resolved((described[-1],), "name")
    bag = search.bag.difference(*map(words, people))
    fitting = _fitting(bag, theirs) if len(theirs) > 1 else []
    if len(fitting) == 1:
        return Resolved((fitting[0],), "name")
    if theirs and len(people) == 1:
        return _of_one_motion(state, theirs, people[0])
    return _unread("several open texts" if theirs else "no open text", who=people, named=search.declared)


def _people(search: _Search) -> list[str]:
    """Return the other members whom the text names."""
    low = lower(normalise(search.text))
    return [name for name in search.state.agents if name != search.act.agent and names(low, name)]


def words_given(text: str, people: Iterable[str], language: Language, *, whole: bool = False) -> frozenset[str]:
    """Return the words that tell which text of a member is meant: of the `whole` text, or right after its name."""
    plain, vague = normalise(text), words(" ".join((*language.id_nouns, *language.which_text)))
    forms = {form for name in people for form in (name, name.split()[0])}
    after = re.findall(rf"\b(?:{_any_of(forms)})'s((?: [\w-]+){{1,{DESCRIBED}}})", lower(plain))
    return words(plain if whole else " ".join(after)).difference(vague, *map(words, forms))


def texts_described(given: frozenset[str], texts: Sequence[ProposalItem]) -> list[ProposalItem]:
    """Return the texts that share the words given, if no other text shares one that these do not."""
    shared = [item.words & given for item in texts]
    most = max(shared, key=len, default=frozenset())
    return [
        item for item, own in zip(texts, shared, strict=True) if own == most and all(x <= most for x in shared) and most
    ]


def _by_words(search: _Search) -> Resolved | None:
    target = words(search.act.target)
    fitting = _fitting(target, search.candidates, fewest=1) or _fitting(search.bag, search.candidates)
    return _one(fitting, "words", 0.7) if fitting else None


def _by_authorship(search: _Search) -> Resolved | None:
    """Return the one open motion of who withdraws and names nothing."""
    if search.act.kind != "withdraw" or search.act.target.strip() or not search.candidates:
        return None
    of_one = _of_one_motion(search.state, search.candidates, search.act.agent)
    return replace(of_one, how="authorship") if of_one.items else of_one


def _of_one_motion(state: State, items: Sequence[ProposalItem], author: str) -> Resolved:
    """Return the newest of some texts if all are versions of one motion."""
    if len({state.root(item) for item in items}) == 1:
        return Resolved((items[-1],), "name")
    return _unread("several open texts", who=(author,), ids=[item.id for item in items[-LISTED:]])


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
    return _unread("any of", ids=[item.id for item in items[:LISTED]])
