"""Who concedes a point, or backs an idea in a text, has not supported the text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from folded import debated

from eda import ConversationMemory
from eda.events.acts import Act, Unread

WHOLE = "Vacant plots are offered whole and strictly in the order of the waiting list, with fourteen days to answer."


def answered(said: str) -> ConversationMemory:
    return debated(("Walter", f"[PROPOSE] {WHOLE}"), ("Beatriz", f"It is far.\n\n{said}"))


@pytest.mark.parametrize("tag", ["[CONCEDE p1.0]", "[CONCEDE]"])
def test_a_tag_that_concedes_is_no_support_and_its_author_is_told(tag: str) -> None:
    """ "He is right" behind it was counted as a vote for all of his text."""
    memory = answered(f"{tag} he is right")
    lost = Act("tag", text=tag, counted=False, unread_because=(Unread("no such tag"),))
    assert (memory.reactions, memory.acts(2)) == ((), (lost,))
    assert memory.unread("Beatriz") == (2, (replace(lost, why="he is right"),))


@pytest.mark.parametrize(
    "said", ["I concede that point to Walter: a trial season is wise.", "I concede that.", "I concede p1.0."]
)
def test_a_concession_in_prose_is_no_act_and_no_fault(said: str) -> None:
    memory = answered(said)
    assert (memory.reactions, memory.acts(2), memory.unread("Beatriz")) == ((), (), (0, ()))


@pytest.mark.parametrize(
    "said",
    ["[SUPPORT] the idea of Walter with the fourteen days", "[SUPPORT] the part of Walter's text with the order"],
)
def test_support_of_an_idea_in_a_text_that_has_more_is_unresolved(said: str) -> None:
    """Who wants the notice was counted for the whole of a text that it opposes."""
    memory = answered(said)
    assert memory.reactions == ()
    assert memory.unresolved[0].why == (Unread("part", ids=("p1.0",)),)


@pytest.mark.parametrize(
    "said",
    ["[SUPPORT Walter's idea] yes", f"[SUPPORT] the idea of Walter, plots {WHOLE.removeprefix('Vacant plots ')}"],
)
def test_support_of_an_idea_that_is_the_text_counts(said: str) -> None:
    assert [(each.reaction, each.to) for each in answered(said).reactions] == [("support", "p1.0")]


def test_a_german_genitive_is_the_name_of_whoever_has_it() -> None:
    """ "Ilses Vorschlag" named no text, and a support with its condition was lost."""
    put = (("Ilse", "[PROPOSE] Build a cistern."), ("Ada", "[PROPOSE] Build a shed."))
    says = "[SUPPORT Ilses Vorschlag] wenn es trocken bleibt"
    backed = debated(*put, ("Kuno", says)).reactions
    assert [(each.to, each.conditional) for each in backed] == [("p1.0", True)]
    other = debated(*put, ("Ilses", "[PROPOSE] Build a fence."), ("Kuno", says)).reactions
    assert [each.to for each in other] == ["p3.0"]
    assert debated(*put, ("Ilse", "[PROPOSE] Plant a hedge."), ("Kuno", says)).reactions == ()


def test_a_position_on_a_members_one_live_text_is_on_that_text() -> None:
    """It was kept as words, and the text had one backer less."""
    assert answered("[POSITION] Walter's text").last_position("Beatriz") == "p1.0"
    assert answered("[POSITION] not Walter's text").last_position("Beatriz") == "not Walter's text"
