"""What a model cites: the right words, of the right message, by whoever said them; what is not so is named."""

from __future__ import annotations

from typing import Any

import pytest
from told import CHOICES, Told

from eda.events import ReportWritten
from eda.report.gather import messages_of
from eda.report.quotes import Quotes
from eda.report.write import checked

HEARD = Told()
SAID = Quotes(messages_of(HEARD.session), CHOICES, acts=HEARD.memory.acts)
SUITE = "One run of the suite in six fails for no reason."
JULY = "five weeks still leave July within reach"


def told(text: str = "The suite is no judge.", message: Any = 2, quote: Any = SUITE) -> ReportWritten:
    row = {"text": text, "message": message, "quote": quote}
    given = {"reasons": [{key: value for key, value in row.items() if value is not None}], "verdict": ""}
    return checked(given, SAID, "test")


@pytest.mark.parametrize(
    ("point", "named"),
    [
        ({"text": f"Dan sees it: “{JULY}” (m3).", "message": 9, "quote": JULY}, 3),
        ({"text": "Ada fears “two systems that both send invoices”."}, 2),
        ({"text": "It is ‘two systems that both send invoices’."}, 2),
        ({"text": "Cleo says the suite cannot be trusted."}, 2),
        ({"text": "Ada (m2) sees it, and so does Ben."}, 2),
        ({"text": "The suite is flaky.", "message": None}, 0),
        ({"text": "The suite is flaky.", "quote": None}, 0),
        ({"text": "The suite is flaky.", "message": "somewhere"}, 0),
    ],
)
def test_what_is_cited_wrongly_is_left_out_and_named(point: dict[str, Any], named: int) -> None:
    """Words put into another member's mouth, or under another message's number, look as if they had been checked."""
    made = told(**point)
    assert made.reasons == ()
    assert [(each.text, each.message) for each in made.dropped] == [(point["text"], named)]


@pytest.mark.parametrize(
    "point",
    [
        {"message": "m2"},
        {"message": "(m2)"},
        {"text": "Ben (m2) and Cleo (m3) see it: “two engineers know the code” (m3)."},
        {"text": "Ben says the suite cannot be trusted."},
        {"text": f"It speaks for “{CHOICES[1]}”, as m9 does."},
        {"text": "Ben’s tests, Dan’s money and Eve’s invoices are one thing."},
        {"quote": "the suite in six fails"},
    ],
)
def test_what_is_cited_rightly_stays_with_its_whole_sentence(point: dict[str, Any]) -> None:
    """A check that is too strict would throw away what was paid for."""
    made = told(**point)
    assert made.dropped == ()
    assert [(each.message, each.quote, each.who) for each in made.reasons] == [(2, SUITE, "Ben")]


def test_a_verdict_that_quotes_another_message_loses_that_sentence() -> None:
    """It is the part that is read first, and passed on."""
    text = f"Dan (m9) holds that “{JULY}”. Ada (m8) holds that “{JULY}”."
    made = checked({"verdict": text}, SAID, "test")
    assert made.verdict == f"Dan (m9) holds that “{JULY}”."
    assert [each.message for each in made.dropped] == [8]
