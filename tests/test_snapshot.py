"""The codec of saved memory: each kind of field comes back equal, and what it cannot hold is refused at once."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field

import pytest

from eda.events import Ballot
from eda.events.records import Line, Quote
from eda.memory.snapshot import Given, dump, load


@dataclass
class Part:
    """One field of each kind that memory uses."""

    reader: Given[str]
    count: int = 0
    choice: str | None = None
    quote: Quote | None = None
    lines: list[Line] = field(default_factory=list)
    pairs: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    by_range: dict[tuple[int, int], Line] = field(default_factory=dict)
    by_number: dict[int, str] = field(default_factory=dict)
    seen: dict[str, None] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    last: deque[Line] = field(default_factory=lambda: deque(maxlen=2))
    ballots: dict[str, Ballot] = field(default_factory=dict)
    derived: int = field(init=False)

    def __post_init__(self) -> None:
        self.derived = self.count * 2


@dataclass
class Unknown:
    """A kind of field that no snapshot holds."""

    what: complex = 0j


FULL = Part(
    "a reader",
    3,
    "A",
    Quote(1, 0, 4, "text"),
    [Line(1, "Ann", "Hello.")],
    {"Ann": [("x", 1), ("y", 2)]},
    {(1, 12): Line(1, "Ann", "Hello.")},
    {7: "seven"},
    {"second": None, "first": None},
    frozenset(["b", "a"]),
    deque([Line(2, "Ben", "Yes."), Line(3, "Ann", "No.")], 2),
    {"Ann": Ballot(agent="Ann", choice=None, scores={"A": 1.5})},
)


def test_every_kind_of_field_comes_back_equal() -> None:
    """A resumed session would go on from another state than the one it was saved in."""
    again = load(Part, json.loads(json.dumps(dump(FULL))), reader="a reader")
    assert again == FULL
    assert (again.last.maxlen, list(again.seen), again.derived) == (2, ["second", "first"], 6)


def test_only_what_differs_from_its_default_is_written() -> None:
    """`memory.json` of a long session would be twice as large, and a new field would make an older one unreadable."""
    assert dump(Part("a reader")) == {}
    assert load(Part, {}, reader="another") == Part("another")
    assert "derived" not in dump(FULL)
    assert "reader" not in dump(FULL)


@pytest.mark.parametrize("data", [{"nothing": 1}, {"lines": [3]}, {"lines": [{"number": 1}]}, {"pairs": 4}, [], None])
def test_what_was_not_saved_as_this_part_is_refused(data: object) -> None:
    """A damaged file must be told from a saved one, and never end in a traceback of the codec."""
    with pytest.raises(ValueError, match="no saved Part"):
        load(Part, data, reader="a reader")


def test_a_field_that_cannot_be_saved_is_refused_by_name() -> None:
    """A part with such a field would be saved without it, and nobody would see that until a resume."""
    with pytest.raises(TypeError, match="complex"):
        dump(Unknown(1j))
