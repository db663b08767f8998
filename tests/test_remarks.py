"""A line that a person types: what it does to the texts on the table, and what is asked about instead."""

from __future__ import annotations

import sys
from collections import Counter
from time import process_time
from typing import Any

import pytest
from folded import debated
from in_turn import in_one

from eda import Persona, Settings, read_remark
from eda.debate.prompts.slots import uncounted
from eda.debate.state import DebateState
from eda.events import MessagePosted, SessionStarted
from eda.memory import ConversationMemory
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.proposals import why_closed
from eda.memory.minutes.remark_words import answer_first, may_take_side, parts_of, yes_or_no
from eda.memory.minutes.remarks import RemarkRead

TABLE = [
    {"id": "o1", "by": "", "title": "Old bridge", "text": "Mend the old bridge for carts and bicycles.", "at": 0},
    {"id": "o2", "by": "", "title": "Ferry", "text": "Run a ferry every half hour.", "at": 0},
    {
        "id": "p3.0",
        "by": "Zoe",
        "title": "Toll of one crown",
        "text": "Take a toll of one crown from each cart.",
        "at": 3,
    },
    {"id": "p5.0", "by": "Milan", "title": "Night watch", "text": "Hire a watchman for the nights.", "at": 5},
    {"id": "p5.1", "by": "Milan", "title": "Lanterns", "text": "Hang lanterns on both banks.", "at": 5},
]
AFTER_ONE = {"number": 3, "who": "Zoe", "text": "I propose a toll of one crown."}
AFTER_TWO = {"number": 5, "who": "Milan", "text": "A watchman, and lanterns."}
AFTER_TALK = {"number": 6, "who": "Milan", "text": "The river was high this spring."}


def read(raw: str, who: str = "Ana", last: dict[str, Any] = AFTER_TALK) -> RemarkRead:
    return read_remark(raw, TABLE, who, last)


def does(raw: str, who: str = "Ana", last: dict[str, Any] = AFTER_TALK) -> list[tuple[str, str | None, str]]:
    found = read(raw, who, last)
    assert not found.ask, (raw, found)
    return [(act.kind, act.on, act.of) for act in found.acts]


@in_one(
    ("raw", "acts"),
    [
        ("I support p3.0", [("support", "p3.0")]),
        ("for p3.0, no if", [("support", "p3.0")]),
        ("I take back my if on p3.0, I am for it", [("withdraw", "p3.0"), ("support", "p3.0")]),
        ("p3.0 yes, and no more if", [("support", "p3.0")]),
        ("no, i support p3.0 without any condition", [("support", "p3.0")]),
        ("für p3.0, kein Wenn und kein Aber", [("support", "p3.0")]),
        ("P3.0: against, it hurts the poor", [("oppose", "p3.0")]),
        ("i'm for o1 and against o2.", [("support", "o1"), ("oppose", "o2")]),
        ("Night watch has my full support", [("support", "p5.0")]),
        ("o1 yes, o2 no, p3.0 not sure yet", [("support", "o1"), ("oppose", "o2"), ("undecided", "p3.0")]),
        ("I oppose Zoe's proposal", [("oppose", "p3.0")]),
        ("yes: o2, p5.1 / no: p3.0", [("support", "o2"), ("support", "p5.1"), ("oppose", "p3.0")]),
        ("For the Night watch, against o2, whatever it costs", [("support", "p5.0"), ("oppose", "o2")]),
        ("o2? Over my dead body.", [("oppose", "o2")]),
        ("Ich bin gegen p3.0", [("oppose", "p3.0")]),
        ("im agianst o2", [("oppose", "o2")]),
        ("p3.0 lehne ich ab", [("oppose", "p3.0")]),
        ("p3.0 find ich gut", [("support", "p3.0")]),
        ("je suis pour o2", [("support", "o2")]),
        ("Estoy en contra de p5.1", [("oppose", "p5.1")]),
        ("sono contrario a o1", [("oppose", "o1")]),
        ("ik steun o2", [("support", "o2")]),
        ("sou contra p5.0", [("oppose", "p5.0")]),
    ],
)
def test_a_side_that_is_taken_plainly_on_an_id_a_title_or_an_author_is_read_exactly(
    raw: str, acts: list[tuple[str, str]]
) -> None:
    assert [(kind, on) for kind, on, _ in does(raw)] == acts
    assert read(raw).exact


@in_one(
    ("raw", "act"),
    [
        ("I have no objection to p3.0", ("deny", "p3.0", "opposition")),
        ("I don't oppose o2", ("deny", "o2", "opposition")),
        ("I do not support p5.1", ("deny", "p5.1", "support")),
        ("I withdraw my opposition to p3.0", ("withdraw", "p3.0", "opposition")),
        ("my condition on p5.0 is met", ("withdraw", "p5.0", "condition")),
        ("no more ifs for p5.0", ("withdraw", "p5.0", "condition")),
        ("Ich habe nichts gegen o1", ("deny", "o1", "opposition")),
        ("hab nix gegen o1", ("deny", "o1", "opposition")),
        ("ich hab gar nix gegen o1", ("deny", "o1", "opposition")),
        ("bin nich gegen o1", ("deny", "o1", "opposition")),
        ("I've got nothing against o2", ("deny", "o2", "opposition")),
        ("no objection to p3.0", ("deny", "p3.0", "opposition")),
        ("no condition on p3.0, i just support it", ("support", "p3.0", "")),
        ("no change to p3.0, i just support it", ("support", "p3.0", "")),
        ("nothing against o2", ("deny", "o2", "opposition")),
        ("nehm zurück was ich für o2 gesagt hab", ("withdraw", "o2", "support")),
        ("Ich nehme zurück, was ich gegen o2 gesagt habe", ("withdraw", "o2", "opposition")),
        ("I take back what I said for o2", ("withdraw", "o2", "support")),
    ],
)
def test_what_is_denied_or_taken_back_is_no_side(raw: str, act: tuple[str, str, str]) -> None:
    assert does(raw) == [act]


