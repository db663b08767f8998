"""A text that joins motions: what the ballot offers then, and what is decided."""

from __future__ import annotations

import pytest

from eda import ConversationMemory, MessagePosted
from eda.debate.prompts.ballot_prompt import ballot_slots
from eda.events import Ballot, SessionStarted, VerdictReached
from eda.events.votes import AnswerKind
from eda.memory.minutes.declared_moves import read_reply
from eda.voting import slate, verdict
from eda.voting.rules import RULES

TALK = (
    ("Beatriz", "So.\n[PROPOSE] Hold the fair in the hall\n[PROPOSE] Buy two umbrellas"),
    ("Minh", "So.\n[PROPOSE] Hold the fair in the yard"),
    ("Beatriz", "Both.\n[AMEND p1.0 p1.1] Hold the fair in the hall and buy two umbrellas"),
)
HALL, UMBRELLAS, YARD, BOTH = (
    "Hold the fair in the hall",
    "Buy two umbrellas",
    "Hold the fair in the yard",
    "Hold the fair in the hall and buy two umbrellas",
)
PANEL = ("Beatriz", "Minh", "Petra", "Rosa", "Eli")


def talked(*more: tuple[str, str], options: tuple[str, ...] = ()) -> ConversationMemory:
    memory = ConversationMemory()
    memory.fold(SessionStarted(session="s", question="Which?", options=options))
    for number, (who, text) in enumerate((*TALK, *more), 1):
        memory.fold(MessagePosted(number=number, who=who, text=text, **read_reply(text)._asdict()))
    return memory


def voted(
    memory: ConversationMemory, *ballots: Ballot, answer: AnswerKind = "one", rule: str = "majority"
) -> VerdictReached:
    texts = slate("Which?", (), memory.motions).texts
    return verdict(ballots, [t.text for t in texts], rule, 0.5, 1, PANEL, texts=texts, answer=answer)


def ballots(*ranked: tuple[str, ...], also: tuple[str, ...] = (UMBRELLAS,)) -> list[Ballot]:
    return [
        Ballot(agent=who, choice=texts[0], ranking=texts, approved=texts, also=also)
        for who, texts in zip(PANEL, ranked, strict=False)
    ]


def statuses(memory: ConversationMemory) -> dict[str, str]:
    return {each.id: each.status for each in memory.proposals}


def test_a_measure_that_was_joined_with_one_answer_can_be_wanted_beside_another() -> None:
    """Offered as another wording of the hall, the umbrellas that all wanted fell with it."""
    memory = talked()
    texts = slate("Which?", (), memory.motions).texts
    assert {(each.id, each.motion, each.into) for each in texts} == {
        ("p3.0", "p1.0", ""),
        ("p1.1", "p1.1", "p3.0"),
        ("p2.0", "p2.0", ""),
    }, "the author's own older wording is closed; its other motion stays"
    shown = ballot_slots(texts, RULES["majority"], "", first=False, answer="one")["choices"]
    assert 'p1.1: "Buy two umbrellas" (taken into p3.0)' in shown.splitlines()
    reached = voted(memory, *ballots((BOTH,), (YARD,), (YARD,), (YARD, BOTH), (BOTH, YARD)))
    assert (reached.outcome, [each.id for each in reached.adopted]) == (YARD, ["p1.1"])
    memory.fold(reached)
    assert statuses(memory) == {"p1.0": "modified", "p1.1": "accepted", "p2.0": "accepted", "p3.0": "not chosen"}


def test_what_the_winning_text_takes_in_is_neither_adopted_beside_it_nor_lost() -> None:
    """The same umbrellas stood twice in one verdict, or as "not adopted" under a text that has them."""
    memory = talked(("Minh", "Mine.\n[AMEND p3.0] Hold the fair in the small hall and buy two umbrellas"))
    texts = slate("Which?", (), memory.motions).texts
    assert next(each for each in texts if each.id == "p1.1").into == "p3.0 and p4.0"
    for won in (BOTH, "Hold the fair in the small hall and buy two umbrellas"):
        reached = voted(memory, *ballots(*[(won,)] * 5))
        assert (reached.outcome, reached.adopted, reached.also) == (won, (), {})
    memory.fold(reached)
    assert statuses(memory)["p1.1"] == "merged"
    assert "p1.1 taken into p4.0" in memory.table().text


def test_in_a_list_the_joined_text_stands_for_its_parts() -> None:
    """One measure would be adopted twice, by itself and as a part."""
    memory = talked()
    both = voted(memory, *ballots(*[(BOTH, UMBRELLAS)] * 5, also=()), answer="list")
    assert both.outcome == (BOTH,)
    apart = voted(memory, *ballots(*[(UMBRELLAS, YARD)] * 5, also=()), answer="list")
    assert set(apart.outcome or ()) == {UMBRELLAS, YARD}


def test_of_two_texts_that_join_each_others_motion_one_is_adopted() -> None:
    """Each took in the other, and the list that all had voted for was empty."""
    other = "Hold the fair in the yard and the hall"
    memory = talked(("Rosa", f"So.\n[AMEND p2.0 p3.0] {other}"), ("Eli", f"So.\n[AMEND p3.0 p2.0] {BOTH}, and tents"))
    reached = voted(memory, *ballots(*[(other, f"{BOTH}, and tents")] * 5, also=()), answer="list")
    assert len(reached.adopted) == 1


def test_a_text_that_joins_an_option_is_a_wording_of_the_option_whichever_is_named_first() -> None:
    """An answer that was given would be taken into a side measure."""
    memory = talked(("Eli", "So.\n[AMEND p2.0 o1] Tents in the yard"), options=("Tents",))
    assert next((each.amends, each.joins) for each in memory.proposals if each.id == "p4.0") == ("o1", ("p2.0",))


@pytest.mark.parametrize(
    "move",
    [
        "[SUPPORT Beatriz's joined text] it is cheap",
        "[SUPPORT] Beatriz's joined text",
        "[SUPPORT the joined text above] it is cheap",
        "[POSITION] the joined text above",
    ],
)
def test_the_one_text_that_joins_others_may_be_named_by_that(move: str) -> None:
    """Of five who stood behind the joined text two were counted for nothing."""
    memory = talked(("Petra", f"Yes.\n{move}"))
    assert memory.unresolved == ()
    if "POSITION" in move:
        assert memory.agents["Petra"].last_position == "p3.0"
    else:
        assert [(each.reaction, each.to) for each in memory.reactions] == [("support", "p3.0")]


@pytest.mark.parametrize("move", ["[SUPPORT the joined text]", "[POSITION] not the joined text"])
def test_which_of_several_joined_texts_is_meant_is_not_guessed(move: str) -> None:
    """Half of such votes would be false."""
    memory = talked(("Rosa", "So.\n[AMEND p2.0 p1.1] Hold the fair in the yard, with umbrellas"), ("Petra", move))
    assert memory.reactions == ()
    assert memory.agents["Petra"].last_position in ("", "not the joined text")


@pytest.mark.parametrize("move", ["[SUPPORT p2.7] yes", "[POSITION] p2.7"])
def test_who_names_a_dead_id_is_told_what_that_message_made(move: str) -> None:
    """A member wrote p2.7 three times and was told "does not exist" three times."""
    memory = talked(("Petra", f"Yes.\n{move}"))
    (lost,) = memory.unresolved
    assert lost.why.startswith("p2.7 does not exist (m2 made p2.0)")
