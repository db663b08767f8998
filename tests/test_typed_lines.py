"""What a person types at a table is read, said back, and counted only as they saw it: by Python, terminal and page."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from started import OPTIONS as TYPED_OPTIONS, QUESTION as TYPED_QUESTION, on_terminal
from test_human import of, with_ada as with_ada_for
from test_serve_people import Browser as Page, begun, owner_of, served

from eda import ConversationMemory, Debate, MessageBus, Session, memory_of, progress_of
from eda.cli.terminal.slash_commands import _number
from eda.debate.control.changes import Answered
from eda.debate.course import TypedLines
from eda.errors import RunnerError, UsageError
from eda.events import BallotText, LineAnswered, LineOffered, MessagePosted, PhaseStarted
from eda.events.lines import LineRead
from eda.events.records import Move
from eda.memory.context.acts import act_line
from eda.report.say_back import say_back
from eda.runners.protocol import OnText, Prompt, Reply, Usage
from eda.runners.simulated.runner import SimulatedRunner
from eda.serve.host import Doing, Running, _at_seat
from eda.serve.people import WebSeat, said_back
from eda.words import Words

with_ada = partial(with_ada_for, most=8)


def saying(debate: Debate, *lines: str) -> None:
    """Have Ada say these lines, each after another member's message."""
    waiting = [*lines]

    def next_line(message: MessagePosted) -> None:
        if message.who != "Ada" and message.number > 5 and waiting:
            debate.say(waiting.pop(0))

    debate.bus.subscribe(MessagePosted, next_line)


def answering(debate: Debate, **answers: str) -> list[str]:
    """Have Ada answer how each line was read, by its first word; return what was refused."""
    refused: list[str] = []

    def answer(message: MessagePosted) -> None:
        if message.who == "Ada" and (given := answers.get(message.text.split()[0])):
            try:
                debate.answer_line(given, "Ada", message.number)
            except UsageError as error:
                refused.append(str(error))

    debate.bus.subscribe(MessagePosted, answer)
    return refused


def stands(debate: Debate, key: str) -> list[str]:
    texts = [text for motion in debate.memory.motions for text in motion.versions if text.id == key]
    return [each.reaction for text in texts for each in text.reactions if each.agent == "Ada"]


async def test_a_plain_line_counts_at_once_and_is_said_back() -> None:
    debate = with_ada()
    saying(debate, "I support o1", "what does o2 cost?")
    await debate.run()
    first, second = [each for each in of(debate, MessagePosted) if each.who == "Ada"]
    assert (first.line.how, [(move.kind, move.target) for move in first.moves]) == ("counted", [("support", "o1")])
    assert stands(debate, "o1") == ["support"]
    assert say_back(first, debate.memory).answers == ("taken back",)
    assert (second.line.how, second.moves, say_back(second, debate.memory).answers) == ("talk", (), ())


@pytest.mark.parametrize("line", ["against o2!!", "dafür: o1"])
async def test_a_line_that_was_read_in_words_has_lost_no_tag(line: str) -> None:
    """ "against o2!!" was counted, and told beside it as not counted for want of a tag in brackets."""
    debate = with_ada()
    saying(debate, line)
    await debate.run()
    (message,) = [each for each in of(debate, MessagePosted) if each.who == "Ada"]
    told = say_back(message, debate.memory)
    assert told is not None
    assert [each.partition(":")[0] for each in told.lines] == ["Counted"]


async def test_a_line_on_a_text_that_is_open_no_more_is_offered_for_the_one_in_its_place_or_told() -> None:
    """Who named a replaced text was asked "which text", or heard as talk, and nobody said what had become of it."""
    debate, told, key = with_ada(read_typed="exact", most=14), list[str](), list[str]()
    lines = [
        "[PROPOSE Bread and soup] We cook a big pot for everybody on Sunday",
        "[AMEND {0}] We cook a big pot for everybody on Monday",
        "no way, against {0}",
        "[WITHDRAW {1}]",
        "I support bread and soup",
    ]

    def next_line(message: MessagePosted) -> None:
        if message.who == "Ada":
            key.append(f"p{message.number}.0")
            said = say_back(message, debate.memory)
            told.extend(said.lines if said else ())
        elif message.number > 4 and lines:
            debate.say(lines.pop(0).format(*key))

    debate.bus.subscribe(MessagePosted, next_line)
    await debate.run()
    first, second = key[:2]
    replaced = next(at for at, line in enumerate(told) if line.startswith("Did you mean"))
    assert told[replaced] == f"Did you mean: you oppose “Bread and soup” ({second})?"
    assert told[replaced + 1] == f"No longer on the table: “Bread and soup” ({first}): replaced by {second}"
    assert told[-1].startswith("No longer on the table: “Bread and soup” (")
    assert "withdrawn" in told[-1]
    assert of(debate, LineAnswered) == []


async def test_the_model_that_reads_a_line_is_told_of_texts_that_are_open_no_more() -> None:
    reader = Reader()
    debate = with_ada(most=10, runner=reader)
    saying(debate, "[PROPOSE Bread and soup] We cook a pot for everybody", "I withdraw mine", LINE)
    await debate.run()
    (put,) = [each for each in debate.memory.proposals if each.title == "Bread and soup"]
    assert [f"- {put.id} (Bread and soup): withdrawn" in prompt.own for prompt in reader.prompts] == [True]


async def test_a_program_that_asks_a_person_is_given_an_open_offer_before_the_vote() -> None:
    """An offer that was open as the vote began counted for nobody, and was not put again."""
    asked = list[Prompt]()

    def answer(prompt: Prompt) -> str:
        asked.append(prompt)
        return {"offer": "yes", "ballot": "A"}.get(prompt.purpose, "")

    debate = with_ada(answer, read_typed="exact")
    saying(debate, "o2 yes, but not in winter", "o1 yes, but not in winter")
    await debate.run()
    purposes = [prompt.purpose for prompt in asked if prompt.purpose in ("offer", "ballot")]
    assert purposes == ["offer", "offer", "ballot"]
    assert [prompt.last for prompt in asked if prompt.purpose == "offer"] == [
        fact.message for fact in of(debate, LineAnswered)
    ]
    assert (stands(debate, "o1"), stands(debate, "o2")) == (["support"], ["support"])


@pytest.mark.parametrize("line", ["Ruth: I support o2", "Hm.\nruth: I support o2"])
async def test_a_line_that_begins_with_another_s_name_counts_only_after_a_yes(line: str) -> None:
    """ "Petra: I support o2", typed by Dana, counted at once as Dana's support."""
    debate = with_ada(read_typed="exact")
    saying(debate, line)
    await debate.run()
    (message,) = [each for each in of(debate, MessagePosted) if each.who == "Ada"]
    assert message.line is not None
    assert (message.moves, message.line.how, [move.target for move in message.line.moves]) == ((), "offered", ["o2"])


async def test_a_line_that_names_a_text_and_takes_no_side_is_told_how_to_take_one() -> None:
    debate = with_ada(read_typed="exact")
    saying(debate, "o1 pls", "good morning")
    await debate.run()
    one, other = [say_back(each, debate.memory) for each in of(debate, MessagePosted) if each.who == "Ada"]
    assert one is not None
    assert other is not None
    assert one.lines[0].startswith("Heard as talk: nothing was counted on")
    assert one.lines[0].endswith("To take a side, say “for o1” or “against o1”.")
    assert other.lines == ("Heard as talk",)