@pytest.mark.parametrize(
    "raw",
    [
        "hab nix gegen o1, bin aber gegen o2",
        "hab nichts gegen o1, aber o2 lehn ich ab",
        "got nothing against o1, am against o2",
    ],
)
def test_no_opposition_to_one_text_leaves_the_opposition_to_another(raw: str) -> None:
    assert does(raw) == [("deny", "o1", "opposition"), ("oppose", "o2", "")]
    assert read(raw).exact


@pytest.mark.parametrize(
    "raw", ["gegen o2 hab ich nix", "gegen o2 hab ich nichts einzuwenden", "o2, dagegen hab ich nix"]
)
def test_nothing_said_behind_a_side_is_asked_about_and_never_offered_as_that_side(raw: str) -> None:
    assert (read(raw).ask != "", read(raw).acts) == (True, ())


@pytest.mark.parametrize(
    ("raw", "condition"),
    [
        ("I support trial until May", ""),
        ("ich bin für Trial until May!", ""),
        ("I support trial until May until the bank pays", "until the bank pays"),
        ("I support p5.0 if nobody wants trial until May", "if nobody wants trial until May"),
    ],
)
def test_the_words_of_a_title_are_no_condition(raw: str, condition: str) -> None:
    """ "bis Weihnachten" of a title was offered as the condition of who supported that text."""
    rows = [*TABLE, {"id": "p7.0", "by": "Zoe", "title": "Trial until May", "text": "Try it for a while.", "at": 7}]
    (act,) = read_remark(raw, rows, "Ana", {}).acts
    assert (act.kind, act.condition) == ("support", condition)


UNDER_ONE = [{**row, "held": {"condition": ("Ana",) if row["id"] == "p3.0" else ()}} for row in TABLE]


@pytest.mark.parametrize(
    "raw",
    [
        "my condition is met",
        "My conditions are met",
        "meine bedingung ist erfüllt, sie zahlen ja",
        "ma condition est remplie",
    ],
)
def test_a_condition_that_is_met_is_taken_back_where_there_is_one(raw: str) -> None:
    (act,) = read_remark(raw, UNDER_ONE, "Ana", AFTER_TALK).acts
    assert (act.kind, act.on, act.of) == ("withdraw", "p3.0", "condition")
    two = [{**row, "held": {"condition": ("Ana",)}} for row in TABLE[:2]]
    assert read_remark(raw, two, "Ana", AFTER_TALK).ask == "which text"


@pytest.mark.parametrize(
    ("line", "acts"),
    [
        ("My condition is met, so I support Zoe's text.", [("withdraw", "p3.0"), ("support", "p3.0")]),
        ("My condition is met, so I support o2.", [("withdraw", "o2"), ("support", "o2")]),
        ("My condition is met, so I support p5.0.", []),
        ("My condition is met, so I am against p3.0.", []),
    ],
)
def test_of_several_conditions_the_one_on_the_text_that_the_line_supports_is_met(
    line: str, acts: list[tuple[str, str]]
) -> None:
    """A condition on o2 was taken back by who supported a text that had replaced another."""
    stands = {"o2": {"held": {"condition": ("Ana",)}}, "p3.0": {"older": {"condition": ("Ana",)}}}
    read = read_remark(line, [{**row, **stands.get(str(row["id"]), {})} for row in TABLE], "Ana", AFTER_TALK)
    assert [(act.kind, act.on) for act in read.acts] == acts
    assert (read.ask, read.ids) == (("", ()) if acts else ("which text", ("o2", "p3.0")))


@pytest.mark.parametrize(
    "raw", ["my condition: they pay at night", "meine bedingung: sie zahlen", "my condition is not met"]
)
def test_who_names_a_condition_does_not_take_it_back(raw: str) -> None:
    assert read_remark(raw, UNDER_ONE, "Ana", AFTER_TALK).acts == ()


def test_what_a_line_says_before_what_is_asked_about_is_asked_about_with_it() -> None:
    """A person was asked about the support, and the condition that the same line took back stayed."""
    line = "my condition is met. I rather support p5.0"
    found = read_remark(line, UNDER_ONE, "Ana", AFTER_TALK)
    assert found.ask
    assert [(act.kind, act.on) for act in found.acts] == [("withdraw", "p3.0"), ("support", "p5.0")]


