"""Who may ask this server for what: its own names, its own pages, the owner's token, the keys of invited people."""

import hmac
import json
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from time import monotonic
from typing import Any, Literal
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from eda.errors import EdaError, RefusedError, SessionError, UnknownNameError
from eda.panels.settings import SETTINGS
from eda.serve.people import Invitations, Viewer, invited_to
from eda.session import Session
from eda.session.folders import noted
from eda.session.names import check_name
from eda.words import Words, fault

Handler = Callable[[Request], Awaitable[Response]]
_OWNER = "eda_owner"  # The name of the cookie of the owner's browser.
# Seconds after which a browser has to show the token again, unless it came meanwhile; after which its key is exchanged
# for a new one; and for which the old one then still holds, for requests that are on their way.
_LASTS, _RENEWED, _OVERLAP = 12 * 3600.0, 3600.0, 60.0
_SEAT = "eda_seat."  # Begins the name of the cookie of a seat; the session's name follows.
_KEPT = 180 * 86_400  # Seconds that a browser keeps its seat.
# The label of each field of the form that is no setting.
_LABELS = {"human_time": "seconds", "human": "sit", "question": "question", "invite": "invite", "options": "options"}
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
_MOST_BODY = 1_000_000  # Bytes of a request.
# Bytes of those that bring documents: three quarters are the documents'.
_WITH_DOCUMENTS = {"/new": 20_000_000, "/forecast": 20_000_000}


class Owners:
    """Who owns the sessions: whoever shows the token, and browsers that have shown it, until they sign out."""

    def __init__(self, token: str) -> None:
        self._token = token
        # By the hash of a browser's key, when it ends, and when it is exchanged, in seconds of `monotonic`.
        self._keys: dict[str, tuple[float, float]] = {}

    def shows_token(self, request: Request) -> bool:
        """Return whether a request has the token, in its address or as `Authorization: Bearer`."""
        given = request.query_params.get("token", "") or request.headers.get("authorization", "")[len("Bearer ") :]
        return bool(given) and hmac.compare_digest(given.encode(), self._token.encode())

    def knows(self, request: Request) -> bool:
        """Return whether a request is from a browser that has shown the token."""
        return self._keys.get(_hashed(request), (0.0, 0.0))[0] > monotonic()

    def keep(self, request: Request, answer: Response) -> None:
        """Have the browser keep a new key in place of the one that it has."""
        now, old, key = monotonic(), _hashed(request), secrets.token_urlsafe(24)
        self._keys = {each: times for each, times in self._keys.items() if times[0] > now}
        if old in self._keys:
            self._keys[old] = now + _OVERLAP, now + _LASTS
        self._keys[sha256(key.encode()).hexdigest()] = now + _LASTS, now + _RENEWED
        _set_cookie(request, answer, _OWNER, key, int(_LASTS))

    def is_due(self, request: Request) -> bool:
        """Return whether the key of the browser is to be exchanged."""
        return self.knows(request) and self._keys[_hashed(request)][1] < monotonic()

    def sign_out(self, request: Request, answer: Response) -> None:
        """Forget a browser, and keys that were exchanged just now: one of them was its own."""
        after, own = monotonic() + _OVERLAP, _hashed(request)
        self._keys = {each: times for each, times in self._keys.items() if each != own and times[0] > after}
        _set_cookie(request, answer, _OWNER, "", 0)


def _hashed(request: Request) -> str:
    return sha256(request.cookies.get(_OWNER, "").encode()).hexdigest()


def _set_cookie(request: Request, answer: Response, name: str, value: str, seconds: int) -> None:
    secure = request.url.scheme == "https"
    # The file that opens the owner's browser is another site: it would not send a strict cookie on the way.
    site: Literal["lax", "strict"] = "lax" if name == _OWNER else "strict"
    answer.set_cookie(name, value, max_age=seconds, httponly=True, samesite=site, secure=secure)


