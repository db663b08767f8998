"""What a model wrote, made to fit: JSON out of prose, whole sentences, no thinking read out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from eda.runners.fitting import fit, whole_sentences, without_thinking


class Wish(BaseModel):
    """A bid as a test asks for it."""

    wants: bool
    urgency: float = Field(ge=0, le=1)


@given(st.text(alphabet="ab \n`.:"), st.booleans(), st.floats(0, 1), st.text(alphabet="ab \n`."))
def test_an_answer_is_found_in_whatever_stands_around_it(before, wants, urgency, after):
    """Without it a polite word before the JSON costs a second call, or the bid."""
    wish = {"wants": wants, "urgency": urgency}
    assert fit(Wish, f"{before}{json.dumps(wish)}{after}") == (wish, "")


class Vote(BaseModel):
    """A ballot with its reason."""

    reason: str


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("a \\ud83d b", "a ? b"),
        ("a \ud83d b", "a ? b"),
        ("a\nb", "a\nb"),
        ("a\x1b[2Jb", "ab"),
        ("\\ud83d\\ude00", "😀"),
    ],
)
def test_a_letter_that_json_does_not_take_spoils_no_answer(written, read):
    """Without it a line break in its reason, or half an emoji, costs a member of a small model's panel its vote."""
    assert fit(Vote, f'{{"reason": "{written}"}}') == ({"reason": read}, "")


@given(st.text())
def test_no_text_breaks_the_reading(text):
    """Without it one strange reply ends the debate in a traceback."""
    data, wrong = fit(Wish, text)
    assert (data is None) == bool(wrong)
    assert without_thinking(text) in (text, without_thinking(text).strip())
    assert text.startswith(whole_sentences(text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<think>a</think> b", "b"),
        ("\n<thinking>\na\n</thinking>\n\nb", "b"),
        ("<think>a", ""),
        ("b <think>a</think>", "b <think>a</think>"),
    ],
)
def test_only_leading_thinking_is_taken_out(text, said):
    """Without it a panel that speaks about such tags loses its words."""
    assert without_thinking(text) == said


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ('He said "no." And th', 'He said "no."'),
        ("It costs 3.5 million", ""),
        ("Three points:\n1. Cost is high.\n2. Ti", "Three points:\n1. Cost is high."),
        ("So it is!\n3.", "So it is!"),
        ("これは良い。しかし", "これは良い。"),
        ("No. We sh", "No."),
        ("Whole.", "Whole."),
    ],
)
def test_whole_sentences(text, whole):
    """Without it a cut leaves half a quotation, half a number or a lone list number."""
    assert whole_sentences(text) == whole