async def test_a_yes_or_no_in_front_of_a_line_is_no_reason() -> None:
    """ "no, without a condition!" became the reason of a support: it answered what the person had been asked."""
    debate = with_ada()
    saying(debate, "no, I support o1")
    await debate.run()
    (message,) = [each for each in of(debate, MessagePosted) if each.who == "Ada"]
    assert [(move.kind, move.text) for move in message.moves] == [("support", "I support o1")]


async def test_what_is_read_by_words_counts_after_a_yes_alone() -> None:
    debate = with_ada()
    saying(debate, "o1 yes, but not in winter", "o2 yes, but not in winter")
    answering(debate, o1="yes", o2="no")
    await debate.run()
    lines = [each.line.how for each in of(debate, MessagePosted) if each.who == "Ada"]
    assert lines == ["offered", "offered"]
    assert (stands(debate, "o1"), stands(debate, "o2")) == (["support"], [])
    assert [fact.answer for fact in of(debate, LineAnswered)] == ["yes", "no"]
    number = of(debate, LineAnswered)[0].message
    assert [(act.kind, act.on) for act in debate.memory.acts(number)] == [("support", "o1")]


async def test_what_was_counted_is_taken_back_and_a_resume_reads_the_same(tmp_path: Path) -> None:
    with Session.create("one", tmp_path) as session:
        debate = with_ada(most=10, session=session)
        saying(debate, "I support o1", "I propose that we ask the neighbours", "still for o2")
        answering(debate, I="taken back")
        await debate.run()
        assert stands(debate, "o1") == []
        assert stands(debate, "o2") == ["support"]
        put = next(each for each in debate.memory.proposals if each.proposer == "Ada")
        assert put.status == "withdrawn"
        read = memory_of(session)
        assert read.to_json() == debate.memory.to_json()
        assert progress_of(session).lines == debate.progress.lines


@pytest.mark.parametrize(
    ("before", "line", "after"),
    [
        ("against o2", "I withdraw my opposition", []),
        ("I support o2", "I take back my support", []),
        ("I support o2, if the bank pays", "my condition is met", ["support"]),
        ("against o1 and o2", "I withdraw my opposition", ["oppose"]),
    ],
)
async def test_what_its_author_holds_of_one_text_alone_is_taken_back_without_its_id(
    before: str, line: str, after: list[str]
) -> None:
    debate = with_ada()
    saying(debate, before, line)
    await debate.run()
    texts = [text for motion in debate.memory.motions for text in motion.versions if text.id == "o2"]
    held = [each for text in texts for each in text.reactions if each.agent == "Ada"]
    assert [each.reaction for each in held] == after
    assert not any(each.conditional for each in held)


async def test_nobody_answers_for_another_and_nothing_is_answered_twice() -> None:
    debate = with_ada()
    saying(debate, "o1 yes, but not in winter", "hello all")
    refused: list[str] = []

    def answer(message: MessagePosted) -> None:
        if message.who != "Ada":
            return
        for who, given in (("Ruth", "yes"), ("Ada", "taken back"), ("Ada", "yes"), ("Ada", "no")):
            try:
                debate.answer_line(given, who, message.number)
            except UsageError as error:
                refused.append(f"{message.number} {who} {given}: {error}")

    debate.bus.subscribe(MessagePosted, answer)
    await debate.run()
    assert [(fact.who, fact.answer) for fact in of(debate, LineAnswered)] == [("Ada", "yes")]
    assert len(refused) == 3 + 4


async def test_a_yes_is_for_the_last_line_alone() -> None:
    """ "Yes" to a later remark would count an offer that the person had let pass."""
    debate = with_ada()
    saying(debate, "o1 yes, but not in winter", "the river is high")
    waits: list[bool] = []
    debate.bus.subscribe(
        MessagePosted, lambda m: waits.append(m.number in debate.progress.waiting("Ada")) if m.who == "Ada" else None
    )
    await debate.run()
    assert waits == [True, False]


async def test_a_no_said_at_a_page_answers_what_was_offered_and_is_no_message() -> None:
    debate, refused = with_ada(), list[str]()
    saying(debate, "o2 yes, but not in winter")
    here, seat = Running(debate, debate.session), WebSeat("Ada", title="Ada")

    def at_page(message: MessagePosted) -> None:
        if message.line is not None and message.line.how == "offered":
            with pytest.raises(UsageError) as held:
                _at_seat(here, seat, Doing(do="say", text="nope thats wrong"))
            refused.append(str(held.value))

    debate.bus.subscribe(MessagePosted, at_page)
    await debate.run()
    assert (refused, [fact.answer for fact in of(debate, LineAnswered)]) == (["not sent: “thats wrong”"], ["no"])
    assert [each.text for each in of(debate, MessagePosted) if each.who == "Ada"] == ["o2 yes, but not in winter"]


@pytest.mark.parametrize(
    ("typed", "answers"),
    [
        ("{0} no, {1} yes", ["no", "yes"]),
        ("{0}: no and {1}: yes!", ["no", "yes"]),
        ("{0} no, m99 yes", []),
        ("{1} yes", ["yes"]),
        ("{0} no, {1} yes but forget the mowing", []),
        ("{0} nein und {1} ja", ["no", "yes"]),
    ],
)
async def test_a_line_answers_each_offer_by_the_message_that_it_names(typed: str, answers: list[str]) -> None:
    """ "m1 no, m5 yes" named two lines of which nothing counted yet, and was published."""
    debate, told = with_ada(read_typed="exact"), list[str]()
    saying(debate, "o2 yes, but not in winter", "o1 yes, but not in winter")
    seat = WebSeat("Ada", title="Ada")

    def at_page(message: MessagePosted) -> None:
        waiting = [f"m{number}" for number in debate.progress.waiting("Ada")]
        if message.who == "Ada" and len(waiting) == 2:
            held = "mowing" if "mowing" in typed else "" if answers else "m99"
            with pytest.raises(UsageError, match=held) if held else nullcontext():
                told.append(
                    _at_seat(Running(debate, debate.session), seat, Doing(do="say", text=typed.format(*waiting)))
                )

    debate.bus.subscribe(MessagePosted, at_page)
    await debate.run()
    assert [fact.answer for fact in of(debate, LineAnswered)] == answers
    assert told == ["Received"] * (bool(answers) and "mowing" not in typed)
    assert (stands(debate, "o2"), stands(debate, "o1")) == ([], ["support"] * bool(answers))
    assert len(debate.progress.waiting("Ada")) == 2 - len(answers)
    assert len([each for each in of(debate, MessagePosted) if each.who == "Ada"]) == 2


