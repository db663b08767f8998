"""What a model cites: the right words, of the right message, by whoever said them; what is not so is named."""

from __future__ import annotations

from typing import Any

import pytest
from told import Told

from eda.events import ReportWritten
from eda.report.gather import messages_of
from eda.report.quotes import Quotes
from eda.report.write import Held, checked

HEARD = Told()
SAID = Quotes(messages_of(HEARD.session), acts=HEARD.memory.acts)
SUITE = "One run of the suite in six fails for no reason."


def told(message: Any = 2, quote: Any = SUITE, who: Any = "Ben") -> ReportWritten:
    row = {"message": message, "quote": quote, "who": who}
    chosen = {key: value for key, value in row.items() if value is not None}
    return checked({"reasons": [chosen]}, SAID, "test", Held())


@pytest.mark.parametrize(
    ("point", "named"),
    [
        ({"quote": "two systems that both send invoices and burn"}, 2),
        ({"message": None}, 0),
        ({"message": "somewhere"}, 0),
    ],
)
def test_what_is_cited_wrongly_is_left_out_and_named(point: dict[str, Any], named: int) -> None:
    """Words put into another member's mouth, or under another message's number, look as if they had been checked."""
    made = told(**point)
    assert made.reasons == ()
    assert [(each.quote, each.message) for each in made.dropped] == [(point.get("quote", SUITE), named)]


@pytest.mark.parametrize(
    "point",
    [{"message": "m2"}, {"message": "(m2)"}, {"message": 9}, {"who": None}, {"quote": "the suite in six fails"}],
)
def test_what_is_cited_rightly_stays_with_its_whole_sentence(point: dict[str, Any]) -> None:
    """A check that is too strict would throw away what was paid for."""
    made = told(**point)
    assert made.dropped == ()
    assert [(each.message, each.quote, each.who) for each in made.reasons] == [(2, SUITE, "Ben")]
