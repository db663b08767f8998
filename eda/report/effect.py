"""Compares the first private vote of a debate with the last one, by motion; and says what the talk took.

One instrument: the private ballot before the first message, or the first poll of a format that polls. Nothing that was
read out of prose enters. One debate says what differs, never why.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from eda.debate.state import DebateState
from eda.debate.verdict import Basis, rule_of, votes_compared
from eda.events import NONE, Ballot, Result, VerdictReached
from eda.memory import ConversationMemory
from eda.report.formatting import shown_id
from eda.voting import Account, counts_of, rule_known, verdict

WhyNot = Literal["", "one poll", "no first ballot", "not offered"]  # Why votes cannot be compared.


@dataclass(frozen=True, slots=True)
class Share:
    """How much of the talk was a member's."""

    who: str
    messages: int
    words: int
    share: float  # Of all words, 0 to 1.


@dataclass(frozen=True, slots=True)
class VoteDiffers:
    """A member whose last vote is not its first one."""

    who: str
    # The words of its first choice; `none`: it accepted no text; None: it named no single one, or abstained.
    before: str | None
    # The same of the last vote. Where both are one motion, what it ranks, accepts, scores or blocks differs.
    after: str | None
    before_id: str  # Id of that text; empty where it has none.
    after_id: str
    moved_by: int | None  # Number of the message that moved it, by its own word; None where it names none.
    answer: bool = False  # Whether it puts another motion first at the end; no vote that accepts none or abstains does.


@dataclass(frozen=True, slots=True)
class Voted:
    """A text in one vote."""

    text: str
    first: tuple[str, ...]  # Who put it first; where a list is wanted, who accepts it.
    too: tuple[str, ...] = ()  # Who accepts it after another text.


@dataclass(frozen=True, slots=True)
class Helped:
    """What differs between the first private vote and the last one, and what the debate took."""

    basis: Basis  # What was asked before and after: a ballot before the first message, or polls.
    why: WhyNot  # Why votes cannot be compared; empty where they can.
    members: int
    rule: str  # The rule that counts both votes: majority, where the rule that decided needs more than one vote.
    before: Result  # What the first votes come to; None: nothing would have won.
    # The texts that were level in the first vote; `before` is None then, whatever a lot would say.
    before_level: tuple[str, ...]
    after: Result  # What the last votes come to under that rule.
    outcome: Result  # The verdict; None where nothing won.
    same: bool  # True if both votes come to the same motion, or in a list to the same motions.
    compared: int  # Members whose two votes can be compared.
    # The first vote and the last one, text by text, those with the most voters first.
    votes: tuple[tuple[Voted, ...], tuple[Voted, ...]]
    new: tuple[VoteDiffers, ...]  # Members who put a text first at the end that was not offered before.
    stayed: tuple[str, ...]  # Members whose two votes can be compared and are the same.
    differs: tuple[VoteDiffers, ...]
    reworded: tuple[VoteDiffers, ...]  # Of those who stayed, who put another wording of the same motion first.
    ids: Mapping[str, str]  # The id of each text that a vote offered, by its words.
    shares: tuple[Share, ...]  # The most words first.
    gini: float  # Of the words, 0 (all said as much) to 1 - 1/n (one said everything).
    calls: int
    tokens: int
    cost: float  # US dollars, of the calls whose price is known.
    unpriced_calls: int

    @property
    def comparable(self) -> bool:
        """Whether anything can be said of what differs."""
        return bool(self.new) or not self.why


def helped(progress: DebateState, memory: ConversationMemory) -> Helped | None:
    """Return what differs between the first vote of a debate and the last; None where there is no verdict."""
    reached = progress.verdict
    if reached is None:
        return None
    basis, first, last = votes_compared(progress)
    compared, new, differs, reworded = _compared(first, last, reached.rule)
    other = {each.who for each in differs}
    then, after = _counted(progress, first), reached
    if then is not None and then.rule != reached.rule:
        after = _counted(progress, last) or reached
    level = tuple(words for words in then.tally if words in then.tie.tied) if then is not None and then.tie else ()
    shares, spent = _shares(progress, memory), progress.spent
    return Helped(
        basis=basis,
        why=_why(progress, basis, bool(compared)),
        members=len(progress.members),
        rule=then.rule if then else reached.rule,
        before=then.outcome if then and not level else None,
        before_level=level,
        after=after.outcome,
        outcome=reached.outcome,
        same=then is not None and not level and _motions(then, first) == _motions(after, last) != [],
        compared=len(compared),
        votes=(_voted(first), _voted(last)),
        new=tuple(new),
        stayed=tuple(who for who in compared if who not in other),
        differs=tuple(differs),
        reworded=tuple(reworded),
        ids=_ids(memory, first, last),
        shares=shares,
        gini=gini([share.words for share in shares]),
        calls=spent.calls,
        tokens=spent.tokens,
        cost=spent.cost,
        unpriced_calls=spent.unpriced_calls,
    )


