"""What must not get lost of a long conversation is kept, in bounded room."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable

import pytest
from hypothesis import given, strategies as st

from eda.events import MessagePosted
from eda.memory.context.salience import MOST, Moment, Salience
from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.state import Genre, State
from eda.memory.snapshot import dump, load

DECISION = "We have decided to use the rubber case with a single battery."
TOPICS = ("battery", "screen", "case", "colour", "budget", "market", "buttons", "speech", "logo", "price", "chip")


def chatter(number: int) -> tuple[str, str]:
    """Small talk that names the topic and settles nothing; two of three turns say nothing at all."""
    topic = TOPICS[number % len(TOPICS)]
    lines = ("Mm-hmm.", f"I don't know what they said about the {topic} before, to be honest.", "Yeah, right.")
    return ("Ana", "Ben", "Cleo", "Dov")[number % 4], lines[number % 3]


def talk(count: int, said: dict[int, tuple[str, str]] | None = None) -> list[MessagePosted]:
    turns = ((number, (said or {}).get(number) or chatter(number)) for number in range(1, count + 1))
    return [MessagePosted(number=number, who=who, text=text) for number, (who, text) in turns]


def heard(messages: Iterable[MessagePosted], keep: int = 300) -> Salience:
    minutes, salience = Minutes(State(genre=Genre(near=True))), Salience(keep)
    for message in messages:
        salience.hear(message, minutes.hear(message))
    return salience


def numbers(salience: Salience, most: int) -> list[int]:
    return [moment.number for moment in salience.best(most)]


def moment(salience: Salience, number: int) -> Moment:
    return next(each for each in salience.best(salience.keep) if each.number == number)


def test_an_early_decision_outlives_a_long_meeting() -> None:
    """Whoever joins at message 500 would never learn what was settled at message 5."""
    salience = heard(talk(500, {5: ("Ana", DECISION)}))
    assert 5 in numbers(salience, 50)
    assert moment(salience, 5).text == DECISION


def test_an_early_decision_outlives_many_clearings() -> None:
    """A livelier late part would push the whole beginning out of memory."""
    late = {
        number: ("Ana", f"So I think we just use the {number} battery and the case {number}.")
        for number in range(200, 900)
    }
    salience = heard(talk(900, {5: ("Ana", DECISION), **late}), keep=40)
    assert 5 in numbers(salience, 40)


def test_items_rank_above_chatter() -> None:
    """The few tokens of a brief context would go to small talk."""
    said = {20: ("Ben", "I propose that we make the screen out of glass."), 60: ("Ana", DECISION)}
    salience = heard(talk(200, said))
    assert set(numbers(salience, 2)) == {20, 60}


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("We'll 'think' of 12the m3and_but", {"we", "think", "the", "and", "but"}),
        ("don't we'd've", {"we"}),
        ("\u00e9the \u2019tis we\u2019re a\u00dfand", {"the", "we", "a", "and"}),
        ("then whose thinking", set()),
    ],
)
def test_a_sign_is_a_whole_word_of_plain_letters(text: str, signs: set[str]) -> None:
    assert moment(heard([MessagePosted(number=1, who="Ada", text=text)]), 1).signs == signs


def test_a_supported_message_counts_more() -> None:
    """What the others agreed to would rank no higher than what nobody took up."""
    offer = ("Ben", "I propose that we make the screen out of glass.")
    aside = dict.fromkeys(range(21, 25), ("Ana", "Where is the coffee machine of this floor?"))
    alone = heard(talk(24, {20: offer, **aside}))
    agreed = heard(talk(24, {20: offer, 21: ("Ana", "I agree with that."), 22: ("Dov", "Glass for the screen, yes.")}))
    assert agreed.weight(moment(agreed, 20)) > alone.weight(moment(alone, 20))


def test_state_stays_bounded() -> None:
    """A debate of a week would fill the memory of the machine, and each message would cost more than the last."""
    messages = [
        message.model_copy(
            update={"text": f"{message.text} We use part{message.number} and item{message.number % 977}."}
        )
        for message in talk(2_000)
    ]
    salience = heard(messages, keep=100)
    data = dump(salience)
    assert 80 <= len(salience.best(2_000)) == len(data["kept"]) <= 100
    assert all(len(each.text) <= 4 * MOST + len(" [...]") for each in salience.best(100))


def test_a_long_message_is_kept_in_whole_sentences() -> None:
    """The decision at the end of a long speech would be cut away, or cut in two."""
    speech = " ".join(f"Point {number} has been discussed at length by all of us." for number in range(30))
    text = moment(heard(talk(10, {5: ("Ana", f"{speech} {DECISION} Thank you all.")})), 5).text
    assert DECISION in text
    assert len(text) <= 4 * MOST
    assert text.endswith(".")


WORDS = st.sampled_from(
    ["we", "so", "use", "the", "battery", "screen", "I agree.", "I propose that", "yes", "no?", "décidé"]
)
TURNS = st.lists(
    st.tuples(st.sampled_from(["Ana", "Ben", ""]), st.one_of(st.text(max_size=80), st.lists(WORDS).map(" ".join))),
    max_size=40,
)


@given(TURNS, st.integers(1, 12))
def test_any_talk_is_ranked(turns: list[tuple[str, str]], keep: int) -> None:
    """A strange message would stop a debate, or show one message twice."""
    salience = heard(talk(len(turns), dict(enumerate(turns, 1))), keep)
    best = salience.best(keep + 5)
    weights = [salience.weight(each) for each in best]
    assert min(keep - keep // 5, len(turns)) <= len(best) == len({each.number for each in best}) <= keep
    assert weights == sorted(weights, reverse=True)
    assert best[:3] == salience.best(3)


@given(TURNS, st.integers(0, 40), st.integers(1, 12))
def test_a_saved_state_goes_on_the_same(turns: list[tuple[str, str]], cut: int, keep: int) -> None:
    """A resumed session would show its agents other moments than the uninterrupted one."""
    messages = talk(len(turns), dict(enumerate(turns, 1)))
    minutes, salience = Minutes(State(genre=Genre(near=True))), Salience(keep)
    for message in messages[:cut]:
        salience.hear(message, minutes.hear(message))
    salience.best(5)
    salience = load(Salience, json.loads(json.dumps(dump(salience))))
    for message in messages[cut:]:
        salience.hear(message, minutes.hear(message))
    assert dump(salience) == dump(heard(messages, keep))
    assert salience.best(keep) == heard(messages, keep).best(keep)


def test_a_weight_is_the_same_number_in_every_process() -> None:
    """A resumed session would hold another state than the one that went on, because Python shuffles its sets."""
    script = (
        "import json; from eda.events import MessagePosted; from eda.memory.context.salience import Salience\n"
        "from eda.memory.snapshot import dump\n"
        "cues = 'we think they you what meeting and but the a um just was decided'.split()\n"
        "salience = Salience()\n"
        "for n in range(1, 40):\n"
        "    said = ' '.join(cues[n % 7 :: n % 3 + 1] + cues[: n % 5])\n"
        "    salience.hear(MessagePosted(number=n, who='Ana', text=said))\n"
        "print(json.dumps(dump(salience)))"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script], env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE
        )
        for seed in ("1", "2")
    ]
    one, other = (process.communicate()[0] for process in processes)
    assert one
    assert one == other
