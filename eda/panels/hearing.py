"""Who hears whom: named graphs over the seats of a panel, or a matrix."""

from collections.abc import Callable, Mapping
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticKnownError

from eda.errors import UsageError

Matrix = tuple[tuple[bool, ...], ...]
GRAPHS: Mapping[str, Callable[[int, int, int], bool]] = {
    "all": lambda _listener, _speaker, _seats: True,
    "none": lambda _listener, _speaker, _seats: False,
    "self": lambda listener, speaker, _: listener == speaker,
    "ring": lambda listener, speaker, seats: (listener - speaker) % seats in (0, 1, seats - 1),
    "star": lambda listener, speaker, _: listener == speaker or 0 in (listener, speaker),
    "relay": lambda listener, speaker, seats: (listener - speaker) % seats in (0, 1),
    "tree": lambda listener, speaker, _: listener == 0 or speaker != 0,
}
"""Whether a seat hears another, of so many seats: `ring` hears both neighbours, `relay` the seat before, `star` and
`tree` have the first seat hear all. In a star the others hear that seat alone; in a tree they hear one another, but not
that seat. A member keeps its own words under each but `none`."""


def _known(hears: str | Matrix) -> str | Matrix:
    if isinstance(hears, str) and hears not in GRAPHS:
        raise PydanticKnownError(
            "literal_error", {"expected": f"{', '.join(map(repr, GRAPHS))}, or a row of 0 and 1 for each member"}
        )
    return hears


Hearing = Annotated[str | Matrix, AfterValidator(_known)]
"""A name of `GRAPHS`, or a row for each seat: 1 for each seat that it hears. A member always hears itself there."""


def can_hear(hears: str | Matrix, listener: int, speaker: int, seats: int) -> bool:
    """Return whether seat `listener` hears seat `speaker`, numbered from 0, on a panel of `seats` at its beginning."""
    if isinstance(hears, str):
        return GRAPHS[hears](listener, speaker, seats)
    return listener == speaker or (max(listener, speaker) < len(hears) and hears[listener][speaker])


def check_hearing(hears: str | Matrix, members: int, people: int) -> None:
    """Refuse a matrix that does not fit the panel, and a person where not all hear all.

    Raises:
        UsageError: that is so.
    """
    if not isinstance(hears, str) and {members} != {len(hears), *map(len, hears)}:
        rows = ", ".join(str(len(row)) for row in hears) or "no row"
        raise UsageError(
            f"'hears' does not fit {members} members: it has rows of {rows}",
            hint=f"Give {members} rows of {members}, in seat order: 1 for each member that the row's member hears.",
        )
    if hears != "all" and people:
        raise UsageError(
            "a person follows the whole debate, so 'hears' cannot be limited where a person sits",
            hint="Leave 'hears' out, or seat no person.",
        )
