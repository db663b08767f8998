"""Minutes are asked for, read, checked and added; they can put nothing into anybody's mouth."""

from __future__ import annotations

import json
from typing import Any

import pytest
from folded import debated

from eda.debate.prompts.texts import Prompts
from eda.events import (
    DecisionFound,
    MessagePosted,
    ProposalMade,
    SummaryWritten,
)
from eda.events.model_minutes import Minuted, RangeMinutes
from eda.events.records import Decision, Line
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.model_minutes import MinutesAnswer, checked, known_lines, read_answer
from eda.memory.minutes.state import TRANSCRIPT, Genre, State
from eda.memory.patterns import default_pack
from eda.memory.summaries.due import Due

PACK = default_pack()
DEBATE = Genre("debate")
TALK = (
    ("Ann", "I propose that we use Postgres for the ledger."),
    ("Ben", "I agree with Ann. Could we not put the cold rows on tape? That would halve the bill."),
    ("Cleo", "Tape is “slow, but cheap”. I am all for what Ben has there."),
    ("Dan", "So it is decided: cold rows go to tape from May on. Who will tell the auditors?"),
    ("Eve", "Fine by me.\n[PROPOSE] Freeze the schema in June."),
)


def posted(number: int, who: str, text: str, *, loose: bool = True, **more: Any) -> MessagePosted:
    return MessagePosted(number=number, who=who, text=text, **read_reply(text, loose=loose)._asdict(), **more)


def heard(
    talk: tuple[tuple[str, str], ...] = TALK, genre: Genre = TRANSCRIPT, options: tuple[str, ...] = ()
) -> tuple[Minutes, list[Line]]:
    held = Minutes(State(pack=PACK))
    held.begin(options, genre)
    loose = held.state.genre.kind == "debate"
    messages = [posted(number, who, text, loose=loose) for number, (who, text) in enumerate(talk, 1)]
    for message in messages:
        held.hear(message)
    return held, [Line(message.number, message.who, message.talk) for message in messages]


def check(held: Minutes, lines: list[Line], reply: str) -> RangeMinutes:
    answer = read_answer(reply, None)
    assert answer is not None
    return checked(answer, lines, held.proposals, held.decisions)


def summed(minutes: RangeMinutes, first: int = 1, last: int = 5) -> SummaryWritten:
    return SummaryWritten(first=first, last=last, text="What was said.", by="a-model", minutes=minutes)


def taken(talk: tuple[tuple[str, str], ...], reply: str, **more: Any) -> Minutes:
    held, lines = heard(talk, **more)
    minutes = check(held, lines, reply)
    stored = SummaryWritten.model_validate_json(summed(minutes, 1, len(lines)).model_dump_json())
    held.take(stored)
    return held


TAPE = '{"message": 2, "quote": "put the cold rows on tape", "text": "Put the cold rows on tape."}'
REPLY = (
    '{"summary": "Ben wants tape.", "proposals": [' + TAPE + '], "decisions": [{"message": "m4", "quote": '
    '"So it is decided: cold rows go to tape from May on", "text": "Cold rows go to tape.", "proposal": "m2"}], '
    '"questions": [{"message": 4, "quote": "Who will tell the auditors?", "text": "Who tells the auditors?"}], '
    '"answered": [], "conditions": [], "unsourced": []}'
)


# ---------------------------------------------------------------- what a model answers


@pytest.mark.parametrize(
    "reply",
    [REPLY, f"Here you are:\n```json\n{REPLY}\n```\nAnything else?", f"In {{short}}, {{}}: {REPLY}"],
    ids=["bare", "fenced", "after other braces"],
)
def test_the_answer_is_found_in_a_reply(reply: str) -> None:
    """A model that wraps its JSON in a fence or a sentence would lose its minutes."""
    answer = read_answer(reply, None)
    assert answer is not None
    assert [said.message for said in answer.decisions] == [4]


def test_a_structured_answer_goes_before_the_text() -> None:
    """A runner that has the data apart would see it ignored."""
    answer = read_answer("whatever", json.loads(REPLY))
    assert answer is not None
    assert len(answer.decisions) == 1
    assert read_answer("Plain words.", {"questions": []}) == MinutesAnswer(summary=[])