@pytest.mark.parametrize("votes", [False, True])
@pytest.mark.parametrize(
    ("doing", "asked"),
    [
        (Doing(do="line", line="yes"), ""),
        (Doing(do="say", text="yes"), ""),
        (Doing(do="answer", text="yes"), "speak"),
    ],
)
async def test_a_yes_at_a_page_is_acknowledged_at_once(doing: Doing, asked: str, *, votes: bool) -> None:
    """During a vote a page said nothing of a press; a typed yes was told as a message, or with the floor was one."""
    debate, told = with_ada(), list[str]()
    saying(debate, "o2 yes, but not in winter")
    here = Running(debate, debate.session)
    seat = WebSeat("Ada", title="Ada", prompt=Prompt(purpose=asked, agent="Ada") if asked else None)  # type: ignore[arg-type]

    def at_page(message: MessagePosted) -> None:
        if message.line is not None and message.line.how == "offered":
            with debate.inbox.taking_votes() if votes else nullcontext():
                told.append(_at_seat(here, seat, doing))

    debate.bus.subscribe(MessagePosted, at_page)
    await debate.run()
    assert told == ["Received: it counts once the vote has ended" if votes else "Received"]
    assert ([fact.answer for fact in of(debate, LineAnswered)], stands(debate, "o2")) == (["yes"], ["support"])


@pytest.mark.parametrize(
    ("typed", "refused", "sent"),
    [("yes", True, []), ("no, not that", True, []), ("What does o2 cost?", False, ["What does o2 cost?"])],
)
async def test_a_yes_at_a_page_that_asks_for_terms_is_taken_for_no_other_question(
    typed: str, sent: list[str], *, refused: bool
) -> None:
    """A yes beside the question on a text counted what had been offered of a line before it."""
    debate, told = with_ada(read_typed="exact"), list[str]()
    saying(debate, "o2 yes, but not in winter")
    seat = WebSeat("Ada", title="Ada", prompt=Prompt(purpose="terms", agent="Ada", about="Wait a quarter."))

    def at_page(message: MessagePosted) -> None:
        if message.line is not None and message.line.how == "offered":
            with suppress(UsageError) if refused else nullcontext():
                told.append(_at_seat(Running(debate, debate.session), seat, Doing(do="say", text=typed)))

    debate.bus.subscribe(MessagePosted, at_page)
    await debate.run()
    assert (told, of(debate, LineAnswered)) == ([""] * (not refused), [])
    assert [each.text for each in of(debate, MessagePosted) if each.who == "Ada"][1:] == sent


@pytest.mark.parametrize(
    ("typed", "reads"),
    [
        ("o2 > o1", "You accept: Wait a quarter; then Move it."),
        ("wait a quarter, then move it", "You accept: Wait a quarter; then Move it."),
        ("quarter", "You accept: Wait a quarter."),
        ("none", "You accept none of them."),
        ("doch wait a quarter first i guess", "may be a vote"),
        ("@Ruth o2", ""),
        ("shall we wait a quarter?", ""),
        ("What does the river cost us?", ""),
    ],
)
@pytest.mark.parametrize("voting", [True, False])
async def test_a_vote_at_a_page_after_ones_own_is_no_message(typed: str, reads: str, *, voting: bool) -> None:
    """ "B > A", typed to change a vote, was published, and all voted again."""
    debate, said, row = with_ada(), list[str](), typed == "o2 > o1"
    debate.say = lambda text, _: said.append(text)  # type: ignore[assignment,misc]
    texts = tuple(
        BallotText(id=key, motion=key, text=text) for key, text in (("o1", "Move it"), ("o2", "Wait a quarter"))
    )
    seat = WebSeat("Ada", title="Ada", voted=(Prompt(purpose="ballot", agent="Ada", texts=texts), "o1"))
    with debate.inbox.taking_votes() if voting else nullcontext():
        if reads and voting:
            with pytest.raises(UsageError) as refused:
                _at_seat(Running(debate, debate.session), seat, Doing(do="say", text=typed))
            assert reads in str(refused.value)
            assert "Change my vote" in refused.value.hint
        else:
            with pytest.raises(UsageError, match="answers nothing that is open") if row else nullcontext():
                _at_seat(Running(debate, debate.session), seat, Doing(do="say", text=typed))
    assert said == [typed] * (not (row or (reads and voting)))


async def test_declared_tags_count_as_ever_and_what_of_them_is_lost_is_named() -> None:
    debate = with_ada(most=10)
    saying(debate, "[OPPOSE o2] it is dear", "[SUPORT o1] it is cheap", "[DEFER o1] it can wait")
    await debate.run()
    first, second, third = [each for each in of(debate, MessagePosted) if each.who == "Ada"]
    assert first.line.how == "counted"
    assert stands(debate, "o2") == ["oppose"]
    assert (second.line.how, stands(debate, "o1")) == ("talk", [])
    assert "DEFER" in say_back(third, debate.memory).lines[0]


class Reader(SimulatedRunner):
    """A model that says of each line that it states these acts."""

    summarises = True

    def __init__(self, *acts: dict[str, Any], fails: bool = False) -> None:
        super().__init__()
        self.acts, self.fails, self.prompts = acts, fails, list[Prompt]()

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        if prompt.purpose == "read":
            self.prompts.append(prompt)
            if self.fails:
                raise RunnerError("busy")
            return Reply("", {"acts": [*self.acts]}, Usage(100, 20, cost=0.001), "cheap")
        if prompt.purpose == "summarise":
            raise RunnerError("busy")
        return await super().run(prompt, on_text)


def stated(does: str, on: str | None, words: str = "", names: str | None = None) -> dict[str, Any]:
    return {"does": does, "on": on, "words": words, "names": (on or "") if names is None else names}


LINE = "sorry but tar on that path would be a crime, so no o2 for me thank you"


async def test_what_no_exact_reading_understands_is_asked_of_a_model_and_then_of_the_person() -> None:
    reader = Reader(stated("oppose", "o2"))
    debate = with_ada(runner=reader)
    saying(debate, LINE, "good morning", "Is o2 dear?")
    debate.bus.subscribe(LineOffered, lambda fact: debate.answer_line("yes", fact.who, fact.message))
    await debate.run()
    (prompt,) = reader.prompts
    assert LINE in prompt.own
    assert {"o1", "o2"} <= {*prompt.strict["properties"]["acts"]["items"]["properties"]["on"]["anyOf"][0]["enum"]}
    assert stands(debate, "o2") == ["oppose"]
    assert debate.progress.by_purpose["read"].calls == 1
    (fact,) = of(debate, LineOffered)
    assert "o2" in say_back(fact, debate.memory).lines[0]


PARTLY = "I support o1, and propose a kiosk on the path"
KIOSK = "a kiosk on the path"


@pytest.mark.parametrize(
    ("settles", "counted"),
    [("without a condition", ""), ("if the kiosk stays", ", on the condition “if the kiosk stays”")],
)
async def test_what_the_record_has_in_doubt_is_said_back_as_doubted_with_what_settles_it(
    settles: str, counted: str
) -> None:
    """ "Counted: you support p5.0, until evening" stood where the table had "perhaps on a condition"."""
    debate, told = with_ada(read_typed="exact"), list[tuple[str, ...]]()
    saying(debate, "[SUPPORT o1] cheaper than hire after ten races", f"for o1 {settles}")

    def heard(message: MessagePosted) -> None:
        if message.who == "Ada":
            told.extend(say_back(message, debate.memory, words).lines for words in (Words("en"), Words("de")))

    debate.bus.subscribe(MessagePosted, heard)
    await debate.run()
    text = "“Move it this quarter” (o1)"
    assert told[0] == (
        f"Counted: you support {text}, perhaps on a condition (“after ten races”)",
        "To say which: “for o1 without a condition”, or “for o1 if ...”",
    )
    assert told[1][0].endswith(", vielleicht unter einer Bedingung („after ten races“)")
    assert told[2] == (f"Counted: you support {text}{counted}",)


