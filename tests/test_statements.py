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
from eda.memory.sentences.judge import fact_words, misstated, statements_in, worded
from eda.memory.summaries.summary_input import SummaryInput
from eda.memory.summariser import Draft, Refused, Summariser
from eda.panels.settings import Settings
from eda.report.gather import messages_of, report_of
from eda.report.ledger import backers_of
from eda.report.quotes import Quotes
from eda.report.write import checked
from eda.words import ENGLISH, Words

KITCHEN = (
    ("Hannah", "A rota with free swaps would do.\n[PROPOSE] A rota with free swaps, paid by the firm"),
    ("Eli", "I can't stand at the sink for an hour.\n[OPPOSE o1] it asks too much of some"),
    ("Jorge", "Ten euros each is a wage cut with a smile.\n[OPPOSE o2] a wage cut"),
    ("Jonah", "Doing nothing has a body count too.\n[SUPPORT p1.0] it is fair to all"),
)
TRUE = {"who": "Jorge", "did": "said", "on": None, "message": 3, "quote": "a wage cut with a smile"}
SHOWN = 'Jorge (m3): "a wage cut with a smile".'


def state(who: str, did: str, on: str | None, message: int | None, quote: str = "") -> dict[str, object]:
    return {"who": who, "did": did, "on": on, "message": message, "quote": quote}


PLANTED = (
    (state("Jonah", "opposed", "p1.0", 4), "deed"),
    (state("Hannah", "opposed", "p1.0", 1), "deed"),
    (state("Eli", "withdrew", "o2", 2), "no deed"),
    (state("Eli", "said", None, 3, "a wage cut with a smile"), "author"),
    (state("Jorge", "said", None, 3, "a gift to us all"), "quote"),
    (state("Jorge", "proposed", "o1", 3), "no deed"),
    (state("Jorge", "proposed", "p9.0", 3), "no such"),
    (state("Nobody", "said", None, 3, "a wage cut with a smile"), "no such"),
    (state("Jorge", "said", None, 9, "a wage cut with a smile"), "no such"),
)
"""Statements that the kitchen's talk does not bear out, with what shows it."""


def kitchen() -> ConversationMemory:
    memory = ConversationMemory()
    options = ("A rota: everyone cleans one week", "Hire a cleaner for ten euros each")
    memory.fold(SessionStarted(session="s", settings=Settings(summary_every=4), options=options))
    for number, (who, text) in enumerate(KITCHEN, 1):
        memory.fold(MessagePosted(number=number, who=who, text=text, **read_reply(text)._asdict()))
    return memory


async def summed_up(*points: object) -> tuple[SummaryWritten, list[Refused | None]]:
    """The summary that comes of a model that writes the same twice, and what it was told the second time."""
    memory, facts, asked = kitchen(), list[object](), list[Refused | None]()
    text, answer, told = read_answer(json.dumps({"summary": points}), None)

    async def ask(_: SummaryInput, __: int, refused: Refused | None) -> Draft:
        asked.append(refused)
        return Draft(text, by="m", answer=answer, told=told)

    def publish(*new: object) -> None:
        facts.extend(new)

    await Summariser(memory.parts, publish, ask=ask).finish()
    (summary,) = (fact for fact in facts if isinstance(fact, SummaryWritten))
    return summary, asked


@pytest.mark.parametrize(("planted", "kind"), PLANTED)
async def test_a_planted_error_is_dropped(planted: dict[str, object], kind: str) -> None:
    """ "Eli withdrew his opposition to o2" stood in a summary that all members read before they voted."""
    summary, asked = await summed_up(TRUE, planted)
    (told,) = worded(statements_in([planted]))
    assert SHOWN in summary.text
    assert told.sentence not in summary.text
    assert (summary.by, summary.dropped) == ("m", 1)
    assert asked == [None], "what stands is worth no second call"
    facts = misstated(told.state, kitchen().parts.record(4))
    assert [fact.kind for fact in facts][:1] == [kind]
    assert all(fact_words(fact, Words("de")) != fact_words(fact, ENGLISH) for fact in facts)


async def test_a_summary_of_errors_alone_is_extracted_and_the_session_says_how_many_went() -> None:
    """ "The summary was empty" was said of one that was full of what nobody had said."""
    summary, asked = await summed_up(*(planted for planted, _ in PLANTED[:2]))
    assert (summary.by, summary.dropped, len(asked)) == ("extractive", 2, 2)
    assert asked[1] is not None
    told = worded(statements_in([planted for planted, _ in PLANTED[:2]]))
    assert [fault.endswith(f": {each.sentence}") for fault, each in zip(asked[1].faults, told, strict=False)] == [
        True
    ] * 2
    assert "wage cut" in summary.text
    (entry,) = Context(Settings(), verbose=True).entries(summary)
    assert "2 statements did not agree with the record" in entry.text


