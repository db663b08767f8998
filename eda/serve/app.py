"""The server: pages of sessions, their live events, and what a person at a page may do.

It serves this machine alone unless it is told otherwise, and then only to who has its token. No page of another site
can act: a request that changes something is JSON from the server's own origin.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pydantic import BaseModel, ValidationError
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from eda.debate.replay import read_back
from eda.errors import EdaError, SessionError, UnknownNameError, UsageError
from eda.panels.agenda import agenda_names, load_agenda
from eda.panels.files import complaint
from eda.panels.library import Library
from eda.report.formatting import money, one_line
from eda.report.forms import in_each_form
from eda.report.gather import report_of
from eda.serve.actions import Forked, Steered, cost_of, forked, steer
from eda.serve.feed import Feed
from eda.serve.host import Doing, Host, Wanted
from eda.serve.past import Past
from eda.serve.search import decision_log, marked, when, words_of
from eda.session import Session

T = TypeVar("T", bound=BaseModel)
_PAGE = Path(__file__).with_name("page")
_REPORT = Path(__file__).parents[1] / "report" / "page"
_COOKIE = "eda_token"
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
_STATIC = {
    "base.css": (_REPORT / "report.css", "text/css"),
    "live.css": (_PAGE / "live.css", "text/css"),
    **{file.name: (file, "text/javascript") for file in _PAGE.glob("*.js")},
}
_MOST_BODY = 20_000_000
"""Bytes of a request: of the documents of a new debate three quarters."""
_LISTED = 500
"""Sessions on the first page, the newest."""


def make_app(host: Host, *, names: frozenset[str], token: str = "") -> Starlette:
    """Return the application.

    Args:
        host: runs the debates.
        names: the hosts by which a browser may call the server; another is refused.
        token: what a browser must have shown once, at `/?token=...`; empty for none.
    """
    pages = _Pages(host, local=not token)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await host.close()
        await pages.close()

    routes = [
        Route("/", _guarded(pages.sessions)),
        Route("/new", _guarded(pages.new), methods=["POST"]),
        Route("/forecast", _guarded(pages.forecast), methods=["POST"]),
        Route("/s/{name}", _guarded(pages.session)),
        Route("/s/{name}/events", _guarded(pages.events)),
        Route("/s/{name}/at/{number:int}", _guarded(pages.at)),
        Route("/s/{name}/do", _guarded(pages.do), methods=["POST"]),
        Route("/s/{name}/fork", _guarded(pages.fork), methods=["POST"]),
        Route("/s/{name}/steer", _guarded(pages.steer), methods=["POST"]),
        Route("/s/{name}/report", _guarded(pages.report)),
        Route("/static/{file}", _static),
    ]
    app = Starlette(routes=routes, lifespan=lifespan)
    app.add_middleware(_Guard, names=names, token=token)
    return app


class _Guard:
    """Refuses requests for another host, of another site, without the token, or of too many bytes."""

    def __init__(self, app: ASGIApp, names: frozenset[str], token: str) -> None:
        self._app = app
        self._names = names
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        refusal = self._refusal(request)
        if refusal is not None:
            await refusal(scope, receive, send)
            return

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                known = {key.lower() for key, _ in message["headers"]}
                extra = [(key.lower().encode(), value.encode()) for key, value in _HEADERS.items()]
                message["headers"] = [*message["headers"], *(pair for pair in extra if pair[0] not in known)]
            await send(message)

        await self._app(scope, receive, with_headers)

    def _refusal(self, request: Request) -> Response | None:
        if (urlsplit(f"//{request.headers.get('host', '')}").hostname or "") not in self._names:
            return PlainTextResponse("this server has another name", 421)
        if self._token:
            given = request.query_params.get("token", "")
            if given and hmac.compare_digest(given.encode(), self._token.encode()):
                answer = RedirectResponse(request.url.path, 303)
                answer.set_cookie(_COOKIE, self._token, httponly=True, samesite="strict")
                return answer
            if not hmac.compare_digest(request.cookies.get(_COOKIE, "").encode(), self._token.encode()):
                return PlainTextResponse("open the address with the token that `eda serve` has printed", 403)
        if request.method == "POST":
            origin = request.headers.get("origin")
            own = f"{request.url.scheme}://{request.headers.get('host', '')}"
            if origin != own or not request.headers.get("content-type", "").startswith("application/json"):
                return PlainTextResponse("only a page of this server can do that", 403)
            if int(request.headers.get("content-length") or _MOST_BODY + 1) > _MOST_BODY:
                return JSONResponse({"error": f"a request has at most {_MOST_BODY:,} bytes"}, 413)
        return None


Handler = Callable[[Request], Awaitable[Response]]


def _guarded(handler: Handler) -> Handler:
    """Return a handler that answers an error with what was wrong and what to do."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except EdaError as error:
            status = 404 if isinstance(error, UnknownNameError) else 409 if isinstance(error, SessionError) else 400
            return JSONResponse({"error": str(error), "hint": error.hint}, status)
        except json.JSONDecodeError:
            return JSONResponse({"error": "the request is no JSON"}, 400)

    return answer


def _read(kind: type[T], given: object) -> T:
    """Return a request of that kind.

    Raises:
        UsageError: it is none; the message names the first field that is wrong.
    """
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        _, reason, hint = complaint(error)
        raise UsageError(f"the request: {reason}", hint=hint) from error


