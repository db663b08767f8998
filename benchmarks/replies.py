"""Plays given replies to a panel: a Messages API on loopback sends them, the client cleans them, members say them."""

from __future__ import annotations

import json
import re
import sys
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fake_anthropic import FakeAnthropic, Say

from eda import AgentListener, ConversationMemory, MessageBus, Persona
from eda.debate.addressing import Addressing
from eda.errors import RunnerError
from eda.events import MemberChanged, MessagePosted, PhaseStarted, SessionStarted
from eda.panels.agenda import load_agenda
from eda.panels.settings import Settings
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.runners.model_runner import GREETING
from eda.runners.protocol import Prompt, Reply

_KEY = "sk-ant-not-a-key"


class _Lettered(AnthropicRunner):
    """Asks as the recorded debates did, whose prompts showed letters beside the texts."""

    letters = True


class Server:
    """A Messages API that sends a given reply as often as it is asked for it. `async with Server() as server:`."""

    def __init__(self) -> None:
        self._fake = FakeAnthropic()
        self.runner = _Lettered(base_url=self._fake.url, api_key=_KEY, attempts=1)

    async def __aenter__(self) -> Self:
        self._fake.__enter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.runner.close()
        self._fake.__exit__()

    @property
    def calls(self) -> int:
        """How often the present reply was asked for."""
        return sum(not _greets(request) for request in self._fake.requests)

    @property
    def prompt(self) -> str:
        """What the present reply was asked for with, as it was sent; empty before that."""
        return json.dumps(self._fake.requests[0]) if self._fake.requests else ""

    def sends(self, raw: str) -> None:
        """Reply with `raw` from now on."""
        self._fake.play()
        self._fake.answer = lambda body: Say("Hello." if _greets(body) else raw)

    async def reply(self, raw: str, prompt: Prompt) -> Reply | None:
        """Return what the client makes of `raw` as the answer to `prompt`; None where it is no answer."""
        self.sends(raw)
        try:
            return await self.runner.run(prompt)
        except RunnerError:
            return None


def _greets(request: Mapping[str, Any]) -> bool:
    return GREETING.own in json.dumps(request)


class Minutes:
    """Writes minutes as they are recorded; fails where there are none left."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._raw: deque[str] = deque()

    def begin(self, raw: Iterable[str]) -> None:
        """Write these next, where there are any: the attempts at one range."""
        self._raw = deque(raw) or self._raw

    async def run(self, prompt: Prompt, _: object = None) -> Reply:
        """Return what the client makes of the next recorded minutes."""
        reply = await self._server.reply(self._raw.popleft(), prompt) if self._raw else None
        if reply is None:
            raise RunnerError("no minutes are recorded")
        return reply


class Panel:
    """Members on a bus with a memory, who say what the server sends."""

    def __init__(
        self,
        titles: Iterable[str],
        server: Server,
        *,
        question: str = "The one that is discussed below.",
        options: Sequence[str] = (),
        agenda: str = "panel",
        every: int | None = None,
        rule: str = "majority",
        seed: int = 0,
    ) -> None:
        """Seat members; where `every` is given, `minutes` are written of each so many messages."""
        self._server = server
        self.bus = MessageBus()
        self.minutes = Minutes(server)
        self.memory = ConversationMemory(every=every, runner=self.minutes if every else None).attach(self.bus)
        self._phases = load_agenda(agenda)
        self.members: dict[str, AgentListener] = {}
        self.on_table = self.listed = 0
        """Live texts at each turn but blind ones, and those of them that the speaker's prompt has."""
        members = tuple(map(persona, titles))
        self.bus.publish(
            SessionStarted(
                session="live",
                question=question,
                options=tuple(options),
                members=members,
                agenda=self._phases,
                settings=Settings(summary_every=every or 12, rule=rule),
                seed=seed,
            )
        )
        self.begin(self._phases.phases[0].name)
        for member in members:
            self._seat(member)

    def begin(self, phase: str) -> None:
        """Begin a phase; what was sealed is heard."""
        self.bus.publish(PhaseStarted(phase=phase))

    def join(self, title: str) -> None:
        """Add a member."""
        member = persona(title)
        self.bus.publish(MemberChanged(who=title, change="added", persona=member))
        self._seat(member)

    def _seat(self, member: Persona) -> None:
        self.members[member.title] = AgentListener(member, self._server.runner).join(self.bus)
        for listener in self.members.values():
            listener.addressing = Addressing(list(self.members))

    async def speak(self, who: str, raw: str, *, sealed: bool = False) -> MessagePosted | None:
        """Return the message that `raw` becomes; None where it becomes none."""
        on_table = [motion.live.id for motion in self.memory.motions if motion.live is not None and not sealed]
        self._server.sends(raw)
        turn = await self.members[who].take_turn(self.bus.messages + 1, sealed=sealed)
        self.on_table += len(on_table)
        self.listed += sum(re.search(rf"\b{key}\b", self._server.prompt) is not None for key in on_table)
        facts = self.bus.publish(*turn.facts)
        await self.bus.drain()
        return next((fact for fact in facts if isinstance(fact, MessagePosted)), None)

    def post(self, who: str, text: str, *, sealed: bool) -> MessagePosted:
        """Return the message that a text makes, posted whatever it says."""
        message = self.members[who].message(self.bus.messages + 1, text, sealed=sealed)
        self.bus.publish(message)
        return message


def persona(title: str) -> Persona:
    """Return a member of that title."""
    name = "-".join(re.findall(r"[a-z0-9]+", title.lower()))
    return Persona(name=name, title=title, role="a member", description="A member.", instruction="Speak.")
