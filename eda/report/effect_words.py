"""Words for what differs between the first vote and the last: for a screen and for the report. Never a cause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from eda.events import NONE, BaselineTaken
from eda.events.usage import UsageTotals
from eda.report.effect import Helped, Result, Voted, VoteDiffers
from eda.report.formatting import SHORT, count, in_short, listed, money, one_line, shown_id, tokens
from eda.text import shorten

ONE_RUN = "one debate, one seed; not repeated, so nobody can say how often this panel would end here"


class Ids:
    """Names texts: the first time by words and id, then by the id alone; a text without an id always by its words.

    A text that begins as one that was named goes by its id alone: its first words would tell nothing.
    """

    def __init__(self, ids: Mapping[str, str]) -> None:
        """Know the ids of texts, by their words."""
        self._ids, self._told, self._begun = ids, set[str](), set[str]()

    def of(self, words: str | None) -> str:
        """Return the name of a text, of `none`, and of no choice."""
        if words in (None, NONE):
            return "none of these" if words else "no choice"
        number = self._ids.get(words or "", "")
        text = words or ""
        alike = not number and sum(shorten(each, SHORT) == shorten(text, SHORT) for each in self._ids) > 1
        begins = in_short(text, "", len(text) if alike else SHORT, self._ids if number else ())
        if number in self._told or (number and begins in self._begun):
            return number
        self._told.add(number or "-")
        self._begun.add(begins)
        return begins + (f" ({shown_id(number)})" if shown_id(number) else "")

    def number(self, words: str) -> str:
        """Return the id of a text; empty where it has none."""
        return self._ids.get(words, "")


def helped_lines(helps: Helped) -> list[str]:
    """Return lines on which votes differ from the first ones, and who said how much; then the baseline."""
    lines = [f"talk: {difference(helps)}", f"one run: {ONE_RUN}", f"shares: {_share_words(helps)}"]
    if helps.baseline_due:
        lines.append("baseline: it was asked for and not taken; resuming the session takes it")
    return lines + ([f"baseline: {_baseline(helps.baseline, helps.outcome)}"] if helps.baseline else [])


def difference(helps: Helped) -> str:
    """Return in words what was voted first and last, and whose votes differ; or why that cannot be said."""
    if helps.why and not helps.new:
        return f"not compared: {helps.why}"
    ids = Ids(helps.ids)
    if not helps.differs and not helps.new and helps.same:
        return _as_before(helps, ids)
    word, led = ("poll", "led") if helps.basis == "poll" else ("ballot", "won")  # a poll decides nothing
    known = {row.text for row in helps.votes[0]}
    last = [row for row in helps.votes[1] if row.first or row.too or row.text in known]
    parts = [
        f"first {word}: {_votes(helps.votes[0], ids)}; {_won(helps.before, ids, led, helps.before_level)}",
        f"Last {word}: {_votes(last, ids, helps.wording_of)}; {_won(helps.after, ids, led)}",
    ]
    for text in dict.fromkeys(each.after for each in helps.new):
        name = ids.of(text)
        who = "; ".join(_differs(each, ids, helps.basis) for each in helps.new if each.after == text)
        parts.append(f"{name} was not offered before. Who puts it first now: {who}")
    if helps.differs:
        verb = "differs" if len(helps.differs) == 1 else "differ"
        who = "; ".join(_differs(each, ids, helps.basis) for each in helps.differs)
        parts.append(f"{len(helps.differs)} of {count(helps.compared, 'vote')} {verb}: {who}")
    return ". ".join((*parts, *_stayed(helps, ids)))


def _stayed(helps: Helped, ids: Ids, *, named: bool = True) -> Iterator[str]:
    """Yield who votes as before, if `named`; who accepts others than before; who votes for another wording."""
    other = {each.who for each in helps.reworded}
    rest = {who: _otherwise(who, helps, ids) for who in helps.stayed if who not in other}
    if named and (same := [who for who, told in rest.items() if not told]):
        yield f"As before: {listed(same)}"
    yield from (f"{one_line(who)}: first choice as before{told}" for who, told in rest.items() if told)
    if helps.reworded:
        who = "; ".join(_differs(each, ids, helps.basis) + _otherwise(each.who, helps, ids) for each in helps.reworded)
        yield f"For the same motion in another wording: {who}"
    given = {row.text: {*row.first, *row.too} for row in helps.votes[1]}
    voted = set[str]().union(*given.values())
    for row in helps.votes[0]:
        left = [who for who in (*row.first, *row.too) if who in voted - given.get(row.text, voted)]
        if left and ids.number(row.text) in helps.wording_of.values():
            yield f"No longer for {ids.of(row.text)} as it was given: {listed(left)}"


def _otherwise(who: str, helps: Helped, ids: Ids) -> str:
    """Return `, now accepts p8.0 too, no longer o1`: what a voter accepts after its first choice now, or did before."""
    held: list[dict[str, str]] = []  # by vote the motion of each text that it accepts
    firsts = set[str]()
    for rows in helps.votes:
        texts = [row for row in rows if who in (*row.first, *row.too)]
        held.append({row.text: helps.wording_of.get(row.text, ids.number(row.text) or row.text) for row in texts})
        firsts |= {held[-1][row.text] for row in texts if who in row.first}
    before, after = held
    new = [text for text, motion in after.items() if motion not in firsts.union(before.values())]
    lost = [text for text, motion in before.items() if motion not in firsts.union(after.values())]
    told = f", now accepts {listed(map(ids.of, new))} too" if new else ""
    return told + (f", no longer {'' if new else 'accepts '}{listed(map(ids.of, lost))}" if lost else "")


def _as_before(helps: Helped, ids: Ids) -> str:
    """Return what led from the first vote on, where nobody's vote that can be compared differs."""
    before = helps.before if isinstance(helps.before, tuple) else (helps.before,)
    first = "first poll" if helps.basis == "poll" else "first private ballot"
    rest = "nobody voted differently"
    rest = rest if helps.compared == helps.asked else f"none of {count(helps.compared, 'vote')} differs"
    told = f"{'; '.join(map(ids.of, before))} already led in the {first}; after the discussion {rest}"
    return ". ".join((told, *_stayed(helps, ids, named=False)))


