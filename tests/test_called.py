"""Who is asked, and who bids, in the words of a played debate."""

from __future__ import annotations

import pytest

from eda.debate.addressing import addressing_of
from eda.debate.asking import read_bids
from eda.runners.protocol import Reply

MEMBERS = ("Beatriz", "Sunniva", "Walter", "Kofi")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Kofi knows the pump. How deep do you dig it?", "Kofi"),
        ("Kofi knows the pump. How deep is it?", None),
        ("Kofi and Walter know it. Do you?", None),
        ("Kofi is right. Do you all see it?", None),
        ("Kofi is right.\n\nDo you see it?", None),
        ("Walter, in m3 you cite a fee. It is for Kofi. Do you see it?", "Walter"),
        ("Kofi, the arithmetic of m4 does not hold?", "Kofi"),
    ],
)
def test_a_question_to_you_asks_whom_the_sentence_before_it_names(text: str, asked: str | None) -> None:
    """Such questions were asked of nobody and stayed without an answer."""
    assert addressing_of(*MEMBERS).find(text, "Beatriz") == asked


@pytest.mark.parametrize(
    ("text", "bids"),
    [
        (
            (
                "Beatriz: I'd like to speak, urgency high, because the raised beds have no budget line.\n"
                "Sunniva: she passes for now.\nWalter: I'd like to speak too, urgency medium, my proposal was not read."
            ),
            {"Beatriz": (True, 0.8), "Sunniva": (False, 0.5), "Walter": (True, 0.5)},
        ),
        (
            (
                "I'd like to speak, urgency high — Kofi, because we do not all agree.\n"
                "Sunniva: urgency medium, about the ditch."
            ),
            {"Kofi": (True, 0.8), "Sunniva": (True, 0.5)},
        ),
    ],
)
def test_bids_in_prose_are_read_with_the_name_before_or_behind(text: str, bids: dict[str, tuple[bool, float]]) -> None:
    """ "No bid in the answer" was said of who passed, and of who wanted the floor most."""
    read = read_bids(Reply(text), MEMBERS) or ()
    said = {bid.agent: (bid.wants, bid.urgency) for bid in read if "no bid" not in bid.reason}
    assert said == bids
