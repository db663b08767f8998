"""The one way from a transcript to predictions: what a user gets from the library, written as the scorers read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from eda.events import MessagePosted
from eda.memory.minutes import Minutes
from eda.memory.moves import parse_moves
from eda.patterns import PatternPack, default_pack

Row = dict[str, Any]


@dataclass
class Predictions:
    labels: list[Row] = field(default_factory=list)
    reactions: list[Row] = field(default_factory=list)
    proposals: list[Row] = field(default_factory=list)
    finals: list[Row] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    """Messages that state a decision which is shown as made."""


def listen(rows: Sequence[Row], minutes: Minutes, *, moves: bool = False) -> None:
    for number, row in enumerate(rows, 1):
        at, found = parse_moves(row["text"]) if moves else (None, ())
        minutes.hear(
            MessagePosted(
                number=number,
                who=row["speaker"],
                text=row["text"],
                moves_at=at,
                moves=found,
                ref=row["id"],
                topic=row.get("topic"),
            )
        )


def predict(
    rows: Sequence[Row],
    options: Sequence[str],
    out: Predictions,
    *,
    pack: PatternPack | None = None,
    moves: bool = False,
) -> Minutes:
    minutes = Minutes(pack or default_pack(), options=options, imported=True)
    listen(rows, minutes, moves=moves)
    ids = [row["id"] for row in rows]
    conv = rows[0]["conv"]
    homes = {proposal.id: ids[proposal.message - 1] for proposal in minutes.proposals}
    for decision in minutes.decisions:
        if decision.status == "claimed":
            continue
        for message in decision.messages:
            out.labels.append({"id": ids[message - 1], "label": "decision"})
        out.shown.extend(ids[message - 1] for message in decision.messages[:1])
    for proposal in minutes.proposals:
        home = homes[proposal.id]
        out.labels.append({"id": home, "label": "proposal", "score": proposal.confidence})
        out.proposals.append(
            {
                "conv": conv,
                "pid": home,
                "proposer": proposal.proposer,
                "status": proposal.status,
                "votes": {reaction.agent: reaction.reaction for reaction in proposal.reactions},
            }
        )
    for reaction in minutes.reactions:
        home = ids[reaction.message - 1]
        out.labels.append({"id": home, "label": reaction.reaction})
        to = homes.get(reaction.to or "")
        if to is None and reaction.answered:
            to = ids[reaction.answered - 1]
        out.reactions.append({"id": home, "to": to, "reaction": reaction.reaction, "proposal": reaction.to is not None})
    finals = {name: list(agent.holds) for name, agent in minutes.agents.items()}
    out.finals.append({"conv": conv, "final": finals, "consensus": bool(minutes.consensus())})
    return minutes
