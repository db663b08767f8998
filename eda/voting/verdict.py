"""Turns ballots into a verdict: the quorum, the rule, the dissent, and the messages that the outcome rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from eda.events import Ballot, VerdictReached
from eda.events.records import AgentState, Decision, Proposal
from eda.voting.counts import Outcome, first_choice, has_voted, tie_order
from eda.voting.rules import Rule, rule_named
from eda.voting.tallies import lead, tie_words

__all__ = ["HALF", "verdict"]

HALF = 5
"""The middle of the scores, 0 to 10: a voter who gives the winner less dissents."""


def verdict(
    ballots: Sequence[Ballot],
    choices: Sequence[str],
    rule: str | Rule,
    quorum: float,
    seed: int,
    members: Sequence[str],
    *,
    agents: Mapping[str, AgentState],
    proposals: Sequence[Proposal] = (),
    decisions: Sequence[Decision] = (),
    judge: str | None = None,
    before: Sequence[Ballot] = (),
) -> VerdictReached:
    """Return the verdict of `rule` on the ballots. It has a winner only if more than `quorum` of the members voted.

    The rule `judge` needs the title of who decides; the rule `shift` the first poll as ballots, and the last as these.

    Raises:
        UnknownNameError: there is no such rule.
    """
    named = rule_named(rule) if isinstance(rule, str) else rule
    cast = list(ballots)
    voted = sum(has_voted(ballot) for ballot in cast)
    outcome = _outcome(named, cast, choices, tie_order(choices, seed), judge or "", before)
    note = _note(outcome, choices, voted, len(members), quorum)
    if note:
        outcome = replace(outcome, winner=None)
    winner = outcome.winner
    tally = {choice: tuple(b.agent for b in cast if first_choice(b, choices) == choice) for choice in choices}
    return VerdictReached(
        rule=named.name,
        outcome=winner,
        note=note,
        tally=tally,
        abstained=tuple(ballot.agent for ballot in cast if not has_voted(ballot)),
        dissent=tuple(ballot for ballot in cast if _dissents(ballot, winner, named, choices)),
        evidence=_evidence(winner, tally, agents, proposals, decisions) if winner is not None else (),
        figures=dict(outcome.figures),
        order=outcome.order,
        margin=lead(outcome),
        tie=tie_words(outcome, seed),
        blocked={
            choice: who
            for choice in choices
            if (who := tuple(b.agent for b in cast if choice in b.blocked and not b.invalid))
        },
        quorum=quorum,
        judge=(judge or "") if named.name == "judge" else "",
    )


def _outcome(
    rule: Rule,
    cast: Sequence[Ballot],
    choices: Sequence[str],
    lots: Sequence[str],
    judge: str,
    before: Sequence[Ballot],
) -> Outcome:
    count, missing = rule.counting(judge, before), rule.missing(cast, judge, before)
    if count is None or missing:
        return Outcome(note=f"the rule {rule.name} does not work on these ballots: {missing}")
    return count(cast, choices, lots)


def _note(outcome: Outcome, choices: Sequence[str], voted: int, members: int, quorum: float) -> str:
    """Return why nothing won; empty where something did, or no option has what the rule asks for."""
    if not choices:
        return "there was nothing to vote on"
    if not voted:
        return "nobody voted"
    if voted <= quorum * members:
        return f"no quorum: {voted} of {members} voted"
    return outcome.note if outcome.winner is None else ""


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


def _evidence(
    winner: str,
    tally: Mapping[str, tuple[str, ...]],
    agents: Mapping[str, AgentState],
    proposals: Sequence[Proposal],
    decisions: Sequence[Decision],
) -> tuple[int, ...]:
    numbers: set[int] = set()
    for proposal in proposals:
        if proposal.content == winner:
            numbers.add(proposal.message)
            numbers.update(r.message for r in proposal.reactions if r.reaction == "support")
    for decision in decisions:
        if decision.outcome == winner:
            numbers.update(decision.messages)
    for voter in tally[winner]:
        state = agents.get(voter)
        if state and state.positions and winner in state.positions[-1].options:
            numbers.add(state.positions[-1].message)
    return tuple(sorted(numbers))
