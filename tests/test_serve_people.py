"""Several people at one table: a real server, asked over HTTP as their browsers ask it."""

from __future__ import annotations

import asyncio
import json
import os
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner
from started import program
from told import Told

from eda import Session
from eda.cli import cli
from eda.panels.panel import Library
from eda.serve.app import make_app
from eda.serve.guests import alongside, bound, names_of
from eda.serve.host import Host
from eda.serve.people import Invitations
from eda.session.folders import acts_in

TOKEN = "a-token-that-only-the-owner-has"  # noqa: S105 - of a server that lives for a test
HOSTILE = '<img src=x onerror="alert(1)">'
OPEN: list[httpx2.AsyncClient] = []
"""The browsers of a test, closed with its server."""
ARABIC = "قمر"


@asynccontextmanager
async def served(folder: Path, token: str = TOKEN) -> AsyncIterator[tuple[str, Host]]:
    """A server in this loop; yields its address and its host."""
    listening = bound("127.0.0.1", 0)
    host = Host(folder, "simulated", "product-decision")
    app = make_app(host, names=names_of("127.0.0.1"), token=token)
    async with alongside(app, listening):
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", host
        finally:
            await app.state.end()
            while OPEN:
                await OPEN.pop().aclose()


@dataclass
class Browser:
    """Somebody's browser: it keeps its cookies, and hears what a page of a session is told."""

    url: str
    cookies: httpx2.Cookies = field(default_factory=httpx2.Cookies)
    heard: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.news = asyncio.Event()
        self.client = httpx2.AsyncClient(base_url=self.url, cookies=self.cookies, timeout=30)
        OPEN.append(self.client)

    async def get(self, path: str, **headers: str) -> httpx2.Response:
        return await self.client.get(path, headers=headers)

    async def post(self, path: str, data: object, **headers: str) -> httpx2.Response:
        own = {"Origin": self.url, "Content-Type": "application/json", **headers}
        return await self.client.post(path, content=json.dumps(data), headers=own)

    async def do(self, name: str, what: str, text: str = "", **more: object) -> httpx2.Response:
        return await self.post(f"/s/{name}/do", {"do": what, "text": text, **more})

    async def sit(self, link: str) -> httpx2.Response:
        return await self.post(link, {})

    async def follow(self, name: str, vote: str = "", until: str = "ended", says: str = "") -> None:
        """Hear what the page is told until that kind or state; vote when asked, and pass turns."""
        async with self.client.stream("GET", f"/s/{name}/events") as answer:
            assert answer.status_code == 200, await answer.aread()
            async for line in answer.aiter_lines():
                if not line.startswith("data: "):
                    continue
                said = json.loads(line.removeprefix("data: "))
                self.heard.append(said)
                self.news.set()
                if vote and said["kind"] == "question" and said["purpose"]:
                    text = vote if said["purpose"] in ("ballot", "poll") else says
                    await self.do(name, "answer", text, question=said["number"])
                if until in (said["kind"], said.get("state")):
                    return

    async def hears(self, text: str | None = None) -> None:
        """Wait until that is the last text that the page was told, or for None until it was told anything."""
        while not self.heard or text not in (None, *[each["text"] for each in self.heard if "text" in each][-1:]):
            self.news.clear()
            await self.news.wait()

    def asked(self) -> list[str]:
        return [said["purpose"] for said in self.heard if said["kind"] == "question" and said["purpose"]]


async def owner_of(url: str) -> Browser:
    owner = Browser(url)
    assert (await owner.get(f"/?token={TOKEN}")).status_code == 303
    return owner


async def begun(owner: Browser, **more: object) -> tuple[str, dict[str, str]]:
    """Begin a debate with Ana at this browser, and two who are invited; return its name and the links."""
    given = {"question": "Open on Sundays?", "options": "Yes, do\nNo, wait", "max_messages": 4, "human": "Ana"}
    answer = await owner.post("/new", {**given, "invite": f"Ben\n{ARABIC} {HOSTILE}", **more})
    assert answer.status_code == 200, answer.text
    name = answer.json()["session"]
    people = (await owner.get(f"/s/{name}/people")).json()
    return name, {each["name"]: each["link"] for each in people}


