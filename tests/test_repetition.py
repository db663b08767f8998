"""A reply that says again what was said is asked for once more, then passed; whoever adds something is heard."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from test_resume import places

from eda import Debate, MessagePosted, Prompt, Session, Settings
from eda.events import CallMade, PhaseStarted, SessionEnded, SessionPaused, SessionResumed, TurnPassed
from eda.events.records import Move, Proposal, Reaction
from eda.memory.repetition import KEPT, Repetition, _repeats, _unattributed
from eda.memory.snapshot import dump, load
from eda.runners.scripted import ScriptedRunner
from eda.text import Read

QUESTION = "Should we move the billing service out of the monolith this quarter?"
PANEL = ["sceptic", "historian", "pragmatic-engineer"]
LONG = (
    "The migration costs nine weeks of two engineers, and the invoice batch has failed twice in twelve months. "
    "Moving the service first would give the on-call team a rollback that takes minutes instead of a night. "
    "I would start with the read path, because nobody outside finance depends on its latency."
)
OTHER = (
    "Our customers never see the monolith; they see late invoices. A queue in front of the ledger removes the peak, "
    "needs no new repository, and can be thrown away when the contract with the bank ends in autumn."
)

AGREED = (
    "I agree with Ann: moving the service first would give the on-call team a rollback that takes minutes instead of a "
    "night. And the ledger team could rehearse that in spring, when nobody closes the books."
)


def posted(number: int, who: str, text: str, *moves: Move) -> MessagePosted:
    return MessagePosted(number=number, who=who, text=text, moves=moves)


def heard(*said: tuple[str, str]) -> Repetition:
    repeats = Repetition()
    for number, (who, text) in enumerate(said, 1):
        repeats.hear(posted(number, who, text))
    return repeats


def passed(session: Session) -> list[TurnPassed]:
    return [event for event in session.events() if isinstance(event, TurnPassed)]


@pytest.mark.parametrize(
    "reply",
    [
        LONG,
        LONG.upper(),
        " ".join(reversed(LONG.replace(". ", ".|").split("|"))),
        f"Let me put this as plainly as I can, since time is short. {LONG} Thank you for listening.",
        LONG.replace("engineers", "developers").replace("finance", "accounting"),
    ],
    ids=["copied", "shouted", "reordered", "padded", "renamed"],
)
@pytest.mark.parametrize("who", ["Ann", "Bob"])
def test_what_was_said_is_a_repeat_however_it_is_dressed(who: str, reply: str) -> None:
    """A panel that says one thing for ever spends its reader's money on nothing."""
    assert heard(("Ann", LONG), ("Cem", OTHER)).repeated(who, Read(reply)) == 1


@pytest.mark.parametrize(
    "reply",
    [
        OTHER,
        AGREED,
        f"> {LONG}\n\nThat is where I disagree: nine weeks is what we said about search, and search took a year.",
        f'In m1 it says "{LONG}" The nine weeks leave out the bank, whose certificate alone took us a quarter.',
        "I agree.",
        "Yes, with Ann.",
    ],
    ids=["another", "agreed in a sentence", "quoted lines", "quoted words", "assent", "assent by name"],
)
def test_an_answer_that_takes_up_anothers_words_is_no_repeat(reply: str) -> None:
    """Agreement and quotation are how a panel converges; they must not cost anybody the floor."""
    assert heard(("Ann", LONG), ("Cem", "I agree.")).repeated("Bob", Read(reply)) is None


def test_short_statements_are_repeats_only_where_they_are_nearly_the_same() -> None:
    """`Ship it on Friday` after `Ship it on Monday` is a new word."""
    repeats = heard(("Ann", "Ship the release on Monday after the audit."))
    assert repeats.repeated("Ann", Read("We ship the release on Monday, after the audit!")) == 1
    assert repeats.repeated("Ann", Read("Ship the release on Friday before the demo.")) is None


def test_only_the_last_statements_are_compared() -> None:
    """A point may be made again after a long while; and the cost of a message must not grow with the debate."""
    repeats = heard(
        ("Ann", LONG), *(("Ann", f"Point {n} is about {'abcdefgh'[n]}{n} and nothing else.") for n in range(8))
    )
    assert repeats.repeated("Ann", Read(LONG)) is None
    assert repeats.repeated("Bob", Read(LONG)) == 1
    for number in range(10, 50):
        repeats.hear(posted(number, f"Guest {number % 7}", f"Remark {number} on item{number} and cost{number}."))
    assert repeats.repeated("Bob", Read(LONG)) is None
    assert len(dump(repeats)["latest"]) == KEPT


def test_another_script_than_latin_is_read_too() -> None:
    """A panel that debates in Russian must be neither silenced at its second message nor let run in circles."""
    repeats = heard(("Анна", "Перенос сервиса займёт девять недель и двух инженеров."))
    assert repeats.repeated("Анна", Read("Клиенты видят только опоздавшие счета, поэтому начнём с очереди.")) is None
    assert repeats.repeated("Анна", Read("Перенос сервиса займёт девять недель и двух инженеров!")) == 1


