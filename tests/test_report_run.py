"""How a debate was run, as its report tells it: votes taken again, what was left out, and texts that were decided."""

from __future__ import annotations

from told import CHOICES, TALK, WAIT, Told

from eda.events import MessagePosted, PhaseStarted
from eda.report.forms import report_html, report_markdown
from eda.report.gather import report_of


def markdown(told: Told) -> str:
    return report_markdown(report_of(told.session, told.progress, told.memory))


def test_words_during_a_vote_are_told_and_so_is_the_second_vote() -> None:
    """11 messages of a limit of 10, and ballots that count for nothing, would look like a fault."""
    told = Told().tell(PhaseStarted(phase="ballot", why="messages"))
    late = len(TALK) + 1
    told.tell(MessagePosted(number=late, who="Ada", text="Wait, I have the figures.")).votes()
    told.tell(PhaseStarted(phase="ballot", lap=2, why="talk")).votes()
    assert "Somebody spoke during the vote, so the panel voted again; only the last vote counts." in markdown(told)
    assert "during the vote" not in markdown(Told().votes())


def test_a_text_decided_as_it_was_put_is_not_among_those_that_were_not() -> None:
    """The page listed the decided text under `put and not decided`."""
    plan = "Run both for one month and compare each invoice."
    told = Told(
        talk=[*TALK, ("Eve", "Or so.\n\n[PROPOSE] We sell the module."), ("Dan", f"One more.\n\n[PROPOSE] {plan}")]
    )
    told.votes((*CHOICES, plan), Ada=plan, Ben=plan, Cleo=plan, Dan=plan, Eve=WAIT)
    report = report_of(told.session, told.progress, told.memory)
    assert report.counted.won is not None
    assert report.counted.won.text == plan
    _, fold, below = report_html(report, told.session, told.memory).partition("put and not decided")
    assert fold
    assert plan not in below.partition("</section>")[0]
