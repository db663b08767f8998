"""A debate played carelessly: what `eda show`, the tally and the report say of it is what its members meant."""

from __future__ import annotations

from folded import debated
from played_museum import WORDS, museum, report, talk
from test_played_library import shown
from told import Told

from eda import analyze


def test_what_is_adopted_beside_the_answer_rests_on_its_own_messages() -> None:
    """The quiet room was shown to rest on the messages of the limit of two classes."""
    decided = {each.proposal: each.messages for each in museum().memory.decisions if each.source == "procedure"}
    assert decided == {"p9.0": (1, 2, 5, 6, 7, 9), "p4.0": (4, 8)}, "m6 and m7 are for what p9.0 words anew"


def test_a_text_does_not_rest_on_a_member_whose_ballot_refuses_it() -> None:
    """Anjali accepted none of the texts, "mine too"; Eli was moved to the limit, and not to his own racks."""
    behind = museum().verdict.behind
    assert behind[WORDS["p8.0"]] == (3, 8), "her last position is left out"
    assert behind[WORDS["p4.1"]] == (4,)


def test_what_would_change_a_mind_is_not_past_when_its_author_words_the_text_anew() -> None:
    """Anjali said it of her first text, and amended that; the report left it out as if she had moved on."""
    assert [(each.who, each.text, each.message) for each in report().minds] == [
        ("Anjali", "I would change my mind if somebody had watched already.", 3)
    ]


def test_a_text_put_since_the_last_position_stands_beside_it() -> None:
    """ "Your last position: p5.0" pulled Rosa, whose own p9.0 was on the ballot, to the older wording."""
    memory = talk().memory
    assert memory.newer("Rosa")[1] == "p9.0 (m9)"
    assert not any(memory.newer(who)[1] for who in ("Beatriz", "Anjali", "Eli")), "Anjali's p8.0 is her position"
    assert "p5.0: On rainy days" in (own := memory.full_context("Rosa").section("position").text), own
    assert own.endswith("; you have put p9.0 (m9) since; you support p4.0 (m9) since"), "as eda show has it"
    assert "Rosa  p5.0 (declared in m6; put since: p9.0 (m9); supports since: p4.0 (m9))" in shown(talk())
    voted = museum()
    assert "Rosa  p5.0 (declared in m6; put since: p9.0 (m9); supports since: p4.0 (m9)); last ballot: p9.0" in shown(
        voted
    )
    assert (
        voted.memory.full_context("Rosa").section("position").text.endswith("; in the last ballot you put p9.0 first")
    )


def test_a_text_of_another_motion_is_no_later_word_on_a_position() -> None:
    """ "Position of Ada (has put p3.1 since)" named a text on the money beside her answer to the question."""
    openings = [("Ada", "[PROPOSE] Save 400 first."), ("Ben", "[PROPOSE] Deliver on Friday.")]
    openings += [(who, "I listen.") for who in ("Cleo", "Dan", "Eve")]
    new, anew = "[PROPOSE] Save 900 first.", "[AMEND p1.0] Save 900 first."
    for puts, since in ((new, "p7.0 (m7)"), (f"{new}\n[SUPPORT p2.0]", ""), (anew, "")):
        said = ("Ada", "[POSITION] p2.0"), ("Ada", puts)
        assert Told(talk=(*openings, *said), options=()).memory.newer("Ada")[1] == since


def test_a_position_in_a_prompt_has_the_texts_that_its_member_supports_since() -> None:
    """ "Your last position: o1" stood alone in the prompt of who had supported another text four messages later."""
    memory = debated(
        ("Ada", "[PROPOSE] Buy a shed."), ("Ada", "[PROPOSE] Rent a cellar."), ("Ben", "[POSITION] p1.0"),
        ("Ben", "[SUPPORT p1.0] it is dry"), ("Ben", "[SUPPORT p2.0] if it is cheap"), ("Cleo", "[POSITION] p1.0"),
    )  # fmt: skip
    for who, ends in (("Ben", "; you support p2.0 on a condition (m5) since"), ("Cleo", 'Buy a shed."')):
        assert memory.full_context(who).section("position").text.endswith(ends)