@in_one(
    ("raw", "acts", "left"),
    [
        ("I support o1. And o2 is out for me.", [("support", "o1", "")], ("And o2 is out for me",)),
        ("against p5.0; the ferry should be cheaper", [("oppose", "p5.0", "")], ("the ferry should be cheaper",)),
        ("ok so i support o1, and propose a kiosk", [("support", "o1", "")], ("and propose a kiosk",)),
        ("I support o1. I like the toll of a crown.", [("support", "o1", "")], ("I like the toll of a crown",)),
        ("fine by me, zoes toll, and yes to the ferry", [("support", "o2", "")], ("zoes toll",)),
        ("the lanterns, and yes to o1", [("support", "o1", "")], ("the lanterns",)),
        (
            "im for the bridge, feri no good for people who row",
            [("support", "o1", "")],
            ("feri no good for people who row",),
        ),
        ("im for the bridge, people say no to a feri", [("support", "o1", "")], ()),
        ("yes to o1, Zoe", [("support", "o1", "")], ()),
        (
            "I propose a kiosk by the bridge.\nI support o2, if free",
            [("propose", None, ""), ("support", "o2", "")],
            (),
        ),
        ("I support o1, yes. It is fine for me.", [("support", "o1", "")], ()),
        ("forget the ferry then, ill back the old bridge", [], ()),
        ("I support o1 because the ferry is dear", [("support", "o1", "")], ()),
        ("I support o1. What about the ferry?", [("support", "o1", "")], ()),
        ("The mules keep to the bridge. I support p5.0.", [("support", "p5.0", "")], ()),
    ],
)
def test_what_a_line_says_beside_its_acts_and_is_not_read_is_known(
    raw: str, acts: list[tuple[str, str | None, str]], left: tuple[str, ...]
) -> None:
    assert does(raw) == acts
    assert read(raw).left == left


def test_a_side_beside_an_act_is_unread_where_it_may_be_for_a_part() -> None:
    found = read("im for the bridge, feri no good")
    assert ([act.on for act in found.acts], found.ask, found.left) == (["o1"], "part", ("feri no good",))


@pytest.mark.parametrize(
    ("raw", "ids"),
    [
        ("night watch at eight pls", ("p5.0",)),
        ("the lanterns", ("p5.1",)),
        ("zoes toll", ("p3.0",)),
        ("I like the toll of one crown, and o2", ("p3.0", "o2")),
        ("I agree with Zoe", ("p3.0",)),
        ("What about the night watch?", ()),
        ("Zoe says the night watch is dear", ()),
        ("The mules keep to the bridge.", ()),
    ],
)
def test_a_line_without_an_act_says_which_texts_it_names(raw: str, ids: tuple[str, ...]) -> None:
    """ "gym thursdays 7pm pls" was heard as talk, and its author thought that it had voted."""
    assert read(raw) == RemarkRead(ids=ids)


@pytest.mark.parametrize(
    ("raw", "ask", "acts"),
    [
        (
            "I propose we buy a mule. And I'm against o2.",
            "",
            [("propose", "we buy a mule.", "exact"), ("oppose", "o2", "exact")],
        ),
        (
            "Ich schlage vor, wir kaufen ein Maultier. Gegen o2 bin ich.",
            "",
            [("propose", "wir kaufen ein Maultier.", "exact"), ("oppose", "o2", "exact")],
        ),
        (
            "Amend p3.0: half a crown. No to zoes toll!",
            "",
            [("amend", "half a crown.", "exact"), ("oppose", "p3.0", "exact")],
        ),
        (
            "I propose we buy a mule. I withdraw p5.0.",
            "",
            [("propose", "we buy a mule.", "exact"), ("withdraw", "p5.0", "exact")],
        ),
        ("I propose we buy a mule. I'm for it.", "which text", [("propose", "we buy a mule.", "exact")]),
        ("I propose we buy a mule. It eats hay.", "", [("propose", "we buy a mule. It eats hay.", "exact")]),
        (
            "I propose a new rule. Whoever is against it pays.",
            "",
            [("propose", "a new rule. Whoever is against it pays.", "words")],
        ),
        ("I propose we buy a mule, and I'm against the ferry", "words", []),
    ],
)
def test_the_text_that_a_line_puts_ends_where_the_next_sentence_takes_a_side(
    raw: str, ask: str, acts: list[tuple[str, str, str]]
) -> None:
    """ "And I'm against p2." became a part of the proposal, and counted for nothing."""
    found = read(raw, "Milan")
    assert (found.ask, [(act.kind, act.text or act.on, act.how) for act in found.acts]) == (ask, acts)


@pytest.mark.parametrize(
    "raw",
    [
        "im for o1, against o2 ok?",
        "I support o1, against o2, right?",
        "o1 dafür, o2 dagegen, oder?",
        "o1: ja, o2: nein, ne?",
    ],
)
def test_sides_that_a_question_to_all_closes_are_asked_about(raw: str) -> None:
    """ "im for p3.0, against p1.1 ok?" was heard as talk."""
    assert (read(raw).ask, [(act.kind, act.on) for act in read(raw).acts]) == (
        "words",
        [("support", "o1"), ("oppose", "o2")],
    )


