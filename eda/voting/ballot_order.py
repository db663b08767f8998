"""The order of the texts that a written vote names, from ordinals, numbers, order marks and words of ties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise, takewhile

from eda.events.outcome import Doubt, DoubtKind
from eda.events.votes import Rank
from eda.voting.ballot_clauses import ORDINALS, Item, ids_of, roles_of


class AskError(ValueError):
    """A vote has no one reading."""

    def __init__(self, kind: DoubtKind, texts: Iterable[str] = (), words: str = "") -> None:
        super().__init__(kind)
        self.doubt = Doubt(kind, tuple(texts), words=words)


@dataclass(slots=True)
class Entry:
    """A text that a clause names."""

    id: str
    refused: bool | None = None
    """None where no word says it: then it is accepted."""
    ruled: bool = False
    """Whether yes or no stands behind it."""
    rank: int = 0
    before: str = "line"
    """What parts it from the one before it: `line`, `order`, `comma`, `slash`, `and`, `tie`, or nothing."""
    tied: bool = False
    """Whether it is tied with the one before it."""


Segment = tuple[str, Sequence[Item]]
"""What commas and order marks part, with what stands before it."""


def once(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries without repetitions of the one before them: an id with its title."""
    before: Entry | None = None
    for entry in entries:
        if before is None or before.id != entry.id:
            yield (before := entry)
        else:
            before.refused = entry.refused if before.refused is None else before.refused
            before.ruled |= entry.ruled


def segments_of(clause: Sequence[Item]) -> Iterator[Segment]:
    """Yield the segments of a clause; order marks that stand beside a comma outweigh it."""
    segment, before = list[Item](), "line"
    for at, item in enumerate(clause):
        mark = {",": "comma", "/": "slash"}.get(item.word, "order" if roles_of([item]) & {"order", "over"} else "")
        behind = "behind" in item.roles and not ids_of(takewhile(lambda each: each.word != ",", clause[at + 1 :]))
        if behind and ids_of(segment):
            before = "order"  # "B after"
        elif "behind" in item.roles <= {"behind", "last"}:
            raise AskError("no order", ids_of(clause), item.word)  # "last: B"
        elif not mark:
            segment.append(item)
        elif any(each.ids is not None for each in segment):
            yield before, segment
            segment, before = [], mark
        elif mark != "comma":
            before = mark if mark == "order" or before == "comma" else before
    if segment:
        yield before, segment


def set_places(segments: Iterable[Segment], wanted: Sequence[Entry]) -> None:
    """Give texts the places that ordinals and numbers say; a number behind a mark is a score."""
    places: list[int] = []
    begun = late = tied = False
    for _, segment in segments:
        late |= begun and bool(roles_of(segment) & {*ORDINALS})
        begun |= bool(ids_of(segment))
        tied |= "tied" in roles_of(segment)  # "A and B, level at the top"
        for at, item in enumerate(segment):
            if item.ids is not None:
                continue
            if item.word[0].isdigit() and not item.roles:
                after = next((each for each in segment[at + 1 :] if each.word[0].isalnum() or each.ids), item)
                begins = after.ids is not None and not ids_of(segment[:at])
                if not item.word.isdigit() or not (begins or (at > 0 and segment[at - 1].ids)):
                    raise AskError("scores unsaid")
                places.append(int(item.word))
            elif "tied" not in item.roles:
                places += [place for place, name in enumerate(ORDINALS, 1) if name in item.roles][:1]
    if len(places) == len(wanted):
        for entry, place in zip(wanted, places, strict=True):
            entry.rank = place
    elif (
        places
        and wanted
        and not (tied and places == [1])
        and (late or places != [1] or any(each.before in {"and", ""} for each in wanted[1:]))
    ):
        raise AskError("no order", [each.id for each in wanted])


def set_ties(segments: Sequence[Segment], entries: Sequence[Entry]) -> None:
    """Tie the texts of a part between order marks that a word ties; refuse "A and B" without an order."""
    parts: list[list[Item]] = [[]]
    for before, segment in segments:
        if before == "order" and parts[-1]:
            parts.append([])
        parts[-1] += segment
    begin = 0
    for part in parts:
        end = begin + len(ids_of(part))
        wanted = [each for each in once(entries[begin:end]) if not each.refused]
        loose = len(parts) > 1 or "in_order" in roles_of(part)
        tied = any("tied" in item.roles and not (loose and "both" in item.roles) for item in part if not item.ids)
        if tied and len(wanted) == end - begin == 1:
            raise AskError("no order", [wanted[0].id])
        listed = any(each.before == "comma" for each in wanted[1:]) or "in_order" in roles_of(part)
        for entry in wanted[1:]:
            entry.tied = tied or entry.before == "tie"
            level = entry.before == "slash" or (entry.before == "and" and not listed)
            if level and not (entry.tied or entry.ruled or all(each.rank for each in wanted)):
                raise AskError("no order", [each.id for each in wanted])
        begin = end


def each_once(named: Iterable[Entry]) -> list[Entry]:
    """Return the entries without those of a text that an earlier one names, unless the two differ."""
    entries: dict[str, Entry] = {}
    named = [*named]
    level = {each.id for pair in pairwise(named) if pair[1].tied for each in pair}
    for entry in named:
        first = entries.setdefault(entry.id, entry)
        place = first.rank or [*entries].index(entry.id) + 1
        listed = entry.tied or entry.before in {"order", "comma"} or entry.id in level
        if first is not entry and (listed or entry.rank not in {0, place}):
            raise AskError("two votes", [entry.id])
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
        if any(each.rank not in {0, at, place} for at, (place, each) in enumerate(zip(dense, entries, strict=True), 1)):
            raise AskError("no order", [each.id for each in entries])
    ranks: list[tuple[str, ...]] = []
    for entry in entries:
        if entry.tied and ranks:
            ranks[-1] += (entry.id,)
        else:
            ranks.append((entry.id,))
    return tuple(each[0] if len(each) == 1 else each for each in ranks)
