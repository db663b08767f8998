"""What an agent is shown: within its budget, nothing twice, whole sentences, the point at hand first."""

from __future__ import annotations

import itertools
import re

import pytest
from folded import posted, told
from hypothesis import given, settings, strategies as st

from eda import SummaryWritten
from eda.errors import UsageError
from eda.events import CallMade, Event, NoteTaken
from eda.memory.context.sections import chosen, shortened
from eda.text import rough_tokens, unbroken


def long_debate(messages: int = 400) -> list[Event]:
    events: list[Event] = []
    for number in range(1, messages + 1):
        topic = ["the budget of the kitchen", "the colour of the doors", "how the roof is to be built"][number % 3]
        text = f"On {topic} I would say number {number} matters, and nobody has looked into it so far."
        if number == 5:
            text = "The supplier in Leipzig needs the signed drawings by the ninth of March, or we lose the slot."
        if number == 6:
            text = "Who sends the drawings to the supplier?"
        if number == 7:
            text = "Ines does, on Monday."
        events.append(posted(number, "ABC"[number % 3], text))
        if number % 12 == 0:
            events.append(SummaryWritten(first=number - 11, last=number, text=f"They talked, part {number // 12}."))
    return events


def test_what_was_said_at_message_five_is_shown_at_message_four_hundred() -> None:
    """The seed of every long debate that goes wrong: somebody said it, and nobody remembers."""
    events = long_debate()
    events.append(posted(401, "A", "Let us come back to the supplier in Leipzig: when did it need the drawings?"))
    context = told(*events).full_context("B")
    recalled = context.section("recalled")
    assert recalled is not None
    assert any(line.startswith("[m5] C: The supplier in Leipzig") for line in recalled.lines)


@pytest.mark.parametrize("late", [False, True])
def test_a_question_anywhere_in_a_long_message_brings_the_sentences_that_answer_it(late: bool) -> None:
    """What members ask of each other stands amid other talk, and was often asked before."""
    other = " ".join(f"The staff of branch {number} were heard, and their view of it is mixed." for number in range(12))
    fact = "Cork's depot costs 4,310 euros a year."
    events: list[Event] = []
    for number in range(1, 91):
        said = f"Nobody has counted lorry {number} yet. {other}"
        if number == 7:
            said = f"{other} It was dear. {fact} They raised it. {other}"
        if number in (20, 30, 40):
            said = f"{other} What does Cork's depot cost us in a year?"
        events.append(posted(number, "ABCDE"[number % 5], said))
        if number % 12 == 0:
            events.append(SummaryWritten(first=number - 11, last=number, text=f"They talked, part {number // 12}."))
    question = "Does anyone still know what Cork's depot costs a year?"
    asking = f"{other} {question}" if late else f"{question} {other}"
    memory = told(*events, posted(91, "B", asking))
    recalled = memory.full_context("C").section("recalled")
    assert recalled is not None
    (answer,) = [line for line in recalled.lines if line.startswith("[m7] ")]
    assert answer == f"[m7] C: [...] It was dear. {fact} They raised it. [...]"
    assert recalled == memory.full_context("D").section("recalled")
    # Nobody asks: the beginnings of the last messages are looked up, as they stand.
    memory.fold(posted(92, "C", f"Cork's depot is one more cost. {other}").model_copy(update={"seq": 200}))
    assert f"{fact} They" in memory.full_context().text


def test_a_question_is_answered_from_the_whole_history() -> None:
    """Whoever is asked aside must find what was said weeks ago, in a budget of one page."""
    context = told(*long_debate()).full_context("B", 500, about="When does the supplier in Leipzig need the drawings?")
    assert "[m5] C: The supplier in Leipzig" in context.text
    assert context.tokens <= 500


def test_an_answer_comes_with_its_question() -> None:
    """'Ines does, on Monday' is the answer; its own words do not say to what."""
    context = told(*long_debate()).full_context(None, 600, about="Who sends the drawings to the supplier?")
    assert "[m6]" in context.text
    assert "[m7]" in context.text


