"""Votes of a motion that fell on several of its texts: no screen or report tells them as votes of one text."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from eda.cli.tally import print_tally, tally_data
from eda.cli.terminal.verdict import verdict_lines
from eda.events import Ballot, BallotText, VerdictReached
from eda.events.votes import AnswerKind
from eda.voting import compare, verdict

PANEL = ("Ada", "Ben", "Cleo", "Dan", "Eve")
KEEP, LATE, EARLY, SELL, TEA = "Keep the hall", "Keep the hall till ten", "Keep the hall till six", "Sell it", "Buy tea"
TEXTS = tuple(
    BallotText(id=key, motion=motion, text=text)
    for key, motion, text in (
        ("p3.0", "p3.0", KEEP),
        ("p8.0", "p3.0", EARLY),
        ("p11.0", "p3.0", LATE),
        ("p4.0", "p4.0", SELL),
        ("p5.0", "p5.0", TEA),
    )
)


def cast(*ranked: tuple[str, ...], also: tuple[str, ...] = ()) -> list[Ballot]:
    return [
        Ballot(agent=who, choice=texts[0], ranking=texts, approved=texts, also=also)
        if texts
        else Ballot(agent=who, choice="none")
        for who, texts in zip(PANEL, ranked, strict=False)
    ]


SPLIT = cast((LATE,), (LATE,), (LATE,), (EARLY,), (SELL,))


def reached(ballots: list[Ballot], rule: str = "majority", answer: AnswerKind = "one") -> VerdictReached:
    return verdict(ballots, [t.text for t in TEXTS], rule, 0.5, 1, PANEL, texts=TEXTS, answer=answer, judge="Ada")


def tallied(ballots: list[Ballot]) -> str:
    words = [text.text for text in TEXTS]
    data = tally_data(compare(ballots, words, 1, texts=TEXTS), ballots, words, members=PANEL, quorum=0.5, texts=TEXTS)
    console = Console(file=io.StringIO(), width=400)
    print_tally(data, console)
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_the_headline_says_how_many_want_the_very_text() -> None:
    """ "4 of 5 votes" stood beside a text that one of the four had not accepted."""
    lines = verdict_lines(reached(SPLIT))
    head = "3 of 5 votes for this text, 1 more for another wording of it"
    assert lines[0] == f"verdict: {LATE} (p11.0) (majority rule, {head})"
    assert f"votes: 4 for “{LATE}” (p11.0) in any of its wordings: p11.0 3, p8.0 1 (Ada, Ben, Cleo, Dan)" in lines


def test_a_tally_tells_the_votes_of_a_motion_by_its_texts() -> None:
    assert "motion\tp3.0: 4 of 5 put it first; its texts: p8.0 1, p11.0 3\n" in tallied(SPLIT)
    assert "motion\t" not in tallied(cast((LATE,), (LATE,), (SELL,)))


def test_rules_that_agree_on_a_motion_in_other_words_say_which() -> None:
    """ "agree: p11.0 under majority, borda" though Borda decides for p8.0."""
    ballots = cast((LATE, EARLY), (LATE, EARLY), (LATE, EARLY), (EARLY,), (SELL,))
    text = tallied(ballots)
    assert "wording\tof p11.0: " in text
    assert "p8.0 under " in text


def test_what_is_adopted_says_how_many_want_that_wording() -> None:
    ballots = cast((LATE,), (LATE, EARLY), (LATE,), (EARLY,), ())
    lines = verdict_lines(reached(ballots, answer="list"))
    assert f"adopted: {LATE} (p11.0, 4 of 5 accept it in some wording, 3 this one)" in lines
    beside = cast((SELL,), (SELL,), (SELL,), (SELL,), (SELL,))
    beside = [b.model_copy(update={"also": (LATE if at < 3 else EARLY,)}) for at, b in enumerate(beside)]
    lines = verdict_lines(reached(beside))
    assert f"beside it: {LATE} (p11.0, 5 of 5 want it in some wording, 3 this one)" in lines


@pytest.mark.parametrize("rule", ["borda", "copeland", "score", "approval", "schulze", "ranked-pairs"])
def test_a_figure_of_a_motion_is_not_told_as_that_of_its_text(rule: str) -> None:
    scored = [b.model_copy(update={"scores": dict.fromkeys(b.approved, 8.0)}) for b in SPLIT]
    assert "in any of its wordings" in verdict_lines(reached(scored, rule))[0]
    alone = [b for b in scored if b.choice in (LATE, SELL)]
    assert "in any of its wordings" not in verdict_lines(reached(alone, rule))[0]
