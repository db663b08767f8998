"""What a server's error means, in any API: try this call again, give this call up, or give all calls up."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from json import JSONDecodeError
from math import isfinite
from time import time
from urllib.parse import unquote, unquote_plus

from eda.errors import RunnerError, RunnerUnavailableError
from eda.runners.server import ModelAwayError, PassingError
from eda.words import ENGLISH

UNREADABLE = (JSONDecodeError, UnicodeDecodeError, RecursionError)
"""Raised for bytes that are not text and text that is not JSON."""
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
"""Statuses, types and codes of errors that concern the account."""
_ACCOUNT_WORDS = re.compile(r"credit balance|API usage limits|API key not valid|per[-_ ]?day", re.IGNORECASE)
"""An empty account, a limit set by its owner or of a day, and a wrong key may come as a plain 400 or 429."""
OK = 200
_MODERATED = re.compile(r"moderation|flagged", re.IGNORECASE)
_NO_MODEL = re.compile(r"model_not_found|invalid[_ ]model|not a valid model|model\b.* does not exist", re.IGNORECASE)
"""A model that is missing may come as a plain 400."""
_NO_ADDRESS = re.compile(
    r"(invalid url|unexpected endpoint)\b.*|(404:? )?((page|file|path) )?not found\.?|method not allowed", re.IGNORECASE
)
"""The whole text of an error where the server is there, and the path is none that it serves."""
_TOO_LONG = re.compile(
    r"context[ _](length|window|size)|maximum context|too many tokens|(prompt|input) is too long",
    re.IGNORECASE,
)
_SHORTEST_SECRET, _NO_WORD = 3, 8
"""Characters. A key like `x`, given to a gateway on the same machine, is not secret. A secret shorter than `_NO_WORD`
is masked only where it stands as a word of its own."""
_MOST_SAID = 300
"""Characters of a server's error text that are passed on."""


@dataclass(frozen=True, slots=True)
class Place:
    """A server of models, and what a person can do about each kind of failure there."""

    name: str
    """As in `the API does not know ...`."""
    access: str
    """What to do about a key or account that is refused."""
    later: str
    """What to do about an outage."""
    models: str
    """What to do about a model that is not there."""
    address: str
    """What to do about an address that cannot be used."""


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


def meaning_of(place: Place, model: str, error: StatusError, secrets: Collection[str], *, own_model: bool) -> Exception:
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


def _of_account(place: Place, model: str, error: StatusError, words: str) -> RunnerError | None:
    status = error.status_code
    if status == 403 and _MODERATED.search(words):
        return RunnerError(ENGLISH.say("server-refuses-prompt", place=place.name, model=model, words=words))
    if _ACCOUNT & {status, error.kind, error.code} or (status in (400, 429) and _ACCOUNT_WORDS.search(words)):
        message = ENGLISH.say("server-refuses-key", place=place.name, words=words)
        return RunnerUnavailableError(message, hint=place.access, refused=True)
    return None


def _of_place(place: Place, error: StatusError, words: str, secrets: Collection[str]) -> Exception | None:
    if 300 <= error.status_code < 400:
        to = masked(error.headers.get("location", "another address"), secrets)
        status = str(error.status_code)
        return PassingError(ENGLISH.say("server-redirects", place=place.name, to=to, status=status), vain=True)
    if error.status_code in (OK, 404, 405) and _NO_ADDRESS.fullmatch(str(error)):
        message = ENGLISH.say("server-no-address", place=place.name, words=words)
        return RunnerUnavailableError(message, hint=place.address, refused=True)
    return None


def _of_model(place: Place, model: str, error: StatusError, words: str, *, own_model: bool) -> RunnerError | None:
    unknown = error.status_code == 400 and _NO_MODEL.search(f"{error.kind} {error.code} {words}")
    if not (unknown or error.status_code == 404 or error.kind == "not_found_error"):
        return None
    if own_model:
        hint = ENGLISH.say("server-which-model", model=model, models=place.models)
        return ModelAwayError(ENGLISH.say("server-knows-not", place=place.name, words=words), hint=hint, refused=True)
    return RunnerError(ENGLISH.say("server-no-model", place=place.name, model=model, words=words))


def _of_call(model: str, error: StatusError, words: str) -> Exception:
    status, kind, orders = error.status_code, error.kind, error.headers.get("x-should-retry")
    if 400 <= status < 500 and _TOO_LONG.search(f"{error.code} {kind} {words}"):
        hint = "Choose a model or server with a longer context, or give fewer and shorter documents."
        return RunnerError(ENGLISH.say("server-too-long", model=model, words=words), hint=hint)
    passing = status in (408, 409, 429) or status >= 500 or (status == OK and kind != "invalid_request_error")
    if orders == "true" or (passing and orders != "false"):
        return PassingError(words, _ordered_wait(error.headers))
    return TakesNotError(ENGLISH.say("server-took-not", model=model, words=words))


def error_line(error: Exception, secrets: Collection[str]) -> str:
    """Return an error in one line, without secrets."""
    deepest = error.__cause__ or error  # the SDK gives no reason for a broken connection
    words = str(deepest) or type(deepest).__name__
    return masked(words, secrets)


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
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    universal = date if date.tzinfo else date.replace(tzinfo=UTC)  # `-0000` is read as no zone
    return max(0.0, universal.timestamp() - time())
