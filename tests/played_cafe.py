"""A debate on a repair café, played carelessly by a mind: what was said and answered, word for word."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from told import Told, persona

from eda import MessagePosted, Reply
from eda.debate.asking import Checked, read_vote
from eda.debate.verdict import slate_now, verdict_of
from eda.events import Ballot, BallotCast, BallotText, PhaseStarted, SessionEnded
from eda.memory.minutes.declared_moves import read_reply
from eda.runners.answers import BallotAnswer
from eda.runners.repair import fields_of

PLAYED: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf8"))
SAID: tuple[tuple[str, str], ...] = tuple((who, text) for who, text in PLAYED["talk"])
ROLES: dict[str, str] = dict(PLAYED["members"])
ANSWERS: dict[str, str] = PLAYED["answers"]
AGAIN: dict[str, str] = PLAYED["again"]  # the second answers of those whose first cannot be read


@cache
def talk(upto: int = len(SAID)) -> Told:
    """The debate to message `upto`."""
    members = tuple(persona(title, role) for title, role in ROLES.items())
    told = Told(talk=(), question=PLAYED["question"], options=(), members=members)
    for number, (who, text) in enumerate(SAID[:upto], 1):
        if number == len(ROLES) + 1:
            told.tell(PhaseStarted(phase="discussion", why="done"))
        read = read_reply(text, who, ROLES)._asdict()
        told.tell(MessagePosted(number=number, who=who, text=text, **read, sealed=number <= len(ROLES)))
    return told


def read(answer: str, texts: Sequence[BallotText]) -> Checked:
    """The fields of a ballot, or what is asked about it."""
    return read_vote(fields_of(BallotAnswer, Reply(answer))[0], answer, texts)


@cache
def voted(**instead: str) -> Told:
    """The whole debate to its verdict, with other answers to the ballot of some members: `Rosa="..."`."""
    told = talk.__wrapped__()
    told.tell(PhaseStarted(phase="ballot", why="messages"))
    texts = slate_now(told.progress, told.memory).texts
    for who in ROLES:
        tries = [instead.get(who, ANSWERS[who]), *(AGAIN[one] for one in AGAIN if one == who)]
        fields = next(each for answer in tries if (each := read(answer, texts)[0]) is not None)
        ballot = Ballot(agent=who, **fields)
        told.tell(BallotCast(ballot=ballot, choices=tuple(text.text for text in texts), texts=texts))
    told.tell(PhaseStarted(phase="verdict", why="done"))
    return told.tell(verdict_of(told.progress, told.memory), SessionEnded(reason="messages"))
