"""What a verdict settles: the texts that its ballot offered, each by name, and nothing else."""

from __future__ import annotations

import re

import folded
import orjson
import pytest

from eda import ConversationMemory
from eda.events import Adopted, BallotText, MemoryCorrected, SummaryWritten, VerdictReached
from eda.events.acts import Act, Unread
from eda.events.model_minutes import Minuted, RangeMinutes
from eda.serve.ballot import offered_texts
from eda.voting.choices import slate
from eda.words import Words

WAIT, MOVE = "Wait until March", "Move it this quarter"
TALK = (
    ("Tomas", "So.\n[PROPOSE] Cap Free at 20 bookings a month"),
    ("Maya", "First this.\n[PROPOSE] Two weeks on client look-up"),
    ("Anjali", "Both.\n[AMEND p1.0 p2.0] Look-up in December, then cap at 20"),
    ("Petra", "Less.\n[AMEND p3.0] Look-up in December, then cap at 30"),
    ("Ruth", "Besides.\n[PROPOSE] Call the nine who left"),
    ("Ruth", "Or.\n[PROPOSE] Raise Solo to 15 euros"),
)


def debated(*talk: tuple[str, str], options: tuple[str, ...] = (MOVE, WAIT)) -> ConversationMemory:
    return folded.debated(*talk, options=options)


def hear(memory: ConversationMemory, number: int, who: str, text: str) -> None:
    memory.fold(folded.posted(number, who, text))


def offered(memory: ConversationMemory, *left_out: str) -> tuple[BallotText, ...]:
    """What a ballot on all open texts of a memory offers."""
    return tuple(
        BallotText(id=text.id, motion=motion.id, text=text.content)
        for motion in memory.motions
        for text in motion.versions
        if text.status in ("active", "accepted") and text.id not in left_out
    )


def decide(memory: ConversationMemory, chosen: str, *left_out: str, **fields: object) -> None:
    texts = offered(memory, *left_out)
    won = next(text for text in texts if text.id == chosen)
    defaults: dict[str, object] = {
        "rule": "majority",
        "outcome": won.text,
        "motion": won.motion,
        "version": chosen,
        "text": won.text,
        "offered": texts,
        "accepted": {text.id: ("Maya", "Petra", "Ruth") if text.id == chosen else () for text in texts},
        "tally": {won.text: ("Maya", "Petra", "Ruth"), "none": ("Tomas",)},
    }
    memory.fold(VerdictReached.model_validate({**defaults, **fields}))


def statuses(memory: ConversationMemory) -> dict[str, str]:
    return {text.id: text.status for motion in memory.motions for text in motion.versions}


def test_each_text_that_a_ballot_offered_has_the_status_that_follows() -> None:
    """Under the verdict `eda show` listed every option as open, and what was merged into the winner as its rival."""
    memory = debated(*TALK)
    decide(memory, "p3.0", "p6.0")
    assert statuses(memory) == {
        "o1": "not chosen",
        "o2": "not chosen",
        "p1.0": "merged",
        "p2.0": "merged",
        "p3.0": "accepted",
        "p4.0": "superseded",
        "p5.0": "not chosen",
        "p6.0": "active",
    }, "a text that the ballot left out stays open"
    text = memory.table().text
    assert "- p3.0 [v6.0, majority; adopted with 3 of 4 votes: Maya, Petra, Ruth]: " in text
    assert '"Look-up in December, then cap at 20"' in text
    assert "p1.0 taken into p3.0, p2.0 taken into p3.0, p4.0 superseded, p5.0 not chosen" in text
    assert "- p6.0 Ruth" in text
    live = {motion.id: motion.live and motion.live.id for motion in memory.motions}
    assert live == {"o1": None, "o2": None, "p1.0": "p3.0", "p5.0": None, "p6.0": "p6.0"}


def test_where_all_is_settled_nothing_is_called_open() -> None:
    """ "Open; only a ballot decides" stood above texts that a ballot had just decided."""
    memory = debated()
    decide(memory, "o2")
    assert memory.table().text == (
        "## The table before m1\nStands now, by vote:\n"
        f'- o2 [v0.0, majority; adopted with 3 of 4 votes: Maya, Petra, Ruth]: "{WAIT}"\nClosed: o1 not chosen'
    )


