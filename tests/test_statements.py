"""What a model states beside its sentences is held against the record: planted errors go, and the session says so."""

from __future__ import annotations

import json

import pytest
from test_report_record import allotment

from eda.cli.terminal.entries import Context
from eda.debate.replay import read_back
from eda.events import MessagePosted, ReportWritten, SessionStarted, SummaryWritten
from eda.memory import ConversationMemory
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.model_minutes import read_answer
from eda.memory.sentences.judge import as_stated, contradicted, fact_words, told_in
from eda.memory.summaries.summary_input import SummaryInput
from eda.memory.summariser import Draft, Refused, Summariser
from eda.panels.settings import Settings
from eda.report.gather import messages_of, report_of
from eda.report.ledger import backers_of
from eda.report.quotes import Quotes
from eda.report.write import checked
from eda.runners.human import persona_of
from eda.words import ENGLISH, Words

KITCHEN = (
    ("Hannah", "A rota with free swaps would do.\n[PROPOSE] A rota with free swaps, paid by the firm"),
    ("Eli", "I can't stand at the sink for an hour.\n[OPPOSE o1] it asks too much of some"),
    ("Jorge", "Ten euros each is a wage cut with a smile.\n[OPPOSE o2] a wage cut"),
    ("Jonah", "Doing nothing has a body count too.\n[SUPPORT p1.0] it is fair to all"),
)
TRUE = {
    "sentence": "Jorge calls ten euros each a wage cut (m3).",
    "states": [{"who": "Jorge", "did": "said", "on": None, "message": 3, "quote": "a wage cut with a smile"}],
}


def states(who: str, did: str, on: str | None, message: int | None, quote: str = "") -> list[dict[str, object]]:
    return [{"who": who, "did": did, "on": on, "message": message, "quote": quote}]


IN_ITS_PLACE = 'Jorge (m3): "a wage cut with a smile".'


PLANTED = (
    ("Eli withdrew his opposition to o2.", [], "no deed"),
    ("Jonah opposes p1.0.", states("Jonah", "opposed", "p1.0", 4), "deed"),
    ("Hannah minds the firm's part of it.", states("Hannah", "opposed", "p1.0", 1), "deed"),
    ("Eli finds the smile in a wage cut.", states("Eli", "said", None, 3, "a wage cut with a smile"), "author"),
    ("Jorge calls it a gift.", states("Jorge", "said", None, 3, "a gift to us all"), "quote"),
    ("Eli would have liked a stool.", [], "unsaid"),
    ("Hannah gave it her voice.", states("Hannah", "voted for", "p1.0", None), "unsaid"),
    ("Jorge brought it to the table.", states("Jorge", "proposed", "o1", 3), "no deed"),
    ("Jorge brought it to the table.", states("Jorge", "proposed", "p9.0", 3), "no such"),
)
"""Sentences that the kitchen's talk does not bear out, with what a model states beside each, and what shows it."""


def kitchen() -> ConversationMemory:
    memory = ConversationMemory()
    options = ("A rota: everyone cleans one week", "Hire a cleaner for ten euros each")
    memory.fold(SessionStarted(session="s", settings=Settings(summary_every=4), options=options))
    for number, (who, text) in enumerate(KITCHEN, 1):
        memory.fold(MessagePosted(number=number, who=who, text=text, **read_reply(text)._asdict()))
    return memory


async def summed_up(*sentences: dict[str, object]) -> tuple[SummaryWritten, list[Refused | None]]:
    """The summary that comes of a model that writes the same twice, and what it was told the second time."""
    memory, facts, asked = kitchen(), list[object](), list[Refused | None]()
    text, answer = read_answer(json.dumps({"summary": sentences}), None)
    assert answer is not None

    async def ask(_: SummaryInput, __: int, refused: Refused | None) -> Draft:
        asked.append(refused)
        return Draft(text, by="m", answer=answer, told=tuple(answer.summary))

    def publish(*new: object) -> None:
        facts.extend(new)

    await Summariser(memory.parts, publish, ask=ask).finish()
    (summary,) = (fact for fact in facts if isinstance(fact, SummaryWritten))
    return summary, asked


