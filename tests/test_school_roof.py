"""A measure that is joined with a given answer stays a motion of its own: who wants it is for none of the answers."""

from __future__ import annotations

import pytest
from folded import debated

from eda.events import Ballot, BallotText, VerdictReached
from eda.memory import ConversationMemory
from eda.voting.account import Account
from eda.voting.choices import slate
from eda.voting.verdict import verdict

PANELS, BOILER = "Solar panels this year", "A new boiler first"
ORDERED = "Order the boiler by 30 April at a fixed price."
LOGGERS = "Hang a temperature logger in each classroom, whichever is built."
BOTH = "Order the boiler by 30 April with a penalty, and hang a logger in each classroom."
TALK = (
    ("Kofi", f"[PROPOSE] {LOGGERS}"),
    ("Beatriz", f"[AMEND o2] {ORDERED}"),
    ("Kofi", f"[AMEND p2.0 p1.0] {BOTH}"),
)
PANEL = ("Sunniva", "Beatriz", "Kofi", "Keiko")


def on_the_ballot() -> tuple[ConversationMemory, tuple[BallotText, ...]]:
    memory = debated(*TALK, options=(PANELS, BOILER))
    return memory, slate("Which?", (PANELS, BOILER), memory.motions).texts


def counted(texts: tuple[BallotText, ...], **given: tuple[tuple[str, ...], tuple[str, ...]]) -> VerdictReached:
    cast = [
        Ballot(agent=who, choice=ranked[0], ranking=ranked, approved=ranked, also=also)
        for who, (ranked, also) in given.items()
    ]
    return verdict(Account(cast, texts=texts), "majority", 0.5, 1, PANEL)


def test_who_wants_the_measure_without_the_boiler_is_not_counted_for_the_boiler() -> None:
    """Two of four refused every boiler, and the verdict named the boiler with three votes of four."""
    _, texts = on_the_ballot()
    reached = counted(
        texts, Sunniva=((PANELS, LOGGERS), ()), Beatriz=((LOGGERS, PANELS), ()), Kofi=((BOTH,), ()), Keiko=((BOTH,), ())
    )
    assert (reached.outcome, reached.tally[BOTH]) == (None, ("Kofi", "Keiko"))


def test_who_wants_the_measure_beside_the_panels_adopts_no_boiler_beside_them() -> None:
    """Three wanted loggers beside the panels, and “A new boiler first” stood as adopted beside “Solar panels”."""
    memory, texts = on_the_ballot()
    also = ((PANELS,), (LOGGERS,))
    reached = counted(texts, Sunniva=also, Beatriz=also, Kofi=((PANELS,), (LOGGERS,)), Keiko=((BOTH,), ()))
    assert reached.outcome == PANELS
    assert [(each.id, each.text, len(each.voters)) for each in reached.adopted] == [("p1.0", LOGGERS, 3)]
    memory.fold(reached)
    assert {text.id: text.status for text in memory.proposals}["p3.0"] == "not chosen"


@pytest.mark.parametrize(("also", "status"), [((LOGGERS,), "accepted"), ((), "merged")])
def test_the_measure_is_taken_into_the_joined_text_or_adopted_beside_it(also: tuple[str, ...], status: str) -> None:
    memory, texts = on_the_ballot()
    assert {text.id: text.motion for text in texts} == {
        "o1": "o1",
        "o2": "o2",
        "p2.0": "o2",
        "p3.0": "o2",
        "p1.0": "p1.0",
    }
    memory.fold(reached := counted(texts, **dict.fromkeys(PANEL, ((BOTH,), also))))
    assert reached.outcome == BOTH
    assert {text.id: text.status for text in memory.proposals}["p1.0"] == status
