"""Reads what a ballot in prose says beside its vote: further texts that it accepts or wants beside it, and why.

Only words that leave no doubt count: "first", "second", "beside it", "moved me". What is left names the vote.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from eda.voting.naming import FIRST_MASK, marked

_MARK = r"[\"'(*_`\[]*(?P<text>[\ue000-\uf8ff])[\"')*_`\]]*"
_PLACE = r"(?P<place>first|second|third|fourth|fifth)(?: best| choice)?"
_RANKED = re.compile(
    rf"(?:(?:^|(?<=[.,;:!])|\b(?:and|then))\s*(?:my |the )?{_PLACE}(?: is| comes| would be| goes to)?:? )?{_MARK}"
    rf"(?(place)|(?: (?:as|is|comes) (?:my )?| )(?P<after>first|second|third|fourth|fifth)\b)"
)
"""A text with its place: `p8.0 second`, `Second best would be p4.0`."""
_CLAUSE = re.compile(r"[^.;!?]*?(?:,? (?:and|but) (?=i )|[.;!?]|$)")
_BESIDE = re.compile(r"\b(?:beside|alongside|in addition to) (?:it|that|this|the answer|whichever|whatever)|^\W*also\b")
_UNSURE = re.compile(r"\b(?:not|no|never|nor|without|against|if|unless|instead|rather)\b|\?")
_PLACES = ("first", "second", "third", "fourth", "fifth")
_SURE = re.compile(r"\bconfiden(?:ce|t)\b[^\d.;!?]{0,12}(\d{1,3}(?:[.,]\d+)? ?(?:%|/ ?10\b)?)", re.IGNORECASE)
_MOVED = re.compile(
    r"\bm(\d{1,6})(?: has| really)? (?:moved|convinced|persuaded) me\b|"
    r"\b(?:moved|convinced|persuaded)(?: most)? by:? \**m(\d{1,6})\b",
    re.IGNORECASE,
)
_WHY = re.compile(r"^[\s*_]*reason[\s*_]*:[\s*_]*(\S.*)", re.IGNORECASE | re.MULTILINE | re.DOTALL)
_FEW = 8
"""Words of a ballot that only votes."""


class Stated(NamedTuple):
    """What prose says in so many words of texts besides its vote."""

    first: str = ""
    later: tuple[str, ...] = ()  # From the second place on.
    also: tuple[str, ...] = ()


def stated_in(text: str, choices: Sequence[str]) -> tuple[Stated, str]:
    """Return what a ballot in prose says of further texts, and the rest of it, where its vote stands."""
    of = {chr(FIRST_MASK + place): choice for place, choice in enumerate(choices)}
    places: dict[int, str] = {}
    also: list[str] = []
    lines: list[str] = []
    for line in text.splitlines():
        rest = ""
        for clause in _CLAUSE.findall(marked(line, choices)):
            named = [of[sign] for sign in clause if sign in of]
            if not named or _UNSURE.search(clause):
                rest += clause
            elif _BESIDE.search(clause):
                also += named
            else:
                rest += _RANKED.sub(lambda match: _unranked(match, of, places), clause)
        lines.append("".join(of[sign].rstrip(".") if sign in of else sign for sign in rest))
    later = tuple(places[place] for place in sorted(places) if place)
    return Stated(places.get(0, ""), later, tuple(dict.fromkeys(also))), "\n".join(lines)


def _unranked(match: re.Match[str], of: Mapping[str, str], places: dict[int, str]) -> str:
    """Note the place of a text; return nothing in its stead where it is a clear one below the first."""
    place, ranks = _PLACES.index(match["place"] or match["after"]), of[match["text"]]
    return "" if places.setdefault(place, ranks) == ranks and place else match[0]


def said_beside(text: str) -> dict[str, Any]:
    """Return `confidence`, `moved_by` and `reason` as far as prose says them.

    The reason is what follows that word, else the whole of it where it is more than a vote.
    """
    sure, moved, why = _SURE.search(text), _MOVED.search(text), _WHY.search(text)
    reason = why[1] if why else text if len(text.split()) > _FEW else ""
    says = {"confidence": sure and sure[1].strip(), "moved_by": moved and f"m{moved[1] or moved[2]}", "reason": reason}
    return {name: value for name, value in says.items() if value}
