"""Turns ballots into a verdict: quorum, rule, text, what is adopted, the dissent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from eda.events.votes import NONE, Adopted, AnswerKind, Ballot, BallotText, VerdictReached
from eda.voting.adoption import adopted, beside, beside_voters, root_text, standing_words
from eda.voting.counts import HALF, Outcome, blockers, first_choice, has_voted
from eda.voting.pairwise import pairs
from eda.voting.projection import accepted, acceptors, by_text, project
from eda.voting.refusals import refused_in
from eda.voting.rules import Rule, rule_named
from eda.voting.tallies import Tally, lead, tally, tie_words


def verdict(
    ballots: Sequence[Ballot],
    choices: Sequence[str],
    rule: str | Rule,
    quorum: float,
    seed: int,
    members: Sequence[str],
    *,
    texts: Sequence[BallotText] = (),
    answer: AnswerKind = "one",
    judge: str = "",
    before: Sequence[Ballot] = (),
) -> VerdictReached:
    """Return the verdict of `rule`. Something is decided only if more than `quorum` of the members voted.

    Ballots that offer `texts` decide on motions; without them each of `choices` stands for itself, as in sessions
    before schema 5 and in polls. The rule `judge` needs the title of who decides; the rule `shift` the first poll as
    ballots, and the last as these.

    Raises:
        UnknownNameError: there is no such rule.
    """
    named = rule_named(rule)
    choices, answer = ([text.text for text in texts], answer) if texts else (choices, "one")
    abstained = tuple(ballot.agent for ballot in ballots if not has_voted(ballot))
    result = tally(named, ballots, choices, seed, judge=judge, before=before, texts=texts, answer=answer)
    note = _note(named, result, choices, len(ballots) - len(abstained), len(members), quorum)
    if note:
        result = replace(result, outcome=replace(result.outcome, winner=None), text=None, adopted=None, changes=None)
    if not texts:
        reached = _flat(ballots, choices, named, result, seed)
    elif answer == "list":
        reached = _of_list(ballots, texts, result)
    else:
        reached = _of_one(ballots, texts, named, result, seed, judge)
    firsts = by_first(ballots, choices)
    won = result.text
    doubted = [each for each in ballots if won and won.text in _refused(each, texts)]
    undoubted = ""
    if doubted and won:
        sure = [_without(each, won.text, texts) for each in ballots]
        undoubted = _decided_else(won, tally(named, sure, choices, seed, judge=judge, texts=texts))
    return reached.model_copy(
        update={
            "answer": answer,
            "note": note,
            "abstained": abstained,
            "doubted": tuple(ballot.agent for ballot in doubted),
            "undoubted": undoubted,
            "flips": result.changes if result.exact else None,
            "flips_to": result.changes_to if result.exact and result.changes else "",
            "blocked": blockers(ballots, choices),
            "quorum": quorum,
            "judge": judge if named.needs_judge else "",
            "offered": tuple(texts),
            "accepted": acceptors(ballots, texts),
            "firsts": {text.id: firsts[text.text] for text in texts},
        }
    )


def _decided_else(won: BallotText, other: Tally) -> str:
    """Return the id of the text that another tally decides, or `no wording`, `no verdict`; empty for the same text."""
    lost = "no wording" if other.outcome.winner else "no verdict"
    return (other.text.id if other.text else lost) if other.text != won else ""


def _refused(ballot: Ballot, texts: Sequence[BallotText]) -> list[str]:
    """Return what a ballot accepts and its reason refuses, also after its voter was asked about it."""
    said = f"{ballot.reason}. {ballot.doubt.replace('the reason at first refused', 'I refuse')}"
    refused = refused_in(said, [t.text for t in texts], {t.id: t.text for t in texts}) if ballot.doubt else []
    return [words for words in refused if words in accepted(ballot)]


def _without(ballot: Ballot, words: str, texts: Sequence[BallotText]) -> Ballot:
    """Return a ballot that accepts all that it did, but not a text that its reason refuses."""
    if words not in _refused(ballot, texts):
        return ballot
    left = [each for each in accepted(ballot) if each != words]
    ranking = tuple(each for each in ballot.ranking if each != words)
    scores = {each: score for each, score in ballot.scores.items() if each != words}
    change = {"choice": next(iter(left), NONE), "ranking": ranking, "approved": tuple(left), "scores": scores}
    return ballot.model_copy(update=change)


def _note(rule: Rule, result: Tally, choices: Sequence[str], voted: int, members: int, quorum: float) -> str:
    """Return why nothing was decided; empty where something was, or no option has what the rule asks for."""
    if not choices:
        return "there was nothing to vote on"
    if not voted:
        return "nobody voted"
    if voted <= quorum * members:
        return f"{voted} of {members} voted, which is no quorum"
    if result.missing:
        return f"the rule {rule.name} does not work on these ballots: {result.missing}"
    return result.outcome.note if result.outcome.winner is None and not result.adopted else ""


def _flat(ballots: Sequence[Ballot], choices: Sequence[str], rule: Rule, result: Tally, seed: int) -> VerdictReached:
    """Return the verdict on ballots in which each choice stands for itself."""
    outcome = result.outcome
    return VerdictReached(
        rule=rule.name,
        outcome=outcome.winner,
        tally=by_first(ballots, choices),
        dissent=tuple(ballot for ballot in ballots if _dissents(ballot, outcome.winner, rule, choices)),
        figures=dict(outcome.figures),
        order=outcome.order,
        margin=lead(outcome),
        tie=tie_words(outcome, seed),
    )


def _of_one(
    ballots: Sequence[Ballot], texts: Sequence[BallotText], rule: Rule, result: Tally, seed: int, judge: str
) -> VerdictReached:
    """Return the verdict that names one answer, with what is adopted beside it."""
    counted, options = project(ballots, texts)
    winner, text = result.outcome.winner, result.text
    names = {**standing_words(ballots, texts), NONE: NONE}
    also: tuple[Adopted, ...] = ()
    others = _others(texts, winner, text)
    if winner is not None:
        names[winner] = text.text if text else root_text([each for each in texts if each.motion == winner]).text
        also = adopted(beside(ballots), others, rule, seed, judge)
    voters = by_first(counted, options)
    shown = [option for option in options if option != NONE or voters[NONE]]
    outcome = _in_words(result.outcome, names, shown)
    decided = [text] if text else [each for each in texts if each.motion == winner]
    return VerdictReached(
        rule=rule.name,
        outcome=outcome.winner,
        motion=winner or "",
        version=text.id if text else "",
        text=text.text if text else "",
        adopted=also,
        also=beside_voters(ballots, others),
        rival=_rival(ballots, texts, text) if text else "",
        tally={names[option]: voters[option] for option in shown},
        dissent=_refusing(ballots, decided),
        figures=dict(outcome.figures),
        order=outcome.order,
        margin=lead(result.outcome),
        tie=tie_words(outcome, seed),
    )


def _others(texts: Sequence[BallotText], winner: str | None, text: BallotText | None) -> list[BallotText]:
    """Return what may stand beside the answer: other motions, and what a text of its motion has joined from others."""
    others = [each for each in texts if each.motion != winner]
    same = [each for each in texts if each.motion == winner and each != text]
    if text and any(each.id == text.into and each.root != text.root for each in same):
        parts = (each for each in same if each.into == text.into)
        return others + [each.model_copy(update={"motion": each.id}) for each in parts]
    apart = (each for each in same if each.root != (text.root if text else ""))
    return others + [each.model_copy(update={"motion": each.root or each.motion}) for each in apart]


def _of_list(ballots: Sequence[Ballot], texts: Sequence[BallotText], result: Tally) -> VerdictReached:
    """Return the verdict on motions each of which was adopted or not by itself."""
    passed = result.adopted or ()
    names = {**standing_words(ballots, texts), **{each.motion: each.text for each in passed}}
    who = acceptors(ballots, texts)
    tallied = {
        words: tuple(
            ballot.agent for ballot in ballots if any(ballot.agent in who[t.id] for t in texts if t.motion == motion)
        )
        for motion, words in names.items()
    }
    if none := tuple(ballot.agent for ballot in ballots if has_voted(ballot) and not accepted(ballot)):
        names[NONE], tallied[NONE] = NONE, none
    outcome = _in_words(result.outcome, names, list(names))
    chosen = {each.id for each in passed}
    return VerdictReached(
        rule=result.rule,
        outcome=tuple(each.text for each in passed) or None,
        adopted=passed,
        tally=tallied,
        dissent=_refusing(ballots, [each for each in texts if each.id in chosen]),
        figures=dict(outcome.figures) or {words: float(len(voters)) for words, voters in tallied.items()},
        order=outcome.order,
    )


def by_first(ballots: Sequence[Ballot], options: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return who puts each option first."""
    firsts = [(ballot.agent, first_choice(ballot, options)) for ballot in ballots]
    return {option: tuple(who for who, first in firsts if first == option) for option in options}


