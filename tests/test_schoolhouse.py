"""What a careful debate on a schoolhouse and a careless one on a trailer got wrong when they were played."""

from __future__ import annotations

import pytest

from eda import ConversationMemory, MessagePosted, read_condition
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.state import DebateState
from eda.debate.terms import unsourced
from eda.events import LineAnswered, OpenQuestion, PhaseStarted, SessionStarted, SummaryWritten
from eda.events.model_minutes import Minuted, RangeMinutes
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.model_minutes import MinutesAnswer
from eda.memory.minutes.proposals import noted
from eda.memory.summaries.due import Due
from eda.memory.table import standing
from eda.panels.persona import Persona
from eda.serve.shown import table_of
from eda.words import ENGLISH

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
    assert [each.text for each in memory.parts.unanswered if not each.answered] == ["Who signs for damage?"]
    assert memory.parts.answer_to(2, "Three: who repairs a trailer when it breaks?") == 4
    assert memory.parts.answer_to(2, "Who signs for damage?") == 0


NAMED = "Its message is named in {}; whether that answers it is not known"


@pytest.mark.parametrize(
    ("answered", "named", "told"),
    [
        (
            13,
            (11, 13, 14),
            f"{NAMED.format('m11')}. Open unless m13 answers it, as the minutes say",
        ),
        (11, (11, 13), "Open unless m11 answers it, as the minutes say"),
        (13, (), "Open unless m13 answers it, as the minutes say"),
        (0, (11, 13), NAMED.format("m11, m13")),
    ],
)
def test_who_named_a_question_before_its_answer_by_the_minutes_is_told(
    answered: int, named: tuple[int, ...], told: str
) -> None:
    """m11 answered a question by its number; the minutes named m13, and m11 was told no more."""
    assert noted(OpenQuestion(9, "Gudrun", "How much is left?", answered=answered, named=named), ENGLISH) == told


@pytest.mark.parametrize(
    ("asked", "by", "says"),
    [
        ("Kofi, who signs for damage?", "Leila", "The boatman has a contract."),
        ("Kofi, who signs for damage?", "Kofi", "I do not know that."),
        ("Who signs for damage?", "Leila", "The boatman signs for any damage."),
    ],
    ids=["another", "who was asked", "to the point"],
)
def test_a_question_that_minutes_close_stands_last(asked: str, by: str, says: str) -> None:
    """A careless model's minutes closed a question with words that answer nothing, and nobody saw it again."""
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
    assert [(each.text, each.answered) for each in memory.parts.unanswered] == [("When do we start?", 0), (asked, 4)]
    told = str(memory.table(None))
    assert told.count("Open unless m4 answers it, as the minutes say") == 1
    assert told.index("When do we start?") < told.index("who signs" if "Kofi" in asked else "Who signs")
    page = table_of(DebateState(), memory)["rest"]["asked"]
    assert page == ["m3: When do we start?", f"m2: {asked} (Open unless m4 answers it, as the minutes say)"]
    memory.fold(MessagePosted(seq=10, number=5, who="Kofi", text="m3 is a good question."))
    named = table_of(DebateState(), memory)["rest"]["asked"]
    assert named == [
        "m3: When do we start? (Its message is named in m5; whether that answers it is not known)",
        page[1],
    ], "as the report has it"
    assert "m3 Maya: “When do we start?” (Its message is named in m5; whether that answers it is not known)" in str(
        memory.table(None)
    ), "and all prompts"
    assert "“When do we start?” (" not in told, "nothing is said where no message names it"
    handed = memory.parts.pending.fix(Due(1, 4), memory.parts).minutes
    assert handed.index("When do we start? (named in m5)") < handed.index("(closed with m4)"), "it may open it again"
    other = ConversationMemory.from_json(memory.to_json())
    other.fold(MessagePosted(seq=11, number=6, who="Gerard", text="My question of m2 is still open."))
    assert {(each.text, each.answered) for each in other.parts.unanswered} == {("When do we start?", 0), (asked, 0)}
    other.fold(MessagePosted(seq=12, number=7, who="Maya", text="I have read m2."))
    assert (7 in other.parts.named(2)) is not asked.startswith("Kofi"), "Maya was not asked"
    again = MinutesAnswer.model_validate({"summary": [], "questions": [{"message": 2, "quote": asked}]})
    reopened, _ = memory.parts.minuted(Due(4, 4), again)
    memory.fold(SummaryWritten(seq=11, first=5, last=5, text="They spoke.", by="m", minutes=reopened))
    assert {(each.text, each.answered) for each in memory.parts.unanswered} == {("When do we start?", 0), (asked, 0)}