@pytest.mark.parametrize(("sentence", "stated"), [each[:2] for each in PLANTED])
async def test_a_planted_error_is_told_to_the_model_and_dropped(sentence: str, stated: list[dict[str, object]]) -> None:
    """ "Eli withdrew his opposition to o2" stood in a summary that all members read before they voted."""
    told = "They spoke of the rota and of what it would cost whom."
    summary, asked = await summed_up({"sentence": told}, TRUE, {"sentence": sentence, "states": stated})
    assert told in summary.text
    assert IN_ITS_PLACE in summary.text
    assert sentence not in summary.text
    assert (summary.by, summary.dropped) == ("m", 1)
    assert asked[1] is not None
    (read,) = as_stated(told_in([{"sentence": sentence, "states": stated}]))
    assert any(fault.endswith(f": {read.sentence}") for fault in asked[1].faults)


@pytest.mark.parametrize(("sentence", "stated", "kind"), PLANTED)
def test_the_fact_that_shows_a_planted_error_is_data(sentence: str, stated: list[dict[str, object]], kind: str) -> None:
    memory = kitchen()
    words = {number: text for number, (_, text) in enumerate(KITCHEN, 1)}
    told = as_stated(told_in([TRUE, {"sentence": sentence, "states": stated}]))
    facts = contradicted(told[1].sentence, told, memory.parts.record(4), lambda number: words[number])
    assert [fact.kind for fact in facts][:1] == [kind]
    assert all(fact_words(fact, Words("de")) != fact_words(fact, ENGLISH) for fact in facts)


async def test_a_summary_of_errors_alone_is_extracted_and_the_session_says_how_many_went() -> None:
    """ "The summary was empty" was said of one that was full of what nobody had said."""
    summary, asked = await summed_up(*({"sentence": each, "states": stated} for each, stated, _ in PLANTED[1:3]))
    assert (summary.by, summary.dropped, len(asked)) == ("extractive", 2, 2)
    assert "wage cut" in summary.text
    (entry,) = Context(Settings(), verbose=True).entries(summary)
    assert "2 statements did not agree with the record" in entry.text


async def test_prose_without_statements_is_held_against_the_record_alone() -> None:
    """A recorded model, or one that states nothing, is not punished for it."""
    summary, _ = await summed_up(
        {"sentence": "Eli would have liked a stool. Jonah opposes p1.0."}, {"sentence": "So be it, says Hannah."}
    )
    assert summary.text.startswith("Eli would have liked a stool.")
    assert ("Jonah opposes" in summary.text, summary.dropped) == (False, 1)


def written(**answer: object) -> ReportWritten:
    told = allotment()
    report = report_of(told.session, *read_back(told.session))
    return checked(answer, Quotes(messages_of(told.session), told.memory.acts), "m", (), backers_of(report.counted))


def test_dissent_belongs_to_a_dissenter() -> None:
    """The plan's friend stood under Dissent, with a genuine quotation."""
    friend = {"message": 1, "quote": "A well costs at least 9,000 with the permit."}
    foe = {"message": 9, "quote": "the tanks are a plaster"}
    made = written(dissent=[friend, foe])
    assert [each.who for each in made.dissent] == ["Stefan"]
    assert [(fact.kind, fact.who) for (fact,) in made.contradicted] == [("dissent", ("Halima",))]


def test_words_are_not_given_to_another_member() -> None:
    quote = {"message": 1, "quote": "We have 6,400 euros in the account."}
    made = written(reasons=[{"who": "Jonas", **quote}])
    assert (made.reasons, [each.message for each in made.dropped]) == ((), [1])
    assert written(reasons=[{"who": "Halima", **quote}]).reasons


UNLIKE = (
    ("Jorge wanted the ten euros from the start.", "Jorge", "said", None, 3, "a wage cut with a smile"),
    ("Jorge has counted the wages.", "Jorge", "said", None, 3, "a wage cut with a smile"),
    ("With m4 the rota was settled for good.", "Jonah", "supported", "p1.0", 4, ""),
    ("Eli would have liked a stool.", "Eli", "said", None, 2, ""),
)
"""False sentences with true statements beside them that have nothing to do with them."""


