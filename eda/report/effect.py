"""Did talking help? Compares what the panel held before it talked with the outcome. Makes no call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from eda.debate.state import DebateState
from eda.debate.verdict import last_votes, rule_of
from eda.events import Ballot, BaselineTaken, VerdictReached
from eda.events.records import StanceChange
from eda.events.usage import UsageTotals
from eda.memory import ConversationMemory
from eda.memory.minutes.consensus import ahead
from eda.memory.polls import OpeningBasis, direction, first_choice
from eda.report.formatting import count, listed, money, one_line, shorten, tokens
from eda.voting import counts_of, given, rule_known, verdict
from eda.voting.counts import has_voted

_WIDEST = 60
"""Characters of a choice in a line on a screen."""
Named = Callable[[str], str]
_KEYS = {"open_choices": "several", "with_known_opening": "known", "outside": "apart"}
"""Keys of the JSON that are not called like their attribute."""
_BASES = {"poll": "a poll", "ballot": "first ballots", "opening": "blind openings"}


@dataclass(frozen=True, slots=True)
class Share:
    """How much of the talk was a member's."""

    who: str
    messages: int
    words: int
    share: float
    """Of all words, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Helped:
    """What the talk changed, and what it cost."""

    basis: OpeningBasis
    open_choices: bool
    """True if members proposed the choices during the debate and could back several, so no opening counts as a vote."""
    members: int
    opening: Mapping[str, str | None]
    """The choice of each member before the talk, as far as it is known; None: it held none of the choices."""
    closing: Mapping[str, str | None]
    """The choice of each member when it was last asked in private, as far as it is known; None: it held none."""
    with_known_opening: int
    """Members whose choice or vote before the talk is known; some put several choices level."""
    rule: str
    """The rule that counts openings and last stances: majority, where the rule that decided needs more than those."""
    before: str | None
    """The winner of the openings under that rule; None where nothing would have won, or too few are known."""
    before_by_lot: bool
    """True if `before` won a tie by lot."""
    before_note: str
    """Why nothing would have won."""
    after: str | None
    """The winner of the last stances under that rule: the outcome, where that rule decided; None: nothing won."""
    outcome: str | None
    """The verdict; None where nothing won."""
    same_rule: bool
    """True if `rule` is the rule that decided."""
    changed: bool | None
    """True if the talk changed the outcome; None: too few openings or votes are known, or openings were level."""
    voted: int
    """Members who named a choice when they were last asked."""
    compared: int
    """Members whose choice is known both before the talk and at the end."""
    moved: tuple[StanceChange, ...]
    """Those of them whose choice differs, each with the message that came before its last change."""
    shares: tuple[Share, ...]
    """The most words first."""
    gini: float
    """Of the words, 0 (all said as much) to 1 - 1/n (one said everything)."""
    outside: tuple[str, ...]
    """Members asked last who do not hold the outcome; where nothing won, the choice that most hold."""
    asked: int
    calls: int
    tokens: int
    cost: float
    """US dollars, of the calls whose price is known."""
    unpriced_calls: int
    baseline: BaselineTaken | None = None
    """The same question without a debate, where it was asked for."""
    baseline_due: bool = False
    """True if a baseline was asked for and is missing."""
    for_baseline: UsageTotals = field(default_factory=UsageTotals)
    """What all calls of the baseline took, failed ones included; not part of the figures of the debate."""

    @property
    def left(self) -> float | None:
        """Disagreement left: the share of those asked last who are outside."""
        return len(self.outside) / self.asked if self.asked else None

    @property
    def several(self) -> bool:
        """The earlier name of `open_choices`."""
        return self.open_choices

    @property
    def known(self) -> int:
        """The earlier name of `with_known_opening`."""
        return self.with_known_opening

    @property
    def apart(self) -> tuple[str, ...]:
        """The earlier name of `outside`."""
        return self.outside


def helped(progress: DebateState, memory: ConversationMemory) -> Helped | None:
    """Return what the talk changed in a debate; None where there is no verdict."""
    reached = progress.verdict
    if reached is None:
        return None
    choices = tuple(reached.tally)
    basis, opening = memory.opening_stances()
    open_choices = counts_of(reached.rule) in ("approvals", "scores") and not set(choices) & set(_given(progress))
    if open_choices:
        opening = {}
    opening = {who: choice for who, choice in opening.items() if who in progress.members}
    first = [ballot for who, ballot in memory.parts.polls.first_ballots.items() if who in progress.members]
    first = first if basis == "ballot" else _as_ballots(opening)
    then = _counted(progress, memory, first, choices)
    same = then.rule == reached.rule
    now = reached.outcome if same else _counted(progress, memory, _as_ballots(memory.last_stances), choices).outcome
    last = last_votes(progress)
    voted = sum(map(has_voted, last))
    quorum = progress.settings.quorum
    quorate = len(first) > quorum * len(progress.members) and voted > quorum * len(last)
    compared = {who: now for who, now in memory.last_stances.items() if who in opening}
    shares = _shares(progress, memory)
    return Helped(
        basis=basis if first else "none",
        open_choices=open_choices,
        members=len(progress.members),
        opening=opening,
        closing=memory.last_stances,
        with_known_opening=len(first),
        rule=then.rule,
        before=then.outcome,
        before_by_lot=bool(then.tie),
        before_note=then.note,
        after=now,
        outcome=reached.outcome,
        same_rule=same,
        changed=then.outcome != now if quorate and not then.tie else None,
        voted=voted,
        compared=len(compared),
        moved=tuple(_moved(memory, opening, who, now) for who, now in compared.items() if now != opening[who]),
        shares=shares,
        gini=gini([share.words for share in shares]),
        outside=_outside(last, reached),
        asked=len(last),
        calls=progress.spent.calls,
        tokens=progress.spent.tokens,
        cost=progress.spent.cost,
        unpriced_calls=progress.spent.unpriced_calls,
        baseline=progress.baseline,
        baseline_due=progress.baseline_due,
        for_baseline=progress.by_purpose.get("baseline", UsageTotals()),
    )


def gini(amounts: Sequence[float]) -> float:
    """Return the Gini coefficient: half the mean difference over the mean (C. Gini, 1912); 0 where there is nothing."""
    total = sum(amounts)
    if not total:
        return 0.0
    differences = sum(abs(one - other) for one in amounts for other in amounts)
    return differences / (2 * len(amounts) * total)


def _as_ballots(stances: Mapping[str, str | None]) -> list[Ballot]:
    """Return stances as ballots that rules of first choices, rankings and approvals can count."""
    return [
        Ballot(agent=who, choice=choice, ranking=(choice,) if choice else (), approved=(choice,) if choice else ())
        for who, choice in stances.items()
    ]


def _counted(
    progress: DebateState, memory: ConversationMemory, ballots: Sequence[Ballot], choices: Sequence[str]
) -> VerdictReached:
    """Return the verdict of the debate's rule on these ballots; of majority where that rule needs more."""
    settings, decided = progress.settings, rule_of(progress)
    return verdict(
        ballots,
        choices,
        "majority" if rule_known(decided).missing(ballots, settings.judge) else decided,
        quorum=settings.quorum,
        seed=progress.seed,
        members=progress.members,
        agents=memory.agents,
        judge=settings.judge,
    )