def test_a_new_move_is_new_however_it_is_argued() -> None:
    """Whoever changes its vote with the old words has still changed its vote."""
    repeats = Repetition()
    repeats.hear(posted(1, "Ann", LONG, Move("propose", "Move the read path first.")))
    table = [Proposal("p1.0", 1, "Ann", "Move the read path first.", reactions=(Reaction(2, "Bob", "oppose", "p1.0"),))]
    assert repeats.adds("Bob", [Move("support", "", "p1.0")], table)
    assert repeats.adds("Bob", [Move("propose", "Buy a billing product instead.")], table)
    assert repeats.adds("Bob", [Move("position", "I am for moving it now.")], table, "I am against it.")
    assert not repeats.adds("Bob", [Move("oppose", "still", "p1.0")], table)
    assert not repeats.adds("Bob", [Move("support", "", "p9.0")], table)
    assert not repeats.adds("Bob", [Move("propose", "Move the read path first!")], table)
    assert not repeats.adds("Bob", [Move("note", "it costs nine weeks", importance=900)], table)


@given(st.lists(st.tuples(st.sampled_from("ABC"), st.text(max_size=80)), max_size=45), st.text(max_size=80))
def test_state_saved_and_loaded_judges_the_same(said: list[tuple[str, str]], reply: str) -> None:
    """A resumed debate that lets through what the uninterrupted one passed is another debate."""
    repeats = heard(*said)
    again = load(Repetition, json.loads(json.dumps(dump(repeats))))
    assert dump(again) == dump(repeats)
    for text in (reply, *(text for _, text in said[-3:])):
        assert again.repeated("A", Read(text)) == repeats.repeated("A", Read(text))


@pytest.mark.parametrize("floor", ["bidding", "round-robin", "random"])
def test_a_panel_that_says_one_thing_for_ever_falls_silent(floor: str) -> None:
    """A live lock of repeats would burn the whole budget; here each is asked again, passed twice, and it is over."""
    runner = ScriptedRunner(lambda prompt: f"{prompt.agent} holds: {LONG}")
    debate = Debate("Move it?", PANEL, runner, options=("Yes", "No"), settings=Settings(max_messages=60, floor=floor))
    result = debate.run_sync()
    assert result.reason == "silence"
    assert result.verdict is not None
    assert result.messages <= 6
    facts = list(debate.session.events())
    assert sum(isinstance(fact, CallMade) for fact in facts) < 60
    keys = [(c.purpose, c.agent, c.nth) for c in facts if isinstance(c, CallMade) and c.purpose == "speak"]
    assert len(set(keys)) == len(keys)  # a recording can be replayed


def test_the_second_call_is_shown_what_the_first_repeated_and_what_comes_of_it_is_posted() -> None:
    """An agent that is told "you said that in m2", with the words, can say something else."""
    asked: list[Prompt] = []

    def speak(prompt: Prompt) -> str:
        asked.append(prompt)
        if prompt.attempt == 2:
            return f"Here is what I left out: the bank wants ninety days of notice before change {prompt.last}."
        return (
            LONG
            if prompt.agent == "Ruth"
            else f"{prompt.agent} at {prompt.last}: item{prompt.last} costs {prompt.last}."
        )

    runner = ScriptedRunner(speak, declares=False)
    debate = Debate("Move it?", PANEL, runner, settings=Settings(max_messages=6, floor="round-robin"))
    debate.run_sync()
    again = next(prompt for prompt in asked if prompt.attempt == 2)
    first = next(prompt for prompt in asked if prompt.agent == "Ruth" and prompt.last == again.last)
    assert "m1 of Ruth" in again.own
    assert LONG in again.own.split("# The moderator to you")[1]
    assert again.shared == first.shared
    assert again.own.startswith(first.own)
    said = [event for event in debate.session.events() if isinstance(event, MessagePosted) and event.number == 4]
    assert said[0].text.startswith("Here is what I left out")
    calls = [
        e.attempt for e in debate.session.events() if isinstance(e, CallMade) and e.last == 3 and e.agent == "Ruth"
    ]
    assert calls == [1, 2]
    assert not passed(debate.session)


