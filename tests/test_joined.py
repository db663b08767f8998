"""A text that joins motions: what the ballot offers then, and what is decided."""

from __future__ import annotations

import pytest
from folded import debated
from told import verdict_lines

from eda import ConversationMemory
from eda.debate.prompts.ballot_prompt import ballot_slots
from eda.events import Ballot, VerdictReached
from eda.events.acts import Unread
from eda.events.votes import AnswerKind
from eda.voting import RULES, Account, slate, verdict

TALK = (
    ("Beatriz", "So.\n[PROPOSE] Hold the fair in the hall\n[PROPOSE] Buy two umbrellas"),
    ("Minh", "So.\n[PROPOSE] Hold the fair in the yard"),
    ("Rosa", "Both.\n[AMEND p1.0 p1.1] Hold the fair in the hall and buy two umbrellas"),
)
HALL, UMBRELLAS, YARD, BOTH = (
    "Hold the fair in the hall",
    "Buy two umbrellas",
    "Hold the fair in the yard",
    "Hold the fair in the hall and buy two umbrellas",
)
PANEL = ("Beatriz", "Minh", "Petra", "Rosa", "Eli")


def voted(
    memory: ConversationMemory, *ballots: Ballot, answer: AnswerKind = "one", rule: str = "majority"
) -> VerdictReached:
    texts = slate("Which?", (), memory.motions).texts
    return verdict(Account(ballots, texts=texts, answer=answer), rule, 0.5, 1, PANEL)


def ballots(*ranked: tuple[str, ...], also: tuple[str, ...] = (UMBRELLAS,)) -> list[Ballot]:
    return [
        Ballot(agent=who, choice=texts[0], ranking=texts, approved=texts, also=also)
        for who, texts in zip(PANEL, ranked, strict=False)
    ]


def statuses(memory: ConversationMemory) -> dict[str, str]:
    return {each.id: each.status for each in memory.proposals}


def test_who_prefers_a_part_votes_for_the_joined_motion() -> None:
    """Proposals that belong together were made to compete, and what most wanted lost."""
    memory = debated(*TALK)
    texts = slate("Which?", (), memory.motions).texts
    assert {(each.id, each.motion, each.into) for each in texts} == {
        ("p1.0", "p1.0", "p3.0"),
        ("p1.1", "p1.0", "p3.0"),
        ("p3.0", "p1.0", ""),
        ("p2.0", "p2.0", ""),
    }
    shown = ballot_slots(texts, RULES["majority"], "", first=False, answer="one")["choices"]
    lines = [line.strip() for line in shown.splitlines()]
    assert 'p1.1: "Buy two umbrellas" (part of p3.0, below; can be voted for by itself)' in lines
    assert f'p3.0: "{BOTH}" (which takes in p1.0 and p1.1)' in shown, "it is no other wording of a part"
    reached = voted(memory, *ballots((BOTH,), (HALL, BOTH), (UMBRELLAS, BOTH), (YARD,), (YARD,), also=()))
    assert (reached.outcome, reached.adopted, reached.also) == (BOTH, (), {})
    assert [len(each) for each in (reached.tally[BOTH], reached.accepted["p3.0"])] == [3, 3]
    memory.fold(reached)
    assert statuses(memory) == {"p1.0": "merged", "p1.1": "merged", "p2.0": "not chosen", "p3.0": "accepted"}


def test_a_part_of_the_joined_text_that_most_want_by_itself_is_adopted_beside_it() -> None:
    """Four of four wanted a telephone for either answer; it went under as a part of one."""
    memory = debated(*TALK)
    reached = voted(memory, *ballots((BOTH,), (HALL, BOTH), (BOTH, HALL), (YARD,), (YARD,), also=(UMBRELLAS, HALL)))
    assert (reached.version, [(each.id, len(each.voters)) for each in reached.adopted]) == ("p3.0", [("p1.1", 5)])
    (beside,) = (line for line in verdict_lines(reached) if line.startswith("also adopted"))
    named = "“Buy two umbrellas” (p1.1)"
    assert beside == f"also adopted: {named}, 5 of 5 want it; it is also a part of what was decided"
    memory.fold(reached)
    assert statuses(memory) == {"p1.0": "merged", "p1.1": "accepted", "p2.0": "not chosen", "p3.0": "accepted"}


def test_a_part_that_few_want_by_itself_is_taken_into_the_joined_text() -> None:
    """A line "not adopted" would read as if the umbrellas were lost."""
    memory = debated(*TALK)
    cast = ballots((BOTH,), (BOTH,), (BOTH,), (YARD,), (YARD,), also=())
    reached = voted(memory, cast[0].model_copy(update={"also": (UMBRELLAS,)}), *cast[1:])
    memory.fold(reached)
    assert statuses(memory)["p1.1"] == "merged"


