"""A debate on school groups in a museum, played carelessly by a mind: what was said and voted, word for word."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from told import Told, persona

from eda.debate.verdict import verdict_of
from eda.events import Ballot, BallotCast, BallotText, PhaseStarted, SessionEnded
from eda.report.gather import report_of
from eda.report.model import Report

PLAYED: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf8"))
TALK: tuple[tuple[str, str], ...] = tuple((who, text) for who, text in PLAYED["talk"])
MEMBERS = tuple(persona(title, role) for title, role in PLAYED["members"])
TEXTS = tuple(BallotText(**text) for text in PLAYED["texts"])
WORDS = {text.id: text.text for text in TEXTS}


def talk() -> Told:
    """The debate, to its last message: Rosa puts a text after her last position, and Anjali stays against it."""
    return Told(talk=TALK, question=PLAYED["question"], options=(), members=MEMBERS)


@cache
def museum() -> Told:
    """The whole debate, to its verdict: one text as the answer, and a quiet room beside it."""
    told = talk()
    told.tell(PhaseStarted(phase="ballot", why="messages"))
    words = tuple(text.text for text in TEXTS)
    for each in PLAYED["ballots"]:
        lists = {field: tuple(WORDS[key] for key in each.get(field, ())) for field in ("ranking", "approved", "also")}
        ballot = Ballot(**{**each, **lists, "choice": WORDS.get(each["choice"], each["choice"])})
        told.tell(BallotCast(ballot=ballot, choices=words, texts=TEXTS))
    told.tell(PhaseStarted(phase="verdict", why="done"))
    return told.tell(verdict_of(told.progress, told.memory), SessionEnded(reason="messages"))


def report() -> Report:
    """What a report has to tell of it."""
    told = museum()
    return report_of(told.session, told.progress, told.memory)
