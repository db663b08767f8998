"""Sessions as pages: a real server, asked over HTTP as a browser asks it."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import shutil
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner
from served import BEARER, TOKEN, get, post, serving
from starlette.requests import Request
from starlette.responses import Response
from starlette.testclient import TestClient
from told import MOVE, REASONS, TALK, WAIT, Told

from eda import Session
from eda.cli import cli
from eda.debate.control.changes import FollowedUp, steer
from eda.debate.replay import read_back
from eda.events import Ballot, BallotCast, PhaseStarted
from eda.panels.request import DebateRequest
from eda.serve.app import make_app
from eda.serve.guard import Owners
from eda.serve.host import Host, cost_of
from eda.serve.shown import stood_after, table_of, verdict_of
from eda.session.folders import acts_in
from eda.session.fork import upto
from eda.words import Words

HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)">'
EVERYWHERE = "0.0.0.0"  # noqa: S104 - that it is guarded is what is tested


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    with Session.create("told", folder) as session:
        Told(session, question=f"Shall we? {HOSTILE}").votes()
    with serving(folder) as address:
        yield address.rstrip("/")


def told(url: str, name: str, until: str, after: int = 0) -> list[dict[str, Any]]:
    """What a page of a session is told, up to the first thing of that kind or in that state."""
    heard: list[dict[str, Any]] = []
    headers = {**BEARER, **({"Last-Event-ID": str(after)} if after else {})}
    with httpx2.stream("GET", f"{url}/s/{name}/events", headers=headers, timeout=60) as answer:
        assert answer.status_code == 200
        for line in answer.iter_lines():
            if line.startswith("data: "):
                heard.append(json.loads(line.removeprefix("data: ")))
                if until in (heard[-1]["kind"], heard[-1].get("state")):
                    return heard
    raise AssertionError(f"the stream ended: {heard[-3:]}")


def test_documents_of_every_kind_are_read_and_refused_with_a_reason(url: str, folder: Path) -> None:
    """A page sends the bytes of a file; the same readers read them as those of `eda debate --context`."""

    def begun(name: str, raw: bytes) -> httpx2.Response:
        files = [{"name": name, "data": base64.b64encode(raw).decode()}]
        return post(url, "/new", {"question": f"Keep {name}?", "max_messages": 4, "documents": files})

    page = begun("folder/prices.html", b"<script>no()</script><h1>Prices</h1><p>Ten euros.</p>").json()["session"]
    with Session.read(page, folder) as session:
        (document,) = session.started().documents
    assert (document.name, document.text) == ("prices.html", "# Prices\nTen euros.")
    for name, raw, reason in (
        ("plan.pdf", b"%PDF-1.4 but not really", "broken PDF"),
        ("empty.md", b" ", "is empty"),
        ("long.txt", b"x" * 1_000_001, "larger than 1 MB"),
        ("latin.csv", b"a;b\n\xe4;\xf6", "latin.csv"),
    ):
        answer = begun(name, raw)
        assert answer.status_code == 400, name
        assert reason in answer.json()["error"]


def test_a_browser_checks_no_form_in_a_language_of_its_own(url: str) -> None:
    """Beside an English form it complained in the reader's language, and of another thing than the server would."""
    forms = re.findall(r"<form[^>]*class=\"form\"[^>]*>", get(url).text + get(f"{url}/s/told").text)
    assert forms
    assert all("novalidate" in form for form in forms)
    empty = post(url, "/new", {"question": " "}).json()
    assert "eda debate" not in empty["hint"]


def test_the_list_has_each_session_with_what_was_decided(url: str) -> None:
    page = get(url).text
    assert 'href="/s/told"' in page
    assert "Wait and fix the test suite first" in page
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page
    assert 'href="/s/told"' in get(f"{url}/?q=suite").text
    assert 'href="/s/told"' not in get(f"{url}/?q=nothingofthekind").text


