"""The way to a seat: the page of an invitation, who was invited, a new invitation, and leaving the seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from eda.errors import EdaError, RefusedError, UsageError
from eda.panels.frozen import Frozen
from eda.report.formatting import one_line
from eda.serve.guard import guarded, keep_seat, read
from eda.serve.host import Host
from eda.serve.people import Invitations, invited_to
from eda.session import Session

_NONE = "There is no such invitation, or a newer one has ended it. Ask for a new one."
_USED = "This invitation was used. Ask for a new one; that ends this one."


class _Who(Frozen):
    who: str
    """The name of who was invited."""


class Joining:
    """What the addresses of invitations answer."""

    def __init__(
        self, host: Host, page: Callable[[str, Mapping[str, Any]], str], end: Callable[[str, str], None]
    ) -> None:
        """Make pages of templates with `page`; `end` shuts the pages that a person has open."""
        self._host = host
        self._page = page
        self._end = end

    @property
    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/join/{secret}", guarded(self.page, "all")),
            Route("/join/{secret}", guarded(self.sit, "all"), methods=["POST"]),
            Route("/s/{name}/people", guarded(self.people)),
            Route("/s/{name}/invite", guarded(self.invite), methods=["POST"]),
            Route("/s/{name}/leave", guarded(self.leave, "invited"), methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        """What somebody is invited to. Looking at it uses nothing up: programs look at links, too."""
        found = await run_in_threadpool(invited_to, self._host.folder, request.path_params["secret"])
        session, name = found or ("", "")
        if session and request.state.viewer.seats.get(session) == name:
            return RedirectResponse(f"/s/{session}", 303)
        used = bool(session) and Invitations(self._host.folder / session).used(name)
        question = ""
        with suppress(EdaError):  # it has not begun
            if session and not used:
                with Session.read(session, self._host.folder) as opened:
                    question = one_line(opened.started().question)
        wrong = _NONE if not session else _USED if used else ""
        host = request.state.viewer.owner and request.state.token is None
        data = {"name": "" if wrong else name, "question": question, "wrong": wrong, "host": host}
        return HTMLResponse(self._page("join.html.j2", data), 404 if not session else 410 if used else 200)

    async def sit(self, request: Request) -> Response:
        """Give a browser the seat of an invitation, once."""
        found = await run_in_threadpool(invited_to, self._host.folder, request.path_params["secret"])
        if found is None:
            raise RefusedError(_NONE.removesuffix("."))
        session, name = found
        has = request.state.viewer.seats.get(session)
        answer = JSONResponse({"session": session})
        if has == name:
            return answer
        if has:
            raise RefusedError(f"this browser has {has}'s seat", hint="Open the invitation in another browser.")
        invitations = Invitations(self._host.folder / session)  # from here on nothing is awaited: it is used once
        if invitations.of(request.path_params["secret"]) != name or invitations.used(name):
            raise RefusedError(_USED.removesuffix("."))
        keep_seat(answer, session, invitations.join(name))
        self._end(session, name)  # of another browser, where the person had the seat there
        return answer

    async def people(self, request: Request) -> Response:
        """Who was invited, who is here, and the links that nobody has used yet."""
        return JSONResponse(self._host.people(request.path_params["name"]))

    async def invite(self, request: Request) -> Response:
        """Make a new invitation for one of them, which ends the old one."""
        session, who = request.path_params["name"], read(_Who, await request.json()).who
        if who not in Invitations(self._host.folder / session).names:
            raise UsageError(f"{one_line(who)!r} was not invited to this table")
        secret = self._host.invite(session, who)
        self._end(session, who)
        return JSONResponse({"link": f"/join/{secret}"})

    async def leave(self, request: Request) -> Response:
        """Give up the seat of this browser; the person can be invited anew."""
        session = request.path_params["name"]
        if who := request.state.viewer.seats.get(session):
            Invitations(self._host.folder / session).invite(who)
            self._end(session, who)
        answer = JSONResponse({"done": "leave"})
        keep_seat(answer, session, "")
        return answer
