"""What a model wrote, made to fit: JSON out of prose, whole sentences, no thinking read out."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, strategies as st
from in_turn import in_one
from pydantic import BaseModel, Field, ValidationError

from eda.debate.asking import refuses
from eda.runners.answer_text import VisibleText, whole_sentences, without_json
from eda.runners.answers import BallotAnswer, BidAnswer, BidsAnswer, PollAnswer, ScoredAnswer, share
from eda.runners.protocol import Reply
from eda.runners.repair import (
    faults_of,
    fields_in,
    fields_of,
    fit,
    is_data,
    pieces_of,
    validated,
    without_thinking,
)


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
    assert (data, wrong) == ({"choice": "Go", "moved_by": None, "confidence": 0.7, "change_mind": "A. B."}, "")


NATIVE = "Stay native"
LOOSE = {
    "fence": '```\n{"choice": "Stay native"}\n```',
    "fence in prose": 'Sure! Here it is:\n\n```json\n{"choice": "Stay native"}\n```\nI hope this helps!',
    "trailing commas": '{"choice": "Stay native", "ranking": ["Stay native",], "confidence": 0.7,}',
    "literals": '{"choice": "Stay native", "blocked": None, "abstain": False}',
    "comments": '{"choice": "Stay native", // my pick\n/* sure */ "confidence": 0.7}',
    "single quotes": "{'choice': 'Stay native', 'reason': 'it\\'s 60 days' notice, no more'}",
    "curly quotes": "{“choice”: “Stay native”}",
    "bare keys": "{choice: 'Stay native', confidence: 70%}",
    "bare words": "{choice: Stay native, confidence: high}",
    "quotes inside": '{"reason": "He said "no" twice, and left", "choice": "Stay native"}',
    "no comma": '{"confidence": 0.7 "choice": "Stay native"}',
    "cut off": '{"choice": "Stay native", "confidence": 0.7, "reason": "a proto',
    "twice the same": '{"choice": "Stay native"}\n\n{"choice": "Stay native"}',
    "corrects itself": '{"choice": "Rewrite in Flutter"}\n\nSorry, I meant:\n\n{"choice": "Stay native"}',
    "the form first": 'As {"choice": "..."}:\n{"choice": "Stay native"}',
    "wrapped": '{"ballot": {"choice": "Stay native"}}',
    "wrapped twice": '{"response": {"answer": {"vote": "Stay native", "reason": "x"}}}',
    "a list of one": '[{"choice": "Stay native"}]',
    "another key": '{"my_choice": "Stay native"}',
    "a longer key": '{"selected_option": "Stay native", "why": "x"}',
    "thinking": '<think>{"choice": "Rewrite"} or not?</think>{"choice": "Stay native"}',
}


@in_one("text", LOOSE.values())
def test_loose_json_is_read_as_it_was_meant(text):
    """Without it a small model is asked again for a comma, answers the same, and its member has no vote."""
    fields, wrong = fit(BallotAnswer, text)
    assert wrong == ""
    assert fields["choice"] == NATIVE


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "the answer was empty"),
        ("I would rather not say.", "holds no JSON object"),
        ('{"properties": {"choice": {"type": "string"}}, "required": ["choice"]}', "holds no JSON object"),
        ('{"choice": "by June"}\n\n{"choice": "by September"}', "two JSON objects that differ"),
        ('{"choice": "by June"}\n\nScratch that, I cannot decide.', "takes back in words"),
        ('{"reason": "cheaper"}', "the answer lacks `choice`"),
        ('{"vote": "by June", "option": "by September"}', "holds no JSON object"),
        ('{"choice": "by Ju', "holds no JSON object"),
        ("Choice: by June\nChoice: by September", "holds no JSON object"),
    ],
)
def test_an_answer_that_does_not_say_one_thing_is_none_and_says_why(text, wrong):
    """Without it a guess is counted, or who is asked again does not know what to mend."""
    fields, why = fit(BallotAnswer, text)
    assert fields is None
    assert wrong in why


MAYA, RUTH = {"agent": "Maya", "wants": True}, {"agent": "Ruth", "wants": False}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"bids": {"Maya": {"wants": True}, "Ruth": {"wants": False}}}),
        json.dumps({"bids": [{"Maya": True}, {"Ruth": {"wants": "no"}}]}),
        json.dumps({"Maya": True, "Ruth": False}),
        json.dumps({"answers": {"Maya": {"wants": True}, "Ruth": {"wants": False}}}),
        json.dumps([MAYA, RUTH]),
        f"{json.dumps(MAYA)}\n{json.dumps(RUTH)}",
        json.dumps({"bids": [{"name": "Maya", "wants_to_speak": "yes"}, RUTH, {"agent": "Jonah"}]}),
        '{"bids": [{"agent": "Maya", "wants": true,},{"agent": "Ruth", "wants": false}, {"agent": "Jonah", "wa',
    ],
)
def test_a_map_is_a_list_of_rows_and_a_row_that_is_none_costs_the_others_nothing(text):
    """Without it a whole round is silent because of the shape that a model gave to its list."""
    fields, wrong = validated(BidsAnswer, fields_in(BidsAnswer, text)[0])
    assert wrong == ""
    assert [(row["agent"], row["wants"]) for row in fields["bids"]] == [("Maya", True), ("Ruth", False)]


def test_scores_come_as_a_map_too():
    """Without it a panel that scores has no ballots of models that write a map."""
    fields, _ = fields_in(ScoredAnswer, '{"choice": "A", "scores": {"A": 9, "B": {"score": "7/10"}},}')
    assert fields["scores"] == [{"choice": "A", "score": 9}, {"choice": "B", "score": "7/10"}]


def test_an_optional_field_that_is_wrong_takes_its_default():
    """Without it a vote is lost for the confidence that stands beside it."""
    wrong = {"choice": NATIVE, "confidence": "rather", "ranking": [1, {}], "reason": {"why": 1}, "also": 7}
    wrong["moved_by"] = []
    fields, _ = validated(BallotAnswer, wrong)
    assert fit(BallotAnswer, json.dumps(wrong))[0] is None
    empty = {"ranking": [], "approved": [], "also": [], "apart": [], "blocked": []}
    empty |= {"moved_by": None, "confidence": None, "reason": ""}
    assert fields == {"choice": NATIVE, **empty}


@in_one(
    ("written", "read"),
    [
        ("high", 0.8),
        ("Hoch", 0.8),
        ("sehr niedrig", 0.05),
        ("Very sure.", 0.95),
        (80, 0.8),
        ("80", 0.8),
        ("80 %", 0.8),
        ("8/10", 0.8),
        (0.8, 0.8),
        (1, 1),
    ],
)
def test_a_share_is_read_in_the_forms_that_models_write(written, read):
    """Without it a member that writes 80 for 0.8 is asked again for a figure that is clear."""
    assert share(written) == pytest.approx(read)


@pytest.mark.parametrize("written", [8, 800, -1, "rather", None, True, [0.8]])
def test_a_share_that_could_be_another_stays_as_it_is(written):
    """Without it 8 of ten is taken down as 8 per cent."""
    assert share(written) == written


def test_the_data_of_a_reply_counts_before_its_text():
    """Without it a runner that answers for another one says two things, and the wrong one counts."""
    assert fields_of(BidAnswer, Reply('{"wants": true}', {"wants": False})) == ({"wants": False}, "")
    assert fields_of(BidAnswer, Reply('{"wants": true}')) == ({"wants": True}, "")
    assert fields_of(BidAnswer, Reply("So."))[0] is None


def test_faults_are_said_in_words():
    """Without it the member is told of types and places that it never saw."""
    with pytest.raises(ValidationError) as caught:
        BidAnswer.model_validate({"urgency": 7})
    assert faults_of(caught.value) == "the answer lacks `wants`; `urgency`: Input should be less than or equal to 1"


@given(st.text(alphabet="{}[]\",:\\'“” \nab1/#*"))
def test_no_brackets_break_the_search(text):
    """Without it a reply of brackets ends the debate in a traceback, or is read for ever."""
    for begin, end, value in pieces_of(text):
        assert 0 <= begin < end <= len(text)
        assert isinstance(value, dict | list)


def test_a_text_of_nothing_but_brackets_is_read_quickly():
    """Without it a model that runs into a loop of brackets holds the debate up for hours."""
    assert list(pieces_of("[" * 100_000)) == []
    assert list(pieces_of('{"a":' * 20_000)) == []
    began = time.process_time()
    assert list(pieces_of("{" * 100_000)) == []
    assert time.process_time() - began < 1  # the library alone takes seven seconds
    assert list(pieces_of("{" + "(" * 10_000 + ",}")) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"a": "x", "b": 12', [{"a": "x"}]),
        ('{"a": "x", "b": "it is tr', [{"a": "x"}]),
        ('{"a": "x", "b": tru', [{"a": "x"}]),
        ('{"a": ["p1.0", "p2.', [{"a": ["p1.0"]}]),
        ('{"a": "b', []),
    ],
)
def test_what_breaks_off_is_no_value(text, values):
    """Without it a member votes for the first half of what it was about to write."""
    assert [value for _, _, value in pieces_of(text) if value] == values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{a: 2 more weeks, b: 1 June}", {"a": "2 more weeks", "b": "1 June"}),
        ('{"a": NaN, "b": undefined,}', {"a": None, "b": None}),
        ('{"a": 1, "a": 2,}', {"a": 2}),
        ("{'a': 'the members' vote', 'b': 1e3}", {"a": "the members' vote", "b": 1000}),
        ('{"a": "x", "b": }', None),
    ],
)
def test_loose_values_are_read_whole_or_not_at_all(text, value):
    """Without it a vote for two more weeks is a vote for the second option."""
    assert next((value for _, _, value in pieces_of(text)), None) == value


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't vote in this debate.",
        "I can't help with that.",
        "I'm sorry, but I cannot assist with this request.",
        "As an AI language model, I cannot participate in this discussion.",
        "Sorry, I’m unable to continue with this conversation.",
    ],
)
def test_a_refusal_is_known(text):
    """Without it the refusal of a model is posted as what a member of the panel says."""
    assert refuses(text)


@in_one(
    "text",
    [
        "I can't help but think of 2019, when the same plan failed.",
        "I can't support p1.0 as long as nobody names the cost.",
        "I cannot help with the billing rewrite in May, since my team is away.",
        "I'm sorry, but I can't let that number stand: it counts trials.",
        "I cannot vote for Stay native.",
        "We cannot continue with two ledgers.",
        "I can't vote until somebody names the cost.",
        "I can't provide a date before May, and I cannot answer that question for the bank.",
        "I'm sorry, but I can't continue with this plan.",
        "I can't help with that; my team has the audit.",
        "I can't help with that. " + "And yet there is a way, which nobody has named so far. " * 8,
    ],
)
def test_a_member_that_objects_is_no_refusal(text):
    """Without it an honest objection is lost as a failed turn."""
    assert not refuses(text)


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('{"wants": true, "urgency": 0.7}', True),
        ('```json\n{"bids": [{"agent": "Maya", "wants": true}]}\n```', True),
        ('[{"agent": "Maya", "wants": true},]', True),
        ('The server answers {"ok": true}, and that is all.', False),
        ("[PROPOSE] Wait.", False),
        ("I hold.", False),
        ("", False),
    ],
)
def test_a_reply_that_is_data_and_nothing_else_is_known(text, data):
    """Without it a bid stands in the transcript as what a member said."""
    assert is_data(text) == data


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


@pytest.mark.parametrize(
    ("reply", "refused"),
    [
        (
            "I'm sorry, but as an AI language model I can't provide legal advice on food safety. Please ask a lawyer.",
            True,
        ),
        ("As an AI model, I do not have opinions.", True),
        ("I can't help with that.", True),
        ("I cannot support p3.0: nobody has rehearsed it.", False),
        ("Sorry, I can't be at the kitchen on Fridays, so somebody else must sign.", False),
    ],
)
def test_a_refusal_of_the_model_is_told_from_a_members_no(reply: str, refused: bool) -> None:
    """A model's refusal would stand as a member's closing word, or a member's objection would be no message."""
    assert refuses(reply) is refused
