"""A debate on a page of your own, live: pip install 'eda-panel[serve]', then python examples/web_app.py."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from eda import Debate, MessagePosted, TextStreamed, VerdictReached

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A debate</title><style>
:root { color-scheme: light dark } body { max-width: 40em; margin: 2em auto } p { white-space: pre-wrap }</style>
<h1>A debate</h1><main></main><script>
const add = (tag, text) => { const part = document.createElement(tag); part.textContent = text;
  document.querySelector("main").append(part); return part };  // textContent: what a model writes is never markup
const written = {}, facts = new EventSource("facts");
facts.onmessage = ({data}) => { const {who, text, done} = JSON.parse(data);
  const at = written[who] ??= (add("h2", who), add("p", ""));
  at.textContent = done ? text : at.textContent + text; if (done) delete written[who] };
facts.addEventListener("end", () => facts.close());</script></html>"""


def app(debate: Debate) -> Starlette:
    """Return a site that runs a debate while it is served, and shows it to any number of browsers."""

    def told(who: str, text: str, seq: int = 0) -> ServerSentEvent:
        return ServerSentEvent(json.dumps({"who": who, "text": text, "done": seq > 0}), id=str(seq) if seq else None)

    async def facts(request: Request) -> EventSourceResponse:
        async def each() -> AsyncIterator[ServerSentEvent]:  # a browser that comes back says what it saw last
            async for fact in debate.stream(int(request.headers.get("last-event-id", 0)), also=TextStreamed):
                match fact:
                    case TextStreamed():
                        yield told(fact.agent, fact.text)
                    case MessagePosted():
                        yield told(fact.who, fact.talk, fact.seq)
                    case VerdictReached(outcome=decided):
                        text = decided if isinstance(decided, str) else "; ".join(decided or ["No verdict"])
                        yield told("Verdict", text, fact.seq)
            yield ServerSentEvent("", event="end")

        return EventSourceResponse(each())

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        run = asyncio.create_task(debate.run())
        yield
        debate.stop()  # a session on disk can be resumed
        await run

    return Starlette(routes=[Route("/", lambda _: HTMLResponse(PAGE)), Route("/facts", facts)], lifespan=running)


if __name__ == "__main__":
    uvicorn.run(app(Debate(" ".join(sys.argv[1:]) or "Should we ship on Fridays?")))
