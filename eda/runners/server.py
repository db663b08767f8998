"""One breaker for each server, and what an error of one means, in any API.

All calls of all runners to the server share its breaker, so failure is judged of the server. A call is tried again
after a failure that may pass. After failures in a row without a success, one call probes the server once more while the
others wait; if that fails too, all of them are given up, and so is the server. Calls to a model wait as long as the
server asked one of them to.
"""

from __future__ import annotations

import asyncio
import base64
import os
import random
import re
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from datetime import UTC
from json import JSONDecodeError
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import unquote, unquote_plus
from weakref import WeakKeyDictionary

from eda.errors import RunnerError, RunnerUnavailableError
from eda.events import CallDelayed
from eda.panels.settings import Settings
from eda.text import regex
from eda.words import ENGLISH

if TYPE_CHECKING:
    from eda.runners.models import Provider
    from eda.runners.protocol import Prompt

CALL_TIMEOUT = 120.0
"""Seconds that a call may go without progress, where nobody says otherwise."""
TRIES, FEW_TRIES = 7, 2
"""Failures in a row after which a server is unavailable; fewer where another try would tell nothing new."""
# Seconds: the first back-off, the longest back-off, and the longest wait that a server may ask for.
_FIRST_WAIT, _LONGEST_WAIT, _LONGEST_ORDERED = 0.5, 16.0, 120.0
_TOLD = 1.0  # The shortest wait for a server that rests that is told, in seconds.
IN_ALL = 5
"""A call may take this many times as long as it may go without progress."""

call_settings: ContextVar[Callable[[], Settings] | None] = ContextVar("call_settings", default=None)
"""The settings of the debate that makes a call, which may change while it runs: calls keep their deadline."""
on_wait: ContextVar[Callable[[CallDelayed], object] | None] = ContextVar("on_wait", default=None)
"""Called before a call is tried again. Calls inside a task tell what was set before that task was made."""
Sleep = Callable[[float], Awaitable[None]]
T = TypeVar("T")


@contextmanager
def set_within(variable: ContextVar[T], value: T) -> Iterator[None]:
    """Have a context variable hold a value within the context, and what it held before after it."""
    before = variable.set(value)
    try:
        yield
    finally:
        variable.reset(before)


class PassingError(Exception):
    """A failure that may pass: the call is tried again."""

    def __init__(
        self, reason: str, wait: float | None = None, *, late: bool = False, vain: bool = False, hint: str = ""
    ) -> None:
        super().__init__(reason)
        self.hint = hint
        """What a person can do about it, where that is not what can be done about any outage."""
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
    settings = call_settings.get()
    return (settings().call_timeout if settings is not None else None) or own


class Caller(NamedTuple):
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
        self._failures = 0  # Of one call in a row, while no other call had a success.
        # Whether one more failure is one too many: one call probes the server, and the others wait for its end.
        self._open = False
        self.answered = False
        """Whether it has ever given a usable answer."""
        self.refused = 0
        """How many calls it has refused since the last that it answered with what was asked for."""
        self._given_up = 0  # How often it was. A call that is made later begins afresh.
        self._why = self._hint = ""
        self._probe = asyncio.Lock()
        self._rests: dict[str, float] = {}  # Until when no call to a model begins, by the monotonic clock.
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
                self._check(begun)
                if probing and not self._open:
                    continue  # the probe was answered
                try:
                    await self._rested(caller, tries)
                    self._check(begun)
                    result = await once()
                except PassingError as error:
                    self._check(begun)
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

    def _check(self, begun: int) -> None:
        """Give a call up that began before the server was given up."""
        if self._given_up != begun:
            raise RunnerUnavailableError(self._why, hint=self._hint)

    def _failed(self, caller: Caller, tries: int, failure: PassingError) -> None:
        """Count a failure; raise where it is one too many."""
        in_vain = failure.late or (failure.vain and not self.answered)
        most = min(caller.tries, FEW_TRIES) if in_vain else caller.tries
        self._failures = max(self._failures, tries)
        self._open = self._failures >= most - 1
        if self._failures < most:
            return
        why, hint = ENGLISH.say("server-failed", name=caller.name, tries=tries, why=str(failure)), failure.hint
        if caller.another:
            if not failure.vain:  # the server is there: what fails is the model
                self._failures, self._open = 0, False
            raise ModelAwayError(why, hint=hint or caller.later) from failure
        self._why, self._hint, self._given_up = why, hint or caller.later, self._given_up + 1
        self._failures, self._open = 0, False
        raise RunnerUnavailableError(why, hint=self._hint) from failure

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


