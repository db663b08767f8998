"""Who may ask this server for what: its own names, its own pages, the owner's token, the keys of invited people."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from eda.errors import EdaError, RefusedError, SessionError, UnknownNameError, UsageError
from eda.panels.files import complaint
from eda.serve.people import Invitations, Viewer
from eda.session.names import check_name
from eda.words import ENGLISH

T = TypeVar("T", bound=BaseModel)
Handler = Callable[[Request], Awaitable[Response]]
_TOKEN = "eda_token"  # noqa: S105 - the name of a cookie
_SEAT = "eda_seat."
"""Begins the name of the cookie of a seat; the session's name follows."""
_KEPT = 180 * 86_400
"""Seconds that a browser keeps its seat."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_MOST_BODY = 1_000_000
"""Bytes of a request."""
_WITH_DOCUMENTS = {"/new": 20_000_000, "/forecast": 20_000_000}
"""Bytes of those that bring documents: three quarters are the documents'."""


class Guard:
    """Refuses requests for another host, of another site, or of too many bytes; notes who has shown the token."""

    def __init__(self, app: ASGIApp, names: frozenset[str], token: str) -> None:
        self._app = app
        self._names = names
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        refusal = self._refusal(request)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        request.state.token = self._shows_token(request.cookies.get(_TOKEN, "")) if self._token else None

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                known = {key.lower() for key, _ in message["headers"]}
                extra = [(key.lower().encode(), value.encode()) for key, value in _HEADERS.items()]
                message["headers"] = [*message["headers"], *(pair for pair in extra if pair[0] not in known)]
            await send(message)

        await self._app(scope, receive, with_headers)

    def _refusal(self, request: Request) -> Response | None:
        if not self._is_called(urlsplit(f"//{request.headers.get('host', '')}").hostname or ""):
            return PlainTextResponse("this server has another name", 421)
        if self._token and self._shows_token(request.query_params.get("token", "")):
            answer = RedirectResponse(request.url.path, 303)
            answer.set_cookie(_TOKEN, self._token, httponly=True, samesite="strict")
            return answer
        if request.method == "POST":
            origin = request.headers.get("origin")
            own = f"{request.url.scheme}://{request.headers.get('host', '')}"
            if origin != own or not request.headers.get("content-type", "").startswith("application/json"):
                return PlainTextResponse("only a page of this server can do that", 403)
            most = _WITH_DOCUMENTS.get(request.url.path, _MOST_BODY)
            if int(request.headers.get("content-length") or most + 1) > most:
                return JSONResponse({"error": ENGLISH.say("serving-large", most=most)}, 413)
        return None

    def _is_called(self, name: str) -> bool:
        """Return whether a browser may call the server so; "*" among its names stands for each address in figures."""
        if name in self._names:
            return True
        with suppress(ValueError):  # no other site can have a name in figures
            return "*" in self._names and bool(ip_address(name))
        return False

    def _shows_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())


def viewer_of(request: Request, folder: Path) -> Viewer:
    """Return who sends a request: the owner of the sessions in that folder, or who was invited to some of them.

    Where there is no token, everybody on this machine is the owner, but for browsers that came by an invitation.
    """
    seats: dict[str, str] = {}
    for cookie, key in request.cookies.items():
        name = cookie.removeprefix(_SEAT)
        with suppress(EdaError):
            if name != cookie and (seat := Invitations(folder / check_name(name)).seat_of(key)):
                seats[name] = seat
    return Viewer(not seats if request.state.token is None else request.state.token, seats)


def keep_seat(answer: Response, session: str, key: str) -> None:
    """Have a browser keep the key of its seat, or with an empty key forget it."""
    answer.set_cookie(f"{_SEAT}{session}", key, max_age=_KEPT if key else 0, httponly=True, samesite="strict")


def guarded(handler: Handler, to: Literal["owner", "invited", "all"] = "owner") -> Handler:
    """Return a handler that is open to these people, and answers an error with what was wrong and what to do."""

    async def answer(request: Request) -> Response:
        try:
            viewer = request.state.viewer = viewer_of(request, request.app.state.folder)
            name = request.path_params.get("name")
            if name is not None:
                check_name(name)
            invited = to == "invited" and (bool(viewer.seats) if name is None else viewer.sees(name))
            if not (to == "all" or viewer.owner or invited):
                raise RefusedError(
                    "this is not open to you",
                    hint="Open the address with the token, or the invitation that you were given.",
                )
            return await handler(request)
        except EdaError as error:
            kinds = {RefusedError: 403, UnknownNameError: 404, SessionError: 409}
            status = next((code for kind, code in kinds.items() if isinstance(error, kind)), 400)
            if "text/html" in request.headers.get("accept", ""):
                return PlainTextResponse(f"{error}. {error.hint}".strip(), status)
            return JSONResponse({"error": str(error), "hint": error.hint}, status)
        except (json.JSONDecodeError, UnicodeDecodeError):
            return JSONResponse({"error": "the request is no JSON"}, 400)

    return answer


def read(kind: type[T], given: object) -> T:
    """Return a request of that kind.

    Raises:
        UsageError: it is none; the message names the first field that is wrong.
    """
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        _, reason, hint = complaint(error)
        raise UsageError(f"the request: {reason}", hint=hint) from error
