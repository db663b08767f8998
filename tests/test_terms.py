"""Late in a discussion those who are not for the leading text are asked what would bring them in, and all are told."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from folded import debated
from in_turn import each_other

from eda import Debate, Prompt, Reply, Session
from eda.cli.terminal.human_seat import TerminalSeat
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.state import DebateState
from eda.debate.terms import leading, read_terms, told, unheard
from eda.errors import RunnerUnavailableError
from eda.events import BallotText, MessagePosted, ModeratorSpoke, TermsNamed, TurnFailed
from eda.events.lines import LineRead
from eda.events.records import Move
from eda.panels.settings import Settings
from eda.report.gather import report_of
from eda.report.phrases import terms_phrase
from eda.report.sections import story_words
from eda.report.story import Price
from eda.runners.human import HumanRunner
from eda.runners.recorded import RecordedRunner, RecordingRunner
from eda.serve.ballot import question_lines
from eda.serve.shown import table_of
from eda.words import ENGLISH, Words

PANEL = ["sceptic", "historian", "pragmatic-engineer"]
"""Ruth, Walter and Maya."""
CHANGE = "add a way back"
GERMAN = Words("de")


class Terms:
    """Ruth proposes, Walter supports, Maya is asked."""

    deterministic = False
    summarises = False

    def __init__(self, answer: Callable[[Prompt], str] | None = None) -> None:
        self.prompts: list[Prompt] = []
        self._answer = answer or (lambda _: json.dumps({"takes": "with a change", "change": CHANGE}))

    async def run(self, prompt: Prompt, _: Any = None) -> Reply:
        self.prompts.append(prompt)
        if prompt.purpose == "terms":
            return Reply(self._answer(prompt))
        if prompt.purpose == "ballot":
            return Reply("", {"choice": "p1.0", "ranking": ["p1.0"]})
        if prompt.purpose == "bid":
            return Reply("", {"bids": [{"agent": each.title, "wants": False} for each in prompt.asked]})
        word = f"{prompt.agent} weighs case {prompt.last} at the {prompt.stage}."
        moves = {"Ruth": "[PROPOSE Two stages] Move billing in two stages", "Walter": "[SUPPORT p1.0] it can be undone"}
        given = prompt.agent == "Ruth" and prompt.stage == "opening"
        given |= prompt.agent == "Walter" and prompt.stage == "discussion"
        return Reply(f"{word}\n\n{moves[prompt.agent]}" if given else word)

    def asked(self) -> list[str]:
        return [prompt.agent for prompt in self.prompts if prompt.purpose == "terms"]


def table(runner: Any, session: Session | None = None, options: tuple[str, ...] = (), **settings: Any) -> Debate:
    wanted = Settings.model_validate({"max_messages": 9, "floor": "round-robin", "answer": "one", **settings})
    question = "How shall we move billing?"
    return Debate(question, PANEL, runner, options=options, settings=wanted, seed=2, session=session)


def named(debate: Debate) -> list[TermsNamed]:
    return [fact for fact in debate.session.events() if isinstance(fact, TermsNamed)]


def test_who_is_not_for_the_leading_text_is_asked_once_and_all_are_told() -> None:
    """A member that names its price with two messages left is heard too late."""
    runner = Terms()
    debate = table(runner)
    debate.run_sync()
    assert runner.asked() == ["Maya"]
    (fact,) = named(debate)
    assert (fact.who, fact.on, fact.takes, fact.change) == ("Maya", "p1.0", "with a change", CHANGE)
    assert 3 < fact.after < 9
    later = [p for p in runner.prompts if p.purpose in ("speak", "ballot", "bid") and p.last > fact.after]
    assert later
    assert all(CHANGE in prompt.text for prompt in later)
    before = [p for p in runner.prompts if p.last < fact.after]
    assert not any(CHANGE in prompt.text for prompt in before)


@pytest.mark.parametrize(
    ("answer", "takes", "change"),
    [
        ('Oh yes!\n```json\n{"takes": "As it is!", "change": "none"}\n```', "as it is", ""),
        ('{"takes": "with change", "change": "add a date"}', "with a change", "add a date"),
        ('{"takes": "Mit einer Änderung.", "change": "ein Datum"}', "with a change", "ein Datum"),
    ],
)
def test_terms_in_a_small_variation_of_the_form_are_read_at_once(answer: str, takes: str, change: str) -> None:
    """ "With change" was asked for again."""
    assert read_terms(Reply(answer)) == ({"takes": takes, "change": change}, "")


@pytest.mark.parametrize("takes", ["with change", "with a change"])
def test_terms_with_a_change_name_it(takes: str) -> None:
    assert read_terms(Reply(json.dumps({"takes": takes, "change": ""})))[0] is None


@pytest.mark.parametrize(
    ("typed", "takes", "change"),
    [
        ("yes", "as it is", ""),
        ("nein", "not at all", ""),
        ("3: a way\nback", "with a change", "a way back"),
        ("3: “50 euros” at most", "with a change", "“50 euros” at most"),
        ("", None, ""),
        ("stimmt beides", "as it is", ""),
        ("ne, gar nicht", "not at all", ""),
        ("yes thats fine", "as it is", ""),
        ("no, i take it as it is", "as it is", ""),
        ("no, as it is", "as it is", ""),
        ("yes its fine", "as it is", ""),
        ("stimmt nicht", None, ""),
        ("1", "as it is", ""),
        ("(2)", "not at all", ""),
        ("3) no limit", "with a change", "no limit"),
        ("i take it as it is", "as it is", ""),
        ("yes, I'd take it as it is.", "as it is", ""),
    ],
)
def test_a_person_names_terms_in_its_own_words(typed: str, takes: str | None, change: str) -> None:
    """Whoever sat there in person was passed over, and its price stayed unknown."""

    async def ask(prompt: Prompt) -> str:
        return typed if prompt.purpose == "terms" else ""

    runner = Terms()
    wanted = Settings(max_messages=9, floor="round-robin", answer="one")
    seats = {"Ada": HumanRunner(ask)}
    debate = Debate("How shall we move billing?", PANEL, runner, settings=wanted, seed=2, human="Ada", seats=seats)
    debate.run_sync()
    (fact,) = (each for each in named(debate) if each.who == "Ada")
    assert (fact.takes, fact.change) == (takes, change)
    assert ("says nothing" in terms_phrase(fact)) == (not typed), "silence was told as not understood"
    assert ("not understood: “stimmt nicht”" in terms_phrase(fact)) == (typed == "stimmt nicht")
    assert runner.asked() == ["Maya"]


@pytest.mark.parametrize(
    ("typed", "gold"),
    each_other(
        [
            *(
                (typed, "as it is")
                for typed in ("sure, go ahead", "I'm in already", "nothing, happy as is", "passt schon")
            ),
            *((typed, "as it is") for typed in ("no change needed", "it's good, leave it", "von mir aus gern")),
            *((typed, "not at all") for typed in ("over my dead body", "forget it", "nothing would", "nie im Leben")),
            *((typed, "not at all") for typed in ("kommt nicht in Frage", "ohne mich", "can't be fixed", "I'm out")),
            *((typed, "not at all") for typed in ("nein, ich nehme es nicht", "da ist nichts zu machen")),
            *(
                (typed, "with a change")
                for typed in ("only if it starts after 9", "no, add a railing", "nur mit Quittung")
            ),
            *((typed, "with a change") for typed in ("yes if we get a second key", "i take it as it is with a lamp")),
            *((typed, "with a change") for typed in ("no limit", "3 lamps more", "2 keys", "3.50 euro at most")),
        ]
    ),
)
def test_what_terms_in_words_say_is_asked_in_three_values_and_never_guessed(typed: str, gold: str) -> None:
    """All of them were told as a change; a yes to how they had been read confirmed it."""
    answers = {"as it is": ["1"], "not at all": ["yes", "2"], "with a change": ["3"]}[gold]
    left, asked = [typed, *answers], list[Prompt]()

    async def ask(prompt: Prompt) -> str:
        asked.extend([prompt] * (prompt.purpose == "terms"))
        return left.pop(0) if prompt.purpose == "terms" else ""

    wanted = Settings(max_messages=9, floor="round-robin", answer="one")
    seats = {"Ada": HumanRunner(ask)}
    debate = Debate("How shall we move billing?", PANEL, Terms(), settings=wanted, seed=2, human="Ada", seats=seats)
    debate.run_sync()
    (fact,) = (each for each in named(debate) if each.who == "Ada")
    assert (fact.takes, fact.change, fact.unread) == (gold, typed if gold == "with a change" else "", "")
    assert [prompt.wrong for prompt in asked] == ["", typed, "yes"][: len(asked)]
    for words in (ENGLISH, GERMAN):
        (line,) = question_lines(asked[1], words)
        assert (typed in line, re.findall(r"\b([123]):", line)) == (True, ["1", "2", "3"])


@pytest.mark.parametrize(
    ("sure", "takes", "change"), [("2", "not at all", ""), ("3", "with a change", "forget it"), ("", None, "")]
)
async def test_what_is_typed_at_a_terminal_is_read_back(sure: str, takes: str | None, change: str) -> None:
    """Whoever typed `forget it` was told to all as one who would take it with that change."""
    shown: list[str] = []

    def show(line: str) -> None:
        shown.append(line)
        typed = {"what is": "forget it", "which i": sure, "read as": "", "your vo": "", "you hav": ""}.get(line[:7])
        typed = "" if "ballot" in line else typed  # the vote that is left empty is read back as well
        if typed is not None or "Enter passes" in line:
            asyncio.get_running_loop().call_soon(seat.line, typed or "")

    seat = TerminalSeat("Ada")
    seat.show, seat.editor = show, SimpleNamespace(text="")  # type: ignore[assignment]  # lines are edited there
    wanted = Settings(max_messages=9, floor="round-robin", answer="one")
    seats = {"Ada": seat.runner}
    runner = Terms()
    debate = Debate("How shall we move billing?", PANEL, runner, settings=wanted, seed=2, human="Ada", seats=seats)
    seat.sit(debate)
    async with asyncio.timeout(20):
        await debate.run()
    (fact,) = (each for each in named(debate) if each.who == "Ada")
    assert (fact.takes, fact.change, fact.unread) == (takes, change, "forget it" * (not sure))
    assert not any(line.startswith("read as: ") and "forget it" in line for line in shown)
    told = [prompt for prompt in runner.prompts if "Ada: in words that were not read: forget it" in prompt.text]
    assert bool(told) == (not sure)


def test_the_schema_leaves_three_answers() -> None:
    """A server that enforces a schema is not asked again for a form."""
    runner = Terms()
    table(runner).run_sync()
    (prompt,) = (each for each in runner.prompts if each.purpose == "terms")
    assert prompt.strict is not None
    assert prompt.strict["properties"]["takes"]["enum"] == ["as it is", "with a change", "not at all"]
    assert set(prompt.strict["required"]) == {"takes", "change"}


@pytest.mark.parametrize(
    ("answer", "takes", "change"),
    [
        ('{"takes": "as it is", "change": "none"}', "as it is", ""),
        ('{"takes": "not at all", "change": ""}', "not at all", ""),
        ('```json\n{"takes": "with a change", "change": "drop the cap"}\n```', "with a change", "drop the cap"),
        ('{"takes": "With a change!", "change": "drop the cap"}', "with a change", "drop the cap"),
        ('{"takes": "with a change", "change": ""}', None, ""),
        ("Not at all.", "not at all", ""),
        ('Passt schon! {"takes": "so wie es ist", "change": ""} LG', "as it is", ""),
        ('{"takes": "gar nicht", "change": ""}', "not at all", ""),
        ("So wie es ist.", "as it is", ""),
        ("I would rather not say.", None, ""),
    ],
)
def test_what_an_answer_says_is_never_guessed(answer: str, takes: str | None, change: str) -> None:
    """A price that nobody named would be met in vain."""
    runner = Terms(lambda _: answer)
    debate = table(runner)
    debate.run_sync()
    (fact,) = named(debate)
    assert (fact.takes, fact.change) == (takes, change)
    failed = [fact for fact in debate.session.events() if isinstance(fact, TurnFailed) and fact.purpose == "terms"]
    assert len(failed) == (takes is None)
    assert runner.asked() == ["Maya"] * (1 + (takes is None))


@pytest.mark.parametrize("settings", [{"terms": False}, {"fixed_options": True}])
def test_nobody_is_asked_where_it_is_not_wanted_or_no_text_can_change(settings: dict[str, Any]) -> None:
    """Each answer is a paid call."""
    runner = Terms()
    options = ("Go", "Wait") if "fixed_options" in settings else ()
    wanted = Settings.model_validate({"max_messages": 9, "floor": "round-robin", "answer": "one", **settings})
    Debate("How?", PANEL, runner, options=options, settings=wanted, seed=2).run_sync()
    assert not runner.asked()


class Beside(Terms):
    """Ruth's p1.0 is held by her and Walter; Walter's p2.0 is a measure that both support, and nobody's answer."""

    moves: ClassVar = {
        ("Ruth", "opening"): "[PROPOSE Two stages] Move billing in two stages\n[POSITION] p1.0",
        ("Walter", "opening"): "[PROPOSE Log it] Log each failed payment",
        ("Ruth", "discussion"): "[SUPPORT p2.0] whatever else is done",
        ("Walter", "discussion"): "[POSITION] p1.0",
    }

    async def run(self, prompt: Prompt, _: Any = None) -> Reply:
        reply = await super().run(prompt)
        if prompt.purpose != "speak":
            return reply
        lines = self.moves.get((prompt.agent, prompt.stage), "")
        return Reply(f"{prompt.agent} weighs case {prompt.last} at the {prompt.stage}.\n\n{lines}")