@in_one(
    ("raw", "acts"),
    [
        ("o2 if the town pays", [("support", "o2", "if the town pays")]),
        ("p3.0 wenn das Dorf zahlt", [("support", "p3.0", "wenn das Dorf zahlt")]),
        ("ferry, provided the town pays", [("support", "o2", "provided the town pays")]),
        ("yes to o1. o2 only if we mend p3.0", [("support", "o1", ""), ("support", "o2", "only if we mend p3.0")]),
        ("o2 if the town pays?", []),
        ("o2 floods when it rains", []),
        ("not o2 if the town pays", []),
        ("o2 or p3.0 if the town pays", []),
        ("o2 whether it rains or not", []),
        ("I wonder about o2 if it rains", []),
    ],
)
def test_a_text_with_a_condition_alone_is_offered_as_a_support_on_that(
    raw: str, acts: list[tuple[str, str, str]]
) -> None:
    """ "p2 if the bus runs" was heard as talk."""
    found = read(raw)
    assert (found.ask, [(act.kind, act.on, act.condition) for act in found.acts]) == ("", acts)
    assert not (acts and found.exact)


@pytest.mark.parametrize("raw", ["ok forget o1", "ok forget o1 then, i dont want that any more"])
def test_who_says_forget_it_of_a_text_is_not_offered_a_support(raw: str) -> None:
    assert "support" not in [act.kind for act in read(raw).acts]


@pytest.mark.parametrize("raw", ["is o1 ok?", "o1 ok?", "are you for o1, right?", "o1 oder o2?"])
def test_a_question_is_no_side(raw: str) -> None:
    assert read(raw).acts == ()


def test_a_second_sentence_that_puts_a_text_is_asked_about_with_the_first() -> None:
    found = read("I support o1. I propose a kiosk by the bridge.")
    assert (found.ask, [(act.kind, act.on) for act in found.acts]) == ("words", [("support", "o1"), ("propose", None)])


@pytest.mark.parametrize("raw", ["Meine Lanterns (p5.1) ziehe ich zurück", "I withdraw “Lanterns” (p5.1)."])
def test_a_title_with_its_id_in_brackets_is_one_name(raw: str) -> None:
    """As the program itself names a text."""
    assert does(raw, "Milan") == [("withdraw", "p5.1", "text")]


@pytest.mark.parametrize("raw", ["I withdraw my opposition to p3.0 and support o1", "for o1 but o2 is rubbish"])
def test_two_acts_of_which_one_is_not_read_are_not_taken_for_two_of_a_kind(raw: str) -> None:
    assert (read(raw).ask, read(raw).acts) == ("words", ())


def test_only_its_author_withdraws_a_text() -> None:
    assert does("I withdraw my proposal", "Zoe") == [("withdraw", "p3.0", "text")]
    assert read("I withdraw my proposal", "Milan").ask == "which text"
    assert read("I withdraw p3.0", "Milan").ask == "not its author"
    assert does("Both of mine are off the table", "Milan") == [("withdraw", key, "text") for key in ("p5.0", "p5.1")]
    assert does("drop “Lanterns”, I was tired", "Milan") == [("withdraw", "p5.1", "text")]
    assert read("in p5.1, strike “on both banks”", "Milan").ask == "part"


def test_a_line_that_puts_a_text_has_its_words() -> None:
    put = read("I propose that we wait for the spring")
    assert [(act.kind, act.text) for act in put.acts] == [("propose", "we wait for the spring")]
    (put,) = read("ich schlage vor, wir warten bis zum Sommer").acts
    assert put.text == "wir warten bis zum Sommer"
    changed = read("Amend p3.0: half a crown")
    assert [(act.kind, act.on, act.text) for act in changed.acts] == [("amend", "p3.0", "half a crown")]


def test_a_condition_is_part_of_the_act() -> None:
    (act,) = read("I support o2 if it runs in winter too").acts
    assert (act.kind, act.on) == ("support", "o2")
    assert "winter" in act.condition


def test_agreement_right_after_one_proposal_is_offered_for_it_and_after_several_is_asked_about() -> None:
    agreed = read("Agreed.", last=AFTER_ONE)
    assert [(act.kind, act.on) for act in agreed.acts] == [("support", "p3.0")]
    assert not agreed.exact
    assert read("I'm for that", last=AFTER_TWO).ask == "which text"
    assert read("Agreed.", last=AFTER_TALK) == RemarkRead()
    assert read("agreed, the river is a danger", last=AFTER_ONE).acts == ()


@pytest.mark.parametrize(
    "raw",
    [
        "I'm against the new tavern",
        "I support half of p3.0",
        "p3.0 yes, but not for bicycles",
        "I'd support p3.0",
        "If there were no river, I might have opposed o1.",
        "I'm not not against o2",
        "I support Milan's",
        "o1 – Night watch: support",
        "I was never against the watchman with lanterns",
    ],
)
def test_words_that_fit_no_text_a_part_of_one_or_several_are_asked_about(raw: str) -> None:
    assert read(raw).ask


@in_one(
    "raw",
    [
        "Zoe says he supports o2",
        "“I support o2”, wrote my aunt.",
        "What would p3.0 cost?",
        "Would you support p3.0, Zoe?",
        "is everyone in favour of p3.0",
        "seid ihr für p3.0",
        "Good morning!",
        "I'd hate to lose the river",
        "Milan is right about the river",
        "",
        "<b>o2</b>",
    ],
)
def test_questions_reports_and_talk_book_nothing(raw: str) -> None:
    found = read(raw)
    assert found.acts == ()