def test_a_page_is_told_all_that_it_shows_and_a_reconnect_what_it_missed(url: str) -> None:
    whole = told(url, "told", "question")
    first, table, status, *_ = whole
    assert [each["kind"] for each in whole] == ["all", "table", "status", "waiting", "question"]
    numbers = [each["number"] for each in first["told"] if each["kind"] == "message"]
    assert numbers == list(range(1, 11))
    assert first["question"] == f"Shall we? {HOSTILE}"  # data: the page puts it in as text
    assert status["state"] == "ended"
    assert any("Wait and fix the test suite first" in line for line in table["rest"]["decided"])
    last = [each["seq"] for each in first["told"]]
    again = told(url, "told", "table", after=last[-3])
    assert [each["seq"] for each in again[:-1]] == last[-2:]


def test_the_table_can_be_seen_as_it_stood(url: str, folder: Path) -> None:
    table, status = get(f"{url}/s/told/at/7").json()
    assert (table["kind"], status["state"], status["messages"]) == ("table", "m7", 7)
    assert get(f"{url}/s/told/at/99").status_code == 400


def test_what_stood_after_a_message_is_the_log_folded_up_to_it(folder: Path, url: str) -> None:
    with Session.create("long", folder) as session:
        Told(session, [*TALK, *TALK[5:] * 9])
    for number in (55, 54, 41, 40, 5, 6, 1):
        with Session.read("long", folder) as session:
            state, memory = read_back(upto(session, number))
        table, status = stood_after("long", folder, number)
        assert table == table_of(state, memory), number
        assert (status["messages"], status["phase"]) == (number, state.phase)


def test_an_ended_debate_tells_each_ones_votes_and_a_running_one_does_not(url: str, folder: Path) -> None:
    decided = told(url, "told", "verdict")[-1]
    assert [(row["text"], len(row["who"])) for row in decided["rows"]] == [(WAIT, 4), (MOVE, 1)]
    assert any(line.startswith(f"Against: Ada puts “{MOVE}” first: “") for line in decided["lines"]), (
        "a decided session opens with the page"
    )
    assert "How sure to be" in decided["parts"]
    assert decided["votes"]["Ada"] == [[{"label": "o1", "title": f"{MOVE}: “{REASONS['Ada']}”"}]]
    with Session.create("voting", folder) as session:
        debate = Told(session)
        debate.tell(PhaseStarted(phase="ballot", why="messages"))
        debate.tell(BallotCast(ballot=Ballot(agent="Ada", choice=MOVE, reason="SECRET"), choices=(MOVE, WAIT)))
    heard = json.dumps(told(url, "voting", "question"))
    assert '"voted"' in heard
    assert "SECRET" not in heard
    assert '"verdict"' not in heard


def test_search_finds_what_was_said_and_links_to_it(url: str) -> None:
    page = get(f"{url}/?q=Oskar+KNOWS").text
    assert '<a href="/s/told#m6">Ben, m6</a>' in page
    assert "<mark>Oskar</mark> <mark>knows</mark>" in page
    assert "&lt;<mark>script</mark>&gt;" in get(f"{url}/?q=script").text
    assert "sessions none has these words" in get(f"{url}/?q=%3Cmark%3E").text


def test_a_question_shows_the_decision_first_with_its_owner(url: str, folder: Path) -> None:
    """Last month's decision stood below each session in which somebody had said the word."""
    shutil.copytree(Path(__file__).parent.parent / "sessions" / "example", folder / "billing-at-last")
    with Session.open("billing-at-last", folder) as session:
        steer(session, [FollowedUp(owner="Ana", revisit="2026-01-16")])
    page = get(f"{url}/?q=What+did+we+decide+about+billing+tests%3F").text
    rows = re.findall(r'class="question" href="/s/([^"]+)"', page)
    assert rows[0] == "billing-at-last"
    shown = page[page.index("billing-at-last") :]
    for each in (
        "For 4",
        "Against 1",
        "Viktor",
        "Owner: Ana",
        "Look again on 16 January 2026",
        "Would persuade Viktor:",
    ):
        assert each in shown
    assert "due since 16 January 2026" in page
    shutil.rmtree(folder / "billing-at-last")


