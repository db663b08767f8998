"""Whether everybody who voiced a stance holds the same, and which of several counts leads."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import TypeVar

from eda.events import Consensus
from eda.memory.minutes.items import DecisionItem, ProposalItem
from eda.memory.minutes.state import State

T = TypeVar("T")


def ahead(counts: Mapping[T, int]) -> T | None:
    """Return the key with the highest count; None where there is none, or several are equal."""
    most = [each for each, count in counts.items() if count == max(counts.values())]
    return most[0] if len(most) == 1 else None


def consensus(state: State) -> Consensus:
    """Return the consensus on the options, if there are any; else on the last accepted proposal or decision."""
    if state.options.options:
        return _on_options(state)
    for decision in reversed(list(state.decisions.values())):
        if decision.status != "decided":
            continue
        proposal = state.proposal(decision.proposal)
        if proposal is not None and proposal.status not in ("rejected", "struck"):
            return _on_proposal(proposal, decision)
        reached = not decision.opposers and len(decision.supporters) > 1
        since = max(decision.supporters.values()) if reached else None
        sides = tuple(decision.supporters), tuple(decision.opposers)
        return Consensus(reached, "proposal", decision.text, *sides, since)
    accepted = [item for item in state.proposals.values() if item.status == "accepted"]
    return _on_proposal(accepted[-1]) if accepted else Consensus(False, "none")


def _on_options(state: State) -> Consensus:
    """Return the consensus on what most hold: they against who holds another option, or is against one of these."""
    agents = state.agents
    voiced = [agent for agent in agents.values() if agent.holds]
    if not voiced:
        return Consensus(False, "options")
    most = ahead(Counter(tuple(sorted(agent.holds)) for agent in voiced))
    holders = tuple(agent.agent for agent in voiced if tuple(sorted(agent.holds)) == most)
    sides = [*(agent.agent for agent in voiced), *_against_any(state, most or ())]
    others = tuple(dict.fromkeys(who for who in sides if who not in holders))
    unclear = any(agent.positions and not agent.holds for agent in agents.values())  # it may hold something else
    reached = not others and not unclear and len(holders) > 1
    since = max((agent.since or 0 for agent in voiced), default=0) if reached else None
    return Consensus(reached, "options", " + ".join(most or ()), holders, others, since)


def _against_any(state: State, held: Collection[str]) -> list[str]:
    """Return who took a side on one of the options `held` that is no full support of it."""
    return [who for item in state.given.values() if item.text in held for who in _against(item)]


def _against(item: ProposalItem) -> list[str]:
    """Return who took a side on a text that is no full support of it."""
    return [agent for agent, each in item.standing.items() if each.reaction != "support" or each.conditional]


def _on_proposal(item: ProposalItem, decision: DecisionItem | None = None) -> Consensus:
    """Return the consensus on a proposal: its supporters against those who oppose it or its decision."""
    left = tuple(decision.opposers) if decision else ()
    assent = [name for name in decision.supporters if name != decision.by] if decision else []
    against = _against(item)
    behind = [item.by, *item.backers("support"), *(name for name in assent if name not in against)]
    holders = tuple(name for name in dict.fromkeys(behind) if name not in left)
    others = tuple(dict.fromkeys([*(name for name in against if name != item.by), *left]))
    reached = not others and len(holders) > 1
    since = max((r.message for r in item.standing.values()), default=item.message) if reached else None
    return Consensus(reached, "proposal", item.text, holders, others, since)
