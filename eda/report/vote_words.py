"""Words for votes and ballots: who accepts what, in which wording, why nothing won, and which ballot is in doubt."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from eda.debate.minds import sets_terms
from eda.events import NONE, Adopted, Doubt, DoubtKind, Lot, Tie, Undecided, VerdictReached, Voter
from eda.report.formatting import TEXT_ID, in_short, listed, one_line, shorten, shown_id, told_apart
from eda.report.outcome import Dissent, Outcome, Text
from eda.voting import counts_of, rule_known
from eda.words import ENGLISH, Words

_TITLE = 56  # Characters by which a text without a title is named.


def named_text(text: Text, words: Words) -> str:
    """Return a whole text with its id and its author: `“Ship in May” (p9.1, by Maya)`; the item of none as words."""
    kind = "none" if text.text == NONE else "text"
    return words.say("votes-text", kind=kind, text=text.text, id=shown_id(text.id), by=text.by)


def title_of(text: Text, others: Collection[str] = (), most: int = _TITLE) -> str:
    """Return the title that an author gave a text, else its first words, or those by which it differs from others."""
    return one_line(text.title) or told_apart(text.text, most, others).rstrip(".")


def called(text: Text, words: Words) -> str:
    """Return the title of a text, or its first words, with its id."""
    return words.say("votes-text", kind="text", text=title_of(text), id=shown_id(text.id), by="")


def unused(verdict: VerdictReached | Outcome) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield of whom there is no vote, and why: who abstained, whose ballot could not be read, or did not come."""
    for kind in ("abstained", "unreadable", "missing"):
        if who := getattr(verdict, kind):
            yield kind, who


def in_marks(quote: str, words: Words) -> str:
    """Return somebody's words in quotation marks."""
    return words.say("votes-quote", words=quote)


def none_phrase(rule: str, note: Undecided | None = None, words: Words = ENGLISH) -> str:
    """Return why no choice won: the count's own note, else what the rule asks for and no choice has."""
    return undecided_phrase(note, words) if note else words.say("votes-lacking", rule=rule.replace("/", "-"))


def rule_line(outcome: Outcome, words: Words) -> str:
    """Return what the rule of a vote does, or who decides."""
    rule = outcome.reached.rule
    return (
        words.say("votes-judge", judge=outcome.judge)
        if outcome.judge
        else words.say("votes-line", rule=rule.replace("/", "-"), line=rule_known(rule).line)
    )


def split_phrase(texts: Mapping[str, Sequence[str]], *, names: bool = False) -> str:
    """Return `p11.0 3, p8.0 1`, the votes of a motion by its texts, with the `names` of voters; empty without texts."""
    return ", ".join(f"{one_line(key)} {len(who)}" + f" ({listed(who)})" * names for key, who in texts.items() if who)


def wanted_by(
    item: Text | Adopted,
    does: Literal["accept", "want"],
    of: int,
    *,
    part: bool = False,
    words: Words,
    sentence: bool = False,
) -> str:
    """Return `4 of 5 accept it`; of several wordings `4 of 5 accept a wording of it, 3 of them this one`.

    A `part` of the text decided is said to be that, and so is it where no wording was accepted.
    """
    voters, exact = len(item.voters), len(item.exact or item.voters)
    return words.say(
        "votes-wanted",
        "sentence" if sentence else None,
        count=voters,
        of=of,
        does=does,
        exact=exact,
        wordings=not item.id or exact != voters,
        worded=bool(item.id),
        part=part,
    )


def ballot_words(
    voter: Voter, name: Callable[[str], str], part: str = "", words: Words = ENGLISH, *, brief: bool = False
) -> str:
    """Return `Accepts p9.1, p8.0. Would also adopt p3.0.`; `name` names a text, `part` is what one is a part of.

    Where it is to be `brief`, of the texts that it accepts and adopts only the first is told: `Puts p9.1 first.`
    """
    say, told = words.say, []
    ranks = dict.fromkeys(next((tied for tied in voter.tied if text in tied), (text,)) for text in voter.accepts)
    texts = [say("votes-ballot-rank", count=len(rank), texts=[*map(name, rank)]) for rank in ranks]
    if texts:
        first = brief and len(texts) > 1
        told.append(say("votes-ballot-accepts", texts=texts[:1] if first else texts, first=first))
    elif voter.otherwise:
        told.append(say("votes-ballot-otherwise", otherwise=voter.otherwise))
    if voter.also and not brief:
        parts = voter.part if part else ()
        also = [say("votes-part", text=name(t), of=part) if t in parts else name(t) for t in voter.also]
        told.append(say("votes-ballot-also", texts=also))
    if voter.blocks:
        told.append(say("votes-ballot-blocks", texts=[name(text) for text in voter.blocks]))
    told += [say("votes-ballot-scores", score=voter.scored)] if voter.scored is not None else []
    told += [say("votes-ballot-sure", sure=voter.sure)] if voter.sure is not None else []
    told += [say("votes-ballot-moved", at=f"m{voter.moved_by}")] if voter.moved_by else []
    told += [say("votes-ballot-beside", told=voter.beside)] if voter.beside else []
    return " ".join(told)


