"""The standing summaries cover each message once, and there are never many of them."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eda.memory.tiles import FOLDED, MOST, Tiles
from eda.records import Summary


def summary(first: int, last: int, level: int = 1) -> Summary:
    return Summary(first, last, f"{first} to {last}", level)


def filled(count: int, every: int = 12) -> Tiles:
    """So many summaries, each folded as soon as that is due."""
    tiles = Tiles()
    for number in range(count):
        assert tiles.add(summary(number * every + 1, (number + 1) * every))
        fold(tiles)
    return tiles


def fold(tiles: Tiles) -> None:
    while (run := tiles.due_fold()) is not None:
        assert tiles.add(summary(run[0].first, run[-1].last, max(one.level for one in run) + 1))


def assert_tiles(tiles: Tiles) -> None:
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
    tiles = Tiles()
    for number in range(MOST):
        assert tiles.due_fold() is None
        tiles.add(summary(number * 2 + 1, number * 2 + 2))
    run = tiles.due_fold()
    assert run == tiles.standing[:FOLDED]


@pytest.mark.parametrize(
    ("first", "last"), [(14, 25), (1, 11), (2, 12), (7, 18), (23, 40), (0, 12), (20, 13), (26, 36)]
)
def test_a_summary_that_would_leave_a_gap_or_an_overlap_is_refused_with_a_reason(first: int, last: int) -> None:
    """A damaged or foreign log must neither hide a part of the history nor tell it twice."""
    tiles = Tiles()
    tiles.add(summary(1, 12))
    tiles.add(summary(13, 24))
    before = tiles.standing
    assert not tiles.add(summary(first, last))
    assert tiles.standing == before
    assert f"messages {first} to {last}" in tiles.refused[-1]
    assert tiles.written == 2


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-2, 40), st.integers(-2, 40), st.integers(1, 3)), max_size=60))
def test_whatever_summaries_a_log_holds_those_that_stand_tile(written: list[tuple[int, int, int]]) -> None:
    """The law of the house: no gap and no overlap, whoever wrote the log."""
    tiles = Tiles()
    for first, last, level in written:
        tiles.add(summary(first, last, level))
        assert_tiles(tiles)
    again = Tiles.from_json(orjson.loads(orjson.dumps(tiles.to_json())))
    assert (again.standing, again.written, again.refused) == (tiles.standing, tiles.written, tiles.refused)


def test_a_state_saved_before_there_were_folds_is_folded_as_due() -> None:
    """A session of last month goes on: its thirty summaries are all there, and become fewer."""
    saved = [{"first": n * 12 + 1, "last": n * 12 + 12, "text": "x", "level": 1, "by": "m"} for n in range(30)]
    tiles = Tiles.from_json(saved)
    assert len(tiles.standing) == tiles.written == 30
    fold(tiles)
    assert len(tiles.standing) < MOST
    assert_tiles(tiles)
    assert tiles.covered == 360