@pytest.mark.parametrize(
    ("acts", "moves", "told"),
    [
        ([stated("support", "o1"), stated("propose", None, KIOSK)], [("propose", KIOSK)], "Did you mean"),
        ([stated("support", "o1")], [], "Counted"),
        ([], [], "Counted"),
    ],
)
async def test_a_line_of_which_a_part_alone_is_read_exactly_is_asked_of_a_model_as_a_whole(
    acts: list[dict[str, Any]], moves: list[tuple[str, str]], told: str
) -> None:
    """ "i support pause, and propose gym on thursdays" was a support, and nothing told what became of the rest."""
    debate = with_ada(runner=Reader(*acts))
    saying(debate, PARTLY)
    debate.bus.subscribe(LineOffered, lambda fact: fact.moves and debate.answer_line("yes", fact.who, fact.message))
    await debate.run()
    (fact,) = of(debate, LineOffered)
    message = debate.memory.parts.messages.message(fact.message)
    assert say_back(message, debate.memory, reads=True).lines[-1] == "Heard; what it states is being read"
    lines = say_back(fact, debate.memory).lines
    assert ([(move.kind, move.text) for move in fact.moves], stands(debate, "o1")) == (moves, ["support"])
    assert lines[0].startswith(told)
    assert lines[1:] == (() if moves else ('Not read: "and propose a kiosk on the path"',))
    assert [move.kind for move in debate.progress.lines[fact.message].moves] == [
        "support",
        *(kind for kind, _ in moves),
    ]


@pytest.mark.parametrize(
    ("line", "acts", "moves", "told"),
    [
        (
            "van, if they pay. moving is what I could live with as long as nothing is read before May. fixing is good.",
            [("o1", "moving", ""), ("o2", "fixing", "")],
            [("o2", "")],
            "(o1)",
        ),
        (
            "van, if they pay. moving is what I could live with as long as nothing is read before May. fixing is good.",
            [("o1", "moving", "as long as nothing is read before May"), ("o2", "fixing", "")],
            [("o1", "as long as nothing is read before May"), ("o2", "")],
            "",
        ),
        (
            "yes to the mooving, fixing yes if it is short",
            [("o1", "the mooving", ""), ("o2", "fixing", "if it is short")],
            [("o1", ""), ("o2", "if it is short")],
            "",
        ),
        (
            "yes to the mooving, fixing yes if it is short",
            [("o1", "the mooving", "if it is short"), ("o2", "fixing", "")],
            [],
            "(o1)",
        ),
        (
            "if it is short, mooving yes, fixing yes",
            [("o1", "mooving", "if it is short"), ("o2", "fixing", "")],
            [("o1", "if it is short"), ("o2", "")],
            "",
        ),
        (
            "mooving yes, fixing only wen it is short",
            [("o1", "mooving", "only wen it is short"), ("o2", "fixing", "")],
            [],
            "(o1)",
        ),
        (
            "yes to moving and fixing if it is short",
            [("o1", "moving", ""), ("o2", "fixing", "if it is short")],
            [("o2", "if it is short")],
            "(o1)",
        ),
        (
            "if it is short, moving yes, fixing yes if the bank pays",
            [("o1", "moving", ""), ("o2", "fixing", "if the bank pays")],
            [("o2", "if the bank pays")],
            "(o1)",
        ),
    ],
)
async def test_a_support_that_a_model_read_has_a_condition_of_its_own_clause_alone(
    line: str, acts: list[tuple[str, str, str]], moves: list[tuple[str, str]], told: str
) -> None:
    """Of "the clock, if the club pays. Barrels are fine" barrels were offered on the condition of the clock."""
    debate = with_ada(runner=Reader(*(stated("support", on, words, names) for on, names, words in acts)))
    saying(debate, line)
    await debate.run()
    (fact,) = of(debate, LineOffered)
    assert [(move.target, move.text) for move in fact.moves] == moves
    back = " ".join(say_back(fact, debate.memory).lines)
    assert ("it is not clear wh" in back, told in (back.partition("?")[2] or back)) == (bool(told), True)


@pytest.mark.parametrize(("names", "offered"), [("the", 0), ("i", 0), ("to", 0), ("the fixing", 1), ("that", 1)])
async def test_a_common_word_of_a_line_names_no_text(names: str, offered: int) -> None:
    """A model that quoted "the" as the name of a text was believed."""
    debate = with_ada(runner=Reader(stated("support", "o2", names=names)))
    saying(debate, "the bank is slow to answer, so i would rather see that we do the fixing by hand")
    await debate.run()
    assert [len(fact.moves) for fact in of(debate, LineOffered)][:1] == [offered]


async def test_a_condition_taken_back_and_a_support_in_full_are_offered_together() -> None:
    """ "then i take back my if on the mulch, im for it" was told as "not clear on what condition"."""
    debate = with_ada(runner=Reader(stated("withdraw condition", "o2"), stated("support", "o2")))
    saying(debate, "I support o2 if it is cheap", "good enough. then never mind my if on o2, im for it")
    debate.bus.subscribe(LineOffered, lambda fact: fact.moves and debate.answer_line("yes", fact.who, fact.message))
    await debate.run()
    fact = of(debate, LineOffered)[-1]
    assert [(move.kind, move.of, move.target, move.text) for move in fact.moves] == [
        ("withdraw", "condition", "o2", ""),
        ("support", "", "o2", ""),
    ]
    assert say_back(fact, debate.memory).lines[0].startswith("Did you mean: you take back your condition on ")
    assert [each.conditional for each in debate.memory.reactions if each.agent == "Ada"][-1:] == [False]


@pytest.mark.parametrize(
    ("line", "ids"),
    [
        ("fixing is fine, i am in. move it aint needed this quarter, im agianst that", ("o1",)),
        ("fixing is fine, i am in. is move it dear?", ()),
        ("fixing is fine, i am in. because move it is dear", ()),
    ],
)
async def test_a_text_that_a_line_names_and_a_model_passed_over_is_told_beside_what_it_read(
    line: str, ids: tuple[str, ...]
) -> None:
    """ "gießplan brauchts nich mehr, bin dagegn" was neither offered nor named beside what was."""
    debate = with_ada(runner=Reader(stated("support", "o2", names="fixing")))
    saying(debate, line)
    await debate.run()
    (fact,) = of(debate, LineOffered)
    assert fact.ids == ids
    assert ("it is not clear what you say of" in say_back(fact, debate.memory).lines[-1]) is bool(ids)


async def test_a_no_to_what_a_model_read_beside_leaves_what_counted() -> None:
    debate = with_ada(runner=Reader(stated("propose", None, KIOSK)))
    saying(debate, PARTLY)
    debate.bus.subscribe(LineOffered, lambda fact: debate.answer_line("no", fact.who, fact.message))
    await debate.run()
    (line,) = debate.progress.lines.values()
    assert ([move.kind for move in line.moves], line.state, stands(debate, "o1")) == (
        ["support"],
        "counted",
        ["support"],
    )


async def test_what_is_offered_of_a_line_has_what_its_words_say_and_what_a_model_reads() -> None:
    debate = with_ada(runner=Reader(stated("propose", None, KIOSK)))
    saying(debate, "o1 yes, but not in winter; and propose a kiosk on the path")
    await debate.run()
    assert [[move.kind for move in fact.moves] for fact in of(debate, LineOffered)] == [["support", "propose"]]