@pytest.mark.parametrize(("answer", "on"), [("one", "p1.0"), ("list", "p2.0")])
def test_what_most_want_beside_any_answer_does_not_lead(answer: str, on: str) -> None:
    """Three were for a walk through the store; who opposed the answer that three held was not asked for its price."""
    runner = Beside()
    debate = table(runner, answer=answer)
    debate.run_sync()
    assert ([fact.who for fact in named(debate)], {fact.on for fact in named(debate)}) == (["Maya"], {on})


class Began(Beside):
    """All begin with an option; two put and support p4.0 since, and the third holds on."""

    moves: ClassVar = {
        **{(who, "opening"): "[POSITION] o1" for who in ("Ruth", "Walter", "Maya")},
        ("Ruth", "discussion"): "[PROPOSE Two stages] Move billing in two stages",
        ("Walter", "discussion"): "[SUPPORT p4.0] it can be undone",
    }


def test_who_put_or_supported_a_text_since_its_opening_no_longer_holds_an_option() -> None:
    """A panel was asked for the price of the option with which it had begun, and not for that of its own text."""
    debate = table(Began(), options=("Go", "Wait"))
    debate.run_sync()
    assert [(fact.who, fact.on) for fact in named(debate)] == [("Maya", "p4.0")]


class Measured(Beside):
    """Ruth holds o2 and joins her own measure with Walter's since; Maya holds a wording of o1, which Walter is for."""

    moves: ClassVar = {
        ("Ruth", "opening"): "[PROPOSE Cap] Spend 900 at most\n[POSITION] o2",
        ("Walter", "opening"): "[PROPOSE Log it] Log each failed payment\n[SUPPORT o1]",
        ("Maya", "opening"): "[AMEND o1 Slowly] Go in two stages\n[POSITION] p3.0",
        ("Ruth", "discussion"): "[AMEND p1.0 p2.0 Both] Spend 1200 at most and log each failed payment",
    }


