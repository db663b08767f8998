"""A member whose messages declare nothing is asked what it holds, once; the answer counts like its own moves."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from folded import debated

from eda import Debate, Prompt, Reply, Settings
from eda.cli.terminal.entries import Context
from eda.debate import line_reader
from eda.debate.declares import _is_denied, _is_so, _moves_in, _out_of_doubt
from eda.debate.line_reader import may_depend
from eda.debate.prompts.withdrawals import bears_out_withdrawal
from eda.debate.replay import memory_of
from eda.errors import RunnerError, RunnerUnavailableError
from eda.events import ActsRead, CallMade, LineAnswered, LineOffered, MessagePosted, SummaryWritten, TurnFailed
from eda.events.records import Move, Reaction
from eda.memory.context.acts import act_line, unread_words
from eda.memory.minutes.model_minutes import read_answer
from eda.memory.patterns import default_language
from eda.memory.summaries.due import Due
from eda.report.say_back import say_back
from eda.runners.human import HumanRunner
from eda.runners.protocol import Usage
from eda.runners.recorded import RecordedRunner, RecordingRunner
from eda.serve.shown import message_of
from eda.session import Session

PANEL = ("sceptic", "historian", "pragmatic-engineer")
RUTH, WALTER, MAYA = "Ruth", "Walter", "Maya"


class Plain:
    """Ruth declares moves; Walter never does; Maya does so at first."""

    def __init__(self, answers: Mapping[str, str | Exception] | None = None) -> None:
        self.answers, self.prompts = dict(answers or {}), list[Prompt]()

    async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
        self.prompts.append(prompt)
        usage = Usage(100, 20)
        if prompt.purpose == "declare":
            answer = self.answers.get(prompt.agent, '{"acts": []}')
            if isinstance(answer, Exception):
                raise answer
            return Reply(answer, usage=usage, model="plain")
        if prompt.purpose == "bid":
            return Reply("", {"bids": [{"agent": one.agent, "wants": True} for one in prompt.each]}, usage)
        if prompt.purpose == "speak":
            return Reply(_speech(prompt), usage=usage, model="plain")
        if prompt.purpose in ("ballot", "poll"):
            return Reply("", {"choice": next(iter(prompt.options), None), "reason": "It is the cheapest."}, usage)
        return Reply(json.dumps({"summary": "They talked of the boat."}), usage=usage, model="plain")


def _speech(prompt: Prompt) -> str:
    words = f"Number {prompt.last + 1} of {prompt.agent}: the hull number {prompt.last * 37} costs more than it did."
    if prompt.agent == RUTH and not prompt.last:
        return f"{words}\n[PROPOSE] Sell the boat in May."
    return words if prompt.agent == WALTER else f"{words}\n[POSITION] I am with the {prompt.last}th of May."


def held(runner: object, session: Session | None = None, **settings: Any) -> Debate:
    wanted = Settings.model_validate({"max_messages": 9, "floor": "round-robin", **settings})
    return Debate("What shall become of the boat?", PANEL, runner, settings=wanted, session=session)


def of(debate: Debate, kind: type) -> list[Any]:
    return [event for event in debate.session.events() if isinstance(event, kind)]


def test_who_declares_nothing_in_the_opening_is_asked_by_a_schema_and_the_answer_counts():
    """Without it a model that never writes a tag puts nothing to the vote, and supports nothing."""
    acts = [
        {"does": "propose", "on": None, "words": "Keep the boat until the berths are paid."},
        {"does": "oppose", "on": "p1.0", "words": "May is too early."},
        {"does": "support", "on": "p77.0", "words": "There is no such text."},
    ]
    runner = Plain({WALTER: json.dumps({"acts": acts})})
    debate = held(runner)
    debate.run_sync()
    asked = [prompt for prompt in runner.prompts if prompt.purpose == "declare"]
    assert {prompt.agent for prompt in asked} == {WALTER}
    on = asked[0].strict["properties"]["acts"]["items"]["properties"]["on"]
    assert on == {"anyOf": [{"type": "string", "enum": ["p1.0"]}, {"type": "null"}]}
    first = of(debate, LineAnswered)[0]
    message = next(m for m in of(debate, MessagePosted) if m.number == first.message)
    assert (first.who, message.who, message.moves, first.answer) == (WALTER, WALTER, (), "asked")
    texts = {text.id: text for text in debate.memory.proposals}
    assert texts[f"p{first.message}.0"].proposer == WALTER
    assert [r.reaction for r in texts["p1.0"].reactions if r.agent == WALTER] == ["oppose"]
    assert len([c for c in of(debate, CallMade) if c.purpose == "declare"]) == len(asked)
    assert debate.progress.by_purpose["declare"].calls == len(asked)


@pytest.mark.parametrize(
    ("answer", "kinds"),
    [
        ('{"acts": []}', []),
        ("Nothing.", []),
        ("[OPPOSE p1.0] May is too early.", ["oppose"]),
        (
            'Sure!\n```json\n{"acts": [{"does": "hold", "on": null, "words": "The berths come first."}]}\n```',
            ["position"],
        ),
    ],
)
def test_an_answer_in_words_is_read_by_the_same_reader_and_nothing_is_an_answer(answer, kinds):
    runner = Plain({WALTER: answer})
    debate = held(runner, ballots="words", max_messages=6)
    debate.run_sync()
    assert [move.kind for move in of(debate, LineAnswered)[0].moves] == kinds
    assert [prompt.strict for prompt in runner.prompts if prompt.purpose == "declare"][:1] == [{}]
    assert len(of(debate, LineAnswered)) == 1  # fewer than three messages since


def test_a_call_that_fails_is_not_made_again_at_once():
    debate = held(Plain({WALTER: RunnerError("too long")}), max_messages=6)
    debate.run_sync()
    assert [(f.who, f.purpose) for f in of(debate, TurnFailed) if f.purpose == "declare"] == [(WALTER, "declare")]
    assert len(of(debate, LineAnswered)) == 1


def test_a_pause_at_the_question_resumes_to_the_same_log_and_a_recording_replays(tmp_path: Path):
    answers = {WALTER: '{"acts": [{"does": "support", "on": "p1.0", "words": "if the berths are paid"}]}'}
    whole = held(RecordingRunner(Plain(answers), tmp_path / "calls.jsonl"))
    whole.run_sync()
    cut = held(Plain({WALTER: RunnerUnavailableError("off")}))
    with pytest.raises(RunnerUnavailableError):
        cut.run_sync()
    resumed = Debate.resume(cut.session, Plain(answers))
    resumed.run_sync()
    replayed = held(RecordedRunner(tmp_path / "calls.jsonl"))
    replayed.run_sync()
    facts = [[(a.who, a.message, a.moves) for a in of(each, LineAnswered)] for each in (whole, resumed, replayed)]
    assert facts[0] == facts[1] == facts[2] != []
    for each in (whole, resumed):
        assert memory_of(each.session).proposals == whole.memory.proposals


def test_a_recording_without_the_question_is_replayed_without_it(tmp_path: Path):
    """Without it a recording made before members were asked would end at a call that it does not hold."""
    runner = Plain()
    runner.declares = False  # type: ignore[attr-defined]
    held(RecordingRunner(runner, tmp_path / "calls.jsonl")).run_sync()
    replayed = held(RecordedRunner(tmp_path / "calls.jsonl"))
    replayed.run_sync()
    assert (of(replayed, LineAnswered), replayed.progress.ended is not None) == ([], True)


@pytest.mark.parametrize(
    ("words", "kinds", "conditional"),
    [
        ("The berths are dear.", ["position", "support"], False),
        ("", ["position"], None),
        ("if I keep it", ["support"], True),
    ],
)
def test_who_holds_a_text_of_the_table_is_for_it_and_the_fault_of_its_message_is_settled(words, kinds, conditional):
    """ "hold" lost the id: the reason stood as the position, nobody was counted, and the old fault was told again."""

    class Misspelt(Plain):
        async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
            reply = await super().run(prompt, on_text)
            typo = prompt.purpose == "speak" and prompt.agent == WALTER
            return Reply(f"{reply.text}\n[POSTION] p1.0", usage=reply.usage, model="plain") if typo else reply

    act = {"does": "hold", "on": "p1.0", "words": words}
    runner = Misspelt({WALTER: json.dumps({"acts": [act]})})
    debate = held(runner, max_messages=6)
    debate.run_sync()
    answer = of(debate, LineAnswered)[0]
    assert [move.kind for move in answer.moves] == kinds
    text = next(each for each in debate.memory.proposals if each.id == "p1.0")
    mine = [(each.why, each.conditional) for each in text.reactions if each.agent == WALTER]
    assert mine == ([] if conditional is None else [(words, conditional)])
    assert (WALTER in debate.memory.positions.get("p1.0", {})) == (not conditional)
    spoken = [p for p in runner.prompts if p.purpose == "speak" and p.agent == WALTER and p.last > answer.message]
    assert spoken
    assert not any("What did not count" in prompt.own and f"m{answer.message}," in prompt.own for prompt in spoken)


class Misspelt(Plain):
    """Maya's tags are misspelt in each of her messages, but for those `before` one."""

    def __init__(self, answers: Mapping[str, str | Exception] | None = None, before: int = 3) -> None:
        super().__init__(answers)
        self.before = before

    async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
        reply = await super().run(prompt, on_text)
        if prompt.purpose == "speak" and prompt.agent == MAYA and prompt.last > self.before:
            words = reply.text.partition("\n")[0]
            return Reply(
                f"{words}\n[POSITION] I wait.\n[SUPORT p1.0] It is late by then.", usage=reply.usage, model="plain"
            )
        return reply


