"""A debate on a town library, played carefully by a mind: what was said and voted, word for word."""

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
OPTIONS: tuple[str, ...] = tuple(PLAYED["options"])
TEXTS = tuple(BallotText(**text) for text in PLAYED["texts"])
WORDS = {text.id: text.text for text in TEXTS}


def ballots(which: str) -> list[Ballot]:
    """The `first` or the `last` ballots, with the words of the texts in place of their ids."""
    cast = []
    for each in PLAYED[which]:
        lists = {field: tuple(WORDS[key] for key in each.get(field, ())) for field in ("ranking", "approved", "also")}
        cast.append(Ballot(**{**each, **lists, "choice": WORDS[each["choice"]]}))
    return cast


@cache
def library() -> Told:
    """The whole debate, to its verdict."""
    members = tuple(persona(title, role) for title, role in PLAYED["members"])
    told = Told(talk=(), question=PLAYED["question"], options=OPTIONS, members=members)
    given = tuple(text for text in TEXTS if text.id in ("o1", "o2", "o3"))
    for each in ballots("first"):
        told.tell(BallotCast(ballot=each, choices=OPTIONS, texts=given, first=True))
    told.say(TALK)
    told.tell(PhaseStarted(phase="ballot", why="messages"))
    words = tuple(text.text for text in TEXTS)
    told.tell(*(BallotCast(ballot=each, choices=words, texts=TEXTS) for each in ballots("last")))
    told.tell(PhaseStarted(phase="verdict", why="done"))
    return told.tell(verdict_of(told.progress, told.memory), SessionEnded(reason="messages"))


def report() -> Report:
    """What a report has to tell of it."""
    told = library()
    return report_of(told.session, told.progress, told.memory)