def test_the_answer_is_asked_about_before_a_measure_that_joins_others() -> None:
    """A joint measure led with one for it; nobody was asked about the answer, which had open opposition."""
    debate = table(Measured(), options=("Go", "Wait"))
    debate.run_sync()
    assert {fact.on for fact in named(debate)} == {"p3.0"}
    shown = debate.memory.table().text
    assert re.search(r"o2.*\n    for 1 of 3: Ruth \(position\); against nobody", shown), shown


class Opposed(Beside):
    """Ruth holds o1, which Maya opposes; Walter holds a text of his own, which nobody does."""

    moves: ClassVar = {
        ("Ruth", "opening"): "[POSITION] o1",
        ("Walter", "opening"): "[PROPOSE Two stages] Move billing in two stages\n[POSITION] p2.0",
        ("Maya", "discussion"): "[OPPOSE o1] the batch would fail",
    }


def test_of_texts_with_equally_many_for_them_that_with_fewer_against_it_is_asked_about() -> None:
    """An option was asked about first, however many opposed it."""
    debate = table(Opposed(), options=("Go", "Wait"))
    debate.run_sync()
    assert {fact.on for fact in named(debate)} == {"p2.0"}


class ForBoth(Beside):
    """Maya holds o2, which Ruth opposes; Walter, who holds nothing, is for it and for the text that Ruth holds."""

    moves: ClassVar = {
        ("Ruth", "opening"): "[PROPOSE Two stages] Move billing in two stages\n[OPPOSE o2]\n[POSITION] p1.0",
        ("Walter", "opening"): "[SUPPORT o2]",
        ("Maya", "opening"): "[POSITION] o2",
        ("Walter", "discussion"): "[SUPPORT p1.0] it can be undone",
    }