def test_what_is_adopted_beside_the_answer_is_accepted_too() -> None:
    """A measure that all wanted beside the answer would stand as refused."""
    memory = debated(*TALK)
    calls = Adopted(motion="p5.0", id="p5.0", text="Call the nine who left", voters=("Maya", "Ruth"), of=3)
    decide(memory, "o1", adopted=(calls,))
    assert statuses(memory)["p5.0"] == "accepted"
    assert statuses(memory)["p3.0"] == statuses(memory)["p6.0"] == "not chosen"
    assert [(each.proposal, each.votes, each.supporters) for each in memory.decisions] == [
        ("o1", 4, ("Maya", "Petra", "Ruth")),
        ("p5.0", 3, ("Maya", "Ruth")),
    ]


def test_in_a_list_each_motion_is_adopted_or_not() -> None:
    """Findings that belong together were made to compete with one another."""
    memory = debated(*TALK, options=())
    adopted = [
        Adopted(motion="p1.0", id="p4.0", text="Look-up in December, then cap at 30", voters=("Petra", "Maya"), of=3),
        Adopted(motion="p5.0", id="", text="Call the nine who left", voters=("Ruth", "Maya"), of=3),
    ]
    words = tuple(each.text for each in adopted)
    decide(memory, "p4.0", answer="list", outcome=words, motion="", version="", text="", adopted=adopted)
    assert statuses(memory) == {
        "p1.0": "merged",
        "p2.0": "merged",
        "p3.0": "superseded",
        "p4.0": "accepted",
        "p5.0": "active",
        "p6.0": "not adopted",
    }, "a motion without an accepted wording keeps its texts open"
    assert [(each.outcome, each.unworded) for each in memory.decisions] == [(words[0], False), (words[1], True)]
    told = "\n".join(memory.table(words=Words("de")).lines)
    assert Words("de").say("table-unworded") in told


def test_no_verdict_changes_nothing_but_says_what_was_accepted_by_how_many() -> None:
    """A ballot that decided nothing would close texts, or leave no trace of what it showed."""
    memory = debated(*TALK[:1])
    before = statuses(memory)
    accepted = {"o1": ("Maya", "Tomas"), "o2": (), "p1.0": ("Maya",)}
    decide(memory, "p1.0", outcome=None, motion="", version="", text="", accepted=accepted)
    assert statuses(memory) == before
    assert memory.decisions == ()
    assert f'- o1: "{MOVE}"\n    accepted by 2 of 4 in the last ballot' in memory.table().text


@pytest.mark.parametrize(
    ("accepts", "also", "told"),
    [
        ((), ("Maya", "Petra", "Ruth"), "wanted beside the answer by 3 of 4 in the last ballot"),
        (("Maya",), ("Petra",), "accepted by 1 of 4, and wanted beside the answer by 1 in the last ballot"),
        ((), (), "accepted by 0 of 4 in the last ballot"),
    ],
)
def test_a_measure_that_ballots_want_beside_the_answer_is_told_with_that_count(
    accepts: tuple[str, ...], also: tuple[str, ...], told: str
) -> None:
    """ "accepted by 0 of 4 in the last ballot" stood at a measure that three of four wanted beside whatever won."""
    memory = debated(*TALK[:1], *TALK[4:5])
    accepted, beside = {"o1": ("Maya", "Tomas"), "p2.0": accepts}, {"p2.0": also} if also else {}
    decide(memory, "p2.0", outcome=None, motion="", version="", text="", accepted=accepted, also=beside)
    assert re.search(rf"p2\.0 .*\n.*; {told}$", memory.table().text, re.MULTILINE)


def test_a_count_beside_the_answer_that_may_be_of_another_wording_is_not_told() -> None:
    memory = debated(*TALK[:2], TALK[4], ("Petra", "Or.\n[AMEND p3.0] Call all who left"))
    beside, accepted = {"p3.0": ("Petra", "Ruth")}, {"o1": ("Maya", "Tomas")}
    decide(memory, "o1", outcome=None, motion="", version="", text="", accepted=accepted, also=beside)
    (line,) = re.findall(r"p4\.0 .*\n(.*)$", memory.table().text, re.MULTILINE)
    assert "last ballot" not in line