@pytest.mark.parametrize(("asked", "sealed", "denied"), [(2, (2, 3), False), (2, (), True), (2, (), False)])
def test_a_question_is_closed_by_words_that_could_reply_to_it_and_that_nobody_denied(
    asked: int, sealed: tuple[int, ...], *, denied: bool
) -> None:
    """A question of a blind opening was closed by one written beside it, since its author was asked aside later."""
    memory = ConversationMemory()
    memory.fold(SessionStarted(seq=1, session="s", members=MEMBERS))
    says = "[DENY m3] I never said so" if denied else "Fine."
    talk = (TALK[0], ("Gerard", "Who signs for damage?"), ("Kofi", "The boatman signs for it."), ("Leila", says))
    for number, (who, text) in enumerate(talk, 1):
        told = {**read_reply(text)._asdict(), "sealed": number in sealed}
        if number == 4:
            memory.fold(PhaseStarted(seq=4, phase="discussion"))
        memory.fold(MessagePosted(seq=number + 1, number=number, who=who, text=text, **told))
    memory.fold(LineAnswered(seq=8, message=3, who="Kofi", answer="asked", moves=()))
    question = Minuted(asked, "Who signs for damage?", "Who signs?", who="Gerard")
    minutes = RangeMinutes(questions=(question,), answered=(Minuted(3, "The boatman signs", to="m2", who="Kofi"),))
    memory.fold(SummaryWritten(seq=9, first=1, last=4, text="They spoke.", by="m", minutes=minutes))
    assert [each.answered for each in memory.parts.unanswered] == [0 if sealed or denied else 3]
    assert memory.parts.answer_to(2, "Who signs for damage?") == (0 if sealed or denied else 3)


@pytest.mark.parametrize(
    ("who", "text", "quote", "left"),
    [
        ("Maya", "The axle is worn. It costs 700 pounds to mend.", "It costs 700 pounds", True),
        ("Maya", "Nobody has asked what it costs.", "Nobody has asked", False),
        ("Maya", "By m1 it costs 700 pounds.", "it costs 700 pounds", True),
        ("Kofi", "By m1 it costs 2,400 pounds.", "it costs 2,400 pounds", False),
        ("Maya", "See axles.md. It costs 700 pounds.", "It costs 700 pounds", False),
        ("Maya", "In m2 Gerard asked who signs.", "Gerard asked", False),
        ("Maya", "In my experience it takes 900 pounds.", "it takes 900 pounds", False),
        ("Maya", "It takes 900 pounds (experience: my own list).", "It takes 900 pounds", False),
        ("Maya", "Meiner Erfahrung nach sind es 900 Pfund.", "sind es 900 Pfund", False),
        ("Maya", "The experience of others is 900 pounds.", "of others is 900 pounds", True),
        ("Kofi", "A used one comes to 2,400 pounds.", "A used one comes to 2,400", False),
        ("Maya", "A used one comes to 2,400 pounds.", "A used one comes to 2,400", True),
        ("Kofi", "for p1.0 if under 700 a year\n[SUPPORT p1.0] if under 700 a year", "under 700 a year", False),
    ],
)
def test_a_figure_without_a_source_is_one_that_no_id_document_or_other_member_names(
    who: str, text: str, quote: str, *, left: bool
) -> None:
    """A question, a condition and a figure of another's message stood as figures without a source."""
    memory, _ = told()
    memory.fold(MessagePosted(seq=8, number=5, who=who, text=text, **read_reply(text)._asdict()))
    answer = MinutesAnswer.model_validate({"summary": [], "unsourced": [{"message": 5, "quote": quote}]})
    assert [quote in each.quote for each in memory.parts.minuted(Due(5, 5), answer)[0].unsourced] == [True] * left


@pytest.mark.parametrize(
    ("quote", "text", "closes"),
    [
        ("By the shop's list it is 2,400", "A used one is 2,400.", True),
        ("I never said so", "A used one is 2,400.", False),
        ("By the shop's list it is 2,400", "Is there money for it?", False),
        ("By the shop's list it is 2,400", "", False),
    ],
)
def test_a_figure_has_a_source_where_its_words_are_repeated_and_the_source_has_it(
    quote: str, text: str, *, closes: bool
) -> None:
    """An answer to a question of its message closed it, and words without the figure were its source."""
    memory, _ = told()
    row = Minuted(4, quote, text, to="m1", who="Leila")
    minutes = RangeMinutes(unsourced=(Minuted(1, "A used one is 2,400.", who="Maya"),), answered=(row,))
    memory.fold(SummaryWritten(seq=9, first=1, last=4, level=1, text="They spoke.", by="m", minutes=minutes))
    assert ("“A used one is 2,400.”" in str(memory.table(None))) != closes
    assert table_of(DebateState(), memory)["rest"].get("unsourced", []) == ["m1: A used one is 2,400."] * (not closes)
    assert unsourced(memory, DebateState()) == "m1" * (not closes)
    assert "(closed with m4)" * closes in memory.parts.pending.fix(Due(1, 4), memory.parts).minutes, (
        "and opens it again"
    )


@pytest.mark.parametrize(
    ("line", "asked"),
    [("[AMEND p1.0] Buy a used trailer for 2,600", "m1"), ("[WITHDRAW p1.0]", ""), ("So be it.", "m1")],
)
def test_a_figure_whose_text_was_replaced_by_an_open_one_is_still_asked_about(line: str, asked: str) -> None:
    """ "Figures or assumptions in m6: the table lists them" left out m10, whose text its author had reworded."""
    memory, _ = told()
    memory.fold(MessagePosted(seq=8, number=5, who="Maya", text=line, **read_reply(line)._asdict()))
    minutes = RangeMinutes(unsourced=(Minuted(1, "A trailer is simple.", who="Maya"),))
    memory.fold(SummaryWritten(seq=9, first=1, last=5, level=1, text="They spoke.", by="m", minutes=minutes))
    assert unsourced(memory, DebateState()) == asked


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
