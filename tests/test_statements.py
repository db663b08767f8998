"""What a model states beside its sentences is held against the record: planted errors go, and the session says so."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from io import StringIO
from typing import Literal

import pytest
from folded import lines_of
from rich.console import Console
from test_report_record import allotment

from eda.cli.terminal.entries import Context
from eda.cli.terminal.transcript import page_of, print_part
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.replay import read_back
from eda.debate.state import DebateState
from eda.debate.summaries import SHIPPED
from eda.events import Cited, LineAnswered, MessagePosted, ReportWritten, SessionStarted, SummaryWritten
from eda.events.lines import LineRead
from eda.events.records import Move
from eda.memory import ConversationMemory
from eda.memory.context.acts import act_line
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.model_minutes import Quoted
from eda.memory.recall.recall import Messages
from eda.memory.sources import source_told, whose
from eda.memory.summariser import Summariser
from eda.panels.settings import Settings
from eda.report import sections
from eda.report.forms import report_markdown
from eda.report.gather import messages_of, report_of
from eda.report.model import Report
from eda.report.outcome import Text
from eda.report.quotes import Quotes
from eda.report.write import Held, checked, held_of, offered_line
from eda.runners.protocol import Prompt, Reply
from eda.words import ENGLISH, Words

STARTED = SessionStarted(session="s")
KITCHEN = (
    ("Hannah", "A rota with free swaps would do.\n[PROPOSE] A rota with free swaps, paid by the firm"),
    ("Eli", "I can't stand at the sink for an hour.\n[OPPOSE o1] it asks too much of some"),
    ("Jorge", "Ten euros each is a wage cut with a smile.\n[OPPOSE o2] a wage cut"),
    ("Jonah", "Doing nothing has a body count too.\n[SUPPORT p1.0] it is fair to all"),
)
TRUE = {"message": 3, "quote": "a wage cut with a smile"}
SHOWN = 'Jorge (m3): "Ten euros each is a wage cut with a smile."'
PLANTED = (
    {"message": 3, "quote": "a gift to us all"},
    {"message": 2, "quote": "a wage cut with a smile"},
    {"message": 9, "quote": "a wage cut with a smile"},
    {"message": 0, "quote": "a wage cut with a smile"},
    {"message": 3, "quote": "ten"},
)
"""Quotations that the kitchen's talk does not bear out."""


def kitchen() -> ConversationMemory:
    memory = ConversationMemory()
    options = ("A rota: everyone cleans one week", "Hire a cleaner for ten euros each")
    memory.fold(SessionStarted(session="s", settings=Settings(summary_every=4), options=options))
    for number, (who, text) in enumerate(KITCHEN, 1):
        memory.fold(MessagePosted(number=number, who=who, text=text, **read_reply(text)._asdict()))
    return memory


class Clerk:
    """It answers each question for a summary with the same."""

    spec, deterministic, summarises = "clerk", True, True

    def __init__(self, *points: object, **minutes: object) -> None:
        self.reply = json.dumps({"summary": points, **minutes})
        self.asked: list[Prompt] = []

    async def run(self, prompt: Prompt, _: object = None) -> Reply:
        self.asked.append(prompt)
        return Reply(self.reply, model="m")


async def summed_up(
    *points: object, memory: ConversationMemory | None = None, language: str = "en", **minutes: object
) -> tuple[SummaryWritten, Clerk]:
    """The summary that comes of a model, and the model."""
    memory, facts, clerk = memory or kitchen(), list[object](), Clerk(*points, **minutes)
    started = SessionStarted(session="s", settings=Settings(language=language))
    prompts = PromptBuilder(started, memory, DebateState())
    ask = SHIPPED["model"].asking(prompts, clerk)
    await Summariser(memory.parts, lambda *new: facts.extend(new), ask=ask).finish()
    (summary,) = (fact for fact in facts if isinstance(fact, SummaryWritten))
    return summary, clerk


@pytest.mark.parametrize(
    ("language", "also"), [("en", "Also:\n- Proposed by "), ("de", "Außerdem:\n- Vorgeschlagen von ")]
)
async def test_a_text_is_listed_below_a_quotation_of_its_message_that_says_something_else(
    language: str, also: str
) -> None:
    memory = kitchen()
    bench = "We buy a bench and a lamp for the yard from the cellar budget"
    text = f"The cellar budget is a joke.\n[PROPOSE Bench] {bench}"
    memory.fold(MessagePosted(number=5, who="Eli", text=text, **read_reply(text)._asdict()))
    memory.parts.pending.every = 5
    point = {"message": 5, "quote": "The cellar budget is a joke."}
    summary, _ = await summed_up(point, memory=memory, language=language)
    assert summary.text.startswith(f'Eli (m5): "{point["quote"]}"\n{also}'), summary.text
    assert f"Eli: {bench} (m5)" in summary.text


