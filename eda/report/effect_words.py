"""Words for what differs between the first vote and the last, and for one debate as evidence. Never a cause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from eda.events import NONE, BaselineTaken
from eda.events.messages import UsageTotals
from eda.events.outcome import Result
from eda.report.effect import Helped, Voted, VoteDiffers
from eda.report.formatting import SHORT, count, in_short, listed, money, one_line, shown_id, tokens
from eda.text import shorten

ONE_RUN = "one debate, not repeated: nobody can say how often this panel would end here"
"""How sure a single debate lets a reader be."""


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


def helped_lines(helps: Helped, *, brief: bool = False) -> list[str]:
    """Return lines on which votes differ from the first ones, and who said how much; then the baseline.

    Brief ones name who votes differently, and leave out how and who said how much.
    """
    baseline = [f"baseline: {words}"] if (words := baseline_words(helps)) else []
    how = f"compared: {_who_differs(helps) if brief else difference(helps)}"
    return [how, f"one run: {ONE_RUN}", *([] if brief else [f"words: {share_words(helps)}"]), *baseline]


def sentence(text: str) -> str:
    """Return a text that begins with a capital and ends with a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text[-1:] in '.!?' else '.'}"


def _who_differs(helps: Helped) -> str:
    if helps.why and not helps.new:
        return f"nothing, as {helps.why}"
    first = f"in the first {'poll' if helps.basis == 'poll' else 'ballot'}"
    changed = [one_line(each.who) for each in (*helps.new, *helps.differs)]
    who = listed(changed) if changed else "nobody"
    return f"{who} put{'' if len(changed) > 1 else 's'} another text first than {first}"


def difference(helps: Helped) -> str:
    """Return in words what was voted first and last, and whose votes differ; or why that cannot be said."""
    told, rest = differences(helps)
    return ". ".join((*(f"{what}: {who}" if who else what for what, who in told), *rest))


def differences(helps: Helped) -> tuple[list[tuple[str, str]], list[str]]:
    """Return what differs, each statement with whose votes it is about; then who voted as before, and in what way."""
    if not helps.comparable:
        return [(f"nothing, as {helps.why}", "")], []
    ids = Ids(helps.ids)
    word, led = ("poll", "led") if helps.basis == "poll" else ("ballot", "won")  # a poll decides nothing
    if not helps.differs and not helps.new and helps.same:
        before = helps.before if isinstance(helps.before, tuple) else (helps.before,)
        rest = "nobody voted differently"
        rest = rest if helps.compared == helps.asked else f"none of {count(helps.compared, 'vote')} differs"
        won = f"{'; '.join(map(ids.of, before))} already led in the first private {word}; after the discussion {rest}"
        return [(won, "")], [*_stayed(helps, ids, named=False)]
    told = [
        (f"first {word}: {_votes(helps.votes[0], ids)}; {_won(helps.before, ids, led, helps.before_level)}", ""),
        (f"Last {word}: {_votes(helps.votes[1], ids, helps.wording_of)}; {_won(helps.after, ids, led)}", ""),
    ]
    if helps.new:
        put = "puts" if len(helps.new) == 1 else "put"
        what = f"{len(helps.new)} of {helps.asked} {put} a text first that came up after the first {word}"
        what += f" (only {count(helps.compared, 'vote')} can be compared)" * bool(helps.differs)
        told.append((what, ", ".join(_differs(each, ids) for each in helps.new)))
    if helps.differs:
        verb = "differs" if len(helps.differs) == 1 else "differ"
        of = f"{len(helps.differs)} of {count(helps.compared, 'vote')}"
        told.append((f"{of} {verb}", ", ".join(_differs(each, ids) for each in helps.differs)))
    elif not helps.new and not helps.reworded:
        told.append(("Nobody voted differently", ""))
    return told, [*_stayed(helps, ids)]


