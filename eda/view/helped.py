"""Did talking help, in three lines: what it changed, whom it moved, who talked; and what it took."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from eda.effect import Helped
from eda.events import BaselineTaken
from eda.records import StanceChange
from eda.spent import Spent
from eda.view.text import count, listed, money, one_line, shorten, tokens

__all__ = ["helped_data", "helped_lines", "took"]

_WIDEST = 60
"""Characters of a choice in a line on a screen."""
Named = Callable[[str], str]
_BASES = {"poll": "a poll", "ballot": "first ballots", "opening": "blind openings"}


def helped_lines(helps: Helped, named: Named | None = None) -> list[str]:
    """What the talk changed, who changed their mind towards whom, shares and disagreement; then the baseline.

    `named` shortens a choice; without it one is cut at 60 characters.
    """
    named = named or _short
    lines = [f"talk: {_outcome(helps, named)}", f"minds: {_minds(helps, named)}", f"shares: {_shares(helps)}"]
    if helps.baseline_due:
        lines.append("baseline: it was asked for and not taken; resuming the session takes it")
    return lines + ([f"baseline: {_baseline(helps.baseline, helps.outcome, named)}"] if helps.baseline else [])


def took(debate: Spent | Helped, baseline: Spent | None) -> str:
    """`55 calls, 124.5k tokens, $0.12`, and beside it what the baseline took, where there is one."""
    said = f"{count(debate.calls, 'call')}, {tokens(debate.tokens)}, {money(debate.cost, debate.unpriced_calls)}"
    return f"{said} (and for the baseline {took(baseline, None)})" if baseline and baseline.calls else said


def helped_data(helps: Helped | None) -> dict[str, Any] | None:
    """The same in plain JSON types."""
    if helps is None:
        return None
    plain = {key: value for key, value in asdict(helps).items() if key != "baseline"}
    baseline = helps.baseline
    return {
        **plain,
        "disagreement_left": helps.left,
        "baseline": baseline.model_dump(mode="json", exclude={"seq", "at", "type"}) if baseline else None,
    }


def _baseline(taken: BaselineTaken, outcome: str | None, named: Named) -> str:
    """What single answers came to, beside the panel's outcome."""
    votes = sum(answer.choice == taken.outcome for answer in taken.answers)
    of = f"of {count(len(taken.answers), 'single answer')} at {tokens(taken.tokens)}"
    if taken.outcome is None:
        return f"{of}, no choice has the most"
    same = "the panel's outcome too" if taken.outcome == outcome else "not the panel's outcome"
    return f"{of}, {votes} {'takes' if votes == 1 else 'take'} {named(taken.outcome)}, {same}"


def _outcome(helps: Helped, named: Named) -> str:
    if helps.several:
        return (
            "whether it changed the outcome is not known: the choices are the panel's own proposals, and each member "
            "could back several, so no opening counts as a vote"
        )
    if helps.basis == "none":
        return "where members stood before they heard anybody is not known"
    known = f"{_BASES[helps.basis]} of {helps.known} of {helps.members}"
    before = f"{named(helps.before)} would have won" if helps.before is not None else "nothing would have won"
    counted = f"before it {before} ({one_line(helps.rule)}, {known})"
    if helps.changed is None:
        level = f"before it several were level, and only a lot would have decided ({one_line(helps.rule)}, {known})"
        few = f"too few openings are known to tell ({known})"
        if helps.voted < helps.known:
            few = f"{counted}; too few voted in the end to tell what it changed ({helps.voted} of {helps.asked})"
        return level if helps.before_by_lot else few
    if not helps.same_rule:
        after = f"{named(helps.after)} would" if helps.after is not None else "nothing would"
        return f"{counted}, after it {after if helps.changed else 'the same would'}"
    if not helps.changed:
        return f"{counted}; it did not change the outcome"
    return f"{counted}; it changed the outcome" + (" to none" if helps.after is None else f" to {named(helps.after)}")


def _minds(helps: Helped, named: Named) -> str:
    if not helps.compared:
        return "of nobody is both known: the stance before hearing anybody, and the last one"
    if not helps.moved:
        return f"none of {helps.compared} changed their mind"
    moved = "; ".join(_change(change, named) for change in helps.moved)
    return f"{len(helps.moved)} of {helps.compared} changed their mind: {moved}"


def _change(change: StanceChange, named: Named) -> str:
    to = f"to {named(change.after)}" if change.after is not None else "to none of the choices"
    after = f"after {one_line(change.joined)}" if change.joined else "where nobody stood before"
    towards = {"towards": "towards the majority", "away": "away from the majority", "aside": ""}[change.direction]
    about = ", ".join(part for part in (after if change.after is not None else "", towards) if part)
    return f"{one_line(change.who)} {to}" + (f" ({about})" if about else "")


def _shares(helps: Helped) -> str:
    said = ", ".join(f"{one_line(share.who)} {share.share:.0%}" for share in helps.shares)
    apart = "nobody apart in the end" if helps.voted else "nobody voted in the end"
    if helps.apart and helps.voted:
        apart = f"{len(helps.apart)} of {helps.asked} apart in the end ({listed(helps.apart)})"
    spoke = any(share.words for share in helps.shares)
    return f"words {said} (Gini {helps.gini:.2f}); {apart}" if spoke else f"nobody said anything; {apart}"


def _short(choice: str) -> str:
    return f"“{shorten(choice, _WIDEST)}”"