@pytest.mark.parametrize("planted", PLANTED)
async def test_a_planted_error_is_dropped(planted: dict[str, object]) -> None:
    """Words that nobody said stood in a summary that all members read before they voted."""
    summary, clerk = await summed_up(TRUE, planted)
    assert summary.text.partition("\nAlso:")[0] == SHOWN
    assert (summary.by, summary.dropped, len(clerk.asked)) == ("m", 1, 1), "what stands is worth no second call"


@pytest.mark.parametrize(
    ("minutes", "dropped"),
    [
        ({"decisions": [{"message": 3, "quote": "a wage cut with a smile", "text": "Jorge agreed to the rota"}]}, 1),
        ({"decisions": [{"message": 3, "quote": "We all agreed on the rota", "text": "The rota"}]}, 1),
        ({"questions": [{"message": 2, "quote": "who cleans on Sundays?", "text": "Who?"}]}, 1),
        ({"questions": [{"message": 2, "quote": "it asks too much of some", "text": "Too much?"}]}, 0),
        ({"unsourced": [{"message": 3, "quote": "Ten euros each", "text": "10"}]}, 0),
    ],
)
async def test_minutes_that_the_record_does_not_bear_out_count_among_the_statements_that_went(
    minutes: dict[str, object], dropped: int
) -> None:
    """ "Kolja has agreed to Vera's text" was refused, and nobody was told."""
    assert (await summed_up(TRUE, **minutes))[0].dropped == dropped


async def test_a_summary_of_errors_alone_is_extracted_and_the_session_says_how_many_went() -> None:
    """ "The summary was empty" was said of one that was full of what nobody had said."""
    summary, clerk = await summed_up(*PLANTED[:2])
    assert (summary.by, summary.dropped, len(clerk.asked)) == ("extractive", 2, 2)
    assert "No message has the words" in clerk.asked[1].own
    assert "wage cut" in summary.text
    (entry,) = Context(Settings(), verbose=True).entries(summary)
    assert "2 statements did not agree with the record" in entry.text


async def test_an_empty_summary_is_asked_about_and_then_says_that_nothing_was_new() -> None:
    """ "It is prose" was said of an empty list, and sentences were picked in which nothing new was said."""
    summary, clerk = await summed_up()
    assert "An empty list once more says that nothing new was said." in clerk.asked[1].own
    assert (summary.by, summary.text.partition("\nAlso:")[0], len(clerk.asked)) == ("m", "Nothing new was said.", 2)


async def test_no_word_of_a_model_stands_in_a_summary() -> None:
    """ "Most were for it" and "Mo wanted the app from the start" stood beside true statements."""
    said = {
        "sentence": "Jorge wanted the ten euros.",
        "text": "Most were for it.",
        "who": "Eli",
        "did": "opposed",
        **TRUE,
    }
    summary, clerk = await summed_up(said, "All agree.", {"sentence": "Cost decided it."}, {"who": 3})
    assert summary.text.partition("\nAlso:")[0] == SHOWN
    assert (summary.dropped, len(clerk.asked)) == (0, 1)


async def test_the_reason_of_an_act_is_told_with_the_act_and_its_condition() -> None:
    """ "Ugo supported p5.0" stood in a summary, of who was for it if the tax stays under 2 %."""
    memory, text = kitchen(), "Well, for all I know.\n[SUPPORT p1.0] it is fair, if the firm pays"
    memory.fold(MessagePosted(number=5, who="Eli", text=text, **_moves(text)))
    words = Words("de")
    points = [
        Quoted(message=4, quote="it is fair to all"),
        Quoted(message=5, quote="it is fair"),
        Quoted(message=1, quote="paid by the firm"),
    ]
    lines, dropped = lines_of(points, memory.parts, 5, ENGLISH)
    assert (lines, dropped) == (
        [
            'Jonah supported p1.0 (m4): "it is fair to all".',
            'Eli supported, on a condition, p1.0 (m5): "if the firm pays".',
            'Hannah put p1.0 (m1): "A rota with free swaps, paid by the firm".',
        ],
        0,
    )
    talk = [Quoted(message=5, quote="Well, for all I know.")]
    terms = 'Eli supported, on a condition, p1.0 (m5): "if the firm pays".'
    assert lines_of(talk, memory.parts, 5, ENGLISH)[0] == ['Eli (m5): "Well, for all I know."', terms]
    assert lines_of(points[:1], memory.parts, 5, words)[0] == ['Jonah: für p1.0 (m4): "it is fair to all".']


