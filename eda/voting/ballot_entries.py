"""Reads the texts that a clause names, in their order: what it says of each, places, ties."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise, takewhile

from eda.events import Rank
from eda.voting.ballot_clauses import CODES, ORDINALS, AskError, Item, ask_where, ids_of, names_next, roles_of


@dataclass(slots=True)
class Entry:
    """A text that a clause names."""

    id: str
    refused: bool | None = None  # None where no word says it: then it is accepted.
    ruled: bool = False  # Whether yes or no stands behind it.
    rank: int = 0
    before: str = "line"
    """What parts it from the one before it: `line`, `order`, `comma`, `slash`, `and`, `tie`, or nothing."""
    tied: bool = False  # Whether it is tied with the one before it.


_LONGEST = 1000  # Parts of a clause that is a vote; to read one takes their number squared.
_FAR = 64  # Parts of a clause behind "after" among which the text stands that it puts there.
Segment = tuple[str, Sequence[Item]]
"""What commas and order marks part, with what stands before it."""


def entries_in(clause: Sequence[Item], *, refused: bool | None) -> list[Entry]:
    """Return the texts that a clause names, in its order, with what it says of each."""
    ask_where(len(clause) > _LONGEST, "other words")
    segments, named, entries = [*_segments_of(clause)], ids_of(clause), list[Entry]()
    denied = spoken = False
    for before, segment in segments:
        roles = roles_of(segment)
        ask_where(
            denied and ids_of(segment) and roles.isdisjoint({"refuse", "accept", "only", "and"}),
            "other words",
            words=segment[0].word,
        )  # "not A, B"
        refused = False if roles & {"only", "refuse"} == {"only"} else refused
        ask_where(_is_lost(before, segment), "no order", named)
        own, refused = _named_in(segment, refused, entries, before)
        denied = _reaches_on(segment)
        # "not A first", "A, I prefer B"
        ask_where(
            (denied and len(own) == 1 and roles & {*ORDINALS}) or (own and entries and "prefers" in roles),
            "no order",
            named,
        )
        spoken |= bool(roles & {"accept", "order", *ORDINALS}) and not all(each.refused for each in own)
        if not spoken and _sweeps(segment, own):
            entries = [replace(each, refused=True) for each in entries]
        if own and (entries or before == "order"):
            own[0].before = before
        entries += own
    _set_places(segments, [each for each in _once(entries) if not each.refused])
    _set_ties(segments, entries)
    return [*_once(entries)]


def _segments_of(clause: Sequence[Item]) -> Iterator[Segment]:
    """Yield the segments of a clause; order marks that stand beside a comma outweigh it."""
    segment, before = list[Item](), "line"
    for at, item in enumerate(clause):
        mark = {",": "comma", "/": "slash"}.get(item.word, "order" if roles_of([item]) & {"order", "over"} else "")
        behind = "behind" in item.roles and not ids_of(
            takewhile(lambda each: each.word != ",", clause[at + 1 : at + _FAR])
        )
        if behind and ids_of(segment):
            before = "order"  # "B after"
        elif "behind" in item.roles <= {"behind", "last"}:
            raise AskError("no order", ids_of(clause), item.word)  # "last: B"
        elif not mark:
            segment.append(item)
        elif any(each.ids is not None for each in segment) or (segment and mark == before == "order"):
            yield from _sides_apart(before, segment)
            segment, before = [], mark
        elif mark != "comma":
            before = mark if mark == "order" or before == "comma" else before
    if segment:
        yield from _sides_apart(before, segment)


def _sides_apart(before: str, segment: Sequence[Item]) -> Iterator[Segment]:
    """Yield the parts of a segment by "and" where each takes a side on a text: "A is out and I take B"; else itself."""
    joints = [at for at, item in enumerate(segment) if "and" in item.roles and item.ids is None]
    parts = [segment[start:end] for start, end in pairwise((0, *joints, len(segment)))]
    apart = "refuse" in roles_of(segment) and all(ids_of(p) and roles_of(p) & {"accept", "refuse"} for p in parts)
    yield from zip((before, *["and"] * len(joints)), parts, strict=True) if apart else [(before, segment)]


def _reaches_on(segment: Sequence[Item]) -> bool:
    """Return whether the no of a segment may be about the next one: in "not A, B", but not in "no: A, B"."""
    return "negator" in roles_of(segment) and all(item.word != ":" for item in segment)


def _is_lost(before: str, segment: Sequence[Item]) -> bool:
    """Return whether words at a place of an order name no text, and do not end it: "A, then hers"."""
    ends = ids_of(segment) or roles_of(segment) & {"rest", "done", "none", "refuse"}
    return before == "order" and not ends and any(item.word[0].isalnum() for item in segment)


def _sweeps(segment: Sequence[Item], own: Sequence[Entry]) -> bool:
    """Return whether a segment refuses the texts before it as well as its own: "A, B and C are not acceptable"."""
    several = len(own) > 1 or "plural" in roles_of(segment) or any(item.word == ":" for item in segment)
    return several and bool(own) and all(each.refused and each.ruled for each in own)


def _named_in(
    segment: Sequence[Item], refused: bool | None, earlier: Sequence[Entry], before: str
) -> tuple[list[Entry], bool | None]:
    """Return the texts of a segment with what it says of each, and what holds for the segments after it."""
    named, roles = _texts_in(segment), roles_of(segment)
    entries = [*named.values()]
    if not named:
        ask_where(
            "refuse" in roles and "done" not in roles and earlier, "other words", words=segment[0].word
        )  # "A, B, no"
        return [], ("refuse" in roles and not earlier) or None
    sides = {
        at: "refuse" in item.roles
        for at, item in enumerate(segment)
        if item.roles & {"accept", "refuse"} and not item.ids
    }
    _deny(segment, named, sides)
    if sides and min(named) < min(sides) and max(named) < max(sides):  # "A no", "A yes B no"
        for at, entry in named.items():
            entry.refused, entry.ruled = next(side for place, side in sides.items() if place > at), True
        return entries, refused
    refused = _carried(segment, named, sides, refused, earlier)
    refused = _sided(named, sides, refused, {*roles, before} & {"order", *ORDINALS})
    carries = not refused or "negator" not in roles or all(each.refused for each in (*earlier, *entries))
    return entries, refused if carries else None


def _carried(
    segment: Sequence[Item],
    named: Mapping[int, Entry],
    sides: Mapping[int, bool],
    refused: bool | None,
    earlier: Sequence[Entry],
) -> bool | None:
    """Return what holds for a segment from those before it: nothing where it says yes, as in "no to A, yes to B".

    Raises:
        AskError: "I do not take A, accept B", "A is out I take B and C", "I take A B no" have two readings.
    """
    first, last, roles = min(sides, default=0), max(sides, default=0), roles_of(segment)
    joined = {"and", "order"} & (segment[first].roles | segment[first - 1].roles)
    inside = any(sides.values()) and min(named) < first < max(named) and not joined
    around = len(named) > 1 and first < min(named) and max(named) < last and sides[last] and not sides[first]
    either = refused and earlier and roles & {"accept", "refuse", "says_yes"} == {"accept"}
    ask_where(inside or around or either, "other words", ids_of(segment))
    return None if earlier and "says_yes" in roles else refused


def _deny(segment: Sequence[Item], named: Mapping[int, Entry], sides: dict[int, bool]) -> None:
    """Make a yes a no where its "not" stands behind it: "A nehme ich nicht an"; ask what else says both of a text."""
    for before, at in pairwise([*sides]):
        if sides[before] or not sides[at]:
            continue
        if "denies" in segment[at].roles and at > max(named):
            sides[before] = True
        elif before > min(named) and named.keys().isdisjoint(range(before, at)):
            raise AskError("other words", words=segment[at].word)


def _sided(
    named: Mapping[int, Entry], sides: Mapping[int, bool], refused: bool | None, places: Iterable[str]
) -> bool | None:
    """Give each text the side that the words before it take; return what holds behind the last."""
    ask_where(refused and places and not sides, "no order", [each.id for each in named.values()])  # "no A, B first"
    between = False
    for at in sorted({*named, *sides}):
        if at in named:
            named[at].refused, between = refused, True
        elif at < max(named) and (sides[at] or not refused or between):
            refused, between = sides[at], False
    return refused


def _texts_in(segment: Sequence[Item]) -> dict[int, Entry]:
    """Return the texts of a segment by their places in it, each with what joins it to the one before it."""
    entries: dict[int, Entry] = {}
    before, joined, last = Item("\n"), "", ""
    told = [item for item in segment if item.ids or item.roles & {"accept", "refuse"}]
    turns = [False, True] * (not any(item.word.isalnum() for item in told if not item.ids))  # "✅ A ❌ B"
    paired = [bool(item.ids) for item in told] in ([True, False] * (len(told) // 2), turns * (len(told) // 2))
    for at, item in enumerate(segment):
        if item.ids:
            beside = paired or (item.how in CODES and before.how == item.how)
            ask_where(last not in ("", item.ids[0]) and not joined and not beside, "two texts", (last, item.ids[0]))
            entries[at] = Entry(item.ids[0], ruled="yes" in before.roles and not before.word.isalnum(), before=joined)
            joined, last = "", item.ids[0]
        elif "tie" in item.roles:
            joined = "tie"
        elif item.word.isdigit() and not item.roles:
            joined = "comma"  # "1. A 2. B"
        elif "and" in item.roles:
            joined = joined or "and"
        before = item
    return entries


def _set_places(segments: Iterable[Segment], wanted: Sequence[Entry]) -> None:
    """Give texts the places that ordinals and numbers say; a number behind a mark is a score."""
    places: list[int] = []
    begun = late = tied = False
    for _, segment in segments:
        late |= begun and bool(roles_of(segment) & {*ORDINALS})
        begun |= bool(ids_of(segment))
        tied |= "tied" in roles_of(segment)  # "A and B, level at the top"
        places += _places_in(segment)
    if len(places) == len(wanted):
        for entry, place in zip(wanted, places, strict=True):
            entry.rank = place
        return
    if not places or not wanted or (tied and places == [1]):
        return
    ask_where(
        late or places != [1] or any(each.before in {"and", ""} for each in wanted[1:]),
        "no order",
        [each.id for each in wanted],
    )


def _places_in(segment: Sequence[Item]) -> Iterator[int]:
    """Yield the places that a segment says."""
    for at, item in enumerate(segment):
        if item.ids is not None:
            continue
        if item.word[0].isdigit() and not item.roles:
            behind = at > 0 and segment[at - 1].ids
            ask_where(
                not item.word.isdigit() or not (behind or (names_next(segment[at + 1 :]) and not ids_of(segment[:at]))),
                "scores unsaid",
            )
            yield int(item.word)
        elif "tied" not in item.roles:
            yield from [place for place, name in enumerate(ORDINALS, 1) if name in item.roles][:1]


def _set_ties(segments: Sequence[Segment], entries: Sequence[Entry]) -> None:
    """Tie the texts of a part between order marks that a word ties; refuse "A and B" without an order.

    One text twice in an order is refused as well: "first the trees, then the beds", where one has both.
    """
    ask_where(  # "+ A, no to B"
        any(item.word == "+" for _, segment in segments for item in segment) and any(each.refused for each in entries),
        "other words",
    )
    ask_where(
        twice := [a.id for a, b in pairwise(entries) if a.id == b.id and b.before == "order"],
        "no order",
        dict.fromkeys(twice),
    )
    parts: list[list[Item]] = [[]]
    for before, segment in segments:
        if before == "order" and parts[-1]:
            parts.append([])
        parts[-1] += segment
    begin = 0
    for part in parts:
        end = begin + len(ids_of(part))
        _tie(part, entries[begin:end], alone=len(parts) == 1)
        begin = end


def _tie(part: Sequence[Item], entries: Sequence[Entry], *, alone: bool) -> None:
    """Tie the texts of one part; "both" ties none beside other parts."""
    wanted = [each for each in _once(entries) if not each.refused]
    ids, in_order = [each.id for each in wanted], "in_order" in roles_of(part)
    tied = _is_tied(part, entries, {"tied"} if alone and not in_order else {"tied", "both"})
    ask_where(tied and len(wanted) == len(entries) == 1, "no order", ids)
    listed = in_order or any(each.before == "comma" for each in wanted[1:])
    level = {"slash"} if listed else {"slash", "and"}
    for entry in wanted[1:]:
        entry.tied = tied or entry.before == "tie"
        ask_where(
            entry.before in level and not (entry.tied or entry.ruled or all(each.rank for each in wanted)),
            "no order",
            ids,
        )


def _is_tied(part: Sequence[Item], entries: Sequence[Entry], ties: set[str]) -> bool:
    """Return whether a word ties the texts of a part; none where it but repeats a mark: "A = B equally, C".

    Raises:
        AskError: "A and B equally, C" does not say whether C is tied, too.
    """
    at = next((at for at, item in enumerate(part) if item.roles & ties == {"tied"} and not item.ids), None)
    before = len(ids_of(part[:at]))
    if at is None or (before and entries[before - 1].before == "tie"):
        return False
    ask_where(
        before > 1 and any(each.before == "comma" and not each.refused for each in entries[before:]),
        "no order",
        ids_of(part),
    )
    return True


def _once(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries without repetitions of the one before them: an id with its title."""
    before: Entry | None = None
    for entry in entries:
        if before is None or before.id != entry.id:
            yield (before := entry)
        else:
            before.refused = entry.refused if before.refused is None else before.refused
            before.ruled |= entry.ruled