def test_a_move_lost_in_the_last_message_is_asked_about_before_the_vote_and_counts():
    """A misspelt tag is told in the next prompt for a speech; after the last message none comes."""
    acts = [{"does": "support", "on": "p1.0", "words": "It is late by then."}]
    runner = Misspelt({MAYA: json.dumps({"acts": acts})})
    debate = held(runner, max_messages=6)
    debate.run_sync()
    (asked,) = [prompt for prompt in runner.prompts if prompt.purpose == "declare" and prompt.agent == MAYA]
    assert "[SUPORT p1.0]" in asked.text
    assert "declare nothing" not in asked.text
    (answer,) = [fact for fact in of(debate, LineAnswered) if fact.who == MAYA]
    last = max(message.number for message in of(debate, MessagePosted) if message.who == MAYA)
    assert (answer.message, [move.kind for move in answer.moves]) == (last, ["support"])
    told = [event.type for event in debate.session.events()]
    assert told.index("line_answered") < told.index("ballot_cast")
    (text,) = [text for text in debate.memory.proposals if text.id == "p1.0"]
    assert MAYA in text.backers("support")


@pytest.mark.parametrize(("line", "asked"), [("p1.0, if the barn follows", 1), ("p1.0", 0), ("p1.0 or a raft", 0)])
def test_a_position_on_a_condition_is_asked_about_before_the_vote(line: str, asked: int) -> None:
    """It counted for none, and its author, who voted before its next turn, was not told."""

    class Conditional(Plain):
        async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
            reply = await super().run(prompt, on_text)
            last = prompt.purpose == "speak" and prompt.agent == MAYA and prompt.last > 3
            return Reply(f"A raft.\n[POSITION] {line}", usage=reply.usage, model="plain") if last else reply

    runner = Conditional({MAYA: '{"acts": [{"does": "hold", "on": "p1.0", "words": "if the barn follows"}]}'})
    debate = held(runner, max_messages=6)
    debate.run_sync()
    assert [prompt.agent for prompt in runner.prompts if prompt.purpose == "declare"].count(MAYA) == asked
    moves = [(move.kind, move.text) for fact in of(debate, LineAnswered) if fact.who == MAYA for move in fact.moves]
    assert moves == [("support", "if the barn follows")] * asked


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("p1.0 I would take without trouble, if the barn follows", 1),
        ("p1.0 I would take, if the barn follows\n[SUPPORT p1.0] if the barn follows", 0),
        ("I would take p1.0, if the barn follows", 1),
        ("p7.0 I would take, if the barn follows", 0),
    ],
)
def test_a_line_that_begins_with_an_id_and_takes_no_side_is_asked_about_before_the_vote(line: str, asked: int) -> None:
    """It was no act, and nobody was told: its author voted for another text."""

    class Prose(Plain):
        async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
            reply = await super().run(prompt, on_text)
            if prompt.purpose == "speak" and prompt.agent == MAYA and prompt.last > 3:
                return Reply(f"{reply.text}\n\n{line}", usage=reply.usage, model="plain")
            return reply

    runner = Prose({MAYA: '{"acts": [{"does": "support", "on": "p1.0", "words": "if the barn follows"}]}'})
    debate = held(runner, max_messages=6)
    debate.run_sync()
    prompts = [prompt for prompt in runner.prompts if prompt.purpose == "declare" and prompt.agent == MAYA]
    assert [f'"{line}": it has no tag, so it is talk' in prompt.text for prompt in prompts] == [True] * asked


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("I take back my support of p1.0.", 1),
        ("I drop my support of p1.0.", 1),
        ("Meine Unterstützung für p1.0 lasse ich fallen.", 1),
        ("Meine Unterstützung für p1.0, die streiche ich.", 1),
        ("Drum, guat: mei Ja zum p1.0 nimm i z'ruck.", 1),
        ("Mei Ja zum p1.0 nimm i ned z'ruck.", 0),
        ("I will never take back my support of p1.0.", 0),
        ("Meine Unterstützung für p1.0 lasse ich nicht fallen.", 0),
    ],
)
def test_a_support_taken_back_in_words_in_the_last_message_is_asked_about_before_the_vote(words: str, asked: int):
    """It was told in the next prompt for a speech, and none came: its member stood for the text to the end."""

    class TakesBack(Plain):
        async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
            reply = await super().run(prompt, on_text)
            if prompt.purpose == "speak" and prompt.agent == MAYA:
                head = reply.text.partition("\n")[0]
                spoken = sum(each.purpose == "speak" and each.agent == MAYA for each in self.prompts)
                more = ("[POSITION] I wait.", "[SUPPORT p1.0] It is late by then.", words)[spoken - 1]
                return Reply(f"{head}\n{more}", usage=reply.usage, model="plain")
            return reply

    acts = [{"does": "withdraw support", "on": "p1.0", "words": "The berths are dear."}]
    runner = TakesBack({MAYA: json.dumps({"acts": acts})})
    debate = held(runner, max_messages=9)
    debate.run_sync()
    prompts = [prompt for prompt in runner.prompts if prompt.purpose == "declare" and prompt.agent == MAYA]
    assert [words in prompt.text for prompt in prompts] == [True] * asked
    (text,) = [text for text in debate.memory.proposals if text.id == "p1.0"]
    assert (MAYA in text.backers("support")) == (not asked)
    assert [each.why for each in text.history if each.agent == MAYA and each.undone] == ["The berths are dear."] * asked


