"""Facts of older schemas in the form of today. What they say in words stays words, of a kind of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Fact = dict[str, Any]


def upcast(fact: Fact) -> Fact | None:
    """Return a fact of a schema before 7 as today's classes have it; None where its kind has had one form only."""
    change = _BEFORE_7.get(fact.get("type", ""))
    if change is None:
        return None
    change(fact)
    return fact


def _ballot(ballot: Fact) -> None:
    if "doubt" in ballot:
        ballot["doubts"] = [{"kind": "words", "words": ballot.pop("doubt")}]


def _ballot_cast(fact: Fact) -> None:
    _ballot(fact["ballot"])


def _verdict(fact: Fact) -> None:
    for ballot in fact.get("dissent", ()):
        _ballot(ballot)
    if fact.get("undoubted") in ("no wording", "no verdict"):
        fact["undoubted_to"] = fact.pop("undoubted")


def _paused(fact: Fact) -> None:
    reason = fact["reason"]
    _, by, who = reason.partition("paused by ")
    fact |= {"reason": "person", "by": who} if by and reason.startswith(by) else {"reason": "words", "error": reason}


def _passed(fact: Fact) -> None:
    fact |= {"why": "repeated"} if fact.get("repeats") else {"why": "words", "fault": fact["why"]}


_BEFORE_7: dict[str, Callable[[Fact], None]] = {
    "ballot_cast": _ballot_cast,
    "verdict_reached": _verdict,
    "session_paused": _paused,
    "turn_passed": _passed,
}
