"""Compares rules on the same ballots: the winner, its lead, and how many ballots another winner would take.

Here is decided, too, which text of a motion stands, and which motions are adopted beside the answer or in a list.

Ballots over texts are projected first: options are then ids of motions, and `none`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement, permutations
from math import ceil, factorial
from typing import NamedTuple

from eda.events import NONE, Adopted, Ballot, BallotText, FlipsTo, Tie, Undecided, WhyNone, flat
from eda.panels.registry import RULES
from eda.text import grouped
from eda.voting.account import Account
from eda.voting.counts import Count, Counted, first_choices, firsts_of, judge, plurality, ranked, reaches, tie_order
from eda.voting.pairwise import condorcet_winner, top_cycle
from eda.voting.rules import SHIPPED, Counts, Rule, rule_named

_SMALL_PANEL = 9  # Ballots up to which all rankings are tried, where there are not too many of them.
# Counts in all, fewer where there are more than eight options; beyond, what is known so far is a lower bound.
_MOST_TRIES = 4000


class Tally(NamedTuple):
    """The result of one rule."""

    rule: str
    outcome: Counted
    missing: Undecided | None = None
    """What the ballots lack for this rule; None where it was applied."""
    margin: float | None = None
    """By how much the winner's figure leads the next one; None where nothing won."""
    changes: int | None = None
    """The fewest ballots whose change lets another option win, or none; None where no change does."""
    exact: bool = True
    """Whether `changes` is exact; else it is a lower bound."""
    changes_to: FlipsTo = ""
    """What such a change gives; empty where it is not known."""
    tie: Tie | None = None
    """How a tie was broken."""
    text: BallotText | None = None
    """The text that stands for the motion that won; None where no wording of it was accepted."""
    wording_tie: Tie | None = None
    """How lots decided between its wordings, by their ids; None where they did not."""
    adopted: tuple[Adopted, ...] | None = None
    """Of a list, the motions that were adopted; None where one answer was wanted."""

    @property
    def winner(self) -> str | tuple[str, ...] | None:
        """The option that won; of a list, the ids of all texts that were adopted."""
        return self.outcome.winner if self.adopted is None else tuple(each.id or each.motion for each in self.adopted)


class Duel(NamedTuple):
    """Two options side by side."""

    winner: str
    loser: str
    votes: int
    against: int


class Comparison(NamedTuple):
    """The results of several rules on the same ballots."""

    tallies: tuple[Tally, ...]
    condorcet: str | None
    """The option that beats each other one; None where there is none."""
    cycle: tuple[Duel, ...]
    """Each duel of a cycle among the best options; empty where there is none."""

    @property
    def winners(self) -> dict[str | tuple[str, ...] | None, tuple[str, ...]]:
        """The rules by their winner, the winner of most rules first; under None the rules that name no winner.

        A list in another order is the same list.
        """
        rules: dict[str | tuple[str, ...] | None, tuple[str, ...]] = {}
        for one in self.tallies:
            if not one.missing:
                same = {frozenset(known): known for known in rules if isinstance(known, tuple)}
                won = same.get(frozenset(one.winner), one.winner) if isinstance(one.winner, tuple) else one.winner
                rules[won] = (*rules.get(won, ()), one.rule)
        return dict(sorted(rules.items(), key=lambda item: -len(item[1])))