def test_a_member_and_a_title_may_be_called_like_a_stance() -> None:
    table = [
        {"id": "p1.0", "by": "Yes", "title": "No objection", "text": "Nobody may object from May on.", "at": 1},
        {"id": "p2.0", "by": "Against", "title": "I support p1.0", "text": "Say so on the door.", "at": 2},
    ]
    last = {"number": 9, "who": "Yes", "text": ""}

    def acts(raw: str) -> list[tuple[str, str | None]]:
        found = read_remark(raw, table, "Ana", last)
        return [] if found.ask else [(act.kind, act.on) for act in found.acts]

    assert acts("No objection") == []
    assert acts("I oppose No objection") == [("oppose", "p1.0")]
    assert acts("I oppose I support p1.0") == [("oppose", "p2.0")]
    assert acts("Yes") == acts("Against") == []


def test_a_line_of_any_length_is_read_or_left_in_time_that_grows_with_it() -> None:
    began = process_time()
    assert read("I support p3.0 and then some. " * 700).acts == ()
    read("o1 " * 600)
    read("not " * 480)
    assert process_time() - began < 2


def test_lines_of_unknown_words_never_change_what_an_exact_line_does() -> None:
    for talk in ("The geese are back.", "Brr.", "Has anybody a light?"):
        assert does(f"{talk} I support p3.0")[-1] == ("support", "p3.0", "")
        assert does(f"I support p3.0. {talk}")[0] == ("support", "p3.0", "")


@pytest.mark.parametrize(
    "raw",
    [
        "I am not sure I support o1",
        "I oppose lanterns crown",
        "I don't agree with p3.0",
        "I support p3.0 /s",
        "o1 yes and no",
        "I support o1, at least in summer",
        "How can anyone support p3.0",
        "I support neither o1 nor o2",
    ],
)
def test_no_side_is_booked_where_words_say_two_things(raw: str) -> None:
    found = read(raw)
    assert found.ask or not found.acts


def test_what_is_no_longer_held_is_taken_back() -> None:
    assert does("I no longer support o1") == [("withdraw", "o1", "support")]
    assert does("I no longer oppose p3.0") == [("withdraw", "p3.0", "opposition")]


def test_a_side_that_a_model_takes_in_words_alone_is_told_to_it_with_the_tag_that_counts() -> None:
    """Its author believes that it has voted for the text."""
    memory = ConversationMemory()
    memory.fold(SessionStarted(session="s", question="What now?"))
    said = (
        ("Ada", "[PROPOSE Night watch] Hire a watchman for the nights."),
        ("Ruth", "[PROPOSE Lanterns] Hang lanterns on both banks."),
        ("Ben", "Good evening. I support p1.0. Ada supports p2.0, and if I were her I would oppose it. Is p2.0 dear?"),
        ("Ada", "I stand by my text. I oppose Lanterns.\n[OPPOSE p2.0] too dear"),
        ("Cleo", "I am not sure about p1.0, and the river is high."),
        ("Dora", "Like Ada, I oppose p2.0 in its present form. On balance I support p1.0.\n[SUPPORT p1.0] it is cheap"),
        ("Eve", "So be it.\n[POSITION] p2.0"),
        ("Ruth", "I am beaten.\n[WITHDRAW p2.0] too dear"),
        ("Eve", "Still.\n[POSITION] p2.0"),
        ("Ada", "So.\n[AMEND p1.0 Watch by turns] Each of us watches one night in turn."),
        ("Finn", "So.\n[SUPPORT Night watch] it is cheap\n[POSITION] Night watch"),
    )
    told = {}
    for number, (who, text) in enumerate(said, 1):
        memory.fold(MessagePosted(number=number, who=who, text=text, **read_reply(text, who)._asdict()))
        state = DebateState(settings=Settings(), spoke_at={who: number})
        told[number] = uncounted(
            Persona(name=who.lower(), title=who, role="r", description="d", instruction="i"), state, memory
        )[1]
    assert [len(told[number]) for number in told] == [0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1]
    assert "p1.0: it was replaced by p10.0" in told[11][0]
    assert f"p2.0: it was {why_closed(memory.proposals[1])}" in told[9][0]
    assert "[SUPPORT p1.0]" in told[3][0]
    assert "in its present form" in told[6][0]


