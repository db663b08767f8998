"""What verdict, tally, show and report told falsely of two played debates: each test has the words of them."""

from __future__ import annotations

from played import PLOTS, reported


def test_who_is_against_the_answer_is_told_before_what_is_adopted_beside_it() -> None:
    """ "Adopted beside it: ... (p9.0, by Kofi) ... Against it: Kofi" read as if Kofi refused his own text."""
    told = " ".join(reported(PLOTS).verdict)
    assert "Against p8.0: Kofi: “As the answer none" in told
    assert "3 of 4 accept it; Kofi accepts none of the texts as the answer." in told