async def test_the_form_offers_panels_of_ones_own(tmp_path: Path) -> None:
    """Only those that EDA ships could be chosen at a page."""
    panel = (
        'name = "recall-board"\ntitle = "Recall board"\ndescription = "Recalls."\nmembers = ["sceptic", "actuary"]\n'
    )
    (tmp_path / "recall-board.toml").write_text(panel)
    async with served(tmp_path / "sessions") as (url, host):
        host.roster = Library(panels=tmp_path)
        owner = await owner_of(url)
        assert '<option value="recall-board">Recall board</option>' in (await owner.get("/")).text
        name, _ = await begun(owner, panel="recall-board")
        members = [each.name for each in host.running[name].debate.members if not each.person]
        assert members == ["sceptic", "actuary"]


async def test_three_people_at_one_table_see_the_same_and_vote_in_private(tmp_path: Path) -> None:
    """Each is asked for itself; what they do are facts of one log, and no page shows a vote before the close."""
    async with served(tmp_path) as (url, _):
        owner, ben, third = await owner_of(url), Browser(url), Browser(url)
        name, links = await begun(owner)
        other = f"{ARABIC} {HOSTILE}"
        assert (await ben.sit(links["Ben"])).json() == {"session": name}
        assert (await third.sit(links[other])).json() == {"session": name}
        assert (await ben.do(name, "say", f"[PROPOSE] Open at noon only. {HOSTILE}")).status_code == 200
        async with asyncio.timeout(60), asyncio.TaskGroup() as pages:
            pages.create_task(owner.follow(name, "o1 > o2"))
            pages.create_task(ben.follow(name, "o2"))
            asking = pages.create_task(third.follow(name, until="question"))
            await owner.hears(f"Waiting for {other} to vote.")
            await asking
            [texts] = [each["texts"] for each in third.heard if each.get("purpose") == "ballot"]
            third.heard.clear()  # it opens its page anew below
            assert {(each["id"], each["title"], each["head"]) for each in texts} == {
                ("o1", "Yes, do", "o1"),
                ("o2", "No, wait", "o2"),
            }
            read = [(await third.do(name, "read", text)).json() for text in ("o2", "o1 = o2", "none", "", "o9")]
            assert [each.get("read") for each in read] == [
                "You accept: No, wait. You refuse: Yes, do.",
                "You accept: Yes, do and No, wait, equal.",
                f"You accept none of them. You refuse: {'; '.join(each['title'] for each in texts)}.",
                "You leave your ballot empty: you abstain.",
                None,
            ]
            assert "error" in read[-1]  # and nothing is cast by reading
            with Session.read(name, tmp_path) as session:  # two have voted, and nothing shows it
                assert not [event for event in session.events() if event.type == "ballot_cast"]
            assert (await owner.get(f"/s/{name}/report")).status_code == 409
            assert (await ben.do(name, "unvote")).status_code == 200
            await owner.hears(f"Waiting for {other} to vote.")  # Ben was asked again, and has voted
            pages.create_task(third.follow(name, "none"))
    for page, who in ((owner, "Ana"), (ben, "Ben"), (third, other)):
        assert page.heard[0]["seat"] == who
        times = 3 if who == "Ben" else 2  # a first one, which he takes back once, and the last
        assert page.asked().count("ballot") == times, who
        voted = [said for said in page.heard[0]["told"] + page.heard if said["kind"] == "voted"]
        assert {"Ana", "Ben", other} <= {said["who"] for said in voted}
        assert {*voted[0]} == {"kind", "seq", "who"}  # that somebody has voted, and not for what
    talks = [[each for each in page.heard if each["kind"] == "message"] for page in (owner, ben, third)]
    assert talks[0] == talks[1] == talks[2]
    assert all(each["text"] or each["acts"] for each in talks[0])  # also of what was sealed
    assert all(200 < each["seconds"] <= 300 for each in ben.heard if each["kind"] == "question" and each["purpose"])
    assert any(each["who"] == "Ben" and "Open at noon only" in json.dumps(each) for each in talks[0])
    with Session.read(name, tmp_path) as session:
        cast = [event.ballot for event in session.events() if event.type == "ballot_cast" and not event.first]
    votes = {ballot.agent: ballot.ranking for ballot in cast}
    assert votes["Ana"] == ("Yes, do", "No, wait")
    assert votes["Ben"] == ("No, wait",)
    assert other in votes