def test_a_closing_word_may_restate_and_may_not_copy() -> None:
    """The closing asks where one stands, so it repeats by design; a copy of an earlier message says nothing at all."""

    def speak(prompt: Prompt) -> str:
        if prompt.phase == "closing":
            return LONG if prompt.agent == "Ruth" else f"To sum up: item{prompt.agent} stands as I said. {LONG}"
        return (
            LONG if prompt.phase == "opening" and prompt.agent == "Ruth" else f"{prompt.agent} adds fact{prompt.last}."
        )

    debate = Debate("Move it?", PANEL, ScriptedRunner(speak), settings=Settings(max_messages=12, floor="round-robin"))
    debate.run_sync()
    assert [(fact.who, fact.repeats) for fact in passed(debate.session)] == [("Ruth", 1)]
    facts = list(debate.session.events())
    phases = [fact.phase for fact in facts if isinstance(fact, PhaseStarted)]
    assert phases[-1] == "verdict"
    assert isinstance(facts[-1], SessionEnded)


def test_a_debate_with_passed_turns_cut_anywhere_resumes_to_the_same_log(tmp_path: Path) -> None:
    """Power lost between the first call and the second must not give a member a third: cut at half of `places`."""

    def runner() -> ScriptedRunner:
        return ScriptedRunner(lambda p: LONG if p.agent == "Ruth" else f"{p.agent}: item{p.last} costs sum{p.last}.")

    def facts(session: Session) -> list[dict[str, object]]:
        kept = (e for e in session.events() if not isinstance(e, SessionPaused | SessionResumed))
        return [event.model_dump(mode="json", exclude={"seq", "at"}) for event in kept]

    with Session.create("whole", tmp_path) as session:
        Debate("Move it?", PANEL, runner(), settings=Settings(max_messages=9), session=session).run_sync()
        expected = facts(session)
        assert passed(session)
    lines = (tmp_path / "whole" / "events.jsonl").read_bytes().splitlines(keepends=True)
    for kept in places(tmp_path / "whole")[::2]:
        folder = tmp_path / str(kept) / "whole"
        folder.mkdir(parents=True)
        (folder / "events.jsonl").write_bytes(b"".join(lines[:kept]))
        with Session.open(folder) as session:
            Debate.resume(session, runner()).run_sync()
            assert facts(session) == expected, f"cut after line {kept}"


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))])
def test_an_ordinary_debate_flows(seed: int) -> None:
    """The demo must not lose a turn to a false alarm."""
    debate = Debate(QUESTION, options=("Move it", "Wait"), seed=seed, settings=Settings(max_messages=24))
    result = debate.run_sync()
    passes = passed(debate.session)
    closing = next(fact.seq for fact in debate.session.events() if getattr(fact, "phase", "") == "closing")
    assert [fact for fact in passes if fact.why != "nothing new" or fact.seq < closing] == []
    assert result.messages == 24 - len(passes)


def test_who_has_nothing_new_passes_its_closing_word_and_nobody_says_again_what_was_said() -> None:
    """Without it a panel ends with the same paragraph from each, paid for and read by all."""

    def speak(prompt: Prompt) -> str:
        if prompt.phase != "closing":
            return LONG if prompt.last == 4 else f"{prompt.agent} adds fact{prompt.last}."
        return "**[PASS]**" if prompt.agent == "Ruth" else LONG

    debate = Debate("Move it?", PANEL, ScriptedRunner(speak), settings=Settings(max_messages=12, floor="round-robin"))
    debate.run_sync()
    events = list(debate.session.events())
    (number,) = (e.number for e in events if isinstance(e, MessagePosted) and e.text == LONG)
    whys = {fact.who: (fact.why, fact.repeats) for fact in passed(debate.session)}
    assert whys["Ruth"] == ("nothing new", 0)
    assert [repeats for _, repeats in whys.values() if repeats] == [number] * (len(debate.members) - 1)
    assert not [e for e in events if isinstance(e, MessagePosted) and "PASS" in e.text]


@pytest.mark.parametrize("seed", range(6))
def test_a_reply_is_held_against_every_statement_that_it_may_repeat(seed: int) -> None:
    draw = random.Random(seed)
    vocabulary = ["".join(draw.choices("abcdefgh", k=5)) for _ in range(40)]
    repetition, said = Repetition(), [LONG, OTHER]
    for number in range(1, 160):
        words = draw.choice(said).split() if draw.random() < 0.5 else draw.choices(vocabulary, k=draw.randint(3, 40))
        for _ in range(draw.choice((0, 1, 3, 9))):
            words.insert(draw.randrange(len(words)), draw.choice((*vocabulary, f"m{number - 2}", "Ann", '"', ".")))
        said.append(" ".join(words))
        who, reply = draw.choice(("Ann", "Ben", "Cleo")), Read(said[-1])
        others = [each for each in reversed(repetition._latest) if each.who != who]
        alike = (
            each.number
            for each in others
            if len(reply.bag & each.read.bag) >= 4
            and len((own := _unattributed(reply, each)).bag) >= 4
            and _repeats(own, each.read, len(own.bag & each.read.bag))
        )
        if repetition.repeated(who, reply) not in {each.number for each in repetition._own.get(who, ())}:
            assert repetition.repeated(who, reply) == next(alike, None)
        repetition.hear(posted(number, who, said[-1]))
