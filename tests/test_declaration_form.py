"""What the form for declarations offers, quotes and asks about."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from folded import debated
from told import Told, persona

from eda import Settings
from eda.debate.prompts.ballot_prompt import acts_schema
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.prompts.slots import in_words, to_deny, uncounted
from eda.debate.state import DebateState
from eda.events import PhaseStarted, SummaryWritten
from eda.memory.minutes.model_minutes import read_answer
from eda.memory.summaries.due import Due
from eda.runners.answers import DeclaredAct

MEMBERS = (persona("Ada", "reader"), persona("Ben", "treasurer"))


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        (
            "The pump needs a name on it. Without it I'm out.",
            "The pump needs a name on it. Without it I'm out",
        ),
        (
            "Die Pumpe braucht Öl. Ohne das bin ich raus.",
            "Die Pumpe braucht Öl. Ohne das bin ich raus",
        ),
        ("The barrels leak. Without a lid I am out.", "Without a lid I am out"),
        ("Die Tonnen sind leck. Ohne den Deckel bin ich raus.", "Ohne den Deckel bin ich raus"),
    ],
)
def test_a_condition_that_points_back_is_asked_about_with_the_sentence_that_it_points_to(message: str, asked: str):
    """Its author was asked whether its support depends on "Without it I'm out", and nobody else knew what "it" is."""
    memory = debated(("Ada", f"{message}\n\n[SUPPORT o1]"), options=("Wrap the pump", "Sell it"))
    assert [each.condition for each in memory.unclear_supports("Ada")] == [asked]


def test_a_denial_of_a_number_is_asked_what_it_means_where_that_message_claims_something():
    """ "7 holds no claim: name the message, as in [DENY m8]" was told of a message that did."""
    claims = ("Ben", "I have counted.\n\n[CONSENSUS] We all want the pump wrapped.")
    memory = debated(("Cleo", "It rains."), claims, ("Ada", "Not so.\n\n[DENY 2] nobody asked me\n[DENY 1] nor here"))
    told = [each for act in memory.unread("Ada")[1] for each in act.unread_because]
    assert [(each.kind, each.words, each.ids) for each in told] == [("no letter", "2", ("m2",)), ("no claim", "1", ())]


def test_a_member_may_deny_what_others_claim_and_no_message_of_its_own():
    """The form listed its own last message alone, and the claim that all heard could not be denied in it."""
    claims = ("Ben", "I have counted.\n\n[CONSENSUS] We all want the pump wrapped.")
    memory = debated(claims, ("Ada", "So be it. [DENY m1 m3 m9]"), ("Cleo", "It rains."))
    lost = "[DENY m1 m3 m9], of m2"
    assert [*to_deny("Ada", lost, memory, lambda _: True)] == ["m1", "m3"]
    assert [*to_deny("Ben", lost, memory, lambda _: True)] == ["m3", "m2"]
    assert [*to_deny("Ada", "", memory, lambda number: number > 1)] == []
    does = acts_schema(DeclaredAct, ["p1.0"])["properties"]["acts"]["items"]["properties"]["does"]["enum"]
    assert "deny" not in does
    assert (
        "deny" in acts_schema(DeclaredAct, ["p1.0", "m1"])["properties"]["acts"]["items"]["properties"]["does"]["enum"]
    )


@pytest.mark.parametrize("claims", [True, False])
def test_the_form_says_what_may_be_denied_where_its_schema_lets_it_be(*, claims: bool) -> None:
    """The schema had "deny" and a message, and the words of the form had neither."""
    said = "I have counted.\n\n[CONSENSUS] We all want the pump wrapped." if claims else "I have counted."
    told = Told(talk=(("Ben", said), ("Ada", "So be it.")), members=MEMBERS, question="Which?")
    told.tell(PhaseStarted(phase="discussion", why="done"))
    prompt = PromptBuilder(told.session.started(), told.memory, told.progress).declare(MEMBERS[0], {"p1.0": "Sell it."})
    assert ("hold, deny (on m1), withdraw text" in prompt.text) is claims
    assert ("hold, withdraw text" in prompt.text) is not claims


@pytest.mark.parametrize(
    ("on", "asked"),
    [("p1.0", []), ("p1", []), ("o1", ["o1"]), ("o2", ["o2"]), (None, ["o1", "o2"]), ("p8.0", ["o1", "o2"])],
)
def test_a_condition_of_minutes_on_a_text_that_has_no_support_is_put_to_no_other(on: str | None, asked: list[str]):
    """A member was asked whether its support of the barrels depends on what it said of the pump."""
    put = ("Ben", "I have looked.\n\n[PROPOSE Pump] We wrap the pump.")
    talk = "A lid comes first, that is my price.\n\n[SUPPORT o1] it is dry\n[SUPPORT o2] it is wet\n[SUPORT p1.0]"
    memory = debated(put, ("Ada", talk), options=("Sell the barrels", "Buy a cart"))
    answer = read_answer(json.dumps({"conditions": [{"message": 2, "quote": "A lid comes first", "on": on}]}), None)
    assert answer is not None
    minutes, _ = memory.parts.minuted(Due(1, 2), answer)
    memory.fold(SummaryWritten(first=1, last=2, text="So.", by="model", minutes=minutes))
    assert [each.to for each in memory.unclear_supports("Ada")] == asked


@pytest.mark.parametrize(
    ("who", "said", "meant"),
    [
        ("Ben", "[SUPPORT p1.0] it is near\n[POSITION] the lantern", "p1.0"),
        ("Ada", "[POSITION] a lantern at the ford", "p1.0"),
        ("Ben", "[SUPPORT p1.0] it is near\n[POSITION] Lantern", "p1.0"),
        # Of who backs none, of two texts, of none, and a view of its own.
        ("Ben", "[POSITION] the lantern", ""),
        ("Ben", "[SUPPORT p1.0] it is near\n[SUPPORT o1] so is this\n[POSITION] the lantern and the cart", ""),
        ("Ben", "[SUPPORT p1.0] it is near\n[POSITION] not the lantern", ""),
        ("Ben", "[SUPPORT p1.0] it is near\n[POSITION] wait until the lantern is paid", ""),
        ("Ben", "[SUPPORT p1.0] it is near\n[POSITION] keep the money", ""),
    ],
)
def test_a_position_in_words_of_a_text_that_one_backs_is_told_with_its_id(who: str, said: str, meant: str) -> None:
    """It stood as words, for no text, and its author heard nothing."""
    put = ("Ada", "I say so.\n\n[PROPOSE] A lantern at the ford: we hang it in May.")
    memory = debated(put, (who, said), options=("Buy a cart", "Four soup evenings"))
    state: Any = SimpleNamespace(spoke_at={who: 2}, settings=Settings(), last_answer=DebateState().last_answer)
    persona: Any = SimpleNamespace(title=who)
    _, told = uncounted(persona, state, memory)
    asked = [line.partition("did you mean ")[2] for line in told if "did you mean" in line]
    assert asked == [f"{meant}?"] * bool(meant)
    assert memory.positions.get("p1.0", {}) == {}


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("We never agreed on that, Ben.", ["DENY m2"]),
        ("Einig sind wir uns da nicht.", ["DENY m2"]),
        ("I do not agree that it is dry.", []),
        ("We never agreed on that.\n[DENY m2] nobody asked me", []),
    ],
)
def test_a_denial_in_words_is_told_with_its_tag(said: str, asked: list[str]) -> None:
    """It counted for nothing, and its author heard nothing."""
    claim = ("Ben", "Good. We all agree on the shed.\n[SUPPORT p1.0] it is dry")
    memory = debated(
        ("Ada", "So.\n[PROPOSE] We build a shed in May."), claim, ("Cleo", f"Wait. {said}\n[OPPOSE p1.0] no")
    )
    assert [tag for _, _, tag in in_words("Cleo", 3, memory)] == asked


def test_a_pass_beside_a_courtesy_is_no_lost_tag() -> None:
    """Its author was asked by a form what [PASS] declares."""
    memory = debated(("Ada", "So.\n[PROPOSE] We build a shed in May."), ("Ben", "Same here.\n[PASS]"))
    assert [act.kind for act in memory.acts(2)] == []


@pytest.mark.parametrize("words", ["my own", "mine", "meiner"])
def test_a_position_on_ones_own_is_the_text_that_its_message_puts(words: str) -> None:
    memory = debated(("Ada", f"So.\n[PROPOSE] We build a shed in May.\n[POSITION] {words}"))
    assert memory.last_position("Ada") == "p1.0"
