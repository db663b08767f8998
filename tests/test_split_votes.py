"""Votes of a motion that fell on several of its texts: no screen or report tells them as votes of one text."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console
from test_report_verdict import WHO, counted
from told import verdict_lines

from eda.cli.tally import print_tally, tally_data
from eda.events import NONE, Ballot, BallotText, VerdictReached
from eda.events.votes import AnswerKind
from eda.report.forms import report_markdown
from eda.report.json_data import decision_of
from eda.report.outcome import Text
from eda.report.sections import page_of
from eda.voting import RULES, Account, compare, verdict
from eda.words import ENGLISH

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


SIDES = "p11.0 3 (Ada, Ben, Cleo), p8.0 1 (Dan)"
SPLIT = cast((LATE,), (LATE,), (LATE,), (EARLY,), (SELL,))


def reached(ballots: list[Ballot], rule: str = "majority", answer: AnswerKind = "one") -> VerdictReached:
    return verdict(Account(ballots, texts=TEXTS, answer=answer), rule, 0.5, 1, PANEL, judge="Ada")


def tallied(ballots: list[Ballot]) -> str:
    account = Account(ballots, texts=TEXTS)
    data = tally_data(compare(account, 1), account, members=PANEL, quorum=0.5)
    console = Console(file=io.StringIO(), width=400)
    print_tally(data, console)
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_the_headline_says_how_many_want_the_very_text() -> None:
    """ "4 of 5 votes" stood beside a text that one of the four had not accepted."""
    lines = verdict_lines(reached(SPLIT))
    head = ENGLISH.say("votes-first", count=3, of=5, equal=0, others=1, parts=0, wordings=False)
    won = f"“{LATE}” (p11.0) won"
    assert lines[0] == f"verdict: {won}. 3 of 5 accept it. {head} Against: Dan and Eve."
    assert f"votes: 4 for “{LATE}” (p11.0), counting all its wordings: {SIDES}" in lines


def test_a_tally_tells_the_votes_of_a_motion_by_its_texts() -> None:
    text = tallied(cast((LATE,), (LATE,), (LATE, EARLY), (EARLY,), (SELL,)))
    assert "text\tp8.0 (another wording of p11.0), put first by Dan, accepted by Cleo, Dan:" in text
    assert "text\tp11.0, accepted by Ada, Ben, Cleo:" in text


def test_what_is_adopted_says_how_many_want_that_wording() -> None:
    ballots = cast((LATE,), (LATE, EARLY), (LATE,), (EARLY,), ())
    (late,) = reached(ballots, answer="list").adopted
    assert (late.id, len(late.voters), len(late.exact), late.of) == ("p11.0", 4, 3, 5)
    beside = cast((SELL,), (SELL,), (SELL,), (SELL,), (SELL,))
    beside = [b.model_copy(update={"also": (LATE if at < 3 else EARLY,)}) for at, b in enumerate(beside)]
    (late,) = reached(beside).adopted
    assert (late.id, len(late.voters), len(late.exact), late.of) == ("p11.0", 5, 3, 5)


@pytest.mark.parametrize("rule", ["borda", "copeland", "score", "approval", "schulze", "ranked-pairs"])
def test_a_figure_of_a_motion_is_not_told_as_that_of_its_text(rule: str) -> None:
    scored = [b.model_copy(update={"scores": dict.fromkeys(b.approved, 8.0)}) for b in SPLIT]
    assert ", counting all its wordings" in verdict_lines(reached(scored, rule))[0]
    alone = [b for b in scored if b.choice in (LATE, SELL)]
    assert ", counting all its wordings" not in verdict_lines(reached(alone, rule))[0]


WHOLE = cast((SELL,), (SELL,), (SELL,), (LATE,), ())
HALVES = cast((LATE, SELL), (EARLY,), (KEEP,), (SELL, LATE), (SELL,))
NO_WORDING = f"No text was decided: “{KEEP}” (p3.0) won"
ALL = ", counting all its wordings"
OWN = "3 of 5 put it first, 1 another wording of it."
SENTENCES = {
    "plurality": (OWN, "plurality. 3 of 5 accept it. Against: Dan", f"3 of 5 put it first{ALL}"),
    "majority": (OWN, "won. 3 of 5 accept it. Against: Dan", f"3 of 5 put it first{ALL}"),
    "supermajority-2/3": (NO_WORDING, "No verdict", "No verdict"),
    "supermajority-3/4": (NO_WORDING, "No verdict", "No verdict"),
    "unanimity": ("No verdict", "No verdict", "No verdict"),
    "consent": (
        f"Nobody blocks it. {OWN}",
        "3 of 5 accept it. Nobody blocks it. For another text: Dan",
        "3 of 5 put it",
    ),
    "approval": (f"3 of 5 accept it. 4 approve it{ALL}", "3 of 5 accept it. Against: Dan", f"4 approve it{ALL}"),
    "score": (f"3 of 5 accept it. Its mean score is 8 of 10{ALL}", "score is 6 of 10. ", NO_WORDING),
    "borda": (f"12.5 points{ALL}. {OWN}", "1 of 5 votes accept none of the texts, and each ballot puts", NO_WORDING),
    "instant-runoff": (f"4 votes in its last round{ALL}. {OWN}", "3.5 votes in its last round", NO_WORDING),
    "copeland": (f"3 of 5 accept it. It won 3 duels{ALL}", "It won 3 duels. ", NO_WORDING),
    "ranked-pairs": (f"above 3 options{ALL}. {OWN}", "above 3 options. ", NO_WORDING),
    "schulze": (f"above 3 options{ALL}. {OWN}", "above 3 options. ", NO_WORDING),
    "judge": (f"Ada decides. {OWN}", "3 of 5 accept it. Ada decides. Against: Dan", "1 of 5 puts it first"),
    "shift": ("it compares two polls", "it compares two polls", "it compares two polls"),
}


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_tells_what_it_counted(rule: str) -> None:
    """A figure of a motion stood beside one of its texts as if all of it were for that."""
    for ballots, said in zip((SPLIT, WHOLE, HALVES), SENTENCES[rule], strict=True):
        scored = [
            b.model_copy(update={"scores": {t: 10.0 - 3 * at for at, t in enumerate(b.ranking)}, "approved": b.ranking})
            for b in ballots
        ]
        scored = scored if ballots is not SPLIT else [_level(b) for b in scored]
        assert said in "\n".join(verdict_lines(reached(scored, rule))).replace("\nverdict:", "")


def _level(ballot: Ballot) -> Ballot:
    return ballot.model_copy(update={"scores": dict.fromkeys(ballot.ranking, 10.0)})


def test_the_first_paragraph_of_the_report_tells_them_apart() -> None:
    """The paragraph is all that most readers read."""
    texts = {"Halima": (LATE,), "Jonas": (LATE,), "Pilar": (LATE,), "Stefan": (EARLY,), "Wanda": (SELL,)}
    report, told = counted("majority", texts=TEXTS, **texts)
    assert f"3 of 5 accept it. {OWN} Against: Stefan and Wanda." in report.answer
    least = "2 changed votes would have made another winner, counting all its wordings."
    assert least in [line.text for line in page_of(report)["sure"]]
    text = report_markdown(report)
    assert "| 4, 3 for this text | 3 | p11.0: Halima, Jonas, Pilar; p8.0: Stefan |" in text
    split = "p11.0 3 (Halima, Jonas, Pilar), p8.0 1 (Stefan)"
    assert any(line.endswith(split) for line in verdict_lines(told))
    lost = {"Halima": (LATE,), "Jonas": (LATE,), "Pilar": (EARLY,), "Stefan": (EARLY,), "Wanda": (NONE,)}
    report, _ = counted("majority", texts=TEXTS, **lost)
    assert "no wording of it has the votes that a text needs" in report.verdict[0]
    assert {"4 of 5 put it first, counting all its wordings.", "Wanda accepts none of the texts."} < {*report.verdict}
    assert "would have made" not in report_markdown(report), "no text was decided"
    motions = replace(report.counted, adopted=(Text("", SELL), Text("", TEA)))
    listed = decision_of(replace(report, counted=motions), report.counted.reached)
    assert listed["titles"] == [SELL, TEA], "a motion that is adopted in no wording has no id"


@pytest.mark.parametrize(
    ("rule", "votes", "least"),
    [
        ("majority", [(LATE,)] * 3 + [(SELL,)] * 2, "1 changed vote would have made another winner."),
        ("majority", [(LATE,)] * 3 + [(NONE,)] * 2, "1 changed vote would have made no verdict."),
        (
            "plurality",
            [(LATE, SELL), (SELL, LATE)] * 2 + [()],
            "1 changed vote would have made another winner, with the same lots.",
        ),
        ("majority", [(LATE,), (LATE,), (SELL,), (SELL,), (NONE,)], ""),
        (
            "majority",
            [(LATE,), (LATE,), (EARLY,), (LATE,), (SELL,)],
            ", counting all its wordings.",
        ),
    ],
)
def test_how_many_votes_would_have_to_differ_is_plain(rule: str, votes: list[tuple[str, ...]], least: str) -> None:
    """ "(counted by motion)" meant nothing to a reader, and a tie looked as if votes alone had decided it."""
    report, _ = counted(rule, texts=TEXTS, **dict(zip(WHO, votes, strict=True)))
    told = [line.text for line in page_of(report)["sure"] if "would have made" in line.text]
    assert least in told[0] if least else not told
