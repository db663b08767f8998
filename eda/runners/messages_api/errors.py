"""What an error means: try this call again, give this call up, or give all calls up."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from importlib.util import find_spec
from json import JSONDecodeError
from math import isfinite
from time import time
from typing import TYPE_CHECKING
from urllib.parse import unquote, unquote_plus
from urllib.request import getproxies

from eda.errors import RunnerError, RunnerUnavailableError
from eda.runners.server import ModelAwayError, PassingError

if TYPE_CHECKING:
    from anthropic import APIStatusError

UNREADABLE = (JSONDecodeError, UnicodeDecodeError, RecursionError)
"""Raised by the SDK for bytes that are not text and text that is not JSON."""
_ACCOUNT = {
    401,
    402,
    403,
    "authentication_error",
    "permission_error",
    "billing_error",
    "enforced_spend_limit_reached",
    "contract_spend_limit_reached",
    "linked_organization_spend_limit_reached",
    "linked_organization_billing_unavailable",
    "organization_on_hold",
}
"""Statuses, types and codes of errors that concern the account."""
_ACCOUNT_WORDS = re.compile(r"credit balance|API usage limits", re.IGNORECASE)
"""An empty account, and a limit set by its owner, come as a plain 400; only the wording tells."""
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


def meaning_of(
    place: Place, model: str, error: APIStatusError, secrets: Collection[str], *, own_model: bool
) -> Exception:
    """Return what a status error means: the exception to raise.

    `PassingError`: try again. `RunnerUnavailableError`: no call will succeed. `RunnerError`: this call will not. If
    `own_model` (the model is the runner's and not a persona's) is missing, every call fails.
    """
    status, kind, words = error.status_code, error.type, error_line(error, secrets)
    if _ACCOUNT & {status, kind, error.error_code} or (status == 400 and _ACCOUNT_WORDS.search(words)):
        message = f"{place.name} refuses this key or account: {words}"
        return RunnerUnavailableError(message, hint=place.access, refused=True)
    if 300 <= status < 400:
        to = masked(error.response.headers.get("location", "another address"), secrets)
        return PassingError(f"{place.name} redirects to {to}, and no redirect is followed ({status})", vain=True)
    if status == 404 or kind == "not_found_error":
        if own_model:
            hint = f"Is {model} the name of a model there? {place.models}"
            return ModelAwayError(f"{place.name} does not know what was asked for: {words}", hint=hint, refused=True)
        return RunnerError(f"{place.name} does not know the model {model} that the persona asks for: {words}")
    orders = error.response.headers.get("x-should-retry")
    mid_stream = status == 200
    passing = status in (408, 409, 429) or status >= 500 or (mid_stream and kind != "invalid_request_error")
    if orders == "true" or (passing and orders != "false"):
        return PassingError(words, _ordered_wait(error.response.headers))
    return RunnerError(f"{model} did not take the question: {words}")


def error_line(error: Exception, secrets: Collection[str]) -> str:
    """Return an error in one line, without secrets."""
    deepest = error.__cause__ or error  # the SDK gives no reason for a broken connection
    words = str(getattr(error, "api_message", None) or deepest) or type(deepest).__name__
    status = getattr(error, "status_code", None)
    line = masked(words, secrets)
    return f"{line} ({status})" if status not in (None, 200) else line


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


def check_proxies() -> None:
    """Refuse proxies that cannot be used, before a call is made: the SDK would end with a traceback.

    Raises:
        RunnerUnavailableError: the environment names a proxy of a kind that cannot be used.
    """
    named = getproxies()
    for name in sorted(named.keys() & {"http", "https", "all"}):
        kind, separator, _ = named[name].casefold().partition("://")
        if not separator or kind in ("http", "https") or (kind in ("socks5", "socks5h") and find_spec("socksio")):
            continue
        lacks = "it needs the package socksio" if kind.startswith("socks5") else "it is of no known kind"
        raise RunnerUnavailableError(
            f"the proxy that {name.upper()}_PROXY names cannot be used: {lacks}",
            hint="`pip install socksio`, or write it as http://HOST:PORT.",
            refused=True,
        )