def _in_words(outcome: Outcome, names: Mapping[str, str], shown: Sequence[str]) -> Outcome:
    """Return the outcome with the words of each motion for its id."""
    return replace(
        outcome,
        winner=None if outcome.winner is None else names[outcome.winner],
        order=tuple(names[option] for option in outcome.order if option in shown),
        figures={names[option]: figure for option, figure in outcome.figures.items() if option in shown},
        tied=tuple(names[option] for option in outcome.tied),
    )


def _rival(ballots: Sequence[Ballot], texts: Sequence[BallotText], winner: BallotText) -> str:
    """Return the text that beats the winner by the most ballots, one against one; empty if none does."""
    counted, options = by_text(ballots, texts)
    preferred = pairs(counted, options)
    lead_of = {
        text.id: preferred[text.id, winner.id] - preferred[winner.id, text.id] for text in texts if text != winner
    }
    rival = max(lead_of, key=lambda key: lead_of[key], default="")
    return rival if lead_of.get(rival, 0) > 0 else ""


def _refusing(ballots: Sequence[Ballot], decided: Sequence[BallotText]) -> tuple[Ballot, ...]:
    """Return the ballots that accept nothing of what was decided; where nothing was, those that block something."""
    words = {text.text for text in decided}
    return tuple(
        ballot
        for ballot in ballots
        if not ballot.invalid and (bool(ballot.blocked) if not words else _refuses(ballot, words))
    )


def _refuses(ballot: Ballot, words: set[str]) -> bool:
    offered = words - set(ballot.withheld)
    votes = has_voted(ballot) or offered.intersection(ballot.blocked)
    return bool(offered and votes) and not offered.intersection(accepted(ballot))


def _dissents(ballot: Ballot, winner: str | None, rule: Rule, choices: Sequence[str]) -> bool:
    """True if a voter who was asked about the winner does not want it; without a winner, if the voter blocks anything.

    A first choice for another of many is no dissent where each is approved or scored by itself.
    """
    if ballot.invalid or winner in ballot.withheld:
        return False
    if winner is None or winner in ballot.blocked:
        return bool(ballot.blocked)
    if rule.counts == "scores":
        return bool(ballot.scores) and ballot.scores.get(winner, 0) < HALF
    if rule.counts == "approvals":
        return has_voted(ballot) and winner not in ballot.approved
    first = first_choice(ballot, choices)
    return first != winner if first is not None else bool(ballot.approved) and winner not in ballot.approved