UNREADABLE = (JSONDecodeError, UnicodeDecodeError, RecursionError)
"""Raised for bytes that are not text and text that is not JSON."""
# Statuses, types and codes of errors that concern the account.
_ACCOUNT = {
    401,
    402,
    403,
    "authentication_error",
    "permission_error",
    "billing_error",
    "billing_hard_limit_reached",
    "insufficient_quota",
    "invalid_api_key",
    "account_deactivated",
    "enforced_spend_limit_reached",
    "contract_spend_limit_reached",
    "linked_organization_spend_limit_reached",
    "linked_organization_billing_unavailable",
    "organization_on_hold",
}
# An empty account, a limit set by its owner or of a day, and a wrong key may come as a plain 400 or 429.
_ACCOUNT_WORDS = regex(r"credit balance|API usage limits|API key not valid|per[-_ ]?day", "I")
OK = 200
_MODERATED = regex(r"moderation|flagged", "I")
# A model that is missing may come as a plain 400.
_NO_MODEL = regex(r"model_not_found|invalid[_ ]model|not a valid model|model\b.* does not exist", "I")
# The whole text of an error where the server is there, and the path is none that it serves.
_NO_ADDRESS = regex(
    r"(invalid url|unexpected endpoint)\b.*|(404:? )?((page|file|path) )?not found\.?|method not allowed", "I"
)
_TOO_LONG = regex(
    r"context[ _](length|window|size)|maximum context|too many tokens|(prompt|input) is too long",
    "I",
)
# Characters. A key like `x`, given to a gateway on the same machine, is not secret. A secret shorter than `_NO_WORD` is
# masked only where it stands as a word of its own.
_SHORTEST_SECRET, _NO_WORD = 3, 8
_MOST_SAID = 300  # Characters of a server's error text that are passed on.


def secrets_of(key: str, url: str) -> frozenset[str]:
    """Return what no error text may contain: key, password and query of the URL, custom headers, in each form sent."""
    credentials = url.partition("//")[2].rpartition("@")[0]
    password = credentials.partition(":")[2]
    sent = base64.b64encode(unquote(credentials).encode()).decode()
    headers = os.environ.get("ANTHROPIC_CUSTOM_HEADERS", "").splitlines()
    values = [line.partition(":")[2].strip() for line in headers]
    query = [part.rpartition("=")[2] for part in re.split("[?&#]", url)[1:]]
    secrets = (key, credentials, password, unquote(password), sent, *values, *query, *map(unquote_plus, query))
    return frozenset(secret for secret in secrets if len(secret) >= _SHORTEST_SECRET)


class TakesNotError(RunnerError):
    """A server refused a call for no reason that concerns this call alone."""


class StatusError(Exception):
    """A server's refusal of a call, with its status code or in the middle of an answer."""

    def __init__(self, words: str, *, status: int, kind: str = "", code: str = "", headers: Mapping[str, str]) -> None:
        super().__init__(words)
        self.status_code = status
        """`OK` where an answer had begun and the error has no status of its own."""
        self.kind = kind
        self.code = code
        self.headers = headers


def meaning_of(
    place: Provider, model: str, error: StatusError, secrets: Collection[str], *, own_model: bool
) -> Exception:
    """Return what a status error means: the exception to raise.

    `PassingError`: try again. `RunnerUnavailableError`: no call will succeed. `RunnerError`: this call will not. If
    `own_model` (the model is the runner's and not a persona's) is missing, every call fails.
    """
    words = error_line(error, secrets) + (f" ({error.status_code})" if error.status_code != OK else "")
    return (
        _of_account(place, model, error, words)
        or _of_place(place, error, words, secrets)
        or _of_model(place, model, error, words, own_model=own_model)
        or _of_call(model, error, words)
    )


