"""One account of a vote: its ballots and what they offer, projected once onto motions and `none`.

So it never matters in how many wordings a motion stands. A motion stands where its best text stands. `none` is an item
below all that a ballot accepts, and what a ballot does not accept lies tied below it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Self

from eda.events import NONE, AnswerKind, Ballot, BallotCast, BallotText, Otherwise, StanceTaken, Voter, flat, ranks_of
from eda.text import grouped
from eda.voting.counts import blockers, firsts_of
from eda.voting.pairwise import Pairs, pairs

Voters = tuple[str, ...]


@dataclass(frozen=True)
class Account:
    """A vote that any rule can count. What is read from it is made once."""

    ballots: Sequence[Ballot]  # One of each who was asked; unreadable and missing ones count for nothing.
    choices: Sequence[str] = ()  # What could be voted for; the words of `texts` where there are some.
    texts: Sequence[BallotText] = ()
    """The choices with their motions; empty in polls and before schema 5, where each choice stands for itself."""
    answer: AnswerKind = "one"
    """Whether one motion is to win, or each is adopted or not by itself. Without texts one is."""
    before: Sequence[Ballot] = ()
    """The first poll as ballots, where there were several and the last is what is counted; for the rule `shift`."""
    polled: bool = False  # Whether the ballots are the stances of a poll.

    @classmethod
    def cast(cls, casts: Sequence[BallotCast], before: Sequence[StanceTaken] = ()) -> Self:
        """Return the account of ballots that were cast on one paper."""
        if not casts:
            return cls(())
        ballots, paper = [each.ballot for each in casts], casts[0]
        return cls(ballots, paper.choices, paper.texts, paper.answer, _as_ballots(before))

    @classmethod
    def held(cls, stances: Sequence[StanceTaken], before: Sequence[StanceTaken] = ()) -> Self:
        """Return the account of a poll: who holds a choice votes for it."""
        return cls(_as_ballots(stances), stances[0].choices if stances else (), before=_as_ballots(before), polled=True)

    def __post_init__(self) -> None:
        if self.texts:
            object.__setattr__(self, "choices", tuple(text.text for text in self.texts))
        else:
            object.__setattr__(self, "answer", "one")

    @cached_property
    def options(self) -> tuple[str, ...]:
        """What is counted: the ids of the motions, and `none`; without texts the choices."""
        return (*dict.fromkeys(text.motion for text in self.texts), NONE) if self.texts else tuple(self.choices)

    @cached_property
    def votes(self) -> list[Ballot]:
        """The ballots, each of which names options."""
        return self.onto(self.texts) if self.texts else list(self.ballots)

    @cached_property
    def voters(self) -> dict[str, Voters]:
        """Who puts each option first, tied with others too."""
        return _by_first(self.votes, self.options)

    @cached_property
    def firsts(self) -> dict[str, Voters]:
        """By its words who puts each choice first."""
        return _by_first(self.ballots, self.choices)

    @cached_property
    def acceptors(self) -> dict[str, Voters]:
        """By the id of each text who accepts it."""
        taken = [(ballot.agent, ballot.accepted) for ballot in self.ballots]
        return {text.id: tuple(who for who, words in taken if text.text in words) for text in self.texts}

    @cached_property
    def backers(self) -> dict[str, Voters]:
        """By motion who accepts a text of it."""
        return {motion: tuple(b.agent for b in self.accepting(each)) for motion, each in self.versions.items()}

    @cached_property
    def versions(self) -> dict[str, list[BallotText]]:
        """The texts of each motion."""
        return grouped((text.motion, text) for text in self.texts)

    @cached_property
    def names(self) -> dict[str, str]:
        """By option the words of the text that most ballots put first among its texts.

        Of equals the one that most want beside the answer, then the first shown.
        """
        if not self.texts:
            return {choice: choice for choice in self.choices}
        names, beside = {NONE: NONE}, Counter(text for ballot in self.ballots for text in ballot.also)
        for motion, versions in self.versions.items():
            words = [text.text for text in versions]
            firsts = [next((text for text in ballot.accepted if text in words), "") for ballot in self.ballots]
            named = [(firsts.count(each), beside[each]) for each in words]
            names[motion] = words[named.index(max(named))]
        return names

    @cached_property
    def blocked(self) -> dict[str, Voters]:
        """Who blocks each choice that somebody blocks."""
        return blockers(self.ballots, self.choices)

    @cached_property
    def duels(self) -> Pairs:
        """How many ballots prefer each option to each other one."""
        return pairs(self.votes, self.options)

    def who(self, came: Literal["voted", "abstained", "unreadable", "missing"]) -> Voters:
        """Return those of whom such a ballot came; one for none of the texts is a vote."""
        all_came = (
            (each.agent, each.came if each.has_voted or each.came != "voted" else "abstained") for each in self.ballots
        )
        return tuple(agent for agent, kind in all_came if kind == came)

    @property
    def slate(self) -> list[BallotText]:
        """The texts; without some each choice as one, whose motion it is itself."""
        return list(self.texts) or [BallotText(id="", motion=choice, text=choice) for choice in self.choices]

    @cached_property
    def motions(self) -> dict[str, str]:
        """By its words the motion of each choice: itself where it has no other."""
        return {text.text: text.motion for text in reversed(self.slate)}

    def motion(self, words: str | None) -> str:
        """Return the motion of some words; themselves where they are no choice, empty for None."""
        return self.motions.get(words or "", words or "")

    @cached_property
    def ids(self) -> dict[str, str]:
        """By its words the id of each choice; empty where it has none."""
        return {text.text: text.id for text in reversed(self.slate)}

    def onto(self, texts: Iterable[BallotText]) -> list[Ballot]:
        """Return the ballots, each of which names the motions of these texts by their ids, and `none`."""
        texts = [*texts]
        motion = {text.text: text.motion for text in reversed(texts)}
        blocked = blockers(self.ballots, [*motion])
        free = {words for ballot in self.ballots for words in ballot.accepted} - blocked.keys()
        standing = {text.motion for text in texts if text.text in free}
        return [_projected(ballot, motion, standing) for ballot in self.ballots]

    def accepting(self, texts: Iterable[BallotText]) -> list[Ballot]:
        """Return the ballots that accept one of these texts."""
        words = {text.text for text in texts}
        return [ballot for ballot in self.ballots if words.intersection(ballot.accepted)]

    def wanting(self, text: BallotText) -> Voters:
        """Return who accepts a wording of a text, or one that takes it in: who wants a part of it alone does not."""
        return tuple(
            ballot.agent
            for ballot in self.accepting(
                each for each in self.versions[text.motion] if each.root == text.root or each.takes_in(text)
            )
        )

    def by_text(self) -> Self:
        """Return the account in which each text is a motion of its own."""
        return replace(self, texts=[text.model_copy(update={"motion": text.id}) for text in self.texts])

    def beside(self, texts: Sequence[BallotText] | None = None) -> Self:
        """Return what the ballots want beside the answer, as an account: who names nothing there accepts none of it."""
        cast = [
            ballot.model_copy(
                update={"choice": next(iter(ballot.also), NONE), "ranking": ballot.also, "approved": ballot.also}
            )
            for ballot in self.ballots
            if ballot.has_voted
        ]
        return replace(self, ballots=cast, texts=self.texts if texts is None else texts)


def voter_of(ballot: Ballot, *, parts: Collection[str] = (), scored: str = "") -> Voter:
    """Return what a ballot accepts and says.

    Args:
        ballot: Of the voter.
        parts: The words of texts that are a part of what it accepts.
        scored: The words of the text decided, where scores are counted.
    """
    none, came = ballot.choice == NONE or ballot.blocked, ballot.came
    otherwise: Otherwise = came if came != "voted" else "none" if none else "abstained"
    also = tuple(words for words in ballot.also if words != ballot.first_choice)
    return Voter(
        ballot.agent,
        ballot.accepted,
        "" if ballot.accepted else otherwise,
        also,
        ballot.blocked,
        (ballot.raw or ("",))[-1] if ballot.invalid else ballot.reason,
        ballot.moved_by,
        None if not scored or ballot.choice is None else ballot.scores.get(scored, 0.0),
        tuple(words for words in also if words in parts),
        ballot.confidence,
        tuple(rank for rank in ballot.ranking if not isinstance(rank, str)),
    )


def _as_ballots(stances: Iterable[StanceTaken]) -> list[Ballot]:
    return [
        Ballot(
            agent=stance.who,
            choice=stance.choice,
            ranking=(stance.choice,) if stance.choice is not None else (),
            moved_by=stance.moved_by,
            confidence=stance.confidence,
            invalid=stance.invalid,
            missing=stance.missing,
            raw=stance.raw,
        )
        for stance in stances
    ]


def _by_first(ballots: Sequence[Ballot], options: Sequence[str]) -> dict[str, Voters]:
    firsts = [(ballot.agent, firsts_of(ballot, options)) for ballot in ballots]
    return {option: tuple(who for who, first in firsts if option in first) for option in options}


def _projected(ballot: Ballot, motion: Mapping[str, str], standing: set[str]) -> Ballot:
    def motions(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(motion[text] for text in texts if text in motion))

    scores: dict[str, float] = {}
    for text, score in ballot.scores.items():
        if text in motion:
            scores[motion[text]] = max(score, scores.get(motion[text], 0.0))
    own = motions(ballot.withheld)
    roots = {root for text, root in motion.items() if text not in ballot.withheld}
    taken = motions(ballot.accepted)
    chosen = [ballot.choice] if ballot.choice not in (None, NONE) else []
    ranking = ranks_of(motions([rank] if isinstance(rank, str) else rank) for rank in (*chosen, *ballot.ranking))
    if ballot.has_voted and {*taken} <= {*flat(ranking)}:  # of texts that it accepts without an order nobody knows one
        ranking = (*ranking, NONE)
    first = next(iter(ranking), None)
    return ballot.model_copy(
        update={
            "choice": first if isinstance(first, str) else None,
            "ranking": ranking,
            "approved": taken or ranking,
            "also": motions(ballot.also),
            "scores": scores,
            "blocked": tuple(root for root in motions(ballot.blocked) if root not in standing),
            "withheld": tuple(root for root in own if root not in roots),
        }
    )
