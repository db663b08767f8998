"""The standing summaries cover each message once, and there are never many of them."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given, settings, strategies as st

from eda.events.records import Summary
from eda.memory.snapshot import dump, load
from eda.memory.summaries.due import FOLDED, MOST, Due, SummaryTiles


def summary(first: int, last: int, level: int = 1) -> Summary:
    return Summary(first, last, f"{first} to {last}", level)


def filled(count: int, every: int = 12) -> SummaryTiles:
    """So many summaries, each folded as soon as that is due."""
    tiles = SummaryTiles()
    for number in range(count):
        assert tiles.add(summary(number * every + 1, (number + 1) * every))
        fold(tiles)
    return tiles


def fold(tiles: SummaryTiles) -> None:
    while (due := tiles.due_fold()) is not None:
        assert tiles.add(summary(due.first, due.last, due.level))


def assert_tiles(tiles: SummaryTiles) -> None:
    ends = [0, *(one.last for one in tiles.standing)]
    assert [one.first for one in tiles.standing] == [end + 1 for end in ends[:-1]]
    assert tiles.covered == ends[-1]


@pytest.mark.parametrize("messages", [9 * 12, 19 * 12, 451, 5_000, 100_000])
def test_at_any_length_ten_summaries_at_most_cover_everything(messages: int) -> None:
    """Pruning once left 1 summary of 19, 49 messages of 451, and only the newest compact of a long session."""
    tiles = filled(messages // 12)
    assert len(tiles.standing) < MOST
    assert tiles.covered == messages // 12 * 12
    assert tiles.written >= messages // 12
    assert_tiles(tiles)


def test_the_newest_stay_as_they_are_and_none_is_rewritten_often() -> None:
    """A rolling rewrite loses some facts each time: after 5,000 messages a fact went through 7 rewritings, not 134."""
    tiles = filled(5_000 // 12)
    assert [one.level for one in tiles.standing[-3:]] == [1, 1, 1]
    assert max(one.level for one in tiles.standing) <= 7


def test_a_fold_is_due_when_ten_stand_and_takes_four_neighbours() -> None:
    """More would stand than a context holds, or a fold would come at another message each time."""
    tiles = SummaryTiles()
    for number in range(MOST):
        assert tiles.due_fold() is None
        tiles.add(summary(number * 2 + 1, number * 2 + 2))
    assert tiles.due_fold() == Due(tiles.standing[0].first, tiles.standing[FOLDED - 1].last, 2)


@pytest.mark.parametrize(
    ("first", "last"), [(14, 25), (1, 11), (2, 12), (7, 18), (23, 40), (0, 12), (20, 13), (26, 36)]
)
def test_a_summary_that_would_leave_a_gap_or_an_overlap_is_refused(first: int, last: int) -> None:
    """A damaged or foreign log must neither hide a part of the history nor tell it twice."""
    tiles = SummaryTiles()
    tiles.add(summary(1, 12))
    tiles.add(summary(13, 24))
    before = tiles.standing
    assert not tiles.add(summary(first, last))
    assert tiles.standing == before
    assert tiles.written == 2


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-2, 40), st.integers(-2, 40), st.integers(1, 3)), max_size=60))
def test_whatever_summaries_a_log_holds_those_that_stand_tile(written: list[tuple[int, int, int]]) -> None:
    """The law of the house: no gap and no overlap, whoever wrote the log."""
    tiles = SummaryTiles()
    for first, last, level in written:
        tiles.add(summary(first, last, level))
        assert_tiles(tiles)
    again = load(SummaryTiles, orjson.loads(orjson.dumps(dump(tiles))))
    assert (again.standing, again.written) == (tiles.standing, tiles.written)


def test_a_log_written_before_there_were_folds_is_folded_as_due() -> None:
    """A session of last month goes on: its thirty summaries are all there, and become fewer."""
    tiles = SummaryTiles()
    for n in range(30):
        tiles.add(Summary(n * 12 + 1, n * 12 + 12, "x", 1, "m"))
    assert len(tiles.standing) == tiles.written == 30
    fold(tiles)
    assert len(tiles.standing) < MOST
    assert_tiles(tiles)
    assert tiles.covered == 360
