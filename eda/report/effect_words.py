"""Words for what differs between the first vote and the last, and for one debate as evidence. Never a cause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from eda.events import NONE
from eda.events.messages import UsageTotals
from eda.events.outcome import Result
from eda.report.effect import Helped, Voted, VoteDiffers
from eda.report.formatting import SHORT, count, in_short, money, shown_id, tokens
from eda.text import shorten
from eda.words import ENGLISH, Words


class Ids:
    """Names texts: the first time by words and id, then by the id alone; a text without an id always by its words.

    A text that begins as one that was named goes by its id alone: its first words would tell nothing.
    """

    def __init__(self, ids: Mapping[str, str], words: Words = ENGLISH) -> None:
        """Know the ids of texts, by their words."""
        self._ids, self._told, self._begun, self._words = ids, set[str](), set[str](), words

    def of(self, text: str | None) -> str:
        """Return the name of a text, of `none`, and of no choice."""
        if text is None:
            return self._words.say("effect-no-choice")
        if text == NONE:
            return self._words.say("votes-text", kind="none", text="", id="", by="")
        number = self._ids.get(text, "")
        alike = not number and sum(shorten(each, SHORT) == shorten(text, SHORT) for each in self._ids) > 1
        begins = in_short(text, "", len(text) if alike else SHORT, self._ids if number else (), self._words)
        if number in self._told or (number and begins in self._begun):
            return number
        self._told.add(number or "-")
        self._begun.add(begins)
        return begins + (f" ({shown_id(number)})" if shown_id(number) else "")

    def number(self, words: str) -> str:
        """Return the id of a text; empty where it has none."""
        return self._ids.get(words, "")


def helped_lines(helps: Helped, words: Words = ENGLISH, *, brief: bool = False) -> list[str]:
    """Return lines on which votes differ from the first ones, and who said how much; then the baseline.

    Brief ones name who votes differently, and leave out how and who said how much.
    """
    baseline = [f"baseline: {told}"] if (told := baseline_words(helps, words)) else []
    how = f"compared: {_who_differs(helps, words) if brief else difference(helps, words)}"
    shares = [] if brief else [f"words: {share_words(helps, words)}"]
    return [how, f"one run: {words.say('effect-one-run').rstrip('.')}", *shares, *baseline]


def _who_differs(helps: Helped, words: Words) -> str:
    if helps.why and not helps.new:
        return _nothing(helps, words)
    changed = [each.who for each in (*helps.new, *helps.differs)]
    return words.say("effect-changed", who=changed, count=len(changed), basis=helps.basis)


def _nothing(helps: Helped, words: Words) -> str:
    return words.say("effect-nothing", why=why_not(helps, words))


def why_not(helps: Helped, words: Words) -> str:
    """Return why votes cannot be compared."""
    return words.say("effect-why", why=helps.why.replace(" ", "-"))


def difference(helps: Helped, words: Words = ENGLISH) -> str:
    """Return in words what was voted first and last, and whose votes differ; or why that cannot be said."""
    told, rest = differences(helps, words)
    return ". ".join((*(f"{what}: {who}" if who else what for what, who in told), *rest))


def differences(helps: Helped, words: Words = ENGLISH) -> tuple[list[tuple[str, str]], list[str]]:
    """Return what differs, each statement with whose votes it is about; then who voted as before, and in what way."""
    if not helps.comparable:
        return [(_nothing(helps, words), "")], []
    ids, say, basis, number = Ids(helps.ids, words), words.say, helps.basis, helps.compared
    if not helps.differs and not helps.new and helps.same:
        before = helps.before if isinstance(helps.before, tuple) else (helps.before,)
        texts = [*map(ids.of, before)]
        same = say("effect-same", texts=texts, basis=basis, all=number == helps.asked, count=number)
        return [(same, "")], [*_stayed(helps, ids, words, named=False)]
    told = []
    for which, rows, won, level in (
        ("first", helps.votes[0], helps.before, helps.before_level),
        ("last", helps.votes[1], helps.after, ()),
    ):
        votes = _votes(rows, ids, words, helps.wording_of if which == "last" else {})
        outcome = _won(won, ids, words, "led" if basis == "poll" else "won", level)
        told.append((say("effect-vote", which=which, basis=basis, votes=votes, won=outcome), ""))
    if helps.new:
        few = number if helps.differs else 0
        what = say("effect-new", count=len(helps.new), of=helps.asked, basis=basis, compared=few)
        told.append((what, ", ".join(_differs(each, ids, words) for each in helps.new)))
    if helps.differs:
        what = say("effect-differ", count=len(helps.differs), of=number)
        told.append((what, ", ".join(_differs(each, ids, words) for each in helps.differs)))
    elif not helps.new and not helps.reworded:
        told.append((say("effect-unchanged"), ""))
    return told, [*_stayed(helps, ids, words)]


def _stayed(helps: Helped, ids: Ids, words: Words, *, named: bool = True) -> Iterator[str]:
    """Yield who votes as before, if `named`; who accepts others than before; who votes for another wording."""
    other = {each.who for each in helps.reworded}
    rest = {who: _otherwise(who, helps, ids, words) for who in helps.stayed if who not in other}
    if named and (same := [who for who, told in rest.items() if not told]):
        yield words.say("effect-as-before", who=same)
    for who, told in rest.items():
        if told:
            yield words.say("effect-first-as-before", who=who, also=told)
    if helps.reworded:
        both = ((_differs(each, ids, words), _otherwise(each.who, helps, ids, words)) for each in helps.reworded)
        yield words.say("effect-reworded", who=[", ".join(filter(None, each)) for each in both])
    given = {row.text: {*row.first, *row.too} for row in helps.votes[1]}
    voted = set[str]().union(*given.values())
    for row in helps.votes[0]:
        left = [who for who in (*row.first, *row.too) if who in voted - given.get(row.text, voted)]
        if left and ids.number(row.text) in helps.wording_of.values():
            yield words.say("effect-left", text=ids.of(row.text), who=left)


def _otherwise(who: str, helps: Helped, ids: Ids, words: Words) -> str:
    """Return `now accepts p8.0 too, no longer o1`: what a voter accepts after its first choice now, or did before."""
    accepts: list[dict[str, str]] = []  # by vote the motion of each text that it accepts
    firsts = set[str]()
    for rows in helps.votes:
        texts = [row for row in rows if who in (*row.first, *row.too)]
        accepts.append({row.text: helps.wording_of.get(row.text, ids.number(row.text) or row.text) for row in texts})
        firsts |= {accepts[-1][row.text] for row in texts if who in row.first}
    before, after = accepts
    new = [ids.of(text) for text, motion in after.items() if motion not in firsts.union(before.values())]
    lost = [ids.of(text) for text, motion in before.items() if motion not in firsts.union(after.values())]
    return words.say("effect-accepts", new=new, lost=lost) if new or lost else ""


def _votes(rows: Sequence[Voted], ids: Ids, words: Words, wording_of: Mapping[str, str]) -> list[str]:
    """Return who was first with how many: `“Ship” (o1) 2`, `o2 1`; a wording of another text names that."""
    first = ((ids.of(row.text), wording_of.get(row.text, ""), len(row.first)) for row in rows if row.first)
    return [words.say("effect-votes", text=text, of=of, count=count) for text, of, count in first]


def _won(result: Result, ids: Ids, words: Words, how: str, level: Sequence[str] = ()) -> str:
    won = level or ((result,) if isinstance(result, str) else result or ())
    return words.say("effect-won", texts=[*map(ids.of, won)], how="level" if level else how)


def _differs(each: VoteDiffers, ids: Ids, words: Words) -> str:
    """Return `Petra (o1 to o2, names m6)`."""
    before, after, moved = ids.of(each.before), ids.of(each.after), f"m{each.moved_by}" if each.moved_by else ""
    same = "same" if each.before == each.after else "other"
    return words.say(
        "effect-voter", who=each.who, before=after if same == "same" else before, after=same, text=after, moved=moved
    )


def took(debate: UsageTotals | Helped, baseline: UsageTotals | None, *, paid: bool = True) -> str:
    """Return `55 calls, 124.5k tokens, $0.12`, and what the baseline took, where there is one."""
    figures = f"{count(debate.calls, 'call')}, {tokens(debate.tokens)}"
    figures += f", {money(debate.cost, debate.unpriced_calls)}" * paid
    more = f" (and for the baseline {took(baseline, None, paid=paid)})" if baseline and baseline.calls else ""
    return figures + more


def baseline_words(helps: Helped, words: Words) -> str:
    """Return how single answers voted, and whether the panel came to the same; empty where none were asked for."""
    if helps.baseline is None:
        return words.say("effect-due") if helps.baseline_due else ""
    taken, outcome = helps.baseline, helps.outcome
    top, again = taken.outcome, taken.reasked_outcome
    alone = words.say(
        "effect-alone",
        of=len(taken.answers),
        tokens=tokens(taken.tokens),
        count=sum(answer.choice == top for answer in taken.answers),
        text=in_short(top, words=words) if top is not None else "",
        same=top == outcome,
    )
    differ, twice = taken.unsteady
    if not twice:
        return alone
    text = in_short(again, words=words) if again is not None else ""
    return f"{alone}; {words.say('effect-again', count=differ, of=twice, text=text, same=again == outcome)}"


def share_words(helps: Helped, words: Words) -> str:
    """Return the share of each member in all words, and how unequal they are."""
    spoke = any(share.words for share in helps.shares)
    shares = [words.say("effect-share", who=each.who, share=each.share) for each in helps.shares] if spoke else []
    return words.say("effect-shares", shares=shares, gini=helps.gini)
