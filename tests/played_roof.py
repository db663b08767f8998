"""A debate on a school's roof or boiler, played carefully by a mind: what was said and voted, word for word."""

from __future__ import annotations

import json
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
OPTIONS = tuple(
    BallotText(id=f"o{number}", motion=f"o{number}", text=text) for number, text in enumerate(PLAYED["options"], 1)
)
TEXTS = tuple(BallotText(**text) for text in PLAYED["texts"])


def _vote(done: Told, ballots: list[dict[str, Any]], texts: tuple[BallotText, ...], *, first: bool = False) -> None:
    words = {text.id: text.text for text in texts}
    for each in ballots:
        lists = {field: tuple(words[key] for key in each[field]) for field in ("ranking", "approved", "also")}
        ballot = Ballot(**{**each, **lists, "choice": words[each["choice"]]})
        done.tell(BallotCast(ballot=ballot, choices=tuple(words.values()), texts=texts, first=first))


def talk(upto: int = len(SAID), **instead: str) -> Told:
    """The debate to message `upto`, with other words of a message where `m9="..."` gives some."""
    members = tuple(persona(title, role) for title, role in ROLES.items())
    done = Told(talk=(), question=PLAYED["question"], options=tuple(PLAYED["options"]), members=members)
    done.tell(PhaseStarted(phase="first-ballot"))
    _vote(done, PLAYED["first"], OPTIONS, first=True)
    done.tell(PhaseStarted(phase="opening", why="done"))
    for number, (who, text) in enumerate(SAID[:upto], 1):
        if number == len(ROLES) + 1:
            done.tell(PhaseStarted(phase="discussion", why="done"))
        words = instead.get(f"m{number}", text)
        read = read_reply(words, who, ROLES)._asdict()
        done.tell(MessagePosted(number=number, who=who, text=words, **read, sealed=number <= len(ROLES)))
    return done


def voted(**other: dict[str, Any]) -> Told:
    """The whole debate to its verdict, with other fields of a member's ballot where `Kofi={...}` gives some."""
    done = talk().tell(PhaseStarted(phase="ballot", why="messages"))
    _vote(done, [each | other.get(each["agent"], {}) for each in PLAYED["ballots"]], TEXTS)
    done.tell(PhaseStarted(phase="verdict", why="done"))
    return done.tell(verdict_of(done.progress, done.memory), SessionEnded(reason="messages"))