async def test_an_invitation_is_used_once_and_a_new_one_ends_it(tmp_path: Path) -> None:
    """Whoever finds an old link has nothing; and the seat goes with the newest."""
    async with served(tmp_path) as (url, _):
        owner, ben, thief = await owner_of(url), Browser(url), Browser(url)
        name, links = await begun(owner)
        page = await ben.get(links["Ben"])
        assert "You are invited to this debate as <b>Ben</b>" in page.text
        assert "Open on Sundays?" in page.text
        hostile = (await ben.get(links[f"{ARABIC} {HOSTILE}"])).text
        assert HOSTILE not in hostile
        assert f"{ARABIC} &lt;img" in hostile
        assert (await ben.get(f"/s/{name}")).status_code == 403  # to look uses nothing up
        assert (await ben.sit(links["Ben"])).status_code == 200
        assert (await ben.sit(links["Ben"])).status_code == 200  # again from the same browser
        assert (await ben.get(f"/s/{name}")).status_code == 200
        stolen = await thief.sit(links["Ben"])
        assert (stolen.status_code, "was used" in stolen.json()["error"]) == (403, True)
        assert (await thief.get(links["Ben"])).status_code == 410
        both = await ben.sit(links[f"{ARABIC} {HOSTILE}"])
        assert "this browser has Ben's seat" in both.json()["error"]  # two seats are two people
        looking = asyncio.create_task(ben.follow(name, until="left"))
        await ben.hears()
        anew = (await owner.post(f"/s/{name}/invite", {"who": "Ben"})).json()["link"]
        async with asyncio.timeout(10):
            await looking  # the page of who had the seat is shut
        assert (await ben.get(f"/s/{name}")).status_code == 403
        assert (await ben.sit(links["Ben"])).status_code == 403
        assert (await thief.sit(anew)).status_code == 200
        assert (await thief.post(f"/s/{name}/leave", {})).status_code == 200
        assert (await thief.get(f"/s/{name}")).status_code == 403
        acts = [(act["did"], bool(act["address"])) for act in acts_in(tmp_path) if act["who"] == "Ben"]
        assert acts == [("invited", False), ("joined", True), ("invited", False), ("joined", True), ("left", True)]
        told = CliRunner().invoke(cli, ["sessions", "--audit", "Ben", "left", "--sessions", str(tmp_path)]).output
        assert told.split("\t")[1:4] == ["left", name, "Ben"]
        kept = tmp_path / name / "seats.json"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert not any(link.rpartition("/")[2] in kept.read_text("utf-8") for link in (*links.values(), anew))


async def test_who_was_invited_reaches_that_session_alone(tmp_path: Path) -> None:
    """Colleagues at one table do not read the minutes of all others, nor spend the owner's money."""
    with Session.create("secret", tmp_path) as session:
        Told(session, question="Shall we sell?").votes()
    async with served(tmp_path) as (url, _):
        owner, ben, nobody = await owner_of(url), Browser(url), Browser(url)
        name, links = await begun(owner)
        await ben.sit(links["Ben"])
        for path in (
            "/s/secret",
            "/s/secret/events",
            "/s/secret/at/3",
            "/s/secret/report",
            f"/s/{name}/people",
            "/s/no",
        ):
            for browser in (ben, nobody):
                refused = await browser.get(path)
                assert (refused.status_code, refused.json()["error"]) == (403, "this is not open to you"), path
        for path in ("/", f"/s/{name}"):
            assert (await nobody.get(path)).status_code == 403
        page = (await ben.get("/")).text
        assert f'href="/s/{name}"' in page
        assert "secret" not in page
        assert 'id="new"' not in page
        assert "Shall we sell?" not in (await ben.get("/?q=sell")).text
        assert 'href="/s/secret"' in (await owner.get("/")).text
        for what in ("pause", "next", "go-on", "resume", "skip"):
            assert (await ben.do(name, what)).status_code == 403, what
        assert (await ben.post("/new", {"question": "Shall we?"})).status_code == 403
        assert (await ben.post(f"/s/{name}/invite", {"who": "Ben"})).status_code == 403
        assert (await ben.do("secret", "note", "x")).status_code == 403
        assert (await ben.do(name, "note", "Ask the staff.")).status_code == 200
        assert (await ben.get(f"/s/{name}/report")).status_code == 409  # it would show the first ballots
        with Session.read(name, tmp_path) as session:
            notes = [event for event in session.events() if event.type == "note_taken"]
        assert [note.who for note in notes] == ["Ben"]


