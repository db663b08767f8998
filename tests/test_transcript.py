"""The window of recent messages: within its room, the newest kept, its beginning put for as long as may be."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from eda import MessagePosted
from eda.memory.context.recent import LEAST, WINDOW, Recent


def heard(texts: list[str], interval: int = 12) -> Recent:
    recent = Recent()
    for number, text in enumerate(texts, 1):
        recent.add(MessagePosted(number=number, who="AB"[number % 2], text=text))
        recent.cover(number - number % interval)
    return recent


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 300), min_size=1, max_size=80), st.integers(1, 3000))
def test_the_window_fits_its_room_and_ends_with_the_newest(sizes: list[int], room: int) -> None:
    """What was said last is what is answered; one token too many and the call is refused."""
    recent = heard(["word " * size for size in sizes])
    window = recent.window(room)
    assert sum(kept.tokens for kept in window) <= room
    numbers = [kept.line.number for kept in window]
    assert numbers == list(range(recent.count - len(numbers) + 1, recent.count + 1))


def test_a_window_of_long_messages_moves_by_half_its_room() -> None:
    """A prompt whose beginning moves every turn is paid in full every turn."""
    starts = []
    for count in range(40, 200):
        window = heard([f"{number} " + "word " * 160 for number in range(1, count + 1)]).window(4000)
        starts.append(window[0].line.number)
        assert len(window) >= LEAST
    assert len(set(starts)) <= 160 // 8


def test_five_messages_are_shown_where_they_fit() -> None:
    """Half of the room given back at once must not leave an agent with two messages of a debate."""
    texts = ["short."] * 30
    texts[-3:] = ["long " * 300, "long " * 300, "short."]
    assert len(heard(texts).window(900)) >= LEAST


def test_an_answer_is_not_cut_from_its_question() -> None:
    """'No, never.' as the first line of a transcript tells nobody anything."""
    for count in range(60, 90):
        texts = [("Is it safe to do so, " + "and so on " * 30 + "?") if n % 2 else "No, never." for n in range(count)]
        recent = heard(texts)
        window = recent.window(700)
        first = window[0]
        before = texts[first.line.number - 2]
        room = 700 - sum(kept.tokens for kept in window)
        assert first.asks or not before.endswith("?") or len(before) / 4 > room


def test_a_window_begins_after_a_summary_where_that_leaves_enough() -> None:
    """Without it a summary comes in at one turn and its messages go out at another: what all share changes twice."""
    texts = [f"{number} " + "word " * 160 for number in range(1, 36)]
    starts = [heard(texts[:count]).window(4000, {13, 25})[0].line.number for count in range(12, 36)]
    assert starts == sorted(starts)
    assert set(starts) == {1, 13, 25}
    assert len(heard(texts[:26]).window(1500, {13, 25})) >= LEAST


def test_short_messages_fill_twice_the_window_before_its_oldest_half_goes() -> None:
    """Fifteen messages at least, thirty at most."""
    for count in range(WINDOW, 200):
        assert WINDOW <= len(heard(["Yes."] * count).window(10**6)) <= 2 * WINDOW + 12