def test_who_voiced_no_position_stands_on_the_table_with_what_it_supported() -> None:
    """Ana and Ben supported the text that won, and `eda show` had nothing on them."""
    openings = [("Ada", "[PROPOSE] Buy a shed."), *((who, "I listen.") for who in ("Ben", "Cleo", "Dan", "Eve"))]
    talk = (("Ben", "[SUPPORT p1.0] it is dry"), ("Cleo", "[POSITION] p1.0"), ("Cleo", "[AMEND p1.0] Buy an old shed."))
    after = (("Dan", "[OPPOSE p8.0] it leaks"), ("Eve", "[SUPPORT p8.0] if it is under 600"))
    text = shown(Told(talk=(*openings, *talk, *after), options=()))
    assert 'for 2 of 5: Ada (own), Ben "it is dry"; against nobody; position of Cleo (has put p8.0 (m8) since)' in text
    assert 'Cleo (own); for, if ... 1: Eve "if it is under 600"; against 1: Dan "it leaks"' in text
    assert "Cleo  p1.0 (declared in m7; put since: p8.0 (m8))" in text.partition("Positions")[2]
    since = shown(Told(talk=(*openings, *talk, *after, ("Cleo", "[SUPPORT p1.0] both are dry")), options=()))
    assert "put since: p8.0 (m8); supports since: p1.0 (m11))" in since.partition("Positions")[2]
    back = (*openings, *talk, ("Cleo", "[WITHDRAW my support on p1.0] it leaks"))
    assert (
        "p1.0 (declared in m7, taken back in m9; put since"
        in shown(Told(talk=back, options=())).partition("Positions")[2]
    )


def test_positions_name_all_that_a_message_declares_and_each_support_since_on_its_condition() -> None:
    """Who had backed two texts stood with the second, a conditional support with none, and a position with a thanks."""
    openings = [("Ada", "[PROPOSE] Buy a shed."), *((who, "I listen.") for who in ("Ben", "Cleo", "Dan", "Eve"))]
    talk = (
        ("Ben", "[PROPOSE] Buy a tent.\n[SUPPORT p1.0] dry"), ("Cleo", "[SUPPORT p1.0] dry\n[SUPPORT p6.0] cheap"),
        ("Dan", "[POSITION] p1.0, thank you all for listening!"), ("Dan", "[SUPPORT p6.0] if it is under 600"),
        ("Eve", "[SUPPORT p6.0] if it is under 600"),
    )  # fmt: skip
    told = Told(talk=(*openings, *talk), options=())
    stood = {line.split()[0]: line.strip() for line in shown(told).partition("Positions")[2].splitlines() if line}
    assert [stood[who] for who in ("Ben", "Cleo", "Dan", "Eve")] == [
        "Ben  p1.0 and p6.0 (declared in m6)",
        "Cleo  p1.0 and p6.0 (declared in m7)",
        "Dan  p1.0 (declared in m8; supports since: p6.0 on a condition (m9))",
        "Eve  p6.0 on a condition (declared in m10)",
    ]
    position = told.memory.full_context("Dan").section("position").text
    assert position.endswith('- "p1.0: Buy a shed."; you support p6.0 on a condition (m9) since')


def test_who_has_declared_no_position_stands_with_each_text_that_it_supports() -> None:
    """Kalle, for the clocks since m12, stood with the measure that he supported last."""
    openings = [("Ada", "[PROPOSE] Buy a shed."), *((who, "I listen.") for who in ("Ben", "Cleo", "Dan", "Eve"))]
    talk = (("Ben", "[PROPOSE] Buy a tent."), ("Cleo", "[SUPPORT p1.0] dry"), ("Cleo", "[SUPPORT p6.0] cheap"))
    stood = shown(Told(talk=(*openings, *talk), options=())).partition("Positions")[2]
    assert "Cleo  p1.0 (declared in m7; supports since: p6.0 (m8))" in stood


def test_a_position_by_the_title_of_a_text_that_was_withdrawn_is_shown_as_such() -> None:
    """ "Charter the workboat" stood as the position of who had put that text later and taken it back."""
    openings = [("Ada", "[POSITION] Buy a shed"), *((who, "I listen.") for who in ("Ben", "Cleo", "Dan", "Eve"))]
    talk = (("Ada", "[PROPOSE Buy a shed] A shed by the gate, of wood, for all."), ("Ada", "[WITHDRAW p6.0] too dear"))
    stood = shown(Told(talk=(*openings, *talk), options=())).partition("Positions")[2]
    assert "Ada  Buy a shed (withdrawn) (declared in m1" in stood


def test_the_table_says_which_text_a_holder_has_put_since() -> None:
    """It named Ben for Ada's text after he had put one of his own."""
    said = ("[PROPOSE] Phones in lockers.", "[POSITION] p1.0", "[POSITION] p1.0", "[PROPOSE] Phones at home.")
    rows = [{"speaker": who, "text": f"So be it.\n\n{text}"} for who, text in zip("ABCB", said, strict=True)]
    assert (
        "for 2: A (own), C (position); against nobody; position of B (has put p4.0 (m4) since)"
        in analyze(rows).table().text
    )


def test_a_claim_goes_by_its_message() -> None:
    """ "d9@376" stood in prompts and in `eda show`; no member can name it, and no reader can look it up."""
    claim = '- m9 [by Rosa]: "The whole panel agrees on the limit with the hall."'
    assert f"Claimed, not voted on:\n{claim}" in talk().memory.table().text
    assert claim in museum().memory.table().text
    assert "d9@" not in shown(museum())
    assert [each.outcome for each in museum().memory.claims] == ["The whole panel agrees on the limit with the hall."]