def _moved(memory: ConversationMemory, opening: Mapping[str, str | None], who: str, now: str | None) -> StanceChange:
    way = direction(opening.values(), opening[who], now)
    own = [change for change in memory.stance_changes if change.who == who]
    if not own:  # the choices were others at each step
        return StanceChange(who, None, opening[who], now, 0, "", "", way)
    return replace(own[-1], before=opening[who], after=now, direction=way)


def _shares(progress: DebateState, memory: ConversationMemory) -> tuple[Share, ...]:
    agents = memory.agents
    words = {who: agents[who].word_count if who in agents else 0 for who in dict.fromkeys((*progress.members, *agents))}
    total = sum(words.values()) or 1
    shares = (
        Share(who, agents[who].message_count if who in agents else 0, count, count / total)
        for who, count in words.items()
    )
    return tuple(sorted(shares, key=lambda share: -share.words))


def _given(progress: DebateState) -> tuple[str, ...]:
    """Return the choices that existed before anybody spoke."""
    started = progress.started
    return tuple(text.text for text in given(started.question, started.options)) if started else ()


def _outside(last: Sequence[Ballot], reached: VerdictReached) -> tuple[str, ...]:
    """Return who does not put the winner first, or did not approve it, or scored another choice higher."""
    on = reached.outcome if reached.outcome is not None else _held_by_most(last)
    last = [ballot for ballot in last if on not in ballot.withheld]
    match counts_of(reached.rule):
        case "approvals":
            return tuple(ballot.agent for ballot in last if on not in ballot.approved)
        case "scores":
            tops = {ballot.agent: max(ballot.scores.values(), default=0.0) for ballot in last}
            return tuple(b.agent for b in last if b.invalid or on not in b.scores or b.scores[on] < tops[b.agent])
        case _:
            return tuple(b.agent for b in last if b.invalid or first_choice(b) != on)