async def test_a_model_is_told_what_a_line_may_answer() -> None:
    """ "gym yes, barn not" answered "Did you mean ...?", and its reader took the gym for an option of that word."""
    reader = Reader()
    debate = with_ada(runner=reader)
    saying(debate, "o1 yes, but not in winter", "well the first would be fine by me, and the other is not")
    await debate.run()
    asked = 'Did you mean: support o1 ("o1 yes, but not in winter")?'
    assert [asked in prompt.own for prompt in reader.prompts] == [True]


@pytest.mark.parametrize(
    ("prose", "told"),
    [
        ("Ada's words. I take back my support of o1.", []),
        ("o1 yes, but not in winter.", ['Not read: "o1 yes, but not in winter."']),
        ("What I said for o1 is off.", ['Not read: "What I said for o1 is off"']),
        ("Of o2 I said more.", []),
    ],
)
async def test_words_beside_a_declared_move_are_read_as_if_they_stood_alone(prose: str, told: list[str]) -> None:
    """ "I withdraw p4.0" beside the button of a page was dropped without a word."""
    debate = with_ada()
    saying(debate, "I support o1", f"{prose}\n\n[OPPOSE o2] it is dear")
    await debate.run()
    message = [each for each in of(debate, MessagePosted) if each.who == "Ada"][-1]
    lines = say_back(message, debate.memory).lines
    assert list(lines[1:]) == told
    assert stands(debate, "o1") == ([] if "take back" in prose else ["support"])
    # What its author's own words deny beside it counts for nobody.
    assert stands(debate, "o2") == ([] if "I support" in prose else ["oppose"]), "the declared move is on that text"


async def test_words_beside_a_declared_move_that_say_otherwise_leave_it_open() -> None:
    debate = with_ada()
    saying(debate, "I support o1", "I support o2. It is dry.\n\n[OPPOSE o2] it is dear")
    await debate.run()
    message = [each for each in of(debate, MessagePosted) if each.who == "Ada"][-1]
    (told,) = say_back(message, debate.memory).lines
    assert told.startswith("Not counted")
    assert (stands(debate, "o1"), stands(debate, "o2")) == (["support"], [])


@pytest.mark.parametrize(("read_typed", "told"), [("model", [True, False]), ("exact", [False])])
async def test_a_line_that_a_model_reads_is_not_told_as_talk_before(read_typed: str, told: list[bool]) -> None:
    """ "Heard as talk" stood a moment before "Did you mean: you oppose o2?" """
    debate = with_ada(runner=Reader(stated("oppose", "o2")), read_typed=read_typed)
    saying(debate, LINE)
    reads: list[bool] = []
    debate.bus.subscribe(MessagePosted, lambda said: reads.append(debate.reads(said.number)) if said.line else None)
    debate.bus.subscribe(LineOffered, lambda fact: reads.append(debate.reads(fact.message)))
    await debate.run()
    assert reads == told


@pytest.mark.parametrize(
    ("acts", "told"),
    [([stated("oppose", "o2")], "Meinten Sie: Sie sind gegen „"), ([], "Als Gesprächsbeitrag gehört")],
)
async def test_what_a_model_read_in_a_line_is_told_after_that_it_reads(acts: list[dict[str, Any]], told: str) -> None:
    """ "Heard as talk" stood at the page while the model read the line; where it read nothing the page told no more."""
    debate = with_ada(runner=Reader(*acts))
    saying(debate, LINE)
    await debate.run()
    (fact,), words = of(debate, LineOffered), Words("de")
    line = debate.memory.parts.messages.message(fact.message)
    waits = say_back(line, debate.memory, words, reads=True)
    assert waits.lines == ("Gehört; was es besagt, wird gelesen",)
    assert say_back(fact, debate.memory, words).lines[0].startswith(told)


async def test_a_page_tells_that_a_line_is_being_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Debate, "reads", lambda *_: True)
    async with served(tmp_path) as (url, _):
        owner = await owner_of(url)
        name, _ = await begun(owner, invite="", max_messages=8)
        assert (await owner.do(name, "say", LINE)).status_code == 200
        async with asyncio.timeout(60):
            await owner.follow(name, "o1 > o2")
    told = [each["lines"] for each in owner.heard if each["kind"] == "said-back"]
    assert told[:1] == [["Heard; what it states is being read"]]


TALK, WHICH = "Heard as talk: nothing was counted on “Fix", "Not counted yet: it is not clear "
BETTER = "no wait, o2 is better than a kiosk on the path i guess, insurence max 500"


@pytest.mark.parametrize(
    ("line", "acts", "moves", "told"),
    [
        (LINE, [stated("support", "p99.0")], [], f"{WHICH}which text you mean."),
        (LINE, [stated("oppose", "o2", names="the tar and the boardwalk")], [], f"{WHICH}what you say of “Fix"),
        (LINE, [stated("oppose", "o2", names="")], [], f"{WHICH}which text you mean: “Fix"),
        (LINE, [stated("unclear", "o2")], [], TALK),
        (LINE, [stated("propose", None)], [], TALK),
        (LINE, [stated("propose", None, "tar the boardwalk")], [], TALK),
        (LINE, [stated("support", "o2", "it is cheap")], [], TALK),
        (LINE, [stated("praise", "o1")], [], TALK),
        (LINE, [], [], TALK),
        (LINE, [stated("withdraw text", "o2")], [], "Not counted yet: only its author withdraws “Fix"),
        (BETTER, [stated("support", "o1", names="o2")], [], f"{WHICH}which text you mean: “Fix"),
        (BETTER, [stated("oppose", "o1", names="better")], [], f"{WHICH}which text you mean: “Move"),
        *(
            (
                BETTER,
                [stated("support", "o2"), stated("oppose", "o1", names=names)],
                [("support", "o2", "")],
                f"{WHICH}what you say of “Move",
            )
            for names in ("better", "")
        ),
        (
            BETTER,
            [stated("support", "o2"), stated("withdraw text", "o2", names="")],
            [("support", "o2", BETTER)],
            "Not counted yet: only its author withdraws “Fix",
        ),
        (BETTER, [stated("amend", "o2", "a kiosk, insured for 500 euros at most")], [], TALK),
        (BETTER, [stated("amend", "o2", "Insurence, max 500")], [("amend", "o2", "insurence max 500")], ""),
        ("so o2 dear or not, the frist one suits me", [stated("support", "o1", names="frist one")], [], WHICH),
        (
            "as to that dear place, the first one suits me",
            [stated("support", "o1", names="the first one")],
            [("support", "o1", "as to that dear place, the first one suits me")],
            "",
        ),
        (
            "as to that dear place, mooving suits me",
            [stated("support", "o1", names="mooving")],
            [("support", "o1", "as to that dear place, mooving suits me")],
            "",
        ),
    ],
)
async def test_what_a_model_reads_counts_only_where_the_words_of_the_line_bear_it_out(
    line: str, acts: list[dict[str, Any]], moves: list[tuple[str, str, str]], told: str
) -> None:
    """Offers were put on a text that the model's own quotation did not name, in words that nobody had typed."""
    debate = with_ada(runner=Reader(*acts))
    saying(debate, line)
    await debate.run()
    (fact,) = of(debate, LineOffered)
    back = say_back(fact, debate.memory)
    assert back is not None
    assert [(move.kind, move.target, move.text) for move in fact.moves] == moves
    assert back.lines[-1].startswith(told or "Did you mean")


