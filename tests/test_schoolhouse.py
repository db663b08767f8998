"""What a careful debate on a schoolhouse and a careless one on a trailer got wrong when they were played."""

from __future__ import annotations

import pytest

from eda import ConversationMemory, MessagePosted, read_condition
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.state import DebateState
from eda.events import PhaseStarted, SessionStarted, SummaryWritten
from eda.events.model_minutes import Minuted, RangeMinutes
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.table import standing
from eda.panels.persona import Persona
from eda.serve.shown import table_of

PANEL = ("Maya", "Kofi", "Leila", "Gerard")
MEMBERS = tuple(Persona(name=who.lower(), title=who, role="r", description="d", instruction="i") for who in PANEL)
TALK = (
    ("Maya", "A trailer is simple.\n[PROPOSE Own trailer] Buy a used trailer for 2,400"),
    ("Gerard", "Who signs for damage? And who repairs a trailer when it breaks?\n[POSITION] Rules first"),
    ("Kofi", "Cover matters.\n[SUPPORT p1.0] if two drivers are insured"),
    ("Leila", "The boatman repairs it, by his contract.\n[POSITION] p1.0"),
)


def told() -> tuple[ConversationMemory, PromptBuilder]:
    memory, state = ConversationMemory(), DebateState()
    started = SessionStarted(seq=1, session="s", question="How do the boats get to races?", members=MEMBERS)
    said = [
        MessagePosted(seq=number + 2, number=number, who=who, text=text, **read_reply(text, who)._asdict())
        for number, (who, text) in enumerate(TALK, 1)
    ]
    for event in (started, PhaseStarted(seq=2, phase="discussion"), *said):
        memory.fold(event)
        state.fold(event)
    return memory, PromptBuilder(started, memory, state)


def test_who_holds_a_text_as_it_stands_is_for_it() -> None:
    """The table counted for an option nobody who held it."""
    memory, _ = told()
    (text,) = (each for each in memory.proposals if each.id == "p1.0")
    stands = {stance: [who for who, _ in standing(text, stance)] for stance in ("support", "conditional", "oppose")}
    assert stands == {"support": ["Maya"], "conditional": ["Kofi"], "oppose": []}
    assert memory.parts.newest_table().positions == {"p1.0": {"Leila": ""}}, "its id, and no words of her own"


def test_an_answer_by_anybody_closes_its_question_and_no_other() -> None:
    """The report listed first, as open, what the minutes had an answer to."""
    memory, _ = told()
    asked = [
        Minuted(2, "Who signs for damage?", "Who signs for damage?", who="Gerard"),
        Minuted(
            2, "who repairs a trailer when it breaks?", "Who repairs a trailer when it breaks?", who="Gerard", start=26
        ),
    ]
    answer = Minuted(4, "The boatman repairs it", "Who repairs the trailer when it breaks?", to="m2", who="Leila")
    minutes = RangeMinutes(questions=tuple(asked), answered=(answer,))
    memory.fold(SummaryWritten(seq=9, first=1, last=4, level=1, text="They spoke.", by="m", minutes=minutes))
    assert [each.text for each in memory.parts.unanswered] == ["Who signs for damage?"]
    assert memory.parts.answer_to(2, "Three: who repairs a trailer when it breaks?") == 4
    assert memory.parts.answer_to(2, "Who signs for damage?") == 0