def test_a_support_of_a_closed_text_in_the_last_message_is_asked_about_before_the_vote() -> None:
    """By its title she meant the text that had replaced it; the title stood below her message, and she was not told."""

    class Closed(Plain):
        async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
            reply = await super().run(prompt, on_text)
            if prompt.purpose == "speak" and (prompt.agent, prompt.last) in ((RUTH, 0), (RUTH, 3), (MAYA, 5)):
                moves = {0: "[PROPOSE May sale] Sell it in May.", 3: "[AMEND p1.0 June sale] Sell it in June."}
                move = moves.get(prompt.last, "[SUPPORT May sale] It is cheap.")
                return Reply(f"{reply.text.partition(chr(10))[0]}\n{move}", usage=reply.usage, model="plain")
            return reply

    runner = Closed({MAYA: '{"acts": [{"does": "support", "on": "p4.0", "words": "It is cheap."}]}'})
    debate = held(runner, max_messages=6)
    debate.run_sync()
    (asked,) = [prompt for prompt in runner.prompts if prompt.purpose == "declare" and prompt.agent == MAYA]
    assert "what you said on p1.0: it was replaced by p4.0" in asked.text
    (text,) = [text for text in debate.memory.proposals if text.id == "p4.0"]
    assert MAYA in text.backers("support")


class Says(Plain):
    """Walter adds the same words to each of his messages, and declares nothing in them."""

    def __init__(self, words: str, *answers: str) -> None:
        super().__init__()
        self.words, self.given = words, list(answers)

    async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
        if prompt.purpose == "declare" and prompt.agent == WALTER:
            self.answers[WALTER] = self.given.pop(0) if len(self.given) > 1 else self.given[0]
        reply = await super().run(prompt, on_text)
        if prompt.purpose == "speak" and prompt.agent == WALTER:
            head = reply.text.partition("\n")[0]
            return Reply(f"{head}\n{self.words}", usage=reply.usage, model="plain")
        return reply


def does(what: str, on: str | None = "p1.0", words: str = "It is late.") -> str:
    return json.dumps({"acts": [{"does": what, "on": on, "words": words}]})


def asked_of(runner: Plain, who: str) -> list[Prompt]:
    return [prompt for prompt in runner.prompts if (prompt.purpose, prompt.agent) == ("declare", who)]


def stance_on(debate: Debate, text: str, who: str) -> list[str]:
    (each,) = [each for each in debate.memory.proposals if each.id == text]
    return [reaction.reaction for reaction in each.reactions if reaction.agent == who]


@pytest.mark.parametrize(
    ("words", "what", "counts"),
    [
        ("I am against p1.0.", "support", []),
        ("I am against p1.0.", "hold", []),
        ("I am against p1.0.", "oppose", ["oppose"]),
        ("I am against p1.0.", "undecided", []),
        ("I support p1.0.", "oppose", []),
        ("I support p1.0.", "support", ["support"]),
        ("I can't support p1.0.", "support", []),
        ("I support p1.0 if it is cheap.", "support", []),
        ("I am undecided on p1.0.", "support", []),
        ("Ich bin gegen p1.0.", "support", []),
        ("Ada is against p1.0.", "support", ["support"]),
        ("It rains.", "support", ["support"]),
        ("It rains.", "hold", ["support"]),
        ("It rains.", "withdraw support", []),
    ],
)
def test_an_answer_counts_for_nobody_where_the_words_of_its_message_say_otherwise(words, what, counts):
    """A member that spoke against a text stood for it, because it had been asked by schema what it declares."""
    runner = Says(words, does(what), '{"acts": []}')
    debate = held(runner, max_messages=6)
    debate.run_sync()
    first = of(debate, LineAnswered)[0]
    assert bool(first.moves) == bool(counts)
    assert bool(first.denied) != bool(counts)
    assert stance_on(debate, "p1.0", WALTER) == counts
    assert (WALTER in debate.memory.positions.get("p1.0", {})) == (what == "hold" and bool(counts))
    acts = debate.memory.acts(first.message)
    assert acts
    assert all("(declared when asked)" in act_line(act) for act in acts)
    why = [each.kind for act in acts for each in act.unread_because]
    assert {*why} == ({"not taken back" if what.startswith("withdraw") else "said otherwise"} if not counts else set())
    spoken = [prompt for prompt in runner.prompts if (prompt.purpose, prompt.agent) == ("speak", WALTER)]
    told = "no sentence of its messages takes it back", "its own words say otherwise, or leave it open"
    assert (told[not what.startswith("withdraw")] in spoken[1].own) == (not counts)


@pytest.mark.parametrize("later", ["There is no p10.0 yet.", "It rains."])
def test_an_answer_is_held_against_the_newest_message_that_names_its_text(later):
    """A later message with p10 in it hid the one that speaks against p1."""
    memory = debated(("Ada", "[PROPOSE] We plant a tree."), ("Ben", "I am against p1.0."), ("Ben", later))
    own = [memory.parts.messages.message(number) for number in (3, 2)]
    assert _is_denied(Move("support", target="p1.0"), own, memory)


def test_an_answer_does_not_turn_round_a_side_that_its_message_declares():
    """A slip, "oppose p6.0", counted below `[SUPPORT p6.0]` of the message that was asked about for a lost tag."""
    runner = Says("[SUPPORT p1.0] The berths are dear.\n[CONCEDE p1.0]", does("oppose"), '{"acts": []}')
    debate = held(runner, max_messages=3)
    debate.run_sync()
    first = next(each for each in of(debate, LineAnswered) if each.who == WALTER)
    assert (first.moves, [move.kind for move in first.denied]) == ((), ["oppose"])
    assert stance_on(debate, "p1.0", WALTER) == ["support"]


@pytest.mark.parametrize("side", ["opposition", "condition"])
def test_who_takes_back_what_it_does_not_hold_is_told_so(side):
    """ "[WITHDRAW my condition on o3]: its own words say otherwise" was told of who had set none."""
    debate = held(Says("It rains.", does(f"withdraw {side}"), '{"acts": []}'), max_messages=6)
    debate.run_sync()
    first = of_walter(debate)
    acts = debate.memory.acts(first.message)
    assert {each.kind for act in acts for each in act.unread_because} == {"not held"}
    assert stance_on(debate, "p1.0", WALTER) == []


