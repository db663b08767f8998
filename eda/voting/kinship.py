"""What the texts of a ballot are to each other: wordings of one motion, and parts that another text has joined."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from eda.events.votes import BallotText


class Kin(NamedTuple):
    """What one text of a ballot is to another of its motion."""

    kind: Literal["", "wording", "original", "part", "taken into", "takes in"] = ""
    """`wording`: it rewords the texts of `of`; `original`: they reword it; empty where it says nothing but `option`."""
    of: tuple[str, ...] = ()
    """Ids of texts."""
    option: str = ""
    """Id of the given option that it rewords; empty where it rewords none."""


def option_of(text: BallotText) -> str:
    """Return the id of the given option that a text rewords; empty where it rewords none."""
    return text.motion if text.motion != text.id and re.fullmatch(r"o\d+", text.motion) else ""


def kinship(text: BallotText, other: str, texts: Sequence[BallotText]) -> Kin:
    """Return what a text is to `other`, the id of a text of the same motion; nothing where it is itself."""
    option = option_of(text)
    if takers := [each.id for each in texts if each.takes_in(text)]:  # of what was not decided it is a part
        return Kin("taken into", (other,), option) if other in takers else Kin("part", (takers[0],), option)
    parts = [each for each in texts if text.takes_in(each)]
    if parts and not any(each.id == other != text.id and all(map(each.takes_in, parts)) for each in texts):
        return Kin("takes in", tuple(part.id for part in parts), option)
    if text.id == other:
        return Kin()
    if text.id != text.motion:
        return Kin(option=option) if option else Kin("wording", (other,))
    same = tuple(t.id for t in texts if (t.motion, t.root) == (text.motion, text.root) and t.id != text.id)
    return Kin("original", same or (other,))