@pytest.mark.parametrize(
    ("said", "false"),
    [
        ("Eli is fully for p1.0 since m5.", True),
        ("Eli is for p1.0 without any condition, and Jonah pays.", True),
        ("Eli has been fully for p1.0.", True),
        ("Eli ist seit m5 voll für p1.0, ganz ohne Bedingung, und Jonah zahlt.", True),
        ("Eli ist für p1.0, bedingungslos.", True),
        ("Eli steht ganz hinter p1.0.", True),
        ("Eli is fully for p1.0 if the firm pays.", False),
        ("Eli ist voll für p1.0, falls die Firma zahlt.", False),
        ("Eli ist nicht ganz für p1.0.", False),
        ("Eli ist für p1.0.", False),
        ("Jonah is fully for p1.0.", False),
        ("Jonah ist für p1.0, ganz ohne Bedingung.", False),
    ],
)
def test_a_support_on_a_condition_is_none_without_one(said: str, false: bool) -> None:
    """ "Gerda ist seit m9 voll für p7.1, ganz ohne Bedingung" was the only reason of a report."""
    memory, text = kitchen(), "Well.\n[SUPPORT p1.0] if the firm pays"
    memory.parts.members = dict.fromkeys(("Hannah", "Jorge", "Jonah", "Eli"), "")
    memory.fold(MessagePosted(number=5, who="Eli", text=text, **_moves(text)))
    wrong = "By the record Eli supported, on a condition, p1.0 (m5)"
    assert source_told(memory.parts, said, "Hannah", ENGLISH) == wrong * false
    memory.fold(MessagePosted(number=6, who="Hannah", text=said))
    told = f"Hannah (m6) ({wrong})" if false else "Hannah (m6)"
    assert lines_of([Quoted(message=6, quote=said)], memory.parts, 6, ENGLISH)[0] == [f'{told}: "{said}"']


async def test_what_was_denied_is_told_as_denied() -> None:
    """ "Agnes told us that the van is safe" opened a summary; Agnes had denied it two messages later."""
    memory = kitchen()
    for number, who, text in (
        (5, "Eli", "Jorge told me that he pays for all."),
        (6, "Jorge", "No.\n[DENY m5] I never did"),
    ):
        memory.fold(MessagePosted(number=number, who=who, text=text, **read_reply(text)._asdict()))
    told = 'Eli (m5): "Jorge told me that he pays for all."'
    assert lines_of([Quoted(message=5, quote="that he pays for all.")], memory.parts, 6, ENGLISH) == ([told], 0)
    for number, who, text in ((7, "Eli", "So.\n[CONSENSUS] We all agree on the rota"), (8, "Jorge", "[DENY m7] not I")):
        memory.fold(MessagePosted(number=number, who=who, text=text, **read_reply(text)._asdict()))
    claimed = lines_of([Quoted(message=7, quote="We all agree on the rota")], memory.parts, 8, ENGLISH)[0]
    assert claimed == ['Eli (m7) claims, not voted on: "We all agree on the rota".']
    claims = SummaryWritten(first=1, last=8, text=claimed[0], by="m", quotes=(7,))
    assert memory.parts.marked(claims).endswith('(Jorge in m8 denies "We all agree on the rota" (m7): "not I")')


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_line_whose_reading_its_author_refused_is_marked_in_a_summary(
    answer: Literal["yes", "no"], monkeypatch: pytest.MonkeyPatch
) -> None:
    """ "train and picnic is ok for me" stood in a summary; Ben had said No to that."""
    memory, said = kitchen(), "the gym is ok for me"
    moves = (Move("support", said, "p1.0"),)
    memory.fold(MessagePosted(number=5, who="Eli", text=said, line=LineRead("offered", moves)))
    summary = SummaryWritten(first=1, last=5, text=f'They spoke.\nEli (m5): "{said}"', by="m", quotes=(0, 5))
    memory.fold(LineAnswered(who="Eli", message=5, answer=answer, moves=moves))
    monkeypatch.delattr(Messages, "message")  # A fact would be read from the log for each line of each summary.
    marked = [line.endswith("(not counted)") for line in memory.parts.marked(summary).splitlines()]
    assert marked == [False, answer == "no"]