def test_a_measure_that_is_older_than_the_answer_is_the_part_and_not_the_answer() -> None:
    """The oldest text gives a joined motion its id, and would have made the answer a thing beside the telephone."""
    memory = debated(
        ("Eli", f"So.\n[PROPOSE] {UMBRELLAS}"),
        ("Rosa", f"So.\n[PROPOSE] {HALL}"),
        ("Minh", f"So.\n[AMEND p2.0 p1.0] {BOTH}"),
    )
    reached = voted(memory, *ballots((BOTH,), (BOTH,), (BOTH,), (HALL,), (HALL,)))
    assert (reached.version, [each.id for each in reached.adopted]) == ("p3.0", ["p1.0"])


def test_a_measure_that_was_joined_with_one_answer_can_be_wanted_beside_another() -> None:
    """The umbrellas that all wanted fell with the hall."""
    memory = debated(*TALK)
    reached = voted(memory, *ballots((BOTH,), (YARD,), (YARD,), (YARD, BOTH), (BOTH, YARD)))
    assert (reached.outcome, [each.id for each in reached.adopted]) == (YARD, ["p1.1"])
    memory.fold(reached)
    assert statuses(memory) == {"p1.0": "not chosen", "p1.1": "accepted", "p2.0": "accepted", "p3.0": "not chosen"}


@pytest.mark.parametrize(("also", "status"), [((UMBRELLAS,), "accepted"), ((), "not chosen")])
def test_a_part_can_be_wanted_beside_the_other_part(also: tuple[str, ...], status: str) -> None:
    """Where the motion won by an older text, the umbrellas were lost, as another wording of the hall."""
    memory = debated(*TALK)
    reached = voted(memory, *ballots((HALL,), (HALL,), (HALL,), (BOTH,), (UMBRELLAS,), also=also))
    assert (reached.outcome, [each.text for each in reached.adopted]) == (HALL, list(also))
    memory.fold(reached)
    assert statuses(memory) == {"p1.0": "accepted", "p1.1": status, "p2.0": "not chosen", "p3.0": "superseded"}
    count = f"p1.1 [v3.1, majority; adopted with 5 of 5 votes: {', '.join(PANEL)}]"
    assert (count in memory.table().text) == bool(also), "who ranked it as the answer is one of them"


@pytest.mark.parametrize(
    ("wanted", "adopted", "also"),
    [
        ("BBBBC", {"p4.0": 4}, {"p2.0": 4}),
        ("UUCC-", {}, {"p2.0": 2}),
        ("U U UC C C", {"p2.0": 3, "p3.0": 3}, {"p2.0": 3}),
    ],
)
def test_a_vote_for_a_part_alone_is_none_for_the_measure_that_joins_it(
    wanted: str, adopted: dict[str, int], also: dict[str, int]
) -> None:
    """Five of five were told to want "a wording" of two measures of which one wanted the chairs alone."""
    chairs, joint = "Rent ten chairs", "Buy two umbrellas and rent ten chairs"
    memory = debated(
        ("Beatriz", f"So.\n[PROPOSE] {HALL}"),
        ("Minh", f"So.\n[PROPOSE] {UMBRELLAS}"),
        ("Petra", f"So.\n[PROPOSE] {chairs}"),
        ("Rosa", f"Both.\n[AMEND p2.0 p3.0] {joint}"),
    )
    named = {"U": (UMBRELLAS,), "C": (chairs,), "B": (joint,), "UC": (UMBRELLAS, chairs)}
    beside = [named.get(each, ()) for each in (wanted.split() if " " in wanted else wanted)]
    cast = [
        ballot.model_copy(update={"also": texts}) for ballot, texts in zip(ballots(*[(HALL,)] * 5), beside, strict=True)
    ]
    reached = voted(memory, *cast)
    assert {each.id: len(each.voters) for each in reached.adopted} == adopted
    assert {key: len(who) for key, who in reached.also.items()} == also
    memory.fold(reached)
    states = {key: status for key, status in statuses(memory).items() if key in ("p2.0", "p3.0", "p4.0")}
    assert {key for key, status in states.items() if status == "accepted"} == adopted.keys()
    told = [line for line in verdict_lines(reached) if line.startswith("also adopted")]
    assert not any("wording" in line for line in told)


def test_in_a_list_the_joined_text_stands_for_its_parts() -> None:
    """One measure would be adopted twice, by itself and as a part."""
    both = voted(debated(*TALK), *ballots(*[(BOTH, UMBRELLAS)] * 5, also=()), answer="list")
    assert both.outcome == (BOTH,)