def of_walter(debate: Debate) -> LineAnswered:
    return next(each for each in of(debate, LineAnswered) if each.who == WALTER)


@pytest.mark.parametrize("again", [does("support"), '{"acts": []}', does("oppose")])
def test_an_answer_that_its_words_deny_is_asked_about_once_more_before_the_vote(again):
    runner = Says("I am against p1.0.", does("support"), again)
    debate = held(runner, max_messages=3)
    debate.run_sync()
    first, second = asked_of(runner, WALTER)
    assert '"I am against p1.0.": it has no tag' in first.own
    assert "[SUPPORT p1.0] It is late.: its own words say otherwise, or leave it open" in second.own
    told = [event.type for event in debate.session.events()]
    assert told.index("ballot_cast") > len(told) - told[::-1].index("line_answered") - 1
    said = [act["does"] for act in json.loads(again)["acts"]]  # who says it again after that means it
    assert stance_on(debate, "p1.0", WALTER) == said


@pytest.mark.parametrize(
    ("words", "what", "counts"),
    [
        ("I no longer support p1.0.", "withdraw support", True),
        ("I take back my support of p1.0.", "withdraw support", True),
        ("I take back my support of p3.0.", "withdraw support", False),
        ("I am against p1.0.", "withdraw support", True),
        ("[WITHDRAWW my support on p1.0]", "withdraw support", True),
        ("[WIDTHDRAW my support on p1.0]", "withdraw support", True),
        ("I still support p1.0.", "withdraw support", False),
        ("It rains.", "withdraw support", False),
        ("Es oide p1.0 konnst streicha.\n[CONCEDE p2.0]", "withdraw support", False),
        ("Es oide p1.0 konnst streicha.\n[CONCEDE p2.0]", "withdraw support: p1.0 konnst streicha", True),
        ("I never said that p1.0 goes.\n[CONCEDE p2.0]", "withdraw support: p1.0 goes", False),
        ("I am not behind p1.0 any more, and that is that.", "withdraw support", True),
        ("I am for p1.0.", "withdraw support", False),
        ("Now.\n\n~~[SUPPORT p1.0]~~", "withdraw support", True),
    ],
)
def test_a_withdrawal_counts_where_the_words_of_a_message_bear_it_out(words, what, counts):
    """An answer took back a support of which its message said nothing."""

    class Backs(Says):
        async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
            reply = await super().run(prompt, on_text)
            spoken = sum((each.purpose, each.agent) == ("speak", WALTER) for each in self.prompts)
            if (prompt.purpose, prompt.agent) == ("speak", WALTER) and spoken < 3:
                move = ("[POSITION] I wait.", "[SUPPORT p1.0] The berths are dear.")[spoken - 1]
                return Reply(reply.text.replace(self.words, move), usage=reply.usage, model="plain")
            return reply

    what, _, quote = what.partition(": ")
    runner = Backs(words, does(what, words=quote or "It is late."), '{"acts": []}')
    debate = held(runner, max_messages=18)
    debate.run_sync()
    first = of(debate, LineAnswered)[0]
    assert bool(first.moves) == counts
    assert stance_on(debate, "p1.0", WALTER) == ["support"] * (not counts)


def test_a_log_without_what_was_denied_still_reads():
    old = {"type": "line_answered", "seq": 3, "at": "2026-11-29T00:00:00Z", "who": "Ann", "message": 2}
    fact = LineAnswered.model_validate({**old, "answer": "asked", "moves": []})
    assert (fact.denied, fact.unread) == ((), "")
    assert not {"denied", "unread"} & fact.model_dump(mode="json").keys()


def test_an_answer_is_read_in_any_case_and_what_takes_back_nothing_is_told_to_its_author():
    """ "Withdraw support" was dropped, and its author was told nothing."""
    answer = '{"acts": [{"does": "Withdraw Support.", "on": "P1.0", "words": "It is late."}]}'
    runner = Says("I withdraw my support of p1.0.", answer)
    debate = held(runner, max_messages=6)
    debate.run_sync()
    first = of(debate, LineAnswered)[0]
    assert first.moves == (Move("withdraw", "It is late.", "p1.0", of="support"),)
    (act,) = [act for act in debate.memory.acts(first.message) if act.unread_because]
    assert ([why.kind for why in act.unread_because], act.on) == (["not held"], "my support on p1.0")
    spoken = [prompt for prompt in runner.prompts if (prompt.purpose, prompt.agent) == ("speak", WALTER)]
    assert unread_words(act.unread_because) in spoken[-1].text


HELD = {"does": "hold", "on": None, "words": "The berths come first."}
HALF = json.dumps({"acts": [{"does": "suport", "on": "p1.0", "words": "it floats"}, HELD]})


@pytest.mark.parametrize(
    ("first", "second", "kinds", "calls"),
    [
        ("", "SUPPORT p1.0", ["support"], 2),
        ("{}", "SUPPORT p1.0\nPOSITION: The berths come first.", ["support", "position"], 2),
        ("{}", "Nothing.", [], 2),
        ("", '{"acts": []}', [], 2),
        ('{"acts": [{"does": "dance", "on": "p1.0", "words": ""}]}', does("oppose"), ["oppose"], 2),
        (HALF, "Ok.\n- support p1.0 if it floats\n- POSITION: The berths come first.", ["support", "position"], 2),
        (HALF, does("oppose"), ["oppose"], 2),
        ("- support p1.0 if it floats\n- POSITION p1.0", "Nothing.", ["support", "position"], 1),
        ('{"acts": []}', "SUPPORT p1.0", [], 1),
        ("[]", "SUPPORT p1.0", [], 1),
        ("Nothing.", "SUPPORT p1.0", [], 1),
        ("Nichts.", "SUPPORT p1.0", [], 1),
    ],
)
def test_an_answer_that_says_nothing_at_all_is_asked_for_once_more_and_more_simply(first, second, kinds, calls):
    """An empty answer counted as the answer that nothing is declared."""
    runner = Says("It rains.", first, second)
    debate = held(runner, max_messages=3)
    debate.run_sync()
    asked = asked_of(runner, WALTER)
    assert len(asked) == calls
    assert all(("one act a line" in prompt.own, prompt.strict) == (True, None) for prompt in asked[1:])
    (answer,) = of(debate, LineAnswered)
    assert ([move.kind for move in answer.moves], answer.unread) == (kinds, "")


