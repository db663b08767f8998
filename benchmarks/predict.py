"""The one way from a transcript to predictions: what a user gets from the library, written as the scorers read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from eda.events import MessagePosted
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.minutes import Minutes
from eda.transcripts.analysis import analyze, conversation_report
from eda.transcripts.kind import Row as Message

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
        read = read_reply(row["text"])._asdict() if moves else {}
        minutes.hear(
            MessagePosted(
                number=number,
                who=row["speaker"],
                text=row["text"],
                ref=row["id"],
                topic=row.get("topic"),
                **read,
            )
        )


def predict(rows: Sequence[Row], options: Sequence[str], out: Predictions) -> None:
    messages = [Message.model_validate(row) for row in rows]
    report = conversation_report(rows[0]["conv"], messages, analyze(messages, options=options))
    shown = [decision for decision in report["decisions"] if decision["status"] != "claimed"]
    out.labels += [{"id": key, "label": "decision"} for decision in shown for key in decision["message_ids"]]
    out.shown += [decision["message_ids"][0] for decision in shown]
    for proposal in report["proposals"]:
        out.labels.append({"id": proposal["message_id"], "label": "proposal"})
        out.proposals.append(
            {
                "conv": report["conv"],
                "pid": proposal["message_id"],
                "status": proposal["status"],
                "votes": {reaction["agent"]: reaction["reaction"] for reaction in proposal["reactions"]},
            }
        )
    homes = {proposal["message_id"] for proposal in report["proposals"]}
    for reaction in report["reactions"]:
        out.labels.append({"id": reaction["message_id"], "label": reaction["reaction"]})
        row = {"id": reaction["message_id"], "to": reaction["to"], "reaction": reaction["reaction"]}
        out.reactions.append({**row, "proposal": reaction["to"] in homes})
    final = {name: agent["holds"] for name, agent in report["agents"].items()}
    out.finals.append({"conv": report["conv"], "final": final, "consensus": report["consensus"]})
