"""A debate on phones at a school's lunch, played carelessly by a mind: what was said and answered, word for word."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from told import Told, persona

from eda import MessagePosted
from eda.debate.verdict import verdict_of
from eda.events import Ballot, BallotCast, BallotText, PhaseStarted, SessionEnded
from eda.memory.minutes.declared_moves import read_reply

PLAYED: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf8"))
SAID: tuple[tuple[str, str], ...] = tuple((who, text) for who, text in PLAYED["talk"])
ROLES: dict[str, str] = dict(PLAYED["members"])
ANSWERS: dict[str, str] = PLAYED["answers"]
TEXTS = tuple(BallotText(**text) for text in PLAYED["texts"])
WORDS = {text.id: text.text for text in TEXTS}
NINTH = SAID[8][1].partition("\n\n```")[0]
"""m9 without its moves: it ends in a claim that all agree."""


def told(*said: tuple[str, str], first: int = 1, onto: Told | None = None) -> Told:
    """The debate with these messages, read as those of its members; they go `onto` another from number `first` on."""
    members = tuple(persona(title, role) for title, role in ROLES.items())
    onto = onto or Told(talk=(), question=PLAYED["question"], options=(), members=members)
    for number, (who, text) in enumerate(said, first):
        if number == len(ROLES) + 1:
            onto.tell(PhaseStarted(phase="discussion", why="done"))
        opening, read = number <= len(ROLES), read_reply(text, who, ROLES)._asdict()
        onto.tell(MessagePosted(number=number, who=who, text=text, **read, sealed=opening))
    return onto


def talk(upto: int = len(SAID), **instead: str) -> Told:
    """The debate to message `upto`, with other words of a message where `m9="..."` gives some."""
    said = [(who, instead.get(f"m{number}", text)) for number, (who, text) in enumerate(SAID, 1)]
    return told(*said[:upto])


def voted(ballots: Mapping[str, Mapping[str, Any]] | None = None, **instead: str) -> Told:
    """The whole debate to its verdict: a locker trial, and a log beside it.

    With other words of some messages, where `m9="..."` gives some, and with other fields of members' ballots.
    """
    done = talk(**instead).tell(PhaseStarted(phase="ballot", why="messages"))
    words = tuple(text.text for text in TEXTS)
    for each in ({**cast, **(ballots or {}).get(cast["agent"], {})} for cast in PLAYED["ballots"]):
        lists = {field: tuple(WORDS[key] for key in each[field]) for field in ("ranking", "approved", "also")}
        ballot = Ballot(**{**each, **lists, "choice": WORDS.get(each["choice"], each["choice"])})
        done.tell(BallotCast(ballot=ballot, choices=words, texts=TEXTS))
    done.tell(PhaseStarted(phase="verdict", why="done"))
    return done.tell(verdict_of(done.progress, done.memory), SessionEnded(reason="messages"))


@cache
def phones() -> Told:
    """The whole debate as it was played."""
    return voted()