async def test_a_seat_survives_the_server(tmp_path: Path) -> None:
    """People come back to the session that goes on; who lost their browser asks for a new invitation."""
    async with served(tmp_path) as (url, _):
        owner, ben = await owner_of(url), Browser(url)
        name, links = await begun(owner, human="", invite="Ben")
        await ben.sit(links["Ben"])
        cookies = ben.client.cookies
    async with served(tmp_path) as (url, _):
        owner, ben = await owner_of(url), Browser(url, cookies)
        people = (await owner.get(f"/s/{name}/people")).json()
        assert people == [{"name": "Ben", "state": "away", "link": ""}]
        assert (await owner.do(name, "resume")).status_code == 200
        async with asyncio.timeout(60):
            await ben.follow(name, "o2")
        assert ben.heard[0]["seat"] == "Ben"
        assert "ballot" in ben.asked()
        assert (await ben.get(f"/s/{name}/report")).status_code == 200
        other, anew = Browser(url), Invitations(tmp_path / name).invite("Ben", keep=True)  # as a terminal's resume does
        assert (await ben.get(f"/s/{name}")).status_code == 200
        assert (await other.sit(f"/join/{anew}")).status_code == 200
        assert (await ben.get(f"/s/{name}")).status_code == 403


async def test_who_does_not_answer_passes_and_holds_nobody_up(tmp_path: Path) -> None:
    """One who went for coffee must not stop the table; one who never came is passed over by who invited them."""
    async with served(tmp_path) as (url, host):
        owner, ben = await owner_of(url), Browser(url)
        name, links = await begun(owner, human="", invite="Ben\nCleo", human_time=0.05)
        await ben.sit(links["Ben"])
        looking = asyncio.create_task(ben.follow(name))
        async with asyncio.timeout(60):
            while not host.running[name].task.done():
                await asyncio.sleep(0.02)
                waiting = host.running[name].waiting
                if "Cleo" in waiting and "Ben" not in waiting:
                    assert (await owner.do(name, "skip", who="Cleo")).status_code == 200
            await looking
        with Session.read(name, tmp_path) as session:
            state = [event for event in session.events() if event.type == "ballot_cast" and not event.first]
        assert {event.ballot.agent for event in state if event.ballot.choice is None} >= {"Ben", "Cleo"}


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"invite": "Ana"}, "one name"),
        ({"invite": "Ben\nben"}, "two people"),
        ({"invite": "Zoe\u0301\nZo\u00e9"}, "two people"),
        ({"human": "", "invite": "Petra"}, "sits on the panel"),
        ({"human": "", "invite": "Moderator"}, "moderator"),
        ({"human": "", "invite": "x" * 61}, "1 to 60 characters"),
        ({"human": "", "invite": "Ben\u202egnp"}, "1 to 60 characters"),
        ({"human": "", "invite": "Panelist B", "format": "delphi"}, "calls a member"),
        ({"human_time": 0}, "Seconds that a person has to answer"),
    ],
)
async def test_names_that_cannot_be_are_refused(tmp_path: Path, more: dict[str, Any], words: str) -> None:
    """Two people in one seat, or one under a member's name, would be counted as another."""
    async with served(tmp_path) as (url, _):
        answer = await (await owner_of(url)).post("/new", {"question": "Shall we?", "human": "Ana", **more})
        assert answer.status_code == 400
        assert words in answer.json()["error"]
        assert {each.name for each in os.scandir(tmp_path)} <= {"ledger.jsonl"}  # that the owner signed in


async def test_what_is_forged_opens_nothing(tmp_path: Path) -> None:
    """A key fits one session; a guess none; and no other site acts in somebody's name."""
    async with served(tmp_path) as (url, _):
        owner, ben = await owner_of(url), Browser(url)
        one, links = await begun(owner, human="", invite="Ben")
        two, _ = await begun(owner, human="", invite="Ben")
        await ben.sit(links["Ben"])
        key = ben.client.cookies[f"eda_seat.{one}"]
        for name, value in ((two, key), (two, ""), (one, key[:-1]), (one, "é"), ("..", key), (one, "x" * 4000)):
            forged = {"Cookie": f"eda_seat.{name}={value}".encode()}
            for session in (one, two):
                async with httpx2.AsyncClient(base_url=url) as thief:
                    assert (await thief.get(f"/s/{session}", headers=forged)).status_code == 403, (name, value)
        for guess in ("guess", "%00", "x" * 3000, links["Ben"].rpartition("/")[2][:-1]):
            assert (await Browser(url).sit(f"/join/{guess}")).status_code in (403, 404)
        for headers in ({"Origin": "http://evil.example"}, {"Content-Type": "text/plain"}):
            assert (await ben.post(f"/s/{one}/do", {"do": "say", "text": "x"}, **headers)).status_code == 403
            assert (await Browser(url).post(links["Ben"], {}, **headers)).status_code == 403
        assert (await ben.get(f"/s/{one}", Host="evil.example")).status_code == 421
        long = await ben.do(one, "say", "x" * 200_000)
        assert (long.status_code, "20000" in long.json()["error"]) == (400, True)
        assert (await ben.do(one, "answer", "o1", question=99)).status_code == 400
        (tmp_path / one / "seats.json").write_text("{", "utf-8")
        assert (await ben.get(f"/s/{one}")).status_code == 403
        assert "damaged" in (await owner.get(f"/s/{one}/people")).json()["error"]