@pytest.mark.parametrize(("answer", "calls"), [("", 2), ("{}", 2), ("Well, that depends.", 2)])
def test_an_answer_that_cannot_be_read_is_told_to_its_author_in_its_next_prompt(answer, calls):
    runner = Says("It rains.", answer)
    debate = held(runner, max_messages=6)
    debate.run_sync()
    assert len(asked_of(runner, WALTER)) == calls
    (fact,) = of(debate, LineAnswered)
    assert (fact.moves, fact.unread) == ((), answer or "{}")
    spoken = [prompt for prompt in runner.prompts if (prompt.purpose, prompt.agent) == ("speak", WALTER)]
    assert f"{answer or '{}'}: no move has this tag" in spoken[1].own
    assert bool(debate.memory.acts(fact.message)) == (answer not in ("", "{}"))


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        (HALF, "suport p1.0 it floats"),
        ("POSITION: Berths first.\nTAKE BACK p1.0", "TAKE BACK p1.0"),
        (
            "Ok.\nMy acts:\nPOSITION: Berths first.\nWITHDRAW my opposition\nOPOSE o2",
            "WITHDRAW my opposition\nOPOSE o2",
        ),
    ],
)
def test_what_is_not_read_of_an_answer_is_asked_once_more_and_then_shown_beside_what_is(answer, left):
    """Of "support p8.0 if stands go below" and "POSITION p8.0" the position counted; nobody was told of the rest.

    A line without an id was lost, and "OPOSE o2" was told that a move has its tag in brackets.
    """
    runner = Says("It rains.", answer, answer)
    debate = held(runner, max_messages=6)
    debate.run_sync()
    lines = left.splitlines()
    assert f"could not be read as asked (not read: {'; '.join(lines)})." in asked_of(runner, WALTER)[1].own
    (fact,) = of(debate, LineAnswered)
    assert ([move.kind for move in fact.moves], fact.unread) == (["position"], left)
    assert " ".join(lines) in act_line(debate.memory.acts(fact.message)[-1])
    spoken = [prompt for prompt in runner.prompts if (prompt.purpose, prompt.agent) == ("speak", WALTER)]
    assert all(f"\n- {line}: " in spoken[1].own for line in lines)
    assert ("OPOSE o2: no move has this tag: did you mean OPPOSE?" in spoken[1].own) == ("OPOSE o2" in lines)


DANCE = '{"acts": [{"does": "dance", "on": "p1.0", "words": "I would love it."}]}'


@pytest.mark.parametrize(
    "answers", [("Well, that depends on the berths.",), (DANCE, DANCE), (DANCE, ""), (DANCE, "{}")]
)
def test_an_answer_that_cannot_be_read_stands_below_its_message_for_all(answers):
    """It counted for nobody, and no screen and no prompt showed it; in a form with a fault even the log lost it."""
    runner = Says("It rains.", *answers)
    debate = held(runner, max_messages=6)
    debate.run_sync()
    (fact,) = of(debate, LineAnswered)
    said = answers[0 if answers[-1] in ("", "{}") else -1]  # an empty second answer lost the words of the first
    assert (fact.moves, fact.unread) == ((), said)
    said = said.replace('"', "'")
    line = f"answers, when asked, what is not read and counts for nobody: “{said}”"
    (act,) = debate.memory.acts(fact.message)
    assert (act_line(act), act.counted) == (line, False)
    others = {each.agent for each in runner.prompts if each.purpose in ("speak", "ballot") and line in each.text}
    assert others >= {RUTH, MAYA}
    assert memory_of(debate.session).acts(fact.message) == (act,)
    for verbose in (False, True):
        entries = Context(Settings(), verbose=verbose).entries(ActsRead(message=2, who=WALTER, acts=(act,)))
        assert [entry.words[0][0] for entry in entries] == [f"m2 Walter {line}"]
    assert line in message_of(debate.memory.parts.messages.message(fact.message), debate.memory)["acts"]


@pytest.mark.parametrize(("on", "words"), [("m1", "we were not"), (None, "m1: we were not")])
def test_a_denial_that_was_lost_in_the_last_message_can_be_declared(on: str | None, words: str) -> None:
    """The form had no denial, so an answer with one was dropped and the claim stood undisputed."""
    runner = Says("[DENNY m1] we were not", does("deny", on, words), '{"acts": []}')
    debate = held(runner, max_messages=6)
    debate.run_sync()
    (answer,) = [fact for fact in of(debate, LineAnswered) if fact.moves]
    assert [(move.kind, move.target) for move in answer.moves] == [("deny", "m1")]
    of_act = asked_of(runner, WALTER)[0].strict["properties"]["acts"]["items"]["properties"]
    assert ("deny" in of_act["does"]["enum"], of_act["on"]["anyOf"][0]["enum"]) == (True, ["p1.0", "m1"])


@pytest.mark.parametrize("on", ["p77.0", "the raft"])
def test_an_answer_on_a_text_that_does_not_exist_is_told_as_not_counted(on):
    """It was dropped without a word to anybody."""
    answer = json.dumps({"acts": [{"does": "support", "on": on, "words": "It is late."}]})
    runner = Says("It rains.", answer, '{"acts": []}')
    debate = held(runner, max_messages=6)
    debate.run_sync()
    first = of(debate, LineAnswered)[0]
    (act,) = debate.memory.acts(first.message)
    assert (act.on, act.counted) == (on, False)
    assert stance_on(debate, "p1.0", WALTER) == []
    spoken = [prompt for prompt in runner.prompts if (prompt.purpose, prompt.agent) == ("speak", WALTER)]
    assert f"[SUPPORT {on}] It is late.:" in spoken[1].own


def test_a_move_lost_in_the_last_message_is_asked_about_once():
    runner = Misspelt({MAYA: "Nothing."})
    held(runner, max_messages=6).run_sync()
    assert len([prompt for prompt in runner.prompts if prompt.purpose == "declare" and prompt.agent == MAYA]) == 1


def test_of_a_reply_that_loops_its_author_is_told_twenty_lines_and_how_many_more() -> None:
    """Misspelt tags by the thousand made its next prompt 200,000 characters longer, and the call was paid for."""

    class Looping(Plain):
        async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
            reply = await super().run(prompt, on_text)
            if prompt.purpose == "speak" and prompt.agent == MAYA and prompt.last > 3:
                lines = "".join(f"[Suport] {number}\n" for number in range(1100))
                return Reply(f"{reply.text}\n{lines}", usage=reply.usage, model="plain")
            return reply

    runner = Looping({MAYA: "Nothing."})
    held(runner, max_messages=6).run_sync()
    asked = [prompt for prompt in runner.prompts if prompt.purpose == "declare" and prompt.agent == MAYA]
    ((told, more),) = [
        (prompt.own.count("did you mean SUPPORT"), re.search(r"^- and \d{4} more$", prompt.text, re.MULTILINE))
        for prompt in asked
    ]
    assert (told, bool(more)) == (20, True)


def test_a_text_that_is_held_and_supported_counts_once_and_its_id_is_no_reason() -> None:
    """ "supports p9.0" stood twice below a message, the second time with "p9.0" as the reason."""
    acts = [
        {"does": "support", "on": "p1.0", "words": "It is late by then."},
        {"does": "hold", "on": "p1.0", "words": "p1.0"},
    ]
    debate = held(Misspelt({MAYA: json.dumps({"acts": acts})}), max_messages=6)
    debate.run_sync()
    (answer,) = [fact for fact in of(debate, LineAnswered) if fact.who == MAYA]
    assert [(move.kind, move.text) for move in answer.moves] == [
        ("support", "It is late by then."),
        ("position", "p1.0"),
    ]