@pytest.mark.parametrize(
    ("spoken", "quote", "told"),
    [
        (
            "Forget the barn, the gym is better. But only with Hedda.",
            "the gym is better.",
            "Forget the barn, the gym is better. But only with Hedda.",
        ),
        (f"The gym is better. But {'so ' * 20}it is.", "The gym is better.", "The gym is better."),
        ("The gym is better. Why not?\n\nYours, Eli", "The gym is better.", "The gym is better. Why not?"),
        ("Forget the barn. But only with Hedda.", "Forget it now", ""),
    ],
)
def test_a_short_paragraph_is_quoted_whole(spoken: str, quote: str, told: str) -> None:
    """A summary had "the gym is better", and the condition, which was the next sentence, was lost."""
    memory = kitchen()
    memory.fold(MessagePosted(number=5, who="Eli", text=spoken))
    lines = [f'Eli (m5): "{told}"'] if told else []
    assert lines_of([Quoted(message=5, quote=quote)], memory.parts, 5, ENGLISH)[0] == lines


QUOTES = str.maketrans("„“", '""')


@pytest.mark.parametrize("target", ["m5", "Eli"])
@pytest.mark.parametrize("by", ["m", "extractive"])
async def test_what_is_denied_after_its_summary_is_told_as_denied_from_then_on(by: str, target: str) -> None:
    """ "We all agreed on the rota" stood bare in a summary of which a member had denied it two messages later."""
    memory, claim = kitchen(), "Oh, we all agreed that Jorge pays for the rota."
    spoken = claim + "\n[CONSENSUS] Jorge pays for the rota." * (target == "Eli")
    memory.fold(MessagePosted(number=5, who="Eli", text=spoken, **read_reply(spoken)._asdict()))
    point = {"message": 5, "quote": "we all agreed that Jorge pays"}
    memory.parts.pending.every = 5
    written, _ = await summed_up(*([point, TRUE] if by == "m" else [PLANTED[0]]), memory=memory)
    memory.fold(written)
    assert (written.by, claim in written.text, "denies" in str(memory.brief_context())) == (by, True, False)
    text = f"No.\n[DENY {target}] I never did"
    memory.fold(MessagePosted(number=6, who="Jorge", text=text, **read_reply(text)._asdict()))
    (summary,) = memory.summaries
    shown = memory.parts.marked(summary, Words("de")).splitlines()
    why = {"m5": ": „I never did“", "Eli": ""}[target]
    what, said = {"m5": ["eine Aussage von m5", "a statement of m5"], "Eli": ["„Jorge pays for the rota.“ (m5)"] * 2}[
        target
    ]
    denied = [each for each in shown if each.endswith(f" (Jorge bestreitet in m6 {what}{why})")]
    assert len(denied) == 1, "once, behind the last of its lines, of which an extracted claim has one of its own"
    assert (claim in denied[0]) == ((by, target) != ("extractive", "Eli"))
    told = f"(Jorge in m6 denies {said.translate(QUOTES)}{why.translate(QUOTES)})"
    assert (summary.text, told in str(memory.brief_context(budget=800))) == (written.text, True)
    console = Console(file=(screen := StringIO()), width=1000)
    print_part(page_of(console, STARTED), STARTED, DebateState(), memory, [written], verbose=True)
    assert told in screen.getvalue()


def test_a_denial_of_many_words_leaves_room_for_the_summary() -> None:
    """One member's denial of 40,000 characters stood in the summary, and pushed it out of every prompt."""
    memory, claim = kitchen(), 'Jorge (m3): "We all agreed."'
    memory.fold(SummaryWritten(seq=9, first=1, last=4, text=claim, by="m", quotes=(3,)))
    text = f"No.\n[DENY m3] {'I never did that, whoever says so. ' * 1200}"
    memory.fold(MessagePosted(number=5, who="Eli", text=text, **read_reply(text)._asdict()))
    (summary,) = memory.summaries
    shown = memory.parts.marked(summary)
    assert shown.startswith(f'{claim} (Eli in m5 denies a statement of m3: "I never did that')
    assert len(shown) < len(claim) + 200
    assert claim in str(memory.brief_context(budget=400))


def test_a_denial_stands_behind_the_talk_that_it_denies() -> None:
    """It stood behind the support that the denied message declared, and what was denied stood bare."""
    memory = kitchen()
    texts = ("Jorge signed the list.\nThe rota is fair.\n[SUPPORT p1.0] if the firm pays", "[DENY m5] I signed no list")
    for number, (who, text) in enumerate(zip(("Eli", "Jorge"), texts, strict=True), 5):
        memory.fold(MessagePosted(number=number, who=who, text=text, **read_reply(text)._asdict()))
    points = [Quoted(message=5, quote=quote) for quote in ("Jorge signed the list.", "The rota is fair.")]
    lines, _ = lines_of(points, memory.parts, 6, ENGLISH)
    shown = memory.parts.marked(
        SummaryWritten(first=1, last=6, text="\n".join(lines), by="m", quotes=(5,) * len(lines))
    )
    assert ["denies" in line for line in shown.splitlines()] == ["Jorge signed" in line for line in lines]


