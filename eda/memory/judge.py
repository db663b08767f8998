"""Consensus is counted, never claimed: everybody who voiced a stance holds the same, or it is not there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeVar

from eda.memory.items import AgentItem, DecisionItem, ProposalItem
from eda.memory.state import State
from eda.records import Consensus

__all__ = ["ahead", "consensus"]

T = TypeVar("T")


def ahead(counts: Mapping[T, int]) -> T | None:
    """What has more than anything else; None where nothing is there, or two are level."""
    most = [each for each, count in counts.items() if count == max(counts.values())]
    return most[0] if len(most) == 1 else None


def consensus(state: State) -> Consensus:
    """On the options where there are any; else on the proposal, or the decision, that was accepted last."""
    if state.options.options:
        return _on_options(state.agents)
    for decision in reversed(list(state.decisions.values())):
        if decision.status != "decided" or decision.minuted == "denied":
            continue
        proposal = state.proposal(decision.proposal)
        if proposal is not None and proposal.status not in ("rejected", "struck") and proposal.minuted != "denied":
            return _on_proposal(proposal, decision)
        reached = not decision.opposers and len(decision.supporters) > 1
        since = max(decision.supporters.values()) if reached else None
        return Consensus(
            reached,
            "proposal",
            decision.outcome,
            tuple(decision.supporters),
            tuple(decision.opposers),
            since,
        )
    accepted = [item for item in state.proposals.values() if item.status == "accepted" and item.minuted != "denied"]
    return _on_proposal(accepted[-1]) if accepted else Consensus(False, "none")


def _on_options(agents: Mapping[str, AgentItem]) -> Consensus:
    voiced = [agent for agent in agents.values() if agent.holds]
    if not voiced:
        return Consensus(False, "options")
    most = ahead(Counter(tuple(sorted(agent.holds)) for agent in voiced))
    holders = tuple(agent.agent for agent in voiced if tuple(sorted(agent.holds)) == most)
    others = tuple(agent.agent for agent in voiced if tuple(sorted(agent.holds)) != most)
    reached = not others and len(holders) > 1
    since = max((agent.since or 0 for agent in voiced), default=0) if reached else None
    return Consensus(reached, "options", " + ".join(most or ()), holders, others, since)


def _on_proposal(item: ProposalItem, decision: DecisionItem | None = None) -> Consensus:
    """Who supports a proposal, against who does not, or who came to oppose what was decided of it."""
    left = [*decision.opposers] if decision is not None else []
    assent = [name for name in decision.supporters if name != decision.by] if decision is not None else []
    against = [*item.backers("oppose"), *item.backers("neutral")]
    behind = [item.proposer, *item.backers("support"), *(name for name in assent if name not in against)]
    holders = tuple(name for name in dict.fromkeys(behind) if name not in left)
    others = tuple(dict.fromkeys([*(name for name in against if name != item.proposer), *left]))
    reached = not others and len(holders) > 1
    since = max((r.message for r in item.standing.values()), default=item.message) if reached else None
    return Consensus(reached, "proposal", item.content, holders, others, since)