@in_one(
    ("text", "told"),
    [
        ("I take back my opposition to p1.0.", "[WITHDRAW my opposition on p1.0]"),
        ("Well argued, Ada. I withdraw my opposition.", "[WITHDRAW my opposition on p1.0]"),
        ("I withdraw my condition on p2.0.", "[WITHDRAW my condition on p2.0]"),
        ("I take back my support of o1.", "[WITHDRAW my support on o1]"),
        ("I take my yes to p2.0 back.", "it has no tag"),
        ("I was wrong and withdraw my support for Lanterns; it has proved too dear for what it does.", "it has no tag"),
        ("I'm taking back my condition, the oil is now paid for by Ruth.", "it has no tag"),
        ("Ich ziehe mein Ja zu p2.0 zurück.", "it has no tag"),
        ("Meine Zustimmung zu o1 muss ich, so leid es mir tut, heute zurücknehmen.", "it has no tag"),
        ("Die Rechnung stimmt, daher nehme ich meinen Vorbehalt gegen p1.0, wie versprochen, zurück.", "it has no tag"),
        ("I withdraw from the room. Ada should take back her support of o1.", ""),
        ("I would never take back my support of o1.", ""),
        ("I take nothing back, not my yes to p2.0.", "it has no tag"),
        ("I take back what I said of the river and of o2.", "it has no tag"),
        ("I take back what I said for the lamps in m3.", "it has no tag"),
        ("take back what I said for the lamps in m3", "it has no tag"),
        ("Take back what you said, Ada.", ""),
        ("I take back my condition, dear Ruth, as you asked me to.\n[WITHDRAW my condition on p2.0]", ""),
        ("I take back my yes to p2.0.\n[OPPOSE p2.0] the oil is dear", ""),
        ("I withdraw my opposition to p1.0.\n[WITHDRAW my opposition on p1.0]", ""),
        ("I do not withdraw my opposition to p1.0.", ""),
        ("I agree with all that was said. The river is high.", ""),
        ("Okay, count me in for Ada's night watch, boat or no boat.", "it has no tag"),
        ("Lanterns.\n[SUPPORT o1] it is cheap. And I am for p1.0, too.", "[SUPPORT p1.0]"),
        ("Lanterns.\n[SUPPORT o1] it is cheap, and I no longer support p2.0", "[WITHDRAW my support on p2.0]"),
        ("I support o1, only if somebody pays the boat.", "[SUPPORT o1]"),
        ("I want a boat before I say yes to o1.", "it has no tag"),
        ("I'm out on p2.0.", "it has no tag"),
        ("Cid's 90 euros for p1.0 in m1 are a figure and no signature.", ""),
        ("Lanterns.\n[SUPPORT o1] cheaper than p1.0 or p2.0. The river is high.", ""),
    ],
)
def test_what_a_model_takes_back_in_words_alone_is_told_to_it_with_the_tag_that_counts(text: str, told: str) -> None:
    """Its author believes that it opposes nothing any more."""
    memory = ConversationMemory()
    memory.fold(SessionStarted(session="s", question="What now?", options=("Wait", "Go")))
    said = (
        ("Ada", "[PROPOSE Night watch] Hire a watchman for the nights."),
        ("Ruth", "[PROPOSE Lanterns] Hang lanterns on both banks."),
        ("Ben", "So.\n[OPPOSE p1.0] it is dear\n[SUPPORT p2.0] if the oil is paid\n[SUPPORT o1] it is cheap"),
        ("Ben", text),
    )
    for number, (who, says) in enumerate(said, 1):
        memory.fold(MessagePosted(number=number, who=who, text=says, **read_reply(says, who)._asdict()))
    ben = Persona(name="ben", title="Ben", role="r", description="d", instruction="i")
    lines = uncounted(ben, DebateState(settings=Settings(), spoke_at={"Ben": 4}), memory)[1]
    assert len(lines) == bool(told), lines
    assert told in "".join(lines)
    assert not memory.unread("Ben")[1]


TAR, LINK = "Tar the roof anew", "In the hall of the town library"
TARRED, LINKED = (
    f"[PROPOSE{title}] {text}"
    for title, text in (
        ("", "Tar the roof now and plant it later."),
        (" Library hall with a video link", "We meet in the hall of the town library, with a video link."),
    )
)
STAYS = "I stay."


@in_one(
    ("said", "position", "holds"),
    [
        ((("Ada", TARRED),), "Tar now, plants once they are paid", ()),
        ((("Ada", TARRED),), "Tar the roof anew", (TAR,)),
        ((("Ada", TARRED),), "Slightly for “Tar the roof anew”, for I hate leaks", ()),
        ((("Ada", TARRED), ("Ada", STAYS)), "Slightly for “Tar the roof anew”, for I hate leaks", (TAR,)),
        ((("Ada", "[PROPOSE] Ask a roofer."),), "Tar now", ()),
        ((("Ada", "[PROPOSE] Ask a roofer."), ("Ada", STAYS)), "Tar now", (TAR,)),
        ((("Ada", TARRED), ("Ada", STAYS)), "Tar now", ()),
        ((("Ada", TARRED), ("Ada", STAYS)), "o1", (TAR,)),
        ((("Ada", LINKED),), "the library hall with a video link", ()),
        ((("Ada", LINKED), ("Ada", STAYS)), "the library hall with a video link", ()),
        ((("Ada", LINKED), ("Ada", STAYS)), "Library hall with a video link", ()),
        ((("Ada", LINKED), ("Ada", STAYS)), "the library hall", ()),
        ((("Ada", LINKED), ("Ada", STAYS)), "in the hall of the town library", (LINK,)),
        ((("Ruth", LINKED), ("Ada", STAYS)), "the library hall with a video link", ()),
        ((("Ruth", LINKED), ("Ada", STAYS)), "Library hall with a video link", ()),
        ((("Ruth", LINKED), ("Ada", STAYS)), "the library hall", (LINK,)),
        ((("Ruth", "[PROPOSE Hall with tea] We meet there."), ("Ada", STAYS)), "the hall with the tea", ()),
        ((("Ruth", LINKED), ("Ada", STAYS)), "p1.0, the library hall", ()),
    ],
)
def test_a_position_in_words_of_another_text_is_no_hold_on_an_option_that_shares_some(
    said: tuple[tuple[str, str], ...], position: str, holds: tuple[str, ...]
) -> None:
    """ "Tar now" beside a proposal to tar and plant was shown as a position for "Tar the roof anew".

    So was the very title of a text, "Library hall with a video link", as one for "In the hall of the town library".
    """
    last = (said[-1][0], f"{said[-1][1]}\n[POSITION] {position}")
    memory = debated(*said[:-1], last, options=(TAR, LINK))
    assert memory.parts.minutes.agents["Ada"].holds == holds