@pytest.mark.parametrize("reply", ["  Ben wants tape. {sic}\n", "", '{"proposals": [', '```json\n{"proposals": ['])
def test_prose_holds_no_minutes(reply: str) -> None:
    """Nobody gets minutes that are none."""
    assert read_answer(reply, None) is None


def test_an_answer_that_broke_off_keeps_what_it_holds_in_full() -> None:
    """What was paid for would be lost at the token limit."""
    answer = read_answer(REPLY[:120], None)
    assert answer is not None
    assert [each.quote for each in answer.proposals] == ["put the cold rows on tape"]


def test_a_malformed_item_voids_none_of_the_others() -> None:
    """One slip of a model would cost the minutes of a whole range."""
    rows = f'[{TAPE}, {{"message": "?"}}, 7, null, {{"quote": "x"}}, {{"message": "12", "quote": "abc", "who": "Eve"}}]'
    answer = read_answer(f'{{"summary": "s", "extra": 1, "proposals": {rows}, "questions": "none"}}', None)
    assert answer is not None
    assert [said.message for said in answer.proposals] == [2, 12]
    assert answer.questions == []


def test_the_shape_that_a_model_is_asked_for_can_be_sent() -> None:
    """A schema that no server takes would end every summary in an error."""
    shape = MinutesAnswer.model_json_schema()
    assert shape["required"] == ["summary"]
    assert set(shape["properties"]) == set(json.loads(REPLY))


# ---------------------------------------------------------------- what is added


def test_minutes_add_what_patterns_missed() -> None:
    """What is agreed in nobody's favourite words would never be remembered."""
    held = taken(TALK, REPLY)
    tape = next(p for p in held.proposals if p.id == "p2@31")
    assert (tape.proposer, tape.source, tape.content) == ("Ben", "minutes", "Put the cold rows on tape.")
    assert tape.quote is not None
    assert TALK[1][1][tape.quote.start : tape.quote.end] == tape.quote.text == "put the cold rows on tape"
    decision = held.decisions[-1]
    assert (decision.id, decision.status, decision.proposal) == ("d4@0", "claimed", "p2@31")
    assert decision.supporters == ("Dan",)
    assert [(q.message, q.who, q.text) for q in held.questions] == [(4, "Dan", "Who will tell the auditors?")]
    assert next(p for p in held.proposals if p.id == "p1@0").source == "pattern"
    assert (decision.source, "cold rows go to tape from May on" in decision.quotes[0].text) == ("minutes", True)


def test_what_minutes_find_stands_where_it_was_said() -> None:
    """Listed by age, a proposal that the minutes add late would pass for the newest of all."""
    held = taken(TALK, REPLY)
    assert [p.id for p in held.proposals] == ["p1@0", "p2@31", "p5.0"]
    assert [p.id for p in held.newest_open(1)] == ["p5.0"]


def test_what_minutes_find_is_announced() -> None:
    """A screen or a page beside the debate would not show what memory has just learned."""
    held, lines = heard()
    events = held.take(summed(check(held, lines, REPLY)))
    assert {type(event) for event in events} == {ProposalMade, DecisionFound}


def test_in_a_debate_minutes_add_a_claim_and_no_support() -> None:
    """Minutes that take a member's word for the panel's would decide in its stead."""
    held = taken(TALK, REPLY, genre=DEBATE)
    assert [(claim.status, claim.supporters) for claim in held.claims] == [("claimed", ("Dan",))]
    tape = next(p for p in held.proposals if p.id == "p2@31")
    assert (tape.status, tape.backers("support")) == ("active", ())


def test_in_a_transcript_too_a_decision_of_the_minutes_is_a_claim() -> None:
    """A model would decide in the panel's stead; a written resolution decides."""
    held = taken(TALK, REPLY, genre=TRANSCRIPT)
    assert [(d.id, d.status) for d in held.decisions if d.source == "minutes"] == [("d4@0", "claimed")]


def test_a_proposal_listed_five_times_is_one() -> None:
    """A panel that repeats itself would seem to have five plans."""
    talk = tuple((who, "Cold rows on tape, as they have it in Oslo.") for who in ("Ann", "Ben", "Ann", "Cleo", "Ben"))
    rows = [{"message": n, "quote": "cold rows on tape", "text": ""} for n in range(1, 6)]
    held = taken(talk, json.dumps({"summary": "s", "proposals": rows + rows}))
    assert [p.id for p in held.proposals if p.source == "minutes"] == ["p1@0"]
    assert [quote.message for quote in held.proposals[0].restated] == [2, 3, 4, 5]


