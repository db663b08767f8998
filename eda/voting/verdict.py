"""Turns ballots into a verdict: quorum, rule, text, what is adopted, the dissent."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from eda.events import HALF, NONE, Adopted, Ballot, BallotText, Undecided, UndoubtedTo, VerdictReached, ranks_of
from eda.voting.account import Account
from eda.voting.counts import Counted, firsts_of
from eda.voting.rules import Rule, rule_named
from eda.voting.tallies import Tally, adopted, ballot_for, lead, root_text, tally


def verdict(
    account: Account,
    rule: str | Rule,
    quorum: float,
    seed: int,
    members: Sequence[str],
    *,
    judge: str = "",
    changes: bool = True,
) -> VerdictReached:
    """Return the verdict of `rule`. Something is decided only if more than `quorum` of the members voted.

    Ballots that offer texts decide on motions. The rule `judge` needs the title of who decides. Without `changes` the
    verdict does not say how many ballots another outcome takes, which is slow.

    Raises:
        UnknownNameError: there is no such rule.
    """
    named, texts = rule_named(rule), account.texts
    result = tally(named, account, seed, judge=judge, changes=changes)
    note = _note(result, account, len(members), quorum)
    if note:
        tie = result.tie if note is result.outcome.note else None
        result = result._replace(
            outcome=replace(result.outcome, winner=None), text=None, adopted=None, changes=None, tie=tie
        )
    reached = _of_list(account, result) if account.answer == "list" else _of_one(account, named, result, seed, judge)
    won = result.text
    doubted = [each for each in account.ballots if won and won.text in _refused(each, texts)]
    undoubted: tuple[UndoubtedTo, str] = "", ""
    if doubted and won:
        sure = replace(account, ballots=[_without(each, won.text, texts) for each in account.ballots])
        other = tally(named, sure, seed, judge=judge, changes=False)
        if other.text is None:
            undoubted = ("no wording" if other.outcome.winner else "no verdict"), ""
        elif other.text != won:
            undoubted = "", other.text.id
    return reached.model_copy(
        update={
            "answer": account.answer,
            "note": note,
            "abstained": account.who("abstained"),
            "unreadable": account.who("unreadable"),
            "missing": account.who("missing"),
            "open_to": open_to(account, named, quorum, seed, len(members), judge),
            "doubted": tuple(ballot.agent for ballot in doubted),
            "undoubted_to": undoubted[0],
            "undoubted": undoubted[1],
            "flips": result.changes if result.exact else None,
            "flips_to": result.changes_to if result.exact and result.changes else "",
            "blocked": account.blocked,
            "quorum": quorum,
            "judge": judge if named.counts == "judge" else "",
            "offered": tuple(texts),
            "accepted": account.acceptors,
            "firsts": {text.id: account.firsts[text.text] for text in texts},
        }
    )


def open_to(account: Account, rule: Rule, quorum: float, seed: int, members: int, judge: str = "") -> tuple[str, ...]:
    """Return what unreadable and missing ballots could make of the outcome; empty where nothing that is tried does.

    Texts go by their ids, without ids by their words; `no wording` and `no verdict` beside them. Of a list they are
    those that would be adopted, or no more. Tried is that so many of these voters, from one to all, put the same text
    first, or accept none, or all, and the rest of them abstain. So a mixed vote that alone does something is not found.
    """
    lost = [at for at, ballot in enumerate(account.ballots) if ballot.invalid]
    if not lost:
        return ()
    words, found = list(account.choices), set[str]()
    now = _outcome_of(account, rule, quorum, seed, members, judge)
    castable = [ballot_for(choice, Counted(), (*words, NONE), ranks=False) for choice in (*words, NONE)]
    if len(words) > 1:
        castable.append(Ballot(agent="", choice=None, approved=tuple(words), scores=dict.fromkeys(words, 10.0)))
    for ballot in castable:
        for cast in range(1, len(lost) + 1):
            given = list(account.ballots)
            for at in lost[-cast:]:
                given[at] = ballot.model_copy(update={"agent": given[at].agent})
            other = _outcome_of(replace(account, ballots=given), rule, quorum, seed, members, judge)
            found |= other ^ now if account.answer == "list" else other - now
    named = [text.id or text.text for text in account.slate]
    return tuple(each for each in (*named, *({*_NOTHING} - now)) if each in found)


_NOTHING = ("no wording", "no verdict")


def _outcome_of(account: Account, rule: Rule, quorum: float, seed: int, members: int, judge: str) -> set[str]:
    """Return what a count decides: a text by its id, or one of `_NOTHING`; of a list all that is adopted."""
    result = tally(rule, account, seed, judge=judge, changes=False)
    if _note(result, account, members, quorum) or not (result.adopted or result.outcome.winner):
        return {"no verdict"}
    if result.adopted is not None:
        return {each.id or each.motion for each in result.adopted}
    return {(result.text.id if result.text else "no wording") if account.texts else result.outcome.winner or ""}


def _refused(ballot: Ballot, texts: Sequence[BallotText]) -> list[str]:
    """Return what a ballot accepts and its reason refuses, also after its voter was asked about it."""
    words = {text.id: text.text for text in texts}
    doubts = (each for each in ballot.doubts if each.kind == "refuses")
    refused = dict.fromkeys(words.get(text, text) for each in doubts for text in each.texts)
    return [each for each in refused if each in ballot.accepted]


def _without(ballot: Ballot, words: str, texts: Sequence[BallotText]) -> Ballot:
    """Return a ballot that accepts all that it did, but not a text that its reason refuses."""
    if words not in _refused(ballot, texts):
        return ballot
    left = [each for each in ballot.accepted if each != words]
    ranking = ranks_of(ballot.ranking, left)
    scores = {each: score for each, score in ballot.scores.items() if each != words}
    choice = ranking[0] if ranking else next(iter(left), NONE)
    change = {
        "choice": choice if isinstance(choice, str) else None,
        "ranking": ranking,
        "approved": tuple(left),
        "scores": scores,
    }
    return ballot.model_copy(update=change)


def _note(result: Tally, account: Account, members: int, quorum: float) -> Undecided | None:
    """Return why nothing was decided; None where something was, or no option has what the rule asks for."""
    voted = len(account.who("voted"))
    if not account.choices:
        return Undecided("nothing to vote on")
    if not voted:
        return Undecided("nobody voted")
    if voted <= quorum * members:
        return Undecided("no quorum", voted, members)
    return result.missing or (result.outcome.note if (result.outcome.winner is None and not result.adopted) else None)


def _of_one(account: Account, rule: Rule, result: Tally, seed: int, judge: str) -> VerdictReached:
    """Return the verdict that names one answer, with what is adopted beside it."""
    winner, text, texts = result.outcome.winner, result.text, account.texts
    names, voters = dict(account.names), account.voters
    decided = [text] if text else account.versions.get(winner or "", [])
    if texts and winner is not None:
        names[winner] = (text or root_text(decided)).text
    others = account.beside(_others(texts, winner, text))
    shown = [option for option in account.options if not texts or option != NONE or voters[NONE]]
    outcome = _in_words(result.outcome, names, shown)
    also = {
        motion: others.wanting(min(each, key=lambda text: text.root)) or others.backers[motion]
        for motion, each in others.versions.items()
    }
    reached = VerdictReached(
        rule=rule.name,
        outcome=outcome.winner,
        motion=winner or "" if texts else "",
        adopted=adopted(others, rule, seed, judge) if winner is not None else (),
        also={motion: who for motion, who in also.items() if who},
        tally={names[option]: voters[option] for option in shown},
        dissent=_dissent(account, rule, winner, decided),
        figures=dict(outcome.figures),
        order=outcome.order,
        margin=lead(result.outcome),
        tie=result.tie.renamed(names) if result.tie else None,
    )
    if text is None:
        return reached
    named = {"version": text.id, "text": text.text, "rival": _rival(account, text)}
    return reached.model_copy(update={**named, "wording_tie": result.wording_tie})


def _dissent(account: Account, rule: Rule, winner: str | None, decided: Sequence[BallotText]) -> tuple[Ballot, ...]:
    """Return the ballots that refuse the texts decided; of options, those that are for another one."""
    others = (each for each in account.ballots if _dissents(each, winner, rule, account.choices))
    return _refusing(account.ballots, decided) if account.texts else tuple(others)


def _others(texts: Sequence[BallotText], winner: str | None, text: BallotText | None) -> list[BallotText]:
    """Return what may stand beside the answer: other motions, and what a text of its motion has joined from others.

    What was given with the question, or rewords that, is another answer to it, and stands beside none.
    """
    others = [each for each in texts if each.motion != winner and not each.alternative]
    same = [each for each in texts if each.motion == winner and each != text]
    measures = [each for each in same if not each.alternative]
    if text and any(each.id == text.into and each.root != text.root for each in same):
        return others + [each.model_copy(update={"motion": each.id}) for each in measures if each.into == text.into]
    return others + [
        each.model_copy(update={"motion": each.root or each.motion})
        for each in measures
        if each.root != (text.root if text else "")
    ]


def _of_list(account: Account, result: Tally) -> VerdictReached:
    """Return the verdict on motions each of which was adopted or not by itself."""
    passed = result.adopted or ()
    names = {**account.names, **{each.motion: each.text for each in passed}}
    none = tuple(ballot.agent for ballot in account.ballots if ballot.has_voted and not ballot.accepted)
    voters = account.backers | ({NONE: none} if none else {})
    outcome = _in_words(result.outcome, names, list(voters))
    chosen = {each.id for each in passed}
    tallied = {names[option]: who for option, who in voters.items()}
    return VerdictReached(
        rule=result.rule,
        outcome=tuple(each.text for each in passed) or None,
        adopted=passed,
        apart=_apart(account, passed),
        tally=tallied,
        dissent=_refusing(account.ballots, [each for each in account.texts if each.id in chosen]),
        figures=dict(outcome.figures) or {words: float(len(who)) for words, who in tallied.items()},
        order=outcome.order,
    )


def _apart(account: Account, passed: Sequence[Adopted]) -> tuple[tuple[str, ...], ...]:
    """Return the ids of two texts that were both adopted, with who says that the one rules the other out."""
    motions = {text.text: text.motion for text in account.texts}
    ids = {each.motion: each.id or each.motion for each in passed}
    said = [(each.agent, {motions.get(text, "") for text in pair}) for each in account.ballots for pair in each.apart]
    return tuple((*(ids[key] for key in sorted(pair)), who) for who, pair in said if len(pair) == 2 and pair <= {*ids})


def _in_words(outcome: Counted, names: Mapping[str, str], shown: Sequence[str]) -> Counted:
    """Return the outcome with the words of each motion for its id."""
    return replace(
        outcome,
        winner=None if outcome.winner is None else names[outcome.winner],
        order=tuple(names[option] for option in outcome.order if option in shown),
        figures={names[option]: figure for option, figure in outcome.figures.items() if option in shown},
    )


def _rival(account: Account, winner: BallotText) -> str:
    """Return the text that beats the winner by the most ballots, one against one; empty if none does."""
    duels = account.by_text().duels
    others = [text.id for text in account.texts if text != winner]
    lead_of = {other: duels[other, winner.id] - duels[winner.id, other] for other in others}
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
    return bool(offered and (ballot.has_voted or offered.intersection(ballot.blocked))) and not offered.intersection(
        ballot.accepted
    )


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
        return ballot.has_voted and winner not in ballot.approved
    firsts = firsts_of(ballot, choices) or ballot.approved
    return bool(firsts) and winner not in firsts