def test_who_is_for_an_option_and_for_a_text_that_somebody_holds_counts_for_both() -> None:
    """It counted for the option alone, and those who were for the text that led were asked about the option."""
    debate = table(ForBoth(), options=("Go", "Wait"))
    debate.run_sync()
    assert [(fact.who, fact.on) for fact in named(debate)] == [("Maya", "p1.0")]


class Meets(Terms):
    """Once asked, Maya puts what she named into another wording of Ruth's text, and all vote for that."""

    async def run(self, prompt: Prompt, _: Any = None) -> Reply:
        reply = await super().run(prompt)
        put = re.findall(r"(p\d+\.0).*two stages, and add a way back", prompt.text)
        if prompt.purpose == "speak" and prompt.agent == "Maya" and CHANGE in prompt.text and not put:
            return Reply(f"{reply.text}\n\n[AMEND p1.0] Move billing in two stages, and {CHANGE}")
        return Reply("", {"choice": put[-1], "ranking": [put[-1]]}) if prompt.purpose == "ballot" and put else reply


def test_a_report_tells_the_price_that_a_text_met_and_tells_its_wordings_apart() -> None:
    """Of four wordings a report said that each changed "Two stages" to "Two stages"; what turned Maya stood nowhere."""
    debate = table(Meets())
    debate.run_sync()
    report = report_of(debate.session, debate.progress, debate.memory)
    (fact,) = named(debate)
    first, second = (step for step in report.story if step.kind == "text")
    assert (second.terms, second.of) == ((), ("p1.0",))
    assert first.terms == (Price("Maya", "p1.0", CHANGE, fact.after),)
    heads = [head for head, _ in story_words(report)]
    assert [head.count("Two stages") for head in heads] == [1, 1, 0]
    assert [second.text in head for head in heads] == [False, True, True]


