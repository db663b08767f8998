"""What a vote came to, from its verdict and its ballots: the one record that report, page and screens word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Literal

from eda.events import NONE, Adopted, Ballot, Doubt, Stance, VerdictReached
from eda.voting import Account, counts_of, rule_known


@dataclass(frozen=True, slots=True)
class Text:
    """A text with its id and its author."""

    id: str  # Empty for a choice of a session before schema 5.
    text: str
    by: str = ""  # Empty for what was given with the question.
    voters: tuple[str, ...] = ()  # Of a text that was adopted: who accepted it, or another text of its motion.
    exact: tuple[str, ...] = ()  # Who of them accepted the very text; empty where that is not known.
    part: bool = False  # Whether the text decided joins it.
    title: str = ""  # As an author gave it; empty where none did.
    message: int = 0  # That puts it; 0 of what was given with the question.


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A motion and its votes, under the words of the text that stands for it."""

    choice: str  # `none` for the votes that accept none of the texts.
    id: str
    figure: float  # What the rule counts: votes, approvals, a mean score, duels won.
    voters: tuple[str, ...]  # Who put it first; where approvals are counted, who approves it.
    accepted: int | None = None  # How many accept the text; None where that is not known.
    also: tuple[str, ...] = ()  # Who adopts a text of it beside the answer.
    blocked: tuple[str, ...] = ()
    # The messages that made it or joined into it, that support it, and that its voters name as what moved them.
    behind: tuple[int, ...] = ()
    decisive: tuple[int, ...] = ()  # Of these five at most: its own, and those named.
    votes: float = 0  # First choices, of a ballot that ties several its share; of approvals all that are counted.
    equal: tuple[str, ...] = ()  # Who of its voters puts several texts first, as equal; nobody in a list.
    # Who held it in the first poll; None where no poll was taken before the last message.
    before: tuple[str, ...] | None = None
    # The median confidence, 0 to 1, of those who put it first; None where that was not asked, or is not counted.
    sure: float | None = None
    stated: int = 0  # How many of them stated it.
    # Where another text of the motion was accepted too: by the id of each, who put it first, in a list who accepts it.
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a vote came to, with all that was counted."""

    reached: VerdictReached  # The verdict that was counted.
    judge: str  # Who decides; empty under a rule that needs nobody.
    won: Text | None  # The text decided; None in a list, where nothing won, and where no wording was accepted.
    option: Text | None  # What was given with the question, where the text decided is another wording of it.
    accepted: tuple[str, ...]  # Who accepts the text decided; where that is not known, who put it first.
    known: bool  # False in sessions before schema 5 and in polls, which do not say who accepts what.
    none: tuple[str, ...]  # Who accepts none of the texts.
    adopted: tuple[Text, ...]  # What was adopted beside the answer; of a list all that was adopted.
    rival: Text | None  # A text that more ballots prefer to the one decided, one against one.
    rows: tuple[ChoiceRow, ...]  # Best first.
    asked: int
    cast: int  # Votes, those for none of the texts included.
    abstained: tuple[str, ...]
    unreadable: tuple[str, ...]  # Whose ballots could not be read.
    missing: tuple[str, ...]  # Of whom no ballot came.
    doubts: tuple[tuple[str, tuple[Doubt, ...]], ...]  # Whose ballot is in doubt, and what speaks against it.

    @property
    def winner(self) -> ChoiceRow | None:
        """The row of the motion that won; None in a list, and where none did."""
        return next((row for row in self.rows if row.choice == self.reached.outcome), None)

    @property
    def decided(self) -> tuple[Text, ...]:
        """The text decided, then those adopted beside it, or in a list."""
        return tuple(text for text in (self.won, *self.adopted) if text)


@dataclass(frozen=True, slots=True)
class Dissent:
    """A voter who did not agree, in its own words."""

    who: str
    choice: str
    reason: str  # As written on the ballot.
    blocked: tuple[str, ...] = ()  # What it blocks: the outcome; where nothing won, any choice.
    score: float | None = None  # What it gives the text decided, 0 to 10; None where the rule counts no scores.
    sure: float | None = None  # 0 to 1, as stated on the ballot.
    # What its ballot does beside putting `choice` first: it accepts none of the texts, gives `score`, does not approve
    # the outcome, or approves `approves` and puts none first. Empty beside a block.
    deed: Literal["", "none", "scored", "unapproved", "approves"] = ""
    approves: tuple[str, ...] = ()


Asked = Literal["", "about", "after"]
SideKind = Literal["back", "for", "held", "against", "undecided", "ballot", "beside"]


@dataclass(frozen=True, slots=True)
class SideEnd:
    """A side that a member took after an objection or a condition: one act, with the words that it was given."""

    kind: SideKind
    message: int = 0  # 0 of a ballot.
    text: str = ""  # Id of the text that it is about.
    why: str = ""  # Empty if the act has no reason.
    asked: int = 0  # The last message before its member declared it when it was asked; else 0.


@dataclass(frozen=True, slots=True)
class Stood:
    """Where a member stands on a text decided, as it declared."""

    who: str
    stance: Stance
    reason: str  # In its words; empty if it gave none.
    message: int
    conditional: bool = False  # Of a support.
    condition: str = ""  # The clause of the reason that states the condition.
    doubt: bool = False  # Of a conditional support: True where its reason may state a condition, or not.
    of: str = ""  # Id of the text, where that is not the answer.
    # Of a side on the way: what its member declared since; of an objection its ballot, where that is all.
    ends: tuple[SideEnd, ...] = ()
    asked: Asked = ""  # Whether its member declared it when it was asked about that message, or after it.


def outcome_of(
    reached: VerdictReached,
    account: Account | None = None,
    texts: Mapping[str, Text] | None = None,
    judge: str = "",
) -> Outcome:
    """Return what a vote came to.

    Args:
        reached: The verdict that was counted.
        account: The ballots that it counted; without them nobody's confidence and doubts are known.
        texts: By id what was given, proposed or offered, with authors; without them what was offered.
        judge: Who decides, where the rule needs somebody and an older verdict does not name them.
    """
    texts = {each.id: Text(each.id, each.text) for each in reached.offered} if texts is None else texts
    judge = (reached.judge or judge) if rule_known(reached.rule).counts == "judge" else ""
    account = account or Account.cast(())
    ballots = account.ballots
    unreadable, missing = reached.unreadable or account.who("unreadable"), reached.missing or account.who("missing")
    abstained = tuple(who for who in reached.abstained if who not in (*unreadable, *missing))
    unused = len({*abstained, *unreadable, *missing})
    asked = len(ballots) or reached.cast + unused
    order = reached.order or sorted(reached.tally, key=lambda choice: -len(reached.tally[choice]))
    ids = {text.text: text.id for text in texts.values()} | {text.text: text.id for text in reversed(reached.offered)}
    won = _won(reached, texts)
    return Outcome(
        reached=reached,
        judge=judge,
        won=won,
        option=_option(reached, texts, won),
        accepted=_accepted(reached, ballots, won),
        known=bool(reached.offered) or counts_of(reached.rule) == "approvals",
        none=reached.tally.get(NONE, ()),
        adopted=tuple(_adopted(reached, each, texts) for each in reached.adopted),
        rival=texts.get(reached.rival),
        rows=tuple(_row(reached, ballots, choice, ids.get(choice, "")) for choice in order),
        asked=asked,
        cast=asked - unused,
        abstained=abstained,
        unreadable=unreadable,
        missing=missing,
        doubts=tuple((ballot.agent, ballot.doubts) for ballot in ballots if ballot.doubts),
    )


def dissent_of(reached: VerdictReached, ballot: Ballot) -> Dissent:
    """Return what a dissenter's ballot does instead of voting for the outcome. A reason beside a block is of all."""
    won, first = reached.outcome if isinstance(reached.outcome, str) else "", ballot.first_choice
    blocked = tuple(choice for choice in ballot.blocked if choice == won or reached.outcome is None)
    dissent = Dissent(ballot.agent, first or "", ballot.reason, blocked, sure=ballot.confidence)
    if ballot.scores and counts_of(reached.rule) == "scores":
        return replace(dissent, deed="scored", score=ballot.scores.get(reached.text or won, 0))
    if blocked:
        return dissent
    if first == NONE or (first is None and not ballot.approved):
        return replace(dissent, deed="none")
    if counts_of(reached.rule) == "approvals":
        return replace(dissent, deed="unapproved")
    return dissent if first else replace(dissent, deed="approves", approves=ballot.approved)


