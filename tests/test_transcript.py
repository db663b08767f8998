"""The transcript of prompts: within its room, the newest kept, its beginning put for as long as may be."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

from eda import MessagePosted
from eda.memory.context.sections import LEAST, WINDOW, Recent


def heard(texts: list[str], room: int = 4000, usual: int = 0, interval: int = 12) -> Recent:
    """A transcript that began anew whenever a summary stood or it had outgrown its room."""
    recent = Recent()
    for number, text in enumerate(texts, 1):
        recent.add(MessagePosted(number=number, who="AB"[number % 2], text=text))
        covered = number - number % interval
        if covered > recent.covered or recent.tokens_shown > room:
            recent.cover(covered)
            recent.begin(room, usual)
    return recent


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 300), min_size=1, max_size=80), st.integers(1, 3000), st.integers(1, 3000))
def test_the_transcript_fits_its_room_and_ends_with_the_newest(sizes: list[int], room: int, asked: int) -> None:
    """What was said last is what is answered; one token too many and the call is refused."""
    recent = heard(["word " * size for size in sizes], room)
    for most in (room, asked):
        shown = recent.shown(most)
        assert sum(kept.tokens for kept in shown) <= most
        numbers = [kept.line.number for kept in shown]
        assert numbers == list(range(recent.count - len(numbers) + 1, recent.count + 1))


def test_a_transcript_of_long_messages_moves_by_half_its_room() -> None:
    """A prompt whose beginning moves every turn is paid in full every turn."""
    starts = []
    for count in range(40, 200):
        texts = [f"{number} " + "word " * 160 for number in range(1, count + 1)]
        shown = heard(texts, interval=10**6).shown(4000)
        starts.append(shown[0].line.number)
        assert len(shown) >= LEAST
    assert len(set(starts)) <= 160 // 8


def test_five_messages_are_shown_where_they_fit() -> None:
    """Where a summary covers nearly all, an agent must not be left with one message of a debate."""
    assert len(heard(["word " * 60] * 36).shown(4000)) == LEAST


def test_an_answer_is_not_cut_from_its_question() -> None:
    """'No, never.' as the first line of a transcript tells nobody anything."""
    for count in range(60, 90):
        texts = [("Is it safe to do so, " + "and so on " * 30 + "?") if n % 2 else "No, never." for n in range(count)]
        first = heard(texts, 900).shown(900)[0]
        room = 900 - sum(kept.tokens for kept in heard(texts, 900).shown(900))
        before = texts[first.line.number - 2]
        assert first.line.text.rstrip().endswith("?") or not before.endswith("?") or len(before) / 4 > room


def test_short_messages_stay_beside_their_summary() -> None:
    """Fifteen messages where they take little room: a dozen words cost nothing, and show who said what."""
    for count in range(2 * WINDOW, 200):
        assert WINDOW <= len(heard(["Yes."] * count, usual=400).shown(4000)) <= WINDOW + 12