async def _static(request: Request) -> Response:
    file, kind = _STATIC.get(request.path_params["file"], (None, ""))
    if file is None:
        return PlainTextResponse("there is no such file", 404)
    return Response(_text(file), media_type=kind)


class _Pages:
    """What each address answers."""

    def __init__(self, host: Host, *, local: bool) -> None:
        self._host = host
        self._local = local
        self._feeds: dict[str, Feed] = {}
        self._forecasting = asyncio.Lock()
        self._past = Past()

    async def sessions(self, request: Request) -> Response:
        """The decision log, or of a search what it finds; and the form for a new debate."""
        words = words_of(request.query_params.get("q", ""))
        rows, hits, unread = await run_in_threadpool(decision_log, self._host.folder, words)
        data = {
            "rows": rows[:_LISTED],
            "more": max(0, len(rows) - _LISTED),
            "query": " ".join(words),
            "place": "on this machine only" if self._local else "shared: needs the token",
            "hits": hits,
            "unread": unread,
            "marked": lambda text: marked(one_line(text), words),
            "panels": sorted(Library().panels.values(), key=lambda panel: panel.title),
            "panel": self._host.panel,
            "formats": [load_agenda(name) for name in agenda_names()],
            "runner": self._host.runner,
            "one_line": one_line,
            "money": money,
            "when": partial(when, now=datetime.now().astimezone()),
        }
        return HTMLResponse(_template("list.html.j2", data))

    async def new(self, request: Request) -> Response:
        """Begin a debate."""
        wanted = _read(Wanted, await request.json())
        if wanted.format and wanted.format not in agenda_names():
            raise UsageError(f"there is no format {wanted.format!r}")
        plan = await run_in_threadpool(self._host.planned, wanted)
        return JSONResponse({"session": self._host.start(wanted, plan)})

    async def forecast(self, request: Request) -> Response:
        """What a debate would cost, in words; one is worked out at a time."""
        wanted = _read(Wanted, await request.json())
        async with self._forecasting:
            return JSONResponse({"cost": await run_in_threadpool(cost_of, self._host, wanted)})

    async def fork(self, request: Request) -> Response:
        """Make a fork of a session."""
        wanted, name = _read(Forked, await request.json()), request.path_params["name"]
        return JSONResponse({"session": await run_in_threadpool(forked, name, self._host.folder, wanted)})

    async def steer(self, request: Request) -> Response:
        """Change who sits, who may speak, and the limits."""
        wanted = _read(Steered, await request.json())
        return JSONResponse({"done": await steer(self._host, request.path_params["name"], wanted)})

    async def session(self, request: Request) -> Response:
        """The page of a session; what it shows comes with its events."""
        name = request.path_params["name"]
        with Session.read(name, self._host.folder) as session:
            question = session.started().question
        personas = sorted(Library().personas.values(), key=lambda persona: persona.title)
        data = {"name": name, "question": one_line(question), "personas": personas, "one_line": one_line}
        return HTMLResponse(_template("session.html.j2", data))

    async def events(self, request: Request) -> Response:
        """Each thing that the page is told, as server-sent events."""
        feed = await self._feed(request.path_params["name"])
        after = request.headers.get("last-event-id") or request.query_params.get("after", "")
        told = feed.view(int(after) if after.isdecimal() and len(after) < 12 else 0)

        async def lines() -> AsyncIterator[dict[str, Any]]:
            async with aclosing(told):
                async for said in told:
                    data = {"data": json.dumps(said, ensure_ascii=False)}
                    yield {**data, "id": str(said["seq"])} if "seq" in said else data

        return EventSourceResponse(lines(), ping=15)

    async def _feed(self, name: str) -> Feed:
        """Return the feed of a session; those that nobody looks at any more are closed."""
        for other, feed in [*self._feeds.items()]:
            if feed.failed if other == name else feed.idle:
                del self._feeds[other]
                await feed.close()
        if name not in self._feeds:
            self._feeds[name] = Feed(self._host, name)
        return self._feeds[name]

    async def at(self, request: Request) -> Response:
        """The table as it stood after a message."""
        of = request.path_params
        return JSONResponse(await run_in_threadpool(self._past.at, of["name"], self._host.folder, of["number"]))

    async def do(self, request: Request) -> Response:
        """Steer a session, speak, vote, take a note, or go on with it."""
        name, doing = request.path_params["name"], _read(Doing, await request.json())
        if doing.do == "note":
            await run_in_threadpool(self._host.note, name, doing.text)
        else:
            self._host.act(name, doing)
        return JSONResponse({"done": doing.do})

    async def report(self, request: Request) -> Response:
        """The report of a session, as its file."""
        page = await run_in_threadpool(self._report, request.path_params["name"])
        policy = page.partition('Content-Security-Policy" content="')[2].partition('"')[0]
        return HTMLResponse(page, headers={"Content-Security-Policy": policy.replace("&#39;", "'")})

    def _report(self, name: str) -> str:
        with Session.read(name, self._host.folder) as session:
            progress, memory = read_back(session)
            return in_each_form(session, report_of(session, progress, memory), memory).page

    async def close(self) -> None:
        """Follow no session any more."""
        for feed in self._feeds.values():
            await feed.close()


@cache
def _text(file: Path) -> str:
    return file.read_text("utf-8")


def _template(name: str, data: Mapping[str, Any]) -> str:
    return _environment().get_template(name).render(data)


@cache
def _environment() -> Environment:
    loader = FileSystemLoader([_PAGE, _REPORT])
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