def test_what_a_yes_does_not_do_is_shown_in_no_words_of_its_author() -> None:
    """ "[WITHDRAW p1.0] (not counted)" stood below the line of a person who had typed no such thing."""
    memory, bus = ConversationMemory(), MessageBus()
    memory.attach(bus)
    put = Move("propose", "One shared tool shed by the gate", title="Shed with key list")
    bus.publish(MessagePosted(number=1, who="Petra", text="", moves=(put,)))
    bus.publish(MessagePosted(number=2, who="Dana", text="im for o2 now", line=LineRead("talk")))
    bus.publish(LineAnswered(who="Dana", message=2, answer="yes", moves=(Move("withdraw", target="p1.0"),)))
    assert [*map(act_line, memory.acts(2))] == ["withdraws p1.0 (not counted): only Petra can withdraw p1.0"]


@pytest.mark.parametrize(
    ("before", "does", "told"),
    [
        ("", "withdraw opposition", "You have no opposition to “Tar the path” (o2) on record"),
        ("", "withdraw support", "You have no support of “Tar the path” (o2) on record"),
        ("I oppose o2", "withdraw opposition", "Did you mean: you no longer oppose “Tar the path” (o2)?"),
    ],
)
async def test_what_would_take_back_nothing_is_told_and_not_offered(before: str, does: str, told: str) -> None:
    """Who said yes to "you no longer oppose o2?" had opposed it nowhere: all read a withdrawal that did not count."""
    debate = with_ada(runner=Reader(stated(does, "o2")))
    saying(debate, *filter(None, (before, LINE)))
    await debate.run()
    (fact,) = of(debate, LineOffered)
    back = say_back(fact, debate.memory)
    assert back is not None
    assert re.sub(r"“.*?” \(", "“Tar the path” (", back.lines[0]) == re.sub(r"“.*?” \(", "“Tar the path” (", told)


@pytest.mark.parametrize(
    ("beside", "told"),
    [
        (stated("unclear", "o1"), "Not counted yet: it is not clear what you say of “"),
        (stated("unclear", None), "Not counted yet: it is not clear which text you mean."),
        (stated("withdraw support", "o1"), "You have no support of “"),
    ],
)
async def test_what_a_model_leaves_unclear_or_finds_in_vain_is_told_beside_what_is_offered(
    beside: dict[str, Any], told: str
) -> None:
    debate = with_ada(runner=Reader(beside, stated("oppose", "o2")))
    saying(debate, LINE.replace("tar", "o1 and tar"))
    await debate.run()
    (fact,) = of(debate, LineOffered)
    lines = say_back(fact, debate.memory).lines
    assert ([(move.kind, move.target) for move in fact.moves], len(lines)) == ([("oppose", "o2")], 2)
    assert lines[1].startswith(told)


async def test_a_model_that_fails_leaves_the_exact_reading() -> None:
    debate = with_ada(runner=Reader(fails=True))
    saying(debate, LINE, "I support o1")
    await debate.run()
    assert [fact.moves for fact in of(debate, LineOffered)] == [()]
    assert (stands(debate, "o2"), stands(debate, "o1")) == ([], ["support"])


async def test_with_exact_readings_alone_no_model_is_asked() -> None:
    reader = Reader(stated("oppose", "o2"))
    debate = with_ada(runner=reader, read_typed="exact")
    saying(debate, LINE)
    await debate.run()
    assert (reader.prompts, of(debate, LineOffered)) == ([], [])


async def test_an_opening_that_names_a_text_is_read_once_all_have_heard_it() -> None:
    """It ended the debate with an error, which each resume met again."""
    reader = Reader(stated("support", "o2", "if it costs nothing"))

    debate = with_ada(lambda prompt: LINE if prompt.stage == "opening" else "", runner=reader)
    await debate.run()
    (opening,) = [each for each in of(debate, MessagePosted) if each.who == "Ada"]
    assert opening.sealed
    (fact,) = of(debate, LineOffered)
    assert (fact.message, [move.target for move in fact.moves]) == (opening.number, ["o2"])
    heard = max(each.number for each in of(debate, MessagePosted) if each.sealed)
    assert reader.prompts[0].last == opening.number <= heard
    assert not any(each.text in reader.prompts[0].own for each in of(debate, MessagePosted) if each.who != "Ada")


async def test_a_model_is_shown_what_a_line_may_answer_though_others_spoke_meanwhile() -> None:
    """ "Fine if the price holds" was typed while another spoke, and the message with the price was not shown."""
    reader = Reader()
    debate = with_ada(runner=reader)
    saying(debate, LINE)
    await debate.run()
    number = reader.prompts[0].last
    before = [each for each in of(debate, MessagePosted) if number - 3 <= each.number < number]
    places = [reader.prompts[0].own.index(f"- {each.who}: ") for each in before]
    assert len(places) == 3
    assert places == sorted(places)


class Opening(Reader):
    """Who opens puts a text."""

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        reply = await super().run(prompt, on_text)
        opens = (prompt.purpose, prompt.stage) == ("speak", "opening")
        return replace(reply, text=f"{reply.text}\n[PROPOSE Gravel] {GRAVEL}") if opens else reply


GRAVEL = "Gravel for the path, and a crime less."


async def test_a_sealed_opening_is_held_against_no_text_that_its_author_could_not_hear() -> None:
    """ "train no way" in an opening was offered as against p1.0, which another put in an opening beside it."""
    reader = Opening(stated("oppose", "p2.0", names="crime"))
    debate = with_ada(lambda prompt: LINE if prompt.stage == "opening" else "", runner=reader)
    await debate.run()
    others = {each.id for each in debate.memory.proposals if each.content == GRAVEL}
    assert others
    assert not any(f"- {key}" in reader.prompts[0].own for key in others)
    assert "- o2: " in reader.prompts[0].own
    assert [fact.moves for fact in of(debate, LineOffered)] == [()]


class Following(Reader):
    """A model that says of a line that it supports the text on which a message before it acts."""

    debate: Debate

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        if prompt.purpose == "read":
            before = range(prompt.last - 3, prompt.last)
            acted = [act.on for number in before for act in self.debate.memory.acts(number) if act.on]
            self.acts = [stated("support", on, "if the price holds", "") for on in acted[-1:]]
        return await super().run(prompt, on_text)


async def test_a_line_that_names_no_text_may_answer_a_message_that_acts_on_one() -> None:
    """ "Passt, wenn der Preis hält" was talk behind a message whose tag alone named the text."""
    reader = Following()
    reader.debate = debate = with_ada(runner=reader)
    saying(debate, "that suits me if the price holds, it must be said")
    await debate.run()
    (fact,) = of(debate, LineOffered)
    assert reader.acts
    assert [move.target for move in fact.moves] == [reader.acts[0]["on"]]


