"""How a member is marked on a page: its initials on a shape in a colour, always beside its name."""

from collections.abc import Mapping
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
    colour: int  # 1 to 6.


def badges_of(roles: Mapping[str, str]) -> dict[str, Badge]:
    """Return the badge of each member, given its role by its title, in seat order."""
    ways = [[_of(one_line(title), way) for title in roles] for way in range(4)]
    initials = [next((way[at] for way in ways if way.count(way[at]) == 1), ways[1][at]) for at in range(len(roles))]
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


def _of(title: str, way: int) -> str:
    """Return initials of a name: its first letter, its first two, those of its first and last words, first and last."""
    first, last = title[:1].upper(), title.rpartition(" ")[2][:1].upper()
    return (first, title[:2].capitalize(), first + last, first + title[-1:])[way]
