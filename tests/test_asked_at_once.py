"""A member whose declared act was lost is asked what it declares as the next step, before anybody else speaks."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from folded import debated
from in_turn import each_other
from test_declared_when_asked import MAYA, RUTH, WALTER, Plain, asked_of, does, held, of, stance_on
from test_resume import cut, facts

from eda import Debate, Prompt, Reply, Session
from eda.debate.declares import _moves_in
from eda.debate.prompts.slots import lost_acts
from eda.errors import RunnerError
from eda.events import LineAnswered, MessagePosted, TurnFailed
from eda.memory.context.acts import act_line, fault_line
from eda.memory.patterns import default_language

SUPPORT = does("support")


class Lost(Plain):
    """Maya's messages end with lines that depend on how many messages stand before; the answers are hers, in order."""

    def __init__(self, tails: dict[int, str], *answers: str | Exception, minutes: str = "") -> None:
        super().__init__()
        self.tails, self.given, self.minutes = tails, list(answers), minutes

    async def run(self, prompt: Prompt, on_text: object = None) -> Reply:
        if (prompt.purpose, prompt.agent) == ("declare", MAYA):
            self.answers[MAYA] = self.given[min(len(asked_of(self, MAYA)), len(self.given) - 1)]
        reply = await super().run(prompt, on_text)
        if prompt.purpose == "summarise" and self.minutes:
            rows = [{"message": at, "quote": self.minutes} for at in range(1, prompt.last + 1)]
            return replace(reply, text=json.dumps({"summary": [], "conditions": rows}))
        if (prompt.purpose, prompt.agent) == ("speak", MAYA) and prompt.last in self.tails:
            return replace(reply, text=f"Hull {prompt.last}.\n{self.tails[prompt.last]}")
        return reply


def own_prompts(runner: Plain, purpose: str) -> list[Prompt]:
    return [prompt for prompt in runner.prompts if (prompt.purpose, prompt.agent) == (purpose, MAYA)]


@pytest.mark.parametrize("tail", ["[SUPORT p1.0] It is late.", "[SUPPORT p44.0] It is late.", "[SUPPORT the tide]"])
def test_a_lost_act_is_asked_about_before_the_floor_is_granted_again_and_no_more(tail: str) -> None:
    """Others argued on a table without it until its author spoke again, or the vote came."""
    runner = Lost({5: tail}, SUPPORT)
    debate = held(runner, max_messages=9)
    debate.run_sync()
    (asked,) = own_prompts(runner, "declare")
    (answer,) = [fact for fact in of(debate, LineAnswered) if fact.who == MAYA]
    assert (asked.last, answer.message, answer.at_once) == (6, 6, True)
    after = [event.type for event in debate.session.events()]
    asked_at = [*map(id, events := [*debate.session.events()])].index(
        next(id(each) for each in events if isinstance(each, LineAnswered) and each.who == MAYA)
    )
    assert after[asked_at:].count("message_posted") == 3
    assert stance_on(debate, "p1.0", MAYA) == ["support"]
    assert "What did not count" not in own_prompts(runner, "speak")[-1].own


def test_an_act_that_was_lost_in_a_sealed_opening_is_asked_about_once_all_are_heard() -> None:
    runner = Lost({0: "[PROPSE Raft] We build a raft for six."}, does("propose", None, "We build a raft for six."))
    debate = held(runner, max_messages=6)
    debate.run_sync()
    asked = [prompt for prompt in runner.prompts if prompt.purpose == "declare"]
    assert [(prompt.agent, prompt.last) for prompt in asked] == [(WALTER, 3), (MAYA, 3)]
    assert "- [PROPSE Raft] We build a raft for six.: no move has this tag: did you mean PROPOSE?" in asked[1].own
    assert [text.content for text in debate.memory.proposals if text.proposer == MAYA] == ["We build a raft for six."]


def test_who_was_asked_about_a_lost_act_is_still_asked_once_when_it_declares_nothing() -> None:
    """The question to who declares nothing was gone with the one about a misspelt tag."""
    tails = {0: "[SUPORT p1.0] It is late.", 5: "It rains.", 8: "It rains.", 11: "It rains.", 14: "It rains."}
    runner = Lost(tails, SUPPORT, '{"acts": []}')
    debate = held(runner, max_messages=18)
    debate.run_sync()
    asked = [(fact.message, fact.at_once) for fact in of(debate, LineAnswered) if fact.who == MAYA]
    assert asked == [(3, True), (12, False)]


@pytest.mark.parametrize(
    ("answer", "calls"), [("Well, that depends.", 2), ("{}", 2), ('{"acts": []}', 2), (RunnerError("too long"), 2)]
)
def test_who_answers_with_nonsense_is_not_asked_without_end(answer: str | Exception, calls: int) -> None:
    """Asked about each message, a model that cannot answer the form would cost twice the calls of the talk."""
    runner = Lost(dict.fromkeys((5, 8, 9), "[SUPORT p1.0] It is late."), answer)
    debate = held(runner, max_messages=12)
    debate.run_sync()
    asked = own_prompts(runner, "declare")
    in_talk = [prompt for prompt in asked if prompt.last < 12]
    assert (len(in_talk), len(asked) <= calls + 2) == (calls, True)
    assert len([fact for fact in of(debate, TurnFailed) if fact.purpose == "declare"]) <= calls + 1


def test_a_word_that_is_no_move_is_asked_about_at_once_until_its_author_has_said_that_it_declares_nothing() -> None:
    tails = {5: "[GAUGE] fair, for the season", 8: "[GAUGE] rain, as from noon", 9: "[GAUGE] fog, on all hills"}
    runner = Lost(tails, '{"acts": []}')
    held(runner, max_messages=12).run_sync()
    assert [prompt.last for prompt in own_prompts(runner, "declare")] == [6, 12]