def doubted_sentence(verdict: VerdictReached, words: Words) -> Iterator[str]:
    """Yield whose reason refuses what its ballot accepts, and what those votes decide; mostly nothing."""
    if verdict.doubted:
        text = verdict.undoubted
        to = verdict.undoubted_to.replace(" ", "-") or ("text" if text else "nothing")
        yield words.say("votes-doubted", count=len(verdict.doubted), who=verdict.doubted, to=to, text=text)


def deeds_of(one: Dissent, words: Words, blocked: Sequence[str] = ()) -> list[str]:
    """Return what a ballot says against the outcome: `scores it 2 of 10`; `blocked` names what it blocks if unclear."""
    texts = [in_marks(text, words) for text in one.approves]
    deeds = [words.say("dissent-deed", one.deed, score=one.score or 0, texts=texts)] if one.deed else []
    return [*deeds, *[words.say("dissent-blocks", blocked=blocked)] * bool(one.blocked)]


def first_beside(one: Dissent, counted: Outcome, words: Words) -> Iterator[str]:
    """Yield what a ballot puts first, which its reason is for unless that is a condition, or names what it refuses.

    Where blocks are counted, the reason beside one is of that.
    """
    reached, named = counted.reached, TEXT_ID.findall(one.reason)
    if one.blocked and counts_of(reached.rule) == "blocks":
        return
    offered = {each.text: each for each in reached.offered}
    refused = {reached.version, reached.motion, *(offered[text].id for text in one.blocked if text in offered)}
    if one.choice not in ("", NONE) and refused.isdisjoint(named) and not sets_terms(one.reason):
        first = offered.get(one.choice, Text("", one.choice))
        yield words.say("dissent-deed", "first", text=in_short(first.title or first.text, first.id, words=words))


_QUOTED = 60  # Characters of what a voter wrote.
_DOUBTS: dict[DoubtKind, str] = {
    "refuses": "doubt-refuses",
    "refused at first": "doubt-refused",
    "opposed": "doubt-opposed",
    "beside in prose": "doubt-prose",
    "none but lists": "doubt-none",
    "abstains beside": "doubt-abstains",
    "answer beside": "doubt-answer",
    "unknown": "doubt-unknown",
    "denied": "doubt-denied",
    "on a condition": "doubt-condition",
    "another sense": "doubt-sense",
    "no vote": "doubt-sense",
    "two texts": "doubt-several",
    "several texts": "doubt-several",
    "twice": "doubt-twice",
}


def doubts_phrase(doubts: Iterable[Doubt], words: Words = ENGLISH) -> str:
    """Return what of a ballot is unclear, also after its voter was asked about it, and what counted."""
    return words.say("doubt-all", doubts=[_doubt(doubt, words) for doubt in doubts])


def _doubt(doubt: Doubt, words: Words) -> str:
    if doubt.kind == "words":
        return doubt.words
    texts = doubt.texts[1:] if doubt.kind == "beside in prose" else doubt.texts
    key = _DOUBTS.get(doubt.kind, "doubt-list")
    return words.say(key, texts=texts, words=shorten(doubt.words, _QUOTED), message=str(doubt.at))


def figure_phrase(rule: str, figure: float, words: Words = ENGLISH, *, several: bool = False) -> str:
    """Return the figure of a choice under a rule: `3 points`; where `several`, that it counts all wordings."""
    return words.say("votes-figure", kind=rule_known(rule).figure, figure=figure, wordings=several)


def undecided_phrase(none: Undecided, words: Words = ENGLISH) -> str:
    """Return `2 of 6 voted, which is no quorum`."""
    kind = none.why.replace(" ", "-")
    why = words.say("count-undecided", why=kind, votes=none.votes, of=none.of, who=none.who, words=none.words)
    return words.say("count-lacks", rule=none.rule, why=why) if none.rule else why


def tie_phrase(tie: Tie, words: Words = ENGLISH) -> str:
    """Return `A and B could each have won; lots drawn with seed 7 decided for A`, or the words of an older session."""
    if not tie.tied:
        return tie.words
    lots = lots_phrase(tie.lots, words)
    return words.say("count-tie", tied=tie.tied, won=tie.won, seed=str(tie.seed), rounds=len(tie.lots), lots=lots)


def lots_phrase(lots: Sequence[Lot], words: Words = ENGLISH) -> str:
    """Return `round 1: B and C were level, and the lot sent C out`; empty for no lots."""
    return "; ".join(words.say("count-lot", round=lot.round, level=lot.level, out=lot.out) for lot in lots)
