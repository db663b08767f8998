"""What must not get lost of a long conversation is kept, in bounded room."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from eda.events import MessagePosted
from eda.memory.context.salience import MAX_CHARS, VOCABULARY, Salience
from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.state import TRANSCRIPT
from eda.memory.patterns import default_pack
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
    minutes, salience = Minutes(default_pack(), genre=TRANSCRIPT), Salience(keep)
    for message in messages:
        salience.hear(message, minutes.hear(message))
    return salience


def test_an_early_decision_outlives_a_long_meeting() -> None:
    """Whoever joins at message 500 would never learn what was settled at message 5."""
    salience = heard(talk(500, {5: ("Ana", DECISION)}))
    assert 5 in salience.best(50)
    assert salience.text(5) == DECISION


def test_an_early_decision_outlives_many_clearings() -> None:
    """A livelier late part would push the whole beginning out of memory."""
    late = {
        number: ("Ana", f"So I think we just use the {number} battery and the case {number}.")
        for number in range(200, 900)
    }
    salience = heard(talk(900, {5: ("Ana", DECISION), **late}), keep=40)
    assert 5 in salience.best(40)


def test_items_rank_above_chatter() -> None:
    """The few tokens of a brief context would go to small talk."""
    said = {20: ("Ben", "I propose that we make the screen out of glass."), 60: ("Ana", DECISION)}
    salience = heard(talk(200, said))
    assert set(salience.best(2)) == {20, 60}


def test_a_supported_message_counts_more() -> None:
    """What the others agreed to would rank no higher than what nobody took up."""
    offer = ("Ben", "I propose that we make the screen out of glass.")
    alone = heard(talk(24, {20: offer})).weight(20)
    agreed = heard(talk(24, {20: offer, 21: ("Ana", "I agree with that."), 22: ("Dov", "Glass for the screen, yes.")}))
    supported = agreed.weight(20)
    assert alone is not None
    assert supported is not None
    assert supported > alone


def test_a_repetition_yields_to_what_is_new() -> None:
    """Ten ways to say one thing would fill the context; the second decision would not fit."""
    again = dict.fromkeys(range(30, 40), ("Ana", "So we use the rubber case with the simple battery."))
    other = ("Ben", "And the logo goes on the back in grey.")
    salience = heard(talk(60, {**again, 45: other}))
    assert 45 in salience.best(3)


def test_state_stays_bounded() -> None:
    """A debate of a week would fill the memory of the machine, and each message would cost more than the last."""
    messages = [
        message.model_copy(
            update={"text": f"{message.text} We use part{message.number} and item{message.number % 977}."}
        )
        for message in talk(5_000)
    ]
    salience = heard(messages, keep=100)
    data = dump(salience)
    assert 80 <= len(salience.best(5_000)) == len(data["kept"]) <= 100
    assert len(data["said"]) <= VOCABULARY
    assert all(len(salience.text(number)) <= MAX_CHARS for number in salience.best(100))
    numbers = salience.best(100)
    assert {(number - 1) // 1024 for number in numbers} == set(range(5)), "a stretch of the debate was lost whole"


def test_a_long_message_is_kept_in_whole_sentences() -> None:
    """The decision at the end of a long speech would be cut away, or cut in two."""
    speech = " ".join(f"Point {number} has been discussed at length by all of us." for number in range(30))
    text = heard(talk(10, {5: ("Ana", f"{speech} {DECISION} Thank you all.")})).text(5)
    assert DECISION in text
    assert len(text) <= MAX_CHARS
    assert text.endswith(".")


def test_what_is_not_kept_has_no_weight() -> None:
    """A caller would show an empty line for a message that was let go."""
    salience = heard(talk(100), keep=10)
    gone = next(number for number in range(1, 101) if number not in salience.best(10))
    assert salience.weight(gone) is None
    assert salience.text(gone) == ""


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
    weights = [salience.weight(number) or 0.0 for number in best]
    assert min(keep - keep // 5, len(turns)) <= len(best) == len(set(best)) <= keep
    assert weights == sorted(weights, reverse=True)
    assert best[:3] == salience.best(3)
    assert all(salience.weight(number) is not None for number in best)


@given(TURNS, st.integers(0, 40), st.integers(1, 12))
def test_a_saved_state_goes_on_the_same(turns: list[tuple[str, str]], cut: int, keep: int) -> None:
    """A resumed session would show its agents other moments than the uninterrupted one."""
    messages = talk(len(turns), dict(enumerate(turns, 1)))
    minutes, salience = Minutes(default_pack(), genre=TRANSCRIPT), Salience(keep)
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
