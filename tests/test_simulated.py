"""The simulated panel: worth watching, honest, and the same on every machine."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from simulated_table import (
    CENTRE,
    LEDGER,
    LIBRARY,
    MONOLITH,
    OPTIONS,
    POLICY,
    PRODUCT,
    SHIPPED,
    Table,
    answer,
    data,
    seated,
    split,
)

from eda import ConversationMemory, MessagePosted
from eda.events.records import Line, Proposal
from eda.events.votes import BallotText
from eda.panels.persona import Persona
from eda.runners.protocol import Runner
from eda.runners.simulated.runner import SimulatedRunner
from eda.runners.simulated.stance import english, label_of, read_position, stance_of


@pytest.fixture(scope="module")
def tables() -> dict[tuple[str, tuple[str, ...]], Table]:
    return {(q, names): Table(q, names).run() for q in OPTIONS for names in (PRODUCT, POLICY)}


def test_a_turn_is_of_a_length_that_is_read(tables):
    """A turn of two words says nothing; one of two pages is skipped."""
    for table in tables.values():
        for line in table.lines:
            assert 10 <= len(line.text.split()) <= 90, line
            assert "\n" not in line.text
            assert all(len(each.split()) <= 40 for each in re.split(r"(?<=[.?!])\s", line.text)), line


def test_no_sentence_is_left_half_filled(tables):
    """The screen would show braces, doubled stops or a lower-case start."""
    for table in tables.values():
        for line in table.lines:
            assert not re.search(r"[{}\[\]%|]|\s[.,;]|\.\.|  ", line.text), line
            assert re.match(r"[“\"A-Z0-9]|[a-z]+\.md|m\d", line.text), line
            assert line.text[-1] in ".?!”", line
            assert "…" not in line.text


def test_the_panel_talks_about_this_question(tables):
    """It would be the same chatter whatever was asked."""
    table = tables[MONOLITH, PRODUCT]
    text = " ".join(line.text for line in table.lines)
    assert text.count("monolith") + text.count("microservices") >= 20


def test_each_persona_speaks_from_its_own_file(tables):
    """A persona written by the user would change nothing."""
    table = tables[MONOLITH, PRODUCT]
    for persona in table.panel:
        own = " ".join(line.text for line in table.lines if line.who == persona.title)
        phrases = (*persona.values, *persona.fears, *persona.moved_by)
        assert sum(phrase.casefold() in own.casefold() for phrase in phrases) >= 4
    assert any(opener in line.text for line in table.lines for persona in table.panel for opener in persona.openers)


def test_colleagues_are_answered_by_name_and_message(tables):
    """Nobody could follow who answers whom."""
    for table in tables.values():
        middle = table.lines[len(table.panel) : -len(table.panel)]
        named = [line for line in middle if re.search(r"\bm\d+\b", line.text)]
        assert len(named) >= len(middle) * 0.6
        for line in middle:
            for number in re.findall(r"\bm(\d+)\b", line.text):
                assert int(number) < line.number


def test_moves_name_what_is_on_the_table(tables):
    """A reaction would point nowhere, and one option would be proposed twice."""
    for table in tables.values():
        assert any(move.startswith("[PROPOSE]") for _, move in table.moves)
        assert any(re.match(r"\[(SUPPORT|OPPOSE|UNDECIDED) p\d", move) for _, move in table.moves)
        closing = [move for _, move in table.moves if move.startswith("[POSITION]")]
        assert len(closing) >= len(table.panel)


def test_minds_change_and_say_so():
    """A debate in which nobody ever moves is no debate."""
    changed = 0
    for seed in range(6):
        table = Table(MONOLITH, seed=seed).run()
        for title in table.prompt.members:
            held = [frozenset(read_position(text, table.prompt.options)) for who, text in table.history if who == title]
            assert all(held), table.history
            changed += len(set(held)) > 1
    assert changed >= 3


def test_a_panel_mostly_reaches_a_majority():
    """The verdict of a first run would be no verdict."""
    reached = 0
    for seed in range(12):
        table = Table(CENTRE, POLICY, seed=seed, documents=()).run()
        votes = [data(table.ask("ballot", persona, "ballot"))["choice"] for persona in table.panel]
        assert set(votes) <= {*table.prompt.options, "none", None}
        reached += max(votes.count(option) for option in table.prompt.options) >= 3
    assert reached >= 6


def test_a_debate_falls_silent_but_not_at_once():
    """It would stop before it began, or run until the limit saying nothing new."""
    for seed in range(4):
        table = Table(CENTRE, PRODUCT, seed=seed, documents=()).run(turns=80)
        assert table.silent_at is not None
        assert table.silent_at >= 3 * len(table.panel)


def test_somebody_begins_where_nobody_has_spoken():
    """A format that opens with free talk would end in silence before a word was said."""
    table = Table(MONOLITH).run(turns=0)
    empty = [
        replace(table.ask("bid", who, "discussion"), lines=(), seed=seed) for seed in range(20) for who in table.panel
    ]
    assert all(data(bid)["wants"] for bid in empty)


def test_whoever_just_spoke_passes():
    """One persona would hold the floor for ever."""
    table = Table(MONOLITH).run(turns=3)
    last = table.lines[-1].who
    persona = next(persona for persona in table.panel if persona.title == last)
    bid = data(table.ask("bid", persona, "discussion"))
    assert bid["wants"] is False
    assert bid["urgency"] == 0


def test_an_addressed_persona_bids_higher():
    """A question to somebody would go unanswered."""
    table = Table(MONOLITH).run(turns=0)
    keiko, other = table.panel[2], table.panel[0]
    plain = table.ask("bid", keiko, "discussion")
    asked = replace(plain, lines=(*plain.lines, Line(99, other.title, f"{keiko.title}, what would it cost?")))
    quiet = replace(plain, lines=(*plain.lines, Line(99, other.title, "What would it cost?")))
    assert data(asked)["urgency"] > data(quiet)["urgency"]


def test_a_bid_is_in_its_text_too():
    """A reader of the stored call would see no bid."""
    reply = asyncio.run(SimulatedRunner().run(Table(MONOLITH).run(1).ask("bid", seated(PRODUCT)[1], "discussion")))
    assert json.loads(reply.text) == reply.data


def test_the_same_prompt_gives_the_same_reply_in_another_process():
    """A resumed session would not be the session that stopped."""
    code = (
        "import asyncio, sys; sys.path.insert(0, 'tests'); from simulated_table import MONOLITH, Table;"
        "t = Table(MONOLITH).run(4); print('\\n'.join(l.text for l in t.lines), t.moves)"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
            cwd=SHIPPED.parent,
        ).stdout
        for seed in ("0", "77")
    }
    assert len(seen) == 1


def test_another_seed_is_another_debate():
    """A study would count one debate many times."""
    assert [line.text for line in Table(MONOLITH, seed=1).run(2).lines] != [
        line.text for line in Table(MONOLITH, seed=2).run(2).lines
    ]


def test_the_text_is_streamed_whole():
    """The screen would show another text than the one that is kept."""
    prompt = Table(MONOLITH).ask("speak", seated(PRODUCT)[0], "opening", 0)
    pieces: list[str] = []
    reply = asyncio.run(SimulatedRunner().run(prompt, pieces.append))
    assert "".join(pieces) == reply.text
    assert len(pieces) > 40
    assert (reply.model, reply.usage.cost) == ("simulated", 0.0)
    assert isinstance(SimulatedRunner(), Runner)


def test_one_firm_colleague_within_the_bound_moves_and_one_beyond_it_does_not():
    """Bounded confidence would be a name only."""
    persona = seated(PRODUCT)[0].model_copy(update={"stubbornness": 0.5})
    table = Table(MONOLITH)
    a, b, _ = OPTIONS[MONOLITH]
    prompt = replace(
        table.ask("speak", persona, "discussion"),
        lines=(Line(6, "Maya", "x"), Line(7, "Petra", "y")),
        positions={"Tomas": f"Leaning towards “{a}”.", "Maya": f"Firmly for “{b}”.", "Petra": f"Firmly for “{b}”."},
    )
    stance = stance_of(prompt)
    assert stance.opinions[a] < 0.42
    deaf = replace(prompt, persona=persona.model_copy(update={"stubbornness": 1.0}))
    assert stance_of(deaf).opinions[a] == pytest.approx(0.42)


@pytest.mark.parametrize("purpose", ["ask", "moderate", "report", "summarise", "poll"])
def test_every_purpose_is_answered(purpose):
    """An engine that asks for it would fail in the middle of a debate."""
    table = Table(MONOLITH).run(turns=2)
    prompt = table.ask(purpose, table.panel[0], "discussion")
    reply = asyncio.run(SimulatedRunner().run(prompt))
    assert reply.text.strip()
    if purpose == "poll":
        assert set(reply.data) == {"choice", "confidence", "change_mind"}
        assert 0 <= reply.data["confidence"] <= 1


def test_a_persona_without_anything_of_ours_still_speaks():
    """A folder of plain agent files would crash the panel."""
    bare = Persona(name="reviewer", title="Reviewer", role="reviews", description="Reviews.", instruction="Review.")
    table = Table(LEDGER, documents=())
    prompt = replace(table.ask("speak", bare, "opening", 0), members=("Reviewer", "Other"))
    assert len(split(answer(prompt))[0].split()) >= 15


def test_without_options_a_yes_no_question_is_held_as_yes_or_no():
    """There would be no position to count."""
    table = Table(LEDGER, documents=()).run(turns=3)
    assert all(read_position(text, ("yes", "no")) for text in table.positions.values())


@pytest.mark.parametrize(
    "question", ["Warum?", "Wie teuer darf es sein — und für wen?", "Why " + "so " * 400 + "?", "Should we?"]
)
def test_any_question_gets_whole_turns(question):
    """A question in another form, or another language, would break the panel."""
    table = Table(LEDGER, documents=())
    table.prompt = replace(table.prompt, question=question)
    for line in table.run(turns=6).lines:
        assert 10 <= len(line.text.split()) <= 90, line
        assert not re.search(r"[{}%]|\s[.,;]|\.\.|  ", line.text), line


def test_an_amendment_is_its_whole_new_wording(tables):
    """Amendments would pile up into a sentence that nobody can read."""
    amended = [move.split("] ")[1] for table in tables.values() for _, move in table.moves if move.startswith("[AMEND")]
    assert amended
    assert all(len(text.split()) <= 38 and text.count(".") == 1 for text in amended)


def test_no_figure_of_speech_is_taken_for_a_stance_or_a_vote():
    """Else "I am with Keiko on ..." replaces the stance that was declared, and the next turn contradicts the last."""
    memory = ConversationMemory()
    memory.fold(MessagePosted(number=1, who="Keiko", text="Well.\n\n[PROPOSE] Move it in two steps."))
    slots = {
        "who": "Keiko",
        "m": "m1",
        "peer": "Keiko",
        "opt": "“Move it”",
        "alt": "“Wait”",
        "stand": "slightly for “Move it”",
    }
    prose = [(role, frame) for role, frames in english().items() for frame in frames if frame[-1] in ".?”"]
    for number, (role, frame) in enumerate(prose, 1):
        text = re.sub(r"\{(\w+)\}", lambda slot: slots.get(slot[1], "plain words"), frame)
        memory.fold(MessagePosted(number=number + 1, who="Ada", text=text))
        assert memory.agents["Ada"].last_position == "", text
        assert not memory.reactions, text
        assert len(memory.proposals) == 1 or role in ("propose", "finding", "amend"), text


def test_who_was_undecided_does_not_say_that_it_has_changed_its_mind():
    """Says "Instead of waiting, ..." from a member that never wanted to wait; the verdict counts no such change."""
    one, two = OPTIONS[LIBRARY]
    table = Table(LIBRARY)
    seat = table.panel[0]
    line = Line(1, "Maya", "Let us see.")
    positions = {seat.title: f"Torn between “{one}” and “{two}”, because.", "Maya": f"Firmly for “{one}”, because."}
    prompt = replace(table.ask("speak", seat, "discussion", 5), lines=(line,), positions=positions)
    stance = stance_of(prompt)
    assert stance.mover == "Maya"
    assert not stance.torn


def test_one_turn_does_not_say_a_phrase_of_its_persona_three_times(tables):
    """A speaker that hopes for, looks for and wants the same thing in four sentences is no demonstration."""
    for table in tables.values():
        for persona in table.panel:
            for line in (each for each in table.lines if each.who == persona.title):
                phrases = (*persona.values, *persona.fears, *persona.moved_by)
                assert max(line.text.casefold().count(phrase.casefold()) for phrase in phrases) < 3, line.text


def test_what_would_change_a_mind_is_a_thing_and_no_sentence():
    """Else: "What would change it: Come back with a session recording and I am all ears." reads like a fault."""
    table = Table(MONOLITH)
    seat = table.panel[0]
    assert data(table.ask("poll", seat, "discussion", 3))["change_mind"] in seat.moved_by


def test_a_choice_that_is_cut_does_not_end_in_an_article():
    """“Nothing in the plan guards against a launch on a” stood in positions and reports."""
    assert label_of("Nothing in the plan guards against a launch on a Friday.").endswith("a launch")
    assert label_of("Say what it is for") == "Say what it is for"


# Minds

TRAJECTORY = """1~ 0.566 -, 2 0.893 -, 0 0.884 -, 2 0.650 -, 0 0.730 -, 2~ 0.264 Anjali, 2 0.491 Maya, 0 0.497 Petra,
2 0.306 Maya, 0 0.428 Petra, 0~ 0.200 -, 2 0.235 Maya, 0 0.251 Petra, 2 0.200 -, 0 0.251 Petra"""
"""Of seed 3: the option held (`~`: torn), how firmly, and who moved it, turn by turn."""


def test_minds_move_as_they_always_have():
    """Studies that took the simulated panel as their null model could not be compared with later ones."""
    table, seen = Table(MONOLITH, seed=3), []
    for turn in range(15):
        seat = table.panel[turn % 5]
        stance = stance_of(table.ask("speak", seat, "discussion"))
        both = " and ".join(f"“{each}”" for each in (stance.held, stance.second)[: 1 + stance.torn])
        table.positions[seat.title] = f"{stance.grade.capitalize()} {both}."
        table.lines.append(Line(turn + 1, seat.title, "Words."))
        at = table.prompt.options.index(stance.held)
        seen.append(f"{at}{'~' * stance.torn} {stance.strength:.3f} {stance.mover or '-'}")
    assert ", ".join(seen) == " ".join(TRAJECTORY.split())


# Ballots

GIVEN = tuple(BallotText(id=f"o{n}", motion=f"o{n}", text=text) for n, text in enumerate(OPTIONS[MONOLITH], 1))
PROPOSED = Proposal("p2.0", 2, "Maya", "Move to microservices, in two steps.")
LAST = (*GIVEN, BallotText(id="p2.0", motion="p2.0", text=PROPOSED.content))


def ballots(texts=LAST, runner=None, table=None, seeds=range(20), **more) -> list[dict]:
    """The ballots of a panel of five, at twenty tables."""
    table = table or Table(MONOLITH)
    fields = {"options": tuple(text.text for text in texts), "texts": texts, "proposals": (PROPOSED,), **more}
    prompts = [
        replace(table.ask("ballot", who, "ballot"), seed=seed, **fields) for seed in seeds for who in table.panel
    ]
    return [dict(asyncio.run((runner or SimulatedRunner()).run(prompt)).data) for prompt in prompts]


def test_a_ballot_names_what_it_accepts_by_id_best_first():
    """What counts ballots on motions would be tested by no offline debate."""
    ids = {text.id for text in LAST}
    votes = ballots()
    assert {vote["choice"] for vote in votes} >= {"o1", "o2", "o3", "p2.0", "none", None}
    for vote in votes:
        assert set(vote["ranking"]) <= ids
        assert (vote["ranking"] or [vote["choice"]])[0] == vote["choice"]
        assert not set(vote.get("blocked", ())) & set(vote["ranking"])
        assert not vote.get("also"), "all that it writes answers the question"
        assert vote.get("scores", dict.fromkeys(ids, 5)).keys() == ids
    assert any(len(vote["ranking"]) > 1 for vote in votes)
    unsure = sum(vote["choice"] in ("none", None) for vote in votes)
    assert 0 < unsure < len(votes) / 5, "to abstain is rare"


def test_without_ids_a_ballot_names_texts_by_their_words():
    """A ballot on the options of an older session could not be read."""
    assert {vote["choice"] for vote in ballots(texts=(), options=OPTIONS[MONOLITH])} <= {
        *OPTIONS[MONOLITH],
        "none",
        None,
    }


def test_a_first_ballot_is_the_stance_before_a_word_was_said():
    """The first ballot would not be of what the openings then say."""
    table = Table(MONOLITH)
    for who in table.panel:
        (vote,) = ballots(GIVEN, table=replace_panel(table, who), seeds=[3], proposals=(), positions={}, lines=())
        stance = stance_of(replace(table.ask("speak", who, "opening", 0), seed=3))
        assert vote["choice"] in (GIVEN[table.prompt.options.index(stance.held)].id, "none", None)
        assert vote.get("moved_by") is None
    low = Table(LEDGER)
    for who in low.panel:
        asked = low.ask("ballot", who, "ballot", 0)
        vote = data(replace(asked, options=("Yes", "No")))["choice"]
        assert vote in (stance_of(low.ask("speak", who, "opening", 0)).held.title(), "none", None), (
            "a ballot writes Yes"
        )


def replace_panel(table: Table, who: Persona) -> Table:
    """A table at which one member votes."""
    alone = Table(table.prompt.question)
    alone.panel = (who,)
    return alone


def test_who_holds_something_new_names_a_message_that_it_has_heard():
    """`moved_by` would be null in each offline debate, or name a message that does not exist."""
    table = Table(MONOLITH, seed=3).run()
    named = [
        vote.get("moved_by")
        for seed in range(6)
        for vote in ballots(table=Table(MONOLITH, seed=seed).run(), seeds=[seed])
    ]
    assert any(named)
    assert None in named
    assert {int(each[1:]) for each in named if each} <= {line.number for line in table.lines} | set(range(60))


def test_fixed_minds_vote_in_the_end_as_they_voted_first():
    """A panel that nothing moves is what shows that an instrument reports no effect where there is none."""
    fixed = SimulatedRunner(fixed=True)
    for seed in range(10):
        table = Table(MONOLITH, seed=seed).run(6)
        last = ballots(runner=fixed, table=table, seeds=[seed])
        first = ballots(GIVEN, runner=fixed, table=table, seeds=[seed], positions={}, lines=(), proposals=())
        for one, two in zip(first, last, strict=True):
            assert (one["choice"], one["ranking"]) == (two["choice"], two["ranking"])
            scores = {**two.get("scores", {}), "p2.0": 0.0}
            assert scores == {**one.get("scores", {}), "p2.0": 0.0}
            assert two.get("moved_by") is None
