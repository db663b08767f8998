"""What a model cites: the right words, of the right message, by whoever said them; what is not so is named."""

from __future__ import annotations

import re
from typing import Any

import pytest
from told import TALK, Told

from eda.events import ReportWritten
from eda.report.forms import report_html
from eda.report.gather import messages_of, report_of
from eda.report.outcome import SideEnd, Stood
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


def test_a_condition_that_its_member_gave_up_is_no_risk() -> None:
    """ "as long as somebody books the taxi" stood under Risks after the taxi was booked, and the vote was for it."""
    quote = "If the accountants could live with August I would reconsider."
    stood = Stood(
        "Dan", "support", "", 9, True, "if the accountants could live with August", ends=(SideEnd("back", 10),)
    )
    for past, risks in (((), 1), ((stood,), 0)):
        made = checked({"risks": [{"message": 9, "quote": quote, "who": "Dan"}]}, SAID, "test", Held(past=past))
        assert (len(made.risks), len(made.unproved)) == (risks, 1 - risks)


def test_a_reason_beside_an_objection_given_up_stands_where_its_message_put_or_supports_a_text_decided() -> None:
    """The true reason of a text was left out as given up, since its message objected to another one."""
    stood = Stood("Dan", "oppose", "the audit", 9, ends=(SideEnd("back", 10),))
    quote = "If the accountants could live with August I would reconsider."
    for backed, reasons in (((), 0), ((("Dan", 9),), 1)):
        held = Held(past=(stood,), backed=backed)
        assert len(checked({"reasons": [{"message": 9, "quote": quote}]}, SAID, "test", held).reasons) == reasons


def test_a_quotation_of_a_wrong_author_keeps_its_words_on_the_page() -> None:
    """ "m5 is by Edwin Rolf, m10" stood under Reasons, and the words were in a fold alone."""
    heard = Told(talk=(*TALK, ("Ada", "As Ben said in m9, August would do for all.")))
    quote = "As Ben said in m9, August would do for all."
    heard.memory.parts.members = dict.fromkeys(("Ada", "Ben", "Cleo", "Dan", "Eve"), "")
    heard.votes()
    heard.tell(checked({"reasons": [{"message": 11, "quote": quote}]}, Quotes(messages_of(heard.session)), "m", Held()))
    page = report_html(report_of(heard.session, heard.progress, heard.memory), heard.session, heard.memory)
    reasons = page.partition("is by Dan")[2].partition("</li>")[0]
    assert quote in re.sub(r"<[^>]+>", "", reasons)