class Bearers:
    """Passes on the requests of programs that show the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._owners = app, Owners(token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http" and not self._owners.shows_token(Request(scope)):
            await PlainTextResponse("this needs the token", 401, {"WWW-Authenticate": "Bearer"})(scope, receive, send)
        else:
            await self._app(scope, receive, send)


class Guard:
    """Refuses requests for another host, of another site, or of too many bytes; notes who has shown the token."""

    def __init__(self, app: ASGIApp, names: frozenset[str], owners: Owners) -> None:
        self._app = app
        self._names = names
        self._owners = owners

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request, renewed = Request(scope), Response()
        refusal = self._refusal(request)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        request.state.owner = self._owners.knows(request) or self._owners.shows_token(request)
        if self._owners.is_due(request):
            self._owners.keep(request, renewed)

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                known = {key.lower() for key, _ in message["headers"]}
                extra = [(key.lower().encode(), value.encode()) for key, value in _HEADERS.items()]
                extra += [pair for pair in renewed.raw_headers if pair[0] == b"set-cookie"]
                message["headers"] = [*message["headers"], *(pair for pair in extra if pair[0] not in known)]
            await send(message)

        await self._app(scope, receive, with_headers)

    def _refusal(self, request: Request) -> Response | None:
        spoken: Words = request.app.state.spoken
        if not self._is_called(urlsplit(f"//{request.headers.get('host', '')}").hostname or ""):
            return PlainTextResponse(spoken.say("serving-refused", "other-name"), 421)
        if request.query_params.get("token") and self._owners.shows_token(request):
            answer = RedirectResponse("/", 303)
            self._owners.keep(request, answer)
            note_act(request, "signed-in")
            return answer
        if request.method == "POST":
            origin = request.headers.get("origin")
            own = f"{request.url.scheme}://{request.headers.get('host', '')}"
            if origin != own or not request.headers.get("content-type", "").startswith("application/json"):
                return PlainTextResponse(spoken.say("serving-refused", "other-page"), 403)
            most = _WITH_DOCUMENTS.get(request.url.path, _MOST_BODY)
            if int(request.headers.get("content-length") or most + 1) > most:
                return JSONResponse({"error": spoken.say("serving-large", most=most)}, 413)
        return None

    def _is_called(self, name: str) -> bool:
        """Return whether a browser may call the server so; "*" among its names stands for each address in figures."""
        if name in self._names:
            return True
        with suppress(ValueError):  # no other site can have a name in figures
            return "*" in self._names and bool(ip_address(name))
        return False


def viewer_of(request: Request, folder: Path) -> Viewer:
    """Return who sends a request: the owner of the sessions in that folder, or who was invited to some of them."""
    seats: dict[str, str] = {}
    for cookie, key in request.cookies.items():
        name = cookie.removeprefix(_SEAT)
        with suppress(EdaError):
            if name != cookie and (seat := Invitations(folder / check_name(name)).of(key, "browser")):
                seats[name] = seat
    return Viewer(request.state.owner, seats)


def note_act(request: Request, did: str, session: str = "", who: str = "") -> None:
    """Add what somebody does to the server's ledger; `who` is the name of their seat, empty for the owner."""
    address = request.client.host if request.client else ""
    noted(request.app.state.folder, did, session=session, who=who or "owner", address=address)


def keep_seat(request: Request, answer: Response, session: str, key: str) -> None:
    """Have a browser keep the key of its seat, or with an empty key forget it."""
    _set_cookie(request, answer, f"{_SEAT}{session}", key, _KEPT if key else 0)


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
                raise fault("error-not-open", RefusedError)
            return await handler(request)
        except EdaError as error:
            kinds = {RefusedError: 403, UnknownNameError: 404, SessionError: 409}
            status = next((code for kind, code in kinds.items() if isinstance(error, kind)), 400)
            what, hint = _in_form(error, words_for(request))
            if "text/html" in request.headers.get("accept", ""):
                door: Callable[..., Response] = request.app.state.door
                return door(request, f"{what}.", hint, status)
            return JSONResponse({"error": what, "hint": hint, "about": error.about}, status)
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
            return JSONResponse({"error": words_for(request).say("serving-no-json")}, 400)

    return answer


def _in_form(error: EdaError, words: Words) -> tuple[str, str]:
    """Return what was wrong and what to do; a field of a form is called by its label."""
    key, data = error.told or ("", {})
    setting = SETTINGS.get(error.about)
    label = words.labels("settings-page", "decisions-page").get(
        setting.key if setting else _LABELS.get(error.about, "")
    )
    return words.told(key, {**data, "name": label, "path": label}) if label and "path" in data else words.error(error)


def words_for(request: Request) -> Words:
    """Return the words of the page that asks: those of the session, else those of the list."""
    folder: Path = request.app.state.folder
    invited = invited_to(folder, request.path_params.get("secret", ""))
    with suppress(EdaError), Session.read(request.path_params.get("name") or (invited or [""])[0], folder) as session:
        return session.started().settings.words
    spoken: Words = request.app.state.spoken
    return spoken