class Last(Plain):
    """Maya's messages end with a tail of lines."""

    def __init__(self, tail: str, answers: Mapping[str, str | Exception] | None = None) -> None:
        super().__init__(answers)
        self.tail = tail

    async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
        reply = await super().run(prompt, on_text)
        maya = prompt.purpose == "speak" and prompt.agent == MAYA and prompt.last > 3
        return replace(reply, text=f"{reply.text.partition(chr(10))[0]}\n{self.tail}") if maya else reply

    def asked(self) -> list[Prompt]:
        return [prompt for prompt in self.prompts if prompt.purpose == "declare" and prompt.agent == MAYA]


CONDITION = "[SUPPORT p1.0] if the berths are paid"


@pytest.mark.parametrize(
    ("act", "conditional"),
    [
        ({"does": "support", "words": "the berths are paid"}, True),
        ({"does": "support", "words": ""}, True),
        ({"does": "support", "words": "if Ruth pays"}, True),
        ({"does": "withdraw condition", "words": "they are paid"}, False),
    ],
)
def test_a_condition_of_the_message_that_is_asked_about_ends_only_where_it_is_taken_back(
    act: dict[str, str], conditional: bool
) -> None:
    """The words of the condition without "if" made the support count in full, with the condition as its reason."""
    runner = Last(f"{CONDITION}\n[NEXT Otto]", {MAYA: json.dumps({"acts": [{**act, "on": "p1.0"}]})})
    debate = held(runner, max_messages=6)
    debate.run_sync()
    asked, *again = runner.asked()  # a condition that no word of the message takes back is asked about once more
    assert ("[NEXT Otto]" in asked.text, len(again)) == (True, not conditional)
    assert "A condition of yours that is not asked about below ends only with withdraw condition." in asked.text
    (text,) = [text for text in debate.memory.proposals if text.id == "p1.0"]
    assert [each.conditional for each in text.reactions if each.agent == MAYA] == [conditional]


@pytest.mark.parametrize(
    ("tail", "acts", "recorded"),
    [
        ("[SUPPORT p1.0] It is cheap.", [("support", "p1.0", "")], []),
        ("[SUPPORT p1.0] It is cheap.", [("support", "p1.0", "It costs little.")], []),
        ("[SUPPORT p1.0] It is cheap.", [("support", "p1.0", "if Ruth pays")], ["support"]),
        ("[SUPPORT p1.0]", [("support", "p1.0", "It is cheap.")], ["support"]),
        ("[SUPPORT p1.0] if Ruth pays", [("support", "p1.0", "if Ruth pays")], []),
        ("[SUPPORT p1.0] It is cheap.", [("withdraw opposition", "p1.0", "It is cheap.")], []),
        ("[WITHDRAW my opposition on p1.0]", [("withdraw opposition", "p1.0", "It is cheap.")], []),
        ("[SUPPORT p1.0] It is cheap.", [("oppose", "p1.0", "It is late.")], ["denied"]),
        ("[PROPOSE Raft] We build a raft.", [("propose", None, "We build a raft.")], []),
        ("[PROPOSE Raft] We build a raft.", [("propose", None, "We build a hut.")], ["propose"]),
        ("[AMEND p1.0] Sell it in June.", [("amend", "p1.0", "Sell it in June.")], []),
        ("[POSITION] p1.0", [("hold", "p1.0", "")], []),
        ("[DENY m1] We were not.", [("deny", "m1", "We were not.")], []),
    ],
)
def test_what_the_record_has_of_an_answer_is_not_recorded_a_second_time(
    tail: str, acts: list[tuple[str, str | None, str]], recorded: list[str]
) -> None:
    """A support stood twice, and an opposition that it had ended was told as one that its author does not have."""

    class Turns(Last):
        async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
            reply = await super().run(prompt, on_text)
            before = prompt.purpose == "speak" and prompt.agent == MAYA and 3 <= prompt.last <= 6
            return replace(reply, text=f"Hull {prompt.last}.\n[OPPOSE p1.0] It is late.") if before else reply

    rows = [{"does": does, "on": on, "words": words} for does, on, words in acts]
    debate = held(Turns(f"{tail}\n[NEXT Otto]", {MAYA: json.dumps({"acts": rows})}))
    debate.run_sync()
    answer = [fact for fact in of(debate, LineAnswered) if fact.who == MAYA][-1]
    assert answer.unread == ""
    assert [*[move.kind for move in answer.moves], *["denied" for _ in answer.denied]] == recorded


def test_a_line_in_anothers_name_and_json_without_an_act_are_no_ground_for_a_question() -> None:
    """Its author was asked what the line "proposes", and the answer booked a support."""
    runner = Last(f"{CONDITION}\n\nRuth: I second this at once.")
    held(runner, max_messages=6).run_sync()
    assert runner.asked() == []
    runner = Last("[SUPORT p1.0] It is late.\n\nRuth: I second this at once.")
    held(runner, max_messages=6).run_sync()
    (asked,) = runner.asked()
    assert ("[SUPORT p1.0]" in asked.own, "in the name of" in asked.own) == (True, False)
    runner = Last('{"moves": [{"type": "support", "id": "p1.0", "reason": "if paid"}], "mood": "calm"}')
    held(runner, max_messages=6).run_sync()
    assert runner.asked() == []


@pytest.mark.parametrize("does", ["amend", "propose"])
@pytest.mark.parametrize("words", ["June sale: Sell the boat in June.", "Sell the boat in June."])
def test_an_amendment_can_be_declared_when_asked_with_its_title(does: str, words: str) -> None:
    """The schema had none: a proposal "on" a text was a motion of its own, and its title ran into its words."""
    act = {"does": does, "on": "p1.0", "words": words, "title": "June sale"}
    runner = Last("[AMMEND p1.0 June sale] Sell the boat in June.", {MAYA: json.dumps({"acts": [act]})})
    debate = held(runner, max_messages=6)
    debate.run_sync()
    (asked,) = runner.asked()
    assert "amend" in asked.strict["properties"]["acts"]["items"]["properties"]["does"]["enum"]
    (text,) = [text for text in debate.memory.proposals if text.proposer == MAYA]
    assert (text.amends, text.title, text.content) == ("p1.0", "June sale", "Sell the boat in June.")


def test_of_an_answer_eight_acts_count_and_its_author_is_told_of_the_others() -> None:
    """Each of forty proposals in one answer stood on the table."""
    acts = [{"does": "propose", "on": None, "words": f"Sell the boat in {year}."} for year in range(2030, 2042)]
    runner = Says("It rains.", json.dumps({"acts": acts}))
    debate = held(runner, max_messages=6)
    debate.run_sync()
    assert len([text for text in debate.memory.proposals if text.proposer == WALTER]) == 8
    (fact,) = of(debate, LineAnswered)
    assert [line[-5:-1] for line in fact.unread.splitlines()] == ["2038", "2039", "2040", "2041"]
    spoken = [prompt for prompt in runner.prompts if (prompt.purpose, prompt.agent) == ("speak", WALTER)]
    assert "it is beyond the eighth move" in spoken[1].own


