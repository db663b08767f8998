"""Decisions that others speak of again: after a vote without talk, and many times over."""

from __future__ import annotations

from eda import ConversationMemory, MessagePosted
from eda.events import SessionStarted, VerdictReached


def test_a_vote_before_anybody_spoke_can_be_spoken_of() -> None:
    """A debate whose turns all failed, and that is then extended, would break at the first remark on its verdict."""
    memory = ConversationMemory()
    memory.fold(VerdictReached(rule="majority", outcome="Keep the old bridge open", tally={}))
    for number, who in enumerate(("Ana", "Bo"), 1):
        memory.fold(MessagePosted(number=number, who=who, text="I am against keeping the old bridge open."))
    (decision,) = memory.decisions
    assert decision.messages == ()
    assert "m1 Ana: against" in memory.explain(decision)
    assert not memory.consensus().reached


def test_a_decision_that_is_stated_for_ever_keeps_its_first_and_newest_places() -> None:
    """Each time a group says again what it decided, the next message would cost more to take in."""
    memory = ConversationMemory()
    memory.fold(SessionStarted(session="s", kind="transcript", question=""))
    for number in range(1, 61):
        text = "RESOLVED: keep the old bridge open"
        memory.fold(MessagePosted(number=number, who=f"Member {number % 3}", text=text))
    (decision,) = memory.decisions
    assert decision.messages == (1, *range(41, 61))
    assert [quote.message for quote in decision.quotes] == list(decision.messages)
    assert set(decision.supporters) == {"Member 0", "Member 1", "Member 2"}
