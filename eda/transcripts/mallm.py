"""MALLM: the results of a run, a list of discussions with a `globalMemory` of messages each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from eda.transcripts.kind import Reading, Row, TranscriptKind, own_id


def claims(head: str) -> bool:
    """True if an example has an id and personas."""
    return '"exampleId"' in head or '"globalMemory"' in head


def rows(reading: Reading) -> Iterator[Row]:
    """Yield the messages of each discussion, a conversation by its `exampleId`; its instruction is the question."""
    value = reading.json()
    for number, example in enumerate(value if isinstance(value, list) else [value], 1):
        memory = example.get("globalMemory") if isinstance(example, dict) else None
        if not isinstance(memory, list):
            reading.skip(f"discussion {number}", "has no globalMemory")
            continue
        conv = own_id(example.get("exampleId")) or str(number)
        agents: dict[str, set[str]] = {}
        for message in memory:
            if isinstance(message, dict):
                agents.setdefault(str(message.get("persona") or None), set()).add(str(message.get("agent_id")))
        for place, message in enumerate(memory, 1):
            if not isinstance(message, dict):
                reading.skip(f"discussion {number}, message {place}", "is no object")
                continue
            more = {"id": own_id(message.get("message_id")), "conv": conv, "question": _question(example)}
            where = f"discussion {number}, message {place}"
            yield from reading.row(where, _speaker(message, agents), message.get("message"), **more)


def _speaker(message: dict[str, Any], agents: Mapping[str, set[str]]) -> str:
    """Return the persona, with the agent's id where two agents have the same persona."""
    persona, agent = message.get("persona") or "", message.get("agent_id") or ""
    return f"{persona} ({agent})" if len(agents[str(persona or None)]) > 1 else str(persona or agent)


def _question(example: dict[str, Any]) -> str:
    given = example.get("input")
    parts = (example.get("instruction") or "", *(given if isinstance(given, list) else ()))
    return " ".join(" ".join(map(str, parts)).split())


KINDS: Mapping[str, TranscriptKind] = {"mallm": TranscriptKind("results of MALLM", claims, rows)}
