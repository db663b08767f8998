"""A debate that goes in circles is told so, once, and ended where that does not help."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from eda import Debate, MessagePosted, Prompt, Settings
from eda.events import ModeratorSpoke, PhaseStarted, SessionStarted
from eda.memory import ConversationMemory
from eda.memory.repetition import BEFORE, LEAST_BEFORE, LEAST_WORDS, NEW_WORDS, PAUSE, STRETCH, Stagnation
from eda.memory.snapshot import dump, load
from eda.runners.scripted import ScriptedRunner
from eda.text import words

PANEL = ["sceptic", "historian", "pragmatic-engineer"]
WORDS = [f"{a}{b}ra{c}" for a in "bdfgklmn" for b in "aeiou" for c in "stvz"]


def said(number: int, text: str, who: str = "Ann") -> MessagePosted:
    return MessagePosted(number=number, who=who, text=text)


def fresh(number: int) -> str:
    return " ".join(f"{number}{word}" for word in ("alpha", "beta", "gamma", "delta", "kappa"))


def shuffled(number: int) -> str:
    """A message of a small stock of words, never twice in the same order."""
    return " ".join(WORDS[(number * step + step * step) % 40] for step in (3, 7, 11, 13, 17, 19, 23, 29))


def test_a_stretch_without_new_words_is_a_circle_and_a_new_thought_ends_it() -> None:
    """Thirty messages that turn the same stone look busy and are worth nothing."""
    circles = Stagnation()
    for number in range(1, 41):
        circles.hear(said(number, shuffled(number)))
    assert circles.stuck == 33
    for number in range(41, 45):
        circles.hear(said(number, fresh(number)))
    assert not circles.stuck


def test_a_young_or_lively_debate_is_no_circle() -> None:
    """A false alarm teaches a panel to ignore the moderator."""
    circles = Stagnation()
    for number in range(1, 120):
        circles.hear(said(number, f"{shuffled(number)} {fresh(number)}"))
        assert not circles.stuck


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=80, max_size=110))
def test_a_stretch_is_stuck_where_hardly_a_word_of_it_was_not_said_just_before(texts: list[list[str]]) -> None:
    """What tells soonest that a debate moves on must say the same as all words of its last messages."""
    circles = Stagnation()
    for number, text in enumerate(texts, 1):
        circles.hear(said(number, " ".join(text)))
        bags = [words(" ".join(each)) for each in texts[max(0, number - BEFORE - STRETCH) : number]]
        before, recent = bags[:-STRETCH], frozenset[str]().union(*bags[-STRETCH:])
        new = len(recent.difference(*before))
        moves = new > 0 if len(recent) < LEAST_WORDS else new >= NEW_WORDS * len(recent)
        stuck = len(bags) >= LEAST_BEFORE + STRETCH and not moves
        assert circles.stuck == (number - STRETCH + 1 if stuck else 0)


def test_a_circle_is_told_once_and_then_not_before_the_pause_is_over() -> None:
    """A moderator that interrupts every turn is worse than the circle."""
    circles = Stagnation()
    due = []
    for number in range(1, 60):
        circles.hear(said(number, shuffled(number)))
        if circles.due:
            due.append(number)
            circles.told()
    assert due
    assert all(later - earlier >= PAUSE for earlier, later in pairwise(due))
    assert circles.over


def test_something_new_between_two_circles_keeps_the_discussion_open() -> None:
    """Only a panel that is told twice and still brings nothing is sent to its closing words."""
    circles = Stagnation()
    for number in range(1, 31):
        circles.hear(said(number, shuffled(number)))
    circles.told()
    for number in range(31, 31 + 2 * STRETCH):
        circles.hear(said(number, fresh(number)))
    circles.told()
    assert not circles.over


@given(st.lists(st.sampled_from([0, 1, 2]), max_size=50))
def test_state_saved_and_loaded_goes_on_the_same(kinds: list[int]) -> None:
    """A resumed debate must be told what the uninterrupted one was told, at the same message."""
    circles = Stagnation()
    for number, kind in enumerate(kinds, 1):
        circles.hear(said(number, fresh(number) if kind == 2 else shuffled(number)))
        if circles.due:
            circles.told()
        again = load(Stagnation, json.loads(json.dumps(dump(circles))))
        assert (again.stuck, again.due, again.over) == (circles.stuck, circles.due, circles.over)
        assert again == circles
        circles = again


@pytest.mark.parametrize("floor", ["bidding", "round-robin", "random"])
def test_a_panel_that_goes_on_in_circles_is_told_and_then_sent_to_its_closing_words(floor: str) -> None:
    """Without this a hundred messages are paid for that a dozen would have held."""
    prompts: list[Prompt] = []

    def speak(prompt: Prompt) -> str:
        prompts.append(prompt)
        return shuffled(prompt.last * 3 + len(prompt.agent))

    settings = Settings(max_messages=200, floor=floor)
    debate = Debate("Move it?", PANEL, ScriptedRunner(speak), options=("Yes", "No"), settings=settings)
    result = debate.run_sync()
    facts = list(debate.session.events())
    assert result.reason in {"circle", "silence"}
    assert result.messages < 100
    told = [fact for fact in facts if isinstance(fact, ModeratorSpoke) and fact.why == "circle"]
    if result.reason == "circle":
        assert len(told) == 2
        assert any(fact.phase == "closing" and fact.why == "circle" for fact in facts if isinstance(fact, PhaseStarted))
        assert any(told[0].text in prompt.own for prompt in prompts)


def test_the_panel_is_shown_the_moderators_word_for_a_while() -> None:
    """A word that is in nobody's prompt moves nobody; one that stays for ever is noise."""
    memory = ConversationMemory()
    memory.fold(SessionStarted(seq=1, session="s"))
    memory.fold(MessagePosted(seq=2, number=1, who="Ann", text=fresh(1)))
    memory.fold(ModeratorSpoke(seq=3, text="You go in circles.", why="circle"))
    assert "You go in circles." in memory.full_context("Ann").text
    again = ConversationMemory.from_json(json.loads(json.dumps(memory.to_json())))
    assert again.full_context("Ann").text == memory.full_context("Ann").text
    for number in range(2, 11):
        memory.fold(MessagePosted(seq=number + 2, number=number, who="Ann", text=fresh(number)))
    assert "You go in circles." not in memory.full_context("Ann").text