def tally(rule: str | Rule, account: Account, seed: int, *, judge: str = "", changes: bool = True) -> Tally:
    """Return the result of one rule; without `changes` not how many ballots another outcome takes, which is slow.

    The outcome names motions by their ids. Of a list nothing wins: what was adopted stands in `adopted`.

    Raises:
        UnknownNameError: there is no such rule.
    """
    rule, counted, options = rule_named(rule), account.votes, account.options
    before = () if account.texts else account.before  # a poll names no motions
    count, missing = rule.counting(judge, before), rule.missing(counted, judge, before)
    if count is None or missing:
        return Tally(rule.name, Counted(), missing)
    lots = tie_order(options, seed)
    outcome = count(counted, options, lots)
    if account.answer == "list":
        return _tally_of_list(rule, outcome, adopted(account, rule, seed, judge))
    least, exact, to = ballots_to_change(rule, count, counted, options, lots) if changes else (None, True, "")
    if account.texts and outcome.winner == NONE:
        none = sum(ballot.choice == NONE for ballot in account.ballots)
        votes = sum(bool(ballot.choice or ballot.ranking) for ballot in counted)
        why: WhyNone = "none above the rest" if rule.counts == "rankings" and 2 * none <= votes else "none first"
        judged = Undecided("the judge wants none", none, votes, judge)
        note = judged if rule.counts == "judge" else Undecided(why, none, votes)
        nothing = replace(outcome, winner=None, note=note)
        return Tally(rule.name, nothing, None, None, least, exact, to, tie_of(outcome, seed))
    wanted = account.texts and outcome.winner
    text, wordings = text_of(outcome.winner, account, rule, seed, judge) if wanted and outcome.winner else (None, None)
    return Tally(rule.name, outcome, None, lead(outcome), least, exact, to, tie_of(outcome, seed), text, wordings)


def _tally_of_list(rule: Rule, outcome: Counted, passed: Sequence[Adopted]) -> Tally:
    """Return what was adopted, in the order of a rule that ranks or scores, and the figures of such a rule."""
    orders = rule.counts in ("rankings", "scores", "approvals") and outcome.order
    if orders:
        place = {motion: at for at, motion in enumerate(outcome.order)}
        passed = sorted(passed, key=lambda each: place.get(each.motion, len(place)))
    figures, order = (outcome.figures, outcome.order) if orders else ({}, ())
    note = None if passed else Undecided("nothing adopted")
    return Tally(rule.name, Counted(order=order, figures=figures, note=note), adopted=tuple(passed))


def compare(
    account: Account,
    seed: int,
    *,
    rules: Iterable[str] | None = None,
    judge: str = "",
    blocks_asked: bool = True,
) -> Comparison:
    """Return the results of all rules, or of those named, on the same ballots.

    Args:
        account: The ballots and what they offer.
        seed: Of the lots that break ties.
        rules: Names of rules; None for all that are installed.
        judge: Whose choice decides under the rule `judge`.
        blocks_asked: Whether voters were asked what they block; else no rule counts the blocks that nobody gave.

    Raises:
        UnknownNameError: there is no such rule.
    """
    unasked = not (blocks_asked or any(ballot.blocked for ballot in account.ballots))
    named = [rule_named(name) for name in (RULES.names() if rules is None else rules)]
    tallies = tuple(
        Tally(rule.name, Counted(), Undecided("nobody was asked for blocks", rule=rule.name))
        if unasked and rule.counts == "blocks"
        else tally(rule, account, seed, judge=judge)
        for rule in named
    )
    preferred, options = account.duels, account.options
    cycle = top_cycle(preferred, options)
    duels = (
        Duel(one, other, preferred[one, other], preferred[other, one])
        for one, other in zip(cycle, (*cycle[1:], *cycle[:1]), strict=True)
    )
    return Comparison(tallies, condorcet_winner(preferred, options), tuple(duels))


def text_of(
    motion: str, account: Account, rule: Rule, seed: int, judging: str = ""
) -> tuple[BallotText | None, Tie | None]:
    """Return the text of a motion that the ballots which accept one of its texts prefer, and how lots chose it.

    None is returned for a text if none is accepted, and for the lots if they chose nothing.
    A text is accepted if the rule's share of those who were asked about it accepts it, under most rules more than half;
    under a rule by which one member decides, if that one does; under consent, if nobody blocks it. Of texts that the
    rule counts level, the one that more put first goes before, then lots decide.
    """
    blocked = account.blocked if rule.counts == "blocks" else {}
    versions = {text.id: text for text in account.versions[motion] if text.text not in blocked}
    standing = [key for key, text in versions.items() if _stands(text.text, account, rule, judging)]
    supporting = replace(account, ballots=account.accepting(versions.values()), texts=[*versions.values()]).by_text()
    share = rule.counts == "firsts" and SHIPPED.get(rule.name) is rule  # which one text of several seldom has
    count = (plurality if share else rule.ways) or judge(judging)
    ballots, options = supporting.votes, supporting.options
    lots = tie_order(options, seed)

    def best(lots: Sequence[str]) -> str:
        """Return the winner of the count, else the next in its order, and then by first places."""
        by_firsts = plurality(ballots, options, lots).order
        outcome = count(ballots, options, by_firsts or lots)
        return next((key for key in (outcome.winner, *outcome.order, *by_firsts) if key in standing), "") or ""

    won, firsts = best(lots), first_choices(ballots, options)
    equal = (key for key in standing if firsts.get(key) == firsts.get(won))
    level = tuple(key for key in equal if key == won or best((key, *(each for each in lots if each != key))) == key)
    return versions.get(won), Tie(level, won, seed) if level[1:] else None


