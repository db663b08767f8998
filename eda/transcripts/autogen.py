"""AutoGen: what `team.save_state()` returns, with the thread of the group chat's manager."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from eda.transcripts.kind import Reading, Row, TranscriptKind, moment, own_id

_SAID = ("TextMessage", "MultiModalMessage", "StopMessage", "HandoffMessage", "StructuredMessage")


def claims(head: str) -> bool:
    """True if the state has agents, or a thread of messages."""
    return '"agent_states"' in head or '"message_thread"' in head


def rows(reading: Reading) -> Iterator[Row]:
    """Yield the thread's messages; the first one, the task, is the question too."""
    state = reading.json()
    states = state.get("agent_states", {"": state}) if isinstance(state, dict) else {}
    threads = [each["message_thread"] for each in _dicts(states) if isinstance(each.get("message_thread"), list)]
    if len(threads) != 1:
        hint = "Save it with `await team.save_state()`; to import several teams, save each by itself."
        raise reading.file.fault(f"has {len(threads) or 'no'} message_thread, and one is needed", hint)
    question = ""
    for number, message in enumerate(threads[0], 1):
        kind = message.get("type", _SAID[0]) if isinstance(message, dict) else None
        if not isinstance(kind, str):
            reading.skip(f"message {number}", "is no object with a type")
        elif kind not in _SAID:
            reading.left_out[kind] += 1
        else:
            text = reading.content(message.get("content"))
            if number == 1 and message.get("source") == "user":
                question = " ".join(text.split())
            more = {"sent": moment(message.get("created_at")), "question": question}
            yield from reading.row(
                f"message {number}", message.get("source"), text, id=own_id(message.get("id")), **more
            )


def _dicts(states: Any) -> Iterator[dict[str, Any]]:
    """Yield the states of agents, each of which may stand within an envelope."""
    for each in states.values() if isinstance(states, dict) else ():
        if isinstance(each, dict):
            yield each if "message_thread" in each else each.get("agent_state") or {}


KINDS: Mapping[str, TranscriptKind] = {"autogen": TranscriptKind("a team's `save_state` of AutoGen", claims, rows)}