def test_a_page_forks_at_a_message(url: str, folder: Path) -> None:
    assert post(url, "/s/told/fork", {"at": 7, "name": "otherwise"}).json() == {"session": "otherwise"}
    with Session.read("otherwise", folder) as session:
        assert [event.number for event in session.events() if event.type == "message_posted"][-1] == 7
    taken = post(url, "/s/told/fork", {"at": 7, "name": "otherwise"})
    assert (taken.status_code, "otherwise" in taken.json()["error"], "such as" in taken.json()["hint"]) == (
        409,
        True,
        True,
    )
    assert post(url, "/s/told/fork", {"at": 99}).json()["hint"] == "Its messages are m1 to m10."


def test_a_page_steers_a_session_that_waits(url: str, folder: Path) -> None:
    post(url, "/s/told/fork", {"at": 6, "name": "steered"})
    changes = {"mute": ["Ada"], "add": "sceptic", "settings": {"max_messages": 30, "budget": 0.5}}
    assert post(url, "/s/steered/steer", changes).json()["done"] == "later"
    status = told(url, "steered", "status")[-1]
    assert (status["most"], status["limits"]["max_cost"], len(status["members"])) == (30, 0.5, 6)
    assert {"who": "Ada", "muted": True} in status["members"]
    lines = [each.get("text", "") for each in told(url, "steered", "status")[0]["told"]]
    assert "messages: 30, cost: 0.5" in lines
    for wrong, why in (
        ({}, "nothing was changed"),
        ({"mute": ["Ada"]}, "muted already"),
        ({"settings": {"max_cost": "much"}}, "Spending limit (US dollars)"),
    ):
        answer = post(url, "/s/steered/steer", wrong)
        assert (answer.status_code, why in answer.json()["error"]) == (400, True), answer.text


def test_a_debate_is_forecast_before_it_begins(folder: Path) -> None:
    wanted = DebateRequest(question="Shall we?", settings={"max_messages": 6})
    assert "no model is asked" in cost_of(Host(folder, "simulated", "product-decision"), wanted)
    words = cost_of(Host(folder, "anthropic", "product-decision"), wanted)
    assert re.fullmatch(r"about \$\S+; \$\S+ where replies are short, \$\S+ where they are long", words), words


def test_the_report_is_a_page_with_its_own_policy(url: str) -> None:
    answer = get(f"{url}/s/told/report")
    assert answer.text.startswith("<!doctype html>")
    assert "sha256-" in answer.headers["content-security-policy"]
    assert HOSTILE not in answer.text


def test_a_debate_begins_on_the_page_and_a_person_takes_part(url: str, folder: Path) -> None:
    """Everything that somebody at the page does is a fact of the same log."""
    given = {"question": "Open on Sundays?", "options": "Yes, do\nNo, wait", "max_messages": 10, "human": "Noor"}
    name = post(url, "/new", given).json()["session"]
    voted = 0
    with httpx2.stream("GET", f"{url}/s/{name}/events", headers=BEARER, timeout=60) as answer:
        for line in answer.iter_lines():
            said = json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else {}
            if said.get("purpose") in ("ballot", "poll"):
                assert {text["id"] for text in said["texts"]} >= {"o1", "o2"}
                assert post(url, f"/s/{name}/do", {"do": "answer", "text": "o2 > o1"}).status_code == 200
                voted += 1
            if said.get("purpose") == "speak":  # people open first
                assert post(url, f"/s/{name}/do", {"do": "answer", "text": ""}).status_code == 200
            if said.get("state") == "ended":
                break
    assert voted == 2  # before the talk and after it
    with Session.read(name, folder) as session:
        cast = [event.ballot for event in session.events() if event.type == "ballot_cast"]
    noor = [ballot.ranking for ballot in cast if ballot.agent == "Noor"]
    assert noor == [("No, wait", "Yes, do")] * 2
    assert post(url, f"/s/{name}/do", {"do": "note", "text": "Ask the staff."}).status_code == 200
    late = post(url, f"/s/{name}/do", {"do": "pause"})
    assert (late.status_code, "does not run" in late.json()["error"]) == (400, True)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Content-Type": "text/plain"}, 403),
        ({"Host": "evil.example"}, 421),
    ],
)
def test_no_page_of_another_site_can_act(url: str, headers: dict[str, str], status: int) -> None:
    assert post(url, "/new", {"question": "Shall we?"}, **headers).status_code == status
    assert post(url, "/s/told/do", {"do": "note", "text": "x"}, **headers).status_code == status