@pytest.mark.parametrize(("sentence", "who", "did", "on", "message", "quote"), UNLIKE)
async def test_a_true_statement_beside_a_false_sentence_does_not_bear_it_out(
    sentence: str, who: str, did: str, on: str | None, message: int, quote: str
) -> None:
    """ "Mo wanted the app from the start" stood with "I am against that one needs an app" beside it."""
    plain = "They spoke of the rota and of what it would cost whom."
    summary, _ = await summed_up(
        {"sentence": plain}, {"sentence": sentence, "states": states(who, did, on, message, quote)}
    )
    assert summary.text.startswith(plain)
    assert sentence not in summary.text
    (read,) = as_stated(told_in([{"sentence": sentence, "states": states(who, did, on, message, quote)}]))
    assert (read.sentence in summary.text) == (summary.dropped == 0)


def test_a_report_has_no_words_of_a_model_beside_a_quotation() -> None:
    """ "Costs will double" stood above a quotation of a tenth."""
    risk = {"message": 1, "quote": "A well costs at least 9,000 with the permit.", "text": "A well is out of reach."}
    (told,) = written(risks=[risk], verdict="The well was never affordable.").risks
    assert (told.text, told.quote, told.who) == ("", risk["quote"], "Halima")


async def test_a_quotation_of_a_message_before_the_range_stands() -> None:
    """ "m3 does not say so" was said of a message that says so: it was before those that are summed up."""
    memory = kitchen()
    memory.fold(SummaryWritten(first=1, last=4, text="So far.", by="m"))
    for number in range(5, 9):
        memory.fold(MessagePosted(number=number, who="Hannah", text="One more word on the rota."))
    quote = "Ten euros each is a wage cut with a smile."
    answer = read_answer(
        json.dumps({"summary": [{"sentence": "Jorge minds.", "states": states("Jorge", "said", None, 3, quote)}]}), None
    )
    facts = list[object]()

    async def ask(*_: object) -> Draft:
        return Draft(answer[0], by="m", told=tuple(answer[1].summary if answer[1] else ()))

    await Summariser(memory.parts, lambda *new: facts.extend(new), ask=ask).finish()
    (summary,) = (fact for fact in facts if isinstance(fact, SummaryWritten))
    assert (summary.text, summary.dropped) == (f'Jorge (m3): "{quote}"', 0)


def test_an_answer_with_slips_keeps_what_is_well_formed() -> None:
    told = [{"sentence": "One."}, {"sentence": "Two.", "states": [{"did": "sang"}]}, 7, "Three.", {"states": []}]
    text, answer = read_answer(json.dumps({"summary": told, "questions": []}), None)
    assert (text, answer is not None) == ("One. Two. Three.", True)
    assert read_answer(json.dumps({"summary": "As before."}), None)[0] == "As before."


@pytest.mark.parametrize(
    "sentence", ["Mo, who said nothing, opposes the rota.", "The person at the table wants none of it."]
)
def test_what_is_told_of_a_member_that_has_not_spoken_needs_a_statement_too(sentence: str) -> None:
    """The record of a summary knew those alone who had spoken."""
    memory = ConversationMemory()
    memory.fold(SessionStarted(session="s", options=("A rota", "A cleaner"), members=(persona_of("Mo"),)))
    memory.fold(MessagePosted(number=1, who="Hannah", text="[SUPPORT o1] fair", **_moves("[SUPPORT o1] fair")))
    told = told_in([{"sentence": sentence, "states": []}])
    assert [fact.kind for fact in contradicted(sentence, told, memory.parts.record(1), str)] == ["unsaid"]


def test_a_member_that_took_its_own_side_back_withdrew_it() -> None:
    """The true "Mo takes back his opposition to o1" was refused: the text was not his to withdraw."""
    memory = kitchen()
    taken = "[WITHDRAW my opposition to o1] no longer"
    memory.fold(MessagePosted(number=5, who="Eli", text=taken, **_moves(taken)))
    sentence = "Eli takes back his opposition to o1 (m5)."
    for who, number, kinds in (("Eli", 5, []), ("Jorge", 3, ["no deed"])):
        told = told_in([{"sentence": sentence, "states": states(who, "withdrew", "o1", number)}])
        assert [each.kind for each in contradicted(sentence, told, memory.parts.record(5), str)] == kinds


def _moves(text: str) -> dict[str, object]:
    return read_reply(text, "Hannah")._asdict()
