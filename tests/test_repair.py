"""What a model wrote, made to fit: JSON out of prose, whole sentences, no thinking read out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from eda.runners.answers import BidAnswer, PollAnswer
from eda.runners.messages_api.answer_text import VisibleText, whole_sentences, without_json
from eda.runners.repair import fit, without_thinking


class Wish(BaseModel):
    """A bid as a test asks for it."""

    wants: bool
    urgency: float = Field(ge=0, le=1)


@given(st.text(alphabet="ab \n`.:"), st.booleans(), st.floats(0, 1), st.text(alphabet="ab \n`."))
def test_an_answer_is_found_in_whatever_stands_around_it(before, wants, urgency, after):
    """Without it a polite word before the JSON costs a second call, or the bid."""
    wish = {"wants": wants, "urgency": urgency}
    assert fit(Wish, f"{before}{json.dumps(wish)}{after}") == (wish, "")


class Wishes(BaseModel):
    """The bids of several, as a test asks for them."""

    wishes: list[Wish]


@pytest.mark.parametrize("around", ["{}", '{{"wishes": {}}}', "```json\n{}\n```", 'See [1]:\n{{"wishes": {}}}'])
def test_a_list_will_do_for_an_object_that_is_one_list(around):
    """Without it all of a panel passes because a small model left out the name of the list."""
    wish = {"wants": True, "urgency": 0.5}
    assert fit(Wishes, around.format(json.dumps([wish, wish]))) == ({"wishes": [wish, wish]}, "")


@pytest.mark.parametrize("urgency", ["0.7", "70%", "7/10", "7 out of 10"])
def test_figures_and_lines_in_other_forms_are_read(urgency):
    """Without it a member whose model writes 70 % for 0.7, or null for no reason, never gets the floor."""
    data, wrong = fit(BidAnswer, json.dumps({"wants": True, "urgency": urgency, "reason": None}))
    assert (data, wrong) == ({"wants": True, "urgency": 0.7, "reason": ""}, "")
    data, wrong = fit(PollAnswer, json.dumps({"choice": "Go", "confidence": urgency, "change_mind": ["A.", "B."]}))
    assert (data, wrong) == ({"choice": "Go", "confidence": 0.7, "change_mind": "A. B."}, "")


class Vote(BaseModel):
    """A ballot with its reason."""

    reason: str


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("a \\ud83d b", "a \ufffd b"),
        ("a \ud83d b", "a \ufffd b"),
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
        ("<think>a</think>\n<think>b</think>c", "c"),
        ("<Thinking>a</Thinking>b", "b"),
        ("b <think>a</think>", "b <think>a</think>"),
    ],
)
def test_only_leading_thinking_is_taken_out(text, said):
    """Without it a panel that speaks about such tags loses its words."""
    assert without_thinking(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"speech": "I hold.\\nSo.", "moves": ["[PROPOSE] Wait.", 3]}', "I hold.\nSo.\n\n[PROPOSE] Wait."),
        ('```json\n{"text": "I hold."}\n```\n\n[SUPPORT p1.0]', "I hold.\n\n[SUPPORT p1.0]"),
        ('{"message": "I hold.\nSo."}\n[SUPPORT p1.0]', "I hold.\nSo.\n\n[SUPPORT p1.0]"),
    ],
)
def test_speech_is_taken_out_of_json(text, said):
    """Without it a small model's member reads as data in transcript and report, and none of its moves counts."""
    assert without_json(text) == said
    pieces: list[str] = []
    visible = VisibleText(pieces.append)
    for letter in text:
        visible(letter)
    assert pieces == []


@pytest.mark.parametrize(
    "text", ["I hold.", '{"a": "b"}', '{"text": ""}', "{x} is", "[1]", "3", '{"text": 3}', '{"text', ""]
)
def test_what_is_no_speech_in_json_stays(text):
    """Without it a member that quotes data loses its words."""
    assert without_json(text) == text


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