def _held_by_most(last: Sequence[Ballot]) -> str:
    """Return the choice that most ballots hold; empty where none does, or two are level."""
    counts = Counter(choice for ballot in last if not ballot.invalid and (choice := first_choice(ballot)) is not None)
    return ahead(counts) or ""


def helped_lines(helps: Helped, named: Named | None = None) -> list[str]:
    """Return lines on what the talk changed, who changed their mind, shares and disagreement; then the baseline.

    `named` shortens a choice; without it one is cut at 60 characters.
    """
    named = named or _short
    lines = [f"talk: {_outcome(helps, named)}", f"minds: {_minds(helps, named)}", f"shares: {_share_words(helps)}"]
    if helps.baseline_due:
        lines.append("baseline: it was asked for and not taken; resuming the session takes it")
    return lines + ([f"baseline: {_baseline(helps.baseline, helps.outcome, named)}"] if helps.baseline else [])


def took(debate: UsageTotals | Helped, baseline: UsageTotals | None) -> str:
    """Return `55 calls, 124.5k tokens, $0.12`, and what the baseline took, where there is one."""
    figures = f"{count(debate.calls, 'call')}, {tokens(debate.tokens)}, {money(debate.cost, debate.unpriced_calls)}"
    return f"{figures} (and for the baseline {took(baseline, None)})" if baseline and baseline.calls else figures


def helped_data(helps: Helped | None) -> dict[str, Any] | None:
    """Return the same in plain JSON types, by the keys that `docs/study.md` lists."""
    if helps is None:
        return None
    plain = {_KEYS.get(key, key): value for key, value in asdict(helps).items() if key != "baseline"}
    baseline = helps.baseline
    return {
        **plain,
        "disagreement_left": helps.left,
        "baseline": baseline.model_dump(mode="json", exclude={"seq", "at", "type"}) if baseline else None,
    }


def _baseline(taken: BaselineTaken, outcome: str | None, named: Named) -> str:
    """Return how the single answers voted, and whether the panel came to the same."""
    votes = sum(answer.choice == taken.outcome for answer in taken.answers)
    of = f"of {count(len(taken.answers), 'single answer')} at {tokens(taken.tokens)}"
    if taken.outcome is None:
        return f"{of}, no choice has the most"
    same = "the panel's outcome too" if taken.outcome == outcome else "not the panel's outcome"
    return f"{of}, {votes} {'takes' if votes == 1 else 'take'} {named(taken.outcome)}, {same}"


def _outcome(helps: Helped, named: Named) -> str:
    if helps.open_choices:
        return (
            "whether it changed the outcome is not known: the choices are the panel's own proposals, and each member "
            "could back several, so no opening counts as a vote"
        )
    if helps.basis == "none":
        return "where members stood before they heard anybody is not known"
    known = f"{_BASES[helps.basis]} of {helps.with_known_opening} of {helps.members}"
    before = f"{named(helps.before)} would have won" if helps.before is not None else "nothing would have won"
    counted = f"before it {before} ({one_line(helps.rule)}, {known})"
    if helps.changed is None:
        level = f"before it several were level, and only a lot would have decided ({one_line(helps.rule)}, {known})"
        few = f"too few openings are known to tell ({known})"
        if helps.voted < helps.with_known_opening:
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


def _share_words(helps: Helped) -> str:
    words = ", ".join(f"{one_line(share.who)} {share.share:.0%}" for share in helps.shares)
    apart = "nobody apart in the end" if helps.voted else "nobody voted in the end"
    if helps.outside and helps.voted:
        apart = f"{len(helps.outside)} of {helps.asked} apart in the end ({listed(helps.outside)})"
    spoke = any(share.words for share in helps.shares)
    return f"words {words} (Gini {helps.gini:.2f}); {apart}" if spoke else f"nobody said anything; {apart}"


def _short(choice: str) -> str:
    return f"“{shorten(choice, _WIDEST)}”"
