"""Which text of a motion stands, and which motions are adopted: beside the answer, or each by itself in a list."""

from __future__ import annotations

from collections.abc import Sequence

from eda.events.votes import NONE, Adopted, Ballot, BallotText
from eda.voting.counts import Count, blockers, has_voted, judge, plurality, reaches, tie_order
from eda.voting.projection import accepted, by_text
from eda.voting.rules import Rule


def text_of(
    motion: str, ballots: Sequence[Ballot], texts: Sequence[BallotText], rule: Rule, seed: int, judging: str = ""
) -> BallotText | None:
    """Return the text of a motion that the ballots which accept one of its texts prefer; None if none is accepted.

    A text is accepted if more voters accept than refuse it, of all who were asked about it; under a rule by which one
    member decides, if that one does; under consent, if nobody blocks it. Of texts that the rule counts level, the one
    that more put first goes before, then lots decide.
    """
    blocked = blockers(ballots, [text.text for text in texts]) if rule.counts == "blocks" else {}
    versions = {text.id: text for text in texts if text.motion == motion and text.text not in blocked}
    words = {text.text for text in versions.values()}
    supporting, options = by_text([b for b in ballots if words.intersection(accepted(b))], list(versions.values()))
    lots = tie_order(options, seed)
    lots = plurality(supporting, options, lots).order or lots
    order = _ordered(supporting, options, rule.text_count or judge(judging), lots)
    return next((versions[key] for key in order if _stands(versions[key].text, ballots, rule, judging)), None)


def adopted(
    ballots: Sequence[Ballot], texts: Sequence[BallotText], rule: Rule, seed: int, judging: str = ""
) -> tuple[Adopted, ...]:
    """Return the motions that more than half of the votes cast accept in some wording, or the rule's larger share.

    Those with the most voters come first. Under consent a text of it must be blocked by nobody as well.
    """
    passed: list[Adopted] = []
    for motion in dict.fromkeys(text.motion for text in texts):
        versions = [text for text in texts if text.motion == motion]
        words = {text.text for text in versions}
        voters = tuple(ballot.agent for ballot in ballots if words.intersection(accepted(ballot)))
        votes = sum(has_voted(ballot) and not words <= set(ballot.withheld) for ballot in ballots)
        text = text_of(motion, ballots, texts, rule, seed, judging)
        enough = reaches(len(voters), votes, rule.share) and (text is not None or rule.counts != "blocks")
        if rule.needs_judge:
            enough = judging.casefold() in map(str.casefold, voters)
        if enough and voters:
            chosen = text or root_text(versions).model_copy(update={"id": ""})
            exact = tuple(ballot.agent for ballot in ballots if text and text.text in accepted(ballot))
            passed.append(Adopted(motion=motion, id=chosen.id, text=chosen.text, voters=voters, exact=exact, of=votes))
    return tuple(sorted(passed, key=lambda each: -len(each.voters)))


def beside(ballots: Sequence[Ballot]) -> list[Ballot]:
    """Return what the ballots want beside the answer, as ballots: who names nothing there accepts none of it."""

    def own(also: tuple[str, ...]) -> dict[str, object]:
        return {"choice": next(iter(also), NONE), "ranking": also, "approved": also}

    return [ballot.model_copy(update=own(ballot.also)) for ballot in ballots if has_voted(ballot)]


def beside_voters(ballots: Sequence[Ballot], texts: Sequence[BallotText]) -> dict[str, tuple[str, ...]]:
    """Return by motion who adopts a text of it beside the answer; without those of nobody."""
    words: dict[str, set[str]] = {}
    for text in texts:
        words.setdefault(text.motion, set()).add(text.text)
    cast = beside(ballots)
    also = {key: tuple(b.agent for b in cast if each.intersection(b.ranking)) for key, each in words.items()}
    return {motion: who for motion, who in also.items() if who}


def root_text(versions: Sequence[BallotText]) -> BallotText:
    """Return the root of a motion, or the oldest of its texts that was offered."""
    return next((text for text in versions if text.id == text.motion), versions[0])


def standing_words(ballots: Sequence[Ballot], texts: Sequence[BallotText]) -> dict[str, str]:
    """Return by motion the words of the text that most ballots put first among its texts; of equals the first shown."""
    words: dict[str, str] = {}
    for motion in dict.fromkeys(text.motion for text in texts):
        versions = [text.text for text in texts if text.motion == motion]
        firsts = [next((text for text in accepted(ballot) if text in versions), "") for ballot in ballots]
        words[motion] = max(versions, key=firsts.count)
    return words


def _ordered(ballots: Sequence[Ballot], options: Sequence[str], count: Count, lots: Sequence[str]) -> list[str]:
    """Return the texts, best first: the winner of the count, its order, and then by first places."""
    outcome = count(ballots, options, lots)
    order = (outcome.winner or NONE, *outcome.order, *plurality(ballots, options, lots).order)
    return [key for key in dict.fromkeys(order) if key != NONE]


def _stands(text: str, ballots: Sequence[Ballot], rule: Rule, judging: str) -> bool:
    voted = [ballot for ballot in ballots if has_voted(ballot) and text not in ballot.withheld]
    voters = [ballot.agent for ballot in voted if text in accepted(ballot)]
    if rule.needs_judge:
        return judging.casefold() in map(str.casefold, voters)
    return len(voters) > len(voted) - len(voters)
