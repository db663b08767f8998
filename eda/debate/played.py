"""Who or what has answered for each member: a language model, a simulation, a script, a recording or a person."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from eda import events

How = Literal["model", "recorded", "simulated", "scripted", "program", "person"]
"""`recorded`: the words of a model, replayed. `program`: a runner of the user's own that names no model."""
_NO_MODELS: dict[str, How] = {"simulated": "simulated", "scripted": "scripted"}
"""By the name that such a runner gives as its model's."""


@dataclass(frozen=True, slots=True)
class PlayedBy:
    """What has answered for a member."""

    how: How
    by: str = ""
    """The model, or the program; empty where `how` says all."""


@dataclass
class Players:
    """A fold over the log that knows who or what has answered for each member."""

    runner: str = ""
    """The spec of the runner that answers now."""
    by: dict[str, list[PlayedBy]] = field(default_factory=dict)
    """By the title of each member who has sat; empty for one that has not answered."""

    def fold(self, event: events.Event) -> None:
        """Take one fact in."""
        match event:
            case events.SessionStarted():
                self.runner = event.runner
                self.by = {member.title: [PlayedBy("person")] if member.person else [] for member in event.members}
            case events.MemberChanged(persona=persona) if persona is not None:
                self.by.setdefault(persona.title, [PlayedBy("person")] if persona.person else [])
            case events.SessionResumed():
                self.runner = event.runner or self.runner
            case events.CallMade() if event.agent in self.by and event.purpose in ("speak", "ballot", "poll", "terms"):
                known, player = self.by[event.agent], self._player(event.model)
                if player not in known:
                    known.append(player)

    def _player(self, model: str) -> PlayedBy:
        if model in _NO_MODELS:
            return PlayedBy(_NO_MODELS[model])
        if self.runner.partition(":")[0] == "recorded":
            return PlayedBy("recorded", model)
        return PlayedBy("model", model) if model else PlayedBy("program", self.runner)

    @property
    def marks(self) -> tuple[How, ...]:
        """What a reader has to know first: each way in which a member was played by no model and no person."""
        hows = (player.how for each in self.by.values() for player in each)
        return tuple(dict.fromkeys(how for how in hows if how not in ("model", "person")))

    @property
    def models(self) -> list[str]:
        """The models whose words members said, also where these were replayed."""
        players = (player for each in self.by.values() for player in each)
        return [*dict.fromkeys(player.by for player in players if player.how in ("model", "recorded"))]
