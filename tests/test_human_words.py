"""What a person says out of turn: how it sits with the limit of messages, and who answers it."""

from __future__ import annotations

from functools import partial

import pytest
from in_turn import in_turn
from test_human import of, with_ada as with_ada_for

from eda import Debate
from eda.events import FloorGranted, MessagePosted, PhaseStarted, TurnPassed

FLOORS = ["bidding", "round-robin", "random", "moderated", "simultaneous"]
MOST = 20
with_ada = partial(with_ada_for, most=MOST)


def closing_words(debate: Debate) -> list[str]:
    """Who of the panel had the floor in the closing round, and spoke, or said by a pass that it has nothing new."""
    begun = next(p.seq for p in of(debate, PhaseStarted) if p.phase == "closing")
    turns = [turn for turn in of(debate, (MessagePosted, TurnPassed)) if turn.seq > begun and turn.who != "Ada"]
    assert {turn.why for turn in turns if isinstance(turn, TurnPassed)} <= {"nothing new"}
    return [turn.who for turn in turns]


@pytest.mark.parametrize(("floor", "words"), in_turn(FLOORS, [1, 12]))
async def test_a_flood_of_words_leaves_everybody_a_closing_word(words: int, floor: str) -> None:
    """Who types a lot must not take from the panel the words that the vote rests on."""
    debate = with_ada(floor=floor)

    @debate.on(MessagePosted)
    def flood(message: MessagePosted) -> None:
        if message.number == 6:
            for word in range(words):
                debate.say(f"Word {word} of mine.")

    result = await debate.run()
    assert len([m for m in of(debate, MessagePosted) if m.text.endswith("of mine.")]) == words
    assert closing_words(debate) == [member.title for member in debate.members[:3]]
    assert result.messages <= MOST + words


@pytest.mark.parametrize("floor", FLOORS)
async def test_who_is_asked_just_before_the_phase_ends_answers_first(floor: str) -> None:
    """The last question is the one that somebody waited to ask."""
    debate = with_ada(floor=floor)
    talk = MOST - 4  # the closing words, Ada's among them

    @debate.on(MessagePosted)
    def ask(message: MessagePosted) -> None:
        if message.number == talk and message.who != "Ada":
            debate.say("@Ruth what would change your mind?" if message.who != "Ruth" else "@Maya what would?")

    await debate.run()
    said = of(debate, MessagePosted)
    asked = next(m for m in said if m.who == "Ada")
    answer = said[said.index(asked) + 1]
    grant = next(g for g in of(debate, FloorGranted) if g.seq > asked.seq)
    assert (answer.who, grant.why, grant.by) == (asked.to, "addressed", "Ada")
    assert next(p.seq for p in of(debate, PhaseStarted) if p.phase == "closing") > answer.seq
    assert closing_words(debate) == [member.title for member in debate.members[:3]]


async def test_questions_without_end_do_not_keep_the_debate_from_ending() -> None:
    """A script at the table that asks after each message would run the panel for ever."""
    debate = with_ada()

    @debate.on(MessagePosted)
    def ask(message: MessagePosted) -> None:
        if message.who != "Ada" and not message.sealed and debate.progress.phase == "discussion":
            debate.say(f"@Ruth and what of m{message.number}?")

    result = await debate.run()
    assert result.verdict is not None
    assert closing_words(debate) == [member.title for member in debate.members[:3]]