def adopted(account: Account, rule: Rule, seed: int, judging: str = "") -> tuple[Adopted, ...]:
    """Return the motions that more than half of the votes cast accept in some wording, or the rule's larger share.

    Those with the most voters come first. Under consent a text of it must be blocked by nobody as well. A vote for a
    part alone is none for the text that joins it; parts of a motion that no joint text is adopted for stand apart.
    """
    passed: list[Adopted] = []
    for motion, versions in account.versions.items():
        text, tie = text_of(motion, account, rule, seed, judging)
        chosen = text or root_text(versions)
        words, voters = {each.text for each in versions}, account.wanting(chosen)
        votes = sum(ballot.has_voted and not words <= set(ballot.withheld) for ballot in account.ballots)
        enough = reaches(len(voters), votes, rule.share) and (text is not None or rule.counts != "blocks")
        if rule.counts == "judge":
            enough = judging.casefold() in map(str.casefold, voters)
        if enough and voters:
            key, exact = (text.id, account.acceptors[text.id]) if text else ("", ())
            passed.append(
                Adopted(
                    motion=chosen.root or motion,
                    id=key,
                    text=chosen.text,
                    voters=voters,
                    exact=exact,
                    of=votes,
                    tie=tie,
                )
            )
        apart = [
            each.model_copy(update={"motion": each.root or motion})
            for each in versions
            if not (each.root == chosen.root or each.takes_in(chosen) or chosen.takes_in(each))
        ]
        passed += adopted(replace(account, texts=apart), rule, seed, judging) if apart else ()
    return tuple(sorted(passed, key=lambda each: -len(each.voters)))


def root_text(versions: Sequence[BallotText]) -> BallotText:
    """Return the root of a motion, or the oldest of its texts that was offered."""
    return next((text for text in versions if text.id == text.motion), versions[0])


def _stands(text: str, account: Account, rule: Rule, judging: str) -> bool:
    voted = [ballot for ballot in account.ballots if ballot.has_voted and text not in ballot.withheld]
    voters = [ballot.agent for ballot in voted if text in ballot.accepted]
    if rule.counts == "judge":
        return judging.casefold() in map(str.casefold, voters)
    return reaches(len(voters), len(voted), rule.share)


def lead(outcome: Counted) -> float | None:
    """Return by how much the winner's figure leads the next one, at least 0; None where nothing won."""
    if outcome.winner is None:
        return None
    others = [outcome.figures[choice] for choice in outcome.order[1:2]]
    return round(max(0.0, outcome.figures[outcome.winner] - max(others, default=0.0)), 9)


def tie_of(outcome: Counted, seed: int) -> Tie | None:
    """Return how a tie was broken; None where there was none."""
    return Tie(outcome.tied, outcome.winner, seed, outcome.lots) if outcome.winner and outcome.tied else None