def test_it_goes_on_where_it_was_cut(tmp_path: Path) -> None:
    """Nobody is asked twice, and a debate that was stopped between two answers ends as one that was not."""

    def stopped(prompt: Prompt) -> str:
        raise RunnerUnavailableError("the server is gone")

    whole = table(Terms())
    whole.run_sync()
    with Session.create("half", tmp_path) as half:
        with pytest.raises(RunnerUnavailableError):
            table(Terms(stopped), half).run_sync()
        again = Debate.resume(half, Terms())
        again.run_sync()
        assert [fact.change for fact in named(again)] == [fact.change for fact in named(whole)]
        assert again.progress.verdict is not None
        assert whole.progress.verdict is not None
        assert again.progress.verdict.tally == whole.progress.verdict.tally


def test_a_replay_asks_where_the_recording_did(tmp_path: Path) -> None:
    """A recording from before the question has no answer to it."""
    for asks in (True, False):
        file = tmp_path / f"{asks}.jsonl"
        first = table(RecordingRunner(Terms(), file), terms=asks)
        first.run_sync()
        again = table(RecordedRunner(file))
        again.run_sync()
        assert len(named(again)) == len(named(first)) == asks


class Unheard(Terms):
    """Maya's own text is passed over until the moderator names it; then the next speaker opposes it."""

    async def run(self, prompt: Prompt, _: Any = None) -> Reply:
        reply = await super().run(prompt)
        if prompt.purpose != "speak":
            return reply
        if prompt.agent == "Maya" and prompt.stage == "opening":
            return Reply(f"{reply.text}\n\n[PROPOSE] Sell the ledger")
        return Reply(f"{reply.text}\n\n[OPPOSE p3.0] it is all we have") if NAMED in prompt.text else reply


NAMED = "nobody is for or against p3.0"


def test_a_text_that_nobody_spoke_of_is_named_once_before_terms_are_asked_for() -> None:
    """An idea that was never argued lost without anybody having said why."""
    runner = Unheard()
    debate = table(runner, max_messages=16)
    debate.run_sync()
    facts = [each for each in debate.session.events() if isinstance(each, MessagePosted | ModeratorSpoke | TermsNamed)]
    said = [each for each in facts if isinstance(each, ModeratorSpoke) and each.why == "unheard"]
    assert [NAMED in each.text for each in said] == [True]
    between = facts[facts.index(said[0]) + 1 : facts.index(named(debate)[0])]
    assert between
    assert all(isinstance(each, MessagePosted) for each in between)
    text = next(each for each in debate.memory.proposals if each.id == "p3.0")
    assert len(text.backers("oppose")) == 1
    assert sum(NAMED in prompt.text for prompt in runner.prompts if prompt.purpose == "speak") == 1


