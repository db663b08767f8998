"""What an error of the Messages API means: ask again, give up this call, or give up all calls."""

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
from typing import TYPE_CHECKING
from urllib.parse import unquote, unquote_plus

from eda.errors import RunnerError, RunnerUnavailableError

if TYPE_CHECKING:
    from anthropic import APIStatusError

__all__ = ["UNREADABLE", "ModelAwayError", "PassingError", "Place", "judged", "said", "secrets_of"]

UNREADABLE = (JSONDecodeError, UnicodeDecodeError, RecursionError)
"""What the SDK raises over bytes that are no text, and text that is no JSON."""
_ACCOUNT_TYPES = {"authentication_error", "permission_error", "billing_error"}
_ACCOUNT_CODES = {
    "enforced_spend_limit_reached",
    "contract_spend_limit_reached",
    "linked_organization_spend_limit_reached",
    "linked_organization_billing_unavailable",
    "organization_on_hold",
}
_ACCOUNT_WORDS = re.compile(r"credit balance|API usage limits", re.IGNORECASE)
"""An empty account and a limit that its owner set come as a plain 400; only the wording tells."""
_SHORTEST_SECRET, _NO_WORD = 3, 8
"""Characters. A gateway on the same machine is given `x` for a key, which is no secret; what is shorter than `_NO_WORD`
may be a part of other words, which are left as they are."""
_MOST_SAID = 300
"""Characters of a server's words that are passed on."""


class PassingError(Exception):
    """A failure that may not happen again."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait
        """Seconds that the server asked for."""


class ModelAwayError(RunnerUnavailableError):
    """A model of the runner's own is not there, or rests for long: each call to it fails; one to a fallback may not."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where models are asked, and what a person can do about what goes wrong there."""

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
    near: bool = False
    """On the user's side: where nobody listens, nobody will before somebody starts it."""


def secrets_of(key: str, url: str) -> frozenset[str]:
    """What no error may say, in the forms it is sent in: key, password and query of the URL, the user's own headers."""
    credentials = url.partition("//")[2].rpartition("@")[0]
    password = credentials.partition(":")[2]
    sent = base64.b64encode(unquote(credentials).encode()).decode()
    headers = os.environ.get("ANTHROPIC_CUSTOM_HEADERS", "").splitlines()
    values = [line.partition(":")[2].strip() for line in headers]
    query = [part.rpartition("=")[2] for part in re.split("[?&#]", url)[1:]]
    secrets = (key, credentials, password, unquote(password), sent, *values, *query, *map(unquote_plus, query))
    return frozenset(secret for secret in secrets if len(secret) >= _SHORTEST_SECRET)


def judged(place: Place, model: str, error: APIStatusError, secrets: Collection[str], *, own_model: bool) -> Exception:
    """What a status error means. `own_model`: the model is the runner's, so that every call fails if it is not there.

    Returns:
        `PassingError`: ask again. `RunnerUnavailableError`: no call will succeed. `RunnerError`: this one will not.
    """
    status, kind, words = error.status_code, error.type, said(error, secrets)
    if (
        status in (401, 402, 403)
        or kind in _ACCOUNT_TYPES
        or error.error_code in _ACCOUNT_CODES
        or (status == 400 and _ACCOUNT_WORDS.search(words))
    ):
        return RunnerUnavailableError(f"{place.name} refuses this key or account: {words}", hint=place.access)
    if status == 404 or kind == "not_found_error":
        if own_model:
            hint = f"Is {model} the name of a model there? {place.models}"
            return ModelAwayError(f"{place.name} does not know what was asked for: {words}", hint=hint)
        return RunnerError(f"{place.name} does not know the model {model} that the persona asks for: {words}")
    orders = error.response.headers.get("x-should-retry")
    mid_stream = status == 200
    passing = status in (408, 409, 429) or status >= 500 or (mid_stream and kind != "invalid_request_error")
    if orders == "true" or (passing and orders != "false"):
        return PassingError(words, _ordered_wait(error.response.headers))
    return RunnerError(f"{model} did not take the question: {words}")


def said(error: Exception, secrets: Collection[str]) -> str:
    """An error in one line, secrets taken out."""
    deepest = error.__cause__ or error  # the SDK says of any broken connection no more than that it is one
    words = str(getattr(error, "api_message", None) or deepest) or type(deepest).__name__
    status = getattr(error, "status_code", None)
    for secret in sorted(secrets, key=len, reverse=True):
        whole = rf"(?<!\w){re.escape(secret)}(?!\w)" if len(secret) < _NO_WORD else re.escape(secret)
        words = re.sub(whole, "[key]", words)
    line = " ".join(words.split())[:_MOST_SAID]
    return f"{line} ({status})" if status not in (None, 200) else line


def _ordered_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks for: milliseconds, seconds or a date."""
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
