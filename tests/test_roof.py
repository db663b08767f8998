"""What was told wrongly of a debate that was played carefully: each test has the words of it."""

from __future__ import annotations

from functools import cache

import pytest
from played_roof import PLAYED, ROLES, SAID, voted

from eda.debate.addressing import Addressing
from eda.report.gather import messages_of, report_of
from eda.report.quotes import Quotes
from eda.report.record import Record
from eda.report.write import record_of


@cache
def record() -> Record:
    done = voted()
    quotes = Quotes(messages_of(done.session), PLAYED["options"], acts=done.memory.acts)
    return record_of(report_of(done.session, done.progress, done.memory), done.progress, quotes)


def unproved(sentence: str, *cited: int) -> str:
    return record().unproved(sentence, cited)


WEEKS = (
    "After the panels 16,000 would be left, which pays for eight weeks of hired heat, while {} weeks would cost "
    "34,200 on Keiko's assumption."
)


@pytest.mark.parametrize("number", ["eighteen", "18"])
def test_a_number_is_borne_out_by_another_one_of_the_same_sentence(number: str) -> None:
    """ "Eighteen school weeks to Easter at 1,900 make 34,200" bore no "eighteen" out: no word but a unit is shared."""
    assert unproved(WEEKS.format(number), 7) == ""


@pytest.mark.parametrize("number", ["nineteen", "80", "28"])
def test_a_number_that_nobody_said_is_named(number: str) -> None:
    assert unproved(WEEKS.format(number), 7) == number


@pytest.mark.parametrize("who", ["She", "He", "They"])
@pytest.mark.parametrize("verb", ["says", "argues", "wants", "warned"])
def test_a_pronoun_is_no_name(who: str, verb: str) -> None:
    assert unproved(f"{who} {verb} that the money may go into a boiler where a valve would do.", 10) == ""


def test_a_name_that_nobody_bears_is_named() -> None:
    assert unproved("Petra says that the money may go into a boiler where a valve would do.", 10) == "Petra"


@pytest.mark.parametrize(
    ("number", "called", "asked"),
    [
        (5, ["Keiko", "Kofi"], ["Kofi"]),
        (6, ["Sunniva", "Keiko", "Beatriz"], ["Keiko", "Beatriz"]),
        (10, ["Kofi", "Beatriz"], []),
    ],
)
def test_who_is_addressed_after_and_or_before_what_is_said_of_a_thing(
    number: int, called: list[str], asked: list[str]
) -> None:
    names, (who, text) = Addressing(tuple(ROLES)), SAID[number - 1]
    assert names.called(text, who) == called
    assert [name for name in ROLES if names.asks(text, name)] == sorted(asked, key=list(ROLES).index)


@pytest.mark.parametrize(
    "text",
    ["Beatriz, the finance director, is right.", "And Beatriz, who counted, agrees.", "And Kofi and Keiko agree."],
)
def test_who_is_only_spoken_of_is_not_addressed(text: str) -> None:
    assert Addressing(tuple(ROLES)).called(text, "Sunniva") == []
