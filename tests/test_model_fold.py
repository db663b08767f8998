"""Stored minutes deny, survive a resume and better patterns, and hold whatever a model wrote."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from test_model_minutes import PACK, REPLY, TALK, check, heard, posted, summed, taken

from eda.events import SummaryWritten
from eda.events.model_minutes import Minuted, RangeMinutes, Ruled
from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.model_minutes import MinutesAnswer, checked, read_answer
from eda.memory.minutes.state import DEBATE, TRANSCRIPT, Genre
from eda.memory.patterns import PatternPack
from eda.memory.snapshot import dump, load

AGREED = (
    ("Ann", "I propose that we use Postgres for the ledger."),
    ("Ben", "I agree with Ann."),
    ("Cleo", "We have agreed to use Postgres for the ledger."),
)


def denial(*ids: str) -> str:
    return json.dumps({"summary": "s", "denied": [{"id": name, "why": "a joke"} for name in ids]})


# ---------------------------------------------------------------- what is denied


def test_a_denied_proposal_is_kept_and_shown_to_nobody() -> None:
    """What a pattern took for a proposal would stay on the table for ever; deleted, nobody could see why it went."""
    held = taken(AGREED[:2], denial("`p1@0`"))
    assert [(p.id, p.minuted) for p in held.proposals] == [("p1@0", "denied")]
    assert held.active == held.newest_open(5) == held.newest_proposals(5) == ()
    assert held.agents["Ann"].key_contributions == ()
    held.hear(posted(3, "Cleo", "I agree with Ann on Postgres for the ledger."))
    assert held.proposals[0].backers("support") == ("Ben",)


def test_a_denied_decision_accepts_nothing() -> None:
    """A slip of the patterns would close a proposal that the panel is still talking about."""
    before, _ = heard(AGREED, genre=TRANSCRIPT)
    assert [(d.id, d.status, d.proposal) for d in before.decisions] == [("d3@0", "decided", "p1@0")]
    assert before.proposals[0].status == "accepted"
    assert before.consensus()
    held = taken(AGREED, denial("d3@0"), genre=TRANSCRIPT)
    assert [(d.id, d.minuted) for d in held.decisions] == [("d3@0", "denied")]
    assert held.newest_decisions(5) == ()
    assert [(p.id, p.status) for p in held.active] == [("p1@0", "active")]
    assert [(p.id, p.status) for p in before.newest_proposals(5)] == [("p1@0", "accepted")]
    assert not held.consensus()
    assert (held.proposals[0].changes[-1].why, held.proposals[0].changes[-1].of) == ("undone", "d3@0")


def test_what_a_denied_decision_replaced_holds_again() -> None:
    """One misread sentence would undo a real decision for good."""
    talk = (*AGREED, ("Ann", "We have decided to use SQLite for the ledger instead."))
    before, _ = heard(talk, genre=TRANSCRIPT)
    assert [d.status for d in before.decisions] == ["superseded", "decided"]
    held = taken(talk, denial("d4@0"), genre=TRANSCRIPT)
    assert [(d.id, d.status) for d in held.newest_decisions(5)] == [("d3@0", "decided")]


def test_nobody_is_held_to_what_a_denied_decision_chose() -> None:
    """A misread sentence would put everybody behind an option, and end the debate on it."""
    talk = (("Ann", "I prefer SQLite."), ("Ben", "I agree."), ("Cleo", "We have decided to use Postgres."))
    before, _ = heard(talk, genre=TRANSCRIPT, options=("SQLite", "Postgres"))
    held = taken(talk, denial("d3@0"), genre=TRANSCRIPT, options=("SQLite", "Postgres"))
    assert before.agents["Cleo"].holds == ("Postgres",)
    assert held.agents["Ann"].holds == ("SQLite",)


def test_what_a_denied_rewording_replaced_is_open_again() -> None:
    """A sentence that was no proposal would take a real one off the table."""
    talk = (
        ("Ann", "PROPOSED: use Postgres for the ledger and the archive"),
        ("Ben", "PROPOSED: use Postgres for the ledger and the archive, and no tape"),
    )
    before, _ = heard(talk, genre=TRANSCRIPT)
    assert [p.status for p in before.proposals] == ["modified", "active"]
    held = taken(talk, denial(before.proposals[1].id), genre=TRANSCRIPT)
    assert [p.id for p in held.active] == [before.proposals[0].id]
    assert held.active[0].amended_by is None


def test_what_is_confirmed_and_denied_at_once_stays() -> None:
    """A model that contradicts itself would delete at random."""
    held = taken(AGREED, json.dumps({**json.loads(denial("p1@0")), "confirmed": ["p1@0"]}))
    assert held.proposals[0].minuted == "confirmed"


def test_what_is_confirmed_outlives_the_first_declared_move() -> None:
    """Spoken proposals are forgotten once moves are declared: not those that the minutes vouch for."""
    held = taken(AGREED[:1], '{"summary": "s", "confirmed": ["p1@0"]}')
    held.hear(posted(2, "Eve", "So.\n[PROPOSE] Freeze the schema."))
    assert [p.id for p in held.active] == ["p1@0", "p2.0"]


def test_what_patterns_no_longer_find_is_unresolved() -> None:
    """Bound to whatever now has its id, an old denial would delete another proposal."""
    held, lines = heard(AGREED)
    reply = {
        "summary": "s",
        "denied": [{"id": "p1@0"}],
        "decisions": [{"message": 2, "quote": "I agree with Ann", "text": "Ann decides.", "proposal": "p1@0"}],
    }
    minutes = check(held, lines, json.dumps(reply))
    later = Minutes(PatternPack(pattern for pattern in PACK.patterns if pattern.kind != "proposal"))
    for number, (who, text) in enumerate(AGREED, 1):
        later.hear(posted(number, who, text))
    before = later.reactions
    later.take(summed(minutes, 1, 3))
    assert [ruled.id for ruled in later.unapplied] == ["p1@0"]
    assert later.reactions == before
    assert later.decisions[0].proposal is None


def test_other_words_under_an_old_id_are_another_item() -> None:
    """Ids are offsets: better patterns may put another sentence under one."""
    held, _ = heard(AGREED)
    ruled = (Ruled("p1@0", "Let us buy a mainframe."), Ruled("p9@0", "Gone."))
    before = held.proposals
    assert held.take(summed(RangeMinutes(denied=ruled), 1, 3)) == []
    assert held.unapplied == ruled
    assert held.proposals == before


# ---------------------------------------------------------------- what is stored


def test_minutes_survive_a_resume() -> None:
    """A session taken up again would otherwise forget what its minutes said, and decide otherwise."""
    talk = (*TALK, ("Ben", "I agree with Dan."), ("Ann", "I oppose the tape plan, Ben."))
    minutes = check(*heard(TALK), REPLY)
    whole = Minutes(PACK)
    cut = Minutes(PACK)
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
            assert row.keys().isdisjoint(["minuted", "minuted_why"])
    assert load(Minutes, data, pack=PACK, language=PACK.language) == heard(AGREED)[0]


def test_minutes_of_a_range_count_once() -> None:
    """A fact that is folded twice would make two of everything, and undo what was said since."""
    held, lines = heard()
    fact = summed(check(held, lines, REPLY))
    assert held.take(fact)
    once = dump(held)
    assert held.take(fact) == []
    assert dump(held) == once


def test_open_questions_are_bounded() -> None:
    """A long debate asks thousands: a list without end is read by nobody and slows everything."""
    held, _ = heard()
    rows = tuple(Minuted(1 + number % 5, "So be it", f"Question {number:02}?", who="Dan") for number in range(50))
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
        "why": QUOTES,
    },
)
JUNK = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=4), st.lists, max_leaves=4)
FIELD = st.lists(ITEM | NAMES | JUNK, max_size=6) | JUNK
ANSWERS = st.dictionaries(st.sampled_from([*MinutesAnswer.model_fields, "more"]), FIELD, max_size=8)


@settings(max_examples=60, deadline=None)
@given(ANSWERS, st.booleans(), st.sampled_from([DEBATE, TRANSCRIPT]))
def test_whatever_a_model_writes_every_kept_quote_is_in_its_message(
    data: dict[str, Any], apart: bool, genre: Genre
) -> None:
    """A model can write anything: it may neither end a debate nor invent a word that somebody said."""
    held, lines = heard(genre=genre)
    _, answer = read_answer("So." if apart else json.dumps(data), data if apart else None)
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
    summary, _ = read_answer(text, None)
    assert summary.encode().decode() == summary


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
    says = ("Kofi", "So the night buses it is.")
    found = (FOUND[0], {"message": 2, "quote": "the night buses should be free", "text": "Night buses are free."})
    entry = {"message": 3, "quote": "the night buses it is", "text": "Free at night.", "proposal": "p2@10"}
    minutes = json.dumps({"summary": "s", "proposals": found, "decisions": [entry]})
    memory = taken((BUSES[0], again, says), minutes, genre=replace(TRANSCRIPT, firm=True))
    assert [(each.id, each.status) for each in memory.proposals] == [("p1@23", "accepted")]
    assert memory.decisions[-1].proposal == "p1@23"
