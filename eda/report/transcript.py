"""The minutes of a recorded conversation as lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eda.report.formatting import count, listed, one_line

_READ = "a model reads them: --runner"


def minutes_lines(report: Mapping[str, Any]) -> list[str]:
    """Return a `minutes_report` as lines."""
    passages = report["passages"]
    head = [
        count(report["messages"], "message"),
        count(len(report["agents"]), "speaker"),
        count(len(report["decisions"]), "decision"),
        count(len(report["proposals"]), "proposal"),
        *([count(len(passages), "passage")] if passages else []),
    ]
    lines = [f"{one_line(report['conv'])}: {', '.join(head)}" + ("; consensus" if report["consensus"] else "")]
    for decision in report["decisions"]:
        by = f", supported by {listed(decision['supporters'])}" if decision["supporters"] else ""
        about = f"{', '.join(map(_place, decision['numbers'], decision['message_ids']))}{by}"
        lines.append(f"  decision {decision['status']}: {one_line(decision['outcome'])} ({about})")
    for proposal in report["proposals"]:
        sides = [f"{r['agent']} {r['reaction']}s" for r in proposal["reactions"] if r["reaction"] != "neutral"]
        by = f"; {listed(sides)}" if sides else ""
        about = f"{one_line(proposal['proposer'])}, {_place(proposal['number'], proposal['message_id'])}{by}"
        lines.append(f"  proposal {proposal['status']}: {one_line(proposal['content'])} ({about})")
    for kind in ("decision", "proposal"):
        some = [passage for passage in passages if passage["kind"] == kind]
        lines += [f"  passages that may hold a {kind}, and how sure the patterns are ({_READ}):"] if some else []
        for passage in some:
            about = f"{one_line(passage['speaker'])}, {_place(passage['number'], passage['message_id'])}"
            lines.append(f"    {passage['confidence']:.2f} “{one_line(passage['text'])}” ({about})")
    for name, agent in report["agents"].items():
        if agent["last_position"]:
            lines.append(f"  {one_line(name)} last stood for: {one_line(agent['last_position'])}")
    return lines


def _place(number: int, own: str) -> str:
    """Return a message's number, with its id in the source where that has one: `m4 call:3`."""
    return f"m{number}" if own == str(number) else f"m{number} {one_line(own)}"
