"""A summary is taken only whole: what it must keep, how long it may be, in which words it is asked for."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, strategies as st
from stated import points

from eda import Debate, Session, Settings
from eda.cli import cli
from eda.debate.prompts.texts import Prompts, read_prompts
from eda.errors import UnknownNameError, UsageError
from eda.events import CallMade, SessionPaused, SessionResumed, SummaryWritten
from eda.events.records import Line, Summary
from eda.memory.summaries.due import Due
from eda.memory.summaries.extractive import extractive_summary, open_questions
from eda.memory.summaries.summary_input import (
    CONCISE,
    Item,
    SummaryInput,
    complaints,
    faults,
    length,
    mended,
    mentions,
    shortened,
    unresolved,
)
from eda.runners.protocol import Prompt, Reply
from eda.runners.scripted import ScriptedRunner
from eda.words import Words

LINES = (
    Line(1, "Maya", "The batch window of 5 h 20 min is what worries me most about the billing service. Fine."),
    Line(2, "Ruth", "Who says that the billing service would have a shorter batch window at all?"),
    Line(3, "Tomas", "Yes."),
)
DECISION = Item("decision", 3, "", "Measure the batch window for two weeks", "d3.0")
PROPOSAL = Item("proposal", 1, "Maya", "Move the billing service into a process of its own", "p1.0")
MATERIAL = SummaryInput(Due(1, 3), (DECISION, PROPOSAL, *open_questions(LINES)), lines=LINES)
GOOD = "Maya (m1): move it, p1.0. Ruth (m2) doubts that the batch window would be shorter. Decided: measure it, d3.0."


@pytest.mark.parametrize(
    "said",
    [
        "It was decided as in d3.0.",
        "They will measure the batch window for two weeks.",
        "In m3 they chose to measure first.",
        "The batch window gets measured. Two weeks it is.",
    ],
)
def test_an_item_is_named_by_id_by_its_words_or_by_its_message_and_some_words(said: str) -> None:
    """A summary in other words must not be sent back, at the price of another call."""
    assert mentions(said, DECISION)


@pytest.mark.parametrize("said", ["", "See d3.01.", "They met in m3.", "The window stays open.", "d13.0 was decided."])
def test_another_text_does_not_name_it(said: str) -> None:
    """A summary that lost a decision must not pass for one that has it."""
    assert not mentions(said, DECISION)


def test_what_is_whole_has_nothing_to_complain_of() -> None:
    """A good summary is taken at once, as it is."""
    assert complaints(GOOD, MATERIAL) == ()
    assert mended(GOOD, MATERIAL) == GOOD


def test_what_was_lost_is_named_and_added_as_a_list() -> None:
    """A decision that a model left out twice must still stand in the only text that is left of its range."""
    wrong = complaints("They talked.", MATERIAL)
    assert [line.split(":")[1].split()[0] for line in wrong] == ["Decided", "Proposed", "[UNRESOLVED]"]
    text = mended("They talked.", MATERIAL)
    assert text.startswith(
        "They talked.\nAlso:\n- Decided: Measure the batch window for two weeks (m3).\n- Proposed by"
    )
    assert "[UNRESOLVED] Ruth (m2): Who says" in text
    assert complaints(text, MATERIAL) == ()


def test_what_a_summary_of_quotations_lacks_is_listed_by_its_own_words_and_in_its_language() -> None:
    """A text was not listed, since a sentence of its message that says something else shares a word with it.

    "Also: - Proposed by Nele" stood below German quotations.
    """
    quote = 'Maya (m1): "The billing service worries me."'
    assert "p1.0" not in mended(quote, MATERIAL)
    assert "Move the billing service" not in mended(quote, MATERIAL), "prose may tell of a text in other words"
    for language, told in (("en", "Also:\n- Decided: "), ("de", "Außerdem:\n- Entschieden: ")):
        whole = mended(quote, MATERIAL, Words(language), quotes=True)
        assert whole.startswith(f"{quote}\n{told}"), whole
        assert "Move the billing service into a process of its own (m1)" in whole
        backed = f'{quote}\nRuth: for p1.0 (m2): "it is small".'
        assert "process of its own (m1)" in mended(backed, MATERIAL, Words(language), quotes=True), "an id has no words"
        fold = SummaryInput(Due(1, 24, 2), sources=(Summary(1, 12, whole), Summary(13, 24, "On.")))
        assert told[:4] not in extractive_summary(fold), "the head of the list is no sentence"


def test_a_summary_that_is_far_too_long_is_cut_at_a_sentence_and_not_refused() -> None:
    """A good summary was refused for three words too many; cut after the list, it would lose what had been saved."""
    long = "They said a great many things about it all. " * 60
    assert (*faults(long, MATERIAL),) == ()
    text = mended(long, MATERIAL)
    told, _, listed = text.partition("\nAlso:")
    assert told.endswith(".")
    assert 250 < length(told) <= 260
    assert "Measure the batch window" in listed
    good = f"{GOOD} {'They went on about the window for a while. ' * 20}".strip()
    assert 163 < length(good) < 260
    assert complaints(good, MATERIAL) == ()
    assert mended(good, MATERIAL) == good


@given(st.text(max_size=400), st.lists(st.text("abcdefg hij.?12", min_size=1, max_size=60), max_size=12))
def test_whatever_a_model_wrote_nothing_is_lost_from_the_completed_summary(text: str, said: list[str]) -> None:
    """The facts must not depend on the care of a model: what it left out is in the list, as far as that is bounded."""
    items = tuple(Item("proposal", n, "A", what, f"p{n}.0") for n, what in enumerate(said, 1) if what.strip())
    lines = tuple(Line(n, "AB"[n % 2], what) for n, what in enumerate(said, 1))
    material = SummaryInput(Due(1, 12), items, lines=lines)
    whole = mended(text, material)
    assert length(whole) <= 2 * (CONCISE + 100) + 20
    lacking = len(complaints(whole, material)) > len([*faults(whole, material)])
    assert not lacking or not whole or "not told here" in whole


def test_a_fold_keeps_what_is_unresolved() -> None:
    """A question of last week that nobody answered must not vanish when its summary is folded."""
    text = "They met.\n[UNRESOLVED] Ruth (m2): Who pays for the migration?"
    sources = (Summary(1, 12, text, open=(1,)), Summary(13, 24, "On."))
    fold = SummaryInput(Due(1, 24, 2), sources=sources)
    assert "Who pays" in complaints("They met and went on.", fold)[0]
    assert complaints("They met. [UNRESOLVED] who pays for the migration.", fold) == ()
    assert "Who pays" in extractive_summary(fold)


@given(st.text(max_size=3000), st.integers(5, 80))
def test_a_shortened_text_is_within_its_bound(text: str, most: int) -> None:
    """One summary that ignores its bound pushes the others out of the context."""
    assert length(shortened(text, most)) <= most + 2


def test_an_extractive_summary_has_the_sections_in_order_and_who_said_what() -> None:
    """Without a model a reader still gets the key points, who stood where, decisions and what is open."""
    stood = (Item("agreement", 3, "Tomas", PROPOSAL.text), Item("disagreement", 2, "Ruth", PROPOSAL.text))
    lines = extractive_summary(replace(MATERIAL, items=(*MATERIAL.items, *stood))).splitlines()
    begins = ["Maya (m1): The batch", "Ruth (m2): Who", "Agreed: Tomas", "Disagreed: Ruth", "Decided: Measure"]
    begins += ["Proposed by Maya: Move", "[UNRESOLVED] Ruth (m2): Who says"]
    assert len(lines) == len(begins)
    assert all(line.startswith(begin) for line, begin in zip(lines, begins, strict=True))


def test_a_question_that_was_answered_is_not_open() -> None:
    """Whoever reads that a question is unresolved asks it again."""
    assert [item.who for item in open_questions(LINES)] == ["Ruth"]
    assert open_questions(LINES, (Line(4, "Maya", "Ruth, the vendor measured it."),)) == ()
    assert open_questions(LINES, (Line(4, "Maya", "See m2: nobody did."),)) == ()
    assert len(open_questions(LINES, (Line(4, "Ruth", "A shorter batch window, I ask."),))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "So what does the cap buy us in the end? A reason to upgrade, and nothing else.",
        "Think of a school. Who would not take fifteen free months of it? I would.",
        'A fix for "where is my appointment and who has it?" would take more load off than the end of the plan.',
        "We write it down today. Is that not what a pilot is for, right?",
    ],
)
def test_a_question_for_effect_is_not_open(text: str) -> None:
    """A rhetorical question had to stand in the summary as unresolved, or the summary was refused."""
    assert open_questions((Line(1, "Tomas", text), Line(2, "Petra", "I move on to the queue."))) == ()


@pytest.mark.parametrize(
    "text",
    [
        "And nobody has answered me: is a free account 0.38 or 1.10? Until then I cannot say what a cap saves.",
        "Petra, does that form of the price have your signature? And put 0.38 or 1.10 on a date.",
        "The plan can be switched off. Who replaces the two people that I lose in January?",
    ],
)
def test_a_question_that_somebody_wants_answered_is_open(text: str) -> None:
    """A question that nobody took up must not vanish with its messages."""
    assert len(open_questions((Line(1, "Tomas", text), Line(2, "Petra", "I move on to the queue.")))) == 1


@given(st.lists(st.tuples(st.sampled_from("ABC"), st.text(max_size=400)), max_size=30))
def test_an_extractive_summary_is_bounded_and_never_empty(said: list[tuple[str, str]]) -> None:
    """A 0-character summary, or one longer than its bound, helps nobody."""
    material = SummaryInput(Due(1, 30), lines=tuple(Line(n, who, what) for n, (who, what) in enumerate(said, 1)))
    text = extractive_summary(material)
    assert text
    assert length(text) <= CONCISE + 10


def speech(prompt: Prompt) -> str:
    """A turn that depends on every letter of its prompt, and is like no other."""
    word = hashlib.sha256(prompt.text.encode()).hexdigest()
    said = f"{word[:9]} and {word[9:20]} stand against {word[20:33]} with {word[33:44]} in mind."
    return f"{said}\n\n[PROPOSE] Do {word[44:56]}" if prompt.last % 5 == 0 else said


def answer(prompt: Prompt) -> str | Reply:
    if prompt.purpose != "summarise":
        return speech(prompt)
    digest = hashlib.sha256(prompt.text.encode()).hexdigest()
    told = points(prompt, 3 + int(digest[0], 16))
    return json.dumps({"summary": told[int(digest[1], 16) % len(told) :]})


def debate(session: Session, reply=answer, *, messages: int = 29, every: int = 2, prompts=None) -> Debate:
    return Debate(
        "Should we go?",
        ["sceptic", "historian", "pragmatic-engineer"],
        ScriptedRunner(reply, summarises=True),
        settings=Settings(max_messages=messages, summary_every=every, floor="round-robin"),
        session=session,
        prompts=prompts,
    )


def facts(session: Session) -> list[dict[str, object]]:
    skipped = (SessionPaused, SessionResumed)
    return [e.model_dump(mode="json", exclude={"seq", "at"}) for e in session.events() if not isinstance(e, skipped)]


@pytest.mark.parametrize("third", [0, *(pytest.param(third, marks=pytest.mark.long) for third in (1, 2))])
def test_a_debate_cut_in_the_middle_of_a_fold_goes_on_as_if_it_was_not(tmp_path: Path, third: int) -> None:
    """Every reply here hangs on every letter of its prompt: one word more in a summary changes all that follows."""
    with Session.create("whole", tmp_path) as session:
        debate(session).run_sync()
        expected = facts(session)
        folds = [e for e in session.events() if isinstance(e, SummaryWritten) and e.level > 1]
        seq = folds[0].seq
    assert len(folds) >= 2
    assert all(fold.by == "scripted" for fold in folds)
    lines = (tmp_path / "whole" / "events.jsonl").read_bytes().splitlines(keepends=True)
    for kept in range(seq - 12 + third, seq + 3, 3):
        target = tmp_path / str(kept)
        (target / "whole").mkdir(parents=True)
        (target / "whole" / "events.jsonl").write_bytes(b"".join(lines[:kept]))
        with Session.open("whole", target) as session:
            Debate.resume(session, ScriptedRunner(answer, summarises=True)).run_sync()
            assert facts(session) == expected, f"cut after line {kept}"


def test_no_two_calls_of_a_debate_have_one_name() -> None:
    """A recording finds a call by its name: a fold and a summary that end with one message must not be mixed up."""
    session = Session.in_memory()
    debate(session).run_sync()
    calls = [e for e in session.events() if isinstance(e, CallMade) and e.purpose == "summarise"]
    assert [call.nth for call in calls] == list(range(1, len(calls) + 1))
    assert {e.level for e in session.events() if isinstance(e, SummaryWritten)} >= {1, 2}


def test_prose_is_asked_again_once_in_the_form_and_then_code_picks() -> None:
    """What a model says of a debate in its own words nobody can check."""
    asked: list[Prompt] = []

    def careless(prompt: Prompt) -> str:
        if prompt.purpose == "summarise":
            asked.append(prompt)
            return "They talked."
        return speech(prompt) if prompt.last else f"{speech(prompt)}\n\n[PROPOSE] Go on {prompt.agent} road"

    session = Session.in_memory()
    debate(session, careless, messages=12, every=6).run_sync()
    summaries = [e for e in session.events() if isinstance(e, SummaryWritten)]
    first = [prompt for prompt in asked if prompt.last == 6]
    assert [prompt.attempt for prompt in first] == [1, 2]
    assert "It is prose" in first[1].text
    assert "It is prose" not in first[0].text
    assert "This is what you wrote, as data:\n\n    They talked." in first[1].text
    assert (summaries[0].by, "They talked" in summaries[0].text) == ("extractive", False)
    assert first[0].answer is not None


def test_an_empty_reply_is_asked_again_as_one_that_was_empty() -> None:
    """ "This is what you wrote: None. It is prose" was said of a reply without a word."""
    asked: list[Prompt] = []

    def silent(prompt: Prompt) -> str:
        asked.extend([prompt] * (prompt.purpose == "summarise"))
        return "" if prompt.purpose == "summarise" else speech(prompt)

    debate(Session.in_memory(), silent, messages=12, every=6).run_sync()
    again = [prompt.text for prompt in asked if prompt.last == 6 and prompt.attempt == 2]
    assert len(again) == 1
    assert "This is what you wrote, as data:\n\n    (an empty answer)" in again[0]
    assert "- Your answer was empty" in again[0]
    assert "It is prose" not in again[0]


def test_own_prompts_are_used_and_kept_with_the_session(tmp_path: Path) -> None:
    """A resume must ask in the user's words, also where their folder is gone."""
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "summarise-concise.md").write_text("NOTARY {{first}}: {{messages}}")
    asked: list[str] = []

    def listening(prompt: Prompt) -> str | Reply:
        if prompt.purpose == "summarise":
            asked.append(prompt.text)
        return answer(prompt)

    session = Session.in_memory()
    own = read_prompts(tmp_path / "prompts")
    ran = debate(session, listening, messages=9, every=6, prompts=own)
    ran.run_sync()
    assert "[m1] " in asked[0]
    assert "NOTARY 1: (m1 to m6 stand above." in asked[0]
    assert session.started().prompts == own
    Debate.resume(session, ScriptedRunner(listening, summarises=True), max_messages=15).run_sync()
    assert "NOTARY 10: (m10 to m15 stand above." in asked[-1]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("sumarise-concise", "{{messages}}", "sumarise-concise.md"),
        ("summarise-concise", "{{messages}} {{mesages}}", "unknown slot {{mesages}}"),
        ("summarise-concise", "Sum it up.", "lacks the slot {{messages}}"),
        ("silence", " \n", "is empty"),
    ],
)
def test_a_prompt_that_cannot_work_is_refused_before_the_debate(name: str, text: str, says: str) -> None:
    """A prompt without its messages would be found out only by what it costs."""
    with pytest.raises(UsageError) as caught:
        Prompts({name: text})
    assert says in str(caught.value)
    assert "summarise-concise" in caught.value.hint or isinstance(caught.value, UnknownNameError) or name == "silence"