def ballots_to_change(
    rule: Rule, count: Count, ballots: Sequence[Ballot], choices: Sequence[str], lots: Sequence[str]
) -> tuple[int | None, bool, FlipsTo]:
    """Return the fewest ballots whose change gives another outcome, whether that is exact, and which outcome.

    Another outcome is that another option wins, or that nothing does. What is not exact is a lower bound.
    None where no change does: there is no other option, or no ballot. A changed ballot may be any one of its kind;
    where rankings are counted, any complete ranking, or any single choice where no ballot ranks more. Ties fall as the
    lots of the tally say. The quorum is left aside.
    """
    if len(choices) < 2 or rule.counts == "judge":
        return (None if len(choices) < 2 else 1), True, ""
    now = count(ballots, choices, lots)
    unchanged = {None, NONE} if now.winner in (None, NONE) else {now.winner}
    tries, most = 0, min(_MOST_TRIES, _MOST_TRIES * 512 // len(choices) ** 3)
    least = rule.bound(now, ballots, choices) if rule.bound and now.winner is not None else 1
    for changed in range(max(1, ceil(least)), len(ballots) + 1):
        for trial in _trials(rule, now, ballots, choices, changed):
            tries += 1
            if trial is None or tries > most:
                return changed, False, ""
            won = count(trial, choices, lots).winner
            if won not in unchanged:
                return changed, True, "no verdict" if won in (None, NONE) else "another winner"
    return None, True, ""


def _trials(
    rule: Rule, now: Counted, ballots: Sequence[Ballot], choices: Sequence[str], changed: int
) -> Iterator[list[Ballot] | None]:
    """Yield the ways to change so many ballots, the likely ones first; a last None where some ways are left out.

    Where no rankings are counted, a ballot for one option alone does all for it that a ballot can.
    """
    projected = NONE in choices
    ranks = rule.counts == "rankings" and (projected or any(len(flat(ballot.ranking)) > 1 for ballot in ballots))
    likely = [ballot_for(choice, now, choices, ranks=ranks) for choice in choices if choice != now.winner]
    for unchanged in _unchanged(rule, ballots, changed, now.winner, choices):
        yield from ([*unchanged, *[ballot] * changed] for ballot in likely)
    if not ranks:
        return
    if len(ballots) > _SMALL_PANEL or factorial(len(choices)) > _MOST_TRIES:
        yield None
        return
    orders = dict.fromkeys(_castable(order, projected=projected) for order in permutations(choices))
    rankings = [Ballot(agent="", choice=order[0], ranking=order) for order in orders]
    for unchanged in _unchanged(rule, ballots, changed, now.winner, choices):
        yield from ([*unchanged, *new] for new in combinations_with_replacement(rankings, changed))


def _castable(order: tuple[str, ...], *, projected: bool) -> tuple[str, ...]:
    """Return an order as a voter can give it: a projected ballot names nothing below `none`."""
    return order[: order.index(NONE) + 1] if projected else order


def ballot_for(choice: str, now: Counted, choices: Sequence[str], *, ranks: bool) -> Ballot:
    """Return the ballot that helps `choice` most; where rankings are counted, the one that most likely does."""
    others = tuple(other for other in reversed(now.order or tuple(choices)) if other != choice)
    none = NONE in choices
    order = _castable((choice, *others, NONE)[: None if none else -1], projected=none)
    return Ballot(
        agent="",
        choice=choice,
        ranking=order if ranks else (),
        approved=(choice,),
        scores={} if none and choice == NONE else {choice: 10.0},
        blocked=tuple(other for other in others if other != NONE),
    )


def _unchanged(
    rule: Rule, ballots: Sequence[Ballot], changed: int, winner: str | None, choices: Sequence[str]
) -> Iterator[list[Ballot]]:
    """Yield each different rest of the ballots without `changed` of them, first those without votes for the winner."""
    ordered = sorted(ballots, key=lambda ballot: winner not in firsts_of(ballot, choices))
    groups = [*grouped((_counted(rule, ballot, choices), ballot) for ballot in ordered).values()]

    def without(place: int, gone: int) -> Iterator[list[Ballot]]:
        if place == len(groups):
            if not gone:
                yield []
            return
        group = groups[place]
        for out in range(min(gone, len(group)), -1, -1):
            yield from ([*group[out:], *rest] for rest in without(place + 1, gone - out))

    return without(0, changed)


def _counted(rule: Rule, ballot: Ballot, choices: Sequence[str]) -> object:
    """Return the part of a ballot that the rule counts."""
    ranking = ranked(ballot, choices)
    parts: Mapping[Counts, object] = {
        "approvals": frozenset(ballot.approved),
        "scores": (frozenset(ballot.scores.items()), ballot.withheld, ballot.choice == NONE),
        "rankings": (ranking, ballot.withheld),
        "blocks": (ranking if NONE in choices else ranking[:1], frozenset(ballot.blocked)),
    }
    return parts.get(rule.counts, ranking[:1])