class Priced(Plain):
    """Maya supports a text in full, with a condition in words that nothing but a model reads; who minutes does."""

    why = "May is dry"
    price = "A dry berth first, that is the price of my yes"

    def __init__(self, answers: Mapping[str, str | Exception] | None = None, quote: str = price) -> None:
        super().__init__(answers)
        self.quote = quote

    async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
        reply = await super().run(prompt, on_text)
        if prompt.purpose == "speak" and prompt.agent == MAYA and 2 < prompt.last < 6:
            return Reply(f"{self.price}.\n\n[SUPPORT p1.0] {self.why}.", usage=reply.usage, model="plain")
        if prompt.purpose == "summarise":
            rows = [{"message": at, "quote": self.quote} for at in range(1, prompt.last + 1)]
            return Reply(json.dumps({"summary": [], "conditions": rows}), usage=reply.usage, model="plain")
        return reply


def _support_of(debate: Debate, who: str) -> tuple[bool, str]:
    (text,) = [text for text in debate.memory.proposals if text.id == "p1.0"]
    (last,) = [each for each in text.reactions if (each.agent, each.undone) == (who, False)][-1:]
    return last.conditional, last.condition


@pytest.mark.parametrize(
    ("acts", "stands"),
    [
        ([{"does": "support if", "on": "p1.0", "words": "there is a dry berth"}], (True, "there is a dry berth")),
        ([{"does": "support if", "on": "p1.0", "words": "at most 500 euros"}], (True, "at most 500 euros")),
        ([{"does": "support", "on": "p1.0", "words": "May is the month of buyers"}], (False, "")),
        ([{"does": "support", "on": "p1.0", "words": "if there is a dry berth"}], (True, "if there is a dry berth")),
        ([{"does": "support if", "on": "p1.0", "words": ""}], (False, "")),
        ([], (False, "")),
    ],
)
def test_a_condition_that_minutes_read_beside_a_support_in_full_is_asked_about_before_the_vote(
    acts: list[dict[str, str]], stands: tuple[bool, str]
) -> None:
    """What is "the price of my yes" counted in full, and nobody was asked; minutes by themselves count for nothing."""
    runner = Priced({MAYA: json.dumps({"acts": acts})})
    debate = held(runner, max_messages=6)
    debate.run_sync()
    asked = [prompt for prompt in runner.prompts if prompt.purpose == "declare" and prompt.agent == MAYA]
    assert len(asked) == 1 + (acts != [] and acts[0]["words"] == "")
    assert f"- p1.0, in m6, counted without a condition: “{Priced.price}”" in asked[0].text
    assert "was not counted" not in asked[0].text
    assert _support_of(debate, MAYA) == stands
    (text,) = [text for text in debate.memory.proposals if text.id == "p1.0"]
    said = next(each for each in text.reactions[::-1] if each.agent == MAYA)
    assert said.asked == 6 * stands[0]  # a support that stood in full stands where it was declared, with its reason
    told = [event.type for event in debate.session.events()]
    assert told.index("summary_written") < told.index("line_answered", told.index("summary_written"))
    assert debate.memory.unclear_supports(MAYA) == []
    assert memory_of(debate.session).unclear_supports(MAYA) == []


@pytest.mark.parametrize("quote", ["A dry berth second, that is the price of my yes.", "I am with the 5th of May."])
def test_nobody_is_asked_about_words_that_no_message_with_a_support_has(quote: str) -> None:
    runner = Priced(quote=quote)
    held(runner, max_messages=6).run_sync()
    assert MAYA not in [prompt.agent for prompt in runner.prompts if prompt.purpose == "declare"]


@pytest.mark.parametrize(
    ("act", "stands"),
    [
        ({"does": "support", "on": "p1.0", "words": ""}, (False, "")),
        ({"does": "support", "on": "p1.0", "words": "it lasts until Wednesday"}, (False, "")),
        (
            {"does": "support if", "on": "p1.0", "words": "it lasts until Wednesday"},
            (True, "it lasts until Wednesday"),
        ),
        (None, (True, "until Wednesday")),
    ],
)
def test_a_support_in_doubt_is_asked_about_before_the_vote(
    act: dict[str, str] | None, stands: tuple[bool, str]
) -> None:
    """It counted for nobody, and its author, who had meant a reason and voted next, was never asked."""
    runner = Priced({MAYA: json.dumps({"acts": [act] if act else []})}, quote="nobody said so")
    runner.price, runner.why = "It is late", "two hours are enough, and cheaper until Wednesday"
    debate = held(runner, max_messages=6)
    debate.run_sync()
    (asked,) = [prompt for prompt in runner.prompts if prompt.purpose == "declare" and prompt.agent == MAYA]
    assert "- p1.0, in m6, in doubt, counted for nobody: “until Wednesday”" in asked.text
    assert _support_of(debate, MAYA) == stands


def test_a_member_is_told_once_in_its_next_turn_which_words_may_be_a_condition() -> None:
    """It can declare the support anew, and needs no question."""
    runner = Priced()
    held(runner, max_messages=12, summary_every=6).run_sync()
    turns = [prompt.text for prompt in runner.prompts if (prompt.purpose, prompt.agent) == ("speak", MAYA)]
    assert ["Only you can say" in text for text in turns] == [False, False, True, False, False][: len(turns)]


@pytest.mark.parametrize(
    ("answer", "moves"),
    [
        (
            "support o2\nwithdraw support o3: forget it",
            [("support", "o2", ""), ("withdraw", "my support on o3", "forget it")],
        ),
        ("WITHDRAW my support of p1.0", [("withdraw", "my support on p1.0", "")]),
        ("- withdraw condition p1.0: it is met", [("withdraw", "my condition on p1.0", "it is met")]),
        ("support if p1.0: no brass", [("support", "p1.0", "if no brass")]),
        ("SUPPORT p1.0 if it is paid", [("support", "p1.0", "if it is paid")]),
    ],
)
def test_lines_in_the_words_of_the_form_are_read(answer: str, moves: list[tuple[str, str, str]]) -> None:
    """A withdrawal on a line of its own was taken for the reason of the support above it, or for nothing."""
    fields, wrong = _moves_in(Reply(answer), "Ben", {"o2", "o3", "p1.0"}, default_language())
    assert fields is not None
    assert [(each.kind, each.target, each.text) for each in fields["moves"]] == moves
    assert wrong == ""


def test_a_doubt_on_an_option_ends_with_the_answer_of_its_author() -> None:
    """ "I counted 41 people until 5 o'clock" stayed in doubt, though its author had said that it is no condition."""
    why = "bis 17 Uhr zählte ich 41 Leute"
    memory = debated(("Ben", f"[SUPPORT o1] {why}"), options=("Auf", "Zu"))
    move = Move("support", why, "o1")
    assert _out_of_doubt(move, "Ben", memory) == replace(move, terms="none")
    assert not _is_so(move, "Ben", 1, memory)


