"""What a message says of somebody's proposal, that it is rejected."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from eda.memory import motions


@given(st.from_regex(motions._REJECTED))
def test_no_rejection_is_passed_over_unread(text: str) -> None:
    """Only a message that holds one of a few words is searched: a wording without any would reject nothing."""
    assert any(word in text.lower() for word in motions._REJECTING)