def test_a_position_is_followed_by_the_later_ballot_and_what_was_put_before_that_is_past() -> None:
    """A measure that Ruth put before the ballot stood as her later word on the answer that she voted for."""
    talk = [("Ruth", "So.\n[POSITION] o1"), ("Petra", "So.\n[POSITION] o2"), TALK[4]]
    told = {"outcome": None, "motion": "", "version": "", "text": ""}
    memory = debated(*talk)
    assert "you have put p3.0 (m3) since" in memory.full_context("Ruth").section("position").text
    decide(memory, "o1", **told, firsts={"o1": ("Ruth", "Petra"), "o2": (), "p3.0": ("Maya",)})
    own = {who: memory.full_context(who).section("position").text for who in ("Ruth", "Petra")}
    assert "since" not in own["Ruth"]
    assert "last ballot" not in own["Ruth"], "it is what she holds"
    assert own["Petra"].endswith("; in the last ballot you put o1 first")
    assert "position of Petra (for o1 in the last ballot)" in memory.table().text
    assert "for 1: Ruth (position)" in memory.table().text
    assert "Abstimmung für o1" in "\n".join(memory.table(words=Words("de")).lines)
    hear(memory, 4, "Ruth", "Now.\n[PROPOSE] Call the three who stayed")
    assert memory.full_context("Ruth").section("position").text.endswith("; you have put p4.0 (m4) since")
    hear(memory, 5, "Petra", "Well.\n[POSITION] o2")
    assert "last ballot" not in memory.full_context("Petra").section("position").text


def test_after_a_verdict_a_text_returns_when_a_member_supports_it_and_the_accepted_one_stands() -> None:
    """A debate that goes on would lose its result, or could never come back to what it had passed over."""
    memory = debated(*TALK[:2])
    decide(memory, "p1.0")
    hear(memory, 3, "Ruth", "I think p2.0 had its points.\n[OPPOSE p2.0] too slow")
    assert statuses(memory)["p2.0"] == "not chosen"
    hear(memory, 4, "Ruth", "No.\n[SUPPORT p2.0] it is cheap\n[SUPPORT o2] it costs nothing")
    assert memory.acts(4)[:2] == (Act("reopen", "p2.0"), Act("support", "p2.0", why="it is cheap"))
    assert statuses(memory) == {"o1": "not chosen", "o2": "active", "p1.0": "accepted", "p2.0": "active"}
    hear(memory, 5, "Petra", f"Then so.\n[PROPOSE] {MOVE}")
    assert statuses(memory)["o1"] == "active"
    assert memory.decisions[0].status == "decided"
    decide(memory, "p2.0")
    assert statuses(memory) == {"o1": "not chosen", "o2": "not chosen", "p1.0": "not chosen", "p2.0": "accepted"}
    assert [each.status for each in memory.decisions] == ["superseded", "decided"]
    again = ConversationMemory.from_json(orjson.loads(orjson.dumps(memory.to_json())))
    assert again.table().text == memory.table().text


def test_a_withdrawn_text_is_not_reopened_by_somebodys_support() -> None:
    """Only its author takes a withdrawal back."""
    memory = debated(*TALK[:1], ("Tomas", "No.\n[WITHDRAW p1.0]"), ("Maya", "Yes.\n[SUPPORT p1.0] do it"))
    assert statuses(memory)["p1.0"] == "withdrawn"


def test_what_was_withdrawn_during_the_ballot_stays_so_unless_it_won() -> None:
    """What its author had taken back would return to the next ballot; or a verdict would stand for a closed text."""
    memory = debated(*TALK[:2])
    texts = offered(memory)
    for number, (who, text) in enumerate([("Tomas", "Gone.\n[WITHDRAW p1.0]"), ("Maya", "Gone.\n[WITHDRAW p2.0]")], 3):
        hear(memory, number, who, text)
    won = next(text for text in texts if text.id == "p2.0")
    decide(memory, "o1", outcome=won.text, motion="p2.0", version="p2.0", text=won.text, offered=texts)
    assert statuses(memory) == {"o1": "not chosen", "o2": "not chosen", "p1.0": "withdrawn", "p2.0": "accepted"}