def test_a_text_of_before_that_does_not_show_the_draft_is_still_taken() -> None:
    """A session with prompts of its own could not be resumed any more."""
    assert Prompts({"summarise-again": "Again: {{wrong}}"}).fill("summarise-again", draft="x", wrong="y") == "Again: y"


def test_a_folder_that_holds_no_prompt_is_said(tmp_path: Path) -> None:
    """A mistyped folder must not run the debate with the shipped words."""
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(UsageError, match="prompt"):
            read_prompts(folder)


def test_prompts_are_an_option_of_a_debate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake in a file is said with its name before a session is made; a good file is kept with the session."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "silence.md").write_text("Anybody? {{agent}}")
    args = ["debate", "Should we go?", "--prompts", "own", "--max-messages", "9"]
    refused = CliRunner().invoke(cli, [*args, "--session", "one"])
    assert refused.exit_code == 2
    assert "silence.md: unknown slot {{agent}}" in refused.stderr
    assert not (tmp_path / "sessions").exists()
    (tmp_path / "own" / "silence.md").write_text("Anybody?")
    assert CliRunner().invoke(cli, [*args, "--session", "one"]).exit_code == 0
    started = Session.read("one", tmp_path / "sessions").started()
    assert started.prompts == {"silence": "Anybody?"}


def test_values_are_never_looked_into_and_shipped_texts_fill() -> None:
    """Text of a member with a slot in it is data."""
    filled = Prompts().fill("summarise-concise", first="1", last="2", words="9", messages="{{first}} {{messages!}}")
    assert filled.endswith("{{first}} {{messages!}}")


def test_a_summary_that_names_lines_it_does_not_have_has_no_question_there() -> None:
    """A session that somebody sent would end a resume with an error of ours."""
    assert unresolved([Summary(1, 12, "They met.", open=(-1, 7, 10**9))]) == []
