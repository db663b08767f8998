"""Which text of a motion stands, and which motions are adopted: beside the answer, or each by itself in a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eda.events.votes import NONE, Adopted, BallotText
from eda.voting.account import Account
from eda.voting.counts import Count, judge, plurality, reaches, tie_order
from eda.voting.rules import Rule


def text_of(motion: str, account: Account, rule: Rule, seed: int, judging: str = "") -> BallotText | None:
    """Return the text of a motion that the ballots which accept one of its texts prefer; None if none is accepted.

    A text is accepted if more voters accept than refuse it, of all who were asked about it; under a rule by which one
    member decides, if that one does; under consent, if nobody blocks it. Of texts that the rule counts level, the one
    that more put first goes before, then lots decide.
    """
    blocked = account.blocked if rule.counts == "blocks" else {}
    versions = {text.id: text for text in account.versions[motion] if text.text not in blocked}
    if not versions:
        return None
    supporting = replace(account, ballots=account.accepting(versions.values())).by_text(list(versions.values()))
    lots = tie_order(supporting.options, seed)
    lots = plurality(supporting.votes, supporting.options, lots).order or lots
    order = _ordered(supporting, rule.text_count or judge(judging), lots)
    return next((versions[key] for key in order if _stands(versions[key].text, account, rule, judging)), None)


def adopted(account: Account, rule: Rule, seed: int, judging: str = "") -> tuple[Adopted, ...]:
    """Return the motions that more than half of the votes cast accept in some wording, or the rule's larger share.

    Those with the most voters come first. Under consent a text of it must be blocked by nobody as well.
    """
    passed: list[Adopted] = []
    for motion, versions in account.versions.items():
        words, voters = {text.text for text in versions}, account.backers[motion]
        votes = sum(ballot.has_voted and not words <= set(ballot.withheld) for ballot in account.ballots)
        text = text_of(motion, account, rule, seed, judging)
        enough = reaches(len(voters), votes, rule.share) and (text is not None or rule.counts != "blocks")
        if rule.needs_judge:
            enough = judging.casefold() in map(str.casefold, voters)
        if enough and voters:
            chosen = text or root_text(versions).model_copy(update={"id": ""})
            exact = account.acceptors[text.id] if text else ()
            passed.append(Adopted(motion=motion, id=chosen.id, text=chosen.text, voters=voters, exact=exact, of=votes))
    return tuple(sorted(passed, key=lambda each: -len(each.voters)))


def root_text(versions: Sequence[BallotText]) -> BallotText:
    """Return the root of a motion, or the oldest of its texts that was offered."""
    return next((text for text in versions if text.id == text.motion), versions[0])


def _ordered(supporting: Account, count: Count, lots: Sequence[str]) -> list[str]:
    """Return the texts, best first: the winner of the count, its order, and then by first places."""
    ballots, options = supporting.votes, supporting.options
    outcome = count(ballots, options, lots)
    order = (outcome.winner or NONE, *outcome.order, *plurality(ballots, options, lots).order)
    return [key for key in dict.fromkeys(order) if key != NONE]


def _stands(text: str, account: Account, rule: Rule, judging: str) -> bool:
    voted = [ballot for ballot in account.ballots if ballot.has_voted and text not in ballot.withheld]
    voters = [ballot.agent for ballot in voted if text in ballot.accepted]
    if rule.needs_judge:
        return judging.casefold() in map(str.casefold, voters)
    return len(voters) > len(voted) - len(voters)
