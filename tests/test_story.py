"""How a decision came about, as data, and in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from eda.debate.replay import memory_of, progress_of
from eda.report.gather import report_of
from eda.report.markdown import report_markdown
from eda.report.model import Report
from eda.report.sections import story_words
from eda.session import Session

SESSIONS = Path(__file__).parents[1] / "sessions"


def example(language: str = "en") -> Report:
    with Session.read("example", SESSIONS) as session:
        return report_of(session, progress_of(session), memory_of(session), language)


@pytest.fixture(scope="module")
def report() -> Report:
    return example()


def test_the_steps_are_the_votes_and_the_texts_that_led_to_the_outcome(report: Report) -> None:
    """Who was not there could not say how four of five came to a text that nobody had brought."""
    told = [(step.kind, step.by, step.text, step.of) for step in report.story]
    assert told == [
        ("first", "", "", ()),
        ("text", "Lucien", "p8.0", ("p2.0", "p3.0")),
        ("text", "Ruth", "p10.0", ("p8.0",)),
        ("text", "Lucien", "p14.0", ("p10.0",)),
        ("vote", "", "", ()),
    ]
    assert [len(text.voters) for text in report.story[-1].votes] == [4, 1]


def test_a_step_tells_what_was_said_against_the_text_that_it_changes(report: Report) -> None:
    """The turning point was missing: what the talk changed was not known."""
    changed = [(each.who, each.of_older, each.message) for step in report.story for each in step.against]
    assert changed == [("Viktor", "p8.0", 9), ("Viktor", "p10.0", 13)]
    assert {who for step in report.story for who in step.still} == {"Viktor"}


def test_each_changed_vote_names_its_message_and_whose_it_is(report: Report) -> None:
    """That the one who is against it turned another, the story of this debate, could not be read."""
    named = {each.who: (each.message, each.by, each.against) for step in report.story for each in step.names}
    assert named == {
        "Lucien": (7, "Keiko", False),
        "Maya": (10, "Ruth", False),
        "Keiko": (9, "Viktor", True),
        "Ruth": (14, "Lucien", False),
    }


def test_a_table_says_where_it_leaves_out_messages(report: Report) -> None:
    """A text that rests on fifteen messages stood as one that rests on five."""
    (row,) = (row for row in report.counted.rows if row.id == "p14.0")
    assert len(row.behind) > 5
    assert "| …, m15, m16, m17, m18, m20 |" in report_markdown(report)


def test_nothing_is_told_twice(report: Report) -> None:
    """A third of the words of a report were printed again."""
    words = re.findall(r"[\w'’%-]+", report_markdown(report).casefold())
    runs = [tuple(words[at : at + 12]) for at in range(len(words) - 11)]
    assert 1 - len(set(runs)) / len(runs) < 0.08
    assert len(words) <= 1300


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_story_is_worded_in_each_language(language: str) -> None:
    """A German report would tell how it came about in English."""
    report = example(language)
    lines = [line for head, lines in story_words(report) for line in (head, *lines)]
    assert len(lines) > len(report.story)
    if language == "de":
        ours = " ".join(re.sub("„.*?“", "", line) for line in lines)
        assert not re.search(r"\b(?:the|was|against|names|changed)\b", ours)
