"""Panels in which some say less than they think, or what a script has them say: arms that take talk apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pydantic import Field

from eda.debate.prompts.lookups import call_of, words_of
from eda.debate.speech import passes
from eda.errors import UnknownNameError
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.options import Options
from eda.panels.frozen import Frozen
from eda.runners.protocol import OnText, Prompt, Reply, Runner, Wrapper
from eda.study.player import Mind, SimulatedPlayer, certain
from eda.study.tasks.base import Task
from eda.words import ENGLISH

LESS = ("choices", "empty")
"""Exchanges in which less is heard than is said: the choice alone, or with words that give no reason for it."""
_EMPTY = 5
"""Sentences that give no reason, which take turns."""


class Confederates(Frozen):
    """Seats that hold one answer by a script, whatever the others say."""

    seats: int = Field(default=1, ge=1)
    """How many, from the last one."""
    hold: str = "wrong"
    """`wrong`: the option after the right one; `right`; or the option itself."""
    arguments: tuple[str, ...] = ()
    """What they say for it, one a speech in turn; none: the choice alone."""

    def held(self, task: Task) -> str:
        """Return the option that they hold.

        Raises:
            UnknownNameError: the task has no such option, or no right one.
        """
        if self.hold in ("right", "wrong") and task.answer in task.options:
            place = task.options.index(task.answer) + (self.hold == "wrong")
            return task.options[place % len(task.options)]
        if self.hold not in task.options:
            raise UnknownNameError("option", self.hold, task.options, where=task.id)
        return self.hold


class Actor(SimulatedPlayer):
    """A member that holds one option for good, and speaks for it by a script."""

    def __init__(self, task: Task, seed: int, script: Confederates) -> None:
        """Hold what the script says of the task."""
        super().__init__(task, seed)
        self._held = certain(script.held(task), task.options)
        self._script = script

    def _mind(self, prompt: Prompt) -> Mind:  # noqa: ARG002 - whatever it hears
        return self._held

    def _speech(self, prompt: Prompt) -> str:
        turn = sum(line.who == prompt.agent for line in prompt.lines)
        says = self._script.arguments
        return stated(self._held.held, self.task.options, prompt.last, says[turn % len(says)] if says else "")


class Stage(Wrapper):
    """A runner for one cell: it has some seats speak by a script, and lets of the other speeches be heard what may be.

    Args:
        inner: Who answers for all others.
        task: The task of the cell.
        seed: That of the cell.
        exchange: What is heard of a speech: `choices`, `empty`, or all of it.
        script: Of the confederates; None where there are none.
    """

    def __init__(self, inner: Runner, task: Task, seed: int, exchange: str, script: Confederates | None) -> None:
        self.inner = inner
        self._task, self._heard, self._options = task, exchange, Options(task.options)
        self._actor = Actor(task, seed, script) if script else None
        self._seats = script.seats if script else 0

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return the answer to one prompt; of a speech what may be heard of it."""
        if self._actor and prompt.agent in prompt.members[-self._seats :]:
            return await self._actor.run(prompt, on_text)
        if self._heard not in LESS or prompt.purpose != "speak":
            return await self.inner.run(prompt, on_text)
        asked = f"{prompt.own}\n\n{ENGLISH.say('study-position')}"
        reply = await self.inner.run(replace(prompt, own=asked))
        if passes(reply.text) or words_of(reply.text) or call_of(reply.text):  # it is no speech yet, or none at all
            return reply
        option = self._position(reply.text, prompt.positions.get(prompt.agent, ""))
        turn = sum(line.who == prompt.agent for line in prompt.lines) + prompt.members.index(prompt.agent)
        says = ENGLISH.say("study-empty", turn=turn % _EMPTY) if self._heard == "empty" else ""
        text = stated(option, self._task.options, prompt.last, says) if option else ENGLISH.say("study-no-choice")
        return replace(reply, text=text, data=None)

    def _position(self, text: str, before: str) -> str | None:
        """Return the one option that a speech declares as its position, or else has declared before."""
        declared = [move.text for move in read_reply(text).moves if move.kind == "position"]
        named = self._options.mentioned((declared or [before])[-1])
        return named[0] if len(named) == 1 else None


def stated(option: str, options: Sequence[str], after: int, says: str = "") -> str:
    """Return a speech after so many messages for an option, as `SimulatedPlayer` reads it, and what is said for it."""
    place = options.index(option) + 1
    said = ENGLISH.say("study-choice", after=after, id=f"o{place}", option=option.replace("”", "’"))
    return f"{said} {says}".strip() + f"\n\n[POSITION] o{place}"
