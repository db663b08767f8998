"""Reads the minutes: the items as frozen records, why each is in memory, and whether there is consensus.

Consensus is reached where everybody who voiced a stance holds the same. A claim of it does not count.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from itertools import takewhile
from typing import TypeVar

from eda.errors import UnknownNameError
from eda.events.acts import Unresolved
from eda.events.model_minutes import OpenQuestion, Ruled
from eda.events.records import AgentState, Consensus, Decision, Motion, Proposal, Quote, Reaction
from eda.memory.minutes.items import CLAIM_STATUSES, AgentItem, DecisionItem, ProposalItem
from eda.memory.minutes.state import State
from eda.memory.patterns import PatternPack
from eda.text import shorten, unbroken

T = TypeVar("T")
BEGINS = 60  # Characters of a text that stand beside its id.


def ahead(counts: Mapping[T, int]) -> T | None:
    """Return the key with the highest count; None where there is none, or several are equal."""
    most = [each for each, count in counts.items() if count == max(counts.values())]
    return most[0] if len(most) == 1 else None


def consensus(state: State) -> Consensus:
    """Return the consensus on the options, if there are any; else on the last accepted proposal or decision."""
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
        sides = tuple(decision.supporters), tuple(decision.opposers)
        return Consensus(reached, "proposal", decision.text, *sides, since)
    accepted = [item for item in state.proposals.values() if item.status == "accepted" and item.minuted != "denied"]
    return _on_proposal(accepted[-1]) if accepted else Consensus(False, "none")


def _on_options(agents: Mapping[str, AgentItem]) -> Consensus:
    voiced = [agent for agent in agents.values() if agent.holds]
    if not voiced:
        return Consensus(False, "options")
    most = ahead(Counter(tuple(sorted(agent.holds)) for agent in voiced))
    holders = tuple(agent.agent for agent in voiced if tuple(sorted(agent.holds)) == most)
    others = tuple(agent.agent for agent in voiced if tuple(sorted(agent.holds)) != most)
    unclear = any(agent.positions and not agent.holds for agent in agents.values())  # it may hold something else
    reached = not others and not unclear and len(holders) > 1
    since = max((agent.since or 0 for agent in voiced), default=0) if reached else None
    return Consensus(reached, "options", " + ".join(most or ()), holders, others, since)


def _on_proposal(item: ProposalItem, decision: DecisionItem | None = None) -> Consensus:
    """Return the consensus on a proposal: its supporters against those who oppose it or its decision."""
    left = tuple(decision.opposers) if decision else ()
    assent = [name for name in decision.supporters if name != decision.by] if decision else []
    against = [agent for agent, each in item.standing.items() if each.reaction != "support" or each.conditional]
    behind = [item.by, *item.backers("support"), *(name for name in assent if name not in against)]
    holders = tuple(name for name in dict.fromkeys(behind) if name not in left)
    others = tuple(dict.fromkeys([*(name for name in against if name != item.by), *left]))
    reached = not others and len(holders) > 1
    since = max((r.message for r in item.standing.values()), default=item.message) if reached else None
    return Consensus(reached, "proposal", item.text, holders, others, since)


_READERS = {"declared": "a declared move", "minutes": "minutes", "procedure": "the procedure"}


def _explained(item: ProposalItem | DecisionItem, pack: PatternPack) -> str:
    quotes = _quotes(item)
    reader = f"pattern {item.pattern}" if item.pattern else _READERS.get(item.source, item.source)
    lines = [f"{item.id}: found by {reader}, confidence {item.confidence:.2f}"]
    lines += [f"  m{each.message} [{each.start}:{each.end}] “{each.text}”" for each in quotes]
    checked = pack.looked_at(quotes[0].text, item.pattern) if quotes and item.pattern else []
    lines += [f"  exception {'holds' if applies else 'does not hold'}: {text}" for text, applies in checked]
    rest = _of_proposal(item) if isinstance(item, ProposalItem) else _of_decision(item)
    lines += [f"  {line}" for line in rest]
    if item.minuted:
        lines.append(f"  {item.minuted} by the minutes" + (f": {item.minuted_why}" if item.minuted_why else ""))
    return "\n".join(lines)


def _quotes(item: ProposalItem | DecisionItem) -> list[Quote]:
    if isinstance(item, DecisionItem):
        return list(item.quotes)
    return [*((item.quote,) if item.quote else ()), *item.restated]


def _of_proposal(item: ProposalItem) -> list[str]:
    lines = [f"amends {item.amends}, resolved by {item.lineage or 'nothing'}"] if item.amends else []
    lines += [f"joins {key}" for key in item.joins]
    lines += [
        f"m{r.message} {r.agent}: {r.reaction}, read from {_READERS.get(r.source, f'pattern {r.pattern}')}, "
        f"linked by {r.link or 'nothing'} ({r.score:.2f})" + (f": {r.why}" if r.why else "")
        for r in (*item.history, *item.standing.values())
    ]
    return lines + [f"{c.status}: {c.why} ({', '.join(f'm{m}' for m in c.messages)})" for c in item.changes]


def _of_decision(item: DecisionItem) -> list[str]:
    lines = [f"m{number} {name}: for" for name, number in item.supporters.items()]
    lines += [
        f"m{number} {name}: {'takes it back' if name == item.by else 'against'}"
        for name, number in item.opposers.items()
    ]
    about = f", accepts {item.proposal}" if item.proposal and item.status != "claimed" else ""
    about = f", about {item.proposal}" if item.proposal and item.status in ("claimed", "disputed") else about
    resolved = f", resolved by {item.link}" if item.proposal and item.link else ""
    why = f": {item.status_why}" if item.status_why else ""
    return [*lines, f"{item.status}{why}{about}{resolved}"]


class Items(ABC):
    """The items of a conversation, read-only: those of its minutes, and of a memory that has minutes."""

    @property
    @abstractmethod
    def _items(self) -> State:
        """The state that holds them."""

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions and claims, oldest first."""
        return tuple(item.record for item in self._items.decisions.values())

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """All proposals, oldest first."""
        return self._items.records

    @property
    def active(self) -> tuple[Proposal, ...]:
        """The proposals that are still open, oldest first."""
        return tuple(self._items.proposals[key].record for key in self._items.open)

    @property
    def reactions(self) -> tuple[Reaction, ...]:
        """All reactions, oldest first."""
        return tuple(self._items.reactions)

    @property
    def agents(self) -> dict[str, AgentState]:
        """The state of each agent, by name, in the order in which they first spoke."""
        return {name: item.record for name, item in self._items.agents.items()}

    @property
    def questions(self) -> tuple[OpenQuestion, ...]:
        """The newest questions that the minutes list as open, oldest first."""
        return tuple(self._items.questions)

    @property
    def unapplied(self) -> tuple[Ruled, ...]:
        """Rulings of minutes or people on items that are gone or have other words by now: they changed nothing."""
        return tuple(self._items.unapplied)

    @property
    def unresolved(self) -> tuple[Unresolved, ...]:
        """The moves and reactions that name nothing that exists, or more than one thing, oldest first."""
        return tuple(self._items.unresolved)

    @property
    def claims(self) -> tuple[Decision, ...]:
        """The claims that something was decided, oldest first; none denied by the minutes or struck."""
        return tuple(
            item.record
            for item in self._items.decisions.values()
            if item.status in CLAIM_STATUSES and item.minuted != "denied"
        )

    @property
    def motions(self) -> tuple[Motion, ...]:
        """The motions, roots oldest first: the options given with the question, then the proposals."""
        return self._items.motions

    def last_position(self, agent: str) -> str:
        """Return the last position of `agent`; empty where it voiced none."""
        item = self._items.agents.get(agent)
        return item.positions[-1].text if item is not None and item.positions else ""

    def put_since(self, agent: str) -> str:
        """Return which texts `agent` has put since its last position: `p7.0 (m7), p9.0 since (m9)`; empty for none."""
        held = self._items.agents[agent].positions if agent in self._items.agents else []
        declared = (text for text in reversed(self._items.proposals.values()) if held and text.source == "declared")
        since = takewhile(lambda text: text.message > held[-1].message, declared)
        own = [text for text in since if text.by == agent and text.status not in ("modified", "withdrawn", "struck")]
        earlier = (f"{text.id} (m{text.message}), " for text in reversed(own[1:]))
        return f"{''.join(earlier)}{own[0].id} since (m{own[0].message})" if own else ""

    def in_words(self, position: str) -> str:
        """Return a position; of one that is the id of a text, the id and how that text begins."""
        text = self._items.proposal(position)
        key = f"{position} (withdrawn)" if text and text.status == "withdrawn" else position
        return f"{key}: {shorten(unbroken(text.text), BEGINS)}" if text else position

    def explain(self, item: str | Proposal | Decision) -> str:
        """Return why an item is in memory, in lines: reader, words, exceptions, links; UnknownNameError without it."""
        key = item if isinstance(item, str) else item.id
        known = self._items.proposal(key) or self._items.decisions.get(key)
        if known is None:
            raise UnknownNameError("item", key, (*self._items.proposals, *self._items.decisions))
        return _explained(known, self._items.pack)
