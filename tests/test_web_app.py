"""`examples/web_app.py` over HTTP: what a browser that loses its connection is told when it comes back."""

from __future__ import annotations

import json
import re

import httpx2
from own_site import own_site

from eda import Debate, MessagePosted, Settings


async def test_a_browser_that_comes_back_is_told_what_it_missed_and_nothing_twice() -> None:
    """A copy of the example would show a message twice, or leave one out, after each train ride."""
    debate = Debate("Ship?", ["sceptic", "historian"], options=["Yes", "No"], settings=Settings(max_messages=6))
    async with own_site(debate) as address, httpx2.AsyncClient(base_url=address, timeout=60) as browser:
        assert "textContent" in (await browser.get("/")).text
        whole = (await browser.get("/facts")).text
        ids = re.findall(r"^id: (\d+)", whole, re.MULTILINE)
        told = [json.loads(data) for data in re.findall(r"^data: ({.*})", whole, re.MULTILINE)]
        said = [fact for fact in debate.session.events() if isinstance(fact, MessagePosted)]
        assert [each["text"] for each in told if each["done"]][:-1] == [fact.talk for fact in said]
        assert ids[:-1] == [str(fact.seq) for fact in said]
        rest = (await browser.get("/facts", headers={"Last-Event-ID": ids[2]})).text
        assert re.findall(r"^id: (\d+)", rest, re.MULTILINE) == ids[3:]
        assert rest.count("event: end") == 1