def _votes(rows: Sequence[Voted], ids: Ids, wording_of: Mapping[str, str] | None = None) -> str:
    """Return `“Ship” (o1) 2 (Ada, Ben; Cleo accepts it too), o2 1 (Dan)`; a wording of another text names that."""
    wording_of = wording_of or {}
    lines, reworded = [], {wording_of[row.text] for row in rows if row.text in wording_of}
    for row in rows:
        too = (
            f"{listed(row.too)} {'accepts' if len(row.too) == 1 else 'accept'} it{' too' * bool(row.first)}"
            if row.too
            else ""
        )
        who = "; ".join(filter(None, (listed(row.first), too)))
        name = ids.of(row.text)
        name += f", a wording of {wording_of[row.text]}:" if row.text in wording_of else ""
        name += " as it was given:" if ids.number(row.text) in reworded else ""
        lines.append(f"{name} {len(row.first)}" + (f" ({who})" if who else ""))
    return ", ".join(lines)


def _won(result: Result, ids: Ids, verb: str, level: Sequence[str] = ()) -> str:
    if level:
        return f"{' and '.join(map(ids.of, level))} were level"
    won = (result,) if isinstance(result, str) else result or ()
    return f"{' and '.join(map(ids.of, won))} {verb}" if won else f"nothing {verb}"


def _differs(each: VoteDiffers, ids: Ids, basis: str) -> str:
    """Return `Petra (o1 to o2), who names m6`."""
    before, after = ids.of(each.before), ids.of(each.after)
    what = f"{before} to {after}" if each.before != each.after else f"{after} still first, the rest differs"
    tells = each.moved_by or (basis != "poll" and each.after is not None)  # polls of before did not ask for a message
    names = f", who names {f'm{each.moved_by}' if each.moved_by else 'no message'}" if tells else ""
    return f"{one_line(each.who)} ({what}){names}"


def took(debate: UsageTotals | Helped, baseline: UsageTotals | None) -> str:
    """Return `55 calls, 124.5k tokens, $0.12`, and what the baseline took, where there is one."""
    figures = f"{count(debate.calls, 'call')}, {tokens(debate.tokens)}, {money(debate.cost, debate.unpriced_calls)}"
    return f"{figures} (and for the baseline {took(baseline, None)})" if baseline and baseline.calls else figures


def _baseline(taken: BaselineTaken, outcome: Result) -> str:
    """Return how the single answers voted, and whether the panel came to the same."""
    return f"{_alone(taken, outcome)}{_asked_again(taken, outcome)}"


def _asked_again(taken: BaselineTaken, outcome: Result) -> str:
    """Return what the members said who were asked alone and heard nobody."""
    differ, twice = taken.unsteady
    if not twice:
        return ""
    most = "no choice has the most" if taken.reasked_outcome is None else f"most take {in_short(taken.reasked_outcome)}"
    same = "" if taken.reasked_outcome is None else f", {_same(taken.reasked_outcome == outcome)}"
    return f"; asked twice without talk, {differ} of {count(twice, 'member')} changed the answer, {most}{same}"


def _same(same: bool) -> str:
    return "the panel's outcome too" if same else "not the panel's outcome"


def _alone(taken: BaselineTaken, outcome: Result) -> str:
    votes = sum(answer.choice == taken.outcome for answer in taken.answers)
    of = f"of {count(len(taken.answers), 'single answer')} at {tokens(taken.tokens)}"
    if taken.outcome is None:
        return f"{of}, no choice has the most"
    same = _same(taken.outcome == outcome)
    return f"{of}, {votes} {'takes' if votes == 1 else 'take'} {in_short(taken.outcome)}, {same}"


def _share_words(helps: Helped) -> str:
    words = ", ".join(f"{one_line(share.who)} {share.share:.0%}" for share in helps.shares)
    spoke = any(share.words for share in helps.shares)
    return f"words {words} (Gini {helps.gini:.2f}; 0 means that all said as much)" if spoke else "nobody said anything"
