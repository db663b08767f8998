"""What was misread or told wrongly of a debate on a repair café: each test has the words of it."""

from __future__ import annotations

from played_cafe import AGAIN, ANSWERS, read, talk, voted
from told import Told, verdict_lines

from eda.events import BallotText, VerdictReached
from eda.events.acts import Act, Unread
from eda.memory.context.acts import unread_words
from eda.report.formatting import in_short
from eda.report.gather import report_of
from eda.voting.choices import Kin, kinship
from eda.words import ENGLISH


def reached(told: Told) -> VerdictReached:
    verdict = told.progress.verdict
    assert verdict is not None
    return verdict


def test_a_verdict_says_that_an_acceptance_is_refused_in_its_own_words_and_what_hangs_on_it() -> None:
    """Gerard was asked once and kept "p8.0 is unacceptable to me"; the verdict said "3 of 4 accept it"."""
    told = voted()
    doubt = ENGLISH.say("votes-doubted", count=1, who=["Gerard"], to="text", text="p7.1")
    line = verdict_lines(reached(told))[0]
    assert f"3 of 4 accept it. {doubt} " in line
    report = report_of(told.session, told.progress, told.memory)
    assert report.counted.none == ("Rosa",)
    assert f"3 of 4 accept it. {doubt} 2 of 4 put it first, 1 another wording of it." in report.answer


def test_a_choice_by_its_author_and_its_id_is_read_at_once() -> None:
    """ "Maya's text (p8.0)" was asked about: the ballot had no authors."""
    offered = reached(voted()).offered
    assert {each.id: each.by for each in offered}["p8.0"] == "Maya"
    for answer in (ANSWERS["Beatriz"], AGAIN["Beatriz"]):
        fields, asked = read(answer, offered)
        assert fields is not None
        assert (len(fields["ranking"]), fields["moved_by"], asked) == (2, 8, "")


def test_acts_and_positions_name_the_text_that_exists() -> None:
    """ "position: p6.0" stood under m6, whose text is p6.1; m9 said "supports p8.0" twice."""
    memory = talk().memory
    assert [act.id for act in memory.acts(6) if act.kind == "position"] == ["p6.1"]
    assert [act.id for act in memory.acts(7) if act.kind == "position"] == ["p7.1"]
    assert [act for act in memory.acts(9) if (act.kind, act.on) == ("support", "p8.0")] == [
        Act("support", "p8.0", why="a small tranche that can be cancelled")
    ]
    dead = Unread("no such id", "p3.7", ids=("p3.0",), now=("",), message=3)
    assert (dead,) in [act.unread_because for act in memory.acts(5)]
    assert unread_words([dead]) == "p3.7 does not exist (m3 made p3.0)"
    assert {text.id: text.status for text in memory.proposals}["p6.1"] == "withdrawn"


def test_votes_tell_texts_that_begin_alike_by_where_they_differ() -> None:
    """Votes for p8.0 and p7.1 both stood as "“People without an appointment draw a paper number, the…”"."""
    texts = {text.id: text.text for text in reached(voted()).offered}
    told = {key: in_short(texts[key], key, others=texts.values()) for key in ("p4.0", "p7.1", "p8.0")}
    assert told == {
        "p4.0": "“People without an appointment draw a paper number; the…” (p4.0)",
        "p7.1": "“People without an… appointments; a notice on the door says so” (p7.1)",
        "p8.0": "“People without an… we count both for four Saturdays and then decide again” (p8.0)",
    }


WANTED = {who: ANSWERS[who].replace('"also": ["p10.2"]', '"also": ["p10.2", "p4.0"]') for who in ("Rosa", "Gerard")}


def test_a_text_that_an_earlier_wording_joined_is_a_part_of_the_later_one() -> None:
    """p4.0 went into p7.1, which p8.0 rewords: the table said "taken into p8.0", the verdict nothing of it."""
    told = voted()
    texts = {text.id: text for text in reached(told).offered}
    assert {key: text.parts for key, text in texts.items() if text.parts} == {
        "p7.1": ("p1.0", "p2.0", "p5.0", "p4.0"),
        "p8.0": ("p1.0", "p2.0", "p5.0", "p4.0"),
    }


def test_screens_name_one_text_into_which_a_part_was_taken() -> None:
    """A tally said "p4.0 (taken into p7.1)" where the table said "taken into p8.0"."""
    offered = reached(voted()).offered
    texts = {text.id: text for text in offered}
    assert kinship(texts["p4.0"], "p8.0", offered) == Kin("taken into", ("p8.0",))
    assert kinship(texts["p8.0"], "p4.0", offered) == Kin("takes in", ("p4.0",))
    assert kinship(texts["p8.0"], "p7.1", offered) == Kin("wording", ("p7.1",))
    assert "p4.0 taken into p8.0" in voted().memory.table().text


def test_a_wording_of_what_was_joined_is_one_of_that_text() -> None:
    """A ballot called "at most three euros" a wording of "forgive the first fine", which was joined with a cap."""
    forgive = BallotText(id="p1.0", motion="p1.0", text="Forgive the first fine", into="p5.0")
    cap = BallotText(id="p2.0", motion="p1.0", text="At most five euros", into="p5.0", root="p2.0")
    both = BallotText(id="p5.0", motion="p1.0", text="Forgive it, and at most five", parts=("p1.0", "p2.0"))
    low = BallotText(id="p6.0", motion="p1.0", text="At most three euros", root="p2.0")
    assert kinship(low, "p1.0", (forgive, cap, both, low)) == Kin("wording", ("p2.0",))
    assert kinship(cap.model_copy(update={"into": ""}), "p1.0", (forgive, cap)) == Kin()