def test_what_has_the_look_of_a_move_is_told_to_its_author_once() -> None:
    """One line was told three times in different words, one in a fence never, and a side on `p1` never."""
    memory = ConversationMemory()
    memory.fold(SessionStarted(session="s", question="What now?", options=("Wait", "Go")))
    memory.fold(
        MessagePosted(
            number=1, who="Ruth", text="", **read_reply("[PROPOSE Lanterns] Hang them on both banks.", "Ruth")._asdict()
        )
    )
    said = {
        "Ben": ("I must say no.\n\n- support o1\n- oppose p1: it is dear", ["support o1:", "oppose p1: a"]),
        "Cleo": ("It can be undone.\n```\n[SUPORT p1] it can be undone\n```", ["[SUPORT p1] it can be undone:"]),
        "Dora": ("The river is high.\nSupport p1 because it can be undone", ["[SUPPORT p1.0]"]),
        "Emil": ("It says:\n```\n[INFO] starting\nOn we go\n```", []),
    }
    for number, (who, (text, told)) in enumerate(said.items(), 2):
        memory.fold(MessagePosted(number=number, who=who, text=text, **read_reply(text, who)._asdict()))
        member = Persona(name=who.lower(), title=who, role="r", description="d", instruction="i")
        lines = uncounted(member, DebateState(settings=Settings(), spoke_at={who: number}), memory)[1]
        assert len(lines) == len(told), lines
        assert all(part in line for part, line in zip(told, lines, strict=True)), lines


def test_each_sentence_that_names_a_text_and_has_no_act_beside_it_is_told() -> None:
    """Of three sentences on texts by their titles none was told, and beside a tag only one of few words."""
    put = (
        ("Ada", "[PROPOSE Night watch] We hire a watchman for the nights."),
        ("Ruth", "[PROPOSE New lamps] We hang lanterns on both banks."),
    )
    prose = ("I like the Night watch.", "The new lamps are too dear for me.")
    long = "And o2 has my full sympathy, though not my vote, as long as nobody can tell me who is to pay for the paint."
    for text, told in (
        (" ".join(prose), prose),
        (f"{long} The lamps are new.\n\n[SUPPORT p1.0] it is cheap", (long,)),
        (f"{prose[0]}\n[SUPPORT p1.0] it is cheap", ()),
    ):
        ben = Persona(name="ben", title="Ben", role="r", description="d", instruction="i")
        memory = debated(*put, ("Ben", text), options=("Wait", "Go"))
        lines = uncounted(ben, DebateState(settings=Settings(), spoke_at={"Ben": 3}), memory)[1]
        assert lines == tuple(f'"{each}": it has no tag, so it is talk' for each in told)


def test_a_condition_that_takes_a_side_is_asked_about() -> None:
    """ "against p5.0" was read as part of the condition before it, and the opposition was lost."""
    assert read("for p3.0 as long as its back by nine, against p5.0").ask == "condition"
    assert does("for p3.0 as long as its back by nine") == [("support", "p3.0", "")]


def test_a_line_that_is_asked_about_keeps_its_condition() -> None:
    """ "Did you mean: you support o1?" was asked of who was for it "so long as three of us are on call"."""
    asked = read("i mean im for o1, so long as three of us are on call")
    assert [(act.kind, act.on, act.condition) for act in asked.acts] == [
        ("support", "o1", "so long as three of us are on call")
    ]


@in_one(
    ("text", "answer", "more"),
    [
        ("ja", "yes", ""),
        ("j", "yes", ""),
        ("ja genau", "yes", ""),
        ("Yes, exactly!", "yes", ""),
        ("nein, ohne bedingung!", "no", "ohne bedingung!"),
        ("No. I am for p3.0", "no", "I am for p3.0"),
        ("no one pays", "", "no one pays"),
        ("no-one pays", "", "no-one pays"),
        ("ok, let us hear Zoe", "", "ok, let us hear Zoe"),
        ("ja, nein", "", "ja, nein"),
        *(
            (said, "yes", "")
            for said in ("klar doch", "na klar", "Aber ja!", "jau", "jo klar", "sure thing", "yes of course")
        ),
        *((said, "no", "") for said in ("ne gar nich", "nee gar nicht", "no not at all", "ugh no", "Ach, nein!")),
        ("jup, stimmt beides", "yes", ""),
        *((said, "yes", "") for said in ("ye thats what i meant", "yup thats right", "Yes, that's what I said.")),
    ],
)
def test_a_yes_or_no_in_front_is_told_from_what_stands_behind_it(text: str, answer: str, more: str) -> None:
    assert answer_first(text) == (answer, more)
    assert yes_or_no(text) == ("" if more else answer)