@pytest.mark.parametrize("waits", [True, False])
def test_a_text_on_which_a_typed_line_waits_for_its_yes_is_not_named(waits: bool) -> None:
    """ "Nobody is for or against p2.0" was said while a person's support of it awaited a yes."""
    put = [(who, f"So.\n\n[PROPOSE] {text}") for who, text in (("Ada", "Plant an oak"), ("Cleo", "Sell the ledger"))]
    memory, typed = debated(*put, ("Cleo", "[SUPPORT p1.0] it is cheap"), ("Ben", "well")), DebateState()
    line = LineRead("offered", (Move("support", target="p2.0"),))
    typed.fold_lines(MessagePosted(who="Ben", number=4, text="p2.0, maybe", line=line))
    if not waits:
        typed.fold_lines(typed.answer_to_line("Ben", "no"))
    assert unheard(memory, typed) == ("" if waits else "p2.0, apart from authors who are for their own texts")
    typed.settings = Settings(language="de")
    assert unheard(memory, typed) == ("" if waits else "p2.0, außer Autoren zu eigenen Texten")


def test_of_an_option_on_which_nobody_took_a_side_no_author_is_told() -> None:
    """ "Nobody is for or against o3, apart from authors who are for their own texts": it has none."""
    memory = debated(("Ada", "[SUPPORT o1] it is cheap"), options=("Oak", "Ash"))
    assert unheard(memory, DebateState()) == "o2"


def test_nothing_is_named_where_all_were_heard_or_where_hardly_any_was() -> None:
    """A line that names all that stands on the table, or nothing, only costs words."""
    for runner in (Terms(), Quiet()):
        debate = table(runner, max_messages=16)
        debate.run_sync()
        assert not [
            each for each in debate.session.events() if isinstance(each, ModeratorSpoke) and each.why == "unheard"
        ]


class Quiet(Terms):
    """Each proposes something, and nobody answers."""

    async def run(self, prompt: Prompt, _: Any = None) -> Reply:
        reply = await super().run(prompt)
        opens = prompt.purpose == "speak" and prompt.stage == "opening"
        word = reply.text.partition("\n")[0]
        own = f"{word}\n\n[PROPOSE] The plan of {prompt.agent}" if opens else word
        return Reply(own) if prompt.purpose == "speak" else reply


class Minuted(Terms):
    """Its minutes say of the first message that it names no source."""

    summarises = True

    async def run(self, prompt: Prompt, _: Any = None) -> Reply:
        if prompt.purpose != "summarise":
            return await super().run(prompt)
        line = prompt.lines[0]
        row = {"message": line.number, "quote": " ".join(line.text.split()[:3]), "text": "It costs 900."}
        told = [{"sentence": "They weigh a case.", "states": []}]
        return Reply(json.dumps({"summary": told, "unsourced": [row]}))


def test_what_has_no_source_is_named_once_to_whoever_can_check_it() -> None:
    """A figure that somebody made up stood in the decision, and nobody had been asked for it."""
    runner = Minuted()
    debate = table(runner, max_messages=16, summary_every=4)
    debate.run_sync()
    said = [e for e in debate.session.events() if isinstance(e, ModeratorSpoke) and e.why == "unsourced"]
    assert len(said) == 1
    (item,) = {each for each in debate.memory.questions if each.message == 1}
    assert item.unsourced
    assert "for figures in m1" in said[0].text, "no text rests on them"
    assert item.text not in said[0].text, "the table lists it"
    assert [line[:3] for line in table_of(debate.progress, debate.memory)["rest"]["unsourced"]][:1] == ["m1:"]
    assert "\n- " not in said[0].text, "a terminal and a page show it in one line"
    quoted = [
        prompt.own for prompt in runner.prompts if "The moderator has said" in prompt.own and "source" in prompt.own
    ]
    assert quoted
    assert all(said[0].text in own for own in quoted), "the moderator is quoted, whatever minutes have found since"
    assert sum(each.unsourced for each in debate.memory.questions) > 1


