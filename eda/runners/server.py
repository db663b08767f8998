"""One breaker for each server. All calls of all runners to the server share it, so failure is judged of the server.

A call is tried again after a failure that may pass. After failures in a row without a success, one call probes the
server once more while the others wait; if that fails too, all of them are given up, and so is the server. Calls to a
model wait as long as the server asked one of them to.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

from eda.errors import RunnerUnavailableError
from eda.events import CallDelayed
from eda.panels.settings import Settings
from eda.words import ENGLISH

if TYPE_CHECKING:
    from eda.runners.protocol import Prompt

CALL_TIMEOUT = 120.0
"""Seconds that a call may go without progress, where nobody says otherwise."""
TRIES, FEW_TRIES = 7, 2
"""Failures in a row after which a server is unavailable; fewer where another try would tell nothing new."""
_FIRST_WAIT, _LONGEST_WAIT, _LONGEST_ORDERED = 0.5, 16.0, 120.0
"""Seconds: the first back-off, the longest back-off, and the longest wait that a server may ask for."""
_TOLD = 1.0
"""The shortest wait for a server that rests that is told, in seconds."""
IN_ALL = 5
"""A call may take this many times as long as it may go without progress."""

_settings: ContextVar[Callable[[], Settings] | None] = ContextVar("_settings", default=None)
on_wait: ContextVar[Callable[[CallDelayed], object] | None] = ContextVar("on_wait", default=None)
"""Called before a call is tried again. Calls inside a task tell what was set before that task was made."""
Sleep = Callable[[float], Awaitable[None]]
T = TypeVar("T")


@contextmanager
def under(settings: Callable[[], Settings]) -> Iterator[None]:
    """Have calls within keep the deadline of a debate's settings, which may change while it runs."""
    before = _settings.set(settings)
    try:
        yield
    finally:
        _settings.reset(before)


class PassingError(Exception):
    """A failure that may pass: the call is tried again."""

    def __init__(self, reason: str, wait: float | None = None, *, late: bool = False, vain: bool = False) -> None:
        super().__init__(reason)
        self.wait = wait
        """Seconds that the server asked to wait."""
        self.late = late
        """Whether the call's deadline passed: it took long already."""
        self.vain = vain
        """Whether it does not look like a server of models: another try will hardly help if none has answered yet."""


class ModelAwayError(RunnerUnavailableError):
    """A model is missing, rests for long or fails again and again: a fallback may answer."""


def most_quiet(own: float) -> float:
    """Return the seconds that a call may go without progress: as the debate sets it, else a runner's `own`."""
    settings = _settings.get()
    return (settings().call_timeout if settings is not None else None) or own


@dataclass(frozen=True, slots=True)
class Caller:
    """What a server is told of who calls it."""

    name: str
    """The model, or what else is asked for."""
    tries: int
    later: str
    """What a person can do about an outage."""
    sleep: Sleep
    tell: Callable[[float, str, int], object]
    """Told of each wait: the seconds, the reason, and the number of the try that failed."""
    another: bool = False
    """Whether another model can be asked, whose call is then the last probe."""
    answers: bool = True
    """Whether a success shows that the server answers questions; the list of its models does not."""