@pytest.mark.parametrize(
    ("path", "given", "words"),
    [
        ("/new", {"question": " "}, "question"),
        ("/new", {"question": "Shall we?", "panel": "nobody"}, "nobody"),
        ("/new", {"question": "Shall we?", "format": "os:system"}, "unknown format"),
        ("/new", {"question": "Shall we?", "max_messages": -3}, "Message limit"),
        ("/new", {"question": "Shall we?", "max_messages": "many"}, "Message limit"),
        ("/new", [], "the request"),
        ("/s/told/do", {"do": "fly"}, "do"),
        ("/s/told/do", {"do": "pause"}, "does not run told"),
        ("/s/none/do", {"do": "note", "text": "x"}, "none"),
        ("/s/told/do", {"do": "note", "text": "x" * 30_000}, "20000"),
        ("/s/told/do", {"do": "resume"}, "ended"),
    ],
)
def test_what_cannot_be_done_is_said(url: str, path: str, given: object, words: str) -> None:
    answer = post(url, path, given)
    assert 400 <= answer.status_code < 500, answer.text
    assert words in json.dumps(answer.json())


def test_nothing_outside_of_the_folder_is_served(url: str) -> None:
    for path in ("/s/..%2f..", "/static/app.py", "/static/..%2fapp.py", "/s/a%00b"):
        assert get(url + path).status_code in (400, 404), path