@pytest.mark.parametrize(
    ("answer", "change"),
    [
        (
            "Not as it is. I would take it with a change: put “8:00” in place of “6:00”.",
            "put “8:00” in place of “6:00”.",
        ),
        ("With a change: two years.", "two years."),
        ("With a change. Change: name who serves the trout.", "name who serves the trout."),
        ("I would not take it with a change: it is bad.", None),
        ("Not even with a change: it is bad.", None),
    ],
)
def test_a_change_named_in_a_sentence_with_the_words_of_the_form_is_taken(answer: str, change: str | None) -> None:
    """The one price that was hidden was refused as no answer."""
    fields, wrong = read_terms(Reply(answer))
    assert (fields or {}).get("change") == change
    assert (not wrong) == (change is not None)


class Parted(Beside):
    """Ruth and Walter hold o2; Walter words o1 anew since, and Maya words that anew."""

    moves: ClassVar = {
        **{(who, "opening"): "[POSITION] o2" for who in ("Ruth", "Walter")},
        ("Walter", "discussion"): "[AMEND o1 Slowly] Go in two stages",
        ("Maya", "discussion"): "[AMEND p5.0 Later] Go in two stages, the first in May",
    }


def test_who_has_put_another_text_since_is_asked_about_the_one_that_it_held() -> None:
    """A member whose text stood beside the one asked about was passed over, while the table had it for neither."""
    wanted = Settings(max_messages=9, floor="round-robin", answer="one")
    debate = Debate("How shall we move billing?", PANEL, Parted(), options=("Go", "Wait"), settings=wanted, seed=2)
    debate.run_sync()
    assert [(fact.who, fact.on) for fact in named(debate)] == [("Walter", "o2"), ("Maya", "o2")]


def test_the_wording_that_most_hold_is_asked_about_and_not_the_one_with_more_old_supports() -> None:
    """All were asked about the wording that one still held while three held a newer one."""
    lines = (
        ("Ada", "[PROPOSE] We plant a hedge."),
        ("Ben", "[SUPPORT p1.0] it is green\n[AMEND p1.0] We plant a low hedge.\n[POSITION] p2.1"),
        ("Cleo", "[POSITION] p2.1"),
    )
    memory = debated(*lines)
    assert [each.live.id for each in memory.motions if each.live] == ["p1.0"]
    assert getattr(leading(memory.motions, memory.positions, {}), "id", "") == "p2.1"
    alone = debated(*lines[:1], ("Ben", "[AMEND p1.0] We plant a low hedge.\n[SUPPORT p1.0] it is green"))
    assert getattr(leading(alone.motions, alone.positions, {}), "id", "") == "p1.0"


def test_a_ballot_tells_no_terms_for_a_text_that_it_does_not_offer() -> None:
    """Answers about a text that was taken into another stood above a ballot on which it could not be found."""
    runner = Terms()
    debate = table(runner)
    debate.run_sync()
    prompts = PromptBuilder(debate.progress.started, debate.memory, debate.progress)  # type: ignore[arg-type]
    (ballot, *_) = [prompt for prompt in runner.prompts if prompt.purpose == "ballot" and CHANGE in prompt.own]
    texts = (BallotText(id="p2.0", motion="p2.0", text="We wait."),)
    own = [prompts.vote(debate.members[0], each).own for each in (ballot.texts, texts)]
    assert ["Asked after" in each for each in own] == [True, False]


def test_who_was_asked_about_another_text_after_the_same_message_is_not_told_of_this_one() -> None:
    """Two refusals of an option stood in prompts as refusals of the text that led next, which one of them had put."""
    state = DebateState()
    state.terms.extend(
        TermsNamed(who=who, on=on, takes="not at all", after=9) for who, on in (("Lena", "o1"), ("Jo", "p8.1"))
    )
    fill = lambda _, **slots: "{id}: {answers}".format(**slots)  # noqa: E731 - short
    memory = debated(("Ada", "[PROPOSE] We plant a hedge."), ("Jo", "[OPPOSE p1.0] it is dear"))
    assert told(state, memory, fill) == "p8.1: - Jo: not at all"
    state.terms.append(TermsNamed(who="Jo", on="p1.0", takes="not at all", after=2))
    assert told(state, memory, fill) == "p1.0: - Jo: not at all"
    for act, left in (("[SUPPORT p1.0] if it is low", 1), ("[SUPPORT p1.0] it is low", 0)):
        memory = debated(("Ada", "[PROPOSE] We plant a hedge."), ("Jo", "[OPPOSE p1.0] it is dear"), ("Jo", act))
        assert told(state, memory, fill) == "p1.0: - Jo: not at all" * left, (
            "who came out for it is not told as refusing"
        )