@pytest.mark.parametrize(
    ("quote", "asked"),
    [
        ("A fence stands first", ["until Wednesday", "A fence stands first"]),
        ("cheaper until Wednesday", ["cheaper until Wednesday"]),
        ("nobody said so", ["until Wednesday"]),
    ],
)
def test_a_support_in_doubt_is_asked_about_with_its_words_and_with_others_that_minutes_quote(
    quote: str, asked: list[str]
) -> None:
    """The doubt of other words barred the right ones."""
    talk = "A fence stands first, that is the price of my yes.\n\n[SUPPORT o1] cheaper until Wednesday"
    memory = debated(("Ada", talk), options=("Plant a lime",))
    answer = read_answer(json.dumps({"conditions": [{"message": 1, "quote": quote, "on": "o1"}]}), None)
    assert answer is not None
    minutes, _ = memory.parts.minuted(Due(1, 1), answer)
    memory.fold(SummaryWritten(first=1, last=1, text="So.", by="model", minutes=minutes))
    assert [each.condition for each in memory.unclear_supports("Ada")] == asked


@pytest.mark.parametrize(
    ("on", "asked"), [("p1.0", ["p1.0"]), ("o1", ["o1"]), (None, ["o1", "p1.0"]), ("p7.0", ["o1", "p1.0"])]
)
def test_a_condition_of_minutes_is_asked_about_on_the_text_that_they_name(on: str | None, asked: list[str]) -> None:
    """One sentence beside two supports was put to both, though it spoke of one."""
    put = ("Ben", "I have looked.\n\n[PROPOSE Oak] We plant an oak.")
    talk = "A fence stands first, that is the price of my yes.\n\n[SUPPORT o1] it is shade\n[SUPPORT p1.0] it is wood"
    memory = debated(put, ("Ada", talk), options=("Plant a lime",))
    rows = {"conditions": [{"message": 2, "quote": "A fence stands first", "on": on}]}
    answer = read_answer(json.dumps(rows), None)
    assert answer is not None
    minutes, _ = memory.parts.minuted(Due(1, 2), answer)
    memory.fold(SummaryWritten(first=1, last=2, text="So.", by="model", minutes=minutes))
    told = memory.unclear_supports("Ada")
    assert [each.to for each in told] == asked
    assert all(each.condition == "A fence stands first" for each in told)


def _asked_at_the_vote(runner: Priced, line: str, answer: str) -> tuple[Debate, list[Prompt]]:
    """Return a debate in which a person types a line at each turn and answers each question about it, and those."""
    asked = list[Prompt]()

    async def typed(prompt: Prompt) -> str:
        asked.append(prompt)
        speaks = prompt.purpose == "speak" and prompt.last
        return answer if prompt.purpose == "offer" else line * bool(speaks)

    debate = Debate(
        "What shall become of the boat?",
        PANEL,
        runner,
        settings=Settings.model_validate({"max_messages": 9, "floor": "round-robin"}),
        human="Ada",
        seats={"Ada": HumanRunner(typed, letters=True)},
    )
    debate.run_sync()
    resumed = memory_of(debate.session)
    (message, *_) = [each.message for each in of(debate, LineOffered)]
    assert resumed.acts(message) == debate.memory.acts(message)
    return debate, [prompt for prompt in asked if prompt.purpose == "offer"]


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_person_is_asked_at_the_vote_for_the_condition_that_minutes_read_beside_a_support_in_full(
    answer: str,
) -> None:
    """Of persons nobody asked; the model's word alone counts for nothing."""
    debate, (offer,) = _asked_at_the_vote(Priced(), f"{Priced.price}.\n\n[SUPPORT p1.0] {Priced.why}.", answer)
    assert Priced.price in offer.own
    (offered,) = of(debate, LineOffered)
    (answered,) = [each for each in of(debate, LineAnswered) if each.who == "Ada"]
    assert (offered.message, answered.answer) == (answered.message, answer)
    told = [back.lines for each in (offered, answered) if (back := say_back(each, debate.memory))]
    bound = f"you support “Sell the boat in May” (p1.0), on the condition “{Priced.price}”"
    counted = f"Counted: {bound}" if answer == "yes" else f"Counted without a condition: {bound.partition(',')[0]}"
    assert told == [(f"Did you mean: {bound}? (No means: without a condition)",), (counted,)]
    assert _support_of(debate, "Ada") == ((True, Priced.price) if answer == "yes" else (False, ""))


@pytest.mark.parametrize("quote", ["three coats of tar by then", "nobody said so"])
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_person_whose_support_stands_in_doubt_is_asked_at_the_vote_as_members_are(answer: str, quote: str) -> None:
    """One stood "perhaps on a condition" in the verdict, in words that were none, and the screen gave a formula.

    The words are those that the minutes quote as a condition, if any, and else the doubt's own.
    """
    why = "cheaper until Wednesday; three coats of tar by then, and you have me"
    debate, (offer,) = _asked_at_the_vote(Priced(quote=quote), f"[SUPPORT p1.0] {why}.", answer)
    words = quote if quote in why else "three coats of tar by then, and you have me"
    assert words in offer.own
    assert _support_of(debate, "Ada") == ((True, words) if answer == "yes" else (False, ""))
    assert debate.memory.unclear_supports("Ada") == []
    (text,) = [text for text in debate.memory.proposals if text.id == "p1.0"]
    (stands,) = [each for each in text.reactions if each.agent == "Ada" and not each.undone][-1:]
    assert not stands.doubt
    assert stands.asked, "else the account has the doubt beside it, in the same words"
    assert stands.why == (f"{why}." if answer == "no" else words)


def test_a_yes_without_a_condition_to_a_question_on_one_declares_a_support_in_full() -> None:
    """It declared one on a condition that had no words."""
    memory = debated(("Ben", "[SUPPORT o1] cheaper until Wednesday"), options=("Dry dock", "Sea"))
    offered = (Move("support", "until Wednesday", "o1", terms="if"),)
    answers, _, _ = line_reader.answer_in("yes, without a condition", offered, "Ben", memory, None)
    assert answers == {"yes": (Move("support", "", "o1", terms="none"),)}


@pytest.mark.parametrize(
    ("words", "borne_out"),
    [
        ("They were a guess", True),
        ("I take my evenings off the table", True),
        ("They were not a guess", False),
        ("a guess", False),
        ("", False),
    ],
)
def test_a_withdrawal_in_the_words_of_a_message_is_borne_out_by_it(words: str, *, borne_out: bool) -> None:
    """ "I take my evenings off the table, they were a guess" was refused, and its author asked once more."""
    memory = debated(
        ("Ann", "[PROPOSE Warm hall] We rehearse in a hall with a stove."),
        ("Ann", "I take my evenings off the table, they were a guess. The chairs are cold."),
    )
    own = [memory.parts.messages.message(2)]
    assert bears_out_withdrawal("p1", words, own, memory) is borne_out


def test_what_waits_for_an_answer_is_not_replaced_by_a_question_on_a_condition() -> None:
    """At a page an offer that waits would be gone, unsaid, and nothing of it could be answered."""
    support = Reaction(message=4, agent="Ada", reaction="support", to="p1.0", condition="a berth first")
    waiting = dict[int, tuple[Move, ...]]()
    state: Any = SimpleNamespace(voters=["Ada"], is_person=lambda _: True, asked_once={}, waiting=lambda _: waiting)
    memory: Any = SimpleNamespace(unclear_supports=lambda _: [support])
    assert [offer.message for offer in may_depend(state, memory)] == [4]
    waiting[4] = (Move("oppose", "", "o2"),)
    assert may_depend(state, memory) == []