VAN = {"id": "p7.0", "by": "Zoe", "title": "Market van", "text": "Buy a used van for at most 900 crowns.", "at": 7}


@pytest.mark.parametrize(
    ("raw", "ask", "acts"),
    [
        ("for the van and against o2", "", [("support", "p7.0"), ("oppose", "o2")]),
        ("against o2 and for the van", "", [("oppose", "o2"), ("support", "p7.0")]),
        ("I am against o2 but for p3.0", "", [("oppose", "o2"), ("support", "p3.0")]),
        ("for the van der and against o2", "", [("support", "p7.0"), ("oppose", "o2")]),
        ("for the het and against o2", "words", [("oppose", "o2")]),
        ("for it and against o2", "words", [("oppose", "o2")]),
        ("I oppose o2 for good", "", [("oppose", "o2")]),
    ],
)
def test_each_side_of_a_line_is_read_or_asked_about(raw: str, ask: str, acts: list[tuple[str, str]]) -> None:
    """The side of "for the van" was lost, as "van" is a small word elsewhere; "and for" was against."""
    found = read_remark(raw, [*TABLE, VAN], "Ana", AFTER_TALK)
    assert (found.ask, [(act.kind, act.on) for act in found.acts]) == (ask, acts)


@pytest.mark.parametrize(
    ("raw", "acts"),
    [
        ("no to p3.0, yes to o1 if its cheap", [("oppose", "p3.0", ""), ("support", "o1", "if its cheap")]),
        (
            "p3.0 no, o1 yes when the loan is signed",
            [("oppose", "p3.0", ""), ("support", "o1", "when the loan is signed")],
        ),
        ("yes to o1 if its cheap, no to p3.0", "condition"),
        ("p3.0 no, o1 only if its cheap", "condition"),
        ("yes to old brige, ferry yes if its cheap", "condition"),
        ("no to p3.0, o1 only if its cheap", "condition"),
        ("I'm for o1. I support p3.0 if its cheap", [("support", "o1", ""), ("support", "p3.0", "if its cheap")]),
        ("for o1 if its cheap, I am undecided on p5.0", [("support", "o1", "if its cheap"), ("undecided", "p5.0", "")]),
        ("yes to o1, and p3.0 is fine if its cheap", "condition"),
        ("I support o1 but p3.0 has my vote if its cheap", "condition"),
        ("o1 has my vote if its cheap, and I'd take p3.0", "condition"),
        ("yes to o1 as long as its cheap, not p3.0", "condition"),
        ("ok for o1, I support o1, if its cheap", [("support", "o1", "if its cheap")]),
        ("I'll never vote for o1", "words"),
    ],
)
def test_a_condition_behind_two_sides_is_of_the_last_or_asked_about(
    raw: str, acts: list[tuple[str, str, str]] | str
) -> None:
    """It was offered without its condition, and counted in full."""
    found = read(raw)
    assert acts == (found.ask or [(act.kind, act.on, act.condition) for act in found.acts])


@pytest.mark.parametrize(
    ("text", "takes"),
    [
        ("I withdraw my opposition to o1.", True),
        ("o1 it is, I'm for it.", True),
        ("My condition on p3.0 is met.", True),
        ("Ich ziehe p3.0 zurück.", True),
        ("The batch window worries me, because the run takes five hours.", False),
    ],
)
def test_a_sentence_without_words_of_a_side_is_not_read_for_one(text: str, *, takes: bool) -> None:
    assert may_take_side(text) is takes


def test_a_text_that_a_line_names_again_and_again_is_read_in_the_time_of_its_words() -> None:
    """ "I support p1 p1 p1 ..." beside a support held a debate up for seventeen seconds, at each reading of its log."""
    calls, rows = Counter[int](), {row["id"]: row for row in TABLE}
    for times in (200, 2000):
        line = "I support" + " p3.0" * times
        sys.setprofile(lambda *_, times=times: calls.update([times]))
        try:
            parts = parts_of(line, rows)
        finally:
            sys.setprofile(None)
        assert [len(part.texts) for each in parts for part in each] == [times]
    assert calls[2000] < 15 * calls[200]


@in_one(
    "raw",
    [
        *("o1 is fine, says Zoe", "everybody is for o1", "o1 has support", "please support o1", "Zoe said yes to o1"),
        *("o1 ist gut, sagt Zoe", "alle sind für o1", "yes, o1 costs 900", "I support the idea behind o1"),
    ],
)
def test_what_is_told_of_others_or_asked_of_them_is_no_side_of_who_types_it(raw: str) -> None:
    found = read(raw)
    assert found.ask or not found.acts or not found.exact


@pytest.mark.parametrize(("line", "answer"), [("👍", "yes"), ("👎", "no"), ("Absolutely not!", "no"), ("👍 👎", "")])
def test_a_thumb_answers_an_offer(line: str, answer: str) -> None:
    assert yes_or_no(line) == answer