def votes_that_differ(one: DebateState, other: DebateState) -> tuple[VoteDiffers, ...]:
    """Return whose last votes differ between two debates, by motion, or are in one only; nobody's before both voted."""
    here, there = votes_compared(one)[2], votes_compared(other)[2]
    # A motion is the same where a text of it is: after they part, both may make a p9.0, and not the same one.
    same = {text.motion: here.motions[text.text] for text in there.texts if text.text in here.motions}
    moved = [text.model_copy(update={"motion": same.get(text.motion, f"{text.motion}, there")}) for text in there.texts]
    there, rules = replace(there, texts=moved), {rule_of(one), rule_of(other)}
    _, new, differs, _ = _compared(here, there, rules.pop() if len(rules) == 1 else "plurality")
    named = {each.who for each in (*new, *differs)}
    first, last = ({b.agent: b.first_choice for b in vote.ballots if not b.invalid} for vote in (here, there))
    rows = []
    for who in first | last if first and last else ():
        before, after = first.get(who), last.get(who)
        if who in named or (who in first) != (who in last) or here.motion(before) != there.motion(after):
            ids = here.ids.get(before or "", ""), there.ids.get(after or "", "")
            rows.append(VoteDiffers(who, before, after, *ids, None))
    return tuple(rows)


def gini(amounts: Sequence[float]) -> float:
    """Return the Gini coefficient: half the mean difference over the mean (C. Gini, 1912); 0 where there is nothing."""
    differences = sum(abs(one - other) for one in amounts for other in amounts)
    return differences and differences / (2 * len(amounts) * sum(amounts))


def _voted(vote: Account) -> tuple[Voted, ...]:
    valid = [(ballot.agent, ballot.firsts, ballot.accepted) for ballot in vote.ballots if not ballot.invalid]
    rows = []
    for words in (*vote.choices, NONE):
        takers = tuple(who for who, _, taken in valid if words in taken)
        first = (
            takers
            if vote.answer == "list" and words != NONE
            else tuple(who for who, firsts, _ in valid if words in firsts)
        )
        rows.append(Voted(words, first, tuple(who for who in takers if who not in first)))
    return tuple(sorted((row for row in rows if row.first or row.text != NONE), key=lambda row: -len(row.first)))


_Differing = tuple[list[VoteDiffers], list[VoteDiffers], list[VoteDiffers]]


def _compared(first: Account, last: Account, rule: str) -> tuple[list[str], *_Differing]:
    """Return whose votes can be compared; whose are for what is new, differ, or differ only in the wording."""
    offered = {*first.motions.values()} & {*last.motions.values()}
    before, after = (
        {ballot.agent: ballot for ballot in vote.onto(text for text in vote.slate if text.motion in offered)}
        for vote in (first, last)
    )
    began = {ballot.agent: _first(ballot, first) for ballot in first.ballots if not ballot.invalid}
    compared, new, differs, reworded = list[str](), list[VoteDiffers](), list[VoteDiffers](), list[VoteDiffers]()
    for ballot in last.ballots:
        who, ends = ballot.agent, _first(ballot, last)
        if who not in began or ballot.invalid:
            continue
        ids = first.ids.get(began[who] or "", ""), last.ids.get(ends or "", "")
        other = ends not in (None, NONE) and first.motion(began[who]) != last.motion(ends)
        vote = VoteDiffers(who, began[who], ends, ids[0], ids[1], ballot.moved_by, other)
        if ends not in (None, NONE) and last.motion(ends) not in offered:
            new.append(vote)
            continue
        compared.append(who)
        if _content(before[who], rule) != _content(after[who], rule):
            differs.append(vote)
        elif began[who] != ends:
            reworded.append(vote)
    return compared, new, differs, reworded


def _first(ballot: Ballot, vote: Account) -> str | None:
    """Return what a ballot puts first: of wordings of one motion that it ranks as equal the one that it names first."""
    return ballot.firsts[0] if len({*map(vote.motion, ballot.firsts)}) == 1 else None


def _content(ballot: Ballot, rule: str) -> object:
    """Return what the rule counts of a projected ballot."""
    counts, first = counts_of(rule), {*ballot.firsts}
    beside = {"rankings": ballot.ranking, "approvals": {*ballot.approved}, "blocks": {*ballot.blocked}}
    return (ballot.scores or first) if counts == "scores" else (first, beside.get(counts))


def _counted(progress: DebateState, vote: Account) -> VerdictReached | None:
    """Return the verdict of the debate's rule on these ballots; of majority where that rule needs more."""
    if not vote.ballots:
        return None
    settings, decided = progress.settings, rule_of(progress)
    rule = "majority" if rule_known(decided).missing(vote.ballots, settings.judge) else decided
    members = [ballot.agent for ballot in vote.ballots]
    return verdict(vote, rule, settings.quorum, progress.seed, members, judge=settings.judge, changes=False)


def _motions(reached: VerdictReached, vote: Account) -> list[str]:
    """Return the motions that won; empty where nothing did."""
    return sorted(map(vote.motion, reached.won))


def _ids(memory: ConversationMemory, *votes: Account) -> dict[str, str]:
    """Return the ids of the texts of votes; those of polls and older sessions are memory's."""
    known = {version.content: version.id for motion in memory.motions for version in motion.versions}
    words = [text for vote in votes for text in vote.slate]
    return {text.text: number for text in words if (number := shown_id(text.id or known.get(text.text, "")))}


def _why(progress: DebateState, basis: str, compared: bool) -> WhyNot:
    if basis == "none":
        return "one poll" if progress.polls and not progress.ballots else "no first ballot"
    return "" if compared else "not offered"


def _shares(progress: DebateState, memory: ConversationMemory) -> tuple[Share, ...]:
    talk = dict.fromkeys(progress.members, (0, 0))
    talk |= {who: (agent.message_count, agent.word_count) for who, agent in memory.agents.items()}
    total = sum(words for _, words in talk.values()) or 1
    shares = (Share(who, messages, words, words / total) for who, (messages, words) in talk.items())
    return tuple(sorted(shares, key=lambda share: -share.words))