async def test_what_a_model_reads_as_taken_back_is_told_in_the_words_of_the_screen() -> None:
    """ "Sie ziehen my opposition to o1 zurück?" stood on a German screen."""
    debate = with_ada(runner=Reader(stated("withdraw opposition", "o2")))
    saying(debate, "against o2", "what I said of the o2 thing no longer stands, folks")
    await debate.run()
    (fact,) = of(debate, LineOffered)
    assert fact.moves == (Move("withdraw", target="o2", of="opposition"),)
    for words in (Words("en"), Words("de")):
        text = words.say("line-text", id="o2", title="Fix the test suite first")
        act = words.say("line-act", kind="take-back", of="opposition", text=text, words="opposition", condition="")
        assert say_back(fact, debate.memory, words).lines == (words.say("line-offered", acts=[act], terms=""),)


@pytest.mark.parametrize("text", ["x" * 20_000, "[b]o1[/b] <script>alert(1)</script>", "\u202eo1 \u2066", "@Ruth"])
async def test_long_and_hostile_lines_are_talk(text: str) -> None:
    debate = with_ada()
    saying(debate, text)
    await debate.run()
    (message,) = [each for each in of(debate, MessagePosted) if each.who == "Ada"]
    assert (message.moves, say_back(message, debate.memory).answers) == ((), ())


async def test_an_answer_is_told_in_the_language_of_the_debate() -> None:
    debate = with_ada()
    saying(debate, "I support o1")
    answering(debate, I="taken back")
    await debate.run()
    (fact,) = of(debate, LineAnswered)
    english, german = (say_back(fact, debate.memory, Words(code)).lines for code in ("en", "de"))
    assert english != german
    assert all("o1" in told for (told,) in (english, german))


@pytest.mark.parametrize(
    ("move", "language", "told"),
    [
        (Move("support", "it is cheap", "o1"), "en", "Taken back: your support of o1"),
        (Move("oppose", "", "o1"), "en", "Taken back: your opposition to o1"),
        (
            Move("support", "if it is cheap", "o1"),
            "de",
            "Zurückgenommen: Ihre Unterstützung für o1, unter der Bedingung",
        ),
        (Move("propose", "Close it"), "de", "Zurückgenommen: Ihr Vorschlag „Close it“"),
        (Move("withdraw", "", "o1", of="condition"), "en", "Taken back: the end of your condition on o1"),
    ],
)
def test_what_was_taken_back_is_named_and_not_asserted(move: Move, language: str, told: str) -> None:
    """ "Taken back: you support “Share the school hall”" reads as if it still stood."""
    fact = LineAnswered(who="Jo", message=1, answer="taken back", moves=(move,))
    back = say_back(fact, ConversationMemory(), Words(language))
    assert back is not None
    assert back.lines[0].startswith(told)


def test_at_a_terminal_each_line_is_said_back_and_answered(tmp_path: Path) -> None:
    args = ("debate", TYPED_QUESTION, *TYPED_OPTIONS, "--session", "one", "--human", "Ada", "--no-first-vote")
    with on_terminal(tmp_path, *args, "--max-messages", "60", "--verbose") as terminal:
        terminal.wait_for("your opening")
        terminal.type("\r")
        terminal.wait_for("nothing was typed")
        terminal.type("\r")
        terminal.wait_for("has the floor")
        terminal.type("I support o1\r")
        terminal.wait_for("Counted: you support")
        terminal.type("/back\r")
        terminal.wait_for("Taken back")
        terminal.type("o2 yes, but not in winter\r")
        terminal.wait_for("Did you mean: you support")
        terminal.type("yes\r")
        terminal.wait_for("Counted: you support")
        terminal.type("/next\r")
        terminal.wait_for("you have the floor")
        terminal.type("\r")
        terminal.wait_for("your vote?")
        terminal.type("\r")
        terminal.wait_for("read as: You leave your ballot empty")
        terminal.type("\r")
        assert terminal.end() == 0, terminal.shown
    with Session.read("one", tmp_path / "sessions") as session:
        facts = [event for event in session.events() if isinstance(event, LineAnswered)]
        assert [fact.answer for fact in facts] == ["taken back", "yes"]


async def test_at_a_page_its_author_alone_sees_and_answers_how_a_line_was_read(tmp_path: Path) -> None:
    async with served(tmp_path) as (url, host):
        owner, ben = await owner_of(url), Page(url)
        name, links = await begun(owner, invite="Ben", max_messages=8)
        await ben.sit(links["Ben"])
        debate, statuses = host.running[name].debate, list[int]()
        debate.bus.subscribe(MessagePosted, lambda said: debate.pause("Ana") if said.who == "Ben" else None)
        assert (await ben.do(name, "say", "o1 yes, but not in winter")).status_code == 200

        async def answers() -> None:
            number = (await _heard(ben, lambda said: said["kind"] == "said-back"))["message"]
            for page, message in ((owner, number), (ben, 99), (ben, number), (ben, number)):
                statuses.append((await page.do(name, "line", line="yes", message=message)).status_code)
            await owner.do(name, "go-on")

        async with asyncio.timeout(60), asyncio.TaskGroup() as pages:
            pages.create_task(answers())
            pages.create_task(ben.follow(name, "o2"))
            pages.create_task(owner.follow(name, "o1 > o2"))
    assert [code == 200 for code in statuses] == [False, False, True, False]
    assert not [each for each in owner.heard if each["kind"] == "said-back" and each["who"] == "Ben"]
    with Session.read(name, tmp_path) as session:
        (fact,) = [event for event in session.events() if isinstance(event, LineAnswered)]
        for page in (ben, owner):  # what the line does stands below it, without another look at the page
            shown = [
                each["acts"] for each in page.heard if each["kind"] == "message" and each["number"] == fact.message
            ]
            assert (shown[0], len(shown[-1])) == ([], 1)
        assert (fact.who, fact.answer, [move.target for move in fact.moves]) == ("Ben", "yes", ["o1"])


