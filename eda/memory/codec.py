"""State goes to JSON whole and comes back the same: what `hear` reads is in it, and nothing else."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from eda.memory.items import AgentItem, DecisionItem, ProposalItem
from eda.memory.link import Candidate
from eda.memory.options import Options
from eda.memory.signs import Heard, Scene
from eda.memory.state import State, Vote
from eda.memory.wording import words
from eda.records import OpenQuestion, Position, Quote, Reaction, Ruled, StatusChange

__all__ = ["dump_state", "load_state"]

_DERIVED = frozenset(["words", "_record"])
_PLAIN = ("imported", "sided", "declares", "formal", "titled", "number", "last_proposal", "last_speaker")


def dump_state(state: State) -> dict[str, Any]:
    """The state as dicts, lists, texts and numbers."""
    return {
        "options": list(state.options.options),
        "members": list(state.members),
        **{name: getattr(state, name) for name in _PLAIN},
        "proposals": [_dump(item) for item in state.proposals.values()],
        "decisions": [_dump(item) for item in state.decisions.values()],
        "reactions": [_dump(reaction) for reaction in state.reactions],
        "agents": [_dump(item) for item in state.agents.values()],
        "open": list(state.open),
        "recent": list(state.recent),
        "heard": [
            {"id": c.id, "message": c.message, "who": c.who, "text": c.text, "words": sorted(c.words)}
            for c in state.heard
        ],
        "votes": [{"message": v.message, "agent": v.agent, "reaction": _dump(v.reaction)} for v in state.votes],
        "scene": {
            "recent": [asdict(heard) for heard in state.scene.recent],
            "pace": state.scene.pace,
            "count": state.scene.count,
            "convener": state.scene.convener,
        },
        "minuted": state.minuted,
        "questions": [asdict(question) for question in state.questions],
        "unresolved": [asdict(ruled) for ruled in state.unresolved],
    }


def load_state(data: dict[str, Any]) -> State:
    """The state that was dumped."""
    state = State(Options(data["options"]), tuple(data["members"]), **{name: data[name] for name in _PLAIN})
    state.proposals = {row["id"]: _proposal(row) for row in data["proposals"]}
    state.decisions = {row["id"]: _decision(row) for row in data["decisions"]}
    state.reactions = [_reaction(row) for row in data["reactions"]]
    state.agents = {row["agent"]: _agent(row) for row in data["agents"]}
    state.open = dict.fromkeys(data["open"])
    state.recent = list(data["recent"])
    state.heard.extend(
        Candidate(c["id"], c["message"], c["who"], c["text"], frozenset(c["words"])) for c in data["heard"]
    )
    state.votes.extend(Vote(v["message"], v["agent"], _reaction(v["reaction"])) for v in data["votes"])
    scene = data["scene"]
    state.scene = Scene(pace=scene["pace"], count=scene["count"], convener=scene["convener"])
    state.scene.recent.extend(
        Heard(**{**row, "options": tuple(row["options"]), "offers": tuple(row["offers"])}) for row in scene["recent"]
    )
    state.minuted = data.get("minuted", 0)
    state.questions = [OpenQuestion(**row) for row in data.get("questions", ())]
    state.unresolved = [Ruled(**row) for row in data.get("unresolved", ())]
    return state


def _dump(item: Any) -> dict[str, Any]:
    return {field.name: _plain(getattr(item, field.name)) for field in fields(item) if field.name not in _DERIVED}


def _plain(value: Any) -> Any:
    if isinstance(value, Reaction | Quote | StatusChange | Position):
        return _dump(value)
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value


def _quote(row: dict[str, Any] | None) -> Quote | None:
    return None if row is None else Quote(**row)


def _reaction(row: dict[str, Any]) -> Reaction:
    return Reaction(**{**row, "quote": _quote(row["quote"])})


def _proposal(row: dict[str, Any]) -> ProposalItem:
    return ProposalItem(
        **{
            **row,
            "quote": _quote(row["quote"]),
            "standing": {name: _reaction(part) for name, part in row["standing"].items()},
            "history": [_reaction(part) for part in row["history"]],
            "changes": [StatusChange(**{**part, "messages": tuple(part["messages"])}) for part in row["changes"]],
            "restated": [Quote(**part) for part in row["restated"]],
            "words": words(row["content"]),
        }
    )


def _decision(row: dict[str, Any]) -> DecisionItem:
    return DecisionItem(**{**row, "quotes": [Quote(**part) for part in row["quotes"]]})


def _agent(row: dict[str, Any]) -> AgentItem:
    positions = [Position(**{**part, "options": tuple(part["options"])}) for part in row["positions"]]
    return AgentItem(**{**row, "positions": positions, "holds": tuple(row["holds"])})