def test_a_decision_listed_five_times_is_one() -> None:
    """Restating a decision five times must not make five."""
    talk = tuple(("Dan", f"So it is decided, {n} times: cold rows go to tape.") for n in range(1, 5))
    rows = [{"message": n, "quote": "it is decided", "text": "Cold rows go to tape."} for n in range(1, 5)]
    held = taken(talk, json.dumps({"summary": "s", "decisions": rows}), genre=DEBATE)
    assert [(d.messages, d.status) for d in held.decisions] == [((1, 2, 3, 4), "claimed")]


def test_what_is_held_already_is_vouched_for_and_not_added() -> None:
    """Minutes that list what memory listed for them would double every item."""
    again = {"message": 1, "quote": "we use Postgres for the ledger", "text": "Use Postgres."}
    declared = {"message": 5, "quote": "Fine by me", "text": "Freeze the schema in June"}
    held = taken(TALK, json.dumps({"summary": "s", "proposals": [again, declared]}))
    assert [(p.id, p.source) for p in held.proposals] == [("p1@0", "minutes"), ("p5.0", "declared")]


@pytest.mark.parametrize("number", [3, 9, 0])
def test_words_that_one_other_message_has_are_taken_from_there(number: int) -> None:
    """A true item was lost for a slip of its number; words of two messages name neither."""
    row = {"message": number, "quote": "put the cold rows on tape"}
    held, lines = heard()
    (found,) = check(held, lines, json.dumps({"summary": "s", "proposals": [row]})).proposals
    assert (found.message, found.who) == (2, "Ben")
    twice = [*lines, Line(6, "Cleo", lines[1].text)]
    assert check(held, twice, json.dumps({"summary": "s", "proposals": [row]})) == RangeMinutes()


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        pytest.param("proposals", {"message": 2, "quote": "we buy a mainframe"}, id="not its words"),
        pytest.param("proposals", {"message": 2, "quote": "“ ”"}, id="not its words"),
        pytest.param("proposals", {"message": 2, "quote": "on"}, id="not its words"),
        pytest.param("questions", {"message": 9, "quote": "Who asks them"}, id="out of the range"),
        pytest.param("decisions", {"message": 0, "quote": "So be it"}, id="out of the range"),
    ],
)
def test_what_does_not_hold_is_dropped(kind: str, row: Any) -> None:
    """An invented quote, a message of another range, or a denied vote would become the panel's memory."""
    held, lines = heard()
    minutes = check(held, lines, json.dumps({"summary": "s", kind: [row]}))
    assert minutes == RangeMinutes()


def test_an_offer_to_say_more_is_no_question() -> None:
    """A closing courtesy stood as the panel's open question."""
    talk = (("Keiko", "I hope this helps! Let me know if you'd like me to elaborate on any of these points."),)
    row = {"message": 1, "quote": "Let me know if you'd like me to elaborate", "text": "Should Keiko elaborate?"}
    assert taken(talk, json.dumps({"summary": "s", "questions": [row]})).questions == ()


@pytest.mark.parametrize("quote", ['tape is "slow,   BUT cheap".', "…Tape is “slow", "**Tape** is “slow,\nbut"])
def test_a_quote_is_found_however_it_is_typed(quote: str) -> None:
    """A model that straightens a quotation mark has still quoted."""
    held, lines = heard()
    row = {"message": 3, "quote": quote}
    minutes = check(held, lines, json.dumps({"summary": "s", "unsourced": [row]}))
    assert [said.quote in lines[2].text for said in minutes.unsourced] == [True]


def test_a_figure_in_the_reason_of_a_move_may_be_unsourced() -> None:
    """Figures stand in reasons, and whoever took minutes of them was left out without a word."""
    memory = debated(("Ada", "So.\n\n[PROPOSE Lime] We plant a lime."), ("Ben", "[SUPPORT p1.0] it costs 40 euros"))
    row = {"message": 2, "quote": "it costs 40 euros", "text": "The lime costs 40 euros."}
    answer = read_answer(json.dumps({"unsourced": [row]}), None)
    assert answer is not None
    minutes, _ = memory.parts.minuted(Due(1, 2), answer)
    assert [each.quote for each in minutes.unsourced] == ["it costs 40 euros"]