def test_an_older_ballot_settles_what_its_words_name() -> None:
    """Sessions of before would show as open what they had voted on."""
    memory = debated(*TALK[:2])
    tally: dict[str, tuple[str, ...]] = {MOVE: ("Maya", "Ruth"), WAIT: ("Petra",)}
    memory.fold(VerdictReached(rule="majority", outcome=MOVE, tally=tally))
    assert statuses(memory) == {"o1": "accepted", "o2": "not chosen", "p1.0": "active", "p2.0": "active"}
    put_off = debated(*TALK[:2])
    put_off.fold(VerdictReached(rule="majority", outcome="Keep discussing", tally={"Keep discussing": (), MOVE: ()}))
    assert set(statuses(put_off).values()) == {"active"}


def test_a_yes_or_no_ballot_closes_no_text() -> None:
    """Its choices are no proposals."""
    memory = debated(*TALK[:1], options=())
    texts = (BallotText(id="yes", motion="yes", text="Yes"), BallotText(id="no", motion="no", text="No"))
    for outcome, voters in (("Yes", ("Maya",)), ("No", ("Tomas",))):
        memory.fold(
            VerdictReached(
                rule="majority",
                outcome=outcome,
                motion=outcome.lower(),
                version=outcome.lower(),
                text=outcome,
                offered=texts,
                tally={outcome: voters},
            )
        )
    assert statuses(memory) == {"p1.0": "active"}
    assert [(each.status, each.outcome) for each in memory.decisions] == [("superseded", "Yes"), ("decided", "No")]


def test_declared_positions_stand_beside_the_text_that_they_name() -> None:
    """ "Nobody has declared for or against it" stood beside an option that two members held."""
    memory = debated(
        ("Maya", f"So.\n[POSITION] {MOVE}"),
        ("Petra", "So.\n[POSITION] o1"),
        ("Tomas", "So.\n[PROPOSE] Cap it at 30\n[POSITION] o2 would do, if it were cheap"),
        ("Ruth", "So.\n[POSITION] p3.0"),
    )
    text = memory.table().text
    assert f'- o1: "{MOVE}"\n    for 2: Maya (position), Petra (position); against nobody' in text
    assert f'- o2: "{WAIT}"\n    position of Tomas "o2 would do, if it were cheap"' in text
    assert "for 2: Tomas (own), Ruth (position); against nobody" in text
    hear(memory, 5, "Petra", f"No.\n[POSITION] {WAIT}")
    hear(memory, 6, "Maya", "Right.\n[SUPPORT o1] it only gets dearer")
    assert 'for 1: Maya "it only gets dearer"; against nobody\n' in memory.table().text


def test_a_support_with_a_condition_is_told_apart_wherever_supporters_are_counted() -> None:
    """ "For, if the nine are called first" was counted as one of the three who are for it."""
    memory = debated(
        *TALK[:1],
        ("Anjali", "Rather.\n[AMEND p1.0] Cap Free at 30 bookings a month"),
        ("Maya", "Fine.\n[SUPPORT p1.0] if the nine are called first\n[SUPPORT p2.0] it is milder"),
        options=(),
    )
    (motion,) = memory.motions
    first = motion.versions[0]
    assert (first.backers("support"), motion.live and motion.live.id) == ((), "p2.0")
    assert (
        'for 1: Tomas (own); for, if ... 1: Maya "if the nine are called first"; against nobody' in memory.table().text
    )


def test_a_move_may_name_the_text_that_its_own_message_puts() -> None:
    """A member was told that the id of its own proposal does not exist."""
    memory = debated(
        ("Maya", "So.\n[SUPPORT p1.1] it is mine\n[PROPOSE] Two weeks on client look-up"),
        ("Ruth", "So.\n[PROPOSE] Call the nine\n[AMEND p2.0] Call the nine by 12 December\n[POSITION] p2.1"),
        ("Petra", "So.\n[SUPPORT p3.0] both\n[PROPOSE] One\n[PROPOSE] Two"),
        ("Anjali", "So.\n[AMEND p4.0] Raise Solo to 15 euros"),
        ("Tomas", "So.\n[SUPPORT p5.0] why not"),
        options=(),
    )
    assert [(each.message, each.target) for each in memory.unresolved] == [(5, "p5.0")]
    assert statuses(memory) == {
        "p1.1": "active",
        "p2.0": "modified",
        "p2.1": "active",
        "p3.1": "active",
        "p3.2": "active",
        "p4.0": "active",
    }
    assert memory.proposals[0].backers("support") == ("Maya",)
    assert [each.amends for each in memory.proposals] == [None, None, "p2.0", None, None, None]