def test_every_answer_forbids_what_the_page_does_not_need(url: str) -> None:
    for path in ("/", "/s/told", "/static/live.js", "/s/none"):
        policy = get(url + path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
    for path in ("/", "/s/told"):
        page = get(url + path).text
        assert not re.search(r"<script(?! type=\"module\" src=\"/static/)|<[^>]+\s(style|on\w+)=", page)


def test_every_user_of_the_machine_needs_the_token(folder: Path) -> None:
    """Whoever has an account on the same machine, or is in the same network, could read all sessions."""
    with serving(folder, "--host", EVERYWHERE) as printed:
        plain = re.sub(r"//[^:/]+", "//127.0.0.1", printed).rstrip("/")
        assert httpx2.get(plain).status_code == 403
        shut, gone = (httpx2.get(f"{plain}{each}", headers={"Accept": "text/html"}) for each in ("", "/nothing"))
        assert (shut.status_code, gone.status_code) == (403, 404)
        assert 'name="token"' in shut.text  # the way on
        assert "/static/live.css" in shut.text
        assert "/static/live.css" in gone.text
        assert httpx2.get(f"{plain}/?token=guess").status_code == 403
        with httpx2.Client(follow_redirects=True) as browser:
            assert "Decisions" in browser.get(f"{plain}//evil.example/?token={TOKEN}").text
            assert browser.get(plain).status_code == 200
            key = browser.cookies["eda_owner"]
            assert TOKEN not in key
            own = {"Origin": plain, "Content-Type": "application/json"}
            assert browser.post(f"{plain}/sign-out", content="{}", headers=own).status_code == 200
            assert browser.get(plain).status_code == 403
            assert httpx2.get(plain, cookies={"eda_owner": key}).status_code == 403
    acts = [act for act in acts_in(folder) if act["address"]]
    assert [act["did"] for act in acts[-2:]] == ["signed-in", "signed-out"]
    assert (folder / "ledger.jsonl").stat().st_mode & 0o77 == 0


def test_a_key_of_a_browser_is_exchanged_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cookie that is stolen once would open the sessions for ever."""
    clock = 1_000.0
    monkeypatch.setattr("eda.serve.guard.monotonic", lambda: clock)
    owners = Owners(TOKEN)

    def asks(key: str, scheme: str = "http") -> Request:
        headers = [(b"cookie", f"eda_owner={key}".encode()), (b"host", b"h")]
        return Request({"type": "http", "scheme": scheme, "path": "/", "query_string": b"", "headers": headers})

    def kept(before: Request) -> tuple[str, str]:
        answer = Response()
        owners.keep(before, answer)
        cookie = answer.headers["set-cookie"]
        return cookie.partition("=")[2].partition(";")[0], cookie

    first, plain = kept(asks("", "http"))
    assert ("HttpOnly" in plain, "SameSite=lax" in plain, "Secure" in plain) == (True, True, False)
    assert (owners.knows(asks(first)), owners.is_due(asks(first))) == (True, False)
    clock += 3_601
    assert owners.is_due(asks(first))
    second, guarded = kept(asks(first, "https"))
    assert "Secure" in guarded
    assert [owners.knows(asks(each)) for each in (first, second)] == [True, True]
    assert not owners.is_due(asks(first))
    clock += 61
    assert [owners.knows(asks(each)) for each in (first, second)] == [False, True]
    clock += 3_601
    third, _ = kept(asks(second))
    owners.sign_out(asks(third), Response())
    assert [owners.knows(asks(each)) for each in (second, third)] == [False, False]
    second, _ = kept(asks(""))
    clock += 13 * 3_600
    assert not owners.knows(asks(second))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of this kind")
@pytest.mark.parametrize("head", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_strangers_who_hold_connections_do_not_lock_the_owner_out(folder: Path, head: bytes) -> None:
    """1,100 of them used up the files that the process may open."""
    import resource

    name = f"held{len(head)}"
    with serving(folder, files=1_024) as url, ExitStack() as held:
        before, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4_096, most), most))
        held.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (before, most))
        place = ("127.0.0.1", int(url.rstrip("/").rpartition(":")[2]))
        get(url)  # the first page takes what personas and panels take
        with Session.create(name, folder) as session:
            Told(session)
        with httpx2.stream("GET", f"{url.rstrip('/')}/s/{name}/events", headers=BEARER, timeout=20) as page:
            lines = page.iter_lines()
            next(lines)
            strangers = [held.enter_context(socket.create_connection(place, timeout=30)) for _ in range(2_000)]
            for one in strangers[-50:]:  # the others are closed already
                one.sendall(head)
            began = time.monotonic()
            assert get(url).status_code == 200
            assert time.monotonic() - began < 5
            assert post(url.rstrip("/"), f"/s/{name}/steer", {"mute": ["Ada"]}).json()["done"] == "later"
            assert any('"muted": true' in line for line in lines)  # who is being answered is closed last
        with suppress(ConnectionResetError):
            assert strangers[1].recv(1) == b""  # it waited longest


def test_json_that_nests_deep_is_refused(url: str) -> None:
    """The parser's recursion ended in a traceback."""
    deep = "[" * 100_000
    own = {"Origin": url, "Content-Type": "application/json", **BEARER}
    assert httpx2.post(f"{url}/s/told/do", content=deep, headers=own).status_code == 400


def test_a_certificate_that_is_none_is_said(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "none.pem").write_text("no certificate")
    args = ["serve", "--port", "0", "--sessions", str(folder), "--runner", "simulated"]
    done = CliRunner().invoke(cli, [*args, "--tls-cert", str(tmp_path / "none.pem")])
    assert (done.exit_code, "cannot be used" in done.stderr) == (2, True)


async def test_debates_that_have_ended_are_released(tmp_path: Path) -> None:
    """A server of months would keep the memory of every debate."""
    host = Host(tmp_path, "simulated", "product-decision")
    for number in range(7):
        wanted = DebateRequest(question=f"Shall we {number}?", max_messages=2)
        name = host.start(host.prepared(wanted))
        await host.running[name].task
    assert len(host.running) <= 5
    assert name in host.running


def test_sessions_that_nobody_looks_at_any_more_are_released(folder: Path) -> None:
    """Who opened a hundred debates within a minute had the server keep the memory of all."""
    host = Host(folder, "simulated", "product-decision")
    for number in range(7):
        with Session.create(f"seen{number}", folder) as session:
            Told(session).votes()
    app = make_app(host, names=frozenset({"testserver"}), token=TOKEN)
    with TestClient(app, headers=BEARER) as client:
        for number in range(7):
            assert client.get(f"/s/seen{number}").status_code == 200
        feeds = {
            task.get_name() for task in client.portal.call(everything) if task.get_name().startswith("feed of seen")
        }
    assert feeds == {f"feed of seen{number}" for number in (2, 3, 4, 5, 6)}


async def everything() -> set[asyncio.Task[Any]]:
    """All tasks of the loop that runs."""
    return asyncio.all_tasks()


def test_a_port_that_is_taken_is_said(url: str, folder: Path) -> None:
    port = url.rpartition(":")[2]
    done = CliRunner().invoke(cli, ["serve", "--port", port, "--sessions", str(folder), "--runner", "simulated"])
    assert done.exit_code == 2
    assert f"cannot listen at 127.0.0.1, port {port}" in done.stderr
    assert "0 takes a free one" in done.stderr


def test_the_list_of_decisions_speaks_the_language_of_its_server(folder: Path) -> None:
    """Who had set German read `What did we decide?` above decisions in German."""
    key = "k" * 20
    for spoken in (Words("de"), Words()):
        host = Host(folder, "simulated", "engineering", spoken=spoken)
        app = make_app(host, names=frozenset({"testserver"}), token=key)
        with TestClient(app) as client:
            page = client.get(f"/?token={key}").text
        labels = spoken.labels("settings-page", "decisions-page")
        assert f'lang="{spoken.language}"' in page
        shown = ("head", "begin", "documents", "rule", "rule-how", "max-messages")
        assert [labels[name] in page for name in shown] == [True] * len(shown)


def test_a_page_shows_who_owns_a_decision(folder: Path) -> None:
    """The list told the owner, the date and the outcome; the page of that very decision did not."""
    with Session.create("owned", folder) as session:
        Told(session).votes()
        assert verdict_of(session, *read_back(session))["followed"] == []
        steer(session, [FollowedUp("Ana", "2027-02-20", "It held.", by="Ben")])
        assert verdict_of(session, *read_back(session))["followed"] == [
            "Owner: Ana",
            "Look again on 20 February 2027",
            "What came of it: It held. (noted by Ben)",
        ]


async def test_the_form_that_steers_speaks_the_language_of_its_debate(tmp_path: Path) -> None:
    """Its limits were in English, and its keys were headed by the name of a method of Python's."""
    host = Host(tmp_path, "simulated", "product-decision")
    name = host.start(host.prepared(DebateRequest(question="Am Sonntag?", max_messages=4, language="de")))
    await host.running[name].task
    key = "k" * 20
    later = Host(tmp_path, "simulated", "product-decision")
    with TestClient(make_app(later, names=frozenset({"testserver"}), token=key)) as client:
        client.get(f"/?token={key}")
        page = client.get(f"/s/{name}").text
    labels = Words("de").labels("settings-page", "live-page")
    limits = ("max-messages", "budget-time", "budget-tokens", "budget", "call-timeout", "no-limit")
    assert [labels[each] in page for each in limits] == [True] * 6
    assert f'<h2 id="help-head">{labels["keys"]}</h2>' in page