async def _heard(page: Page, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return the first thing of that sort that the page is told, once it is."""
    while not (told := [each for each in page.heard if wanted(each)]):
        page.news.clear()
        await page.news.wait()
    return told[0]


def test_what_is_taken_back_is_the_last_line_or_the_one_that_is_named() -> None:
    """`/back` after a line that was heard as talk took back another one, of seven messages before."""
    lines = TypedLines()
    support = Move("support", "it is cheap", "o1")
    lines.fold_lines(MessagePosted(number=4, who="Jo", text="o1", moves=(support,), line=LineRead("counted")))
    assert lines.answer_to_line("Jo", "taken back").message == 4
    lines.fold_lines(MessagePosted(number=11, who="Jo", text="I wonder", line=LineRead("talk")))
    with pytest.raises(UsageError, match="counted for nothing") as refused:
        lines.answer_to_line("Jo", "taken back")
    assert "/back m4" in refused.value.hint
    assert lines.answer_to_line("Jo", "taken back", 4).message == 4


async def test_nothing_is_taken_back_once_the_debate_has_ended_and_all_can_be_when_it_goes_on() -> None:
    """A support that was taken back after the verdict was gone from `eda show`, and stood in the report."""
    debate = with_ada()
    saying(debate, "I support o1")
    await debate.run()
    before = debate.memory.to_json()
    for given in ("taken back", "yes"):
        with pytest.raises(UsageError, match="the debate has ended") as refused:
            debate.answer_line(given, "Ada")  # type: ignore[arg-type]
        assert "beendet" in Words("de").error(refused.value)[0]
    assert debate.memory.to_json() == before
    debate.progress.fold(PhaseStarted(seq=debate.progress.last_seq + 1, phase="discussion", round=2))
    change = Answered("Ada", "taken back")
    assert isinstance(change.fact(debate.progress, debate.memory), LineAnswered)


@pytest.mark.parametrize(("text", "number"), [("", 0), ("m4", 4), ("12", 12), ("the last", 0), ("m99999999", 0)])
def test_the_message_to_take_back_is_a_number(text: str, number: int) -> None:
    assert _number(text) == number


@pytest.mark.parametrize(
    ("line", "acts", "moves", "ids"),
    [
        (
            "wait, o2 yes dear or not, and im against o1 now, the bog",
            [stated("support", "o2", "dear at all"), stated("oppose", "o1")],
            [("oppose", "o1", "")],
            ("o2",),
        ),
        (
            "patch it i guess, no sheep by the bog, and o1 eh",
            [stated("oppose", "o2", names="sheep"), stated("unclear", "o1")],
            [],
            ("o2", "o1"),
        ),
        (
            "it is o2! 900 yes, no o1 for me",
            [stated("support", "o2", "900 yes"), stated("oppose", "o1")],
            [("oppose", "o1", "")],
            ("o2",),
        ),
        (
            "o2 ok but onyl wen they pay",
            [stated("support", "o2", "onyl wen they pay")],
            [("support", "o2", "if onyl wen they pay")],
            (),
        ),
        (
            "yes to move it and fixing, if they pay",
            [stated("support", "o1", names="move it"), stated("support", "o2", "if they pay", "fixing")],
            [("support", "o2", "if they pay")],
            ("o1",),
        ),
    ],
)
async def test_what_is_clear_of_a_line_is_offered_and_what_is_not_is_named(
    line: str, acts: list[dict[str, Any]], moves: list[tuple[str, str, str]], ids: tuple[str, ...]
) -> None:
    """ "o3 yes mowed or not, and im against o1" counted for nothing, as one part of it was not clear."""
    debate = with_ada(runner=Reader(*acts))
    saying(debate, line)
    await debate.run()
    (fact,) = of(debate, LineOffered)
    assert [(move.kind, move.target, move.text) for move in fact.moves] == moves
    assert fact.ids == ids


def test_a_newer_line_on_a_text_replaces_what_older_ones_were_offered_for() -> None:
    """Five questions stood open at once, two of which said the opposite of each other."""
    lines = TypedLines()

    def offer(number: int, *moves: Move) -> None:
        lines.fold_lines(MessagePosted(number=number, who="Jo", text="so", line=LineRead("offered", moves)))

    on = {key: Move("support", "", key) for key in ("o1", "o2", "o3")}
    offer(1, on["o1"], on["o2"])
    offer(5, on["o3"])
    offer(9, on["o2"])
    assert lines.waiting("Jo") == {1: (on["o1"],), 5: (on["o3"],), 9: (on["o2"],)}
    counts = MessagePosted(number=11, who="Jo", text="o1", moves=(on["o1"],), line=LineRead("counted"))
    lines.fold_lines(counts)
    assert [*lines.waiting("Jo")] == [5, 9]


async def test_a_page_puts_no_older_offer_while_a_newer_line_is_being_read() -> None:
    """Beside "what it states is being read" stood the older offer, with a Yes that counted it."""
    debate, puts = with_ada(read_typed="exact"), list[list[int]]()
    saying(debate, "o2 yes, but not in winter", "o1 yes, but not in winter")

    def told(message: MessagePosted) -> None:
        if message.who == "Ada":
            here = (message, debate.memory, debate.progress)
            puts.append([len(said_back(*here, reads=reads)["open"]) for reads in (False, True)])

    debate.bus.subscribe(MessagePosted, told)
    await debate.run()
    assert puts == [[1, 0], [2, 0]], "its own is among them"


async def test_a_page_no_longer_tells_as_counted_what_a_newer_line_replaces() -> None:
    """ "Counted: you are for o1" stood below a line after its author had withdrawn that."""
    debate, over = with_ada(most=10), list[tuple[int, list[str]]]()
    saying(debate, "I support o1", "I support o2", "I withdraw my support for o1")

    def told(message: MessagePosted) -> None:
        if message.who == "Ada" and message.line and message.line.how == "counted":
            over.append((message.number, said_back(message, debate.memory, debate.progress, reads=False)["over"]))

    debate.bus.subscribe(MessagePosted, told)
    await debate.run()
    first = f"m{over[0][0]}"
    assert [each for _, each in over] == [[], [], [first]]


def test_what_a_line_goes_on_to_say_behind_its_answer_is_told_of_that_line_alone() -> None:
    """The end of a later line stood for the whole of it where an answer before it had ended in the same words."""
    lines, says = TypedLines(), "o2 is too dear"
    offers = LineRead("offered", (Move("support", "", "o1"),))
    lines.fold_lines(MessagePosted(number=1, who="Jo", text="so", line=offers))
    lines.fold_lines(LineAnswered(who="Jo", message=1, answer="yes", moves=offers.moves, says=says))
    told = {2: f"yes, {says}", 3: f"nobody shows that {says}"}
    assert [lines.past_answer("Jo", 2, told[2])] == [says]
    for number, text in told.items():
        lines.fold_lines(MessagePosted(number=number, who="Jo", text=text, line=LineRead("talk")))
    assert [lines.past_answer("Jo", number, text) for number, text in told.items()] == [says, told[3]]


@pytest.mark.parametrize("line", ["o2 yes", "o2 yes, o1 not"])
async def test_a_yes_to_a_text_that_is_offered_as_opposed_counts_nothing_and_is_asked_about(line: str) -> None:
    """It was counted as support of o2."""
    debate, refused = with_ada(), list[str]()
    saying(debate, "im for o1, against o2 ok?")

    def answer(fact: MessagePosted) -> None:
        if fact.who == "Ada" and debate.progress.waiting("Ada"):
            with pytest.raises(UsageError) as raised:
                debate.past_answer(line, "Ada")
            refused.append(str(raised.value))

    debate.bus.subscribe(MessagePosted, answer)
    await debate.run()
    assert (stands(debate, "o2"), [line in each for each in refused]) == ([], [True])


async def test_what_a_yes_leaves_out_is_named_and_waits() -> None:
    """Of "yes but not the soil test" a text that has one in its words was dropped, and nothing told of it."""
    debate = with_ada()
    saying(debate, "im for o1, against o2 ok?", "hello all")
    read = list[tuple[str, dict[int, tuple[Move, ...]]]]()

    def answer(fact: MessagePosted) -> None:
        if fact.who == "Ada" and debate.progress.waiting("Ada"):
            debate.past_answer("yes. o2 is dear in winter", "Ada")

    def told(fact: LineAnswered) -> None:
        waiting = debate.progress.waiting("Ada")
        back = say_back(fact, debate.memory, left=waiting.get(fact.message, ()))
        assert back is not None
        read.append((back.lines[-1], waiting))
        assert back.answers == ("yes", "no")

    debate.bus.subscribe(MessagePosted, answer)
    debate.bus.subscribe(LineAnswered, told)
    await debate.run()
    line, waiting = read[0]
    assert (line[:16], line[-22:]) == ("Not counted yet:", "Did you mean that too?")
    assert [[move.target for move in moves] for moves in waiting.values()] == [["o2"]]