def vote_rows(helps: Helped) -> list[tuple[str, ...]]:
    """Return the heads and the rows of a table of the two votes: who was first with how many, and what won.

    Empty where both came to the same by the same votes, or cannot be compared.
    """
    if not helps.comparable or not (helps.differs or helps.new or helps.reworded or not helps.same):
        return []
    ids = Ids(helps.ids)
    word, led = ("poll", "Led") if helps.basis == "poll" else ("ballot", "Won")
    first, last = ({row.text: len(row.first) for row in rows} for rows in helps.votes)
    fresh = {*helps.wording_of, *(each.after for each in helps.new)}.difference(first)
    rows = [("Choice", f"First {word}", f"Last {word}")]
    for text in (text for text in {**last, **first} if last.get(text) or first.get(text)):
        of = f", a wording of {helps.wording_of[text]}" if text in helps.wording_of else ""
        before = "not on it" if text in fresh else str(first.get(text, 0))
        name = "None of these" if text == NONE else ids.of(text)
        rows.append((f"{name}{of}", before, str(last.get(text, 0))))
    won = (_won(helps.before, ids, "", helps.before_level), _won(helps.after, ids, ""))
    return [*rows, (led, *(words.strip() for words in won))]


def _stayed(helps: Helped, ids: Ids, *, named: bool = True) -> Iterator[str]:
    """Yield who votes as before, if `named`; who accepts others than before; who votes for another wording."""
    other = {each.who for each in helps.reworded}
    rest = {who: _otherwise(who, helps, ids) for who in helps.stayed if who not in other}
    if named and (same := [who for who, told in rest.items() if not told]):
        yield f"As before: {listed(same)}"
    yield from (f"{one_line(who)}: first choice as before{told}" for who, told in rest.items() if told)
    if helps.reworded:
        who = "; ".join(_differs(each, ids) + _otherwise(each.who, helps, ids) for each in helps.reworded)
        yield f"Their first choice in another wording: {who}"
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


def _votes(rows: Sequence[Voted], ids: Ids, wording_of: Mapping[str, str] | None = None) -> str:
    """Return who was first with how many: `“Ship” (o1) 2, o2 1`; a wording of another text names that."""
    shown = []
    for row in rows:
        if row.first:
            of = (wording_of or {}).get(row.text, "")
            shown.append(f"{ids.of(row.text)}{f', a wording of {of}:' if of else ''} {len(row.first)}")
    return ", ".join(shown) or "no first choice"


def _won(result: Result, ids: Ids, verb: str, level: Sequence[str] = ()) -> str:
    if level:
        return f"{' and '.join(map(ids.of, level))} were level"
    won = (result,) if isinstance(result, str) else result or ()
    return f"{' and '.join(map(ids.of, won))} {verb}" if won else f"nothing {verb}"


def _differs(each: VoteDiffers, ids: Ids) -> str:
    """Return `Petra (o1 to o2, names m6)`."""
    before, after = ids.of(each.before), ids.of(each.after)
    what = f"{before} to {after}" if each.before != each.after else f"{after} still first, the rest differs"
    names = f", names m{each.moved_by}" if each.moved_by else ""
    return f"{one_line(each.who)} ({what}{names})"


def took(debate: UsageTotals | Helped, baseline: UsageTotals | None, *, paid: bool = True) -> str:
    """Return `55 calls, 124.5k tokens, $0.12`, and what the baseline took, where there is one."""
    figures = f"{count(debate.calls, 'call')}, {tokens(debate.tokens)}"
    figures += f", {money(debate.cost, debate.unpriced_calls)}" * paid
    more = f" (and for the baseline {took(baseline, None, paid=paid)})" if baseline and baseline.calls else ""
    return figures + more


def baseline_words(helps: Helped) -> str:
    """Return how single answers voted, and whether the panel came to the same; empty where none were asked for."""
    if helps.baseline:
        return f"{_alone(helps.baseline, helps.outcome)}{_asked_again(helps.baseline, helps.outcome)}"
    return "it was asked for and not taken; resuming the session takes it" if helps.baseline_due else ""


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


def share_words(helps: Helped) -> str:
    """Return the share of each member in all words, and how unequal they are."""
    words = ", ".join(f"{one_line(share.who)} {share.share:.0%}" for share in helps.shares)
    spoke = any(share.words for share in helps.shares)
    return f"{words} (Gini {helps.gini:.2f}; 0 means that all said as much)" if spoke else "nobody said anything"