async def test_among_anonymous_members_a_person_is_one_of_them(tmp_path: Path) -> None:
    """What a page is told must not say who is behind a title."""
    async with served(tmp_path) as (url, _):
        owner, ben = await owner_of(url), Browser(url)
        name, links = await begun(owner, human="", invite="Benedetta", format="delphi", max_messages=10)
        await ben.sit(links["Benedetta"])
        async with asyncio.timeout(60), asyncio.TaskGroup() as pages:
            pages.create_task(owner.follow(name))
            pages.create_task(ben.follow(name, "none", says="I doubt it."))
        title = ben.heard[0]["seat"]
        assert title.startswith("Panelist")
        assert any(said["kind"] == "message" and said["who"] == title for said in owner.heard)
        assert "Waiting for somebody to speak." in [said.get("text") for said in owner.heard]
        assert (await ben.do(name, "note", "Ask the staff.")).status_code == 200
        assert "Benedetta" not in json.dumps([owner.heard, ben.heard])
        assert "Benedetta" not in (tmp_path / name / "events.jsonl").read_text("utf-8")


@pytest.mark.parametrize("most", [4, 24])
async def test_a_note_is_taken_while_the_report_is_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """It hung without an answer; and the page named a closing phase for which the debate had no room."""
    writes, written = asyncio.Event(), asyncio.Event()

    async def slow(*_: object, **__: object) -> None:
        writes.set()
        await written.wait()

    monkeypatch.setattr("eda.serve.host.write_report", slow)
    async with served(tmp_path) as (url, host):
        owner = await owner_of(url)
        name, _ = await begun(owner, human="", invite="", max_messages=most)
        async with asyncio.timeout(60):
            await writes.wait()
            assert (await owner.do(name, "note", "Ask the staff.")).status_code == 200
            written.set()
            task = host.running[name].task
            assert task is not None
            await task
            await owner.follow(name)
    with Session.read(name, tmp_path) as session:
        facts = [*session.events()]
    assert [fact.text for fact in facts if fact.type == "note_taken"] == ["Ask the staff."]
    shown = [said for said in owner.heard if said["kind"] == "status"][-1]["phases"]
    closes = any(fact.phase == "closing" for fact in facts if fact.type == "phase_started")
    assert ("closing" in shown, closes) == (most > 4, most > 4)


async def test_a_debate_of_a_terminal_serves_those_who_are_invited(tmp_path: Path) -> None:
    """Whoever began it is at the terminal: nobody owns it over the network, and its pages close with it."""
    given = ("Open on Sundays?", "--option", "Yes", "--option", "No", "--max-messages", "4", "--runner", "simulated")
    more = ("--language", "de", "--invite", "Ben", "--session", "table", "--sessions", str(tmp_path), "--json")
    with program("debate", *given, *more) as running:
        assert running.stderr is not None
        async with asyncio.timeout(60):
            while "Einladung für Ben: ".encode() not in (line := await asyncio.to_thread(running.stderr.readline)):
                assert line
            url, _, secret = line.decode().split()[-1].rpartition("/join/")
            ben = Browser(url)
            assert (await ben.get("/")).status_code == 403
            assert (await ben.sit(f"/join/{secret}")).status_code == 200
            assert (await ben.do("table", "pause")).status_code == 403
            await ben.follow("table", "o2", until="closed")
            written, told = await asyncio.to_thread(running.communicate)
    await ben.client.aclose()
    OPEN.clear()
    assert running.returncode == 0
    assert "No" in [ballot["choice"] for ballot in json.loads(written)["ballots"] if ballot["agent"] == "Ben"]
    assert b"Ben ist da." in told
    assert [said for said in ben.heard if said["kind"] == "verdict"]