@settings(max_examples=settings().max_examples * 2)
@given(
    sizes=st.lists(st.integers(1, 400), min_size=1, max_size=50),
    budget=st.integers(20, 4000),
    about=st.sampled_from([None, "thing number 7", "what of the word"]),
    counted=st.integers(1, 20),
)
def test_no_context_exceeds_its_budget_and_nothing_stands_twice(
    sizes: list[int], budget: int, about: str | None, counted: int
) -> None:
    """One token too many and the call is refused; a line twice is a line less of something else."""
    events: list[Event] = [
        posted(
            n,
            "AB"[n % 2],
            f"This is thing {n}. " + "word " * size + f"\n[PROPOSE] number {n} of {size}\n[NOTE {n}] n {n}",
        )
        for n, size in enumerate(sizes, 1)
    ]
    events.append(CallMade(purpose="speak", characters=1000, input_tokens=25 * counted))
    memory = told(*events, SummaryWritten(first=1, last=1, text="They began. " * 9))
    for context in (memory.full_context("A", budget, about), memory.brief_context(budget=budget)):
        assert context.tokens <= budget
        assert memory.parts.tokens.of(context.text) <= budget + 2
        messages = re.findall(r"^\[m\d+\]", context.text, re.MULTILINE)
        assert len(messages) == len(set(messages))


def test_a_section_has_what_fits() -> None:
    """Forty notes filled a prompt that had room for few."""
    memory = told(*long_debate(60), *(NoteTaken(who="you", text=f"note {n} of mine: {n * 77}") for n in range(40)))
    context = memory.full_context("A", 700)
    notes = context.section("notes")
    assert notes is not None
    assert 0 < len(notes.lines) < 40


def test_items_about_the_point_at_hand_win_where_not_all_fit() -> None:
    """Forty notes on the colour of the doors, and the one on the supplier left out."""
    words = ["".join(letters) for letters in itertools.permutations("gren", 4)]
    notes = [
        NoteTaken(who="you", text=f"doors {word} {word[::-1]} page{n} {word}house") for n, word in enumerate(words)
    ]
    notes.insert(7, NoteTaken(who="you", text="the supplier in Leipzig closes for the whole of August"))
    memory = told(posted(1, "A", "What do we know of the supplier in Leipzig?"), *notes)
    section = memory.full_context("B", 300).section("notes")
    assert section is not None
    assert any("Leipzig" in line for line in section.lines)
    assert len(section.lines) < len(notes)


def test_a_line_too_long_for_its_room_is_cut_after_a_sentence() -> None:
    """Half a sentence can say the opposite of the whole."""
    text = "We move in July. Nobody may say that we do not. " * 40
    assert rough_tokens(len(shortened(text, 30))) <= 30
    assert shortened(text, 30).removesuffix(" [...]").endswith(".")
    assert shortened("word " * 200, 20) == ""
    section = chosen("notes", "Notes", (text,), 40)
    assert section.lines
    assert section.tokens <= 40


def test_private_notes_are_in_no_context() -> None:
    """A person's own doubt about a member must not be read by that member."""
    memory = told(
        posted(1, "A", "Let us begin."),
        NoteTaken(who="you", text="A is bluffing about the supplier", importance=1000, private=True),
        NoteTaken(who="you", text="ask about the roof", importance=1),
    )
    for context in (memory.full_context("A"), memory.brief_context(), memory.full_context(None, about="the supplier")):
        assert "bluffing" not in context.text
    assert "ask about the roof" in memory.full_context("A").text


def test_an_empty_question_is_an_error() -> None:
    """A search for nothing once stood in for 'the last messages', and nobody noticed."""
    memory = told(*long_debate(20))
    for empty in ("", "   "):
        with pytest.raises(UsageError):
            memory.full_context(about=empty)
        with pytest.raises(UsageError):
            memory.recall(empty)


def test_the_beginning_of_the_prompt_stays_put_while_a_debate_goes_on() -> None:
    """Providers cache what begins the same; a beginning that moves every turn is paid in full every turn."""
    memory = told()
    starts = []
    for seq, event in enumerate(long_debate(200), 2):
        memory.fold(event.model_copy(update={"seq": seq}))
        context = memory.full_context("A", 2000)
        shared = [section.text for section in context.sections if section.name in ("summaries", "transcript")]
        starts.append("\n".join(shared)[:400])
    assert len(set(starts[60:])) <= len(starts[60:]) / 6


def test_all_agents_share_the_beginning() -> None:
    """Five agents with five beginnings pay five times."""
    memory = told(*long_debate(80), posted(81, "A", "Mine.\n[POSITION] for the roof"))
    mine, other = (memory.full_context(agent) for agent in ("A", "B"))
    for name in ("summaries", "transcript"):
        assert mine.section(name) == other.section(name)


def test_a_text_on_one_line_has_no_line_end_of_any_kind() -> None:
    """A member could begin a line of the table that the engine never wrote."""
    assert unbroken(" Wait\r\nfor\u2028the \t pump\n") == "Wait for the pump"