def _row(reached: VerdictReached, ballots: Sequence[Ballot], choice: str, number: str) -> ChoiceRow:
    """Return the row of a choice in the table of what was counted."""
    tally, sure = reached.tally.get(choice, ()), _sure(reached, ballots, choice)
    voters = _voters(reached, ballots, choice)
    motion = next((text.motion for text in reached.offered if text.text == choice), "")
    return ChoiceRow(
        choice,
        number,
        reached.figures.get(choice, len(tally)) if reached.figures else float(len(tally)),
        voters,
        len(reached.accepted.get(number, ())) if reached.offered and choice != NONE else None,
        reached.also.get(motion, ()),
        reached.blocked.get(choice, ()),
        behind=reached.behind.get(choice, ()),
        votes=len(voters) if counts_of(reached.rule) == "approvals" else reached.votes(choice),
        equal=tuple(
            who
            for who in tally
            if reached.answer != "list" and sum(who in each for each in reached.firsts.values()) > 1
        ),
        before=reached.before.get(choice, ()) if reached.before else None,
        sure=round(median(sure), 2) if sure else None,
        stated=len(sure),
        texts=wordings(reached, choice),
    )


def _adopted(reached: VerdictReached, item: Adopted, texts: Mapping[str, Text]) -> Text:
    """Return a text that was adopted beside the answer, or in a list."""
    known, part = texts.get(item.id, Text(item.id, item.text)), is_part(reached, item.id)
    return replace(known, text=item.text, voters=item.voters, exact=item.exact, part=part)


