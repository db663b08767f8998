"""The arms of a study: talk, and the controls that it is compared with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from eda.errors import nearest
from eda.panels.files import UserFile, key_line
from eda.panels.frozen import Frozen
from eda.words import ENGLISH

Match = Literal["calls", "output_tokens", "usd"]
Exchange = Literal["all", "none", "self", "other-task"]
LIKE: Mapping[str, Mapping[str, Any]] = {
    "talk": {},
    "reask": {"exchange": "none"},
    "reflect": {"exchange": "self"},
    "unrelated": {"exchange": "other-task"},
    "single": {"members": 1, "answers": {"match": ["calls"]}},
    "oracle": {"facts": "all", "members": 1},
}
"""What an arm of that name is where the file says nothing else of it."""


class Answers(Frozen):
    """How many independent answers a single member gives; the most frequent one counts."""

    number: int | None = Field(default=None, ge=1)
    match: Match | None = None
    """Answers until they have taken as much as the talk of the same task, seed and levels."""


class Arm(Frozen):
    """One way of treating a task: with talk, or as a control."""

    exchange: Exchange = "all"
    """Whom a member hears: everybody, nobody, itself, or a panel that talked about another task."""
    members: int | None = Field(default=None, ge=1)
    """The first so many of the panel; 1 is a single member, which answers and does not debate."""
    answers: Answers = Answers()
    facts: Literal["own", "all"] = "own"
    """`all`: each member is given what any member of the task knows."""
    changes: dict[str, Any] = Field(default_factory=dict)
    """Keys of `[fixed]` that differ in this arm."""

    @property
    def single(self) -> bool:
        """Whether one member answers alone."""
        return self.members == 1

    @property
    def talks(self) -> bool:
        """Whether members hear each other."""
        return self.exchange == "all" and not self.single

    @property
    def follows(self) -> bool:
        """Whether it takes as much as talk took: as many turns of each member, or answers to the same amount."""
        return self.answers.match is not None if self.single else not self.talks


def arms_of(file: UserFile, text: str, table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arms as given: a list of known names, or tables; one that matches by several means is several."""
    given = table.get("arms", {"talk": {}})
    given = {name: {} for name in given} if isinstance(given, list) else given
    arms: dict[str, Any] = {}
    for name, own in given.items():
        line = key_line(text, "arms", name) or key_line(text, None, "arms")
        if not isinstance(own, dict):
            raise file.fault(f"arm '{name}' is no table", f"Write {name} = {{}}.", line)
        if not own and name not in LIKE:
            close = nearest(name, LIKE)
            fault = ENGLISH.say("study-arm-unknown", name=name, close=close[0] if close else "")
            raise file.fault(fault, f"Known: {', '.join(LIKE)}; or say what it is.", line)
        spec = dict(own or LIKE[name])
        plain = {key: spec.pop(key) for key in ("exchange", "members", "answers", "facts") if key in spec}
        match = dict(plain.get("answers", {})).get("match", [])
        for means in [match] if isinstance(match, str) else match or [None]:
            answers = {**plain.get("answers", {}), "match": means}
            several = isinstance(match, list) and len(match) > 1
            arms[f"{name}-{means}" if several else name] = {**plain, "answers": answers, "changes": spec}
    return arms
