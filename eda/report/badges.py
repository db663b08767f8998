"""How a member is marked on a page: its initials on a shape in a colour, always beside its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eda.report.formatting import one_line

_SHAPES = ("circle", "square", "diamond", "hexagon", "shield", "octagon")


@dataclass(frozen=True, slots=True)
class Badge:
    """A member's mark."""

    title: str
    role: str
    initials: str
    shape: str
    colour: int
    """1 to 6."""


def badges_of(roles: Mapping[str, str]) -> dict[str, Badge]:
    """Return the badge of each member, given its role by its title, in seat order."""
    initials = _initials([*map(one_line, roles)])
    return {
        title: Badge(
            one_line(title),
            one_line(role),
            initials[place],
            # From the seventh on the colours are the same, each with the next shape.
            _SHAPES[(place + place // len(_SHAPES)) % len(_SHAPES)],
            place % len(_SHAPES) + 1,
        )
        for place, (title, role) in enumerate(roles.items())
    }


def _initials(titles: Sequence[str]) -> list[str]:
    """Return one letter of each name, two where others begin with the same."""
    first = [title[:1].upper() for title in titles]
    return [title[:2].capitalize() if first.count(one) > 1 else one for title, one in zip(titles, first, strict=True)]
