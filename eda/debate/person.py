"""`HumanListener`: the seat of a person, who speaks when they like and is asked once when it is their turn.

Text that they typed waits until a turn has ended, and is their bid. The panel goes on whether or not they speak.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from eda.debate.asking import Answer, Read, Turn, ask
from eda.debate.listener import AgentListener
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.verdict import deciding_rule
from eda.errors import UnknownNameError, nearest
from eda.events import NONE, Bid, FloorGranted, MessagePosted, TurnPassed
from eda.panels.persona import Persona
from eda.runners.protocol import Prompt, Reply, Runner
from eda.voting import read_ballot, the_one_named
from eda.voting.rules import Counts

_LETTERS = re.compile(r"[A-Za-z](?:\s*[>,;]\s*[A-Za-z]|\s+[A-Za-z])+")
"""Several choices by their letters: `B > A > C`."""
_SCORE = re.compile(r"([A-Za-z])\s*[:=]?\s*(\d{1,3}(?:\.\d+)?)")
_SCORES = re.compile(rf"{_SCORE.pattern}(?:[\s,;]+{_SCORE.pattern})*")
"""Choices by their letters, each with its score: `B 7, A 2.5`."""
_CALLED = re.compile(r"(?<!\w)@([\w'-]+(?: [\w'-]+)?)")


class HumanListener(AgentListener):
    """Asked like any member, but once: its answers are no calls, and a repetition is not asked for otherwise."""

    def __init__(self, persona: Persona, runner: Runner, *, prompts: PromptBuilder | None = None) -> None:
        super().__init__(persona, runner, prompts=prompts)
        self.said: deque[str] = deque()
        """Texts typed but not posted yet, oldest first."""

    @property
    def ready(self) -> bool:
        """True if something typed waits; nobody waits for a person who has typed nothing."""
        return bool(self.said)

    async def bid(self) -> Turn:
        """Return what was typed as a bid. A person who typed nothing neither bids nor passes."""
        wants = Bid(agent=self.title, wants=True, urgency=1.0, reason="has something to say")
        return Turn(bids=(wants,) if self.said else ())

    async def _speak(
        self,
        number: int,
        grant: FloorGranted | None,
        *,
        sealed: bool,
        on_text: Callable[[str], None] | None,  # noqa: ARG002 - nobody watches a person type
    ) -> Turn:
        """Post what was typed already, else what is answered now; an empty answer passes the turn."""
        text, why = (self.said.popleft(), "") if self.said else ("", "")
        if not text:
            answer = await ask(self.runner, self._prompts.speak(self.persona, grant, self.has_heard))
            if answer.reply is None:
                return Turn((self._failed("speak", answer),))
            text, why = answer.reply.text.strip(), _passed(answer.reply)
        if not text:
            return Turn((TurnPassed(who=self.title, why=why),))
        return Turn((self.message(number, text, sealed=sealed),))

    def _others(self) -> list[str]:
        """Nobody: a person who writes "Ruth: ..." speaks to Ruth."""
        return []

    def message(self, number: int, text: str, *, sealed: bool) -> MessagePosted:
        """Return the message; `@` calls members by their persona's name too, however it is spelt."""
        message = super().message(number, text, sealed=sealed)
        if sealed or message.to is not None:
            return message
        others = [persona for persona in self._state.personas.values() if persona.title != self.title]
        called = (_called(others, match[1]) for match in _CALLED.finditer(message.talk))
        return message.model_copy(update={"to": next((one.title for one in called if one), None)})

    async def _fields(self, prompt: Prompt, read: Callable[[Reply], Read]) -> Answer:
        """As of any member; the letters that a person types count the choices as they are shown."""
        shown = self._prompts.shown(self.persona, prompt.options)
        return await super()._fields(replace(prompt, options=shown), read)

    def _read_stance(self, reply: Reply, shown: Sequence[str]) -> Read:
        """Read the choice typed, by its words or letter; an empty answer is none of them."""
        fields, wrong = _ballot(reply, shown)
        return None if fields is None else {"choice": None if fields["choice"] == NONE else fields["choice"]}, wrong

    def _read_ballot(self, reply: Reply, shown: Sequence[str]) -> Read:
        """Read the choice typed, by its words or letter, or several in order, or scored; an empty answer abstains."""
        return _ballot(reply, shown, scored=deciding_rule(self._state).counts == "scores")


def _passed(reply: Reply) -> str:
    return str(reply.data.get("passed", "passed")) if reply.data else "passed"


def _ballot(reply: Reply, shown: Sequence[str], *, scored: bool = False) -> tuple[dict[str, Any] | None, str]:
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
    """Return the member of that title or name, in any case, or of a part of it that only one member has.

    Raises:
        UnknownNameError: no member, or more than one, has that name.
    """
    among = list(members)
    wanted = " ".join(name.split()).casefold()
    parts = [{*persona.title.casefold().split(), *persona.name.split("-")} for persona in among]
    for names in ([persona.called for persona in among], parts):
        matches = [persona for persona, called in zip(among, names, strict=True) if wanted in called]
        if len(matches) == 1:
            return matches[0]
    raise UnknownNameError("member", name, [persona.title for persona in among])


def _called(members: Sequence[Persona], words: str) -> Persona | None:
    """The member whom `@` and the one or two words after it call; a letter may be wrong."""
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