class Server:
    """A server as the calls of one event loop see it."""

    def __init__(self) -> None:
        self._failures = 0
        """Of one call in a row, while no other call had a success."""
        self._open = False
        """Whether one more failure is one too many: one call probes the server, and the others wait for its end."""
        self.answered = False
        """Whether it has ever given a usable answer."""
        self.refused = 0
        """How many calls it has refused since the last that it answered with what was asked for."""
        self._given_up = 0
        """How often it was. A call that is made later begins afresh."""
        self._why = ""
        self._probe = asyncio.Lock()
        self._rests: dict[str, float] = {}
        """Until when no call to a model begins, by the monotonic clock."""
        self._jitter = random.Random()

    async def call(self, once: Callable[[], Awaitable[T]], caller: Caller) -> T:
        """Return what `once` returns, called again after each `PassingError`.

        Raises:
            ModelAwayError: the model is given up, and another can be asked.
            RunnerUnavailableError: the server is given up.
        """
        begun, tries = self._given_up, 0
        while True:
            probing = self._open
            async with self._probe if probing else nullcontext():
                self._check(begun, caller)
                if probing and not self._open:
                    continue  # the probe was answered
                try:
                    await self._rested(caller, tries)
                    self._check(begun, caller)
                    result = await once()
                except PassingError as error:
                    self._check(begun, caller)
                    failure, tries = error, tries + 1
                    self._failed(caller, tries, failure)
                else:
                    self._failures, self._open = 0, False
                    if tries:
                        self._rests.pop(caller.name, None)
                    self.answered |= caller.answers
                    return result
            if failure.wait is not None and failure.wait <= _LONGEST_ORDERED:
                self._rests[caller.name] = time.monotonic() + failure.wait
            await self._wait(caller, tries, failure)

    async def _rested(self, caller: Caller, tries: int) -> None:
        """Wait while the server rests for a model; a call that failed has waited itself."""
        seconds = 0.0 if tries else self._rests.get(caller.name, 0.0) - time.monotonic()
        if seconds >= _TOLD:
            caller.tell(seconds, ENGLISH.say("server-limits", name=caller.name), 1)
        if seconds > 0:
            await caller.sleep(seconds)

    def _check(self, begun: int, caller: Caller) -> None:
        """Give a call up that began before the server was given up."""
        if self._given_up != begun:
            raise RunnerUnavailableError(self._why, hint=caller.later)

    def _failed(self, caller: Caller, tries: int, failure: PassingError) -> None:
        """Count a failure; raise where it is one too many."""
        in_vain = failure.late or (failure.vain and not self.answered)
        most = min(caller.tries, FEW_TRIES) if in_vain else caller.tries
        self._failures = max(self._failures, tries)
        self._open = self._failures >= most - 1
        if self._failures < most:
            return
        why = ENGLISH.say("server-failed", name=caller.name, tries=tries, why=str(failure))
        if caller.another:
            if not failure.vain:  # the server is there: what fails is the model
                self._failures, self._open = 0, False
            raise ModelAwayError(why, hint=caller.later) from failure
        self._why, self._given_up = why, self._given_up + 1
        self._failures, self._open = 0, False
        raise RunnerUnavailableError(why, hint=caller.later) from failure

    async def _wait(self, caller: Caller, tries: int, failure: PassingError) -> None:
        """Wait as long as the server asked for, else twice as long each time, with jitter."""
        if failure.wait is not None and failure.wait > _LONGEST_ORDERED:
            raise ModelAwayError(
                f"the server wants {failure.wait:.0f} seconds of rest for {caller.name}: {failure}",
                hint="Go on with it later, or set --fallback-model.",
            ) from failure
        seconds = min(_FIRST_WAIT * 2.0 ** (tries - 1), _LONGEST_WAIT) * self._jitter.uniform(0.75, 1.25)
        if failure.wait is not None:
            seconds = max(seconds, failure.wait * self._jitter.uniform(1.0, 1.25))
        caller.tell(seconds, f"{failure}, from {caller.name}", tries)
        await caller.sleep(seconds)


_SERVERS: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Server]] = WeakKeyDictionary()


def server_at(address: str) -> Server:
    """Return the server at an address, the same one for all calls of the running event loop."""
    return _SERVERS.setdefault(asyncio.get_running_loop(), {}).setdefault(address.rstrip("/"), Server())


def delayed(prompt: Prompt, seconds: float, reason: str, attempt: int) -> None:
    """Say that a call is made again in so many seconds, at once where another model is asked."""
    tell = on_wait.get()
    if tell is not None:
        tell(CallDelayed(agent=prompt.agent, purpose=prompt.purpose, seconds=seconds, reason=reason, attempt=attempt))
