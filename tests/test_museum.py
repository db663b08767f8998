"""A debate played carelessly: what `eda show`, the tally and the report say of it is what its members meant."""

from __future__ import annotations

from played_museum import WORDS, museum, report


def test_what_is_adopted_beside_the_answer_rests_on_its_own_messages() -> None:
    """The quiet room was shown to rest on the messages of the limit of two classes."""
    decided = {each.proposal: each.messages for each in museum().memory.decisions if each.source == "procedure"}
    assert decided == {"p9.0": (1, 2, 5, 9), "p4.0": (4, 8)}


def test_a_text_does_not_rest_on_a_member_whose_ballot_refuses_it() -> None:
    """Anjali accepted none of the texts, "mine too"; Eli was moved to the limit, and not to his own racks."""
    behind = museum().verdict.behind
    assert behind[WORDS["p8.0"]] == (3, 8), "her last position is left out"
    assert behind[WORDS["p4.1"]] == (4,)


def test_what_would_change_a_mind_is_not_past_when_its_author_words_the_text_anew() -> None:
    """Anjali said it of her first text, and amended that; the report left it out as if she had moved on."""
    assert [(each.who, each.text, each.message) for each in report().minds if not each.agrees] == [
        ("Anjali", "I would change my mind if somebody had watched already.", 3)
    ]
