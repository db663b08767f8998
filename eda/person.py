"""`Person`: the seat of somebody in the flesh. They speak when they like, and are asked once when it is their turn.

What they typed waits until a turn has ended, and is their bid: so the panel goes on whether or not they speak.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from eda.briefing import Briefing
from eda.errors import RunnerError, RunnerUnavailableError, UnknownNameError, nearest
from eda.events import Bid, CallMade, FloorGranted, MessagePosted, TurnFailed, TurnPassed
from eda.listener import AgentListener, Answered, Read, Turn
from eda.personas import Persona
from eda.progress import Progress
from eda.protocols import Prompt, Reply, Runner
from eda.verdict import rule_of
from eda.voting import counts_of, read_ballot, the_one_named
from eda.voting.rules import Counts

__all__ = ["Person", "member_called"]

_LETTERS = re.compile(r"[A-Za-z](?:\s*[>,;]\s*[A-Za-z]|\s+[A-Za-z])+")
"""Several choices by their letters: `B > A > C`."""
_SCORE = re.compile(r"([A-Za-z])\s*[:=]?\s*(\d{1,3}(?:\.\d+)?)")
_SCORES = re.compile(rf"{_SCORE.pattern}(?:[\s,;]+{_SCORE.pattern})*")
"""Choices by their letters, each with its score: `B 7, A 2.5`."""
_CALLED = re.compile(r"(?<!\w)@([\w'-]+(?: [\w'-]+)?)")


class Person(AgentListener):
    """Asked like any member, but once; its answers are no calls, and what it says again is not asked for otherwise."""

    def __init__(self, persona: Persona, runner: Runner, briefing: Briefing, progress: Progress) -> None:
        super().__init__(persona, runner, briefing, progress)
        self.said: deque[str] = deque()
        """What was typed and is not posted yet, oldest first."""

    @property
    def ready(self) -> bool:
        """Whether something typed waits; nobody waits for a person who has typed nothing."""
        return bool(self.said)

    async def bid(self) -> Turn:
        """What was typed is the bid; nothing typed is none, and no pass either."""
        wants = Bid(agent=self.title, wants=True, urgency=1.0, reason="has something to say")
        return Turn((), wants if self.said else None)

    async def speak(
        self,
        number: int,
        grant: FloorGranted | None = None,
        *,
        sealed: bool = False,
        on_text: Callable[[str], None] | None = None,  # noqa: ARG002 - nobody watches a person type
    ) -> Turn:
        """What was typed already, else what is answered now; an empty answer passes the turn."""
        text, why = (self.said.popleft(), "") if self.said else ("", "")
        if not text:
            try:
                reply = await self._runner.run(self._briefing.speak(self.persona, grant))
            except RunnerUnavailableError:
                raise
            except RunnerError as error:
                return Turn((TurnFailed(who=self.title, purpose="speak", error=str(error)),))
            text, why = reply.text.strip(), _passed(reply)
        if not text:
            return Turn((TurnPassed(who=self.title, why=why),))
        return Turn((self.message(number, text, sealed=sealed),))

    def message(self, number: int, text: str, *, sealed: bool) -> MessagePosted:
        """As of any member; but `@` calls members by their persona's name too, however it is spelt."""
        made = super().message(number, text, sealed=sealed)
        if sealed or made.to is not None:
            return made
        others = [persona for persona in self._progress.personas.values() if persona.title != self.title]
        called = (_found(others, match[1]) for match in _CALLED.finditer(made.talk))
        return made.model_copy(update={"to": next((one.title for one in called if one), None)})

    async def _asked(self, prompt: Prompt, read: Callable[[Reply], Read]) -> Answered:
        """As of any member; the letters that a person types count the choices as they are shown."""
        shown = self._briefing.shown(self.persona, prompt.options)
        return await super()._asked(replace(prompt, options=shown), read)

    def _calls(self, prompt: Prompt, reply: Reply) -> tuple[CallMade, ...]:  # noqa: ARG002 - a person is not paid for
        return ()

    def _read_stance(self, reply: Reply, shown: Sequence[str]) -> Read:
        """The choice typed, by its words or letter; an empty answer is none of them."""
        found, wrong = _ballot(reply, shown)
        return None if found is None else {"choice": found["choice"]}, wrong

    def _read_ballot(self, reply: Reply, shown: Sequence[str]) -> Read:
        """The choice typed, by its words or letter, or several in order, or scored; an empty answer abstains."""
        return _ballot(reply, shown, scored=counts_of(rule_of(self._progress)) == "scores")


def _passed(reply: Reply) -> str:
    return str(reply.data.get("passed", "passed")) if reply.data else "passed"


def _ballot(reply: Reply, shown: Sequence[str], *, scored: bool = False) -> tuple[dict[str, Any] | None, str]:
    """What was typed as a vote."""
    text = reply.text.strip()
    if not text:
        fields, wrong = read_ballot(None, "abstain", shown)
        return {**(fields or {}), "reason": "" if _passed(reply) == "passed" else _passed(reply)}, wrong
    counts: Counts = "scores" if scored else "firsts"
    if _SCORES.fullmatch(text) and the_one_named(text, shown) is None:
        given = [{"choice": letter, "score": float(score)} for letter, score in _SCORE.findall(text)]
        return read_ballot({"scores": given}, text, shown, counts)
    if _LETTERS.fullmatch(text) and the_one_named(text, shown) is None:
        named = re.findall("[A-Za-z]", text)
        return read_ballot({"ranking": named, "approved": named}, text, shown, counts)
    return read_ballot(None, text, shown, counts)


def member_called(members: Iterable[Persona], name: str) -> Persona:
    """The member of that title or name, in any case; of a part of it where only one member has it.

    Raises:
        UnknownNameError: nobody is called so, or more than one.
    """
    among = list(members)
    wanted = " ".join(name.split()).casefold()
    for names in ([persona.called for persona in among], map(_parts, among)):
        found = [persona for persona, called in zip(among, names, strict=True) if wanted in called]
        if len(found) == 1:
            return found[0]
    raise UnknownNameError("member", name, [persona.title for persona in among])


def _parts(persona: Persona) -> set[str]:
    return {*persona.title.casefold().split(), *persona.name.split("-")}


def _found(members: Sequence[Persona], words: str) -> Persona | None:
    """Whom `@` and the one or two words after it call; a letter may be wrong."""
    for name in dict.fromkeys((words, words.split(maxsplit=1)[0])):
        try:
            return member_called(members, name)
        except UnknownNameError:
            close = nearest(name, [persona.name for persona in members])
            likely = next((p for p in members if close and p.name == close[0] and _alike(p.name, name)), None)
            if likely is not None:
                return likely
    return None


def _alike(one: str, other: str) -> bool:
    other = other.casefold()
    return len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) <= 1
