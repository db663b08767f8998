"""The server: pages of sessions, their live events, invitations, and what a person at a page may do.

It serves this machine alone unless it is told otherwise, and then only to who has its token. No page of another site
can act: a request that changes something is JSON from the server's own origin.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from eda.debate.replay import read_back
from eda.errors import EdaError, RefusedError, SessionError
from eda.memory import ConversationMemory
from eda.panels.agenda import agenda_names, load_agenda
from eda.panels.alternatives import alternatives_in
from eda.panels.request import DebateRequest
from eda.panels.settings import LIMITS, OFFERED, Frozen
from eda.report.badges import badges_of
from eda.report.formatting import money, one_line, role_of, title_of
from eda.report.forms import in_each_form
from eda.report.gather import report_of
from eda.report.overview import due_since, followed_up, forked_from
from eda.report.sections import followed_lines, hinges_on
from eda.serve.documents import documents_of
from eda.serve.feed import Feed
from eda.serve.guard import Guard, Owners, guarded, keep_seat, note_act, viewer_of, words_for
from eda.serve.host import Doing, Forked, Host, Steered, cost_of, forked, steer
from eda.serve.people import Invitations, Viewer, invited_to
from eda.serve.search import decision_log, marked, when, words_of
from eda.serve.shown import stood_after
from eda.serve.trials import Tested, tested
from eda.session import Session
from eda.session.names import session_names
from eda.words import Words, fault


class _Who(Frozen):
    who: str  # The name of who was invited.


_PAGE = Path(__file__).with_name("page")
_REPORT = Path(__file__).parents[1] / "report" / "page"
_TEMPLATES = Environment(
    loader=FileSystemLoader([_PAGE, _REPORT]),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_STATIC = {
    "base.css": (_REPORT / "report.css", "text/css"),
    "live.css": (_PAGE / "live.css", "text/css"),
    **{file.name: (file, "text/javascript") for file in _PAGE.glob("*.js")},
}
_INVITED_DO = ("say", "read", "answer", "unvote", "line", "note")
_LAST = 3.0  # Seconds in which pages are told the last facts.
_FOLLOWED = 4  # Sessions that are followed at most though nobody looks at them any more.
_LISTED = 500  # Sessions on the first page, the newest.


def make_app(host: Host, *, names: frozenset[str], token: str) -> Starlette:
    """Return the application.

    Args:
        host: runs the debates.
        names: the hosts by which a browser may call the server; another is refused. "*" is any address in figures.
        token: what the owner's browser must have shown, at `/?token=...`.
    """
    pages, owners = _Pages(host), Owners(token)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        ConversationMemory()
        yield
        await host.close()
        await pages.close()

    routes = [
        Route("/", guarded(pages.sessions, "invited")),
        Route("/new", guarded(pages.new), methods=["POST"]),
        Route("/alternatives", guarded(pages.alternatives)),
        Route("/forecast", guarded(pages.forecast), methods=["POST"]),
        Route("/s/{name}", guarded(pages.session, "invited")),
        Route("/s/{name}/events", guarded(pages.events, "invited")),
        Route("/s/{name}/at/{number:int}", guarded(pages.at, "invited")),
        Route("/s/{name}/documents", guarded(pages.documents, "invited")),
        Route("/s/{name}/do", guarded(pages.do, "invited"), methods=["POST"]),
        Route("/s/{name}/fork", guarded(pages.fork), methods=["POST"]),
        Route("/s/{name}/steer", guarded(pages.steer), methods=["POST"]),
        Route("/s/{name}/stress", guarded(pages.stress), methods=["POST"]),
        Route("/s/{name}/report", guarded(pages.report, "invited")),
        Route("/join/{secret}", guarded(pages.join, "all")),
        Route("/join/{secret}", guarded(pages.sit, "all"), methods=["POST"]),
        Route("/s/{name}/people", guarded(pages.people)),
        Route("/s/{name}/invite", guarded(pages.invite), methods=["POST"]),
        Route("/s/{name}/leave", guarded(pages.leave, "invited"), methods=["POST"]),
        Route("/sign-out", guarded(pages.sign_out), methods=["POST"]),
        Route("/static/{file}", _static),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _no_page})
    app.state.folder, app.state.spoken, app.state.end = host.folder, host.spoken, pages.end_all
    app.state.owners, app.state.door = owners, door
    app.add_middleware(Guard, names=names, owners=owners)
    return app


async def _static(request: Request) -> Response:
    file, kind = _STATIC.get(request.path_params["file"], (None, ""))
    if file is None:
        raise HTTPException(404)
    return FileResponse(file, media_type=kind)


async def _no_page(request: Request, error: Exception) -> Response:
    """Answer what asks for a page that there is not."""
    assert isinstance(error, HTTPException)
    what, hint = words_for(request).error(fault("error-no-page"))
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse(what, error.status_code, error.headers)
    request.state.viewer = viewer_of(request, request.app.state.folder)
    return door(request, f"{what}.", hint, error.status_code)


def door(request: Request, wrong: str = "", hint: str = "", status: int = 200, **given: str) -> Response:
    """Return a page at the door: an invitation, or what is wrong with a request and the way on."""
    viewer: Viewer = request.state.viewer
    words = words_for(request)
    known, asks = viewer.owner or bool(viewer.seats), status == 403
    labels = words.labels("seat-join")
    told = {"name": "", "head": labels["not-open" if asks and not known else "no-way"], "wrong": wrong, "hint": hint}
    page = _TEMPLATES.get_template("door.html.j2")
    shown = {"words": labels, "language": words.language, "known": known, "asks": asks}
    return HTMLResponse(page.render(shown | told | given), status)


class _Pages:
    """What each address answers."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._feeds: dict[str, Feed] = {}
        self._forecasting = asyncio.Lock()

    async def sessions(self, request: Request) -> Response:
        """The decision log, or of a search what it finds; and the form for a new debate."""
        query = one_line(request.query_params.get("q", ""))
        words, now = words_of(query), datetime.now().astimezone()
        viewer: Viewer = request.state.viewer
        spoken = self._host.spoken
        rows, hits = await run_in_threadpool(decision_log, self._host.folder, query, viewer.sees)
        data = {
            "rows": rows[:_LISTED],
            "more": max(0, len(rows) - _LISTED),
            "query": query,
            "all": 0 if rows else len(session_names(self._host.folder)),
            "words": words,
            "owner": viewer.owner,
            "hits": hits,
            "marked": lambda text: marked(one_line(text), words),
            "panels": sorted(self._host.roster.panels.values(), key=lambda panel: title_of(panel.title, spoken)),
            "panel": self._host.panel,
            "formats": [load_agenda(name) for name in agenda_names()],
            "settings": [*OFFERED.values()],
            "runner": self._host.runner,
            "one_line": one_line,
            "money": partial(money, words=spoken),
            "t": spoken.labels("settings-page", "decisions-page"),
            "say": spoken.say,
            "title_of": partial(title_of, words=spoken),
            "language": spoken.language,
            "parent": partial(forked_from, words=spoken),
            "when": partial(when, now=now, words=spoken),
            "badges_of": lambda row: badges_of(dict.fromkeys(row["members"], "")),
            "followed": lambda row: list(followed_lines(followed_up(row), spoken)),
            "hinges": partial(hinges_on, words=spoken),
            "due": partial(due_since, today=now.date()),
        }
        return HTMLResponse(_TEMPLATES.get_template("list.html.j2").render(data))

    async def new(self, request: Request) -> Response:
        name = self._host.start(await run_in_threadpool(self._host.prepared, DebateRequest.of(await request.json())))
        await self._host.begun(name)
        return JSONResponse({"session": name})

    async def alternatives(self, request: Request) -> Response:
        """The alternatives in a question that somebody types."""
        return JSONResponse(alternatives_in(request.query_params.get("question", "")[:4000]))

    async def forecast(self, request: Request) -> Response:
        """What a debate would cost, in words; one is worked out at a time."""
        wanted = DebateRequest.of(await request.json())
        async with self._forecasting:
            return JSONResponse({"cost": await run_in_threadpool(cost_of, self._host, wanted)})

    async def fork(self, request: Request) -> Response:
        wanted, name = Forked.of_data(await request.json()), request.path_params["name"]
        return JSONResponse({"session": await run_in_threadpool(forked, name, self._host.folder, wanted)})

    async def steer(self, request: Request) -> Response:
        """Change who sits, who may speak, and the limits."""
        wanted = Steered.of_data(await request.json())
        return JSONResponse({"done": await steer(self._host, request.path_params["name"], wanted)})

    async def stress(self, request: Request) -> Response:
        """What a test of the verdict would try and take; it starts or stops one where that is asked for."""
        wanted = Tested.of_data(await request.json())
        return JSONResponse(await tested(self._host, request.path_params["name"], wanted))

    async def session(self, request: Request) -> Response:
        """The page of a session; what it shows comes with its events."""
        name = request.path_params["name"]
        with Session.read(name, self._host.folder) as session:
            started = session.started()
            question, language = started.question, started.settings.language
        personas = sorted(self._host.roster.personas.values(), key=lambda persona: persona.title)
        data = {
            "name": name,
            "question": one_line(question),
            "personas": personas,
            "limits": LIMITS,
            "one_line": one_line,
            "role_of": lambda role: role_of(role, Words(language)),
            "say": Words(language).say,
            "language": language,
            "words": Words(language).labels("settings-page", "live-page", "ballot-page", "seat-page"),
            "owner": request.state.viewer.owner,
            "seated": bool(self._who(name, request.state.viewer)),
        }
        page = HTMLResponse(_TEMPLATES.get_template("session.html.j2").render(data))
        await self._feed(name)  # it reads the log while the browser gets what the page needs
        return page

    async def events(self, request: Request) -> Response:
        name, viewer = request.path_params["name"], request.state.viewer
        feed = await self._feed(name)
        after = request.headers.get("last-event-id") or request.query_params.get("after", "")
        seen = int(after) if after.isdecimal() and len(after) < 12 else 0
        return EventSourceResponse(feed.view(seen, owner=viewer.owner, who=self._who(name, viewer)), ping=15)

    async def _feed(self, name: str) -> Feed:
        """Return the feed of a session; of those that nobody looks at any more only the last few stay open."""
        left = sorted((feed.left, other) for other, feed in self._feeds.items() if not feed.viewers and other != name)
        old = {other for _, other in left[:-_FOLLOWED]}
        for other, feed in [*self._feeds.items()]:
            if feed.failed if other == name else other in old:
                del self._feeds[other]
                await feed.close()
        if name not in self._feeds:
            self._feeds[name] = Feed(self._host, name)
        return self._feeds[name]

    async def at(self, request: Request) -> Response:
        """The table as it stood after a message."""
        name, number = request.path_params["name"], request.path_params["number"]
        return JSONResponse(await run_in_threadpool(stood_after, name, self._host.folder, number))

    async def documents(self, request: Request) -> Response:
        """The documents that the panel was given."""
        with Session.read(request.path_params["name"], self._host.folder) as session:
            return JSONResponse(await run_in_threadpool(documents_of, session.started().documents))

    async def do(self, request: Request) -> Response:
        """Steer a session, speak, vote, take a note, or go on with it."""
        name, doing, viewer = request.path_params["name"], Doing.of_data(await request.json()), request.state.viewer
        who = self._who(name, viewer)
        if not viewer.owner and doing.do not in _INVITED_DO:
            raise fault("error-for-the-owner", RefusedError)
        if doing.do == "note" and self._host.runs(name) is None:
            await run_in_threadpool(self._host.note, name, doing.text, who)
            return JSONResponse({"done": "note"})
        how = self._host.act(name, doing, who)
        if doing.do == "resume":
            note_act(request, "resumed", name)
        return JSONResponse({"done": doing.do, "read": how})

    async def report(self, request: Request) -> Response:
        page = await run_in_threadpool(self._report, request.path_params["name"])
        policy = page.partition('Content-Security-Policy" content="')[2].partition('"')[0]
        return HTMLResponse(page, headers={"Content-Security-Policy": policy.replace("&#39;", "'")})

    def _report(self, name: str) -> str:
        with Session.read(name, self._host.folder) as session:
            progress, memory = read_back(session)
            if progress.ended is None and any(each.person for each in progress.personas.values()):
                raise fault("error-report-later", SessionError)
            return in_each_form(session, report_of(session, progress, memory), memory).page

    def _who(self, session: str, viewer: Viewer) -> str:
        """Return the name of the seat of a viewer; empty for none."""
        here = self._host.running.get(session)
        return viewer.seats.get(session) or (here.own if here is not None and viewer.owner else "")

    async def join(self, request: Request) -> Response:
        """What somebody is invited to. Looking at it uses nothing up: programs look at links, too."""
        found = await run_in_threadpool(invited_to, self._host.folder, request.path_params["secret"])
        session, name = found or ("", "")
        if session and request.state.viewer.seats.get(session) == name:
            return RedirectResponse(f"/s/{session}", 303)
        used = bool(session) and Invitations(self._host.folder / session).seats[name].used
        question = ""
        with suppress(EdaError), Session.read(session, self._host.folder) as opened:  # else it has not begun
            question = one_line(opened.started().question)
        words = words_for(request).labels("seat-join")
        if not session or used:
            return door(request, words["used" if session else "none"], "", 410 if session else 404, head=words["head"])
        return door(request, name=name, head=question or words["head"])

    async def sit(self, request: Request) -> Response:
        """Give a browser the seat of an invitation, once."""
        found = await run_in_threadpool(invited_to, self._host.folder, request.path_params["secret"])
        if found is None:
            raise fault("error-invitation-none", RefusedError)
        session, name = found
        has = request.state.viewer.seats.get(session)
        answer = JSONResponse({"session": session})
        if has == name:
            return answer
        if has:
            raise fault("error-browser-seated", RefusedError, who=has)
        invitations = Invitations(self._host.folder / session)  # from here on nothing is awaited: it is used once
        if invitations.of(request.path_params["secret"]) != name or invitations.seats[name].used:
            raise fault("error-invitation-used", RefusedError)
        note_act(request, "joined", session, name)
        keep_seat(request, answer, session, invitations.join(name))
        self.end(session, name)  # of another browser, where the person had the seat there
        return answer

    async def people(self, request: Request) -> Response:
        """Who was invited, who is here, and the links that nobody has used yet."""
        return JSONResponse(self._host.people(request.path_params["name"]))

    async def invite(self, request: Request) -> Response:
        """Make a new invitation for one of them, which ends the old one."""
        session, who = request.path_params["name"], _Who.of_data(await request.json()).who
        if who not in Invitations(self._host.folder / session).seats:
            raise fault("error-not-invited", who=one_line(who))
        secret = self._host.invite(session, who)
        self.end(session, who)
        return JSONResponse({"link": f"/join/{secret}"})

    async def leave(self, request: Request) -> Response:
        """Give up the seat of this browser; the person can be invited anew."""
        session = request.path_params["name"]
        if who := request.state.viewer.seats.get(session):
            note_act(request, "left", session, who)
            Invitations(self._host.folder / session).invite(who)
            self.end(session, who)
        answer = JSONResponse({"done": "leave"})
        keep_seat(request, answer, session, "")
        return answer

    async def sign_out(self, request: Request) -> Response:
        """Have this browser show the token again before it owns the sessions."""
        note_act(request, "signed-out")
        for feed in self._feeds.values():
            feed.end_owners()
        answer = JSONResponse({"done": "sign-out"})
        request.app.state.owners.sign_out(request, answer)
        return answer

    def end(self, session: str, who: str) -> None:
        """Shut the pages of a session that a person has open."""
        if session in self._feeds:
            self._feeds[session].end(who)

    async def end_all(self) -> None:
        """Tell each page all that there is, then that it is closed."""
        for name, feed in [*self._feeds.items()]:
            if (here := self._host.running.get(name)) is not None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(feed.caught_up(here.session.log.last_seq), _LAST)
            feed.end()

    async def close(self) -> None:
        for feed in self._feeds.values():
            await feed.close()