def test_who_said_it_is_what_the_log_says() -> None:
    """A model that names another author would put a proposal into somebody's mouth."""
    row = {**json.loads(TAPE), "who": "Cleo", "proposer": "Cleo"}
    held = taken(TALK, json.dumps({"summary": "s", "proposals": [row]}))
    assert next(p for p in held.proposals if p.source == "minutes").proposer == "Ben"
    alone, _ = heard()
    before = alone.proposals
    alone.take(summed(RangeMinutes(proposals=(Minuted(2, "cold rows", "Sell it all.", who="Nobody"),))))
    assert alone.proposals == before


def test_the_prompt_lists_what_is_held() -> None:
    """Without ids and sources a model can neither confirm nor answer, and denies what was declared."""
    held, _ = heard()
    text = Prompts().fill("minutes", held="\n".join(known_lines(held.proposals, held.decisions, 2, 5)))
    assert "p1@0" not in text  # older than the range, so the table has it
    assert "Freeze the schema in June" not in text, "it was declared, and stands below m5"
    assert known_lines((), (), 1, 5) == []
    claim = Decision("d2@9", (2,), "", "We delay", ("Viktor",), "claimed", source="declared")
    assert known_lines((), (claim,), 1, 5) == ["- d2@9 claimed decision, declared, m2: We delay"]


ASKED = (
    ("Ada", "Who tells the auditors? And when do we stop?"),
    ("Ben", "When does it start, and who tells the auditors?"),
    ("Cleo", "I tell the auditors, on Monday."),
)
QUESTIONS = [
    {"message": 1, "quote": "Who tells the auditors?", "text": "Who tells the auditors?"},
    {"message": 1, "quote": "when do we stop?", "text": "When do we stop?"},
    {"message": 2, "quote": "who tells the auditors?", "text": "who tells  the auditors"},
    {"message": 2, "quote": "When does it start", "text": "When does it start?"},
]
MONDAY = {"message": 3, "quote": "I tell the auditors"}


@pytest.mark.parametrize(
    ("answered", "left"),
    [
        pytest.param([], ["Who tells the auditors?", "when do we stop?", "When does it start"], id="none"),
        pytest.param([MONDAY | {"to": "m2"}], ["Who tells the auditors?", "when do we stop?"], id="only one there"),
        pytest.param(
            [MONDAY | {"to": "m1", "text": "Who tells the auditors?"}],
            ["when do we stop?", "When does it start"],
            id="in its words",
        ),
        *(
            pytest.param([row], ["Who tells the auditors?", "when do we stop?", "When does it start"], id=name)
            for name, row in {
                "which of two": MONDAY | {"to": "m1"},
                "no such words": {"message": 3, "quote": "I tell nobody", "to": "m2"},
                "before it": {"message": 1, "quote": "Who tells", "to": "m2"},
                "nowhere": MONDAY | {"to": "soon"},
            }.items()
        ),
    ],
)
def test_a_question_stands_once_until_the_minutes_name_its_answer(answered: list[Any], left: list[str]) -> None:
    """What was answered long ago stood as open in prompts and report, some of it twice."""
    reply = json.dumps({"summary": "s", "questions": QUESTIONS, "answered": answered})
    assert [each.text for each in taken(ASKED, reply).questions] == left


@pytest.mark.parametrize(
    ("said", "open_"),
    [
        ("Open for me: who takes Vera home, whom nobody named.", True),
        ("Offen bleibt für mich, wer Vera heimbringt.", True),
        ("Vera goes home at nine with her brother.", False),
    ],
)
def test_in_a_debate_what_its_author_calls_open_is_a_question(said: str, open_: bool) -> None:
    """A question had to end in a question mark: "Open for me: Aunt Vera" was dropped from the open questions."""
    talk = (*TALK[:2], ("Cleo", f"I am for it. {said}"))
    reply = '{"summary": "x", "questions": [{"message": 3, "quote": ' + json.dumps(said) + "}]}"
    held, lines = heard(talk, genre=DEBATE)
    answer = read_answer(reply, None)
    assert answer is not None
    minutes = checked(answer, lines, held.proposals, held.decisions, debate=True)
    assert [question.quote for question in minutes.questions] == [said.rstrip(".")] * open_