def test_minutes_that_find_a_condition_in_a_message_that_was_asked_about_are_asked_about_before_the_vote() -> None:
    """Its author had been asked at once, and the condition that the minutes quote was put to nobody."""
    price = "A dry berth first, that is the price of my yes"
    tail = f"{price}.\n\n[SUPPORT p1.0] May is dry.\n[CONCEED p1.0]"
    runner = Lost({5: "I wait.", 8: tail}, '{"acts": []}', does("support if", words="a dry berth"), minutes=price)
    debate = held(runner, max_messages=10)
    debate.run_sync()
    asked = own_prompts(runner, "declare")
    assert [price in prompt.own for prompt in asked] == [False, True]
    (text,) = [text for text in debate.memory.proposals if text.id == "p1.0"]
    assert [each.condition for each in text.reactions if each.agent == MAYA] == ["a dry berth"]


@pytest.mark.parametrize("answers", each_other([((SUPPORT,),), (('{"acts": []}',),), (("Well, that depends.",),)]))
def test_a_debate_cut_between_a_message_and_the_question_about_it_resumes_to_the_same_log(
    tmp_path: Path, answers: tuple[str, ...]
) -> None:
    def runner() -> Lost:
        return Lost(dict.fromkeys((0, 5), "[SUPORT p1.0] It is late."), *answers)

    with Session.create("s", tmp_path) as session:
        held(runner(), session, max_messages=9).run_sync()
        expected = facts(session)
    whole = Session.read("s", tmp_path)
    kinds = [event.type for event in whole.events()]
    near = [at for at, kind in enumerate(kinds, 1) if kind == "line_answered" or "line_answered" in kinds[at : at + 3]]
    for kept in near:
        with Session.open(cut(whole, tmp_path / str(kept), kept), tmp_path / str(kept)) as session:
            Debate.resume(session, runner()).run_sync()
            assert facts(session) == expected, f"cut after line {kept}: {kinds[kept - 1]}"


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (
            "So.\n[PROPOSE Two lamps\nWe hang two lamps at the ford.\n[POSITION none, before there is oil",
            ["[PROPOSE Two lamps We hang two lamps at the ford.", "[POSITION none, before there is oil"],
        ),
        ("[POSITON] hang and paint", ["[POSITON] hang and paint"]),
        ("So.\n[SUPORT o2] a\n[SUPORT o2] b", ["[SUPORT o2] a", "[SUPORT o2] b"]),
        ("So.\n[AMMEND p1.0]\n\nWe hang three.", ["[AMMEND p1.0] We hang three."]),
        ("So.\n[SUPORT o2]\nIt rains.", ["[SUPORT o2]"]),
    ],
)
def test_each_lost_act_is_named_with_its_own_words(said: str, named: list[str]) -> None:
    """Of a proposal that was lost its author was told the tag; a cut position below a cut proposal was not told."""
    memory = debated(("Ada", "[PROPOSE Lamp] We hang a lamp."), ("Ben", said), options=("Wait", "Paint"))
    told = [
        fault_line(act).partition(": it was cut off")[0].partition(": no move")[0] for act in lost_acts("Ben", memory)
    ]
    assert told == named
    assert memory.parts.messages.message(2).talk == said
    below = [act_line(act).partition(" (not counted)")[0] for act in memory.acts(2)]
    assert below == [*dict.fromkeys(next(tag for tag in _tags(memory) if each.startswith(tag)) for each in named)]
    assert list(memory.below(2)) == list(memory.acts(2))


def _tags(memory: Any) -> tuple[str, ...]:
    return memory.parts.messages.message(2).unknown_tags


@pytest.mark.parametrize(
    ("words", "own", "kinds"),
    [
        ("my amendment", True, ["position"]),
        ("if the tide is low", True, ["support"]),
        ("it floats", False, ["position", "support"]),
    ],
)
def test_an_author_that_holds_its_own_text_does_not_support_it_a_second_time(
    words: str, kinds: list[str], *, own: bool
) -> None:
    """ "hold p5.0: my amendment" made "my amendment" the reason of a support."""
    fields, _ = _moves_in(Reply(does("hold", words=words)), "Ben", ["p1.0"], default_language(), ["p1.0"] * own)
    assert fields is not None
    assert [move.kind for move in fields["moves"]] == kinds


@pytest.mark.parametrize("closed", [False, True])
def test_nobody_is_asked_what_it_takes_back_on_a_text_that_is_off_the_table(*, closed: bool) -> None:
    """The form cannot name such a text, and asked twice about it."""
    talk = [("Ada", "[PROPOSE Lamp] We hang a lamp."), ("Ben", "[WITHDRAW my support on p1.0] it is dark")]
    memory = debated(*([talk[0], ("Ada", "[WITHDRAW p1.0]"), talk[1]] if closed else talk))
    assert [act.kind for act in lost_acts("Ben", memory)] == ["withdraw"] * (not closed)


def test_the_words_of_a_misspelt_tag_stay_in_what_the_others_read() -> None:
    runner = Lost({5: "[POSITON] raft and rope"}, does("hold", None, "raft and rope"))
    debate = held(runner, max_messages=9)
    debate.run_sync()
    message = next(each for each in of(debate, MessagePosted) if each.number == 6)
    assert message.talk.endswith("[POSITON] raft and rope")
    spoken = [each for each in runner.prompts if (each.purpose, each.agent, each.last) == ("speak", RUTH, 6)]
    assert all("[POSITON] raft and rope" in prompt.text for prompt in spoken)
    assert spoken