def _option(reached: VerdictReached, texts: Mapping[str, Text], won: Text | None) -> Text | None:
    """Return what was given with the question, where the text decided is another wording of it."""
    option = texts.get(reached.motion)
    return option if won and option and not option.by and option != won else None


def _won(reached: VerdictReached, texts: Mapping[str, Text]) -> Text | None:
    """Return the text decided, with its author."""
    if not isinstance(reached.outcome, str):
        return None
    if reached.offered:
        return texts.get(reached.version, Text(reached.version, reached.text)) if reached.version else None
    return next((each for each in texts.values() if each.text == reached.outcome), Text("", reached.outcome))


def _accepted(reached: VerdictReached, ballots: Sequence[Ballot], won: Text | None) -> tuple[str, ...]:
    if won is None or reached.offered:
        return reached.accepted.get(reached.version, ()) if won else ()
    return _voters(reached, ballots, won.text)


def _voters(reached: VerdictReached, ballots: Sequence[Ballot], choice: str) -> tuple[str, ...]:
    if ballots and counts_of(reached.rule) == "approvals" and choice != NONE:
        motion = {text.text: text.motion for text in reached.offered}
        same = {choice, *(text for text in motion if motion[text] == motion.get(choice))}
        return tuple(ballot.agent for ballot in ballots if same.intersection(ballot.approved))
    return reached.tally.get(choice, ())


def _sure(reached: VerdictReached, ballots: Sequence[Ballot], choice: str) -> list[float]:
    """Return how sure those are who put a choice first, of those who say so."""
    counted, voters = counts_of(reached.rule) not in ("approvals", "scores"), reached.tally.get(choice, ())
    return [b.confidence for b in ballots if counted and b.agent in voters and b.confidence is not None]


def wordings(verdict: VerdictReached, choice: str) -> dict[str, tuple[str, ...]]:
    """Return by id who puts each text of a motion first, most first; in a list and of approvals who accepts it.

    Empty where nobody votes for another text of the motion than `choice`, by which it goes.
    """
    motion = next((text.motion for text in verdict.offered if text.text == choice), "")
    of = verdict.accepted if (verdict.answer == "list" or counts_of(verdict.rule) == "approvals") else verdict.firsts
    shows = of if rule_known(verdict.rule).figure == "votes" else verdict.accepted
    texts = [t for t in verdict.offered if t.motion == motion and (t.text == choice or shows.get(t.id))]
    if len(texts) < 2 or not verdict.firsts:
        return {}
    return dict(sorted(((t.id, of.get(t.id, ())) for t in texts), key=lambda each: -len(each[1])))


def is_part(verdict: VerdictReached, key: str) -> bool:
    """Return whether the text decided joins the text of that id."""
    won = next((text for text in verdict.offered if text.id == verdict.version), None)
    return won is not None and any(text.id == key and won.takes_in(text) for text in verdict.offered)