def test_a_position_names_the_text_that_its_own_message_puts() -> None:
    """The writer cannot know the id: [POSITION] p2.0 of m2 was given back to it as its stance though no text had it."""
    memory = debated(
        ("Maya", "So.\n[PROPOSE] Build one screen"),
        ("Ruth", "So.\n[SUPPORT p1.0] cheap\n[POSITION] p2.0\n[AMEND p1.0] Build one screen, in March"),
        ("Petra", "So.\n[POSITION] p6.0"),
        ("Tomas", "So.\n[POSITION] p2.0, though not in March"),
    )
    (text,) = [each for each in memory.proposals if each.message == 2]
    assert memory.last_position("Ruth") == text.id
    assert memory.last_position("Petra") == ""
    ((fault,),) = memory.unread("Petra")[1:]
    assert (fault.kind, fault.text, fault.unread_because) == (
        "position",
        "p6.0",
        (Unread("no such id", "p6.0", message=6),),
    )
    assert [(each.kind, each.text) for each in memory.unresolved] == [("position", "p6.0")]


def test_a_text_that_was_joined_is_no_other_wording() -> None:
    """Two measures of which one text made one motion stood as two wordings of one."""
    memory = debated(
        ("Maya", "So.\n[PROPOSE] Repair the tests"),
        ("Keiko", "So.\n[PROPOSE] Bar migrations before the batch"),
        ("Ruth", "So.\n[AMEND p1.0 p2.0] Repair the tests and bar migrations"),
    )
    lines = memory.table().text.splitlines()
    assert '- p3.0 Ruth [joins p1.0 and p2.0]: "Repair the tests and bar migrations"' in lines
    assert '- p2.0 Keiko [part of p3.0]: "Bar migrations before the batch"' in lines
    assert any(line.startswith('    other wording p1.0 Maya [part of p3.0]: "Repair the tests"') for line in lines)


def test_the_words_of_the_minutes_are_no_quotation_of_a_member() -> None:
    """The table printed the minutes' words for a question in quotation marks as the member's."""
    memory = debated(("Ruth", "Nobody tells us who made the estimates."))
    asked = Minuted(1, "Nobody tells us who made the estimates", "Who made the estimates?", who="Ruth")
    memory.fold(SummaryWritten(first=1, last=1, text="So.", minutes=RangeMinutes(questions=(asked,))))
    assert "- m1 Ruth: “Nobody tells us who made the estimates”" in memory.table().text


def test_a_text_that_a_verdict_adopted_stands_once_though_it_was_struck() -> None:
    """The table named it under "Stands now" and under "Closed": which of the two held could not be told."""
    memory = debated(*TALK)
    decide(memory, "p3.0")
    text = next(each.content for each in memory.proposals if each.id == "p3.0")
    memory.fold(MemoryCorrected(item="p3.0", was=text, text="", by="you", after=6))
    lines = memory.table().lines
    [stands] = [line for line in lines if line.startswith("- p3.0 [")]
    assert "; its text struck by the person at the table]" in stands
    [closed] = [line for line in lines if line.startswith("Closed: ")]
    assert "p3.0" not in closed.replace("taken into p3.0", "").replace("p3.0, another", "")


def test_a_text_that_was_written_after_others_were_joined_was_taken_into_nothing() -> None:
    """A late wording of a part was told to be taken into the text before it, and then to be no wording of what won."""
    memory = debated(*TALK[:3], ("Petra", "Late.\n[AMEND p2.0] Two weeks on client look-up, in December"))
    decide(memory, "p3.0", offered=slate("", (), memory.motions).texts)
    closed = statuses(memory)
    assert (closed["p1.0"], closed["p2.0"], closed["p4.0"]) == ("merged", "merged", "superseded")


def test_on_a_page_what_was_joined_stands_beside_the_text_that_joins_it() -> None:
    """A person's own text lay folded under somebody's joined one, and was refused unseen."""
    memory = debated(*TALK[:3], ("Petra", "Late.\n[AMEND p2.0] Two weeks on client look-up, in December"))
    texts = [*offered_texts(slate("", (), memory.motions).texts, memory)]
    assert {each["id"]: each["head"] for each in texts} == {
        "p1.0": "p3.0",
        "p3.0": "p3.0",
        "p2.0": "p2.0",
        "p4.0": "p2.0",
    }