def _of_account(place: Provider, model: str, error: StatusError, words: str) -> RunnerError | None:
    status = error.status_code
    if status == 403 and _MODERATED.search(words):
        return RunnerError(ENGLISH.say("server-refuses-prompt", place=place.label, model=model, words=words))
    if _ACCOUNT & {status, error.kind, error.code} or (status in (400, 429) and _ACCOUNT_WORDS.search(words)):
        message = ENGLISH.say("server-refuses-key", place=place.label, words=words)
        return RunnerUnavailableError(message, hint=place.access, refused=True)
    return None


def _of_place(place: Provider, error: StatusError, words: str, secrets: Collection[str]) -> Exception | None:
    if 300 <= error.status_code < 400:
        to = masked(error.headers.get("location", "another address"), secrets)
        status = str(error.status_code)
        return PassingError(ENGLISH.say("server-redirects", place=place.label, to=to, status=status), vain=True)
    if error.status_code in (OK, 404, 405) and _NO_ADDRESS.fullmatch(str(error)):
        message = ENGLISH.say("server-no-address", place=place.label, words=words)
        return RunnerUnavailableError(message, hint=place.address, refused=True)
    return None


def _of_model(place: Provider, model: str, error: StatusError, words: str, *, own_model: bool) -> RunnerError | None:
    unknown = error.status_code == 400 and _NO_MODEL.search(f"{error.kind} {error.code} {words}")
    if not (unknown or error.status_code == 404 or error.kind == "not_found_error"):
        return None
    if own_model:
        hint = ENGLISH.say("server-which-model", model=model, models=place.models)
        return ModelAwayError(ENGLISH.say("server-knows-not", place=place.label, words=words), hint=hint, refused=True)
    return RunnerError(ENGLISH.say("server-no-model", place=place.label, model=model, words=words))


def _of_call(model: str, error: StatusError, words: str) -> Exception:
    status, kind, orders = error.status_code, error.kind, error.headers.get("x-should-retry")
    if 400 <= status < 500 and _TOO_LONG.search(f"{error.code} {kind} {words}"):
        hint = "Choose a model or server with a longer context, or give fewer and shorter documents."
        return RunnerError(ENGLISH.say("server-too-long", model=model, words=words), hint=hint)
    passing = status in (408, 409, 429) or status >= 500 or (status == OK and kind != "invalid_request_error")
    if orders == "true" or (passing and orders != "false"):
        return PassingError(words, _ordered_wait(error.headers), hint=ENGLISH.say("server-there"))
    return TakesNotError(ENGLISH.say("server-took-not", model=model, words=words))


def error_line(error: Exception, secrets: Collection[str]) -> str:
    """Return an error in one line, without secrets."""
    deepest = error.__cause__ or error  # the SDK gives no reason for a broken connection
    return masked(str(deepest) or type(deepest).__name__, secrets)


def masked(words: str, secrets: Collection[str]) -> str:
    """Return words of a server in one line, without secrets."""
    for secret in sorted(secrets, key=len, reverse=True):
        whole = rf"(?<!\w){re.escape(secret)}(?!\w)" if len(secret) < _NO_WORD else re.escape(secret)
        words = re.sub(whole, "[key]", words)
    return " ".join(words.split())[:_MOST_SAID]


def _ordered_wait(headers: Mapping[str, str]) -> float | None:
    """The seconds that the server asks to wait, given as milliseconds, seconds or a date."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        with suppress(ValueError):
            seconds = float(headers.get(name, "")) / unit
            return max(0.0, seconds) if isfinite(seconds) else None
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 - a server seldom names a date

    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    # `-0000` is read as no zone.
    return max(0.0, (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - time.time())
