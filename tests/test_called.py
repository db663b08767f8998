"""Who is asked, and who bids, in the words of a played debate."""

from __future__ import annotations

from in_turn import in_one

from eda.debate.addressing import addressing_of

MEMBERS = ("Beatriz", "Sunniva", "Walter", "Kofi")


@in_one(
    ("text", "asked"),
    [
        ("Kofi knows the pump. How deep do you dig it?", "Kofi"),
        ("Kofi knows the pump. How deep is it?", None),
        ("Kofi and Walter know it. Do you?", None),
        ("Kofi is right. Do you all see it?", None),
        ("Kofi is right.\n\nDo you see it?", None),
        ("Walter, in m3 you cite a fee. It is for Kofi. Do you see it?", "Walter"),
        ("Kofi, the arithmetic of m4 does not hold?", "Kofi"),
        ("Walter, you cite a fee. Kofi, yes. So tell me, Walter: who pays it in April?", "Walter"),
        ("Walter, you cite a fee. Kofi, yes. And what, Walter, does it cost?", "Walter"),
        ("Walter, you cite a fee. Kofi, yes. Did Sunniva, Walter, and Kofi agree to it?", None),
        ("Walter, you cite a fee. Kofi, yes. Do Sunniva, Walter, Kofi and Beatriz agree to it?", None),
        ("Walter, you cite a fee. Kofi, yes. One is against, Walter: he is late.", None),
        ("Walter, you cite a fee. There is one, Sunniva: who else?", "Walter"),
    ],
)
def test_a_question_to_you_asks_whom_the_sentence_before_it_names(text: str, asked: str | None) -> None:
    """Such questions were asked of nobody and stayed without an answer."""
    assert addressing_of(*MEMBERS).find(text, "Beatriz") == asked