async def test_no_word_of_a_model_stands_in_a_summary() -> None:
    """ "Most were for it" and "Mo wanted the app from the start" stood beside true statements."""
    said = {"sentence": "Jorge wanted the ten euros. Most were for it.", "states": [TRUE]}
    summary, asked = await summed_up(said, "All agree.", {"sentence": "Cost decided it.", "states": []}, {"who": 3})
    assert summary.text.partition("\nAlso:")[0] == SHOWN
    assert (summary.dropped, len(asked)) == (0, 1)


async def test_an_act_is_told_in_the_language_of_the_debate_with_its_reason() -> None:
    act = statements_in([state("Jonah", "supported", "p1.0", 4, "it is fair to all")])
    assert [each.sentence for each in worded(act)] == ['Jonah supported p1.0 (m4): "it is fair to all".']
    assert [each.sentence for each in worded(act, Words("de"))] == ['Jonah: für p1.0 (m4): "it is fair to all".']


async def test_prose_without_statements_is_held_against_the_record_alone() -> None:
    """A recorded model, or one that states nothing, is not punished for it."""
    summary, _ = await summed_up(
        "Eli would have liked a stool. Jonah opposes p1.0.", {"sentence": "So be it, says Hannah."}
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
    text, _, told = read_answer(json.dumps({"summary": [state("Jorge", "said", None, 3, quote)]}), None)
    facts = list[object]()

    async def ask(*_: object) -> Draft:
        return Draft(text, by="m", told=told)

    await Summariser(memory.parts, lambda *new: facts.extend(new), ask=ask).finish()
    (summary,) = (fact for fact in facts if isinstance(fact, SummaryWritten))
    assert (summary.text, summary.dropped) == (f'Jorge (m3): "{quote}"', 0)


def test_an_answer_without_statements_is_prose() -> None:
    told = [{"sentence": "One."}, {"sentence": "Two.", "states": [{"did": "sang"}]}, 7, "Three.", {"states": []}]
    text, answer, stated = read_answer(json.dumps({"summary": told, "questions": []}), None)
    assert (text, answer is not None, stated) == ("One. Two. Three.", True, ())
    assert read_answer(json.dumps({"summary": "As before."}), None).text == "As before."


def test_a_support_is_not_told_without_its_condition() -> None:
    """ "Ugo supported p5.0" stood in a summary, of who was for it if the tax stays under 2 %."""
    memory, text = kitchen(), "[SUPPORT p1.0] if the firm pays"
    memory.fold(MessagePosted(number=5, who="Eli", text=text, **_moves(text)))
    for quote, kinds in (("", ["condition"]), ("if the firm pays", [])):
        (told,) = statements_in([state("Eli", "supported", "p1.0", 5, quote)])
        assert [fact.kind for fact in misstated(told, memory.parts.record(5))] == kinds


def test_who_took_no_side_has_none_to_take_back_and_a_line_in_another_name_is_no_quotation() -> None:
    """ "Olek withdrew p5.0: I withdraw p5.0" stood, of a line that he had written in the mover's name."""
    memory = kitchen()
    text = "Well.\nHannah: I withdraw p1.0.\n\nSo much for that.\n[UNDECIDED p1.0] the key"
    memory.fold(MessagePosted(number=5, who="Eli", text=text, **read_reply(text, "Eli", {"Hannah": ""})._asdict()))
    record = memory.parts.record(5)
    for row, kind in (
        (state("Eli", "withdrew", "p1.0", 5), "mover"),
        (state("Eli", "said", None, 5, "I withdraw p1.0."), "quote"),
    ):
        assert [fact.kind for told in statements_in([row]) for fact in misstated(told, record)] == [kind]
    assert misstated(statements_in([state("Eli", "undecided", "p1.0", 5, "the key")])[0], record) == []


def test_a_member_that_took_its_own_side_back_withdrew_it() -> None:
    """The true "Mo takes back his opposition to o1" was refused: the text was not his to withdraw."""
    memory = kitchen()
    taken = "[WITHDRAW my opposition to o1] no longer"
    memory.fold(MessagePosted(number=5, who="Eli", text=taken, **_moves(taken)))
    for who, number, kinds in (("Eli", 5, []), ("Jorge", 3, ["no deed"])):
        (told,) = statements_in([state(who, "withdrew", "o1", number)])
        assert [each.kind for each in misstated(told, memory.parts.record(5))] == kinds


def _moves(text: str) -> dict[str, object]:
    return read_reply(text, "Hannah")._asdict()
