"""A small debate whose openings and ballots a test gives; all else is said by the simulated panel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from eda import Debate, Prompt, Reply, Session
from eda.events import Ballot, BallotCast
from eda.panels.settings import Settings
from eda.runners.protocol import OnText
from eda.runners.simulated.runner import SimulatedRunner

__all__ = ["OPTIONS", "PANEL", "PLAN", "Given", "cast", "table"]

PANEL = ["sceptic", "historian", "pragmatic-engineer"]
"""Ruth, Walter and Maya."""
PLAN = "What shall we do about the batch?"
OPTIONS = ("Go now", "Wait")
Vote = Callable[[Prompt], Mapping[str, Any] | None]


class Given(SimulatedRunner):
    """Says the openings and casts the ballots of a test."""

    def __init__(self, says: Mapping[str, str] | None = None, vote: Vote = lambda _: None, stage: str = "opening"):
        self.prompts: list[Prompt] = []
        self._says, self._vote, self._stage = says, vote, stage

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        self.prompts.append(prompt)
        given = self._vote(prompt) if prompt.purpose == "ballot" else None
        if given is not None:
            return Reply("", data=dict(given))
        if prompt.purpose == "speak" and self._says is not None:
            word = f"{prompt.agent} weighs case {prompt.last} at the {prompt.stage}."
            move = self._says.get(prompt.agent) if prompt.stage == self._stage else None
            return Reply(f"{word}\n\n{move}" if move else word)
        return await super().run(prompt, on_text)

    def ballots(self, *, first: bool = False) -> list[Prompt]:
        """The prompts for ballots: for the first one, or for the last."""
        return [p for p in self.prompts if p.purpose == "ballot" and (not p.last) == first]


def table(
    runner: SimulatedRunner,
    options: tuple[str, ...] = OPTIONS,
    question: str = PLAN,
    agenda: str = "panel",
    session: Session | None = None,
    **settings: object,
) -> Debate:
    """A debate that is set up, and not run yet."""
    wanted = Settings.model_validate({"max_messages": 9, "floor": "round-robin", **settings})
    return Debate(question, PANEL, runner, options=options, settings=wanted, seed=2, agenda=agenda, session=session)


def cast(debate: Debate, *, first: bool = False) -> dict[str, Ballot]:
    """The ballots by voter."""
    facts = [fact for fact in debate.session.events() if isinstance(fact, BallotCast)]
    return {fact.ballot.agent: fact.ballot for fact in facts if fact.first == first}