def test_a_denied_claim_is_told_as_denied_beside_a_line_that_tells_it_and_no_other() -> None:
    """Jost denied that all agree, and it stood behind Mirja's withdrawal, and behind what she said of the boxes."""
    memory, claim = kitchen(), "So we all agree that the rota opens on trial."
    for number, who, text in (
        (5, "Eli", f"The boxes cost nothing on Sundays.\n[CONSENSUS] {claim}"),
        (6, "Jorge", "[DENY m5] I never agreed to a trial"),
    ):
        memory.fold(MessagePosted(number=number, who=who, text=text, **read_reply(text)._asdict()))
    lines = (
        'Eli withdraws p1.0 (m5): "for p3.0"',
        'Eli (m5): "The boxes cost nothing."',
        f'Eli (m5) claims: "{claim}"',
    )
    for told in (lines[:2], lines):
        shown = memory.parts.marked(
            SummaryWritten(first=1, last=6, text="\n".join(told), by="m", quotes=(5,) * len(told))
        )
        assert [line.count("denies") for line in shown.splitlines()] == [0, 0, 1][: len(told)]


async def test_what_is_taken_back_after_its_summary_is_told_as_such_from_then_on() -> None:
    """ "Nell supported o2 (m5)" stood in all later prompts, and m5 bare among the messages, after she took it back."""
    memory, line = kitchen(), "I support o2, because it is quick"
    moves = (Move("support", line, "o2"),)
    memory.fold(MessagePosted(number=5, who="Nell", text=line, moves=moves, line=LineRead("counted")))
    memory.parts.pending.every = 5
    written, _ = await summed_up({"message": 5, "quote": "because it is quick"}, TRUE, memory=memory)
    assert (written.text.splitlines()[0], written.quotes[:2]) == (f'Nell supported o2 (m5): "{line}".', (5, 3))
    memory.fold(written)
    assert "took back" not in memory.brief_context().text
    memory.fold(MessagePosted(number=6, who="Eli", text="Hm."))
    memory.fold(LineAnswered(who="Nell", message=5, answer="taken back", moves=moves))
    why = "its author took back what it said of o2, after m6"
    assert memory.parts.marked(memory.summaries[0]).splitlines()[0] == f"{written.text.splitlines()[0]} ({why})"
    (shown,) = map(act_line, memory.below(5))
    assert shown == f"in words, {line} (not counted): {why}"
    for context in (memory.full_context("Eli"), memory.brief_context()):
        assert context.text.count(why) >= 1
    assert f"[m5] Nell: {line}\n  {shown}" in memory.full_context("Eli").text
    console = Console(file=(screen := StringIO()), width=1000)
    told = MessagePosted(number=5, who="Nell", text=line, moves=moves)
    print_part(page_of(console, STARTED), STARTED, DebateState(), memory, [told, written], verbose=True)
    assert screen.getvalue().count(why) == 2
    assert "was nach" not in (german := memory.parts.marked(memory.summaries[0], Words("de")))
    assert "was es zu o2 sagt, wurde nach m6 zurückgenommen" in german


def test_what_a_person_says_yes_to_stands_below_its_message_in_prompts() -> None:
    """A line whose reading was confirmed stood bare in all later prompts."""
    memory = kitchen()
    memory.fold(MessagePosted(number=5, who="Nell", text="o2, but only for May", line=LineRead("talk")))
    before = memory.full_context("Eli")
    moves = (Move("support", "if it is for May", "o2"),)
    memory.fold(LineAnswered(who="Nell", message=5, answer="yes", moves=moves))
    memory.fold(MessagePosted(number=6, who="Eli", text="Hm."))
    assert "supports o2" not in before.text
    told = "[m5] Nell: o2, but only for May\n  supports o2, on a condition: if it is for May"
    assert told in memory.full_context("Eli").text


