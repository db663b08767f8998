"""Turns ballots into a verdict: the quorum, the rule, the dissent, and the messages that the outcome rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from eda.events import Ballot, VerdictReached
from eda.events.records import AgentState, Decision, Proposal
from eda.voting.counts import Outcome, blockers, first_choice, has_voted, tie_order
from eda.voting.rules import Rule, rule_named
from eda.voting.tallies import lead, tie_words

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
    judge: str = "",
    before: Sequence[Ballot] = (),
) -> VerdictReached:
    """Return the verdict of `rule` on the ballots. It has a winner only if more than `quorum` of the members voted.

    The rule `judge` needs the title of who decides; the rule `shift` the first poll as ballots, and the last as these.

    Raises:
        UnknownNameError: there is no such rule.
    """
    named = rule_named(rule)
    abstained = tuple(ballot.agent for ballot in ballots if not has_voted(ballot))
    count, missing = named.counting(judge, before), named.missing(ballots, judge, before)
    if count is None or missing:
        outcome = Outcome(note=f"the rule {named.name} does not work on these ballots: {missing}")
    else:
        outcome = count(ballots, choices, tie_order(choices, seed))
    note = _note(outcome, choices, len(ballots) - len(abstained), len(members), quorum)
    if note:
        outcome = replace(outcome, winner=None)
    winner = outcome.winner
    tally: dict[str, list[str]] = {choice: [] for choice in choices}
    for ballot in ballots:
        if (first := first_choice(ballot, choices)) is not None:
            tally[first].append(ballot.agent)
    return VerdictReached(
        rule=named.name,
        outcome=winner,
        note=note,
        tally={choice: tuple(voters) for choice, voters in tally.items()},
        abstained=abstained,
        dissent=tuple(ballot for ballot in ballots if _dissents(ballot, winner, named, choices)),
        evidence=_evidence(winner, tally[winner], agents, proposals, decisions) if winner is not None else (),
        figures=dict(outcome.figures),
        order=outcome.order,
        margin=lead(outcome),
        tie=tie_words(outcome, seed),
        blocked=blockers(ballots, choices),
        quorum=quorum,
        judge=judge if named.name == "judge" else "",
    )


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
    voters: Sequence[str],
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
    for voter in voters:
        state = agents.get(voter)
        if state and state.positions and winner in state.positions[-1].options:
            numbers.add(state.positions[-1].message)
    return tuple(sorted(numbers))