def each_once(named: Sequence[Entry]) -> list[Entry]:
    """Return the entries without those of a text that an earlier one names, unless the two differ."""
    entries: dict[str, Entry] = {}
    level = {each.id for pair in pairwise(named) if pair[1].tied for each in pair}
    for entry in named:
        first = entries.setdefault(entry.id, entry)
        place = first.rank or [*entries].index(entry.id) + 1
        listed = entry.tied or entry.before in {"order", "comma"} or entry.id in level
        ask_where(first is not entry and (listed or entry.rank not in {0, place}), "two votes", [entry.id])
    return [*entries.values()]


def ranked(entries: list[Entry]) -> tuple[Rank, ...]:
    """Return the texts accepted, best first, with those that are tied together: yes beside each is a tie, too."""
    places = [each.rank for each in entries]
    if len(entries) > 1 and all(each.ruled and each.before != "order" for each in entries) and sum(places) < 2:
        entries.sort(key=lambda each: -each.rank)
        for before, entry in pairwise(entries):
            entry.tied = before.rank == 0
    elif any(places) and len({*places}) > min(1, len(places) - 1):  # as one list numbers all its rows 1
        if 0 not in places:
            entries.sort(key=lambda each: each.rank)
        dense = accumulate(not each.tied for each in entries)
        ask_where(
            any(
                each.rank not in {0, at, place} for at, (place, each) in enumerate(zip(dense, entries, strict=True), 1)
            ),
            "no order",
            [each.id for each in entries],
        )
    ranks: list[tuple[str, ...]] = []
    for entry in entries:
        if entry.tied and ranks:
            ranks[-1] += (entry.id,)
        else:
            ranks.append((entry.id,))
    return tuple(each[0] if len(each) == 1 else each for each in ranks)