async def test_a_line_in_another_name_is_no_quotation() -> None:
    """ "Olek withdrew p5.0: I withdraw p5.0" stood, of a line that he had written in the mover's name."""
    memory = kitchen()
    text = "Well.\nHannah: I withdraw p1.0.\n\nSo much for that.\n[UNDECIDED p1.0] the key"
    memory.fold(MessagePosted(number=5, who="Eli", text=text, **read_reply(text, "Eli", {"Hannah": ""})._asdict()))
    points = [Quoted(message=5, quote="I withdraw p1.0."), Quoted(message=5, quote="the key")]
    assert lines_of(points, memory.parts, 5, ENGLISH) == (['Eli was undecided on p1.0 (m5): "the key".'], 1)


def test_who_takes_an_opposition_back_is_not_told_as_undecided() -> None:
    """ "Ugo was undecided on p5.1" stood in all ballot prompts, of one who had taken an opposition back."""
    memory = kitchen()
    for number, line in enumerate(("[OPPOSE p1.0] the key", "[WITHDRAW my opposition to p1.0] it was timed"), 5):
        text = f"Well.\n{line}"
        memory.fold(MessagePosted(number=number, who="Eli", text=text, **read_reply(text)._asdict()))
    points = [Quoted(message=6, quote="it was timed")]
    assert lines_of(points, memory.parts, 6, ENGLISH) == (
        ['Eli took back its opposition to p1.0 (m6): "it was timed".'],
        0,
    )


@cache
def allotment_report() -> Report:
    """The report, which nobody changes."""
    told = allotment()
    return report_of(told.session, *read_back(told.session))


def written(**answer: object) -> ReportWritten:
    told = allotment()
    held = held_of(allotment_report(), told.memory)
    return checked(answer, Quotes(messages_of(told.session), told.memory.acts), "m", held)


def test_dissent_belongs_to_a_dissenter() -> None:
    """The plan's friend stood under Dissent, with a genuine quotation."""
    friend = {"message": 1, "quote": "A well costs at least 9,000 with the permit."}
    foe = {"message": 9, "quote": "the tanks are a plaster"}
    made = written(dissent=[friend, foe])
    assert [each.who for each in made.dissent] == ["Stefan"]
    assert [(fact.kind, fact.who) for (fact,) in made.contradicted] == [("dissent", ("Halima",))]


def test_a_reason_is_of_who_accepts_the_outcome_and_claims_nothing() -> None:
    """ "We all agree now", of a member that voted against it, stood among the reasons; and what another denied."""
    foe, claims = {"message": 9, "quote": "the tanks are a plaster"}, Held(lambda quote: "wage" in quote)
    made = written(reasons=[foe])
    assert (made.reasons, [fact.kind for (fact,) in made.contradicted]) == ((), ["no backer"])
    quotes = Quotes([MessagePosted(number=1, who="Jorge", text="Eli calls it a wage cut with a smile. All like it.")])
    reason = {"reasons": [{"message": 1, "quote": "Eli calls it a wage cut with a smile."}]}
    assert checked(reason, quotes, "m", Held(denied={1: ("Ann",)})).reasons, "nothing of Ann stands there"
    left = checked({"open": reason["reasons"]}, quotes, "m", Held(denied={1: ("Eli",)})).contradicted
    assert "denied" not in [fact.kind for (fact,) in left], "a question denies nothing"
    for held, kind in ((claims, "claim"), (Held(denied={1: ("Eli",)}), "denied")):
        made = checked(reason, quotes, "m", held)
        assert (made.reasons, [fact.kind for (fact,) in made.contradicted]) == ((), [kind])
    assert checked(reason, quotes, "m", Held()).reasons
    dissent = {"dissent": reason["reasons"]}
    for denied, kept in (({}, 1), ({1: ("Ann",)}, 0)):
        held = Held(claims.claims, denied, refusers=("Jorge",))
        assert len(checked(dissent, quotes, "m", held).dissent) == kept, "a dissenter may speak of a claim"


@pytest.mark.parametrize(("language", "told"), [("en", "2 more points: m4, m5"), ("de", "2 weitere Punkte: m4, m5")])
def test_what_is_open_beside_the_first_questions_is_not_called_a_question(language: str, told: str) -> None:
    """A claim that was denied was counted among "3 more questions"."""
    report = replace(allotment_report(), open=tuple(Cited("", at, "Who pays?", "Eli") for at in range(1, 6)))
    assert sections.page_of(replace(report, language=language))["open"][-1].plain == told


def test_a_reason_in_the_verdict_stands_among_the_reasons_in_markdown_as_on_the_page() -> None:
    report = allotment_report()
    reason = next(each for each in report.backing if each.quote)
    told = report_markdown(replace(report, reasons=(reason,)))
    assert f"“{reason.quote}”" in told.partition("## Reasons")[2].partition("##")[0]