@pytest.mark.parametrize(
    "move",
    [
        "[SUPPORT Rosa's joined text] it is cheap",
        "[SUPPORT] Rosa's joined text",
    ],
)
def test_the_one_text_that_joins_others_may_be_named_by_that(move: str) -> None:
    """Of five who stood behind the joined text two were counted for nothing."""
    memory = debated(*TALK, ("Petra", f"Yes.\n{move}"))
    assert memory.unresolved == ()
    assert [(each.reaction, each.to) for each in memory.reactions] == [("support", "p3.0")]


def test_the_joined_text_without_its_author_is_asked_about() -> None:
    """Of several texts it may be any."""
    memory = debated(*TALK, ("Petra", "Yes.\n[SUPPORT the joined text above] it is cheap"))
    assert [each.target for each in memory.unresolved] == ["the joined text above"]
    assert memory.reactions == ()


@pytest.mark.parametrize("move", ["[SUPPORT the joined text]", "[POSITION] not the joined text"])
def test_which_of_several_joined_texts_is_meant_is_not_guessed(move: str) -> None:
    """Half of such votes would be false."""
    memory = debated(
        *TALK, ("Eli", "So.\n[AMEND p2.0 p1.1] Hold the fair in the yard, with umbrellas"), ("Petra", move)
    )
    assert memory.reactions == ()
    assert memory.agents["Petra"].last_position in ("", "not the joined text")


@pytest.mark.parametrize("move", ["[SUPPORT p2.7] yes", "[POSITION] p2.7"])
def test_who_names_a_dead_id_is_told_what_that_message_made(move: str) -> None:
    """A member wrote p2.7 three times and was told "does not exist" three times."""
    memory = debated(*TALK, ("Petra", f"Yes.\n{move}"))
    (lost,) = memory.unresolved
    assert lost.why == (Unread("no such id", "p2.7", ids=("p2.0",), now=("",), message=2),)


def test_a_position_of_many_words_that_names_one_member_is_read_at_once() -> None:
    """Each word more doubled the time: a debate stood still over one sentence."""
    position = "for the arrangement that Rosa described yesterday concerning umbrellas and refreshments " * 3
    memory = debated(*TALK, ("Minh", f"So.\n[POSITION] {position}"))
    assert memory.last_position("Minh").startswith("for the arrangement")


def test_what_joins_two_given_answers_is_an_answer_of_its_own() -> None:
    """Two rival options became one motion: votes for either counted for the text that took from both."""
    talk = (
        ("Beatriz", "So.\n[AMEND o1] Hold the fair in the hall, with tables"),
        ("Minh", "So.\n[AMEND o2] Hold the fair in the yard, with tents"),
        ("Rosa", "Both.\n[AMEND p1.0 p2.0] Begin in the hall, and end in the yard"),
        ("Eli", "So.\n[AMEND p3.0] Begin in the hall at nine, and end in the yard"),
    )
    memory = debated(*talk, options=(HALL, YARD))
    assert [(m.id, [v.id for v in m.versions]) for m in memory.motions] == [
        ("o1", ["o1", "p1.0"]),
        ("o2", ["o2", "p2.0"]),
        ("p3.0", ["p3.0", "p4.0"]),
    ]
    texts = slate("Which?", (HALL, YARD), memory.motions).texts
    ballot = (YARD, YARD, talk[3][1].partition("] ")[2], talk[3][1].partition("] ")[2])
    cast = [
        Ballot(agent=who, choice=text, ranking=(text,), approved=(text,))
        for who, text in zip(PANEL, ballot, strict=False)
    ]
    reached = verdict(Account(cast, texts=texts, answer="one"), "majority", 0.5, 1, PANEL)
    assert reached.outcome is None


def test_another_wording_of_what_was_joined_was_taken_in_by_nobody() -> None:
    """A member's middle way, left out of the text that won, was said to be taken into it."""
    memory = debated(
        ("Tobias", "So.\n[PROPOSE] Buy two machines"),
        ("Yusuf", "So.\n[PROPOSE] Keep the bicycles there"),
        ("Marit", "Half.\n[AMEND p2.0] Two machines beside six bicycles"),
        ("Tobias", "Both.\n[AMEND p1.0 p2.0] Buy one machine, and keep the bicycles beside it"),
    )
    texts = slate("Which?", (), memory.motions).texts
    won = next(text for text in texts if text.id == "p4.0")
    ballots = [Ballot(agent=who, choice=won.text, ranking=(won.text,)) for who in ("Tobias", "Yusuf")]
    memory.fold(verdict(Account(ballots, texts=texts, answer="one"), "majority", 0.5, 1, ("Tobias", "Yusuf", "Marit")))
    closed = {text.id: text.status for text in memory.proposals}
    assert (closed["p1.0"], closed["p2.0"]) == ("modified", "merged")
    assert closed["p3.0"] != "merged"
