"""Two debates played by minds, of a choir's room and of vacant plots: what was said and voted, word for word."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from told import Told, persona

from eda import MessagePosted
from eda.debate.verdict import verdict_of
from eda.events import NONE, Ballot, BallotCast, BallotText, PhaseStarted, ReportWritten, SessionEnded
from eda.memory.minutes.declared_moves import read_reply
from eda.report.gather import report_of
from eda.report.model import Report

CHOIR, PLOTS = (
    json.loads(Path(__file__).with_name(f"played_{name}.json").read_text(encoding="utf8"))
    for name in ("choir", "plots")
)


def texts_of(debate: dict[str, Any]) -> tuple[BallotText, ...]:
    return tuple(BallotText(**text) for text in debate["texts"])


def _vote(told: Told, ballots: Sequence[dict[str, Any]], texts: Sequence[BallotText], *, first: bool = False) -> None:
    words = {text.id: text.text for text in texts} | {NONE: NONE}
    for each in ballots:
        lists = {key: tuple(words[one] for one in each.get(key, ())) for key in ("ranking", "approved", "also")}
        ballot = Ballot(**{**each, **lists, "choice": words[each["choice"]]})
        told.tell(
            BallotCast(ballot=ballot, choices=tuple(each.text for each in texts), texts=tuple(texts), first=first)
        )


def talk(debate: dict[str, Any], upto: int | None = None, **instead: str) -> Told:
    """A debate to message `upto`, with other words of a message where `m9="..."` gives some."""
    roles = dict(debate["members"])
    members = tuple(persona(title, role) for title, role in roles.items())
    told = Told(talk=(), question=debate["question"], options=tuple(debate["options"]), members=members)
    if debate["first"]:
        given = tuple(text for text in texts_of(debate) if text.id[0] == "o")
        told.tell(PhaseStarted(phase="first-ballot"))
        _vote(told, debate["first"], given, first=True)
        told.tell(PhaseStarted(phase="opening", why="done"))
    for number, (who, text) in enumerate(debate["talk"][:upto], 1):
        if number == len(roles) + 1:
            told.tell(PhaseStarted(phase="discussion", why="done"))
        words = instead.get(f"m{number}", text)
        read = read_reply(words, who, roles)._asdict()
        told.tell(MessagePosted(number=number, who=who, text=words, **read, sealed=number <= len(roles)))
    return told


def voted(debate: dict[str, Any], told: Told | None = None, **other: dict[str, Any]) -> Told:
    """A whole debate to its verdict, with other fields of a member's ballot where `Kofi={...}` gives some."""
    told = (told or talk(debate)).tell(PhaseStarted(phase="ballot", why="messages"))
    _vote(told, [{**each, **other.get(each["agent"], {})} for each in debate["ballots"]], texts_of(debate))
    told.tell(PhaseStarted(phase="verdict", why="done"))
    return told.tell(verdict_of(told.progress, told.memory), SessionEnded(reason="messages"))


def reported(debate: dict[str, Any], told: Told | None = None) -> Report:
    """The report on it, with what a model wrote."""
    told = told or voted(debate)
    told.tell(ReportWritten(by="a mind", **debate["report"]))
    return report_of(told.session, told.progress, told.memory)