CARDS = "From January the branch opens by card without staff until 22:00, and all meet in November."
FUNDS = "Wir stellen den Antrag bis Januar, sammeln Spenden, und vergeben den Auftrag zur Erneuerung erst dann."


BOARD = (
    "Die Tafel bleibt am Platz; die Werkgruppe sägt die Ziffern 4 bis 9 aus alten Bandenbrettern, ohne Kosten; "
    "die Ziffern 0 bis 3 von 1962 werden nicht übermalt."
)
NIGHT = "Passes cost five euros; the night buses run free."
BOATS = "One of the two boats is kept for the juniors on Saturdays."
ROTA = (
    "Six volunteers open the library on Saturday mornings from ten to one, by a rota that is set for the whole year. "
    "On each of these mornings a trained librarian is on call by telephone, and paid staff close in winter."
)
GUARD = (
    "Nurses sit there in summer, with a paid guard if the council agrees. Old hands open by day, by the night a guard."
)
BRIDGE = "Der neue Steg kostet höchstens 10000 Euro."
SLOPE = (
    "Der Hang bekommt oben eine flache Senke für das Regenwasser, darunter drei Birnbäume, zwei Hochbeete für die "
    "Schule und einen 1,50 Meter breiten festen Pfad."
)
TITLES = {
    NIGHT: "Summer trial", BOATS: "Calendar with both wishes", ROTA: "Rota with librarian on call", GUARD: "Watch",
}  # fmt: skip


@pytest.mark.parametrize(
    ("decided", "line", "stands"),
    [
        (NIGHT, "Summer trial: passes at five euros", True),
        (NIGHT, "Summer trial with passes at five euros", True),
        (NIGHT, "Summer trial with buses at five euros", False),
        (NIGHT, "Passes at five euros all summer, no trial", False),
        (BOATS, "Boats kept for juniors on Saturdays", True),
        (BOATS, "Both boats kept for juniors on Saturdays", False),
        (CARDS, "By card until 22:00 without staff", True),
        (CARDS, "Open by card until 22:00, from January", True),
        (CARDS, "By card until 22:00 for good, with paid staff", False),
        (CARDS, "By card until 22:00 with staff", False),
        (CARDS, "By card until 23:00", False),
        (CARDS, "Without cards until 22:00", False),
        (FUNDS, "Antrag stellen, Spenden sammeln, dann den Auftrag vergeben", True),
        (FUNDS, "Antrag stellen, im Mai erneuern", False),
        (BOARD, "Die Tafel bleibt am Platz, mit Ziffern aus Bandenbrettern", True),
        (BOARD, "Die Tafel bleibt am Platz, nicht mit Ziffern aus Bandenbrettern", False),
        (BOARD, "Die Tafel bleibt am Platz, mit Ziffern von 1962 aus Bandenbrettern", False),
        (BOARD, "Die Tafel bleibt mit Kosten", False),
        (BOARD, "Ziffern durchsetzen", False),
        (ROTA, "Six volunteers by a rota, with a trained librarian on call", True),
        (ROTA, "Six volunteers by a rota for the whole year", True),
        (ROTA, "Six trained volunteers by a rota", False),
        (ROTA, "Six rotas by volunteers", False),
        (ROTA, "Paid staff by a rota", False),
        (ROTA, "Rota with paid staff", False),
        (ROTA, "Six volunteers open not by a rota", False),
        (ROTA, "Six volunteers by telephone", False),
        (ROTA, "Six volunteers by no rota", False),
        (ROTA, "Rota without a librarian on call", False),
        (GUARD, "Nurses with a paid guard", False),
        (GUARD, "Old hands by the night", False),
        (SLOPE, "Senke, drei Birnbäume, zwei Hochbeete und ein fester Pfad", True),
        (SLOPE, "Ein breiter Pfad und die flache Senke", True),
        (SLOPE, "Senke, ein Hochbeet und drei Birnbäume", False),
        (SLOPE, "Zwei feste Pfade und die Senke", False),
        (SLOPE, "Ein 1,80 Meter breiter Pfad", False),
        (SLOPE, "Drei Birnbäume und kein fester Pfad", False),
        (SLOPE, "Dreizehn Birnbäume und ein fester Pfad", False),
        (BRIDGE, "Der Steg kostet höchstens 10000 Euro", True),
        (BRIDGE, "Der Steg kostet höchstens 100000 Euro", False),
    ],
)
def test_the_answer_in_a_line_says_no_more_than_the_text_decided(decided: str, line: str, stands: bool) -> None:
    """ "With paid staff" stood below a decision for a branch "without staff"; "in May" where no month was decided.

    A true line was dropped for a word of the title, which stands in no clause of the text, and one of what two clauses
    say that the text itself joins by "by" or "with".
    """
    report = allotment_report()
    won = Text("p1.0", decided, title=TITLES.get(decided, ""))
    told = replace(report, counted=replace(report.counted, won=won, adopted=()))
    assert bool(offered_line(line, told)) is stands


