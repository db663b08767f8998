"""What was misread or told wrongly of a debate that was played carelessly: each test has the words of it."""

from __future__ import annotations

import pytest
from played_phones import ROLES, SAID, talk

from eda.events.messages import talk_of
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.reply_reader import ReplyReader


def kinds(text: str, who: str = "Beatriz") -> list[str]:
    return [move.kind for move in read_reply(text, who, ROLES).moves]


def for_it(key: str, *, upto: int, **instead: str) -> list[str]:
    """Who supports a text after message `upto`."""
    text = next(each for each in talk(upto, **instead).memory.proposals if each.id == key)
    return [each.agent for each in text.reactions if each.reaction == "support"]


def test_a_claim_among_the_moves_of_a_fence_voids_none_of_them() -> None:
    """`[CONSENSUS] ...` in a fence of four tag lines made all of them "not counted": the panel lost its best text."""
    memory = talk(9).memory
    assert kinds(SAID[8][1]) == ["amend", "support", "position"]
    joined = memory.proposals[-1]
    assert (joined.id, joined.amends, joined.joins) == ("p9.0", "p5.0", ("p8.0",))
    (claim,) = memory.claims
    assert (claim.outcome, claim.status, claim.supporters) == (
        "We all agree on the locker trial.",
        "claimed",
        ("Beatriz",),
    )
    assert not [each for each in memory.unresolved if each.message == 9]


def test_a_decision_alone_in_a_fence_is_an_example_and_decides_nothing() -> None:
    memory = talk(9, m9="As one could write:\n\n```\n[DECISION] Never open the yard.\n```").memory
    assert memory.decisions == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "\nBest regards,\nAnjali (user researcher)"),
        ("Here is my reply:\n\n", "\n\n(64 words)"),
        ("", "\n---\nI hope this helps!"),
    ],
)
def test_a_fence_around_all_but_courtesies_is_no_code(before: str, after: str) -> None:
    fenced = SAID[12][1].partition("\nBest regards")[0]
    read = read_reply(f"{before}{fenced}{after}", "Anjali", ROLES)
    assert [(move.kind, move.target, move.text) for move in read.moves] == [
        ("support", "p11.0", "it is a trial that watches the lockers"),
        ("position", None, "p11.0"),
    ]
    shown = talk_of(f"{before}{fenced}{after}", read.cut)
    assert "```" not in shown
    assert "Ruth may see it otherwise." in shown


def test_a_fence_with_talk_after_it_stays_code() -> None:
    fenced = SAID[12][1].partition("\nBest regards")[0]
    assert kinds(f"{fenced}\nSo wrote Anjali, and I doubt it.") == []


@pytest.mark.parametrize("step", [1, 7, 400])
def test_what_is_shown_of_a_fenced_reply_while_it_is_written_stays(step: int) -> None:
    who, text = SAID[12]
    reader, at, known = ReplyReader(who, ROLES), 0, 0
    shown: list[tuple[int, int]] = []
    for line in text.split("\n"):
        for end in range(step, len(line), step):
            known = reader.certain(line[:end], known)
        if known:
            shown.append((at, at + known))
        reader.read(line, at)
        at, known = at + len(line) + 1, 0
    reader.close()
    assert all(not (start < end and cut < stop) for start, stop in shown for cut, end in reader.cut)
