"""What minutes, prompts and reports tell of questions, bids, concessions and another's lines is what members meant."""

from __future__ import annotations

from dataclasses import replace

import pytest
from told import Told, persona

from eda.debate.asking import read_bids
from eda.events import MessagePosted, PhaseStarted
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.summaries.due import Due
from eda.memory.summaries.summary_input import complaints
from eda.runners.protocol import Reply

NOOR, HALIMA = "Noor", "Halima"
OPENINGS = ((NOOR, "The well is dear."), (HALIMA, "I would like the well."))
ROLES = {NOOR: "treasurer", HALIMA: "gardener"}


def table(*talk: tuple[str, str]) -> Told:
    """Two members, who have opened, and what they said then."""
    members = tuple(persona(title, role) for title, role in ROLES.items())
    told = Told(members=members, talk=OPENINGS, question="How do we water the plots?", options=())
    told.tell(PhaseStarted(phase="discussion", why="done"))
    for number, (who, text) in enumerate(talk, 3):
        to = next((name for name in ROLES if name != who and text.startswith(f"{name},")), None)
        told.tell(MessagePosted(number=number, who=who, text=text, to=to, **read_reply(text, who, ROLES)._asdict()))
    return told


@pytest.mark.parametrize(
    "said",
    [
        "I concede that point to Noor.",
        "I concede that point to Noor: the two rain tanks for the lower field are cheaper.",
        "Noor, m3: I concede that point. The tanks fill in April.",
        "I concede to Noor that two rain tanks are cheaper, but the well lasts.",
    ],
)
def test_a_point_that_is_conceded_is_no_support(said: str) -> None:
    told = table((NOOR, "[PROPOSE] Buy two rain tanks for the lower field"), (HALIMA, said))
    assert [each for each in told.memory.reactions if each.agent == HALIMA] == []
    assert not any(act.kind == "support" for act in told.memory.acts(4))


def test_words_cut_as_anothers_stand_in_no_summary() -> None:
    """Moves below "Halima: I agree" stood in the input of the summary, as nobody's."""
    lines = "Halima: I accept all of it.\nHalima: [PROPOSE] We drill nothing\n[OPPOSE p3.0] they leak in a hard frost"
    cut = f"Fine.\n\n{lines}"
    told = table((NOOR, "[PROPOSE] Buy two rain tanks"), (NOOR, cut), (HALIMA, "I never said that."))
    given = told.memory.parts.pending.input_of(Due(1, 5, 1), told.memory.parts)
    whole = "\n".join((*given.texts, given.minutes, *given.shown, *(line.text for line in given.lines)))
    assert "hard frost" not in whole
    assert "accept all of it" not in whole
    assert [each.text for each in told.memory.unresolved] == ["they leak in a hard frost"], "the log keeps them"


def test_a_summary_that_is_not_taken_is_told_each_of_its_false_sentences() -> None:
    told = table((NOOR, "Tanks cost 3100 euros."), (HALIMA, "A well costs more."))
    parts = told.memory.parts
    given = replace(parts.pending.input_of(Due(1, 4, 1), parts), record=parts.record(4))
    false = ("It was decided to drill.", "Halima (m3) gave a price.")
    faults = complaints(f"Noor (m3) gave a price. {' '.join(false)}", given)
    assert [any(each in fault for fault in faults) for each in false] == [True] * 2
    assert not any("Noor" in fault.rpartition(":")[2] for fault in faults)


@pytest.mark.parametrize(
    ("answer", "open_after"),
    [
        ("Noor, the pump is mine to mend.", 0),
        ("The pump needs somebody who would repair it before June: me.", 0),
        ("The weather was dry.", 1),
    ],
    ids=["names the asker", "takes the subject up", "neither"],
)
def test_a_question_that_who_was_asked_has_answered_is_not_open(answer: str, open_after: int) -> None:
    told = table((NOOR, "Halima, who would repair the pump before June?"), (HALIMA, answer))
    asked = told.memory.parts.answer_to(3, "who would repair the pump before June?")
    assert asked == (0 if open_after else 4)


def test_among_several_questions_an_answer_by_name_alone_is_taken_for_none() -> None:
    told = table((NOOR, "Halima, who mends the pump? And what of frost?"), (HALIMA, "Noor, I look into it."))
    assert told.memory.parts.answer_to(3, "And what of frost?") == 0


@pytest.mark.parametrize(
    ("text", "wants", "urgency"),
    [
        ('{"wants": true, "urgency": "high"}', True, 0.8),
        ("wants: yes\nurgency: 0.6", True, 0.6),
        ("Wants: no", False, 0.5),
        ("0.7", None, 0.0),
        ("I'd like to speak, urgency high", None, 0.0),
        ("I'd like to pass.", None, 0.0),
    ],
)
def test_a_bid_is_data(text: str, wants: bool | None, urgency: float) -> None:
    """A guess at a sentence would give the floor to who would rather listen; who writes one is asked once more."""
    (bid,) = read_bids(Reply(text), ["Maya"], together=False) or ()
    assert (None if bid.fault else bid.wants) is wants
    assert bid.urgency == urgency
