"""What is taken out of a message: clean, whole, at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from eda.events import MessagePosted
from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.options import Options
from eda.memory.minutes.state import TRANSCRIPT, State
from eda.memory.patterns import default_pack
from eda.memory.patterns.pack import OPTION_SIGN
from eda.text import Read
from eda.transcripts.findings import REGISTERS, Finding, search_text, weigh, weights
from eda.transcripts.free_talk import expressed

PACK = default_pack()


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("**RESOLVED:** Use **Python 3.12**", "Use Python 3.12"),
        ("**Decision**: use *it*", "use it"),
        ("## Resolution\nWe will adopt the plan.", "We will adopt the plan."),
    ],
)
def test_an_outcome_is_shown_without_its_marks(text: str, outcome: str) -> None:
    """Stray asterisks make minutes look broken; a quote must point at what it quotes."""
    minutes = Minutes(State(pack=PACK)).begin((), TRANSCRIPT)
    minutes.hear(MessagePosted(number=1, who="Ann", text=text))
    (decision,) = minutes.decisions
    assert decision.outcome == outcome
    (quote,) = decision.quotes
    assert outcome in text[quote.start : quote.end].replace("*", "")


def test_a_proposal_is_shown_without_its_marks() -> None:
    """The mark that opened stands before the sentence, the one that closes it within."""
    minutes = Minutes(State(pack=PACK)).begin((), TRANSCRIPT)
    minutes.hear(MessagePosted(number=1, who="Ann", text="**I propose** that we wait"))
    assert [proposal.content for proposal in minutes.proposals] == ["I propose that we wait"]


@pytest.mark.parametrize("text", ["\n" * 100_000, " \n" * 50_000, "'a " * 40_000, "> " * 50_000])
def test_empty_lines_and_marks_are_heard_at_once(text: str) -> None:
    """One message of blank lines would hold up everybody behind it."""
    minutes = Minutes(State(pack=PACK)).begin((), TRANSCRIPT)
    for number in range(1, 9):
        minutes.hear(MessagePosted(number=number, who="Ann", text=text))
    assert (minutes.proposals, minutes.decisions) == ((), ())


@pytest.mark.parametrize(("pattern", "cue", "kept"), [("id-do", 0.6, False), ("i-propose", 0.8, True)])
def test_where_moves_are_declared_surroundings_make_no_proposal(pattern: str, cue: float, kept: bool) -> None:
    """A remark in a long turn that proposes nothing outright would be an option on the ballot, and might win."""
    text = "I'd keep first-hand evidence."
    finding = Finding("proposal", pattern, 0, len(text), text, text, 0.95, False, cue)
    state = State(Options(()), replace(TRANSCRIPT, firm=True))
    assert expressed(state, MessagePosted(number=1, who="Ann", text=text), [finding]) == [finding] * kept


@pytest.mark.parametrize(
    "text",
    [
        "I think support cost is the real issue",
        "We have to look at what this costs, and the numbers are on page nine of the plan.",
        "Ferries, bridges, and the winter of 2019.",
    ],
)
@pytest.mark.parametrize("register", REGISTERS)
def test_no_item_is_found_without_words_that_express_it(text: str, register: str) -> None:
    """A remark that only stands where a proposal might stand would be put to the vote."""
    searched = search_text(Read(text), PACK)
    sure_of_all = [cue for table in weights()[2].values() for cue in table if not cue.startswith("~")]
    kinds = {hit.kind for hit in searched.hits}
    assert {finding.kind for finding in weigh(searched, sure_of_all, register)} <= kinds


def test_patterns_see_the_options_of_the_debate() -> None:
    """`So A and 7?` puts two cards to the others; no pattern could know the names of all options there are."""
    text = "So the electric ferry?"
    assert not {hit.pattern for hit in search_text(Read(text), PACK).hits} & {"option-alone", "so-option"}
    hits = search_text(Read(text), PACK, [(7, 21)]).hits
    assert {"option-alone", "so-option"} <= {hit.pattern for hit in hits}
    assert PACK.find_options("so the " + OPTION_SIGN * 14 + "?", [(0, 22)])
    assert PACK.find_options("so the electric ferry?", [(0, 22)]) == []