def test_words_are_not_given_to_another_member() -> None:
    quote = {"message": 1, "quote": "We have 6,400 euros in the account."}
    made = written(reasons=[{"who": "Jonas", **quote}])
    assert (made.reasons, made.unproved) == ((), (quote["quote"],))
    assert [(fact.kind, fact.who, fact.message) for (fact,) in made.contradicted] == [("author", ("Halima",), 1)]
    assert written(risks=[{"who": "Halima", **quote}]).risks


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
    summary, _ = await summed_up({"message": 3, "quote": quote}, memory=memory)
    assert (summary.text, summary.dropped) == (f'Jorge (m3): "{quote}"', 0)


def _moves(text: str) -> dict[str, object]:
    return read_reply(text, "Hannah")._asdict()


async def test_a_quotation_that_names_a_wrong_author_of_a_message_is_told_with_the_right_one() -> None:
    """ "As Agnes said in m8" stood first of the reasons of a report; m8 was Jo's.

    So did "As Tilly said in m7", which only asks it, and "Tilly is against the gym, she said so in m9": she was for it.
    """
    memory = kitchen()
    memory.parts.members = dict.fromkeys(("Hannah", "Jorge", "Jonah", "Eli"), "")
    author = memory.parts.messages.message(1).who
    other = next(who for who in ("Jorge", "Jonah") if who != author)
    wrong = {
        f"As {other} said in m1, it is fair.": f"m1 is by {author}",
        f"It is fair, {author}, and free ({other}, m1).": f"m1 is by {author}",
        f'As {author} said in m1, "it costs us nothing at all".': "m1 does not have the words quoted of it",
        "As Jonah said in m4, rainwater comes first.": "m4 has no word of this",
        "As Jonah said in m5, swaps cost nobody a summer.": "m5 only asks this",
        "Hannah is against the rota, and that is that.": "By the record Hannah put p1.0 (m1)",
        "Jonah is against the rota, he said so in m5.": "By the record Jonah supported p1.0 (m4)",
        "Jonah opposed p1.0 in m4.": "By the record Jonah supported p1.0 (m4)",
        "As Jonah said in m4, a body is counted.": "m4 says: “Doing nothing has a body count too”",
        "A body has a count too, and Jonah agreed in m4 that swaps are fair.": "m4 says: “it is fair to all”",
        "Jonah agreed in m5 that swaps are free.": "m5 says: “Do swaps cost anybody a summer?”",
    }
    right = (
        "As Jonah asked in m5, what do swaps cost?",
        "I give way to Jonah's m4.",
        "Jorge is against the money.",
        "Jonah is for the rota.",
        "As I said in m6, no.",
        f'As {author} said in m1, "a rota with free swaps would do".',
    )
    text = "\n".join((*wrong, *right))
    memory.fold(MessagePosted(number=5, who="Jonah", text="Do swaps cost anybody a summer? I am tired."))
    memory.fold(MessagePosted(number=6, who="Eli", text=text, **_moves(text)))
    for said, why in wrong.items():
        assert lines_of([Quoted(message=6, quote=said)], memory.parts, 6, ENGLISH)[0] == [f'Eli (m6) ({why}): "{said}"']
    for said in right:
        assert lines_of([Quoted(message=6, quote=said)], memory.parts, 6, ENGLISH)[0] == [f'Eli (m6): "{said}"']


@pytest.mark.parametrize(
    ("quote", "told"),
    [
        ("All of us agreed in m4, so I do.", "m4 is by Jonah"),
        ("All of us agreed in m2, so I do.", ""),
        ("Jonah agreed in m4, so I do.", ""),
        ("All of us agreed in m4 and in m1.", ""),
        ("All of us agreed in m99, so I do.", ""),
    ],
)
def test_whose_a_message_is_stands_beside_a_quotation_that_names_no_member(quote: str, told: str) -> None:
    """ "All agreed in m8" stood among the risks of a report, and m8 was one member's word."""
    memory = kitchen()
    memory.parts.members = dict.fromkeys(("Hannah", "Jorge", "Jonah", "Eli"), "")
    assert whose(memory.parts, quote, "Eli", ENGLISH) == told