@pytest.mark.parametrize(
    ("asked", "by", "says", "left"),
    [
        ("Kofi, who signs for damage?", "Leila", "The boatman has a contract.", 4),
        ("Kofi, who signs for damage?", "Kofi", "The boatman has a contract.", 0),
        ("Kofi, who signs for damage?", "Gerard", "I have my answer now.", 0),
        ("Who signs for damage?", "Leila", "The boatman has a contract.", 4),
        ("Who signs for damage?", "Leila", "The boatman signs for any damage.", 0),
    ],
    ids=["another", "who was asked", "the asker", "beside the point", "to the point"],
)
def test_a_question_that_minutes_close_with_words_of_somebody_else_stands_last(
    asked: str, by: str, says: str, left: int
) -> None:
    """A careless model's minutes closed a question with a sentence that answers another, and nobody saw it again."""
    memory = ConversationMemory()
    memory.fold(SessionStarted(seq=1, session="s", members=MEMBERS))
    talk = (TALK[0], ("Gerard", asked), ("Maya", "When do we start?"), (by, says))
    for number, (who, text) in enumerate(talk, 1):
        to = "Kofi" if text.startswith("Kofi") else None
        memory.fold(
            MessagePosted(seq=number + 1, number=number, who=who, text=text, to=to, **read_reply(text)._asdict())
        )
    questions = (Minuted(2, asked, asked, who="Gerard"), Minuted(3, "When do we start?", "When?", who="Maya"))
    minutes = RangeMinutes(questions=questions, answered=(Minuted(4, says, asked, to="m2", who=by),))
    memory.fold(SummaryWritten(seq=9, first=1, last=4, text="They spoke.", by="m", minutes=minutes))
    closed = [(asked, left)] if left else []
    assert [(each.text, each.answered) for each in memory.parts.unanswered] == [("When do we start?", 0), *closed]
    told = str(memory.table(None))
    assert told.count("Answered in m4, say the minutes") == bool(left)
    page = table_of(DebateState(), memory)["rest"]["asked"]
    assert page == ["m3: When do we start?", *([f"m2: {asked} (Answered in m4, say the minutes)"] if left else [])]
    if left:
        assert told.index("When do we start?") < told.index("who signs" if "Kofi" in asked else "Who signs")


def test_who_is_asked_for_its_price_reads_what_all_read() -> None:
    """Its prompt held the messages once more, without their acts, and none of it was in the cache."""
    memory, builder = told()
    (text,) = (each for each in memory.proposals if each.id == "p1.0")
    asked, spoken = builder.terms(MEMBERS[3], text), builder.speak(MEMBERS[3])
    assert asked.shared == spoken.shared
    assert "  supports p1.0, on a condition: if two drivers are insured" in asked.text


def test_when_a_gain_sets_in_is_no_sure_condition() -> None:
    """ "cheaper than hire after ten races" was counted as a support after ten races."""
    assert read_condition("cheaper than hire after ten races", "support").conditional is None
    assert read_condition("fine by me after the audit", "support").conditional is True


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("p1.0 since it can be undone", True),
        ("p1.0, weil es billig ist", True),
        ("o1 because it ends the rent", True),
        ("o2, Wait", True),
        ("p1.0 as amended", False),
        ("p1.0 because it works only if two drive", False),
        ("p1.0, da es passt, aber nur wenn zwei fahren", False),
        ("p1.0 or o1", False),
    ],
)
def test_a_position_on_an_id_counts_with_its_reason_and_not_with_a_condition(said: str, counts: bool) -> None:
    """ "[POSITION] p5 since it can be undone" was shown beside the text and counted for nobody."""
    memory, text = ConversationMemory(), f"So.\n[POSITION] {said}"
    memory.fold(SessionStarted(session="s", members=MEMBERS, options=("Hire a boatman", "Wait")))
    for number, (who, talk) in enumerate((TALK[0], ("Kofi", text)), 1):
        memory.fold(MessagePosted(number=number, who=who, text=talk, **read_reply(talk, who)._asdict()))
    positions = memory.parts.newest_table().positions.values()
    assert any(each.get("Kofi") == "" for each in positions) == counts, "with words that say more it is shown beside"


def test_a_broken_tag_in_a_fence_is_told_whatever_stands_beside_it() -> None:
    """A tag below a line in another's name, in a fence, was neither counted nor told."""
    text = "So.\nMaya: I withdraw p1.0.\n\n```\n[SUPORT p1.0] fine\n```\n[UNDECIDED p1.0] the key"
    read = read_reply(text, "Kofi", {"Maya": "", "Kofi": ""})
    assert (read.unknown_tags, [move.kind for move in read.moves]) == (("[SUPORT p1.0]",), ["neutral"])
