"""Words for what differs between the first vote and the last: for a screen and for the report. Never a cause."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from eda.events import NONE, BaselineTaken
from eda.events.usage import UsageTotals
from eda.report.effect import Helped, Result, VoteDiffers
from eda.report.formatting import count, listed, money, one_line, shorten, tokens

_WIDEST = 60
"""Characters of a choice in a line on a screen."""
Named = Callable[[str], str]
ONE_RUN = "one debate, one seed; not repeated, so nobody can say how often this panel would end here"


class _Ids:
    """Names texts: the first time by words and id, then by the id alone; a text without an id always by its words."""

    def __init__(self, ids: Mapping[str, str], named: Named) -> None:
        self._ids, self._named, self._told = ids, named, set[str]()

    def of(self, words: str | None) -> str:
        if words is None:
            return "no choice"
        number = "" if words == NONE else self._ids.get(words, "")
        if number in self._told:
            return number
        self._told.add(number or words)
        return "none of these" if words == NONE else self._named(words) + (f" ({number})" if number else "")

    def result(self, result: Result) -> str:
        if result is None:
            return "nothing won"
        return self.of(result) if isinstance(result, str) else "; ".join(map(self.of, result)) or "nothing adopted"


def helped_lines(helps: Helped, named: Named | None = None) -> list[str]:
    """Return lines on which votes differ from the first ones, and who said how much; then the baseline.

    `named` shortens a text; without it one is cut at 60 characters.
    """
    named = named or _short
    lines = [f"talk: {difference(helps, named)}", f"one run: {ONE_RUN}", f"shares: {_share_words(helps)}"]
    if helps.baseline_due:
        lines.append("baseline: it was asked for and not taken; resuming the session takes it")
    return lines + ([f"baseline: {_baseline(helps.baseline, helps.outcome, named)}"] if helps.baseline else [])


def difference(helps: Helped, named: Named) -> str:
    """Return in words which last votes differ from the first ones, or why that cannot be said."""
    if helps.why:
        return f"not compared: {helps.why}"
    word = "poll" if helps.basis == "poll" else "ballot"
    ids = _Ids(helps.ids, named)
    new = ""
    if helps.new:
        verb = "puts" if len(helps.new) == 1 else "put"
        new = f"; {listed(helps.new)} {verb} a text first that was not offered before"
    if not helps.differs and not helps.new and helps.same:
        first = "first poll" if helps.basis == "poll" else "first private ballot"
        rest = "nobody voted differently" if helps.compared == helps.asked else _none_of(helps)
        return f"{ids.result(helps.before)} already led in the {first}; after the discussion {rest}"
    before = f"level, {' and '.join(map(ids.of, helps.before_level))}" if helps.before_level else ""
    before = before or ids.result(helps.before)
    head = f"first {word}: {before}. Last {word}: {ids.result(helps.after)}"
    head += "" if helps.offered_before or helps.outcome is None else ", which was not offered before"
    if not helps.differs:
        return f"{head}. {_none_of(helps)[:1].upper()}{_none_of(helps)[1:]}{new}"
    verb = "differs" if len(helps.differs) == 1 else "differ"
    votes = f"{len(helps.differs)} of {count(helps.compared, 'vote')} {verb}"
    return f"{head}. {votes}: {'; '.join(_differs(each, ids, helps.basis) for each in helps.differs)}{new}"


def _none_of(helps: Helped) -> str:
    return f"of {count(helps.compared, 'vote')} that can be compared none differs"


def _differs(each: VoteDiffers, ids: _Ids, basis: str) -> str:
    """Return `Petra (o1 to o2), who names m6`."""
    before, after = ids.of(each.before), ids.of(each.after)
    what = f"{before} to {after}" if each.before != each.after else f"{after} still first, the rest differs"
    names = f", who names {f'm{each.moved_by}' if each.moved_by else 'no message'}"
    return f"{one_line(each.who)} ({what})" + (names if basis != "poll" and each.after is not None else "")


def took(debate: UsageTotals | Helped, baseline: UsageTotals | None) -> str:
    """Return `55 calls, 124.5k tokens, $0.12`, and what the baseline took, where there is one."""
    figures = f"{count(debate.calls, 'call')}, {tokens(debate.tokens)}, {money(debate.cost, debate.unpriced_calls)}"
    return f"{figures} (and for the baseline {took(baseline, None)})" if baseline and baseline.calls else figures


def _baseline(taken: BaselineTaken, outcome: Result, named: Named) -> str:
    """Return how the single answers voted, and whether the panel came to the same."""
    votes = sum(answer.choice == taken.outcome for answer in taken.answers)
    of = f"of {count(len(taken.answers), 'single answer')} at {tokens(taken.tokens)}"
    if taken.outcome is None:
        return f"{of}, no choice has the most"
    same = "the panel's outcome too" if taken.outcome == outcome else "not the panel's outcome"
    return f"{of}, {votes} {'takes' if votes == 1 else 'take'} {named(taken.outcome)}, {same}"


def _share_words(helps: Helped) -> str:
    words = ", ".join(f"{one_line(share.who)} {share.share:.0%}" for share in helps.shares)
    spoke = any(share.words for share in helps.shares)
    return f"words {words} (Gini {helps.gini:.2f})" if spoke else "nobody said anything"


def _short(choice: str) -> str:
    return f"“{shorten(choice, _WIDEST)}”"
