"""Stored minutes vouch, survive a resume and better patterns, and hold whatever a model wrote."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from test_model_minutes import DEBATE, PACK, REPLY, TALK, check, heard, posted, summed, taken

from eda.events import SummaryWritten
from eda.events.model_minutes import Minuted, RangeMinutes
from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.model_minutes import MinutesAnswer, checked, read_answer
from eda.memory.minutes.state import TRANSCRIPT, Genre, State
from eda.memory.patterns import PatternPack
from eda.memory.snapshot import dump, load

AGREED = (
    ("Ann", "I propose that we use Postgres for the ledger."),
    ("Ben", "I agree with Ann."),
    ("Cleo", "We have agreed to use Postgres for the ledger."),
)


def test_what_the_minutes_have_too_outlives_the_first_declared_move() -> None:
    """Spoken proposals are forgotten once moves are declared: not those that the minutes vouch for."""
    row = {"message": 1, "quote": "we use Postgres for the ledger"}
    held = taken(AGREED[:1], json.dumps({"summary": "s", "proposals": [row]}))
    held.hear(posted(2, "Eve", "So.\n[PROPOSE] Freeze the schema."))
    assert [p.id for p in held.active] == ["p1@0", "p2.0"]


def test_a_decision_on_what_patterns_no_longer_find_accepts_nothing() -> None:
    """Bound to whatever now has its id, an old decision would accept another proposal."""
    held, lines = heard(AGREED)
    row = {"message": 3, "quote": "We have agreed", "text": "Postgres it is.", "proposal": "p1@0"}
    minutes = check(held, lines, json.dumps({"summary": "s", "decisions": [row]}))
    later = Minutes(State(pack=PatternPack(each for each in PACK.patterns if each.kind != "proposal")))
    for number, (who, text) in enumerate(AGREED, 1):
        later.hear(posted(number, who, text))
    later.take(summed(minutes, 1, 3))
    assert later.decisions[0].proposal is None


# ---------------------------------------------------------------- what is stored


def test_minutes_survive_a_resume() -> None:
    """A session taken up again would otherwise forget what its minutes said, and decide otherwise."""
    talk = (*TALK, ("Ben", "I agree with Dan."), ("Ann", "I oppose the tape plan, Ben."))
    minutes = check(*heard(TALK), REPLY)
    whole = Minutes(State(pack=PACK))
    cut = Minutes(State(pack=PACK))
    facts = [posted(number, who, text) for number, (who, text) in enumerate(talk, 1)]
    for fact in (*facts[:6], summed(minutes), facts[6]):
        for one in (whole, cut):
            _ = one.take(fact) if isinstance(fact, SummaryWritten) else one.hear(fact)
        cut = load(Minutes, json.loads(json.dumps(dump(cut))), pack=PACK, language=PACK.language)
    assert dump(cut) == dump(whole)
    assert cut.questions == whole.questions != ()
    assert (cut.decisions, cut.proposals, cut.reactions) == (whole.decisions, whole.proposals, whole.reactions)


def test_a_state_from_before_there_were_minutes_is_read() -> None:
    """Sessions of last month would be refused."""
    data = dump(heard(AGREED)[0])
    assert data["state"].keys().isdisjoint(["minuted", "questions", "unresolved"])
    for kind in ("proposals", "decisions"):
        for row in data["state"].get(kind, {}).values():
            assert "corrected" not in row
    assert load(Minutes, data, pack=PACK, language=PACK.language) == heard(AGREED)[0]


def test_minutes_of_a_range_count_once() -> None:
    """A fact that is folded twice would make two of everything, and undo what was said since."""
    held, lines = heard()
    fact = summed(check(held, lines, REPLY))
    assert held.take(fact)
    once = dump(held)
    assert held.take(fact) == []
    assert dump(held) == once


def test_a_message_answers_no_question_that_its_author_had_not_heard() -> None:
    """An answer from one sealed opening closed a question from another, and it left the list of open ones."""
    asked = Minuted(1, "How many trips on a Friday?", who="Dan")
    answer = Minuted(2, "I drive gladly.", to="m1", who="Eve")
    for sealed in (True, False):
        held, _ = heard((("Dan", asked.quote), ("Eve", answer.quote)))
        held.open_sealed((1, 2) if sealed else ())
        held.take(summed(RangeMinutes(questions=(asked,), answered=(answer,)), 1, 2))
        assert bool(held.questions) == sealed


@pytest.mark.parametrize(("by", "closes"), [("Eve", True), ("Dan", False)])
def test_a_question_is_closed_by_another_member_than_its_own(by: str, closes: bool) -> None:
    """Minutes closed a question by the words of who had asked it."""
    asked, answer = Minuted(1, "How many trips?", who="Dan"), Minuted(2, "Six or so, I guess.", to="m1", who=by)
    held, _ = heard((("Dan", asked.quote), (by, answer.quote)))
    held.take(summed(RangeMinutes(questions=(asked,), answered=(answer,)), 1, 2))
    assert (not held.questions) == closes


def test_open_questions_are_bounded() -> None:
    """A long debate asks thousands: a list without end is read by nobody and slows everything."""
    held, _ = heard()
    rows = tuple(Minuted(1 + number % 5, f"Question {number:02}?", who="Dan") for number in range(50))
    held.take(summed(RangeMinutes(questions=rows)))
    assert len(held.questions) == 20
    assert held.questions[-1].message == 5


# ---------------------------------------------------------------- whatever a model writes

NAMES = st.sampled_from(["p1@0", "p5.0", "m2", "2", 2, "p2@31", "d4@10", "p9@9", "", None, "`p1@0`"])
QUOTES = st.one_of(
    st.sampled_from([text[:18] for _, text in TALK] + ["cold rows", "Fine by me", "So be it:", "…", "\ud800", "(x"]),
    st.text(max_size=12),
)
ITEM = st.fixed_dictionaries(
    {"message": st.sampled_from([1, 2, "m3", "4", 5, 6, -1, None, 10**30]), "quote": QUOTES},
    optional={
        "text": st.one_of(QUOTES, st.none()),
        "to": NAMES,
        "proposal": NAMES,
        "id": NAMES,
    },
)
JUNK = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=4), st.lists, max_leaves=4)
FIELD = st.lists(ITEM | NAMES | JUNK, max_size=6) | JUNK
ANSWERS = st.dictionaries(st.sampled_from([*MinutesAnswer.model_fields, "more"]), FIELD, max_size=8)


@settings(max_examples=settings().max_examples * 2)
@given(ANSWERS, st.booleans(), st.sampled_from([DEBATE, TRANSCRIPT]))
def test_whatever_a_model_writes_every_kept_quote_is_in_its_message(
    data: dict[str, Any], apart: bool, genre: Genre
) -> None:
    """A model can write anything: it may neither end a debate nor invent a word that somebody said."""
    held, lines = heard(genre=genre)
    answer = read_answer("So." if apart else json.dumps(data), data if apart else None)
    if answer is None:
        return
    minutes = checked(answer, lines, held.proposals, held.decisions)
    for said in (*minutes.proposals, *minutes.decisions, *minutes.questions):
        line = lines[said.message - 1]
        assert line.text[said.start : said.start + len(said.quote)] == said.quote
        assert said.who == line.who
    fact = SummaryWritten.model_validate_json(summed(minutes).model_dump_json())
    assert fact.minutes == minutes
    before = {p.id: (p.proposer, p.content) for p in held.proposals}
    held.take(fact)
    once = dump(held)
    assert {p.id: (p.proposer, p.content) for p in held.proposals if p.id in before} == before
    held.take(fact)
    assert dump(held) == once == dump(load(Minutes, once, pack=PACK, language=PACK.language))


@settings(deadline=None)
@given(st.text(max_size=60) | st.text(alphabet='{}[]":,\\summary`json 0', max_size=60))
def test_any_reply_is_read(text: str) -> None:
    """A reply that breaks the reader would end the debate at its first summary."""
    answer = read_answer(text, None)
    assert answer is None or answer.model_dump_json()


POT = (
    ("Keiko", "The freezer takes it.\n\n[PROPOSE] Freeze what is left and serve it on Monday."),
    ("Henrik", "Somebody must sign, so I take it up.\n\n[AMEND p1.0] Freeze what is left, and write a log."),
    ("Tomas", "Cheap enough.\n\n[SUPPORT p2.0] the log is cheap"),
    ("Tomas", "I stand with p1.0 still."),
)


def test_minutes_add_no_proposal_beside_the_texts_that_a_member_puts_up() -> None:
    """The same proposal in other words would stay on the table when its author withdraws it."""
    entry = {"message": 1, "quote": "The freezer takes it", "text": "Freeze the food that is left, for Monday."}
    assert [p.id for p in taken(POT, json.dumps({"summary": "s", "proposals": [entry]}), genre=DEBATE).proposals] == [
        "p1.0",
        "p2.0",
    ]


BUSES = (
    ("Leila", "Two things would help: the night buses running free, and day passes that the shops sell."),
    ("Gerard", "The night buses I can live with. Those passes in the shops I am against: they cost two clerks."),
    ("Rosa", "Not that second one, whatever it costs."),
)
FOUND = (
    {"message": 1, "quote": "the night buses running free", "text": "Night buses are free."},
    {"message": 1, "quote": "day passes that the shops sell", "text": "Shops sell day passes."},
)


def test_nothing_in_minutes_counts_for_or_against_a_text() -> None:
    """A member was counted against a text by what a model made of its talk."""
    entry = {"message": 3, "quote": "Not that second one", "stance": "oppose", "to": "p1@57"}
    reply = json.dumps({"summary": "s", "proposals": FOUND, "reactions": [entry]})
    memory = taken(BUSES, reply, genre=DEBATE)
    assert [(each.id, each.reactions) for each in memory.proposals] == [("p1@23", ()), ("p1@57", ())]
    assert (memory.reactions, memory.unresolved) == ((), ())
    assert not any(motion.taken_up for motion in memory.motions)


def test_a_decision_names_the_text_that_was_said_first() -> None:
    """Who says again what stands would have given it a second text, which a decision would accept in vain."""
    again = ("Minh", "As I say, the night buses should be free, all of them. And the fare desk closes.")
    says = ("Kofi", "We decided on p2@10.")
    found = (FOUND[0], {"message": 2, "quote": "the night buses should be free", "text": "Night buses are free."})
    entry = {"message": 3, "quote": "We decided on p2@10", "text": "Free at night.", "proposal": "p2@10"}
    minutes = json.dumps({"summary": "s", "proposals": found, "decisions": [entry]})
    memory = taken((BUSES[0], again, says), minutes, genre=DEBATE)
    assert [each.id for each in memory.proposals] == ["p1@23"]
    assert memory.decisions[-1].proposal == "p1@23"
